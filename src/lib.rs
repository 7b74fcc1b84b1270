//! Owlbox runs backgammon club nights: chouettes, and the ledger of what everybody won and lost.
//!
//! The rooms, lowest first; each imports only rooms below it. `docs/architecture.md` tells the why.
//!
//! * [`values`], `text`, [`journal`]: half points, money, ids, times; checked text; what a stream of events is.
//! * [`engine`]: the game itself; for now its cube and its results.
//! * [`chouette`]: house rules, line, box and captain, bets, rotation, settlement.
//! * [`tournament`]: the sheet of a match; brackets, draws, match scores, places, payouts, ratings.
//! * [`ledger`]: transactions and postings, which add up to zero.
//! * [`club`]: the people, their logins and what each may do; the club's settings; passwords and tokens.
//! * [`store`]: the only room that knows a database.
//! * [`live`]: who listens to what.
//! * [`desk`]: carries out commands; knows all rooms below.
//!
//! * [`web`] - HTTP: the API, the pages, the live stream.
//! * [`cli`]: the command line.
//!
//! Beside them stand [`config`] and [`telemetry`], which belong to the program as a whole.

/// A command allocates a few hundred times on its way; this allocator is measurably faster at that than
/// the system's (`docs/performance.md`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub mod chouette;
pub mod cli;
pub mod club;
pub mod config;
pub mod desk;
pub mod engine;
pub mod journal;
pub mod ledger;
mod listed;
pub mod live;
pub mod statistics;
pub mod store;
pub mod telemetry;
mod text;
pub mod tournament;
pub mod values;
pub mod web;
