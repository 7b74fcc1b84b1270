//! Hashes that chain what is recorded: every transaction of the books to the one before it, every entry of
//! the journal to the one before it in its stream. What is hashed of each says it by itself
//! ([`TransactionRow`](super::books::TransactionRow), [`Entry`](super::journal::Entry)).
//!
//! A hash covers the whole content. So a change, a loss or an exchange anywhere shows at that place, and
//! anyone who has noted a hash, on a signed statement say, has noted everything before it.

use chrono::{Datelike as _, NaiveDate};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::types::{Hash, Moment};

/// Content to be hashed, part by part. Every part is marked by its length or has a fixed one, so that no two
/// contents run together to the same bytes.
pub(super) struct Content(Sha256);

impl Content {
    pub(super) fn after(before: &Hash) -> Self {
        Self(Sha256::new_with_prefix(before.0))
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(i64::try_from(text.len()).unwrap_or(i64::MAX));
        self.0.update(text);
    }

    pub(super) fn number(&mut self, number: i64) {
        self.0.update(number.to_le_bytes());
    }

    pub(super) fn id(&mut self, id: Uuid) {
        self.0.update(id.as_bytes());
    }

    pub(super) fn moment(&mut self, moment: Moment) {
        self.number(moment.0.utc().timestamp_micros());
    }

    pub(super) fn day(&mut self, day: NaiveDate) {
        self.number(day.num_days_from_ce().into());
    }

    /// A JSON value, whatever the order of its keys: PostgreSQL does not keep it.
    pub(super) fn json(&mut self, value: &Value) {
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

    pub(super) fn hash(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Entry;
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
        let of = |payload| entry(payload).hash_after(&Hash::default(), Uuid::nil()).unwrap();
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
            entry(r#"{"a": [1, "2", null], "b": {"c": true, "d": -7}}"#)
                .hash_after(&one, Uuid::nil())
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
