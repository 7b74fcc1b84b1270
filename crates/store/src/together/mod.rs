//! Group commit: units of work that share a transaction.
//!
//! Each unit that says beforehand what it asks for decides in memory and leaves what it has to write
//! ([`Pending`](super::pending::Pending)). All of that is written at the end of the transaction, in a few
//! statements, and committed at once. A unit that asks the database something else, or does not say what it
//! asks for, gets a savepoint of its own, so a unit that is refused leaves the rest of its batch alone. If
//! the transaction is spoilt, the batch is given up, and its units are run again: on SQLite each with a
//! savepoint, on PostgreSQL each in a transaction of its own.
//!
//! SQLite has [one thread](super::writer) that takes all units, PostgreSQL [one](grouping) for those that say
//! what they ask for.

pub(super) mod grouping;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use tokio::sync::oneshot;

use super::batch::{Batch, ReadPlan, failed_by, savepoint};
use super::thread::Thread;
use super::transaction::{Effects, Failed, Made, Outcome, Work};
use super::{AnyConnection, COMMAND_QUEUE, COMMIT_BATCH, Failure, Options, StoreError, Transaction, notify};

impl Batch {
    /// Runs the units of a batch.
    ///
    /// # Errors
    /// One of them has spoilt the transaction.
    pub(super) fn run_all(
        &mut self,
        connection: &mut AnyConnection,
        batch: &mut [Job],
    ) -> Result<(), StoreError> {
        batch.iter_mut().try_for_each(|job| {
            job.run(connection, self);
            self.spoilt.take().map_or(Ok(()), Err)
        })
    }

    /// Runs a unit of work in a batch. One that does not say what it asks for writes what it has to write
    /// itself.
    fn run(
        &mut self,
        connection: &mut AnyConnection,
        foreseen: bool,
        work: &mut Work,
    ) -> Result<(Made, Effects), Failed> {
        self.parted = false;
        if !foreseen {
            self.part(connection)?;
        }
        let (overlay, last) = (std::mem::take(&mut self.overlay), Arc::clone(&self.last));
        let outcome =
            Transaction::new(connection, &[&overlay, &last], foreseen.then_some(&mut *self)).run(work);
        self.overlay = overlay;
        match &outcome {
            Ok((_, made)) => {
                self.overlay.extend(made.staged.iter().map(|(id, state)| (*id, Arc::clone(state))));
            }
            // The unit was refused, and takes back what it did. A statement that fails spoils the transaction
            // on PostgreSQL, without a savepoint or outside of what the unit did. On SQLite it leaves nothing
            // behind, or there is no transaction any more, which shows when the savepoint ends.
            Err(error) if matches!(connection, AnyConnection::Sqlite(_)) || !error.is_of_the_store() => {
                if self.parted {
                    if savepoint(connection, "ROLLBACK TO unit").is_err() {
                        self.spoil(&**error);
                    }
                    notify::forget_after(connection, self.told);
                } else if let Some(error) = error.store_error() {
                    // If SQLite has rolled back for it, the end of the batch fails, and says only that.
                    tracing::warn!(%error, "a command failed in the store");
                }
            }
            Err(error) => self.spoil(&**error),
        }
        outcome
    }

    fn spoil(&mut self, error: &dyn Failure) {
        self.spoilt = Some(error.store_error().map_or(StoreError::Overtaken, failed_by));
    }
}

/// What waits for a thread that writes.
pub(super) enum Job {
    Unit(Box<Unit>),
    /// Somebody who waits until all is written that was asked for before.
    Settling(oneshot::Sender<Result<(), StoreError>>),
}

impl Job {
    /// What it will ask for, if it says so.
    pub(super) fn foreseen(&self) -> Option<&ReadPlan> {
        if let Self::Unit(unit) = self { unit.foreseen.as_ref() } else { None }
    }

    /// Says no longer what it will ask for, so that it gets a savepoint of its own.
    pub(super) fn stand_alone(&mut self) {
        if let Self::Unit(unit) = self {
            unit.foreseen = None;
        }
    }

    /// Runs it in a batch and keeps the outcome.
    pub(super) fn run(&mut self, connection: &mut AnyConnection, together: &mut Batch) {
        if let Self::Unit(unit) = self {
            unit.run(connection, together);
        }
    }

    /// Answers the one who waits.
    pub(super) fn answer(self, fate: &Fate) {
        match self {
            Self::Unit(unit) => unit.answer(fate),
            Self::Settling(settling) => {
                let written = if let Fate::Failed(error) = fate { Err(failed_by(error)) } else { Ok(()) };
                // The one who asked may have gone away since.
                drop(settling.send(written));
            }
        }
    }
}

/// Counts a batch in [`COMMIT_BATCH`].
pub(super) fn count(batch: &[Job]) {
    metrics::histogram!(COMMIT_BATCH).record(f64::from(u32::try_from(batch.len()).unwrap_or(u32::MAX)));
}

/// What became of a batch.
pub(super) enum Fate {
    Committed,
    /// It left nothing behind, and each unit is to be tried alone.
    GivenUp,
    /// It left nothing behind, since there was no connection.
    Unreached,
    /// It failed, and whether it was kept is unknown unless there was no room.
    Failed(StoreError),
}

impl From<Result<(), &StoreError>> for Fate {
    fn from(committed: Result<(), &StoreError>) -> Self {
        committed.map_or_else(|error| Self::Failed(failed_by(error)), |()| Self::Committed)
    }
}

/// An answer to a unit of work: its outcome, or the work again, which is to be run alone.
pub(super) enum UnitAnswer {
    Done(Outcome),
    Alone(Work),
}

impl UnitAnswer {
    /// The outcome of a unit on SQLite, where the writer itself tries it alone.
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Self::Done(outcome) => outcome,
            Self::Alone(_) => Err(StoreError::Closed.into()),
        }
    }
}

/// A unit of work that waits.
pub(super) struct Unit {
    foreseen: Option<ReadPlan>,
    work: Work,
    outcome: Option<Result<(Made, Effects), Failed>>,
    asked: oneshot::Sender<UnitAnswer>,
    span: tracing::Span,
    waiting: Option<Waiting>,
}

impl Unit {
    /// A unit that waits from now on, and where it is answered.
    fn new(foreseen: Option<ReadPlan>, work: Work) -> (Self, oneshot::Receiver<UnitAnswer>) {
        let (asked, answered) = oneshot::channel();
        let (span, waiting) = (tracing::Span::current(), Some(Waiting::begin()));
        (Self { foreseen, work, outcome: None, asked, span, waiting }, answered)
    }

    fn run(&mut self, connection: &mut AnyConnection, together: &mut Batch) {
        drop(self.waiting.take());
        let (foreseen, work) = (self.foreseen.is_some(), &mut self.work);
        self.outcome = Some(self.span.in_scope(|| together.run(connection, foreseen, work)));
    }

    fn answer(self, fate: &Fate) {
        let Self { work, outcome, asked, .. } = self;
        let done = match (fate, outcome) {
            (Fate::Committed, Some(Ok((value, made)))) => {
                made.after.into_iter().for_each(|action| action());
                Some(Ok(value))
            }
            (Fate::Committed, Some(Err(error))) => Some(Err(error)),
            (Fate::GivenUp, _) | (Fate::Committed, None) => None,
            (Fate::Unreached, _) => Some(Err(StoreError::Busy.into())),
            (Fate::Failed(error), _) => Some(Err(failed_by(error).into())),
        };
        let answer = if let Some(outcome) = done {
            // Before the answer: it may hold a handle to the store, which the one who is answered may be
            // about to close.
            drop(work);
            UnitAnswer::Done(outcome)
        } else {
            UnitAnswer::Alone(work)
        };
        // The one who asked may have gone away since.
        drop(asked.send(answer));
    }
}

/// What waits for a thread that writes. Dropping the last handle waits until the thread has answered what it
/// accepted and has closed its connection, so that the database can be opened again at once.
#[derive(Clone)]
pub(super) struct Queue {
    jobs: SyncSender<Job>,
    /// Declared after `jobs`: the thread ends once that is dropped, and only then may be waited for.
    _thread: Arc<Thread>,
}

impl Queue {
    /// Starts a thread that runs `run`.
    ///
    /// # Errors
    /// [`StoreError::Thread`].
    pub(super) fn start(
        name: &str,
        options: &Options,
        run: impl FnOnce(Receiver<Job>) + Send + 'static,
    ) -> Result<Self, StoreError> {
        let (jobs, taken) = sync_channel(options.queue_limit);
        let thread = Thread::start(name, move || run(taken))?;
        Ok(Self { jobs, _thread: Arc::new(thread) })
    }

    /// Queues `work`. The receiver gets the answer once the commit is durable; of a throwaway database,
    /// before.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if the queue is full, [`StoreError::Closed`] if the thread has ended.
    pub(super) fn submit(
        &self,
        foreseen: Option<ReadPlan>,
        work: Work,
    ) -> Result<oneshot::Receiver<UnitAnswer>, StoreError> {
        let (unit, answered) = Unit::new(foreseen, work);
        match self.jobs.try_send(Job::Unit(Box::new(unit))) {
            Ok(()) => Ok(answered),
            Err(TrySendError::Full(_)) => Err(StoreError::Busy),
            Err(TrySendError::Disconnected(_)) => Err(StoreError::Closed),
        }
    }

    /// Waits until everything queued before has been written and answered. Works because the queue is in
    /// order.
    ///
    /// # Errors
    /// That could not be written. A file that is kept knows it only of the last batch.
    pub(super) fn settle(&self) -> Result<(), StoreError> {
        let (settling, settled) = oneshot::channel();
        let queued = self.jobs.send(Job::Settling(settling));
        // The thread ends before its handles only if it panics.
        queued.ok().and_then(|()| settled.blocking_recv().ok()).unwrap_or(Err(StoreError::Closed))
    }
}

/// Counts a waiting unit of work in [`COMMAND_QUEUE`] until it is dropped.
struct Waiting;

impl Waiting {
    fn begin() -> Self {
        metrics::gauge!(COMMAND_QUEUE).increment(1.0);
        Self
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        metrics::gauge!(COMMAND_QUEUE).decrement(1.0);
    }
}
