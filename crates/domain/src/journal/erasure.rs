//! What the erasure of a person takes out of the journal.
//!
//! Events hold ids, never names. But people type free text, a memo or the name of a table, and it may name somebody or
//! be about somebody. Erasure puts a pseudonym in its place. It works on the payload as it is stored, so that events
//! keep the format that they were written in.

use serde_json::Value;
use strum::VariantArray as _;

use super::{Aggregate, BrokenHistory};
use crate::club::players::{PlayerName, sought};
use crate::values::PlayerId;

/// The free text in the events of a stream.
pub trait FreeText: Aggregate {
    /// The keys, at any depth of the payload of such an event in any format, under which there is text that somebody typed.
    fn text_keys(kind: Self::Kind) -> &'static [&'static str];

    /// Whether whatever is said in the event is about this player. `self` is the stream as it is now.
    fn is_about(&self, _event: &Self::Event, _player: PlayerId) -> bool {
        false
    }
}

/// The kinds of events of a stream that hold free text.
pub fn kinds_with_text<A: FreeText>() -> impl Iterator<Item = A::Kind> {
    A::Kind::VARIANTS.iter().copied().filter(|kind| !A::text_keys(*kind).is_empty())
}

/// A person who is to be erased: who they are, and how they are spelled.
#[derive(Clone, Debug)]
pub struct Erasure {
    player: PlayerId,
    pseudonym: PlayerName,
    /// In the form in which text is [sought], the longest first.
    spellings: Vec<String>,
}

/// A payload before and after an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    pub payload: String,
    /// What was said and what is said instead, text by text.
    pub texts: Vec<(String, String)>,
}

impl Erasure {
    /// `spellings` are the names by which free text may call the player.
    #[must_use]
    pub fn new<'s>(player: PlayerId, spellings: impl IntoIterator<Item = &'s str>) -> Self {
        let mut spellings: Vec<String> = spellings.into_iter().map(sought).collect();
        spellings.retain(|spelling| !spelling.is_empty());
        spellings.sort_unstable_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        spellings.dedup();
        Self { player, pseudonym: PlayerName::pseudonym(player), spellings }
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

    /// The text with the pseudonym wherever it names the person, by whole words in any case and with or without accents;
    /// `None` if it does not.
    #[must_use]
    pub fn without_name(&self, text: &str) -> Option<String> {
        let mut now: Option<String> = None;
        for spelling in &self.spellings {
            now = replaced(now.as_deref().unwrap_or(text), spelling, self.pseudonym.as_str()).or(now);
        }
        now
    }

    /// What a stored event says without the person; `None` if it says nothing of them. `state` is its stream as it is
    /// now.
    ///
    /// # Errors
    /// The payload cannot be read, before or after.
    pub fn rewritten<A: FreeText>(
        &self,
        state: &A,
        kind: A::Kind,
        format: i16,
        payload: &str,
    ) -> Result<Option<Rewritten>, BrokenHistory> {
        let keys = A::text_keys(kind);
        if keys.is_empty() {
            return Ok(None);
        }
        let whole = state.is_about(&A::decode(format, payload)?, self.player);
        let Some(made) = self.rewrite(payload, keys, whole)? else { return Ok(None) };
        if A::decode(format, &made.payload).is_ok() {
            return Ok(Some(made));
        }
        // A text that has become too long for its field says nothing but the pseudonym.
        let mut value = read(payload)?;
        let changed = |text: &str| made.texts.iter().any(|(before, _)| before == text);
        let texts = replace(&mut value, keys, &|text| self.instead_of(text).filter(|_| changed(text)));
        let payload = value.to_string();
        A::decode(format, &payload)?;
        Ok(Some(Rewritten { payload, texts }))
    }

    fn rewrite(&self, payload: &str, keys: &[&str], whole: bool) -> Result<Option<Rewritten>, BrokenHistory> {
        let mut value = read(payload)?;
        let texts = replace(&mut value, keys, &|text| {
            if whole { self.instead_of(text) } else { self.without_name(text) }
        });
        Ok((!texts.is_empty()).then(|| Rewritten { payload: value.to_string(), texts }))
    }

    /// The pseudonym, unless that is all there is.
    fn instead_of(&self, text: &str) -> Option<String> {
        (text != self.pseudonym.as_str()).then(|| self.pseudonym.to_string())
    }
}

/// Replaces the texts under `keys`, at any depth, for which `by` knows another, and returns both.
fn replace(value: &mut Value, keys: &[&str], by: &dyn Fn(&str) -> Option<String>) -> Vec<(String, String)> {
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
        Value::Array(values) => values.iter_mut().flat_map(|value| replace(value, keys, by)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

fn read(payload: &str) -> Result<Value, BrokenHistory> {
    serde_json::from_str(payload).map_err(|error| BrokenHistory(format!("a payload: {error}")))
}

/// `text` with `by` in place of every whole word, or run of words, that is sought like `spelling`; `None` if there is
/// none.
fn replaced(text: &str, spelling: &str, by: &str) -> Option<String> {
    if !sought(text).contains(spelling) {
        return None;
    }
    let places: Vec<(usize, char)> = text.char_indices().collect();
    let inner = |at: usize| places.get(at).is_some_and(|(_, c)| c.is_alphanumeric());
    let begins = |at: usize| !(at > 0 && inner(at - 1) && inner(at));
    let offset = |at: usize| places.get(at).map_or(text.len(), |(offset, _)| *offset);
    let (mut made, mut kept, mut at) = (String::new(), 0, 0);
    while at < places.len() {
        let from = offset(at);
        let ends = (at + 1..=places.len()).filter(|end| begins(*end));
        let hit = begins(at)
            .then(|| {
                ends.map(|end| (end, sought(text.get(from..offset(end)).unwrap_or_default())))
                    .take_while(|(_, part)| part.len() <= spelling.len())
                    .filter(|(_, part)| part == spelling)
                    .map(|(end, _)| end)
                    .next()
            })
            .flatten();
        match hit {
            // White space around a part is not sought; it stays.
            Some(end) if !text[from..].starts_with(char::is_whitespace) => {
                made.push_str(text.get(offset(kept)..from)?);
                made.push_str(by);
                (kept, at) = (end, end);
            }
            Some(_) | None => at += 1,
        }
    }
    made.push_str(text.get(offset(kept)..)?);
    (kept > 0).then_some(made)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

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
            ("nobody", &[" "], None),
            ("", &["Ada"], None),
        ] {
            assert_eq!(without(text, spellings).as_deref(), expected, "{text}");
        }
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
