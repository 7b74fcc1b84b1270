//! The club and its books, above what is played: people and settings, and what everybody won, lost and paid.
//! Without I/O: no clock, no randomness, no database, no HTTP.
//!
//! * [`statistics`]: counts of games by kind and result.
//! * [`ledger`]: transactions and their postings, which add up to zero.
//! * [`daybook`]: what the treasurer records, and the closing of months.
//! * [`club`]: the people and their logins, and the club's settings.
//! * [`typed`]: amounts and days as people type them.
//! * [`erasure`]: what is said of a person taken out of the journal.

// In a test a wildcard arm is safe: the test panics on a variant it does not know.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod club;
pub mod daybook;
pub mod erasure;
pub mod ledger;
#[cfg(test)]
mod permissions_page;
pub mod statistics;
#[cfg(test)]
mod tests;
pub mod typed;
mod unit;
