//! Many clubs in one service, over HTTP on loopback: how long a sleeping one takes to answer, how much memory
//! they take, what fifty that play do beside one alone, and how a quiet one fares beside a noisy one.
//!
//! `cargo bench --bench clubs` (add OWLBOX_TEST_POSTGRES=postgres://... for as many on PostgreSQL, which
//! takes ten minutes). All clubs on SQLite are copies of one, so that one token is good in each.
//! `docs/performance.md` has the results.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a measurement, not the product")]
#![allow(dead_code, reason = "a kit that this bench uses a part of")]

mod support {
    pub mod club;
    pub mod load;
    pub mod moment;
}

use std::path::Path;
use std::time::{Duration, Instant};

use owlbox_store::clubs::Clubs;
use support::club::{Club, Server};
use support::load::{Measured, Plan, Round, drive, request};
use support::moment::measured_or;

/// Where a quiet club plays. Each load is cut off in the middle of a game, so it has one of the tables behind
/// that for itself.
const QUIET: usize = 0;
/// For each club: its readers are few, since there are many of them.
const POOL: (&str, &str) = ("OWLBOX_DATABASE__POOL_SIZE", "2");
/// On PostgreSQL these are also its writers.
const POOL_FOR_ALL: (&str, &str) = ("OWLBOX_DATABASE__POOL_SIZE", "4");
/// ... so that there are no more than four times as many.
const AWAKE_FOR_ALL: (&str, &str) = ("OWLBOX_CLUBS__AWAKE", "64");
const DOMAIN: (&str, &str) = ("OWLBOX_CLUBS__DOMAIN", "clubs.example");
const FOUNDED: &str = "founded";

fn clients() -> usize {
    measured_or(2, 64)
}

fn playing() -> usize {
    measured_or(2, 50)
}

fn main() {
    if support::club::is_server() {
        return support::club::serve();
    }
    let one = alone();
    for count in measured_or(vec![3], vec![10, 100, 1000]) {
        in_a_folder(count, &one);
    }
    if let Ok(url) = std::env::var("OWLBOX_TEST_POSTGRES") {
        in_schemas(&url, &measured_or(vec![2], vec![10, 100, 1000]));
    }
}

/// Durable commands of one club alone, with as many tables as there are clients.
fn alone() -> Measured {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("club.db").display());
    let club = Club::found(&url, clients());
    let server = Server::start(&url, &[POOL]);
    run("one club alone", &server, clients(), |client| Round::new(club.two_games(client)))
}

fn in_a_folder(count: usize, one: &Measured) {
    let place = tempfile::tempdir().expect("a folder");
    let club = copies(place.path(), count);
    let url = format!("sqlite://{}", place.path().display());
    println!("\n{count} clubs in a folder");
    let server = Server::start(&url, &[POOL, DOMAIN, ("OWLBOX_AUTH__SIGNING_KEYS", "")]);
    let named = |number: usize| club.called(&format!("c{number}"));
    let empty = server.memory();
    opening(&server, (0..count).map(named));
    println!("memory: {empty} MiB with none open, {} MiB with as many as stay awake", server.memory());

    let busy = playing().min(count);
    // A club has one table to play at, so there are no more clients than clubs that play.
    let many = run(&format!("{busy} clubs play"), &server, busy.min(clients()), |client| {
        Round::new(named(client).two_games(QUIET + 1))
    });
    println!("memory: {} MiB after that  (gate 1024 with 1,000, 50 of them playing)", server.memory());
    println!("commands / one club alone: {:.2}", many.throughput() / one.throughput());
    quiet_beside_noisy(&server, &named(0), &named(1));
}

/// A folder with so many copies of a club, `c0`, `c1`, ...
fn copies(place: &Path, count: usize) -> Club {
    let file = |name: &str, end: &str| place.join(format!("{name}.{end}"));
    let url = format!("sqlite://{}", file(FOUNDED, "db").display());
    let mut config = support::club::config(&url);
    config.auth.signing_keys.clear();
    let club = Club::found_in(&config, QUIET + 2);
    for number in 0..count {
        let name = format!("c{number}");
        for end in ["db", "key"] {
            std::fs::copy(file(FOUNDED, end), file(&name, end)).expect("a copy");
        }
    }
    // Else the first clubs to be opened would wait until all of these have been written to the disk.
    assert!(std::process::Command::new("sync").status().is_ok_and(|status| status.success()));
    club
}

/// The first answer of each club, one after the other.
fn opening(server: &Server, clubs: impl Iterator<Item = Club>) {
    let mut times: Vec<Duration> = clubs
        .map(|club| {
            let asked = Instant::now();
            server.get(club.token(), &club.table_path(0));
            asked.elapsed()
        })
        .collect();
    times.sort_unstable();
    let [median, p99, most] =
        [times.len() / 2, times.len() - 1 - times.len() / 100, times.len() - 1].map(|at| times[at]);
    println!("opening: median {median:.1?}, p99 {p99:.1?}, most {most:.1?}  (gate 100 ms)");
}

/// Commands of a quiet club, by themselves and beside all the reads that another can send.
fn quiet_beside_noisy(server: &Server, quiet: &Club, noisy: &Club) {
    let commands: Vec<_> =
        quiet.two_games(QUIET).iter().cycle().take(measured_or(10, 200)).cloned().collect();
    let play = || {
        let mut times: Vec<Duration> = commands
            .iter()
            .map(|command| {
                let sent = Instant::now();
                server.send(command);
                let took = sent.elapsed();
                std::thread::sleep(Duration::from_millis(5));
                took
            })
            .collect();
        times.sort_unstable();
        (times[times.len() / 2], times[times.len() - 1 - times.len() / 100])
    };
    let by_itself = play();
    let read = vec![request("GET", &noisy.table_path(0), &[("Authorization", noisy.token())], "")];
    let (beside, noise) = std::thread::scope(|scope| {
        let noise = scope.spawn(|| run("the noisy club", server, clients(), |_| Round::new(read.clone())));
        std::thread::sleep(measured_or(Duration::ZERO, Duration::from_millis(500)));
        (play(), noise.join().expect("the load"))
    });
    println!("a quiet club's command: median {:?}, p99 {:?}", by_itself.0, by_itself.1);
    println!(
        "... beside {:.0} reads/s of another: median {:?}, p99 {:?}",
        noise.throughput(),
        beside.0,
        beside.1
    );
}

/// Clubs on PostgreSQL, each founded by itself: keys differ, so tokens do. The server has to allow 300
/// connections.
fn in_schemas(url: &str, counts: &[usize]) {
    let config = support::club::config(url);
    let place = Clubs::at(&config.database.url).expect("a database without options");
    let found = |number: usize| {
        let name = format!("bench-{}-{number}", std::process::id());
        let label = name.parse().expect("a name");
        let spot = place.create(&label).expect("a schema");
        Club::found_in(&config.of_club(&label, &spot), QUIET + 1 + counts.len()).called(&name)
    };
    let mut clubs: Vec<Club> = Vec::new();
    for (load, &count) in (QUIET + 1..).zip(counts) {
        clubs.extend((clubs.len()..count).map(found));
        println!("\n{count} clubs in schemas of PostgreSQL");
        let server = Server::start(url, &[POOL_FOR_ALL, AWAKE_FOR_ALL, DOMAIN]);
        let empty = server.memory();
        opening(&server, clubs.iter().cloned());
        println!("memory: {empty} MiB with none open, {} MiB with as many as stay awake", server.memory());
        let busy = playing().min(count);
        run(&format!("{busy} clubs play"), &server, busy.min(clients()), |client| {
            Round::new(clubs[client].two_games(load))
        });
        println!("memory: {} MiB after that", server.memory());
        quiet_beside_noisy(&server, &clubs[0], &clubs[1]);
    }
    use diesel::connection::SimpleConnection as _;
    let mut connection = owlbox_store::connection::connect(&config.database.url, owlbox_store::Use::Write)
        .expect("PostgreSQL");
    for number in 0..clubs.len() {
        let schema = format!("club_bench_{}_{number}", std::process::id());
        connection.batch_execute(&format!("DROP SCHEMA {schema} CASCADE")).expect("it can be dropped");
    }
}

fn run(name: &str, server: &Server, connections: usize, requests: impl Fn(usize) -> Round) -> Measured {
    let [warm_up, counted] = measured_or([50, 300], [1_000, 5_000]).map(Duration::from_millis);
    let servers = [server.address(); 2];
    let plan = Plan { servers, refusals: &[], connections, warm_up, counted };
    let measured = drive(plan, requests);
    println!("{name:>20}: {measured}");
    assert_eq!(measured.first_refusal, None, "{name}");
    measured
}
