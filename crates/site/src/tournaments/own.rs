//! The signed-in player's own page: their way, which everybody sees, with a form for reporting results.

use actix_web::{HttpRequest, HttpResponse, web};

use super::entrant::{self, look_for_way};
use super::player_page;
use super::report::ReportedScore;
use crate::form::Form;
use crate::visitor::{Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_desk::Refused;
use owlbox_desk::tournaments::Order;
use owlbox_http::problem::{Problem, not_found};
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::room::DivisionNo;

pub(crate) async fn show(
    visitor: Visitor,
    path: web::Path<(TournamentId, PlayerId)>,
) -> Result<HttpResponse, Problem> {
    let (id, player) = path.into_inner();
    page(&visitor, id, player).await
}

/// Reports the result of the player's match.
pub(crate) async fn report(
    visitor: Visitor,
    path: web::Path<(TournamentId, PlayerId)>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, player) = path.into_inner();
    let actor = visitor.actor()?;
    let (screen, ()) = super::screen(&visitor, id, |_| Ok(())).await?;
    let division = form.text("division").parse().map(DivisionNo).map_err(|_| not_found())?;
    let said = match ReportedScore::from_form(&form, request.path()) {
        Err(problem) if problem.status != 404 => {
            return page(&visitor.refused(request.path(), &form, &problem), id, player).await;
        }
        said => said?,
    };
    let of = screen.division(division)?;
    let at = of.bracket.get(said.match_number()).ok_or(Refused::NotFound("match"))?;
    let of_player = |entry: &EntryNo| of.entry(*entry).is_some_and(|entry| entry.player == player);
    let mut sit = at.occupants.into_iter().filter_map(|occupant| occupant.entry());
    // If none of the player's entries sits there any more, the newest one reports, and is refused with the
    // reason.
    let entry = sit.find(of_player).or_else(|| of.entry_of(player)).ok_or(Refused::NotFound("entry"))?;
    let (command, given) = said.by(division, entry, actor);
    match visitor.service.desk.command::<Tournament>(given, id, Order::Command(command)).await {
        Ok(_) => Ok(redirect(&player_page(id, player))),
        Err(refused) if refused.code() == Code::NothingChanges => Ok(redirect(&player_page(id, player))),
        Err(refused) => page(&visitor.refused(request.path(), &form, &refused.into()), id, player).await,
    }
}

async fn page(visitor: &Visitor, id: TournamentId, player: PlayerId) -> Result<HttpResponse, Problem> {
    let (screen, from) = super::screen(visitor, id, move |looking| {
        if looking.stream().state.entries_of(player).is_empty() {
            return Err(Refused::NotFound("entry"));
        }
        look_for_way(looking, player)
    })
    .await?;
    let plays = screen.state().plays_as(player).filter(|_| screen.reports_as(player));
    entrant::answer(visitor, &screen, (player, from), None, plays)
}
