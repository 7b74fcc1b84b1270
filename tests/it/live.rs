//! The live stream: every act once and in order, resumed without a gap, and ended when it must be.

use std::time::Duration;

use rstest::rstest;
use serde_json::json;

use crate::support::databases::Db;
use crate::support::house::House;
use crate::support::server::Server;

/// If an invalid `Last-Event-ID` were ignored, the stream would have a gap that nobody notices.
#[test]
fn a_last_event_that_is_none_is_refused() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = house.table(&["Anna", "Berto"]);
    for id in ["", "x", "[1]", "1.5", "99999999999999999999"] {
        let request = table.client.request("GET", &table.path("/events")).header("Last-Event-ID", id).send();
        request.refused(400, "invalid_last_event_id");
    }
}

#[rstest]
fn a_stream_tells_every_act_and_resumes_without_a_gap(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    let path = table.path("/events");
    let mut stream = table.client.events(&path, None);
    assert_eq!(stream.status, 200);
    table.play(&[json!({"command": "start_game"}), json!({"command": "double", "player": "B"})]);
    let first = stream.next_event();
    assert_eq!(
        (first.event.as_deref(), first.json()["events"][0]["event"].as_str()),
        (Some("act"), Some("game_started"))
    );
    drop(stream);
    table.play(&[
        json!({"command": "take", "player": "A"}),
        json!({"command": "finish", "winner": "box", "win": "single"}),
    ]);
    let mut resumed = table.client.events(&path, first.id.as_deref());
    let kinds: Vec<_> = (0..3).map(|_| resumed.next_event().json()["events"][0]["event"].clone()).collect();
    assert_eq!(kinds, ["doubled", "taken", "game_finished"]);
    // From the beginning as well: the log and the stream agree.
    let mut whole = table.client.events(&table.path("/events?after=0"), None);
    assert_eq!(whole.next_event().json()["events"][0]["event"], "opened");
}

/// More entries than one read of the journal returns, all of one act.
#[rstest]
fn an_act_of_hundreds_of_entries_is_one_frame_and_one_item_of_the_log(#[values(Db::Sqlite)] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    for _ in 0..150 {
        table.play(&[json!({"command": "leave", "player": "C"}), json!({"command": "join", "player": "C"})]);
    }
    table.play(&[json!({"command": "undo", "acts": 300}), json!({"command": "redo", "acts": 299})]);
    let mut stream = table.client.events(&table.path("/events?after=0"), None);
    let frames: Vec<usize> =
        (0..307).map(|_| stream.next_event().json()["events"].as_array().unwrap().len()).collect();
    assert_eq!((frames[304], &frames[305..]), (1, &[300, 299][..]));
    let acts = |query: &str| table.client.get(&table.path(&format!("/acts?{query}"))).good().body;
    let page = acts("limit=1");
    assert_eq!(page["items"][0]["events"].as_array().unwrap().len(), 299);
    let page = acts(&format!("limit=2&after={}", page["next"].as_str().unwrap()));
    let lengths: Vec<usize> =
        page["items"].as_array().unwrap().iter().map(|act| act["events"].as_array().unwrap().len()).collect();
    assert_eq!(lengths, [300, 1]);
}

#[rstest]
fn a_stop_ends_the_streams_at_once(#[values(Db::Sqlite)] db: Db) {
    let Some(mut house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    let mut stream = table.client.events(&table.path("/events"), None);
    house.server.terminate();
    assert!(stream.ended_within(Duration::from_secs(2)), "an open stream must not delay the stop");
    assert!(house.server.wait().success());
}

#[rstest]
fn as_many_streams_as_allowed_and_no_more(#[values(Db::Sqlite)] db: Db) {
    let Some(house) = House::open_with(db, &[("LIMITS__LIVE_STREAMS_PER_ACCOUNT", "2")]) else { return };
    let table = house.table(&["A", "B", "C"]);
    let streams: Vec<_> = (0..2).map(|_| table.client.events(&table.path("/events"), None)).collect();
    assert!(streams.iter().all(|stream| stream.status == 200));
    table.client.get(&table.path("/events")).refused(503, "busy");
}

/// Two instances on one PostgreSQL: an act at one appears in the other's stream.
#[test]
fn another_instance_tells_the_act_too() {
    let Some(house) = House::open(Db::Postgres) else { return };
    let table = house.table(&["A", "B", "C"]);
    let other = Server::start(&house.database);
    let there = crate::support::client::Client::public(other.url());
    let signed_in = there.post(
        "/api/v1/sign-in",
        &json!({"login": crate::support::house::ADMIN.0, "password": crate::support::house::ADMIN.1}),
    );
    let there = there.bearer(signed_in.good().body["access_token"].as_str().unwrap());
    let mut stream = there.events(&table.path("/events"), None);
    table.play(&[json!({"command": "start_game"})]);
    let told = stream.next_within(Duration::from_secs(2)).expect("told by the other instance");
    assert_eq!(told.json()["events"][0]["event"], "game_started");
    // The other instance plays on from there: it never trusts its cache over the journal.
    there
        .post(&table.path("/commands"), &table.with_ids(&json!({"command": "double", "player": "B"})))
        .good();
    table.play(&[json!({"command": "take", "player": "A"})]);
}
