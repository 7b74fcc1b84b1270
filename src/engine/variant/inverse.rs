//! The inverse game (V1): the numbers each side rolls are played by the other.
//!
//! The rule's source leaves open when that begins. Here the opening roll is as usual, each side's die being
//! its own; from the second turn on the side that waits throws, and the side on turn, which may have
//! doubled before, plays.

use super::{BearingOff, Checkers, Definition, Numbers};

pub(super) const DEFINITION: Definition = Definition {
    start: Checkers::standing(&[(24, 2), (13, 5), (8, 3), (6, 5)]),
    bearing_off: BearingOff::Wins,
    numbers: Numbers::Others,
};
