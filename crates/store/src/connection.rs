//! One connection type for both databases: how it is opened and prepared, and how a snapshot is read.

use std::path::Path;

use diesel::connection::{SimpleConnection as _, TransactionManager as _};
use diesel::prelude::*;
use secrecy::ExposeSecret as _;

use super::database_url::DatabaseUrl;
use super::files::beside;
use super::{StoreError, postgres};

pub use any::{AnyConnection, MultiBackend};

mod any {
    //! The macro's output has no documentation.
    #![allow(missing_docs)]
    use diesel::prelude::*;

    use crate::postgres::PgConnection;

    /// A connection to either database: SQLite, the default, or PostgreSQL, for a club that runs several
    /// instances.
    #[derive(diesel::MultiConnection)]
    pub enum AnyConnection {
        Sqlite(SqliteConnection),
        Postgres(PgConnection),
    }
}

/// What a connection is for. SQLite refuses writes on a [`Read`](Self::Read) connection; PostgreSQL makes no
/// difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Read,
    Write,
}

/// Opens and prepares a connection. A PostgreSQL server has five seconds to answer, unless the URL says
/// otherwise.
///
/// # Errors
/// The database cannot be reached, or cannot prove who it is.
pub fn connect(url: &DatabaseUrl, purpose: Use) -> Result<AnyConnection, StoreError> {
    match url {
        DatabaseUrl::Sqlite(path) => connect_sqlite(path, purpose).map(AnyConnection::Sqlite),
        DatabaseUrl::Postgres(url) => Ok(AnyConnection::Postgres(postgres::connect(url.expose_secret())?)),
    }
}

/// The name of a file as SQLite takes it. A lossy conversion to UTF-8 would name another file.
pub(super) fn name_of(path: &Path) -> Result<&str, StoreError> {
    let failed =
        || StoreError::File { path: path.to_owned(), error: std::io::ErrorKind::InvalidFilename.into() };
    path.to_str().ok_or_else(failed)
}

pub(super) fn connect_sqlite(path: &Path, purpose: Use) -> Result<SqliteConnection, StoreError> {
    let name = name_of(path)?;
    match purpose {
        Use::Write => prepared(name),
        Use::Read => {
            let mut connection = match prepared(name) {
                Err(error) if is_unchanging(path) => unchanging(name).map_err(|_| error)?,
                prepared => prepared?,
            };
            connection.batch_execute("PRAGMA query_only = ON")?;
            Ok(connection)
        }
    }
}

/// Whether the file is in a folder we cannot write to and nothing changes it. SQLite writes beside a database
/// even to read it, unless it is told that the file is immutable. It would then miss what is only in the
/// write-ahead log; so a file with a log must first be copied, with its log, to where SQLite can write.
fn is_unchanging(path: &Path) -> bool {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let closed = rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_err();
    let logged = std::fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0);
    // A running service holds the lock: then others do write, and only we cannot.
    closed && path.exists() && !logged && !is_served(path)
}

/// Whether a process has this file open for writing.
pub(super) fn is_served(path: &Path) -> bool {
    let there = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    std::fs::File::open(beside(&there, ".lock")).is_ok_and(|lock| lock.try_lock_shared().is_err())
}

/// Opens a file that does not change.
pub(super) fn unchanging(name: &str) -> Result<SqliteConnection, StoreError> {
    opened_as(name, "immutable=1")
}

/// Opens a file with its log so that neither is changed: not even what is in the log gets into the file.
pub(super) fn untouched(name: &str) -> Result<SqliteConnection, StoreError> {
    opened_as(name, "mode=ro")
}

fn opened_as(name: &str, how: &str) -> Result<SqliteConnection, StoreError> {
    let escaped = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let mut connection = SqliteConnection::establish(&format!("file:{escaped}?{how}"))?;
    connection.batch_execute(
        "PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; SELECT count(*) FROM sqlite_schema",
    )?;
    Ok(connection)
}

/// Opens a connection with the settings that readers and the writer share.
fn prepared(name: &str) -> Result<SqliteConnection, StoreError> {
    let mut connection = SqliteConnection::establish(name)?;
    // FULL: what was acknowledged survives a power cut. (The writer's connection leaves that to the syncer.)
    // The busy timeout matters only while the log is recovered after a crash: there is one writer, and it
    // never blocks readers. What a schema says may not call what reaches out of the database: it can be
    // somebody else's.
    connection.batch_execute(
        "PRAGMA trusted_schema = OFF; PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000;
         PRAGMA mmap_size = 268435456; PRAGMA wal_autocheckpoint = 32000;",
    )?;
    Ok(connection)
}

/// Runs `queries` on one snapshot, unaffected by what others commit meanwhile. They must not write.
///
/// # Errors
/// What `queries` returns, or the transaction could not be begun or ended.
pub fn on_snapshot<T, E: From<StoreError>>(
    connection: &mut AnyConnection,
    queries: impl FnOnce(&mut AnyConnection) -> Result<T, E>,
) -> Result<T, E> {
    AnyConnection::begin_transaction(connection).map_err(StoreError::from)?;
    let begun = match connection {
        // In WAL mode the first read fixes the snapshot.
        AnyConnection::Sqlite(_) => Ok(()),
        AnyConnection::Postgres(connection) => {
            connection.batch_execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        }
    };
    if let Err(error) = begun {
        drop(AnyConnection::rollback_transaction(connection));
        return Err(StoreError::from(error).into());
    }
    let answer = queries(connection);
    let ended = AnyConnection::rollback_transaction(connection).map_err(StoreError::from);
    // If both failed, the queries' error is the cause.
    let answer = answer?;
    ended?;
    Ok(answer)
}

/// Limits how long a statement may wait for a lock or run, so that no caller hangs on a stuck server. The
/// limits are far beyond what a command needs.
pub(super) fn limit_waits(connection: &mut AnyConnection) -> Result<(), StoreError> {
    match connection {
        // The busy timeout is set when it is opened.
        AnyConnection::Sqlite(_) => Ok(()),
        AnyConnection::Postgres(connection) => Ok(connection.batch_execute(
            "SET lock_timeout = '2s'; SET statement_timeout = '60s';
             SET idle_in_transaction_session_timeout = '60s'",
        )?),
    }
}
