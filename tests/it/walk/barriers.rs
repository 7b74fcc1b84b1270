//! Accessibility barriers as axe-core finds them: there must be none, of any severity, on any page.

use rstest::rstest;
use serde_json::json;

use super::{Club, PASSWORD, pages, text};
use crate::support::browser::Browser;
use crate::support::databases::Db;

/// A public tournament like the club's others, for the pages that exist only for public ones.
fn public_tournament(club: &Club) -> String {
    let about = json!({"name": "Public open", "date": "2026-11-20", "currency": "EUR", "public": true});
    let id = text(&club.admin.post("/api/v1/tournaments", &about).good().body["id"]).to_owned();
    let entries: Vec<_> = (0..5).map(|_| json!({ "player": club.player() })).collect();
    for command in [
        json!({"command": "add_division", "settings": {"name": "Championship"}}),
        json!({"command": "enter", "entries": entries}),
        json!({"command": "draw"}),
        json!({"command": "set_tables", "tables": [{"table": 1}]}),
        json!({"command": "call_next"}),
    ] {
        club.admin.post(&format!("/api/v1/tournaments/{id}/commands"), &command).good();
    }
    id
}

/// Whether there is time for every page at both sizes, and in both colour schemes.
fn at_length() -> bool {
    std::env::var_os("OWLBOX_WALKS").is_some()
}

/// The violations on a page, by day or by night.
fn found_on(browser: &Browser, site: &str, page: &str, night: bool, found: &mut Vec<String>) {
    browser.by_night(night);
    browser.goto(&format!("{site}{page}"));
    let mut wrong = browser.barriers(&[]);
    if at_length() {
        // The other colour scheme changes only colours, and a test of the pages computes the contrast of each
        // pair.
        browser.by_night(!night);
        wrong.extend(browser.barriers(&["color-contrast"]));
    }
    found.extend(wrong.into_iter().map(|one| format!("{page}: {one}")));
}

#[rstest]
#[case::a_phone(390, 844)]
#[case::a_laptop(1280, 800)]
fn nothing_keeps_anybody_out_of_any_page(#[case] width: u32, #[case] height: u32) {
    let Some(browser) = Browser::open(width, height) else { return };
    let Some(club) = Club::open(Db::Sqlite, &[]) else { return };
    if !browser.equip() {
        return;
    }
    let site = club.server().url();
    let tournament = public_tournament(&club);
    let mut found = Vec::new();
    let embedded = format!("/tournaments/{tournament}/1/embed");
    let settings = json!({"name": "Milano", "time_zone": "Europe/Rome", "currencies": ["EUR"],
        "public": {"tables": false, "standings": false}, "self_registration": "confirmed"});
    club.admin.put("/api/v1/settings", &settings).good();
    for (login, name) in [("maria", "Maria Rossi"), ("lou", "Lou Reed")] {
        let asks = json!({"login": login, "name": name, "password": PASSWORD});
        assert_eq!(club.public.post("/api/v1/registrations", &asks).status, 202);
    }
    let documents = ["/docs/ui", "/docs/problems"];
    let open = ["/", "/sign-in", "/register", "/register?asked", "/tournaments", "/nonsense", &embedded];
    for page in open.into_iter().chain(documents) {
        found_on(&browser, site, page, width < 500, &mut found);
    }
    browser.goto(&format!("{site}/sign-in"));
    browser.fill("#login", &club.somebody("admin").login);
    browser.fill("#password", PASSWORD);
    browser.click("main form button.main");
    browser.wait_for("nav.tabs");
    let mut all = pages::shown(&club);
    all.extend(
        ["", "/1", "/1/places", "/1/entries", "/screen", "/desk"]
            .map(|below| format!("/tournaments/{tournament}{below}")),
    );
    let sizes = if at_length() { 1 } else { 2 };
    for page in all.iter().skip(usize::from(width < 500) % sizes).step_by(sizes) {
        found_on(&browser, site, page, width < 500, &mut found);
    }
    assert!(found.is_empty(), "{} things:\n{}", found.len(), found.join("\n"));
}
