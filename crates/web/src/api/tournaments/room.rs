//! A tournament's room: who waits for a table, who plays, what needs the director.

use std::collections::BTreeMap;

use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::players_of;
use crate::api::{Routes, etag};
use crate::caller::MaybeCaller;
use crate::problem::Problem;
use crate::service::Service;
use owlbox_domain::tournament::Tournament;
use owlbox_domain::tournament::room::MatchRef;
use owlbox_domain::tournament::view::MatchView;
use owlbox_domain::values::{PlayerId, TournamentId};

pub(super) fn configure(config: &mut impl Routes) {
    config.service(show_room);
}

/// So many matches of each kind are shown.
const MOST_SHOWN: usize = 200;

/// What goes on in the room.
#[derive(Debug, Serialize, ToSchema)]
pub struct Queue {
    /// Matches that can be called, those that have waited longest first.
    pub ready: Vec<MatchView>,
    /// Matches that are to be called later.
    pub postponed: Vec<MatchView>,
    /// Matches called, or under way, the longest first.
    pub playing: Vec<MatchView>,
    /// Matches of which one player has said how they ended, or both have said different things.
    pub reported: Vec<MatchView>,
    /// What the players are called.
    pub names: BTreeMap<PlayerId, String>,
}

/// Shows what goes on in the room: who waits for a table, who plays, what needs the director.
///
/// Of each kind the first 200; the matches of a division can all be listed. Needs `view_tournaments`, unless it is public.
#[utoipa::path(
    operation_id = "show_room",
    tag = "tournaments",
    security((), ("bearer" = [])),
    params(("id" = TournamentId, Path, description = "The tournament")),
    responses((status = 200, body = Queue, headers(("ETag" = String))), (status = 404, body = Problem))
)]
#[get("/tournaments/{id}/queue")]
async fn show_room(
    service: web::Data<Service>,
    caller: MaybeCaller,
    id: web::Path<TournamentId>,
) -> Result<HttpResponse, Problem> {
    let (stream, _) = service.desk.visible::<Tournament>(caller.actor(), *id).await?;
    let (tournament, now) = (&stream.state, service.desk.now());
    let views = |refs: &mut dyn Iterator<Item = MatchRef>| -> Vec<MatchView> {
        refs.filter_map(|at| tournament.match_view(at)).collect()
    };
    let ready =
        views(&mut tournament.waiting().filter(|at| tournament.may_be_called(*at, now)).take(MOST_SHOWN));
    let postponed = views(&mut tournament.room.postponed.keys().copied().take(MOST_SHOWN));
    let playing = views(&mut tournament.playing().into_iter().take(MOST_SHOWN));
    let reported = views(&mut tournament.reported().take(MOST_SHOWN));
    let all = ready.iter().chain(&postponed).chain(&playing).chain(&reported);
    let names = service.desk.names(players_of(all)).await?;
    let body = Queue { ready, postponed, playing, reported, names };
    Ok(HttpResponse::Ok().insert_header(etag(stream.version)).json(body))
}
