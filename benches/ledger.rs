//! The books: settling up, what is asked of them when they are long, their export, the closing of a month,
//! and what their hashes cost; on SQLite and, if available, on PostgreSQL.
//!
//! ```sh
//! cargo bench --bench ledger
//! OWLBOX_TEST_POSTGRES=postgres://... cargo bench --bench ledger
//! ```
//!
//! `docs/performance.md` has the results.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a measurement, not the product")]

#[path = "ledger/closing.rs"]
mod closing;
#[path = "ledger/club.rs"]
mod club;
#[path = "ledger/exporting.rs"]
mod exporting;
#[path = "ledger/hashing.rs"]
mod hashing;
#[path = "support/moment.rs"]
mod moment;
#[path = "ledger/questions.rs"]
mod questions;
#[path = "support/schema.rs"]
mod schema;
#[path = "ledger/settling.rs"]
mod settling;

use std::time::{Duration, Instant};

use club::{Club, FEW, Size};
use moment::measured_or;
use owlbox_desk::DatabaseUrl;

fn main() {
    settling::measure();
    hashing::measure();
    let folder = tempfile::tempdir().unwrap();
    measure("SQLite", |name| DatabaseUrl::Sqlite(folder.path().join(name)));
    if let Ok(url) = std::env::var("OWLBOX_TEST_POSTGRES") {
        measure("PostgreSQL", |name| schema::fresh_schema(&url, name).parse().unwrap());
    }
}

/// Measures on one database what depends on one.
fn measure(database: &str, url: impl Fn(&str) -> DatabaseUrl) {
    let short = Club::found(&url("short"), Size { years: 1, games: FEW });
    let long =
        Club::found(&url("long"), measured_or(Size { years: 2, games: FEW }, Size { years: 10, games: 158 }));
    questions::measure(database, &short, &long);
    exporting::measure(database, &long);
    closing::measure(database, &long);
}

/// The median times of works that take turns.
fn medians<const WORKS: usize>(mut works: [&mut dyn FnMut(); WORKS]) -> [Duration; WORKS] {
    let rounds = measured_or(1, 51);
    let mut times = [const { Vec::new() }; WORKS];
    for _ in 0..rounds {
        for (work, times) in works.iter_mut().zip(&mut times) {
            let started = Instant::now();
            work();
            times.push(started.elapsed());
        }
    }
    times.map(median)
}

/// The middle one.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// How many times as long one is as the other.
fn times(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}
