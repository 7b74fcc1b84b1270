//! Matches scored with taps, and their clocks.

use serde_json::{Value, json};

use crate::matches::{PASSWORD, login_of};
use crate::support::browser::Browser;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::{ADMIN, House};

use super::board::{Played, bears_off, enters};

/// A house with two players, and the phone of the one who runs matches there.
pub struct Room {
    pub phone: Phone,
    pub client: Client,
    pub players: [String; 2],
    pub house: House,
}

impl Room {
    pub fn open(browser: Option<Browser>) -> Option<Self> {
        let browser = browser?;
        let house = House::open(Db::Sqlite)?;
        let client = house.admin();
        let players = ["Ann", "Bob"].map(|name| house.player(&client, name));
        let phone = Phone::signed_in(browser, &house, ADMIN);
        Some(Self { phone, client, players, house })
    }

    /// A match with a clock, opened over the API.
    fn timed(&self) -> String {
        let clock = json!({"reserve_a_point": 120, "delay": 12});
        let terms = json!({"play": "match", "length": 5});
        let new = json!({"players": self.players, "terms": terms, "clock": clock});
        let opened = self.client.post("/api/v1/matches", &new).good().body;
        opened["match"]["id"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub fn ends_well(&self) {
        let logged = self.house.server.logged();
        assert!(!logged.contains("panicked") && !logged.contains("ERROR"), "{logged}");
    }
}

/// Saves a picture of the page, if one is wanted: for the eye, not for the test.
pub fn pictures(phone: &Phone, name: &str) {
    let Ok(folder) = std::env::var("OWLBOX_TEST_PICTURES") else { return };
    phone.browser.run("scrollTo(0, 0)");
    for (night, look) in [(false, "day"), (true, "night")] {
        phone.browser.by_night(night);
        phone.browser.screenshot(&std::path::Path::new(&folder).join(format!("{name}-{look}.png")));
    }
}

/// The button for the result of a game, as `upper-gammon`.
fn picks(pick: &str) -> String {
    let (winner, win) = pick.split_once('-').unwrap();
    let values = [("winner", "win"), ("now[winner]", "now[win]")];
    let values = values.map(|(who, how)| format!("[value='{who}={winner}&{how}={win}']"));
    format!("button:is({})", values.join(", "))
}

/// Taps the result of a game, with this cube.
#[track_caller]
fn game(phone: &Phone, cube: Option<u32>, pick: &str) {
    if let Some(cube) = cube {
        phone.click(&format!(".cube-pick:has([value='{cube}'])"));
    }
    phone.click(&picks(pick));
}

/// A whole match, from the form that opens it through the Crawford game to the end, and undone.
/// Door: sheet.
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
    phone.sees(&picks("upper-gammon"), "+4 · 4–0");
    pictures(phone, "sheet-phone");
    phone.click(&picks("upper-gammon"));
    phone.sees("#said", "Game 2 is the Crawford game");
    other.sees("#said", "Game 2 is the Crawford game");
    assert_eq!(phone.browser.count(".cube-pick"), 0, "M3: without the cube");
    assert_eq!(phone.browser.count("button.dropped"), 0, "M3: nobody can drop");
    pictures(phone, "sheet-crawford-phone");
    game(phone, None, "lower-gammon");
    phone.sees("#said", "Game 3, after the Crawford game");
    phone.sees(&picks("lower-single"), "+1 · 4–3");
    game(phone, Some(2), "lower-single");
    phone.sees("#said", "Game 4, after the Crawford game");
    phone.open("#more-of-game");
    phone.fits();
    phone.choose("began", "upper");
    phone.sees(&picks("lower-single"), "+1 · 4–5, the match");
    other.fits();
    pictures(&other, "sheet-laptop");
    game(phone, None, "lower-single");
    phone.sees("#said", "Bob wins 5–4");
    other.sees("#said", "Bob wins 5–4");
    other.sees("#line-4", "Ann began");
    pictures(&other, "sheet-over-laptop");

    // Game 1 was a single game with the cube at four: the score stays the same.
    phone.click("#line-1 a");
    phone.sees("#scoring", "What is the right result of game 1?");
    assert_eq!(phone.texts(".cube-pick"), ["1", "2", "4"], "with eight the match would have been over");
    phone.fits();
    pictures(phone, "sheet-correct-phone");
    game(phone, Some(4), "upper-single");
    phone.sees("#undo-bar", "Undo: Game 1 corrected");
    phone.sees("#line-1", "cube 4");
    phone.tap("Undo: Game 1 corrected");
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

/// Rare entries are made on the same page: lateness, penalties, adjournment, only the final score, a ruling.
#[test]
fn what_is_recorded_seldom_is_recorded_on_the_same_page() {
    let Some(room) = Room::open(Browser::phone()) else { return };
    let phone = &room.phone;
    phone.goto(&format!("/matches/{}", room.timed()));
    phone.open("#further");
    phone.fits();
    pictures(phone, "sheet-further-phone");
    phone.tap("Play without a clock");
    phone.sees("#undo-bar", "Undo: the clock taken away");
    assert!(!phone.offers("The clock") && !phone.offers("Play without a clock"));
    phone.open("#further");
    phone.sees("#further", "2 for each point still needed, averaged over both sides: 10 each.");
    phone.fill("clock-upper", "7:30");
    phone.fill("clock-lower", "5");
    phone.fill("clock-free", "8");
    phone.tap("Set the clock");
    phone.sees("#undo-bar", "Undo: the clock set");
    assert!(phone.offers("The clock"));
    phone.open("#further");
    phone.fill("minutes-2", "6");
    phone.tap("Bob came late");
    phone.sees("#line-1", "Penalty for Bob: 1");
    phone.sees("#side-1", "1 from penalties");
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
    phone.choose("ruled", "command=rule&outcome[winner]=lower&outcome[ending]=forfeit");
    phone.tap("Record the ruling");
    phone.sees("#said", "Bob wins");
    phone.tap("Undo: Bob wins (forfeit)");
    phone.sees("#said", "Ann wins 5–2");
    room.ends_well();
}

/// The clock is tapped, pressed by key and paused. Another phone sees it, and so does one that opens the page
/// after a restart of the service.
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
    phone.sees("#said", "Tap the player who moves first");
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
    // The right arrow key is for Bob's half, and Bob is not on move.
    other.browser.type_keys("\u{E014}");
    other.browser.type_keys("\u{E012}");
    phone.sees("#said", "Bob to move");
    // The page counts the delay down by itself.
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

/// G1..G19, M1: both players with their own phones and dice, the opening roll, a double and its answer, and
/// the last checker borne off, which scores the game; then the next game goes on the board and off it again.
/// Door: board.
#[test]
fn a_match_is_played_on_the_board_from_the_opening_roll_to_the_score() {
    let Some(room) = Room::open(Browser::phone()) else { return };
    let id = room.timed();
    let sheet = format!("/matches/{id}");
    let of = |at: usize, name: &str| {
        let phone = Phone::of_player(&room.house, &room.client, (name, &room.players[at]))?;
        phone.goto(&sheet);
        Some(phone)
    };
    let (Some(ann), Some(bob)) = (of(0, "Ann"), of(1, "Bob")) else { return };
    ann.open("#start-board");
    ann.fits();
    pictures(&ann, "sheet-start-board-phone");
    ann.tap("With our own dice");
    bob.sees("#board-status", "Opening roll");
    assert_eq!(bob.browser.count("button.pick"), 0, "the board counts the game");
    assert!(!bob.offers("Roll one die each"), "the dice are theirs");
    pictures(&ann, "sheet-board-opening-phone");
    enters(&ann, [4, 2]);
    bob.sees("#board-status", "Ann to play 4-2");
    assert_eq!(bob.browser.count("#board-play, #board-list"), 0, "the play is Ann's");
    for place in [8, 4, 6, 4] {
        ann.click(&format!(".tap[data-place='{place}']"));
    }
    ann.sees("#board-play", "Ann plays 8/4 6/4");
    ann.fits();
    pictures(&ann, "sheet-board-phone");
    ann.click("#board-play");

    bob.sees("#board-status", "Bob to roll, or to double");
    bob.fits();
    pictures(&bob, "sheet-board-to-roll-phone");
    bob.tap("Bob doubles to 2");
    ann.sees("#board-status", "Bob doubles to 2: take or drop?");
    pictures(&ann, "sheet-board-doubled-phone");
    ann.tap("Ann takes the cube at 2");
    bob.sees("#board-status", "Bob to roll");
    enters(&bob, [2, 1]);
    bob.open("#board-list");
    bob.click("#board-list button");
    ann.sees("#board-status", "Ann to roll, or to double");
    // Once both players have seen it on the board, only the scorer can undo it.
    bob.sees("#undo-bar", "Nothing to undo");
    room.phone.goto(&sheet);
    room.phone.sees("#undo-bar", "Undo: Bob plays 2-1");

    if let Some(laptop) = Browser::laptop() {
        let laptop = Phone::signed_in(laptop, &room.house, ADMIN);
        laptop.goto(&sheet);
        laptop.fits();
        let room = "const shown = ['.asked button', '.board-side.white'].map((part) =>
                        document.querySelector(part).getBoundingClientRect().bottom);
                    return innerHeight - Math.max(...shown)";
        let room = laptop.browser.run(room);
        assert!(room.as_f64() >= Some(0.0), "dice and board are seen at once but for {room}");
        pictures(&laptop, "sheet-board-laptop");
    }
    let played = Played {
        sides: ["upper", "lower"],
        board: &|| room.client.get(&format!("/api/v1{sheet}")).good().body["board"].clone(),
        command: &|command| {
            room.client.post(&format!("/api/v1{sheet}/commands"), command).good();
        },
    };
    played.until_nearly_off(13);
    ann.sees("#board-status", "Ann to roll");
    enters(&ann, [6, 6]);
    ann.sees("#board-status", "Ann to play 6-6");
    bears_off(&ann);
    for phone in [&ann, &bob] {
        phone.sees("#line-1", "Ann wins a ");
        phone.sees("#line-1", "cube 2");
        phone.sees("#line-1", "play by play");
    }
    let state = room.client.get(&format!("/api/v1{sheet}")).good().body;
    assert_eq!(state["score"][1], 0);
    assert!(state["score"][0].as_u64() >= Some(4), "a gammon or more at 2: {}", state["score"]);
    room.ends_well();
}

/// The service rolls the dice, and then a scorer has to enter the game by hand after all.
#[test]
fn a_board_is_given_up_and_the_game_entered_by_hand() {
    let Some(room) = Room::open(Browser::phone()) else { return };
    let phone = &room.phone;
    phone.goto(&format!("/matches/{}", room.timed()));
    phone.open("#start-board");
    phone.tap("With dice rolled here");
    phone.tap("Roll one die each");
    phone.sees("#board-status", " to play ");
    phone.open("#board-list");
    phone.fits();
    phone.click("#board-list button");
    phone.sees("#board-status", " to roll, or to double");
    phone.tap("Finish without the board");
    phone.sees("#said", "Game 1: who wins it?");
    assert_eq!(phone.browser.count("#game-board"), 0);
    phone.click(&picks("lower-single"));
    phone.sees("#line-1", "Bob wins a single game");
    room.ends_well();
}

/// One player contests on a phone what the other entered on another. The other may run matches, but may not
/// rule on their own: somebody else does.
#[test]
fn a_game_is_contested_on_one_phone_and_ruled_on_by_somebody_who_does_not_play() {
    let Some(room) = Room::open(Browser::laptop()) else { return };
    let (Some(one), Some(other)) = (Browser::phone(), Browser::phone()) else { return };
    let terms = json!({"play": "money", "stake": {"amount": 500, "currency": "EUR"}});
    let new = json!({"players": room.players, "terms": terms});
    let opened = room.client.post("/api/v1/matches", &new).good().body;
    let page = format!("/matches/{}", opened["match"]["id"].as_str().unwrap());
    let logins = ["ann", "bob"].map(|name| (name, PASSWORD));
    for (player, (login, _)) in room.players.iter().zip(logins) {
        login_of(&room.house, &room.client, player, login);
    }
    let accounts = room.client.get("/api/v1/accounts").good().body;
    let of_ann = accounts["items"].as_array().unwrap().iter().find(|one| one["login"] == "ann").unwrap();
    let address = format!("/api/v1/accounts/{}", of_ann["id"].as_str().unwrap());
    let roles = json!({"roles": ["scorer", "player"]});
    room.client.patch(&address, &roles).good();
    let [ann, bob] = [(one, logins[0]), (other, logins[1])]
        .map(|(browser, login)| Phone::signed_in(browser, &room.house, login));
    [&ann, &bob].into_iter().for_each(|phone| phone.goto(&page));
    game(&ann, Some(2), "upper-backgammon");
    bob.sees("#line-1", "entered by Ann");
    bob.fits();
    pictures(&bob, "contest-entered-phone");
    bob.tap("Bob contests game 1");
    ann.sees("#others-rule", "who does not play in it must rule");
    ann.fits();
    assert_eq!(ann.browser.count("#line-1 button"), 0, "Ann judges nothing here");
    pictures(&ann, "contest-party-phone");
    bob.fits();
    pictures(&bob, "contest-contested-phone");
    ann.goto("/matches");
    ann.sees("section[aria-labelledby=contested]", "you play in it: somebody else must rule");
    ann.fits();
    pictures(&ann, "contest-list-phone");

    let scorer = &room.phone;
    scorer.goto("/");
    pictures(scorer, "contest-home-laptop");
    scorer.click("#contested");
    scorer.sees("section[aria-labelledby=contested]", "1 contested match needs a ruling");
    pictures(scorer, "contest-list-laptop");
    scorer.goto(&page);
    pictures(scorer, "contest-ruling-laptop");
    scorer.sees("#viewer-rules", "Two players disagree");
    scorer.tap("Strike out game 1");
    bob.sees("#line-1", "Struck out by a scorer");
    pictures(&bob, "contest-ruled-phone");
    room.ends_well();
}
