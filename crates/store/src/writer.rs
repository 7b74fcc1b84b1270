//! SQLite's single writer: group commit.
//!
//! A thread takes the units of work that are waiting, up to a limit, and carries them out
//! [together](super::together) in one transaction. The [`syncer`](super::syncer) then waits for the disk and
//! answers, while this thread computes the next batch. So throughput grows with the load, and a slow disk
//! costs latency, not throughput. A batch that cannot be written or committed is carried out again with a
//! savepoint for each unit, if some had none and there is room. Where that fails as well, so does every unit
//! of the batch. The next batch is tried all the same: there may be room again.
//!
//! A throwaway database waits for no disk, and answers before it writes: it does that only when somebody is
//! to read, and now and then.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use diesel::connection::SimpleConnection;

use super::batch::{Batch, Overlay};
use super::checkpointer::Checkpointer;
use super::syncer::{Settle, State, Syncer};
use super::thread::wait_for_nobody;
use super::together::{Fate, Job, Queue, count};
use super::{AnyConnection, Options, StoreError};

/// A batch of this size is committed as soon as the disk is free, even if more units wait: they are computed
/// while it is written. While the disk is busy, batches grow larger.
const ENOUGH: usize = 20;

/// As many units of work share a transaction of a throwaway database, at most: what it has changed is kept in
/// memory.
const ENOUGH_THROWAWAY: usize = 1_000;

/// A handle to the writer thread.
#[derive(Clone)]
pub(super) struct Writer {
    pub(super) queue: Queue,
    disk: Arc<State>,
    is_throwaway: bool,
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
        let (disk, batch_limit) = (syncer.state(), options.batch_limit.max(1));
        let queue = Queue::start("sqlite-writer", options, move |jobs| {
            run(connection, &checkpointer, &syncer, &jobs, batch_limit);
        })?;
        Ok(Self { queue, disk, is_throwaway: false })
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
        let queue = Queue::start("sqlite-writer", options, move |jobs| run_throwaway(connection, &jobs))?;
        Ok(Self { queue, disk: Arc::default(), is_throwaway: true })
    }

    /// Whether a flush has failed, after which nothing more is written.
    pub(super) fn has_given_up(&self) -> bool {
        self.disk.has_failed()
    }

    /// Lets those who read see all that was answered. Blocks.
    ///
    /// # Errors
    /// Some of that could not be written.
    pub(super) fn show(&self) -> Result<(), StoreError> {
        if self.is_throwaway { self.queue.settle() } else { Ok(()) }
    }
}

fn run(
    mut connection: AnyConnection,
    checkpointer: &Checkpointer,
    syncer: &Syncer,
    jobs: &Receiver<Job>,
    batch_limit: usize,
) {
    let mut last = Arc::new(Overlay::new());
    while let Ok(first) = jobs.recv() {
        let mut batch = vec![first];
        while batch.len() < batch_limit && (batch.len() < ENOUGH || !syncer.is_idle()) {
            let Ok(next) = jobs.try_recv() else { break };
            batch.push(next);
        }
        count(&batch);
        let committed = match carry_out(&mut connection, &last, &mut batch, syncer) {
            Err(error) if batch.iter().any(|job| job.foreseen().is_some()) && may_be_one_units(&error) => {
                tracing::warn!(%error, units = batch.len(), "writing the commands of a batch one by one");
                batch.iter_mut().for_each(|job| job.stand_alone());
                carry_out(&mut connection, &last, &mut batch, syncer)
            }
            committed => committed,
        };
        checkpointer.wake();
        let (overlay, committed) = match committed {
            Ok(overlay) => (overlay, Ok(())),
            // It leaves no states. The caches have those of the batch before once the hand-over returns.
            Err(error) => (Overlay::new(), Err(error)),
        };
        last = Arc::new(overlay);
        syncer.hand_over(batch.into_iter().map(settle).collect(), committed);
    }
}

/// How the syncer answers a unit of work.
fn settle(job: Job) -> Settle {
    Box::new(move |committed| job.answer(&committed.into()))
}

/// Answers each unit of work at once, and writes many together: before somebody reads, when there are enough,
/// and at the end. Once that has failed, so does everything.
fn run_throwaway(mut connection: AnyConnection, jobs: &Receiver<Job>) {
    // As on the thread that answers elsewhere.
    wait_for_nobody();
    let (mut together, mut taken, mut broken) = (Batch::default(), 0_usize, None);
    while let Ok(mut job) = jobs.recv() {
        if taken == 0 && broken.is_none() {
            broken = together.begin(&mut connection).inspect_err(cannot_write).err();
        }
        if broken.is_none() {
            job.run(&mut connection, &mut together);
            broken = together.spoilt.take().inspect(cannot_write);
        }
        taken += 1;
        if matches!(job, Job::Settling(_)) || taken >= ENOUGH_THROWAWAY {
            broken =
                broken.or_else(|| commit(&mut connection, &mut together).inspect_err(cannot_write).err());
            (together, taken) = (Batch::default(), 0);
        }
        let fate = Fate::from(broken.as_ref().map_or(Ok(()), Err));
        if catch_unwind(AssertUnwindSafe(|| job.answer(&fate))).is_err() {
            tracing::error!("the work after a commit panicked");
        }
    }
    if taken > 0 && broken.is_none() {
        drop(commit(&mut connection, &mut together).inspect_err(cannot_write));
    }
}

fn cannot_write(error: &StoreError) {
    tracing::error!(%error, "a throwaway database cannot be written");
}

/// Whether this may be the fault of one unit, which the others of its batch can do without.
const fn may_be_one_units(error: &StoreError) -> bool {
    !matches!(error, StoreError::Full | StoreError::NotDurable)
}

/// Carries out a batch in one transaction, and returns the states that it has produced. `last` are those of
/// the batch before, which is committed but may not be answered yet.
fn carry_out(
    connection: &mut AnyConnection,
    last: &Arc<Overlay>,
    batch: &mut [Job],
    syncer: &Syncer,
) -> Result<Overlay, StoreError> {
    if syncer.has_failed() {
        return Err(StoreError::NotDurable);
    }
    let mut together = Batch::after(last);
    let written = AssertUnwindSafe(|| {
        together.begin(connection)?;
        together.run_all(connection, batch)?;
        commit(connection, &mut together)
    });
    let committed = catch_unwind(written).unwrap_or(Err(StoreError::Panicked));
    if committed.is_err() {
        // Fails if SQLite has rolled back already, which is fine.
        drop(connection.batch_execute("ROLLBACK"));
    }
    committed.map(|()| together.overlay)
}

/// Writes what the units left to be written, and commits.
fn commit(connection: &mut AnyConnection, together: &mut Batch) -> Result<(), StoreError> {
    together.write(connection)?;
    Ok(connection.batch_execute("COMMIT")?)
}

#[cfg(test)]
mod tests {
    use diesel::RunQueryDsl as _;

    use super::*;
    use crate::connection::connect_sqlite;
    use crate::work::{erased, typed};
    use crate::{DatabaseUrl, Store, Transaction, Use};

    #[test]
    fn once_the_disk_has_refused_no_unit_is_run_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.db");
        let connection = connect_sqlite(&path, Use::Write).map(AnyConnection::Sqlite).unwrap();
        let checkpointer = Checkpointer::start(&path).unwrap();
        let syncer = Syncer::start(|| Err(std::io::ErrorKind::StorageFull.into())).unwrap();
        let writer = Writer::start(connection, checkpointer, syncer, &Options::default()).unwrap();
        let table = |name: &'static str| {
            let work = erased(move |transaction| {
                let made = format!("CREATE TABLE {name} (made INTEGER)");
                Ok::<_, StoreError>(transaction.connection()?.batch_execute(&made)?)
            });
            writer.queue.submit(None, work).unwrap().blocking_recv().unwrap().outcome()
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
            let answer = writer.queue.submit(None, erased(insert)).unwrap().blocking_recv().unwrap();
            typed::<(), StoreError>(answer.outcome())
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
        let work = erased(move |transaction| {
            let last = last.clone();
            transaction.after_commit(move || drop(last));
            Ok::<_, StoreError>(())
        });
        let answer = writer.queue.submit(None, work).unwrap();
        drop(writer);
        drop(release);
        // First: threads that wait for each other answer nobody.
        let ended = ended.recv_timeout(std::time::Duration::from_secs(20));
        assert_eq!(ended, Err(std::sync::mpsc::RecvTimeoutError::Disconnected), "both threads end");
        typed::<(), StoreError>(answer.blocking_recv().unwrap().outcome()).unwrap();
    }
}
