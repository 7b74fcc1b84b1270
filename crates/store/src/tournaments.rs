//! Read tables of tournaments and of their entrants, derived from the tournaments' streams.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer};
use uuid::Uuid;

use super::connection::AnyConnection;
use super::schema::{entrant, tournament, tournament_match};
use super::statement::SqlStatement;
use super::types::{Id, Key, Moment, UtcTime};
use super::{StoreError, statistics};
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::rated::Rated;

/// A tournament as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = tournament, treat_none_as_null = true)]
pub struct TournamentRow {
    pub id: Key,
    pub name: String,
    /// The first day of play.
    pub date: NaiveDate,
    /// One of `open`, `closed` and `cancelled`.
    pub status: String,
    /// Whether everybody may look at it.
    pub public: bool,
    pub opened_at: Moment,
    pub closed_at: Option<Moment>,
}

/// A player who has entered a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Queryable, Selectable, Insertable)]
#[diesel(table_name = entrant)]
pub struct EntrantRow {
    pub tournament: Key,
    pub player: Key,
}

/// A match of a tournament that was played, or conceded at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = tournament_match)]
pub struct PlayedMatchRow {
    pub tournament: Key,
    pub division: i32,
    pub number: i64,
    pub finished_at: Moment,
    pub length: i32,
    pub winner: Key,
    pub loser: Key,
}

impl From<&Rated> for PlayedMatchRow {
    fn from(one: &Rated) -> Self {
        Self {
            tournament: Key(one.key.stream),
            division: i32::from(one.key.division),
            number: i64::from(one.key.number),
            finished_at: one.finished_at.into(),
            length: i32::from(one.length.points()),
            winner: one.winner.into(),
            loser: one.loser.into(),
        }
    }
}

/// Inserts or updates a match that was played.
///
/// # Errors
/// The query failed.
pub fn put_played(connection: &mut AnyConnection, row: PlayedMatchRow) -> Result<(), StoreError> {
    SqlStatement::<_>::new(
        "INSERT INTO tournament_match (tournament, division, number, finished_at, length, winner, loser) \
               VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (tournament, division, number) DO UPDATE SET \
               finished_at = excluded.finished_at, length = excluded.length, winner = excluded.winner, loser = excluded.loser",
    )
    .value::<Id, _>(row.tournament)
    .value::<Integer, _>(row.division)
    .value::<BigInt, _>(row.number)
    .value::<UtcTime, _>(row.finished_at)
    .value::<Integer, _>(row.length)
    .value::<Id, _>(row.winner)
    .value::<Id, _>(row.loser)
    .execute(connection)?;
    Ok(())
}

/// Deletes a match that was not played after all.
///
/// # Errors
/// The query failed.
pub fn remove_played(connection: &mut AnyConnection, row: PlayedMatchRow) -> Result<(), StoreError> {
    let place = (row.tournament, row.division, row.number);
    diesel::delete(tournament_match::table.find(place)).execute(connection)?;
    Ok(())
}

/// All matches of tournaments that were played.
///
/// # Errors
/// The query failed.
pub fn all_played(connection: &mut AnyConnection) -> Result<Vec<PlayedMatchRow>, StoreError> {
    Ok(tournament_match::table.select(PlayedMatchRow::as_select()).load(connection)?)
}

/// Those between two players, the newest first.
///
/// # Errors
/// The query failed.
pub fn played_between(
    connection: &mut AnyConnection,
    one: PlayerId,
    other: PlayerId,
) -> Result<Vec<PlayedMatchRow>, StoreError> {
    let (one, other) = (Key::from(one), Key::from(other));
    let won = tournament_match::winner.eq(one).and(tournament_match::loser.eq(other));
    let lost = tournament_match::winner.eq(other).and(tournament_match::loser.eq(one));
    Ok(tournament_match::table
        .filter(won.or(lost))
        .order((tournament_match::finished_at.desc(), tournament_match::tournament, tournament_match::number))
        .select(PlayedMatchRow::as_select())
        .load(connection)?)
}

/// Fills the table of matches from the journal.
///
/// # Errors
/// The journal cannot be read, or a query failed.
pub(super) fn fill(connection: &mut AnyConnection) -> Result<(), StoreError> {
    diesel::delete(tournament_match::table).execute(connection)?;
    let mut all = Vec::new();
    statistics::each(connection, |state: &Tournament| {
        all.extend(state.played_matches().map(|one| PlayedMatchRow::from(&one)));
    })?;
    all.into_iter().try_for_each(|row| put_played(connection, row))
}

/// Inserts or updates a tournament.
///
/// # Errors
/// The query failed.
pub fn put(connection: &mut AnyConnection, row: &TournamentRow) -> Result<(), StoreError> {
    if diesel::update(tournament::table.find(row.id)).set(row).execute(connection)? == 0 {
        diesel::insert_into(tournament::table).values(row).execute(connection)?;
    }
    Ok(())
}

/// Inserts an entrant, or deletes one whose entry was undone.
///
/// # Errors
/// The query failed.
pub fn put_entrant(connection: &mut AnyConnection, row: EntrantRow, is_in: bool) -> Result<(), StoreError> {
    let found = entrant::table.find((row.tournament, row.player));
    if is_in {
        diesel::insert_into(entrant::table).values(row).execute(connection)?;
    } else {
        diesel::delete(found).execute(connection)?;
    }
    Ok(())
}

/// Which tournaments a list shows; an absent field does not restrict it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// Only those that are over, or only those that are not.
    pub over: Option<bool>,
    pub only_public: bool,
    /// The first day on which they begin.
    pub from: Option<NaiveDate>,
    /// The last.
    pub until: Option<NaiveDate>,
}

/// A page of tournaments, newest first, starting below `after`.
///
/// # Errors
/// The query failed.
pub fn page(
    connection: &mut AnyConnection,
    Filter { over, only_public, from, until }: Filter,
    after: Option<TournamentId>,
    limit: i64,
) -> Result<Vec<TournamentRow>, StoreError> {
    let mut query = tournament::table.into_boxed().order(tournament::id.desc()).limit(limit);
    match over {
        Some(true) => query = query.filter(tournament::status.ne("open")),
        Some(false) => query = query.filter(tournament::status.eq("open")),
        None => {}
    }
    if only_public {
        query = query.filter(tournament::public.eq(true));
    }
    if let Some(from) = from {
        query = query.filter(tournament::date.ge(from));
    }
    if let Some(until) = until {
        query = query.filter(tournament::date.le(until));
    }
    if let Some(after) = after {
        query = query.filter(tournament::id.lt(Key::from(after)));
    }
    Ok(query.select(TournamentRow::as_select()).load(connection)?)
}

/// The row of one tournament.
///
/// # Errors
/// The query failed.
pub fn find(connection: &mut AnyConnection, id: Uuid) -> Result<Option<TournamentRow>, StoreError> {
    Ok(tournament::table
        .find(Key(id))
        .select(TournamentRow::as_select())
        .get_result(connection)
        .optional()?)
}

/// Everybody who has entered a tournament.
///
/// # Errors
/// The query failed.
pub fn entrants(connection: &mut AnyConnection, id: TournamentId) -> Result<BTreeSet<PlayerId>, StoreError> {
    let found = entrant::table.filter(entrant::tournament.eq(Key::from(id)));
    let players: Vec<Key> = found.select(entrant::player).load(connection)?;
    Ok(players.into_iter().map(PlayerId::from).collect())
}

/// The rows of all tournaments, in order of id.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<TournamentRow>, StoreError> {
    Ok(tournament::table.order(tournament::id).select(TournamentRow::as_select()).load(connection)?)
}
