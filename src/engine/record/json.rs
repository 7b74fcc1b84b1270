//! The JSON that GNU Backgammon exports: every action, with the position ID before it.
//!
//! White is `X`, Black `O`. An action is a `move` with its dice and steps (25 the bar, 0 off), a `double`, `take`,
//! `drop`, a `resign` for 1, 2 or 3 times the cube, or a `set` of dice that nobody played. A beaver is a second
//! `double`. Scores and results are those the rules tell, whatever the file said from which the record came.

use chrono::Datelike as _;
use serde::{Deserialize, Serialize};

use super::replay::{GameReplay, Replay, Situation};
use super::{Action as Done, Entry, GameRecord, Occasion, Record, Start, Unwritable, index};
use crate::engine::colour::Colour;
use crate::engine::dice::Roll;
use crate::engine::notation::gnu::position_id;
use crate::engine::result::{Ended, Win};

/// A match or a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Document {
    /// Who played what.
    #[serde(rename = "match-info")]
    pub info: MatchInfo,
    /// The games in order.
    pub games: Vec<Game>,
}

/// Who played what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MatchInfo {
    /// White.
    #[serde(rename = "X")]
    pub white: Player,
    /// Black.
    #[serde(rename = "O")]
    pub black: Player,
    /// The points played for, 0 for a money session.
    pub match_length: u16,
    /// Day, month, year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<[i32; 3]>,
    /// The tournament or club night.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Which round of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Always -1: the games tell the result.
    #[serde(default = "no_result")]
    pub result: i32,
    /// Always `Standard`.
    #[serde(default = "standard")]
    pub variation: String,
    /// `Crawford`, `Jacoby`.
    #[serde(default)]
    pub rules: Vec<String>,
}

const fn no_result() -> i32 {
    -1
}

fn standard() -> String {
    "Standard".to_owned()
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The name.
    pub name: String,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Game {
    /// Score and result.
    pub info: GameInfo,
    /// What was done, in order.
    pub game: Vec<Action>,
}

/// Score and result of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GameInfo {
    /// White's points before.
    #[serde(rename = "score-X")]
    pub score_white: u32,
    /// Black's points before.
    #[serde(rename = "score-O")]
    pub score_black: u32,
    /// Whether this is the Crawford game; told from the first game on in which a side needs one point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crawford: Option<bool>,
    /// Who won; missing while the game is not finished, as the two below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Side>,
    /// How many points, in a match perhaps more than needed (M2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points_won: Option<u32>,
    /// Whether the loser resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<bool>,
}

/// Who.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// White.
    X,
    /// Black.
    O,
}

impl From<Colour> for Side {
    fn from(colour: Colour) -> Self {
        match colour {
            Colour::White => Self::X,
            Colour::Black => Self::O,
        }
    }
}

impl From<Side> for Colour {
    fn from(side: Side) -> Self {
        match side {
            Side::X => Self::White,
            Side::O => Self::Black,
        }
    }
}

/// Something one side did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// The dice of a `move` or a `set`, the higher first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<Roll>,
    /// The steps of a `move`, each from and to.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<[u8; 2]>>,
    /// The position ID before a `move` or a `double`, the side that acts being on roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// What it is.
    pub action: Kind,
    /// Who does it.
    pub player: Side,
    /// What a `resign` gives: 1, 2 or 3 times the cube.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
}

/// What can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Rolls and plays.
    Move,
    /// Offers the cube, or beavers.
    Double,
    /// Takes it.
    Take,
    /// Drops it.
    Drop,
    /// Gives up.
    Resign,
    /// Rolls, and the game breaks off.
    Set,
}

/// The JSON of a legal record.
///
/// # Errors
/// [`Unwritable`]: a game begins with a set-up of the cube. One of the checkers shows in the position IDs.
pub fn write(replay: &Replay<'_>) -> Result<Document, Unwritable> {
    let record = replay.record();
    let games = replay.games().enumerate().map(|(number, (game, replayed))| {
        if game.start.cube == Start::default().cube {
            Ok(write_game(record, game, replayed))
        } else {
            Err(Unwritable { game: number + 1 })
        }
    });
    Ok(Document { info: info(record), games: games.collect::<Result<_, _>>()? })
}

fn info(record: &Record) -> MatchInfo {
    let [white, black] = record.players.clone().map(|name| Player { name });
    let Occasion { site, event, round, date } = record.occasion.clone();
    let money = record.length == 0;
    let rules = [("Crawford", record.rules.crawford && !money), ("Jacoby", record.rules.jacoby && money)];
    let number = |part: u32| i32::try_from(part).unwrap_or_default();
    MatchInfo {
        white,
        black,
        match_length: record.length,
        date: date.map(|date| [number(date.day()), number(date.month()), date.year()]),
        event,
        round,
        place: site,
        result: no_result(),
        variation: standard(),
        rules: rules.into_iter().filter(|(_, on)| *on).map(|(name, _)| name.to_owned()).collect(),
    }
}

fn write_game(record: &Record, game: &GameRecord, replayed: &GameReplay) -> Game {
    let [score_white, score_black] = game.score;
    let needs_one = game.score.iter().any(|points| points.saturating_add(1) == u32::from(record.length));
    let info = GameInfo {
        score_white,
        score_black,
        crawford: (record.rules.crawford && needs_one).then_some(game.crawford),
        winner: replayed.outcome.map(|outcome| outcome.winner.into()),
        points_won: replayed.outcome.map(|outcome| outcome.points),
        resigned: replayed.outcome.map(|outcome| matches!(outcome.ended, Ended::Resigned { .. })),
    };
    let actions = game.actions.iter().zip(&replayed.before);
    Game { info, game: actions.map(|(entry, before)| write_action(*entry, before)).collect() }
}

fn write_action(entry: Entry, before: &Situation) -> Action {
    let board = || Some(position_id(before.position));
    let nothing = Action {
        dice: None,
        steps: None,
        board: None,
        action: Kind::Take,
        player: entry.by.into(),
        points: None,
    };
    match entry.action {
        Done::Play { roll, steps } => Action {
            dice: Some(roll),
            steps: Some(steps.iter().map(|step| [step.from(), step.to()]).collect()),
            board: board(),
            action: Kind::Move,
            ..nothing
        },
        Done::Roll(roll) => Action { dice: Some(roll), action: Kind::Set, ..nothing },
        Done::Double => Action { board: board(), action: Kind::Double, ..nothing },
        Done::Take => nothing,
        Done::Drop => Action { action: Kind::Drop, ..nothing },
        Done::Resign(win) => Action { action: Kind::Resign, points: Some(win.multiplier()), ..nothing },
    }
}
