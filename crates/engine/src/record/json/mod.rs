//! The JSON that GNU Backgammon exports: every action, with the position ID before it.
//!
//! White is `X`, Black `O`. An action is a `move` with its dice and steps (25 is the bar, 0 is off), a
//! `double`, `take` or `drop`, a `resign` for 1, 2 or 3 times the cube, or a `set` of dice that were not
//! played. A beaver is a second `double`. Scores and results are written as they follow by the rules, not as
//! the file said from which the record came.

mod read;
mod write;

pub use read::{read, read_as};
pub use write::write;

use serde::{Deserialize, Serialize};

use crate::colour::Colour;
use crate::dice::Roll;

/// A match or a session with all of its games.
///
/// ```
/// use owlbox_engine::record::{json, replay, sgf};
///
/// let record = sgf::read(b"(;GM[6]PW[Ann]PB[Bob];W[31hefe];B[double];W[drop])")?;
/// let document = json::write(&replay(&record)?)?;
/// assert_eq!(document.games.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Document {
    /// The players and the circumstances.
    #[serde(rename = "match-info")]
    pub info: MatchInfo,
    /// The games in the order in which they were played.
    pub games: Vec<Game>,
}

/// The players, the length and the circumstances of a match.
///
/// ```
/// use owlbox_engine::record::{json, replay, sgf};
///
/// let record = sgf::read(b"(;GM[6]PW[Ann]PB[Bob];W[31hefe];B[double];W[drop])")?;
/// let document = json::write(&replay(&record)?)?;
/// assert_eq!(document.info.variation.as_deref(), Some("Standard"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MatchInfo {
    /// The player with White's checkers.
    #[serde(rename = "X")]
    pub white: Player,
    /// The player with Black's checkers.
    #[serde(rename = "O")]
    pub black: Player,
    /// The points played to; 0 for a money session.
    pub match_length: u16,
    /// Day, month and year, in this order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<[i32; 3]>,
    /// The tournament or club night.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The round of the event, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// The place where it was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Always -1: the result is in the games.
    #[serde(default = "no_result")]
    pub result: i32,
    /// The game that is played: `Standard`, `Nackgammon`, `Hypergammon3`, `Misere`, `Inverse`, `Plakoto` or
    /// `Fevga`. If it is missing, backgammon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variation: Option<String>,
    /// The options of the rules: `Crawford`, `Jacoby`.
    #[serde(default)]
    pub rules: Vec<String>,
}

const fn no_result() -> i32 {
    -1
}

/// A player, of whom only the name is kept.
///
/// ```
/// use owlbox_engine::record::{json, replay, sgf};
///
/// let record = sgf::read(b"(;GM[6]PW[Ann]PB[Bob];W[31hefe];B[double];W[drop])")?;
/// let document = json::write(&replay(&record)?)?;
/// assert_eq!(document.info.white.name, "Ann");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The name, without rating or country.
    pub name: String,
}

/// A game with its score, its result and its actions.
///
/// ```
/// use owlbox_engine::record::{json, replay, sgf};
///
/// let record = sgf::read(b"(;GM[6]PW[Ann]PB[Bob];W[31hefe];B[double];W[drop])")?;
/// let document = json::write(&replay(&record)?)?;
/// assert_eq!(document.games[0].game.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Game {
    /// The score and the result.
    pub info: GameInfo,
    /// The actions of the game, in order.
    pub game: Vec<Action>,
}

/// The score before a game and its result.
///
/// ```
/// use owlbox_engine::record::{json, replay, sgf};
///
/// let record = sgf::read(b"(;GM[6]PW[Ann]PB[Bob];W[31hefe];B[double];W[drop])")?;
/// let document = json::write(&replay(&record)?)?;
/// let info = &document.games[0].info;
/// assert_eq!((info.winner, info.points_won), (Some(json::Side::O), Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GameInfo {
    /// White's points before the game.
    #[serde(rename = "score-X")]
    pub score_white: u32,
    /// Black's points before the game.
    #[serde(rename = "score-O")]
    pub score_black: u32,
    /// Whether this is the Crawford game. Only given from the first game on in which a side needs one point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crawford: Option<bool>,
    /// The winner; missing in an unfinished game, like the two fields below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Side>,
    /// The points won; in a match perhaps more than needed (M2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points_won: Option<u32>,
    /// Whether the loser resigned the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<bool>,
}

/// A side, by its letter.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::record::json::Side;
///
/// assert_eq!(Colour::from(Side::X), Colour::White);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// White, named first in files.
    X,
    /// Black, named second in files.
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

/// An action of one side.
///
/// ```
/// use owlbox_engine::record::{json, replay, sgf};
///
/// let record = sgf::read(b"(;GM[6]PW[Ann]PB[Bob];W[31hefe];B[double];W[drop])")?;
/// let document = json::write(&replay(&record)?)?;
/// let first = &document.games[0].game[0];
/// assert_eq!(first.steps, Some(vec![[8, 5], [6, 5]]));
/// assert_eq!(first.board.as_deref(), Some("4HPwATDgc/ABMA"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// The dice of a `move` or a `set`, the higher first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<Roll>,
    /// The steps of a `move`, each as from and to.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<[u8; 2]>>,
    /// The position ID before a `move` or a `double`, with the acting side on roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The kind, which decides which of the other fields are given.
    pub action: Kind,
    /// The side that did it.
    pub player: Side,
    /// The loss that a `resign` offers: 1, 2 or 3 times the cube.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
}

/// The kinds of action.
///
/// ```
/// use owlbox_engine::record::{json, replay, sgf};
///
/// let record = sgf::read(b"(;GM[6]PW[Ann]PB[Bob];W[31hefe];B[double];W[drop])")?;
/// let document = json::write(&replay(&record)?)?;
/// let kinds = document.games[0].game.iter().map(|action| action.action);
/// assert!(kinds.eq([json::Kind::Move, json::Kind::Double, json::Kind::Drop]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Rolls and plays the roll.
    Move,
    /// Offers the cube, or beavers.
    Double,
    /// Takes the cube offered before.
    Take,
    /// Drops the cube and loses.
    Drop,
    /// Gives up the game as lost.
    Resign,
    /// Rolls, and the game breaks off.
    Set,
}
