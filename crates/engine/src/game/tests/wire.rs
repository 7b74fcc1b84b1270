//! The JSON of rules, actions and events, which travels and is stored.

use serde_json::{Value, json};

use super::*;
use crate::{Animals, Win};

fn action(value: &Value) -> Result<Action, serde_json::Error> {
    serde_json::from_value(value.clone())
}

#[test]
fn rules_are_written_whole_and_missing_keys_take_their_defaults() {
    let rules: GameRules = serde_json::from_str("{}").unwrap();
    assert_eq!(rules, GameRules::default());
    assert_eq!(
        serde_json::to_value(rules).unwrap(),
        json!({
            "variant": "standard",
            "cube": {"use": "with", "jacoby": false, "beavers": "none", "automatic_doubles": 0, "cap": null},
            "strict_larger_die": false,
            "closed_out": "passes",
        })
    );
    let money: GameRules =
        serde_json::from_value(json!({"cube": {"use": "with", "beavers": "raccoon", "cap": 64}})).unwrap();
    let options = CubeOptions { beavers: Animals::Raccoon, cap: Some(value(64)), ..CubeOptions::default() };
    assert_eq!(money, with_cube(options));
    for (written, cube) in [("without", CubeRules::Without {}), ("crawford", CubeRules::Crawford {})] {
        let rules: GameRules = serde_json::from_value(json!({"cube": {"use": written}})).unwrap();
        assert_eq!(rules.cube, cube);
    }
}

#[test]
fn m4_options_of_money_play_cannot_be_said_without_a_cube_and_unknown_keys_are_refused() {
    for bad in [
        json!({"cube": {"use": "crawford", "jacoby": true}}),
        json!({"cube": {"use": "without", "cap": 2}}),
        json!({"cube": {"use": "with", "cap": 3}}),
        json!({"cube": {"use": "with", "beavers": "bear"}}),
        json!({"cube": {"use": "with", "automatic_doubles": -1}}),
        json!({"cube": {"jacoby": true}}),
        json!({"variant": "race"}),
        json!({"strict": true}),
    ] {
        assert!(serde_json::from_value::<GameRules>(bad.clone()).is_err(), "{bad}");
    }
}

#[test]
fn actions_are_read_as_they_are_documented() {
    let start: PositionId = crate::Variant::Standard.start().into();
    let read = [
        (json!({"action": "roll_opening"}), Action::RollOpening { dice: None }),
        (json!({"action": "roll_opening", "dice": {"white": 3, "black": 1}}), opening(3, 1)),
        (json!({"action": "roll"}), Action::Roll { dice: None }),
        (json!({"action": "roll", "dice": [2, 6]}), rolls(6, 2)),
        (json!({"action": "cocked_dice"}), Action::CockedDice {}),
        (
            json!({"action": "play", "steps": [{"from": 24, "pips": 6}, {"from": 13, "pips": 2}]}),
            play(&[(24, 6), (13, 2)]),
        ),
        (json!({"action": "pass"}), Action::Pass {}),
        (
            json!({"action": "leave_board", "position": "4HPwATDgc/ABMA"}),
            Action::LeaveBoard { position: start },
        ),
        (json!({"action": "accept_play"}), Action::AcceptPlay {}),
        (json!({"action": "send_back"}), Action::SendBack {}),
        (json!({"action": "double"}), Action::Double {}),
        (json!({"action": "beaver"}), Action::Beaver {}),
        (json!({"action": "take"}), Action::Take {}),
        (json!({"action": "drop"}), Action::Drop {}),
        (json!({"action": "resign", "win": "gammon"}), Action::Resign { win: Win::Gammon }),
        (json!({"action": "accept_resignation"}), Action::AcceptResignation {}),
        (json!({"action": "reject_resignation"}), Action::RejectResignation {}),
    ];
    for (written, expected) in &read {
        assert_eq!(action(written).unwrap(), *expected);
        let again = serde_json::to_value(expected).unwrap();
        assert_eq!(action(&again).unwrap(), *expected);
        assert_eq!(again["action"], serde_json::to_value(expected.kind()).unwrap());
    }
    assert_eq!(
        read.iter().map(|(_, action)| action.kind()).collect::<std::collections::BTreeSet<_>>().len(),
        ActionKind::ALL.len(),
        "an action that nothing proves"
    );
}

#[test]
fn unknown_or_wrong_fields_are_refused_where_they_enter() {
    for bad in [
        json!({"action": "dance"}),
        json!({"action": "double", "to": 4}),
        json!({"action": "roll", "dice": [0, 6]}),
        json!({"action": "roll", "dice": [1, 2, 3]}),
        json!({"action": "roll_opening", "dice": {"white": 3}}),
        json!({"action": "play"}),
        json!({"action": "play", "steps": [{"from": 26, "pips": 1}]}),
        json!({"action": "leave_board", "position": "4HPwATDgc/ABM"}),
        json!({"action": "leave_board", "position": "//////////////"}),
        json!({"action": "leave_board", "position": "AAAAAAAAAAAAAA"}),
        json!({"action": "resign", "win": "triple"}),
    ] {
        assert!(action(&bad).is_err(), "{bad}");
    }
}

/// A game with every kind of event.
fn eventful() -> Vec<Event> {
    let options = CubeOptions { beavers: Animals::Beaver, automatic_doubles: 1, ..CubeOptions::default() };
    let mut table = Table::new(with_cube(options));
    table.ok(White, &opening(2, 2));
    table.ok(White, &Action::CockedDice {});
    table.ok(White, &opening(3, 1));
    table.ok(Black, &rolls(6, 2));
    table.ok(White, &leave(table.game.position().turned()));
    table.ok(Black, &Action::SendBack {});
    table.ok(White, &leave(table.game.position().turned()));
    table.ok(Black, &Action::AcceptPlay {});
    table.ok(Black, &play(&[(24, 6), (13, 2)]));
    table.ok(White, &Action::Double {});
    table.ok(Black, &Action::Beaver {});
    table.ok(White, &Action::Take {});
    table.ok(White, &rolls(4, 2));
    table.ok(White, &play(&[(8, 4), (6, 2)]));
    table.ok(White, &Action::Resign { win: Win::Single });
    table.ok(Black, &Action::RejectResignation {});
    table.ok(Black, &Action::Double {});
    table.ok(White, &Action::Drop {});
    let mut other = Table::with(common(), "bar:1 6:14", "1:2 2:2 3:2 4:2 5:2 6:2 7:3");
    other.ok(White, &Action::Pass {});
    other.ok(White, &Action::Resign { win: Win::Gammon });
    other.ok(Black, &Action::AcceptResignation {});
    table.events.into_iter().chain(other.events).collect()
}

#[test]
fn every_event_is_tagged_by_its_kind_and_reads_back() {
    let mut kinds = std::collections::BTreeSet::new();
    for event in eventful() {
        let written = serde_json::to_value(&event).unwrap();
        assert_eq!(written["event"], json!(event.kind()));
        assert_eq!(serde_json::from_value::<Event>(written.clone()).unwrap(), event);
        let mut more = written;
        more["more"] = json!(1);
        assert!(serde_json::from_value::<Event>(more.clone()).is_err(), "{more}");
        kinds.insert(event.kind());
    }
    assert_eq!(kinds.len(), 18, "{kinds:?}");
}

#[test]
fn events_are_written_as_documented() {
    let written: Vec<Value> = eventful().iter().map(|event| serde_json::to_value(event).unwrap()).collect();
    for expected in [
        json!({"event": "opening_tied", "die": 2, "source": "entered", "doubled_to": 2}),
        json!({"event": "dice_cocked", "side": "white"}),
        json!({"event": "opened", "side": "white", "white": 3, "black": 1, "source": "entered"}),
        json!({"event": "rolled_early", "side": "black", "roll": [6, 2], "source": "entered"}),
        json!({"event": "board_left", "side": "white", "roll": [3, 1], "position": "4HPwATDgc/ABMA"}),
        json!({"event": "play_sent_back", "side": "black", "position": "4HPwATDgc/ABMA"}),
        json!({"event": "play_accepted", "side": "black"}),
        json!({"event": "doubled", "side": "white", "before": 2, "to": 4}),
        json!({"event": "beavered", "side": "black", "number": 1, "before": 4, "to": 8, "owner": "black"}),
        json!({"event": "taken", "side": "white", "value": 8, "owner": "black"}),
        json!({"event": "rolled", "side": "white", "thrower": "white", "roll": [4, 2], "source": "entered"}),
        json!({"event": "resigned", "side": "white", "win": "single"}),
        json!({"event": "resignation_rejected", "side": "black"}),
        json!({"event": "dropped", "side": "white"}),
        json!({"event": "finished", "outcome":
            {"winner": "black", "ended": {"by": "dropped"}, "stake": 8, "points": 8}}),
        json!({"event": "resignation_accepted", "side": "black"}),
        json!({"event": "finished", "outcome":
            {"winner": "black", "ended": {"by": "resigned", "win": "gammon"}, "stake": 1, "points": 2}}),
    ] {
        assert!(written.contains(&expected), "{expected}\nnot in {written:#?}");
    }
    let played = written.iter().find(|event| event["event"] == "played").unwrap();
    assert_eq!(played["steps"], json!([{"from": 24, "pips": 6}, {"from": 13, "pips": 2}]));
    assert_eq!(played["position"].as_str().unwrap().len(), 14);
    let passed = written.iter().find(|event| event["event"] == "passed").unwrap();
    assert_eq!(passed["roll"], Value::Null);
}
