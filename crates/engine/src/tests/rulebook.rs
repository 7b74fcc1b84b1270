//! The rules of moving checkers, one test each, named after the rule they prove; and the examples that the
//! rulebook's sources print (X1, X3 to X6).

use std::collections::BTreeSet;

use super::{die, position, roll, start, steps};
use crate::step_rules::stepped;
use crate::{BAR, IllegalPlay, LegalPlays, Position, Roll, Step, Steps};

/// The checkers of the mover and of the other side after each result.
fn outcomes(position: Position, roll: Roll) -> BTreeSet<String> {
    let plays = LegalPlays::new(position, roll).results();
    plays.iter().map(|play| format!("{:?} | {:?}", play.result.other(), play.result.mover())).collect()
}

fn legal(position: Position, roll: Roll, list: &[(u8, u8)]) -> Result<(), IllegalPlay> {
    LegalPlays::new(position, roll).check(steps(list)).map(drop)
}

/// Whether a play is legal, with its steps in any order.
fn can(position: Position, roll: Roll, list: &[(u8, u8)]) -> bool {
    let mut reversed = list.to_vec();
    reversed.reverse();
    legal(position, roll, list).is_ok() || legal(position, roll, &reversed).is_ok()
}

#[test]
fn g2_the_start() {
    assert_eq!(start().mover().pips(), 167);
    assert_eq!(start().turned(), start(), "the other side stands the same");
    let board = start().board();
    assert_eq!(board.iter().filter(|count| **count > 0).map(|count| i32::from(*count)).sum::<i32>(), 15);
    // One side's 24 is the other's 1.
    assert_eq!((board[24], board[1]), (2, -2));
}

#[test]
fn g5_a_point_with_two_is_blocked_one_with_one_is_not() {
    let at = position("13:1", "19:2 20:1");
    // The other side's 19 is the mover's 6, its 20 the mover's 5.
    assert_eq!(stepped(at, Step::new(13, die(6)).unwrap()).map(drop), Ok(()));
    let at_seven = position("7:1", "24:2 20:1");
    assert_eq!(stepped(at_seven, Step::new(7, die(6)).unwrap()), Err(IllegalPlay::Blocked { to: 1 }));
    assert!(stepped(at_seven, Step::new(7, die(2)).unwrap()).is_ok());
}

#[test]
fn g6_one_checker_takes_both_numbers_only_over_a_stop_that_is_open() {
    // 6-4 from 24 to 14, over 18 or 20. First neither stop is open, then one is.
    assert_eq!(LegalPlays::new(position("24:1", "5:2 7:2"), roll(6, 4)).results()[0].steps, Steps::NONE);
    assert!(legal(position("24:1", "7:2"), roll(6, 4), &[(24, 4), (20, 6)]).is_ok());
    assert_eq!(
        legal(position("24:1", "7:2"), roll(6, 4), &[(24, 6), (18, 4)]),
        Err(IllegalPlay::Blocked { to: 18 })
    );
}

#[test]
fn g7_a_double_is_four_moves() {
    let at = position("24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5");
    assert!(legal(at, roll(3, 3), &[(24, 3), (24, 3), (13, 3), (13, 3)]).is_ok());
    assert_eq!(legal(at, roll(3, 3), &[(24, 3), (24, 3)]), Err(IllegalPlay::MoreCanBePlayed { moves: 4 }));
}

#[test]
fn g8_both_numbers_if_any_sequence_allows_it() {
    // 14/8 is blocked, but 14/12/6 is open, so the 2 must come first.
    let at = position("14:1", "17:2");
    assert_eq!(outcomes(at, roll(6, 2)).len(), 1);
    assert!(legal(at, roll(6, 2), &[(14, 2), (12, 6)]).is_ok());
    assert_eq!(legal(at, roll(6, 2), &[(14, 2)]), Err(IllegalPlay::BothCanBePlayed));
}

#[test]
fn g8_both_numbers_even_if_one_would_come_to_the_same() {
    // 3/off with the six leaves the same as 3/2/off with both numbers, but then the one can still be played.
    let at = position("3:1 1:1", "12:2");
    assert_eq!(legal(at, roll(6, 1), &[(3, 6)]), Err(IllegalPlay::BothCanBePlayed));
    assert!(
        legal(at, roll(6, 1), &[(3, 1), (2, 6)]).is_ok() && legal(at, roll(6, 1), &[(3, 6), (1, 1)]).is_ok()
    );
}

#[test]
fn g8_of_two_that_cannot_both_be_played_the_larger() {
    // Either 12/6 or 12/7; after that the 1-point is blocked.
    let at = position("12:1", "24:2");
    assert!(legal(at, roll(6, 5), &[(12, 6)]).is_ok());
    assert_eq!(legal(at, roll(6, 5), &[(12, 5)]), Err(IllegalPlay::LargerMustBePlayed { die: die(6) }));
    assert_eq!(legal(at, roll(6, 5), &[]), Err(IllegalPlay::OneCanBePlayed));
}

#[test]
fn g8_the_smaller_if_only_that_can_be_played() {
    let at = position("12:1", "24:2 19:2");
    assert!(legal(at, roll(6, 5), &[(12, 5)]).is_ok());
}

#[test]
fn g8_nothing_if_nothing_can_be_played() {
    let at = position("12:1", "18:2 19:2 24:2");
    assert_eq!(LegalPlays::new(at, roll(6, 5)).move_lists(), [Steps::NONE]);
    assert!(legal(at, roll(6, 5), &[]).is_ok());
}

#[test]
fn g8_of_a_double_as_many_as_possible() {
    // 14/8 once; 8/2 is blocked.
    let at = position("14:1", "23:2");
    assert!(legal(at, roll(6, 6), &[(14, 6)]).is_ok());
    assert_eq!(legal(at, roll(6, 6), &[]), Err(IllegalPlay::MoreCanBePlayed { moves: 1 }));
    assert_eq!(LegalPlays::new(at, roll(6, 6)).move_lists(), [steps(&[(14, 6)])]);
}

#[test]
fn g8a_without_the_larger_nothing() {
    let at = position("12:1", "24:2 19:2");
    let strict = LegalPlays::new(at, roll(6, 5)).strict_larger_die(true);
    assert_eq!(strict.move_lists(), [Steps::NONE]);
    assert_eq!(strict.check(steps(&[(12, 5)])), Err(IllegalPlay::StrictLargerDie));
    // The option does not affect doubles, nor rolls of which the larger number can be played.
    let double = LegalPlays::new(position("14:1", "23:2"), roll(6, 6)).strict_larger_die(true);
    assert!(double.check(steps(&[(14, 6)])).is_ok());
    let larger = LegalPlays::new(position("12:1", "24:2"), roll(6, 5)).strict_larger_die(true);
    assert!(larger.check(steps(&[(12, 6)])).is_ok());
}

#[test]
fn g9_one_play_can_hit_two_and_a_double_four() {
    let two = position("13:2", "18:1 20:1");
    let after = LegalPlays::new(two, roll(6, 5)).check(steps(&[(13, 6), (13, 5)])).unwrap();
    // The other side's 18 is the mover's 7, its 20 the mover's 5: 13/7* and 13/8.
    assert_eq!(after.result.mover().on_bar(), 1);
    let both = LegalPlays::new(two, roll(6, 2)).check(steps(&[(13, 6), (7, 2)])).unwrap();
    assert_eq!(both.result.mover().on_bar(), 2);
    let four = position("13:1", "14:1 16:1 18:1 20:1");
    let after = LegalPlays::new(four, roll(2, 2)).check(steps(&[(13, 2), (11, 2), (9, 2), (7, 2)])).unwrap();
    assert_eq!(after.result.mover().on_bar(), 4);
}

#[test]
fn g9_two_checkers_on_one_blot_hit_it_once() {
    let at = position("12:1 11:1", "19:1");
    let after = LegalPlays::new(at, roll(6, 5)).check(steps(&[(12, 6), (11, 5)])).unwrap();
    assert_eq!((after.result.mover().on_bar(), after.result.mover().total()), (1, 15));
}

#[test]
fn g10_all_on_the_bar_enter_before_anything_moves() {
    let one = position("bar:1 13:2", "6:2");
    assert_eq!(legal(one, roll(4, 1), &[(13, 4), (BAR, 1)]), Err(IllegalPlay::OnTheBar));
    // The other number may be played with another checker or with the same one.
    assert!(legal(one, roll(4, 1), &[(BAR, 4), (13, 1)]).is_ok());
    assert!(legal(one, roll(4, 1), &[(BAR, 4), (21, 1)]).is_ok());
    // Of two on the bar only one can enter, so the rest of the roll is lost.
    let two = position("bar:2 13:2", "6:2");
    assert_eq!(outcomes(two, roll(6, 1)), BTreeSet::from(["off:11 13:2 24:1 bar:1 | off:13 6:2".to_owned()]));
}

#[test]
fn g11_bearing_off() {
    let at = position("6:1 4:2 2:1", "24:2");
    // Each from its exact point.
    assert!(can(at, roll(6, 4), &[(6, 6), (4, 4)]));
    // The five-point is empty and a checker is higher: that one must move.
    assert_eq!(legal(at, roll(5, 5), &[(4, 5)]), Err(IllegalPlay::HigherChecker { from: 4 }));
    // The points are empty and no checker is higher: from the highest point.
    assert!(can(position("4:2 2:1", "24:2"), roll(6, 5), &[(4, 6), (4, 5)]));
    // Not while a checker is outside.
    assert_eq!(legal(position("7:1 4:3", "24:2"), roll(4, 2), &[(4, 4)]), Err(IllegalPlay::NotAllHome));
    // Bearing off is not compulsory while another move of that number exists.
    assert!(can(position("6:1 5:1 1:3", "24:0"), roll(1, 2), &[(6, 1), (5, 2)]));
}

#[test]
fn g11_a_larger_number_is_lost_while_the_higher_checker_cannot_move() {
    // The five from 6 is blocked, so it is lost, although it could bear off from 4.
    let at = position("6:1 4:1", "24:2");
    assert_eq!(outcomes(at, roll(5, 5)), BTreeSet::from(["off:13 4:1 6:1 | off:13 24:2".to_owned()]));
}

/// The four positions of the rulebook's questions about bearing off.
#[test]
fn g8_g11_how_many_must_be_borne_off_in_the_positions_asked_about() {
    // 4-3: the three cannot be moved within the home, so using both numbers takes two off.
    let at = position("4:2 3:2", "24:2");
    assert_eq!(outcomes(at, roll(4, 3)), BTreeSet::from(["off:13 3:1 4:1 | off:13 24:2".to_owned()]));
    // 4-2: two may be borne off, but one is enough: 4/2, 2/off.
    let at = position("4:1 2:2", "24:2");
    assert!(can(at, roll(4, 2), &[(4, 4), (2, 2)]));
    assert!(legal(at, roll(4, 2), &[(4, 2), (2, 4)]).is_ok());
    // 6-4: the six bears off from 5. The four is blocked there, and bears none off from 3 while a checker is
    // on 5.
    let at = position("5:2 3:2", "24:2");
    assert_eq!(outcomes(at, roll(6, 4)), BTreeSet::from(["off:12 3:2 5:1 | off:13 24:2".to_owned()]));
    assert_eq!(legal(at, roll(6, 4), &[(5, 6), (3, 4)]), Err(IllegalPlay::HigherChecker { from: 3 }));
    // 6-4: bearing off from 6 leaves no four, but 6/2 and 5/off use both numbers.
    let at = position("6:1 5:1 2:2", "24:2");
    assert_eq!(LegalPlays::new(at, roll(6, 4)).move_lists(), [steps(&[(6, 4), (5, 6)])]);
    assert_eq!(legal(at, roll(6, 4), &[(6, 6)]), Err(IllegalPlay::BothCanBePlayed));
}

#[test]
fn g11a_bearing_off_begins_with_the_number_after_the_last_came_home() {
    assert!(legal(position("8:1 6:1", "24:0"), roll(6, 2), &[(8, 2), (6, 6)]).is_ok());
}

#[test]
fn g12_one_that_was_hit_comes_home_before_more_are_borne_off() {
    let at = position("bar:1 3:2", "24:0");
    assert_eq!(legal(at, roll(3, 2), &[(3, 3), (BAR, 2)]), Err(IllegalPlay::OnTheBar));
    assert_eq!(legal(at, roll(3, 2), &[(BAR, 2), (3, 3)]), Err(IllegalPlay::NotAllHome));
}

#[test]
fn g13_the_last_checker_off_ends_it_and_one_number_is_enough() {
    let plays = LegalPlays::new(position("2:1", "24:2"), roll(6, 5)).results();
    assert_eq!(plays.len(), 1);
    assert!(plays[0].result.is_over());
}

#[test]
fn g15_no_limit_on_a_point_or_on_the_bar() {
    assert!(can(position("7:1 6:14", "24:2"), roll(1, 2), &[(7, 1), (6, 2)]));
    let fifteen = position("bar:15", "6:0 12:2");
    assert_eq!(LegalPlays::new(fifteen, roll(3, 3)).results()[0].result.other().on_bar(), 11);
}

#[test]
fn g16_a_prime_is_six_in_a_row_and_closed_out_is_before_six_home_points() {
    assert!(!position("bar:1", "").has_contact() && position("bar:1", "12:1").has_contact());
    let closed = position("bar:1 13:2", "1:2 2:2 3:2 4:2 5:2 6:2");
    assert!(closed.is_closed_out());
    assert_eq!(closed.turned().longest_prime(), 6);
    let five = position("bar:1 13:2", "2:2 3:2 4:2 5:2 6:2 7:2");
    assert!(!five.is_closed_out());
    // A side without a checker on the bar is not closed out.
    assert!(!position("13:3", "1:2 2:2 3:2 4:2 5:2 6:2").is_closed_out());
    assert_eq!(five.turned().longest_prime(), 6, "a prime need not be at home");
}

#[test]
fn x1_the_examples_of_moving() {
    // 5-3 with one checker over either stop, or with two that make a point.
    assert!(can(start(), roll(5, 3), &[(13, 5), (8, 3)]) && can(start(), roll(5, 3), &[(13, 3), (10, 5)]));
    assert!(can(start(), roll(5, 3), &[(8, 5), (6, 3)]));
    // 6-6 in any combination.
    for list in [[(24, 6), (24, 6), (13, 6), (13, 6)], [(13, 6), (13, 6), (13, 6), (13, 6)]] {
        assert!(legal(start(), roll(6, 6), &list).is_ok());
    }
    // Entering with 6-4 where the six is blocked: with the four.
    let entering = position("bar:1 13:2", "6:2");
    let lists = LegalPlays::new(entering, roll(6, 4)).move_lists();
    assert!(lists.iter().all(|list| list.iter().next() == Step::new(BAR, die(4))));
    // 6-4 off, from 5 and 4.
    assert!(can(position("5:2 4:2", "24:2"), roll(6, 4), &[(5, 6), (4, 4)]));
}

#[test]
fn x3_six_four_in_three_ways_and_three_three_in_five() {
    // 1A-7A and 1A-5A; 6-2 and 8-2; 12A-9-3.
    for list in [&[(24, 6), (24, 4)][..], &[(8, 6), (6, 4)], &[(13, 4), (9, 6)]] {
        assert!(can(start(), roll(6, 4), list), "{list:?}");
    }
    // Four checkers three pips each; two six each; one six and two three each; one nine and one three; and
    // one twelve, where the other side does not hold the point.
    let twelve = steps(&[(24, 3), (21, 3), (18, 3), (15, 3)]);
    assert_eq!(LegalPlays::new(start(), roll(3, 3)).check(twelve), Err(IllegalPlay::Blocked { to: 12 }));
    assert!(LegalPlays::new(position("24:1", "6:2"), roll(3, 3)).check(twelve).is_ok());
    for list in [
        [(24, 3), (13, 3), (8, 3), (6, 3)],
        [(13, 3), (10, 3), (13, 3), (10, 3)],
        [(24, 3), (21, 3), (8, 3), (6, 3)],
        [(13, 3), (10, 3), (7, 3), (8, 3)],
    ] {
        assert!(legal(start(), roll(3, 3), &list).is_ok(), "{list:?}");
    }
}

#[test]
fn x4_the_checker_on_1a_before_the_block() {
    // Black holds 5A, 6A and 7A; 4A and 10A are open; there is a blot on 9A. White counts nA as 25-n, Black
    // as n.
    let at = position("24:1", "5:2 6:2 7:2 9:1");
    // 5/4: neither number can be played, as 6A and 5A are held.
    assert_eq!(LegalPlays::new(at, roll(5, 4)).move_lists(), [Steps::NONE]);
    // 6/3: only over 4A.
    assert_eq!(LegalPlays::new(at, roll(6, 3)).move_lists(), [steps(&[(24, 3), (21, 6)])]);
    // 5/3: over 4A, hitting on 9A.
    let plays = LegalPlays::new(at, roll(5, 3)).results();
    assert_eq!(plays.len(), 1);
    assert_eq!((plays[0].steps, plays[0].result.mover().on_bar()), (steps(&[(24, 3), (21, 5)]), 1));
}

#[test]
fn x5_two_on_the_bar_and_six_three() {
    let both = position("bar:2", "12:2");
    assert_eq!(outcomes(both, roll(6, 3)), BTreeSet::from(["off:13 19:1 22:1 | off:13 12:2".to_owned()]));
    // 3A is blocked: one checker enters with the six, and the three is lost.
    let three = position("bar:2", "3:2");
    assert_eq!(outcomes(three, roll(6, 3)), BTreeSet::from(["off:13 19:1 bar:1 | off:13 3:2".to_owned()]));
    // 6A is blocked: one checker enters with the three; under G8a none does.
    let six = position("bar:2", "6:2");
    assert_eq!(outcomes(six, roll(6, 3)), BTreeSet::from(["off:13 22:1 bar:1 | off:13 6:2".to_owned()]));
    let strict = LegalPlays::new(six, roll(6, 3)).strict_larger_die(true);
    assert_eq!(strict.move_lists(), [Steps::NONE]);
}

#[test]
fn x6_white_bears_off() {
    let at = position("6:2 4:4 2:2", "24:0");
    // 6/4: one off from 6 and one from 4.
    assert!(can(at, roll(6, 4), &[(6, 6), (4, 4)]));
    // 6/5: one off from 6. The five bears none off from 4 while a checker is on 6; it plays 6-1.
    assert!(can(at, roll(6, 5), &[(6, 6), (6, 5)]));
    assert_eq!(legal(at, roll(6, 5), &[(6, 6), (4, 5)]), Err(IllegalPlay::HigherChecker { from: 4 }));
    // 5/3: both with checkers from 6, as 5 and 3 are empty.
    assert!(can(at, roll(5, 3), &[(6, 5), (6, 3)]));
    // Once the 6 is cleared, every larger number bears off from 4.
    let cleared = position("4:5 2:2", "24:0");
    assert!(can(cleared, roll(5, 4), &[(4, 5), (4, 4)]));
    for number in [6, 5] {
        let four = [(4, number); 4];
        assert!(legal(cleared, roll(number, number), &four).is_ok());
        assert_eq!(LegalPlays::new(cleared, roll(number, number)).results().len(), 1);
    }
}
