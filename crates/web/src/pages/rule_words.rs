//! House rules in words: every setting, every option and every ready-made set has texts by its key.
//!
//! The key of a text follows from the key of the setting: `partner.second_from` is called
//! `rule-partner-second-from`, explained by `...-about`, and what it is in force by `...-none`,
//! `...-number`, or `...-` and the option. A test holds that each is written and none besides.

use serde_json::Value;

use crate::locale::Locale;
use owlbox_domain::chouette::HouseRules;
use owlbox_domain::chouette::rules::catalogue::{Kind, Setting};
use owlbox_domain::chouette::rules::{LoneTaker, PartnerWhen};

/// The part of a text's key that stands for a key or an option of the house rules.
fn dashed(key: &str) -> String {
    key.replace(['.', '_'], "-")
}

/// What the setting is called.
#[must_use]
pub fn label(t: &Locale, setting: &Setting) -> String {
    t.get(&format!("rule-{}", dashed(setting.key)))
}

/// The sentence that explains the setting.
#[must_use]
pub fn about(t: &Locale, setting: &Setting) -> String {
    t.get(&format!("rule-{}-about", dashed(setting.key)))
}

/// What it means that the setting is `value`.
#[must_use]
pub fn meaning(t: &Locale, setting: &Setting, value: &Value) -> String {
    let key = |ending: &str| format!("rule-{}-{ending}", dashed(setting.key));
    match (&setting.kind, value) {
        (Kind::Number { .. }, Value::Number(number)) => {
            let count = number.as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or_default();
            t.count(&key("number"), &count)
        }
        (Kind::Number { .. }, _) => t.get(&key("none")),
        (Kind::Text { .. }, Value::String(part)) if part.contains('/') => t.with(&key("part"), "part", part),
        (_, Value::String(option)) => t.get(&key(&dashed(option))),
        (_, other) => t.get(&key(&other.to_string())),
    }
}

/// The setting and what it is in one line: `The box stays: if it beat everyone`.
#[must_use]
pub fn sentence(t: &Locale, setting: &Setting, value: &Value) -> String {
    format!("{}: {}", label(t, setting), meaning(t, setting, value))
}

/// Whether anything depends on this setting under these rules: without a partner nobody asks for his share.
#[must_use]
pub fn matters(rules: &HouseRules, key: &str) -> bool {
    match key {
        "partner.when" => true,
        "lone_taker.from" => {
            matches!(rules.lone_taker.rule, LoneTaker::MustDrop | LoneTaker::MustDropOrExtras)
        }
        "lone_taker.extras_from" => {
            matches!(
                rules.lone_taker.rule,
                LoneTaker::Extras | LoneTaker::ExtrasOrDrop | LoneTaker::MustDropOrExtras
            )
        }
        "automatics.later" | "automatics.carry_over" => rules.automatics.at_most != Some(0),
        key if key.starts_with("partner.") => rules.partner.when != PartnerWhen::Off,
        _ => true,
    }
}

/// What a set that comes with the program is called.
#[must_use]
pub fn preset_name(t: &Locale, key: &str) -> String {
    t.get(&format!("preset-{}", dashed(key)))
}

/// What distinguishes it, in a sentence.
#[must_use]
pub fn preset_about(t: &Locale, key: &str) -> String {
    t.get(&format!("preset-{}-about", dashed(key)))
}

/// The keys of every text that is asked for above.
#[cfg(test)]
pub(crate) fn every_key() -> std::collections::BTreeSet<String> {
    use owlbox_domain::chouette::rules::{catalogue, preset};
    let of_setting = |setting: &Setting| {
        let key = |ending: &str| format!("rule-{}{ending}", dashed(setting.key));
        let mut keys = vec![key(""), key("-about")];
        match &setting.kind {
            Kind::Choice { options } => {
                keys.extend(options.iter().map(|option| key(&format!("-{}", dashed(&option.option)))));
            }
            Kind::Number { nullable, .. } => {
                keys.push(key("-number"));
                keys.extend(nullable.then(|| key("-none")));
            }
            Kind::Switch => keys.extend([key("-true"), key("-false")]),
            Kind::Text { .. } => keys.extend([key("-half"), key("-part")]),
        }
        keys
    };
    let presets = preset::presets().iter().flat_map(|preset| {
        let key = dashed(&preset.key);
        [format!("preset-{key}"), format!("preset-{key}-about")]
    });
    catalogue::settings().iter().flat_map(of_setting).chain(presets).collect()
}
