//! The page of a person: what they keep up themselves, and how they stand.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::evening::MISFITS;
use crate::support::house::{ADMIN, House};
use crate::walk::csrf;

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

/// Signs in on the pages, and returns the token of the forms too.
#[track_caller]
fn pages(house: &House, (login, password): (&str, &str)) -> (Client, String) {
    let browser = house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", login), ("password", password)];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    let token = csrf(&browser.get("/account").good());
    (browser, token)
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
    me.patch(&own, &json!({"nickname": "N.N. 0190a6f4"})).refused(422, "name_taken");
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
    // Nobody fills the club's journal with it.
    let often = |number| me.patch(&own, &json!({"country": if number % 2 == 0 { "IT" } else { "CH" }}));
    let refused = (0..10).map(often).find(|answer| answer.status != 200).expect("a limit");
    assert_eq!((refused.status, &refused.body["code"]), (429, &json!("acts_too_often")));
    // Who sees it stays as it was.
    let bea = login_of(&house, &bea, "bea", &["scorer"]);
    let seen = bea.get(&own).good().body;
    assert_eq!(
        (&seen["iban"], &seen["contact"], &seen["nickname"]),
        (&Value::Null, &Value::Null, &json!("Lady A"))
    );
    house.verify();
}

#[rstest]
fn the_form_on_ones_own_page_has_ones_own_details_alone(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let [ada, bea] = ["Ada", "Bea"].map(|name| house.player(&admin, name));
    admin.patch(&format!("/api/v1/players/{ada}"), &json!({"notes": "left-handed"})).good();
    login_of(&house, &ada, "ada", &["player"]);
    let (mine, token) = pages(&house, ("ada", PASSWORD));
    let [own, other] = [&ada, &bea].map(|player| format!("/players/{player}"));
    let page = mine.get(&own).good();
    assert!(page.text().contains(&format!("href=\"{own}\">Your page</a>")), "{page}");
    for (name, is_there) in
        [("iban", true), ("nickname", true), ("name", false), ("notes", false), ("active", false)]
    {
        assert_eq!(page.text().contains(&format!(" name=\"{name}\"")), is_there, "{name}: {page}");
    }
    assert!(!mine.get(&other).good().text().contains(&format!("action=\"{other}\"")));

    let send = |path: &str, fields: &[(&str, &str)]| {
        let fields: Vec<_> = fields.iter().copied().chain([("csrf", token.as_str())]).collect();
        mine.request("POST", path).form(&fields).send()
    };
    // What the form does not have changes nothing, even if it is sent.
    let typed = [("iban", "DE89 3704 0044 0532 0130 00"), ("country", "it"), ("name", "Eve"), ("notes", "")];
    let saved = send(&own, &typed);
    assert_eq!(saved.header("location"), Some(format!("{own}?saved").as_str()), "{saved}");
    let kept = admin.get(&format!("/api/v1/players/{ada}")).good().body;
    let expected = json!(["Ada", IBAN, "IT", "left-handed", true]);
    assert_eq!(json!([kept["name"], kept["iban"], kept["country"], kept["notes"], kept["active"]]), expected);
    let wrong = send(&own, &[("iban", "DE89 3704 0044 0532 0130 01"), ("nickname", "Lady A")]);
    assert_eq!(wrong.status, 422, "{wrong}");
    assert!(wrong.text().contains("id=\"edit\" open") && wrong.text().contains("Lady A"), "{wrong}");
    assert_eq!(send(&other, &typed).status, 403);
    house.verify();
}

/// Balance and nights are for themselves and for the keepers of the books.
#[test]
fn a_person_is_shown_as_their_reader_may_see_them() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = house.table(&["Ada", "Bea", "Cem"]);
    let ada = &table.players["Ada"];
    table.play(&[
        json!({"command": "start_game"}),
        json!({"command": "finish", "winner": "box", "win": "single"}),
    ]);
    let points = table.balance("Ada", "half_points");
    assert_ne!(points, 0);
    login_of(&house, ada, "ada", &["player"]);
    login_of(&house, &table.players["Bea"], "bea", &["scorer"]);
    let page = format!("/players/{ada}");
    let lines = format!("href=\"/ledger/{ada}?unit=half_points&#38;from=");
    for (who, sees) in [(("ada", PASSWORD), true), (("bea", PASSWORD), false), (ADMIN, true)] {
        let (browser, _) = pages(&house, who);
        let shown = browser.get(&page).good();
        assert!(shown.text().contains("data-initials=\"A\""), "{shown}");
        let is_shown = |text: &str| shown.text().contains(text);
        assert_eq!(is_shown("id=\"balance\""), sees, "{shown}");
        assert_eq!(
            is_shown("id=\"nights\"") && is_shown(&lines) && is_shown("Friday table"),
            sees,
            "{shown}"
        );
        assert!(browser.get("/players").good().text().contains("data-initials=\"B\""));
    }
}

/// On one's own page.
#[test]
fn an_iban_is_entered_on_a_small_phone() {
    let Some(phone) = Browser::open(320, 640) else { return };
    let Some(house) = House::open(Db::Sqlite) else { return };
    let ada = house.player(&house.admin(), "Ada Massimiliana Ferrero-Quaglia");
    login_of(&house, &ada, "ada", &["player"]);
    phone.goto(&format!("{}/sign-in", house.server.url()));
    phone.fill("#login", "ada");
    phone.fill("#password", PASSWORD);
    phone.click("main form button.main");
    phone.wait_for(".me");
    phone.click(".me summary");
    phone.click(".menu a[href^=\"/players/\"]");
    phone.wait_for("#edit");
    phone.click("#edit > summary");
    assert_eq!(phone.run(MISFITS), json!([]));
    phone.fill("#iban", IBAN);
    phone.click("#edit button.main");
    phone.wait_for(".notice");
    let page = phone.source();
    assert!(page.contains("Saved.") && page.contains(IBAN), "{page}");
    assert_eq!(phone.run(MISFITS), json!([]));
}
