//! All variants of the engine (V1 to V4), through every interface of a club: the API, the pages, a night
//! file.

use rstest::rstest;
use serde_json::{Value, json};

use crate::match_pages::{browser, browser_of, post, says};
use crate::matches::{PASSWORD, login_of, verified};
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::House;
use crate::tournaments::Event;

/// The start position in GNU Backgammon's notation, and the variant.
const STARTS: [(&str, &str); 5] = [
    ("standard", "4HPwATDgc/ABMA"),
    ("nackgammon", "4Dl4ADbgOXgANg"),
    ("hyper_backgammon", "AACgAgAAKgAAAA"),
    ("misere", "4HPwATDgc/ABMA"),
    ("inverse", "4HPwATDgc/ABMA"),
];

/// Door: variants.
#[test]
fn v1_to_v3_a_house_plays_its_game_and_another_where_it_allows_that() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let rules = json!({"game": {"variant": "misere"}, "other_games": "allowed"});
    let table = house.table_with(&["Ann", "Bob", "Cem"], &json!({"name": "Last Friday", "rules": rules}));
    let offered: Vec<&str> = STARTS.iter().map(|(variant, _)| *variant).collect();
    let state = table.client.get(&table.path("")).good().body;
    let start = state["legal"].as_array().unwrap().iter().find(|legal| legal["command"] == "start_game");
    let variants = start.unwrap()["variant"].as_array().unwrap().clone();
    assert_eq!(variants[0], "misere", "the house's own comes first");
    assert!(offered.iter().all(|variant| variants.contains(&json!(variant))), "{variants:?}");
    for (variant, position) in STARTS {
        table.command(&json!({"command": "start_game", "refereed": true, "variant": variant})).good();
        let game = &table.state()["game"];
        assert_eq!((&game["variant"], &game["board"]["position"]), (&json!(variant), &json!(position)));
        table.command(&json!({"command": "undo"})).good();
    }
    table.command(&json!({"command": "start_game"})).good();
    assert_eq!(table.state()["game"]["variant"], "misere");
    let unknown = json!({"command": "start_game", "variant": "race"});
    table.command(&unknown).refused(400, "invalid_body");
}

/// V4: the Tavli rules that come with the program, and a match of each of the two new variants.
/// Door: variants.
#[test]
fn v4_a_house_plays_tavli_by_the_rules_that_come_with_it_and_a_match_without_a_cube() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = house.table_with(&["Ann", "Bob", "Cem"], &json!({"name": "Tavli", "house_rules": "tavli"}));
    let admin = house.admin();
    let players = ["Dora", "Emil"].map(|name| house.player(&admin, name));
    for variant in ["plakoto", "fevga"] {
        let start = json!({"command": "start_game", "refereed": true, "variant": variant});
        table.command(&start).good();
        let on_board = table.state()["game"]["board"].clone();
        let position = on_board["position"].as_str().unwrap();
        assert!(position.starts_with(&format!("{variant}-")), "{position}");
        let state = table.state();
        let legal: Vec<&str> =
            state["legal"].as_array().unwrap().iter().filter_map(|legal| legal["command"].as_str()).collect();
        assert!(legal.contains(&"board") && !legal.contains(&"double"), "{legal:?}");
        table.command(&json!({"command": "undo"})).good();

        let new = |more: Value| {
            let mut terms = json!({"play": "match", "length": 3, "game": {"variant": variant}});
            terms.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            admin.post("/api/v1/matches", &json!({"players": players, "terms": terms}))
        };
        let refused = new(json!({})).refused(422, "contradictory_terms");
        assert_eq!(refused.body["allowed"], json!(["game.variant", "highest_cube"]));
        let opened = new(json!({"highest_cube": 1})).good().body;
        let path = format!("/api/v1/matches/{}", opened["match"]["id"].as_str().unwrap());
        let threefold = json!({"command": "game", "winner": "upper", "win": "backgammon", "cube": 1});
        let refused = admin.post(&format!("{path}/commands"), &threefold).refused(422, "no_such_win");
        assert_eq!(refused.body["allowed"], json!(["single", "gammon"]));
        admin.post(&format!("{path}/commands"), &json!({"command": "start_board", "dice": "drawn"})).good();
        assert_eq!(admin.get(&path).good().body["board"]["position"], on_board["position"]);
    }
}

#[test]
fn a_house_that_plays_one_game_alone_starts_no_other() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = house.table(&["Ann", "Bob", "Cem"]);
    let start = json!({"command": "start_game", "variant": "inverse"});
    table.command(&start).refused(422, "not_in_rules");
    table.command(&json!({"command": "start_game", "variant": "standard"})).good();
    assert_eq!(table.state()["game"]["variant"], "standard");
}

#[test]
fn a_match_and_a_money_session_are_opened_with_what_is_played() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let players = ["Ann", "Bob"].map(|name| house.player(&admin, name));
    let game = |variant: &str| json!({"variant": variant, "strict_larger_die": true, "closed_out": "rolls"});
    let open = |terms: &Value| admin.post("/api/v1/matches", &json!({"players": players, "terms": terms}));
    for (variant, position) in STARTS {
        let a_match = json!({"play": "match", "length": 3, "crawford": false, "game": game(variant)});
        for terms in [a_match, json!({"play": "money", "game": game(variant)})] {
            let opened = open(&terms).good().body;
            let path = format!("/api/v1/matches/{}", opened["match"]["id"].as_str().unwrap());
            let start = json!({"command": "start_board", "dice": "drawn"});
            admin.post(&format!("{path}/commands"), &start).good();
            let state = admin.get(&path).good().body;
            assert_eq!(state["terms"]["game"]["variant"], variant);
            assert_eq!(state["board"]["position"], position, "{state}");
        }
    }
    let rated = json!({"play": "match", "length": 3, "rated": true, "game": game("misere")});
    let refused = open(&rated).refused(422, "contradictory_terms");
    assert_eq!(refused.body["allowed"], json!(["rated", "game.variant"]));
}

#[test]
fn another_game_is_chosen_on_a_page_and_the_table_says_what_is_played() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = house.table_with(
        &["Ann", "Bob", "Cem"],
        &json!({"name": "Last Friday", "rules": {"other_games": "allowed"}}),
    );
    let at = browser(&house);
    let here = format!("/chouettes/{}", table.id);
    says(&at.0.get(&here), 200, &format!("href=\"{here}/start\""));
    says(&at.0.get(&format!("{here}/start")), 200, "Hyper-backgammon");
    let chosen = format!("{here}/start?form=start&variant=hyper_backgammon&refereed=yes");
    says(&at.0.get(&chosen), 200, "Game 1 starts on the board: Hyper-backgammon");
    says(&at.0.get(&format!("{here}/start?form=start&variant=race")), 200, "Please choose.");
    // Who ends a losing game is told there that anyone who bears off first has lost.
    table.command(&json!({"command": "start_game", "variant": "misere"})).good();
    says(&at.0.get(&format!("{here}/finish")), 200, "the losing game: the first to bear off loses");
    table.command(&json!({"command": "finish", "winner": "box", "win": "single"})).good();
    table.command(&json!({"command": "start_game", "refereed": true, "variant": "hyper_backgammon"})).good();
    let page = at.0.get(&here).good();
    assert!(page.text().matches("Hyper-backgammon").count() >= 2, "above the table and in its log: {page}");
}

/// Door: variants.
#[test]
fn a_match_a_session_and_a_division_are_opened_by_forms_with_another_game_and_another_cube() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let [ann, bob] = ["Ann", "Bob"].map(|name| house.player(&admin, name));
    let at = browser(&house);
    let terms = |more: &[(&str, &str)]| {
        let mut fields = vec![("upper", ann.as_str()), ("lower", bob.as_str()), ("length", "5")];
        fields.extend(more);
        let opened = post(&at, "/matches", &fields);
        assert_eq!(opened.status, 303, "{opened}");
        let sheet = opened.header("location").unwrap().to_owned();
        (at.0.get(&sheet).good().text().to_owned(), admin.get(&format!("/api/v1{sheet}")).good().body)
    };
    let (page, state) = terms(&[
        ("play", "match"),
        ("variant", "nackgammon"),
        ("highest_cube", "1"),
        ("no_crawford", "yes"),
        ("strict_larger_die", "yes"),
        ("closed_out_rolls", "yes"),
    ]);
    let game = json!({"variant": "nackgammon", "strict_larger_die": true, "closed_out": "rolls"});
    assert_eq!(
        (&state["terms"]["game"], &state["terms"]["highest_cube"], &state["terms"]["crawford"]),
        (&game, &json!(1), &json!(false))
    );
    for words in ["Nackgammon", "without the cube", "without the Crawford rule", "strict larger die"] {
        assert!(page.contains(words), "{words}");
    }
    let asks_for_cube = "<fieldset class=\"cubes\">";
    assert!(!page.contains(asks_for_cube));
    let (page, state) = terms(&[("play", "match"), ("holland", "yes")]);
    assert!(page.contains(asks_for_cube));
    assert_eq!((&state["terms"]["holland"], state["terms"].get("game")), (&json!(true), None));
    let (page, state) = terms(&[
        ("play", "money"),
        ("jacoby", "yes"),
        ("beavers", "raccoon"),
        ("automatic_doubles", "2"),
        ("highest_cube", "16"),
        ("variant", "misere"),
    ]);
    let cube = json!({"jacoby": true, "beavers": "raccoon", "automatic_doubles": 2, "cap": 16});
    assert_eq!(state["terms"]["cube"], cube);
    assert!(page.contains("the losing game") && page.contains("cube to 16"));
    // V4: these are usually played without the cube.
    for play in ["match", "money"] {
        let (page, state) = terms(&[("play", play), ("variant", "fevga"), ("highest_cube", "")]);
        assert_eq!(state["terms"]["game"]["variant"], "fevga");
        assert!(page.contains("Fevga") && page.contains("without the cube"));
    }
    // The list names the game of each where it is not backgammon.
    let list = at.0.get("/matches").good();
    let form = list.text().find("name=\"variant\"").unwrap_or(list.text().len());
    let cards = &list.text()[..form];
    let named = ["Nackgammon", "the losing game", "Fevga"].map(|game| cards.matches(game).count());
    assert_eq!(named, [1, 1, 2], "{list}");
    let contradictory = [("play", "match"), ("holland", "yes"), ("no_crawford", "yes"), ("length", "5")];
    let fields = [&[("upper", ann.as_str()), ("lower", bob.as_str())][..], &contradictory].concat();
    says(&post(&at, "/matches", &fields), 422, "play with the Crawford rule, or without Holland");

    let settings =
        json!({"rated": false, "lengths": [3], "highest_cube": 4, "game": {"variant": "hyper_backgammon"}});
    let event = Event::new(&house, &["Cem", "Dora"], &settings);
    event.does(&json!({"command": "draw", "division": 1}));
    event.does(&json!({"command": "open_sheet", "match": 1}));
    let sheets = admin.get(&format!("/api/v1/matches?tournament={}", event.id)).good().body;
    let terms = &admin
        .get(&format!("/api/v1/matches/{}", sheets["items"][0]["id"].as_str().unwrap()))
        .good()
        .body["terms"];
    assert_eq!((&terms["game"]["variant"], &terms["highest_cube"]), (&json!("hyper_backgammon"), &json!(4)));
    says(&at.0.get(&format!("/tournaments/{}", event.id)), 200, "Hyper-backgammon");
    let rated = json!({"command": "change_division", "division": 1, "settings": {"rated": true, "game": {"variant": "misere"}}});
    event.cannot(&rated, "division_flawed");
}

/// A play of the waiting roll, made of the steps that the state lists.
fn some_play(state: &Value) -> Value {
    let mut steps = Vec::new();
    let mut at = 0;
    while let Some(next) = state["board"]["steps"][at].as_array().and_then(|next| next.first()) {
        steps.push(json!({"from": next["from"], "pips": next["pips"]}));
        at = usize::try_from(next["then"].as_u64().unwrap()).unwrap();
    }
    if steps.is_empty() { json!({"action": "pass"}) } else { json!({"action": "play", "steps": steps}) }
}

/// Door: board.
#[rstest]
fn g18_the_roll_is_drawn_as_the_turn_opens_to_who_plays_and_to_nobody_else(
    #[values(false, true)] timed: bool,
) {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let players = ["Ann", "Bob"].map(|name| house.player(&admin, name));
    let terms =
        json!({"play": "match", "length": 3, "highest_cube": 1, "game": {"variant": "hyper_backgammon"}});
    let clock = timed.then(|| json!({"reserve_a_point": 120, "delay": 12}));
    let new = json!({"players": players, "terms": terms, "clock": clock});
    let opened = admin.post("/api/v1/matches", &new).good().body;
    let page = format!("/matches/{}", opened["match"]["id"].as_str().unwrap());
    let path = format!("/api/v1{page}");
    let command = |command: Value| admin.post(&format!("{path}/commands"), &command).good();
    let state = || admin.get(&path).good().body;
    command(json!({"command": "start_board", "dice": "drawn"}));
    while state()["board"]["turn"].is_null() {
        command(json!({"command": "board", "by": "upper", "action": {"action": "roll_opening"}}));
    }
    let by = state()["board"]["turn"].clone();
    command(json!({"command": "board", "by": by, "action": some_play(&state())}));
    let next = if by == "upper" { 1 } else { 0 };

    // Other viewers, prefetching, and the player who has just played do not cause a roll.
    let before = state()["version"].clone();
    let Some(other) = Phone::of_player(&house, &admin, ("Other", &players[1 - next])) else { return };
    other.goto(&page);
    browser(&house).0.get(&page).good();
    other.goto(&page);
    assert_eq!((&state()["version"], &state()["board"]["roll"]), (&before, &Value::Null));

    let Some(own) = Phone::of_player(&house, &admin, ("Own", &players[next])) else { return };
    own.goto(&page);
    if timed {
        assert_eq!(own.browser.count("form[data-at-once]"), 0, "nothing happens before their clock runs");
        let slot = ["upper", "lower"][next];
        command(json!({"command": "start_clock", "slot": slot}));
    }
    own.browser.wait_for("#board-dice .die-shown");
    let drawn = state();
    assert!(drawn["board"]["roll"].is_array(), "{drawn}");
    own.goto(&page);
    other.goto(&page);
    own.browser.wait_for("#board-dice .die-shown");
    assert_eq!(state()["version"], drawn["version"], "looked at again it stays the same");
}

/// A roll that the scorer has undone is not rolled again by a player's page: the player could not redo it.
#[test]
fn g18_a_roll_that_was_taken_back_is_not_drawn_again_by_itself() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let rules = json!({"cube_cap": 1, "jacoby": "off", "automatics": {"at_most": 0}});
    let table = house.table_with(&["Ann", "Bob", "Cem"], &json!({"name": "Friday table", "rules": rules}));
    let board = |by: &Value, action: Value| {
        table.command(&json!({"command": "board", "by": by, "action": action})).good();
    };
    let turn = || table.state()["game"]["board"]["turn"].clone();
    table.command(&json!({"command": "start_game", "refereed": true})).good();
    while turn().is_null() {
        board(&json!("box"), json!({"action": "roll_opening"}));
    }
    board(&turn(), some_play(&table.state()["game"]));
    let (next, player) = if turn() == "box" { ("box", "Ann") } else { ("team", "Bob") };
    login_of(&house, &table.client, &table.players[player], "next");
    let at = browser_of(&house, ("next", PASSWORD));
    let page = table.path("").replace("/api/v1", "");
    says(&at.0.get(&page), 200, "data-at-once");
    board(&json!(next), json!({"action": "roll"}));
    table.command(&json!({"command": "undo"})).good();
    assert!(!at.0.get(&page).good().text().contains("data-at-once"), "it would be another roll");
}

/// The ledger's line names the variant, whether the game was won, corrected or undone.
#[rstest]
fn the_books_say_what_was_played(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table_with(
        &["Ann", "Bob", "Cem"],
        &json!({"name": "Last Friday", "rules": {"other_games": "allowed"}}),
    );
    let finish = json!({"command": "finish", "winner": "box", "win": "single"});
    let corrected = json!({"command": "correct", "game": 2, "winner": "team"});
    let undo = json!({"command": "undo"});
    let start = |variant: &str| json!({"command": "start_game", "variant": variant});
    let all = [start("standard"), finish.clone(), start("misere"), finish, corrected, undo];
    for command in &all {
        table.command(command).good();
    }
    let lines = |path: &str| {
        let page = table.client.get(&format!("{path}/statement")).good().body;
        let lines = page["items"].as_array().unwrap().clone();
        let line =
            |line: Value| format!("{} {} {}", line["kind"], line["game"], line["variant"]).replace('"', "");
        lines.into_iter().map(line).collect::<Vec<_>>()
    };
    let ann = &table.players["Ann"];
    let mut said = lines(&format!("/api/v1/players/{ann}"));
    said.dedup();
    assert_eq!(said, ["reversal 2 misere", "correction 2 misere", "game 2 misere", "game 1 standard"]);
    let at = browser(&house);
    says(&at.0.get(&format!("/ledger/{ann}")), 200, "Last Friday, game 2, the losing game");

    let players = ["Dora", "Emil"].map(|name| house.player(&table.client, name));
    let terms = json!({"play": "money", "cube": {"cap": 1}, "game": {"variant": "plakoto"}});
    let opened = table.client.post("/api/v1/matches", &json!({"players": players, "terms": terms})).good();
    let path = format!("/api/v1/matches/{}/commands", opened.body["match"]["id"].as_str().unwrap());
    let won = json!({"command": "game", "winner": "upper", "win": "gammon", "cube": 1});
    table.client.post(&path, &won).good();
    assert_eq!(lines(&format!("/api/v1/players/{}", players[0])), ["game 1 plakoto"]);
    verified(&house);
}
