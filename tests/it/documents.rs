//! Everything that the documents mention exists: commands, settings, routes, metrics, files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::CommandFactory as _;
use owlbox::cli::args::CommandLine;
use owlbox_base::permissions::OrderKind;
use owlbox_http::config::{Config, DEFAULT};
use owlbox_http::telemetry::METRICS;
use owlbox_play::{matches, tournament};
use serde_json::json;

use crate::readme::fenced;
use crate::support::contract;
use crate::support::databases::Db;
use crate::support::house::House;
use crate::support::server::Server;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The documents in the root and in docs/, each with its path.
fn documents() -> Vec<(PathBuf, String)> {
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let documents = docs.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    documents
        .chain(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map(|file| root().join(file)))
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect()
}

/// The contents of all backquotes in a text.
fn spans(text: &str) -> Vec<String> {
    let mut outside = String::new();
    let mut is_inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_inside = !is_inside;
        } else if !is_inside {
            outside.push_str(line);
            outside.push('\n');
        }
    }
    outside.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Everything in a document that a reader may type: code spans, and the lines of shell blocks.
fn typed(text: &str) -> Vec<String> {
    let shells =
        fenced(text).into_iter().filter(|(language, _)| matches!(language.as_str(), "sh" | "bash" | "ini"));
    let lines = shells.flat_map(|(_, block)| block.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.chain(spans(text)).collect()
}

/// Every setting of the configuration, written like `http.listen`.
fn settings() -> BTreeSet<String> {
    let mut settings = BTreeSet::new();
    let mut section = "";
    for line in DEFAULT.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name;
        } else if let Some((key, _)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) {
            settings.insert(format!("{section}.{key}"));
        }
    }
    settings
}

#[test]
fn every_command_of_the_documents_is_one() {
    let mut program = CommandLine::command();
    program.build();
    let mut known = 0;
    for (path, text) in documents() {
        for line in typed(&text) {
            // The program's arguments: whatever follows its name, or cargo's two hyphens.
            let line = line.replace("cargo run --release -- ", "owlbox ").replace("target/release/", "");
            for command in line.split(['|', ';', '=']).flat_map(|part| part.split(" && ")) {
                let words: Vec<&str> = command.split_whitespace().collect();
                let is_program = |word: &str| word == "owlbox" || word.ends_with("/bin/owlbox");
                let begins = |at: usize| is_program(words[at]) && (at == 0 || words[at - 1] == "--");
                let Some(start) = (0..words.len()).find(|at| begins(*at)) else { continue };
                let mut at = &program;
                for word in &words[start + 1..] {
                    let name = word.trim_end_matches([',', '.']);
                    if let Some(below) = at.find_subcommand(name) {
                        (at, known) = (below, known + 1);
                    } else if let Some(option) = name.strip_prefix("--") {
                        let found = at.get_arguments().any(|argument| argument.get_long() == Some(option));
                        assert!(found, "{}: {command:?}: no option --{option}", path.display());
                    } else {
                        let may_be_value = at.get_name() != "owlbox" && at.get_name() != "admin";
                        assert!(may_be_value, "{}: {command:?}: no command {name}", path.display());
                    }
                }
            }
        }
    }
    assert!(known > 15, "the search finds only {known} commands");
}

#[test]
fn every_setting_of_the_documents_is_one() {
    let settings = settings();
    let sections: BTreeSet<&str> = settings.iter().filter_map(|key| Some(key.split_once('.')?.0)).collect();
    let mut known = 0;
    for (path, text) in documents() {
        for span in typed(&text) {
            let span = span.split(" = ").next().unwrap();
            if let Some((section, key)) = span.split_once('.')
                && sections.contains(section)
                && !["rs", "toml"].contains(&key)
            {
                assert!(settings.contains(span), "{}: {span}", path.display());
                known += 1;
            }
            if let Some((section, key)) = span.strip_prefix("OWLBOX_").and_then(|name| name.split_once("__"))
            {
                let key = format!("{section}.{key}").to_lowercase();
                assert!(settings.contains(&key), "{}: {span}", path.display());
            }
        }
    }
    assert!(known > 30, "the search finds only {known} settings");
}

#[test]
fn every_example_of_a_configuration_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut read = 0;
    for (path, text) in documents() {
        for (_, example) in fenced(&text).into_iter().filter(|(language, _)| language == "toml") {
            let file = folder.path().join("club.toml");
            std::fs::write(&file, &example).unwrap();
            if let Err(mistakes) = Config::from_layers(Some(&file), []) {
                panic!("{}: {mistakes}", path.display());
            }
            read += 1;
        }
    }
    assert!(read >= 2, "the search finds no example");
}

#[test]
fn every_route_of_the_documents_is_one() {
    let api = contract::document();
    let paths = api["paths"].as_object().unwrap();
    let mut known = 0;
    for (path, text) in documents() {
        for span in typed(&text) {
            let Some((method, route)) = span.split_once(' ') else { continue };
            if ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(&method) {
                let found = paths.get(route).is_some_and(|route| !route[method.to_lowercase()].is_null());
                assert!(found, "{}: {span}", path.display());
                known += 1;
            }
        }
    }
    assert!(known > 5, "the search finds only {known} routes");
}

#[test]
fn every_command_of_a_tournament_and_of_a_match_is_told() {
    let told = |document: &str| spans(&std::fs::read_to_string(root().join(document)).unwrap());
    let (tournaments, matches) = (told("docs/tournaments.md"), told("docs/api.md"));
    for command in OrderKind::<tournament::CommandKind>::all() {
        assert!(
            tournaments.iter().any(|span| span == command.name()),
            "docs/tournaments.md: {}",
            command.name()
        );
    }
    for command in OrderKind::<matches::CommandKind>::all() {
        assert!(matches.iter().any(|span| span == command.name()), "docs/api.md: {}", command.name());
    }
}

#[test]
fn every_file_that_is_linked_is_there_and_pictures_are_small() {
    for (path, text) in documents() {
        let links = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
        let pictures = text.split("src=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        for link in links.chain(pictures).filter(|link| !link.starts_with("http")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link}", path.display());
            if file.ends_with(".png") {
                assert!(target.metadata().unwrap().len() < 200_000, "{link}");
            }
            if !anchor.is_empty() {
                let text = std::fs::read_to_string(&target).unwrap();
                let found = text.lines().any(|line| line.starts_with('#') && anchor_of(line) == anchor);
                assert!(found, "{}: {link}", path.display());
            }
        }
    }
}

/// The anchor of a heading, as forges make it: letters, digits, hyphens and underscores are left.
fn anchor_of(heading: &str) -> String {
    let title = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    title.chars().filter(|letter| letter.is_alphanumeric() || ['-', '_'].contains(letter)).collect()
}

/// The program, the API, the metrics and the changelog name the same version.
#[test]
fn every_door_tells_the_version_that_the_changelog_begins_with() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let told = house.server.public().get("/api/v1/version").good().body;
    let version = told["version"].as_str().unwrap();
    let program = Command::new(env!("CARGO_BIN_EXE_owlbox")).arg("--version").output().unwrap();
    let said = String::from_utf8(program.stdout).unwrap();
    assert_eq!(said.split_whitespace().take(2).collect::<Vec<_>>(), ["owlbox", version]);
    let commit = told["commit"].as_str();
    assert!(commit.is_none_or(|commit| said.contains(commit)), "{said}{told}");
    let figures = house.server.public().get("/metrics").good();
    let info =
        format!("owlbox_build_info{{version=\"{version}\",commit=\"{}\"}} 1", commit.unwrap_or("unknown"));
    assert!(figures.text().contains(&info), "{info}: {figures}");
    let changes = std::fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let newest = changes.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
    assert_eq!(newest.split(' ').next(), Some(version));
}

/// The metrics of a busy service are exactly those that it declares, and the documents mention exactly those.
#[test]
fn every_figure_of_the_documents_is_counted_and_none_is_left_out() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = house.table(&["A", "B", "C"]);
    let _listener = table.client.events(&table.path("/events"), None);
    table.play(&[json!({"command": "start_game"})]);
    let figures = house.server.public().get("/metrics").good();
    let kept = figures.text().lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    let counted: BTreeSet<&str> = kept.filter(|name| name.starts_with("owlbox_")).collect();
    assert_eq!(counted, METRICS.iter().map(|figure| figure.name).collect());
    let operations = std::fs::read_to_string(root().join("docs/operations.md")).unwrap();
    let told = spans(&operations).into_iter().filter(|span| span.starts_with("owlbox_"));
    assert_eq!(told.collect::<BTreeSet<_>>(), counted.into_iter().map(str::to_owned).collect());
}

#[test]
fn a_problem_points_to_its_meaning() {
    let Some(database) = Db::Sqlite.fresh() else { return };
    let server = Server::start(&database);
    let public = server.public();
    let refused = public.post("/api/v1/sign-in", &json!({"login": "nobody", "password": "whatever it is"}));
    let kind = refused.body["type"].as_str().unwrap().to_owned();
    let (page, anchor) = kind.split_once('#').unwrap();
    assert_eq!((page, anchor), ("/docs/problems", "wrong_login_or_password"));
    let page = public.get(page).good();
    let text = page.body.as_str().unwrap();
    assert!(text.contains(&format!("id=\"{anchor}\"")), "{text}");
}

#[test]
fn the_building_blocks_of_pages_are_shown_by_day_and_by_night() {
    let Some(database) = Db::Sqlite.fresh() else { return };
    let server = Server::start(&database);
    let public = server.public();
    let page = public.get("/docs/ui").good();
    let text = page.body.as_str().unwrap();
    for block in ["Colours", "Buttons", "Notices", "Tables", "Fields", "Seats at a table"] {
        for theme in ["day", "night"] {
            let shown = format!("<div class=\"{theme}\" role=\"group\" aria-label=\"{block} by {theme}\">");
            assert_eq!(text.matches(&shown).count(), 1, "{shown}");
        }
    }
    assert!(public.weight_on_the_wire("/docs/ui") < 20_000);
}
