//! States kept in memory: of live streams, and of accounts. Never trusted over the journal.
//!
//! A state moves in only after it was committed, and never back to an older version. On SQLite,
//! where this process is the only writer, what is here is so; on PostgreSQL it is used only after
//! its version was confirmed in the transaction.

use std::any::Any;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use uuid::Uuid;

use owlbox_domain::journal::{Aggregate, Stream, Version};
use owlbox_domain::values::{AccountId, PlayerId, Timestamp};
use owlbox_store::accounts::AccountStanding;

struct Kept {
    stream: Arc<dyn Any + Send + Sync>,
    version: Version,
    used: AtomicU64,
}

/// The states of the streams used last.
pub struct Memory {
    streams: RwLock<HashMap<Uuid, Kept>>,
    clock: AtomicU64,
    limit: usize,
    pub standings: Remembered<AccountId, AccountStanding>,
    /// Sessions by id and API tokens by digest that were found good.
    pub proofs: Remembered<Box<[u8]>, Proven>,
    pub names: Remembered<PlayerId, String>,
}

/// What was found to prove an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    pub account: AccountId,
    /// When it ends, if it does.
    pub ends_at: Option<Timestamp>,
}

/// Rows read before, all forgotten when any of them changes.
pub struct Remembered<K, V>(RwLock<Rows<K, V>>);

struct Rows<K, V> {
    rows: HashMap<K, V>,
    /// Raised by every change, so that a reader that looked before a change cannot put in what it
    /// saw after it.
    generation: u64,
}

/// Rows remembered at most; beyond that they are all forgotten and read again.
const MOST_ROWS: usize = 20_000;

impl<K: Eq + Hash, V: Clone> Remembered<K, V> {
    fn new() -> Self {
        Self(RwLock::new(Rows { rows: HashMap::new(), generation: 0 }))
    }

    /// A row, if it is here, and the generation to [`keep`](Self::keep) it with if not.
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> (Option<V>, u64)
    where
        K: Borrow<Q>,
    {
        let rows = self.0.read().unwrap_or_else(PoisonError::into_inner);
        (rows.rows.get(key).cloned(), rows.generation)
    }

    /// Keeps what was read, unless something changed since.
    pub fn keep(&self, key: K, value: V, generation: u64) {
        let mut rows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if rows.generation == generation {
            if rows.rows.len() >= MOST_ROWS {
                rows.rows.clear();
            }
            rows.rows.insert(key, value);
        }
    }

    /// Forgets these rows, and what anybody is just reading: they have changed.
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

    /// Forgets all rows: one has changed.
    pub fn forget(&self) {
        let mut rows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        rows.generation += 1;
        rows.rows.clear();
    }
}

impl Memory {
    /// Room for `limit` streams.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            streams: RwLock::default(),
            clock: AtomicU64::new(0),
            limit: limit.max(1),
            standings: Remembered::new(),
            proofs: Remembered::new(),
            names: Remembered::new(),
        }
    }

    /// Forgets every account and every proof of one: something about them has changed.
    pub fn forget_accounts(&self) {
        self.standings.forget();
        self.proofs.forget();
    }

    /// The state of a stream, if it is here.
    pub fn stream<A: Aggregate>(&self, id: Uuid) -> Option<Arc<Stream<A>>> {
        let streams = self.streams.read().unwrap_or_else(PoisonError::into_inner);
        let kept = streams.get(&id)?;
        kept.used.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        Arc::clone(&kept.stream).downcast().ok()
    }

    /// Keeps a committed state, unless a newer one is here.
    pub fn keep<A: Aggregate>(&self, id: Uuid, stream: Arc<Stream<A>>) {
        let mut streams = self.streams.write().unwrap_or_else(PoisonError::into_inner);
        if streams.get(&id).is_some_and(|kept| kept.version >= stream.version) {
            return;
        }
        if streams.len() >= self.limit && !streams.contains_key(&id) {
            forget_oldest(&mut streams);
        }
        let version = stream.version;
        let used = AtomicU64::new(self.clock.fetch_add(1, Ordering::Relaxed));
        streams.insert(id, Kept { stream, version, used });
    }
}

/// Makes room: a tenth of the streams, those unused for longest, so that a full memory does not
/// search for the oldest one on every new stream.
fn forget_oldest(streams: &mut HashMap<Uuid, Kept>) {
    let mut uses: Vec<u64> = streams.values().map(|kept| kept.used.load(Ordering::Relaxed)).collect();
    uses.sort_unstable();
    if let Some(&limit) = uses.get(uses.len() / 10) {
        streams.retain(|_, kept| kept.used.load(Ordering::Relaxed) > limit);
    }
}
