//! A separate database for every test: a file on SQLite, a schema on PostgreSQL.

use std::panic::Location;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use owlbox_store::{AnyConnection, Options, Store, StoreError, Use};
use tempfile::TempDir;

/// The database of a test. What differs between the two lives in the store, whose tests and the desk's run on
/// both. A story runs on one in every run and on the other in a long one, `#[values(Db::one(),
/// Db::other())]`; on both in every run is `#[values(Db::Sqlite, Db::Postgres)]`, for what a database itself
/// does: files, faults, migrations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Db {
    Sqlite,
    Postgres,
}

/// An empty database, deleted on drop. Drop the server before.
pub struct Database {
    /// The URL in the form of the setting `database.url`.
    pub url: String,
    place: Place,
}

enum Place {
    /// The folder with the database file.
    Folder(TempDir),
    /// The cluster's address and the schema in it.
    Schema { cluster: String, name: String },
}

impl Db {
    /// The database on which this test runs in every run: half of them on either, by the line where this
    /// stands.
    #[track_caller]
    pub fn one() -> Self {
        if Location::caller().line().is_multiple_of(2) { Self::Sqlite } else { Self::Postgres }
    }

    /// The other one.
    #[track_caller]
    pub fn other() -> Self {
        if Self::one() == Self::Sqlite { Self::Postgres } else { Self::Sqlite }
    }

    /// An empty database, or `None` if the PostgreSQL tests are to be skipped: `let Some(database) =
    /// db.fresh() else { return };`
    pub fn fresh(self) -> Option<Database> {
        match self {
            Self::Sqlite => Some(sqlite()),
            Self::Postgres => postgres(),
        }
    }
}

fn sqlite() -> Database {
    let folder = tempfile::Builder::new().prefix("owlbox-test.").tempdir().expect("a temporary folder");
    let url = format!("sqlite://{}", folder.path().join("club.db").display());
    Database { url, place: Place::Folder(folder) }
}

fn postgres() -> Option<Database> {
    Some(schema_on(&cluster()?))
}

/// An empty schema on the cluster at this address.
pub fn schema_on(cluster: &str) -> Database {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    on_cluster(cluster, &format!("CREATE SCHEMA {name}"));
    let joint = if cluster.contains('?') { '&' } else { '?' };
    let url = format!("{cluster}{joint}options=-csearch_path%3D{name}");
    Database { url, place: Place::Schema { cluster: cluster.to_owned(), name } }
}

/// A connection past the program.
#[track_caller]
pub fn connected(url: &str) -> AnyConnection {
    owlbox_store::connection::connect(&url.parse().expect("a database's URL"), Use::Write)
        .expect("it answers")
}

#[derive(diesel::QueryableByName)]
struct Line {
    #[diesel(sql_type = diesel::sql_types::Text)]
    line: String,
}

/// The texts in the column `line` of what a query answers.
pub fn lines(connection: &mut AnyConnection, sql: &str) -> Vec<String> {
    use diesel::RunQueryDsl as _;
    let lines: Vec<Line> = match connection {
        AnyConnection::Sqlite(connection) => diesel::sql_query(sql).load(connection).unwrap(),
        AnyConnection::Postgres(connection) => diesel::sql_query(sql).load(connection).unwrap(),
    };
    lines.into_iter().map(|line| line.line).collect()
}

/// The cluster's address, or `None` if the PostgreSQL tests are to be skipped.
pub fn cluster() -> Option<String> {
    super::address("OWLBOX_TEST_POSTGRES", "OWLBOX_TEST_SKIP_POSTGRES", "a PostgreSQL cluster of its own")
}

/// Runs plain SQL on the cluster.
pub fn on_cluster(cluster: &str, sql: &str) {
    let mut connection = connected(cluster);
    connection.batch_execute("SET client_min_messages = warning").expect("a session that may be set");
    connection.batch_execute(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

impl Database {
    /// Opens a store on it. If the last one was dropped a moment ago and is still closing its file, this
    /// waits.
    #[track_caller]
    pub fn store(&self) -> Store {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            match Store::open(&self.url.parse().unwrap(), &Options::default()) {
                Err(StoreError::InUse(_)) if Instant::now() < until => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                opened => return opened.unwrap(),
            }
        }
    }

    pub fn db(&self) -> Db {
        match self.place {
            Place::Folder(_) => Db::Sqlite,
            Place::Schema { .. } => Db::Postgres,
        }
    }

    /// The club's file, closed by the process that had it open.
    #[track_caller]
    pub fn read_file(&self) -> Vec<u8> {
        let file = self.file();
        assert!(!Path::new(&format!("{file}-wal")).exists(), "the log has been written back");
        std::fs::read(file).expect("the club's file")
    }

    /// Begins with a club's file instead of an empty database.
    #[track_caller]
    pub fn write_file(&self, bytes: &[u8]) {
        std::fs::write(self.file(), bytes).expect("the club's file");
    }

    /// The path of the database file on SQLite.
    #[track_caller]
    fn file(&self) -> &str {
        assert_eq!(self.db(), Db::Sqlite);
        self.url.trim_start_matches("sqlite://")
    }

    /// Changes the journal with plain SQL as somebody would who knows the program: past the guards, and with
    /// hashes that follow.
    pub fn tamper(&self, sql: &str) {
        use diesel::connection::SimpleConnection as _;
        let mut connection =
            owlbox_store::connection::connect(&self.url.parse().unwrap(), owlbox_store::Use::Write).unwrap();
        let done = owlbox_store::guards::lifted(&mut connection, |connection| {
            connection.batch_execute(sql)?;
            owlbox_store::fill::chain_journal(connection)
        });
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// Runs plain SQL, bypassing the program.
    pub fn execute(&self, sql: &str) {
        use diesel::Connection;
        match &self.place {
            Place::Folder(_) => {
                let file = self.file();
                let mut connection = diesel::SqliteConnection::establish(file).expect("the file opens");
                connection.batch_execute("PRAGMA busy_timeout = 5000").expect("a connection that may be set");
                connection.batch_execute(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
            }
            Place::Schema { .. } => on_cluster(&self.url, sql),
        }
    }
}

/// Blocks all writers until dropped.
pub struct Holder {
    _sqlite: Option<diesel::SqliteConnection>,
    _postgres: Option<AnyConnection>,
}

impl Database {
    /// Blocks all writers until the result is dropped.
    pub fn hold(&self) -> Holder {
        use diesel::Connection;
        match &self.place {
            Place::Folder(_) => {
                let file = self.file();
                let mut connection = diesel::SqliteConnection::establish(file).expect("the file opens");
                connection
                    .batch_execute("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE")
                    .expect("nobody writes just now");
                Holder { _sqlite: Some(connection), _postgres: None }
            }
            Place::Schema { .. } => {
                let mut connection = connected(&self.url);
                connection
                    .batch_execute("BEGIN; LOCK TABLE __diesel_schema_migrations IN EXCLUSIVE MODE")
                    .expect("nobody writes just now");
                Holder { _sqlite: None, _postgres: Some(connection) }
            }
        }
    }

    /// The number of rows of a table, on SQLite.
    pub fn count(&self, table: &str) -> i64 {
        use diesel::prelude::*;
        #[derive(QueryableByName)]
        struct Count {
            #[diesel(sql_type = diesel::sql_types::BigInt)]
            rows: i64,
        }
        let file = self.file();
        let mut connection = diesel::SqliteConnection::establish(file).expect("the file opens");
        let query = format!("SELECT count(*) AS \"rows\" FROM {table}");
        diesel::sql_query(query).get_result::<Count>(&mut connection).expect("a count").rows
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Place::Schema { cluster, name } = &self.place
            && !std::thread::panicking()
        {
            // A failed test leaves its schema for inspection. The cluster is removed after the run anyway.
            // One that has become a club among many is gone.
            on_cluster(cluster, &format!("DROP SCHEMA IF EXISTS {name} CASCADE"));
        }
    }
}
