//! Networks of IP addresses: which peers are proxies whose word is taken.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// An address, or all addresses that share its first `prefix` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// The text is no IP address and no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an address such as 10.0.0.1 or a network such as 10.0.0.0/8")]
pub struct NotANetwork;

impl Network {
    /// Whether `peer` is in this network. An IPv4 peer seen through an IPv6 socket
    /// (`::ffff:10.0.0.1`) counts as the IPv4 address it is.
    #[must_use]
    pub fn contains(&self, peer: IpAddr) -> bool {
        match (self.address, peer.to_canonical()) {
            (IpAddr::V4(network), IpAddr::V4(peer)) => {
                let differing = network.to_bits() ^ peer.to_bits();
                differing.leading_zeros() >= u32::from(self.prefix)
            }
            (IpAddr::V6(network), IpAddr::V6(peer)) => {
                let differing = network.to_bits() ^ peer.to_bits();
                differing.leading_zeros() >= u32::from(self.prefix)
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = NotANetwork;
    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| NotANetwork)?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(prefix) => prefix.parse().map_err(|_| NotANetwork)?,
            None => longest,
        };
        if prefix > longest { Err(NotANetwork) } else { Ok(Self { address, prefix }) }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_holds_the_addresses_that_share_its_prefix() {
        let cases = [
            ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.1", "10.0.0.2", false),
            ("10.0.0.0/8", "10.255.3.4", true),
            ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "::ffff:10.1.1.1", true),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "::1", false),
            ("fd00::/8", "fd12::1", true),
            ("::1", "::1", true),
            ("::1", "::2", false),
        ];
        for (network, peer, inside) in cases {
            let network: Network = network.parse().unwrap();
            assert_eq!(network.contains(peer.parse().unwrap()), inside, "{peer} in {network}");
        }
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for bad in ["", "10.0.0", "10.0.0.1/33", "::1/129", "10.0.0.0/", "10.0.0.0/-1", "example.org"] {
            assert_eq!(bad.parse::<Network>(), Err(NotANetwork), "{bad}");
        }
    }
}
