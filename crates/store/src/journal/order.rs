//! One order for the acts of all streams, for those who follow the whole club.
//!
//! The journal has none: streams grow side by side, and on PostgreSQL what draws a number first may be
//! committed last. So the order is written afterwards, from what is committed, and only while somebody
//! follows: every row says that a stream has been found to have grown, from one version to another. Positions
//! begin at 1 and have no gaps. Two instances that write at once ask for the same position, and the second
//! waits until the first is committed, and then begins anew: so a row is visible before the next is made.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use uuid::Uuid;

use crate::StoreError;
use crate::connection::AnyConnection;
use crate::schema::{journal_order, stream};
use crate::statement::SqlStatement;
use crate::types::{Id, Key};
use owlbox_base::journal::Version;

/// Where a row stands in the order.
pub type Position = i64;

/// What a stream has grown by, in the order of all streams.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct OrderedGrowth {
    pub position: Position,
    #[diesel(deserialize_as = Key)]
    pub stream: Uuid,
    /// The kind of the stream.
    pub kind: String,
    /// The version of the stream before.
    pub before: Version,
    /// The version of the stream after; an act ends there.
    pub version: Version,
}

type Columns = (
    journal_order::position,
    journal_order::stream,
    stream::kind,
    journal_order::version_before,
    journal_order::version,
);

const COLUMNS: Columns = (
    journal_order::position,
    journal_order::stream,
    stream::kind,
    journal_order::version_before,
    journal_order::version,
);

/// The streams that have grown since their last row, in order of id.
///
/// # Errors
/// The query failed.
pub fn unordered(connection: &mut AnyConnection) -> Result<Vec<Uuid>, StoreError> {
    let grown: Vec<Key> = SqlStatement::<_, Id>::new(
        "SELECT id FROM stream WHERE version > COALESCE( \
         (SELECT MAX(known.version) FROM journal_order AS known WHERE known.stream = stream.id), 0) ORDER BY id",
    )
    .load(connection)?;
    Ok(grown.into_iter().map(|id| id.0).collect())
}

/// Writes at the end of the order what the stream has grown by, if it has.
///
/// # Errors
/// The query failed; another instance writes as well, which is a [conflict](StoreError::is_conflict).
pub fn write(connection: &mut AnyConnection, id: Uuid) -> Result<(), StoreError> {
    SqlStatement::<_>::new(
        "INSERT INTO journal_order (position, stream, version_before, version) \
         SELECT (SELECT COALESCE(MAX(position), 0) + 1 FROM journal_order), grown.id, grown.known, grown.version FROM ( \
             SELECT id, version, COALESCE( \
                 (SELECT MAX(known.version) FROM journal_order AS known WHERE known.stream = stream.id), 0) AS known \
             FROM stream WHERE id = $1 \
         ) AS grown WHERE grown.version > grown.known",
    )
    .value::<Id, _>(Key(id))
    .execute(connection)?;
    Ok(())
}

/// The rows from a position on, that one included, at most `limit`.
///
/// # Errors
/// The query failed.
pub fn rows_from(
    connection: &mut AnyConnection,
    position: Position,
    limit: i64,
) -> Result<Vec<OrderedGrowth>, StoreError> {
    Ok(journal_order::table
        .inner_join(stream::table)
        .filter(journal_order::position.ge(position))
        .order(journal_order::position)
        .limit(limit)
        .select(COLUMNS)
        .load(connection)?)
}

/// The last row.
///
/// # Errors
/// The query failed.
pub fn newest(connection: &mut AnyConnection) -> Result<Option<OrderedGrowth>, StoreError> {
    Ok(journal_order::table
        .inner_join(stream::table)
        .order(journal_order::position.desc())
        .select(COLUMNS)
        .first(connection)
        .optional()?)
}

/// Deletes all rows but the newest `kept`, and those that tell how far a stream is in the order.
///
/// # Errors
/// The query failed.
pub fn sweep(connection: &mut AnyConnection, kept: Position) -> Result<(), StoreError> {
    SqlStatement::<_>::new(
        "DELETE FROM journal_order WHERE position <= (SELECT MAX(position) FROM journal_order) - $1 \
         AND EXISTS (SELECT 1 FROM journal_order AS newer WHERE newer.stream = journal_order.stream AND newer.version > journal_order.version)",
    )
    .value::<BigInt, _>(kept)
    .execute(connection)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::ActKind;
    use crate::{DatabaseUrl, Options, Store};
    use owlbox_base::journal::Act;
    use owlbox_base::values::{AccountId, ActId};
    use owlbox_chouette::Chouette;

    fn grow(store: &Store, stream: u128, before: Version) {
        store
            .write_blocking(move |transaction| {
                let (id, by) = (ActId(Uuid::now_v7()), AccountId(Uuid::nil()));
                let kind = ActKind::Undo(vec![ActId(Uuid::nil())]);
                let act = Act { id, version: before + 1, at: chrono::DateTime::UNIX_EPOCH.into(), by, kind };
                transaction.append::<Chouette>(Uuid::from_u128(stream), before, &act)?;
                Ok::<_, StoreError>(())
            })
            .unwrap();
    }

    fn put_in_order(store: &Store) {
        let all = store.read_blocking(unordered).unwrap();
        let written = store.write_blocking(move |transaction| {
            let connection = transaction.connection()?;
            all.iter().try_for_each(|id| write(connection, *id))
        });
        written.unwrap();
    }

    fn told(store: &Store, from: Position) -> Vec<(Position, u128, Version, Version)> {
        let rows = store.read_blocking(|connection| rows_from(connection, from, 100)).unwrap();
        rows.into_iter().map(|row| (row.position, row.stream.as_u128(), row.before, row.version)).collect()
    }

    #[test]
    fn what_has_grown_is_written_once_and_what_is_old_is_forgotten_except_how_far_each_stream_is() {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
        let store = Store::open(&url, &Options::default()).unwrap();
        (0..3).for_each(|before| grow(&store, 1, before));
        grow(&store, 2, 0);
        put_in_order(&store);
        assert_eq!(told(&store, 0), [(1, 1, 0, 3), (2, 2, 0, 1)], "all that was before, at once");
        put_in_order(&store);
        assert_eq!(told(&store, 0).len(), 2, "nothing has grown");
        for before in 1..4 {
            grow(&store, 2, before);
            put_in_order(&store);
        }
        assert_eq!(told(&store, 3), [(3, 2, 1, 2), (4, 2, 2, 3), (5, 2, 3, 4)]);
        let sweep = |kept| store.write_blocking(move |to| sweep(to.connection()?, kept)).unwrap();
        sweep(10);
        assert_eq!(told(&store, 0).len(), 5, "there are not so many");
        sweep(2);
        assert_eq!(told(&store, 0), [(1, 1, 0, 3), (4, 2, 2, 3), (5, 2, 3, 4)]);
        grow(&store, 1, 3);
        put_in_order(&store);
        assert_eq!(told(&store, 6), [(6, 1, 3, 4)]);
        let newest = store.read_blocking(newest).unwrap().unwrap();
        assert_eq!((newest.position, newest.kind.as_str()), (6, "chouette"));
    }
}
