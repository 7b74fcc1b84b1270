//! Tournaments: open one, direct it, look at it. What is in its divisions has a file of its own.

mod divisions;

use std::collections::{BTreeMap, BTreeSet};

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use crate::api::acts::{ActBody, ActOf, EventOf, act_body, log};
use crate::api::chouettes::{MarkBody, etag, mark_within};
use crate::api::{Page, PageQuery, cursor, limit};
use owlbox_desk::tournaments::{Answer, Filter, Order, Preview, Row, reach};
use owlbox_desk::{Actor, Authority, Refused};
use owlbox_domain::club::{Permission, Reach, TournamentCommand};
use owlbox_domain::journal::{Deed, Marks, Stream, Version};
use owlbox_domain::tournament::Tournament;
use owlbox_domain::tournament::about::About;

use crate::ask::Ask;
use crate::caller::MaybeCaller;
use crate::problem::Problem;
use crate::service::Service;
use owlbox_domain::tournament::ending::BeforeClosing;
use owlbox_domain::tournament::event::{Event, EventKind, GivenUp};
use owlbox_domain::tournament::room::MatchRef;
use owlbox_domain::tournament::view::{MatchView, Overview};
use owlbox_domain::values::{PlayerId, Timestamp, TournamentId};

pub(super) fn configure(config: &mut impl crate::api::Routes) {
    config
        .service(list)
        .service(open)
        .service(show)
        .service(give_command)
        .service(preview_command)
        .service(read_log)
        .service(show_room)
        .service(list_accounts)
        .service(crate::api::events::follow_tournament);
    divisions::configure(config);
}

/// An event as it is shown.
type ShownEvent = EventOf<Event>;
/// An act as it is shown.
type ShownAct = ActOf<Event>;

/// A tournament as it is, at a glance.
#[derive(Debug, Serialize, ToSchema)]
pub struct TournamentBody {
    /// Which.
    pub id: TournamentId,
    /// The number of events so far; the `ETag`.
    pub version: Version,
    /// The tournament.
    #[serde(flatten)]
    pub state: Overview,
    /// The commands that the caller may give, by name; whether one is possible now says the part that it is about.
    pub may: Vec<TournamentCommand>,
    /// The act that the caller's `undo` would take back, and how many he may at once.
    pub undo: Option<MarkBody>,
    /// The act that the caller's `redo` would put back, and how many he may at once.
    pub redo: Option<MarkBody>,
}

/// The answer to a command.
#[derive(Debug, Serialize, ToSchema)]
pub struct TournamentAnswer {
    /// Which tournament.
    pub id: TournamentId,
    /// Its version after it; the `ETag`.
    pub version: Version,
    /// What it did.
    #[schema(value_type = ShownAct)]
    pub act: ActBody,
}

/// The answer to a preview.
#[derive(Debug, Serialize, ToSchema)]
pub struct TournamentPreview {
    /// What would happen.
    #[schema(value_type = Vec<ShownEvent>)]
    pub events: Vec<Box<RawValue>>,
    /// Every match that would be touched, as it is and as it would be.
    pub matches: Vec<TouchedMatch>,
    /// Of a correction: who has a match to play again, and gives up the last chance that he plays.
    pub given_up: Vec<GivenUp>,
    /// Of `close`: whose fees it gives back, and what prizes nobody was given.
    pub before_closing: Option<BeforeClosing>,
    /// What the players in them are called.
    pub names: BTreeMap<PlayerId, String>,
}

/// A match that a command would touch.
#[derive(Debug, Serialize, ToSchema)]
pub struct TouchedMatch {
    /// As it is.
    pub before: MatchView,
    /// As it would be.
    pub after: MatchView,
}

/// A tournament at a glance.
#[derive(Debug, Serialize, ToSchema)]
pub struct TournamentSummary {
    /// Which.
    pub id: TournamentId,
    /// What it is called.
    pub name: String,
    /// The day on which it begins.
    pub date: NaiveDate,
    /// Whether it is over.
    pub closed: bool,
    /// Whether everybody may look at it.
    pub public: bool,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it was over.
    pub closed_at: Option<Timestamp>,
}

impl From<Row> for TournamentSummary {
    fn from(row: Row) -> Self {
        Self {
            id: row.id.into(),
            name: row.name,
            date: row.date,
            closed: row.closed_at.is_some(),
            public: row.public,
            opened_at: row.opened_at.into(),
            closed_at: row.closed_at.map(Into::into),
        }
    }
}

/// Parts of a tournament with what their players are called.
#[derive(Debug, Serialize, ToSchema)]
pub struct Named<T> {
    /// The parts.
    pub items: Vec<T>,
    /// What `after` must be for the next page; null on the last one.
    pub next: Option<String>,
    /// What the players named are called.
    pub names: BTreeMap<PlayerId, String>,
}

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

/// What a player is owed of a tournament, or owes.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerAccount {
    /// Who.
    pub player: PlayerId,
    /// What he is owed, in minor units; below zero he owes.
    pub amount: i64,
}

/// Which tournaments.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct ListQuery {
    /// Only closed ones, or only open ones.
    closed: Option<bool>,
    /// Entries a page.
    limit: Option<i64>,
    /// The `next` of the page before.
    after: Option<String>,
}

/// Lists tournaments, newest first.
///
/// Without `view_tournaments` only public ones.
#[utoipa::path(
    operation_id = "list_tournaments",
    tag = "tournaments",
    security((), ("bearer" = [])),
    params(ListQuery),
    responses((status = 200, body = Page<TournamentSummary>), (status = 401, body = Problem))
)]
#[get("/tournaments")]
async fn list(
    service: web::Data<Service>,
    caller: MaybeCaller,
    query: web::Query<ListQuery>,
) -> Result<web::Json<Page<TournamentSummary>>, Problem> {
    let authority = match caller.actor() {
        Some(actor) => Some(service.desk.authority(actor).await?),
        None => None,
    };
    let private = authority.is_some_and(|authority| authority.require(Permission::ViewTournaments).is_ok());
    let limit = limit(&service, query.limit)?;
    let after = cursor(query.after.as_deref())?;
    let filter = Filter { closed: query.closed, private };
    let rows = service.desk.tournaments(filter, after, limit + 1).await?;
    let items = rows.into_iter().map(TournamentSummary::from).collect();
    Ok(web::Json(Page::cut(items, limit, |tournament: &TournamentSummary| tournament.id.to_string())))
}

/// Opens a tournament.
///
/// Its divisions come with `add_division`. Needs `run_tournaments`.
#[utoipa::path(
    operation_id = "open_tournament",
    tag = "tournaments",
    request_body(
        content = About,
        example = json!({"name": "Spring Open", "date": "2026-04-18", "place": "Torino", "currency": "EUR", "public": true})
    ),
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")),
    responses(
        (status = 201, body = TournamentAnswer, headers(("ETag" = String), ("Location" = String))),
        (status = 403, body = Problem),
        (status = 422, body = Problem)
    )
)]
#[post("/tournaments")]
async fn open(service: web::Data<Service>, ask: Ask<About>) -> Result<HttpResponse, Problem> {
    let actor = ask.request.actor;
    let answer = service.desk.open_tournament(ask.request, ask.body).await?;
    let location = format!("/api/v1/tournaments/{}", answer.id);
    let body = answer_body(&service, &answer, &actor).await?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, location))
        .insert_header(etag(body.version))
        .json(body))
}

/// Shows a tournament at a glance: what it is, its divisions, its room.
///
/// Entries, matches, places and money have addresses of their own. Needs `view_tournaments`, unless it is public.
/// `If-None-Match` with the version's `ETag` answers 304 while nothing has changed.
#[utoipa::path(
    operation_id = "show_tournament",
    tag = "tournaments",
    security((), ("bearer" = [])),
    params(("id" = TournamentId, Path, description = "The tournament")),
    responses(
        (status = 200, body = TournamentBody, headers(("ETag" = String))),
        (status = 304),
        (status = 404, body = Problem)
    )
)]
#[get("/tournaments/{id}")]
async fn show(
    service: web::Data<Service>,
    caller: MaybeCaller,
    id: web::Path<TournamentId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (stream, authority) = service.desk.visible_tournament(caller.actor(), *id).await?;
    let tag = format!("\"{}\"", stream.version);
    if request.headers().get(header::IF_NONE_MATCH).is_some_and(|seen| seen.as_bytes() == tag.as_bytes()) {
        return Ok(HttpResponse::NotModified().insert_header(etag(stream.version)).finish());
    }
    let mut state = stream.state.overview(service.desk.now()).ok_or(Refused::NotFound("tournament"))?;
    if !reach::viewer(authority.as_ref(), &stream.state).sees_accounts {
        state.directors.clear();
    }
    let body = TournamentBody {
        id: *id,
        version: stream.version,
        state,
        may: commands_for(&stream.state, authority.as_ref()),
        undo: mark_for(TournamentCommand::Undo, &stream, stream.undoable(), authority.as_ref()),
        redo: mark_for(TournamentCommand::Redo, &stream, stream.redoable(), authority.as_ref()),
    };
    Ok(HttpResponse::Ok().insert_header(etag(body.version)).json(body))
}

/// Gives a command to a tournament.
///
/// One tagged object; `legal` of a match says what can be done with it. `If-Match` with the `ETag` of the state you saw refuses the
/// command if the tournament has moved on; `Idempotency-Key` makes a retry safe. What needs which permission is in the table of
/// `docs/permissions.md`; a login that `set_directors` names may give every one. `report` and, while entries are open, `enter`
/// need no more than `act_for_self` for oneself.
#[utoipa::path(
    operation_id = "command_tournament",
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path, description = "The tournament"),
        ("If-Match" = Option<String>, Header, description = "The version you saw"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")
    ),
    request_body(
        content = Order,
        example = json!({"command": "result", "match": 1, "ended": {"ending": "played", "score": [7, 3]}})
    ),
    responses(
        (status = 200, body = TournamentAnswer, headers(("ETag" = String))),
        (status = 403, body = Problem),
        (status = 412, body = Problem),
        (status = 422, body = Problem),
        (status = 429, body = Problem)
    )
)]
#[post("/tournaments/{id}/commands")]
async fn give_command(
    service: web::Data<Service>,
    id: web::Path<TournamentId>,
    ask: Ask<Order>,
) -> Result<HttpResponse, Problem> {
    let actor = ask.request.actor;
    let answer = service.desk.command_tournament(ask.request, *id, ask.body).await?;
    let body = answer_body(&service, &answer, &actor).await?;
    Ok(HttpResponse::Ok().insert_header(etag(body.version)).json(body))
}

/// Shows what a command would do, without doing it.
///
/// Of a correction every match that it touches, as it is and as it would be; of undo and redo too. A draw is not shown before
/// it is made. Needs what the command needs, and is refused where the command would be.
#[utoipa::path(
    operation_id = "preview_tournament",
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path, description = "The tournament"),
        ("If-Match" = Option<String>, Header, description = "The version you saw")
    ),
    request_body(
        content = Order,
        example = json!({"command": "correct", "match": 1, "ended": {"ending": "played", "score": [3, 7]}, "later": "void"})
    ),
    responses((status = 200, body = TournamentPreview), (status = 422, body = Problem))
)]
#[post("/tournaments/{id}/preview")]
async fn preview_command(
    service: web::Data<Service>,
    id: web::Path<TournamentId>,
    ask: Ask<Order>,
) -> Result<HttpResponse, Problem> {
    let authority = service.desk.authority(&ask.request.actor).await?;
    let preview = service.desk.preview_tournament(ask.request, *id, ask.body).await?;
    let body = preview_body(&service, &preview, &authority).await?;
    Ok(HttpResponse::Ok().json(body))
}

/// Reads the log of a tournament: its acts, newest first.
///
/// Needs `view_tournaments`, unless it is public. Whose money moved, and which login did something, sees who sees the accounts;
/// everybody else sees what is his own.
#[utoipa::path(
    operation_id = "read_tournament_log",
    tag = "tournaments",
    security((), ("bearer" = [])),
    params(("id" = TournamentId, Path, description = "The tournament"), PageQuery),
    responses((status = 200, body = Page<ShownAct>), (status = 404, body = Problem))
)]
#[get("/tournaments/{id}/acts")]
async fn read_log(
    service: web::Data<Service>,
    caller: MaybeCaller,
    id: web::Path<TournamentId>,
    query: web::Query<PageQuery>,
) -> Result<web::Json<Page<ActBody>>, Problem> {
    let (stream, authority) = service.desk.visible_tournament(caller.actor(), *id).await?;
    let page = (cursor(query.after.as_deref())?, limit(&service, query.limit)?);
    let viewer = reach::viewer(authority.as_ref(), &stream.state);
    Ok(web::Json(log::<Tournament>(&service, id.0, page, &viewer).await?))
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
    let (stream, _) = service.desk.visible_tournament(caller.actor(), *id).await?;
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

/// So many matches of each kind are shown.
const MOST_SHOWN: usize = 200;

/// Shows who owes what of fees, and who is owed.
///
/// Needs `record_payments`.
#[utoipa::path(
    operation_id = "tournament_accounts",
    tag = "tournaments",
    params(("id" = TournamentId, Path, description = "The tournament")),
    responses((status = 200, body = Named<PlayerAccount>), (status = 404, body = Problem))
)]
#[get("/tournaments/{id}/accounts")]
async fn list_accounts(
    service: web::Data<Service>,
    caller: MaybeCaller,
    id: web::Path<TournamentId>,
) -> Result<web::Json<Named<PlayerAccount>>, Problem> {
    let authority = service.desk.require(caller.actor(), Permission::ViewTournaments).await?;
    let stream = service.desk.tournament(*id).await?;
    if !reach::viewer(authority.as_ref(), &stream.state).sees_accounts {
        return Err(Refused::Forbidden(Permission::RecordPayments).into());
    }
    let items: Vec<PlayerAccount> =
        stream.state.accounts().map(|(player, amount)| PlayerAccount { player, amount }).collect();
    let names = service.desk.names(items.iter().map(|account| account.player).collect()).await?;
    Ok(web::Json(Named { items, next: None, names }))
}

async fn answer_body(service: &Service, answer: &Answer, actor: &Actor) -> Result<TournamentAnswer, Problem> {
    let (stream, authority) = service.desk.visible_tournament(Some(actor), answer.id).await?;
    let viewer = reach::viewer(authority.as_ref(), &stream.state);
    let act = act_body::<Tournament>(&answer.act, &viewer)?;
    Ok(TournamentAnswer { id: answer.id, version: act.version, act })
}

async fn preview_body(
    service: &Service,
    preview: &Preview,
    authority: &Authority,
) -> Result<TournamentPreview, Problem> {
    let viewer = reach::viewer(Some(authority), &preview.before.state);
    let events = act_body::<Tournament>(&preview.act, &viewer)?.events;
    let touched = |at: &MatchRef| {
        let before = preview.before.state.match_view(*at)?;
        Some(TouchedMatch { before, after: preview.after.state.match_view(*at)? })
    };
    let matches: Vec<TouchedMatch> = preview.touched.iter().filter_map(touched).collect();
    let views = matches.iter().flat_map(|touched| [&touched.before, &touched.after]);
    let told = match &preview.act.deed {
        Deed::Events(events) => events.as_slice(),
        Deed::Undo { .. } | Deed::Redo { .. } => &[],
    };
    let given_up = told.iter().flat_map(Event::given_up).copied().collect();
    let closes = told.iter().any(|event| matches!(event, Event::Closed { .. }));
    let before_closing = closes.then(|| preview.before.state.before_closing());
    let mut named = players_of(views);
    named.extend(before_closing.iter().flat_map(|before| &before.waiting).map(|fees| fees.player));
    let names = service.desk.names(named).await?;
    Ok(TournamentPreview { events, matches, given_up, before_closing, names })
}

/// The commands that somebody may give to this tournament, for anybody or for himself.
fn commands_for(tournament: &Tournament, authority: Option<&Authority>) -> Vec<TournamentCommand> {
    let Some(authority) = authority else { return Vec::new() };
    let may = |command: &TournamentCommand| reach::reach(authority, tournament, *command) != Reach::Nobody;
    TournamentCommand::ALL.iter().copied().filter(may).collect()
}

/// The act that the caller may take back or put back, and how many: of `marks`, beginning with the newest.
fn mark_for(
    command: TournamentCommand,
    stream: &Stream<Tournament>,
    marks: Marks<'_, EventKind>,
    authority: Option<&Authority>,
) -> Option<MarkBody> {
    let authority = authority?;
    mark_within::<Tournament>(reach::reach(authority, &stream.state, command), marks, authority)
}

/// Everybody who sits in these.
pub(super) fn players_of<'a>(views: impl Iterator<Item = &'a MatchView>) -> Vec<PlayerId> {
    let players: BTreeSet<PlayerId> =
        views.flat_map(|view| &view.slots).filter_map(|slot| slot.player).collect();
    players.into_iter().collect()
}
