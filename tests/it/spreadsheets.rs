//! Tables from and for other people's spreadsheets, and what they type: encodings, headings, amounts and days
//! in four languages, files for Excel. The numbers are those of the findings that began it.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::{ADMIN, House};
use crate::walk::csrf;

const IMPORTS: &str = "/api/v1/ledger/imports";
const PREVIEW: &str = "/api/v1/ledger/imports/preview";
const TABLE: &str = "player;unit;amount\r\nJörg Müller;EUR;-12,50\r\nAndré Çelik;EUR;12,50\r\n";

/// The table as spreadsheets save it: name of the encoding, and bytes.
fn saved() -> Vec<(&'static str, Vec<u8>)> {
    let ansi = TABLE.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let utf_16 = [0xff, 0xfe].into_iter().chain(TABLE.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    vec![
        ("UTF-8", TABLE.as_bytes().to_vec()),
        ("UTF-8 with a mark", format!("\u{feff}{TABLE}").into_bytes()),
        ("Windows-1252", ansi),
        ("UTF-16", utf_16),
    ]
}

fn standings(csv: &str) -> Value {
    json!({"table": "standings", "csv": csv, "on": "2026-01-01", "add_players": true})
}

fn names(admin: &Client) -> Vec<String> {
    let players = admin.get("/api/v1/players").good().body;
    players["items"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

#[rstest]
fn c16_a_table_in_the_encoding_of_a_spreadsheet_books_to_who_is_meant(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let jorg = house.player(&admin, "Jörg Müller");
    for (encoding, bytes) in saved() {
        let read =
            admin.request("POST", "/api/v1/texts").raw("application/octet-stream", bytes).send().good();
        assert_eq!(read.body["text"], TABLE, "{encoding}");
    }
    let csv = String::from_utf8(TABLE.as_bytes().to_vec()).unwrap();
    admin.post(IMPORTS, &standings(&csv)).good();
    let balances = admin.get(&format!("/api/v1/players/{jorg}/balances")).good().body;
    assert!(balances.as_array().unwrap().iter().any(|one| one["unit"] == "EUR" && one["amount"] == -1_250));
    // What a browser's script made of the ANSI file: the lines are named, and nobody is added.
    let lost = TABLE.replace(['ö', 'ü', 'é', 'Ç'], "\u{fffd}");
    let seen = admin.post(PREVIEW, &standings(&lost)).good().body;
    let wrong: Vec<(u64, &str)> = seen["wrong"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["line"].as_u64().unwrap(), one["code"].as_str().unwrap()))
        .collect();
    assert_eq!(wrong, [(2, "not_text"), (3, "not_text")]);
    admin.post(IMPORTS, &standings(&lost)).refused(422, "wrong_lines");
    assert!(!names(&admin).iter().any(|name| name.contains('\u{fffd}')), "{:?}", names(&admin));
    // Nor by any other road.
    for name in ["J\u{fffd}rg", "\u{fffd}"] {
        admin.post("/api/v1/players", &json!({"name": name})).refused(400, "invalid_body");
        admin.post("/api/v1/players", &json!({"name": "Kim", "nickname": name})).refused(400, "invalid_body");
        admin.patch(&format!("/api/v1/players/{jorg}"), &json!({"name": name})).refused(400, "invalid_body");
        admin.post("/api/v1/chouettes", &json!({"name": name})).refused(400, "invalid_body");
        admin
            .post("/api/v1/tournaments", &json!({"name": name, "date": "2026-11-20"}))
            .refused(400, "invalid_body");
    }
    for no_text in [&b"PK\x03\x04\0\0"[..], b"{\\rtf1\\ansi player;unit;amount}"] {
        let sent = admin.request("POST", "/api/v1/texts").raw("application/octet-stream", no_text.to_vec());
        sent.send().refused(422, "bad_file");
    }
    house
        .server
        .public()
        .request("POST", "/api/v1/texts")
        .raw("text/csv", b"a".to_vec())
        .send()
        .refused(401, "not_signed_in");
    house.verify();
}

/// "CSV (Macintosh)" and "CSV (MS-DOS)" of the same table.
#[rstest]
fn c16_a_table_in_another_code_page_is_refused_and_books_to_nobody(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let pages = Pages::of(&house, "de");
    let token = csrf(&pages.get("/ledger/import"));
    for (page, jorg) in [("Macintosh", &b"J\x9arg M\x9fller"[..]), ("MS-DOS", b"J\x94rg M\x81ller")] {
        let file = [b"player;unit;amount\r\n", jorg, b";EUR;-12,50\r\n"].concat();
        let sent = admin.request("POST", "/api/v1/texts").raw("application/octet-stream", file.clone());
        let refused = sent.send().refused(422, "bad_file");
        let detail = refused.body["detail"].as_str().unwrap_or_default();
        assert!(detail.contains("save it in UTF-8"), "{page}: {refused}");
        let chosen = pages.browser.request("POST", "/texts").header("x-csrf-token", &token);
        let chosen = chosen.header("accept-language", "de").raw("application/octet-stream", file).send();
        assert_eq!(chosen.status, 422, "{page}");
        assert!(chosen.text().contains("CSV UTF-8"), "{page}: {chosen}");
    }
    // What somebody else has decoded wrongly.
    for name in ["J”rg", "M\u{81}ller", "Fran‡ois", "Andr‰s", "Mu¤oz"] {
        let csv = format!("player,unit,amount\n{name},EUR,12.50\nŠime Žižek,EUR,1\n");
        let seen = admin.post(PREVIEW, &standings(&csv)).good().body;
        assert_eq!(
            (&seen["wrong"][0]["line"], &seen["wrong"][0]["code"]),
            (&json!(2), &json!("not_text")),
            "{name}"
        );
        admin.post(IMPORTS, &standings(&csv)).refused(422, "wrong_lines");
    }
    assert_eq!(names(&admin).len(), 0, "{:?}", names(&admin));
    let rtf = pages.browser.request("POST", "/texts").header("x-csrf-token", &token);
    let rtf = rtf.raw("application/octet-stream", b"{\\rtf1\\ansi player;unit;amount}".to_vec()).send();
    assert_eq!(rtf.status, 422, "{rtf}");
    house.verify();
}

#[test]
fn c16_an_ansi_file_is_chosen_in_a_browser_for_a_table_and_for_a_match() {
    let Some(browser) = Browser::phone() else { return };
    let Some(house) = House::open(Db::Sqlite) else { return };
    let phone = Phone::signed_in(browser, &house, ADMIN);
    let folder = tempfile::tempdir().unwrap();
    let field = || phone.browser.run("return document.getElementById('csv').value.replaceAll('\\r', '')");
    for (encoding, bytes) in saved() {
        let file = folder.path().join("table.csv");
        std::fs::write(&file, bytes).unwrap();
        phone.goto("/ledger/import");
        phone.browser.wait_for("#csv-file:not([hidden])");
        phone.browser.fill("#csv-file", file.to_str().unwrap());
        phone.browser.wait_until(encoding, || field() == TABLE.replace('\r', ""));
    }
    let file = folder.path().join("table.xls");
    std::fs::write(&file, b"\xd0\xcf\x11\xe0\0\0\0\x01").unwrap();
    phone.goto("/ledger/import");
    phone.browser.wait_for("#csv-file:not([hidden])");
    phone.browser.fill("#csv-file", file.to_str().unwrap());
    phone.browser.wait_until("the file is refused", || {
        phone.browser.run("return document.getElementById('csv-file').validationMessage") != ""
    });
}

/// A form of a page in a language, sent as a browser without scripts sends it.
struct Pages {
    browser: Client,
    language: &'static str,
}

impl Pages {
    fn of(house: &House, language: &'static str) -> Self {
        let pages = Self { browser: house.server.public().cookies(), language };
        let page = pages.get("/sign-in");
        pages.post("/sign-in", &page, &[("login", ADMIN.0), ("password", ADMIN.1)]);
        pages
    }

    fn get(&self, path: &str) -> Answer {
        self.browser.request("GET", path).header("accept-language", self.language).send().good()
    }

    fn post(&self, path: &str, page: &Answer, fields: &[(&str, &str)]) -> Answer {
        let token = csrf(page);
        let form: Vec<(&str, &str)> =
            [("csrf", token.as_str())].into_iter().chain(fields.iter().copied()).collect();
        self.browser.request("POST", path).header("accept-language", self.language).form(&form).send()
    }
}

#[test]
fn m6_a_table_is_read_by_the_pages_language_and_what_can_be_two_is_asked() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let ada = house.player(&admin, "Ada");
    let pages = Pages::of(&house, "de");
    let page = pages.get("/ledger/import");
    assert!(
        page.text().contains("Spieler;Einheit;Betrag\nAnna Rossi;EUR;-12,50\nAnna Rossi;Punkte;7,5"),
        "{page}"
    );
    let csv = "Spieler;Einheit;Betrag\r\nAda;EUR;1.240,00\r\nAda;Punkte;2½\r\nNeu Hier;€;12,50 €\r\n";
    let preview = |csv: &str, more: &[(&str, &str)]| {
        let fields =
            [&[("table", "standings"), ("csv", csv), ("on", "2026-01-01"), ("add_players", "on")][..], more]
                .concat();
        pages.post("/ledger/import/preview", &page, &fields)
    };
    let seen = preview(csv, &[]).good();
    for said in ["+1.240,00 EUR", "+2½", "Neu Hier", "+12,50 EUR", "action=\"/ledger/import\""] {
        assert!(seen.text().contains(said), "no {said:?} in {seen}");
    }
    // Twelve hundred and forty, or one and twenty-four cents?
    let doubtful = "Spieler;Einheit;Betrag\r\nAda;EUR;1.240\r\n";
    let seen = preview(doubtful, &[]).good();
    for said in ["„1.240“", "id=\"numbers-ask\"", "Das können zwei Beträge sein."] {
        assert!(seen.text().contains(said), "no {said:?} in {seen}");
    }
    assert!(!seen.text().contains("action=\"/ledger/import\""), "nothing to book yet: {seen}");
    for (numbers, amount) in [("comma", "+1.240,00 EUR"), ("point", "+1,24 EUR")] {
        let seen = preview(doubtful, &[("numbers", numbers)]).good();
        assert!(seen.text().contains(amount), "no {amount:?} in {seen}");
        let kept = format!("<input type=\"hidden\" name=\"numbers\" value=\"{numbers}\">");
        assert!(seen.text().contains(&kept), "no {kept:?} in {seen}");
    }
    let booked =
        [("table", "standings"), ("csv", csv), ("on", "2026-01-01"), ("add_players", "on"), ("key", "k")];
    assert_eq!(pages.post("/ledger/import", &page, &booked).status, 303);
    let balances = admin.get(&format!("/api/v1/players/{ada}/balances")).good().body;
    assert!(balances.as_array().unwrap().iter().any(|one| one["unit"] == "EUR" && one["amount"] == 124_000));
    // The API reads as ever, and by an explicit option as the page.
    let body = |more: Value| {
        let mut body = json!({"table": "games", "csv": "Datum;Sieger;Verlierer;Betrag;Währung\n03/04/2025;Ada;Neu Hier;1.240;EUR\n"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let codes = |answer: Answer| -> Vec<String> {
        let wrong = answer.good().body["wrong"].as_array().unwrap().clone();
        wrong.iter().map(|one| one["code"].as_str().unwrap().to_owned()).collect()
    };
    assert!(codes(admin.post(PREVIEW, &body(json!({})))).contains(&"unknown_column".to_owned()));
    let asked = codes(admin.post(PREVIEW, &body(json!({"language": "de"}))));
    assert_eq!(asked, ["ambiguous_amount", "ambiguous_day"]);
    let said = json!({"language": "de", "numbers": "comma", "days": "day_first"});
    let seen = admin.post(PREVIEW, &body(said)).good().body;
    assert_eq!(
        (&seen["games"][0]["on"], &seen["games"][0]["money"]["amount"]),
        (&json!("2025-04-03"), &json!(124_000))
    );
    house.verify();
}

#[test]
fn m6_what_a_page_prints_is_typed_into_its_forms_and_what_can_be_two_is_asked() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let ada = house.player(&admin, "Ada");
    let owes = || {
        let balances = admin.get(&format!("/api/v1/players/{ada}/balances")).good().body;
        let found = balances.as_array().unwrap().iter().find(|one| one["unit"] == "EUR");
        found.map_or(0, |one| one["amount"].as_i64().unwrap())
    };
    let mut sum = 0;
    for language in ["en", "de", "fr", "it"] {
        let pages = Pages::of(&house, language);
        let page = pages.get("/ledger/treasury");
        let pays = |amount: &str| {
            let form = [
                ("command", "pay"),
                ("payer", "Ada"),
                ("payee", ""),
                ("currency", "EUR"),
                ("amount", amount),
            ];
            pages.post("/ledger/daybook", &page, &form)
        };
        for (typed, cents) in [
            ("8,287.35", 828_735),
            ("8.300,00", 830_000),
            ("8,300.00", 830_000),
            ("8\u{202f}300,00", 830_000),
            ("1'240.50", 124_050),
            ("12,50 €", 1_250),
            ("EUR 12.5", 1_250),
        ] {
            let answer = pays(typed);
            assert_eq!(answer.status, 303, "{typed} in {language}: {answer}");
            sum += cents;
            assert_eq!(owes(), sum, "{typed} in {language}");
        }
        let asked = pays("1.240");
        assert_eq!(asked.status, 422, "{asked}");
        let mark = if language == "en" { "." } else { "," };
        assert!(asked.text().contains("1240") && asked.text().contains(&format!("1{mark}24")), "{asked}");
        assert!(asked.text().contains("value=\"1.240\""), "what was typed stays: {asked}");
        assert_eq!(pays("-5").status, 400, "nobody pays less than nothing");
        assert_eq!(owes(), sum);
    }
    house.verify();
}

#[test]
fn m6_a_day_is_read_in_every_form_and_one_that_can_be_two_is_asked() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let ada = house.player(&house.admin(), "Ada");
    let pays: &[_] =
        &[("command", "pay"), ("payer", "Ada"), ("payee", ""), ("currency", "EUR"), ("amount", "5")];
    let imports: &[_] = &[("table", "standings"), ("csv", "player,unit,amount\nAda,EUR,1\n")];
    // The page of the form, where it goes, the field, what stands behind the day in it, and the other fields.
    let posted: [(&str, &str, &str, &str, &[_]); 8] = [
        ("/ledger/treasury", "/ledger/daybook", "on", "", pays),
        ("/ledger/import", "/ledger/import/preview", "on", "", imports),
        ("/seasons", "/seasons", "from", "", &[("name", "Last"), ("coming", "1"), ("until", "2025-12-31")]),
        ("/seasons", "/seasons", "until", "", &[("name", "First"), ("coming", "1"), ("from", "2025-01-01")]),
        ("/tournaments/new", "/tournaments", "date", "", &[("name", "Open"), ("lengths", "7")]),
        (
            "/tournaments/new",
            "/tournaments",
            "entries_open",
            " 18:30",
            &[("name", "Open"), ("date", "2025-12-01")],
        ),
        (
            "/tournaments/new",
            "/tournaments",
            "entries_close",
            " 18.30",
            &[("name", "Open"), ("date", "1.12.2025")],
        ),
        (
            "/tournaments/new",
            "/tournaments",
            "entries_open",
            "T18:30",
            &[("name", "Open"), ("date", "2025-12-01")],
        ),
    ];
    let asked = [
        "/ledger/house".to_owned(),
        format!("/ledger/{ada}"),
        "/ledger/accounts/bank".to_owned(),
        "/ledger/tournaments".to_owned(),
        "/ledger/exports".to_owned(),
        "/statistics".to_owned(),
        format!("/players/{ada}/statistics"),
    ];
    let is_asked = |answer: &Answer, typed: &str, readings: &[&str]| {
        let field = format!("value=\"{typed}\"");
        assert_eq!(answer.status, 422, "{typed}: {answer}");
        for said in [&["id=\"wrong-field\"", "aria-invalid=\"true\"", &field], readings].concat() {
            assert!(answer.text().contains(said), "no {said:?} for {typed}: {answer}");
        }
    };
    for language in ["en", "de", "fr", "it"] {
        let pages = Pages::of(&house, language);
        for (page, to, field, time, more) in &posted {
            let page = pages.get(page);
            let send = |typed: &str| pages.post(to, &page, &[*more, &[(*field, typed)]].concat());
            for day in ["30.11.2025", "30/11/2025", "2025-11-30"] {
                let sent = send(&format!("{day}{time}"));
                assert!(
                    [200, 303].contains(&sent.status),
                    "{day}{time} in {field} of {to}, {language}: {sent}"
                );
            }
            let doubtful = format!("03/04/2025{time}");
            is_asked(&send(&doubtful), &doubtful, &["2025-04-03", "2025-03-04"]);
            is_asked(&send("next week"), "next week", &[]);
        }
        for (path, field) in asked.iter().flat_map(|path| [(path, "from"), (path, "until")]) {
            let ask = |typed: &str| {
                let ask = pages.browser.request("GET", &format!("{path}?unit=EUR&{field}={typed}"));
                ask.header("accept-language", language).send()
            };
            for day in ["30.11.2025", "30/11/2025", "2025-11-30"] {
                let shown = ask(day).good();
                assert!(shown.text().contains("value=\"2025-11-30\""), "{path} {field} {language}: {shown}");
            }
            is_asked(&ask("03/04/2025"), "03/04/2025", &["2025-04-03", "2025-03-04"]);
            is_asked(&ask("yesterday"), "yesterday", &[]);
        }
        let doubtful = pages.browser.request("GET", "/statistics/head-to-head?from=03/04/2025");
        let doubtful = doubtful.header("accept-language", language).send();
        assert_eq!((doubtful.status, doubtful.text().contains("2025-04-03")), (422, true), "{doubtful}");
    }
    house.verify();
}

/// The script of the finding, with what it asked for: each table, in each language, as the reader's
/// spreadsheet has it.
#[rstest]
fn c17_every_table_opens_in_the_readers_spreadsheet(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let jorg = house.player(&admin, "Jörg Østerå");
    admin.post(IMPORTS, &json!({"table": "standings", "csv": "player,unit,amount\nJörg Østerå,EUR,\"12,50\"\nJörg Østerå,points,2.5\n", "on": "2026-01-01"})).good();
    let table = house.table(&["Ada", "Bea", "Cem"]);
    table.play(&[
        json!({"command": "start_game"}),
        json!({"command": "finish", "winner": "box", "win": "single"}),
    ]);
    let paths = [
        "ledger/export?format=csv".to_owned(),
        format!("players/{jorg}/statement?format=csv&unit=EUR&from=2026-01-01"),
        "ledger/house/statement?format=csv&unit=EUR".to_owned(),
        "ledger/accounts/opening/statement?format=csv&unit=half_points".to_owned(),
        "ledger/tournaments?format=csv".to_owned(),
        "club/years/2026?format=csv".to_owned(),
        "statistics?format=csv".to_owned(),
        "statistics/head-to-head?format=csv".to_owned(),
        format!("players/{jorg}/statistics?format=csv"),
    ];
    for path in &paths {
        let plain = admin.get(&format!("/api/v1/{path}")).good();
        assert!(!plain.text().starts_with('\u{feff}'), "{path}");
        for language in ["en", "de", "fr", "it"] {
            let asked = admin.request("GET", &format!("/api/v1/{path}&for=spreadsheet"));
            let by_browser = asked.header("accept-language", language).send().good();
            let by_link = admin.get(&format!("/api/v1/{path}&for=spreadsheet&language={language}")).good();
            assert_eq!(by_browser.text(), by_link.text(), "{path} {language}");
            let text = by_link.text();
            let (separator, other) = if language == "en" { (',', ';') } else { (';', ',') };
            let headings = text.lines().next().unwrap();
            assert!(
                headings.starts_with('\u{feff}') && headings.contains(separator),
                "{path} {language}: {headings}"
            );
            assert!(!headings.contains(other) && !headings.contains('_'), "{path} {language}: {headings}");
            assert!(
                text.ends_with("\r\n") && text.lines().count() == plain.text().lines().count(),
                "{path} {language}"
            );
            let again = admin.get(&format!("/api/v1/{path}")).good();
            assert_eq!(again.text(), plain.text(), "{path}: byte for byte");
        }
    }
    let german = |path: &str| admin.get(&format!("/api/v1/{path}&for=spreadsheet&language=de")).good();
    let statement = german(&paths[1]);
    assert!(statement.text().contains("\"Endsaldo\";;;;12,50"), "{statement}");
    let name = statement.header("content-disposition").unwrap();
    assert!(name.contains("filename*=UTF-8''Kontoauszug%20J%C3%B6rg"), "{name}");
    let export = german(&paths[0]);
    for said in ["\"Datum\";\"Buchung\"", "\"Jörg Østerå\"", "\"EUR\";-12,50;12,50;", "\"Punkte\";2,5"] {
        assert!(export.text().contains(said), "no {said:?} in {export}");
    }
    // The pages lead there.
    let pages = Pages::of(&house, "it");
    for page in [
        "/ledger/exports".to_owned(),
        format!("/ledger/{jorg}?unit=EUR"),
        "/statistics".to_owned(),
        "/statistics/head-to-head".to_owned(),
        "/club/years/2026".to_owned(),
    ] {
        let shown = pages.get(&page);
        let link = shown.text().replace("&#38;", "&").contains("format=csv&for=spreadsheet&language=it");
        assert!(link, "no link on {page}: {shown}");
    }
}
