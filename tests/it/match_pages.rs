//! The pages of matches without scripts: forms answered with a redirect, or with the same page and the
//! reason.

use serde_json::{Value, json};

use crate::browser::field;
use crate::matches::{Match, game, login_of, session};
use crate::support::client::{Answer, Client, fields_of};
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};
use crate::walk::csrf;

/// A browser without scripts, signed in as the admin, and its forms' token.
#[track_caller]
pub fn browser(house: &House) -> (Client, String) {
    browser_of(house, ADMIN)
}

/// Like [`browser`], for anybody's login and password.
pub fn browser_of(house: &House, (login, password): (&str, &str)) -> (Client, String) {
    let browser = house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", login), ("password", password)];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    let token = csrf(&browser.get("/account").good());
    (browser, token)
}

pub fn post(at: &(Client, String), path: &str, fields: &[(&str, &str)]) -> Answer {
    let mut form = vec![("csrf", at.1.as_str())];
    form.extend(fields);
    at.0.request("POST", path).form(&form).send()
}

#[track_caller]
pub fn says(answer: &Answer, status: u16, text: &str) {
    assert_eq!(answer.status, status, "{answer}");
    assert!(answer.text().contains(text), "no {text:?}: {answer}");
}

#[test]
fn a_match_is_opened_scored_and_put_right_by_plain_forms() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let [ann, bob] = ["Ann", "Bob"].map(|name| house.player(&admin, name));
    let at = browser(&house);
    let new = |one: &str, length: &str| {
        let fields = [("upper", one), ("lower", bob.as_str()), ("play", "match"), ("length", length)];
        post(&at, "/matches", &fields)
    };
    says(&new("", "5"), 422, "notice problem");
    says(&new(&bob, "5"), 422, "notice problem");
    let wrong = new(&ann, "0");
    assert!((400..500).contains(&wrong.status), "{wrong}");
    let opened = new(&ann, "5");
    assert_eq!(opened.status, 303, "{opened}");
    let sheet = opened.header("location").unwrap().to_owned();
    let act = format!("{sheet}/act");
    let play = |pick: &str, cube: &str| {
        post(&at, &act, &[("command", "game"), ("choice", pick), ("cube:number", cube), ("then", &sheet)])
    };
    assert_eq!(play("winner=upper&win=single&how=dropped", "2").header("location"), Some(sheet.as_str()));
    says(&at.0.get(&sheet), 200, "Bob drops a double");
    says(&play("winner=upper&win=nonsense", "1"), 400, "notice problem");
    says(&play("", "1"), 400, "notice problem");
    says(&play("winner=upper&win=single", "3"), 400, "notice problem");
    let stale = [("command", "game"), ("winner", "lower"), ("win", "single"), ("version", "1")];
    says(&post(&at, &act, &stale), 412, "notice problem");

    let earlier = at.0.get(&format!("{sheet}?correct=1")).good();
    says(&earlier, 200, "What is the right result of game 1?");
    let correct = [("command", "correct"), ("game:number", "1"), ("now[cube]:number", "1")];
    says(&post(&at, &act, &correct), 400, "What is the right result of game 1?");
    let right = [&correct[..], &[("choice", "now[winner]=lower&now[win]=gammon")]].concat();
    assert_eq!(post(&at, &act, &right).status, 303);
    let state = admin.get(&format!("/api/v1{sheet}")).good().body;
    assert_eq!(state["score"], json!([0, 2]));
    says(&post(&at, &act, &right), 422, "notice problem");
    says(&at.0.get(&format!("{sheet}/clock")), 404, "</html>");
    let undo = || post(&at, &act, &[("command", "undo"), ("then", &sheet)]);
    for _ in 0..2 {
        assert_eq!(undo().header("location"), Some(sheet.as_str()));
    }
    says(&undo(), 422, "notice problem");
    says(&at.0.get(&sheet), 200, "No game is over yet.");
}

/// The answer to a tap was lost, so the page sends its form again: the board is the one that the form was
/// shown for, not the one that the first time made of it.
#[test]
fn i2_a_board_that_was_left_may_be_sent_twice() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let one = Match::open(&house, &json!({"play": "match", "length": 5}));
    let on_board = |by: &str, action: Value| json!({"command": "board", "by": by, "action": action});
    let steps = json!([{"from": 8, "pips": 4}, {"from": 6, "pips": 2}]);
    one.play(&[
        json!({"command": "start_board", "dice": "entered"}),
        on_board("upper", json!({"action": "roll_opening", "dice": {"white": 4, "black": 2}})),
        on_board("upper", json!({"action": "play", "steps": steps})),
        on_board("lower", json!({"action": "roll", "dice": [3, 1]})),
    ]);
    let at = browser(&house);
    let page = at.0.get(&format!("/matches/{}", one.id)).good();
    let (before, _) = page.text().split_once("id=\"board-moved\"").expect("a form to leave the board with");
    let form = before.rsplit("<form").next().unwrap();
    let names = ["command", "by", "action[action]", "action[before]", "action[turn]", "key", "version"];
    let written = names.map(|name| (name, field(form, name)));
    let mut moved: Vec<(&str, &str)> = written.iter().map(|(name, value)| (*name, value.as_str())).collect();
    // Bob's three checkers on his 8 point; Ann has two left on hers.
    moved.push(("action[moved]", "8/5 8/5 8/5"));
    let act = format!("/matches/{}/act", one.id);
    assert_eq!(post(&at, &act, &moved).status, 303);
    let left = one.state();
    assert_eq!(post(&at, &act, &moved).status, 303);
    assert_eq!(one.state(), left);
}

#[test]
fn a_session_is_read_in_the_ledger_and_paid_and_a_rated_match_on_the_players_page() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let [ann, bob] = ["Ann", "Bob"].map(|name| house.player(&admin, name));
    let at = browser(&house);
    let open = |fields: &[(&str, &str)]| {
        let fields = [&[("upper", ann.as_str()), ("lower", bob.as_str())], fields].concat();
        let opened = post(&at, "/matches", &fields);
        opened.header("location").unwrap_or_else(|| panic!("{opened}")).to_owned()
    };
    let act = |sheet: &str, command: &serde_json::Value| {
        let fields = fields_of(command);
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let done = post(&at, &format!("{sheet}/act"), &fields);
        assert_eq!(done.status, 303, "{done}");
    };
    let session = open(&[("play", "money"), ("amount", "2.50"), ("currency", "EUR")]);
    act(&session, &json!({"command": "game", "winner": "upper", "win": "single", "cube": 4}));
    says(&at.0.get(&session), 200, "Bob owes Ann 10.00 EUR");
    let ledger = at.0.get(&format!("/ledger/{ann}?unit=EUR"));
    says(&ledger, 200, "Money session, game 1");
    says(&ledger, 200, &format!("href=\"{session}\""));
    let state = admin.get(&format!("/api/v1{session}")).good().body;
    let night = format!("/nights/{}/settle-up?currency=EUR", &state["opened_at"].as_str().unwrap()[..10]);
    says(&at.0.get(&night), 200, &format!("href=\"{session}\""));
    act(&session, &json!({"command": "pay", "by": "lower", "amount": 1_000}));
    assert!(!at.0.get(&session).good().text().contains("Bob owes"));
    assert!(!at.0.get(&night).good().text().contains(&session));

    let rated = open(&[("play", "match"), ("length", "1"), ("rated", "yes")]);
    act(&rated, &json!({"command": "concede", "by": "upper"}));
    says(&at.0.get(&rated), 200, "<span>rated</span>");
    for (player, said) in [(&ann, "Lost to Bob"), (&bob, "Won against Ann")] {
        let page = at.0.get(&format!("/players/{player}"));
        says(&page, 200, said);
        says(&page, 200, &format!("href=\"{rated}\""));
    }
}

#[test]
fn a_money_session_and_a_match_text_come_by_form() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let [ann, bob] = ["Ann", "Bob"].map(|name| house.player(&admin, name));
    let at = browser(&house);
    let money = [
        ("upper", ann.as_str()),
        ("lower", bob.as_str()),
        ("play", "money"),
        ("amount", "2.50"),
        ("currency", "EUR"),
        ("jacoby", "yes"),
    ];
    let opened = post(&at, "/matches", &money);
    let sheet = opened.header("location").unwrap_or_else(|| panic!("{opened}")).to_owned();
    let state = admin.get(&format!("/api/v1{sheet}")).good().body;
    assert_eq!(state["terms"]["stake"], json!({"amount": 250, "currency": "EUR"}));
    assert_eq!(state["terms"]["cube"]["jacoby"], true);
    says(&at.0.get(&sheet), 200, "End the session");
    let act = format!("{sheet}/act");
    let close = [("command", "close")];
    assert_eq!(post(&at, &act, &close).status, 303);
    says(&at.0.get(&sheet), 200, "The session is over");

    let text = include_str!("../../crates/engine/tests/data/mat/match7.mat");
    let fields = [("upper", ann.as_str()), ("lower", bob.as_str()), ("play", "match"), ("length", "7")];
    let sheet = post(&at, "/matches", &fields).header("location").unwrap().to_owned();
    let act = format!("{sheet}/act");
    let import =
        |text: &str| post(&at, &act, &[("command", "import"), ("text:string", text), ("left", "lower")]);
    says(&import("nonsense"), 422, "notice problem");
    // C06: a program's own file is named as what it is.
    says(&import("RGMH\u{1}\u{0}"), 422, "eXtreme Gammon’s own file, not text");
    says(&import("%PDF-1.7\n"), 422, "a PDF document");
    assert_eq!(import(text).status, 303);
    says(&at.0.get(&sheet), 200, "play by play");
    let mine = at.0.get(&format!("/matches?player={ann}")).good();
    says(&mine, 200, "Matches of Ann");
}

#[test]
fn who_may_rule_finds_what_is_contested_at_the_front_and_among_the_matches() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let one = Match::open(&house, &session());
    let bob = login_of(&house, &one.client, &one.players[1], "bob");
    let ann = login_of(&house, &one.client, &one.players[0], "ann");
    one.by(&ann, &game("upper", "single", 2)).good();
    let (at, waits) = (browser(&house), "1 contested match needs a ruling");
    let shown = |path: &str| at.0.get(path).good().text().contains(waits);
    assert!(!shown("/") && !shown("/matches"));
    one.by(&bob, &json!({"command": "contest", "by": "lower", "game": 1})).good();
    assert!(shown("/") && shown("/matches"));
    let page = one.path("").replace("/api/v1", "");
    says(&at.0.get(&page), 200, "Let game 1 stand");
    one.play(&[json!({"command": "rule_contest", "game": 1, "ruling": "stands"})]);
    assert!(!shown("/") && !shown("/matches"));
}
