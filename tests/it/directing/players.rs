//! What players do beside the desk: report on their own pages, hear that they are called, confirm.

use super::*;
use crate::support::evening::Phone;

/// A player reports their result on their own page, to which the tournament and the match link. Nobody else
/// is asked.
#[test]
fn a_signed_in_player_says_how_their_match_ended() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let Some(ada) = Phone::of_player(&hall.house, &hall.director, ("Ada", &hall.players["Ada"])) else {
        return;
    };
    let home = format!("/tournaments/{}", hall.id);
    ada.goto(&home);
    ada.tap("My matches");
    ada.sees("#report", "How did it end?");
    ada.tap("5–3");
    ada.sees("#report", "You reported 5–3.");
    hall.does(&json!({"command": "report", "match": 1, "entry": 2, "score": [2, 5]}));
    ada.sees("#report", "Your reports differ: see the director.");
    ada.goto(&format!("{home}/players/{}", hall.players["Bea"]));
    assert_eq!(ada.browser.count("#report"), 0);
    ada.goto(&format!("{home}/1/matches/1"));
    ada.tap("How did it end?");
    ada.sees("#report", "You reported 5–3.");
    // The director sees that the reports differ, and can still call matches.
    hall.does(&json!({"command": "set_tables", "tables": [{"table": 1}]}));
    let director = hall.browser(ADMIN.0, ADMIN.1);
    let page = director.get(&hall.desk("")).good();
    assert!(page.text().contains("Two players’ reports differ"), "{page}");
    leads_to(&press(&director, &page, "Call the next match to the free table", &[]), &hall.desk(""));
    // A postponed match asks nobody for a result.
    hall.does(&json!({"command": "postpone", "match": 1}));
    ada.goto(&format!("{home}/players/{}", hall.players["Ada"]));
    ada.sees("#next-match", "postponed until the director says so");
    assert_eq!(ada.browser.count("#report"), 0);
}

/// Where matches are called, nobody is asked for a result before the call. A player who wants to hears the
/// call, and what the other player has reported is confirmed with one tap.
#[test]
fn a_called_player_hears_it_and_confirms_with_one_tap() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let Some(ada) = Phone::of_player(&hall.house, &hall.director, ("Ada", &hall.players["Ada"])) else {
        return;
    };
    hall.does(&json!({"command": "set_tables", "tables": [{"table": 1}, {"table": 2}]}));
    let own = format!("/tournaments/{}/players/{}", hall.id, hall.players["Ada"]);
    ada.goto(&own);
    assert_eq!(ada.browser.count("#report"), 0, "nobody has played before the call");
    let title = ada.browser.title();
    ada.browser.run("window.rings = 0; document.addEventListener('ring', () => { window.rings += 1; })");
    ada.tap("Sound on my turn");
    ada.browser.wait_for("#bell[aria-pressed=true]");
    let rings = || ada.browser.run("return window.rings").as_u64().unwrap();
    ada.browser.wait_until("the sound to be tried", || rings() == 1);
    hall.does(&json!({"command": "call", "match": 1, "table": 2}));
    ada.sees("#report", "How did it end?");
    ada.browser.wait_until("the title to say so", || ada.browser.title().starts_with('●'));
    assert_eq!(rings(), 2);
    hall.does(&json!({"command": "call", "match": 2, "table": 1}));
    hall.does(&json!({"command": "report", "match": 1, "entry": 2, "score": [3, 5]}));
    ada.sees("#report", "Bea reported 3–5.");
    assert_eq!(rings(), 2, "what others do rings for them");
    if let Ok(folder) = std::env::var("OWLBOX_TEST_PICTURES") {
        ada.browser.screenshot(&std::path::Path::new(&folder).join("confirm.png"));
    }
    ada.tap("Confirm 3–5");
    ada.browser.wait_until_gone("#report");
    assert_eq!(hall.get("/divisions/1/matches/1")["outcome"]["score"], json!([3, 5]));
    assert_eq!(ada.browser.title(), title, "nothing calls any more");
    assert_eq!(
        ada.browser.attribute("#bell", "aria-pressed").as_deref(),
        Some("true"),
        "the wish is remembered"
    );
}

/// Beside the bell and the word of the connection there is room for the words of a long name, each in one
/// piece.
#[test]
fn a_long_name_keeps_its_words_whole_beside_the_bell() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let director = house.admin();
    let name = "Giambattista Quaglia-Montefiore";
    let player = house.player(&director, name);
    let about = json!({"name": "Spring Open", "date": "2026-11-20"});
    let opened = director.post("/api/v1/tournaments", &about).good();
    let id = opened.body["id"].as_str().unwrap();
    for command in [
        json!({"command": "add_division", "settings": {"lengths": [5]}}),
        json!({"command": "enter", "entries": [{"player": player}]}),
    ] {
        director.post(&format!("/api/v1/tournaments/{id}/commands"), &command).good();
    }
    let Some(phone) = Phone::of_player(&house, &director, ("Giambattista", &player)) else { return };
    phone.goto(&format!("/tournaments/{id}/players/{player}"));
    phone.browser.wait_for("#bell");
    for width in [390, 360, 320] {
        phone.browser.resize(width, 740);
        phone.fits();
        let title = phone.browser.run("return document.querySelector('h1').getClientRects()[0].height");
        assert!(title.as_f64() < Some(110.0), "at {width}: {title}");
    }
    phone.tap("Sound on my turn");
    phone.browser.wait_for("#bell[aria-pressed=true]");
    assert_eq!(
        phone.browser.run("return getComputedStyle(document.querySelector('#bell .off')).display"),
        json!("none"),
        "its shape says that it is on"
    );
}

#[test]
fn what_players_say_stops_no_director() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "result", "match": 1, "ended": {"ending": "played", "score": [5, 0]}}));
    let says =
        |score: [u16; 2]| hall.does(&json!({"command": "report", "match": 2, "entry": 3, "score": score}));
    let shown = browser.get(&hall.desk("/1/matches/1/correct?ended=played-lower-4&later=void")).good();
    let desk = browser.get(&hall.desk("")).good();
    says([5, 1]);
    leads_to(&press(&browser, &desk, "Undo: Ada beats Bea 5–0", &[]), &hall.desk(""));
    says([5, 2]);
    let redo = browser.get(&hall.desk("")).good();
    says([5, 3]);
    leads_to(&press(&browser, &redo, "Redo: Ada beats Bea 5–0", &[]), &hall.desk(""));
    let stale = press(&browser, &shown, "Record: Bea beats Ada 5–4", &[]);
    assert_eq!(stale.status, 412, "it was taken back and put back since: {stale}");
    let shown = browser.get(&hall.desk("/1/matches/1/correct?ended=played-lower-4&later=void")).good();
    says([5, 1]);
    leads_to(&press(&browser, &shown, "Record: Bea beats Ada 5–4", &[]), &hall.desk("/1/matches/1"));
    let said = hall.get("/queue")["reported"][0]["slots"][0]["reported"].clone();
    assert_eq!(said, json!([5, 1]), "what was said stands through all of it");
}
