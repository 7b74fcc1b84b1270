//! The read table of matches and money sessions, derived from the sheets' streams.

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use diesel::dsl::{exists, sql};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Text};

use super::connection::{AnyConnection, MultiBackend};
use super::postgres::PipelinedConnection;
use super::schema::{ledger_transaction, match_sheet, tournament, tournament_match};
use super::statement::SqlStatement;
use super::types::{Id, Key, Moment, UtcTime};
use super::{StoreError, statistics};
use owlbox_base::values::{MatchId, PlayerId, Timestamp, TournamentId};
use owlbox_books::statistics::Kind;

/// A match or a money session as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = match_sheet, treat_none_as_null = true)]
pub struct MatchRow {
    pub id: Key,
    /// `None` for a friendly match and for a money session.
    pub tournament: Option<Key>,
    pub division: Option<i32>,
    /// The number of the match in the division's bracket.
    pub number: Option<i64>,
    pub upper_player: Key,
    pub lower_player: Key,
    /// In points; [`MONEY`] for a money session.
    pub length: i32,
    /// One of `open`, `adjourned` and `over`.
    pub status: String,
    /// The score as shown: the outcome's if it has one, otherwise the standing so far.
    pub upper_score: i64,
    pub lower_score: i64,
    pub games: i32,
    /// `upper` or `lower`; `None` as long as nobody has won.
    pub winner: Option<String>,
    pub opened_at: Moment,
    /// When it reached its outcome, or the session was closed.
    pub finished_at: Option<Moment>,
    /// Whether a line of its sheet is contested and awaits a ruling.
    pub contested: bool,
}

/// Inserts or updates a match, on SQLite.
pub(super) fn put_one(connection: &mut SqliteConnection, row: &MatchRow) -> Result<(), StoreError> {
    if diesel::update(match_sheet::table.find(row.id)).set(row).execute(connection)? == 0 {
        diesel::insert_into(match_sheet::table).values(row).execute(connection)?;
    }
    Ok(())
}

/// Inserts or updates matches, on PostgreSQL.
pub(super) async fn put_all(asked: PipelinedConnection<'_>, rows: Vec<MatchRow>) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let put = SqlStatement::<Pg>::new(
        "INSERT INTO match (id, tournament, division, number, upper_player, lower_player, length, status, upper_score, \
         lower_score, games, winner, opened_at, finished_at, contested) \
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::bigint[], $5::uuid[], $6::uuid[], $7::integer[], \
         $8::text[], $9::bigint[], $10::bigint[], $11::integer[], $12::text[], $13::timestamptz[], $14::timestamptz[], \
         $15::boolean[]) \
         ON CONFLICT (id) DO UPDATE SET tournament = excluded.tournament, division = excluded.division, \
         number = excluded.number, upper_player = excluded.upper_player, lower_player = excluded.lower_player, \
         length = excluded.length, status = excluded.status, upper_score = excluded.upper_score, \
         lower_score = excluded.lower_score, games = excluded.games, winner = excluded.winner, \
         opened_at = excluded.opened_at, finished_at = excluded.finished_at, contested = excluded.contested",
    )
    .array::<Id, _>(rows.iter().map(|row| row.id))
    .array::<Nullable<Id>, _>(rows.iter().map(|row| row.tournament))
    .array::<Nullable<Integer>, _>(rows.iter().map(|row| row.division))
    .array::<Nullable<BigInt>, _>(rows.iter().map(|row| row.number))
    .array::<Id, _>(rows.iter().map(|row| row.upper_player))
    .array::<Id, _>(rows.iter().map(|row| row.lower_player))
    .array::<Integer, _>(rows.iter().map(|row| row.length))
    .array::<Text, _>(rows.iter().map(|row| row.status.clone()))
    .array::<BigInt, _>(rows.iter().map(|row| row.upper_score))
    .array::<BigInt, _>(rows.iter().map(|row| row.lower_score))
    .array::<Integer, _>(rows.iter().map(|row| row.games))
    .array::<Nullable<Text>, _>(rows.iter().map(|row| row.winner.clone()))
    .array::<UtcTime, _>(rows.iter().map(|row| row.opened_at))
    .array::<Nullable<UtcTime>, _>(rows.iter().map(|row| row.finished_at))
    .array::<Bool, _>(rows.iter().map(|row| row.contested));
    asked.execute(put).await.map(drop)
}

/// Removes a match whose opening was undone.
///
/// # Errors
/// The query failed.
pub fn remove(connection: &mut AnyConnection, id: MatchId) -> Result<(), StoreError> {
    diesel::delete(match_sheet::table.find(Key::from(id))).execute(connection)?;
    Ok(())
}

/// Which matches a list shows; an absent field does not restrict it.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub player: Option<PlayerId>,
    pub tournament: Option<TournamentId>,
    /// Only matches that are not over (adjourned ones included), or only matches that are.
    pub open: Option<bool>,
    /// Only matches with something contested, or only matches without.
    pub contested: Option<bool>,
    /// The first day, in UTC, on which they were opened.
    pub from: Option<NaiveDate>,
    /// The last.
    pub until: Option<NaiveDate>,
    /// Whether matches of private tournaments are included.
    pub private: bool,
    /// Whether money sessions are included.
    pub sessions: bool,
}

/// The length of a money session.
pub const MONEY: i32 = 0;

/// The status of a match that is over.
pub const OVER: &str = "over";

/// A page of matches, newest first, starting below `after`.
///
/// # Errors
/// The query failed.
pub fn page(
    connection: &mut AnyConnection,
    filter: &Filter,
    after: Option<MatchId>,
    limit: i64,
) -> Result<Vec<MatchRow>, StoreError> {
    let mut query = match_sheet::table.into_boxed().order(match_sheet::id.desc()).limit(limit);
    if let Some(player) = filter.player {
        let player = Key::from(player);
        query = query.filter(match_sheet::upper_player.eq(player).or(match_sheet::lower_player.eq(player)));
    }
    if let Some(tournament) = filter.tournament {
        query = query.filter(match_sheet::tournament.eq(Key::from(tournament)));
    }
    query = match filter.open {
        Some(true) => query.filter(match_sheet::status.ne(OVER)),
        Some(false) => query.filter(match_sheet::status.eq(OVER)),
        None => query,
    };
    if let Some(contested) = filter.contested {
        query = query.filter(match_sheet::contested.eq(contested));
    }
    if let Some(from) = filter.from {
        query = query.filter(match_sheet::opened_at.ge(beginning_of(from)));
    }
    if let Some(end) = filter.until.and_then(|day| day.succ_opt()) {
        query = query.filter(match_sheet::opened_at.lt(beginning_of(end)));
    }
    if !filter.private {
        let public = tournament::table.filter(tournament::public).select(tournament::id.nullable());
        query = query.filter(match_sheet::tournament.is_null().or(match_sheet::tournament.eq_any(public)));
    }
    if !filter.sessions {
        query = query.filter(match_sheet::length.ne(MONEY));
    }
    if let Some(after) = after {
        query = query.filter(match_sheet::id.lt(Key::from(after)));
    }
    Ok(query.select(MatchRow::as_select()).load(connection)?)
}

/// The moment at which a day begins, in UTC.
fn beginning_of(day: NaiveDate) -> Moment {
    Moment(day.and_time(NaiveTime::MIN).and_utc().into())
}

/// The friendly matches that one of two players has won against the other, the newest first.
///
/// # Errors
/// The query failed.
pub fn friendly_between(
    connection: &mut AnyConnection,
    one: PlayerId,
    other: PlayerId,
) -> Result<Vec<MatchRow>, StoreError> {
    let (one, other) = (Key::from(one), Key::from(other));
    let upper = match_sheet::upper_player.eq(one).and(match_sheet::lower_player.eq(other));
    let lower = match_sheet::upper_player.eq(other).and(match_sheet::lower_player.eq(one));
    Ok(match_sheet::table
        .filter(upper.or(lower))
        .filter(match_sheet::tournament.is_null().and(match_sheet::length.ne(MONEY)))
        .filter(match_sheet::status.eq(OVER).and(match_sheet::winner.is_not_null()))
        .order(match_sheet::id.desc())
        .select(MatchRow::as_select())
        .load(connection)?)
}

/// How many matches somebody has won against somebody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wins {
    pub winner: PlayerId,
    pub loser: PlayerId,
    pub matches: i64,
}

/// The matches that were finished: friendly ones, and those of tournaments that were played or conceded; of
/// one player, or of all. Of the filter its kind and its days count, which are those of the end of a match,
/// in UTC. The same two may come several times.
///
/// # Errors
/// The query failed.
pub fn wins(
    connection: &mut AnyConnection,
    player: Option<PlayerId>,
    statistics::Filter { kind, from, until, .. }: statistics::Filter,
) -> Result<Vec<Wins>, StoreError> {
    type Which<T> = Box<dyn BoxableExpression<T, MultiBackend, SqlType = Bool>>;
    let number = || sql::<BigInt>("CAST(count(*) AS BIGINT)");
    let (first, end) = (from.map(beginning_of), until.and_then(|day| day.succ_opt()).map(beginning_of));
    let player = player.map(Key::from);
    let mut all = Vec::new();
    if kind.is_none_or(|kind| kind == Kind::Match) {
        let is_match = match_sheet::tournament.is_null().and(match_sheet::length.ne(MONEY));
        let mut which: Which<match_sheet::table> =
            Box::new(is_match.and(match_sheet::status.eq(OVER)).and(match_sheet::winner.is_not_null()));
        let finished_at = || match_sheet::finished_at.assume_not_null();
        if let Some(player) = player {
            let plays = match_sheet::upper_player.eq(player).or(match_sheet::lower_player.eq(player));
            which = Box::new(which.and(plays));
        }
        if let Some(first) = first {
            which = Box::new(which.and(finished_at().ge(first)));
        }
        if let Some(end) = end {
            which = Box::new(which.and(finished_at().lt(end)));
        }
        let rows: Vec<(Key, Key, Option<String>, i64)> = match_sheet::table
            .group_by((match_sheet::upper_player, match_sheet::lower_player, match_sheet::winner))
            .filter(which)
            .select((match_sheet::upper_player, match_sheet::lower_player, match_sheet::winner, number()))
            .load(connection)?;
        all.extend(rows.into_iter().map(|(upper, lower, winner, matches)| match winner.as_deref() {
            Some("upper") => (upper, lower, matches),
            Some(_) | None => (lower, upper, matches),
        }));
    }
    if kind.is_none_or(|kind| kind == Kind::Tournament) {
        let mut which: Which<tournament_match::table> = Box::new(tournament_match::length.gt(0));
        if let Some(player) = player {
            let plays = tournament_match::winner.eq(player).or(tournament_match::loser.eq(player));
            which = Box::new(which.and(plays));
        }
        if let Some(first) = first {
            which = Box::new(which.and(tournament_match::finished_at.ge(first)));
        }
        if let Some(end) = end {
            which = Box::new(which.and(tournament_match::finished_at.lt(end)));
        }
        let rows: Vec<(Key, Key, i64)> = tournament_match::table
            .group_by((tournament_match::winner, tournament_match::loser))
            .filter(which)
            .select((tournament_match::winner, tournament_match::loser, number()))
            .load(connection)?;
        all.extend(rows);
    }
    let wins = |(winner, loser, matches): (Key, Key, i64)| Wins {
        winner: winner.into(),
        loser: loser.into(),
        matches,
    };
    Ok(all.into_iter().map(wins).collect())
}

/// How many matches await a ruling, not counting those `player` plays in.
///
/// # Errors
/// The query failed.
pub fn contested_between_others(
    connection: &mut AnyConnection,
    player: Option<PlayerId>,
) -> Result<i64, StoreError> {
    let mut query = match_sheet::table.into_boxed().filter(match_sheet::contested);
    if let Some(player) = player.map(Key::from) {
        query = query.filter(match_sheet::upper_player.ne(player).and(match_sheet::lower_player.ne(player)));
    }
    Ok(query.count().get_result(connection)?)
}

/// The money sessions, and the matches whose stake is or was in the books, that may have been opened on `day`
/// in some time zone, with their opening times, in order of id. The caller picks by the club's time zone.
///
/// # Errors
/// The query failed.
pub fn sessions_around(
    connection: &mut AnyConnection,
    day: NaiveDate,
) -> Result<Vec<(MatchId, Timestamp)>, StoreError> {
    let midnight = day.and_time(NaiveTime::MIN).and_utc();
    let within = [midnight - TimeDelta::days(1), midnight + TimeDelta::days(2)].map(|at| Moment(at.into()));
    let [from, to] = within;
    let posted = ledger_transaction::table.filter(ledger_transaction::stream.eq(match_sheet::id));
    let opened: Vec<(Key, Moment)> = match_sheet::table
        .filter(match_sheet::opened_at.between(from, to))
        .filter(match_sheet::length.eq(MONEY).or(exists(posted)))
        .order(match_sheet::id)
        .select((match_sheet::id, match_sheet::opened_at))
        .load(connection)?;
    Ok(opened.into_iter().map(|(id, at)| (id.into(), at.into())).collect())
}

/// What a match is called in the books, in English; `None` for a money session, which its players describe.
///
/// # Errors
/// The query failed.
pub fn name(connection: &mut AnyConnection, id: MatchId) -> Result<Option<String>, StoreError> {
    let length = match_sheet::table.find(Key::from(id)).select(match_sheet::length);
    let length: Option<i32> = length.get_result(connection).optional()?;
    Ok(length.and_then(name_of))
}

/// What a sheet of this length, as it is stored, is called.
pub(super) fn name_of(length: i32) -> Option<String> {
    (length != MONEY).then(|| format!("Match to {length}"))
}

/// The rows of all matches, in order of id.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<MatchRow>, StoreError> {
    Ok(match_sheet::table.order(match_sheet::id).select(MatchRow::as_select()).load(connection)?)
}
