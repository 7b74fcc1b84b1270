//! Owlbox runs backgammon club nights: chouettes, and the ledger of what everybody won and lost.
//!
//! The rooms, lowest first; each imports only rooms below it. `docs/architecture.md` tells the why.
//!
//! * [`values`], [`journal`]: half points, money, ids, times; what a stream of events is.
//! * [`engine`]: the game itself; for now its cube and its results.
//! * [`config`]: every setting, typed and checked before anything starts.
//! * [`telemetry`]: log lines and figures.
//! * [`chouette`]: house rules, line, box and captain, bets, rotation, settlement.
//! * [`cli`]: the command line.

pub mod chouette;
pub mod cli;
pub mod config;
pub mod engine;
pub mod journal;
pub mod telemetry;
pub mod values;
