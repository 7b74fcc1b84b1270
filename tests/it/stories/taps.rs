//! Fewer taps than paper: how often the scorer taps for a game, and what is in reach meanwhile.

use serde_json::json;

use crate::support::evening::{Evening, Phone};

/// Counts the taps that reach the page, from now on. A page that is left forgets them.
const COUNT: &str = "
    window.taps = 0;
    addEventListener('click', (event) => { if (event.isTrusted) window.taps += 1 }, true)";

/// Whether every button of the sheet can be tapped without scrolling.
const IN_REACH: &str = "return [...document.querySelectorAll('dialog[open] :is(a, button)')].every((one) => {
        if (!one.checkVisibility()) return true;
        const box = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    })";

fn games(phone: &Phone) -> Vec<String> {
    phone.texts("#log > details > summary")
}

/// F18 and F17: a plain game takes two taps and no other page, and in the log it is one line.
#[test]
fn a_plain_game_takes_two_taps() {
    let names = ["Ada", "Kim", "Lou", "Max", "Ida", "Bea"];
    let Some(evening) = Evening::with(&names) else { return };
    let phone = &evening.phone;
    phone.act("Game 1 starts");
    phone.browser.run(COUNT);
    for (game, side) in [(1, "Team"), (2, "Box"), (3, "Team")] {
        phone.tap(&format!("{side} wins"));
        phone.sees("#confirm-title", &format!("{side} wins a single game"));
        assert_eq!(phone.browser.run(IN_REACH), json!(true), "below the fold");
        phone.fits();
        phone.tap("Record, next game");
        phone.logs(&format!("Game {} starts", game + 1));
        phone.browser.wait_for("dialog:not([open])");
    }
    assert_eq!(phone.browser.run("return window.taps"), json!(6), "two a game");
    assert_eq!(evening.score("Ada"), -10 - 2 + 2, "lost two games, and won the third");
    let folded = ["game 4", "3 · Team wins a single game · Kim ", "2 · Box wins a single game · Kim +5"];
    let shown = games(phone);
    for (at, said) in folded.into_iter().enumerate() {
        assert!(shown[at].starts_with(said), "{shown:?}");
    }
    assert_eq!(phone.browser.count("#log > details[open]"), 1, "the newest");
    phone.fits();

    // It is one act: one undo takes back the start with the result.
    phone.tap("Undo: Team wins a single game");
    phone.logs("Undone: Team wins a single game");
    phone.sees(".table-facts", "game 3");
    phone.tap("Redo: Team wins a single game");
    phone.logs("Redone: Team wins a single game");
    phone.sees(".table-facts", "game 4");

    // Another kind is one more tap, and nothing is recorded by a look.
    phone.tap("Box wins");
    phone.tap("Not over yet");
    phone.browser.wait_for("dialog:not([open])");
    phone.tap("Team wins");
    phone.click(".side-team .kinds a:nth-child(2)");
    phone.sees("#confirm-title", "Team wins a gammon");
    phone.tap("Record");
    phone.logs("Team wins a gammon");
    phone.sees("#now", " captain");
    evening.ends_well();
}

/// What was previewed is of the table as it stands: another's act is seen in the sheet, and ends it if the
/// game is over. Without scripts it is a page of its own.
#[test]
fn the_sheet_of_a_result_goes_with_the_table() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou", "Max"]) else { return };
    let phone = &evening.phone;
    phone.act("Game 1 starts");
    phone.tap("Team wins");
    phone.sees("#confirm tbody", "Ada -3");
    evening.command(&json!({"command": "double", "player": "Kim"}));
    evening.command(&json!({"command": "take", "player": "Ada"}));
    phone.sees("#confirm tbody", "Ada -4");
    evening.command(&json!({"command": "finish", "winner": "box", "win": "single"}));
    evening.command(&json!({"command": "start_game"}));
    phone.browser.wait_for("dialog:not([open])");
    // Nor does its address lead to the game that has begun since.
    evening.goto("/finish?game=1&winner=box");
    phone.sees(".table-facts", "game 2");

    // F26: the one who plays for the team is named.
    evening.command(&json!({"command": "double", "player": "Ada"}));
    for taker in ["Lou", "Max", "Kim"] {
        evening.command(&json!({"command": "take", "player": taker}));
    }
    evening.command(&json!({"command": "leave", "player": "Lou", "proxy": "Kim"}));
    evening.goto("/finish?winner=team");
    phone.sees("#side-false", "Max plays for the team");
    phone.sees("#confirm-title", "Team wins a single game");
    phone.fits();
    phone.tap("Gammon");
    phone.sees("#confirm-title", "gammon");
    phone.tap("Record, next game");
    phone.logs("Game 3 starts");
    evening.ends_well();
}

/// F11: where cubes stand at different values the box has one form, which defaults to all; and F29: who has
/// nothing to do has no bar. F30: the house rules are named.
#[test]
fn the_box_chooses_whom_to_double_in_one_form() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou", "Max"]) else { return };
    let Some(max) = evening.phone_of("Max") else { return };
    let phone = &evening.phone;
    phone.act("Game 1 starts");
    evening.command(&json!({"command": "double", "player": "Kim"}));
    evening.command(&json!({"command": "take", "player": "Ada"}));
    phone.browser.wait_for("#doubling-some");
    assert_eq!(phone.texts("#doubling-some > summary"), ["Box doubles …"]);
    let told = phone.texts(".do button");
    let long = told.iter().filter(|label| label.starts_with("Box ")).collect::<Vec<_>>();
    assert_eq!(long, ["Box doubles those chosen"]);
    phone.tap("Box doubles …");
    phone.tap("Max → 2");
    phone.tap("Box doubles those chosen");
    phone.logs("Box doubles Lou to 2 · Box redoubles Kim to 4");

    evening.command(&json!({"command": "take", "player": "Kim"}));
    evening.command(&json!({"command": "take", "player": "Lou"}));
    max.logs("Lou takes 2");
    max.tap("Max doubles to 2");
    max.logs("Max doubles to 2");
    evening.command(&json!({"command": "take", "player": "Ada"}));
    max.logs("Box takes 2");
    let Some(lou) = evening.phone_of("Lou") else { return };
    evening.command(&json!({"command": "finish", "winner": "box", "win": "single"}));
    lou.logs("Box wins a single game");
    assert_eq!(lou.browser.count(".bar"), 0, "nothing to do");
    lou.fits();
    lou.tap("Common rules");
    lou.sees("h1", "Common rules");
    evening.ends_well();
}
