//! The schema's migrations: which the program knows, which a database has, and a database of a later version
//! refused.

use diesel::backend::Backend;
use diesel::connection::SimpleConnection as _;
use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel::sqlite::Sqlite;
use diesel_migrations::{EmbeddedMigrations, embed_migrations};

use super::StoreError;
use super::connection::AnyConnection;
use super::postgres::PgConnection;
use super::statement::SqlStatement;

pub(super) const SQLITE_MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
pub(super) const POSTGRES_MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");

/// The table in which a database notes what was applied to it, and how SQLite keeps its definition.
pub(super) const RECORD: &str = "__diesel_schema_migrations";
pub(super) const RECORD_MADE: &str = "CREATE TABLE __diesel_schema_migrations ( version VARCHAR(50) PRIMARY KEY NOT NULL, \
                           run_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP )";

/// Whether a table is ours or SQLite's own, though no migration makes it.
pub(super) fn is_own_record(table: &str) -> bool {
    table == RECORD || table.starts_with("sqlite_")
}

pub(super) fn failed(error: Box<dyn std::error::Error + Send + Sync>) -> StoreError {
    StoreError::Migration(error.to_string())
}

/// The migrations with these versions, or all, in the order they run.
pub(super) fn migrations<DB: Backend>(
    source: &impl MigrationSource<DB>,
    applied: Option<&[String]>,
) -> Result<Vec<Box<dyn Migration<DB>>>, StoreError> {
    let mut all = source.migrations().map_err(failed)?;
    if let Some(applied) = applied {
        all.retain(|migration| applied.contains(&migration.name().version().to_string()));
    }
    all.sort_by(|one, other| one.name().version().cmp(&other.name().version()));
    Ok(all)
}

/// The versions that the program knows, in order.
pub(super) fn versions<DB: Backend>(known: &impl MigrationSource<DB>) -> Result<Vec<String>, StoreError> {
    let known = migrations(known, None)?;
    Ok(known.iter().map(|migration| migration.name().version().to_string()).collect())
}

/// What was applied to a database, in order; nothing to one that is no club. Unlike Diesel, this writes
/// nothing.
///
/// # Errors
/// A query failed.
pub(super) fn applied(connection: &mut AnyConnection) -> Result<Vec<String>, StoreError> {
    match connection {
        AnyConnection::Sqlite(connection) => applied_to_sqlite(connection),
        AnyConnection::Postgres(connection) => applied_to_postgres(connection),
    }
}

const APPLIED_TO_SQLITE: &str = "SELECT version FROM __diesel_schema_migrations ORDER BY version";
/// In somebody else's schema the column may be of any type.
const APPLIED_TO_POSTGRES: &str = "SELECT version::text FROM __diesel_schema_migrations ORDER BY version";

pub(super) fn applied_to_sqlite(connection: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    // A view of that name would be a program.
    let is_there = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?)";
    if !SqlStatement::<Sqlite, Bool>::new(is_there).value::<Text, _>(RECORD).get_result(connection)? {
        return Ok(Vec::new());
    }
    Ok(SqlStatement::<Sqlite, Text>::new(APPLIED_TO_SQLITE).load(connection)?)
}

pub(super) fn applied_to_postgres(connection: &mut PgConnection) -> Result<Vec<String>, StoreError> {
    let is_there = "SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
                    AND relkind = 'r' AND relname = $1)";
    if !SqlStatement::<Pg, Bool>::new(is_there).value::<Text, _>(RECORD).get_result(connection)? {
        return Ok(Vec::new());
    }
    Ok(SqlStatement::<Pg, Text>::new(APPLIED_TO_POSTGRES).load(connection)?)
}

/// Whether all migrations this program knows have been applied.
///
/// # Errors
/// The query failed.
pub fn migrations_current(connection: &mut AnyConnection) -> Result<bool, StoreError> {
    let known = match connection {
        AnyConnection::Sqlite(_) => versions::<Sqlite>(&SQLITE_MIGRATIONS)?,
        AnyConnection::Postgres(_) => versions::<Pg>(&POSTGRES_MIGRATIONS)?,
    };
    let applied = applied(connection)?;
    Ok(known.iter().all(|version| applied.contains(version)))
}

/// Refuses a database with migrations this program does not know: it could not keep their tables up to date.
///
/// # Errors
/// [`StoreError::NewerDatabase`].
pub(super) fn refuse_unknown<DB: Backend>(
    known: &impl MigrationSource<DB>,
    applied: &[String],
) -> Result<(), StoreError> {
    let known = versions::<DB>(known)?;
    match applied.iter().find(|version| !known.contains(version)) {
        // What stands in a file may be anything.
        Some(version) => {
            Err(StoreError::NewerDatabase(version.chars().take(50).flat_map(char::escape_debug).collect()))
        }
        None => Ok(()),
    }
}

/// Rewrites a row unchanged, to find out whether the database can be written.
///
/// # Errors
/// It cannot.
pub(super) fn write_anew(connection: &mut AnyConnection) -> Result<(), StoreError> {
    connection.batch_execute(
        "UPDATE __diesel_schema_migrations SET version = version \
         WHERE version = (SELECT max(version) FROM __diesel_schema_migrations)",
    )?;
    Ok(())
}
