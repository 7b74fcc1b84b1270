//! The fixture of the desk's tests: a desk on a fresh database, and a clock the tests set.
//!
//! On PostgreSQL they need a cluster of their own at the address in `OWLBOX_TEST_POSTGRES`; `tests/run.sh`
//! starts one. Without it they fail, unless `OWLBOX_TEST_SKIP_POSTGRES=1` skips them.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};

use chrono::{DateTime, TimeDelta};
use secrecy::{ExposeSecret as _, SecretString};

use crate::access::AuthSettings;
use crate::access::accounts::NewAccount;
use crate::access::links::{Claim, NewLink};
use crate::access::sessions::Tokens;
use crate::access::set_up::SetUp;
use crate::{Actor, Clock, Dependencies, Desk, Refused, Request};
use owlbox_base::permissions::{Role, Roles};
use owlbox_base::values::{PlayerId, Timestamp};
use owlbox_books::club::Settings;
use owlbox_store::{AnyConnection, DatabaseUrl, Options, Store, StoreError};

/// The password of every account in the tests.
pub const PASSWORD: &str = "quattro oche sul lago";
pub const HOME: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

/// A clock that stands still until a test moves it.
#[derive(Clone)]
pub struct TestClock(Arc<Mutex<Timestamp>>);

impl TestClock {
    pub fn advance(&self, by: TimeDelta) {
        let mut now = self.0.lock().unwrap();
        *now = (now.utc() + by).into();
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

/// The database a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Db {
    Sqlite,
    Postgres,
}

/// A desk and its clock. Dropping it deletes the database.
pub struct Fixture {
    pub desk: Desk,
    pub clock: TestClock,
    url: DatabaseUrl,
    terms: AuthSettings,
    _folder: Option<tempfile::TempDir>,
}

impl Fixture {
    /// A desk before set-up, or `None` if the tests on PostgreSQL are skipped: `let Some(fixture) =
    /// Fixture::empty(db) else { return };`
    pub fn empty(db: Db) -> Option<Self> {
        Self::empty_on(db, AuthSettings::throwaway())
    }

    fn empty_on(db: Db, terms: AuthSettings) -> Option<Self> {
        let (url, folder) = match db {
            Db::Sqlite => {
                let folder = tempfile::tempdir().unwrap();
                (DatabaseUrl::Sqlite(folder.path().join("club.db")), Some(folder))
            }
            Db::Postgres => (postgres()?, None),
        };
        let start = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let clock = TestClock(Arc::new(Mutex::new(start.into())));
        let desk = desk(&url, &terms, &clock);
        Some(Self { desk, clock, url, terms, _folder: folder })
    }

    /// Another instance on the same database, with the same keys. PostgreSQL only.
    pub fn another_instance(&self) -> Desk {
        desk(&self.url, &self.terms, &self.clock)
    }

    /// The same club once its desk has ended and another has begun. SQLite only: as long as anyone has the
    /// desk, they hold the file.
    pub async fn restarted(self) -> Self {
        let Self { desk: ended, clock, url, terms, _folder } = self;
        let desk = tokio::task::spawn_blocking({
            let (url, terms, clock) = (url.clone(), terms.clone(), clock.clone());
            move || {
                drop(ended);
                (0..200)
                    .find_map(|_| {
                        std::thread::sleep(std::time::Duration::from_millis(5));
                        open_desk(&url, &terms, &clock).ok()
                    })
                    .expect("nobody holds the file")
            }
        });
        Self { desk: desk.await.unwrap(), clock, url, terms, _folder }
    }

    /// Another instance whose connections have this name at the server. PostgreSQL only.
    pub fn another_instance_called(&self, name: &str) -> Desk {
        use secrecy::ExposeSecret as _;
        let DatabaseUrl::Postgres(url) = &self.url else { panic!("SQLite has but one instance") };
        let url = format!("{}&application_name={name}", url.expose_secret());
        desk(&url.parse().unwrap(), &self.terms, &self.clock)
    }

    /// Locks these tables against everybody, on PostgreSQL, until the answer is dropped.
    pub async fn hold(&self, tables: &'static str) -> impl Drop + use<> {
        let (release, released) = std::sync::mpsc::channel::<()>();
        let (holds, held) = tokio::sync::oneshot::channel();
        let url = self.url.clone();
        let thread = std::thread::spawn(move || {
            use diesel::connection::SimpleConnection as _;
            let mut connection = owlbox_store::connection::connect(&url, owlbox_store::Use::Write).unwrap();
            connection
                .batch_execute(&format!("BEGIN; LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE"))
                .unwrap();
            holds.send(()).unwrap();
            // An error says that it was dropped.
            let _ = released.recv();
            connection.batch_execute("ROLLBACK").unwrap();
        });
        held.await.unwrap();
        Held { release: Some(release), thread: Some(thread) }
    }

    /// Has the server end all connections of this name.
    pub async fn cut_off(&self, name: &str) {
        let theirs = format!("FROM pg_stat_activity WHERE application_name = '{name}'");
        let cut = move |connection: &mut AnyConnection| {
            use diesel::connection::SimpleConnection as _;
            Ok::<_, StoreError>(
                connection.batch_execute(&format!("SELECT pg_terminate_backend(pid) {theirs}"))?,
            )
        };
        self.desk.inner.store.read(cut).await.unwrap();
    }

    /// A desk whose club has been set up by the admin `chief`, and that admin.
    pub async fn open(db: Db) -> Option<(Self, Actor)> {
        Self::open_on(db, AuthSettings::throwaway()).await
    }

    /// The same, with these terms of authentication.
    pub async fn open_on(db: Db, terms: AuthSettings) -> Option<(Self, Actor)> {
        let fixture = Self::empty_on(db, terms)?;
        let code = fixture.desk.set_up_code().await.unwrap().unwrap();
        let tokens = fixture.desk.set_up(set_up(&code)).await.unwrap();
        let admin = fixture.actor(&tokens).await.unwrap();
        Some((fixture, admin))
    }

    /// Verifies the whole club.
    pub async fn verify(&self) {
        let read =
            |connection: &mut AnyConnection| Ok::<_, StoreError>(crate::verify::verify(connection).map(drop));
        self.desk.inner.store.read(read).await.unwrap().expect("the club is whole");
    }

    /// Everything that is stored, as text: of SQLite the bytes of its files, of PostgreSQL all rows.
    pub async fn everything(&self) -> String {
        match &self.url {
            DatabaseUrl::Sqlite(path) => {
                let files = ["", "-wal"].map(|end| std::fs::read(format!("{}{end}", path.display())));
                let files = files.into_iter().map(Result::unwrap_or_default);
                files.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
            }
            DatabaseUrl::Postgres(_) => self.desk.inner.store.read(all_rows).await.unwrap(),
        }
    }

    pub async fn actor(&self, tokens: &Tokens) -> Result<Actor, Refused> {
        self.desk.verify_access_token(tokens.access.expose_secret()).await.map(|signed_in| signed_in.actor)
    }

    pub async fn sign_in(&self, login: &str) -> Result<Tokens, Refused> {
        self.desk.sign_in(login, PASSWORD.into(), HOME).await
    }

    /// Makes an account and its invitation.
    pub async fn invite(&self, admin: Actor, player: Option<PlayerId>, roles: &[Role]) -> NewLink {
        let new = NewAccount { player, roles: Roles::from_roles(roles), email: None };
        self.desk.create_account(Request::by(admin), new).await.unwrap().0
    }

    /// Makes an account with these roles, claims it, and signs in.
    pub async fn somebody(&self, admin: Actor, login: &str, roles: &[Role]) -> Actor {
        let link = self.invite(admin, None, roles).await;
        let tokens = self.desk.claim_link(link.secret.expose_secret(), claim(login)).await.unwrap();
        self.actor(&tokens).await.unwrap()
    }
}

/// Holds a lock until it is dropped.
struct Held {
    release: Option<std::sync::mpsc::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Drop for Held {
    fn drop(&mut self) {
        drop(self.release.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// All rows of all tables on PostgreSQL.
fn all_rows(connection: &mut AnyConnection) -> Result<String, StoreError> {
    use diesel::prelude::*;
    use diesel::sql_types::Text;
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Text)]
        row: String,
    }
    let tables =
        "SELECT table_name::text AS row FROM information_schema.tables WHERE table_schema = current_schema()";
    let tables: Vec<Row> = diesel::sql_query(tables).load(connection)?;
    let mut all = String::new();
    for table in tables {
        let rows = format!("SELECT t::text AS row FROM \"{}\" AS t", table.row);
        let rows: Vec<Row> = diesel::sql_query(rows).load(connection)?;
        rows.iter().for_each(|row| all += &row.row);
    }
    Ok(all)
}

pub fn set_up(code: &str) -> SetUp {
    SetUp {
        code: code.to_owned(),
        settings: Settings::default(),
        login: "chief".parse().unwrap(),
        password: PASSWORD.into(),
    }
}

pub fn claim(login: &str) -> Claim {
    Claim { login: Some(login.parse().unwrap()), password: SecretString::from(PASSWORD) }
}

/// The code of the refusal in `answer`.
#[track_caller]
pub fn code<T: std::fmt::Debug>(answer: Result<T, Refused>) -> &'static str {
    answer.expect_err("a refusal").code().name()
}

fn desk(url: &DatabaseUrl, terms: &AuthSettings, clock: &TestClock) -> Desk {
    open_desk(url, terms, clock).unwrap()
}

fn open_desk(url: &DatabaseUrl, terms: &AuthSettings, clock: &TestClock) -> Result<Desk, StoreError> {
    let options = Options { pool_size: 4, ..Options::default() };
    let store = Store::open(url, &options)?;
    let clock = Box::new(clock.clone());
    Ok(Desk::new(Dependencies { clock, terms: terms.clone(), ..Dependencies::with_store(store) }))
}

/// A new schema on the test run's cluster; `None` if the tests on PostgreSQL are skipped.
fn postgres() -> Option<DatabaseUrl> {
    match std::env::var("OWLBOX_TEST_POSTGRES") {
        Ok(cluster) => Some(schema_on(&cluster)),
        Err(_) if std::env::var("OWLBOX_TEST_SKIP_POSTGRES").is_ok_and(|value| value == "1") => None,
        Err(_) => panic!(
            "this test needs a PostgreSQL cluster of its own: run `bash tests/run.sh`, or set \
             OWLBOX_TEST_POSTGRES, or leave it out with OWLBOX_TEST_SKIP_POSTGRES=1"
        ),
    }
}

fn schema_on(cluster: &str) -> DatabaseUrl {
    use diesel::connection::SimpleConnection as _;
    let schema = format!("desk_{}", uuid::Uuid::now_v7().simple());
    // Not on the test's own thread, which runs asynchronous code.
    let made = std::thread::scope(|scope| {
        let make = || {
            let mut connection =
                owlbox_store::connection::connect(&cluster.parse().unwrap(), owlbox_store::Use::Write)
                    .unwrap();
            connection.batch_execute(&format!("CREATE SCHEMA {schema}"))
        };
        scope.spawn(make).join()
    });
    made.unwrap().unwrap();
    let joint = if cluster.contains('?') { '&' } else { '?' };
    format!("{cluster}{joint}options=-csearch_path%3D{schema}").parse().unwrap()
}
