//! Statistics over HTTP (M8): a night worked out by hand, a match, a money session; what verification says of
//! them, and who may see them.

use std::collections::BTreeMap;
use std::path::Path;

use rstest::rstest;
use serde_json::{Value, json};

use crate::match_pages::{browser, says};
use crate::matches::{Match, login_of, verified};
use crate::support::browser::Browser;
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::{ADMIN, House, Table};
use crate::tournaments::Event;

/// Everybody against everybody.
const MATRIX: &str = "/api/v1/statistics/head-to-head";

/// A table of four under rules that allow another variant.
pub(crate) fn table(house: &House) -> Table {
    let rules = json!({"other_games": "allowed", "jacoby": "off"});
    house.table_with(&["Ann", "Bob", "Cem", "Dan"], &json!({"name": "Friday table", "rules": rules}))
}

pub(crate) fn finish(winner: &str, win: &str) -> Value {
    json!({"command": "finish", "winner": winner, "win": win})
}

/// Three games: Ann's box loses a gammon to Bob and the team. Bob doubles, Dan drops, and Cem and Ann lose a
/// single game each at 2. Bob wins a gammon of hyper-backgammon, after another result of it was undone.
pub(crate) fn night(house: &House) -> Table {
    let table = table(house);
    let double = json!({"command": "double", "player": "Bob"});
    let take = |player: &str| json!({"command": "take", "player": player});
    table.play(&[json!({"command": "start_game"}), finish("team", "gammon")]);
    let dropped = json!({"command": "drop", "player": "Dan"});
    table.play(&[json!({"command": "start_game"}), double, take("Cem"), dropped, take("Ann")]);
    table.play(&[finish("box", "single")]);
    table.play(&[json!({"command": "start_game", "variant": "hyper_backgammon"}), finish("team", "single")]);
    table.play(&[json!({"command": "undo"}), finish("box", "gammon")]);
    table
}

/// G3: the engine knows who began. Without a referee it is unknown.
#[rstest]
fn m8_g3_who_began_is_counted_at_a_table_that_the_engine_referees(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = table(&house);
    let board = |action: Value| json!({"command": "board", "by": "box", "action": action});
    let double = |player: &str| json!({"command": "double", "player": player});
    table.play(&[
        json!({"command": "start_game", "refereed": true}),
        board(json!({"action": "roll_opening", "dice": {"white": 6, "black": 3}})),
        board(json!({"action": "play", "steps": [{"from": 24, "pips": 6}, {"from": 24, "pips": 3}]})),
        double("Bob"),
        double("Cem"),
        double("Dan"),
        json!({"command": "drop", "player": "Ann"}),
        json!({"command": "start_game"}),
        finish("box", "single"),
    ]);
    let of = |player: &str| groups(&statistics(&table, player, ""), "by_began");
    assert_eq!(of("Ann"), named(&[("own_side", [1, 0, 1, 0, -6]), ("unknown", [1, 0, 1, 0, -2])]));
    assert_eq!(of("Bob"), named(&[("other_side", [1, 1, 0, 0, 2]), ("unknown", [1, 1, 0, 0, 6])]));
    let club = table.client.get("/api/v1/statistics?began=other_side").good().body;
    assert_eq!(record(&club["total"]), [1, 1, 0, 0, 6], "the winners had not begun");
    verified(&house);
}

/// Q10, G3: a player who gives an extra plays it on the box's side. Without another bet they are only
/// watching.
#[rstest]
fn m8_q10_an_extra_is_played_on_the_boxs_side(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let rules = json!({"lone_taker": {"rule": "extras", "extras_from": "onlookers"}, "jacoby": "off"});
    let mut table =
        house.table_with(&["Ann", "Bob", "Cem", "Dan"], &json!({"name": "Friday table", "rules": rules}));
    let eva = house.player(&table.client, "Eva");
    table.players.insert("Eva".to_owned(), eva);
    let board = |by: &str, action: Value| json!({"command": "board", "by": by, "action": action});
    let of = |command: &str, player: &str| json!({"command": command, "player": player});
    let steps = |from: [u8; 2], pips: [u8; 2]| {
        let step = |at: usize| json!({"from": from[at], "pips": pips[at]});
        json!({"action": "play", "steps": [step(0), step(1)]})
    };
    table.play(&[
        json!({"command": "start_game", "refereed": true}),
        of("join", "Eva"),
        board("box", json!({"action": "roll_opening", "dice": {"white": 3, "black": 6}})),
        board("team", steps([24, 24], [6, 3])),
        of("double", "Ann"),
        of("take", "Bob"),
        of("drop", "Cem"),
        of("drop", "Dan"),
        of("give_extra", "Cem"),
        of("pass_extra", "Dan"),
        of("give_extra", "Eva"),
        board("box", json!({"action": "roll", "dice": [6, 1]})),
        board("box", steps([13, 8], [6, 1])),
        board("team", json!({"action": "resign", "win": "single"})),
        board("box", json!({"action": "accept_resignation"})),
    ]);
    let against = |player: &str, other: &str| {
        let answer = statistics(&table, player, &format!("/against/{}", table.players[other]));
        groups(&answer, "by_began")[0].0.clone()
    };
    for [player, other, began] in [
        ["Bob", "Ann", "own_side"],
        ["Ann", "Bob", "other_side"],
        ["Bob", "Cem", "own_side"],
        ["Cem", "Bob", "other_side"],
        ["Cem", "Ann", "own_side"],
        ["Ann", "Cem", "other_side"],
    ] {
        assert_eq!(against(player, other), began, "{player} against {other}");
    }
    let role = |player: &str| groups(&statistics(&table, player, ""), "by_role")[0].0.clone();
    assert_eq!(["Ann", "Bob", "Cem", "Dan", "Eva"].map(role), ["box", "captain", "crew", "crew", "onlooker"]);
    assert_eq!(groups(&statistics(&table, "Eva", ""), "by_began")[0].0, "other_side");
    let [bob, cem] = ["Bob", "Cem"].map(|player| record(&statistics(&table, player, "")["total"])[4]);
    assert_eq!([bob, cem], [-8, 0], "a drop, a payment and an extra won come to nothing");
    verified(&house);
}

fn statistics(table: &Table, player: &str, below: &str) -> Value {
    let path = format!("/api/v1/players/{}/statistics{below}", table.players[player]);
    table.with_names(&table.client.get(&path).good().body)
}

/// Games, won, lost, drawn, half points.
pub(crate) fn record(value: &Value) -> [i64; 5] {
    ["games", "won", "lost", "drawn", "half_points"].map(|key| value[key].as_i64().unwrap())
}

/// The groups of an answer by one key: each value with its record.
fn groups(answer: &Value, by: &str) -> Vec<(String, [i64; 5])> {
    let groups = answer[by].as_array().unwrap().iter();
    let value = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    groups.map(|group| (value(&group["value"]), record(group))).collect()
}

fn named(groups: &[(&str, [i64; 5])]) -> Vec<(String, [i64; 5])> {
    groups.iter().map(|(value, record)| ((*value).to_owned(), *record)).collect()
}

/// Door: statistics.
#[rstest]
fn m8_a_night_is_counted_as_box_captain_and_crew(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = night(&house);
    let ann = statistics(&table, "Ann", "");
    assert_eq!(record(&ann["total"]), [3, 0, 3, 0, -12 - 4 - 4]);
    assert_eq!(groups(&ann, "by_role"), named(&[("box", [1, 0, 1, 0, -12]), ("crew", [2, 0, 2, 0, -8])]));
    let endings = [("single", [1, 0, 1, 0, -4]), ("gammon", [2, 0, 2, 0, -16])];
    assert_eq!(groups(&ann, "by_ending"), named(&endings));
    assert_eq!(groups(&ann, "by_cube"), named(&[("1", [2, 0, 2, 0, -16]), ("2", [1, 0, 1, 0, -4])]));
    let opponents = [("Bob", [3, 0, 3, 0, -12]), ("Cem", [1, 0, 1, 0, -4]), ("Dan", [1, 0, 1, 0, -4])];
    assert_eq!(groups(&ann, "by_opponent"), named(&opponents));

    let bob = statistics(&table, "Bob", "");
    assert_eq!(record(&bob["total"]), [3, 3, 0, 0, 4 + 10 + 12]);
    assert_eq!(groups(&bob, "by_role"), named(&[("box", [2, 2, 0, 0, 22]), ("captain", [1, 1, 0, 0, 4])]));
    let variants = [("standard", [2, 2, 0, 0, 14]), ("hyper_backgammon", [1, 1, 0, 0, 12])];
    assert_eq!(groups(&bob, "by_variant"), named(&variants));
    let hyper = statistics(&table, "Bob", "?variant=hyper_backgammon");
    assert_eq!(record(&hyper["total"]), [1, 1, 0, 0, 12]);

    let dan = statistics(&table, "Dan", "");
    let endings = [("gammon", [2, 1, 1, 0, 0]), ("drop", [1, 0, 1, 0, -2])];
    assert_eq!(groups(&dan, "by_ending"), named(&endings));
    for name in ["Ann", "Bob", "Cem", "Dan"] {
        let points = statistics(&table, name, "")["total"]["half_points"].as_i64();
        assert_eq!(points, Some(table.balance(name, "half_points")), "{name} as the books have it");
    }
    let club = table.client.get("/api/v1/statistics").good().body;
    assert_eq!(record(&club["total"]), [3, 3, 0, 0, 12 + 10 + 12]);
    assert_eq!(groups(&club, "by_role"), named(&[("box", [2, 2, 0, 0, 22]), ("captain", [1, 1, 0, 0, 12])]));
}

#[rstest]
fn m8_what_is_corrected_counts_as_it_is_now(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = night(&house);
    table.play(&[json!({"command": "correct", "game": 1, "win": "single"})]);
    let ann = statistics(&table, "Ann", "");
    let endings = [("single", [2, 0, 2, 0, -10]), ("gammon", [1, 0, 1, 0, -4])];
    assert_eq!(groups(&ann, "by_ending"), named(&endings));
    table.play(&[json!({"command": "undo"})]);
    assert_eq!(groups(&statistics(&table, "Ann", ""), "by_ending")[1], ("gammon".into(), [2, 0, 2, 0, -16]));
    verified(&house);
}

/// A match of two games, one that Ann began and won and one drawn; and a money session.
fn two_players(house: &House) -> (Match, Match) {
    let one = Match::open(house, &json!({"play": "match", "length": 5}));
    let won = json!({"command": "game", "winner": "upper", "win": "gammon", "cube": 2, "began": "upper"});
    one.play(&[won, json!({"command": "draw"})]);
    let money = one.another(&json!({"play": "money", "game": {"variant": "nackgammon"}}));
    money
        .play(&[json!({"command": "game", "winner": "lower", "win": "single", "how": "dropped", "cube": 4})]);
    (one, money)
}

fn of_ann(one: &Match, below: &str) -> Value {
    one.client.get(&format!("/api/v1/players/{}/statistics{below}", one.players[0])).good().body
}

/// Door: statistics.
#[rstest]
fn m8_matches_and_money_sessions_count_by_kind_and_who_began(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (one, money) = two_players(&house);
    let ann = of_ann(&one, "");
    let kinds = [("match", [2, 1, 0, 1, 0]), ("money_session", [1, 0, 1, 0, -8])];
    assert_eq!(groups(&ann, "by_kind"), named(&kinds));
    let began = [("own_side", [1, 1, 0, 0, 0]), ("unknown", [2, 0, 1, 1, -8])];
    assert_eq!(groups(&ann, "by_began"), named(&began));
    assert_eq!(groups(&ann, "by_cube"), named(&[("2", [1, 1, 0, 0, 0]), ("4", [1, 0, 1, 0, -8])]));
    assert_eq!(record(&of_ann(&one, "?kind=match&began=own_side")["total"]), [1, 1, 0, 0, 0]);
    assert_eq!(record(&of_ann(&one, "?until=2020-01-01")["total"]), [0; 5]);
    assert_eq!(record(&of_ann(&one, "?from=2020-01-01")["total"]), [3, 1, 1, 1, -8]);
    let bob = format!("/against/{}", one.players[1]);
    assert_eq!(record(&of_ann(&one, &bob)["total"]), [3, 1, 1, 1, -8]);
    let csv = one.client.get(&format!("/api/v1/players/{}/statistics?format=csv", one.players[0])).good();
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    let lines: Vec<&str> = csv.text().lines().take(3).collect();
    assert_eq!(
        lines,
        ["by,value,games,won,lost,drawn,half_points", "total,,3,1,1,1,-8", "kind,match,2,1,0,1,0"]
    );
    money.play(&[json!({"command": "undo"})]);
    assert_eq!(groups(&of_ann(&one, ""), "by_kind"), named(&[("match", [2, 1, 0, 1, 0])]));
}

#[test]
fn players_see_their_own_statistics_and_the_clubs_and_nobody_elses() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let (one, _) = two_players(&house);
    let ann = login_of(&house, &one.client, &one.players[0], "ann");
    let of = |player: &str| format!("/api/v1/players/{player}/statistics");
    ann.get(&of(&one.players[0])).good();
    ann.get(&format!("{}/against/{}", of(&one.players[0]), one.players[1])).good();
    ann.get("/api/v1/statistics").good();
    ann.get(&of(&one.players[1])).refused(403, "forbidden");
    let nobody = "00000000-0000-0000-0000-000000000001";
    one.client.get(&of(nobody)).refused(404, "not_found");
    one.client.get(&format!("{}/against/{nobody}", of(&one.players[0]))).refused(404, "not_found");
    one.client.get(&format!("{}?kind=raffle", of(&one.players[0]))).refused(400, "invalid_query");
    one.client.get(&format!("{}?from=9999-01-01", of(&one.players[0]))).refused(400, "invalid_query");
}

/// Door: statistics.
#[test]
fn m8_players_find_their_games_on_a_page_with_bars_that_are_written_out() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = night(&house);
    let (at, _) = browser(&house);
    let bob = &table.players["Bob"];
    let page = format!("/players/{bob}/statistics");
    says(&at.get(&format!("/players/{bob}")), 200, &format!("href=\"{page}\""));
    says(&at.get("/players"), 200, "href=\"/statistics\"");
    for text in [
        "Statistics of Bob",
        "aria-label=\"2 won, 0 drawn, 0 lost\"",
        "Hyper-backgammon",
        "+13",
        "url(#hatch)",
    ] {
        says(&at.get(&page), 200, text);
    }
    let pair = format!("{page}/against/{}", table.players["Ann"]);
    says(&at.get(&page), 200, &format!("href=\"{pair}\""));
    says(&at.get(&pair), 200, "Bob against Ann");
    says(&at.get(&format!("{page}?kind=tournament")), 200, "No such games yet.");
    says(&at.get(&format!("{page}?from=nonsense")), 422, "id=\"wrong-field\"");
    says(
        &at.get(&format!("{page}?kind=chouette")),
        200,
        "?format=csv&#38;for=spreadsheet&#38;language=en&#38;kind=chouette",
    );
    says(&at.get("/statistics"), 200, "Each game once, from the side that won it.");
    pictures(&house, &page);
}

/// Saves pictures of the page on a phone by night and on a laptop by day, if they are wanted.
fn pictures(house: &House, page: &str) {
    let Ok(folder) = std::env::var("OWLBOX_TEST_PICTURES") else { return };
    for (name, browser) in [("phone", Browser::phone()), ("laptop", Browser::laptop())] {
        let Some(browser) = browser else { return };
        let seen = Phone::signed_in(browser, house, ADMIN);
        seen.browser.by_night(name == "phone");
        for (path, what) in [(page, "player"), ("/statistics", "club")] {
            seen.goto(path);
            seen.fits();
            seen.browser.screenshot(&Path::new(&folder).join(format!("statistics-{what}-{name}.png")));
        }
    }
}

#[test]
fn who_has_not_played_has_statistics_of_nothing() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let player = house.player(&admin, "Ann");
    for path in [format!("/api/v1/players/{player}/statistics"), "/api/v1/statistics".into()] {
        let answer = admin.get(&path).good().body;
        assert_eq!((record(&answer["total"]), &answer["by_month"]), ([0; 5], &json!([])));
    }
}

/// C1: a match that was entered by its score has no games. It is a match all the same: a player's, of two,
/// and of the club, also where nothing is rated.
#[rstest]
fn c1_matches_that_were_entered_by_their_score_are_counted(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = Event::new(&house, &["Ann", "Bob", "Cem", "Dan"], &json!({"lengths": [3], "rated": false}));
    let slots: Vec<u32> = (1..=4).collect();
    event.does(&json!({"command": "draw", "method": {"by": "hand", "slots": slots}}));
    event.played(1, [3, 1]);
    event.played(2, [0, 3]);
    event.does(&json!({"command": "result", "match": 3, "ended": {"ending": "walkover", "winner": "lower"}}));
    let [ann, bob, dan] = ["Ann", "Bob", "Dan"].map(|name| &event.players[name]);
    let terms = json!({"players": [ann, bob], "terms": {"play": "match", "length": 5}});
    let sheet = event.director.post("/api/v1/matches", &terms).good().body["match"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let stated = json!({"command": "final", "score": [2, 5]});
    event.director.post(&format!("/api/v1/matches/{sheet}/commands"), &stated).good();

    let get = |path: &str| event.director.get(path).good().body;
    let of = |player: &str, below: &str| {
        get(&format!("/api/v1/players/{player}/statistics{below}"))["matches"].clone()
    };
    let record = |won: i64, lost: i64| json!({"matches": won + lost, "won": won, "lost": lost});
    assert_eq!(of(ann, ""), record(1, 1), "one in the tournament, one friendly; a walkover was not played");
    assert_eq!(of(ann, "?kind=tournament"), record(1, 0));
    assert_eq!(of(ann, "?kind=match"), record(0, 1));
    assert_eq!(of(ann, "?kind=chouette"), record(0, 0));
    assert_eq!(of(ann, "?until=2020-01-01"), record(0, 0));
    assert_eq!(of(ann, "?from=2020-01-01"), record(1, 1));
    assert_eq!(of(ann, "?variant=standard"), Value::Null, "they are not told apart by that");
    assert_eq!(of(dan, ""), record(1, 0));
    assert_eq!(get("/api/v1/statistics")["matches"], record(3, 0));
    assert_eq!(get("/api/v1/statistics")["total"]["games"], 0);

    let met = get(MATRIX);
    let pair = |met: &Value, player: &str, opponent: &str| {
        let pairs = met["pairs"].as_array().unwrap();
        let found = pairs.iter().find(|pair| pair["player"] == *player && pair["opponent"] == *opponent);
        found.map(|pair| {
            [&pair["games"], &pair["matches_won"], &pair["matches_lost"]].map(|one| one.as_i64().unwrap())
        })
    };
    assert_eq!((pair(&met, ann, bob), pair(&met, bob, ann)), (Some([0, 1, 1]), Some([0, 1, 1])));
    assert_eq!(pair(&met, ann, dan), None, "the walkover");
    assert_eq!(met["players"].as_array().unwrap().len(), 4);
    let own = get(&format!("{MATRIX}?player={ann}&kind=tournament"));
    assert_eq!((pair(&own, ann, bob), pair(&own, bob, ann)), (Some([0, 1, 0]), None), "from her side");
    let csv = event.director.get(&format!("{MATRIX}?format=csv"));
    assert_eq!(csv.good().text().lines().count(), 1, "which has games");
    let against = get(&format!("/api/v1/players/{ann}/statistics/against/{bob}"));
    assert_eq!((&against["matches"]["won"], &against["matches"]["lost"]), (&json!(1), &json!(1)));

    let (at, _) = browser(&house);
    says(&at.get("/statistics"), 200, "3 matches");
    says(&at.get(&format!("/players/{ann}/statistics")), 200, "1 won, 1 lost");
    says(&at.get("/statistics/head-to-head"), 200, "(1–1)");

    // What is taken back, and what is corrected, is counted as it is now.
    event.does(&json!({"command": "undo"}));
    let other = json!({"command": "correct", "match": 1, "ended": {"ending": "played", "score": [1, 3]}, "later": "void"});
    event.does(&other);
    assert_eq!((of(ann, ""), of(bob, "?kind=tournament")), (record(0, 2), record(1, 0)));
    event.does(&json!({"command": "correct", "match": 1, "ended": null, "later": "void"}));
    assert_eq!(of(ann, ""), record(0, 1));
    verified(&house);
}

/// F4: a box and their partner share what they win, and so they do among everybody.
#[test]
fn f4_partners_are_among_those_who_won() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let rules = json!({"partner": {"when": "optional", "from": 4}, "settlements": "whole_points"});
    let new = json!({"name": "Friday table", "rules": rules});
    let table = house.table_with(&["Ann", "Bob", "Cem", "Dan"], &new);
    let line = |command: &str, player: &str| json!({"command": command, "player": player});
    table.play(&[json!({"command": "offer_partnership"}), line("decline_partnership", "Bob")]);
    table.play(&[
        line("accept_partnership", "Cem"),
        json!({"command": "start_game"}),
        finish("box", "single"),
    ]);
    let scores = table.scores();
    let met = table.client.get(MATRIX).good().body;
    let told = met["players"].as_array().unwrap().iter();
    let told: BTreeMap<String, i64> = told
        .map(|one| (one["name"].as_str().unwrap().to_owned(), one["half_points"].as_i64().unwrap()))
        .collect();
    assert_eq!(told, scores, "everybody has what they have at the table");
    assert!(told["Cem"] > 0 && told["Cem"] == told["Ann"], "{told:?}");
    let ann = &table.players["Ann"];
    let own = table.client.get(&format!("{MATRIX}?player={ann}")).good().body;
    assert_eq!(
        (&own["players"][0]["name"], &own["players"][0]["half_points"]),
        (&json!("Ann"), &json!(told["Ann"]))
    );
}

/// M8, F3: as numbers and in per cent to two decimals.
#[test]
fn m8_f3_games_are_won_lost_and_drawn_in_per_cent_to_two_decimals() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = night(&house);
    let bob = statistics(&table, "Bob", "");
    let [games, won] = ["games", "won"].map(|field| bob["total"][field].as_i64().unwrap());
    assert_eq!((games, won), (3, 3));
    assert_eq!(bob["total"]["won_share"], 10_000);
    let cem = statistics(&table, "Cem", "");
    let [won, lost, drawn] =
        ["won_share", "lost_share", "drawn_share"].map(|field| cem["total"][field].as_i64().unwrap());
    assert_eq!((won, lost, drawn), (3_333, 6_667, 0));
    let (at, _) = browser(&house);
    let page = at.get(&format!("/players/{}/statistics", table.players["Cem"]));
    says(&page, 200, "66.67");
    says(&at.get("/statistics"), 200, "66.67");
}
