//! The only room that knows a database.
//!
//! [`Store`] is the door: [`Store::read`] runs a query on a pool of readers, [`Store::write`] runs a
//! unit of work in a transaction. What a unit of work wrote is there after the answer, or nothing of
//! it is. The rest of the room is queries, one file a subject; they take a [`AnyConnection`] and know
//! no rule.
//!
//! * SQLite has one writer: a thread that takes waiting units of work in batches, gives each a
//!   savepoint, and commits them together ([`writer`]); another waits for the disk ([`syncer`]).
//! * PostgreSQL gives each unit a transaction of its own, and another try after a conflict.

// A test that meets what it does not know fails by itself.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod accounts;
pub mod backup;
pub mod books;
mod checkpointer;
pub mod chouettes;
pub mod connection;
pub mod credentials;
mod database_url;
pub mod idempotency;
pub mod journal;
pub mod kinds;
pub mod matches;
mod migrate;
pub mod notify;
pub mod players;
mod pool;
pub mod ratings;
pub mod registrations;
pub mod schema;
pub mod shape;
pub mod statistics;
mod syncer;
pub mod tournaments;
pub mod types;
mod writer;
mod writing;

use std::any::Any;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use tokio::sync::oneshot;
use uuid::Uuid;

use connection::connect;
pub use connection::{AnyConnection, Use};
pub use database_url::{DatabaseUrl, NotADatabase};
use migrate::{migrate, migrations_current};
use pool::Pool;
pub use writing::most_writing;

/// What went wrong with the database. Never shown to users in detail.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("query: {0}")]
    Query(#[from] DieselError),
    /// The database cannot be reached.
    #[error("connection: {0}")]
    Connection(#[from] diesel::ConnectionError),
    #[error("migration: {0}")]
    Migration(String),
    /// The database was made by a later version of this program.
    #[error("the database knows migration {0}, this program does not: it is too old for it")]
    NewerDatabase(String),
    /// What is stored cannot have been written by this program.
    #[error(transparent)]
    Broken(#[from] owlbox_domain::journal::BrokenHistory),
    /// What was to be posted would make more of an account than the books hold. Nothing failed: it is refused.
    #[error("the balance of {0} would be more than the books hold")]
    BeyondBooks(owlbox_domain::values::Holder),
    /// The commit of the batch failed and nothing of it was kept; or the disk refused it
    /// ([`NotDurable`](Self::NotDurable)), and whether it is kept is not known.
    #[error("commit: {0}")]
    Commit(String),
    /// The disk refused what was committed: whether it is kept is not known before the next start.
    #[error("the disk refused")]
    NotDurable,
    /// Another command under the same idempotency key was done while this one waited.
    #[error("the same command was done meanwhile")]
    Overtaken,
    /// Too many are waiting for the database, or it kept somebody waiting for too long.
    #[error("the database is busy or cannot be reached")]
    Busy,
    /// A unit of work panicked; it was rolled back.
    #[error("a unit of work panicked")]
    Panicked,
    /// The system gives no thread to write with.
    #[error("no thread for the database: {0}")]
    Thread(std::io::Error),
    #[error("the store is closed")]
    Closed,
    /// A file could not be read or written.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: std::io::Error },
    /// Another process has this SQLite file open for writing.
    #[error("{} is in use by another owlbox process", .0.display())]
    InUse(PathBuf),
    #[error("this build has no PostgreSQL: build it with `--features postgres`")]
    NoPostgres,
}

impl StoreError {
    /// True if the same work may well succeed when tried again: somebody else got there first.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::Overtaken
            | Self::Query(DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, _)) => true,
            Self::Query(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, about)) => {
                about.constraint_name().is_some_and(|name| {
                    matches!(
                        name,
                        "journal_pkey" | "stream_pkey" | "idempotency_pkey" | "sign_in_attempt_pkey"
                    )
                })
            }
            Self::Query(DieselError::DatabaseError(_, about)) => {
                about.message().contains("deadlock detected")
            }
            Self::Query(_)
            | Self::Connection(_)
            | Self::Migration(_)
            | Self::NewerDatabase(_)
            | Self::Broken(_)
            | Self::BeyondBooks(_)
            | Self::Commit(_)
            | Self::NotDurable
            | Self::Busy
            | Self::Panicked
            | Self::Thread(_)
            | Self::Closed
            | Self::File { .. }
            | Self::InUse(_)
            | Self::NoPostgres => false,
        }
    }

    /// True if PostgreSQL gave up waiting for what somebody else holds.
    #[must_use]
    pub fn is_lock_timeout(&self) -> bool {
        if let Self::Query(DieselError::DatabaseError(_, about)) = self {
            about.message().contains("lock timeout")
        } else {
            false
        }
    }

    /// True if a unique constraint or index that mentions `name` refused the row.
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

/// An error of a unit of work: its own refusals, and the store's failures.
pub trait Failure: From<StoreError> + Send + 'static {
    /// The store's failure inside, if that is what it is.
    fn store_error(&self) -> Option<&StoreError>;
}

impl Failure for StoreError {
    fn store_error(&self) -> Option<&StoreError> {
        Some(self)
    }
}

/// States that units of work of the same batch have made, not committed yet.
type Overlay = HashMap<Uuid, Arc<dyn Any + Send + Sync>>;
/// What is to happen once the work is committed.
type AfterCommit = Box<dyn FnOnce() + Send>;

/// One unit of work under way.
pub struct Transaction<'a> {
    /// The connection, inside a transaction.
    pub connection: &'a mut AnyConnection,
    /// What earlier ones have made that memory does not have yet, the newest first.
    earlier: &'a [&'a Overlay],
    staged: Overlay,
    after: Vec<AfterCommit>,
}

impl<'a> Transaction<'a> {
    fn new(connection: &'a mut AnyConnection, earlier: &'a [&'a Overlay]) -> Self {
        Self { connection, earlier, staged: Overlay::new(), after: Vec::new() }
    }

    /// What this unit of work, or an earlier one that is not answered yet, has made of `id`.
    #[must_use]
    pub fn staged<T: Any + Send + Sync>(&self, id: Uuid) -> Option<Arc<T>> {
        let any = self.staged.get(&id).or_else(|| self.earlier.iter().find_map(|made| made.get(&id)))?;
        Arc::clone(any).downcast().ok()
    }

    /// Shows later work what this one has made of `id`, until memory has it. A rollback drops it.
    pub fn stage<T: Any + Send + Sync>(&mut self, id: Uuid, made: Arc<T>) {
        self.staged.insert(id, made);
    }

    /// Runs `action` once this work is committed, and not at all if it is not. It must be short.
    pub fn after_commit(&mut self, action: impl FnOnce() + Send + 'static) {
        self.after.push(Box::new(action));
    }
}

/// How the store is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// Connections for reading; on PostgreSQL for everything.
    pub pool_size: u32,
    /// The most units of work one SQLite commit takes.
    pub batch_limit: usize,
    /// The most units of work that may wait.
    pub queue_limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { pool_size: 8, batch_limit: 256, queue_limit: 1024 }
    }
}

#[derive(Clone)]
pub struct Store {
    pool: Arc<Pool>,
    /// SQLite's one writer; PostgreSQL has none.
    writer: Option<writer::Writer>,
    /// PostgreSQL's places for those who write.
    writing: writing::Places,
    /// When something could be written last, as far as anybody asked.
    found_ready: Arc<tokio::sync::Mutex<Option<Instant>>>,
    url: DatabaseUrl,
    /// Held as long as the store is: keeps a second process off the same SQLite file.
    _lock: Option<Arc<std::fs::File>>,
}

/// The figure of commands that one commit took along.
pub const COMMIT_BATCH: &str = "owlbox_commit_batch_commands";
/// The figure of commands that wait to be carried out.
pub const COMMAND_QUEUE: &str = "owlbox_command_queue";

/// How long an answer that something can be written is good for.
const READY_FOR: Duration = Duration::from_secs(1);
/// How long it may take to find that out.
const READY_WITHIN: Duration = Duration::from_secs(3);

/// How often PostgreSQL work is tried in all when others keep getting there first.
const TRIES: u32 = 10;

impl Store {
    /// Opens the database, brings its schema up to date and starts the writer.
    ///
    /// # Errors
    /// The database cannot be opened, is in use by another process (SQLite), or is newer than this
    /// program.
    pub fn open(url: &DatabaseUrl, options: &Options) -> Result<Self, StoreError> {
        let lock = match url {
            DatabaseUrl::Sqlite(path) => {
                make_private(path)?;
                Some(Arc::new(lock_file(path)?))
            }
            DatabaseUrl::Postgres(_) => None,
        };
        let mut connection = connect(url, Use::Write)?;
        migrate(&mut connection)?;
        statistics::fill(&mut connection)?;
        let (writer, purpose) = match url {
            DatabaseUrl::Sqlite(path) => {
                let checkpointer = checkpointer::Checkpointer::start(path)?;
                let syncer = syncer::Syncer::of_database(path)?;
                (Some(writer::Writer::start(connection, checkpointer, syncer, options)?), Use::Read)
            }
            DatabaseUrl::Postgres(_) => (None, Use::Write),
        };
        Ok(Self {
            pool: Arc::new(Pool::new(url, purpose, options)),
            writer,
            writing: writing::Places::new(options),
            found_ready: Arc::default(),
            url: url.clone(),
            _lock: lock,
        })
    }

    /// Opens the database for reading only, beside whoever else uses it. It must be there and
    /// up to date.
    ///
    /// # Errors
    /// It is not there, or not of this version.
    pub fn open_for_reading(url: &DatabaseUrl) -> Result<AnyConnection, StoreError> {
        if let DatabaseUrl::Sqlite(path) = url {
            std::fs::metadata(path).map_err(|error| StoreError::File { path: path.clone(), error })?;
        }
        let mut connection = connect(url, Use::Read)?;
        if migrations_current(&mut connection)? {
            Ok(connection)
        } else {
            Err(StoreError::Migration("the database is not up to date: start the service once".into()))
        }
    }

    #[must_use]
    pub const fn url(&self) -> &DatabaseUrl {
        &self.url
    }

    /// True if this process is the only writer, so that what it remembers after a commit is so.
    #[must_use]
    pub const fn is_sole_writer(&self) -> bool {
        self.writer.is_some()
    }

    /// Runs `query` on a reader, on a blocking thread.
    ///
    /// # Errors
    /// What `query` returns, or that no connection became free.
    pub async fn read<T, E, F>(&self, query: F) -> Result<T, E>
    where
        F: FnOnce(&mut AnyConnection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure,
    {
        let (store, span) = (self.clone(), tracing::Span::current());
        tokio::task::spawn_blocking(move || span.in_scope(|| store.read_blocking(query)))
            .await
            .unwrap_or_else(|_| Err(StoreError::Panicked.into()))
    }

    /// [`read`](Self::read) for callers outside the runtime.
    ///
    /// # Errors
    /// As `read`.
    pub fn read_blocking<T, E: Failure>(
        &self,
        query: impl FnOnce(&mut AnyConnection) -> Result<T, E>,
    ) -> Result<T, E> {
        self.pool.run(query)
    }

    /// Runs `work` in a transaction and answers after the commit.
    ///
    /// # Errors
    /// What `work` returns, with nothing kept; or that the store failed, with nothing kept.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure,
    {
        if let Some(writer) = &self.writer {
            return match writer.submit(work)?.await {
                Ok(answer) => answer,
                Err(oneshot::error::RecvError { .. }) => Err(StoreError::Closed.into()),
            };
        }
        let place = self.writing.enter().await?;
        let (store, span) = (self.clone(), tracing::Span::current());
        tokio::task::spawn_blocking(move || {
            let _place = place;
            span.in_scope(|| store.write_in_own_transaction(work))
        })
        .await
        .unwrap_or_else(|_| Err(StoreError::Panicked.into()))
    }

    /// [`write`](Self::write) for callers outside the runtime.
    ///
    /// # Errors
    /// As `write`.
    pub fn write_blocking<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Transaction<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Failure,
    {
        match &self.writer {
            Some(writer) => match writer.submit(work)?.blocking_recv() {
                Ok(answer) => answer,
                Err(_) => Err(StoreError::Closed.into()),
            },
            None => self.write_in_own_transaction(work),
        }
    }

    /// PostgreSQL: a transaction for this work alone, again if others got there first.
    fn write_in_own_transaction<T, E: Failure>(
        &self,
        mut work: impl FnMut(&mut Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.pool.run(|connection| {
            let mut tries = 1;
            loop {
                match writer::in_transaction(connection, &mut work) {
                    Err(error)
                        if tries < TRIES && error.store_error().is_some_and(StoreError::is_conflict) =>
                    {
                        // A little longer each time, so that the crowd thins out.
                        std::thread::sleep(Duration::from_millis(u64::from(tries)));
                        tries += 1;
                    }
                    // Somebody holds what this needs: it can be tried again, and has kept nobody waiting for long.
                    Err(error) if error.store_error().is_some_and(StoreError::is_lock_timeout) => {
                        return Err(StoreError::Busy.into());
                    }
                    answer => return answer,
                }
            }
        })
    }

    /// Waits until whatever was accepted before has been committed or refused. Not within the runtime.
    pub fn settle(&self) {
        if let Some(writer) = &self.writer {
            writer.settle();
        }
    }

    /// True if the database answers and stands where this program expects it, and something can be written: a row is
    /// written anew as it was, and committed. Whoever asks within a second of a good answer gets it again, so that
    /// asking does not cost a write each.
    ///
    /// # Errors
    /// It does not answer in time, or nothing can be written.
    pub async fn is_ready(&self) -> Result<bool, StoreError> {
        let asked = async {
            let mut found = self.found_ready.lock().await;
            if found.is_some_and(|at| at.elapsed() < READY_FOR) {
                return Ok(true);
            }
            self.write(|transaction| migrate::write_anew(transaction.connection)).await?;
            let current = self.read(migrations_current).await?;
            *found = current.then(Instant::now);
            Ok(current)
        };
        tokio::time::timeout(READY_WITHIN, asked).await.unwrap_or(Err(StoreError::Busy))
    }

    /// True once the disk has refused what was committed: nothing more is written before the next start.
    #[must_use]
    pub fn has_given_up(&self) -> bool {
        self.writer.as_ref().is_some_and(writer::Writer::has_given_up)
    }
}

/// Makes a SQLite file that is not there yet, empty: hashes and people's contacts will be in it, so only
/// its owner can read it. SQLite gives its log the same permissions.
fn make_private(database: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::OpenOptionsExt as _;
    match std::fs::File::options().write(true).create_new(true).mode(0o600).open(database) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(StoreError::File { path: database.to_owned(), error }),
    }
}

/// Takes the lock beside a SQLite file, which the system gives back however the process ends.
fn lock_file(database: &Path) -> Result<std::fs::File, StoreError> {
    // One lock for one file, whatever links lead to it.
    let there = database.canonicalize().unwrap_or_else(|_| database.to_owned());
    let mut path = there.as_os_str().to_owned();
    path.push(".lock");
    let path = PathBuf::from(path);
    let failed = |error| StoreError::File { path: path.clone(), error };
    let file =
        std::fs::File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(StoreError::InUse(database.to_owned())),
        Err(std::fs::TryLockError::Error(error)) => Err(failed(error)),
    }
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
        let answer = store.writer.as_ref().unwrap().submit(|transaction| {
            use diesel::connection::SimpleConnection as _;
            std::thread::sleep(Duration::from_millis(50));
            Ok::<_, StoreError>(transaction.connection.batch_execute("CREATE TABLE mark (made INTEGER)")?)
        });
        // Whoever asked has gone, and so has everybody else.
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
}
