//! The API's document, read by programs that others wrote: a validator of OpenAPI, schemathesis, and a client
//! in Python that is generated from nothing else.
//!
//! They are in the environment that `tests/python/requirements.txt` describes; `bash tests/run.sh` makes it.

use std::path::{Path, PathBuf};
use std::process::Command;

use rstest::rstest;

use crate::support;
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};

/// The Python that has the programs.
fn python() -> Option<Command> {
    let python = support::address(
        "OWLBOX_TEST_PYTHON",
        "OWLBOX_TEST_SKIP_PYTHON",
        "Python with the programs of PyPI",
    )?;
    let mut command = Command::new(&python);
    // A generator calls its formatter by name.
    let programs = Path::new(&python).parent().expect("a folder").to_owned();
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&rest)));
    command.env("PATH", path.expect("a path")).env("NO_COLOR", "1").env("PYTHONDONTWRITEBYTECODE", "1");
    Some(command)
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(name)
}

/// The document in a file of a folder of its own.
fn written() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::Builder::new().prefix("owlbox-test.").tempdir().expect("a temporary folder");
    let file = folder.path().join("openapi.json");
    std::fs::write(&file, support::contract::document().to_string()).expect("a file");
    (folder, file)
}

/// Runs it, which must end well; what it printed.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let printed =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{printed}", output.status);
    printed
}

#[test]
fn the_document_is_one_of_openapi_3_1() {
    let Some(mut python) = python() else { return };
    let (_folder, file) = written();
    run(python.args(["-m", "openapi_spec_validator", "--schema", "3.1"]).arg(file));
}

/// The README's night and the tournament in docs/tournaments.md, told in the words of a generated client.
#[rstest]
#[case::a_night("night.py")]
#[case::a_tournament("tournament.py")]
fn a_client_generated_from_the_document_does_what_is_done_with_curl(#[case] story: &str) {
    let Some(mut generator) = python() else { return };
    let Some(house) = House::open(Db::Sqlite) else { return };
    let (folder, file) = written();
    let client = folder.path().join("client");
    let printed = run(generator
        .args(["-m", "openapi_python_client", "generate", "--fail-on-warning", "--path"])
        .arg(file)
        .arg("--output-path")
        .arg(&client));
    let Some(mut python) = python() else { return };
    let story = python
        .arg(script(story))
        .env("PYTHONPATH", &client)
        .env("OWLBOX", house.server.url())
        .env("LOGIN", ADMIN.0)
        .env("PASSWORD", ADMIN.1);
    println!("{printed}{}", run(story));
}

/// Requests as the document allows them, and as it does not; one operation after another, and one with what
/// another gave. Nothing may fail, and every answer must be as it is told.
#[rstest]
#[case::each_operation("examples,coverage,fuzzing", "4")]
#[case::one_after_another("stateful", "12")]
fn schemathesis_finds_nothing(#[case] phases: &str, #[case] examples: &str) {
    let Some(mut python) = python() else { return };
    let limits = [("AUTH__ACCESS_MINUTES", "60"), ("LIMITS__LIVE_STREAMS_PER_ACCOUNT", "1000")];
    let Some(house) = House::open_with(Db::Sqlite, &limits) else { return };
    let token = house.access_token(ADMIN.0, ADMIN.1);
    run(python
        .args(["-m", "schemathesis.cli", "--config-file"])
        .arg(script("schemathesis.toml"))
        .arg("run")
        .arg(format!("{}/api/v1/openapi.json", house.server.url()))
        .args(["--phases", phases, "--max-examples", examples, "--seed", "2611", "--warnings", "off"])
        .env("OWLBOX_TOKEN", token)
        .current_dir(tempfile::tempdir().expect("a folder").path()));
}
