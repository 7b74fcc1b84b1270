//! The store: the only crate that knows the database.
//!
//! [`Store::read`] runs a query on a connection of the [`pool`], [`Store::write`] runs a unit of work in a
//! transaction. Once that is answered, either all of what it wrote is durable or none of it was kept. The
//! other modules are queries, one subject each; they take an [`AnyConnection`] and know no rules of the
//! domain.
//!
//! A query is written in Diesel's own terms, for both databases at once unless only one has it; or by its
//! text, as a [`SqlStatement`](statement::Statement), where Diesel has no words for it, or where a command
//! waits: that is prepared once, and takes many rows. Measure before a command's query is moved from one to
//! the other.
//!
//! Units of work are committed [`together`], many at once.
//!
//! * SQLite has a single writer, a thread that takes all of them ([`writer`]). Another waits for the disk
//!   ([`syncer`]).
//! * On PostgreSQL a thread takes those that say beforehand what they ask for ([`together::grouping`]). Any
//!   other has its own transaction and is retried after a conflict; half of the pool's connections are kept
//!   for readers ([`writing`]).

// In a test, a wildcard arm that is reached fails the test anyway.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod accounts;
pub mod backup;
mod batch;
pub mod books;
mod chain;
mod checkpointer;
pub mod chouettes;
pub mod clubs;
pub mod connection;
pub mod copying;
pub mod credentials;
mod database_url;
pub mod erasing;
pub mod exports;
pub mod files;
pub mod fill;
pub mod guards;
pub mod idempotency;
pub mod journal;
pub mod kinds;
pub mod matches;
mod migrations;
pub mod notify;
mod opening;
mod pending;
mod period;
pub mod persons;
mod places;
pub mod players;
mod pool;
mod postgres;
pub mod ratings;
pub mod readings;
pub mod registrations;
pub mod schema;
pub mod shape;
mod stale_log;
mod statement;
pub mod statements;
pub mod statistics;
mod syncer;
mod thread;
mod together;
pub mod tournaments;
mod transaction;
pub mod types;
pub mod webhooks;
mod work;
mod writer;
mod writing;

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use uuid::Uuid;

pub use batch::ReadPlan;
pub use connection::{AnyConnection, Use};
pub use database_url::{DatabaseUrl, NotADatabase};
use migrations::migrations_current;
use opening::{LOCK_PATIENCE, current, in_time, lock_file, make_private, migrated};
use places::Places;
use pool::Pool;
pub use transaction::Transaction;
use work::on_blocking_thread;
pub use writing::most_writing;

/// A failure of the store. Its details are for the log; users never see them.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("query: {0}")]
    Query(DieselError),
    /// Another transaction got in first: a deadlock, or a serialisation failure.
    #[error("conflict: {0}")]
    Conflict(DieselError),
    /// The login or the server may only read.
    #[error("not allowed: {0}")]
    ForReaders(DieselError),
    /// The database cannot be opened or reached.
    #[error("connection: {0}")]
    Connection(#[from] diesel::ConnectionError),
    #[error("migration: {0}")]
    Migration(String),
    /// The database was made by a later version of this program.
    #[error("the database has migration {0}, which this program does not know: the program is too old")]
    NewerDatabase(String),
    /// The schema is not what the migrations made: what somebody wrote into it would be carried out.
    #[error("the database does not have Owlbox's schema: {0}")]
    Foreign(String),
    /// A log lies beside the database that is not its own.
    #[error(
        "{} and the log beside it, its -wal, are not of one club ({why}): if a copy was put there by hand, put it \
         in place with \"owlbox restore --replace COPY\", which keeps what is there now",
        path.display()
    )]
    StaleLog { path: PathBuf, why: String },
    /// The copy of an older version's club could not be written, so it was not migrated.
    #[error("{}: cannot write the copy that is made before a migration, so nothing was done: {why}", path.display())]
    NotKept { path: PathBuf, why: String },
    /// There is a database, and no club in it.
    #[error("there is no club in the database yet: \"owlbox serve\" creates one")]
    NoClub,
    /// This program cannot have written what is stored.
    #[error(transparent)]
    Broken(#[from] owlbox_base::journal::BrokenHistory),
    /// A posting would overflow the account's balance. This is a refusal rather than a failure.
    #[error("the balance of {0} would be more than the books can hold")]
    BeyondBooks(owlbox_base::values::Holder),
    /// The commit of the batch failed and nothing of it was kept. Or the flush failed
    /// ([`NotDurable`](Self::NotDurable)) or the connection was lost meanwhile, and whether it was kept is
    /// unknown.
    #[error("commit: {0}")]
    Commit(String),
    /// Flushing the commit to the disk failed. Whether it was kept is unknown until the next start.
    #[error("a write to the disk failed")]
    NotDurable,
    /// The connection was lost before the commit. Nothing was kept.
    #[error("the connection was lost: {0}")]
    Lost(DieselError),
    /// There is no room left to write. Nothing was kept.
    #[error("there is no room left to write")]
    Full,
    /// Another command with the same idempotency key was carried out while this one waited.
    #[error("the same command was done meanwhile")]
    Overtaken,
    /// Too many callers are waiting for the database, or this one waited too long for a connection, a place
    /// among the writers or a lock.
    #[error("the database is busy or cannot be reached")]
    Busy,
    /// A query or a unit of work panicked. A unit of work was rolled back.
    #[error("a unit of work panicked")]
    Panicked,
    /// A thread of the writer could not be started.
    #[error("cannot start a thread for the database: {0}")]
    Thread(std::io::Error),
    #[error("the store is closed")]
    Closed,
    /// A file could not be read or written.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: std::io::Error },
    /// Another process has this SQLite file open for writing.
    #[error("{} is in use by another owlbox process", .0.display())]
    InUse(PathBuf),
}

/// What SQLite says where a write has found no room: Diesel keeps the message and drops the code.
const SQLITE_FULL: &str = "database or disk is full";

impl From<DieselError> for StoreError {
    fn from(error: DieselError) -> Self {
        match (&error, postgres::sqlstate::take().as_ref()) {
            (DieselError::DatabaseError(..), Some(b"40001" | b"40P01")) => Self::Conflict(error),
            // Another transaction holds a row for longer than anybody should wait.
            (DieselError::DatabaseError(..), Some(b"55P03")) => Self::Busy,
            (DieselError::DatabaseError(..), Some(b"42501" | b"25006")) => Self::ForReaders(error),
            (DieselError::DatabaseError(..), Some(b"53100")) => Self::Full,
            (DieselError::DatabaseError(DatabaseErrorKind::UnableToSendCommand, _), _) => Self::Lost(error),
            (DieselError::DatabaseError(_, about), None) if about.message() == SQLITE_FULL => Self::Full,
            _ => Self::Query(error),
        }
    }
}

impl StoreError {
    /// Whether the same work may succeed when retried, because another transaction got in first.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        if let Self::Query(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, about)) = self {
            // Units that write the same row for the first time meet here. Tried again, the second finds it.
            return about.constraint_name().is_some_and(|name| {
                matches!(
                    name,
                    "journal_pkey"
                        | "stream_pkey"
                        | "idempotency_pkey"
                        | "sign_in_attempt_pkey"
                        | "journal_order_pkey"
                )
            });
        }
        matches!(self, Self::Overtaken | Self::Conflict(_))
    }

    /// Whether a unique constraint or index whose name contains `name` refused the row. SQLite names the
    /// columns instead, as `table.column`.
    #[must_use]
    pub fn violates(&self, name: &str) -> bool {
        if let Self::Query(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, about)) = self {
            about.constraint_name().is_some_and(|constraint| constraint.contains(name))
                || about.message().contains(name)
        } else {
            false
        }
    }
}

/// The error type of a unit of work: its own refusals, and failures of the store.
pub trait Failure: Any + Send {
    /// The failure of the store, if it is one and still tells which.
    fn store_error(&self) -> Option<&StoreError>;

    /// Whether the store failed, so that the transaction may be spoilt, rather than somebody refused.
    fn is_of_the_store(&self) -> bool {
        self.store_error().is_some()
    }
}

impl Failure for StoreError {
    fn store_error(&self) -> Option<&StoreError> {
        Some(self)
    }
}

/// Sizes and limits of a store.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of connections: on SQLite for reading, on PostgreSQL for everything.
    pub pool_size: u32,
    /// The most units of work in one commit.
    pub batch_limit: usize,
    /// The most units of work that may wait; more are refused as busy.
    pub queue_limit: usize,
    /// Whether nobody keeps the database, which has to be a file: then nothing waits for the disk, and what
    /// was answered is gone if the process ends before the store is closed.
    pub throwaway: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { pool_size: 8, batch_limit: 256, queue_limit: 1024, throwaway: false }
    }
}

/// A club's database. Cheap to clone; the last clone closes it.
#[derive(Clone)]
pub struct Store {
    pool: Arc<Pool>,
    /// For those who read: no more threads than connections, so that one who reads much keeps nobody else
    /// from a thread.
    reading: Places,
    /// When [`is_ready`](Self::is_ready) last found that it can write.
    found_ready: Arc<tokio::sync::Mutex<Option<Instant>>>,
    /// When there was no room last for what a unit of work had to write.
    full: Arc<Mutex<Option<Instant>>>,
    url: DatabaseUrl,
    /// Declared last: what keeps others off is released after all is closed.
    database: Database,
}

/// What a store writes with.
#[derive(Clone)]
enum Database {
    /// SQLite: one thread writes, and the lock keeps a second process off.
    File { writer: writer::Writer, _lock: Arc<std::fs::File> },
    /// PostgreSQL.
    Server(Arc<Server>),
}

/// A club of a PostgreSQL server.
struct Server {
    /// `None` with too few connections.
    grouping: Option<together::Queue>,
    /// For units of work that are not carried out together.
    places: Places,
    /// What is told of this schema is heard with these.
    listener: notify::NotificationListener,
    schema: String,
    /// Keeps off anyone who wants one of many clubs alone.
    _claim: Option<clubs::SharedSchemaLock>,
}

/// The metric of units of work per commit.
pub const COMMIT_BATCH: &str = "owlbox_commit_batch_commands";
/// The metric of units of work waiting for the writer.
pub const COMMAND_QUEUE: &str = "owlbox_command_queue";

/// How long [`Store::is_ready`] repeats a good answer.
const READY_FOR: Duration = Duration::from_secs(1);
/// For how long [`Store::is_ready`] says that there was no room.
const FULL_FOR: Duration = Duration::from_secs(5);
/// How long [`Store::is_ready`] waits for the database.
const READY_WITHIN: Duration = Duration::from_secs(3);

impl Store {
    /// Opens the database, applies pending migrations and starts the writer.
    ///
    /// # Errors
    /// The database cannot be opened or migrated, was made by a later version, or (SQLite) is in use by
    /// another process.
    pub fn open(url: &DatabaseUrl, options: &Options) -> Result<Self, StoreError> {
        match url {
            DatabaseUrl::Sqlite(path) => Self::open_file(url, path, options),
            DatabaseUrl::Postgres(address) => {
                Self::open_schema(url, options, notify::NotificationListener::of_one(address), None)
            }
        }
    }

    fn open_file(url: &DatabaseUrl, path: &Path, options: &Options) -> Result<Self, StoreError> {
        make_private(path)?;
        let lock = Arc::new(lock_file(path, LOCK_PATIENCE)?);
        stale_log::refuse(path)?;
        let connection = on_own_thread(|| current(url))?;
        let writer = if options.throwaway {
            writer::Writer::start_throwaway(connection, options)?
        } else {
            let checkpointer = checkpointer::Checkpointer::start(path)?;
            let syncer = syncer::Syncer::of_database(path)?;
            writer::Writer::start(connection, checkpointer, syncer, options)?
        };
        let pool = Arc::new(Pool::new(url, Uuid::now_v7(), Use::Read, options));
        Ok(Self::around(pool, url, options, Database::File { writer, _lock: lock }))
    }

    /// Opens a club of a server, heard of with `listener`. One of many is claimed.
    fn open_schema(
        url: &DatabaseUrl,
        options: &Options,
        listener: notify::NotificationListener,
        claim: Option<clubs::SharedSchemaLock>,
    ) -> Result<Self, StoreError> {
        let pool = Arc::new(Pool::new(url, Uuid::now_v7(), Use::Write, options));
        let schema = on_own_thread(|| {
            let mut connection = current(url)?;
            let schema = notify::schema(&mut connection)?;
            pool.keep(connection)?;
            Ok(schema)
        })?;
        let grouping = (options.pool_size >= together::grouping::FEWEST_CONNECTIONS)
            .then(|| together::grouping::start(&pool, options))
            .transpose()?;
        let server = Server { grouping, places: writing::places(options), listener, schema, _claim: claim };
        Ok(Self::around(pool, url, options, Database::Server(Arc::new(server))))
    }

    fn around(pool: Arc<Pool>, url: &DatabaseUrl, options: &Options, database: Database) -> Self {
        Self {
            pool,
            // How many can wait is bounded by the connections that they came by.
            reading: Places::new(usize::try_from(options.pool_size).unwrap_or(1).max(1), usize::MAX),
            found_ready: Arc::default(),
            full: Arc::default(),
            url: url.clone(),
            database,
        }
    }

    /// Has `heard` called, for as long as what is returned is kept, with everything that the instances on
    /// this database tell each other of this club. It must not block. `None` on SQLite, where there is only
    /// one instance.
    #[must_use]
    pub fn subscribe(
        &self,
        heard: impl FnMut(notify::Notification) + Send + 'static,
    ) -> Option<notify::Subscription> {
        match &self.database {
            Database::File { .. } => None,
            Database::Server(server) => {
                Some(server.listener.subscribe(&server.schema, self.pool.instance, Box::new(heard)))
            }
        }
    }

    /// Whether no other process can write, so that states cached after a commit stay true.
    #[must_use]
    pub const fn is_sole_writer(&self) -> bool {
        matches!(self.database, Database::File { .. })
    }

    /// On SQLite, moves the write-ahead log into the database and empties it, so that nothing that was
    /// overwritten is left in it. Whether it could: somebody who reads an older state is in the way.
    ///
    /// # Errors
    /// The query failed.
    pub async fn truncate_wal(&self) -> Result<bool, StoreError> {
        let DatabaseUrl::Sqlite(path) = &self.url else { return Ok(true) };
        let path = path.clone();
        on_blocking_thread(move || checkpointer::truncate_wal(&path)).await
    }

    /// On SQLite, writes the database anew without what was deleted or overwritten, which may still stand in
    /// unused parts of its pages. Everybody waits meanwhile: for a command line that has the database alone.
    ///
    /// # Errors
    /// The query failed.
    pub async fn rewrite_file(&self) -> Result<(), StoreError> {
        let DatabaseUrl::Sqlite(path) = &self.url else { return Ok(()) };
        let path = path.clone();
        on_blocking_thread(move || checkpointer::rewrite_file(&path)).await
    }

    /// Waits until all work accepted so far has been committed or refused. Blocks: not to be called in async
    /// code.
    pub fn settle(&self) {
        match &self.database {
            // The caller that waits for a unit of work is told what became of it.
            Database::File { writer, .. } => drop(writer.queue.settle()),
            Database::Server(server) => drop(server.grouping.as_ref().map(together::Queue::settle)),
        }
    }

    /// Whether the schema is current and the database can be written, which is tested by committing an
    /// unchanged row. A good answer is repeated for a second, so that frequent probes do not cost a write
    /// each. A row finds a place where one was before, so a disk that was full a moment ago counts as full.
    ///
    /// # Errors
    /// The database does not answer in time, or cannot be written.
    pub async fn is_ready(&self) -> Result<bool, StoreError> {
        let full = *self.full.lock().unwrap_or_else(PoisonError::into_inner);
        if full.is_some_and(|at| at.elapsed() < FULL_FOR) {
            return Err(StoreError::Full);
        }
        let asked = async {
            let mut found = self.found_ready.lock().await;
            if found.is_some_and(|at| at.elapsed() < READY_FOR) {
                return Ok(true);
            }
            let anew = |transaction: &mut Transaction<'_>| migrations::write_anew(transaction.connection()?);
            self.write_together(ReadPlan::default(), anew).await?;
            let current = self.read(migrations_current).await?;
            *found = current.then(Instant::now);
            Ok(current)
        };
        tokio::time::timeout(READY_WITHIN, asked).await.unwrap_or(Err(StoreError::Busy))
    }

    /// Closes connections that nobody has used for half a minute. Blocks: not to be called in async code.
    pub fn close_idle_connections(&self) {
        self.pool.close_idle_connections();
    }

    /// Whether flushing a commit to the disk has failed. Nothing more is written then until the next start.
    #[must_use]
    pub fn has_given_up(&self) -> bool {
        match &self.database {
            Database::File { writer, .. } => writer.has_given_up(),
            Database::Server(_) => false,
        }
    }
}

/// The answer of `work`, which runs on a thread of its own: a caller that starts a service may do so in
/// asynchronous code.
fn on_own_thread<T: Send>(work: impl FnOnce() -> Result<T, StoreError> + Send) -> Result<T, StoreError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("open".into()).spawn_scoped(scope, work);
        thread.map_err(StoreError::Thread)?.join().unwrap_or(Err(StoreError::Panicked))
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn open(path: &Path) -> Result<Store, StoreError> {
        Store::open(&DatabaseUrl::Sqlite(path.to_owned()), &Options::default())
    }

    #[test]
    fn a_new_sqlite_file_and_its_log_are_their_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.db");
        let _store = open(&path).unwrap();
        for file in ["club.db", "club.db-wal", "club.db-shm"] {
            let mode = std::fs::metadata(folder.path().join(file)).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{file}: {mode:o}");
        }
    }

    #[test]
    fn a_second_process_is_refused_by_whatever_name_it_comes() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("club.db"), folder.path().join("link.db"));
        symlink(&path, &link).unwrap();
        let _store = open(&path).unwrap();
        assert!(matches!(open(&link), Err(StoreError::InUse(_))));
    }

    #[test]
    fn what_was_accepted_is_committed_before_a_dropped_store_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.db");
        let store = open(&path).unwrap();
        let Database::File { writer, .. } = &store.database else { panic!("this is a file") };
        let answer = writer.queue.submit(
            None,
            work::erased(|transaction| {
                use diesel::connection::SimpleConnection as _;
                std::thread::sleep(Duration::from_millis(50));
                let made = "CREATE TABLE mark (made INTEGER)";
                Ok::<_, StoreError>(transaction.connection()?.batch_execute(made)?)
            }),
        );
        // The caller is gone, and so is every other handle.
        drop((answer.unwrap(), store));
        let store = open(&path).unwrap();
        let found = store.read_blocking(|connection| {
            use diesel::connection::SimpleConnection as _;
            Ok::<_, StoreError>(connection.batch_execute("SELECT made FROM mark")?)
        });
        assert!(found.is_ok(), "{found:?}");
    }

    #[test]
    fn a_panic_after_a_commit_does_not_take_the_writer_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder.path().join("club.db")).unwrap();
        let failed = store.write_blocking(|transaction| {
            transaction.after_commit(|| panic!("on purpose"));
            Ok::<_, StoreError>(())
        });
        assert!(failed.is_err());
        assert!(store.write_blocking(|_| Ok::<_, StoreError>(())).is_ok());
    }

    #[test]
    fn what_an_error_of_postgres_means_is_known_by_its_state_in_whatever_language() {
        use diesel::connection::SimpleConnection as _;
        let Ok(url) = std::env::var("OWLBOX_TEST_POSTGRES") else {
            assert!(std::env::var("OWLBOX_TEST_SKIP_POSTGRES").is_ok(), "run `bash tests/run.sh`");
            return;
        };
        let mut connection = connection::connect(&url.parse().unwrap(), Use::Read).unwrap();
        let mut raised = |state: &str| {
            let raise = format!("RAISE EXCEPTION 'Verklemmung' USING ERRCODE = '{state}'");
            let error = connection.batch_execute(&format!("DO $$ BEGIN {raise}; END $$")).unwrap_err();
            StoreError::from(error)
        };
        assert!(raised("40P01").is_conflict(), "a deadlock");
        assert!(raised("40001").is_conflict(), "a serialisation failure");
        assert!(matches!(raised("55P03"), StoreError::Busy), "a lock was waited for too long");
        assert!(matches!(raised("42501"), StoreError::ForReaders(_)), "the login may only read");
        assert!(matches!(raised("25006"), StoreError::ForReaders(_)), "the server may only be read");
        assert!(matches!(raised("53100"), StoreError::Full), "its disk is full");
        let other = raised("22012");
        assert!(matches!(other, StoreError::Query(_)) && !other.is_conflict(), "{other:?}");
    }
}
