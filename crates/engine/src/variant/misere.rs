//! The losing game (V3): who has borne off everything has lost, and how much is told by the winner's checkers.
//!
//! Nothing else changes: a play that is legal must still be made, so one forces the other to come home.

use super::{BearingOff, Definition, standard};

pub(super) const DEFINITION: Definition =
    Definition { bearing_off: BearingOff::Loses, ..standard::DEFINITION };
