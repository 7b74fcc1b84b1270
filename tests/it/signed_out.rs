//! A form whose sign-in is gone keeps what was typed (C22): signed out in another tab, elsewhere, or signed
//! in anew.

use serde_json::json;

use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};
use crate::walk::csrf;

const TYPED: &str = "Zed \"Zeta\" Zedson\nAnna <Rossi>";

pub(crate) fn signed_in(house: &House) -> Client {
    let browser = house.server.public().cookies();
    signs_in(&browser, &[]);
    browser
}

fn signs_in(browser: &Client, more: &[(&str, &str)]) -> Answer {
    let token = csrf(&browser.get("/sign-in").good());
    let form = [&[("csrf", token.as_str()), ("login", ADMIN.0), ("password", ADMIN.1)][..], more].concat();
    browser.request("POST", "/sign-in").form(&form).send()
}

/// The hidden fields of the form of a page that posts to this address.
fn hidden(page: &Answer, action: &str) -> Vec<(String, String)> {
    let text = page.text();
    let form = text.split("<form").find(|form| form.contains(&format!("action=\"{action}\""))).unwrap();
    let form = form.split("</form>").next().unwrap();
    let inputs = form.split("<input").filter(|input| input.contains("type=\"hidden\""));
    let value = |input: &str, name: &str| {
        let (_, rest) = input.split_once(&format!(" {name}=\"")).unwrap();
        let raw = rest.split('"').next().unwrap();
        raw.replace("&#34;", "\"").replace("&#60;", "<").replace("&#62;", ">").replace("&#38;", "&")
    };
    inputs.map(|input| (value(input, "name"), value(input, "value"))).collect()
}

fn sends(browser: &Client, path: &str, fields: &[(String, String)]) -> Answer {
    let fields: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.request("POST", path).form(&fields).send()
}

#[test]
fn c22_a_form_whose_sign_in_is_gone_keeps_its_text_through_signing_in() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let admin = house.admin();
    let opened = admin.post("/api/v1/tournaments", &json!({"name": "Open", "date": "2026-11-20"})).good();
    let id = opened.body["id"].as_str().unwrap();
    admin
        .post(
            &format!("/api/v1/tournaments/{id}/commands"),
            &json!({"command": "add_division", "settings": {"name": "M", "lengths": [7]}}),
        )
        .good();
    let path = format!("/tournaments/{id}/desk/1/entries");
    let form = |browser: &Client| {
        let mut fields = hidden(&browser.get(&path).good(), &path);
        fields.push(("names".to_owned(), TYPED.to_owned()));
        fields
    };
    for how in ["cookies gone", "signed out in another tab", "signed out everywhere", "signed in again since"]
    {
        let browser = signed_in(&house);
        let fields = form(&browser);
        let sender = match how {
            "cookies gone" => house.server.public().cookies(),
            "signed in again since" => signed_in(&house),
            _ => browser,
        };
        if how.starts_with("signed out") {
            let out = if how.ends_with("everywhere") { "/account/sign-out-everywhere" } else { "/sign-out" };
            // In another browser of the same person, where the cookies of this one stay.
            let other = if how.ends_with("everywhere") { signed_in(&house) } else { sender.clone() };
            let token = csrf(&other.get("/account").good());
            other.request("POST", out).form(&[("csrf", &token)]).send();
        }
        let refused = sends(&sender, &path, &fields);
        assert!(matches!(refused.status, 401 | 403), "{how}: {refused}");
        let text = refused.text();
        assert!(
            text.contains("Zed &#34;Zeta&#34; Zedson") && text.contains("Anna &#60;Rossi&#62;"),
            "{how}: {refused}"
        );
        let ready = if how == "signed in again since" {
            refused
        } else {
            let mut sign_in = hidden(&refused, "/sign-in");
            // A wrong password keeps it as well.
            let with = |password: &str, fields: &[(String, String)]| {
                let more = [("login", ADMIN.0), ("password", password)];
                let more = more.map(|(name, value)| (name.to_owned(), value.to_owned()));
                [fields, &more[..]].concat()
            };
            let wrong = sends(&sender, "/sign-in", &with("not the password", &sign_in));
            assert!((400..500).contains(&wrong.status), "{how}: {wrong}");
            sign_in = hidden(&wrong, "/sign-in");
            sends(&sender, "/sign-in", &with(ADMIN.1, &sign_in)).good()
        };
        let again = hidden(&ready, &path);
        assert!(again.iter().any(|(name, value)| name == "names" && value == TYPED), "{how}: {again:?}");
        let entered = sends(&sender, &path, &again);
        assert!(matches!(entered.status, 200 | 303 | 422), "{how}: it is read as ever: {entered}");
        assert!(!entered.text().contains("unsent"), "{how}: {entered}");
    }
}

#[test]
fn c22_a_long_text_is_kept_as_well_and_strangers_send_none() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let path = "/ledger/import/preview";
    let csv: String = (0..2_500).map(|one| format!("Somebody Called {one},EUR,1\n")).collect();
    let csv = format!("player,unit,amount\n{csv}");
    assert!(csv.len() > 60 << 10);
    let mut fields = hidden(&signed_in(&house).get("/ledger/import").good(), path);
    fields.push(("csv".to_owned(), csv.clone()));
    let same = |fields: &[(String, String)]| {
        let kept = fields.iter().find(|(name, _)| name.trim_start_matches("unsent:") == "csv");
        kept.is_some_and(|(_, kept)| kept.lines().eq(csv.lines()))
    };
    let sender = house.server.public().cookies();
    let refused = sends(&sender, path, &fields);
    assert_eq!(refused.status, 403, "{}", refused.status);
    let sign_in = hidden(&refused, "/sign-in");
    assert!(same(&sign_in));
    let with = |password: &str| {
        let more = [("login", ADMIN.0), ("password", password)];
        let more = more.map(|(name, value)| (name.to_owned(), value.to_owned()));
        sends(&sender, "/sign-in", &[&sign_in[..], &more[..]].concat())
    };
    assert!(same(&hidden(&with("not the password"), "/sign-in")));
    let again = hidden(&with(ADMIN.1).good(), path);
    assert!(same(&again));
    assert!(sends(&sender, path, &again).good().text().contains("Somebody Called 7"));
    // No other form without a session is as long, nor one of another site.
    let stranger = house.server.public().cookies();
    for to in ["/set-up", "/language", "/theme", "/account/password"] {
        assert_eq!(sends(&stranger, to, &fields).status, 413, "{to}");
    }
    let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let foreign =
        stranger.request("POST", path).header("origin", "https://evil.example").form(&fields).send();
    assert_eq!(foreign.status, 413);
}

#[test]
fn c22_what_another_site_sends_and_what_is_secret_is_not_kept() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let browser = signed_in(&house);
    let form = [("csrf", "none"), ("name", "Mallory")];
    let foreign =
        browser.request("POST", "/players").header("origin", "https://evil.example").form(&form).send();
    assert!(foreign.status == 403 && !foreign.text().contains("Mallory"), "{foreign}");
    let form = [("csrf", "none"), ("current", "a secret of mine"), ("password", "another secret")];
    let secret = browser.request("POST", "/account/password").form(&form).send();
    assert!(secret.status == 403 && !secret.text().contains("secret of mine"), "{secret}");
    // An address of another site is none to send anything to.
    let elsewhere = signs_in(
        &house.server.public().cookies(),
        &[("unsent-to", "//evil.example/x"), ("unsent:name", "x")],
    );
    assert_eq!(elsewhere.status, 303, "{elsewhere}");
}
