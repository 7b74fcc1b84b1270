//! Addresses whose sign-ins fail too often, over all clubs of a process. The store counts failures as well, for one
//! club but over all instances ([`super::tokens::AttemptPolicy`]).
//!
//! A whole club may sit behind one address, so nobody is locked out for what others there do. But beyond the limit an
//! address has its passwords checked one at a time, and after a wrong one the next has to wait [`AFTER_A_WRONG_ONE`].

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::Refused;

/// How long an address waits after a wrong password, once it is over the limit.
const AFTER_A_WRONG_ONE: Duration = Duration::from_secs(1);
/// The most sign-ins of one address that wait for their turn.
const MOST_WAITING: usize = 200;
/// The most addresses that are known at a time; failures of more are counted by the store alone.
const MOST_ADDRESSES: usize = 10_000;

/// Failures by address, and the turns of those with too many.
#[derive(Debug, Default)]
pub struct Guessers(Mutex<HashMap<IpAddr, Guesser>>);

#[derive(Debug)]
struct Guesser {
    since: Instant,
    failures: u32,
    turns: Arc<Semaphore>,
}

/// An address's turn to have a password checked.
pub struct Turn {
    turns: Arc<Semaphore>,
    /// The password was right, so the next need not wait.
    was_right: bool,
}

impl Guessers {
    fn known(&self) -> MutexGuard<'_, HashMap<IpAddr, Guesser>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Waits for the address's turn, in the order in which they came.
    ///
    /// # Errors
    /// [`Refused::Busy`]: too many of the address wait already.
    pub async fn turn(&self, address: IpAddr) -> Result<Turn, Refused> {
        let turns = Arc::clone(&self.known().entry(address).or_insert_with(Guesser::new).turns);
        // The list holds one, and so does each who waits or has its turn.
        if Arc::strong_count(&turns) > MOST_WAITING + 2 {
            return Err(Refused::Busy);
        }
        turns.acquire().await.map_err(|_| Refused::Busy)?.forget();
        Ok(Turn { turns, was_right: false })
    }
}

impl Guesser {
    fn new() -> Self {
        Self { since: Instant::now(), failures: 0, turns: Arc::new(Semaphore::new(1)) }
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
        self.was_right = true;
    }
}

impl Drop for Turn {
    /// Also where the caller has gone: nobody guesses faster by not waiting for the answer.
    fn drop(&mut self) {
        let turns = Arc::clone(&self.turns);
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if !self.was_right => {
                runtime.spawn(async move {
                    tokio::time::sleep(AFTER_A_WRONG_ONE).await;
                    turns.add_permits(1);
                });
            }
            Ok(_) | Err(_) => turns.add_permits(1),
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
        guessers.turn(address(1)).await.unwrap().was_right();
        drop(guessers.turn(address(1)).await.unwrap());
        assert_eq!(began.elapsed(), Duration::ZERO, "a right one costs nothing");
        guessers.turn(address(2)).await.unwrap().was_right();
        assert_eq!(began.elapsed(), Duration::ZERO, "another address has turns of its own");
        guessers.turn(address(1)).await.unwrap().was_right();
        assert!(began.elapsed() >= AFTER_A_WRONG_ONE);
    }

    #[tokio::test(start_paused = true)]
    async fn many_wait_for_their_turn_and_not_without_end() {
        let guessers = Guessers::default();
        let _first = guessers.turn(address(1)).await.unwrap();
        let many = (0..=MOST_WAITING).map(|_| async {
            tokio::time::timeout(Duration::from_millis(10), guessers.turn(address(1))).await
        });
        let refused = futures_util::future::join_all(many).await.into_iter().flatten();
        assert_eq!(refused.filter(Result::is_err).count(), 1);
        let seen: Vec<u8> = (1..=9).collect();
        seen.iter().for_each(|last| guessers.count(address(*last), WINDOW));
        assert!(guessers.known().len() <= MOST_ADDRESSES);
    }
}
