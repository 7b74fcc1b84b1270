//! The JSON that GNU Backgammon exports: every action, with the position ID before it.
//!
//! White is `X`, Black `O`. An action is a `move` with its dice and steps (25 the bar, 0 off), a `double`,
//! `take`, `drop`, a `resign` for 1, 2 or 3 times the cube, or a `set` of dice that nobody played. A beaver
//! is a second `double`. Scores and results are those the rules tell, whatever the file said from which the
//! record came.

mod read;
mod write;

pub use read::{read, read_as};
pub use write::write;

use serde::{Deserialize, Serialize};

use crate::colour::Colour;
use crate::dice::Roll;

/// A match or a session.
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
    /// Who played what.
    #[serde(rename = "match-info")]
    pub info: MatchInfo,
    /// The games in order.
    pub games: Vec<Game>,
}

/// Who played what.
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
    /// Which game it is: `Standard`, `Nackgammon`, `Hypergammon3`, `Misere`, `Inverse`, `Plakoto`, `Fevga`. If it is missing,
    /// backgammon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variation: Option<String>,
    /// `Crawford`, `Jacoby`.
    #[serde(default)]
    pub rules: Vec<String>,
}

const fn no_result() -> i32 {
    -1
}

/// A player.
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
    /// The name.
    pub name: String,
}

/// A game.
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
    /// Score and result.
    pub info: GameInfo,
    /// What was done, in order.
    pub game: Vec<Action>,
}

/// Score and result of a game.
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
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::record::json::Side;
///
/// assert_eq!(Colour::from(Side::X), Colour::White);
/// ```
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
