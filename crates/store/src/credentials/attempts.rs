//! Sign-in attempts: failures counted by key within a window of time, and keys under which is noted when
//! something happened.
//!
//! A key is a hash over a login, an address or both; what they are is the desk's matter.

use diesel::prelude::*;

use crate::StoreError;
use crate::connection::AnyConnection;
use crate::schema::sign_in_attempt;
use crate::types::Moment;
use owlbox_base::values::Timestamp;

/// The failures counted under a key in a window that began at `window_start` or later.
///
/// # Errors
/// The query failed.
pub fn failures(
    connection: &mut AnyConnection,
    key: &[u8],
    window_start: Timestamp,
) -> Result<u32, StoreError> {
    let count: Option<i32> = sign_in_attempt::table
        .find(key)
        .filter(sign_in_attempt::window_start.ge(Moment(window_start)))
        .select(sign_in_attempt::failures)
        .get_result(connection)
        .optional()?;
    Ok(count.and_then(|count| u32::try_from(count).ok()).unwrap_or(0))
}

/// Counts a failure under a key. If its window began before `window_start`, a new one begins at `at`.
///
/// # Errors
/// The query failed.
pub fn count_failure(
    connection: &mut AnyConnection,
    key: &[u8],
    window_start: Timestamp,
    at: Timestamp,
) -> Result<(), StoreError> {
    let row = sign_in_attempt::table.find(key);
    let counted = diesel::update(row.filter(sign_in_attempt::window_start.ge(Moment(window_start))))
        .set(sign_in_attempt::failures.eq(sign_in_attempt::failures + 1))
        .execute(connection)?;
    if counted == 0 {
        // Deletes only a window that is over: another request may have begun a new one meanwhile.
        let over = row.filter(sign_in_attempt::window_start.lt(Moment(window_start)));
        diesel::delete(over).execute(connection)?;
        diesel::insert_into(sign_in_attempt::table)
            .values((
                sign_in_attempt::key.eq(key),
                sign_in_attempt::window_start.eq(Moment(at)),
                sign_in_attempt::failures.eq(1),
            ))
            .execute(connection)?;
    }
    Ok(())
}

/// Takes one failure under a key back.
///
/// # Errors
/// The query failed.
pub fn uncount_failure(connection: &mut AnyConnection, key: &[u8]) -> Result<(), StoreError> {
    diesel::update(sign_in_attempt::table.find(key).filter(sign_in_attempt::failures.gt(0)))
        .set(sign_in_attempt::failures.eq(sign_in_attempt::failures - 1))
        .execute(connection)?;
    Ok(())
}

/// Deletes the failures counted under a key.
///
/// # Errors
/// The query failed.
pub fn forgive(connection: &mut AnyConnection, key: &[u8]) -> Result<(), StoreError> {
    diesel::delete(sign_in_attempt::table.find(key)).execute(connection)?;
    Ok(())
}

/// Notes that something happened under a key: a sign-in, or that a login was unlocked. It is stored as a
/// window without failures, so that it is found and swept like the others.
///
/// # Errors
/// The query failed.
pub fn note(connection: &mut AnyConnection, key: &[u8], at: Timestamp) -> Result<(), StoreError> {
    let renewed = diesel::update(sign_in_attempt::table.find(key))
        .set(sign_in_attempt::window_start.eq(Moment(at)))
        .execute(connection)?;
    if renewed == 0 {
        diesel::insert_into(sign_in_attempt::table)
            .values((
                sign_in_attempt::key.eq(key),
                sign_in_attempt::window_start.eq(Moment(at)),
                sign_in_attempt::failures.eq(0),
            ))
            .execute(connection)?;
    }
    Ok(())
}

/// When something was last [noted](note) under a key.
///
/// # Errors
/// The query failed.
pub fn noted_at(connection: &mut AnyConnection, key: &[u8]) -> Result<Option<Timestamp>, StoreError> {
    let noted = sign_in_attempt::table.find(key).select(sign_in_attempt::window_start);
    let noted: Option<Moment> = noted.get_result(connection).optional()?;
    Ok(noted.map(Timestamp::from))
}
