//! Records of the daybook as large as they may be, a person with a long history erased, and all matches rated
//! anew. Everybody else's commands are carried out meanwhile, and the club verifies.
//!
//! ```text
//! OWLBOX_FULL_SIZE=1 cargo test --release --test it records:: -- --nocapture
//! ```
//!
//! tries the largest that is permitted, and says how long each took and how long others waited. There, on
//! SQLite, nobody may wait for more than three seconds.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};

use crate::matches::{Match, game};
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::full_size;
use crate::support::house::House;

const IMPORTS: &str = "/api/v1/ledger/imports";

/// How many lines a record has; the largest may have 5,000.
fn lines() -> usize {
    if full_size() { 5_000 } else { 300 }
}

/// Does something, and meanwhile somebody else opens tables, one after the other. Returns the answer, and how
/// long the longest of those commands took.
fn while_others_go_on(name: &str, other: &Client, act: impl FnOnce() -> Answer) -> (Value, Duration) {
    let done = AtomicBool::new(false);
    let (answer, waited) = std::thread::scope(|scope| {
        let waits = scope.spawn(|| {
            let mut longest = Duration::ZERO;
            for number in 1.. {
                let begun = Instant::now();
                let table = json!({"name": format!("Table {number}")});
                // A debug build can be slower than a lock is waited for. Then it is sent again, as any client
                // does.
                while begun.elapsed() < Duration::from_secs(60) {
                    let answer = other.post("/api/v1/chouettes", &table);
                    if answer.status != 503 {
                        answer.good();
                        break;
                    }
                }
                longest = longest.max(begun.elapsed());
                if done.load(Ordering::Relaxed) {
                    break;
                }
            }
            longest
        });
        let begun = Instant::now();
        let answer = act().good();
        let took = begun.elapsed();
        done.store(true, Ordering::Relaxed);
        let waited = waits.join().unwrap();
        eprintln!("{name}: {took:.1?}, and others waited {waited:.1?} at most");
        (answer, waited)
    });
    (answer.body, waited)
}

/// S2, S3: standings of new people, a fee for all of them, games between them, and games of new people each.
#[rstest]
fn the_largest_records_stop_nobody_and_verify_also_taken_back(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (admin, other) = (house.admin(), house.admin());
    let (lines, mut longest) = (lines(), Duration::ZERO);
    let mut records = |name: &str, path: &str, body: Value| {
        let (booked, waited) = while_others_go_on(name, &other, || admin.post(path, &body));
        let number = if booked["entry"].is_number() { &booked["entry"] } else { &booked["entry"]["entry"] };
        let order = json!({"command": "take_back", "entry": number, "reason": "for a trial"});
        let back = || admin.post("/api/v1/daybook", &order);
        let (_, waited_back) = while_others_go_on(&format!("{name} taken back"), &other, back);
        longest = longest.max(waited).max(waited_back);
    };
    let mut standings = String::from("player,unit,amount\n");
    let mut games = String::from("date,winner,loser,points\n");
    let mut games_of_new_people = games.clone();
    for line in 0..lines {
        writeln!(standings, "Old {line},EUR,{}.50", line % 90).unwrap();
        let day = format!("2024-{:02}-{:02}", line % 12 + 1, line % 28 + 1);
        writeln!(games, "{day},Old {line},Old {},1", (line + 1) % lines).unwrap();
        writeln!(games_of_new_people, "{day},One {line},Another {line},1").unwrap();
    }
    let import = |table: &str, csv: String| json!({"table": table, "csv": csv, "add_players": true});
    records("Standings", IMPORTS, import("standings", standings));
    let mut players = Vec::new();
    let mut after = String::new();
    loop {
        let page = admin.get(&format!("/api/v1/players?limit=200{after}")).good().body;
        let old = page["items"].as_array().unwrap().iter();
        let old = old.filter(|player| player["name"].as_str().unwrap().starts_with("Old "));
        players.extend(old.map(|player| player["id"].clone()));
        let Some(next) = page["next"].as_str() else { break };
        after = format!("&after={next}");
    }
    assert_eq!(players.len(), lines);
    let fee = json!({"command": "charge", "players": players, "fee": "membership", "currency": "EUR", "amount": 4_000});
    records("Fee", "/api/v1/daybook", fee);
    records("Games", IMPORTS, import("games", games));
    records("New people", IMPORTS, import("games", games_of_new_people));
    let begun = Instant::now();
    house.verify();
    eprintln!("verified in {:.1?}", begun.elapsed());
    if db == Db::Sqlite && !cfg!(debug_assertions) {
        assert!(longest < Duration::from_secs(3), "others waited {longest:.1?}");
    }
}

/// S3's kind: what rewrites a row for each act of a long history.
#[rstest]
fn an_erasure_and_ratings_made_anew_stop_nobody(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let Some(house) = House::open(db) else { return };
    let (admin, other) = (house.admin(), house.admin());
    let zita = house.player(&admin, "Zita Quintavalle");
    for line in 0..lines() / 2 {
        for (payer, payee) in
            [(json!({"player": zita}), json!("house")), (json!("house"), json!({"player": zita}))]
        {
            let order = json!({"command": "pay", "payer": payer, "payee": payee, "currency": "EUR", "amount": 100,
                "memo": format!("{line} of Zita Quintavalle")});
            admin.post("/api/v1/daybook", &order).good();
        }
    }
    let erase = || admin.post(&format!("/api/v1/players/{zita}/erase"), &json!({}));
    let (_, mut longest) = while_others_go_on("Erasure", &other, erase);

    let rated = json!({"play": "match", "length": 1, "rated": true});
    let one = Match::open(&house, &rated);
    one.play(&[game("upper", "single", 1)]);
    for line in 1..lines() / 5 {
        let winner = if line % 3 == 0 { "lower" } else { "upper" };
        one.another(&rated).play(&[game(winner, "single", 1)]);
    }
    let mut settings = admin.get("/api/v1/settings").good().body;
    settings["rating_experience"] = json!("including");
    let anew = || admin.put("/api/v1/settings", &settings);
    longest = longest.max(while_others_go_on("Rated anew", &other, anew).1);
    house.verify();
    if db == Db::Sqlite && !cfg!(debug_assertions) {
        assert!(longest < Duration::from_secs(3), "others waited {longest:.1?}");
    }
}
