//! Reference data made by other implementations.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{data, roll};
use crate::engine::notation::gnu::{from_position_id, position_id};
use crate::engine::{Generator, Position, Roll, perft};

/// The results' IDs, sorted; no result may come twice.
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
    roll: Roll,
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
        assert_eq!(result_ids(position, case.roll), case.legal, "{line}");
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
    roll: Roll,
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
        assert_eq!(result_ids(position, case.roll), case.legal, "{}: {}", case.name, case.why);
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

fn perft_to(depth: u32) {
    let counted: Perft = serde_json::from_str(&data("perft.json")).unwrap();
    assert_eq!(counted.positions.len(), 8);
    for (name, Counted { id, perft: counts }) in counted.positions {
        let checkers = if name.starts_with("hyper") { 3 } else { 15 };
        let position = from_position_id(&id, checkers).unwrap();
        for (depth, count) in counts.range(..=depth) {
            assert_eq!(perft(position, *depth), *count, "{name} to depth {depth}");
        }
    }
}

#[test]
fn perft_to_depth_two_is_what_three_engines_found() {
    perft_to(2);
}

#[test]
#[ignore = "takes long without optimisation: run it with --release; the bench counts the start to depth three"]
fn perft_to_all_depths_is_what_three_engines_found() {
    perft_to(u32::MAX);
}

#[test]
fn the_openings_have_as_many_results_a_roll_as_other_engines_found() {
    let counts: BTreeMap<String, BTreeMap<String, usize>> =
        serde_json::from_str(&data("per_roll_counts.json")).unwrap();
    let counted: Perft = serde_json::from_str(&data("perft.json")).unwrap();
    assert_eq!(counts.len(), 3);
    for (name, rolls) in counts {
        let checkers = if name.starts_with("hyper") { 3 } else { 15 };
        let position = from_position_id(&counted.positions[&name].id, checkers).unwrap();
        assert_eq!(rolls.len(), 21);
        for (dice, count) in rolls {
            let [one, other] = <[u8; 2]>::try_from(dice.as_bytes()).unwrap().map(|digit| digit - b'0');
            assert_eq!(result_ids(position, roll(one, other)).len(), count, "{name} {dice}");
        }
    }
}
