//! The front page of the desk: what needs doing next.

use actix_web::HttpResponse;

use super::{DirectorData, status};
use crate::problem::Problem;
use crate::site::visitor::{self, Visitor};
use owlbox_domain::tournament::CommandKind;
use owlbox_domain::values::TournamentId;
use owlbox_pages::LivePage as _;
use owlbox_pages::Tab;
use owlbox_pages::directing::now::MatchLists;
use owlbox_pages::directing::{NowPage, words};
use owlbox_pages::url::encoded;

/// The current desk, whole or only its live part.
pub(super) async fn answer(
    visitor: &Visitor,
    id: TournamentId,
    find: &str,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let mut data = DirectorData::load(visitor, id, CommandKind::Call).await?;
    let shown = MatchLists::new(&data.stream.state, visitor.service.desk.now());
    let mut players = words::in_matches(&data.stream.state, &shown.with_players_named(find));
    players.extend(data.stream.state.waiting_with_fees().iter().map(|fees| fees.player));
    data.name(visitor, players).await?;
    let frame = visitor.frame(&visitor.t.get("desk"), Some(Tab::Tournaments));
    let here = if find.is_empty() { String::new() } else { format!("?find={}", encoded(find)) };
    let page = data
        .render(visitor, &here, problem, |context, desk| NowPage::new(context, frame, desk, &shown, find));
    visitor::html(status(problem), page.rendered(partial))
}
