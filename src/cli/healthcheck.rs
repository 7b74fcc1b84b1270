//! `owlbox healthcheck`: asks the service on this machine whether it is ready.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// How long the service may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why the service is not ready.
#[derive(Debug, thiserror::Error)]
pub enum NotReady {
    #[error("nothing answers at {address}: {error}")]
    Silent { address: SocketAddr, error: std::io::Error },
    #[error("{address} answers: {answer}")]
    Answered { address: SocketAddr, answer: String },
}

/// Asks the service that listens at this address, and returns what it says.
///
/// # Errors
/// It does not answer within five seconds, or says that it is not ready.
pub fn healthcheck(listen: SocketAddr) -> Result<String, NotReady> {
    let address = reached_at(listen);
    let answer = ask(address).map_err(|error| NotReady::Silent { address, error })?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split_ascii_whitespace().nth(1);
    match status {
        Some("200") => Ok(body.trim().to_owned()),
        Some(_) | None => {
            let said = head.lines().next().unwrap_or_default();
            Err(NotReady::Answered { address, answer: format!("{said}: {}", body.trim()) })
        }
    }
}

/// Where a service is reached from its own machine: one that listens on all addresses, on the machine's own.
fn reached_at(listen: SocketAddr) -> SocketAddr {
    let own: IpAddr = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        other @ (IpAddr::V4(_) | IpAddr::V6(_)) => other,
    };
    SocketAddr::new(own, listen.port())
}

fn ask(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(stream, "GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(4096).read_to_string(&mut answer)?;
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
