//! The cache: states of streams, accounts, proofs and names. It never overrides the journal.
//!
//! A state enters it only after its commit, and is never replaced by an older version. On SQLite, where this
//! process is the only writer, cached states are current. On PostgreSQL a state is used only after its
//! version has been confirmed in the transaction; but who may read what - accounts, proofs, the club's own stream - is
//! taken from memory as long as the database is heard: whatever changes it notifies all instances with its
//! commit ([`Lease`]).

use std::any::Any;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use uuid::Uuid;

use crate::privacy::readings::Read;
use owlbox_domain::journal::{Aggregate, Stream, Version};
use owlbox_domain::values::{AccountId, PlayerId, Timestamp};
use owlbox_store::accounts::AccountStanding;

struct Kept {
    stream: Arc<dyn Any + Send + Sync>,
    version: Version,
    used: AtomicU64,
    /// Whether no other instance has told since that the stream has grown.
    untold: bool,
}

/// The cache of the most recently used streams, and of accounts, proofs and names.
pub struct Memory {
    streams: RwLock<Streams>,
    clock: AtomicU64,
    limit: usize,
    pub standings: Remembered<AccountId, AccountStanding>,
    /// Sessions by id and API tokens by digest, for those found valid.
    pub proofs: Remembered<Box<[u8]>, Proven>,
    pub names: Remembered<PlayerId, String>,
    /// The readings of ledgers that were noted.
    pub readings: Remembered<(AccountId, Option<PlayerId>, NaiveDate, Read), ()>,
    /// When the database was asked what it has answered last.
    heard: Mutex<Option<Instant>>,
}

/// How long after the database was heard nothing can have changed that this instance was not told: shorter than the
/// second within which a sign-out has to count everywhere.
const HEARD_FOR: Duration = Duration::from_millis(900);

/// For how long accounts, proofs and the club's stream are current in memory.
#[derive(Clone, Copy, Debug)]
pub enum Lease {
    /// Nobody else writes.
    SoleWriter,
    /// The database has answered what it was asked at this moment. Until a moment after, whatever another instance
    /// changed has been told.
    Heard(Option<Instant>),
}

impl Lease {
    #[must_use]
    pub fn holds(self) -> bool {
        match self {
            Self::SoleWriter => true,
            Self::Heard(asked) => asked.is_some_and(|asked| asked.elapsed() < HEARD_FOR),
        }
    }
}

#[derive(Default)]
struct Streams {
    kept: HashMap<Uuid, Kept>,
    seen: Seen,
}

/// What was known when a state was read. One that was read before an erasure is not kept, and one before somebody told
/// of a stream is not [current](Memory::current).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// How many persons had been erased.
    erased: u64,
    /// How often another instance had told of a stream that is taken from memory unasked.
    told: u64,
}

/// The account that a session or an API token belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    pub account: AccountId,
    /// The expiry of the proof, if it has one.
    pub ends_at: Option<Timestamp>,
}

/// Cached rows of one table. Any change invalidates all of them, except through
/// [`forget_only`](Self::forget_only).
pub struct Remembered<K, V>(RwLock<Rows<K, V>>);

struct Rows<K, V> {
    rows: HashMap<K, V>,
    /// Increased by every change. A reader that started before a change finds another generation and cannot
    /// cache a stale row.
    generation: u64,
}

/// The maximum number of rows; beyond it all are dropped and read again.
const MOST_ROWS: usize = 20_000;

impl<K: Eq + Hash, V: Clone> Remembered<K, V> {
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
            standings: Remembered::new(),
            proofs: Remembered::new(),
            names: Remembered::new(),
            readings: Remembered::new(),
            heard: Mutex::new(None),
        }
    }

    /// What is known, to be asked for before a state is read that is to be [kept](Self::keep).
    pub fn seen(&self) -> Seen {
        self.streams.read().unwrap_or_else(PoisonError::into_inner).seen
    }

    /// Notes that the database has answered what it was asked at this moment.
    pub fn hear(&self, asked: Instant) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(asked);
    }

    /// How long what is in memory now is current. It is asked for before something is looked up, and tried after:
    /// what was looked up while nothing was heard is not made current by hearing again.
    pub fn lease(&self) -> Lease {
        Lease::Heard(*self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes that a stream may have grown. Its state is [current](Self::current) no more.
    pub fn tell(&self, id: Uuid) {
        let mut streams = self.streams.write().unwrap_or_else(PoisonError::into_inner);
        streams.seen.told += 1;
        if let Some(kept) = streams.kept.get_mut(&id) {
            kept.untold = false;
        }
    }

    /// Drops all streams if more persons have been erased than was known: what events say was changed in place then, and no
    /// version tells.
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

    /// The cached state of a stream if it was the newest and nobody has told of another since.
    pub fn current<A: Aggregate>(&self, id: Uuid) -> Option<Arc<Stream<A>>> {
        let streams = self.streams.read().unwrap_or_else(PoisonError::into_inner);
        let kept = streams.kept.get(&id).filter(|kept| kept.untold)?;
        Arc::clone(&kept.stream).downcast().ok()
    }

    /// Caches a committed state that was the newest when it was read, as [`keep`](Self::keep) does. It is
    /// [current](Self::current) unless somebody has told of a stream since `seen` was asked for.
    pub fn keep_current<A: Aggregate>(&self, id: Uuid, stream: Arc<Stream<A>>, seen: Seen) {
        let version = stream.version;
        self.keep(id, stream, seen);
        let mut streams = self.streams.write().unwrap_or_else(PoisonError::into_inner);
        if streams.seen == seen
            && let Some(kept) = streams.kept.get_mut(&id)
        {
            kept.untold |= kept.version == version;
        }
    }

    /// Caches a committed state, unless a newer one is there, or somebody was erased since `seen` was asked for, before the
    /// state was read.
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
        streams.insert(id, Kept { stream, version, used, untold: false });
    }
}

/// Drops the least recently used tenth of the streams. Dropping only one would mean a search through a full
/// cache for every new stream.
fn forget_oldest(streams: &mut HashMap<Uuid, Kept>) {
    let mut uses: Vec<u64> = streams.values().map(|kept| kept.used.load(Ordering::Relaxed)).collect();
    uses.sort_unstable();
    if let Some(&limit) = uses.get(uses.len() / 10) {
        streams.retain(|_, kept| kept.used.load(Ordering::Relaxed) > limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clubs::CLUB;
    use owlbox_domain::club::Club;

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
        memory.tell(CLUB);
        assert_eq!(current(), None, "there may be more");
        memory.keep_current(CLUB, at(5), before);
        assert_eq!(current(), None, "it was read before");
        assert_eq!(
            memory.stream::<Club>(CLUB).unwrap().version,
            5,
            "but may be used once its version is confirmed"
        );
        memory.keep_current(CLUB, at(4), memory.seen());
        assert_eq!(current(), None, "an older one makes no newer one current");
        memory.keep_current(CLUB, at(5), memory.seen());
        assert_eq!(current(), Some(5));
        memory.keep(CLUB, at(6), memory.seen());
        assert_eq!(current(), None, "a snapshot may be old");
    }
}
