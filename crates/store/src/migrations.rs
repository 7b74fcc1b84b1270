//! The schema's migrations: which the program knows, which a database has, and a database of a later version refused.

use diesel::connection::SimpleConnection as _;
use diesel::migration::MigrationSource;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel::sqlite::Sqlite;
use diesel_migrations::{EmbeddedMigrations, embed_migrations};

use super::StoreError;
use super::connection::AnyConnection;
use super::postgres::PgConnection;

pub(super) const SQLITE_MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
pub(super) const POSTGRES_MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");

/// The table in which a database notes what was applied to it, and how SQLite keeps its definition.
pub(super) const RECORD: &str = "__diesel_schema_migrations";
pub(super) const RECORD_MADE: &str = "CREATE TABLE __diesel_schema_migrations ( version VARCHAR(50) PRIMARY KEY NOT NULL, \
                           run_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP )";

#[derive(QueryableByName)]
struct Applied {
    #[diesel(sql_type = Text)]
    version: String,
}

#[derive(QueryableByName)]
struct YesOrNo {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

/// Whether a table is ours or SQLite's own, though no migration makes it.
pub(super) fn is_own_record(table: &str) -> bool {
    table == RECORD || table.starts_with("sqlite_")
}

pub(super) fn failed(error: Box<dyn std::error::Error + Send + Sync>) -> StoreError {
    StoreError::Migration(error.to_string())
}

/// The versions that the program knows, in order.
pub(super) fn versions<DB: diesel::backend::Backend>(
    known: &EmbeddedMigrations,
) -> Result<Vec<String>, StoreError>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let known = MigrationSource::<DB>::migrations(known).map_err(failed)?;
    let mut versions: Vec<String> =
        known.iter().map(|migration| migration.name().version().to_string()).collect();
    versions.sort();
    Ok(versions)
}

/// What was applied to a database, in order; nothing to one that is no club. Unlike Diesel, this writes nothing.
///
/// # Errors
/// A query failed.
pub(super) fn applied(connection: &mut AnyConnection) -> Result<Vec<String>, StoreError> {
    match connection {
        AnyConnection::Sqlite(connection) => applied_to_sqlite(connection),
        AnyConnection::Postgres(connection) => applied_to_postgres(connection),
    }
}

const APPLIED: &str = "SELECT version::text AS version FROM __diesel_schema_migrations ORDER BY version";

pub(super) fn applied_to_sqlite(connection: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    // A view of that name would be a program.
    let is_there = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?) AS yes";
    let is_there: YesOrNo = diesel::sql_query(is_there).bind::<Text, _>(RECORD).get_result(connection)?;
    if !is_there.yes {
        return Ok(Vec::new());
    }
    let applied: Vec<Applied> = diesel::sql_query(APPLIED.replace("::text", "")).load(connection)?;
    Ok(applied.into_iter().map(|applied| applied.version).collect())
}

pub(super) fn applied_to_postgres(connection: &mut PgConnection) -> Result<Vec<String>, StoreError> {
    let is_there = "SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
                    AND relkind = 'r' AND relname = $1) AS yes";
    let is_there: YesOrNo = diesel::sql_query(is_there).bind::<Text, _>(RECORD).get_result(connection)?;
    if !is_there.yes {
        return Ok(Vec::new());
    }
    let applied: Vec<Applied> = diesel::sql_query(APPLIED).load(connection)?;
    Ok(applied.into_iter().map(|applied| applied.version).collect())
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
pub(super) fn refuse_unknown<DB: diesel::backend::Backend>(
    known: &EmbeddedMigrations,
    applied: &[String],
) -> Result<(), StoreError>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
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
