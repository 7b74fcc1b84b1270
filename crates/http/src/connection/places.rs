//! How many connections there may be, in all and from one address.
//!
//! A club's phones often share an address, so one address may have many, but never so many that nobody else
//! gets in. Of IPv6 a whole /64 counts as one address, since that is what one line is given. A trusted proxy
//! speaks for many clients and counts towards the total only.
//!
//! The last quarter of all places is kept for addresses with few: the fewer are free, the fewer an address
//! may have, and the last are given to addresses that have none. So a handful of addresses that take all they
//! can shut nobody out.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use crate::config::Network;
use owlbox_base::values::household;

/// An address may have a place for each so many that are free, once only the last quarter is.
const FEW: usize = 64;

/// The places for connections. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ConnectionPlaces(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    most: usize,
    most_of_address: usize,
    proxies: Vec<Network>,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// A connection's place; dropping it frees the place.
#[derive(Debug)]
pub struct ConnectionPlace {
    places: ConnectionPlaces,
    /// The address that it counts towards; `None` for a trusted proxy.
    address: Option<IpAddr>,
}

impl ConnectionPlaces {
    /// `most` places in all, and `most_of_address` for one address that is not a proxy's.
    #[must_use]
    pub fn new(most: usize, most_of_address: usize, proxies: Vec<Network>) -> Self {
        Self(Arc::new(Inner { most, most_of_address, proxies, taken: Mutex::default() }))
    }

    /// The most places of one address while so many are `free`.
    fn most_now(&self, free: usize) -> usize {
        let most_of_address = self.0.most_of_address;
        if free > self.0.most / 4 { most_of_address } else { most_of_address.min(1 + free / FEW) }
    }

    /// Takes a place; `None` if all of them, or all of the address's, are taken.
    #[must_use]
    pub fn enter(&self, peer: IpAddr) -> Option<ConnectionPlace> {
        let of_proxy = self.0.proxies.iter().any(|network| network.contains(peer));
        let address = (!of_proxy).then(|| household(peer));
        let mut taken = self.0.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.all >= self.0.most {
            return None;
        }
        if let Some(address) = address {
            let own = taken.by_address.get(&address).copied().unwrap_or(0);
            if own >= self.most_now(self.0.most - taken.all) {
                return None;
            }
            taken.by_address.insert(address, own + 1);
        }
        taken.all += 1;
        metrics::gauge!(crate::telemetry::CONNECTIONS).increment(1.0);
        Some(ConnectionPlace { places: self.clone(), address })
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        let mut taken = self.places.0.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.all -= 1;
        if let Some(address) = self.address
            && let Some(own) = taken.by_address.get_mut(&address)
        {
            *own -= 1;
            if *own == 0 {
                taken.by_address.remove(&address);
            }
        }
        metrics::gauge!(crate::telemetry::CONNECTIONS).decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_address_leaves_places_for_others_and_a_place_is_free_again_when_dropped() {
        let places = ConnectionPlaces::new(8, 2, Vec::new());
        let (crowd, other) = (address("203.0.113.9"), address("203.0.113.10"));
        let mut held: Vec<_> = (0..2).map(|_| places.enter(crowd).unwrap()).collect();
        assert!(places.enter(crowd).is_none(), "two are one address's lot");
        let _other = places.enter(other).unwrap();
        held.pop();
        assert!(places.enter(crowd).is_some());
    }

    #[test]
    fn s11_addresses_that_take_all_they_can_leave_places_to_two_hundred_others() {
        let places = ConnectionPlaces::new(4000, 1000, Vec::new());
        let mut held = Vec::new();
        for crowd in (0..180).map(|last| IpAddr::from([203, 0, 113, last])) {
            held.push(std::iter::from_fn(|| places.enter(crowd)).collect::<Vec<_>>());
        }
        let lots: Vec<usize> = held.iter().map(Vec::len).collect();
        assert_eq!(lots.get(..3), Some(&[1000; 3][..]));
        assert!(lots.iter().skip(3).all(|lot| (1..=16).contains(lot)), "{lots:?}");
        assert!(places.enter(address("198.51.100.1")).is_some());
    }

    #[test]
    fn a_line_with_a_whole_network_of_its_own_counts_as_one() {
        let places = ConnectionPlaces::new(10, 1, Vec::new());
        let _first = places.enter(address("2001:db8:1:2::1")).unwrap();
        assert!(places.enter(address("2001:db8:1:2:ffff::2")).is_none());
        let _next = places.enter(address("2001:db8:1:3::1")).unwrap();
        let _four = places.enter(address("10.0.0.1")).unwrap();
        assert!(places.enter(address("::ffff:10.0.0.1")).is_none(), "it is that address by another name");
    }

    #[test]
    fn a_trusted_proxy_is_not_taken_for_one_client() {
        let places = ConnectionPlaces::new(5, 1, vec!["127.0.0.0/8".parse().unwrap()]);
        let _behind: Vec<_> = (0..4).map(|_| places.enter(address("127.0.0.1")).unwrap()).collect();
        let _direct = places.enter(address("10.0.0.1")).unwrap();
        assert!(places.enter(address("127.0.0.1")).is_none(), "all is all");
    }
}
