//! The books as they are read for export: what every account has at a glance, then all transactions in the
//! order of their ids, which is the order in which they were posted, page by page.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use diesel::prelude::*;
use uuid::Uuid;

use super::StoreError;
use super::books::{BalanceRow, PostingRow, TransactionRow};
use super::connection::AnyConnection;
use super::matches::name_of;
use super::schema::{
    balance, chouette, ledger_transaction, match_sheet, player, posting, stream, tournament,
};
use super::types::Key;
use owlbox_base::journal::BrokenHistory;
use owlbox_base::values::{Holder, HolderKind};
use owlbox_books::ledger::Source;

/// The postings on one account of one purpose and with one kind of other side, at a glance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    pub holder: Holder,
    pub counterparty: HolderKind,
    pub purpose: String,
    /// `half_points` or a currency code.
    pub unit: String,
    /// The first and the last day they count for.
    pub first: NaiveDate,
    pub last: NaiveDate,
    pub amount: i64,
}

/// A row of [`sums`]: the kind of the other side, purpose, day, sequence number, amount.
type ExportRow = (String, String, NaiveDate, i64, i64);

/// How many rows are read at a time.
const ROWS: i64 = 2_000;

/// A transaction without its postings, and the name of the table or match it comes from.
pub type NamedTransaction = (TransactionRow, Source, Option<String>);

/// The sums of all postings that count for a day from one until another. They are added up here, [some
/// rows](ROWS) at a time: SQLite would hold all of them to sort them.
///
/// # Errors
/// A query failed, or the books have a kind of account that this program does not know.
pub fn sums(
    connection: &mut AnyConnection,
    (from, until): (NaiveDate, NaiveDate),
) -> Result<Vec<Sum>, StoreError> {
    let order = (balance::holder, balance::unit);
    let accounts: Vec<BalanceRow> =
        balance::table.order(order).select(BalanceRow::as_select()).load(connection)?;
    let mut all = Vec::new();
    for account in accounts {
        let mut sums: BTreeMap<(String, String), (NaiveDate, NaiveDate, i64)> = BTreeMap::new();
        let mut after = (from, 0);
        loop {
            let (day, sequence) = after;
            let rows: Vec<ExportRow> = posting::table
                .filter(posting::holder.eq(account.holder).and(posting::unit.eq(&account.unit)))
                .filter(posting::booked_on.between(day, until))
                .filter(posting::booked_on.gt(day).or(posting::sequence.gt(sequence)))
                .order((posting::booked_on, posting::sequence))
                .limit(ROWS)
                .select((
                    posting::counterparty_kind,
                    posting::kind,
                    posting::booked_on,
                    posting::sequence,
                    posting::amount,
                ))
                .load(connection)?;
            let Some((_, _, day, sequence, _)) = rows.last() else { break };
            after = (*day, *sequence);
            for (counterparty, purpose, day, _, amount) in rows {
                let (_, last, sum) = sums.entry((counterparty, purpose)).or_insert((day, day, 0));
                *last = day;
                *sum += amount;
            }
        }
        for ((counterparty, purpose), (first, last, amount)) in sums {
            let counterparty =
                HolderKind::try_from(counterparty).map_err(|error| BrokenHistory(error.to_string()))?;
            let (holder, unit) = (account.holder(), account.unit.clone());
            all.push(Sum { holder, counterparty, purpose, unit, first, last, amount });
        }
    }
    Ok(all)
}

/// The transactions that count for a day from one until another, in the order of their ids, following
/// `after`.
///
/// # Errors
/// The query failed, or a transaction comes from a kind of stream that posts nothing.
pub fn transactions(
    connection: &mut AnyConnection,
    (from, until): (NaiveDate, NaiveDate),
    after: Option<Key>,
    limit: i64,
) -> Result<Vec<NamedTransaction>, StoreError> {
    let rows: Vec<(TransactionRow, String, Option<String>, Option<i32>)> = ledger_transaction::table
        .inner_join(stream::table)
        .left_join(chouette::table.on(chouette::id.eq(ledger_transaction::stream)))
        .left_join(match_sheet::table.on(match_sheet::id.eq(ledger_transaction::stream)))
        .filter(ledger_transaction::id.gt(after.unwrap_or(Key(Uuid::nil()))))
        .filter(ledger_transaction::booked_on.between(from, until))
        .order(ledger_transaction::id)
        .limit(limit)
        .select((
            TransactionRow::as_select(),
            stream::kind,
            chouette::name.nullable(),
            match_sheet::length.nullable(),
        ))
        .load(connection)?;
    let with_source = |(head, kind, table, length): (TransactionRow, String, Option<String>, Option<i32>)| {
        let source = Source::from_parts(&kind, head.stream.0);
        let source = source.ok_or_else(|| BrokenHistory(format!("a {kind} posts nothing")))?;
        Ok((head, source, table.or(length.and_then(name_of))))
    };
    rows.into_iter().map(with_source).collect()
}

/// The postings of these transactions, each transaction's in their order.
///
/// # Errors
/// The query failed.
pub fn postings(
    connection: &mut AnyConnection,
    transactions: &[Key],
) -> Result<BTreeMap<Key, Vec<PostingRow>>, StoreError> {
    let rows: Vec<PostingRow> = posting::table
        .filter(posting::ledger_transaction.eq_any(transactions.to_vec()))
        .order((posting::ledger_transaction, posting::position))
        .select(PostingRow::as_select())
        .load(connection)?;
    let mut by_transaction: BTreeMap<Key, Vec<PostingRow>> = BTreeMap::new();
    for row in rows {
        by_transaction.entry(row.ledger_transaction).or_default().push(row);
    }
    Ok(by_transaction)
}

/// The full name of every player, by id.
///
/// # Errors
/// The query failed.
pub fn players(connection: &mut AnyConnection) -> Result<BTreeMap<Uuid, String>, StoreError> {
    let rows: Vec<(Key, String)> = player::table.select((player::id, player::name)).load(connection)?;
    Ok(rows.into_iter().map(|(id, name)| (id.0, name)).collect())
}

/// The name of every tournament, by id, and whether it is over.
///
/// # Errors
/// The query failed.
pub fn tournaments(connection: &mut AnyConnection) -> Result<BTreeMap<Uuid, (String, bool)>, StoreError> {
    let rows: Vec<(Key, String, String)> =
        tournament::table.select((tournament::id, tournament::name, tournament::status)).load(connection)?;
    Ok(rows.into_iter().map(|(id, name, status)| (id.0, (name, status != "open"))).collect())
}
