//! Variants of backgammon (V1 to V4), refereed on phones.

use serde_json::{Value, json};

use super::board::{Played, bears_off, enters};
use super::matches::{Room, pictures};
use crate::support::browser::Browser;
use crate::support::evening::{Evening, Phone};

/// A chouette whose house allows other variants: one game of hyper-backgammon, chosen at the table, from
/// three checkers a side to the last one borne off.
/// Door: board.
#[test]
fn v2_a_chouette_of_hyper_backgammon_is_refereed_on_phones() {
    let rules = json!({"other_games": "allowed"});
    let Some(evening) = Evening::under(&rules, &["Ada", "Kim", "Lou"]) else { return };
    let (Some(ada), Some(kim)) = (evening.phone_of("Ada"), evening.phone_of("Kim")) else { return };
    evening.phone.tap("Another game …");
    evening.phone.click("[name=variant][value=hyper_backgammon]");
    evening.phone.click("[name=refereed]");
    evening.phone.fits();
    pictures(&evening.phone, "start-another-phone");
    evening.phone.tap("Show what it does");
    pictures(&evening.phone, "start-another-shown-phone");
    evening.phone.tap("Record: Game 1 starts on the board: Hyper-backgammon");
    ada.sees("#board-status", "Opening roll");
    pictures(&ada, "hyper-opening-phone");
    enters(&evening.phone, [6, 5]);
    ada.sees("#board-status", "Ada to play 6-5");
    for place in [24, 18, 23, 18] {
        ada.click(&format!(".tap[data-place='{place}']"));
    }
    ada.sees("#board-play", "Ada plays 24/18 23/18");
    ada.fits();
    ada.click("#board-play");
    kim.sees("#board-status", "Kim to roll, or to double");
    kim.act("Kim doubles to 2");
    ada.act("Box takes 2 from Kim");
    kim.sees("#board-status", "Kim to roll");
    pictures(&kim, "hyper-phone");
    let played = Played {
        sides: ["box", "team"],
        board: &|| evening.table.state()["game"]["board"].clone(),
        command: &|command| evening.command(command),
    };
    enters(&evening.phone, [2, 1]);
    kim.open("#board-list");
    kim.click("#board-list button");
    ada.sees("#board-status", "Ada to roll");
    played.until_nearly_off(1);
    ada.sees("#board-status", "Ada to roll");
    enters(&evening.phone, [6, 5]);
    ada.sees("#board-status", "Ada to play 6-5");
    bears_off(&ada);
    for phone in [&ada, &kim, &evening.phone] {
        phone.sees("#log li:first-child", "Box wins a ");
        phone.sees("#now", "Ada is box, Lou captain");
    }
    assert_eq!(evening.table.state()["standings"].as_array().map(Vec::len), Some(3));
    assert!(
        evening.score("Kim") <= -4,
        "a single game at 2 or more, in half points: {}",
        evening.score("Kim")
    );
    assert_eq!(evening.score("Lou"), -2);
    evening.ends_well();
}

/// A match of Fevga, opened with the form's defaults. Both sides move the same way round, there is no cube,
/// and only the first checker may move until it has passed the other side's start.
/// Door: board.
#[test]
fn v4_a_match_of_fevga_is_refereed_on_phones() {
    let Some(room) = Room::open(Browser::phone()) else { return };
    let scorer = &room.phone;
    scorer.goto("/matches");
    scorer.choose("player-1", &room.players[0]);
    scorer.choose("player-2", &room.players[1]);
    scorer.fill("length", "1");
    scorer.open("#new-match details.plainly");
    scorer.choose("variant", "fevga");
    scorer.fits();
    scorer.tap("Open the match");
    scorer.sees("#said", "Game 1: who wins it?");
    assert_eq!(scorer.browser.count(".cube-pick"), 0, "V4: there is no cube");
    assert_eq!(scorer.browser.count("button[value$='win=backgammon']"), 0, "V4: nor a backgammon");
    let sheet = scorer.browser.url().trim_start_matches(room.house.server.url()).to_owned();
    let of = |at: usize, name: &str| {
        let phone = Phone::of_player(&room.house, &room.client, (name, &room.players[at]))?;
        phone.goto(&sheet);
        Some(phone)
    };
    let (Some(ann), Some(bob)) = (of(0, "Ann"), of(1, "Bob")) else { return };
    ann.open("#start-board");
    ann.tap("With our own dice");
    bob.sees("#board-status", "Opening roll");
    enters(&ann, [4, 2]);
    // In Fevga the player who begins rolls both dice again.
    ann.sees("#board-status", "Ann to roll");
    enters(&ann, [6, 5]);
    ann.sees("#board-status", "Ann to play 6-5");
    ann.sees(".score-line", "Fevga");
    pictures(&ann, "fevga-opening-phone");
    for place in [24, 18, 18, 13] {
        ann.click(&format!(".tap[data-place='{place}']"));
    }
    ann.sees("#board-play", "Ann plays 24/18 18/13");
    ann.fits();
    ann.click("#board-play");
    bob.sees("#board-status", "Bob to roll");
    assert!(!bob.offers("Bob doubles to 2"));
    enters(&bob, [2, 1]);
    bob.sees("#board-status", "Bob to play 2-1");
    assert_eq!(bob.browser.count(".tap.source"), 1, "the first checker goes alone");
    pictures(&bob, "fevga-second-phone");
    bob.open("#board-list");
    bob.click("#board-list button");
    ann.sees("#board-status", "Ann to roll");
    let state = || room.client.get(&format!("/api/v1{sheet}")).good().body;
    let played = Played {
        sides: ["upper", "lower"],
        board: &|| state()["board"].clone(),
        command: &|command: &Value| {
            room.client.post(&format!("/api/v1{sheet}/commands"), command).good();
        },
    };
    played.until_nearly_off(13);
    ann.sees("#board-status", "Ann to roll");
    pictures(&ann, "fevga-end-phone");
    enters(&ann, [6, 6]);
    ann.sees("#board-status", "Ann to play 6-6");
    bears_off(&ann);
    for phone in [&ann, &bob, scorer] {
        phone.sees("#line-1", "Ann wins a ");
        phone.sees("#line-1", "play by play");
    }
    assert_eq!(state()["score"][1], 0);
    room.ends_well();
}
