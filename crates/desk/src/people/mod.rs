//! People: players, their ratings, and what is kept of them.

pub mod players;
pub mod privacy;
pub mod ratings;
