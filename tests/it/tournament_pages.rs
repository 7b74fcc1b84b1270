//! The public pages of tournaments on a real server: before the draw, during play and at the end, with few
//! entrants and with many; and who may see them.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::client::{Answer, Client};
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::{ADMIN, House};
use crate::walk::csrf;

/// A tournament with one division.
pub(crate) struct Event {
    pub director: Client,
    id: String,
    pub players: BTreeMap<String, String>,
}

impl Event {
    #[track_caller]
    pub fn new(house: &House, names: &[String], about: &Value, settings: &Value) -> Self {
        let director = house.admin();
        let opened = director.post("/api/v1/tournaments", about).good();
        let id = opened.body["id"].as_str().unwrap().to_owned();
        let players = names.iter().map(|name| (name.clone(), house.player(&director, name))).collect();
        let event = Self { director, id, players };
        event.does(&json!({"command": "add_division", "settings": settings}));
        let entries: Vec<Value> = names.iter().map(|name| json!({"player": event.players[name]})).collect();
        event.does(&json!({"command": "enter", "entries": entries}));
        event
    }

    #[track_caller]
    pub fn does(&self, command: &Value) -> Answer {
        self.director.post(&format!("/api/v1/tournaments/{}/commands", self.id), command).good()
    }

    pub fn page(&self, below: &str) -> String {
        format!("/tournaments/{}{below}", self.id)
    }

    fn at(&self, number: u64) -> Value {
        let path = format!("/api/v1/tournaments/{}/divisions/1/matches/{number}", self.id);
        self.director.get(&path).good().body
    }

    /// The matches that can be played.
    fn ready(&self) -> Vec<Value> {
        let path = format!("/api/v1/tournaments/{}/queue", self.id);
        let queue = self.director.get(&path).good().body;
        let both = ["playing", "ready"].map(|list| queue[list].as_array().unwrap().clone());
        both.concat()
    }

    /// The upper slot wins so many matches, or all that are left.
    #[track_caller]
    pub fn plays(&self, most: usize) {
        let mut played = 0;
        while played < most {
            let ready = self.ready();
            if ready.is_empty() {
                return;
            }
            for at in ready.iter().take(most - played) {
                let ended = json!({"ending": "played", "score": [at["length"], 1]});
                self.does(&json!({"command": "result", "match": at["match"], "ended": ended}));
                played += 1;
            }
        }
    }
}

pub(crate) fn about() -> Value {
    json!({
        "name": "Turin <Open>", "date": "2026-04-18", "place": "Circolo dei Lettori", "currency": "EUR", "public": true,
        "prizes": "A cup for the winner", "rules": "Legal moves, please"
    })
}

pub(crate) fn settings() -> Value {
    json!({
        "format": {"consolation": {"of": "progressive"}}, "lengths": [9, 7, 5], "consolation_lengths": [3],
        "fees": {"entry": 2500, "registration": 500}, "kept": 1000,
    })
}

pub(crate) fn names(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("Player {number:03}")).collect()
}

/// A person signed in with a browser.
#[track_caller]
pub(crate) fn browser_of(house: &House, (login, password): (&str, &str)) -> Client {
    let browser = house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", login), ("password", password)];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    browser
}

#[track_caller]
pub(crate) fn says(page: &Answer, texts: &[&str]) {
    for text in texts {
        assert!(page.flows(text), "no {text:?} in {page}");
    }
}

/// Every page of a public tournament that a stranger may read.
fn pages(event: &Event) -> Vec<String> {
    let some = event.players.values().next().unwrap();
    let way = format!("/players/{some}");
    let of_division = ["", "/draw", "/entries", "/places", "/print", "/print?paper=a3", "/slips", "/embed"];
    let of_division = of_division.map(|page| event.page(&format!("/1{page}")));
    let others = ["", "/screen", "/screen?turn=2", &way].map(|page| event.page(page));
    of_division.into_iter().chain(others).chain(["/tournaments".to_owned()]).collect()
}

#[track_caller]
fn all_are_shown(house: &House, event: &Event, when: &str) {
    let street = house.server.public();
    let director = browser_of(house, ADMIN);
    for path in pages(event) {
        for reader in [&street, &director] {
            let page = reader.get(&path);
            assert_eq!(page.status, 200, "{when} {path}: {page}");
            says(&page, &["</html>", "noindex"]);
            // The overview, the list and the wall display the tournament's name, and no name can bring
            // markup.
            assert!(!page.text().contains("<Open>"), "{when} {path}");
        }
        let weight = street.weight_on_the_wire(&path);
        // Slips are for paper: each has a code of its own, which nothing makes shorter.
        let most = if path.ends_with("/slips") { 100_000 } else { 60_000 };
        assert!(weight < most, "{when} {path}: {weight} bytes");
    }
}

#[rstest]
fn every_page_is_shown_before_while_and_after(#[values(2, 5, 16, 128)] entrants: usize) {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let names = names(entrants);
    let event = Event::new(&house, &names, &about(), &settings());
    let street = house.server.public();
    all_are_shown(&house, &event, "before the draw");
    let one = |below: &str| street.get(&event.page(below)).good();
    says(&one("/1"), &["The draw has not been made yet."]);
    says(&one("/1/draw"), &["The draw has not been made yet."]);
    let overview =
        ["Turin &#60;Open&#62;", "Circolo dei Lettori", "A cup for the winner", "not drawn yet", "25.00 EUR"];
    says(&one(""), &overview);
    says(&one("/1/entries"), &["Player 001", "Player 002"]);
    let way = format!("/players/{}", event.players["Player 002"]);
    says(&one(&way), &["Player 002", "The draw has not been made yet."]);

    event.does(&json!({"command": "draw"}));
    event.does(&json!({"command": "set_tables", "tables": [{"table": 4}, {"table": 5}]}));
    event.does(&json!({"command": "call_next"}));
    let first = event.ready()[0]["match"].as_u64().unwrap();
    let called = event.at(first);
    let player = called["slots"][0]["player"].as_str().unwrap();
    says(&one(&format!("/players/{player}")), &["Called to table 4: now"]);
    says(&one("/screen"), &["Who plays where", ">4<"]);
    says(&one(&format!("/1/matches/{first}")), &["called · table 4", "Match to"]);
    all_are_shown(&house, &event, "drawn");
    event.does(&json!({"command": "begin", "match": first}));
    says(&one(&format!("/1/matches/{first}")), &["under way · table 4", "Started"]);
    says(&one(""), &["Under way", "matches/"]);
    says(&one("/1/draw"), &["Seed", &format!("owlbox draw --entrants {entrants} --seed")]);

    event.plays(entrants / 2);
    all_are_shown(&house, &event, "under way");
    let played = one(&format!("/1/matches/{first}"));
    says(&played, &["Over", "Ended", ">won<"]);
    let fits = event.at(first)["winner_to"].as_u64();
    assert!(fits.is_none_or(|next| played.text().contains(&format!("/1/matches/{next}\""))), "{played}");
    says(&one(""), &["Latest results"]);

    event.plays(usize::MAX);
    event.does(&json!({"command": "award"}));
    event.does(&json!({"command": "close"}));
    all_are_shown(&house, &event, "over");
    let places = one("/1/places");
    says(&places, &["Prizes awarded", "The house keeps"]);
    let winner =
        event.director.get(&format!("/api/v1/tournaments/{}/divisions/1/places", event.id)).good().body;
    let winner = winner["items"][0]["entry"].as_u64().unwrap();
    let winner = format!("Player {winner:03}");
    says(&one(""), &["Winner", &winner, ">over<"]);
    says(&one("/screen"), &["The winners", &winner, "wall-winners"]);
    says(&street.get("/tournaments").good(), &["Over", &winner]);
    let none = house.server.logged();
    assert!(!none.contains("panicked") && !none.contains("ERROR"), "{none}");
}

/// The page of a draw shows a command that repeats the draw, but only if it gives the same result.
/// Door: draw.
#[test]
fn the_command_of_a_draw_is_named_only_where_it_draws_the_same() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = Event::new(&house, &names(7), &about(), &settings());
    let street = house.server.public();
    let page = || street.get(&event.page("/1/draw")).good();
    event.does(&json!({"command": "seed", "entries": [1, 2]}));
    event.does(&json!({"command": "draw"}));
    says(&page(), &["owlbox draw --entrants 7 --seed", "--seeded 2", "seeded 1"]);
    // The entries were seeded in another order than they came: the draw numbers them by seeding, and the page
    // says so.
    event.does(&json!({"command": "seed", "entries": [5, 2]}));
    event.does(&json!({"command": "draw", "reason": "<b>Max</b> came late"}));
    let again = page();
    says(&again, &["Seed", "Drawn again: &#60;b&#62;Max", "Draw 1", "Draw 2"]);
    says(&again, &["owlbox draw --entrants 7 --seed", "--seeded 2", "numbers the seeded entries first"]);
    let hand = json!({"by": "hand", "slots": [7, 1, 6, 2, 5, 3, 4, 0]});
    event.does(&json!({"command": "draw", "method": hand, "reason": "by hand"}));
    let by_hand = page();
    says(&by_hand, &["made this draw by hand"]);
    assert!(!by_hand.text().contains("class=\"code n\""), "no seed: {by_hand}");
    // The first draw can still be looked at.
    says(&street.get(&event.page("/1/draw?draw=1")).good(), &["Seed"]);
}

#[test]
fn a_player_is_found_by_a_part_of_the_name() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = Event::new(&house, &names(16), &about(), &settings());
    event.does(&json!({"command": "draw"}));
    let street = house.server.public();
    let find = |typed: &str| street.get(&event.page(&format!("/1?find={typed}")));
    let one = find("r%20007");
    assert_eq!((one.status, one.header("location")), (303, Some(event.page("/1?player=7").as_str())));
    let several = find("PLAYER%2001").good();
    says(&several, &["Several players here have that name", "Player 010", "Player 016"]);
    says(&find("%3Cb%3E").good(), &["&#60;b&#62;", "Nobody here has that name."]);
    let marked = street.get(&event.page("/1?player=7")).good();
    says(&marked, &["class=\"way\"", "aria-current=\"true\" class=\"slot"]);
    // Parameters that do not belong to this bracket are ignored, and break nothing.
    for query in
        ["?flight=99&section=7000&player=x&zoom=none", "?player=4294967295", "?flight=-1", "?section=0"]
    {
        assert_eq!(street.get(&event.page(&format!("/1{query}"))).status, 200, "{query}");
    }
    for below in ["/2", "/0", "/256", "/1/matches/0", "/1/matches/999", "/1/draws", "/2/entries", "/x"] {
        assert_eq!(street.get(&event.page(below)).status, 404, "{below}");
    }
    for below in [
        "/1/draw?draw=9",
        "/1/places?flight=9&from=900",
        "/1/entries?after=99",
        "/1/slips?after=x",
        "/1/print?from=9",
    ] {
        assert_eq!(street.get(&event.page(below)).status, 200, "{below}");
    }
    let stranger = house.player(&event.director, "Nobody of theirs");
    assert_eq!(street.get(&event.page(&format!("/players/{stranger}"))).status, 404);
}

/// What a table shows, and in which order, is in its address: so a view can be sent, and works without
/// scripts.
#[test]
fn the_order_and_the_search_of_a_table_are_in_its_address() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let names = ["Cleo", "Ada", "Dino", "Bea"].map(str::to_owned);
    let event = Event::new(&house, &names, &about(), &settings());
    for (name, club) in [("Bea", "Zürich"), ("Ada", "Älmhult")] {
        let from = json!({"club": club, "country": "DE"});
        event.director.patch(&format!("/api/v1/players/{}", event.players[name]), &from).good();
    }
    event.does(&json!({"command": "seed", "entries": [3, 1]}));
    event.does(&json!({"command": "check_in", "entries": [1, 4], "here": true}));
    event.does(&json!({"command": "withdraw", "entry": 2}));
    let street = house.server.public();
    let listed = |path: &str, id: &str| -> Vec<String> {
        let page = street.get(&event.page(path)).good();
        let row = format!("<tr id=\"{id}");
        let rows = page.text().split(&row).skip(1);
        rows.map(|row| row.split('"').next().unwrap().to_owned()).collect()
    };
    for (query, expected) in [
        ("", "2 4 1 3"),
        ("?sort=name&order=desc", "3 1 4 2"),
        ("?sort=seed", "3 1 2 4"),
        ("?sort=from&order=asc", "2 4 1 3"),
        ("?sort=from&order=desc", "4 2 1 3"),
        ("?sort=number&order=desc", "4 3 2 1"),
        ("?sort=status", "4 1 3 2"),
        ("?sort=nonsense&order=desc", "2 4 1 3"),
        ("?status=here", "4 1"),
        ("?status=left", "2"),
        ("?status=waiting", ""),
        ("?status=here&q=CLE", "1"),
        ("?q=e&sort=number", "1 4"),
    ] {
        let expected: Vec<&str> = expected.split_whitespace().collect();
        assert_eq!(listed(&format!("/1/entries{query}"), "e"), expected, "{query}");
    }
    // A heading keeps what was searched for, and a search keeps the order.
    let page = street.get(&event.page("/1/entries?q=a&status=here&sort=number")).good();
    let heading =
        format!("href=\"{}\"", event.page("/1/entries?status=here&#38;q=a&#38;sort=from&#38;order=asc"));
    says(&page, &[&heading, "name=\"sort\" value=\"number\"", "name=\"status\" value=\"here\""]);

    event.does(&json!({"command": "draw", "method": {"by": "hand", "slots": [1, 3, 4, 0]}}));
    event.plays(usize::MAX);
    event.does(&json!({"command": "award"}));
    for (query, expected) in [
        ("", "1 4 3"),
        ("?sort=place&order=desc", "3 4 1"),
        ("?sort=name", "4 1 3"),
        ("?sort=from", "4 1 3"),
        ("?q=d", "3"),
    ] {
        let expected: Vec<&str> = expected.split_whitespace().collect();
        assert_eq!(listed(&format!("/1/places{query}"), "p"), expected, "{query}");
    }
    let prizes = street.get(&event.page("/1/places?sort=prize&order=desc")).good();
    says(&prizes, &["class=\"col-prize\" aria-sort=\"descending\""]);
}

/// A division of many is read page by page, and printed whole.
#[test]
fn the_whole_table_is_one_tap_away_from_its_first_page() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = Event::new(&house, &names(230), &about(), &json!({"lengths": [5]}));
    let street = house.server.public();
    let rows = |page: &Answer| page.text().matches("<tr id=\"e").count();
    let first = street.get(&event.page("/1/entries?sort=number&order=desc")).good();
    assert_eq!(rows(&first), 200);
    let link = |query: &str| format!("href=\"{}\"", event.page(&format!("/1/entries?{query}")));
    let (next, whole) = ("sort=number&order=desc&after=31", "sort=number&order=desc&all=yes");
    says(&first, &[&link(next).replace('&', "&#38;"), &link(whole).replace('&', "&#38;")]);
    assert_eq!(rows(&street.get(&event.page(&format!("/1/entries?{next}"))).good()), 30);
    let all = street.get(&event.page(&format!("/1/entries?{whole}"))).good();
    assert_eq!(rows(&all), 230);
    says(&all, &["data-print"]);
    assert!(!all.text().contains("all=yes\">All on one page"), "{all}");
}

#[test]
fn what_is_not_public_leads_to_the_door_and_cards_are_for_who_directs() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let mut closed = about();
    closed["public"] = json!(false);
    let event = Event::new(&house, &names(4), &closed, &settings());
    event.does(&json!({"command": "draw"}));
    let street = house.server.public();
    for path in pages(&event).iter().filter(|path| *path != "/tournaments") {
        let answer = street.get(path);
        let to = answer.header("location").unwrap_or_default();
        assert!(answer.status == 303 && to.starts_with("/sign-in?next=/tournaments/"), "{path}: {answer}");
    }
    let list = street.get("/tournaments").good();
    assert!(!list.text().contains("Turin"), "{list}");

    let director = browser_of(&house, ADMIN);
    says(&director.get("/tournaments").good(), &["Turin", "/tournaments/new"]);
    assert_eq!(
        director.get(&event.page("/1/embed")).status,
        404,
        "only what is public is shown on other sites"
    );
    let at_a_glance = director.get(&event.page("")).good();
    assert!(!at_a_glance.text().contains("iframe"), "{at_a_glance}");
    says(&at_a_glance, &[&event.page("/desk"), &event.page("/1/cards")]);
    let cards = director.get(&event.page("/1/cards")).good();
    assert_eq!(cards.text().matches("class=\"entry-card\"").count(), 4);

    // A player sees it, but without the director's tools.
    let invitation = json!({"roles": ["player"], "player": event.players["Player 001"]});
    let invited = event.director.post("/api/v1/accounts", &invitation).good().body;
    let link = format!("/api/v1/links/{}", invited["secret"].as_str().unwrap());
    let password = "quattro oche sul lago";
    street.post(&link, &json!({"login": "ada", "password": password})).good();
    let player = browser_of(&house, ("ada", password));
    let seen = player.get(&event.page("")).good();
    assert!(!seen.text().contains("/desk") && !seen.text().contains("/cards"), "{seen}");
    assert_eq!(player.get(&event.page("/1/cards")).status, 403);
    assert_eq!(player.get(&event.page("/1")).status, 200);
}

#[test]
fn only_the_embedded_bracket_may_be_framed() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = Event::new(&house, &names(4), &about(), &settings());
    event.does(&json!({"command": "draw"}));
    let street = house.server.public();
    let policy = |path: &str| street.get(path).good().header("content-security-policy").unwrap().to_owned();
    for path in pages(&event) {
        let framed = policy(&path).contains("frame-ancestors *");
        assert_eq!(framed, path.ends_with("/embed"), "{path}");
        // The older header has no exceptions, and some browsers still follow it.
        let older = street.get(&path).header("x-frame-options").map(str::to_owned);
        assert_eq!(older.as_deref(), (!framed).then_some("DENY"), "{path}");
    }
    let embedded = street.get(&event.page("/1/embed")).good();
    assert!(
        !embedded.text().contains("/matches/"),
        "nothing in it leads where it may not be framed: {embedded}"
    );
    says(&embedded, &["data-again=\"60\"", "target=\"_blank\""]);
    let director = browser_of(&house, ADMIN).get(&event.page("")).good();
    says(&director, &["&#60;iframe src=", "/1/embed"]);
}

/// A reader sees whose bracket it is, who was seeded, what is played where it is not backgammon, and how to
/// show it elsewhere.
#[test]
fn a_bracket_says_its_division_its_seeds_its_game_and_how_to_embed_it() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let settings =
        json!({"name": "Masters & Co", "lengths": [5], "game": {"variant": "nackgammon"}, "rated": false});
    let event = Event::new(&house, &names(4), &about(), &settings);
    event.does(&json!({"command": "seed", "entries": [3]}));
    event.does(&json!({"command": "draw", "method": {"by": "hand", "slots": [1, 2, 3, 4]}}));
    event.does(&json!({"command": "set_tables", "tables": [{"table": 7}]}));
    event.does(&json!({"command": "call_next"}));
    let street = house.server.public();
    let one = |below: &str| street.get(&event.page(below)).good();
    let seeded =
        "<span class=\"hidden\">seeded 1 </span><span aria-hidden=\"true\">1</span></small><span>Player 003<";
    let bracket = one("/1");
    says(&bracket, &["<h1>Masters &#38; Co <small class=\"badge\">Nackgammon</small>", seeded]);
    assert_eq!(bracket.text().matches("class=\"seed\"").count(), 1, "{bracket}");
    says(&one("/1/embed"), &["Masters &#38; Co · Nackgammon</h1>", seeded]);
    says(&one("/1/print"), &["Masters &#38; Co · Nackgammon</h1>", ">[1] Player 003<"]);
    says(&one("/screen"), &["class=\"wall-game\">Nackgammon<"]);
    says(&one("/screen?turn=2"), &["Main · Nackgammon", "Player 003"]);
    says(&one(""), &["Nackgammon"]);
    // From the bracket to what one copies, in one tap.
    let snippet = event.page("#embed-1");
    says(&bracket, &[&format!("href=\"{snippet}\">Embed</a>")]);
    let overview = one("");
    says(&overview, &["id=\"embed-1\"", "&#60;iframe src=", "/1/embed"]);

    let closed = json!({"name": "Members only", "date": "2026-04-18", "public": false});
    let closed =
        Event::new(&house, &["Zoe".to_owned(), "Zita".to_owned()], &closed, &json!({"lengths": [5]}));
    let members = browser_of(&house, ADMIN).get(&closed.page("/1")).good();
    says(&members, &["<h1>Open<"]);
    assert!(!members.text().contains("Embed"), "{members}");
}

/// Nobody has to pan a bracket of 32, 64 or 128 on a laptop, and no name is cut on the wall, however long.
#[test]
fn a_bracket_fits_a_laptop_and_names_are_whole_on_the_wall() {
    let Some(browser) = Browser::laptop() else { return };
    let Some(house) = House::open(Db::Sqlite) else { return };
    let reader = Phone::signed_in(browser, &house, ADMIN);
    let browser = &reader.browser;
    let long = |number: usize| match number % 3 {
        0 => format!("Wolfgang Freiherr von Hohenlohe-Schillingsfürst {number}"),
        1 => format!("Maria Giambattista Quattrocchi {number}"),
        _ => format!("Ann {number}"),
    };
    for entrants in [32, 64, 128] {
        let names: Vec<String> =
            (1..=entrants).map(|number| format!("{} of {entrants}", long(number))).collect();
        let event = Event::new(&house, &names, &about(), &json!({"lengths": [5]}));
        let slots: Vec<usize> = (1..=entrants).collect();
        event.does(&json!({"command": "draw", "method": {"by": "hand", "slots": slots}}));
        browser.resize(1280, 800);
        reader.goto(&event.page("/1"));
        browser.wait_for("[data-ready] #m1");
        let widths =
            "const draw = document.getElementById('draw'); return [draw.scrollWidth, draw.clientWidth]";
        let widths = browser.run(widths);
        assert!(widths[0].as_i64() <= widths[1].as_i64(), "{entrants}: {widths}");

        browser.resize(1920, 1080);
        browser.goto(&format!("{}{}", house.server.url(), event.page("/screen")));
        browser.wait_for(".wall-draw");
        let cut = "return [...document.querySelectorAll('.wall-draw .slot > span')]
            .filter((name) => {
                const [own, slot] = [name, name.parentElement].map((thing) => thing.getBoundingClientRect());
                return name.scrollWidth > name.clientWidth || own.top < slot.top - 1 || own.bottom > slot.bottom + 1;
            }).map((name) => name.textContent)";
        assert_eq!(browser.run(cut), json!([]), "{entrants}");
        let shown = browser.count(".wall-draw .slot > span");
        assert!(shown >= 16, "{shown}");
    }
}

/// A path is marked, a player found, a match opened; and changes in the room appear where they belong.
#[rstest]
fn a_bracket_is_read_on_a_screen_and_lives(#[values(true, false)] phone: bool) {
    let browser = if phone { Browser::phone() } else { Browser::laptop() };
    let Some(browser) = browser else { return };
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = Event::new(&house, &names(16), &about(), &settings());
    let slots: Vec<u32> = (1..=16).collect();
    event.does(&json!({"command": "draw", "method": {"by": "hand", "slots": slots}}));
    event.does(&json!({"command": "set_tables", "tables": [{"table": 12}]}));
    event.plays(4);
    let reader = Phone::signed_in(browser, &house, ADMIN);
    let browser = &reader.browser;

    reader.goto(&event.page("/1"));
    if phone {
        // With a mouse, more of it is visible.
        reader.fits();
    }
    browser.wait_for("[data-ready] #m1");
    // A tap on a name marks their path, and another tap unmarks it.
    reader.click("#m1 a.slot");
    browser.wait_for("#m1.on, #m1 .slot[aria-current]");
    reader.sees("#way", "Player 001");
    assert!(browser.url().contains("player=1"), "{}", browser.url());
    // A player found by name.
    reader.choose("pick", "6");
    reader.sees("#way", "Player 006");
    browser.wait_for("#m3 .slot[aria-current]");

    // A result entered elsewhere appears without a reload, highlighted.
    browser.wait_for("#live[data-state=on]");
    browser.run("window.sameWindow = true");
    let ended = json!({"ending": "played", "score": [5, 2]});
    event.does(&json!({"command": "result", "match": 5, "ended": ended}));
    browser.wait_for("#m5.done.changed");
    assert_eq!(browser.run("return window.sameWindow"), json!(true), "no reload");
    reader.sees("#way", "Player 006");

    // The page of the match opens, and updates itself as well.
    reader.click("#m6 a.no");
    reader.sees("h1", "Match 6");
    browser.wait_for("#live[data-state=on]");
    reader.fits();
    event.does(&json!({"command": "call", "match": 6, "table": 12}));
    reader.sees("#said", "called · table 12");
    event.does(&json!({"command": "result", "match": 6, "ended": ended}));
    reader.sees("#side-1", "won");
    reader.tap("In the bracket");
    browser.wait_for("#m6.done");

    for below in
        ["", "/1/entries", "/1/places", "/1/draw", &format!("/players/{}", event.players["Player 001"])]
    {
        reader.goto(&event.page(below));
        reader.fits();
    }
    reader.goto("/tournaments");
    reader.fits();
    let logged = house.server.logged();
    assert!(!logged.contains("panicked") && !logged.contains("ERROR"), "{logged}");
}

/// A site of another origin with a single page that has this address in a frame. It serves one visitor.
pub(crate) fn another_site(framed: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}/", listener.local_addr().expect("its address"));
    let page = format!(
        "<!doctype html><title>elsewhere</title><iframe src=\"{framed}\" width=900 height=600></iframe>"
    );
    std::thread::spawn(move || {
        for stream in listener.incoming().take(1) {
            let Ok(mut stream) = stream else { return };
            let mut asked = [0; 4096];
            let _ = stream.read(&mut asked);
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close",
                page.len()
            );
            let _ = stream.write_all(format!("{head}\r\n\r\n{page}").as_bytes());
        }
    });
    address
}

/// A browser shows the bracket inside another site's page, but no other page of ours.
#[test]
fn a_browser_shows_the_bracket_inside_another_sites_page() {
    let Some(browser) = Browser::laptop() else { return };
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = Event::new(&house, &names(8), &about(), &settings());
    event.does(&json!({"command": "draw"}));
    let framed = |below: &str| {
        let elsewhere = another_site(&format!("{}{}", house.server.url(), event.page(below)));
        browser.goto(&elsewhere);
        browser.shows_in_frame("#bracket")
    };
    for load in 1..=5 {
        browser.forget_files();
        assert!(framed("/1/embed"), "the bracket stays blank in cold load {load}");
    }
    assert!(!framed("/1"));
}

/// In a club that shows strangers no tables, they find public tournaments beside the sign-in form. And on
/// every page the club's name has the room that the sign-in link leaves it.
#[test]
fn strangers_find_the_public_tournaments_at_the_front_door() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = Event::new(&house, &names(4), &about(), &settings());
    let hidden =
        json!({"name": "Members' evening", "date": "2026-04-19", "currency": "EUR", "public": false});
    Event::new(&house, &["Lou".to_owned(), "Max".to_owned()], &hidden, &settings());
    let street = house.server.public();
    let door = street.get("/");
    let door = if door.status == 303 { street.get(door.header("location").unwrap()) } else { door }.good();
    says(&door, &["Turin &#60;Open&#62;", &event.page("")]);
    assert!(!door.text().contains("Members"), "what is not public stays inside: {door}");
    for browser in [Browser::phone(), Browser::laptop()] {
        let Some(browser) = browser else { return };
        for path in ["/", &event.page(""), &event.page("/1")] {
            browser.goto(&format!("{}{path}", house.server.url()));
            let laid_out = browser.run(
                "const [top, brand, name] = ['.top', '.brand', '.brand span'].map((css) => document.querySelector(css));
                 const way_in = document.querySelector('.top > .button')?.getBoundingClientRect();
                 return name.scrollWidth <= name.clientWidth && top.scrollWidth <= top.clientWidth
                     && (!way_in || (way_in.left >= brand.getBoundingClientRect().right && way_in.width < innerWidth / 2))",
            );
            assert_eq!(laid_out, json!(true), "{path}");
        }
    }
}

/// Withdrawn entries are not counted, on any page: all show the same number.
#[test]
fn entries_are_counted_one_way_on_every_page() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let event = Event::new(&house, &names(5), &about(), &settings());
    event.does(&json!({"command": "check_in", "entries": [1, 2, 3, 4, 5], "here": true}));
    event.does(&json!({"command": "withdraw", "entry": 5}));
    let street = house.server.public();
    for path in [event.page(""), event.page("/1/entries"), "/tournaments".to_owned()] {
        let page = street.get(&path).good();
        says(&page, &["4 entries"]);
        assert!(!page.text().contains("5 entries"), "{path}: {page}");
    }
    says(&street.get(&event.page("/1/entries")).good(), &["4 in the room"]);
}
