//! The journal: the streams' current versions, and their entries, appended and read back.
//!
//! An act has one entry per event in each of its streams; an undo or redo one per act it names. Entries are
//! never deleted, and changed only where a person is erased ([`erasing`](super::erasing)).

mod append;
mod heads;
pub mod order;

use std::collections::{BTreeMap, BTreeSet};

use diesel::dsl::count;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Nullable};
use uuid::Uuid;

pub(super) use self::append::{Growth, write_all, write_one};
pub(super) use self::heads::{StreamHead, heads_of, lock_head, lock_heads, newest_hashes};
pub use self::heads::{head, heads, streams};
use super::StoreError;
use super::chain::Content;
use super::connection::AnyConnection;
use super::schema::{journal, stream};
use super::statement::SqlStatement;
use super::types::{Hash, Id, Json, Key, Moment};
use owlbox_base::journal::{Act, ActKind, Aggregate, BrokenHistory, Version, kind_of};
use owlbox_base::values::{AccountId, ActId, Timestamp};

/// The stored kind of an undo entry.
pub const UNDONE: &str = "undone";
/// The stored kind of a redo entry.
pub const REDONE: &str = "redone";

/// An event as stored, without its aggregate's types.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Entry {
    /// The version of the stream after it.
    pub version: Version,
    #[diesel(deserialize_as = Key)]
    pub act: ActId,
    pub kind: String,
    /// The format the payload was written in; older ones are converted when decoded.
    pub format: i16,
    /// A JSON object.
    #[diesel(deserialize_as = Json)]
    pub payload: String,
    #[diesel(deserialize_as = Key)]
    pub account: AccountId,
    #[diesel(deserialize_as = Moment)]
    pub at: Timestamp,
}

impl Entry {
    /// The hash of the entry if it follows, in stream `id`, the one with hash `before`; the first follows
    /// [`Hash::default`].
    ///
    /// # Errors
    /// Its payload is not JSON.
    pub fn hash_after(&self, before: &Hash, id: Uuid) -> Result<Hash, StoreError> {
        let Entry { version, act, kind, format, payload, account, at } = self;
        let mut content = Content::after(before);
        content.id(id);
        content.number(*version);
        content.id(act.0);
        content.text(kind);
        content.number((*format).into());
        content.id(account.0);
        content.moment(Moment(*at));
        let payload = serde_json::from_str(payload)
            .map_err(|error| BrokenHistory(format!("stream {id}, version {version}: {error}")))?;
        content.json(&payload);
        Ok(content.hash())
    }
}

impl From<Json> for String {
    fn from(json: Json) -> Self {
        json.0
    }
}

/// The ids of all streams with entries, in order, including streams without a row of their own.
///
/// # Errors
/// The query failed.
pub fn streams_with_entries(connection: &mut AnyConnection) -> Result<Vec<Uuid>, StoreError> {
    let ids: Vec<Key> =
        journal::table.select(journal::stream).distinct().order(journal::stream).load(connection)?;
    Ok(ids.into_iter().map(|id| id.0).collect())
}

/// Every entry of a kind in any stream, with the stream's id.
///
/// # Errors
/// The query failed.
pub fn entries_of_kind(connection: &mut AnyConnection, kind: &str) -> Result<Vec<(Uuid, Entry)>, StoreError> {
    let rows: Vec<(Key, Entry)> = journal::table
        .filter(journal::kind.eq(kind))
        .order((journal::stream, journal::version))
        .select((journal::stream, columns()))
        .load(connection)?;
    Ok(rows.into_iter().map(|(stream, entry)| (stream.0, entry)).collect())
}

/// The entries of these kinds in all streams of a kind, with the stream's id, in order.
///
/// # Errors
/// The query failed.
pub fn entries_of_kinds(
    connection: &mut AnyConnection,
    of: &str,
    kinds: &[&str],
) -> Result<Vec<(Uuid, Entry)>, StoreError> {
    let rows: Vec<(Key, Entry)> = journal::table
        .inner_join(stream::table)
        .filter(stream::kind.eq(of).and(journal::kind.eq_any(kinds)))
        .order((journal::stream, journal::version))
        .select((journal::stream, columns()))
        .load(connection)?;
    Ok(rows.into_iter().map(|(stream, entry)| (stream.0, entry)).collect())
}

/// An act whose entries disagree on who did it or when, within a stream or between several. There is none in
/// an intact journal.
///
/// # Errors
/// The query failed.
pub fn contradictory_act(connection: &mut AnyConnection) -> Result<Option<ActId>, StoreError> {
    let contradictory =
        count(journal::account).aggregate_distinct().gt(1).or(count(journal::at).aggregate_distinct().gt(1));
    let acts = journal::table.group_by(journal::act).having(contradictory).select(journal::act);
    let found: Option<Key> = acts.first(connection).optional()?;
    Ok(found.map(ActId::from))
}

/// The hash of the entry with this version; that of no entry before the first.
pub(super) fn hash_at(
    connection: &mut AnyConnection,
    id: Uuid,
    version: Version,
) -> Result<Hash, StoreError> {
    if version == 0 {
        return Ok(Hash::default());
    }
    let query = "SELECT hash FROM journal WHERE stream = $1 AND version = $2";
    let found: Option<Vec<u8>> = SqlStatement::<_, Nullable<Binary>>::new(query)
        .value::<Id, _>(Key(id))
        .value::<BigInt, _>(version)
        .get_result(connection)?;
    Hash::try_from(&*found.unwrap_or_default())
}

/// The hash of every entry of a stream, in order of version; `None` where it has none.
///
/// # Errors
/// The query failed.
pub fn hashes(connection: &mut AnyConnection, id: Uuid) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
    Ok(journal::table
        .filter(journal::stream.eq(Key(id)))
        .order(journal::version)
        .select(journal::hash)
        .load(connection)?)
}

/// The entries of `act` as they are stored.
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
            .map(|event| Ok((kind_of::<A>(event), Box::<str>::from(A::encode(event)?).into_string())))
            .collect::<Result<_, BrokenHistory>>()?,
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

/// The entries of a stream after version `after`, in order, at most `limit`. The whole history is `after` 0
/// without a limit.
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

/// The entries of a stream before version `before`, newest first, at most `limit`.
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

/// Who wrote the entries of these versions of a stream.
///
/// # Errors
/// The query failed.
pub fn authors(
    connection: &mut AnyConnection,
    id: Uuid,
    versions: &[Version],
) -> Result<BTreeMap<Version, AccountId>, StoreError> {
    let rows: Vec<(Version, Key)> = journal::table
        .filter(journal::stream.eq(Key(id)).and(journal::version.eq_any(versions)))
        .select((journal::version, journal::account))
        .load(connection)?;
    Ok(rows.into_iter().map(|(version, account)| (version, account.into())).collect())
}

/// The number of entries of these kinds that an account wrote to a stream after version `after`.
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

/// The times of an account's acts with entries of these kinds in a stream, after version `after` and later
/// than `since`: newest first, at most `most`.
///
/// # Errors
/// The query failed.
pub fn act_times_since(
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

/// The entries of a kind that an account wrote to a stream at exactly `at`, in order.
///
/// # Errors
/// The query failed.
pub fn entries_written_at(
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

/// How many entries [`acts_before`] reads at a time.
const READ: i64 = 256;
/// After this many entries, [`acts_before`] starts no further act.
const MANY: usize = 2_000;
/// The same limit in bytes of payload: the draw of a large tournament is a single entry.
const HEAVY: usize = 512 * 1024;

/// The newest acts of a stream before version `before`, newest first, each with all of its entries in order.
/// At most `limit`, and fewer where acts have very many or very large entries; but at least one, as long as
/// there is one. So a short page does not mean that the stream begins there.
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
        // Only an entry of an earlier act, or the stream's beginning, shows that the last act read is
        // complete.
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

/// The acts of a stream of `A` up to and including version `up_to`.
///
/// # Errors
/// The query failed, or an entry cannot be decoded.
pub fn acts<A: Aggregate>(
    connection: &mut AnyConnection,
    id: Uuid,
    up_to: Version,
) -> Result<Vec<Act<A::Event>>, StoreError> {
    acts_between::<A>(connection, id, 0, up_to)
}

/// The acts of a stream of `A` after version `after`, where an act ends, up to and including version `up_to`.
///
/// # Errors
/// The query failed, or an entry cannot be decoded.
pub fn acts_between<A: Aggregate>(
    connection: &mut AnyConnection,
    id: Uuid,
    after: Version,
    up_to: Version,
) -> Result<Vec<Act<A::Event>>, StoreError> {
    // Versions count entries, so this limit reads exactly that far. Replay would notice a gap.
    Ok(group::<A>(&entries_after(connection, id, after, Some(up_to - after))?)?)
}

/// How many acts one query names; both databases limit the parameters of a query.
const ACTS: usize = 500;

/// The other streams these acts of stream `id` have entries in, with the acts concerned.
///
/// # Errors
/// The query failed.
pub fn acts_in_other_streams(
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

/// Groups consecutive entries of a stream into acts.
///
/// # Errors
/// An entry cannot be decoded.
pub fn group<A: Aggregate>(entries: &[Entry]) -> Result<Vec<Act<A::Event>>, BrokenHistory> {
    entries.chunk_by(|one, next| one.act == next.act).map(act::<A>).collect()
}

/// Decodes an act from all of its entries, in order.
///
/// # Errors
/// There are no entries, or one cannot be decoded.
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

/// The acts that an undo or redo names, one per entry.
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
    use owlbox_chouette::Chouette;
    use owlbox_play::tournament::{Event, Tournament};

    /// Numbers of entries per act: fewer than, as many as and more than are read at a time, and more than a
    /// page should hold.
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
                    transaction.append::<Chouette>(id, before, &act)?;
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
                    transaction.append::<Tournament>(id, version - 1, &act)?;
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
