//! The short name of a club among many.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The name by which a service of many clubs knows one: the first label of its host name, the file's name in
/// the folder, the end of the schema's name. 1 to 40 of `a` to `z`, `0` to `9` and single hyphens, beginning
/// with a letter and not ending with a hyphen. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClubLabel(Arc<str>);

/// The text is not a [`ClubLabel`]; the message says what is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("1 to 40 of a to z, 0 to 9 and single hyphens, beginning with a letter and not ending with a hyphen")]
pub struct NotALabel;

const LONGEST: usize = 40;

impl ClubLabel {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ClubLabel {
    type Err = NotALabel;

    fn from_str(text: &str) -> Result<Self, NotALabel> {
        let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        let fits = text.len() <= LONGEST
            && text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.chars().all(plain)
            && !text.ends_with('-')
            // Nobody reads "xn--..." as what it stands for.
            && !text.contains("--");
        if fits { Ok(Self(text.into())) } else { Err(NotALabel) }
    }
}

impl fmt::Display for ClubLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_safe_as_a_host_a_file_and_a_schema() {
        for good in ["lugano", "a", "ge-2", "bern-ost-1", &"a".repeat(40)] {
            assert_eq!(good.parse::<ClubLabel>().unwrap().as_str(), good);
        }
        let long = "a".repeat(41);
        for bad in
            ["", "-a", "a-", "A", "2a", "a--b", "xn--a", "a.b", "a/b", "..", "a_b", "ä", "a b", "a\0", &long]
        {
            assert_eq!(bad.parse::<ClubLabel>(), Err(NotALabel), "{bad}");
        }
    }
}
