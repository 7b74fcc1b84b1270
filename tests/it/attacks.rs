//! Who can stop the club: a real server under the attack, bounded in time and memory.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::json;

use crate::support::databases::Db;
use crate::support::house::House;
use crate::support::server::Server;

/// A connection to the server from one of this machine's own addresses: 127.0.0.1, 127.0.0.2 and so on are as
/// different as two houses.
fn from(address: Ipv4Addr, server: &Server) -> TcpStream {
    let to: SocketAddr = server.address().parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let connected = runtime.block_on(async move {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::new(IpAddr::V4(address), 0)).unwrap();
        socket.connect(to).await.unwrap().into_std().unwrap()
    });
    connected.set_nonblocking(false).unwrap();
    connected.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    connected
}

const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const CLUB: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);

/// Asks, and answers all that comes until the connection ends.
fn ask(mut stream: TcpStream, request: &str) -> String {
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // One that was turned away may be cut off while it still speaks.
    drop(stream.read_to_end(&mut answer));
    String::from_utf8_lossy(&answer).into_owned()
}

const ALIVE: &str = "GET /healthz HTTP/1.1\r\nHost: club\r\nConnection: close\r\n\r\n";

/// How much memory the server has used at most, in bytes.
fn peak_memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// Whether the server ends a connection within `time`, whatever it says before.
fn ends_within(stream: &mut TcpStream, time: Duration) -> bool {
    let until = Instant::now() + time;
    let mut some = [0; 4096];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        stream.set_read_timeout(Some(left)).unwrap();
        match stream.read(&mut some) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
}

#[test]
fn a_gzip_bomb_is_refused_before_it_goes_off() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![b' '; 1 << 20];
    (0..400).for_each(|_| bomb.write_all(&zeros).unwrap());
    let bomb = bomb.finish().unwrap();
    assert!(bomb.len() < 500_000, "{}", bomb.len());
    let before = peak_memory(&house.server);
    let public = house.server.public();
    let throw = |path: &str, kind: &str, coding: &str| {
        let request = public.request("POST", path).header("Content-Encoding", coding);
        request.raw(kind, bomb.clone()).send().refused(415, "packed_body");
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| throw("/api/v1/sign-in", "application/json", "gzip"));
        }
    });
    for coding in ["gzip", "deflate", "br", "zstd", "x-gzip", "identity, gzip"] {
        throw("/sign-in", "application/x-www-form-urlencoded", coding);
    }
    let more = peak_memory(&house.server) - before;
    assert!(more < 64 << 20, "{more} bytes more");
    let plain = public.request("POST", "/api/v1/sign-in").header("Content-Encoding", "identity");
    plain.json(&json!({"login": "x", "password": "y"})).send().refused(401, "wrong_login_or_password");
}

#[test]
fn a_thousand_bodies_that_never_come_shut_nobody_out_and_are_not_waited_for() {
    let settings = [("HTTP__CONNECTIONS", "700"), ("HTTP__CONNECTIONS_PER_ADDRESS", "400")];
    let Some(house) = House::open_with(Db::Sqlite, &settings) else { return };
    let head = "POST /api/v1/sign-in HTTP/1.1\r\nHost: club\r\nContent-Type: application/json\r\n\
                Content-Length: 1000\r\n\r\n{";
    let began = Instant::now();
    let mut held: Vec<TcpStream> = (0..600)
        .map(|_| {
            let mut stream = from(ATTACKER, &house.server);
            // One that was turned away at once may be gone.
            drop(stream.write_all(head.as_bytes()));
            stream
        })
        .collect();
    assert!(ask(from(CLUB, &house.server), ALIVE).starts_with("HTTP/1.1 200"), "the club gets in");
    let answers: Vec<String> = held
        .iter_mut()
        .map(|stream| {
            let mut answer = Vec::new();
            drop(stream.read_to_end(&mut answer));
            String::from_utf8_lossy(&answer).into_owned()
        })
        .collect();
    let took = began.elapsed();
    let told = |what: &str| answers.iter().filter(|answer| answer.contains(what)).count();
    assert_eq!(told("\"body_too_slow\""), 400);
    assert!(answers.iter().filter(|answer| answer.contains(" 408 ")).count() == 400);
    assert!(answers.iter().all(|answer| answer.is_empty() || answer.starts_with("HTTP/1.1 ")));
    assert!(took < Duration::from_secs(40), "{took:?}");
    assert!(
        ask(from(ATTACKER, &house.server), ALIVE).starts_with("HTTP/1.1 200"),
        "the places are free again"
    );
    assert!(!house.server.logged().contains("ERROR"));
}

#[test]
fn a_body_that_trickles_in_below_the_least_rate_is_refused_and_a_slow_one_is_not() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let body = json!({"login": "x", "password": "y".repeat(40)}).to_string();
    let send = |padding: usize, piece: usize, pause: u64| {
        let mut stream = from(CLUB, &house.server);
        let text = format!("{body}{}", " ".repeat(padding));
        let head = format!(
            "POST /api/v1/sign-in HTTP/1.1\r\nHost: club\r\nContent-Type: application/json\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n",
            text.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        for piece in text.as_bytes().chunks(piece) {
            if stream.write_all(piece).is_err() {
                break;
            }
            std::thread::sleep(Duration::from_millis(pause));
        }
        ask(stream, "")
    };
    std::thread::scope(|scope| {
        // Twelve seconds, at four KiB a second.
        let slow = scope.spawn(|| send(48 << 10, 2 << 10, 500));
        let trickle = scope.spawn(|| send(4 << 10, 20, 100));
        assert!(slow.join().unwrap().starts_with("HTTP/1.1 401"));
        let trickled = trickle.join().unwrap();
        assert!(trickled.is_empty() || trickled.contains("\"body_too_slow\""), "{trickled}");
    });
}

/// What the server's own timers do not see.
#[test]
fn no_connection_is_held_by_a_second_head_an_unread_body_or_an_answer_nobody_takes() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let open = |text: &str| {
        let mut stream = from(ATTACKER, &house.server);
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    let first = "GET /healthz HTTP/1.1\r\nHost: club\r\n\r\n";
    let mut held = vec![
        ("nothing at all", open("")),
        ("half a head", open("GET /heal")),
        ("nothing after an answer", open(first)),
        ("half a second head", open(&format!("{first}GET /heal"))),
        ("a body nobody reads", open("GET /healthz HTTP/1.1\r\nHost: club\r\nContent-Length: 9\r\n\r\n{")),
        (
            "an endless body nobody reads",
            open("GET /healthz HTTP/1.1\r\nHost: club\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"),
        ),
    ];
    let began = Instant::now();
    // Far more than the system keeps on the way.
    let mut deaf = from(ATTACKER, &house.server);
    deaf.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    let book = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: club\r\n\r\n";
    drop(deaf.write_all(book.repeat(2000).as_bytes()));
    for (what, stream) in &mut held {
        assert!(ends_within(stream, Duration::from_secs(30)), "{what}");
    }
    assert!(began.elapsed() < Duration::from_secs(30));
    let until = began + Duration::from_secs(60);
    while figure(&house, "owlbox_connections") > 1.0 {
        assert!(Instant::now() < until, "an answer that nobody takes is waited for");
        std::thread::sleep(Duration::from_millis(500));
    }
    assert!(peak_memory(&house.server) < 300 << 20);
    drop(deaf.shutdown(Shutdown::Both));
}

/// A figure of `/metrics`.
fn figure(house: &House, name: &str) -> f64 {
    let text = house.server.public().get("/metrics").good().text().to_owned();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name} in\n{text}")).parse().unwrap()
}

/// Behind one address, each with a live stream and five connections for pages, by the built-in limits; and a
/// stream is nobody's turn but ours.
#[rstest]
fn eighty_phones_of_one_club_are_no_attack(#[values(Db::Sqlite)] db: Db) {
    let Some(house) = House::open(db) else { return };
    let table = house.table(&["A", "B", "C"]);
    let settings = json!({"name": "Milano", "time_zone": "UTC", "currencies": ["EUR"],
        "public": {"tables": true, "standings": false}});
    table.client.put("/api/v1/settings", &settings).good();
    let public = house.server.public();
    let mut phones: Vec<_> = (0..80).map(|_| public.events(&table.path("/events"), None)).collect();
    assert!(phones.iter().all(|phone| phone.status == 200));
    let first = "GET /healthz HTTP/1.1\r\nHost: club\r\n\r\n";
    let mut pages: Vec<TcpStream> = (0..400).map(|_| from(Ipv4Addr::LOCALHOST, &house.server)).collect();
    for page in &mut pages {
        page.write_all(first.as_bytes()).unwrap();
        let mut answer = [0; 12];
        page.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
    }
    // Longer than a head, a body or an answer that is waited for may take.
    std::thread::sleep(Duration::from_secs(32));
    table.play(&[json!({"command": "start_game"})]);
    for phone in &mut phones {
        assert_eq!(phone.next_event().json()["events"][0]["event"], "game_started");
    }
}

/// A proxy in front is one address, and everybody's.
#[test]
fn a_trusted_proxy_is_not_limited_as_one_client() {
    let settings = [("HTTP__CONNECTIONS_PER_ADDRESS", "8"), ("HTTP__TRUSTED_PROXIES", "127.0.0.3")];
    let Some(house) = House::open_with(Db::Sqlite, &settings) else { return };
    let hold = |address| -> Vec<TcpStream> { (0..12).map(|_| from(address, &house.server)).collect() };
    let _proxied = hold(CLUB);
    let _direct = hold(ATTACKER);
    assert!(ask(from(CLUB, &house.server), ALIVE).starts_with("HTTP/1.1 200"));
    let turned_away = ask(from(ATTACKER, &house.server), "");
    assert!(turned_away.starts_with("HTTP/1.1 503") && turned_away.contains("\"busy\""), "{turned_away}");
}
