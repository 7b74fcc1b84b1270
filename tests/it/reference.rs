//! The reference tables as anybody sees them: the API, the pages, and a viewer's settings for boards.

use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::client::Client;
use crate::support::databases::Db;
use crate::support::evening::Phone;
use crate::support::house::{ADMIN, House};

const API: &str = "/api/v1/reference";

/// A stranger, in a club that shows nothing to strangers.
fn stranger() -> Option<(House, Client)> {
    let house = House::open(Db::Sqlite)?;
    let public = house.server.public();
    Some((house, public))
}

/// Door: reference.
#[test]
fn k2_everybody_sees_the_opening_plays_of_every_roll() {
    let Some((house, public)) = stranger() else { return };
    let table = public.get(&format!("{API}/opening")).good().body;
    let rolls = table["rolls"].as_array().unwrap();
    assert_eq!(rolls.len(), 21);
    assert_eq!(rolls.iter().filter(|roll| roll["reply_only"] == true).count(), 6);
    let of = |roll: Value| rolls.iter().find(|one| one["roll"] == roll).unwrap();
    let six_one = &of(json!([6, 1]))["plays"];
    assert_eq!(six_one[0]["play"], "13/7 8/7");
    assert_eq!(six_one[0]["box_points"], "6/1=12A-7 & 8-7");
    assert_eq!(six_one[0]["steps"], json!([{"from": 13, "pips": 6}, {"from": 8, "pips": 1}]));
    assert_eq!(of(json!([2, 1]))["plays"].as_array().unwrap().len(), 2);
    // F15: the booklet's plays are named as such, and today's stand beside them.
    assert_eq!(table["source"], "the rules in the game box (K2)");
    assert_eq!(table["today_by"], json!({"program": "GNU Backgammon", "version": "1.07.001", "ply": 3}));
    assert_eq!(of(json!([5, 1]))["plays"][0]["play"], "24/18");
    assert_eq!(of(json!([5, 1]))["today"][0]["play"], "24/23 13/8");
    assert_eq!(of(json!([6, 4]))["today"][1]["play"], "24/18 13/9");

    let page = house.server.public().cookies().get("/reference/opening").good();
    for roll in rolls {
        let name = format!("id=\"roll-{}-{}\"", roll["roll"][0], roll["roll"][1]);
        assert!(page.text().contains(&name), "{name}");
        for play in ["plays", "today"].into_iter().flat_map(|of| roll[of].as_array().unwrap()) {
            assert!(page.text().contains(&format!(">{}</p>", play["play"].as_str().unwrap())), "{play}");
        }
    }
    let sources = ["Game box</p>", "Today</p>", "Game box and today</p>"];
    let counted = sources.map(|source| page.text().matches(&format!(">{source}")).count());
    assert_eq!(counted, [7, 12, 15], "each play says where it is from");
    assert!(page.text().contains("GNU Backgammon 1.07.001, 3-ply"));
    assert_eq!(page.text().matches("class=\"backgammon still\"").count(), 34, "a board for each play");
}

/// Door: reference.
#[test]
fn k3_everybody_sees_how_many_rolls_reach_a_point() {
    let Some((house, public)) = stranger() else { return };
    let table = public.get(&format!("{API}/shots")).good().body;
    let all = table["distances"].as_array().unwrap();
    let counted: Vec<u64> = all.iter().map(|one| one["out_of_36"].as_u64().unwrap()).collect();
    assert_eq!(counted[..12], [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3]);
    assert_eq!((counted.len(), all[5]["percent"].as_u64()), (24, Some(47)));
    let page = house.server.public().cookies().get("/reference/shots").good();
    for (one, count) in all.iter().zip(&counted) {
        let row = page.text().split(&format!("id=\"away-{}\"", one["pips"])).nth(1).unwrap();
        assert!(row[..200].contains(&format!("<b>{count}</b>")), "{one}");
    }
}

/// Door: reference.
#[test]
fn m3_everybody_sees_what_a_score_means_for_the_cube() {
    let Some((house, public)) = stranger() else { return };
    let score = public.get(&format!("{API}/score?own=2&other=4")).good().body;
    assert_eq!(score["phase"], "before_crawford");
    let close = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-5;
    assert!(close(&score["own_side"]["take_point"]["dead"], 0.19894), "{score}");
    assert!(close(&score["other_side"]["take_point"]["live"], 0.18564), "{score}");
    let crawford = public.get(&format!("{API}/score?own=1&other=3&crawford=true")).good().body;
    assert!(close(&crawford["own_side"]["equity"], 0.75076) && crawford["own_side"]["take_point"].is_null());
    let table = public.get(&format!("{API}/match-equities")).good().body;
    assert!(close(&table["rows"][1][1], 0.5) && close(&table["rows"][0][2], 0.75076));
    assert!(close(&table["after_crawford"][1], 0.48803));

    let browser = house.server.public().cookies();
    let page = browser.get("/reference/score?own=2&other=4&cube=1").good();
    assert!(page.text().contains("<td class=\"num\">19.9 %</td>"), "{page}");
    assert!(browser.get("/reference/score").good().text().contains("50.0 %"), "before anything is typed");
}

/// Proves M3.
#[test]
fn a_score_that_cannot_be_is_refused_at_its_field() {
    let Some((house, public)) = stranger() else { return };
    let browser = house.server.public().cookies();
    for (query, field, wrong) in [
        ("own=0&other=3", "own", "own-wrong"),
        ("own=3&other=26", "other", "other-wrong"),
        ("own=3&other=4&cube=3", "cube", "cube-wrong"),
        ("own=1&other=4&crawford=true&cube=2", "cube", "cube-wrong"),
        ("own=3&other=4&crawford=true", "crawford", "crawford-wrong"),
        ("own=1&other=1&crawford=true", "crawford", "crawford-wrong"),
    ] {
        let refused = public.get(&format!("{API}/score?{query}")).refused(400, "invalid_query");
        assert_eq!(refused.body["field"], field, "{query}");
        let page = browser.get(&format!("/reference/score?{query}"));
        assert_eq!(page.status, 422, "{query}");
        assert!(page.text().contains(&format!("id=\"{wrong}\"")) && !page.text().contains("id=\"comes-to\""));
        assert_eq!(page.text().matches("aria-invalid").count(), 1, "{query}");
    }
    for query in ["", "own=3", "own=x&other=3", "own=3&other=3&colour=white"] {
        public.get(&format!("{API}/score?{query}")).refused(400, "invalid_query");
    }
    let page = browser.get("/reference/score?own=%3Cb%3E&other=-1");
    assert!(page.status == 422 && !page.text().contains("<b>\""), "{page}");
    assert_eq!(page.text().matches("aria-invalid").count(), 2);
}

#[test]
fn a_table_that_one_has_is_not_sent_again() {
    let Some((_house, public)) = stranger() else { return };
    for path in ["opening", "shots", "match-equities", "score?own=3&other=3"] {
        let path = format!("{API}/{path}");
        let first = public.get(&path).good();
        assert_eq!(first.header("cache-control"), Some("public, max-age=3600"), "{path}");
        let tag = first.header("etag").unwrap();
        assert_eq!(public.request("GET", &path).header("If-None-Match", tag).send().status, 304, "{path}");
        assert_eq!(public.request("GET", &path).header("If-None-Match", "\"1\"").send().status, 200);
    }
}

/// Saves pictures of the page by day and by night, if they are wanted: for the eye, not for the test.
pub(crate) fn pictures(browser: &Browser, name: &str) {
    let Ok(folder) = std::env::var("OWLBOX_TEST_PICTURES") else { return };
    browser.run("scrollTo(0, 0)");
    for (night, look) in [(false, "day"), (true, "night")] {
        browser.by_night(night);
        browser.screenshot(&std::path::Path::new(&folder).join(format!("{name}-{look}.png")));
    }
    browser.by_night(false);
}

/// K1, K4, G1: on the board of a match a player chooses the box rules' point names and turns the board round.
/// The choice persists, a tap still makes the same play, and the reference pages follow the choice.
/// Door: reference.
#[test]
fn k1_k4_g1_point_names_and_direction_are_a_viewers_choice_that_stays() {
    let (Some(browser), Some(house)) = (Browser::phone(), House::open(Db::Sqlite)) else { return };
    let client = house.admin();
    let players = ["Ann", "Bob"].map(|name| house.player(&client, name));
    let new = json!({"players": players, "terms": {"play": "match", "length": 5}});
    let id = client.post("/api/v1/matches", &new).good().body["match"]["id"].as_str().unwrap().to_owned();
    let command = |command: Value| {
        client.post(&format!("/api/v1/matches/{id}/commands"), &command).good();
    };
    command(json!({"command": "start_board", "dice": "entered"}));
    let dice = json!({"action": "roll_opening", "dice": {"white": 4, "black": 2}});
    command(json!({"command": "board", "by": "upper", "action": dice}));

    let phone = Phone::signed_in(browser, &house, ADMIN);
    phone.goto(&format!("/matches/{id}"));
    let names = || phone.texts(".backgammon .number").join(" ");
    assert!(names().starts_with("1 2 3") && names().ends_with("23 24"), "{}", names());
    phone.open("#board-view");
    phone.fits();
    pictures(&phone.browser, "board-view-phone");
    phone.tap("1 to 12 and 1A to 12A");
    phone.sees("#board-status", "Ann to play 4-2");
    assert!(names().ends_with("2A 1A"), "{}", names());
    phone.open("#board-view");
    phone.tap("left");
    phone.browser.wait_for("#board-view button[value=left][aria-pressed=true]");
    // On a phone the board stands: what is borne off lies below, and the home on the side that was chosen.
    let stands =
        "const at = (place) => document.querySelector(`.tap[data-place='${place}']`).getBoundingClientRect();
                  return at(0).top > at(1).top && at(1).top > at(6).top && at(6).top > at(25).top
                      && at(1).left > at(24).left";
    assert_eq!(phone.browser.run(stands), json!(true), "G1: borne off to the other side");
    for place in [8, 4, 6, 4] {
        phone.click(&format!(".tap[data-place='{place}']"));
    }
    phone.sees("#board-play", "Ann plays 8-4 & 6-4");
    phone.fits();
    pictures(&phone.browser, "board-mirrored-phone");
    phone.click("#board-play");
    phone.sees("#board-status", "Bob to roll, or to double");
    let board = client.get(&format!("/api/v1/matches/{id}")).good().body["board"].clone();
    assert_eq!(board["turn"], "lower", "what is sent is what everybody sends: {board}");

    phone.goto("/reference/opening");
    phone.sees("#roll-6-1 .played", "12A-7 & 8-7");
    if std::env::var("OWLBOX_TEST_PICTURES").is_ok() {
        let laptop = Browser::laptop().unwrap();
        for page in ["", "/opening", "/shots", "/score?own=3&other=5&cube=2", "/score?own=0&other=3&cube=2"] {
            let name = page.split('?').next().unwrap().replace('/', "-")
                + if page.contains("own=0") { "-wrong" } else { "" };
            for (browser, size) in [(&phone.browser, "phone"), (&laptop, "laptop")] {
                browser.goto(&format!("{}/reference{page}", house.server.url()));
                pictures(browser, &format!("reference{name}-{size}"));
            }
        }
    }
}
