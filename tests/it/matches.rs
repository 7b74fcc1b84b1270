//! Matches and money sessions over HTTP.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::House;
use crate::support::server::Server;

pub(crate) const PASSWORD: &str = "quattro oche sul lago";
const SAMPLE: &str = include_str!("../../crates/engine/tests/data/mat/match7.mat");

/// A match between Ann, in the upper slot, and Bob.
pub(crate) struct Match {
    pub(crate) client: Client,
    pub(crate) id: String,
    pub(crate) players: [String; 2],
}

impl Match {
    #[track_caller]
    pub(crate) fn open(house: &House, terms: &Value) -> Self {
        Self::open_with(house, &json!({ "terms": terms }))
    }

    #[track_caller]
    pub(crate) fn open_with(house: &House, new: &Value) -> Self {
        Self::between(house, ["Ann", "Bob"], new)
    }

    #[track_caller]
    fn between(house: &House, names: [&str; 2], new: &Value) -> Self {
        let client = house.admin();
        let players = names.map(|name| house.player(&client, name));
        Self::new(client, players, new)
    }

    /// Another match of the same two.
    #[track_caller]
    pub(crate) fn another(&self, terms: &Value) -> Self {
        Self::new(self.client.clone(), self.players.clone(), &json!({ "terms": terms }))
    }

    #[track_caller]
    fn new(client: Client, players: [String; 2], new: &Value) -> Self {
        let mut new = new.clone();
        new["players"] = json!(players);
        let opened = client.post("/api/v1/matches", &new).good();
        assert_eq!((opened.status, opened.etag()), (201, "\"1\""));
        let id = opened.body["match"]["id"].as_str().unwrap().to_owned();
        Self { client, id, players }
    }

    pub(crate) fn path(&self, below: &str) -> String {
        format!("/api/v1/matches/{}{below}", self.id)
    }

    pub(crate) fn command(&self, command: &Value) -> Answer {
        self.by(&self.client, command)
    }

    pub(crate) fn by(&self, client: &Client, command: &Value) -> Answer {
        client.post(&self.path("/commands"), command)
    }

    #[track_caller]
    pub(crate) fn play(&self, commands: &[Value]) {
        for command in commands {
            self.command(command).good();
        }
    }

    #[track_caller]
    pub(crate) fn state(&self) -> Value {
        self.client.get(&self.path("")).good().body
    }

    #[track_caller]
    fn score(&self) -> Value {
        self.state()["score"].clone()
    }
}

pub(crate) fn game(winner: &str, win: &str, cube: u32) -> Value {
    json!({"command": "game", "winner": winner, "win": win, "cube": cube})
}

pub(crate) fn seven() -> Value {
    json!({"play": "match", "length": 7})
}

#[track_caller]
pub(crate) fn login_of(house: &House, admin: &Client, player: &str, login: &str) -> Client {
    let account = json!({ "player": player, "roles": ["player"] });
    let invited = admin.post("/api/v1/accounts", &account).good().body;
    let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
    house.server.public().post(&link, &json!({ "login": login, "password": PASSWORD })).good();
    house.sign_in(login, PASSWORD)
}

/// `owlbox verify`: the tables hold what the journal says. Returns the report.
#[track_caller]
pub(crate) fn verified(house: &House) -> String {
    let output = Server::program_on(&house.database).arg("verify").output().expect("the program starts");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    told
}

/// Door: sheet.
#[rstest]
fn m1_m3_a_match_is_scored_game_by_game_to_its_end(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &json!({"play": "match", "length": 5}));
    one.play(&[game("upper", "gammon", 2)]);
    let state = one.state();
    assert_eq!((&state["phase"], &state["away"]), (&json!("crawford"), &json!([1, 5])));
    assert_eq!(state["names"][&one.players[0]], "Ann");
    one.command(&game("lower", "single", 2)).refused(422, "crawford_game");
    one.play(&[game("lower", "gammon", 1), json!({"command": "late", "by": "upper", "minutes": 6})]);
    assert_eq!((one.score(), one.state()["penalties"].clone()), (json!([4, 3]), json!([0, 1])));
    let over = one.command(&game("lower", "single", 2)).good().body;
    assert_eq!(over["act"]["events"][1]["event"], "finished");
    assert_eq!(over["match"]["outcome"], json!({"winner": "lower", "ending": "played", "score": [4, 5]}));
    one.command(&game("lower", "single", 1)).refused(422, "match_over");
    assert!(verified(&house).contains("matches 1"));
}

/// Door: correct.
#[rstest]
fn what_was_entered_is_undone_corrected_and_ruled(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &seven());
    one.play(&[
        game("upper", "single", 1),
        game("lower", "single", 2),
        json!({"command": "undo", "acts": 2}),
    ]);
    assert_eq!(one.score(), json!([0, 0]));
    one.play(&[json!({"command": "redo"}), game("upper", "single", 4)]);
    let correction =
        json!({"command": "correct", "game": 1, "now": {"winner": "lower", "win": "gammon", "cube": 2}});
    let preview = one.client.post(&one.path("/preview"), &correction).good().body;
    assert_eq!((&preview["match"]["score"], one.score()), (&json!([4, 4]), json!([5, 0])));
    // Who sees a friendly match sees who entered what: in an answer, in the log, and in what an undo would
    // take back.
    let me = one.client.get("/api/v1/me").good().body["account"].clone();
    let undo = one.client.post(&one.path("/preview"), &json!({"command": "undo"})).good().body;
    let log = one.client.get(&one.path("/acts")).good().body;
    assert!(me.is_string());
    assert_eq!((&undo["acts"][0]["by"], &log["items"][0]["by"]), (&me, &me));
    assert_eq!(one.command(&correction).good().body["act"]["by"], me);
    assert_eq!(one.score(), json!([4, 4]));
    let ruling = json!({"winner": "upper", "ending": "disqualified", "score": [4, 4]});
    one.play(&[json!({"command": "rule", "outcome": ruling})]);
    assert_eq!(one.state()["status"], "over");
    one.play(&[json!({"command": "undo"})]);
    assert_eq!((one.state()["status"].clone(), one.state()["outcome"].clone()), (json!("open"), Value::Null));
    let log = one.client.get(&one.path("/acts?limit=2")).good().body;
    assert_eq!(log["items"][0]["events"][0]["event"], "undone");
    one.command(&json!({"command": "rule", "outcome": {"winner": "upper", "ending": "bye"}}))
        .refused(422, "bad_ruling");
    verified(&house);
}

/// Door: file.
#[rstest]
fn a_match_is_refereed_and_taken_away_as_match_text(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &json!({"play": "match", "length": 3}));
    let board = |by: &str, action: Value| json!({"command": "board", "by": by, "action": action});
    one.play(&[json!({"command": "start_board", "dice": "entered"})]);
    one.command(&board("upper", json!({"action": "roll_opening"}))).refused(422, "dice_needed");
    one.play(&[
        board("upper", json!({"action": "roll_opening", "dice": {"white": 3, "black": 1}})),
        board("upper", json!({"action": "play", "steps": [{"from": 8, "pips": 3}, {"from": 6, "pips": 1}]})),
        board("lower", json!({"action": "double"})),
    ]);
    let state = one.state();
    assert_eq!((&state["board"]["decision"], &state["board"]["offered"]), (&json!("upper"), &json!(2)));
    one.play(&[board("upper", json!({"action": "drop"}))]);
    assert_eq!((one.score(), one.state()["board"].clone()), (json!([0, 1]), Value::Null));
    let text = one.client.get(&one.path("/mat")).good();
    assert!(text.text().contains("  1) 31: 8/5 6/5"), "{text}");
    assert!(text.text().contains("Ann : 0"), "{text}");
    one.play(&[game("upper", "single", 2)]);
    one.client.get(&one.path("/mat")).refused(422, "plays_not_known");
    verified(&house);
}

#[rstest]
fn v2_a_match_of_hyper_backgammon_is_brought_scored_and_taken_away_to_the_same_bytes(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let sample = include_str!("../../crates/engine/tests/data/mat/hypergammon.mat");
    let terms = json!({"play": "match", "length": 5, "game": {"variant": "hyper_backgammon"}});
    let one = Match::open(&house, &terms);
    let backgammon = " 5 point match\n\n Game 1\n Ann : 0   Bob : 0\n  1) 31: 8/5 6/5\n";
    let other = json!({"command": "import", "text": backgammon});
    let refused = one.command(&other).refused(422, "other_variant");
    assert_eq!(refused.body["allowed"], json!({"found": "standard"}), "{refused}");
    let unknown = json!({"command": "import", "text": sample.replace("(3)", "(2)")});
    one.command(&unknown).refused(422, "bad_file");
    one.play(&[json!({"command": "import", "text": sample})]);
    assert_eq!((one.score(), one.state()["status"].clone()), (json!([4, 5]), json!("over")));
    assert_eq!(one.client.get(&one.path("/mat")).good().text(), sample);
    let usual = one.another(&json!({"play": "match", "length": 5}));
    usual.command(&json!({"command": "import", "text": sample})).refused(422, "other_variant");
    verified(&house);
}

/// Door: file.
#[rstest]
fn a_match_text_is_brought_by_the_rules_and_without_its_names(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &seven());
    one.command(&json!({"command": "import", "text": "no match"})).refused(422, "bad_file");
    let binary = one.command(&json!({"command": "import", "text": "RGMH\u{1}"})).refused(422, "bad_file");
    assert_eq!(binary.body["allowed"]["file"], "extreme_gammon", "{binary}");
    let brought = one.command(&json!({"command": "import", "text": SAMPLE})).good();
    assert!(!brought.body["act"].to_string().contains("Anna"), "{brought}");
    let state = one.state();
    assert_eq!((&state["status"], &state["has_file"]), (&json!("over"), &json!(true)));
    let text = one.client.get(&one.path("/mat")).good();
    let again = Match::between(&house, ["Eva", "Dan"], &json!({"terms": seven()}));
    again.play(&[json!({"command": "import", "text": text.text(), "left": "lower"})]);
    let [one, other] = [&state["score"], &again.state()["score"].clone()];
    assert_eq!((&one[0], &one[1]), (&other[1], &other[0]));
    verified(&house);
}

/// Few files say whether a match is played by the Crawford rule (M3): the terms do.
#[test]
fn m3_a_file_is_read_with_or_without_the_crawford_game_as_the_match_is_played() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let text = " 2 point match\n\n Game 1\n Anna : 0                       Bert : 0\n\
        \x20 1) 31: 8/5 6/5                 42: 8/4 6/4\n\
        \x20 2)  Doubles => 2                Drops\n\
        \x20     Wins 1 point\n\n Game 2\n Anna : 1                       Bert : 0\n\
        \x20 1) 31: 8/5 6/5                  Doubles => 2\n\
        \x20 2)  Drops                       Wins 1 point\n";
    let terms = |crawford: bool| json!({"play": "match", "length": 2, "crawford": crawford});
    let import = |head: &str| json!({"command": "import", "text": format!("{head}{text}")});
    let without = Match::open(&house, &terms(false));
    without.play(&[import("")]);
    assert_eq!(without.state()["score"], json!([1, 1]));
    let other = without.another(&terms(false));
    other.play(&[import("; [Crawford \"Off\"]\n\n")]);
    assert_eq!(other.state()["score"], json!([1, 1]));
    let with = without.another(&terms(true));
    with.command(&import("")).refused(422, "bad_file");
    assert_eq!(with.state()["score"], json!([0, 0]));
    verified(&house);
}

#[rstest]
fn players_score_their_own_match_and_no_other(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one =
        Match::open_with(&house, &json!({"terms": seven(), "clock": {"reserve_a_point": 120, "delay": 12}}));
    let ann = login_of(&house, &one.client, &one.players[0], "ann");
    let bob = login_of(&house, &one.client, &one.players[1], "bob");
    let carl = house.player(&one.client, "Carl");
    let carl = login_of(&house, &one.client, &carl, "carl");

    one.by(&carl, &game("upper", "single", 1)).refused(403, "not_yours");
    let seen = carl.get(&one.path("")).good().body;
    assert_eq!((&seen["legal"], &seen["undo"]), (&json!([]), &Value::Null));
    one.by(&ann, &game("upper", "single", 1)).good();
    let legal = ann.get(&one.path("")).good().body["legal"].clone();
    let names: Vec<&str> =
        legal.as_array().unwrap().iter().map(|one| one["command"].as_str().unwrap()).collect();
    assert!(names.contains(&"game") && names.contains(&"start_clock"), "{names:?}");
    assert!(
        !["penalty", "rule", "correct", "import"].iter().any(|command| names.contains(command)),
        "{names:?}"
    );
    let concede = legal.as_array().unwrap().iter().find(|one| one["command"] == "concede").unwrap();
    assert_eq!(concede["by"], json!(["upper"]));

    one.by(&ann, &json!({"command": "penalty", "gains": "upper", "points": 1})).refused(403, "forbidden");
    one.by(&ann, &json!({"command": "rule", "outcome": null})).refused(403, "forbidden");
    one.by(&ann, &json!({"command": "concede", "by": "lower"})).refused(403, "not_yours");
    one.by(&bob, &json!({"command": "undo"})).refused(403, "not_yours");
    one.by(&bob, &json!({"command": "start_clock", "slot": "lower"})).good();
    one.by(&ann, &json!({"command": "press_clock", "by": "lower"})).refused(403, "not_yours");
    one.by(&bob, &json!({"command": "press_clock", "by": "lower"})).good();
    assert_eq!(one.state()["clock"]["running"], "upper");
    one.by(&bob, &json!({"command": "undo"})).good();
    one.by(&bob, &json!({"command": "start_board", "dice": "drawn"})).good();
    one.by(&bob, &json!({"command": "board", "by": "upper", "action": {"action": "roll_opening"}}))
        .refused(403, "not_yours");
    one.by(&bob, &json!({"command": "board", "by": "lower", "action": {"action": "roll_opening"}})).good();
    one.by(&bob, &json!({"command": "undo"})).refused(403, "not_yours");
    let new = json!({"players": one.players, "terms": seven()});
    ann.post("/api/v1/matches", &new).refused(403, "forbidden");
    house.server.public().get(&one.path("")).refused(401, "not_signed_in");
}

/// Door: sheet.
#[rstest]
fn a_money_session_goes_on_until_it_is_closed(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let money = |currency: &str| {
        json!({
            "play": "money",
            "stake": {"amount": 500, "currency": currency},
            "cube": {"jacoby": true, "beavers": "raccoon", "cap": 16}
        })
    };
    let one = Match::open(&house, &money("EUR"));
    let new = json!({"players": one.players, "terms": money("CHF")});
    one.client.post("/api/v1/matches", &new).refused(422, "currency_not_in_use");
    one.play(&[game("upper", "gammon", 1), game("lower", "gammon", 2), json!({"command": "draw"})]);
    let won = &one.state()["lines"][1]["won"]["points"];
    assert_eq!((one.score(), won), (json!([1, 4]), &json!(4)));
    one.command(&json!({"command": "concede", "by": "upper"})).refused(422, "not_in_money");
    one.play(&[json!({"command": "close"})]);
    assert_eq!(one.state()["outcome"], Value::Null);
    one.command(&game("upper", "single", 1)).refused(422, "session_closed");
    verified(&house);
}

/// The value of a point in money sessions, in cents.
const STAKE: i64 = 500;

pub(crate) fn session() -> Value {
    json!({"play": "money", "stake": {"amount": STAKE, "currency": "EUR"}, "cube": {"jacoby": false}})
}

impl Match {
    /// Checks that Ann has won so many points and their value in money, and that Bob has lost it.
    #[track_caller]
    pub(crate) fn books_say(&self, points: i64) {
        for (player, sign) in self.players.iter().zip([1, -1]) {
            let balances = self.client.get(&format!("/api/v1/players/{player}/balances")).good().body;
            let stand = |unit: &str| {
                let found = balances.as_array().unwrap().iter().find(|one| one["unit"] == unit);
                found.map_or(0, |one| one["amount"].as_i64().unwrap())
            };
            let expected = (sign * 2 * points, sign * STAKE * points);
            assert_eq!((stand("half_points"), stand("EUR")), expected, "{balances}");
        }
    }

    /// Kind and points of Ann's newest game transactions.
    #[track_caller]
    pub(crate) fn newest_lines(&self, limit: usize) -> Vec<(String, i64)> {
        let path = format!("/api/v1/players/{}/statement?limit={limit}", self.players[0]);
        let lines = self.client.get(&path).good().body["items"].as_array().unwrap().clone();
        let line = |line: &Value| {
            assert_eq!((&line["match"], &line["chouette"]), (&json!(self.id), &Value::Null));
            assert_eq!((&line["counterparty"], &line["bet"]), (&json!(self.players[1]), &json!("game")));
            (line["kind"].as_str().unwrap().to_owned(), line["game"].as_i64().unwrap())
        };
        lines.iter().map(line).collect()
    }
}

#[rstest]
fn a_money_session_stands_in_the_books(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &session());
    one.play(&[game("upper", "gammon", 2), game("lower", "single", 1), json!({"command": "draw"})]);
    one.books_say(4 - 1);
    one.play(&[game("lower", "backgammon", 4)]);
    one.books_say(4 - 1 - 12);
    // The first game was single, not backgammon. In the second only the way it ended was wrong.
    one.play(&[
        json!({"command": "correct", "game": 4, "now": {"winner": "lower", "win": "single", "cube": 4}}),
    ]);
    one.books_say(4 - 1 - 4);
    let ended = json!({"winner": "lower", "win": "single", "how": "resigned"});
    one.play(&[json!({"command": "correct", "game": 2, "now": ended})]);
    assert_eq!(one.newest_lines(3), [("correction".into(), 4), ("correction".into(), 4), ("game".into(), 4)]);
    assert!(verified(&house).contains("transactions 4,"));

    // Undoes both corrections and the last game, and redoes them.
    one.play(&[json!({"command": "undo", "acts": 3})]);
    one.books_say(4 - 1);
    assert_eq!(one.newest_lines(1), [("reversal".to_owned(), 4)]);
    verified(&house);
    one.play(&[json!({"command": "redo", "acts": 3}), json!({"command": "close"})]);
    one.books_say(4 - 1 - 4);
    // A drawn game had a winner after all.
    one.play(&[
        json!({"command": "correct", "game": 3, "now": {"winner": "upper", "win": "single", "cube": 8}}),
    ]);
    one.books_say(4 - 1 - 4 + 8);
    verified(&house);

    // A match is no bet, and a session without a stake counts points only.
    let to_seven = Match::between(&house, ["Eva", "Dan"], &json!({"terms": seven()}));
    to_seven.play(&[game("upper", "single", 2)]);
    to_seven.books_say(0);
    let for_points = Match::between(&house, ["Ida", "Leo"], &json!({"terms": {"play": "money"}}));
    for_points.play(&[game("upper", "single", 2)]);
    let balances = for_points.client.get(&format!("/api/v1/players/{}/balances", for_points.players[0]));
    assert_eq!(balances.good().body, json!([{"unit": "half_points", "amount": 4, "postings": 1}]));
    verified(&house);
}

#[rstest]
fn a_session_is_settled_between_its_two_on_its_sheet(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &session());
    one.play(&[game("upper", "gammon", 2), json!({"command": "close"})]);
    let [ann, bob] = &one.players;
    assert_eq!(one.state()["owed"], json!({"by": "lower", "amount": 4 * STAKE}));
    let night = one.state()["opened_at"].as_str().unwrap()[..10].to_owned();
    let sheet = |query: &str| {
        let path = format!("/api/v1/nights/{night}/settle-up{query}");
        one.client.get(&path).good().body["sessions"].clone()
    };
    let owed = json!([{"match": one.id, "payer": bob, "payee": ann, "amount": 4 * STAKE}]);
    assert_eq!((sheet("?currency=EUR"), sheet("")), (owed, json!([])));

    let pay = |amount: i64| json!({"command": "pay", "by": "lower", "amount": amount});
    let bobs = login_of(&house, &one.client, bob, "bob");
    one.by(&bobs, &pay(4 * STAKE)).refused(403, "forbidden");
    assert_eq!(one.command(&pay(4 * STAKE + 1)).refused(422, "bad_amount").body["allowed"], 4 * STAKE);
    one.play(&[pay(STAKE), pay(3 * STAKE)]);
    one.command(&pay(1)).refused(422, "nothing_owed");
    assert_eq!((&one.state()["owed"], sheet("?currency=EUR")), (&Value::Null, json!([])));
    let balances = one.client.get(&format!("/api/v1/players/{ann}/balances")).good().body;
    let expected = json!([
        {"unit": "half_points", "amount": 8, "postings": 1}, {"unit": "EUR", "amount": 0, "postings": 3}
    ]);
    assert_eq!(balances, expected, "the score stays");
    one.play(&[json!({"command": "undo"})]);
    assert_eq!(one.state()["owed"]["amount"], 3 * STAKE);
    verified(&house);
}

#[rstest]
fn the_stake_of_a_match_is_won_settled_and_contested(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let mut terms = json!({"play": "match", "length": 3, "stake": {"amount": 2_000, "currency": "EUR"}});
    let one = Match::open(&house, &terms);
    terms["stake"]["currency"] = json!("CHF");
    let new = json!({"players": one.players, "terms": terms});
    one.client.post("/api/v1/matches", &new).refused(422, "currency_not_in_use");
    let [ann, bob] = &one.players;
    let balances = || one.client.get(&format!("/api/v1/players/{ann}/balances")).good().body;
    let euro = |amount: i64, postings: i64| json!([{"unit": "EUR", "amount": amount, "postings": postings}]);
    one.play(&[game("upper", "gammon", 1)]);
    assert_eq!(balances(), json!([]), "nothing is won before the match");
    let bobs = login_of(&house, &one.client, bob, "bob");
    let anns = login_of(&house, &one.client, ann, "ann");
    one.by(&anns, &game("upper", "single", 1)).good();
    assert_eq!((balances(), &one.state()["owed"]["amount"]), (euro(2_000, 1), &json!(2_000)));
    verified(&house);

    // Bob contests the game that decided: out of the books until a scorer has ruled.
    one.by(&bobs, &json!({"command": "contest", "by": "lower", "game": 2})).good();
    assert_eq!((balances(), &one.state()["owed"]), (euro(0, 2), &Value::Null));
    one.play(&[json!({"command": "rule_contest", "game": 2, "ruling": "stands"})]);
    assert_eq!(balances(), euro(2_000, 3));

    // The one who settles the night sees it, and it is paid on the sheet.
    let night = one.state()["opened_at"].as_str().unwrap()[..10].to_owned();
    let sessions = || {
        let path = format!("/api/v1/nights/{night}/settle-up?currency=EUR");
        one.client.get(&path).good().body["sessions"].clone()
    };
    assert_eq!(sessions(), json!([{"match": one.id, "payer": bob, "payee": ann, "amount": 2_000}]));
    one.play(&[json!({"command": "pay", "by": "lower", "amount": 2_000})]);
    assert_eq!((balances(), sessions()), (euro(0, 4), json!([])));
    let path = format!("/api/v1/players/{ann}/statement?unit=EUR");
    let lines = one.client.get(&path).good().body["items"].clone();
    let told: Vec<_> = lines.as_array().unwrap().iter().map(|line| [&line["kind"], &line["bet"]]).collect();
    let payment = ["payment", "payment"];
    assert_eq!(json!(told), json!([payment, ["stake", "stake"], ["stake", "stake"], ["stake", "stake"]]));
    let only = one.client.get(&format!("{path}&kind=stake")).good().body["items"].clone();
    assert_eq!(only.as_array().unwrap().len(), 3);

    // The match went to the other after all; then all of it is undone, and done again.
    one.play(&[json!({"command": "correct", "game": 2, "now": {"winner": "lower", "win": "single"}})]);
    assert_eq!((balances(), &one.state()["owed"]["by"]), (euro(-2_000, 5), &json!("upper")));
    one.play(&[game("lower", "gammon", 1)]);
    assert_eq!((balances(), &one.state()["owed"]["amount"]), (euro(-4_000, 6), &json!(4_000)));
    verified(&house);
    one.play(&[json!({"command": "undo", "acts": 2})]);
    assert_eq!(balances(), euro(0, 8));
    one.play(&[json!({"command": "redo", "acts": 2})]);
    assert_eq!(balances(), euro(-4_000, 10));
    verified(&house);
}

#[rstest]
fn the_games_of_a_file_stand_in_the_books_and_are_taken_back(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let mut terms = session();
    terms["cube"]["jacoby"] = json!(true);
    let one = Match::open(&house, &terms);
    one.play(&[
        json!({"command": "import", "text": include_str!("../../crates/engine/tests/data/mat/money.mat")}),
    ]);
    assert_eq!(one.score(), json!([7, 17]));
    one.books_say(7 - 17);
    assert!(verified(&house).contains("transactions 6,"));
    one.play(&[json!({"command": "undo"})]);
    one.books_say(0);
    assert!(verified(&house).contains("transactions 12,"));
}

/// A player's rating in thousandths, and their number of rated matches.
#[track_caller]
pub(crate) fn rating(house: &House, player: &str) -> Option<(i64, i64)> {
    let best = house.admin().get("/api/v1/ratings").good().body;
    let found = best["items"].as_array().unwrap().iter().find(|one| one["player"] == player).cloned()?;
    Some((found["rating"].as_i64().unwrap(), found["matches"].as_i64().unwrap()))
}

#[rstest]
fn a_friendly_match_is_rated_if_its_terms_say_so(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let rated = json!({"play": "match", "length": 1, "rated": true});
    let one = Match::open(&house, &rated);
    let [ann, bob] = &one.players;
    assert_eq!((rating(&house, ann), one.state()["terms"]["rated"].clone()), (None, json!(true)));
    one.play(&[game("upper", "single", 1)]);
    let (won, lost) = (Some((1_510_000, 1)), Some((1_490_000, 1)));
    assert_eq!((rating(&house, ann), rating(&house, bob)), (won, lost));

    // A later match is rated from the first one's result, and rated again when the first is corrected.
    let later = one.another(&rated);
    later.play(&[json!({"command": "concede", "by": "lower"})]);
    let both = rating(&house, &later.players[0]).unwrap();
    let of_ann = one.client.get(&format!("/api/v1/players/{ann}/ratings")).good().body;
    let newest = &of_ann["items"][0];
    assert_eq!(newest["opponent"], json!(bob));
    verified(&house);
    one.play(&[json!({"command": "correct", "game": 1, "now": {"winner": "lower", "win": "single"}})]);
    assert_ne!(rating(&house, ann), Some(both));
    verified(&house);
    one.play(&[json!({"command": "undo"})]);
    assert_eq!(rating(&house, ann), Some(both));
    one.play(&[json!({"command": "undo"})]);
    assert_eq!((rating(&house, ann), rating(&house, bob)), (won, lost), "the later one alone");
    // A walkover costs no rating.
    let forfeit = json!({"winner": "upper", "ending": "forfeit"});
    one.play(&[json!({"command": "rule", "outcome": forfeit})]);
    assert_eq!(rating(&house, ann), won);
    verified(&house);

    later.play(&[json!({"command": "undo"})]);
    assert_eq!(rating(&house, ann), None);
    let unrated = one.another(&json!({"play": "match", "length": 1}));
    unrated.play(&[game("upper", "single", 1)]);
    assert_eq!((rating(&house, ann), unrated.state()["terms"]["rated"].clone()), (None, json!(false)));
    verified(&house);
}

#[rstest]
fn matches_are_listed_counted_and_open_between_people_of_the_club(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &json!({"play": "match", "length": 1}));
    let other = Match::between(&house, ["Eva", "Dan"], &json!({"terms": seven()}));
    one.play(&[json!({"command": "game", "winner": "upper", "win": "gammon", "began": "lower"})]);
    other.play(&[json!({"command": "adjourn"})]);
    let ids = |query: &str| {
        let page = one.client.get(&format!("/api/v1/matches?{query}")).good().body;
        let items = page["items"].as_array().unwrap().clone();
        items.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(""), [other.id.as_str(), one.id.as_str()]);
    assert_eq!(ids("open=true"), [other.id.as_str()]);
    assert_eq!(ids("open=false"), [one.id.as_str()]);
    assert_eq!(ids(&format!("player={}", one.players[1])), [one.id.as_str()]);
    assert_eq!(ids(&format!("tournament={}", one.id)), [""; 0]);
    let page = one.client.get("/api/v1/matches?limit=1").good().body;
    assert_eq!(
        (&page["items"][0]["status"], page["items"].as_array().unwrap().len()),
        (&json!("adjourned"), 1)
    );
    assert_eq!(ids(&format!("after={}", page["next"].as_str().unwrap())), [one.id.as_str()]);

    let counted =
        |player: &str| one.client.get(&format!("/api/v1/players/{player}/match-statistics")).good().body;
    let lost = counted(&one.players[1]);
    assert_eq!(
        (&lost["matches"], &lost["kinds"][0]["length"], &lost["kinds"][0]["lost"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(lost["kinds"][0]["games"]["all"]["black"], json!({"count": 1, "hundredths": 10_000}));
    assert_eq!(lost["kinds"][0]["games"]["by_beginner"]["white"]["games"], 1, "the player is White");
    assert_eq!(counted(&other.players[0])["kinds"], json!([]));

    let nobody = "0190a6f4-0000-7000-8000-00000000dead";
    let new = |players: [&str; 2]| json!({"players": players, "terms": seven()});
    let open = |players| one.client.post("/api/v1/matches", &new(players));
    let unknown = open([&one.players[0], nobody]).refused(422, "unknown_player");
    assert_eq!(unknown.body["field"], "players");
    open([&one.players[0], &one.players[0]]).refused(422, "same_player");
    one.client.get(&format!("/api/v1/matches/{nobody}")).refused(404, "not_found");
    let chouette = house.table(&["A", "B", "C"]);
    one.client.get(&format!("/api/v1/matches/{}", chouette.id)).refused(404, "not_found");
    verified(&house);
}

#[rstest]
fn a_stale_command_is_refused_a_retry_is_answered_and_all_is_followed_live(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &seven());
    let mut stream = one.client.events(&one.path("/events"), None);
    assert_eq!(stream.status, 200);
    let seen = one.client.get(&one.path("")).good().etag().to_owned();
    let send = |tag: &str, key: &str| {
        let path = one.path("/commands");
        one.client.request("POST", &path).json(&game("upper", "single", 1)).key(key).if_match(tag).send()
    };
    let first = send(&seen, "first").good();
    let again = send(&seen, "first").good();
    assert_eq!((first.body["act"].clone(), one.score()), (again.body["act"].clone(), json!([1, 0])));
    send(&seen, "second").refused(412, "stale_version");
    let event = stream.next_event();
    assert_eq!(event.json()["events"][0]["event"], "game_won");
    let unchanged = one.client.request("GET", &one.path("")).header("If-None-Match", "\"2\"").send();
    assert_eq!(unchanged.status, 304);
}

#[rstest]
fn a_running_clock_outlives_a_restart(#[values(Db::one(), Db::other())] db: Db) {
    let Some(mut house) = House::open(db) else { return };
    let one =
        Match::open_with(&house, &json!({"terms": seven(), "clock": {"reserve_a_point": 120, "delay": 12}}));
    one.play(&[json!({"command": "start_clock", "slot": "upper"})]);
    let before = one.state()["clock"].clone();
    house.server.restart();
    let after = house.admin().get(&one.path("")).good().body["clock"].clone();
    assert_eq!((&before["running"], &before), (&json!("upper"), &after));
}

#[rstest]
fn a_full_sheet_can_still_be_brought_to_an_end(#[values(Db::Sqlite)] db: Db) {
    let Some(house) = House::open_with(db, &[("LIMITS__STREAM_LENGTH", "100")]) else { return };
    let one = Match::open(&house, &seven());
    one.play(&[game("upper", "single", 1)]);
    let stop_and_go = ["adjourn", "resume"].map(|command| json!({ "command": command }));
    let mut steps = stop_and_go.iter().cycle();
    while one.command(steps.next().unwrap()).status == 200 {}
    one.command(&game("upper", "single", 1)).refused(422, "limit_reached");
    one.command(&json!({"command": "start_board", "dice": "drawn"})).refused(422, "match_too_long");
    assert!(!one.state()["legal"].to_string().contains("start_board"));
    one.play(&[json!({"command": "final", "score": [7, 5]})]);
}
