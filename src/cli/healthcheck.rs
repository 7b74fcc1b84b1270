//! `owlbox healthcheck`: asks the service on this machine whether it is ready.

use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// How long the service may take for all of it.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest answer that is read.
const LONGEST: usize = 4096;

/// Why the service is not ready.
#[derive(Debug, thiserror::Error)]
pub enum NotReady {
    #[error("the service at {address} does not answer: {error}")]
    Silent { address: SocketAddr, error: io::Error },
    #[error("the service at {address} answers: {answer}")]
    Answered { address: SocketAddr, answer: String },
}

/// Asks the service that listens at this address, and returns what it says.
///
/// # Errors
/// It does not answer within five seconds, or says that it is not ready.
pub fn healthcheck(listen: SocketAddr) -> Result<String, NotReady> {
    let address = reached_at(listen);
    let answer = ask(address, "/readyz", PATIENCE).map_err(|error| NotReady::Silent { address, error })?;
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let (status, body) = (head.lines().next().unwrap_or_default(), body.trim());
    if status.split_ascii_whitespace().nth(1) == Some("200") && body == "ready" {
        return Ok(body.to_owned());
    }
    Err(NotReady::Answered { address, answer: format!("{status}: {body}") })
}

/// Where a service is reached from its own machine: one that listens on all addresses, on the machine's own.
pub fn reached_at(listen: SocketAddr) -> SocketAddr {
    let own: IpAddr = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        other @ (IpAddr::V4(_) | IpAddr::V6(_)) => other,
    };
    SocketAddr::new(own, listen.port())
}

/// Gets `path` from the service at this address, and returns the answer with its head.
///
/// # Errors
/// Nobody listens there, or all of it is not there before `patience` is over.
pub fn ask(address: SocketAddr, path: &str, patience: Duration) -> io::Result<Vec<u8>> {
    let deadline = Instant::now() + patience;
    let left = || match deadline.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(io::Error::from(io::ErrorKind::TimedOut)),
        left => Ok(left),
    };
    let mut stream = TcpStream::connect_timeout(&address, patience)?;
    stream.set_write_timeout(Some(left()?))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let (mut answer, mut part) = (Vec::new(), [0; 512]);
    while answer.len() < LONGEST {
        stream.set_read_timeout(Some(left()?))?;
        match stream.read(&mut part)? {
            0 => break,
            read => answer.extend_from_slice(part.get(..read).unwrap_or_default()),
        }
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::reached_at;

    #[test]
    fn a_service_on_all_addresses_is_reached_on_the_machines_own() {
        for (listen, reached) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:80", "[::1]:80"),
            ("192.0.2.7:8080", "192.0.2.7:8080"),
        ] {
            assert_eq!(reached_at(listen.parse().unwrap()), reached.parse().unwrap());
        }
    }
}
