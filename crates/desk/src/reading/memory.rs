//! The cache: states of streams, accounts, proofs and names. It never overrides the journal.
//!
//! A state enters it only after its commit, and is never replaced by an older version. On SQLite, where this
//! process is the only writer, cached states are current. On PostgreSQL a command uses a state only after its
//! version has been confirmed in the transaction; but a reader is answered from memory as long as the
//! database is heard: whatever changes something notifies all instances with its commit, or an act right
//! after it ([`Lease`]).

use std::any::Any;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use uuid::Uuid;

use crate::people::privacy::readings::Read;
use owlbox_base::journal::{Aggregate, Stream, Version};
use owlbox_base::permissions::scopes::TokenScopes;
use owlbox_base::values::{AccountId, PlayerId, Timestamp};
use owlbox_books::club::meant::NameIndex;
use owlbox_store::accounts::AccountStanding;

struct CacheEntry {
    stream: Arc<dyn Any + Send + Sync>,
    version: Version,
    used: AtomicU64,
    /// Whether it was the newest when nothing was in doubt that is not in doubt now. It is current then,
    /// unless an instance has [told](Streams::told) of a newer one.
    was_newest: bool,
}

/// The cache of the most recently used streams, and of accounts, proofs and names.
pub struct Memory {
    streams: RwLock<Streams>,
    clock: AtomicU64,
    limit: usize,
    pub standings: Cache<AccountId, AccountStanding>,
    /// Sessions by id and API tokens by digest, for those found valid.
    pub proofs: Cache<Box<[u8]>, Proven>,
    pub names: Cache<PlayerId, String>,
    /// The readings of ledgers that were noted.
    pub readings: Cache<(AccountId, Option<PlayerId>, NaiveDate, Read), ()>,
    /// What everybody is called, with the club's version as of which it is.
    people: RwLock<Option<(Version, Arc<NameIndex>)>>,
    /// When the database was asked what it has answered last.
    heard: Mutex<Option<Instant>>,
}

/// How long after the database was heard nothing can have changed that this instance was not told: shorter
/// than the second within which a sign-out has to count everywhere.
const HEARD_FOR: Duration = Duration::from_millis(900);

/// For how long what is in memory is current.
#[derive(Clone, Copy, Debug)]
pub enum Lease {
    /// Nobody else writes.
    SoleWriter,
    /// The database has answered what it was asked at this moment. Until a moment after, whatever another
    /// instance changed has been told.
    Notification(Option<Instant>),
}

impl Lease {
    #[must_use]
    pub fn holds(self) -> bool {
        match self {
            Self::SoleWriter => true,
            Self::Notification(asked) => asked.is_some_and(|asked| asked.elapsed() < HEARD_FOR),
        }
    }
}

#[derive(Default)]
struct Streams {
    kept: HashMap<Uuid, CacheEntry>,
    /// Up to which version streams have grown, as the instances tell; whatever was told before the last doubt
    /// is left out.
    told: HashMap<Uuid, Version>,
    seen: Seen,
}

/// What was known when a state was read. One that was read before an erasure is not kept, and one before a
/// [doubt](Memory::revalidate_all) is not [current](Memory::current).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// How many persons had been erased.
    erased: u64,
    /// How often something may have been missed.
    doubts: u64,
}

/// The account that a session or an API token belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    pub account: AccountId,
    /// The expiry of the proof, if it has one.
    pub ends_at: Option<Timestamp>,
    /// `None` for a session.
    pub token: Option<ProvenToken>,
}

/// What is asked of an API token at every request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenToken {
    pub id: Uuid,
    pub scopes: Option<TokenScopes>,
    /// The hour in which its use was noted last.
    pub last_used_at: Option<Timestamp>,
}

/// Cached rows of one table. Any change invalidates all of them, except through
/// [`forget_only`](Self::forget_only).
pub struct Cache<K, V>(RwLock<Rows<K, V>>);

struct Rows<K, V> {
    rows: HashMap<K, V>,
    /// Increased by every change. A reader that started before a change finds another generation and cannot
    /// cache a stale row.
    generation: u64,
}

/// The maximum number of rows; beyond it all are dropped and read again.
const MOST_ROWS: usize = 20_000;

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    fn new() -> Self {
        Self(RwLock::new(Rows { rows: HashMap::new(), generation: 0 }))
    }

    /// The cached row, if there is one, and the generation to pass to [`keep`](Self::keep).
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> (Option<V>, u64)
    where
        K: Borrow<Q>,
    {
        let rows = self.0.read().unwrap_or_else(PoisonError::into_inner);
        (rows.rows.get(key).cloned(), rows.generation)
    }

    /// How often something has changed.
    pub fn generation(&self) -> u64 {
        self.0.read().unwrap_or_else(PoisonError::into_inner).generation
    }

    /// Caches a row, unless something has changed since `generation`.
    pub fn keep(&self, key: K, value: V, generation: u64) {
        let mut rows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if rows.generation == generation {
            if rows.rows.len() >= MOST_ROWS {
                rows.rows.clear();
            }
            rows.rows.insert(key, value);
        }
    }

    /// Replaces a row that is cached; otherwise the next reader reads it again.
    pub fn change<Q: Eq + Hash + ?Sized>(&self, key: &Q, value: V)
    where
        K: Borrow<Q>,
    {
        let mut rows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = rows.rows.get_mut(key) {
            *kept = value;
        }
    }

    /// Drops these rows. Reads in progress will not be cached.
    pub fn forget_only<'q, Q: Eq + Hash + ?Sized + 'q>(&self, keys: impl Iterator<Item = &'q Q>)
    where
        K: Borrow<Q>,
    {
        let mut rows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        rows.generation += 1;
        for key in keys {
            rows.rows.remove(key);
        }
    }

    /// Drops all rows, because one has changed. Reads in progress will not be cached.
    pub fn forget(&self) {
        let mut rows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        rows.generation += 1;
        rows.rows.clear();
    }
}

impl Memory {
    /// A cache for at most `limit` streams, and at least one.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            streams: RwLock::default(),
            clock: AtomicU64::new(0),
            limit: limit.max(1),
            standings: Cache::new(),
            proofs: Cache::new(),
            names: Cache::new(),
            readings: Cache::new(),
            people: RwLock::default(),
            heard: Mutex::new(None),
        }
    }

    /// What everybody is called at this version of the club, if that is known: every change of a name is an
    /// act of the club.
    pub fn people(&self, version: Version) -> Option<Arc<NameIndex>> {
        let people = self.people.read().unwrap_or_else(PoisonError::into_inner);
        people.as_ref().filter(|(known, _)| *known == version).map(|(_, people)| Arc::clone(people))
    }

    /// Caches what everybody is called at a committed version of the club.
    pub fn keep_people(&self, version: Version, people: &Arc<NameIndex>) {
        let mut kept = self.people.write().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|(known, _)| *known < version) {
            *kept = Some((version, Arc::clone(people)));
        }
    }

    /// What is known, to be asked for before a state is read that is to be [kept](Self::keep).
    pub fn seen(&self) -> Seen {
        self.streams.read().unwrap_or_else(PoisonError::into_inner).seen
    }

    /// Notes that the database has answered what it was asked at this moment.
    pub fn note_heartbeat(&self, asked: Instant) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(asked);
    }

    /// How long what is in memory now is current. It is asked for before something is looked up, and tried
    /// after: what was looked up while nothing was heard is not made current by hearing again.
    pub fn lease(&self) -> Lease {
        Lease::Notification(*self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes up to which version a stream has grown. An older state of it is [current](Self::current) no
    /// more.
    pub fn tell(&self, id: Uuid, version: Version) {
        let mut streams = self.streams.write().unwrap_or_else(PoisonError::into_inner);
        if streams.told.len() >= MOST_ROWS {
            streams.revalidate_all();
        }
        let told = streams.told.entry(id).or_default();
        *told = version.max(*told);
    }

    /// Notes that something may have been missed: everything has to be asked for again.
    pub fn revalidate_all(&self) {
        self.streams.write().unwrap_or_else(PoisonError::into_inner).revalidate_all();
        self.forget_accounts();
        self.names.forget();
    }

    /// Drops all streams if more persons have been erased than was known: what events say was changed in
    /// place then, and no version tells.
    pub fn know_erased(&self, erased: u64) {
        if self.seen().erased < erased {
            let mut streams = self.streams.write().unwrap_or_else(PoisonError::into_inner);
            streams.kept.clear();
            streams.seen.erased = streams.seen.erased.max(erased);
        }
    }

    /// Drops all accounts and proofs after any change to one of them.
    pub fn forget_accounts(&self) {
        self.standings.forget();
        self.proofs.forget();
    }

    /// The cached state of a stream, of any version.
    pub fn stream<A: Aggregate>(&self, id: Uuid) -> Option<Arc<Stream<A>>> {
        let streams = self.streams.read().unwrap_or_else(PoisonError::into_inner);
        let kept = streams.kept.get(&id)?;
        kept.used.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        Arc::clone(&kept.stream).downcast().ok()
    }

    /// The cached state of a stream if it was the newest and nobody has told of a newer one.
    pub fn current<A: Aggregate>(&self, id: Uuid) -> Option<Arc<Stream<A>>> {
        let streams = self.streams.read().unwrap_or_else(PoisonError::into_inner);
        let told = streams.told.get(&id).copied().unwrap_or_default();
        let kept = streams.kept.get(&id).filter(|kept| kept.was_newest && kept.version >= told)?;
        kept.used.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        Arc::clone(&kept.stream).downcast().ok()
    }

    /// Caches a committed state that was the newest when it was read, as [`keep`](Self::keep) does. It is
    /// [current](Self::current) unless somebody has told of a newer one, or something may have been missed
    /// since `seen` was asked for.
    pub fn keep_current<A: Aggregate>(&self, id: Uuid, stream: Arc<Stream<A>>, seen: Seen) {
        let version = stream.version;
        self.keep(id, stream, seen);
        let mut streams = self.streams.write().unwrap_or_else(PoisonError::into_inner);
        if streams.seen == seen
            && let Some(kept) = streams.kept.get_mut(&id)
        {
            kept.was_newest |= kept.version == version;
        }
    }

    /// Caches a committed state, unless a newer one is there, or somebody was erased since `seen` was asked
    /// for, before the state was read.
    pub fn keep<A: Aggregate>(&self, id: Uuid, stream: Arc<Stream<A>>, seen: Seen) {
        let mut streams = self.streams.write().unwrap_or_else(PoisonError::into_inner);
        if streams.seen.erased != seen.erased {
            return;
        }
        let streams = &mut streams.kept;
        if streams.get(&id).is_some_and(|kept| kept.version >= stream.version) {
            return;
        }
        if streams.len() >= self.limit && !streams.contains_key(&id) {
            forget_oldest(streams);
        }
        let version = stream.version;
        let used = AtomicU64::new(self.clock.fetch_add(1, Ordering::Relaxed));
        streams.insert(id, CacheEntry { stream, version, used, was_newest: false });
    }
}

impl Streams {
    fn revalidate_all(&mut self) {
        self.seen.doubts += 1;
        self.told.clear();
        self.kept.values_mut().for_each(|kept| kept.was_newest = false);
    }
}

/// Drops the least recently used tenth of the streams. Dropping only one would mean a search through a full
/// cache for every new stream.
fn forget_oldest(streams: &mut HashMap<Uuid, CacheEntry>) {
    let mut uses: Vec<u64> = streams.values().map(|kept| kept.used.load(Ordering::Relaxed)).collect();
    uses.sort_unstable();
    if let Some(&limit) = uses.get(uses.len() / 10) {
        streams.retain(|_, kept| kept.used.load(Ordering::Relaxed) > limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::stream::CLUB;
    use owlbox_books::club::Club;

    fn at(version: Version) -> Arc<Stream<Club>> {
        let mut stream = Stream::default();
        stream.version = version;
        Arc::new(stream)
    }

    #[test]
    fn what_was_read_before_somebody_told_of_more_is_kept_but_not_current() {
        let memory = Memory::new(4);
        let current = || memory.current::<Club>(CLUB).map(|stream| stream.version);
        let before = memory.seen();
        memory.keep_current(CLUB, at(4), before);
        assert_eq!(current(), Some(4));
        memory.tell(CLUB, 4);
        assert_eq!(current(), Some(4), "as is known");
        memory.tell(CLUB, 6);
        assert_eq!(current(), None, "there is more");
        memory.keep_current(CLUB, at(5), memory.seen());
        assert_eq!(current(), None, "more than that");
        assert_eq!(
            memory.stream::<Club>(CLUB).unwrap().version,
            5,
            "but it may be used once its version is confirmed"
        );
        memory.keep_current(CLUB, at(6), before);
        assert_eq!(current(), Some(6), "told of before it was kept");
        memory.revalidate_all();
        assert_eq!(current(), None, "something may have been missed");
        memory.keep_current(CLUB, at(6), before);
        assert_eq!(current(), None, "it was read before");
        memory.keep_current(CLUB, at(5), memory.seen());
        assert_eq!(current(), None, "an older one makes no newer one current");
        memory.keep_current(CLUB, at(6), memory.seen());
        assert_eq!(current(), Some(6));
        memory.keep(CLUB, at(7), memory.seen());
        assert_eq!(current(), None, "a snapshot may be old");
    }
}
