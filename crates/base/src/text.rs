//! Free text, checked on the way in: tidy lines, without characters that deceive the eye. And how names are
//! compared and found, however they are typed.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::values::is_deceptive;

/// Characters that no text may contain, for use inside the brackets of a pattern: the deceptive ones, and the
/// control characters that are not white space.
macro_rules! hidden {
    () => {
        r"\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    };
}

/// White space, for use inside the brackets of a pattern.
macro_rules! blank {
    () => {
        r"\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
    };
}

/// One line: trimmed, white space collapsed to single spaces, NFC, 1 to `longest` characters, no control or
/// [deceptive](is_deceptive) characters. `None` if the text cannot be made so.
#[must_use]
pub fn one_line(text: &str, longest: usize) -> Option<String> {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ").nfc().collect();
    let fits = !line.is_empty() && line.chars().count() <= longest;
    let clean = !line.chars().any(|c| c.is_control() || is_deceptive(c));
    (fits && clean).then_some(line)
}

/// Several lines: trimmed, NFC, 1 to `longest` characters, no [deceptive](is_deceptive) characters and no
/// control characters but line feed and tab. `None` if the text cannot be made so.
#[must_use]
pub fn lines(text: &str, longest: usize) -> Option<String> {
    let text: String = text.replace("\r\n", "\n").trim().nfc().collect();
    let fits = !text.is_empty() && text.chars().count() <= longest;
    let clean = !text.chars().any(|c| (c.is_control() && c != '\n' && c != '\t') || is_deceptive(c));
    (fits && clean).then_some(text)
}

/// The form in which two names are compared: case folded (by way of upper case, so that ß and ss meet), NFC,
/// invisible joiners left out. Search text goes through it too and may be anything, so NUL, which PostgreSQL
/// does not accept, is replaced by a character that no name contains.
#[must_use]
pub fn folded(name: &str) -> String {
    let visible = name.chars().filter(|c| !matches!(c, '\u{200C}' | '\u{200D}' | '\u{00AD}'));
    let folded = visible
        .map(|c| if c == '\0' { '\u{FFFD}' } else { c })
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase);
    folded.nfc().collect()
}

/// The form in which names and search text are matched: [`folded`], with every letter reduced to the plain
/// one on a keyboard, so that `soren` finds `Søren`. Not a key: names that differ only in marks are different
/// names.
#[must_use]
pub fn sought(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in folded(text.trim()).nfd().filter(|c| !is_combining_mark(*c)) {
        match letter {
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'đ' | 'ð' => plain.push('d'),
            'ħ' => plain.push('h'),
            'ŧ' => plain.push('t'),
            'ı' => plain.push('i'),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'þ' => plain.push_str("th"),
            other => plain.push(other),
        }
    }
    plain
}

/// Whether no character of a text was lost on its way: U+FFFD is what a program writes for bytes that it
/// cannot read. No text is given with it from now on, but what was stored with it is still read.
#[must_use]
pub fn is_whole(text: &str) -> bool {
    !text.contains(char::REPLACEMENT_CHARACTER)
}

/// What [`one_line`] accepts, except for the length, as a JSON Schema pattern: at least one visible character
/// and none that is refused. The tags beyond the basic plane are left out, because validators disagree on how
/// a pattern names them.
pub const ONE_LINE: &str = concat!("^[^", hidden!(), "]*[^", hidden!(), blank!(), "][^", hidden!(), "]*$");

/// What [`lines`] accepts, except for the length, as a JSON Schema pattern.
pub const LINES: &str = concat!(
    "^[^",
    hidden!(),
    r"\u000b-\u000d\u0085]*[^",
    hidden!(),
    blank!(),
    "][^",
    hidden!(),
    r"\u000b-\u000d\u0085]*$"
);

/// What a login accepts: as [`ONE_LINE`], with at least three characters, the first and the last of them
/// visible.
pub const LOGIN: &str = concat!(
    "^[",
    blank!(),
    "]*[^",
    hidden!(),
    blank!(),
    "][^",
    hidden!(),
    "]+[^",
    hidden!(),
    blank!(),
    "][",
    blank!(),
    "]*$"
);

/// Defines a checked text: `$check` tidies and accepts it; otherwise it is refused as `$what` with
/// `$allowed`.
#[macro_export]
macro_rules! text {
    ($(#[$doc:meta])* $name:ident, $what:literal, $allowed:literal, $longest:tt, $check:path) => {
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        $(#[$doc])*
        #[serde(try_from = "String", into = "String")]
        #[cfg_attr(feature = "schema", schema(value_type = String, min_length = 1, max_length = $longest))]
        pub struct $name(String);

        impl $name {
            /// The maximum length, in characters.
            pub const MAX: usize = $longest;

            /// The text in its tidied form.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
        impl std::str::FromStr for $name {
            type Err = $crate::values::InvalidValue;
            /// A text that somebody gives: in it no character was lost.
            fn from_str(text: &str) -> Result<Self, $crate::values::InvalidValue> {
                let whole = Some(text).filter(|text| $crate::text::is_whole(text));
                let checked = whole.and_then(|text| $check(text, $longest)).map(Self);
                checked.ok_or($crate::values::InvalidValue { what: $what, allowed: $allowed })
            }
        }
        impl TryFrom<String> for $name {
            type Error = $crate::values::InvalidValue;
            /// Also a text that was stored: older ones may have lost characters.
            fn try_from(text: String) -> Result<Self, $crate::values::InvalidValue> {
                let checked = $check(&text, $longest).map(Self);
                checked.ok_or($crate::values::InvalidValue { what: $what, allowed: $allowed })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_what_is_between_them_and_lose_what_is_around_them() {
        assert_eq!(lines(" a\r\n\tb \n", 5).as_deref(), Some("a\n\tb"));
        for refused in ["", " \n", "a\rb", "a\0b", "sixsix"] {
            assert_eq!(lines(refused, 5), None, "{refused:?}");
        }
    }

    #[test]
    fn a_name_is_found_without_the_marks_of_its_letters() {
        for (name, typed) in [
            ("Søren Ægir", "soren aegir"),
            ("Łukasz Żółć", "lukasz zolc"),
            ("Þórður", "thordur"),
            ("Zoë", "ZOE\u{308}"),
            ("Groß", "gross"),
            ("Işık", "isik"),
        ] {
            assert_eq!(sought(name), sought(typed), "{name}");
        }
        assert_ne!(sought("Rossi"), sought("Russi"));
    }
}
