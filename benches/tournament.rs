//! The cost of drawing and storing brackets of any size, and of results in them.
//!
//! `cargo bench --bench tournament` draws brackets with a progressive consolation at the desk, on SQLite and
//! with the commit to disk, and reports results in them. Each draw is compared with a bare append of the same
//! bytes to a file, synced. Growth is given per entrant and doubling, so a constant figure means n log n.
//! `docs/performance.md` has the results.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a measurement, not the product")]

#[path = "support/moment.rs"]
mod moment;

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use moment::measured_or;
use owlbox_base::values::{PlayerId, TournamentId};
use owlbox_books::club::Settings as Club;
use owlbox_desk::tournaments::Order;
use owlbox_desk::{Actor, Dependencies, Desk, Request};
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::{Command, Tournament};
use owlbox_store::{DatabaseUrl, Options, Store, StoreError, journal, players};
use serde_json::json;
use uuid::Uuid;

const SIZES: [u32; 6] = [16, 256, 1_024, 4_096, 16_384, 65_536];

/// The sizes of the brackets to draw, and of those to report results in.
fn sizes() -> (&'static [u32], &'static [u32]) {
    measured_or((&SIZES[..2], &[16, 64]), (&SIZES, &[16, 4_096, 65_536]))
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let desk = opened(folder.path());
    runtime.block_on(async {
        desk.open_club(Request::by(Actor::CONSOLE), Club::default()).await.unwrap();
        println!("entrants  drawn and stored   bare append   ratio   per entrant and doubling");
        let (drawn, played) = sizes();
        for &size in drawn {
            draws(&desk, folder.path(), size).await;
        }
        let mut first = None;
        for &size in played {
            let each = results(&desk, size).await;
            let first = *first.get_or_insert(each);
            let ratio = each.as_secs_f64() / first.as_secs_f64();
            println!("a result in a bracket of {size}: {each:.2?}, {ratio:.2} times one of 16");
        }
    });
}

fn opened(folder: &Path) -> Desk {
    let url = DatabaseUrl::Sqlite(folder.join("club.db"));
    let store = Store::open(&url, &Options::default()).unwrap();
    // Players as bare rows: how they joined the club does not affect the cost of a draw.
    store
        .write_blocking(|transaction| {
            for number in 1..=*sizes().0.last().unwrap() {
                let name = format!("Player {number}");
                let row = players::PlayerRow {
                    id: player(number),
                    guest: false,
                    active: true,
                    name_key: name.to_lowercase(),
                    name,
                    nickname: None,
                    country: None,
                    club: None,
                    contact: None,
                    notes: None,
                    iban: None,
                };
                players::insert(transaction.connection()?, row)?;
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
    Desk::new(Dependencies::with_store(store))
}

fn player(number: u32) -> PlayerId {
    PlayerId(Uuid::from_u128(u128::from(number)))
}

fn order(command: &serde_json::Value) -> Order {
    Order::Command(serde_json::from_value::<Command>(command.clone()).unwrap())
}

async fn does(desk: &Desk, id: TournamentId, command: &serde_json::Value) -> usize {
    let answer = desk.command::<Tournament>(Request::by(Actor::CONSOLE), id, order(command)).await.unwrap();
    let entries = journal::entries::<Tournament>(&answer.act).unwrap();
    entries.iter().map(|entry| entry.payload.len()).sum()
}

/// A tournament with so many entries and no draw.
async fn entered(desk: &Desk, size: u32) -> TournamentId {
    let about: About = serde_json::from_value(json!({"name": "Open", "date": "2026-04-18"})).unwrap();
    let id = desk.open::<Tournament>(Request::by(Actor::CONSOLE), about.into()).await.unwrap().id;
    let settings = json!({"format": {"consolation": {"of": "progressive"}}, "rated": true});
    does(desk, id, &json!({"command": "add_division", "settings": settings})).await;
    let entries: Vec<_> = (1..=size).map(|number| json!({ "player": player(number) })).collect();
    does(desk, id, &json!({"command": "enter", "entries": entries})).await;
    id
}

async fn draws(desk: &Desk, folder: &Path, size: u32) {
    let id = entered(desk, size).await;
    let (mut drawn, mut appended) = (Vec::new(), Vec::new());
    for _ in 0..measured_or(1, 7) {
        let began = Instant::now();
        let bytes = does(desk, id, &json!({"command": "draw", "reason": "measured"})).await;
        drawn.push(began.elapsed());
        appended.push(append(folder, bytes));
    }
    let (drawn, appended) = (median(drawn), median(appended));
    let doublings = f64::from(size) * f64::from(size).log2();
    println!(
        "{size:>8}  {:>16}   {:>11}   {:>5.1}   {:.1} ns",
        format!("{drawn:.2?}"),
        format!("{appended:.2?}"),
        drawn.as_secs_f64() / appended.as_secs_f64(),
        drawn.as_secs_f64() * 1e9 / doublings,
    );
}

fn append(folder: &Path, bytes: usize) -> Duration {
    let mut file = std::fs::File::create(folder.join("bare")).unwrap();
    let data = vec![b'x'; bytes];
    let began = Instant::now();
    file.write_all(&data).unwrap();
    file.sync_data().unwrap();
    began.elapsed()
}

/// The cost of a result in a bracket of this size: the median of two hundred.
async fn results(desk: &Desk, size: u32) -> Duration {
    let mut all = Vec::new();
    let wanted = measured_or(8, 200);
    while all.len() < wanted {
        let id = entered(desk, size).await;
        does(desk, id, &json!({"command": "draw"})).await;
        for number in (1..=size / 2).take(wanted) {
            let command =
                json!({"command": "result", "match": number, "ended": {"ending": "played", "score": [7, 3]}});
            let began = Instant::now();
            does(desk, id, &command).await;
            all.push(began.elapsed());
        }
    }
    median(all)
}

fn median(mut all: Vec<Duration>) -> Duration {
    all.sort_unstable();
    all[all.len() / 2]
}
