//! The visitor of a page, what every page needs to be shown to them, and how handlers answer: with pages,
//! redirects, cookies.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::Arc;

use actix_web::cookie::Cookie;
use actix_web::dev::Payload;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode, header};
use actix_web::{FromRequest, HttpRequest, HttpResponse};

use super::form::Form;
use super::refused::{self, RefusedForm};
use super::say::{Names, Say};
use crate::board::{BOARD_COOKIE, BoardView};
use crate::pages::isolated::isolated;
use crate::pages::{Frame, Notice, THEME_COOKIE, Tab, Theme, Viewer};
use owlbox_base::code::Code;
use owlbox_base::journal::{Stream, Version};
use owlbox_base::permissions::Permission;
use owlbox_books::club::players::UNNAMED;
use owlbox_books::club::{self, Club};
use owlbox_desk::access::sessions::Tokens;
use owlbox_desk::{Actor, Allowed as DeskAllowed, Principal, Refused, Request, Rights, Unauthorised};
use owlbox_http::caller;
use owlbox_http::clubs;
use owlbox_http::copies::HTML;
use owlbox_http::problem::{Allowed, Problem};
use owlbox_http::service::Service;
use owlbox_http::session::{self, Session, chosen_language};
use owlbox_locale::{Locale, OwnWords};

/// The end of the address that a saved form redirects to, by which the page knows to confirm it.
const SAVED: &str = "?saved";

/// The visitor of a page.
pub(super) struct Visitor {
    pub service: Service,
    /// The visitor's language and the club's time zone.
    pub t: Locale,
    pub view: BoardView,
    pub theme: Theme,
    pub club: Arc<Stream<Club>>,
    /// Account, player and roles; `None` without a sign-in.
    pub principal: Option<Principal>,
    pub address: IpAddr,
    actor: Option<Actor>,
    csrf: String,
    viewer: Option<Viewer>,
    here: String,
    refused: Option<RefusedForm>,
}

/// The club's settings, or those of a club that has not been set up.
fn settings(club: &Stream<Club>) -> club::Settings {
    club.state.settings().cloned().unwrap_or_default()
}

impl Visitor {
    pub async fn read(request: &HttpRequest) -> Result<Self, Problem> {
        Self::of(request, Session::of_request(request)?).await
    }

    /// The visitor of this session.
    pub async fn of(request: &HttpRequest, session: Session) -> Result<Self, Problem> {
        let service = clubs::service(request)?;
        let club = service.desk.club().await?;
        let mut visitor = Self::with(request, service, Some(session), club);
        if let Some(actor) = session.caller.map(|caller| caller.actor) {
            match visitor.service.desk.principal(&actor).await {
                Ok(principal) => {
                    visitor.viewer = Some(visitor.viewer_of(&principal).await?);
                    (visitor.actor, visitor.principal) = (Some(actor), Some(principal));
                }
                // Signed out elsewhere in the meantime.
                Err(Refused::Unauthorised(_)) => {}
                Err(failed) => return Err(failed.into()),
            }
        }
        Ok(visitor)
    }

    /// A visitor about whom nothing can be found out, because the service is failing.
    ///
    /// # Errors
    /// The request is in no club.
    pub fn stranger(request: &HttpRequest) -> Result<Self, Problem> {
        Ok(Self::with(request, clubs::service(request)?, None, Arc::default()))
    }

    fn with(
        request: &HttpRequest,
        service: Service,
        session: Option<Session>,
        club: Arc<Stream<Club>>,
    ) -> Self {
        let settings = settings(&club);
        let here = if *request.method() == Method::GET {
            address_of(request)
        } else {
            // An act comes from the page it is at.
            request.path().strip_suffix("/act").unwrap_or(request.path())
        };
        Self {
            t: Locale::new(chosen_language(request).unwrap_or(settings.language), settings.time_zone.0)
                .with_words(OwnWords::from(&settings.seat_words)),
            theme: Theme::from_word(request.cookie(THEME_COOKIE).as_ref().map(|cookie| cookie.value())),
            view: BoardView::of_cookie(request.cookie(BOARD_COOKIE).as_ref().map(|cookie| cookie.value())),
            club,
            principal: None,
            address: caller::address(request).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
            actor: None,
            csrf: session.map(|session| session.csrf_token(&service)).unwrap_or_default(),
            viewer: None,
            here: here.to_owned(),
            refused: None,
            service,
        }
    }

    /// The visitor without anything of their own, for the page at this address that all strangers share.
    pub fn like_any_stranger(self, here: &str) -> Self {
        let (principal, actor, viewer) = (None, None, None);
        Self { principal, actor, viewer, csrf: String::new(), here: here.to_owned(), ..self }
    }

    /// The visitor after this form, sent to `action`, was refused: the page that is shown again says why,
    /// with the status of that, and draws the form as it was sent.
    pub fn refused(self, action: &str, form: &Form, problem: &Problem) -> Self {
        let form = RefusedForm::new(&self.t, action, form, problem);
        Self { refused: Some(form), ..self }
    }

    /// Why the visitor's form was refused, if it was.
    pub fn problem(&self) -> Option<&Problem> {
        self.refused.as_ref().map(|refused| &refused.problem)
    }

    /// The answer with this page: with the status of the refusal, if the visitor's form was refused.
    pub fn answer(&self, page: askama::Result<String>) -> Result<HttpResponse, Problem> {
        self.answer_tried(None, page)
    }

    /// The same for a page that has tried something: with the status of that, if it would be refused.
    pub fn answer_tried(
        &self,
        tried: Option<&Problem>,
        page: askama::Result<String>,
    ) -> Result<HttpResponse, Problem> {
        html(tried.or(self.problem()).map_or(StatusCode::OK, status), page)
    }

    async fn viewer_of(&self, principal: &Principal) -> Result<Viewer, Problem> {
        let name = match principal.player {
            Some(player) => self.service.desk.names(vec![player]).await?.remove(&player),
            None => None,
        };
        let name = match name {
            Some(name) => name,
            None => {
                let login = self.service.desk.account_login(principal.account).await?;
                login.unwrap_or_else(|| UNNAMED.to_owned())
            }
        };
        Ok(Viewer {
            account: principal.account.to_string(),
            name,
            player: principal.player.map(|player| player.to_string()),
            keeps_books: principal.may(Permission::ViewAnyLedger),
            may_change_settings: principal.may(Permission::ChangeSettings),
        })
    }

    pub fn settings(&self) -> club::Settings {
        settings(&self.club)
    }

    /// Whether the visitor has the permission, or everybody has.
    pub fn may(&self, permission: Permission) -> bool {
        self.rights().may(permission)
    }

    /// What is written for the visitor on a page with these names.
    pub fn say<'a>(&self, names: &'a Names) -> Say<'a> {
        Say::new(self.t, self.rights(), names)
    }

    fn rights(&self) -> Rights {
        Rights::new(
            self.principal,
            self.club.state.settings().map(|settings| settings.public).unwrap_or_default(),
        )
    }

    /// Refuses unless the visitor has the permission, or everybody has.
    pub fn require(&self, permission: Permission) -> Result<(), Problem> {
        Ok(self.rights().require(permission)?)
    }

    /// The visitor as the desk's actor; refuses without a sign-in.
    pub fn actor(&self) -> Result<Actor, Problem> {
        self.actor.ok_or_else(|| Refused::from(Unauthorised::Missing).into())
    }

    /// The request of a form about the club, refused if the club changes while the form is being read.
    pub fn request_to_club(&self) -> Result<Request, Problem> {
        Ok(Request { expected: Some(self.club.version), ..Request::by(self.actor()?) })
    }

    /// What the address asks for, as the form of the page sends it.
    pub fn asked(&self) -> Form {
        Form::of_query(self.here.split_once('?').map_or("", |(_, query)| query))
    }

    /// The frame of a page with this title: with the visitor's form and the reason above the page, if it was
    /// refused.
    pub fn frame(&self, title: &str, tab: Option<Tab>) -> Frame {
        let club = self.club.state.settings().map_or_else(|| "Owlbox".to_owned(), |set| set.name.to_string());
        let saved = || Notice { text: self.t.get("saved"), problem: false, link: None };
        let notice = match self.problem() {
            Some(problem) => Some(self.notice(problem)),
            None => self.here.ends_with(SAVED).then(saved),
        };
        Frame {
            club,
            title: title.to_owned(),
            tab,
            viewer: self.viewer.clone(),
            csrf: self.csrf.clone(),
            here: self.here.trim_end_matches(SAVED).to_owned(),
            theme: self.theme,
            notice,
            refused: self.refused.clone(),
        }
    }

    /// The reason for a refusal in the visitor's language; with a link to the other table, if that is the
    /// reason.
    pub fn notice(&self, problem: &Problem) -> Notice {
        let link = match &problem.allowed {
            Some(Allowed::Desk(DeskAllowed::OtherTable { table, name, .. })) => {
                Some((format!("/chouettes/{table}"), name.clone()))
            }
            Some(Allowed::Desk(DeskAllowed::Table(table))) => {
                Some((format!("/chouettes/{table}"), self.t.get("error-to-that-table")))
            }
            _ if problem.code == Code::ChangedMeanwhile => {
                Some((self.here.clone(), self.t.get("see-as-it-is-now")))
            }
            _ => None,
        };
        Notice { text: refused::reason(&self.t, problem), problem: true, link }
    }
}

impl FromRequest for Visitor {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { Self::read(&request).await })
    }
}

/// The address of a request, with its query.
pub(super) fn address_of(request: &HttpRequest) -> &str {
    request.uri().path_and_query().map_or("/", |here| here.as_str())
}

/// Whether a script requests only the live part of a page.
pub(super) fn is_partial(request: &HttpRequest) -> bool {
    request.headers().contains_key("hx-request")
}

/// Tells the page's script the version that its act led to. What was tapped on the same state right after it
/// goes on from there (`assets/outbox.js`).
pub(super) fn with_version(mut answer: HttpResponse, version: Version) -> HttpResponse {
    const VERSION: HeaderName = HeaderName::from_static("owlbox-version");
    answer.headers_mut().insert(VERSION, HeaderValue::from(version));
    answer
}

pub(super) fn html(status: StatusCode, page: askama::Result<String>) -> Result<HttpResponse, Problem> {
    Ok(private(status, rendered(page)?))
}

/// A page for this visitor alone.
pub(super) fn private(status: StatusCode, page: String) -> HttpResponse {
    HttpResponse::build(status)
        .content_type(HTML)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(page)
}

pub(super) fn rendered(page: askama::Result<String>) -> Result<String, Problem> {
    page.map(isolated).map_err(|error| {
        tracing::error!(%error, "a page cannot be rendered");
        Problem::new(Code::InternalError, "the page cannot be shown")
    })
}

pub(super) fn status(problem: &Problem) -> StatusCode {
    StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Redirects to another page after a form was posted.
pub(super) fn redirect(to: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, to.to_owned()))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish()
}

/// Redirects to another page and sets these cookies.
pub(super) fn go(to: &str, cookies: Vec<Cookie<'static>>) -> Result<HttpResponse, Problem> {
    let mut answer = redirect(to);
    set(&mut answer, cookies)?;
    Ok(answer)
}

/// Sets these cookies with an answer.
pub(super) fn set(answer: &mut HttpResponse, cookies: Vec<Cookie<'static>>) -> Result<(), Problem> {
    for cookie in cookies {
        if let Err(error) = answer.add_cookie(&cookie) {
            tracing::error!(%error, "a cookie cannot be set");
            return Err(Problem::new(Code::InternalError, "no cookie"));
        }
    }
    Ok(())
}

/// Redirects to another page, signed in.
pub(super) fn enter(request: &HttpRequest, tokens: &Tokens, to: &str) -> Result<HttpResponse, Problem> {
    go(to, session::signed_in(request, tokens))
}
