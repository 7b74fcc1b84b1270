//! The books as other programs read them: hledger, Beancount and GnuCash import what we export of a club with
//! everything in it, and must come to every balance that the API tells.
//!
//! GnuCash's own importers do it, without their windows (`tests/python/gnucash_import.py`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::{House, Table};

/// Names that some program takes for something else, two of which are one to Beancount.
const NAMES: [&str; 6] = [
    "Ann Marie O'Neil",
    "Ann+Marie O'Neil",
    "J\u{fc}rgen von Gro\u{df} Jr.",
    "\u{674e}\u{96f7} \u{1f98a}",
    "=1+1; a|b: \"c\\\"",
    "(*) 99 %",
];
const TABLE: &str = "a;b | c  d \"=1+1\"";

/// A club after a night with corrections and undo, a tournament in euros and one in yen, and money sessions
/// in dinars.
struct Club {
    house: House,
    admin: Client,
    players: BTreeMap<String, String>,
    /// Given to its end, and closed.
    euros: String,
    yen: String,
}

impl Club {
    fn open(db: Db) -> Option<Self> {
        let house = House::open(db)?;
        let admin = house.admin();
        let mut settings = admin.get("/api/v1/settings").good().body;
        settings["currencies"] = json!(["EUR", "JPY", "KWD"]);
        settings["name"] = json!("Circolo \"Gufo\"; d'Oro");
        admin.put("/api/v1/settings", &settings).good();
        let table =
            house.table_with(&NAMES, &json!({"name": TABLE, "stake": {"amount": 500, "currency": "EUR"}}));
        Self::night(&table);
        let mut club =
            Self { house, admin, players: table.players.clone(), euros: String::new(), yen: String::new() };
        club.euros = club.tournament("=Spring \"Open\"; 1:0", "EUR");
        club.yen = club.tournament("\u{6625} Cup", "JPY");
        club.does(&club.euros, &json!({"command": "close"}));
        club.session();
        Some(club)
    }

    fn night(table: &Table) {
        let start = json!({"command": "start_game"});
        let finish = |winner: &str, win: &str| json!({"command": "finish", "winner": winner, "win": win});
        let undo = json!({"command": "undo"});
        table.play(&[start.clone(), finish("box", "gammon")]);
        table.play(&[start.clone(), finish("team", "single"), undo, finish("team", "backgammon")]);
        table.play(&[json!({"command": "correct", "game": 2, "winner": "box", "win": "single"})]);
        let pay = json!({"command": "pay", "payer": NAMES[1], "payee": NAMES[0], "amount": 1_234});
        table.play(&[pay]);
    }

    /// A tournament with fees, a side pool, money of the house, somebody who left before the draw, cash, a
    /// correction.
    fn tournament(&self, name: &str, currency: &str) -> String {
        let about = json!({"name": name, "date": "2026-11-20", "currency": currency});
        let id =
            self.admin.post("/api/v1/tournaments", &about).good().body["id"].as_str().unwrap().to_owned();
        let entries: Vec<Value> =
            NAMES[..5].iter().map(|name| json!({"player": self.players[*name]})).collect();
        let paid = |command: &str, at: usize, amount: i64| json!({"command": command, "player": self.players[NAMES[at]], "amount": amount});
        for command in [
            json!({"command": "add_division", "settings": {"lengths": [5], "kept": 1000,
                "fees": {"entry": 2000, "registration": 300}, "side_pools": [{"name": "Pot", "stake": 500}]}}),
            json!({"command": "enter", "entries": entries}),
            json!({"command": "join_pools", "entry": 1, "side_pools": [0]}),
            json!({"command": "join_pools", "entry": 2, "side_pools": [0]}),
            paid("pay_in", 0, 2_800),
            paid("pay_in", 1, 700),
            json!({"command": "undo"}),
            paid("pay_in", 4, 2_300),
            json!({"command": "withdraw", "entry": 5}),
            json!({"command": "add_money", "amount": 1000}),
            json!({"command": "draw", "method": {"by": "hand", "slots": [1, 2, 3, 4]}}),
        ] {
            self.does(&id, &command);
        }
        let ended = |one: i64, other: i64| json!({"ending": "played", "score": [one, other]});
        for number in 1..=3 {
            self.does(&id, &json!({"command": "result", "match": number, "ended": ended(5, 0)}));
        }
        self.does(&id, &json!({"command": "award"}));
        self.does(&id, &json!({"command": "correct", "match": 3, "ended": ended(0, 5), "later": "void"}));
        self.does(&id, &json!({"command": "award"}));
        self.does(&id, &paid("pay_out", 4, 2_300));
        id
    }

    /// A money session with a stake of half a dinar, one game of which was wrong.
    fn session(&self) {
        let players = [&self.players[NAMES[0]], &self.players[NAMES[3]]];
        let terms =
            json!({"play": "money", "stake": {"amount": 505, "currency": "KWD"}, "cube": {"jacoby": false}});
        let new = json!({"players": players, "terms": terms});
        let opened = self.admin.post("/api/v1/matches", &new).good().body;
        let id = opened["id"].as_str().or_else(|| opened["match"]["id"].as_str()).expect("an id").to_owned();
        let path = format!("/api/v1/matches/{id}/commands");
        let game = |command: &str, rest: Value| {
            let mut whole = json!({"command": command});
            whole.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            self.admin.post(&path, &whole).good();
        };
        game("game", json!({"winner": "upper", "win": "gammon", "cube": 2}));
        game("game", json!({"winner": "lower", "win": "single", "cube": 1}));
        game("correct", json!({"game": 1, "now": {"winner": "lower", "win": "single", "cube": 2}}));
    }

    #[track_caller]
    fn does(&self, tournament: &str, command: &Value) {
        self.admin.post(&format!("/api/v1/tournaments/{tournament}/commands"), command).good();
    }

    /// What an export should say, by owner and unit, in half points and minor units: debits above zero.
    fn expected(&self) -> Balances {
        let mut expected = Balances::new();
        let mut note = |owner: &str, path: &str| {
            for balance in self.admin.get(path).good().body.as_array().unwrap() {
                let unit = balance["unit"].as_str().unwrap().replace("half_points", "HALFPT");
                expected.insert((owner.to_owned(), unit), -balance["amount"].as_i64().unwrap());
            }
        };
        for id in self.players.values() {
            note(&code(id), &format!("/api/v1/players/{id}/balances"));
        }
        for pool in [&self.euros, &self.yen] {
            note(&code(pool), &format!("/api/v1/ledger/pools/{pool}/balances"));
        }
        note(HOUSE, "/api/v1/ledger/house/balances");
        assert_eq!(expected.len(), 12 + 5 + 2 + 2 + 2, "{expected:?}");
        assert!(expected.values().filter(|amount| **amount != 0).count() > 15, "{expected:?}");
        expected
    }

    #[track_caller]
    fn exported(&self, query: &str) -> String {
        let answer = self.admin.get(&format!("/api/v1/ledger/export?{query}")).good();
        assert!(answer.header("content-disposition").is_some_and(|file| file.contains("owlbox")), "{answer}");
        answer.text().to_owned()
    }

    /// An export in a file of this name.
    fn file(&self, folder: &TempDir, name: &str, query: &str) -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, self.exported(query)).unwrap();
        path
    }
}

/// By owner (a code, or the house) and unit.
type Balances = BTreeMap<(String, String), i64>;

const HOUSE: &str = "house";

/// The code in the account names of a player or a tournament: the last 40 bits of the id, five at a time.
fn code(id: &str) -> String {
    let bits = u64::from_str_radix(&id.replace('-', "")[22..], 16).unwrap();
    let digits: Vec<char> = "0123456789abcdefghjkmnpqrstvwxyz".chars().collect();
    (0..8).rev().map(|place| digits[usize::try_from(bits >> (5 * place) & 31).unwrap()]).collect()
}

/// A decimal number in minor units of `unit`.
#[track_caller]
fn minor(number: &str, unit: &str) -> i64 {
    let decimals = match unit {
        "EUR" => 2,
        "KWD" => 3,
        "JPY" | "HALFPT" => 0,
        _ => panic!("{unit}"),
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    assert!(part.len() <= decimals, "{number} {unit}");
    format!("{whole}{part:0<decimals$}").parse().unwrap()
}

/// Adds accounts up by their owner: the last eight letters of a name of three parts.
fn by_owner(accounts: impl IntoIterator<Item = (String, String, i64)>) -> Balances {
    let mut balances = Balances::new();
    for (account, unit, amount) in accounts {
        let owner = match account.split(':').count() {
            3 => account[account.len() - 8..].to_owned(),
            _ => HOUSE.to_owned(),
        };
        *balances.entry((owner, unit)).or_default() += amount;
    }
    balances
}

/// Runs a program, which must succeed, and returns its output.
#[track_caller]
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// The fields of a line of CSV.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => field.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            other => field.push(other),
        }
    }
    fields.push(field);
    fields
}

/// A file in CSV: a map from heading to field for each line.
fn table(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.lines();
    let headings = fields(lines.next().unwrap());
    lines.map(|line| headings.iter().cloned().zip(fields(line)).collect()).collect()
}

fn in_folder() -> TempDir {
    tempfile::Builder::new().prefix("owlbox-test.").tempdir().unwrap()
}

/// The accounts of the house by what the API says of tournaments.
#[track_caller]
fn house_is_right(club: &Club, currency: &str, balance_of: impl Fn(&str) -> i64) {
    let report = club.admin.get("/api/v1/ledger/tournaments").good().body;
    let totals = report["totals"].as_array().unwrap();
    let sums = totals.iter().find(|total| total["currency"] == currency).unwrap();
    let sum = |name: &str| sums[name].as_i64().unwrap();
    assert_eq!(balance_of("Assets:Cash"), sum("paid_in") - sum("paid_out"));
    assert_eq!(balance_of("Income:Registration"), -sum("registration"));
    assert_eq!(balance_of("Income:Kept"), -sum("kept"));
    assert_eq!(balance_of("Expenses:Added"), sum("added"));
    assert_eq!(balance_of("Income:Refunds"), 300, "the registration of who withdrew");
}

#[rstest]
fn hledger_reads_the_books_and_comes_to_every_balance(#[values(Db::one(), Db::other())] db: Db) {
    let Some(hledger) = support::hledger() else { return };
    let Some(club) = Club::open(db) else { return };
    let folder = in_folder();
    let file = club.file(&folder, "books.journal", "format=hledger");
    let run = |file: &Path, arguments: &[&str]| {
        output(Command::new(&hledger).arg("-f").arg(file).args(arguments).env("LANG", "C.UTF-8"))
    };
    run(&file, &["check", "--strict"]);
    let balances = run(&file, &["balance", "--flat", "--empty", "--no-total", "--layout=bare", "-O", "csv"]);
    let rows: Vec<(String, String, i64)> = table(&balances)
        .iter()
        .filter(|row| !row["commodity"].is_empty())
        .map(|row| {
            (row["account"].clone(), row["commodity"].clone(), minor(&row["balance"], &row["commodity"]))
        })
        .collect();
    let balance_of = |account: &str, unit: &str| {
        rows.iter().filter(|row| row.0 == account && row.1 == unit).map(|row| row.2).sum::<i64>()
    };
    house_is_right(&club, "EUR", |account| balance_of(account, "EUR"));
    house_is_right(&club, "JPY", |account| balance_of(account, "JPY"));
    is_expected(&club, by_owner(rows));

    // What was typed is text, and what it was is told.
    let said: BTreeSet<String> =
        table(&run(&file, &["print", "-O", "csv"])).iter().map(|row| row["description"].clone()).collect();
    for what in [
        "a,b / c d \"=1+1\", game 1",
        "a,b / c d \"=1+1\", game 2 (undone)",
        "a,b / c d \"=1+1\", game 2 (corrected)",
        "a,b / c d \"=1+1\", payment",
        "=Spring \"Open\", 1:0, paid in (undone)",
    ] {
        assert!(said.contains(what), "no {what:?} in {said:#?}");
    }
    let codes: BTreeSet<String> =
        table(&run(&file, &["print", "-O", "csv"])).iter().map(|row| row["code"].clone()).collect();
    assert_eq!(codes, transactions(&club), "each has its id as code");
    assert!(run(&file, &["accounts"]).contains(&format!("Liabilities:Players:{} ", NAMES[0])));

    // Periods: everything until the day before, and from that day on, is everything; and a file of nothing is
    // a file.
    let (none, all) = ("format=hledger&until=2020-12-31", "format=hledger&from=2021-01-01");
    let none = club.file(&folder, "none.journal", none);
    run(&none, &["check", "--strict"]);
    assert_eq!(run(&none, &["print"]), "");
    assert_eq!(club.exported(all), std::fs::read_to_string(&file).unwrap());
}

/// Balances of zero may be left out by a program.
#[track_caller]
fn is_expected(club: &Club, mut balances: Balances) {
    let mut expected = club.expected();
    balances.retain(|_, amount| *amount != 0);
    expected.retain(|_, amount| *amount != 0);
    assert_eq!(balances, expected);
}

/// The ids of all transactions, as the API's statements tell them.
fn transactions(club: &Club) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut note = |path: &str| {
        let lines = club.admin.get(&format!("{path}&limit=200")).good().body;
        assert_eq!(lines["next"], Value::Null, "one page");
        for line in lines["items"].as_array().unwrap() {
            ids.insert(line["transaction"].as_str().unwrap().to_owned());
        }
    };
    for id in club.players.values() {
        for unit in ["half_points", "EUR", "JPY", "KWD"] {
            note(&format!("/api/v1/players/{id}/statement?unit={unit}"));
        }
    }
    for unit in ["EUR", "JPY"] {
        note(&format!("/api/v1/ledger/house/statement?unit={unit}"));
    }
    ids
}

#[rstest]
fn beancount_reads_the_books_and_comes_to_every_balance(#[values(Db::one(), Db::other())] db: Db) {
    let Some(python) = support::python() else { return };
    let Some(club) = Club::open(db) else { return };
    let folder = in_folder();
    let file = club.file(&folder, "books.beancount", "format=beancount");
    let check = Path::new(&python).with_file_name("bean-check");
    output(Command::new(check).arg(&file));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/beancount_balances.py");
    let read = |file: &Path| -> Value {
        serde_json::from_str(&output(Command::new(&python).arg(&script).arg(file))).unwrap()
    };
    let told = read(&file);
    let rows: Vec<(String, String, i64)> = told["balances"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(account, units)| {
            let units = units.as_object().unwrap().iter();
            units.map(|(unit, number)| (account.clone(), unit.clone(), minor(number.as_str().unwrap(), unit)))
        })
        .collect();
    is_expected(&club, by_owner(rows));

    let links: BTreeSet<String> =
        told["links"].as_array().unwrap().iter().map(|link| link.as_str().unwrap().to_owned()).collect();
    assert_eq!(links, transactions(&club), "each has its id as link");
    let names: BTreeSet<&str> =
        told["names"].as_object().unwrap().values().filter_map(Value::as_str).collect();
    assert!(NAMES.iter().all(|name| names.contains(name)), "{names:?}");
    let narrations: Vec<&str> =
        told["narrations"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(narrations.contains(&"a;b | c d \"=1+1\", game 1"), "{narrations:?}");
    // The two who are one to Beancount except for their codes; and the pool of the tournament that is over.
    let opened = told["opened"].as_object().unwrap();
    let ann = |id: &str| format!("Liabilities:Players:Ann-Marie-ONeil-{}", code(&club.players[id]));
    assert!(opened.contains_key(&ann(NAMES[0])) && opened.contains_key(&ann(NAMES[1])), "{opened:?}");
    let closed: Vec<&String> = told["closed"].as_object().unwrap().keys().collect();
    assert_eq!(closed.len(), 1, "{closed:?}");
    assert!(closed[0].ends_with(&code(&club.euros)), "{closed:?}");

    // Beancount's own plug-in finds what is there twice, by the links: what was imported before, in another
    // file.
    let again: String = std::fs::read_to_string(&file)
        .unwrap()
        .split("\n\n")
        .filter(|part| part.contains(" * \""))
        .map(|part| format!("{part}\n\n"))
        .collect();
    let both = folder.path().join("both.beancount");
    std::fs::write(folder.path().join("again.beancount"), again).unwrap();
    std::fs::write(
        &both,
        "plugin \"beancount.plugins.noduplicates\"\ninclude \"books.beancount\"\ninclude \"again.beancount\"\n",
    )
    .unwrap();
    let twice = Command::new(&python).arg(&script).arg(&both).output().unwrap();
    assert!(!twice.status.success());
    let twice: Value = serde_json::from_slice(&twice.stdout).unwrap();
    assert_eq!(twice["duplicates"], links.len(), "every transaction is found to be there twice");

    let none = club.file(&folder, "none.beancount", "format=beancount&from=2199-01-01");
    assert_eq!(read(&none)["links"], json!([]));
}

#[rstest]
fn gnucash_imports_the_books_and_comes_to_every_balance(#[values(Db::one(), Db::other())] db: Db) {
    let Some(python) = support::gnucash_python() else { return };
    let Some(club) = Club::open(db) else { return };
    let folder = in_folder();
    let accounts = club.file(&folder, "accounts.csv", "format=gnucash-accounts");
    let entries = club.file(&folder, "transactions.csv", "format=gnucash");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/gnucash_import.py");
    let told = output(
        Command::new(&python)
            .arg(script)
            .args([&accounts, &entries, &folder.path().join("book.gnucash")])
            // Its settings and its log.
            .envs(["HOME", "GNC_USERDATA_DIR", "TMPDIR"].map(|name| (name, folder.path())))
            .env_remove("DISPLAY"),
    );
    let told: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    let balances = told["balances"].as_object().unwrap();
    let rows: Vec<(String, String, i64)> = balances
        .iter()
        .map(|(account, about)| {
            let unit = about["unit"].as_str().unwrap().to_owned();
            let [number, of] = [0, 1].map(|at| about["amount"][at].as_i64().unwrap());
            let minor = number
                * 10_i64.pow(match unit.as_str() {
                    "EUR" => 2,
                    "KWD" => 3,
                    _ => 0,
                });
            assert_eq!(minor % of, 0, "{account}");
            (account.clone(), unit, minor / of)
        })
        .collect();
    for currency in ["EUR", "JPY"] {
        house_is_right(&club, currency, |account| {
            let name = format!("{account} {currency}");
            rows.iter().find(|row| row.0 == name).map_or(0, |row| row.2)
        });
    }
    // Those that only have others below them have nothing of their own.
    let above = |name: &str| balances.keys().any(|other| other.starts_with(&format!("{name}:")));
    assert!(balances.iter().all(|(name, about)| above(name) == (about["splits"] == 0)), "{balances:#?}");
    let mut expected = club.expected();
    expected.retain(|(_, unit), amount| unit != "HALFPT" && *amount != 0);
    let mut found = by_owner(rows);
    found.retain(|_, amount| *amount != 0);
    assert_eq!(found, expected);

    let described: BTreeSet<&str> =
        balances.values().map(|about| about["description"].as_str().unwrap()).collect();
    // GnuCash would take a backslash for an escape, and a spreadsheet the other for a formula.
    for name in NAMES.map(|name| name.replace('\\', "/").replace("=1+1;", "'=1+1;")) {
        assert!(described.contains(name.as_str()), "no {name} in {described:?}");
    }
    let ids: BTreeSet<&str> =
        told["entries"].as_array().unwrap().iter().map(|entry| entry[2].as_str().unwrap()).collect();
    let entries = told["entries"].as_array().unwrap();
    assert_eq!(ids.len(), entries.len(), "each has its id in its notes, and each is there once");
    assert!(ids.iter().all(|id| transactions(&club).contains(*id)));
    let said: BTreeSet<&str> = entries.iter().map(|entry| entry[1].as_str().unwrap()).collect();
    assert!(said.contains("a;b | c d \"=1+1\", game 2 (corrected)"), "{said:?}");
}

#[rstest]
fn a_table_has_every_posting_and_the_command_line_writes_the_same_files(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(club) = Club::open(db) else { return };
    let rows = table(&club.exported("format=csv"));
    let mut sums = Balances::new();
    for row in &rows {
        let owner = if row["holder"] == "house" { HOUSE.to_owned() } else { code(&row["holder_id"]) };
        *sums.entry((owner, row["unit"].clone())).or_default() -= minor(&row["amount"], &row["unit"]);
        let side = [("debit", 1), ("credit", -1)].map(|(side, sign)| {
            if row[side].is_empty() { 0 } else { sign * minor(&row[side], &row["unit"]) }
        });
        assert_eq!(side[0] + side[1], -minor(&row["amount"], &row["unit"]), "{row:?}");
    }
    is_expected(&club, sums);
    let of: BTreeSet<String> = rows.iter().map(|row| row["transaction"].clone()).collect();
    assert_eq!(of, transactions(&club));
    let formula = rows.iter().find(|row| row["name"].contains("=1+1;")).unwrap();
    assert_eq!(formula["name"], format!("'{}", NAMES[4]), "a spreadsheet would compute it");
    let games: BTreeSet<(&str, &str)> =
        rows.iter().map(|row| (row["kind"].as_str(), row["game"].as_str())).collect();
    assert!(games.contains(&("correction", "2")) && games.contains(&("reversal", "2")), "{games:?}");

    let folder = in_folder();
    for format in ["hledger", "beancount", "gnucash", "gnucash-accounts", "csv"] {
        let told = output(&mut club.house.server.command(&["export", "--format", format]));
        assert_eq!(told, club.exported(&format!("format={format}")), "{format}");
        let until = ["export", "--format", format, "--until", "2020-12-31"];
        let none = output(&mut club.house.server.command(&until));
        assert_eq!(none, club.exported(&format!("format={format}&until=2020-12-31")), "{format}");
        assert!(none.len() < told.len());
    }
    // A file is replaced, and nothing is left beside it.
    let file = folder.path().join("books.csv");
    std::fs::write(&file, "old").unwrap();
    let into = file.to_str().unwrap();
    output(&mut club.house.server.command(&["export", "--format", "csv", "--output", into]));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), club.exported("format=csv"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let nowhere = folder.path().join("no/books.csv");
    let nowhere = ["export", "--format", "csv", "--output", nowhere.to_str().unwrap()];
    assert!(!club.house.server.command(&nowhere).output().unwrap().status.success());
    for wrong in [
        &["export"][..],
        &["export", "--format", "qif"],
        &["export", "--format", "csv", "--from", "2026-13-01"],
    ] {
        assert_eq!(club.house.server.command(wrong).output().unwrap().status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn the_treasurer_finds_the_files_on_a_page_and_others_do_not() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let table = house.table_with(&["Ada", "Bea", "Cleo"], &json!({"name": "Friday table"}));
    table.play(&[
        json!({"command": "start_game"}),
        json!({"command": "finish", "winner": "box", "win": "single"}),
    ]);
    let (browser, _) = crate::settle_up::in_a_browser(&house);
    assert!(browser.get("/ledger/house").good().text().contains("href=\"/ledger/exports\""));
    let page = browser.get("/ledger/exports?from=2021-01-01&until=2199-12-31").good();
    let links: Vec<String> = page
        .text()
        .split("href=\"")
        .filter_map(|part| part.split('"').next())
        .filter(|link| link.starts_with("/api/v1/ledger/export?"))
        .map(|link| link.replace("&#38;", "&").replace("&amp;", "&"))
        .collect();
    assert_eq!(links.len(), 5, "{page}");
    for link in &links {
        assert!(link.ends_with("&from=2021-01-01&until=2199-12-31"), "{link}");
        let file = browser.get(link).good();
        assert!(file.header("content-disposition").unwrap().starts_with("attachment; filename=\"owlbox"));
        let (kind, said) = (file.header("content-type").unwrap(), file.text());
        assert!(kind.starts_with("text/") && kind.ends_with("charset=utf-8"), "{kind}");
        // Played for points alone: nothing for GnuCash but the headings.
        assert_eq!(said.contains("Friday table, game 1"), !link.contains("gnucash"), "{link}: {said}");
    }
    browser.get("/api/v1/ledger/export?format=qif").refused(400, "invalid_query");
    assert!(browser.get("/api/v1/ledger/export").good().text().starts_with("date,transaction,"));
    browser.get("/api/v1/ledger/export?format=csv&from=0001-01-01").refused(400, "invalid_query");
    house.server.public().get("/api/v1/ledger/export?format=csv").refused(401, "not_signed_in");
}
