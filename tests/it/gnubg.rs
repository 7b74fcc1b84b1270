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

use serde_json::Value;

use crate::support;

/// Files that GNU Backgammon played or exported, covering each variant that both programs know.
const FILES: [&str; 5] = ["match7", "money", "cube_actions", "nackgammon", "hypergammon"];
/// The limit for one run, which usually takes a quarter of a second.
const PATIENCE: Duration = Duration::from_secs(60);

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
