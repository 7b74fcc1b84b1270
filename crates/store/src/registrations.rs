//! Requests for a login that wait for an admin.

use diesel::prelude::*;

use super::StoreError;
use super::connection::AnyConnection;
use super::schema::registration;
use super::types::{Key, Moment};
use owlbox_base::values::Timestamp;

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = registration)]
pub struct RegistrationRow {
    /// A UUIDv7, so that ids sort by the time of asking.
    pub id: Key,
    pub login: String,
    pub name: String,
    pub password_hash: String,
    pub asked_at: Moment,
}

/// Stores a request.
///
/// # Errors
/// The query failed.
pub fn insert(connection: &mut AnyConnection, row: RegistrationRow) -> Result<(), StoreError> {
    diesel::insert_into(registration::table).values(row).execute(connection)?;
    Ok(())
}

/// All requests, oldest first.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<RegistrationRow>, StoreError> {
    Ok(registration::table.order(registration::id).select(RegistrationRow::as_select()).load(connection)?)
}

/// The number of requests.
///
/// # Errors
/// The query failed.
pub fn count(connection: &mut AnyConnection) -> Result<i64, StoreError> {
    Ok(registration::table.count().get_result(connection)?)
}

/// Removes and returns a request; `None` if there is none, or another admin took it first.
///
/// # Errors
/// A query failed.
pub fn take(connection: &mut AnyConnection, id: Key) -> Result<Option<RegistrationRow>, StoreError> {
    let row: Option<RegistrationRow> = registration::table
        .find(id)
        .select(RegistrationRow::as_select())
        .get_result(connection)
        .optional()?;
    let taken = diesel::delete(registration::table.find(id)).execute(connection)?;
    Ok(row.filter(|_| taken == 1))
}

/// Deletes all requests.
///
/// # Errors
/// The query failed.
pub fn clear(connection: &mut AnyConnection) -> Result<(), StoreError> {
    diesel::delete(registration::table).execute(connection)?;
    Ok(())
}

/// Deletes the requests made before `before`.
///
/// # Errors
/// The query failed.
pub fn sweep(connection: &mut AnyConnection, before: Timestamp) -> Result<(), StoreError> {
    diesel::delete(registration::table.filter(registration::asked_at.lt(Moment(before))))
        .execute(connection)?;
    Ok(())
}
