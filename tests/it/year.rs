//! A club's year, worked out twice: what the service answers about it against plain sums over the journal.
//!
//! `owlbox demo --year` fills the club. [`ledger`] and [`games`] read nothing but the journal's events and
//! use none of the program's rules. Every balance on the last day of every month, every line of every
//! statement and every statistic has to be the same. A part of a year is tried in every run, fewer nights of
//! as many months:
//!
//! ```text
//! OWLBOX_YEAR=whole OWLBOX_YEAR_SEED=7 bash tests/run.sh --test it year::
//! ```
//!
//! tries all of it, from another seed.

mod games;
mod journal;
mod ledger;
mod nights;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::ops::AddAssign as _;
use std::time::{Duration, Instant};

use owlbox::cli::demo::year::{Year, fill};
use owlbox_desk::verify::copying::copy;
use owlbox_desk::{Clock as _, SystemClock};
use rstest::rstest;
use serde_json::Value;

use crate::copying::hashes;
use crate::support::client::Client;
use crate::support::databases::{Database, Db};
use crate::support::house::House;
use crate::support::server::Server;
use games::{Counted, Record};
use journal::{Entry, list, number, text};
use ledger::{Account, Books, Line};

/// The treasurer's login, as the demonstration prints it.
const TREASURER: (&str, &str) = ("treasurer", "an owl in the barn");
/// The longest page that the service gives.
const PAGE: usize = 200;
/// Every run has one of so many nights and tournaments.
const SHARE: usize = 3;
/// How long a year's club may take to be copied.
const COPIED_WITHIN: Duration = Duration::from_mins(1);

fn is_whole() -> bool {
    std::env::var("OWLBOX_YEAR").as_deref() == Ok("whole")
}

fn year() -> Year {
    let seed = std::env::var("OWLBOX_YEAR_SEED").map_or(1, |seed| seed.parse().expect("a number"));
    let whole = Year::whole(seed);
    if is_whole() {
        return whole;
    }
    Year { players: 66, nights: whole.nights / SHARE, tournaments: whole.tournaments / SHARE, ..whole }
}

#[rstest]
fn every_balance_line_and_statistic_of_a_year_is_what_its_events_add_up_to(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(database) = db.fresh() else { return };
    let year = year();
    eprintln!("{year:?}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(fill(database.store(), SystemClock.now(), &year, |_, _| {})).unwrap();
    let house = House::of(Server::start(&database), database);
    house.verify();
    let entries = journal::entries(&house.database);
    everything_happened(&entries);
    let client = house.sign_in(TREASURER.0, TREASURER.1);
    let books = ledger::books(&entries);
    balances(&client, &books);
    statements(&client, &books);
    let counted = games::counted(&entries);
    statistics(&client, &counted);
    head_to_head(&client, &counted);
    let guests = guests(&client);
    nights::compare(&client, &games::tables(&entries), &guests);
    nights::compare_seasons(&client, &games::tables(&entries), &guests);
    if is_whole() {
        copied_there_and_back(house.database);
    }
}

/// To the other kind of database, and back.
fn copied_there_and_back(mut from: Database) {
    let original = hashes(&from);
    let there_and_back = match from.db() {
        Db::Sqlite => [Db::Postgres, Db::Sqlite],
        Db::Postgres => [Db::Sqlite, Db::Postgres],
    };
    for db in there_and_back {
        let Some(to) = db.fresh() else { return };
        let began = Instant::now();
        copy(&from.url.parse().unwrap(), &to.url.parse().unwrap(), &|_, _| {}).unwrap();
        assert!(began.elapsed() < COPIED_WITHIN, "{:?}", began.elapsed());
        assert_eq!(hashes(&to), original);
        from = to;
    }
}

/// The year would prove little if nothing were put right in it.
fn everything_happened(entries: &[Entry]) {
    let kinds: BTreeSet<(&str, &str)> =
        entries.iter().map(|entry| (entry.of.as_str(), entry.kind())).collect();
    for wanted in [
        ("chouette", "game_corrected undone redone paid settled left extras_given partnership_made beavered"),
        ("match", "game_drawn corrected undone redone paid stake_moved"),
        ("tournament", "seated withdrawn corrected undone awarded cancelled pools_joined"),
        (
            "daybook",
            "recorded proposed approved declined taken_back take_back_proposed month_closed month_reopened",
        ),
    ]
    .iter()
    .flat_map(|(of, kinds)| kinds.split(' ').map(move |kind| (*of, kind)))
    {
        assert!(kinds.contains(&wanted), "{wanted:?} never happened");
    }
}

/// Fails with what is told otherwise than expected, and only that.
#[track_caller]
fn same<K, V>(told: &BTreeMap<K, V>, expected: &BTreeMap<K, V>, what: &str)
where
    K: Ord + Debug,
    V: PartialEq + Debug,
{
    let keys: BTreeSet<&K> = told.keys().chain(expected.keys()).collect();
    let differs = |key: &&K| told.get(key) != expected.get(key);
    let differences: Vec<_> =
        keys.into_iter().filter(differs).map(|key| (key, told.get(key), expected.get(key))).collect();
    let some = &differences[..differences.len().min(5)];
    assert!(differences.is_empty(), "{what}: {} differ, told and expected: {some:#?}", differences.len());
}

/// All items of a list that comes page by page, and its last page.
fn items(client: &Client, path: &str, query: &str) -> (Vec<Value>, Value) {
    let (mut items, mut after) = (Vec::new(), String::new());
    loop {
        let page = client.get(&format!("{path}?limit={PAGE}{query}{after}")).good().body;
        items.extend_from_slice(list(&page["items"]));
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => return (items, page),
        }
    }
}

/// An account as the API names it.
fn account(item: &Value) -> Account {
    let holder = match text(&item["kind"]) {
        "player" => format!("player {}", text(&item["player"])),
        "pool" => format!("pool {}", text(&item["tournament"])),
        other => other.to_owned(),
    };
    (holder, text(&item["unit"]).to_owned())
}

/// Every account at the end of every month, and now.
fn balances(client: &Client, books: &Books) {
    let mut queries: Vec<(String, chrono::NaiveDate)> =
        ledger::month_ends(books).into_iter().map(|day| (format!("&on={day}"), day)).collect();
    queries.push((String::new(), chrono::NaiveDate::MAX));
    assert!(queries.len() >= 14);
    for (query, on) in queries {
        let (items, _) = items(client, "/api/v1/ledger/accounts", &query);
        let mut told: BTreeMap<Account, i64> =
            items.iter().map(|item| (account(item), number(&item["amount"]))).collect();
        told.retain(|_, amount| *amount != 0);
        same(&told, &books.balances(on), &format!("balances {query}"));
    }
}

/// All lines of a statement, oldest first, with the running balance after each.
fn statement(client: &Client, (holder, unit): &Account) -> (Vec<(Line, i64)>, Value) {
    let path = match holder.split_once(' ') {
        Some(("player", id)) => format!("/api/v1/players/{id}/statement"),
        Some(("pool", id)) => format!("/api/v1/ledger/pools/{id}/statement"),
        _ => format!("/api/v1/ledger/accounts/{holder}/statement"),
    };
    let (items, last) = items(client, &path, &format!("&unit={unit}&from=2000-01-01"));
    (items.iter().rev().map(|item| (line(item), number(&item["running"]))).collect(), last)
}

fn line(item: &Value) -> Line {
    let with = match text(&item["with"]) {
        "player" => format!("player {}", text(&item["counterparty"])),
        "pool" => format!("pool {}", text(&item["pool"])),
        other => other.to_owned(),
    };
    let source = ["chouette", "tournament", "match"].into_iter().find_map(|kind| item[kind].as_str());
    Line {
        booked_on: journal::day(&item["booked_on"]),
        night: journal::day(&item["night"]),
        act: text(&item["act"]).to_owned(),
        kind: text(&item["kind"]).to_owned(),
        bet: text(&item["bet"]).to_owned(),
        with,
        source: source.unwrap_or(ledger::DAYBOOK).to_owned(),
        amount: number(&item["amount"]),
    }
}

/// Every line of every account, by the day it counts for. Lines of one act may come in any order.
fn statements(client: &Client, books: &Books) {
    for (account, expected) in &books.accounts {
        let (told, page) = statement(client, account);
        let mut expected = expected.clone();
        expected.sort_by_key(|line| line.booked_on);
        assert_eq!(told.len(), expected.len(), "{account:?}");
        let mut balance = 0;
        for (line, running) in &told {
            balance += line.amount;
            assert_eq!(*running, balance, "{account:?}: {line:?}");
        }
        let acts = |lines: Vec<&Line>| -> Vec<Vec<Line>> {
            let by_act = lines.chunk_by(|one, next| one.act == next.act && one.booked_on == next.booked_on);
            by_act
                .map(|lines| {
                    let mut lines: Vec<Line> = lines.iter().map(|line| (*line).clone()).collect();
                    lines.sort();
                    lines
                })
                .collect()
        };
        let told = acts(told.iter().map(|(line, _)| line).collect());
        for (told, expected) in told.iter().zip(acts(expected.iter().collect())) {
            assert_eq!(*told, expected, "{account:?}");
        }
        let [up, down] = [1, -1].map(|sign: i64| {
            expected.iter().map(|line| line.amount).filter(|amount| amount.signum() == sign).sum::<i64>()
        });
        let figures = ["opening", "closing", "gained", "lost"].map(|field| number(&page[field]));
        assert_eq!(figures, [0, balance, up, down], "{account:?}");
    }
}

/// The record in an answer.
fn record(answer: &Value) -> Record {
    ["games", "won", "lost", "drawn", "half_points"].map(|field| number(&answer[field]))
}

fn add(sum: &mut Record, one: Record) {
    sum.iter_mut().zip(one).for_each(|(sum, one)| sum.add_assign(one));
}

/// Compares an answer of statistics with these games: the total, and every way in which it tells them apart.
#[track_caller]
fn compare(answer: &Value, games: &[&Counted], whose: &str) {
    let mut total = Record::default();
    let mut groups: BTreeMap<(String, String), Record> = BTreeMap::new();
    for game in games {
        add(&mut total, game.record);
        let month = ("by_month".to_owned(), game.day.format("%Y-%m").to_string());
        let by = game.by.iter().map(|(by, value)| ((*by).to_owned(), value.clone()));
        for key in by.chain([month]) {
            add(groups.entry(key).or_default(), game.record);
        }
    }
    assert_eq!(record(&answer["total"]), total, "{whose}");
    let mut told: BTreeMap<(String, String), Record> = BTreeMap::new();
    for by in ["by_kind", "by_variant", "by_began", "by_role", "by_ending", "by_cube", "by_month"] {
        for group in list(&answer[by]) {
            let value = group["value"].as_str().map_or_else(|| group["value"].to_string(), str::to_owned);
            told.insert((by.to_owned(), value), record(group));
        }
    }
    told.retain(|_, record| record[0] > 0);
    same(&told, &groups, whose);
}

/// Everybody's games, and the club's.
fn statistics(client: &Client, counted: &[Counted]) {
    let mut players: BTreeMap<&str, Vec<&Counted>> = BTreeMap::new();
    for game in counted.iter().filter(|game| game.opponent.is_none()) {
        players.entry(game.player.as_deref().unwrap_or_default()).or_default().push(game);
    }
    for (player, games) in players {
        let path = match player {
            "" => "/api/v1/statistics".to_owned(),
            player => format!("/api/v1/players/{player}/statistics"),
        };
        compare(&client.get(&path).good().body, &games, &path);
    }
}

/// Everybody against everybody, and one pair in full.
fn head_to_head(client: &Client, counted: &[Counted]) {
    let mut pairs: BTreeMap<(&str, &str), Vec<&Counted>> = BTreeMap::new();
    for game in counted {
        if let (Some(player), Some(opponent)) = (&game.player, &game.opponent) {
            pairs.entry((player, opponent)).or_default().push(game);
        }
    }
    let sum = |games: &Vec<&Counted>| {
        let mut sum = Record::default();
        games.iter().for_each(|game| add(&mut sum, game.record));
        sum
    };
    let answer = client.get("/api/v1/statistics/head-to-head").good().body;
    let told: BTreeMap<(&str, &str), Record> = list(&answer["pairs"])
        .iter()
        .filter(|pair| pair["games"] != 0)
        .map(|pair| ((text(&pair["player"]), text(&pair["opponent"])), record(pair)))
        .collect();
    let expected: BTreeMap<(&str, &str), Record> =
        pairs.iter().map(|(pair, games)| (*pair, sum(games))).collect();
    same(&told, &expected, "head to head");
    // F4: the one who won most comes first, with what they won as a partner.
    let mut won: BTreeMap<&str, i64> = BTreeMap::new();
    for game in counted.iter().filter(|game| game.opponent.is_none()) {
        if let Some(player) = &game.player {
            *won.entry(player).or_default() += game.record[4];
        }
    }
    let players = list(&answer["players"]);
    let told: Vec<(&str, i64)> =
        players.iter().map(|one| (text(&one["player"]), number(&one["half_points"]))).collect();
    assert!(told.is_sorted_by_key(|(_, won)| -won), "{told:?}");
    let only_in_matches = |player: &&str| !won.contains_key(*player);
    assert!(told.iter().filter(|(player, _)| only_in_matches(player)).all(|(_, won)| *won == 0));
    let told: BTreeMap<&str, i64> = told.into_iter().filter(|(player, _)| won.contains_key(player)).collect();
    same(&told, &won, "who won how much");
    for ((player, opponent), games) in pairs.iter().step_by(pairs.len() / 20 + 1) {
        let path = format!("/api/v1/players/{player}/statistics/against/{opponent}");
        compare(&client.get(&path).good().body, games, &path);
    }
}

/// The ids of the club's guests.
fn guests(client: &Client) -> BTreeSet<String> {
    let (players, _) = items(client, "/api/v1/players", "");
    let guests = players.iter().filter(|player| player["guest"] == true);
    guests.map(|player| text(&player["id"]).to_owned()).collect()
}
