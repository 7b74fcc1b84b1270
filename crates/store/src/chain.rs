//! Hashes that chain what is recorded: every transaction of the books to the one before it, every entry of the
//! journal to the one before it in its stream.
//!
//! A hash covers the whole content. So a change, a loss or an exchange anywhere shows at that place, and whoever
//! has noted a hash, on a signed statement say, has noted everything before it.

use chrono::{Datelike as _, NaiveDate};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::StoreError;
use super::books::{Head, Posting};
use super::journal::Entry;
use super::types::{Hash, Moment};
use owlbox_base::journal::BrokenHistory;

/// Content to be hashed, part by part. Every part is marked by its length or has a fixed one, so that no two
/// contents run together to the same bytes.
struct Content(Sha256);

impl Content {
    fn after(before: &Hash) -> Self {
        Self(Sha256::new_with_prefix(before.0))
    }

    fn text(&mut self, text: &str) {
        self.number(i64::try_from(text.len()).unwrap_or(i64::MAX));
        self.0.update(text);
    }

    fn number(&mut self, number: i64) {
        self.0.update(number.to_le_bytes());
    }

    fn id(&mut self, id: Uuid) {
        self.0.update(id.as_bytes());
    }

    fn moment(&mut self, moment: Moment) {
        self.number(moment.0.utc().timestamp_micros());
    }

    fn day(&mut self, day: NaiveDate) {
        self.number(day.num_days_from_ce().into());
    }

    /// A JSON value, whatever the order of its keys: PostgreSQL does not keep it.
    fn json(&mut self, value: &Value) {
        match value {
            Value::Null => self.text("n"),
            Value::Bool(said) => self.text(if *said { "t" } else { "f" }),
            Value::Number(number) => {
                self.text("#");
                self.text(&number.to_string());
            }
            Value::String(text) => {
                self.text("s");
                self.text(text);
            }
            Value::Array(values) => {
                self.text("a");
                self.number(i64::try_from(values.len()).unwrap_or(i64::MAX));
                values.iter().for_each(|value| self.json(value));
            }
            Value::Object(fields) => {
                self.text("o");
                self.number(i64::try_from(fields.len()).unwrap_or(i64::MAX));
                let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
                fields.sort_unstable_by_key(|(key, _)| *key);
                for (key, value) in fields {
                    self.text(key);
                    self.json(value);
                }
            }
        }
    }

    fn hash(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}

/// The hash of a transaction that follows the one with hash `before`. `postings` are in order of position.
#[must_use]
pub fn of_transaction<'p>(
    before: &Hash,
    head: &Head,
    postings: impl IntoIterator<Item = &'p Posting>,
) -> Hash {
    let Head {
        id,
        act,
        kind,
        stream,
        game,
        variant,
        version,
        happened_at,
        posted_at,
        night,
        booked_on,
        reverses,
    } = head;
    let mut content = Content::after(before);
    for id in [id, act, stream] {
        content.id(id.0);
    }
    content.text(kind);
    content.text(variant.as_deref().unwrap_or_default());
    content.number((*game).into());
    content.number(*version);
    content.moment(*happened_at);
    content.moment(*posted_at);
    content.day(*night);
    content.day(*booked_on);
    content.id(reverses.map_or(Uuid::nil(), |reverses| reverses.0));
    for posting in postings {
        let Posting {
            holder,
            unit,
            sequence,
            holder_kind,
            ledger_transaction: _,
            position,
            counterparty,
            counterparty_kind,
            kind,
            amount,
            balance,
            booked_on,
        } = posting;
        content.number((*position).into());
        content.text(holder_kind.name());
        content.id(holder.0);
        content.text(counterparty_kind.name());
        content.id(counterparty.0);
        content.text(unit);
        content.text(kind);
        content.number(*sequence);
        content.number(*amount);
        content.number(*balance);
        content.day(*booked_on);
    }
    content.hash()
}

/// The hash of an entry of stream `id` that follows the one with hash `before`; the first follows
/// [`Hash::default`].
///
/// # Errors
/// Its payload is not JSON.
pub fn of_entry(before: &Hash, id: Uuid, entry: &Entry) -> Result<Hash, StoreError> {
    let Entry { version, act, kind, format, payload, account, at } = entry;
    let mut content = Content::after(before);
    content.id(id);
    content.number(*version);
    content.id(act.0);
    content.text(kind);
    content.number((*format).into());
    content.id(account.0);
    content.moment(Moment(*at));
    let payload = serde_json::from_str(payload)
        .map_err(|error| BrokenHistory(format!("stream {id}, version {version}: {error}")))?;
    content.json(&payload);
    Ok(content.hash())
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_base::values::{AccountId, ActId};

    fn entry(payload: &str) -> Entry {
        Entry {
            version: 1,
            act: ActId(Uuid::from_u128(1)),
            kind: "paid".into(),
            format: 1,
            payload: payload.into(),
            account: AccountId(Uuid::from_u128(2)),
            at: chrono::DateTime::UNIX_EPOCH.into(),
        }
    }

    #[test]
    fn the_order_of_keys_does_not_matter_and_every_value_does() {
        let of = |payload| of_entry(&Hash::default(), Uuid::nil(), &entry(payload)).unwrap();
        let one = of(r#"{"a": [1, "2", null], "b": {"c": true, "d": -7}}"#);
        assert_eq!(one, of(r#"{"b":{"d":-7,"c":true},"a":[1,"2",null]}"#));
        for other in [
            r#"{"a": [1, 2, null], "b": {"c": true, "d": -7}}"#,
            r#"{"a": ["2", 1, null], "b": {"c": true, "d": -7}}"#,
            r#"{"a": [1, "2"], "b": {"c": true, "d": -7}}"#,
            r#"{"a": [1, "2", null], "b": {"c": false, "d": -7}}"#,
            r#"{"a": [1, "2", null], "b": {"c": true, "d": 7}}"#,
            r#"{"a": [1, "2", null], "b": {"d": true, "c": -7}}"#,
            r#"{"a": [1, "2", null, {"c": true, "d": -7}]}"#,
        ] {
            assert_ne!(one, of(other), "{other}");
        }
        assert_ne!(
            one,
            of_entry(&one, Uuid::nil(), &entry(r#"{"a": [1, "2", null], "b": {"c": true, "d": -7}}"#))
                .unwrap()
        );
    }

    #[test]
    fn texts_do_not_run_together() {
        let of = |texts: [&str; 2]| {
            let mut content = Content::after(&Hash::default());
            texts.into_iter().for_each(|text| content.text(text));
            content.hash()
        };
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
        assert_eq!(Hash([0xab; 32]).hex(), "ab".repeat(32));
    }
}
