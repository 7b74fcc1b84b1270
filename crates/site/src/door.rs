//! The door: setting up, signing in and out, claiming a link, choosing a language.

use actix_web::cookie::Cookie;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;

use super::form::{Form, OpenForm};
use super::registering::is_open;
use super::tournaments::{cards_of, open_tournaments};
use super::unsent::Unsent;
use super::visitor::{self, Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::permissions::Public;
use owlbox_books::club::Settings;
use owlbox_books::club::seasons::Seasons;
use owlbox_books::club::settings::{Currencies, HighestCube, SeatWords, SelfRegistration};
use owlbox_desk::access::links::{Claim, LinkView, Purpose};
use owlbox_desk::access::sessions::Tokens;
use owlbox_desk::access::set_up::SetUp;
use owlbox_desk::tournaments::TournamentCards;
use owlbox_http::problem::{Problem, not_found};
use owlbox_http::session::{self, local};
use owlbox_locale::{LANGUAGE_COOKIE, Language};
use owlbox_play::tournament::rating::Experience;

/// The most tournaments shown beside the sign-in.
const MOST_TOURNAMENTS: i64 = 6;

/// Redirects to `next` and sets these cookies.
pub(super) fn go(next: &str, cookies: Vec<Cookie<'static>>) -> Result<HttpResponse, Problem> {
    let mut answer = redirect(next);
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

/// Redirects to `next`, signed in.
pub(super) fn enter(request: &HttpRequest, tokens: &Tokens, next: &str) -> Result<HttpResponse, Problem> {
    go(next, session::signed_in(request, tokens))
}

pub(super) async fn language(request: HttpRequest, form: OpenForm) -> Result<HttpResponse, Problem> {
    let OpenForm(form) = form;
    let language = Language::from_tag(form.text("language")).unwrap_or_default();
    go(local(form.text("back")), vec![session::choice(&request, LANGUAGE_COOKIE, language.tag().to_owned())])
}

pub(super) async fn sign_in(
    visitor: Visitor,
    query: web::Query<SignInQuery>,
) -> Result<HttpResponse, Problem> {
    let next = local(query.next.as_deref().unwrap_or("/"));
    if visitor.principal.is_some() {
        return Ok(redirect(next));
    }
    let frame = visitor.frame(&visitor.t.get("sign-in-title"), None);
    let open = public_tournaments(&visitor, next).await?;
    let page = crate::pages::SignIn {
        t: visitor.t,
        frame,
        login: String::new(),
        next: next.to_owned(),
        may_register: is_open(&visitor),
        tournaments: cards_of(&visitor, &open),
    };
    visitor::html(StatusCode::OK, page.render())
}

/// The public tournaments, shown beside the sign-in to visitors who came to the front page without a login.
async fn public_tournaments(visitor: &Visitor, next: &str) -> Result<TournamentCards, Problem> {
    match next {
        "/" => open_tournaments(visitor, MOST_TOURNAMENTS).await,
        _ => Ok(TournamentCards::default()),
    }
}

#[derive(serde::Deserialize)]
pub(super) struct SignInQuery {
    next: Option<String>,
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
        (Err(refused), Some(unsent)) => {
            let problem = Problem::from(refused);
            unsent.page(&visitor, visitor::status(&problem), login, Some(&problem))
        }
        (Err(refused), None) => {
            let problem = Problem::from(refused);
            let frame = visitor.frame_about(&visitor.t.get("sign-in-title"), None, &problem);
            let open = public_tournaments(&visitor, next).await?;
            let (login, next) = (login.to_owned(), next.to_owned());
            let (may_register, tournaments) = (is_open(&visitor), cards_of(&visitor, &open));
            let page = crate::pages::SignIn { t: visitor.t, frame, login, next, may_register, tournaments };
            visitor::html(visitor::status(&problem), page.render())
        }
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
    let frame = visitor.frame(&visitor.t.get("setup-title"), None);
    visitor::html(StatusCode::OK, set_up_page(&visitor, frame, &Typed::default()).render())
}

/// What has been typed so far.
#[derive(Default)]
struct Typed<'a> {
    club: &'a str,
    time_zone: &'a str,
    login: &'a str,
}

fn set_up_page(visitor: &Visitor, frame: crate::pages::Frame, typed: &Typed<'_>) -> crate::pages::Setup {
    crate::pages::Setup {
        t: visitor.t,
        frame,
        club: typed.club.to_owned(),
        time_zone: if typed.time_zone.is_empty() { "Europe/Rome" } else { typed.time_zone }.to_owned(),
        login: typed.login.to_owned(),
        time_zones: time_zones(),
    }
}

/// Every time zone, as suggestions for typing.
pub(super) fn time_zones() -> Vec<&'static str> {
    let places = |name: &&'static str| name.contains('/') && !name.starts_with("Etc/");
    chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name()).filter(places).chain(["UTC"]).collect()
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
        Err(problem) => {
            let typed = Typed {
                club: form.text("club"),
                time_zone: form.text("time_zone"),
                login: form.text("login"),
            };
            let frame = visitor.frame_about(&visitor.t.get("setup-title"), None, &problem);
            visitor::html(visitor::status(&problem), set_up_page(&visitor, frame, &typed).render())
        }
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
    let link = visitor.service.desk.look_at_link(&secret).await.map_err(Problem::from)?;
    let frame = visitor.frame(&visitor.t.get("claim-title"), None);
    visitor::html(StatusCode::OK, claim_page(&visitor, frame, secret.into_inner(), link, "").render())
}

fn claim_page(
    visitor: &Visitor,
    frame: crate::pages::Frame,
    token: String,
    link: LinkView,
    typed: &str,
) -> crate::pages::Claim {
    let login = link.login.filter(|_| link.purpose == Purpose::Reset);
    // The page belongs to the holder of the link, whoever is signed in on this device.
    let frame = crate::pages::Frame { viewer: None, ..frame };
    crate::pages::Claim { t: visitor.t, frame, token, player: link.name, login, typed: typed.to_owned() }
}

/// Claims a link and signs in.
pub(super) async fn post_claim(
    request: HttpRequest,
    visitor: Visitor,
    secret: web::Path<String>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let desk = &visitor.service.desk;
    let link = desk.look_at_link(&secret).await.map_err(Problem::from)?;
    let claimed = match claim_of(&form, link.purpose) {
        Ok(claim) => desk.claim_link(&secret, claim).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match claimed {
        Ok(tokens) => enter(&request, &tokens, "/"),
        Err(problem) if problem.status == not_found().status => Err(problem),
        Err(problem) => {
            let frame = visitor.frame_about(&visitor.t.get("claim-title"), None, &problem);
            let page = claim_page(&visitor, frame, secret.into_inner(), link, form.text("login"));
            visitor::html(visitor::status(&problem), page.render())
        }
    }
}

fn claim_of(form: &Form, purpose: Purpose) -> Result<Claim, Problem> {
    let login = match purpose {
        Purpose::Invite => Some(form.value("login")?),
        Purpose::Reset => None,
    };
    Ok(Claim { login, password: form.exact("password").into() })
}
