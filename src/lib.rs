//! Owlbox runs backgammon club nights: chouettes, tournaments, and the ledger of what everybody won and lost.
//!
//! This is the top of the program: the command line. The crates below it do the work, listed from the lowest
//! up; each imports only those below it. `docs/architecture.md` gives the reasons.
//!
//! * `owlbox-engine`: the game itself.
//! * `owlbox-base`: values, checked text, event streams, permissions. Neither it nor the next three do any
//!   I/O.
//! * `owlbox-chouette`, `owlbox-play`: chouettes; matches and tournaments. Neither imports the other.
//! * `owlbox-books`: the people, the ledger, the daybook and the statistics.
//! * `owlbox-store`: the only crate that knows a database.
//! * `owlbox-desk`: carries out commands.
//! * `owlbox-locale`: words, numbers and dates in every language.
//! * `owlbox-http`: the server, its configuration and metrics, and what the next two share.
//! * `owlbox-api`, `owlbox-site`: the JSON API; the pages. Neither imports the other.

// A wildcard arm in a test is safe: it panics on whatever it does not expect.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod cli;

use owlbox_http::release::Release;

/// The release that this program is.
pub const RELEASE: Release = Release {
    version: env!("CARGO_PKG_VERSION"),
    commit: known(env!("OWLBOX_COMMIT")),
    committed_on: known(env!("OWLBOX_COMMITTED_ON")),
};

/// What the build has told, if it knew.
const fn known(told: &'static str) -> Option<&'static str> {
    if told.is_empty() { None } else { Some(told) }
}
