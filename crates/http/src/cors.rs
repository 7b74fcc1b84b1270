//! CORS: which answers of the API the pages of other sites may read.
//!
//! A page of any site may read what needs no sign-in. A page of an origin that the configuration names
//! ([`cors_origins`](crate::config::Http::cors_origins)) may read everything, and send tokens and commands.
//! Neither comes with cookies: a request from another site's page goes on without those that its browser has
//! sent along, and no answer allows credentials. So whatever an answer to another site says, it says to
//! strangers, or to anyone who has a token.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse};

use super::clubs;
use super::session::is_own_origin;

/// What commands need, in a request from a named origin.
const FOR_NAMED: Permitted = Permitted {
    methods: HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE"),
    headers: HeaderValue::from_static(
        "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id",
    ),
};
/// What reading needs.
const FOR_ANYBODY: Permitted = Permitted {
    methods: HeaderValue::from_static("GET, HEAD"),
    headers: HeaderValue::from_static("if-none-match, last-event-id"),
};
/// What a script may read of an answer besides its body and what the browser shows anyway.
const EXPOSED: HeaderValue =
    HeaderValue::from_static("allow, content-disposition, etag, location, retry-after, x-request-id");
/// For how many seconds a browser need not ask again: two hours, the most that Chromium keeps an answer.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");
const ANYBODY: HeaderValue = HeaderValue::from_static("*");

/// What an answer to a preflight says may be sent.
struct Permitted {
    methods: HeaderValue,
    headers: HeaderValue,
}

/// The page of another site that makes a request.
enum Foreign {
    /// Its origin is in the configuration.
    Named(HeaderValue),
    Anybody,
}

impl Foreign {
    /// `None` for one of our own pages, and for what is no page.
    fn of(request: &ServiceRequest) -> Option<Self> {
        let origin = request.headers().get(header::ORIGIN)?;
        if origin.to_str().is_ok_and(|origin| is_own_origin(request.request(), origin)) {
            return None;
        }
        let named = clubs::of_process(request.request()).http().cors_origins.contains(origin);
        Some(if named { Self::Named(origin.clone()) } else { Self::Anybody })
    }

    fn preflight(self) -> HttpResponse {
        let (origin, Permitted { methods, headers }) = match self {
            Self::Named(origin) => (origin, FOR_NAMED),
            Self::Anybody => (ANYBODY, FOR_ANYBODY),
        };
        HttpResponse::NoContent()
            .insert_header((header::ACCESS_CONTROL_ALLOW_ORIGIN, origin))
            .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, methods))
            .insert_header((header::ACCESS_CONTROL_ALLOW_HEADERS, headers))
            .insert_header((header::ACCESS_CONTROL_MAX_AGE, MAX_AGE))
            .insert_header((header::VARY, header::ORIGIN.as_str()))
            .finish()
    }

    /// The origin that may read the answer to this request; `None` if the page may not.
    fn may_read(self, request: &ServiceRequest) -> Option<HeaderValue> {
        match self {
            Self::Named(origin) => Some(origin),
            Self::Anybody => {
                let reads = [Method::GET, Method::HEAD].contains(request.method());
                (reads && !request.headers().contains_key(header::AUTHORIZATION)).then_some(ANYBODY)
            }
        }
    }
}

/// Answers preflights, and says of every other answer of the API which pages may read it: of refusals, too.
///
/// # Errors
/// Those of the handlers inside.
pub async fn share<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    // As it is routed: without the percent signs of the address.
    if !is_of_api(request.match_info().as_str()) {
        return next.call(request).await.map(ServiceResponse::map_into_left_body);
    }
    let mut reader = None;
    if let Some(foreign) = Foreign::of(&request) {
        if is_preflight(&request) {
            return Ok(request.into_response(foreign.preflight()).map_into_right_body());
        }
        request.headers_mut().remove(header::COOKIE);
        reader = foreign.may_read(&request);
    }
    let mut answer = next.call(request).await?;
    let headers = answer.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    if let Some(reader) = reader {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, reader);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
    Ok(answer.map_into_left_body())
}

/// Whether a path is one of the API, of whichever club.
fn is_of_api(path: &str) -> bool {
    let of_club = path.strip_prefix("/clubs/").and_then(|rest| rest.split_once('/'));
    path.starts_with("/api/") || of_club.is_some_and(|(_, rest)| rest.starts_with("api/"))
}

/// Whether a browser asks beforehand whether it may send something.
fn is_preflight(request: &ServiceRequest) -> bool {
    let asks = request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    request.method() == Method::OPTIONS && asks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_api_is_that_of_the_service_or_of_one_of_its_clubs() {
        for api in ["/api/v1/me", "/clubs/lugano/api/v1/me"] {
            assert!(is_of_api(api), "{api}");
        }
        for other in ["/", "/docs", "/apis", "/clubs/api/", "/clubs/lugano/table", "/club/lugano/api/v1"] {
            assert!(!is_of_api(other), "{other}");
        }
    }
}
