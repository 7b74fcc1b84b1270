//! The room of a tournament: matches that wait for a table, matches in play, reports for the director.

use std::collections::BTreeMap;

use actix_web::{HttpResponse, get, web};
use serde::Serialize;

use super::players_of;
use crate::{Routes, etag};
use owlbox_base::permissions::Scope;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_desk::tournaments::scope::scope;
use owlbox_http::caller::MaybeCaller;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_play::tournament::queue::Task;
use owlbox_play::tournament::room::{MatchRef, TableNo};
use owlbox_play::tournament::view::MatchView;
use owlbox_play::tournament::{CommandKind, Tournament};

pub(super) fn configure(config: &mut impl Routes) {
    config.service(show_room);
}

/// The most matches of each kind in an answer.
const MOST_SHOWN: usize = 200;

/// The matches of the room.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Queue {
    /// Matches that can be called now, those that have waited longest first.
    pub ready: Vec<MatchView>,
    /// Matches postponed until later.
    pub postponed: Vec<MatchView>,
    /// Matches called or in play, the earliest called first.
    pub playing: Vec<MatchView>,
    /// Matches that one player has reported a result for, or both with different results.
    pub reported: Vec<MatchView>,
    /// The tables that are open and empty, lowest first; at most 200.
    pub free_tables: Vec<TableNo>,
    /// The most urgent thing to see to, of what the caller may do; `null` for callers who may not `call`
    /// matches.
    pub next: Option<Task>,
    /// The names of the players.
    pub names: BTreeMap<PlayerId, String>,
}

/// Shows the room: matches that wait for a table, matches in play, reports for the director.
///
/// At most 200 of each kind; a division's list of matches has all of them. Needs `view_tournaments`, unless
/// the tournament is public.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(("id" = TournamentId, Path, description = "The tournament")),
    responses((status = 200, body = Queue, headers(("ETag" = String))))
))]
#[get("/tournaments/{id}/queue")]
async fn show_room(
    service: Service,
    caller: MaybeCaller,
    id: web::Path<TournamentId>,
) -> Result<HttpResponse, Problem> {
    let (stream, principal) = service.desk.visible::<Tournament>(caller.actor(), *id).await?;
    let tournament = &stream.state;
    let views = |matches: &[MatchRef]| -> Vec<MatchView> {
        matches.iter().take(MOST_SHOWN).filter_map(|at| tournament.match_view(*at)).collect()
    };
    let queue = tournament.queue(service.desk.now());
    let may = |command: CommandKind| {
        principal.is_some_and(|principal| scope(&principal, tournament, command) == Scope::Anybody)
    };
    let body = Queue {
        ready: views(&queue.ready),
        postponed: views(&queue.postponed),
        playing: views(&queue.playing),
        reported: views(&queue.reported),
        free_tables: tournament.room.free_tables().take(MOST_SHOWN).collect(),
        next: may(CommandKind::Call).then(|| tournament.task(&queue, may)),
        names: BTreeMap::new(),
    };
    let all = body.ready.iter().chain(&body.postponed).chain(&body.playing).chain(&body.reported);
    let names = service.desk.names(players_of(all)).await?;
    Ok(HttpResponse::Ok().insert_header(etag(stream.version)).json(Queue { names, ..body }))
}
