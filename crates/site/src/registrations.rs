//! An admin confirms or declines registrations, on the settings page.

use actix_web::{HttpRequest, HttpResponse, web};
use uuid::Uuid;

use super::form::Form;
use super::naming;
use super::registering::{confirmed_at, is_in_the_club};
use super::settings::{self, Shown};
use super::visitor::{Visitor, redirect};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{AccountId, PlayerId};
use owlbox_books::club::meant::spelled;
use owlbox_books::club::players::PlayerName;
use owlbox_desk::access::registrations::{Confirmation, Registration};
use owlbox_desk::people::players::Entrant;
use owlbox_desk::{Refused, Request};
use owlbox_http::problem::Problem;

/// Confirms a registration, for the player of that name or for a new one.
pub(super) async fn confirm(
    visitor: Visitor,
    id: web::Path<Uuid>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    match confirmed(&visitor, *id, &form).await {
        Ok(account) => Ok(redirect(&format!("/settings?saved#account-{account}"))),
        Err(problem) => again(visitor, &confirmed_at(&id), &form, &problem).await,
    }
}

/// The settings with a form that was refused.
async fn again(
    visitor: Visitor,
    action: &str,
    form: &Form,
    problem: &Problem,
) -> Result<HttpResponse, Problem> {
    settings::page(&visitor.refused(action, form, problem), Shown::default()).await
}

async fn confirmed(visitor: &Visitor, id: Uuid, form: &Form) -> Result<AccountId, Problem> {
    let (desk, actor) = (&visitor.service.desk, visitor.actor()?);
    visitor.require(Permission::ManageAccounts)?;
    let asked = desk.registrations(&actor).await?.into_iter().find(|one| one.id == id);
    let asked = asked.ok_or(Refused::NotFound("registration"))?;
    let choice = form.some(&naming::choice_beside("player"));
    let player = match naming::entrant(form.text("player"), choice, "player")? {
        Entrant::Player(player) => Some(player),
        Entrant::New(_) => None,
        Entrant::Named(name) => named(visitor, form, &asked, name).await?,
    };
    let done = desk.confirm_registration(Request::by(actor), id, Confirmation { player }).await?;
    Ok(done.1.id)
}

/// The player who is named for a registration; `None` for a new one, of the name that was asked for.
async fn named(
    visitor: &Visitor,
    form: &Form,
    asked: &Registration,
    name: PlayerName,
) -> Result<Option<PlayerId>, Problem> {
    let is_same_name = spelled(&asked.name) == spelled(name.as_str());
    if let Some(known) = form.some("known").filter(|_| is_same_name) {
        // The player that the page showed: somebody who got that name since is a different person.
        return Ok(Some(known.parse().map_err(|_| Refused::NotFound("player"))?));
    }
    let found = visitor.service.desk.player_meant(name).await?.player("player")?;
    match found.filter(|player| is_in_the_club(visitor, *player)) {
        _ if is_same_name => Ok(None),
        Some(player) => Ok(Some(player)),
        None => Err(Refused::NotFound("player").into()),
    }
}

pub(super) async fn decline_all(
    visitor: Visitor,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    match visitor.service.desk.decline_registrations(visitor.actor()?).await {
        Ok(()) => Ok(redirect("/settings?saved")),
        Err(refused) => again(visitor, request.path(), &form, &refused.into()).await,
    }
}

pub(super) async fn decline(
    visitor: Visitor,
    id: web::Path<Uuid>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    match visitor.service.desk.decline_registration(visitor.actor()?, *id).await {
        Ok(()) => Ok(redirect("/settings?saved#registrations")),
        Err(refused) => again(visitor, request.path(), &form, &refused.into()).await,
    }
}
