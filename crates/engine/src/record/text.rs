//! What the readers of all formats have in common: bytes become characters, and errors have a place.

use std::borrow::Cow;

use chrono::{Datelike as _, NaiveDate};

use super::{Illegal, MOST_ACTIONS, MOST_BYTES, MOST_GAMES};
use crate::cube::CubeValue;
use crate::notation::play;
use crate::position::InvalidPosition;

/// The longest line of a match text but for comments, in bytes: two columns take less than 70, but names may
/// be long.
pub const LONGEST_LINE: usize = 500;

/// Where and why a text is no record.
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
    /// Which line, from 1.
    pub line: usize,
    /// Which character of it, from 1.
    pub column: usize,
    /// What is wrong there.
    pub reason: Reason,
}

/// Why a text is no record.
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
    /// More than [`MOST_BYTES`].
    #[error("the file is longer than {MOST_BYTES} bytes")]
    TooLong,
    /// More than [`LONGEST_LINE`].
    #[error("the line is longer than {LONGEST_LINE} bytes")]
    LineTooLong,
    /// More than [`MOST_GAMES`].
    #[error("there are more than {MOST_GAMES} games")]
    TooManyGames,
    /// More than [`MOST_ACTIONS`] in a game.
    #[error("there are more than {MOST_ACTIONS} actions in a game")]
    TooManyActions,
    /// The next thing is none of what can stand there.
    #[error("expected {0}")]
    Expected(&'static str),
    /// Whole numbers have their limits.
    #[error("the number is too large")]
    TooLarge,
    /// V1 to V4: nobody plays it here.
    #[error("the game {0:?} is not known here")]
    Variation(String),
    /// What goes on in a file cannot be put into a record.
    #[error("{0} cannot be kept in a record")]
    NotKept(&'static str),
    /// Every game of a file is between the same two.
    #[error("the players are not those of the first game")]
    OtherPlayers,
    /// Dice are 1 to 6.
    #[error("two dice from 1 to 6 are expected here")]
    Dice,
    /// The moves cannot be read; columns count from where they begin.
    #[error("the play cannot be read: {0}")]
    Moves(play::read::Reason),
    /// G5 to G12: they can be read, but not be played.
    #[error(transparent)]
    Play(#[from] play::Unresolved),
    /// A play is missing although several are legal.
    #[error("a play is missing: several are legal")]
    NoPlay,
    /// The cube would stand at something else.
    #[error("the cube comes to {0} here")]
    CubeIs(CubeValue),
    /// The points won are not what the game comes to.
    #[error("{found} points are written, but the game counts {counted}")]
    Points {
        /// As the file has it.
        found: u32,
        /// As the rules have it.
        counted: u32,
    },
    /// Nobody resigns so many points: 1, 2 or 3 times the cube are possible.
    #[error("nobody resigns {0} points with this cube")]
    Resigned(u32),
    /// The file names the wrong side.
    #[error("the other side has won this game")]
    Winner,
    /// The checkers cannot stand so.
    #[error(transparent)]
    SetUp(#[from] InvalidPosition),
    /// Against the rules.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The JSON is broken, or not of this shape; or JSON is not read at all, the feature `serde` being off.
    #[error("{0}")]
    Json(String),
}

impl Reason {
    /// The name of no game that is known here, of which so much is quoted as anybody reads.
    pub(super) fn variation(name: &str) -> Self {
        Self::Variation(name.chars().take(40).collect())
    }
}

/// A place in a text: line and column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Mark {
    /// The beginning.
    pub(super) const START: Self = Self { line: 1, column: 1 };

    /// The error there.
    pub(super) fn error(self, reason: impl Into<Reason>) -> TextError {
        TextError { line: self.line, column: self.column, reason: reason.into() }
    }
}

/// Where the games of a text and their actions stand, to find the place of what [`replay`](super::replay())
/// complains of.
#[derive(Debug, Default)]
pub(super) struct Marks(pub(super) Vec<(Mark, Vec<Mark>)>);

impl Marks {
    /// The error at the place of the game or the action.
    pub(super) fn error(&self, error: super::ReplayError) -> TextError {
        let game = self.0.get(error.game - 1);
        let action = error.action.and_then(|action| game?.1.get(action - 1));
        action.or(game.map(|(mark, _)| mark)).unwrap_or(&Mark::START).error(error.reason)
    }
}

/// The characters of a file without a byte order mark: UTF-8, or else Latin-1 as older programs write.
///
/// # Errors
/// [`Reason::TooLong`].
pub(super) fn characters(bytes: &[u8]) -> Result<Cow<'_, str>, TextError> {
    if bytes.len() > MOST_BYTES {
        return Err(Mark::START.error(Reason::TooLong));
    }
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(_) => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
    })
}

/// A day in a year that every format writes with four digits; what else a file says is a slip.
pub(super) fn in_four_digits(date: Option<NaiveDate>) -> Option<NaiveDate> {
    date.filter(|date| (0..=9999).contains(&date.year()))
}

/// A name or a header as one line: control characters become blanks, and there are none around it.
pub(super) fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.trim().to_owned()
}
