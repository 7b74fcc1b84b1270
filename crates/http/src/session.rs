//! A page's session: the cookies that identify its reader, and the check that a form is one of ours.
//!
//! Once signed in, a browser holds an access token and a refresh token as cookies. An expired access token is
//! renewed on the way to whatever page was requested. Readers who are not signed in get a visit of their own,
//! so that their forms too can be told from those of other sites.
//!
//! A form must carry the token of its session or visit, and the browser must not report that it comes from
//! another site. The choice of a language or a theme needs no token, because it is also on pages that all
//! strangers share.

use actix_web::cookie::{Cookie, SameSite, time::Duration};
use actix_web::http::header;
use actix_web::{HttpMessage as _, HttpRequest};
use secrecy::ExposeSecret as _;
use uuid::Uuid;

use super::caller::{self, ACCESS_COOKIE, Caller};
use super::problem::{self, Problem};
use super::service::Service;
use crate::clubs;
use owlbox_base::code::Code;
use owlbox_base::values::Timestamp;
use owlbox_desk::access::sessions::Tokens;
use owlbox_desk::access::tokens::SessionId;
use owlbox_desk::{Proof, Refused, Unauthorised};
use owlbox_locale::{LANGUAGE_COOKIE, Language};

/// The cookie with the refresh token.
const REFRESH_COOKIE: &str = "owlbox_refresh";
/// The cookie that tells the visits of anonymous readers apart.
const VISIT_COOKIE: &str = "owlbox_visit";
/// How long a reader's choices are kept.
const CHOICE_KEPT: Duration = Duration::days(365);

/// The reader of a page.
#[derive(Clone, Copy, Debug)]
pub struct Session {
    /// The caller, if signed in.
    pub caller: Option<Caller>,
    /// What forms are bound to: the signed-in session, or the visit.
    bound_to: SessionId,
}

/// A session, found or begun, and the cookies that the answer has to set.
#[derive(Debug)]
pub struct FoundSession {
    pub session: Session,
    pub cookies: Vec<Cookie<'static>>,
}

impl Session {
    /// The session that was found for the request of a page.
    ///
    /// # Errors
    /// The request is not for a page.
    pub fn of_request(request: &HttpRequest) -> Result<Self, Problem> {
        request.extensions().get::<Self>().copied().ok_or_else(problem::not_found)
    }

    /// The token that a form of this session must carry.
    #[must_use]
    pub fn csrf_token(&self, service: &Service) -> String {
        service.desk.csrf_token(self.bound_to)
    }

    /// Refuses a form that is not known to come from one of our own pages.
    ///
    /// # Errors
    /// A problem `csrf`.
    pub fn check_form(&self, request: &HttpRequest, shown: Option<&str>) -> Result<(), Problem> {
        let service = clubs::service(request)?;
        let header = request.headers().get("x-csrf-token").and_then(|value| value.to_str().ok());
        let ours = shown.or(header).is_some_and(|shown| service.desk.csrf_matches(self.bound_to, shown));
        if ours { check_origin(request) } else { Err(foreign()) }
    }
}

/// Refuses a form that the browser says comes from another site.
///
/// # Errors
/// A problem `csrf`.
pub fn check_origin(request: &HttpRequest) -> Result<(), Problem> {
    if comes_from_here(request) { Ok(()) } else { Err(foreign()) }
}

fn foreign() -> Problem {
    Problem::new(Code::Csrf, "the form is not from this session")
}

/// Whether the browser says that the request comes from one of our pages, or says nothing. Every browser that
/// sends cookies along with other sites' forms does say.
fn comes_from_here(request: &HttpRequest) -> bool {
    let text = |name: &str| request.headers().get(name).map(|value| value.to_str().unwrap_or("null"));
    if let Some(site) = text("sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    match text("origin") {
        None => true,
        Some(origin) => is_own_origin(request, origin),
    }
}

/// Whether pages of this origin are ours. A club may be reached by more names than the configured one.
pub(crate) fn is_own_origin(request: &HttpRequest, origin: &str) -> bool {
    origin == own_origin(request) || origin == asked_for(request)
}

/// Scheme, host and port as the browser knows them.
#[must_use]
pub fn own_origin(request: &HttpRequest) -> String {
    clubs::public_url(request).map_or_else(|| asked_for(request), |url| url.trim_end_matches('/').to_owned())
}

/// Scheme, host and port as this request names them.
fn asked_for(request: &HttpRequest) -> String {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let scheme = if caller::is_https(request) { "https" } else { "http" };
    format!("{scheme}://{host}")
}

/// Whether nothing in the request could say who makes it.
#[must_use]
pub fn is_stranger(request: &HttpRequest) -> bool {
    let session = [ACCESS_COOKIE, REFRESH_COOKIE].iter().any(|name| request.cookie(name).is_some());
    !session && !request.headers().contains_key(header::AUTHORIZATION)
}

/// The session of a request: the one of its cookies, renewed if possible, or else a visit.
///
/// # Errors
/// Only if the store failed: somebody who cannot prove anything is a visitor.
pub async fn find(request: &HttpRequest) -> Result<FoundSession, Refused> {
    let service = clubs::service(request)?;
    let cookie = |name| request.cookie(name).map(|cookie| cookie.value().to_owned());
    let (access, refresh) = (cookie(ACCESS_COOKIE), cookie(REFRESH_COOKIE));
    if let Some(token) = &access
        && let Some(caller) = verified(&service, token).await?
    {
        return Ok(FoundSession { session: Session::new(caller), cookies: Vec::new() });
    }
    let mut cookies = Vec::new();
    if let Some(token) = &refresh {
        match service.desk.refresh(token).await {
            Ok(tokens) => {
                if let Some(caller) = verified(&service, tokens.access.expose_secret()).await? {
                    let cookies = signed_in(request, &tokens);
                    return Ok(FoundSession { session: Session::new(caller), cookies });
                }
            }
            Err(Refused::Unauthorised(_)) => {}
            Err(failed) => return Err(failed),
        }
    }
    if access.is_some() || refresh.is_some() {
        cookies.extend(signed_out());
    }
    let visit = cookie(VISIT_COOKIE).and_then(|visit| visit.parse().ok());
    let bound_to = visit.unwrap_or_else(|| {
        let visit = SessionId(Uuid::from_bytes(owlbox_desk::access::tokens::random()));
        cookies.push(kept(request, VISIT_COOKIE, visit.to_string()).finish());
        visit
    });
    Ok(FoundSession { session: Session { caller: None, bound_to }, cookies })
}

/// The caller behind an access token; `None` if it is invalid.
async fn verified(service: &Service, token: &str) -> Result<Option<Caller>, Refused> {
    match service.desk.verify_access_token(token).await {
        Ok(caller) => {
            service.note_member();
            Ok(Some(caller.into()))
        }
        Err(Refused::Unauthorised(_)) => Ok(None),
        Err(failed) => Err(failed),
    }
}

impl Session {
    fn new(caller: Caller) -> Self {
        let session = match caller.actor.proof {
            Proof::AccessToken { session, .. } => session,
            Proof::ApiToken { .. } | Proof::EntryLink { .. } | Proof::Console => Uuid::nil(),
        };
        Self { caller: Some(caller), bound_to: SessionId(session) }
    }
}

/// The session that these tokens begin.
///
/// # Errors
/// The store failed, or the tokens are none.
pub async fn of_tokens(request: &HttpRequest, tokens: &Tokens) -> Result<Session, Problem> {
    let caller = verified(&clubs::service(request)?, tokens.access.expose_secret()).await?;
    Ok(Session::new(caller.ok_or(Refused::Unauthorised(Unauthorised::Missing))?))
}

/// The cookies that begin or continue a signed-in session.
#[must_use]
pub fn signed_in(request: &HttpRequest, tokens: &Tokens) -> Vec<Cookie<'static>> {
    let until = |end: Timestamp| Duration::seconds((end.utc() - chrono::Utc::now()).num_seconds().max(1));
    let cookie = |name, value: &str, end| kept(request, name, value.to_owned()).max_age(until(end)).finish();
    vec![
        cookie(ACCESS_COOKIE, tokens.access.expose_secret(), tokens.access_expires_at),
        cookie(REFRESH_COOKIE, tokens.refresh.expose_secret(), tokens.refresh_expires_at),
    ]
}

/// The cookies that end a signed-in session.
#[must_use]
pub fn signed_out() -> Vec<Cookie<'static>> {
    let gone = |name| Cookie::build(name, "").path("/").http_only(true).max_age(Duration::ZERO).finish();
    vec![gone(ACCESS_COOKIE), gone(REFRESH_COOKIE)]
}

/// The language that the reader has chosen, or else that of their browser.
#[must_use]
pub fn chosen_language(request: &HttpRequest) -> Option<Language> {
    let cookie = request.cookie(LANGUAGE_COOKIE);
    let accepted = request.headers().get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    owlbox_locale::chosen_language(cookie.as_ref().map(|cookie| cookie.value()), accepted)
}

/// The cookie with what the reader has chosen, for a year.
#[must_use]
pub fn choice(request: &HttpRequest, name: &'static str, value: String) -> Cookie<'static> {
    kept(request, name, value).max_age(CHOICE_KEPT).finish()
}

fn kept(
    request: &HttpRequest,
    name: &'static str,
    value: String,
) -> actix_web::cookie::CookieBuilder<'static> {
    Cookie::build(name, value)
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(caller::is_https(request))
}

/// `next` if it is a path of this site, else the home page: we never redirect to another site.
#[must_use]
pub fn local(next: &str) -> &str {
    // Browsers read `\` as `/` and leave out tabs and line breaks, so these too can become `//`.
    let elsewhere = next.starts_with("//") || next.contains(['\\']) || next.chars().any(char::is_control);
    if next.starts_with('/') && !elsewhere { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_to_another_site_after_signing_in() {
        for path in ["/", "/chouettes/1?partial=1", "/players?q=a%20b"] {
            assert_eq!(local(path), path);
        }
        for elsewhere in [
            "",
            "//evil.example",
            "https://evil.example",
            "/\\evil.example",
            "javascript:x",
            "/\n/evil.example",
            "/\t/x",
        ] {
            assert_eq!(local(elsewhere), "/", "{elsewhere:?}");
        }
    }
}
