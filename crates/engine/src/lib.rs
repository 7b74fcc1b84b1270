#![doc = include_str!("../README.md")]
//!
//! # Where things are
//!
//! * [`position`]: where the checkers stand.
//! * [`movement`]: how checkers move in backgammon, in Plakoto, in Fevga.
//! * [`dice`]: dice and rolls.
//! * [`play`]: what one does with a roll; [`generate`]: every legal play, fast (`plain`: less so); [`plays`]: step by step, and why not;
//!   [`step_graph`]: all of that at once, for who taps checkers.
//! * [`colour`]: White and Black.
//! * [`cube`]: the doubling cube (C1 to C10).
//! * [`variant`]: the games played on the board (V1 to V4).
//! * [`result`]: what a finished game counts (G13, G14, C9).
//! * [`game`]: one game from the opening roll to its result.
//! * [`notation`]: how positions and plays are written.
//! * [`record`]: whole matches, and their files.
//! * [`tables`]: recommended plays (K2), shots (K3), match equities.

// Examples of types that have a schema stand behind `cfg(doc)`: utoipa would take them over into the text of every API.

// A test that meets what it does not know fails by itself.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]
#![warn(missing_docs)]

pub mod colour;
pub mod cube;
pub mod dice;
pub mod game;
pub mod generate;
pub mod movement;
pub mod notation;
mod plain;
pub mod play;
pub mod plays;
pub mod position;
pub mod record;
pub mod result;
pub mod step_graph;
pub mod tables;
#[cfg(test)]
mod tests;
pub mod variant;

pub use colour::Colour;
pub use cube::{Animals, Beaver, CannotDouble, Cube, CubeValue, Offer, Owner, Raise};
pub use dice::{Die, Roll};
pub use generate::{Generator, perft};
pub use movement::{Mothers, Movement};
pub use play::{Play, Step, Steps};
pub use plays::{IllegalPlay, LegalPlays};
pub use position::{BAR, Checkers, InvalidPosition, OFF, Place, Position};
pub use result::{Ended, Outcome, Win};
pub use variant::Variant;

/// Why a value was refused where it was made.
///
/// ```
/// use owlbox_engine::{Die, InvalidValue};
///
/// let refused: InvalidValue = Die::try_from(7).unwrap_err();
/// assert_eq!(refused.to_string(), "die: 1 to 6");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {allowed}")]
pub struct InvalidValue {
    /// What was being made: `currency`, `stake`, ...
    pub what: &'static str,
    /// What would have been allowed, in English, for programmers.
    pub allowed: &'static str,
}

/// A source of uniformly distributed whole numbers: a generator of random numbers, a seeded one, a test's script. A closure will
/// do.
///
/// ```
/// use owlbox_engine::Roll;
///
/// // A number from 0 to 5 is a die from 1 to 6.
/// let mut thrown = [2, 0].into_iter();
/// let roll = Roll::rolled(&mut |_: u32| thrown.next().unwrap_or_default());
/// assert_eq!(roll.to_string(), "3-1");
/// ```
pub trait Chance {
    /// A number from 0 to `sides - 1`, each equally likely. `sides` is at least 1.
    fn below(&mut self, sides: u32) -> u32;
}

impl<F: FnMut(u32) -> u32> Chance for F {
    fn below(&mut self, sides: u32) -> u32 {
        self(sides)
    }
}
