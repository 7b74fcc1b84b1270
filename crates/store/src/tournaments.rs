//! Tournaments at a glance, and who has entered which: derived from their streams.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use diesel::prelude::*;
use uuid::Uuid;

use super::StoreError;
use super::connection::{AnyConnection, on};
use super::schema::{entrant, tournament};
use super::types::{Key, Moment};
use owlbox_domain::values::{PlayerId, TournamentId};

/// A tournament at a glance.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = tournament, treat_none_as_null = true)]
pub struct Row {
    pub id: Key,
    pub name: String,
    /// The day on which it begins.
    pub date: NaiveDate,
    /// `open` or `closed`.
    pub status: String,
    /// Whether everybody may look at it.
    pub public: bool,
    pub opened_at: Moment,
    pub closed_at: Option<Moment>,
}

/// Who has entered a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Queryable, Selectable, Insertable)]
#[diesel(table_name = entrant)]
pub struct Entrant {
    pub tournament: Key,
    pub player: Key,
}

/// Writes a tournament, new or not.
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

/// Writes down that a player has entered; or that he has not after all.
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

/// A page of tournaments, the newest first, older than the one named: open ones, closed ones or all; all that there are or
/// only public ones.
///
/// # Errors
/// The query failed.
pub fn page(
    connection: &mut AnyConnection,
    status: Option<&str>,
    only_public: bool,
    after: Option<TournamentId>,
    limit: i64,
) -> Result<Vec<Row>, StoreError> {
    let mut query = tournament::table.into_boxed().order(tournament::id.desc()).limit(limit);
    if let Some(status) = status {
        query = query.filter(tournament::status.eq(status.to_owned()));
    }
    if only_public {
        query = query.filter(tournament::public.eq(true));
    }
    if let Some(after) = after {
        query = query.filter(tournament::id.lt(Key::from(after)));
    }
    Ok(query.select(Row::as_select()).load(connection)?)
}

/// The open tournaments that a player has entered, the newest first.
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

/// One tournament at a glance.
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

/// Every tournament at a glance, in order of id.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<Row>, StoreError> {
    Ok(tournament::table.order(tournament::id).select(Row::as_select()).load(connection)?)
}
