//! Posting the transactions of an act, and what they are of: sources with their names, holders that exist.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use uuid::Uuid;

use crate::{Effect, Refused};
use owlbox_base::journal::Version;
use owlbox_base::values::{ActId, Holder, Timestamp, TransactionId};
use owlbox_books::ledger::{self, Source};
use owlbox_engine::Variant;
use owlbox_store::books;
pub use owlbox_store::books::BalanceRow;
use owlbox_store::types::Key;
use owlbox_store::{AnyConnection, chouettes, journal, matches, players, tournaments};

/// A transaction that an act posts.
#[derive(Clone, Debug)]
pub struct NewTransaction {
    pub transaction: ledger::Transaction,
    /// The variant of the game it settles; `None` if it belongs to no game.
    pub variant: Option<Variant>,
    /// The stream version it is recorded under ([`Effect::version`](crate::Effect::version)).
    pub version: Version,
    /// The stream version of the transaction that it takes back.
    pub takes_back: Option<Version>,
}

impl NewTransaction {
    /// What an effect of an act posts.
    pub(crate) fn of<E>(
        effect: &Effect<E>,
        transaction: ledger::Transaction,
        variant: Option<Variant>,
    ) -> Self {
        let takes_back = effect.taken_back.then_some(effect.first);
        Self { transaction, variant, version: effect.version, takes_back }
    }
}

/// The act that posts a transaction, and the time.
#[derive(Clone, Copy, Debug)]
pub struct Posted {
    pub act: ActId,
    pub at: Timestamp,
}

/// A transaction as the store records it, under a new id. `night_of` is the day of a moment on the club's
/// clock.
#[must_use]
pub fn to_post(
    new: &NewTransaction,
    posted: Posted,
    night_of: impl FnOnce(Timestamp) -> NaiveDate,
) -> books::ToPost {
    let NewTransaction { transaction, variant, version, takes_back } = new;
    let game = transaction.game().map(|game| i32::try_from(game).unwrap_or(i32::MAX));
    let night = transaction.night().unwrap_or_else(|| night_of(transaction.at()));
    let head = books::TransactionRow {
        id: TransactionId(Uuid::now_v7()).into(),
        act: posted.act.into(),
        kind: transaction.kind().name().to_owned(),
        stream: Key(transaction.source().id()),
        game: game.unwrap_or(books::NO_GAME),
        variant: variant.map(|variant| variant.key().to_owned()),
        version: *version,
        happened_at: transaction.at().into(),
        posted_at: posted.at.into(),
        night,
        booked_on: night,
        reverses: None,
    };
    books::ToPost { head, takes_back: *takes_back, postings: new_postings(transaction) }
}

/// The postings of a transaction, as the store records them.
#[must_use]
pub fn new_postings(transaction: &ledger::Transaction) -> Vec<books::NewPosting> {
    transaction
        .postings()
        .iter()
        .map(|posting| books::NewPosting {
            holder: posting.holder,
            unit: posting.unit.to_string(),
            counterparty: posting.counterparty,
            kind: posting.kind.name().to_owned(),
            amount: posting.amount,
        })
        .collect()
}

/// The names of these tables, tournaments and matches. Money sessions have no name and are left out.
pub(crate) fn source_names(
    connection: &mut AnyConnection,
    sources: BTreeSet<Source>,
) -> Result<BTreeMap<Source, String>, Refused> {
    let mut names = BTreeMap::new();
    for source in sources {
        if let Some(name) = source_name(connection, source)? {
            names.insert(source, name);
        }
    }
    Ok(names)
}

fn source_name(connection: &mut AnyConnection, source: Source) -> Result<Option<String>, Refused> {
    match source {
        Source::Chouette(chouette) => Ok(chouettes::find(connection, chouette.0)?.map(|row| row.name)),
        Source::Tournament(tournament) => {
            Ok(tournaments::find(connection, tournament.0)?.map(|row| row.name))
        }
        Source::Match(id) => Ok(matches::name(connection, id)?),
        // A record is described by what it was.
        Source::Daybook => Ok(None),
    }
}

/// Refuses unless the player, or the tournament of the pool, exists.
pub(crate) fn exists(connection: &mut AnyConnection, holder: Holder) -> Result<(), Refused> {
    let (there, what) = match holder {
        Holder::Player(player) => (players::find(connection, player)?.is_some(), "player"),
        Holder::Pool(tournament) => {
            let kind = Source::Tournament(tournament).kind();
            (journal::head(connection, tournament.0, kind)?.is_some(), "tournament")
        }
        Holder::House | Holder::Bank | Holder::Opening | Holder::Rounding | Holder::Outside => return Ok(()),
    };
    if there { Ok(()) } else { Err(Refused::NotFound(what)) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Barrier};
    use std::time::Duration;

    use crate::Request;
    use crate::fixture::{Db, Fixture};
    use owlbox_books::club::players::PlayerDetails;
    use owlbox_store::{StoreError, books};

    /// Without a fixed order of the accounts half of these would deadlock and be retried.
    #[tokio::test]
    async fn of_two_acts_that_post_to_the_same_new_accounts_one_waits_and_never_both() {
        let Some((fixture, admin)) = Fixture::open(Db::Postgres).await else { return };
        let mut players = Vec::new();
        for name in ["Ada", "Bea", "Cleo"] {
            let details = PlayerDetails::named(name.parse().unwrap());
            players.push(fixture.desk.add_player(Request::by(admin), details, false).await.unwrap().0);
        }
        let (tried, rounds) = (Arc::new(AtomicUsize::new(0)), 10);
        for round in 0..rounds {
            let begin = Arc::new(Barrier::new(2));
            let acts = [[0, 1, 2], [2, 1, 0]].map(|order| {
                let accounts: Vec<_> =
                    order.iter().map(|at| (players[*at].into(), format!("unit {round}"))).collect();
                let (store, begin, tried) = (fixture.desk.inner.store.clone(), begin.clone(), tried.clone());
                tokio::task::spawn_blocking(move || {
                    begin.wait();
                    store.write_blocking(move |transaction| {
                        tried.fetch_add(1, Ordering::Relaxed);
                        let accounts: BTreeSet<_> = accounts.iter().cloned().collect();
                        books::take(transaction.connection()?, &accounts)?;
                        std::thread::sleep(Duration::from_millis(20));
                        Ok::<_, StoreError>(())
                    })
                })
            });
            for act in acts {
                act.await.unwrap().unwrap();
            }
        }
        assert_eq!(tried.load(Ordering::Relaxed), 2 * rounds, "none was tried again");
    }
}
