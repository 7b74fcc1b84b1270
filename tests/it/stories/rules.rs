//! House rules: written, saved under a name, chosen for a table, changed between games.

use super::{ends_game, records};
use crate::support::evening::{Evening, Phone};

/// Saves the set in the form under this name.
fn saves(phone: &Phone, name: &str) {
    phone.fill("name", name);
    phone.tap("Save the rules");
}

/// Q14: a contradiction is reported at both settings. Once corrected, the set is saved under a name and a
/// table is opened with it.
/// Door: rules.
#[test]
fn a_set_is_written_its_contradiction_put_right_and_a_table_opened_with_it() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let phone = &evening.phone;
    phone.goto("/house-rules");
    phone.fits();
    phone.tap("New house rules");
    phone.choose("cubes", "single");
    phone.choose("stakes", "own_start");
    saves(phone, "Friday night");
    phone.sees("[id='stakes-error']", "This does not go with “Cubes”.");
    phone.sees("[id='cubes-error']", "This does not go with “Stakes”.");
    phone.fits();
    assert_eq!(phone.browser.attribute("#stakes", "aria-invalid").as_deref(), Some("true"));
    phone.choose("stakes", "one_for_all");
    saves(phone, "Friday night");
    phone.sees("h1", "Friday night");
    phone.sees(".rule.differs", "one for the whole game");
    phone.fits();

    phone.goto("/");
    phone.tap("Open a chouette");
    phone.fill("name", "Back room");
    phone.choose("house_rules", "Friday night");
    phone.tap("Open the table");
    phone.sees("h1", "Back room");
    // Players at the other table are not available here, so three guests play.
    for name in ["Bo", "Cy", "Dee"] {
        phone.fill("join-guest", name);
        phone.click("form.joining:has(#join-guest) button");
        phone.logs(&format!("{name} joins"));
    }
    phone.tap("Draw the order by dice");
    phone.logs("Order: ");
    phone.act("Game 1 starts");
    let captain = phone.line()[1].clone();
    phone.act(&format!("{captain} doubles for the team to 2"));
    evening.ends_well();
}

/// Q14: one rule changes between two games. The page shows the difference first, and the next game is played
/// by it.
/// Door: rules.
#[test]
fn one_rule_changes_between_two_games() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let Some(kim) = evening.phone_of("Kim") else { return };
    let phone = &evening.phone;
    phone.goto("/house-rules/common/edit");
    phone.choose("jacoby", "off");
    saves(phone, "Late night");
    phone.sees("h1", "Late night");

    evening.goto("");
    phone.act("Game 1 starts");
    assert!(!phone.offers("House rules …"), "not during a game");
    ends_game(phone, "box", "gammon");
    assert_eq!(evening.score("Kim"), -2, "half points: nobody turned a cube");
    phone.tap("House rules …");
    phone.fits();
    phone.tap("Show what it does");
    phone.sees("#set-wrong", "These are the rules in force.");
    phone.tap("Late night");
    phone.tap("Show what it does");
    phone.sees("#confirm-title", "Rules from now on: Late night");
    assert_eq!(
        phone.texts("#confirm .then"),
        ["Gammons: only where the cube was turned → always", "They apply from the next game."]
    );
    records(phone, "Rules from now on: Late night");
    kim.logs("House rules changed: Gammons: always");
    phone.act("Game 2 starts");
    ends_game(phone, "box", "gammon");
    assert_eq!(evening.score("Kim"), -6, "half points: now it counts double");

    // A set that comes with the program changes several rules at once.
    phone.tap("House rules …");
    phone.tap("Los Angeles");
    phone.tap("Show what it does");
    phone.sees("#confirm-title", "Rules from now on: Los Angeles");
    assert!(phone.texts("#confirm .then").len() > 3, "{:?}", phone.texts("#confirm .then"));
    phone.fits();
    evening.ends_well();
}
