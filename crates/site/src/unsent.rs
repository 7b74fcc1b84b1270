//! A form whose sign-in is gone: signed out in another tab or elsewhere, or signed in anew since. It is shown
//! again with a way to sign in, and then with one button that sends it. Nothing of it is stored: what was
//! typed stands in the page.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, web};
use askama::Template;

use super::form::Form;
use super::visitor::{Visitor, set};
use crate::pages::Frame;
use owlbox_base::code::Code;
use owlbox_desk::access::sessions::Tokens;
use owlbox_http::connection::bodies::BodyBudget;
use owlbox_http::problem::Problem;
use owlbox_http::session::{self, Session, local};
use owlbox_http::{ask, caller, clubs};
use owlbox_locale::Locale;

const SIGN_IN: &str = "/sign-in";
/// Forms that hold a secret, or begin or end a session.
const NOT_KEPT: [&str; 9] = [
    SIGN_IN,
    "/sign-out",
    "/set-up",
    "/claim/",
    "/account",
    "/language",
    "/theme",
    "/board-view",
    "/forgotten-password",
];
/// The field with the address of an unsent form, and what the names of its fields begin with.
const TO: &str = "unsent-to";
const FIELD: &str = "unsent:";

/// A form as it came, until it is known that its sender may send it.
#[derive(Clone)]
pub(super) struct Unsent {
    to: String,
    fields: Vec<(String, String)>,
}

/// A form whose sign-in is gone, with what was typed: the answer to any form.
#[derive(Template)]
#[template(path = "unsent.html")]
pub(crate) struct UnsentPage<'a> {
    pub t: Locale,
    pub frame: Frame,
    pub unsent: &'a Unsent,
    /// The login, as typed so far.
    pub login: &'a str,
}

impl Unsent {
    /// The most bytes of a form without a session. One of our own pages that would be kept, or that brings a
    /// kept one to its sign-in, may be as long as with a session, while few are.
    pub fn limit(request: &HttpRequest) -> usize {
        let short = ask::limit_of_stranger(request);
        let long = clubs::of_process(request).http().body_limit;
        let limit = match request.path() {
            SIGN_IN if session::check_origin(request).is_ok() => long + short,
            _ if is_kept(request) => long,
            _ => short,
        };
        if ask::announced(request).is_none_or(|length| length <= short) {
            return short;
        }
        let bodies = request.app_data::<web::Data<BodyBudget>>();
        let address = caller::address(request).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        match bodies.filter(|_| limit > short).and_then(|bodies| bodies.begin_long(address)) {
            Some(place) => {
                // Until there is an answer: the page of it holds the text once more.
                request.extensions_mut().insert(place);
                limit
            }
            None => short,
        }
    }

    /// Keeps a form of one of our own pages with its request.
    pub fn keep(request: &HttpRequest, form: &Form) {
        if is_kept(request) {
            let path = request.path();
            let fields = form.sent().map(|(name, value)| (name.to_owned(), value.to_owned()));
            request.extensions_mut().insert(Self { to: path.to_owned(), fields: fields.collect() });
        }
    }

    /// The form that was kept, if this is a problem that a sign-in mends.
    pub fn taken(request: &HttpRequest, problem: &Problem) -> Option<Self> {
        let had_session = Session::of_request(request).is_ok_and(|session| session.caller.is_some());
        let is_gone = problem.code == Code::Csrf || (problem.status == 401 && had_session);
        let kept = request.extensions_mut().remove::<Self>();
        kept.filter(|_| is_gone)
    }

    /// The form that comes along with a sign-in.
    pub fn of_sign_in(form: &Form) -> Option<Self> {
        let to = form
            .some(TO)
            .filter(|to| local(to) == *to && !NOT_KEPT.iter().any(|start| to.starts_with(start)))?;
        let field =
            |(name, value): (&str, &str)| Some((name.strip_prefix(FIELD)?.to_owned(), value.to_owned()));
        Some(Self { to: to.to_owned(), fields: form.sent().filter_map(field).collect() })
    }

    /// The fields to be sent again. The token is that of the page.
    fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        fields.filter(|(name, _)| *name != "csrf")
    }

    /// What people typed, to be read.
    fn typed(&self) -> Vec<&str> {
        self.fields().filter(|(name, value)| is_typed(name, value)).map(|(_, value)| value).collect()
    }

    /// The page of it: with the sign-in, or for who is signed in with its button.
    pub fn page(&self, visitor: &Visitor, login: &str) -> askama::Result<String> {
        let t = visitor.t;
        let frame = visitor.frame(&t.get("unsent-title"), None);
        UnsentPage { t, frame, unsent: self, login }.render()
    }

    /// The page of it after its sender has signed in, with the cookies of that.
    pub async fn after_sign_in(
        self,
        request: &HttpRequest,
        tokens: &Tokens,
    ) -> Result<HttpResponse, Problem> {
        let session = session::of_tokens(request, tokens).await?;
        let visitor = Visitor::of(request, session).await?;
        let mut answer = visitor.answer(self.page(&visitor, ""))?;
        set(&mut answer, session::signed_in(request, tokens))?;
        Ok(answer)
    }
}

/// Whether a form that is sent with this request is kept.
fn is_kept(request: &HttpRequest) -> bool {
    let path = request.path();
    session::check_origin(request).is_ok() && !NOT_KEPT.iter().any(|start| path.starts_with(start))
}

/// Whether somebody typed it: what pages fill in themselves has no words, or says which page it is of.
fn is_typed(name: &str, value: &str) -> bool {
    let of_the_page = ["key", "version", "then", "each", "seen", "command", "choice"];
    let is_id = value.len() == 36 && value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let is_shown = name.starts_with("payments[");
    !of_the_page.contains(&name)
        && !is_shown
        && !name.ends_with(":flag")
        && !value.trim().is_empty()
        && !is_id
}
