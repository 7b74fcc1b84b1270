//! Names written from right to left (C26), and the bracket on paper (C27).

use serde_json::json;

use crate::signed_out::signed_in;
use crate::support::browser::Browser;
use crate::support::databases::Db;
use crate::support::house::House;
use crate::support::pdf;
use crate::tournament_pages::Event;

const OMAR: &str = "عمر خالد";
const DAVID: &str = "דוד לוי";

/// The characters beside a name in a page: on every page each such name is set apart from what stands around
/// it.
#[track_caller]
fn is_set_apart(page: &str, name: &str) {
    let mut rest = page;
    let mut found = 0;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let is_apart = (before.ends_with("<bdi>") && after.starts_with("</bdi>"))
            || (before.ends_with('\u{2068}') && after.starts_with('\u{2069}'));
        // In the value of a field, or of an attribute for scripts.
        let is_value = before.rfind('"').is_some_and(|quote| before[..quote].ends_with('='))
            && !before[before.rfind('"').unwrap()..].contains('>');
        assert!(
            is_apart || is_value,
            "{}…{}",
            &before[before.len().saturating_sub(60)..],
            &after[..after.len().min(40)]
        );
        found += 1;
        rest = after;
    }
    assert!(found > 0, "no {name}");
}

#[test]
fn c26_names_from_right_to_left_turn_no_score_round() {
    let Some(house) = House::open(Db::Sqlite) else { return };
    let names = [OMAR, DAVID, "Ann Lee", "Bob"].map(str::to_owned);
    let about = json!({"name": "Open", "date": "2026-11-20", "public": true});
    let event = Event::new(&house, &names, &about, &json!({"name": "M", "lengths": [7]}));
    event.does(&json!({"command": "draw", "method": {"by": "hand", "slots": [1, 2, 3, 4]}}));
    event.does(&json!({"command": "result", "match": 1, "ended": {"ending": "played", "score": [7, 3]}}));
    let reader = signed_in(&house);
    for below in ["", "/1", "/1/print?flight=0", "/desk/log", "/desk", "/1/match/1"] {
        let page = reader.get(&event.page(below));
        if page.status == 200 {
            is_set_apart(page.text(), OMAR);
        }
    }
    let log = reader.get(&event.page("/desk/log")).good();
    is_set_apart(log.text(), DAVID);
}

#[test]
fn c27_the_browsers_own_print_has_every_round_on_the_paper() {
    let Some(browser) = Browser::open(794, 1123) else { return };
    let Some(house) = House::open(Db::Sqlite) else { return };
    for many in [8, 32, 64] {
        let names: Vec<String> = (0..many).map(|number| format!("P{many} {number:02}")).collect();
        let about = json!({"name": format!("Open {many}"), "date": "2026-11-20", "public": true});
        let event = Event::new(&house, &names, &about, &json!({"name": "M", "lengths": [7]}));
        event.does(&json!({"command": "draw"}));
        browser.goto(&format!("{}{}", house.server.url(), event.page("/1")));
        browser.wait_for(".rounds");
        browser.on_paper(true);
        let beyond = browser.run(
            "return [...document.querySelectorAll('.round h2, .round .match')].filter((one) => { \
             const at = one.getBoundingClientRect(); \
             return at.width === 0 || at.left < 0 || at.right > document.documentElement.clientWidth + 1; }).length",
        );
        assert_eq!(beyond, 0, "{many} players");
        assert_eq!(browser.run("return document.querySelectorAll('.round .match').length"), many - 1);
        browser.on_paper(false);
    }
}

/// The sheets themselves: what is cut off is not on them.
#[test]
fn c27_the_final_is_on_the_paper_that_comes_out() {
    let Some(browser) = Browser::laptop() else { return };
    let Some(house) = House::open(Db::Sqlite) else { return };
    for many in [16_usize, 32, 64] {
        let names: Vec<String> = (0..many).map(|number| format!("P{many} {number:02}")).collect();
        let about = json!({"name": format!("Open {many}"), "date": "2026-11-20", "public": true});
        let event = Event::new(&house, &names, &about, &json!({"name": "M", "lengths": [7]}));
        event.does(&json!({"command": "draw"}));
        browser.goto(&format!("{}{}", house.server.url(), event.page("/1")));
        browser.wait_for(".rounds");
        let marks = browser.run(
            "return [...document.querySelectorAll('.round h2, .round .match')].map((one, at) => { \
             one.append(`mark${at};`); return `mark${at};`; })",
        );
        // The heading of each round, and its matches.
        let marks: Vec<&str> = marks.as_array().unwrap().iter().filter_map(|mark| mark.as_str()).collect();
        assert_eq!(marks.len(), many - 1 + many.ilog2() as usize, "{many} players");
        // A4, A4 on its side, Letter.
        for paper in [[21.0, 29.7], [29.7, 21.0], [21.59, 27.94]] {
            let sheets = pdf::pages(&browser.print_on(paper));
            let printed: String = sheets.concat().split_whitespace().collect();
            let missing: Vec<_> = marks.iter().filter(|mark| !printed.contains(**mark)).collect();
            assert!(
                missing.is_empty(),
                "{many} players on {paper:?}: {missing:?} of {} sheets",
                sheets.len()
            );
        }
    }
}
