//! The limits of the configuration: reaching one is reported, and breaks nothing.

use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::databases::Db;
use crate::support::house::House;

fn act(command: &str, player: &str) -> Value {
    json!({"command": command, "player": player})
}

#[test]
fn a_body_may_be_as_large_as_configured_and_no_larger() {
    let Some(house) = House::open_with(Db::Sqlite, &[("HTTP__BODY_LIMIT", "1024")]) else { return };
    let admin = house.admin();
    let padded = |name: &str, length: usize| {
        let mut body = json!({ "name": name }).to_string().into_bytes();
        body.resize(length, b' ');
        admin.request("POST", "/api/v1/players").raw("application/json", body).send()
    };
    padded("Ada", 1024).good();
    let answer = padded("Eva", 1025).refused(413, "body_too_large");
    assert_eq!(answer.body["allowed"], 1024);
    // A body of unannounced length is counted as it arrives.
    let sign_in = |length: usize| {
        let mut body = br#"{"login":"x","password":"y"}"#.to_vec();
        body.resize(length, b' ');
        house.server.public().request("POST", "/api/v1/sign-in").raw("application/json", body).send()
    };
    sign_in(1024).refused(401, "wrong_login_or_password");
    sign_in(1025).refused(413, "body_too_large");
}

#[rstest]
fn a_table_ends_where_its_stream_may_grow_no_more(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open_with(db, &[("LIMITS__STREAM_LENGTH", "100")]) else { return };
    // Five events: opened, three joined, they rolled.
    let table = house.table(&["A", "B", "C"]);
    let finish = json!({"command": "finish", "winner": "box", "win": "single"});
    for _ in 0..31 {
        table.play(&[json!({"command": "start_game"}), act("double", "A"), json!({"command": "undo"})]);
        table.play(&[json!({"command": "redo"}), json!({"command": "undo"})]);
        // This near the end no game may start.
        if table.state()["version"].as_i64().unwrap() >= 84 {
            break;
        }
        table.play(std::slice::from_ref(&finish));
    }
    // Fills the stream to its end with acts of one event each.
    let version = || table.state()["version"].as_i64().unwrap();
    while version() < 100 {
        let next = if version() % 2 == 0 { "undo" } else { "redo" };
        let answer = table.command(&json!({"command": next}));
        if answer.status == 422 {
            table.play(&[act("double", "A")]);
        }
    }
    let before = table.state();
    assert_eq!(before["version"], 100);
    let admin = &table.client;
    let path = table.path("/commands");
    let legal: Vec<Value> = before["legal"].as_array().unwrap().clone();
    assert!(!legal.is_empty());
    for command in [act("double", "A"), json!({"command": "start_game"})] {
        let answer = admin.post(&path, &table.with_ids(&command));
        if answer.body["code"] != "limit_reached" {
            // A refusal by the rules comes first.
            assert_eq!(answer.status, 422, "{command}: {answer}");
            continue;
        }
        let answer = answer.refused(422, "limit_reached");
        assert_eq!(
            (&answer.body["field"], &answer.body["allowed"]),
            (&json!("limits.stream_length"), &json!(100))
        );
    }
    assert_eq!(table.state(), before);
    // Anyone who runs the table can still correct what was entered.
    let undo = if before["undo"].is_null() { "redo" } else { "undo" };
    table.play(&[json!({ "command": undo })]);
    let undo = if undo == "undo" { "redo" } else { "undo" };
    table.play(&[json!({ "command": undo })]);
    // Whatever ends the night still works: answers, the result, closing.
    let close = json!({"command": "close"});
    for command in [act("drop", "B"), act("drop", "C"), finish, close] {
        assert_ne!(table.command(&command).body["code"], "limit_reached", "{command}");
    }
    assert_eq!(table.state()["phase"], "closed");
    // The club goes on: another table, the log, the books.
    house.table(&["D", "E", "F"]).play(&[json!({"command": "start_game"})]);
    assert!(!admin.get(&table.path("/acts?limit=200")).good().body["items"].as_array().unwrap().is_empty());
    let verified = house.server.command(&["verify"]).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    assert!(!house.server.logged().contains("ERROR"), "{}", house.server.logged());
}

/// No game starts that could not be finished, move by move, and one that has started can be.
#[rstest]
fn no_game_begins_where_there_is_no_room_to_play_it(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open_with(db, &[("LIMITS__STREAM_LENGTH", "100")]) else { return };
    let table = house.table(&["A", "B", "C"]);
    let start = json!({"command": "start_game", "refereed": true});
    let version = || table.state()["version"].as_i64().unwrap();
    let offers = || {
        let state = table.state();
        state["legal"].as_array().unwrap().iter().any(|legal| legal["command"] == "start_game")
    };
    while version() < 90 {
        table.play(&[json!({"command": "start_game"}), json!({"command": "undo"})]);
    }
    assert_eq!((version(), offers()), (91, false));
    let refused = table.command(&start).refused(422, "night_too_long");
    assert_eq!(refused.body["allowed"], json!(["close", "merge_into"]));
    table.client.post(&table.path("/preview"), &table.with_ids(&start)).refused(422, "night_too_long");
    // A game that comes back with redo had started before.
    table.play(&[json!({"command": "redo"}), act("double", "A"), act("take", "B"), act("drop", "C")]);
    table.play(&[json!({"command": "finish", "winner": "box", "win": "single"})]);
    table.command(&start).refused(422, "night_too_long");
    table.play(&[json!({"command": "close"})]);
}

/// A full table can be left by merging into another as well as by closing.
#[rstest]
fn a_table_without_any_room_can_go_over_to_another(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open_with(db, &[("LIMITS__STREAM_LENGTH", "100")]) else { return };
    let (table, other) = (house.table(&["A", "B", "C"]), house.table_with(&[], &json!({"name": "Other"})));
    let pay = json!({"command": "pay", "payer": "A", "payee": "B", "amount": 2});
    while table.state()["version"] != 100 {
        table.play(std::slice::from_ref(&pay));
    }
    table.command(&pay).refused(422, "limit_reached");
    table.play(&[json!({"command": "merge_into", "table": other.id})]);
    assert_eq!(table.state()["phase"], "closed");
    assert_eq!(other.state()["present"].as_array().unwrap().len(), 3);
}

#[rstest]
fn pages_of_a_list_are_as_long_as_configured_and_miss_nothing(#[values(Db::one(), Db::other())] db: Db) {
    let settings = [("LIMITS__PAGE_SIZE", "3"), ("LIMITS__PAGE_SIZE_MAX", "4")];
    let Some(house) = House::open_with(db, &settings) else { return };
    let table = house.table(&["Eva", "ada", "Bob", "Åsa", "Zoe", "adam"]);
    table.play(&[
        json!({"command": "start_game"}),
        json!({"command": "finish", "winner": "box", "win": "single"}),
    ]);
    for _ in 0..4 {
        house.admin().post("/api/v1/chouettes", &json!({"name": "Another"})).good();
        house.admin().post("/api/v1/accounts", &json!({"roles": ["player"]})).good();
    }
    let box_player = table.state()["standings"][0]["player"].as_str().unwrap().to_owned();
    let lists = [
        ("/api/v1/players".to_owned(), "name", 6),
        ("/api/v1/accounts".to_owned(), "id", 5),
        ("/api/v1/chouettes".to_owned(), "id", 5),
        (table.path("/acts"), "version", 10),
        (format!("/api/v1/players/{}/statement", table.players[&box_player]), "sequence", 5),
    ];
    for (path, field, all) in lists {
        for limit in [None, Some(1), Some(2), Some(4)] {
            let mut seen = Vec::new();
            let mut after = String::new();
            loop {
                let limit = limit.map(|limit: usize| format!("limit={limit}&")).unwrap_or_default();
                let page = table.client.get(&format!("{path}?{limit}{after}")).good().body;
                seen.extend(page["items"].as_array().unwrap().iter().map(|item| item[field].to_string()));
                let Some(next) = page["next"].as_str() else { break };
                after = format!("after={next}");
            }
            let mut different = seen.clone();
            different.sort();
            different.dedup();
            assert_eq!((seen.len(), different.len()), (all, all), "{path} {limit:?}: {seen:?}");
        }
        let first = table.client.get(&path).good().body;
        assert_eq!(first["items"].as_array().unwrap().len(), 3, "{path}");
        for wrong in ["0", "5", "-1"] {
            let answer = table.client.get(&format!("{path}?limit={wrong}")).refused(400, "invalid_query");
            assert_eq!(answer.body["field"], "limit");
        }
    }
}

#[test]
fn the_public_takes_no_more_streams_than_there_are() {
    let settings = [("LIMITS__LIVE_STREAMS", "3"), ("LIMITS__LIVE_STREAMS_PER_ACCOUNT", "2")];
    let Some(house) = House::open_with(Db::Sqlite, &settings) else { return };
    let table = house.table(&["A", "B", "C"]);
    let settings = json!({"name": "Milano", "time_zone": "UTC", "currencies": ["EUR"],
        "public": {"tables": true, "standings": false}});
    table.client.put("/api/v1/settings", &settings).good();
    let path = table.path("/events");
    let own = [table.client.events(&path, None), table.client.events(&path, None)];
    let answer = table.client.get(&path).refused(503, "busy");
    assert_eq!(answer.header("retry-after"), Some("1"));
    let public = house.server.public();
    let one = public.events(&path, None);
    assert!(own.iter().chain([&one]).all(|stream| stream.status == 200));
    public.get(&path).refused(503, "busy");
    // A stream's place is free again once the server notices that the client is gone, at the next act.
    drop(one);
    let until = Instant::now() + Duration::from_secs(20);
    table.play(&[json!({"command": "start_game"})]);
    loop {
        table.play(&[json!({"command": "undo"}), json!({"command": "redo"})]);
        let stream = public.events(&path, None);
        if stream.status == 200 {
            break;
        }
        assert!(Instant::now() < until, "the place never became free");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[rstest]
fn a_key_is_forgotten_when_it_has_been_kept_long_enough(#[values(Db::one(), Db::other())] db: Db) {
    let settings = [("LIMITS__IDEMPOTENCY_HOURS", "48")];
    let Some(mut house) = House::open_with(db, &settings) else { return };
    let table = house.table(&["A", "B", "C"]);
    let path = table.path("/commands");
    let send = |client: &crate::support::client::Client, key: &str, command: Value| {
        client.request("POST", &path).json(&table.with_ids(&command)).key(key).send()
    };
    send(&table.client, "old", json!({"command": "start_game"})).good();
    send(&table.client, "young", act("double", "A")).good();
    house.server.kill();
    let (old, young) = match db {
        Db::Sqlite => (
            "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-49 hours')",
            "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-47 hours')",
        ),
        Db::Postgres => ("now() - interval '49 hours'", "now() - interval '47 hours'"),
    };
    house.database.execute(&format!("UPDATE idempotency SET at = {old} WHERE key = 'old'"));
    house.database.execute(&format!("UPDATE idempotency SET at = {young} WHERE key = 'young'"));
    house.server.restart();
    let client = house.admin();
    send(&client, "young", act("take", "B")).refused(422, "idempotency_key_reused");
    // The sweep runs at the start and every hour.
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        let answer = send(&client, "old", act("take", "B"));
        if answer.status == 200 {
            break;
        }
        answer.refused(422, "idempotency_key_reused");
        assert!(Instant::now() < until, "the key is never forgotten");
        std::thread::sleep(Duration::from_millis(50));
    }
    send(&client, "young", act("double", "A")).good();
}
