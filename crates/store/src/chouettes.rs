//! Chouettes at a glance, and who sits at which: derived from their streams.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use diesel::prelude::*;
use uuid::Uuid;

use super::StoreError;
use super::connection::{AnyConnection, on};
use super::schema::{chouette, seat};
use super::types::{Key, Moment};
use owlbox_domain::values::{ChouetteId, PlayerId};

/// A chouette at a glance.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = chouette, treat_none_as_null = true)]
pub struct Row {
    pub id: Key,
    pub name: String,
    /// The night it belongs to: the day it began, in the club's time zone.
    pub night: NaiveDate,
    /// `open` or `closed`.
    pub status: String,
    /// Minor units a point.
    pub stake_amount: Option<i64>,
    pub stake_currency: Option<String>,
    pub games: i32,
    pub opened_at: Moment,
    pub closed_at: Option<Moment>,
}

/// Who sits, or sat, at a chouette.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Queryable, Selectable, Insertable, AsChangeset,
)]
#[diesel(table_name = seat)]
pub struct Seat {
    pub chouette: Key,
    pub player: Key,
    pub present: bool,
    /// The score booked, in half points.
    pub score: i64,
}

/// Writes a chouette, new or not.
///
/// # Errors
/// The query failed.
pub fn put(connection: &mut AnyConnection, row: &Row) -> Result<(), StoreError> {
    if on!(connection, inner => diesel::update(chouette::table.find(row.id)).set(row).execute(inner))? == 0 {
        on!(connection, inner => diesel::insert_into(chouette::table).values(row).execute(inner))?;
    }
    Ok(())
}

/// Writes a seat, new or not.
///
/// # Errors
/// The player sits at another table ([`StoreError::violates`] `seat_one_table`, or on SQLite
/// `seat.player`).
pub fn put_seat(connection: &mut AnyConnection, row: Seat) -> Result<(), StoreError> {
    if on!(connection, inner => diesel::update(seat::table.find((row.chouette, row.player))).set(row).execute(inner))?
        == 0
    {
        on!(connection, inner => diesel::insert_into(seat::table).values(row).execute(inner))?;
    }
    Ok(())
}

/// Removes a seat: its player's joining was undone.
///
/// # Errors
/// The query failed.
pub fn remove_seat(
    connection: &mut AnyConnection,
    chouette: ChouetteId,
    player: PlayerId,
) -> Result<(), StoreError> {
    diesel::delete(seat::table.find((Key::from(chouette), Key::from(player)))).execute(connection)?;
    Ok(())
}

/// Removes a chouette, at which nobody has a seat any more: its opening was undone.
///
/// # Errors
/// The query failed.
pub fn remove(connection: &mut AnyConnection, id: ChouetteId) -> Result<(), StoreError> {
    diesel::delete(chouette::table.find(Key::from(id))).execute(connection)?;
    Ok(())
}

/// The chouette at which a player sits now.
///
/// # Errors
/// The query failed.
pub fn table_of(connection: &mut AnyConnection, player: PlayerId) -> Result<Option<ChouetteId>, StoreError> {
    let id: Option<Key> = seat::table
        .filter(seat::player.eq(Key::from(player)).and(seat::present.eq(true)))
        .select(seat::chouette)
        .get_result(connection)
        .optional()?;
    Ok(id.map(ChouetteId::from))
}

/// Everybody who sits at another chouette than this.
///
/// # Errors
/// The query failed.
pub fn seated_beside(
    connection: &mut AnyConnection,
    id: ChouetteId,
) -> Result<BTreeSet<PlayerId>, StoreError> {
    let players: Vec<Key> = seat::table
        .filter(seat::present.eq(true).and(seat::chouette.ne(Key::from(id))))
        .select(seat::player)
        .load(connection)?;
    Ok(players.into_iter().map(PlayerId::from).collect())
}

/// Which chouettes a list shows.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// `open` or `closed`.
    pub status: Option<String>,
    pub night: Option<NaiveDate>,
}

/// A page of chouettes, newest first, older than the one named.
///
/// # Errors
/// The query failed.
pub fn page(
    connection: &mut AnyConnection,
    filter: &Filter,
    after: Option<ChouetteId>,
    limit: i64,
) -> Result<Vec<Row>, StoreError> {
    let mut query = chouette::table.into_boxed().order(chouette::id.desc()).limit(limit);
    if let Some(status) = &filter.status {
        query = query.filter(chouette::status.eq(status.clone()));
    }
    if let Some(night) = filter.night {
        query = query.filter(chouette::night.eq(night));
    }
    if let Some(after) = after {
        query = query.filter(chouette::id.lt(Key::from(after)));
    }
    Ok(query.select(Row::as_select()).load(connection)?)
}

/// The chouettes of a night, oldest first.
///
/// # Errors
/// The query failed.
pub fn of_night(connection: &mut AnyConnection, night: NaiveDate) -> Result<Vec<ChouetteId>, StoreError> {
    let ids: Vec<Key> = chouette::table
        .filter(chouette::night.eq(night))
        .order(chouette::id)
        .select(chouette::id)
        .load(connection)?;
    Ok(ids.into_iter().map(ChouetteId::from).collect())
}

/// The currencies for which chouettes of a night are played, each once; `None` for points only.
///
/// # Errors
/// The query failed.
pub fn currencies_of_night(
    connection: &mut AnyConnection,
    night: NaiveDate,
) -> Result<Vec<Option<String>>, StoreError> {
    let of_night = chouette::table.filter(chouette::night.eq(night));
    Ok(of_night.select(chouette::stake_currency).distinct().load(connection)?)
}

/// One chouette at a glance.
///
/// # Errors
/// The query failed.
pub fn find(connection: &mut AnyConnection, id: Uuid) -> Result<Option<Row>, StoreError> {
    Ok(chouette::table.find(Key(id)).select(Row::as_select()).get_result(connection).optional()?)
}

/// The seats of a chouette, in order of player.
///
/// # Errors
/// The query failed.
pub fn seats(connection: &mut AnyConnection, id: Uuid) -> Result<Vec<Seat>, StoreError> {
    Ok(seat::table
        .filter(seat::chouette.eq(Key(id)))
        .order(seat::player)
        .select(Seat::as_select())
        .load(connection)?)
}

/// Every chouette at a glance, in order of id.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<Row>, StoreError> {
    Ok(chouette::table.order(chouette::id).select(Row::as_select()).load(connection)?)
}

/// Every seat, chouette by chouette.
///
/// # Errors
/// The query failed.
pub fn all_seats(connection: &mut AnyConnection) -> Result<Vec<Seat>, StoreError> {
    Ok(seat::table.order((seat::chouette, seat::player)).select(Seat::as_select()).load(connection)?)
}
