//! A seeded simulation: random commands from several clients at once, through two instances on PostgreSQL, with answers that
//! are lost, commands that are sent twice, connections that are cut in the middle of a commit, and restarts.
//!
//! Whoever got no answer asks again under the same key. In the end every command has been done once or not at all, as its
//! client was told; no other act is in the journal; and the club verifies: versions have no gap, replay equals
//! state, books balance, and sums told a second time agree.
//!
//! Every run tries a few seeds; `OWLBOX_SEEDS=10000 OWLBOX_SEED=1` tries so many, from this one on.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rstest::rstest;
use serde_json::{Value, json};

use crate::chouettes::{NewChouette, Order};
use crate::fixture::{Db, Fixture};
use crate::history::HistoryCommand;
use crate::{Actor, Desk, Idempotency, Refused, Request};
use owlbox_domain::chouette::{Chouette, Command};
use owlbox_domain::club::players::PlayerDetails;
use owlbox_domain::journal::Version;
use owlbox_domain::values::{ActId, ChouetteId, PlayerId};

/// How many tables there are, and how many players sit at each.
const TABLES: usize = 3;
const SEATS: usize = 4;
/// How often commands are sent at once, and the most of them.
const ROUNDS: usize = 12;
const AT_ONCE: u64 = 8;

/// SplitMix64: which seed leads to which run never changes.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        let at = self.below(u64::try_from(all.len()).unwrap());
        &all[usize::try_from(at).unwrap()]
    }
}

struct Table {
    id: ChouetteId,
    players: Vec<PlayerId>,
    /// The acts that opened it and seated everybody.
    opened: BTreeSet<ActId>,
}

/// A command as a client gives it, as often as it takes.
#[derive(Clone)]
struct Given {
    key: String,
    table: ChouetteId,
    order: Order,
    expected: Option<Version>,
}

/// What a client is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Done(ActId),
    Refused,
    /// Nothing, or that something failed: it may have been done.
    Nothing,
}

impl Given {
    /// A command that may or may not be legal at the table.
    fn random(chance: &mut Chance, key: String, table: &Table) -> Self {
        let mut player = || *chance.one_of(&table.players);
        let (one, other) = (player(), player());
        let command = |value: Value| Order::Command(serde_json::from_value::<Command>(value).unwrap());
        let order = match chance.below(12) {
            0..3 => command(json!({"command": "start_game"})),
            3 | 4 => command(json!({"command": "double", "player": one})),
            5 | 6 => command(json!({"command": "take", "player": one})),
            7 => command(json!({"command": "drop", "player": one})),
            8 | 9 => {
                let winner = chance.one_of(&["box", "team"]);
                command(
                    json!({"command": "finish", "winner": winner, "win": chance.one_of(&["single", "gammon"])}),
                )
            }
            10 if one != other => {
                command(json!({"command": "pay", "payer": one, "payee": other, "amount": 2}))
            }
            _ if chance.one_in(2) => Order::History(HistoryCommand::Undo {
                act: None,
                acts: serde_json::from_value(json!(1)).unwrap(),
            }),
            _ => Order::History(HistoryCommand::Redo {
                act: None,
                acts: serde_json::from_value(json!(1)).unwrap(),
            }),
        };
        Self { key, table: table.id, order, expected: None }
    }

    async fn give(self, desk: Desk, actor: Actor) -> Told {
        let idempotency = Some(Idempotency { request_hash: self.key.clone().into_bytes(), key: self.key });
        let request = Request { actor, expected: self.expected, idempotency };
        match desk.command::<Chouette>(request, self.table, self.order).await {
            Ok(answer) => Told::Done(answer.act.id),
            Err(Refused::Store(_) | Refused::Busy) => Told::Nothing,
            Err(_) => Told::Refused,
        }
    }
}

/// What clients were told of each command: an act, or nothing for sure yet.
#[derive(Default)]
struct Ledger {
    done: BTreeMap<String, ActId>,
    open: Vec<Given>,
    told_nothing: usize,
}

impl Ledger {
    fn note(&mut self, given: &Given, told: Told) {
        self.told_nothing += usize::from(told == Told::Nothing);
        if let Told::Done(act) = told {
            let before = self.done.insert(given.key.clone(), act);
            assert!(before.is_none_or(|before| before == act), "{} was done twice", given.key);
        }
    }
}

async fn open_tables(desk: &Desk, admin: Actor, seed: u64) -> Vec<Table> {
    let mut tables = Vec::new();
    for number in 0..TABLES {
        let new: NewChouette = serde_json::from_value(json!({ "name": format!("Table {number}") })).unwrap();
        let id = desk.open::<Chouette>(Request::by(admin), new).await.unwrap().id;
        let mut players = Vec::new();
        for seat in 0..SEATS {
            let details =
                PlayerDetails::named(format!("Player {seat} of {number} in {seed}").parse().unwrap());
            let player = desk.add_player(Request::by(admin), details, false).await.unwrap().0;
            let join = Order::Command(Command::Join { player });
            desk.command::<Chouette>(Request::by(admin), id, join).await.unwrap();
            players.push(player);
        }
        let draw = Order::Command(Command::DrawOrder {});
        desk.command::<Chouette>(Request::by(admin), id, draw).await.unwrap();
        let opened = desk.acts::<Chouette>(id).await.unwrap().iter().map(|act| act.id).collect();
        tables.push(Table { id, players, opened });
    }
    tables
}

/// Sends commands at once. Some are sent twice, some answers are not waited for.
async fn round(
    chance: &mut Chance,
    number: &str,
    desks: &[Desk],
    cut: impl AsyncFnOnce(),
    admin: Actor,
    tables: &[Table],
    ledger: &mut Ledger,
) {
    let mut sent = Vec::new();
    for place in 0..=chance.below(AT_ONCE) {
        let table = chance.one_of(tables);
        let mut given = Given::random(chance, format!("{number}-{place}"), table);
        if chance.one_in(4) {
            let desk = chance.one_of(desks);
            given.expected = desk.find::<Chouette>(table.id).await.ok().map(|stream| stream.version);
        }
        let times = 1 + usize::from(chance.one_in(4));
        for _ in 0..times {
            let attempt = given.clone().give(chance.one_of(desks).clone(), admin);
            // A client who hangs up does not stop what is on its way.
            let patience = if chance.one_in(5) { chance.below(4_000) } else { 20_000_000 };
            let attempt = tokio::time::timeout(Duration::from_micros(patience), attempt);
            sent.push((given.clone(), tokio::spawn(attempt)));
        }
    }
    if chance.one_in(3) {
        tokio::time::sleep(Duration::from_micros(chance.below(8_000))).await;
        cut().await;
    }
    for (given, attempt) in sent {
        let told = attempt.await.unwrap().unwrap_or(Told::Nothing);
        ledger.note(&given, told);
        ledger.open.push(given);
    }
}

/// Asks about every command once more, when nothing is on its way. What nobody was told for sure is known then.
async fn settle(desk: &Desk, admin: Actor, ledger: &mut Ledger) {
    for given in std::mem::take(&mut ledger.open) {
        let mut told = Told::Nothing;
        for _ in 0..20 {
            told = given.clone().give(desk.clone(), admin).await;
            if told != Told::Nothing {
                break;
            }
        }
        assert_ne!(told, Told::Nothing, "{} is answered in the end", given.key);
        assert!(told != Told::Refused || !ledger.done.contains_key(&given.key), "{} was done", given.key);
        ledger.note(&given, told);
    }
}

/// Plays the run of a seed in a club, at tables of its own, and returns the club.
async fn simulate(mut fixture: Fixture, admin: Actor, db: Db, seed: u64) -> Fixture {
    let mut chance = Chance(seed);
    let tables = open_tables(&fixture.desk, admin, seed).await;
    let mut ledger = Ledger::default();
    let another = match db {
        Db::Sqlite => None,
        Db::Postgres => Some(fixture.another_instance_called("simulated")),
    };
    for number in 0..ROUNDS {
        let desks: Vec<Desk> = another.iter().chain([&fixture.desk]).cloned().collect();
        let cut = async || {
            if db == Db::Postgres {
                fixture.cut_off("simulated").await;
            }
        };
        round(&mut chance, &format!("{seed}-{number}"), &desks, cut, admin, &tables, &mut ledger).await;
        drop(desks);
        if chance.one_in(4) {
            let desk = fixture.desk.clone();
            tokio::task::spawn_blocking(move || desk.inner.store.settle()).await.unwrap();
            if db == Db::Sqlite {
                fixture = fixture.restarted().await;
            }
        }
    }
    // What clients no longer wait for is done by now, or never.
    tokio::time::sleep(Duration::from_millis(300)).await;
    settle(&fixture.desk, admin, &mut ledger).await;
    let done: BTreeSet<ActId> = ledger.done.values().copied().collect();
    assert_eq!(done.len(), ledger.done.len(), "each an act of its own");
    let mut acts = BTreeSet::new();
    for table in &tables {
        for desk in another.iter().chain([&fixture.desk]) {
            let stream = desk.find::<Chouette>(table.id).await.unwrap();
            let journal = desk.acts::<Chouette>(table.id).await.unwrap();
            assert!(stream.version <= journal.last().unwrap().version);
            acts.extend(journal.iter().map(|act| act.id).filter(|act| !table.opened.contains(act)));
        }
    }
    assert_eq!(acts, done, "what clients were told is what is there");
    let failed = ledger.told_nothing;
    eprintln!("seed {seed}: {} done, {failed} times nothing was told", done.len());
    fixture.verify().await;
    fixture
}

#[rstest]
#[tokio::test]
async fn what_clients_are_told_is_what_was_done(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let number = |name: &str, usual| std::env::var(name).map_or(usual, |value| value.parse().unwrap());
    let first = number("OWLBOX_SEED", 1);
    let seeds: Vec<u64> = (first..first + number("OWLBOX_SEEDS", 12)).collect();
    // It takes longer to found a club than to play in it, but longer to verify a full one.
    for some in seeds.chunks(15) {
        let Some((mut fixture, admin)) = Fixture::open(db).await else { return };
        for &seed in some {
            fixture = simulate(fixture, admin, db, seed).await;
        }
    }
}
