//! What becomes of a connection that was accepted: it takes its place and is served, or is told that there is
//! none.
//!
//! What is sent on it and is not HTTP is a line of the log with its sender's address. The server's own lines
//! about it have none and call it an error of ours: [`crate::telemetry`] leaves them out.

use std::net::SocketAddr;
use std::rc::Rc;

use actix_http::error::DispatchError;
use actix_service::{Service, ServiceFactory, fn_factory, fn_service};
use tokio::net::TcpStream;

use super::places::Places;
use super::{Patience, Wire};

/// What somebody is told for whom there is no place, before he has asked anything.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n\
    Retry-After: 5\r\nConnection: close\r\nContent-Length: 168\r\n\r\n\
    {\"type\":\"/docs/problems#busy\",\"status\":503,\"code\":\"busy\",\"title\":\"Service Unavailable\",\
    \"detail\":\"too many connections are open, from this address or in all: try later\"}";

/// Serves by `http` every connection that there is one of the `places` for.
pub fn serve<H>(
    http: H,
    places: Places,
    patience: Patience,
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

async fn serve_one<S>(stream: TcpStream, http: &S, places: &Places, patience: Patience)
where
    S: Service<(Wire, Option<SocketAddr>), Response = (), Error = DispatchError>,
{
    // Whoever has gone already has no address any more.
    let Ok(peer) = stream.peer_addr() else { return };
    let Some(place) = places.enter(peer.ip()) else {
        tracing::debug!(http.client_ip = %peer.ip(), "no place for a connection");
        // It fits into what the system keeps for a connection, or he has gone.
        if stream.writable().await.is_ok() {
            drop(stream.try_write(FULL));
        }
        return;
    };
    if let Err(error) = http.call((Wire::new(stream, place, patience), Some(peer))).await {
        note(&error, peer);
    }
}

/// Says why a connection ended before its time.
fn note(error: &DispatchError, peer: SocketAddr) {
    let address = peer.ip();
    if let DispatchError::Parse(why) = error {
        tracing::info!(http.client_ip = %address, error = %why, "what came is not HTTP");
    } else if let DispatchError::Body(why) = error {
        tracing::error!(http.client_ip = %address, error = %why, "an answer broke off");
    } else {
        // The client has gone, or has kept us waiting.
        tracing::debug!(http.client_ip = %address, error = %error, "a connection broke off");
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
