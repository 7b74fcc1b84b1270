//! V1 to V3 in play.

use super::*;
use crate::engine::{Ended, Variant, Win};

fn of(variant: Variant) -> GameRules {
    GameRules { variant, ..common() }
}

#[test]
fn v1_the_opening_is_as_usual_and_the_exchange_begins_with_the_second_turn() {
    let mut table = Table::new(of(Variant::Inverse));
    table.ok(White, &opening(3, 1));
    table.ok(White, &play(&[(8, 3), (6, 1)]));
    let events = table.ok(Black, &rolls(6, 2));
    assert!(matches!(events[..], [Event::Rolled { side: Black, thrower: White, .. }]));
    table.ok(Black, &play(&[(24, 6), (13, 2)]));
    let events = table.ok(White, &rolls(4, 2));
    assert!(matches!(events[..], [Event::Rolled { side: White, thrower: Black, .. }]));
}

#[test]
fn v1_a_double_comes_before_the_roll_one_will_play() {
    let mut table = Table::opened(of(Variant::Inverse));
    assert!(table.may(Black, ActionKind::Double) && !table.may(White, ActionKind::Double));
    table.ok(Black, &Action::Double {});
    table.ok(White, &Action::Take {});
    table.ok(Black, &rolls(6, 2));
    assert_eq!(table.game.turn(), Some(Black));
}

#[test]
fn v1_cocked_dice_are_the_throwers_and_nobody_rolls_early_for_another() {
    // In the opening each throws its own.
    let mut table = Table::new(of(Variant::Inverse));
    assert_eq!(table.ok(Black, &Action::CockedDice {}), [Event::DiceCocked { side: Black }]);
    let mut table = Table::opened(of(Variant::Inverse));
    assert_eq!(table.ok(Black, &Action::CockedDice {}), [Event::DiceCocked { side: White }]);
    table.ok(Black, &rolls(6, 2));
    assert_eq!(table.no(White, &rolls(5, 4)), Refusal::NotYourTurn { side: Black });
}

#[test]
fn v2_three_checkers_make_a_game_and_its_kinds_of_win() {
    let mut table = Table::with(of(Variant::HyperBackgammon), "1:1", "20:1 21:1 22:1");
    table.ok(White, &rolls(6, 5));
    table.ok(White, &play(&[(1, 6)]));
    assert_eq!(table.outcome().ended, Ended::BorneOff { win: Win::Backgammon });
    assert_eq!(table.game.position().other().off(), 3);
}

#[test]
fn v2_nackgammon_opens_from_its_own_start() {
    let mut table = Table::new(of(Variant::Nackgammon));
    table.ok(White, &opening(2, 1));
    table.ok(White, &play(&[(23, 2), (24, 1)]));
    assert_eq!(table.game.turn(), Some(Black));
}

#[test]
fn v3_who_bears_off_everything_loses_by_what_the_winner_has_left() {
    for (black, win) in [("1:14", Win::Single), ("13:15", Win::Gammon), ("bar:1 1:14", Win::Backgammon)] {
        let mut table = Table::with(of(Variant::Misere), "2:1", black);
        table.ok(White, &rolls(2, 1));
        // The two must be borne off with either number first: nothing else is legal.
        let steps = table.game.plays()[0].steps;
        table.ok(White, &Action::Play { steps });
        let outcome = table.outcome();
        assert_eq!((outcome.winner, outcome.ended), (Black, Ended::BorneOff { win }), "{black}");
    }
}

#[test]
fn v3_a_resignation_and_a_drop_lose_the_losing_game_too() {
    let mut table = Table::opened(of(Variant::Misere));
    let mut dropped = table.clone();
    table.ok(Black, &Action::Resign { win: Win::Single });
    table.ok(White, &Action::AcceptResignation {});
    assert_eq!(table.outcome().winner, White);
    dropped.ok(Black, &Action::Double {});
    dropped.ok(White, &Action::Drop {});
    assert_eq!(dropped.outcome().winner, Black);
}
