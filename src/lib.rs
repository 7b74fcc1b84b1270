//! Owlbox runs backgammon club nights: chouettes, and the ledger of what everybody won and lost.
//!
//! The rooms, lowest first; each imports only rooms below it. `docs/architecture.md` tells the why.
//!
//! * [`values`], [`journal`]: half points, money, ids, times; what a stream of events is.
//! * [`engine`]: the game itself; for now its cube and its results.
//! * [`chouette`]: house rules, line, box and captain, bets, rotation, settlement.
//! * [`web`]: what the outside sees over HTTP: pages, their words and files.

pub mod chouette;
pub mod engine;
pub mod journal;
pub mod values;
pub mod web;
