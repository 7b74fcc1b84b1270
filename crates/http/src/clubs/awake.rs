//! The clubs that are open. One is opened for the first request that names it and closed again when nobody
//! has used it for a while, when somebody wants it alone, or when its disk has refused; one opening or
//! closing at a time for each.
//!
//! Strangers cannot shut a club out. If as many are open as there may be, one that no member uses is closed,
//! even if strangers listen to it, and that which members left longest ago is the first to go. One address
//! opens few clubs at a time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, watch};

use crate::config::{Clubs as Settings, Config, Http};
use crate::copies::{MOST_BYTES, PageCache};
use crate::mail::Post;
use crate::service::{LiveStreams, Parts, SWEEP_EVERY, Service};
use crate::webhooks::Couriers;
use owlbox_base::values::household;
use owlbox_desk::{ClubIdentity, ClubLabel, Desk};

/// How many clubs are looked for, and how many opened, at the same time.
const AT_ONCE: usize = 8;
/// The most clubs that one address has looked for and opened at the same time.
const AT_ONCE_FOR_ADDRESS: usize = 2;
/// How long a request waits for its club.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most clubs that are swept at once: a hundred that have woken together would keep everybody from the
/// processor.
const SWEPT_AT_ONCE: usize = 4;
/// How long it is taken for granted that the clubs can be found, and how long to wait for that.
const READY_FOR: Duration = Duration::from_secs(1);
const READY_WITHIN: Duration = Duration::from_secs(3);
/// How long a club that is closed waits for those who still use it. Its database is closed when the last has
/// gone.
const LEFT_WITHIN: Duration = Duration::from_secs(10);
/// How long a request waits until one of the clubs that are open is used by nobody, if there can be no more.
const ROOM_WITHIN: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(5);

/// Finds and opens clubs, wherever they are. All of it blocks.
pub trait Opener: Send + Sync {
    /// Whether there is such a club.
    ///
    /// # Errors
    /// [`NotOpened`]; why is logged.
    fn find(&self, label: &ClubLabel) -> Result<(), NotOpened>;

    /// Opens a club: nobody can have it alone until its desk is gone.
    ///
    /// # Errors
    /// [`NotOpened`]; why is logged.
    fn open(&self, label: &ClubLabel) -> Result<Opened, NotOpened>;

    /// Which of these clubs have to be closed.
    fn wanted(&self, open: &[(ClubLabel, ClubIdentity)]) -> Vec<ClubLabel>;

    /// Whether the place of the clubs can be read.
    fn is_ready(&self) -> bool;
}

/// A club that was opened.
pub struct Opened {
    pub desk: Desk,
    /// The club's own configuration.
    pub config: Config,
    pub identity: ClubIdentity,
}

/// Why a club was not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotOpened {
    NoSuchClub,
    /// Somebody has it alone, or too many clubs are open and all of them are used.
    Busy,
    /// It is broken, or its database cannot be reached.
    Failed,
}

/// The clubs of a domain. Cheap to clone.
#[derive(Clone)]
pub struct Awake(Arc<Inner>);

struct Inner {
    opener: Box<dyn Opener>,
    http: Http,
    settings: Settings,
    /// What sends the mail of all of them.
    post: Option<Post>,
    /// Places for those who look whether there is a club, and for those who open one.
    looking: Semaphore,
    opening: Semaphore,
    /// A place for each club that may be open.
    places: Arc<Semaphore>,
    /// What those who are opening clubs take up, by address.
    openers: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
    /// When the clubs could be found last.
    found: tokio::sync::Mutex<Option<Instant>>,
    /// Becomes true when the process is told to stop.
    stopping: watch::Receiver<bool>,
    /// Begins to send a club's webhooks.
    deliver: fn(&Service),
    clubs: Mutex<HashMap<ClubLabel, Slot>>,
}

enum Slot {
    Open(Open),
    /// It is being looked for, opened or closed; what is to be known when that is over.
    Turning(watch::Receiver<Turn>),
}

struct Open {
    service: Service,
    /// Ends its live streams.
    stop: watch::Sender<bool>,
    identity: ClubIdentity,
    used: Instant,
    swept: Option<Instant>,
    /// Comes last: it is free again once the club's database is closed.
    _place: OwnedSemaphorePermit,
}

#[derive(Clone)]
enum Turn {
    Underway,
    Opened(Result<Service, NotOpened>),
    Closed,
}

impl Awake {
    #[must_use]
    pub(crate) fn new(
        opener: Box<dyn Opener>,
        http: Http,
        settings: Settings,
        post: Option<Post>,
        stopping: watch::Receiver<bool>,
        deliver: fn(&Service),
    ) -> Self {
        let places = Arc::new(Semaphore::new(settings.awake.clamp(1, Semaphore::MAX_PERMITS)));
        Self(Arc::new(Inner {
            opener,
            http,
            settings,
            post,
            looking: Semaphore::new(AT_ONCE),
            opening: Semaphore::new(AT_ONCE),
            places,
            openers: Mutex::default(),
            found: tokio::sync::Mutex::default(),
            stopping,
            deliver,
            clubs: Mutex::default(),
        }))
    }

    pub(super) fn http(&self) -> &Http {
        &self.0.http
    }

    pub(super) fn domain(&self) -> &str {
        &self.0.settings.domain
    }

    /// The most memory for one club's copies, in bytes: a share of what one club alone would have, but room
    /// for a few.
    fn copies_of_each(&self) -> usize {
        (MOST_BYTES / self.0.settings.awake.max(1)).max(1 << 20)
    }

    fn clubs(&self) -> MutexGuard<'_, HashMap<ClubLabel, Slot>> {
        self.0.clubs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the openings for one address take up, the address's [`household`].
    fn openings_for(&self, address: IpAddr) -> Arc<Semaphore> {
        let mut openers = self.0.openers.lock().unwrap_or_else(PoisonError::into_inner);
        openers.retain(|_, own| own.strong_count() > 0);
        let own = openers.entry(household(address)).or_default();
        own.upgrade().unwrap_or_else(|| {
            let places = Arc::new(Semaphore::new(AT_ONCE_FOR_ADDRESS));
            *own = Arc::downgrade(&places);
            places
        })
    }

    /// The service of a club, which is opened if it is not. `client` is the address that asks; `None` if that
    /// stands for many.
    ///
    /// # Errors
    /// [`NotOpened`].
    pub async fn enter(&self, label: &ClubLabel, client: Option<IpAddr>) -> Result<Service, NotOpened> {
        let mut own = None;
        loop {
            let turning = {
                let mut clubs = self.clubs();
                match clubs.entry(label.clone()) {
                    Entry::Occupied(mut there) => match there.get_mut() {
                        Slot::Open(open) => {
                            open.used = Instant::now();
                            return Ok(open.service.clone());
                        }
                        Slot::Turning(turning) => Ok(turning.clone()),
                    },
                    Entry::Vacant(free) => match (client, own.take()) {
                        // Before its slot is taken: others who ask for the same club do not wait for this
                        // address.
                        (Some(client), None) => Err(client),
                        (_, own) => {
                            let (turn, turning) = watch::channel(Turn::Underway);
                            free.insert(Slot::Turning(turning.clone()));
                            // On its own: the one who asked may go away meanwhile.
                            tokio::spawn(self.clone().open(label.clone(), turn, own));
                            Ok(turning)
                        }
                    },
                }
            };
            let mut turning = match turning {
                Ok(turning) => turning,
                Err(client) => {
                    own = Some(place_of(self.openings_for(client).acquire_owned()).await?);
                    continue;
                }
            };
            let turned = turning.wait_for(|turn| !matches!(turn, Turn::Underway));
            match tokio::time::timeout(PATIENCE, turned).await.map(|turned| turned.map(|turn| turn.clone())) {
                Ok(Ok(Turn::Opened(opened))) => return opened,
                Ok(Ok(Turn::Closed | Turn::Underway)) => {}
                // The task that turned it has panicked, and cleared its slot.
                Ok(Err(_)) => return Err(NotOpened::Failed),
                Err(_) => return Err(NotOpened::Busy),
            }
        }
    }

    /// Opens a club; `_own` is what this takes up of the share of the one who asked.
    async fn open(self, label: ClubLabel, turn: watch::Sender<Turn>, _own: Option<OwnedSemaphorePermit>) {
        let mut slot = Cleared { awake: &self, label: Some(&label) };
        let opened = match self.opened(&label).await {
            Ok((Opened { desk, config, identity }, place)) => {
                let (stop, stopping) = watch::channel(false);
                let (streams, copies) = (LiveStreams::default(), PageCache::within(self.copies_of_each()));
                let service = Service::new(Parts {
                    desk,
                    config,
                    stopping,
                    streams,
                    copies,
                    mail: self.0.post.as_ref().map(Post::of_club),
                    couriers: Couriers::default(),
                    member_came: Mutex::default(),
                });
                let (service_of_club, used) = (service.clone(), Instant::now());
                let open =
                    Open { service: service_of_club, stop, identity, used, swept: None, _place: place };
                let mut clubs = self.clubs();
                // `tend` stops those that are open then, under this lock; this one may come after it.
                if *self.0.stopping.borrow() {
                    open.stop.send_replace(true);
                }
                clubs.insert(label.clone(), Slot::Open(open));
                drop(clubs);
                slot.label = None;
                Ok(service)
            }
            Err(why) => Err(why),
        };
        drop(slot);
        turn.send_replace(Turn::Opened(opened));
    }

    async fn opened(&self, label: &ClubLabel) -> Result<(Opened, OwnedSemaphorePermit), NotOpened> {
        {
            // So that names which nobody has put no club to sleep.
            let _place = place_of(self.0.looking.acquire()).await?;
            let (awake, name) = (self.clone(), label.clone());
            blocking("find", move || awake.0.opener.find(&name)).await.unwrap_or(Err(NotOpened::Failed))?;
        }
        let _place = place_of(self.0.opening.acquire()).await?;
        let room = self.room().await?;
        let (awake, name) = (self.clone(), label.clone());
        let opened = blocking("wake", move || awake.0.opener.open(&name)).await;
        Ok((opened.unwrap_or(Err(NotOpened::Failed))?, room))
    }

    /// A place among the clubs that may be open. If all are taken, a club that members do not use is closed.
    /// Those who wait get places in turn: somebody who comes later does not take the one that was made for
    /// another.
    async fn room(&self) -> Result<OwnedSemaphorePermit, NotOpened> {
        let make_room = async {
            while !self.close_one() {
                tokio::time::sleep(PAUSE).await;
            }
            std::future::pending::<Infallible>().await
        };
        tokio::select! {
            // First: it is in the queue before anything is closed.
            biased;
            place = Arc::clone(&self.0.places).acquire_owned() => place.map_err(|_| NotOpened::Failed),
            never = make_room => match never {},
            () = tokio::time::sleep(ROOM_WITHIN) => Err(NotOpened::Busy),
        }
    }

    /// Begins to close the club that members left longest ago, of those that none uses. Whether there is one.
    fn close_one(&self) -> bool {
        let mut clubs = self.clubs();
        let unused = clubs.iter().filter_map(|(label, slot)| match slot {
            Slot::Open(open) if open.only_strangers_use_it() => {
                Some((open.service.member_came(), open.used, label.clone()))
            }
            Slot::Open(_) | Slot::Turning(_) => None,
        });
        let Some((.., label)) = unused.min() else { return false };
        self.close(&mut clubs, &label);
        true
    }

    /// Begins to close a club: its live streams end, and once nobody uses it its database is closed.
    fn close(&self, clubs: &mut HashMap<ClubLabel, Slot>, label: &ClubLabel) {
        let (turn, turning) = watch::channel(Turn::Underway);
        match clubs.get_mut(label) {
            Some(slot @ Slot::Open(_)) => {
                let Slot::Open(open) = std::mem::replace(slot, Slot::Turning(turning)) else { return };
                let (awake, label) = (self.clone(), label.clone());
                let name = label.clone();
                let closing = std::thread::Builder::new().name("sleep".into()).spawn(move || {
                    let mut slot = Cleared { awake: &awake, label: Some(&name) };
                    match open.shut(Instant::now() + LEFT_WITHIN) {
                        None => drop(slot),
                        // As long as it is used, it cannot be opened anew.
                        Some(used) => {
                            used.stop.send_replace(*awake.0.stopping.borrow());
                            awake.clubs().insert(name.clone(), Slot::Open(used));
                            slot.label = None;
                        }
                    }
                    turn.send_replace(Turn::Closed);
                });
                if let Err(error) = closing {
                    tracing::error!(%error, "a club is closed without waiting");
                    clubs.remove(&label);
                }
            }
            Some(Slot::Turning(_)) | None => {}
        }
    }

    /// Looks after the clubs until the process stops, which ends their live streams.
    pub(crate) async fn tend(self) {
        let mut stopping = self.0.stopping.clone();
        let mut due = tokio::time::interval(owlbox_desk::LOOK_EVERY);
        loop {
            tokio::select! {
                // What it returns is locked, and must be gone before anything is awaited.
                () = async { drop(stopping.wait_for(|stopping| *stopping).await) } => break,
                () = async { due.tick().await; self.look_after().await } => {}
            }
        }
        for slot in self.clubs().values() {
            if let Slot::Open(open) = slot {
                open.stop.send_replace(true);
            }
        }
    }

    async fn look_after(&self) {
        let awake = self.clone();
        let look = move || {
            let (open, services): (Vec<_>, Vec<_>) = awake.open_clubs().into_iter().unzip();
            services.into_iter().for_each(|service| service.desk.close_idle_connections());
            awake.0.opener.wanted(&open)
        };
        let wanted = blocking("look", look).await.unwrap_or_default();
        let idle = Duration::from_secs(self.0.settings.idle_minutes * 60);
        let mut sweeping = Vec::new();
        {
            let mut clubs = self.clubs();
            let mut over = wanted;
            for (label, slot) in clubs.iter_mut() {
                let Slot::Open(open) = slot else { continue };
                let has_given_up = open.service.desk.has_given_up();
                if has_given_up {
                    tracing::error!(club = %label, "a write to its disk failed: reopening it");
                }
                if has_given_up || (open.is_idle() && open.used.elapsed() >= idle) {
                    over.push(label.clone());
                    continue;
                }
                // It was just opened, or could not be closed.
                if open.service.couriers.all() == 0 && !*open.stop.borrow() {
                    (self.0.deliver)(&open.service);
                }
                if sweeping.len() < SWEPT_AT_ONCE && open.swept.is_none_or(|at| at.elapsed() >= SWEEP_EVERY) {
                    open.swept = Some(Instant::now());
                    sweeping.push(open.service.clone());
                }
            }
            over.iter().for_each(|label| self.close(&mut clubs, label));
        }
        for service in sweeping {
            tokio::spawn(async move { service.sweep().await });
        }
    }

    /// Waits until the clubs that are being opened or closed now have been.
    pub async fn turned(&self) {
        let turning: Vec<_> = self
            .clubs()
            .values()
            .filter_map(|slot| if let Slot::Turning(turn) = slot { Some(turn.clone()) } else { None })
            .collect();
        for mut turn in turning {
            drop(turn.wait_for(|turn| !matches!(turn, Turn::Underway)).await);
        }
    }

    /// The clubs that are open.
    #[must_use]
    pub fn open_clubs(&self) -> Vec<((ClubLabel, ClubIdentity), Service)> {
        let clubs = self.clubs();
        let open = clubs.iter().filter_map(|(label, slot)| match slot {
            Slot::Open(open) => Some(((label.clone(), open.identity), open.service.clone())),
            Slot::Turning(_) => None,
        });
        open.collect()
    }

    /// Whether the place of the clubs can be read. A good answer is repeated for a second, and only one asks
    /// at a time.
    pub(crate) async fn is_ready(&self) -> bool {
        let asked = async {
            let mut found = self.0.found.lock().await;
            if found.is_some_and(|at| at.elapsed() < READY_FOR) {
                return true;
            }
            let awake = self.clone();
            let is_ready = blocking("look", move || awake.0.opener.is_ready()).await.unwrap_or(false);
            *found = is_ready.then(Instant::now);
            is_ready
        };
        tokio::time::timeout(READY_WITHIN, asked).await.unwrap_or(false)
    }

    /// Closes all clubs, once the server has answered its last request.
    pub(crate) async fn close_all(&self) {
        let awake = self.clone();
        let closed = blocking("close", move || {
            let until = Instant::now() + LEFT_WITHIN;
            let all: Vec<Slot> = awake.clubs().drain().map(|(_, slot)| slot).collect();
            // A task that has just turned one closes it as well.
            std::thread::scope(|scope| {
                for slot in all {
                    if let Slot::Open(open) = slot {
                        scope.spawn(move || drop(open.shut(until)));
                    }
                }
            });
        });
        if closed.await.is_none() {
            tracing::error!("the clubs were not closed");
        }
    }
}

impl Open {
    fn is_unused(&self) -> bool {
        self.service.uses() == 0
    }

    /// Whether nobody uses it, and its webhooks have nothing to deliver.
    fn is_idle(&self) -> bool {
        let couriers = &self.service.couriers;
        self.service.uses() <= couriers.all() && !couriers.any_loaded()
    }

    /// Whether nobody uses it but its couriers and strangers who listen, each of whom holds it once.
    fn only_strangers_use_it(&self) -> bool {
        self.service.uses() <= self.service.streams.of_strangers() + self.service.couriers.all()
    }

    /// Ends its streams, waits for those who still use it, and closes its database if they have gone.
    /// Otherwise it is returned.
    fn shut(self, until: Instant) -> Option<Self> {
        self.stop.send_replace(true);
        while !self.is_unused() {
            if Instant::now() >= until {
                return Some(self);
            }
            std::thread::sleep(PAUSE);
        }
        None
    }
}

/// A place, unless none becomes free in time.
async fn place_of<T>(acquired: impl Future<Output = Result<T, AcquireError>>) -> Result<T, NotOpened> {
    match tokio::time::timeout(PATIENCE, acquired).await {
        Ok(Ok(place)) => Ok(place),
        Ok(Err(_)) => Err(NotOpened::Failed),
        Err(_) => Err(NotOpened::Busy),
    }
}

/// Clears a club's slot if turning it does not come to an end.
struct Cleared<'a> {
    awake: &'a Awake,
    label: Option<&'a ClubLabel>,
}

impl Drop for Cleared<'_> {
    fn drop(&mut self) {
        if let Some(label) = self.label {
            self.awake.clubs().remove(label);
        }
    }
}

/// The answer of `work`, on a thread of its own: it may take seconds, and the threads for blocking work are
/// for those who read in clubs that are open. `None` if it panicked.
async fn blocking<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (answer, answered) = tokio::sync::oneshot::channel();
    let started =
        std::thread::Builder::new().name(name.to_owned()).spawn(move || answer.send(work()).is_ok());
    started.inspect_err(|error| tracing::error!(%error, "cannot start a thread for a club")).ok()?;
    answered.await.ok()
}
