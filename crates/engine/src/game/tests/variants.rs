//! The variants V1 to V4 in play.

use super::*;
use crate::tests::position_in;
use crate::{Ended, Movement, Variant, Win};

fn rules_of(variant: Variant) -> GameRules {
    GameRules { variant, ..common() }
}

#[test]
fn v1_the_opening_is_as_usual_and_the_exchange_begins_with_the_second_turn() {
    let mut table = Table::new(rules_of(Variant::Inverse));
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
    let mut table = Table::opened(rules_of(Variant::Inverse));
    assert!(table.may(Black, ActionKind::Double) && !table.may(White, ActionKind::Double));
    table.ok(Black, &Action::Double {});
    table.ok(White, &Action::Take {});
    table.ok(Black, &rolls(6, 2));
    assert_eq!(table.game.turn(), Some(Black));
}

#[test]
fn v1_cocked_dice_are_the_throwers_and_nobody_rolls_early_for_another() {
    // In the opening each side throws its own die.
    let mut table = Table::new(rules_of(Variant::Inverse));
    assert_eq!(table.ok(Black, &Action::CockedDice {}), [Event::DiceCocked { side: Black }]);
    let mut table = Table::opened(rules_of(Variant::Inverse));
    assert_eq!(table.ok(Black, &Action::CockedDice {}), [Event::DiceCocked { side: White }]);
    table.ok(Black, &rolls(6, 2));
    assert_eq!(table.no(White, &rolls(5, 4)), Refusal::NotYourTurn { side: Black });
}

#[test]
fn v2_three_checkers_make_a_game_and_its_kinds_of_win() {
    let mut table = Table::with(rules_of(Variant::HyperBackgammon), "1:1", "20:1 21:1 22:1");
    table.ok(White, &rolls(6, 5));
    table.ok(White, &play(&[(1, 6)]));
    assert_eq!(table.outcome().ended, Ended::BorneOff { win: Win::Backgammon });
    assert_eq!(table.game.position().other().off(), 3);
}

#[test]
fn v2_nackgammon_opens_from_its_own_start() {
    let mut table = Table::new(rules_of(Variant::Nackgammon));
    table.ok(White, &opening(2, 1));
    table.ok(White, &play(&[(23, 2), (24, 1)]));
    assert_eq!(table.game.turn(), Some(Black));
}

#[test]
fn v3_who_bears_off_everything_loses_by_what_the_winner_has_left() {
    for (black, win) in [("1:14", Win::Single), ("13:15", Win::Gammon), ("bar:1 1:14", Win::Backgammon)] {
        let mut table = Table::with(rules_of(Variant::Misere), "2:1", black);
        table.ok(White, &rolls(2, 1));
        // The checker on 2 goes off with either number first; nothing else is legal.
        let steps = table.game.plays()[0].steps;
        table.ok(White, &Action::Play { steps });
        let outcome = table.outcome();
        assert_eq!((outcome.winner, outcome.ended), (Black, Ended::BorneOff { win }), "{black}");
    }
}

#[test]
fn v3_a_resignation_and_a_drop_lose_the_losing_game_too() {
    let mut table = Table::opened(rules_of(Variant::Misere));
    let mut dropped = table.clone();
    table.ok(Black, &Action::Resign { win: Win::Single });
    table.ok(White, &Action::AcceptResignation {});
    assert_eq!(table.outcome().winner, White);
    dropped.ok(Black, &Action::Double {});
    dropped.ok(White, &Action::Drop {});
    assert_eq!(dropped.outcome().winner, Black);
}

/// A game of Plakoto or Fevga in which White is on turn with these checkers, each as that side counts.
fn tavli(variant: Variant, white: &str, black: &str) -> Table {
    let mut table = Table::new(rules_of(variant));
    table.ok(Black, &opening(1, 3));
    let position = position_in(variant.start().movement(), white, black).into();
    table.happen(&[Event::Played { side: Black, roll: roll(3, 1), steps: Steps::NONE, position }]);
    table
}

#[test]
fn v4_who_wins_the_opening_roll_throws_both_dice_anew() {
    for variant in [Variant::Plakoto, Variant::Fevga] {
        let mut table = Table::new(rules_of(variant));
        assert_eq!(table.ok(Black, &opening(4, 4)).len(), 1, "a tie is thrown again");
        table.ok(White, &opening(2, 5));
        assert_eq!((table.game.turn(), table.game.legal_plays().is_some()), (Some(Black), false));
        assert_eq!(table.no(Black, &play(&[(24, 5), (19, 2)])), Refusal::NotRolled);
        table.ok(Black, &rolls(6, 4));
        table.ok(Black, &play(&[(24, 6), (18, 4)]));
        assert_eq!(table.game.turn(), Some(White));
    }
}

#[test]
fn v4_there_is_no_cube_and_no_backgammon() {
    for variant in [Variant::Plakoto, Variant::Fevga] {
        let mut table = tavli(variant, "24:15", "24:15");
        assert_eq!((table.game.cube(), table.game.stake()), (None, value(1)));
        assert_eq!(table.no(White, &Action::Double {}), Refusal::NoCube);
        assert_eq!(table.no(White, &Action::Resign { win: Win::Backgammon }), Refusal::NoSuchWin);
        table.ok(White, &Action::Resign { win: Win::Gammon });
        table.ok(Black, &Action::AcceptResignation {});
        assert_eq!((table.outcome().winner, table.outcome().points), (Black, 2));
    }
}

#[test]
fn v4_borne_off_a_game_counts_once_or_twice() {
    for variant in [Variant::Plakoto, Variant::Fevga] {
        for (black, win, points) in [("24:15", Win::Gammon, 2), ("3:14", Win::Single, 1)] {
            let mut table = tavli(variant, "2:1", black);
            table.ok(White, &rolls(6, 2));
            table.ok(White, &play(&[(2, 6)]));
            let outcome = table.outcome();
            assert_eq!(
                (outcome.winner, outcome.ended),
                (White, Ended::BorneOff { win }),
                "{variant:?} {black}"
            );
            assert_eq!(outcome.points, points);
        }
    }
}

#[test]
fn v4_plakoto_a_pinned_mother_ends_the_game_and_counts_double() {
    let mut table = tavli(Variant::Plakoto, "3:1 6:14", "24:1 10:14");
    table.ok(White, &rolls(2, 1));
    table.ok(White, &play(&[(3, 2), (6, 1)]));
    let outcome = table.outcome();
    assert_eq!((outcome.winner, outcome.ended, outcome.points), (White, Ended::MotherPinned {}, 2));
}

#[test]
fn v4_plakoto_while_the_other_can_still_be_pinned_a_pinned_mother_ends_nothing() {
    let mut table = tavli(Variant::Plakoto, "3:1 6:13 24:1", "24:1 10:14");
    table.ok(White, &rolls(2, 1));
    table.ok(White, &play(&[(3, 2), (6, 1)]));
    assert_eq!((table.game.outcome(), table.game.turn()), (None, Some(Black)));
    // Black pins nothing. White's mother leaves, which wins the game for White.
    table.ok(Black, &rolls(4, 3));
    table.ok(Black, &play(&[(10, 4), (10, 3)]));
    table.ok(White, &rolls(6, 5));
    table.ok(White, &play(&[(24, 6), (18, 5)]));
    assert_eq!((table.outcome().winner, table.outcome().points), (White, 2));
}

#[test]
fn v4_plakoto_both_mothers_pinned_is_a_tie_and_the_game_begins_anew() {
    let mut table = tavli(Variant::Plakoto, "6:14 24:pinned", "1:1 5:1 10:12 24:1");
    table.ok(White, &rolls(5, 1));
    let events = table.ok(White, &play(&[(6, 5), (6, 1)]));
    assert!(matches!(events[..], [Event::Played { .. }, Event::Tied {}]), "{events:?}");
    assert_eq!(table.game, Game::new(rules_of(Variant::Plakoto)));
    assert_eq!(table.game.position().movement(), Movement::Plakoto);
    table.ok(Black, &opening(2, 5));
    assert_eq!(table.game.turn(), Some(Black));
}
