//! Moves what SQLite's write-ahead log holds into the database, beside the writer instead of in its way.
//!
//! SQLite would have the writer do it after every so many pages, and everybody would wait. A thread with a
//! connection of its own does it soon after every commit instead; the writer's own turn, which comes when
//! the log has grown long all the same, then finds little left to do and the log begins anew.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use diesel::connection::SimpleConnection as _;
use diesel::sqlite::SqliteConnection;

use super::StoreError;
use super::connection::connect_sqlite;
use super::writer::Thread;

/// The way to the thread. Dropping it waits for the thread's end.
pub(super) struct Checkpointer {
    wake: SyncSender<()>,
    /// After the way to wake it: by the time it is dropped the thread knows that it is over.
    _thread: Thread,
}

/// How long after a commit: pages written again meanwhile are moved once.
const REST: Duration = Duration::from_millis(40);

impl Checkpointer {
    /// Starts the thread for the database at `path`.
    ///
    /// # Errors
    /// The database cannot be opened, or there is no thread to be had.
    pub(super) fn start(path: &Path) -> Result<Self, StoreError> {
        let connection = connect_sqlite(path, super::Use::Write)?;
        let (wake, woken) = sync_channel(1);
        let thread = Thread::start("checkpointer", move || run(connection, &woken))?;
        Ok(Self { wake, _thread: thread })
    }

    pub(super) fn wake(&self) {
        // If it has been woken already that is enough.
        let _ = self.wake.try_send(());
    }
}

fn run(mut connection: SqliteConnection, woken: &Receiver<()>) {
    while woken.recv().is_ok() {
        std::thread::sleep(REST);
        // Passive: never waits for anybody, moves what it can.
        if let Err(error) = connection.batch_execute("PRAGMA wal_checkpoint(PASSIVE)") {
            tracing::warn!(%error, "a checkpoint failed");
        }
    }
}
