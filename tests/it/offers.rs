//! What a table and a match offer: each command that may be given now, with what it would bring.

use rstest::rstest;
use serde_json::{Value, json};

use crate::match_pages::browser_of;
use crate::matches::{Match, game, login_of, session};
use crate::support::client::{Client, fields_of};
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House, Table};

/// The offers to this caller, with names instead of ids.
#[track_caller]
fn offers(table: &Table, client: &Client) -> Vec<Value> {
    let body = table.with_names(&client.get(&table.path("/offers")).good().body);
    body["offers"].as_array().expect("offers").clone()
}

/// What one command would bring; null if nobody may know.
#[track_caller]
fn brings(offers: &[Value], command: &str, player: &str) -> Value {
    let is = |offer: &&Value| offer["command"]["command"] == command && offer["command"]["player"] == player;
    offers.iter().find(is).unwrap_or_else(|| panic!("no {command} of {player}: {offers:?}"))["events"].clone()
}

fn kinds(offers: &[Value]) -> Vec<&str> {
    offers.iter().map(|offer| offer["command"]["command"].as_str().unwrap()).collect()
}

#[rstest]
fn every_offer_brings_just_what_it_says(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C", "D"]);
    let scorer = &table.client;
    let steps = [
        json!({"command": "start_game"}),
        json!({"command": "double", "player": "A"}),
        json!({"command": "take", "player": "B"}),
        json!({"command": "drop", "player": "C"}),
        json!({"command": "take", "player": "D"}),
        json!({"command": "finish", "winner": "team", "win": "gammon"}),
    ];
    for step in steps {
        let mut told = 0;
        for offer in offers(&table, scorer) {
            let command = table.with_ids(&offer["command"]);
            let preview = scorer.post(&table.path("/preview"), &command).good().body;
            assert_eq!(table.with_names(&preview["events"]), offer["events"], "{}", offer["command"]);
            told += 1;
        }
        assert!(told > 3, "{told} before {step}");
        let is_it = |offer: &&Value| {
            let given = step.as_object().unwrap();
            given.iter().all(|(field, value)| offer["command"][field] == *value)
        };
        let offered = offers(&table, scorer).into_iter().find(|offer| is_it(&offer)).expect("it is offered");
        let done = table.command(&offered["command"]).good().body;
        assert_eq!(table.with_names(&done["act"]["events"]), offered["events"], "as it was offered");
    }
}

#[rstest]
fn the_offers_have_a_version_and_are_each_callers_own(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    let player = login_of(&house, &table.client, &table.players["A"], "anna");
    assert_eq!(offers(&table, &player), [] as [Value; 0], "a game is for the scorer to start");
    table.play(&[json!({"command": "start_game"})]);

    let path = table.path("/offers");
    let tag = table.client.get(&path).good().etag().to_owned();
    assert_eq!(tag, table.client.get(&table.path("")).good().etag());
    let again = || table.client.request("GET", &path).header("If-None-Match", &tag).send();
    assert_eq!(again().status, 304);
    let own = offers(&table, &player);
    assert!(own.iter().all(|offer| offer["command"]["command"] == "double"), "{own:?}");
    assert!(own.iter().all(|offer| offer["command"]["player"] == "A"), "{own:?}");
    let all = offers(&table, &table.client);
    assert!(kinds(&all).contains(&"finish") && kinds(&all).contains(&"leave"), "{:?}", kinds(&all));
    let finish = all.iter().filter(|offer| offer["command"]["command"] == "finish").count();
    assert_eq!(finish, 6, "each side can win single, gammon or backgammon");

    // The box may double both, or one of them, and each is an offer that can be sent as it is.
    let doubled: Vec<Value> = own.iter().map(|offer| offer["events"][0]["bets"].clone()).collect();
    assert_eq!(doubled.iter().map(|bets| bets.as_array().unwrap().len()).collect::<Vec<_>>(), [2, 1, 1]);
    player.post(&table.path("/commands"), &table.with_ids(&own[1]["command"])).good();
    assert_eq!(again().status, 200, "the table has moved on");
    house.server.public().get(&path).refused(401, "not_signed_in");
    table
        .client
        .get("/api/v1/chouettes/0190a6f4-0000-7000-8000-000000000001/offers")
        .refused(404, "not_found");
}

/// Q7, answers all at once: what the last answer brings would show those of the others.
#[rstest]
fn no_offer_tells_a_secret_answer(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let rules = json!({"decision_order": "all_at_once", "animals": "beaver"});
    let table = house.table_with(&["A", "B", "C"], &json!({"name": "Secret", "rules": rules}));
    table.play(&[json!({"command": "start_game"}), json!({"command": "double", "player": "A"})]);
    let before = offers(&table, &table.client);
    assert_eq!(brings(&before, "drop", "B"), json!([{"event": "answered", "player": "B"}]));

    let mut after = Vec::new();
    for answer in ["take", "drop", "beaver"] {
        table.play(&[json!({"command": answer, "player": "B"})]);
        let now = offers(&table, &table.client);
        for last in ["take", "drop", "beaver"] {
            assert_eq!(brings(&now, last, "C"), Value::Null, "it would show what B has answered");
        }
        after.push(now);
        table.play(&[json!({"command": "undo"})]);
    }
    assert!(after.iter().all(|offers| *offers == after[0]), "whatever B has answered");

    table.play(&[json!({"command": "take", "player": "B"})]);
    let done = table.command(&json!({"command": "drop", "player": "C"})).good().body;
    let done = table.with_names(&done["act"]["events"]);
    let kinds: Vec<&str> =
        done.as_array().unwrap().iter().map(|one| one["event"].as_str().unwrap()).collect();
    assert_eq!(kinds[..3], ["answered", "taken", "dropped"], "all are in");
}

/// Q7: nor does a page say what a kept act of several players would bring, though nobody is left to answer
/// after it.
#[test]
fn no_kept_act_of_several_tells_a_secret_answer() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let rules = json!({"decision_order": "all_at_once"});
    let table = house.table_with(&["A", "B", "C", "D"], &json!({"name": "Secret", "rules": rules}));
    table.play(&[json!({"command": "start_game"}), json!({"command": "double", "player": "A"})]);
    table.play(&[json!({"command": "take", "player": "B"})]);
    let (browser, token) = browser_of(&house, ADMIN);
    let drop = |player: &str| json!({"command": "drop", "player": player});
    let fields = fields_of(&table.with_ids(&json!({"commands": [drop("C"), drop("D")]})));
    let mut form: Vec<(&str, &str)> = vec![("csrf", &token)];
    form.extend(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let path = format!("/chouettes/{}/act/preview", table.id);
    let refused = browser.request("POST", &path).form(&form).send();
    assert_eq!(refused.status, 422, "{refused}");
    assert!(!refused.text().contains("\"does\""), "{refused}");
}

/// The offers of a match to this caller.
#[track_caller]
fn of_match(one: &Match, client: &Client, query: &str) -> Vec<Value> {
    client.get(&one.path(&format!("/offers{query}"))).good().body["offers"]
        .as_array()
        .expect("offers")
        .clone()
}

/// Checks each offer against the preview of its command, and then does `step` as it was offered.
#[track_caller]
fn does_as_offered(one: &Match, query: &str, step: &Value) {
    let offers = of_match(one, &one.client, query);
    for Offer { command, brings } in offers.iter().map(Offer::new) {
        if command["action"]["action"].as_str().is_some_and(|action| action.starts_with("roll")) {
            assert_eq!(*brings, Value::Null, "dice decide: {command}");
            continue;
        }
        let preview = one.client.post(&one.path("/preview"), command).good().body;
        assert_eq!(preview["events"], brings["events"], "{command}");
        let after = &preview["match"];
        assert_eq!((&after["score"], &after["outcome"]), (&brings["score"], &brings["outcome"]), "{command}");
    }
    let given = step.as_object().unwrap();
    let is_it = |offer: &Offer<'_>| given.iter().all(|(field, value)| includes(&offer.command[field], value));
    let Offer { command, brings } = offers.iter().map(Offer::new).find(is_it).unwrap_or_else(|| {
        panic!("no {step} in {offers:?}");
    });
    let done = one.command(command).good().body;
    if !brings.is_null() {
        assert_eq!(done["act"]["events"], brings["events"], "as it was offered: {command}");
    }
}

struct Offer<'a> {
    command: &'a Value,
    brings: &'a Value,
}

impl<'a> Offer<'a> {
    fn new(offer: &'a Value) -> Self {
        Self { command: &offer["command"], brings: &offer["brings"] }
    }
}

/// Whether the fields of `part`, and theirs, are in `whole` as well.
fn includes(whole: &Value, part: &Value) -> bool {
    match part {
        Value::Object(fields) => fields.iter().all(|(field, value)| includes(&whole[field], value)),
        _ => whole == part,
    }
}

#[rstest]
fn every_offer_of_a_match_brings_just_what_it_says(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let terms = json!({"play": "match", "length": 5, "rated": true});
    let one = Match::open_with(&house, &json!({"terms": terms}));
    // The usual clock, with the reserve of the points still needed: three and five, four in the mean.
    let clock = json!({"command": "set_clock", "clock": {"delay": 12}, "left": [480, 480]});
    let steps = [
        ("", game("upper", "gammon", 1)),
        ("", clock),
        ("", json!({"command": "start_clock", "slot": "lower"})),
        ("", json!({"command": "game", "winner": "lower", "how": "dropped", "cube": 2})),
        ("", json!({"command": "adjourn"})),
        (
            "?correct=1",
            json!({"command": "correct", "game": 1, "now": {"winner": "upper", "win": "single", "cube": 2}}),
        ),
        ("", json!({"command": "resume"})),
        ("", json!({"command": "start_board", "dice": "drawn"})),
        ("", json!({"command": "board", "action": {"action": "roll_opening"}})),
        ("", json!({"command": "board", "action": {"action": "resign", "win": "backgammon"}})),
        ("", json!({"command": "board", "action": {"action": "accept_resignation"}})),
        (
            "?correct=3",
            json!({"command": "correct", "game": 3, "now": {"winner": "lower", "win": "single", "cube": 1}}),
        ),
        ("", json!({"command": "rule", "outcome": {"winner": "upper", "ending": "walkover"}})),
        ("", json!({"command": "rule", "outcome": null})),
        ("", json!({"command": "concede", "by": "lower"})),
    ];
    for (query, step) in &steps {
        does_as_offered(&one, query, step);
    }
    assert_eq!(one.state()["decided_by"]["decided_by"], "concession");

    let money = one.another(&session());
    for step in [
        game("lower", "single", 4),
        json!({"command": "pay", "by": "upper"}),
        json!({"command": "draw"}),
        json!({"command": "close"}),
    ] {
        does_as_offered(&money, "", &step);
    }
}

#[rstest]
fn a_match_offers_to_each_what_they_may_do_at_one_version(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &json!({"play": "match", "length": 3}));
    let ann = login_of(&house, &one.client, &one.players[0], "anna");
    let eve = house.player(&one.client, "Eve");
    let eve = login_of(&house, &one.client, &eve, "eve");
    assert_eq!(of_match(&one, &eve, ""), [] as [Value; 0], "not her match");
    let own = of_match(&one, &ann, "");
    let of = |kind: &'static str| own.iter().filter(move |offer| offer["command"]["command"] == kind);
    assert!(of("concede").chain(of("resign")).all(|offer| offer["command"]["by"] == "upper"), "{own:?}");
    assert_eq!((of("concede").count(), of("rule").count()), (1, 0));

    // What it would come to: the points, the score and the end of the match.
    let gammon =
        of("game").find(|offer| offer["command"]["win"] == "gammon" && offer["command"]["cube"] == 2);
    let brings = &gammon.expect("it is offered")["brings"];
    assert_eq!((&brings["points"], &brings["score"]), (&json!(4), &json!([3, 0])));
    assert_eq!(brings["outcome"]["winner"], "upper");
    assert_eq!(brings["events"][0]["entered_by"], "upper", "who gives it is part of what it would record");

    let path = one.path("/offers");
    let tag = one.client.get(&path).good().etag().to_owned();
    assert_eq!(tag, one.client.get(&one.path("")).good().etag());
    let again = || one.client.request("GET", &path).header("If-None-Match", &tag).send();
    assert_eq!(again().status, 304);
    one.play(&[game("upper", "single", 1)]);
    assert_eq!(again().status, 200, "the match has moved on");
    // Corrections are the scorer's, and are listed for the game that was asked for.
    let corrects = |client: &Client, query: &str| {
        let offers = of_match(&one, client, query);
        offers.iter().filter(|offer| offer["command"]["command"] == "correct").count()
    };
    assert_eq!(
        [corrects(&ann, "?correct=1"), corrects(&one.client, ""), corrects(&one.client, "?correct=2")],
        [0; 3]
    );
    assert!(corrects(&one.client, "?correct=1") > 20);
    house.server.public().get(&path).refused(401, "not_signed_in");
    one.client.get("/api/v1/matches/0190a6f4-0000-7000-8000-000000000001/offers").refused(404, "not_found");
}
