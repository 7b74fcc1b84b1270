//! Whole stories of an evening, tapped on phones: the scorer's, and the players' own where they act for
//! themselves.

use crate::support::evening::Phone;

mod bets;
mod board;
mod desk;
mod end;
mod everybody;
mod fingers;
mod keys_and_names;
mod line;
mod looks;
mod matches;
mod outbox;
mod own_words;
mod rules;
mod tables;
mod tablet;
mod taps;
mod thumb;
mod tournaments;
mod treasury;
mod variants;

/// Enters the result of the game at the table: `side` is `box` or `team`, `kind` is the kind of win.
#[track_caller]
fn ends_game(phone: &Phone, side: &str, kind: &str) {
    let said = match side {
        "box" => format!("Box wins a {kind}"),
        _ => format!("Team wins a {kind}"),
    };
    phone.tap(if side == "box" { "Box wins" } else { "Team wins" });
    phone.sees("#confirm-title", "wins a single game");
    let number = ["single game", "gammon", "backgammon"].iter().position(|one| *one == kind).unwrap() + 1;
    phone.click(&format!(".side-{side} .kinds a:nth-child({number})"));
    phone.sees("#confirm-title", &said);
    phone.tap("Record");
    phone.logs(&said);
}

/// Fills in nothing more: previews the form, and records it.
#[track_caller]
fn records(phone: &Phone, what: &str) {
    phone.tap("Show what it does");
    phone.sees("#confirm-title", what);
    phone.fits();
    phone.tap(&format!("Record: {what}"));
}
