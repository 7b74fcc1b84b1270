//! An old club's standings and past games come from tables: looked at first, booked as one record or not at
//! all, and taken back as one. Over the API, on the treasurer's page and by command.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::House;
use crate::support::server::Server;
use crate::walk::csrf;

const IMPORTS: &str = "/api/v1/ledger/imports";
const PREVIEW: &str = "/api/v1/ledger/imports/preview";

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import").join(name)
}
fn table(name: &str) -> String {
    fs::read_to_string(file(name)).unwrap()
}

struct Books {
    house: House,
    admin: Client,
    ada: String,
    bea: String,
}

impl Books {
    fn open(db: Db) -> Option<Self> {
        let house = House::open(db)?;
        let admin = house.admin();
        let (ada, bea) = (house.player(&admin, "Ada"), house.player(&admin, "Bea"));
        Some(Self { house, admin, ada, bea })
    }

    /// What a player has in points and in euros, at the end of a day or now.
    #[track_caller]
    fn stands(&self, player: &str, on: Option<&str>) -> [i64; 2] {
        let on = on.map(|on| format!("?on={on}")).unwrap_or_default();
        let balances = self.admin.get(&format!("/api/v1/players/{player}/balances{on}")).good().body;
        ["half_points", "EUR"].map(|unit| {
            let found = balances.as_array().unwrap().iter().find(|one| one["unit"] == unit);
            found.map_or(0, |one| one["amount"].as_i64().unwrap())
        })
    }

    fn records(&self) -> usize {
        self.admin.get("/api/v1/daybook").good().body["items"].as_array().unwrap().len()
    }

    #[track_caller]
    fn takes_back(&self, entry: &Value) {
        let order = json!({"command": "take_back", "entry": entry, "reason": "the wrong file"});
        self.admin.post("/api/v1/daybook", &order).good();
    }
}

#[rstest]
fn standings_are_looked_at_booked_once_and_taken_back_as_one(#[values(Db::one(), Db::other())] db: Db) {
    let Some(books) = Books::open(db) else { return };
    let body =
        json!({"table": "standings", "csv": table("standings.csv"), "on": "2026-01-01", "memo": "Old books"});
    let seen = books.admin.post(PREVIEW, &body).good().body;
    assert_eq!((&seen["wrong"], &seen["games"], &seen["added"]), (&json!([]), &json!([]), &json!([])));
    let first =
        json!({"line": 2, "player": {"id": books.ada, "name": "Ada"}, "unit": "EUR", "amount": -1_250});
    assert_eq!(seen["standings"][0], first);
    assert_eq!(seen["sums"].as_array().unwrap().len(), 4, "{seen}");
    assert_eq!(books.records(), 0, "a preview records nothing");

    let sends = || books.admin.request("POST", IMPORTS).key("once").json(&body).send().good().body;
    let booked = sends();
    assert_eq!((&booked["entry"], &booked["booked"]), (&json!(1), &json!(4)));
    assert_eq!(sends(), booked, "the same answer again");
    assert_eq!(books.records(), 1, "and nothing twice");
    assert_eq!(books.stands(&books.ada, None), [15, -1_250]);
    assert_eq!(books.stands(&books.bea, Some("2026-01-01")), [-15, 4_000]);
    assert_eq!(books.stands(&books.bea, Some("2025-12-31")), [0, 0]);
    books.takes_back(&booked["entry"]);
    assert_eq!([&books.ada, &books.bea].map(|player| books.stands(player, None)), [[0, 0]; 2]);
    books.house.verify();
}

#[rstest]
fn past_games_count_for_their_own_days_against_their_own_opponents(#[values(Db::one(), Db::other())] db: Db) {
    let Some(books) = Books::open(db) else { return };
    let body = |add: bool| json!({"table": "games", "csv": table("games.csv"), "add_players": add});
    let refused = books.admin.post(IMPORTS, &body(false)).refused(422, "wrong_lines");
    assert_eq!(refused.body["allowed"][0]["line"], 5, "{refused}");
    let seen = books.admin.post(PREVIEW, &body(true)).good().body;
    assert_eq!((&seen["added"], &seen["wrong"]), (&json!(["Xaver"]), &json!([])));
    let booked = books.admin.post(IMPORTS, &body(true)).good().body;
    assert_eq!((&booked["entry"], &booked["booked"]), (&json!(1), &json!(3)));
    assert_eq!(books.stands(&books.ada, None), [3 - 8 - 4, -300]);
    assert_eq!(books.stands(&books.ada, Some("2025-11-27")), [0, 0]);
    assert_eq!(books.stands(&books.ada, Some("2025-11-28")), [-8, -200]);
    assert_eq!(books.stands(&books.ada, Some("2025-12-05")), [-5, -200]);
    let path = format!("/api/v1/players/{}/statement?unit=half_points", books.ada);
    let statement = books.admin.get(&format!("{path}&from=2025-12-01&until=2025-12-10")).good().body;
    let line = &statement["items"][0];
    assert_eq!(
        (&line["kind"], &line["bet"], &line["game"], &line["amount"], &line["record"]),
        (&json!("past_game"), &json!("past_game"), &json!(2), &json!(3), &json!(1)),
        "{statement}"
    );
    let against = books.admin.get(&format!("{path}&opponent={}", books.bea)).good().body;
    assert_eq!(against["items"].as_array().unwrap().len(), 2, "{against}");
    // Other programs get them as transactions of their days.
    for format in ["csv", "hledger", "beancount", "gnucash"] {
        let export = books.admin.get(&format!("/api/v1/ledger/export?format={format}")).good();
        assert!(export.text().contains("2025-12-19") && export.text().contains("Past games"), "{export}");
    }
    books.takes_back(&json!(1));
    assert_eq!([&books.ada, &books.bea].map(|player| books.stands(player, None)), [[0, 0]; 2]);
    assert_eq!(books.stands(&books.ada, Some("2025-11-28")), [0, 0], "the day is open, so it is as before");
    let found = books.admin.get("/api/v1/players?search=Xaver").good().body;
    assert_eq!(found["items"][0]["guest"], true, "who was added stays: {found}");
    books.house.verify();
}

#[rstest]
fn every_wrong_line_is_named_and_nothing_is_booked(#[values(Db::one(), Db::other())] db: Db) {
    let Some(books) = Books::open(db) else { return };
    let body = json!({"table": "games", "csv": table("wrong.csv")});
    let named = |wrong: &Value| -> Vec<(u64, String, String)> {
        let of = |one: &Value| {
            let text = |field: &str| one[field].as_str().unwrap().to_owned();
            (one["line"].as_u64().unwrap(), text("column"), text("code"))
        };
        wrong.as_array().unwrap().iter().map(of).collect()
    };
    let expected = [(3, "date", "bad_day"), (4, "winner", "unknown_player"), (5, "points", "bad_amount")];
    let expected = expected.map(|(line, column, code)| (line, column.to_owned(), code.to_owned()));
    let refused = books.admin.request("POST", IMPORTS).key("wrong").json(&body).send();
    let refused = refused.refused(422, "wrong_lines").body;
    assert_eq!(named(&refused["allowed"]), expected, "{refused}");
    let seen = books.admin.post(PREVIEW, &body).good().body;
    assert_eq!(named(&seen["wrong"]), expected, "{seen}");
    assert_eq!(seen["games"].as_array().unwrap().len(), 2, "the others are understood: {seen}");
    assert_eq!((books.records(), books.stands(&books.ada, None)), (0, [0, 0]));

    // A closed month, and a day to come.
    books.admin.post("/api/v1/daybook", &json!({"command": "close_month", "month": "2025-11"})).good();
    let csv = "date,winner,loser,points\n2025-11-30,Ada,Bea,1\n2199-01-01,Ada,Bea,1\n";
    let closed = books.admin.post(IMPORTS, &json!({"table": "games", "csv": csv}));
    let expected = [(2, "date", "month_closed"), (3, "date", "in_the_future")];
    let expected = expected.map(|(line, column, code)| (line, column.to_owned(), code.to_owned()));
    assert_eq!(named(&closed.refused(422, "wrong_lines").body["allowed"]), expected);
    let standings =
        |on: &str| json!({"table": "standings", "csv": "player,unit,amount\nAda,EUR,1\n", "on": on});
    books.admin.post(PREVIEW, &standings("2025-11-30")).refused(422, "month_closed");
    books.admin.post(IMPORTS, &standings("2025-11-30")).refused(422, "month_closed");
    books.admin.post(IMPORTS, &standings("2199-01-01")).refused(422, "in_the_future");
    // The same games as a command, with ids.
    let game = |on: &str, loser: &str| json!({"on": on, "winner": books.ada, "loser": loser, "points": 3});
    let record = |games: Value| json!({"command": "record_games", "games": games});
    let posts = |games: Value| books.admin.post("/api/v1/daybook", &record(games));
    posts(json!([game("2025-12-01", &books.bea), game("2025-11-30", &books.bea)]))
        .refused(422, "month_closed");
    posts(json!([game("2199-01-01", &books.bea)])).refused(422, "in_the_future");
    posts(json!([game("2025-12-01", &books.ada)])).refused(422, "bad_parties");
    posts(json!([game("2025-12-01", &uuid::Uuid::now_v7().to_string())])).refused(422, "unknown_player");
    assert_eq!(books.stands(&books.ada, None), [0, 0]);
    posts(json!([game("2025-12-01", &books.bea)])).good();
    assert_eq!(books.stands(&books.ada, Some("2025-12-01")), [3, 0]);
    books.house.verify();
}

#[rstest]
fn thousands_of_games_are_booked_and_taken_back_at_once(#[values(Db::one(), Db::other())] db: Db) {
    let Some(books) = Books::open(db) else { return };
    let mut csv = String::from("date,winner,loser,points\n");
    for game in 0..1_500 {
        let (winner, loser) = if game % 3 == 0 { ("Bea", "Ada") } else { ("Ada", "Bea") };
        writeln!(csv, "2024-{:02}-{:02},{winner},{loser},1", game % 12 + 1, game % 28 + 1).unwrap();
    }
    let body = json!({"table": "games", "csv": csv});
    let booked = books.admin.post(IMPORTS, &body).good().body;
    assert_eq!(booked["booked"], 1_500);
    assert_eq!(books.stands(&books.ada, None), [2 * (1_000 - 500), 0]);
    books.takes_back(&booked["entry"]);
    assert_eq!(books.stands(&books.ada, None), [0, 0]);
    csv.push_str(&"2024-01-01,Ada,Bea,1\n".repeat(3_501));
    let refused =
        books.admin.post(IMPORTS, &json!({"table": "games", "csv": csv})).refused(422, "wrong_lines");
    assert_eq!(refused.body["allowed"][0]["code"], "too_many_lines", "{}", refused.body["allowed"]);
    books.house.verify();
}

/// A treasurer keeps the books, and does not add people.
#[test]
fn only_who_may_add_guests_adds_players_by_an_import() {
    let Some(books) = Books::open(Db::Sqlite) else { return };
    let treasurer = books.house.with_roles(&books.admin, "kassier", &["treasurer"]);
    let scorer = books.house.with_roles(&books.admin, "punkter", &["scorer"]);
    let body = |add: bool| json!({"table": "standings", "csv": table("standings.csv"), "on": "2026-01-01", "add_players": add});
    for path in [PREVIEW, IMPORTS] {
        treasurer.post(path, &body(true)).refused(403, "forbidden");
        scorer.post(path, &body(false)).refused(403, "forbidden");
        treasurer.post(path, &body(false)).good();
    }
    books.house.verify();
}

/// By forms, as a browser without scripts sends them.
#[test]
fn a_table_is_pasted_corrected_and_booked_on_the_page() {
    let Some(books) = Books::open(Db::Sqlite) else { return };
    books.house.with_roles(&books.admin, "kassier", &["treasurer"]);
    let browser = books.house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", "kassier"), ("password", "quattro oche sul lago")];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    let treasury = browser.get("/ledger/treasury").good();
    assert!(treasury.text().contains("href=\"/ledger/import\""), "{treasury}");
    let page = browser.get("/ledger/import?table=games").good();
    assert!(!page.text().contains("add_players"), "a treasurer adds nobody: {page}");
    let token = csrf(&page);
    let sends = |path: &str, csv: &str, key: &str| {
        let form =
            [("csrf", token.as_str()), ("table", "games"), ("csv", csv), ("key", key), ("memo", "Archive")];
        browser.request("POST", path).form(&form).send()
    };
    let wrong = sends("/ledger/import/preview", &table("wrong.csv"), "");
    for said in ["3 things are wrong", "date: “2025-11-31”", "winner: “Xaver”", "No player has this name."]
    {
        assert!(wrong.text().contains(said), "no {said:?} in {wrong}");
    }
    assert!(!wrong.text().contains("action=\"/ledger/import\""), "nothing to book yet: {wrong}");
    assert!(wrong.text().contains("2025-12-19,Ada,Bea,2"), "what was pasted stays: {wrong}");
    let tried = sends("/ledger/import", &table("wrong.csv"), "tried");
    assert!(tried.status == 422 && tried.text().contains("Nothing was booked."), "{tried}");
    assert_eq!(books.records(), 0);
    let right = "date;winner;loser;points\n28.11.2025;Bea;Ada;4\n5.12.2025;Ada;Bea;1,5\n";
    let seen = sends("/ledger/import/preview", right, "");
    for said in ["2 games", "Bea beat Ada", "+1½", "action=\"/ledger/import\""] {
        assert!(seen.text().contains(said), "no {said:?} in {seen}");
    }
    assert_eq!(books.records(), 0, "looked at, not booked");
    assert_eq!(
        (sends("/ledger/import", right, "k").status, sends("/ledger/import", right, "k").status),
        (303, 303)
    );
    assert_eq!((books.records(), books.stands(&books.ada, None)), (1, [-5, 0]), "a second tap books nothing");
    let ledger = browser.get(&format!("/ledger/{}", books.ada)).good();
    assert!(ledger.text().contains("Daybook, past game: Archive"), "{ledger}");
    let daybook = browser.get("/ledger/daybook").good();
    assert!(daybook.text().contains("2 past games"), "{daybook}");
    books.house.verify();
}

/// A file goes into the field by itself.
#[test]
fn a_file_is_chosen_in_a_browser_and_booked() {
    let Some(browser) = Browser::phone() else { return };
    let Some(books) = Books::open(Db::Sqlite) else { return };
    let url = books.house.server.url();
    books.house.with_roles(&books.admin, "kassier", &["treasurer"]);
    browser.goto(&format!("{url}/sign-in"));
    browser.fill("[name=login]", "kassier");
    browser.fill("[name=password]", "quattro oche sul lago");
    browser.click("main button.main");
    browser.wait_for(".me");
    browser.goto(&format!("{url}/ledger/treasury"));
    browser.click("a[href='/ledger/import']");
    browser.wait_for("#csv-file:not([hidden])");
    browser.fill("#csv-file", file("standings.csv").to_str().unwrap());
    browser.wait_until("the file is in the field", || {
        browser.run("return document.getElementById('csv').value").as_str().unwrap().contains("Bea")
    });
    browser.click("form[action='/ledger/import/preview'] button");
    browser.wait_for("form[action='/ledger/import'] button");
    assert_eq!(browser.count(".import-lines > li"), 4);
    browser.click("form[action='/ledger/import'] button");
    browser.wait_for("#record-1");
    assert_eq!(books.stands(&books.ada, None), [15, -1_250]);
}

#[test]
fn a_table_is_booked_from_the_clubs_machine() {
    let Some(mut books) = Books::open(Db::Sqlite) else { return };
    assert!(books.house.server.stop().success());
    let program = |arguments: &[&str]| {
        let output = Server::program_on(&books.house.database).args(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.success(), text(output.stdout), text(output.stderr))
    };
    let path = |name: &str| file(name).to_str().unwrap().to_owned();
    for preview in [&["--preview"][..], &[]] {
        let wrong = path("wrong.csv");
        let arguments = [&["books", "import", "games", &wrong], preview].concat();
        let (went, _, said) = program(&arguments);
        assert!(!went, "{said}");
        for line in ["line 3, date: bad_day", "line 4, winner: unknown_player", "line 5, points: bad_amount"]
        {
            assert!(said.contains(line), "no {line:?} in {said}");
        }
    }
    let standings = path("standings.csv");
    let import = ["books", "import", "standings", &standings, "--on", "2026-01-01"];
    let (went, seen, _) = program(&[&import[..], &["--preview"]].concat());
    assert!(went && seen.contains("\"wrong\":[]"), "{seen}");
    let (went, booked, said) = program(&[&import[..], &["--memo", "Old books"]].concat());
    assert!(went, "{said}");
    assert_eq!(
        serde_json::from_str::<Value>(&booked).unwrap()["entry"],
        1,
        "a preview recorded nothing: {booked}"
    );
    let games = path("games.csv");
    let (went, booked, said) = program(&["books", "import", "games", &games, "--add-players"]);
    assert!(went && booked.contains("\"booked\":3"), "{booked}{said}");
    let (_, statement, _) = program(&["books", "statement", "Xaver", "--unit", "EUR"]);
    assert!(statement.contains("2025-12-19") && statement.trim_end().ends_with(",1.00"), "{statement}");
    let (went, _, said) = program(&["verify"]);
    assert!(went, "{said}");
}
