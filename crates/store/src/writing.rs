//! Writing on PostgreSQL: a unit of work that is not carried out together with others ([`grouping`]) has a
//! transaction of its own and is run again after a conflict.
//!
//! Only half of the pool's connections write at a time, that of group commit included, so that commands
//! waiting for a locked row leave the other half to readers. A command that gets no place in time is refused
//! as busy.

use std::time::Duration;

use diesel::connection::TransactionManager as _;

use super::places::Places;
use super::together::grouping;
use super::transaction::{Outcome, Work};
use super::{AnyConnection, Options, StoreError, Transaction, notify};

/// How often a unit of work is tried when it meets conflicts, the first time included.
const TRIES: u32 = 10;

/// How many commands may write at a time on so many connections: half of them, but at least one.
#[must_use]
pub const fn most_writing(pool_size: u32) -> u32 {
    if pool_size < 2 { 1 } else { pool_size / 2 }
}

/// The places for those who write by themselves.
pub(super) fn places(options: &Options) -> Places {
    let grouping = u32::from(options.pool_size >= grouping::FEWEST_CONNECTIONS);
    let places = most_writing(options.pool_size) - grouping;
    Places::new(usize::try_from(places).unwrap_or(1), options.queue_limit)
}

/// Runs `work` in its own transaction, and again after a conflict.
///
/// # Errors
/// What `work` returns; [`StoreError::Busy`] if it waited too long for a row; or the commit failed.
pub(super) fn in_own_transaction(connection: &mut AnyConnection, mut work: Work) -> Outcome {
    let mut tries = 1;
    loop {
        match in_transaction(connection, &mut work) {
            Err(error) if tries < TRIES && error.store_error().is_some_and(StoreError::is_conflict) => {
                // Waits a little longer each time, so that those in conflict spread out.
                std::thread::sleep(Duration::from_millis(u64::from(tries)));
                tries += 1;
            }
            answer => return answer,
        }
    }
}

/// Runs one unit of work in its own transaction.
fn in_transaction(connection: &mut AnyConnection, work: &mut Work) -> Outcome {
    AnyConnection::begin_transaction(connection).map_err(StoreError::from)?;
    match Transaction::new(connection, &[], None).run(work) {
        Ok((value, made)) => {
            notify::commit(connection).map_err(|error| {
                drop(AnyConnection::rollback_transaction(connection));
                // `Lost` says that nothing was kept. Of a commit without an answer nobody knows that.
                if let StoreError::Lost(lost) = error { StoreError::Commit(lost.to_string()) } else { error }
            })?;
            made.after.into_iter().for_each(|action| action());
            Ok(value)
        }
        Err(error) => {
            // If this fails too, the pool does not reuse the connection.
            drop(AnyConnection::rollback_transaction(connection));
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn half_of_the_connections_write_and_so_many_wait_for_a_while() {
        let places = places(&Options { pool_size: 6, queue_limit: 1, ..Options::default() });
        let (first, _second) = (places.enter().await.unwrap(), places.enter().await.unwrap());
        let (waits, turned_away) = tokio::join!(places.enter(), places.enter());
        assert!(matches!(turned_away, Err(StoreError::Busy)), "one waits already");
        assert!(matches!(waits, Err(StoreError::Busy)), "nobody left");
        let (waits, ()) = tokio::join!(places.enter(), async { drop(first) });
        assert!(waits.is_ok());
        assert_eq!(most_writing(1), 1, "one is for both");
    }
}
