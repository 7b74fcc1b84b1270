//! The club's own sets of house rules (Q14): their names, and the lookup by name among them and the presets
//! that come with the program.

use owlbox_base::text::{folded, one_line};
use owlbox_chouette::HouseRules;
use owlbox_chouette::rules::preset::preset;

/// The most rule sets of its own that a club can have.
pub const MOST_RULE_SETS: usize = 100;
/// A name that is taken by an address of the API.
const SCHEMA: &str = "schema";

owlbox_base::text!(
    /// The name of a club's set of house rules. Unique by its [`key`](Self::key), in the club and among the
    /// presets that come with the program.
    RuleSetName, "name", "1 to 60 visible characters on one line, no slash, not only dots", 60, set_name
);

/// Accepts a name that can stand in a URL path as one segment.
fn set_name(text: &str, longest: usize) -> Option<String> {
    one_line(text, longest)
        .filter(|name| !name.contains(['/', '\\']) && !name.chars().all(|character| character == '.'))
}

impl RuleSetName {
    /// The name [`folded`]: the same for names that differ only in case.
    #[must_use]
    pub fn key(&self) -> String {
        folded(&self.0)
    }

    /// Whether a preset or an address of the API has this name.
    #[must_use]
    pub fn is_reserved(&self) -> bool {
        self.key() == SCHEMA || preset(&self.key()).is_some()
    }
}

/// A named set of house rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet<'a> {
    /// The set's name; for a preset, its key.
    pub name: &'a str,
    /// Whether the set comes with the program.
    pub is_preset: bool,
    pub rules: &'a HouseRules,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_fits_on_one_line_and_into_an_address() {
        let long = "x".repeat(RuleSetName::MAX);
        for (text, name) in [(" Friday  rules ", "Friday rules"), ("v1.2", "v1.2"), (&long, &long)] {
            assert_eq!(text.parse::<RuleSetName>().unwrap().as_str(), name);
        }
        for bad in ["", "  ", "a/b", "a\\b", ".", "..", "a\0b", "a\u{202E}b", &format!("{long}x")] {
            assert!(bad.parse::<RuleSetName>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn the_programs_own_names_are_taken_in_any_letters() {
        for (name, reserved) in [("common", true), ("Los_Angeles", true), ("SCHEMA", true), ("Friday", false)]
        {
            assert_eq!(name.parse::<RuleSetName>().unwrap().is_reserved(), reserved, "{name}");
        }
    }
}
