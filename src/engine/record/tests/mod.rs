//! The reference files: what GNU Backgammon played and exported in three formats.

mod broken;
mod dialects;
mod properties;
mod rules;
mod unwritable;

use serde_json::Value;

use super::{Record, json, mat, replay, sgf};

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
        for (game, expected) in
            found["games"].as_array().unwrap().iter().zip(expected["games"].as_array().unwrap())
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

/// A reference SGF file as we would write it: without statistics, and by us.
fn by_us(sgf: &str) -> String {
    let ours = format!("AP[Owlbox:{}]", env!("CARGO_PKG_VERSION"));
    let mut text = sgf.replace("AP[GNU Backgammon:1.07.001]", &ours);
    while let Some(from) = text.find("GS[") {
        let to = from + text[from..].find('\n').unwrap();
        text.replace_range(from..to, "");
    }
    text
}

#[test]
fn sgf_read_and_written_is_the_same_but_for_statistics() {
    for [_, sgf, _] in FILES {
        let record = sgf::read(sgf.as_bytes()).unwrap();
        assert_eq!(sgf::write(&replay(&record).unwrap()).unwrap(), by_us(sgf));
    }
}

#[test]
fn sgf_replayed_is_the_reference_but_for_an_undoubled_gammon_under_jacoby() {
    for [mat, sgf, expected] in FILES {
        let record = sgf::read(sgf.as_bytes()).unwrap();
        let mut expected: Value = serde_json::from_str(expected).unwrap();
        if mat.contains("Beavers") {
            // C9: an undoubled gammon, resigned, counts one point. Their file ends without a score to tell
            // so.
            assert_eq!(expected["games"][3]["info"]["points-won"].take(), 2);
            expected["games"][3]["info"]["points-won"] = 1.into();
        }
        assert_eq!(to_json(&record), expected);
    }
}

#[test]
fn match_text_over_sgf_is_the_same_match_text() {
    for [mat, ..] in FILES {
        let record = mat::read(mat.as_bytes()).unwrap();
        let sgf = sgf::write(&replay(&record).unwrap()).unwrap();
        let again = sgf::read(sgf.as_bytes()).unwrap();
        assert_eq!(again, record);
        assert_eq!(mat::write(&replay(&again).unwrap()).unwrap(), mat);
    }
}

#[test]
fn json_read_is_the_same_record() {
    for [_, sgf, expected] in FILES {
        let record = sgf::read(sgf.as_bytes()).unwrap();
        assert_eq!(json::read(expected.as_bytes()).unwrap(), record);
        let pretty = serde_json::to_string_pretty(&to_json(&record)).unwrap();
        assert_eq!(json::read(pretty.as_bytes()).unwrap(), record);
    }
}
