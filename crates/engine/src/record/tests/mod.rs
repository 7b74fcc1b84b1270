//! The reference files: matches that GNU Backgammon played, exported in three formats.

mod broken;
mod dialects;
#[cfg(feature = "serde")]
mod json;
mod programs;
mod properties;
mod rules;
mod unwritable;

use super::{Reason, mat, replay, sgf};
use crate::variant::Variant;

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mat/", $name))
    };
}

/// The same three matches as match text, SGF and JSON.
const FILES: [[&str; 3]; 3] = [
    [file!("match7.mat"), file!("match7.sgf"), file!("match7.json")],
    [file!("money.mat"), file!("money.sgf"), file!("money.json")],
    [file!("cube_actions.mat"), file!("cube_actions.sgf"), file!("cube_actions.json")],
];

/// V2: the variants that GNU Backgammon knows.
const VARIANTS: [(&str, Variant); 2] =
    [(file!("nackgammon.mat"), Variant::Nackgammon), (file!("hypergammon.mat"), Variant::HyperBackgammon)];

#[test]
fn v2_match_text_of_a_variant_is_read_and_written_the_same_to_the_last_blank() {
    for (text, variant) in VARIANTS {
        let record = mat::read(text.as_bytes()).unwrap();
        assert_eq!(record.variant, variant);
        assert_eq!(mat::write(&replay(&record).unwrap()).unwrap(), text);
        let sgf = sgf::write(&replay(&record).unwrap()).unwrap();
        assert_eq!(sgf::read(sgf.as_bytes()).as_ref(), Ok(&record), "{sgf}");
    }
}

#[test]
fn v1_to_v4_the_header_says_which_game_is_played_and_an_unknown_one_is_refused() {
    let of = |word: &str| {
        let text = format!("; [Variation \"{word}\"]\n\n 3 point match\n\n");
        mat::read(text.as_bytes()).map(|record| record.variant).map_err(|error| error.to_string())
    };
    assert_eq!(of("Backgammon"), Ok(Variant::Standard));
    assert_eq!(of("nackgammon"), Ok(Variant::Nackgammon));
    assert_eq!(of("HyperGammon (3)"), Ok(Variant::HyperBackgammon));
    for (word, variant) in [
        ("Misere", Variant::Misere),
        ("Inverse", Variant::Inverse),
        ("Plakoto", Variant::Plakoto),
        ("Fevga", Variant::Fevga),
    ] {
        assert_eq!(of(word), Ok(variant));
    }
    for unknown in ["HyperGammon (1)", "HyperGammon (2)", "Chess", ""] {
        let why = format!("line 1, column 1: the game {unknown:?} is not known here");
        assert_eq!(of(unknown), Err(why));
    }
}

#[test]
fn v1_to_v4_sgf_says_the_variant_among_its_rules() {
    let of = |rules: &str| {
        let text = format!("(;FF[4]GM[6]MI[length:3]PW[Ann]PB[Bob]RU[{rules}])");
        sgf::read(text.as_bytes()).map(|record| (record.variant, record.rules.crawford))
    };
    assert_eq!(of("Crawford:Nackgammon"), Ok((Variant::Nackgammon, true)));
    assert_eq!(of("Crawford:Misere"), Ok((Variant::Misere, true)));
    assert_eq!(of("Hypergammon3"), Ok((Variant::HyperBackgammon, false)));
    for unknown in ["Hypergammon1", "Crawford:Plakoto"] {
        assert!(matches!(of(unknown).unwrap_err().reason, Reason::Variation(_)), "{unknown}");
    }
}

#[test]
fn match_text_read_and_written_is_the_same_to_the_last_blank() {
    for [mat, ..] in FILES {
        let record = mat::read(mat.as_bytes()).unwrap();
        assert_eq!(mat::write(&replay(&record).unwrap()).unwrap(), mat);
    }
}

/// A reference SGF file as we would write it: without statistics, and with our name as the program.
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
fn match_text_over_sgf_is_the_same_match_text() {
    for [mat, ..] in FILES {
        let record = mat::read(mat.as_bytes()).unwrap();
        let sgf = sgf::write(&replay(&record).unwrap()).unwrap();
        let again = sgf::read(sgf.as_bytes()).unwrap();
        assert_eq!(again, record);
        assert_eq!(mat::write(&replay(&again).unwrap()).unwrap(), mat);
    }
}
