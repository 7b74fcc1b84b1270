//! A player floods a sheet or a table with their own acts. The one who runs it can still correct and end it,
//! and nobody gets more than a share of a stream.

use rstest::rstest;
use serde_json::{Value, json};

use crate::matches::{Match, game, login_of, rating, session, verified};
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::House;
use crate::tournaments::{eight, is_in_order, phone};

/// The shortest stream length that can be configured.
const SHORT: [(&str, &str); 1] = [("LIMITS__STREAM_LENGTH", "100")];

fn command(name: &str) -> Value {
    json!({ "command": name })
}

/// Repeats these commands until one is refused. Returns the number carried out, and the refusal.
#[track_caller]
fn over_and_over(give: impl Fn(&Value) -> Answer, commands: &[Value]) -> (usize, Answer) {
    for (done, command) in commands.iter().cycle().enumerate().take(1_000) {
        let answer = give(command);
        if answer.status != 200 {
            return (done, answer);
        }
    }
    panic!("nobody stops {commands:?}");
}

/// A refusal that lasts at most a minute.
#[track_caller]
fn too_often(answer: Answer, code: &str) {
    let answer = answer.refused(429, code);
    let seconds: u64 = answer.header("retry-after").expect("Retry-After").parse().expect("seconds");
    assert!((1..=61).contains(&seconds), "{seconds}");
}

impl Match {
    /// The logins of the sheet's two players.
    #[track_caller]
    fn logins(&self, house: &House) -> [Client; 2] {
        let [ann, bob] = &self.players;
        [login_of(house, &self.client, ann, "ann"), login_of(house, &self.client, bob, "bob")]
    }
}

/// Sam, a scorer who does not play.
#[track_caller]
fn scorer(house: &House, admin: &Client) -> Client {
    let sam = house.player(admin, "Sam");
    let invited = admin.post("/api/v1/accounts", &json!({ "player": sam, "roles": ["scorer"] })).good().body;
    let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
    let chosen = json!({ "login": "sam", "password": "a long password of Sam's" });
    house.server.public().post(&link, &chosen).good();
    house.sign_in("sam", "a long password of Sam's")
}

/// A player who entered forty games once made the other use up their acts on contesting them.
#[test]
fn each_line_is_contested_once_whatever_the_share() {
    let Some(house) = House::open_with(Db::Sqlite, &SHORT) else { return };
    let one = Match::open(&house, &session());
    let [ann, bob] = one.logins(&house);
    for _ in 0..40 {
        one.by(&ann, &game("upper", "single", 64)).good();
    }
    let contest = |game: u32| json!({"command": "contest", "by": "lower", "game": game});
    let withdraw = json!({"command": "withdraw_contest", "by": "lower", "game": 1});
    for game in 1..40 {
        one.by(&bob, &contest(game)).good();
    }
    // Contesting again and again has a share too, and a rate, which the first contests used up.
    house.database.tamper("UPDATE journal SET at = '2020-01-01T00:00:00.000000Z' WHERE kind = 'contested'");
    let (done, refused) = over_and_over(|command| one.by(&bob, command), &[withdraw, contest(1)]);
    assert_eq!((done, refused.refused(422, "own_acts_used_up").body["allowed"].clone()), (5, json!(5)));
    // A line not yet contested can still be contested, even on a full sheet.
    over_and_over(|command| one.command(command), &[command("adjourn"), command("resume")])
        .1
        .refused(422, "limit_reached");
    one.by(&bob, &contest(40)).good();
}

#[test]
fn an_undo_of_many_acts_counts_as_many_and_its_preview_says_so() {
    let Some(house) = House::open_with(Db::Sqlite, &SHORT) else { return };
    let one = Match::open(&house, &session());
    let [ann, _] = one.logins(&house);
    for _ in 0..10 {
        one.by(&ann, &game("upper", "single", 2)).good();
    }
    let undo = |acts: u32| json!({"command": "undo", "acts": acts});
    one.by(&ann, &undo(6)).refused(422, "own_acts_used_up");
    ann.post(&one.path("/preview"), &undo(6)).refused(422, "own_acts_used_up");
    ann.post(&one.path("/preview"), &undo(5)).good();
    one.by(&ann, &undo(5)).good();
    ann.post(&one.path("/preview"), &command("adjourn")).refused(422, "own_acts_used_up");

    let table = house.table(&["A", "B", "C"]);
    table.play(&[command("start_game")]);
    let box_player = login_of(&house, &table.client, &table.players["A"], "box");
    let by = |path: &str, command: &Value| box_player.post(&table.path(path), &table.with_ids(command));
    by("/commands", &json!({"command": "double", "player": "A"})).good();
    for _ in 0..2 {
        by("/commands", &command("undo")).good();
        by("/commands", &command("redo")).good();
    }
    by("/commands", &command("undo")).good();
    by("/preview", &command("redo")).refused(422, "own_acts_used_up");
    by("/commands", &command("redo")).refused(422, "own_acts_used_up");
}

#[test]
fn games_that_a_player_enters_have_a_rate_that_nobody_who_plays_meets() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let one = Match::open(&house, &session());
    let [ann, bob] = one.logins(&house);
    let (done, refused) = over_and_over(|command| one.by(&ann, command), &[game("upper", "single", 2)]);
    too_often(refused, "acts_too_often");
    assert_eq!(done, 60);
    one.by(&bob, &game("upper", "single", 2)).good();
    one.play(&[game("upper", "single", 2)]);
}

#[test]
fn reports_that_have_come_to_their_share_are_refused_without_a_time() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = eight(&house, &json!({"lengths": [7]}));
    let (ada, _) = phone(&house, &event, "Ada");
    let report = |points: u16| json!({"command": "report", "match": 1, "entry": 1, "score": [7, points]});
    let send = |command: &Value| {
        let answer = ada.post(&event.path("/commands"), command);
        if answer.status != 429 {
            return answer;
        }
        house
            .database
            .tamper("UPDATE journal SET at = '2020-01-01T00:00:00.000000Z' WHERE kind = 'reported'");
        ada.post(&event.path("/commands"), command)
    };
    let (done, refused) = over_and_over(send, &[report(1), report(2)]);
    let refused = refused.refused(422, "own_acts_used_up");
    assert_eq!((done, &refused.body["allowed"], refused.header("retry-after")), (100, &json!(100), None));
    ada.post(&event.path("/preview"), &report(3)).refused(422, "own_acts_used_up");
    event.director.post(&event.path("/commands"), &report(3)).good();
}

#[test]
fn the_clock_of_a_tournaments_match_is_not_its_players_to_set() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = eight(&house, &json!({"lengths": [7]}));
    let (ada, _) = phone(&house, &event, "Ada");
    event.does(&json!({"command": "open_sheet", "match": 1}));
    let sheet = event.get("/divisions/1/matches/1")["sheet"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/matches/{sheet}");
    let offered = |to: &Client| {
        let legal = to.get(&path).good().body["legal"].clone();
        legal.as_array().unwrap().iter().any(|legal| legal["command"] == "set_clock")
    };
    let set = json!({"command": "set_clock", "clock": {"reserve_a_point": 60, "delay": 10}});
    let refused = ada.post(&format!("{path}/commands"), &set).refused(403, "forbidden");
    assert_eq!(refused.body["allowed"], json!(["admin", "director", "scorer"]));
    assert_eq!((offered(&ada), offered(&event.director)), (false, true));
    assert!(!ada.get(&format!("/matches/{sheet}")).body.to_string().contains("set_clock"));
    event.director.post(&format!("{path}/commands"), &set).good();
    ada.post(&format!("{path}/commands"), &json!({"command": "set_clock", "clock": null}))
        .refused(403, "forbidden");
    // In a friendly match both players agree on the end.
    let one = Match::open(&house, &json!({"play": "match", "length": 5}));
    let ann = login_of(&house, &one.client, &one.players[0], "ann");
    one.by(&ann, &set).good();
    is_in_order(&house);
}

/// C6: ties beyond the limit change no cube, and so could once be entered without end.
#[test]
fn ties_at_a_table_end_where_a_game_must() {
    let Some(house) = House::open_with(Db::Sqlite, &SHORT) else { return };
    let table = house.table(&["A", "B", "C"]);
    table.play(&[command("start_game")]);
    let (_, refused) = over_and_over(|command| table.command(command), &[command("opening_tie")]);
    assert_eq!(refused.refused(422, "limit_reached").body["allowed"], 110);
    // Each person who corrects has their own part of the reserve: another still can.
    let back_and_forth = [command("undo"), command("redo")];
    over_and_over(|command| table.command(command), &back_and_forth).1.refused(422, "limit_reached");
    let sam = scorer(&house, &table.client);
    let by_sam = |command: &Value| sam.post(&table.path("/commands"), command);
    let (done, refused) = over_and_over(by_sam, &back_and_forth);
    assert_eq!((done, refused.refused(422, "limit_reached").status), (100, 422));
    table.play(&[json!({"command": "finish", "winner": "box", "win": "single"}), command("close")]);
    verified(&house);
}

#[rstest]
fn a_money_session_that_a_player_has_filled_is_put_right_and_closed(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open_with(db, &SHORT) else { return };
    let one = Match::open(&house, &session());
    let [ann, bob] = one.logins(&house);
    one.by(&ann, &game("upper", "backgammon", 1024)).refused(422, "cube_at_limit");
    one.by(&ann, &game("upper", "backgammon", 64)).good();

    // Ann's adjourning and resuming have a share of the sheet, and so has Ann's undo. Bob's acts are counted
    // apart.
    let stop_and_go = [command("adjourn"), command("resume")];
    let (done, refused) = over_and_over(|command| one.by(&ann, command), &stop_and_go);
    assert_eq!((done, refused.refused(422, "own_acts_used_up").body["allowed"].clone()), (5, json!(5)));
    one.by(&ann, &command("undo")).refused(422, "own_acts_used_up");
    one.by(&bob, &command("resume")).good();

    // Ann fills half of it with games, and Bob the rest.
    let (done, refused) = over_and_over(|command| one.by(&ann, command), &[game("upper", "single", 64)]);
    assert_eq!((done, refused.refused(422, "own_acts_used_up").body["allowed"].clone()), (49, json!(50)));
    one.by(&ann, &command("draw")).refused(422, "own_acts_used_up");
    one.by(&ann, &json!({"command": "resign", "by": "upper", "win": "single"}))
        .refused(422, "own_acts_used_up");
    let (_, refused) = over_and_over(|command| one.by(&bob, command), &[game("upper", "single", 64)]);
    let full = refused.refused(422, "limit_reached");
    assert_eq!(full.body["allowed"], 100);
    one.by(&bob, &command("adjourn")).refused(422, "limit_reached");
    one.command(&game("lower", "single", 1)).refused(422, "limit_reached");

    // The one who runs the sheet undoes, corrects and closes.
    let was =
        json!({"command": "correct", "game": 1, "now": {"winner": "upper", "win": "single", "cube": 1}});
    one.play(&[was, command("undo"), command("redo"), json!({"command": "undo", "acts": 40})]);
    one.play(&[command("redo"), command("undo"), command("close")]);
    let was = json!({"command": "correct", "game": 2, "now": {"winner": "lower", "win": "single"}});
    one.play(&[was]);
    one.by(&ann, &command("undo")).refused(403, "not_yours");
    verified(&house);
    // The reserve is finite too, and closing took nothing of it.
    let (_, refused) = over_and_over(|command| one.command(command), &[command("undo"), command("redo")]);
    assert_eq!(refused.refused(422, "limit_reached").body["allowed"], 201);
    verified(&house);
}

#[rstest]
fn a_friendly_rated_match_that_a_player_has_filled_is_ruled(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open_with(db, &SHORT) else { return };
    let clock = json!({"reserve_a_point": 120, "delay": 12});
    let one = Match::open_with(
        &house,
        &json!({"terms": {"play": "match", "length": 25, "rated": true}, "clock": clock}),
    );
    let [ann, bob] = one.logins(&house);
    one.by(&ann, &json!({"command": "start_clock", "slot": "upper"})).good();
    let stop_and_go = [command("pause_clock"), command("resume_clock")];
    over_and_over(|command| one.by(&ann, command), &stop_and_go).1.refused(422, "own_acts_used_up");
    // Both fill it with drawn games.
    over_and_over(|command| one.by(&bob, command), &[command("draw")]).1.refused(422, "own_acts_used_up");
    over_and_over(|command| one.by(&ann, command), &[command("draw")]).1.refused(422, "limit_reached");
    let lost = json!({"winner": "upper", "ending": "forfeit"});
    one.play(&[json!({"command": "rule", "outcome": lost})]);
    assert_eq!(rating(&house, &one.players[0]), None, "a forfeit is not rated");
    let now = json!({"winner": "lower", "win": "gammon", "cube": 2});
    one.play(&[
        json!({"command": "rule", "outcome": null}),
        json!({"command": "correct", "game": 3, "now": now}),
    ]);
    one.by(&bob, &json!({"command": "final", "score": [5, 25]})).good();
    assert!(rating(&house, &one.players[1]).is_some());
    one.play(&[command("undo")]);
    assert_eq!(rating(&house, &one.players[1]), None);
    verified(&house);
}

/// I1: cocked dice could once be rolled again without end, even at the end of a stream, until no reserve was
/// left for corrections.
#[rstest]
fn cocked_dice_leave_what_is_kept_for_putting_right(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open_with(db, &SHORT) else { return };
    let one = Match::open(&house, &session());
    let [ann, bob] = one.logins(&house);
    one.by(&ann, &game("upper", "backgammon", 64)).good();
    one.play(&vec![command("draw"); 20]);
    one.by(&ann, &json!({"command": "start_board", "dice": "drawn"})).good();
    let cocked = json!({"command": "board", "by": "upper", "action": {"action": "cocked_dice"}});
    let (done, refused) = over_and_over(|command| one.by(&ann, command), &[cocked]);
    assert_eq!((done, refused.refused(422, "limit_reached").body["allowed"].clone()), (110 - 23, json!(110)));

    one.by(&bob, &json!({"command": "contest", "by": "lower", "game": 1})).good();
    let was = json!({"winner": "upper", "win": "single", "cube": 1});
    one.play(&[
        json!({"command": "rule_contest", "game": 1, "ruling": "void"}),
        command("undo"),
        json!({"command": "correct", "game": 1, "now": was}),
        command("abandon_board"),
    ]);
    // Each person who corrects has their own part of the reserve: another still can.
    over_and_over(|command| one.command(command), &[command("undo"), command("redo")])
        .1
        .refused(422, "limit_reached");
    let now = json!({"winner": "lower", "win": "single", "cube": 1});
    let sam = scorer(&house, &one.client);
    one.by(&sam, &json!({"command": "correct", "game": 1, "now": now})).good();
    verified(&house);
}

/// M8: a losing player could once end a refereed game by entering a draw over its board.
#[rstest]
fn a_refereed_game_is_not_drawn_over_its_board(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &session());
    let [ann, _] = one.logins(&house);
    one.by(&ann, &json!({"command": "start_board", "dice": "drawn"})).good();
    one.by(&ann, &command("draw")).refused(422, "refereed");
    one.command(&command("draw")).refused(422, "refereed");
    // The one who runs the match abandons the board first.
    one.play(&[command("abandon_board"), command("draw")]);
}

#[rstest]
fn ones_own_stop_and_go_has_a_rate(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let one = Match::open(&house, &session());
    let [ann, bob] = one.logins(&house);
    one.by(&ann, &game("upper", "single", 2)).good();
    let commands = [command("adjourn"), command("resume"), command("undo"), command("redo")];
    let (done, refused) = over_and_over(|command| one.by(&ann, command), &commands);
    too_often(refused, "acts_too_often");
    assert_eq!(done, 20);
    // Play goes on for both of them.
    one.by(&ann, &game("lower", "single", 2)).good();
    one.by(&bob, &command("adjourn")).good();
}

#[rstest]
fn a_final_score_on_a_tournaments_sheet_is_a_report(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [7]}));
    let (ada, _) = phone(&house, &event, "Ada");
    event.does(&json!({"command": "open_sheet", "match": 1}));
    let at = event.get("/divisions/1/matches/1");
    let sheet = format!("/api/v1/matches/{}/commands", at["sheet"].as_str().unwrap());
    let said = |points: u16| json!({"command": "final", "score": [7, points]});
    let (done, refused) = over_and_over(|command| ada.post(&sheet, command), &[said(1), said(2)]);
    too_often(refused, "reports_too_often");
    assert_eq!(done, 6);
    // Reports at the tournament count towards the same limit.
    let report = json!({"command": "report", "match": 1, "entry": 1, "score": [7, 5]});
    too_often(ada.post(&event.path("/commands"), &report), "reports_too_often");
    event.director.post(&sheet, &said(3)).good();
    is_in_order(&house);
}

#[rstest]
fn a_chouette_that_a_player_has_filled_is_put_right_and_closed(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open_with(db, &SHORT) else { return };
    let table = house.table(&["A", "B", "C"]);
    let box_player = login_of(&house, &table.client, &table.players["A"], "box");
    table.play(&[command("start_game")]);
    let by = |command: &Value| box_player.post(&table.path("/commands"), &table.with_ids(command));
    let double = json!({"command": "double", "player": "A"});
    by(&double).good();
    let (done, refused) = over_and_over(by, &[command("undo"), command("redo")]);
    assert_eq!((done, refused.refused(422, "own_acts_used_up").body["allowed"].clone()), (5, json!(5)));
    table.play(&[double]);

    // The stream is full, whatever filled it.
    let answers = ["B", "C"].map(|player| json!({"command": "drop", "player": player}));
    table.play(&answers);
    let pay = json!({"command": "pay", "payer": "A", "payee": "B", "amount": 2});
    over_and_over(|command| table.command(command), &[pay]).1.refused(422, "limit_reached");
    by(&command("undo")).refused(403, "not_yours");
    table.play(&[json!({"command": "undo", "acts": 3}), command("redo"), command("close")]);
    verified(&house);
}
