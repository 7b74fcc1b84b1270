//! Read tables of chouettes and of their seats, derived from the chouettes' streams.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Date, Integer, Nullable, Text};
use diesel::sqlite::Sqlite;
use uuid::Uuid;

use super::StoreError;
use super::connection::AnyConnection;
use super::postgres::PipelinedConnection;
use super::schema::{chouette, seat};
use super::statement::SqlStatement;
use super::types::{Id, Key, Moment, UtcTime};
use owlbox_base::values::{ChouetteId, PlayerId, Stake};

/// A chouette as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = chouette, treat_none_as_null = true)]
pub struct ChouetteRow {
    pub id: Key,
    pub name: String,
    /// The night it belongs to: the day it began, in the club's time zone.
    pub night: NaiveDate,
    /// One of `open` and `closed`.
    pub status: String,
    /// Minor units of the currency per point; `None` if it is played for points only.
    pub stake_amount: Option<i64>,
    pub stake_currency: Option<String>,
    pub games: i32,
    pub opened_at: Moment,
    pub closed_at: Option<Moment>,
}

impl ChouetteRow {
    /// What is played for; `None` if no money is.
    #[must_use]
    pub fn stake(&self) -> Option<Stake> {
        let amount = self.stake_amount?.try_into().ok()?;
        Some(Stake { amount, currency: self.stake_currency.as_deref()?.parse().ok()? })
    }
}

/// A player's seat at a chouette, kept after they leave.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Queryable, Selectable, Insertable, AsChangeset,
)]
#[diesel(table_name = seat)]
pub struct SeatRow {
    pub chouette: Key,
    pub player: Key,
    pub present: bool,
    /// In half points, from finished games only.
    pub score: i64,
}

/// Inserts or updates a chouette.
pub(super) fn put_one(connection: &mut SqliteConnection, row: ChouetteRow) -> Result<(), StoreError> {
    SqlStatement::<Sqlite>::new(
        "INSERT INTO chouette (id, name, night, status, stake_amount, stake_currency, games, opened_at, closed_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) \
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, night = excluded.night, status = excluded.status, \
         stake_amount = excluded.stake_amount, stake_currency = excluded.stake_currency, \
         games = excluded.games, opened_at = excluded.opened_at, closed_at = excluded.closed_at",
    )
    .value::<Id, _>(row.id)
    .value::<Text, _>(row.name)
    .value::<Date, _>(row.night)
    .value::<Text, _>(row.status)
    .value::<Nullable<BigInt>, _>(row.stake_amount)
    .value::<Nullable<Text>, _>(row.stake_currency)
    .value::<Integer, _>(row.games)
    .value::<UtcTime, _>(row.opened_at)
    .value::<Nullable<UtcTime>, _>(row.closed_at)
    .execute(connection)?;
    Ok(())
}

/// Inserts or updates chouettes.
pub(super) async fn put_all(
    asked: PipelinedConnection<'_>,
    rows: Vec<ChouetteRow>,
) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let put = SqlStatement::<Pg>::new(
        "INSERT INTO chouette (id, name, night, status, stake_amount, stake_currency, games, opened_at, closed_at) \
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::date[], $4::text[], $5::bigint[], $6::text[], $7::integer[], \
         $8::timestamptz[], $9::timestamptz[]) \
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, night = excluded.night, status = excluded.status, \
         stake_amount = excluded.stake_amount, stake_currency = excluded.stake_currency, games = excluded.games, \
         opened_at = excluded.opened_at, closed_at = excluded.closed_at",
    )
    .array::<Id, _>(rows.iter().map(|row| row.id))
    .array::<Text, _>(rows.iter().map(|row| row.name.clone()))
    .array::<Date, _>(rows.iter().map(|row| row.night))
    .array::<Text, _>(rows.iter().map(|row| row.status.clone()))
    .array::<Nullable<BigInt>, _>(rows.iter().map(|row| row.stake_amount))
    .array::<Nullable<Text>, _>(rows.iter().map(|row| row.stake_currency.clone()))
    .array::<Integer, _>(rows.iter().map(|row| row.games))
    .array::<UtcTime, _>(rows.iter().map(|row| row.opened_at))
    .array::<Nullable<UtcTime>, _>(rows.iter().map(|row| row.closed_at));
    asked.execute(put).await.map(drop)
}

/// Changes the score of a seat.
pub(super) fn change_seat(connection: &mut SqliteConnection, seat: SeatRow) -> Result<(), StoreError> {
    SqlStatement::<Sqlite>::new("UPDATE seat SET score = ? WHERE chouette = ? AND player = ?")
        .value::<BigInt, _>(seat.score)
        .value::<Id, _>(seat.chouette)
        .value::<Id, _>(seat.player)
        .execute(connection)?;
    Ok(())
}

/// Changes the scores of seats.
pub(super) async fn change_seats(
    asked: PipelinedConnection<'_>,
    seats: Vec<SeatRow>,
) -> Result<(), StoreError> {
    if seats.is_empty() {
        return Ok(());
    }
    let change = SqlStatement::<Pg>::new(
        "UPDATE seat SET score = now.score FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS now (chouette, player, score) \
         WHERE seat.chouette = now.chouette AND seat.player = now.player",
    )
    .array::<Id, _>(seats.iter().map(|seat| seat.chouette))
    .array::<Id, _>(seats.iter().map(|seat| seat.player))
    .array::<BigInt, _>(seats.iter().map(|seat| seat.score));
    asked.execute(change).await.map(drop)
}

/// Inserts or updates a seat.
///
/// # Errors
/// The player sits at another table ([`StoreError::violates`] `seat_one_table`, or on SQLite
/// `seat.player`).
pub fn put_seat(connection: &mut AnyConnection, row: SeatRow) -> Result<(), StoreError> {
    let found = seat::table.find((row.chouette, row.player));
    if diesel::update(found).set(row).execute(connection)? == 0 {
        diesel::insert_into(seat::table).values(row).execute(connection)?;
    }
    Ok(())
}

/// Removes a seat whose player's joining was undone.
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

/// Removes a chouette whose opening was undone. Its seats must be gone.
///
/// # Errors
/// The query failed.
pub fn remove(connection: &mut AnyConnection, id: ChouetteId) -> Result<(), StoreError> {
    diesel::delete(chouette::table.find(Key::from(id))).execute(connection)?;
    Ok(())
}

/// The chouette a player sits at now.
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

/// Everybody who sits at some other chouette.
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

/// Which chouettes a list shows; an absent field does not restrict it.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// One of `open` and `closed`.
    pub status: Option<String>,
    pub night: Option<NaiveDate>,
    /// The first night and the last.
    pub nights: [Option<NaiveDate>; 2],
}

/// A page of chouettes, newest first, starting below `after`.
///
/// # Errors
/// The query failed.
pub fn page(
    connection: &mut AnyConnection,
    filter: &Filter,
    after: Option<ChouetteId>,
    limit: i64,
) -> Result<Vec<ChouetteRow>, StoreError> {
    let mut query = chouette::table.into_boxed().order(chouette::id.desc()).limit(limit);
    if let Some(status) = &filter.status {
        query = query.filter(chouette::status.eq(status.clone()));
    }
    if let Some(night) = filter.night {
        query = query.filter(chouette::night.eq(night));
    }
    let [from, until] = filter.nights;
    if let Some(from) = from {
        query = query.filter(chouette::night.ge(from));
    }
    if let Some(until) = until {
        query = query.filter(chouette::night.le(until));
    }
    if let Some(after) = after {
        query = query.filter(chouette::id.lt(Key::from(after)));
    }
    Ok(query.select(ChouetteRow::as_select()).load(connection)?)
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

/// The currencies of a night's chouettes, each once; `None` stands for points only.
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

/// The chouettes of these nights at which a game was finished, by night and then oldest first.
///
/// # Errors
/// The query failed.
pub fn with_games_between(
    connection: &mut AnyConnection,
    from: NaiveDate,
    until: NaiveDate,
) -> Result<Vec<ChouetteRow>, StoreError> {
    Ok(chouette::table
        .filter(chouette::night.between(from, until).and(chouette::games.gt(0)))
        .order((chouette::night, chouette::id))
        .select(ChouetteRow::as_select())
        .load(connection)?)
}

/// Every seat at the chouettes of these nights.
///
/// # Errors
/// The query failed.
pub fn seats_between(
    connection: &mut AnyConnection,
    from: NaiveDate,
    until: NaiveDate,
) -> Result<Vec<SeatRow>, StoreError> {
    Ok(seat::table
        .inner_join(chouette::table)
        .filter(chouette::night.between(from, until).and(chouette::games.gt(0)))
        .order((seat::chouette, seat::player))
        .select(SeatRow::as_select())
        .load(connection)?)
}

/// The last night before these days, and the first one after them, at which a game was finished.
///
/// # Errors
/// The query failed.
pub fn nights_beside(
    connection: &mut AnyConnection,
    from: NaiveDate,
    until: NaiveDate,
) -> Result<(Option<NaiveDate>, Option<NaiveDate>), StoreError> {
    let played = || chouette::table.filter(chouette::games.gt(0)).select(chouette::night);
    let before = played().filter(chouette::night.lt(from)).order(chouette::night.desc());
    let after = played().filter(chouette::night.gt(until)).order(chouette::night);
    Ok((before.first(connection).optional()?, after.first(connection).optional()?))
}

/// The row of one chouette.
///
/// # Errors
/// The query failed.
pub fn find(connection: &mut AnyConnection, id: Uuid) -> Result<Option<ChouetteRow>, StoreError> {
    Ok(chouette::table.find(Key(id)).select(ChouetteRow::as_select()).get_result(connection).optional()?)
}

/// The seats of a chouette, in order of player.
///
/// # Errors
/// The query failed.
pub fn seats(connection: &mut AnyConnection, id: Uuid) -> Result<Vec<SeatRow>, StoreError> {
    Ok(seat::table
        .filter(seat::chouette.eq(Key(id)))
        .order(seat::player)
        .select(SeatRow::as_select())
        .load(connection)?)
}

/// The rows of all chouettes, in order of id.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<ChouetteRow>, StoreError> {
    Ok(chouette::table.order(chouette::id).select(ChouetteRow::as_select()).load(connection)?)
}

/// Every seat, by chouette and then player.
///
/// # Errors
/// The query failed.
pub fn all_seats(connection: &mut AnyConnection) -> Result<Vec<SeatRow>, StoreError> {
    Ok(seat::table.order((seat::chouette, seat::player)).select(SeatRow::as_select()).load(connection)?)
}
