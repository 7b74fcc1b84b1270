//! The part of a report on tournaments and matches: entries by name, draws with their seeds, every match with
//! its result.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Names, NightError};
use owlbox_base::journal::Version;
use owlbox_base::values::{Currency, MatchId, PlayerId};
use owlbox_desk::{Desk, Refused};
use owlbox_play::matches::score::Length;
use owlbox_play::matches::view::{LineView, OwedView};
use owlbox_play::matches::{DecidedBy, Sheet, Status, View};
use owlbox_play::matches::{Ending, MatchNo};
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::bracket::{EntryNo, FlightKind, Occupant, Place};
use owlbox_play::tournament::division::{Division, Draw};
use owlbox_play::tournament::draw::Seed;
use owlbox_play::tournament::entry::{Entry, EntryStanding};
use owlbox_play::tournament::event::{Awarded, DrawnBy, DrawnSlot};
use owlbox_play::tournament::room::{DivisionNo, MatchRef, TableNo};

/// The report of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentReport {
    pub name: String,
    /// The day on which the tournament began.
    pub date: NaiveDate,
    /// The currency of fees and prizes, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub directors: Vec<String>,
    /// The divisions in the order of their numbers.
    pub divisions: Vec<DivisionReport>,
    /// What the tournament owes each player, in minor units; below zero the player owes it. Balances of zero
    /// are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accounts: Vec<Amount>,
    pub closed: bool,
    /// The tournament's version: its number of events.
    pub version: Version,
}

/// The report of a division.
#[derive(Clone, Debug, Serialize)]
pub struct DivisionReport {
    pub division: DivisionNo,
    pub name: String,
    /// The entries in the order of their numbers.
    pub entries: Vec<EntryReport>,
    /// The draws that count: the main flight's, then those of last chances.
    pub draws: Vec<DrawReport>,
    /// The flights with all their matches.
    pub flights: Vec<FlightReport>,
    /// The amount in the pool, in minor units.
    #[serde(skip_serializing_if = "is_nothing")]
    pub pool: u64,
    /// The amount in each side pool, in minor units.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub side_pools: Vec<u64>,
    /// The prizes, if there is money.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prizes: Option<PrizesReport>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
const fn is_nothing(amount: &u64) -> bool {
    *amount == 0
}

#[derive(Clone, Debug, Serialize)]
pub struct EntryReport {
    pub entry: EntryNo,
    pub player: String,
    pub standing: EntryStanding,
    /// The entry's place on the seeding list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeded: Option<u32>,
}

#[derive(Clone, Debug, Serialize)]
pub struct DrawReport {
    pub flight: FlightKind,
    /// The seed that determines the draw; null if it was made by hand.
    pub seed: Option<Seed>,
    /// The reason given for drawing again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The drawn slots: a name, 0 for a bye, null for a slot that was left open.
    pub slots: Vec<Value>,
}

#[derive(Clone, Debug, Serialize)]
pub struct FlightReport {
    pub flight: FlightKind,
    /// The rounds, the earliest first.
    pub rounds: Vec<RoundReport>,
    /// The places of the flight with those who took them or still can.
    pub places: Vec<PlaceReport>,
}

#[derive(Clone, Debug, Serialize)]
pub struct RoundReport {
    pub length: Length,
    pub matches: Vec<MatchReport>,
}

#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    #[serde(rename = "match")]
    pub number: MatchNo,
    /// The players in the upper and the lower slot: a name, 0 for nobody, null if not known yet.
    pub players: [Value; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// The points of the upper and the lower slot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<[u16; 2]>,
    /// The table it was called to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableNo>,
    /// The contents of the match's sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<ScoreReport>,
}

#[derive(Clone, Debug, Serialize)]
pub struct PlaceReport {
    pub player: String,
    /// The best place that the entry has or can still reach.
    pub best: u32,
    pub worst: u32,
    /// Whether the entry is still playing for its place.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub playing: bool,
}

/// Prizes by the schedule, and as awarded.
#[derive(Clone, Debug, Serialize)]
pub struct PrizesReport {
    pub kept: u64,
    /// The prizes due by the schedule.
    pub scheduled: Vec<Amount>,
    pub given: Option<Vec<Amount>>,
}

/// A player and an amount in minor units.
#[derive(Clone, Debug, Serialize)]
pub struct Amount {
    pub player: String,
    pub amount: i64,
}

/// The report of a friendly match or a money session.
#[derive(Clone, Debug, Serialize)]
pub struct SheetReport {
    /// The name that the file gives the sheet.
    pub name: String,
    /// The two players, upper slot first.
    pub players: Vec<String>,
    /// The contents of the sheet.
    #[serde(flatten)]
    pub score: ScoreReport,
}

/// The contents of a sheet.
#[derive(Clone, Debug, Serialize)]
pub struct ScoreReport {
    pub status: Status,
    /// The points of the upper and the lower slot.
    pub score: [u32; 2],
    /// The lines of the sheet, in order.
    pub lines: Vec<LineView>,
    /// The amount that one side of a money session owes the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owed: Option<OwedView>,
    #[serde(flatten)]
    pub decided_by: Option<DecidedBy>,
    /// The sheet's version: its number of events.
    pub version: Version,
}

/// The reports of all tournaments, and all their entrants.
pub(super) async fn tournaments(
    desk: &Desk,
    names: &Names,
) -> Result<(Vec<TournamentReport>, BTreeSet<PlayerId>), NightError> {
    let (mut reports, mut known) = (Vec::new(), BTreeSet::new());
    for id in names.tournaments() {
        let stream = match desk.find::<Tournament>(id).await {
            // The opening of this tournament was undone, so there is nothing to report.
            Err(Refused::NotFound(_)) => continue,
            found => found?,
        };
        let state = &stream.state;
        let entered = state.divisions().flat_map(|(_, of)| of.entries().map(|(_, entry)| entry.player));
        known.extend(entered);
        let mut divisions = Vec::new();
        for (number, _) in state.divisions() {
            divisions.extend(division(desk, names, state, number).await?);
        }
        let Some(about) = state.about() else { continue };
        reports.push(TournamentReport {
            name: about.name.to_string(),
            date: about.date,
            currency: about.currency,
            directors: state.directors.iter().map(|director| names.of_login(*director)).collect(),
            divisions,
            accounts: amounts(state.accounts(), names),
            closed: state.closed_at.is_some(),
            version: stream.version,
        });
    }
    Ok((reports, known))
}

/// The reports of all matches outside tournaments, and all their players.
pub(super) async fn sheets(
    desk: &Desk,
    names: &Names,
) -> Result<(Vec<SheetReport>, BTreeSet<PlayerId>), NightError> {
    let (mut reports, mut known) = (Vec::new(), BTreeSet::new());
    for (id, name) in names.sheets() {
        let stream = match desk.find::<Sheet>(id).await {
            Err(Refused::NotFound(_)) => continue,
            found => found?,
        };
        let players = stream.state.players().unwrap_or_default();
        known.extend(players);
        reports.push(SheetReport {
            name: name.to_owned(),
            players: players.iter().map(|player| names.name_of(*player)).collect(),
            score: ScoreReport::new(&stream.state, stream.version),
        });
    }
    Ok((reports, known))
}

impl ScoreReport {
    fn new(sheet: &Sheet, version: Version) -> Self {
        let View { status, score, lines, owed, decided_by, .. } = sheet.into();
        Self { status, score, lines, owed, decided_by, version }
    }
}

async fn division(
    desk: &Desk,
    names: &Names,
    state: &Tournament,
    number: DivisionNo,
) -> Result<Option<DivisionReport>, NightError> {
    let Some(of) = state.division(number) else { return Ok(None) };
    let mut flights = Vec::new();
    for (flight, found) in of.bracket.flights().iter().enumerate() {
        let mut rounds: Vec<RoundReport> = Vec::new();
        for round in &found.rounds {
            let mut matches = Vec::new();
            for at in (round.first.0..).take(usize::try_from(round.matches).unwrap_or(0)).map(MatchNo) {
                matches.extend(a_match(desk, names, state, MatchRef { division: number, number: at }).await?);
            }
            let length = of.bracket.get(round.first).map_or(Length::SEVEN, |first| of.length(first));
            rounds.push(RoundReport { length, matches });
        }
        let places = of.places(flight).into_iter().map(|place| PlaceReport::new(of, place, names));
        flights.push(FlightReport { flight: found.kind, rounds, places: places.collect() });
    }
    let main = of.draws.last().map(|draw| DrawReport::new(of, FlightKind::Main, draw, names));
    let last = of.last_chances.iter().map(|draw| DrawReport::new(of, FlightKind::LastChance, draw, names));
    let has_money = state.about().is_some_and(|about| about.currency.is_some());
    Ok(Some(DivisionReport {
        division: number,
        name: of.settings.name.to_string(),
        entries: entries(of, names),
        draws: main.into_iter().chain(last).collect(),
        flights,
        pool: of.pool,
        side_pools: of.side_pools.clone(),
        prizes: has_money.then(|| PrizesReport::new(of, names)),
    }))
}

fn entries(of: &Division, names: &Names) -> Vec<EntryReport> {
    let report = |(number, entry): (EntryNo, &Entry)| EntryReport {
        entry: number,
        player: names.name_of(entry.player),
        standing: entry.standing,
        seeded: entry.seeded,
    };
    of.entries().map(report).collect()
}

fn player_name(of: &Division, entry: EntryNo, names: &Names) -> Option<String> {
    of.entry(entry).map(|entry| names.name_of(entry.player))
}

async fn a_match(
    desk: &Desk,
    names: &Names,
    state: &Tournament,
    at: MatchRef,
) -> Result<Option<MatchReport>, NightError> {
    let Some((of, found)) = state.match_at(at) else { return Ok(None) };
    let sheet = match of.sheet(at.number) {
        Some(sheet) => Some(scored(desk, sheet).await?),
        None => None,
    };
    Ok(Some(MatchReport {
        number: at.number,
        players: found.occupants.map(|occupant| match occupant {
            Occupant::Unknown => Value::Null,
            Occupant::Nobody => json!(0),
            Occupant::Entry(entry) => json!(player_name(of, entry, names)),
        }),
        winner: found.winner().and_then(|entry| player_name(of, entry, names)),
        ending: found.outcome.map(|outcome| outcome.ending),
        score: found.outcome.and_then(|outcome| outcome.score),
        table: state.room.calls.get(&at).map(|call| call.table),
        sheet,
    }))
}

async fn scored(desk: &Desk, sheet: MatchId) -> Result<ScoreReport, NightError> {
    let stream = desk.find::<Sheet>(sheet).await?;
    Ok(ScoreReport::new(&stream.state, stream.version))
}

impl DrawReport {
    fn new(division: &Division, flight: FlightKind, draw: &Draw, names: &Names) -> Self {
        let slot = |slot: &DrawnSlot| match slot.0 {
            None => Value::Null,
            Some(0) => json!(0),
            Some(entry) => json!(player_name(division, EntryNo(entry), names)),
        };
        Self {
            flight,
            seed: match &draw.drawn {
                DrawnBy::Lot { seed, .. } => Some(*seed),
                DrawnBy::Hand {} => None,
            },
            reason: draw.reason.as_ref().map(ToString::to_string),
            slots: draw.slots.iter().map(slot).collect(),
        }
    }
}

impl PlaceReport {
    fn new(division: &Division, place: Place, names: &Names) -> Self {
        let Place { entry, best, worst, playing } = place;
        let player = player_name(division, entry, names).unwrap_or_else(|| format!("№ {}", entry.0));
        Self { player, best, worst, playing }
    }
}

impl PrizesReport {
    fn new(division: &Division, names: &Names) -> Self {
        let view = division.prizes_view();
        let told = |awards: Vec<Awarded>| {
            let signed = |of: Awarded| (of.player, i64::try_from(of.amount).unwrap_or(i64::MAX));
            let mut told = amounts(awards.into_iter().map(signed), names);
            told.sort_by_key(|of| std::cmp::Reverse(of.amount));
            told
        };
        Self { kept: view.kept, scheduled: told(view.scheduled), given: view.given.map(told) }
    }
}

/// Amounts in the order in which the file names the players: the ids differ every time.
fn amounts(of: impl Iterator<Item = (PlayerId, i64)>, names: &Names) -> Vec<Amount> {
    let amounts: BTreeMap<PlayerId, i64> = of.collect();
    let amount = |(player, name): (PlayerId, &str)| {
        amounts.get(&player).map(|amount| Amount { player: name.to_owned(), amount: *amount })
    };
    names.players().filter_map(amount).collect()
}
