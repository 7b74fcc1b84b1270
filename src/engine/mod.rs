//! The game itself, whoever plays it.
//!
//! * [`position`]: where the checkers stand.
//! * [`dice`]: dice and rolls.
//! * [`play`]: what one does with a roll; [`generate`]: every legal play, fast; [`plays`]: step by step, and why not.
//! * [`colour`]: White and Black.
//! * [`cube`]: the doubling cube (C1 to C4, C10).
//! * [`result`]: the kinds of win (G14).
//! * [`tables`]: recommended plays (K2), shots (K3), match equities.
//! * [`notation`]: how positions and plays are written.
//!
//! Pure: no I/O, no clock; chance comes from the caller.

pub mod colour;
pub mod cube;
pub mod dice;
pub mod generate;
pub mod notation;
pub mod play;
pub mod plays;
pub mod position;
pub mod result;
pub mod tables;
#[cfg(test)]
mod tests;

pub use colour::Colour;
pub use cube::{CannotDouble, Cube, CubeValue, Offer, Owner};
pub use dice::{Die, Roll};
pub use generate::{Generator, perft};
pub use play::{Play, Step, Steps};
pub use plays::{IllegalPlay, LegalPlays};
pub use position::{BAR, Checkers, InvalidPosition, OFF, Place, Position};
pub use result::Win;
