//! What the readers of all formats share: bytes become characters, and errors have a place.

use std::borrow::Cow;

use chrono::{Datelike as _, NaiveDate};

use super::encoding::is_utf_16;
use super::{Binary, Illegal, MOST_ACTIONS, MOST_BYTES, MOST_GAMES};
use crate::cube::CubeValue;
use crate::notation::play;
use crate::position::InvalidPosition;

/// The longest line of a match text, comments aside, in bytes. Two columns take less than 70, but names may
/// be long.
pub const LONGEST_LINE: usize = 500;

/// The place where a text cannot be read as a record, and the reason.
///
/// ```
/// use owlbox_engine::record::mat;
///
/// let text = " 3 point match\n\n Game 1\n Ann : 0                        Bob : 0\n  1) 71: 8/5 6/5\n";
/// let error = mat::read(text.as_bytes()).unwrap_err();
/// assert_eq!(error.line, 5);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
#[non_exhaustive]
pub struct TextError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The number of the character in that line, from 1.
    pub column: usize,
    /// The fault at that place.
    pub reason: Reason,
}

/// The reason why a text cannot be read as a record.
///
/// ```
/// use owlbox_engine::record::{Reason, sgf};
///
/// let error = sgf::read(b"(;GM[6]RU[Hypergammon1])").unwrap_err();
/// assert_eq!(error.reason, Reason::Variation("Hypergammon1".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The file is longer than [`MOST_BYTES`].
    #[error("the file is longer than {MOST_BYTES} bytes")]
    TooLong,
    /// The file is no text at all.
    #[error("{}", .0.what())]
    Binary(Binary),
    /// A line is longer than [`LONGEST_LINE`].
    #[error("the line is longer than {LONGEST_LINE} bytes")]
    LineTooLong,
    /// There are more games than [`MOST_GAMES`].
    #[error("there are more than {MOST_GAMES} games")]
    TooManyGames,
    /// A game has more actions than [`MOST_ACTIONS`].
    #[error("there are more than {MOST_ACTIONS} actions in a game")]
    TooManyActions,
    /// Something else was expected here, as described.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A number is too large for its purpose.
    #[error("the number is too large")]
    TooLarge,
    /// V1 to V4: the engine does not know this game.
    #[error("the game {0:?} is not known here")]
    Variation(String),
    /// The file has something that a record cannot hold.
    #[error("{0} cannot be kept in a record")]
    NotKept(&'static str),
    /// A game is between other players than the first one.
    #[error("the players are not those of the first game")]
    OtherPlayers,
    /// The dice are not two numbers from 1 to 6.
    #[error("two dice from 1 to 6 are expected here")]
    Dice,
    /// The moves cannot be read. The column is that of the fault.
    #[error("the play cannot be read: {0}")]
    Moves(play::read::Reason),
    /// G5 to G12: the moves can be read but not played.
    #[error(transparent)]
    Play(#[from] play::Unresolved),
    /// A play is missing, and several are legal.
    #[error("a play is missing: several are legal")]
    NoPlay,
    /// The file gives another value of the cube than the doubles lead to.
    #[error("the cube comes to {0} here")]
    CubeIs(CubeValue),
    /// The file gives other points than the game counts.
    #[error("{found} points are written, but the game counts {counted}")]
    Points {
        /// The points in the file.
        found: u32,
        /// The points by the rules.
        counted: u32,
    },
    /// No resignation counts these points: only 1, 2 or 3 times the cube are possible.
    #[error("with this cube nobody can resign {0} points")]
    Resigned(u32),
    /// The file names the wrong winner.
    #[error("the other side has won this game")]
    Winner,
    /// The checkers of a set-up make an impossible position.
    #[error(transparent)]
    SetUp(#[from] InvalidPosition),
    /// The action or the game is against the rules.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The JSON is broken or does not have this shape; or the feature `serde` is off and JSON is not read at
    /// all.
    #[error("{0}")]
    Json(String),
}

impl Reason {
    /// The reason for an unknown game. A long name is cut, as the error quotes it.
    pub(super) fn variation(name: &str) -> Self {
        Self::Variation(name.chars().take(40).collect())
    }
}

/// A place in a text: line and column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextPosition {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl TextPosition {
    /// The beginning of the text.
    pub(super) const START: Self = Self { line: 1, column: 1 };

    /// The error at this place.
    pub(super) fn error(self, reason: impl Into<Reason>) -> TextError {
        TextError { line: self.line, column: self.column, reason: reason.into() }
    }
}

/// The places of games and their actions in a text, to locate errors of [`replay`](super::replay()).
#[derive(Debug, Default)]
pub(super) struct TextPositions(pub(super) Vec<(TextPosition, Vec<TextPosition>)>);

impl TextPositions {
    /// The error at the place of its action, or of its game.
    pub(super) fn error(&self, error: super::ReplayError) -> TextError {
        let game = self.0.get(error.game - 1);
        let action = error.action.and_then(|action| game?.1.get(action - 1));
        action
            .or(game.map(|(text_position, _)| text_position))
            .unwrap_or(&TextPosition::START)
            .error(error.reason)
    }
}

/// The characters of a file, [decoded](super::decoded).
///
/// # Errors
/// [`Reason::TooLong`] for a file above [`MOST_BYTES`], [`Reason::Binary`] for one that is no text.
pub(super) fn characters(bytes: &[u8]) -> Result<Cow<'_, str>, TextError> {
    if bytes.len() > MOST_BYTES {
        return Err(TextPosition::START.error(Reason::TooLong));
    }
    let text = super::decoded(bytes);
    let is_utf_16 = is_utf_16(bytes) && !text.contains(['\0', char::REPLACEMENT_CHARACTER]);
    match Binary::of(bytes).filter(|_| !is_utf_16) {
        Some(binary) => Err(TextPosition::START.error(Reason::Binary(binary))),
        None => Ok(text),
    }
}

/// A day whose year has at most four digits, which every format can write. Any other is a typing error and is
/// dropped.
pub(super) fn in_four_digits(date: Option<NaiveDate>) -> Option<NaiveDate> {
    date.filter(|date| (0..=9999).contains(&date.year()))
}

/// A name or a header on one line: control characters become blanks, and the ends are trimmed.
pub(super) fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.trim().to_owned()
}
