//! Commands that only need the engine: no club, no settings and no database.
//!
//! * [`plays`]: the legal plays of many positions.
//! * [`perft`]: the number of positions some plies away.
//! * [`show`]: a position drawn as text.
//! * [`play`]: a whole game at random, of any variant.
//! * [`tables`]: recommended openings, and shots.
//! * [`convert`](mod@convert): conversion of a match from one file format to another.

pub mod convert;
pub mod perft;
pub mod play;
pub mod plays;
pub mod show;
pub mod tables;

use std::io;

use owlbox_engine::game::Refusal;
use owlbox_engine::notation::PointNames;
use owlbox_engine::notation::gnu::{InvalidPositionId, from_position_id};
use owlbox_engine::notation::play::write;
use owlbox_engine::notation::xgid::InvalidXgid;
use owlbox_engine::{Colour, Movement, Position, Steps, Variant};

/// Why a command of the engine failed.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The input could not be read.
    #[error("standard input: {0}")]
    Input(io::Error),
    /// The output could not be written.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
    /// Some lines could not be answered. Each of them has its error in the output.
    #[error("{lines} of the lines could not be answered")]
    Lines { lines: u64 },
    #[error("--pos: {0}")]
    Position(#[from] NoPosition),
    #[error("--xgid: {0}")]
    Xgid(#[from] InvalidXgid),
    /// The XGID can be read, but its position cannot be used.
    #[error("--xgid: {0}")]
    XgidPosition(NoPosition),
    /// The variant is one in which nobody is hit: checkers are pinned or blocked.
    #[error("--pos: no checker is hit in this game")]
    NoHits,
    /// The match could not be converted.
    #[error(transparent)]
    Convert(#[from] convert::ConvertError),
    /// The game refused an action that it had listed as legal: a bug of the engine.
    #[error("the game refused its own play: {0}")]
    Refused(#[from] Refusal),
}

/// Why there is no position to start from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPosition {
    #[error(transparent)]
    Id(#[from] InvalidPositionId),
    /// The position belongs to a variant in which checkers move differently.
    #[error("the position is not of that game")]
    OtherGame,
    /// The arguments name neither a position nor a variant.
    #[error("a position or a variant is needed")]
    Nothing,
    /// A variant starts with its own number of checkers.
    #[error("this variant starts with {0} checkers a side, and another number needs a position")]
    OtherCheckers(u8),
}

/// The number of checkers a side: as named, else as the variant has, else as in backgammon.
fn checkers(variant: Option<Variant>, named: Option<u8>) -> u8 {
    named.unwrap_or_else(|| variant.unwrap_or_default().checkers())
}

/// The position with this ID, else the start of the variant. `named` is the number of checkers a side of a
/// position that has not as many as its variant starts with.
///
/// # Errors
/// Any [`NoPosition`].
fn position(id: Option<&str>, variant: Option<Variant>, named: Option<u8>) -> Result<Position, NoPosition> {
    let position = match (id, variant) {
        (Some(id), _) => from_position_id(id, checkers(variant, named))?,
        (None, Some(variant)) if checkers(Some(variant), named) != variant.checkers() => {
            return Err(NoPosition::OtherCheckers(variant.checkers()));
        }
        (None, Some(variant)) => variant.start(),
        (None, None) => return Err(NoPosition::Nothing),
    };
    of_game(position, variant)
}

/// The position, if it is possible in that variant. A Plakoto position is refused for Fevga, and so on.
fn of_game(position: Position, variant: Option<Variant>) -> Result<Position, NoPosition> {
    let is_other = variant.is_some_and(|variant| variant.start().movement() != position.movement());
    if is_other { Err(NoPosition::OtherGame) } else { Ok(position) }
}

/// A play of `colour` from `position`, as text. Where both sides move the same way, every point has one name
/// only.
fn written(names: PointNames, colour: Colour, position: Position, steps: Steps) -> String {
    let common = write(position, steps);
    match position.movement() {
        Movement::Backgammon | Movement::Plakoto => names.play(colour, &common),
        Movement::Fevga => common,
    }
}
