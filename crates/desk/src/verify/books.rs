//! The books: every transaction with its postings, the running balances, and the final balance of each
//! account.

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use uuid::Uuid;

use super::{Checked, Columns, Difference, Heads, Unverified, Wrong, compare, equal, stream_name};
use crate::books::posting::{NewTransaction, Posted, to_post};
use crate::{Effect, Refused};
use owlbox_base::journal::Act;
use owlbox_base::values::{ActId, Holder, Timestamp};
use owlbox_books::ledger;
use owlbox_engine::Variant;
use owlbox_store::books::{self, BalanceRow, NewPosting, PostingRow, ToPost, TransactionRow};
use owlbox_store::{AnyConnection, types::Moment};

/// A transaction that the journal calls for. Its id is chosen by the store and not compared.
pub(super) struct ExpectedTransaction {
    pub(super) head: TransactionRow,
    /// The postings, in order of position.
    pub(super) postings: Vec<NewPosting>,
    /// The day it belongs to, where that does not follow from its moment.
    pub(super) night: Option<NaiveDate>,
    /// The version of the stream whose transaction it takes back.
    pub(super) takes_back: Option<i64>,
}

/// A transaction that an act should have posted.
pub(super) fn expect(new: &NewTransaction, act: ActId, at: Timestamp) -> ExpectedTransaction {
    // Days are not compared as such: they depend on the club's clock and on what was closed then.
    let ToPost { head, takes_back, postings } = to_post(new, Posted { act, at }, |at| at.utc().date_naive());
    ExpectedTransaction { head, postings, night: new.transaction.night(), takes_back }
}

/// The transactions that the acts of a stream should have posted, in order, with the reversals of undone
/// acts. `played` gives the variant of the game of a transaction.
pub(super) fn expected<E: Clone, T: IntoIterator<Item = ledger::Transaction>>(
    id: Uuid,
    acts: &[Act<E>],
    transactions: impl Fn(&Effect<E>) -> Result<T, Refused>,
    mut played: impl FnMut(&Effect<E>, &ledger::Transaction) -> Option<Variant>,
) -> Result<Vec<ExpectedTransaction>, Difference> {
    let mut expected = Vec::new();
    for act in acts {
        let broken = |why: String| Difference {
            table: "journal",
            row: stream_name(id),
            wrong: Wrong::Broken(format!("version {}: {why}", act.version)),
        };
        for effect in Effect::all_of(act, acts).map_err(|error| broken(error.to_string()))? {
            for transaction in transactions(&effect).map_err(|refused| broken(refused.to_string()))? {
                let variant = played(&effect, &transaction);
                expected.push(expect(&NewTransaction::of(&effect, transaction, variant), act.id, act.at));
            }
        }
    }
    Ok(expected)
}

/// What identifies a transaction: its stream, the stream's version after the act, and the game.
pub(super) type Line = (Uuid, i64, i32);
/// A holder's account in one unit.
type Account = (Holder, String);

/// Verifies the books against the expected transactions. Returns every head and posting there is.
pub(super) fn verify(
    connection: &mut AnyConnection,
    streams: &Heads,
    expected: &[ExpectedTransaction],
    checked: &mut Checked,
) -> Result<(Vec<TransactionRow>, Vec<PostingRow>), Unverified> {
    let heads = books::all_heads(connection)?;
    let postings = books::all_postings(connection)?;
    let name = |place: &Line| place_name(streams, place);
    checked.transactions = verify_heads(&heads, name, expected)?;
    let places: HashMap<Uuid, Line> = heads.iter().map(|head| (head.id.0, place(head))).collect();
    checked.postings = verify_postings(&postings, &places, name, expected)?;
    verify_sums(&postings)?;
    let stands = run(&postings, &places)?;
    checked.balances = verify_balances(&books::all_balances(connection)?, &stands)?;
    Ok((heads, postings))
}

pub(super) fn place(head: &TransactionRow) -> Line {
    (head.stream.0, head.version, head.game)
}

fn place_name(streams: &Heads, (stream, version, game): &Line) -> String {
    let kind = streams.get(stream).map_or("stream", |(kind, _)| kind);
    match *game {
        books::NO_GAME => format!("money of {kind} {stream}, posted at its version {version}"),
        game => format!("game {game} of {kind} {stream}, posted at its version {version}"),
    }
}

fn verify_heads(
    found: &[TransactionRow],
    name: impl Fn(&Line) -> String,
    expected: &[ExpectedTransaction],
) -> Result<usize, Difference> {
    let expected = expected.iter().map(|one| (place(&one.head), head_columns(&one.head))).collect();
    let found = found.iter().map(|head| (place(head), head_columns(head))).collect();
    compare("ledger_transaction", name, &expected, &found)
}

fn head_columns(head: &TransactionRow) -> Columns {
    let time = |moment: Moment| moment.0.utc().to_rfc3339();
    vec![
        ("act", head.act.0.to_string()),
        ("kind", head.kind.clone()),
        ("variant", head.variant.clone().unwrap_or_default()),
        ("happened_at", time(head.happened_at)),
        ("posted_at", time(head.posted_at)),
    ]
}

fn verify_postings(
    found: &[PostingRow],
    places: &HashMap<Uuid, Line>,
    place_name: impl Fn(&Line) -> String,
    expected: &[ExpectedTransaction],
) -> Result<usize, Difference> {
    let mut should: BTreeMap<(Line, i32), Columns> = BTreeMap::new();
    for transaction in expected {
        let lines = (0..).zip(&transaction.postings);
        should.extend(lines.map(|(position, line)| {
            let columns =
                posting_columns([line.holder, line.counterparty], &line.unit, &line.kind, line.amount);
            ((place(&transaction.head), position), columns)
        }));
    }
    let mut are: BTreeMap<(Line, i32), Columns> = BTreeMap::new();
    for line in found {
        let transaction = places.get(&line.ledger_transaction.0);
        let columns =
            posting_columns([line.holder(), line.counterparty()], &line.unit, &line.kind, line.amount);
        // A posting without a transaction, or a second one in the same position.
        let Some(None) = transaction.map(|place| are.insert((*place, line.position), columns)) else {
            return Err(Difference { table: "posting", row: posting_name(line), wrong: Wrong::Unaccounted });
        };
    }
    let name = |(place, position): &(Line, i32)| format!("position {position} of {}", place_name(place));
    compare("posting", name, &should, &are)
}

fn posting_columns([holder, counterparty]: [Holder; 2], unit: &str, kind: &str, amount: i64) -> Columns {
    vec![
        ("holder", holder.to_string()),
        ("unit", unit.to_owned()),
        ("counterparty", counterparty.to_string()),
        ("kind", kind.to_owned()),
        ("amount", amount.to_string()),
    ]
}

fn posting_name(line: &PostingRow) -> String {
    format!("{}, unit {}, sequence {}", line.holder(), line.unit, line.sequence)
}

/// Every transaction must add up to zero in every unit. The postings have been compared already; this check
/// does not depend on what the ledger thinks it should post.
fn verify_sums(postings: &[PostingRow]) -> Result<(), Difference> {
    let mut sums: BTreeMap<(Uuid, &str), i128> = BTreeMap::new();
    for line in postings {
        *sums.entry((line.ledger_transaction.0, &line.unit)).or_default() += i128::from(line.amount);
    }
    for ((transaction, unit), sum) in sums {
        let row = || format!("all of transaction {transaction} in {unit}");
        equal("posting", row, "sum", &0, &sum)?;
    }
    Ok(())
}

/// Checks every account: its postings are numbered from 1 without a gap, each carries the balance so far, and
/// those of one stream are in the order in which they were posted. Returns the final balance and sequence
/// number of each account.
fn run(
    postings: &[PostingRow],
    places: &HashMap<Uuid, Line>,
) -> Result<BTreeMap<Account, (i64, i64)>, Difference> {
    let mut stands = BTreeMap::new();
    for account in postings.chunk_by(|one, next| (one.holder, &one.unit) == (next.holder, &next.unit)) {
        let (mut amount, mut sequence) = (0_i64, 0_i64);
        let mut last: HashMap<Uuid, (Line, i32)> = HashMap::new();
        for line in account {
            sequence += 1;
            amount += line.amount;
            let row = || posting_name(line);
            // The kind alone marks the house account, but queries find it by its id too, so that must be
            // right.
            equal("posting", row, "holder", &line.holder().id(), &line.holder.0)?;
            equal("posting", row, "counterparty", &line.counterparty().id(), &line.counterparty.0)?;
            equal("posting", row, "sequence", &sequence, &line.sequence)?;
            equal("posting", row, "balance", &amount, &line.balance)?;
            if let Some(&place) = places.get(&line.ledger_transaction.0) {
                let before = last.insert(place.0, (place, line.position));
                if before.is_some_and(|before| before >= (place, line.position)) {
                    let why = "out of the order in which its stream posted".to_owned();
                    return Err(Difference { table: "posting", row: row(), wrong: Wrong::Broken(why) });
                }
            }
        }
        if let Some(line) = account.first() {
            stands.insert((line.holder(), line.unit.clone()), (amount, sequence));
        }
    }
    Ok(stands)
}

fn verify_balances(
    found: &[BalanceRow],
    stands: &BTreeMap<Account, (i64, i64)>,
) -> Result<usize, Difference> {
    let columns = |holder: Uuid, amount: i64, sequence: i64| -> Columns {
        let [amount, sequence] = [amount, sequence].map(|number| number.to_string());
        vec![("holder", holder.to_string()), ("amount", amount), ("sequence", sequence)]
    };
    let expected = stands
        .iter()
        .map(|(account, &(amount, sequence))| (account.clone(), columns(account.0.id(), amount, sequence)));
    let found = found
        .iter()
        .map(|row| ((row.holder(), row.unit.clone()), columns(row.holder.0, row.amount, row.sequence)))
        .collect();
    let name = |(holder, unit): &Account| format!("{holder}, unit {unit}");
    compare("balance", name, &expected.collect(), &found)
}
