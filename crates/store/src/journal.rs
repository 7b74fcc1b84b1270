//! The journal: heads of streams, acts appended, acts read back.

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use uuid::Uuid;

use super::connection::{AnyConnection, on};
use super::schema::{journal, stream};
use super::types::{Json, Key, Moment};
use super::{StoreError, Transaction};
use owlbox_domain::journal::{Act, ActKind, Aggregate, BrokenHistory, Version, kind_of};
use owlbox_domain::values::{AccountId, ActId, Timestamp};

/// The stored kind of an undo.
pub const UNDONE: &str = "undone";
/// The stored kind of a redo.
pub const REDONE: &str = "redone";

/// One event as the journal keeps it, its aggregate's types forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Entry {
    /// The stream's version after it.
    pub version: Version,
    /// The act it belongs to.
    #[diesel(deserialize_as = Key)]
    pub act: ActId,
    pub kind: String,
    /// The format of its payload.
    pub format: i16,
    /// Its payload, a JSON object.
    #[diesel(deserialize_as = Json)]
    pub payload: String,
    #[diesel(deserialize_as = Key)]
    pub account: AccountId,
    #[diesel(deserialize_as = Moment)]
    pub at: Timestamp,
}

impl From<Json> for String {
    fn from(json: Json) -> Self {
        json.0
    }
}

/// The version of `id`, locked until the transaction ends, or `None` if there is no such stream of
/// that kind. (SQLite's one writer needs no lock.)
///
/// # Errors
/// The query failed.
pub fn lock_head(
    connection: &mut AnyConnection,
    id: Uuid,
    kind: &'static str,
) -> Result<Option<Version>, StoreError> {
    let query = stream::table.find(Key(id)).filter(stream::kind.eq(kind)).select(stream::version);
    Ok(match connection {
        AnyConnection::Sqlite(connection) => query.get_result(connection).optional()?,
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(connection) => query.for_update().get_result(connection).optional()?,
    })
}

/// The version of `id`, or `None` if there is no such stream of that kind.
///
/// # Errors
/// The query failed.
pub fn head(
    connection: &mut AnyConnection,
    id: Uuid,
    kind: &'static str,
) -> Result<Option<Version>, StoreError> {
    Ok(stream::table
        .find(Key(id))
        .filter(stream::kind.eq(kind))
        .select(stream::version)
        .get_result(connection)
        .optional()?)
}

/// Every stream of a kind, in order of id.
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

/// The head of every stream: its id, kind and version, in order of id.
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

/// Every stream that has entries, in order of id, whether or not it has a head.
///
/// # Errors
/// The query failed.
pub fn written(connection: &mut AnyConnection) -> Result<Vec<Uuid>, StoreError> {
    let ids: Vec<Key> =
        journal::table.select(journal::stream).distinct().order(journal::stream).load(connection)?;
    Ok(ids.into_iter().map(|id| id.0).collect())
}

/// Every entry of a kind, of all streams, each with its stream.
///
/// # Errors
/// The query failed.
pub fn of_kind(connection: &mut AnyConnection, kind: &str) -> Result<Vec<(Uuid, Entry)>, StoreError> {
    let rows: Vec<(Key, Entry)> = journal::table
        .filter(journal::kind.eq(kind))
        .order((journal::stream, journal::version))
        .select((journal::stream, columns()))
        .load(connection)?;
    Ok(rows.into_iter().map(|(stream, entry)| (stream.0, entry)).collect())
}

/// An act of which one entry says that another did it, or at another time, than its others, in one stream or in several: there
/// is none.
///
/// # Errors
/// The query failed.
pub fn at_odds(connection: &mut AnyConnection) -> Result<Option<ActId>, StoreError> {
    #[derive(QueryableByName)]
    struct Odd {
        #[diesel(sql_type = super::types::Id)]
        act: Key,
    }
    let query = "SELECT act FROM journal GROUP BY act HAVING COUNT(DISTINCT account) > 1 OR COUNT(DISTINCT at) > 1 LIMIT 1";
    let found: Option<Odd> = on!(connection, inner => diesel::sql_query(query).get_result(inner).optional())?;
    Ok(found.map(|odd| odd.act.into()))
}

/// Appends `act`, whose events follow version `before`; answers what was written. The caller holds the
/// stream's lock ([`lock_head`]), unless it begins the stream.
///
/// # Errors
/// Another has begun the stream: a conflict. The stream is not at `before`, which its lock should have
/// seen to.
pub fn append<A: Aggregate>(
    transaction: &mut Transaction<'_>,
    id: Uuid,
    before: Version,
    act: &Act<A::Event>,
) -> Result<Vec<Entry>, StoreError> {
    let connection = &mut *transaction.connection;
    if before == 0 {
        on!(connection, inner => diesel::insert_into(stream::table)
            .values((stream::id.eq(Key(id)), stream::kind.eq(A::KIND), stream::version.eq(act.version)))
            .execute(inner))?;
    } else {
        let moved = on!(connection, inner => diesel::update(stream::table.find(Key(id)).filter(stream::version.eq(before)))
            .set(stream::version.eq(act.version))
            .execute(inner))?;
        if moved != 1 {
            return Err(BrokenHistory(format!("stream {id} is not at version {before}")).into());
        }
    }
    let written = entries::<A>(act)?;
    for entry in &written {
        let payload = Json(entry.payload.clone());
        on!(connection, inner => diesel::insert_into(journal::table)
            .values((
                journal::stream.eq(Key(id)),
                journal::version.eq(entry.version),
                journal::act.eq(Key::from(entry.act)),
                journal::kind.eq(&entry.kind),
                journal::format.eq(entry.format),
                journal::payload.eq(&payload),
                journal::account.eq(Key::from(entry.account)),
                journal::at.eq(Moment(entry.at)),
            ))
            .execute(inner))?;
    }
    Ok(written)
}

/// `act` as the journal keeps it.
///
/// # Errors
/// An event cannot be written as JSON.
pub fn entries<A: Aggregate>(act: &Act<A::Event>) -> Result<Vec<Entry>, BrokenHistory> {
    let named = |kind: &'static str, acts: &[ActId]| {
        let payload = |act| (kind, serde_json::json!({ "event": kind, "act": act }).to_string());
        acts.iter().map(payload).collect()
    };
    let payloads: Vec<(&'static str, String)> = match &act.kind {
        ActKind::Undo(acts) => named(UNDONE, acts),
        ActKind::Redo(acts) => named(REDONE, acts),
        ActKind::Events(events) => events
            .iter()
            .map(|event| Ok((kind_of::<A>(event), serde_json::to_string(event)?)))
            .collect::<Result<_, serde_json::Error>>()
            .map_err(|error| BrokenHistory(error.to_string()))?,
    };
    let before = act.version - act.kind.versions();
    let entries = (before + 1..).zip(payloads).map(|(version, (kind, payload))| Entry {
        version,
        act: act.id,
        kind: kind.to_owned(),
        format: A::FORMAT,
        payload,
        account: act.by,
        at: act.at,
    });
    Ok(entries.collect())
}

/// The entries of a stream after `after`, at most `limit`, in order. A whole history is read with
/// `after` 0 and no limit.
///
/// # Errors
/// The query failed.
pub fn entries_after(
    connection: &mut AnyConnection,
    id: Uuid,
    after: Version,
    limit: Option<i64>,
) -> Result<Vec<Entry>, StoreError> {
    Ok(journal::table
        .filter(journal::stream.eq(Key(id)).and(journal::version.gt(after)))
        .order(journal::version)
        .limit(limit.unwrap_or(i64::MAX))
        .select(columns())
        .load(connection)?)
}

/// The entries of a stream before `before`, newest first, at most `limit`.
///
/// # Errors
/// The query failed.
pub fn entries_before(
    connection: &mut AnyConnection,
    id: Uuid,
    before: Version,
    limit: i64,
) -> Result<Vec<Entry>, StoreError> {
    Ok(journal::table
        .filter(journal::stream.eq(Key(id)).and(journal::version.lt(before)))
        .order(journal::version.desc())
        .limit(limit)
        .select(columns())
        .load(connection)?)
}

/// How many entries of these kinds an account wrote to a stream after a version.
///
/// # Errors
/// The query failed.
pub fn count_written(
    connection: &mut AnyConnection,
    id: Uuid,
    after: Version,
    kinds: &[&str],
    account: AccountId,
) -> Result<i64, StoreError> {
    Ok(journal::table
        .filter(journal::stream.eq(Key(id)).and(journal::version.gt(after)))
        .filter(journal::account.eq(Key::from(account)).and(journal::kind.eq_any(kinds)))
        .count()
        .get_result(connection)?)
}

/// When an account did the acts in which it wrote entries of these kinds to a stream after a version and a moment: the newest
/// first, at most `most`.
///
/// # Errors
/// The query failed.
pub fn written_since(
    connection: &mut AnyConnection,
    id: Uuid,
    after: Version,
    kinds: &[&str],
    account: AccountId,
    since: Timestamp,
    most: u16,
) -> Result<Vec<Timestamp>, StoreError> {
    let acts: Vec<(Key, Moment)> = journal::table
        .filter(journal::stream.eq(Key(id)).and(journal::version.gt(after)))
        .filter(journal::account.eq(Key::from(account)).and(journal::kind.eq_any(kinds)))
        .filter(journal::at.gt(Moment(since)))
        .select((journal::act, journal::at))
        .distinct()
        .order(journal::at.desc())
        .limit(most.into())
        .load(connection)?;
    Ok(acts.into_iter().map(|(_, at)| at.0).collect())
}

/// The entries of a kind that an account wrote to a stream at a moment, in order.
///
/// # Errors
/// The query failed.
pub fn written_at(
    connection: &mut AnyConnection,
    id: Uuid,
    kind: &str,
    account: AccountId,
    at: Timestamp,
) -> Result<Vec<Entry>, StoreError> {
    Ok(journal::table
        .filter(journal::stream.eq(Key(id)).and(journal::kind.eq(kind)))
        .filter(journal::account.eq(Key::from(account)).and(journal::at.eq(Moment(at))))
        .order(journal::version)
        .select(columns())
        .load(connection)?)
}

/// Entries read at a time where whole acts are wanted.
const READ: i64 = 256;
/// Entries after which no further act is begun where whole acts are wanted.
const MANY: usize = 2_000;
/// The same in bytes of their payloads: a draw of thousands is one entry.
const HEAVY: usize = 512 * 1024;

/// The newest acts of a stream before version `before`, newest first: at most `limit`, each with all its
/// entries in order. Fewer acts do not mean that there are no earlier ones: acts of very many entries, or of very long
/// ones, end a page early; but while there is one, one comes.
///
/// # Errors
/// The query failed.
pub fn acts_before(
    connection: &mut AnyConnection,
    id: Uuid,
    before: Version,
    limit: usize,
) -> Result<Vec<Vec<Entry>>, StoreError> {
    let mut acts: Vec<Vec<Entry>> = Vec::new();
    let mut next = before;
    let (mut read, mut bytes) = (0, 0);
    loop {
        let entries = entries_before(connection, id, next, READ)?;
        let at_the_beginning = i64::try_from(entries.len()).is_ok_and(|entries| entries < READ);
        read += entries.len();
        for entry in entries {
            let is_same = acts.last().and_then(|act| act.first()).is_some_and(|newer| newer.act == entry.act);
            if !is_same && bytes >= HEAVY {
                acts.iter_mut().for_each(|act| act.reverse());
                acts.truncate(limit);
                return Ok(acts);
            }
            next = entry.version;
            bytes += entry.payload.len();
            match acts.last_mut() {
                Some(act) if is_same => act.push(entry),
                _ => acts.push(vec![entry]),
            }
        }
        // An act is known to be whole once an earlier one begins, or the stream.
        if at_the_beginning || acts.len() > limit || (read >= MANY && acts.len() > 1) {
            if !at_the_beginning {
                acts.pop();
            }
            acts.truncate(limit);
            acts.iter_mut().for_each(|act| act.reverse());
            return Ok(acts);
        }
    }
}

type Columns = (
    journal::version,
    journal::act,
    journal::kind,
    journal::format,
    journal::payload,
    journal::account,
    journal::at,
);

const fn columns() -> Columns {
    (
        journal::version,
        journal::act,
        journal::kind,
        journal::format,
        journal::payload,
        journal::account,
        journal::at,
    )
}

/// The acts of `A`'s stream `id` up to and including version `up_to`.
///
/// # Errors
/// The query failed, or what is stored is broken.
pub fn acts<A: Aggregate>(
    connection: &mut AnyConnection,
    id: Uuid,
    up_to: Version,
) -> Result<Vec<Act<A::Event>>, StoreError> {
    // Versions count entries. (Were one missing, replay would find the gap.)
    Ok(group::<A>(&entries_after(connection, id, 0, Some(up_to))?)?)
}

/// Acts asked for at a time.
const ACTS: usize = 500;

/// The other streams that these acts of stream `id` are in as well, each with which of them.
///
/// # Errors
/// The query failed.
pub fn shared(
    connection: &mut AnyConnection,
    id: Uuid,
    acts: &[ActId],
) -> Result<BTreeMap<Uuid, BTreeSet<ActId>>, StoreError> {
    let mut shared: BTreeMap<Uuid, BTreeSet<ActId>> = BTreeMap::new();
    for acts in acts.chunks(ACTS) {
        let found: Vec<(Key, Key)> = journal::table
            .filter(journal::act.eq_any(acts.iter().map(|act| Key::from(*act))))
            .filter(journal::stream.ne(Key(id)))
            .select((journal::stream, journal::act))
            .distinct()
            .load(connection)?;
        for (stream, act) in found {
            shared.entry(stream.0).or_default().insert(act.into());
        }
    }
    Ok(shared)
}

/// The entries of one act in stream `id`, in order.
///
/// # Errors
/// The query failed.
pub fn entries_of(connection: &mut AnyConnection, id: Uuid, act: ActId) -> Result<Vec<Entry>, StoreError> {
    Ok(journal::table
        .filter(journal::stream.eq(Key(id)).and(journal::act.eq(Key::from(act))))
        .order(journal::version)
        .select(columns())
        .load(connection)?)
}

/// Puts entries, which come in order, together to the acts they belong to.
///
/// # Errors
/// An entry cannot be read.
pub fn group<A: Aggregate>(entries: &[Entry]) -> Result<Vec<Act<A::Event>>, BrokenHistory> {
    entries.chunk_by(|one, next| one.act == next.act).map(act::<A>).collect()
}

/// The act that these entries, all of them and in order, are.
///
/// # Errors
/// There are none, or one cannot be read.
pub fn act<A: Aggregate>(entries: &[Entry]) -> Result<Act<A::Event>, BrokenHistory> {
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
        return Err(BrokenHistory("an act without events".into()));
    };
    let kind = kind::<A>(first, entries)?;
    Ok(Act { id: first.act, version: last.version, at: first.at, by: first.account, kind })
}

fn kind<A: Aggregate>(first: &Entry, act: &[Entry]) -> Result<ActKind<A::Event>, BrokenHistory> {
    match first.kind.as_str() {
        UNDONE => named_acts(UNDONE, act).map(ActKind::Undo),
        REDONE => named_acts(REDONE, act).map(ActKind::Redo),
        _ => act
            .iter()
            .map(|entry| A::decode(entry.format, &entry.payload))
            .collect::<Result<_, _>>()
            .map(ActKind::Events),
    }
}

/// The acts that the entries of one undo or redo name, an entry each.
fn named_acts(kind: &str, entries: &[Entry]) -> Result<Vec<ActId>, BrokenHistory> {
    #[derive(serde::Deserialize)]
    struct Named {
        act: ActId,
    }
    let named = |entry: &Entry| match serde_json::from_str::<Named>(&entry.payload) {
        Ok(named) if entry.kind == kind => Ok(named.act),
        Ok(_) => Err(BrokenHistory(format!("{} in the middle of {kind}", entry.kind))),
        Err(error) => Err(BrokenHistory(format!("{}: {error}", entry.kind))),
    };
    entries.iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DatabaseUrl, Options, Store};
    use owlbox_domain::chouette::Chouette;
    use owlbox_domain::tournament::{Event, Tournament};

    /// So many entries the acts have: fewer, as many and more than are read at a time, and more than
    /// a page should hold.
    const LENGTHS: [usize; 9] = [1, 1000, 1000, 3, 255, 1, 256, 257, 2];

    fn written(store: &Store, id: Uuid) {
        store
            .write_blocking(move |transaction| {
                let mut before = 0;
                for (number, length) in (1..).zip(LENGTHS) {
                    let named = vec![ActId(Uuid::nil()); length];
                    let kind = ActKind::Undo(named);
                    let version = before + kind.versions();
                    let at = chrono::DateTime::UNIX_EPOCH.into();
                    let by = AccountId(Uuid::nil());
                    let act = Act { id: ActId(Uuid::from_u128(number)), version, at, by, kind };
                    append::<Chouette>(transaction, id, before, &act)?;
                    before = version;
                }
                Ok::<_, StoreError>(())
            })
            .unwrap();
    }

    #[test]
    fn acts_of_any_length_are_read_whole_page_by_page() {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
        let store = Store::open(&url, &Options::default()).unwrap();
        let id = Uuid::from_u128(1);
        written(&store, id);
        for limit in 1..=LENGTHS.len() + 1 {
            let (mut lengths, mut before) = (Vec::new(), Version::MAX);
            loop {
                let page = store
                    .read_blocking(move |connection| acts_before(connection, id, before, limit))
                    .unwrap();
                assert!(!page.is_empty() && page.len() <= limit);
                let entries: usize = page.iter().map(Vec::len).sum();
                assert!(entries <= MANY + 1256, "{entries} entries on a page");
                for act in &page {
                    assert!(act.windows(2).all(|two| two[0].version + 1 == two[1].version), "in order");
                    assert!(act.iter().all(|entry| entry.act == act[0].act));
                    lengths.push(act.len());
                }
                before = page.last().unwrap()[0].version;
                if before == 1 {
                    break;
                }
            }
            lengths.reverse();
            assert_eq!(lengths, LENGTHS, "{limit} a page");
        }
        let nothing = store.read_blocking(move |connection| acts_before(connection, id, 1, 5)).unwrap();
        assert!(nothing.is_empty());
    }

    #[test]
    fn a_page_of_heavy_acts_ends_early_and_none_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
        let store = Store::open(&url, &Options::default()).unwrap();
        let id = Uuid::from_u128(1);
        let seats = (0..60_000).map(|entry| AccountId(Uuid::from_u128(entry))).collect::<Vec<_>>();
        store
            .write_blocking(move |transaction| {
                for (number, version) in (1..=5).zip(1..) {
                    let kind = ActKind::Events(vec![Event::DirectorsChanged { directors: seats.clone() }]);
                    let (act, by) = (ActId(Uuid::from_u128(number)), AccountId(Uuid::nil()));
                    let act = Act { id: act, version, at: chrono::DateTime::UNIX_EPOCH.into(), by, kind };
                    append::<Tournament>(transaction, id, version - 1, &act)?;
                }
                Ok::<_, StoreError>(())
            })
            .unwrap();
        let read = |before| store.read_blocking(move |connection| acts_before(connection, id, before, 100));
        let first_of_each: Vec<Version> = std::iter::successors(Some(Version::MAX), |before| {
            Some(read(*before).unwrap().last()?[0].version)
        })
        .skip(1)
        .collect();
        assert_eq!(first_of_each, [5, 4, 3, 2, 1], "two megabytes each");
    }
}
