//! What players look up beside the board.
//!
//! * [`opening`]: recommended plays from the start (K2).
//! * [`shots`]: how many of the 36 outcomes of two dice hit (K3).
//! * [`equity`]: the chance to win a match from a score; [`doubling`]: what follows from it for the cube.

pub mod doubling;
pub mod equity;
pub mod opening;
pub mod shots;
