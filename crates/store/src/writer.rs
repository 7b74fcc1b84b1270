//! SQLite's single writer: group commit.
//!
//! A thread takes the units of work that are waiting, up to a limit, begins one transaction, runs each unit
//! in its own savepoint, and commits once. The [`syncer`](super::syncer) then waits for the disk and answers,
//! while this thread computes the next batch. So throughput grows with the load, and a slow disk costs
//! latency, not throughput. A failed commit fails every unit of its batch, and so does a disk that has no room for
//! what a unit writes. The next batch is tried all the same: there may be room again.
//!
//! A throwaway database waits for no disk, and answers before it commits: it does that only when somebody is to read, and now and
//! then.
//!
//! PostgreSQL has a way of its own: see [`together`](super::together).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use diesel::RunQueryDsl;
use diesel::connection::SimpleConnection;
use diesel::sqlite::Sqlite;
use tokio::sync::oneshot;

use super::checkpointer::Checkpointer;
use super::statement::Statement;
use super::syncer::{Settle, Syncer};
use super::thread::{Thread, wait_for_nobody};
use super::transaction::{Made, Overlay};
use super::{AnyConnection, COMMAND_QUEUE, COMMIT_BATCH, Failure, Options, StoreError, Transaction};

/// A unit of work with its types erased. Runs the unit and returns how to answer it.
type Job = Box<dyn FnOnce(&mut AnyConnection, &mut Batch) -> Settle + Send>;

/// A batch of this size is committed as soon as the disk is free, even if more units wait: they are computed
/// while it is written. While the disk is busy, batches grow larger.
const ENOUGH: usize = 20;

/// As many units of work share a transaction of a throwaway database, at most: what it has changed is kept in memory.
const ENOUGH_THROWAWAY: usize = 1_000;

/// The state shared by the units of one batch.
#[derive(Default)]
struct Batch {
    overlay: Overlay,
    /// The overlay of the batch before, which is committed but not answered yet, so the caches lack it.
    last: Overlay,
    /// Set once SQLite has rolled back the whole transaction, as on a full disk. Nothing more may run then:
    /// outside of the transaction each unit would commit by itself.
    broken: Option<StoreError>,
    /// Of a throwaway database: whether somebody is to read what was written.
    is_read: bool,
}

/// A handle to the writer thread. Dropping the last one waits until the thread has committed what it accepted
/// and has closed the database, so that it can be opened again at once.
#[derive(Clone)]
pub(super) struct Writer {
    queue: SyncSender<Job>,
    disk: Arc<super::syncer::State>,
    is_throwaway: bool,
    /// Declared after `queue`: the thread ends once that is dropped, and only then may be waited for.
    _thread: Arc<Thread>,
}

impl Writer {
    /// Starts the thread, which takes over `connection`.
    ///
    /// # Errors
    /// [`StoreError::Thread`].
    pub(super) fn start(
        mut connection: AnyConnection,
        checkpointer: Checkpointer,
        syncer: Syncer,
        options: &Options,
    ) -> Result<Self, StoreError> {
        // The syncer flushes the log instead.
        connection.batch_execute("PRAGMA synchronous = NORMAL")?;
        let (queue, jobs) = sync_channel(options.queue_limit);
        let batch_limit = options.batch_limit.max(1);
        let disk = syncer.state();
        let thread = Thread::start("sqlite-writer", move || {
            run(connection, &checkpointer, &syncer, &jobs, batch_limit)
        })?;
        Ok(Self { queue, disk, is_throwaway: false, _thread: Arc::new(thread) })
    }

    /// Starts the thread for a database that nobody keeps: it takes over `connection`.
    ///
    /// # Errors
    /// [`StoreError::Thread`].
    pub(super) fn start_throwaway(
        mut connection: AnyConnection,
        options: &Options,
    ) -> Result<Self, StoreError> {
        connection.batch_execute("PRAGMA synchronous = OFF")?;
        let (queue, jobs) = sync_channel(options.queue_limit);
        let thread = Thread::start("sqlite-writer", move || run_throwaway(connection, &jobs))?;
        Ok(Self { queue, disk: Arc::default(), is_throwaway: true, _thread: Arc::new(thread) })
    }

    /// Whether a flush has failed, after which nothing more is written.
    pub(super) fn has_given_up(&self) -> bool {
        self.disk.has_failed()
    }

    /// Queues `work`. The receiver gets the answer once the commit is durable.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if the queue is full, [`StoreError::Closed`] if the thread has ended.
    pub(super) fn submit<T, E, F>(&self, mut work: F) -> Result<oneshot::Receiver<Result<T, E>>, StoreError>
    where
        F: FnMut(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure,
    {
        let (answer, receiver) = oneshot::channel();
        let (waiting, span) = (Waiting::begin(), tracing::Span::current());
        let job: Job = Box::new(move |connection, batch| {
            drop(waiting);
            let outcome = span.in_scope(|| in_savepoint(connection, batch, &mut work));
            Box::new(move |committed| {
                let outcome = match (committed, outcome) {
                    (Ok(()), Ok((value, made))) => {
                        made.after.into_iter().for_each(|action| action());
                        Ok(value)
                    }
                    (Ok(()), Err(error)) => Err(error),
                    (Err(error), _) => Err(failed_by(error).into()),
                };
                // This fails if the caller has gone away, who then needs no answer.
                drop(answer.send(outcome));
            })
        });
        match self.queue.try_send(job) {
            Ok(()) => Ok(receiver),
            Err(TrySendError::Full(_)) => Err(StoreError::Busy),
            Err(TrySendError::Disconnected(_)) => Err(StoreError::Closed),
        }
    }

    /// Lets those who read see all that was answered. Blocks.
    pub(super) fn show(&self) {
        if self.is_throwaway {
            self.settle();
        }
    }

    /// Waits until everything queued before has been committed and answered. Works because the queue is in order.
    pub(super) fn settle(&self) {
        let (done, settled) = oneshot::channel::<()>();
        // The receiver wakes when the sender is dropped.
        let job: Job = Box::new(move |_, batch| {
            batch.is_read = true;
            Box::new(move |_| drop(done))
        });
        // If the thread has ended, nothing is left to wait for.
        if self.queue.send(job).is_ok() {
            drop(settled.blocking_recv());
        }
    }
}

/// Counts a waiting unit of work in [`COMMAND_QUEUE`] until it is dropped.
pub(super) struct Waiting;

impl Waiting {
    pub(super) fn begin() -> Self {
        metrics::gauge!(COMMAND_QUEUE).increment(1.0);
        Self
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        metrics::gauge!(COMMAND_QUEUE).decrement(1.0);
    }
}

fn run(
    mut connection: AnyConnection,
    checkpointer: &Checkpointer,
    syncer: &Syncer,
    jobs: &Receiver<Job>,
    batch_limit: usize,
) {
    let mut last = Overlay::new();
    while let Ok(first) = jobs.recv() {
        let mut batch = Batch { last, ..Batch::default() };
        batch.broken = syncer.has_failed().then_some(StoreError::NotDurable);
        let mut taken = 1;
        let more = std::iter::from_fn(|| {
            let enough = taken >= batch_limit || (taken >= ENOUGH && syncer.is_idle());
            taken += 1;
            if enough { None } else { jobs.try_recv().ok() }
        });
        let waiting = std::iter::once(first).chain(more);
        let (settles, committed) = carry_out(&mut connection, &mut batch, waiting);
        metrics::histogram!(COMMIT_BATCH).record(f64::from(u32::try_from(settles.len()).unwrap_or(u32::MAX)));
        checkpointer.wake();
        last = if committed.is_ok() { batch.overlay } else { Overlay::new() };
        syncer.hand_over(settles, committed);
    }
}

/// Answers each unit of work at once, and commits many together: before somebody reads, when there are enough, and at the end. Once
/// a commit has failed, so does everything.
fn run_throwaway(mut connection: AnyConnection, jobs: &Receiver<Job>) {
    // As on the thread that answers elsewhere.
    wait_for_nobody();
    let (mut batch, mut taken) = (Batch::default(), 0_usize);
    while let Ok(job) = jobs.recv() {
        if taken == 0 && batch.broken.is_none() {
            batch.broken = connection.batch_execute("BEGIN IMMEDIATE").err().map(StoreError::from);
        }
        let settle = job(&mut connection, &mut batch);
        taken += 1;
        if batch.is_read || taken >= ENOUGH_THROWAWAY {
            let broken = batch.broken.take();
            let broken = broken.or_else(|| connection.batch_execute("COMMIT").err().map(StoreError::from));
            (batch, taken) = (Batch { broken, ..Batch::default() }, 0);
        }
        let settle = AssertUnwindSafe(|| settle(batch.broken.as_ref().map_or(Ok(()), Err)));
        if catch_unwind(settle).is_err() {
            tracing::error!("what was to happen after a commit panicked");
        }
    }
    if taken > 0
        && batch.broken.is_none()
        && let Err(error) = connection.batch_execute("COMMIT")
    {
        tracing::error!(%error, "a throwaway database was not committed");
    }
}

/// Runs `jobs` in one transaction. It is `IMMEDIATE`, because one that reads before it writes would otherwise
/// fail as locked whatever the busy timeout.
fn carry_out(
    connection: &mut AnyConnection,
    batch: &mut Batch,
    jobs: impl Iterator<Item = Job>,
) -> (Vec<Settle>, Result<(), StoreError>) {
    if batch.broken.is_none() {
        batch.broken = connection.batch_execute("BEGIN IMMEDIATE").err().map(StoreError::from);
    }
    let settles = jobs.map(|job| job(connection, batch)).collect();
    let committed = match batch.broken.take() {
        None => connection.batch_execute("COMMIT").map_err(StoreError::from),
        Some(error) => Err(error),
    };
    if committed.is_err() {
        // Fails if SQLite has rolled back already, which is fine.
        drop(connection.batch_execute("ROLLBACK"));
    }
    (settles, committed)
}

/// Runs one unit of work in a savepoint. If it succeeds, its staged states join the batch's overlay.
fn in_savepoint<T, E: Failure>(
    connection: &mut AnyConnection,
    batch: &mut Batch,
    work: &mut impl FnMut(&mut Transaction<'_>) -> Result<T, E>,
) -> Result<(T, Made), E> {
    if let Some(error) = &batch.broken {
        return Err(failed_by(error).into());
    }
    run_prepared(connection, "SAVEPOINT unit").map_err(StoreError::from)?;
    let earlier = [&batch.overlay, &batch.last];
    let outcome = Transaction::new(connection, &earlier, None).run(work);
    let ended = match outcome {
        Ok(_) => run_prepared(connection, "RELEASE unit"),
        Err(_) => run_prepared(connection, "ROLLBACK TO unit")
            .and_then(|()| run_prepared(connection, "RELEASE unit")),
    };
    match (ended, &outcome) {
        // SQLite may have rolled back, and then knows no savepoint.
        (_, Err(error)) if matches!(error.store_error(), Some(StoreError::Full)) => {
            batch.broken = Some(StoreError::Full);
        }
        (Err(error), _) => batch.broken = Some(error.into()),
        (Ok(()), Ok((_, made))) => {
            batch.overlay.extend(made.staged.iter().map(|(id, state)| (*id, Arc::clone(state))));
        }
        (Ok(()), Err(_)) => {}
    }
    outcome
}

/// What a unit of work is told whose batch failed.
fn failed_by(error: &StoreError) -> StoreError {
    if matches!(error, StoreError::Full) { StoreError::Full } else { StoreError::Commit(error.to_string()) }
}

/// Runs a statement through the cache of prepared statements. Parsing the savepoint statements each time
/// would cost a command a tenth of its time.
fn run_prepared(connection: &mut AnyConnection, sql: &'static str) -> diesel::QueryResult<()> {
    match connection {
        AnyConnection::Sqlite(connection) => Statement::<Sqlite>::new(sql).execute(connection).map(drop),
        AnyConnection::Postgres(connection) => connection.batch_execute(sql),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::connect_sqlite;
    use crate::{DatabaseUrl, Store, Use};

    #[test]
    fn once_the_disk_has_refused_no_unit_is_run_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.db");
        let connection = connect_sqlite(&path, Use::Write).map(AnyConnection::Sqlite).unwrap();
        let checkpointer = Checkpointer::start(&path).unwrap();
        let syncer = Syncer::start(|| Err(std::io::ErrorKind::StorageFull.into())).unwrap();
        let writer = Writer::start(connection, checkpointer, syncer, &Options::default()).unwrap();
        let table = |name: &'static str| {
            writer
                .submit(move |transaction| {
                    let made = format!("CREATE TABLE {name} (made INTEGER)");
                    Ok::<_, StoreError>(transaction.connection()?.batch_execute(&made)?)
                })
                .unwrap()
                .blocking_recv()
                .unwrap()
        };
        assert!(table("one").is_err(), "it is not known to be kept");
        assert!(table("two").is_err());
        drop(writer);
        let mut connection = connect_sqlite(&path, Use::Read).unwrap();
        assert!(connection.batch_execute("SELECT made FROM two").is_err(), "it was not run");
    }

    #[test]
    fn where_there_is_no_room_only_that_batch_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.db");
        let mut connection = connect_sqlite(&path, Use::Write).unwrap();
        connection.batch_execute("CREATE TABLE kept (bytes BLOB); PRAGMA max_page_count = 10").unwrap();
        let checkpointer = Checkpointer::start(&path).unwrap();
        let syncer = Syncer::of_database(&path).unwrap();
        let connection = AnyConnection::Sqlite(connection);
        let writer = Writer::start(connection, checkpointer, syncer, &Options::default()).unwrap();
        let keep = |bytes: usize| {
            let insert = move |transaction: &mut Transaction<'_>| {
                let insert = format!("INSERT INTO kept VALUES (zeroblob({bytes}))");
                Ok::<_, StoreError>(transaction.connection()?.batch_execute(&insert)?)
            };
            writer.submit(insert).unwrap().blocking_recv().unwrap()
        };
        keep(1).unwrap();
        assert!(matches!(keep(100_000), Err(StoreError::Full)));
        assert!(matches!(keep(100_000), Err(StoreError::Full)));
        keep(1).unwrap();
        drop(writer);
        let mut connection = connect_sqlite(&path, Use::Read).unwrap();
        let kept = diesel::dsl::sql::<diesel::sql_types::BigInt>("SELECT count(*) FROM kept");
        assert_eq!(kept.get_result::<i64>(&mut connection), Ok(2));
    }

    #[test]
    fn a_throwaway_database_commits_before_somebody_reads_and_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.db");
        let options = Options { throwaway: true, ..Options::default() };
        let store = Store::open(&DatabaseUrl::Sqlite(path.clone()), &options).unwrap();
        let run = |sql: &'static str| {
            store.write_blocking(move |transaction| {
                Ok::<_, StoreError>(transaction.connection()?.batch_execute(sql)?)
            })
        };
        let kept = || diesel::dsl::sql::<diesel::sql_types::BigInt>("SELECT count(*) FROM kept");
        let beside = || kept().get_result::<i64>(&mut connect_sqlite(&path, Use::Read).unwrap());
        run("CREATE TABLE kept (number INTEGER)").unwrap();
        run("INSERT INTO kept VALUES (1)").unwrap();
        assert!(beside().is_err(), "it is not committed");
        assert!(run("INSERT INTO kept VALUES (2); INSERT INTO nothing VALUES (2)").is_err());
        let read =
            || store.read_blocking(|connection| Ok::<_, StoreError>(kept().get_result::<i64>(connection)?));
        assert_eq!(read().unwrap(), 1, "what was refused is not kept");
        for _ in 0..=ENOUGH_THROWAWAY {
            run("INSERT INTO kept VALUES (3)").unwrap();
        }
        let many = i64::try_from(ENOUGH_THROWAWAY).unwrap();
        assert_eq!(beside(), Ok(1 + many), "now and then");
        drop(store);
        assert_eq!(beside(), Ok(2 + many));
    }

    #[test]
    fn the_last_handle_may_be_dropped_after_a_commit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.db");
        let connection = connect_sqlite(&path, Use::Write).map(AnyConnection::Sqlite).unwrap();
        let checkpointer = Checkpointer::start(&path).unwrap();
        let (closed, ended) = std::sync::mpsc::channel::<()>();
        let (release, disk) = std::sync::mpsc::channel::<()>();
        // Dropped with the syncer's thread, which ends with the writer's.
        let syncer = Syncer::start(move || {
            let _held = &closed;
            let _ = disk.recv();
            Ok(())
        });
        let writer = Writer::start(connection, checkpointer, syncer.unwrap(), &Options::default()).unwrap();
        let last = writer.clone();
        let answer = writer
            .submit(move |transaction| {
                let last = last.clone();
                transaction.after_commit(move || drop(last));
                Ok::<_, StoreError>(())
            })
            .unwrap();
        drop(writer);
        drop(release);
        // First: threads that wait for each other answer nobody.
        let ended = ended.recv_timeout(std::time::Duration::from_secs(20));
        assert_eq!(ended, Err(std::sync::mpsc::RecvTimeoutError::Disconnected), "both threads end");
        answer.blocking_recv().unwrap().unwrap();
    }
}
