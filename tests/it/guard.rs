//! What strangers, signed-out users and bad luck must not be able to do.

use std::time::Duration;

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::House;

const PASSWORD: &str = "quattro oche sul lago";

/// A person with the role of a player, as a client and as an account.
#[track_caller]
fn somebody(house: &House, admin: &Client, login: &str) -> (Client, String) {
    let invited = admin.post("/api/v1/accounts", &json!({ "roles": ["player"] })).good().body;
    let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
    house.server.public().post(&link, &json!({ "login": login, "password": PASSWORD })).good();
    (house.sign_in(login, PASSWORD), invited["account"].as_str().unwrap().to_owned())
}

#[track_caller]
fn show_to_everybody(admin: &Client, public: &Value) {
    let settings = json!({
        "name": "Circolo", "time_zone": "Europe/Rome", "currencies": ["EUR"], "public": public
    });
    admin.put("/api/v1/settings", &settings).good();
}

#[test]
fn a_stranger_sends_no_more_than_a_stranger_has_to_say() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let (public, admin) = (house.server.public(), house.admin());
    let long = "x".repeat(8 * 1024);
    for (path, body) in [
        ("/api/v1/sign-in", json!({"login": "x", "password": long})),
        ("/api/v1/refresh", json!({"refresh_token": long})),
        ("/api/v1/set-up", json!({"code": long})),
        ("/api/v1/links/none", json!({"login": "x", "password": long})),
    ] {
        let refused = public.post(path, &body).refused(413, "body_too_large");
        assert_eq!(refused.body["allowed"], 8192, "{path}");
    }
    // The form to sign in alone may bring a text that is kept: `signed_out.rs`.
    let form = format!("code={long}");
    let form = public.request("POST", "/set-up").raw("application/x-www-form-urlencoded", form.into_bytes());
    assert_eq!(form.send().status, 413);
    let wrong = json!({"login": "x", "password": "y".repeat(4000)});
    public.post("/api/v1/sign-in", &wrong).refused(401, "wrong_login_or_password");
    // A signed-in user may send more.
    let name = json!({"name": long});
    admin.post("/api/v1/tokens", &name).refused(422, "invalid_name");
}

#[rstest]
fn a_stream_ends_when_its_listener_is_signed_out_or_may_no_longer_listen(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open_with(db, &[("HTTP__HEARTBEAT_SECONDS", "1")]) else { return };
    let table = house.table(&["A", "B", "C"]);
    let path = table.path("/events");
    show_to_everybody(&table.client, &json!({"tables": true, "standings": false}));
    let (closed, account) = somebody(&house, &table.client, "closed");
    let (leaves, _) = somebody(&house, &table.client, "leaves");
    let (stays, _) = somebody(&house, &table.client, "stays");
    let token = leaves.post("/api/v1/tokens", &json!({"name": "score board"})).good().body;
    let script = house.server.public().bearer(token["token"].as_str().unwrap());
    let mut ended: Vec<_> =
        [&closed, &leaves, &script, &house.server.public()].map(|client| client.events(&path, None)).into();
    let club = "/api/v1/events";
    ended.extend([&closed, &leaves, &script].map(|client| client.events(club, None)));
    let mut goes_on = [stays.events(&path, None), stays.events(club, None)];
    let mut street = house.server.public().events(club, None);

    table.client.patch(&format!("/api/v1/accounts/{account}"), &json!({"active": false})).good();
    let revoked = format!("/api/v1/tokens/{}", token["id"].as_str().unwrap());
    assert_eq!(leaves.delete(&revoked).status, 204);
    assert_eq!(leaves.post("/api/v1/sign-out", &json!({})).status, 204);
    show_to_everybody(&table.client, &json!({"tables": false, "standings": false}));

    for stream in &mut ended {
        assert!(stream.ended_within(Duration::from_secs(8)));
    }
    table.play(&[json!({"command": "start_game"})]);
    for stream in &mut goes_on {
        assert_eq!(stream.next_event().json()["events"][0]["event"], "game_started");
    }
    // Without a sign-in the whole club's goes on, with what is public by then.
    assert_eq!(street.next_within(Duration::from_millis(300)), None);
    show_to_everybody(&table.client, &json!({"tables": true, "standings": false}));
    table.play(&[json!({"command": "finish", "winner": "box", "win": "single"})]);
    assert_eq!(street.next_event().json()["events"][0]["event"], "game_finished");
}

#[rstest]
fn the_street_sees_tables_without_standings_and_nobodys_login(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    table.play(&[
        json!({"command": "start_game"}),
        json!({"command": "finish", "winner": "box", "win": "single"}),
    ]);
    let page = format!("/chouettes/{}", table.id);
    show_to_everybody(&table.client, &json!({"tables": true, "standings": false}));
    let street = house.server.public();
    assert_eq!(street.get(&table.path("")).good().body["standings"], json!([]));
    let shown = street.get(&page).good();
    assert!(!shown.text().contains("class=\"score\""), "{shown}");
    assert!(!shown.text().contains("<small class=\"muted\"> admin</small>"), "{shown}");
    assert_eq!(table.state()["standings"].as_array().unwrap().len(), 3, "the club does");

    show_to_everybody(&table.client, &json!({"tables": true, "standings": true}));
    assert_eq!(street.get(&table.path("")).good().body["standings"].as_array().unwrap().len(), 3);
    assert!(street.get(&page).good().text().contains("class=\"score\""));
}

#[rstest]
fn what_is_somebodys_own_is_kept_by_nobody_on_the_way(#[values(Db::Sqlite)] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    let ledger = format!("/api/v1/players/{}/statement", table.players["A"]);
    for path in ["/api/v1/me", "/api/v1/players", "/api/v1/accounts", &ledger, &table.path(""), "/sign-in"] {
        assert_eq!(table.client.get(path).header("cache-control"), Some("no-store"), "{path}");
    }
    let asset = house.server.public().get("/assets/owlbox.css");
    assert_eq!(asset.header("cache-control"), Some("no-cache"));
    let docs = house.server.public().get("/docs/");
    assert_eq!(docs.header("cache-control"), Some("no-cache"), "{}", docs.status);
}

#[rstest]
fn a_full_table_can_still_be_brought_to_an_end(#[values(Db::Sqlite)] db: Db) {
    let Some(house) = House::open_with(db, &[("LIMITS__STREAM_LENGTH", "100")]) else { return };
    let table = house.table(&["A", "B", "C"]);
    table.play(&[json!({"command": "start_game"}), json!({"command": "double", "player": "B"})]);
    let back_and_forth = ["undo", "redo"].map(|command| json!({ "command": command }));
    let mut steps = back_and_forth.iter().cycle();
    while table.command(steps.next().unwrap()).status == 200 {}
    table.command(&json!({"command": "undo"})).refused(422, "limit_reached");
    if table.state()["game"]["bets"].to_string().contains("offered") {
        table.play(&[json!({"command": "take", "player": "A"})]);
    }
    table.play(&[
        json!({"command": "finish", "winner": "box", "win": "single"}),
        json!({"command": "leave", "player": "C"}),
    ]);
    table.command(&json!({"command": "start_game"})).refused(422, "night_too_long");
    table.play(&[json!({"command": "close"})]);
}

/// Two requests with one key at once. On PostgreSQL neither waits for the other before it looks for a
/// receipt.
#[rstest]
fn two_of_one_key_at_once_get_one_answer(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    for round in 0..20 {
        let (command, back) = (json!({"command": "start_game"}), json!({"command": "undo"}));
        let seen = table.client.get(&table.path("")).good().etag().to_owned();
        let send = || {
            let path = table.path("/commands");
            let key = format!("round-{round}");
            table.client.request("POST", &path).json(&command).key(&key).if_match(&seen).send()
        };
        let answers: Vec<_> = std::thread::scope(|scope| {
            let both: Vec<_> = (0..4).map(|_| scope.spawn(send)).collect();
            both.into_iter().map(|one| one.join().unwrap()).collect()
        });
        for answer in &answers {
            assert_eq!(answer.status, 200, "round {round}: {answer}");
            assert_eq!(answer.body["act"], answers[0].body["act"]);
        }
        table.play(&[back]);
    }
}

#[rstest]
fn a_form_may_come_by_another_name_of_the_club_but_not_from_elsewhere(#[values(Db::Sqlite)] db: Db) {
    let Some(house) = House::open_with(db, &[("HTTP__PUBLIC_URL", "http://owl.local:8080")]) else { return };
    let browser = house.server.public().cookies();
    let page = browser.get("/sign-in").good();
    let csrf = page.text().split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let from = |origin: &str| {
        let fields = [("csrf", csrf), ("language", "it"), ("back", "/sign-in")];
        browser.request("POST", "/language").header("Origin", origin).form(&fields).send().status
    };
    assert_eq!(from("http://owl.local:8080"), 303);
    assert_eq!(from(house.server.url()), 303);
    assert_eq!(from("http://evil.example"), 403);
    assert_eq!(from("null"), 403);
}

#[rstest]
fn a_changed_password_leaves_one_session_and_the_page_signed_in(#[values(Db::Sqlite)] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (_, _) = somebody(&house, &house.admin(), "mario");
    let browser = house.server.public().cookies();
    let post = |page: &str, path: &str, fields: &[(&str, &str)]| {
        let shown = browser.get(page).good();
        let csrf = shown.text().split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
        let mut fields = fields.to_vec();
        fields.push(("csrf", csrf));
        browser.request("POST", path).form(&fields).send()
    };
    assert_eq!(post("/sign-in", "/sign-in", &[("login", "mario"), ("password", PASSWORD)]).status, 303);
    let new = "sei cigni sul fiume";
    let changed = post("/account", "/account/password", &[("current", PASSWORD), ("password", new)]);
    assert_eq!(changed.status, 303, "{changed}");
    assert_eq!(browser.get("/account").status, 200);
    let file = house.database.url.trim_start_matches("sqlite://");
    assert_eq!(live_sessions(file, "mario"), 1);
}

fn live_sessions(file: &str, login: &str) -> i64 {
    use diesel::prelude::*;
    use diesel::sql_types::{BigInt, Text};
    #[derive(QueryableByName)]
    struct Count {
        #[diesel(sql_type = BigInt)]
        live: i64,
    }
    let mut connection = SqliteConnection::establish(file).unwrap();
    let query = "SELECT count(*) AS live FROM session JOIN credential USING (account) \
                 WHERE credential.login = ? AND session.revoked_at IS NULL";
    let count: Count = diesel::sql_query(query).bind::<Text, _>(login).get_result(&mut connection).unwrap();
    count.live
}
