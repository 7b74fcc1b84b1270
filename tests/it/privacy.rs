//! All data about a person, who has read their ledger, and what is left once they are erased: over HTTP, on
//! pages and on the command line.

use std::process::Output;

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};
use crate::walk::csrf;

const PASSWORD: &str = "quattro oche sul lago";

/// Signs in on the pages.
#[track_caller]
fn browser(house: &House, (login, password): (&str, &str)) -> Client {
    let browser = house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", login), ("password", password)];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    browser
}

/// Gives a player a login of the role `player`.
#[track_caller]
fn invite(house: &House, admin: &Client, player: &str, login: &str) -> Client {
    let asked = json!({"player": player, "roles": ["player"]});
    let invited = admin.post("/api/v1/accounts", &asked).good().body;
    let secret = invited["secret"].as_str().unwrap();
    let claim = json!({"login": login, "password": PASSWORD});
    house.server.public().post(&format!("/api/v1/links/{secret}"), &claim).good();
    house.sign_in(login, PASSWORD)
}

#[track_caller]
fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[rstest]
fn a_member_reads_who_of_the_staff_has_read_their_ledger(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let (ada, bea) = (house.player(&admin, "Ada"), house.player(&admin, "Bea"));
    let treasurer = house.with_roles(&admin, "kassier", &["treasurer"]);
    let own = invite(&house, &admin, &ada, "ada");
    let readings = |client: &Client| -> Vec<(Value, Value)> {
        let body = client.get(&format!("/api/v1/players/{ada}/readings")).good().body;
        let items = body["items"].as_array().unwrap().iter();
        items.map(|one| (one["name"].clone(), one["what"].clone())).collect()
    };
    own.get(&format!("/api/v1/players/{ada}/balances")).good();
    assert!(readings(&own).is_empty(), "her own is nobody's business");
    for _ in 0..2 {
        treasurer.get(&format!("/api/v1/players/{ada}/statement")).good();
    }
    treasurer.get("/api/v1/ledger/export?format=csv").good();
    let both = [(json!("kassier"), json!("books")), (json!("kassier"), json!("ledger"))];
    assert_eq!(readings(&own), both);
    let first = own.get(&format!("/api/v1/players/{ada}/readings?limit=1")).good().body;
    let next = first["next"].as_str().unwrap();
    let rest = own.get(&format!("/api/v1/players/{ada}/readings?limit=1&after={next}")).good().body;
    assert_eq!((&rest["items"][0]["what"], &rest["next"]), (&json!("ledger"), &Value::Null));
    own.get(&format!("/api/v1/players/{ada}/readings?after=yesterday")).refused(400, "invalid_query");
    own.get(&format!("/api/v1/players/{bea}/readings")).refused(403, "forbidden");
    treasurer.get(&format!("/api/v1/players/{ada}/readings")).refused(403, "forbidden");
    // By page too.
    let page = browser(&house, ("kassier", PASSWORD)).get(&format!("/ledger/{bea}")).good();
    assert!(page.text().contains("Bea"));
    let about_bea = admin.get(&format!("/api/v1/players/{bea}/readings")).good().body;
    assert_eq!(about_bea["items"].as_array().unwrap().len(), 2, "{about_bea}");
    let page = browser(&house, ("ada", PASSWORD)).get(&format!("/players/{ada}/data")).good();
    assert!(page.text().contains("kassier") && page.text().contains("All data about Ada"), "{page}");
}

#[rstest]
fn all_of_a_person_is_one_file_and_erased_nothing_of_them_is_left_anywhere(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let table =
        house.table_with(&["Zita Quintavalle", "Bea", "Cleo"], &json!({"name": "Zita Quintavalle's table"}));
    table.play(&[
        json!({"command": "start_game"}),
        json!({"command": "finish", "winner": "box", "win": "single"}),
    ]);
    let zita = table.players["Zita Quintavalle"].clone();
    let details = json!({"nickname": "Zizi", "contact": "+39 333 1234567", "notes": "sits by the window"});
    admin.patch(&format!("/api/v1/players/{zita}"), &details).good();
    let own = invite(&house, &admin, &zita, "zita.q");
    own.post("/api/v1/tokens", &json!({"name": "zizi script"})).good();
    let title = json!({"name": "Coppa Zita Quintavalle", "date": "2026-04-18"});
    let cup = admin.post("/api/v1/tournaments", &title).good().body;
    let cup = format!("/api/v1/tournaments/{}", cup["id"].as_str().unwrap());
    let pays = |memo: &str| {
        let order = json!({"command": "pay", "payer": {"player": zita}, "payee": "house", "currency": "EUR",
            "amount": 500, "on": "2026-02-03", "memo": memo});
        admin.post("/api/v1/daybook", &order).good().body["entry"]["entry"].clone()
    };
    let record = pays("her umbrella");
    let data = own.get(&format!("/api/v1/players/{zita}/personal-data")).good().body;
    assert_eq!(data["details"]["contact"], "+39 333 1234567");
    assert_eq!(data["login"]["login"], "zita.q");
    assert_eq!(data["login"]["api_tokens"][0][0], "zizi script");
    assert_eq!(data["tables"][0]["name"], "Zita Quintavalle's table");
    assert_eq!(data["balances"][1], json!({"unit": "EUR", "amount": 500}));
    let lines = data["ledger"].as_array().unwrap();
    assert_eq!(lines.last().unwrap()["memo"], "her umbrella");
    assert_eq!(lines.len(), 3, "two bets and the payment: {data}");
    let texts: Vec<&str> =
        data["texts"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["Zita Quintavalle's table", "Coppa Zita Quintavalle", "her umbrella"]);
    assert!(data["acts"].as_array().unwrap().is_empty(), "she did nothing herself");
    admin.get(&format!("/api/v1/players/{zita}/personal-data")).good();
    let others = house.with_roles(&admin, "kassier", &["treasurer"]);
    others.get(&format!("/api/v1/players/{zita}/personal-data")).refused(403, "forbidden");

    // Not while she sits at a table, nor while money is open.
    let erase = format!("/api/v1/players/{zita}/erase");
    let nothing = json!({});
    admin.post(&erase, &nothing).refused(422, "player_at_table");
    table.play(&[json!({"command": "leave", "player": "Zita Quintavalle"})]);
    admin.post(&erase, &nothing).refused(422, "money_open");
    let back = json!({"command": "take_back", "entry": record, "reason": "she paid by card"});
    admin.post("/api/v1/daybook", &back).good();
    others.post(&erase, &nothing).refused(403, "forbidden");
    admin.post(&erase, &json!({"also": vec!["x"; 11]})).refused(400, "invalid_body");

    let before = admin.get(&cup).good();
    let preview = admin.post(&format!("{erase}/preview"), &nothing).good();
    let pseudonym = preview.body["pseudonym"].as_str().unwrap().to_owned();
    assert_eq!((&preview.body["login"], &preview.body["refused"]), (&json!("zita.q"), &Value::Null));
    assert_eq!(preview.body["texts"].as_array().unwrap().len(), 4, "{}", preview.body);
    let books = admin.get("/api/v1/ledger/accounts?limit=200").good().body;

    let browser = browser(&house, ADMIN);
    let page = browser.get(&format!("/players/{zita}/erase")).good();
    assert!(page.text().contains(&pseudonym) && page.text().contains("Coppa"), "{page}");
    let form = |fields: &[(&str, &str)]| {
        let token = csrf(&page);
        let mut form = vec![("csrf", token.as_str())];
        form.extend_from_slice(fields);
        browser.request("POST", &format!("/players/{zita}/erase")).form(&form).send()
    };
    assert_eq!(form(&[("key", "one")]).status, 400, "without the box nothing happens");
    let sure = [("sure", "true"), ("key", "erase-1"), ("also", "umbrella")];
    assert_eq!((form(&sure).status, form(&sure).status), (303, 303), "a second tap erases nobody else");
    admin.post(&erase, &nothing).refused(422, "player_erased");

    assert_eq!(admin.get(&cup).good().body["name"], format!("Coppa {pseudonym}"));
    assert_eq!(before.etag(), admin.get(&cup).good().etag(), "the version stays");
    assert_eq!(table.state()["name"], format!("{pseudonym}'s table"));
    let now = admin.get("/api/v1/ledger/accounts?limit=200").good().body.to_string();
    assert_eq!(now, books.to_string().replace("Zizi", &pseudonym).replace("Zita Quintavalle", &pseudonym));
    let sign_in = json!({"login": "zita.q", "password": PASSWORD});
    house.server.public().post("/api/v1/sign-in", &sign_in).refused(401, "wrong_login_or_password");
    own.get("/api/v1/me").refused(401, "invalid_token");
    let back = json!({"name": pseudonym});
    admin.post("/api/v1/players", &back).refused(422, "name_taken");

    // Nothing of her is left: not in an answer, in no row, in no log, in no backup made since.
    let mut said = String::new();
    for path in [
        "/api/v1/players?limit=200",
        "/api/v1/chouettes?limit=200",
        "/api/v1/tournaments?limit=200",
        "/api/v1/daybook",
        "/api/v1/accounts?limit=200",
        "/api/v1/tokens",
        "/api/v1/settings",
        &format!("/api/v1/players/{zita}/personal-data"),
        &format!("/api/v1/players/{zita}/statement"),
        &format!("{}/acts", table.path("")),
        "/ledger/exports",
    ] {
        said += &admin.get(path.trim_end_matches('/')).to_string();
    }
    said += &house.server.logged();
    let gone = ["zita", "quintavalle", "zizi", "umbrella", "by card", "333 1234567", "by the window"];
    let is_left = |text: &str, place: &str| {
        let text = text.to_lowercase();
        for gone in gone {
            assert!(!text.contains(gone), "{gone:?} is left in {place}");
        }
    };
    is_left(&said, "an answer or the log");
    if db == Db::Sqlite {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy.db");
        good(&house.server.command(&["backup", copy.to_str().unwrap()]).output().unwrap());
        is_left(&String::from_utf8_lossy(&std::fs::read(&copy).unwrap()), "the backup");
    }
    house.verify();
}

/// A login without a player belongs to somebody, too: with a player of their name they are handed out and
/// erased.
#[rstest]
fn a_login_without_a_player_is_given_one_and_then_goes_with_them(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let invited = admin.post("/api/v1/accounts", &json!({"roles": ["treasurer"]})).good().body;
    let secret = invited["secret"].as_str().unwrap();
    let claim = json!({"login": "quintavalle", "password": PASSWORD});
    house.server.public().post(&format!("/api/v1/links/{secret}"), &claim).good();
    let treasurer = house.sign_in("quintavalle", PASSWORD);
    let spent = json!({"command": "spend", "currency": "EUR", "amount": 300, "memo": "Chalk"});
    treasurer.post("/api/v1/daybook", &spent).good();

    let player = house.player(&admin, "Quintavalle");
    let account = invited["account"].as_str().unwrap();
    let pages = browser(&house, ADMIN);
    let settings = pages.get(&format!("/settings?account={account}")).good().body.to_string();
    assert!(settings.contains(&player), "{settings}");
    let token = csrf(&pages.get("/settings").good());
    let link = [("csrf", token.as_str()), ("roles", "treasurer"), ("active", "true"), ("player", &player)];
    let linked = pages.request("POST", &format!("/settings/accounts/{account}")).form(&link).send();
    assert_eq!(linked.status, 303, "{}", linked.body);
    let data = admin.get(&format!("/api/v1/players/{player}/personal-data")).good().body;
    assert_eq!(
        (&data["login"]["account"], &data["login"]["login"]),
        (&json!(account), &json!("quintavalle"))
    );
    let acts = data["acts"].as_array().unwrap();
    assert!(acts.iter().any(|act| act["of"] == "daybook" && act["event"] == "recorded"), "{acts:?}");
    admin.post(&format!("/api/v1/players/{player}/erase"), &json!({})).good();
    treasurer.get("/api/v1/me").refused(401, "invalid_token");
    let logins = admin.get("/api/v1/accounts").good().body.to_string();
    assert!(!logins.contains("quintavalle"), "{logins}");
    house.verify();
}

/// The same from the machine itself, while nobody else has the club open.
#[test]
fn a_person_is_exported_and_erased_by_command() {
    let Some(mut house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let zita = house.player(&admin, "Zita");
    let about = json!({"command": "spend", "currency": "EUR", "amount": 300, "memo": "Flowers for Zitella"});
    admin.post("/api/v1/daybook", &about).good();
    let run = |house: &House, arguments: &[&str]| house.server.command(arguments).output().unwrap();
    let beside = run(&house, &["person", "export", "Zita"]);
    assert!(!beside.status.success(), "the service has the club open");
    assert!(house.server.stop().success());
    let data: Value = serde_json::from_str(&good(&run(&house, &["person", "export", "Zita"]))).unwrap();
    assert_eq!((&data["player"], &data["details"]["name"]), (&json!(zita), &json!("Zita")));
    let page = good(&run(&house, &["person", "export", &zita, "--format", "html"]));
    assert!(page.starts_with("<!doctype html>") && page.contains("All data about Zita"), "{page}");
    let told = good(&run(&house, &["person", "erase", "Zita", "--also", "Zitella"]));
    assert!(told.contains("Zita -> N.N. ") && told.contains("nothing is erased yet"), "{told}");
    assert!(told.contains("daybook: Flowers for Zitella -> Flowers for N.N. "), "{told}");
    let done = good(&run(&house, &["person", "erase", "Zita", "--also", "Zitella", "--yes"]));
    assert!(done.ends_with("erased\n"), "{done}");
    let file = String::from_utf8_lossy(&house.database.read_file()).into_owned();
    assert!(!file.contains("Zita") && !file.contains("Zitella"));
    let nobody = run(&house, &["person", "erase", "Zita"]);
    assert_eq!(String::from_utf8_lossy(&nobody.stderr), "owlbox: no player is called Zita\n");
    house.server.restart();
    house.verify();
}
