//! The line: who sits where, at which stakes, and who declines.

use serde_json::json;

use super::{ends_game, records};
use crate::support::evening::Evening;

/// Q14: the captain who has won the box declines it on their own phone. No other player's phone offers that.
/// Door: line.
#[test]
fn a_captain_who_won_the_box_declines_it_on_their_own_phone() {
    let Some(evening) = Evening::under(&json!({"declining": "allowed"}), &["Ada", "Kim", "Lou", "Max"])
    else {
        return;
    };
    let (Some(kim), Some(lou)) = (evening.phone_of("Kim"), evening.phone_of("Lou")) else { return };
    evening.phone.act("Game 1 starts");
    ends_game(&evening.phone, "team", "single game");
    kim.sees("#now", "Kim is box, Lou captain");
    lou.sees("#now", "Kim is box, Lou captain");
    assert!(!lou.offers("Kim declines the box") && evening.phone.offers("Kim declines the box"));
    kim.fits();
    kim.act("Kim declines the box");
    lou.sees("#now", "Lou is box, Max captain");
    assert_eq!(lou.line(), ["Lou", "Max", "Ada", "Kim"], "who declines sits behind everybody");
    evening.phone.logs("Kim declines the box");
    assert!(!evening.phone.offers("Lou declines the box"), "Lou did not win it");
    assert_eq!(evening.score("Kim"), 2, "half points: what was won stays");
    evening.phone.tap("Undo: Kim declines the box");
    kim.sees("#now", "Kim is box, Lou captain");
    evening.phone.tap("Redo: Kim declines the box");
    lou.sees("#now", "Lou is box, Max captain");
    evening.phone.act("Game 2 starts");
    evening.ends_well();
}

/// Q1: the order is entered by hand. A player named twice is reported at that place.
/// Door: line.
#[test]
fn the_order_is_entered_by_hand() {
    let rules = json!({"order": {"dice": "by_hand"}});
    let Some(evening) = Evening::under(&rules, &["Ada", "Kim", "Lou", "Max"]) else { return };
    let (phone, ids) = (&evening.phone, &evening.table.players);
    phone.fits();
    phone.tap("Set the order …");
    for (place, name) in ["Max", "Kim", "Max", "Lou"].into_iter().enumerate() {
        phone.choose(&format!("line.{}", place + 1), &ids[name]);
    }
    phone.tap("Show what it does");
    phone.sees("[id='line.3-wrong']", "Sits further up already.");
    assert_eq!(phone.browser.count("#confirm"), 0);
    phone.choose("line.3", &ids["Ada"]);
    records(phone, "Order: Max · Kim · Ada · Lou");
    phone.sees("#now", "Max is box, Kim captain");
    assert_eq!(phone.line(), ["Max", "Kim", "Ada", "Lou"]);
    evening.ends_well();
}

/// Q1, C1: two dice are added up. Only players who tied roll again, and only for their own places.
/// Door: line.
#[test]
fn who_ties_for_the_order_rolls_again() {
    let rules = json!({"order": {"dice": "two_dice"}});
    let Some(evening) = Evening::under(&rules, &["Ada", "Kim", "Lou", "Max"]) else { return };
    let Some(kim) = evening.phone_of("Kim") else { return };
    let (phone, ids) = (&evening.phone, &evening.table.players);
    let rolls = |rolled: &[(&str, [&str; 2])]| {
        phone.open("#enter-rolls");
        for (name, dice) in rolled {
            for (number, die) in dice.iter().enumerate() {
                phone.fill(&format!("roll-{}-{}", ids[*name], number + 1), die);
            }
        }
        phone.fits();
        phone.tap("Enter the dice");
    };
    rolls(&[("Ada", ["6", "5"]), ("Kim", ["3", "2"]), ("Lou", ["4", "1"]), ("Max", ["1", "1"])]);
    phone.sees("#rolling", "A tie: roll again");
    assert_eq!(phone.texts(".rolling .dice > [id^=rolls-]"), ["Kim", "Lou"], "only the tied");
    kim.sees("#now", "Who begins?");
    rolls(&[("Kim", ["2", "2"]), ("Lou", ["3", "1"])]);
    kim.sees("#log li:first-child", "Rolled: Kim");
    phone.sees("#rolling", "A tie: roll again");
    phone.tap("Draw the order by dice");
    kim.sees("#log li:first-child", "Order: Ada");
    let line = kim.line();
    assert_eq!(
        (line[0].as_str(), line[3].as_str()),
        ("Ada", "Max"),
        "the tied rolled for two and three: {line:?}"
    );
    phone.act("Game 1 starts");
    evening.ends_well();
}

/// Q14: every player has a stake of their own, and a pair plays for the lower of its two.
#[test]
fn everybody_plays_for_a_stake_of_their_own() {
    let rules = json!({"stakes": "lower_of_two"});
    let Some(evening) = Evening::under(&rules, &["Ada", "Kim", "Lou"]) else { return };
    let (phone, ids) = (&evening.phone, &evening.table.players);
    for (name, units) in [("Ada", "2"), ("Lou", "3")] {
        phone.tap("Stakes …");
        phone.choose("player", &ids[name]);
        phone.fill("units", "many");
        phone.tap("Show what it does");
        phone.browser.wait_for("#units[aria-invalid=true]");
        phone.fill("units", units);
        records(phone, &format!("{name} plays for {units} a point"));
        phone.logs(&format!("{name} plays for {units} times the stake"));
    }
    phone.act("Game 1 starts");
    let units = |name: &str| phone.texts(&format!("#seat-{} .units", ids[name]));
    assert_eq!((units("Kim"), units("Lou")), (vec![], vec!["×2".to_owned()]), "the lower of the two");
    phone.fits();
    phone.act("Box doubles everybody to 2");
    phone.act("Kim takes 2");
    phone.act("Lou drops, loses 2");
    ends_game(phone, "box", "single game");
    assert_eq!(["Ada", "Kim", "Lou"].map(|name| evening.score(name)), [8, -4, -4], "half points");
    evening.ends_well();
}

/// Q14: a cube that starts at 2, agreed with the box, is dropped for 2. It starts there until the box
/// changes.
#[test]
fn a_cube_starts_at_two_because_the_box_agreed() {
    let Some(evening) = Evening::under(&json!({"stakes": "own_start"}), &["Ada", "Kim", "Lou"]) else {
        return;
    };
    let (phone, ids) = (&evening.phone, &evening.table.players);
    phone.tap("Where cubes start …");
    phone.choose("player", &ids["Lou"]);
    phone.tap("Show what it does");
    phone.sees("#value-wrong", "Please choose.");
    phone.click("input[name=value][value='2']");
    records(phone, "Lou’s cube starts at 2");
    phone.logs("Lou’s cube starts at 2");
    phone.act("Game 1 starts");
    let cube = |name: &str| phone.texts(&format!("#seat-{} .cube", ids[name])).concat();
    assert_eq!((cube("Kim"), cube("Lou")), ("1".to_owned(), "2".to_owned()));
    phone.act("Lou doubles to 4");
    phone.act("Box drops the double of Lou, loses 2");
    ends_game(phone, "team", "single game");
    assert_eq!(["Ada", "Kim", "Lou"].map(|name| evening.score(name)), [-6, 2, 4], "half points");
    phone.act("Game 2 starts");
    assert_eq!(phone.texts(".board .cube"), ["1", "1"], "another is box now, who agreed to nothing");
    evening.ends_well();
}
