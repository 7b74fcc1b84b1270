//! The live stream of the whole club: every act of every stream once, in one order for all who listen,
//! resumed anywhere.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use diesel::connection::SimpleConnection as _;
use owlbox_store::Store;
use owlbox_store::connection::{Use, connect};
use rstest::rstest;
use serde_json::{Value, json};

use crate::matches::Match;
use crate::support;
use crate::support::client::Client;
use crate::support::databases::{Db, lines};
use crate::support::events::{Event, Events};
use crate::support::house::{ADMIN, House, Table};
use crate::support::server::Server;

const CLUB: &str = "/api/v1/events";

/// The next so many events.
#[track_caller]
fn next(stream: &mut Events, many: usize) -> Vec<Event> {
    (0..many).map(|_| stream.next_event()).collect()
}

/// What the log of each stream says that these events are of, in order, with the stream's kind and id.
fn logs(client: &Client, events: &[Event]) -> BTreeMap<String, Vec<Value>> {
    let mut logs = BTreeMap::new();
    for event in events {
        let (kind, id) = (event.json()["kind"].clone(), event.json()["id"].as_str().unwrap().to_owned());
        logs.entry(id.clone()).or_insert_with(|| {
            let below = match kind.as_str().unwrap() {
                "chouette" => "chouettes",
                "match" => "matches",
                _ => "tournaments",
            };
            let log = client.get(&format!("/api/v1/{below}/{id}/acts?limit=200")).good().body;
            assert!(log["next"].is_null());
            let acts = log["items"].as_array().unwrap().iter().rev().cloned();
            let with_stream = |mut act: Value| {
                (act["kind"], act["id"]) = (kind.clone(), json!(id));
                act
            };
            acts.map(with_stream).collect()
        });
    }
    logs
}

/// The data of these events by stream, in order.
fn by_stream(events: &[Event]) -> BTreeMap<String, Vec<Value>> {
    let mut told: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for event in events {
        let act = event.json();
        told.entry(act["id"].as_str().unwrap().to_owned()).or_default().push(act);
    }
    told
}

/// Four acts at this table, the last of which takes the one before back.
fn four(table: &Table) {
    let leave = json!({"command": "leave", "player": "C"});
    let join = json!({"command": "join", "player": "C"});
    table.play(&[leave.clone(), join, leave, json!({"command": "undo"})]);
}

#[rstest]
fn a_night_of_two_tables_and_a_match_is_told_once_and_resumes_at_every_place(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let first = house.table(&["A", "B", "C"]);
    let mut stream = admin.events(CLUB, None);
    assert_eq!(stream.status, 200);
    first.play(&[json!({"command": "start_game"}), json!({"command": "double", "player": "B"})]);
    let second = house.table_with(&["D", "E", "F"], &json!({"name": "Second table"}));
    let sheet = Match::open(&house, &json!({"play": "match", "length": 3}));
    let won = |winner: &str| json!({"command": "game", "winner": winner, "win": "gammon"});
    sheet.play(&[won("upper")]);
    first.play(&[json!({"command": "take", "player": "A"})]);
    sheet.play(&[won("lower"), json!({"command": "undo"}), won("upper")]);
    second.play(&[json!({"command": "start_game"})]);
    first.play(&[json!({"command": "finish", "winner": "box", "win": "single"})]);
    // Opened, joined by three, rolled and started; opened and four acts of games; and four at the first
    // table.
    let told = next(&mut stream, 6 + 5 + 4);
    assert_eq!(stream.next_within(Duration::from_millis(300)), None);
    let mut logs = logs(&admin, &told);
    // The first table began before.
    let since = logs[&first.id].len() - 4;
    logs.get_mut(&first.id).unwrap().drain(..since);
    assert_eq!(by_stream(&told), logs);

    // A listener that comes back is told the rest, in the same order, and nothing twice.
    for place in 0..told.len() {
        let mut resumed = admin.events(CLUB, told[place].id.as_deref());
        assert_eq!(next(&mut resumed, told.len() - place - 1), told[place + 1..], "after {place}");
    }
    // By the address as well; and from the beginning, where all that was before comes first.
    let after = told[4].id.as_deref().unwrap();
    assert_eq!(next(&mut admin.events(&format!("{CLUB}?after={after}"), None), 10), told[5..]);
    let whole = next(&mut admin.events(&format!("{CLUB}?after=0"), None), since + told.len());
    assert_eq!(whole[since..], told);
    // One that has been told nothing yet comes back to where they were, too.
    let mut quiet = admin.events(&format!("{CLUB}?kinds=tournament"), None);
    assert_eq!(Some(quiet.greeting()), told.last().unwrap().id);
    first.play(&[json!({"command": "start_game"})]);
    let mut resumed = admin.events(CLUB, quiet.reached.as_deref());
    assert_eq!(resumed.next_event().json()["events"][0]["event"], "game_started");
    house.verify();
}

#[rstest]
fn only_the_kinds_that_are_asked_for_are_told(#[values(Db::one())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let mut matches = admin.events(&format!("{CLUB}?kinds=match,tournament"), None);
    let mut tables = admin.events(&format!("{CLUB}?kinds=chouette"), None);
    let table = house.table(&["A", "B"]);
    let sheet = Match::open(&house, &json!({"play": "match", "length": 3}));
    assert_eq!(matches.next_event().json()["id"], json!(sheet.id));
    assert!(next(&mut tables, 3).iter().all(|event| event.json()["id"] == json!(table.id)));
    assert_eq!(tables.next_within(Duration::from_millis(200)), None);
    for kinds in ["", "club", "chouette,", "Chouette", "match%20"] {
        let refused = admin.get(&format!("{CLUB}?kinds={kinds}")).refused(400, "invalid_query");
        assert_eq!(refused.body["field"], "kinds", "{kinds}");
    }
}

/// A listener reads what it is sent, one comes back after hundreds of acts, and one reads all from the
/// beginning.
#[rstest]
fn whoever_is_far_behind_is_told_the_same(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (one, other) = (house.table(&["A", "B", "C"]), house.table(&["D", "E", "F"]));
    let mut stream = one.client.events(CLUB, None);
    let start = stream.greeting();
    for _ in 0..75 {
        for (table, name) in [(&one, "C"), (&other, "F")] {
            table.play(&[
                json!({"command": "leave", "player": name}),
                json!({"command": "join", "player": name}),
            ]);
        }
    }
    one.play(&[json!({"command": "undo", "acts": 150})]);
    let told = next(&mut stream, 301);
    assert_eq!(told[300].json()["events"].as_array().unwrap().len(), 150);
    assert_eq!(next(&mut one.client.events(CLUB, Some(&start)), 301), told);
    let whole = next(&mut one.client.events(&format!("{CLUB}?after=0"), None), 10 + 301);
    assert_eq!(whole[10..], told);
}

#[rstest]
fn an_id_that_is_none_or_of_nothing_is_refused(#[values(Db::Sqlite)] db: Db) {
    let Some(mut house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    let token = house.access_token(ADMIN.0, ADMIN.1);
    let admin = house.server.public().bearer(&token);
    let mut stream = admin.events(CLUB, None);
    table.play(&[json!({"command": "start_game"})]);
    let id = stream.next_event().id.unwrap();
    let [position, version, act] = id.split('.').collect::<Vec<_>>().try_into().unwrap();
    for bad in ["", "x", "1", "01", "-1", "1.2", "0.0.00000000", "1.1.xyz", "1.1.123456789", "1.-1.00000000"]
    {
        let by_header = admin.request("GET", CLUB).header("Last-Event-ID", bad).send();
        by_header.refused(400, "invalid_last_event_id");
        let by_query = admin.get(&format!("{CLUB}?after={bad}")).refused(400, "invalid_query");
        assert_eq!(by_query.body["field"], "after", "{bad}");
    }
    let other = if act == "00000000" { "00000001" } else { "00000000" };
    let far = i64::MAX;
    for gone in [
        format!("{position}.{version}.{other}"),
        format!("{position}.1.{act}"),
        format!("{far}.{version}.{act}"),
        format!("{position}.{far}.{act}"),
    ] {
        admin.request("GET", CLUB).header("Last-Event-ID", &gone).send().refused(410, "event_gone");
    }
    assert_eq!(admin.events(CLUB, Some(&id)).status, 200);

    // As if hundreds of thousands of acts had followed since.
    house.server.terminate();
    assert!(house.server.wait().success());
    let mut connection = connect(&house.database.url.parse().unwrap(), Use::Write).unwrap();
    let later = "UPDATE journal_order SET position = position + 200001 WHERE position = (SELECT max(position) FROM journal_order)";
    connection.batch_execute(later).unwrap();
    drop(connection);
    let server = Server::start(&house.database);
    let admin = server.public().bearer(&token);
    admin.request("GET", CLUB).header("Last-Event-ID", &id).send().refused(410, "event_gone");
    admin.get(&format!("{CLUB}?after=0")).refused(410, "event_gone");
}

/// Nothing is written for a club that nobody listens to, and what happened meanwhile is told to anyone who
/// comes back.
#[rstest]
fn who_does_not_listen_costs_nothing(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    let rows = || {
        let mut connection = Store::open_for_reading(&house.database.url.parse().unwrap()).unwrap();
        let count = "SELECT CAST(count(*) AS TEXT) AS line FROM journal_order";
        lines(&mut connection, count)[0].parse::<usize>().unwrap()
    };
    four(&table);
    assert_eq!(rows(), 0);
    let mut stream = table.client.events(CLUB, None);
    four(&table);
    let told = next(&mut stream, 4);
    drop(stream);
    let known = rows();
    assert!(known > 4, "one for each act, and what was before");
    // The server notices that nobody listens any more when it has something to say.
    four(&table);
    let mut resumed = table.client.events(CLUB, told[3].id.as_deref());
    let meanwhile = next(&mut resumed, 4);
    assert_eq!(meanwhile[3].json()["events"][0]["event"], "undone");
}

/// Two instances on one PostgreSQL, at which two tables are played at the same time.
#[test]
fn all_who_listen_at_any_instance_are_told_the_same_in_the_same_order() {
    let Some(house) = House::open(Db::Postgres) else { return };
    let tables =
        [house.table(&["A", "B", "C"]), house.table(&["D", "E", "F"]), house.table(&["G", "H", "I"])];
    let there = Server::start(&house.database);
    let there = there.public().bearer(&house.access_token(ADMIN.0, ADMIN.1));
    let mut listeners = [house.admin().events(CLUB, None), there.events(CLUB, None)];
    let mut told = std::thread::scope(|scope| {
        for (number, table) in tables.iter().enumerate() {
            let (here, there) = (&table.client, &there);
            scope.spawn(move || {
                let name = ["C", "F", "I"][number];
                for turn in 0..40 {
                    let command = if turn % 2 == 0 { "leave" } else { "join" };
                    let command = table.with_ids(&json!({"command": command, "player": name}));
                    let client = if (turn / 2 + number) % 2 == 0 { here } else { there };
                    client.post(&table.path("/commands"), &command).good();
                }
            });
        }
        listeners.each_mut().map(|listener| next(listener, 120))
    });
    assert!(listeners.iter_mut().all(|listener| listener.next_within(Duration::from_millis(300)).is_none()));
    let [first, second] = &mut told;
    assert_eq!(first, second);
    let versions =
        |acts: &[Value]| acts.iter().map(|act| act["version"].as_i64().unwrap()).collect::<Vec<_>>();
    for acts in by_stream(first).values() {
        let versions = versions(acts);
        assert_eq!(versions.len(), 40);
        assert!(versions.windows(2).all(|two| two[0] + 1 == two[1]), "{versions:?}");
    }
    // And so is one that comes back, at the other instance.
    assert_eq!(next(&mut there.events(CLUB, first[59].id.as_deref()), 60), first[60..]);
}

/// The script that people are to begin with.
#[rstest]
fn the_scoreboard_prints_a_line_for_each_result(#[values(Db::Sqlite)] db: Db) {
    let (Some(python), Some(house)) = (support::python(), House::open(db)) else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/scoreboard.py");
    let lines = std::fs::read_to_string(&script).unwrap().lines().count();
    assert!(lines <= 60, "{lines}");
    let admin = house.admin();
    let token = admin.post("/api/v1/tokens", &json!({"name": "score board"})).good().body;
    let table = house.table(&["A", "B", "C"]);
    let mut bot = Command::new(python)
        .arg(&script)
        .env("OWLBOX_URL", house.server.url())
        .env("OWLBOX_TOKEN", token["token"].as_str().unwrap())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut printed = std::io::BufRead::lines(std::io::BufReader::new(bot.stdout.take().unwrap()));
    let mut line = || printed.next().unwrap().unwrap();
    assert_eq!(line(), "following the club");
    table.play(&[
        json!({"command": "start_game"}),
        json!({"command": "finish", "winner": "box", "win": "gammon"}),
    ]);
    assert_eq!(line(), "Friday table: game 1 won by the box, gammon");
    let sheet = Match::open(&house, &json!({"play": "match", "length": 3}));
    let won = json!({"command": "game", "winner": "upper", "win": "gammon"});
    for score in ["Ann 2-0 Bob", "Ann 3-0 Bob, finished"] {
        sheet.play(std::slice::from_ref(&won));
        assert_eq!(line(), score);
    }
    bot.kill().unwrap();
    bot.wait().unwrap();
}
