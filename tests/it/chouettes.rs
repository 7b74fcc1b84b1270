//! A chouette over the REST API, on both databases: worked scores, conditional requests, retries, undo and
//! the books.

use rstest::rstest;
use serde_json::{Value, json};

use crate::browser::post;
use crate::support::client::fields_of;
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House, Table};

fn start() -> Value {
    json!({"command": "start_game"})
}
fn double(player: &str) -> Value {
    json!({"command": "double", "player": player})
}
fn take(player: &str) -> Value {
    json!({"command": "take", "player": player})
}
fn drop_(player: &str) -> Value {
    json!({"command": "drop", "player": player})
}
fn finish(winner: &str, win: &str) -> Value {
    json!({"command": "finish", "winner": winner, "win": win})
}

/// Compares scores in points, as the worked examples write them. No halves arise under these rules.
#[track_caller]
fn assert_scores(table: &Table, expected: &[(&str, i64)]) {
    let scores = table.scores();
    let expected = expected.iter().map(|(name, points)| ((*name).to_owned(), points * 2)).collect();
    assert_eq!(scores, expected, "in half points");
}

/// Door: bets.
#[rstest]
fn e1_box_against_four_at_one_point(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C", "D", "E"]);
    table.play(&[start(), finish("box", "single")]);
    assert_scores(&table, &[("A", 4), ("B", -1), ("C", -1), ("D", -1), ("E", -1)]);
    assert_eq!(table.state()["line"], json!(["A", "C", "D", "E", "B"]), "Q3");
    table.play(&[start(), finish("team", "single")]);
    assert_scores(&table, &[("A", 0), ("B", 0), ("C", 0), ("D", 0), ("E", 0)]);
    assert_eq!(table.state()["line"], json!(["C", "D", "E", "B", "A"]), "Q4");
}

/// Door: bets.
#[rstest]
fn e2_and_e3_gammons_on_turned_cubes(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C", "D", "E"]);
    table.play(&[start(), double("B"), double("C"), double("D"), double("E"), take("A")]);
    table.play(&[finish("team", "gammon")]);
    assert_scores(&table, &[("A", -16), ("B", 4), ("C", 4), ("D", 4), ("E", 4)]);

    let other = house.table(&["F", "G", "H", "I", "J"]);
    other.play(&[start(), double("G"), double("H"), double("I"), take("F")]);
    other.command(&double("J")).refused(422, "late_double");
    other.play(&[json!({"command": "play_on"}), double("J"), drop_("F")]);
    other.play(&[finish("team", "gammon")]);
    assert_scores(&other, &[("F", -13), ("G", 4), ("H", 4), ("I", 4), ("J", 1)]);
}

/// Door: bets.
#[rstest]
fn e7_and_e8_a_drop_shows_at_once_and_is_booked_when_the_game_ends(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let new = json!({"name": "Friday", "stake": {"amount": 500, "currency": "EUR"}});
    let table = house.table_with(&["A", "B", "C", "D"], &new);
    table.play(&[start(), double("A"), take("B"), take("C"), drop_("D")]);
    assert_scores(&table, &[("A", 1), ("B", 0), ("C", 0), ("D", -1)]);
    assert_eq!((table.balance("A", "half_points"), table.balance("D", "half_points")), (0, 0), "not booked");

    table.play(&[double("C"), take("A"), finish("team", "single")]);
    assert_scores(&table, &[("A", -5), ("B", 2), ("C", 4), ("D", -1)]);
    assert_eq!(table.balance("A", "half_points"), -10);
    assert_eq!(table.balance("A", "EUR"), -2500);
    assert_eq!(table.balance("D", "EUR"), -500);
    assert_eq!(table.state()["line"], json!(["B", "C", "D", "A"]), "the captain became box");

    // The statement has one line per bet, newest first, each with the balance after it.
    let path = format!("/api/v1/players/{}/statement?unit=EUR", table.players["A"]);
    let lines = table.with_names(&table.client.get(&path).good().body);
    let lines = lines["items"].as_array().unwrap();
    let told: Vec<_> =
        lines.iter().map(|l| (l["counterparty"].as_str().unwrap(), &l["amount"], &l["balance"])).collect();
    assert_eq!(
        told,
        [
            ("D", &json!(500), &json!(-2500)),
            ("C", &json!(-2000), &json!(-3000)),
            ("B", &json!(-1000), &json!(-1000))
        ]
    );
}

/// Door: correct.
#[rstest]
fn undo_of_a_finished_game_reverses_its_postings_and_redo_posts_them_again(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    table.play(&[start(), double("A"), take("B"), take("C"), finish("box", "gammon")]);
    let finished = table.state();
    assert_eq!(table.balance("A", "half_points"), 16);

    table.play(&[json!({"command": "undo"})]);
    assert_eq!(table.balance("A", "half_points"), 0);
    assert_eq!(table.state()["phase"], "playing");
    table.play(&[json!({"command": "redo"})]);
    assert_eq!(table.balance("A", "half_points"), 16);
    let again = table.state();
    for same in ["line", "standings", "phase", "games", "box", "captain"] {
        assert_eq!(again[same], finished[same], "{same}");
    }
    let path = format!("/api/v1/players/{}/statement", table.players["B"]);
    let lines = table.client.get(&path).good().body["items"].as_array().unwrap().clone();
    let told: Vec<_> =
        lines.iter().map(|line| (line["kind"].as_str().unwrap(), line["amount"].as_i64().unwrap())).collect();
    assert_eq!(told, [("game", -8), ("reversal", 8), ("game", -8)], "nothing is deleted");
    assert!(house.server.command(&["verify"]).output().unwrap().status.success());
}

/// The page's result with the start of the next game is one act: in the books at once, and undone as one.
#[rstest]
fn a_result_and_the_next_start_are_one_act(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    table.play(&[start(), double("A"), take("B"), take("C")]);
    let scorer = house.server.public().cookies();
    post(&scorer, "/sign-in", "/sign-in", &[("login", ADMIN.0), ("password", ADMIN.1)]);
    let sheet = scorer.get(&table.page("/finish?winner=box"));
    assert!(sheet.text().contains("Record, next game"), "{sheet}");
    let gives = |commands: &[Value], key: &str| {
        let fields = fields_of(&json!({ "commands": commands }));
        let mut fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        fields.extend([("version", ""), ("key", key)]);
        post(&scorer, &table.page(""), &table.page("/act"), &fields).status
    };
    assert_eq!(gives(&[start(), finish("box", "single")], "one"), 400, "no game starts before the result");
    assert_eq!(gives(&[finish("box", "single"), start()], "two"), 303);
    let stands = || {
        (table.state()["phase"].clone(), table.state()["games"].clone(), table.balance("A", "half_points"))
    };
    assert_eq!(stands(), (json!("playing"), json!(1), 8));
    table.play(&[json!({"command": "undo"})]);
    assert_eq!(stands(), (json!("playing"), json!(0), 0), "the game goes on");
    table.play(&[json!({"command": "redo"}), double("A"), take("C"), take("B")]);
    assert_eq!(stands(), (json!("playing"), json!(1), 8));
    table.play(&[finish("team", "single"), json!({"command": "leave", "player": "C"})]);
    assert_eq!(gives(&[finish("box", "single"), start()], "three"), 422, "there is no game to end");
    // A new box who may decline is asked before the next game.
    let table = house.table_with(
        &["D", "E", "F", "G"],
        &json!({"name": "Second table", "rules": {"declining": "allowed"}}),
    );
    table.play(&[start()]);
    let goes_on = |side: &str| {
        let sheet = scorer.get(&table.page(&format!("/finish?winner={side}")));
        sheet.text().contains("Record, next game")
    };
    assert_eq!((goes_on("box"), goes_on("team")), (true, false));
    house.verify();
}

#[rstest]
fn undo_names_an_act_and_not_an_earlier_one(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    let started = table.command(&start()).good().body["act"]["act"].clone();
    let doubled = table.command(&double("B")).good().body["act"]["act"].clone();
    table.command(&json!({"command": "undo", "act": started})).refused(422, "not_the_last_act");
    table.command(&json!({"command": "undo", "act": doubled})).good();
    table.command(&json!({"command": "undo", "act": doubled})).refused(422, "not_the_last_act");
    table.command(&json!({"command": "redo", "act": doubled})).good();
    table.command(&json!({"command": "redo"})).refused(422, "nothing_to_undo");
}

#[rstest]
fn several_acts_are_undone_and_redone_at_once_and_the_log_keeps_them_whole(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    let started = table.command(&start()).good().body["act"]["act"].clone();
    let doubled = table.command(&double("B")).good().body["act"]["act"].clone();
    let taken = table.command(&take("A")).good().body["act"]["act"].clone();
    let before = table.state();
    // Seven acts can be undone: three joins, the rolls, the start, the double and the take, but not the
    // opening.
    assert_eq!(before["undo"], json!({"act": taken, "kind": "taken", "by": before["undo"]["by"], "acts": 7}));

    let undo = |fields: Value| {
        let mut command = json!({"command": "undo"});
        command.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        table.command(&command)
    };
    undo(json!({"act": doubled, "acts": 2})).refused(422, "not_the_last_act");
    let refused = undo(json!({"acts": 8})).refused(422, "fewer_acts_to_undo");
    assert_eq!((&refused.body["field"], &refused.body["allowed"]), (&json!("acts"), &json!(7)));
    for nonsense in [json!(0), json!(1001), json!(-1), json!("2"), json!(1.5)] {
        undo(json!({ "acts": nonsense })).refused(400, "invalid_body");
    }
    assert_eq!(table.state(), before);

    let done = undo(json!({"act": taken, "acts": 3})).good().body;
    let named: Vec<_> = done["act"]["events"].as_array().unwrap().iter().map(|e| e["act"].clone()).collect();
    assert_eq!(named, [taken, doubled.clone(), started.clone()]);
    assert_eq!((&done["chouette"]["redo"]["act"], &done["chouette"]["redo"]["acts"]), (&started, &json!(3)));
    let preview =
        table.client.post(&table.path("/preview"), &json!({"command": "redo", "acts": 2})).good().body;
    let put_back: Vec<_> = preview["acts"].as_array().unwrap().iter().map(|act| act["act"].clone()).collect();
    assert_eq!(put_back, [started, doubled], "the oldest first");
    table.play(&[json!({"command": "redo", "acts": 3})]);
    assert_eq!(table.state()["bets"], before["bets"]);
    assert_eq!(table.state()["redo"], Value::Null);

    // The log by pages equals the log at once, and no act is split between pages.
    let whole = table.client.get(&table.path("/acts?limit=200")).good().body;
    for limit in [1, 2, 3] {
        let (mut items, mut after) = (Vec::new(), String::new());
        loop {
            let path = table.path(&format!("/acts?limit={limit}{after}"));
            let page = table.client.get(&path).good().body;
            items.extend(page["items"].as_array().unwrap().clone());
            let Some(next) = page["next"].as_str() else { break };
            after = format!("&after={next}");
        }
        assert_eq!(Value::Array(items), whole["items"]);
    }
    let lengths =
        whole["items"].as_array().unwrap().iter().map(|act| act["events"].as_array().unwrap().len());
    assert_eq!(lengths.collect::<Vec<_>>(), [3, 3, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert!(house.server.command(&["verify"]).output().unwrap().status.success());
}

#[rstest]
fn a_stale_version_is_refused_and_a_retry_does_nothing_twice(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    let seen = table.client.get(&table.path("")).good().etag().to_owned();
    let path = table.path("/commands");
    let send = |tag: &str, key: &str, command: &Value| {
        table.client.request("POST", &path).json(&table.with_ids(command)).if_match(tag).key(key).send()
    };
    let first = send(&seen, "one", &start()).good();
    let again = send(&seen, "one", &start()).good();
    assert_eq!(first.body["act"], again.body["act"], "the same answer");
    assert_eq!(first.etag(), again.etag());
    send(&seen, "two", &double("B")).refused(412, "stale_version");
    send(first.etag(), "one", &double("B")).refused(422, "idempotency_key_reused");
    let doubled = send(first.etag(), "two", &double("B")).good();
    assert_ne!(doubled.etag(), first.etag());
    // A retry gets the original answer, although the table has moved on.
    let late = send(&seen, "one", &start()).good();
    assert_eq!(late.body["chouette"]["version"], first.body["chouette"]["version"]);
}

#[rstest]
fn a_player_sits_at_one_table_at_a_time(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = house.table(&["A", "B", "C"]);
    let other = house.table(&["D", "E", "F"]);
    let join = json!({"command": "join", "player": one.players["A"]});
    other.client.post(&other.path("/commands"), &join).refused(422, "player_at_another_table");
    one.play(&[json!({"command": "leave", "player": "A"})]);
    other.client.post(&other.path("/commands"), &join).good();
    // Undoing the leave would put A at two tables.
    one.command(&json!({"command": "undo"})).refused(422, "player_at_another_table");
}

#[rstest]
fn a_preview_shows_what_everybody_would_get_and_changes_nothing(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    table.play(&[start()]);
    let before = table.state();
    let preview = table.client.post(&table.path("/preview"), &finish("box", "gammon")).good().body;
    let preview = table.with_names(&preview);
    let first = &preview["chouette"]["standings"][0];
    assert_eq!(first, &json!({"player": "A", "points": 4}), "C9: no cube was turned");
    assert_eq!(table.state(), before);
    table.client.post(&table.path("/preview"), &table.with_ids(&take("A"))).refused(422, "no_offer");
}

/// Q7, answers all at once: the metrics, which need no sign-in, do not reveal anybody's answer.
#[rstest]
fn the_figures_do_not_tell_a_secret_answer(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let rules = json!({"decision_order": "all_at_once", "animals": "beaver"});
    let table = house.table_with(&["A", "B", "C"], &json!({"name": "Secret", "rules": rules}));
    table.play(&[start(), double("A")]);
    let counted = || -> Vec<String> {
        let figures = house.server.public().get("/metrics").good();
        let of_commands = |line: &&str| line.starts_with("owlbox_commands_total{");
        let mut lines: Vec<String> = figures.text().lines().filter(of_commands).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let answers = [take("B"), drop_("B"), json!({"command": "beaver", "player": "B"})];
    for (times, answer) in (1..).zip(answers) {
        table.play(&[answer]);
        let counted = counted();
        let told = |kind: &str| counted.iter().any(|line| line.contains(&format!("kind=\"{kind}\"")));
        assert!(!told("take") && !told("drop") && !told("beaver"), "{counted:?}");
        let answered = format!("owlbox_commands_total{{kind=\"answer\",outcome=\"done\"}} {times}");
        assert!(counted.contains(&answered), "{counted:?}");
        table.play(&[json!({"command": "undo"})]);
    }
}
