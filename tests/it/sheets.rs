//! Sheets and the board in a real browser, on a screen as small as a phone's: what is filled in is shown with what it
//! does, and only then recorded.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::press;
use crate::support::browser::Browser;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::house::{ADMIN, House};

/// As long as a page may take to show what was done.
const SOON: Duration = Duration::from_secs(5);

/// A table whose line stands, on a phone.
struct Evening {
    browser: Browser,
    client: Client,
    id: String,
    players: BTreeMap<String, String>,
    house: House,
}

impl Evening {
    /// Sits these down in this order, or is left out where there is no browser.
    fn with(names: &[&str]) -> Option<Self> {
        let browser = Browser::phone()?;
        let house = House::open(Db::Sqlite)?;
        let client = house.admin();
        let players: BTreeMap<String, String> =
            names.iter().map(|name| ((*name).to_owned(), house.player(&client, name))).collect();
        let new = json!({"name": "Friday table", "stake": {"amount": 500, "currency": "EUR"}});
        let opened = client.post("/api/v1/chouettes", &new).good();
        let id = opened.body["chouette"]["id"].as_str().unwrap().to_owned();
        let evening = Self { browser, client, id, players, house };
        for name in names {
            evening.command(&json!({"command": "join", "player": evening.players[*name]}));
        }
        let rolls: Vec<Value> = (0..names.len())
            .map(|at| json!({"player": evening.players[names[at]], "dice": [6 - at]}))
            .collect();
        evening.command(&json!({"command": "enter_rolls", "rolls": rolls}));
        let (login, password) = ADMIN;
        evening.goto_site("/sign-in");
        evening.browser.fill("#login", login);
        evening.browser.fill("#password", password);
        evening.browser.click("main form button.main");
        evening.browser.wait_for("nav.tabs");
        Some(evening)
    }

    fn goto_site(&self, path: &str) {
        self.browser.goto(&format!("{}{path}", self.house.server.url()));
    }

    /// Opens the table, or a sheet of it.
    fn goto(&self, below: &str) {
        self.goto_site(&format!("/chouettes/{}{below}", self.id));
    }

    #[track_caller]
    fn command(&self, command: &Value) -> Value {
        self.client.post(&format!("/api/v1/chouettes/{}/commands", self.id), command).good().body
    }

    fn state(&self) -> Value {
        self.client.get(&format!("/api/v1/chouettes/{}", self.id)).good().body
    }

    /// A player's score, in half points.
    fn score(&self, name: &str) -> i64 {
        let state = self.state();
        let scores = state["standings"].as_array().unwrap().iter();
        let own = scores.filter(|score| score["player"] == self.players[name].as_str());
        own.map(|score| score["points"].as_i64().unwrap()).sum()
    }

    /// Chooses in a list of the sheet.
    fn choose(&self, field: &str, value: &str) {
        let found = self.browser.run(&format!(
            "const field = document.getElementById({field:?}); field.value = {value:?}; return field.value"
        ));
        assert_eq!(found, json!(value), "{field}");
    }

    /// Taps a place on the board.
    fn tap(&self, place: u8) {
        self.click(&format!("#board-taps .tap[data-place='{place}']"));
    }

    /// Clicks what the bar below may cover: a hand would scroll first.
    fn click(&self, css: &str) {
        self.browser.wait_for(css);
        self.browser.run(&format!("document.querySelector({css:?}).scrollIntoView({{ block: 'center' }})"));
        self.browser.click(css);
    }

    /// The same of the button that says so.
    fn press(&self, label: &str) {
        self.browser.run(&format!(
            "const wanted = {label:?};
             const button = [...document.querySelectorAll('button')].find((b) => b.textContent.trim().endsWith(wanted));
             for (let d = button?.closest('details'); d; d = d.parentElement.closest('details')) d.open = true;
             button?.scrollIntoView({{ block: 'center' }})"
        ));
        press(&self.browser, label);
    }

    fn sees(&self, css: &str, text: &str) {
        self.browser.wait_for_text(css, text, SOON);
    }

    /// That nothing hangs over the edge of the screen.
    fn fits(&self) {
        let too_wide = self.browser.run("return document.documentElement.scrollWidth > innerWidth");
        assert_eq!(too_wide, json!(false), "{} is wider than the phone", self.browser.url());
    }
}

#[test]
fn g3_g17_i2_a_refereed_game_is_played_on_a_phone_from_the_opening_to_a_resignation() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let browser = &evening.browser;
    evening.command(&json!({"command": "start_game", "refereed": true}));
    evening.goto("");
    evening.sees("#board-status", "Opening roll");
    evening.fits();
    evening.click("#board-enter summary");
    evening.click("#die-1-6");
    evening.click("#die-2-3");
    evening.press("Enter these dice");
    evening.sees("#board-status", "Ada to play 6-3");

    // A checker and where it goes; a step back; the other checker by the same tap twice: the left die.
    evening.tap(24);
    evening.tap(18);
    evening.click("#board-back");
    evening.click("#board-swap");
    evening.tap(13);
    evening.tap(13);
    evening.sees("#board-play", "Ada plays 13/10");
    evening.tap(24);
    evening.tap(18);
    evening.sees("#board-play", "Ada plays 13/10 24/18");
    evening.click("#board-play");
    evening.sees("#board-status", "Kim to roll, or to double");

    evening.press("Kim doubles to 2");
    evening.sees("#board-status", "A double waits");
    let answer = evening.state()["legal"].as_array().unwrap().iter().any(|legal| legal["command"] == "board");
    assert!(!answer, "nothing happens on the board while a double waits");
    evening.press("Box takes 2 from Kim");
    evening.sees("#board-status", "Kim to roll");
    evening.press("Kim rolls");
    evening.sees("#board-status", "Kim to play");
    browser.wait_for(".last-dice .die-shown");
    browser.run("document.getElementById('board-list').open = true");
    evening.click("#board-list button");
    evening.sees("#board-status", "Ada to roll");

    // The dice are lifted over what is no legal play, and it is sent back.
    evening.click("#board-enter summary");
    evening.click("#die-1-2");
    evening.click("#die-2-1");
    evening.press("Enter these dice");
    evening.sees("#board-status", "Ada to play 2-1");
    browser.run("document.getElementById('board-quiet').open = true");
    browser.fill("#board-moved", "6/2");
    evening.press("Ada lifts the dice");
    evening.sees("#board-status", "over no legal play");
    evening.press("Kim sends the play back");
    evening.sees("#board-status", "Ada to play 2-1");

    evening.press("Ada gives up a Gammon");
    evening.sees("#board-status", "Ada gives up");
    evening.press("Kim accepts");
    evening.sees("#now", "Kim is box");
    assert_eq!(
        ["Ada", "Kim", "Lou"].map(|name| evening.score(name)),
        [-10, 8, 2],
        "C9: Kim a gammon at 2; of the cube nobody turned it counts once"
    );
    let logged = evening.house.server.logged();
    assert!(!logged.contains("panicked") && !logged.contains("ERROR"), "{logged}");
}

#[test]
fn bets_are_settled_on_a_sheet_that_says_what_is_wrong_where_it_is() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let browser = &evening.browser;
    evening.command(&json!({"command": "start_game"}));
    evening.goto("/settle");
    evening.fits();
    let (ada, kim) = (&evening.players["Ada"], &evening.players["Kim"]);
    evening.choose(&format!("pays.{ada}.{kim}"), ada);
    browser.fill(&format!("[id='amount.{ada}.{kim}']"), "7");
    press(browser, "Show what it does");
    browser.wait_for("[aria-invalid=true]");
    assert_eq!(browser.count("#confirm"), 0);

    browser.fill(&format!("[id='amount.{ada}.{kim}']"), "2");
    browser.click("input[name=counts_for][value=box]");
    press(browser, "Show what it does");
    evening.sees("#scores", "+2");
    evening.fits();
    assert_eq!(evening.score("Kim"), 0, "nothing is recorded before it is confirmed");
    press(browser, "Record: Ada pays Kim 2");
    browser.wait_for("#table");
    assert_eq!(["Ada", "Kim", "Lou"].map(|name| evening.score(name)), [-4, 4, 0]);
}

#[test]
fn a_correction_shows_scores_before_and_after_and_seats_stay() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let browser = &evening.browser;
    evening.command(&json!({"command": "start_game"}));
    evening.command(&json!({"command": "double", "player": evening.players["Ada"]}));
    for name in ["Kim", "Lou"] {
        evening.command(&json!({"command": "take", "player": evening.players[name]}));
    }
    evening.command(&json!({"command": "finish", "winner": "team", "win": "single"}));
    let line = evening.state()["line"].clone();
    evening.goto("/correct");
    browser.click(".ways a");
    browser.wait_for("#winner");
    evening.fits();
    press(browser, "Show what it does");
    evening.sees(".notice.problem", "Nothing is different yet");
    evening.choose("win", "gammon");
    press(browser, "Show what it does");
    evening.sees("#scores tbody tr:first-child", "-8");
    assert!(browser.text("#confirm").contains("Who sat where afterwards stays as it was"));
    assert_eq!(evening.score("Ada"), -8, "half points; nothing is recorded yet");
    press(browser, "Record: Game 1 is corrected");
    browser.wait_for("#table");
    assert_eq!(["Ada", "Kim", "Lou"].map(|name| evening.score(name)), [-16, 8, 8]);
    assert_eq!(evening.state()["line"], line);
}

#[test]
fn who_leaves_during_a_game_names_who_decides_for_him() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou", "Max"]) else { return };
    let browser = &evening.browser;
    evening.command(&json!({"command": "start_game"}));
    evening.goto("/leave");
    evening.fits();
    press_way(&evening, "Lou");
    press(browser, "Show what it does");
    evening.sees("#proxy-wrong", "choose");
    let max = &evening.players["Max"];
    browser.click(&format!("input[name=proxy][value='{max}']"));
    press(browser, "Show what it does");
    evening.sees("#confirm", "Max decides for Lou");
    press(browser, "Record: Lou leaves");
    browser.wait_for("#table");
    let state = evening.state();
    let proxies = state["game"]["proxies"].as_array().unwrap();
    assert_eq!(
        (&proxies[0]["player"], &proxies[0]["decides"]),
        (&json!(evening.players["Lou"]), &json!(max))
    );
}

#[test]
fn a_table_is_split_and_the_new_one_is_a_tap_away() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou", "Max", "Ida", "Bea"]) else { return };
    let browser = &evening.browser;
    evening.goto("/split");
    evening.fits();
    press(browser, "Show what it does");
    browser.wait_for("#players-wrong");
    for name in ["Max", "Ida", "Bea"] {
        browser.click(&format!("input[name=players][value='{}']", evening.players[name]));
    }
    browser.fill("#name", "Corner table");
    press(browser, "Show what it does");
    evening.sees("#confirm", "go to Corner table");
    press(browser, "Record: Max, Ida and Bea go to Corner table");
    evening.sees(".ways", "Corner table");
    browser.click(".ways a");
    browser.wait_for("#table");
    evening.sees("h1", "Corner table");
    assert_eq!(browser.count(".board > li"), 3);
    assert_eq!(evening.state()["present"].as_array().unwrap().len(), 3);
}

/// Chooses who it is about.
fn press_way(evening: &Evening, name: &str) {
    let found = evening.browser.run(&format!(
        "const way = [...document.querySelectorAll('.ways a')].find((a) => a.textContent.includes({name:?}));
         if (way) way.click();
         return Boolean(way)"
    ));
    assert_eq!(found, json!(true), "{name}");
    evening.browser.wait_for("input[name=proxy]");
}
