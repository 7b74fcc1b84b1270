//! Checks that every stored value has the type its column declares, and is written as the program writes it.
//!
//! PostgreSQL enforces that. SQLite accepts any value in any column, and reading one converts it where
//! comparing does not: a 2 is read as true but does not equal true, `12x` is read as 12. Ids, moments and
//! days are text, and can be spelt in several ways that read alike. So `owlbox verify` checks the stored
//! types and spellings.

use diesel::prelude::*;
use diesel::sql_types::Text;

use super::connection::AnyConnection;
use super::{StoreError, shape};

#[derive(QueryableByName)]
pub(super) struct Column {
    #[diesel(sql_type = Text)]
    pub(super) tabular: String,
    #[diesel(sql_type = Text)]
    pub(super) name: String,
    #[diesel(sql_type = Text)]
    declared: String,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    Integer,
    Bytes,
    Day,
    Id,
    Moment,
    Json,
    Text,
}

impl Column {
    pub(super) fn kind(&self) -> Kind {
        match self.declared.as_str() {
            "BOOLEAN" => Kind::Boolean,
            "SMALLINT" | "INTEGER" | "BIGINT" => Kind::Integer,
            "BLOB" => Kind::Bytes,
            "DATE" => Kind::Day,
            _ if is_id(&self.tabular, &self.name) => Kind::Id,
            _ if is_moment(&self.name) => Kind::Moment,
            _ if is_json(&self.name) => Kind::Json,
            _ => Kind::Text,
        }
    }
}

/// The columns of our tables and their declared types. Tables are in the order in which the migrations make
/// them, so that none comes before one that it refers to.
const COLUMNS: &str = "
    SELECT sqlite_master.name AS tabular, columns.name AS name, columns.type AS declared
    FROM sqlite_master JOIN pragma_table_info(sqlite_master.name) columns
    WHERE sqlite_master.type = 'table' AND sqlite_master.name NOT LIKE '\\_\\_diesel\\_%' ESCAPE '\\'
        AND sqlite_master.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    ORDER BY sqlite_master.rowid, columns.cid";

/// The columns of our tables, which are the same in both databases. The names are those that the migrations
/// make: whatever else a file has never gets into a statement.
pub(super) fn columns() -> Result<Vec<Column>, StoreError> {
    Ok(diesel::sql_query(COLUMNS).load(&mut shape::fresh_file(None)?)?)
}

/// The first table and column that hold a value of another type than declared.
///
/// # Errors
/// A query failed.
pub fn mistyped_column(connection: &mut AnyConnection) -> Result<Option<(String, String)>, StoreError> {
    match connection {
        AnyConnection::Sqlite(connection) => of_sqlite(connection),
        AnyConnection::Postgres(_) => Ok(None),
    }
}

fn of_sqlite(connection: &mut SqliteConnection) -> Result<Option<(String, String)>, StoreError> {
    for of_table in columns()?.chunk_by(|one, next| one.tabular == next.tabular) {
        let Some(Column { tabular, .. }) = of_table.first() else { continue };
        // One scan of the table checks all of its columns.
        let told = of_table.iter().map(|column| {
            let Column { name, .. } = column;
            format!("WHEN NOT (\"{name}\" IS NULL OR {}) THEN '{name}'", of_its_kind(column))
        });
        let told: Vec<String> = told.collect();
        let sql = format!(
            "SELECT '{tabular}' AS tabular, name, '' AS declared
             FROM (SELECT CASE {} END AS name FROM \"{tabular}\") WHERE name IS NOT NULL LIMIT 1",
            told.join(" ")
        );
        let found: Vec<Column> = diesel::sql_query(sql).load(connection)?;
        if let Some(Column { tabular, name, .. }) = found.into_iter().next() {
            return Ok(Some((tabular, name)));
        }
    }
    Ok(None)
}

/// The SQL condition a value of the column's kind fulfils.
fn of_its_kind(column: &Column) -> String {
    let name = &column.name;
    // Earlier versions accepted years of five digits, which begin with a sign.
    let signed = format!("\"{name}\" GLOB '[+-]*'");
    match column.kind() {
        Kind::Boolean => format!("(typeof(\"{name}\") = 'integer' AND \"{name}\" IN (0, 1))"),
        Kind::Integer => format!("typeof(\"{name}\") = 'integer'"),
        Kind::Bytes => format!("typeof(\"{name}\") = 'blob'"),
        Kind::Day => format!("(\"{name}\" IS date(\"{name}\") OR {signed})"),
        Kind::Id => format!("\"{name}\" GLOB '{}'", id()),
        Kind::Moment => format!("(\"{name}\" GLOB '{}' OR {signed})", moment()),
        // Of JSON, reading it checks the form.
        Kind::Json | Kind::Text => format!("typeof(\"{name}\") = 'text'"),
    }
}

/// Whether a column holds ids. A rating's winner is a player, a match's is a slot.
fn is_id(table: &str, name: &str) -> bool {
    let ids = [
        "id",
        "account",
        "act",
        "chouette",
        "counterparty",
        "holder",
        "ledger_transaction",
        "loser",
        "lower_player",
        "opponent",
        "player",
        "reader",
        "reverses",
        "webhook",
        "session",
        "stream",
        "tournament",
        "upper_player",
    ];
    ids.contains(&name) || (name == "winner" && ["rated_match", "tournament_match"].contains(&table))
}

/// Whether a column holds moments.
fn is_moment(name: &str) -> bool {
    name == "at" || name.ends_with("_at") || name.ends_with("_since") || name == "window_start"
}

/// Whether a column holds JSON.
fn is_json(name: &str) -> bool {
    ["payload", "settings"].contains(&name)
}

/// So many characters of a set.
fn several(set: &str, many: usize) -> String {
    set.repeat(many)
}

/// `01a219d0-77eb-74e3-b860-4e47b56b0ade`.
fn id() -> String {
    [8, 4, 4, 4, 12].map(|many| several("[0-9a-f]", many)).join("-")
}

/// `2026-11-26T21:00:00.000000Z`.
fn moment() -> String {
    let digits = |many| several("[0-9]", many);
    let [day, time] = [[4, 2, 2].map(digits).join("-"), [2, 2, 2].map(digits).join(":")];
    format!("{day}T{time}.{}Z", digits(6))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns of the schema: table, name and type.
    fn declared() -> Vec<(&'static str, &'static str, &'static str)> {
        let (mut columns, mut table) = (Vec::new(), "");
        for line in include_str!("schema.rs").lines().map(str::trim) {
            match line.split_once(" -> ") {
                Some((name, declared)) => columns.push((table, name, declared)),
                None if line.ends_with(") {") => table = line.split(' ').next().unwrap_or_default(),
                None => {}
            }
        }
        columns
    }

    #[test]
    fn ids_moments_and_json_are_known_by_the_names_of_their_columns() {
        let columns = declared();
        assert!(columns.len() > 150, "{}", columns.len());
        // A number needs no spelling: tables of a single row have one for an id.
        let spelt = columns.into_iter().filter(|(_, _, declared)| !declared.contains("Int"));
        for (table, name, declared) in spelt {
            let name = name.trim_end_matches('_');
            assert_eq!(is_id(table, name), declared.contains("types::Id"), "{table} {name}");
            assert_eq!(is_moment(name), declared.contains("types::UtcTime"), "{table} {name}");
            assert_eq!(is_json(name), declared.contains("types::JsonDoc"), "{table} {name}");
        }
    }
}
