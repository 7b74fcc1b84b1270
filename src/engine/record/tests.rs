//! The reference files: what GNU Backgammon played and exported in three formats.

use serde_json::Value;

use super::{Record, json, mat, replay};

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/engine/mat/", $name))
    };
}

/// Match text, SGF and JSON of the same three.
const FILES: [[&str; 3]; 3] = [
    [file!("match7.mat"), file!("match7.sgf"), file!("match7.json")],
    [file!("money.mat"), file!("money.sgf"), file!("money.json")],
    [file!("cube_actions.mat"), file!("cube_actions.sgf"), file!("cube_actions.json")],
];

fn to_json(record: &Record) -> Value {
    serde_json::to_value(json::write(&replay(record).unwrap()).unwrap()).unwrap()
}

/// That match text does not mark Jacoby, which JSON does.
fn without_rules(mut json: Value) -> Value {
    json["match-info"]["rules"] = Value::Null;
    json
}

#[test]
fn match_text_replayed_is_the_reference_action_by_action() {
    for [mat, _, expected] in FILES {
        let record = mat::read(mat.as_bytes()).unwrap();
        let expected: Value = serde_json::from_str(expected).unwrap();
        let found = to_json(&record);
        for (game, expected) in found["games"].as_array().unwrap().iter().zip(expected["games"].as_array().unwrap())
        {
            assert_eq!(game["info"], expected["info"]);
            for (action, expected) in
                game["game"].as_array().unwrap().iter().zip(expected["game"].as_array().unwrap())
            {
                assert_eq!(action, expected);
            }
        }
        assert_eq!(without_rules(found), without_rules(expected));
    }
}

#[test]
fn match_text_read_and_written_is_the_same_to_the_last_blank() {
    for [mat, ..] in FILES {
        let record = mat::read(mat.as_bytes()).unwrap();
        assert_eq!(mat::write(&replay(&record).unwrap()).unwrap(), mat);
    }
}
