//! Group commit on PostgreSQL: units of work that say beforehand what they ask for are carried out together.
//!
//! A thread takes the units that are waiting, up to a limit, and reads what all of them ask for in a statement for each
//! kind: the heads of their streams, which are locked in one order, then the receipts, the accounts. Each unit decides
//! in memory and leaves what it has to write ([`Pending`]). All of that is written in a statement for each table, and
//! committed at once. It is one thread: two met at the end of the books and made smaller batches, and were slower.
//!
//! A unit that asks the database something else gets a savepoint of its own, so a unit that is refused leaves the rest
//! of its batch alone. What spoils the transaction itself - a deadlock, a lock that is not to be had at once - is
//! nobody's fault in particular: the batch is given up, and each of its units is run in a transaction of its
//! own ([`writing`](super::writing)).

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use diesel::connection::{SimpleConnection as _, TransactionManager as _};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::accounts::{self, AccountStanding};
use super::idempotency::{self, Place, Record};
use super::journal::{self, Head};
use super::pending::Pending;
use super::pool::Pool;
use super::postgres::{AtOnce, in_order};
use super::thread::Thread;
use super::transaction::{Made, Overlay};
use super::writer::Waiting;
use super::{AnyConnection, COMMIT_BATCH, Failure, Options, StoreError, Transaction, notify};
use owlbox_base::values::AccountId;

/// With fewer connections nothing is committed together: the thread would have the half of them that may write.
pub(super) const FEWEST_CONNECTIONS: u32 = 4;
/// A batch waits for nobody's lock for longer: its units are then run one by one, and only those wait whom it concerns.
const LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '200ms'";

/// What a unit of work will ask for, as far as that is known beforehand. It may be less than it asks for, or more.
#[derive(Clone, Debug, Default)]
pub struct Foreseen {
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
/// receipt at one, and no unit of a batch changes an account. Heads that were only looked at hold until somebody waits
/// for a lock, or asks the database: what others have committed by then, a unit has to see.
#[derive(Default)]
pub(super) struct Ahead {
    locked: HashMap<Uuid, Head>,
    heads: HashMap<Uuid, Head>,
    standings: HashMap<AccountId, Option<AccountStanding>>,
    receipts: HashMap<Place, Option<Record>>,
}

impl Ahead {
    /// Locks and reads what these units ask for. Hashes, receipts and the rest are read after the streams are locked: whatever was
    /// done to them before is known then.
    async fn read<'f>(
        asked: AtOnce<'_>,
        all: impl Iterator<Item = &'f Foreseen> + Clone,
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
pub(super) struct Together {
    pub(super) ahead: Ahead,
    /// What the units before have to write.
    pub(super) pending: Pending,
    overlay: Overlay,
    /// Whether the transaction has a savepoint.
    savepoint: bool,
    /// Whether it was set by the unit that is running.
    parted: bool,
    /// How much was to be told when it was set.
    told: usize,
    /// Whether the transaction is spoilt.
    spoilt: bool,
}

impl Together {
    /// Parts what comes from what other units did, if this unit has not done so yet: what they have to write [at
    /// first](Pending::write_first) is written, and a savepoint set.
    pub(super) fn part(&mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        self.ahead.look_anew();
        if self.parted {
            return Ok(());
        }
        self.ahead.note(&self.pending);
        let set = if self.savepoint { "RELEASE unit; SAVEPOINT unit" } else { "SAVEPOINT unit" };
        let parted = self.pending.write_first(connection).and_then(|()| Ok(connection.batch_execute(set)?));
        self.spoilt |= parted.is_err();
        parted?;
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
    pub(super) fn join(&mut self, written: Ahead, pending: Pending) {
        let Ahead { locked, receipts, heads: _, standings: _ } = written;
        self.ahead.locked.extend(locked);
        self.ahead.receipts.extend(receipts);
        self.pending.join(pending);
    }

    /// Runs a unit of work in a batch.
    fn run<T, E: Failure>(
        &mut self,
        connection: &mut AnyConnection,
        work: &mut impl FnMut(&mut Transaction<'_>) -> Result<T, E>,
    ) -> Result<(T, Made), E> {
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
            Err(error) if !error.is_of_the_store() => {
                if self.parted {
                    self.spoilt |= connection.batch_execute("ROLLBACK TO unit").is_err();
                    notify::forget_after(connection, self.told);
                }
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

impl<T, E, F> Unit<T, E, F> {
    /// A unit that waits from now on, and where it is answered.
    fn new(foreseen: Foreseen, work: F) -> (Self, oneshot::Receiver<Answer<T, E, F>>) {
        let (asked, answered) = oneshot::channel();
        let (span, waiting) = (tracing::Span::current(), Some(Waiting::begin()));
        (Self { foreseen, work, outcome: None, asked, span, waiting }, answered)
    }
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

/// A handle to the thread. Dropping the last one waits until it has answered what it accepted.
#[derive(Clone)]
pub(super) struct Grouping {
    queue: SyncSender<Box<dyn Job>>,
    /// Declared after `queue`: the thread ends once that is dropped, and only then may be waited for.
    _thread: Arc<Thread>,
}

impl Grouping {
    /// Starts the thread, which takes its connection from the pool.
    ///
    /// # Errors
    /// [`StoreError::Thread`].
    pub(super) fn start(pool: &Arc<Pool>, options: &Options) -> Result<Self, StoreError> {
        let (queue, jobs) = sync_channel(options.queue_limit);
        let (pool, most) = (Arc::clone(pool), options.batch_limit.max(1));
        let thread = Thread::start("postgres-writer", move || run(&pool, &jobs, most))?;
        Ok(Self { queue, _thread: Arc::new(thread) })
    }

    /// Queues `work`. The receiver gets the answer after the commit.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if the queue is full, [`StoreError::Closed`] if the thread has ended.
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
        let (unit, answered) = Unit::new(foreseen, work);
        match self.queue.try_send(Box::new(unit)) {
            Ok(()) => Ok(answered),
            Err(TrySendError::Full(_)) => Err(StoreError::Busy),
            Err(TrySendError::Disconnected(_)) => Err(StoreError::Closed),
        }
    }

    /// Waits until everything queued before has been answered. Works because the queue is in order.
    pub(super) fn settle(&self) {
        let nothing = |_: &mut Transaction<'_>| Ok::<_, StoreError>(());
        let (last, answered) = Unit::new(Foreseen::default(), nothing);
        // If the thread has ended, nothing is left to wait for.
        if self.queue.send(Box::new(last)).is_ok() {
            drop(answered.blocking_recv());
        }
    }
}

fn run(pool: &Pool, jobs: &Receiver<Box<dyn Job>>, most: usize) {
    while let Ok(first) = jobs.recv() {
        let mut batch: Vec<_> = std::iter::once(first).chain(jobs.try_iter().take(most - 1)).collect();
        metrics::histogram!(COMMIT_BATCH).record(f64::from(u32::try_from(batch.len()).unwrap_or(u32::MAX)));
        let carried_out = catch_unwind(AssertUnwindSafe(|| {
            pool.run(|connection| Ok::<_, StoreError>(carry_out(connection, &mut batch)))
        }));
        let fate = match carried_out {
            Ok(fate) => fate.unwrap_or(Fate::Unreached),
            Err(_) => Fate::Unknown("the writer panicked".into()),
        };
        for job in batch {
            // A panic after the commit costs its caller the answer, and nobody else.
            drop(catch_unwind(AssertUnwindSafe(|| job.answer(&fate))));
        }
    }
}

/// Carries out a batch in one transaction.
fn carry_out(connection: &mut AnyConnection, batch: &mut [Box<dyn Job>]) -> Fate {
    let writes = match begin(connection, batch).and_then(|ahead| write(connection, batch, ahead)) {
        Ok(writes) => writes,
        Err(error) => {
            if !error.is_conflict() {
                tracing::debug!(%error, "commands are not committed together");
            }
            // If this fails too, the pool does not reuse the connection.
            drop(AnyConnection::rollback_transaction(connection));
            return Fate::GivenUp;
        }
    };
    let committed = notify::commit(connection);
    if committed.is_err() {
        drop(AnyConnection::rollback_transaction(connection));
    }
    match committed {
        Ok(()) => Fate::Committed,
        // The server says that it was not kept.
        Err(StoreError::Conflict(_) | StoreError::Busy | StoreError::Full) => Fate::GivenUp,
        // There was nothing to keep.
        Err(_) if !writes => Fate::GivenUp,
        Err(error) => Fate::Unknown(error.to_string()),
    }
}

/// Begins the transaction of a batch, and reads what its units ask for.
fn begin(connection: &mut AnyConnection, batch: &[Box<dyn Job>]) -> Result<Ahead, StoreError> {
    match connection {
        // SQLite has a writer of its own.
        AnyConnection::Sqlite(_) => Err(StoreError::Closed),
        AnyConnection::Postgres(connection) => connection.begin(LOCK_TIMEOUT, async |asked| {
            Ahead::read(asked, batch.iter().map(|job| job.foreseen())).await
        }),
    }
}

/// Runs the units of a batch and writes what they left to be written. Whether anything may have been.
fn write(
    connection: &mut AnyConnection,
    batch: &mut [Box<dyn Job>],
    ahead: Ahead,
) -> Result<bool, StoreError> {
    let mut together = Together { ahead, ..Together::default() };
    for job in &mut *batch {
        job.run(connection, &mut together);
        if together.spoilt {
            return Err(StoreError::Overtaken);
        }
    }
    let writes = together.savepoint || !together.pending.is_empty();
    together.pending.write(connection)?;
    if together.savepoint {
        // It fails where a unit has spoilt the transaction and said nothing of it: then nothing can be kept.
        connection.batch_execute("RELEASE unit")?;
    }
    Ok(writes)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};

    use diesel::connection::SimpleConnection as _;
    use diesel::prelude::*;
    use diesel::sql_types::{BigInt, Text};

    use super::*;
    use crate::connection::{Use, connect};
    use crate::notify::Heard;
    use crate::{Database, DatabaseUrl, Store};

    /// A refusal, or a failure of the store.
    #[derive(Debug)]
    enum No {
        Refused,
        Failed(StoreError),
    }

    impl From<StoreError> for No {
        fn from(error: StoreError) -> Self {
            Self::Failed(error)
        }
    }

    impl Failure for No {
        fn store_error(&self) -> Option<&StoreError> {
            if let Self::Failed(error) = self { Some(error) } else { None }
        }
    }

    type Answered<T> = oneshot::Receiver<Answer<T, No, Box<dyn Work<T>>>>;

    trait Work<T>: FnMut(&mut Transaction<'_>) -> Result<T, No> + Send {}
    impl<T, F: FnMut(&mut Transaction<'_>) -> Result<T, No> + Send> Work<T> for F {}

    /// A store in a schema of its own; `None` if tests on PostgreSQL are skipped.
    fn store() -> Option<(Store, DatabaseUrl)> {
        let Ok(cluster) = std::env::var("OWLBOX_TEST_POSTGRES") else {
            assert!(std::env::var("OWLBOX_TEST_SKIP_POSTGRES").is_ok(), "run `bash tests/run.sh`");
            return None;
        };
        let schema = format!("store_{}", Uuid::now_v7().simple());
        let mut connection = connect(&cluster.parse().unwrap(), Use::Write).unwrap();
        connection.batch_execute(&format!("CREATE SCHEMA {schema}")).unwrap();
        let joint = if cluster.contains('?') { '&' } else { '?' };
        let url: DatabaseUrl = format!("{cluster}{joint}options=-csearch_path%3D{schema}").parse().unwrap();
        Some((Store::open(&url, &Options { pool_size: 4, ..Options::default() }).unwrap(), url))
    }

    fn submit<T: Send + 'static>(
        store: &Store,
        foreseen: Foreseen,
        work: impl FnMut(&mut Transaction<'_>) -> Result<T, No> + Send + 'static,
    ) -> Answered<T> {
        let work: Box<dyn Work<T>> = Box::new(work);
        let Database::Server(server) = &store.database else { panic!("this is PostgreSQL") };
        server.grouping.as_ref().unwrap().submit(foreseen, work).unwrap()
    }

    /// Keeps the thread busy until the answer is dropped, so that what is submitted meanwhile is taken at once.
    fn busy(store: &Store) -> std::sync::mpsc::Sender<()> {
        let (release, released) = channel::<()>();
        let (begins, begun) = channel();
        drop(submit(store, Foreseen::default(), move |_| {
            begins.send(()).unwrap();
            // An error says that it was dropped.
            let _ = released.recv();
            Ok(())
        }));
        begun.recv().unwrap();
        release
    }

    fn place(key: &str) -> Place {
        Place { account: AccountId(Uuid::nil()), key: key.to_owned() }
    }

    fn keep(transaction: &mut Transaction<'_>, key: &str) {
        let record = Record { request_hash: Vec::new(), status: 200, stream: Uuid::nil(), version: 1 };
        transaction.keep_receipt(place(key), record, chrono::DateTime::UNIX_EPOCH.into());
    }

    fn done<T>(answered: Answered<T>) -> Result<T, No> {
        match answered.blocking_recv().unwrap() {
            Answer::Done(outcome) => outcome,
            Answer::Alone(_) => panic!("given up"),
        }
    }

    /// The keys that are kept, and in how many transactions or parts of one they were written.
    fn kept(store: &Store) -> (Vec<String>, i64) {
        #[derive(QueryableByName)]
        struct Key {
            #[diesel(sql_type = Text)]
            key: String,
            #[diesel(sql_type = BigInt)]
            transactions: i64,
        }
        let query = "SELECT key, (SELECT count(DISTINCT xmin::text) FROM idempotency) AS transactions FROM idempotency ORDER BY key";
        let keys: Vec<Key> = store
            .read_blocking(|connection| match connection {
                AnyConnection::Sqlite(_) => panic!("this is PostgreSQL"),
                AnyConnection::Postgres(connection) => {
                    Ok::<_, StoreError>(diesel::sql_query(query).load(connection)?)
                }
            })
            .unwrap();
        let transactions = keys.first().map_or(0, |key| key.transactions);
        (keys.into_iter().map(|key| key.key).collect(), transactions)
    }

    #[test]
    fn what_waits_is_committed_together_and_a_refused_unit_leaves_the_rest_alone() {
        let Some((store, _)) = store() else { return };
        let release = busy(&store);
        let plain = |key: &'static str| {
            submit(&store, Foreseen::default(), move |transaction| {
                keep(transaction, key);
                Ok(())
            })
        };
        let first = plain("a");
        let refused: Answered<()> = submit(&store, Foreseen::default(), |transaction| {
            keep(transaction, "b");
            Err(No::Refused)
        });
        // It has asked the database, and so has written what it and those before it had to write.
        let refused_later: Answered<()> = submit(&store, Foreseen::default(), |transaction| {
            keep(transaction, "c");
            transaction.connection()?;
            keep(transaction, "d");
            Err(No::Refused)
        });
        // What fails within the unit that asks costs that one alone.
        let failed: Answered<()> = submit(&store, Foreseen::default(), |transaction| {
            keep(transaction, "e");
            let failed = transaction.connection()?.batch_execute("SELECT 1 / 0");
            assert!(failed.is_err());
            Err(No::Refused)
        });
        let last = plain("f");
        drop(release);
        assert!(done(first).is_ok() && done(last).is_ok());
        for refused in [refused, refused_later, failed] {
            assert!(matches!(done(refused), Err(No::Refused)));
        }
        assert_eq!(kept(&store).0, ["a", "f"]);
        let release = busy(&store);
        let answers = ["g", "h", "i", "j"].map(plain);
        drop(release);
        answers.into_iter().for_each(|answer| done(answer).unwrap());
        let (keys, transactions) = kept(&store);
        assert_eq!(keys, ["a", "f", "g", "h", "i", "j"]);
        assert!(transactions <= 3, "the last four in one: {transactions}");
    }

    #[test]
    fn a_receipt_of_the_same_batch_is_found() {
        let Some((store, _)) = store() else { return };
        let release = busy(&store);
        let once = || {
            let foreseen = Foreseen { receipt: Some(place("once")), ..Foreseen::default() };
            submit(&store, foreseen, |transaction| {
                let before = transaction.receipt(&place("once"))?;
                if before.is_none() {
                    keep(transaction, "once");
                }
                Ok(before.is_some())
            })
        };
        let answers = [once(), once(), once()];
        drop(release);
        assert_eq!(answers.map(|answer| done(answer).unwrap()), [false, true, true]);
        assert!(done(once()).unwrap(), "and after the commit");
    }

    #[test]
    fn a_receipt_is_found_whoever_has_asked_the_database_since() {
        let Some((store, _)) = store() else { return };
        let release = busy(&store);
        let once = |key: &'static str| {
            let foreseen = Foreseen { receipt: Some(place(key)), ..Foreseen::default() };
            submit(&store, foreseen, move |transaction| {
                let before = transaction.receipt(&place(key))?;
                if before.is_none() {
                    keep(transaction, key);
                }
                Ok(before.is_some())
            })
        };
        let asks = |key: &'static str, kept: bool| {
            submit(
                &store,
                Foreseen { receipt: Some(place(key)), ..Foreseen::default() },
                move |transaction| {
                    keep(transaction, key);
                    // Written now.
                    transaction.connection()?;
                    assert!(transaction.receipt(&place(key))?.is_some(), "by the unit itself it is found");
                    if kept { Ok(()) } else { Err(No::Refused) }
                },
            )
        };
        let before = once("before");
        let (own, refused) = (asks("own", true), asks("refused", false));
        let after = ["before", "own", "refused", "refused"].map(once);
        drop(release);
        assert!(!done(before).unwrap());
        done(own).unwrap();
        assert!(matches!(done(refused), Err(No::Refused)));
        assert_eq!(after.map(|answer| done(answer).unwrap()), [true, true, false, true]);
        assert_eq!(kept(&store).0, ["before", "own", "refused"]);
    }

    #[test]
    fn what_was_only_looked_at_is_looked_at_again_after_waiting_or_asking() {
        let Some((store, url)) = store() else { return };
        let [looked_at, waited_for] = [(); 2].map(|()| Uuid::now_v7());
        let mut elsewhere = connect(&url, Use::Write).unwrap();
        let streams = format!(
            "INSERT INTO stream (id, kind, version) VALUES ('{looked_at}', 'club', 1), ('{waited_for}', 'match', 1)"
        );
        elsewhere.batch_execute(&streams).unwrap();
        for asks in [true, false] {
            let release = busy(&store);
            let foreseen = Foreseen { looked_at: vec![looked_at], ..Foreseen::default() };
            let (reads, has_read) = channel();
            let (go_on, goes_on) = channel::<()>();
            let seen = submit(&store, foreseen, move |transaction| {
                let first = transaction.head(looked_at, "club")?.unwrap();
                reads.send(()).unwrap();
                goes_on.recv().unwrap();
                if asks {
                    transaction.connection()?;
                } else {
                    transaction.lock_head(waited_for, "match")?;
                }
                Ok(transaction.head(looked_at, "club")?.unwrap() - first)
            });
            drop(release);
            has_read.recv_timeout(Duration::from_secs(20)).unwrap();
            let grows = format!("UPDATE stream SET version = version + 1 WHERE id = '{looked_at}'");
            elsewhere.batch_execute(&grows).unwrap();
            go_on.send(()).unwrap();
            assert_eq!(done(seen).unwrap(), 1, "asks: {asks}");
        }
    }

    /// The outcome of a unit, alone if it has to be.
    fn outcome<T: Send + 'static>(store: &Store, answered: Answered<T>) -> Result<T, No> {
        match answered.blocking_recv().unwrap() {
            Answer::Done(outcome) => outcome,
            Answer::Alone(work) => store.write_blocking(work),
        }
    }

    #[test]
    fn a_batch_that_is_spoilt_is_run_again_one_by_one() {
        let Some((store, _)) = store() else { return };
        let release = busy(&store);
        let answers = [("a", false), ("b", true), ("c", false)].map(|(key, fails)| {
            submit(&store, Foreseen::default(), move |transaction| {
                keep(transaction, key);
                if fails {
                    // Nobody parts this statement from what the others do.
                    transaction.beside().batch_execute("SELECT 1 / 0").map_err(StoreError::from)?;
                }
                Ok(())
            })
        });
        drop(release);
        let [a, b, c] = answers.map(|answer| outcome(&store, answer));
        assert!(a.is_ok() && c.is_ok());
        assert!(matches!(b, Err(No::Failed(StoreError::Query(_)))), "{b:?}");
        assert_eq!(kept(&store).0, ["a", "c"]);
    }

    #[test]
    fn a_unit_that_says_nothing_of_what_failed_keeps_nothing() {
        let Some((store, _)) = store() else { return };
        let release = busy(&store);
        let before = submit(&store, Foreseen::default(), |transaction| {
            keep(transaction, "before");
            Ok(())
        });
        let silent = submit(&store, Foreseen::default(), |transaction| {
            assert!(transaction.connection()?.batch_execute("SELECT 1 / 0").is_err());
            Ok(())
        });
        drop(release);
        outcome(&store, before).unwrap();
        assert!(matches!(outcome(&store, silent), Err(No::Failed(_))));
        assert_eq!(kept(&store).0, ["before"]);
    }

    #[test]
    fn nobody_waits_for_long_for_a_lock_that_only_another_unit_needs() {
        let Some((store, url)) = store() else { return };
        let stream = Uuid::now_v7();
        let mut elsewhere = connect(&url, Use::Write).unwrap();
        let lock = format!(
            "INSERT INTO stream (id, kind, version) VALUES ('{stream}', 'chouette', 1);
             BEGIN; SELECT * FROM stream WHERE id = '{stream}' FOR UPDATE"
        );
        elsewhere.batch_execute(&lock).unwrap();
        let release = busy(&store);
        let foreseen = Foreseen { locked: vec![(stream, "chouette")], ..Foreseen::default() };
        let waits = submit(&store, foreseen, move |transaction| {
            assert_eq!(transaction.lock_head(stream, "chouette")?, Some(1));
            keep(transaction, "waits");
            Ok(())
        });
        let free = submit(&store, Foreseen::default(), |transaction| {
            keep(transaction, "free");
            Ok(())
        });
        drop(release);
        let began = Instant::now();
        outcome(&store, free).unwrap();
        assert!(began.elapsed() < Duration::from_millis(1_500), "{:?}", began.elapsed());
        elsewhere.batch_execute("COMMIT").unwrap();
        outcome(&store, waits).unwrap();
        assert_eq!(kept(&store).0, ["free", "waits"]);
    }

    #[test]
    fn a_transaction_whose_beginning_fails_is_over() {
        let Some((_store, url)) = store() else { return };
        let AnyConnection::Postgres(mut connection) = connect(&url, Use::Write).unwrap() else {
            panic!("{url}")
        };
        assert!(connection.begin("SELECT 1 / 0", async |_| Ok(())).is_err());
        connection.batch_execute("SELECT 1").expect("nothing is left of it");
        let asked = connection.begin("SELECT 1", async |asked| asked.batch_execute("SELECT 1 / 0").await);
        assert!(matches!(asked, Err(StoreError::Query(_))), "not that it has failed for another: {asked:?}");
        connection.batch_execute("SELECT 1").expect("nothing is left of that either");
        connection.begin("SELECT 1", async |_| Ok(())).unwrap();
        assert!(connection.begin("SELECT 1", async |_| Ok(())).is_err(), "there is one already");
        connection.commit("SELECT 1", None).unwrap().unwrap();
        assert!(connection.commit("SELECT 1", None).is_err(), "there is none");
    }

    /// Has all instances told that this stream has grown.
    fn grown(transaction: &mut Transaction<'_>, stream: Uuid) -> Result<(), StoreError> {
        let AnyConnection::Postgres(connection) = transaction.connection()? else { return Ok(()) };
        notify::grown(connection, std::iter::once((stream, 1)));
        // What begins within the transaction takes nothing of that away.
        connection.transaction(|inner| Ok::<_, StoreError>(inner.batch_execute("SELECT 1")?))
    }

    #[test]
    fn what_was_committed_is_told_and_nothing_else() {
        let Some((store, url)) = store() else { return };
        let [alone, refused, grouped] = [(); 3].map(|()| Uuid::now_v7());
        let (hears, heard) = channel();
        let listener = Store::open(&url, &Options { pool_size: 1, ..Options::default() }).unwrap();
        let _hearing = listener.hear(move |what| {
            let _ = hears.send(what);
        });
        let next = || heard.recv_timeout(Duration::from_secs(20)).unwrap();
        let told = || {
            let until = Instant::now() + Duration::from_secs(20);
            loop {
                assert!(Instant::now() < until, "nothing was told");
                if let Heard::Grown { stream, .. } = next() {
                    break stream;
                }
            }
        };
        assert_eq!(next(), Heard::Unknown, "it listens");
        let no = store.write_blocking(move |transaction| {
            grown(transaction, refused)?;
            Err::<(), _>(No::Refused)
        });
        assert!(matches!(no, Err(No::Refused)));
        store.write_blocking(move |transaction| grown(transaction, alone)).unwrap();
        assert_eq!(told(), alone);
        let release = busy(&store);
        let no = submit(&store, Foreseen::default(), move |transaction| {
            grown(transaction, refused)?;
            Err::<(), _>(No::Refused)
        });
        let answer = submit(&store, Foreseen::default(), move |transaction| Ok(grown(transaction, grouped)?));
        drop(release);
        assert!(matches!(done(no), Err(No::Refused)));
        done(answer).unwrap();
        assert_eq!(told(), grouped, "and not what was refused in the same batch");
    }
}
