//! What the club knows of a person: names and other details, each checked where it is made.
//!
//! These details are a plain record, changed in place and erasable. The journal's events hold ids and say
//! *which* fields changed, never to what, so a person can be erased while the journal stays whole.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

use super::bank::Iban;
use owlbox_base::text::{folded, lines, one_line};
use owlbox_base::values::{InvalidValue, PlayerId};

owlbox_base::text!(
    /// A player's name as the club writes it. No two differ only in upper and lower case.
    PlayerName, "name", "1 to 60 visible characters on one line", 60, one_line
);
owlbox_base::text!(
    /// A player's name at the table.
    Nickname, "nickname", "1 to 30 visible characters on one line", 30, one_line
);
owlbox_base::text!(
    /// The name of a club: this one's, or the one a player comes from.
    ClubName, "club", "1 to 80 visible characters on one line", 80, one_line
);
owlbox_base::text!(
    /// How to reach a player: a telephone number, an address, whatever the club writes down.
    Contact, "contact", "1 to 200 visible characters on one line", 200, one_line
);
owlbox_base::text!(
    /// Anything else the club wants to remember about a player.
    Notes, "notes", "1 to 2000 characters, lines allowed", 2000, lines
);

/// The most players a club can have, deactivated ones included.
pub const MOST_PLAYERS: usize = 100_000;

/// What a list calls somebody whom it does not name.
pub const UNNAMED: &str = "N.N.";

impl PlayerName {
    /// What an erased player is called: as a list calls somebody whom it does not [name](UNNAMED), and the
    /// end of their id, so that two stay two.
    #[must_use]
    pub fn pseudonym(player: PlayerId) -> Self {
        let id = player.0.simple().to_string();
        Self(format!("{UNNAMED} {}", id.get(24..).unwrap_or_default()))
    }

    /// Whether it reads like the [pseudonym](Self::pseudonym) of somebody.
    #[must_use]
    pub fn is_pseudonym(&self) -> bool {
        let id = self.key().strip_prefix("n.n. ").map(str::to_owned);
        id.is_some_and(|id| id.len() == 8 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
    }

    /// The name [`folded`]. Two players never share a key.
    #[must_use]
    pub fn key(&self) -> String {
        folded(&self.0)
    }
}

impl ClubName {
    /// The name of a club that has not chosen one.
    pub(super) fn owlbox() -> Self {
        Self("Owlbox club".to_owned())
    }
}

/// A country: an ISO 3166-1 code of two capital letters, like `IT`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", schema(value_type = String, example = "IT", pattern = "^[A-Z]{2}$"))]
pub struct Country([u8; 2]);

impl Country {
    /// The code, two capital letters.
    #[must_use]
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("??")
    }
}
impl FromStr for Country {
    type Err = InvalidValue;
    fn from_str(code: &str) -> Result<Self, InvalidValue> {
        match code.as_bytes() {
            &[a, b] if a.is_ascii_uppercase() && b.is_ascii_uppercase() => Ok(Self([a, b])),
            _ => Err(InvalidValue { what: "country", allowed: "two capital letters (ISO 3166), like IT" }),
        }
    }
}
impl TryFrom<String> for Country {
    type Error = InvalidValue;
    fn try_from(code: String) -> Result<Self, InvalidValue> {
        code.parse()
    }
}
impl From<Country> for String {
    fn from(country: Country) -> Self {
        country.code().to_owned()
    }
}
impl fmt::Display for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
impl fmt::Debug for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Everything the club knows of a person. Only the name is required.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PlayerDetails {
    /// The name, unique in the club.
    #[cfg_attr(feature = "schema", schema(example = "Mario Rossi"))]
    pub name: PlayerName,
    /// What the others call them.
    #[serde(default)]
    pub nickname: Option<Nickname>,
    /// The country the player represents.
    #[serde(default)]
    pub country: Option<Country>,
    /// The club the player comes from.
    #[serde(default)]
    pub club: Option<ClubName>,
    /// How to reach the player. Not shown to other players.
    #[serde(default)]
    pub contact: Option<Contact>,
    /// Anything else to remember. Not shown to players.
    #[serde(default)]
    pub notes: Option<Notes>,
    /// Their account at a bank. Shown to anyone who owes them money.
    #[serde(default)]
    pub iban: Option<Iban>,
}

impl PlayerDetails {
    /// The details of a person of whom only the name is known.
    #[must_use]
    pub const fn named(name: PlayerName) -> Self {
        Self { name, nickname: None, country: None, club: None, contact: None, notes: None, iban: None }
    }
}

/// A field of [`PlayerDetails`], as events name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are the fields of PlayerDetails")]
pub enum DetailField {
    Name,
    Nickname,
    Country,
    Club,
    Contact,
    Notes,
    Iban,
}

impl DetailField {
    /// Whether players keep it up themselves. The name is as the club writes it, and the notes are its own.
    #[must_use]
    pub const fn is_kept_by_oneself(self) -> bool {
        match self {
            Self::Nickname | Self::Country | Self::Club | Self::Contact | Self::Iban => true,
            Self::Name | Self::Notes => false,
        }
    }
}

/// A change to an optional detail: in JSON the field is absent, `null`, or the new value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// The detail stays as it is.
    #[default]
    Keep,
    /// The detail is no longer known.
    Clear,
    /// The detail has this value from now on.
    Set(T),
}

impl<T> Change<T> {
    const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }
}
impl<T> Change<T> {
    /// What is known of the detail after the change.
    pub fn onto(self, detail: Option<T>) -> Option<T> {
        match self {
            Self::Keep => detail,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }
}
impl<T: PartialEq + Clone> Change<T> {
    /// Applies the change and returns whether the detail is different now.
    fn carry_out(self, detail: &mut Option<T>) -> bool {
        let new = self.onto(detail.clone());
        let different = *detail != new;
        *detail = new;
        different
    }
}
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Change<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // An absent field never gets here: it takes the default.
        Option::deserialize(deserializer).map(|value| value.map_or(Self::Clear, Self::Set))
    }
}
impl<T: Serialize> Serialize for Change<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keep | Self::Clear => serializer.serialize_none(),
            Self::Set(value) => serializer.serialize_some(value),
        }
    }
}

/// A change to some details. An absent field stays as it is, `null` clears it; the name cannot be cleared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct PlayerDetailsChange {
    /// The new name.
    #[serde(deserialize_with = "never_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = String, required = false))]
    pub name: Option<PlayerName>,
    #[serde(skip_serializing_if = "Change::is_keep")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Nickname>))]
    pub nickname: Change<Nickname>,
    #[serde(skip_serializing_if = "Change::is_keep")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Country>))]
    pub country: Change<Country>,
    #[serde(skip_serializing_if = "Change::is_keep")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<ClubName>))]
    pub club: Change<ClubName>,
    #[serde(skip_serializing_if = "Change::is_keep")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Contact>))]
    pub contact: Change<Contact>,
    #[serde(skip_serializing_if = "Change::is_keep")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Notes>))]
    pub notes: Change<Notes>,
    #[serde(skip_serializing_if = "Change::is_keep")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Iban>))]
    pub iban: Change<Iban>,
}

/// Refuses `null` for a field that may only be absent.
fn never_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PlayerName>, D::Error> {
    PlayerName::deserialize(deserializer).map(Some)
}

impl PlayerDetailsChange {
    /// Whether it is about nothing but what players [keep up themselves](DetailField::is_kept_by_oneself).
    #[must_use]
    pub const fn is_of_oneself(&self) -> bool {
        self.name.is_none() && self.notes.is_keep()
    }

    /// Applies the change to `details` and returns the fields that are different now, in order; empty if
    /// nothing changed.
    pub fn carry_out(self, details: &mut PlayerDetails) -> Vec<DetailField> {
        let renamed = self.name.is_some_and(|name| {
            let different = details.name != name;
            details.name = name;
            different
        });
        let changed = [
            (renamed, DetailField::Name),
            (self.nickname.carry_out(&mut details.nickname), DetailField::Nickname),
            (self.country.carry_out(&mut details.country), DetailField::Country),
            (self.club.carry_out(&mut details.club), DetailField::Club),
            (self.contact.carry_out(&mut details.contact), DetailField::Contact),
            (self.notes.carry_out(&mut details.notes), DetailField::Notes),
            (self.iban.carry_out(&mut details.iban), DetailField::Iban),
        ];
        changed.into_iter().filter_map(|(different, field)| different.then_some(field)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(text: &str) -> PlayerName {
        text.parse().unwrap()
    }

    #[test]
    fn a_name_is_one_tidy_line() {
        assert_eq!(name("  Mario \t\n Rossi ").as_str(), "Mario Rossi");
        assert_eq!(name("Ame\u{0301}lie").as_str(), "Am\u{e9}lie", "NFC");
        assert_eq!(name(&"é".repeat(60)).as_str().chars().count(), 60);
        let bell = "Mario\u{7}";
        let turned = "Mario\u{202E}issoR";
        let hidden = "Mario\u{200B}";
        for bad in ["", "   ", "\n", bell, turned, hidden, &"x".repeat(61)] {
            let refused = bad.parse::<PlayerName>().unwrap_err();
            assert_eq!(refused.what, "name", "{bad:?}");
        }
    }

    #[test]
    fn names_that_read_the_same_have_one_key() {
        let same = [
            ("Mario Rossi", "MARIO  rossi"),
            ("Am\u{e9}lie", "AME\u{0301}LIE"),
            ("Groß", "GROSS"),
            ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
            ("Al\u{200D}i", "ali"),
        ];
        for (one, other) in same {
            assert_eq!(name(one).key(), name(other).key(), "{one} {other}");
        }
        assert_ne!(name("Mario Rossi").key(), name("Maria Rossi").key());
        assert_ne!(name("Rossi").key(), name("Róssi").key(), "an accent is another name");
    }

    proptest! {
        #[test]
        fn a_checked_text_stays_itself_when_checked_again(text in "\\PC{0,70}") {
            if let Ok(name) = text.parse::<PlayerName>() {
                prop_assert_eq!(name.as_str().parse::<PlayerName>().unwrap(), name.clone());
                // Upper-casing may lengthen a name past the limit; the keys are what must agree.
                if let Ok(shouted) = name.as_str().to_uppercase().parse::<PlayerName>() {
                    prop_assert_eq!(shouted.key().to_uppercase(), name.key().to_uppercase());
                }
            }
            if let Ok(notes) = text.parse::<Notes>() {
                prop_assert_eq!(notes.as_str().parse::<Notes>().unwrap(), notes);
            }
        }
    }

    #[test]
    fn notes_have_lines_and_a_contact_has_not() {
        assert_eq!("a\r\nb\n".parse::<Notes>().unwrap().as_str(), "a\nb");
        assert_eq!("a\nb".parse::<Contact>().unwrap().as_str(), "a b");
        assert!("x".repeat(2001).parse::<Notes>().is_err());
    }

    #[test]
    fn a_country_is_two_capitals() {
        assert_eq!("IT".parse::<Country>().unwrap().code(), "IT");
        for bad in ["it", "ITA", "", "I1", "é"] {
            assert!(bad.parse::<Country>().is_err(), "{bad}");
        }
    }

    #[test]
    fn absent_stays_null_clears_and_only_real_changes_are_named() {
        let mut details: PlayerDetails =
            serde_json::from_str(r#"{"name":"Anna","country":"IT","notes":"left-handed"}"#).unwrap();
        let change: PlayerDetailsChange =
            serde_json::from_str(r#"{"country":"IT","notes":null,"nickname":"Fox","club":null}"#).unwrap();
        assert_eq!(change.name, None);
        let again: PlayerDetailsChange =
            serde_json::from_value(serde_json::to_value(&change).unwrap()).unwrap();
        assert_eq!(again, change, "a change survives JSON");
        assert_eq!(change.carry_out(&mut details), [DetailField::Nickname, DetailField::Notes]);
        let nickname = Some("Fox".parse().unwrap());
        let country = Some("IT".parse().unwrap());
        assert_eq!(details, PlayerDetails { nickname, country, ..PlayerDetails::named(name("Anna")) });
    }

    #[test]
    fn the_name_cannot_be_cleared_and_unknown_fields_are_refused() {
        for bad in [r#"{"name":null}"#, r#"{"name":""}"#, r#"{"age":3}"#] {
            assert!(serde_json::from_str::<PlayerDetailsChange>(bad).is_err(), "{bad}");
        }
        for bad in [r#"{"nickname":"Fox"}"#, r#"{"name":null}"#, r#"{"name":"Anna","age":3}"#] {
            assert!(serde_json::from_str::<PlayerDetails>(bad).is_err(), "{bad}");
        }
    }
}
