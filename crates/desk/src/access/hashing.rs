//! Hashes and checks passwords on threads of their own, so that sign-ins cannot slow down the tables.
//!
//! Argon2id takes some 15 ms of a core and 19 MiB each time. A few threads do nothing else. Callers take a
//! [`QueuePlace`] first; if the queue is full they are refused at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use secrecy::SecretString;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::password::{NoMemory, Password, PasswordHash, verify_decoy};
use super::tokens;
use crate::Refused;
use crate::figures::PASSWORD_QUEUE;

type Job = Box<dyn FnOnce() + Send>;

/// The hashing threads and their queue. The threads end when the last clone and the last place are dropped.
#[derive(Clone, Debug)]
pub struct Passwords {
    places: Arc<Semaphore>,
    /// Those of all together, where several share the threads.
    of_all: Option<Arc<Semaphore>>,
    queue: Sender<Job>,
}

/// A place in the queue, for one password.
pub struct QueuePlace {
    /// Its own, and one of all where the threads are shared.
    permits: (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>),
    queue: Sender<Job>,
    waiting: Waiting,
}

/// A waiting sign-in, counted in [`PASSWORD_QUEUE`] until it is dropped.
struct Waiting;

impl Waiting {
    fn begin() -> Self {
        metrics::gauge!(PASSWORD_QUEUE).increment(1.0);
        Self
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        metrics::gauge!(PASSWORD_QUEUE).decrement(1.0);
    }
}

impl Passwords {
    /// Starts `slots` threads; `queue` more passwords can wait for them.
    #[must_use]
    pub fn start(slots: usize, queue: usize) -> Self {
        let slots = slots.max(1);
        let places = Arc::new(Semaphore::new(slots.saturating_add(queue).min(Semaphore::MAX_PERMITS)));
        let (sender, jobs) = channel();
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..slots {
            let jobs = Arc::clone(&jobs);
            std::thread::Builder::new()
                .name("passwords".into())
                .spawn(move || work(&jobs))
                .map(drop)
                .unwrap_or_else(|error| tracing::error!(%error, "a password slot cannot start"));
        }
        Self { places, of_all: None, queue: sender }
    }

    /// The same threads for one of several who share them: it has at most so many of the places.
    #[must_use]
    pub fn shared(&self, most: usize) -> Self {
        let places = Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS)));
        Self { places, of_all: Some(Arc::clone(&self.places)), queue: self.queue.clone() }
    }

    /// Takes a place in the queue, for one password.
    ///
    /// # Errors
    /// [`Refused::Busy`]: the queue is full.
    pub fn place(&self) -> Result<QueuePlace, Refused> {
        let take =
            |places: &Arc<Semaphore>| Arc::clone(places).try_acquire_owned().map_err(|_| Refused::Busy);
        let permits = (take(&self.places)?, self.of_all.as_ref().map(take).transpose()?);
        Ok(QueuePlace { permits, queue: self.queue.clone(), waiting: Waiting::begin() })
    }

    /// Hashes a new password for storage, with a random salt.
    ///
    /// # Errors
    /// [`Refused::Busy`]: the queue is full, or there is no memory.
    pub async fn hash(&self, password: Password) -> Result<PasswordHash, Refused> {
        self.place()?.run(move || password.hash(tokens::random())).await
    }
}

impl QueuePlace {
    /// Whether `typed` is the password of `hash`. Without a hash the answer is no, after the same time.
    ///
    /// # Errors
    /// [`Refused::Busy`]: no memory.
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
        let Self { permits, queue, waiting } = self;
        let (answer, outcome) = oneshot::channel();
        let job: Job = Box::new(move || {
            drop(waiting);
            // Skip the work if the caller has gone.
            if !answer.is_closed() {
                drop(answer.send(work()));
            }
            drop(permits);
        });
        queue.send(job).map_err(|_| Refused::Busy)?;
        match outcome.await {
            Ok(Ok(made)) => Ok(made),
            Ok(Err(NoMemory)) => {
                tracing::warn!("no memory to hash a password in");
                Err(Refused::Busy)
            }
            Err(_) => Err(Refused::Busy),
        }
    }
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        // A panic must not end the thread. The caller sees the dropped channel and answers "busy".
        drop(catch_unwind(AssertUnwindSafe(job)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password() -> Password {
        Password::new(&"quattro oche sul lago".into(), "mario").unwrap()
    }

    #[tokio::test]
    async fn one_of_several_takes_its_share_of_the_queue_and_no_more() {
        let all = Passwords::start(1, 3);
        let (one, other, third) = (all.shared(2), all.shared(2), all.shared(2));
        let _held = [one.place().unwrap(), one.place().unwrap()];
        assert!(one.place().is_err(), "it has its share");
        let _others = [other.place().unwrap(), other.place().unwrap()];
        assert!(third.place().is_err(), "all are taken");
    }

    #[tokio::test]
    async fn a_password_is_known_again_and_no_login_is_a_no() {
        let passwords = Passwords::start(2, 4);
        let hash = passwords.hash(password()).await.unwrap();
        let verify = async |hash: Option<PasswordHash>, typed: &str| {
            passwords.place().unwrap().verify(hash, typed.into()).await.unwrap()
        };
        assert!(verify(Some(hash.clone()), "quattro oche sul lago").await);
        assert!(!verify(Some(hash), "cinque oche sul lago").await);
        assert!(!verify(None, "quattro oche sul lago").await);
    }

    #[tokio::test]
    async fn a_full_queue_refuses_at_once_and_has_room_again_later() {
        let passwords = Passwords::start(1, 1);
        let (one, other) = (passwords.place().unwrap(), passwords.place().unwrap());
        assert!(matches!(passwords.place(), Err(Refused::Busy)));
        drop(other);
        assert!(!one.verify(None, "whatever it is".into()).await.unwrap());
        // The permit comes back a moment after the answer.
        while passwords.places.available_permits() < 2 {
            tokio::task::yield_now().await;
        }
        assert!(passwords.place().is_ok() && passwords.place().is_ok());
    }

    #[tokio::test]
    async fn a_panic_costs_one_answer_and_no_slot() {
        let passwords = Passwords::start(1, 1);
        let place = passwords.place().unwrap();
        assert!(matches!(place.run::<()>(|| panic!("on purpose")).await, Err(Refused::Busy)));
        assert!(passwords.hash(password()).await.is_ok());
    }
}
