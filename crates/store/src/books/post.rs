//! Posting: what an act puts into the books.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::NaiveDate;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Date, Integer, Nullable, Text};
use diesel::sqlite::Sqlite;
use serde_json::json;

use super::{Account, BalanceRow, BookHead, PostingRow, TransactionRow, end, lock_end};
use crate::StoreError;
use crate::connection::AnyConnection;
use crate::postgres::{PgConnection, PipelinedConnection, in_order};
use crate::schema::{balance, book_chain, ledger_transaction};
use crate::statement::SqlStatement;
use crate::types::{Hash, Id, Key, Moment, UtcTime};
use owlbox_base::values::Holder;
use owlbox_books::daybook::counts_for;

/// A posting to be made. The account's sequence number and balance are added when it is posted.
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

/// A transaction to be posted.
#[derive(Clone, Debug)]
pub struct ToPost {
    /// Its `booked_on` and `reverses` are worked out when it is posted.
    pub head: TransactionRow,
    /// The version of the stream whose transaction of the same game it takes back.
    pub takes_back: Option<i64>,
    /// In order of position.
    pub postings: Vec<NewPosting>,
}

/// Transactions, each with the day on which it counts if its night is in a closed month.
type Posted = Vec<(ToPost, NaiveDate)>;

/// Where a stream has posted: its id, its version, the number of the game.
type Place = (Key, i64, i32);

impl ToPost {
    /// Where the transaction is that it takes back.
    fn takes_back_at(&self) -> Option<Place> {
        Some((self.head.stream, self.takes_back?, self.head.game))
    }
}

/// The accounts that transactions post to.
fn accounts(all: &Posted) -> BTreeSet<Account> {
    let lines = all.iter().flat_map(|(one, _)| &one.postings);
    lines.map(|line| (line.holder, line.unit.clone())).collect()
}

/// What transactions add to: those that they take back, and where accounts and the books stand,
/// [locked](take): the accounts first, in one order, and the end of the books last, which holds off everybody
/// else who posts.
pub(crate) struct Taken {
    taken_back: HashMap<Place, Key>,
    stands: BTreeMap<Account, BalanceRow>,
    end: BookHead,
}

/// What is written of transactions, once it is known what they add to.
struct Ready {
    stands: BTreeMap<Account, BalanceRow>,
    heads: Vec<TransactionRow>,
    postings: Vec<PostingRow>,
    /// Number, transaction and hash.
    links: Vec<(i64, Key, Hash)>,
}

impl Taken {
    /// Locks what these transactions add to, on PostgreSQL.
    pub(crate) async fn at_once(asked: PipelinedConnection<'_>, all: &Posted) -> Result<Self, StoreError> {
        let accounts = accounts(all);
        let (taken_back, stands, end) = in_order!(
            posted_at_all(asked, all.iter().filter_map(|(one, _)| one.takes_back_at()).collect()),
            take_at_once(asked, &accounts),
            lock_end(asked)
        )?;
        Ok(Self { taken_back, stands, end })
    }

    /// Works out the postings, the balances after them and the links of the chain, in order.
    fn post(self, all: Posted) -> Result<Ready, StoreError> {
        let Self { mut taken_back, mut stands, end: BookHead { mut number, mut hash, closing } } = self;
        let (mut heads, mut links) = (Vec::with_capacity(all.len()), Vec::with_capacity(all.len()));
        let mut postings = Vec::new();
        for (one, today) in all {
            let reverses = one.takes_back_at().and_then(|place| taken_back.get(&place).copied());
            let ToPost { mut head, postings: lines, .. } = one;
            (head.booked_on, head.reverses) = (counts_for(head.night, today, closing), reverses);
            let posted: Vec<PostingRow> = (0..)
                .zip(&lines)
                .map(|(position, line)| line.on_account(&mut stands, &head, position))
                .collect::<Result<_, _>>()?;
            hash = head.hash_after(&hash, &posted);
            number += 1;
            links.push((number, head.id, hash));
            // A later one can take it back.
            taken_back.insert((head.stream, head.version, head.game), head.id);
            heads.push(head);
            postings.extend(posted);
        }
        Ok(Ready { stands, heads, postings, links })
    }

    /// Posts all transactions, in order, on PostgreSQL.
    ///
    /// # Errors
    /// A query failed; [`StoreError::BeyondBooks`] if a balance would overflow.
    pub(crate) fn write_all(self, connection: &mut PgConnection, all: Posted) -> Result<(), StoreError> {
        let Ready { stands, heads, postings, links } = self.post(all)?;
        connection.at_once(async |asked| {
            in_order!(
                move_balances(asked, &stands),
                insert_heads(asked, &heads),
                insert_postings(asked, &postings),
                insert_links(asked, &links),
                move_end(asked, &links),
            )
            .map(drop)
        })
    }
}

/// Posts all transactions, in order, on SQLite.
///
/// # Errors
/// A query failed; [`StoreError::BeyondBooks`] if a balance would overflow.
pub(crate) fn write_each(connection: &mut SqliteConnection, all: Posted) -> Result<(), StoreError> {
    let mut taken_back = HashMap::new();
    for place in all.iter().filter_map(|(one, _)| one.takes_back_at()) {
        taken_back.extend(posted_at(connection, place)?.map(|id| (place, id)));
    }
    let stands = stand(connection, &accounts(&all))?;
    let taken = Taken { taken_back, stands, end: end(connection)? };
    let Ready { stands, heads, postings, links } = taken.post(all)?;
    stands.into_values().try_for_each(|stand| put_balance(connection, stand))?;
    put_heads(connection, heads)?;
    put_postings(connection, postings)?;
    for (number, transaction, hash) in &links {
        diesel::insert_into(book_chain::table)
            .values((
                book_chain::number.eq(number),
                book_chain::ledger_transaction.eq(transaction),
                book_chain::hash.eq(hash.0.to_vec()),
            ))
            .execute(connection)?;
    }
    if let Some((number, _, hash)) = links.last() {
        SqlStatement::<Sqlite>::new("UPDATE book_head SET number = ?, hash = ?")
            .value::<BigInt, _>(*number)
            .value::<Binary, _>(hash.0.to_vec())
            .execute(connection)?;
    }
    Ok(())
}

fn put_heads(connection: &mut SqliteConnection, heads: Vec<TransactionRow>) -> Result<(), StoreError> {
    let row = |head: TransactionRow| {
        let TransactionRow { id, act, kind, stream, game, variant, version, .. } = head;
        let [happened_at, posted_at] = [head.happened_at, head.posted_at].map(Moment::text);
        let TransactionRow { night, booked_on, reverses, .. } = head;
        json!([
            id.0,
            act.0,
            kind,
            stream.0,
            game,
            variant,
            version,
            happened_at,
            posted_at,
            night,
            booked_on,
            reverses.map(|key| key.0),
        ])
    };
    SqlStatement::<Sqlite>::new(
        "INSERT INTO ledger_transaction (id, act, kind, stream, game, variant, version, happened_at, posted_at, night, booked_on, \
         reverses) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, \
         value ->> 8, value ->> 9, value ->> 10, value ->> 11 FROM json_each(?)",
    )
    .rows(heads.into_iter().map(row))
    .execute(connection)?;
    Ok(())
}

fn put_postings(connection: &mut SqliteConnection, postings: Vec<PostingRow>) -> Result<(), StoreError> {
    let row = |posting: PostingRow| {
        json!([
            posting.holder.0,
            posting.unit,
            posting.sequence,
            posting.holder_kind.name(),
            posting.ledger_transaction.0,
            posting.position,
            posting.counterparty.0,
            posting.counterparty_kind.name(),
            posting.kind,
            posting.amount,
            posting.balance,
            posting.booked_on,
        ])
    };
    SqlStatement::<Sqlite>::new(
        "INSERT INTO posting (holder, unit, sequence, holder_kind, ledger_transaction, position, counterparty, counterparty_kind, \
         kind, amount, balance, booked_on) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, \
         value ->> 6, value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11 FROM json_each(?)",
    )
    .rows(postings.into_iter().map(row))
    .execute(connection)?;
    Ok(())
}

async fn insert_heads(asked: PipelinedConnection<'_>, heads: &[TransactionRow]) -> Result<(), StoreError> {
    let insert = SqlStatement::<Pg>::new(
        "INSERT INTO ledger_transaction (id, act, kind, stream, game, variant, version, happened_at, posted_at, night, booked_on, \
         reverses) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::integer[], $6::text[], \
         $7::bigint[], $8::timestamptz[], $9::timestamptz[], $10::date[], $11::date[], $12::uuid[])",
    )
    .array::<Id, _>(heads.iter().map(|head| head.id))
    .array::<Id, _>(heads.iter().map(|head| head.act))
    .array::<Text, _>(heads.iter().map(|head| head.kind.clone()))
    .array::<Id, _>(heads.iter().map(|head| head.stream))
    .array::<Integer, _>(heads.iter().map(|head| head.game))
    .array::<Nullable<Text>, _>(heads.iter().map(|head| head.variant.clone()))
    .array::<BigInt, _>(heads.iter().map(|head| head.version))
    .array::<UtcTime, _>(heads.iter().map(|head| head.happened_at))
    .array::<UtcTime, _>(heads.iter().map(|head| head.posted_at))
    .array::<Date, _>(heads.iter().map(|head| head.night))
    .array::<Date, _>(heads.iter().map(|head| head.booked_on))
    .array::<Nullable<Id>, _>(heads.iter().map(|head| head.reverses));
    asked.execute(insert).await.map(drop)
}

async fn insert_postings(asked: PipelinedConnection<'_>, postings: &[PostingRow]) -> Result<(), StoreError> {
    let insert = SqlStatement::<Pg>::new(
        "INSERT INTO posting (holder, unit, sequence, holder_kind, ledger_transaction, position, counterparty, counterparty_kind, \
         kind, amount, balance, booked_on) SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::uuid[], \
         $6::integer[], $7::uuid[], $8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::date[])",
    )
    .array::<Id, _>(postings.iter().map(|posting| posting.holder))
    .array::<Text, _>(postings.iter().map(|posting| posting.unit.clone()))
    .array::<BigInt, _>(postings.iter().map(|posting| posting.sequence))
    .array::<Text, _>(postings.iter().map(|posting| String::from(posting.holder_kind)))
    .array::<Id, _>(postings.iter().map(|posting| posting.ledger_transaction))
    .array::<Integer, _>(postings.iter().map(|posting| posting.position))
    .array::<Id, _>(postings.iter().map(|posting| posting.counterparty))
    .array::<Text, _>(postings.iter().map(|posting| String::from(posting.counterparty_kind)))
    .array::<Text, _>(postings.iter().map(|posting| posting.kind.clone()))
    .array::<BigInt, _>(postings.iter().map(|posting| posting.amount))
    .array::<BigInt, _>(postings.iter().map(|posting| posting.balance))
    .array::<Date, _>(postings.iter().map(|posting| posting.booked_on));
    asked.execute(insert).await.map(drop)
}

async fn insert_links(asked: PipelinedConnection<'_>, links: &[(i64, Key, Hash)]) -> Result<(), StoreError> {
    let insert = SqlStatement::<Pg>::new(
        "INSERT INTO book_chain (number, ledger_transaction, hash) SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::bytea[])",
    )
    .array::<BigInt, _>(links.iter().map(|(number, ..)| *number))
    .array::<Id, _>(links.iter().map(|(_, transaction, _)| *transaction))
    .array::<Binary, _>(links.iter().map(|(.., hash)| hash.0.to_vec()));
    asked.execute(insert).await.map(drop)
}

/// Moves the end of the books to the last of these links.
async fn move_end(asked: PipelinedConnection<'_>, links: &[(i64, Key, Hash)]) -> Result<(), StoreError> {
    let Some((number, _, hash)) = links.last() else { return Ok(()) };
    let end = SqlStatement::<Pg>::new("UPDATE book_head SET number = $1, hash = $2")
        .value::<BigInt, _>(*number)
        .value::<Binary, _>(hash.0.to_vec());
    asked.execute(end).await.map(drop)
}

/// The transaction that was posted at a place, on SQLite.
fn posted_at(connection: &mut SqliteConnection, place: Place) -> Result<Option<Key>, StoreError> {
    let (stream, version, game) = place;
    Ok(ledger_transaction::table
        .filter(ledger_transaction::stream.eq(stream))
        .filter(ledger_transaction::version.eq(version))
        .filter(ledger_transaction::game.eq(game))
        .select(ledger_transaction::id)
        .get_result(connection)
        .optional()?)
}

/// The transactions that were posted at these places, on PostgreSQL.
async fn posted_at_all(
    asked: PipelinedConnection<'_>,
    places: Vec<Place>,
) -> Result<HashMap<Place, Key>, StoreError> {
    if places.is_empty() {
        return Ok(HashMap::new());
    }
    let posted = SqlStatement::<Pg, (Id, BigInt, Integer, Id)>::new(
        "SELECT stream, version, game, id FROM ledger_transaction \
         JOIN unnest($1::uuid[], $2::bigint[], $3::integer[]) AS asked (stream, version, game) USING (stream, version, game)",
    )
    .array::<Id, _>(places.iter().map(|(stream, ..)| *stream))
    .array::<BigInt, _>(places.iter().map(|(_, version, _)| *version))
    .array::<Integer, _>(places.iter().map(|(.., game)| *game));
    let rows: Vec<(Key, i64, i32, Key)> = asked.load(posted).await?;
    Ok(rows.into_iter().map(|(stream, version, game, id)| ((stream, version, game), id)).collect())
}

impl NewPosting {
    /// The posting in its account, which moves on by it.
    fn on_account(
        &self,
        stands: &mut BTreeMap<Account, BalanceRow>,
        head: &TransactionRow,
        position: i32,
    ) -> Result<PostingRow, StoreError> {
        let account = (self.holder, self.unit.clone());
        let stand = stands.entry(account).or_insert_with(|| BalanceRow::empty(self.holder, &self.unit));
        stand.sequence += 1;
        // No club ever gets there, but a refusal is better than books that wrap around.
        stand.amount = stand.amount.checked_add(self.amount).ok_or(StoreError::BeyondBooks(self.holder))?;
        Ok(PostingRow {
            holder: Key(self.holder.id()),
            unit: self.unit.clone(),
            sequence: stand.sequence,
            holder_kind: self.holder.kind(),
            ledger_transaction: head.id,
            position,
            counterparty: Key(self.counterparty.id()),
            counterparty_kind: self.counterparty.kind(),
            kind: self.kind.clone(),
            amount: self.amount,
            balance: stand.amount,
            booked_on: head.booked_on,
        })
    }
}

fn put_balance(connection: &mut SqliteConnection, stand: BalanceRow) -> Result<(), StoreError> {
    SqlStatement::<Sqlite>::new(
        "INSERT INTO balance (holder, unit, holder_kind, amount, sequence) VALUES (?, ?, ?, ?, ?) \
         ON CONFLICT (holder, unit) DO UPDATE SET amount = excluded.amount, sequence = excluded.sequence",
    )
    .value::<Id, _>(stand.holder)
    .value::<Text, _>(stand.unit)
    .value::<Text, _>(String::from(stand.holder_kind))
    .value::<BigInt, _>(stand.amount)
    .value::<BigInt, _>(stand.sequence)
    .execute(connection)?;
    Ok(())
}

/// Writes balances of accounts that were [taken](take), which has made a row for each.
async fn move_balances(
    asked: PipelinedConnection<'_>,
    stands: &BTreeMap<Account, BalanceRow>,
) -> Result<(), StoreError> {
    let on = SqlStatement::<Pg>::new(
        "UPDATE balance SET amount = now.amount, sequence = now.sequence \
         FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[]) AS now (holder, unit, amount, sequence) \
         WHERE balance.holder = now.holder AND balance.unit = now.unit",
    )
    .array::<Id, _>(stands.values().map(|stand| stand.holder))
    .array::<Text, _>(stands.values().map(|stand| stand.unit.clone()))
    .array::<BigInt, _>(stands.values().map(|stand| stand.amount))
    .array::<BigInt, _>(stands.values().map(|stand| stand.sequence));
    asked.execute(on).await.map(drop)
}

/// The balances of accounts, locked until the transaction ends. Every act locks in the same order, so two
/// acts never deadlock. On PostgreSQL an account without postings is inserted empty here: a row that does not
/// exist cannot be locked. (SQLite has a single writer and needs no locks.)
///
/// # Errors
/// A query failed.
pub fn take(
    connection: &mut AnyConnection,
    accounts: &BTreeSet<Account>,
) -> Result<BTreeMap<Account, BalanceRow>, StoreError> {
    match connection {
        AnyConnection::Sqlite(connection) => stand(connection, accounts),
        AnyConnection::Postgres(connection) => {
            connection.at_once(async |asked| take_at_once(asked, accounts).await)
        }
    }
}

/// The balances of accounts, on SQLite.
fn stand(
    connection: &mut SqliteConnection,
    accounts: &BTreeSet<Account>,
) -> Result<BTreeMap<Account, BalanceRow>, StoreError> {
    accounts
        .iter()
        .map(|account| {
            let (holder, unit) = account;
            let found = balance::table.find((Key(holder.id()), unit)).select(BalanceRow::as_select());
            let stand = found.get_result(connection).optional()?;
            Ok((account.clone(), stand.unwrap_or_else(|| BalanceRow::empty(*holder, unit))))
        })
        .collect()
}

/// Those that have no row yet get one, all in one order, before any is locked: a writer who waits for a row
/// of somebody else's has locked none that it came after.
async fn take_at_once(
    asked: PipelinedConnection<'_>,
    accounts: &BTreeSet<Account>,
) -> Result<BTreeMap<Account, BalanceRow>, StoreError> {
    in_order!(open(asked, accounts), lock(asked, accounts)).map(|((), taken)| taken)
}

async fn open(asked: PipelinedConnection<'_>, accounts: &BTreeSet<Account>) -> Result<(), StoreError> {
    let empty = SqlStatement::<Pg>::new(
        "INSERT INTO balance (holder, unit, holder_kind, amount, sequence) \
         SELECT holder, unit, holder_kind, 0, 0 FROM unnest($1::uuid[], $2::text[], $3::text[]) AS asked (holder, unit, holder_kind) \
         ORDER BY holder, unit ON CONFLICT DO NOTHING",
    )
    .array::<Id, _>(accounts.iter().map(|(holder, _)| Key(holder.id())))
    .array::<Text, _>(accounts.iter().map(|(_, unit)| unit.clone()))
    .array::<Text, _>(accounts.iter().map(|(holder, _)| String::from(holder.kind())));
    asked.execute(empty).await.map(drop)
}

/// The balances of those accounts that have a row, locked.
async fn lock(
    asked: PipelinedConnection<'_>,
    accounts: &BTreeSet<Account>,
) -> Result<BTreeMap<Account, BalanceRow>, StoreError> {
    let balances = SqlStatement::<Pg, balance::SqlType>::new(
        "SELECT balance.holder, balance.unit, holder_kind, amount, sequence FROM balance \
         JOIN unnest($1::uuid[], $2::text[]) AS asked (holder, unit) \
         ON balance.holder = asked.holder AND balance.unit = asked.unit \
         ORDER BY balance.holder, balance.unit FOR UPDATE OF balance",
    )
    .array::<Id, _>(accounts.iter().map(|(holder, _)| Key(holder.id())))
    .array::<Text, _>(accounts.iter().map(|(_, unit)| unit.clone()));
    let rows: Vec<BalanceRow> = asked.load(balances).await?;
    Ok(rows.into_iter().map(|balance| ((balance.holder(), balance.unit.clone()), balance)).collect())
}

#[cfg(test)]
pub(super) mod tests {
    use diesel::connection::SimpleConnection as _;
    use uuid::Uuid;

    use super::*;
    use crate::{DatabaseUrl, Options, Store};
    use owlbox_base::values::PlayerId;

    /// Opens the stream that every [`game`] is of.
    pub(crate) fn open(store: &Store) {
        let stream = "INSERT INTO stream (id, kind, version) VALUES ('00000000-0000-0000-0000-000000000001', 'chouette', 1)";
        let opened = store.write_blocking(move |transaction| {
            Ok::<_, StoreError>(transaction.connection()?.batch_execute(stream)?)
        });
        opened.unwrap();
    }

    /// A game that somebody wins from somebody else.
    pub(crate) fn game(version: i64, [one, other]: [u128; 2], amount: i64) -> ToPost {
        let key = |number| Key(Uuid::from_u128(number));
        let line = |holder: u128, counterparty: u128, amount| NewPosting {
            holder: PlayerId(Uuid::from_u128(holder)).into(),
            unit: "half_points".to_owned(),
            counterparty: PlayerId(Uuid::from_u128(counterparty)).into(),
            kind: "member".to_owned(),
            amount,
        };
        let head = TransactionRow {
            id: Key(Uuid::now_v7()),
            act: key(1),
            kind: "game".to_owned(),
            stream: key(1),
            game: 1,
            variant: None,
            version,
            happened_at: Moment(chrono::DateTime::UNIX_EPOCH.into()),
            posted_at: Moment(chrono::DateTime::UNIX_EPOCH.into()),
            night: NaiveDate::default(),
            booked_on: NaiveDate::default(),
            reverses: None,
        };
        let postings = vec![line(one, other, amount), line(other, one, -amount)];
        ToPost { head, takes_back: None, postings }
    }

    /// S3: what a record of thousands of lines costs grows with them, and not with their square, also where
    /// all of their accounts are there already.
    #[test]
    fn the_time_of_a_record_grows_in_proportion_to_its_lines() {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
        let store = Store::open(&url, &Options::default()).unwrap();
        open(&store);
        let mut version = 0;
        let mut takes = |lines: i64| {
            let first = version;
            version += lines;
            let begun = std::time::Instant::now();
            let posted = store.write_blocking(move |transaction| {
                let between = |line: i64| [2, 3].map(|one| 2 * line.unsigned_abs() as u128 + one);
                let games = (0..lines).map(|line| game(first + line + 1, between(line), 4));
                transaction.post(games.collect(), NaiveDate::default());
                Ok::<_, StoreError>(())
            });
            posted.unwrap();
            begun.elapsed().as_secs_f64()
        };
        takes(3_000);
        let few = (0..3).map(|_| takes(300)).fold(f64::INFINITY, f64::min);
        let many = (0..2).map(|_| takes(3_000)).fold(f64::INFINITY, f64::min);
        assert!(many < 30.0 * few, "300 lines take {few} s, ten times as many {many} s");
    }

    /// Proves N12.
    #[test]
    fn a_balance_that_would_leave_its_range_is_refused_and_does_not_wrap_around() {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
        let store = Store::open(&url, &Options::default()).unwrap();
        let done = store.write_blocking(move |transaction| {
            let all = vec![game(1, [2, 3], i64::MAX), game(2, [2, 3], 1)];
            transaction.post(all, NaiveDate::default());
            Ok::<_, StoreError>(())
        });
        assert!(matches!(done, Err(StoreError::BeyondBooks(_))), "{done:?}");
    }
}
