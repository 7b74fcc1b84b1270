//! What clubs and addresses share - clubs that may be open, the threads that hash passwords, connections -
//! has a share for each: strangers and guessers shut nobody out. Attacks at full size: `OWLBOX_FULL_SIZE=1`.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::json;

use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::federation::{Federation, OfMany};
use crate::support::full_size;
use crate::support::house::{ADMIN, House};
use crate::support::server::Server;

/// The tests speak for many addresses, as a proxy does.
const BEHIND_A_PROXY: (&str, &str) = ("HTTP__TRUSTED_PROXIES", "127.0.0.1");
/// That of everybody whom [`House::with_roles`] makes.
const PASSWORD: &str = "quattro oche sul lago";
const WRONG: &str = "cinque oche sul lago";

fn sign_in(public: &Client, address: &str, login: &str, password: &str) -> Answer {
    let request = public.request("POST", "/api/v1/sign-in").header("X-Forwarded-For", address);
    request.json(&json!({ "login": login, "password": password })).send()
}

/// The head of a sign-in whose body does not come.
fn half_sent(server: &Server, host: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let head = format!(
        "POST /sign-in HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: 1000\r\n\r\nlogin="
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// A table that everybody may see: its live stream.
fn public_table(club: &OfMany) -> String {
    let settings = json!({"name": "Open Club", "time_zone": "Europe/Rome", "currencies": ["EUR"],
        "public": {"tables": true, "standings": false}});
    club.admin.put("/api/v1/settings", &settings).good();
    let table = club.admin.post("/api/v1/chouettes", &json!({"name": "Friday"})).good().body;
    format!("/api/v1/chouettes/{}/events", table["chouette"]["id"].as_str().unwrap())
}

#[rstest]
fn s5_sign_ins_that_never_arrive_keep_no_club_open(#[values(Db::one(), Db::other())] db: Db) {
    let many = if full_size() { 8 } else { 2 };
    let awake = many.to_string();
    let Some(federation) = Federation::open(db, &[("CLUBS__AWAKE", &awake)]) else { return };
    let clubs: Vec<_> = (0..many + 2).map(|n| federation.club(&format!("c{n}"))).collect();
    let _held: Vec<_> =
        clubs.iter().take(many).map(|club| half_sent(&federation.server, &club.host)).collect();
    // What was sent has arrived.
    std::thread::sleep(Duration::from_millis(200));
    for club in &clubs {
        let began = Instant::now();
        club.admin.get("/api/v1/players").good();
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    }
}

#[rstest]
fn s5_strangers_who_listen_make_room_for_members_and_members_do_not(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let Some(federation) = Federation::open(db, &[("CLUBS__AWAKE", "2")]) else { return };
    let clubs = ["a", "b", "c"].map(|name| federation.club(name));
    let [a, b, c] = &clubs;
    let [of_a, of_b] = [a, b].map(public_table);
    let mut member = a.admin.events(&of_a, None);
    let mut stranger = b.public.events(&of_b, None);
    assert_eq!((member.status, stranger.status), (200, 200));
    c.admin.get("/api/v1/players").good();
    assert!(
        stranger.ended_within(Duration::from_secs(5)),
        "the stranger's stream ends for the members of another club"
    );
    // Only c, which no member uses at the moment, can make room.
    let mut stranger = b.public.events(&of_b, None);
    assert_eq!(stranger.status, 200);
    a.player("Mario");
    assert!(!member.ended_within(Duration::from_secs(1)), "a member's goes on");
    assert!(!stranger.ended_within(Duration::from_millis(100)));
}

/// More clubs than may be open are opened at once; those being opened count.
#[test]
fn s5_clubs_that_are_being_opened_count_as_open() {
    let Some(federation) = Federation::open(Db::Sqlite, &[("CLUBS__AWAKE", "2")]) else { return };
    let clubs: Vec<_> = (0..6).map(|n| federation.club(&format!("c{n}"))).collect();
    let server = federation.server.id();
    let open = || {
        let files = std::fs::read_dir(format!("/proc/{server}/fd")).unwrap().flatten();
        let of_clubs = files.filter_map(|file| std::fs::read_link(file.path()).ok());
        of_clubs.filter(|file| file.extension().is_some_and(|end| end == "lock")).count()
    };
    let is_over = AtomicBool::new(false);
    let most = std::thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let mut most = 0;
            while !is_over.load(Ordering::Relaxed) {
                most = most.max(open());
            }
            most
        });
        let asking: Vec<_> = clubs
            .iter()
            .map(|club| {
                scope.spawn(move || {
                    for _ in 0..5 {
                        let answer = club.admin.get("/api/v1/players");
                        assert!([200, 503].contains(&answer.status), "{}", answer.status);
                    }
                })
            })
            .collect();
        asking.into_iter().for_each(|asking| asking.join().unwrap());
        is_over.store(true, Ordering::Relaxed);
        watching.join().unwrap()
    });
    assert!((1..=2).contains(&most), "{most} were open");
}

#[rstest]
fn s6_one_address_that_guesses_at_many_clubs_keeps_nobody_else_from_signing_in(
    #[values(Db::one(), Db::other())] db: Db,
) {
    let (guessers, seconds, queue) = if full_size() { (80, 20, "64") } else { (24, 4, "8") };
    let settings = [BEHIND_A_PROXY, ("AUTH__PASSWORD_QUEUE", queue)];
    let Some(federation) = Federation::open(db, &settings) else { return };
    let clubs: Vec<_> = (0..5).map(|n| federation.club(&format!("c{n}"))).collect();
    let (members, guessed) = clubs.split_first().unwrap();
    let until = Instant::now() + Duration::from_secs(seconds);
    std::thread::scope(|scope| {
        for guesser in 0..guessers {
            scope.spawn(move || {
                let club = &guessed[guesser % guessed.len()];
                while Instant::now() < until {
                    sign_in(&club.public, "203.0.113.9", &format!("invented {guesser}"), WRONG);
                }
            });
        }
        let mut times = 0;
        while Instant::now() < until {
            let answer = sign_in(&members.public, "198.51.100.1", ADMIN.0, ADMIN.1);
            assert_eq!(answer.status, 200, "{}", answer.text());
            times += 1;
        }
        assert!(times > 2, "{times}");
    });
    assert!(federation.server.logged().contains("a sign-in failed"));
}

/// Eighty phones behind one address sign in and play while one of them guesses, a hundred times at once, at
/// the members' logins among others.
#[rstest]
fn s6_phones_behind_the_address_of_a_guesser_sign_in_and_play(#[values(Db::one(), Db::other())] db: Db) {
    let (phones, guesses) = if full_size() { (80, 100) } else { (8, 60) };
    let Some(house) = House::open_with(db, &[BEHIND_A_PROXY]) else { return };
    let (admin, public) = (house.admin(), house.server.public());
    let logins: Vec<String> = (0..phones).map(|n| format!("phone{n}")).collect();
    for login in &logins {
        house.with_roles(&admin, login, &["player"]);
    }
    let home = "203.0.113.9";
    // The address is over its limit before any phone signs in.
    for n in 0..100 {
        sign_in(&public, home, &format!("invented {}", n / 5), WRONG).refused(401, "wrong_login_or_password");
    }
    let (is_over, guessed) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let (public, is_over, guessed, all) = (&public, &is_over, &guessed, &logins);
        for _ in 0..guesses {
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let n = guessed.fetch_add(1, Ordering::Relaxed);
                    // A login of its own has ten wrong ones at an address.
                    let member = all.get(n / 2 % all.len()).filter(|_| n % 2 == 0 && n < 9 * 2 * all.len());
                    let invented = format!("invented {}", n / 5);
                    sign_in(public, home, member.unwrap_or(&invented), WRONG);
                }
            });
        }
        // All of them are there before the first phone is.
        while guessed.load(Ordering::Relaxed) < guesses {
            std::thread::sleep(Duration::from_millis(10));
        }
        let playing: Vec<_> = logins
            .iter()
            .map(|login| {
                scope.spawn(move || {
                    let began = Instant::now();
                    let tokens = sign_in(public, home, login, PASSWORD).good().body;
                    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
                    let phone = public.bearer(tokens["access_token"].as_str().unwrap());
                    let asked = phone.request("GET", "/api/v1/me").header("X-Forwarded-For", home).send();
                    asked.good();
                })
            })
            .collect();
        let failed = playing.into_iter().map(|phone| phone.join().is_err()).filter(|failed| *failed).count();
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(failed, 0, "phones that did not get in");
    });
}

/// A connection from one of this machine's loopback addresses.
fn from(address: Ipv4Addr, server: &Server) -> TcpStream {
    let to: SocketAddr = server.address().parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let connected = runtime.block_on(async move {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::new(IpAddr::V4(address), 0)).unwrap();
        socket.connect(to).await.unwrap().into_std().unwrap()
    });
    connected.set_nonblocking(false).unwrap();
    connected.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    connected
}

#[test]
fn s11_bodies_of_five_addresses_that_never_come_shut_nobody_out() {
    let (all, each) = if full_size() { ("4000", 1000) } else { ("200", 50) };
    let own = each.to_string();
    let settings = [("HTTP__CONNECTIONS", all), ("HTTP__CONNECTIONS_PER_ADDRESS", &own)];
    let Some(house) = House::open_with(Db::Sqlite, &settings) else { return };
    let head = "POST /api/v1/sign-in HTTP/1.1\r\nHost: club\r\nContent-Type: application/json\r\n\
                Content-Length: 1000\r\n\r\n{";
    let held: Vec<TcpStream> = (2..7)
        .flat_map(|last| (0..each).map(move |_| last))
        .map(|last| {
            let mut stream = from(Ipv4Addr::new(127, 0, 0, last), &house.server);
            drop(stream.write_all(head.as_bytes()));
            stream
        })
        .collect();
    for last in 20..40 {
        let mut stream = from(Ipv4Addr::new(127, 0, 0, last), &house.server);
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: club\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        drop(stream.read_to_string(&mut answer));
        assert!(answer.starts_with("HTTP/1.1 200"), "127.0.0.{last}: {answer}");
    }
    drop(held);
}

/// What an alert looks at is there from the start: a counter that appears with its first failure does not
/// increase.
#[test]
fn b5_b6_counters_begin_at_zero_and_failed_sign_ins_are_counted_and_logged() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let public = house.server.public();
    let figures = || public.get("/metrics").good().text().to_owned();
    let at = |text: &str, series: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(series))?;
        line.trim().parse().ok()
    };
    let before = figures();
    for (method, route) in [
        ("POST", "/api/v1/chouettes/{id}/commands"),
        ("GET", "/api/v1/players/{id}"),
        ("GET", "/"),
        ("POST", "/sign-in"),
        ("GET", "none"),
    ] {
        let series =
            format!("owlbox_http_requests_total{{method=\"{method}\",route=\"{route}\",status=\"500\"}}");
        assert_eq!(at(&before, &series), Some(0), "{series}");
    }
    for series in [
        "owlbox_database_errors_total{kind=\"query\"}",
        "owlbox_database_errors_total{kind=\"full\"}",
        "owlbox_commands_total{kind=\"double\",outcome=\"failed\"}",
        "owlbox_commands_total{kind=\"pay\",outcome=\"done\"}",
        "owlbox_sign_ins_total{outcome=\"wrong\"}",
        "owlbox_sign_ins_total{outcome=\"too_many\"}",
    ] {
        assert_eq!(at(&before, series), Some(0), "{series}");
    }
    let typed = json!({"login": ADMIN.0, "password": "a secret typed wrongly"});
    for _ in 0..10 {
        public.post("/api/v1/sign-in", &typed).refused(401, "wrong_login_or_password");
    }
    public.post("/api/v1/sign-in", &typed).refused(429, "too_many_attempts");
    let after = figures();
    assert_eq!(at(&after, "owlbox_sign_ins_total{outcome=\"wrong\"}"), Some(10));
    assert_eq!(at(&after, "owlbox_sign_ins_total{outcome=\"too_many\"}"), Some(1));
    let logged = house.server.logged();
    let lines: Vec<&str> = logged.lines().filter(|line| line.contains("a sign-in failed")).collect();
    assert_eq!(lines.len(), 11);
    assert!(lines.iter().all(|line| line.contains("127.0.0.1")), "{lines:?}");
    assert!(!logged.contains("a secret typed wrongly"));
}
