//! Notifications between instances on PostgreSQL: which streams have grown. On SQLite there is only one
//! instance.

use std::collections::BTreeSet;
use std::time::Duration;

use uuid::Uuid;

use super::connection::AnyConnection;
use super::{DatabaseUrl, StoreError};

#[cfg(feature = "postgres")]
const CHANNEL: &str = "owlbox_act";
/// How often the connection is polled: Diesel cannot block until a notification arrives.
#[cfg(feature = "postgres")]
const FAST_POLL: Duration = Duration::from_millis(15);

/// Notifies all instances that `streams` have grown.
///
/// # Errors
/// The query failed.
#[cfg_attr(not(feature = "postgres"), expect(unused_variables, reason = "SQLite has nobody to tell"))]
pub fn send(connection: &mut AnyConnection, streams: &BTreeSet<Uuid>) -> Result<(), StoreError> {
    match connection {
        AnyConnection::Sqlite(_) => {}
        #[cfg(feature = "postgres")]
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
#[cfg_attr(not(feature = "postgres"), expect(unused_variables, reason = "SQLite has nobody to hear"))]
pub fn receive(
    url: &DatabaseUrl,
    slow_poll: Duration,
    wanted: &dyn Fn() -> bool,
    heard: &mut dyn FnMut(Option<Uuid>),
) -> Result<(), StoreError> {
    match super::connect(url, super::Use::Read)? {
        AnyConnection::Sqlite(_) => {}
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(mut connection) => {
            use diesel::prelude::*;
            diesel::sql_query(format!("LISTEN {CHANNEL}")).execute(&mut connection)?;
            let mut polled = None::<std::time::Instant>;
            while wanted() {
                if polled.is_none_or(|at| at.elapsed() >= slow_poll) {
                    polled = Some(std::time::Instant::now());
                    heard(None);
                }
                for notification in connection.notifications_iter() {
                    if let Ok(stream) = Uuid::parse_str(&notification?.payload) {
                        heard(Some(stream));
                    }
                }
                std::thread::sleep(FAST_POLL);
            }
        }
    }
    Ok(())
}
