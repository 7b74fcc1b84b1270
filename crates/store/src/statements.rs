//! Statements: an account over a period, by the day its postings count for, and what it stood at on any day.
//!
//! A balance at a date adds up whole months and the days of the last one: a few hundred rows at most, however many
//! postings there are.

use std::collections::BTreeMap;

use chrono::{Datelike as _, NaiveDate};
use diesel::dsl::{InnerJoin, IntoBoxed, sql};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use uuid::Uuid;

use super::StoreError;
use super::books::{Head, Line, Posting, line};
use super::connection::{AnyConnection, MultiBackend};
use super::schema::{day_turnover, ledger_transaction, month_turnover, posting, stream};
use super::types::Key;
use owlbox_domain::journal::BrokenHistory;
use owlbox_domain::ledger::Source;
use owlbox_domain::values::{Holder, HolderKind};

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
pub struct Place {
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

/// Postings with their transactions and streams, on either database.
type Postings = IntoBoxed<
    'static,
    InnerJoin<posting::table, InnerJoin<ledger_transaction::table, stream::table>>,
    MultiBackend,
>;

/// The postings of an account that pass a filter.
fn passing(holder: Holder, unit: &str, filter: &Filter) -> Postings {
    let Filter { from, until, kind, source, counterparty } = filter;
    let mut query = posting::table
        .inner_join(ledger_transaction::table.inner_join(stream::table))
        .into_boxed()
        .filter(posting::holder.eq(Key(holder.id())).and(posting::unit.eq(unit.to_owned())));
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
    if let Some(source) = source {
        query = query.filter(ledger_transaction::stream.eq(Key(source.id())));
    }
    query
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
    before: Option<Place>,
    limit: i64,
) -> Result<Vec<Line>, StoreError> {
    let mut query = passing(holder, unit, filter);
    if let Some(Place { day, sequence }) = before {
        let earlier_that_day = posting::booked_on.eq(day).and(posting::sequence.lt(sequence));
        query =
            query.filter(posting::booked_on.le(day)).filter(posting::booked_on.lt(day).or(earlier_that_day));
    }
    let rows: Vec<(Posting, Head, String)> = query
        .order((posting::booked_on.desc(), posting::sequence.desc()))
        .limit(limit)
        .select((Posting::as_select(), Head::as_select(), stream::kind))
        .load(connection)?;
    rows.into_iter().map(line).collect()
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
    let side = |sign: &str| {
        let case = format!("CASE WHEN posting.amount {sign} 0 THEN posting.amount END");
        sql::<BigInt>(&format!("CAST(COALESCE(sum({case}), 0) AS BIGINT)"))
    };
    let (lines, gained, lost) = passing(holder, unit, filter)
        .select((sql::<BigInt>("count(*)"), side(">"), side("<")))
        .get_result(connection)?;
    Ok(Sums { lines, gained, lost })
}

/// The balance of an account at the end of a day, and the number of postings that make it up.
///
/// # Errors
/// A query failed.
pub fn stood_on(
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
    Ok(stood_on(connection, holder, unit, day)?.0)
}

/// The balance of every account at the end of a day, by holder's id and unit; those of zero are left out.
///
/// # Errors
/// A query failed, or an account has a holder of no kind.
pub fn all_on(
    connection: &mut AnyConnection,
    day: NaiveDate,
) -> Result<Vec<(Holder, String, i64)>, StoreError> {
    let first = day.with_day(1).unwrap_or(day);
    let months: Vec<(Key, String, String, i64)> = month_turnover::table
        .filter(month_turnover::month.lt(first))
        .group_by((month_turnover::holder, month_turnover::holder_kind, month_turnover::unit))
        .select((
            month_turnover::holder,
            month_turnover::holder_kind,
            month_turnover::unit,
            sql::<BigInt>("CAST(sum(month_turnover.amount) AS BIGINT)"),
        ))
        .load(connection)?;
    let days: Vec<(Key, String, String, i64)> = day_turnover::table
        .filter(day_turnover::day.ge(first).and(day_turnover::day.le(day)))
        .group_by((day_turnover::holder, day_turnover::holder_kind, day_turnover::unit))
        .select((
            day_turnover::holder,
            day_turnover::holder_kind,
            day_turnover::unit,
            sql::<BigInt>("CAST(sum(day_turnover.amount) AS BIGINT)"),
        ))
        .load(connection)?;
    let mut sums: BTreeMap<(Uuid, String), (Holder, i64)> = BTreeMap::new();
    for (id, kind, unit, amount) in months.into_iter().chain(days) {
        let kind = HolderKind::try_from(kind).map_err(|error| BrokenHistory(error.to_string()))?;
        let holder = kind.with_id(id.0);
        sums.entry((id.0, unit)).or_insert((holder, 0)).1 += amount;
    }
    let stands = sums.into_iter().filter(|(_, (_, amount))| *amount != 0);
    Ok(stands.map(|((_, unit), (holder, amount))| (holder, unit, amount)).collect())
}

/// The sum of an account's postings later on the day of a place.
///
/// # Errors
/// The query failed.
pub fn later_that_day(
    connection: &mut AnyConnection,
    holder: Holder,
    unit: &str,
    place: Place,
) -> Result<i64, StoreError> {
    Ok(posting::table
        .filter(posting::holder.eq(Key(holder.id())).and(posting::unit.eq(unit)))
        .filter(posting::booked_on.eq(place.day).and(posting::sequence.gt(place.sequence)))
        .select(sql::<BigInt>("CAST(COALESCE(sum(posting.amount), 0) AS BIGINT)"))
        .get_result(connection)?)
}

/// The change of an account on each day of a period on which it has postings, in order.
///
/// # Errors
/// The query failed.
pub fn course(
    connection: &mut AnyConnection,
    holder: Holder,
    unit: &str,
    from: NaiveDate,
    until: NaiveDate,
) -> Result<Vec<(NaiveDate, i64)>, StoreError> {
    Ok(day_turnover::table
        .filter(day_turnover::holder.eq(Key(holder.id())).and(day_turnover::unit.eq(unit)))
        .filter(day_turnover::day.ge(from).and(day_turnover::day.le(until)))
        .group_by(day_turnover::day)
        .order(day_turnover::day)
        .select((day_turnover::day, sql::<BigInt>("CAST(sum(day_turnover.amount) AS BIGINT)")))
        .load(connection)?)
}
