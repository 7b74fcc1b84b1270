//! Measures how much tampering with a database `verify` finds.
//!
//! A rich club is made over HTTP. Then one value after another is changed in its database behind the
//! program's back - a digit, a name, an id, a time, a version, the account - in the payloads and columns of
//! the journal and in everything derived from it, and `verify` has to find it. Undetectable changes are
//! listed in [`unknowable`], with the reason. Any other change that goes unnoticed fails the test. A few
//! dozen places are tried in every run.
//!
//! ```text
//! OWLBOX_TAMPERS=2000 OWLBOX_TAMPER_SEED=7 cargo test --test it tampering -- --nocapture
//! ```
//!
//! tries more and other places. It prints the share found for each sort of place, and the entries of the list
//! that had no example.

mod bytes;
mod club;
mod places;
mod unknowable;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use owlbox_desk::verify::{Unverified, verify};
use owlbox_store::connection::connect;
use owlbox_store::{AnyConnection, Use};
use rstest::rstest;

use crate::support::databases::Db;
use club::Lots;
use places::{Change, Changed, Places, Sort};
use unknowable::Unknowable;

/// A number from an environment variable, if it is set.
fn from_environment(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|number| number.parse().ok())
}

/// The outcomes of the changes of one sort.
#[derive(Clone, Copy, Default)]
struct Share {
    /// `verify` reported a difference, as it should.
    found: u32,
    refused: u32,
    /// `verify` reported nothing, and could not have.
    unknowable: u32,
    missed: u32,
}

/// The outcomes of all changes.
#[derive(Default)]
struct Measured {
    shares: BTreeMap<Sort, Share>,
    /// Changes that went unnoticed and are not on the list: how many of each, and an example.
    missed: BTreeMap<String, (u32, String)>,
    /// How often each place of the list was needed.
    needed: BTreeMap<&'static str, u32>,
}

impl Measured {
    /// Makes a change, checks whether `verify` finds it, and reverts it.
    fn tries(&mut self, change: &Change, connection: &mut AnyConnection) {
        let share = self.shares.entry(change.sort).or_default();
        if matches!(change.carried_out(connection), Changed::Refused) {
            share.refused += 1;
            return;
        }
        match (verify(connection), unknowable::listed(change)) {
            (Err(Unverified::Differs(_) | Unverified::Store(_)), _) => share.found += 1,
            (Ok(_), Some(place)) => {
                share.unknowable += 1;
                *self.needed.entry(place).or_default() += 1;
            }
            (Ok(_), None) => {
                share.missed += 1;
                self.missed.entry(change.place.clone()).or_insert((0, change.description())).0 += 1;
            }
        }
        change.taken_back(connection);
    }

    fn print(&self) {
        for (sort, Share { found, refused, unknowable, missed }) in &self.shares {
            eprintln!(
                "{sort:?}: found {found}, refused by the database {refused}, unknowable {unknowable}, missed {missed}"
            );
        }
        for Unknowable { places, why } in unknowable::ALL {
            let needed = |place: &&str| self.needed.get(*place).copied();
            let without: Vec<_> = places.iter().filter(|place| needed(place).is_none()).collect();
            let times: u32 = places.iter().filter_map(needed).sum();
            eprintln!("{why}: {times} times; no example of {without:?}");
        }
    }
}

#[rstest]
fn whatever_is_changed_by_hand_is_found_but_for_what_nobody_can_know(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let Some(mut house) = club::rich(db) else { return };
    assert!(house.server.stop().success());
    let many = from_environment("OWLBOX_TAMPERS").unwrap_or(if db == Db::Sqlite { 40 } else { 8 });
    let mut lots = Lots::new(from_environment("OWLBOX_TAMPER_SEED").unwrap_or(1));
    let mut connection = connect(&house.database.url.parse().unwrap(), Use::Write).unwrap();
    let checked = verify(&mut connection).unwrap_or_else(|error| panic!("an untouched club: {error}"));
    let places = Places::new(&mut connection);
    eprintln!("{checked}; {} kinds of entries", places.kinds().len());
    let mut measured = Measured::default();
    for _ in 0..many {
        measured.tries(&places.change(&mut lots), &mut connection);
    }
    verify(&mut connection).unwrap_or_else(|error| panic!("all was taken back: {error}"));
    eprintln!("{db:?}, {many} changes");
    measured.print();
    let missed = measured.missed.iter().fold(String::new(), |mut told, (place, (times, example))| {
        let _ = writeln!(told, "{place}: {times} times, as {example}");
        told
    });
    assert!(missed.is_empty(), "unseen, and not on the list of what nobody can know:\n{missed}");
}
