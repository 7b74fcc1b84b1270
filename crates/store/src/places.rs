//! Places that are held one after the other, first come, first served, with a bound on those who wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::StoreError;

/// How long a caller waits for a place.
const PATIENCE: Duration = Duration::from_secs(5);

/// A number of places. Cheap to clone.
#[derive(Clone)]
pub(super) struct Places {
    free: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    most_waiting: usize,
}

impl Places {
    /// So many places, and so many more callers who may wait for one.
    pub(super) fn new(places: usize, most_waiting: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(places)), waiting: Arc::default(), most_waiting }
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

/// Counts one who waits until it is dropped.
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
