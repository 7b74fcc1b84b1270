//! A seeded simulation: random commands from several clients at once to tables, a tournament, a money session
//! and the daybook, through two instances on PostgreSQL, with answers that are lost, commands that are sent
//! twice, connections that are cut in the middle of a commit, and restarts.
//!
//! A client that got no answer asks again under the same key. In the end every command has been done once or
//! not at all, as its client was told; no other act is in the journal; and the club verifies: versions have
//! no gap, replay equals state, books balance, and sums told a second time agree.
//!
//! Every run tries five seeds on each database; `OWLBOX_SEEDS=10000 OWLBOX_SEED=1` tries so many, from this
//! one on.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rstest::rstest;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::commands::subject::Subject;
use crate::fixture::{Db, Fixture};
use crate::{Actor, Desk, Idempotency, Refused, Request};
use owlbox_base::journal::{Aggregate, Version};
use owlbox_base::values::{ChouetteId, MatchId, PlayerId, TournamentId};
use owlbox_books::club::players::PlayerDetails;
use owlbox_books::daybook::Daybook;
use owlbox_books::ledger::Source;
use owlbox_chouette::Chouette;
use owlbox_play::matches::Sheet;
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::about::About;
use owlbox_store::journal;

/// How many tables there are, and how many players sit at each. Those of the first enter the tournament, too.
const TABLES: usize = 2;
const SEATS: usize = 4;
/// How often commands are sent at once, and the most of them.
const ROUNDS: usize = 12;
const AT_ONCE: u64 = 10;
/// How often all commands are asked about at the end, at most.
const MOST_ASKED: u32 = 8;

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

/// What takes commands.
#[derive(Clone, Copy)]
enum Place {
    Table(ChouetteId),
    Tournament(TournamentId),
    Session(MatchId),
    Daybook,
}

/// An act: its stream and the version it led to.
type Done = (Uuid, Version);

impl Place {
    const fn stream(self) -> Uuid {
        match self {
            Self::Table(id) => id.0,
            Self::Tournament(id) => id.0,
            Self::Session(id) => id.0,
            Self::Daybook => Source::DAYBOOK,
        }
    }

    /// The version that an instance knows; 0 before anything was done.
    async fn version(self, desk: &Desk) -> Version {
        match self {
            Self::Table(id) => desk.stream::<Chouette>(id.0).await.map_or(0, |stream| stream.version),
            Self::Tournament(id) => desk.stream::<Tournament>(id.0).await.map_or(0, |stream| stream.version),
            Self::Session(id) => desk.stream::<Sheet>(id.0).await.map_or(0, |stream| stream.version),
            Self::Daybook => desk.stream::<Daybook>(Source::DAYBOOK).await.map_or(0, |stream| stream.version),
        }
    }

    /// What the journal has.
    async fn acts(self, desk: &Desk) -> BTreeSet<Done> {
        let stream = self.stream();
        match self {
            Self::Table(_) => acts_of::<Chouette>(desk, stream).await,
            Self::Tournament(_) => acts_of::<Tournament>(desk, stream).await,
            Self::Session(_) => acts_of::<Sheet>(desk, stream).await,
            Self::Daybook => acts_of::<Daybook>(desk, stream).await,
        }
    }
}

async fn acts_of<A: Aggregate>(desk: &Desk, stream: Uuid) -> BTreeSet<Done> {
    let acts = desk.read::<_, Refused, _>(move |connection| {
        Ok(journal::acts::<A>(connection, stream, Version::MAX)?.into_iter().map(|act| act.version).collect())
    });
    let versions: Vec<Version> = acts.await.unwrap();
    versions.into_iter().map(|version| (stream, version)).collect()
}

/// Where the clients of a seed give commands, and the players there.
struct Scene {
    place: Place,
    players: Vec<PlayerId>,
}

impl Scene {
    /// A command that may or may not be legal here.
    fn command(&self, chance: &mut Chance) -> Value {
        let one = *chance.one_of(&self.players);
        let other = *chance.one_of(&self.players);
        match self.place {
            Place::Table(_) => at_a_table(chance, one, other),
            Place::Tournament(_) => at_a_tournament(chance, one),
            Place::Session(_) => at_a_session(chance),
            Place::Daybook => in_the_daybook(chance, one, other),
        }
    }
}

fn undo_or_redo(chance: &mut Chance) -> Value {
    json!({"command": chance.one_of(&["undo", "redo"])})
}

fn at_a_table(chance: &mut Chance, one: PlayerId, other: PlayerId) -> Value {
    match chance.below(12) {
        0..3 => json!({"command": "start_game"}),
        3 | 4 => json!({"command": "double", "player": one}),
        5 | 6 => json!({"command": "take", "player": one}),
        7 => json!({"command": "drop", "player": one}),
        8 | 9 => {
            let winner = chance.one_of(&["box", "team"]);
            json!({"command": "finish", "winner": winner, "win": chance.one_of(&["single", "gammon"])})
        }
        10 if one != other => json!({"command": "pay", "payer": one, "payee": other, "amount": 2}),
        _ => undo_or_redo(chance),
    }
}

fn at_a_tournament(chance: &mut Chance, entrant: PlayerId) -> Value {
    let score = *chance.one_of(&[[3, 0], [1, 3]]);
    let ended = json!({"ending": "played", "score": score});
    let number = 1 + chance.below(3);
    match chance.below(12) {
        0 => json!({"command": "enter", "entries": [{"player": entrant}]}),
        1..4 => json!({"command": "draw"}),
        4..9 => json!({"command": "result", "match": number, "ended": ended}),
        9 | 10 => {
            let later = chance.one_of(&["stands", "void"]);
            json!({"command": "correct", "match": number, "ended": ended, "later": later})
        }
        _ => undo_or_redo(chance),
    }
}

fn at_a_session(chance: &mut Chance) -> Value {
    let winner = chance.one_of(&["upper", "lower"]);
    let win = chance.one_of(&["single", "gammon"]);
    match chance.below(6) {
        0..4 => json!({"command": "game", "winner": winner, "win": win, "cube": 2}),
        4 => json!({"command": "correct", "game": 1, "now": {"winner": winner, "win": win, "cube": 1}}),
        _ => undo_or_redo(chance),
    }
}

fn in_the_daybook(chance: &mut Chance, one: PlayerId, other: PlayerId) -> Value {
    let amount = 1 + chance.below(1_000);
    match chance.below(4) {
        0 => json!({"command": "take_back", "entry": 1 + chance.below(20), "reason": "entered twice"}),
        1 if one != other => json!({"command": "pay", "payer": {"player": one}, "payee": {"player": other},
            "currency": "EUR", "amount": amount}),
        _ => json!({"command": "pay", "payer": {"player": one}, "payee": "house", "currency": "EUR",
            "amount": amount}),
    }
}

/// A command as a client gives it, as often as it takes.
#[derive(Clone)]
struct Given {
    key: String,
    place: Place,
    command: Value,
    expected: Option<Version>,
}

/// What a client is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Done(Done),
    Refused,
    /// Nothing, or that something failed: it may have been done.
    Nothing,
}

impl Given {
    async fn give(self, desk: Desk, actor: Actor) -> Told {
        let idempotency = Some(Idempotency { request_hash: self.key.clone().into_bytes(), key: self.key });
        let request = Request { actor, expected: self.expected, idempotency };
        let version = match self.place {
            Place::Table(id) => commanded::<Chouette>(&desk, request, id, self.command).await,
            Place::Tournament(id) => commanded::<Tournament>(&desk, request, id, self.command).await,
            Place::Session(id) => commanded::<Sheet>(&desk, request, id, self.command).await,
            Place::Daybook => desk.record(request, read(self.command)).await.map(|noted| noted.version),
        };
        match version {
            Ok(version) => Told::Done((self.place.stream(), version)),
            Err(Refused::Store(_) | Refused::Busy) => Told::Nothing,
            Err(_) => Told::Refused,
        }
    }
}

/// The version that a command leads to.
async fn commanded<A: Subject<Command: DeserializeOwned>>(
    desk: &Desk,
    request: Request,
    id: A::Id,
    command: Value,
) -> Result<Version, Refused> {
    Ok(desk.command::<A>(request, id, read(command)).await?.act.version)
}

fn read<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

/// What clients were told of each command: an act, or nothing for sure yet.
#[derive(Default)]
struct Ledger {
    done: BTreeMap<String, Done>,
    /// How many of each command were done.
    commands: BTreeMap<String, usize>,
    open: Vec<Given>,
    told_nothing: usize,
}

impl Ledger {
    fn note(&mut self, given: &Given, told: Told) {
        self.told_nothing += usize::from(told == Told::Nothing);
        if let Told::Done(act) = told {
            let before = self.done.insert(given.key.clone(), act);
            assert!(before.is_none_or(|before| before == act), "{} was done twice", given.key);
            if before.is_none() {
                *self.commands.entry(read(given.command["command"].clone())).or_default() += 1;
            }
        }
    }
}

/// Opens everything that a seed plays at.
async fn set(desk: &Desk, admin: Actor, seed: u64) -> Vec<Scene> {
    let mut scenes = Vec::new();
    for number in 0..TABLES {
        let new = read(json!({ "name": format!("Table {number}") }));
        let id = desk.open::<Chouette>(Request::by(admin), new).await.unwrap().id;
        let mut players = Vec::new();
        for seat in 0..SEATS {
            let details =
                PlayerDetails::named(format!("Player {seat} of {number} in {seed}").parse().unwrap());
            let player = desk.add_player(Request::by(admin), details, false).await.unwrap().0;
            let join = json!({"command": "join", "player": player});
            commanded::<Chouette>(desk, Request::by(admin), id, join).await.unwrap();
            players.push(player);
        }
        let draw = json!({"command": "draw_order"});
        commanded::<Chouette>(desk, Request::by(admin), id, draw).await.unwrap();
        scenes.push(Scene { place: Place::Table(id), players });
    }
    let players = scenes[0].players.clone();
    let about = read::<About>(json!({"name": "Open", "date": "2026-09-21", "currency": "EUR"}));
    let id = desk.open::<Tournament>(Request::by(admin), about.into()).await.unwrap().id;
    let fees = json!({"entry": 1_000});
    let division =
        json!({"command": "add_division", "settings": {"name": "Open", "lengths": [3], "fees": fees}});
    commanded::<Tournament>(desk, Request::by(admin), id, division).await.unwrap();
    let entries: Vec<Value> = players[1..].iter().map(|player| json!({ "player": player })).collect();
    let enter = json!({"command": "enter", "entries": entries});
    commanded::<Tournament>(desk, Request::by(admin), id, enter).await.unwrap();
    scenes.push(Scene { place: Place::Tournament(id), players: players.clone() });
    let terms = json!({"play": "money", "stake": {"amount": 100, "currency": "EUR"}});
    let new = read(json!({"players": players[..2], "terms": terms}));
    let id = desk.open::<Sheet>(Request::by(admin), new).await.unwrap().id;
    scenes.push(Scene { place: Place::Session(id), players: players[..2].to_vec() });
    let sheet = sheet_of_a_final(desk, admin, &players[..2]).await;
    scenes.push(Scene { place: Place::Session(sheet), players: players[..2].to_vec() });
    scenes.push(Scene { place: Place::Daybook, players });
    scenes
}

/// The sheet of a tournament's only match. Nobody but the match tells that tournament anything.
async fn sheet_of_a_final(desk: &Desk, admin: Actor, players: &[PlayerId]) -> MatchId {
    let about = read::<About>(json!({"name": "Final", "date": "2026-09-21", "currency": "EUR"}));
    let id = desk.open::<Tournament>(Request::by(admin), about.into()).await.unwrap().id;
    let entries: Vec<Value> = players.iter().map(|player| json!({ "player": player })).collect();
    for command in [
        json!({"command": "add_division", "settings": {"name": "Open", "lengths": [3], "rated": true}}),
        json!({"command": "enter", "entries": entries}),
        json!({"command": "draw"}),
        json!({"command": "open_sheet", "match": 1}),
    ] {
        commanded::<Tournament>(desk, Request::by(admin), id, command).await.unwrap();
    }
    let tournament = desk.find::<Tournament>(id).await.unwrap();
    let (_, sheet) = tournament.state.divisions().find_map(|(_, of)| of.last_sheets().next()).unwrap();
    sheet
}

/// Everything that the journal has of these, as an instance sees it. No instance knows more.
async fn acts(desk: &Desk, scenes: &[Scene]) -> BTreeSet<Done> {
    let mut all = BTreeSet::new();
    for scene in scenes {
        let known = scene.place.version(desk).await;
        let acts = scene.place.acts(desk).await;
        assert!(known <= acts.last().map_or(0, |(_, version)| *version));
        all.extend(acts);
    }
    all
}

/// Sends commands at once. Some are sent twice, some answers are not waited for.
async fn round(
    chance: &mut Chance,
    number: &str,
    desks: &[Desk],
    cut: impl AsyncFnOnce(),
    admin: Actor,
    scenes: &[Scene],
    ledger: &mut Ledger,
) {
    let mut sent = Vec::new();
    for client in 0..=chance.below(AT_ONCE) {
        let scene = chance.one_of(scenes);
        let (place, command) = (scene.place, scene.command(chance));
        let mut given = Given { key: format!("{number}-{client}"), place, command, expected: None };
        if chance.one_in(4) {
            given.expected = Some(place.version(chance.one_of(desks)).await);
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

/// Asks about every command once more, when nothing is on its way. What nobody was told for sure is known
/// then.
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

/// Plays the run of a seed in a club, at tables of its own but with the one daybook, and returns the club.
async fn simulate(mut fixture: Fixture, admin: Actor, db: Db, seed: u64) -> Fixture {
    let mut chance = Chance(seed);
    let scenes = set(&fixture.desk, admin, seed).await;
    let before = acts(&fixture.desk, &scenes).await;
    let mut ledger = Ledger::default();
    // Its own name, so that several processes can try seeds on one server.
    let name = format!("simulated_{}_{seed}", std::process::id());
    let another = match db {
        Db::Sqlite => None,
        Db::Postgres => Some(fixture.another_instance_called(&name)),
    };
    for number in 0..ROUNDS {
        let desks: Vec<Desk> = another.iter().chain([&fixture.desk]).cloned().collect();
        let cut = async || {
            if db == Db::Postgres {
                fixture.cut_off(&name).await;
            }
        };
        round(&mut chance, &format!("{seed}-{number}"), &desks, cut, admin, &scenes, &mut ledger).await;
        drop(desks);
        if chance.one_in(4) {
            let desk = fixture.desk.clone();
            tokio::task::spawn_blocking(move || desk.inner.store.settle()).await.unwrap();
            if db == Db::Sqlite {
                fixture = fixture.restarted().await;
            }
        }
    }
    // What clients no longer wait for is done soon, or never. How soon depends on the machine: where there is
    // more than they were told, they ask once more.
    let given = ledger.open.clone();
    let mut asked = 0;
    let done = loop {
        tokio::time::sleep(Duration::from_millis(300)).await;
        settle(&fixture.desk, admin, &mut ledger).await;
        asked += 1;
        let done: BTreeSet<Done> = ledger.done.values().copied().collect();
        let there: BTreeSet<Done> = acts(&fixture.desk, &scenes).await.difference(&before).copied().collect();
        if asked == MOST_ASKED || there == done {
            break done;
        }
        ledger.open.clone_from(&given);
        tokio::time::sleep(Duration::from_secs(1)).await;
    };
    assert_eq!(done.len(), ledger.done.len(), "each an act of its own");
    for desk in another.iter().chain([&fixture.desk]) {
        let acts: BTreeSet<Done> = acts(desk, &scenes).await.difference(&before).copied().collect();
        assert_eq!(acts, done, "what clients were told is what is there");
    }
    let (failed, commands) = (ledger.told_nothing, ledger.commands);
    eprintln!("seed {seed}: {} done, {failed} times nothing was told: {commands:?}", done.len());
    fixture.verify().await;
    fixture
}

/// How many seeds each database is tried with in every run.
const EVERY_RUN: u64 = 5;

#[rstest]
#[tokio::test]
async fn what_clients_are_told_is_what_was_done(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let number = |name: &str| std::env::var(name).ok().map(|value| value.parse::<u64>().unwrap());
    let mut seed = number("OWLBOX_SEED").unwrap_or(1);
    let end = seed + number("OWLBOX_SEEDS").unwrap_or(EVERY_RUN);
    while seed < end {
        let Some((mut fixture, admin)) = Fixture::open(db).await else { return };
        // It takes longer to found a club than to play in it, but longer to verify a full one.
        for _ in 0..15 {
            if seed < end {
                fixture = simulate(fixture, admin, db, seed).await;
                seed += 1;
            }
        }
    }
}
