//! Notifications between instances on PostgreSQL: which streams have grown. On SQLite there is only one
//! instance.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use secrecy::ExposeSecret as _;
use uuid::Uuid;

use super::connection::AnyConnection;
use super::postgres::{Listening, Notified};
use super::{DatabaseUrl, StoreError};

/// Tells which streams have grown, by their ids.
const ACTS: &str = "owlbox_act";
/// Tells that accounts or proofs have changed, by the schema that they are in.
const ACCESS: &str = "owlbox_access";
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
    /// A stream has grown.
    Grown(Uuid),
    /// Accounts or proofs have changed: a role, a sign-out, a token that was revoked.
    Access,
    /// Something may have been missed: the connection is new, or it was time to look.
    Unknown,
    /// The server answered what was asked at this moment. What was notified before then has been heard, if it was
    /// notified within the transaction that did it.
    Alive(Instant),
}

/// Notifies all instances that `streams` have grown.
///
/// # Errors
/// The query failed.
pub fn send(connection: &mut AnyConnection, streams: &BTreeSet<Uuid>) -> Result<(), StoreError> {
    match connection {
        AnyConnection::Sqlite(_) => {}
        AnyConnection::Postgres(connection) => {
            use diesel::prelude::*;
            use diesel::sql_types::{Array, Text};
            let streams: Vec<String> = streams.iter().map(Uuid::to_string).collect();
            diesel::sql_query(format!("SELECT pg_notify('{ACTS}', stream) FROM unnest($1) AS stream"))
                .bind::<Array<Text>, _>(streams)
                .execute(connection)?;
        }
    }
    Ok(())
}

/// Tells all instances, with the commit of this transaction, that accounts or proofs have changed.
///
/// # Errors
/// The query failed.
pub fn access_changes(connection: &mut AnyConnection) -> Result<(), StoreError> {
    within(connection, ACCESS, SCHEMA)
}

/// Tells all instances, with the commit of this transaction, that a stream has grown. [`send`] does so after the commit,
/// which costs less and can be lost: the process may end between the two.
///
/// # Errors
/// The query failed.
pub fn grows(connection: &mut AnyConnection, stream: Uuid) -> Result<(), StoreError> {
    within(connection, ACTS, &format!("'{stream}'"))
}

/// Notifies within the transaction, on PostgreSQL. All who do so commit one after the other.
fn within(connection: &mut AnyConnection, channel: &str, payload: &str) -> Result<(), StoreError> {
    match connection {
        AnyConnection::Sqlite(_) => Ok(()),
        AnyConnection::Postgres(connection) => {
            Ok(connection.batch_execute(&format!("SELECT pg_notify('{channel}', {payload})"))?)
        }
    }
}

/// Calls `heard` with everything that is heard, until `wanted` returns false: with [`Heard::Unknown`] at the start and
/// every `slow_poll`, with [`Heard::Alive`] several times a second. On SQLite there is nobody to hear.
///
/// # Errors
/// The connection could not be opened, or was lost.
pub fn receive(
    url: &DatabaseUrl,
    slow_poll: Duration,
    wanted: &dyn Fn() -> bool,
    heard: &mut dyn FnMut(Heard),
) -> Result<(), StoreError> {
    let DatabaseUrl::Postgres(url) = url else { return Ok(()) };
    let mut listening = Listening::start(url.expose_secret(), &[ACTS, ACCESS])?;
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
                heard_of(&notified, schema.as_deref()).into_iter().for_each(&mut *heard);
            }
            alive = Some(asked);
            heard(Heard::Alive(asked));
        }
        if let Some(notified) = listening.next(WANTED_POLL)? {
            heard_of(&notified, schema.as_deref()).into_iter().for_each(&mut *heard);
        }
    }
    Ok(())
}

/// What a notification means; nothing if it is about another club of the same database.
fn heard_of(Notified { channel, payload }: &Notified, schema: Option<&str>) -> Option<Heard> {
    if channel == ACCESS {
        (Some(payload.as_str()) == schema).then_some(Heard::Access)
    } else {
        Uuid::parse_str(payload).ok().map(Heard::Grown)
    }
}
