//! What came of a night, as one JSON object: names for ids, whole numbers of half points, the same to
//! the byte every time.

use chrono::NaiveDate;
use serde::Serialize;

use super::NightError;
use super::script::Names;
use crate::chouette::{BetKind, Chouette, Event, FinishedGame, Phase, SettledBy, Side, game};
use crate::desk::{Actor, Desk};
use crate::engine::Win;
use crate::journal::{Act, Deed, Stream, Version};
use crate::store::{StoreError, journal};
use crate::values::{ChouetteId, HalfPoints, PlayerId, Stake};

/// What came of a night.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The format of this object: 1.
    pub night: u32,
    /// What the table was called.
    pub name: String,
    /// The day the night belongs to.
    pub date: NaiveDate,
    /// What a point was worth.
    pub stake: Option<Stake>,
    /// Every finished game that counts, undone ones left out.
    pub games: Vec<GameReport>,
    /// What is going on at the end: `closed` if the night was closed.
    pub phase: Phase,
    /// Everybody's score, the highest first; of equals, who joined first.
    pub standings: Vec<Score>,
    /// Bets settled by agreement: none, under the rules that are played.
    pub settlements: Vec<BetReport>,
    /// Where everybody stands in the books.
    pub balances: Vec<BalanceReport>,
    /// The chouette's version: the events it took.
    pub version: Version,
}

/// A finished game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// Its number, from 1.
    pub game: u32,
    /// The box.
    #[serde(rename = "box")]
    pub box_player: String,
    /// The captain who began it.
    pub captain: String,
    /// The side that won it.
    pub winner: Side,
    /// How; null if it ended by drops.
    pub win: Option<Win>,
    /// Its bets, in line order.
    pub bets: Vec<BetReport>,
    /// What everybody in it won or lost: the box, then down the line.
    pub scores: Vec<Score>,
    /// Who sits where after it.
    pub after: Seating,
}

/// A settled bet.
#[derive(Clone, Debug, Serialize)]
pub struct BetReport {
    /// Who won it.
    pub winner: String,
    /// Who lost it.
    pub loser: String,
    /// How much, in half points.
    pub half_points: HalfPoints,
    /// What kind of bet.
    pub kind: BetKind,
    /// What settled it.
    pub by: SettledBy,
}

/// A score.
#[derive(Clone, Debug, Serialize)]
pub struct Score {
    /// Whose.
    pub player: String,
    /// How much, in half points.
    pub half_points: HalfPoints,
}

/// Who sits where.
#[derive(Clone, Debug, Serialize)]
pub struct Seating {
    /// The box of the next game.
    #[serde(rename = "box")]
    pub box_player: Option<String>,
    /// Its captain.
    pub captain: Option<String>,
    /// The whole line: box, captain, crew.
    pub line: Vec<String>,
}

/// Where somebody stands in the books, in one unit.
#[derive(Clone, Debug, Serialize)]
pub struct BalanceReport {
    /// Who.
    pub player: String,
    /// `half_points`, or a currency.
    pub unit: String,
    /// Half points, or minor units of the currency.
    pub amount: i64,
}

impl Report {
    /// What came of `chouette`.
    pub(super) async fn of(desk: &Desk, chouette: ChouetteId, names: &Names) -> Result<Self, NightError> {
        let acts = desk
            .read(move |connection| journal::acts::<Chouette>(connection, chouette.0, Version::MAX))
            .await?;
        let stream = Stream::<Chouette>::replay(&acts).map_err(StoreError::from)?;
        let mut balances = Vec::new();
        for (player, name) in names.players().filter(|(player, _)| stream.state.knows(*player)) {
            for balance in desk.balances(&Actor::CONSOLE, player).await? {
                let (unit, amount) = (balance.unit, balance.amount);
                balances.push(BalanceReport { player: name.to_owned(), unit, amount });
            }
        }
        let state = &stream.state;
        Ok(Self {
            night: 1,
            name: state.name().to_owned(),
            date: state.night(),
            stake: state.stake(),
            games: games(&stream, &acts, names),
            phase: state.phase(),
            standings: standings(state, names),
            settlements: Vec::new(),
            balances,
            version: stream.version,
        })
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

/// The games that count: a start, and the end that follows it.
fn games(stream: &Stream<Chouette>, acts: &[Act<Event>], names: &Names) -> Vec<GameReport> {
    let counts = |act: &&Act<Event>| stream.effective().iter().any(|mark| mark.id == act.id);
    let events = acts.iter().filter(counts).flat_map(|act| match &act.deed {
        Deed::Events(events) => events.as_slice(),
        _ => &[],
    });
    let mut games = Vec::new();
    let mut members: Vec<PlayerId> = Vec::new();
    for event in events {
        match event {
            Event::GameStarted { box_player, bets, .. } => {
                members = std::iter::once(*box_player).chain(bets.iter().map(|bet| bet.member)).collect();
            }
            Event::GameFinished(finished) => games.push(game_report(&members, finished, names)),
            _ => {}
        }
    }
    games
}

/// A finished game of `players`: the box, the captain, the crew.
fn game_report(players: &[PlayerId], finished: &FinishedGame, names: &Names) -> GameReport {
    let seat = |place: usize| players.get(place).map_or_else(String::new, |player| names.of(*player));
    let line: Vec<String> = finished.line.iter().map(|player| names.of(*player)).collect();
    GameReport {
        game: finished.game,
        box_player: seat(0),
        captain: seat(1),
        winner: finished.winner,
        win: finished.win,
        bets: finished
            .bets
            .iter()
            .map(|bet| BetReport {
                winner: names.of(bet.winner),
                loser: names.of(bet.loser),
                half_points: bet.points,
                kind: bet.kind,
                by: bet.by,
            })
            .collect(),
        scores: players
            .iter()
            .map(|&player| Score {
                player: names.of(player),
                half_points: game::score_of(player, finished.bets.iter().copied()),
            })
            .collect(),
        after: Seating { box_player: line.first().cloned(), captain: line.get(1).cloned(), line },
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
