//! Every setting by its key, with what it means: what the API explains the house rules with, and what pages
//! draw their forms from.
//!
//! Nothing is written twice: options and sentences are those of the types' documentation, and the defaults
//! those of [`HouseRules::default`].

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::chouette::rules::HouseRules;
use crate::chouette::rules::settings::{
    Automatics, BoxRestraint, BoxRetention, BreakPlace, CaptainDrops, Consultation, Cubes, DecisionOrder,
    Declining, DoubleStandUp, ExtrasFrom, HeadsUp, Jacoby, LateDoubles, LaterAutomatics, LeavingMidGame,
    LoneTaker, LoneTakerRules, Newcomer, Options, OrderDice, PartnerAfterLoss, PartnerOffer, PartnerRights,
    PartnerRules, PartnerShare, PartnerWhen, PlayerCount, Settlements, SplitFrom, Stakes, TableSize,
};
use crate::engine::{Animals, CubeValue};

/// A setting of the house rules.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Setting {
    /// Its key in the set, dotted where it is inside another: `cubes`, `partner.from`.
    #[schema(example = "partner.from")]
    pub key: &'static str,
    /// What it is about, in a sentence.
    pub about: String,
    /// What it can be.
    #[serde(flatten)]
    pub kind: Kind,
    /// What it is if nothing is said.
    pub default: Value,
}

/// What a setting can be.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Kind {
    /// One of several options.
    Choice {
        /// Which, the default first.
        options: Vec<Choice>,
    },
    /// A whole number.
    Number {
        /// The lowest.
        minimum: u32,
        /// The highest.
        maximum: u32,
        /// Whether it has to be a power of two.
        power_of_two: bool,
        /// Whether there may be none, written `null`.
        nullable: bool,
    },
    /// `true` or `false`.
    Switch,
    /// A text.
    Text {
        /// The regular expression that it matches.
        pattern: &'static str,
    },
}

/// An option of a setting.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Choice {
    /// As it is written in the set.
    #[schema(example = "one_per_member")]
    pub option: String,
    /// What it means, in a sentence.
    pub about: &'static str,
}

static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(every_setting);

/// Every setting, in the order of the set.
#[must_use]
pub fn settings() -> &'static [Setting] {
    &SETTINGS
}

/// The setting with this key.
#[must_use]
pub fn setting(key: &str) -> Option<&'static Setting> {
    settings().iter().find(|setting| setting.key == key)
}

/// What the setting with this dotted key is in `rules`; null for a key that is not one.
#[must_use]
pub fn value(rules: &HouseRules, key: &str) -> Value {
    at(&serde_json::to_value(rules).unwrap_or_default(), key)
}

/// What lies in `set` under the dotted key.
fn at(set: &Value, key: &str) -> Value {
    key.split('.').try_fold(set, |inside, part| inside.get(part)).cloned().unwrap_or_default()
}

/// The settings in which two sets differ.
#[must_use]
pub fn differences(one: &HouseRules, other: &HouseRules) -> Vec<&'static Setting> {
    let [one, other] = [one, other].map(|rules| serde_json::to_value(rules).unwrap_or_default());
    settings().iter().filter(|setting| at(&one, setting.key) != at(&other, setting.key)).collect()
}

fn every_setting() -> Vec<Setting> {
    let players = |key, nullable| number(key, (PlayerCount::MIN.into(), PlayerCount::MAX.into()), nullable);
    vec![
        choice::<OrderDice>("order.dice"),
        choice::<Cubes>("cubes"),
        choice::<BoxRetention>("box_retention"),
        choice::<DoubleStandUp>("double_stand_up"),
        choice::<Newcomer>("newcomer"),
        choice::<CaptainDrops>("captain_drops"),
        choice::<PartnerWhen>("partner.when"),
        players("partner.from", false),
        players("partner.second_from", true),
        choice::<PartnerOffer>("partner.offer"),
        made("partner.share", Kind::Text { pattern: PartnerShare::PATTERN }),
        choice::<PartnerRights>("partner.rights"),
        choice::<PartnerAfterLoss>("partner.after_loss"),
        choice::<Consultation>("consultation"),
        choice::<DecisionOrder>("decision_order"),
        choice::<BoxRestraint>("box_restraint"),
        choice::<LateDoubles>("late_doubles"),
        choice::<Jacoby>("jacoby"),
        choice::<Animals>("animals"),
        choice::<LoneTaker>("lone_taker.rule"),
        players("lone_taker.from", false),
        choice::<ExtrasFrom>("lone_taker.extras_from"),
        number("automatics.at_most", (0, u8::MAX.into()), true),
        choice::<LaterAutomatics>("automatics.later"),
        made("automatics.carry_over", Kind::Switch),
        made(
            "cube_cap",
            Kind::Number { minimum: 1, maximum: CubeValue::MAX.get(), power_of_two: true, nullable: true },
        ),
        choice::<Settlements>("settlements"),
        choice::<Stakes>("stakes"),
        choice::<LeavingMidGame>("leaving.mid_game"),
        choice::<BreakPlace>("leaving.on_break"),
        choice::<Declining>("declining"),
        players("table_size.at_most", false),
        choice::<SplitFrom>("table_size.split"),
        choice::<HeadsUp>("heads_up"),
    ]
}

fn choice<T: Options>(key: &'static str) -> Setting {
    let named = |option: &T| match serde_json::to_value(option) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    };
    let options = T::OPTIONS.iter().map(|(option, about)| Choice { option: named(option), about }).collect();
    Setting { key, about: T::ABOUT.to_owned(), kind: Kind::Choice { options }, default: default(key) }
}

fn number(key: &'static str, (minimum, maximum): (u32, u32), nullable: bool) -> Setting {
    made(key, Kind::Number { minimum, maximum, power_of_two: false, nullable })
}

/// A setting whose sentence is the documentation of its field.
fn made(key: &'static str, kind: Kind) -> Setting {
    Setting { key, about: field(key), kind, default: default(key) }
}

/// The documentation of a field of the set, or of a part of it.
fn field(key: &str) -> String {
    let (part, field) = key.split_once('.').unwrap_or(("", key));
    let schema: RefOr<Schema> = match part {
        "partner" => PartnerRules::schema(),
        "lone_taker" => LoneTakerRules::schema(),
        "automatics" => Automatics::schema(),
        "table_size" => TableSize::schema(),
        _ => HouseRules::schema(),
    };
    let schema = serde_json::to_value(schema).unwrap_or_default();
    let property = &schema["properties"][field];
    // What may be null is one of two things, and documented as the first.
    let about = [&property["description"], &property["oneOf"][0]["description"]];
    about.iter().find_map(|about| about.as_str()).unwrap_or_default().to_owned()
}

fn default(key: &str) -> Value {
    value(&HouseRules::default(), key)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    /// The dotted keys of everything in `set`.
    fn keys(set: &Value, before: &str) -> BTreeSet<String> {
        let inside = |(key, value): (&String, &Value)| match value {
            Value::Object(_) => keys(value, &format!("{before}{key}.")),
            _ => BTreeSet::from([format!("{before}{key}")]),
        };
        set.as_object().unwrap().iter().flat_map(inside).collect()
    }

    /// The rules with one setting changed.
    fn with(key: &str, value: Value) -> serde_json::Result<HouseRules> {
        let mut set = serde_json::to_value(HouseRules::default()).unwrap();
        *set.pointer_mut(&format!("/{}", key.replace('.', "/"))).unwrap() = value;
        serde_json::from_value(set)
    }

    #[test]
    fn q14_every_setting_is_described_once_and_its_default_is_the_first_option() {
        let set = serde_json::to_value(HouseRules::default()).unwrap();
        let described: Vec<String> = settings().iter().map(|setting| setting.key.to_owned()).collect();
        assert_eq!(described.iter().cloned().collect::<BTreeSet<_>>(), keys(&set, ""));
        assert_eq!(described.len(), keys(&set, "").len());
        for setting in settings() {
            assert!(setting.about.ends_with('.') && setting.about.len() > 10, "{setting:?}");
            assert!(!setting.about.starts_with(' '), "{setting:?}");
            if let Kind::Choice { options } = &setting.kind {
                assert_eq!(options[0].option, setting.default, "{}", setting.key);
                assert!(options.iter().all(|option| option.about.ends_with('.')), "{setting:?}");
            }
        }
    }

    #[test]
    fn q14_what_a_setting_can_be_is_accepted_and_nothing_else() {
        for Setting { key, kind, .. } in settings() {
            let (good, bad) = match kind {
                Kind::Choice { options } => {
                    (options.iter().map(|option| json!(option.option)).collect(), vec![json!("x"), json!(1)])
                }
                Kind::Number { minimum, maximum, nullable, .. } => {
                    let mut good = vec![json!(minimum), json!(maximum)];
                    let mut bad = vec![json!(i64::from(*minimum) - 1), json!(maximum + 1)];
                    if *nullable { &mut good } else { &mut bad }.push(Value::Null);
                    (good, bad)
                }
                Kind::Switch => (vec![json!(true), json!(false)], vec![json!("on"), Value::Null]),
                Kind::Text { .. } => (
                    vec![json!("half"), json!("1/3"), json!("99/100")],
                    vec![json!("3/2"), json!("0/2"), json!("1/101"), json!("third"), json!(2)],
                ),
            };
            for value in good {
                assert_eq!(super::value(&with(key, value.clone()).unwrap(), key), value, "{key}");
            }
            for value in bad {
                assert!(with(key, value.clone()).is_err(), "{key} {value}");
            }
        }
    }

    #[test]
    fn only_the_settings_that_differ_are_differences() {
        let common = HouseRules::default();
        assert!(differences(&common, &common).is_empty());
        let other = serde_json::from_value(json!({"partner": {"from": 8}, "cubes": "single"})).unwrap();
        let keys: Vec<&str> = differences(&common, &other).iter().map(|setting| setting.key).collect();
        assert_eq!(keys, ["cubes", "partner.from"]);
        assert_eq!(setting("no.such"), None);
        assert_eq!(value(&common, "no.such"), Value::Null);
    }

    #[test]
    fn a_setting_is_told_as_json() {
        let json = serde_json::to_value(setting("partner.from")).unwrap();
        let expected = json!({
            "key": "partner.from", "about": "From how many players on, the box counted.",
            "type": "number", "minimum": 3, "maximum": 20, "power_of_two": false, "nullable": false,
            "default": 6,
        });
        assert_eq!(json, expected);
    }
}
