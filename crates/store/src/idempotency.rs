//! Idempotency records: how a command was answered, so that a retry with the same key gets the same answer
//! and changes nothing.

use std::collections::{BTreeSet, HashMap};

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, SmallInt, Text};
use uuid::Uuid;

use super::StoreError;
use super::connection::AnyConnection;
use super::postgres::PipelinedConnection;
use super::schema::idempotency;
use super::statement::SqlStatement;
use super::types::{Id, Key, Moment, UtcTime};
use owlbox_base::journal::Version;
use owlbox_base::values::{AccountId, Timestamp};

/// How a command was answered. The body is read from the stream again, at this version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredReceipt {
    /// SHA-256 of the request, which tells a retry from another request under the same key.
    pub request_hash: Vec<u8>,
    pub status: u16,
    /// The stream the answer is read from.
    pub stream: Uuid,
    pub version: Version,
}

/// Where a record is kept: an account's key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReceiptKey {
    pub account: AccountId,
    pub key: String,
}

type ReceiptRow = (Vec<u8>, i16, Key, Version);

impl StoredReceipt {
    fn read((request_hash, status, stream, version): ReceiptRow) -> Self {
        Self { request_hash, status: u16::try_from(status).unwrap_or(200), stream: stream.0, version }
    }
}

/// The record of an account's key, or `None` if the key is unused.
pub(super) fn find(
    connection: &mut AnyConnection,
    place: &ReceiptKey,
) -> Result<Option<StoredReceipt>, StoreError> {
    let record = SqlStatement::<_, (Binary, SmallInt, Id, BigInt)>::new(
        "SELECT request_hash, status, stream, version FROM idempotency WHERE account = $1 AND key = $2",
    )
    .value::<Id, _>(Key::from(place.account))
    .value::<Text, _>(place.key.clone());
    let row: Option<ReceiptRow> = record.get_result(connection).optional()?;
    Ok(row.map(StoredReceipt::read))
}

/// The records of all these keys; `None` for those that are unused.
pub(super) async fn find_all(
    asked: PipelinedConnection<'_>,
    places: BTreeSet<&ReceiptKey>,
) -> Result<HashMap<ReceiptKey, Option<StoredReceipt>>, StoreError> {
    if places.is_empty() {
        return Ok(HashMap::new());
    }
    let records = SqlStatement::<Pg, (Id, Text, Binary, SmallInt, Id, BigInt)>::new(
        "SELECT account, key, request_hash, status, stream, version FROM idempotency \
         JOIN unnest($1::uuid[], $2::text[]) AS asked (account, key) USING (account, key)",
    )
    .array::<Id, _>(places.iter().map(|place| Key::from(place.account)))
    .array::<Text, _>(places.iter().map(|place| place.key.clone()));
    let rows: Vec<(Key, String, Vec<u8>, i16, Key, Version)> = asked.load(records).await?;
    let mut found: HashMap<ReceiptKey, Option<StoredReceipt>> =
        places.into_iter().map(|place| (place.clone(), None)).collect();
    found.extend(rows.into_iter().map(|(account, key, hash, status, stream, version)| {
        (
            ReceiptKey { account: account.into(), key },
            Some(StoredReceipt::read((hash, status, stream, version))),
        )
    }));
    Ok(found)
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
pub(super) fn keep_one(
    connection: &mut SqliteConnection,
    ReceiptKey { account, key }: ReceiptKey,
    record: &StoredReceipt,
    at: Timestamp,
) -> Result<(), StoreError> {
    diesel::insert_into(idempotency::table)
        .values((
            idempotency::account.eq(Key::from(account)),
            idempotency::key.eq(key),
            idempotency::request_hash.eq(&record.request_hash),
            idempotency::status.eq(i16::try_from(record.status).unwrap_or(200)),
            idempotency::stream.eq(Key(record.stream)),
            idempotency::version.eq(record.version),
            idempotency::at.eq(Moment(at)),
        ))
        .execute(connection)?;
    Ok(())
}

/// Stores records.
///
/// # Errors
/// See [`keep_one`].
pub(super) async fn keep_all(
    asked: PipelinedConnection<'_>,
    records: HashMap<ReceiptKey, (StoredReceipt, Timestamp)>,
) -> Result<(), StoreError> {
    if records.is_empty() {
        return Ok(());
    }
    let rows = || records.iter().map(|(place, (record, at))| (place, record, *at));
    let keep = SqlStatement::<Pg>::new(
        "INSERT INTO idempotency (account, key, request_hash, status, stream, version, at) \
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::smallint[], $5::uuid[], $6::bigint[], \
         $7::timestamptz[])",
    )
    .array::<Id, _>(rows().map(|(place, ..)| Key::from(place.account)))
    .array::<Text, _>(rows().map(|(place, ..)| place.key.clone()))
    .array::<Binary, _>(rows().map(|(_, record, _)| record.request_hash.clone()))
    .array::<SmallInt, _>(rows().map(|(_, record, _)| i16::try_from(record.status).unwrap_or(200)))
    .array::<Id, _>(rows().map(|(_, record, _)| Key(record.stream)))
    .array::<BigInt, _>(rows().map(|(_, record, _)| record.version))
    .array::<UtcTime, _>(rows().map(|(.., at)| Moment(at)));
    asked.execute(keep).await.map(drop)
}

/// Deletes the records made before `before` and returns how many there were.
///
/// # Errors
/// The query failed.
pub fn forget(connection: &mut AnyConnection, before: Timestamp) -> Result<usize, StoreError> {
    Ok(diesel::delete(idempotency::table.filter(idempotency::at.lt(Moment(before)))).execute(connection)?)
}
