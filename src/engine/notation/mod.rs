//! How positions, plays and whole games are written down.
//!
//! * [`gnu`]: GNU Backgammon's position ID.

pub mod gnu;
