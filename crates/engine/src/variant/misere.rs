//! The losing game (V3): the side that bears off everything loses, and the winner's checkers decide by how
//! much.
//!
//! Nothing else changes. Legal plays are still compulsory, which is how one side forces the other to come
//! home.

use super::{BearingOff, Definition, standard};

pub(super) const DEFINITION: Definition =
    Definition { bearing_off: BearingOff::Loses, ..standard::DEFINITION };
