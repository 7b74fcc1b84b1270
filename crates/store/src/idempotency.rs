//! Idempotency records: how a command was answered, so that a retry with the same key gets the same answer
//! and changes nothing.

use diesel::prelude::*;
use uuid::Uuid;

use super::StoreError;
use super::connection::{AnyConnection, on};
use super::schema::idempotency;
use super::types::{Key, Moment};
use owlbox_domain::journal::Version;
use owlbox_domain::values::{AccountId, Timestamp};

/// How a command was answered. The body is read from the stream again, at this version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// SHA-256 of the request, which tells a retry from another request under the same key.
    pub request_hash: Vec<u8>,
    pub status: u16,
    /// The stream the answer is read from.
    pub stream: Uuid,
    pub version: Version,
}

/// The record of an account's key, or `None` if the key is unused.
///
/// # Errors
/// The query failed.
pub fn find(
    connection: &mut AnyConnection,
    account: AccountId,
    key: &str,
) -> Result<Option<Record>, StoreError> {
    let query = idempotency::table.find((Key::from(account), key)).select((
        idempotency::request_hash,
        idempotency::status,
        idempotency::stream,
        idempotency::version,
    ));
    let row: Option<(Vec<u8>, i16, Key, Version)> =
        on!(connection, inner => query.get_result(inner)).optional()?;
    Ok(row.map(|(request_hash, status, stream, version)| Record {
        request_hash,
        status: u16::try_from(status).unwrap_or(200),
        stream: stream.0,
        version,
    }))
}

/// Every record: account, key, and the stream and version it answers from.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<(AccountId, String, Uuid, Version)>, StoreError> {
    let rows: Vec<(Key, String, Key, Version)> = idempotency::table
        .order((idempotency::account, idempotency::key))
        .select((idempotency::account, idempotency::key, idempotency::stream, idempotency::version))
        .load(connection)?;
    Ok(rows
        .into_iter()
        .map(|(account, key, stream, version)| (account.into(), key, stream.0, version))
        .collect())
}

/// Stores a record.
///
/// # Errors
/// The key is taken, which counts as a [conflict](StoreError::is_conflict): the retry then finds the record.
pub fn keep(
    connection: &mut AnyConnection,
    account: AccountId,
    key: &str,
    record: &Record,
    at: Timestamp,
) -> Result<(), StoreError> {
    on!(connection, inner => diesel::insert_into(idempotency::table)
        .values((
            idempotency::account.eq(Key::from(account)),
            idempotency::key.eq(key),
            idempotency::request_hash.eq(&record.request_hash),
            idempotency::status.eq(i16::try_from(record.status).unwrap_or(200)),
            idempotency::stream.eq(Key(record.stream)),
            idempotency::version.eq(record.version),
            idempotency::at.eq(Moment(at)),
        ))
        .execute(inner))?;
    Ok(())
}

/// Deletes the records made before `before` and returns how many there were.
///
/// # Errors
/// The query failed.
pub fn forget(connection: &mut AnyConnection, before: Timestamp) -> Result<usize, StoreError> {
    Ok(diesel::delete(idempotency::table.filter(idempotency::at.lt(Moment(before)))).execute(connection)?)
}
