//! The inverse game (V1): the numbers each side rolls are played by the other.
//!
//! The rule's source leaves open when that begins. Here the opening roll is as usual, each side's die being
//! its own; from the second turn on the side that waits throws, and the side on turn, which may have
//! doubled before, plays.

use super::{Definition, Numbers, standard};

pub(super) const DEFINITION: Definition = Definition { numbers: Numbers::Others, ..standard::DEFINITION };
