//! Things that players look up beside the board.
//!
//! * [`opening`]: recommended plays from the start (K2).
//! * [`shots`]: the number of outcomes of two dice, out of 36, that hit (K3).
//! * [`equity`]: the chance to win a match from a score; [`doubling`]: what it means for the cube.

pub mod doubling;
pub mod equity;
pub mod opening;
pub mod shots;
