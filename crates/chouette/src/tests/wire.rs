//! The JSON that is sent and stored: commands, events, the view and the legal commands.

use serde_json::{Value, json};

use super::{Night, double, drop, finish, join, player, take};
use crate::{Command, Side, View};
use owlbox_engine::Win;

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
            super::open("One", crate::HouseRules::default()),
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
        json!({"command": "enter_rolls", "rolls": [{"player": a, "dice": [7]}]}),
        json!({"command": "enter_rolls", "rolls": [{"player": a, "die": 1}]}),
        json!({"command": "set_start", "player": a, "value": 3}),
        json!({"command": "correct", "game": 1, "bets": [{"bet": 1, "ended": {"by": "luck"}}]}),
        json!({"command": "finish", "winner": "crew", "win": "single"}),
        json!({"command": "open", "name": "One", "night": "31 May"}),
        json!({"command": "open", "name": "One", "night": "2026-05-31", "rules": {"jacoby": "always"}}),
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
    let bet = |number: u32, member, value: u32, owner, standing| {
        json!({
            "bet": number, "box": a, "member": member, "kind": "member", "value": value, "owner": owner,
            "units": 1, "standing": standing,
        })
    };
    assert_eq!(
        view["game"]["bets"],
        json!([
            bet(1, b, 2, "member", json!({"state": "open"})),
            bet(2, c, 1, "centred", json!({"state": "offered", "by": "box", "to": 2, "beavers": 0})),
            bet(3, d, 1, "centred", json!({"state": "settled", "winner": "box", "points": 2, "by": "drop"})),
        ])
    );
    let game = &view["game"];
    assert_eq!((&game["turn"], &game["late"], &game["due"]), (&json!("box"), &json!(false), &json!(null)));
    assert_eq!((&game["may_consult"], &game["automatics"]), (&json!([b, c]), &json!(0)));
    let exposure =
        json!([{"player": a, "points": 18}, {"player": b, "points": 12}, {"player": c, "points": 6}]);
    assert_eq!((&game["number"], &game["exposure"]), (&json!(1), &exposure));
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
    let nobody = json!(false);
    let proxies = [
        json!({"command": "name_proxy", "player": b, "proxy": [c], "nobody": nobody}),
        json!({"command": "name_proxy", "player": c, "proxy": [b], "nobody": nobody}),
    ];
    assert_eq!(
        serde_json::to_value(night.state().legal()).unwrap(),
        json!([
            {"command": "take", "player": b, "against": [a], "whole": false},
            {"command": "drop", "player": b, "against": [a], "whole": false},
            {"command": "double", "player": a, "against": [c], "whole": false},
            {"command": "join"},
            proxies[0],
            proxies[1],
            {"command": "pay"},
        ])
    );
    night.ok(&drop('B', "*"));
    assert_eq!(
        serde_json::to_value(night.state().legal()).unwrap(),
        json!([
            {"command": "double", "player": a, "against": [c], "whole": false},
            {"command": "double", "player": c, "against": [a], "whole": false},
            {"command": "play_on"},
            {"command": "finish", "winner": ["box", "team"], "win": ["single", "gammon", "backgammon"]},
            {"command": "join"},
            {"command": "leave", "player": [b], "proxy": []},
            {"command": "break", "player": [b], "proxy": []},
            {"command": "name_proxy", "player": a, "proxy": [b], "nobody": nobody},
            proxies[1],
            {"command": "pay"},
        ])
    );
}
