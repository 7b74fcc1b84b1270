//! Attacks on a real server, which must stay within bounds of time and memory and keep serving the club.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};
use crate::support::server::Server;

/// A connection to the server from one of this machine's loopback addresses. 127.0.0.1, 127.0.0.2 and so on
/// count as different clients.
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

/// Sends a request and returns everything received until the connection ends.
fn ask(mut stream: TcpStream, request: &str) -> String {
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // A client that was turned away may find the connection closed while it is still sending.
    drop(stream.read_to_end(&mut answer));
    String::from_utf8_lossy(&answer).into_owned()
}

const ALIVE: &str = "GET /healthz HTTP/1.1\r\nHost: club\r\nConnection: close\r\n\r\n";

/// The server's peak memory in bytes.
fn peak_memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// Whether the server ends a connection within `time`, whatever it sends before.
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
    // The kernel counts in coarse steps, so the peak can be reported lower than before.
    let more = peak_memory(&house.server).saturating_sub(before);
    assert!(more < 64 << 20, "{more} bytes more");
    let plain = public.request("POST", "/api/v1/sign-in").header("Content-Encoding", "identity");
    plain.json(&json!({"login": "x", "password": "y"})).send().refused(401, "wrong_login_or_password");
}

#[test]
fn whoever_still_sends_what_was_refused_long_ago_learns_why() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let mut stream = from(CLUB, &house.server);
    let head = "POST /api/v1/sign-in HTTP/1.1\r\nHost: club\r\nContent-Encoding: gzip\r\nContent-Length: 400000\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    for piece in [vec![0; 100_000], vec![0; 300_000]] {
        stream.write_all(&piece).unwrap();
        // As a phone does when it changes cells.
        std::thread::sleep(Duration::from_secs(2));
    }
    let answer = ask(stream, "");
    assert!(answer.contains("\"packed_body\""), "{answer}");
}

#[test]
fn a_thousand_bodies_that_never_come_shut_nobody_out_and_are_not_waited_for() {
    let settings = [
        ("HTTP__CONNECTIONS", "700"),
        ("HTTP__CONNECTIONS_PER_ADDRESS", "400"),
        // Longer than it takes to make six hundred connections.
        ("HTTP__BODY_TIMEOUT_SECONDS", "4"),
    ];
    let Some(house) = House::open_with(Db::Sqlite, &settings) else { return };
    let head = "POST /api/v1/sign-in HTTP/1.1\r\nHost: club\r\nContent-Type: application/json\r\n\
                Content-Length: 1000\r\n\r\n{";
    let began = Instant::now();
    let mut held: Vec<TcpStream> = (0..600)
        .map(|_| {
            let mut stream = from(ATTACKER, &house.server);
            // A client that was turned away at once may find the connection closed.
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
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert!(
        ask(from(ATTACKER, &house.server), ALIVE).starts_with("HTTP/1.1 200"),
        "the places are free again"
    );
    assert!(!house.server.logged().contains("ERROR"));
}

#[test]
fn a_body_that_trickles_in_below_the_least_rate_is_refused_and_a_slow_one_is_not() {
    let settings = [("HTTP__BODY_TIMEOUT_SECONDS", "2")];
    let Some(house) = House::open_with(Db::Sqlite, &settings) else { return };
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
        // A little over four seconds at one and a half KiB a second.
        let slow = scope.spawn(|| send(7 << 10, 1 << 10, 600));
        let trickle = scope.spawn(|| send(4 << 10, 20, 100));
        assert!(slow.join().unwrap().starts_with("HTTP/1.1 401"));
        let trickled = trickle.join().unwrap();
        assert!(trickled.is_empty() || trickled.contains("\"body_too_slow\""), "{trickled}");
    });
}

/// The shortest waits that can be configured.
const IMPATIENT: [(&str, &str); 4] = [
    ("HTTP__HEAD_TIMEOUT_SECONDS", "1"),
    ("HTTP__BODY_TIMEOUT_SECONDS", "1"),
    ("HTTP__ANSWER_TIMEOUT_SECONDS", "2"),
    ("HTTP__HEARTBEAT_SECONDS", "1"),
];

/// Cases that the server library's own timers do not notice.
#[test]
fn no_connection_is_held_by_a_second_head_an_unread_body_or_an_answer_nobody_takes() {
    let Some(house) = House::open_with(Db::Sqlite, &IMPATIENT) else { return };
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
    // Far more than the operating system buffers on the way.
    let mut deaf = from(ATTACKER, &house.server);
    deaf.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    let book = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: club\r\n\r\n";
    drop(deaf.write_all(book.repeat(2000).as_bytes()));
    for (what, stream) in &mut held {
        assert!(ends_within(stream, Duration::from_secs(15)), "{what}");
    }
    assert!(began.elapsed() < Duration::from_secs(15));
    let until = began + Duration::from_secs(30);
    while figure(&house, "owlbox_connections") > 1.0 {
        assert!(Instant::now() < until, "an answer that nobody takes is waited for");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(peak_memory(&house.server) < 300 << 20);
    drop(deaf.shutdown(Shutdown::Both));
}

/// The value of one metric of `/metrics`.
fn figure(house: &House, name: &str) -> f64 {
    let text = house.server.public().get("/metrics").good().text().to_owned();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name} in\n{text}")).parse().unwrap()
}

/// While a live stream is sent, the server does not wait for a body that no handler reads. Once the stream
/// has ended, that body no longer holds the connection.
#[test]
fn a_live_stream_lasts_whatever_body_came_with_its_request() {
    let Some(house) = House::open_with(Db::Sqlite, &IMPATIENT) else { return };
    let table = house.table(&["A", "B", "C"]);
    let listener = house.sign_in(ADMIN.0, ADMIN.1);
    let token = listener.post("/api/v1/tokens", &json!({"name": "score board"})).good().body;
    let (path, secret) = (table.path("/events"), token["token"].as_str().unwrap());
    let bodies = [
        "Content-Length: 2\r\n\r\n{}",
        "Content-Length: 2\r\n\r\n{",
        "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    ];
    let mut streams = bodies.map(|body| {
        let mut stream = from(CLUB, &house.server);
        let head = format!("GET {path} HTTP/1.1\r\nHost: club\r\nAuthorization: Bearer {secret}\r\n");
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        stream
    });
    // Longer than the handlers and the connection wait for a body.
    std::thread::sleep(Duration::from_secs(5));
    table.play(&[json!({"command": "start_game"})]);
    for (body, stream) in bodies.iter().zip(&mut streams) {
        let mut came = String::new();
        let mut some = [0; 4096];
        while !came.contains("game_started") {
            let read = stream.read(&mut some).unwrap();
            assert!(read > 0, "{body} ended: {came}");
            came.push_str(&String::from_utf8_lossy(&some[..read]));
        }
    }
    listener.delete(&format!("/api/v1/tokens/{}", token["id"].as_str().unwrap()));
    for (body, stream) in bodies.iter().zip(&mut streams) {
        assert!(ends_within(stream, Duration::from_secs(15)), "{body}");
    }
}

/// The server library's timer for idle connections ignores whether an answer is still being read.
#[test]
fn an_answer_that_is_taken_late_is_whole() {
    // Longer than a busy machine starves the server, and shorter than the limit for an answer nobody reads.
    let settings = [("HTTP__HEAD_TIMEOUT_SECONDS", "4"), ("HTTP__ANSWER_TIMEOUT_SECONDS", "30")];
    let Some(house) = House::open_with(Db::Sqlite, &settings) else { return };
    let mut late = from(CLUB, &house.server);
    let asked = 8000;
    // Answers without bodies: the server library counts them as sent as soon as they are in its own buffer.
    late.write_all(
        "GET /assets/owlbox.css HTTP/1.1\r\nHost: club\r\nIf-None-Match: *\r\n\r\n".repeat(asked).as_bytes(),
    )
    .unwrap();
    std::thread::sleep(Duration::from_secs(8));
    let mut came = Vec::new();
    let mut some = [0; 65_536];
    let heads = |came: &[u8]| came.windows(9).filter(|part| part == b"HTTP/1.1 ").count();
    while let Ok(read @ 1..) = late.read(&mut some) {
        came.extend_from_slice(&some[..read]);
    }
    assert_eq!(heads(&came), asked, "{} bytes came", came.len());
}

/// All phones share one address, and each has a live stream and five connections for pages. With the built-in
/// limits that is no attack, and streams do not delay other requests.
#[rstest]
fn eighty_phones_of_one_club_are_no_attack(#[values(Db::Sqlite)] db: Db) {
    let waits = [
        // Longer than it takes to make four hundred connections.
        ("HTTP__HEAD_TIMEOUT_SECONDS", "5"),
        ("HTTP__BODY_TIMEOUT_SECONDS", "1"),
        ("HTTP__ANSWER_TIMEOUT_SECONDS", "2"),
    ];
    let Some(house) = House::open_with(db, &waits) else { return };
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
    // Longer than the limits for a head, a body and an answer.
    std::thread::sleep(Duration::from_secs(6));
    table.play(&[json!({"command": "start_game"})]);
    for phone in &mut phones {
        assert_eq!(phone.next_event().json()["events"][0]["event"], "game_started");
    }
}

/// A proxy in front of the server is one address for all clients.
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

/// A session refreshed in a loop keeps few rows: its live token's and those of the newest tokens before it.
/// Older tokens are recognised without a row, and using one ends the session.
#[rstest]
fn a_loop_of_refreshes_leaves_no_rows_and_an_old_token_still_ends_its_session(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let public = house.server.public();
    let sign_in = json!({"login": ADMIN.0, "password": ADMIN.1});
    let refresh = |token: &Value| public.post("/api/v1/refresh", &json!({"refresh_token": token}));
    let first = public.post("/api/v1/sign-in", &sign_in).good().body["refresh_token"].clone();
    let mut live = first.clone();
    for _ in 0..100 {
        live = refresh(&live).good().body["refresh_token"].clone();
    }
    if db == Db::Sqlite {
        assert!(house.database.count("refresh_token") <= 5, "the live one, and the newest before it");
    }
    refresh(&first).refused(401, "invalid_token");
    refresh(&live).refused(401, "invalid_token");
}

#[test]
fn a_loop_of_sign_ins_leaves_a_hundred_sessions() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let sign_in = json!({"login": ADMIN.0, "password": ADMIN.1});
    for _ in 0..110 {
        house.server.public().post("/api/v1/sign-in", &sign_in).good();
    }
    assert_eq!((house.database.count("session"), house.database.count("refresh_token")), (100, 100));
}

#[rstest]
fn a_loop_of_api_tokens_made_and_revoked_leaves_fifty_of_them(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let mut kept = admin.post("/api/v1/tokens", &json!({"name": "score board"})).good().body;
    for _ in 0..60 {
        let made = admin.post("/api/v1/tokens", &json!({"name": "loop"})).good().body;
        let path = format!("/api/v1/tokens/{}", made["id"].as_str().unwrap());
        assert_eq!(admin.delete(&path).status, 204);
        let revoked = house.server.public().bearer(made["token"].as_str().unwrap());
        revoked.get("/api/v1/me").refused(401, "invalid_token");
    }
    if db == Db::Sqlite {
        assert!(house.database.count("api_token") <= 52, "the live one, fifty and the last");
    }
    let script = house.server.public().bearer(kept["token"].take().as_str().unwrap());
    script.get("/api/v1/me").good();
}

/// Every field that takes a day or a time, at both ends of the calendar and beyond.
#[rstest]
fn no_date_that_no_club_can_mean_gets_in(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let admin = house.admin();
    let days = ["+262142-12-31", "-262143-01-01", "+10000-01-01", "9999-12-31", "2201-01-01", "1899-12-31"];
    let days = days.into_iter().chain(["-4714-01-01", "0000-01-01"]);
    for day in days {
        let (in_query, time) = (day.replace('+', "%2B"), format!("{day}T00:00:00Z"));
        for who in [&admin, &house.server.public()] {
            let page = who.get(&format!("/nights/{day}/settle-up"));
            assert!((300..500).contains(&page.status), "{page}");
        }
        admin.get(&format!("/api/v1/nights/{day}/settle-up")).refused(404, "not_found");
        admin.post(&format!("/api/v1/nights/{day}/settle-up"), &json!({})).refused(404, "not_found");
        admin.get(&format!("/api/v1/chouettes?night={in_query}")).refused(400, "invalid_query");
        let about = |field: &str, value: &str| {
            let mut about = json!({"name": "Owl", "date": "2026-11-21"});
            about[field] = value.into();
            admin.post("/api/v1/tournaments", &about)
        };
        let refused = about("date", day).refused(422, "outside_calendar");
        assert_eq!(refused.body["field"], "date");
        // At the very ends no such time exists.
        let refused = |answer: &Answer| answer.status == 400 || answer.body["code"] == "outside_calendar";
        for field in ["entries_open", "entries_close"] {
            let answer = about(field, &time);
            assert!(refused(&answer), "{field} {time}: {answer}");
        }
        let answer = admin.post("/api/v1/tokens", &json!({"name": "Script", "expires_at": time}));
        assert!(refused(&answer), "{time}: {answer}");
    }
    for day in ["1900-01-01", "2200-12-31"] {
        admin.get(&format!("/api/v1/nights/{day}/settle-up")).good();
        admin.get(&format!("/api/v1/chouettes?night={day}")).good();
        admin.post("/api/v1/tournaments", &json!({"name": "Owl", "date": day})).good();
    }
    assert!(!house.server.logged().contains("panicked"), "{}", house.server.logged());
}

/// Values that earlier versions accepted are still displayed.
#[test]
fn a_token_that_ends_in_the_year_10000_costs_its_owner_no_page() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    admin.post("/api/v1/tokens", &json!({"name": "Script", "expires_at": "2100-01-01T00:00:00Z"})).good();
    house.database.execute("UPDATE api_token SET expires_at = '+10000-01-01T00:00:00.000000Z'");
    // Requested with curl, because such a date violates RFC 3339 and so the document that our client checks.
    let asked = std::process::Command::new("curl")
        .args(["-s", "-o", "/dev/null", "-w", "%{http_code}", "-H"])
        .arg(format!("Authorization: Bearer {}", house.access_token(ADMIN.0, ADMIN.1)))
        .arg(format!("{}/api/v1/tokens", house.server.url()))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&asked.stdout), "200");
}

/// A client that needs the locked row is told to try again, and everybody else plays on.
#[test]
fn a_row_that_somebody_holds_stops_nobody_else() {
    use diesel::connection::SimpleConnection as _;
    let Some(house) = House::open(Db::Postgres) else { return };
    let held = house.table(&["A", "B", "C"]);
    let free = house.table_with(&[], &json!({"name": "Other"}));
    let mut holder = crate::support::databases::connected(&house.database.url);
    holder
        .batch_execute(&format!("BEGIN; SELECT 1 FROM stream WHERE id = '{}' FOR UPDATE", held.id))
        .unwrap();
    let began = Instant::now();
    std::thread::scope(|scope| {
        let waiting: Vec<_> = (0..24)
            .map(|_| scope.spawn(|| held.command(&json!({"command": "start_game"})).refused(503, "busy")))
            .collect();
        std::thread::sleep(Duration::from_millis(300));
        for _ in 0..10 {
            let asked = Instant::now();
            free.client.get(&free.path("")).good();
            assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
        }
        waiting.into_iter().for_each(|one| drop(one.join().unwrap()));
    });
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    free.client.post("/api/v1/players", &json!({"name": "Dora"})).good();
    holder.batch_execute("ROLLBACK").unwrap();
    held.play(&[json!({"command": "start_game"})]);
}

#[rstest]
fn readiness_is_that_something_can_be_written_and_comes_back_by_itself(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(house) = House::open(db) else { return };
    let public = house.server.public();
    let becomes = |status: u16| {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let asked = Instant::now();
            let answer = public.get("/readyz");
            assert!(asked.elapsed() < Duration::from_secs(6), "{:?}", asked.elapsed());
            if answer.status == status {
                return;
            }
            assert!(Instant::now() < until, "{answer}");
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    becomes(200);
    let holder = house.database.hold();
    becomes(503);
    assert_eq!(public.get("/healthz").status, 200);
    assert_eq!(public.get("/sign-in").status, 200, "what is there can be read");
    drop(holder);
    becomes(200);
}

#[test]
fn what_is_not_http_is_a_line_of_the_log_with_an_address_and_no_error() {
    let Some(house) = House::open_with(Db::Sqlite, &[("LOG__FORMAT", "json")]) else { return };
    for nonsense in ["\u{16}\u{3}\u{1}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
        drop(ask(from(ATTACKER, &house.server), nonsense));
    }
    let until = Instant::now() + Duration::from_secs(10);
    let lines = loop {
        let logged = house.server.logged();
        let lines: Vec<Value> = logged.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let said = |line: &Value| line["message"] == "the client does not send HTTP";
        if lines.iter().filter(|line| said(line)).count() >= 3 {
            break lines.into_iter().filter(said).collect::<Vec<_>>();
        }
        assert!(Instant::now() < until, "{logged}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(lines.iter().all(|line| line["http.client_ip"] == "127.0.0.2" && line["level"] == "INFO"));
    assert!(!house.server.logged().contains("\"ERROR\""), "{}", house.server.logged());
}

/// Like a copy on a read-only disk: the folder is closed to the user of the program.
#[test]
fn verify_and_backup_read_where_nothing_can_be_written() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    let Some(mut house) = House::open(Db::Sqlite) else { return };
    house.table(&["A", "B", "C"]).play(&[json!({"command": "start_game"})]);
    assert!(house.server.stop().success());
    let folder = tempfile::Builder::new().prefix("owlbox-test.").tempdir().unwrap();
    let (medium, out) = (folder.path().join("medium"), folder.path().join("out"));
    let allow = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    allow(folder.path(), 0o755);
    [&medium, &out].iter().for_each(|path| std::fs::create_dir(path).unwrap());
    let copy = medium.join("club.db");
    std::fs::copy(house.database.url.trim_start_matches("sqlite://"), &copy).unwrap();
    let program = folder.path().join("owlbox");
    std::fs::copy(env!("CARGO_BIN_EXE_owlbox"), &program).unwrap();
    [(&copy, 0o444), (&program, 0o755), (&medium, 0o555), (&out, 0o777)]
        .iter()
        .for_each(|(path, mode)| allow(path, *mode));
    let is_root =
        std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(&program);
        command.current_dir(&out).args(arguments);
        command.env("OWLBOX_DATABASE__URL", format!("sqlite://{}", copy.display()));
        if is_root {
            // Root could write everywhere.
            command.uid(65_534).gid(65_534);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["verify"]);
    run(&["backup", "copy.db"]);
    assert!(out.join("copy.db").exists());
    let left: Vec<_> = std::fs::read_dir(&medium).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    allow(&medium, 0o755);
}
