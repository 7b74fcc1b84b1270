//! Registering for a login, and the registrations that wait for an admin.

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use uuid::Uuid;

use super::form::Form;
use super::visitor::{Visitor, redirect};
use crate::pages::Frame;
use owlbox_base::values::PlayerId;
use owlbox_books::club::players::PlayerName;
use owlbox_books::club::settings::SelfRegistration;
use owlbox_desk::access::registrations::{NewRegistration, Registration};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;

/// `/register?asked`
#[derive(Template)]
#[template(path = "register.html")]
pub(crate) struct RegisterPage<'a> {
    pub t: Locale,
    pub frame: Frame,
    /// What was typed and refused.
    pub typed: &'a Form,
    /// Whether the request was just sent and now waits for approval.
    pub asked: bool,
}

/// Whether people may register by themselves, which the sign-in page then offers.
pub(super) fn is_open(visitor: &Visitor) -> bool {
    visitor.settings().self_registration == SelfRegistration::Confirmed
}

/// The page to register on. With `?asked` it says that the registration was received.
pub(super) async fn show(
    visitor: Visitor,
    query: web::Query<RegisterQuery>,
) -> Result<HttpResponse, Problem> {
    if !is_open(&visitor) {
        return Ok(redirect("/sign-in"));
    }
    page(&visitor, &Form::default(), query.asked.is_some())
}

#[derive(serde::Deserialize)]
pub(super) struct RegisterQuery {
    asked: Option<String>,
}

fn page(visitor: &Visitor, typed: &Form, asked: bool) -> Result<HttpResponse, Problem> {
    let frame = visitor.frame(&visitor.t.get("register-title"), None);
    // The page is a stranger's, no matter who is signed in on this device.
    let frame = Frame { viewer: None, ..frame };
    visitor.answer(RegisterPage { t: visitor.t, frame, typed, asked }.render())
}

pub(super) async fn post(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    visitor.service.desk.takes_registrations().await?;
    let done = match asked_for(&form) {
        Ok(new) => visitor.service.desk.register(new, visitor.address).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match done {
        Ok(()) => Ok(redirect("/register?asked")),
        Err(problem) => page(&visitor.refused(request.path(), &form, &problem), &form, false),
    }
}

fn asked_for(form: &Form) -> Result<NewRegistration, Problem> {
    Ok(NewRegistration {
        name: form.value("name")?,
        login: form.value("login")?,
        password: form.exact("password").into(),
    })
}

/// The registrations for the settings page, each with the player of the same name, if there is one.
pub(super) async fn list(visitor: &Visitor) -> Result<Vec<(Registration, Option<PlayerId>)>, Problem> {
    let desk = &visitor.service.desk;
    let waiting = desk.registrations(&visitor.actor()?).await?;
    let name_of = |one: &Registration| one.name.parse::<PlayerName>().ok();
    let meant = desk.players_meant(waiting.iter().filter_map(name_of).collect()).await?;
    let line = |one: Registration| {
        let meant = meant.iter().find(|meant| meant.name.as_str() == one.name);
        let known = meant.and_then(|meant| meant.player("player").ok().flatten());
        let known = known.filter(|player| is_in_the_club(visitor, *player));
        (one, known)
    };
    Ok(waiting.into_iter().map(line).collect())
}

/// The address of the form that confirms a registration.
pub(super) fn confirmed_at(id: &Uuid) -> String {
    format!("/settings/registrations/{id}/confirm")
}

/// Whether the player was not removed from the club. Somebody who was removed and returns is treated as new.
pub(super) fn is_in_the_club(visitor: &Visitor, player: PlayerId) -> bool {
    visitor.club.state.player(player).is_some_and(|entry| !entry.removed)
}
