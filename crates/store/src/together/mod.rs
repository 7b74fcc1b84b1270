//! Group commit: units of work that share a transaction.
//!
//! Each unit that says beforehand what it asks for decides in memory and leaves what it has to write ([`Pending`]). All of
//! that is written at the end of the transaction, in a few statements, and committed at once. A unit that asks the
//! database something else, or does not say what it asks for, gets a savepoint of its own, so a unit that is refused
//! leaves the rest of its batch alone. If the transaction is spoilt, the batch is given up, and its units are run again:
//! on SQLite each with a savepoint, on PostgreSQL each in a transaction of its own.
//!
//! SQLite has [one thread](super::writer) that takes all units, PostgreSQL [one](grouping) for those that say what they ask
//! for.

pub(super) mod grouping;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use diesel::RunQueryDsl as _;
use diesel::connection::SimpleConnection as _;
use diesel::sqlite::Sqlite;
use tokio::sync::oneshot;
use uuid::Uuid;

use super::accounts::{self, AccountStanding};
use super::idempotency::{self, Place, Record};
use super::journal::{self, Head};
use super::pending::Pending;
use super::postgres::{AtOnce, in_order};
use super::statement::Statement;
use super::thread::Thread;
use super::transaction::{Effects, Overlay};
use super::work::{Failed, Made, Outcome, Work};
use super::{AnyConnection, COMMAND_QUEUE, COMMIT_BATCH, Failure, Options, StoreError, Transaction, notify};
use owlbox_base::values::AccountId;

/// What a unit of work will ask for, as far as that is known beforehand. It may be less than it asks for, or more.
#[derive(Clone, Debug, Default)]
pub struct ReadPlan {
    /// The account whose standing is asked for.
    pub account: Option<AccountId>,
    /// Where the receipt of an earlier command would be.
    pub receipt: Option<Place>,
    /// The streams that are locked, with the kind that each has to be of.
    pub locked: Vec<(Uuid, &'static str)>,
    /// The streams of which only the version is asked.
    pub looked_at: Vec<Uuid>,
}

/// What was read for a batch, and what its units have changed of that: nobody else changes the head of a locked stream, or a
/// receipt at one, and no unit of a batch on PostgreSQL changes an account. Heads that were only looked at hold until somebody waits
/// for a lock, or asks the database: what others have committed by then, a unit has to see.
#[derive(Default)]
pub(super) struct Prefetched {
    locked: HashMap<Uuid, Head>,
    heads: HashMap<Uuid, Head>,
    standings: HashMap<AccountId, Option<AccountStanding>>,
    receipts: HashMap<Place, Option<Record>>,
}

impl Prefetched {
    /// Locks and reads what these units ask for. Hashes, receipts and the rest are read after the streams are locked: whatever was
    /// done to them before is known then.
    async fn read<'f>(
        asked: AtOnce<'_>,
        all: impl Iterator<Item = &'f ReadPlan> + Clone,
    ) -> Result<Self, StoreError> {
        let locked: BTreeSet<(Uuid, &'static str)> =
            all.clone().flat_map(|one| one.locked.iter().copied()).collect();
        let looked_at: BTreeSet<Uuid> = all.clone().flat_map(|one| one.looked_at.iter().copied()).collect();
        let accounts: BTreeSet<AccountId> = all.clone().filter_map(|one| one.account).collect();
        let places: BTreeSet<&Place> = all.filter_map(|one| one.receipt.as_ref()).collect();
        let (mut locked, hashes, heads, standings, receipts) = in_order!(
            journal::lock_heads(asked, &locked),
            journal::newest_hashes(asked, &locked),
            journal::heads_of(asked, &looked_at),
            accounts::standings(asked, accounts),
            idempotency::find_all(asked, places),
        )?;
        for (id, hash) in hashes {
            locked.entry(id).and_modify(|head| head.hash = Some(hash));
        }
        Ok(Self { locked, heads, standings, receipts })
    }

    /// Takes note of what is written now: the streams are locked, and stand there.
    pub(super) fn note(&mut self, written: &Pending) {
        let heads = written.first.streams.iter().map(|(id, growth)| (*id, growth.head()));
        self.locked.extend(heads);
        let receipts = written.first.receipts.iter();
        self.receipts.extend(receipts.map(|(place, (record, _))| (place.clone(), Some(record.clone()))));
    }

    /// Forgets what was only looked at.
    pub(super) fn look_anew(&mut self) {
        self.heads.clear();
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
pub(super) struct Batch {
    pub(super) ahead: Prefetched,
    /// What the units before have to write.
    pub(super) pending: Pending,
    /// The states that they have produced.
    pub(super) overlay: Overlay,
    /// Those of the batch before, if it is committed but not answered yet, so that the caches lack them.
    last: Arc<Overlay>,
    /// Whether the transaction has a savepoint.
    savepoint: bool,
    /// Whether it was set by the unit that is running.
    parted: bool,
    /// How much was to be told when it was set.
    told: usize,
    /// Why the transaction can no longer be committed, if something has spoilt it.
    pub(super) spoilt: Option<StoreError>,
}

impl Batch {
    /// A batch that begins with what was read ahead of it.
    pub(super) fn knowing(ahead: Prefetched) -> Self {
        Self { ahead, ..Self::default() }
    }

    /// A batch after one that has produced these states.
    pub(super) fn after(last: &Arc<Overlay>) -> Self {
        Self { last: Arc::clone(last), ..Self::default() }
    }

    /// Begins a transaction on SQLite. It is `IMMEDIATE`, because one that reads before it writes would otherwise fail as locked
    /// whatever the busy timeout. Where the disk or memory fails SQLite rolls back by itself, and from there on each statement would
    /// commit alone. Such a rollback takes the savepoint with it, so [`write`](Self::write), which releases it first, fails before it
    /// writes anything.
    ///
    /// # Errors
    /// The file is locked, or cannot be written.
    pub(super) fn begin(&mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        connection.batch_execute("BEGIN IMMEDIATE; SAVEPOINT unit")?;
        self.savepoint = true;
        Ok(())
    }

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

    /// Writes what the units left to be written. Whether anything may have been.
    ///
    /// # Errors
    /// That could not be written.
    pub(super) fn write(&mut self, connection: &mut AnyConnection) -> Result<bool, StoreError> {
        let writes = self.savepoint || !self.pending.is_empty();
        if std::mem::take(&mut self.savepoint) {
            // It fails where the transaction is spoilt and nobody has said so: then nothing can be kept.
            savepoint(connection, "RELEASE unit")?;
        }
        self.pending.write(connection)?;
        Ok(writes)
    }

    /// Parts what comes from what other units did, if this unit has not done so yet: what they have to write is written, on
    /// PostgreSQL [without what others wait for](Pending::write_first), and a savepoint set.
    pub(super) fn part(&mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        self.ahead.look_anew();
        if self.parted {
            return Ok(());
        }
        if let Some(why) = &self.spoilt {
            return Err(failed_by(why));
        }
        // If this panics, what the others had to write is lost.
        self.spoilt = Some(StoreError::Panicked);
        let set = match connection {
            AnyConnection::Sqlite(_) => {
                // What was known of it stands in the database from here on, and this unit may change it.
                self.ahead = Prefetched::default();
                self.write(connection).and_then(|_| savepoint(connection, "SAVEPOINT unit"))
            }
            AnyConnection::Postgres(_) => {
                // Later units still ask for what `write_first` takes out of `pending`.
                self.ahead.note(&self.pending);
                let set = if self.savepoint { "RELEASE unit; SAVEPOINT unit" } else { "SAVEPOINT unit" };
                self.pending.write_first(connection).and_then(|()| savepoint(connection, set))
            }
        };
        self.spoilt = set.as_ref().err().map(failed_by);
        set?;
        (self.savepoint, self.parted, self.told) = (true, true, notify::count(connection));
        Ok(())
    }

    /// Keeps the head of a stream that a unit has looked at, for those after it. One that asks the database itself may see what
    /// has been committed since.
    pub(super) fn looked_at(&mut self, id: Uuid, head: Head) {
        if !self.parted {
            self.ahead.heads.insert(id, head);
        }
    }

    /// Takes over what a unit has written, and what it has to write.
    pub(super) fn join(&mut self, written: Prefetched, pending: Pending) {
        let Prefetched { locked, receipts, heads: _, standings: _ } = written;
        self.ahead.locked.extend(locked);
        self.ahead.receipts.extend(receipts);
        self.pending.join(pending);
    }

    /// Runs a unit of work in a batch. One that does not say what it asks for writes what it has to write itself.
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
            // The unit was refused, and takes back what it did. A statement that fails spoils the transaction on PostgreSQL, without a
            // savepoint or outside of what the unit did. On SQLite it leaves nothing behind, or there is no transaction any more,
            // which shows when the savepoint ends.
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

/// Sets or ends a savepoint.
fn savepoint(connection: &mut AnyConnection, sql: &'static str) -> Result<(), StoreError> {
    match connection {
        // Parsing it each time would cost a command a tenth of its time.
        AnyConnection::Sqlite(connection) => Statement::<Sqlite>::new(sql).execute(connection).map(drop)?,
        AnyConnection::Postgres(connection) => connection.batch_execute(sql)?,
    }
    Ok(())
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

    /// Answers whoever waits.
    pub(super) fn answer(self, fate: &Fate) {
        match self {
            Self::Unit(unit) => unit.answer(fate),
            Self::Settling(settling) => {
                let written = if let Fate::Failed(error) = fate { Err(failed_by(error)) } else { Ok(()) };
                // Whoever asked may have gone away since.
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

/// What a unit of work is told whose batch failed.
fn failed_by(error: &StoreError) -> StoreError {
    if let StoreError::Commit(why) = error {
        return StoreError::Commit(why.clone());
    }
    if matches!(error, StoreError::Full) { StoreError::Full } else { StoreError::Commit(error.to_string()) }
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
            // Before the answer: it may hold a handle to the store, which whoever is answered may be about to close.
            drop(work);
            UnitAnswer::Done(outcome)
        } else {
            UnitAnswer::Alone(work)
        };
        // Whoever asked may have gone away since.
        drop(asked.send(answer));
    }
}

/// What waits for a thread that writes. Dropping the last handle waits until the thread has answered what it accepted
/// and has closed its connection, so that the database can be opened again at once.
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

    /// Queues `work`. The receiver gets the answer once the commit is durable; of a throwaway database, before.
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

    /// Waits until everything queued before has been written and answered. Works because the queue is in order.
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
