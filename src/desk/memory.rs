//! States kept in memory: of live streams, and of accounts. Never trusted over the journal.
//!
//! A state moves in only after it was committed, and never back to an older version. On SQLite,
//! where this process is the only writer, what is here is so; on PostgreSQL it is used only after
//! its version was confirmed in the transaction.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use uuid::Uuid;

use crate::journal::{Aggregate, Stream, Version};
use crate::store::accounts::Standing;
use crate::values::{AccountId, Timestamp};

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
    accounts: RwLock<Accounts>,
}

#[derive(Default)]
struct Accounts {
    standings: HashMap<AccountId, Standing>,
    /// Sessions by id and API tokens by digest that were found good.
    proofs: HashMap<Box<[u8]>, Proven>,
    /// Raised by every change, so that a reader that looked before a change cannot put in what it
    /// saw after it.
    generation: u64,
}

/// What was found to prove an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// Which.
    pub account: AccountId,
    /// When it ends, if it does.
    pub ends_at: Option<Timestamp>,
}

/// Accounts, and proofs, remembered at most; beyond that they are all forgotten and read again.
const MOST_ACCOUNTS: usize = 10_000;

impl Memory {
    /// Room for `limit` streams.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            streams: RwLock::default(),
            clock: AtomicU64::new(0),
            limit: limit.max(1),
            accounts: RwLock::default(),
        }
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

    /// How an account stands, if that is here, and the generation to [`keep_standing`] with.
    ///
    /// [`keep_standing`]: Self::keep_standing
    pub fn standing(&self, id: AccountId) -> (Option<Standing>, u64) {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        (accounts.standings.get(&id).copied(), accounts.generation)
    }

    /// Keeps what was read, unless something changed since.
    pub fn keep_standing(&self, id: AccountId, standing: Standing, generation: u64) {
        let mut accounts = self.accounts.write().unwrap_or_else(PoisonError::into_inner);
        if accounts.generation == generation {
            if accounts.standings.len() >= MOST_ACCOUNTS {
                accounts.standings.clear();
            }
            accounts.standings.insert(id, standing);
        }
    }

    /// What a proof was found to be, if that is here, and the generation to
    /// [`keep_proven`](Self::keep_proven) with.
    pub fn proven(&self, key: &[u8]) -> (Option<Proven>, u64) {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        (accounts.proofs.get(key).copied(), accounts.generation)
    }

    /// Keeps what was read, unless something changed since.
    pub fn keep_proven(&self, key: Box<[u8]>, proven: Proven, generation: u64) {
        let mut accounts = self.accounts.write().unwrap_or_else(PoisonError::into_inner);
        if accounts.generation == generation {
            if accounts.proofs.len() >= MOST_ACCOUNTS {
                accounts.proofs.clear();
            }
            accounts.proofs.insert(key, proven);
        }
    }

    /// Forgets every account and every proof: one has changed.
    pub fn forget_standings(&self) {
        let mut accounts = self.accounts.write().unwrap_or_else(PoisonError::into_inner);
        accounts.generation += 1;
        accounts.standings.clear();
        accounts.proofs.clear();
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
