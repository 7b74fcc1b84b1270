//! The server is killed in the middle of a load, and everything acknowledged is there afterwards.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::json;

use crate::support::databases::Db;
use crate::support::house::House;

/// The number of commands that must be acknowledged before the server is killed.
const BEFORE: usize = 60;

#[rstest]
fn kill_9_under_load_loses_nothing_that_was_acknowledged(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(mut house) = House::open(db) else { return };
    let tables =
        [house.table(&["A", "B", "C"]), house.table(&["D", "E", "F"]), house.table(&["G", "H", "I"])];
    let stopped = AtomicBool::new(false);
    let acknowledged = Mutex::new(Vec::new());
    let server = &mut house.server;
    std::thread::scope(|scope| {
        for table in &tables {
            let (stopped, acknowledged) = (&stopped, &acknowledged);
            scope.spawn(move || {
                let box_ = table.state()["box"].as_str().unwrap().to_owned();
                let game = [
                    json!({"command": "start_game"}),
                    json!({"command": "double", "player": box_, "against": null}),
                    json!({"command": "undo"}),
                    json!({"command": "finish", "winner": "box", "win": "single"}),
                ];
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
    let acknowledged = acknowledged.into_inner().unwrap();
    assert!(acknowledged.len() > BEFORE, "only {} commands before the kill", acknowledged.len());

    house.server.restart();
    let verified = house.server.command(&["verify"]).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    let admin = house.admin();
    for table in &tables {
        let mut kept = std::collections::BTreeMap::new();
        let mut after = String::new();
        loop {
            let page = admin.get(&table.path(&format!("/acts?limit=200{after}"))).good().body;
            for act in page["items"].as_array().unwrap() {
                kept.insert(act["version"].as_i64().unwrap(), act["act"].clone());
            }
            let Some(next) = page["next"].as_str() else { break };
            after = format!("&after={next}");
        }
        for (_, version, act) in acknowledged.iter().filter(|(id, ..)| *id == table.id) {
            assert_eq!(kept.get(version), Some(act), "version {version} was acknowledged");
        }
    }
}
