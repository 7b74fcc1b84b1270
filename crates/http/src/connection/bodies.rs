//! How much of request bodies the whole service holds at a time.
//!
//! Each body has a limit, and a low one without a sign-in. But many bodies of members, or of many strangers,
//! still exceed what a small machine can hold. The bytes of a body count from when they are read until the
//! request is answered. Beyond the total, the body is cut off and the request answered `busy`: a request that
//! waited for room would hold what it has while it waits.

use std::cell::Cell;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use owlbox_base::values::household;

/// Bytes of bodies held at a time: twice what anonymous bodies can take up on the built-in number of
/// connections, which leaves room for members' bodies.
const MOST: usize = 64 << 20;
/// At least this many bodies fit, however large the configuration allows them to be.
const LARGEST_BODIES: usize = 8;

/// At most so many long bodies of strangers at a time, in all and from one address. They leave the others
/// their room.
const LONG: usize = 8;
const LONG_OF_ADDRESS: usize = 2;

/// The room for bodies. Cheap to clone.
#[derive(Clone, Debug)]
pub struct BodyBudget(Arc<Room>);

#[derive(Debug)]
struct Room {
    most: usize,
    held: AtomicUsize,
    /// Who sends a long body without a sign-in.
    long: Mutex<Vec<IpAddr>>,
}

/// The place of a long body of a stranger; dropping it frees the place.
#[derive(Debug)]
pub struct LongBody {
    bodies: BodyBudget,
    address: IpAddr,
}

/// The bytes held for one request's body; dropping it frees them.
#[derive(Debug)]
pub struct Held {
    bodies: BodyBudget,
    bytes: Cell<usize>,
}

impl BodyBudget {
    /// Room for bodies of up to `body_limit` bytes each.
    #[must_use]
    pub fn for_limit(body_limit: usize) -> Self {
        Self::new(MOST.max(body_limit.saturating_mul(LARGEST_BODIES)))
    }

    /// Room for `most` bytes in all.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Room { most, held: AtomicUsize::new(0), long: Mutex::default() }))
    }

    /// Takes a place for a body that is longer than strangers' are; `None` if all, or all of the address's,
    /// are taken.
    #[must_use]
    pub fn begin_long(&self, address: IpAddr) -> Option<LongBody> {
        let address = household(address);
        let mut long = self.long();
        let own = long.iter().filter(|other| **other == address).count();
        if long.len() >= LONG || own >= LONG_OF_ADDRESS {
            return None;
        }
        long.push(address);
        Some(LongBody { bodies: self.clone(), address })
    }

    fn long(&self) -> MutexGuard<'_, Vec<IpAddr>> {
        self.0.long.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Accounts for a new body, with no bytes yet.
    #[must_use]
    pub fn begin(&self) -> Held {
        Held { bodies: self.clone(), bytes: Cell::new(0) }
    }
}

impl Drop for LongBody {
    fn drop(&mut self) {
        let mut long = self.bodies.long();
        if let Some(own) = long.iter().position(|other| *other == self.address) {
            long.swap_remove(own);
        }
    }
}

impl Held {
    /// Reserves more bytes; false if there is no room.
    #[must_use]
    pub fn add(&self, bytes: usize) -> bool {
        let Room { most, held, long: _ } = &*self.bodies.0;
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
        let bodies = BodyBudget::new(100);
        let (one, other) = (bodies.begin(), bodies.begin());
        assert!(one.add(60) && other.add(40));
        assert!(!other.add(1));
        drop(one);
        assert!(other.add(60) && !other.add(1));
        drop(other);
        assert!(bodies.begin().add(100));
    }

    #[test]
    fn long_bodies_of_strangers_are_few_in_all_and_from_one_address() {
        let bodies = BodyBudget::new(100);
        let from = |last: u8| bodies.begin_long([203, 0, 113, last].into());
        let held: Vec<_> = (0..LONG).filter_map(|_| from(1)).collect();
        assert_eq!(held.len(), LONG_OF_ADDRESS);
        let others: Vec<_> = (2..=u8::MAX).filter_map(from).collect();
        assert_eq!(held.len() + others.len(), LONG);
        drop(held);
        assert!(from(1).is_some() && bodies.clone().begin().add(100));
    }

    #[test]
    fn a_few_of_the_largest_bodies_always_have_room() {
        assert!(BodyBudget::for_limit(16 << 20).begin().add(8 * (16 << 20)));
        assert!(BodyBudget::for_limit(1024).begin().add(MOST));
    }
}
