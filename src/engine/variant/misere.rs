//! The losing game (V3): who has borne off everything has lost, and how much is told by the winner's checkers.
//!
//! Nothing else changes: a play that is legal must still be made, so one forces the other to come home.

use super::{BearingOff, Checkers, Definition, Numbers};

pub(super) const DEFINITION: Definition = Definition {
    start: Checkers::standing(&[(24, 2), (13, 5), (8, 3), (6, 5)]),
    bearing_off: BearingOff::Loses,
    numbers: Numbers::Own,
};
