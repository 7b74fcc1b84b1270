//! What a unit of work has to write and has not written yet.
//!
//! What almost every command writes - entries of the journal, heads of streams, a table's row, scores, counts,
//! postings, the receipt - is collected, so that PostgreSQL gets it in a few statements: one for each table, not for
//! each row, and for all units that are committed together. Whoever asks the database anything has it written
//! first ([`Transaction::connection`](super::Transaction::connection)), except for counts and postings: those come at the
//! end of the transaction, and no unit asks about its own.

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use uuid::Uuid;

use super::books::ToPost;
use super::chouettes::{Row, Seat};
use super::connection::AnyConnection;
use super::idempotency::{Place, Record};
use super::journal::Growth;
use super::types::Key;
use super::{StoreError, books, chouettes, idempotency, journal, statistics};
use owlbox_domain::statistics::Tallies;
use owlbox_domain::values::Timestamp;

#[derive(Default)]
pub(super) struct Pending {
    pub(super) streams: HashMap<Uuid, Growth>,
    pub(super) receipts: HashMap<Place, (Record, Timestamp)>,
    tables: BTreeMap<Key, Row>,
    /// Scores of seats that are there already.
    seats: BTreeMap<(Key, Key), Seat>,
    counted: Tallies,
    /// By the day on which a transaction counts whose own month is closed.
    posted: BTreeMap<NaiveDate, Vec<ToPost>>,
}

impl Pending {
    pub(super) fn grow(&mut self, id: Uuid, growth: Growth) {
        match self.streams.get_mut(&id) {
            Some(before) => before.go_on(growth),
            None => drop(self.streams.insert(id, growth)),
        }
    }

    pub(super) fn put_table(&mut self, row: Row) {
        self.tables.insert(row.id, row);
    }

    pub(super) fn change_seat(&mut self, seat: Seat) {
        self.seats.insert((seat.chouette, seat.player), seat);
    }

    pub(super) fn count(&mut self, changes: &Tallies) {
        self.counted.add(changes);
    }

    pub(super) fn post(&mut self, all: Vec<ToPost>, today: NaiveDate) {
        if !all.is_empty() {
            self.posted.entry(today).or_default().extend(all);
        }
    }

    /// Takes over what a later unit has to write.
    pub(super) fn join(&mut self, later: Self) {
        let Self { streams, receipts, tables, seats, counted, posted } = later;
        for (id, growth) in streams {
            self.grow(id, growth);
        }
        self.receipts.extend(receipts);
        self.tables.extend(tables);
        self.seats.extend(seats);
        self.counted.add(&counted);
        posted.into_iter().for_each(|(today, all)| self.post(all, today));
    }

    /// Writes everything but counts and postings: what they lock, everybody else needs.
    ///
    /// # Errors
    /// See [`write`](Self::write).
    pub(super) fn write_first(&mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        journal::write(connection, std::mem::take(&mut self.streams))?;
        chouettes::put_all(connection, std::mem::take(&mut self.tables).into_values().collect())?;
        chouettes::change_seats(connection, std::mem::take(&mut self.seats).into_values().collect())?;
        idempotency::keep_all(connection, std::mem::take(&mut self.receipts))
    }

    /// Writes everything. The end of the books comes last: from there on nobody else can post.
    ///
    /// # Errors
    /// A query failed, or another transaction got in first. Then the transaction has to end.
    pub(super) fn write(&mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        self.write_first(connection)?;
        let counted = std::mem::take(&mut self.counted);
        statistics::write(connection, &counted)?;
        let posted = std::mem::take(&mut self.posted);
        posted.into_iter().try_for_each(|(today, all)| books::write(connection, all, today))
    }
}
