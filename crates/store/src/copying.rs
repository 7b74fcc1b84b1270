//! Copying a club, table by table, into an empty database of either kind.
//!
//! Nothing here knows what a table is for: tables and columns are those that the migrations make. A row
//! travels as a JSON array of its cells, written as SQLite stores them (bytes in hexadecimal), and becomes
//! what the target's column holds.

use std::io::ErrorKind;
use std::path::PathBuf;

use diesel::connection::{DefaultLoadingMode, SimpleConnection as _, TransactionManager as _};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};
use owlbox_base::journal::BrokenHistory;
use serde_json::Value;

use super::chain::Content;
use super::clubs::{IN_USE, OWN_SCHEMA};
use super::connection::AnyConnection;
use super::files::beside;
use super::kinds::{self, Column, Kind};
use super::migrations::RECORD;
use super::opening::{LOCK_PATIENCE, current, in_time, lock_file, make_new};
use super::schema::stream;
use super::types::Hash;
use super::{DatabaseUrl, Store, StoreError, backup, migrations, shape};

/// What stays behind: it is of the service that runs on the source, and not of the club.
const STAYS: [&str; 4] = [
    // Who is signed in there. In the copy everybody signs in anew.
    "session",
    "refresh_token",
    // Answers for those who repeat a command that they sent there.
    "idempotency",
    // Failed sign-ins of the last minutes.
    "sign_in_attempt",
];

/// What the target's own triggers make of the rows of other tables. It is compared, and not written.
const KEPT_BY_TRIGGERS: [&str; 6] =
    ["day_turnover", "month_turnover", "pair_turnover", "year_tally", "month_tally", "pair_tally"];

/// How many rows are read and written at a time.
const ROWS: usize = 1_000;

/// Why a club was not copied. Nothing of it was kept, unless it is [`Unanswered`](Self::Unanswered).
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("{0} has a club already: a copy needs an empty database")]
    Occupied(DatabaseUrl),
    #[error("a service has {0} open, and would not learn of its club: stop the service, and copy again")]
    InUse(DatabaseUrl),
    #[error("{} exists already: a copy needs a new file", .0.display())]
    Exists(PathBuf),
    #[error("{to} has the table {table}, which is not Owlbox's: give the club a schema of its own")]
    OthersTable { to: DatabaseUrl, table: String },
    /// The database was told to keep it, and did not answer that it has.
    #[error("it is not known whether the copy was kept; check with \"owlbox verify\": {0}")]
    Unanswered(diesel::result::Error),
    #[error("the table {0} differs in the copy, so nothing was kept")]
    Differs(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<diesel::result::Error> for CopyError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

/// Refuses a file or link that is there, and a PostgreSQL schema that a service has open, or that has a club
/// or another program's tables. The club may be of an older version.
///
/// # Errors
/// [`CopyError::Exists`], [`CopyError::Occupied`], [`CopyError::InUse`], [`CopyError::OthersTable`]; or it
/// cannot be read, or its schema is not what the program made.
pub fn expect_empty(to: &DatabaseUrl) -> Result<(), CopyError> {
    if let DatabaseUrl::Sqlite(path) = to {
        let is_there =
            [path.clone(), beside(path, "-wal")].iter().any(|file| file.symlink_metadata().is_ok());
        return if is_there { Err(CopyError::Exists(path.clone())) } else { Ok(()) };
    }
    let mut there = Store::open_as_it_is(to)?;
    if migrations::applied(&mut there)?.is_empty() {
        return match any_table(&mut there)? {
            Some(table) => Err(CopyError::OthersTable { to: to.clone(), table }),
            None => Ok(()),
        };
    }
    shape::admit(&mut there)?;
    expect_no_club(&mut there, to)?;
    expect_no_service(&mut there, to)
}

/// A table or view of the schema, if it has any but those of PostgreSQL's extensions.
fn any_table(connection: &mut AnyConnection) -> Result<Option<String>, StoreError> {
    let query = format!(
        "(SELECT min(relname::text) FROM pg_class c
         WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'f', 'v', 'm')
           AND relname <> '{RECORD}' AND NOT EXISTS (SELECT FROM pg_depend d
             WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'))"
    );
    Ok(diesel::select(sql::<Nullable<Text>>(&query)).get_result(connection)?)
}

fn expect_no_club(connection: &mut AnyConnection, to: &DatabaseUrl) -> Result<(), CopyError> {
    let streams: i64 = stream::table.count().get_result(connection)?;
    if streams == 0 { Ok(()) } else { Err(CopyError::Occupied(to.clone())) }
}

/// Refuses a PostgreSQL schema that a service has open, and keeps it so until the transaction ends, if there
/// is one. (A file has a lock of its own.)
fn expect_no_service(connection: &mut AnyConnection, to: &DatabaseUrl) -> Result<(), CopyError> {
    if let AnyConnection::Sqlite(_) = connection {
        return Ok(());
    }
    let query = format!("pg_try_advisory_xact_lock({IN_USE}, {OWN_SCHEMA})");
    let is_free = in_time(LOCK_PATIENCE, || {
        let taken: bool = diesel::select(sql::<Bool>(&query)).get_result(connection)?;
        Ok::<_, CopyError>(taken.then_some(()))
    })?;
    is_free.ok_or_else(|| CopyError::InUse(to.clone()))
}

/// Runs `work` in one transaction on an empty database: a new file, or a PostgreSQL database without a club.
/// Nothing of it is kept if it fails.
///
/// # Errors
/// What `work` returns; or there is a club, or the database cannot be opened, made or written.
pub fn into_empty<T, E: From<CopyError>>(
    to: &DatabaseUrl,
    work: impl FnOnce(&mut AnyConnection) -> Result<T, E>,
) -> Result<T, E> {
    expect_empty(to)?;
    let DatabaseUrl::Sqlite(path) = to else { return in_transaction(to, work) };
    make_new(path).map_err(|error| {
        let is_there = error.kind() == ErrorKind::AlreadyExists;
        let path = path.clone();
        if is_there { CopyError::Exists(path) } else { StoreError::File { path, error }.into() }
    })?;
    let locked = lock_file(path, LOCK_PATIENCE).map_err(CopyError::from)?;
    // Somebody else may have found the empty file before it was locked, and made a club of it.
    let is_empty = path.metadata().is_ok_and(|file| file.len() == 0) && !beside(path, "-wal").exists();
    if !is_empty {
        return Err(CopyError::Exists(path.clone()).into());
    }
    let worked = in_transaction(to, work);
    if worked.is_err() {
        backup::remove(path);
    }
    drop(locked);
    worked
}

fn in_transaction<T, E: From<CopyError>>(
    to: &DatabaseUrl,
    work: impl FnOnce(&mut AnyConnection) -> Result<T, E>,
) -> Result<T, E> {
    let mut connection = current(to).map_err(CopyError::from)?;
    AnyConnection::begin_transaction(&mut connection).map_err(CopyError::from)?;
    let worked = alone(&mut connection, to).map_err(E::from).and_then(|()| work(&mut connection));
    match worked {
        Ok(_) => AnyConnection::commit_transaction(&mut connection).map_err(CopyError::Unanswered)?,
        // The error that is told is the first; without a commit nothing is kept anyway.
        Err(_) => drop(AnyConnection::rollback_transaction(&mut connection)),
    }
    worked
}

/// Keeps everybody else from founding a club until the transaction ends. (A file is locked already.)
fn alone(connection: &mut AnyConnection, to: &DatabaseUrl) -> Result<(), CopyError> {
    if let AnyConnection::Postgres(postgres) = connection {
        postgres.batch_execute("LOCK TABLE stream IN EXCLUSIVE MODE")?;
    }
    expect_no_club(connection, to)?;
    expect_no_service(connection, to)
}

/// Copies a club, and compares every table of the copy with the original. `from` is at a snapshot, `to` in a
/// transaction. `tell` is told how many rows of how many are done.
///
/// # Errors
/// [`CopyError::Differs`], or a query failed.
pub fn copy(
    from: &mut AnyConnection,
    to: &mut AnyConnection,
    tell: &dyn Fn(usize, usize),
) -> Result<(), CopyError> {
    let tables = tables()?;
    // Each row is read here and there.
    let all = 2 * rows(from, &tables)?;
    let mut done = 0;
    let mut tell_more = |more| {
        done += more;
        tell(done, all);
    };
    let mut digests = Vec::new();
    for table in &tables {
        let is_written = !KEPT_BY_TRIGGERS.contains(&table.name.as_str());
        if is_written {
            // The migrations made the only row of some tables.
            to.batch_execute(&format!("DELETE FROM \"{}\"", table.name))?;
        }
        let digest = table.read(from, |lines| {
            tell_more(lines.len());
            if is_written { table.write(to, lines) } else { Ok(()) }
        })?;
        digests.push(digest);
    }
    for (table, digest) in tables.into_iter().zip(digests) {
        let arrived = table.read(to, |lines| {
            tell_more(lines.len());
            Ok(())
        })?;
        if arrived != digest {
            return Err(CopyError::Differs(table.name));
        }
    }
    Ok(())
}

struct Table {
    name: String,
    columns: Vec<Column>,
}

/// All tables that are copied, none before one that it refers to.
fn tables() -> Result<Vec<Table>, StoreError> {
    let mut tables: Vec<Table> = Vec::new();
    for column in kinds::columns()? {
        match tables.last_mut() {
            Some(table) if table.name == column.tabular => table.columns.push(column),
            _ => tables.push(Table { name: column.tabular.clone(), columns: vec![column] }),
        }
    }
    tables.retain(|table| !STAYS.contains(&table.name.as_str()));
    Ok(tables)
}

/// The number of rows of these tables.
fn rows(connection: &mut AnyConnection, tables: &[Table]) -> Result<usize, StoreError> {
    let counts: Vec<_> =
        tables.iter().map(|table| format!("(SELECT count(*) FROM \"{}\")", table.name)).collect();
    let count: i64 = diesel::select(sql::<BigInt>(&counts.join(" + "))).get_result(connection)?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// How many rows a table has, and all of their hashes in one: in whatever order, for the databases sort texts
/// differently.
#[derive(Debug, Default, PartialEq, Eq)]
struct Digest {
    rows: usize,
    sum: [u8; 32],
}

impl Table {
    /// Reads the table, and passes on its rows, some at a time.
    fn read(
        &self,
        connection: &mut AnyConnection,
        mut pass_on: impl FnMut(&[String]) -> Result<(), StoreError>,
    ) -> Result<Digest, StoreError> {
        let (array, cell): (_, fn(&Column) -> String) = match connection {
            AnyConnection::Sqlite(_) => ("json_array", read_from_sqlite),
            AnyConnection::Postgres(_) => ("json_build_array", read_from_postgres),
        };
        let cells: Vec<_> = self.columns.iter().map(cell).collect();
        // What rows of the same table refer to comes first: a transaction that takes another back is taken
        // back by none.
        let first = if self.name == "ledger_transaction" { "\"reverses\" IS NOT NULL, " } else { "" };
        let query = format!(
            "SELECT CAST({array}({}) AS TEXT) FROM \"{}\" ORDER BY {first}\"{}\"",
            cells.join(", "),
            self.name,
            self.columns.first().map_or("", |first| &first.name)
        );
        let mut digest = Digest::default();
        let mut take = |lines: Vec<String>| {
            lines.iter().try_for_each(|line| self.digest(line, &mut digest))?;
            pass_on(&lines)?;
            Ok::<_, StoreError>(lines.is_empty())
        };
        match connection {
            AnyConnection::Sqlite(sqlite) => {
                // Asked once more after its end, it would begin anew.
                let mut lines = sql::<Text>(&query).load_iter::<String, DefaultLoadingMode>(sqlite)?.fuse();
                while !take(lines.by_ref().take(ROWS).collect::<QueryResult<_>>()?)? {}
            }
            AnyConnection::Postgres(postgres) => {
                postgres.batch_execute(&format!("DECLARE copied NO SCROLL CURSOR FOR {query}"))?;
                let next = format!("FETCH {ROWS} FROM copied");
                while !take(sql::<Text>(&next).load(postgres)?)? {}
                postgres.batch_execute("CLOSE copied")?;
            }
        }
        Ok(digest)
    }

    /// Adds a row to a digest. PostgreSQL keeps JSON in an order of its own.
    fn digest(&self, line: &str, digest: &mut Digest) -> Result<(), StoreError> {
        let broken = |error: serde_json::Error| BrokenHistory(format!("table {}: {error}", self.name));
        let mut cells: Vec<Value> = serde_json::from_str(line).map_err(broken)?;
        for (cell, column) in cells.iter_mut().zip(&self.columns) {
            if let (Value::String(text), Kind::Json) = (&*cell, column.kind()) {
                *cell = serde_json::from_str(text).map_err(broken)?;
            }
        }
        let mut content = Content::after(&Hash::default());
        content.json(&Value::Array(cells));
        digest.rows += 1;
        digest.sum.iter_mut().zip(content.hash().0).for_each(|(sum, byte)| *sum ^= byte);
        Ok(())
    }

    /// Writes rows.
    fn write(&self, connection: &mut AnyConnection, lines: &[String]) -> Result<(), StoreError> {
        let (elements, cell): (_, fn(usize, &Column) -> String) = match connection {
            AnyConnection::Sqlite(_) => ("json_each($1)", write_to_sqlite),
            AnyConnection::Postgres(_) => {
                ("jsonb_array_elements(CAST($1 AS JSONB)) AS element (value)", write_to_postgres)
            }
        };
        let names: Vec<_> = self.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        let cells: Vec<_> = self.columns.iter().enumerate().map(|(at, column)| cell(at, column)).collect();
        let insert = format!(
            "INSERT INTO \"{}\" ({}) SELECT {} FROM {elements}",
            self.name,
            names.join(", "),
            cells.join(", ")
        );
        let all = format!("[{}]", lines.join(","));
        diesel::sql_query(insert).bind::<Text, _>(all).execute(connection)?;
        Ok(())
    }
}

fn read_from_sqlite(column: &Column) -> String {
    let name = format!("\"{}\"", column.name);
    if column.kind() == Kind::Bytes { format!("iif({name} IS NULL, NULL, lower(hex({name})))") } else { name }
}

fn read_from_postgres(column: &Column) -> String {
    let name = format!("\"{}\"", column.name);
    // In SQLite a year of five digits begins with a sign.
    let dated = |date: &str, pattern| {
        format!("CASE WHEN {date} >= '10000-01-01' THEN '+' ELSE '' END || to_char({date}, '{pattern}')")
    };
    match column.kind() {
        Kind::Boolean => format!("CAST({name} AS INTEGER)"),
        Kind::Bytes => format!("encode({name}, 'hex')"),
        Kind::Day => dated(&name, "YYYY-MM-DD"),
        Kind::Moment => dated(&format!("{name} AT TIME ZONE 'UTC'"), "YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\""),
        Kind::Id | Kind::Json => format!("CAST({name} AS TEXT)"),
        Kind::Integer | Kind::Text => name,
    }
}

fn write_to_sqlite(at: usize, column: &Column) -> String {
    let cell = format!("value ->> {at}");
    if column.kind() == Kind::Bytes { format!("unhex({cell})") } else { cell }
}

fn write_to_postgres(at: usize, column: &Column) -> String {
    let cell = format!("(value ->> {at})");
    match column.kind() {
        Kind::Boolean => format!("CAST({cell} AS BOOLEAN)"),
        Kind::Integer => format!("CAST({cell} AS BIGINT)"),
        Kind::Bytes => format!("decode({cell}, 'hex')"),
        Kind::Day => format!("CAST(ltrim({cell}, '+') AS DATE)"),
        Kind::Moment => format!("CAST(ltrim({cell}, '+') AS TIMESTAMPTZ)"),
        Kind::Id => format!("CAST({cell} AS UUID)"),
        Kind::Json => format!("CAST({cell} AS JSONB)"),
        Kind::Text => cell,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// So that a new table is either copied or said to stay behind.
    #[test]
    fn every_table_is_copied_or_named_here() {
        let copied: BTreeSet<_> = tables().unwrap().into_iter().map(|table| table.name).collect();
        assert!(KEPT_BY_TRIGGERS.iter().all(|table| copied.contains(*table)));
        let stays = STAYS.map(str::to_owned);
        assert!(stays.iter().all(|table| !copied.contains(table)));
        assert_eq!(copied.into_iter().chain(stays).collect::<BTreeSet<_>>(), shape::our_tables().unwrap());
    }

    /// Two databases in memory, the first with somebody who asks for a login.
    fn two() -> [AnyConnection; 2] {
        let [mut from, to] = [(); 2].map(|()| AnyConnection::Sqlite(shape::fresh_file(None).unwrap()));
        let ask = "INSERT INTO registration VALUES ('i', 'zoe', 'Zo\u{eb} {\"a\"}', 'x', 'now')";
        from.batch_execute(ask).unwrap();
        [from, to]
    }

    #[test]
    fn what_is_not_the_same_in_the_copy_is_noticed() {
        let [mut from, mut to] = two();
        copy(&mut from, &mut to, &|done, all| assert!(done <= all)).unwrap();
        for change in ["UPDATE registration SET name = 'Zoe'", "DELETE FROM registration"] {
            let [mut from, mut to] = two();
            to.batch_execute(&format!("CREATE TRIGGER a AFTER INSERT ON registration BEGIN {change}; END"))
                .unwrap();
            let refused = copy(&mut from, &mut to, &|_, _| {});
            assert!(matches!(refused, Err(CopyError::Differs(table)) if table == "registration"), "{change}");
        }
    }
}
