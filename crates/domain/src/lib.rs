//! What Owlbox is about, without I/O: no clock, no chance, no database, no HTTP.
//!
//! Each room imports only rooms above it in this list:
//!
//! * [`values`], `text`, [`journal`]: half points, money, ids, times; checked text; what a stream of events is.
//! * [`permissions`]: roles, what each may do, and what a command may need of it.
//! * [`code`]: what can be refused, by its stable name.
//! * [`chouette`]: house rules, line, box and captain, bets, rotation, settlement.
//! * [`matches`]: a match to a length or a money session between two: score, clock, games, what came of it.
//! * [`tournament`]: brackets, draws, places, payouts, ratings.
//! * [`statistics`]: what games come to, counted.
//! * [`ledger`]: transactions and postings, which add up to zero.
//! * [`club`]: the people, their logins; the club's settings.

// A test that meets what it does not know fails by itself.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod chouette;
pub mod club;
pub mod code;
pub mod journal;
pub mod ledger;
mod listed;
pub mod matches;
pub mod permissions;
pub mod statistics;
pub mod text;
pub mod tournament;
pub mod values;
