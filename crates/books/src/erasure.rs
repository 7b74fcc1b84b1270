//! What the erasure of a person takes out of the journal.
//!
//! Events hold ids, never names. But people type free text, a memo or the name of a table, and it may name
//! somebody or be about somebody. Erasure puts a pseudonym in its place. It works on the payload as it is
//! stored, so that events keep the format that they were written in.

mod spellings;

use std::collections::BTreeMap;

use serde_json::Value;

use self::spellings::Names;
use crate::club::players::PlayerName;
use owlbox_base::journal::BrokenHistory;
use owlbox_base::journal::free_text::FreeText;
use owlbox_base::text::{folded, sought};
use owlbox_base::values::PlayerId;

/// A person who is to be erased: who they are, and how they are spelled.
#[derive(Clone, Debug)]
pub struct Erasure {
    player: PlayerId,
    pseudonym: PlayerName,
    /// In the form in which text is [sought], the longest first.
    spellings: Vec<String>,
    /// The same, however their words are put.
    names: Names,
}

/// A payload before and after an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    pub payload: String,
    /// What was said and what is said instead, text by text.
    pub texts: Vec<(String, String)>,
    /// Whether all that is said is about the person, whatever it says.
    pub about: bool,
}

impl Erasure {
    /// `spellings` are the names by which free text may call the player.
    #[must_use]
    pub fn new<'s>(player: PlayerId, spellings: impl IntoIterator<Item = &'s str>) -> Self {
        let spellings: Vec<&str> = spellings.into_iter().collect();
        let names = Names::of(spellings.iter().copied());
        let mut spellings: Vec<String> = spellings.into_iter().map(sought).collect();
        spellings.retain(|spelling| !spelling.is_empty());
        spellings.sort_unstable_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        spellings.dedup();
        Self { player, pseudonym: PlayerName::pseudonym(player), spellings, names }
    }

    #[must_use]
    pub const fn player(&self) -> PlayerId {
        self.player
    }

    /// The name that comes in the place of theirs.
    #[must_use]
    pub const fn pseudonym(&self) -> &PlayerName {
        &self.pseudonym
    }

    /// The text with the pseudonym wherever it names the person, by whole words in any case and with or
    /// without accents, or by the words of a name in any order, run together or with initials; `None` if it
    /// does not.
    #[must_use]
    pub fn without_name(&self, text: &str) -> Option<String> {
        let by = self.pseudonym.as_str();
        // First the whole name: a spelling that is a part of it would leave the rest.
        let without = self.names.replaced(text, by);
        let mut is_changed = without.is_some();
        let parts = without.as_deref().unwrap_or(text).split(by).map(|part| {
            let replaced = replaced(part, &self.spellings, by);
            is_changed |= replaced.is_some();
            replaced.unwrap_or_else(|| part.to_owned())
        });
        let after = parts.collect::<Vec<_>>().join(by);
        is_changed.then_some(after)
    }

    /// The text [without the name](Self::without_name), if what is left may still mean the person.
    #[must_use]
    pub fn near_after(&self, text: &str) -> Option<String> {
        let after = self.without_name(text).unwrap_or_else(|| text.to_owned());
        // The letters of a pseudonym may be the initials of a name.
        self.names.is_near(&after.replace(self.pseudonym.as_str(), "\n")).then_some(after)
    }

    /// What of a stored event [may mean](Self::near_after) the person after the erasure too.
    ///
    /// # Errors
    /// The payload cannot be read.
    pub fn near<A: FreeText>(&self, kind: A::Kind, payload: &str) -> Result<Vec<String>, BrokenHistory> {
        let mut texts = Vec::new();
        replace(&mut read(payload)?, A::text_keys(kind), &mut |text| {
            texts.extend(self.near_after(text));
            None
        });
        Ok(texts)
    }

    /// What a stored event says without the person; `None` if it says nothing of them. `state` is its stream
    /// as it is now, `renamed` what was renamed in it before.
    ///
    /// # Errors
    /// The payload cannot be read, before or after.
    pub fn rewritten<A: FreeText>(
        &self,
        state: &A,
        renamed: &mut Renamed,
        kind: A::Kind,
        format: i16,
        payload: &str,
    ) -> Result<Option<Rewritten>, BrokenHistory> {
        let keys = A::text_keys(kind);
        if keys.is_empty() {
            return Ok(None);
        }
        let about = state.is_about(&A::decode(format, payload)?, self.player);
        let mut number = |text: &str| if A::NAMES { renamed.number(text) } else { String::new() };
        let mut value = read(payload)?;
        let texts = replace(&mut value, keys, &mut |text| {
            let after = if about { self.instead_of(text) } else { self.without_name(text) };
            after.map(|after| after + &number(text))
        });
        if texts.is_empty() {
            return Ok(None);
        }
        if A::decode(format, &value.to_string()).is_ok() {
            return Ok(Some(Rewritten { payload: value.to_string(), texts, about }));
        }
        // A text that has become too long for its field says nothing but the pseudonym.
        let mut value = read(payload)?;
        let short = replace(&mut value, keys, &mut |text| {
            let changed = texts.iter().any(|(before, _)| before == text);
            changed.then(|| format!("{}{}", self.pseudonym, number(text)))
        });
        let payload = value.to_string();
        A::decode(format, &payload)?;
        Ok(Some(Rewritten { payload, texts: short, about }))
    }

    /// The pseudonym, unless that is all there is.
    fn instead_of(&self, text: &str) -> Option<String> {
        (text != self.pseudonym.as_str()).then(|| self.pseudonym.to_string())
    }
}

/// The names of things that an erasure has changed in a stream.
#[derive(Clone, Debug, Default)]
pub struct Renamed(BTreeMap<String, usize>);

impl Renamed {
    /// What keeps a name apart from those that were changed before it: nothing for the first, then a number.
    fn number(&mut self, name: &str) -> String {
        let next = self.0.len() + 1;
        match *self.0.entry(folded(name)).or_insert(next) {
            1 => String::new(),
            number => format!(" {number}"),
        }
    }
}

/// Replaces the texts under `keys`, at any depth, for which `by` knows another, and returns both.
fn replace(
    value: &mut Value,
    keys: &[&str],
    by: &mut dyn FnMut(&str) -> Option<String>,
) -> Vec<(String, String)> {
    match value {
        Value::Object(fields) => {
            let mut texts = Vec::new();
            for (key, value) in fields {
                let text = value.as_str().filter(|_| keys.contains(&key.as_str())).map(str::to_owned);
                match text.and_then(|text| Some((by(&text)?, text))) {
                    Some((other, text)) => {
                        *value = Value::String(other.clone());
                        texts.push((text, other));
                    }
                    None => texts.extend(replace(value, keys, by)),
                }
            }
            texts
        }
        Value::Array(values) => values.iter_mut().flat_map(|value| replace(value, keys, &mut *by)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

fn read(payload: &str) -> Result<Value, BrokenHistory> {
    serde_json::from_str(payload).map_err(|error| BrokenHistory(format!("a payload: {error}")))
}

/// `text` with `by` in place of every whole word, or run of words, that is sought like one of `spellings`,
/// the longest where several fit; `None` if there is none.
fn replaced(text: &str, spellings: &[String], by: &str) -> Option<String> {
    let whole = sought(text);
    if !spellings.iter().any(|spelling| whole.contains(spelling)) {
        return None;
    }
    let longest = spellings.iter().map(String::len).max()?;
    let places: Vec<(usize, char)> = text.char_indices().collect();
    let inner = |at: usize| places.get(at).is_some_and(|(_, c)| c.is_alphanumeric());
    let is_edge = |at: usize| !(at > 0 && inner(at - 1) && inner(at));
    let offset = |at: usize| places.get(at).map_or(text.len(), |(offset, _)| *offset);
    // The end of the longest spelling that begins here. What is sought of white space and marks is empty, so
    // nothing begins with them, and no spelling is written with more of them than this.
    let ends = |at: usize| {
        let (from, first) = places.get(at)?;
        if !is_edge(at) || sought(first.encode_utf8(&mut [0; 4])).is_empty() {
            return None;
        }
        let furthest = places.len().min(at + 2 * longest + 2);
        let fits = |end: &usize| {
            let part = sought(text.get(*from..offset(*end)).unwrap_or_default());
            spellings.contains(&part)
        };
        (at + 1..=furthest).rev().filter(|end| is_edge(*end)).find(fits)
    };
    let (mut made, mut kept, mut at) = (String::new(), 0, 0);
    while at < places.len() {
        match ends(at) {
            Some(end) => {
                made.push_str(text.get(offset(kept)..offset(at))?);
                made.push_str(by);
                // White space at the end of a part is not sought; it stays.
                let part = text.get(offset(at)..offset(end))?;
                let blank = part.chars().rev().take_while(|c| c.is_whitespace()).count();
                (kept, at) = (end - blank, end);
            }
            None => at += 1,
        }
    }
    made.push_str(text.get(offset(kept)..)?);
    (kept > 0).then_some(made)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::club::EventKind::{HouseRulesRemoved, SettingsChanged};
    use crate::club::{Club, Settings};
    use owlbox_base::journal::Aggregate as _;

    const ID: PlayerId = PlayerId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_3f9c_2a71));

    fn without(text: &str, spellings: &[&str]) -> Option<String> {
        Erasure::new(ID, spellings.iter().copied()).without_name(text)
    }

    #[test]
    fn a_name_goes_wherever_it_stands_as_whole_words() {
        assert_eq!(PlayerName::pseudonym(ID).as_str(), "N.N. 3f9c2a71");
        for (text, spellings, expected) in [
            ("Ada's table", &["Ada"][..], Some("N.N. 3f9c2a71's table")),
            ("for ADA and ada", &["Ada"], Some("for N.N. 3f9c2a71 and N.N. 3f9c2a71")),
            ("Adamo owes", &["Ada"], None),
            ("Canada", &["Ada"], None),
            ("SOREN O'Brien's taxi", &["Søren O’Brien", "Søren O'Brien"], Some("N.N. 3f9c2a71's taxi")),
            ("Mario Rossi, for Mario", &["Mario", "Mario Rossi"], Some("N.N. 3f9c2a71, for N.N. 3f9c2a71")),
            ("(Weiß)", &["WEISS"], Some("(N.N. 3f9c2a71)")),
            ("J. R. lost", &["J. R."], Some("N.N. 3f9c2a71 lost")),
            ("Norbert Neri pays", &["N", "Norbert Neri"], Some("N.N. 3f9c2a71 pays")),
            ("Ada  Lovelace", &["Ada"], Some("N.N. 3f9c2a71  Lovelace")),
            ("nobody", &[" "], None),
            ("", &["Ada"], None),
        ] {
            assert_eq!(without(text, spellings).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn two_names_stay_two_and_one_stays_one() {
        let erasure = Erasure::new(ID, ["Mario", "Mario Rossi"]);
        let club = Club::initial();
        let mut renamed = Renamed::default();
        let mut said = |kind, event: Value| {
            let made = erasure.rewritten(&club, &mut renamed, kind, 2, &event.to_string()).unwrap().unwrap();
            made.texts.into_iter().map(|(_, after)| after).collect::<Vec<_>>()
        };
        let removed = |name: &str| json!({"event": "house_rules_removed", "name": name});
        assert_eq!(said(HouseRulesRemoved, removed("Mario")), ["N.N. 3f9c2a71"]);
        assert_eq!(said(HouseRulesRemoved, removed("Mario Rossi")), ["N.N. 3f9c2a71 2"]);
        assert_eq!(said(HouseRulesRemoved, removed("mario")), ["N.N. 3f9c2a71"]);
        let season =
            |name: &str| json!({"name": name, "from": "2026-10-01", "until": "2027-03-31", "coming": 1});
        let mut settings = json!(Settings::default());
        settings["seasons"] = json!([season("Coppa Mario"), season("The long and winding season of Mario")]);
        let changed = json!({"event": "settings_changed", "settings": settings});
        let after = said(SettingsChanged, changed);
        assert!(after[0] != after[1] && after.iter().all(|name| name.contains("N.N.")), "{after:?}");
    }

    proptest! {
        #[test]
        fn what_is_left_names_nobody_and_the_rest_stays(
            before in "[a-zé .,'-]{0,12}", after in "[a-zé .,'-]{0,12}", name in "[A-Z][a-zö]{2,8}( [A-Z][a-z]{2,8})?"
        ) {
            let text = format!("{before} {name} {after}");
            let erased = without(&text, &[&name]).expect("it names them");
            prop_assert!(without(&erased, &[&name]).is_none(), "{erased}");
            prop_assert!(erased.contains(PlayerName::pseudonym(ID).as_str()));
        }

        #[test]
        fn any_text_can_be_looked_through(text in "\\PC{0,40}", name in "\\PC{0,12}") {
            if let Some(erased) = without(&text, &[&name]) {
                prop_assert!(erased.contains(PlayerName::pseudonym(ID).as_str()));
            }
        }
    }
}
