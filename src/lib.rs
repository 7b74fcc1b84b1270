//! Owlbox runs backgammon club nights: chouettes, tournaments, and the ledger of what everybody won and lost.
//!
//! This is the program's top: the command line. What it runs lies in the crates below it, lowest first; each imports only
//! what is below. `docs/architecture.md` tells the why.
//!
//! * `owlbox-engine`: the game itself.
//! * `owlbox-domain`: chouettes, tournaments, the ledger, the people; pure.
//! * `owlbox-store`: the only room that knows a database.
//! * `owlbox-desk`: carries out commands; knows all rooms below.
//! * `owlbox-web`: HTTP: the API, the pages, the live stream; the configuration and the figures of the service.

// A test that meets what it does not know fails by itself.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod cli;
