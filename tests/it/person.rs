//! The page of a person: what they keep up themselves, and how they stand.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::House;

const PASSWORD: &str = "quattro oche sul lago";
const IBAN: &str = "DE89370400440532013000";

/// Gives a player a login with these roles.
#[track_caller]
fn login_of(house: &House, player: &str, login: &str, roles: &[&str]) -> Client {
    let asked = json!({"player": player, "roles": roles});
    let invited = house.admin().post("/api/v1/accounts", &asked).good().body;
    let secret = invited["secret"].as_str().unwrap();
    let claim = json!({"login": login, "password": PASSWORD});
    house.server.public().post(&format!("/api/v1/links/{secret}"), &claim).good();
    house.sign_in(login, PASSWORD)
}

#[rstest]
fn players_keep_up_their_own_details_and_nothing_else(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let [ada, bea] = ["Ada", "Bea"].map(|name| house.player(&admin, name));
    let [own, other] = [&ada, &bea].map(|player| format!("/api/v1/players/{player}"));
    admin.patch(&other, &json!({"nickname": "Trix"})).good();
    admin.patch(&own, &json!({"notes": "left-handed"})).good();
    let me = login_of(&house, &ada, "ada", &["player"]);

    let all = json!({"nickname": "Lady A", "country": "IT", "club": "Gufi", "contact": "ada@example.org", "iban": IBAN});
    let mine = me.patch(&own, &all).good().body;
    for (field, value) in all.as_object().unwrap() {
        assert_eq!(&mine[field], value, "{field}");
    }
    let kept = |field: &str| admin.get(&own).good().body[field].clone();
    assert_eq!(kept("notes"), "left-handed");
    me.patch(&own, &json!({"country": null})).good();
    assert_eq!((kept("country"), kept("iban")), (Value::Null, json!(IBAN)), "what is absent stays");
    me.patch(&own, &json!({"nickname": "Lady A"})).refused(422, "nothing_changes");
    me.patch(&own, &json!({"nickname": "trix"})).refused(422, "name_taken");
    me.patch(&own, &json!({"iban": "DE89370400440532013001"})).refused(400, "invalid_body");
    // The name is the club's, as are its notes and who belongs to it; and so is everybody else.
    for refused in [
        json!({"name": "Ada Lovelace"}),
        json!({"nickname": "A", "notes": null}),
        json!({"contact": null, "active": false}),
        json!({"guest": false}),
    ] {
        me.patch(&own, &refused).refused(403, "forbidden");
    }
    me.patch(&other, &json!({"nickname": "Bea"})).refused(403, "forbidden");
    // A token made for less does not change where money goes.
    let token = me.post("/api/v1/tokens", &json!({"name": "bot", "scopes": ["tables"]})).good().body;
    let bot = house.server.public().bearer(token["token"].as_str().unwrap());
    bot.patch(&own, &json!({"iban": null})).refused(403, "outside_token_scopes");
    // Who sees it stays as it was.
    let bea = login_of(&house, &bea, "bea", &["scorer"]);
    let seen = bea.get(&own).good().body;
    assert_eq!(
        (&seen["iban"], &seen["contact"], &seen["nickname"]),
        (&Value::Null, &Value::Null, &json!("Lady A"))
    );
    house.verify();
}
