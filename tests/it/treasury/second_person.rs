//! S4: where the club has a limit, nobody puts more into the books alone, by whatever record and in however
//! small parts.

use std::io::Write as _;
use std::process::Stdio;
use std::thread;

use rstest::rstest;
use serde_json::{Value, json};

use super::Books;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::server::Server;
use crate::walk::csrf;

const DAYBOOK: &str = "/api/v1/daybook";
const PASSWORD: &str = "quattro oche sul lago";

impl Books {
    /// A club in which one person may book ten euros alone, with a treasurer who is Ada.
    fn with_limit(db: Db) -> Option<(Self, Client)> {
        let books = Self::open(db)?;
        books.limits(&json!(1_000));
        let new = json!({"player": books.ada, "roles": ["treasurer"]});
        let invited = books.admin.post("/api/v1/accounts", &new).good().body;
        let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
        books.house.server.public().post(&link, &json!({"login": "ada", "password": PASSWORD})).good();
        let treasurer = books.house.sign_in("ada", PASSWORD);
        Some((books, treasurer))
    }

    fn limits(&self, limit: &Value) {
        let mut settings = self.admin.get("/api/v1/settings").good().body;
        settings["adjustment_limit"] = limit.clone();
        self.admin.put("/api/v1/settings", &settings).good();
    }

    fn balances(&self) -> [i64; 2] {
        [self.balance(&self.ada, None), self.balance(&self.bea, None)]
    }

    fn adjust(&self, amount: i64) -> Value {
        json!({"command": "adjust", "from": {"player": self.bea}, "to": {"player": self.ada}, "unit": "EUR",
            "amount": amount, "memo": "x"})
    }
}

#[rstest]
fn whatever_one_person_says_alone_above_the_limit_waits_for_a_second(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some((books, treasurer)) = Books::with_limit(db) else { return };
    let (ada, bea) = (json!({"player": books.ada}), json!({"player": books.bea}));
    let pay = |payer: &Value, payee: &Value| json!({"command": "pay", "payer": payer, "payee": payee, "currency": "EUR", "amount": 1_001});
    let opened = |holder: &Value, amount: i64| json!({"holder": holder, "unit": "EUR", "amount": amount});
    let game = |winner: &str, loser: &str, amount: i64| json!({"on": "2026-01-02", "winner": winner, "loser": loser, "money": {"currency": "EUR", "amount": amount}});
    let points = json!({"on": "2026-01-02", "winner": books.ada, "loser": books.bea, "points": 1});
    let house = json!("house");
    let orders = [
        json!({"command": "open_balances", "balances": [opened(&ada, 100_000_000)]}),
        json!({"command": "open_balances", "balances": [opened(&ada, 600), opened(&ada, 401)]}),
        json!({"command": "open_balances", "balances": [{"holder": ada, "unit": "half_points", "amount": 1}]}),
        json!({"command": "record_games", "games": [game(&books.ada, &books.bea, 50_000)]}),
        json!({"command": "record_games", "games": [game(&books.ada, &books.bea, 501), game(&books.bea, &books.ada, 500)]}),
        json!({"command": "record_games", "games": [points]}),
        pay(&house, &ada),
        pay(&ada, &house),
        pay(&ada, &bea),
        pay(&bea, &ada),
        json!({"command": "charge", "players": [books.bea], "fee": "other", "currency": "EUR", "amount": 1_001}),
        books.adjust(1_001),
    ];
    for order in &orders {
        let noted = treasurer.post(DAYBOOK, order).good().body;
        let entry = &noted["entry"];
        assert_eq!((&entry["status"], &entry["proposes"]), (&json!("proposed"), &json!("record")), "{order}");
        let approve = json!({"command": "approve", "entry": entry["entry"]});
        treasurer.post(DAYBOOK, &approve).refused(422, "second_person");
    }
    let waiting = u32::try_from(orders.len()).unwrap();
    for (table, csv) in [
        ("standings", "player,unit,amount\nAda,EUR,10.01\n"),
        ("games", "date,winner,loser,currency,amount\n2026-01-02,Ada,Bea,EUR,6\n2026-01-02,Ada,Bea,EUR,6\n"),
    ] {
        let imported =
            treasurer.post("/api/v1/ledger/imports", &json!({"table": table, "csv": csv})).good().body;
        assert_eq!(imported["status"], "proposed", "{imported}");
    }
    assert_eq!(books.balances(), [0, 0], "nothing of it is in the books");
    // Among others it is nobody's word alone.
    assert_eq!(treasurer.post(DAYBOOK, &pay(&bea, &house)).good().body["entry"]["status"], "posted");
    // A second person approves the first and declines the second.
    let answers = |command: &str, entry: u32| {
        let order = json!({"command": command, "entry": entry, "reason": "no"});
        let order = if command == "approve" { json!({"command": command, "entry": entry}) } else { order };
        books.admin.post(DAYBOOK, &order).good().body
    };
    assert_eq!(answers("approve", 1)["entry"]["status"], "posted");
    assert_eq!(answers("decline", 2)["entry"]["status"], "declined");
    assert_eq!(answers("approve", waiting + 1)["entry"]["status"], "posted", "the import");
    assert_eq!(books.balances(), [100_001_001, 1_001]);
    books.verified();
}

#[rstest]
fn what_two_approved_is_taken_back_by_two(#[values(Db::one(), Db::other())] db: Db) {
    let Some((books, treasurer)) = Books::with_limit(db) else { return };
    treasurer.post(DAYBOOK, &books.adjust(5_000)).good();
    books.notes(&json!({"command": "approve", "entry": 1}));
    assert_eq!(books.balances(), [5_000, -5_000]);
    let take_back = json!({"command": "take_back", "entry": 1, "reason": "never agreed"});
    let waits = books.notes(&take_back);
    let entry = &waits["entry"];
    assert_eq!(
        (&entry["status"], &entry["proposes"], &entry["reason"]),
        (&json!("proposed"), &json!("take_back"), &json!("never agreed"))
    );
    assert_eq!(books.balances(), [5_000, -5_000], "it stands until then");
    let approve = json!({"command": "approve", "entry": 1});
    books.refused(&approve, "second_person");
    books.refused(&take_back, "second_person");
    treasurer.post(DAYBOOK, &take_back).refused(422, "second_person");
    treasurer.post(DAYBOOK, &json!({"command": "decline", "entry": 1, "reason": "it was"})).good();
    let stands = books.admin.get("/api/v1/daybook/1").good().body;
    assert_eq!((&stands["status"], &stands["proposes"]), (&json!("posted"), &Value::Null));
    books.refused(&approve, "not_proposed");
    // Asked for at once by many, it waits once; approved by many, it is taken back once.
    let at_once = |client: &Client, order: &Value| -> usize {
        thread::scope(|scope| {
            let sent: Vec<_> = (0..8).map(|_| scope.spawn(|| client.post(DAYBOOK, order).status)).collect();
            sent.into_iter().map(|one| one.join().unwrap()).filter(|status| *status == 201).count()
        })
    };
    assert_eq!(at_once(&treasurer, &take_back), 1);
    assert_eq!(at_once(&books.admin, &approve), 1);
    let back = books.admin.get("/api/v1/daybook/1").good().body;
    assert_eq!((&back["status"], books.balances()), (&json!("taken_back"), [0, 0]));
    // The statement links the reversal to what it takes back.
    let statement = format!("/api/v1/players/{}/statement?unit=EUR", books.ada);
    let statement = books.admin.get(&statement).good().body;
    let lines = statement["items"].as_array().unwrap();
    assert_eq!((lines.len(), &lines[0]["reverses"]), (2, &lines[1]["transaction"]), "{statement}");
    // What was recorded before there was a limit, and is above it, needs two as well.
    books.limits(&Value::Null);
    books.notes(&books.adjust(7_000));
    books.limits(&json!(1_000));
    let take_back = json!({"command": "take_back", "entry": 2, "reason": "x"});
    assert_eq!(treasurer.post(DAYBOOK, &take_back).good().body["entry"]["proposes"], "take_back");
    books.verified();
}

#[rstest]
fn small_parts_of_a_day_count_together_however_fast_they_come(#[values(Db::one(), Db::other())] db: Db) {
    let Some((books, treasurer)) = Books::with_limit(db) else { return };
    let status = |order: &Value| {
        let noted = treasurer.post(DAYBOOK, order).good().body;
        noted["entry"]["status"].as_str().unwrap().to_owned()
    };
    let hundred = books.adjust(100);
    let posted = thread::scope(|scope| {
        let sent: Vec<_> = (0..16).map(|_| scope.spawn(|| status(&hundred))).collect();
        let told: Vec<String> = sent.into_iter().map(|one| one.join().unwrap()).collect();
        told.iter().filter(|status| *status == "posted").count()
    });
    assert_eq!((posted, books.balances()), (10, [1_000, -1_000]));
    // Nor in another kind of record, in the name of an earlier day, or backwards.
    let opened = json!({"command": "open_balances", "on": "2026-01-01",
        "balances": [{"holder": {"player": books.ada}, "unit": "EUR", "amount": -1}]});
    assert_eq!(status(&opened), "proposed");
    let mut earlier = books.adjust(1);
    earlier["on"] = json!("2026-01-02");
    assert_eq!(status(&earlier), "proposed");
    // A slip that is taken back on the same day is free again.
    let items = treasurer.get("/api/v1/daybook?limit=50").good().body;
    let slip = items["items"].as_array().unwrap().iter().find(|one| one["status"] == "posted").unwrap();
    let back = json!({"command": "take_back", "entry": slip["entry"], "reason": "twice"});
    assert_eq!(status(&back), "taken_back");
    assert_eq!((status(&hundred), status(&hundred)), ("posted".to_owned(), "proposed".to_owned()));
    // Fees count by player, and another person has a day of their own.
    let fee = |amount: i64| {
        json!({"command": "charge", "players": [books.ada, books.bea], "fee": "other", "currency": "EUR",
            "amount": amount})
    };
    assert_eq!([status(&fee(600)), status(&fee(400)), status(&fee(1))], ["posted", "posted", "proposed"]);
    assert_eq!(books.notes(&books.adjust(1_000))["entry"]["status"], "posted");
    books.verified();
}

#[test]
fn the_treasury_lists_what_waits_and_the_settings_say_when_nobody_could_approve() {
    let Some(books) = Books::open(Db::Sqlite) else { return };
    books.limits(&json!(1_000));
    let browser = |login: &str, password: &str| {
        let browser = books.house.server.public().cookies();
        let token = csrf(&browser.get("/sign-in").good());
        let form = [("csrf", token.as_str()), ("login", login), ("password", password)];
        assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
        browser
    };
    let admin = browser("admin", "correct horse battery");
    let warning = "so the limit does not protect you";
    assert!(admin.get("/settings").good().text().contains(warning), "one person keeps the books");
    books.admin.post("/api/v1/accounts", &json!({"roles": ["treasurer"]})).good();
    assert!(admin.get("/settings").good().text().contains(warning), "the other has not come yet");
    books.house.with_roles(&books.admin, "kassier", &["treasurer"]);
    assert!(!admin.get("/settings").good().text().contains(warning), "two do");
    let kassier = browser("kassier", PASSWORD);
    let sends = |browser: &Client, path: &str, fields: &[(&str, &str)]| {
        let token = csrf(&browser.get("/ledger/treasury").good());
        let mut form = vec![("csrf", token.as_str())];
        form.extend_from_slice(fields);
        assert_eq!(browser.request("POST", path).form(&form).send().status, 303);
    };
    let table = [("table", "standings"), ("csv", "player,unit,amount\nAda,EUR,99\n"), ("key", "one")];
    sends(&kassier, "/ledger/import", &table);
    let own = kassier.get("/ledger/treasury").good();
    assert!(own.text().contains("Waiting for a second person"), "{own}");
    assert!(own.text().contains("value=\"decline\"") && !own.text().contains("value=\"approve\""), "{own}");
    assert_eq!(books.balance(&books.ada, None), 0);
    sends(&admin, "/ledger/daybook", &[("command", "approve"), ("entry:number", "1")]);
    assert_eq!(books.balance(&books.ada, None), 9_900);
    sends(
        &kassier,
        "/ledger/daybook",
        &[("command", "take_back"), ("entry:number", "1"), ("reason", "the wrong file")],
    );
    let seen = admin.get("/ledger/treasury").good();
    for said in ["waits for approval to be taken back", "the wrong file", "value=\"approve\""] {
        assert!(seen.text().contains(said), "no {said:?} in {seen}");
    }
    sends(&admin, "/ledger/daybook", &[("command", "approve"), ("entry:number", "1")]);
    assert_eq!(books.balance(&books.ada, None), 0);
    books.verified();
}

#[test]
fn an_import_by_command_waits_as_well() {
    let Some((mut books, _)) = Books::with_limit(Db::Sqlite) else { return };
    assert!(books.house.server.stop().success());
    let program = |arguments: &[&str], input: &str| {
        let mut child = Server::program_on(&books.house.database)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let imported = program(&["books", "import", "standings", "-"], "player,unit,amount\nAda,EUR,10.01\n");
    assert_eq!(imported["status"], "proposed", "{imported}");
    let accounts = program(&["books", "accounts"], "");
    assert_eq!(accounts, json!([]));
}
