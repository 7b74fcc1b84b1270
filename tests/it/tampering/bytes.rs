//! A hundred changed bytes: one at a time, anywhere in what the books rest on. Each has to be found and
//! named.

use std::collections::BTreeMap;

use diesel::connection::SimpleConnection as _;
use owlbox_desk::verify::verify;
use owlbox_store::connection::connect;
use owlbox_store::{AnyConnection, Use, guards};
use rstest::rstest;
use serde_json::{Value, json};

use super::club::{self, Lots};
use super::places::unchecked;
use crate::support::databases::{Db, lines};
use crate::support::house::House;
use crate::support::server::Server;

/// The tables, each with its key. With the signed statement there are six places to change a byte in.
const TABLES: [(&str, &[&str]); 5] = [
    ("journal", &["stream", "version"]),
    ("posting", &["holder", "unit", "sequence"]),
    ("balance", &["holder", "unit"]),
    ("ledger_transaction", &["id"]),
    ("book_chain", &["number"]),
];
const BYTES: usize = 100;

/// A club with tables, a daybook, a closed month; and a signed statement of it.
fn kept(db: Db) -> Option<(House, String)> {
    let house = House::open(db)?;
    club::first_table(&house);
    let admin = house.admin();
    let player = house.player(&admin, "Ada");
    let to_the_house = |on: &str| {
        json!({"command": "pay", "payer": {"player": player}, "payee": "house", "currency": "EUR",
            "amount": 1_500, "on": on, "memo": "an instalment"})
    };
    for order in [
        json!({"command": "charge", "players": [player], "fee": "membership", "currency": "EUR",
            "amount": 4_000, "on": "2026-01-10"}),
        to_the_house("2026-01-20"),
        json!({"command": "close_month", "month": "2026-01"}),
        to_the_house("2026-01-25"),
        json!({"command": "take_back", "entry": 2, "reason": "entered twice"}),
    ] {
        admin.post("/api/v1/daybook", &order).good();
    }
    let path = format!("/api/v1/players/{player}/statement?unit=EUR&from=2026-01-01&format=signed");
    let statement = admin.get(&path).good().text().to_owned();
    Some((house, statement))
}

/// A table's rows, each column as text and those of bytes as hexadecimal digits.
struct Table {
    name: &'static str,
    keys: &'static [&'static str],
    /// Whether a column holds bytes, by its name.
    columns: Vec<(String, bool)>,
    rows: Vec<Vec<Option<String>>>,
}

impl Table {
    fn read(connection: &mut AnyConnection, (name, keys): (&'static str, &'static [&'static str])) -> Self {
        let columns = match connection {
            AnyConnection::Sqlite(_) => format!(
                "SELECT json_array(name, type = 'BLOB') AS line FROM pragma_table_info('{name}') ORDER BY cid"
            ),
            AnyConnection::Postgres(_) => format!(
                "SELECT jsonb_build_array(attname, atttypid = 'bytea'::regtype)::text AS line FROM pg_attribute \
                 WHERE attrelid = '{name}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum"
            ),
        };
        let column = |line: &String| -> (String, bool) {
            let column: Value = serde_json::from_str(line).unwrap();
            (column[0].as_str().unwrap().to_owned(), column[1] == 1 || column[1] == true)
        };
        let columns: Vec<(String, bool)> = lines(connection, &columns).iter().map(column).collect();
        let as_text: Vec<String> = columns.iter().map(|column| as_text(connection, column)).collect();
        let array = match connection {
            AnyConnection::Sqlite(_) => format!("json_array({})", as_text.join(", ")),
            AnyConnection::Postgres(_) => format!("jsonb_build_array({})::text", as_text.join(", ")),
        };
        let rows = lines(connection, &format!("SELECT {array} AS line FROM {name} ORDER BY 1"));
        let rows = rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
        Self { name, keys, columns, rows }
    }
}

/// The column as text.
fn as_text(connection: &AnyConnection, (name, is_bytes): &(String, bool)) -> String {
    match (connection, is_bytes) {
        (AnyConnection::Sqlite(_), true) => format!("lower(hex({name}))"),
        (AnyConnection::Sqlite(_), false) => format!("CAST({name} AS TEXT)"),
        (AnyConnection::Postgres(_), true) => format!("encode({name}, 'hex')"),
        (AnyConnection::Postgres(_), false) => format!("{name}::text"),
    }
}

/// A text as a value of the column.
fn literal(connection: &AnyConnection, (_, is_bytes): &(String, bool), text: &str) -> String {
    let text = text.replace('\'', "''");
    match (connection, is_bytes) {
        (AnyConnection::Sqlite(_), true) => format!("x'{text}'"),
        (AnyConnection::Postgres(_), true) => format!("decode('{text}', 'hex')"),
        (_, false) => format!("'{text}'"),
    }
}

/// The text with one byte changed: to another character, or of bytes one of their digits.
fn changed(lots: &mut Lots, text: &str, is_bytes: bool) -> String {
    let place = lots.below(text.len());
    let mut bytes = text.as_bytes().to_vec();
    while bytes[place] == text.as_bytes()[place] || !(is_bytes || bytes[place].is_ascii()) {
        bytes[place] = if is_bytes {
            b"0123456789abcdef"[lots.below(16)]
        } else {
            b'!' + u8::try_from(lots.below(94)).unwrap()
        };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Changes one byte in a table. Returns what it changed, and the statements that make the change and take it
/// back.
fn change(connection: &AnyConnection, lots: &mut Lots, table: &Table) -> Option<(String, [String; 2])> {
    let row = lots.one(&table.rows);
    let place = lots.below(table.columns.len());
    let (column, was) = (&table.columns[place], row[place].as_deref().filter(|was| !was.is_empty())?);
    let is = changed(lots, was, column.1);
    let update = |from: &str, to: &str| {
        let keys: Vec<String> = table
            .keys
            .iter()
            .map(|key| {
                let at = table.columns.iter().position(|(name, _)| name == key).unwrap();
                let value = if at == place { from } else { row[at].as_deref().unwrap() };
                format!("{key} = {}", literal(connection, &table.columns[at], value))
            })
            .collect();
        let to = literal(connection, column, to);
        format!("UPDATE {} SET {} = {to} WHERE {}", table.name, column.0, keys.join(" AND "))
    };
    let said = format!("{} {}: {is} instead of {was}", table.name, column.0);
    (is != was).then(|| (said, [update(was, &is), update(&is, was)]))
}

/// Carries out a statement past the guards; false if the database itself refuses it.
fn carried_out(connection: &mut AnyConnection, sql: &str) -> bool {
    let done = guards::lifted(connection, |connection| {
        connection.batch_execute(sql).map_err(owlbox_store::StoreError::from)
    });
    done.is_ok()
}

#[rstest]
fn a_hundred_changed_bytes_are_each_found_and_named(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some((mut house, statement)) = kept(db) else { return };
    assert!(house.server.stop().success());
    let mut lots = Lots::new(super::from_environment("OWLBOX_TAMPER_SEED").unwrap_or(1));
    let mut connection = connect(&house.database.url.parse().unwrap(), Use::Write).unwrap();
    verify(&mut connection).unwrap();
    unchecked(&mut connection);
    let tables = TABLES.map(|table| Table::read(&mut connection, table));
    let (mut found, mut refused): (BTreeMap<&str, usize>, usize) = (BTreeMap::new(), 0);
    while found.values().sum::<usize>() < BYTES {
        let place = found.values().sum::<usize>() % (TABLES.len() + 1);
        let Some(table) = tables.get(place) else {
            statement_is_found_out(
                &house,
                &mut lots,
                &statement,
                found.is_empty() || !found.contains_key("statement"),
            );
            *found.entry("statement").or_default() += 1;
            continue;
        };
        let Some((said, [there, back])) = change(&connection, &mut lots, table) else { continue };
        if !carried_out(&mut connection, &there) {
            refused += 1;
            continue;
        }
        let rows = |connection: &mut AnyConnection| Table::read(connection, (table.name, table.keys)).rows;
        // PostgreSQL takes an id in capitals for the same id.
        if rows(&mut connection) == table.rows {
            continue;
        }
        let told = verify(&mut connection).expect_err(&format!("not found: {said}")).to_string();
        eprintln!("{said}\n    {told}");
        assert!(!told.starts_with("query"), "unreadable is not named: {said}: {told}");
        assert!(
            carried_out(&mut connection, &back) && rows(&mut connection) == table.rows,
            "taken back: {said}"
        );
        *found.entry(table.name).or_default() += 1;
    }
    eprintln!("{db:?}: found {found:?}; the database itself refused {refused}");
    verify(&mut connection).unwrap_or_else(|error| panic!("all was taken back: {error}"));
}

/// Changes a byte of a signed statement. The program says so of its file.
fn statement_is_found_out(house: &House, lots: &mut Lots, statement: &str, by_program: bool) {
    let mut bytes = statement.as_bytes().to_vec();
    let place = lots.below(bytes.len());
    bytes[place] ^= u8::try_from(1 + lots.below(255)).unwrap();
    let text = std::str::from_utf8(&bytes);
    if let Ok(text) = text {
        assert!(owlbox_desk::books::signed::verify(text, None).is_err(), "byte {place} of the statement");
    }
    // What is no text any more is for the program alone.
    if by_program || text.is_err() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("statement.txt");
        std::fs::write(&file, &bytes).unwrap();
        let checked =
            Server::program_on(&house.database).arg("verify-statement").arg(&file).output().unwrap();
        assert_eq!(checked.status.code(), Some(1), "byte {place} of the statement");
        assert!(!checked.stderr.is_empty());
    }
}
