//! What came of a night, as one JSON object: names for ids, whole numbers of half points, the same to
//! the byte every time. [`tournaments`] is about tournaments and matches.

pub mod tournaments;

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::Serialize;

use super::NightError;
use super::script::Names;
use owlbox_desk::{Actor, Desk, Refused};
use owlbox_domain::chouette::{
    BetKind, Chouette, Event, Finished, Line, Phase, SettledBet, SettledBy, Side, exposure, game,
};
use owlbox_domain::journal::{Act, ActKind, Aggregate as _, Stream, Version};
use owlbox_domain::tournament::rating::Rating;
use owlbox_domain::values::{ActId, HalfPoints, Holder, PlayerId, Stake, Timestamp};
use owlbox_engine::{Variant, Win};
use tournaments::{SheetReport, TournamentReport};

/// What came of a night.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The format of this object: 1.
    pub night: u32,
    /// The table of the header; none where the file is about tournaments and matches alone.
    #[serde(flatten)]
    pub table: Option<TableReport>,
    /// The other tables, in the order in which they were opened.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_tables: Vec<TableReport>,
    /// The tournaments, in the order in which they were opened.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tournaments: Vec<TournamentReport>,
    /// The sheets of friendly matches and money sessions, in the order in which they were opened.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sheets: Vec<SheetReport>,
    /// What everybody is rated who has played a rated match, the best first; of equals, who joined first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<RatingReport>,
    /// Where everybody stands in the books.
    pub balances: Vec<BalanceReport>,
    /// Where the house stands in the books, if it does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub house: Vec<HouseReport>,
}

/// What came of a table.
#[derive(Clone, Debug, Serialize)]
pub struct TableReport {
    pub name: String,
    /// The day the night belongs to.
    pub date: NaiveDate,
    /// What a point was worth.
    pub stake: Option<Stake>,
    /// Every finished game that counts, as corrected, undone ones left out.
    pub games: Vec<GameReport>,
    /// What is going on at the end: `closed` if the night was closed.
    pub phase: Phase,
    /// Who sits where at the end, if the order was settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<Seating>,
    /// Of a game that is on: what everybody still in can lose at the present cubes, in half points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exposure: Vec<Score>,
    /// Everybody's score, the highest first; of equals, who joined first.
    pub standings: Vec<Score>,
    pub settlements: Vec<SettlementReport>,
    /// What players have paid each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub payments: Vec<PaymentReport>,
    /// The chouette's version: the events it took.
    pub version: Version,
}

#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// Its number, from 1.
    pub game: u32,
    /// What was played, where it was not backgammon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<Variant>,
    #[serde(rename = "box")]
    pub box_player: String,
    /// The captain who began it.
    pub captain: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<String>,
    /// Who was asked for an extra and gave none, in the order of the passes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extras_passed: Vec<String>,
    /// The side that won it.
    pub winner: Side,
    /// How; null if it ended by drops or settlements.
    pub win: Option<Win>,
    /// Its bets, in line order; extras and partners' shares last.
    pub bets: Vec<BetReport>,
    /// What everybody in it won or lost: the box, then down the line.
    pub scores: Vec<Score>,
    /// Who sits where after it.
    pub after: Seating,
}

/// A bet settled by agreement.
#[derive(Clone, Debug, Serialize)]
pub struct SettlementReport {
    /// The number of the game.
    pub game: u32,
    #[serde(flatten)]
    pub bet: BetReport,
}

#[derive(Clone, Debug, Serialize)]
pub struct PaymentReport {
    pub payer: String,
    pub payee: String,
    /// Minor units of the stake's currency, or half points.
    pub amount: i64,
}

#[derive(Clone, Debug, Serialize)]
pub struct BetReport {
    pub winner: String,
    pub loser: String,
    /// How much, in half points.
    pub half_points: HalfPoints,
    pub kind: BetKind,
    pub by: SettledBy,
}

#[derive(Clone, Debug, Serialize)]
pub struct Score {
    pub player: String,
    /// How much, in half points.
    pub half_points: HalfPoints,
}

#[derive(Clone, Debug, Serialize)]
pub struct Seating {
    /// The box of the next game.
    #[serde(rename = "box")]
    pub box_player: Option<String>,
    pub captain: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<String>,
    /// The whole line: box, captain, crew, whoever is on a break in his place.
    pub line: Vec<String>,
    /// Who waits for the end of a game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<String>,
    /// Who is on a break.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resting: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct RatingReport {
    pub player: String,
    /// In thousandths of a point.
    pub rating: Rating,
    /// The points of all rated matches.
    pub experience: i64,
    /// How many matches were rated.
    pub matches: i64,
}

/// Where somebody stands in the books, in one unit.
#[derive(Clone, Debug, Serialize)]
pub struct BalanceReport {
    pub player: String,
    /// `half_points`, or a currency.
    pub unit: String,
    /// Half points, or minor units of the currency.
    pub amount: i64,
}

/// Where the house stands in the books, in one unit.
#[derive(Clone, Debug, Serialize)]
pub struct HouseReport {
    pub unit: String,
    /// Minor units of it.
    pub amount: i64,
}

impl Report {
    /// What came of the night at all its tables, its tournaments and its matches.
    pub(super) async fn load(desk: &Desk, names: &Names) -> Result<Self, NightError> {
        let mut tables = Vec::new();
        let mut known = BTreeSet::new();
        for (table, _) in names.tables() {
            let acts = desk.acts::<Chouette>(table).await?;
            let stream = Stream::<Chouette>::replay(&acts).map_err(Refused::from)?;
            known.extend(stream.state.known());
            tables.push(TableReport::new(&stream, &acts, names));
        }
        let (tournaments, entered) = tournaments::tournaments(desk, names).await?;
        let (sheets, seated) = tournaments::sheets(desk, names).await?;
        known.extend(entered.into_iter().chain(seated));
        let mut balances = Vec::new();
        for (player, name) in names.players().filter(|(player, _)| known.contains(player)) {
            for balance in desk.balances(&Actor::CONSOLE, player.into()).await? {
                let (unit, amount) = (balance.unit, balance.amount);
                balances.push(BalanceReport { player: name.to_owned(), unit, amount });
            }
        }
        let ratings = ratings(desk, names).await?;
        let house = desk.balances(&Actor::CONSOLE, Holder::House).await?;
        let house = house.into_iter().map(|of| HouseReport { unit: of.unit, amount: of.amount });
        let mut tables = tables.into_iter();
        let (table, other_tables) = (tables.next(), tables.collect());
        let house = house.collect();
        Ok(Self { night: 1, table, other_tables, tournaments, sheets, ratings, balances, house })
    }

    /// The JSON, laid out for reading: what fits on a line is on one.
    ///
    /// # Errors
    /// Never; but the serialiser could fail.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let text = serde_json::to_string_pretty(self)?;
        let lines: Vec<&str> = text.lines().collect();
        Ok(laid_out(&lines).join("\n"))
    }
}

async fn ratings(desk: &Desk, names: &Names) -> Result<Vec<RatingReport>, NightError> {
    let rows = desk.all_ratings().await?;
    let rated = names.players().filter_map(|(player, name)| {
        let row = rows.iter().find(|row| PlayerId::from(row.player) == player)?;
        let (rating, player) = (Rating(row.value), name.to_owned());
        Some(RatingReport { player, rating, experience: row.experience, matches: row.matches })
    });
    let mut rated: Vec<RatingReport> = rated.collect();
    rated.sort_by_key(|one| std::cmp::Reverse(one.rating));
    Ok(rated)
}

impl TableReport {
    fn new(stream: &Stream<Chouette>, acts: &[Act<Event>], names: &Names) -> Self {
        let state = &stream.state;
        let events = effective(stream, acts);
        let games = games(state, &events, names);
        let settled = state.finished().flat_map(|finished| {
            let agreed = finished.results.iter().filter(|bet| bet.by == SettledBy::Settlement);
            agreed.map(|bet| SettlementReport { game: finished.number, bet: BetReport::new(bet, names) })
        });
        let exposure = state.game().map(|game| exposure::exposures(game, state.rules())).unwrap_or_default();
        let score = |(player, half_points)| Score { player: names.name_of(player), half_points };
        let paid = events.iter().filter_map(|(_, event)| {
            if let Event::Paid { payer, payee, amount } = event {
                Some(PaymentReport {
                    payer: names.name_of(*payer),
                    payee: names.name_of(*payee),
                    amount: *amount,
                })
            } else {
                None
            }
        });
        Self {
            name: state.name().to_owned(),
            date: state.night(),
            stake: state.stake(),
            games,
            phase: state.phase(),
            seats: state.seats().standing().map(|line| Seating::new(line, names)),
            exposure: exposure.into_iter().map(score).collect(),
            standings: standings(state, names),
            settlements: settled.collect(),
            payments: paid.collect(),
            version: stream.version,
        }
    }
}

impl Seating {
    fn new(line: &Line, names: &Names) -> Self {
        let named =
            |players: &[PlayerId]| players.iter().map(|player| names.name_of(*player)).collect::<Vec<_>>();
        let active = named(&line.active());
        Self {
            box_player: active.first().cloned(),
            captain: active.get(1).cloned(),
            partners: named(&line.partners),
            line: named(&line.line),
            waiting: named(&line.waiting),
            resting: named(&line.resting),
        }
    }
}

impl BetReport {
    fn new(bet: &SettledBet, names: &Names) -> Self {
        Self {
            winner: names.name_of(bet.winner),
            loser: names.name_of(bet.loser),
            half_points: bet.points,
            kind: bet.kind,
            by: bet.by,
        }
    }
}

/// The events that count, in order, with when they happened.
fn effective<'a>(stream: &Stream<Chouette>, acts: &'a [Act<Event>]) -> Vec<(Timestamp, &'a Event)> {
    let effective: BTreeSet<ActId> = stream.effective().newest_first().map(|mark| mark.id).collect();
    let counts = |act: &&Act<Event>| effective.contains(&act.id);
    let events = acts.iter().filter(counts).flat_map(|act| {
        let events = match &act.kind {
            ActKind::Events(events) => events.as_slice(),
            ActKind::Undo(_) | ActKind::Redo(_) => &[],
        };
        events.iter().map(|event| (act.at, event))
    });
    events.collect()
}

/// The games that count: a start, and the end that follows it, with the bets as they were corrected.
fn games(state: &Chouette, events: &[(Timestamp, &Event)], names: &Names) -> Vec<GameReport> {
    let mut games = Vec::new();
    // The table as it was then: a game's end does not say who is on a break in the line.
    let mut table = Chouette::initial();
    let (mut players, mut passed): (Vec<PlayerId>, Vec<PlayerId>) = Default::default();
    for (at, event) in events {
        table.apply(event, *at);
        match event {
            Event::GameStarted { box_player, bets, .. } => {
                players = std::iter::once(*box_player).chain(bets.iter().map(|bet| bet.member)).collect();
                passed.clear();
            }
            Event::ExtraPassed { player } => passed.push(*player),
            Event::GameFinished(finished) => {
                let after = table.seats().standing().map(|line| Seating::new(line, names));
                let corrected = state.finished_game(finished.game).zip(after);
                games.extend(
                    corrected.map(|(game, after)| game_report((&players, &passed), game, after, names)),
                );
            }
            Event::Opened { .. }
            | Event::RulesChanged { .. }
            | Event::Joined { .. }
            | Event::Left { .. }
            | Event::WentOnBreak { .. }
            | Event::Returned { .. }
            | Event::ProxyNamed { .. }
            | Event::PlayersMerged { .. }
            | Event::StakeSet { .. }
            | Event::StartSet { .. }
            | Event::RollsEntered { .. }
            | Event::OrderDrawn { .. }
            | Event::OrderSet { .. }
            | Event::PartnershipOffered { .. }
            | Event::PartnershipDeclined { .. }
            | Event::PartnershipMade { .. }
            | Event::BoxDeclined { .. }
            | Event::OpeningTied { .. }
            | Event::Doubled { .. }
            | Event::Beavered { .. }
            | Event::Answered { .. }
            | Event::Taken { .. }
            | Event::Dropped { .. }
            | Event::CaptainChanged { .. }
            | Event::TakersMovedUp { .. }
            | Event::LoneTaker { .. }
            | Event::ExtraOffered { .. }
            | Event::ExtrasGiven { .. }
            | Event::PlayedOn { .. }
            | Event::Settled { .. }
            | Event::Board { .. }
            | Event::GameCorrected { .. }
            | Event::Paid { .. }
            | Event::Split { .. }
            | Event::MergedInto { .. }
            | Event::Closed { .. } => {}
        }
    }
    games
}

/// A finished game of `players`: the box, the captain, the crew; `passed` gave no extras.
fn game_report(
    (players, passed): (&[PlayerId], &[PlayerId]),
    corrected: &Finished,
    after: Seating,
    names: &Names,
) -> GameReport {
    let seat = |place: usize| players.get(place).map_or_else(String::new, |player| names.name_of(*player));
    let mut scored = players.to_vec();
    let in_bets = corrected.results.iter().flat_map(|bet| [bet.winner, bet.loser]);
    for player in in_bets {
        if !scored.contains(&player) {
            scored.push(player);
        }
    }
    let score = |player: PlayerId| Score {
        player: names.name_of(player),
        half_points: game::score_of(player, corrected.results.iter().copied()),
    };
    GameReport {
        game: corrected.number,
        variant: Some(corrected.variant).filter(|variant| *variant != Variant::Standard),
        box_player: seat(0),
        captain: seat(1),
        partners: corrected.partners.iter().map(|partner| names.name_of(*partner)).collect(),
        extras_passed: passed.iter().map(|player| names.name_of(*player)).collect(),
        winner: corrected.winner,
        win: corrected.win,
        bets: corrected.results.iter().map(|bet| BetReport::new(bet, names)).collect(),
        scores: scored.into_iter().map(score).collect(),
        after,
    }
}

fn standings(state: &Chouette, names: &Names) -> Vec<Score> {
    let mut standings: Vec<Score> = names
        .players()
        .filter(|(player, _)| state.knows(*player))
        .map(|(player, name)| Score { player: name.to_owned(), half_points: state.score(player) })
        .collect();
    standings.sort_by_key(|score| std::cmp::Reverse(score.half_points));
    standings
}

/// The widest line that holds a whole object or list.
const WIDTH: usize = 100;

/// Joins the lines of every object and list that fits on one. Strings hold no line breaks in JSON, so
/// lines are safe to take for what they look like.
fn laid_out(lines: &[&str]) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&line) = lines.get(at) {
        at += 1;
        let opens = line.ends_with('{') || line.ends_with('[');
        let rest = lines.get(at..).unwrap_or_default();
        let inside = rest.iter().take_while(|inner| indent(inner) > indent(line)).count();
        if opens
            && at > 1
            && let Some((inner, [close, ..])) = rest.split_at_checked(inside)
        {
            let mut joined = line.to_owned();
            for part in inner.iter().chain([close]).map(|line| line.trim_start()) {
                if !joined.ends_with('[') && !part.starts_with(']') {
                    joined.push(' ');
                }
                joined.push_str(part);
            }
            if joined.chars().count() <= WIDTH {
                out.push(joined);
                at += inside + 1;
                continue;
            }
        }
        out.push(line.to_owned());
    }
    out
}
