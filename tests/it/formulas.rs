//! S10: no name or memo of a club is a formula in any spreadsheet, whatever that takes for the end of a cell.

use serde_json::json;

use crate::support::databases::Db;
use crate::support::house::House;

/// The cells of a table as a reader finds them for whom this ends a cell: one that begins with a quotation
/// mark ends at the next that is not doubled.
fn cells(text: &str, end: char) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '"' if quoted && rest.peek() == Some(&'"') => {
                rest.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.is_empty() => quoted = true,
            '\r' | '\n' if !quoted => cells.push(std::mem::take(&mut cell)),
            one if one == end && !quoted => cells.push(std::mem::take(&mut cell)),
            one => cell.push(one),
        }
    }
    cells.push(cell);
    cells
}

fn is_formula(cell: &str) -> bool {
    let cell = cell.trim_start_matches([' ', '"']);
    let is_number = cell.split([' ', '"']).next().is_some_and(|first| first.parse::<f64>().is_ok());
    !is_number && cell.starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'])
}

#[test]
fn no_csv_has_a_formula_in_it() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let evil =
        ["x;=1+1", "y;=cmd|'/C calc'!A0;z", "\u{ff1d}1+1", "a;\u{ff0b}1", "b, @SUM(A1)", "=1+1; \"=2\""];
    let table =
        house.table_with(&evil, &json!({"name": "t;=1+1", "stake": {"amount": 500, "currency": "EUR"}}));
    let admin = &table.client;
    let mut settings = admin.get("/api/v1/settings").good().body;
    settings["name"] = json!("c;=1+1");
    settings["seasons"] = json!([{"name": "s;=1", "from": "2026-01-01", "until": "2027-12-31", "coming": 1}]);
    admin.put("/api/v1/settings", &settings).good();
    table.play(&[
        json!({"command": "start_game"}),
        json!({"command": "finish", "winner": "box", "win": "single"}),
    ]);
    let tournament = json!({"name": "o;=1+1", "date": "2026-11-20", "currency": "EUR"});
    let tournament =
        admin.post("/api/v1/tournaments", &tournament).good().body["id"].as_str().unwrap().to_owned();
    let players: Vec<&String> = table.players.values().collect();
    let entries: Vec<_> = players.iter().map(|player| json!({ "player": player })).collect();
    for command in [
        json!({"command": "add_division", "settings": {"name": "d;=1", "fees": {"entry": 1000}}}),
        json!({"command": "enter", "entries": entries}),
    ] {
        admin.post(&format!("/api/v1/tournaments/{tournament}/commands"), &command).good();
    }
    let [one, other, ..] = players[..] else { panic!("two players") };
    let adjust = json!({"command": "adjust", "from": {"player": one}, "to": {"player": other}, "unit": "EUR",
        "amount": 500, "memo": "m;=1+1"});
    admin.post("/api/v1/daybook", &adjust).good();
    let period = "from=2026-01-01&until=2027-12-31";
    let today = admin.get("/api/v1/daybook").good().body["items"][0]["on"].as_str().unwrap().to_owned();
    let year = &today[..4];
    let mut found = 0;
    for path in [
        "ledger/export?format=csv".to_owned(),
        "ledger/export?format=gnucash".to_owned(),
        "ledger/export?format=gnucash-accounts".to_owned(),
        format!("players/{one}/statement?unit=EUR&format=csv&{period}"),
        format!("players/{other}/statement?unit=half_points&format=csv&{period}"),
        format!("ledger/pools/{tournament}/statement?unit=EUR&format=csv"),
        "ledger/tournaments?format=csv".to_owned(),
        "statistics/head-to-head?format=csv".to_owned(),
        format!("club/years/{year}?format=csv"),
        format!("club/nights/{today}?format=csv"),
        "seasons/s;=1?format=csv".to_owned(),
    ] {
        let csv = admin.get(&format!("/api/v1/{path}")).good();
        found += usize::from(csv.text().contains("=1"));
        for end in [',', ';', '\t', '|'] {
            for cell in cells(csv.text(), end) {
                assert!(!is_formula(&cell), "{path}, {end:?}: {cell:?}");
            }
        }
    }
    assert!(found > 5, "the names are in {found} tables");
}
