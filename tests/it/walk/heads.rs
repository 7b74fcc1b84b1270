//! `HEAD` wherever `GET` answers: the API's routes from the served document, every page, and what is for
//! machines.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use owlbox_site::PAGES;
use rstest::rstest;
use serde_json::json;

use super::{Club, Operation, pages};
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::ADMIN;

/// Headers that differ from one answer to the next.
const OF_ONE_ANSWER: [&str; 3] = ["date", "x-request-id", "set-cookie"];

fn headers(answer: &Answer) -> Vec<(String, String)> {
    let all = answer.headers.iter().map(|(name, value)| (name.as_str(), value.to_str().expect("text")));
    let same = all.filter(|(name, _)| !OF_ONE_ANSWER.contains(name));
    let mut same: Vec<_> = same.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    same.sort();
    same
}

/// Checks that `HEAD` is answered as `GET` is, without the body.
#[track_caller]
fn is_headed(client: &Client, path: &str) {
    let (whole, head) = (client.get(path), client.request("HEAD", path).send());
    assert_eq!((head.status, head.body.as_str()), (whole.status, Some("")), "{path}: {head}");
    assert_eq!(headers(&head), headers(&whole), "{path}");
}

#[rstest]
fn every_route_of_the_document_that_answers_get_answers_head(#[values(Db::one(), Db::other())] db: Db) {
    let Some(club) = Club::open(db, &[("LIMITS__LIVE_STREAMS_PER_ACCOUNT", "3")]) else { return };
    let admin = club.somebody("admin");
    let mut walked = 0;
    for operation in club.operations().iter().filter(|operation| operation.method == "GET") {
        let path = club.plausible(operation, &admin).path;
        if operation.path.ends_with("/events") {
            // Each head gives its place back: there is one for each stream.
            for _ in 0..4 {
                let head = admin.client.request("HEAD", &path).send();
                assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
            }
            assert_eq!(admin.client.events(&path, None).status, 200, "{path}");
        } else {
            is_headed(&admin.client, &path);
        }
        walked += 1;
    }
    assert!(walked > 60, "{walked}");
    club.logged_no_failure();
}

#[test]
fn a_405_names_head_beside_get() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let admin = club.somebody("admin");
    let (reads, writes): (Vec<Operation>, Vec<Operation>) =
        club.operations().into_iter().partition(|operation| operation.method == "GET");
    for operation in &reads {
        let path = club.plausible(operation, &admin).path;
        let refused = admin.client.request("PROPFIND", &path).send().refused(405, "method_not_allowed");
        let allowed = refused.header("allow").expect("the methods that it takes");
        assert!(allowed.starts_with("GET, HEAD") || allowed.contains(", GET, HEAD"), "{path}: {allowed}");
        assert!(refused.body["allowed"].as_array().is_some_and(|all| all.contains(&json!("HEAD"))));
    }
    // What only takes commands has no head either.
    for operation in writes.iter().filter(|write| reads.iter().all(|read| read.path != write.path)) {
        let head = admin.client.request("HEAD", &club.plausible(operation, &admin).path).send();
        assert_eq!((head.status, head.body.as_str()), (405, Some("")), "{}: {head}", operation.path);
        assert!(!head.header("allow").is_some_and(|allowed| allowed.contains("HEAD")), "{head}");
    }
}

#[test]
fn every_page_answers_head() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let (browser, _) = pages::signed_in(&club, &club.somebody("admin").login);
    let gets = PAGES.iter().filter(|(method, _)| *method == "get").count();
    let shown = pages::shown(&club);
    // Assets have a route for all of them.
    assert_eq!(shown.len() + 1, gets);
    for path in shown {
        is_headed(&browser, &path);
        // Nobody who may not read a page learns more of it by its head.
        is_headed(&club.public, &path);
    }
    let style = club.public.get("/sign-in").good();
    let style = style.text().split('"').find(|text| text.starts_with("/assets/")).expect("an asset");
    is_headed(&club.public, style);
    let packed = club.public.compressed("/sign-in").0;
    let head = club.public.request("HEAD", "/sign-in").header("Accept-Encoding", "gzip").send();
    for header in ["content-encoding", "vary", "content-type"] {
        assert_eq!(head.headers.get(header), packed.get(header), "{header}");
    }
}

#[test]
fn what_is_for_machines_answers_head() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let paths =
        ["/healthz", "/readyz", "/api/v1/openapi.json", "/docs", "/docs/", "/docs/problems", "/docs/ui"];
    for path in paths {
        is_headed(&club.public, path);
    }
    // The figures themselves move with every request.
    let head = club.public.request("HEAD", "/metrics").send();
    assert_eq!((head.status, head.body.as_str()), (200, Some("")), "{head}");
    assert_eq!(head.header("content-type"), club.public.get("/metrics").header("content-type"));
    let counted = club.public.get("/metrics").good();
    assert!(counted.text().contains(r#"method="HEAD",route="/metrics",status="200""#), "{counted}");
    // Paths that are nobody's, and those that only take a form, are no pages by `HEAD` either.
    assert_eq!(club.public.request("HEAD", "/nonsense").send().status, 404);
    assert_eq!(
        club.public.request("HEAD", "/board-view").send().status,
        club.public.get("/board-view").status
    );
}

#[test]
fn a_live_stream_answers_its_head_and_the_connection_goes_on() {
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    let path = format!(
        "/api/v1/chouettes/{}/events",
        club.table_of(&[&club.player(), &club.player(), &club.player()])
    );
    let token = club.server().public();
    let token = token.post("/api/v1/sign-in", &json!({"login": ADMIN.0, "password": ADMIN.1})).good();
    let token = super::text(&token.body["access_token"]).to_owned();
    let address = club.server().url().trim_start_matches("http://");
    let wire = TcpStream::connect(address).expect("a connection");
    wire.set_read_timeout(Some(Duration::from_secs(10))).expect("a socket");
    let mut answers = BufReader::new(&wire);
    let mut ask = |request: &str| {
        let request =
            format!("{request} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\r\n");
        (&wire).write_all(request.as_bytes()).expect("the request goes out");
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            answers.read_line(&mut line).expect("a line in time");
            match line.trim_end() {
                "" => return head,
                line => head.push(line.to_lowercase()),
            }
        }
    };
    let head = ask(&format!("HEAD {path}"));
    assert!(head.contains(&"http/1.1 200 ok".to_owned()), "{head:?}");
    assert!(head.contains(&"content-type: text/event-stream".to_owned()), "{head:?}");
    // The next line on the wire is the next answer's.
    assert_eq!(ask("HEAD /healthz").first().map(String::as_str), Some("http/1.1 200 ok"));
    assert_eq!(ask("GET /healthz").first().map(String::as_str), Some("http/1.1 200 ok"));
}
