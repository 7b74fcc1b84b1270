//! Faults of the machine: a full disk, a clock that is set, a process that dies in the middle of a commit, a
//! database that cannot be reached. `faults.c` makes most of them: a library that the service under test
//! loads first.
//!
//! Every command is repeated under its key until it is done. Whatever happens meanwhile, it is done once.

use std::collections::BTreeSet;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::crash::game;
use crate::crowd::whole_log;
use crate::support::client::Answer;
use crate::support::cluster::Cluster;
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House, Table, club, founded};
use crate::support::server::{Server, TWO_WORKERS};

/// How long anything may take, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A status and a code.
type Refusal = (u16, &'static str);
const BUSY: Refusal = (503, "busy");

/// The folder with the library, and the files that say which faults there are.
struct Faults(TempDir);

impl Faults {
    /// None yet.
    fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("owlbox-test.").tempdir().expect("a temporary folder");
        // A database server is another user.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).expect("ours");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/faults.c");
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-o"])
            .arg(folder.path().join("faults.so"))
            .arg(source)
            .output()
            .expect("a compiler for C");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        Self(folder)
    }

    /// A club whose service meets these faults, or `None` if tests on that database are to be skipped.
    fn house(&self, db: Db) -> Option<House> {
        let database = club(db)?;
        let [library, folder] = self.loaded();
        let server = Server::start_under(
            &database,
            &[TWO_WORKERS, ("LIMITS__STREAM_LENGTH", "1000000")],
            &[(library.0, &library.1), (folder.0, &folder.1)],
        );
        Some(House::of(server, database))
    }

    /// A database server that meets these faults, or `None` if tests with PostgreSQL are to be skipped.
    fn cluster(&self) -> Option<Cluster> {
        let [library, folder] = self.loaded();
        Cluster::start(&[(library.0, &library.1), (folder.0, &folder.1)])
    }

    /// What has a program load the library.
    fn loaded(&self) -> [(&'static str, String); 2] {
        let folder = self.0.path().to_str().expect("a name in UTF-8");
        [("LD_PRELOAD", format!("{folder}/faults.so")), ("FAULTS", folder.to_owned())]
    }

    /// Begins a fault, or changes it. The service never sees half a file.
    fn set(&self, fault: &str, how: &str) {
        let [written, there] = ["written", fault].map(|name| self.0.path().join(name));
        std::fs::write(&written, how).expect("a file");
        std::fs::rename(written, there).expect("its name");
    }

    fn end(&self, fault: &str) {
        std::fs::remove_file(self.0.path().join(fault)).expect("a fault that is set");
    }
}

/// Waits until it is so.
#[track_caller]
fn until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "waited for in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Gives a command under this key.
fn give(table: &Table, key: &str, command: &Value) -> Answer {
    let path = table.path("/commands");
    table.client.request("POST", &path).json(&table.with_ids(command)).key(key).send()
}

/// The act of a command that was done.
#[track_caller]
fn act(done: Answer) -> String {
    done.good().body["act"]["act"].as_str().expect("an act").to_owned()
}

/// Repeats a command under its key until it is done. Each refusal must be one of these.
fn give_until_done(
    table: &Table,
    key: &str,
    command: &Value,
    refusals: &[Refusal],
    refused: &AtomicUsize,
) -> String {
    let began = Instant::now();
    loop {
        let answer = give(table, key, command);
        let Some((status, code)) = refusals.iter().find(|(status, _)| *status == answer.status) else {
            return act(answer);
        };
        answer.refused(*status, code);
        refused.fetch_add(1, Ordering::Relaxed);
        assert!(began.elapsed() < PATIENCE, "never done: {command}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The acts at a table, each of which is there once. Their versions have no gap.
fn acts_at(table: &Table) -> BTreeSet<String> {
    let log = whole_log(table);
    let versions: Vec<i64> = log.iter().flat_map(|(_, first, last)| *first..=*last).collect();
    assert_eq!(versions, (1..).take(versions.len()).collect::<Vec<i64>>());
    let acts: BTreeSet<String> = log.iter().map(|(act, ..)| act.clone()).collect();
    assert_eq!(acts.len(), log.len());
    acts
}

/// A game at a table that can be played again and again.
fn game_at(table: &Table) -> [Value; 4] {
    game(table.state()["box"].as_str().expect("somebody in the box"))
}

/// What readiness says.
fn readiness(house: &House) -> (u16, String) {
    let answer = house.server.public().get("/readyz");
    (answer.status, answer.text().to_owned())
}

/// Has every write to the club's database find no room.
fn fill_disk(house: &House, faults: &Faults) {
    match house.database.db() {
        Db::Sqlite => faults.set("full", ""),
        Db::Postgres => house.database.execute(
            "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END $$;
             CREATE TRIGGER no_room BEFORE INSERT ON journal EXECUTE FUNCTION no_room();
             CREATE TRIGGER no_room BEFORE UPDATE ON __diesel_schema_migrations EXECUTE FUNCTION no_room()",
        ),
    }
}

fn make_room(house: &House, faults: &Faults) {
    match house.database.db() {
        Db::Sqlite => faults.end("full"),
        Db::Postgres => house.database.execute("DROP FUNCTION no_room() CASCADE"),
    }
}

#[rstest]
fn while_the_disk_is_full_nothing_is_done_and_everything_can_be_read(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let faults = Faults::new();
    let Some(house) = faults.house(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    let [start, double, ..] = game_at(&table);
    act(give(&table, "before", &start));
    let before = acts_at(&table);
    let seen = table.state();

    fill_disk(&house, &faults);
    for _ in 0..3 {
        give(&table, "double", &double).refused(507, "storage_full");
    }
    until("not ready", || readiness(&house) == (503, "there is no room left to write\n".to_owned()));
    assert_eq!(table.state(), seen);
    assert_eq!(acts_at(&table), before);

    make_room(&house, &faults);
    let done = act(give(&table, "double", &double));
    assert_eq!(act(give(&table, "double", &double)), done);
    until("ready", || readiness(&house).0 == 200);
    let after = acts_at(&table);
    assert!(after.is_superset(&before) && after.contains(&done) && after.len() == before.len() + 1);
    house.verify();
}

/// Clients who play at tables of their own.
#[derive(Default)]
struct Load {
    stopped: AtomicBool,
    /// How many commands were done, and how many answers said that one was not.
    done: AtomicUsize,
    refused: AtomicUsize,
}

impl Load {
    /// Plays at each table while this goes on. Whatever is not done is refused in one of these ways,
    /// repeated, and in the end there once.
    fn during(tables: &[Table], refusals: &[Refusal], meanwhile: impl FnOnce(&Self)) {
        let before: Vec<_> = tables.iter().map(acts_at).collect();
        let load = Self::default();
        let played: Vec<BTreeSet<String>> = std::thread::scope(|scope| {
            let load = &load;
            let playing: Vec<_> =
                tables.iter().map(|table| scope.spawn(move || load.play(table, refusals))).collect();
            let failed = catch_unwind(AssertUnwindSafe(|| meanwhile(load)));
            load.stopped.store(true, Ordering::Relaxed);
            let played = playing.into_iter().map(|client| client.join().expect("a client")).collect();
            failed.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            played
        });
        for ((table, mut acts), played) in tables.iter().zip(before).zip(played) {
            acts.extend(played);
            assert_eq!(acts_at(table), acts);
        }
    }

    fn play(&self, table: &Table, refusals: &[Refusal]) -> BTreeSet<String> {
        let game = game_at(table);
        let mut acts = BTreeSet::new();
        for (step, command) in game.iter().cycle().enumerate() {
            if self.stopped.load(Ordering::Relaxed) {
                break;
            }
            let key = format!("{}-{step}", table.id);
            acts.insert(give_until_done(table, &key, command, refusals, &self.refused));
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        acts
    }

    /// Waits until so many more were done or refused.
    fn wait_for(&self, more: usize, counted: &AtomicUsize) {
        let before = counted.load(Ordering::Relaxed);
        until("more commands", || counted.load(Ordering::Relaxed) >= before + more);
    }
}

#[test]
fn a_disk_that_is_full_now_and_then_costs_no_command_and_doubles_none() {
    let faults = Faults::new();
    let Some(house) = faults.house(Db::Sqlite) else { return };
    Load::during(&tables_in(&house), &[(507, "storage_full")], |load| {
        for _ in 0..5 {
            load.wait_for(20, &load.done);
            faults.set("full", "");
            load.wait_for(10, &load.refused);
            faults.end("full");
        }
        load.wait_for(20, &load.done);
    });
    house.verify();
}

#[rstest]
fn a_clock_that_is_set_back_and_forward_again_stops_nobody(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let faults = Faults::new();
    let Some(house) = faults.house(db) else { return };
    let mut table = house.table(&["A", "B", "C"]);
    let public = house.server.public();
    let mut session =
        public.post("/api/v1/sign-in", &json!({"login": ADMIN.0, "password": ADMIN.1})).good().body;
    let game = game_at(&table);
    let before = acts_at(&table).len();
    // An access token is good only from when it was given to when it expires.
    let mut play = || {
        session =
            public.post("/api/v1/refresh", &json!({"refresh_token": session["refresh_token"]})).good().body;
        table.client = public.bearer(session["access_token"].as_str().expect("a token"));
        table.play(&game);
    };
    play();
    faults.set("clock", &(-26 * 3600).to_string());
    play();
    faults.end("clock");
    play();
    table.client = house.admin();
    assert_eq!(acts_at(&table).len(), before + 3 * game.len());
    house.verify();
}

/// Where the service is killed: when it writes to the log for the so manieth time, with half of it written;
/// before and after it flushes the log.
const STEPS_ON_SQLITE: [&str; 10] = [
    "write 1", "write 2", "write 3", "write 5", "write 8", "write 13", "write 21", "write 34", "sync 1",
    "synced 1",
];
/// Before and after the order to commit is sent.
const STEPS_ON_POSTGRES: [&str; 2] = ["commit 1", "committed 1"];

#[rstest]
fn killed_at_any_step_of_a_commit_it_has_done_what_it_acknowledged_once(
    #[values(Db::Sqlite, Db::Postgres)] db: Db,
) {
    let faults = Faults::new();
    let Some(mut house) = faults.house(db) else { return };
    let mut table = house.table(&["A", "B", "C"]);
    let game = game_at(&table);
    let mut acts = acts_at(&table);
    let mut given = game.iter().cycle().enumerate().map(|(number, command)| (number.to_string(), command));
    let steps = match db {
        Db::Sqlite => STEPS_ON_SQLITE.as_slice(),
        Db::Postgres => &STEPS_ON_POSTGRES,
    };
    for step in steps {
        faults.set("die", step);
        let (key, command) = given
            .find(|(key, command)| match catch_unwind(AssertUnwindSafe(|| give(&table, key, command))) {
                Ok(answer) => {
                    acts.insert(act(answer));
                    false
                }
                Err(_) => true,
            })
            .expect("a command without an answer");
        house.server.wait();
        faults.end("die");
        house.server.restart();
        table.client = house.admin();
        // The server may not have noticed yet whose locks it holds.
        let done = give_until_done(&table, &key, command, &[BUSY], &AtomicUsize::new(0));
        assert_eq!(act(give(&table, &key, command)), done);
        acts.insert(done);
        assert_eq!(acts_at(&table), acts, "killed at {step}");
        house.verify();
    }
}

/// Three tables to play at.
fn tables_in(house: &House) -> [Table; 3] {
    [["A", "B", "C"], ["D", "E", "F"], ["G", "H", "I"]].map(|players| house.table(&players))
}

/// Plays in a club on this database server [meanwhile](Load::during). Then it recovers by itself.
fn outlasts(cluster: &Cluster, refusals: &[Refusal], meanwhile: impl FnOnce(&House, &Load)) {
    let database = founded(cluster.database());
    let house = House::of(
        Server::start_with(&database, &[TWO_WORKERS, ("LIMITS__STREAM_LENGTH", "1000000")]),
        database,
    );
    Load::during(&tables_in(&house), refusals, |load| {
        load.wait_for(20, &load.done);
        meanwhile(&house, load);
        load.wait_for(20, &load.done);
    });
    until("ready", || readiness(&house).0 == 200);
    house.verify();
}

/// A command that is being committed when the connection is lost may have been done: the service cannot say,
/// and so it has failed. All others can be told that it is busy.
const LOST: Refusal = (500, "internal_error");

#[test]
fn a_database_server_that_is_restarted_costs_no_command_and_doubles_none() {
    let Some(cluster) = Cluster::start(&[]) else { return };
    outlasts(&cluster, &[BUSY, LOST], |_, load| {
        // In an orderly way, and as if it had crashed.
        for mode in ["fast", "immediate", "fast", "immediate"] {
            cluster.restart(mode);
            load.wait_for(20, &load.done);
        }
    });
}

#[test]
fn a_database_server_whose_disk_is_full_costs_no_command_and_doubles_none() {
    let faults = Faults::new();
    let Some(cluster) = faults.cluster() else { return };
    outlasts(&cluster, &[(507, "storage_full")], |house, load| {
        for _ in 0..3 {
            faults.set("full", "");
            load.wait_for(10, &load.refused);
            until("not ready", || readiness(house) == (503, "there is no room left to write\n".to_owned()));
            faults.end("full");
            load.wait_for(20, &load.done);
        }
    });
}

#[test]
fn a_database_server_whose_clock_is_set_back_and_forward_again_costs_no_command_and_doubles_none() {
    let faults = Faults::new();
    let Some(cluster) = faults.cluster() else { return };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
    let is_back = format!("DO $$ BEGIN ASSERT now() < to_timestamp({now}) - interval '25 hours'; END $$");
    // What it takes for the end of a time limit ends the statement.
    outlasts(&cluster, &[BUSY, LOST], |house, load| {
        faults.set("clock", &(-26 * 3600).to_string());
        house.database.execute(&is_back);
        load.wait_for(20, &load.done);
        faults.end("clock");
    });
}

/// What lies between the service and its database, and can be cut.
struct Wire {
    port: u16,
    /// Both ends of every connection; `None` while it is cut.
    ends: Arc<Mutex<Option<Vec<TcpStream>>>>,
}

impl Wire {
    fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let ends = Arc::new(Mutex::new(Some(Vec::new())));
        let connected = Arc::clone(&ends);
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if let Some(ends) = connected.lock().unwrap().as_mut() {
                    let server = TcpStream::connect(&server).expect("the database");
                    for [from, to] in [[&client, &server], [&server, &client]] {
                        let [from, to] = [from, to].map(|end| end.try_clone().expect("a handle"));
                        std::thread::spawn(move || pass_on(from, to));
                    }
                    ends.extend([client, server]);
                }
            }
        });
        Self { port, ends }
    }

    /// Ends all connections, and those that are tried until it is mended.
    fn cut(&self) {
        for end in self.ends.lock().unwrap().take().into_iter().flatten() {
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    fn mend(&self) {
        *self.ends.lock().unwrap() = Some(Vec::new());
    }
}

/// Passes everything on, and the end of it.
fn pass_on(mut from: TcpStream, mut to: TcpStream) {
    let _ = std::io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Both);
}

#[test]
fn a_database_that_is_gone_for_three_seconds_costs_no_command_and_doubles_none() {
    let Some(mut database) = club(Db::Postgres) else { return };
    let (user, rest) = database.url.rsplit_once('@').expect("a user");
    let (server, rest) = rest.split_once('/').expect("a database");
    let wire = Wire::to(server.to_owned());
    database.url = format!("{user}@127.0.0.1:{}/{rest}", wire.port);
    let house = House::of(Server::start_with(&database, &[TWO_WORKERS]), database);
    Load::during(&tables_in(&house), &[BUSY, LOST], |load| {
        load.wait_for(20, &load.done);
        wire.cut();
        std::thread::sleep(Duration::from_secs(3));
        wire.mend();
        load.wait_for(20, &load.done);
    });
    until("ready", || readiness(&house).0 == 200);
    house.verify();
}
