//! An admin confirms or declines registrations, on the settings page.

use actix_web::{HttpResponse, web};
use uuid::Uuid;

use super::form::Form;
use super::registering::is_in_the_club;
use super::settings::{Shown, again};
use super::visitor::{Visitor, redirect};
use crate::problem::Problem;
use owlbox_desk::access::registrations::Confirmation;
use owlbox_desk::{Refused, Request};
use owlbox_domain::club::players::PlayerName;
use owlbox_domain::permissions::Permission;
use owlbox_domain::values::AccountId;

/// Confirms a registration, for the player of that name or for a new one.
pub(super) async fn confirm(
    visitor: Visitor,
    id: web::Path<Uuid>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    match confirmed(&visitor, *id, &form).await {
        Ok(account) => Ok(redirect(&format!("/settings?saved#account-{account}"))),
        Err(problem) => again(&visitor, Shown::default(), &problem).await,
    }
}

async fn confirmed(visitor: &Visitor, id: Uuid, form: &Form) -> Result<AccountId, Problem> {
    let (desk, actor) = (&visitor.service.desk, visitor.actor()?);
    visitor.require(Permission::ManageAccounts)?;
    let asked = desk.registrations(&actor).await?.into_iter().find(|one| one.id == id);
    let asked = asked.ok_or(Refused::NotFound("registration"))?;
    let name: PlayerName = form.value("player")?;
    let is_same_name = asked.name.parse::<PlayerName>().is_ok_and(|asked| asked.key() == name.key());
    let player = if is_same_name {
        // The player that the page showed: somebody who got that name since is a different person.
        form.some("known").map(str::parse).transpose().map_err(|_| Refused::NotFound("player"))?
    } else {
        let found = desk.player_named(&name).await?.filter(|player| is_in_the_club(visitor, *player));
        Some(found.ok_or(Refused::NotFound("player"))?)
    };
    let done = desk.confirm_registration(Request::by(actor), id, Confirmation { player }).await?;
    Ok(done.1.account.id)
}

pub(super) async fn decline_all(visitor: Visitor, _form: Form) -> Result<HttpResponse, Problem> {
    match visitor.service.desk.decline_registrations(visitor.actor()?).await {
        Ok(()) => Ok(redirect("/settings?saved")),
        Err(refused) => again(&visitor, Shown::default(), &Problem::from(refused)).await,
    }
}

pub(super) async fn decline(
    visitor: Visitor,
    id: web::Path<Uuid>,
    _form: Form,
) -> Result<HttpResponse, Problem> {
    match visitor.service.desk.decline_registration(visitor.actor()?, *id).await {
        Ok(()) => Ok(redirect("/settings?saved#registrations")),
        Err(refused) => again(&visitor, Shown::default(), &Problem::from(refused)).await,
    }
}
