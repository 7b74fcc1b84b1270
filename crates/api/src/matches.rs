//! Matches and money sessions: open one, score it, view it, read its log, export it as match text.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::acts::{ActBody, act_body};
use super::etag;
use super::events::ListenQuery;
use super::streams::{self, Resource, UndoEntryBody};
use owlbox_base::journal::{Aggregate as _, Stream, Version};
use owlbox_base::values::{Day, MatchId, PlayerId, TournamentId};
use owlbox_desk::books::income::Period;
use owlbox_desk::commands::subject::{Preview, StreamAfter, StreamPreview};
use owlbox_desk::matches::list::MatchSummary;
use owlbox_desk::matches::screen::{MatchScreen, MatchScreenOptions};
use owlbox_desk::matches::{Filter, NewMatch, Order, PlayerStatistics};
use owlbox_desk::people::players::called;
use owlbox_desk::{Principal, Refused};
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::MaybeCaller;
use owlbox_http::etag::client_has;
use owlbox_http::paging::{Page, PageQuery, cursor, is_open, limit};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_play::matches::{Command, Legal, Offer, Outcome, Sheet, View};

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(list_matches).service(list_match_offers).service(match_text).service(match_statistics);
    register(config);
}

#[cfg(test)]
use super::schemas::{ActOf, EventOf};
#[cfg(test)]
type ShownEvent = EventOf<owlbox_play::matches::Event>;
#[cfg(test)]
type ShownAct = ActOf<owlbox_play::matches::Event>;

/// The sheet of a match, and the commands possible now.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MatchBody {
    pub id: MatchId,
    /// The number of events so far; the `ETag`.
    pub version: Version,
    #[serde(flatten)]
    pub state: View,
    /// The names of the two players.
    pub names: BTreeMap<PlayerId, String>,
    /// Every command that the caller may give now, with its choices.
    pub legal: Vec<Legal>,
    /// The act that the caller's `undo` would take back, and how many acts it may take back at once; null if
    /// none.
    pub undo: Option<UndoEntryBody>,
    /// The act that the caller's `redo` would put back, and how many acts it may put back at once; null if
    /// none.
    pub redo: Option<UndoEntryBody>,
}

/// A command that the caller may give to the match now, and what it would do.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MatchOffer {
    /// The command, ready to be sent.
    // The document has one schema for commands, which the type of orders has.
    #[cfg_attr(test, schema(value_type = Order))]
    pub command: Command,
    /// What it would do; null where nobody can know that beforehand, because dice decide.
    pub brings: Option<MatchBrings>,
}

/// What a command would do to the match.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MatchBrings {
    /// The events that would be recorded.
    #[cfg_attr(test, schema(value_type = Vec<ShownEvent>))]
    pub events: Vec<Box<RawValue>>,
    /// The points of the game that it enters or corrects; null for any other command.
    pub points: Option<u32>,
    /// The score after it, upper slot first.
    #[cfg_attr(test, schema(min_items = 2, max_items = 2))]
    pub score: [u32; 2],
    /// The outcome after it; null while the match goes on.
    pub outcome: Option<Outcome>,
}

impl MatchOffer {
    fn new(Offer { command, brings }: Offer) -> Result<Self, Refused> {
        let written = |brings: owlbox_play::matches::OfferEffect| {
            let events = brings.events.iter().map(Sheet::encode).collect::<Result<_, _>>()?;
            let points = brings.points();
            Ok::<_, Refused>(MatchBrings { events, points, score: brings.score, outcome: brings.outcome })
        };
        Ok(Self { command, brings: brings.map(written).transpose()? })
    }
}

/// The commands that the caller may give to the match now.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MatchOffers {
    /// The version they hold for; the `ETag`.
    pub version: Version,
    /// In the order of `legal`; then the corrections of the game that was asked for.
    pub offers: Vec<MatchOffer>,
}

/// The answer to a command: the new state of the match, and the act.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MatchAnswer {
    /// The match after the act.
    #[serde(rename = "match")]
    pub sheet: MatchBody,
    /// What the command did.
    #[cfg_attr(test, schema(value_type = ShownAct))]
    pub act: ActBody,
}

/// The answer to a preview: what the command would do to the match.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MatchPreview {
    /// The match as it would be.
    #[serde(rename = "match")]
    pub sheet: MatchBody,
    /// The events that would be recorded.
    #[cfg_attr(test, schema(value_type = Vec<ShownEvent>))]
    pub events: Vec<Box<RawValue>>,
    /// For undo, the acts that would be taken back, newest first; for redo, those put back, oldest first.
    #[cfg_attr(test, schema(value_type = Vec<ShownAct>))]
    pub acts: Vec<ActBody>,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct ListQuery {
    /// Only matches of this player.
    player: Option<PlayerId>,
    /// Only matches of this tournament.
    tournament: Option<TournamentId>,
    /// Only matches in progress, or only finished ones.
    open: Option<bool>,
    /// The opposite of `open`, as other lists have it.
    closed: Option<bool>,
    /// Only matches with a contested entry that awaits a ruling, or only those without.
    contested: Option<bool>,
    /// Only matches opened on this day or later, in UTC.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    from: Option<Day>,
    /// Only matches opened on this day or earlier, in UTC.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    until: Option<Day>,
    /// Entries per page.
    limit: Option<i64>,
    /// The `next` of the previous page.
    after: Option<String>,
}

/// Lists matches and money sessions, newest first.
///
/// Needs `view_tables`; matches of private tournaments also need `view_tournaments`. With `tournament`, needs
/// what viewing that tournament needs.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(ListQuery),
    responses((status = 200, body = Page<MatchSummary>))
))]
#[get("/matches")]
async fn list_matches(
    service: Service,
    caller: MaybeCaller,
    query: web::Query<ListQuery>,
) -> Result<web::Json<Page<MatchSummary>>, Problem> {
    let visible = service.desk.visible_matches(caller.actor(), query.tournament).await?;
    let limit = limit(&service, query.limit)?;
    let after = cursor(query.after.as_deref())?;
    let ListQuery { player, open: goes_on, closed, contested, .. } = *query;
    let period = Period { from: query.from.map(Day::date), until: query.until.map(Day::date) };
    let Period { from, until } = period.in_order()?;
    let filter = Filter { player, open: is_open(goes_on, closed)?, contested, from, until, ..visible };
    let matches = service.desk.matches(filter, after, limit + 1).await?;
    let page = Page::cut(matches, limit, |one: &MatchSummary| one.id.to_string());
    Ok(web::Json(page.named(&service, |one| one.players).await?))
}

streams::routes! {
    Sheet, MatchId = "The match";
    MatchBody, MatchAnswer, MatchPreview, ShownAct;

    /// Opens a friendly match, or a money session between two players.
    ///
    /// A match is played to a length, by the Crawford rule and without beavers; a money session is played
    /// until it is closed, with the cube as agreed. Every game of a session is posted to the books, in points
    /// and, with a `stake`, in money. A match counts for the ratings if it is `rated`. Needs `run_match`.
    open "/matches": open_match(NewMatch), {
        "players": ["0190a6f4-0000-7000-8000-000000000001", "0190a6f4-0000-7000-8000-000000000002"],
        "terms": {"play": "match", "length": 7, "rated": true},
        "clock": {"reserve_a_point": 120, "delay": 12}
    };

    /// Shows a match: its sheet, and the commands possible now.
    ///
    /// With `If-None-Match` and the version's `ETag`, answers 304 while nothing has changed. Needs
    /// `view_tables`; a tournament's match needs what viewing the tournament needs.
    show "/matches/{id}": show_match;

    /// Gives a command to a match.
    ///
    /// The body is one tagged object; `legal` in the state lists the commands possible now. `If-Match` with
    /// the `ETag` of the state you saw refuses the command if the match has moved on; `Idempotency-Key` makes
    /// a retry safe.
    ///
    /// Needs `run_match`. With `act_for_self`, players may act in their own match: enter games and the final
    /// score, give up a game or the match, referee games and play their own side, keep the clock, adjourn and
    /// resume, and undo and redo their own last acts, unless those rolled dice. In a tournament's match, what
    /// one player enters decides it once the other enters the same. Penalties, rulings, corrections and files
    /// need `run_match`, payments need `record_payments`.
    command "/matches/{id}/commands": command_match(Order),
        {"command": "game", "winner": "upper", "win": "gammon", "cube": 2};

    /// Shows what a command would do to a match, without doing it.
    ///
    /// For a game or a correction: the score afterwards, and whether the match would be over. For undo: the
    /// acts that would be taken back. Needs what the command needs, and is refused where the command would
    /// be.
    preview "/matches/{id}/preview": preview_match,
        {"command": "correct", "game": 1, "now": {"winner": "lower", "win": "single", "cube": 2}};

    /// Reads the log of a match: its acts, newest first.
    ///
    /// Needs what viewing the match needs.
    log "/matches/{id}/acts": read_match_log;

    /// Follows a match live.
    ///
    /// Server-sent events named `act`: the id is the version of the stream after the act, the data is the act
    /// as in the log. `Last-Event-ID` (or `?after=`) resumes without a gap. The stream ends when the caller's
    /// token expires, or after a quarter of an hour; then connect again. It ends within seconds if the caller
    /// is signed out or loses the permission. Needs what viewing the match needs.
    follow "/matches/{id}/events": follow_match;
}

/// Counts the games of a player's finished matches.
///
/// By kind of match, by who began, by kind of win and by cube: the games that the player won, lost and drew,
/// and their shares in hundredths of a per cent. Only the newest 1,000 matches count; those of private
/// tournaments count for callers who may see them. Needs `view_tables`.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(("id" = PlayerId, Path, description = "The player, who counts as White")),
    responses((status = 200, body = PlayerStatistics))
))]
#[get("/players/{id}/match-statistics")]
async fn match_statistics(
    service: Service,
    caller: MaybeCaller,
    id: web::Path<PlayerId>,
) -> Result<web::Json<PlayerStatistics>, Problem> {
    let visible = service.desk.visible_matches(caller.actor(), None).await?;
    Ok(web::Json(service.desk.match_statistics(*id, visible).await?))
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct OffersQuery {
    /// The number of a game: adds everything that it can be corrected to.
    correct: Option<u32>,
}

/// Lists the commands possible now, each spelled out, with what it would do.
///
/// Where a command in `legal` has choices, there is an offer for each: for every side, result, cube, game or
/// ruling. A final score is offered once a side has reported it or the sheet has reached it, a payment with
/// everything that is owed, and a first clock with what a director grants. What has to be filled in (points,
/// minutes, another score, a text, dice, a play) is in `legal` alone, and can be tried as a preview. With
/// `If-None-Match` and the version's `ETag`, answers 304 while nothing has changed.
///
/// In a tournament's match, what one side alone reports is offered as the claim that it is. Needs what
/// viewing the match needs; lists what the caller may give, so nothing for callers who may give no commands.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(("id" = MatchId, Path, description = "The match"), OffersQuery),
    responses(
        (
            status = 200,
            body = MatchOffers,
            headers(("ETag" = String)),
            example = json!({"version": 4, "offers": [{
                "command": {"command": "concede", "by": "upper"},
                "brings": {
                    "events": [{
                        "event": "finished",
                        "by": {"decided_by": "concession", "by": "upper"},
                        "outcome": {"winner": "lower", "ending": "conceded", "score": [3, 2]}
                    }],
                    "points": null,
                    "score": [3, 2],
                    "outcome": {"winner": "lower", "ending": "conceded", "score": [3, 2]}
                }
            }]})
        ),
        (status = 304)
    )
))]
#[get("/matches/{id}/offers")]
async fn list_match_offers(
    service: Service,
    caller: MaybeCaller,
    id: web::Path<MatchId>,
    query: web::Query<OffersQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (stream, principal) = service.desk.visible::<Sheet>(caller.actor(), *id).await?;
    let tag = etag(stream.version);
    if client_has(&request, &tag) {
        return Ok(HttpResponse::NotModified().insert_header(tag).finish());
    }
    let asked =
        MatchScreenOptions { offers: |_| true, correct: query.correct, ..MatchScreenOptions::default() };
    let MatchScreen { stream, offers, .. } = service.desk.match_screen(principal, *id, asked).await?;
    let offers = offers.into_iter().map(MatchOffer::new).collect::<Result<_, _>>()?;
    let version = stream.version;
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(MatchOffers { version, offers }))
}

/// Exports a match as match text.
///
/// Games that were refereed here or read from a file are written with all their plays; a game entered by its
/// result only as far as match text allows, with the cube at 1. Refused with `plays_not_known` or
/// `unwritable` if match text cannot express the match. Needs what viewing the match needs.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(("id" = MatchId, Path, description = "The match")),
    responses((status = 200, content_type = "text/plain", body = String), (status = 422, body = Problem))
))]
#[get("/matches/{id}/mat")]
async fn match_text(
    service: Service,
    caller: MaybeCaller,
    id: web::Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let (stream, _) = service.desk.visible::<Sheet>(caller.actor(), *id).await?;
    let players = stream.state.players().ok_or(Refused::NotFound("match"))?;
    let names = service.desk.names(players.to_vec()).await?;
    let [upper, lower] = players.map(|player| called(&names, player));
    let text = stream.state.mat([&upper, &lower]).map_err(Refused::from)?;
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}.mat\"", *id)))
        .body(text))
}

impl Resource for Sheet {
    const PATH: &'static str = "matches";

    type Body = MatchBody;
    type Answer = MatchAnswer;
    type Preview = MatchPreview;

    async fn body(
        service: &Service,
        id: MatchId,
        stream: &Arc<Stream<Self>>,
        principal: Option<&Principal>,
    ) -> Result<MatchBody, Problem> {
        let screen = service.desk.match_screen_of(id, stream, principal).await?;
        let state = screen.view();
        let MatchScreen { undo, redo, names, legal, .. } = screen;
        let [undo, redo] = [undo, redo].map(|step| step.map(|step| step.steps.into()));
        Ok(MatchBody { id, version: stream.version, state, names, legal, undo, redo })
    }

    async fn answer(
        service: &Service,
        answer: StreamAfter<Self>,
        principal: &Principal,
    ) -> Result<MatchAnswer, Problem> {
        let viewer = service.desk.viewer_at_match(&answer.stream, principal).await?;
        let act = act_body::<Self>(&answer.act, &viewer)?;
        let sheet = Self::body(service, answer.id, &answer.stream, Some(principal)).await?;
        Ok(MatchAnswer { sheet, act })
    }

    async fn preview(
        service: &Service,
        preview: Preview<Self>,
        principal: &Principal,
    ) -> Result<MatchPreview, Problem> {
        let StreamPreview { before, after, named } = &preview.here;
        let viewer = service.desk.viewer_at_match(before, principal).await?;
        let events = act_body::<Self>(&after.act, &viewer)?.events;
        let acts = named.iter().map(|act| act_body::<Self>(act, &viewer)).collect::<Result<_, _>>()?;
        let sheet = Self::body(service, after.id, &after.stream, Some(principal)).await?;
        Ok(MatchPreview { sheet, events, acts })
    }
}
