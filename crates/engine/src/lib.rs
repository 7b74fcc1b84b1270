#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! * [`position`]: where the checkers stand.
//! * [`movement`]: how checkers move in backgammon, Plakoto and Fevga.
//! * [`dice`]: dice and rolls.
//! * [`play`]: steps and plays; [`generate`]: every legal play, fast; [`plays`]: plays step by step, and why
//!   one is illegal; [`step_graph`]: every way through a turn at once, for a board on which checkers are
//!   tapped.
//! * [`colour`]: White and Black.
//! * [`cube`]: the doubling cube (C1 to C10).
//! * [`variant`]: the games played on the board (V1 to V4).
//! * [`result`]: how a game ended and what it is worth (G13, G14, C9).
//! * [`game`]: one game from the opening roll to its result.
//! * [`notation`]: positions and plays as text.
//! * [`record`]: whole matches, and the files they are kept in.
//! * [`tables`]: recommended openings (K2), shots (K3), match equities and what they mean for the cube.

// Doc examples of types with a schema sit behind `cfg(doc)`: utoipa copies doc comments into the OpenAPI
// document, and the examples do not belong there.

// A test may match with a wildcard: if an unexpected variant turns up, the test fails anyway.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]
#![warn(missing_docs)]

pub mod colour;
pub mod cube;
pub mod dice;
pub mod game;
pub mod generate;
pub mod movement;
pub mod notation;
pub mod place;
mod plain;
pub mod play;
pub mod plays;
pub mod position;
pub mod record;
pub mod result;
pub mod step_graph;
pub mod step_rules;
pub mod tables;
#[cfg(test)]
mod tests;
pub mod variant;

pub use colour::Colour;
pub use cube::{Animals, Beaver, CannotDouble, Cube, CubeValue, Offer, Owner, Raise};
pub use dice::{Die, Roll};
pub use generate::{Generator, perft};
pub use movement::Movement;
pub use place::{BAR, OFF, Place};
pub use play::{Play, Step, Steps};
pub use plays::LegalPlays;
pub use position::{Checkers, InvalidPosition, Mothers, Position};
pub use result::{Ended, Outcome, Win};
pub use step_rules::IllegalPlay;
pub use variant::Variant;

/// A value that its type's constructor refused.
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
    /// The kind of value: `die`, `cube value`, `steps`, ...
    pub what: &'static str,
    /// The values that are allowed, in English, for programmers.
    pub allowed: &'static str,
}

/// A source of uniformly distributed whole numbers: a random number generator, a seeded one, or a test's
/// script. Any closure from `u32` to `u32` is one.
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
