//! The books: transactions, postings and balances.
//!
//! Every posting carries its account's next sequence number and the balance after it, so that a
//! statement is one index walk. An account here is a [`Holder`]'s in a unit; of a holder the tables have kind and id.

use std::collections::BTreeSet;

use diesel::prelude::*;

use super::StoreError;
use super::connection::{AnyConnection, on};
use super::schema::{balance, ledger_transaction, posting, stream};
use super::types::{Key, Moment};
use owlbox_domain::journal::BrokenHistory;
use owlbox_domain::ledger::Source;
use owlbox_domain::values::{Holder, HolderKind, TransactionId};
use owlbox_engine::Variant;

/// What a transaction of no game has in its place.
pub const NO_GAME: i32 = 0;

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = ledger_transaction)]
pub struct Head {
    pub id: Key,
    /// The act that posted it.
    pub act: Key,
    /// `game`, `correction`, `contest`, `upheld`, `payment`, `transfer`, `merge` or `reversal`.
    pub kind: String,
    /// The stream of the chouette, tournament or match that it comes from.
    pub stream: Key,
    /// Of which game there; [`NO_GAME`] if of none.
    pub game: i32,
    /// What was played there; `None` if it is of no game.
    pub variant: Option<String>,
    /// The stream's version with what posted it: no two have the same, also of one act that undoes several.
    pub version: i64,
    /// When the game ended, or what was paid was paid.
    pub happened_at: Moment,
    pub posted_at: Moment,
}

/// A posting as it is to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPosting {
    pub holder: Holder,
    /// `half_points`, or a currency.
    pub unit: String,
    pub counterparty: Holder,
    /// The kind of bet, `game`, `payment`, or the kind of transfer.
    pub kind: String,
    /// Half points or minor units, with sign.
    pub amount: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = posting)]
pub struct Posting {
    /// Whose account: the id. [`holder`](Self::holder) is the whole of it.
    pub holder: Key,
    /// `half_points`, or a currency.
    pub unit: String,
    /// The account's how-manieth, from 1.
    pub sequence: i64,
    #[diesel(deserialize_as = String, serialize_as = String)]
    pub holder_kind: HolderKind,
    pub ledger_transaction: Key,
    /// Which in that transaction, from 0.
    pub position: i32,
    /// The other side: the id.
    pub counterparty: Key,
    /// The other side: the kind.
    #[diesel(deserialize_as = String, serialize_as = String)]
    pub counterparty_kind: HolderKind,
    /// The kind of bet, `game`, `payment`, or the kind of transfer.
    pub kind: String,
    /// Half points or minor units, with sign.
    pub amount: i64,
    /// The account's balance after it.
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

/// A posting with its transaction and what that comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub posting: Posting,
    pub head: Head,
    /// What it comes from.
    pub source: Source,
    /// What was played, if it is of a game.
    pub variant: Option<Variant>,
}

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = balance)]
pub struct Balance {
    pub holder: Key,
    /// `half_points`, or a currency.
    pub unit: String,
    #[diesel(deserialize_as = String, serialize_as = String)]
    pub holder_kind: HolderKind,
    /// Half points or minor units, with sign.
    pub amount: i64,
    /// How many postings it has.
    pub sequence: i64,
}

impl Balance {
    /// The account of `holder` in `unit` before anything is posted to it.
    fn empty(holder: Holder, unit: &str) -> Self {
        let (holder, holder_kind) = (Key(holder.id()), holder.kind());
        Self { holder, unit: unit.to_owned(), holder_kind, amount: 0, sequence: 0 }
    }

    #[must_use]
    pub const fn holder(&self) -> Holder {
        self.holder_kind.with_id(self.holder.0)
    }
}

/// An account: somebody's, in a unit.
pub type Account = (Holder, String);

/// Takes the accounts to which an act is about to [`post`], all of them before the first posting. They are taken in
/// their order, so that of two acts one waits for the other and never both. An account's first posting finds it here,
/// empty, for a row that is not there cannot be waited for. (SQLite's one writer has nobody to wait for.)
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
                    // Somebody else's first posting came first.
                    taken.get_result::<i64>(connection)?;
                }
            }
        }
    }
    Ok(())
}

/// Whether anything was ever posted for a chouette, a tournament or a match.
///
/// # Errors
/// The query failed.
pub fn knows(connection: &mut AnyConnection, source: Source) -> Result<bool, StoreError> {
    let posted = ledger_transaction::table.filter(ledger_transaction::stream.eq(Key(source.id())));
    let first: Option<i64> =
        posted.select(ledger_transaction::version).limit(1).get_result(connection).optional()?;
    Ok(first.is_some())
}

/// Posts a transaction, moving the balances. An act that posts has [taken](take) the accounts of all that it posts.
///
/// # Errors
/// A query failed, or a balance would be more than the books hold.
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
        // Out of reach of any club; still, books that wrap around would be worse than a refusal.
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

/// Every balance of a holder, points first.
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

/// A page of a statement, newest first, before the sequence number given.
///
/// # Errors
/// The query failed.
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

/// Every transaction's head, stream by stream, in the order in which they were posted.
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

/// The transaction's id as the journal's acts name it.
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
            // Nobody need sit at a table for this.
            transaction.connection.batch_execute("PRAGMA defer_foreign_keys = ON")?;
            let lines = [line(i64::MAX), line(1)];
            let lines: Vec<_> = (0..).zip(&lines).collect();
            post_to_account(transaction.connection, Key(Uuid::nil()), &lines)
        });
        assert!(matches!(done, Err(StoreError::BeyondBooks(_))), "{done:?}");
    }
}
