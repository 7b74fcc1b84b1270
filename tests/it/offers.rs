//! What a table offers: each command that may be given now, with what it would bring.

use rstest::rstest;
use serde_json::{Value, json};

use crate::match_pages::browser_of;
use crate::matches::login_of;
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
fn every_offer_brings_just_what_it_says(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
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
fn the_offers_have_a_version_and_are_each_callers_own(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
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
fn no_offer_tells_a_secret_answer(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
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

/// Q7: nor does a page say what a kept act of several players would bring, though nobody is left to answer after it.
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
