//! Tests of what the other tests rely on: servers, clients and browsers do as they should.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use rstest::rstest;
use serde_json::json;

use crate::support::browser::Browser;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::load::{self, Plan, Round};

#[rstest]
fn every_test_has_a_database_of_its_own(#[values(Db::Sqlite, Db::Postgres)] db: Db) {
    let (Some(one), Some(other)) = (db.fresh(), db.fresh()) else { return };
    for database in [&one, &other] {
        database.execute("CREATE TABLE players (name text PRIMARY KEY)");
        database.execute("INSERT INTO players VALUES ('Ada')");
    }
    assert_eq!(one.db(), db);
    assert_ne!(one.url, other.url);
}

#[test]
fn a_browser_shows_clicks_and_fills() {
    let Some(browser) = Browser::phone() else { return };
    browser.goto(concat!(
        "data:text/html,<meta name=viewport content='width=device-width'><title>Owl</title><p>Hoot</p><input>",
        "<button onclick=\"setTimeout(()=>{document.querySelector('p').textContent=",
        "document.querySelector('input').value},50)\">Say</button>"
    ));
    assert_eq!((browser.title().as_str(), browser.text("p").as_str()), ("Owl", "Hoot"));
    browser.fill("input", "a wise owl");
    browser.click("button");
    browser.wait_for_text("p", "a wise owl", Duration::from_secs(5));
    assert_eq!(browser.run("return window.innerWidth"), 390);
    assert_eq!(browser.count("table"), 0);
    let picture = tempfile::Builder::new().suffix(".png").tempfile().unwrap();
    browser.screenshot(picture.path());
    assert!(std::fs::read(picture.path()).unwrap().starts_with(b"\x89PNG"));
}

/// A server of a few lines, which answers every request on every connection with these bytes.
fn answering(answer: impl Fn(&[String]) -> String + Clone + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let answer = answer.clone();
            std::thread::spawn(move || {
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
                loop {
                    let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
                    if head.is_empty() || (&stream).write_all(answer(&head).as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    address
}

#[test]
fn a_client_says_who_it_is_and_keeps_its_cookies() {
    let server = answering(|head| {
        let said = head.iter().find(|line| line.to_lowercase().starts_with("authorization"));
        let cookie = head.iter().find(|line| line.to_lowercase().starts_with("cookie"));
        let body = json!({ "said": said, "cookie": cookie }).to_string();
        let head = "HTTP/1.1 200 OK\r\nSet-Cookie: owl=1; HttpOnly\r\nSet-Cookie: old=; Max-Age=0\r\n";
        format!("{head}ETag: \"7\"\r\nContent-Length: {}\r\n\r\n{body}", body.len())
    });
    let public = Client::public(&format!("http://{server}"));
    assert_eq!(public.get("/").good().body, json!({ "said": null, "cookie": null }));
    let answer = public.bearer("secret").request("GET", "/").key("once").send().good();
    assert_eq!(
        answer.body["said"].as_str().map(str::to_lowercase).as_deref(),
        Some("authorization: bearer secret")
    );
    assert_eq!(answer.etag(), "\"7\"");
    let browser = public.cookies();
    browser.get("/").good();
    assert_eq!(browser.cookie("owl").as_deref(), Some("1"));
    let second = browser.get("/").good();
    assert_eq!(second.body["cookie"].as_str().map(str::to_lowercase).as_deref(), Some("cookie: owl=1"));
}

#[test]
fn a_client_tells_a_refusal_by_its_code() {
    let server = answering(|_| {
        let body = json!({ "code": "not_your_cube" }).to_string();
        let kind = "application/problem+json";
        format!(
            "HTTP/1.1 409 Conflict\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    });
    let client = Client::public(&format!("http://{server}"));
    let answer = client.delete("/").refused(409, "not_your_cube");
    let (other_code, good) = (answer.clone(), answer);
    assert!(std::panic::catch_unwind(|| other_code.refused(409, "closed")).is_err());
    assert!(std::panic::catch_unwind(|| good.good()).is_err());
}

#[test]
fn live_events_are_read_frame_by_frame() {
    let server = answering(|_| {
        let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len());
        let frames =
            [chunk(": hello\n\nid: 3\nevent: act\nda"), chunk("ta: {\"box\":\n"), chunk("data: 1}\n\n")];
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{}", frames.concat())
    });
    let mut events = Client::public(&format!("http://{server}")).events("/events", Some("2"));
    let event = events.next_event();
    assert_eq!((event.id.as_deref(), event.event.as_deref()), (Some("3"), Some("act")));
    assert_eq!(event.json(), json!({ "box": 1 }));
    assert_eq!(events.next_within(Duration::from_millis(20)), None);
    assert!(!events.ended_within(Duration::from_millis(20)));
}

#[test]
fn a_load_is_counted_by_answer() {
    let server = answering(|head| match head[0].as_str() {
        "GET /good HTTP/1.1" => "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}".to_owned(),
        _ => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
    });
    let requests =
        vec![load::request("GET", "/good", &[], ""), load::request("GET", "/bad", &[("A", "b")], "")];
    let plan = Plan {
        servers: [server, server],
        refusals: &[],
        connections: 4,
        warm_up: Duration::from_millis(20),
        counted: Duration::from_millis(100),
    };
    let expected = load::drive(Plan { refusals: &[404], ..plan }, |_| Round::new(requests.clone()));
    assert!(expected.refused > 0 && expected.first_refusal.is_none(), "{expected}");
    let measured = load::drive(plan, |_| Round::new(requests.clone()));
    assert!(measured.done > 0 && measured.refused > 0, "{measured}");
    assert!(measured.done.abs_diff(measured.refused) <= 8, "{measured}");
    assert!(measured.percentile(0.5) <= measured.max(), "{measured}");
    assert!(measured.first_refusal.unwrap().contains("404"));
}
