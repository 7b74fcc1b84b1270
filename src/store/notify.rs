//! Word between instances on PostgreSQL: which streams have grown. On SQLite there is only one.

use std::collections::BTreeSet;
use std::time::Duration;

use uuid::Uuid;

use super::StoreError;
use super::connection::{AnyConnection, DatabaseUrl};

#[cfg(feature = "postgres")]
const CHANNEL: &str = "owlbox_act";
/// How often the connection is looked at: diesel cannot wait for a notification.
#[cfg(feature = "postgres")]
const FAST_POLL: Duration = Duration::from_millis(15);

/// Tells every instance that `streams` have grown.
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

/// Calls `heard` with every stream that some instance says has grown, and with `None` at the
/// beginning and every `slow_poll`, until it answers false.
///
/// # Errors
/// The connection was lost.
#[cfg_attr(not(feature = "postgres"), expect(unused_variables, reason = "SQLite has nobody to tell"))]
pub fn receive(
    url: &DatabaseUrl,
    slow_poll: Duration,
    heard: &mut dyn FnMut(Option<Uuid>) -> bool,
) -> Result<(), StoreError> {
    match super::connect(url, super::Use::Read)? {
        AnyConnection::Sqlite(_) => {}
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(mut connection) => {
            use diesel::prelude::*;
            diesel::sql_query(format!("LISTEN {CHANNEL}")).execute(&mut connection)?;
            let mut polled = std::time::Instant::now();
            if !heard(None) {
                return Ok(());
            }
            loop {
                for notification in connection.notifications_iter() {
                    if let Ok(stream) = Uuid::parse_str(&notification?.payload)
                        && !heard(Some(stream))
                    {
                        return Ok(());
                    }
                }
                if polled.elapsed() >= slow_poll {
                    polled = std::time::Instant::now();
                    if !heard(None) {
                        return Ok(());
                    }
                }
                std::thread::sleep(FAST_POLL);
            }
        }
    }
    Ok(())
}
