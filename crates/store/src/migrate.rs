//! The schema's migrations: applied when a store opens, and a database of a later version refused.

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use super::StoreError;
use super::connection::AnyConnection;

pub(super) const SQLITE_MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
pub(super) const POSTGRES_MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");

/// Applies the pending migrations. Safe when several instances start at once.
///
/// # Errors
/// A migration failed, or the database is newer than this program.
pub fn migrate(connection: &mut AnyConnection) -> Result<(), StoreError> {
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| StoreError::Migration(error.to_string());
    match connection {
        AnyConnection::Sqlite(connection) => {
            refuse_newer(connection, SQLITE_MIGRATIONS)?;
            connection.run_pending_migrations(SQLITE_MIGRATIONS).map_err(failed)?;
        }
        AnyConnection::Postgres(connection) => {
            // Makes instances that start together take turns, at each club by itself. Any fixed number does.
            const TURNS: &str = "1870097007, \
                 (SELECT oid::int8::bit(32)::int4 FROM pg_namespace WHERE nspname = current_schema())";
            diesel::sql_query(format!("SELECT pg_advisory_lock({TURNS})")).execute(connection)?;
            let outcome = refuse_newer(connection, POSTGRES_MIGRATIONS).and_then(|()| {
                connection.run_pending_migrations(POSTGRES_MIGRATIONS).map_err(failed).map(drop)
            });
            diesel::sql_query(format!("SELECT pg_advisory_unlock({TURNS})")).execute(connection)?;
            outcome?;
        }
    }
    Ok(())
}

/// Whether all migrations this program knows have been applied.
///
/// # Errors
/// The query failed.
pub fn migrations_current(connection: &mut AnyConnection) -> Result<bool, StoreError> {
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| StoreError::Migration(error.to_string());
    match connection {
        AnyConnection::Sqlite(connection) => {
            connection.has_pending_migration(SQLITE_MIGRATIONS).map(|pending| !pending).map_err(failed)
        }
        AnyConnection::Postgres(connection) => {
            connection.has_pending_migration(POSTGRES_MIGRATIONS).map(|pending| !pending).map_err(failed)
        }
    }
}

/// Refuses a SQLite database made by a later version of this program.
///
/// # Errors
/// [`StoreError::NewerDatabase`], or the query failed.
pub(super) fn refuse_newer_sqlite(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    refuse_newer(connection, SQLITE_MIGRATIONS)
}

/// Refuses a database with migrations this program does not know: it could not keep their tables up to date.
fn refuse_newer<DB, C>(connection: &mut C, known: EmbeddedMigrations) -> Result<(), StoreError>
where
    DB: diesel::backend::Backend,
    C: MigrationHarness<DB>,
    EmbeddedMigrations: diesel::migration::MigrationSource<DB>,
{
    use diesel::migration::MigrationSource;
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| StoreError::Migration(error.to_string());
    let known: Vec<_> =
        known.migrations().map_err(failed)?.iter().map(|m| m.name().version().as_owned()).collect();
    let applied = connection.applied_migrations().map_err(failed)?;
    match applied.iter().find(|version| !known.contains(version)) {
        Some(version) => Err(StoreError::NewerDatabase(version.to_string())),
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
