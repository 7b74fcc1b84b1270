//! What a unit of work has to write and has not written yet.
//!
//! What almost every command writes - entries of the journal, heads of streams, the row of a table or a
//! match, scores, counts, postings, the receipt - is collected, so that PostgreSQL gets it in a few
//! statements: one for each table, not for each row, and for all units that are committed together. A query
//! to the database has it written first ([`Transaction::connection`](super::Transaction::connection)), except
//! for counts and postings: those come at the end of the transaction, and no unit asks about its own.

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use diesel::SqliteConnection;
use uuid::Uuid;

use super::books::{Taken, ToPost};
use super::chouettes::{ChouetteRow, SeatRow};
use super::connection::AnyConnection;
use super::idempotency::{ReceiptKey, StoredReceipt};
use super::journal::Growth;
use super::postgres::{PipelinedConnection, in_order};
use super::types::Key;
use super::{StoreError, books, chouettes, idempotency, journal, matches, notify, statistics};
use owlbox_base::journal::Version;
use owlbox_base::values::Timestamp;
use owlbox_books::statistics::Tallies;

#[derive(Default)]
pub(super) struct Pending {
    pub(super) first: First,
    counted: Tallies,
    /// Each with the day on which it counts if its own month is closed.
    posted: Vec<(ToPost, NaiveDate)>,
}

/// Everything but counts and postings.
#[derive(Default)]
pub(super) struct First {
    pub(super) streams: HashMap<Uuid, Growth>,
    pub(super) receipts: HashMap<ReceiptKey, (StoredReceipt, Timestamp)>,
    tables: BTreeMap<Key, ChouetteRow>,
    matches: BTreeMap<Key, matches::MatchRow>,
    /// Scores of seats that are there already.
    seats: BTreeMap<(Key, Key), SeatRow>,
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        let Self { first, counted, posted } = self;
        first.is_empty() && counted.iter().next().is_none() && posted.is_empty()
    }

    pub(super) fn grow(&mut self, id: Uuid, growth: Growth) {
        match self.first.streams.get_mut(&id) {
            Some(before) => before.go_on(growth),
            None => drop(self.first.streams.insert(id, growth)),
        }
    }

    pub(super) fn put_table(&mut self, row: ChouetteRow) {
        self.first.tables.insert(row.id, row);
    }

    pub(super) fn put_match(&mut self, row: matches::MatchRow) {
        self.first.matches.insert(row.id, row);
    }

    pub(super) fn change_seat(&mut self, seat: SeatRow) {
        self.first.seats.insert((seat.chouette, seat.player), seat);
    }

    pub(super) fn count(&mut self, changes: &Tallies) {
        self.counted.add(changes);
    }

    pub(super) fn post(&mut self, all: Vec<ToPost>, today: NaiveDate) {
        self.posted.extend(all.into_iter().map(|one| (one, today)));
    }

    /// Takes over what a later unit has to write.
    pub(super) fn join(&mut self, later: Self) {
        let Self { first: First { streams, receipts, tables, matches, seats }, counted, posted } = later;
        for (id, growth) in streams {
            self.grow(id, growth);
        }
        self.first.receipts.extend(receipts);
        self.first.tables.extend(tables);
        self.first.matches.extend(matches);
        self.first.seats.extend(seats);
        self.counted.add(&counted);
        self.posted.extend(posted);
    }

    /// Writes everything but counts and postings: what they lock, everybody else needs.
    ///
    /// # Errors
    /// See [`write`](Self::write).
    pub(super) fn write_first(&mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let first = std::mem::take(&mut self.first);
        match connection {
            AnyConnection::Sqlite(connection) => first.write_each(connection),
            AnyConnection::Postgres(connection) if first.is_empty() => Ok(()),
            AnyConnection::Postgres(connection) => {
                notify::grown(connection, first.heads());
                connection.at_once(async |asked| first.write_all(asked).await)
            }
        }
    }

    /// Writes everything. The end of the books comes last: from there on nobody else can post.
    ///
    /// # Errors
    /// A query failed, or another transaction got in first. Then the transaction has to end.
    pub(super) fn write(&mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let first = std::mem::take(&mut self.first);
        let counted = std::mem::take(&mut self.counted);
        let posted = std::mem::take(&mut self.posted);
        match connection {
            AnyConnection::Sqlite(connection) => {
                first.write_each(connection)?;
                statistics::write_each(connection, &counted)?;
                if posted.is_empty() { Ok(()) } else { books::write_each(connection, posted) }
            }
            AnyConnection::Postgres(connection) => {
                notify::grown(connection, first.heads());
                let ((), (), taken) = connection.at_once(async |asked| {
                    let take = async {
                        if posted.is_empty() {
                            Ok(None)
                        } else {
                            Taken::at_once(asked, &posted).await.map(Some)
                        }
                    };
                    in_order!(first.write_all(asked), statistics::write_all(asked, &counted), take)
                })?;
                taken.map_or(Ok(()), |taken| taken.write_all(connection, posted))
            }
        }
    }
}

impl First {
    fn is_empty(&self) -> bool {
        let Self { streams, receipts, tables, matches, seats } = self;
        streams.is_empty()
            && receipts.is_empty()
            && tables.is_empty()
            && matches.is_empty()
            && seats.is_empty()
    }

    /// Where the streams will stand.
    fn heads(&self) -> impl Iterator<Item = (Uuid, Version)> {
        self.streams.iter().map(|(id, growth)| (*id, growth.after()))
    }

    fn write_each(self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let Self { streams, receipts, tables, matches, seats } = self;
        streams.iter().try_for_each(|(id, growth)| journal::write_one(connection, *id, growth))?;
        tables.into_values().try_for_each(|row| chouettes::put_one(connection, row))?;
        matches.values().try_for_each(|row| matches::put_one(connection, row))?;
        seats.into_values().try_for_each(|seat| chouettes::change_seat(connection, seat))?;
        receipts
            .into_iter()
            .try_for_each(|(place, (record, at))| idempotency::keep_one(connection, place, &record, at))
    }

    async fn write_all(self, asked: PipelinedConnection<'_>) -> Result<(), StoreError> {
        let Self { streams, receipts, tables, matches, seats } = self;
        in_order!(
            journal::write_all(asked, &streams),
            chouettes::put_all(asked, tables.into_values().collect()),
            matches::put_all(asked, matches.into_values().collect()),
            chouettes::change_seats(asked, seats.into_values().collect()),
            idempotency::keep_all(asked, receipts),
        )
        .map(drop)
    }
}
