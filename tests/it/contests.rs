//! Contests in a money session or a friendly match: whatever the other side contests is in no book and no
//! rating until a scorer has ruled.

use rstest::rstest;
use serde_json::{Value, json};

use crate::matches::{Match, PASSWORD, game, login_of, rating, session, verified};
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::House;
use crate::support::server::Server;

fn contest(by: &str, game: impl Into<Value>) -> Value {
    json!({"command": "contest", "by": by, "game": game.into()})
}

fn rule(game: impl Into<Value>, ruling: &str) -> Value {
    json!({"command": "rule_contest", "game": game.into(), "ruling": ruling})
}

#[rstest]
fn a_contested_game_is_in_no_book_before_a_scorer_has_ruled(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &session());
    let [ann, bob] = ["ann", "bob"];
    let ann = login_of(&house, &one.client, &one.players[0], ann);
    let bob = login_of(&house, &one.client, &one.players[1], bob);
    one.by(&ann, &game("upper", "single", 1024)).refused(422, "cube_at_limit");
    one.by(&ann, &game("upper", "backgammon", 64)).good();
    one.play(&[game("lower", "single", 2)]);
    one.books_say(192 - 2);
    let lines = one.state()["lines"].clone();
    assert_eq!((&lines[0]["entered_by"], &lines[1]["entered_by"]), (&json!("upper"), &json!("scorer")));

    // A side contests only for itself, and only what the other has entered.
    one.by(&ann, &contest("upper", 1)).refused(422, "not_contestable");
    one.by(&ann, &contest("lower", 1)).refused(403, "not_yours");
    one.by(&bob, &contest("lower", 2)).refused(422, "not_contestable");
    one.by(&bob, &contest("lower", 9)).refused(422, "no_such_game");
    one.by(&bob, &rule(1, "void")).refused(403, "forbidden");
    one.by(&bob, &contest("lower", 1)).good();
    one.books_say(-2);
    let state = one.state();
    assert_eq!((&state["contested"], &state["lines"][0]["contested_by"]), (&json!(true), &json!("lower")));
    // Bob owes if the game stands, and Ann does if it is void. Until a scorer has ruled, neither does.
    assert_eq!(state["owed"], Value::Null);
    assert_eq!(one.newest_lines(1), [("contest".to_owned(), 1)]);
    verified(&house);

    // Bob withdraws the contest, then contests again. Undoing either also undoes its postings.
    one.by(&bob, &json!({"command": "withdraw_contest", "by": "lower", "game": 1})).good();
    one.books_say(190);
    one.by(&bob, &json!({"command": "undo"})).good();
    one.books_say(-2);
    one.by(&bob, &json!({"command": "undo"})).good();
    one.books_say(190);
    one.by(&bob, &contest("lower", 1)).good();
    verified(&house);

    // The scorer rules that the game stands, that it is void, or corrects it.
    one.play(&[rule(1, "stands")]);
    one.books_say(190);
    assert_eq!(one.newest_lines(1), [("upheld".to_owned(), 1)]);
    one.by(&bob, &contest("lower", 1)).refused(422, "not_contestable");
    one.play(&[json!({"command": "undo"}), rule(1, "void")]);
    one.books_say(-2);
    assert_eq!(
        (one.state()["lines"][0]["line"].clone(), one.state()["score"].clone()),
        (json!("void"), json!([0, 2]))
    );
    verified(&house);
    let really =
        json!({"command": "correct", "game": 1, "now": {"winner": "upper", "win": "single", "cube": 2}});
    one.play(&[json!({"command": "undo"}), really]);
    one.books_say(0);
    one.play(&[json!({"command": "undo"}), json!({"command": "close"}), rule(1, "void")]);
    one.books_say(-2);
    verified(&house);
}

#[test]
fn who_was_paid_for_a_game_owes_nothing_back_because_it_is_contested() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let one = Match::open(&house, &session());
    let ann = login_of(&house, &one.client, &one.players[0], "ann");
    let bob = login_of(&house, &one.client, &one.players[1], "bob");
    let pay = |by: &str, amount: i64| json!({"command": "pay", "by": by, "amount": amount});
    one.by(&ann, &game("upper", "single", 4)).good();
    one.play(&[game("upper", "single", 2), pay("lower", 1_500)]);
    assert_eq!(one.state()["owed"], json!({"by": "lower", "amount": 1_500}));
    one.by(&bob, &contest("lower", 1)).good();
    // Bob has paid all that is uncontested, and more.
    assert_eq!(one.state()["owed"], Value::Null);
    assert!(!offered(&one, &one.client).iter().any(|name| name == "pay"));
    let refused = one.command(&pay("upper", 500)).refused(422, "contested");
    assert_eq!(refused.body["allowed"], json!(["rule_contest", "withdraw_contest", "correct"]));
    one.command(&pay("lower", 1)).refused(422, "contested");
    // An uncontested game is owed in any case.
    one.play(&[game("upper", "single", 8)]);
    assert_eq!(one.state()["owed"], json!({"by": "lower", "amount": 3_500}));
    one.play(&[json!({"command": "undo"}), rule(1, "void")]);
    assert_eq!(one.state()["owed"], json!({"by": "upper", "amount": 500}));
    one.play(&[pay("upper", 500)]);
    assert_eq!(one.state()["owed"], Value::Null);
    verified(&house);
}

/// Payments during a contest were once allowed. A session with such a payment still verifies.
#[test]
fn a_payment_of_before_contests_held_it_up_is_in_order() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let one = Match::open(&house, &session());
    let ann = login_of(&house, &one.client, &one.players[0], "ann");
    let bob = login_of(&house, &one.client, &one.players[1], "bob");
    one.by(&ann, &game("upper", "single", 4)).good();
    one.play(&[game("upper", "single", 2), json!({"command": "pay", "by": "lower", "amount": 500})]);
    one.by(&bob, &contest("lower", 1)).good();
    // Makes the contest older than the payment.
    let (paid, contested) = ("kind = 'paid'", "kind = 'contested'");
    for (kind, version) in [(paid, 100), (contested, 4), (paid, 5)] {
        house.database.tamper(&format!("UPDATE journal SET version = {version} WHERE {kind}"));
    }
    let told = || {
        let output = Server::program_on(&house.database).arg("verify").output().expect("the program starts");
        [output.stdout, output.stderr].map(|told| String::from_utf8_lossy(&told).into_owned()).concat()
    };
    let found = told();
    assert!(found.contains("comes to this"), "{found}");
    let of_the_sheet = "stream = (SELECT stream FROM journal WHERE kind = 'paid')";
    house.database.tamper(&format!("UPDATE journal SET format = 3 WHERE {of_the_sheet}"));
    let found = told();
    assert!(!found.contains("comes to this"), "{found}");
}

#[rstest]
fn what_one_of_the_two_brings_in_a_file_the_other_contests(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let mut terms = session();
    terms["cube"]["jacoby"] = json!(true);
    let one = Match::open(&house, &terms);
    let [ann, bob] = party(&house, &one, "scorer");
    let import =
        json!({"command": "import", "text": include_str!("../../crates/engine/tests/data/mat/money.mat")});
    one.by(&ann, &import).good();
    one.books_say(7 - 17);
    let first = one.state()["lines"][0].clone();
    assert_eq!(first["entered_by"], "upper");
    one.by(&ann, &contest("upper", 1)).refused(422, "not_contestable");
    assert!(offered(&one, &bob).iter().any(|name| name == "contest"));
    one.by(&bob, &contest("lower", 1)).good();
    assert_eq!(one.state()["contested"], true);
    verified(&house);
    one.play(&[rule(1, "void")]);
    assert_eq!(one.state()["lines"][0]["line"], "void");
    // The match text has the other games as they were, and none of them twice.
    let games = |text: &str| text.matches("\n Game ").count();
    let told = one.client.get(&one.path("/mat"));
    let text = told.good().body.as_str().unwrap().to_owned();
    assert_eq!(games(&text), one.state()["lines"].as_array().unwrap().len() - 1, "{text}");
    verified(&house);
}

#[rstest]
fn a_contested_match_is_rated_once_a_scorer_has_ruled(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let rated = json!({"play": "match", "length": 3, "rated": true});
    let one = Match::open(&house, &rated);
    let ann = login_of(&house, &one.client, &one.players[0], "ann");
    let bob = login_of(&house, &one.client, &one.players[1], "bob");
    one.by(&ann, &json!({"command": "final", "score": [3, 0]})).good();
    let won = rating(&house, &one.players[0]);
    assert!(won.is_some());
    one.by(&bob, &contest("lower", Value::Null)).good();
    assert_eq!(rating(&house, &one.players[0]), None);
    assert_eq!(one.state()["stated"]["contested_by"], "lower");
    verified(&house);
    one.play(&[rule(Value::Null, "stands")]);
    assert_eq!(rating(&house, &one.players[0]), won);
    one.play(&[json!({"command": "undo"}), rule(Value::Null, "void")]);
    assert_eq!((one.state()["status"].clone(), rating(&house, &one.players[0])), (json!("open"), None));

    // The game that decides the match.
    one.by(&ann, &game("upper", "backgammon", 1)).good();
    assert!(rating(&house, &one.players[0]).is_some());
    one.by(&bob, &contest("lower", 1)).good();
    assert_eq!(rating(&house, &one.players[0]), None);
    one.play(&[rule(1, "void")]);
    assert_eq!(one.state()["status"], "open");
    one.by(&bob, &game("lower", "backgammon", 1)).good();
    assert!(rating(&house, &one.players[1]).is_some());
    verified(&house);
}

/// The players' own logins: Ann, in the upper slot, who also has this role, and Bob, a player.
fn party(house: &House, one: &Match, role: &str) -> [Client; 2] {
    let account = json!({ "player": one.players[0], "roles": [role, "player"] });
    let invited = one.client.post("/api/v1/accounts", &account).good().body;
    let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
    let chosen = json!({ "login": "ann", "password": PASSWORD });
    house.server.public().post(&link, &chosen).good();
    [house.sign_in("ann", PASSWORD), login_of(house, &one.client, &one.players[1], "bob")]
}

fn correct(game: u32) -> Value {
    json!({"command": "correct", "game": game, "now": {"winner": "upper", "win": "single", "cube": 2}})
}

/// The contest actions offered by the API, which must be those of the sheet's page.
fn offered(one: &Match, to: &Client) -> Vec<String> {
    let legal = to.get(&one.path("")).good().body["legal"].clone();
    let names = legal.as_array().unwrap().iter();
    names.map(|legal| legal["command"].as_str().unwrap().to_owned()).collect()
}

#[rstest]
#[case(Db::Sqlite, "scorer")]
#[case(Db::Postgres, "admin")]
fn nobody_judges_a_match_between_members_that_they_play_in(#[case] db: Db, #[case] role: &str) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &session());
    let [ann, bob] = party(&house, &one, role);
    one.by(&ann, &game("upper", "backgammon", 64)).good();
    one.by(&bob, &contest("lower", 1)).good();
    let refused = one.by(&ann, &rule(1, "stands")).refused(403, "own_match");
    assert_eq!(refused.body["allowed"], json!(["admin", "director", "scorer"]));
    one.by(&ann, &correct(1)).refused(403, "own_match");
    one.by(&ann, &json!({"command": "withdraw_contest", "by": "lower", "game": 1})).refused(403, "not_yours");
    one.by(&ann, &json!({"command": "undo"})).refused(403, "own_match");
    one.by(&ann, &json!({"command": "undo", "acts": 2})).refused(403, "own_match");
    let offered_to_ann = offered(&one, &ann);
    assert!(!offered_to_ann.iter().any(|name| name == "rule_contest" || name == "correct"));
    assert_eq!(ann.get(&one.path("")).good().body["undo"], Value::Null);

    // Another scorer rules, and Ann cannot undo that.
    assert!(offered(&one, &one.client).iter().any(|name| name == "rule_contest"));
    one.play(&[rule(1, "void")]);
    one.by(&ann, &json!({"command": "undo"})).refused(403, "own_match");
    // Ann corrects an uncontested game alone, and the other side may contest the correction.
    one.by(&ann, &correct(1)).good();
    assert_eq!(one.state()["lines"][0]["entered_by"], "upper");
    one.books_say(2);
    one.by(&bob, &contest("lower", 1)).good();
    one.books_say(0);
    verified(&house);
    one.play(&[rule(1, "stands")]);
    one.books_say(2);
    verified(&house);
}

#[test]
fn judging_ones_own_match_is_found_in_journals_and_was_allowed_in_older_ones() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let one = Match::open(&house, &session());
    let [ann, bob] = party(&house, &one, "scorer");
    one.by(&ann, &game("upper", "single", 2)).good();
    one.by(&bob, &contest("lower", 1)).good();
    one.play(&[rule(1, "stands")]);
    house.database.tamper(
        "UPDATE journal SET account = (SELECT account FROM journal WHERE kind = 'game_won') WHERE kind = 'upheld'",
    );
    let found = Server::program_on(&house.database).arg("verify").output().expect("the program starts");
    assert!(!found.status.success(), "{}", String::from_utf8_lossy(&found.stdout));
    let of_the_sheet = "stream = (SELECT stream FROM journal WHERE kind = 'upheld')";
    house.database.tamper(&format!("UPDATE journal SET format = 2 WHERE {of_the_sheet}"));
    verified(&house);
}

#[rstest]
fn contested_matches_wait_in_a_list_of_their_own(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &session());
    let ann = login_of(&house, &one.client, &one.players[0], "ann");
    let bob = login_of(&house, &one.client, &one.players[1], "bob");
    let listed = |contested: bool| {
        let list = one.client.get(&format!("/api/v1/matches?contested={contested}")).good().body;
        list["items"].as_array().unwrap().iter().map(|one| one["contested"].clone()).collect::<Vec<_>>()
    };
    one.by(&ann, &game("upper", "single", 2)).good();
    assert_eq!((listed(true), listed(false)), (vec![], vec![json!(false)]));
    one.by(&bob, &contest("lower", 1)).good();
    assert_eq!((listed(true), listed(false)), (vec![json!(true)], vec![]));
    one.play(&[rule(1, "stands")]);
    assert_eq!((listed(true), listed(false)), (vec![], vec![json!(false)]));
    verified(&house);
}

#[rstest]
fn what_the_board_has_counted_nobody_has_entered_and_nobody_contests(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &session());
    let ann = login_of(&house, &one.client, &one.players[0], "ann");
    let bob = login_of(&house, &one.client, &one.players[1], "bob");
    let board = |by: &str, action: Value| json!({"command": "board", "by": by, "action": action});
    let steps = json!([{"from": 8, "pips": 3}, {"from": 6, "pips": 1}]);
    one.play(&[json!({"command": "start_board", "dice": "entered"})]);
    one.play(&[board("upper", json!({"action": "roll_opening", "dice": {"white": 3, "black": 1}}))]);
    one.by(&ann, &board("upper", json!({"action": "play", "steps": steps}))).good();
    one.by(&bob, &board("lower", json!({"action": "double"}))).good();
    one.by(&ann, &board("upper", json!({"action": "drop"}))).good();
    assert_eq!(one.state()["lines"][0]["entered_by"], Value::Null);
    one.by(&ann, &contest("upper", 1)).refused(422, "not_contestable");
    one.by(&bob, &contest("lower", 1)).refused(422, "not_contestable");
    one.books_say(-1);
    verified(&house);
}

/// M8: as in the books, a contested game counts in the statistics only once a scorer has ruled that it
/// stands.
#[rstest]
fn m8_a_contested_game_counts_once_a_scorer_has_ruled(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &session());
    let [ann, bob] =
        [0, 1].map(|side| login_of(&house, &one.client, &one.players[side], ["ann", "bob"][side]));
    one.by(&ann, &game("upper", "gammon", 4)).good();
    let counted = || {
        let path = format!("/api/v1/players/{}/statistics", one.players[0]);
        let total = one.client.get(&path).good().body["total"].clone();
        ["games", "won", "half_points"].map(|key| total[key].as_i64().unwrap())
    };
    assert_eq!(counted(), [1, 1, 16]);
    one.by(&bob, &contest("lower", 1)).good();
    assert_eq!(counted(), [0, 0, 0]);
    verified(&house);
    one.play(&[rule(1, "stands")]);
    assert_eq!(counted(), [1, 1, 16]);
    one.play(&[json!({"command": "undo"}), rule(1, "void")]);
    assert_eq!(counted(), [0, 0, 0]);
    verified(&house);
}
