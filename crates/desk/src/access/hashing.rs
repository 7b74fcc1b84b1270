//! Hashes and checks passwords on threads of their own, so that sign-ins cannot slow down the tables.
//!
//! Argon2id takes some 15 ms of a core and 19 MiB each time. A few threads do nothing else. Callers take a
//! [`QueuePlace`] first. All clubs of a process share the threads and the queue, and so do all addresses: the
//! threads serve askers in turns, and when the queue is full, the asker with the most places gives up the
//! newest one to an asker with fewer.

use std::collections::HashMap;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use secrecy::SecretString;
use tokio::sync::oneshot;

use super::guessers::Guessers;
use super::password::{NoMemory, Password, PasswordHash, verify_decoy};
use super::tokens;
use crate::Refused;
use crate::commands::metrics::PASSWORD_QUEUE;
use owlbox_base::values::{AccountId, household};

type Job = Box<dyn FnOnce() + Send>;

/// Who asks for a password to be hashed: each has an equal share of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asker {
    /// Somebody who is not signed in, by their [`household`].
    Stranger(IpAddr),
    /// Somebody who is signed in or holds a link.
    Account(AccountId),
    /// The operator, with the set-up code or on the command line.
    Operator,
}

impl Asker {
    /// A client that is not signed in.
    #[must_use]
    pub fn stranger(client: IpAddr) -> Self {
        Self::Stranger(household(client))
    }
}

/// The hashing threads and their queue, as one club uses them. The threads end with the last clone and the
/// last place.
#[derive(Clone, Debug)]
pub struct Passwords {
    shared: Arc<Shared>,
    club: u64,
}

/// What all clubs of a process share.
#[derive(Debug)]
struct Shared {
    queue: Arc<Queue>,
    guessers: Guessers,
    next_club: AtomicU64,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.queue.lock().is_over = true;
        self.queue.changed.notify_all();
    }
}

#[derive(Debug)]
struct Queue {
    most: usize,
    waiting: Mutex<Waiting>,
    /// A job has come, or the queue is over.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    /// In the order in which they were taken.
    places: Vec<Place>,
    /// When each asker with a place was served last, as a count.
    served: HashMap<Asker, u64>,
    /// Counts places and turns.
    count: u64,
    is_over: bool,
}

struct Place {
    id: u64,
    asker: Asker,
    club: u64,
    stage: Stage,
}

enum Stage {
    /// Its password is still to come.
    Taken,
    Ready(Job),
    Running,
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Place").field("asker", &self.asker).field("club", &self.club).finish_non_exhaustive()
    }
}

impl Waiting {
    fn next(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// The place to give up for `asker` of `club`: the newest of the asker, or else of the club, that holds
    /// the most, if that is at least two more than theirs.
    fn to_give_up(&self, asker: Asker, club: u64) -> Option<usize> {
        self.newest_of_most(|place| place.asker, asker)
            .or_else(|| self.newest_of_most(|place| place.club, club))
    }

    fn newest_of_most<K: Eq + std::hash::Hash + Copy>(
        &self,
        key: impl Fn(&Place) -> K,
        own: K,
    ) -> Option<usize> {
        let mut held: HashMap<K, (usize, usize)> = HashMap::new();
        for (index, place) in self.places.iter().enumerate() {
            if !matches!(place.stage, Stage::Running) {
                let (count, newest) = held.entry(key(place)).or_default();
                (*count, *newest) = (*count + 1, index);
            }
        }
        let own = held.get(&own).map_or(0, |(count, _)| *count);
        held.into_values().filter(|(count, _)| *count >= own + 2).max().map(|(_, newest)| newest)
    }

    /// Takes out the job of the asker who was served longest ago.
    fn begin(&mut self) -> Option<(u64, Job)> {
        let ready = self.places.iter_mut().filter(|place| matches!(place.stage, Stage::Ready(_)));
        let served = &self.served;
        let place = ready.min_by_key(|place| (served.get(&place.asker).copied(), place.id))?;
        let (id, asker) = (place.id, place.asker);
        let Stage::Ready(job) = std::mem::replace(&mut place.stage, Stage::Running) else { return None };
        let turn = self.next();
        self.served.insert(asker, turn);
        Some((id, job))
    }

    fn end(&mut self, id: u64) {
        if let Some(index) = self.places.iter().position(|place| place.id == id) {
            self.remove(index);
        }
    }

    fn remove(&mut self, index: usize) {
        let Place { asker, .. } = self.places.remove(index);
        if self.places.iter().all(|place| place.asker != asker) {
            self.served.remove(&asker);
        }
        metrics::gauge!(PASSWORD_QUEUE).decrement(1.0);
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Carries out jobs until the queue is over.
    fn work(&self) {
        let mut waiting = self.lock();
        loop {
            let Some((id, job)) = waiting.begin() else {
                if waiting.is_over {
                    return;
                }
                waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(waiting);
            // A panic must not end the thread. The caller sees the dropped channel and answers "busy".
            drop(catch_unwind(AssertUnwindSafe(job)));
            waiting = self.lock();
            waiting.end(id);
        }
    }
}

/// A place in the queue, for one password.
pub struct QueuePlace {
    shared: Arc<Shared>,
    id: u64,
}

impl Passwords {
    /// Starts `slots` threads; `queue` more passwords can wait for them.
    #[must_use]
    pub fn start(slots: usize, queue: usize) -> Self {
        let slots = slots.max(1);
        let most = slots.saturating_add(queue);
        let queue = Arc::new(Queue { most, waiting: Mutex::default(), changed: Condvar::new() });
        for _ in 0..slots {
            let queue = Arc::clone(&queue);
            std::thread::Builder::new()
                .name("passwords".into())
                .spawn(move || queue.work())
                .map(drop)
                .unwrap_or_else(|error| tracing::error!(%error, "a password slot cannot start"));
        }
        let shared = Shared { queue, guessers: Guessers::default(), next_club: AtomicU64::new(1) };
        Self { shared: Arc::new(shared), club: 0 }
    }

    /// The same threads and queue for one more club.
    #[must_use]
    pub fn for_another_club(&self) -> Self {
        let club = self.shared.next_club.fetch_add(1, Ordering::Relaxed);
        Self { shared: Arc::clone(&self.shared), club }
    }

    /// The addresses whose sign-ins fail, over all clubs of the process.
    #[must_use]
    pub fn guessers(&self) -> &Guessers {
        &self.shared.guessers
    }

    /// Takes a place in the queue, for one password.
    ///
    /// # Errors
    /// [`Refused::Busy`]: the queue is full, and nobody holds more of it than `asker`.
    pub fn place(&self, asker: Asker) -> Result<QueuePlace, Refused> {
        let queue = &self.shared.queue;
        let mut waiting = queue.lock();
        if waiting.places.len() >= queue.most {
            let given_up = waiting.to_give_up(asker, self.club).ok_or(Refused::Busy)?;
            // The caller that waits for its answer sees the dropped channel and answers "busy".
            waiting.remove(given_up);
        }
        let id = waiting.next();
        waiting.places.push(Place { id, asker, club: self.club, stage: Stage::Taken });
        metrics::gauge!(PASSWORD_QUEUE).increment(1.0);
        Ok(QueuePlace { shared: Arc::clone(&self.shared), id })
    }

    /// Hashes a new password for storage, with a random salt.
    ///
    /// # Errors
    /// [`Refused::Busy`]: the queue is full, or there is no memory.
    pub async fn hash(&self, asker: Asker, password: Password) -> Result<PasswordHash, Refused> {
        self.place(asker)?.run(move || password.hash(tokens::random())).await
    }
}

impl QueuePlace {
    /// Whether `typed` is the password of `hash`. Without a hash the answer is no, after the same time.
    ///
    /// # Errors
    /// [`Refused::Busy`]: the place was given up, or there is no memory.
    pub async fn verify(self, hash: Option<PasswordHash>, typed: SecretString) -> Result<bool, Refused> {
        self.run(move || match hash {
            Some(hash) => hash.verify(&typed),
            None => verify_decoy(&typed).map(|()| false),
        })
        .await
    }

    async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> Result<T, NoMemory> + Send + 'static,
    ) -> Result<T, Refused> {
        let (answer, outcome) = oneshot::channel();
        let job: Job = Box::new(move || drop(answer.send(work())));
        {
            let mut waiting = self.shared.queue.lock();
            let own = waiting.places.iter_mut().find(|place| place.id == self.id).ok_or(Refused::Busy)?;
            own.stage = Stage::Ready(job);
        }
        self.shared.queue.changed.notify_one();
        match outcome.await {
            Ok(Ok(made)) => Ok(made),
            Ok(Err(NoMemory)) => {
                tracing::warn!("not enough memory to hash a password");
                Err(Refused::Busy)
            }
            Err(_) => Err(Refused::Busy),
        }
    }
}

impl Drop for QueuePlace {
    /// Gives the place back. A job that runs keeps it until it ends.
    fn drop(&mut self) {
        let mut waiting = self.shared.queue.lock();
        let index = waiting.places.iter().position(|place| place.id == self.id);
        if let Some(index) = index
            && !matches!(waiting.places.get(index).map(|place| &place.stage), Some(Stage::Running))
        {
            waiting.remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password() -> Password {
        Password::new(&"quattro oche sul lago".into(), "mario").unwrap()
    }

    fn stranger(last: u8) -> Asker {
        Asker::stranger([192, 0, 2, last].into())
    }

    const CHIEF: Asker = Asker::Account(AccountId(uuid::Uuid::from_u128(1)));

    async fn verified(place: QueuePlace) -> Result<bool, Refused> {
        place.verify(None, "whatever it is".into()).await
    }

    #[tokio::test]
    async fn who_holds_most_of_a_full_queue_gives_up_the_newest_place() {
        let passwords = Passwords::start(1, 3);
        let mut held: Vec<_> = (0..4).map(|_| passwords.place(stranger(1)).unwrap()).collect();
        assert!(passwords.place(stranger(1)).is_err(), "their own make no room");
        let _other = passwords.place(stranger(2)).unwrap();
        let _chief = passwords.place(CHIEF).unwrap();
        assert!(passwords.place(CHIEF).is_err(), "two would be as many as the others have");
        let newest = held.pop().unwrap();
        assert!(matches!(verified(newest).await, Err(Refused::Busy)));
        assert!(matches!(verified(held.pop().unwrap()).await, Err(Refused::Busy)));
        assert!(verified(held.pop().unwrap()).await.is_ok(), "older places stay");
    }

    #[tokio::test]
    async fn a_crowd_that_guesses_at_one_club_leaves_places_to_the_others() {
        let all = Passwords::start(1, 3);
        let (one, other) = (all.for_another_club(), all.for_another_club());
        let _crowd: Vec<_> = (1..=4).map(|last| one.place(stranger(last)).unwrap()).collect();
        assert!(one.place(stranger(5)).is_err());
        assert!(other.place(stranger(5)).is_ok());
    }

    #[tokio::test]
    async fn askers_are_served_in_turns() {
        let passwords = Passwords::start(1, 20);
        let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
        // Keeps the thread busy until everybody has asked.
        let (all_have_asked, gate) = std::sync::mpsc::channel::<()>();
        let first = passwords.place(Asker::Operator).unwrap();
        let busy = tokio::spawn(first.run(move || Ok(gate.recv().is_ok())));
        while !matches!(passwords.shared.queue.lock().places[0].stage, Stage::Running) {
            tokio::task::yield_now().await;
        }
        let asked = [1, 1, 1, 2, 2, 3].map(|last| {
            let (place, told) = (passwords.place(stranger(last)).unwrap(), told.clone());
            tokio::spawn(place.run(move || Ok(told.send(last).is_ok())))
        });
        while passwords.shared.queue.lock().places.iter().any(|place| matches!(place.stage, Stage::Taken)) {
            tokio::task::yield_now().await;
        }
        all_have_asked.send(()).unwrap();
        assert!(busy.await.unwrap().unwrap());
        for asked in asked {
            assert!(asked.await.unwrap().unwrap());
        }
        drop(told);
        let order: Vec<u8> = std::iter::from_fn(|| heard.try_recv().ok()).collect();
        assert_eq!(order, [1, 2, 3, 1, 2, 1]);
    }

    #[tokio::test]
    async fn a_password_is_known_again_and_no_login_is_a_no() {
        let passwords = Passwords::start(2, 4);
        let hash = passwords.hash(CHIEF, password()).await.unwrap();
        let verify = async |hash: Option<PasswordHash>, typed: &str| {
            passwords.place(CHIEF).unwrap().verify(hash, typed.into()).await.unwrap()
        };
        assert!(verify(Some(hash.clone()), "quattro oche sul lago").await);
        assert!(!verify(Some(hash), "cinque oche sul lago").await);
        assert!(!verify(None, "quattro oche sul lago").await);
    }

    #[tokio::test]
    async fn a_full_queue_refuses_at_once_and_has_room_again_later() {
        let passwords = Passwords::start(1, 1);
        let (one, other) = (passwords.place(CHIEF).unwrap(), passwords.place(CHIEF).unwrap());
        assert!(matches!(passwords.place(CHIEF), Err(Refused::Busy)));
        drop(other);
        assert!(!one.verify(None, "whatever it is".into()).await.unwrap());
        // The place is free a moment after the answer.
        while !passwords.shared.queue.lock().places.is_empty() {
            tokio::task::yield_now().await;
        }
        let _both = (passwords.place(CHIEF).unwrap(), passwords.place(CHIEF).unwrap());
    }

    #[tokio::test]
    async fn a_panic_costs_one_answer_and_no_slot() {
        let passwords = Passwords::start(1, 1);
        let place = passwords.place(CHIEF).unwrap();
        assert!(matches!(place.run::<()>(|| panic!("on purpose")).await, Err(Refused::Busy)));
        assert!(passwords.hash(CHIEF, password()).await.is_ok());
    }
}
