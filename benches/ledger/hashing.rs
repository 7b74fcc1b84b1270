//! What the hashes of entries and transactions cost a durable command: of the processor time of commands
//! through the desk, on SQLite, the part that it takes to do again all that the chain adds to them.
//!
//! For each entry that is its hash and the look for the hash before; for each transaction its hash, its link,
//! and the new end of the books.

use std::collections::BTreeMap;
use std::time::Duration;

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use owlbox_base::values::ChouetteId;
use owlbox_books::club::Settings;
use owlbox_books::club::players::PlayerDetails;
use owlbox_chouette::Chouette;
use owlbox_desk::{Actor, DatabaseUrl, Dependencies, Desk, Request, StoreError, chouettes};
use owlbox_store::books::{self, PostingRow, TransactionRow};
use owlbox_store::journal::{self, Entry};
use owlbox_store::schema::{book_chain, book_head, journal as rows};
use owlbox_store::types::{Hash, Key};
use owlbox_store::{AnyConnection, Options, Store};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::moment::measured_or;

/// The number of players at each table.
const SEATS: usize = 4;

pub fn measure() {
    let folder = tempfile::tempdir().unwrap();
    let store =
        Store::open(&DatabaseUrl::Sqlite(folder.path().join("club.db")), &Options::default()).unwrap();
    let desk = Desk::new(Dependencies::with_store(store.clone()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let tables = runtime.block_on(tables(&desk, measured_or(1, 16)));
    let games = measured_or(1, 100);
    let before = processor_time();
    runtime.block_on(play(&desk, &tables, games));
    let took = processor_time() - before;
    let commands = 4 * games * tables.len();

    let (entries, transactions) = store.read_blocking(|connection| recorded(connection, &tables)).unwrap();
    let hashed = cost(|| hash_entries(&entries) ^ hash_transactions(&transactions));
    let looked = cost(|| store.read_blocking(|connection| look_for_hashes(connection, &entries)).unwrap());
    let links: Vec<Link> = transactions.iter().map(|(head, _)| head.id).zip(1..).collect();
    let linked = cost(|| link(&links));
    let share = |part: Duration| 100.0 * part.as_secs_f64() / took.as_secs_f64();
    let parts = [hashed, looked, linked];
    println!(
        "{commands} durable commands, {} entries, {} transactions: {took:.2?} of processor time; hashing {hashed:.2?}: {:.1} %; \
         the hash before {looked:.2?}: {:.1} %; links {linked:.2?}: {:.1} %; together {:.1} %  (gate 5 %)",
        entries.len(),
        transactions.len(),
        share(hashed),
        share(looked),
        share(linked),
        share(parts.iter().sum()),
    );
}

async fn tables(desk: &Desk, many: usize) -> Vec<ChouetteId> {
    desk.open_club(Request::by(Actor::CONSOLE), Settings::default()).await.unwrap();
    let mut tables = Vec::with_capacity(many);
    for table in 0..many {
        let new =
            serde_json::from_value(json!({"name": "Friday", "stake": {"amount": 500, "currency": "EUR"}}));
        let new: chouettes::NewChouette = new.unwrap();
        let id = desk.open::<Chouette>(Request::by(Actor::CONSOLE), new).await.unwrap().id;
        for seat in 0..SEATS {
            let details = PlayerDetails::named(format!("Player {table} {seat}").parse().unwrap());
            let player = desk.add_player(Request::by(Actor::CONSOLE), details, false).await.unwrap().0;
            tell(desk, id, json!({"command": "join", "player": player})).await;
        }
        tell(desk, id, json!({"command": "draw_order"})).await;
        tables.push(id);
    }
    tables
}

/// Plays so many games at all tables at the same time, so that waiting commands are committed together.
async fn play(desk: &Desk, tables: &[ChouetteId], games: usize) {
    let mut playing = JoinSet::new();
    for id in tables.iter().copied() {
        let desk = desk.clone();
        playing.spawn(async move {
            for game in 0..games {
                tell(&desk, id, json!({"command": "start_game"})).await;
                let state = desk.find::<Chouette>(id).await.unwrap().state.clone();
                let (captain, box_player) = (state.captain().unwrap(), state.box_player().unwrap());
                tell(&desk, id, json!({"command": "double", "player": captain})).await;
                tell(&desk, id, json!({"command": "take", "player": box_player})).await;
                let winner = if game % 3 == 0 { "team" } else { "box" };
                tell(&desk, id, json!({"command": "finish", "winner": winner, "win": "single"})).await;
            }
        });
    }
    while let Some(table) = playing.join_next().await {
        table.unwrap();
    }
}

async fn tell(desk: &Desk, id: ChouetteId, command: Value) {
    let order: chouettes::Order = serde_json::from_value(command).unwrap();
    desk.command::<Chouette>(Request::by(Actor::CONSOLE), id, order).await.unwrap();
}

/// A transaction and its postings.
type Posted = (TransactionRow, Vec<PostingRow>);
/// An entry and its stream.
type Recorded = (Uuid, Entry);
/// A transaction and its number.
type Link = (Key, i64);

/// Everything the tables have recorded and posted.
fn recorded(
    connection: &mut AnyConnection,
    tables: &[ChouetteId],
) -> Result<(Vec<Recorded>, Vec<Posted>), StoreError> {
    let mut entries = Vec::new();
    for table in tables {
        let of_table = journal::entries_after(connection, table.0, 0, None)?;
        entries.extend(of_table.into_iter().map(|entry| (table.0, entry)));
    }
    let mut postings: BTreeMap<Key, Vec<PostingRow>> = BTreeMap::new();
    for posting in books::all_postings(connection)? {
        postings.entry(posting.ledger_transaction).or_default().push(posting);
    }
    let heads = books::all_heads(connection)?.into_iter();
    let posted =
        heads.map(|head| (postings.remove(&head.id).unwrap_or_default(), head)).map(|(of, head)| (head, of));
    Ok((entries, posted.collect()))
}

fn hash_entries(entries: &[Recorded]) -> u8 {
    let follow = |before: Hash, (id, entry): &Recorded| entry.hash_after(&before, *id).unwrap();
    entries.iter().fold(Hash::default(), follow).0[0]
}

fn hash_transactions(transactions: &[Posted]) -> u8 {
    let follow = |before: Hash, (head, postings): &Posted| head.hash_after(&before, postings);
    transactions.iter().fold(Hash::default(), follow).0[0]
}

/// Looks for the hash of each entry, as one that follows it would.
fn look_for_hashes(connection: &mut AnyConnection, entries: &[Recorded]) -> Result<u8, StoreError> {
    let mut all = 0;
    for (id, entry) in entries {
        let found: Option<Vec<u8>> = match connection {
            AnyConnection::Sqlite(connection) => {
                let hash = rows::table.find((Key(*id), entry.version)).select(rows::hash);
                hash.get_result(connection)?
            }
            AnyConnection::Postgres(_) => None,
        };
        all ^= found.map_or(0, |hash| hash[0]);
    }
    Ok(all)
}

/// Adds links to a chain that begins, and moves its end each time.
fn link(links: &[Link]) -> u8 {
    let mut connection = SqliteConnection::establish(":memory:").unwrap();
    connection
        .batch_execute(
            "CREATE TABLE book_chain (
                number BIGINT NOT NULL PRIMARY KEY CHECK (number > 0), ledger_transaction TEXT NOT NULL UNIQUE, hash BLOB NOT NULL
            ) WITHOUT ROWID;
            CREATE TABLE book_head (
                id SMALLINT NOT NULL PRIMARY KEY CHECK (id = 1), number BIGINT NOT NULL, hash BLOB NOT NULL, closed_through DATE
            ) WITHOUT ROWID;
            INSERT INTO book_head (id, number, hash) VALUES (1, 0, zeroblob(32));
            BEGIN",
        )
        .unwrap();
    let hash = vec![7_u8; 32];
    for (transaction, number) in links {
        let link = (
            book_chain::number.eq(number),
            book_chain::ledger_transaction.eq(transaction),
            book_chain::hash.eq(&hash),
        );
        diesel::insert_into(book_chain::table).values(link).execute(&mut connection).unwrap();
        let end = (book_head::number.eq(number), book_head::hash.eq(&hash));
        diesel::update(book_head::table).set(end).execute(&mut connection).unwrap();
    }
    hash[0]
}

/// The processor time of the work, in the mean of many times.
fn cost(work: impl Fn() -> u8) -> Duration {
    let (before, rounds) = (processor_time(), measured_or(1, 20));
    for _ in 0..rounds {
        std::hint::black_box(work());
    }
    (processor_time() - before) / rounds
}

/// What all threads of this process have had of the processor, to a hundredth of a second.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let after_name = stat.rsplit_once(')').unwrap().1;
    let ticks = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .map(|ticks| ticks.parse::<u64>().unwrap())
        .sum::<u64>();
    Duration::from_millis(ticks * 10)
}
