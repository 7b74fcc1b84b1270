//! A tournament directed with taps: calls, results, corrections, undo.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::{ADMIN, House};

const EIGHT: [&str; 8] = ["Ada", "Bea", "Cleo", "Dino", "Elio", "Fia", "Gino", "Ida"];

/// A tournament and the phone of its director.
pub(super) struct Hall {
    pub(super) phone: Phone,
    pub(super) director: Client,
    pub(super) id: String,
    pub(super) players: BTreeMap<String, String>,
    pub(super) house: House,
}

impl Hall {
    /// A tournament of one division with these settings and entries.
    pub(super) fn with(browser: Option<Browser>, names: &[&str], settings: &Value) -> Option<Self> {
        let browser = browser?;
        let house = House::open(Db::Sqlite)?;
        let director = house.admin();
        let about = json!({"name": "Spring Open", "date": "2026-11-20", "currency": "EUR"});
        let opened = director.post("/api/v1/tournaments", &about).good();
        let id = opened.body["id"].as_str().unwrap().to_owned();
        let players: BTreeMap<String, String> =
            names.iter().map(|name| ((*name).to_owned(), house.player(&director, name))).collect();
        let phone = Phone::signed_in(browser, &house, ADMIN);
        let hall = Self { phone, director, id, players, house };
        hall.does(&json!({"command": "add_division", "settings": settings}));
        let entries: Vec<Value> = names.iter().map(|name| json!({"player": hall.players[*name]})).collect();
        hall.does(&json!({"command": "enter", "entries": entries}));
        Some(hall)
    }

    /// Eight entrants, drawn in order of entry: Ada against Bea and so on.
    pub(super) fn eight(browser: Option<Browser>, settings: &Value) -> Option<Self> {
        let hall = Self::with(browser, &EIGHT, settings)?;
        let slots: Vec<u32> = (1..=8).collect();
        hall.does(&json!({"command": "draw", "method": {"by": "hand", "slots": slots}}));
        Some(hall)
    }

    #[track_caller]
    pub(super) fn does(&self, command: &Value) {
        self.director.post(&format!("/api/v1/tournaments/{}/commands", self.id), command).good();
    }

    #[track_caller]
    pub(super) fn get(&self, below: &str) -> Value {
        self.director.get(&format!("/api/v1/tournaments/{}{below}", self.id)).good().body
    }

    /// Saves a picture of the page, if one is wanted: for the eye, not for the test.
    pub(super) fn pictures(&self, phone: &Phone, name: &str) {
        let Ok(folder) = std::env::var("OWLBOX_TEST_PICTURES") else { return };
        for (night, look) in [(false, "day"), (true, "night")] {
            phone.browser.by_night(night);
            phone.browser.screenshot(&std::path::Path::new(&folder).join(format!("{name}-{look}.png")));
        }
    }

    /// Opens the desk, or a page below it.
    pub(super) fn goto(&self, below: &str) {
        self.phone.goto(&format!("/tournaments/{}/desk{below}", self.id));
    }

    /// The result of a match of the first division: names and points, the winner's first.
    #[track_caller]
    fn result(&self, number: u32) -> Option<(String, [u64; 2])> {
        let at = self.get(&format!("/divisions/1/matches/{number}"));
        let upper = at["outcome"]["winner"].as_str()? == "upper";
        let player = at["slots"][usize::from(!upper)]["player"].as_str()?;
        let points = [0, 1].map(|slot: usize| at["outcome"]["score"][slot].as_u64().unwrap_or_default());
        let points = if upper { points } else { [points[1], points[0]] };
        Some((at["names"][player].as_str().unwrap().to_owned(), points))
    }

    /// The upper slot wins every match that is left.
    fn plays_on(&self) {
        loop {
            let all = self.get("/divisions/1/matches?limit=100");
            let ready = all["items"].as_array().unwrap().iter().find(|at| {
                at["outcome"].is_null() && at["legal"].as_array().unwrap().contains(&json!("result"))
            });
            let Some(at) = ready else { return };
            let ended = json!({"ending": "played", "score": [at["length"], 0]});
            self.does(&json!({"command": "result", "match": at["match"], "ended": ended}));
        }
    }

    #[track_caller]
    pub(super) fn ends_well(&self) {
        let logged = self.house.server.logged();
        assert!(!logged.contains("panicked") && !logged.contains("ERROR"), "{logged}");
    }
}

/// The most wanted feature: a result of the first round is corrected after the final, in all three ways. Each
/// is previewed, names every match that it affects, and is undone.
/// Door: desk.
#[test]
fn a_first_round_result_is_corrected_after_the_final_previewed_and_undone() {
    let settings = json!({"lengths": [7, 5], "format": {"consolation": {"of": "first_losers"}}});
    let Some(hall) = Hall::eight(Browser::phone(), &settings) else { return };
    hall.plays_on();
    let before: Vec<_> = (1..=10).map(|number| hall.result(number)).collect();
    assert_eq!(before[6], Some(("Ada".to_owned(), [7, 0])), "the final");
    let phone = &hall.phone;

    // The winner stays, and only the score changes.
    hall.goto("/1/matches/1");
    phone.sees("#outcome", "Ada beats Bea 5–0");
    phone.tap("Correct the result …");
    phone.fits();
    phone.tap("Ada wins 5–3");
    phone.sees("#confirm", "One match is affected");
    phone.fits();
    phone.tap("Record: Ada beats Bea 5–3");
    phone.sees("#outcome", "Ada beats Bea 5–3");
    assert_eq!(hall.result(7), before[6]);
    phone.tap("Undo: correction of Ada – Bea");
    phone.sees("#outcome", "Ada beats Bea 5–0");

    // Another player wins, and later results stand for her: in the final, and for the loser in the
    // consolation.
    for (way, final_is, consolation) in
        [("Later results stand", Some("Bea"), Some("Ada")), ("Later results are void", None, None)]
    {
        phone.tap("Correct the result …");
        phone.tap("Bea wins 5–2");
        phone.sees("#chosen", "Bea beats Ada 5–2");
        phone.sees(".ways-of-later", "What about the matches played since?");
        phone.click(&format!(".ways-of-later a:nth-of-type({})", if final_is.is_some() { 1 } else { 2 }));
        phone.sees("#confirm", "What this changes");
        phone.sees(".ways-of-later [aria-current=true]", way);
        phone.fits();
        hall.pictures(phone, &format!("correct-{}", final_is.is_some()));
        let told = phone.texts(".touched li").join(" | ");
        let count = phone.texts(".touched li").len();
        for said in
            ["Match 1 ", "Match 5 ", "Match 8 ", "Bea takes the place of Ada", "Ada takes the place of Bea"]
        {
            assert!(told.contains(said), "no {said:?} in {told}");
        }
        if final_is.is_some() {
            assert!(
                told.contains("Match 7 ") && told.contains("The result stands: Bea beats Elio 7–0"),
                "{told}"
            );
            assert!(!told.contains("Void"), "{told}");
        } else {
            assert!(told.contains("Void, to be played again: Ada beats Cleo 5–0"), "{told}");
            assert!(told.contains("Match 7 ") && told.contains("Ada is out; the slot is open"), "{told}");
        }
        phone.tap("Record: Bea beats Ada 5–2");
        phone.sees("#outcome", "Bea beats Ada 5–2");
        let winner = |number| hall.result(number).map(|(name, _)| name);
        assert_eq!(winner(7).as_deref(), final_is);
        assert_eq!(winner(8).as_deref(), consolation);
        assert!(count >= 5, "{told}");
        phone.tap("Undo: correction of Ada – Bea");
        phone.sees("#outcome", "Ada beats Bea 5–0");
        let after: Vec<_> = (1..=10).map(|number| hall.result(number)).collect();
        assert_eq!(after, before, "as if nothing had been");
    }
    hall.ends_well();
}

/// The return key presses no button that says who won.
#[test]
fn the_return_key_records_no_result() {
    const RETURN: &str = "\u{E007}";
    let Some(hall) = Hall::eight(Browser::phone(), &json!({"lengths": [5]})) else { return };
    let browser = &hall.phone.browser;
    let is_sent_from = |form: &str, field: &str| {
        browser.run(&format!(
            "document.querySelector({form:?}).addEventListener('submit', () => document.title = 'sent');
             document.querySelector({field:?}).focus()"
        ));
        browser.type_keys(RETURN);
        browser.title() == "sent"
    };
    hall.goto("/1/matches/1");
    browser.click("#otherwise > summary");
    browser.fill("#points-upper", "3");
    assert!(!is_sent_from(".pairing-result", "#points-upper"));
    hall.does(&json!({"command": "open_sheet", "match": 1}));
    let sheet = hall.get("/divisions/1/matches/1")["sheet"].as_str().unwrap().to_owned();
    hall.phone.goto(&format!("/matches/{sheet}"));
    assert!(!is_sent_from(".scoring-form", ".scoring-form [name='cube:number']"));
}

/// The next match goes to the next free table and each result takes one tap, while another desk sees it at
/// once.
#[test]
fn a_round_is_called_and_played_with_taps_while_another_desk_looks_on() {
    let Some(hall) = Hall::eight(Browser::phone(), &json!({"lengths": [5]})) else { return };
    let Some(laptop) = Browser::laptop() else { return };
    let other = Phone::signed_in(laptop, &hall.house, ADMIN);
    hall.does(&json!({"command": "set_tables", "tables": [{"table": 1}, {"table": 2}, {"table": 3}]}));
    hall.goto("");
    other.goto(&format!("/tournaments/{}/desk", hall.id));
    let phone = &hall.phone;
    phone.sees("#next", "4 matches are ready");
    phone.fits();
    hall.pictures(phone, "desk-phone");
    phone.click("#m1-2 button");
    other.sees("#playing ~ .pairings", "Cleo – Dino");
    phone.sees("#undo-bar", "Undo: Cleo – Dino called to table 2");
    phone.tap("Call the next 2 to the free tables");
    other.sees("#ready-count", "1");
    other.sees("#next", "No table is free.");
    other.fits();
    hall.pictures(&other, "desk-laptop");
    phone.tap("Undo: 2 matches called");
    other.sees("#ready-count", "3");
    phone.tap("Redo: 2 matches called");
    other.sees("#ready-count", "1");
    phone.click("#m1-2 .pairing-acts a");
    phone.fits();
    hall.pictures(phone, "result-phone");
    phone.tap("Dino wins 5–4");
    other.sees("#undo-bar", "Undo: Dino beats Cleo 5–4");
    phone.sees("#undo-bar", "Undo: Dino beats Cleo 5–4");
    assert_eq!(hall.result(2), Some(("Dino".to_owned(), [5, 4])));
    phone.click("#m1-1 .pairing-acts a");
    phone.tap("Ada wins by walkover, Bea did not come");
    phone.sees("#ready ~ .pairings", "Ada – Dino");
    // Both have reported, but not the same.
    for (entry, score) in [(5, [5, 3]), (6, [3, 5])] {
        hall.does(&json!({"command": "report", "match": 3, "entry": entry, "score": score}));
    }
    phone.sees("#next", "Two players’ reports differ");
    phone.sees("#reported ~ .pairings", "The two reports differ.");
    phone.fits();
    hall.pictures(phone, "reported-phone");
    phone.tap("Confirm the report of Fia: Fia beats Elio 5–3");
    phone.sees("#undo-bar", "Undo: Fia beats Elio 5–3");
    hall.ends_well();
}

/// A sheet that is pasted is seen as it was read before anybody is entered, on a phone and on a laptop.
#[test]
fn a_pasted_sheet_is_seen_before_it_is_entered() {
    let sheet =
        "Nr;Name;Club;Rating\n1;Ivo Keller;BG Zürich;1712\n2;Keller, Max;;1500\n3;Ana Bianchi;;\n4;Bea;;";
    for (browser, kind) in [(Browser::phone(), "phone"), (Browser::laptop(), "laptop")] {
        let Some(hall) = Hall::with(browser, &["Anna Bianchi", "Bea"], &json!({"lengths": [5]})) else {
            return;
        };
        let phone = &hall.phone;
        hall.goto("/1/entries");
        phone.open(".enter-names details");
        phone.fill("many", sheet);
        phone.tap("Enter");
        phone.sees("h2", "Check the list first");
        phone.sees(".pasted", "Somebody new: Ivo Keller, BG Zürich");
        phone.fits();
        hall.pictures(phone, &format!("pasted-{kind}"));
        phone.tap("Somebody new: Ana Bianchi");
        phone.tap("Enter");
        phone.sees("#count", "0 of 5 are here");
        phone.sees(".desk-entries .notice", "3 entered · 3 new guests · one was entered already");
        hall.ends_well();
    }
}

/// Names are pasted, players are checked in and drawn, a late one takes a bye, one leaves, fees are paid and
/// prizes awarded: all from the desk.
/// Door: desk.
#[test]
fn a_tournament_is_filled_drawn_played_and_paid_out_from_the_desk() {
    let settings =
        json!({"lengths": [5], "fees": {"entry": 1000}, "side_pools": [{"name": "Pot", "stake": 500}]});
    let Some(hall) = Hall::with(Browser::phone(), &["Ada", "Bea"], &settings) else { return };
    let phone = &hall.phone;
    hall.goto("");
    phone.sees("#next", "Ready to draw?");
    phone.tap("Entries");
    phone.open(".enter-names details");
    phone.fill("many", "Cleo\nAda\n\nDino\nElio\nCleo");
    phone.tap("Enter");
    phone.sees("#count", "0 of 5 are here");
    phone.fits();
    hall.pictures(phone, "entries-phone");
    phone.fill("find", "in");
    assert_eq!(phone.texts(".entry:not([hidden]) .entry-who"), ["Dino"]);
    phone.browser.run("const f = document.getElementById('find'); f.value = ''; f.dispatchEvent(new Event('input', { bubbles: true }))");
    for name in ["Ada", "Bea", "Cleo"] {
        phone.tap(&format!("{name} is here"));
    }
    phone.sees("#count", "3 of 5 are here");
    phone.tap("Not checked in");
    assert_eq!(phone.texts(".entry-who"), ["Dino", "Elio"]);
    phone.tap("Check in all 2");
    phone.sees("#count", "5 of 5 are here");
    phone.tap("Undo: 2 players are here");
    phone.sees("#count", "3 of 5 are here");
    phone.tap("All");
    phone.open("#seeds");
    phone.fill("seeded", "Cleo\nBea");
    phone.tap("Save the seeds");
    phone.sees(".entry-list", "seeded 1");
    phone.tap("Ada");
    phone.tap("Pot, 5.00 EUR");
    phone.tap("Save");
    phone.sees("#undo-bar", "Undo: side pools of Ada");
    phone.fits();
    hall.pictures(phone, "entry-phone");

    phone.tap("The draw");
    phone.sees("#draw-state", "Ready to draw?");
    phone.fits();
    phone.tap("Only the 3 who are here; the others wait");
    phone.tap("Draw");
    phone.sees("#draw-state", "The draw is made.");
    phone.open("#exchange");
    phone.fits();
    hall.pictures(phone, "draw-phone");
    phone.open("#again");
    phone.fill("reason", "Dino had come after all");
    phone.click("#again button.main");
    // The undo button has the same text for both draws, so wait for the second draw itself.
    let draws = || hall.get("/divisions/1/draws")["items"].as_array().unwrap().len();
    phone.browser.wait_until("the second draw", || draws() == 2);
    phone.sees("#undo-bar", "Undo: the draw");

    // The late player on the waiting list gets the place of a bye.
    phone.tap("Now");
    phone.fits();
    let waiting = || {
        hall.get("/divisions/1/entries")["items"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["standing"] == "waiting")
            .count()
    };
    if waiting() > 0 {
        phone.goto(&format!("/tournaments/{}/desk/1/entries/4", hall.id));
        phone.fits();
    }
    phone.goto(&format!("/tournaments/{}/desk/1/entries/2", hall.id));
    phone.tap("Bea leaves now …");
    phone.sees("#confirm-title", "Bea leaves now");
    phone.fits();
    phone.tap("Record: Bea leaves now");
    phone.sees("#undo-bar", "Undo: Bea leaves");
    phone.tap("Undo: Bea leaves");
    phone.sees("#undo-bar", "Redo: Bea leaves");

    phone.tap("Room");
    phone.fill("tables", "1-3, 5");
    phone.fill("reserved", "3");
    phone.tap("Save the tables");
    phone.sees("#free", "3 tables are free.");
    phone.fits();
    phone.tap("Now");
    phone.click("#next button");
    phone.sees("#playing ~ .pairings", "called 0 min ago");
    phone.tap("Room");
    phone.sees("#t1", "–");
    phone.fits();
    hall.pictures(phone, "room-phone");
    hall.plays_on();

    phone.tap("Money");
    phone.sees("#open", "still to be paid");
    phone.tap("Ada has paid 15.00 EUR");
    phone.sees("#undo-bar", "Undo: Ada has paid 15.00 EUR");
    phone.tap("Award the prizes due");
    phone.sees(".pool", "All prizes due are awarded.");
    phone.fits();
    hall.pictures(phone, "money-phone");
    phone.tap("Now");
    phone.tap("Close the tournament");
    phone.sees("#next", "The tournament is over.");
    phone.tap("Reopen the tournament");
    phone.sees("#next", "All matches are played.");
    hall.ends_well();
}

/// A name and a date are enough. Everything else has defaults and can be changed before or after. Players
/// enter themselves while entries are open.
#[test]
fn a_tournament_is_opened_with_one_tap_changed_and_entered_by_a_player() {
    let Some(hall) = Hall::with(Browser::phone(), &["Ada"], &json!({})) else { return };
    let phone = &hall.phone;
    phone.goto("/tournaments/new");
    phone.fits();
    hall.pictures(phone, "new-phone");
    phone.fill("name", "Friday knock-out");
    phone.tap("Open the tournament");
    phone.sees("#next", "Who plays?");
    let url = phone.browser.url();
    let id = url.split("/tournaments/").nth(1).unwrap().split('/').next().unwrap().to_owned();
    let path = format!("/api/v1/tournaments/{id}");
    let open = hall.director.get(&path).good().body;
    assert_eq!(
        (&open["divisions"][0]["settings"]["lengths"], &open["currency"]),
        (&json!([7]), &json!(null))
    );

    phone.tap("Set-up");
    phone.fits();
    phone.tap("About the tournament");
    phone.fits();
    phone.choose("currency", "EUR");
    phone.browser.run("document.getElementById('entries_open').value = '2020-01-01T10:00'");
    phone.tap("Save");
    phone.tap("How Open is played");
    phone.fits();
    hall.pictures(phone, "division-phone");
    phone.choose("format", "double-elimination");
    phone.fill("lengths", "11 9 x");
    phone.fill("lengths", "11 0");
    phone.tap("Save");
    phone.sees(".notice.problem", "");
    phone.sees("#lengths", "");
    phone.fill("lengths", "11 9 7");
    phone.fill("entry", "12.50");
    phone.fill("side_pools", "Pot 5");
    phone.tap("Save");
    phone.sees("h1", "Friday knock-out");
    let settings = hall.director.get(&path).good().body["divisions"][0]["settings"].clone();
    assert_eq!((&settings["lengths"], &settings["fees"]["entry"]), (&json!([11, 9, 7]), &json!(1250)));
    assert_eq!(settings["format"]["final"], "double");
    phone.tap("Add a division");
    phone.fill("name", "Beginners");
    phone.tap("Add a division");
    phone.sees("#next", "Open: who plays?");

    // On the player's own phone.
    let Some(own) = Browser::phone() else { return };
    let invitation = json!({"roles": ["player"], "player": hall.players["Ada"]});
    let invited = hall.director.post("/api/v1/accounts", &invitation).good().body;
    let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
    let ada = json!({"login": "ada", "password": "quattro oche sul lago"});
    hall.house.server.public().post(&link, &ada).good();
    let ada = Phone::signed_in(own, &hall.house, ("ada", "quattro oche sul lago"));
    ada.goto(&format!("/tournaments/{id}/enter"));
    ada.fits();
    ada.tap("Pot, 5.00 EUR");
    hall.pictures(&ada, "enter-phone");
    ada.tap("Enter me");
    ada.sees("main", "You are entered, as number 1.");
    let entries = hall.director.get(&format!("{path}/divisions/1/entries")).good().body;
    assert_eq!(entries["items"][0]["side_pools"], json!([0]));
    hall.ends_well();
}

/// The page of a match shows the running score of its sheet, and then the result.
#[test]
fn the_page_of_a_match_shows_its_running_score() {
    let settings = json!({"lengths": [3], "format": {}});
    let Some(hall) = Hall::eight(Browser::phone(), &settings) else { return };
    let phone = &hall.phone;
    phone.goto(&format!("/tournaments/{}/1/matches/1", hall.id));
    phone.sees("#said", "Can be called");
    hall.does(&json!({"command": "open_sheet", "match": 1}));
    phone.sees("#said", "Game 1");
    let at = hall.get("/divisions/1/matches/1");
    let sheet = format!("/api/v1/matches/{}/commands", at["sheet"].as_str().unwrap());
    let game = |winner: &str, win: &str| {
        let game = json!({"command": "game", "winner": winner, "win": win});
        hall.director.post(&sheet, &game).good();
    };
    game("upper", "gammon");
    phone.sees("#said", "Game 2");
    assert_eq!(phone.texts(".duel-score"), ["2", "0"]);
    phone.fits();
    hall.pictures(phone, "match-running-phone");
    game("lower", "single");
    phone.sees("#said", "Game 3");
    assert_eq!(phone.texts(".duel-score"), ["2", "1"]);
    game("upper", "single");
    phone.sees("#side-1", "won");
    assert_eq!(phone.texts(".duel-score"), ["3", "1"]);
    // The sheet is finished, so the page follows only the tournament, which is where a correction comes from.
    let score = json!({"ending": "played", "score": [1, 3]});
    hall.does(&json!({"command": "correct", "match": 1, "ended": score, "later": "stands"}));
    phone.sees("#side-2", "won");
    hall.ends_well();
}
