//! Leads each request to its club.

use actix_web::body::BoxBody;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::header::{self, HeaderValue};
use actix_web::http::{Method, Uri};
use actix_web::middleware::Next;
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, ResponseError as _};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::awake::{Awake, NotOpened};
use super::{Clubs, of_process};
use crate::ask::LONGEST_OF_STRANGER;
use crate::caller::{is_https, own_address};
use crate::methods::{DOCUMENT, VERSION};
use crate::problem::Problem;
use owlbox_base::code::Code;
use owlbox_desk::ClubLabel;

/// The beginning of a path that names its club. Scripts are served there. A request for a page is sent to the
/// club's own host: pages of two clubs under one host would share their cookies and what the browser stores.
const BY_PATH: &str = "/clubs/";

/// What is the same for all clubs and asks none of them.
fn is_for_all(path: &str) -> bool {
    ["/healthz", "/readyz", "/metrics", DOCUMENT, VERSION].contains(&path)
        || path.starts_with("/assets/")
        || path.strip_prefix("/docs").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Gives a request the service of its club, where there are many. Without such a club a script is answered
/// here; a request for a page goes on, marked, to the code that answers pages ([`why_turned_away`]).
///
/// # Errors
/// Those of the handlers inside.
pub async fn enter(
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let Clubs::Many(awake) = of_process(request.request()).clone() else { return next.call(request).await };
    if is_for_all(request.path()) {
        return next.call(request).await;
    }
    let label = match named_by_path(request.path()) {
        Some((label, rest)) => {
            let (label, rest) = (label.parse::<ClubLabel>().ok(), rest.to_owned());
            if let Some(label) = &label
                && !rest.starts_with("/api/")
                && request.method() == Method::GET
            {
                let sent = sent_on(&request, label, &awake, &rest);
                return Ok(request.into_response(sent));
            }
            label.filter(|label| becomes(&mut request, label, awake.domain(), &rest))
        }
        None => named_by_host(request.request(), awake.domain()),
    };
    let Some(label) = label else { return turned_away(request, no_such_club(), next).await };
    // Nobody uses a club by being slow.
    if let Err(broken) = await_body(&mut request).await {
        let problem = Problem::new(Code::InvalidBody, format!("the body was cut off: {broken}"));
        return turned_away(request, problem, next).await;
    }
    let client = own_address(request.request());
    match awake.enter(&label, client).await {
        Ok(service) => {
            request.extensions_mut().insert(service);
            next.call(request).await
        }
        Err(NotOpened::NoSuchClub) => turned_away(request, no_such_club(), next).await,
        Err(NotOpened::Busy) => {
            let problem = Problem::new(Code::Busy, "the club cannot be opened just now").after(1);
            turned_away(request, problem, next).await
        }
        Err(NotOpened::Failed) => {
            let detail = "the club cannot be opened; the log says why";
            turned_away(request, Problem::new(Code::InternalError, detail), next).await
        }
    }
}

/// Waits until a body has come, or as much of it as strangers may send at all.
async fn await_body(request: &mut ServiceRequest) -> Result<(), PayloadError> {
    let mut coming = match request.take_payload() {
        Payload::None => return Ok(()),
        coming @ (Payload::H1 { .. } | Payload::Stream { .. }) => coming,
    };
    let (mut came, mut length) = (Vec::new(), 0);
    while length <= LONGEST_OF_STRANGER
        && let Some(bytes) = coming.try_next().await?
    {
        length += bytes.len();
        came.push(Ok(bytes));
    }
    let whole = stream::iter(came).chain(coming);
    request.set_payload(Payload::Stream { payload: Box::pin(whole) });
    Ok(())
}

fn no_such_club() -> Problem {
    Problem::new(Code::NoSuchClub, "there is no club at this address")
}

/// A club and the path within it.
fn named_by_path(path: &str) -> Option<(&str, &str)> {
    let named = path.strip_prefix(BY_PATH)?;
    Some(named.split_at(named.find('/').unwrap_or(named.len())))
}

/// The club's own host, at the port that was asked.
fn host_of(request: &ServiceRequest, label: &ClubLabel, domain: &str) -> String {
    let port = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()?.rsplit_once(':'));
    let port = port.and_then(|(_, port)| port.parse::<u16>().ok());
    port.map_or(format!("{label}.{domain}"), |port| format!("{label}.{domain}:{port}"))
}

/// Sends a browser to the club's own host, whether there is such a club or not.
fn sent_on(request: &ServiceRequest, label: &ClubLabel, awake: &Awake, path: &str) -> HttpResponse {
    let public = awake.http().public_url.as_ref().and_then(|url| url.of_club(label));
    let base = public.map_or_else(
        || {
            let scheme = if is_https(request.request()) { "https" } else { "http" };
            format!("{scheme}://{}", host_of(request, label, awake.domain()))
        },
        |url| url.as_str().to_owned(),
    );
    let path = if path.is_empty() { "/" } else { path };
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    HttpResponse::TemporaryRedirect()
        .insert_header((header::LOCATION, format!("{base}{path}{query}")))
        .finish()
}

/// Makes the request one to the club's own host with the rest of the path, if that is one for scripts.
/// Whether it is.
fn becomes(request: &mut ServiceRequest, label: &ClubLabel, domain: &str, path: &str) -> bool {
    if !path.starts_with("/api/") {
        return false;
    }
    let host = host_of(request, label, domain);
    let Ok(host) = HeaderValue::from_str(&host) else { return false };
    let mut parts = request.uri().clone().into_parts();
    let whole = match request.uri().query() {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    };
    parts.path_and_query = whole.parse().ok();
    let Ok(uri) = Uri::from_parts(parts) else { return false };
    request.match_info_mut().get_mut().update(&uri);
    let head = request.head_mut();
    head.uri = uri;
    head.headers.insert(header::HOST, host);
    true
}

/// The club that the request's host names: `lugano.clubs.example` of the domain `clubs.example`.
fn named_by_host(request: &HttpRequest, domain: &str) -> Option<ClubLabel> {
    let said = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    label_of(request.uri().authority().map(|authority| authority.as_str()).or(said)?, domain)
}

fn label_of(host: &str, domain: &str) -> Option<ClubLabel> {
    // A port, if there is one; the domain is no address, so it has no colon.
    let name = host.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let name = name.strip_suffix('.').unwrap_or(&name);
    name.strip_suffix(domain)?.strip_suffix('.')?.parse().ok()
}

/// Why a request has no club, for the code that answers pages.
#[derive(Clone)]
struct TurnedAway(Problem);

/// Why no club was found for this request.
#[must_use]
pub fn why_turned_away(request: &HttpRequest) -> Option<Problem> {
    request.extensions().get::<TurnedAway>().map(|TurnedAway(problem)| problem.clone())
}

/// Answers a script where there is no club to do it. A reader of pages gets a page, which is not made here.
async fn turned_away(
    request: ServiceRequest,
    problem: Problem,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    // As it is routed: without the percent signs of the address.
    let path = request.match_info().as_str();
    if path.starts_with("/api/") || path.starts_with(BY_PATH) {
        return Ok(request.into_response(problem.error_response()));
    }
    request.extensions_mut().insert(TurnedAway(problem));
    next.call(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_names_a_club_of_the_domain_and_no_other() {
        let label = |host| label_of(host, "clubs.example").map(|label| label.to_string());
        for host in ["lugano.clubs.example", "Lugano.Clubs.Example:8080", "lugano.clubs.example."] {
            assert_eq!(label(host).as_deref(), Some("lugano"), "{host}");
        }
        let others = [
            "clubs.example",
            ".clubs.example",
            "a.lugano.clubs.example",
            "luganoclubs.example",
            "lugano.clubs.example.org",
            "",
            ":",
            "127.0.0.1:8080",
            "[::1]:8080",
            "../lugano.clubs.example",
        ];
        for host in others {
            assert_eq!(label(host), None, "{host}");
        }
    }

    #[test]
    fn a_path_names_a_club_by_its_beginning() {
        assert_eq!(named_by_path("/clubs/lugano/api/v1/me"), Some(("lugano", "/api/v1/me")));
        assert_eq!(named_by_path("/clubs/lugano"), Some(("lugano", "")));
        assert_eq!(named_by_path("/club/nights"), None);
    }
}
