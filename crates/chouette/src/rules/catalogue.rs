//! Every setting by its key, with its meaning: what the API explains the house rules with, and what pages
//! draw their forms from.
//!
//! Options and their sentences come from the documentation of the types, defaults from
//! [`HouseRules::default`]. What has no type of its own has its sentence here, and a test holds it to the
//! documentation of the field.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::rules::HouseRules;
use crate::rules::settings::{
    BoxRestraint, BoxRetention, BreakPlace, CaptainDrops, Consultation, Cubes, DecisionOrder, Declining,
    DoubleStandUp, ExtrasFrom, HeadsUp, Jacoby, LateDoubles, LaterAutomatics, LeavingMidGame, LoneTaker,
    Newcomer, Options, OrderDice, OtherGames, PartnerAfterLoss, PartnerOffer, PartnerRights, PartnerShare,
    PartnerWhen, PlayerCount, Settlements, SplitFrom, Stakes, TakersMoveUp,
};
use owlbox_engine::game::ClosedOut;
use owlbox_engine::{Animals, CubeValue, Variant};

/// A setting of the house rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HouseRuleSetting {
    /// Its key in the set, dotted if it is inside another: `cubes`, `partner.from`.
    #[cfg_attr(feature = "schema", schema(example = "partner.from"))]
    pub key: &'static str,
    /// What it is about, in a sentence.
    pub about: &'static str,
    #[serde(flatten)]
    pub kind: Kind,
    /// Its value in the default set.
    #[cfg_attr(feature = "schema", schema(value_type = Value))]
    pub default: SettingValue,
}

/// What a set has for one setting, as the set writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SettingValue {
    /// `null`: there is no such number, or no such setting.
    None,
    Switch(bool),
    Number(u64),
    /// The name of an option, or a text.
    Text(String),
}

impl SettingValue {
    fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// As somebody types it into a form: nothing for [`SettingValue::None`].
impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Switch(on) => on.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// The values that a setting can take.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = HouseRuleKind))]
pub enum Kind {
    /// One of several named options.
    Choice {
        /// The options, the default first.
        options: Vec<Choice>,
    },
    /// A whole number in a range.
    Number {
        /// The smallest number allowed.
        minimum: u32,
        /// The largest number allowed.
        maximum: u32,
        /// Whether it has to be a power of two.
        power_of_two: bool,
        /// Whether `null` is allowed, meaning none.
        nullable: bool,
    },
    /// A switch, `true` or `false`.
    Switch,
    /// A text that matches a pattern.
    Text {
        /// The regular expression that the text matches.
        pattern: &'static str,
    },
}

/// An option of a setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = HouseRuleOption))]
pub struct Choice {
    /// The option as the set writes it.
    #[cfg_attr(feature = "schema", schema(example = "one_per_member"))]
    pub option: String,
    /// What it means, in a sentence.
    pub about: &'static str,
}

static SETTINGS: LazyLock<Vec<HouseRuleSetting>> = LazyLock::new(every_setting);

/// Every setting, in the order of the set.
#[must_use]
pub fn settings() -> &'static [HouseRuleSetting] {
    &SETTINGS
}

/// The setting with this key.
#[must_use]
pub fn setting(key: &str) -> Option<&'static HouseRuleSetting> {
    settings().iter().find(|setting| setting.key == key)
}

/// The value in `rules` of the setting with this dotted key; none for a key that is not one.
#[must_use]
pub fn value(rules: &HouseRules, key: &str) -> SettingValue {
    let value = at(&serde_json::to_value(rules).unwrap_or_default(), key);
    serde_json::from_value(value).unwrap_or(SettingValue::None)
}

/// The value in `set` under the dotted key; null if there is none.
fn at(set: &Value, key: &str) -> Value {
    key.split('.').try_fold(set, |inside, part| inside.get(part)).cloned().unwrap_or_default()
}

/// A setting and the value that a set is to give it. The value may be impossible.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenValue {
    pub setting: &'static HouseRuleSetting,
    pub value: SettingValue,
}

/// The set in which each of these settings has the value given and all others have their default.
///
/// # Errors
/// The keys of the settings whose value is impossible. The set is not [checked](HouseRules::check) as a
/// whole.
pub fn assemble(chosen: &[ChosenValue]) -> Result<HouseRules, Vec<&'static str>> {
    let with = |set, chosen: &ChosenValue| put(set, chosen.setting.key, &chosen.value);
    serde_json::from_value(chosen.iter().fold(nothing(), with)).map_err(|_| {
        let is_impossible =
            |alone: &&ChosenValue| serde_json::from_value::<HouseRules>(with(nothing(), alone)).is_err();
        chosen.iter().filter(is_impossible).map(|chosen| chosen.setting.key).collect()
    })
}

fn nothing() -> Value {
    Value::Object(serde_json::Map::new())
}

/// `set` with the value under the dotted key replaced.
fn put(mut set: Value, key: &str, value: &SettingValue) -> Value {
    let mut inside = &mut set;
    for part in key.split('.') {
        inside = &mut inside[part];
    }
    *inside = serde_json::to_value(value).unwrap_or_default();
    set
}

impl HouseRuleSetting {
    /// What somebody typed or chose, as a value for the set. Impossible input stays text, which the set then
    /// refuses.
    #[must_use]
    pub fn read(&self, typed: &str) -> SettingValue {
        let typed = typed.trim();
        let text = || SettingValue::text(typed);
        match &self.kind {
            Kind::Number { nullable: true, .. } if typed.is_empty() => SettingValue::None,
            Kind::Number { .. } => typed.parse().map_or_else(|_| text(), SettingValue::Number),
            Kind::Switch => typed.parse().map_or_else(|_| text(), SettingValue::Switch),
            Kind::Choice { .. } | Kind::Text { .. } => text(),
        }
    }

    /// Every value that it can take, where these are few enough to choose from a list; none where one is
    /// typed.
    #[must_use]
    pub fn listed(&self) -> Option<Vec<SettingValue>> {
        match &self.kind {
            Kind::Choice { options } => {
                Some(options.iter().map(|option| SettingValue::text(&option.option)).collect())
            }
            Kind::Switch => Some([false, true].map(SettingValue::Switch).into()),
            Kind::Number { power_of_two: true, minimum, maximum, nullable } => {
                let powers = (0..u32::BITS).map(|power| 1_u32 << power);
                let allowed = powers.filter(|value| (minimum..=maximum).contains(&value));
                let none = nullable.then_some(SettingValue::None).into_iter();
                Some(none.chain(allowed.map(|value| SettingValue::Number(value.into()))).collect())
            }
            Kind::Number { power_of_two: false, .. } | Kind::Text { .. } => None,
        }
    }

    /// Whether it has any effect under these rules. Without partners, for example, the partner's share has
    /// none.
    #[must_use]
    pub fn matters(&self, rules: &HouseRules) -> bool {
        match self.key {
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
}

/// The settings that have an effect under these rules and another value in the common set.
#[must_use]
pub fn differences_in_force(rules: &HouseRules) -> Vec<&'static HouseRuleSetting> {
    let differing = differences(&HouseRules::default(), rules).into_iter();
    differing.filter(|setting| setting.matters(rules)).collect()
}

/// The settings in which the two sets differ.
#[must_use]
pub fn differences(one: &HouseRules, other: &HouseRules) -> Vec<&'static HouseRuleSetting> {
    let [one, other] = [one, other].map(|rules| serde_json::to_value(rules).unwrap_or_default());
    settings().iter().filter(|setting| at(&one, setting.key) != at(&other, setting.key)).collect()
}

fn every_setting() -> Vec<HouseRuleSetting> {
    let players = |key, about, nullable| {
        number(key, about, PlayerCount::MIN.into()..=PlayerCount::MAX.into(), nullable)
    };
    vec![
        choice::<Variant>("game.variant"),
        made(
            "game.strict_larger_die",
            "Whether nothing is played at all if only the smaller of two numbers can be (G8a).",
            Kind::Switch,
        ),
        choice::<ClosedOut>("game.closed_out"),
        choice::<OtherGames>("other_games"),
        choice::<OrderDice>("order.dice"),
        choice::<Cubes>("cubes"),
        choice::<BoxRetention>("box_retention"),
        choice::<DoubleStandUp>("double_stand_up"),
        choice::<Newcomer>("newcomer"),
        choice::<CaptainDrops>("captain_drops"),
        choice::<TakersMoveUp>("takers_move_up"),
        choice::<PartnerWhen>("partner.when"),
        players("partner.from", "From how many players on one may be made, the box counted.", false),
        players(
            "partner.second_from",
            "From how many players on there may be a second one; `null` for never.",
            true,
        ),
        choice::<PartnerOffer>("partner.offer"),
        made(
            "partner.share",
            "What part of the box's net a partner gets.",
            Kind::Text { pattern: PartnerShare::PATTERN },
        ),
        choice::<PartnerRights>("partner.rights"),
        choice::<PartnerAfterLoss>("partner.after_loss"),
        choice::<Consultation>("consultation"),
        choice::<DecisionOrder>("decision_order"),
        choice::<BoxRestraint>("box_restraint"),
        choice::<LateDoubles>("late_doubles"),
        choice::<Jacoby>("jacoby"),
        choice::<Animals>("animals"),
        choice::<LoneTaker>("lone_taker.rule"),
        players(
            "lone_taker.from",
            "From how many players on `must_drop` holds, alone or in `must_drop_or_extras`; box and partners count.",
            false,
        ),
        choice::<ExtrasFrom>("lone_taker.extras_from"),
        number(
            "automatics.at_most",
            "The most automatic doubles in a game; `null` for no limit.",
            0..=u8::MAX.into(),
            true,
        ),
        choice::<LaterAutomatics>("automatics.later"),
        made(
            "automatics.carry_over",
            "Whether ties that double nothing, by limit or cap, double the cubes of the next game, up to its limit.",
            Kind::Switch,
        ),
        made(
            "cube_cap",
            "The highest value a cube may reach (C10), if there is a cap.",
            Kind::Number { minimum: 1, maximum: CubeValue::MAX.get(), power_of_two: true, nullable: true },
        ),
        choice::<Settlements>("settlements"),
        choice::<Stakes>("stakes"),
        choice::<LeavingMidGame>("leaving.mid_game"),
        choice::<BreakPlace>("leaving.on_break"),
        choice::<Declining>("declining"),
        players(
            "table_size.at_most",
            "How many can play at the table; if more come, it is split after the game.",
            false,
        ),
        choice::<SplitFrom>("table_size.split"),
        choice::<HeadsUp>("heads_up"),
    ]
}

fn choice<T: Options>(key: &'static str) -> HouseRuleSetting {
    let named = |option: &T| match serde_json::to_value(option) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    };
    let options = T::OPTIONS.iter().map(|(option, about)| Choice { option: named(option), about }).collect();
    HouseRuleSetting { key, about: T::ABOUT, kind: Kind::Choice { options }, default: default(key) }
}

fn number(
    key: &'static str,
    about: &'static str,
    range: RangeInclusive<u32>,
    nullable: bool,
) -> HouseRuleSetting {
    let (minimum, maximum) = range.into_inner();
    made(key, about, Kind::Number { minimum, maximum, power_of_two: false, nullable })
}

/// A setting that has no type of its own to explain it.
fn made(key: &'static str, about: &'static str, kind: Kind) -> HouseRuleSetting {
    HouseRuleSetting { key, about, kind, default: default(key) }
}

fn default(key: &str) -> SettingValue {
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
                assert_eq!(SettingValue::text(&options[0].option), setting.default, "{}", setting.key);
                assert!(options.iter().all(|option| option.about.ends_with('.')), "{setting:?}");
            }
        }
    }

    #[test]
    fn q14_what_a_setting_can_be_is_accepted_and_nothing_else() {
        for HouseRuleSetting { key, kind, .. } in settings() {
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
                assert_eq!(json!(super::value(&with(key, value.clone()).unwrap(), key)), value, "{key}");
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
        assert_eq!(value(&common, "no.such"), SettingValue::None);
    }

    #[test]
    fn a_setting_of_what_is_not_played_is_no_difference_in_force() {
        let read = |set: Value| serde_json::from_value::<HouseRules>(set).unwrap();
        let differing = |set: Value| -> Vec<&str> {
            differences_in_force(&read(set)).iter().map(|setting| setting.key).collect()
        };
        assert!(differing(json!({})).is_empty());
        assert_eq!(differing(json!({"partner": {"from": 8}, "cubes": "single"})), ["cubes"]);
        assert_eq!(
            differing(json!({"partner": {"when": "optional", "from": 8}})),
            ["partner.when", "partner.from"]
        );
        assert_eq!(
            differing(json!({"automatics": {"at_most": 0, "carry_over": true}})),
            ["automatics.at_most"]
        );
        for (rule, from, extras_from) in [
            ("must_drop", true, false),
            ("extras", false, true),
            ("extras_or_drop", false, true),
            ("must_drop_or_extras", true, true),
        ] {
            let rules = read(json!({"lone_taker": {"rule": rule}}));
            let matters = |key| setting(key).unwrap().matters(&rules);
            assert_eq!([matters("lone_taker.from"), matters("lone_taker.extras_from")], [from, extras_from]);
        }
    }

    #[test]
    fn a_list_has_every_value_that_a_setting_can_take() {
        let listed = |key| -> Option<Vec<String>> {
            Some(setting(key).unwrap().listed()?.iter().map(ToString::to_string).collect())
        };
        assert_eq!(listed("automatics.carry_over").unwrap(), ["false", "true"]);
        assert_eq!(listed("game.variant").unwrap()[0], "standard");
        let caps = listed("cube_cap").unwrap();
        assert_eq!(caps[..3], ["", "1", "2"]);
        assert_eq!(*caps.last().unwrap(), CubeValue::MAX.get().to_string());
        for typed in ["partner.from", "automatics.at_most", "partner.share"] {
            assert_eq!(listed(typed), None, "{typed}");
        }
        for setting in settings() {
            for value in setting.listed().unwrap_or_default() {
                assert_eq!(setting.read(&value.to_string()), value, "{}", setting.key);
                assert!(assemble(&[ChosenValue { setting, value }]).is_ok(), "{}", setting.key);
            }
        }
    }

    #[test]
    fn what_was_typed_becomes_a_set_or_names_the_settings_at_fault() {
        let chosen = |typed: &[(&str, &str)]| -> Vec<ChosenValue> {
            let chosen = |(key, typed): &(&str, &str)| {
                let setting = setting(key).unwrap();
                ChosenValue { setting, value: setting.read(typed) }
            };
            typed.iter().map(chosen).collect()
        };
        let typed = [
            ("cubes", "single"),
            ("partner.from", " 8 "),
            ("partner.second_from", ""),
            ("partner.share", "1/3"),
            ("automatics.at_most", ""),
            ("automatics.carry_over", "true"),
        ];
        let rules = assemble(&chosen(&typed)).unwrap();
        let expected = json!({
            "cubes": "single", "partner": {"from": 8, "share": "1/3"},
            "automatics": {"at_most": null, "carry_over": true},
        });
        assert_eq!(rules, serde_json::from_value(expected).unwrap());
        assert_eq!(assemble(&[]), Ok(HouseRules::default()));

        let bad = [("cubes", "two"), ("partner.from", "2"), ("cube_cap", "lots"), ("jacoby", "off")];
        assert_eq!(assemble(&chosen(&bad)), Err(vec!["cubes", "partner.from", "cube_cap"]));
    }

    #[test]
    fn every_set_is_its_settings() {
        for preset in crate::rules::preset::presets() {
            let values = settings()
                .iter()
                .map(|setting| ChosenValue { setting, value: super::value(&preset.rules, setting.key) });
            assert_eq!(assemble(&values.collect::<Vec<_>>()).as_ref(), Ok(&preset.rules));
        }
    }

    /// The rows of the table in `docs/house-rules.md`: key, option, meaning.
    fn rows() -> Vec<[String; 3]> {
        let of = |setting: &HouseRuleSetting| {
            let about = [format!("`{}`", setting.key), String::new(), setting.about.to_owned()];
            let options = match &setting.kind {
                Kind::Choice { options } => options
                    .iter()
                    .map(|option| (format!("`{}`", option.option), option.about.to_owned()))
                    .collect(),
                Kind::Number { minimum, maximum, power_of_two, nullable } => {
                    let none = if *nullable { "`null`, or " } else { "" };
                    let power = if *power_of_two { "a power of two from " } else { "" };
                    let default = format!("By default `{}`.", json!(setting.default));
                    vec![(format!("{none}{power}{minimum} to {maximum}"), default)]
                }
                Kind::Switch => {
                    vec![(
                        "`false` or `true`".to_owned(),
                        format!("By default `{}`.", json!(setting.default)),
                    )]
                }
                Kind::Text { .. } => {
                    vec![("`half` or a fraction".to_owned(), "By default `half`.".to_owned())]
                }
            };
            let options = options.into_iter().map(|(option, about)| [String::new(), option, about]);
            std::iter::once(about).chain(options).collect::<Vec<_>>()
        };
        settings().iter().flat_map(of).collect()
    }

    fn table() -> String {
        let mut text = String::from("| key | option, the default first | what it says |\n|---|---|---|\n");
        for [name, option, about] in rows() {
            text += &format!("| {name} | {option} | {about} |\n");
        }
        text + "\n"
    }

    #[test]
    fn the_printed_table_is_this_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/house-rules.md");
        let (begins, ends) = ("<!-- house rules -->\n\n", "<!-- end of house rules -->");
        let mut printed = std::fs::read_to_string(path).unwrap();
        let from = printed.find(begins).unwrap() + begins.len();
        let to = printed.find(ends).unwrap();
        let now = table();
        if std::env::var_os("OWLBOX_BLESS").is_some_and(|value| value == "1") {
            printed.replace_range(from..to, &now);
            std::fs::write(path, &printed).unwrap();
        } else {
            assert_eq!(&printed[from..to], now, "run this test again with OWLBOX_BLESS=1");
        }
    }

    #[test]
    fn a_setting_is_told_as_json() {
        let json = serde_json::to_value(setting("partner.from")).unwrap();
        let expected = json!({
            "key": "partner.from", "about": "From how many players on one may be made, the box counted.",
            "type": "number", "minimum": 3, "maximum": 20, "power_of_two": false, "nullable": false,
            "default": 6,
        });
        assert_eq!(json, expected);
    }
}
