//! Backing up a SQLite club while it is in use, and restoring it. PostgreSQL has `pg_dump` and `pg_restore`.

use std::io;
use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::Sqlite;

use super::connection::{AnyConnection, Use, connect_sqlite, name_of, unchanging};
use super::files::{beside, sync_folder_of};
use super::statement::SqlStatement;
use super::{DatabaseUrl, LOCK_PATIENCE, Store, StoreError, lock_file, migrated, migrations, shape};

/// Why a backup or a restore failed. Nothing was overwritten.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("the club is on PostgreSQL: use pg_dump and pg_restore")]
    Postgres,
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// There is a club where one is to be restored.
    #[error("{} exists already: with --replace it is kept beside and replaced", .0.display())]
    WouldReplace(PathBuf),
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

/// Writes a consistent copy of the database at `from`, of whatever version, into the new file `to`, readable
/// by its owner only. The database may be in use. The copy is checked before this returns.
///
/// # Errors
/// `to` exists, the database is not SQLite, or a file cannot be read or written.
pub fn backup(from: &DatabaseUrl, to: &Path) -> Result<(), BackupError> {
    if matches!(from, DatabaseUrl::Postgres(_)) {
        return Err(BackupError::Postgres);
    }
    match Store::open_as_it_is(from)? {
        AnyConnection::Sqlite(mut sqlite) => copied(&mut sqlite, to, check),
        AnyConnection::Postgres(_) => Err(BackupError::Postgres),
    }
}

/// [`backup`] of a file that anybody may have made, once its schema was compared: copying evaluates the
/// expressions of its indexes, and checking the copy its conditions.
///
/// # Errors
/// As `backup`, or its schema is not what the program made.
pub(super) fn backup_ours(from: &Path, to: &Path) -> Result<(), BackupError> {
    let mut opened = Store::open_as_it_is(&DatabaseUrl::Sqlite(from.to_owned()))?;
    let AnyConnection::Sqlite(sqlite) = &mut opened else { return Err(BackupError::Postgres) };
    compared(sqlite, from)?;
    copied(sqlite, to, check)
}

/// Compares the schema of a file, or of a copy of it, and returns the names of tables that are not ours.
fn compared(sqlite: &mut SqliteConnection, from: &Path) -> Result<Vec<String>, BackupError> {
    let is_newer = |error: &StoreError| matches!(error, StoreError::NewerDatabase(_));
    let not_a_copy =
        |error: StoreError| BackupError::NotACopy { path: from.to_owned(), why: error.to_string() };
    shape::admit_file(sqlite).map_err(|error| if is_newer(&error) { error.into() } else { not_a_copy(error) })
}

/// Writes a copy into a new file, and has it checked.
fn copied(
    sqlite: &mut SqliteConnection,
    to: &Path,
    check: impl FnOnce(&Path) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    use std::os::unix::fs::OpenOptionsExt as _;
    // Created here for its permissions; SQLite accepts an empty file as the target.
    let made = std::fs::File::options().write(true).create_new(true).mode(0o600).open(to);
    let file = made.map_err(|error| {
        let is_there = error.kind() == io::ErrorKind::AlreadyExists;
        if is_there { BackupError::Exists(to.to_owned()) } else { failed(to)(error) }
    })?;
    let copied = copy(sqlite, to, &file).and_then(|()| check(to));
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
    file.sync_all().map_err(failed(to))
}

/// Keeps a copy of a club of an older version, `FILE.before-VERSION`, which is about to be migrated to this
/// one. Only the newest such copy is kept.
///
/// # Errors
/// [`StoreError::NotKept`]: there is no room for it, say.
pub(super) fn keep_before_migrating(sqlite: &mut SqliteConnection, path: &Path) -> Result<(), StoreError> {
    let known = migrations::versions::<Sqlite>(&migrations::SQLITE_MIGRATIONS)?;
    let applied = migrations::applied_to_sqlite(sqlite)?;
    if applied.is_empty() || applied.len() >= known.len() {
        return Ok(());
    }
    let kept = beside(path, &format!(".before-{}", known.len()));
    let not_kept = |error: BackupError| StoreError::NotKept { path: kept.clone(), why: error.to_string() };
    // Some migrations may have been applied when a start broke off: then the copy is the older of the two.
    let of_kept = unchanging(name_of(&kept)?);
    let is_begun = of_kept
        .and_then(|mut kept| migrations::applied_to_sqlite(&mut kept))
        .is_ok_and(|of_kept| !of_kept.is_empty() && of_kept.len() < applied.len());
    if is_begun {
        return Ok(());
    }
    let coming = beside(path, ".before.part");
    drop(std::fs::remove_file(&coming));
    copied(sqlite, &coming, |_| Ok(())).map_err(not_kept)?;
    std::fs::rename(&coming, &kept).map_err(failed(&kept)).map_err(not_kept)?;
    sync_folder_of(&kept).map_err(failed(&kept)).map_err(not_kept)?;
    for version in 1..known.len() {
        drop(std::fs::remove_file(beside(path, &format!(".before-{version}"))));
    }
    tracing::info!(from = applied.len(), to = known.len(), kept = %kept.display(), "migrated the club to this version");
    Ok(())
}

/// Has the copies that are kept of a club go with it to where its file went.
///
/// # Errors
/// One cannot be renamed.
pub(super) fn carry_kept(from: &Path, to: &Path) -> Result<(), StoreError> {
    for version in 1..=migrations::versions::<Sqlite>(&migrations::SQLITE_MIGRATIONS)?.len() {
        let end = format!(".before-{version}");
        let kept = beside(from, &end);
        if kept.exists() {
            let moved = std::fs::rename(&kept, beside(to, &end));
            moved.map_err(|error| StoreError::File { path: kept, error })?;
        }
    }
    Ok(())
}

/// Replaces the database at `to` by the copy `from`, brought to this version. An existing database is refused
/// unless `replace` is set, and is then kept under its name with `.before-restore` appended. Takes the
/// database's lock, so it fails beside a running server. Returns the names of tables in it that are not ours.
///
/// # Errors
/// The database is in use or exists already, or `from` is not a sound copy, or its schema is not what the
/// program made. `to` is unchanged then.
pub fn restore(from: &Path, to: &DatabaseUrl, replace: bool) -> Result<Vec<String>, BackupError> {
    let DatabaseUrl::Sqlite(to) = to else { return Err(BackupError::Postgres) };
    if from.metadata().map_err(failed(from))?.is_dir() {
        return Err(failed(from)(io::ErrorKind::IsADirectory.into()));
    }
    let _lock = lock_file(to, LOCK_PATIENCE)?;
    let kept = beside(to, ".before-restore");
    if to.exists() && !replace {
        return Err(BackupError::WouldReplace(to.clone()));
    }
    if kept.exists() {
        return Err(BackupError::Exists(kept));
    }
    let incoming = beside(to, ".restoring");
    // One that broke off may have left its log, which is not that of this copy.
    remove(&incoming);
    let arrived = bring(from, &incoming).and_then(|left| {
        put_in_place(&incoming, to, &kept)?;
        Ok(left)
    });
    if arrived.is_err() {
        remove(&incoming);
    }
    arrived
}

/// Removes a file that did not become a club, as far as possible.
pub(super) fn remove(database: &Path) {
    for rest in ["", "-wal", "-shm"] {
        drop(std::fs::remove_file(beside(database, rest)));
    }
}

/// Copies `from` and looks at the copy rather than the original, which may be where SQLite cannot write.
fn bring(from: &Path, incoming: &Path) -> Result<Vec<String>, BackupError> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::copy(from, incoming).map_err(failed(incoming))?;
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(incoming, private).map_err(failed(incoming))?;
    let left = admit(incoming, from)?;
    std::fs::File::open(incoming).and_then(|file| file.sync_all()).map_err(failed(incoming))?;
    Ok(left)
}

/// Has a copy of `from`, a file that anybody may have made, become a club of this version. Nothing that
/// stands in its schema is carried out before it was compared. Returns the names of tables that are not ours.
///
/// # Errors
/// It is no club, is damaged, or its schema is not what the program made; or the copy cannot be written.
pub(super) fn admit(copy: &Path, from: &Path) -> Result<Vec<String>, BackupError> {
    let not_a_copy = |why: &str| BackupError::NotACopy { path: from.to_owned(), why: why.to_owned() };
    let mut sqlite = club_at(copy).map_err(|why| not_a_copy(&why))?;
    let left = compared(&mut sqlite, from)?;
    intact(&mut sqlite, Thoroughness::Whole).map_err(|why| not_a_copy(&why))?;
    // As the last to close it, this brings what is in the log into the file.
    drop(migrated(AnyConnection::Sqlite(sqlite))?);
    Ok(left)
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

/// Checks that a file is an intact database of a club.
fn check(path: &Path) -> Result<(), BackupError> {
    let not_a_copy = |why| BackupError::NotACopy { path: path.to_owned(), why };
    intact(&mut club_at(path).map_err(not_a_copy)?, Thoroughness::Whole).map_err(not_a_copy)
}

/// Opens a copy that has a journal.
fn club_at(path: &Path) -> Result<SqliteConnection, String> {
    let Ok(mut sqlite) = connect_sqlite(path, Use::Write) else {
        return Err("it is not a SQLite database".into());
    };
    let ours = "SELECT count(*) FROM sqlite_schema \
                WHERE name IN ('journal', 'stream', '__diesel_schema_migrations')";
    match SqlStatement::<Sqlite, BigInt>::new(ours).get_result::<i64>(&mut sqlite) {
        Ok(found) if found < 3 => Err("it has no journal".into()),
        Ok(_) => Ok(sqlite),
        Err(error) => Err(error.to_string()),
    }
}

/// How much of a file is checked.
#[derive(Clone, Copy)]
pub(super) enum Thoroughness {
    /// Every page.
    Pages,
    /// Also that indexes and tables agree.
    Whole,
}

/// Says what is wrong with a file. Of one with tables that are not ours only our own are checked: SQLite
/// would work out the conditions that are written in the others.
pub(super) fn intact(sqlite: &mut SqliteConnection, how: Thoroughness) -> Result<(), String> {
    let said = |error: diesel::result::Error| error.to_string();
    sqlite.batch_execute("PRAGMA cell_size_check = ON").map_err(said)?;
    let ours = shape::our_tables().map_err(|error| error.to_string())?;
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table'";
    let tables: Vec<String> = SqlStatement::<Sqlite, Text>::new(tables).load(sqlite).map_err(said)?;
    let (own, others): (Vec<_>, Vec<_>) = tables.into_iter().partition(|table| ours.contains(table));
    if others.iter().all(|table| migrations::is_own_record(table)) {
        return reported(sqlite, how, None);
    }
    own.into_iter().try_for_each(|table| reported(sqlite, how, Some(table)))
}

fn reported(sqlite: &mut SqliteConnection, how: Thoroughness, table: Option<String>) -> Result<(), String> {
    #[derive(QueryableByName)]
    struct Report {
        #[diesel(sql_type = Text)]
        said: String,
    }
    let check = match how {
        Thoroughness::Pages => "SELECT quick_check AS said FROM pragma_quick_check(?)",
        Thoroughness::Whole => "SELECT integrity_check AS said FROM pragma_integrity_check(?)",
    };
    let report: Result<Vec<Report>, _> = match table {
        Some(table) => diesel::sql_query(check).bind::<Text, _>(table).load(sqlite),
        None => diesel::sql_query(check.replace("(?)", "")).load(sqlite),
    };
    match report.map_err(|error| error.to_string())?.as_slice() {
        [only] if only.said == "ok" => Ok(()),
        [first, ..] => Err(first.said.clone()),
        [] => Err("it cannot be checked".into()),
    }
}
