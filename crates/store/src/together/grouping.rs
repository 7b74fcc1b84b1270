//! PostgreSQL's group commit.
//!
//! A thread takes the units that are waiting, up to a limit, and reads what all of them ask for in a
//! statement for each kind: the heads of their streams, which are locked in one order, then the receipts, the
//! accounts. It runs them [together](super). It is one thread: two met at the end of the books and made
//! smaller batches, and were slower.
//!
//! A deadlock, or a lock that is not free at once, spoils a batch: each of its units is then run in a
//! transaction of its own ([`writing`](crate::writing)).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use diesel::connection::TransactionManager as _;

use super::{Fate, Job, Queue, count};
use crate::batch::{Batch, Prefetched};
use crate::pool::Pool;
use crate::{AnyConnection, Options, StoreError, notify};

/// With fewer connections nothing is committed together: the thread would have the half of them that may
/// write.
pub(crate) const FEWEST_CONNECTIONS: u32 = 4;
/// A batch waits for nobody's lock for longer: its units are then run one by one, and only those wait whom it
/// concerns.
const LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '200ms'";

/// Starts the thread, which takes its connection from the pool.
///
/// # Errors
/// [`StoreError::Thread`].
pub(crate) fn start(pool: &Arc<Pool>, options: &Options) -> Result<Queue, StoreError> {
    let (pool, most) = (Arc::clone(pool), options.batch_limit.max(1));
    Queue::start("postgres-writer", options, move |jobs| run(&pool, &jobs, most))
}

fn run(pool: &Pool, jobs: &Receiver<Job>, most: usize) {
    while let Ok(first) = jobs.recv() {
        let mut batch: Vec<_> = std::iter::once(first).chain(jobs.try_iter().take(most - 1)).collect();
        count(&batch);
        let carried_out = catch_unwind(AssertUnwindSafe(|| {
            pool.run(|connection| Ok::<_, StoreError>(carry_out(connection, &mut batch)))
        }));
        let fate = match carried_out {
            Ok(fate) => fate.unwrap_or(Fate::Unreached),
            Err(_) => Err(&StoreError::Panicked).into(),
        };
        for job in batch {
            // A panic after the commit costs its caller the answer, and nobody else.
            drop(catch_unwind(AssertUnwindSafe(|| job.answer(&fate))));
        }
    }
}

/// Carries out a batch in one transaction.
fn carry_out(connection: &mut AnyConnection, batch: &mut [Job]) -> Fate {
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
        Err(error) => Err(&error).into(),
    }
}

/// Begins the transaction of a batch, and reads what its units ask for.
fn begin(connection: &mut AnyConnection, batch: &[Job]) -> Result<Prefetched, StoreError> {
    match connection {
        // SQLite has a writer of its own.
        AnyConnection::Sqlite(_) => Err(StoreError::Closed),
        AnyConnection::Postgres(connection) => connection.begin(LOCK_TIMEOUT, async |asked| {
            Prefetched::read(asked, batch.iter().filter_map(|job| job.foreseen())).await
        }),
    }
}

/// Runs the units of a batch and writes what they left to be written. Whether anything may have been.
fn write(connection: &mut AnyConnection, batch: &mut [Job], ahead: Prefetched) -> Result<bool, StoreError> {
    let mut together = Batch::knowing(ahead);
    together.run_all(connection, batch)?;
    together.write(connection)
}
