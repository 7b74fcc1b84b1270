//! Chouettes: open one, play it, view it, read its log.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::acts::{ActBody, act_body};
use super::etag;
use super::events::ListenQuery;
use super::streams::{self, Resource, UndoEntryBody};
use owlbox_base::journal::{Aggregate as _, Stream, Version};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{ChouetteId, Day, HalfPoints, PlayerId};
use owlbox_books::ledger;
use owlbox_chouette::{Chouette, Command, Event, Legal, Offer, Score, View};
use owlbox_desk::books::income::Period;
use owlbox_desk::chouettes::derive::would_post;
use owlbox_desk::chouettes::screen::TableScreen;
use owlbox_desk::chouettes::{ChouetteSummary, Filter, NewChouette, Order};
use owlbox_desk::commands::subject::{Preview, StreamAfter, StreamPreview};
use owlbox_desk::{Principal, Refused};
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::MaybeCaller;
use owlbox_http::etag::client_has;
use owlbox_http::paging::{Page, PageQuery, cursor, is_open, limit};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(list_chouettes).service(list_chouette_offers);
    register(config);
}

#[cfg(test)]
use super::schemas::{ActOf, EventOf};
#[cfg(test)]
type ShownEvent = EventOf<owlbox_chouette::Event>;
#[cfg(test)]
type ShownAct = ActOf<owlbox_chouette::Event>;

/// The state of a chouette, and the commands possible now.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ChouetteBody {
    /// The table.
    pub id: ChouetteId,
    /// The number of events so far; the `ETag`.
    pub version: Version,
    #[serde(flatten)]
    pub state: View,
    /// The names of everybody who has ever sat at the table.
    pub names: BTreeMap<PlayerId, String>,
    /// Every command that the caller may give now, with its choices, the likeliest first.
    pub legal: Vec<Legal>,
    /// The act that the caller's `undo` would take back, and how many acts it may take back at once; null if
    /// none.
    pub undo: Option<UndoEntryBody>,
    /// The act that the caller's `redo` would put back, and how many acts it may put back at once; null if
    /// none.
    pub redo: Option<UndoEntryBody>,
}

/// A command that the caller may give now, and what it would do.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct OfferBody {
    /// The command, ready to be sent.
    // The document has one schema for commands, which the type of orders has.
    #[cfg_attr(test, schema(value_type = Order))]
    pub command: Command,
    /// The events that would be recorded; null where nobody may know them beforehand, because dice or lots
    /// decide them or because they would show secret answers.
    #[cfg_attr(test, schema(value_type = Option<Vec<ShownEvent>>))]
    pub events: Option<Vec<Box<RawValue>>>,
}

/// The commands that the caller may give now.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct OffersBody {
    /// The version they hold for; the `ETag`.
    pub version: Version,
    /// In the order of `legal`, the likeliest first.
    pub offers: Vec<OfferBody>,
}

/// The answer to a command: the new state, and the act.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct CommandAnswer {
    /// The chouette after the act.
    pub chouette: ChouetteBody,
    /// What the command did.
    #[cfg_attr(test, schema(value_type = ShownAct))]
    pub act: ActBody,
}

/// The answer to a preview: what the command would do.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct PreviewAnswer {
    /// The chouette as it would be.
    pub chouette: ChouetteBody,
    /// The events that would be recorded.
    #[cfg_attr(test, schema(value_type = Vec<ShownEvent>))]
    pub events: Vec<Box<RawValue>>,
    /// For undo, the acts that would be taken back, newest first; for redo, those put back, oldest first.
    #[cfg_attr(test, schema(value_type = Vec<ShownAct>))]
    pub acts: Vec<ActBody>,
    /// The changes of scores, in half points. Empty without `view_standings`.
    pub changes: Vec<Score>,
    /// The scores that would change, before and after. Empty without `view_standings`.
    pub scores: Vec<ScoreChange>,
    /// What would be posted to the books, each amount with its counterparty. Empty without `view_standings`.
    pub postings: Vec<WouldPost>,
    /// Other tables that the command would affect: the one that a split opens, the one that players move to,
    /// and for undo and redo all others of the same acts.
    pub tables: Vec<OtherTable>,
}

/// Another table of an act.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct OtherTable {
    pub id: ChouetteId,
    /// The name of the table.
    pub name: String,
}

/// The change of a score, in half points.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ScoreChange {
    pub player: PlayerId,
    /// The score as it is.
    pub before: HalfPoints,
    /// The score as it would be.
    pub after: HalfPoints,
}

/// An amount that would be posted to the books.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct WouldPost {
    /// The player whose account is posted to.
    pub player: PlayerId,
    /// The other player.
    pub counterparty: PlayerId,
    /// `half_points`, or a currency, counted in its minor units.
    #[cfg_attr(test, schema(example = "EUR"))]
    pub unit: String,
    /// What the player gets; negative if they pay.
    pub amount: i64,
}

impl OfferBody {
    fn new(Offer { command, events, .. }: Offer) -> Result<Self, Refused> {
        let written = |events: Vec<Event>| events.iter().map(Chouette::encode).collect();
        Ok(Self { command, events: events.map(written).transpose()? })
    }
}

impl WouldPost {
    /// `None` if an account is not a player's, which does not occur at a table.
    fn new(posting: &ledger::Posting) -> Option<Self> {
        Some(Self {
            player: posting.holder.player()?,
            counterparty: posting.counterparty.player()?,
            unit: posting.unit.to_string(),
            amount: posting.amount,
        })
    }
}

/// The scores that differ between `before` and `after`.
fn score_changes(before: &Chouette, after: &Chouette) -> Vec<ScoreChange> {
    let new = after.known().filter(|player| !before.knows(*player));
    let all = before.known().chain(new);
    let change = |player| ScoreChange { player, before: before.score(player), after: after.score(player) };
    all.map(change).filter(|change| change.before != change.after).collect()
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct ListQuery {
    /// Only open chouettes, or only closed ones.
    open: Option<bool>,
    /// Deprecated: the opposite of `open`.
    closed: Option<bool>,
    /// Only chouettes of this night.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    night: Option<Day>,
    /// Only chouettes of this night or later.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    from: Option<Day>,
    /// Only chouettes of this night or earlier.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    until: Option<Day>,
    /// Entries per page.
    limit: Option<i64>,
    /// The `next` of the previous page.
    after: Option<String>,
}

/// Lists chouettes, newest first.
///
/// Needs `view_tables`.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(ListQuery),
    responses((status = 200, body = Page<ChouetteSummary>))
))]
#[get("/chouettes")]
async fn list_chouettes(
    service: Service,
    caller: MaybeCaller,
    query: web::Query<ListQuery>,
) -> Result<web::Json<Page<ChouetteSummary>>, Problem> {
    service.desk.require(caller.actor(), Permission::ViewTables).await?;
    let limit = limit(&service, query.limit)?;
    let after = cursor(query.after.as_deref())?;
    let goes_on = is_open(query.open, query.closed)?;
    let filter = Filter {
        closed: goes_on.map(|goes_on| !goes_on),
        night: query.night.map(Day::date),
        period: Period { from: query.from.map(Day::date), until: query.until.map(Day::date) },
    };
    let chouettes = service.desk.chouettes(filter, after, limit + 1).await?;
    Ok(web::Json(Page::cut(chouettes, limit, |chouette: &ChouetteSummary| chouette.id.to_string())))
}

streams::routes! {
    Chouette, ChouetteId = "The chouette";
    ChouetteBody, CommandAnswer, PreviewAnswer, ShownAct;

    /// Opens a chouette.
    ///
    /// It belongs to the current night in the club's time zone, and stores the full set of house rules in
    /// force. Needs `open_chouette`.
    open "/chouettes": open_chouette(NewChouette),
        {"name": "Friday table", "stake": {"amount": 500, "currency": "EUR"}, "rules": {}};

    /// Shows a chouette: its state, and the commands possible now.
    ///
    /// Needs `view_tables`; the standings are empty without `view_standings`. With `If-None-Match` and the
    /// version's `ETag`, answers 304 while nothing has changed.
    show "/chouettes/{id}": show_chouette;

    /// Gives a command to a chouette.
    ///
    /// The body is one tagged object; `legal` in the state lists the commands possible now. `If-Match` with
    /// the `ETag` of the state you saw refuses the command if the table has moved on; `Idempotency-Key` makes
    /// a retry safe.
    ///
    /// Needs `run_chouette`. With `act_for_self`, players may act for themselves: double, take, drop and
    /// beaver, give an extra or pass, accept or decline the partnership, decline the box, say as the box
    /// whether a tie doubles, have the dice rolled, play and pass on the board on their own turn, and undo
    /// and redo their own last acts, unless those rolled dice or revealed a hidden answer. `pay` needs
    /// `record_payments`.
    ///
    /// Undo and redo of an act of several tables - a split, players moved to another table, a night settled
    /// up - apply to all of them, or are refused with `other_table_moved_on`.
    command "/chouettes/{id}/commands": give_command(Order),
        {"command": "double", "player": "0190a6f4-0000-7000-8000-000000000001"};

    /// Shows what a command would do, without doing it.
    ///
    /// For the end of a game or a correction: `scores` lists everybody whose score would change, `postings`
    /// what would be posted to the books. For undo: the acts that would be taken back. Needs what the command
    /// needs, and is refused where the command would be.
    preview "/chouettes/{id}/preview": preview_command,
        {"command": "finish", "winner": "team", "win": "gammon"};

    /// Reads the log of a chouette: its acts, newest first.
    ///
    /// Needs `view_tables`.
    log "/chouettes/{id}/acts": read_log;

    /// Follows a chouette live.
    ///
    /// Server-sent events named `act`: the id is the version of the stream after the act, the data is the act
    /// as in the log. `Last-Event-ID` (or `?after=`) resumes without a gap. The stream ends when the caller's
    /// token expires, or after a quarter of an hour; then connect again. It ends within seconds if the caller
    /// is signed out or loses the permission. Needs `view_tables`.
    follow "/chouettes/{id}/events": follow_chouette;
}

/// Lists the commands possible now, each spelled out, with what it would do.
///
/// Where a command in `legal` has choices, there is an offer for each: for every player, proxy or result, and
/// of several opponents for all, for those whose cubes would stand alike, and for each alone. What has to be
/// filled in (a name, an amount, an order, dice, a play, a player of the club) is in `legal` alone, and can
/// be tried as a preview. With `If-None-Match` and the version's `ETag`, answers 304 while nothing has
/// changed.
///
/// Needs `view_tables`; lists what the caller may give, so nothing for callers who may give no commands.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(("id" = ChouetteId, Path, description = "The chouette")),
    responses(
        (
            status = 200,
            body = OffersBody,
            headers(("ETag" = String)),
            example = json!({"version": 15, "offers": [
                {
                    "command": {"command": "double", "player": "0190a6f4-0000-7000-8000-000000000001", "against": null},
                    "events": [{
                        "event": "doubled",
                        "player": "0190a6f4-0000-7000-8000-000000000001",
                        "bets": [{"bet": 1, "opponent": "0190a6f4-0000-7000-8000-000000000002", "to": 2}]
                    }]
                },
                {
                    "command": {"command": "draw_order"},
                    "events": null
                }
            ]})
        ),
        (status = 304)
    )
))]
#[get("/chouettes/{id}/offers")]
async fn list_chouette_offers(
    service: Service,
    caller: MaybeCaller,
    id: web::Path<ChouetteId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (stream, principal) = service.desk.visible::<Chouette>(caller.actor(), *id).await?;
    let tag = etag(stream.version);
    if client_has(&request, &tag) {
        return Ok(HttpResponse::NotModified().insert_header(tag).finish());
    }
    let offers = service.desk.offers(&stream, principal.as_ref()).await?;
    let offers = offers.into_iter().map(OfferBody::new).collect::<Result<_, _>>()?;
    Ok(HttpResponse::Ok().insert_header(tag).json(OffersBody { version: stream.version, offers }))
}

impl Resource for Chouette {
    const PATH: &'static str = "chouettes";

    type Body = ChouetteBody;
    type Answer = CommandAnswer;
    type Preview = PreviewAnswer;

    async fn body(
        service: &Service,
        id: ChouetteId,
        stream: &Arc<Stream<Self>>,
        principal: Option<&Principal>,
    ) -> Result<ChouetteBody, Problem> {
        let screen = service.desk.screen_of(id, stream, principal).await?;
        let state = screen.view();
        let TableScreen { names, legal, undo, redo, .. } = screen;
        let [undo, redo] = [undo, redo].map(|steps| steps.map(UndoEntryBody::from));
        Ok(ChouetteBody { id, version: stream.version, state, names, legal, undo, redo })
    }

    async fn answer(
        service: &Service,
        answer: StreamAfter<Self>,
        principal: &Principal,
    ) -> Result<CommandAnswer, Problem> {
        let viewer = service.desk.viewer_at_table(Some(principal)).await?;
        let act = act_body::<Self>(&answer.act, &viewer)?;
        let chouette = Self::body(service, answer.id, &answer.stream, Some(principal)).await?;
        Ok(CommandAnswer { chouette, act })
    }

    async fn preview(
        service: &Service,
        preview: Preview<Self>,
        principal: &Principal,
    ) -> Result<PreviewAnswer, Problem> {
        let StreamPreview { before, after, named } = &preview.here;
        let viewer = service.desk.viewer_at_table(Some(principal)).await?;
        let events = act_body::<Chouette>(&after.act, &viewer)?.events;
        let acts = named.iter().map(|act| act_body::<Chouette>(act, &viewer)).collect::<Result<_, _>>()?;
        let chouette = Self::body(service, after.id, &after.stream, Some(principal)).await?;
        let (mut changes, mut scores, mut postings) = (Vec::new(), Vec::new(), Vec::new());
        if viewer.sees_points {
            changes = preview.changes();
            scores = score_changes(&before.state, &after.stream.state);
            postings = would_post(&preview)?.iter().filter_map(WouldPost::new).collect();
        }
        let other =
            |also: &StreamPreview<Self>| OtherTable { id: also.after.id, name: also.name().to_owned() };
        let tables = preview.also.iter().map(other).collect();
        Ok(PreviewAnswer { chouette, events, acts, changes, scores, postings, tables })
    }
}
