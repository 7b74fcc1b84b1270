//! Notifications between instances on PostgreSQL: which streams have grown, and that accounts or names have changed. They
//! are sent with the commit that did it, or right after it, so none is lost but with the server. On SQLite there is only one
//! instance.

use std::time::{Duration, Instant};

use diesel::connection::{SimpleConnection as _, TransactionManager as _};
use secrecy::ExposeSecret as _;
use uuid::Uuid;

use super::connection::AnyConnection;
use super::postgres::{Listening, Notified, PgConnection};
use super::{DatabaseUrl, StoreError};
use owlbox_domain::journal::Version;

/// Tells which streams have grown: id, version, the instance that did it, and the schema.
const ACTS: &str = "owlbox_act";
/// Tells that accounts or proofs have changed, by the schema that they are in.
const ACCESS: &str = "owlbox_access";
/// Tells that names have changed, by the schema that they are in.
const NAMES: &str = "owlbox_names";
/// That schema, whatever the role and its search path.
const SCHEMA: &str =
    "(SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = 'account'::regclass)";
/// The process at the server that serves a connection. A proxy may give one connection several in turn, and then
/// the one that listens is not the one that answers.
const BACKEND: &str = "SELECT pg_backend_pid()";
/// How long a listener waits for a notification before it looks whether it is still wanted.
const WANTED_POLL: Duration = Duration::from_millis(50);
/// How often a listener asks whether the server is still there.
const ALIVE_POLL: Duration = Duration::from_millis(300);

/// What a listener hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A stream has grown up to this version, by an act of this instance or another one.
    Grown { stream: Uuid, version: Version, own: bool },
    /// Accounts or proofs have changed: a role, a sign-out, a token that was revoked.
    Access,
    /// Names have changed.
    Names,
    /// Something may have been missed: the connection is new, or it was time to look.
    Unknown,
    /// The server answered what was asked at this moment. What was notified before then has been heard, if it was
    /// notified within the transaction that did it; what is told after its commit may be on its way.
    Alive(Instant),
}

/// Has all instances told, right after the [commit], up to which version streams have grown.
pub(super) fn grown(connection: &mut PgConnection, streams: impl Iterator<Item = (Uuid, Version)>) {
    let instance = connection.instance;
    connection.to_tell.extend(streams.map(|(stream, version)| format!("{stream} {version} {instance}")));
}

/// Commits, and tells all instances which streams have grown.
///
/// Who notifies within a transaction has its commit wait for everybody else's, until the disk has each of them: that would
/// be the pace of all clubs and instances of a database together. So this notifies by a transaction of its own, which waits for
/// no disk. Both are one message to the server, which carries it out whatever becomes of this instance; and if the
/// server ends in between, so do the connections of those who listen, who then look for themselves.
///
/// # Errors
/// It was not committed; or that is unknown, because the connection was lost. Either way it has to be rolled back.
pub(super) fn commit(connection: &mut AnyConnection) -> Result<(), StoreError> {
    if let AnyConnection::Postgres(postgres) = connection
        && !postgres.to_tell.is_empty()
    {
        let told = postgres.to_tell.join("', '");
        // Ends the transaction, and begins another one for its manager to end.
        postgres.batch_execute(&format!(
            "COMMIT; BEGIN; SET LOCAL synchronous_commit = off; \
             SELECT pg_notify('{ACTS}', told || ' ' || {SCHEMA}) FROM unnest(ARRAY['{told}']) AS told"
        ))?;
        if let Err(error) = AnyConnection::commit_transaction(connection) {
            tracing::warn!(%error, "other instances learn of an act only when they look");
        }
        return Ok(());
    }
    Ok(AnyConnection::commit_transaction(connection)?)
}

/// Tells all instances, with the commit of this transaction, that accounts or proofs have changed.
///
/// # Errors
/// The query failed.
pub fn access_changes(connection: &mut AnyConnection) -> Result<(), StoreError> {
    within(connection, ACCESS)
}

/// Tells all instances, with the commit of this transaction, that names have changed.
///
/// # Errors
/// The query failed.
pub fn names_change(connection: &mut AnyConnection) -> Result<(), StoreError> {
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

/// Calls `heard` with everything that is heard, until `wanted` returns false: with [`Heard::Unknown`] at the start and
/// every `slow_poll`, with [`Heard::Alive`] several times a second. On SQLite there is nobody to hear. `instance` is that
/// of the [store](super::Store::instance) that listens.
///
/// # Errors
/// The connection could not be opened, or was lost.
pub fn receive(
    url: &DatabaseUrl,
    instance: Uuid,
    slow_poll: Duration,
    wanted: &dyn Fn() -> bool,
    heard: &mut dyn FnMut(Heard),
) -> Result<(), StoreError> {
    let DatabaseUrl::Postgres(url) = url else { return Ok(()) };
    let mut listening = Listening::start(url.expose_secret(), &[ACTS, ACCESS, NAMES])?;
    let schema = listening.ask(&format!("SELECT {SCHEMA}"))?;
    let backend = listening.ask(BACKEND)?;
    let (mut polled, mut alive) = (None::<Instant>, None::<Instant>);
    let is_due = |last: Option<Instant>, every| last.is_none_or(|at| at.elapsed() >= every);
    while wanted() {
        if is_due(polled, slow_poll) {
            polled = Some(Instant::now());
            heard(Heard::Unknown);
        }
        if is_due(alive, ALIVE_POLL) {
            let asked = Instant::now();
            if listening.ask(BACKEND)? != backend {
                let proxy = "a proxy shares this connection, so notifications get lost";
                return Err(StoreError::Connection(diesel::ConnectionError::BadConnection(proxy.into())));
            }
            while let Some(notified) = listening.next(Duration::ZERO)? {
                heard_of(&notified, schema.as_deref(), instance).into_iter().for_each(&mut *heard);
            }
            alive = Some(asked);
            heard(Heard::Alive(asked));
        }
        if let Some(notified) = listening.next(WANTED_POLL)? {
            heard_of(&notified, schema.as_deref(), instance).into_iter().for_each(&mut *heard);
        }
    }
    Ok(())
}

/// What a notification means; nothing if it is about another club of the same database.
fn heard_of(Notified { channel, payload }: &Notified, schema: Option<&str>, instance: Uuid) -> Option<Heard> {
    let is_ours = || Some(payload.as_str()) == schema;
    match channel.as_str() {
        ACCESS => is_ours().then_some(Heard::Access),
        NAMES => is_ours().then_some(Heard::Names),
        _ => {
            let mut parts = payload.splitn(4, ' ');
            let stream = Uuid::parse_str(parts.next()?).ok()?;
            // An earlier version of this program says the stream alone.
            let version = parts.next().map_or(Some(Version::MAX), |version| version.parse().ok())?;
            let own = parts.next().is_some_and(|by| Uuid::parse_str(by) == Ok(instance));
            let elsewhere = parts.next().is_some_and(|by| Some(by) != schema);
            (!elsewhere).then_some(Heard::Grown { stream, version, own })
        }
    }
}
