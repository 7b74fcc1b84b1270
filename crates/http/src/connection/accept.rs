//! What happens to an accepted connection: it takes its place and is served, or is told that there is none.
//!
//! Bytes that are not HTTP are logged with the sender's address. The server's own lines about them lack it
//! and count them as our errors, so [`crate::telemetry`] leaves those out.

use std::net::SocketAddr;
use std::rc::Rc;

use actix_http::error::DispatchError;
use actix_service::{Service, ServiceFactory, fn_factory, fn_service};
use tokio::net::TcpStream;

use super::places::ConnectionPlaces;
use super::{ClientTimeouts, Wire};

/// The answer to a connection for which there is no place, sent before it has asked anything.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n\
    Retry-After: 5\r\nConnection: close\r\nContent-Length: 168\r\n\r\n\
    {\"type\":\"/docs/problems#busy\",\"status\":503,\"code\":\"busy\",\"title\":\"Service Unavailable\",\
    \"detail\":\"too many connections are open, from this address or in all: try later\"}";

/// Serves with `http` every connection that gets one of the `places`.
pub fn serve<H>(
    http: H,
    places: ConnectionPlaces,
    patience: ClientTimeouts,
) -> impl ServiceFactory<TcpStream, Config = (), Response = (), Error = (), InitError = ()>
where
    H: ServiceFactory<
            (Wire, Option<SocketAddr>),
            Config = (),
            Response = (),
            Error = DispatchError,
            InitError = (),
        > + 'static,
{
    let http = Rc::new(http);
    fn_factory(move || {
        let (http, places) = (Rc::clone(&http), places.clone());
        async move {
            let http = Rc::new(http.new_service(()).await?);
            Ok(fn_service(move |stream: TcpStream| {
                let (http, places) = (Rc::clone(&http), places.clone());
                async move {
                    serve_one(stream, http.as_ref(), &places, patience).await;
                    Ok(())
                }
            }))
        }
    })
}

async fn serve_one<S>(stream: TcpStream, http: &S, places: &ConnectionPlaces, patience: ClientTimeouts)
where
    S: Service<(Wire, Option<SocketAddr>), Response = (), Error = DispatchError>,
{
    // A client that has left already has no address.
    let Ok(peer) = stream.peer_addr() else { return };
    let Some(place) = places.enter(peer.ip()) else {
        tracing::debug!(http.client_ip = %peer.ip(), "no place for a connection");
        // Either it fits into the socket's buffer, or the client has left.
        if stream.writable().await.is_ok() {
            drop(stream.try_write(FULL));
        }
        return;
    };
    if let Err(error) = http.call((Wire::new(stream, place, patience), Some(peer))).await {
        note(&error, peer);
    }
}

/// Logs why a connection ended early.
fn note(error: &DispatchError, peer: SocketAddr) {
    let address = peer.ip();
    if let DispatchError::Parse(why) = error {
        tracing::info!(http.client_ip = %address, error = %why, "the client does not send HTTP");
    } else if let DispatchError::Body(why) = error {
        tracing::error!(http.client_ip = %address, error = %why, "an answer was cut off");
    } else {
        // The client left, or kept us waiting.
        tracing::debug!(http.client_ip = %address, error = %error, "a connection was cut off");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_turned_away_is_told_so_as_by_any_other_problem() {
        let text = std::str::from_utf8(FULL).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("Content-Length: {}", body.len())), "{head}: {}", body.len());
        let problem: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!((&problem["code"], &problem["status"]), (&"busy".into(), &503.into()));
    }
}
