//! Writing, reading and resolving together.

use proptest::prelude::*;
use proptest::sample::Index;
use serde::Deserialize;

use super::*;
use crate::dice::{Die, Roll};
use crate::generate::Generator;
use crate::notation::gnu::{from_position_id, position_id};
use crate::play::{Play, Step, Steps};
use crate::position::Position;

const START: &str = "4HPwATDgc/ABMA";

fn roll(one: u8, other: u8) -> Roll {
    Roll::new(Die::try_from(one).unwrap(), Die::try_from(other).unwrap())
}

/// A position from pairs of place and count, the mover's positive. Nothing is borne off.
fn position(checkers: &[(usize, i8)]) -> Position {
    let mut board = [0; 26];
    for (place, count) in checkers {
        board[*place] = *count;
    }
    Position::from_board(&board, 15).unwrap()
}

/// The steps of a text with one move per die.
fn steps(text: &str) -> Steps {
    let step = |moved: &Moved| Step::new(moved.from, Die::try_from(moved.from - moved.to).unwrap()).unwrap();
    Steps::new(&parse(text).unwrap().iter().map(step).collect::<Vec<_>>()).unwrap()
}

fn plays(position: Position, roll: Roll) -> Vec<Play> {
    let mut plays = Vec::new();
    Generator::new(position).for_each(roll, |play| plays.push(play));
    plays
}

/// The play that `text` means, in our notation.
fn understood(position: Position, dice: (u8, u8), text: &str) -> Result<String, Unresolved> {
    let play = resolve(position, roll(dice.0, dice.1), &parse(text).unwrap())?;
    Ok(write(position, play.steps))
}

#[test]
fn a_play_is_written_in_one_way() {
    let start = from_position_id(START, 15).unwrap();
    let blots = position(&[(24, 2), (13, 3), (8, 3), (6, 4), (25, 1), (18, -1), (10, -1), (5, -1), (1, -2)]);
    for (position, play, canonical, by_die) in [
        (start, "", "", ""),
        (start, "13/11 24/18", "24/18 13/11", "24/18 13/11"),
        (start, "24/18 18/16", "24/16", "24/18 18/16"),
        (start, "24/22 22/16", "24/16", "24/22 22/16"),
        (start, "6/5 8/5", "8/5 6/5", "8/5 6/5"),
        (start, "8/5 6/3 8/5 6/3", "8/5(2) 6/3(2)", "8/5 6/3 8/5 6/3"),
        (start, "13/9 9/5 13/9 9/5", "13/5(2)", "13/9 9/5 13/9 9/5"),
        (blots, "24/18 18/16", "24/18*/16", "24/18* 18/16"),
        (blots, "13/10 10/5", "13/10*/5*", "13/10* 10/5*"),
        (blots, "25/24 8/5", "bar/24 8/5*", "25/24 8/5*"),
        (blots, "8/5 6/5", "8/5* 6/5", "8/5* 6/5"),
        (blots, "24/22 22/20 20/18 20/18", "24/18* 20/18", "24/22 22/20 20/18* 20/18"),
        (blots, "13/10 10/7 13/10", "13/7 13/10*", "13/10* 10/7 13/10"),
        (blots, "13/10 13/10 10/7 10/7", "13/10*/7(2)", "13/10* 13/10 10/7 10/7"),
    ] {
        assert_eq!(write(position, steps(play)), canonical, "{play}");
        assert_eq!(write_by_die(position, steps(play)), by_die, "{play}");
    }
}

#[test]
fn g11a_bearing_off_is_written_after_what_brought_the_last_checker_home() {
    let outside = position(&[(7, 1), (6, 1), (24, -2)]);
    assert_eq!(write(outside, steps("7/5 6/0")), "7/5 6/off");
    assert_eq!(write_by_die(outside, steps("7/5 6/0")), "7/5 6/0");
    // With all checkers home, the higher die comes first.
    let home = position(&[(5, 1), (6, 1), (24, -2)]);
    assert_eq!(write_by_die(home, steps("5/3 6/0")), "6/0 5/3");
}

#[test]
fn g10_entering_comes_first_whatever_the_die() {
    let position = position(&[(25, 1), (13, 1), (24, -2)]);
    assert_eq!(write_by_die(position, steps("25/23 13/7")), "25/23 13/7");
}

#[test]
fn g6_moves_in_any_order_and_over_any_stop_are_understood() {
    let start = from_position_id(START, 15).unwrap();
    for (dice, text, play) in [
        ((6, 4), "24/14", "24/14"),
        ((4, 6), "18/14 24/18", "24/14"),
        ((6, 4), "24/20/14", "24/14"),
        ((3, 1), "6/5, 8/5", "8/5 6/5"),
        ((2, 2), "13/5", "13/5"),
        ((2, 2), "6/4(2) 13/11(2)", "13/11(2) 6/4(2)"),
        ((2, 2), "13/9(2)", "13/9(2)"),
    ] {
        assert_eq!(understood(start, dice, text).as_deref(), Ok(play), "{text}");
    }
    for (dice, text) in [
        ((6, 4), "24/18"),
        ((6, 4), "24/19/14"),
        ((6, 4), "24/14 6/2"),
        ((6, 5), "24/13(2)"),
        ((5, 5), "24/14"),
        ((6, 4), ""),
        ((6, 4), "12/2"),
        ((6, 4), "bar/15"),
    ] {
        assert_eq!(understood(start, dice, text), Err(Unresolved::NotLegal), "{text}");
    }
}

#[test]
fn g9_a_hit_on_the_way_is_meant_only_if_it_is_written_or_cannot_be_avoided() {
    let one_blot = position(&[(24, 2), (18, -1), (6, 2), (1, -2)]);
    let two_blots = position(&[(24, 2), (18, -1), (20, -1), (6, 2), (1, -2)]);
    let forced = position(&[(24, 2), (18, -1), (20, -2), (6, 2), (1, -2)]);
    for (position, text, play) in [
        (one_blot, "24/14", Ok("24/14")),
        (one_blot, "24/18/14", Ok("24/18*/14")),
        (one_blot, "24/18*/14", Ok("24/18*/14")),
        (one_blot, "24/14*", Ok("24/18*/14")),
        (one_blot, "24/20/14", Ok("24/14")),
        (two_blots, "24/14", Err(Unresolved::Ambiguous)),
        (two_blots, "24/20/14", Ok("24/20*/14")),
        (forced, "24/14", Ok("24/18*/14")),
        (forced, "24/20/14", Err(Unresolved::NotLegal)),
    ] {
        let understood = understood(position, (6, 4), text);
        assert_eq!(understood.as_deref(), play.as_ref().copied(), "{text}");
    }
}

#[test]
fn moves_that_no_reader_makes_are_refused() {
    let start = from_position_id(START, 15).unwrap();
    for (from, to) in [(200, 190), (0, 0), (25, 25), (3, 200), (255, 0)] {
        let moved = Moved { from, to, hit: true };
        for moves in [vec![moved], vec![moved; 4], vec![moved; 5]] {
            assert_eq!(resolve(start, roll(4, 4), &moves), Err(Unresolved::NotLegal), "{moved:?}");
        }
    }
}

#[test]
fn g8a_the_generator_s_options_hold() {
    // X5: two on the bar, the 6 is blocked, so one enters with the 3.
    let position = position(&[(25, 2), (19, -2), (24, -2)]);
    let strict = Generator::new(position).strict_larger_die(true);
    let entered = parse("bar/22").unwrap();
    assert!(resolve(position, roll(6, 3), &entered).is_ok());
    assert_eq!(resolve_by(&strict, roll(6, 3), &entered), Err(Unresolved::NotLegal));
    assert!(resolve_by(&strict, roll(6, 3), &[]).is_ok());
}

#[derive(Deserialize)]
struct EdgeCases {
    cases: Vec<EdgeCase>,
}

#[derive(Deserialize)]
struct EdgeCase {
    name: String,
    position: Named,
    roll: [u8; 2],
    legal: Vec<String>,
    plays: Vec<String>,
}

#[derive(Deserialize)]
struct Named {
    board: Vec<i8>,
    id: String,
}

#[test]
fn g5_to_g12_the_plays_of_the_edge_cases_mean_the_results_they_stand_for() {
    let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/edge_cases.json"));
    let cases: EdgeCases = serde_json::from_str(text).unwrap();
    assert_eq!(cases.cases.len(), 46);
    for case in cases.cases {
        let board: [i8; 26] = case.position.board.try_into().unwrap();
        let position = Position::from_board(&board, 15).unwrap();
        assert_eq!(position_id(position), case.position.id);
        assert_eq!(case.plays.len(), case.legal.len());
        // The generator lists plays in another order.
        let result = |text: &String| {
            let play = resolve(position, roll(case.roll[0], case.roll[1]), &parse(text).unwrap());
            let play = play.unwrap_or_else(|error| panic!("{}: {text}: {error}", case.name));
            position_id(play.result)
        };
        let mut results: Vec<_> = case.plays.iter().map(result).collect();
        results.sort();
        assert_eq!(results, case.legal, "{}", case.name);
    }
}

/// Some position reached by playing on from `start`.
fn played_on(start: Position, turns: &[(Index, Index)]) -> Position {
    turns.iter().fold(start, |position, (roll, play)| {
        let plays = plays(position, Roll::ALL[roll.index(21)]);
        let result = plays[play.index(plays.len())].result;
        if result.is_over() { position } else { result }
    })
}

/// A position with many blots: the mover's checkers anywhere, the other side's where there is room.
fn scattered(own: &[Index], other: &[Index]) -> Position {
    let mut board = [0_i8; 26];
    for place in own {
        board[place.index(25) + 1] += 1;
    }
    for place in other {
        let place = 24 - place.index(25);
        board[place] -= i8::from(board[place] <= 0);
    }
    Position::from_board(&board, 15).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_play_of_a_game_is_found_again(
        turns in prop::collection::vec(any::<(Index, Index)>(), 0..60),
        roll: Index,
    ) {
        let position = played_on(from_position_id(START, 15).unwrap(), &turns);
        written_plays_are_found_again(position, Roll::ALL[roll.index(21)])?;
    }

    #[test]
    fn every_play_of_a_scattered_position_is_found_again(
        own in prop::collection::vec(any::<Index>(), 1..=15),
        other in prop::collection::vec(any::<Index>(), 1..=15),
        roll: Index,
    ) {
        written_plays_are_found_again(scattered(&own, &other), Roll::ALL[roll.index(21)])?;
    }
}

fn written_plays_are_found_again(position: Position, roll: Roll) -> Result<(), TestCaseError> {
    for play in plays(position, roll) {
        for text in [write(position, play.steps), write_by_die(position, play.steps)] {
            let moves = parse(&text).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
            let found = resolve(position, roll, &moves).map(|found| found.result);
            prop_assert_eq!(found, Ok(play.result), "{:?} {} {} {:?}", position, roll, text, play.steps);
        }
    }
    Ok(())
}
