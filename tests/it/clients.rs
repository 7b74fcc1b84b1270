//! The OpenAPI document as read by other people's programs: a validator, clients in Python and TypeScript
//! generated from nothing else, and schemathesis, which sends whatever the document allows and much that it
//! does not.
//!
//! They are what `tests/python/requirements.txt` and `tests/node` list; `bash tests/run.sh` installs it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};

/// How many generated requests schemathesis tries per operation. More of them find more.
const EXAMPLES: u32 = 2;
/// With this many instead, a long run tries all operations.
const MORE_EXAMPLES: &str = "OWLBOX_TEST_EXAMPLES";
/// Other runs try one of so many, each phase others.
const SHARE: usize = 8;

/// The Python with these programs, or `None` if they are to be skipped.
fn python() -> Option<Command> {
    let python = support::python()?;
    let mut command = Command::new(&python);
    // The client generator calls its formatter by name.
    let programs = Path::new(&python).parent().expect("a folder").to_owned();
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&rest)));
    command.env("PATH", path.expect("a path")).env("NO_COLOR", "1").env("PYTHONDONTWRITEBYTECODE", "1");
    Some(command)
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(name)
}

/// Writes the document to a file in a temporary folder.
fn written() -> (TempDir, PathBuf) {
    let folder = tempfile::Builder::new().prefix("owlbox-test.").tempdir().expect("a temporary folder");
    let file = folder.path().join("openapi.json");
    std::fs::write(&file, support::contract::document().to_string()).expect("a file");
    (folder, file)
}

/// Runs the command, which must succeed.
#[track_caller]
fn run(command: &mut Command) {
    let output = command.output().expect("it starts");
    let said =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
}

#[test]
fn the_document_is_one_of_openapi_3_1() {
    let Some(mut python) = python() else { return };
    let (_folder, file) = written();
    run(python.args(["-m", "openapi_spec_validator", "--schema", "3.1"]).arg(file));
}

/// The night of docs/night-with-curl.md and the tournament of docs/tournaments.md, through a generated
/// client; and a service that is newer than the client, whose answers have fields, codes, values and events
/// that it does not know.
#[test]
fn a_client_generated_from_the_document_does_what_is_done_with_curl() {
    let Some(mut generator) = python() else { return };
    let (folder, file) = written();
    run(generator
        .args(["-m", "openapi_python_client", "generate", "--fail-on-warning", "--meta", "none", "--path"])
        .arg(file)
        .arg("--output-path")
        .arg(folder.path().join("owlbox_client")));
    for story in ["night.py", "tournament.py", "additions.py"] {
        let (Some(mut python), Some(house)) = (python(), House::open(Db::Sqlite)) else { return };
        run(python
            .arg(program(story))
            .env("PYTHONPATH", folder.path())
            .env("OWLBOX", house.server.url())
            .env("LOGIN", ADMIN.0)
            .env("PASSWORD", ADMIN.1));
    }
}

/// The same night in TypeScript, with what `tests/node` installs beside the Python environment.
#[test]
fn types_generated_from_the_document_compile_and_play_the_night() {
    let (Some(python), Some(house)) = (support::python(), House::open(Db::Sqlite)) else { return };
    let programs = Path::new(&python).parent().expect("a folder");
    let packages = programs.join("../../node/node_modules").canonicalize().expect("what tests/node lists");
    let (folder, file) = written();
    let here = folder.path();
    std::os::unix::fs::symlink(&packages, here.join("node_modules")).expect("a link");
    for name in ["night.mts", "tsconfig.json"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node").join(name);
        std::fs::copy(source, here.join(name)).expect("a copy");
    }
    let node = |arguments: &[&str]| {
        let who = [("OWLBOX", house.server.url()), ("LOGIN", ADMIN.0), ("PASSWORD", ADMIN.1)];
        run(Command::new(programs.join("node")).args(arguments).current_dir(here).envs(who));
    };
    let document = file.to_str().expect("a path");
    node(&["node_modules/openapi-typescript/bin/cli.js", document, "--output", "owlbox.d.ts"]);
    node(&["node_modules/typescript/bin/tsc", "--project", "."]);
    node(&["night.mts"]);
}

/// A club with a bit of everything: a game in progress, a finished one, a match, a tournament that is drawn.
fn lively(house: &House) -> Client {
    let table = house.table_with(
        &["Anna", "Berto", "Carla"],
        &json!({"name": "Corner table", "stake": {"amount": 500, "currency": "EUR"}}),
    );
    table.play(&[
        json!({"command": "start_game"}),
        json!({"command": "finish", "winner": "box", "win": "gammon"}),
        json!({"command": "start_game"}),
        json!({"command": "double", "player": "Berto"}),
    ]);
    let admin = table.client.clone();
    let [anna, berto] = ["Anna", "Berto"].map(|name| table.players[name].clone());
    let duel = json!({"players": [anna, berto], "terms": {"play": "match", "length": 5}});
    admin.post("/api/v1/matches", &duel).good();
    let event = json!({"name": "Spring Open", "date": "2026-04-18", "currency": "EUR", "public": true});
    let event = admin.post("/api/v1/tournaments", &event).good().body;
    let tell = |command: Value| {
        let path = format!("/api/v1/tournaments/{}/commands", event["id"].as_str().expect("an id"));
        admin.post(&path, &command).good();
    };
    let entries: Vec<Value> = table.players.values().map(|player| json!({ "player": player })).collect();
    tell(json!({"command": "add_division", "settings": {"name": "Championship", "lengths": [7, 5]}}));
    tell(json!({"command": "enter", "entries": entries}));
    tell(json!({"command": "draw"}));
    admin
}

enum Who {
    Admin,
    Player,
    Stranger,
}

impl Who {
    /// The caller's access token; empty for a stranger.
    fn token(&self, house: &House, admin: &Client) -> String {
        match self {
            Self::Admin => house.access_token(ADMIN.0, ADMIN.1),
            Self::Player => {
                let dario = house.player(admin, "Dario");
                let invited = json!({"roles": ["player"], "player": dario});
                let invited = admin.post("/api/v1/accounts", &invited).good().body;
                let link = format!("/api/v1/links/{}", invited["secret"].as_str().expect("a secret"));
                let claim = json!({"login": "dario", "password": "quattro oche sul lago"});
                house.server.public().post(&link, &claim).good();
                house.access_token("dario", "quattro oche sul lago")
            }
            Self::Stranger => String::new(),
        }
    }
}

/// The operations that every run tries: one of eight, others for each turn.
fn share(turn: usize) -> Vec<String> {
    let document = support::contract::document();
    let paths = document["paths"].as_object().expect("paths").values();
    let operations = paths.flat_map(|path| path.as_object().expect("operations").values());
    let ids = operations.filter_map(|operation| operation["operationId"].as_str());
    ids.skip(turn).step_by(SHARE).map(str::to_owned).collect()
}

/// Has schemathesis test operations of the document in these phases: all of them, or a [`share`].
/// Nothing may fail, and every answer must match the document.
fn asked(who: &Who, phases: &str, examples: u32, turn: Option<usize>) {
    let Some(mut python) = python() else { return };
    // Nobody may be signed out or throttled before the end.
    let settings = [("AUTH__ACCESS_MINUTES", "60"), ("LIMITS__LIVE_STREAMS_PER_ACCOUNT", "1000")];
    let Some(house) = House::open_with(Db::Sqlite, &settings) else { return };
    let admin = lively(&house);
    let token = who.token(&house, &admin);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let more = std::env::var(MORE_EXAMPLES).ok().and_then(|number| number.parse().ok());
    let only = turn.filter(|_| more.is_none()).map(share).unwrap_or_default();
    let examples = more.unwrap_or(examples).to_string();
    run(python
        .args(["-m", "schemathesis.cli", "--config-file"])
        .arg(program("schemathesis.toml"))
        .arg("run")
        .arg(format!("{}/api/v1/openapi.json", house.server.url()))
        .args(["--phases", phases, "--max-examples", &examples, "--seed", "2611", "--warnings", "off"])
        .args(["--continue-on-failure"])
        .args(only.iter().flat_map(|id| ["--include-operation-id", id]))
        // A preview reads the same input as its command, so thousands of further requests would test nothing
        // new.
        .args((phases == "coverage").then_some(["--exclude-path-regex", "/preview$"]).iter().flatten())
        .env("OWLBOX_AUTHORIZATION", if token.is_empty() { String::new() } else { format!("Bearer {token}") })
        .current_dir(folder.path()));
    let logged = house.server.logged();
    assert!(!logged.contains("panicked") && !logged.contains("ERROR"), "{logged}");
    let verified = house.server.command(&["verify"]).output().expect("it runs");
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

/// Only a long run sends enough requests to meet a day that is refused.
#[test]
fn schemathesis_knows_that_days_of_a_query_may_be_refused() {
    let settings = std::fs::read_to_string(program("schemathesis.toml")).expect("its settings");
    let settings: Value = toml::from_str(&settings).expect("TOML");
    let refusing = settings["operations"].as_array().expect("operations").iter().filter(|one| {
        let accepted = &one["checks"]["positive_data_acceptance"]["expected-statuses"];
        accepted.as_array().is_some_and(|statuses| statuses.contains(&json!("400")))
    });
    let refusing: Vec<&Value> =
        refusing.flat_map(|one| one["include-operation-id"].as_array().expect("ids")).collect();
    let document = support::contract::document();
    let mut found = 0;
    let paths = document["paths"].as_object().expect("paths").values();
    for operation in paths.flat_map(|path| path.as_object().expect("operations").values()) {
        let asked = operation["parameters"].as_array().into_iter().flatten();
        let days = asked.filter(|one| one["in"] == "query" && one["schema"]["format"] == "date").count();
        let id = &operation["operationId"];
        assert!(days == 0 || refusing.contains(&id), "{id} is asked for a day");
        found += days;
    }
    assert!(found > 20, "days are asked for in {found} places");
}

#[test]
fn schemathesis_finds_nothing_as_an_admin() {
    asked(&Who::Admin, "examples,fuzzing", EXAMPLES, Some(0));
}

#[test]
fn schemathesis_finds_nothing_at_the_bounds_of_what_is_told() {
    asked(&Who::Admin, "coverage", EXAMPLES, Some(1));
}

#[test]
fn schemathesis_finds_nothing_where_one_request_follows_from_another() {
    asked(&Who::Admin, "stateful", 20, None);
}

#[test]
fn schemathesis_finds_nothing_as_a_player() {
    asked(&Who::Player, "examples,fuzzing", EXAMPLES, Some(2));
}

#[test]
fn schemathesis_finds_nothing_as_a_stranger() {
    asked(&Who::Stranger, "examples,fuzzing", EXAMPLES, Some(3));
}
