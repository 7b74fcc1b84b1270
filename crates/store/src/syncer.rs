//! Makes what SQLite's writer committed durable, and only then answers the callers.
//!
//! With `synchronous=FULL` the writer would wait for the disk in every commit. Its connection uses `NORMAL`
//! instead, which leaves the write-ahead log in the system's cache; this thread flushes it, with the same
//! call that `FULL` makes, while the writer computes the next batch. Answers are as durable as with `FULL`.
//! The only difference: a reader may see a commit a few milliseconds before it is durable.
//!
//! Once a flush has failed, nothing more is acknowledged: the system may have dropped the pages it could not
//! write, and the next flush would succeed without them. `serve` then ends, so that its supervisor restarts
//! it and SQLite recovers what is whole in the log.

use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::StoreError;
use super::thread::{Thread, wait_for_nobody};

/// Answers one unit of work, once its batch is durable or has failed.
pub(super) type Settle = Box<dyn FnOnce(Result<(), &StoreError>) + Send>;

/// The units of one batch, and whether it was committed.
type SyncedBatch = (Vec<Settle>, Result<(), StoreError>);

/// A handle to the thread. Dropping it waits until every batch handed over has been answered.
pub(super) struct Syncer {
    batches: SyncSender<SyncedBatch>,
    state: Arc<State>,
    /// Declared after `batches`: the thread ends once that is dropped, and only then may be waited for.
    _thread: Thread,
}

/// The thread's state, shared with the writer.
#[derive(Default)]
pub(super) struct State {
    busy: AtomicBool,
    failed: AtomicBool,
}

impl State {
    /// Whether a flush has failed, after which nothing more may be written.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }
}

impl Syncer {
    /// Starts the thread for the database at `path`, which must be open in WAL mode and stay so.
    ///
    /// # Errors
    /// There is no log beside it, or [`StoreError::Thread`].
    pub(super) fn of_database(path: &Path) -> Result<Self, StoreError> {
        // SQLite follows links to the database before it names the log.
        let mut log = path.canonicalize().unwrap_or_else(|_| path.to_owned()).into_os_string();
        log.push("-wal");
        let file = File::options()
            .write(true)
            .open(&log)
            .map_err(|error| StoreError::File { path: log.into(), error })?;
        Self::start(move || file.sync_data())
    }

    /// Starts a thread that calls `sync` for every committed batch.
    ///
    /// # Errors
    /// [`StoreError::Thread`].
    pub(super) fn start(sync: impl FnMut() -> io::Result<()> + Send + 'static) -> Result<Self, StoreError> {
        // Without capacity, a batch is handed over only after the one before it has been answered.
        let (batches, handed) = sync_channel(0);
        let state = Arc::new(State::default());
        let told = Arc::clone(&state);
        let thread = Thread::start("sqlite-syncer", move || run(sync, &handed, &told))?;
        Ok(Self { batches, state, _thread: thread })
    }

    /// Hands a batch over, waiting until the one before it is answered.
    pub(super) fn hand_over(&self, settles: Vec<Settle>, committed: Result<(), StoreError>) {
        // The thread outlives this handle. If it had panicked, dropping the batch would tell its callers.
        drop(self.batches.send((settles, committed)));
    }

    /// Whether no batch is waiting for the disk.
    pub(super) fn is_idle(&self) -> bool {
        !self.state.busy.load(Ordering::Acquire)
    }

    /// Whether a flush has failed, after which nothing more may be written.
    pub(super) fn has_failed(&self) -> bool {
        self.state.has_failed()
    }

    /// The state for callers without the handle.
    pub(super) fn state(&self) -> Arc<State> {
        Arc::clone(&self.state)
    }
}

fn run(mut sync: impl FnMut() -> io::Result<()>, handed: &Receiver<SyncedBatch>, state: &State) {
    // An action after a commit may hold the last handle to the writer, which waits for this thread.
    wait_for_nobody();
    while let Ok((settles, committed)) = handed.recv() {
        state.busy.store(true, Ordering::Release);
        let durable = committed.and_then(|()| {
            if state.failed.load(Ordering::Acquire) {
                return Err(StoreError::NotDurable);
            }
            sync().map_err(|error| {
                state.failed.store(true, Ordering::Release);
                tracing::error!(%error, "a write to the disk failed: nothing more is written until the next start");
                StoreError::NotDurable
            })
        });
        if let Err(error) = &durable {
            tracing::error!(%error, units = settles.len(), "a batch was not committed");
        }
        for settle in settles {
            // A panic after the commit costs that caller the answer, and must not affect the others.
            let settle = AssertUnwindSafe(|| settle(durable.as_ref().map(|&()| ())));
            if catch_unwind(settle).is_err() {
                tracing::error!("the work after a commit panicked");
            }
        }
        state.busy.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::channel;

    use super::*;

    /// A settle that sends its name and whether its batch became durable.
    fn settle(name: &'static str, answers: &std::sync::mpsc::Sender<(&'static str, bool)>) -> Vec<Settle> {
        let answers = answers.clone();
        vec![Box::new(move |durable| answers.send((name, durable.is_ok())).unwrap())]
    }

    #[test]
    fn nobody_is_answered_before_the_disk_has_it() {
        let (told, answers) = channel();
        let (release, disk) = channel::<()>();
        let disk = Mutex::new(disk);
        let syncer = Syncer::start(move || {
            disk.lock().unwrap().recv().unwrap();
            Ok(())
        })
        .unwrap();
        syncer.hand_over(settle("one", &told), Ok(()));
        assert!(answers.try_recv().is_err());
        release.send(()).unwrap();
        assert_eq!(answers.recv().unwrap(), ("one", true));
    }

    #[test]
    fn once_the_disk_has_refused_nothing_is_promised_any_more() {
        let (told, answers) = channel();
        let mut calls = 0;
        let syncer = Syncer::start(move || {
            calls += 1;
            if calls == 2 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        })
        .unwrap();
        for name in ["one", "two", "three"] {
            syncer.hand_over(settle(name, &told), Ok(()));
        }
        drop(syncer);
        drop(told);
        assert_eq!(answers.iter().collect::<Vec<_>>(), [("one", true), ("two", false), ("three", false)]);
    }

    #[test]
    fn a_batch_that_was_not_committed_is_not_synced() {
        let (told, answers) = channel();
        let syncer = Syncer::start(|| panic!("there is nothing to sync")).unwrap();
        syncer.hand_over(settle("one", &told), Err(StoreError::Panicked));
        assert_eq!(answers.recv().unwrap(), ("one", false));
        assert!(!syncer.has_failed());
    }
}
