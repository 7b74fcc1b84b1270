//! One connection type over both databases, and the few things that differ between them.

use std::path::{Path, PathBuf};

use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager as _};
use diesel::prelude::*;
#[cfg(feature = "postgres")]
use secrecy::ExposeSecret as _;

use super::StoreError;
use super::database_url::DatabaseUrl;

pub use any::{AnyConnection, MultiBackend};

mod any {
    //! The macro's products, which have no documentation of their own.
    #![allow(missing_docs)]
    use diesel::prelude::*;

    /// A connection to either database: SQLite, the default, or a PostgreSQL server, for a club with
    /// several instances.
    #[derive(diesel::MultiConnection)]
    pub enum AnyConnection {
        Sqlite(SqliteConnection),
        #[cfg(feature = "postgres")]
        Postgres(PgConnection),
    }
}

/// Runs a query on whichever database it is, built for that one alone. The common backend walks every
/// query twice; where a command goes through on its way, that is a tenth of its cost.
macro_rules! on {
    ($connection:expr, $inner:ident => $query:expr) => {
        match $connection {
            $crate::AnyConnection::Sqlite($inner) => $query,
            #[cfg(feature = "postgres")]
            $crate::AnyConnection::Postgres($inner) => $query,
        }
    };
}
pub(super) use on;

/// What a connection will be used for; SQLite prepares it accordingly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Reads only.
    Read,
    Write,
}

/// Opens a connection.
///
/// # Errors
/// The database cannot be reached.
pub fn connect(url: &DatabaseUrl, purpose: Use) -> Result<AnyConnection, StoreError> {
    match url {
        DatabaseUrl::Sqlite(path) => connect_sqlite(path, purpose).map(AnyConnection::Sqlite),
        #[cfg(feature = "postgres")]
        DatabaseUrl::Postgres(url) => {
            Ok(AnyConnection::Postgres(PgConnection::establish(&with_connect_timeout(url.expose_secret()))?))
        }
        #[cfg(not(feature = "postgres"))]
        DatabaseUrl::Postgres(_) => Err(StoreError::NoPostgres),
    }
}

/// The URL with a limit on how long a server may take to answer, unless it names one itself.
#[cfg(feature = "postgres")]
fn with_connect_timeout(url: &str) -> String {
    let options = url.split_once('?').map(|(_, options)| options);
    match options {
        Some(options) if options.contains("connect_timeout=") => url.to_owned(),
        Some(_) => format!("{url}&connect_timeout=5"),
        None => format!("{url}?connect_timeout=5"),
    }
}

pub(super) fn connect_sqlite(path: &Path, purpose: Use) -> Result<SqliteConnection, StoreError> {
    // Bent into UTF-8 it would be another file.
    let name = path.to_str().ok_or_else(|| StoreError::File {
        path: path.to_owned(),
        error: std::io::ErrorKind::InvalidFilename.into(),
    })?;
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

/// Whether the file lies where nobody can write, so that nothing changes under whoever reads it: SQLite wants to
/// write beside a database even to read it, unless it knows that. What stands in a log beside it alone would be
/// missed, so such a file must be copied with its log to where can be written.
fn is_unchanging(path: &Path) -> bool {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = |end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    let closed = rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_err();
    let logged = std::fs::metadata(beside("-wal")).is_ok_and(|log| log.len() > 0);
    // A service that runs holds it: then it is only we who cannot write there.
    let served = std::fs::File::open(beside(".lock")).is_ok_and(|lock| lock.try_lock_shared().is_err());
    closed && path.exists() && !logged && !served
}

/// A connection to a file that does not change.
fn unchanging(name: &str) -> Result<SqliteConnection, StoreError> {
    let escaped = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let mut connection = SqliteConnection::establish(&format!("file:{escaped}?immutable=1"))?;
    connection.batch_execute("PRAGMA temp_store = MEMORY; SELECT count(*) FROM sqlite_schema")?;
    Ok(connection)
}

/// A connection as both who write and who read have it.
fn prepared(name: &str) -> Result<SqliteConnection, StoreError> {
    let mut connection = SqliteConnection::establish(name)?;
    // FULL: what was acknowledged survives a power cut. (For the writer the syncer sees to it.) Readers wait for a moment only while the
    // log is being restored after a crash; writers never meet, for there is one.
    connection.batch_execute(
        "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000;
         PRAGMA mmap_size = 268435456; PRAGMA wal_autocheckpoint = 32000;",
    )?;
    Ok(connection)
}

/// Runs `queries` on one snapshot: what others commit meanwhile is not seen. It must not write.
///
/// # Errors
/// What `queries` returns, or that the database cannot be asked.
pub fn on_snapshot<T, E: From<StoreError>>(
    connection: &mut AnyConnection,
    queries: impl FnOnce(&mut AnyConnection) -> Result<T, E>,
) -> Result<T, E> {
    match connection {
        // In WAL mode the first read fixes the snapshot.
        AnyConnection::Sqlite(connection) => AnsiTransactionManager::begin_transaction(connection),
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(connection) => AnsiTransactionManager::begin_transaction_sql(
            connection,
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        ),
    }
    .map_err(StoreError::from)?;
    let answer = queries(connection);
    let ended = AnyConnection::rollback_transaction(connection).map_err(StoreError::from);
    // Why the queries failed says more than that ending the transaction failed as well.
    let answer = answer?;
    ended?;
    Ok(answer)
}

/// Has nobody wait for long on what somebody else holds, nor for ever on a server that is stuck; the limits are far
/// beyond what a command takes.
pub(super) fn limit_waits(connection: &mut AnyConnection) -> Result<(), StoreError> {
    match connection {
        // Its waits are limited when it is opened.
        AnyConnection::Sqlite(_) => Ok(()),
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(connection) => Ok(connection.batch_execute(
            "SET lock_timeout = '2s'; SET statement_timeout = '60s';
             SET idle_in_transaction_session_timeout = '60s'",
        )?),
    }
}
