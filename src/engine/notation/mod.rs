//! How positions, plays and whole games are written down.
//!
//! * [`play`]: plays, as `24/18*/16 8/5(2)`.
//! * [`gnu`]: GNU Backgammon's position ID.

pub mod gnu;
pub mod play;
