//! The inverse game (V1): each side plays the numbers that the other one rolls.
//!
//! The source of the rule does not say when that begins. Here the opening roll is the usual one, with a die
//! of its own for each side. From the second turn on, the side that waits throws the dice, and the side on
//! turn plays them. It may double before the throw.

use super::{Definition, RollPlayed, standard};

pub(super) const DEFINITION: Definition = Definition { numbers: RollPlayed::Others, ..standard::DEFINITION };
