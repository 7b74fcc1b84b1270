//! Around every page: its session, the set-up that comes first, and problems shown as pages.

use std::sync::LazyLock;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ResourceDef, ServiceRequest, ServiceResponse};
use actix_web::http::{Method, StatusCode, header};
use actix_web::middleware::Next;
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use askama::Template;
use tracing_actix_web::RequestId;

use super::PAGES;
use super::unsent::Unsent;
use super::visitor::{self, Visitor, redirect};
use crate::pages::{Frame, assets};
use owlbox_base::code::Code;
use owlbox_http::clubs::{self, enter::why_turned_away};
use owlbox_http::copies::is_copy;
use owlbox_http::problem::Problem;
use owlbox_http::session::{self, Session, chosen_language};
use owlbox_locale::Locale;
use owlbox_locale::url::encoded;

/// The page that sets up the club.
pub(super) const SET_UP: &str = "/set-up";

/// The page where a request reaches no club: there is none of that name, or it cannot be opened just now.
#[derive(Template)]
#[template(path = "no_club.html")]
struct NoClubPage<'a> {
    t: Locale,
    problem: &'a Problem,
}

/// The page for an error, and for an address with nothing behind it.
#[derive(Template)]
#[template(path = "error.html")]
pub(crate) struct ErrorPage<'a> {
    pub t: Locale,
    pub frame: Frame,
    pub problem: &'a Problem,
    /// The request's id, for finding it in the server's log.
    pub request: String,
}

/// Gives a page's request its session, and turns problems into pages. Requests for anything else pass through
/// unchanged.
///
/// # Errors
/// Those of the handlers inside.
pub async fn around<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    if let Some(problem) = why_turned_away(request.request()) {
        let page = no_club(request.request(), &problem);
        return Ok(request.into_response(page));
    }
    if !is_page(request.path()) {
        return next.call(request).await.map(ServiceResponse::map_into_boxed_body);
    }
    // actix-web forbids holding a clone of the request while it is routed.
    let found = match session::find(request.request()).await {
        Ok(found) => found,
        Err(refused) => {
            let answer = problem_page(request.request(), &Problem::from(refused)).await;
            return Ok(request.into_response(answer));
        }
    };
    request.extensions_mut().insert(found.session);
    let mut answer = if must_set_up_first(request.request()).await? {
        request.into_response(redirect(SET_UP))
    } else {
        let answer = next.call(request).await?.map_into_boxed_body();
        match answer.response().error().and_then(|error| error.as_error::<Problem>()).cloned() {
            Some(problem) => {
                let page = match left_by_a_form(answer.request(), &problem) {
                    Some(page) => redirect(page),
                    None => problem_page(answer.request(), &problem).await,
                };
                answer.into_response(page)
            }
            None => answer,
        }
    };
    // A copy is everybody's, and begins no visit.
    let cookies = if is_copy(answer.headers()) { Vec::new() } else { found.cookies };
    for cookie in &cookies {
        // The cookies of a handler that signs somebody in or out take precedence.
        let set_already = answer.response().cookies().any(|set| set.name() == cookie.name());
        if !set_already {
            answer.response_mut().add_cookie(cookie).map_err(actix_web::error::ErrorInternalServerError)?;
        }
    }
    Ok(answer)
}

/// Pages are everything that is not for programs.
fn is_page(path: &str) -> bool {
    let machine = ["/api", "/docs", "/assets", "/healthz", "/readyz", "/metrics"];
    !machine
        .iter()
        .any(|prefix| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Whether a path is that of a page (`get`), or takes forms (`post`).
pub(super) fn takes(method: &str, path: &str) -> bool {
    static PATHS: LazyLock<Vec<ResourceDef>> =
        LazyLock::new(|| PAGES.iter().map(|(_, page)| ResourceDef::new(*page)).collect());
    let fitting =
        PAGES.iter().zip(&*PATHS).filter(|(_, known)| known.is_match(path)).map(|((_, page), _)| page);
    // A literal address wins over one with parameters.
    let best = fitting.min_by_key(|page| page.matches('{').count());
    PAGES.iter().any(|(of, page)| Some(page) == best && *of == method)
}

/// The page to go to from an address that only takes forms, where nothing else is found. A form that is
/// refused leaves its address in the browser, and a reader who loads that again wants the page that the form
/// is on, or the one above it.
fn left_by_a_form<'a>(request: &'a HttpRequest, problem: &Problem) -> Option<&'a str> {
    if *request.method() != Method::GET || problem.code != Code::NotFound {
        return None;
    }
    let path = request.path();
    if !takes("post", path) || takes("get", path) {
        return None;
    }
    let above = path.rmatch_indices('/').map(|(end, _)| if end == 0 { "/" } else { &path[..end] });
    above.into_iter().find(|above| takes("get", above))
}

/// Until there is an admin, every page leads to the set-up.
async fn must_set_up_first(request: &HttpRequest) -> Result<bool, Problem> {
    if [SET_UP, "/language", "/theme"].contains(&request.path()) {
        return Ok(false);
    }
    Ok(!clubs::service(request)?.desk.club().await?.state.has_admin())
}

/// A problem as the reader sees it: a redirect to the sign-in, or a page with the reason.
async fn problem_page(request: &HttpRequest, problem: &Problem) -> HttpResponse {
    let status = visitor::status(problem);
    if visitor::is_partial(request) {
        // The script reads only the status. A form of a session that has ended is no offence: its user has to
        // sign in.
        let ended = Session::of_request(request).is_ok_and(|session| session.caller.is_none());
        let status = if problem.code == Code::Csrf && ended { StatusCode::UNAUTHORIZED } else { status };
        return HttpResponse::build(status).insert_header((header::CACHE_CONTROL, "no-store")).finish();
    }
    let unsent = Unsent::taken(request, problem);
    if status == StatusCode::UNAUTHORIZED && unsent.is_none() {
        return redirect(&sign_in_and_back(request));
    }
    let visitor = match Visitor::read(request).await {
        Ok(visitor) => Ok(visitor),
        Err(_) => Visitor::stranger(request),
    };
    let Ok(visitor) = visitor else { return no_club(request, problem) };
    let page = if let Some(unsent) = unsent {
        visitor::html(status, unsent.page(&visitor, ""))
    } else {
        let (t, id) = (visitor.t, request.extensions().get::<RequestId>().map(ToString::to_string));
        let frame = visitor.frame(&t.error(problem.code), None);
        let page = ErrorPage { t, frame, problem, request: id.unwrap_or_default() };
        visitor::html(status, page.render())
    };
    page.unwrap_or_else(|_| HttpResponse::build(status).finish())
}

/// The page of a request that reaches no club.
fn no_club(request: &HttpRequest, problem: &Problem) -> HttpResponse {
    let t = Locale::new(chosen_language(request).unwrap_or_default(), chrono_tz::UTC);
    let status = visitor::status(problem);
    let page = visitor::html(status, NoClubPage { t, problem }.render());
    page.unwrap_or_else(|_| HttpResponse::build(status).finish())
}

/// The address of the sign-in, which leads back to the page requested or to the page of the form posted.
fn sign_in_and_back(request: &HttpRequest) -> String {
    let back = if *request.method() == Method::GET {
        visitor::address_of(request)
    } else {
        request.path().strip_suffix("/act").unwrap_or("/")
    };
    format!("/sign-in?next={}", encoded(back))
}
