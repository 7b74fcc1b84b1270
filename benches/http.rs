//! The service under load, over HTTP on loopback. Every figure is compared with a limit measured in the same
//! run.
//!
//! `cargo bench --bench http` (add OWLBOX_TEST_POSTGRES=postgres://... for the
//! PostgreSQL figures). The server is a separate process: this program again, with one extra handler that
//! does nothing behind the same middleware and sign-in. The load comes from this process, so both share the
//! machine. `docs/performance.md` has the results.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a measurement, not the product")]

mod support {
    pub mod club;
    pub mod load;
    pub mod moment;
    pub mod schema;
}

use std::time::{Duration, Instant};

use support::club::{Club, Server};
use support::load::{Measured, Plan, Round, drive, request};
use support::moment::measured_or;

/// A load is cut off in the middle of a game, so each load has tables of its own. Two more tables are for the
/// latency and for everybody at once.
const LOADS: usize = 3;

fn clients() -> usize {
    measured_or(4, 64)
}

fn tables() -> usize {
    clients() * LOADS + 2
}

/// The warm-up time, and the time that is counted.
fn times() -> [Duration; 2] {
    measured_or([50, 300], [1_000, 5_000]).map(Duration::from_millis)
}

fn main() {
    if support::club::is_server() {
        return support::club::serve();
    }
    let [_, counted] = times();
    println!("{} clients, {counted:?} each, server and load on the same machine\n", clients());
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("club.db").display());

    let club = Club::found(&url, tables());
    let server = Server::start(&url, &[]);
    let (bare, state) = reads(&club, &server);
    let fast = commands(&club, &server, 0);
    let entered = games(&club, &server);
    latency(&club, &server);
    drop(server);

    let started = Instant::now();
    let server = Server::start(&url, &[]);
    println!("start-up to ready, {} acts in the journal: {:?}", club.acts(&url, server), started.elapsed());

    println!("\nSQLite, commands / bare handler:  {:.2}", fast.throughput() / bare.throughput());
    println!(
        "SQLite, table state / bare handler: {:.2}  (gate 0.50)",
        state.throughput() / bare.throughput()
    );
    slow_disk(&url, &club);
    if let Ok(url) = std::env::var("OWLBOX_TEST_POSTGRES") {
        let schema = support::schema::fresh_schema(&url, "club");
        let club = Club::found(&schema, tables());
        let server = Server::start(&schema, &[]);
        println!("\nPostgreSQL (as the cluster is configured)");
        let (there, state) = reads(&club, &server);
        let grouped = commands(&club, &server, 0);
        let entered_there = games(&club, &server);
        latency(&club, &server);
        let other = Server::start(&schema, &[]);
        let both = run("two instances", [&server, &other], &[], |client| {
            Round::new(club.two_games(clients() + client))
        });
        hot(&club, [&server, &other]);
        let ratio = |one: &Measured, other: &Measured| one.throughput() / other.throughput();
        println!("bare handler / SQLite's:          {:.2}  (gate 0.80)", ratio(&there, &bare));
        println!("table state / bare handler:       {:.2}  (gate 0.50)", ratio(&state, &there));
        println!("commands / SQLite's:              {:.2}  (gate 0.40)", ratio(&grouped, &fast));
        println!("games on sheets / SQLite's:       {:.2}", ratio(&entered_there, &entered));
        println!("commands at two instances / one:  {:.2}  (gate 1)", ratio(&both, &grouped));
    }
}

/// Compares a handler that does nothing with the state of a table: both signed in, with answers of the same
/// size.
fn reads(club: &Club, server: &Server) -> (Measured, Measured) {
    let read = |path: &str| vec![request("GET", path, &[("Authorization", club.token())], "")];
    let size = server.get(club.token(), &club.table_path(0)).len();
    let one = [server, server];
    let bare = run("bare handler", one, &[], |_| Round::new(read(&format!("/bare/{size}"))));
    let state = run("table state", one, &[], |client| Round::new(read(&club.table_path(client))));
    (bare, state)
}

/// Durable commands: every client plays games at a table of its own.
fn commands(club: &Club, server: &Server, load: usize) -> Measured {
    run("durable commands", [server, server], &[], |client| {
        Round::new(club.two_games(load * clients() + client))
    })
}

/// Durable commands at matches: every client enters the games of a money session of its own.
fn games(club: &Club, server: &Server) -> Measured {
    run("games on sheets", [server, server], &[], |client| {
        Round::new(vec![club.game_of_a_session(server, client)])
    })
}

/// With every fsync slowed down by 4 ms: group commit compared with one command per commit.
fn slow_disk(url: &str, club: &Club) {
    let Some(library) = support::club::slow_fsync_library() else {
        println!("slow disk: no C compiler, not measured");
        return;
    };
    let preload = [("LD_PRELOAD", library.to_str().expect("a path"))];
    let one = [preload[0], ("OWLBOX_DATABASE__BATCH_LIMIT", "1")];
    println!("\nevery fsync 4 ms");
    let server = Server::start(url, &preload);
    let grouped = commands(club, &server, 1);
    drop(server);
    let server = Server::start(url, &one);
    let single = commands(club, &server, 2);
    println!("group commit / one a commit: {:.1}  (gate 5)", grouped.throughput() / single.throughput());
}

/// The time from posting an act on one connection to receiving it on another's live stream.
fn latency(club: &Club, server: &Server) {
    let table = tables() - 2;
    let mut listener = server.listen(club.token(), &club.events_path(table));
    let mut times: Vec<Duration> = Vec::new();
    let count = measured_or(10, 200);
    for command in club.two_games(table).iter().cycle().take(count) {
        let posted = Instant::now();
        server.send(command);
        listener.wait_for_act();
        times.push(posted.elapsed());
        std::thread::sleep(Duration::from_millis(5));
    }
    times.sort_unstable();
    let (median, p99) = (times[count / 2], times[count - 2]);
    println!("act to another's stream: median {median:?}, p99 {p99:?}  (gate 100 ms)");
}

/// Everybody at one table, half of them at another instance. What is not legal any more is refused by the
/// rules.
fn hot(club: &Club, servers: [&Server; 2]) {
    let hot = run("everybody at one table", servers, &[422], |_| Round::new(club.two_games(tables() - 1)));
    println!(
        "at one table: {:.0}/s done, {} refused by the rules  (gate 300/s)",
        hot.throughput(),
        hot.refused
    );
}

fn run(
    name: &str,
    servers: [&Server; 2],
    refusals: &'static [u16],
    requests: impl Fn(usize) -> Round,
) -> Measured {
    let [warm_up, counted] = times();
    let servers = servers.map(Server::address);
    let plan = Plan { servers, refusals, connections: clients(), warm_up, counted };
    let measured = drive(plan, requests);
    println!("{name:>20}: {measured}");
    // Even answers outside the counted time must not be refusals.
    assert_eq!(measured.first_refusal, None, "{name}");
    measured
}
