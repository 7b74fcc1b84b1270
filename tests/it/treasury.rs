//! A treasurer's work over HTTP: payments, fees, adjustments that a second person approves, the drawer,
//! statements of a period, and months that stay closed. [`second_person`]: what one person cannot do alone
//! where there is a limit.

mod second_person;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use owlbox_desk::access::tokens::{KeyRing, SigningKey};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::House;
use crate::support::server::Server;
use crate::walk::csrf;

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

    #[track_caller]
    fn notes(&self, order: &Value) -> Value {
        self.admin.post("/api/v1/daybook", order).good().body
    }

    #[track_caller]
    fn refused(&self, order: &Value, code: &str) {
        drop(self.admin.post("/api/v1/daybook", order).refused(422, code));
    }

    /// The balance of a player in euros, now or at the end of a day.
    #[track_caller]
    fn balance(&self, player: &str, on: Option<&str>) -> i64 {
        let on = on.map(|on| format!("?on={on}")).unwrap_or_default();
        let balances = self.admin.get(&format!("/api/v1/players/{player}/balances{on}")).good().body;
        let euros = balances.as_array().unwrap().iter().find(|one| one["unit"] == "EUR");
        euros.map_or(0, |one| one["amount"].as_i64().unwrap())
    }

    #[track_caller]
    fn money(&self) -> (i64, i64) {
        let money = self.admin.get("/api/v1/ledger/money").good().body;
        let euros = money.as_array().unwrap().iter().find(|one| one["currency"] == "EUR").unwrap();
        (euros["drawer"].as_i64().unwrap(), euros["bank"].as_i64().unwrap())
    }

    /// Every account with its balance; in each unit they add up to zero.
    #[track_caller]
    fn accounts(&self, on: &str) -> Vec<Value> {
        let accounts = self.admin.get(&format!("/api/v1/ledger/accounts?limit=200{on}")).good().body;
        let accounts = accounts["items"].as_array().unwrap().clone();
        let mut sums = std::collections::BTreeMap::<String, i64>::new();
        for account in &accounts {
            *sums.entry(account["unit"].to_string()).or_default() += account["amount"].as_i64().unwrap();
        }
        assert!(sums.values().all(|sum| *sum == 0), "{sums:?}");
        accounts
    }

    fn verified(self) {
        let Self { house, .. } = self;
        house.verify();
    }
}

#[rstest]
fn what_a_treasurer_records_is_in_the_books_and_taken_back_by_its_number(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(books) = Books::open(db) else { return };
    let (ada, bea) = (&books.ada, &books.bea);
    let opened = json!({"command": "open_balances", "on": "2026-01-01", "balances": [
        {"holder": {"player": ada}, "unit": "EUR", "amount": -1_500},
        {"holder": {"player": ada}, "unit": "half_points", "amount": -7},
        {"holder": "house", "unit": "EUR", "amount": 2_000},
    ]});
    let first = books.notes(&opened);
    assert_eq!((&first["entry"]["entry"], &first["entry"]["status"]), (&json!(1), &json!("posted")));
    let fee = json!({"command": "charge", "players": [ada, bea], "fee": "membership", "currency": "EUR",
        "amount": 4_000, "on": "2026-02-01", "memo": "2026"});
    books.notes(&fee);
    let player = |id: &str| json!({ "player": id });
    books.notes(&json!({"command": "pay", "payer": player(ada), "payee": "house", "currency": "EUR",
        "amount": 5_500, "on": "2026-02-03"}));
    books.notes(&json!({"command": "pay", "payer": player(bea), "payee": "house", "currency": "EUR",
        "amount": 4_000, "means": "bank", "on": "2026-02-05"}));
    books.notes(
        &json!({"command": "spend", "currency": "EUR", "amount": 900, "memo": "Rent", "on": "2026-02-10"}),
    );
    books.notes(&json!({"command": "deposit", "currency": "EUR", "amount": 4_000, "way": "to_bank"}));
    assert_eq!(books.balance(ada, None), 0, "what she owed, the fee, what she paid");
    assert_eq!(books.balance(ada, Some("2025-12-31")), 0);
    assert_eq!(books.balance(ada, Some("2026-01-01")), -1_500);
    assert_eq!(books.balance(ada, Some("2026-02-02")), -5_500);
    let then = books.admin.get(&format!("/api/v1/players/{ada}/balances?on=2026-02-02")).good().body;
    assert_eq!(then[1], json!({"unit": "EUR", "amount": -5_500, "postings": 2}), "and what makes it up");
    assert_eq!(books.money(), (2_000 + 5_500 - 900 - 4_000, 8_000));

    // Counted: five short.
    let counted = books.notes(&json!({"command": "count", "currency": "EUR", "counted": 2_595}));
    assert_eq!(counted["entry"]["what"]["expected"], 2_600, "{counted}");
    assert_eq!(books.money(), (2_595, 8_000));

    // Bea's fee was a mistake: the whole record is taken back, whatever was recorded since.
    let back = json!({"command": "take_back", "entry": 2, "reason": "wrong year"});
    let taken = books.notes(&back);
    assert_eq!(
        (&taken["entry"]["status"], &taken["entry"]["reason"]),
        (&json!("taken_back"), &json!("wrong year"))
    );
    books.refused(&back, "not_posted");
    assert_eq!((books.balance(ada, None), books.balance(bea, None)), (4_000, 4_000));
    let statement = books.admin.get(&format!("/api/v1/players/{bea}/statement?unit=EUR")).good().body;
    let lines = statement["items"].as_array().unwrap();
    assert_eq!((&lines[0]["kind"], &lines[0]["record"]), (&json!("reversal"), &json!(2)), "{statement}");
    assert_eq!(lines[0]["reverses"], lines[2]["transaction"], "linked to what it takes back");
    books.accounts("");
    books.accounts("&on=2026-02-04");
    let daybook = books.admin.get("/api/v1/daybook?limit=3").good();
    let numbers = |page: &Value| -> Vec<i64> {
        page["items"].as_array().unwrap().iter().map(|one| one["entry"].as_i64().unwrap()).collect()
    };
    assert_eq!(numbers(&daybook.body), [7, 6, 5]);
    let next = daybook.body["next"].as_str().unwrap().to_owned();
    let rest = books.admin.get(&format!("/api/v1/daybook?after={next}")).good().body;
    assert_eq!(numbers(&rest), [4, 3, 2, 1]);
    assert_eq!(books.admin.get("/api/v1/daybook/5").good().body["memo"], "Rent");
    books.admin.get("/api/v1/daybook/8").refused(404, "not_found");
    books.verified();
}

#[rstest]
fn an_adjustment_above_the_limit_waits_for_a_second_person(#[values(Db::one(), Db::other())] db: Db) {
    let Some(books) = Books::open(db) else { return };
    let mut settings = books.admin.get("/api/v1/settings").good().body;
    settings["adjustment_limit"] = json!(1_000);
    books.admin.put("/api/v1/settings", &settings).good();
    let adjust = |amount: i64, unit: &str| {
        json!({"command": "adjust", "from": "house", "to": {"player": books.ada}, "unit": unit,
            "amount": amount, "memo": "prize that was forgotten"})
    };
    assert_eq!(books.notes(&adjust(1_000, "EUR"))["entry"]["status"], "posted");
    let proposed = books.notes(&adjust(1_001, "EUR"));
    assert_eq!((&proposed["entry"]["status"], books.balance(&books.ada, None)), (&json!("proposed"), 1_000));
    let approve = json!({"command": "approve", "entry": 2});
    books.refused(&approve, "second_person");
    let treasurer = books.house.with_roles(&books.admin, "kassier", &["treasurer"]);
    treasurer.post("/api/v1/daybook", &approve).good();
    assert_eq!(books.balance(&books.ada, None), 2_001);
    books.refused(&approve, "not_proposed");
    // Points are never adjusted by one person alone where there is a limit.
    let points = json!({"command": "adjust", "from": {"player": books.bea}, "to": {"player": books.ada},
        "unit": "half_points", "amount": 1, "memo": "half a point"});
    assert_eq!(books.notes(&points)["entry"]["status"], "proposed");
    treasurer.post("/api/v1/daybook", &json!({"command": "decline", "entry": 3, "reason": "no"})).good();
    treasurer
        .post("/api/v1/daybook", &json!({"command": "approve", "entry": 3}))
        .refused(422, "not_proposed");
    books.verified();
}

#[rstest]
fn a_closed_month_stays_as_it_is_and_what_comes_later_counts_for_the_day_of_posting(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(books) = Books::open(db) else { return };
    let (ada, player) = (&books.ada, |id: &str| json!({ "player": id }));
    let pay = |amount: i64, on: &str| {
        json!({"command": "pay", "payer": player(&books.ada), "payee": player(&books.bea), "currency": "EUR",
            "amount": amount, "on": on})
    };
    books.notes(&pay(700, "2026-03-10"));
    books.notes(&pay(50, "2026-04-02"));
    let closed = books.notes(&json!({"command": "close_month", "month": "2026-03"}));
    assert_eq!(closed["closed"], "2026-03");
    books.refused(&json!({"command": "close_month", "month": "2026-02"}), "month_closed");
    books.refused(&json!({"command": "close_month", "month": "2199-12"}), "month_not_over");
    let march = books.accounts("&on=2026-03-31");
    // Late, and taken back: both count for today.
    let late = books.notes(&pay(11, "2026-03-12"));
    assert_eq!(late["entry"]["on"], "2026-03-12");
    books.notes(&json!({"command": "take_back", "entry": 1, "reason": "never paid"}));
    assert_eq!(books.accounts("&on=2026-03-31"), march);
    assert_eq!((books.balance(ada, Some("2026-04-30")), books.balance(ada, None)), (750, 61));
    let statement = |query: &str| {
        books.admin.get(&format!("/api/v1/players/{ada}/statement?unit=EUR&{query}")).good().body
    };
    let of_march = statement("from=2026-03-01&until=2026-03-31");
    assert_eq!(
        (&of_march["opening"], &of_march["closing"], &of_march["lines"]),
        (&json!(0), &json!(700), &json!(1))
    );
    let since = statement("from=2026-04-01");
    assert_eq!((&since["opening"], &since["closing"]), (&json!(700), &json!(61)), "{since}");
    let lines = since["items"].as_array().unwrap();
    let running: Vec<i64> = lines.iter().map(|line| line["running"].as_i64().unwrap()).collect();
    assert_eq!(running, [61, 761, 750], "{since}");
    assert!(lines[0]["booked_on"] != lines[0]["night"] && lines[0]["night"] == "2026-03-10", "{since}");
    // A page at a time it reads the same.
    let page = statement("from=2026-04-01&limit=2");
    let after = page["next"].as_str().unwrap();
    let rest = statement(&format!("from=2026-04-01&limit=2&after={after}"));
    assert_eq!((&rest["items"][0], &rest["next"]), (&lines[2], &Value::Null));
    // As a spreadsheet.
    let csv =
        books.admin.get(&format!("/api/v1/players/{ada}/statement?unit=EUR&from=2026-04-01&format=csv"));
    let csv = csv.good().text().to_owned();
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows[1], ",,,,,opening balance,,,,7.00");
    assert!(rows[2].starts_with("2026-04-02,2026-04-02,payment,payment,\"Bea\","), "{csv}");
    assert!(rows[4].ends_with(",-7.00,0.61") && rows[5] == ",,,,,closing balance,,,,0.61", "{csv}");

    // An admin opens the month again, with a reason.
    let treasurer = books.house.with_roles(&books.admin, "kassier", &["treasurer"]);
    let reopen = json!({"command": "reopen_month", "month": "2026-03", "reason": "a slip turned up"});
    treasurer.post("/api/v1/daybook", &reopen).refused(403, "forbidden");
    assert_eq!(books.notes(&reopen)["closed"], "2026-02");
    books.refused(&reopen, "month_open");
    books.notes(&pay(5, "2026-03-30"));
    assert_eq!(books.balance(ada, Some("2026-03-31")), 705, "the month is open again");
    books.verified();
}

#[test]
fn what_cannot_be_recorded_is_refused_and_a_retry_records_nothing_twice() {
    let Some(books) = Books::open(Db::Sqlite) else { return };
    let player = |id: &str| json!({ "player": id });
    let pay = |amount: i64| json!({"command": "pay", "payer": player(&books.ada), "payee": "house", "currency": "EUR", "amount": amount});
    let with = |field: &str, value: Value| {
        let mut order = pay(5);
        order[field] = value;
        order
    };
    for (order, code) in [
        (with("payee", player(&books.ada)), "bad_parties"),
        (with("payee", json!("bank")), "bad_parties"),
        (with("payer", player("0190a6f4-0000-7000-8000-00000000dead")), "unknown_player"),
        (with("currency", json!("JPY")), "currency_not_in_use"),
        (with("on", json!("2199-01-01")), "in_the_future"),
        (with("on", json!("1200-01-01")), "outside_calendar"),
        (json!({"command": "take_back", "entry": 9, "reason": "x"}), "no_such_record"),
    ] {
        books.refused(&order, code);
    }
    for amount in [0, -5, i64::MAX] {
        books.admin.post("/api/v1/daybook", &pay(amount)).refused(400, "invalid_body");
    }
    books.refused(&json!({"command": "count", "currency": "EUR", "counted": -1}), "bad_amount");
    let keyed =
        |key: &str| books.admin.request("POST", "/api/v1/daybook").json(&pay(5)).key(key).send().good().body;
    assert_eq!(keyed("one"), keyed("one"));
    assert_eq!(books.balance(&books.ada, None), 5);
    assert_eq!(books.admin.get("/api/v1/daybook").good().body["items"].as_array().unwrap().len(), 1);
    let stale = books.admin.request("POST", "/api/v1/daybook").json(&pay(5)).if_match("\"7\"").send();
    stale.refused(412, "stale_version");
    books.verified();
}

/// Nobody changes the books with SQL: the database refuses it.
#[rstest]
fn the_database_refuses_to_change_what_was_posted(#[values(Db::one(), Db::other())] db: Db) {
    let Some(books) = Books::open(db) else { return };
    let pay = json!({"command": "pay", "payer": {"player": books.ada}, "payee": "house", "currency": "EUR", "amount": 5});
    books.notes(&pay);
    let mut connection = owlbox_store::connection::connect(
        &books.house.database.url.parse().unwrap(),
        owlbox_store::Use::Write,
    )
    .unwrap();
    for sql in [
        "UPDATE posting SET amount = amount + 1",
        "UPDATE posting SET ledger_transaction = holder",
        "DELETE FROM posting",
        "INSERT INTO posting SELECT holder, unit, sequence + 1, holder_kind, counterparty, position, counterparty, \
         counterparty_kind, kind, amount, balance, booked_on FROM posting WHERE holder_kind = 'player'",
        "UPDATE ledger_transaction SET kind = 'game'",
        "DELETE FROM ledger_transaction",
        "UPDATE book_chain SET number = number + 1",
        "DELETE FROM book_chain",
        "UPDATE journal SET account = act",
        "UPDATE journal SET hash = NULL",
        "DELETE FROM journal",
    ] {
        use diesel::connection::SimpleConnection as _;
        assert!(connection.batch_execute(sql).is_err(), "{db:?}: {sql}");
    }
    let instead = match db {
        Db::Sqlite => {
            "INSERT OR REPLACE INTO posting SELECT holder, unit, sequence, holder_kind, ledger_transaction, \
                       position, counterparty, counterparty_kind, kind, amount + 1, balance, booked_on FROM posting"
        }
        Db::Postgres => "TRUNCATE posting",
    };
    {
        use diesel::connection::SimpleConnection as _;
        assert!(connection.batch_execute(instead).is_err(), "{db:?}: {instead}");
    }
    drop(connection);
    books.verified();
}

/// A signed statement holds without the club, and not a byte of it can be changed.
#[test]
fn a_signed_statement_is_checked_without_the_club() {
    let Some(mut books) = Books::open(Db::Sqlite) else { return };
    books.notes(&json!({"command": "charge", "players": [books.ada], "fee": "membership", "currency": "EUR",
        "amount": 4_000, "on": "2026-02-01", "memo": "2026"}));
    let path = format!("/api/v1/players/{}/statement?unit=EUR&from=2026-01-01&format=signed", books.ada);
    let text = books.admin.get(&path).good().text().to_owned();
    assert!(text.contains("\"closing\": -4000") && text.contains("\"name\": \"Ada\""), "{text}");
    books.admin.get(&format!("{path}&kind=membership")).refused(400, "invalid_query");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("statement.txt");
    let check = |text: &[u8], key: &[&str]| {
        std::fs::write(&file, text).unwrap();
        let mut arguments = vec!["verify-statement", file.to_str().unwrap()];
        arguments.extend_from_slice(key);
        let output = Server::program_on(&books.house.database).args(&arguments).output().unwrap();
        (
            output.status.code().unwrap() == 0,
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(),
        )
    };
    let (_, own) = text.trim_end().rsplit_once('\n').unwrap();
    let own = own.split(' ').nth(2).unwrap().to_owned();
    let (holds, said) = check(text.as_bytes(), &["--key", &own]);
    assert!(holds && said.contains("the signature holds") && said.contains("closing -4000"), "{said}");
    // S7: anybody can sign a statement with a key of their own.
    let (holds, said) = check(text.as_bytes(), &[]);
    assert!(!holds && !said.contains("holds") && said.contains("closing -4000"), "{said}");
    assert!(said.contains(&format!("it is signed by {own}: compare this")), "{said}");
    for place in (0..text.len()).step_by(text.len() / 40) {
        let mut changed = text.clone().into_bytes();
        changed[place] ^= 1;
        let (holds, said) = check(&changed, &[]);
        assert!(!holds, "byte {place}: {said}");
    }
    // The club's machine tells its key, and prints the same account.
    assert!(books.house.server.stop().success());
    let program = |arguments: &[&str]| {
        let output = Server::program_on(&books.house.database).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let csv = program(&["books", "statement", "Ada", "--unit", "EUR"]);
    assert!(csv.contains(",fee,membership,\"house\",") && csv.trim_end().ends_with(",-40.00"), "{csv}");
    let paid = r#"{"command": "pay", "payer": {"player": "Ada"}, "payee": "house", "currency": "EUR", "amount": 4000}"#;
    let noted: Value = serde_json::from_str(&program(&["books", "note", paid])).unwrap();
    assert_eq!(noted["entry"]["entry"], 2, "{noted}");
    let closed = program(&["books", "note", r#"{"command": "close_month", "month": "2026-02"}"#]);
    assert!(closed.contains("\"closed\":\"2026-02\""), "{closed}");
    let accounts: Value =
        serde_json::from_str(&program(&["books", "accounts", "--on", "2026-02-28"])).unwrap();
    assert_eq!(accounts.as_array().unwrap().len(), 2, "{accounts}");
    let signed = program(&["books", "statement", "Ada", "--unit", "EUR", "--format", "signed"]);
    let key = program(&["books", "key"]);
    let (holds, said) = check(signed.as_bytes(), &["--key", key.trim()]);
    assert!(holds && said.contains("closing 0"), "{said}");
    let (holds, said) = check(text.as_bytes(), &["--key", "another"]);
    assert!(!holds && said.contains("not by another"), "{said}");
    program(&["verify"]);
}

/// S7: a statement that somebody signed with a key of their own shows no screen of its own, whatever it is
/// said to be of.
#[test]
fn a_forged_statement_writes_nothing_but_its_text_to_the_terminal() {
    let keys = |secret: &[u8]| {
        let key = SigningKey::new("forger", &secret.to_vec().into()).unwrap();
        KeyRing::new(vec![key]).unwrap()
    };
    let [forger, club] = [keys(&[7; 32]), keys(&[8; 32])];
    let key_of = |keys: &KeyRing| URL_SAFE_NO_PAD.encode(keys.statement_key());
    let screen =
        format!("\u{1b}[2J\u{1b}[Hthe signature holds\nclub Bern\r\u{9b}1m\u{202e}key {}\n", key_of(&club));
    let statement = json!({
        "club": screen, "account": "player", "id": "0190a6f4-0000-7000-8000-000000000001", "name": screen,
        "unit": "EUR", "from": null, "until": null, "opening": 0, "closing": 50_000_000_000_i64, "lines": [],
        "issued_at": "2026-11-28T12:00:00Z", "chain": {"transactions": 1, "hash": ""},
    });
    let (folder, database) = (tempfile::tempdir().unwrap(), Db::Sqlite.fresh().unwrap());
    let check = |said: &Value, keys: &[&str]| {
        let said = format!("{said}\n");
        let (public, signature) =
            (key_of(&forger), URL_SAFE_NO_PAD.encode(forger.sign_statement(said.as_bytes())));
        let file = folder.path().join("statement.txt");
        std::fs::write(&file, format!("{said}signed ed25519 {public} {signature}\n")).unwrap();
        let mut arguments = vec!["verify-statement", file.to_str().unwrap()];
        arguments.extend_from_slice(keys);
        let output = Server::program_on(&database).args(&arguments).output().unwrap();
        let [out, told] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code().unwrap(), out, told)
    };
    let (code, out, told) = check(&statement, &[]);
    assert_eq!(code, 3, "{out}{told}");
    for text in [&out, &told] {
        let hidden = |c: char| (c.is_control() && c != '\n') || ('\u{200b}'..='\u{206f}').contains(&c);
        assert!(!text.contains(hidden), "{text:?}");
    }
    let holds = out.lines().chain(told.lines()).any(|line| line.starts_with("the signature holds"));
    assert!(!holds && out.contains("\\u001b[2J") && told.contains(&key_of(&forger)), "{out}{told}");
    assert_eq!(out.lines().filter(|line| line.starts_with("key ")).count(), 1, "{out}");
    let (code, out, told) = check(&statement, &["--key", &key_of(&club)]);
    assert!(code == 1 && out.is_empty() && told.contains("not by"), "{out}{told}");
    assert_eq!(check(&statement, &["--key", &key_of(&forger)]).0, 0);
    for said in [json!(5), json!({}), json!({"closing": 5}), json!("\u{1b}[2J")] {
        let (code, out, told) = check(&said, &["--key", &key_of(&forger)]);
        assert!(code == 1 && out.is_empty() && told.contains("not a statement of account"), "{out}{told}");
        assert!(!told.contains('\u{1b}'), "{told:?}");
    }
}

/// A reminder on a member's own pages, with the code for a transfer where the creditor has an account on
/// file.
#[rstest]
fn what_is_due_is_shown_to_who_owes_it_with_a_code_for_a_transfer(#[values(Db::one(), Db::other())] db: Db) {
    let Some(books) = Books::open(db) else { return };
    let (ada, bea) = (&books.ada, &books.bea);
    let mut settings = books.admin.get("/api/v1/settings").good().body;
    settings["iban"] = json!("DE89 3704 0044 0532 0130 01");
    books.admin.put("/api/v1/settings", &settings).refused(400, "invalid_body");
    settings["iban"] = json!("DE89 3704 0044 0532 0130 00");
    settings["name"] = json!("Circolo del Gufo");
    assert_eq!(books.admin.put("/api/v1/settings", &settings).good().body["iban"], "DE89370400440532013000");
    books
        .admin
        .patch(&format!("/api/v1/players/{bea}"), &json!({"iban": "IT60X0542811101000000123456"}))
        .good();
    let player = |id: &str| json!({ "player": id });
    let order = |from: Value, to: Value, amount: i64| json!({"command": "adjust", "from": from, "to": to, "unit": "EUR", "amount": amount, "on": "2026-02-01", "memo": "x"});
    books.notes(&order(player(ada), json!("house"), 1_205));
    let dues = books.admin.get(&format!("/api/v1/players/{ada}/dues")).good().body;
    let code = "BCD\n002\n1\nSCT\n\nCircolo del Gufo\nDE89370400440532013000\nEUR12.05\n\n\nAda";
    let payment = json!({"payer": player(ada), "payee": "house", "amount": 1_205, "transfer_code": code});
    let names = json!({(ada.clone()): "Ada"});
    assert_eq!(dues, json!([{"currency": "EUR", "amount": -1_205, "payments": [payment], "names": names}]));
    assert_eq!(books.admin.get(&format!("/api/v1/players/{bea}/dues")).good().body, json!([]));
    // Now somebody else is owed it.
    books.notes(&order(json!("house"), player(bea), 1_205));
    let dues = books.admin.get(&format!("/api/v1/players/{ada}/dues")).good().body;
    let code = dues[0]["payments"][0]["transfer_code"].as_str().unwrap();
    assert!(code.contains("\nBea\nIT60X0542811101000000123456\nEUR12.05\n"), "{code}");
    let of_bea = books.admin.get(&format!("/api/v1/players/{bea}/dues")).good().body;
    assert_eq!(
        (&of_bea[0]["amount"], &of_bea[0]["payments"][0]["transfer_code"]),
        (&json!(1_205), &Value::Null)
    );
    let invited =
        books.admin.post("/api/v1/accounts", &json!({"player": ada, "roles": ["player"]})).good().body;
    let claim = json!({"login": "ada", "password": "quattro oche sul lago"});
    books
        .house
        .server
        .public()
        .post(&format!("/api/v1/links/{}", invited["secret"].as_str().unwrap()), &claim)
        .good();
    let browser = books.house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", "ada"), ("password", "quattro oche sul lago")];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    let home = browser.get("/").good();
    assert!(home.text().contains("You owe 12.05 EUR"), "{home}");
    let ledger = browser.get(&format!("/ledger/{ada}?unit=EUR")).good();
    for said in ["You owe 12.05 EUR", "Ada pays Bea", "IT60 X054 2811 1010 0000 0123 456", "<svg"] {
        assert!(ledger.text().contains(said), "no {said:?} in {ledger}");
    }
    // Without a code the page says why, in each language.
    books.admin.patch(&format!("/api/v1/players/{bea}"), &json!({"iban": "CH9300762011623852957"})).good();
    for (language, why) in [
        ("en", "BIC of its bank"),
        ("de", "BIC der Bank"),
        ("fr", "BIC de la banque"),
        ("it", "BIC della banca"),
    ] {
        let ledger = browser.request("GET", &format!("/ledger/{ada}?unit=EUR"));
        let ledger = ledger.header("accept-language", language).send().good();
        assert!(
            ledger.text().contains(why) && !ledger.text().contains("class=\"qr\""),
            "{language}: {ledger}"
        );
    }
    // Filters are links: by kind, and back.
    assert!(ledger.text().contains("kind=adjustment"), "{ledger}");
    let narrowed = browser.get(&format!("/ledger/{ada}?unit=EUR&kind=adjustment")).good();
    assert!(narrowed.text().contains("Adjustment ×"), "{narrowed}");
    let none = browser.get(&format!("/ledger/{ada}?unit=EUR&kind=membership")).good();
    assert!(none.text().contains("Membership ×") && !none.text().contains("kind=adjustment"), "{none}");
    books.verified();
}

/// M1: the treasury comes first, and the house says in words what the club has; money that came in is no
/// loss.
#[test]
fn the_house_says_what_the_club_has_and_nothing_received_is_red() {
    let Some(books) = Books::open(Db::Sqlite) else { return };
    let player = |id: &str| json!({ "player": id });
    let today = |order: Value| books.notes(&order);
    today(
        json!({"command": "charge", "players": [books.ada, books.bea], "fee": "membership", "currency": "EUR",
        "amount": 5_000}),
    );
    for means in ["cash", "bank"] {
        today(json!({"command": "pay", "payer": player(&books.ada), "payee": "house", "currency": "EUR",
            "amount": 2_500, "means": means}));
    }
    books.house.with_roles(&books.admin, "kassier", &["treasurer"]);
    let browser = books.house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", "kassier"), ("password", "quattro oche sul lago")];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    assert!(browser.get("/").good().text().contains("href=\"/ledger/treasury\""));
    let sums = |label: &str, sum: &str| format!("<dt>{label}</dt><dd class=\"n\">{sum}</dd>");
    let earned = "<span class=\"n won\">+100.00 EUR</span>";
    let treasury = browser.get("/ledger/treasury").good();
    assert!(treasury.text().contains(&sums("Earned this year", earned)), "{treasury}");
    let house = browser.get("/ledger/house").good();
    for words in [
        sums("Earned", earned),
        sums("In the drawer, by the books", "25.00 EUR"),
        sums("At the bank, by the books", "25.00 EUR"),
        sums("Players owe", "50.00 EUR"),
        sums("Players are owed", "0.00 EUR"),
    ] {
        assert!(house.text().contains(&words), "no {words} in {house}");
    }
    assert!(house.text().contains("<span class=\"n won\">+25.00</span>"), "into the drawer: {house}");
    let bank = browser.get("/ledger/accounts/bank").good();
    assert!(bank.text().contains("<span class=\"n won\">+25.00 EUR</span>"), "{bank}");
    for page in [house, bank] {
        assert!(!page.text().contains("class=\"n lost\""), "{page}");
    }
    // What is spent from the drawer is red, once.
    today(json!({"command": "spend", "currency": "EUR", "amount": 900, "memo": "Rent"}));
    let house = browser.get("/ledger/house").good();
    assert!(house.text().contains(&sums("In the drawer, by the books", "16.00 EUR")), "{house}");
    assert_eq!(house.text().matches("<span class=\"n lost\">-9.00</span>").count(), 2, "{house}");
    books.verified();
}

/// The same by forms, as a browser without scripts sends them.
#[test]
fn a_treasurer_keeps_the_books_on_their_page() {
    let Some(books) = Books::open(Db::Sqlite) else { return };
    books.house.with_roles(&books.admin, "kassier", &["treasurer"]);
    let browser = books.house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", "kassier"), ("password", "quattro oche sul lago")];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    let page = browser.get("/ledger/treasury").good();
    assert!(page.text().contains("Nobody owes anything"), "{page}");
    let token = csrf(&page);
    let sends = |fields: &[(&str, &str)]| {
        let mut form = vec![("csrf", token.as_str())];
        form.extend_from_slice(fields);
        browser.request("POST", "/ledger/daybook").form(&form).send()
    };
    let bad = sends(&[("command", "pay"), ("payer", "Ada"), ("currency", "EUR"), ("amount", "ten")]);
    assert!(bad.status == 400 && bad.text().contains("value=\"ten\""), "what was typed stays: {bad}");
    let nobody = sends(&[("command", "pay"), ("payer", "Zoe"), ("currency", "EUR"), ("amount", "10")]);
    assert_eq!(nobody.status, 422, "{nobody}");
    let fee =
        [("command", "charge"), ("fee", "table_money"), ("players[]", &books.ada), ("players[]", &books.bea)];
    let fee =
        [&fee[..], &[("currency", "EUR"), ("amount", "7.50"), ("on", "2026-05-02"), ("key", "fee")]].concat();
    assert_eq!((sends(&fee).status, sends(&fee).status), (303, 303), "a second tap charges nothing");
    assert_eq!((books.balance(&books.ada, None), books.balance(&books.bea, None)), (-750, -750));
    let page = browser.get("/ledger/treasury").good();
    for said in ["Ada pays the club", "15.00 EUR", "table money", "2 × 7.50 EUR"] {
        assert!(page.text().contains(said), "no {said:?} in {page}");
    }
    let part = [("command", "pay"), ("payer", "Ada"), ("payee", ""), ("currency", "EUR"), ("amount", "5")];
    assert_eq!(sends(&part).status, 303, "a part of it");
    assert_eq!((books.balance(&books.ada, None), books.money()), (-250, (500, 0)));
    assert_eq!(
        sends(&[("command", "take_back"), ("entry:number", "1"), ("reason", "they were guests")]).status,
        303
    );
    assert_eq!(sends(&[("command", "close_month"), ("month", "2026-05")]).status, 303);
    let page = browser.get("/ledger/treasury").good();
    assert!(page.text().contains("closed up to May 2026"), "{page}");
    let reopen = sends(&[("command", "reopen_month"), ("month", "2026-05"), ("reason", "late")]);
    assert_eq!(reopen.status, 403, "only an admin opens a month again: {reopen}");
    let daybook = browser.get("/ledger/daybook").good();
    assert!(
        daybook.text().contains("taken back") && daybook.text().contains("they were guests"),
        "{daybook}"
    );
    // A statement of a period, with links to others and to files.
    let ledger =
        browser.get(&format!("/ledger/{}?unit=EUR&from=2026-05-01&until=2026-05-31", books.ada)).good();
    for said in
        ["Balance before", "Balance after", "-7.50", "format=csv", "format=signed", "Daybook, table money"]
    {
        assert!(ledger.text().contains(said), "no {said:?} in {ledger}");
    }
    let since = browser.get(&format!("/ledger/{}?unit=EUR", books.ada)).good();
    assert!(
        since.text().contains("Undone: Daybook, table money") || since.text().contains("undone"),
        "{since}"
    );
    let house = browser.get("/ledger/accounts/bank").good();
    assert!(house.text().contains("The bank"), "{house}");
    books.verified();
}
