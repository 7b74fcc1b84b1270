//! The domain of Owlbox, without I/O: no clock, no randomness, no database, no HTTP.
//!
//! A module imports only modules above it in this list:
//!
//! * [`typed`]: amounts as people type them.
//! * [`chouette`]: house rules, line, box and captain, bets, rotation, settlement.
//! * [`matches`]: a match to a length, or a money session between two: score, clock, games, outcome.
//! * [`tournament`]: brackets, draws, places, payouts, ratings.
//! * [`statistics`]: counts of games by kind and result.
//! * [`daybook`]: what the treasurer records, and the closing of months.
//! * [`ledger`]: transactions and their postings, which add up to zero.
//! * [`club`]: the people and their logins, and the club's settings.
//! * [`erasure`]: what is said of a person taken out of the journal.

// In a test a wildcard arm is safe: the test panics on a variant it does not know.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod chouette;
pub mod club;
pub mod daybook;
pub mod erasure;
pub mod ledger;
pub mod matches;
#[cfg(test)]
mod permissions_page;
pub mod statistics;
#[cfg(test)]
mod tests;
pub mod tournament;
pub mod typed;
