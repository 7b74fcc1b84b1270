//! Matches scored with taps, and their clock.

use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::{ADMIN, House};

/// A house with two players, and whoever runs matches there.
struct Room {
    phone: Phone,
    client: Client,
    players: [String; 2],
    house: House,
}

impl Room {
    fn open(browser: Option<Browser>) -> Option<Self> {
        let browser = browser?;
        let house = House::open(Db::Sqlite)?;
        let client = house.admin();
        let players = ["Ann", "Bob"].map(|name| house.player(&client, name));
        let phone = Phone::signed_in(browser, &house, ADMIN);
        Some(Self { phone, client, players, house })
    }

    /// A match with a clock, opened beside the page.
    fn timed(&self) -> String {
        let clock = json!({"reserve_a_point": 120, "delay": 12});
        let terms = json!({"play": "match", "length": 5});
        let new = json!({"players": self.players, "terms": terms, "clock": clock});
        let opened = self.client.post("/api/v1/matches", &new).good().body;
        opened["match"]["id"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    fn ends_well(&self) {
        let logged = self.house.server.logged();
        assert!(!logged.contains("panicked") && !logged.contains("ERROR"), "{logged}");
    }
}

/// Keeps a picture of the page, where one is asked for: for eyes, not for the test.
fn pictures(phone: &Phone, name: &str) {
    let Ok(folder) = std::env::var("OWLBOX_TEST_PICTURES") else { return };
    phone.browser.run("scrollTo(0, 0)");
    for (night, look) in [(false, "day"), (true, "night")] {
        phone.browser.by_night(night);
        phone.browser.screenshot(&std::path::Path::new(&folder).join(format!("{name}-{look}.png")));
    }
}

/// Taps who won as what, with this cube.
#[track_caller]
fn game(phone: &Phone, cube: Option<u32>, pick: &str) {
    if let Some(cube) = cube {
        phone.click(&format!(".cube-pick:has([value='{cube}'])"));
    }
    phone.click(&format!("button[value='{pick}']"));
}

/// From the form that opens it through the Crawford game to its end, and back.
#[test]
fn m1_m3_a_match_to_five_is_scored_with_taps_put_right_and_undone() {
    let Some(room) = Room::open(Browser::phone()) else { return };
    let phone = &room.phone;
    phone.goto("/matches");
    phone.fits();
    pictures(phone, "matches-new-phone");
    phone.choose("player-1", &room.players[0]);
    phone.choose("player-2", &room.players[1]);
    phone.fill("length", "5");
    phone.tap("Open the match");
    phone.sees("#said", "Game 1: who wins it?");
    phone.fits();
    let Some(laptop) = Browser::laptop() else { return };
    let other = Phone::signed_in(laptop, &room.house, ADMIN);
    let address = phone.browser.url();
    let path = address.trim_start_matches(room.house.server.url()).to_owned();
    other.goto(&path);

    phone.click(".cube-pick:has([value='2'])");
    phone.sees("button[value='upper-gammon']", "+4 · 4–0");
    pictures(phone, "sheet-phone");
    phone.click("button[value='upper-gammon']");
    phone.sees("#said", "Game 2 is the Crawford game");
    other.sees("#said", "Game 2 is the Crawford game");
    assert_eq!(phone.browser.count(".cube-pick"), 0, "M3: without the cube");
    assert_eq!(phone.browser.count("button.dropped"), 0, "M3: nobody can drop");
    pictures(phone, "sheet-crawford-phone");
    game(phone, None, "lower-gammon");
    phone.sees("#said", "Game 3, after the Crawford game");
    phone.sees("button[value='lower-single']", "+1 · 4–3");
    game(phone, Some(2), "lower-single");
    phone.sees("#said", "Game 4, after the Crawford game");
    phone.open("#more-of-game");
    phone.fits();
    phone.choose("began", "upper");
    phone.sees("button[value='lower-single']", "+1 · 4–5, the match");
    other.fits();
    pictures(&other, "sheet-laptop");
    game(phone, None, "lower-single");
    phone.sees("#said", "Bob wins 5–4");
    other.sees("#said", "Bob wins 5–4");
    other.sees("#line-4", "Ann began");
    pictures(&other, "sheet-over-laptop");

    // Game 1 was a single game on a cube of four: the score stays as it is.
    phone.click("#line-1 a");
    phone.sees("#scoring", "What was game 1 really?");
    assert_eq!(phone.texts(".cube-pick"), ["1", "2", "4"], "with eight the match would have been over");
    phone.fits();
    pictures(phone, "sheet-correct-phone");
    game(phone, Some(4), "upper-single");
    phone.sees("#undo-bar", "Undo: Game 1 put right");
    phone.sees("#line-1", "cube 4");
    phone.tap("Undo: Game 1 put right");
    phone.sees("#line-1", "Ann wins a gammon");
    phone.tap("Undo: Bob wins a single game");
    phone.sees("#said", "Game 4, after the Crawford game");
    phone.tap("Redo: Bob wins a single game");
    phone.sees("#said", "Bob wins 5–4");

    phone.open("#statistics");
    phone.sees("#statistics", "25.00 %");
    phone.fits();
    phone.goto("/matches");
    phone.sees("#over ~ .lines", "Ann – Bob");
    phone.fits();
    room.ends_well();
}

/// What is seldom recorded, from the same page: late, penalties, adjourned, the final score alone, a ruling.
#[test]
fn what_is_recorded_seldom_is_recorded_on_the_same_page() {
    let Some(room) = Room::open(Browser::phone()) else { return };
    let phone = &room.phone;
    phone.goto(&format!("/matches/{}", room.timed()));
    phone.open("#further");
    phone.fits();
    pictures(phone, "sheet-further-phone");
    phone.fill("minutes-2", "6");
    phone.tap("Bob came late");
    phone.sees("#line-1", "Penalty for Bob: 1");
    phone.sees("#side-1", "1 of penalty");
    phone.tap("Adjourn");
    phone.sees("#said", "Adjourned");
    phone.tap("Play on");
    phone.sees("#said", "Game 1: who wins it?");
    phone.open("#further");
    phone.fill("final-upper", "5");
    phone.fill("final-lower", "2");
    phone.tap("Record the final score");
    phone.sees("#said", "Ann wins 5–2");
    phone.open("#further");
    phone.choose("ruled", "forfeit-lower");
    phone.tap("Rule so");
    phone.sees("#said", "Bob wins");
    phone.tap("Undo: Bob wins (forfeit)");
    phone.sees("#said", "Ann wins 5–2");
    room.ends_well();
}

/// Tapped, pressed by key, paused; another phone sees it, and so does whoever comes after the service was started again.
#[test]
fn a_clock_is_pressed_and_paused_and_outlives_a_restart() {
    let Some(mut room) = Room::open(Browser::phone()) else { return };
    let (Some(laptop), Some(later)) = (Browser::laptop(), Browser::phone()) else { return };
    let id = room.timed();
    let clock = format!("/matches/{id}/clock");
    let other = Phone::signed_in(laptop, &room.house, ADMIN);
    let phone = &room.phone;
    phone.goto(&clock);
    other.goto(&clock);
    phone.sees("#said", "Tap whoever moves first");
    phone.sees(".half-upper .half-time", "10:00");
    phone.fits();
    phone.click(".half-upper button");
    phone.sees("#said", "Ann to move");
    other.sees("#said", "Ann to move");
    other.browser.wait_for(".half-upper.running");
    pictures(phone, "clock-phone");
    pictures(&other, "clock-laptop");
    phone.click(".half-upper button");
    phone.sees("#said", "Bob to move");
    other.sees("#said", "Bob to move");
    other.browser.type_keys(" ");
    phone.sees("#said", "Ann to move");
    // Right is Bob's half, and Bob is not on move.
    other.browser.type_keys("\u{E014}");
    other.browser.type_keys("\u{E012}");
    phone.sees("#said", "Bob to move");
    // The delay counts down by itself.
    phone.sees(".half-lower [data-delay-left]", "11");
    phone.tap("Pause");
    phone.sees("#said", "Paused");
    other.sees("#said", "Paused");
    pictures(phone, "clock-paused-phone");

    room.house.server.restart();
    let phone = Phone::signed_in(later, &room.house, ADMIN);
    phone.goto(&clock);
    phone.sees("#said", "Paused");
    phone.browser.wait_for(".half-lower.on-move");
    phone.tap("Go on");
    phone.sees("#said", "Bob to move");
    let client = room.house.admin();
    let state: Value = client.get(&format!("/api/v1/matches/{id}")).good().body;
    assert_eq!(state["clock"]["running"], "lower");
    room.ends_well();
}
