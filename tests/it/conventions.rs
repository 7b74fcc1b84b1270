//! What all of the API has in common (`docs/api.md`, *Conventions*): mistakes told all at once, lists with
//! names, one name for one thing beside the older ones.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Days, NaiveDate};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::databases::Db;
use crate::support::house::House;
use crate::tournaments::eight;

const NOTHING: &str = "0190a6f4-0000-7000-8000-ffffffffffff";

/// The mistakes that a refusal tells: place and code. The first is what the problem itself is about.
#[track_caller]
fn mistakes(refused: &Answer) -> BTreeSet<(String, String)> {
    let errors = refused.body["errors"].as_array().unwrap_or_else(|| panic!("no errors: {refused}"));
    let text = |of: &Value| of.as_str().unwrap().to_owned();
    assert_eq!(refused.body["field"], errors[0]["field"], "{refused}");
    let detail = format!("{}: {}", text(&errors[0]["field"]), text(&errors[0]["detail"]));
    assert_eq!(refused.body["detail"], detail);
    errors.iter().map(|error| (text(&error["field"]), text(&error["code"]))).collect()
}

fn these(told: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    told.iter().map(|(field, code)| ((*field).to_owned(), (*code).to_owned())).collect()
}

/// Bad requests are refused before any database is used, so one database is enough.
#[test]
fn all_mistakes_of_a_body_are_told_with_their_places() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let sheet = format!("/api/v1/matches/{NOTHING}/commands");
    let roll =
        |dice: Value| json!({"command": "board", "by": "upper", "action": {"action": "roll", "dice": dice}});
    for (path, body, told) in [
        (
            "/api/v1/chouettes",
            json!({"stake": {"amount": "x"}, "more": 1}),
            &[
                ("/name", "required"),
                ("/more", "additionalProperties"),
                ("/stake/amount", "type"),
                ("/stake/currency", "required"),
            ][..],
        ),
        ("/api/v1/chouettes", json!({"name": "Friday", "a/b~": 1}), &[("/a~1b~0", "additionalProperties")]),
        (
            &sheet,
            json!({"command": "penalty", "gains": "nobody", "points": 300}),
            &[("/gains", "enum"), ("/points", "maximum")],
        ),
        (&sheet, json!({"command": "penalty", "gains": "upper"}), &[("/points", "required")]),
        (&sheet, json!({"command": "nonsense", "points": 1}), &[("/command", "enum")]),
        (&sheet, json!({"points": 1}), &[("/command", "required")]),
        (&sheet, roll(json!([7, 1])), &[("/action/dice/0", "maximum")]),
        (
            &sheet,
            json!({"command": "board", "by": "upper", "action": {"action": "fly"}}),
            &[("/action/action", "enum")],
        ),
        ("/api/v1/tokens", json!({"name": "bot", "expires_at": "soon"}), &[("/expires_at", "format")]),
    ] {
        let refused = admin.post(path, &body).refused(400, "invalid_body");
        assert_eq!(mistakes(&refused), these(told), "{refused}");
    }
    let unknown = admin.post(&sheet, &json!({"command": "nonsense"})).refused(400, "invalid_body");
    assert!(
        unknown.body["detail"].as_str().unwrap().contains("\"penalty\""),
        "what would be known: {unknown}"
    );
    let many: Vec<u8> = vec![9; 1000];
    let many = admin.post(&sheet, &roll(json!(many))).refused(400, "invalid_body");
    assert!(many.body["errors"].as_array().unwrap().len() <= 20, "{many}");
    // What is sent is not repeated: it may be a password.
    let secret = json!({"login": "maria", "password": ["quattro oche"]});
    let secret = house.server.public().post("/api/v1/sign-in", &secret).refused(400, "invalid_body");
    assert_eq!(mistakes(&secret), these(&[("/password", "type")]));
    assert!(!secret.body.to_string().contains("oche"), "{secret}");
}

#[test]
fn all_mistakes_of_an_address_are_told_by_the_names_of_the_parameters() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    for (path, told) in [
        (
            "/matches?open=maybe&player=x&more=1&limit=many",
            &[("open", "type"), ("player", "format"), ("more", "additionalProperties"), ("limit", "type")][..],
        ),
        ("/reference/score?cube=0", &[("own", "required"), ("other", "required"), ("cube", "minimum")]),
        ("/matches?limit=1&limit=2", &[("limit", "type")]),
        ("/ledger/export?from=yesterday&format=xls", &[("from", "format"), ("format", "enum")]),
    ] {
        let refused = admin.get(&format!("/api/v1{path}")).refused(400, "invalid_query");
        assert_eq!(mistakes(&refused), these(told), "{refused}");
    }
    let no_id = admin.get("/api/v1/players/not-a-uuid").refused(404, "not_found");
    assert_eq!(mistakes(&no_id), these(&[("id", "format")]));
    for nothing in [format!("/api/v1/players/{NOTHING}"), "/api/v1/nothing".to_owned()] {
        let nothing = admin.get(&nothing).refused(404, "not_found");
        assert_eq!((&nothing.body["field"], &nothing.body["errors"]), (&Value::Null, &Value::Null));
    }
}

#[rstest]
fn lists_of_players_have_their_names(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let [yve, zoe] = ["Yve", "Zoe"].map(|name| house.player(&admin, name));
    let names = json!({(yve.clone()): "Yve", (zoe.clone()): "Zoe"});
    let get = |path: &str| admin.get(&format!("/api/v1{path}")).good().body;

    let new = json!({"players": [yve, zoe], "terms": {"play": "match", "length": 1, "rated": true}});
    let opened = admin.post("/api/v1/matches", &new).good().body;
    let id = opened["match"]["id"].as_str().unwrap().to_owned();
    let command = |command: Value| admin.post(&format!("/api/v1/matches/{id}/commands"), &command).good();
    assert_eq!(get("/matches?open=true")["names"], names);
    let of = get(&format!("/matches/{id}"));
    assert!(of["chance_millionths"].is_i64() && of["chance_millionths"] == of["chance"], "{of}");
    command(json!({"command": "game", "winner": "upper", "win": "single", "cube": 1}));
    assert_eq!(get("/matches?open=true")["names"], json!({}));

    let ratings = get("/ratings");
    assert_eq!(ratings["names"], names);
    for one in ratings["items"].as_array().unwrap() {
        assert!(one["rating_thousandths"].is_i64() && one["rating_thousandths"] == one["rating"], "{one}");
    }
    let rated = get(&format!("/players/{yve}/ratings"));
    assert_eq!(rated["names"], json!({(zoe.clone()): "Zoe"}));
    assert!(rated["items"][0]["change_thousandths"].as_i64().unwrap() > 0, "{rated}");

    let pay = json!({"command": "pay", "payer": {"player": yve}, "payee": {"player": zoe}, "amount": 500, "currency": "EUR"});
    admin.post("/api/v1/daybook", &pay).good();
    let statement = get(&format!("/players/{yve}/statement?unit=EUR"));
    assert_eq!(statement["names"], json!({(zoe.clone()): "Zoe"}));
    let line = &statement["items"][0];
    assert_eq!((&line["purpose"], &line["counts_for"]), (&line["bet"], &line["booked_on"]));
    let [new, old] = ["purpose", "kind"].map(|name| {
        get(&format!("/players/{yve}/statement?unit=EUR&{name}={}", line["purpose"].as_str().unwrap()))
    });
    assert_eq!((&new, &new["lines"], &new["names"]), (&old, &json!(1), &statement["names"]));
    let refused =
        admin.get(&format!("/api/v1/players/{yve}/statement?purpose=fun")).refused(400, "invalid_query");
    assert_eq!(refused.body["field"], "purpose");
    assert_eq!(get("/ledger/dues")[0]["names"], names);
    assert_eq!(get(&format!("/players/{yve}/dues"))[0]["names"], names);

    let event = eight(&house, &json!({"name": "Open", "lengths": [3]}));
    let places = event.get("/divisions/1/places");
    for place in places["items"].as_array().unwrap() {
        assert!(places["names"][place["player"].as_str().unwrap()].is_string(), "{place}");
    }
}

#[rstest]
fn lists_are_asked_in_one_way_for_what_goes_on_and_for_days(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let [yve, zoe] = ["Yve", "Zoe"].map(|name| house.player(&admin, name));
    let stake = json!({"amount": 500, "currency": "EUR"});
    let made = |path: &str, new: Value| admin.post(&format!("/api/v1{path}"), &new).good().body;
    let table = made("/chouettes", json!({"name": "Friday", "stake": stake}))["chouette"].clone();
    made("/matches", json!({"players": [yve, zoe], "terms": {"play": "match", "length": 3}}));
    let about = json!({"name": "Open", "date": "2026-04-18", "starts": "11:00", "place": "Torino"});
    made("/tournaments", about);
    let listed = |list: &str, query: &str| {
        let list = admin.get(&format!("/api/v1/{list}?{query}")).good().body;
        list["items"].as_array().unwrap().len()
    };
    let night: NaiveDate = table["night"].as_str().unwrap().parse().unwrap();
    let opened: NaiveDate = chrono::Utc::now().date_naive();
    let begins: NaiveDate = "2026-04-18".parse().unwrap();
    for (list, day, slack) in [("chouettes", night, 0), ("matches", opened, 1), ("tournaments", begins, 0)] {
        for (query, shown) in [
            ("open=true", 1),
            ("open=false", 0),
            ("closed=false", 1),
            ("closed=true", 0),
            ("open=true&closed=false", 1),
        ] {
            assert_eq!(listed(list, query), shown, "{list}: {query}");
        }
        // Midnight may pass in between.
        let [first, last] = [day - Days::new(slack), day];
        let [before, after] = [first - Days::new(1), last + Days::new(1)];
        for (query, shown) in [
            (format!("from={first}&until={last}"), 1),
            (format!("from={first}"), 1),
            (format!("until={last}"), 1),
            (format!("from={after}"), 0),
            (format!("until={before}"), 0),
        ] {
            assert_eq!(listed(list, &query), shown, "{list}: {query}");
        }
        let ends_first = admin.get(&format!("/api/v1/{list}?from={after}&until={before}"));
        assert_eq!(ends_first.refused(400, "invalid_query").body["field"], "until");
        let both = admin.get(&format!("/api/v1/{list}?open=true&closed=true")).refused(400, "invalid_query");
        assert_eq!(both.body["field"], "closed");
    }
    let tables = admin.get("/api/v1/chouettes").good().body;
    assert_eq!(tables["items"][0]["stake"], stake);
    let event = eight(&house, &json!({"name": "Main", "lengths": [3]}));
    let tournaments = admin.get("/api/v1/tournaments").good().body;
    let [newest, first] = [0, 1].map(|nth| &tournaments["items"][nth]);
    assert_eq!(
        (&newest["id"], &newest["entries"], &newest["starts"]),
        (&json!(event.id), &json!(8), &Value::Null)
    );
    assert_eq!(
        (&first["entries"], &first["starts"], &first["place"]),
        (&json!(0), &json!("11:00"), &json!("Torino"))
    );
}

#[rstest]
fn a_script_learns_when_its_token_ends(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let ends: BTreeMap<&str, Value> =
        BTreeMap::from([("bot", json!("2199-12-31T23:00:00Z")), ("lasting", Value::Null)]);
    for (name, end) in ends {
        let made = admin.post("/api/v1/tokens", &json!({"name": name, "expires_at": end})).good().body;
        let script = house.server.public().bearer(made["token"].as_str().unwrap());
        let told = script.get("/api/v1/me").good().body["expires_at"].clone();
        assert_eq!(told, made["expires_at"], "{name}");
        assert_eq!(told.is_null(), end.is_null());
    }
    assert!(admin.get("/api/v1/me").good().body["expires_at"].is_string(), "a session ends");
}
