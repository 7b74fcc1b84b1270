//! The door: setting up, signing in and out, claiming a link, choosing a language and how pages and boards
//! look.

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

use super::form::Form;
use super::form::received::OpenForm;
use super::registering::is_open;
use super::tournaments::{Card, cards_of, open_tournaments};
use super::unsent::Unsent;
use super::visitor::{Visitor, enter, go, redirect};
use crate::board::{BOARD_COOKIE, BoardView};
use crate::pages::{Frame, THEME_COOKIE, Theme};
use owlbox_base::permissions::Public;
use owlbox_books::club::Settings;
use owlbox_books::club::seasons::Seasons;
use owlbox_books::club::settings::{Currencies, HighestCube, SeatWords, SelfRegistration};
use owlbox_desk::access::links::{Claim, LinkView, Purpose};
use owlbox_desk::access::set_up::SetUp;
use owlbox_desk::tournaments::TournamentCards;
use owlbox_engine::notation::PointNames;
use owlbox_http::problem::{Problem, not_found};
use owlbox_http::session::{self, local};
use owlbox_locale::{LANGUAGE_COOKIE, Language, Locale};
use owlbox_play::tournament::rating::Experience;

/// The most tournaments shown beside the sign-in.
const MOST_TOURNAMENTS: i64 = 6;

/// `/sign-in?next=`
#[derive(Template)]
#[template(path = "sign_in.html")]
pub(crate) struct SignInPage<'a> {
    pub t: Locale,
    pub frame: Frame,
    /// The login, as typed so far.
    pub login: &'a str,
    /// The page to go to afterwards: a path of this site.
    pub next: &'a str,
    /// Whether strangers may ask for a login.
    pub may_register: bool,
    /// Whether a link for a new password was just asked for; `None` if no mail is sent.
    pub forgotten: Option<bool>,
    /// The tournaments that are public, the next one first.
    pub tournaments: Vec<Card<'a>>,
}

/// `/set-up`: the first set-up of the club and its first account
#[derive(Template)]
#[template(path = "setup.html")]
pub(crate) struct SetUpPage<'a> {
    pub t: Locale,
    pub frame: Frame,
    /// What was typed and refused.
    pub typed: &'a Form,
}

impl SetUpPage<'_> {
    fn time_zone(&self) -> &str {
        self.typed.some("time_zone").unwrap_or("Europe/Rome")
    }
}

/// `/claim/{secret}`: an invite or a reset, opened by its link
#[derive(Template)]
#[template(path = "claim.html")]
pub(crate) struct ClaimPage<'a> {
    pub t: Locale,
    pub frame: Frame,
    /// The secret of the link.
    pub secret: &'a str,
    pub link: &'a LinkView,
    /// What was typed and refused.
    pub typed: &'a Form,
}

impl ClaimPage<'_> {
    /// The login of a reset, which keeps it. With an invite it is chosen.
    fn kept_login(&self) -> Option<&str> {
        self.link.login.as_deref().filter(|_| self.link.purpose == Purpose::Reset)
    }
}

pub(super) async fn language(request: HttpRequest, form: OpenForm) -> Result<HttpResponse, Problem> {
    let OpenForm(form) = form;
    let language = Language::from_tag(form.text("language")).unwrap_or_default();
    go(local(form.text("back")), vec![session::choice(&request, LANGUAGE_COOKIE, language.tag().to_owned())])
}

pub(super) async fn theme(request: HttpRequest, form: OpenForm) -> Result<HttpResponse, Problem> {
    let OpenForm(form) = form;
    let theme = Theme::from_word(form.some("theme"));
    go(local(form.text("back")), vec![session::choice(&request, THEME_COOKIE, theme.word().to_owned())])
}

/// Changes how the visitor sees boards. Whatever the form does not name stays as it was.
pub(super) async fn choose_view(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let BoardView { names, mirrored } = visitor.view;
    let view = BoardView {
        names: form.some("names").and_then(PointNames::from_word).unwrap_or(names),
        mirrored: form.some("bears_off").map_or(mirrored, |side| side == "left"),
    };
    go(local(form.text("back")), vec![session::choice(&request, BOARD_COOKIE, view.to_string())])
}

pub(super) async fn sign_in(
    visitor: Visitor,
    query: web::Query<SignInQuery>,
) -> Result<HttpResponse, Problem> {
    let next = local(query.next.as_deref().unwrap_or("/"));
    if visitor.principal.is_some() {
        return Ok(redirect(next));
    }
    sign_in_page(&visitor, "", next, query.sent.is_some()).await
}

async fn sign_in_page(
    visitor: &Visitor,
    login: &str,
    next: &str,
    sent: bool,
) -> Result<HttpResponse, Problem> {
    // Public tournaments are for visitors who came to the front page without a login.
    let open = match next {
        "/" => open_tournaments(visitor, MOST_TOURNAMENTS).await?,
        _ => TournamentCards::default(),
    };
    let frame = visitor.frame(&visitor.t.get("sign-in-title"), None);
    let (may_register, tournaments) = (is_open(visitor), cards_of(visitor, &open));
    let forgotten = visitor.service.mail.is_some().then_some(sent);
    let page = SignInPage { t: visitor.t, frame, login, next, may_register, forgotten, tournaments };
    visitor.answer(page.render())
}

#[derive(serde::Deserialize)]
pub(super) struct SignInQuery {
    next: Option<String>,
    /// There if a link for a new password was just asked for.
    sent: Option<String>,
}

pub(super) async fn post_sign_in(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let (login, next) = (form.text("login"), local(form.text("next")));
    let signed_in = visitor.service.desk.sign_in(login, form.exact("password").into(), visitor.address).await;
    let unsent = Unsent::of_sign_in(&form);
    match (signed_in, unsent) {
        (Ok(tokens), Some(unsent)) => unsent.after_sign_in(&request, &tokens).await,
        (Ok(tokens), None) => enter(&request, &tokens, next),
        (Err(refused), unsent) => {
            let visitor = visitor.refused(request.path(), &form, &refused.into());
            match unsent {
                Some(unsent) => visitor.answer(unsent.page(&visitor, login)),
                None => sign_in_page(&visitor, login, next, false).await,
            }
        }
    }
}

/// Sends a link for a new password, if there is such a login. Nobody is told whether there is.
pub(super) async fn forgot_password(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let (named, language) = (form.text("named").to_owned(), Some(visitor.t.language));
    match visitor.service.mail_forgotten(named, visitor.address, language).await {
        Ok(()) => Ok(redirect("/sign-in?sent")),
        Err(problem) => sign_in_page(&visitor.refused(request.path(), &form, &problem), "", "/", false).await,
    }
}

pub(super) async fn sign_out(visitor: Visitor, _form: Form) -> Result<HttpResponse, Problem> {
    if let Ok(actor) = visitor.actor() {
        visitor.service.desk.sign_out(actor).await?;
    }
    go("/sign-in", session::signed_out())
}

pub(super) async fn set_up(visitor: Visitor) -> Result<HttpResponse, Problem> {
    if visitor.club.state.has_admin() {
        return Ok(redirect("/"));
    }
    set_up_page(&visitor, &Form::default())
}

fn set_up_page(visitor: &Visitor, typed: &Form) -> Result<HttpResponse, Problem> {
    let frame = visitor.frame(&visitor.t.get("setup-title"), None);
    visitor.answer(SetUpPage { t: visitor.t, frame, typed }.render())
}

pub(super) async fn post_set_up(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let done = match set_up_of(&form, visitor.t.language) {
        Ok(set_up) => visitor.service.desk.set_up(set_up).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match done {
        Ok(tokens) => enter(&request, &tokens, "/"),
        Err(problem) => set_up_page(&visitor.refused(request.path(), &form, &problem), &form),
    }
}

fn set_up_of(form: &Form, language: Language) -> Result<SetUp, Problem> {
    let settings = Settings {
        name: form.value("club")?,
        time_zone: form.value("time_zone")?,
        language,
        currencies: Currencies::default(),
        public: Public::default(),
        exposure_limit: None,
        rating_experience: Experience::default(),
        highest_cube: HighestCube::default(),
        self_registration: SelfRegistration::default(),
        seat_words: SeatWords::default(),
        adjustment_limit: None,
        iban: None,
        seasons: Seasons::default(),
    };
    Ok(SetUp {
        code: form.text("code").to_owned(),
        settings,
        login: form.value("login")?,
        password: form.exact("password").into(),
    })
}

/// The page that a link opens.
pub(super) async fn claim(visitor: Visitor, secret: web::Path<String>) -> Result<HttpResponse, Problem> {
    let link = visitor.service.desk.link_view(&secret).await.map_err(Problem::from)?;
    claim_page(&visitor, &secret, &link, &Form::default())
}

fn claim_page(
    visitor: &Visitor,
    secret: &str,
    link: &LinkView,
    typed: &Form,
) -> Result<HttpResponse, Problem> {
    let frame = visitor.frame(&visitor.t.get("claim-title"), None);
    // The page belongs to the holder of the link, no matter who is signed in on this device.
    let frame = Frame { viewer: None, ..frame };
    visitor.answer(ClaimPage { t: visitor.t, frame, secret, link, typed }.render())
}

/// Claims a link and signs in.
pub(super) async fn post_claim(
    request: HttpRequest,
    visitor: Visitor,
    secret: web::Path<String>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let desk = &visitor.service.desk;
    let link = desk.link_view(&secret).await.map_err(Problem::from)?;
    let claimed = match claim_of(&form, link.purpose) {
        Ok(claim) => desk.claim_link(&secret, claim).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match claimed {
        Ok(tokens) => enter(&request, &tokens, "/"),
        Err(problem) if problem.status == not_found().status => Err(problem),
        Err(problem) => claim_page(&visitor.refused(request.path(), &form, &problem), &secret, &link, &form),
    }
}

fn claim_of(form: &Form, purpose: Purpose) -> Result<Claim, Problem> {
    let login = match purpose {
        Purpose::Invite => Some(form.value("login")?),
        Purpose::Reset => None,
    };
    Ok(Claim { login, password: form.exact("password").into() })
}
