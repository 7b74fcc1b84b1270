//! Backgammon and its relatives, whoever plays them.
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
//!
//! Pure: no I/O, no clock; chance comes from the caller.

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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {allowed}")]
pub struct InvalidValue {
    /// What was being made: `currency`, `stake`, ...
    pub what: &'static str,
    /// What would have been allowed, in English, for programmers.
    pub allowed: &'static str,
}

/// A source of uniformly distributed whole numbers: the service's generator, a seeded one, or a
/// test's script.
pub trait Chance {
    /// A number from 0 to `sides - 1`, each equally likely. `sides` is at least 1.
    fn below(&mut self, sides: u32) -> u32;
}
