//! Setting by setting and option by option: the same script under the default and under the option, and how
//! the two nights differ.

mod answers;
mod cubes;
mod game;
mod partner;
mod people;
mod rotation;

use std::process::Command;

use serde_json::{Value, json};

use super::{Night, letters};
use crate::rules::HouseRules;
use crate::rules::catalogue::{self, Kind};

/// A setting with an option other than its default, perhaps together with other settings, and a table of
/// these players.
struct Setting {
    rules: [HouseRules; 2],
    players: &'static str,
    dice: &'static [u32],
}

fn setting(key: &str, option: impl Into<Value>) -> Setting {
    beside(&[], key, option)
}

/// The setting with others that are not at their default either, under both of its options.
fn beside(others: &[(&str, Value)], key: &str, option: impl Into<Value>) -> Setting {
    let mut set = serde_json::to_value(HouseRules::default()).unwrap();
    let mut say = |key: &str, value: Value| {
        *set.pointer_mut(&format!("/{}", key.replace('.', "/"))).unwrap() = value;
        serde_json::from_value::<HouseRules>(set.clone()).unwrap()
    };
    let mut default = HouseRules::default();
    for (other, value) in others {
        assert_ne!(*other, key);
        default = say(other, value.clone());
    }
    let rules = [default, say(key, option.into())];
    let different: Vec<&str> =
        catalogue::differences(&rules[0], &rules[1]).iter().map(|found| found.key).collect();
    assert_eq!(different, [key]);
    assert_eq!(rules[1].check(), Ok(()));
    Setting { rules, players: "ABC", dice: &[] }
}

impl Setting {
    /// Seats these players in this order: box, captain, crew.
    const fn between(mut self, players: &'static str) -> Self {
        self.players = players;
        self
    }

    const fn drawing(mut self, dice: &'static [u32]) -> Self {
        self.dice = dice;
        self
    }

    /// What `look` sees after the script, under the default and under the option.
    fn look<T>(
        &self,
        begin: fn(&str, HouseRules) -> Night,
        script: &str,
        look: fn(&Night, String) -> T,
    ) -> [T; 2] {
        self.rules.clone().map(|rules| {
            let mut night = begin(self.players, rules);
            night.dice.0.extend(self.dice);
            let told = night.tell(script);
            look(&night, told)
        })
    }

    /// With the line standing, checks the outcome of the script under the default and under the option.
    #[track_caller]
    fn comes_to(&self, script: &str, default: &str, option: &str) {
        let told = self.look(Night::seated_under, script, |_, told| told);
        assert_eq!(told, [default, option]);
    }

    /// The same with nobody having rolled for the order yet.
    #[track_caller]
    fn orders(&self, script: &str, default: &str, option: &str) {
        let gathered = |players: &str, rules| {
            let mut night = Night::opened(rules);
            night.all_join(players);
            night
        };
        assert_eq!(self.look(gathered, script, |_, told| told), [default, option]);
    }

    /// Checks who may advise after the script.
    #[track_caller]
    fn advise(&self, script: &str, default: &str, option: &str) {
        let advise = |night: &Night, _| letters(&night.state().may_consult());
        assert_eq!(self.look(Night::playing_under, script, advise), [default, option]);
    }
}

/// The names of all tests, as the test program lists them itself.
fn tests() -> String {
    let listed =
        Command::new(std::env::current_exe().unwrap()).args(["--list", "--format", "terse"]).output();
    String::from_utf8(listed.unwrap().stdout).unwrap()
}

/// Every option other than the default has its test here, and every setting that is a number or a text has
/// one.
/// Proves Q14.
#[test]
fn every_option_has_its_night() {
    let tests = tests();
    for setting in catalogue::settings() {
        let key = setting.key.replace('.', "_");
        let options: Vec<String> = match &setting.kind {
            Kind::Choice { options } if options.len() == 1 => vec![format!("_{}", options[0].option)],
            Kind::Choice { options } => {
                let others = options.iter().filter(|option| json!(option.option) != json!(setting.default));
                others.map(|option| format!("_{}", option.option)).collect()
            }
            _ => vec![String::new()],
        };
        for option in options {
            assert!(tests.contains(&format!("::setting_{key}{option}")), "setting_{key}{option}");
        }
    }
}
