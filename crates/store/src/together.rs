//! Group commit on PostgreSQL: units of work that say beforehand what they ask for are carried out together.
//!
//! A thread takes the units that are waiting, up to a limit, and reads what all of them ask for in a statement for each
//! kind: the heads of their streams, which are locked in one order, then the receipts, the accounts. Each unit decides
//! in memory and leaves what it has to write ([`Pending`]). All of that is written in a statement for each table, and
//! committed at once. There are two such [threads], so that one computes while the other waits for the disk.
//!
//! A unit that asks the database something else gets a savepoint of its own, so a unit that is refused leaves the rest
//! of its batch alone. What spoils the transaction itself - a deadlock, a lock that is not to be had at once - is
//! nobody's fault in particular: the batch is given up, and each of its units is run in a transaction of its
//! own ([`writing`](super::writing)).

use std::collections::{BTreeSet, HashMap};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use diesel::connection::{SimpleConnection as _, TransactionManager as _};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::accounts::{self, AccountStanding};
use super::idempotency::{self, Place, Record};
use super::journal::{self, Head};
use super::pending::Pending;
use super::pool::Pool;
use super::thread::Thread;
use super::transaction::{Made, Overlay};
use super::writer::Waiting;
use super::{AnyConnection, COMMIT_BATCH, Failure, Options, StoreError, Transaction};
use owlbox_domain::values::AccountId;

/// The number of threads on so many connections: one computes while the other waits for the disk, where there are enough.
pub(super) const fn threads(pool_size: u32) -> u32 {
    if pool_size < 8 { 1 } else { 2 }
}

/// A batch waits for nobody's lock for longer: its units are then run one by one, and only those wait whom it concerns.
const LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '200ms'";

/// What a unit of work will ask for, as far as that is known beforehand. It may be less than it asks for, or more.
#[derive(Clone, Debug, Default)]
pub struct Foreseen {
    /// The account whose standing is asked for.
    pub account: Option<AccountId>,
    /// Where the receipt of an earlier command would be.
    pub receipt: Option<Place>,
    /// The streams that are locked.
    pub locked: Vec<Uuid>,
    /// The streams of which only the version is asked.
    pub looked_at: Vec<Uuid>,
}

/// What was read for a batch. It holds until somebody uses the connection, and so might have changed it.
#[derive(Default)]
pub(super) struct Ahead {
    locked: HashMap<Uuid, Head>,
    heads: HashMap<Uuid, Head>,
    standings: HashMap<AccountId, Option<AccountStanding>>,
    receipts: HashMap<Place, Option<Record>>,
}

impl Ahead {
    /// Locks and reads what these units ask for. Receipts and the rest are read once the streams are locked: whatever was done
    /// to them before is known then.
    fn read<'f>(
        connection: &mut AnyConnection,
        all: impl Iterator<Item = &'f Foreseen> + Clone,
    ) -> Result<Self, StoreError> {
        let locked: BTreeSet<Uuid> = all.clone().flat_map(|one| one.locked.iter().copied()).collect();
        let looked_at: BTreeSet<Uuid> = all.clone().flat_map(|one| one.looked_at.iter().copied()).collect();
        let accounts: BTreeSet<AccountId> = all.clone().filter_map(|one| one.account).collect();
        let places: BTreeSet<&Place> = all.filter_map(|one| one.receipt.as_ref()).collect();
        Ok(Self {
            locked: journal::lock_heads(connection, &locked)?,
            heads: journal::heads_of(connection, &looked_at)?,
            standings: accounts::standings(connection, accounts)?,
            receipts: idempotency::find_all(connection, places)?,
        })
    }

    /// The head of a stream that was locked; `None` if it was not.
    pub(super) fn locked(&self, id: Uuid) -> Option<Head> {
        self.locked.get(&id).cloned()
    }

    /// The head of a stream; `None` if it was not read.
    pub(super) fn head(&self, id: Uuid) -> Option<Head> {
        self.locked.get(&id).or_else(|| self.heads.get(&id)).cloned()
    }

    /// The standing of an account, if it was asked for; `Some(None)` if there is no such account.
    pub(super) fn standing(&self, account: AccountId) -> Option<Option<AccountStanding>> {
        self.standings.get(&account).copied()
    }

    /// The record of a receipt, if it was asked for; `Some(None)` if the key is unused.
    pub(super) fn receipt(&self, place: &Place) -> Option<Option<Record>> {
        self.receipts.get(place).cloned()
    }
}

/// What the units of a batch share.
#[derive(Default)]
pub(super) struct Together {
    pub(super) ahead: Ahead,
    /// What the units before have to write.
    pub(super) pending: Pending,
    overlay: Overlay,
    /// Whether the transaction has a savepoint.
    savepoint: bool,
    /// Whether it was set by the unit that is running.
    parted: bool,
    /// Whether the transaction is spoilt.
    spoilt: bool,
}

impl Together {
    /// Parts what comes from what other units did, if this unit has not done so yet: what they have to write is written,
    /// and a savepoint set.
    pub(super) fn part(&mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        if self.parted {
            return Ok(());
        }
        self.ahead = Ahead::default();
        let set = if self.savepoint { "RELEASE unit; SAVEPOINT unit" } else { "SAVEPOINT unit" };
        let parted = self.pending.write(connection).and_then(|()| Ok(connection.batch_execute(set)?));
        self.spoilt |= parted.is_err();
        parted?;
        (self.savepoint, self.parted) = (true, true);
        Ok(())
    }

    /// Runs a unit of work in a batch.
    fn run<T, E: Failure>(
        &mut self,
        connection: &mut AnyConnection,
        work: &mut impl FnMut(&mut Transaction<'_>) -> Result<T, E>,
    ) -> Result<(T, Made), E> {
        if self.spoilt {
            return Err(StoreError::Overtaken.into());
        }
        self.parted = false;
        let overlay = std::mem::take(&mut self.overlay);
        let outcome = Transaction::new(connection, &[&overlay], Some(self)).run(work);
        self.overlay = overlay;
        match &outcome {
            Ok((_, made)) => {
                self.overlay.extend(made.staged.iter().map(|(id, state)| (*id, Arc::clone(state))));
            }
            // The unit was refused, and takes back what it did. Where a statement failed without a savepoint, or
            // outside of what the unit did, the transaction is spoilt.
            Err(error) if error.store_error().is_none() => {
                let undone = if self.parted { connection.batch_execute("ROLLBACK TO unit") } else { Ok(()) };
                self.spoilt |= undone.is_err();
            }
            Err(_) => self.spoilt = true,
        }
        outcome
    }
}

/// A unit of work with its types erased.
trait Job: Send {
    fn foreseen(&self) -> &Foreseen;
    /// Runs it in a batch and keeps the outcome.
    fn run(&mut self, connection: &mut AnyConnection, together: &mut Together);
    /// Answers whoever waits.
    fn answer(self: Box<Self>, fate: &Fate);
}

/// What became of a batch.
enum Fate {
    Committed,
    /// It left nothing behind, and each unit is to be tried alone.
    GivenUp,
    /// It left nothing behind, since there was no connection.
    Unreached,
    /// Whether it was kept is unknown.
    Unknown(String),
}

/// An answer to a unit of work: its outcome, or the work again, which is to be run alone.
pub(super) enum Answer<T, E, F> {
    Done(Result<T, E>),
    Alone(F),
}

struct Unit<T, E, F> {
    foreseen: Foreseen,
    work: F,
    outcome: Option<Result<(T, Made), E>>,
    asked: oneshot::Sender<Answer<T, E, F>>,
    span: tracing::Span,
    waiting: Option<Waiting>,
}

impl<T, E, F> Job for Unit<T, E, F>
where
    F: FnMut(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: Failure,
{
    fn foreseen(&self) -> &Foreseen {
        &self.foreseen
    }

    fn run(&mut self, connection: &mut AnyConnection, together: &mut Together) {
        drop(self.waiting.take());
        let work = &mut self.work;
        self.outcome = Some(self.span.in_scope(|| together.run(connection, work)));
    }

    fn answer(self: Box<Self>, fate: &Fate) {
        let Self { work, outcome, asked, .. } = *self;
        let answer = match (fate, outcome) {
            (Fate::Committed, Some(Ok((value, made)))) => {
                made.after.into_iter().for_each(|action| action());
                Answer::Done(Ok(value))
            }
            (Fate::Committed, Some(Err(error))) => Answer::Done(Err(error)),
            (Fate::GivenUp, _) | (Fate::Committed, None) => Answer::Alone(work),
            (Fate::Unreached, _) => Answer::Done(Err(StoreError::Busy.into())),
            (Fate::Unknown(error), _) => Answer::Done(Err(StoreError::Commit(error.clone()).into())),
        };
        // Whoever asked may have gone away since.
        drop(asked.send(answer));
    }
}

/// A handle to the threads. Dropping the last one waits until they have answered what they accepted.
#[derive(Clone)]
pub(super) struct Writers {
    queue: SyncSender<Box<dyn Job>>,
    /// Declared after `queue`: the threads end once that is dropped, and only then may be waited for.
    _threads: Arc<Vec<Thread>>,
}

impl Writers {
    /// Starts the threads, which take their connections from the pool.
    ///
    /// # Errors
    /// [`StoreError::Thread`].
    pub(super) fn start(pool: &Arc<Pool>, options: &Options) -> Result<Self, StoreError> {
        let (queue, jobs) = sync_channel(options.queue_limit);
        let (jobs, most) = (Arc::new(Mutex::new(jobs)), options.batch_limit.max(1));
        let threads = (0..threads(options.pool_size)).map(|_| {
            let (pool, jobs) = (Arc::clone(pool), Arc::clone(&jobs));
            Thread::start("postgres-writer", move || run(&pool, &jobs, most))
        });
        let threads = threads.collect::<Result<_, _>>()?;
        Ok(Self { queue, _threads: Arc::new(threads) })
    }

    /// Queues `work`. The receiver gets the answer after the commit.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if the queue is full, [`StoreError::Closed`] if the threads have ended.
    pub(super) fn submit<T, E, F>(
        &self,
        foreseen: Foreseen,
        work: F,
    ) -> Result<oneshot::Receiver<Answer<T, E, F>>, StoreError>
    where
        F: FnMut(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure,
    {
        let (asked, answered) = oneshot::channel();
        let (span, waiting) = (tracing::Span::current(), Some(Waiting::begin()));
        let unit = Unit { foreseen, work, outcome: None, asked, span, waiting };
        match self.queue.try_send(Box::new(unit)) {
            Ok(()) => Ok(answered),
            Err(TrySendError::Full(_)) => Err(StoreError::Busy),
            Err(TrySendError::Disconnected(_)) => Err(StoreError::Closed),
        }
    }
}

fn run(pool: &Pool, jobs: &Mutex<Receiver<Box<dyn Job>>>, most: usize) {
    loop {
        let mut batch: Vec<Box<dyn Job>> = {
            let jobs = jobs.lock().unwrap_or_else(PoisonError::into_inner);
            let Ok(first) = jobs.recv() else { return };
            std::iter::once(first).chain(jobs.try_iter().take(most - 1)).collect()
        };
        metrics::histogram!(COMMIT_BATCH).record(f64::from(u32::try_from(batch.len()).unwrap_or(u32::MAX)));
        let fate = pool.run(|connection| Ok::<_, StoreError>(carry_out(connection, &mut batch)));
        let fate = fate.unwrap_or(Fate::Unreached);
        batch.into_iter().for_each(|job| job.answer(&fate));
    }
}

/// Carries out a batch in one transaction.
fn carry_out(connection: &mut AnyConnection, batch: &mut [Box<dyn Job>]) -> Fate {
    let begun = AnyConnection::begin_transaction(connection).map_err(StoreError::from);
    if let Err(error) = begun.and_then(|()| write(connection, batch)) {
        if !error.is_conflict() {
            tracing::debug!(%error, "commands are not committed together");
        }
        // If this fails too, the pool does not reuse the connection.
        drop(AnyConnection::rollback_transaction(connection));
        return Fate::GivenUp;
    }
    // Rolls back if it fails, unless the connection was lost.
    match AnyConnection::commit_transaction(connection).map_err(StoreError::from) {
        Ok(()) => Fate::Committed,
        Err(StoreError::Conflict(_)) => Fate::GivenUp,
        Err(error) => Fate::Unknown(error.to_string()),
    }
}

/// Runs the units of a batch and writes what they left to be written.
fn write(connection: &mut AnyConnection, batch: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
    connection.batch_execute(LOCK_TIMEOUT)?;
    let ahead = Ahead::read(connection, batch.iter().map(|job| job.foreseen()))?;
    let mut together = Together { ahead, ..Together::default() };
    for job in &mut *batch {
        job.run(connection, &mut together);
        if together.spoilt {
            return Err(StoreError::Overtaken);
        }
    }
    together.pending.write(connection)
}
