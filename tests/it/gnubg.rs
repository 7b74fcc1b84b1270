//! Our files as read by GNU Backgammon: in every variant that it knows, as match text and as SGF.
//!
//! It runs in text mode, reads each of our files, and exports it as match text. To our own reader that must
//! be the same match: the same names, variant, scores, dice, cube actions and boards. Only the order of the
//! checkers in a play may differ.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use owlbox_engine::notation::play::write;
use owlbox_engine::tables::opening::{TODAY_BY, today};
use owlbox_engine::{Roll, Variant};
use serde_json::Value;

use crate::support;

/// Files that GNU Backgammon played or exported, covering each variant that both programs know.
const FILES: [&str; 5] = ["match7", "money", "cube_actions", "nackgammon", "hypergammon"];
/// The limit for one run. Most take a quarter of a second; all openings at once take a minute, and more on a
/// busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/engine/tests/data/mat").join(format!("{file}.mat"))
}

/// A match converted to another format with the command line.
fn converted(file: &Path, to: &str) -> String {
    let asked =
        Command::new(env!("CARGO_BIN_EXE_owlbox")).arg("convert").arg(file).args(["--to", to]).output();
    let said = asked.unwrap();
    assert!(said.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&said.stderr));
    String::from_utf8(said.stdout).unwrap()
}

/// The match as JSON, without what the two need not agree on.
fn as_json(file: &Path) -> Value {
    let mut told: Value = serde_json::from_str(&converted(file, "json")).unwrap();
    for game in told["games"].as_array_mut().unwrap() {
        for action in game["game"].as_array_mut().unwrap() {
            action.as_object_mut().unwrap().remove("move");
        }
    }
    // Match text does not record Jacoby, and not all of our files have a date.
    for unsaid in ["rules", "date"] {
        told["match-info"].as_object_mut().unwrap().remove(unsaid);
    }
    told
}

/// Runs GNU Backgammon's commands in a folder and returns its output.
fn gnubg(program: &str, folder: &Path, commands: &str) -> String {
    let log = std::fs::File::create(folder.join("log")).unwrap();
    let mut child = Command::new(program)
        .args(["--tty", "--quiet", "--no-rc"])
        .current_dir(folder)
        .env("HOME", folder)
        .env("LC_ALL", "C.UTF-8")
        .env_remove("DISPLAY")
        .stdin(Stdio::piped())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(commands.as_bytes()).unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("gnubg does not come to an end: {}", std::fs::read_to_string(folder.join("log")).unwrap());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    String::from_utf8_lossy(&std::fs::read(folder.join("log")).unwrap()).into_owned()
}

#[test]
fn v2_gnu_backgammon_reads_what_we_write_in_every_variant_that_it_knows() {
    let Some(program) = support::gnubg() else { return };
    let folder = tempfile::tempdir().unwrap();
    // Without these settings it would ask questions, and read the next command as the answer.
    let mut commands =
        "set confirm new off\nset confirm save off\nset automatic game off\nset automatic roll off\n\
                        set display off\n"
            .to_owned();
    for file in FILES {
        for (format, import) in [("mat", "import mat"), ("sgf", "load match")] {
            let ours = format!("{file}.{format}");
            std::fs::write(folder.path().join(&ours), converted(&data(file), format)).unwrap();
            writeln!(commands, "{import} {ours}\nexport match mat {file}-{format}.out").unwrap();
        }
    }
    let said = gnubg(&program, folder.path(), &(commands + "quit\n"));
    for file in FILES {
        for format in ["mat", "sgf"] {
            let theirs = folder.path().join(format!("{file}-{format}.out"));
            assert!(theirs.is_file(), "{file}.{format} was not read: {said}");
            assert_eq!(as_json(&theirs), as_json(&data(file)), "{file} by way of {format}");
        }
    }
    // Its own files come back identical to the last blank.
    for file in ["nackgammon", "hypergammon"] {
        let theirs = std::fs::read_to_string(folder.path().join(format!("{file}-mat.out"))).unwrap();
        assert_eq!(theirs, converted(&data(file), "mat"), "{file}");
    }
}

/// The texts of other programs of which GNU Backgammon makes no match that it can write again, and what it
/// does not know.
const NOT_READ: [(&str, &str); 7] = [
    ("by-hand-blanks-lost.txt", "columns without blanks"),
    ("by-hand-dice-without-colons.txt", "dice without a colon, and another line for the length"),
    ("by-hand-other-verbs.txt", "accepting a double"),
    ("gammonview-with-a-gammon.mat", "a money game by that name"),
    ("opengammon-resigned-in-the-winner-s-column.mat", "a loss in a row of its own"),
    ("playok-names-with-signs.txt", "names with colons"),
    ("xg-in-utf-16.txt", "UTF-16"),
];
/// Those of which it reads a part, and what it passes over.
const READ_OTHERWISE: [(&str, &str); 6] = [
    ("galaxy-before-the-first-roll.txt", "a game without a roll"),
    ("galaxy-for-money.txt", "Jacoby in match text"),
    ("galaxy-two-rows-in-one-line.txt", "two rows in a line"),
    ("opengammon-resigned-the-match.mat", "a loss without a win line"),
    ("snowie-redoubles.txt", "redoubling by that name"),
    ("studio-concedes-after-the-roll.txt", "a loss right after the roll"),
];

/// For each game the score before it, the winner, the points, and every roll, board and cube action.
fn told(match_text: &Path) -> Vec<Vec<Value>> {
    let told: Value = serde_json::from_str(&converted(match_text, "json")).unwrap();
    let game = |game: &Value| {
        let info = ["score-X", "score-O", "winner", "points-won"].map(|key| game["info"][key].clone());
        // The steps of a play come in any order; the next board says where they led.
        let mut actions = game["game"].clone();
        for action in actions.as_array_mut().unwrap() {
            action.as_object_mut().unwrap().remove("move");
        }
        [&info[..], &[actions]].concat()
    };
    told["games"].as_array().unwrap().iter().map(game).collect()
}

#[test]
fn c02_to_c07_gnu_backgammon_reads_other_programs_texts_as_we_do() {
    let Some(program) = support::gnubg() else { return };
    let texts = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/engine/tests/data/mat/programs");
    let (mut alike, mut not_read, mut read_otherwise) = (0, Vec::new(), Vec::new());
    for text in std::fs::read_dir(texts).unwrap().map(|text| text.unwrap().path()) {
        let name = text.file_name().unwrap().to_str().unwrap().to_owned();
        if name == "README.md" {
            continue;
        }
        // One run for each, as it ends with some that it cannot read.
        let folder = tempfile::tempdir().unwrap();
        let commands = format!(
            "set confirm new off\nset confirm save off\nset automatic game off\nset automatic roll off\n\
             set display off\nimport mat {}\nexport match mat theirs.mat\nquit\n",
            text.display()
        );
        gnubg(&program, folder.path(), &commands);
        let theirs = folder.path().join("theirs.mat");
        let mut asked = Command::new(env!("CARGO_BIN_EXE_owlbox"));
        let asked = asked.arg("convert").arg(&theirs).args(["--to", "json"]);
        let readable = theirs.is_file() && asked.output().unwrap().status.success();
        if !readable {
            not_read.push(name);
        } else if told(&theirs) == told(&text) {
            alike += 1;
        } else {
            read_otherwise.push(name);
        }
    }
    not_read.sort();
    read_otherwise.sort();
    assert_eq!(not_read, NOT_READ.map(|(name, _)| name));
    assert_eq!(read_otherwise, READ_OTHERWISE.map(|(name, _)| name));
    assert!(alike >= 30, "{alike}");
}

/// Proves K2.
#[test]
fn f15_today_s_opening_plays_are_those_that_gnu_backgammon_finds() {
    let Some(program) = support::gnubg() else { return };
    let folder = tempfile::tempdir().unwrap();
    let ply = TODAY_BY.ply;
    let mut commands = format!(
        "set confirm new off\nset automatic game off\nset automatic roll off\nset automatic move off\n\
         set automatic bearoff off\nset player 0 human\nset player 1 human\nset display off\nset jacoby off\n\
         set evaluation chequerplay evaluation plies {ply}\n\
         set evaluation chequerplay evaluation cubeful on\nset evaluation chequerplay evaluation noise 0\n"
    );
    // All rolls take half a minute: OWLBOX_OPENINGS=all.
    let all = std::env::var_os("OWLBOX_OPENINGS").is_some();
    let rolls: Vec<Roll> =
        Roll::ALL.into_iter().filter(|roll| all || roll.high().pips() + roll.low().pips() == 8).collect();
    for roll in &rolls {
        let (high, low) = (roll.high(), roll.low());
        writeln!(
            commands,
            "new session\nset turn 1\nset board 4HPwATDgc/ABMA\nset dice {high} {low}\nhint 3"
        )
        .unwrap();
    }
    let said = gnubg(&program, folder.path(), &(commands + "quit\n"));
    assert!(said.contains(&format!("{} {}", TODAY_BY.program, TODAY_BY.version)), "{said}");
    let start = Variant::Standard.start();
    let found = said.split("The dice have been set to").skip(1);
    let mut compared = 0;
    for (roll, hints) in rolls.iter().zip(found) {
        let hints = hints.lines().filter(|line| line.contains("Eq.:"));
        let best = hints.filter_map(|line| {
            let (_, play) = line.split_once("-ply")?;
            let (play, equity) = play.split_once("Eq.:")?;
            let behind = equity
                .split_once("(-")
                .map_or(Ok(0.0), |(_, behind)| behind.trim().trim_end_matches(')').parse::<f64>());
            (behind.unwrap() < 0.0105).then(|| play.trim().to_owned())
        });
        let ours: Vec<_> = today(*roll).iter().map(|steps| write(start, *steps)).collect();
        assert_eq!(best.collect::<Vec<_>>(), ours, "{roll}");
        compared += 1;
    }
    assert_eq!(compared, rolls.len(), "{said}");
}
