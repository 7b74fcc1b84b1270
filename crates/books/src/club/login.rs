//! Logins: the name under which somebody signs in.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use owlbox_base::text::{folded, one_line};
use owlbox_base::values::InvalidValue;

/// The most logins a club can have, deactivated ones included.
pub const MOST_ACCOUNTS: usize = 20_000;

/// A login as it was chosen: 3 to 64 visible characters on one line. No two differ only in upper and lower
/// case.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", schema(value_type = String, min_length = 3, max_length = 64, example = "maria"))]
pub struct Login(String);

impl Login {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The login [`folded`], as names are. Two accounts never share a key.
    #[must_use]
    pub fn key(&self) -> String {
        folded(&self.0)
    }
}

impl FromStr for Login {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        one_line(text, 64)
            .filter(|login| login.chars().count() >= 3)
            .map(Self)
            .ok_or(InvalidValue { what: "login", allowed: "3 to 64 visible characters on one line" })
    }
}
impl TryFrom<String> for Login {
    type Error = InvalidValue;
    fn try_from(text: String) -> Result<Self, InvalidValue> {
        text.parse()
    }
}
impl From<Login> for String {
    fn from(login: Login) -> Self {
        login.0
    }
}
impl fmt::Display for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_a_short_tidy_line_known_however_it_is_typed() {
        let login: Login = "  Maria  Rossi ".parse().unwrap();
        assert_eq!(login.as_str(), "Maria Rossi");
        assert_eq!(login.key(), "MARIA rossi".parse::<Login>().unwrap().key());
        assert!("x".repeat(64).parse::<Login>().is_ok());
        for bad in ["", "ab", "  ab  ", "a\u{7}b c", &"x".repeat(65)] {
            assert_eq!(bad.parse::<Login>().unwrap_err().what, "login", "{bad:?}");
        }
    }
}
