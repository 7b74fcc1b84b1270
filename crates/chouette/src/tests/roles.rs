//! What everybody at the table is shown as.

use serde_json::json;

use super::{Night, letter, letters, rules};
use crate::SeatRole;
use owlbox_base::values::PlayerId;

/// Everybody in the line as the table shows them, `A Box · B Captain`; and everybody beside it.
fn shown(night: &Night) -> [String; 2] {
    let told = |(player, role): (PlayerId, SeatRole)| format!("{} {role:?}", letter(player));
    let told = |all: Vec<_>| all.into_iter().map(told).collect::<Vec<_>>().join(" · ");
    [told(night.state().seated()), told(night.state().beside())]
}

#[test]
fn everybody_has_one_role_at_every_time_of_the_night() {
    let mut night = Night::gathered("ABC");
    assert_eq!(shown(&night), ["A Gathered · B Gathered · C Gathered", ""]);
    night = Night::playing_under("ABCD", rules(json!({"decision_order": "any_order"})));
    assert_eq!(shown(&night), ["A Box · B Captain · C Crew · D Crew", ""]);
    assert_eq!(letters(&night.state().next_up()), "CD");
    night.play("E joins; A doubles; B drops; C takes; D takes; C leaves to D");
    assert_eq!(shown(&night), ["A Box · B DroppedCaptain · C Gone · D ActingCaptain", "E Waiting"]);
    assert_eq!(letters(&night.state().game().unwrap().stakeholders()), "ABCD");
    night.play("box wins");
    assert_eq!(shown(&night)[1], "C Away");
    night.play("close");
    assert_eq!(shown(&night), ["", ""]);
}

#[test]
fn q13_a_partner_sits_behind_the_box_also_between_games() {
    let optional = rules(json!({"partner": {"when": "optional", "from": 4}}));
    let mut night = Night::seated_under("ABCDE", optional);
    night.play("offer; B accepts");
    let seats = "A Box · B Partner · C Captain · D Crew · E Crew";
    assert_eq!(shown(&night), [seats, ""]);
    night.play("start");
    assert_eq!(shown(&night), [seats, ""]);
    assert_eq!(letters(&night.state().next_up()), "DE");
}

/// A break between games keeps the seat, if the house rules say so.
#[test]
fn q5_who_is_on_a_break_is_shown_so_and_is_not_next() {
    let mut night = Night::seated("ABCDE");
    night.play("D rests");
    assert!(shown(&night).concat().contains("D Resting"), "{:?}", shown(&night));
    assert_eq!(letters(&night.state().next_up()), "CE");
}
