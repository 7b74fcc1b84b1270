//! The night of docs/night-with-curl.md, and the tournament in docs/tournaments.md: their blocks are run as a
//! reader would copy them, and must print the output shown.
//!
//! A block fenced with `bash` is run, all of them in one shell. If a block fenced with `text` follows, that
//! is its output. Needs bash, curl and jq.

use std::path::Path;
use std::process::{Command, Stdio};

use rstest::rstest;

use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};

/// A block of the tour, and its expected output.
#[derive(Debug)]
struct Step {
    commands: String,
    prints: String,
}

/// The fenced blocks of a text, each with its language.
pub fn fenced(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((language.to_owned(), String::new())),
            (None, None) => {}
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, block)), None) => {
                block.push_str(line);
                block.push('\n');
            }
        }
    }
    blocks
}

/// The steps of the section of a document with this title.
fn steps(document: &str, section: &str) -> Vec<Step> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    let text = std::fs::read_to_string(path).expect("the document");
    let (_, tour) = text.split_once(&format!("\n## {section}\n")).expect("the section");
    let tour = tour.split("\n## ").next().unwrap_or(tour);
    let mut steps: Vec<Step> = Vec::new();
    for (language, block) in fenced(tour) {
        match language.as_str() {
            "bash" => steps.push(Step { commands: block, prints: String::new() }),
            "text" => steps.last_mut().expect("what prints it stands before").prints = block,
            other => panic!("the tour has a block of {other:?}"),
        }
    }
    steps
}

/// The separator between the outputs of two steps.
const MARK: &str = "--- next step ---";

#[rstest]
#[case::a_night("docs/night-with-curl.md", "The night", 10)]
#[case::a_tournament("docs/tournaments.md", "By script", 5)]
fn what_is_done_with_curl_goes_as_is_said(
    #[case] document: &str,
    #[case] section: &str,
    #[case] at_least: usize,
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let steps = steps(document, section);
    assert!(steps.len() > at_least, "the tour has lost its blocks: {steps:?}");
    let mut script = String::from("set -eo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n");
    for step in &steps {
        script.push_str(&format!("{}\necho '{MARK}'\n", step.commands));
    }
    let folder = tempfile::Builder::new().prefix("owlbox-test.").tempdir().expect("a temporary folder");
    let output = Command::new("timeout")
        .args(["120", "bash", "-c", &script])
        .current_dir(folder.path())
        // The reader's own curl settings and proxies must not matter.
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", folder.path())
        .env("OWLBOX", house.server.url())
        .env("LOGIN", ADMIN.0)
        .env("PASSWORD", ADMIN.1)
        .stdin(Stdio::null())
        .output()
        .expect("timeout and bash");
    let (printed, wrong) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let end = format!("{MARK}\n");
    let printed: Vec<&str> = printed.split_terminator(end.as_str()).collect();
    for (step, printed) in steps.iter().zip(&printed) {
        assert_eq!(*printed, step.prints, "from\n{}\n{wrong}", step.commands);
    }
    assert!(output.status.success() && printed.len() == steps.len(), "{}: {wrong}", output.status);
    assert!(house.server.command(&["verify"]).output().unwrap().status.success());
}
