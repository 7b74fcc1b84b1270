//! State by state, what is refused and with which code, field and choices.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Night, double, drop, finish, join, leave, open, rolls, take};
use crate::chouette::{Command, HouseRules, Refusal, Side};
use crate::engine::Win;

type Row = (&'static str, fn() -> Night, Command, &'static str);
type Explained = (fn() -> Night, Command, Option<&'static str>, Option<Value>);

fn fresh() -> Night {
    Night::default()
}
fn gathering() -> Night {
    Night::gathered("ABC")
}
fn tied() -> Night {
    let mut night = gathering();
    night.ok(&rolls("A4 B4 C2"));
    night
}
fn between() -> Night {
    Night::seated("ABC")
}
fn alone() -> Night {
    let mut night = between();
    night.ok(&leave('B'));
    night.ok(&leave('C'));
    night
}
/// D came during the game, E went before it.
fn playing() -> Night {
    let mut night = Night::gathered("ABCE");
    night.ok(&leave('E'));
    night.roll_as_they_came();
    night.ok(&Command::StartGame {});
    night.ok(&join('D'));
    night
}
fn box_doubled_captain() -> Night {
    let mut night = playing();
    night.ok(&double('A', "B"));
    night
}
fn captain_doubled() -> Night {
    let mut night = playing();
    night.ok(&double('B', "A"));
    night
}
fn captain_took() -> Night {
    let mut night = box_doubled_captain();
    night.ok(&take('B', "*"));
    night
}
fn captain_dropped() -> Night {
    let mut night = box_doubled_captain();
    night.ok(&drop('B', "*"));
    night
}
fn capped() -> Night {
    Night::playing_under("ABC", HouseRules { cube_cap: Some(1.try_into().unwrap()), ..HouseRules::default() })
}
fn full() -> Night {
    let rules = HouseRules { table_size: 3.try_into().unwrap(), ..HouseRules::default() };
    Night::playing_under("ABC", rules)
}
fn closed() -> Night {
    let mut night = between();
    night.ok(&Command::Close {});
    night
}

fn named(name: &str) -> Command {
    open(name, HouseRules::default())
}

fn single(winner: Side) -> Command {
    finish(winner, Win::Single)
}

fn table() -> Vec<Row> {
    vec![
        ("fresh", fresh, join('A'), "not_open"),
        ("fresh", fresh, Command::Close {}, "not_open"),
        ("fresh", fresh, named(""), "bad_name"),
        ("fresh", fresh, named("  "), "bad_name"),
        ("fresh", fresh, named("a\nb"), "bad_name"),
        ("fresh", fresh, named(&"x".repeat(81)), "bad_name"),
        ("gathering", gathering, named("One"), "already_open"),
        ("gathering", gathering, join('A'), "already_here"),
        ("gathering", gathering, leave('D'), "unknown_player"),
        ("gathering", gathering, Command::StartGame {}, "no_order"),
        ("gathering", gathering, rolls("A1 B2"), "wrong_rollers"),
        ("gathering", gathering, rolls("A1 B2 B3"), "wrong_rollers"),
        ("gathering", gathering, rolls("A1 B2 D3"), "wrong_rollers"),
        ("gathering", gathering, double('A', "*"), "no_game"),
        ("gathering", gathering, single(Side::Box), "no_game"),
        ("tied", tied, rolls("A1 B2 C3"), "wrong_rollers"),
        ("tied", tied, Command::StartGame {}, "no_order"),
        ("between", between, Command::DrawOrder {}, "order_already_set"),
        ("between", between, rolls("A1 B2 C3"), "order_already_set"),
        ("between", between, take('Z', "*"), "no_game"),
        ("alone", alone, Command::StartGame {}, "too_few_players"),
        ("alone", alone, leave('B'), "not_here"),
        ("playing", playing, Command::StartGame {}, "game_in_progress"),
        ("playing", playing, Command::DrawOrder {}, "game_in_progress"),
        ("playing", playing, rolls("A1"), "game_in_progress"),
        ("playing", playing, Command::Close {}, "game_in_progress"),
        ("playing", playing, leave('A'), "game_in_progress"),
        ("playing", playing, join('D'), "already_here"),
        ("playing", playing, double('Z', "*"), "unknown_player"),
        ("playing", playing, double('E', "*"), "not_here"),
        ("playing", playing, double('D', "*"), "not_in_game"),
        ("playing", playing, double('A', ""), "bad_choice"),
        ("playing", playing, double('A', "BB"), "bad_choice"),
        ("playing", playing, double('A', "BD"), "no_such_opponent"),
        ("playing", playing, double('A', "A"), "no_such_opponent"),
        ("playing", playing, double('B', "C"), "no_such_opponent"),
        ("playing", playing, take('B', "*"), "no_offer"),
        ("playing", playing, drop('A', "B"), "no_offer"),
        ("offered", box_doubled_captain, double('A', "B"), "offer_pending"),
        ("offered", box_doubled_captain, double('A', "CB"), "offer_pending"),
        ("offered", box_doubled_captain, double('B', "*"), "not_on_turn"),
        ("offered", box_doubled_captain, double('C', "*"), "not_on_turn"),
        ("offered", box_doubled_captain, single(Side::Team), "offer_pending"),
        ("offered", box_doubled_captain, take('A', "*"), "no_offer"),
        ("offered", box_doubled_captain, take('C', "*"), "no_offer"),
        ("offered", box_doubled_captain, take('B', "C"), "no_such_opponent"),
        ("offered", captain_doubled, double('A', "C"), "not_on_turn"),
        ("offered", captain_doubled, double('B', "*"), "offer_pending"),
        ("offered", captain_doubled, take('A', "BC"), "no_offer"),
        ("taken", captain_took, double('A', "B"), "not_your_cube"),
        ("taken", captain_took, double('A', "BC"), "not_your_cube"),
        ("dropped", captain_dropped, double('B', "*"), "not_in_game"),
        ("dropped", captain_dropped, double('A', "B"), "no_such_opponent"),
        ("capped", capped, double('A', "*"), "cube_at_limit"),
        ("full", full, join('D'), "table_full"),
        ("closed", closed, join('A'), "closed"),
        ("closed", closed, Command::Close {}, "closed"),
        ("closed", closed, named("One"), "already_open"),
        ("closed", closed, double('A', "*"), "closed"),
    ]
}

#[test]
fn every_row_is_refused_with_its_code_and_changes_nothing() {
    for (state, night, command, code) in table() {
        assert_eq!(night().refused(&command), code, "{state}: {command:?}");
    }
}

#[test]
fn every_code_has_a_row() {
    let rows: BTreeSet<&str> = table().into_iter().map(|(.., code)| code).collect();
    assert_eq!(rows, Refusal::CODES.into_iter().collect());
}

#[test]
fn a_refusal_names_the_field_and_what_would_have_been_allowed() {
    let ids = |letters: &str| json!(super::players(letters));
    let cases: [Explained; 11] = [
        (fresh, join('A'), None, Some(json!(["open"]))),
        (gathering, leave('D'), Some("player"), Some(ids("ABC"))),
        (tied, rolls("A1 B2 C3"), Some("rolls"), Some(ids("AB"))),
        (playing, leave('A'), Some("player"), Some(ids("D"))),
        (playing, double('D', "*"), Some("player"), Some(ids("ABC"))),
        (playing, double('A', "BD"), Some("against"), Some(ids("BC"))),
        (captain_took, double('A', "B"), Some("against"), Some(ids("C"))),
        (box_doubled_captain, double('C', "*"), Some("player"), Some(ids("A"))),
        (box_doubled_captain, single(Side::Box), None, Some(ids("B"))),
        (capped, double('A', "*"), None, Some(json!(1))),
        (gathering, Command::StartGame {}, None, Some(json!(["draw_order", "enter_rolls"]))),
    ];
    for (night, command, field, allowed) in cases {
        let refusal = night().give(&command).unwrap_err();
        assert_eq!((refusal.field(), refusal.allowed()), (field, allowed), "{refusal:?}");
    }
}

#[test]
fn naming_nobody_means_all_it_can_apply_to() {
    let mut night = captain_took();
    night.ok(&double('A', "*"));
    let offered: Vec<bool> = night.state().bets().iter().map(|bet| bet.offered_by().is_some()).collect();
    assert_eq!(offered, [false, true], "B owns the cube, C's is centred");
}
