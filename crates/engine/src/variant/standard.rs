//! Backgammon itself (G2, G4, G13).

use super::{BearingOff, Checkers, Definition, Opening, RollPlayed, Win};

pub(super) const DEFINITION: Definition = Definition {
    start: Checkers::standing(&[(24, 2), (13, 5), (8, 3), (6, 5)]),
    opening: Opening::Played,
    bearing_off: BearingOff::Wins,
    numbers: RollPlayed::Own,
    has_cube: true,
    wins: &Win::ALL,
};
