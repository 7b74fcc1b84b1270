//! What travels and is stored: commands, events, the view and the legal commands as JSON.

use serde_json::{Value, json};

use super::{Night, double, drop, finish, join, player, take};
use crate::chouette::{Command, Side, View};
use crate::engine::Win;

fn command(value: Value) -> Result<Command, serde_json::Error> {
    serde_json::from_value(value)
}

#[test]
fn commands_are_read_as_they_are_documented() {
    let (a, b) = (player('A'), player('B'));
    let read = [
        (json!({"command": "join", "player": a}), join('A')),
        (json!({"command": "draw_order"}), Command::DrawOrder {}),
        (json!({"command": "double", "player": a}), double('A', "*")),
        (json!({"command": "double", "player": a, "against": null}), double('A', "*")),
        (json!({"command": "take", "player": b, "against": [a]}), take('B', "A")),
        (json!({"command": "finish", "winner": "team", "win": "gammon"}), finish(Side::Team, Win::Gammon)),
        (
            json!({"command": "open", "name": "One", "night": "1970-01-01"}),
            super::open("One", crate::chouette::HouseRules::default()),
        ),
    ];
    for (value, expected) in read {
        assert_eq!(command(value.clone()).unwrap(), expected);
        assert_eq!(command(serde_json::to_value(&expected).unwrap()).unwrap(), expected);
    }
}

#[test]
fn unknown_or_wrong_fields_are_refused_where_they_enter() {
    let a = player('A');
    for bad in [
        json!({"command": "dance"}),
        json!({"command": "close", "now": true}),
        json!({"command": "join", "player": a, "seat": 1}),
        json!({"command": "join", "player": "Anna"}),
        json!({"command": "join"}),
        json!({"command": "enter_rolls", "rolls": [{"player": a, "die": 7}]}),
        json!({"command": "enter_rolls", "rolls": [{"player": a, "die": 1, "dice": 2}]}),
        json!({"command": "finish", "winner": "crew", "win": "single"}),
        json!({"command": "open", "name": "One", "night": "31 May"}),
        json!({"command": "open", "name": "One", "night": "2026-05-31", "rules": {"jacoby": "on"}}),
        json!({"command": "open", "name": "One", "night": "2026-05-31", "stake": {"amount": 0, "currency": "EUR"}}),
    ] {
        assert!(command(bad.clone()).is_err(), "{bad}");
    }
}

#[test]
fn the_view_says_who_sits_where_and_how_every_bet_stands() {
    let mut night = Night::playing("ABCD");
    night.ok(&double('A', "*"));
    night.ok(&take('B', "*"));
    night.ok(&drop('D', "*"));
    night.ok(&join('E'));
    let view = serde_json::to_value(View::from(night.state())).unwrap();
    let [a, b, c, d, e] = ['A', 'B', 'C', 'D', 'E'].map(player);
    assert_eq!(view["phase"], json!("playing"));
    assert_eq!((&view["box"], &view["captain"], &view["acting_captain"]), (&json!(a), &json!(b), &json!(b)));
    assert_eq!((&view["line"], &view["waiting"]), (&json!([a, b, c, d]), &json!([e])));
    assert_eq!(
        view["game"],
        json!({"number": 1, "bets": [
            {"bet": 1, "member": b, "kind": "member", "value": 2, "owner": "member", "standing": {"state": "open"}},
            {"bet": 2, "member": c, "kind": "member", "value": 1, "owner": "centred",
             "standing": {"state": "offered", "by": "box", "to": 2}},
            {"bet": 3, "member": d, "kind": "member", "value": 1, "owner": "centred",
             "standing": {"state": "settled", "winner": "box", "points": 2, "by": "drop"}},
        ]})
    );
    assert_eq!(
        view["standings"],
        json!([
            {"player": a, "points": 2}, {"player": b, "points": 0}, {"player": c, "points": 0},
            {"player": e, "points": 0}, {"player": d, "points": -2},
        ])
    );
}

#[test]
fn the_legal_commands_come_with_their_choices_likeliest_first() {
    let mut night = Night::playing("ABC");
    night.ok(&double('A', "B"));
    let [a, b, c] = ['A', 'B', 'C'].map(player);
    assert_eq!(
        serde_json::to_value(night.state().legal()).unwrap(),
        json!([
            {"command": "take", "player": b, "against": [a]},
            {"command": "drop", "player": b, "against": [a]},
            {"command": "double", "player": a, "against": [c]},
            {"command": "join"},
        ])
    );
    night.ok(&drop('B', "*"));
    assert_eq!(
        serde_json::to_value(night.state().legal()).unwrap(),
        json!([
            {"command": "double", "player": a, "against": [c]},
            {"command": "double", "player": c, "against": [a]},
            {"command": "finish", "winner": ["box", "team"], "win": ["single", "gammon", "backgammon"]},
            {"command": "join"},
            {"command": "leave", "player": [b]},
        ])
    );
}
