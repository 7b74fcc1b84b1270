//! What we write, read again by GNU Backgammon: in every variant that it knows, as match text and as SGF.
//!
//! It runs in text mode, reads each of our files, and exports what it has read as match text. That must be the same match by
//! our own reader: the same names, variant, scores, dice, cube actions and boards. Only the order in which it writes the
//! checkers of a play is its own.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support;

/// What GNU Backgammon played or exported, of each variant that it knows and we play.
const FILES: [&str; 5] = ["match7", "money", "cube_actions", "nackgammon", "hypergammon"];
/// It takes a quarter of a second.
const PATIENCE: Duration = Duration::from_secs(60);

fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/engine/tests/data/mat").join(format!("{file}.mat"))
}

/// A match in another format, by the command line.
fn converted(file: &Path, to: &str) -> String {
    let asked =
        Command::new(env!("CARGO_BIN_EXE_owlbox")).arg("convert").arg(file).args(["--to", to]).output();
    let said = asked.unwrap();
    assert!(said.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&said.stderr));
    String::from_utf8(said.stdout).unwrap()
}

/// What both must agree on.
fn as_json(file: &Path) -> Value {
    let mut told: Value = serde_json::from_str(&converted(file, "json")).unwrap();
    for game in told["games"].as_array_mut().unwrap() {
        for action in game["game"].as_array_mut().unwrap() {
            action.as_object_mut().unwrap().remove("move");
        }
    }
    // That Jacoby was played match text does not say, nor do all our files say when.
    for unsaid in ["rules", "date"] {
        told["match-info"].as_object_mut().unwrap().remove(unsaid);
    }
    told
}

/// Has GNU Backgammon do something in a folder, and gives what it said.
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
    // Without these it would ask, and take the next command for the answer.
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
    // What it wrote itself comes back to the last blank.
    for file in ["nackgammon", "hypergammon"] {
        let theirs = std::fs::read_to_string(folder.path().join(format!("{file}-mat.out"))).unwrap();
        assert_eq!(theirs, converted(&data(file), "mat"), "{file}");
    }
}
