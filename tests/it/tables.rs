//! Acts of two tables over REST, on both databases: splits and merges. They happen at both tables or at
//! neither, and so do undo and redo. A preview checks everything that the act does.

use rstest::rstest;
use serde_json::{Value, json};

use crate::settle_up::in_a_browser;
use crate::support::client::{Answer, fields_of};
use crate::support::databases::Db;
use crate::support::house::{House, Table};

fn undo() -> Value {
    json!({"command": "undo"})
}

fn redo() -> Value {
    json!({"command": "redo"})
}

fn start() -> Value {
    json!({"command": "start_game"})
}

fn split(players: &[&str], name: &str) -> Value {
    json!({"command": "split", "players": players, "name": name})
}

fn finish() -> Value {
    json!({"command": "finish", "winner": "box", "win": "single"})
}

impl Table {
    fn preview(&self, command: &Value) -> Answer {
        self.client.post(&self.path("/preview"), &self.with_ids(command))
    }

    fn present(&self) -> Value {
        self.state()["present"].clone()
    }

    /// Another table of the same club and players, by its id.
    fn other(&self, id: &str) -> Self {
        Self { client: self.client.clone(), id: id.to_owned(), players: self.players.clone() }
    }

    /// The table that the last act opened.
    fn split_off(&self, players: &[&str], name: &str) -> Self {
        let done = self.command(&split(players, name)).good().body;
        self.other(done["act"]["events"][0]["table"].as_str().expect("the new table"))
    }
}

/// Nobody sits at two tables or has vanished, and everything follows from the journal.
#[track_caller]
fn verified(house: &House) {
    let output = house.server.command(&["verify"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[track_caller]
fn moved_on(refused: &Answer, table: &Table, name: &str) -> Vec<Value> {
    let allowed = &refused.body["allowed"];
    assert_eq!((&allowed["table"], &allowed["name"]), (&json!(table.id), &json!(name)));
    allowed["acts"].as_array().expect("the acts in the way").clone()
}

/// Door: rooms.
#[rstest]
fn a_split_is_taken_back_and_put_back_at_both_tables(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C", "D", "E", "F"]);
    let whole = table.present();
    let new = table.split_off(&["D", "E", "F"], "Second");
    assert_eq!(new.present(), json!(["D", "E", "F"]));
    new.command(&undo()).refused(422, "nothing_to_undo");

    let preview = table.preview(&undo()).good().body;
    assert_eq!(preview["tables"], json!([{"id": new.id, "name": "Second"}]));
    table.command(&undo()).good();
    assert_eq!(table.present(), whole);
    new.client.get(&new.path("")).refused(404, "not_found");
    new.command(&redo()).refused(404, "not_found");
    new.preview(&start()).refused(404, "not_found");
    assert_eq!(new.client.get(&new.path("/acts")).good().body["items"].as_array().unwrap().len(), 2);
    let listed = table.client.get("/api/v1/chouettes").good().body["items"].as_array().unwrap().len();
    assert_eq!(listed, 1, "it is on no list");
    verified(&house);

    assert_eq!(table.preview(&redo()).good().body["tables"][0]["name"], "Second");
    table.command(&redo()).good();
    assert_eq!((table.present(), new.present()), (json!(["A", "B", "C"]), json!(["D", "E", "F"])));
    verified(&house);
}

#[rstest]
fn a_split_whose_table_has_played_on_is_not_taken_back_by_half(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C", "D", "E", "F"]);
    let new = table.split_off(&["D", "E", "F"], "Second");
    let drawn = new.command(&json!({"command": "draw_order"})).good().body["act"]["act"].clone();
    let started = new.command(&start()).good().body["act"]["act"].clone();
    for refused in [table.preview(&undo()), table.command(&undo())] {
        let refused = refused.refused(422, "other_table_moved_on");
        assert_eq!(moved_on(&refused, &new, "Second"), [started.clone(), drawn.clone()]);
    }
    assert_eq!(table.present(), json!(["A", "B", "C"]));
    // Undoing several acts with the split among them is refused as well. Once nothing is in the way it is
    // done.
    table.play(&[start()]);
    table.command(&json!({"command": "undo", "acts": 2})).refused(422, "other_table_moved_on");
    new.play(&[json!({"command": "undo", "acts": 2})]);
    table.command(&json!({"command": "undo", "acts": 2})).good();
    assert_eq!(table.present(), json!(["A", "B", "C", "D", "E", "F"]));
    table.command(&json!({"command": "redo", "acts": 2})).good();
    assert_eq!(new.present(), json!(["D", "E", "F"]));
    verified(&house);

    // The postings of that table stay in the books, and so does the table.
    new.play(&[json!({"command": "draw_order"}), start(), finish()]);
    new.play(&[json!({"command": "undo", "acts": 3})]);
    table.play(&[undo()]);
    let refused = table.command(&undo()).refused(422, "other_table_moved_on");
    assert!(moved_on(&refused, &new, "Second").is_empty());
    new.play(&[json!({"command": "merge_into", "table": table.id})]);
    assert_eq!(table.present(), json!(["A", "B", "C", "D", "E", "F"]), "there is another way");
    verified(&house);
}

#[rstest]
fn a_split_is_not_put_back_once_its_people_sit_elsewhere(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C", "D", "E", "F"]);
    let third = house.table_with(&[], &json!({"name": "Third"}));
    table.split_off(&["D", "E", "F"], "Second");
    table.play(&[undo()]);
    table.play(&[json!({"command": "leave", "player": "F"})]);
    table.command(&redo()).refused(422, "nothing_to_undo");
    third
        .client
        .post(&third.path("/commands"), &json!({"command": "join", "player": table.players["F"]}))
        .good();
    // Undoing F's leave would seat F twice, and the preview says so too.
    for refused in [table.preview(&undo()), table.command(&undo())] {
        let refused = refused.refused(422, "player_at_another_table");
        assert_eq!(refused.body["allowed"], json!(third.id), "which table");
    }
    verified(&house);
}

#[rstest]
fn tables_gone_over_are_taken_back_and_put_back_together(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (one, two) = (house.table(&["A", "B", "C"]), house.table(&["D", "E", "F"]));
    one.play(&[json!({"command": "merge_into", "table": two.id})]);
    assert_eq!(one.state()["phase"], "closed");
    let people = two.present().as_array().unwrap().len();
    assert_eq!(people, 6);
    // The result is the same from either side.
    for (here, there) in [(&one, &two), (&two, &one)] {
        assert_eq!(here.preview(&undo()).good().body["tables"][0]["id"], json!(there.id));
        here.command(&undo()).good();
        assert_eq!((one.present(), two.present()), (json!(["A", "B", "C"]), json!(["D", "E", "F"])));
        verified(&house);
        here.command(&redo()).good();
        assert_eq!((&one.state()["phase"], two.present().as_array().unwrap().len()), (&json!("closed"), 6));
        verified(&house);
    }

    // The other table has gone on: nothing is undone by half, and nobody vanishes.
    let started = two.command(&start()).good().body["act"]["act"].clone();
    let refused = one.command(&undo()).refused(422, "other_table_moved_on");
    assert_eq!(moved_on(&refused, &two, "Friday table"), [started]);
    assert_eq!(two.present().as_array().unwrap().len(), 6);
    two.play(&[undo(), undo()]);
    // Undone at both tables. A new act at the other one makes redo here impossible.
    two.play(&[start()]);
    let refused = one.command(&redo()).refused(422, "other_table_moved_on");
    assert_eq!(moved_on(&refused, &two, "Friday table").len(), 1);
    assert_eq!(one.present(), json!(["A", "B", "C"]));
    verified(&house);
}

#[rstest]
fn who_does_not_come_any_more_is_not_seated_by_an_undo(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C", "D"]);
    table.play(&[json!({"command": "leave", "player": "D"})]);
    let comes = |active: bool| {
        let path = format!("/api/v1/players/{}", table.players["D"]);
        table.client.patch(&path, &json!({ "active": active })).good();
    };
    comes(false);
    for refused in [table.preview(&undo()), table.command(&undo())] {
        assert_eq!(refused.refused(422, "player_inactive").body["field"], "player");
    }
    assert_eq!(table.present(), json!(["A", "B", "C"]));
    comes(true);
    table.play(&[undo()]);
    assert_eq!(table.present(), json!(["A", "B", "C", "D"]));
    verified(&house);
}

#[rstest]
fn a_preview_refuses_what_the_act_would(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C", "D", "E", "F"]);
    let full = house.table_with(&[], &json!({"name": "Full"}));
    let closed = house.table_with(&[], &json!({"name": "Closed"}));
    closed.play(&[json!({"command": "close"})]);
    let admin = house.admin();
    let seated: Vec<String> =
        (0..16).map(|number| house.player(&admin, &format!("Guest {number}"))).collect();
    for player in &seated {
        full.play(&[json!({"command": "join", "player": player})]);
    }
    let away = house.player(&admin, "Away");
    admin.request("PATCH", &format!("/api/v1/players/{away}")).json(&json!({"active": false})).send().good();
    let nobody = "0190a6f4-0000-7000-8000-000000000001";
    let join = |player: &str| json!({"command": "join", "player": player});
    let go_over = |table: &str| json!({"command": "merge_into", "table": table});
    let duplicate = json!({"command": "merge_players", "duplicate": "A", "player": seated[0]});
    let refused: [(Value, u16, &str, Value); 11] = [
        (join(nobody), 422, "unknown_player", json!("player")),
        (join(&away), 422, "player_inactive", json!("player")),
        (join(&seated[0]), 422, "player_at_another_table", json!("player")),
        (duplicate, 422, "player_at_another_table", json!("player")),
        (go_over(&table.id), 422, "same_table", json!("table")),
        (go_over(&full.id), 422, "table_full", json!("table")),
        (go_over(&closed.id), 422, "closed", json!("table")),
        (go_over(nobody), 404, "not_found", Value::Null),
        (split(&["D", "E", "F"], &"x".repeat(81)), 422, "bad_name", json!("name")),
        (split(&["D", "E", "F"], "two\nlines"), 422, "bad_name", json!("name")),
        (split(&["D", "E"], "Second"), 422, "bad_split", json!("players")),
    ];
    let before = table.state();
    for (command, status, code, field) in refused {
        let preview = table.preview(&command).refused(status, code);
        let act = table.command(&command).refused(status, code);
        assert_eq!(preview.body, act.body, "{command}");
        assert_eq!(act.body["field"], field, "{command}");
    }
    assert_eq!(table.state(), before);
    let good = table.preview(&split(&["D", "E", "F"], "Second")).good().body;
    assert_eq!(good["tables"][0]["name"], "Second");
    assert_eq!(table.state(), before, "a preview changes nothing");
}

#[rstest]
fn two_tables_that_go_over_to_each_other_at_once_become_one(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    for round in 0..5 {
        let names: Vec<String> = (0..6).map(|number| format!("P{round}{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (one, two) = (house.table(&names[..3]), house.table(&names[3..]));
        let answers = std::thread::scope(|scope| {
            let going = [(&one, &two), (&two, &one)].map(|(from, to)| {
                scope.spawn(|| from.command(&json!({"command": "merge_into", "table": to.id})).status)
            });
            going.map(|thread| thread.join().unwrap())
        });
        let mut answers = answers.to_vec();
        answers.sort_unstable();
        assert_eq!(answers, [200, 422], "one goes, and finds the other open; the other is closed");
        let phases = [&one, &two].map(|table| table.state()["phase"].clone());
        assert_eq!(phases.iter().filter(|phase| **phase == "closed").count(), 1);
    }
    verified(&house);
}

#[rstest]
fn an_act_of_two_tables_taken_back_at_both_at_once_is_taken_back_once(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let (one, two) = (house.table(&["A", "B", "C"]), house.table(&["D", "E", "F"]));
    let merge = json!({"command": "merge_into", "table": two.id});
    let mut act = one.command(&merge).good().body["act"]["act"].clone();
    for round in 0..6 {
        let command = if round % 2 == 0 { "undo" } else { "redo" };
        let order = json!({"command": command, "act": act});
        let mut answers = std::thread::scope(|scope| {
            let both = [&one, &two].map(|table| scope.spawn(|| table.command(&order).status));
            both.map(|thread| thread.join().unwrap())
        });
        answers.sort_unstable();
        assert_eq!(answers, [200, 422], "{command}, round {round}");
        act = order["act"].clone();
        let people = if command == "undo" { json!(["A", "B", "C"]) } else { json!([]) };
        let here = if one.state()["phase"] == "closed" { json!([]) } else { one.present() };
        assert_eq!(here, people);
    }
    verified(&house);
}

#[rstest]
fn a_split_sent_twice_opens_one_table(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C", "D", "E", "F"]);
    // The new table may have the same name as another, and is still a table of its own.
    let command = table.with_ids(&split(&["D", "E", "F"], "Friday table"));
    let send = || table.client.request("POST", &table.path("/commands")).json(&command).key("once").send();
    let (first, again) = (send().good(), send().good());
    assert_eq!(first.body["act"], again.body["act"]);
    assert_eq!(table.client.get("/api/v1/chouettes").good().body["items"].as_array().unwrap().len(), 2);
    table.play(&[undo()]);
    let late = send().good();
    assert_eq!(late.body["act"], first.body["act"], "also when it was taken back meanwhile");
    assert_eq!(table.present().as_array().unwrap().len(), 6);
    verified(&house);
}

/// Who is not in the club yet joins by name: the guest and the seat are one act, so neither is left without
/// the other.
#[rstest]
fn a_guest_is_added_and_seated_at_once_or_not_at_all(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    let (browser, csrf) = in_a_browser(&house);
    let join = |version: &str, more: &[(&str, &str)]| {
        let form = [
            ("csrf", csrf.as_str()),
            ("key", "gast"),
            ("version", version),
            ("command", "join"),
            ("guest", "Gast"),
        ];
        let form = [&form[..], more].concat();
        browser.request("POST", &format!("/chouettes/{}/act", table.id)).form(&form).send()
    };
    let guests = || {
        let found = table.client.get("/api/v1/players?search=Gast").good().body;
        found["items"].as_array().unwrap().len()
    };
    assert_eq!(join("1", &[]).status, 412, "the table has moved on");
    assert_eq!(join("", &[("player", table.players["A"].as_str())]).status, 400, "one or the other");
    assert_eq!(guests(), 0);
    for _ in 0..2 {
        let done = join("", &[]);
        assert_eq!(done.status, 303, "{done}");
        assert_eq!((guests(), table.present().as_array().unwrap().len()), (1, 4));
    }
    table.play(&[undo()]);
    assert_eq!(
        (guests(), table.present().as_array().unwrap().len()),
        (1, 3),
        "who was here stays in the club"
    );
    verified(&house);
}

#[test]
fn a_form_of_several_commands_does_each_once_with_what_was_chosen_for_it() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = house.table(&["A", "B", "C"]);
    let (browser, csrf) = in_a_browser(&house);
    let post = |key: &str, commands: &[Value], chosen: &[(&str, &str)]| {
        let commands: Vec<Value> = commands.iter().map(|one| table.with_ids(one)).collect();
        let commands = match commands.as_slice() {
            [command] => fields_of(command),
            several => fields_of(&json!({ "commands": several })),
        };
        let mut fields = vec![("csrf", csrf.as_str()), ("key", key)];
        fields.extend(commands.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        fields.extend(chosen);
        browser.request("POST", &format!("/chouettes/{}/act", table.id)).form(&fields).send()
    };
    let version = || table.state()["version"].as_i64().unwrap();
    table.play(&[start(), json!({"command": "double", "player": "A"})]);
    let take = |player: &str| json!({"command": "take", "player": player});

    // A key that is too long is refused before anything is done. The longest allowed one covers every part,
    // and works once.
    let before = version();
    assert_eq!(post(&"k".repeat(101), &[take("B"), take("C")], &[]).status, 400);
    assert_eq!(version(), before);
    for _ in 0..2 {
        let done = post(&"k".repeat(100), &[take("B"), take("C")], &[]);
        assert_eq!(done.status, 303, "{done}");
        assert_eq!(version(), before + 2);
    }
    // A key that looks like that of a part is still a key of its own. Several commands sent at one tap are
    // one act.
    table.play(&[json!({"command": "play_on"})]);
    let before = version();
    let double = |player: &str| json!({"command": "double", "player": player});
    assert_eq!(post("K", &[double("B"), double("C")], &[]).status, 303);
    assert_eq!(version(), before + 2);
    assert_eq!(post("K-1", &[json!({"command": "undo"})], &[]).status, 303);

    // Only doubles, takes and drops may be sent several at a time.
    let before = version();
    assert_eq!(post("more", &[double("B"), json!({"command": "undo"})], &[]).status, 400);
    assert_eq!(post("more", &[json!({"command": "play_on"}), double("B")], &[]).status, 400);
    assert_eq!(version(), before);
    assert_eq!(table.state()["phase"], "playing");
    verified(&house);
}
