//! Tournaments: open one, direct it, view it. Divisions, the room and accounts have files of their own.

mod accounts;
mod divisions;
mod room;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::acts::{ActBody, act_body};
use crate::events::ListenQuery;
use crate::streams::{self, Resource, UndoEntryBody, undo_and_redo};
use owlbox_base::journal::{Aggregate as _, Stream, Version};
use owlbox_base::permissions::{OrderKind, Permission, Scope};
use owlbox_base::values::{Day, PlayerId, TournamentId};
use owlbox_desk::books::income::Period;
use owlbox_desk::commands::subject::{Preview, StreamAfter, StreamPreview};
use owlbox_desk::tournaments::{Filter, NewTournament, Order, TournamentSummary, scope};
use owlbox_desk::{Principal, Refused};
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::MaybeCaller;
use owlbox_http::paging::{Page, PageQuery, cursor, is_open, limit};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::ending::BeforeClosing;
use owlbox_play::tournament::event::{Event, GivenUp};
use owlbox_play::tournament::room::MatchRef;
use owlbox_play::tournament::view::{MatchView, Overview};
use owlbox_play::tournament::{CommandKind, Tournament};

pub(super) fn configure(config: &mut impl crate::Routes) {
    config.service(list_tournaments).service(copy_tournament);
    register(config);
    room::configure(config);
    accounts::configure(config);
    divisions::configure(config);
}

#[cfg(test)]
use super::schemas::{ActOf, CommandName, EventOf};
#[cfg(test)]
type ShownEvent = EventOf<Event>;
#[cfg(test)]
type ShownAct = ActOf<Event>;

/// An overview of a tournament, and the commands that the caller may give.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TournamentBody {
    pub id: TournamentId,
    /// The number of events so far; the `ETag`.
    pub version: Version,
    #[serde(flatten)]
    pub state: Overview,
    /// The commands that the caller may give, by name. The part that a command is about says whether it is
    /// possible now.
    #[cfg_attr(test, schema(value_type = Vec<CommandName>))]
    pub may: Vec<&'static str>,
    /// The act that the caller's `undo` would take back, and how many acts it may take back at once; null if
    /// none.
    pub undo: Option<UndoEntryBody>,
    /// The act that the caller's `redo` would put back, and how many acts it may put back at once; null if
    /// none.
    pub redo: Option<UndoEntryBody>,
}

/// The answer to a command: the new version, and the act.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TournamentAnswer {
    pub id: TournamentId,
    /// The version of the tournament after the act; the `ETag`.
    pub version: Version,
    /// What the command did.
    #[cfg_attr(test, schema(value_type = ShownAct))]
    pub act: ActBody,
}

/// The answer to a preview: what the command would do.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TournamentPreview {
    /// The events that would be recorded.
    #[cfg_attr(test, schema(value_type = Vec<ShownEvent>))]
    pub events: Vec<Box<RawValue>>,
    /// Every match that would change, as it is and as it would be.
    pub matches: Vec<TouchedMatch>,
    /// For a correction: entries that have to play a match again and give up their place in a last chance for
    /// it.
    pub given_up: Vec<GivenUp>,
    /// For `close`: fees that are given back, and prizes that nobody was given.
    pub before_closing: Option<BeforeClosing>,
    /// The names of the players in them.
    pub names: BTreeMap<PlayerId, String>,
}

/// A match that a command would change.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TouchedMatch {
    /// The match as it is.
    pub before: MatchView,
    /// The match as it would be.
    pub after: MatchView,
}

/// Parts of a tournament, with the names of the players in them.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Named<T> {
    /// This page, in order.
    pub items: Vec<T>,
    /// The `after` of the next page; null on the last one.
    pub next: Option<String>,
    /// The names of the players.
    pub names: BTreeMap<PlayerId, String>,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct ListQuery {
    /// Only open tournaments, or only closed ones.
    open: Option<bool>,
    /// Deprecated: the opposite of `open`.
    closed: Option<bool>,
    /// Only tournaments that begin on this day or later.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    from: Option<Day>,
    /// Only tournaments that begin on this day or earlier.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    until: Option<Day>,
    /// Entries per page.
    limit: Option<i64>,
    /// The `next` of the previous page.
    after: Option<String>,
}

/// Lists tournaments, newest first.
///
/// Without `view_tournaments`, only public ones.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(ListQuery),
    responses((status = 200, body = Page<TournamentSummary>))
))]
#[get("/tournaments")]
async fn list_tournaments(
    service: Service,
    caller: MaybeCaller,
    query: web::Query<ListQuery>,
) -> Result<web::Json<Page<TournamentSummary>>, Problem> {
    let principal = match caller.actor() {
        Some(actor) => Some(service.desk.principal(actor).await?),
        None => None,
    };
    let private = principal.is_some_and(|principal| principal.require(Permission::ViewTournaments).is_ok());
    let limit = limit(&service, query.limit)?;
    let after = cursor(query.after.as_deref())?;
    let goes_on = is_open(query.open, query.closed)?;
    let period = Period { from: query.from.map(Day::date), until: query.until.map(Day::date) };
    let filter = Filter { closed: goes_on.map(|goes_on| !goes_on), private, period };
    let tournaments = service.desk.tournaments(filter, after, limit + 1).await?;
    Ok(web::Json(Page::cut(tournaments, limit, |tournament: &TournamentSummary| tournament.id.to_string())))
}

streams::routes! {
    Tournament, TournamentId = "The tournament";
    TournamentBody, TournamentAnswer, TournamentPreview, ShownAct;

    /// Opens a tournament.
    ///
    /// `add_division` then adds its divisions. Needs `run_tournaments`.
    open "/tournaments": open_tournament(About),
        {"name": "Spring Open", "date": "2026-04-18", "place": "Torino", "currency": "EUR", "public": true};

    /// Shows an overview of a tournament: what it is, its divisions, its room.
    ///
    /// Entries, matches, places and money have addresses of their own. Needs `view_tournaments`, unless the
    /// tournament is public. With `If-None-Match` and the version's `ETag`, answers 304 while nothing has
    /// changed.
    show "/tournaments/{id}": show_tournament;

    /// Gives a command to a tournament.
    ///
    /// The body is one tagged object; `legal` of a match lists what can be done with it. `If-Match` with the
    /// `ETag` of the state you saw refuses the command if the tournament has moved on; `Idempotency-Key`
    /// makes a retry safe. Which permission it needs depends on the command; a login named by `set_directors`
    /// may give every command. For themselves, players need only `act_for_self` to `report` and, while
    /// entries are open, to `enter`.
    command "/tournaments/{id}/commands": command_tournament(Order),
        {"command": "result", "match": 1, "ended": {"ending": "played", "score": [7, 3]}};

    /// Shows what a command would do, without doing it.
    ///
    /// For a correction, an undo or a redo: every match that would change, as it is and as it would be. A
    /// draw is not shown before it is made. Needs what the command needs, and is refused where the command
    /// would be.
    preview "/tournaments/{id}/preview": preview_tournament,
        {"command": "correct", "match": 1, "ended": {"ending": "played", "score": [3, 7]}, "later": "void"};

    /// Reads the log of a tournament: its acts, newest first.
    ///
    /// Needs `view_tournaments`, unless the tournament is public. Whose money moved, and which login did
    /// something, is shown to callers who may see the accounts; others see only what is their own.
    log "/tournaments/{id}/acts": read_tournament_log;

    /// Follows a tournament live.
    ///
    /// Like a chouette: an event `act` for every act, with as much of it as the log shows the caller. Needs
    /// `view_tournaments`, unless the tournament is public. If it is made private, the stream ends at once
    /// for everybody without the permission.
    follow "/tournaments/{id}/events": follow_tournament;
}

/// Opens a tournament like an earlier one.
///
/// It gets the divisions of the earlier one, with their formats, lengths, fees, side pools and prizes, and
/// its tables, all in one act: no entries, no draws, no money. Its name, day and other details are those of
/// the request. Needs `run_tournaments`.
#[cfg_attr(test, utoipa::path(
    params(
        ("id" = TournamentId, Path, description = "The earlier tournament"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")
    ),
    request_body(
        content = About,
        example = json!({"name": "Summer Open", "date": "2026-07-18", "starts": "11:00", "currency": "EUR"})
    ),
    responses((status = 201, body = TournamentAnswer, headers(("ETag" = String), ("Location" = String))))
))]
#[post("/tournaments/{id}/copies")]
async fn copy_tournament(
    service: Service,
    id: web::Path<TournamentId>,
    ask: CommandRequest<About>,
) -> Result<HttpResponse, Problem> {
    let CommandRequest { request, body } = ask;
    let body = NewTournament { like: Some(*id), ..body.into() };
    streams::open::<Tournament>(&service, CommandRequest { request, body }).await
}

impl Resource for Tournament {
    const PATH: &'static str = "tournaments";

    type Body = TournamentBody;
    type Answer = TournamentAnswer;
    type Preview = TournamentPreview;

    async fn body(
        service: &Service,
        id: TournamentId,
        stream: &Arc<Stream<Self>>,
        principal: Option<&Principal>,
    ) -> Result<TournamentBody, Problem> {
        let mut state = stream.state.overview(service.desk.now()).ok_or(Refused::NotFound(Self::KIND))?;
        if !scope::viewer(principal, &stream.state).sees_accounts {
            state.directors.clear();
        }
        let [undo, redo] = undo_and_redo(service, stream, principal).await?;
        let may = commands_for(&stream.state, principal);
        Ok(TournamentBody { id, version: stream.version, state, may, undo, redo })
    }

    async fn answer(
        _: &Service,
        answer: StreamAfter<Self>,
        principal: &Principal,
    ) -> Result<TournamentAnswer, Problem> {
        let viewer = scope::viewer(Some(principal), &answer.stream.state);
        let act = act_body::<Self>(&answer.act, &viewer)?;
        Ok(TournamentAnswer { id: answer.id, version: act.version, act })
    }

    async fn preview(
        service: &Service,
        preview: Preview<Self>,
        principal: &Principal,
    ) -> Result<TournamentPreview, Problem> {
        let StreamPreview { before, after, .. } = &preview.here;
        let viewer = scope::viewer(Some(principal), &before.state);
        let events = act_body::<Self>(&after.act, &viewer)?.events;
        let touched = |at: MatchRef| {
            let was = before.state.match_view(at)?;
            Some(TouchedMatch { before: was, after: after.stream.state.match_view(at)? })
        };
        let matches: Vec<TouchedMatch> = preview.touched().into_iter().filter_map(touched).collect();
        let views = matches.iter().flat_map(|touched| [&touched.before, &touched.after]);
        let told = after.act.events();
        let given_up = told.iter().flat_map(Event::given_up).copied().collect();
        let closes = told.iter().any(|event| matches!(event, Event::Closed { .. }));
        let before_closing = closes.then(|| before.state.before_closing());
        let mut named = players_of(views);
        named.extend(before_closing.iter().flat_map(|before| &before.waiting).map(|fees| fees.player));
        let names = service.desk.names(named).await?;
        Ok(TournamentPreview { events, matches, given_up, before_closing, names })
    }
}

/// The commands that the principal may give to this tournament, for others or only for themselves.
fn commands_for(tournament: &Tournament, principal: Option<&Principal>) -> Vec<&'static str> {
    let Some(principal) = principal else { return Vec::new() };
    let may = |kind: &OrderKind<CommandKind>| scope::scope(principal, tournament, *kind) != Scope::Nobody;
    OrderKind::all().filter(may).map(OrderKind::name).collect()
}

/// Everybody who sits in these matches.
pub(super) fn players_of<'a>(views: impl Iterator<Item = &'a MatchView>) -> Vec<PlayerId> {
    let players: BTreeSet<PlayerId> =
        views.flat_map(|view| &view.slots).filter_map(|slot| slot.player).collect();
    players.into_iter().collect()
}
