//! What every handler has at hand: desk, configuration, counts of live streams, copies of pages.

use std::collections::HashMap;
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::config::{Config, Limits};
use crate::copies::PageCache;
use crate::mail::Mail;
use crate::webhooks::Couriers;
use owlbox_base::values::{AccountId, household};
use owlbox_desk::Desk;

/// How often what has expired is swept out of a club.
pub(crate) const SWEEP_EVERY: Duration = Duration::from_secs(3600);

/// What every handler has at hand. Cheap to clone.
#[derive(Clone)]
pub struct Service(Arc<Parts>);

pub struct Parts {
    pub desk: Desk,
    pub config: Config,
    /// Becomes true when the service is told to stop.
    pub stopping: watch::Receiver<bool>,
    pub streams: LiveStreams,
    /// The pages that all strangers share.
    pub copies: PageCache,
    /// `None` if no mail is sent.
    pub mail: Option<Mail>,
    /// Those who send webhooks.
    pub couriers: Couriers,
    /// When a member asked for something last.
    pub member_came: Mutex<Option<Instant>>,
}

impl Service {
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// Sweeps out what has expired.
    pub(crate) async fn sweep(&self) {
        let limits = &self.config.limits;
        if let Err(error) = self.desk.sweep(limits.idempotency_hours, limits.token_retention_days).await {
            tracing::warn!(database = %self.config.database.url, %error, "cannot delete what has expired");
        }
    }

    /// How many clones there are besides this one.
    pub(crate) fn uses(&self) -> usize {
        Arc::strong_count(&self.0) - 1
    }

    /// Notes that somebody who is signed in uses it.
    pub(crate) fn note_member(&self) {
        *self.0.member_came.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// When somebody who is signed in used it last.
    pub(crate) fn member_came(&self) -> Option<Instant> {
        *self.0.member_came.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for Service {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// Counts open live streams, in all and by listener, and enforces the limits.
#[derive(Clone, Default)]
pub struct LiveStreams(Arc<Mutex<HashMap<Share, usize>>>);

#[derive(Clone, Copy, Debug)]
pub enum Listening {
    /// Somebody who is signed in.
    Account(AccountId),
    /// Somebody who is not, by address. `None` if the address stands for many, as that of a trusted proxy
    /// does that reports no client.
    Stranger(Option<IpAddr>),
}

/// What a stream counts towards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Share {
    All,
    Account(AccountId),
    Strangers,
    /// Anonymous listeners of one line, by its [`household`].
    Line(IpAddr),
}

impl Listening {
    /// What a stream counts towards, with the limit of each. Anonymous listeners get half of all streams, so
    /// that no crowd outside keeps the club from its own tables; and one line gets a quarter of that half, so
    /// that it cannot shut the others out. With the built-in limits that is 125, because a club's guests may
    /// share one address.
    fn shares(self, limits: &Limits) -> Vec<(Share, usize)> {
        let all = (Share::All, limits.live_streams);
        match self {
            Self::Account(account) => vec![all, (Share::Account(account), limits.live_streams_per_account)],
            Self::Stranger(address) => {
                let line =
                    address.map(|address| (Share::Line(household(address)), limits.live_streams.div_ceil(8)));
                let strangers = (Share::Strangers, limits.live_streams.div_ceil(2));
                [all, strangers].into_iter().chain(line).collect()
            }
        }
    }
}

/// A live stream's place; dropping it frees the place.
pub struct StreamPlace {
    streams: LiveStreams,
    shares: Vec<(Share, usize)>,
}

impl LiveStreams {
    /// Takes a place; `None` if the listener's share is used up.
    #[must_use]
    pub fn enter(&self, who: Listening, limits: &Limits) -> Option<StreamPlace> {
        let shares = who.shares(limits);
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if shares.iter().any(|(share, most)| open.get(share).copied().unwrap_or(0) >= *most) {
            return None;
        }
        for (share, _) in &shares {
            *open.entry(*share).or_default() += 1;
        }
        metrics::gauge!(crate::telemetry::LIVE_STREAMS).increment(1.0);
        Some(StreamPlace { streams: self.clone(), shares })
    }

    /// How many of those who listen are not signed in.
    pub(crate) fn of_strangers(&self) -> usize {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.get(&Share::Strangers).copied().unwrap_or(0)
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (share, _) in &self.shares {
            if let Some(own) = open.get_mut(share) {
                *own -= 1;
                if *own == 0 {
                    open.remove(share);
                }
            }
        }
        metrics::gauge!(crate::telemetry::LIVE_STREAMS).decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(live_streams: usize, live_streams_per_account: usize) -> Limits {
        Limits { live_streams, live_streams_per_account, ..Config::from_layers(None, []).unwrap().limits }
    }

    fn from(address: &str) -> Listening {
        Listening::Stranger(Some(address.parse().unwrap()))
    }

    const ADA: Listening = Listening::Account(AccountId(uuid::Uuid::from_u128(1)));

    #[test]
    fn a_place_is_free_again_when_its_stream_ends() {
        let (streams, limits) = (LiveStreams::default(), limits(3, 2));
        let first = streams.enter(ADA, &limits).unwrap();
        let _second = streams.enter(ADA, &limits).unwrap();
        assert!(streams.enter(ADA, &limits).is_none(), "two are Ada's lot");
        let _public = streams.enter(from("192.0.2.1"), &limits).unwrap();
        assert!(streams.enter(from("192.0.2.2"), &limits).is_none(), "three are everybody's");
        drop(first);
        assert!(streams.enter(ADA, &limits).is_some());
    }

    #[test]
    fn strangers_leave_half_of_the_places_to_the_club() {
        let (streams, limits) = (LiveStreams::default(), limits(4, 2));
        let _crowd: Vec<_> =
            ["192.0.2.1", "192.0.2.2"].map(|address| streams.enter(from(address), &limits).unwrap()).into();
        assert!(streams.enter(from("192.0.2.3"), &limits).is_none());
        assert!(streams.enter(Listening::Stranger(None), &limits).is_none());
        assert!(streams.enter(ADA, &limits).is_some());
    }

    #[test]
    fn one_stranger_leaves_places_to_the_others() {
        let (streams, limits) = (LiveStreams::default(), limits(16, 2));
        let mut held: Vec<_> =
            (1..=2).map(|n| streams.enter(from(&format!("2001:db8:1:2::{n}")), &limits).unwrap()).collect();
        assert!(streams.enter(from("2001:db8:1:2:ffff::9"), &limits).is_none(), "it is one line");
        assert!(streams.enter(from("2001:db8:1:3::1"), &limits).is_some());
        assert!(streams.enter(from("::ffff:192.0.2.1"), &limits).is_some());
        assert!(streams.enter(ADA, &limits).is_some());
        held.pop();
        assert!(streams.enter(from("2001:db8:1:2::1"), &limits).is_some());
        drop(held);
        assert!(streams.0.lock().unwrap().is_empty(), "nothing is left of those who went");
        let _behind_a_proxy: Vec<_> =
            (0..8).map(|_| streams.enter(Listening::Stranger(None), &limits).unwrap()).collect();
    }
}
