//! The desk itself: what must be done next.

use actix_web::HttpResponse;
use askama::Template as _;

use super::{Told, status};
use crate::club::TournamentCommand;
use crate::values::TournamentId;
use crate::web::pages::Tab;
use crate::web::pages::directing::now::Shown;
use crate::web::pages::directing::{NowPage, words};
use crate::web::problem::Problem;
use crate::web::site::visitor::{self, Visitor, encoded};

/// The desk as it is now, whole or only its live part.
pub(super) async fn answer(
    visitor: &Visitor,
    id: TournamentId,
    find: &str,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let mut told = Told::of(visitor, id, TournamentCommand::Call).await?;
    let shown = Shown::of(&told.stream.state, visitor.service.desk.now());
    let mut players = words::in_matches(&told.stream.state, &shown.named(find));
    players.extend(told.stream.state.waiting_with_fees().iter().map(|fees| fees.player));
    told.name(visitor, players).await?;
    let frame = visitor.frame(&visitor.t.get("desk"), Some(Tab::Tournaments));
    let here = if find.is_empty() { String::new() } else { format!("?find={}", encoded(find)) };
    let page =
        told.shown(visitor, &here, problem, |scene, desk| NowPage::of(scene, frame, desk, &shown, find));
    visitor::html(status(problem), if partial { page.as_live().render() } else { page.render() })
}
