//! The books: transactions, postings and balances.
//!
//! Every posting carries its account's next sequence number and the balance after it, so that a statement is
//! one index walk. An account is a [`Holder`] and a unit; the tables store a holder as its kind and id.

use std::collections::BTreeSet;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use super::StoreError;
use super::connection::{AnyConnection, on};
use super::schema::{balance, ledger_transaction, posting, stream};
use super::types::{Key, Moment};
use owlbox_domain::journal::{Aggregate as _, BrokenHistory};
use owlbox_domain::ledger::Source;
use owlbox_domain::ledger::income::Moved;
use owlbox_domain::tournament::Tournament;
use owlbox_domain::tournament::money::TransferKind;
use owlbox_domain::values::{Holder, HolderKind, Timestamp, TournamentId, TransactionId};
use owlbox_engine::Variant;

/// The game number of a transaction that belongs to no game.
pub const NO_GAME: i32 = 0;

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = ledger_transaction)]
pub struct Head {
    pub id: Key,
    /// The act that posted it.
    pub act: Key,
    /// `game`, `correction`, `contest`, `upheld`, `payment`, `transfer`, `merge` or `reversal`.
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

/// Locks all accounts an act is about to [`post`] to, before its first posting. Every act locks in the same
/// order, so two acts never deadlock. An account without postings is inserted empty here: a row that does not
/// exist cannot be locked. (SQLite has a single writer and needs no locks.)
///
/// # Errors
/// A query failed.
#[cfg_attr(not(feature = "postgres"), expect(unused_variables, reason = "only PostgreSQL has locks"))]
pub fn take(connection: &mut AnyConnection, accounts: &BTreeSet<Account>) -> Result<(), StoreError> {
    match connection {
        AnyConnection::Sqlite(_) => {}
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(connection) => {
            for (holder, unit) in accounts {
                let account = balance::table.find((Key(holder.id()), unit));
                let taken = account.select(balance::sequence).for_update();
                if taken.get_result::<i64>(connection).optional()?.is_some() {
                    continue;
                }
                let empty = Balance::empty(*holder, unit);
                let insert = diesel::insert_into(balance::table).values(empty).on_conflict_do_nothing();
                if insert.execute(connection)? == 0 {
                    // Another act has just inserted it: wait for that one.
                    taken.get_result::<i64>(connection)?;
                }
            }
        }
    }
    Ok(())
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

/// Posts a transaction and updates the balances. The act must have [locked](take) all of its accounts before.
///
/// # Errors
/// A query failed; [`StoreError::BeyondBooks`] if a balance would overflow.
pub fn post(connection: &mut AnyConnection, head: &Head, postings: &[NewPosting]) -> Result<(), StoreError> {
    on!(connection, inner => diesel::insert_into(ledger_transaction::table).values(head).execute(inner))?;
    let mut ordered: Vec<(i32, &NewPosting)> = (0..).zip(postings).collect();
    ordered.sort_by(|(at, one), (other_at, other)| {
        (one.holder, &one.unit, at).cmp(&(other.holder, &other.unit, other_at))
    });
    for account in
        ordered.chunk_by(|(_, one), (_, other)| one.holder == other.holder && one.unit == other.unit)
    {
        post_to_account(connection, head.id, account)?;
    }
    Ok(())
}

fn post_to_account(
    connection: &mut AnyConnection,
    transaction: Key,
    postings: &[(i32, &NewPosting)],
) -> Result<(), StoreError> {
    let Some((_, first)) = postings.first() else { return Ok(()) };
    let (holder, unit) = (Key(first.holder.id()), first.unit.as_str());
    let mut stand = lock_balance(connection, first.holder, unit)?;
    for (position, line) in postings {
        stand.sequence += 1;
        // No club ever gets there, but a refusal is better than books that wrap around.
        stand.amount = stand.amount.checked_add(line.amount).ok_or(StoreError::BeyondBooks(line.holder))?;
        on!(connection, inner => diesel::insert_into(posting::table)
            .values(Posting {
                holder,
                unit: unit.to_owned(),
                sequence: stand.sequence,
                holder_kind: line.holder.kind(),
                ledger_transaction: transaction,
                position: *position,
                counterparty: Key(line.counterparty.id()),
                counterparty_kind: line.counterparty.kind(),
                kind: line.kind.clone(),
                amount: line.amount,
                balance: stand.amount,
            })
            .execute(inner))?;
    }
    let moved = on!(connection, inner => diesel::update(balance::table.find((holder, unit)))
        .set((balance::amount.eq(stand.amount), balance::sequence.eq(stand.sequence)))
        .execute(inner))?;
    if moved == 0 {
        on!(connection, inner => diesel::insert_into(balance::table).values(stand).execute(inner))?;
    }
    Ok(())
}

fn lock_balance(connection: &mut AnyConnection, holder: Holder, unit: &str) -> Result<Balance, StoreError> {
    let key = Key(holder.id());
    let query = balance::table.find((key, unit)).select(Balance::as_select());
    let found = match connection {
        AnyConnection::Sqlite(connection) => query.get_result(connection).optional()?,
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(connection) => {
            balance::table.find((key, unit)).for_update().get_result(connection).optional()?
        }
    };
    Ok(found.unwrap_or_else(|| Balance::empty(holder, unit)))
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
    let line = |(posting, head, kind): (Posting, Head, String)| {
        let source = Source::from_parts(&kind, head.stream.0);
        let source = source.ok_or_else(|| BrokenHistory(format!("a {kind} posts nothing")))?;
        let variant = head.variant.as_deref().map(|key| {
            Variant::from_key(key)
                .ok_or_else(|| BrokenHistory(format!("the books know no game called {key}")))
        });
        Ok(Line { posting, source, variant: variant.transpose()?, head })
    };
    rows.into_iter().map(line).collect()
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
            use diesel::connection::SimpleConnection as _;
            // The test posts without the rows a posting refers to.
            transaction.connection.batch_execute("PRAGMA defer_foreign_keys = ON")?;
            let lines = [line(i64::MAX), line(1)];
            let lines: Vec<_> = (0..).zip(&lines).collect();
            post_to_account(transaction.connection, Key(Uuid::nil()), &lines)
        });
        assert!(matches!(done, Err(StoreError::BeyondBooks(_))), "{done:?}");
    }
}
