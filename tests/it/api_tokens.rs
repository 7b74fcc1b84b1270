//! API tokens with scopes: what they are made of, what is left of them when their login loses something, and
//! when they were used last.

use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};
use crate::tournaments::{eight, phone};
use crate::walk::csrf;

#[track_caller]
fn made(owner: &Client, terms: &Value) -> Value {
    owner.post("/api/v1/tokens", terms).good().body
}

/// A script with a token of `owner` that has these scopes.
#[track_caller]
fn script(house: &House, owner: &Client, scopes: &[&str]) -> Client {
    let made = made(owner, &json!({"name": scopes.join(" "), "scopes": scopes}));
    house.server.public().bearer(made["token"].as_str().unwrap())
}

#[track_caller]
fn listed(owner: &Client) -> Vec<Value> {
    owner.get("/api/v1/tokens").good().body["items"].as_array().unwrap().clone()
}

#[track_caller]
fn guest(client: &Client, name: &str) -> Answer {
    client.post("/api/v1/players", &json!({"name": name, "guest": true}))
}

#[rstest]
fn a_token_says_what_it_may_and_when_it_was_used(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let old = made(&admin, &json!({"name": "all"}));
    assert_eq!((&old["scopes"], &old["last_used_at"]), (&Value::Null, &Value::Null));
    let new = made(&admin, &json!({"name": "bot", "scopes": ["books", "tables", "books"]}));
    assert_eq!(new["scopes"], json!(["read", "tables", "books"]));
    let me = admin.get("/api/v1/me").good().body;
    assert_eq!((&me["scopes"], me["permissions"].as_array().unwrap().len()), (&Value::Null, 26));
    let bot = house.server.public().bearer(new["token"].as_str().unwrap());
    let me = bot.get("/api/v1/me").good().body;
    assert_eq!((&me["scopes"], &me["roles"]), (&new["scopes"], &json!(["admin"])));
    let may = me["permissions"].as_array().unwrap();
    assert!(may.contains(&json!("run_chouette")) && may.contains(&json!("keep_books")), "{me}");
    assert!(!may.contains(&json!("change_settings")) && !may.contains(&json!("manage_own_account")), "{me}");

    // Noted beside the request, by the hour.
    let give_up = Instant::now() + Duration::from_secs(20);
    let used = loop {
        let [bot, old] = <[Value; 2]>::try_from(listed(&admin)).unwrap();
        assert_eq!(old["last_used_at"], Value::Null, "not used");
        match bot["last_used_at"].as_str() {
            Some(used) => break used.to_owned(),
            None => assert!(Instant::now() < give_up, "the use is not noted"),
        }
    };
    assert!(used.ends_with(":00:00Z") || used.ends_with(":00:00.000000Z"), "{used}");
    house.verify();
}

#[rstest]
fn what_is_no_scope_makes_no_token(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let nothing = "0190a6f4-0000-7000-8000-ffffffffffff";
    let two = [format!("tournament:{nothing}"), format!("tournament:{}", nothing.replace('f', "e"))];
    for scopes in [json!([]), json!(["write"]), json!(["tournament:7"]), json!("read"), json!(two)] {
        let refused = admin.post("/api/v1/tokens", &json!({"name": "bot", "scopes": scopes}));
        refused.refused(400, "invalid_body");
    }
    let of_nothing = json!({"name": "bot", "scopes": [format!("tournament:{nothing}")]});
    admin.post("/api/v1/tokens", &of_nothing).refused(404, "not_found");
    assert!(listed(&admin).is_empty());
}

#[rstest]
fn a_token_has_no_more_than_its_login_and_its_login_at_every_request(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let scorer = house.with_roles(&admin, "scorer", &["scorer"]);
    let account = scorer.get("/api/v1/me").good().body["account"].as_str().unwrap().to_owned();
    let has = |roles: &[&str]| {
        admin.patch(&format!("/api/v1/accounts/{account}"), &json!({ "roles": roles })).good();
    };
    let bot = script(&house, &scorer, &["tables"]);
    guest(&bot, "Ada").good();
    guest(&script(&house, &scorer, &["books"]), "Eva").refused(403, "outside_token_scopes");
    // A scope adds nothing.
    let record = json!({"command": "spend", "currency": "EUR", "amount": 300, "memo": "Dice"});
    script(&house, &scorer, &["books"]).post("/api/v1/daybook", &record).refused(403, "forbidden");
    has(&["player"]);
    guest(&bot, "Ida").refused(403, "forbidden");
    bot.get("/api/v1/players").good();
    has(&["scorer"]);
    guest(&bot, "Ida").good();
    admin.patch(&format!("/api/v1/accounts/{account}"), &json!({"active": false})).good();
    bot.get("/api/v1/players").refused(401, "invalid_token");
}

#[rstest]
fn a_refusal_says_which_scopes_would_do_and_nothing_outlasts_a_token(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let reads = script(&house, &admin, &["read"]);
    let refused =
        reads.post("/api/v1/chouettes", &json!({"name": "Friday"})).refused(403, "outside_token_scopes");
    assert_eq!(refused.body["allowed"], json!(["tables"]));
    let all = script(&house, &admin, &["read", "tables", "matches", "books"]);
    let revoked = admin.post("/api/v1/tokens", &json!({"name": "other"})).good().body["id"].clone();
    let ada = house.player(&admin, "Ada");
    for (method, path, body) in [
        ("GET", "/api/v1/tokens".to_owned(), json!({})),
        ("DELETE", format!("/api/v1/tokens/{}", revoked.as_str().unwrap()), json!({})),
        ("POST", "/api/v1/sign-out-everywhere".to_owned(), json!({})),
        ("POST", "/api/v1/password".to_owned(), json!({"old": "a", "new": "quattro oche sul lago"})),
        ("POST", "/api/v1/accounts".to_owned(), json!({"roles": ["admin"]})),
        ("PATCH", "/api/v1/settings".to_owned(), json!({"name": "Ours"})),
        ("GET", format!("/api/v1/players/{ada}/personal-data"), json!({})),
        ("POST", format!("/api/v1/players/{ada}/erase/preview"), json!({})),
    ] {
        let answer = all.request(method, &path);
        let answer = if method == "GET" { answer.send() } else { answer.json(&body).send() };
        assert_eq!(answer.refused(403, "outside_token_scopes").body["allowed"], json!([]), "{path}");
    }
    all.post("/api/v1/tokens", &json!({"name": "more"})).refused(422, "needs_session");
}

#[rstest]
fn a_tournaments_token_directs_it_alone(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [5]}));
    let other = json!({"name": "Other", "date": "2026-11-20"});
    let other =
        event.director.post("/api/v1/tournaments", &other).good().body["id"].as_str().unwrap().to_owned();
    let id = event.id.as_str();
    let open = json!({"command": "open_sheet", "match": 1});
    let change = json!({"command": "add_division", "settings": {}});
    let command = |client: &Client, tournament: &str, command: &Value| {
        client.post(&format!("/api/v1/tournaments/{tournament}/commands"), command)
    };
    let scope = format!("tournament:{id}");
    // The club's director, and somebody whom the tournament names as one: neither has more than the token.
    let named = phone(&house, &event, "Ada");
    let by = [&event.director, &named.0];
    event.does(&json!({"command": "set_directors", "directors": [named.1]}));
    for (owner, division) in by.into_iter().zip(["One", "Two"]) {
        let reads = script(&house, owner, &["read", "matches"]);
        let refused = command(&reads, id, &open).refused(403, "outside_token_scopes");
        assert_eq!(refused.body["allowed"], json!([scope]));
        let bot = script(&house, owner, &[&scope]);
        let settings = json!({"command": "add_division", "settings": {"name": division}});
        command(&bot, id, &settings).good();
        // Who is named a director stays one when the token is revoked.
        let name = json!({"command": "set_directors", "directors": []});
        let refused = command(&bot, id, &name).refused(403, "outside_token_scopes");
        assert_eq!(refused.body["allowed"], json!([]));
    }
    let bot = script(&house, &event.director, &[&scope]);
    // A step back or forward that goes through a naming is one, too.
    let (all, one) = (json!({"command": "undo", "acts": 3}), json!({"command": "redo"}));
    let cannot = |step: &Value| {
        let refused = command(&bot, id, step).refused(403, "outside_token_scopes");
        assert_eq!(refused.body["allowed"], json!([]));
        let preview = format!("/api/v1/tournaments/{id}/preview");
        bot.post(&preview, step).refused(403, "outside_token_scopes");
    };
    cannot(&all);
    command(&event.director, id, &all).good();
    cannot(&one);
    command(&event.director, id, &one).good();
    command(&bot, id, &json!({"command": "redo", "acts": 2})).good();
    command(&bot, &other, &change).refused(403, "outside_token_scopes");
    bot.post("/api/v1/tournaments", &json!({"name": "Third", "date": "2026-11-20"}))
        .refused(403, "outside_token_scopes");
}

#[test]
fn the_account_page_makes_a_token_with_scopes_and_an_end() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let cup = json!({"name": "Winter Cup", "date": "2026-11-20"});
    let cup = admin.post("/api/v1/tournaments", &cup).good().body["id"].as_str().unwrap().to_owned();
    let browser = house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in"));
    let fields = [("csrf", token.as_str()), ("login", ADMIN.0), ("password", ADMIN.1)];
    assert_eq!(browser.request("POST", "/sign-in").form(&fields).send().status, 303);
    let token = csrf(&browser.get("/account"));
    let make = |fields: &[(&str, &str)]| {
        let all: Vec<_> = [("csrf", token.as_str())].into_iter().chain(fields.iter().copied()).collect();
        browser.request("POST", "/account/tokens").form(&all).send()
    };
    let of_cup = format!("tournament:{cup}");
    let shown =
        make(&[("name", "Bot"), ("scopes", "tables"), ("scopes", &of_cup), ("expires_at", "2100-01-31")]);
    assert_eq!(shown.status, 200, "{shown}");
    assert!(shown.text().contains("Winter Cup"), "{shown}");
    make(&[("name", "Reader"), ("scopes", "")]);
    make(&[("name", "Everything"), ("everything", "on")]);
    let tokens = listed(&admin);
    let of = |name: &str| tokens.iter().find(|token| token["name"] == name).unwrap();
    assert_eq!(of("Bot")["scopes"], json!(["read", "tables", of_cup]));
    // The end of the day, at the club.
    assert_eq!(of("Bot")["expires_at"], "2100-02-01T00:00:00Z");
    assert_eq!((&of("Reader")["scopes"], &of("Reader")["expires_at"]), (&json!(["read"]), &Value::Null));
    assert_eq!(of("Everything")["scopes"], Value::Null);
    let refused = make(&[("name", "Late"), ("scopes", "tables"), ("expires_at", "2020-01-31")]);
    assert_eq!(refused.status, 422, "{refused}");
    assert_eq!(make(&[("name", "Odd"), ("scopes", "write")]).status, 422);
    assert_eq!(listed(&admin).len(), 3);
}
