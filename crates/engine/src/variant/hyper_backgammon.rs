//! Hyper-backgammon (V2): three checkers a side, one on each of the three highest points.

use super::{Checkers, Definition, standard};

pub(super) const DEFINITION: Definition =
    Definition { start: Checkers::standing(&[(24, 1), (23, 1), (22, 1)]), ..standard::DEFINITION };
