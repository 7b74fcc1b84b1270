//! The journal as its table has it, and which of its acts count in the end.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use diesel::prelude::*;
use owlbox_store::connection::connect;
use owlbox_store::{AnyConnection, Use};
use serde::Deserialize;
use serde_json::Value;

use crate::support::databases::Database;

/// An entry of the journal.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Entry {
    pub(super) stream: String,
    /// The kind of its stream: `chouette`, `match`, `tournament`, `daybook`, `club`.
    pub(super) of: String,
    pub(super) act: String,
    pub(super) event: Value,
    pub(super) at: DateTime<Utc>,
}

impl Entry {
    /// What happened: the name of its event.
    pub(super) fn kind(&self) -> &str {
        text(&self.event["event"])
    }

    /// The act that it takes back or puts back.
    pub(super) fn named(&self) -> &str {
        text(&self.event["act"])
    }
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = diesel::sql_types::Text)]
    entry: String,
}

/// The whole journal, in the order in which it was written. That can be told from it because the year's acts
/// each have their own moment, or else follow each other in the same act.
pub(super) fn entries(database: &Database) -> Vec<Entry> {
    let mut connection = connect(&database.url.parse().unwrap(), Use::Read).unwrap();
    let from = "FROM journal j JOIN stream s ON s.id = j.stream ORDER BY j.at, j.act, j.stream, j.version";
    let rows: Vec<Row> = match &mut connection {
        AnyConnection::Sqlite(connection) => diesel::sql_query(format!(
            "SELECT json_object('stream', j.stream, 'of', s.kind, 'act', j.act, 'event', json(j.payload), 'at', j.at) \
             AS entry {from}"
        ))
        .load(connection)
        .unwrap(),
        AnyConnection::Postgres(connection) => diesel::sql_query(format!(
            "SELECT jsonb_build_object('stream', j.stream, 'of', s.kind, 'act', j.act, 'event', j.payload, 'at', j.at)::text \
             AS entry {from}"
        ))
        .load(connection)
        .unwrap(),
    };
    rows.iter().map(|row| serde_json::from_str(&row.entry).unwrap()).collect()
}

/// The entries of each stream of a kind that count in the end, in the order of their acts.
pub(super) fn effective<'e>(entries: &'e [Entry], of: &str) -> Vec<Vec<&'e Entry>> {
    let mut streams: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.of == of) {
        streams.entry(&entry.stream).or_default().push(entry);
    }
    streams.into_values().map(|stream| standing(&stream)).collect()
}

/// What is left of a stream: undo takes the newest act away, and redo brings it back.
fn standing<'e>(stream: &[&'e Entry]) -> Vec<&'e Entry> {
    let mut acts: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    let mut stands: Vec<&str> = Vec::new();
    for entry in stream {
        match entry.kind() {
            "undone" => {
                assert_eq!(stands.pop(), Some(entry.named()), "undo takes back the newest act");
            }
            "redone" => stands.push(entry.named()),
            _ => {
                if stands.last() != Some(&entry.act.as_str()) {
                    stands.push(&entry.act);
                }
                acts.entry(&entry.act).or_default().push(entry);
            }
        }
    }
    stands.iter().flat_map(|act| acts[act].iter().copied()).collect()
}

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} for a text"))
}

pub(super) fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} for a number"))
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} for a list"))
}

pub(super) fn day(value: &Value) -> NaiveDate {
    text(value).parse().unwrap()
}

/// The day on the club's clock.
pub(super) fn club_day(moment: DateTime<Utc>) -> NaiveDate {
    moment.with_timezone(&chrono_tz::Europe::Rome).date_naive()
}
