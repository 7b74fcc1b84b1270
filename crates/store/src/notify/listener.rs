//! Hearing what instances tell: a process listens to a database on one connection, for all clubs that it has
//! open there. An act that is told of wakes everybody who listens to the database, so a connection for each
//! club would make an act of one the dearer the more clubs are open.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use secrecy::{ExposeSecret as _, SecretString};
use uuid::Uuid;

use super::{ACCESS, ACTS, NAMES, Notification};
use crate::StoreError;
use crate::clubs::{IN_USE, OWN_SCHEMA};
use crate::postgres::{Listening, Notified};
use crate::thread::Thread;
use owlbox_base::journal::Version;

/// The process at the server that serves a connection. A proxy may give one connection several in turn, and
/// then the one that listens is not the one that answers.
const BACKEND: &str = "SELECT pg_backend_pid()";
/// How long the thread waits for a notification before it looks whether it is still wanted.
const WANTED_POLL: Duration = Duration::from_millis(50);
/// How many it passes on before it looks again.
const MOST_AT_ONCE: usize = 64;
/// How often it asks whether the server is still there.
const ALIVE_POLL: Duration = Duration::from_millis(300);
/// How often each club is told to look by itself: a notification can be lost with its connection.
const SLOW_POLL: Duration = Duration::from_secs(5);
/// The pause before reconnecting after the connection was lost.
const REST: Duration = Duration::from_secs(1);

/// What a process hears of one database. Cheap to clone; the last clone ends the listening.
#[derive(Clone)]
pub struct NotificationListener(Arc<Inner>);

struct Inner {
    url: SecretString,
    /// Whether the address is that of one club, which its connection shows to be in use.
    is_of_one: bool,
    hearers: Arc<Hearers>,
    /// The thread ends when this is dropped, which therefore is declared before it.
    wanted: Arc<()>,
    /// Started for the first who hears.
    thread: Mutex<Option<Thread>>,
}

#[derive(Default)]
struct Hearers(Mutex<Vec<Weak<Mutex<Hearer>>>>);

impl Hearers {
    /// Tells everybody who still hears. Nobody is held up meanwhile who begins to, or ends it.
    fn each(&self, mut tell: impl FnMut(&mut Hearer)) {
        let mut there = Vec::new();
        lock(&self.0).retain(|hearer| hearer.upgrade().map(|hearer| there.push(hearer)).is_some());
        for hearer in there {
            // A listener that panics, which is reported as it happens, costs the others nothing, and has
            // missed something.
            if catch_unwind(AssertUnwindSafe(|| tell(&mut lock(&hearer)))).is_err() {
                lock(&hearer).polled = None;
            }
        }
    }
}

/// Who hears of one club.
struct Hearer {
    schema: String,
    instance: Uuid,
    /// When it was told to look by itself; `None` if that is due at once.
    polled: Option<Instant>,
    heard: Box<dyn FnMut(Notification) + Send>,
}

/// Has somebody hear for as long as it is kept. What is being told as it is dropped may be heard just after.
pub struct Subscription {
    _hearer: Arc<Mutex<Hearer>>,
    _listener: NotificationListener,
}

impl NotificationListener {
    /// A listener for the many clubs of the database at this address. Nothing is connected before somebody
    /// wants to hear.
    pub fn of_many(url: &SecretString) -> Self {
        Self::at(url, false)
    }

    /// A listener for the one club at this address.
    pub fn of_one(url: &SecretString) -> Self {
        Self::at(url, true)
    }

    fn at(url: &SecretString, is_of_one: bool) -> Self {
        Self(Arc::new(Inner {
            url: url.clone(),
            is_of_one,
            hearers: Arc::default(),
            wanted: Arc::default(),
            thread: Mutex::default(),
        }))
    }

    /// Calls `heard`, which must not block, with everything that is told of the club in `schema`: with
    /// [`Notification::Unknown`] at the start, whenever the connection is new and every five seconds, with
    /// [`Notification::Alive`] several times a second. `instance` is that of the store that hears.
    pub fn subscribe(
        &self,
        schema: &str,
        instance: Uuid,
        heard: Box<dyn FnMut(Notification) + Send>,
    ) -> Subscription {
        let hearer =
            Arc::new(Mutex::new(Hearer { schema: schema.to_owned(), instance, polled: None, heard }));
        lock(&self.0.hearers.0).push(Arc::downgrade(&hearer));
        let mut thread = lock(&self.0.thread);
        if thread.is_none() {
            let (url, hearers) = (self.0.url.clone(), Arc::clone(&self.0.hearers));
            let (is_of_one, wanted) = (self.0.is_of_one, Arc::downgrade(&self.0.wanted));
            let started = Thread::start("listen", move || listen(&url, is_of_one, &hearers, &wanted));
            *thread = started
                .inspect_err(
                    |error| tracing::error!(%error, "cannot listen for notifications from other instances"),
                )
                .ok();
        }
        drop(thread);
        Subscription { _hearer: hearer, _listener: self.clone() }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens, connecting anew whenever the connection is lost, for as long as `wanted` is alive.
fn listen(url: &SecretString, is_of_one: bool, hearers: &Hearers, wanted: &Weak<()>) {
    while wanted.strong_count() > 0 {
        if let Err(error) = listen_once(url, is_of_one, hearers, wanted) {
            tracing::warn!(%error, "notifications are interrupted");
            std::thread::sleep(REST);
        }
    }
}

/// # Errors
/// The connection could not be opened, or was lost.
fn listen_once(
    url: &SecretString,
    is_of_one: bool,
    hearers: &Hearers,
    wanted: &Weak<()>,
) -> Result<(), StoreError> {
    let mut listening = Listening::start(url.expose_secret(), &[ACTS, ACCESS, NAMES])?;
    let backend = listening.ask(BACKEND)?;
    if is_of_one {
        // Who has the club alone for a moment, as a copy that is being made, is not in the way of listening.
        listening.ask(&format!("SELECT pg_try_advisory_lock_shared({IN_USE}, {OWN_SCHEMA})"))?;
    }
    hearers.each(|hearer| hearer.polled = None);
    let mut alive = None::<Instant>;
    while wanted.strong_count() > 0 {
        let now = Instant::now();
        let mut is_due = alive.is_none_or(|at| at.elapsed() >= ALIVE_POLL);
        hearers.each(|hearer| {
            // Who has just come need not wait for what the others wait for.
            is_due |= hearer.polled.is_none();
            if hearer.polled.is_none_or(|at| at.elapsed() >= SLOW_POLL) {
                hearer.polled = Some(now);
                (hearer.heard)(Notification::Unknown);
            }
        });
        if is_due {
            let asked = Instant::now();
            if listening.ask(BACKEND)? != backend {
                let proxy = "a proxy shares this connection, so notifications get lost";
                return Err(StoreError::Connection(diesel::ConnectionError::BadConnection(proxy.into())));
            }
            // What was told before the answer is passed on first: from `Alive` on, memory counts as current.
            while let Some(notified) = listening.next(Duration::ZERO)? {
                hearers.each(|hearer| hearer.hear(&notified));
            }
            alive = Some(asked);
            // Who has come since has not begun.
            hearers.each(|hearer| {
                if hearer.polled.is_some() {
                    (hearer.heard)(Notification::Alive(asked));
                }
            });
        }
        let mut within = WANTED_POLL;
        for _ in 0..MOST_AT_ONCE {
            let Some(notified) = listening.next(within)? else { break };
            hearers.each(|hearer| hearer.hear(&notified));
            within = Duration::ZERO;
        }
    }
    Ok(())
}

impl Hearer {
    fn hear(&mut self, notified: &Notified) {
        if let Some(heard) = heard_of(notified, &self.schema, self.instance) {
            (self.heard)(heard);
        }
    }
}

/// What a notification means; nothing if it is about another club of the same database.
fn heard_of(Notified { channel, payload }: &Notified, schema: &str, instance: Uuid) -> Option<Notification> {
    match channel.as_str() {
        ACCESS => (payload == schema).then_some(Notification::Access),
        NAMES => (payload == schema).then_some(Notification::Names),
        _ => {
            let mut parts = payload.splitn(4, ' ');
            // Most are of other clubs.
            if parts.clone().nth(3).is_some_and(|by| by != schema) {
                return None;
            }
            let stream = Uuid::parse_str(parts.next()?).ok()?;
            // An earlier version of this program says the stream alone.
            let version = parts.next().map_or(Some(Version::MAX), |version| version.parse().ok())?;
            let own = parts.next().is_some_and(|by| Uuid::parse_str(by) == Ok(instance));
            Some(Notification::Grown { stream, version, own })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_panics_is_told_to_look_and_costs_the_others_nothing() {
        let hearers = Hearers::default();
        let told = Arc::new(Mutex::new(0));
        let hearer = |heard| {
            let polled = Some(Instant::now());
            let hearer = Hearer { schema: "club".into(), instance: Uuid::nil(), polled, heard };
            let hearer = Arc::new(Mutex::new(hearer));
            lock(&hearers.0).push(Arc::downgrade(&hearer));
            hearer
        };
        let panics = hearer(Box::new(|_| panic!("on purpose")));
        let counts = Arc::clone(&told);
        let hears = hearer(Box::new(move |_| *lock(&counts) += 1));
        for _ in 0..2 {
            hearers.each(|hearer| (hearer.heard)(Notification::Names));
        }
        assert_eq!(*lock(&told), 2);
        assert!(lock(&panics).polled.is_none() && lock(&hears).polled.is_some());
        drop(hears);
        hearers.each(|_| ());
        assert_eq!(lock(&hearers.0).len(), 1, "who hears no more is forgotten");
    }
}
