//! The sets of house rules that come with the program: one file each in `config/house_rules/`.
//!
//! Each file says in its head what it rests on. The common set states every setting; what another does not,
//! the common set decides, so that a new setting is written once. Names and descriptions for readers are left
//! to the pages.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::rules::HouseRules;

/// A set of house rules that comes with the program.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// Its stable name, like `common` or `los_angeles`.
    #[serde(rename = "name")]
    pub key: String,
    pub rules: HouseRules,
}

/// The name of the set used if none is chosen: every setting has its default.
pub const COMMON: &str = "common";

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/house_rules/", $name, ".toml")))),*]
    };
}

/// The files, in the order in which the sets are shown.
const FILES: [(&str, &str); 7] =
    files!("common", "single_cube", "rulebook", "rulebook_single_cube", "los_angeles", "atlanta", "tavli");

// A file that cannot be read is left out; a test finds it before a club does.
static PRESETS: LazyLock<Vec<Preset>> =
    LazyLock::new(|| FILES.iter().filter_map(|(_, text)| read(text).ok()).collect());

/// Reads a file by way of JSON, for which all readers of house rules are compiled anyway: readers of TOML
/// would be a twentieth of the crate.
fn read(file: &str) -> Result<Preset, String> {
    let preset = toml::from_str::<serde_json::Value>(file).map_err(|error| error.to_string())?;
    serde_json::from_value(preset).map_err(|error| error.to_string())
}

/// Every set, the common one first.
#[must_use]
pub fn presets() -> &'static [Preset] {
    &PRESETS
}

/// The set with this name, upper or lower case.
#[must_use]
pub fn preset(key: &str) -> Option<&'static Preset> {
    presets().iter().find(|preset| preset.key.eq_ignore_ascii_case(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::catalogue::{SettingValue, differences, settings};
    use crate::rules::{BoxRetention, CaptainDrops, Cubes, LoneTaker, PartnerWhen};
    use owlbox_engine::Variant;

    #[test]
    fn q14_every_preset_can_be_played_and_no_two_are_the_same() {
        for (name, text) in FILES {
            let read = read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(read.key, name);
            assert_eq!(read.rules.check(), Ok(()), "{name}");
        }
        assert_eq!(presets().len(), FILES.len());
        for (at, one) in presets().iter().enumerate() {
            for other in &presets()[at + 1..] {
                assert_ne!(one.rules, other.rules, "{} and {}", one.key, other.key);
            }
        }
    }

    #[test]
    fn the_common_set_says_every_setting() {
        let (name, text) = FILES[0];
        assert_eq!(name, COMMON);
        let written: toml::Table = toml::from_str(text).unwrap();
        for setting in settings().iter().filter(|setting| setting.default != SettingValue::None) {
            let rules = written.get("rules").unwrap();
            let said = setting.key.split('.').try_fold(rules, |inside, part| inside.get(part));
            assert!(said.is_some(), "{} is not said", setting.key);
        }
    }

    #[test]
    fn the_common_set_is_what_is_played_if_nothing_is_said() {
        assert_eq!(preset(COMMON).unwrap().rules, HouseRules::default());
        assert_eq!(presets()[0].key, COMMON);
        assert_eq!(preset("Common"), preset("common"));
        assert_eq!(preset("no such"), None);
    }

    #[test]
    fn what_distinguishes_each_preset_is_there() {
        let rules = |key: &str| &preset(key).unwrap().rules;
        let single = rules("single_cube");
        let keys: Vec<&str> = differences(rules(COMMON), single).iter().map(|setting| setting.key).collect();
        assert_eq!(keys, ["cubes"]);
        // Q7, Q8.
        let floor = rules("rulebook_single_cube");
        assert_eq!((floor.cubes, floor.captain_drops), (Cubes::Single, CaptainDrops::Becomes));
        // Q12, and nothing that the rulebook calls an option.
        let floor = rules("rulebook");
        assert_eq!((floor.cubes, floor.box_retention), (Cubes::OnePerMember, BoxRetention::OriginalCaptain));
        assert_eq!((floor.partner.when, floor.automatics.at_most), (PartnerWhen::Off, Some(0)));
        let los_angeles = rules("los_angeles");
        assert_eq!(los_angeles.box_retention, BoxRetention::Composite);
        assert_eq!(los_angeles.lone_taker.rule, LoneTaker::ExtrasOrDrop);
        assert_eq!(rules("atlanta").order.dice.dice(), 2);
        // V4: every variant can be started, including the two without a cube.
        assert_eq!(rules("tavli").variants().len(), Variant::ALL.len());
        assert_eq!(rules("tavli").game.variant, Variant::Plakoto);
    }
}
