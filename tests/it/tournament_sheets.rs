//! Sheets and the brackets they belong to, on both databases: through corrections, undo and redo they agree;
//! and who may see and do what.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::House;
use crate::tournaments::{Event, eight, is_in_order, login, phone};

/// The sheet of a match.
struct Sheet<'a> {
    event: &'a Event,
    path: String,
}

impl<'a> Sheet<'a> {
    #[track_caller]
    fn open(event: &'a Event, number: u32) -> Self {
        event.does(&json!({"command": "open_sheet", "match": number}));
        let at = event.get(&format!("/divisions/1/matches/{number}"));
        Self { event, path: format!("/api/v1/matches/{}", at["sheet"].as_str().unwrap()) }
    }

    #[track_caller]
    fn answer(&self) -> Value {
        self.event.director.get(&self.path).good().body
    }

    fn by(&self, client: &Client, command: &Value) -> Answer {
        client.post(&format!("{}/commands", self.path), command)
    }

    #[track_caller]
    fn does(&self, command: &Value) -> Answer {
        self.by(&self.event.director, command).good()
    }

    #[track_caller]
    fn game(&self, winner: &str, win: &str) -> Answer {
        self.does(&game(winner, win))
    }

    #[track_caller]
    fn cannot(&self, command: &Value, code: &str) {
        self.by(&self.event.director, command).refused(422, code);
    }
}

fn game(winner: &str, win: &str) -> Value {
    json!({"command": "game", "winner": winner, "win": win})
}

fn correct(number: u32, ended: &Value, later: &str) -> Value {
    json!({"command": "correct", "match": number, "ended": ended, "later": later})
}

fn played(score: [u16; 2]) -> Value {
    json!({"ending": "played", "score": score})
}

#[track_caller]
fn outcome(event: &Event, number: u32) -> Value {
    event.get(&format!("/divisions/1/matches/{number}"))["outcome"].clone()
}

/// The logins behind the acts of a sheet are shown as far as those behind the tournament's own are.
#[rstest]
fn the_street_reads_a_sheet_and_not_who_entered_it(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [5]}));
    let (phone, account) = phone(&house, &event, "Ada");
    let sheet = Sheet::open(&event, 1);
    sheet.does(&json!({"command": "game", "winner": "upper", "win": "single"}));
    let authors = |client: &Client| -> Vec<Value> {
        let acts = client.get(&format!("{}/acts", sheet.path)).good().body;
        acts["items"].as_array().unwrap().iter().map(|act| act["by"].clone()).collect()
    };
    assert!(authors(&event.director).iter().all(Value::is_string));
    let street = house.server.public();
    assert_eq!(authors(&street), [Value::Null, Value::Null]);
    let shown = street.events(&format!("{}/events?after=0", sheet.path), None).next_event().json();
    assert_eq!(shown["by"], Value::Null);
    // Players read their own, in the answer and in the log.
    let game = json!({"command": "game", "winner": "lower", "win": "single"});
    assert_eq!(sheet.by(&phone, &game).good().body["act"]["by"], account.as_str());
    assert_eq!(authors(&phone), [json!(account), Value::Null, Value::Null]);
    // Who directs sees in a preview whose act would be undone.
    let undo = event.director.post(&format!("{}/preview", sheet.path), &json!({"command": "undo"})).good();
    assert_eq!(undo.body["acts"][0]["by"], account.as_str());
}

#[rstest]
fn a_match_that_has_no_result_after_all_goes_on_on_its_sheet(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [3]}));
    let sheet = Sheet::open(&event, 1);
    sheet.game("upper", "gammon");
    sheet.game("upper", "single");
    event.does(&json!({"command": "correct", "match": 1, "ended": null, "later": "void"}));
    let told = sheet.answer();
    assert_eq!((&told["status"], &told["score"]), (&json!("open"), &json!([3, 0])), "{told}");
    assert!(told["outcome"].is_null());
    let offered: Vec<&Value> = told["legal"].as_array().unwrap().iter().map(|one| &one["command"]).collect();
    assert_eq!(offered, ["final", "rule", "correct"], "the score is reached: a game is wrong");
    sheet.cannot(&game("lower", "single"), "decided_by_score");
    let page = event.director.get(&sheet.path.replace("/api/v1", ""));
    assert_ne!(page.status, 500);
    is_in_order(&house);

    // It was no gammon: the match goes on, and its next games decide it.
    let now = json!({"winner": "upper", "win": "single"});
    sheet.does(&json!({"command": "correct", "game": 1, "now": now}));
    assert!(outcome(&event, 1).is_null() && sheet.answer()["score"] == json!([2, 0]));
    sheet.game("lower", "gammon");
    sheet.game("lower", "single");
    assert_eq!(outcome(&event, 1)["score"], json!([2, 3]));
    assert_eq!(event.who(5)[0].as_deref(), Some("Bea"));
    is_in_order(&house);
}

#[rstest]
fn a_sheet_to_which_its_two_come_back_says_what_the_bracket_says(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [3]}));
    event.played(1, [3, 0]);
    event.played(2, [3, 0]);
    let sheet = Sheet::open(&event, 5);
    sheet.game("lower", "gammon");
    sheet.game("lower", "single");
    event.does(&correct(1, &played([1, 3]), "stands"));
    let told = sheet.answer();
    assert_eq!((&told["status"], &told["detached"]), (&json!("over"), &json!(true)));
    assert!(told["outcome"].is_null());
    event.does(&correct(5, &played([3, 1]), "stands"));
    event.does(&correct(1, &played([3, 0]), "stands"));
    let told = sheet.answer();
    assert_eq!((&told["detached"], &told["outcome"]), (&json!(false), &outcome(&event, 5)));
    assert_eq!(told["outcome"]["score"], json!([3, 1]));
    is_in_order(&house);
    for _ in 0..3 {
        event.does(&json!({"command": "undo"}));
        is_in_order(&house);
    }
    assert_eq!(sheet.answer()["decided_by"]["decided_by"], "score");
}

#[rstest]
fn a_sheet_whose_match_others_play_is_over_until_its_two_are_back(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [3]}));
    event.played(1, [3, 0]);
    event.played(2, [3, 0]);
    let sheet = Sheet::open(&event, 5);
    sheet.game("lower", "single");
    event.does(&correct(1, &played([1, 3]), "stands"));
    let told = sheet.answer();
    assert_eq!(
        (&told["status"], &told["detached"], &told["legal"]),
        (&json!("over"), &json!(true), &json!([]))
    );
    assert!(told["undo"].is_object(), "the director takes the correction back here too: {told}");
    sheet.cannot(&game("lower", "single"), "match_detached");
    let open = event.director.get(&format!("/api/v1/matches?tournament={}&open=true", event.id)).good().body;
    assert_eq!(open["items"], json!([]), "it does not wait to be played");
    let other = Sheet::open(&event, 5);
    assert_ne!(other.path, sheet.path);
    is_in_order(&house);

    event.does(&json!({"command": "undo", "acts": 2}));
    assert_eq!(
        (sheet.answer()["status"].clone(), sheet.answer()["score"].clone()),
        (json!("open"), json!([0, 1]))
    );
    event.director.get(&other.path).refused(404, "not_found");
    sheet.game("lower", "single");
    is_in_order(&house);
}

#[rstest]
fn what_came_before_a_sheet_in_use_is_taken_back_and_put_back(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [3]}));
    event.played(1, [0, 3]);
    let sheet = Sheet::open(&event, 2);
    sheet.game("upper", "single");
    event.does(&json!({"command": "undo", "acts": 2}));
    assert!(outcome(&event, 1).is_null());
    let told = sheet.answer();
    assert_eq!((&told["detached"], &told["score"]), (&json!(true), &json!([1, 0])), "it stays, closed");
    assert!(told["undo"].is_null(), "there is no sheet of that match to go back to");
    sheet.cannot(&json!({"command": "undo"}), "result_in_bracket");
    is_in_order(&house);
    event.does(&json!({"command": "redo", "acts": 2}));
    assert_eq!(outcome(&event, 1)["winner"], "lower");
    sheet.game("upper", "gammon");
    assert_eq!(outcome(&event, 2)["score"], json!([3, 0]));
    is_in_order(&house);

    // Games that the tournament has moved on from cannot be undone on the sheet, and undo is not offered.
    event.played(3, [3, 0]);
    assert!(sheet.answer()["undo"].is_null());
    let preview = event.director.post(&format!("{}/preview", sheet.path), &json!({"command": "undo"}));
    preview.refused(422, "act_elsewhere_too");
    event.does(&json!({"command": "undo", "acts": 2}));
    assert_eq!((sheet.answer()["score"].clone(), outcome(&event, 2)), (json!([1, 0]), Value::Null));
    is_in_order(&house);
}

#[rstest]
fn the_last_game_is_put_right_on_the_sheet_while_nobody_has_played_on(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [1]}));
    let (scorer, _) = login(&house, &event, "Ida", &["scorer"]);
    let sheet = Sheet::open(&event, 1);
    sheet.game("upper", "single");
    let now =
        |winner: &str| json!({"command": "correct", "game": 1, "now": {"winner": winner, "win": "single"}});
    sheet.by(&scorer, &now("lower")).good();
    assert_eq!(event.who(5)[0].as_deref(), Some("Bea"));
    is_in_order(&house);
    event.played(2, [1, 0]);
    let next = Sheet::open(&event, 5);
    sheet.by(&scorer, &now("upper")).refused(422, "result_in_bracket");
    next.game("upper", "single");
    sheet.by(&scorer, &now("upper")).refused(422, "result_in_bracket");
    event.does(&correct(1, &played([1, 0]), "void"));
    assert_eq!((&next.answer()["detached"], &sheet.answer()["outcome"]), (&json!(true), &outcome(&event, 1)));
    is_in_order(&house);
}

#[rstest]
fn what_only_a_director_may_is_not_done_by_way_of_a_sheet(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [3]}));
    let (scorer, _) = login(&house, &event, "Ida", &["scorer"]);
    let (gino, gino_account) = phone(&house, &event, "Gino");
    let sheet = Sheet::open(&event, 1);
    sheet.by(&scorer, &game("upper", "gammon")).good();
    sheet.by(&scorer, &game("upper", "single")).good();

    let forfeit = json!({"winner": "upper", "ending": "forfeit"});
    sheet.by(&scorer, &json!({"command": "rule", "outcome": forfeit})).refused(403, "forbidden");
    event.does(&correct(1, &json!({"ending": "forfeit", "winner": "lower"}), "void"));
    sheet.by(&scorer, &json!({"command": "undo"})).refused(403, "not_yours");
    let seen = scorer.get(&sheet.path).good().body;
    assert!(seen["undo"].is_null(), "{seen}");
    assert_eq!(outcome(&event, 1)["winner"], "lower");
    is_in_order(&house);

    // A login named by the tournament directs its sheets, whatever its roles.
    sheet.by(&gino, &json!({"command": "undo"})).refused(403, "not_yours");
    event.does(&json!({"command": "set_directors", "directors": [gino_account]}));
    let seen = gino.get(&sheet.path).good().body;
    assert!(seen["legal"].as_array().unwrap().iter().any(|legal| legal["command"] == "rule"), "{seen}");
    sheet.by(&gino, &json!({"command": "rule", "outcome": {"winner": "lower", "ending": "walkover"}})).good();
    assert_eq!(outcome(&event, 1)["ending"], "walkover");
    is_in_order(&house);
}

/// T2: somebody who did not come goes on in the consolation only if the ruling does not say that they
/// withdraw.
#[rstest]
fn t2_a_ruling_on_a_sheet_says_who_withdraws(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let settings = json!({"lengths": [3], "format": {"consolation": {"of": "first_losers"}}});
    let event = eight(&house, &settings);
    let standing = |entry: u32| {
        event.get(&format!("/divisions/1/entries/{entry}"))["standing"].as_str().unwrap().to_owned()
    };
    let walkover = |withdraws: Value| {
        let outcome = json!({"winner": "upper", "ending": "walkover"});
        json!({"command": "rule", "outcome": outcome, "withdraws": withdraws})
    };
    let sheets = [1, 2, 3].map(|number| Sheet::open(&event, number));
    let [plain, sheet, played] = &sheets;
    plain.does(&json!({"command": "rule", "outcome": {"winner": "upper", "ending": "walkover"}}));
    assert_eq!(standing(2), "in", "as ever");

    sheet.cannot(&walkover(json!(["lower", "lower"])), "bad_list");
    let preview = event.director.post(&format!("{}/preview", sheet.path), &walkover(json!(["lower"]))).good();
    assert_eq!(preview.body["events"][0]["withdraws"], json!(["lower"]), "{preview}");
    sheet.does(&walkover(json!(["lower"])));
    assert_eq!((standing(4), standing(3)), ("withdrawn".to_owned(), "in".to_owned()));
    is_in_order(&house);
    // The two streams took it back together, and take it up again.
    sheet.does(&json!({"command": "undo"}));
    assert_eq!((standing(4), outcome(&event, 2)), ("in".to_owned(), Value::Null));
    sheet.does(&json!({"command": "redo"}));
    assert_eq!(standing(4), "withdrawn");

    // A result turns out to be a walkover: that corrects it, as long as nobody has played on.
    played.does(&json!({"command": "final", "score": [3, 1]}));
    played.does(&walkover(json!(["lower"])));
    assert_eq!((standing(6), &outcome(&event, 3)["ending"]), ("withdrawn".to_owned(), &json!("walkover")));
    is_in_order(&house);

    let (ada, bea) = (&event.players["Ada"], &event.players["Bea"]);
    let new = json!({"players": [ada, bea], "terms": {"play": "match", "length": 3}});
    let friendly =
        event.director.post("/api/v1/matches", &new).good().body["match"]["id"].as_str().unwrap().to_owned();
    let commands = format!("/api/v1/matches/{friendly}/commands");
    let refused = event.director.post(&commands, &walkover(json!(["lower"])));
    assert_eq!(refused.refused(422, "not_of_tournament").body["field"], "withdraws");
}

#[rstest]
fn a_match_of_a_tournament_is_decided_by_both_players_or_a_scorer(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [3]}));
    let (scorer, _) = login(&house, &event, "Ida", &["scorer"]);
    let (ada, _) = phone(&house, &event, "Ada");
    let (bea, _) = phone(&house, &event, "Bea");
    let sheet = Sheet::open(&event, 1);
    let stated = |score: [u16; 2]| json!({"command": "final", "score": score});
    sheet.by(&ada, &game("upper", "gammon")).good();
    // What Ada alone reports is offered as no more than that; to the scorer it is the end.
    let last = |client: &Client| {
        let offers = client.get(&format!("{}/offers", sheet.path)).good().body["offers"].clone();
        let is_it = |offer: &&Value| {
            let wanted =
                json!({"command": "game", "winner": "upper", "win": "single", "cube": 1, "how": "played"});
            wanted.as_object().unwrap().iter().all(|(field, value)| offer["command"][field] == *value)
        };
        offers.as_array().unwrap().iter().find(is_it).expect("the last game is offered")["brings"].clone()
    };
    let (hers, theirs) = (last(&ada), last(&scorer));
    assert_eq!((&hers["events"][1]["event"], &hers["outcome"]), (&json!("claimed"), &Value::Null));
    assert_eq!(
        (&theirs["events"][1]["event"], &theirs["outcome"]["winner"]),
        (&json!("finished"), &json!("upper"))
    );
    let done = sheet.by(&ada, &game("upper", "single")).good().body;
    assert_eq!(done["act"]["events"], hers["events"]);
    let told = sheet.answer();
    assert_eq!(
        (&told["status"], &told["claimed"]),
        (&json!("open"), &json!({"by": "upper", "score": [3, 0]}))
    );
    assert!(outcome(&event, 1).is_null());
    let offers_final = |client: &Client| {
        let seen = client.get(&sheet.path).good().body;
        seen["legal"].as_array().unwrap().iter().any(|legal| legal["command"] == "final")
    };
    assert_eq!([offers_final(&ada), offers_final(&bea)], [false, true]);
    is_in_order(&house);
    sheet.by(&bea, &stated([3, 0])).good();
    assert_eq!(
        (outcome(&event, 1)["winner"].clone(), outcome(&event, 1)["score"].clone()),
        (json!("upper"), json!([3, 0]))
    );
    is_in_order(&house);

    // A game undone on the sheet is undone in the bracket too.
    sheet.by(&bea, &json!({"command": "undo"})).good();
    sheet.by(&scorer, &json!({"command": "undo"})).good();
    assert_eq!((outcome(&event, 1), sheet.answer()["score"].clone()), (Value::Null, json!([2, 0])));
    is_in_order(&house);
    // One player reports the score here, the other at the tournament.
    sheet.by(&ada, &stated([3, 1])).good();
    sheet.by(&bea, &stated([2, 3])).good();
    assert!(outcome(&event, 1).is_null(), "they do not say the same");
    let report = json!({"command": "report", "match": 1, "entry": 2, "score": [3, 1]});
    bea.post(&event.path("/commands"), &report).good();
    assert_eq!(sheet.answer()["outcome"]["score"], json!([3, 1]));
    is_in_order(&house);

    // A concession needs nobody else's word, and a scorer's entry counts at once.
    let (dino, _) = phone(&house, &event, "Dino");
    let sheet = Sheet::open(&event, 2);
    sheet.by(&dino, &json!({"command": "concede", "by": "lower"})).good();
    assert_eq!(outcome(&event, 2)["winner"], "upper");
    let sheet = Sheet::open(&event, 3);
    sheet.by(&scorer, &stated([0, 3])).good();
    assert_eq!(outcome(&event, 3)["winner"], "lower");
    is_in_order(&house);
}

#[rstest]
fn a_sheet_is_seen_by_whoever_sees_its_tournament(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [1]}));
    let sheet = Sheet::open(&event, 1);
    sheet.game("upper", "single");
    let street = house.server.public();
    let club = |tables: bool| {
        let settings = json!({
            "name": "Circolo", "time_zone": "Europe/Rome", "currencies": ["EUR"],
            "public": {"tables": tables, "standings": false}
        });
        event.director.put("/api/v1/settings", &settings).good();
    };
    let list = format!("/api/v1/matches?tournament={}", event.id);
    let page = sheet.path.replace("/api/v1", "");
    let paths = [
        &sheet.path,
        &format!("{}/acts", sheet.path),
        &format!("{}/events?after=0", sheet.path),
        &list,
        &page,
    ];
    let text = format!("{}/mat", sheet.path);

    club(false);
    for path in paths.into_iter().filter(|path| !path.contains("events")) {
        assert_eq!(street.get(path).status, 200, "{path}");
    }
    assert_eq!(street.get(&text).status, 200);
    street.get("/api/v1/matches").refused(401, "not_signed_in");

    club(true);
    let about = json!({"name": "Members only", "date": "2026-04-18", "currency": "EUR"});
    event.does(&json!({"command": "change", "about": about}));
    for path in paths {
        let status = street.get(path).status;
        assert!([401, 303].contains(&status), "{path}: {status}");
    }
    assert_eq!(street.get(&text).status, 401);
    assert_eq!(street.get("/api/v1/matches").good().body["items"], json!([]));
    assert!(!street.get("/matches").good().text().contains("Ada"));
    let ada = &event.players["Ada"];
    let statistics = format!("/api/v1/players/{ada}/match-statistics");
    assert_eq!(street.get(&statistics).good().body["matches"], 0);
    assert_eq!(event.director.get(&statistics).good().body["matches"], 1);
}

/// Chance from a fixed seed, so that a failure can be reproduced.
struct Lots(ChaCha20Rng);

impl Lots {
    fn below(&mut self, sides: usize) -> usize {
        usize::try_from(self.0.next_u32()).unwrap() % sides
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// A command for a tournament of eight to three points, or for a sheet. It may well be illegal.
    fn command(&mut self) -> (bool, Value) {
        let number = 1 + self.below(7);
        let winner = *self.one(&["upper", "lower"]);
        let score = *self.one(&[[3, 0], [3, 2], [1, 3], [0, 3]]);
        let later = *self.one(&["stands", "void"]);
        let at_tournament = match self.below(11) {
            0 => json!({"command": "result", "match": number, "ended": played(score)}),
            1 | 9 | 10 => json!({"command": "open_sheet", "match": number}),
            2 | 3 => json!({"command": "correct", "match": number, "ended": played(score), "later": later}),
            4 => json!({"command": "correct", "match": number, "ended": null, "later": later}),
            5 => json!({"command": "undo", "acts": 1 + self.below(3)}),
            6 => json!({"command": "redo"}),
            7 if self.below(4) == 0 => json!({"command": "withdraw", "entry": 1 + self.below(8)}),
            7 => {
                let mut place =
                    || json!({"match": 1 + self.below(4), "slot": *self.one(&["upper", "lower"])});
                json!({"command": "exchange", "one": place(), "other": place()})
            }
            _ => json!({"command": "reinstate", "entry": 1 + self.below(8)}),
        };
        let on_sheet = match self.below(8) {
            0 => json!({"command": "undo"}),
            1 => json!({"command": "redo"}),
            2 => {
                json!({"command": "correct", "game": 1 + self.below(2), "now": {"winner": winner, "win": "gammon"}})
            }
            3 => json!({"command": "concede", "by": winner}),
            4 => json!({"command": "rule", "outcome": {"winner": winner, "ending": "forfeit"}}),
            5 => json!({"command": "rule", "outcome": null}),
            _ => {
                let win = *self.one(&["single", "gammon"]);
                game(winner, win)
            }
        };
        if self.below(2) == 0 { (true, at_tournament) } else { (false, on_sheet) }
    }
}

#[rstest]
#[case(Db::Sqlite, 1, 250)]
#[case(Db::Sqlite, 2, 250)]
#[case(Db::Postgres, 3, 125)]
fn whatever_happens_every_sheet_says_what_its_bracket_says(
    #[case] db: Db,
    #[case] seed: u64,
    #[case] steps: usize,
) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [3]}));
    let mut lots = Lots(ChaCha20Rng::seed_from_u64(seed));
    let (mut done, mut sheets) = (0, 0);
    for step in 0..steps {
        let (at_tournament, command) = lots.command();
        let path = if at_tournament {
            event.path("/commands")
        } else {
            let all = event.director.get(&format!("/api/v1/matches?tournament={}", event.id)).good().body;
            let all = all["items"].as_array().unwrap();
            sheets = sheets.max(all.len());
            if all.is_empty() {
                continue;
            }
            format!("/api/v1/matches/{}/commands", lots.one(all)["id"].as_str().unwrap())
        };
        // But not the draw, or there would be nothing left to test.
        let since_the_draw = || event.get("")["undo"]["acts"].as_u64().unwrap() - 3;
        if at_tournament && command["acts"].as_u64().is_some_and(|acts| acts > since_the_draw()) {
            continue;
        }
        let answer = event.director.post(&path, &command);
        assert!([200, 422].contains(&answer.status), "seed {seed}, step {step}, {command}: {answer}");
        if answer.status == 200 {
            done += 1;
            eprintln!("seed {seed}, step {step}: {path} {command}");
            is_in_order(&house);
        }
    }
    assert!(done > steps / 7 && sheets > steps / 100, "seed {seed}: {done} acts, {sheets} sheets");
}

/// M8: the games of a tournament's sheet count for its two players, until others play the match.
#[rstest]
fn m8_the_games_of_a_tournaments_sheet_count_until_others_play_its_match(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let event = eight(&house, &json!({"lengths": [3]}));
    event.played(1, [3, 0]);
    event.played(2, [3, 0]);
    let sheet = Sheet::open(&event, 5);
    sheet.does(&json!({"command": "game", "winner": "lower", "win": "gammon", "cube": 1, "began": "upper"}));
    sheet.game("upper", "single");
    let counted = |name: &str, below: &str| {
        let path = format!("/api/v1/players/{}/statistics?kind=tournament{below}", event.players[name]);
        let total = event.director.get(&path).good().body["total"].clone();
        ["games", "won", "lost", "half_points"].map(|key| total[key].as_i64().unwrap())
    };
    assert_eq!(counted("Ada", ""), [2, 1, 1, 0], "a match's points are nobody's");
    assert_eq!(counted("Cleo", "&began=other_side"), [1, 1, 0, 0]);
    event.does(&correct(1, &played([1, 3]), "stands"));
    assert!(sheet.answer()["detached"] == json!(true));
    assert_eq!([counted("Ada", ""), counted("Bea", ""), counted("Cleo", "")], [[0; 4]; 3]);
    is_in_order(&house);
    event.does(&json!({"command": "undo"}));
    assert_eq!([counted("Ada", ""), counted("Cleo", "")], [[2, 1, 1, 0]; 2]);
    is_in_order(&house);
}
