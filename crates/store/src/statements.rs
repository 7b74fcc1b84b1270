//! Statements: an account over a period, by the day its postings count for, and what it stood at on any day.
//!
//! A balance at a date adds up whole months and the days of the last one: a few hundred rows at most, however
//! many postings there are. So do the sums of a statement, except for those of a table, which are as many as
//! its games, and those of a kind with somebody, which an index holds.

use std::collections::BTreeMap;

use chrono::{Datelike as _, NaiveDate};
use diesel::dsl::{InnerJoin, IntoBoxed, sql};
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool};
use uuid::Uuid;

use super::StoreError;
use super::books::{Line, PostingRow, TransactionRow, line};
use super::connection::{AnyConnection, MultiBackend};
use super::period::WholeMonths;
use super::schema::{
    book_chain, day_turnover, ledger_transaction, month_turnover, pair_turnover, posting, stream,
};
use super::types::{Id, Key};
use owlbox_base::journal::BrokenHistory;
use owlbox_base::values::{Holder, HolderKind};
use owlbox_books::ledger::Source;

/// What of an account is asked for. Nothing set means everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The first day.
    pub from: Option<NaiveDate>,
    /// The last day.
    pub until: Option<NaiveDate>,
    /// The kind of posting.
    pub kind: Option<String>,
    /// The table, tournament, match or daybook it comes from.
    pub source: Option<Source>,
    /// The other side.
    pub counterparty: Option<Holder>,
}

/// The place of a line among those of its account: by day, then in the order of posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinePosition {
    pub day: NaiveDate,
    pub sequence: i64,
}

/// What lines come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    pub lines: i64,
    /// The sum of all amounts above zero.
    pub gained: i64,
    /// The sum of all amounts below zero, as a negative number.
    pub lost: i64,
}

/// Postings, on either database.
type Postings = IntoBoxed<'static, posting::table, MultiBackend>;

/// Postings with their transactions and streams, on either database.
type WithSources = IntoBoxed<
    'static,
    InnerJoin<posting::table, InnerJoin<ledger_transaction::table, stream::table>>,
    MultiBackend,
>;

/// Leaves of postings those of an account that pass a filter, except for its source.
macro_rules! passing {
    ($postings:expr, $account:expr, $unit:expr, $filter:expr) => {{
        let Filter { from, until, kind, source: _, counterparty } = $filter;
        let mut query = $postings.into_boxed().filter($account.and(posting::unit.eq($unit.to_owned())));
        if let Some(from) = *from {
            query = query.filter(posting::booked_on.ge(from));
        }
        if let Some(until) = *until {
            query = query.filter(posting::booked_on.le(until));
        }
        if let Some(kind) = kind {
            query = query.filter(posting::kind.eq(kind.clone()));
        }
        if let Some(other) = counterparty {
            query = query.filter(posting::counterparty.eq(Key(other.id())));
        }
        query
    }};
}

/// The postings of an account that pass a filter, wherever they come from.
fn from_anywhere(holder: Holder, unit: &str, filter: &Filter) -> Postings {
    passing!(posting::table, posting::holder.eq(Key(holder.id())), unit, filter)
}

/// The postings of an account that pass a filter.
fn passing(holder: Holder, unit: &str, filter: &Filter) -> WithSources {
    let postings = posting::table.inner_join(ledger_transaction::table.inner_join(stream::table));
    match filter.source {
        None => passing!(postings, posting::holder.eq(Key(holder.id())), unit, filter),
        // SQLite would walk through the whole account and see of each line whether it is of the table. It
        // cannot by an expression, and so walks through the table.
        Some(source) => {
            let account = sql::<Bool>("COALESCE(posting.holder, posting.holder) = ");
            passing!(postings, account.bind::<Id, _>(Key(holder.id())), unit, filter)
                .filter(ledger_transaction::stream.eq(Key(source.id())))
        }
    }
}

/// The lines that pass a filter, newest first, before a place.
///
/// # Errors
/// A query failed, or a row names a source or a variant this program does not know.
pub fn lines(
    connection: &mut AnyConnection,
    holder: Holder,
    unit: &str,
    filter: &Filter,
    before: Option<LinePosition>,
    limit: i64,
) -> Result<Vec<Line>, StoreError> {
    let mut query = passing(holder, unit, filter);
    if let Some(LinePosition { day, sequence }) = before {
        let earlier_that_day = posting::booked_on.eq(day).and(posting::sequence.lt(sequence));
        query =
            query.filter(posting::booked_on.le(day)).filter(posting::booked_on.lt(day).or(earlier_that_day));
    }
    let rows: Vec<(PostingRow, TransactionRow, String)> = query
        .order((posting::booked_on.desc(), posting::sequence.desc()))
        .limit(limit)
        .select((PostingRow::as_select(), TransactionRow::as_select(), stream::kind))
        .load(connection)?;
    rows.into_iter().map(line).collect()
}

/// A number, as SQL.
type Number = SqlLiteral<BigInt>;

/// How many postings there are, and the sums of what was gained and of what was lost by them.
fn added_up() -> (Number, Number, Number) {
    let side = |sign: &str| {
        let case = format!("CASE WHEN posting.amount {sign} 0 THEN posting.amount END");
        sql::<BigInt>(&format!("CAST(COALESCE(sum({case}), 0) AS BIGINT)"))
    };
    (sql::<BigInt>("count(*)"), side(">"), side("<"))
}

/// What all lines that pass a filter come to.
///
/// # Errors
/// A query failed.
pub fn sums(
    connection: &mut AnyConnection,
    holder: Holder,
    unit: &str,
    filter: &Filter,
) -> Result<Sums, StoreError> {
    let (lines, gained, lost) = match (filter.source, filter.counterparty) {
        (None, None) => return turned_over(connection, holder, unit, filter),
        (None, Some(other)) if filter.kind.is_none() => {
            return turned_over_with(connection, holder, other, unit, filter);
        }
        (None, Some(_)) => from_anywhere(holder, unit, filter).select(added_up()).get_result(connection)?,
        (Some(_), _) => passing(holder, unit, filter).select(added_up()).get_result(connection)?,
    };
    Ok(Sums { lines, gained, lost })
}

/// The first day, and the last, that both databases write with as many digits.
const FIRST_DAY: NaiveDate = match NaiveDate::from_ymd_opt(1, 1, 1) {
    Some(day) => day,
    None => NaiveDate::MIN,
};
const LAST_DAY: NaiveDate = match NaiveDate::from_ymd_opt(9999, 12, 31) {
    Some(day) => day,
    None => NaiveDate::MAX,
};

/// What all lines of a period come to, or all of a kind: of whole months, and of the days before and after
/// them.
fn turned_over(
    connection: &mut AnyConnection,
    holder: Holder,
    unit: &str,
    Filter { from, until, kind, .. }: &Filter,
) -> Result<Sums, StoreError> {
    let kind = kind.as_deref();
    /// Adds a table's sums of the account from one day until another to `all`.
    macro_rules! add {
        ($all:ident, $table:ident, $day:ident, $between:expr) => {{
            let mut those = $table::table
                .into_boxed()
                .filter($table::holder.eq(Key(holder.id())).and($table::unit.eq(unit)))
                .filter($table::$day.between(*$between.start(), *$between.end()));
            if let Some(kind) = kind {
                those = those.filter($table::kind.eq(kind));
            }
            let (lines, amount, gained): (i64, i64, i64) = those
                .select((
                    sql::<BigInt>("CAST(COALESCE(sum(postings), 0) AS BIGINT)"),
                    sql::<BigInt>("CAST(COALESCE(sum(amount), 0) AS BIGINT)"),
                    sql::<BigInt>("CAST(COALESCE(sum(gained), 0) AS BIGINT)"),
                ))
                .get_result(connection)?;
            $all.lines += lines;
            $all.gained += gained;
            $all.lost += amount - gained;
        }};
    }
    let WholeMonths { months, days } = WholeMonths::new(from.unwrap_or(FIRST_DAY), until.unwrap_or(LAST_DAY));
    let mut all = Sums::default();
    add!(all, month_turnover, month, months);
    for days in days {
        add!(all, day_turnover, day, days);
    }
    Ok(all)
}

/// What all lines of a period with one other account come to: of whole months, and of the days before and
/// after them.
fn turned_over_with(
    connection: &mut AnyConnection,
    holder: Holder,
    other: Holder,
    unit: &str,
    filter: &Filter,
) -> Result<Sums, StoreError> {
    let Filter { from, until, .. } = *filter;
    let WholeMonths { months, days } = WholeMonths::new(from.unwrap_or(FIRST_DAY), until.unwrap_or(LAST_DAY));
    let sum = |column: &str| sql::<BigInt>(&format!("CAST(COALESCE(sum({column}), 0) AS BIGINT)"));
    let (lines, amount, gained): (i64, i64, i64) = pair_turnover::table
        .filter(pair_turnover::holder.eq(Key(holder.id())).and(pair_turnover::unit.eq(unit)))
        .filter(pair_turnover::counterparty.eq(Key(other.id())))
        .filter(pair_turnover::month.between(*months.start(), *months.end()))
        .select((sum("postings"), sum("amount"), sum("gained")))
        .get_result(connection)?;
    let mut all = Sums { lines, gained, lost: amount - gained };
    for days in days {
        let beside = Filter { from: Some(*days.start()), until: Some(*days.end()), ..filter.clone() };
        let (lines, gained, lost): (i64, i64, i64) =
            from_anywhere(holder, unit, &beside).select(added_up()).get_result(connection)?;
        all.lines += lines;
        all.gained += gained;
        all.lost += lost;
    }
    Ok(all)
}

/// The balance of an account at the end of a day, and the number of postings that make it up.
///
/// # Errors
/// A query failed.
pub fn balance_and_postings_on(
    connection: &mut AnyConnection,
    holder: Holder,
    unit: &str,
    day: NaiveDate,
) -> Result<(i64, i64), StoreError> {
    let (key, first) = (Key(holder.id()), day.with_day(1).unwrap_or(day));
    let sum = |column: &str| sql::<BigInt>(&format!("CAST(COALESCE(sum({column}), 0) AS BIGINT)"));
    let months: (i64, i64) = month_turnover::table
        .filter(month_turnover::holder.eq(key).and(month_turnover::unit.eq(unit)))
        .filter(month_turnover::month.lt(first))
        .select((sum("month_turnover.amount"), sum("month_turnover.postings")))
        .get_result(connection)?;
    let days: (i64, i64) = day_turnover::table
        .filter(day_turnover::holder.eq(key).and(day_turnover::unit.eq(unit)))
        .filter(day_turnover::day.ge(first).and(day_turnover::day.le(day)))
        .select((sum("day_turnover.amount"), sum("day_turnover.postings")))
        .get_result(connection)?;
    Ok((months.0 + days.0, months.1 + days.1))
}

/// The balance of an account at the end of a day.
///
/// # Errors
/// A query failed.
pub fn balance_on(
    connection: &mut AnyConnection,
    holder: Holder,
    unit: &str,
    day: NaiveDate,
) -> Result<i64, StoreError> {
    Ok(balance_and_postings_on(connection, holder, unit, day)?.0)
}

/// What accounts stand at, by holder's id and unit; those of zero are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balances(BTreeMap<(Uuid, String), (Holder, i64)>);

/// How many transactions are looked up at a time.
const TRANSACTIONS: usize = 500;

/// A row of balances: the holder's id and kind, the unit and the amount.
type Stands = (Key, String, String, i64);

impl Balances {
    fn add(&mut self, rows: Vec<Stands>) -> Result<(), StoreError> {
        for (id, kind, unit, amount) in rows {
            let kind = HolderKind::try_from(kind).map_err(|error| BrokenHistory(error.to_string()))?;
            self.0.entry((id.0, unit)).or_insert((kind.with_id(id.0), 0)).1 += amount;
        }
        self.0.retain(|_, (_, amount)| *amount != 0);
        Ok(())
    }

    /// Adds what was posted after transaction number `after` and counts for a day until `day`.
    ///
    /// # Errors
    /// A query failed, or an account has a holder of no kind.
    pub fn add_since(
        &mut self,
        connection: &mut AnyConnection,
        after: i64,
        day: NaiveDate,
    ) -> Result<(), StoreError> {
        let since =
            book_chain::table.filter(book_chain::number.gt(after)).select(book_chain::ledger_transaction);
        // By their ids: SQLite would otherwise look at every posting there is, to group them.
        for some in since.load::<Key>(connection)?.chunks(TRANSACTIONS) {
            let came = posting::table
                .filter(posting::ledger_transaction.eq_any(some.to_vec()).and(posting::booked_on.le(day)))
                .group_by((posting::holder, posting::holder_kind, posting::unit))
                .select((
                    posting::holder,
                    posting::holder_kind,
                    posting::unit,
                    sql::<BigInt>("CAST(sum(posting.amount) AS BIGINT)"),
                ))
                .load(connection)?;
            self.add(came)?;
        }
        Ok(())
    }
}

impl IntoIterator for Balances {
    type Item = (Holder, String, i64);
    type IntoIter = std::vec::IntoIter<Self::Item>;
    fn into_iter(self) -> Self::IntoIter {
        let rows = self.0.into_iter().map(|((_, unit), (holder, amount))| (holder, unit, amount));
        rows.collect::<Vec<_>>().into_iter()
    }
}

/// The balance of every account at the end of a day.
///
/// # Errors
/// A query failed, or an account has a holder of no kind.
pub fn all_balances_on(connection: &mut AnyConnection, day: NaiveDate) -> Result<Balances, StoreError> {
    let first = day.with_day(1).unwrap_or(day);
    let months: Vec<Stands> = month_turnover::table
        .filter(month_turnover::month.lt(first))
        .group_by((month_turnover::holder, month_turnover::holder_kind, month_turnover::unit))
        .select((
            month_turnover::holder,
            month_turnover::holder_kind,
            month_turnover::unit,
            sql::<BigInt>("CAST(sum(month_turnover.amount) AS BIGINT)"),
        ))
        .load(connection)?;
    let days: Vec<Stands> = day_turnover::table
        .filter(day_turnover::day.ge(first).and(day_turnover::day.le(day)))
        .group_by((day_turnover::holder, day_turnover::holder_kind, day_turnover::unit))
        .select((
            day_turnover::holder,
            day_turnover::holder_kind,
            day_turnover::unit,
            sql::<BigInt>("CAST(sum(day_turnover.amount) AS BIGINT)"),
        ))
        .load(connection)?;
    let mut balances = Balances::default();
    balances.add([months, days].concat())?;
    Ok(balances)
}

/// The sum of an account's postings later on the day of a place.
///
/// # Errors
/// The query failed.
pub fn later_that_day(
    connection: &mut AnyConnection,
    holder: Holder,
    unit: &str,
    place: LinePosition,
) -> Result<i64, StoreError> {
    Ok(posting::table
        .filter(posting::holder.eq(Key(holder.id())).and(posting::unit.eq(unit)))
        .filter(posting::booked_on.eq(place.day).and(posting::sequence.gt(place.sequence)))
        .select(sql::<BigInt>("CAST(COALESCE(sum(posting.amount), 0) AS BIGINT)"))
        .get_result(connection)?)
}
