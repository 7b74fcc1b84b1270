//! The front page of the desk: what needs doing next.

use actix_web::HttpResponse;

use super::status;
use crate::pages::LivePage as _;
use crate::pages::Tab;
use crate::pages::directing::NowPage;
use crate::pages::directing::now::MatchLists;
use crate::visitor::{self, Visitor};
use owlbox_base::values::TournamentId;
use owlbox_http::problem::Problem;
use owlbox_locale::url::encoded;
use owlbox_play::tournament::CommandKind;

/// The current desk, whole or only its live part.
pub(super) async fn answer(
    visitor: &Visitor,
    id: TournamentId,
    find: &str,
    partial: bool,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let sought = find.to_owned();
    let (screen, shown) = super::screen(visitor, id, CommandKind::Call, move |looking| {
        let stream = looking.stream();
        let shown = MatchLists::new(&stream.state, looking.now());
        looking.name(stream.state.players_in(&shown.with_players_named(&sought)));
        looking.name(stream.state.waiting_with_fees().iter().map(|fees| fees.player));
        Ok(shown)
    })
    .await?;
    let frame = visitor.frame(&visitor.t.get("desk"), Some(Tab::Tournaments));
    let here = if find.is_empty() { String::new() } else { format!("?find={}", encoded(find)) };
    let page = super::page(visitor, &screen, &here, problem, |context, desk| {
        NowPage::new(context, frame, desk, &shown, find)
    });
    visitor::html(status(problem), page.rendered(partial))
}
