//! The transactions of the daybook.

use super::reversal_of;
use super::{CannotPost, PostingKind, PostingOrigin, Source, Transaction, TransactionKind, post};
use crate::daybook::{Daybook, Event, Record, Recorded, RecordedTransaction};
use owlbox_base::values::Timestamp;

/// The transactions of a record, entered at `at`: every past game is one, and any other record. None if it
/// moves nothing: a count that agrees with the books.
///
/// # Errors
/// [`CannotPost`], which a checked record rules out.
pub fn of_daybook(recorded: &Recorded, at: Timestamp) -> Result<Vec<Transaction>, CannotPost> {
    let transaction = |RecordedTransaction { on, game, moves }: RecordedTransaction| {
        let mut postings = Vec::new();
        for one in moves {
            post(&mut postings, one.to, one.from, one.unit, one.amount, PostingKind::Recorded(one.kind));
        }
        let origin = PostingOrigin { source: Source::Daybook, stake: None, at, night: Some(on) };
        Ok(Transaction::new(kind(&recorded.what), origin, game, postings)?)
    };
    recorded.parts().into_iter().map(transaction).collect()
}

/// The transactions of an event at `at`, by the state before it: a record's, once it counts, or their
/// reversals.
///
/// # Errors
/// [`CannotPost`], which a checked record rules out.
pub fn of_daybook_event(
    before: &Daybook,
    event: &Event,
    at: Timestamp,
) -> Result<Vec<Transaction>, CannotPost> {
    let of = |entry: u32, at: Option<Timestamp>| match before.entry(entry) {
        Some(entry) => of_daybook(&entry.recorded, at.unwrap_or(entry.at)),
        None => Ok(Vec::new()),
    };
    match event {
        Event::Recorded { recorded, .. } => of_daybook(recorded, at),
        Event::Approved { entry, .. } if !before.is_to_be_taken_back(*entry) => of(*entry, Some(at)),
        Event::Approved { entry, .. } | Event::TakenBack { entry, .. } => {
            Ok(of(*entry, None)?.iter().map(reversal_of).collect())
        }
        Event::Proposed { .. }
        | Event::TakeBackProposed { .. }
        | Event::Declined { .. }
        | Event::MonthClosed { .. }
        | Event::MonthReopened { .. } => Ok(Vec::new()),
    }
}

const fn kind(record: &Record) -> TransactionKind {
    match record {
        Record::Payment { .. } => TransactionKind::Payment,
        Record::Fee { .. } => TransactionKind::Fee,
        Record::OpeningBalances { .. } => TransactionKind::Opening,
        Record::PastGames { .. } => TransactionKind::PastGame,
        Record::Adjustment { .. } => TransactionKind::Adjustment,
        Record::Expense { .. } => TransactionKind::Expense,
        Record::Income { .. } => TransactionKind::Income,
        Record::Deposit { .. } => TransactionKind::Deposit,
        Record::Count { .. } => TransactionKind::Count,
    }
}
