//! The bracket of a public tournament as strangers get it: one copy for all of them, right at once after
//! every change, and never anything of one visitor.

use std::io::Read as _;

use flate2::read::GzDecoder;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};
use crate::tournament_pages::{Event, about, browser_of, names, says, settings};

/// The pages of a bracket of which there are copies.
const SHARED: [&str; 4] = ["/1", "/1?player=2", "/1/embed", "/1/embed?zoom=near"];

/// A public tournament of eight whose draw has been made.
fn drawn(house: &House) -> Event {
    let event = Event::new(house, &names(8), &about(), &settings());
    event.does(&json!({"command": "draw"}));
    event
}

#[track_caller]
fn is_copy(answer: &Answer) {
    let kept = "public, max-age=0, s-maxage=1, must-revalidate";
    assert_eq!(answer.header("cache-control"), Some(kept), "{answer}");
    assert_eq!(answer.header("vary"), Some("Accept-Encoding, Accept-Language, Cookie"), "{answer}");
    let tag = answer.etag();
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 20, "a strong tag: {answer}");
    assert_eq!(answer.header("set-cookie"), None, "it begins no visit: {answer}");
}

/// A stranger's copy.
#[track_caller]
fn copy(street: &Client, path: &str) -> Answer {
    let answer = street.get(path).good();
    is_copy(&answer);
    answer
}

#[track_caller]
fn if_none_match(client: &Client, path: &str, tag: &str) -> Answer {
    client.request("GET", path).header("If-None-Match", tag).send()
}

#[rstest]
fn all_strangers_get_the_same_and_are_told_when_it_is_unchanged(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = drawn(&house);
    let street = house.server.public();
    // Somebody with a visit, from a page with a form.
    let visitor = street.cookies();
    visitor.get("/sign-in").good();
    assert!(visitor.cookie("owlbox_visit").is_some());
    for path in SHARED.map(|page| event.page(page)) {
        let first = copy(&street, &path);
        for other in [&street, &street.cookies(), &visitor] {
            let again = copy(other, &path);
            assert_eq!((again.etag(), again.text()), (first.etag(), first.text()), "{path}");
        }
        let unchanged = if_none_match(&street, &path, first.etag());
        assert_eq!((unchanged.status, unchanged.text()), (304, ""), "{unchanged}");
        is_copy(&unchanged);
        assert_eq!(unchanged.etag(), first.etag());
        for header in ["content-security-policy", "x-frame-options", "x-content-type-options"] {
            assert_eq!(unchanged.header(header), first.header(header), "{path} {header}");
        }
        assert_eq!(if_none_match(&street, &path, "\"another\"").good().text(), first.text());
        let head = street.request("HEAD", &path).send();
        is_copy(&head);
        assert_eq!((head.status, head.etag(), head.text()), (200, first.etag(), ""));
        assert_eq!(head.header("content-length"), first.header("content-length"), "{path}");
        assert_eq!(head.header("content-length"), Some(first.text().len().to_string().as_str()), "{path}");
    }
    // Whatever else an address says, it is the page of that view.
    let bracket = copy(&street, &event.page("/1"));
    for same in ["/1?v=7", "/1?zoom=usual&utm=mail", "/1?flight=x"] {
        assert_eq!(copy(&street, &event.page(same)).etag(), bracket.etag(), "{same}");
    }
    assert_ne!(copy(&street, &event.page("/1?zoom=near")).etag(), bracket.etag());
    // A reader who searches gets an answer of their own.
    let found = street.get(&event.page("/1?find=Player")).good();
    assert_eq!((found.header("cache-control"), found.header("etag")), (Some("no-store"), None), "{found}");
}

#[rstest]
fn whatever_it_shows_is_right_at_once(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = drawn(&house);
    let street = house.server.public();
    let pages = ["/1", "/1/embed"].map(|page| event.page(page));
    let changes = |what: &str, change: &dyn Fn(), shows: &str| {
        let before = pages.each_ref().map(|path| copy(&street, path));
        change();
        for (path, before) in pages.iter().zip(before) {
            assert!(!before.flows(shows), "{what} {path}: {before}");
            let after = if_none_match(&street, path, before.etag()).good();
            is_copy(&after);
            assert!(after.etag() != before.etag() && after.flows(shows), "{what} {path}: {after}");
        }
    };
    changes("a result", &|| event.plays(1), "<b>5</b>");
    let player = format!("/api/v1/players/{}", event.players["Player 003"]);
    let named = json!({"name": "Ada Lovelace"});
    changes("a name", &|| drop(event.director.patch(&player, &named).good()), "Ada Lovelace");
    let club = json!({"name": "Gufi di Torino", "time_zone": "Europe/Rome", "currencies": ["EUR"],
        "public": {"tables": false, "standings": false}});
    changes("the club", &|| drop(event.director.put("/api/v1/settings", &club).good()), "Gufi di Torino");
    let undone = copy(&street, &pages[0]);
    event.does(&json!({"command": "undo"}));
    assert!(!copy(&street, &pages[0]).flows("<b>5</b>"), "after {undone}");
}

#[test]
fn each_language_has_its_own() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = drawn(&house);
    let street = house.server.public();
    for path in SHARED.map(|page| event.page(page)) {
        let read = |language: &str| {
            let page = street.request("GET", &path).header("Accept-Language", language).send().good();
            is_copy(&page);
            assert!(page.text().contains(&format!("<html lang=\"{language}\"")), "{page}");
            page.etag().to_owned()
        };
        let tags = ["en", "it", "de", "fr"].map(read);
        for (at, tag) in tags.iter().enumerate() {
            assert!(!tags[..at].contains(tag), "{path}");
        }
        let picked = street
            .request("GET", &path)
            .header("Accept-Language", "en")
            .header("Cookie", "owlbox_language=it");
        assert_eq!(picked.send().good().etag(), tags[1], "the language picked comes first");
    }
}

/// The choice of a language is on the copy, which knows nothing of who reads it.
#[test]
fn a_language_is_picked_on_a_copy() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = drawn(&house);
    let street = house.server.public().cookies();
    let path = event.page("/1?player=2");
    let page = copy(&street, &path);
    says(&page, &["<form method=\"post\" action=\"/language\"", "name=\"csrf\" value=\"\""]);
    says(&page, &[&format!("name=\"back\" value=\"{path}\"")]);
    let fields = [("csrf", ""), ("back", path.as_str()), ("language", "fr")];
    let picks = || street.request("POST", "/language").form(&fields);
    assert_eq!(picks().header("Sec-Fetch-Site", "cross-site").send().status, 403);
    assert_eq!(picks().header("Origin", "https://evil.example").send().status, 403);
    let picked = picks().header("Sec-Fetch-Site", "same-origin").send();
    assert_eq!((picked.status, picked.header("location")), (303, Some(path.as_str())), "{picked}");
    assert!(copy(&street, &path).text().contains("<html lang=\"fr\""));
}

#[rstest]
fn whoever_is_signed_in_gets_a_page_of_their_own(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = drawn(&house);
    let street = house.server.public();
    let director = browser_of(&house, ADMIN);
    let dead = "owlbox_access=nonsense; owlbox_refresh=nonsense";
    for path in SHARED.map(|page| event.page(page)) {
        let shared = copy(&street, &path);
        let own = if_none_match(&director, &path, shared.etag());
        let left = street.request("GET", &path).header("Cookie", dead).send();
        for private in [&own, &left, &event.director.get(&path)] {
            assert_eq!(
                (private.status, private.header("cache-control")),
                (200, Some("no-store")),
                "{private}"
            );
            assert_eq!(private.header("etag"), None, "{private}");
        }
        assert_eq!(own.text().contains("/sign-out"), !path.contains("/embed"), "{own}");
        assert!(left.header("set-cookie").is_some(), "a session that has ended is cleared away: {left}");
        let after = copy(&street, &path);
        assert_eq!((after.etag(), after.text()), (shared.etag(), shared.text()));
        assert!(!after.text().contains("/sign-out"), "{after}");
    }
}

#[rstest]
fn a_tournament_that_becomes_private_is_gone_at_once(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = drawn(&house);
    let street = house.server.public();
    let public = |public: bool| {
        let mut about = about();
        about["public"] = json!(public);
        event.does(&json!({"command": "change", "about": about}));
    };
    for round in 1..=2 {
        let copies = SHARED.map(|page| copy(&street, &event.page(page)));
        public(false);
        for (page, copy) in SHARED.iter().zip(copies) {
            let path = event.page(page);
            for answer in [street.get(&path), if_none_match(&street, &path, copy.etag())] {
                let to = answer.header("location").unwrap_or_default();
                assert!(answer.status == 303 && to.starts_with("/sign-in?next="), "{round} {path}: {answer}");
                assert_eq!(answer.header("cache-control"), Some("no-store"), "{answer}");
            }
        }
        let director = browser_of(&house, ADMIN);
        assert_eq!(director.get(&event.page("/1")).status, 200);
        assert_eq!(director.get(&event.page("/1/embed")).status, 404);
        public(true);
    }
    for nothing in ["/9", "/9/embed"] {
        assert_eq!(street.get(&event.page(nothing)).status, 404, "{nothing}");
    }
}

#[test]
fn packed_or_not_it_is_the_same_page() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = drawn(&house);
    let street = house.server.public();
    for path in SHARED.map(|page| event.page(page)) {
        let plain = copy(&street, &path);
        let (headers, packed) = street.compressed(&path);
        let mut unpacked = String::new();
        GzDecoder::new(&*packed).read_to_string(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain.text(), "{path}");
        assert_eq!(headers["content-length"], packed.len().to_string().as_str());
        let tag = headers["etag"].to_str().unwrap();
        assert_ne!(tag, plain.etag(), "a strong tag belongs to the very bytes");
        let asked = |encoding: &str| street.request("GET", &path).header("Accept-Encoding", encoding);
        for encoding in ["gzip", "gzip, deflate, br, zstd", "deflate;q=0.5, gzip;q=0.8"] {
            let unchanged = asked(encoding).header("If-None-Match", tag).send();
            assert_eq!((unchanged.status, unchanged.etag()), (304, tag), "{encoding}: {unchanged}");
        }
        for encoding in ["gzip;q=0", "identity", "br", "deflate", "identity, gzip;q=0.5"] {
            let answer = asked(encoding).send().good();
            is_copy(&answer);
            assert_eq!((answer.etag(), answer.text()), (plain.etag(), plain.text()), "{encoding}");
        }
    }
}

#[test]
fn only_the_embedded_form_may_be_framed_and_each_keeps_its_policy() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = drawn(&house);
    let director = browser_of(&house, ADMIN);
    for path in SHARED.map(|page| event.page(page)) {
        let (copy, own) = (copy(&house.server.public(), &path), director.get(&path).good());
        for header in
            ["content-security-policy", "x-frame-options", "x-content-type-options", "referrer-policy"]
        {
            assert_eq!(copy.header(header), own.header(header), "{path} {header}");
        }
        let framed = copy.header("content-security-policy").unwrap().contains("frame-ancestors *");
        assert_eq!(framed, path.contains("/embed"));
        assert_eq!(copy.header("x-frame-options"), (!framed).then_some("DENY"));
    }
}

#[rstest]
fn thousands_may_come_at_the_same_moment(#[values(Db::one(), Db::other())] db: Db) {
    let Some(house) = House::open(db) else { return };
    let event = drawn(&house);
    for round in 1..=3 {
        event.plays(1);
        let tags: Vec<String> = std::thread::scope(|scope| {
            let one = || copy(&house.server.public(), &event.page("/1")).etag().to_owned();
            let crowd: Vec<_> = (0..40).map(|_| scope.spawn(one)).collect();
            crowd.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(tags.iter().all(|tag| *tag == tags[0]), "{round}: {tags:?}");
    }
}

/// What was tapped elsewhere and has no answer yet can only be sent from a page with a session of its own.
#[test]
fn what_waits_to_be_sent_still_waits_on_a_copy() {
    let Some(browser) = Browser::phone() else { return };
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = drawn(&house);
    let bracket = format!("{}{}", house.server.url(), event.page("/1"));
    browser.goto(&bracket);
    let act = json!([{"key": "k", "action": "/e/nothing", "fields": [], "label": "I won", "who": "", "live": false,
        "version": null, "page": "/e/nothing", "late": false}]);
    browser.run(&format!(
        "const acts = {act}; acts[0].at = Date.now(); localStorage.setItem('owlbox-outbox', JSON.stringify(acts))"
    ));
    let waits = || browser.run("return localStorage.getItem('owlbox-outbox')") != Value::Null;
    browser.goto(&bracket);
    browser.wait_for("#kept:not([hidden])");
    assert!(waits() && browser.text("#kept").contains("I won"));
    browser.goto(&format!("{}/sign-in", house.server.url()));
    browser.wait_until("it is sent from there", || !waits());
}
