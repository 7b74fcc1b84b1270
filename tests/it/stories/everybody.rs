//! The pages for everybody: who has only a keyboard, who hears them, who reads them four times as large, in
//! any language, and who wants nothing to move.

use std::path::Path;

use serde_json::{Value, json};

use super::keys_and_names::enters;
use super::tournaments::Hall;
use crate::support::browser::Browser;
use crate::support::evening::{MISFITS, Phone};

const FOUR: [&str; 4] = ["Ada", "Bea", "Cleo", "Dino"];

/// A club with something on each of its pages: a table in the middle of a game, a tournament with a match
/// called and one played, a match between two.
struct Pages {
    hall: Hall,
    /// The main pages: a short name, and the address.
    main: Vec<(&'static str, String)>,
}

impl Pages {
    fn open() -> Option<Self> {
        let hall = Hall::with(Browser::phone(), &FOUR, &json!({"lengths": [5], "fees": {"entry": 1000}}))?;
        hall.does(&json!({"command": "draw", "method": {"by": "hand", "slots": [1, 2, 3, 4]}}));
        hall.does(&json!({"command": "set_tables", "tables": [{"table": 1}]}));
        hall.does(&json!({"command": "call_next"}));
        hall.does(&json!({"command": "result", "match": 2, "ended": {"ending": "played", "score": [5, 3]}}));
        let ids: Vec<&String> = FOUR.iter().map(|name| &hall.players[*name]).collect();
        let client = &hall.director;
        let post = |path: &str, body: &Value| client.post(path, body).good().body;
        let new = json!({"name": "Friday table", "stake": {"amount": 500, "currency": "EUR"}});
        let table = post("/api/v1/chouettes", &new)["chouette"]["id"].as_str()?.to_owned();
        let at_table = |command: &Value| post(&format!("/api/v1/chouettes/{table}/commands"), command);
        for player in &ids {
            at_table(&json!({"command": "join", "player": player}));
        }
        let rolls: Vec<Value> = ids
            .iter()
            .zip((1..=6).rev())
            .map(|(player, die)| json!({"player": player, "dice": [die]}))
            .collect();
        at_table(&json!({"command": "enter_rolls", "rolls": rolls}));
        at_table(&json!({"command": "start_game"}));
        at_table(&json!({"command": "finish", "winner": "box", "win": "gammon"}));
        at_table(&json!({"command": "start_game"}));
        at_table(&json!({"command": "double", "player": ids[0]}));
        let play = json!({"players": [ids[0], ids[1]], "terms": {"play": "match", "length": 7}});
        let match_id = post("/api/v1/matches", &play)["match"]["id"].as_str()?.to_owned();
        let game = json!({"command": "game", "winner": "upper", "win": "gammon"});
        post(&format!("/api/v1/matches/{match_id}/commands"), &game);
        let (one, tournament) = (ids[0].clone(), hall.id.clone());
        let main = vec![
            ("home", "/".to_owned()),
            ("table", format!("/chouettes/{table}")),
            ("players", "/players".to_owned()),
            ("ledger", format!("/ledger/{one}")),
            ("tournament", format!("/tournaments/{tournament}")),
            ("bracket", format!("/tournaments/{tournament}/1")),
            ("desk", format!("/tournaments/{tournament}/desk")),
            ("match", format!("/matches/{match_id}")),
            ("house-rules", "/house-rules".to_owned()),
            ("settings", "/settings".to_owned()),
        ];
        Some(Self { hall, main })
    }

    /// Looks at every main page in this language.
    fn each(&self, language: &str, mut look: impl FnMut(&Phone, &str)) {
        let phone = &self.hall.phone;
        phone.browser.run(&format!("document.cookie = 'owlbox_language={language}; path=/'"));
        for (name, path) in &self.main {
            phone.goto(path);
            look(phone, name);
        }
    }
}

/// The director runs a whole round without touching the page: calls it, enters its results, takes one back
/// and puts it right, and calls the next one.
#[test]
fn a_round_of_a_tournament_is_directed_by_keyboard_alone() {
    let Some(hall) = Hall::with(Browser::laptop(), &FOUR, &json!({"lengths": [5]})) else { return };
    hall.does(&json!({"command": "draw", "method": {"by": "hand", "slots": [1, 2, 3, 4]}}));
    hall.does(&json!({"command": "set_tables", "tables": [{"table": 1}, {"table": 2}]}));
    let phone = &hall.phone;
    hall.goto("");
    enters(phone, "Call the next 2 to the free tables");
    phone.sees("#undo-bar", "Undo: 2 matches called");
    for (players, winner, loser) in [("Ada – Bea", "Ada", "Bea"), ("Cleo – Dino", "Dino", "Cleo")] {
        enters(phone, &format!("Result {players}"));
        phone.browser.wait_for(".pairing-result");
        enters(phone, &format!("{winner} wins 5–0"));
        phone.sees("#undo-bar", &format!("Undo: {winner} beats {loser} 5–0"));
    }
    enters(phone, "Undo: Dino beats Cleo 5–0");
    phone.sees("#undo-bar", "Redo: Dino beats Cleo 5–0");
    enters(phone, "Redo: Dino beats Cleo 5–0");
    phone.sees("#undo-bar", "Undo: Dino beats Cleo 5–0");
    enters(phone, "Call the next match to the free table");
    phone.sees("#playing-count", "1");
    phone.sees("#playing ~ .pairings", "Ada – Dino");
    hall.ends_well();
}

/// Words of a date or a time, which are another every day.
fn passes(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    const NAMES: [&str; 19] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
    ];
    NAMES.iter().any(|name| *name == word || (word.len() == 3 && name.starts_with(word)))
}

/// A name as it is on every day: dates and times are one sign.
fn on_any_day(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_number = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
    };
    let said = words.iter().enumerate().map(|(at, word)| {
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let near_a_date = beside.filter_map(|at| words.get(at)).any(|word| passes(word));
        let clock =
            word.len() >= 4 && word.contains(':') && word.chars().all(|c| c.is_ascii_digit() || c == ':');
        if clock || (*word != "Friday" && passes(word)) || (is_number(word) && near_a_date) {
            "…"
        } else {
            word
        }
    });
    let mut kept: Vec<&str> = said.collect();
    kept.dedup_by(|one, other| *one == "…" && *other == "…");
    kept.join(" ")
}

/// What a screen reader says of the page, line by line: what can be used, and what tells where one is.
fn heard(phone: &Phone) -> String {
    const SAID: [&str; 22] = [
        "RootWebArea",
        "banner",
        "navigation",
        "main",
        "contentinfo",
        "complementary",
        "region",
        "form",
        "search",
        "heading",
        "link",
        "button",
        "textbox",
        "searchbox",
        "combobox",
        "checkbox",
        "radio",
        "spinbutton",
        "DisclosureTriangle",
        "status",
        "alert",
        "group",
    ];
    let mut lines: Vec<String> = Vec::new();
    for (role, name) in phone.browser.spoken() {
        // An unnamed group or region says nothing.
        let silent =
            name.trim().is_empty() && ["group", "region", "form", "RootWebArea"].contains(&role.as_str());
        if SAID.contains(&role.as_str()) && !silent {
            lines.push(format!("{role} {}", on_any_day(&name)).trim().to_owned());
        }
    }
    lines.join("\n") + "\n"
}

/// The main pages as they are heard. A change of them is seen here; `OWLBOX_BLESS=1` takes it over.
#[test]
fn a_screen_reader_says_of_every_main_page_what_is_written_down() {
    let Some(pages) = Pages::open() else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/heard");
    let bless = std::env::var_os("OWLBOX_BLESS").is_some();
    let mut wrong = Vec::new();
    pages.each("en", |phone, name| {
        let heard = heard(phone);
        let file = folder.join(format!("{name}.txt"));
        if bless {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &heard).unwrap();
        }
        let written = std::fs::read_to_string(&file).unwrap_or_default();
        let (now, before): (Vec<&str>, Vec<&str>) = (heard.lines().collect(), written.lines().collect());
        let added = now.iter().filter(|line| !before.contains(line)).map(|line| format!("{name}: + {line}"));
        let gone = before.iter().filter(|line| !now.contains(line)).map(|line| format!("{name}: - {line}"));
        let found: Vec<String> = added.chain(gone).collect();
        if heard != written {
            wrong.push(format!("{name} is not heard as {} says\n{}", file.display(), found.join("\n")));
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    pages.hall.ends_well();
}

/// Texts that are cut: wider than what they stand in, which hides the rest. And parts of the page that have
/// to be moved both ways to be read, or that stick and leave no room for the rest. A bracket is a drawing,
/// and may be wider.
const CUT: &str = "
    const cut = [];
    const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (over > 0) cut.push('the page is wider by ' + over);
    for (const one of document.querySelectorAll('main *, header *, footer *')) {
        if (!one.checkVisibility() || one.closest('svg, .hidden, .skip, .wide, .bracket, .tabs, .desk-places, .event-nav, select')) continue;
        const style = getComputedStyle(one);
        const hides = (axis) => ['hidden', 'clip'].includes(style[axis]);
        const name = () => one.outerHTML.slice(0, 90);
        if (hides('overflowX') && one.scrollWidth > one.clientWidth + 1) cut.push('cut: ' + name());
        if (hides('overflowY') && one.scrollHeight > one.clientHeight + 1) cut.push('cut below: ' + name());
        if (one.matches('button, a, summary, label, h1, h2, h3, th, td, p, li, b')) {
            const box = one.getBoundingClientRect();
            if (box.width && (box.right > innerWidth + 1 || box.left < -1)) cut.push('beside the page: ' + name());
            if (one.matches('button, .button') && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)) cut.push('spills: ' + name());
        }
        const moves = (axis, whole, seen) => ['auto', 'scroll'].includes(style[axis]) && one[whole] > one[seen] + 1;
        if (moves('overflowX', 'scrollWidth', 'clientWidth') && moves('overflowY', 'scrollHeight', 'clientHeight')) cut.push('moves both ways: ' + name());
    }
    let stuck = 0;
    for (const one of document.querySelectorAll('body *')) {
        const style = getComputedStyle(one);
        if (['sticky', 'fixed'].includes(style.position) && one.checkVisibility()) stuck += one.getBoundingClientRect().height;
    }
    if (stuck > innerHeight / 2) cut.push(`${stuck} of ${innerHeight} pixels stick`);
    return cut;";

/// Four times as large, a laptop's window is 320 by 256 pixels; and a phone of 360 pixels has room for every
/// language.
#[test]
fn nothing_is_cut_four_times_as_large_nor_on_a_small_phone_in_any_language() {
    let Some(pages) = Pages::open() else { return };
    let browser = &pages.hall.phone.browser;
    let mut wrong = Vec::new();
    for language in ["en", "de", "fr", "it"] {
        for (width, height) in [(320, 256), (360, 740)] {
            browser.resize(width, height);
            pages.each(language, |phone, name| {
                if let (Ok(folder), 360) = (std::env::var("OWLBOX_TEST_PICTURES"), width) {
                    phone.browser.screenshot(&Path::new(&folder).join(format!("page-{name}-{language}.png")));
                }
                phone
                    .browser
                    .run("document.querySelectorAll('main details').forEach((one) => one.open = true)");
                for found in [phone.browser.run(CUT), phone.browser.run(MISFITS)] {
                    if found != json!([]) {
                        wrong.push(format!("{name} {language} {width}x{height}: {found:#}"));
                    }
                }
            });
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    pages.hall.ends_well();
}

/// Who wants nothing to move sees a change at once: no page animates or slides anything, also when another
/// has acted.
#[test]
fn nothing_moves_for_who_wants_it_so() {
    let Some(pages) = Pages::open() else { return };
    let browser = &pages.hall.phone.browser;
    let moving =
        "return document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 10)
                      .map((one) => one.effect.target.outerHTML.slice(0, 90))";
    browser.calm(true);
    browser.run("window.slid = 0");
    pages.each("en", |phone, name| {
        assert_eq!(phone.browser.run(moving), json!([]), "{name}");
    });
    let (_, table) = &pages.main[1];
    let phone = &pages.hall.phone;
    phone.goto(table);
    let drop = json!({"command": "drop", "player": pages.hall.players["Cleo"]});
    pages.hall.director.post(&format!("/api/v1{table}/commands"), &drop).good();
    phone.logs("Cleo drops, loses 1");
    phone.browser.wait_for(".changed");
    assert_eq!(browser.run(moving), json!([]), "what has changed is marked, and does not blink");
    browser.calm(false);
    pages.hall.ends_well();
}
