//! The domain of Owlbox, without I/O: no clock, no randomness, no database, no HTTP.
//!
//! A module imports only modules above it in this list:
//!
//! * [`values`], `text`, [`typed`], [`journal`]: half points, money, ids and times; checked text; amounts as people type
//!   them; event streams.
//! * [`permissions`]: roles, what each may do, and what a command may require.
//! * [`code`]: the stable codes of refusals.
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
pub mod code;
pub mod daybook;
pub mod erasure;
pub mod journal;
mod json;
pub mod ledger;
mod listed;
pub mod matches;
pub mod permissions;
#[cfg(test)]
mod permissions_page;
pub mod statistics;
#[cfg(test)]
mod tests;
pub mod text;
pub mod tournament;
pub mod typed;
pub mod values;
