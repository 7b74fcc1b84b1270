//! The server is killed in the middle of a load, and everything acknowledged is there afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House, Table};
use crate::support::server::{Server, TWO_WORKERS};

/// The number of commands that must be acknowledged before the server is killed.
const BEFORE: usize = 60;

/// How often the server is killed: once, or as often as `OWLBOX_KILLS` says.
fn kills() -> usize {
    std::env::var("OWLBOX_KILLS").map_or(1, |kills| kills.parse().expect("a number"))
}

#[rstest]
fn kill_9_under_load_loses_nothing_that_was_acknowledged(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(mut house) = House::open_with(db, &[TWO_WORKERS, ("LIMITS__STREAM_LENGTH", "1000000")]) else {
        return;
    };
    let mut tables =
        [house.table(&["A", "B", "C"]), house.table(&["D", "E", "F"]), house.table(&["G", "H", "I"])];
    for kill in 1..=kills() {
        let acknowledged = killed_under_load(&mut house, &tables);
        assert!(acknowledged.len() > BEFORE, "only {} commands before kill {kill}", acknowledged.len());
        house.server.restart();
        house.verify();
        // A token lasts for a quarter of an hour; a hundred kills may take longer.
        let client = house.sign_in(ADMIN.0, ADMIN.1);
        for table in &mut tables {
            table.client = client.clone();
            let kept = acts_at(table);
            for (_, version, act) in acknowledged.iter().filter(|(id, ..)| *id == table.id) {
                assert_eq!(
                    kept.get(version),
                    Some(act),
                    "version {version} was acknowledged before kill {kill}"
                );
            }
        }
    }
}

/// Plays at these tables until the server is killed in the middle of it. What was acknowledged: table,
/// version and act.
fn killed_under_load(house: &mut House, tables: &[Table]) -> Vec<(String, i64, Value)> {
    let stopped = AtomicBool::new(false);
    let acknowledged = Mutex::new(Vec::new());
    let server = &mut house.server;
    std::thread::scope(|scope| {
        for table in tables {
            let (stopped, acknowledged) = (&stopped, &acknowledged);
            scope.spawn(move || {
                let box_ = table.state()["box"].as_str().unwrap().to_owned();
                let game = game(&box_);
                // Of the game that was on when the server was killed.
                while !table.state()["game"].is_null() {
                    table.command(&json!({"command": "undo"})).good();
                }
                for command in game.iter().cycle() {
                    if stopped.load(Ordering::Relaxed) {
                        break;
                    }
                    // Once the server is gone there is no answer, and so no acknowledgement.
                    let sent =
                        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| table.command(command)));
                    let Ok(answer) = sent else { break };
                    let answer = answer.good();
                    let version = answer.body["act"]["version"].as_i64().unwrap();
                    acknowledged.lock().unwrap().push((
                        table.id.clone(),
                        version,
                        answer.body["act"]["act"].clone(),
                    ));
                }
            });
        }
        // Kill it in the middle of the load, once some commands are acknowledged, however slow the machine
        // is.
        let began = Instant::now();
        while acknowledged.lock().unwrap().len() <= BEFORE && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        server.kill();
        stopped.store(true, Ordering::Relaxed);
    });
    acknowledged.into_inner().unwrap()
}

/// A game that can be played again and again.
pub fn game(box_player: &str) -> [Value; 4] {
    [
        json!({"command": "start_game"}),
        json!({"command": "double", "player": box_player, "against": null}),
        json!({"command": "undo"}),
        json!({"command": "finish", "winner": "box", "win": "single"}),
    ]
}

/// The acts of a table's log by version.
fn acts_at(table: &Table) -> BTreeMap<i64, Value> {
    let mut kept = BTreeMap::new();
    let mut after = String::new();
    loop {
        let page = table.client.get(&table.path(&format!("/acts?limit=200{after}"))).good().body;
        for act in page["items"].as_array().unwrap() {
            let before = kept.insert(act["version"].as_i64().unwrap(), act["act"].clone());
            assert_eq!(before, None, "two acts lead to one version");
        }
        let Some(next) = page["next"].as_str() else { return kept };
        after = format!("&after={next}");
    }
}

/// How many commands each client has to give, to two instances of which one is killed.
const COMMANDS: usize = 60;

/// Six clients, half of them at an instance that is killed. They repeat what was not answered at the other
/// one, under the same key: every command is done once, and no other act is in the journal.
#[test]
fn of_two_instances_one_is_killed_under_load_and_the_other_takes_over() {
    let Some(mut house) = House::open_with(Db::Postgres, &[TWO_WORKERS]) else { return };
    let tables: Vec<Table> = (0..6)
        .map(|number| {
            house.table(
                &["first", "second", "third"]
                    .map(|name| format!("{name} of {number}"))
                    .each_ref()
                    .map(String::as_str),
            )
        })
        .collect();
    let opened: Vec<usize> = tables.iter().map(|table| acts_at(table).len()).collect();
    let other = Server::start_with(&house.database, &[TWO_WORKERS]);
    let signed_in = other.public().post("/api/v1/sign-in", &json!({"login": ADMIN.0, "password": ADMIN.1}));
    let there = other.public().bearer(signed_in.good().body["access_token"].as_str().unwrap());
    let given = AtomicUsize::new(0);
    let server = &mut house.server;
    let acknowledged: Vec<BTreeSet<String>> = std::thread::scope(|scope| {
        let playing: Vec<_> = tables
            .iter()
            .enumerate()
            .map(|(number, table)| {
                let (there, given) = (&there, &given);
                scope.spawn(move || {
                    let game = game(table.state()["box"].as_str().unwrap());
                    let mut clients = [&table.client, there];
                    if number % 2 == 1 {
                        clients.reverse();
                    }
                    let mut acts = BTreeSet::new();
                    for (step, command) in (0..COMMANDS).zip(game.iter().cycle()) {
                        let give = |client: &Client| {
                            let request = client.request("POST", &table.path("/commands"));
                            let command = table.with_ids(command);
                            let answer =
                                request.json(&command).key(&format!("{number}-{step}")).send().good();
                            answer.body["act"]["act"].as_str().unwrap().to_owned()
                        };
                        // Without an answer nobody knows whether it was done.
                        let answered =
                            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| give(clients[0])));
                        acts.insert(answered.unwrap_or_else(|_| {
                            clients[0] = there;
                            give(there)
                        }));
                        given.fetch_add(1, Ordering::Relaxed);
                    }
                    acts
                })
            })
            .collect();
        let began = Instant::now();
        while given.load(Ordering::Relaxed) < COMMANDS && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        server.kill();
        playing.into_iter().map(|client| client.join().expect("a client")).collect()
    });
    for ((mut table, acts), opened) in tables.into_iter().zip(acknowledged).zip(opened) {
        table.client = there.clone();
        assert_eq!(acts.len(), COMMANDS, "each an act of its own");
        let kept: BTreeSet<String> =
            acts_at(&table).into_values().map(|act| act.as_str().unwrap().to_owned()).collect();
        assert!(acts.is_subset(&kept), "what was acknowledged is there");
        assert_eq!(kept.len(), COMMANDS + opened, "and nothing else");
    }
    let verified = other.command(&["verify"]).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
}
