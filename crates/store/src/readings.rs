//! Which of the staff has read whose ledger: one row a reader, a ledger and a day.

use chrono::NaiveDate;
use diesel::prelude::*;
use diesel::sql_types::{Date, Text};
use uuid::Uuid;

use super::StoreError;
use super::connection::AnyConnection;
use super::schema::ledger_reading;
use super::statement::SqlStatement;
use super::types::{Id, Key, Moment, UtcTime};
use owlbox_base::values::{AccountId, PlayerId, Timestamp};

/// Stands for the ledgers of all players.
const EVERYBODY: Key = Key(Uuid::nil());

/// A reading.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = ledger_reading)]
pub struct ReadingRow {
    player: Key,
    /// On the club's clock.
    pub day: NaiveDate,
    #[diesel(deserialize_as = Key)]
    pub reader: AccountId,
    /// `ledger`, `person` or `books`.
    pub what: String,
    /// When it was read for the first time that day.
    #[diesel(deserialize_as = Moment)]
    pub at: Timestamp,
}

impl ReadingRow {
    /// `player` is whose ledger it is; `None` for everybody's.
    #[must_use]
    pub fn new(
        player: Option<PlayerId>,
        day: NaiveDate,
        reader: AccountId,
        what: &str,
        at: Timestamp,
    ) -> Self {
        Self { player: player.map_or(EVERYBODY, Key::from), day, reader, what: what.to_owned(), at }
    }
}

/// Notes a reading, unless the same was noted that day.
///
/// # Errors
/// The query failed.
pub fn note(connection: &mut AnyConnection, row: ReadingRow) -> Result<(), StoreError> {
    SqlStatement::<_>::new(
        "INSERT INTO ledger_reading (player, day, reader, what, at) VALUES ($1, $2, $3, $4, $5) \
                ON CONFLICT DO NOTHING",
    )
    .value::<Id, _>(row.player)
    .value::<Date, _>(row.day)
    .value::<Id, _>(Key::from(row.reader))
    .value::<Text, _>(row.what)
    .value::<UtcTime, _>(Moment(row.at))
    .execute(connection)?;
    Ok(())
}

/// Who has read the ledger of a player, or everybody's, newest first, after the one with this moment and
/// reader.
///
/// # Errors
/// The query failed.
pub fn of_player(
    connection: &mut AnyConnection,
    player: PlayerId,
    after: Option<(Timestamp, AccountId)>,
    limit: i64,
) -> Result<Vec<ReadingRow>, StoreError> {
    let mut query = ledger_reading::table
        .into_boxed()
        .filter(ledger_reading::player.eq(Key::from(player)).or(ledger_reading::player.eq(EVERYBODY)));
    if let Some((at, reader)) = after {
        let at = Moment(at);
        let beside = ledger_reading::at.eq(at).and(ledger_reading::reader.gt(Key::from(reader)));
        query = query.filter(ledger_reading::at.lt(at).or(beside));
    }
    Ok(query
        .order((ledger_reading::at.desc(), ledger_reading::reader, ledger_reading::what))
        .limit(limit)
        .select(ReadingRow::as_select())
        .load(connection)?)
}

/// Deletes what was noted before a day.
///
/// # Errors
/// The query failed.
pub fn sweep(connection: &mut AnyConnection, before: NaiveDate) -> Result<(), StoreError> {
    diesel::delete(ledger_reading::table.filter(ledger_reading::day.lt(before))).execute(connection)?;
    Ok(())
}

/// Deletes what was noted of a player's ledger.
///
/// # Errors
/// The query failed.
pub fn forget(connection: &mut AnyConnection, player: PlayerId) -> Result<(), StoreError> {
    diesel::delete(ledger_reading::table.filter(ledger_reading::player.eq(Key::from(player))))
        .execute(connection)?;
    Ok(())
}
