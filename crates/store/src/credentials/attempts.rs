//! Attempts at signing in, counted by key, and the keys under which they succeeded.

use diesel::prelude::*;

use crate::StoreError;
use crate::connection::AnyConnection;
use crate::schema::sign_in_attempt;
use crate::types::Moment;
use owlbox_domain::values::Timestamp;

/// The failures counted under a key since `window_start`, or 0.
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

/// Counts one more failure under a key; a window that began before `window_start` begins anew.
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
        // Only the window that is over: somebody else may have begun a new one since we looked.
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

/// Takes back one failure counted under a key.
///
/// # Errors
/// The query failed.
pub fn uncount_failure(connection: &mut AnyConnection, key: &[u8]) -> Result<(), StoreError> {
    diesel::update(sign_in_attempt::table.find(key).filter(sign_in_attempt::failures.gt(0)))
        .set(sign_in_attempt::failures.eq(sign_in_attempt::failures - 1))
        .execute(connection)?;
    Ok(())
}

/// Forgets the failures counted under a key.
///
/// # Errors
/// The query failed.
pub fn forgive(connection: &mut AnyConnection, key: &[u8]) -> Result<(), StoreError> {
    diesel::delete(sign_in_attempt::table.find(key)).execute(connection)?;
    Ok(())
}

/// Notes under a key that somebody has signed in well. The row stands among those of failures, with none:
/// it is looked for by when, and swept like them.
///
/// # Errors
/// The query failed.
pub fn note_sign_in(connection: &mut AnyConnection, key: &[u8], at: Timestamp) -> Result<(), StoreError> {
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

/// Whether a sign-in has been noted under a key since `since`.
///
/// # Errors
/// The query failed.
pub fn has_signed_in(
    connection: &mut AnyConnection,
    key: &[u8],
    since: Timestamp,
) -> Result<bool, StoreError> {
    let noted = sign_in_attempt::table.find(key).filter(sign_in_attempt::window_start.ge(Moment(since)));
    let noted: Option<i32> = noted.select(sign_in_attempt::failures).get_result(connection).optional()?;
    Ok(noted.is_some())
}
