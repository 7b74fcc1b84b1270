//! The report of a night as one JSON object, with names for ids and amounts in whole half points. The same
//! night always gives the same bytes. [`tournaments`] has the part on tournaments and matches.

pub mod tournaments;

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::Serialize;

use super::NightError;
use super::script::Names;
use owlbox_base::journal::{Act, Aggregate as _, Stream, Version};
use owlbox_base::values::{ActId, HalfPoints, Holder, PlayerId, Stake, Timestamp};
use owlbox_chouette::{
    BetKind, Chouette, Event, Finished, Line, Phase, SettledBet, SettledBy, Side, exposure, game,
};
use owlbox_desk::{Actor, Desk, Refused};
use owlbox_engine::{Variant, Win};
use owlbox_play::tournament::rating::Rating;
use tournaments::{SheetReport, TournamentReport};

/// The report of a night.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The format of this object: 1.
    pub night: u32,
    /// The table of the header; absent if the file is about tournaments and matches only.
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
    /// The ratings of all who have played a rated match, the best first; among equals, in the order in which
    /// they joined.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<RatingReport>,
    /// Everybody's balance in the books.
    pub balances: Vec<BalanceReport>,
    /// The house's balance in the books, if it has one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub house: Vec<HouseReport>,
}

/// The report of a table.
#[derive(Clone, Debug, Serialize)]
pub struct TableReport {
    pub name: String,
    /// The day the night belongs to.
    pub date: NaiveDate,
    /// The money a point was worth; null if no money was played for.
    pub stake: Option<Stake>,
    /// Every finished game, with corrections applied and undone games left out.
    pub games: Vec<GameReport>,
    /// The phase at the end: `closed` if the night was closed.
    pub phase: Phase,
    /// The seats at the end, if the order was settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<Seating>,
    /// During a game: what each player still in it can lose at the present cubes, in half points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exposure: Vec<Score>,
    /// Everybody's score, the highest first; among equals, in the order in which they joined.
    pub standings: Vec<Score>,
    pub settlements: Vec<SettlementReport>,
    /// The payments between players, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub payments: Vec<PaymentReport>,
    /// The chouette's version: its number of events.
    pub version: Version,
}

#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// The number of the game, from 1.
    pub game: u32,
    /// The variant, if it was not backgammon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<Variant>,
    #[serde(rename = "box")]
    pub box_player: String,
    /// The captain at the start of the game.
    pub captain: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<String>,
    /// The players who were asked for an extra and passed, in that order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extras_passed: Vec<String>,
    /// The side that won the game.
    pub winner: Side,
    /// The kind of win; null if the game ended by drops or settlements.
    pub win: Option<Win>,
    /// The bets in line order, then extras and partners' shares.
    pub bets: Vec<BetReport>,
    /// The result of every player in the game: the box, then down the line.
    pub scores: Vec<Score>,
    /// The seats after the game.
    pub after: Seating,
}

/// A bet that was settled by agreement.
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
    /// In minor units of the stake's currency, or in half points.
    pub amount: i64,
}

#[derive(Clone, Debug, Serialize)]
pub struct BetReport {
    pub winner: String,
    pub loser: String,
    /// The amount in half points.
    pub half_points: HalfPoints,
    pub kind: BetKind,
    pub by: SettledBy,
}

#[derive(Clone, Debug, Serialize)]
pub struct Score {
    pub player: String,
    /// The amount in half points.
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
    /// The whole line: box, captain, crew, with players on a break who keep their place.
    pub line: Vec<String>,
    /// The players who wait for the game to end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<String>,
    /// The players who are on a break.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resting: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct RatingReport {
    pub player: String,
    /// In thousandths of a point.
    pub rating: Rating,
    /// The total length of all rated matches, in points.
    pub experience: i64,
    /// The number of rated matches.
    pub matches: i64,
}

/// A player's balance in the books, in one unit.
#[derive(Clone, Debug, Serialize)]
pub struct BalanceReport {
    pub player: String,
    /// `half_points`, or the code of a currency.
    pub unit: String,
    /// Half points, or minor units of the currency.
    pub amount: i64,
}

/// The house's balance in the books, in one unit.
#[derive(Clone, Debug, Serialize)]
pub struct HouseReport {
    pub unit: String,
    /// In minor units of the currency.
    pub amount: i64,
}

impl Report {
    /// Reports on all tables, tournaments and matches of the night.
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
            for balance in desk.balances(&Actor::CONSOLE, player.into(), None).await? {
                let (unit, amount) = (balance.unit, balance.amount);
                balances.push(BalanceReport { player: name.to_owned(), unit, amount });
            }
        }
        let ratings = ratings(desk, names).await?;
        let house = desk.balances(&Actor::CONSOLE, Holder::House, None).await?;
        let house = house.into_iter().map(|of| HouseReport { unit: of.unit, amount: of.amount });
        let mut tables = tables.into_iter();
        let (table, other_tables) = (tables.next(), tables.collect());
        let house = house.collect();
        Ok(Self { night: 1, table, other_tables, tournaments, sheets, ratings, balances, house })
    }

    /// The JSON laid out for reading: an object or list that fits on one line is on one.
    ///
    /// # Errors
    /// Only if serialisation fails, which it does not for these types.
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

/// The events that count, in order, with the time of each.
fn effective<'a>(stream: &Stream<Chouette>, acts: &'a [Act<Event>]) -> Vec<(Timestamp, &'a Event)> {
    let effective: BTreeSet<ActId> = stream.effective().newest_first().map(|mark| mark.id).collect();
    let counts = |act: &&Act<Event>| effective.contains(&act.id);
    let events = acts.iter().filter(counts).flat_map(|act| act.events().iter().map(|event| (act.at, event)));
    events.collect()
}

/// The games that count: a start and the end that follows it, with corrected bets.
fn games(state: &Chouette, events: &[(Timestamp, &Event)], names: &Names) -> Vec<GameReport> {
    let mut games = Vec::new();
    // Replayed along with the events: the end of a game does not say who is on a break in the line.
    let mut table = Chouette::initial();
    let (mut players, mut passed): (Vec<PlayerId>, Vec<PlayerId>) = Default::default();
    for (at, event) in events {
        table.apply(event, *at);
        if let Event::GameStarted { box_player, bets, .. } = event {
            players = std::iter::once(*box_player).chain(bets.iter().map(|bet| bet.member)).collect();
            passed.clear();
        } else if let Event::ExtraPassed { player } = event {
            passed.push(*player);
        } else if let Event::GameFinished(finished) = event {
            let after = table.seats().standing().map(|line| Seating::new(line, names));
            let corrected = state.finished_game(finished.game).zip(after);
            games.extend(corrected.map(|(game, after)| game_report((&players, &passed), game, after, names)));
        }
    }
    games
}

/// The report of a finished game. `players` are the box, the captain and the crew; `passed` gave no extras.
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

/// The widest line that may hold a whole object or list.
const WIDTH: usize = 100;

/// Joins the lines of every object and list that fits on one line. JSON strings contain no line breaks, so
/// indentation and the last character tell what a line is.
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
