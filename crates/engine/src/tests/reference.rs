//! Reference data made by other implementations.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{data, roll};
use crate::notation::gnu::{from_position_id, position_id};
use crate::{Generator, Position, Roll, perft};

/// The IDs of the results, sorted. No result may appear twice.
fn result_ids(position: Position, roll: Roll) -> Vec<String> {
    let mut ids = Vec::new();
    Generator::new(position).for_each(roll, |play| ids.push(position_id(play.result)));
    ids.sort_unstable();
    ids
}

#[derive(Deserialize)]
struct Case {
    pos: String,
    board: [i8; 26],
    roll: [u8; 2],
    legal: Vec<String>,
}

#[test]
fn g5_to_g12_a_thousand_rolls_have_exactly_the_legal_results() {
    let cases = data("legal_plays.jsonl");
    let mut count = 0;
    for line in cases.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let position = Position::from_board(&case.board, 15).unwrap();
        assert_eq!(position_id(position), case.pos);
        assert_eq!(from_position_id(&case.pos, 15), Ok(position));
        assert_eq!(result_ids(position, roll(case.roll[0], case.roll[1])), case.legal, "{line}");
        count += 1;
    }
    assert_eq!(count, 1000);
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
    why: String,
}
#[derive(Deserialize)]
struct Named {
    id: String,
}

#[test]
fn g8_to_g12_the_edge_cases_have_exactly_the_legal_results() {
    let edge_cases: EdgeCases = serde_json::from_str(&data("edge_cases.json")).unwrap();
    assert_eq!(edge_cases.cases.len(), 46);
    for case in edge_cases.cases {
        let position = from_position_id(&case.position.id, 15).unwrap();
        assert_eq!(
            result_ids(position, roll(case.roll[0], case.roll[1])),
            case.legal,
            "{}: {}",
            case.name,
            case.why
        );
    }
}

#[derive(Deserialize)]
struct Perft {
    positions: BTreeMap<String, Counted>,
}
#[derive(Deserialize)]
struct Counted {
    id: String,
    perft: BTreeMap<u32, u64>,
}

fn counted() -> BTreeMap<String, Counted> {
    let counted: Perft = serde_json::from_str(&data("perft.json")).unwrap();
    assert_eq!(counted.positions.len(), 8);
    counted.positions
}

fn perft_of(name: &str, depths: impl std::ops::RangeBounds<u32>) {
    let counted = &counted()[name];
    let checkers = if name.starts_with("hyper") { 3 } else { 15 };
    let position = from_position_id(&counted.id, checkers).unwrap();
    let mut compared = 0;
    for (depth, count) in counted.perft.range(depths) {
        assert_eq!(perft(position, *depth), *count, "{name} to depth {depth}");
        compared += 1;
    }
    assert!(compared > 0);
}

/// One test per position, so that they run in parallel: unoptimised, the larger ones take ten seconds.
#[rstest::rstest]
#[case::start("start")]
#[case::nackgammon("nackgammon_start")]
#[case::full_prime("full_prime")]
#[case::hyper_backgammon("hyperbackgammon_start")]
#[case::bear_off_with_contact("bearoff_contact")]
#[case::closed_out("closed_out")]
#[case::race("race_bearoff")]
#[case::all_fifteen_on_six("all_fifteen_on_six")]
fn perft_to_depth_three_is_what_three_engines_found(#[case] name: &str) {
    perft_of(name, ..=3);
}

#[test]
#[ignore = "1,135,126,695 positions take minutes without optimisation: run it with --release"]
fn perft_of_hyper_backgammon_to_depth_four_is_what_two_engines_found() {
    perft_of("hyperbackgammon_start", 4..);
}

#[test]
fn the_openings_have_as_many_results_a_roll_as_other_engines_found() {
    let counts: BTreeMap<String, BTreeMap<String, usize>> =
        serde_json::from_str(&data("per_roll_counts.json")).unwrap();
    let counted = counted();
    assert_eq!(counts.len(), 3);
    for (name, rolls) in counts {
        let checkers = if name.starts_with("hyper") { 3 } else { 15 };
        let position = from_position_id(&counted[&name].id, checkers).unwrap();
        assert_eq!(rolls.len(), 21);
        for (dice, count) in rolls {
            let [one, other] = <[u8; 2]>::try_from(dice.as_bytes()).unwrap().map(|digit| digit - b'0');
            assert_eq!(result_ids(position, roll(one, other)).len(), count, "{name} {dice}");
        }
    }
}
