//! What the pages of a large tournament weigh with everything a browser loads for them, and when they are
//! painted.

use std::cell::Cell;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::{ADMIN, House};
use crate::walk::csrf;

/// The most a page may weigh on the wire with its style sheets, scripts and pictures, in bytes.
const HEAVIEST: usize = 100_000;
/// The most it may weigh without them.
const HEAVIEST_ALONE: usize = 60_000;
/// The time by which it is painted, in milliseconds, on loopback and with an empty cache.
const PAINTED: f64 = 200.0;

const ENTRANTS: usize = 256;

/// A tournament of many in full swing: fees are owed, every table is taken, a few matches are over.
struct Large {
    house: House,
    director: Client,
    id: String,
    player: String,
}

impl Large {
    fn open() -> Option<Self> {
        let house = House::open(Db::Sqlite)?;
        let director = house.admin();
        let about =
            json!({"name": "Turin Open 2026", "date": "2026-11-20", "currency": "EUR", "public": true});
        let id = director.post("/api/v1/tournaments", &about).good().body["id"].as_str().unwrap().to_owned();
        let names = (1..=ENTRANTS).map(|number| format!("Giambattista Player {number:03}"));
        let players: Vec<String> = names.map(|name| house.player(&director, &name)).collect();
        let large = Self { house, director, id, player: players[6].clone() };
        large.does(&json!({"command": "add_division", "settings": {
            "lengths": [13, 11, 9], "format": {"consolation": {"of": "progressive"}}, "fees": {"entry": 5000, "registration": 1000},
            "side_pools": [{"name": "Calcutta", "stake": 2500}], "kept": 500}}));
        let entries: Vec<Value> = players.iter().map(|player| json!({"player": player})).collect();
        large.does(&json!({"command": "enter", "entries": entries}));
        let tables: Vec<Value> = (1..=40).map(|table| json!({"table": table})).collect();
        large.does(&json!({"command": "set_tables", "tables": tables}));
        let slots: Vec<usize> = (1..=ENTRANTS).collect();
        large.does(&json!({"command": "draw", "method": {"by": "hand", "slots": slots}}));
        for number in 1..=30 {
            let ended = json!({"ending": "played", "score": [9, number % 9]});
            large.does(&json!({"command": "result", "match": number, "ended": ended}));
        }
        large.does(&json!({"command": "call_next", "matches": 40}));
        Some(large)
    }

    #[track_caller]
    fn does(&self, command: &Value) {
        self.director.post(&format!("/api/v1/tournaments/{}/commands", self.id), command).good();
    }

    /// The pages that a director, a player and the street look at.
    fn pages(&self) -> Vec<String> {
        let way = format!("/players/{}", self.player);
        let below = [
            "/desk",
            "/desk/1/entries",
            "/desk/1/entries?show=owing",
            "/desk/1/entries/7",
            "/desk/1/draw",
            "/desk/1/matches/40",
            "/desk/1/matches/5/correct",
            "/desk/room",
            "/desk/money",
            "/desk/1/settings",
            "",
            "/1",
            "/1?zoom=near",
            "/1?zoom=far",
            "/1?player=7",
            "/1?flight=1",
            "/1/entries",
            "/1/entries?all=yes",
            "/1/places",
            "/1/draw",
            "/1/print",
            "/1/slips",
            "/1/cards",
            "/1/embed",
            "/screen",
            "/screen?turn=3",
            &way,
        ];
        let others = ["/", "/tournaments", "/players", "/ledger/tournaments", "/ledger/house"];
        let below = below.iter().map(|page| format!("/tournaments/{}{page}", self.id));
        below.chain(others.map(str::to_owned)).collect()
    }
}

/// A page and everything that a browser loads for it, with the weight of each. A home screen's icon is loaded
/// when somebody puts the page there.
pub(crate) fn loads(browser: &Client, path: &str) -> Vec<(String, usize)> {
    let page = browser.get(path).good();
    let is_loaded = |link: &&str| link.starts_with("/assets/") && !link.ends_with("/apple-touch-icon.png");
    let files: BTreeSet<&str> = page.text().split('"').filter(is_loaded).collect();
    let all = std::iter::once(path).chain(files);
    all.map(|address| (address.to_owned(), browser.weight_on_the_wire(address))).collect()
}

#[test]
fn no_page_of_a_tournament_of_256_is_heavy() {
    let Some(large) = Large::open() else { return };
    let browser = large.house.server.public().cookies();
    let token = csrf(&browser.get("/sign-in").good());
    let form = [("csrf", token.as_str()), ("login", ADMIN.0), ("password", ADMIN.1)];
    assert_eq!(browser.request("POST", "/sign-in").form(&form).send().status, 303);
    for path in large.pages() {
        let loaded = loads(&browser, &path);
        let (alone, all) = (loaded[0].1, loaded.iter().map(|(_, weight)| weight).sum::<usize>());
        println!("{alone:>6} {all:>6} {}", path.replace(&large.id, "…"));
        assert!(alone < HEAVIEST_ALONE && all < HEAVIEST, "{alone} of {all}: {loaded:?}");
    }
}

/// Not part of every run, since it is a measurement: `docs/performance.md` says how to repeat it.
#[test]
#[ignore = "a measurement, for a machine with nothing else to do"]
fn first_paint_of_every_page() {
    let Some(large) = Large::open() else { return };
    let mut late = Vec::new();
    for (screen, browser) in [("phone", Browser::phone()), ("laptop", Browser::laptop())] {
        let Some(browser) = browser else { return };
        let phone = Phone::signed_in(browser, &large.house, ADMIN);
        let site = large.house.server.url();
        for path in large.pages() {
            let mut paints: Vec<f64> =
                (0..5).filter_map(|_| painted(&phone, &format!("{site}{path}"))).collect();
            paints.sort_by(f64::total_cmp);
            let Some(median) = paints.get(paints.len() / 2) else { panic!("{path} is never painted") };
            println!("{median:>6.0} ms {screen:<6} {}", path.replace(&large.id, "…"));
            if *median >= PAINTED {
                late.push(format!("{screen} {path}: {median:.0} ms"));
            }
        }
    }
    assert!(late.is_empty(), "{late:#?}");
}

/// When the page was first painted, in milliseconds after it was asked for; nothing of it is in the cache.
pub(crate) fn painted(phone: &Phone, url: &str) -> Option<f64> {
    phone.browser.forget_files();
    phone.browser.goto(url);
    let script = "return performance.getEntriesByType('paint').find(({ name }) => name === 'first-contentful-paint')?.startTime ?? null";
    let found = Cell::new(None);
    phone.browser.wait_until("a paint", || {
        found.set(phone.browser.run(script).as_f64());
        found.get().is_some()
    });
    found.get()
}
