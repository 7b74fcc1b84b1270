//! Two clubs of one service: nothing of one is shown to anybody of the other, or changed by them. Every route
//! of the document and every page, with every role.

use std::cell::Cell;
use std::collections::BTreeSet;

use owlbox_base::permissions::Role;
use rstest::rstest;
use serde_json::Value;

use super::{Club, Operation, PASSWORD, Plausible, logged_no_failure, pages, text};
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::federation::{Federation, OfMany};

/// Operations that do not look at the token that is shown.
const ASK_NO_TOKEN: [&str; 12] = [
    "GET /links/{secret}",
    "POST /forgotten-password",
    "POST /links/{secret}",
    "GET /reference/match-equities",
    "GET /reference/opening",
    "GET /reference/score",
    "GET /reference/shots",
    "GET /version",
    "POST /refresh",
    "POST /registrations",
    "POST /set-up",
    "POST /sign-in",
];

impl Club {
    fn of_many(club: &OfMany) -> Self {
        let (public, admin) = (club.public.clone(), club.admin.clone());
        let document = public.get("/api/v1/openapi.json").good().body;
        Self { public, admin, document, serial: Cell::new(0), home: None }
    }

    /// The ids of everything that there is in the club.
    fn ids(&self) -> BTreeSet<String> {
        let mut ids = BTreeSet::new();
        collect_ids(&self.everything(&[]), &mut ids);
        ids
    }
}

fn collect_ids(value: &Value, ids: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if uuid::Uuid::parse_str(text).is_ok() => drop(ids.insert(text.clone())),
        Value::Array(items) => items.iter().for_each(|item| collect_ids(item, ids)),
        Value::Object(fields) => fields.values().for_each(|field| collect_ids(field, ids)),
        _ => {}
    }
}

fn send(client: &Client, operation: &Operation, plausible: &Plausible) -> Answer {
    let request = client.request(&operation.method, &plausible.path);
    match &plausible.body {
        Some(body) => request.json(body).send(),
        None => request.send(),
    }
}

/// Whether the operation's path names something of the club alone.
fn names_something(plausible: &Plausible) -> bool {
    plausible
        .path
        .split(['/', '?'])
        .any(|part| uuid::Uuid::parse_str(part).is_ok() || part.starts_with("owll_"))
}

#[rstest]
fn nothing_of_a_club_is_shown_to_another_or_changed_by_it(#[values(Db::one(), Db::other())] db: Db) {
    let Some(federation) = Federation::open(db, &[("LIMITS__LIVE_STREAMS_PER_ACCOUNT", "500")]) else {
        return;
    };
    let (one, other) = (federation.club("one"), federation.club("other"));
    let (host, path) = (other.host.clone(), format!("/clubs/{}", other.name));
    let (one, other) = (Club::of_many(&one), Club::of_many(&other));
    one.show_everybody(false, false);
    other.show_everybody(true, true);

    // What those of the first ask for in their own club.
    let person = one.somebody("admin");
    let asked: Vec<(Operation, Plausible)> = one
        .operations()
        .into_iter()
        .map(|operation| {
            let plausible = one.plausible(&operation, &person);
            (operation, plausible)
        })
        .collect();
    let ids = one.ids();
    assert!(ids.len() > 100, "there is something to hide");

    // With their own tokens at the other club, by its host and by its path.
    let (before, before_other) = (one.everything(&[]), other.everything(&[]));
    // A token of another club has no role, so each role asks in turns.
    let people = Role::ALL.map(|role| {
        let person = one.somebody(role.name());
        (role, other.public.bearer(text(&person.tokens["access_token"])), person)
    });
    for ((operation, plausible), (role, at_host, person)) in asked.iter().zip(people.iter().cycle()) {
        let name = operation.name();
        let by_path = Plausible { path: format!("{path}{}", plausible.path), body: plausible.body.clone() };
        for answer in [send(at_host, operation, plausible), send(&person.client, operation, &by_path)] {
            if ASK_NO_TOKEN.contains(&name.as_str()) {
                let is_public = name.starts_with("GET /reference/") || name == "GET /version";
                assert!(is_public || answer.status >= 400, "{role:?} {name}: {answer}");
            } else {
                answer.refused(401, "invalid_token");
            }
        }
    }
    assert_eq!(other.everything(&[]), before_other, "no token of one club did anything in the other");

    // With logins of the other club, and what they know of the first.
    for role in Role::ALL {
        let person = other.somebody(role.name());
        for (operation, plausible) in asked.iter().filter(|(_, plausible)| names_something(plausible)) {
            let answer = send(&person.client, operation, plausible);
            assert!(answer.status >= 400, "{role:?} {}: {answer}", operation.name());
        }
    }
    assert_eq!(ids.intersection(&other.ids()).next(), None, "the other club holds nothing of the first");

    // Except for the people that this test has added.
    let bodies = |everything: &Value| [0, 1, 4, 5, 6].map(|list| everything[list][1].clone());
    assert_eq!(bodies(&one.everything(&[])), bodies(&before), "nothing of the first has changed");

    // Pages, with the cookies of the first club, which a browser would not even send.
    let browser = one.public.cookies();
    let form = pages::csrf(&browser.get("/sign-in").good());
    let fields = [("csrf", form.as_str()), ("login", person.login.as_str()), ("password", PASSWORD)];
    assert_eq!(browser.request("POST", "/sign-in").form(&fields).send().status, 303);
    browser.get("/players").good();
    let (carried, stranger) = (browser.at_host(&host), other.public.cookies());
    let paths = pages::shown(&one);
    let ids = one.ids();
    for path in paths {
        let (shown, to_stranger) = (carried.get(&path), stranger.get(&path));
        assert_eq!(shown.status, to_stranger.status, "{path}: {shown}");
        let said = shown.body.to_string();
        // What was asked for may be named again, as the page to return to.
        let found = ids.iter().find(|id| said.contains(id.as_str()) && !path.contains(id.as_str()));
        assert_eq!(found, None, "{path}");
    }
    logged_no_failure(&federation.server);
}
