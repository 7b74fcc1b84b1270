//! A night of six players and twenty-two games, worked out by hand and played through every interface.
//!
//! The night is `tests/data/nights/friday.jsonl`. [`WORKED`] has its expected results: box and captain of
//! every game, everybody's points, and the line after it, all worked out on paper from the rules.
//! [`plays_friday`] plays the night on any [`Table`]; anything that can carry out a command and show the
//! state can be one.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use owlbox::cli::night::script::{Line, Script, To};
use owlbox::cli::night::{Night, NightError};
use owlbox_desk::verify::verify;
use owlbox_store::{Options, Store};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::databases::Db;
use crate::support::house::{self, House};

/// A game as worked out by hand. Players are the first letters of their names.
struct Worked {
    box_player: char,
    captain: char,
    /// In whole points: `A+2 B-6`. A player who is not named has none.
    scores: &'static str,
    /// The line after the game.
    line: &'static str,
}

const fn game(box_player: char, captain: char, scores: &'static str, line: &'static str) -> Worked {
    Worked { box_player, captain, scores, line }
}

/// Rolls: B 6, A and D 5, C 3, E 2, F 1; A and D again: 2 and 4. So the line is B D A C E F (Q1).
#[rustfmt::skip]
const WORKED: [Worked; 22] = [
    // 1. The box wins a point from each of five (E1); the captain goes to the end (Q3).
    game('B', 'D', "A-1 B+5 C-1 D-1 E-1 F-1", "BACEFD"),
    // 2. A at 2, four at 1. The captain won: A is the box, and the old box is last (Q4).
    game('B', 'A', "A+2 B-6 C+1 D+1 E+1 F+1", "ACEFDB"),
    // 3. Gammon at 2 against C, E, B: 4 each; F and D dropped at 1. 12 + 2 = 14.
    game('A', 'C', "A+14 B-4 C-4 D-1 E-4 F-1", "AEFDBC"),
    // 4. Everybody dropped at 1: the box stays, and the captain goes to the end.
    game('A', 'E', "A+5 B-1 C-1 D-1 E-1 F-1", "AFDBCE"),
    // 5. Gammon of the team: F at 4, 8 points; the other four at 1, 2 each. 8 + 8 = 16.
    game('A', 'F', "A-16 B+2 C+2 D+2 E+2 F+8", "FDBCEA"),
    // 6. D and C lose at 2, E and A at 1; the box dropped B's at 1. 2 + 2 + 1 + 1 - 1 = 5.
    // The captain lost and goes to the end, with only G behind, who came in during the game (Q5).
    game('F', 'D', "A-1 B+1 C-2 D-2 E-1 F+5", "FBCEADG"),
    // 7. The box dropped all six: the captain becomes the box.
    game('F', 'B', "A+1 B+1 C+1 D+1 E+1 F-6 G+1", "BCEADGF"),
    // 8. Backgammon against E, D, G, F at 1: 3 each. A dropped at 1, the box dropped C's redouble at 2.
    // 12 + 1 - 2 = 11; but the captain's bet is lost, and with it the box (Q12).
    game('B', 'C', "A-1 B+11 C+2 D-3 E-3 F-3 G-3", "CEADGFB"),
    // 9. Gammon of the team: E at 2, 4 points; five at 1, 2 each. 4 + 10 = 14.
    game('C', 'E', "A+2 B+2 C-14 D+2 E+4 F+2 G+2", "EADGFBC"),
    // A, the captain, leaves: E D G F B C.
    // 10. Gammon against five at 1.
    game('E', 'D', "B-2 C-2 D-2 E+10 F-2 G-2", "EGFBCD"),
    // E, the box, leaves: G F B C D.
    // 11. F dropped the redouble at 2; B wins at 2, C and D at 1. 2 - 2 - 1 - 1 = -2. The box lost on
    //     balance, but beat the captain: it stays.
    game('G', 'F', "B+2 C+1 D+1 F-2 G-2", "GBCDF"),
    // A comes back, at the end: G B C D F A.
    // 12. B loses at 4, D, F, A at 2; the box dropped C's redouble at 2. 4 + 6 - 2 = 8.
    game('G', 'B', "A-2 B-4 C+2 D-2 F-2 G+8", "GCDFAB"),
    // 13. Backgammon of the team, five at 1: 3 each.
    game('G', 'C', "A+3 B+3 C+3 D+3 F+3 G-15", "CDFABG"),
    // 14. D dropped at 1 and went home; F wins at 2, A, B, G at 1. 1 - 2 - 3 = -4. The captain lost:
    //     the box stays, and the line closes up over D.
    game('C', 'D', "A+1 B+1 C-4 D-1 F+2 G+1", "CFABG"),
    // E comes back, at the end: C F A B G E.
    // 15. F and A lose at 2, E at 1; the box dropped B and G at 1. 4 + 1 - 2 = 3.
    game('C', 'F', "A-2 B+1 C+3 E-1 F-2 G+1", "CABGEF"),
    // 16. A doubled to 2, was redoubled to 4, and the box dropped 8: it loses 4. Four lose at 1.
    game('C', 'A', "A+4 B-1 C+0 E-1 F-1 G-1", "ABGEFC"),
    // 17. Four dropped at 1; C took, redoubled to 4, and wins a gammon: 8. 4 - 8 = -4. The captain
    //     had dropped: the box stays, though the last standing beat it.
    game('A', 'B', "A-4 B-1 C+8 E-1 F-1 G-1", "AGEFCB"),
    // 18. Five win at 1.
    game('A', 'G', "A-5 B+1 C+1 E+1 F+1 G+1", "GEFCBA"),
    // 19. The box dropped E, the captain, at 1. Gammon against F at 2, against C, B, A at 1.
    //     4 + 6 - 1 = 9; E is box.
    game('G', 'E', "A-2 B-2 C-2 E+1 F-4 G+9", "EFCBAG"),
    // 20. F loses at 4, the other four at 2.
    game('E', 'F', "A-2 B-2 C-2 E+12 F-4 G-2", "ECBAGF"),
    // 21. Backgammon of the team: C at 2, 6 points; four at 1, 3 each. 6 + 12 = 18.
    game('E', 'C', "A+3 B+3 C+6 E-18 F+3 G+3", "CBAGFE"),
    // 22. A and G dropped at 1; gammon against B at 4, F and E at 2. 2 + 8 + 4 + 4 = 18.
    game('C', 'B', "A-1 B-8 C+18 E-4 F-4 G-1", "CAGFEB"),
];

/// The scores of the night, added up by hand; at 5 euro a point.
const STANDINGS: [(char, i64); 7] =
    [('C', 16), ('B', 2), ('G', -1), ('A', -2), ('D', -3), ('E', -3), ('F', -9)];
/// The value of a point, in cents.
const STAKE: i64 = 500;

/// Anything that a chouette can be played on.
pub trait Table {
    /// Carries out a command that has names for ids. A refusal is its code.
    fn command(&mut self, command: &Value) -> Result<(), String>;
    /// The state as the API shows it, with names instead of ids.
    fn view(&mut self) -> Value;
}

/// The result of a game: box, captain, half points by first letter, line after it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Played {
    box_player: String,
    captain: String,
    scores: BTreeMap<char, i64>,
    line: String,
}

impl From<&Worked> for Played {
    fn from(worked: &Worked) -> Self {
        let scores = worked.scores.split(' ').map(|score| {
            let (player, points) = score.split_at(1);
            (letter(player), points.parse::<i64>().unwrap() * 2)
        });
        Self {
            box_player: worked.box_player.into(),
            captain: worked.captain.into(),
            scores: scores.collect(),
            line: worked.line.into(),
        }
    }
}

fn letter(name: &str) -> char {
    name.chars().next().unwrap()
}

fn letters(names: &Value) -> String {
    names.as_array().unwrap().iter().map(|name| letter(name.as_str().unwrap())).collect()
}

fn one(name: &Value) -> String {
    letter(name.as_str().unwrap()).into()
}

/// Scores by first letter, from a list of objects with `player` and half points under `key`.
fn scores(list: &Value, key: &str) -> BTreeMap<char, i64> {
    let list = list.as_array().unwrap().iter();
    list.map(|score| (letter(score["player"].as_str().unwrap()), score[key].as_i64().unwrap())).collect()
}

fn nights() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/nights")
}

/// The lines of the night: the header, then the commands.
pub fn friday() -> Vec<Value> {
    let text = std::fs::read_to_string(nights().join("friday.jsonl")).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Plays the night on `table`, which was opened with the night's header. Checks every game, the standings and
/// every refusal against the results worked out by hand.
#[track_caller]
pub fn plays_friday(table: &mut dyn Table) {
    let mut games: Vec<Played> = Vec::new();
    let mut before = BTreeMap::new();
    let mut game = Played::default();
    for mut line in friday().into_iter().skip(1) {
        let expected = line.as_object_mut().unwrap().remove("expect");
        let expected = expected.map_or(Ok(()), |code| Err(code.as_str().unwrap().to_owned()));
        assert_eq!(table.command(&line), expected, "{line}");
        let view = table.view();
        let finished = usize::try_from(view["games"].as_u64().unwrap()).unwrap();
        if line["command"] == "start_game" && expected.is_ok() {
            before = scores(&view["standings"], "points");
            game = Played { box_player: one(&view["box"]), captain: one(&view["captain"]), ..game };
        }
        // A game that is undone disappears, and comes back with redo.
        games.truncate(finished);
        if finished > games.len() {
            let mut won = scores(&view["standings"], "points");
            won.iter_mut().for_each(|(player, points)| *points -= before.get(player).unwrap_or(&0));
            // Players outside the game won nothing. The table does not list them.
            let named = Played::from(&WORKED[games.len()]).scores;
            won.retain(|player, points| *points != 0 || named.contains_key(player));
            game.scores = won;
            game.line = letters(&view["line"]);
            games.push(game.clone());
        }
    }
    check(&games);
    let view = table.view();
    assert_eq!(view["phase"], "closed");
    let standings = STANDINGS.map(|(player, points)| (player, points * 2)).into_iter().collect();
    assert_eq!(scores(&view["standings"], "points"), standings);
}

#[track_caller]
fn check(games: &[Played]) {
    for (number, (played, worked)) in (1..).zip(games.iter().zip(&WORKED)) {
        let worked = Played::from(worked);
        assert_eq!(worked.scores.values().sum::<i64>(), 0, "game {number} was worked out wrongly");
        assert_eq!(*played, worked, "game {number}");
    }
    assert_eq!(games.len(), WORKED.len());
}

/// Runs `owlbox night` on a file.
fn owlbox_night(file: &str, input: Stdio) -> Output {
    Command::new(env!("CARGO_BIN_EXE_owlbox")).args(["night", file]).stdin(input).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::str::from_utf8(&output.stdout).unwrap()
}

/// Door: line.
#[test]
fn a_night_worked_by_hand_through_the_command_line() {
    let output = owlbox_night(nights().join("friday.jsonl").to_str().unwrap(), Stdio::null());
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    let games: Vec<Played> = report["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| Played {
            box_player: one(&game["box"]),
            captain: one(&game["captain"]),
            scores: scores(&game["scores"], "half_points"),
            line: letters(&game["after"]["line"]),
        })
        .collect();
    check(&games);
    for game in report["games"].as_array().unwrap() {
        let mut by_bets: BTreeMap<&str, i64> = BTreeMap::new();
        for bet in game["bets"].as_array().unwrap() {
            let points = bet["half_points"].as_i64().unwrap();
            *by_bets.entry(bet["winner"].as_str().unwrap()).or_default() += points;
            *by_bets.entry(bet["loser"].as_str().unwrap()).or_default() -= points;
        }
        for score in game["scores"].as_array().unwrap() {
            assert_eq!(score["half_points"], by_bets[score["player"].as_str().unwrap()], "{game}");
        }
    }
    let order: Vec<(char, i64)> = report["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|score| (letter(score["player"].as_str().unwrap()), score["half_points"].as_i64().unwrap() / 2))
        .collect();
    assert_eq!(order, STANDINGS);
    for (player, points) in STANDINGS {
        for (unit, amount) in [("half_points", points * 2), ("EUR", points * STAKE)] {
            let found = report["balances"].as_array().unwrap().iter().find(|balance| {
                letter(balance["player"].as_str().unwrap()) == player && balance["unit"] == unit
            });
            assert_eq!(found.unwrap()["amount"], amount, "{player} {unit}");
        }
    }
}

#[rstest]
#[case::a_night("friday")]
#[case::a_tournament("spring-open")]
fn a_night_gives_the_same_answer_to_the_byte(#[case] night: &str) {
    let expected = std::fs::read_to_string(nights().join(format!("{night}.expected.json"))).unwrap();
    let file = std::fs::File::open(nights().join(format!("{night}.jsonl"))).unwrap();
    assert_eq!(stdout(&owlbox_night("-", file.into())), expected);
}

/// The desk without HTTP in front of it.
struct AtTheDesk {
    runtime: tokio::runtime::Runtime,
    night: Night,
}

impl Table for AtTheDesk {
    fn command(&mut self, command: &Value) -> Result<(), String> {
        let line = Line { number: 1, to: To::Table(None), command: command.clone().into(), expect: None };
        self.runtime.block_on(self.night.play(&line)).map_err(|error| match error {
            NightError::Refused { code, .. } => code.to_string(),
            other => panic!("{other}"),
        })
    }
    fn view(&mut self) -> Value {
        self.runtime.block_on(self.night.view()).unwrap()
    }
}

#[rstest]
fn a_night_worked_by_hand_at_the_desk(#[values(Db::one(), Db::other())] db: Db) {
    let Some(database) = db.fresh() else { return };
    let url = database.url.parse().unwrap();
    let script = Script::read(&std::fs::read_to_string(nights().join("friday.jsonl")).unwrap()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let store = Store::open(&url, &Options::default()).unwrap();
    let night = runtime.block_on(Night::opened(&script, store)).unwrap();
    let mut table = AtTheDesk { runtime, night };
    plays_friday(&mut table);
    let checked = verify(&mut Store::open_for_reading(&url).unwrap()).unwrap();
    assert_eq!((checked.chouettes, checked.seats, checked.players), (1, 7, 7));
    // One of the games was undone and played again.
    assert_eq!(checked.transactions, 22 + 2);
    // A corrupted table is found here as on SQLite, where each table is tried in turn.
    database.execute("UPDATE balance SET amount = amount + 1 WHERE unit = 'EUR'");
    let difference = verify(&mut Store::open_for_reading(&url).unwrap()).unwrap_err().to_string();
    assert!(difference.starts_with("balance, player "), "{difference}");
}

impl Table for house::Table {
    fn command(&mut self, command: &Value) -> Result<(), String> {
        let answer = house::Table::command(self, command);
        if answer.status == 200 { Ok(()) } else { Err(answer.body["code"].as_str().unwrap().to_owned()) }
    }
    fn view(&mut self) -> Value {
        self.state()
    }
}

/// Door: line.
#[rstest]
fn a_night_worked_by_hand_over_rest(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let client = house.admin();
    let names = ["Ada", "Bruno", "Chiara", "Dino", "Elena", "Fabio", "Giulia"];
    let players = names.map(|name| (name.to_owned(), house.player(&client, name)));
    let header = friday().remove(0);
    let new = json!({ "name": header["name"], "stake": header["stake"], "rules": header["rules"] });
    let opened = client.post("/api/v1/chouettes", &new).good();
    let id = opened.body["chouette"]["id"].as_str().unwrap().to_owned();
    let mut table = house::Table { client, id, players: players.into_iter().collect() };
    plays_friday(&mut table);
    for (player, points) in STANDINGS {
        let name = names.into_iter().find(|name| letter(name) == player).unwrap();
        assert_eq!(table.balance(name, "half_points"), points * 2, "{name}");
        assert_eq!(table.balance(name, "EUR"), points * STAKE, "{name}");
    }
    let verified = house.server.command(&["verify"]).output().unwrap();
    assert!(stdout(&verified).contains("chouettes 1, seats 7, matches 0, transactions 24"));
}

#[rstest]
fn a_whole_night_taken_back_in_one_act_leaves_books_at_zero(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let client = house.admin();
    let names = ["Ada", "Bruno", "Chiara", "Dino", "Elena", "Fabio", "Giulia"];
    let players = names.map(|name| (name.to_owned(), house.player(&client, name)));
    let header = friday().remove(0);
    let new = json!({ "name": header["name"], "stake": header["stake"], "rules": header["rules"] });
    let opened = client.post("/api/v1/chouettes", &new).good();
    let id = opened.body["chouette"]["id"].as_str().unwrap().to_owned();
    let mut table = house::Table { client, id, players: players.into_iter().collect() };
    plays_friday(&mut table);
    let closed = table.state();
    let acts = closed["undo"]["acts"].clone();
    let undo = json!({"command": "undo", "act": closed["undo"]["act"], "acts": acts});

    // The preview of the undo, which does not carry it out.
    let preview = table.client.post(&table.path("/preview"), &undo).good().body;
    assert_eq!(preview["acts"].as_array().unwrap().len(), usize::try_from(acts.as_u64().unwrap()).unwrap());
    assert_eq!(preview["acts"][0]["events"][0]["event"], "closed", "newest first");
    assert_eq!(preview["chouette"]["phase"], "gathering");
    let changes = table.with_names(&preview["changes"]);
    let taken = STANDINGS.into_iter().filter(|(_, points)| *points != 0);
    assert_eq!(scores(&changes, "points"), taken.map(|(player, points)| (player, points * -2)).collect());
    assert_eq!(table.state(), closed, "nothing has changed");

    let done = house::Table::command(&table, &undo).good().body;
    let entries = done["act"]["events"].as_array().unwrap();
    assert!(entries.iter().all(|entry| entry["event"] == "undone"));
    assert_eq!(json!(entries.len()), acts);
    let events = |body: &Value| body["version"].as_i64().unwrap();
    assert_eq!(events(&done["chouette"]), events(&closed) + acts.as_i64().unwrap(), "a version each");
    let verified = || stdout(&house.server.command(&["verify"]).output().unwrap()).to_owned();
    for name in names {
        assert_eq!((table.balance(name, "half_points"), table.balance(name, "EUR")), (0, 0), "{name}");
    }
    // All twenty-two games are posted, and each has its reversal, the last one first.
    assert!(verified().contains("chouettes 1, seats 0, matches 0, transactions 46"), "{}", verified());
    let path = format!("/api/v1/players/{}/statement?limit=200&unit=EUR", table.players["Bruno"]);
    let lines = table.client.get(&path).good().body;
    assert_eq!((&lines["items"][0]["game"], &lines["items"][0]["kind"]), (&json!(1), &json!("reversal")));

    house::Table::command(&table, &json!({"command": "redo", "acts": acts})).good();
    for (player, points) in STANDINGS {
        let name = names.into_iter().find(|name| letter(name) == player).unwrap();
        assert_eq!(table.balance(name, "EUR"), points * STAKE, "{name}");
    }
    let again = table.state();
    for same in ["phase", "line", "standings", "games"] {
        assert_eq!(again[same], closed[same], "{same}");
    }
    assert!(verified().contains("chouettes 1, seats 7, matches 0, transactions 68"), "{}", verified());
}

#[test]
fn a_night_takes_back_several_acts_by_their_number() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let joins = ["Ada", "Bruno", "Chiara"].map(|name| json!({"command": "join", "player": name}).to_string());
    let then = [
        r#"{"command":"draw_order"}"#,
        r#"{"command":"start_game"}"#,
        r#"{"command":"finish","winner":"team","win":"single"}"#,
        r#"{"command":"undo","acts":7,"expect":"fewer_acts_to_undo"}"#,
        r#"{"command":"undo","acts":0,"expect":"invalid_body"}"#,
        r#"{"command":"undo","acts":2}"#,
        r#"{"command":"redo","acts":2}"#,
        r#"{"command":"undo","acts":2}"#,
    ];
    let night = [&[HEADER.to_owned()][..], &joins, &then.map(str::to_owned)].concat().join("\n");
    // Three joined, the order was drawn, and one game was played: six acts can be undone.
    std::fs::write(file.path(), night).unwrap();
    let output = owlbox_night(file.path().to_str().unwrap(), Stdio::null());
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!((&report["phase"], &report["version"]), (&json!("between_games"), &json!(13)));
    assert!(report["games"].as_array().unwrap().is_empty());
}

/// The fenced blocks of `docs/night-files.md` with this word after the fence.
fn documented(kind: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/night-files.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once(&format!("```{kind}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_documented_night_gives_the_documented_answer() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), documented("jsonl")).unwrap();
    let output = owlbox_night(file.path().to_str().unwrap(), Stdio::null());
    assert_eq!(stdout(&output), documented("json"));
}

const HEADER: &str = r#"{"night":1,"seed":1,"start":"2026-11-20T19:00:00Z"}"#;

#[rstest]
#[case::no_header("", "line 1: malformed_json: there is no header")]
#[case::no_json("{", "line 1: malformed_json: EOF")]
#[case::format(
    r#"{"night":2,"seed":1,"start":"2026-11-20T19:00:00Z"}"#,
    "line 1: invalid_body: night: this program reads nights of format 1"
)]
#[case::unknown_rule(
    r#"{"night":1,"seed":1,"start":"2026-11-20T19:00:00Z","rules":{"jacoby":"sometimes"}}"#,
    "line 1: invalid_body: unknown variant `sometimes`"
)]
#[case::bad_name(r#"{"night":1,"seed":1,"start":"2026-11-20T19:00:00Z","name":" "}"#, "line 1: bad_name")]
#[case::refused("HEADER\n\n# Nobody is here.\n{\"command\":\"start_game\"}", "line 4: no_order")]
#[case::unknown_command("HEADER\n{\"command\":\"dance\"}", "line 2: invalid_body: unknown variant `dance`")]
#[case::unknown_field(
    "HEADER\n{\"command\":\"close\",\"now\":true}",
    "line 2: invalid_body: unknown field `now`"
)]
#[case::unknown_player("HEADER\n{\"command\":\"double\",\"player\":\"Nobody\"}", "line 2: no_game")]
#[case::names_in_details(
    "HEADER\n{\"command\":\"join\",\"player\":\"Ada\"}\n{\"command\":\"leave\",\"player\":\"Zoe\"}",
    "line 3: unknown_player: Zoe"
)]
#[case::not_refused(
    "HEADER\n{\"command\":\"join\",\"player\":\"Ada\",\"expect\":\"closed\"}",
    "line 2: not_refused: closed was expected"
)]
#[case::refused_otherwise("HEADER\n{\"command\":\"start_game\",\"expect\":\"closed\"}", "line 2: no_order")]
fn a_refused_line_is_named_with_its_code(#[case] night: &str, #[case] said: &str) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), night.replace("HEADER", HEADER)).unwrap();
    let output = owlbox_night(file.path().to_str().unwrap(), Stdio::null());
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(output.stdout.is_empty());
    assert!(error.starts_with(&format!("owlbox: {said}")), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}
