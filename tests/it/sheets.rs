//! Forms and the board in a real browser, on a screen as small as a phone's. The page previews what is filled
//! in, and only then records it.

use serde_json::json;

use crate::support::evening::Evening;

/// Taps a point of the board.
fn tap(evening: &Evening, place: u8) {
    evening.phone.click(&format!("#board-taps .tap[data-place='{place}']"));
}

/// Door: board.
#[test]
fn g3_g17_i2_a_refereed_game_is_played_on_a_phone_from_the_opening_to_a_resignation() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let browser = &evening.phone.browser;
    evening.command(&json!({"command": "start_game", "refereed": true}));
    evening.goto("");
    evening.phone.sees("#board-status", "Opening roll");
    evening.phone.fits();
    evening.phone.click("#board-enter summary");
    evening.phone.click("#die-1-6");
    evening.phone.click("#die-2-3");
    evening.phone.tap("Enter these dice");
    evening.phone.sees("#board-status", "Ada to play 6-3");

    // Tap a checker and its destination, and take that step back. Then swap the dice and tap the same point
    // twice: the checker there plays the left die.
    tap(&evening, 24);
    tap(&evening, 18);
    evening.phone.click("#board-back");
    evening.phone.click("#board-swap");
    tap(&evening, 13);
    tap(&evening, 13);
    evening.phone.sees("#board-play", "Ada plays 13/10");
    tap(&evening, 24);
    tap(&evening, 18);
    evening.phone.sees("#board-play", "Ada plays 13/10 24/18");
    evening.phone.click("#board-play");
    evening.phone.sees("#board-status", "Kim to roll, or to double");

    evening.phone.tap("Kim doubles to 2");
    evening.phone.sees("#board-status", "A double is waiting");
    let answer =
        evening.table.state()["legal"].as_array().unwrap().iter().any(|legal| legal["command"] == "board");
    assert!(!answer, "nothing happens on the board while a double waits");
    evening.phone.tap("Box takes 2 from Kim");
    evening.phone.sees("#board-status", "Kim to roll");
    evening.phone.tap("Kim rolls");
    evening.phone.sees("#board-status", "Kim to play");
    browser.wait_for(".last-dice .die-shown");
    // The table may be redrawn between the two steps, and the list is folded up with it.
    let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
    loop {
        browser.run("document.getElementById('board-list').open = true");
        if browser.click_now("#board-list button") {
            break;
        }
        assert!(std::time::Instant::now() < until, "the list of plays stays folded up");
    }
    evening.phone.sees("#board-status", "Ada to roll");

    // Ada lifts the dice over an illegal play, and it is refused.
    evening.phone.click("#board-enter summary");
    evening.phone.click("#die-1-2");
    evening.phone.click("#die-2-1");
    evening.phone.tap("Enter these dice");
    evening.phone.sees("#board-status", "Ada to play 2-1");
    browser.run("document.getElementById('board-quiet').open = true");
    browser.fill("#board-moved", "6/2");
    evening.phone.tap("Ada lifts the dice");
    evening.phone.sees("#board-status", "after an illegal play");
    evening.phone.tap("Kim sends the play back");
    evening.phone.sees("#board-status", "Ada to play 2-1");

    evening.phone.tap("Ada resigns: Gammon");
    evening.phone.sees("#board-status", "Ada resigns");
    evening.phone.tap("Kim accepts");
    evening.phone.sees("#now", "Kim is box");
    assert_eq!(
        ["Ada", "Kim", "Lou"].map(|name| evening.score(name)),
        [-10, 8, 2],
        "C9: Kim a gammon at 2; of the cube nobody turned it counts once"
    );
    evening.ends_well();
}

#[test]
fn bets_are_settled_on_a_sheet_that_says_what_is_wrong_where_it_is() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let browser = &evening.phone.browser;
    evening.command(&json!({"command": "start_game"}));
    evening.goto("/settle");
    evening.phone.fits();
    let (ada, kim) = (&evening.table.players["Ada"], &evening.table.players["Kim"]);
    evening.phone.choose(&format!("pays.{ada}.{kim}"), ada);
    browser.fill(&format!("[id='amount.{ada}.{kim}']"), "7");
    evening.phone.tap("Show what it does");
    browser.wait_for("[aria-invalid=true]");
    assert_eq!(browser.count("#confirm"), 0);

    let lou = &evening.table.players["Lou"];
    browser.fill(&format!("[id='amount.{ada}.{kim}']"), "2");
    browser.fill(&format!("[id='amount.{ada}.{lou}']"), "1");
    browser.click("input[name=counts_for][value=box]");
    evening.phone.tap("Show what it does");
    browser.wait_for(&format!("[id='amount.{ada}.{lou}'][aria-invalid=true]"));
    assert_eq!(browser.count("#confirm"), 0, "nobody was said to pay that");
    browser.fill(&format!("[id='amount.{ada}.{lou}']"), "");
    evening.phone.tap("Show what it does");
    evening.phone.sees("#scores", "+2");
    evening.phone.fits();
    assert_eq!(evening.score("Kim"), 0, "nothing is recorded before it is confirmed");
    evening.phone.tap("Record: Ada pays Kim 2");
    browser.wait_for("#table");
    assert_eq!(["Ada", "Kim", "Lou"].map(|name| evening.score(name)), [-4, 4, 0]);
}

/// Door: correct.
#[test]
fn a_correction_shows_scores_before_and_after_and_seats_stay() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let browser = &evening.phone.browser;
    evening.command(&json!({"command": "start_game"}));
    evening.command(&json!({"command": "double", "player": evening.table.players["Ada"]}));
    for name in ["Kim", "Lou"] {
        evening.command(&json!({"command": "take", "player": evening.table.players[name]}));
    }
    evening.command(&json!({"command": "finish", "winner": "team", "win": "single"}));
    let line = evening.table.state()["line"].clone();
    evening.goto("/correct");
    browser.click(".ways a");
    browser.wait_for("#winner");
    evening.phone.fits();
    evening.phone.tap("Show what it does");
    evening.phone.sees(".notice.problem", "Nothing is different yet");
    evening.phone.choose("win", "gammon");
    evening.phone.tap("Show what it does");
    evening.phone.sees("#scores tbody tr:first-child", "-8");
    assert!(browser.text("#confirm").contains("Everybody’s seat stays as it was"));
    assert_eq!(evening.score("Ada"), -8, "half points; nothing is recorded yet");
    evening.phone.tap("Record: Game 1 is corrected");
    browser.wait_for("#table");
    assert_eq!(["Ada", "Kim", "Lou"].map(|name| evening.score(name)), [-16, 8, 8]);
    assert_eq!(evening.table.state()["line"], line);
}

#[test]
fn who_leaves_during_a_game_names_who_decides_for_them() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou", "Max"]) else { return };
    let browser = &evening.phone.browser;
    evening.command(&json!({"command": "start_game"}));
    evening.goto("/leave");
    evening.phone.fits();
    evening.phone.tap("Lou");
    browser.wait_for("input[name=proxy]");
    evening.phone.tap("Show what it does");
    evening.phone.sees("#proxy-wrong", "choose");
    let max = &evening.table.players["Max"];
    browser.click(&format!("input[name=proxy][value='{max}']"));
    evening.phone.tap("Show what it does");
    evening.phone.sees("#confirm", "Max decides for Lou");
    evening.phone.tap("Record: Lou leaves");
    browser.wait_for("#table");
    let state = evening.table.state();
    let proxies = state["game"]["proxies"].as_array().unwrap();
    assert_eq!((&proxies[0]["player"], &proxies[0]["decides"]), (&json!("Lou"), &json!("Max")));
}

#[test]
fn a_table_is_split_and_the_new_one_is_a_tap_away() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou", "Max", "Ida", "Bea"]) else { return };
    let browser = &evening.phone.browser;
    evening.goto("/split");
    evening.phone.fits();
    evening.phone.tap("Show what it does");
    browser.wait_for("#players-wrong");
    for name in ["Max", "Ida", "Bea"] {
        browser.click(&format!("input[name=players][value='{}']", evening.table.players[name]));
    }
    browser.fill("#name", "Corner table");
    evening.phone.tap("Show what it does");
    evening.phone.sees("#confirm", "go to Corner table");
    evening.phone.tap("Record: Max, Ida and Bea go to Corner table");
    evening.phone.sees(".ways", "Corner table");
    browser.click(".ways a");
    browser.wait_for("#table");
    evening.phone.sees("h1", "Corner table");
    assert_eq!(browser.count(".board > li"), 3);
    assert_eq!(evening.table.state()["present"].as_array().unwrap().len(), 3);
}
