//! How positions and plays are written down.
//!
//! * [`play`]: plays, as `24/18*/16 8/5(2)`.
//! * [`gnu`]: GNU Backgammon's position ID and match ID.
//! * [`xgid`]: both in one line, as XG writes them.
//! * [`state`]: what those two tell beside the position.

pub mod gnu;
pub mod play;
pub mod state;
#[cfg(test)]
mod tests;
pub mod xgid;
