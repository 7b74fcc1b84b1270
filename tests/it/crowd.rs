//! Many clients at once: conflicting commands at one table, and the same accounts from two instances.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House, Table};
use crate::support::server::{Server, TWO_WORKERS};
use crate::tournaments::Event;

const CLIENTS: usize = 50;
const TRIES: usize = 12;

/// Fifty clients at one table. Half of them name the version they saw, half do not, and all retry under their
/// keys. Every acknowledged command is in the journal once, and the versions have no gap.
#[rstest]
fn fifty_clients_at_one_table_lose_nothing_and_do_nothing_twice(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open_with(db, &[TWO_WORKERS]) else { return };
    let table = house.table(&["A", "B", "C", "D"]);
    let commands: Vec<Value> = [
        json!({"command": "start_game"}),
        json!({"command": "double", "player": "A"}),
        json!({"command": "double", "player": "B"}),
        json!({"command": "take", "player": "A"}),
        json!({"command": "take", "player": "B"}),
        json!({"command": "drop", "player": "C"}),
        json!({"command": "finish", "winner": "team", "win": "single"}),
        json!({"command": "undo"}),
        json!({"command": "redo"}),
    ]
    .iter()
    .map(|command| table.with_ids(command))
    .collect();
    let acknowledged: Vec<(String, i64)> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let (table, commands) = (&table, &commands);
                scope.spawn(move || one_client(number, table, commands))
            })
            .collect();
        clients.into_iter().flat_map(|client| client.join().expect("a client")).collect()
    });
    assert!(acknowledged.len() > CLIENTS, "only {} commands came through", acknowledged.len());

    let acts: BTreeSet<&str> = acknowledged.iter().map(|(act, _)| act.as_str()).collect();
    assert_eq!(acts.len(), acknowledged.len(), "every acknowledged command is an act of its own");
    let journal = whole_log(&table);
    let versions: Vec<i64> = journal.iter().flat_map(|(_, first, last)| *first..=*last).collect();
    assert_eq!(versions, (1..).take(versions.len()).collect::<Vec<i64>>(), "no gap, nothing twice");
    for (act, version) in &acknowledged {
        let found: Vec<_> = journal.iter().filter(|(in_journal, ..)| in_journal == act).collect();
        assert_eq!(found.len(), 1, "{act} once");
        assert_eq!(found[0].2, *version, "at the version it was acknowledged with");
    }
    let verified = house.server.command(&["verify"]).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
}

/// One client's acknowledged commands: act and version.
fn one_client(number: usize, table: &Table, commands: &[Value]) -> Vec<(String, i64)> {
    let mut acknowledged = Vec::new();
    for step in 0..TRIES {
        let command = &commands[(number * 7 + step * 5) % commands.len()];
        let key = format!("{number}-{step}");
        let path = table.path("/commands");
        let mut request = table.client.request("POST", &path).json(command).key(&key);
        if number.is_multiple_of(2) {
            let seen = table.client.get(&table.path("")).good().etag().to_owned();
            request = request.if_match(&seen);
        }
        let answer = request.send();
        match answer.status {
            200 => {
                // A retry, as after a lost answer.
                let again = table.client.request("POST", &path).json(command).key(&key).send().good();
                assert_eq!(again.body["act"], answer.body["act"]);
                let act = answer.body["act"]["act"].as_str().unwrap().to_owned();
                acknowledged.push((act, answer.body["act"]["version"].as_i64().unwrap()));
            }
            412 | 422 => {}
            status => panic!("{status}: {}", answer.body),
        }
    }
    acknowledged
}

/// Every act of the log, oldest first: id, first and last version.
pub fn whole_log(table: &Table) -> Vec<(String, i64, i64)> {
    let mut acts = Vec::new();
    let mut after = None::<String>;
    loop {
        let path = match &after {
            None => table.path("/acts?limit=200"),
            Some(after) => table.path(&format!("/acts?limit=200&after={after}")),
        };
        let page = table.client.get(&path).good().body;
        for act in page["items"].as_array().unwrap() {
            let last = act["version"].as_i64().unwrap();
            let events = i64::try_from(act["events"].as_array().unwrap().len()).unwrap();
            acts.push((act["act"].as_str().unwrap().to_owned(), last - events + 1, last));
        }
        match page["next"].as_str() {
            Some(next) => after = Some(next.to_owned()),
            None => break,
        }
    }
    acts.reverse();
    acts
}

/// How many clients post to the same accounts, and how often each.
const POSTING: usize = 16;
const ROUNDS: usize = 12;
/// The players whose accounts they are.
const PLAYERS: [&str; 4] = ["A", "B", "C", "D"];
/// What a point is worth in the sessions and at the table, in cents.
const STAKE: i64 = 200;

/// What the acknowledged commands come to: an amount by player and unit.
#[derive(Default)]
struct Sums(BTreeMap<(String, &'static str), i64>);

impl Sums {
    fn moved(&mut self, [to, from]: [&str; 2], unit: &'static str, amount: i64) {
        *self.0.entry((to.to_owned(), unit)).or_default() += amount;
        *self.0.entry((from.to_owned(), unit)).or_default() -= amount;
    }

    /// Half points, and what they are worth.
    fn won(&mut self, two: [&str; 2], half_points: i64) {
        self.moved(two, "half_points", half_points);
        self.moved(two, "EUR", half_points * STAKE / 2);
    }
}

/// Sixteen clients of two instances post to the accounts of four players at once: payments in the daybook,
/// games of money sessions and of a table, and undos. Nobody sees a deadlock, and the books hold exactly what
/// was acknowledged.
#[test]
fn sixteen_clients_of_two_instances_post_to_the_same_accounts() {
    let Some(house) = House::open_with(Db::Postgres, &[TWO_WORKERS]) else { return };
    let other = Server::start_with(&house.database, &[TWO_WORKERS]);
    let new = json!({"name": "Table", "stake": {"amount": STAKE, "currency": "EUR"}});
    let table = house.table_with(&PLAYERS, &new);
    let there = other.public();
    let sign_in = json!({"login": ADMIN.0, "password": ADMIN.1});
    let signed_in = there.post("/api/v1/sign-in", &sign_in).good();
    let clients = [house.admin(), there.bearer(signed_in.body["access_token"].as_str().unwrap())];
    let sums: Vec<Sums> = std::thread::scope(|scope| {
        let posting: Vec<_> = (0..POSTING)
            .map(|number| {
                let (client, table) = (&clients[number % 2], &table);
                scope.spawn(move || match number {
                    0..6 => payments(number, client, table),
                    6..13 => session(number, client, table),
                    _ => games(number, client, table),
                })
            })
            .collect();
        posting.into_iter().map(|client| client.join().expect("a client")).collect()
    });
    // What the games of the table came to, its own standings tell.
    let mut expected: BTreeMap<(String, &str), i64> = BTreeMap::new();
    for (player, half_points) in table.scores() {
        expected.insert((player.clone(), "half_points"), half_points);
        expected.insert((player, "EUR"), half_points * STAKE / 2);
    }
    for (account, amount) in sums.into_iter().flat_map(|sums| sums.0) {
        *expected.entry(account).or_default() += amount;
    }
    expected.retain(|(player, _), _| PLAYERS.contains(&player.as_str()));
    assert_eq!(expected.len(), 2 * PLAYERS.len());
    for ((player, unit), amount) in expected {
        assert_eq!(table.balance(&player, unit), amount, "{player} in {unit}");
    }
    house.verify();
}

/// Sixteen clients of two instances, eight at one table and eight at one tournament. Every command is done,
/// and once.
#[test]
fn sixteen_clients_of_two_instances_at_one_table_and_one_tournament() {
    let Some(house) = House::open_with(Db::Postgres, &[TWO_WORKERS]) else { return };
    let other = Server::start_with(&house.database, &[TWO_WORKERS]);
    let table = house.table(&PLAYERS);
    let event = Event::new(&house, &["First"], &json!({"name": "Open", "lengths": [3]}));
    let there = other.public();
    let signed_in = there.post("/api/v1/sign-in", &json!({"login": ADMIN.0, "password": ADMIN.1})).good();
    let clients = [house.admin(), there.bearer(signed_in.body["access_token"].as_str().unwrap())];
    let entrants: Vec<String> = (0..POSTING / 2 * ROUNDS)
        .map(|number| house.player(&event.director, &format!("Entrant {number}")))
        .collect();
    let pay = table.with_ids(&json!({"command": "pay", "payer": "A", "payee": "B", "amount": 2}));
    let version = |path: &str| event.director.get(path).good().body["version"].as_i64().unwrap();
    let paths = [table.path(""), event.path("")];
    let before = paths.each_ref().map(|path| version(path));
    let acknowledged: Vec<Vec<i64>> = std::thread::scope(|scope| {
        let giving: Vec<_> = (0..POSTING)
            .map(|number| {
                let (client, path) = (&clients[number / 2 % 2], format!("{}/commands", paths[number % 2]));
                let (entrants, pay) = (&entrants, &pay);
                scope.spawn(move || {
                    let give = |round: usize| {
                        let entrant = &entrants[number / 2 * ROUNDS + round];
                        let enter = json!({"command": "enter", "entries": [{"player": entrant}]});
                        let command = if number % 2 == 0 { pay } else { &enter };
                        in_the_end(client, &path, &format!("{number}-{round}"), command)
                    };
                    (0..ROUNDS).map(give).collect()
                })
            })
            .collect();
        giving.into_iter().map(|client| client.join().expect("a client")).collect()
    });
    for (kind, path) in paths.iter().enumerate() {
        let mut versions: Vec<i64> = acknowledged.iter().skip(kind).step_by(2).flatten().copied().collect();
        versions.sort_unstable();
        assert_eq!(versions, (before[kind] + 1..=version(path)).collect::<Vec<i64>>(), "{path}");
    }
    house.verify();
}

/// The version that a command leads to. It has hardly ever to be given again: unless the machine held it up
/// for as long as anybody waits for a lock, and apart from a margin for a slow one.
fn in_the_end(client: &Client, path: &str, key: &str, command: &Value) -> i64 {
    let mut given_in_vain = 0;
    loop {
        let began = Instant::now();
        let answer = client.request("POST", path).json(command).key(key).send();
        if answer.status == 200 {
            return answer.body["act"]["version"].as_i64().unwrap();
        }
        let answer = answer.refused(503, "busy");
        given_in_vain += i32::from(began.elapsed() < Duration::from_secs(2));
        assert!(given_in_vain < 4, "{command}: {answer}");
    }
}

/// The answer to a command that nothing stands in the way of.
#[track_caller]
fn acknowledged(client: &Client, path: &str, command: &Value) -> Value {
    let answer = client.post(path, command);
    assert!([200, 201].contains(&answer.status), "{command}: {answer}");
    answer.body
}

/// Payments in the daybook, to the house and from player to player. Every third is taken back.
fn payments(number: usize, client: &Client, table: &Table) -> Sums {
    let mut sums = Sums::default();
    for round in 0..ROUNDS {
        let [payer, payee] = [number + round, number + round + 1].map(|place| PLAYERS[place % PLAYERS.len()]);
        let to_the_house = round % 2 == 0;
        let id = |name: &str| json!({ "player": table.players[name] });
        let amount = i64::try_from(100 * number + round + 1).unwrap();
        let to = if to_the_house { json!("house") } else { id(payee) };
        let order =
            json!({"command": "pay", "payer": id(payer), "payee": to, "currency": "EUR", "amount": amount});
        let noted = acknowledged(client, "/api/v1/daybook", &order);
        if round % 3 == 2 {
            let back =
                json!({"command": "take_back", "entry": noted["entry"]["entry"], "reason": "entered twice"});
            acknowledged(client, "/api/v1/daybook", &back);
        } else {
            sums.moved([payer, if to_the_house { "house" } else { payee }], "EUR", amount);
        }
    }
    sums
}

/// A money session between two of them, of which no other client knows. Every fourth game is taken back.
fn session(number: usize, client: &Client, table: &Table) -> Sums {
    let mut sums = Sums::default();
    let [upper, lower] = [number, number + 1 + number % 3].map(|place| PLAYERS[place % PLAYERS.len()]);
    let terms = json!({"play": "money", "stake": {"amount": STAKE, "currency": "EUR"}});
    let new = json!({"players": [table.players[upper], table.players[lower]], "terms": terms});
    let opened = acknowledged(client, "/api/v1/matches", &new);
    let commands = format!("/api/v1/matches/{}/commands", opened["match"]["id"].as_str().unwrap());
    for round in 0..ROUNDS {
        let (winner, two) =
            if round % 3 == 0 { ("lower", [lower, upper]) } else { ("upper", [upper, lower]) };
        let cube = [1, 2, 4][round % 3];
        acknowledged(client, &commands, &crate::matches::game(winner, "single", cube));
        if round % 4 == 3 {
            acknowledged(client, &commands, &json!({"command": "undo"}));
        } else {
            sums.won(two, 2 * i64::from(cube));
        }
    }
    sums
}

/// Games at the one table, at which the clients are in each other's way: what is not legal any more is
/// refused.
fn games(number: usize, client: &Client, table: &Table) -> Sums {
    for round in 0..ROUNDS {
        let winner = if (number + round).is_multiple_of(2) { "box" } else { "team" };
        for command in [
            json!({"command": "start_game"}),
            json!({"command": "finish", "winner": winner, "win": "gammon"}),
            json!({"command": if round % 3 == 1 { "undo" } else { "start_game" }}),
        ] {
            let answer = client.post(&table.path("/commands"), &command);
            assert!([200, 422].contains(&answer.status), "{command}: {answer}");
        }
    }
    Sums::default()
}
