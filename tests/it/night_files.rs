//! `docs/night-files.md` is right: every example in it is played, and every command of a table has one.

use std::collections::BTreeSet;

use owlbox::cli::night::played;
use owlbox::cli::night::script::Script;
use owlbox_base::permissions::OrderKind;
use owlbox_chouette::CommandKind;
use serde_json::{Value, json};

/// A fenced block: the words after the fence, and its contents.
struct Block {
    kind: String,
    text: String,
}

/// The fenced blocks of the chapter about commands.
fn blocks() -> Vec<Block> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/night-files.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, chapter) = text.split_once("## Every command").unwrap();
    let fences: Vec<&str> = chapter.split("```").collect();
    let inside = fences.into_iter().skip(1).step_by(2);
    inside
        .map(|block| block.split_once('\n').unwrap())
        .map(|(kind, text)| Block { kind: kind.to_owned(), text: text.to_owned() })
        .collect()
}

/// The whole file that an example stands for: it follows the prelude, whose rules it may change.
fn whole(prelude: &str, example: &str) -> String {
    let mut header: Value = serde_json::from_str(prelude.lines().next().unwrap()).unwrap();
    let first: Value = serde_json::from_str(example.lines().next().unwrap()).unwrap();
    for (key, value) in first["rules"].as_object().into_iter().flatten() {
        header["rules"][key] = value.clone();
    }
    let changes_rules = first.get("command").is_none();
    let lines = prelude.lines().skip(1).chain(example.lines().skip(usize::from(changes_rules)));
    std::iter::once(header.to_string()).chain(lines.map(str::to_owned)).collect::<Vec<_>>().join("\n")
}

fn answer(night: &str) -> Value {
    let script = Script::read(night).unwrap_or_else(|error| panic!("{error}\n{night}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let report = runtime.block_on(played(&script)).unwrap_or_else(|error| panic!("{error}\n{night}"));
    serde_json::to_value(report).unwrap()
}

/// Whether `told` has everything that `shown` has, with lists of the same length.
fn has(told: &Value, shown: &Value) -> bool {
    match (told, shown) {
        (Value::Object(told), Value::Object(shown)) => {
            shown.iter().all(|(key, value)| told.get(key).is_some_and(|told| has(told, value)))
        }
        (Value::Array(told), Value::Array(shown)) => {
            told.len() == shown.len() && told.iter().zip(shown).all(|(told, shown)| has(told, shown))
        }
        (told, shown) => told == shown,
    }
}

/// Door: bets.
#[test]
fn every_example_of_a_night_comes_to_what_stands_below_it() {
    let blocks = blocks();
    let prelude = &blocks.iter().find(|block| block.kind == "jsonl prelude").unwrap().text;
    let mut waiting: Option<(String, Value)> = None;
    for block in &blocks {
        match block.kind.as_str() {
            "jsonl" => waiting = Some((block.text.clone(), answer(&whole(prelude, &block.text)))),
            "jsonl alone" => waiting = Some((block.text.clone(), answer(&block.text))),
            "json" => {
                let (night, told) = waiting.take().expect("a night before it");
                let shown: Value = serde_json::from_str(&block.text).unwrap();
                assert!(has(&told, &shown), "{night}\ncomes to\n{told:#}\nand not to\n{shown}");
            }
            _ => {}
        }
    }
    assert!(waiting.is_none(), "every example has its answer");
}

#[test]
fn every_command_of_a_table_has_an_example() {
    let named = |text: &str| {
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.filter_map(|line| line["command"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    let shown: BTreeSet<String> = blocks()
        .iter()
        .filter(|block| block.kind.starts_with("jsonl"))
        .flat_map(|block| named(&block.text))
        .collect();
    for command in OrderKind::<CommandKind>::all() {
        assert!(shown.contains(command.name()), "{} has no example", command.name());
    }
}

#[test]
fn a_line_for_what_is_not_there_is_refused() {
    let header = json!({"night": 1, "seed": 1, "start": "2026-11-20T19:00:00Z"});
    for line in [
        json!({"command": "join", "player": "Ada", "at": "Nowhere", "expect": "not_found"}),
        json!({"command": "draw", "tournament": "Nowhere", "expect": "not_found"}),
        json!({"command": "close", "sheet": "Nowhere", "expect": "not_found"}),
        json!({"command": "close", "tournament": "Nowhere", "sheet": 1, "expect": "not_found"}),
    ] {
        answer(&format!("{header}\n{line}"));
    }
    let both = format!("{header}\n{}", json!({"command": "close", "at": "Night", "sheet": "Ada and Bruno"}));
    let error = Script::read(&both).unwrap_err().to_string();
    assert!(error.starts_with("line 2: invalid_body: "), "{error}");
}

#[test]
fn a_file_of_tournaments_alone_has_no_table() {
    let header = json!({"night": 1, "seed": 1, "start": "2026-11-20T19:00:00Z"});
    let line = json!({"tournament": "Open", "command": "open", "date": "2026-11-20"});
    let told = answer(&format!("{header}\n{line}"));
    assert!(told.get("phase").is_none() && told["tournaments"][0]["name"] == "Open", "{told}");
    assert_eq!(answer(&header.to_string())["phase"], "gathering", "a header alone is a table");
}

/// No extra lapses silently: a player who has not answered when play goes on has passed, and the answer says
/// so.
#[test]
fn who_has_not_answered_for_an_extra_when_play_goes_on_has_passed() {
    let until_asked = [
        json!({"command": "start_game"}),
        json!({"command": "double", "player": "Ada"}),
        json!({"command": "drop", "player": "Bruno"}),
        json!({"command": "take", "player": "Chiara"}),
        json!({"command": "drop", "player": "Dino"}),
    ];
    let end = json!({"command": "finish", "winner": "team", "win": "single"});
    for rule in ["extras", "extras_or_drop"] {
        for goes_on in [
            json!({"command": "play_on"}),
            json!({"command": "double", "player": "Chiara", "against": ["Ada"]}),
            end.clone(),
        ] {
            let mut lines = until_asked.to_vec();
            lines.push(goes_on.clone());
            if goes_on["command"] == "double" {
                lines.push(json!({"command": "take", "player": "Ada"}));
            }
            if goes_on != end {
                lines.push(end.clone());
            }
            let told =
                answer(&night_of(&json!({"lone_taker": {"rule": rule}, "late_doubles": "open"}), &lines));
            assert_eq!(told["games"][0]["extras_passed"], json!(["Bruno", "Dino"]), "{rule}: {goes_on}");
        }
    }
}

/// An impossible name is refused as such, wherever it would add somebody to the club.
#[test]
fn a_name_that_nobody_can_have_is_named_as_what_is_wrong() {
    let header = json!({"night": 1, "seed": 1, "start": "2026-11-20T19:00:00Z"});
    let long = "x".repeat(61);
    for line in [
        json!({"command": "join", "player": ""}),
        json!({"command": "join", "player": "a\u{7}bell"}),
        json!({"command": "join", "player": long}),
        json!({"sheet": "Final", "command": "open", "players": ["Ada", " "]}),
    ] {
        let script = Script::read(&format!(
            "{header}
{line}"
        ))
        .unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let error = runtime.block_on(played(&script)).unwrap_err().to_string();
        assert!(error.starts_with("line 2: invalid_body: ") && error.contains("cannot be a name"), "{error}");
        let mut expected = line.clone();
        expected["expect"] = json!("invalid_body");
        answer(&format!(
            "{header}
{expected}"
        ));
    }
}

/// `tests/data/nights/every-game.jsonl`, worked out on paper: the variant, the box, the captain, the winner
/// and kind of win, and the points of Ann, Ben and Cem.
const EVERY_GAME: [([&str; 5], [i64; 3]); 7] = [
    // Both cubes are at 2, and a gammon doubles: four points from each.
    (["nackgammon", "Ann", "Ben", "box", "gammon"], [8, -4, -4]),
    // The captain lost and goes to the end of the line.
    (["hyper_backgammon", "Ann", "Cem", "box", "single"], [2, -1, -1]),
    // C9: a gammon, but no cube has been turned.
    (["misere", "Ann", "Ben", "box", "gammon"], [2, -1, -1]),
    (["inverse", "Ann", "Cem", "team", "single"], [-2, 1, 1]),
    // The captain who won has the box, and the old box is last: Cem, Ben, Ann.
    (["standard", "Cem", "Ben", "box", "single"], [-1, -1, 2]),
    // V4: a double win, which counts in full without a cube.
    (["plakoto", "Cem", "Ann", "team", "gammon"], [2, 2, -4]),
    (["fevga", "Ann", "Ben", "box", "single"], [2, -1, -1]),
];

/// Door: variants.
#[test]
fn v1_to_v4_a_night_with_every_game_comes_to_what_was_worked_out_by_hand() {
    let told = answer(include_str!("../data/nights/every-game.jsonl"));
    let games = told["games"].as_array().unwrap();
    assert_eq!(games.len(), EVERY_GAME.len());
    let mut sums = [0; 3];
    for (game, ([variant, in_box, captain, winner, win], points)) in games.iter().zip(EVERY_GAME) {
        let told =
            ["variant", "box", "captain", "winner", "win"].map(|key| game[key].as_str().unwrap_or(key));
        // The house's own variant is not in the report.
        let variant = if variant == "standard" { "variant" } else { variant };
        assert_eq!(told, [variant, in_box, captain, winner, win]);
        assert_eq!(of_three(&game["scores"]), points.map(|points| 2 * points), "{game}");
        sums = [0, 1, 2].map(|at| sums[at] + 2 * points[at]);
    }
    assert_eq!(of_three(&told["standings"]), sums);
    assert_eq!(sums, [26, -10, -16]);
}

/// The scores of Ann, Ben and Cem in a list, in half points.
fn of_three(scores: &Value) -> [i64; 3] {
    ["Ann", "Ben", "Cem"].map(|name| {
        let own = scores.as_array().unwrap().iter().find(|one| one["player"] == name);
        own.map_or(0, |own| own["half_points"].as_i64().unwrap())
    })
}

/// The prelude of the examples with these rules, followed by these lines.
fn night_of(rules: &Value, lines: &[Value]) -> String {
    let blocks = blocks();
    let prelude = blocks.iter().find(|block| block.kind == "jsonl prelude").unwrap();
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    whole(&prelude.text, &format!("{}\n{}", json!({ "rules": rules }), lines.join("\n")))
}

/// A player on a break who keeps their place is not captain of the next game.
#[test]
fn a_games_report_names_as_captain_who_is_there_to_play() {
    let told = answer(&night_of(
        &json!({}),
        &[
            json!({"command": "start_game"}),
            json!({"command": "break", "player": "Chiara", "proxy": "Bruno"}),
            json!({"command": "finish", "winner": "box", "win": "single"}),
        ],
    ));
    let after = json!({"box": "Ada", "captain": "Dino", "line": ["Ada", "Chiara", "Dino", "Bruno"], "resting": ["Chiara"]});
    assert_eq!(told["games"][0]["after"], after);
    assert_eq!(told["seats"], after);
}

fn sum(list: &Value) -> i64 {
    list.as_array().into_iter().flatten().filter_map(|item| item["amount"].as_i64()).sum()
}

/// Worked out by hand: seven pay 25 euro into the pool, of which the house keeps a tenth. Half, a quarter and
/// a quarter of the remaining 157.50 are rounded to whole euros, and the remainder is the winner's.
#[test]
fn a_first_round_corrected_after_the_final_moves_the_prizes_by_the_difference() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/nights/spring-open.jsonl");
    let told = answer(&std::fs::read_to_string(path).unwrap());
    let tournament = &told["tournaments"][0];
    let prizes = &tournament["divisions"][0]["prizes"];
    assert_eq!((&prizes["kept"], sum(&prizes["given"])), (&json!(1_750), 15_750));
    let expected = json!([
        {"player": "Elena", "amount": 7_950}, {"player": "Ada", "amount": 3_900}, {"player": "Fabio", "amount": 3_900}
    ]);
    assert_eq!(prizes["given"], expected);
    // Fabio was paid 50 euro when 79.50 were due to the winner. Now 39 are due, less that payment and fees of
    // 30.
    let fabio = tournament["accounts"].as_array().unwrap().iter().find(|of| of["player"] == "Fabio").unwrap();
    assert_eq!(fabio["amount"], 3_900 - 3_000 - 5_000);
    assert_eq!(sum(&told["balances"]) + sum(&told["house"]), 0, "the pools are empty");
}
