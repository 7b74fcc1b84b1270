//! Addresses whose sign-ins fail too often, over all clubs of a process. The store counts failures as well,
//! for one club but over all instances ([`super::tokens::AttemptPolicy`]).
//!
//! A whole club may sit behind one address, so nobody is locked out for what others there do. But beyond the
//! limit an address has its passwords checked one at a time. Each login has a lane of its own there, and the
//! lanes take turns: who guesses at many logins, or often at one, has one turn in each round, as everybody
//! else has. After a wrong password the lane rests for [`LANE_RESTS`] and the address for [`ADDRESS_RESTS`].
//! Whether a login exists makes no difference.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher as _, RandomState};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::Refused;

/// How long a login waits after a wrong password from an address that is over the limit, and how long all
/// others there.
const LANE_RESTS: Duration = Duration::from_secs(1);
const ADDRESS_RESTS: Duration = Duration::from_millis(20);
/// The most sign-ins of one lane that wait for their turn: no more are counted as wrong before the login is
/// shut there.
const MOST_IN_A_LANE: usize = 10;
/// The most addresses that are known at a time; failures of more are counted by the store alone, and they
/// share turns.
const MOST_ADDRESSES: usize = 10_000;

/// Failures by address, and the turns of those with too many.
#[derive(Debug, Default)]
pub struct Guessers {
    known: Mutex<HashMap<IpAddr, Guesser>>,
    /// Which lane is a login's, as nobody outside can know: two that share one wait for each other.
    lanes: RandomState,
}

#[derive(Debug)]
struct Guesser {
    since: Instant,
    failures: u32,
    turns: Arc<Semaphore>,
    /// Those in which somebody waits, has a turn or rests.
    lanes: BTreeMap<u8, Arc<Semaphore>>,
}

/// A login's turn at an address to have a password checked.
pub struct Turn {
    /// Of the address and of the lane. Without a rest once the password was right, so that the next need not
    /// wait.
    rests: [(Option<OwnedSemaphorePermit>, Duration); 2],
}

impl Guessers {
    fn known(&self) -> MutexGuard<'_, HashMap<IpAddr, Guesser>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a wrong password of an address; forgets those that have not failed for `window`.
    pub fn count(&self, address: IpAddr, window: Duration) {
        let mut known = self.known();
        if known.len() >= MOST_ADDRESSES {
            known.retain(|_, guesser| guesser.since.elapsed() < window);
        }
        if known.len() < MOST_ADDRESSES || known.contains_key(&address) {
            let guesser = known.entry(address).or_insert_with(Guesser::new);
            guesser.count(window);
        }
    }

    /// Whether an address has failed at least `limit` times within `window`.
    #[must_use]
    pub fn is_over(&self, address: IpAddr, limit: u32, window: Duration) -> bool {
        let known = self.known();
        known
            .get(&address)
            .is_some_and(|guesser| guesser.since.elapsed() < window && guesser.failures >= limit)
    }

    /// Waits for the login's turn at the address.
    ///
    /// # Errors
    /// [`Refused::Busy`]: too many wait for that login already.
    pub async fn turn(&self, address: IpAddr, login: &str) -> Result<Turn, Refused> {
        let [number, ..] = self.lanes.hash_one(login).to_le_bytes();
        let (turns, lane) = {
            let mut known = self.known();
            let is_full = known.len() >= MOST_ADDRESSES && !known.contains_key(&address);
            let address = if is_full { Ipv4Addr::UNSPECIFIED.into() } else { address };
            let guesser = known.entry(address).or_insert_with(Guesser::new);
            guesser.lanes.retain(|_, lane| Arc::strong_count(lane) > 1);
            let lane = guesser.lanes.entry(number).or_insert_with(|| Arc::new(Semaphore::new(1)));
            (Arc::clone(&guesser.turns), Arc::clone(lane))
        };
        // The list holds one, and so does each who waits, has its turn or rests.
        if Arc::strong_count(&lane) > MOST_IN_A_LANE + 2 {
            return Err(Refused::Busy);
        }
        // One of each lane waits for the address, in the order in which they came: so the lanes take turns.
        let lane = lane.acquire_owned().await.map_err(|_| Refused::Busy)?;
        let turns = turns.acquire_owned().await.map_err(|_| Refused::Busy)?;
        Ok(Turn { rests: [(Some(turns), ADDRESS_RESTS), (Some(lane), LANE_RESTS)] })
    }
}

impl Guesser {
    fn new() -> Self {
        Self {
            since: Instant::now(),
            failures: 0,
            turns: Arc::new(Semaphore::new(1)),
            lanes: BTreeMap::new(),
        }
    }

    fn count(&mut self, window: Duration) {
        if self.since.elapsed() >= window {
            (self.since, self.failures) = (Instant::now(), 0);
        }
        self.failures = self.failures.saturating_add(1);
    }
}

impl Turn {
    /// Ends the turn at once.
    pub fn was_right(mut self) {
        self.rests = Default::default();
    }
}

impl Drop for Turn {
    /// Also where the caller has gone: nobody guesses faster by not waiting for the answer.
    fn drop(&mut self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        for (permit, rest) in std::mem::take(&mut self.rests) {
            if let Some(permit) = permit {
                runtime.spawn(async move {
                    tokio::time::sleep(rest).await;
                    drop(permit);
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Duration = Duration::from_secs(900);

    fn address(last: u8) -> IpAddr {
        [192, 0, 2, last].into()
    }

    #[tokio::test(start_paused = true)]
    async fn failures_count_for_their_address_and_for_a_while() {
        let guessers = Guessers::default();
        (0..3).for_each(|_| guessers.count(address(1), WINDOW));
        assert!(guessers.is_over(address(1), 3, WINDOW) && !guessers.is_over(address(1), 4, WINDOW));
        assert!(!guessers.is_over(address(2), 1, WINDOW));
        tokio::time::advance(WINDOW).await;
        assert!(!guessers.is_over(address(1), 1, WINDOW));
        guessers.count(address(1), WINDOW);
        assert!(!guessers.is_over(address(1), 2, WINDOW), "counting has begun anew");
    }

    #[tokio::test(start_paused = true)]
    async fn turns_are_one_at_a_time_and_late_after_a_wrong_password_even_if_nobody_waited_for_it() {
        let guessers = Guessers::default();
        let began = Instant::now();
        guessers.turn(address(1), "anna").await.unwrap().was_right();
        drop(guessers.turn(address(1), "anna").await.unwrap());
        assert_eq!(began.elapsed(), Duration::ZERO, "a right one costs nothing");
        guessers.turn(address(2), "anna").await.unwrap().was_right();
        assert_eq!(began.elapsed(), Duration::ZERO, "another address has turns of its own");
        guessers.turn(address(1), "bea").await.unwrap().was_right();
        assert!(
            (ADDRESS_RESTS..LANE_RESTS).contains(&began.elapsed()),
            "another login waits for the address"
        );
        guessers.turn(address(1), "anna").await.unwrap().was_right();
        assert!(began.elapsed() >= LANE_RESTS);
    }

    #[tokio::test(start_paused = true)]
    async fn s6_logins_take_turns_however_many_wait_for_one() {
        let guessers = Guessers::default();
        let first = guessers.turn(address(1), "anna").await.unwrap();
        let many = (0..=MOST_IN_A_LANE).map(|_| async { guessers.turn(address(1), "anna").await.map(drop) });
        let many = futures_util::future::join_all(many);
        let began = Instant::now();
        let others = async {
            drop(first);
            for login in ["bea", "carl", "dora"] {
                guessers.turn(address(1), login).await.unwrap().was_right();
            }
            began.elapsed()
        };
        let (many, others) = futures_util::future::join(many, others).await;
        assert_eq!(many.iter().filter(|turn| turn.is_err()).count(), 1, "not without end");
        assert!(others < LANE_RESTS * 2, "{others:?}");
        assert!(began.elapsed() >= LANE_RESTS * 10);
    }

    #[tokio::test(start_paused = true)]
    async fn s6_addresses_are_known_and_have_turns_up_to_a_limit() {
        let guessers = Guessers::default();
        let addresses =
            (0_u32..).map(|number| IpAddr::from(Ipv4Addr::from_bits(number + 1))).take(MOST_ADDRESSES + 9);
        for address in addresses {
            guessers.turn(address, "anna").await.unwrap().was_right();
            guessers.count(address, WINDOW);
        }
        assert_eq!(guessers.known().len(), MOST_ADDRESSES + 1);
    }
}
