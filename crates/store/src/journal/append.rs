//! Appending to streams: what an act adds, collected in its transaction and written at the end of it.

use std::borrow::Cow;
use std::collections::HashMap;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, SmallInt, Text};
use diesel::sqlite::Sqlite;
use uuid::Uuid;

use super::Entry;
use super::heads::StreamHead;
use crate::StoreError;
use crate::postgres::{PipelinedConnection, in_order};
use crate::schema::{journal, stream};
use crate::statement::SqlStatement;
use crate::types::{Hash, Id, Json, JsonDoc, Key, Moment, UtcTime};
use owlbox_base::journal::{BrokenHistory, Version};

/// What is to be appended to a stream.
pub(crate) struct Growth {
    kind: &'static str,
    /// The version the stream must be at; 0 begins it.
    before: Version,
    /// In order, with their hashes.
    entries: Vec<(Entry, Hash)>,
}

impl Growth {
    /// A stream `id` of a kind grows by these entries from version `before`, whose entry has the hash `hash`.
    ///
    /// # Errors
    /// A payload is not JSON.
    pub(crate) fn chained(
        kind: &'static str,
        id: Uuid,
        before: Version,
        mut hash: Hash,
        entries: &[Entry],
    ) -> Result<Self, StoreError> {
        let mut chained = Vec::with_capacity(entries.len());
        for entry in entries {
            hash = entry.hash_after(&hash, id)?;
            chained.push((entry.clone(), hash));
        }
        Ok(Self { kind, before, entries: chained })
    }

    /// Where the stream will stand.
    pub(crate) fn head(&self) -> StreamHead {
        let hash = self.entries.last().map(|(_, hash)| *hash);
        StreamHead { kind: Cow::Borrowed(self.kind), version: self.after(), hash }
    }

    /// The version that the stream will be at.
    pub(crate) fn after(&self) -> Version {
        self.entries.last().map_or(self.before, |(entry, _)| entry.version)
    }

    /// Adds what comes after it.
    pub(crate) fn go_on(&mut self, later: Self) {
        debug_assert_eq!(self.after(), later.before, "an act follows the one before");
        self.entries.extend(later.entries);
    }
}

/// Appends to a stream, one row a statement: on SQLite a statement for every number of rows would have to be
/// prepared each time.
///
/// # Errors
/// It is not at the version before, which there being a single writer rules out unless the journal is broken.
pub(crate) fn write_one(
    connection: &mut SqliteConnection,
    id: Uuid,
    growth: &Growth,
) -> Result<(), StoreError> {
    let (before, after) = (growth.before, growth.after());
    if before == 0 {
        let row = (stream::id.eq(Key(id)), stream::kind.eq(growth.kind), stream::version.eq(after));
        diesel::insert_into(stream::table).values(row).execute(connection)?;
    } else {
        let moved = SqlStatement::<Sqlite>::new("UPDATE stream SET version = ? WHERE id = ? AND version = ?")
            .value::<BigInt, _>(after)
            .value::<Id, _>(Key(id))
            .value::<BigInt, _>(before)
            .execute(connection)?;
        if moved != 1 {
            return Err(BrokenHistory(format!("stream {id} is not at version {before}")).into());
        }
    }
    for (entry, hash) in &growth.entries {
        let payload = Json(entry.payload.clone());
        diesel::insert_into(journal::table)
            .values((
                journal::stream.eq(Key(id)),
                journal::version.eq(entry.version),
                journal::act.eq(Key::from(entry.act)),
                journal::kind.eq(&entry.kind),
                journal::format.eq(entry.format),
                journal::payload.eq(&payload),
                journal::account.eq(Key::from(entry.account)),
                journal::at.eq(Moment(entry.at)),
                journal::hash.eq(hash.0.to_vec()),
            ))
            .execute(connection)?;
    }
    Ok(())
}

/// Appends to these streams.
///
/// # Errors
/// Another transaction has begun one of them meanwhile, which is a [conflict](StoreError::is_conflict); or
/// one is not at the version before, which the lock rules out unless the journal is broken.
pub(crate) async fn write_all(
    asked: PipelinedConnection<'_>,
    streams: &HashMap<Uuid, Growth>,
) -> Result<(), StoreError> {
    if streams.is_empty() {
        return Ok(());
    }
    let (begun, moved): (Vec<_>, Vec<_>) = streams.iter().partition(|(_, growth)| growth.before == 0);
    in_order!(begin_all(asked, begun), move_all(asked, moved), write_entries(asked, streams)).map(drop)
}

/// Streams, each with what it grows by.
type Growths<'g> = Vec<(&'g Uuid, &'g Growth)>;

async fn begin_all(asked: PipelinedConnection<'_>, begun: Growths<'_>) -> Result<(), StoreError> {
    if begun.is_empty() {
        return Ok(());
    }
    let rows = SqlStatement::<Pg>::new(
        "INSERT INTO stream (id, kind, version) SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[])",
    )
    .array::<Id, _>(begun.iter().map(|(id, _)| Key(**id)))
    .array::<Text, _>(begun.iter().map(|(_, growth)| growth.kind))
    .array::<BigInt, _>(begun.iter().map(|(_, growth)| growth.after()));
    asked.execute(rows).await.map(drop)
}

async fn move_all(asked: PipelinedConnection<'_>, moved: Growths<'_>) -> Result<(), StoreError> {
    if moved.is_empty() {
        return Ok(());
    }
    let on = SqlStatement::<Pg>::new(
        "UPDATE stream SET version = moved.after FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS moved (id, before, after) \
         WHERE stream.id = moved.id AND stream.version = moved.before",
    )
    .array::<Id, _>(moved.iter().map(|(id, _)| Key(**id)))
    .array::<BigInt, _>(moved.iter().map(|(_, growth)| growth.before))
    .array::<BigInt, _>(moved.iter().map(|(_, growth)| growth.after()));
    if asked.execute(on).await? == moved.len() {
        return Ok(());
    }
    let ids: Vec<_> = moved.iter().map(|(id, growth)| format!("{id} at {}", growth.before)).collect();
    Err(BrokenHistory(format!("one of these streams is not there: {}", ids.join(", "))).into())
}

async fn write_entries(
    asked: PipelinedConnection<'_>,
    streams: &HashMap<Uuid, Growth>,
) -> Result<(), StoreError> {
    let rows = || {
        streams.iter().flat_map(|(id, growth)| growth.entries.iter().map(|(entry, hash)| (*id, entry, *hash)))
    };
    let entries = SqlStatement::<Pg>::new(
        "INSERT INTO journal (stream, version, act, kind, format, payload, account, at, hash) \
         SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[], $5::smallint[], $6::jsonb[], $7::uuid[], \
         $8::timestamptz[], $9::bytea[])",
    )
    .array::<Id, _>(rows().map(|(id, ..)| Key(id)))
    .array::<BigInt, _>(rows().map(|(_, entry, _)| entry.version))
    .array::<Id, _>(rows().map(|(_, entry, _)| Key::from(entry.act)))
    .array::<Text, _>(rows().map(|(_, entry, _)| entry.kind.clone()))
    .array::<SmallInt, _>(rows().map(|(_, entry, _)| entry.format))
    .array::<JsonDoc, _>(rows().map(|(_, entry, _)| Json(entry.payload.clone())))
    .array::<Id, _>(rows().map(|(_, entry, _)| Key::from(entry.account)))
    .array::<UtcTime, _>(rows().map(|(_, entry, _)| Moment(entry.at)))
    .array::<Binary, _>(rows().map(|(.., hash)| hash.0.to_vec()));
    asked.execute(entries).await.map(drop)
}
