//! Hyper-backgammon (V2): three checkers a side, one on each of the three highest points.

use super::{BearingOff, Checkers, Definition, Numbers};

pub(super) const DEFINITION: Definition = Definition {
    start: Checkers::standing(&[(24, 1), (23, 1), (22, 1)]),
    bearing_off: BearingOff::Wins,
    numbers: Numbers::Own,
};
