//! The books: transactions, postings and balances.
//!
//! Every posting carries its account's next sequence number and the balance after it, so that a statement is
//! one index walk. An account is a [`Holder`] and a unit; the tables store a holder as its kind and id.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use super::StoreError;
use super::chain::{self, Hash};
use super::connection::{AnyConnection, on};
use super::schema::{
    balance, book_chain, book_head, day_turnover, ledger_transaction, month_turnover, pair_turnover, posting,
    stream,
};
use super::types::{Key, Moment};
use owlbox_domain::daybook::{Closing, Month, MoveKind, counts_for};
use owlbox_domain::journal::{Aggregate as _, BrokenHistory};
use owlbox_domain::ledger::Source;
use owlbox_domain::ledger::income::Moved;
use owlbox_domain::tournament::Tournament;
use owlbox_domain::tournament::money::TransferKind;
use owlbox_domain::values::{Currency, Holder, HolderKind, Timestamp, TournamentId, TransactionId};
use owlbox_engine::Variant;

/// The game number of a transaction that belongs to no game.
pub const NO_GAME: i32 = 0;

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = ledger_transaction)]
pub struct Head {
    pub id: Key,
    /// The act that posted it.
    pub act: Key,
    /// The name of a [`TransactionKind`](owlbox_domain::ledger::TransactionKind).
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

/// A posting to be made. The account's sequence number and balance are added by [`post`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPosting {
    pub holder: Holder,
    /// `half_points` or a currency code.
    pub unit: String,
    pub counterparty: Holder,
    /// The kind of bet, `game`, `payment`, or the kind of transfer.
    pub kind: String,
    /// Signed, in half points or minor units.
    pub amount: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = posting)]
pub struct Posting {
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

impl Posting {
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
    pub posting: Posting,
    pub head: Head,
    pub source: Source,
    /// The variant played; `None` if the transaction belongs to no game.
    pub variant: Option<Variant>,
}

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = balance)]
pub struct Balance {
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

impl Balance {
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

/// A transaction to be posted.
#[derive(Clone, Debug)]
pub struct ToPost {
    /// Its `booked_on` and `reverses` are worked out by [`post`].
    pub head: Head,
    /// The version of the stream whose transaction of the same game it takes back.
    pub takes_back: Option<i64>,
    /// In order of position.
    pub postings: Vec<NewPosting>,
}

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
    let query = book_head::table.select((book_head::number, book_head::hash, book_head::closed_through));
    BookHead::read(match connection {
        AnyConnection::Sqlite(connection) => query.get_result(connection)?,
        AnyConnection::Postgres(connection) => query.for_update().get_result(connection)?,
    })
}

/// The end of the books, not locked.
///
/// # Errors
/// The query failed.
pub fn head_of_books(connection: &mut AnyConnection) -> Result<BookHead, StoreError> {
    let query = book_head::table.select((book_head::number, book_head::hash, book_head::closed_through));
    BookHead::read(query.get_result(connection)?)
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
    on!(connection, inner => diesel::update(book_head::table)
        .set(book_head::closed_through.eq(through))
        .execute(inner))?;
    Ok(())
}

/// The balances of accounts, locked until the transaction ends. Every act locks in the same order, so two acts
/// never deadlock. An account without postings is inserted empty here: a row that does not exist cannot be locked.
/// (SQLite has a single writer and needs no locks.)
///
/// # Errors
/// A query failed.
pub fn take(
    connection: &mut AnyConnection,
    accounts: &BTreeSet<Account>,
) -> Result<BTreeMap<Account, Balance>, StoreError> {
    let mut taken = BTreeMap::new();
    for account in accounts {
        let (holder, unit) = account;
        let stand = take_one(connection, *holder, unit)?;
        taken.insert(account.clone(), stand.unwrap_or_else(|| Balance::empty(*holder, unit)));
    }
    Ok(taken)
}

fn take_one(
    connection: &mut AnyConnection,
    holder: Holder,
    unit: &str,
) -> Result<Option<Balance>, StoreError> {
    let key = Key(holder.id());
    match connection {
        AnyConnection::Sqlite(connection) => {
            let found = balance::table.find((key, unit)).select(Balance::as_select());
            Ok(found.get_result(connection).optional()?)
        }
        AnyConnection::Postgres(connection) => {
            let locked = balance::table.find((key, unit)).for_update();
            if let Some(found) = locked.get_result::<Balance>(connection).optional()? {
                return Ok(Some(found));
            }
            let empty = Balance::empty(holder, unit);
            let insert = diesel::insert_into(balance::table).values(empty.clone()).on_conflict_do_nothing();
            if insert.execute(connection)? == 1 {
                return Ok(Some(empty));
            }
            // Another act has just inserted it: wait for that one.
            Ok(locked.get_result(connection).optional()?)
        }
    }
}

/// Whether anything was ever posted for a chouette, tournament or match.
///
/// # Errors
/// The query failed.
pub fn knows(connection: &mut AnyConnection, source: Source) -> Result<bool, StoreError> {
    let posted = ledger_transaction::table.filter(ledger_transaction::stream.eq(Key(source.id())));
    let first: Option<i64> =
        posted.select(ledger_transaction::version).limit(1).get_result(connection).optional()?;
    Ok(first.is_some())
}

/// Posts all transactions of an act, in order: postings, balances and the chain. A transaction whose night is in a
/// closed month counts for `today`. First all accounts are locked, in one order, and the end of the books last,
/// which holds off everybody else who posts.
///
/// # Errors
/// A query failed; [`StoreError::BeyondBooks`] if a balance would overflow.
pub fn post(connection: &mut AnyConnection, all: Vec<ToPost>, today: NaiveDate) -> Result<(), StoreError> {
    let lines = all.iter().flat_map(|one| &one.postings);
    let accounts: BTreeSet<Account> = lines.map(|line| (line.holder, line.unit.clone())).collect();
    let before = take(connection, &accounts)?;
    let mut stands = before.clone();
    let mut ready = Vec::with_capacity(all.len());
    for ToPost { mut head, takes_back, postings } in all {
        head.reverses = match takes_back {
            Some(version) => posted_at(connection, head.stream, version, head.game)?,
            None => None,
        };
        let postings = (0..).zip(&postings);
        let postings: Vec<Posting> = postings
            .map(|(position, line)| line.on_account(&mut stands, head.id, position))
            .collect::<Result<_, _>>()?;
        ready.push((head, postings));
    }
    for (account, stand) in &stands {
        put_balance(connection, stand, before.get(account).is_some_and(|stood| stood.sequence > 0))?;
    }
    let BookHead { mut number, mut hash, closing } = lock_book_head(connection)?;
    let mut links = Vec::with_capacity(ready.len());
    for (head, postings) in &mut ready {
        head.booked_on = counts_for(head.night, today, closing);
        postings.iter_mut().for_each(|posting| posting.booked_on = head.booked_on);
        hash = chain::of_transaction(&hash, head, &*postings);
        number += 1;
        links.push((
            book_chain::number.eq(number),
            book_chain::ledger_transaction.eq(head.id),
            book_chain::hash.eq(hash.0.to_vec()),
        ));
    }
    let (heads, postings): (Vec<Head>, Vec<Vec<Posting>>) = ready.into_iter().unzip();
    let postings: Vec<Posting> = postings.into_iter().flatten().collect();
    match connection {
        // One by one: a statement of its own for every number of rows would have to be prepared each time.
        AnyConnection::Sqlite(connection) => {
            for head in &heads {
                diesel::insert_into(ledger_transaction::table).values(head).execute(connection)?;
            }
            for posting in postings {
                diesel::insert_into(posting::table).values(posting).execute(connection)?;
            }
            for link in links {
                diesel::insert_into(book_chain::table).values(link).execute(connection)?;
            }
        }
        AnyConnection::Postgres(connection) => {
            for some in heads.chunks(POSTINGS_AT_ONCE) {
                diesel::insert_into(ledger_transaction::table).values(some.to_vec()).execute(connection)?;
            }
            for some in postings.chunks(POSTINGS_AT_ONCE) {
                diesel::insert_into(posting::table).values(some.to_vec()).execute(connection)?;
            }
            diesel::insert_into(book_chain::table).values(links).execute(connection)?;
        }
    }
    on!(connection, inner => diesel::update(book_head::table)
        .set((book_head::number.eq(number), book_head::hash.eq(hash.0.to_vec())))
        .execute(inner))?;
    Ok(())
}

/// The most postings or transactions in one statement: PostgreSQL takes at most 65,535 values.
const POSTINGS_AT_ONCE: usize = 2_000;

/// The transaction that a stream posted at this version for this game.
fn posted_at(
    connection: &mut AnyConnection,
    stream: Key,
    version: i64,
    game: i32,
) -> Result<Option<Key>, StoreError> {
    Ok(on!(connection, inner => ledger_transaction::table
        .filter(ledger_transaction::stream.eq(stream))
        .filter(ledger_transaction::version.eq(version))
        .filter(ledger_transaction::game.eq(game))
        .select(ledger_transaction::id)
        .get_result(inner)
        .optional())?)
}

impl NewPosting {
    /// The posting in its account, which moves on by it.
    fn on_account(
        &self,
        stands: &mut BTreeMap<Account, Balance>,
        transaction: Key,
        position: i32,
    ) -> Result<Posting, StoreError> {
        let account = (self.holder, self.unit.clone());
        let stand = stands.entry(account).or_insert_with(|| Balance::empty(self.holder, &self.unit));
        stand.sequence += 1;
        // No club ever gets there, but a refusal is better than books that wrap around.
        stand.amount = stand.amount.checked_add(self.amount).ok_or(StoreError::BeyondBooks(self.holder))?;
        Ok(Posting {
            holder: Key(self.holder.id()),
            unit: self.unit.clone(),
            sequence: stand.sequence,
            holder_kind: self.holder.kind(),
            ledger_transaction: transaction,
            position,
            counterparty: Key(self.counterparty.id()),
            counterparty_kind: self.counterparty.kind(),
            kind: self.kind.clone(),
            amount: self.amount,
            balance: stand.amount,
            booked_on: NaiveDate::default(),
        })
    }
}

/// Writes a balance. `kept` if it has a row already; on PostgreSQL [`take`] has made one.
fn put_balance(connection: &mut AnyConnection, stand: &Balance, kept: bool) -> Result<(), StoreError> {
    let is_new = !kept && matches!(connection, AnyConnection::Sqlite(_));
    on!(connection, inner => if is_new {
        diesel::insert_into(balance::table).values(stand.clone()).execute(inner)
    } else {
        diesel::update(balance::table.find((stand.holder, &stand.unit)))
            .set((balance::amount.eq(stand.amount), balance::sequence.eq(stand.sequence)))
            .execute(inner)
    })?;
    Ok(())
}

/// Every balance of a holder: points first, then the currencies by code.
///
/// # Errors
/// The query failed.
pub fn balances(connection: &mut AnyConnection, holder: Holder) -> Result<Vec<Balance>, StoreError> {
    let mut rows: Vec<Balance> = balance::table
        .filter(balance::holder.eq(Key(holder.id())))
        .order(balance::unit)
        .select(Balance::as_select())
        .load(connection)?;
    rows.sort_by_key(|row| row.unit != "half_points");
    Ok(rows)
}

/// What should be in the club's drawer and at its bank, in minor units. An account of the club falls as money comes:
/// what the house's cash postings took out of its account is in the drawer.
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

/// Every balance that is not zero, in order of holder.
///
/// # Errors
/// The query failed.
pub fn open_balances(connection: &mut AnyConnection) -> Result<Vec<Balance>, StoreError> {
    Ok(balance::table
        .filter(balance::amount.ne(0))
        .order((balance::holder, balance::unit))
        .select(Balance::as_select())
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
    let rows: Vec<(Posting, Head, String)> = posting::table
        .inner_join(ledger_transaction::table.inner_join(stream::table))
        .filter(posting::holder.eq(Key(holder.id())).and(posting::unit.eq(unit)))
        .filter(posting::sequence.lt(before.unwrap_or(i64::MAX)))
        .order(posting::sequence.desc())
        .limit(limit)
        .select((Posting::as_select(), Head::as_select(), stream::kind))
        .load(connection)?;
    rows.into_iter().map(line).collect()
}

/// A line from its rows.
pub(super) fn line((posting, head, kind): (Posting, Head, String)) -> Result<Line, StoreError> {
    let source = Source::from_parts(&kind, head.stream.0);
    let source = source.ok_or_else(|| BrokenHistory(format!("a {kind} posts nothing")))?;
    let variant = head.variant.as_deref().map(|key| {
        Variant::from_key(key).ok_or_else(|| BrokenHistory(format!("the books know no game called {key}")))
    });
    Ok(Line { posting, source, variant: variant.transpose()?, head })
}

/// The sums of the postings of tournaments from one moment until before another, by tournament, unit, accounts and purpose. Those to players are
/// left out: each has its other side at a pool or at the house.
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
        let kind = TransferKind::ALL.into_iter().find(|one| one.name() == kind).ok_or_else(strange)?;
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
) -> Result<Vec<Posting>, StoreError> {
    Ok(posting::table
        .filter(posting::ledger_transaction.eq(Key::from(transaction)))
        .order(posting::position)
        .select(Posting::as_select())
        .load(connection)?)
}

/// A link of the chain.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Link {
    /// The number of the transaction, from 1 in order of posting.
    pub number: i64,
    pub transaction: Key,
    pub hash: Vec<u8>,
}

/// The whole chain, in order.
///
/// # Errors
/// The query failed.
pub fn links(connection: &mut AnyConnection) -> Result<Vec<Link>, StoreError> {
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
pub fn all_heads(connection: &mut AnyConnection) -> Result<Vec<Head>, StoreError> {
    Ok(ledger_transaction::table
        .order((ledger_transaction::stream, ledger_transaction::version, ledger_transaction::game))
        .select(Head::as_select())
        .load(connection)?)
}

/// Every posting, account by account, in order of sequence.
///
/// # Errors
/// The query failed.
pub fn all_postings(connection: &mut AnyConnection) -> Result<Vec<Posting>, StoreError> {
    Ok(posting::table
        .order((posting::holder, posting::unit, posting::sequence))
        .select(Posting::as_select())
        .load(connection)?)
}

/// Every balance, account by account.
///
/// # Errors
/// The query failed.
pub fn all_balances(connection: &mut AnyConnection) -> Result<Vec<Balance>, StoreError> {
    Ok(balance::table
        .order((balance::holder, balance::unit))
        .select(Balance::as_select())
        .load(connection)?)
}

impl From<&Head> for TransactionId {
    fn from(head: &Head) -> Self {
        head.id.into()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{DatabaseUrl, Options, Store};
    use owlbox_domain::values::PlayerId;

    #[test]
    fn a_balance_that_would_leave_its_range_is_refused_and_does_not_wrap_around() {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
        let store = Store::open(&url, &Options::default()).unwrap();
        let line = |amount| NewPosting {
            holder: PlayerId(Uuid::nil()).into(),
            unit: "half_points".to_owned(),
            counterparty: PlayerId(Uuid::nil()).into(),
            kind: "member".to_owned(),
            amount,
        };
        let done = store.write_blocking(move |transaction| {
            let head = Head {
                id: Key(Uuid::nil()),
                act: Key(Uuid::nil()),
                kind: "game".to_owned(),
                stream: Key(Uuid::nil()),
                game: 1,
                variant: None,
                version: 1,
                happened_at: Moment(chrono::DateTime::UNIX_EPOCH.into()),
                posted_at: Moment(chrono::DateTime::UNIX_EPOCH.into()),
                night: NaiveDate::default(),
                booked_on: NaiveDate::default(),
                reverses: None,
            };
            let postings = vec![line(i64::MAX), line(1)];
            post(
                transaction.connection,
                vec![ToPost { head, takes_back: None, postings }],
                NaiveDate::default(),
            )
        });
        assert!(matches!(done, Err(StoreError::BeyondBooks(_))), "{done:?}");
    }
}
