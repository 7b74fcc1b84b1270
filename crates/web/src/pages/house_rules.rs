//! House rules: which sets there are, what one says, and a form to write one.

use askama::Template;

use super::frame::{Choice, Frame};
use crate::locale::Locale;

/// How the settings are grouped on a page: the key of the title, and the keys of the settings.
const GROUPS: [(&str, &[&str]); 8] = [
    ("rule-group-game", &["game.variant", "other_games", "game.strict_larger_die", "game.closed_out"]),
    (
        "rule-group-seats",
        &[
            "order.dice",
            "box_retention",
            "double_stand_up",
            "captain_drops",
            "takers_move_up",
            "declining",
            "newcomer",
        ],
    ),
    (
        "rule-group-cubes",
        &["cubes", "jacoby", "animals", "cube_cap", "decision_order", "box_restraint", "late_doubles"],
    ),
    ("rule-group-automatics", &["automatics.at_most", "automatics.later", "automatics.carry_over"]),
    ("rule-group-lone", &["lone_taker.rule", "lone_taker.from", "lone_taker.extras_from"]),
    (
        "rule-group-partner",
        &[
            "partner.when",
            "partner.from",
            "partner.second_from",
            "partner.offer",
            "partner.share",
            "partner.rights",
            "partner.after_loss",
        ],
    ),
    ("rule-group-money", &["stakes", "settlements"]),
    (
        "rule-group-table",
        &[
            "consultation",
            "table_size.at_most",
            "table_size.split",
            "heads_up",
            "leaving.mid_game",
            "leaving.on_break",
        ],
    ),
];

/// The settings by group: the key of the title, and what `made` makes of each key of it, if anything.
pub fn groups<T>(t: &Locale, made: impl Fn(&str) -> Option<T>) -> Vec<RuleGroup<T>> {
    let group = |(title, keys): (&str, &[&str])| RuleGroup {
        id: title.to_owned(),
        title: t.get(title),
        rules: keys.iter().filter_map(|key| made(key)).collect(),
    };
    GROUPS.map(group).into_iter().filter(|group| !group.rules.is_empty()).collect()
}

/// Every set of house rules.
#[derive(Debug, Template)]
#[template(path = "house_rules.html")]
pub struct HouseRulesPage {
    pub t: Locale,
    pub frame: Frame,
    pub own: Vec<RuleCard>,
    /// Those that come with the program.
    pub ready: Vec<RuleCard>,
    /// Whether the viewer may save some.
    pub may_manage: bool,
}

/// A set at a glance.
#[derive(Clone, Debug)]
pub struct RuleCard {
    pub address: String,
    pub name: String,
    /// What distinguishes it, of one that comes with the program.
    pub about: Option<String>,
    /// What is not as in the common set: the setting, and what it is here.
    pub differences: Vec<(String, String)>,
}

#[derive(Debug, Template)]
#[template(path = "rule_set.html")]
pub struct RuleSetPage {
    pub t: Locale,
    pub frame: Frame,
    pub card: RuleCard,
    /// Whether it comes with the program.
    pub is_preset: bool,
    /// Whether the viewer may save some.
    pub may_manage: bool,
    pub groups: Vec<RuleGroup<RuleLine>>,
}

#[derive(Clone, Debug)]
pub struct RuleGroup<T> {
    /// Its id on the page.
    pub id: String,
    pub title: String,
    pub rules: Vec<T>,
}

/// A setting as it is.
#[derive(Clone, Debug)]
pub struct RuleLine {
    pub label: String,
    pub about: String,
    pub meaning: String,
    /// Whether it is something else in the common set.
    pub differs: bool,
}

/// The form to write a set.
#[derive(Debug, Template)]
#[template(path = "rule_set_form.html")]
pub struct RuleSetForm {
    pub t: Locale,
    pub frame: Frame,
    /// The set that it begins with, as addresses write it.
    pub from: String,
    /// The rules that it begins with, by their fingerprint.
    pub seen: String,
    /// What the set is to be called.
    pub name: String,
    /// What is wrong with that.
    pub name_error: Option<String>,
    pub groups: Vec<RuleGroup<RuleField>>,
}

/// A setting to be chosen.
#[derive(Clone, Debug)]
pub struct RuleField {
    /// Its key: the field's name and id.
    pub key: &'static str,
    pub label: String,
    pub about: String,
    pub control: Control,
    /// What is wrong with the choice.
    pub error: Option<String>,
}

/// How a setting is chosen.
#[derive(Clone, Debug)]
pub enum Control {
    Select(Vec<Choice>),
    Number {
        value: String,
        minimum: u32,
        maximum: u32,
        /// What it means to leave it empty, if one may.
        none: Option<String>,
    },
    Text {
        value: String,
        /// The regular expression that it matches.
        pattern: &'static str,
        hint: String,
    },
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use owlbox_domain::chouette::rules::catalogue::settings;

    #[test]
    fn every_setting_is_in_one_group() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, keys)| *keys).copied().collect();
        let every: BTreeSet<&str> = settings().iter().map(|setting| setting.key).collect();
        assert_eq!(grouped.iter().copied().collect::<BTreeSet<_>>(), every);
        assert_eq!(grouped.len(), every.len());
    }
}
