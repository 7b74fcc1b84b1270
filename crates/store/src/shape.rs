//! The shape of the database (tables, columns, indexes, constraints, triggers and their functions, views) as
//! it is, and as the migrations make it.
//!
//! What is written in a schema runs: a trigger whenever a row is written, a view whenever it is read. A
//! club's database can come from anybody, so nothing of it is used before [`admit`] has compared the two
//! shapes. The journal does not record what a foreign trigger does to the tables, so `owlbox verify` compares
//! them too.
//!
//! The second shape is made on the spot: in memory on SQLite, in a temporary schema inside a transaction that
//! is rolled back on PostgreSQL.

mod postgres;
mod sqlite;

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};

use super::StoreError;
use super::connection::AnyConnection;
use super::migrations::{failed, migrations};
use super::statement::SqlStatement;

pub(super) use postgres::admit as admit_schema;
pub(super) use sqlite::{admit as admit_file, fresh as fresh_file, guards, our_tables};

/// The definition of every object, by kind and name.
pub type Shape = BTreeMap<(String, String), String>;

#[derive(Clone, QueryableByName)]
struct Object {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    name: String,
    /// The table that it belongs to, or its own name.
    #[diesel(sql_type = Text)]
    on_table: String,
    #[diesel(sql_type = Nullable<Text>)]
    definition: Option<String>,
}

impl Object {
    fn by(&self) -> (&str, &str) {
        (&self.kind, &self.name)
    }

    /// For messages and for comparing: on one line, and without what would move a terminal's cursor.
    fn shape(&self, definition: &str) -> ((String, String), String) {
        ((printable(&self.kind), printable(&self.name)), printable(definition))
    }

    fn definition(&self) -> &str {
        self.definition.as_deref().unwrap_or("")
    }
}

/// The most objects that a refusal names, and the most characters of each name.
const MOST_NAMED: usize = 5;
const LONGEST_NAME: usize = 120;

/// The shape the database has, and the shape the migrations make. `None` where that cannot be made: on a
/// read-only PostgreSQL server, or with a login that may not create a schema.
///
/// # Errors
/// A query or a migration failed.
pub fn both(connection: &mut AnyConnection) -> Result<Option<(Shape, Shape)>, StoreError> {
    match connection {
        AnyConnection::Sqlite(connection) => Ok(Some(sqlite::both(connection)?)),
        AnyConnection::Postgres(connection) => postgres::both(connection),
    }
}

/// Refuses a database whose shape is not what the migrations made that it says it has. Tables that are not
/// ours are left: their names are returned. On PostgreSQL nothing is compared where [`both`] cannot.
///
/// # Errors
/// [`StoreError::Foreign`]; the database is of a later version; a query or a migration failed.
pub fn admit(connection: &mut AnyConnection) -> Result<Vec<String>, StoreError> {
    match connection {
        AnyConnection::Sqlite(connection) => sqlite::admit(connection),
        AnyConnection::Postgres(connection) => postgres::admit(connection),
    }
}

/// What was found, beside what should be there.
struct Compared<'a> {
    found: &'a [Object],
    /// What the database's own migrations make.
    made: &'a [Object],
    /// The names of all tables that are ours in any version.
    ours: &'a BTreeSet<String>,
}

impl Compared<'_> {
    /// Whether an object is a foreign table, or a part of one, that can do nothing: nobody writes to it, and
    /// reads it.
    fn is_left(&self, object: &Object, harmless: impl Fn(&Object) -> bool) -> bool {
        let name = object.on_table.to_lowercase();
        !self.ours.contains(&name) && harmless(object)
    }

    /// The names of the tables that are not ours.
    ///
    /// # Errors
    /// [`StoreError::Foreign`] names everything else that differs.
    fn judged(
        &self,
        same: impl Fn(&Object, &Object) -> bool,
        harmless: impl Fn(&Object) -> bool,
    ) -> Result<Vec<String>, StoreError> {
        let mut missing: BTreeMap<_, _> = self.made.iter().map(|made| (made.by(), made)).collect();
        let (mut wrong, mut different, mut left) = (Vec::new(), Vec::new(), Vec::new());
        for object in self.found {
            match missing.remove(&object.by()) {
                Some(made) if same(object, made) => {}
                Some(_) => different.push(format!("{} differs", told(object))),
                None if self.is_left(object, &harmless) => {
                    if object.kind == "table" {
                        left.push(shown(&object.name));
                    }
                }
                None => wrong.push(object),
            }
        }
        // What is foreign comes first, and of that what runs: it says most.
        wrong.sort_by_key(|object| !runs(object));
        let wrong = wrong.into_iter().map(|object| format!("{} is not Owlbox's", told(object)));
        let mut wrong: Vec<String> = wrong.chain(different).collect();
        wrong.extend(missing.values().map(|made| format!("{} is missing", told(made))));
        if wrong.is_empty() {
            return Ok(left);
        }
        let more = wrong.len().saturating_sub(MOST_NAMED);
        wrong.truncate(MOST_NAMED);
        if more > 0 {
            wrong.push(format!("and {more} more"));
        }
        Err(StoreError::Foreign(wrong.join(", ")))
    }
}

fn runs(object: &Object) -> bool {
    matches!(object.kind.as_str(), "trigger" | "rule" | "function" | "operator" | "view")
}

fn told(object: &Object) -> String {
    format!("{} {}", printable(&object.kind), shown(&object.name))
}

/// A text without control characters: what stands in a file may be anything.
fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() { printable.extend(letter.escape_debug()) } else { printable.push(letter) }
    }
    printable
}

/// A name for a message, in quotes.
fn shown(name: &str) -> String {
    format!("{:?}", name.chars().take(LONGEST_NAME).collect::<String>())
}

#[cfg(test)]
mod tests;
