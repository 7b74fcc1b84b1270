//! Every route of the API with bad input: each answer is a problem with the right code, nothing changes, and
//! nothing in the log looks like a failure.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{TimeDelta, Utc};
use owlbox_desk::access::tokens::{AccessGrant, KeyRing, SigningKey};
use rstest::rstest;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Club, NOTHING, Operation, Person, Plausible, filled};
use crate::support::client::{Answer, Request};
use crate::support::databases::Db;
use crate::support::house::ADMIN;
use crate::support::server::SIGNING_KEY;

/// The body limit during the walk, in bytes.
const BODY_LIMIT: usize = 2048;

/// A club for the bad requests, and its admin as a person.
fn open(db: Db) -> Option<(Club, Person)> {
    let club = Club::open(db, &[("HTTP__BODY_LIMIT", &BODY_LIMIT.to_string())])?;
    let admin = club.somebody("admin");
    Some((club, admin))
}

/// Operations to be walked between two looks at everything, which take longer than their requests.
const BETWEEN_LOOKS: usize = 16;

/// Sends the bad requests that `wrong` makes for every operation, and checks that everything is as before.
fn walk(club: &Club, admin: &Person, mut wrong: impl FnMut(&Operation, &Plausible)) {
    for operations in club.operations().chunks(BETWEEN_LOOKS) {
        let plausible: Vec<(&Operation, Plausible)> =
            operations.iter().map(|operation| (operation, club.plausible(operation, admin))).collect();
        let tables: Vec<String> = plausible.iter().filter_map(|(_, plausible)| plausible.table()).collect();
        let before = club.everything(&tables);
        for (operation, plausible) in &plausible {
            wrong(operation, plausible);
        }
        let names: Vec<String> = operations.iter().map(Operation::name).collect();
        assert_eq!(before, club.everything(&tables), "one of these changed something: {names:?}");
    }
    club.logged_no_failure();
}

/// The plausible request, to be spoilt.
fn request<'a>(admin: &'a Person, operation: &Operation, plausible: &Plausible) -> Request<'a> {
    let request = admin.client.request(&operation.method, &plausible.path);
    match &plausible.body {
        Some(body) => request.json(body),
        None => request,
    }
}

#[track_caller]
fn refused(operation: &Operation, answer: Answer, status: u16, code: &str) -> Answer {
    operation.is_told(&answer);
    answer.refused(status, code)
}

/// The answer names this place among the mistakes of the request.
#[track_caller]
fn tells_of(answer: &Answer, place: &str) {
    let told = answer.body["errors"].as_array().into_iter().flatten();
    let mut places = told.filter_map(|error| error["field"].as_str());
    assert!(places.any(|told| told.starts_with(place)), "{place} is not named: {answer}");
}

/// Bad bodies are refused before any database is used, so one database is enough.
#[test]
fn bodies_that_are_wrong() {
    let Some((club, admin)) = open(Db::Sqlite) else { return };
    walk(&club, &admin, |operation, plausible| {
        let Some(body) = &plausible.body else { return };
        let send = |kind: &str, bytes: &[u8], status: u16, code: &str| {
            let request = admin.client.request(&operation.method, &plausible.path);
            refused(operation, request.raw(kind, bytes.to_vec()).send(), status, code)
        };
        let good = body.to_string().into_bytes();
        let twice = [good.clone(), good.clone()].concat();
        for bytes in [&b""[..], b"{", b"{\"", b"nonsense", &twice, b"\xff\xfe", &good[..good.len() - 1]] {
            send("application/json", bytes, 400, "malformed_json");
        }
        for bytes in [&b"null"[..], b"17", b"\"text\"", b"[]", b"[17]", b"true"] {
            send("application/json", bytes, 400, "invalid_body");
        }
        // Deep nesting overflows nothing. Whether the type or the depth is refused first does not matter.
        let deep = admin.client.request(&operation.method, &plausible.path);
        let deep = deep.raw("application/json", "[".repeat(1000).into_bytes()).send();
        assert!(["malformed_json", "invalid_body"].map(Value::from).contains(&deep.body["code"]), "{deep}");
        for kind in ["text/plain", "application/x-www-form-urlencoded", "application/xml", "nonsense"] {
            send(kind, &good, 415, "not_json");
        }
        let mut long = good.clone();
        long.resize(BODY_LIMIT + 1, b' ');
        send("application/json", &long, 413, "body_too_large");

        let mut more = body.clone();
        more["nonsense"] = json!(1);
        tells_of(&send("application/json", more.to_string().as_bytes(), 400, "invalid_body"), "/nonsense");
        for field in body.as_object().expect("an object").keys() {
            for wrong in [json!(-17), json!({"wrong": "type"}), json!([["wrong"]])] {
                let mut spoilt = body.clone();
                spoilt[field] = wrong;
                let answer = send("application/json", spoilt.to_string().as_bytes(), 400, "invalid_body");
                tells_of(&answer, &format!("/{field}"));
            }
        }
    });
}

/// A character that PostgreSQL cannot store in text, and others that do not belong in names.
#[rstest]
fn texts_that_no_database_should_see(#[values(Db::one(), Db::other())] db: Db) {
    let Some((club, admin)) = open(db) else { return };
    walk(&club, &admin, |operation, plausible| {
        let Some(body) = &plausible.body else { return };
        for (field, value) in body.as_object().expect("an object") {
            // A table is looked at whatever it is: the answer says what is wrong with it.
            let looks_at_a_table = operation.path.ends_with("/imports/preview") && field == "csv";
            if !value.is_string() || looks_at_a_table {
                continue;
            }
            for wrong in ["\0", "a\0b", "\u{1b}[2J", &"long".repeat(300)] {
                let mut spoilt = body.clone();
                spoilt[field] = json!(wrong);
                let answer = admin.client.request(&operation.method, &plausible.path).json(&spoilt).send();
                operation.is_told(&answer);
                assert!((400..500).contains(&answer.status), "{field}: {wrong:?}: {answer}");
                assert!(answer.body["code"].is_string(), "{answer}");
            }
        }
    });
}

#[rstest]
fn ids_that_are_none_and_ids_of_nothing(#[values(Db::one(), Db::other())] db: Db) {
    let Some((club, admin)) = open(db) else { return };
    walk(&club, &admin, |operation, plausible| {
        // Here any name is valid for something new.
        if operation.parameters("path").count() == 0 || operation.name() == "PUT /house-rules/{name}" {
            return;
        }
        let nil = Uuid::nil().to_string();
        let long = "9".repeat(3000);
        for id in ["x", "0", "-1", "%00", "%ff", "..%2f..", "%7B%7D", NOTHING, &nil, &long] {
            let path = filled(&operation.path, id);
            let there = Plausible { path, body: plausible.body.clone() };
            refused(operation, request(&admin, operation, &there).send(), 404, "not_found");
        }
    });
}

/// Bad queries are refused before any database is used, so one database is enough.
#[test]
fn queries_that_are_wrong() {
    let Some((club, admin)) = open(Db::Sqlite) else { return };
    walk(&club, &admin, |operation, plausible| {
        let ask = |query: &str| admin.client.get(&format!("{}?{query}", plausible.path));
        let names: Vec<&str> = operation.parameters("query").collect();
        if names.is_empty() {
            return;
        }
        tells_of(&refused(operation, ask("nonsense=1"), 400, "invalid_query"), "nonsense");
        refused(operation, ask("limit=1&limit=2"), 400, "invalid_query");
        for name in names {
            let wrong: &[&str] = match name {
                "limit" => &["", "x", "0", "-1", "201", "1e3", "99999999999999999999"],
                "after" => &["x", "%00", "99999999999999999999", "1.5"],
                "correct" => &["", "x", "-1", "1.5", "4294967296"],
                "flight" | "round" => &["", "x", "-1", "256"],
                "night" => &["", "yesterday", "2026-02-30", "%00"],
                "from" | "until" | "on" => &["", "yesterday", "2026-02-30", "1899-12-31", "%00"],
                "kind" | "purpose" | "variant" | "began" | "format" => &["", "raffle", "0", "%00"],
                "player" | "players" | "tournament" | "chouette" | "match" | "opponent" => {
                    &["", "x", "%00", "1"]
                }
                "closed" | "active" | "open" | "contested" => &["", "maybe", "2", "%00"],
                "kinds" => &["", "raffle", "chouette,", "%00"],
                "unit" | "currency" => &["nonsense", "%00", "eur"],
                "own" | "other" => &["", "x", "0", "-1", "26", "1.5"],
                "crawford" => &["", "maybe", "2"],
                "cube" => &["", "x", "0", "-2", "3", "2097152"],
                "for" => &["", "people", "0", "%00"],
                "language" => &["xx", "0", "%00"],
                // Any text may be searched for.
                "search" => &[],
                other => panic!("{}: what is wrong for {other}?", operation.name()),
            };
            for value in wrong {
                let answer = refused(operation, ask(&format!("{name}={value}")), 400, "invalid_query");
                // What the schema cannot say has its field alone; of a day outside the calendar, or beside a
                // parameter that is missing, not even that is told.
                let is_missing = answer.body["errors"][0]["code"] == "required";
                if answer.body["field"] != name && *value != "1899-12-31" && !is_missing {
                    tells_of(&answer, name);
                }
            }
            if name == "search" {
                for text in ["%00", "a%00b", "%25", "_", "%27%3B--", "%5C", "%F0%9F%A6%89", "%ff"] {
                    let answer = ask(&format!("search={text}"));
                    assert!([200, 400].contains(&answer.status), "{text}: {answer}");
                }
            }
        }
    });
}

#[rstest]
fn conditions_that_are_wrong(#[values(Db::one(), Db::other())] db: Db) {
    let Some((club, admin)) = open(db) else { return };
    let overlong = "k".repeat(129);
    walk(&club, &admin, |operation, plausible| {
        let declared: Vec<&str> = operation.parameters("header").collect();
        let send = |name: &str, value: &str| request(&admin, operation, plausible).header(name, value).send();
        if declared.contains(&"If-Match") {
            for tag in ["7", "W/\"7\"", "\"x\"", "\"\"", "\"", "\"99999999999999999999\"", "\"1\", \"2\""] {
                refused(operation, send("If-Match", tag), 400, "invalid_if_match");
            }
            for stale in ["\"0\"", "\"-1\"", "\"9223372036854775807\"", "\"-9223372036854775808\""] {
                refused(operation, send("If-Match", stale), 412, "stale_version");
            }
        }
        if declared.contains(&"Idempotency-Key") {
            for key in ["", &overlong, "chiave è"] {
                refused(operation, send("Idempotency-Key", key), 400, "invalid_idempotency_key");
            }
        }
    });
}

/// A token like the given one, but expired a while ago.
fn expired(access_token: &str) -> String {
    let payload = access_token.split('.').nth(1).expect("a payload");
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap();
    let (id, secret) = SIGNING_KEY.split_once(':').unwrap();
    let key = SigningKey::new(id, &secret.as_bytes().to_vec().into()).unwrap();
    let grant = AccessGrant {
        account: serde_json::from_value(claims["sub"].clone()).unwrap(),
        session: serde_json::from_value(claims["sid"].clone()).unwrap(),
        epoch: serde_json::from_value(claims["epoch"].clone()).unwrap(),
    };
    let then = (Utc::now() - TimeDelta::hours(1)).into();
    KeyRing::new(vec![key]).unwrap().issue(grant, Uuid::now_v7(), then, TimeDelta::minutes(15))
}

#[rstest]
fn tokens_that_prove_nothing(#[values(Db::one(), Db::other())] db: Db) {
    let Some((club, admin)) = open(db) else { return };
    let access = super::text(&admin.tokens["access_token"]).to_owned();
    let made = admin.client.post("/api/v1/tokens", &json!({"name": "lost"})).good().body;
    let lost = super::text(&made["token"]).to_owned();
    admin.client.bearer(&lost).get("/api/v1/me").good();
    assert_eq!(admin.client.delete(&format!("/api/v1/tokens/{}", super::text(&made["id"]))).status, 204);
    // Changing the signature's first character certainly matters.
    let (signed, signature) = access.rsplit_once('.').unwrap();
    let other = if signature.starts_with('A') { 'B' } else { 'A' };
    let tampered = format!("{signed}.{other}{}", &signature[1..]);
    let unsigned =
        format!("{}.{}.", URL_SAFE_NO_PAD.encode(br#"{"alg":"none"}"#), signed.split('.').nth(1).unwrap());
    let invalid = [
        format!("Bearer {tampered}"),
        format!("Bearer {unsigned}"),
        format!("Bearer {lost}"),
        format!("Bearer {}", super::text(&admin.tokens["refresh_token"])),
        "Bearer owlt_x".to_owned(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        "Basic YWRtaW46eA==".to_owned(),
        "nonsense".to_owned(),
    ];
    let expired = format!("Bearer {}", expired(&access));
    let browser = browser(&club);
    let street = club.public.clone();
    walk(&club, &admin, |operation, plausible| {
        if !operation.is_secured() {
            return;
        }
        let with = |value: Option<&str>| {
            let mut request = street.request(&operation.method, &plausible.path);
            if let Some(body) = &plausible.body {
                request = request.json(body);
            }
            value.into_iter().fold(request, |request, value| request.header("Authorization", value)).send()
        };
        for value in &invalid {
            refused(operation, with(Some(value)), 401, "invalid_token");
        }
        refused(operation, with(Some(&expired)), 401, "expired_token");
        let missing = with(None);
        assert_eq!(missing.header("www-authenticate"), Some("Bearer"), "{missing}");
        refused(operation, missing, 401, "not_signed_in");
        // Browsers send cookies whichever page made the request, so cookies prove nothing for requests that
        // change something.
        if operation.method != "GET" {
            let mut request = browser.request(&operation.method, &plausible.path);
            if let Some(body) = &plausible.body {
                request = request.json(body);
            }
            refused(operation, request.send(), 401, "not_signed_in");
        }
    });
    browser.get("/api/v1/me").good();
}

/// Signed in on the pages, so that cookies identify the caller.
fn browser(club: &Club) -> crate::support::client::Client {
    let browser = club.public.cookies();
    let page = browser.get("/sign-in").good();
    let csrf = super::pages::csrf(&page);
    let form = [("csrf", csrf.as_str()), ("login", ADMIN.0), ("password", ADMIN.1)];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    browser
}

#[test]
fn methods_and_paths_that_are_not_there() {
    let Some((club, admin)) = open(Db::Sqlite) else { return };
    let known: Vec<String> = club.operations().iter().map(Operation::name).collect();
    walk(&club, &admin, |operation, plausible| {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"] {
            let name = format!("{method} {}", operation.path.trim_start_matches("/api/v1"));
            // `schema` looks like the name of a set, but is taken.
            if known.contains(&name)
                || ["PUT", "DELETE"].map(|m| format!("{m} /house-rules/schema")).contains(&name)
            {
                continue;
            }
            let answer = admin.client.request(method, &plausible.path).json(&json!({})).send();
            let answer = answer.refused(405, "method_not_allowed");
            let allowed = answer.header("allow").expect("the methods that it takes").to_owned();
            assert!(allowed.split(", ").any(|taken| taken == operation.method), "{name}: {answer}");
        }
        let longer = format!("{}/nonsense", plausible.path);
        let answer = admin.client.request(&operation.method, &longer).json(&json!({})).send();
        // The added segment may be the name of something that does not accept this method.
        let (status, code) = match answer.status {
            405 => (405, "method_not_allowed"),
            _ => (404, "not_found"),
        };
        answer.refused(status, code);
    });
    for path in ["/api/v1", "/api/v1/", "/api/v1/nonsense", "/api/v2/me", "/api", "/api/v1//me"] {
        admin.client.get(path).refused(404, "not_found");
    }
}

/// In JSON and JSON Schema `500.0` is the number 500, and some languages write it so.
#[test]
fn a_whole_number_may_be_written_with_a_point() {
    let Some((club, admin)) = open(Db::Sqlite) else { return };
    let _ = &club;
    let send = |body: &str| {
        admin
            .client
            .request("POST", "/api/v1/chouettes")
            .raw("application/json", body.as_bytes().to_vec())
            .send()
    };
    let stake = |amount: &str| {
        send(&format!(r#"{{"name": "Friday", "stake": {{"amount": {amount}, "currency": "EUR"}}}}"#))
    };
    for amount in ["500.0", "500.00", "5e2", "500"] {
        assert_eq!(stake(amount).good().body["chouette"]["stake"]["amount"], 500, "{amount}");
    }
    for amount in ["500.5", "-500.0", "5e300", "\"500\"", "0.0"] {
        stake(amount).refused(400, "invalid_body");
    }
}
