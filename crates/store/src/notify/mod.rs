//! Notifications between instances on PostgreSQL: which streams have grown, and that accounts or names have
//! changed. They are sent with the commit that did it, or right after it, so none is lost but with the
//! server. On SQLite there is only one instance.

mod listener;

use std::time::Instant;

use diesel::connection::{SimpleConnection as _, TransactionManager as _};
use diesel::dsl::sql;
use diesel::prelude::RunQueryDsl as _;
use diesel::sql_types::Text;
use uuid::Uuid;

use super::StoreError;
use super::connection::AnyConnection;
use super::postgres::PgConnection;
pub(super) use listener::NotificationListener;
pub use listener::Subscription;
use owlbox_base::journal::Version;

/// Tells which streams have grown: id, version, the instance that did it, and the schema.
const ACTS: &str = "owlbox_act";
/// Tells that accounts or proofs have changed, by the schema that they are in.
const ACCESS: &str = "owlbox_access";
/// Tells that names have changed, by the schema that they are in.
const NAMES: &str = "owlbox_names";
/// That schema, whatever the role and its search path.
const SCHEMA: &str =
    "(SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = 'account'::regclass)";

/// What is heard of one club.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notification {
    /// A stream has grown up to this version, by an act of this instance or another one.
    Grown { stream: Uuid, version: Version, own: bool },
    /// Accounts or proofs have changed: a role, a sign-out, a token that was revoked.
    Access,
    /// Names have changed.
    Names,
    /// Something may have been missed: the connection is new, or it was time to look.
    Unknown,
    /// The server answered what was asked at this moment. What was notified before then has been heard, if it
    /// was notified within the transaction that did it; what is told after its commit may be on its way.
    Alive(Instant),
}

/// Has all instances told, right after the [commit], up to which version streams have grown.
pub(super) fn grown(connection: &mut PgConnection, streams: impl Iterator<Item = (Uuid, Version)>) {
    let instance = connection.instance;
    connection.to_tell.extend(streams.map(|(stream, version)| format!("{stream} {version} {instance}")));
}

/// How much is to be told so far.
pub(super) const fn count(connection: &AnyConnection) -> usize {
    match connection {
        AnyConnection::Sqlite(_) => 0,
        AnyConnection::Postgres(connection) => connection.to_tell.len(),
    }
}

/// Forgets what was to be told since there was so much: it was rolled back.
pub(super) fn forget_after(connection: &mut AnyConnection, count: usize) {
    match connection {
        AnyConnection::Sqlite(_) => {}
        AnyConnection::Postgres(connection) => connection.to_tell.truncate(count),
    }
}

/// How every commit begins: it fails in a transaction that is spoilt, whose commit would be a rollback that
/// says nothing. And a commit that notifies of accounts and names waits for others that do, but no longer
/// than this.
const LIMIT: &str = "SET LOCAL lock_timeout = '2s'";

/// Commits, and tells all instances which streams have grown.
///
/// Who notifies within a transaction has its commit wait for everybody else's, until the disk has each of
/// them: that would be the pace of all clubs and instances of a database together. So this notifies by a
/// transaction of its own, which waits for no disk. Both are sent at once, and the server carries them out
/// whatever becomes of this instance then; and if the server ends in between, so do the connections of those
/// who listen, who then look for themselves.
///
/// # Errors
/// It was not committed; or that is unknown, because the connection was lost. Either way it has to be rolled
/// back.
pub(super) fn commit(connection: &mut AnyConnection) -> Result<(), StoreError> {
    let connection = match connection {
        AnyConnection::Sqlite(_) => return Ok(AnyConnection::commit_transaction(connection)?),
        AnyConnection::Postgres(connection) => connection,
    };
    let told = std::mem::take(&mut connection.to_tell);
    let telling = (!told.is_empty()).then(|| {
        format!(
            "SET LOCAL synchronous_commit = off; \
             SELECT pg_notify('{ACTS}', told || ' ' || {SCHEMA}) FROM unnest(ARRAY['{}']) AS told",
            told.join("', '")
        )
    });
    if let Err(error) = connection.commit(LIMIT, telling.as_deref())? {
        tracing::warn!(%error, "cannot notify other instances: they learn of the act when they next poll");
    }
    Ok(())
}

/// Tells all instances, with the commit of this transaction, that accounts or proofs have changed.
///
/// # Errors
/// The query failed.
pub fn notify_access_changed(connection: &mut AnyConnection) -> Result<(), StoreError> {
    within(connection, ACCESS)
}

/// Tells all instances, with the commit of this transaction, that names have changed.
///
/// # Errors
/// The query failed.
pub fn notify_names_changed(connection: &mut AnyConnection) -> Result<(), StoreError> {
    within(connection, NAMES)
}

/// Notifies within the transaction, on PostgreSQL. All who do so commit one after the other.
fn within(connection: &mut AnyConnection, channel: &str) -> Result<(), StoreError> {
    match connection {
        AnyConnection::Sqlite(_) => Ok(()),
        AnyConnection::Postgres(connection) => {
            Ok(connection.batch_execute(&format!("SELECT pg_notify('{channel}', {SCHEMA})"))?)
        }
    }
}

/// The schema that a club is in, by which it is told of.
///
/// # Errors
/// The query failed.
pub(super) fn schema(connection: &mut AnyConnection) -> Result<String, StoreError> {
    Ok(diesel::select(sql::<Text>(SCHEMA)).get_result(connection)?)
}
