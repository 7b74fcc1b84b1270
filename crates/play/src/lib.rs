//! What is played between two, alone or in a tournament. Without I/O: no clock, no randomness, no database,
//! no HTTP.
//!
//! * [`matches`]: a match to a length, or a money session: score, clock, games, outcome.
//! * [`tournament`]: brackets, draws, places, payouts, ratings. It imports [`matches`], never the other way.

// In a test a wildcard arm is safe: the test panics on a variant it does not know.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod matches;
pub mod tournament;
