//! The command line with and without a running server: verify, backup, restore, demo.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::CommandFactory as _;
use owlbox::cli::args::CommandLine;
use owlbox::cli::demo;
use owlbox_chouette::Chouette;
use owlbox_desk::{Actor, Clock as _, Dependencies, Desk, Request, SystemClock};
use owlbox_store::{Options, Store, chouettes};
use rstest::rstest;
use serde_json::json;

use crate::support::client::Client;
use crate::support::databases::{Database, Db};
use crate::support::server::Server;

/// The program with this database and none of the test run's settings.
fn program(database: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_owlbox"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("OWLBOX_") {
            command.env_remove(name);
        }
    }
    let key = "test:0123456789abcdef0123456789abcdef";
    command.env("OWLBOX_DATABASE__URL", database).env("OWLBOX_AUTH__SIGNING_KEYS", key).args(arguments);
    command
}

pub fn owlbox(database: &str, arguments: &[&str]) -> Output {
    program(database, arguments).stdin(Stdio::null()).output().unwrap()
}

/// Expects success. Returns standard output.
#[track_caller]
pub fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Expects a failure, with one line on standard error.
#[track_caller]
pub fn refused(output: &Output) -> String {
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    error.trim_end().trim_start_matches("owlbox: ").to_owned()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// A club with a night in progress.
pub fn filled(database: &Database) -> Store {
    let store = Store::open(&database.url.parse().unwrap(), &Options::default()).unwrap();
    runtime().block_on(demo::fill(store.clone(), SystemClock.now(), 0)).unwrap();
    store
}

fn file(database: &Database) -> PathBuf {
    PathBuf::from(database.url.trim_start_matches("sqlite://"))
}

#[rstest]
fn verify_counts_what_is_in_order_and_names_what_is_not(#[values(Db::one(), Db::other())] db: Db) {
    let Some(database) = db.fresh() else { return };
    let store = filled(&database);
    let said = good(&owlbox(&database.url, &["verify"]));
    assert!(
        said.contains("players 18, accounts 5, chouettes 1, seats 6, matches 0, transactions 5"),
        "{said}"
    );
    drop(store);
    database.execute("UPDATE chouette SET games = 4");
    let said = refused(&owlbox(&database.url, &["verify"]));
    assert!(
        said.starts_with("chouette, chouette ") && said.ends_with(": games: expected 5, found 4"),
        "{said}"
    );
}

#[test]
fn verify_needs_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/none.db", folder.path().display());
    let said = refused(&owlbox(&url, &["verify"]));
    assert!(said.contains("none.db") && said.contains("No such file"), "{said}");
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "nothing was made");
}

#[test]
fn wrong_settings_are_told_before_anything_is_done() {
    let output = owlbox("sqlite:owlbox.db", &["verify"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("OWLBOX_DATABASE__URL"));
}

/// What is printed is a file that means the same. What is secret is a comment in it.
#[test]
fn the_settings_are_printed_as_a_file_without_their_secrets_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let [written, again] = ["club.toml", "again.toml"].map(|name| folder.path().join(name));
    let key = "file:abcdefghijklmnopqrstuvwxyzabcdef";
    let settings = format!(
        "[http]\nbody_limit = 70000\ntrusted_proxies = [\"10.0.0.1\"]\n[auth]\nsigning_keys = [{{ id = \"file\", secret = \"{}\" }}]\n",
        &key[5..]
    );
    std::fs::write(&written, settings).unwrap();
    let url = "postgres://owlbox:hush@127.0.0.1/club?password=hu%40sh";
    let asked = |of: &str, file: &Path| {
        let mut command = program(url, &["config", of, "--config", file.to_str().unwrap()]);
        command.env_remove("OWLBOX_AUTH__SIGNING_KEYS").env("OWLBOX_HTTP__WORKERS", "3").stdin(Stdio::null());
        command.output().unwrap()
    };
    let printed = good(&asked("print", &written));
    for line in [
        &format!("body_limit = 70000  # {}", written.display()),
        "workers = 3  # OWLBOX_HTTP__WORKERS",
        "# url: postgres://***@127.0.0.1/club  # OWLBOX_DATABASE__URL",
        &format!("# signing_keys: file:***  # {}", written.display()),
        "listen = \"127.0.0.1:8080\"",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line}: {printed}");
    }
    assert!(
        !printed.contains("hush") && !printed.contains("hu%40") && !printed.contains(&key[5..]),
        "{printed}"
    );
    good(&asked("check", &written));
    assert_eq!(asked("check", &again).status.code(), Some(2), "there is no such file");

    // With the secrets given, what was printed says the same.
    let settings = |text: &str| {
        let lines = text.lines().map(|line| line.split("  # ").next().unwrap().to_owned());
        lines.filter(|line| !line.contains("signing_keys")).collect::<Vec<_>>()
    };
    std::fs::write(&again, &printed).unwrap();
    let mut second = program(url, &["config", "print", "--config", again.to_str().unwrap()]);
    second.env("OWLBOX_AUTH__SIGNING_KEYS", key).stdin(Stdio::null());
    assert_eq!(settings(&good(&second.output().unwrap())), settings(&printed));
    let built_in = good(&asked("default", &written)).parse::<toml::Table>().unwrap();
    let keys = |table: &toml::Table| table.values().map(|of| of.as_table().unwrap().len()).sum::<usize>();
    assert_eq!(keys(&printed.parse().unwrap()), keys(&built_in) - 2, "every setting but the secrets");
}

#[test]
fn health_is_asked_on_the_machine_and_told_by_the_exit_status() {
    let Some(database) = Db::Sqlite.fresh() else { return };
    let server = Server::start(&database);
    let asked = |listen: &str| {
        let mut command = program(&database.url, &["healthcheck"]);
        command.env("OWLBOX_HTTP__LISTEN", listen).stdin(Stdio::null());
        command.output().unwrap()
    };
    let listen = server.url().trim_start_matches("http://").to_owned();
    assert_eq!(good(&asked(&listen)), "ready\n");
    drop(server);
    assert!(refused(&asked(&listen)).contains("does not answer"));
    // Something that answers byte by byte without end is not waited for.
    let slow = TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = slow.local_addr().unwrap().to_string();
    let dripping = std::thread::spawn(move || {
        let (mut client, _) = slow.accept().unwrap();
        while client.write_all(b"H").is_ok() {
            std::thread::sleep(std::time::Duration::from_millis(300));
        }
    });
    let begun = std::time::Instant::now();
    assert!(refused(&asked(&listen)).contains("does not answer"));
    assert!(begun.elapsed().as_secs() < 9, "{:?}", begun.elapsed());
    dripping.join().unwrap();
}

#[test]
fn completions_know_every_command() {
    let script = good(&owlbox("sqlite://owlbox.db", &["completions", "bash"]));
    let program = CommandLine::command();
    for command in program.get_subcommands() {
        assert!(script.contains(&format!("owlbox,{})", command.get_name())), "{command}");
    }
}

/// A backup made during writes is a consistent snapshot, and restored it is the club again.
#[test]
fn a_backup_under_load_is_whole_and_can_be_put_back() {
    let database = Db::Sqlite.fresh().unwrap();
    let store = filled(&database);
    let copies = tempfile::tempdir().unwrap();
    let copy = copies.path().join("copy.sqlite");
    let copy = copy.to_str().unwrap();

    let stop = Arc::new(AtomicBool::new(false));
    let writer = std::thread::spawn({
        let (stop, store) = (Arc::clone(&stop), store.clone());
        move || {
            let table = store.read_blocking(chouettes::all).unwrap().first().unwrap().id.into();
            let (desk, runtime) = (Desk::new(Dependencies::with_store(store)), runtime());
            while !stop.load(Ordering::Relaxed) {
                for command in ["undo", "redo"] {
                    let order = serde_json::from_value(json!({ "command": command })).unwrap();
                    let done = desk.command::<Chouette>(Request::by(Actor::CONSOLE), table, order);
                    runtime.block_on(done).unwrap();
                }
            }
        }
    });
    good(&owlbox(&database.url, &["backup", copy]));
    stop.store(true, Ordering::Relaxed);
    writer.join().unwrap();
    assert!(refused(&owlbox(&database.url, &["backup", copy])).contains("exists already"));
    let said = good(&owlbox(&format!("sqlite://{copy}"), &["verify"]));
    assert!(said.contains("transactions 5"), "{said}");

    let put_back = ["restore", copy, "--replace"];
    assert!(refused(&owlbox(&database.url, &put_back)).contains("in use by another owlbox process"));
    drop(store);
    database.execute("DELETE FROM balance");
    assert!(refused(&owlbox(&database.url, &["restore", copy])).contains("exists already"));
    good(&owlbox(&database.url, &put_back));
    good(&owlbox(&database.url, &["verify"]));
    let kept = format!("{}.before-restore", database.url);
    assert!(refused(&owlbox(&kept, &["verify"])).starts_with("balance, "), "the old one is beside");
    assert!(refused(&owlbox(&database.url, &put_back)).contains(".before-restore exists already"));
}

#[rstest]
#[case::no_file(None)]
#[case::text(Some("not a database at all, but longer than the head of one ".repeat(20)))]
#[case::empty(Some(String::new()))]
fn what_is_no_copy_is_not_put_back(#[case] content: Option<String>) {
    let database = Db::Sqlite.fresh().unwrap();
    drop(filled(&database));
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.sqlite");
    if let Some(content) = content {
        std::fs::write(&copy, content).unwrap();
    }
    let said = refused(&owlbox(&database.url, &["restore", copy.to_str().unwrap(), "--replace"]));
    assert!(said.contains("copy.sqlite"), "{said}");
    good(&owlbox(&database.url, &["verify"]));
    let left = file(&database).parent().unwrap().read_dir().unwrap();
    let left: Vec<_> = left
        .map(|entry| entry.unwrap().file_name())
        .filter(|n| n.to_string_lossy().contains("restor"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Of each club as many copies stay as were asked for, and nothing else in the folder is touched.
#[test]
fn every_club_is_copied_into_a_folder_and_old_copies_go() {
    let Some(database) = Db::Sqlite.fresh() else { return };
    drop(filled(&database));
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().to_str().unwrap();
    let other = folder.path().join("photos-2026-01-01T000000.000Z.db");
    std::fs::write(&other, "no copy of a club").unwrap();
    let copies = || {
        let names = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().path());
        let mut names: Vec<PathBuf> = names.filter(|path| *path != other).collect();
        names.sort();
        names
    };
    for _ in 0..3 {
        good(&owlbox(&database.url, &["backup", "--all", into, "--keep", "2"]));
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let kept = copies();
    assert!(kept.len() == 2 && other.exists(), "{kept:?}");
    good(&owlbox(&format!("sqlite://{}", kept[1].display()), &["verify"]));
    good(&owlbox(&database.url, &["backup", "--all", into]));
    assert_eq!(copies().len(), 3, "nothing is deleted unless it is asked for");
    let both = owlbox(&database.url, &["backup", "one.db", "--all", into]);
    assert_eq!(both.status.code(), Some(2));
}

/// What is no address may hold a password.
#[test]
fn a_mistyped_address_is_not_repeated() {
    let said =
        refused(&owlbox("", &["copy", "--from", "postgre://owl:hush@h/db", "--to", "sqlite://new.db"]));
    assert!(said.starts_with("--from: ") && !said.contains("hush"), "{said}");
}

#[test]
fn postgres_has_tools_of_its_own_for_copies() {
    let Some(database) = Db::Postgres.fresh() else { return };
    for arguments in [["backup", "copy"], ["restore", "Cargo.toml"]] {
        assert!(refused(&owlbox(&database.url, &arguments)).contains("pg_dump"));
    }
    assert!(!Path::new("copy").exists());
}

#[test]
fn a_demonstration_says_at_once_that_its_address_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let mut child = program("sqlite://unused.db", &["demo", "--year"])
        .env("OWLBOX_HTTP__LISTEN", &taken)
        .env("TMPDIR", folder.path())
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    // Nothing of the year is there yet, and so it is not waited for.
    child.kill().unwrap();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.wait().unwrap();
    assert_eq!(out, "");
    let other =
        said.strip_prefix(&format!("owlbox: {taken} is taken: the club will be at http://127.0.0.1:"));
    assert!(other.is_some_and(|port| port.trim().parse::<u16>().is_ok_and(|port| port > 0)), "{said}");
}

#[test]
fn a_long_command_shows_how_far_it_is_where_it_is_on_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let year = program("sqlite://unused.db", &["demo", "--year"]);
    let command = format!("{} demo --year", year.get_program().display());
    // Gives the command a terminal, and passes on what is written there.
    let mut child = Command::new("script")
        .args(["--quiet", "--command", &command, "/dev/null"])
        .env("OWLBOX_HTTP__LISTEN", "127.0.0.1:0")
        .env("TMPDIR", folder.path())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let (mut said, mut bytes) = (String::new(), [0; 200]);
    while !said.contains("\r\u{1b}[Kplaying a year [") {
        let read = out.read(&mut bytes).unwrap();
        assert!(read > 0, "it ended: {said}");
        said.push_str(&String::from_utf8_lossy(&bytes[..read]));
    }
    // With the terminal goes what was started there.
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_demonstration_serves_a_throwaway_club_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = program("sqlite://unused.db", &["demo"])
        .env("OWLBOX_HTTP__LISTEN", "127.0.0.1:0")
        .env("TMPDIR", folder.path())
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut sign_ins = Vec::new();
    let mut address = None;
    for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
        match line.strip_prefix("listening on ") {
            Some(url) => {
                address = Some(url.to_owned());
                break;
            }
            None if line.starts_with("sign in as") => sign_ins.push(line),
            None => {}
        }
    }
    let client = Client::public(&address.expect("an address"));
    client.get("/healthz").good();
    // This club shows its tables to everybody.
    let tables = client.get("/api/v1/chouettes").good();
    assert_eq!(tables.body["items"].as_array().unwrap().len(), 4);
    assert_eq!(sign_ins.len(), 5, "{sign_ins:?}");
    let status = Command::new("sh").args(["-c", &format!("kill -TERM {}", child.id())]).status().unwrap();
    assert!(status.success() && child.wait().unwrap().success());
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "something was left");
}
