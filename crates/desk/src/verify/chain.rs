//! The days that transactions count for, their sums, and the chain of hashes over all of them.

use std::collections::{BTreeMap, HashMap};

use chrono::{Datelike as _, NaiveDate};
use uuid::Uuid;

use super::books::{ExpectedTransaction, Line, place};
use super::daybook::Closed;
use super::{Checked, Columns, Difference, Unverified, Wrong, compare, equal};
use crate::books::daybook::digest;
use owlbox_base::values::{Holder, Timestamp};
use owlbox_books::club::Settings;
use owlbox_books::daybook::{Closing, counts_for};
use owlbox_store::books::{self, ChainLinkRow, PairTurnover, PostingRow, TransactionRow, Turnover};
use owlbox_store::types::Hash;
use owlbox_store::{AnyConnection, fill};

/// What the books are checked against besides the transactions themselves.
pub(super) struct Against<'a> {
    /// The settings the club ever had: their time zones tell the day of a moment.
    pub(super) settings: &'a [Settings],
    /// When months were closed and opened again, in order.
    pub(super) closings: &'a [Closed],
}

/// Verifies days, sums and chain. Heads and postings are as they were found, and have been compared with the
/// journal.
pub(super) fn verify(
    connection: &mut AnyConnection,
    heads: &[TransactionRow],
    postings: &[PostingRow],
    expected: &[ExpectedTransaction],
    against: &Against<'_>,
    checked: &mut Checked,
) -> Result<(), Unverified> {
    if let Some(table) = fill::unfilled(connection)?.into_iter().next() {
        let row = format!("table {table}");
        return Err(Difference { table: "unfilled", row, wrong: Wrong::Unaccounted }.into());
    }
    let links = books::links(connection)?;
    let numbers = verify_links(heads, &links)?;
    verify_days(heads, expected, &numbers, against)?;
    verify_postings(heads, postings)?;
    verify_turnovers(connection, postings)?;
    let hash = verify_hashes(heads, postings, &links)?;
    let end = books::head_of_books(connection)?;
    let row = || "the end of the chain".to_owned();
    equal("book_head", row, "number", &i64::try_from(links.len()).unwrap_or(i64::MAX), &end.number)?;
    equal("book_head", row, "hash", &hash.hex(), &end.hash.hex())?;
    let closed = against.closings.last().map_or(Closing(None), |closed| closed.closing);
    let month = |closing: Closing| closing.0.map_or_else(String::new, |month| month.to_string());
    equal("book_head", row, "closed_through", &month(closed), &month(end.closing))?;
    verify_closings(postings, &numbers, against.closings)?;
    checked.links = links.len();
    Ok(())
}

/// Every transaction has one link, and the links are numbered from 1 without a gap. Returns the number of
/// each transaction.
fn verify_links(heads: &[TransactionRow], links: &[ChainLinkRow]) -> Result<HashMap<Uuid, i64>, Difference> {
    let mut numbers = HashMap::with_capacity(links.len());
    for (expected, link) in (1..).zip(links) {
        equal("book_chain", || format!("link {}", link.number), "number", &expected, &link.number)?;
        numbers.insert(link.transaction.0, link.number);
    }
    match heads.iter().find(|head| !numbers.contains_key(&head.id.0)) {
        Some(head) => {
            let row = format!("the link of transaction {}", head.id.0);
            Err(Difference { table: "book_chain", row, wrong: Wrong::Missing })
        }
        None => Ok(numbers),
    }
}

/// The night of every transaction, the day it counts for, and the one that it takes back.
fn verify_days(
    heads: &[TransactionRow],
    expected: &[ExpectedTransaction],
    numbers: &HashMap<Uuid, i64>,
    against: &Against<'_>,
) -> Result<(), Difference> {
    let expected: HashMap<Line, &ExpectedTransaction> =
        expected.iter().map(|one| (place(&one.head), one)).collect();
    let ids: HashMap<Line, Uuid> = heads.iter().map(|head| (place(head), head.id.0)).collect();
    for head in heads {
        let row = || format!("transaction {}", head.id.0);
        let Some(should) = expected.get(&place(head)) else { continue };
        let one_of = |column: &'static str, days: Vec<NaiveDate>, found: NaiveDate| match days.first() {
            Some(first) if !days.contains(&found) => equal("ledger_transaction", row, column, first, &found),
            _ => Ok(()),
        };
        let nights = match should.night {
            Some(night) => vec![night],
            None => against.days_of(head.happened_at.into()),
        };
        one_of("night", nights, head.night)?;
        let number = numbers.get(&head.id.0).copied().unwrap_or_default();
        let closing = against.closings.iter().rev().find(|closed| closed.after < number);
        let closing = closing.map_or(Closing(None), |closed| closed.closing);
        let today = against.days_of(head.posted_at.into());
        let days = today.into_iter().map(|today| counts_for(head.night, today, closing));
        one_of("booked_on", days.collect(), head.booked_on)?;
        let first = |version: i64| ids.get(&(head.stream.0, version, head.game));
        let reverses = should.takes_back.and_then(first).copied().unwrap_or_default();
        let found = head.reverses.map_or(Uuid::nil(), |reverses| reverses.0);
        equal("ledger_transaction", row, "reverses", &reverses, &found)?;
    }
    Ok(())
}

impl Against<'_> {
    /// The days that a moment can have been on the club's clock. A club from before there were nights in its
    /// books has the day in UTC.
    fn days_of(&self, at: Timestamp) -> Vec<NaiveDate> {
        let days = self.settings.iter().rev().map(|settings| settings.night_of(at));
        days.chain([at.utc().date_naive()]).collect()
    }
}

/// Every posting counts for the same day as its transaction.
fn verify_postings(heads: &[TransactionRow], postings: &[PostingRow]) -> Result<(), Difference> {
    let days: HashMap<Uuid, NaiveDate> = heads.iter().map(|head| (head.id.0, head.booked_on)).collect();
    for posting in postings {
        let Some(day) = days.get(&posting.ledger_transaction.0) else { continue };
        let row = || format!("{}, unit {}, sequence {}", posting.holder(), posting.unit, posting.sequence);
        equal("posting", row, "booked_on", day, &posting.booked_on)?;
    }
    Ok(())
}

/// Holder, unit, day or first day of the month, and kind of posting.
type Turned = (Uuid, String, NaiveDate, String);
/// Holder, counterparty, unit and month.
type WithOther = (Uuid, Uuid, String, NaiveDate);

/// The sums of days, of months, and of months with every other account are those of the postings.
fn verify_turnovers(connection: &mut AnyConnection, postings: &[PostingRow]) -> Result<(), Unverified> {
    let month = |day: NaiveDate| day.with_day(1).unwrap_or(day);
    let turned = |period: fn(NaiveDate) -> NaiveDate| {
        let key = move |posting: &PostingRow| {
            (posting.holder.0, posting.unit.clone(), period(posting.booked_on), posting.kind.clone())
        };
        let row = |(key, (kind, sums))| (key, of_kind(kind, sums));
        sums(postings, key).into_iter().map(row).collect::<BTreeMap<Turned, Columns>>()
    };
    let name = |(holder, unit, day, kind): &Turned| format!("holder {holder}, unit {unit}, {day}, {kind}");
    let found = rows(books::all_day_turnovers(connection)?);
    compare("day_turnover", name, &turned(|day| day), &found)?;
    let found = rows(books::all_month_turnovers(connection)?);
    compare("month_turnover", name, &turned(month), &found)?;

    let with_other = |posting: &PostingRow| {
        (posting.holder.0, posting.counterparty.0, posting.unit.clone(), month(posting.booked_on))
    };
    let expected = sums(postings, with_other).into_iter().map(|(key, (_, sums))| (key, columns(sums)));
    let row = |PairTurnover { holder, unit, counterparty, month, amount, postings, gained }| {
        ((holder.0, counterparty.0, unit, month), columns([amount, postings, gained]))
    };
    let found = books::all_pair_turnovers(connection)?.into_iter().map(row).collect();
    let name = |(holder, other, unit, month): &WithOther| {
        format!("holder {holder} with {other}, unit {unit}, {month}")
    };
    compare("pair_turnover", name, &expected.collect(), &found)?;
    Ok(())
}

/// Amount, number of postings, and the sum of all amounts above zero.
type Turnovers = [i64; 3];

fn columns([amount, postings, gained]: Turnovers) -> Columns {
    vec![("amount", amount.to_string()), ("postings", postings.to_string()), ("gained", gained.to_string())]
}

/// The same of a table that has the holder's kind, too.
fn of_kind(holder_kind: &str, sums: Turnovers) -> Columns {
    let mut all = vec![("holder_kind", holder_kind.to_owned())];
    all.extend(columns(sums));
    all
}

fn rows(found: Vec<Turnover>) -> BTreeMap<Turned, Columns> {
    let row = |row: Turnover| {
        let columns = of_kind(&row.holder_kind, [row.amount, row.postings, row.gained]);
        ((row.holder.0, row.unit, row.day, row.kind), columns)
    };
    found.into_iter().map(row).collect()
}

/// What the postings of the same key come to, with the kind of their holder.
fn sums<K: Ord>(
    postings: &[PostingRow],
    key: impl Fn(&PostingRow) -> K,
) -> BTreeMap<K, (&'static str, Turnovers)> {
    let mut sums: BTreeMap<K, (&'static str, Turnovers)> = BTreeMap::new();
    for posting in postings {
        let (_, [amount, count, gained]) =
            sums.entry(key(posting)).or_insert((posting.holder_kind.name(), [0; 3]));
        *amount += posting.amount;
        *count += 1;
        *gained += posting.amount.max(0);
    }
    sums
}

/// Every link has the hash of its transaction and the link before. Returns the last.
fn verify_hashes(
    heads: &[TransactionRow],
    postings: &[PostingRow],
    links: &[ChainLinkRow],
) -> Result<Hash, Difference> {
    let by_id: HashMap<Uuid, &TransactionRow> = heads.iter().map(|head| (head.id.0, head)).collect();
    let mut of: HashMap<Uuid, Vec<&PostingRow>> = HashMap::with_capacity(links.len());
    for posting in postings {
        of.entry(posting.ledger_transaction.0).or_default().push(posting);
    }
    let mut hash = Hash::default();
    for link in links {
        let row = || format!("link {}, transaction {}", link.number, link.transaction.0);
        let Some(head) = by_id.get(&link.transaction.0) else {
            return Err(Difference { table: "book_chain", row: row(), wrong: Wrong::Unaccounted });
        };
        let mut postings = of.remove(&link.transaction.0).unwrap_or_default();
        postings.sort_by_key(|posting| posting.position);
        hash = head.hash_after(&hash, postings);
        if link.hash != hash.0 {
            let why = "its hash does not follow from the transaction and the link before".to_owned();
            return Err(Difference { table: "book_chain", row: row(), wrong: Wrong::Broken(why) });
        }
    }
    Ok(hash)
}

/// At the end of every closed month the books stand as they stood when it was closed.
fn verify_closings(
    postings: &[PostingRow],
    numbers: &HashMap<Uuid, i64>,
    closings: &[Closed],
) -> Result<(), Difference> {
    for closed in closings {
        let Some((month, stood)) = &closed.stood else { continue };
        let mut balances: BTreeMap<(Uuid, &str), (Holder, i64)> = BTreeMap::new();
        for posting in postings {
            let posted = numbers.get(&posting.ledger_transaction.0).copied().unwrap_or(i64::MAX);
            if posted <= stood.transactions && posting.booked_on <= month.last_day() {
                let account = (posting.holder.0, &*posting.unit);
                balances.entry(account).or_insert((posting.holder(), 0)).1 += posting.amount;
            }
        }
        let balances = balances.into_iter().filter(|(_, (_, amount))| *amount != 0);
        let balances = balances.map(|((_, unit), (holder, amount))| (holder, unit.to_owned(), amount));
        let row = || format!("version {} of the daybook, which closed {month}", closed.version);
        equal("journal", row, "digest", &digest(balances), &stood.digest)?;
    }
    Ok(())
}
