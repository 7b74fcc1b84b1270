//! Networks of IP addresses, to tell trusted proxies by.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// A network, or a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

/// The text is neither an IP address nor a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an address such as 10.0.0.1 or a network such as 10.0.0.0/8")]
pub struct NotANetwork;

impl Network {
    /// Whether `peer` is in this network. An IPv4 peer seen through an IPv6 socket
    /// (`::ffff:10.0.0.1`) counts as the IPv4 address it is.
    #[must_use]
    pub fn contains(&self, peer: IpAddr) -> bool {
        self.0.contains(&peer.to_canonical())
    }
}

impl FromStr for Network {
    type Err = NotANetwork;
    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let address = text.parse::<IpAddr>().map(IpNet::from);
        address.or_else(|_| text.parse()).map(Self).map_err(|_| NotANetwork)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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
