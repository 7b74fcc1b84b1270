//! What every handler has at hand.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use crate::config::Config;
use crate::desk::Desk;
use crate::telemetry::Figures;
use crate::values::AccountId;

/// What every handler has at hand. Cheap to clone.
#[derive(Clone)]
pub struct Service(Arc<Parts>);

/// The parts of a [`Service`].
pub struct Parts {
    /// Carries out commands.
    pub desk: Desk,
    /// The configuration.
    pub config: Config,
    /// The figures, if this process keeps them.
    pub figures: Option<Figures>,
    /// Becomes true when the service is told to stop.
    pub stopping: watch::Receiver<bool>,
    /// The live streams that are open.
    pub streams: LiveStreams,
}

impl Service {
    /// A service of these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for Service {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// Counts the live streams that are open, in all and by account, and refuses more than are allowed.
#[derive(Clone, Default)]
pub struct LiveStreams(Arc<Mutex<HashMap<Option<AccountId>, usize>>>);

/// One live stream's place; dropping it frees the place.
pub struct Place {
    streams: LiveStreams,
    account: Option<AccountId>,
}

impl LiveStreams {
    /// Takes a place, unless all of them, or all of the account's, are taken. The public has half of
    /// all, so that no crowd from the street keeps the club from its own tables.
    #[must_use]
    pub fn enter(&self, account: Option<AccountId>, most: usize, most_of_account: usize) -> Option<Place> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = open.get(&account).copied().unwrap_or(0);
        let most_of_own = if account.is_some() { most_of_account } else { most.div_ceil(2) };
        if open.values().sum::<usize>() >= most || own >= most_of_own {
            return None;
        }
        open.insert(account, own + 1);
        metrics::gauge!(crate::telemetry::LIVE_STREAMS).increment(1.0);
        Some(Place { streams: self.clone(), account })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = open.get_mut(&self.account) {
            *own -= 1;
            if *own == 0 {
                open.remove(&self.account);
            }
        }
        metrics::gauge!(crate::telemetry::LIVE_STREAMS).decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_its_stream_ends() {
        let streams = LiveStreams::default();
        let ada = Some(AccountId(uuid::Uuid::from_u128(1)));
        let first = streams.enter(ada, 3, 2).unwrap();
        let _second = streams.enter(ada, 3, 2).unwrap();
        assert!(streams.enter(ada, 3, 2).is_none(), "two are Ada's lot");
        let _public = streams.enter(None, 3, 2).unwrap();
        assert!(streams.enter(None, 3, 2).is_none(), "three are everybody's");
        drop(first);
        assert!(streams.enter(ada, 3, 2).is_some());
    }

    #[test]
    fn the_public_leaves_half_of_the_places_to_the_club() {
        let streams = LiveStreams::default();
        let _crowd: Vec<_> = (0..2).map(|_| streams.enter(None, 4, 2).unwrap()).collect();
        assert!(streams.enter(None, 4, 2).is_none());
        assert!(streams.enter(Some(AccountId(uuid::Uuid::from_u128(1))), 4, 2).is_some());
    }
}
