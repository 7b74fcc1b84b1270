//! Moves the content of SQLite's write-ahead log into the database file, without keeping the writer waiting.
//!
//! By default SQLite has the writer do it whenever the log has grown by so many pages, while all commands
//! wait. Here a thread with its own connection does it shortly after every commit. The writer's own
//! checkpoint still comes when the log grows long; it then finds little left to move and the log starts over.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_types::Integer;
use diesel::sqlite::{Sqlite, SqliteConnection};

use super::StoreError;
use super::connection::connect_sqlite;
use super::statement::SqlStatement;
use super::thread::Thread;

/// A handle to the thread. Dropping it waits for the thread to end.
pub(super) struct Checkpointer {
    wake: SyncSender<()>,
    /// Declared after `wake`: the thread ends once that is dropped, and only then may be waited for.
    _thread: Thread,
}

/// How long after a commit the thread waits: a page written several times meanwhile is moved once.
const REST: Duration = Duration::from_millis(40);

impl Checkpointer {
    /// Starts the thread for the database at `path`.
    ///
    /// # Errors
    /// The database cannot be opened, or [`StoreError::Thread`].
    pub(super) fn start(path: &Path) -> Result<Self, StoreError> {
        let connection = connect_sqlite(path, super::Use::Write)?;
        let (wake, woken) = sync_channel(1);
        let thread = Thread::start("checkpointer", move || run(connection, &woken))?;
        Ok(Self { wake, _thread: thread })
    }

    pub(super) fn wake(&self) {
        // A full channel means that it has been woken already.
        let _ = self.wake.try_send(());
    }
}

/// Moves the whole log into the database at `path` and truncates it; `false` if a reader is in the way.
///
/// # Errors
/// The query failed.
pub(super) fn truncate_wal(path: &Path) -> Result<bool, StoreError> {
    let mut connection = connect_sqlite(path, super::Use::Write)?;
    let busy: i32 = SqlStatement::<Sqlite, Integer>::new("PRAGMA wal_checkpoint(TRUNCATE)")
        .get_result(&mut connection)?;
    Ok(busy == 0)
}

/// Writes the database at `path` anew.
///
/// # Errors
/// The query failed.
pub(super) fn rewrite_file(path: &Path) -> Result<(), StoreError> {
    connect_sqlite(path, super::Use::Write)?.batch_execute("VACUUM")?;
    truncate_wal(path).map(drop)
}

fn run(mut connection: SqliteConnection, woken: &Receiver<()>) {
    while woken.recv().is_ok() {
        std::thread::sleep(REST);
        // PASSIVE moves what it can and blocks neither readers nor the writer.
        if let Err(error) = connection.batch_execute("PRAGMA wal_checkpoint(PASSIVE)") {
            tracing::warn!(%error, "a checkpoint failed");
        }
    }
}
