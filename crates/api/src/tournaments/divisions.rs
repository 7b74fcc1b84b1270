//! The contents of a division: entries, matches, draws, places, prizes.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::{HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};

#[cfg(test)]
use super::TournamentAnswer;
use super::{Named, players_of};
use crate::etag;
use crate::streams::Resource as _;
use owlbox_base::values::{PlayerId, Timestamp, TournamentId};
use owlbox_desk::Refused;
use owlbox_desk::tournaments::Arrival;
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::MaybeCaller;
use owlbox_http::paging::{Page, PageQuery, cursor, limit};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_play::matches::MatchNo;
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::bracket::{EntryNo, Place};
use owlbox_play::tournament::command::SlotOfMatch;
use owlbox_play::tournament::division::{Division, Draw};
use owlbox_play::tournament::event::{DrawnBy, DrawnSlot};
use owlbox_play::tournament::room::{DivisionNo, MatchRef};
use owlbox_play::tournament::view::{EntryView, MatchView, PrizesView};

pub(super) fn configure(config: &mut impl crate::Routes) {
    config
        .service(list_entries)
        .service(show_entry)
        .service(arrive)
        .service(list_matches_of_division)
        .service(show_match_of_division)
        .service(list_draws)
        .service(list_places)
        .service(show_prizes);
}

/// The address of a division.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Path))]
struct DivisionPath {
    /// The tournament
    id: TournamentId,
    /// The division
    #[cfg_attr(test, param(value_type = u8))]
    division: DivisionNo,
}

/// The address of an entry: that of its division, and its number.
type EntryPath = (TournamentId, DivisionNo, EntryNo);
/// The address of a match of a division.
type MatchPath = (TournamentId, DivisionNo, MatchNo);

/// A draw with its slots.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct DrawBody {
    /// How it was drawn. Anybody can repeat the draw from the seed.
    pub drawn: DrawnBy,
    /// The reason for drawing again; null for a first draw.
    pub reason: Option<String>,
    pub at: Timestamp,
    /// The slots of the first round in order: the number of an entry, 0 for a bye, null where there was
    /// nobody yet.
    pub slots: Vec<DrawnSlot>,
    /// Whether it is the draw of a last chance.
    pub last_chance: bool,
    /// Whether the draw is in force: of the main flight's draws, only the last one is.
    pub counts: bool,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct MatchesQuery {
    /// Only matches of this flight, from 0.
    flight: Option<u8>,
    /// Only matches of this round of the flight, from 0.
    round: Option<u8>,
    /// Entries per page.
    limit: Option<i64>,
    /// The `next` of the previous page.
    after: Option<String>,
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct FlightQuery {
    /// The flight, from 0.
    #[serde(default)]
    flight: u8,
    /// Places per page.
    limit: Option<i64>,
    /// The `next` of the previous page.
    after: Option<String>,
}

/// A page of what a division's pools owe to whom, and of what was awarded.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct PrizesBody {
    /// The pools and their prizes.
    #[serde(flatten)]
    pub prizes: PrizesView,
    /// The `after` of the next page of recipients; null on the last one.
    pub next: Option<String>,
}

/// Lists the entries of a division, in the order in which they entered.
///
/// Needs `view_tournaments`, unless the tournament is public.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(DivisionPath, PageQuery),
    responses((status = 200, body = Named<EntryView>))
))]
#[get("/tournaments/{id}/divisions/{division}/entries")]
async fn list_entries(
    service: Service,
    caller: MaybeCaller,
    path: web::Path<DivisionPath>,
    query: web::Query<PageQuery>,
) -> Result<web::Json<Named<EntryView>>, Problem> {
    let DivisionPath { id, division: number } = *path;
    let (stream, _) = service.desk.visible::<Tournament>(caller.actor(), id).await?;
    in_division(&stream.state, number)?;
    let now = service.desk.now();
    let limit = limit(&service, query.limit)?;
    let after: u32 = cursor(query.after.as_deref())?.unwrap_or(0);
    let shown = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1);
    let entries = (after.saturating_add(1)..=u32::MAX).map(EntryNo).take(shown);
    let items = stream.state.entry_views(number, entries, now);
    let Page { items, next, .. } =
        Page::cut(items.collect(), limit, |entry: &EntryView| entry.entry.0.to_string());
    let names = service.desk.names(items.iter().map(|entry| entry.player).collect()).await?;
    Ok(web::Json(Named { items, next, names }))
}

/// An entry with its way through the brackets.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct EntryBody {
    #[serde(flatten)]
    pub entry: EntryView,
    /// The matches of the entry, from first to last.
    pub path: Vec<MatchView>,
    /// For an entry that waits, the slots that `seat` can give it now.
    pub free: Vec<SlotOfMatch>,
    /// The names of the players.
    pub names: BTreeMap<PlayerId, String>,
}

/// Shows an entry and its way through the brackets.
///
/// Needs `view_tournaments`, unless the tournament is public.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(DivisionPath, ("entry" = u32, Path, description = "The entry")),
    responses((status = 200, body = EntryBody))
))]
#[get("/tournaments/{id}/divisions/{division}/entries/{entry}")]
async fn show_entry(
    service: Service,
    caller: MaybeCaller,
    path: web::Path<EntryPath>,
) -> Result<web::Json<EntryBody>, Problem> {
    let (id, number, entry) = path.into_inner();
    let (stream, _) = service.desk.visible::<Tournament>(caller.actor(), id).await?;
    let division = in_division(&stream.state, number)?;
    let now = service.desk.now();
    let view = stream.state.entry_views(number, std::iter::once(entry), now).next();
    let view = view.ok_or(Refused::NotFound("entry"))?;
    let way = division.bracket.path(entry).map(|(at, _)| MatchRef { division: number, number: at });
    let path: Vec<MatchView> = way.filter_map(|at| stream.state.match_view(at)).collect();
    let mut players = players_of(path.iter());
    players.push(view.player);
    let free = stream.state.free_places(number, entry, now).collect();
    let names = service.desk.names(players).await?;
    Ok(web::Json(EntryBody { entry: view, path, free, names }))
}

/// Records what somebody does at the door, as one act: they join side pools, pay, and are here.
///
/// A player who has not checked in is checked in. With `side_pools` the entry plays for these from now on;
/// with `owed` they pay everything that they owe, the stakes of pools joined now included. `owed` is what
/// they owed before, as the caller saw it; if that has changed it is refused with `debt_changed`, so that no
/// payment is recorded twice. Needs what `check_in`, `join_pools` and `pay_in` need, as far as they happen.
#[cfg_attr(test, utoipa::path(
    params(DivisionPath, ("entry" = u32, Path, description = "The entry"), crate::schemas::Conditions),
    request_body(content = Arrival, example = json!({})),
    responses((status = 200, body = TournamentAnswer, headers(("ETag" = String))))
))]
#[post("/tournaments/{id}/divisions/{division}/entries/{entry}/arrival")]
async fn arrive(
    service: Service,
    path: web::Path<EntryPath>,
    ask: CommandRequest<Arrival>,
) -> Result<HttpResponse, Problem> {
    let (id, division, entry) = path.into_inner();
    let principal = service.desk.principal(&ask.request.actor).await?;
    let answer = service.desk.arrive(ask.request, id, division, entry, ask.body).await?;
    let version = answer.stream.version;
    let body = Tournament::answer(&service, answer, &principal).await?;
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(body))
}

/// Lists the matches of a division: all, or those of a flight or a round.
///
/// Needs `view_tournaments`, unless the tournament is public.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(DivisionPath, MatchesQuery),
    responses((status = 200, body = Named<MatchView>))
))]
#[get("/tournaments/{id}/divisions/{division}/matches")]
async fn list_matches_of_division(
    service: Service,
    caller: MaybeCaller,
    path: web::Path<DivisionPath>,
    query: web::Query<MatchesQuery>,
) -> Result<web::Json<Named<MatchView>>, Problem> {
    let DivisionPath { id, division: number } = *path;
    let (stream, _) = service.desk.visible::<Tournament>(caller.actor(), id).await?;
    let division = in_division(&stream.state, number)?;
    let limit = limit(&service, query.limit)?;
    let after: u32 = cursor(query.after.as_deref())?.unwrap_or(0);
    let shown = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1);
    let numbers = numbers_of(division, query.flight, query.round);
    let views = numbers
        .into_iter()
        .flatten()
        .filter(|match_number| match_number.0 > after)
        .take(shown)
        .filter_map(|at| stream.state.match_view(MatchRef { division: number, number: at }));
    let Page { items, next, .. } =
        Page::cut(views.collect(), limit, |at: &MatchView| at.number.0.to_string());
    let names = service.desk.names(players_of(items.iter())).await?;
    Ok(web::Json(Named { items, next, names }))
}

/// The numbers of all matches, or of those of a flight or a round.
fn numbers_of(
    division: &Division,
    flight: Option<u8>,
    round: Option<u8>,
) -> Vec<impl Iterator<Item = MatchNo> + use<>> {
    let flights = (0_u8..).zip(division.bracket.flights());
    let of_flight = flights.filter(move |(number, _)| flight.is_none_or(|wanted| wanted == *number));
    let rounds = of_flight.flat_map(|(_, flight)| (0_u8..).zip(&flight.rounds));
    let of_round = rounds.filter(move |(number, _)| round.is_none_or(|wanted| wanted == *number));
    of_round.map(|(_, round)| (round.first.0..round.first.0 + round.matches).map(MatchNo)).collect()
}

/// A match with the names of its players.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MatchOfDivision {
    #[serde(flatten)]
    pub state: MatchView,
    /// The names of the players.
    pub names: BTreeMap<PlayerId, String>,
}

/// Shows a match of a division.
///
/// Needs `view_tournaments`, unless the tournament is public.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(DivisionPath, ("match" = u32, Path, description = "The match")),
    responses((status = 200, body = MatchOfDivision))
))]
#[get("/tournaments/{id}/divisions/{division}/matches/{match}")]
async fn show_match_of_division(
    service: Service,
    caller: MaybeCaller,
    path: web::Path<MatchPath>,
) -> Result<web::Json<MatchOfDivision>, Problem> {
    let (id, division, number) = path.into_inner();
    let (stream, _) = service.desk.visible::<Tournament>(caller.actor(), id).await?;
    in_division(&stream.state, division)?;
    let view = stream.state.match_view(MatchRef { division, number }).ok_or(Refused::NotFound("match"))?;
    let names = service.desk.names(players_of(std::iter::once(&view))).await?;
    Ok(web::Json(MatchOfDivision { state: view, names }))
}

/// Lists the draws of a division: the main flight's, of which the last counts, then those of last chances.
///
/// A page ends early if its draws have many slots. Needs `view_tournaments`, unless the tournament is public.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(DivisionPath, PageQuery),
    responses((status = 200, body = Page<DrawBody>))
))]
#[get("/tournaments/{id}/divisions/{division}/draws")]
async fn list_draws(
    service: Service,
    caller: MaybeCaller,
    path: web::Path<DivisionPath>,
    query: web::Query<PageQuery>,
) -> Result<web::Json<Page<DrawBody>>, Problem> {
    let DivisionPath { id, division: number } = *path;
    let (stream, _) = service.desk.visible::<Tournament>(caller.actor(), id).await?;
    let division = in_division(&stream.state, number)?;
    let most = at_most(limit(&service, query.limit)?);
    let after: usize = cursor(query.after.as_deref())?.unwrap_or(0);
    let (main, all) = (division.draws.len(), division.draws.len() + division.last_chances.len());
    let body = |(at, draw): (usize, &Arc<Draw>)| DrawBody {
        drawn: draw.drawn.clone(),
        reason: draw.reason.clone().map(String::from),
        at: draw.at,
        slots: draw.slots.clone(),
        last_chance: at >= main,
        counts: at + 1 >= main,
    };
    let mut slots = 0;
    let has_room = |(_, draw): &(usize, &Arc<Draw>)| {
        let has_room = slots == 0 || slots + draw.slots.len() <= MOST_SLOTS;
        slots += draw.slots.len();
        has_room
    };
    let draws = division.draws.iter().chain(&division.last_chances).enumerate().skip(after).take(most);
    let items: Vec<DrawBody> = draws.take_while(has_room).map(body).collect();
    let next = after.saturating_add(items.len());
    Ok(web::Json(Page { items, next: (next < all).then(|| next.to_string()), names: None }))
}

/// The most slots on a page of draws, unless a single draw has more.
const MOST_SLOTS: usize = 8_192;

/// The place of an entry, or the range of places it shares or can still reach.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[cfg_attr(test, schema(as = Place))]
pub struct PlaceBody {
    pub entry: EntryNo,
    /// The player of the entry.
    pub player: Option<PlayerId>,
    /// The best place of the range, from 1.
    pub best: u32,
    /// The worst place of the range. Entries that share places have the same range.
    pub worst: u32,
    /// Whether the entry is still playing for its place.
    pub playing: bool,
}

/// Lists the places of a flight, best first, as far as they are decided.
///
/// Needs `view_tournaments`, unless the tournament is public.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(DivisionPath, FlightQuery),
    responses((status = 200, body = Named<PlaceBody>))
))]
#[get("/tournaments/{id}/divisions/{division}/places")]
async fn list_places(
    service: Service,
    caller: MaybeCaller,
    path: web::Path<DivisionPath>,
    query: web::Query<FlightQuery>,
) -> Result<web::Json<Named<PlaceBody>>, Problem> {
    let DivisionPath { id, division: number } = *path;
    let (stream, _) = service.desk.visible::<Tournament>(caller.actor(), id).await?;
    let division = in_division(&stream.state, number)?;
    let most = at_most(limit(&service, query.limit)?);
    let after: usize = cursor(query.after.as_deref())?.unwrap_or(0);
    let places = division.places(query.flight.into());
    let next = next_after(after, most, places.len());
    let body = |Place { entry, best, worst, playing }: Place| {
        let player = division.entry(entry).map(|entry| entry.player);
        PlaceBody { entry, player, best, worst, playing }
    };
    let items: Vec<PlaceBody> = places.into_iter().skip(after).take(most).map(body).collect();
    let names = service.desk.names(items.iter().filter_map(|place| place.player).collect()).await?;
    Ok(web::Json(Named { items, next, names }))
}

/// Shows the pools of a division: what the schedule gives for the current places, and what was awarded.
///
/// Needs `view_tournaments`, unless the tournament is public.
#[cfg_attr(test, utoipa::path(
    security((), ("bearer" = [])),
    params(DivisionPath, PageQuery),
    responses((status = 200, body = PrizesBody))
))]
#[get("/tournaments/{id}/divisions/{division}/prizes")]
async fn show_prizes(
    service: Service,
    caller: MaybeCaller,
    path: web::Path<DivisionPath>,
    query: web::Query<PageQuery>,
) -> Result<web::Json<PrizesBody>, Problem> {
    let DivisionPath { id, division: number } = *path;
    let (stream, _) = service.desk.visible::<Tournament>(caller.actor(), id).await?;
    let most = at_most(limit(&service, query.limit)?);
    let after: usize = cursor(query.after.as_deref())?.unwrap_or(0);
    let mut prizes = in_division(&stream.state, number)?.prizes_view();
    let all = prizes.scheduled.len().max(prizes.given.as_ref().map_or(0, Vec::len));
    for awarded in [Some(&mut prizes.scheduled), prizes.given.as_mut()].into_iter().flatten() {
        *awarded = awarded.iter().skip(after).take(most).copied().collect();
    }
    Ok(web::Json(PrizesBody { prizes, next: next_after(after, most, all) }))
}

fn at_most(limit: i64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

/// The cursor of the next page of a list that does not grow; `None` on the last page.
fn next_after(after: usize, most: usize, all: usize) -> Option<String> {
    Some(after.saturating_add(most)).filter(|next| *next < all).map(|next| next.to_string())
}

fn in_division(tournament: &Tournament, number: DivisionNo) -> Result<&Division, Refused> {
    tournament.division(number).ok_or(Refused::NotFound("division"))
}
