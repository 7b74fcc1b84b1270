//! Who has asked for a login, and waits for an admin.

use diesel::prelude::*;

use super::StoreError;
use super::connection::AnyConnection;
use super::schema::registration;
use super::types::{Key, Moment};
use owlbox_domain::values::Timestamp;

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = registration)]
pub struct Row {
    /// Which: later ones have greater ids.
    pub id: Key,
    /// What he would sign in with.
    pub login: String,
    pub name: String,
    pub password_hash: String,
    pub asked_at: Moment,
}

/// Keeps one.
///
/// # Errors
/// The query failed.
pub fn insert(connection: &mut AnyConnection, row: Row) -> Result<(), StoreError> {
    diesel::insert_into(registration::table).values(row).execute(connection)?;
    Ok(())
}

/// Everybody who waits, who has waited longest first.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<Row>, StoreError> {
    Ok(registration::table.order(registration::id).select(Row::as_select()).load(connection)?)
}

/// How many wait.
///
/// # Errors
/// The query failed.
pub fn count(connection: &mut AnyConnection) -> Result<i64, StoreError> {
    Ok(registration::table.count().get_result(connection)?)
}

/// Takes one out; `None` if he does not wait, or somebody else was first.
///
/// # Errors
/// A query failed.
pub fn take(connection: &mut AnyConnection, id: Key) -> Result<Option<Row>, StoreError> {
    let row: Option<Row> =
        registration::table.find(id).select(Row::as_select()).get_result(connection).optional()?;
    let taken = diesel::delete(registration::table.find(id)).execute(connection)?;
    Ok(row.filter(|_| taken == 1))
}

/// Forgets everybody.
///
/// # Errors
/// The query failed.
pub fn clear(connection: &mut AnyConnection) -> Result<(), StoreError> {
    diesel::delete(registration::table).execute(connection)?;
    Ok(())
}

/// Forgets who has asked before `before`.
///
/// # Errors
/// The query failed.
pub fn sweep(connection: &mut AnyConnection, before: Timestamp) -> Result<(), StoreError> {
    diesel::delete(registration::table.filter(registration::asked_at.lt(Moment(before))))
        .execute(connection)?;
    Ok(())
}
