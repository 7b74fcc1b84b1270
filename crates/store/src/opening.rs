//! How a database is opened: for reading, as it is, or migrated and the service's own; and what keeps others
//! off a file.

use std::fs::TryLockError;
use std::path::Path;
use std::time::{Duration, Instant};

use diesel::RunQueryDsl as _;
use diesel::pg::Pg;
use diesel::sqlite::Sqlite;
use diesel_migrations::MigrationHarness as _;

use super::clubs::OWN_SCHEMA;
use super::connection::{AnyConnection, Use, connect, is_served};
use super::migrations::{
    self, POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS, failed, migrations_current, refuse_unknown,
};
use super::postgres::PgConnection;
use super::{DatabaseUrl, Options, Store, StoreError, backup, files, fill, shape, stale_log};

impl Store {
    /// [`open`](Self::open) for a command that is not there to make a club.
    ///
    /// # Errors
    /// As `open`, or there is no club: nothing is made then.
    pub fn open_existing(url: &DatabaseUrl, options: &Options) -> Result<Self, StoreError> {
        if migrations::applied(&mut Self::open_as_it_is(url)?)?.is_empty() {
            return Err(StoreError::NoClub);
        }
        Self::open(url, options)
    }

    /// Opens an existing database for reading only. Others may be using it.
    ///
    /// # Errors
    /// It does not exist, cannot be opened, or is not migrated to this version; or, on SQLite, its schema is
    /// not what the program made.
    pub fn open_for_reading(url: &DatabaseUrl) -> Result<AnyConnection, StoreError> {
        let mut connection = Self::open_to_verify(url)?;
        if let AnyConnection::Sqlite(sqlite) = &mut connection {
            shape::admit_file(sqlite)?;
        }
        Ok(connection)
    }

    /// Like [`open_for_reading`](Self::open_for_reading), whatever the schema is: for `verify`, which
    /// compares it itself.
    ///
    /// # Errors
    /// It does not exist, cannot be opened, or is not migrated to this version.
    pub fn open_to_verify(url: &DatabaseUrl) -> Result<AnyConnection, StoreError> {
        let mut connection = Self::open_as_it_is(url)?;
        if migrations_current(&mut connection)? {
            return Ok(connection);
        }
        if let AnyConnection::Sqlite(sqlite) = &mut connection {
            shape::admit_file(sqlite)?;
        }
        if migrations::applied(&mut connection)?.is_empty() {
            return Err(StoreError::NoClub);
        }
        Err(StoreError::Migration("the database is not up to date: start the service once".into()))
    }

    /// Opens an existing database of any version for reading only.
    pub(super) fn open_as_it_is(url: &DatabaseUrl) -> Result<AnyConnection, StoreError> {
        if let DatabaseUrl::Sqlite(path) = url {
            std::fs::metadata(path).map_err(|error| StoreError::File { path: path.clone(), error })?;
            if !is_served(path) {
                stale_log::refuse(path)?;
            }
        }
        connect(url, Use::Read)
    }
}

/// A connection to a database that is migrated to this version.
pub(super) fn current(url: &DatabaseUrl) -> Result<AnyConnection, StoreError> {
    let mut connection = connect(url, Use::Write)?;
    if let (DatabaseUrl::Sqlite(path), AnyConnection::Sqlite(sqlite)) = (url, &mut connection) {
        for table in shape::admit_file(sqlite)? {
            tracing::warn!(database = %url, table, "leaving a table unchanged that is not Owlbox's");
        }
        backup::keep_before_migrating(sqlite, path)?;
    }
    migrated(connection)
}

/// The connection, with the database migrated to this version.
pub(super) fn migrated(mut connection: AnyConnection) -> Result<AnyConnection, StoreError> {
    migrate(&mut connection)?;
    fill::fill(&mut connection)?;
    Ok(connection)
}

/// Applies the pending migrations. Safe when several instances start at once.
///
/// # Errors
/// A migration failed, or the database is newer than this program. On PostgreSQL also: it is older, and its
/// schema is not what that version made.
fn migrate(connection: &mut AnyConnection) -> Result<(), StoreError> {
    match connection {
        AnyConnection::Sqlite(connection) => {
            refuse_unknown::<Sqlite>(&SQLITE_MIGRATIONS, &migrations::applied_to_sqlite(connection)?)?;
            connection.run_pending_migrations(SQLITE_MIGRATIONS).map_err(failed)?;
        }
        AnyConnection::Postgres(connection) => {
            // Makes instances that start together take turns, at each club by itself. Any fixed number does.
            const TURNS: i32 = 1_870_097_007;
            diesel::sql_query(format!("SELECT pg_advisory_lock({TURNS}, {OWN_SCHEMA})"))
                .execute(connection)?;
            let outcome = migrate_schema(connection);
            diesel::sql_query(format!("SELECT pg_advisory_unlock({TURNS}, {OWN_SCHEMA})"))
                .execute(connection)?;
            outcome?;
        }
    }
    Ok(())
}

fn migrate_schema(connection: &mut PgConnection) -> Result<(), StoreError> {
    let applied = migrations::applied_to_postgres(connection)?;
    let known = migrations::versions::<Pg>(&POSTGRES_MIGRATIONS)?;
    refuse_unknown::<Pg>(&POSTGRES_MIGRATIONS, &applied)?;
    if !applied.is_empty() && applied.len() < known.len() {
        shape::admit_schema(connection)?;
        tracing::warn!(
            from = applied.len(),
            to = known.len(),
            "migrating the database to this version: only an earlier dump leads back"
        );
    }
    connection.run_pending_migrations(POSTGRES_MIGRATIONS).map_err(failed)?;
    Ok(())
}

/// Creates a SQLite file, if it does not exist, readable by its owner only: it will hold password hashes and
/// people's contact details. SQLite gives its log the same permissions.
pub(super) fn make_private(database: &Path) -> Result<(), StoreError> {
    match make_new(database) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(StoreError::File { path: database.to_owned(), error }),
    }
}

/// Creates such a file where there is none, nor a link.
pub(super) fn make_new(database: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    std::fs::File::options().write(true).create_new(true).mode(0o600).open(database).map(drop)
}

/// How long to wait for the lock. A process that is ending lets go of it soon, and a process that was just
/// forked holds its parent's files for a moment only.
pub(super) const LOCK_PATIENCE: Duration = Duration::from_millis(250);
/// How long [`in_time`] rests before it tries again.
const PAUSE: Duration = Duration::from_millis(20);

/// Takes the lock on the file beside a SQLite database, and waits for it if need be. The system releases it
/// however the process ends.
pub(super) fn lock_file(database: &Path, within: Duration) -> Result<std::fs::File, StoreError> {
    // The same lock whichever link leads to the database.
    let there = database.canonicalize().unwrap_or_else(|_| database.to_owned());
    let path = files::beside(&there, ".lock");
    let failed = |error| StoreError::File { path: path.clone(), error };
    let file =
        std::fs::File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
    let locked = in_time(within, || match file.try_lock() {
        Ok(()) => Ok(Some(())),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    })?;
    locked.map(|()| file).ok_or_else(|| StoreError::InUse(database.to_owned()))
}

/// Tries again and again until there is something, or this time is over.
pub(super) fn in_time<T, E>(
    within: Duration,
    mut attempt: impl FnMut() -> Result<Option<T>, E>,
) -> Result<Option<T>, E> {
    let until = Instant::now() + within;
    loop {
        let found = attempt()?;
        if found.is_some() || Instant::now() >= until {
            return Ok(found);
        }
        std::thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_let_go_of_soon_is_waited_for_and_another_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let club = folder.path().join("club.db");
        let held = lock_file(&club, LOCK_PATIENCE).unwrap();
        assert!(matches!(lock_file(&club, LOCK_PATIENCE), Err(StoreError::InUse(_))));
        let ending = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            drop(held);
        });
        assert!(lock_file(&club, LOCK_PATIENCE).is_ok());
        ending.join().unwrap();
    }
}
