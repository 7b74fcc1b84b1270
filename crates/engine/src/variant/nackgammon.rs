//! Nackgammon (V2): one checker of the mid-point and one of the six-point begin on 23 instead.

use super::{Checkers, Definition, standard};

pub(super) const DEFINITION: Definition = Definition {
    start: Checkers::standing(&[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)]),
    ..standard::DEFINITION
};
