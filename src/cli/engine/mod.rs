//! Commands that ask the engine: no club, no settings and no database.
//!
//! * [`plays`]: the legal plays of many positions.
//! * [`perft`]: how many positions lie so many plies away.
//! * [`show`]: a position drawn as text.
//! * [`play`]: a whole game at random, of any variant.
//! * [`tables`]: recommended openings and shots.
//! * [`convert`](mod@convert): a match from one file format into another.

pub mod convert;
pub mod perft;
pub mod play;
pub mod plays;
pub mod show;
pub mod tables;

use std::io;

use crate::engine::game::Refusal;
use crate::engine::notation::gnu::InvalidId;
use crate::engine::notation::xgid::InvalidXgid;

/// Why the engine was not asked, or not answered for.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// What was asked could not be read.
    #[error("standard input: {0}")]
    Input(io::Error),
    /// The answer could not be written.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
    /// Lines that could not be answered; each was answered with its error.
    #[error("{lines} of the lines could not be answered")]
    Lines {
        /// How many.
        lines: u64,
    },
    /// No position.
    #[error("--pos: {0}")]
    Position(#[from] InvalidId),
    /// No XGID.
    #[error("--xgid: {0}")]
    Xgid(#[from] InvalidXgid),
    /// A match was not converted.
    #[error(transparent)]
    Convert(#[from] convert::ConvertError),
    /// An action that is legal by what the game says of itself.
    #[error("the game refused its own play: {0}")]
    Refused(#[from] Refusal),
    /// Nothing to show.
    #[error("a position is needed: --pos or --xgid")]
    Nothing,
}
