//! The page that the code on a player's card opens: their next match, their table, and a form for the result.
//! It needs no password, and can do nothing else.

use actix_web::{HttpRequest, HttpResponse, web};

use super::entrant::{self, look_for_way};
use super::report::ReportedScore;
use crate::form::Form;
use crate::visitor::{Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::values::PlayerId;
use owlbox_desk::Refused;
use owlbox_desk::tournaments::links::Linked;
use owlbox_desk::tournaments::{Order, TournamentReader};
use owlbox_http::problem::Problem;
use owlbox_play::tournament::Tournament;

/// The entry that a link speaks for. An invalid link is not sent to the sign-in: only a new card would help.
async fn linked(visitor: &Visitor, link: &str) -> Result<Linked, Problem> {
    match visitor.service.desk.linked(link).await {
        Err(Refused::Unauthorised(_) | Refused::NotFound(_)) => {
            Err(Problem::new(Code::CardNoGood, "the link on this card is not valid any more"))
        }
        answer => Ok(answer?),
    }
}

pub(crate) async fn show(visitor: Visitor, link: web::Path<String>) -> Result<HttpResponse, Problem> {
    let linked = linked(&visitor, &link).await?;
    page(&visitor, &link, linked).await
}

/// Reports the result of the player's match.
pub(crate) async fn report(
    visitor: Visitor,
    link: web::Path<String>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let linked = linked(&visitor, &link).await?;
    let said = match ReportedScore::from_form(&form, request.path()) {
        Err(problem) if problem.status != 404 => {
            return page(&visitor.refused(request.path(), &form, &problem), &link, linked).await;
        }
        said => said?,
    };
    let Linked { actor, tournament, division, entry } = linked;
    let (command, given) = said.by(division, entry, actor);
    match visitor.service.desk.command::<Tournament>(given, tournament, Order::Command(command)).await {
        Ok(_) => Ok(redirect(&format!("/e/{link}"))),
        Err(refused) if refused.code() == Code::NothingChanges => Ok(redirect(&format!("/e/{link}"))),
        Err(refused) => page(&visitor.refused(request.path(), &form, &refused.into()), &link, linked).await,
    }
}

async fn page(visitor: &Visitor, link: &str, linked: Linked) -> Result<HttpResponse, Problem> {
    let player = PlayerId(linked.actor.account.0);
    let look = move |looking: &mut TournamentReader<'_>| look_for_way(looking, player);
    let desk = &visitor.service.desk;
    let (screen, from) = desk.tournament_screen(Some(&linked.actor), linked.tournament, look).await?;
    let plays = Some((linked.division, linked.entry));
    entrant::answer(visitor, &screen, (player, from), Some(link), plays)
}
