//! Where streams stand: their versions, and the locks on them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Text};
use uuid::Uuid;

use crate::StoreError;
use crate::connection::AnyConnection;
use crate::postgres::PipelinedConnection;
use crate::schema::stream;
use crate::statement::SqlStatement;
use crate::types::{Hash, Id, Key};
use owlbox_base::journal::Version;

/// Where a stream stands.
#[derive(Clone, Debug)]
pub(crate) struct StreamHead {
    pub(super) kind: Cow<'static, str>,
    pub(super) version: Version,
    /// The hash of the newest entry, if it was read.
    pub(crate) hash: Option<Hash>,
}

/// Id, kind and version.
type HeadRow = (Key, String, Version);

impl StreamHead {
    fn read((id, kind, version): HeadRow) -> (Uuid, Self) {
        (id.0, Self { kind: kind.into(), version, hash: None })
    }

    /// That of a stream of this kind.
    pub(crate) const fn at(kind: &'static str, version: Version) -> Self {
        Self { kind: Cow::Borrowed(kind), version, hash: None }
    }

    /// The version, if the stream is of this kind.
    pub(crate) fn version_of(&self, kind: &str) -> Option<Version> {
        (self.kind == kind).then_some(self.version)
    }

    /// The hash of the entry with this version, if it is the newest.
    pub(crate) fn hash_at(&self, version: Version) -> Option<Hash> {
        self.hash.filter(|_| self.version == version)
    }
}

/// The current version of a stream, locked until the transaction ends; `None` if there is no stream `id` of
/// this kind. (SQLite's single writer needs no lock.)
pub(crate) fn lock_head(
    connection: &mut AnyConnection,
    id: Uuid,
    kind: &'static str,
) -> Result<Option<Version>, StoreError> {
    let query = stream::table.find(Key(id)).filter(stream::kind.eq(kind)).select(stream::version);
    Ok(match connection {
        AnyConnection::Sqlite(connection) => query.get_result(connection).optional()?,
        AnyConnection::Postgres(connection) => query.for_update().get_result(connection).optional()?,
    })
}

/// Locks these streams, in one order, and returns their heads. Those that do not exist, or are of another
/// kind, are left out.
pub(crate) async fn lock_heads(
    asked: PipelinedConnection<'_>,
    streams: &BTreeSet<(Uuid, &'static str)>,
) -> Result<HashMap<Uuid, StreamHead>, StoreError> {
    if streams.is_empty() {
        return Ok(HashMap::new());
    }
    let locked = SqlStatement::<Pg, (Id, Text, BigInt)>::new(
        "SELECT stream.id, stream.kind, version FROM stream \
         JOIN unnest($1::uuid[], $2::text[]) AS asked (id, kind) ON stream.id = asked.id AND stream.kind = asked.kind \
         ORDER BY stream.id FOR UPDATE OF stream",
    )
    .array::<Id, _>(streams.iter().map(|(id, _)| Key(*id)))
    .array::<Text, _>(streams.iter().map(|(_, kind)| *kind));
    let rows: Vec<HeadRow> = asked.load(locked).await?;
    Ok(rows.into_iter().map(StreamHead::read).collect())
}

/// The hashes of the newest entries of streams, which are asked for after the streams are locked: they may
/// have grown while they were waited for.
pub(crate) async fn newest_hashes(
    asked: PipelinedConnection<'_>,
    streams: &BTreeSet<(Uuid, &'static str)>,
) -> Result<Vec<(Uuid, Hash)>, StoreError> {
    if streams.is_empty() {
        return Ok(Vec::new());
    }
    let newest = SqlStatement::<Pg, (Id, Binary)>::new(
        "SELECT journal.stream, hash FROM stream \
         JOIN journal ON journal.stream = stream.id AND journal.version = stream.version \
         WHERE stream.id = ANY($1) AND hash IS NOT NULL",
    )
    .array::<Id, _>(streams.iter().map(|(id, _)| Key(*id)));
    let rows: Vec<(Key, Vec<u8>)> = asked.load(newest).await?;
    rows.into_iter().map(|(id, hash)| Ok((id.0, Hash::try_from(&*hash)?))).collect()
}

/// The heads of these streams. Those that do not exist are left out.
pub(crate) async fn heads_of(
    asked: PipelinedConnection<'_>,
    ids: &BTreeSet<Uuid>,
) -> Result<HashMap<Uuid, StreamHead>, StoreError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let heads = stream::table
        .filter(stream::id.eq_any(ids.iter().copied().map(Key).collect::<Vec<_>>()))
        .select((stream::id, stream::kind, stream::version));
    let rows: Vec<HeadRow> = asked.load(heads).await?;
    Ok(rows.into_iter().map(StreamHead::read).collect())
}

/// The current version of a stream; `None` if there is no stream `id` of this kind.
///
/// # Errors
/// The query failed.
pub fn head(
    connection: &mut AnyConnection,
    id: Uuid,
    kind: &'static str,
) -> Result<Option<Version>, StoreError> {
    let head = SqlStatement::<_, BigInt>::new("SELECT version FROM stream WHERE id = $1 AND kind = $2")
        .value::<Id, _>(Key(id))
        .value::<Text, _>(kind);
    Ok(head.get_result(connection).optional()?)
}

/// The ids and current versions of all streams of a kind, in order of id.
///
/// # Errors
/// The query failed.
pub fn streams(connection: &mut AnyConnection, kind: &str) -> Result<Vec<(Uuid, Version)>, StoreError> {
    let rows: Vec<(Key, Version)> = stream::table
        .filter(stream::kind.eq(kind))
        .order(stream::id)
        .select((stream::id, stream::version))
        .load(connection)?;
    Ok(rows.into_iter().map(|(id, version)| (id.0, version)).collect())
}

/// The id, kind and current version of every stream, in order of id.
///
/// # Errors
/// The query failed.
pub fn heads(connection: &mut AnyConnection) -> Result<Vec<(Uuid, String, Version)>, StoreError> {
    let rows: Vec<(Key, String, Version)> = stream::table
        .order(stream::id)
        .select((stream::id, stream::kind, stream::version))
        .load(connection)?;
    Ok(rows.into_iter().map(|(id, kind, version)| (id.0, kind, version)).collect())
}
