//! `docs/rule-tests.md`: the tests that prove each rule and each door of `docs/rules.md`, and each setting of
//! `docs/house-rules.md`. They are found in the sources: by the rules that a test's name begins with
//! (`m1_m2_...`, `g5_to_g12_...`), by its setting (`setting_cubes_...`), and by lines above it such as
//! `Proves T3.` and `Doors: line, money.`

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

const BEGINNING: &str = "# Tests of the rules

Which tests prove each rule and each door of the [rules](rules.md), and each of the
[house rules](house-rules.md). This page is printed from the tests' names and from the lines above them, such
as `Proves T3.` and `Door: line.` Words are in the [glossary](glossary.md).

* [Rules](#rules)
* [Doors](#doors)
* [Settings](#settings)
";

/// A test in the sources.
struct Found {
    name: String,
    file: String,
    /// The lines of its documentation.
    about: Vec<String>,
}

impl Found {
    /// What a line of its documentation names after this word.
    fn named<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'a str> {
        let after = self.about.iter().filter_map(move |line| line.split_once(word).map(|(_, rest)| rest));
        after.flat_map(|rest| rest.split('.').next().unwrap_or_default().split(", "))
    }

    fn rules(&self) -> BTreeSet<String> {
        let cited = self.named("Proves ").map(str::to_owned);
        named_by(&self.name).into_iter().chain(cited).collect()
    }

    fn doors(&self) -> BTreeSet<&str> {
        self.named("Door: ").chain(self.named("Doors: ")).collect()
    }
}

/// The rules that a name begins with.
fn named_by(name: &str) -> Vec<String> {
    let mut rules: Vec<String> = Vec::new();
    let mut is_range = false;
    for word in name.split('_') {
        if !rules.is_empty() && ["to", "and"].contains(&word) {
            is_range = word == "to";
            continue;
        }
        let number = word.get(1..).unwrap_or_default();
        let is_rule = word.starts_with(|letter: char| letter.is_ascii_lowercase())
            && (number == "0" || !number.starts_with('0'))
            && number.strip_suffix('a').unwrap_or(number).parse::<u8>().is_ok();
        if !is_rule {
            break;
        }
        let rule = word[..1].to_uppercase() + number;
        if std::mem::take(&mut is_range) {
            let last = |rule: &str| rule[1..].parse::<u8>().unwrap();
            for between in last(rules.last().unwrap()) + 1..last(&rule) {
                rules.push(format!("{}{between}", &rule[..1]));
            }
        }
        rules.push(rule);
    }
    rules
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push(path);
        }
    }
}

/// All tests of the workspace, by file and then in the order in which they are written.
fn tests() -> Vec<Found> {
    let mut files = Vec::new();
    for folder in ["crates", "src", "tests"] {
        sources(&Path::new(ROOT).join(folder), &mut files);
    }
    files.sort();
    let mut found = Vec::new();
    for path in files {
        let file = path.strip_prefix(ROOT).unwrap().display().to_string();
        let (mut is_test, mut about) = (false, Vec::new());
        for line in std::fs::read_to_string(&path).unwrap().lines().map(str::trim) {
            let function = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ");
            if let Some(text) = line.strip_prefix("///") {
                about.push(text.trim().to_owned());
            } else if ["#[test]", "#[rstest", "#[tokio::test"].iter().any(|mark| line.starts_with(mark)) {
                is_test = true;
            } else if let Some(function) = function.filter(|_| is_test) {
                let name = function.split(['(', '<']).next().unwrap().to_owned();
                found.push(Found { name, file: file.clone(), about: std::mem::take(&mut about) });
                is_test = false;
            } else if line.is_empty() || function.is_some() {
                (is_test, about) = (false, Vec::new());
            }
        }
    }
    found
}

fn document(name: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join("docs").join(name)).unwrap()
}

/// The rows of all tables below a heading whose first column has this name, without their own heading.
fn rows<'a>(text: &'a str, first: &str) -> Vec<Vec<&'a str>> {
    let mut rows = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if !line.starts_with('|') {
            is_inside = false;
        } else if cells[0] == first {
            is_inside = true;
        } else if is_inside && !line.starts_with("|---") {
            rows.push(cells);
        }
    }
    rows
}

/// The rules of the document, in its order, each with its doors.
fn rules(text: &str) -> Vec<(&str, Vec<&str>)> {
    let rules = rows(text, "rule");
    rules.iter().map(|cells| (cells[0], cells.last().unwrap().split(", ").collect())).collect()
}

/// The settings of the document, and how the names of their tests begin.
fn settings(text: &str) -> Vec<(String, String)> {
    let keys = rows(text, "key").into_iter().map(|cells| cells[0].trim_matches('`').to_owned());
    let keys = keys.filter(|key| !key.is_empty());
    keys.map(|key| (key.clone(), format!("setting_{}", key.replace('.', "_")))).collect()
}

fn section<'t>(page: &mut String, title: &str, tests: impl IntoIterator<Item = &'t Found>) {
    write!(page, "\n### {title}\n\n").unwrap();
    let mut by_file: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for test in tests {
        by_file.entry(&test.file).or_default().push(&test.name);
    }
    for (file, names) in by_file {
        writeln!(page, "* {file}").unwrap();
        for name in names {
            writeln!(page, "    * `{name}`").unwrap();
        }
    }
}

/// After a change of a test's name or of what it cites, run this test again with `OWLBOX_BLESS=1`.
#[test]
fn the_page_of_tests_is_what_the_sources_say() {
    let (tests, told, house) = (tests(), document("rules.md"), document("house-rules.md"));
    let mut page = format!("{BEGINNING}\n## Rules\n");
    for (rule, _) in rules(&told) {
        section(&mut page, rule, tests.iter().filter(|test| test.rules().contains(rule)));
    }
    page.push_str("\n## Doors\n");
    for door in rows(&told, "door") {
        section(&mut page, door[0], tests.iter().filter(|test| test.doors().contains(door[0])));
    }
    page.push_str("\n## Settings\n");
    for (key, begins) in settings(&house) {
        section(&mut page, &key, tests.iter().filter(|test| test.name.starts_with(&begins)));
    }
    let path = Path::new(ROOT).join("docs/rule-tests.md");
    if std::env::var_os("OWLBOX_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &page).unwrap();
    }
    let printed = std::fs::read_to_string(&path).unwrap();
    assert!(printed == page, "docs/rule-tests.md is out of date: run this test again with OWLBOX_BLESS=1");
}

#[test]
fn every_rule_every_door_and_every_setting_has_a_test() {
    let (tests, told, house) = (tests(), document("rules.md"), document("house-rules.md"));
    let (rules, doors) = (rules(&told), rows(&told, "door"));
    assert!(rules.len() > 100 && doors.len() > 10, "{} rules, {} doors", rules.len(), doors.len());
    for (rule, _) in &rules {
        assert!(tests.iter().any(|test| test.rules().contains(*rule)), "no test proves {rule}");
    }
    let from_outside = |test: &&Found| test.file.starts_with("tests/it/");
    for door in &doors {
        let mut through = tests.iter().filter(from_outside);
        assert!(through.any(|test| test.doors().contains(door[0])), "no test goes through {}", door[0]);
    }
    for (key, begins) in settings(&house) {
        assert!(tests.iter().any(|test| test.name.starts_with(&begins)), "no test plays the setting {key}");
    }
    // What a test cites exists.
    for test in &tests {
        let unknown = test.named("Proves ").find(|cited| !rules.iter().any(|(rule, _)| rule == cited));
        assert_eq!(unknown, None, "{} {}", test.file, test.name);
        let unknown = test.doors().into_iter().find(|cited| !doors.iter().any(|door| door[0] == *cited));
        assert_eq!(unknown, None, "{} {}", test.file, test.name);
    }
}

/// A rule names the places where users meet it, and every place has a rule.
#[test]
fn every_rule_has_a_door_and_every_door_a_rule() {
    let told = document("rules.md");
    let doors: BTreeSet<&str> = rows(&told, "door").into_iter().map(|door| door[0]).collect();
    let used: BTreeSet<&str> = rules(&told).into_iter().flat_map(|(_, doors)| doors).collect();
    assert_eq!(used, doors);
}
