//! Identifies the caller by an `Authorization` header or, for reading, by the pages' cookie; and finds the
//! client's address.
//!
//! A cookie identifies a caller only where nothing is changed, because browsers send it whichever page made
//! the request. Commands of the API need a token in a header, which no foreign page can set. Forms of our own
//! pages are checked for their CSRF token by their handlers.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest};
use secrecy::{ExposeSecret as _, SecretString};

use super::clubs;
use super::problem::Problem;
use super::service::Service;
use crate::config::Network;
use owlbox_base::values::Timestamp;
use owlbox_desk::access::SignedIn;
use owlbox_desk::{Actor, Refused, Unauthorised};

/// The cookie with the access token of a page's session.
pub const ACCESS_COOKIE: &str = "owlbox_access";
/// The prefix of API tokens; any other token is an access token.
const API_TOKEN_PREFIX: &str = "owlt_";

/// A signed-in caller. As a handler's argument it refuses anybody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    pub actor: Actor,
    /// When the token expires; `None` if it never does.
    pub expires_at: Option<Timestamp>,
}

impl From<SignedIn> for Caller {
    fn from(SignedIn { actor, expires_at }: SignedIn) -> Self {
        Self { actor, expires_at }
    }
}

/// A caller who may be anonymous. Handlers that take this work without a sign-in, as far as the club's
/// settings open things to the public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaybeCaller(pub Option<Caller>);

impl MaybeCaller {
    /// The actor; `None` for an anonymous caller.
    #[must_use]
    pub fn actor(&self) -> Option<&Actor> {
        self.0.as_ref().map(|caller| &caller.actor)
    }
}

/// Identifies the caller by the request's token; `None` if there is none.
///
/// # Errors
/// The token is invalid or has expired.
pub async fn identify(request: &HttpRequest) -> Result<Option<Caller>, Refused> {
    match presented_token(request)? {
        Some(token) => authenticate(&clubs::service(request)?, &token).await.map(Some),
        None => Ok(None),
    }
}

/// The token of a request: from its header or, for reading, from its cookie.
///
/// # Errors
/// The header holds no bearer token.
pub fn presented_token(request: &HttpRequest) -> Result<Option<SecretString>, Refused> {
    if let Some(value) = request.headers().get(header::AUTHORIZATION) {
        let token = value.to_str().ok().and_then(bearer).ok_or(Unauthorised::Invalid)?;
        return Ok(Some(token.into()));
    }
    let cookie = request.cookie(ACCESS_COOKIE).filter(|_| request.method().is_safe());
    // API tokens are not accepted in cookies.
    match cookie {
        Some(cookie) if cookie.value().starts_with(API_TOKEN_PREFIX) => Err(Unauthorised::Invalid.into()),
        cookie => Ok(cookie.map(|cookie| cookie.value().into())),
    }
}

/// Identifies the caller behind a token that [`presented_token`] returned.
///
/// # Errors
/// The token is invalid or has expired.
pub async fn authenticate(service: &Service, token: &SecretString) -> Result<Caller, Refused> {
    let token = token.expose_secret();
    let signed_in = if token.starts_with(API_TOKEN_PREFIX) {
        service.desk.verify_api_token(token).await?
    } else {
        service.desk.verify_access_token(token).await?
    };
    service.note_member();
    Ok(signed_in.into())
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
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

/// The client's address: that of the peer, or the one that trusted proxies report.
#[must_use]
pub fn address(request: &HttpRequest) -> Option<IpAddr> {
    let peer = request.peer_addr()?.ip();
    let trusted = &clubs::of_process(request).http().trusted_proxies;
    Some(client_address(peer, &forwarded(request.headers()), trusted))
}

/// The address if it is the client's own; `None` for a trusted proxy that does not say for whom it asks.
#[must_use]
pub fn own_address(request: &HttpRequest) -> Option<IpAddr> {
    let trusted = &clubs::of_process(request).http().trusted_proxies;
    address(request).filter(|address| !trusted.iter().any(|network| network.contains(*address)))
}

/// All `X-Forwarded-For` lines as one list. Some proxies append a line of their own after the client's.
fn forwarded(headers: &header::HeaderMap) -> String {
    let lines = headers.get_all("x-forwarded-for");
    lines.map(|line| line.to_str().unwrap_or_default()).collect::<Vec<_>>().join(",")
}

/// Walks back along the chain of proxies while they are trusted; the first untrusted address is the client's.
fn client_address(peer: IpAddr, forwarded: &str, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut client = peer;
    for said in forwarded.rsplit(',') {
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

/// The base URL under which browsers reach the service: the configured one, or that of this request.
#[must_use]
pub fn base_url(request: &HttpRequest) -> String {
    if let Some(url) = clubs::public_url(request) {
        return url;
    }
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let scheme = if is_https(request) { "https" } else { "http" };
    host.map_or_else(String::new, |host| format!("{scheme}://{host}"))
}

/// Whether the client uses HTTPS, according to the configuration or a trusted proxy.
#[must_use]
pub fn is_https(request: &HttpRequest) -> bool {
    let http = clubs::of_process(request).http();
    if let Some(url) = &http.public_url {
        return url.is_https();
    }
    let peer = request.peer_addr().map(|peer| peer.ip());
    let is_trusted = peer.is_some_and(|peer| http.trusted_proxies.iter().any(|net| net.contains(peer)));
    is_trusted
        && request
            .headers()
            .get_all("x-forwarded-proto")
            .last()
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
            ("203.0.113.9", "198.51.100.1", "203.0.113.9", "a stranger's word is nothing"),
            ("10.0.0.1", "198.51.100.1", "198.51.100.1", "the proxy's word is taken"),
            ("10.0.0.1", "1.2.3.4, 198.51.100.1", "198.51.100.1", "what the client says is not"),
            ("10.0.0.1", "198.51.100.1, 10.0.0.2", "198.51.100.1", "two proxies"),
            ("10.0.0.1", "nonsense", "10.0.0.1", "nonsense is nothing"),
            ("10.0.0.1", "", "10.0.0.1", "nothing said"),
        ];
        for (peer, forwarded, client, why) in cases {
            let found = client_address(peer.parse().unwrap(), forwarded, &trusted);
            assert_eq!(found.to_string(), client, "{why}");
        }
    }

    #[test]
    fn a_proxys_own_line_counts_after_whatever_the_client_sent() {
        let request = actix_web::test::TestRequest::default()
            .append_header(("x-forwarded-for", "127.0.0.1"))
            .append_header(("x-forwarded-for", "198.51.100.1"))
            .to_http_request();
        assert_eq!(forwarded(request.headers()), "127.0.0.1,198.51.100.1");
        let trusted: Vec<Network> = vec!["10.0.0.0/8".parse().unwrap()];
        let client = client_address("10.0.0.1".parse().unwrap(), &forwarded(request.headers()), &trusted);
        assert_eq!(client.to_string(), "198.51.100.1");
    }
}
