//! The log of a tournament, read at its desk.

use serde_json::json;

use super::*;

/// The lines of the log, newest first: what happened, and whether it was undone.
fn lines(page: &Answer) -> Vec<(String, bool)> {
    let log = page.text().split_once("id=\"log\"").expect("a log").1;
    let log = log.split_once("</ol>").expect("its end").0;
    let line = |line: &str| (words(line.split_once('>').unwrap().1), line.contains("class=\"undone\""));
    log.split("<li ").skip(1).map(line).collect()
}

#[test]
fn the_log_says_who_did_what_and_what_was_undone() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "undo"}));
    hall.does(&json!({"command": "set_tables", "tables": [{"table": 7}]}));
    let page = browser.get(&hall.desk("/log")).good();
    assert!(page.text().contains("aria-current=\"true\">The log"), "{page}");
    let before = lines(&page);
    let said = |at: usize, what: &str, undone: bool| {
        let (line, struck) = &before[at];
        assert!(line.contains(what) && line.contains(ADMIN.0) && *struck == undone, "{line} ({struck})");
    };
    said(0, "tables", false);
    said(1, "Undone: the draw", false);
    said(2, "the draw", true);
    // T13: the first line says how it began, and is not struck out though nobody can take it back.
    said(before.len() - 1, "opened", false);

    // Undo and redo are pressed on the page itself, which shows them at once.
    let page = press(&browser, &page, "Undo: tables changed", &[]);
    leads_to(&page, &hall.desk("/log"));
    let after = lines(&browser.get(&hall.desk("/log")).good());
    assert_eq!(after.len(), before.len() + 1);
    assert!(after[0].0.contains("Undone: ") && after[1].1, "{after:?}");
}

/// T13: with several divisions the log and the undo button say whose draw it was. What one player alone
/// reports cannot be taken back, and is not struck out for it.
#[test]
fn t13_the_draw_is_told_with_its_division_and_reports_are_not_struck_out() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    hall.does(&json!({"command": "add_division", "settings": {"name": "Beginners"}}));
    let entries = hall.players.values().map(|player| json!({"player": player})).collect::<Vec<_>>();
    hall.does(&json!({"command": "enter", "division": 2, "entries": entries}));
    hall.does(&json!({"command": "draw", "division": 2}));
    let page = browser.get(&hall.desk("/log")).good();
    assert!(page.text().contains("Undo: the draw · Beginners"), "{page}");
    let told = lines(&page);
    assert!(told[0].0.contains("the draw · Beginners"), "{told:?}");
    let ours = told.iter().filter(|(line, _)| line.contains("the draw · ")).count();
    assert_eq!(ours, 2, "each with its own: {told:?}");
    assert!(told.iter().all(|(_, struck)| !struck), "{told:?}");
    let report = |entry: u32| {
        let report = json!({"command": "report", "match": 1, "entry": entry, "score": [5, 2]});
        hall.director.post(&format!("/api/v1/tournaments/{}/commands", hall.id), &report).status
    };
    assert!((1..=8).any(|entry| report(entry) == 200), "somebody sits in the first match");
    let told = lines(&browser.get(&hall.desk("/log")).good());
    assert!(told[0].0.contains("report of ") && !told[0].1, "{told:?}");
}

#[test]
fn a_long_log_is_read_by_the_page() {
    let Some(hall) = Hall::open(&json!({"lengths": [5]})) else { return };
    let browser = hall.browser(ADMIN.0, ADMIN.1);
    for table in 1..=110 {
        hall.does(&json!({"command": "set_tables", "tables": [{"table": table}]}));
    }
    let newest = browser.get(&hall.desk("/log")).good();
    assert_eq!(lines(&newest).len(), 100);
    let older = newest.text().split("href=\"").find(|link| link.contains("/log?before=")).unwrap();
    let older = browser.get(older.split('"').next().unwrap()).good();
    let rest = lines(&older);
    assert!(rest.len() > 10 && rest.len() < 30, "{rest:?}");
    assert!(!older.text().contains("class=\"more\""), "{older}");
    assert!(!older.text().contains("data-live=\""), "what is old does not change: {older}");
}
