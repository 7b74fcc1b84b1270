//! Registering for a login, and the registrations that wait for an admin.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template as _;

use super::form::Form;
use super::visitor::{self, Visitor, redirect};
use owlbox_base::values::PlayerId;
use owlbox_books::club::players::PlayerName;
use owlbox_books::club::settings::SelfRegistration;
use owlbox_desk::access::registrations::{NewRegistration, Registration};
use owlbox_http::problem::Problem;

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
    let frame = visitor.frame(&visitor.t.get("register-title"), None);
    visitor::html(StatusCode::OK, page(&visitor, frame, None, query.asked.is_some()).render())
}

#[derive(serde::Deserialize)]
pub(super) struct RegisterQuery {
    asked: Option<String>,
}

fn page(
    visitor: &Visitor,
    frame: crate::pages::Frame,
    typed: Option<&Form>,
    asked: bool,
) -> crate::pages::Register {
    let text = |name: &str| typed.map_or(String::new(), |form| form.text(name).to_owned());
    // The page is a stranger's, whoever is signed in on this device.
    let frame = crate::pages::Frame { viewer: None, ..frame };
    crate::pages::Register { t: visitor.t, frame, name: text("name"), login: text("login"), asked }
}

pub(super) async fn post(visitor: Visitor, form: Form) -> Result<HttpResponse, Problem> {
    visitor.service.desk.takes_registrations().await?;
    let done = match asked_for(&form) {
        Ok(new) => visitor.service.desk.register(new, visitor.address).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match done {
        Ok(()) => Ok(redirect("/register?asked")),
        Err(problem) => {
            let frame = visitor.frame_about(&visitor.t.get("register-title"), None, &problem);
            visitor::html(visitor::status(&problem), page(&visitor, frame, Some(&form), false).render())
        }
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

/// Whether the player was not removed from the club. Somebody who was removed and returns is treated as new.
pub(super) fn is_in_the_club(visitor: &Visitor, player: PlayerId) -> bool {
    visitor.club.state.player(player).is_some_and(|entry| !entry.removed)
}
