//! Text as people type it, checked where it enters: tidy lines without characters that deceive the eye.

use unicode_normalization::UnicodeNormalization;

use crate::values::is_deceptive;

/// One line: trimmed, white space collapsed to single spaces, NFC, 1 to `longest` characters, none
/// of them a control character.
#[must_use]
pub fn one_line(text: &str, longest: usize) -> Option<String> {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ").nfc().collect();
    let fits = !line.is_empty() && line.chars().count() <= longest;
    let clean = !line.chars().any(|c| c.is_control() || is_deceptive(c));
    (fits && clean).then_some(line)
}

/// Several lines: trimmed, NFC, 1 to `longest` characters, no control character but line feed and tab.
#[must_use]
pub fn lines(text: &str, longest: usize) -> Option<String> {
    let text: String = text.replace("\r\n", "\n").trim().nfc().collect();
    let fits = !text.is_empty() && text.chars().count() <= longest;
    let clean = !text.chars().any(|c| (c.is_control() && c != '\n' && c != '\t') || is_deceptive(c));
    (fits && clean).then_some(text)
}

/// Makes a checked text: parsed by `$check`, otherwise refused as `$what` with `$allowed`.
macro_rules! text {
    ($(#[$doc:meta])* $name:ident, $what:literal, $allowed:literal, $longest:tt, $check:path) => {
        #[derive(
            Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
        )]
        $(#[$doc])*
        #[serde(try_from = "String", into = "String")]
        #[schema(value_type = String, min_length = 1, max_length = $longest)]
        pub struct $name(String);

        impl $name {
            /// The most characters it can have.
            pub const MAX: usize = $longest;

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
        impl std::str::FromStr for $name {
            type Err = $crate::values::InvalidValue;
            fn from_str(text: &str) -> Result<Self, $crate::values::InvalidValue> {
                $check(text, $longest).map(Self).ok_or($crate::values::InvalidValue { what: $what, allowed: $allowed })
            }
        }
        impl TryFrom<String> for $name {
            type Error = $crate::values::InvalidValue;
            fn try_from(text: String) -> Result<Self, $crate::values::InvalidValue> {
                text.parse()
            }
        }
        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.0, f)
            }
        }
    };
}

pub(crate) use text;
