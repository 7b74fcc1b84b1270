//! SIGHUP: a service reads its log level and its signing keys again, and goes on.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::json;

use crate::support::databases::Db;
use crate::support::federation::Federation;
use crate::support::house::{ADMIN, House, club};
use crate::support::server::{SIGNING_KEY, Server};

const AGAIN: &str = "reloaded the log level";
const UNCHANGED: &str = "the settings were not reloaded";
const NEW: &str = "new:fedcba9876543210fedcba9876543210";

/// A configuration file with this level and these keys, `ID:SECRET`.
fn write(file: &Path, level: &str, keys: &[&str]) {
    let keys = keys.iter().map(|key| {
        let (id, secret) = key.split_once(':').unwrap();
        format!("{{ id = \"{id}\", secret = \"{secret}\" }}")
    });
    let keys = keys.collect::<Vec<_>>().join(", ");
    std::fs::write(file, format!("[log]\nlevel = \"{level}\"\n[auth]\nsigning_keys = [{keys}]\n")).unwrap();
}

/// A service with its settings in a file.
fn start(url: &str, file: &Path) -> Server {
    let settings = [
        ("OWLBOX_HTTP__LISTEN", "127.0.0.1:0"),
        ("OWLBOX_HTTP__WORKERS", "1"),
        ("OWLBOX_DATABASE__URL", url),
        ("OWLBOX_CONFIG", file.to_str().unwrap()),
    ];
    Server::start_as(settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into())
}

/// Sends SIGHUP, and waits until this was logged once more.
#[track_caller]
fn hang_up(server: &Server, logged: &str) {
    let before = server.logged().matches(logged).count();
    server.signal("HUP");
    let until = Instant::now() + Duration::from_secs(10);
    while server.logged().matches(logged).count() == before {
        assert!(Instant::now() < until, "{logged}: {}", server.logged());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[rstest]
fn the_level_of_the_log_and_the_keys_are_read_again(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(database) = club(db) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.toml");
    write(&file, "warn", &[SIGNING_KEY]);
    let mut house = House::of(start(&database.url, &file), database);
    let old = house.sign_in(ADMIN.0, ADMIN.1);
    let fail = || {
        let sign_in = json!({"login": "invented", "password": "wrong all the time"});
        house.server.public().post("/api/v1/sign-in", &sign_in).refused(401, "wrong_login_or_password");
    };
    fail();

    // A new key signs; the old one still verifies.
    write(&file, "info", &[NEW, SIGNING_KEY]);
    hang_up(&house.server, AGAIN);
    assert!(!house.server.logged().contains("a sign-in failed"), "not at the old level");
    fail();
    assert!(house.server.logs("a sign-in failed"), "at the new one");
    old.get("/api/v1/me").good();
    let new = house.sign_in(ADMIN.0, ADMIN.1);

    // What is wrong is said and changes nothing.
    for level in ["info,owlbox_desk=loud", "loud"] {
        write(&file, level, &[SIGNING_KEY]);
        hang_up(&house.server, UNCHANGED);
    }
    assert!(house.server.logged().contains("log.level"), "{}", house.server.logged());
    [&old, &new].into_iter().for_each(|client| drop(client.get("/api/v1/me").good()));

    // Without the old key.
    write(&file, "info", &[NEW]);
    hang_up(&house.server, AGAIN);
    new.get("/api/v1/me").good();
    old.get("/api/v1/me").refused(401, "invalid_token");
    assert!(house.server.stop().success(), "and it stops as ever");
}

/// The code is worked out from the keys, so other keys have another.
#[test]
fn a_club_that_is_not_set_up_yet_prints_the_code_of_its_new_keys() {
    let database = Db::Sqlite.fresh().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.toml");
    write(&file, "info", &[SIGNING_KEY]);
    let server = start(&database.url, &file);
    let codes = || -> Vec<String> {
        let printed = server.printed();
        printed.lines().filter_map(|line| Some(line.split_once("enter the code ")?.1.to_owned())).collect()
    };
    let until = Instant::now() + Duration::from_secs(10);
    let wait_for = |count: usize| {
        while codes().len() < count {
            assert!(Instant::now() < until, "{}", server.printed());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    wait_for(1);
    write(&file, "info", &[NEW]);
    hang_up(&server, AGAIN);
    wait_for(2);
    let [old, new]: [String; 2] = codes().try_into().unwrap();
    let set_up = |code: &str| {
        let body = json!({"code": code, "login": ADMIN.0, "password": ADMIN.1});
        server.public().post("/api/v1/set-up", &body)
    };
    set_up(&old).refused(422, "wrong_set_up_code");
    set_up(&new).good();
    // And nobody is shown a code any more.
    hang_up(&server, AGAIN);
    assert_eq!(codes().len(), 2);
}

#[test]
fn a_key_file_is_read_again() {
    let Some(database) = club(Db::Sqlite) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.toml");
    write(&file, "info", &[]);
    let house = House::of(start(&database.url, &file), database);
    let old = house.sign_in(ADMIN.0, ADMIN.1);
    hang_up(&house.server, AGAIN);
    old.get("/api/v1/me").good();
    let key = Path::new(house.database.url.trim_start_matches("sqlite://")).with_extension("key");
    std::fs::remove_file(&key).unwrap();
    hang_up(&house.server, AGAIN);
    assert!(key.exists(), "it has made another");
    old.get("/api/v1/me").refused(401, "invalid_token");
    house.sign_in(ADMIN.0, ADMIN.1).get("/api/v1/me").good();
}

/// The clubs that are open have other keys at once, and those that are opened later as well.
#[test]
fn the_clubs_of_a_service_have_other_keys() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("clubs.toml");
    write(&file, "info", &[SIGNING_KEY]);
    let Some(federation) = Federation::open(Db::Postgres, &[("CONFIG", file.to_str().unwrap())]) else {
        return;
    };
    let (open, asleep) = (federation.club("open"), federation.name("asleep"));
    federation.told(&["club", "create", &asleep]);
    let set_up = |code: &str| {
        let body = json!({"code": code, "login": ADMIN.0, "password": ADMIN.1});
        federation.at(&asleep).post("/api/v1/set-up", &body)
    };
    let code = || {
        let told = federation.told(&["club", "code", &asleep]);
        told.trim_end().rsplit_once("code ").unwrap().1.to_owned()
    };
    let old_code = code();
    open.admin.get("/api/v1/me").good();
    write(&file, "info", &[NEW]);
    hang_up(&federation.server, AGAIN);
    open.admin.get("/api/v1/me").refused(401, "invalid_token");
    set_up(&old_code).refused(422, "wrong_set_up_code");
    set_up(&code()).good();
}

/// The terminal's end sends the same signal. The service stops as it does at any other order to.
#[test]
fn a_service_stops_with_the_terminal_that_it_was_started_on() {
    let Some(database) = club(Db::Sqlite) else { return };
    let start = Server::program_on(&database);
    let command = format!("{} serve", start.get_program().display());
    let socket = format!("{}.admin", database.url.trim_start_matches("sqlite://"));
    let mut terminal = Command::new("script")
        .args(["--quiet", "--command", &command, "/dev/null"])
        .env("OWLBOX_DATABASE__URL", &database.url)
        .env("OWLBOX_AUTH__SIGNING_KEYS", SIGNING_KEY)
        .env("OWLBOX_HTTP__LISTEN", "127.0.0.1:0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let printed = BufReader::new(terminal.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(printed.into_iter().any(|line| line.contains("listening on ")));
    assert!(Path::new(&socket).exists());
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    while Path::new(&socket).exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!Path::new(&socket).exists(), "it has not stopped, or not in order");
    drop(database.store());
}
