//! A club's own words for box, captain and crew: set on its page, read at its tables in every language.

use serde_json::json;

use crate::support::evening::{Evening, Phone};

/// Reads the page in this language from now on.
fn reads_in(phone: &Phone, language: &str) {
    phone.browser.run(&format!("document.cookie = 'owlbox_language={language}; path=/'"));
}

#[test]
fn a_clubs_own_words_for_the_seats_stand_on_its_pages_in_every_language() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let phone = &evening.phone;
    phone.act("Game 1 starts");
    phone.sees(".seat.box", "Box");

    phone.goto("/settings");
    phone.fill("seat-box", "Capo");
    phone.fill("seat-crew", "Ciurma");
    phone.fits();
    phone.tap("Save");
    phone.sees(".notice", "Saved");
    assert_eq!(phone.browser.attribute("#seat-box", "value").as_deref(), Some("Capo"));
    let settings = || evening.table.client.get("/api/v1/settings").good().body;
    assert_eq!(settings()["seat_words"], json!({"box": "Capo", "captain": null, "crew": "Ciurma"}));

    evening.goto("");
    phone.sees(".seat.box", "Capo");
    phone.sees(".seat.captain", "Captain");
    phone.act("Capo doubles everybody to 2");
    phone.goto("/house-rules");
    phone.sees("#own-words", "box = Capo · captain = Captain · crew = Ciurma");
    for (language, said) in [
        ("de", "Capo verdoppelt gegen alle auf 2"),
        ("fr", "Capo double tout le monde à 2"),
        ("it", "Capo raddoppia a 2 contro tutti"),
    ] {
        reads_in(phone, language);
        evening.goto("");
        phone.sees("#log li:first-child", said);
        phone.sees(".seat.box", "Capo");
        phone.fits();
    }
    reads_in(phone, "en");

    // Without a word of its own the club reads its language's again.
    phone.goto("/settings");
    phone.fill("seat-box", "");
    phone.fill("seat-crew", "");
    phone.tap("Save");
    phone.sees(".notice", "Saved");
    evening.goto("");
    phone.sees("#log li:first-child", "Box doubles everybody to 2");
    evening.ends_well();
}

#[test]
fn a_word_for_a_seat_is_one_short_line() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let client = &evening.table.client;
    let before = client.get("/api/v1/settings").good().body;
    for (word, status) in
        [(json!("Capo"), 200), (json!("x".repeat(21)), 400), (json!(" "), 400), (json!(7), 400)]
    {
        let mut settings = before.clone();
        settings["seat_words"]["captain"] = word.clone();
        assert_eq!(client.put("/api/v1/settings", &settings).status, status, "{word}");
    }
    // Settings as written before there were such words are still taken, and leave the words as they are.
    let mut old = before;
    old.as_object_mut().unwrap().remove("seat_words");
    old["exposure_limit"] = json!(512);
    client.put("/api/v1/settings", &old).good();
    assert_eq!(client.get("/api/v1/settings").good().body["seat_words"]["captain"], json!("Capo"));

    let phone = &evening.phone;
    phone.goto("/settings");
    phone.browser.run("document.getElementById('seat-captain').removeAttribute('maxlength')");
    phone.fill("seat-captain", "Mannschaftskapitäninnen");
    phone.tap("Save");
    phone.sees(".notice.problem", "");
    assert_eq!(
        phone.browser.attribute("#seat-captain", "value").as_deref(),
        Some("Mannschaftskapitäninnen"),
        "what was typed stays"
    );
    evening.ends_well();
}
