//! One digit of the journal changed by hand, at many places, one at a time: what `verify` finds of it.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use owlbox::cli::demo;
use owlbox::desk::verify::{Unverified, verify};
use owlbox::desk::{Clock as _, SystemClock};
use owlbox::store::connection::{Use, connect};
use owlbox::store::{DatabaseUrl, Options, Store};
use rand::{Rng as _, SeedableRng as _};
use serde_json::Value;

/// So many digits are changed, one at a time.
const CHANGES: usize = 120;

/// What somebody said may have been something else that he might as well have said, and nothing else in the journal depends on
/// it: stream, event and where in it. Of these alone a change may go unseen; `docs/operations.md` lists them.
const SAID: &[(&str, &str, &str)] = &[
    ("chouette", "opened", "/night"),
    ("chouette", "opened", "/rules"),
    ("chouette", "opened", "/name"),
    ("chouette", "rules_changed", "/rules"),
    ("chouette", "order_drawn", "/rounds"),
    ("chouette", "rolls_entered", "/rolls"),
    ("chouette", "board", "/of"),
    ("club", "opened", "/settings"),
    ("club", "settings_changed", "/settings"),
    ("club", "house_rules_saved", "/rules"),
    ("match", "opened", "/clock"),
    ("match", "board", "/of"),
    ("match", "clock_set", "/clock"),
    ("match", "finished", "/outcome/score"),
    ("tournament", "opened", "/about"),
    ("tournament", "about_changed", "/about"),
    ("tournament", "division_added", "/settings"),
    ("tournament", "division_changed", "/settings"),
    ("tournament", "tables_set", "/tables"),
    ("tournament", "checked_in", "/entries"),
    ("tournament", "seeded", "/entries"),
    ("tournament", "called", "/table"),
    ("tournament", "postponed", "/until"),
    ("tournament", "reported", "/score"),
    ("tournament", "resulted", "/changes/0/outcome/score"),
    ("tournament", "corrected", "/changes/0/outcome/score"),
];

#[derive(Clone, QueryableByName)]
struct Entry {
    #[diesel(sql_type = Text)]
    stream: String,
    #[diesel(sql_type = Text)]
    stream_kind: String,
    #[diesel(sql_type = BigInt)]
    version: i64,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    payload: String,
}

/// Every text and number in `value` that has a digit, by where it stands.
fn places(value: &Value, at: &str, into: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, value)| places(value, &format!("{at}/{key}"), into));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, value)| places(value, &format!("{at}/{place}"), into));
        }
        Value::Number(_) => into.push(at.to_owned()),
        Value::String(text) if text.chars().any(|c| c.is_ascii_digit()) => into.push(at.to_owned()),
        Value::String(_) | Value::Bool(_) | Value::Null => {}
    }
}

/// `text` with one of its digits another.
fn another(text: &str, chance: &mut impl rand::Rng) -> String {
    let digits: Vec<usize> =
        text.bytes().enumerate().filter(|(_, b)| b.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = digits[chance.random_range(0..digits.len())];
    let was = text.as_bytes()[at] - b'0';
    let is = (was + chance.random_range(1..10)) % 10;
    format!("{}{is}{}", &text[..at], &text[at + 1..])
}

fn changed(value: &Value, chance: &mut impl rand::Rng) -> Value {
    match value {
        Value::String(text) => Value::String(another(text, chance)),
        number => another(&number.to_string(), chance).parse::<i64>().unwrap().into(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_digit_of_the_journal_is_changed_is_found_unless_somebody_may_have_said_so() {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
    demo::fill(Store::open(&url, &Options::default()).unwrap(), SystemClock.now(), 1).await.unwrap();
    let mut connection = connect(&url, Use::Write).unwrap();
    let began = std::time::Instant::now();
    let in_order = verify(&mut connection).unwrap();
    let took = began.elapsed();
    assert!(in_order.decided > 100 && in_order.shape > 40, "{in_order}");
    let entries: Vec<Entry> = diesel::sql_query(
        "SELECT journal.stream, stream.kind AS stream_kind, journal.version, journal.kind, payload
         FROM journal JOIN stream ON stream.id = journal.stream ORDER BY journal.stream, journal.version",
    )
    .load(&mut connection)
    .unwrap();
    let mut chance = rand_chacha::ChaCha20Rng::seed_from_u64(7);
    let (mut seen, mut strange) = (0, Vec::new());
    for _ in 0..CHANGES {
        let entry = &entries[chance.random_range(0..entries.len())];
        let mut payload: Value = serde_json::from_str(&entry.payload).unwrap();
        let mut all = Vec::new();
        places(&payload, "", &mut all);
        if all.is_empty() {
            continue;
        }
        let place = &all[chance.random_range(0..all.len())];
        let value = payload.pointer_mut(place).unwrap();
        let (was, is) = (value.clone(), changed(value, &mut chance));
        *value = is.clone();
        write(&mut connection, entry, &payload.to_string());
        match verify(&mut connection) {
            Err(Unverified::Differs(_) | Unverified::Store(_)) => seen += 1,
            Ok(_) => {
                let said = SAID.iter().any(|(stream, kind, at)| {
                    *stream == entry.stream_kind && *kind == entry.kind && place.starts_with(at)
                });
                println!("unseen: {} {} {place}: {was} -> {is}", entry.stream_kind, entry.kind);
                if !said {
                    strange.push(format!("{} {} {place}: {was} -> {is}", entry.stream_kind, entry.kind));
                }
            }
        }
        write(&mut connection, entry, &entry.payload);
    }
    println!("{seen} of {CHANGES} seen; verified in {took:?}");
    assert_eq!(verify(&mut connection).unwrap(), in_order);
    assert!(strange.is_empty(), "{strange:#?}");
}

fn write(connection: &mut owlbox::store::AnyConnection, entry: &Entry, payload: &str) {
    diesel::sql_query("UPDATE journal SET payload = ? WHERE stream = ? AND version = ?")
        .bind::<Text, _>(payload)
        .bind::<Text, _>(&entry.stream)
        .bind::<BigInt, _>(entry.version)
        .execute(connection)
        .unwrap();
}
