//! The transactions of the daybook.

use super::reversal_of;
use super::{CannotPost, Origin, PostingKind, Source, Transaction, TransactionKind, post};
use crate::daybook::{Daybook, Event, Record, Recorded};
use crate::values::Timestamp;

/// The transaction of a record, entered at `at`. `None` if it moves nothing: a count that agrees with the books.
///
/// # Errors
/// [`CannotPost`], which a checked record rules out.
pub fn of_daybook(recorded: &Recorded, at: Timestamp) -> Result<Option<Transaction>, CannotPost> {
    let mut postings = Vec::new();
    for one in recorded.what.moves() {
        post(&mut postings, one.to, one.from, one.unit, one.amount, PostingKind::Recorded(one.kind));
    }
    if postings.is_empty() {
        return Ok(None);
    }
    let origin = Origin { source: Source::Daybook, stake: None, at, night: Some(recorded.on) };
    Ok(Some(Transaction::new(kind(&recorded.what), origin, None, postings)?))
}

/// The transactions of an event at `at`, by the state before it: a record's, once it counts, or its reversal.
///
/// # Errors
/// [`CannotPost`], which a checked record rules out.
pub fn of_daybook_event(
    before: &Daybook,
    event: &Event,
    at: Timestamp,
) -> Result<Option<Transaction>, CannotPost> {
    let of = |entry: u32| before.entry(entry);
    match event {
        Event::Recorded { recorded, .. } => of_daybook(recorded, at),
        Event::Approved { entry, .. } => of(*entry).map_or(Ok(None), |entry| of_daybook(&entry.recorded, at)),
        Event::TakenBack { entry, .. } => {
            let taken_back = of(*entry).map_or(Ok(None), |entry| of_daybook(&entry.recorded, entry.at))?;
            Ok(taken_back.as_ref().map(reversal_of))
        }
        Event::Proposed { .. }
        | Event::Declined { .. }
        | Event::MonthClosed { .. }
        | Event::MonthReopened { .. } => Ok(None),
    }
}

const fn kind(record: &Record) -> TransactionKind {
    match record {
        Record::Payment { .. } => TransactionKind::Payment,
        Record::Fee { .. } => TransactionKind::Fee,
        Record::OpeningBalances { .. } => TransactionKind::Opening,
        Record::Adjustment { .. } => TransactionKind::Adjustment,
        Record::Expense { .. } => TransactionKind::Expense,
        Record::Income { .. } => TransactionKind::Income,
        Record::Deposit { .. } => TransactionKind::Deposit,
        Record::Count { .. } => TransactionKind::Count,
    }
}
