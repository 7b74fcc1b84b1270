//! Bets that are settled, decided by a proxy, shared with a partner, or too high for somebody.

use serde_json::json;

use super::{ends_game, records};
use crate::support::evening::Evening;

/// E15: one bet is settled for half points. Once all the others are, the game is over.
/// Door: bets.
#[test]
fn one_bet_is_settled_with_a_half_and_then_all_the_others() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou", "Max"]) else { return };
    let (phone, ids) = (&evening.phone, &evening.table.players);
    let settles = |payer: &str, payee: &str, points: &str| {
        let member = if payer == "Ada" { payee } else { payer };
        phone.choose(&format!("pays.{}.{}", ids["Ada"], ids[member]), &ids[payer]);
        phone.fill(&format!("amount.{}.{}", ids["Ada"], ids[member]), points);
    };
    phone.act("Game 1 starts");
    phone.tap("Settle bets …");
    phone.fits();
    settles("Ada", "Lou", "1,5");
    records(phone, "Ada pays Lou 1½");
    phone.logs("Lou gets 1½ from Ada");
    let lou = format!("#seat-{}", ids["Lou"]);
    phone.sees(&format!("{lou} .side"), "settled +1½");
    phone.sees(&format!("{lou} .score"), "+1½");
    phone.fits();

    phone.tap("Settle bets …");
    settles("Kim", "Ada", "½");
    settles("Max", "Ada", "0");
    phone.tap("Show what it does");
    phone.sees("#counts_for-wrong", "Please choose.");
    phone.click("input[name=counts_for][value=box]");
    records(phone, "Kim pays Ada ½ · Max pays Ada 0");
    phone.sees("#now", "Ada is box, Lou captain");
    assert_eq!(["Ada", "Kim", "Lou", "Max"].map(|name| evening.score(name)), [-2, -1, 3, 0], "half points");
    evening.ends_well();
}

/// Q13: the box asks, the captain declines and the next accepts, each on their own phone. The partner shares
/// in the box's result.
/// Door: bets.
#[test]
fn a_partner_is_asked_on_their_own_phone_and_has_their_share() {
    let rules = json!({"partner": {"when": "optional", "from": 4}});
    let Some(evening) = Evening::under(&rules, &["Ada", "Kim", "Lou", "Max"]) else { return };
    let (Some(kim), Some(lou)) = (evening.phone_of("Kim"), evening.phone_of("Lou")) else { return };
    let phone = &evening.phone;
    phone.act("Partner of the box? Asked in turn: Kim · Lou · Max");
    kim.sees("#now", "Will you be the box’s partner?");
    kim.fits();
    assert!(!lou.offers("Lou is partner of the box"), "not asked yet");
    kim.act("Kim declines to be partner");
    lou.sees("#now", "Will you be the box’s partner?");
    lou.act("Lou is partner of the box");
    phone.sees(".seat.partner", "Lou");
    phone.act("Game 1 starts");
    assert!(!lou.offers("Lou doubles to 2"), "a partner has no cube");
    kim.act("Kim doubles to 2");
    phone.act("Box takes 2 from Kim");
    ends_game(phone, "box", "single game");
    lou.sees("#log li:first-child", "Lou’s share: +1½");
    assert_eq!(["Ada", "Kim", "Lou", "Max"].map(|name| evening.score(name)), [3, -4, 3, -2], "half points");
    evening.ends_well();
}

/// Q10: players who dropped offer extras, and the lone taker decides on them, each on their own phone.
/// Door: bets.
#[test]
fn the_lone_taker_decides_on_one_phone_about_extras_offered_on_others() {
    let rules = json!({"lone_taker": {"rule": "extras_or_drop"}});
    let Some(evening) = Evening::under(&rules, &["Ada", "Kim", "Lou", "Max"]) else { return };
    let (Some(kim), Some(lou)) = (evening.phone_of("Kim"), evening.phone_of("Lou")) else { return };
    let phone = &evening.phone;
    phone.act("Game 1 starts");
    phone.act("Box doubles everybody to 2");
    kim.act("Kim takes 2");
    lou.act("Lou drops, loses 1");
    phone.tap("Max drops, loses 1");
    lou.sees("#now", "An extra against Kim?");
    lou.fits();
    lou.act("Lou offers an extra");
    phone.act("Max gives no extra");
    kim.sees("#now", "The extras of Lou, or drop?");
    kim.fits();
    assert!(kim.offers("Kim drops, loses 1") && !lou.offers("Kim takes the extras of Lou at 2, 1 paid"));
    kim.act("Kim takes the extras of Lou at 2, 1 paid");
    phone.sees(".extras", "with Lou");
    ends_game(phone, "team", "single game");
    // The box loses 2 to Kim and wins 1 each from Lou and Max. Lou paid 1 and loses the extra of 2.
    assert_eq!(["Ada", "Kim", "Lou", "Max"].map(|name| evening.score(name)), [0, 10, -8, -2], "half points");
    evening.ends_well();
}

/// Q5: a player who leaves names a proxy, whose phone then decides for them. Another can be named, and back
/// at the table the player decides again.
#[test]
fn the_proxys_phone_decides_until_the_player_is_back() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou", "Max"]) else { return };
    let (Some(kim), Some(max)) = (evening.phone_of("Kim"), evening.phone_of("Max")) else { return };
    let (phone, ids) = (&evening.phone, &evening.table.players);
    phone.act("Game 1 starts");
    phone.tap("Lou leaves …");
    phone.click(&format!("input[name=proxy][value='{}']", ids["Max"]));
    records(phone, "Lou leaves");
    phone.sees(&format!("#seat-{} .marks", ids["Lou"]), "Max decides");
    phone.act("Box doubles everybody to 2");
    kim.act("Kim takes 2");
    max.sees("#yours-hint", "You decide for Lou.");
    max.sees("#now", "Lou answers: take or drop?");
    assert!(max.offers("Lou takes 2") && !max.offers("Max takes 2") && !kim.offers("Lou takes 2"));
    max.fits();

    phone.tap("Who decides for Lou …");
    phone.fits();
    phone.click(&format!("input[name=proxy][value='{}']", ids["Kim"]));
    records(phone, "Kim decides for Lou");
    kim.logs("Kim decides for Lou");
    max.logs("Kim decides for Lou");
    assert!(kim.offers("Lou takes 2") && !max.offers("Lou takes 2"));
    kim.act("Lou takes 2");
    max.sees("#now", "Take or drop?");
    max.tap("Max drops, loses 1");
    phone.logs("Max drops, loses 1");
    phone.act("Lou comes back");
    kim.logs("Lou comes back");
    assert!(!kim.offers("Lou redoubles to 4"), "Lou decides alone again");
    ends_game(phone, "team", "single game");
    assert_eq!(["Ada", "Kim", "Lou", "Max"].map(|name| evening.score(name)), [-6, 4, 4, -2], "half points");
    evening.ends_well();
}

/// A player whose loss may reach the club's limit has a warning beside their name, in words.
#[test]
fn who_could_lose_too_much_is_told_so() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou"]) else { return };
    let mut settings = evening.table.client.get("/api/v1/settings").good().body;
    settings["exposure_limit"] = json!(12);
    evening.table.client.put("/api/v1/settings", &settings).good();
    let (phone, ids) = (&evening.phone, &evening.table.players);
    let exposed = |name: &str| phone.texts(&format!("#seat-{} .exposure", ids[name])).concat();
    phone.act("Game 1 starts");
    phone.act("Box doubles everybody to 2");
    phone.act("Kim takes 2");
    phone.act("Lou takes 2");
    assert_eq!(exposed("Ada"), "could lose 12, limit reached", "two cubes at 2, a backgammon each");
    assert_eq!(exposed("Kim"), "could lose 6");
    phone.fits();
    phone.act("Kim redoubles to 4");
    phone.act("Box takes 4 from Kim");
    assert_eq!(exposed("Kim"), "could lose 12, limit reached");
    assert_eq!(phone.browser.count(".exposure.above"), 2);
    phone.fits();
    evening.ends_well();
}

/// While the scorer looks at "everybody drops", somebody else enters an answer. Then none of the drops is
/// entered, and the page says why.
/// Door: bets.
#[test]
fn several_answers_at_one_tap_are_all_entered_or_none() {
    let Some(evening) = Evening::with(&["Ada", "Kim", "Lou", "Max"]) else { return };
    let phone = &evening.phone;
    phone.act("Game 1 starts");
    phone.act("Box doubles everybody to 2");
    phone.tap("Everybody drops …");
    phone.sees("#confirm-title", "Kim, Lou and Max drop");
    evening.command(&json!({"command": "take", "player": "Kim"}));
    phone.tap("Record: Everybody drops");
    phone.sees("#table-notice", "The table has moved on since. Look again, then decide.");
    assert_eq!(phone.browser.count(".seat.settled"), 0, "none of it was entered");
    phone.fits();
    phone.tap("Everybody drops …");
    phone.sees("#confirm-title", "Lou and Max drop");
    phone.tap("Record: Everybody drops");
    phone.logs("Max drops, loses 1");
    phone.tap("Undo: Lou and Max drop");
    phone.sees("#now", "Lou answers");
    evening.ends_well();
}
