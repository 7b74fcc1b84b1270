//! The cache: states of streams, accounts, proofs and names. It never overrides the journal.
//!
//! A state enters it only after its commit, and is never replaced by an older version. On SQLite, where this
//! process is the only writer, cached states are current. On PostgreSQL a state is used only after its
//! version has been confirmed in the transaction.

use std::any::Any;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

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
}

/// The streams, read when so many persons had been erased.
#[derive(Default)]
struct Streams {
    kept: HashMap<Uuid, Kept>,
    erased: u64,
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
        }
    }

    /// How many persons are known to have been erased.
    pub fn erased(&self) -> u64 {
        self.streams.read().unwrap_or_else(PoisonError::into_inner).erased
    }

    /// Drops all streams if more persons have been erased than was known: what events say was changed in place then, and no
    /// version tells.
    pub fn know_erased(&self, erased: u64) {
        if self.erased() < erased {
            let mut streams = self.streams.write().unwrap_or_else(PoisonError::into_inner);
            *streams = Streams { kept: HashMap::new(), erased: erased.max(streams.erased) };
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

    /// Caches a committed state, unless a newer one is there, or somebody was erased since `erased` was asked for, before the
    /// state was read.
    pub fn keep<A: Aggregate>(&self, id: Uuid, stream: Arc<Stream<A>>, erased: u64) {
        let mut streams = self.streams.write().unwrap_or_else(PoisonError::into_inner);
        if streams.erased != erased {
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
        streams.insert(id, Kept { stream, version, used });
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
