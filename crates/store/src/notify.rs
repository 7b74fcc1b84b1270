//! Notifications between instances on PostgreSQL: which streams have grown. On SQLite there is only one
//! instance.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use secrecy::ExposeSecret as _;
use uuid::Uuid;

use super::connection::AnyConnection;
use super::postgres::Listening;
use super::{DatabaseUrl, StoreError};

const CHANNEL: &str = "owlbox_act";
/// How often a listener looks whether it is still wanted.
const WANTED_POLL: Duration = Duration::from_millis(50);

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
            diesel::sql_query(format!("SELECT pg_notify('{CHANNEL}', stream) FROM unnest($1) AS stream"))
                .bind::<Array<Text>, _>(streams)
                .execute(connection)?;
        }
    }
    Ok(())
}

/// Calls `heard` with every stream an instance reports as grown, until `wanted` returns false. Calls it with
/// `None` at the start and every `slow_poll`, because a notification may have been missed.
///
/// # Errors
/// The connection could not be opened, or was lost.
pub fn receive(
    url: &DatabaseUrl,
    slow_poll: Duration,
    wanted: &dyn Fn() -> bool,
    heard: &mut dyn FnMut(Option<Uuid>),
) -> Result<(), StoreError> {
    let DatabaseUrl::Postgres(url) = url else { return Ok(()) };
    let mut listening = Listening::start(url.expose_secret(), CHANNEL)?;
    let mut polled = None::<Instant>;
    while wanted() {
        if polled.is_none_or(|at| at.elapsed() >= slow_poll) {
            polled = Some(Instant::now());
            heard(None);
        }
        if let Some(payload) = listening.next(WANTED_POLL)?
            && let Ok(stream) = Uuid::parse_str(&payload)
        {
            heard(Some(stream));
        }
    }
    Ok(())
}
