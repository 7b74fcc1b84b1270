//! Forms posted by our own pages: their fields, and what is read from them. [`received`]: how they come.

pub(super) mod received;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use actix_web::web;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::refused_part::refused_part;
use crate::pages::fields::{Malformed, read, steps};
use owlbox_base::code::Code;
use owlbox_base::journal::Version;
use owlbox_base::values::InvalidValue;
use owlbox_desk::Idempotency;
use owlbox_desk::fingerprint;
use owlbox_http::ask;
use owlbox_http::problem::{self, Problem};

/// Fields of a command that people type as something else: the first word of each in a form.
const TYPED_AS: [(&str, &str); 2] = [("until", "minutes"), ("score", "points_then")];

/// A command of a form, or a part of one, before its type has read it.
pub(super) type Object = Map<String, Value>;

/// The fields of a form, in order. Extracting it refuses forms that do not come from a page of the session.
#[derive(Clone, Default)]
pub(super) struct Form(Vec<(String, String)>);

/// Without its values: some are passwords.
impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl Form {
    /// A form with these fields.
    pub fn filled(fields: &[(&str, &str)]) -> Self {
        Self(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    /// The same with further fields.
    pub fn with(mut self, fields: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        self.0.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
        self
    }

    /// What was typed in all fields of this name, one a line.
    pub fn lines(&self, name: &str) -> String {
        self.all(name).filter(|typed| !typed.trim().is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// The fields of an address's query; none if it is no such query.
    pub fn of_query(query: &str) -> Self {
        web::Query::<Vec<(String, String)>>::from_query(query)
            .map(|fields| Self(fields.into_inner()))
            .unwrap_or_default()
    }

    /// The longest idempotency key, in bytes.
    pub const LONGEST_KEY: usize = 100;

    fn key(&self) -> Result<Option<&str>, Problem> {
        match self.some("key") {
            Some(key) if key.len() > Self::LONGEST_KEY => Err(malformed("the key is too long")),
            Some(key) if !key.is_ascii() || key.contains(|byte: char| byte.is_ascii_control()) => {
                Err(malformed("the key is none that a page gave"))
            }
            key => Ok(key),
        }
    }

    /// The form's idempotency key, which from now on stands for `asked` at this path; `None` if it has none.
    /// The version is no part of that: pressing the same button again after a lost answer gives the first
    /// outcome.
    ///
    /// # Errors
    /// The key is too long, or none that a page gave.
    pub fn idempotency(&self, path: &str, asked: &str) -> Result<Option<Idempotency>, Problem> {
        self.idempotency_of_part("", path, asked)
    }

    /// The same for an act. A form around a list (`each`) has a button for each line, and what it does is an
    /// act of its own.
    ///
    /// # Errors
    /// The key is too long, or none that a page gave.
    pub fn idempotency_of_act(&self, path: &str) -> Result<Option<Idempotency>, Problem> {
        let button = if self.ticked("each") { self.text("choice") } else { "" };
        self.idempotency_of_part(button, path, &self.choices())
    }

    /// The same for a part of what the form does, under a key of its own; the whole if `part` is empty.
    ///
    /// # Errors
    /// The key is too long, or none that a page gave.
    fn idempotency_of_part(
        &self,
        part: &str,
        path: &str,
        asked: &str,
    ) -> Result<Option<Idempotency>, Problem> {
        Ok(self.key()?.map(|key| Idempotency {
            key: if part.is_empty() { key.to_owned() } else { derived(key, part) },
            request_hash: hashed(&["POST", path, asked]).to_vec(),
        }))
    }

    /// The version of the stream that the page was made from; `None` if the act does not depend on it.
    ///
    /// # Errors
    /// It is no number.
    pub fn version(&self) -> Result<Option<Version>, Problem> {
        let version = self.some("version").map(str::parse).transpose();
        version.map_err(|_| malformed("the version is no number"))
    }

    /// Refuses the form if what it was made from (`seen`, its [`fingerprint`]) is not what there is `now`:
    /// somebody else has changed it, and the form would put back what it was. A form that asks for just what
    /// there is was sent twice.
    ///
    /// # Errors
    /// `changed_meanwhile`.
    pub fn check_seen(&self, now: &impl Serialize, asked: &impl Serialize) -> Result<(), Problem> {
        let now = fingerprint(now);
        match self.some("seen") {
            Some(seen) if seen != now && fingerprint(asked) != now => {
                Err(Problem::new(Code::ChangedMeanwhile, "it has changed since the form was opened"))
            }
            _ => Ok(()),
        }
    }

    /// The value of a field, trimmed; empty if the field is missing.
    pub fn text(&self, name: &str) -> &str {
        self.exact(name).trim()
    }

    /// The value of a field as typed, for passwords.
    pub fn exact(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }

    /// The value of a field, trimmed; `None` if it is empty or missing.
    pub fn some(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }

    /// The value of a field, parsed.
    ///
    /// # Errors
    /// A problem that names the field.
    pub fn value<T: FromStr<Err = InvalidValue>>(&self, name: &'static str) -> Result<T, Problem> {
        self.text(name).parse().map_err(|error| invalid(name, &error))
    }

    /// The value of a field that may be empty, parsed.
    ///
    /// # Errors
    /// A problem that names the field.
    pub fn optional<T: FromStr<Err = InvalidValue>>(&self, name: &'static str) -> Result<Option<T>, Problem> {
        self.some(name).map(|text| text.parse().map_err(|error| invalid(name, &error))).transpose()
    }

    /// A text that was typed or chosen, read as the API reads it; `None` if the field is empty or missing.
    ///
    /// # Errors
    /// The type refuses it.
    pub fn word<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Problem> {
        self.some(name).map(word).transpose()
    }

    /// The values of all fields of this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// All fields but those that say which form it is and where it goes: what it asks for.
    pub fn asks(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        // Pages that were open before an update may still send `here`.
        let ours = ["csrf", "then", "here", "key", "version", "seen", "each"];
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .filter(move |(name, _)| !ours.contains(name))
    }

    /// The command that its fields are.
    ///
    /// # Errors
    /// `malformed_form`: fields that no page writes.
    pub fn command(&self) -> Result<Object, Problem> {
        read(self.asks()).map_err(|Malformed(why)| malformed(why))
    }

    /// All fields, as they were sent.
    pub fn sent(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// What it asks for as lines of text, for the hash under an idempotency key.
    pub fn choices(&self) -> String {
        self.asks().map(|(name, value)| format!("{name}={}\n", value.trim())).collect()
    }

    /// The name of the field that belongs at this place of the command: at the very place, or else the first
    /// that has it as a part of its place, sooner one that was left empty. If an item is missing from a list,
    /// it is the first that was not sent: radio buttons of which none is chosen send nothing.
    pub fn name_at(&self, place: &str, item_missing: bool) -> String {
        let mut wanted = steps(place);
        let is_asked = |first: &str| self.asks().any(|(name, _)| steps(name)[0] == first);
        let typed = TYPED_AS.into_iter().find(|(of_command, _)| wanted[0] == *of_command);
        if let Some((_, typed)) = typed.filter(|_| !is_asked(wanted[0])) {
            wanted = vec![typed];
        }
        let is_part = |name: &str| {
            let steps = steps(name);
            steps.starts_with(&wanted) || (wanted.len() == 1 && steps.contains(&wanted[0]))
        };
        // Where lines of a list are at the place, what is sent for the list itself is no input.
        let is_line =
            |name: &str| steps(name).get(wanted.len()).is_some_and(|step| step.parse::<usize>().is_ok());
        let has_lines = self.asks().any(|(name, _)| is_part(name) && is_line(name));
        let parts = || self.asks().filter(|(name, _)| is_part(name) && (!has_lines || is_line(name)));
        let same = parts().find(|(name, _)| steps(name) == wanted);
        let empty = || parts().find(|(_, value)| value.trim().is_empty());
        let not_chosen = || {
            let number = |(name, _): (&str, _)| steps(name).get(wanted.len())?.parse::<usize>().ok();
            let chosen: BTreeSet<usize> = parts().filter_map(number).filter(|_| item_missing).collect();
            let first = (0..=chosen.len()).find(|number| !chosen.contains(number));
            first.filter(|_| !chosen.is_empty()).map(|number| format!("{place}[{number}]"))
        };
        let found = same.or_else(empty).map(|(name, _)| name.to_owned()).or_else(not_chosen);
        found.or_else(|| Some(parts().next()?.0.to_owned())).unwrap_or_else(|| place.to_owned())
    }

    pub fn ticked(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Whether one of the fields of this name has this value.
    pub fn has(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|sent| sent == value)
    }
}

impl FromIterator<(&'static str, String)> for Form {
    fn from_iter<I: IntoIterator<Item = (&'static str, String)>>(fields: I) -> Self {
        Self::default().with(fields)
    }
}

/// A command, or a part of one, as its type has it.
///
/// # Errors
/// `invalid_body`, as the API refuses it, with the part of the command that is refused.
pub(super) fn decoded<T: DeserializeOwned>(object: Object) -> Result<T, Problem> {
    let command = Value::Object(object);
    if ask::lost_in(&command).is_some() {
        return Err(ask::lost_characters());
    }
    T::deserialize(&command).map_err(|error| {
        let mut problem = problem::of_body(&error);
        problem.part = refused_part(&command, &problem.detail);
        problem
    })
}

/// A text, read as the API reads it: an id, or one of several names.
pub(super) fn word<T: DeserializeOwned>(typed: &str) -> Result<T, Problem> {
    serde_json::from_value(Value::from(typed)).map_err(|error| problem::of_body(&error))
}

/// The problem of a form that none of our pages sends.
pub(super) fn malformed(why: &str) -> Problem {
    Problem::new(Code::MalformedForm, why)
}

/// A key for a part of what a form does. It differs from the keys of other forms and of other parts, whatever
/// those are.
fn derived(key: &str, part: &str) -> String {
    let hex: String = hashed(&[key, part]).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("form-{hex}")
}

fn hashed(texts: &[&str]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text.as_bytes());
        hash.update([0]);
    }
    hash.finalize().into()
}

/// The problem of a field with an invalid value.
pub(super) fn invalid(field: &'static str, error: &InvalidValue) -> Problem {
    Problem::new(code(error.what), error.to_string()).about(field)
}

/// The code for an invalid value, which the reader sees in their own language.
fn code(what: &str) -> Code {
    match what {
        "login" => Code::InvalidLogin,
        "name" | "club" => Code::InvalidName,
        "time_zone" => Code::InvalidTimeZone,
        "currency" | "currencies" => Code::InvalidCurrency,
        "country" => Code::InvalidCountry,
        "ambiguous_amount" => Code::AmbiguousAmount,
        "stake" => Code::InvalidStake,
        "exposure_limit" => Code::InvalidExposureLimit,
        "highest_cube" => Code::InvalidHighestCube,
        _ => Code::InvalidValue,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_play::matches::Slot;

    #[test]
    fn the_keys_of_a_forms_parts_are_no_other_forms_and_fit() {
        let longest = "k".repeat(Form::LONGEST_KEY);
        let keys = [derived("K", "1"), derived("K-1", "1"), derived("K", "11"), derived("K1", "1")];
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key), "{key}");
        }
        assert_eq!(derived("K", "1"), keys[0], "the same form again has the same");
        assert!(derived(&longest, "19").len() <= Form::LONGEST_KEY);
    }

    #[test]
    fn the_field_of_a_place_is_the_same_or_a_part_of_it_that_was_left_empty() {
        let form = Form::filled(&[
            ("key", "score"),
            ("score[0]:number", "5"),
            ("score[1]:number", ""),
            ("payer", "Bea"),
            ("clock[delay]:number", "x"),
            ("minutes:number", "soon"),
        ]);
        for (place, name) in [
            ("score[0]", "score[0]:number"),
            ("score", "score[1]:number"),
            ("payer", "payer"),
            ("delay", "clock[delay]:number"),
            ("score[2]", "score[2]"),
            ("key", "key"),
            ("until", "minutes:number"),
        ] {
            assert_eq!(form.name_at(place, false), name, "{place}");
        }
        let dice = Form::filled(&[("action[dice][0]:number", "5")]);
        assert_eq!(dice.name_at("action[dice]", true), "action[dice][1]");
        assert_eq!(dice.name_at("action[dice]", false), "action[dice][0]:number");
    }

    #[test]
    fn a_field_is_read_as_the_api_would() {
        let fields = [("table", " 12 "), ("slot", "lower"), ("empty", " ")];
        let form = Form::filled(&fields);
        assert_eq!(form.word("slot").unwrap(), Some(Slot::Lower));
        assert_eq!(form.word::<Slot>("empty").unwrap(), None);
        assert_eq!(form.word::<Slot>("none").unwrap(), None);
        let refused = [form.word::<Slot>("table").unwrap_err(), word::<Slot>("").unwrap_err()];
        for problem in refused {
            assert_eq!(problem.code, Code::InvalidBody, "{problem}");
        }
    }
}
