//! What pages of other sites may read of the API, and send to it: never with cookies.

use serde_json::json;

use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};
use crate::walk::csrf;

/// A site that the configuration names, and one that it does not.
const NAMED: &str = "https://www.club.example";
const ANOTHER: &str = "https://elsewhere.example";

fn house() -> Option<House> {
    House::open_with(Db::Sqlite, &[("HTTP__CORS_ORIGINS", NAMED)])
}

/// The answer to a page of this site.
fn of_page(client: &Client, origin: &str, method: &str, path: &str) -> Answer {
    client.request(method, path).header("Origin", origin).send()
}

/// Whose pages may read an answer. None ever allows credentials.
#[track_caller]
fn readers(answer: &Answer) -> Option<&str> {
    assert_eq!(answer.header("access-control-allow-credentials"), None, "{answer}");
    answer.header("access-control-allow-origin")
}

#[track_caller]
fn preflight(house: &House, origin: &str, path: &str, method: &str) -> Answer {
    let asked = house.server.public();
    let asked = asked.request("OPTIONS", path).header("Origin", origin);
    asked
        .header("Access-Control-Request-Method", method)
        .header("Access-Control-Request-Headers", "authorization")
        .send()
}

/// A browser in which the admin is signed in.
#[track_caller]
fn browser(house: &House) -> Client {
    let browser = house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in"));
    let fields = [("csrf", token.as_str()), ("login", ADMIN.0), ("password", ADMIN.1)];
    assert_eq!(browser.request("POST", "/sign-in").form(&fields).send().status, 303);
    browser
}

#[test]
fn any_page_reads_what_needs_no_sign_in_refusals_too() {
    let Some(house) = house() else { return };
    let (admin, street) = (house.admin(), house.server.public());
    let cup = json!({"name": "Open", "date": "2026-11-20", "public": true});
    let cup = admin.post("/api/v1/tournaments", &cup).good().body["id"].as_str().unwrap().to_owned();
    let cup = format!("/api/v1/tournaments/{cup}");
    for origin in [ANOTHER, "null"] {
        for (method, path, status) in [
            ("GET", cup.as_str(), 200),
            ("HEAD", &cup, 200),
            ("GET", "/api/v1/openapi.json", 200),
            ("GET", "/api/v1/version", 200),
            ("GET", "/api/v1/me", 401),
            ("GET", "/api/v1/tournaments?limit=0", 400),
            ("GET", "/api/v1/nowhere", 404),
        ] {
            let answer = of_page(&street, origin, method, path);
            assert_eq!((answer.status, readers(&answer)), (status, Some("*")), "{method} {path}: {answer}");
            let exposed = answer.header("access-control-expose-headers").unwrap();
            assert!(["etag", "retry-after"].iter().all(|name| exposed.contains(name)), "{exposed}");
            let varies: Vec<_> = answer.headers.get_all("vary").iter().collect();
            assert!(varies.iter().any(|by| *by == "origin"), "{varies:?}");
        }
    }
    let shown = street.request("GET", &cup).header("Origin", ANOTHER).send();
    let same = street
        .request("GET", &cup)
        .header("Origin", ANOTHER)
        .header("If-None-Match", shown.header("etag").unwrap());
    let same = same.send();
    assert_eq!((same.status, readers(&same)), (304, Some("*")));
    // What strangers may send, they send from their own pages.
    let sign_in = street.request("POST", "/api/v1/sign-in").header("Origin", ANOTHER);
    let sign_in = sign_in.json(&json!({"login": ADMIN.0, "password": ADMIN.1})).send();
    assert_eq!(readers(&sign_in), None, "{sign_in}");
    // Pages are nobody else's, and scripts that are no page's are told nothing.
    assert_eq!(readers(&of_page(&street, ANOTHER, "GET", "/sign-in")), None);
    assert_eq!(readers(&street.get(&cup)), None);
}

#[test]
fn a_cookie_is_nothing_on_the_way_from_another_site() {
    let Some(house) = house() else { return };
    let browser = browser(&house);
    let own = browser.get("/api/v1/me").good();
    assert_eq!((own.body["login"].as_str(), readers(&own)), (Some(ADMIN.0), None));
    for (origin, readers_are) in [(ANOTHER, "*"), ("null", "*"), (NAMED, NAMED)] {
        for path in ["/api/v1/me", "/api/v1/players", "/api/v1/accounts", "/api/v1/ledger/export"] {
            let answer = of_page(&browser, origin, "GET", path).refused(401, "not_signed_in");
            assert_eq!(readers(&answer), Some(readers_are), "{origin} {path}");
        }
    }
    // One of our own pages says where it is from too, where it sends something.
    let here = house.server.url().to_owned();
    let own = of_page(&browser, &here, "GET", "/api/v1/me").good();
    assert_eq!((own.body["login"].as_str(), readers(&own)), (Some(ADMIN.0), None));
}

#[test]
fn a_page_sends_a_token_from_a_named_origin_alone() {
    let Some(house) = house() else { return };
    let admin = house.admin();
    let answer = of_page(&admin, NAMED, "GET", "/api/v1/me").good();
    assert_eq!(readers(&answer), Some(NAMED));
    assert_eq!(readers(&of_page(&admin, ANOTHER, "GET", "/api/v1/me").good()), None);
    assert_eq!(readers(&of_page(&admin, &NAMED.to_uppercase(), "GET", "/api/v1/me").good()), None);
    let player = |origin: &str, name: &str| {
        admin.request("POST", "/api/v1/players").header("Origin", origin).json(&json!({"name": name})).send()
    };
    assert_eq!(readers(&player(NAMED, "Ada").good()), Some(NAMED));
    let refused = player(NAMED, "Ada").refused(422, "name_taken");
    assert_eq!(
        (readers(&refused), refused.header("content-type")),
        (Some(NAMED), Some("application/problem+json"))
    );
    let wrong = house.server.public().bearer("owlt_nonsense");
    let refused = of_page(&wrong, NAMED, "GET", "/api/v1/me").refused(401, "invalid_token");
    assert_eq!(readers(&refused), Some(NAMED));
}

#[test]
fn a_preflight_is_answered_without_a_token_and_says_what_may_be_sent() {
    let Some(house) = house() else { return };
    for (path, method) in [("/api/v1/me", "GET"), ("/api/v1/players", "POST"), ("/api/v1/nowhere", "DELETE")]
    {
        let named = preflight(&house, NAMED, path, method);
        assert_eq!((named.status, readers(&named)), (204, Some(NAMED)), "{named}");
        assert_eq!(named.header("access-control-max-age"), Some("7200"));
        assert!(named.header("access-control-allow-methods").unwrap().contains("DELETE"));
        assert!(named.header("access-control-allow-headers").unwrap().contains("authorization"));
        let other = preflight(&house, ANOTHER, path, method);
        assert_eq!((other.status, readers(&other)), (204, Some("*")), "{other}");
        assert_eq!(other.header("access-control-allow-methods"), Some("GET, HEAD"));
        assert!(!other.header("access-control-allow-headers").unwrap().contains("authorization"));
        for answer in [named, other] {
            assert_eq!(answer.header("vary"), Some("origin"));
        }
    }
    // What asks for nothing is no preflight.
    let options = house.server.public().request("OPTIONS", "/api/v1/me").header("Origin", NAMED).send();
    assert_eq!(readers(&options.refused(405, "method_not_allowed")), Some(NAMED));
    let street = house.server.public();
    let page = street.request("OPTIONS", "/sign-in").header("Origin", NAMED);
    let page = page.header("Access-Control-Request-Method", "POST").send();
    assert_eq!(readers(&page), None, "{page}");
}

#[test]
fn without_named_origins_no_page_of_another_site_sends_a_token() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    assert_eq!(readers(&of_page(&house.admin(), NAMED, "GET", "/api/v1/me").good()), None);
    let asked = preflight(&house, NAMED, "/api/v1/me", "GET");
    assert!(!asked.header("access-control-allow-headers").unwrap().contains("authorization"), "{asked}");
}
