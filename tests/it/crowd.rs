//! Many clients at once: conflicting commands at one table.

use std::collections::BTreeSet;

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::databases::Db;
use crate::support::house::House;

const CLIENTS: usize = 50;
const TRIES: usize = 12;

/// Fifty clients at one table. Half of them name the version they saw, half do not, and all retry under their
/// keys. Every acknowledged command is in the journal once, and the versions have no gap.
#[rstest]
fn fifty_clients_at_one_table_lose_nothing_and_do_nothing_twice(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C", "D"]);
    let commands: Vec<Value> = [
        json!({"command": "start_game"}),
        json!({"command": "double", "player": "A"}),
        json!({"command": "double", "player": "B"}),
        json!({"command": "take", "player": "A"}),
        json!({"command": "take", "player": "B"}),
        json!({"command": "drop", "player": "C"}),
        json!({"command": "finish", "winner": "team", "win": "single"}),
        json!({"command": "undo"}),
        json!({"command": "redo"}),
    ]
    .iter()
    .map(|command| table.with_ids(command))
    .collect();
    let acknowledged: Vec<(String, i64)> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let (table, commands) = (&table, &commands);
                scope.spawn(move || one_client(number, table, commands))
            })
            .collect();
        clients.into_iter().flat_map(|client| client.join().expect("a client")).collect()
    });
    assert!(acknowledged.len() > CLIENTS, "only {} commands came through", acknowledged.len());

    let acts: BTreeSet<&str> = acknowledged.iter().map(|(act, _)| act.as_str()).collect();
    assert_eq!(acts.len(), acknowledged.len(), "every acknowledged command is an act of its own");
    let journal = whole_log(&table);
    let versions: Vec<i64> = journal.iter().flat_map(|(_, first, last)| *first..=*last).collect();
    assert_eq!(versions, (1..).take(versions.len()).collect::<Vec<i64>>(), "no gap, nothing twice");
    for (act, version) in &acknowledged {
        let found: Vec<_> = journal.iter().filter(|(in_journal, ..)| in_journal == act).collect();
        assert_eq!(found.len(), 1, "{act} once");
        assert_eq!(found[0].2, *version, "at the version it was acknowledged with");
    }
    let verified = house.server.command(&["verify"]).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
}

/// One client's acknowledged commands: act and version.
fn one_client(number: usize, table: &crate::support::house::Table, commands: &[Value]) -> Vec<(String, i64)> {
    let mut acknowledged = Vec::new();
    for step in 0..TRIES {
        let command = &commands[(number * 7 + step * 5) % commands.len()];
        let key = format!("{number}-{step}");
        let path = table.path("/commands");
        let mut request = table.client.request("POST", &path).json(command).key(&key);
        if number.is_multiple_of(2) {
            let seen = table.client.get(&table.path("")).good().etag().to_owned();
            request = request.if_match(&seen);
        }
        let answer = request.send();
        match answer.status {
            200 => {
                // A retry, as after a lost answer.
                let again = table.client.request("POST", &path).json(command).key(&key).send().good();
                assert_eq!(again.body["act"], answer.body["act"]);
                let act = answer.body["act"]["act"].as_str().unwrap().to_owned();
                acknowledged.push((act, answer.body["act"]["version"].as_i64().unwrap()));
            }
            412 | 422 => {}
            status => panic!("{status}: {}", answer.body),
        }
    }
    acknowledged
}

/// Every act of the log, oldest first: id, first and last version.
fn whole_log(table: &crate::support::house::Table) -> Vec<(String, i64, i64)> {
    let mut acts = Vec::new();
    let mut after = None::<String>;
    loop {
        let path = match &after {
            None => table.path("/acts?limit=200"),
            Some(after) => table.path(&format!("/acts?limit=200&after={after}")),
        };
        let page = table.client.get(&path).good().body;
        for act in page["items"].as_array().unwrap() {
            let last = act["version"].as_i64().unwrap();
            let events = i64::try_from(act["events"].as_array().unwrap().len()).unwrap();
            acts.push((act["act"].as_str().unwrap().to_owned(), last - events + 1, last));
        }
        match page["next"].as_str() {
            Some(next) => after = Some(next.to_owned()),
            None => break,
        }
    }
    acts.reverse();
    acts
}
