//! The books: transactions, postings and balances.
//!
//! Every posting carries its account's next sequence number and the balance after it, so that a statement is
//! one index walk. An account is a [`Holder`] and a unit; the tables store a holder as its kind and id. How
//! something is posted is in `post`.

mod post;

use chrono::NaiveDate;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use uuid::Uuid;

use super::StoreError;
use super::chain::Content;
use super::connection::AnyConnection;
use super::postgres::PipelinedConnection;
use super::schema::{
    balance, book_chain, book_head, day_turnover, ledger_transaction, month_turnover, pair_turnover, posting,
    stream,
};
use super::types::{Hash, Key, Moment};
use owlbox_base::journal::{Aggregate as _, BrokenHistory};
use owlbox_base::values::{Currency, Holder, HolderKind, Timestamp, TournamentId, TransactionId};
use owlbox_books::daybook::{Closing, Month, MoveKind};
use owlbox_books::ledger::Source;
use owlbox_books::ledger::income::Moved;
use owlbox_engine::Variant;
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::money::TransferKind;
#[cfg(test)]
pub(super) use post::tests::{game, open};
pub use post::{NewPosting, ToPost, take};
pub(super) use post::{Taken, write_each};

/// The game number of a transaction that belongs to no game.
pub const NO_GAME: i32 = 0;

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = ledger_transaction)]
pub struct TransactionRow {
    pub id: Key,
    /// The act that posted it.
    pub act: Key,
    /// The name of a [`TransactionKind`](owlbox_books::ledger::TransactionKind).
    pub kind: String,
    /// The stream of the chouette, tournament or match it comes from.
    pub stream: Key,
    /// The number of the game in that stream, or [`NO_GAME`].
    pub game: i32,
    /// The variant played, by its key; `None` if it belongs to no game.
    pub variant: Option<String>,
    /// The stream's version after the event that posted it. Unique within the stream, even where one act
    /// undoes several transactions.
    pub version: i64,
    /// When the game ended, or when the money changed hands.
    pub happened_at: Moment,
    pub posted_at: Moment,
    /// The day it belongs to: the night of the table, the day on the club's clock.
    pub night: NaiveDate,
    /// The day it counts for: another one if that was in a closed month when it was posted.
    pub booked_on: NaiveDate,
    /// The transaction that it takes back.
    pub reverses: Option<Key>,
}

impl TransactionRow {
    /// The hash of the transaction if it follows the one with hash `before`. `postings` are its own, in order
    /// of position.
    #[must_use]
    pub fn hash_after<'p>(&self, before: &Hash, postings: impl IntoIterator<Item = &'p PostingRow>) -> Hash {
        let TransactionRow {
            id,
            act,
            kind,
            stream,
            game,
            variant,
            version,
            happened_at,
            posted_at,
            night,
            booked_on,
            reverses,
        } = self;
        let mut content = Content::after(before);
        for id in [id, act, stream] {
            content.id(id.0);
        }
        content.text(kind);
        content.text(variant.as_deref().unwrap_or_default());
        content.number((*game).into());
        content.number(*version);
        content.moment(*happened_at);
        content.moment(*posted_at);
        content.day(*night);
        content.day(*booked_on);
        content.id(reverses.map_or(Uuid::nil(), |reverses| reverses.0));
        for posting in postings {
            let PostingRow {
                holder,
                unit,
                sequence,
                holder_kind,
                ledger_transaction: _,
                position,
                counterparty,
                counterparty_kind,
                kind,
                amount,
                balance,
                booked_on,
            } = posting;
            content.number((*position).into());
            content.text(holder_kind.name());
            content.id(holder.0);
            content.text(counterparty_kind.name());
            content.id(counterparty.0);
            content.text(unit);
            content.text(kind);
            content.number(*sequence);
            content.number(*amount);
            content.number(*balance);
            content.day(*booked_on);
        }
        content.hash()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = posting)]
pub struct PostingRow {
    /// The id of the account's holder. [`holder`](Self::holder) combines it with the kind.
    pub holder: Key,
    /// `half_points` or a currency code.
    pub unit: String,
    /// Its number in the account, from 1 and without gaps.
    pub sequence: i64,
    #[diesel(deserialize_as = String, serialize_as = String)]
    pub holder_kind: HolderKind,
    pub ledger_transaction: Key,
    /// Its index in that transaction, from 0.
    pub position: i32,
    /// The id of the other side. [`counterparty`](Self::counterparty) combines it with the kind.
    pub counterparty: Key,
    #[diesel(deserialize_as = String, serialize_as = String)]
    pub counterparty_kind: HolderKind,
    /// The kind of bet, `game`, `payment`, or the kind of transfer.
    pub kind: String,
    /// Signed, in half points or minor units.
    pub amount: i64,
    /// The account's balance after this posting.
    pub balance: i64,
    /// That of its transaction.
    pub booked_on: NaiveDate,
}

impl PostingRow {
    #[must_use]
    pub const fn holder(&self) -> Holder {
        self.holder_kind.with_id(self.holder.0)
    }

    #[must_use]
    pub const fn counterparty(&self) -> Holder {
        self.counterparty_kind.with_id(self.counterparty.0)
    }
}

/// A line of a statement: a posting, its transaction and where that comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub posting: PostingRow,
    pub head: TransactionRow,
    pub source: Source,
    /// The variant played; `None` if the transaction belongs to no game.
    pub variant: Option<Variant>,
}

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = balance)]
pub struct BalanceRow {
    pub holder: Key,
    /// `half_points` or a currency code.
    pub unit: String,
    #[diesel(deserialize_as = String, serialize_as = String)]
    pub holder_kind: HolderKind,
    /// Signed, in half points or minor units.
    pub amount: i64,
    /// How many postings the account has.
    pub sequence: i64,
}

impl BalanceRow {
    /// An account before its first posting.
    fn empty(holder: Holder, unit: &str) -> Self {
        let (holder, holder_kind) = (Key(holder.id()), holder.kind());
        Self { holder, unit: unit.to_owned(), holder_kind, amount: 0, sequence: 0 }
    }

    #[must_use]
    pub const fn holder(&self) -> Holder {
        self.holder_kind.with_id(self.holder.0)
    }
}

/// An account: its holder and its unit.
pub type Account = (Holder, String);

/// The chain's last link, and up to which month the books are closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookHead {
    /// The number of the last transaction, 0 if there is none.
    pub number: i64,
    /// Its hash.
    pub hash: Hash,
    pub closing: Closing,
}

/// The end of the books, locked until the transaction ends: nobody else posts or closes meanwhile.
///
/// # Errors
/// The query failed.
pub fn lock_book_head(connection: &mut AnyConnection) -> Result<BookHead, StoreError> {
    match connection {
        AnyConnection::Sqlite(connection) => end(connection),
        AnyConnection::Postgres(connection) => connection.at_once(lock_end),
    }
}

/// The row of the end of the books.
fn row_of_end()
-> diesel::dsl::Select<book_head::table, (book_head::number, book_head::hash, book_head::closed_through)> {
    book_head::table.select((book_head::number, book_head::hash, book_head::closed_through))
}

/// The end of the books, on SQLite.
fn end(connection: &mut SqliteConnection) -> Result<BookHead, StoreError> {
    BookHead::read(row_of_end().get_result(connection)?)
}

/// The end of the books, locked, on PostgreSQL.
async fn lock_end(asked: PipelinedConnection<'_>) -> Result<BookHead, StoreError> {
    let rows = asked.load(row_of_end().for_update()).await?;
    BookHead::read(rows.into_iter().next().ok_or(diesel::NotFound)?)
}

/// The end of the books, not locked.
///
/// # Errors
/// The query failed.
pub fn head_of_books(connection: &mut AnyConnection) -> Result<BookHead, StoreError> {
    BookHead::read(row_of_end().get_result(connection)?)
}

impl BookHead {
    /// From its row: number, hash, and the last day that is closed.
    fn read((number, hash, closed): (i64, Vec<u8>, Option<NaiveDate>)) -> Result<Self, StoreError> {
        Ok(Self { number, hash: Hash::try_from(&*hash)?, closing: Closing(closed.map(Month::of)) })
    }
}

/// Closes the books up to a month, or opens them again. The caller holds [the lock](lock_book_head).
///
/// # Errors
/// The query failed.
pub fn set_closing(connection: &mut AnyConnection, Closing(closed): Closing) -> Result<(), StoreError> {
    let through = closed.map(Month::last_day);
    diesel::update(book_head::table).set(book_head::closed_through.eq(through)).execute(connection)?;
    Ok(())
}

/// Whether anything was ever posted for a chouette, tournament or match.
///
/// # Errors
/// The query failed.
pub fn has_transactions(connection: &mut AnyConnection, source: Source) -> Result<bool, StoreError> {
    let posted = ledger_transaction::table.filter(ledger_transaction::stream.eq(Key(source.id())));
    let first: Option<i64> =
        posted.select(ledger_transaction::version).limit(1).get_result(connection).optional()?;
    Ok(first.is_some())
}

/// Every balance of a holder: points first, then the currencies by code.
///
/// # Errors
/// The query failed.
pub fn balances(connection: &mut AnyConnection, holder: Holder) -> Result<Vec<BalanceRow>, StoreError> {
    let mut rows: Vec<BalanceRow> = balance::table
        .filter(balance::holder.eq(Key(holder.id())))
        .order(balance::unit)
        .select(BalanceRow::as_select())
        .load(connection)?;
    rows.sort_by_key(|row| row.unit != "half_points");
    Ok(rows)
}

/// What should be in the club's drawer and at its bank, in minor units. An account of the club falls as money
/// comes: what the house's cash postings took out of its account is in the drawer.
///
/// # Errors
/// The query failed.
pub fn club_money(connection: &mut AnyConnection, currency: Currency) -> Result<(i64, i64), StoreError> {
    let cash: Vec<&str> =
        MoveKind::ALL.iter().filter(|kind| kind.is_cash()).map(|kind| kind.name()).collect();
    let drawer: i64 = month_turnover::table
        .filter(month_turnover::holder.eq(Key(Holder::HOUSE)))
        .filter(month_turnover::unit.eq(currency.code()))
        .filter(month_turnover::kind.eq_any(cash))
        .select(sql::<BigInt>("CAST(COALESCE(sum(month_turnover.amount), 0) AS BIGINT)"))
        .get_result(connection)?;
    let bank = balance::table.find((Key(Holder::BANK), currency.code())).select(balance::amount);
    let bank: Option<i64> = bank.get_result(connection).optional()?;
    Ok((-drawer, -bank.unwrap_or(0)))
}

/// What the club has earned in a period, less what it has spent, in minor units: what moved the house's
/// account and is no money in the drawer.
///
/// # Errors
/// The query failed.
pub fn earned(
    connection: &mut AnyConnection,
    currency: Currency,
    [from, until]: [Option<NaiveDate>; 2],
) -> Result<i64, StoreError> {
    let cash = MoveKind::ALL.iter().filter(|kind| kind.is_cash()).map(|kind| kind.name());
    let mut query = day_turnover::table
        .filter(day_turnover::holder.eq(Key(Holder::HOUSE)))
        .filter(day_turnover::unit.eq(currency.code()))
        .filter(day_turnover::kind.ne_all(cash.collect::<Vec<_>>()))
        .into_boxed();
    if let Some(from) = from {
        query = query.filter(day_turnover::day.ge(from));
    }
    if let Some(until) = until {
        query = query.filter(day_turnover::day.le(until));
    }
    let sum = sql::<BigInt>("CAST(COALESCE(sum(day_turnover.amount), 0) AS BIGINT)");
    Ok(query.select(sum).get_result(connection)?)
}

/// Every balance that is not zero, in order of holder.
///
/// # Errors
/// The query failed.
pub fn open_balances(connection: &mut AnyConnection) -> Result<Vec<BalanceRow>, StoreError> {
    Ok(balance::table
        .filter(balance::amount.ne(0))
        .order((balance::holder, balance::unit))
        .select(BalanceRow::as_select())
        .load(connection)?)
}

/// A page of a statement, newest first, before sequence number `before`.
///
/// # Errors
/// The query failed, or a row names a source or a variant this program does not know.
pub fn statement(
    connection: &mut AnyConnection,
    holder: Holder,
    unit: &str,
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<Line>, StoreError> {
    let rows: Vec<(PostingRow, TransactionRow, String)> = posting::table
        .inner_join(ledger_transaction::table.inner_join(stream::table))
        .filter(posting::holder.eq(Key(holder.id())).and(posting::unit.eq(unit)))
        .filter(posting::sequence.lt(before.unwrap_or(i64::MAX)))
        .order(posting::sequence.desc())
        .limit(limit)
        .select((PostingRow::as_select(), TransactionRow::as_select(), stream::kind))
        .load(connection)?;
    rows.into_iter().map(line).collect()
}

/// A line from its rows.
pub(super) fn line((posting, head, kind): (PostingRow, TransactionRow, String)) -> Result<Line, StoreError> {
    let source = Source::from_parts(&kind, head.stream.0);
    let source = source.ok_or_else(|| BrokenHistory(format!("a {kind} posts nothing")))?;
    let variant = head.variant.as_deref().map(|key| {
        Variant::from_key(key).ok_or_else(|| BrokenHistory(format!("the books know no game called {key}")))
    });
    Ok(Line { posting, source, variant: variant.transpose()?, head })
}

/// The sums of the postings of tournaments from one moment until before another, by tournament, unit,
/// accounts and purpose. Those to players are left out: each has its other side at a pool or at the house.
///
/// # Errors
/// The query failed, or a posting is none that a tournament makes.
pub fn moved_by_tournaments(
    connection: &mut AnyConnection,
    from: Timestamp,
    until: Timestamp,
) -> Result<Vec<(TournamentId, String, Moved)>, StoreError> {
    let rows: Vec<(Key, String, String, String, String, i64)> = posting::table
        .inner_join(ledger_transaction::table.inner_join(stream::table))
        .group_by((
            ledger_transaction::stream,
            posting::unit,
            posting::holder_kind,
            posting::counterparty_kind,
            posting::kind,
        ))
        .filter(stream::kind.eq(Tournament::KIND))
        .filter(posting::holder_kind.ne(HolderKind::Player.name()))
        .filter(ledger_transaction::happened_at.ge(Moment::from(from)))
        .filter(ledger_transaction::happened_at.lt(Moment::from(until)))
        .select((
            ledger_transaction::stream,
            posting::unit,
            posting::holder_kind,
            posting::counterparty_kind,
            posting::kind,
            sql::<BigInt>("CAST(sum(posting.amount) AS BIGINT)"),
        ))
        .load(connection)?;
    let read = |(tournament, unit, holder, counterparty, kind, amount): (
        Key,
        String,
        String,
        String,
        String,
        i64,
    )| {
        let strange =
            || BrokenHistory(format!("a tournament posts no {kind} from {holder} to {counterparty}"));
        let holder_kind = |name: &str| HolderKind::try_from(name.to_owned()).ok();
        let kinds = holder_kind(&holder).zip(holder_kind(&counterparty));
        let (holder, counterparty) = kinds.ok_or_else(strange)?;
        let kind = TransferKind::ALL.iter().copied().find(|one| one.name() == kind).ok_or_else(strange)?;
        Ok((TournamentId::from(tournament), unit, Moved { holder, counterparty, kind, amount }))
    };
    rows.into_iter().map(read).collect()
}

/// The postings of a transaction, in order of position.
///
/// # Errors
/// The query failed.
pub fn postings_of(
    connection: &mut AnyConnection,
    transaction: TransactionId,
) -> Result<Vec<PostingRow>, StoreError> {
    Ok(posting::table
        .filter(posting::ledger_transaction.eq(Key::from(transaction)))
        .order(posting::position)
        .select(PostingRow::as_select())
        .load(connection)?)
}

/// A link of the chain.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct ChainLinkRow {
    /// The number of the transaction, from 1 in order of posting.
    pub number: i64,
    pub transaction: Key,
    pub hash: Vec<u8>,
}

/// The whole chain, in order.
///
/// # Errors
/// The query failed.
pub fn links(connection: &mut AnyConnection) -> Result<Vec<ChainLinkRow>, StoreError> {
    Ok(book_chain::table.order(book_chain::number).load(connection)?)
}

/// What an account's postings of a day or a month come to, by kind.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Turnover {
    pub holder: Key,
    pub unit: String,
    /// The day, or the first day of the month.
    pub day: NaiveDate,
    /// The kind of the postings.
    pub kind: String,
    pub holder_kind: String,
    pub amount: i64,
    pub postings: i64,
    /// The sum of all amounts above zero.
    pub gained: i64,
}

/// What an account's postings of a month with one other account come to.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct PairTurnover {
    pub holder: Key,
    pub unit: String,
    pub counterparty: Key,
    /// The first day of the month.
    pub month: NaiveDate,
    pub amount: i64,
    pub postings: i64,
    /// The sum of all amounts above zero.
    pub gained: i64,
}

/// The turnovers of all months with every other account.
///
/// # Errors
/// The query failed.
pub fn all_pair_turnovers(connection: &mut AnyConnection) -> Result<Vec<PairTurnover>, StoreError> {
    Ok(pair_turnover::table.load(connection)?)
}

/// The turnovers of all days.
///
/// # Errors
/// The query failed.
pub fn all_day_turnovers(connection: &mut AnyConnection) -> Result<Vec<Turnover>, StoreError> {
    Ok(day_turnover::table.load(connection)?)
}

/// The turnovers of all months.
///
/// # Errors
/// The query failed.
pub fn all_month_turnovers(connection: &mut AnyConnection) -> Result<Vec<Turnover>, StoreError> {
    Ok(month_turnover::table.load(connection)?)
}

/// Every transaction's head, stream by stream, in posting order.
///
/// # Errors
/// The query failed.
pub fn all_heads(connection: &mut AnyConnection) -> Result<Vec<TransactionRow>, StoreError> {
    Ok(ledger_transaction::table
        .order((ledger_transaction::stream, ledger_transaction::version, ledger_transaction::game))
        .select(TransactionRow::as_select())
        .load(connection)?)
}

/// Every posting, account by account, in order of sequence.
///
/// # Errors
/// The query failed.
pub fn all_postings(connection: &mut AnyConnection) -> Result<Vec<PostingRow>, StoreError> {
    Ok(posting::table
        .order((posting::holder, posting::unit, posting::sequence))
        .select(PostingRow::as_select())
        .load(connection)?)
}

/// Every balance, account by account.
///
/// # Errors
/// The query failed.
pub fn all_balances(connection: &mut AnyConnection) -> Result<Vec<BalanceRow>, StoreError> {
    Ok(balance::table
        .order((balance::holder, balance::unit))
        .select(BalanceRow::as_select())
        .load(connection)?)
}

impl From<&TransactionRow> for TransactionId {
    fn from(head: &TransactionRow) -> Self {
        head.id.into()
    }
}
