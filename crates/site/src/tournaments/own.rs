//! The signed-in player's own page: their way, which everybody sees, with a form for reporting results.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template as _;

use super::TournamentData;
use super::link::ReportedScore;
use super::words::from_in_words;
use crate::form::Form;
use crate::visitor::{self, Visitor, redirect};
use owlbox_base::code::Code;
use owlbox_base::permissions::Scope;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_desk::Refused;
use owlbox_desk::people::players::Origin;
use owlbox_desk::tournaments::scope::scope;
use owlbox_desk::tournaments::{Order, TournamentReader};
use owlbox_http::problem::{Problem, not_found};
use owlbox_play::tournament::bracket::EntryNo;
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::{CommandKind, Tournament};

/// A player's way through the tournament: the current match, and those before.
pub(crate) async fn show(
    visitor: Visitor,
    path: web::Path<(TournamentId, PlayerId)>,
) -> Result<HttpResponse, Problem> {
    let (id, player) = path.into_inner();
    page(&visitor, id, player, None).await
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
    let (data, ()) = TournamentData::load(&visitor, id, |_| Ok(())).await?;
    let division = form.text("division").parse().map(DivisionNo).map_err(|_| not_found())?;
    let said = match ReportedScore::from_form(&form, request.path()) {
        Err(problem) if problem.status != 404 => return page(&visitor, id, player, Some(problem)).await,
        said => said?,
    };
    let of = data.division(division)?;
    let at = of.bracket.get(said.number()).ok_or(Refused::NotFound("match"))?;
    let of_player = |entry: &EntryNo| of.entry(*entry).is_some_and(|entry| entry.player == player);
    let mut sit = at.occupants.into_iter().filter_map(|occupant| occupant.entry());
    // If none of the player's entries sits there any more, the newest one reports, and is refused with the
    // reason.
    let entry = sit.find(of_player).or_else(|| of.entry_of(player)).ok_or(Refused::NotFound("entry"))?;
    let (command, request) = said.by(division, entry, actor);
    match visitor.service.desk.command::<Tournament>(request, id, Order::Command(command)).await {
        Ok(_) => Ok(redirect(&data.way_of(player))),
        Err(refused) if refused.code() == Code::NothingChanges => Ok(redirect(&data.way_of(player))),
        Err(refused) => page(&visitor, id, player, Some(refused.into())).await,
    }
}

async fn page(
    visitor: &Visitor,
    id: TournamentId,
    player: PlayerId,
    problem: Option<Problem>,
) -> Result<HttpResponse, Problem> {
    let (data, from) = TournamentData::load(visitor, id, move |looking| {
        if entries_of(&looking.stream().state, player).next().is_none() {
            return Err(Refused::NotFound("entry"));
        }
        way_of(looking, player)
    })
    .await?;
    let mut page = data.entrant_page(visitor, player, &from_in_words(from.as_ref()));
    let plays = data.reports_for(player).then(|| data.plays_as(player)).flatten();
    page.report =
        plays.and_then(|(division, entry)| data.report_form(visitor, division, entry, &data.way_of(player)));
    let status = problem.as_ref().map_or(StatusCode::OK, visitor::status);
    page.frame.notice = problem.map(|problem| visitor.notice(&problem)).or(page.frame.notice);
    visitor::html(status, page.render())
}

/// Looks for what a player's way names: everybody in the matches on it. Returns where the player comes from.
pub(super) fn way_of(
    looking: &mut TournamentReader<'_>,
    player: PlayerId,
) -> Result<Option<Origin>, Refused> {
    let stream = looking.stream();
    looking.name([player]);
    for (division, entry) in entries_of(&stream.state, player) {
        let Some(of) = stream.state.division(division) else { continue };
        let path = of.bracket.path(entry).map(|(number, _)| MatchRef { division, number });
        looking.name(stream.state.players_in(&path.collect::<Vec<_>>()));
    }
    Ok(looking.origins(&[player])?.remove(&player))
}

/// Every entry of a player, in each division the newest first.
fn entries_of(state: &Tournament, player: PlayerId) -> impl Iterator<Item = (DivisionNo, EntryNo)> {
    state.divisions().flat_map(move |(number, of)| {
        let before = |entry: &EntryNo| of.entry(*entry)?.again;
        std::iter::successors(of.entry_of(player), before).map(move |entry| (number, entry))
    })
}

impl TournamentData {
    /// The viewer's own page, if they play here.
    pub(super) fn own_page(&self) -> Option<String> {
        let player = self.principal.and_then(|principal| principal.player)?;
        entries_of(self.state(), player).next().map(|_| self.way_of(player))
    }

    /// Whether the viewer is this player and may report results.
    pub(super) fn reports_for(&self, player: PlayerId) -> bool {
        let own = |principal: &owlbox_desk::Principal| {
            let reaches = scope(principal, self.state(), CommandKind::Report);
            principal.player == Some(player) && reaches != Scope::Nobody
        };
        self.principal.as_ref().is_some_and(own)
    }

    /// The entry with which a player can play now; of several, one whose match has been called.
    fn plays_as(&self, player: PlayerId) -> Option<(DivisionNo, EntryNo)> {
        let ready = |(division, entry): (DivisionNo, EntryNo)| {
            let (number, at) = self.state().division(division)?.current(entry)?;
            let called = self.state().room.calls.contains_key(&MatchRef { division, number });
            at.is_ready().then_some((!called, (division, entry)))
        };
        entries_of(self.state(), player)
            .filter_map(ready)
            .min_by_key(|(waits, _)| *waits)
            .map(|(_, plays)| plays)
    }
}
