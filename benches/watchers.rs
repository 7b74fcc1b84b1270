//! Many who watch one bracket, over HTTP on loopback: an act to twenty thousand live streams, beside a
//! process that does nothing but write so many bytes to as many sockets; and the page of a bracket of 4,096
//! beside a file, and beside bytes that lie ready.
//!
//! `cargo bench --bench watchers`. Where the system allows fewer open files there are fewer streams, and it
//! says how many. `docs/performance.md` has the results.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a measurement, not the product")]
#![allow(dead_code, reason = "a kit that this bench uses a part of")]

mod support {
    pub mod club;
    pub mod load;
    pub mod moment;
}

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use owlbox_base::values::TournamentId;
use owlbox_books::club::players::PlayerDetails;
use owlbox_desk::tournaments::Order;
use owlbox_desk::{Actor, Desk, Request};
use owlbox_http::connection::files::make_room;
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::about::About;
use owlbox_store::Store;
use serde_json::json;
use support::club::{Club, FILE, Server};
use support::load::{Measured, Plan, Round, drive, request};
use support::moment::measured_or;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;
use tokio::sync::mpsc;

/// Files of server and load besides the streams.
const OTHER_FILES: usize = 400;
/// The addresses that they come from: the last quarter of all places is for addresses with few connections.
const LINES: usize = 8_000;
/// So many streams are the director's, who sees more than a stranger.
const SIGNED_IN: usize = 1_000;
const LIMITS: [(&str, &str); 4] = [
    ("OWLBOX_HTTP__CONNECTIONS", "20000"),
    ("OWLBOX_HTTP__CONNECTIONS_PER_ADDRESS", "20000"),
    ("OWLBOX_LIMITS__LIVE_STREAMS", "42000"),
    ("OWLBOX_LIMITS__LIVE_STREAMS_PER_ACCOUNT", "1000"),
];
const ACT: &[u8] = b"event: act";
const FAN_OUT: &str = "OWLBOX_BENCH_FAN_OUT";

fn entrants() -> usize {
    measured_or(16, 4_096)
}

fn watching() -> usize {
    make_room(measured_or(40, 20_000), OTHER_FILES)
}

fn acts() -> usize {
    measured_or(2, 40)
}

fn main() {
    if support::club::is_server() {
        return support::club::serve();
    }
    if let Ok(bytes) = std::env::var(FAN_OUT) {
        return fan_out(bytes.parse().expect("a number of bytes"));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("club.db").display());
    let club = Club::found(&url, 0);
    let tournament = drawn(&url);
    let file = folder.path().join("bracket");
    let environment = [(FILE, file.to_str().expect("a name in UTF-8"))];
    let server = Server::start(&url, &[LIMITS.as_slice(), &environment].concat());
    page(&server, tournament, &file);
    streams(&server, &club, tournament);
}

/// A public tournament with its draw made.
fn drawn(url: &str) -> TournamentId {
    let config = support::club::config(url);
    let store = Store::open(&config.database.url, &owlbox::cli::serve::options(&config)).expect("a store");
    let desk = owlbox::cli::serve::desk(&config, store).expect("a desk");
    let console = || Request::by(Actor::CONSOLE);
    let does = async |desk: &Desk, id: TournamentId, command: serde_json::Value| {
        let command = serde_json::from_value(command).expect("a command");
        desk.command::<Tournament>(console(), id, Order::Command(command)).await.expect("it is done");
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut entries = Vec::new();
        for number in 1..=entrants() {
            let details = PlayerDetails::named(format!("Player {number}").parse().expect("a name"));
            let player = desk.add_player(console(), details, false).await.expect("a player").0;
            entries.push(json!({ "player": player }));
        }
        let about = json!({"name": "Open", "date": "2026-04-18", "public": true});
        let about: About = serde_json::from_value(about).expect("a tournament");
        let id = desk.open::<Tournament>(console(), about.into()).await.expect("it is opened").id;
        let settings = json!({"format": {"consolation": {"of": "progressive"}}});
        does(&desk, id, json!({"command": "add_division", "settings": settings})).await;
        does(&desk, id, json!({"command": "enter", "entries": entries})).await;
        does(&desk, id, json!({"command": "draw"})).await;
        id
    })
}

/// The page of the bracket, as strangers ask for it, beside a file of as many bytes, and beside as many that
/// lie ready.
fn page(server: &Server, tournament: TournamentId, file: &Path) {
    println!("the bracket of {}", entrants());
    let path = format!("/tournaments/{tournament}/1");
    let asking = |headers: &[(&str, &str)]| request("GET", &path, headers, "");
    let first = Instant::now();
    let answer = server.answer(&asking(&[("Accept-Encoding", "gzip")]));
    println!("rendered and compressed, {} bytes: {:?}", answer.body.len(), first.elapsed());
    let ready = request("GET", &format!("/ready/{}", answer.body.len()), &[], "");
    std::fs::write(file, &answer.body).expect("a file");
    let file = run("a file", server, &request("GET", "/file", &[], ""));
    let ready = run("bytes that lie ready", server, &ready);
    let copy = run("the copy", server, &asking(&[("Accept-Encoding", "gzip")]));
    let unchanged =
        run("not modified", server, &asking(&[("Accept-Encoding", "gzip"), ("If-None-Match", &answer.etag)]));
    println!("copy / file: {:.2}  (gate 1)", copy.throughput() / file.throughput());
    println!("copy / ready: {:.2}", copy.throughput() / ready.throughput());
    println!("not modified / copy: {:.2}", unchanged.throughput() / copy.throughput());
}

fn run(name: &str, server: &Server, request: &[u8]) -> Measured {
    let [warm_up, counted] = measured_or([50, 300], [1_000, 5_000]).map(Duration::from_millis);
    let servers = [server.address(); 2];
    let plan = Plan { servers, refusals: &[], connections: measured_or(4, 64), warm_up, counted };
    let measured = drive(plan, |_| Round::new(vec![request.to_vec()]));
    println!("{name:>20}: {measured}");
    assert_eq!(measured.first_refusal, None, "{name}");
    measured
}

/// Results, and when every stream had them.
fn streams(server: &Server, club: &Club, tournament: TournamentId) {
    let path = format!("/api/v1/tournaments/{tournament}/events");
    let by_a_stranger = request("GET", &path, &[], "");
    let by_the_director = request("GET", &path, &[("Authorization", club.token())], "");
    let path = format!("/api/v1/tournaments/{tournament}/commands");
    let results: Vec<Vec<u8>> = (1..=acts())
        .map(|number| {
            let ended = json!({"ending": "played", "score": [7, 3]});
            let command = json!({"command": "result", "match": number, "ended": ended}).to_string();
            request("POST", &path, &[("Authorization", club.token())], &command)
        })
        .collect();
    let signed_in = SIGNED_IN.min(watching() / 2);
    let asks =
        |number: usize| if number < signed_in { by_the_director.clone() } else { by_a_stranger.clone() };
    let served = watch("streams", server.address(), asks, &results);
    println!("(gate 300 ms)   memory of the service: {} MiB", server.memory());

    let peer = FanOut::start(served.bytes);
    let bare = watch("bare sockets", peer.address, |_| Vec::new(), &vec![b"!".to_vec(); acts()]);
    println!(
        "\nthe last stream / the last socket: {:.1}",
        served.last.as_secs_f64() / bare.last.as_secs_f64()
    );
}

struct Watched {
    /// The bytes of an act.
    bytes: usize,
    /// The median of the times after which everybody had an act.
    last: Duration,
}

/// Opens the streams, has one act after the other done, and waits each time until everybody has it.
fn watch(name: &str, address: SocketAddr, asks: impl Fn(usize) -> Vec<u8>, acts: &[Vec<u8>]) -> Watched {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (hears, mut heard) = mpsc::unbounded_channel();
        let began = Instant::now();
        for number in 0..watching() {
            let line = u32::try_from(number % LINES).expect("a small number");
            let from = Ipv4Addr::from_bits(Ipv4Addr::new(127, 1, 0, 1).to_bits() + line);
            let stream = open(address, from, &asks(number)).await;
            tokio::spawn(listen(stream, hears.clone()));
        }
        println!("\n{} {name}, opened in {:.1?}", watching(), began.elapsed());
        let teller = tokio::net::TcpStream::connect(address).await.expect("a connection");
        let (mut answers, mut teller) = teller.into_split();
        tokio::spawn(
            async move { while answers.read(&mut [0; 4_096]).await.is_ok_and(|bytes| bytes > 0) {} },
        );
        let (mut all, mut last, mut bytes) = (Vec::new(), Vec::new(), 0);
        for act in acts {
            let posted = Instant::now();
            teller.write_all(act).await.expect("sent");
            let mut times = Vec::with_capacity(watching());
            while times.len() < watching() {
                let (at, length): (Instant, usize) = heard.recv().await.expect("streams that go on");
                times.push(at.duration_since(posted));
                bytes = length;
            }
            last.extend(times.iter().max().copied());
            all.append(&mut times);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        all.sort_unstable();
        last.sort_unstable();
        let (median, p99) = (all[all.len() / 2], all[all.len() - 1 - all.len() / 100]);
        println!("an act of {bytes} bytes: median {median:.1?}, p99 {p99:.1?}");
        println!(
            "the last to have it: median {:.1?}, most {:.1?}",
            last[last.len() / 2],
            last[last.len() - 1]
        );
        Watched { bytes, last: last[last.len() / 2] }
    })
}

/// A stream that has greeted.
async fn open(address: SocketAddr, from: Ipv4Addr, asking: &[u8]) -> tokio::net::TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind((from, 0).into()).expect("an address of this machine");
    let mut stream = socket.connect(address).await.expect("the server answers");
    stream.write_all(asking).await.expect("sent");
    let mut greeting = Vec::new();
    while !contains(&greeting, b"retry: ") {
        let read = stream.read_buf(&mut greeting).await.expect("a greeting");
        assert!(read > 0, "no stream: {}", String::from_utf8_lossy(&greeting));
    }
    stream
}

/// Tells when a whole act has been read, and how long it was.
async fn listen(mut stream: tokio::net::TcpStream, hears: mpsc::UnboundedSender<(Instant, usize)>) {
    let mut read = Vec::with_capacity(2_048);
    while stream.read_buf(&mut read).await.is_ok_and(|bytes| bytes > 0) {
        let begins = read.windows(ACT.len()).position(|part| part == ACT);
        if begins.is_some_and(|begins| contains(&read[begins..], b"\n\n")) {
            if hears.send((Instant::now(), read.len())).is_err() {
                return;
            }
            read.clear();
        } else if begins.is_none() && contains(&read, b"\n\n") {
            // A sign of life.
            read.clear();
        }
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// The peer: a process that writes as many bytes to as many sockets, one after the other, and does nothing
/// else.
struct FanOut {
    child: Child,
    address: SocketAddr,
}

impl FanOut {
    fn start(bytes: usize) -> Self {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(std::env::args_os().skip(1))
            .env(FAN_OUT, bytes.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the peer starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        Self { child, address: line.trim().parse().expect("its address") }
    }
}

impl Drop for FanOut {
    fn drop(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }
}

fn fan_out(bytes: usize) {
    let watching = watching();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    println!("{}", listener.local_addr().expect("an address"));
    let accept = || -> TcpStream {
        let stream = listener.accept().expect("a connection").0;
        stream.set_nodelay(true).expect("no delay");
        stream
    };
    let greeted = |mut stream: TcpStream| {
        stream.write_all(b"retry: 1\n\n").expect("written");
        stream
    };
    let mut streams: Vec<TcpStream> = (0..watching).map(|_| greeted(accept())).collect();
    let mut act = ACT.to_vec();
    act.resize(bytes.max(ACT.len() + 2) - 2, b'.');
    act.extend(b"\n\n");
    let mut teller = accept();
    while teller.read_exact(&mut [0]).is_ok() {
        for stream in &mut streams {
            stream.write_all(&act).expect("written");
        }
    }
}
