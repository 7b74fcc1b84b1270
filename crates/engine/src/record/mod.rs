//! Whole matches and money sessions as data, and the files in which players exchange them.
//!
//! * [`Record`]: the rolls, plays, doubles and answers, game by game.
//! * [`replay`](mod@replay): goes through a record by the rules. A [`Replay`] proves that the record is
//!   legal, and every writer needs one.
//! * [`mat`]: match text, which most programs export.
//! * [`sgf`]: Smart Game Format, GM\[6\].
//! * `json`, with the feature `serde`: the JSON that GNU Backgammon exports.
//! * [`format`](mod@format): any of these, detected from the first character of a file.
//!
//! White is the side that files name first: the left column, `X`, `W`. Black is the right column, `O`, `B`. A
//! record holds only what these files can express. It holds no results, because they follow from the actions
//! by the rules.

mod binary;
mod encoding;
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

pub use binary::Binary;
pub use encoding::{decoded, is_encoding_known};
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
/// The most games in a file.
pub const MOST_GAMES: usize = 1_000;
/// The most actions in a game; a long one has three hundred.
pub const MOST_ACTIONS: usize = 10_000;

/// A match or a money session with all of its games.
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
    /// The names of White and Black, in this order.
    pub players: [String; 2],
    /// The points played to (M1); 0 for a money session.
    pub length: u16,
    /// The game that is played (V1 to V4).
    pub variant: Variant,
    /// The options of the rules.
    pub rules: Rules,
    /// The place and time of the match, as far as known.
    pub occasion: Occasion,
    /// The games in the order in which they were played.
    pub games: Vec<GameRecord>,
}

/// The options of the rules that files give. No file says whether beavers are allowed; in money play they are
/// (C7, M4).
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
    /// Whether the Crawford rule holds (M3); meaningless in money play.
    pub crawford: bool,
    /// Whether the Jacoby rule holds (C9); meaningless in matches (M4).
    pub jacoby: bool,
}

/// The place and time of a match; `None` for what is unknown.
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
    /// The place where it was played.
    pub site: Option<String>,
    /// The tournament or club night.
    pub event: Option<String>,
    /// The round of the event, as text.
    pub round: Option<String>,
    /// The day on which it was played.
    pub date: Option<NaiveDate>,
}

/// One game of a record.
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
    /// The points of White and Black before the game.
    pub score: [u32; 2],
    /// Whether it is the Crawford game (M3).
    pub crawford: bool,
    /// The set-up it began from.
    pub start: Start,
    /// The actions in order. A game may be unfinished; it is then the last one, or it scores nothing.
    pub actions: Vec<Entry>,
}

/// The set-up a game begins from.
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
    /// The checkers, with White about to move. The first action shows which side really began.
    pub position: Position,
    /// The cube before the first action.
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
    fn default() -> Self {
        Self::new(Variant::Standard)
    }
}

impl GameRecord {
    /// A game of a variant at 0-0, before its first action.
    #[must_use]
    pub fn new(variant: Variant) -> Self {
        Self { start: Start::new(variant), ..Self::default() }
    }
}

/// An action and the side that did it.
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
    /// The side that did it.
    pub by: Colour,
    /// The action of that side.
    pub action: Action,
}

/// The actions of a side in a game.
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
    /// Rolls and plays. There are no steps if nothing can be moved.
    Play {
        /// The roll that is played.
        roll: Roll,
        /// The steps in the order in which they were written down.
        steps: Steps,
    },
    /// Rolls, and the game breaks off before the play.
    Roll(Roll),
    /// Offers the cube. While another offer is unanswered, this is a beaver, and after that a raccoon (C7,
    /// C8).
    Double,
    /// Takes the offered cube (C4).
    Take,
    /// Drops the offered cube and loses (C3).
    Drop,
    /// Gives up the game as a loss of this kind.
    Resign(Win),
}

/// Something a format cannot express. If it were written anyway, it would be read back as something else.
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
    /// The format cannot express this set-up. No format has one with fewer checkers a side than the variant
    /// has.
    #[error("game {game} begins with a set-up that this format cannot express")]
    SetUp {
        /// The number of the game, from 1.
        game: usize,
    },
    /// V4: SGF has letters for the points of backgammon only.
    #[error("this format knows neither Plakoto nor Fevga")]
    Variant,
    /// M3: the record begins after the Crawford game; a match text would take its first game for that one.
    #[error("game 1 comes after the Crawford game, which this format cannot express")]
    AfterCrawford,
    /// The names of the players would be mistaken for points.
    #[error("this format cannot express where the names of the players end and their points begin")]
    Names,
    /// The record has no game, and the format names the players at the head of each game only.
    #[error("there is no game, and this format names the players nowhere else")]
    NoGames,
}

/// The index of a side in a pair with White's value first.
const fn index(colour: Colour) -> usize {
    match colour {
        Colour::White => 0,
        Colour::Black => 1,
    }
}

/// Whether both sides have all checkers of the variant, on the board or off. Files do not give the number
/// themselves.
fn is_complete(position: Position, variant: Variant) -> bool {
    [position.mover(), position.other()].iter().all(|side| side.total() == variant.checkers())
}

/// M3: whether exactly one side needs one more point.
fn one_away(score: [u32; 2], length: u16) -> bool {
    let needs_one = |points: &u32| points.saturating_add(1) == u32::from(length);
    score.iter().filter(|points| needs_one(points)).count() == 1
}
