//! `owlbox verify` from outside: real acts verify, and tampering does not.

use rstest::rstest;
use serde_json::{Value, json};

use crate::matches::{game, seven, verified};
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::House;
use crate::support::server::Server;
use crate::walk::csrf;

const PASSWORD: &str = "quattro oche sul lago";

struct Person {
    script: Client,
    browser: Client,
    account: String,
}

/// A person with only this role.
#[track_caller]
fn somebody(house: &House, admin: &Client, role: &str) -> Person {
    let player = (role == "player").then(|| house.player(admin, "Piero"));
    let invited = admin.post("/api/v1/accounts", &json!({"roles": [role], "player": player})).good().body;
    let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
    house.server.public().post(&link, &json!({"login": role, "password": PASSWORD})).good();
    let browser = house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", role), ("password", PASSWORD)];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    let account = invited["account"].as_str().unwrap().to_owned();
    Person { script: house.sign_in(role, PASSWORD), browser, account }
}

/// Undoes the last act, redoes it, and undoes it once more.
#[track_caller]
fn to_and_fro(client: &Client, commands: &str) {
    for command in ["undo", "redo", "undo"] {
        client.post(commands, &json!({ "command": command })).good();
    }
}

/// The error of `owlbox verify` for a club that was tampered with.
#[track_caller]
fn found(house: &House) -> String {
    let output = Server::program_on(&house.database).arg("verify").output().expect("the program starts");
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Guests entered by name come with their entry, go with it and come back with it. For a director, and for a
/// player who directs only this tournament and may not manage players.
#[rstest]
fn guests_who_come_and_go_with_an_entry_are_in_order(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let directors = ["director", "player"].map(|role| somebody(&house, &admin, role));
    let about = json!({"name": "Spring Open", "date": "2026-11-20", "currency": "EUR"});
    let id = admin.post("/api/v1/tournaments", &about).good().body["id"].as_str().unwrap().to_owned();
    let commands = format!("/api/v1/tournaments/{id}/commands");
    let by_name = json!({"command": "set_directors", "directors": [directors[1].account]});
    for command in [json!({"command": "add_division", "settings": {"fees": {"entry": 1000}}}), by_name] {
        admin.post(&commands, &command).good();
    }
    for (director, guests) in directors.iter().zip(["Vico Alba\nVico Bassi", "Zoe\nZita"]) {
        let token = csrf(&director.browser.get("/tournaments").good());
        let form = [("csrf", token.as_str()), ("names", guests)];
        let path = format!("/tournaments/{id}/desk/1/entries");
        assert_eq!(director.browser.request("POST", &path).form(&form).send().status, 303);
        to_and_fro(&director.script, &commands);
        assert_eq!(
            player_named(&admin, guests.lines().next().unwrap()),
            None,
            "the guest went with the entry"
        );
        verified(&house);
    }
    admin.post(&commands, &json!({"command": "redo"})).good();
    assert!(player_named(&admin, "Zoe").is_some(), "and came again with it");
    verified(&house);
}

fn player_named(client: &Client, name: &str) -> Option<String> {
    let found = client.get("/api/v1/players?limit=50").good().body["items"].clone();
    let found = found.as_array().unwrap().iter().find(|player| player["name"] == name)?;
    found["id"].as_str().map(str::to_owned)
}

/// The host of a table adds guests, but no members: at a chouette on the page, for a match by a script.
#[rstest]
fn guests_of_a_table_s_host_are_in_order(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let host = somebody(&house, &house.admin(), "scorer");
    let chouette = host.script.post("/api/v1/chouettes", &json!({"name": "Friday"})).good().body;
    let id = chouette["chouette"]["id"].as_str().unwrap();
    let token = csrf(&host.browser.get(&format!("/chouettes/{id}")).good());
    let form =
        [("csrf", token.as_str()), ("command", "join"), ("guest", "Gast"), ("version", ""), ("key", "gast")];
    let act = format!("/chouettes/{id}/act");
    assert_eq!(host.browser.request("POST", &act).form(&form).send().status, 303);
    to_and_fro(&host.script, &format!("/api/v1/chouettes/{id}/commands"));
    verified(&house);

    let guest = |name: &str| {
        let added = host.script.post("/api/v1/players", &json!({"name": name, "guest": true})).good();
        added.body["id"].as_str().unwrap().to_owned()
    };
    let new = json!({"players": [guest("Eva"), guest("Dan")], "terms": seven()});
    let opened = host.script.post("/api/v1/matches", &new).good().body;
    let commands = format!("/api/v1/matches/{}/commands", opened["match"]["id"].as_str().unwrap());
    host.script.post(&commands, &game("upper", "single", 1)).good();
    to_and_fro(&host.script, &commands);
    verified(&house);
}

/// Somebody who may only add guests may remove guests, but cannot have removed a member from the club.
#[rstest]
fn a_member_taken_out_by_one_who_may_only_add_guests_is_found(
    #[values(Db::one(), Db::other())] db: Db,
    #[values(true, false)] guest: bool,
) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let host = somebody(&house, &admin, "scorer");
    let added: Value = admin.post("/api/v1/players", &json!({"name": "Ada", "guest": guest})).good().body;
    admin.post(&format!("/api/v1/players/{}/remove", added["id"].as_str().unwrap()), &json!({})).good();
    verified(&house);
    let by_the_host =
        format!("UPDATE journal SET account = '{}' WHERE kind = 'player_removed'", host.account);
    house.database.tamper(&by_the_host);
    if guest {
        // This act would have been allowed to them, so no program can tell.
        verified(&house);
    } else {
        let said = found(&house);
        assert!(said.contains(&format!("account {} could not do this then", host.account)), "{said}");
    }
}

/// The effect of an act on another table must have happened there too.
#[rstest]
fn a_split_to_another_table_than_that_which_it_opened_is_found(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["Ada", "Bea", "Cleo", "Dino", "Elio", "Fia"]);
    table.play(&[json!({"command": "split", "players": ["Dino", "Elio", "Fia"], "name": "Late"})]);
    verified(&house);
    let open = table.client.get("/api/v1/chouettes?closed=false").good().body["items"].clone();
    let late = open.as_array().unwrap().iter().find(|one| one["name"] == "Late").unwrap()["id"].clone();
    let late = late.as_str().unwrap();
    let payload = match db {
        Db::Sqlite => format!("replace(payload, '{late}', '{}')", table.players["Ada"]),
        Db::Postgres => format!("replace(payload::text, '{late}', '{}')::jsonb", table.players["Ada"]),
    };
    house.database.tamper(&format!("UPDATE journal SET payload = {payload} WHERE kind = 'split'"));
    let said = found(&house);
    assert!(said.contains(&format!("nothing of it happened in stream {}", table.players["Ada"])), "{said}");
}
