//! Read tables of tournaments and of their entrants, derived from the tournaments' streams.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use diesel::prelude::*;
use uuid::Uuid;

use super::StoreError;
use super::connection::{AnyConnection, on};
use super::schema::{entrant, tournament};
use super::types::{Key, Moment};
use owlbox_domain::values::{PlayerId, TournamentId};

/// A tournament as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = tournament, treat_none_as_null = true)]
pub struct Row {
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
pub struct Entrant {
    pub tournament: Key,
    pub player: Key,
}

/// Inserts or updates a tournament.
///
/// # Errors
/// The query failed.
pub fn put(connection: &mut AnyConnection, row: &Row) -> Result<(), StoreError> {
    let updated =
        on!(connection, inner => diesel::update(tournament::table.find(row.id)).set(row).execute(inner))?;
    if updated == 0 {
        on!(connection, inner => diesel::insert_into(tournament::table).values(row).execute(inner))?;
    }
    Ok(())
}

/// Inserts an entrant, or deletes one whose entry was undone.
///
/// # Errors
/// The query failed.
pub fn put_entrant(connection: &mut AnyConnection, row: Entrant, is_in: bool) -> Result<(), StoreError> {
    let found = entrant::table.find((row.tournament, row.player));
    if is_in {
        on!(connection, inner => diesel::insert_into(entrant::table).values(row).execute(inner))?;
    } else {
        diesel::delete(found).execute(connection)?;
    }
    Ok(())
}

/// A page of tournaments, newest first, starting below `after`: those that are over, those that are not, or all; private
/// ones included or not.
///
/// # Errors
/// The query failed.
pub fn page(
    connection: &mut AnyConnection,
    over: Option<bool>,
    only_public: bool,
    after: Option<TournamentId>,
    limit: i64,
) -> Result<Vec<Row>, StoreError> {
    let mut query = tournament::table.into_boxed().order(tournament::id.desc()).limit(limit);
    match over {
        Some(true) => query = query.filter(tournament::status.ne("open")),
        Some(false) => query = query.filter(tournament::status.eq("open")),
        None => {}
    }
    if only_public {
        query = query.filter(tournament::public.eq(true));
    }
    if let Some(after) = after {
        query = query.filter(tournament::id.lt(Key::from(after)));
    }
    Ok(query.select(Row::as_select()).load(connection)?)
}

/// The open tournaments a player has entered, newest first.
///
/// # Errors
/// The query failed.
pub fn open_of(connection: &mut AnyConnection, player: PlayerId) -> Result<Vec<TournamentId>, StoreError> {
    let ids: Vec<Key> = entrant::table
        .inner_join(tournament::table)
        .filter(entrant::player.eq(Key::from(player)).and(tournament::status.eq("open")))
        .order(tournament::id.desc())
        .select(tournament::id)
        .load(connection)?;
    Ok(ids.into_iter().map(TournamentId::from).collect())
}

/// The row of one tournament.
///
/// # Errors
/// The query failed.
pub fn find(connection: &mut AnyConnection, id: Uuid) -> Result<Option<Row>, StoreError> {
    Ok(tournament::table.find(Key(id)).select(Row::as_select()).get_result(connection).optional()?)
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
pub fn all(connection: &mut AnyConnection) -> Result<Vec<Row>, StoreError> {
    Ok(tournament::table.order(tournament::id).select(Row::as_select()).load(connection)?)
}
