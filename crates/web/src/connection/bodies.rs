//! How much of requests' bodies is held at a time, in the whole service.
//!
//! Each body has a limit, and strangers' a low one; but many bodies of members, or of many strangers, are still more than a small
//! machine has room for. What has come of a body counts from when somebody reads it until its request is answered.
//! Beyond the most that there may be a body is cut off and its request answered `busy`: who waited for room
//! would hold what he has while he waits.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of bodies held at a time: twice what the built-in number of connections can hold of strangers' bodies, so that the
/// members' have room beside them.
const MOST: usize = 64 << 20;
/// However large a body may be made by the configuration, so many have room.
const LARGEST_BODIES: usize = 8;

/// The room that there is for bodies. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Bodies(Arc<Room>);

#[derive(Debug)]
struct Room {
    most: usize,
    held: AtomicUsize,
}

/// What is held of one request's body; dropping it frees the room.
#[derive(Debug)]
pub struct Held {
    bodies: Bodies,
    bytes: Cell<usize>,
}

impl Bodies {
    /// Room for bodies of which the largest has `body_limit` bytes.
    #[must_use]
    pub fn for_limit(body_limit: usize) -> Self {
        Self::new(MOST.max(body_limit.saturating_mul(LARGEST_BODIES)))
    }

    /// Room for so many bytes.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Room { most, held: AtomicUsize::new(0) }))
    }

    /// A body of which nothing has come yet.
    #[must_use]
    pub fn begin(&self) -> Held {
        Held { bodies: self.clone(), bytes: Cell::new(0) }
    }
}

impl Held {
    /// Takes room for so many bytes more; false if there is none.
    #[must_use]
    pub fn add(&self, bytes: usize) -> bool {
        let Room { most, held } = &*self.bodies.0;
        let fits = |held: usize| held.checked_add(bytes).filter(|held| held <= most);
        let added = held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok();
        if added {
            self.bytes.set(self.bytes.get() + bytes);
        }
        added
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.bodies.0.held.fetch_sub(self.bytes.get(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_that_is_taken_is_free_again_when_its_request_is_over() {
        let bodies = Bodies::new(100);
        let (one, other) = (bodies.begin(), bodies.begin());
        assert!(one.add(60) && other.add(40));
        assert!(!other.add(1));
        drop(one);
        assert!(other.add(60) && !other.add(1));
        drop(other);
        assert!(bodies.begin().add(100));
    }

    #[test]
    fn a_few_of_the_largest_bodies_always_have_room() {
        assert!(Bodies::for_limit(16 << 20).begin().add(8 * (16 << 20)));
        assert!(Bodies::for_limit(1024).begin().add(MOST));
    }
}
