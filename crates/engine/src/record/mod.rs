//! Whole matches and money sessions as data, and the files in which players exchange them.
//!
//! * [`Record`]: what was rolled, played, doubled and answered, game by game.
//! * [`replay`](mod@replay): goes through a record by the rules and says where everything stood; [`Replay`] is the proof
//!   that a record is legal, and what every writer needs.
//! * [`mat`]: match text, as most programs export it.
//! * [`sgf`]: Smart Game Format, GM\[6\].
//! * `json`, with the feature `serde`: the JSON that GNU Backgammon exports.
//! * [`format`](mod@format): one of them, told by how a file begins.
//!
//! White is the side files name first: the left column, `X`, `W`; Black is the right one, `O`, `B`. A record
//! holds only what those files can say. No result is kept in it: the rules tell it from the actions.

pub mod format;
#[cfg(feature = "serde")]
pub mod json;
pub mod mat;
mod progress;
pub mod replay;
pub mod sgf;
mod stated;
mod steps;
#[cfg(test)]
mod tests;
pub mod text;
mod variation;

pub use replay::{Illegal, Replay, ReplayError, Situation, replay};
pub use text::{Reason, TextError};

use chrono::NaiveDate;

use super::colour::Colour;
use super::cube::{Cube, CubeValue};
use super::dice::Roll;
use super::play::Steps;
use super::position::Position;
use super::result::Win;
use super::variant::Variant;

/// The largest file that is read, in bytes: 4 MiB.
pub const MOST_BYTES: usize = 4 << 20;
/// The most games a file may have.
pub const MOST_GAMES: usize = 1_000;
/// The most actions a game may have; long ones have three hundred.
pub const MOST_ACTIONS: usize = 10_000;

/// A match or a money session.
///
/// ```
/// use owlbox_engine::record::{GameRecord, Record, replay};
///
/// let players = ["Ann".to_owned(), "Bob".to_owned()];
/// let record = Record { players, length: 7, games: vec![GameRecord::default()], ..Record::default() };
/// assert_eq!(replay(&record)?.score(), [0, 0]);
/// # Ok::<(), owlbox_engine::record::ReplayError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The names of White and Black.
    pub players: [String; 2],
    /// The points played for (M1); 0 is a money session.
    pub length: u16,
    /// Which game is played (V1 to V4).
    pub variant: Variant,
    /// Options of the rules.
    pub rules: Rules,
    /// What is known about the occasion.
    pub occasion: Occasion,
    /// The games in order.
    pub games: Vec<GameRecord>,
}

/// Options of the rules as far as files tell them. That beavers are allowed no file says: in money play they
/// are (C7, M4).
///
/// ```
/// use owlbox_engine::record::{Rules, sgf};
///
/// let record = sgf::read(b"(;GM[6]MI[length:3]RU[Crawford])")?;
/// assert_eq!(record.rules, Rules { crawford: true, jacoby: false });
/// # Ok::<(), owlbox_engine::record::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// M3; has no meaning in money play.
    pub crawford: bool,
    /// C9; has no meaning in matches (M4).
    pub jacoby: bool,
}

/// When and where it was played.
///
/// ```
/// use owlbox_engine::record::mat;
///
/// let record = mat::read(b"; [Event \"Tuesday\"]\n\n 7 point match\n")?;
/// assert_eq!(record.occasion.event.as_deref(), Some("Tuesday"));
/// # Ok::<(), owlbox_engine::record::TextError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occasion {
    /// The place.
    pub site: Option<String>,
    /// The tournament or club night.
    pub event: Option<String>,
    /// Which round of it.
    pub round: Option<String>,
    /// The day.
    pub date: Option<NaiveDate>,
}

/// One game.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::record::{GameRecord, Start};
///
/// let game = GameRecord::new(Variant::Nackgammon);
/// assert_eq!(game.start, Start::new(Variant::Nackgammon));
/// assert!(game.actions.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// The points of White and Black before it.
    pub score: [u32; 2],
    /// Whether it is the Crawford game (M3).
    pub crawford: bool,
    /// Where it began.
    pub start: Start,
    /// What was done, in order. A game may be unfinished, and is then the last one or scores nothing.
    pub actions: Vec<Entry>,
}

/// Where a game began.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::record::Start;
///
/// assert_eq!(Start::default().position, Variant::Standard.start());
/// assert_eq!(Start::default().cube.value.get(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The checkers, White being about to move: who really was, the first action tells.
    pub position: Position,
    /// The cube.
    pub cube: Cube<Colour>,
}

impl Start {
    /// The start of a variant (G2, V2, V4) with the cube in the middle (C1).
    #[must_use]
    pub const fn new(variant: Variant) -> Self {
        Self { position: variant.start(), cube: Cube::centred(CubeValue::ONE) }
    }
}

impl Default for Start {
    /// The start of backgammon.
    fn default() -> Self {
        Self::new(Variant::Standard)
    }
}

impl GameRecord {
    /// A game of a variant before anything was done in it, at 0-0.
    #[must_use]
    pub fn new(variant: Variant) -> Self {
        Self { start: Start::new(variant), ..Self::default() }
    }
}

/// Something one side did.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::record::{Action, Entry, sgf};
///
/// let record = sgf::read(b"(;GM[6];W[31hefe];B[double])")?;
/// assert_eq!(record.games[0].actions[1], Entry { by: Colour::Black, action: Action::Double });
/// # Ok::<(), owlbox_engine::record::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who.
    pub by: Colour,
    /// What.
    pub action: Action,
}

/// What a side can do.
///
/// ```
/// use owlbox_engine::record::{Action, sgf};
///
/// let record = sgf::read(b"(;GM[6];W[31hefe];B[double];W[drop])")?;
/// let actions: Vec<_> = record.games[0].actions.iter().map(|entry| entry.action).collect();
/// assert!(matches!(actions[..], [Action::Play { .. }, Action::Double, Action::Drop]));
/// # Ok::<(), owlbox_engine::record::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Rolls and plays; no steps if nothing can be moved.
    Play {
        /// The roll.
        roll: Roll,
        /// The steps, in the order in which they were written down.
        steps: Steps,
    },
    /// Rolls, and the game breaks off before the play.
    Roll(Roll),
    /// Offers the cube. While another offer is unanswered this is a beaver, and after that a raccoon (C7,
    /// C8).
    Double,
    /// C4.
    Take,
    /// C3.
    Drop,
    /// Gives the game up as lost so high.
    Resign(Win),
}

/// What a format has no words for: written all the same, it would be read as something else.
///
/// ```
/// use owlbox_engine::record::{Record, Unwritable, replay, sgf};
///
/// let record = Record::default();
/// assert_eq!(sgf::write(&replay(&record)?), Err(Unwritable::NoGames));
/// # Ok::<(), owlbox_engine::record::ReplayError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unwritable {
    /// A set-up that it does not know: none of them knows one with fewer checkers a side than the variant has.
    #[error("game {game} begins with a set-up that this format cannot say")]
    SetUp {
        /// Which game, from 1.
        game: usize,
    },
    /// V4: SGF has letters for the points of backgammon alone.
    #[error("this format knows neither Plakoto nor Fevga")]
    Variant,
    /// M3: the record begins after the Crawford game; match text takes its first game for that one.
    #[error("game 1 comes after the Crawford game, which this format cannot say")]
    AfterCrawford,
    /// Names that cannot be told from points.
    #[error("this format cannot say where the names of the players end and their points begin")]
    Names,
    /// The players stand at the head of every game, and there is none.
    #[error("there is no game, and this format names the players nowhere else")]
    NoGames,
}

/// A value for each side by its colour, White's first.
const fn index(colour: Colour) -> usize {
    match colour {
        Colour::White => 0,
        Colour::Black => 1,
    }
}

/// Whether both sides have all the checkers of the variant, borne off or not: how many those are it alone says.
fn is_complete(position: Position, variant: Variant) -> bool {
    [position.mover(), position.other()].iter().all(|side| side.total() == variant.checkers())
}

/// M3: whether exactly one side needs just one more point.
fn one_away(score: [u32; 2], length: u16) -> bool {
    let needs_one = |points: &u32| points.saturating_add(1) == u32::from(length);
    score.iter().filter(|points| needs_one(points)).count() == 1
}
