//! The commands of the engine and of brackets: plays, perft, show, play, opening, shots, convert, draw; and
//! docs/engine.md and docs/tournaments.md, which describe them.
//!
//! None of these needs a club. They run in an empty folder, with none of the test run's settings.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rstest::rstest;
use serde_json::{Value, json};

use crate::readme::fenced;

const START: &str = "4HPwATDgc/ABMA";

/// A file of the reference data.
fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/engine/tests/data").join(file)
}

fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("OWLBOX_") {
            command.env_remove(name);
        }
    }
    command
}

/// Runs the program with `input` on its standard input.
fn owlbox(arguments: &[&str], input: &[u8]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut child = command(env!("CARGO_BIN_EXE_owlbox"))
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    // Written from a thread, because the program answers while it still reads. One that reads no input may be
    // gone already.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "{arguments:?} left something");
    output
}

/// Expects success. Returns standard output.
#[track_caller]
fn good(arguments: &[&str], input: &[u8]) -> String {
    let output = owlbox(arguments, input);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Door: engine.
#[test]
fn g5_to_g12_plays_answers_every_reference_roll_with_the_legal_ids() {
    let asked = std::fs::read_to_string(data("legal_plays.jsonl")).unwrap();
    let (asked, answers) = (lines(&asked), lines(&good(&["plays"], asked.as_bytes())));
    assert_eq!((asked.len(), answers.len()), (1000, 1000));
    for (asked, answer) in asked.iter().zip(&answers) {
        for field in ["pos", "roll", "legal"] {
            assert_eq!(asked[field], answer[field], "{asked}");
        }
    }
}

/// Door: engine.
#[test]
fn g5_to_g12_plays_answers_every_edge_case_with_the_legal_ids() {
    let cases = std::fs::read(data("edge_cases.json")).unwrap();
    let cases: Value = serde_json::from_slice(&cases).unwrap();
    let cases = cases["cases"].as_array().unwrap();
    let asked = cases.iter().map(|case| json!({"pos": case["position"]["id"], "roll": case["roll"]}));
    let asked: String = asked.map(|line| format!("{line}\n")).collect();
    let answers = lines(&good(&["plays"], asked.as_bytes()));
    assert_eq!((cases.len(), answers.len()), (46, 46));
    for (case, answer) in cases.iter().zip(&answers) {
        assert_eq!(case["legal"], answer["legal"], "{case}");
        let plays = |of: &Value| of["plays"].as_array().unwrap().len();
        assert_eq!(plays(case), plays(answer), "{case}");
    }
}

#[test]
fn plays_takes_windows_line_ends_empty_lines_and_no_lines_at_all() {
    let line = format!("{{\"pos\":\"{START}\",\"roll\":[3,1]}}");
    let answer = good(&["plays"], line.as_bytes());
    assert_eq!(answer.lines().count(), 1, "also without an end of line");
    assert_eq!(good(&["plays"], format!("{line}\r\n\r\n\n{line}\r\n").as_bytes()), answer.repeat(2));
    assert_eq!(good(&["plays"], b""), "");
}

#[test]
fn plays_answers_the_rest_behind_a_broken_line_and_fails_at_the_end() {
    let input =
        format!("nonsense\n{{\"pos\":\"{START}\",\"roll\":[3,1]}}\n{{\"pos\":\"x\",\"roll\":[3,1]}}\n");
    let output = owlbox(&["plays"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "owlbox: 2 of the lines could not be answered\n");
    let answers = lines(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(answers.len(), 3);
    assert_eq!((&answers[0]["line"], &answers[2]["line"]), (&json!(1), &json!(3)));
    assert_eq!(answers[1]["legal"].as_array().unwrap().len(), 16);
    assert_eq!(
        answers[2]["error"],
        "pos: a position ID has 14 characters of base64, one of Plakoto 22 after its name"
    );
}

/// Door: engine.
#[test]
fn perft_counts_the_start() {
    for (depth, count) in [(0, 1), (1, 447), (2, 202_782)] {
        let said = good(&["perft", "--pos", START, "--depth", &depth.to_string()], b"");
        assert_eq!(lines(&said), [json!({"pos": START, "depth": depth, "count": count})]);
    }
    let divided = lines(&good(&["perft", "--pos", START, "--depth", "2", "--divide"], b""));
    assert_eq!(divided.len(), 22);
    let sum: u64 = divided[..21].iter().map(|line| line["count"].as_u64().unwrap()).sum();
    assert_eq!(sum, 202_782);
}

#[test]
fn v2_perft_counts_three_checkers_a_side() {
    let asked = ["perft", "--pos", "AACgAgAAKgAAAA", "--depth", "2", "--checkers", "3"];
    assert_eq!(lines(&good(&asked, b""))[0]["count"], 38_017);
}

/// Without a position the start is used, with the variant's number of checkers.
/// Door: engine.
#[test]
fn v2_v4_plays_perft_and_show_take_a_variant() {
    let hyper = good(&["perft", "--variant", "hyper_backgammon", "--depth", "2"], b"");
    assert_eq!(lines(&hyper)[0]["count"], 38_017);
    assert_eq!(lines(&good(&["perft", "--variant", "plakoto", "--depth", "1"], b""))[0]["depth"], 1);
    let plays = good(&["plays", "--variant", "hyper_backgammon", "--notation", "box"], b"{\"roll\":[6,5]}\n");
    assert!(lines(&plays)[0]["plays"].as_array().unwrap().contains(&"1A-12A".into()), "{plays}");
    let fevga = good(&["show", "--variant", "fevga"], b"");
    assert!(fevga.contains("\n  Position ID: fevga-"), "{fevga}");
    let opening = good(&["opening", "31", "--notation", "box"], b"");
    assert!(opening.ends_with("\n3-1: 8-5 & 6-5   today: 8-5 & 6-5\n"), "{opening}");
}

/// Door: engine.
#[test]
fn show_draws_a_position_and_names_it() {
    let said = good(&["show", "--pos", START], b"");
    assert!(said.starts_with(" +13-14-15-16-17-18------19-20-21-22-23-24-+  O: 167 pips, 0 off\n"), "{said}");
    assert!(said.ends_with("\n\n  Position ID: 4HPwATDgc/ABMA\n"), "{said}");
    let xgid = "XGID=-b----E-C---eE---c-e----B-:1:1:1:63:3:2:0:7:10";
    let said = good(&["show", "--xgid", xgid], b"");
    assert!(said.contains("cube 2 with X") && said.contains("rolled 6-3"), "{said}");
    assert!(said.ends_with(&format!("  Match ID: UQnvACAAGAAE\n  {xgid}\n")), "{said}");
    assert_eq!(good(&["show", "--xgid", xgid.trim_start_matches("XGID=")], b""), said, "without its prefix");
}

#[test]
fn v2_show_draws_a_game_of_three_checkers_a_side() {
    let three = good(&["show", "--pos", "AACgAgAAKgAAAA", "--checkers", "3"], b"");
    assert!(three.contains("X: 69 pips, 0 off"), "{three}");
}

#[rstest]
#[case::standard("standard", "")]
#[case::nackgammon("nackgammon", "")]
#[case::hyper_backgammon("hyper_backgammon", "")]
#[case::misere("misere", "")]
#[case::inverse("inverse", "")]
#[case::plakoto("plakoto", " by pinning the mother: 2\n")]
#[case::fevga("fevga", "")]
fn v1_to_v4_play_plays_a_whole_game_of_every_variant(#[case] variant: &str, #[case] ends: &str) {
    let asked = ["play", "--variant", variant, "--seed", "3"];
    let said = good(&asked, b"");
    assert!(said.contains(" begins\n") && said.contains(" wins ") && said.contains(ends), "{said}");
    assert_eq!(good(&asked, b""), said, "the same seed, the same game");
    let boards = good(&["play", "--variant", variant, "--seed", "3", "--boards"], b"");
    let turns = said.lines().filter(|line| line.contains(": ") && !line.starts_with("      ")).count();
    assert!(boards.matches("|BAR|").count() + 3 > turns, "{boards}");
}

#[test]
fn k2_opening_prints_the_recommended_play_of_every_roll() {
    // F15: the booklet's plays are named as such, and today's stand beside them.
    let sources =
        "As the rules in the game box print them (K2); today: GNU Backgammon 1.07.001, 3-ply, for money.\n";
    let of = |roll: &str| good(&["opening", roll], b"").strip_prefix(sources).unwrap().to_owned();
    assert_eq!(of("3-1"), "3-1: 8/5 6/5   today: 8/5 6/5\n");
    assert_eq!(of("12"), "2-1: 24/21 or 13/11 6/5   today: 24/23 13/11 or 13/11 6/5\n", "in either order");
    assert_eq!(good(&["opening"], b"").lines().count(), 22);
}

#[test]
fn k3_shots_prints_how_many_rolls_reach_a_point() {
    let said = good(&["shots"], b"");
    assert!(said.starts_with("   1 away: 11 of 36, 31 %\n   2 away: 12 of 36, 33 %\n"), "{said}");
    assert!(said.contains("\n  12 away:  3 of 36,  8 %\n"), "{said}");
}

#[test]
fn k3_g9_shots_of_a_position_names_the_rolls_that_hit() {
    let said = good(&["shots", "--pos", "4HPwASjgc/ABMA"], b"");
    let hits = "22 of 36, 61 %  3-2 3-3 4-1 4-3 4-4 5-1 5-2 5-3 5-4 5-5 6-1 6-5 6-6";
    assert!(said.starts_with(&format!("  1 point: {hits}\n  2 point: 27 of 36, 75 %  1-1 ")), "{said}");
    assert!(said.contains("\n      any: 34 of 36, 94 %  1-1 "), "{said}");
    assert_eq!(good(&["shots", "--pos", "4HPwATDgc/ABMA"], b""), "there is no blot\n");
}

/// From match text to `first`, to `second`, and back to the same bytes.
/// Proves G5, G6, G7, G8, G9, G10, G11, G12. Door: file.
#[rstest]
fn convert_brings_a_match_through_every_format_and_back(
    #[values("match7.mat", "money.mat", "cube_actions.mat", "nackgammon.mat", "hypergammon.mat")] file: &str,
    #[values("mat", "sgf", "json")] first: &str,
    #[values("mat", "sgf", "json")] second: &str,
) {
    let file = data(&format!("mat/{file}"));
    let there = good(&["convert", file.to_str().unwrap(), "--to", first], b"");
    let on = good(&["convert", "-", "--to", second], there.as_bytes());
    let back = good(&["convert", "-", "--to", "mat"], on.as_bytes());
    assert_eq!(back, std::fs::read_to_string(&file).unwrap());
}

#[test]
fn convert_takes_windows_line_ends_and_a_byte_order_mark() {
    let text = std::fs::read_to_string(data("mat/match7.mat")).unwrap();
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(good(&["convert", "-", "--to", "mat"], windows.as_bytes()), text);
}

#[test]
fn convert_writes_a_new_file_and_never_over_another() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("money.sgf");
    let (from, output) = (data("mat/money.mat"), output.to_str().unwrap());
    let asked = ["convert", from.to_str().unwrap(), "--to", "sgf", "--output", output];
    assert_eq!(good(&asked, b""), "");
    let written = std::fs::read_to_string(output).unwrap();
    assert_eq!(written, good(&asked[..4], b""));
    let again = owlbox(&asked, b"");
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8(again.stderr).unwrap().starts_with(&format!("owlbox: {output}: ")));
    assert_eq!(std::fs::read_to_string(output).unwrap(), written);
}

#[rstest]
#[case::empty("", "line 1, column 1: expected the length as \"7 point match\"")]
#[case::other_json("{}", "line 1, column 2: missing field `match-info`")]
#[case::other_game("(;GM[1])", "line 1, column 6: expected 6, which is backgammon")]
#[case::g8_one_number_left_unused(
    " 7 point match\n\n Game 1\n Ann : 0   Bob : 0\n  1) 33: 8/5 6/5\n",
    "line 5, column 6: these moves are not a legal play of the roll"
)]
fn convert_names_the_place_of_what_is_wrong(#[case] input: &str, #[case] why: &str) {
    let output = owlbox(&["convert", "-", "--to", "sgf"], input.as_bytes());
    assert_eq!((output.status.code(), output.stdout), (Some(1), vec![]));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("owlbox: -: {why}\n"));
}

#[rstest]
#[case::no_position(&["show", "--pos", "x"], 1, "owlbox: --pos: a position ID has 14 characters of base64, one of Plakoto 22 after its name\n")]
#[case::no_xgid(&["show", "--xgid", "x"], 1, "owlbox: --xgid: an XGID has 10 parts with colons between them, not 1\n")]
#[case::too_many_checkers(
    &["perft", "--pos", START, "--depth", "1", "--checkers", "3"],
    1,
    "owlbox: --pos: the bits of the position ID do not make a position\n"
)]
#[case::too_deep(&["perft", "--pos", START, "--depth", "6"], 2, "error: invalid value '6' for '--depth <N>'")]
#[case::no_variant(
    &["play", "--variant", "chess", "--seed", "1"],
    2,
    "error: invalid value 'chess' for '--variant <VARIANT>': one of standard, nackgammon,"
)]
#[case::no_roll(&["opening", "71"], 2, "error: invalid value '71' for '[ROLL]': a roll is two dice, as 31 or 3-1")]
#[case::no_roll_with_more(&["opening", "33x"], 2, "error: invalid value '33x' for '[ROLL]': a roll is two dice, as 31 or 3-1")]
#[case::another_game(
    &["show", "--pos", START, "--variant", "fevga"],
    1,
    "owlbox: --pos: the position is not of that game\n"
)]
#[case::no_notation(
    &["opening", "--notation", "roman"],
    2,
    "error: invalid value 'roman' for '--notation <NOTATION>': one of common, box, absolute"
)]
#[case::nothing_to_show(&["show"], 2, "error: the following required arguments were not provided")]
#[case::no_format(&["convert", "-", "--to", "pdf"], 2, "error: invalid value 'pdf' for '--to <FORMAT>'")]
#[case::no_file(&["convert", "none.mat", "--to", "sgf"], 1, "owlbox: none.mat: ")]
fn what_cannot_be_done_is_told_with_its_status(
    #[case] asked: &[&str],
    #[case] status: i32,
    #[case] why: &str,
) {
    let output = owlbox(asked, b"");
    assert_eq!((output.status.code(), output.stdout), (Some(status), vec![]));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with(why), "{error}");
}

/// Every block fenced with `sh` prints the following block fenced with `text`, errors included.
#[test]
fn the_examples_of_the_documents_print_what_they_say() {
    let read = |document: &str| {
        let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(document);
        fenced(&std::fs::read_to_string(document).unwrap())
    };
    let blocks: Vec<_> = ["engine.md", "tournaments.md"].into_iter().flat_map(read).collect();
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_owlbox")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(program.to_path_buf()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).unwrap();
    let mut tried = BTreeSet::new();
    for (at, (language, block)) in blocks.iter().enumerate().filter(|(_, (language, _))| language == "sh") {
        let output = command("sh")
            .args(["-c", &format!("exec 2>&1\n{block}")])
            .current_dir(folder.path())
            .env("PATH", &path)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let prints = blocks.get(at + 1).filter(|(language, _)| language == "text");
        let prints = prints.map_or("", |(_, prints)| prints.as_str());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), prints, "{language} block:\n{block}");
        let spoken = ["plays", "perft", "show", "play", "opening", "shots", "convert", "draw"];
        tried.extend(spoken.into_iter().filter(|name| {
            block.contains(&format!("owlbox {name} ")) || block.contains(&format!("owlbox {name}\n"))
        }));
    }
    assert_eq!(tried.len(), 8, "only {tried:?} have an example");
}
