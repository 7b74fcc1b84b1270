//! Which of the staff has read whose ledger: one row a reader, a ledger and a day.

use chrono::NaiveDate;
use diesel::prelude::*;
use uuid::Uuid;

use super::StoreError;
use super::connection::{AnyConnection, on};
use super::schema::ledger_reading;
use super::types::{Key, Moment};
use owlbox_base::values::{AccountId, PlayerId, Timestamp};

/// Stands for the ledgers of all players.
const EVERYBODY: Key = Key(Uuid::nil());

/// A reading.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = ledger_reading)]
pub struct ReadingRow {
    player: Key,
    /// On the club's clock.
    pub day: NaiveDate,
    #[diesel(deserialize_as = Key, serialize_as = Key)]
    pub reader: AccountId,
    /// `ledger`, `person` or `books`.
    pub what: String,
    /// When it was read for the first time that day.
    #[diesel(deserialize_as = Moment, serialize_as = Moment)]
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
    on!(connection, inner => diesel::insert_into(ledger_reading::table)
        .values(row)
        .on_conflict_do_nothing()
        .execute(inner))?;
    Ok(())
}

/// Who has read the ledger of a player, or everybody's, newest first, after the one with this moment and reader.
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
