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

use owlbox_engine::game::Refusal;
use owlbox_engine::notation::PointNames;
use owlbox_engine::notation::gnu::{InvalidId, from_position_id};
use owlbox_engine::notation::play::write;
use owlbox_engine::notation::xgid::InvalidXgid;
use owlbox_engine::{Colour, Movement, Position, Steps, Variant};

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
    Lines { lines: u64 },
    #[error("--pos: {0}")]
    Position(#[from] NoPosition),
    #[error("--xgid: {0}")]
    Xgid(#[from] InvalidXgid),
    /// Of a game in which checkers are pinned or blocked.
    #[error("--pos: in this game nobody is hit")]
    NoHits,
    /// A match was not converted.
    #[error(transparent)]
    Convert(#[from] convert::ConvertError),
    /// An action that is legal by what the game says of itself.
    #[error("the game refused its own play: {0}")]
    Refused(#[from] Refusal),
}

/// Why there is no position to begin with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPosition {
    #[error(transparent)]
    Id(#[from] InvalidId),
    /// It is of a game in which checkers move otherwise.
    #[error("the position is not of that game")]
    OtherGame,
    /// Neither a position nor a variant is named.
    #[error("a position or a variant is needed")]
    Nothing,
}

/// How many checkers a side has: as many as were named, else as the variant, else as backgammon.
fn checkers(variant: Option<Variant>, named: Option<u8>) -> u8 {
    named.unwrap_or_else(|| variant.unwrap_or_default().start().mover().total())
}

/// The position that was named by its ID, else the start of the variant; in a game with so many checkers a side, if it is not
/// as many as the variant has.
///
/// # Errors
/// [`NoPosition`].
fn position(id: Option<&str>, variant: Option<Variant>, named: Option<u8>) -> Result<Position, NoPosition> {
    let position = match (id, variant) {
        (Some(id), _) => from_position_id(id, checkers(variant, named))?,
        (None, Some(variant)) => variant.start(),
        (None, None) => return Err(NoPosition::Nothing),
    };
    of_game(position, variant)
}

/// The position, if it can be one of that game: none of Plakoto is where Fevga is asked for, and so on.
fn of_game(position: Position, variant: Option<Variant>) -> Result<Position, NoPosition> {
    let is_other = variant.is_some_and(|variant| variant.start().movement() != position.movement());
    if is_other { Err(NoPosition::OtherGame) } else { Ok(position) }
}

/// A play of `colour` from `position`. Where both run the same way the points have one name only.
fn written(names: PointNames, colour: Colour, position: Position, steps: Steps) -> String {
    let common = write(position, steps);
    match position.movement() {
        Movement::Backgammon | Movement::Plakoto => names.play(colour, &common),
        Movement::Fevga => common,
    }
}
