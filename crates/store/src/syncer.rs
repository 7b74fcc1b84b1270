//! Makes what SQLite's writer committed safe from a power cut, and only then has anybody answered.
//!
//! `synchronous=FULL` would have the writer wait for the disk in every commit. Its connection is set to
//! `NORMAL` instead, which leaves the write-ahead log to the system, and this thread has the system write
//! it out: the very call that `FULL` makes, while the writer computes the next batch. What is answered is
//! as durable; only a reader may see a commit some milliseconds before it is.
//!
//! If the disk refuses once, nothing more is promised until the service is started anew: the system may
//! have dropped what it could not write, and the next call would succeed without it. So `serve` ends then, for
//! whatever looks after it to start it again: SQLite then takes from the log what is whole.

use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::StoreError;
use super::writer::Thread;

/// What is left to do for a unit of work when its batch is durable, or has failed to be.
pub(super) type Settle = Box<dyn FnOnce(Result<(), &StoreError>) + Send>;

/// The units of one batch, and whether it was committed.
type Batch = (Vec<Settle>, Result<(), StoreError>);

/// The way to the thread. Dropping it waits until every batch handed over has been answered.
pub(super) struct Syncer {
    batches: SyncSender<Batch>,
    state: Arc<State>,
    /// After the way to it: by the time it is dropped the thread knows that it is over.
    _thread: Thread,
}

/// What the writer may know of the thread.
#[derive(Default)]
pub(super) struct State {
    busy: AtomicBool,
    failed: AtomicBool,
}

impl State {
    /// True if the disk has refused: nothing more may be written.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }
}

impl Syncer {
    /// Starts the thread for the database at `path`, which must be open in WAL mode and stay so.
    ///
    /// # Errors
    /// There is no log beside it, or there is no thread to be had.
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

    /// Starts a thread that calls `sync` for every batch that was committed.
    ///
    /// # Errors
    /// [`StoreError::Thread`].
    pub(super) fn start(sync: impl FnMut() -> io::Result<()> + Send + 'static) -> Result<Self, StoreError> {
        // No room: a batch handed over has been taken up, and so the one before it has been answered.
        let (batches, handed) = sync_channel(0);
        let state = Arc::new(State::default());
        let told = Arc::clone(&state);
        let thread = Thread::start("sqlite-syncer", move || run(sync, &handed, &told))?;
        Ok(Self { batches, state, _thread: thread })
    }

    /// Hands a batch over, as soon as the one before it is answered.
    pub(super) fn hand_over(&self, settles: Vec<Settle>, committed: Result<(), StoreError>) {
        // The thread ends after this. Were it gone, the answers would be dropped, which says that.
        drop(self.batches.send((settles, committed)));
    }

    /// True if nothing waits for the disk.
    pub(super) fn is_idle(&self) -> bool {
        !self.state.busy.load(Ordering::Acquire)
    }

    /// True if the disk has refused: nothing more may be written.
    pub(super) fn has_failed(&self) -> bool {
        self.state.has_failed()
    }

    /// The same for whoever has no way to the thread.
    pub(super) fn state(&self) -> Arc<State> {
        Arc::clone(&self.state)
    }
}

fn run(mut sync: impl FnMut() -> io::Result<()>, handed: &Receiver<Batch>, state: &State) {
    while let Ok((settles, committed)) = handed.recv() {
        state.busy.store(true, Ordering::Release);
        let durable = committed.and_then(|()| {
            if state.failed.load(Ordering::Acquire) {
                return Err(StoreError::NotDurable);
            }
            sync().map_err(|error| {
                state.failed.store(true, Ordering::Release);
                tracing::error!(%error, "the disk refused; nothing more is written until the next start");
                StoreError::NotDurable
            })
        });
        if let Err(error) = &durable {
            tracing::error!(%error, units = settles.len(), "a batch was not committed");
        }
        for settle in settles {
            // A panic after the commit costs its caller the answer, and nobody else anything.
            let settle = AssertUnwindSafe(|| settle(durable.as_ref().map(|&()| ())));
            if catch_unwind(settle).is_err() {
                tracing::error!("what was to happen after a commit panicked");
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

    /// A settle that tells `answers` its name and what came of its batch.
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
