//! `owlbox verify` on a large club with nights at many tables and a large tournament, on SQLite.
//!
//! ```sh
//! cargo bench --bench verify
//! ```
//!
//! Every figure is given for half of the nights and for all of them: a constant rate means linear growth with
//! the journal. `docs/performance.md` has the results.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a measurement, not the product")]

#[path = "support/moment.rs"]
mod moment;

use std::time::{Duration, Instant};

use moment::measured_or;
use owlbox_base::values::{ChouetteId, PlayerId, TournamentId};
use owlbox_books::club::Settings as Club;
use owlbox_books::club::players::PlayerDetails;
use owlbox_chouette::Chouette;
use owlbox_desk::verify::{Checked, verify};
use owlbox_desk::{Actor, Dependencies, Desk, Request, chouettes, tournaments};
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::about::About;
use owlbox_store::{DatabaseUrl, Options, Store};
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// The number of players at each table.
const SEATS: usize = 6;

#[derive(Clone, Copy)]
struct Size {
    /// Tables at the same time, each with its own players.
    tables: usize,
    nights: usize,
    /// Games per night, with about four acts each.
    games: usize,
    entrants: usize,
}

fn main() {
    let size = measured_or(
        Size { tables: 2, nights: 2, games: 3, entrants: 16 },
        Size { tables: 16, nights: 24, games: 125, entrants: 1_024 },
    );
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("club.db"));
    let desk = Desk::new(Dependencies::with_store(Store::open(&url, &Options::default()).unwrap()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let players = runtime.block_on(people(&desk, (size.tables * SEATS).max(size.entrants)));
    measure("a club without a game", &url);
    for half in ["half the nights", "all nights"] {
        runtime.block_on(nights(&desk, &players, size));
        measure(half, &url);
    }
    runtime.block_on(tournament(&desk, &players[..size.entrants]));
    measure(&format!("and a tournament of {}", size.entrants), &url);
}

/// Verifies the club and prints how long it took.
fn measure(what: &str, url: &DatabaseUrl) {
    let mut connection = Store::open_for_reading(url).unwrap();
    let mut once = || -> (Duration, Checked) {
        let begun = Instant::now();
        let checked = verify(&mut connection).unwrap();
        (begun.elapsed(), checked)
    };
    let (took, checked) = [once(), once(), once()].into_iter().min_by_key(|(took, _)| *took).unwrap();
    let each = |many: usize| took / u32::try_from(many).unwrap().max(1);
    println!(
        "{what}: {} streams, {} events, {} acts decided again, {} postings: {took:.2?}, {:.2?} an act",
        checked.streams,
        checked.events,
        checked.decided,
        checked.postings,
        each(checked.decided)
    );
}

async fn people(desk: &Desk, many: usize) -> Vec<PlayerId> {
    desk.open_club(Request::by(Actor::CONSOLE), Club::default()).await.unwrap();
    let mut players = Vec::with_capacity(many);
    for number in 1..=many {
        let details = PlayerDetails::named(format!("Player {number}").parse().unwrap());
        players.push(desk.add_player(Request::by(Actor::CONSOLE), details, false).await.unwrap().0);
    }
    players
}

/// Half of all nights, at all tables at the same time, so that waiting acts are committed together.
async fn nights(desk: &Desk, players: &[PlayerId], size: Size) {
    let mut tables = JoinSet::new();
    for seats in players.chunks(SEATS).take(size.tables) {
        let (desk, seats) = (desk.clone(), seats.to_vec());
        tables.spawn(async move {
            for _ in 0..size.nights.div_ceil(2) {
                night(&desk, &seats, size.games).await;
            }
        });
    }
    while let Some(table) = tables.join_next().await {
        table.unwrap();
    }
}

async fn night(desk: &Desk, seats: &[PlayerId], games: usize) {
    let new = json!({"name": "Friday", "stake": {"amount": 500, "currency": "EUR"}});
    let new: chouettes::NewChouette = serde_json::from_value(new).unwrap();
    let id = desk.open::<Chouette>(Request::by(Actor::CONSOLE), new).await.unwrap().id;
    for player in seats {
        tell(desk, id, json!({"command": "join", "player": player})).await;
    }
    tell(desk, id, json!({"command": "draw_order"})).await;
    for game in 1..=games {
        tell(desk, id, json!({"command": "start_game"})).await;
        let state = desk.find::<Chouette>(id).await.unwrap().state.clone();
        let (captain, box_player) = (state.captain().unwrap(), state.box_player().unwrap());
        tell(desk, id, json!({"command": "double", "player": captain})).await;
        tell(desk, id, json!({"command": "take", "player": box_player})).await;
        let winner = if game % 3 == 0 { "team" } else { "box" };
        tell(desk, id, json!({"command": "finish", "winner": winner, "win": "single"})).await;
        if game % 10 == 0 {
            tell(desk, id, json!({"command": "undo"})).await;
            tell(desk, id, json!({"command": "redo"})).await;
        }
    }
    tell(desk, id, json!({"command": "close"})).await;
}

async fn tell(desk: &Desk, id: ChouetteId, command: Value) {
    let order: chouettes::Order = serde_json::from_value(command).unwrap();
    desk.command::<Chouette>(Request::by(Actor::CONSOLE), id, order).await.unwrap();
}

/// All matches of a bracket with a consolation.
async fn tournament(desk: &Desk, players: &[PlayerId]) {
    let about = json!({"name": "Open", "date": "2026-04-18", "currency": "EUR"});
    let about: About = serde_json::from_value(about).unwrap();
    let opened = desk.open::<Tournament>(Request::by(Actor::CONSOLE), about.into());
    let id = opened.await.unwrap().id;
    let entries: Vec<Value> = players.iter().map(|player| json!({ "player": player })).collect();
    let settings =
        json!({"format": {"consolation": {"of": "progressive"}}, "lengths": [5], "fees": {"entry": 1000}});
    for command in [
        json!({"command": "add_division", "settings": settings}),
        json!({"command": "enter", "entries": entries}),
        json!({"command": "draw"}),
    ] {
        direct(desk, id, command).await.unwrap();
    }
    // The upper slot always wins. A match has a higher number than the matches that feed it, so this order
    // works.
    let matches = 2 * players.len();
    for number in 1..=matches {
        let ended = json!({"ending": "played", "score": [5, 3]});
        // Refused for the last few numbers, which do not exist, and for byes of the consolation.
        let _ = direct(desk, id, json!({"command": "result", "match": number, "ended": ended})).await;
    }
}

async fn direct(desk: &Desk, id: TournamentId, command: Value) -> Result<(), owlbox_desk::Refused> {
    let order: tournaments::Order = serde_json::from_value(command).unwrap();
    desk.command::<Tournament>(Request::by(Actor::CONSOLE), id, order).await.map(drop)
}
