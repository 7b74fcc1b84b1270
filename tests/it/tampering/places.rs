//! The places in a database that can be tampered with, and the changes to them.

use std::collections::{BTreeMap, BTreeSet};

use diesel::connection::SimpleConnection as _;
use owlbox_store::{AnyConnection, StoreError, guards};
use serde_json::{Map, Value};

use super::club::Lots;
use crate::support::databases::lines;

/// The tables that `verify` checks, with their keys. All others are plain records.
const TABLES: [(&str, &[&str]); 26] = [
    ("stream", &["id"]),
    ("journal", &["stream", "version"]),
    ("club", &["id"]),
    ("player", &["id"]),
    ("account", &["id"]),
    ("chouette", &["id"]),
    ("seat", &["chouette", "player"]),
    ("\"match\"", &["id"]),
    ("tournament", &["id"]),
    ("entrant", &["tournament", "player"]),
    ("tournament_match", &["tournament", "division", "number"]),
    ("ledger_transaction", &["id"]),
    ("posting", &["holder", "unit", "sequence"]),
    ("balance", &["holder", "unit"]),
    ("day_turnover", &["holder", "unit", "day", "kind"]),
    ("month_turnover", &["holder", "unit", "month", "kind"]),
    ("book_chain", &["number"]),
    ("book_head", &["id"]),
    ("rated_match", &["stream", "division", "number"]),
    ("rating", &["player"]),
    (
        "game_tally",
        &["player", "opponent", "day", "kind", "variant", "began", "role", "result", "ending", "cube"],
    ),
    (
        "year_tally",
        &["player", "opponent", "year", "kind", "variant", "began", "role", "result", "ending", "cube"],
    ),
    ("month_tally", &["player", "opponent", "year", "month", "kind", "variant", "began", "result"]),
    ("pair_tally", &["player", "opponent", "kind", "variant", "began", "result"]),
    ("pair_turnover", &["holder", "unit", "counterparty", "month"]),
    ("idempotency", &["account", "key"]),
];

/// The sort of place that a change is made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    /// In the payload of an entry of the journal.
    Payload,
    /// In another column of the journal.
    Entry,
    /// In a column of another table.
    Derived,
}

type Row = Map<String, Value>;

pub(super) struct Places {
    tables: Vec<(&'static str, Vec<Row>)>,
    /// The entries of the journal by the stream's kind and the event's kind.
    entries: BTreeMap<String, Vec<Row>>,
    /// The values at each place of payloads.
    said: BTreeMap<String, BTreeSet<String>>,
}

/// A change of one column of one row.
pub(super) struct Change {
    pub(super) sort: Sort,
    /// The place as the list of the unknowable names it: `chouette opened name`, `journal at`, `seat score`.
    pub(super) place: String,
    table: &'static str,
    column: String,
    row: Row,
    to: Value,
    /// The value within the column before and after the change.
    within: (Value, Value),
}

/// Whether the database accepted the change.
pub(super) enum Changed {
    Done,
    Refused,
}

fn rows(connection: &mut AnyConnection, table: &str) -> Vec<Row> {
    let sql = match connection {
        AnyConnection::Sqlite(_) => {
            let bare = table.trim_matches('"');
            let columns =
                format!("SELECT name AS line FROM pragma_table_info('{bare}') WHERE type <> 'BLOB'");
            let columns = lines(connection, &columns);
            let columns: Vec<String> = columns.iter().map(|name| format!("'{name}', \"{name}\"")).collect();
            format!("SELECT json_object({}) AS line FROM {table} ORDER BY 1", columns.join(", "))
        }
        AnyConnection::Postgres(_) => format!("SELECT to_jsonb(t)::text AS line FROM {table} t ORDER BY 1"),
    };
    let rows = lines(connection, &sql);
    rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect()
}

/// Has the database let through what its constraints would refuse.
pub(super) fn unchecked(connection: &mut AnyConnection) {
    let off = match connection {
        AnyConnection::Sqlite(_) => "PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF",
        AnyConnection::Postgres(_) => "SET session_replication_role = replica",
    };
    connection.batch_execute(off).unwrap();
}

/// A value as an SQL literal. Every column accepts it as text.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::String(text) => format!("'{}'", text.replace('\'', "''")),
        other => format!("'{}'", other.to_string().replace('\'', "''")),
    }
}

/// The payload of a row, which SQLite stores as text.
fn payload(row: &Row) -> Value {
    match &row["payload"] {
        Value::String(text) => serde_json::from_str(text).unwrap(),
        value => value.clone(),
    }
}

/// Every scalar in a payload, by its pointer and by its place, which is the same for all elements of a list.
fn leaves(value: &Value, pointer: &str, place: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                // A key that is an id is not part of the place: two players' stakes are one place.
                let named = if uuid::Uuid::parse_str(name).is_ok() { "*" } else { name };
                let place = if place.is_empty() { named.to_owned() } else { format!("{place}.{named}") };
                leaves(field, &format!("{pointer}/{name}"), &place, found);
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                leaves(item, &format!("{pointer}/{number}"), &format!("{place}[]"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.push((pointer.to_owned(), place.to_owned()));
        }
    }
}

impl Places {
    pub(super) fn new(connection: &mut AnyConnection) -> Self {
        unchecked(connection);
        let tables: Vec<(&str, Vec<Row>)> =
            TABLES.iter().map(|(table, _)| (*table, rows(connection, table))).collect();
        let kind = |row: &Row| {
            let (_, streams) = &tables[0];
            let stream = streams.iter().find(|stream| stream["id"] == row["stream"]).unwrap();
            format!("{} {}", stream["kind"].as_str().unwrap(), row["kind"].as_str().unwrap())
        };
        let mut entries: BTreeMap<String, Vec<Row>> = BTreeMap::new();
        let mut said: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for row in &tables[1].1 {
            let (payload, mut found) = (payload(row), Vec::new());
            leaves(&payload, "", "", &mut found);
            for (pointer, place) in found {
                let value = payload.pointer(&pointer).unwrap().to_string();
                said.entry(format!("{} {place}", kind(row))).or_default().insert(value);
            }
            entries.entry(kind(row)).or_default().push(row.clone());
        }
        Self { tables, entries, said }
    }

    /// The kinds of entries in the journal.
    pub(super) fn kinds(&self) -> Vec<&str> {
        self.entries.keys().map(String::as_str).collect()
    }

    /// A change of one place. Rare kinds of entries are as likely as frequent ones.
    pub(super) fn change(&self, lots: &mut Lots) -> Change {
        loop {
            let change = match lots.below(10) {
                0..=6 => self.of_payload(lots),
                7 | 8 => self.of_entry(lots),
                _ => self.of_table(lots),
            };
            if let Some(change) = change {
                return change;
            }
        }
    }

    fn of_payload(&self, lots: &mut Lots) -> Option<Change> {
        let kinds = self.kinds();
        let kind = kinds[lots.below(kinds.len())];
        let row = lots.one(&self.entries[kind]).clone();
        let (was, mut found) = (payload(&row), Vec::new());
        leaves(&was, "", "", &mut found);
        if found.is_empty() {
            return None;
        }
        let places: BTreeSet<String> = found.iter().map(|(_, place)| place.clone()).collect();
        let places: Vec<String> = places.into_iter().collect();
        let chosen = lots.one(&places);
        let pointers: Vec<&String> =
            found.iter().filter(|(_, place)| place == chosen).map(|(pointer, _)| pointer).collect();
        let pointer = *lots.one(&pointers);
        let place = format!("{kind} {chosen}");
        let value = was.pointer(pointer)?.clone();
        let said: Vec<&String> = self.said[&place].iter().collect();
        let other = match lots.below(2) {
            0 => serde_json::from_str(said[lots.below(said.len())]).unwrap(),
            _ => another(lots, &value)?,
        };
        if other == value {
            return None;
        }
        let mut is = was.clone();
        *is.pointer_mut(pointer)? = other.clone();
        let to = match &row["payload"] {
            Value::String(_) => Value::String(is.to_string()),
            _ => is,
        };
        let (table, column) = ("journal", "payload".to_owned());
        Some(Change { sort: Sort::Payload, place, table, column, row, to, within: (value, other) })
    }

    fn of_entry(&self, lots: &mut Lots) -> Option<Change> {
        let kinds = self.kinds();
        let kind = kinds[lots.below(kinds.len())];
        let row = lots.one(&self.entries[kind]).clone();
        let columns = ["stream", "version", "act", "kind", "format", "account", "at"];
        let column = columns[lots.below(columns.len())];
        self.of_column(lots, ("journal", column), row, Sort::Entry)
    }

    fn of_table(&self, lots: &mut Lots) -> Option<Change> {
        let tables: Vec<_> =
            self.tables.iter().filter(|(table, rows)| *table != "journal" && !rows.is_empty()).collect();
        let (table, rows) = tables[lots.below(tables.len())];
        let row = lots.one(rows).clone();
        let columns: Vec<String> = row.keys().cloned().collect();
        let column = lots.one(&columns).clone();
        self.of_column(lots, (table, &column), row, Sort::Derived)
    }

    /// Another value for the column, or the value of another row.
    fn of_column(
        &self,
        lots: &mut Lots,
        (table, column): (&'static str, &str),
        row: Row,
        sort: Sort,
    ) -> Option<Change> {
        let (_, rows) = self.tables.iter().find(|(name, _)| *name == table)?;
        let value = row.get(column)?.clone();
        let to = match lots.below(2) {
            0 => lots.one(rows).get(column)?.clone(),
            _ => another(lots, &value)?,
        };
        let place = format!("{} {column}", table.trim_matches('"'));
        let within = (value.clone(), to.clone());
        let column = column.to_owned();
        (to != value).then_some(Change { sort, place, table, column, row, to, within })
    }
}

/// The value with one digit or letter changed, or the other boolean.
fn another(lots: &mut Lots, value: &Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Bool(is) => Some(Value::Bool(!is)),
        Value::Number(number) => {
            let text = another_text(lots, &number.to_string(), |c| c.is_ascii_digit())?;
            let number: i64 = text.parse().ok()?;
            Some(Value::from(number))
        }
        Value::String(text) => another_text(lots, text, |c| c.is_ascii_alphanumeric()).map(Value::String),
        Value::Array(_) | Value::Object(_) => inside(lots, value),
    }
}

/// The value with one scalar within it changed.
fn inside(lots: &mut Lots, value: &Value) -> Option<Value> {
    let mut found = Vec::new();
    leaves(value, "", "", &mut found);
    let (pointer, _) = (!found.is_empty()).then(|| lots.one(&found))?;
    let mut is = value.clone();
    *is.pointer_mut(pointer)? = another(lots, value.pointer(pointer)?)?;
    Some(is)
}

fn another_text(lots: &mut Lots, text: &str, counts: impl Fn(char) -> bool) -> Option<String> {
    let places: Vec<usize> = text.char_indices().filter(|(_, c)| counts(*c)).map(|(at, _)| at).collect();
    let at = *(!places.is_empty()).then(|| lots.one(&places))?;
    let was = text[at..].chars().next()?;
    let of = if was.is_ascii_digit() { "0123456789" } else { "abcdef" };
    let of: Vec<char> = of.chars().filter(|c| *c != was).collect();
    let mut is = text.to_owned();
    is.replace_range(at..=at, &lots.one(&of).to_string());
    Some(is)
}

/// Changes what the database itself would not let anybody change.
fn unguarded(connection: &mut AnyConnection, sql: &str) -> Result<(), StoreError> {
    guards::lifted(connection, |connection| Ok(connection.batch_execute(sql)?))
}

impl Change {
    fn update(&self, from: &Row, to: &Value) -> String {
        let (_, keys) = TABLES.iter().find(|(table, _)| *table == self.table).unwrap();
        let row: Vec<String> = keys.iter().map(|key| format!("{key} = {}", literal(&from[*key]))).collect();
        format!("UPDATE {} SET {} = {} WHERE {}", self.table, self.column, literal(to), row.join(" AND "))
    }

    pub(super) fn carried_out(&self, connection: &mut AnyConnection) -> Changed {
        match unguarded(connection, &self.update(&self.row, &self.to)) {
            Ok(()) => Changed::Done,
            Err(_) => Changed::Refused,
        }
    }

    /// Reverts the change, so that the next one starts from the same club.
    pub(super) fn taken_back(&self, connection: &mut AnyConnection) {
        let mut changed = self.row.clone();
        changed.insert(self.column.clone(), self.to.clone());
        unguarded(connection, &self.update(&changed, &self.row[&self.column])).unwrap();
    }

    /// The change in words, for a person to look at.
    pub(super) fn description(&self) -> String {
        let row: Vec<String> = self.row.values().map(ToString::to_string).collect();
        format!("{} instead of {} in {}", self.within.1, self.within.0, row.join(" "))
    }
}
