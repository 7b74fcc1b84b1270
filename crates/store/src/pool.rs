//! A store's connections: a fixed number of places, each filled by the first caller to find it empty.
//!
//! A caller has a connection to themselves for one call. If it has to be opened first, the caller waits for
//! it.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use diesel::connection::{SimpleConnection as _, TransactionManager as _};
use uuid::Uuid;

use super::connection::{AnyConnection, Use, connect, limit_waits};
use super::{DatabaseUrl, Options, StoreError};

/// How long a caller waits for a connection, or for a database that cannot be reached.
const PATIENCE: Duration = Duration::from_secs(5);
/// The pause between two attempts to reach the database.
const PAUSE: Duration = Duration::from_millis(200);
/// A connection idle for longer is opened again: a firewall may have forgotten it, and a query on it would
/// hang.
const LONGEST_IDLE: Duration = Duration::from_secs(600);
/// Where there are many clubs, a connection that nobody has used for so long is
/// [closed](Pool::close_idle_connections): most clubs are quiet, and each connection takes memory, and a
/// place at a server.
const RESTS_AFTER: Duration = Duration::from_secs(30);
/// After so long a server is asked whether it is still there, which takes a round trip.
const ASKED_AFTER: Duration = Duration::from_secs(5);

pub(super) struct Pool {
    url: DatabaseUrl,
    /// Tells the store that it belongs to from others on the same database.
    pub(super) instance: Uuid,
    purpose: Use,
    patience: Duration,
    free: Mutex<Free>,
    given_back: Condvar,
}

struct Free {
    /// The contents of the places nobody holds. They are taken from the back; empty ones are at the front.
    places: VecDeque<Option<Kept>>,
    /// How many callers wait for a place. Notifying is a system call, which is saved while nobody does.
    waiting: usize,
}

struct Kept {
    connection: AnyConnection,
    last_used: Instant,
}

/// A place held by a caller. Dropping it gives it back. It borrows the pool, which therefore outlives it.
struct Place<'p> {
    pool: &'p Pool,
    kept: Option<Kept>,
}

impl Pool {
    /// Places for as many connections as the options say. None is opened yet.
    pub(super) fn new(url: &DatabaseUrl, instance: Uuid, purpose: Use, options: &Options) -> Self {
        Self {
            url: url.clone(),
            instance,
            purpose,
            patience: PATIENCE,
            free: Mutex::new(Free {
                places: (0..options.pool_size.max(1)).map(|_| None).collect(),
                waiting: 0,
            }),
            given_back: Condvar::new(),
        }
    }

    /// Runs `work` on a connection that nobody else uses meanwhile.
    ///
    /// # Errors
    /// What `work` returns; [`StoreError::Busy`] if no connection became free in time, or none could be
    /// opened.
    pub(super) fn run<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> Result<T, E>,
    ) -> Result<T, E> {
        let until = Instant::now() + self.patience;
        let mut place = self.take()?;
        work(place.connection(until)?)
    }

    /// A place, at once or as soon as one is given back. There is no queue: a caller who arrives at the right
    /// moment is served before those who wait.
    fn take(&self) -> Result<Place<'_>, StoreError> {
        let mut free = self.lock();
        if free.places.is_empty() {
            free.waiting += 1;
            (free, _) = self
                .given_back
                .wait_timeout_while(free, self.patience, |free| free.places.is_empty())
                .unwrap_or_else(PoisonError::into_inner);
            free.waiting -= 1;
        }
        let kept = free.places.pop_back().ok_or(StoreError::Busy)?;
        Ok(Place { pool: self, kept })
    }

    fn lock(&self) -> MutexGuard<'_, Free> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a connection that was opened already, before the first is asked for.
    ///
    /// # Errors
    /// It could not be prepared.
    pub(super) fn keep(&self, connection: AnyConnection) -> Result<(), StoreError> {
        let kept = Kept { connection: self.prepared(connection)?, last_used: Instant::now() };
        let mut free = self.lock();
        if free.places.pop_front().is_some() {
            free.places.push_back(Some(kept));
        }
        Ok(())
    }

    /// Closes the connections that nobody has used for a while. The next caller opens another.
    pub(super) fn close_idle_connections(&self) {
        let mut free = self.lock();
        let is_over = |kept: &mut Kept| kept.last_used.elapsed() >= RESTS_AFTER;
        let over: Vec<Kept> = free.places.iter_mut().filter_map(|place| place.take_if(is_over)).collect();
        free.places.make_contiguous().sort_by_key(Option::is_some);
        drop(free);
        over.into_iter().for_each(Kept::close);
    }

    fn prepared(&self, mut connection: AnyConnection) -> Result<AnyConnection, StoreError> {
        limit_waits(&mut connection)?;
        if let AnyConnection::Postgres(connection) = &mut connection {
            connection.instance = self.instance;
        }
        Ok(connection)
    }

    /// Retries until the time is up, so that callers wait out the restart of a server instead of being
    /// refused. A refusal for good, such as a changed password or a dropped database, is retried too: it may
    /// be on its way to be mended. [`Store::open`](super::Store::open) retries nothing.
    fn open(&self, until: Instant) -> Result<AnyConnection, StoreError> {
        loop {
            match connect(&self.url, self.purpose).and_then(|connection| self.prepared(connection)) {
                Err(error) if Instant::now() + PAUSE >= until => {
                    tracing::error!(%error, "the database cannot be reached");
                    return Err(StoreError::Busy);
                }
                Err(_) => std::thread::sleep(PAUSE),
                Ok(connection) => return Ok(connection),
            }
        }
    }
}

impl Kept {
    fn close(self) {
        // Diesel panics if SQLite cannot close it. That must not cost the place.
        drop(catch_unwind(AssertUnwindSafe(|| drop(self))));
    }

    /// Whether the connection still works: the server may have restarted since, or vanished without a word.
    fn works(&mut self) -> bool {
        let idle = self.last_used.elapsed();
        idle < LONGEST_IDLE
            && match &mut self.connection {
                AnyConnection::Sqlite(_) => true,
                AnyConnection::Postgres(connection) => {
                    !connection.is_closed()
                        && (idle < ASKED_AFTER || connection.batch_execute("SELECT 1").is_ok())
                }
            }
    }
}

impl Place<'_> {
    fn connection(&mut self, until: Instant) -> Result<&mut AnyConnection, StoreError> {
        if self.kept.as_mut().is_some_and(|kept| !kept.works()) {
            self.kept = None;
        }
        let kept = match &mut self.kept {
            Some(kept) => kept,
            empty => empty.insert(Kept { connection: self.pool.open(until)?, last_used: Instant::now() }),
        };
        Ok(&mut kept.connection)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let reusable = self.kept.take().and_then(|mut kept| {
            // Also true if a transaction was left open.
            let broken = AnyConnection::is_broken_transaction_manager(&mut kept.connection);
            if broken || std::thread::panicking() {
                kept.close();
                return None;
            }
            kept.last_used = Instant::now();
            Some(kept)
        });
        let mut free = self.pool.lock();
        if reusable.is_some() {
            free.places.push_back(reusable);
        } else {
            free.places.push_front(None);
        }
        let is_awaited = free.waiting > 0;
        drop(free);
        if is_awaited {
            self.pool.given_back.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::sync::{Arc, Weak};
    use std::thread::{JoinHandle, spawn};

    use diesel::RunQueryDsl as _;

    use super::*;

    fn pool(url: &DatabaseUrl, size: u32) -> Pool {
        let options = Options { pool_size: size, ..Options::default() };
        Pool { patience: Duration::from_millis(300), ..Pool::new(url, Uuid::nil(), Use::Write, &options) }
    }

    fn on_file(size: u32) -> (tempfile::TempDir, Pool) {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(&DatabaseUrl::Sqlite(folder.path().join("club.db")), size);
        (folder, pool)
    }

    fn execute(pool: &Pool, sql: &str) -> Result<(), StoreError> {
        pool.run(|connection| Ok(connection.batch_execute(sql)?))
    }

    /// Marks the connection next in turn, so that [`is_marked`] knows it again.
    fn mark(pool: &Pool) {
        execute(pool, "CREATE TEMPORARY TABLE mark (x INTEGER)").unwrap();
    }

    fn is_marked(pool: &Pool) -> bool {
        execute(pool, "SELECT x FROM mark").is_ok()
    }

    /// Holds a connection until the sender is dropped; returns once it does.
    fn hold(pool: &Arc<Pool>, release: Receiver<()>) -> JoinHandle<()> {
        let (pool, (holds, held)) = (Arc::clone(pool), channel());
        let holder = spawn(move || {
            pool.run(|_| {
                holds.send(()).unwrap();
                // An error says that it was dropped.
                let _ = release.recv();
                Ok::<_, StoreError>(())
            })
            .unwrap();
        });
        held.recv().unwrap();
        holder
    }

    #[test]
    fn a_connection_is_opened_once_and_used_again() {
        let (_folder, pool) = on_file(2);
        mark(&pool);
        assert!(is_marked(&pool));
        assert_eq!(pool.lock().places.iter().flatten().count(), 1, "the other place was not needed");
    }

    #[test]
    fn there_are_no_more_connections_than_places_and_who_finds_none_is_told_so_in_time() {
        let (_folder, pool) = on_file(2);
        let began = Instant::now();
        let refused = pool.run(|_| pool.run(|_| execute(&pool, "SELECT 1")));
        assert!(matches!(refused, Err(StoreError::Busy)), "{refused:?}");
        assert!(began.elapsed() >= pool.patience);
        assert!(execute(&pool, "SELECT 1").is_ok(), "both are free again");
    }

    #[test]
    fn who_waits_gets_what_another_gives_back() {
        let (_folder, pool) = on_file(1);
        let pool = Arc::new(Pool { patience: PATIENCE, ..pool });
        let (release, released) = channel();
        let holder = hold(&pool, released);
        let waiter = spawn({
            let pool = Arc::clone(&pool);
            move || execute(&pool, "SELECT 1")
        });
        while pool.lock().waiting == 0 {
            std::thread::yield_now();
        }
        drop(release);
        assert!(waiter.join().unwrap().is_ok());
        holder.join().unwrap();
    }

    #[test]
    fn a_panic_costs_the_connection_and_not_the_place() {
        let (_folder, pool) = on_file(1);
        mark(&pool);
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            pool.run(|_| -> Result<(), StoreError> { panic!("on purpose") })
        }));
        assert!(panicked.is_err());
        assert!(!is_marked(&pool));
        assert!(execute(&pool, "SELECT 1").is_ok());
    }

    #[test]
    fn a_connection_left_in_a_transaction_is_replaced() {
        let (_folder, pool) = on_file(1);
        mark(&pool);
        pool.run(|connection| Ok::<_, StoreError>(AnyConnection::begin_transaction(connection)?)).unwrap();
        assert!(!is_marked(&pool));
    }

    #[test]
    fn a_connection_that_sqlite_refuses_to_close_does_not_cost_the_place() {
        #[derive(diesel::QueryableByName)]
        struct One {
            #[expect(dead_code, reason = "nobody reads the row")]
            #[diesel(sql_type = diesel::sql_types::Integer)]
            x: i32,
        }
        let (_folder, pool) = on_file(1);
        mark(&pool);
        pool.run(|connection| {
            AnyConnection::begin_transaction(connection)?;
            if let AnyConnection::Sqlite(connection) = connection {
                // A statement that is never finalised.
                let rows = diesel::sql_query("SELECT 1 AS x");
                std::mem::forget(rows.load_iter::<One, diesel::connection::DefaultLoadingMode>(connection)?);
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
        assert!(!is_marked(&pool), "it is replaced");
        assert!(execute(&pool, "SELECT 1").is_ok(), "and its place is there");
    }

    #[test]
    fn a_connection_too_long_idle_is_replaced() {
        let (_folder, pool) = on_file(1);
        mark(&pool);
        let long_ago = Instant::now().checked_sub(LONGEST_IDLE).unwrap();
        pool.lock().places.iter_mut().flatten().for_each(|kept| kept.last_used = long_ago);
        assert!(!is_marked(&pool));
    }

    #[test]
    fn what_nobody_uses_is_closed_and_what_somebody_uses_is_not() {
        let (_folder, pool) = on_file(3);
        mark(&pool);
        pool.close_idle_connections();
        assert!(is_marked(&pool), "it was used just now");
        pool.run(|_| {
            execute(&pool, "SELECT 1")?;
            let long_ago = Instant::now().checked_sub(RESTS_AFTER).unwrap();
            pool.lock().places.iter_mut().flatten().for_each(|kept| kept.last_used = long_ago);
            pool.close_idle_connections();
            assert_eq!(pool.lock().places.iter().flatten().count(), 0);
            Ok::<_, StoreError>(())
        })
        .unwrap();
        assert!(is_marked(&pool), "it was in use");
        assert_eq!(pool.lock().places.len(), 3, "no place was lost");
    }

    #[test]
    fn a_database_that_comes_back_in_time_was_never_gone() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        let pool = pool(&DatabaseUrl::Sqlite(missing.join("club.db")), 1);
        assert!(matches!(execute(&pool, "SELECT 1"), Err(StoreError::Busy)));
        let pool = Pool { patience: PATIENCE, ..pool };
        let waiter = spawn(move || execute(&pool, "SELECT 1"));
        std::fs::create_dir(missing).unwrap();
        assert!(waiter.join().unwrap().is_ok());
    }

    #[test]
    fn who_waits_while_the_service_stops_is_served_and_then_all_is_closed() {
        let (_folder, pool) = on_file(1);
        let pool = Arc::new(Pool { patience: PATIENCE, ..pool });
        let (release, released) = channel();
        let holder = hold(&pool, released);
        let waiter = spawn({
            let pool = Arc::clone(&pool);
            move || execute(&pool, "SELECT 1")
        });
        let left: Weak<Pool> = Arc::downgrade(&pool);
        drop((pool, release));
        assert!(waiter.join().unwrap().is_ok());
        holder.join().unwrap();
        assert!(left.upgrade().is_none());
    }

    #[test]
    fn a_connection_that_the_server_has_closed_is_replaced() {
        let Ok(url) = std::env::var("OWLBOX_TEST_POSTGRES") else {
            assert!(std::env::var("OWLBOX_TEST_SKIP_POSTGRES").is_ok(), "run `bash tests/run.sh`");
            return;
        };
        let pool = pool(&url.parse().unwrap(), 2);
        let killed = pool.run(|connection| {
            connection.batch_execute("CREATE TEMPORARY TABLE mark (x INTEGER)")?;
            execute(
                &pool,
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
                 WHERE query LIKE 'CREATE TEMPORARY TABLE mark%' AND pid <> pg_backend_pid()",
            )
        });
        killed.unwrap();
        for _ in 0..3 {
            assert!(execute(&pool, "SELECT 1").is_ok());
        }
        assert!(!is_marked(&pool));
    }
}
