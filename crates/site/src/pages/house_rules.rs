//! House rules: the list of sets, the page of one set, and the form for a new one.

use askama::Template;

use super::frame::{Choice, Frame};
use owlbox_locale::Locale;

/// The groups of settings on a page: the text key of the title, and the keys of the settings. A test holds
/// that every setting is in exactly one group.
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

/// The settings by group. `made` turns a key into the page's data, or leaves it out; empty groups are left
/// out.
pub fn groups<T>(t: &Locale, made: impl Fn(&str) -> Option<T>) -> Vec<RuleGroup<T>> {
    let group = |(title, keys): (&str, &[&str])| RuleGroup {
        id: title.to_owned(),
        title: t.get(title),
        rules: keys.iter().filter_map(|key| made(key)).collect(),
    };
    GROUPS.map(group).into_iter().filter(|group| !group.rules.is_empty()).collect()
}

/// The list of all sets.
#[derive(Debug, Template)]
#[template(path = "house_rules.html")]
pub struct HouseRulesPage {
    pub t: Locale,
    pub frame: Frame,
    pub own: Vec<RuleCard>,
    /// The sets that come with the program.
    pub ready: Vec<RuleCard>,
    /// Whether the viewer may save sets.
    pub may_manage: bool,
}

/// A set in the list.
#[derive(Clone, Debug)]
pub struct RuleCard {
    pub address: String,
    pub name: String,
    /// One sentence on what sets it apart. `None` for the club's own sets.
    pub about: Option<String>,
    /// Each difference from the common set: the setting, and its value here.
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
    /// Whether the viewer may save sets.
    pub may_manage: bool,
    pub groups: Vec<RuleGroup<RuleLine>>,
}

#[derive(Clone, Debug)]
pub struct RuleGroup<T> {
    /// The `id` of the group's element.
    pub id: String,
    pub title: String,
    pub rules: Vec<T>,
}

/// A setting and its value.
#[derive(Clone, Debug)]
pub struct RuleLine {
    pub label: String,
    pub about: String,
    pub meaning: String,
    /// Whether the common set has another value.
    pub differs: bool,
}

/// The form for a new set, or for changes to one.
#[derive(Debug, Template)]
#[template(path = "rule_set_form.html")]
pub struct RuleSetForm {
    pub t: Locale,
    pub frame: Frame,
    /// The set the form starts from, as addresses write it.
    pub from: String,
    /// The fingerprint of the rules the form starts from. It reveals a change made by somebody else in the
    /// meantime.
    pub seen: String,
    /// The name for the set, as typed so far.
    pub name: String,
    /// Why that name is refused.
    pub name_error: Option<String>,
    pub groups: Vec<RuleGroup<RuleField>>,
}

/// A setting in the form.
#[derive(Clone, Debug)]
pub struct RuleField {
    /// The setting's key. It names the field and is its `id`.
    pub key: &'static str,
    pub label: String,
    pub about: String,
    pub control: Control,
    /// Why the choice is refused.
    pub error: Option<String>,
}

/// The control for a setting.
#[derive(Clone, Debug)]
pub enum Control {
    Select(Vec<Choice>),
    Number {
        value: String,
        minimum: u32,
        maximum: u32,
        /// The meaning of an empty field. `None` if it must not be empty.
        none: Option<String>,
    },
    Text {
        value: String,
        /// The regular expression the browser checks the text against.
        pattern: &'static str,
        hint: String,
    },
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use owlbox_chouette::rules::catalogue::settings;

    #[test]
    fn every_setting_is_in_one_group() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, keys)| *keys).copied().collect();
        let every: BTreeSet<&str> = settings().iter().map(|setting| setting.key).collect();
        assert_eq!(grouped.iter().copied().collect::<BTreeSet<_>>(), every);
        assert_eq!(grouped.len(), every.len());
    }
}
