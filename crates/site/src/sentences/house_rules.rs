//! House rules in words. Every setting, every option and every set that comes with the program has texts.
//!
//! The key of a text follows from the key of the setting. `partner.second_from` is called
//! `rule-partner-second-from` and explained by `rule-partner-second-from-about`. Its values are
//! `rule-partner-second-from-none`, `...-number`, or `...-` and the option. A test holds that all of these
//! texts exist.

use owlbox_chouette::rules::catalogue::{HouseRuleSetting, Kind, SettingValue};
use owlbox_locale::Locale;

/// The part of a text key that stands for a setting or an option.
fn dashed(key: &str) -> String {
    key.replace(['.', '_'], "-")
}

/// The name of the setting.
pub(crate) fn label(t: &Locale, setting: &HouseRuleSetting) -> String {
    t.get(&format!("rule-{}", dashed(setting.key)))
}

/// The sentence that explains the setting.
pub(crate) fn about(t: &Locale, setting: &HouseRuleSetting) -> String {
    t.get(&format!("rule-{}-about", dashed(setting.key)))
}

/// The meaning of `value` as this setting's value.
pub(crate) fn meaning(t: &Locale, setting: &HouseRuleSetting, value: &SettingValue) -> String {
    let key = |ending: &str| format!("rule-{}-{ending}", dashed(setting.key));
    match (&setting.kind, value) {
        (Kind::Number { .. }, SettingValue::Number(number)) => {
            let count = usize::try_from(*number).unwrap_or_default();
            t.count(&key("number"), &count)
        }
        (Kind::Number { .. }, _) => t.get(&key("none")),
        (Kind::Text { .. }, SettingValue::Text(part)) if part.contains('/') => {
            t.with(&key("part"), "part", part)
        }
        (_, SettingValue::Text(option)) => t.get(&key(&dashed(option))),
        (_, SettingValue::Switch(_) | SettingValue::Number(_) | SettingValue::None) => {
            t.get(&key(&value.to_string()))
        }
    }
}

/// The setting and its value in one line: `The box stays: if it beat everyone`.
pub(crate) fn sentence(t: &Locale, setting: &HouseRuleSetting, value: &SettingValue) -> String {
    t.labelled(label(t, setting), meaning(t, setting, value))
}

/// The name of a set that comes with the program.
pub(crate) fn preset_name(t: &Locale, key: &str) -> String {
    t.get(&format!("preset-{}", dashed(key)))
}

/// One sentence on what sets it apart.
pub(crate) fn preset_about(t: &Locale, key: &str) -> String {
    t.get(&format!("preset-{}-about", dashed(key)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_chouette::rules::{catalogue, preset};
    use owlbox_locale::Language;

    /// Every text key that the functions above can ask for.
    fn every_key() -> std::collections::BTreeSet<String> {
        let of_setting = |setting: &HouseRuleSetting| {
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

    #[test]
    fn every_house_rule_has_words() {
        let t = Locale::new(Language::English, chrono_tz::UTC);
        for key in every_key() {
            // A text that is not there panics.
            assert!(!t.fill(&key, &[("count", &1), ("part", &1)]).is_empty(), "{key}");
        }
    }
}
