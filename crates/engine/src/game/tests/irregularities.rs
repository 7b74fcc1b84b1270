//! I1 to I3: cocked dice, illegal plays, dice rolled too early.

use super::*;
use crate::game::Phase;
use crate::{Ended, Win};

/// Black has rolled 6-2 and played 24/18 only, which is incomplete.
fn left_incomplete() -> (Table, Position) {
    let mut table = Table::opened(common());
    table.ok(Black, &rolls(6, 2));
    let before = table.game.position();
    table.ok(Black, &leave(after_one_step(before, 24, 18)));
    (table, before)
}

/// The board after a checker of the mover has gone from one point to an empty one, seen by the other side.
fn after_one_step(position: Position, from: usize, to: usize) -> Position {
    let mut board = position.board();
    board[from] -= 1;
    board[to] += 1;
    Position::from_board(&board, 15).unwrap().turned()
}

#[test]
fn i1_cocked_dice_are_recorded_and_not_counted_as_a_roll() {
    let mut table = Table::opened(common());
    assert_eq!(table.ok(Black, &Action::CockedDice {}), [Event::DiceCocked { side: Black }]);
    table.ok(Black, &Action::CockedDice {});
    assert_eq!((table.game.phase(), table.game.cocked_dice()), (Phase::ToRoll, 2));
    table.ok(Black, &rolls(6, 2));
}

#[test]
fn i1_dice_are_cocked_a_hundred_times_a_game_and_no_more() {
    let mut table = Table::opened(common());
    for _ in 0..100 {
        table.ok(Black, &Action::CockedDice {});
    }
    assert_eq!(table.no(Black, &Action::CockedDice {}), Refusal::CockedTooOften { most: 100 });
    table.ok(Black, &rolls(6, 2));
}

#[test]
fn i1_in_the_opening_both_dice_are_thrown_again() {
    let mut table = Table::new(common());
    table.ok(Black, &Action::CockedDice {});
    assert_eq!(table.game.turn(), None);
    table.ok(White, &opening(3, 1));
}

#[test]
fn i2_an_incomplete_play_is_accepted_by_rolling_or_doubling() {
    for action in [rolls(5, 2), Action::Double {}] {
        let (mut table, _) = left_incomplete();
        let board = table.game.position();
        assert!(table.game.left_board().is_some());
        table.ok(White, &action);
        assert_eq!((table.game.left_board(), table.game.position()), (None, board), "{action:?}");
        assert!(!table.may(White, ActionKind::SendBack));
    }
}

#[test]
fn i2_playing_an_early_roll_or_passing_closed_out_accepts_too() {
    let mut table = Table::opened(common());
    table.ok(Black, &rolls(6, 2));
    table.ok(White, &rolls(5, 4));
    table.ok(Black, &leave(after_one_step(table.game.position(), 24, 18)));
    table.ok(White, &play(&[(13, 5), (13, 4)]));
    assert_eq!((table.game.left_board(), table.game.turn()), (None, Some(Black)));

    let mut table = Table::with(common(), "1:2 2:2 3:2 4:2 5:2 6:2 9:1 8:1", "bar:1 6:14");
    table.ok(White, &rolls(2, 1));
    table.ok(White, &leave(after_one_step(table.game.position(), 9, 7)));
    table.ok(Black, &Action::Pass {});
    assert_eq!((table.game.left_board(), table.game.turn()), (None, Some(White)));
}

#[test]
fn i2_a_resignation_that_is_rejected_leaves_the_play_to_be_sent_back() {
    let (mut table, _) = left_incomplete();
    table.ok(Black, &Action::Resign { win: Win::Single });
    assert_eq!(table.no(White, &Action::SendBack {}), Refusal::ResignationPending);
    table.ok(White, &Action::RejectResignation {});
    table.ok(White, &Action::SendBack {});
    assert_eq!(table.game.turn(), Some(Black));
}

#[test]
fn i2_it_can_be_accepted_in_so_many_words() {
    let (mut table, _) = left_incomplete();
    table.ok(White, &Action::AcceptPlay {});
    assert_eq!(table.no(White, &Action::SendBack {}), Refusal::NoPlayToAnswer);
    assert_eq!((table.game.turn(), table.game.phase()), (Some(White), Phase::ToRoll));
}

#[test]
fn i2_sent_back_it_is_played_legally_with_the_same_roll() {
    let (mut table, before) = left_incomplete();
    assert_eq!(table.no(Black, &Action::SendBack {}), Refusal::NotYourTurn { side: White });
    table.ok(White, &Action::SendBack {});
    assert_eq!((table.game.turn(), table.game.position()), (Some(Black), before));
    assert_eq!(table.game.phase(), Phase::ToPlay { roll: roll(6, 2), early: None });
    table.ok(Black, &play(&[(24, 6), (13, 2)]));
    assert_eq!(table.game.left_board(), None);
}

#[test]
fn i2_a_board_must_come_from_a_play_and_be_no_legal_one() {
    let mut table = Table::opened(common());
    table.ok(Black, &rolls(6, 2));
    let before = table.game.position();
    let legal = table.game.plays()[0].result;
    assert_eq!(table.no(Black, &leave(legal)), Refusal::BoardIsLegal);
    // One of White's checkers has moved.
    let mut board = before.board();
    board[1] += 1;
    board[2] -= 1;
    let moved = Position::from_board(&board, 15).unwrap().turned();
    assert_eq!(table.no(Black, &leave(moved)), Refusal::ImpossibleBoard);
    // One of White's checkers is on the bar, though no checker of Black's is where it was. An illegal play
    // may do that.
    let mut board = before.board();
    board[1] += 1;
    board[0] -= 1;
    assert!(
        table
            .game
            .decide(Black, &leave(Position::from_board(&board, 15).unwrap().turned()), &mut Script(vec![]))
            .is_ok()
    );
    // Nothing was moved at all, which is incomplete.
    table.ok(Black, &leave(before.turned()));
}

#[test]
fn i2_no_play_brings_checkers_back_or_takes_the_other_sides_off() {
    let mut table = Table::with(common(), "6:2 5:1", "13:1 6:1");
    table.ok(White, &rolls(2, 1));
    for (white, black) in [
        // White has one more checker on the board; Black has one less; Black has one more.
        ("6:3 5:1", "13:1 6:1"),
        ("6:2 4:1", "13:1"),
        ("6:2 4:1", "13:1 6:1 bar:1"),
    ] {
        assert_eq!(table.no(White, &leave(position(black, white, 15))), Refusal::ImpossibleBoard);
    }
    table.ok(White, &leave(position("13:1 bar:1", "6:2", 15)));
}

#[test]
fn i2_a_board_left_won_must_be_accepted_or_sent_back() {
    let mut table = Table::with(common(), "2:2", "13:15");
    table.ok(White, &rolls(2, 1));
    table.ok(White, &leave(position("13:15", "", 15)));
    for action in [rolls(1, 2), Action::Double {}, Action::CockedDice {}] {
        assert_eq!(table.no(Black, &action), Refusal::PlayUnanswered);
    }
    let mut sent_back = table.clone();
    sent_back.ok(Black, &Action::SendBack {});
    sent_back.ok(White, &play(&[(2, 2), (2, 1)]));
    assert_eq!(sent_back.game.outcome(), None);
    table.ok(Black, &Action::AcceptPlay {});
    assert_eq!(table.outcome().ended, Ended::BorneOff { win: Win::Gammon });
    assert_eq!(table.outcome().winner, White);

    // A board that was won legally cannot be left as an illegal one.
    let mut table = Table::with(common(), "2:1", "13:15");
    table.ok(White, &rolls(2, 1));
    assert_eq!(table.no(White, &leave(position("13:15", "", 15))), Refusal::BoardIsLegal);
}

#[test]
fn i3_dice_rolled_too_early_stand_and_the_other_side_plays_knowing_them() {
    let mut table = Table::opened(common());
    table.ok(Black, &rolls(6, 2));
    let events = table.ok(White, &rolls(5, 5));
    assert_eq!(events, [Event::RolledEarly { side: White, roll: roll(5, 5), source: DiceSource::Entered }]);
    assert_eq!(table.no(White, &rolls(1, 1)), Refusal::AlreadyRolled { roll: roll(5, 5) });
    assert_eq!(table.game.decision(), Some(Black), "who may play as it likes");
    table.ok(Black, &play(&[(24, 6), (13, 2)]));
    assert_eq!(table.game.phase(), Phase::ToPlay { roll: roll(5, 5), early: None });
    assert_eq!(table.game.turn(), Some(White));
    assert_eq!(table.no(White, &Action::Double {}), Refusal::AlreadyRolled { roll: roll(5, 5) });
    table.ok(White, &play(&[(13, 5), (13, 5), (8, 5), (8, 5)]));
    assert_eq!(table.game.phase(), Phase::ToRoll, "an early roll is played once");
}

#[test]
fn i3_an_early_roll_outlives_a_turn_that_is_lost() {
    let mut table = Table::with(common(), "bar:1 6:14", "1:2 2:2 3:2 4:2 5:2 13:5");
    table.ok(White, &rolls(5, 3));
    table.ok(Black, &rolls(6, 1));
    table.ok(White, &Action::Pass {});
    assert_eq!(table.game.phase(), Phase::ToPlay { roll: roll(6, 1), early: None });
}

#[test]
fn i3_i1_dice_thrown_too_early_can_be_cocked() {
    let mut table = Table::opened(common());
    table.ok(Black, &rolls(6, 2));
    assert_eq!(table.ok(White, &Action::CockedDice {}), [Event::DiceCocked { side: White }]);
    assert_eq!(table.game.phase(), Phase::ToPlay { roll: roll(6, 2), early: None });
}

#[test]
fn i3_an_early_roll_outlives_a_play_that_is_sent_back() {
    let mut table = Table::opened(common());
    table.ok(Black, &rolls(6, 2));
    table.ok(White, &rolls(5, 4));
    table.ok(Black, &leave(after_one_step(table.game.position(), 24, 18)));
    assert_eq!(table.game.phase(), Phase::ToPlay { roll: roll(5, 4), early: None });
    assert_eq!(table.no(Black, &rolls(1, 2)), Refusal::NotYourTurn { side: White });
    table.ok(White, &Action::SendBack {});
    assert_eq!(table.game.phase(), Phase::ToPlay { roll: roll(6, 2), early: Some(roll(5, 4)) });
    table.ok(Black, &play(&[(24, 6), (13, 2)]));
    assert_eq!(table.game.phase(), Phase::ToPlay { roll: roll(5, 4), early: None });
}
