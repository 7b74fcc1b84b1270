//! Who asks: from an `Authorization` header or, for reading, from the pages' cookie; and from where.
//!
//! A cookie proves who asks only where nothing is changed: browsers send it whoever made the page. The
//! API's commands need a token in a header, which no foreign page can set; the pages' own forms are
//! checked for their CSRF token where they arrive.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, web};

use super::problem::Problem;
use super::service::Service;
use crate::config::Network;
pub use crate::desk::access::SignedIn as Caller;
use crate::desk::{Actor, Refused, Unauthorised};

/// The cookie that holds the access token of a page's session.
pub const ACCESS_COOKIE: &str = "owlbox_access";
/// What an API token begins with; anything else is an access token.
const API_TOKEN_PREFIX: &str = "owlt_";

/// Who asks, if he says; a handler that takes this works without a sign-in, as far as the club shows
/// things to the public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaybeCaller(pub Option<Caller>);

impl MaybeCaller {
    /// The actor, if there is one.
    #[must_use]
    pub fn actor(&self) -> Option<&Actor> {
        self.0.as_ref().map(|caller| &caller.actor)
    }
}

/// Who the request's token says asks.
///
/// # Errors
/// The token is no good, or has expired.
pub async fn identify(request: &HttpRequest) -> Result<Option<Caller>, Refused> {
    let service = service(request);
    if let Some(value) = request.headers().get(header::AUTHORIZATION) {
        let token = value.to_str().ok().and_then(bearer).ok_or(Unauthorised::Invalid)?;
        if token.starts_with(API_TOKEN_PREFIX) {
            let actor = service.desk.verify_api_token(token).await?;
            return Ok(Some(Caller { actor, expires_at: None }));
        }
        return service.desk.verify_access_token(token).await.map(Some);
    }
    match request.cookie(ACCESS_COOKIE) {
        Some(cookie) if request.method().is_safe() => {
            service.desk.verify_access_token(cookie.value()).await.map(Some)
        }
        _ => Ok(None),
    }
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// The service behind a request.
#[must_use]
#[expect(clippy::expect_used, reason = "the server gives every app its service before it takes a request")]
pub fn service(request: &HttpRequest) -> Service {
    request.app_data::<web::Data<Service>>().expect("the app has its service").get_ref().clone()
}

impl FromRequest for Caller {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(
            async move { Ok(identify(&request).await?.ok_or(Refused::Unauthorised(Unauthorised::Missing))?) },
        )
    }
}

impl FromRequest for MaybeCaller {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { Ok(Self(identify(&request).await?)) })
    }
}

/// The client's address: the peer's, or what trusted proxies say it is.
#[must_use]
pub fn address(request: &HttpRequest) -> Option<IpAddr> {
    let peer = request.peer_addr()?.ip();
    let trusted = &service(request).config.http.trusted_proxies;
    let forwarded = request.headers().get("x-forwarded-for").and_then(|value| value.to_str().ok());
    Some(client_address(peer, forwarded, trusted))
}

/// Walks back along the proxies as long as they are trusted: the first that is not is the client.
fn client_address(peer: IpAddr, forwarded: Option<&str>, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut client = peer;
    for said in forwarded.unwrap_or_default().rsplit(',') {
        if !is_trusted(client) {
            break;
        }
        match said.trim().parse() {
            Ok(address) => client = address,
            Err(_) => break,
        }
    }
    client
}

/// How browsers reach the service: as configured, or as this request did.
#[must_use]
pub fn base_url(request: &HttpRequest) -> String {
    if let Some(url) = &service(request).config.http.public_url {
        return url.as_str().to_owned();
    }
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let scheme = if is_https(request) { "https" } else { "http" };
    host.map_or_else(String::new, |host| format!("{scheme}://{host}"))
}

/// True if the client came by https: by the configuration, or as a trusted proxy says.
#[must_use]
pub fn is_https(request: &HttpRequest) -> bool {
    let service = service(request);
    if let Some(url) = &service.config.http.public_url {
        return url.is_https();
    }
    let peer = request.peer_addr().map(|peer| peer.ip());
    let is_trusted =
        peer.is_some_and(|peer| service.config.http.trusted_proxies.iter().any(|net| net.contains(peer)));
    is_trusted
        && request
            .headers()
            .get("x-forwarded-proto")
            .and_then(|value| value.to_str().ok())
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_is_the_first_address_behind_the_trusted_proxies() {
        let trusted: Vec<Network> = vec!["10.0.0.0/8".parse().unwrap()];
        let cases = [
            ("203.0.113.9", Some("198.51.100.1"), "203.0.113.9", "a stranger's word is nothing"),
            ("10.0.0.1", Some("198.51.100.1"), "198.51.100.1", "the proxy's word is taken"),
            ("10.0.0.1", Some("1.2.3.4, 198.51.100.1"), "198.51.100.1", "what the client says is not"),
            ("10.0.0.1", Some("198.51.100.1, 10.0.0.2"), "198.51.100.1", "two proxies"),
            ("10.0.0.1", Some("nonsense"), "10.0.0.1", "nonsense is nothing"),
            ("10.0.0.1", None, "10.0.0.1", "nothing said"),
        ];
        for (peer, forwarded, client, why) in cases {
            let found = client_address(peer.parse().unwrap(), forwarded, &trusted);
            assert_eq!(found.to_string(), client, "{why}");
        }
    }
}
