//! Writing on PostgreSQL: a unit of work that is not carried out [together](super::together) with others has a transaction
//! of its own and is run again after a conflict.
//!
//! Only half of the pool's connections write at a time, that of group commit included, so that commands
//! waiting for a locked row leave the other half to readers. A command that gets no place in time is refused as busy.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use diesel::connection::TransactionManager as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{AnyConnection, Failure, Options, StoreError, Transaction, together};

/// How long a command waits for a place.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often a unit of work is tried when it meets conflicts, the first time included.
const TRIES: u32 = 10;

/// How many commands may write at a time on so many connections: half of them, but at least one.
#[must_use]
pub const fn most_writing(pool_size: u32) -> u32 {
    if pool_size < 2 { 1 } else { pool_size / 2 }
}

/// The places for writers. Cheap to clone.
#[derive(Clone)]
pub(super) struct Places {
    free: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    most_waiting: usize,
}

impl Places {
    pub(super) fn new(options: &Options) -> Self {
        let grouping = u32::from(options.pool_size >= together::FEWEST_CONNECTIONS);
        let places = most_writing(options.pool_size) - grouping;
        let places = usize::try_from(places).unwrap_or(1);
        Self {
            free: Arc::new(Semaphore::new(places)),
            waiting: Arc::default(),
            most_waiting: options.queue_limit,
        }
    }

    /// Waits for a place, which dropping the permit frees again.
    ///
    /// # Errors
    /// [`StoreError::Busy`]: too many are waiting, or no place became free in time.
    pub(super) async fn enter(&self) -> Result<OwnedSemaphorePermit, StoreError> {
        if let Ok(place) = Arc::clone(&self.free).try_acquire_owned() {
            return Ok(place);
        }
        let _waiting = Waiting::begin(&self.waiting, self.most_waiting)?;
        let place = tokio::time::timeout(PATIENCE, Arc::clone(&self.free).acquire_owned()).await;
        place.map_err(|_| StoreError::Busy)?.map_err(|_| StoreError::Closed)
    }
}

/// Counts one waiting command until it is dropped.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn begin(waiting: &Arc<AtomicUsize>, most: usize) -> Result<Self, StoreError> {
        let one = Self(Arc::clone(waiting));
        if one.0.fetch_add(1, Ordering::AcqRel) < most { Ok(one) } else { Err(StoreError::Busy) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Runs `work` in its own transaction, and again after a conflict.
///
/// # Errors
/// What `work` returns; [`StoreError::Busy`] if it waited too long for a row; or the commit failed.
pub(super) fn in_own_transaction<T, E: Failure>(
    connection: &mut AnyConnection,
    mut work: impl FnMut(&mut Transaction<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let mut tries = 1;
    loop {
        match in_transaction(connection, &mut work) {
            Err(error) if tries < TRIES && error.store_error().is_some_and(StoreError::is_conflict) => {
                // Waits a little longer each time, so that those in conflict spread out.
                std::thread::sleep(Duration::from_millis(u64::from(tries)));
                tries += 1;
            }
            answer => return answer,
        }
    }
}

/// Runs one unit of work in its own transaction.
fn in_transaction<T, E: Failure>(
    connection: &mut AnyConnection,
    work: &mut impl FnMut(&mut Transaction<'_>) -> Result<T, E>,
) -> Result<T, E> {
    AnyConnection::begin_transaction(connection).map_err(StoreError::from)?;
    match Transaction::new(connection, &[], None).run(work) {
        Ok((value, made)) => {
            // Rolls back if it fails.
            AnyConnection::commit_transaction(connection).map_err(StoreError::from)?;
            made.after.into_iter().for_each(|action| action());
            Ok(value)
        }
        Err(error) => {
            // If this fails too, the pool does not reuse the connection.
            drop(AnyConnection::rollback_transaction(connection));
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn half_of_the_connections_write_and_so_many_wait_for_a_while() {
        let places = Places::new(&Options { pool_size: 6, queue_limit: 1, ..Options::default() });
        let (first, _second) = (places.enter().await.unwrap(), places.enter().await.unwrap());
        let (waits, turned_away) = tokio::join!(places.enter(), places.enter());
        assert!(matches!(turned_away, Err(StoreError::Busy)), "one waits already");
        assert!(matches!(waits, Err(StoreError::Busy)), "nobody left");
        let (waits, ()) = tokio::join!(places.enter(), async { drop(first) });
        assert!(waits.is_ok());
        assert_eq!(most_writing(1), 1, "one is for both");
    }
}
