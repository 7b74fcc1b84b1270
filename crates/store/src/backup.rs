//! Backing up a SQLite club while it is in use, and restoring it. PostgreSQL has `pg_dump` and `pg_restore`.

use std::io;
use std::path::{Path, PathBuf};

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

use super::connection::{AnyConnection, Use, connect};
use super::files::{beside, sync_folder_of};
use super::migrate::refuse_newer_sqlite;
use super::{DatabaseUrl, Store, StoreError, lock_file};

/// Why a backup or a restore failed. Nothing was overwritten.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("the club is on PostgreSQL: use pg_dump and pg_restore")]
    Postgres,
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    #[error("{} is not a copy of a club: {why}", path.display())]
    NotACopy {
        path: PathBuf,
        /// What the check reported, or what the file lacks.
        why: String,
    },
    /// A file could not be read or written.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<diesel::result::Error> for BackupError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    move |error| BackupError::File { path: path.to_owned(), error }
}

/// Writes a consistent copy of the database at `from` into the new file `to`, readable by its owner only. The
/// database may be in use. The copy is checked before this returns.
///
/// # Errors
/// `to` exists, the database is not SQLite, or a file cannot be read or written.
pub fn backup(from: &DatabaseUrl, to: &Path) -> Result<(), BackupError> {
    use std::os::unix::fs::OpenOptionsExt as _;
    if matches!(from, DatabaseUrl::Postgres(_)) {
        return Err(BackupError::Postgres);
    }
    let mut connection = Store::open_for_reading(from)?;
    let sqlite = match &mut connection {
        AnyConnection::Sqlite(sqlite) => sqlite,
        AnyConnection::Postgres(_) => return Err(BackupError::Postgres),
    };
    // Created here for its permissions; SQLite accepts an empty file as the target.
    let made = std::fs::File::options().write(true).create_new(true).mode(0o600).open(to);
    let file = made.map_err(|error| {
        let is_there = error.kind() == io::ErrorKind::AlreadyExists;
        if is_there { BackupError::Exists(to.to_owned()) } else { failed(to)(error) }
    })?;
    let copied = copy(sqlite, to, &file);
    if copied.is_err() {
        // A file left behind would be taken for a backup and block the next one. The first error is the one
        // to report.
        drop(std::fs::remove_file(to));
    }
    copied
}

fn copy(sqlite: &mut SqliteConnection, to: &Path, file: &std::fs::File) -> Result<(), BackupError> {
    // VACUUM INTO only writes another file, but the pragma refuses it all the same.
    diesel::sql_query("PRAGMA query_only = OFF").execute(sqlite)?;
    let name = to.to_str().ok_or_else(|| failed(to)(io::ErrorKind::InvalidFilename.into()))?;
    diesel::sql_query("VACUUM INTO ?").bind::<Text, _>(name).execute(sqlite)?;
    file.sync_all().map_err(failed(to))?;
    check(to)
}

/// Replaces the database at `to` by the copy `from`. An existing database is refused unless `replace` is set,
/// and is then kept under its name with `.before-restore` appended. Takes the database's lock, so it fails
/// beside a running server.
///
/// # Errors
/// The database is in use or exists already, or `from` is not a sound copy. `to` is unchanged then.
pub fn restore(from: &Path, to: &DatabaseUrl, replace: bool) -> Result<(), BackupError> {
    let DatabaseUrl::Sqlite(to) = to else { return Err(BackupError::Postgres) };
    if from.metadata().map_err(failed(from))?.is_dir() {
        return Err(failed(from)(io::ErrorKind::IsADirectory.into()));
    }
    let _lock = lock_file(to)?;
    let kept = beside(to, ".before-restore");
    if to.exists() && !replace {
        return Err(BackupError::Exists(to.clone()));
    }
    if kept.exists() {
        return Err(BackupError::Exists(kept));
    }
    let incoming = beside(to, ".restoring");
    let arrived = bring(from, &incoming).and_then(|()| put_in_place(&incoming, to, &kept));
    if arrived.is_err() {
        // Clean up as far as possible; the first error is the one to report.
        for rest in ["", "-wal", "-shm"] {
            drop(std::fs::remove_file(beside(&incoming, rest)));
        }
    }
    arrived
}

/// Copies `from` and checks the copy rather than the original, which may be where SQLite cannot write.
fn bring(from: &Path, incoming: &Path) -> Result<(), BackupError> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::copy(from, incoming).map_err(failed(incoming))?;
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(incoming, private).map_err(failed(incoming))?;
    check(incoming).map_err(|error| {
        if let BackupError::NotACopy { why, .. } = error {
            BackupError::NotACopy { path: from.to_owned(), why }
        } else {
            error
        }
    })?;
    std::fs::File::open(incoming).and_then(|file| file.sync_all()).map_err(failed(incoming))
}

/// Renames the old database together with its log, without which it may be incomplete, and moves the new one
/// in.
fn put_in_place(incoming: &Path, to: &Path, kept: &Path) -> Result<(), BackupError> {
    for rest in ["-shm", "-wal", ""] {
        let old = beside(to, rest);
        if old.exists() {
            std::fs::rename(&old, beside(kept, rest)).map_err(failed(&old))?;
        }
    }
    std::fs::rename(incoming, to).map_err(failed(to))?;
    sync_folder_of(to).map_err(failed(to))
}

/// Checks that a file is an intact database of this program or of an earlier version.
fn check(path: &Path) -> Result<(), BackupError> {
    #[derive(QueryableByName)]
    struct Report {
        #[diesel(sql_type = Text)]
        integrity_check: String,
    }
    #[derive(QueryableByName)]
    struct Count {
        #[diesel(sql_type = BigInt)]
        tables: i64,
    }
    let not_a_copy = |why: String| BackupError::NotACopy { path: path.to_owned(), why };
    let damaged = |error: diesel::result::Error| not_a_copy(error.to_string());
    let connection = connect(&DatabaseUrl::Sqlite(path.to_owned()), Use::Write);
    let Ok(AnyConnection::Sqlite(mut sqlite)) = connection else {
        return Err(not_a_copy("it is not a SQLite database".into()));
    };
    let ours = "SELECT count(*) AS tables FROM sqlite_schema \
                WHERE name IN ('journal', 'stream', '__diesel_schema_migrations')";
    let found: Count = diesel::sql_query(ours).get_result(&mut sqlite).map_err(damaged)?;
    if found.tables < 3 {
        return Err(not_a_copy("it has no journal".into()));
    }
    refuse_newer_sqlite(&mut sqlite)?;
    let report: Vec<Report> =
        diesel::sql_query("PRAGMA integrity_check").load(&mut sqlite).map_err(damaged)?;
    match report.as_slice() {
        [only] if only.integrity_check == "ok" => Ok(()),
        [first, ..] => Err(not_a_copy(first.integrity_check.clone())),
        [] => Err(not_a_copy("it cannot be checked".into())),
    }
}
