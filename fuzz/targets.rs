//! The promise of every reader for any input: it does not panic, and whatever it reads, its writer writes so
//! that it is read back the same.
//!
//! One function per format. `fuzz_targets/` lets libFuzzer look for input that breaks the promise; the plain
//! test `tests/it/fuzz.rs` tries mutated samples.

use std::str::from_utf8;

use owlbox_engine::notation::{gnu, play as plays, xgid::Xgid};
use owlbox_engine::record::format::Format;
use owlbox_engine::record::{Record, Replay, json as jsons, mat as mats, replay, sgf as sgfs};
use owlbox_engine::{Generator, Position, Roll};

/// The numbers of checkers in use: 15 in most variants, 3 in hyper-backgammon (V2).
const CHECKERS: [u8; 2] = [15, 3];

/// A position ID: it is written back with the same characters, and every roll leads from there to possible
/// positions.
pub fn position_id(data: &[u8]) {
    let Ok(id) = from_utf8(data) else { return };
    for position in CHECKERS.into_iter().filter_map(|checkers| gnu::from_position_id(id, checkers).ok()) {
        assert_eq!(gnu::position_id(position), id);
        if !position.is_over() {
            Roll::ALL.into_iter().for_each(|roll| plays_lead_to_positions(position, roll));
        }
    }
}

fn plays_lead_to_positions(position: Position, roll: Roll) {
    let mut plays = 0;
    Generator::new(position).for_each(roll, |play| {
        plays += 1;
        let (mover, other) = (play.result.mover(), play.result.other());
        assert_eq!(Position::new(mover, other), Ok(play.result), "{position:?} {roll} {:?}", play.steps);
        assert_eq!(mover.total(), position.other().total());
        assert_eq!(other.total(), position.mover().total());
    });
    assert!(plays > 0, "{position:?} {roll}: even a lost turn is one play");
}

/// A match ID: whatever can be read can be written back.
pub fn match_id(data: &[u8]) {
    let Some(state) = from_utf8(data).ok().and_then(|id| gnu::from_match_id(id).ok()) else { return };
    let written = gnu::match_id(&state).expect("what a match ID holds fits into one");
    assert_eq!(gnu::from_match_id(&written), Ok(state), "{written}");
}

/// An XGID: whatever can be read can be written back.
pub fn xgid(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    for checkers in CHECKERS {
        let Ok(xgid) = Xgid::read(text, checkers) else { continue };
        assert_eq!(Xgid::read(&xgid.to_string(), checkers), Ok(xgid), "{xgid}");
    }
}

/// A play, or a position ID, a roll such as `64` and a play. A legal play is written so that it is found
/// again, both ways.
pub fn play(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let _ = plays::parse(text);
    let mut parts = text.splitn(3, ' ');
    let (Some(id), Some(roll), Some(moves)) = (parts.next(), parts.next(), parts.next()) else { return };
    let Ok(roll) = roll.parse::<Roll>() else { return };
    let (Ok(position), Ok(moves)) = (gnu::from_position_id(id, 15), plays::parse(moves)) else { return };
    let Ok(found) = plays::resolve(position, roll, &moves) else { return };
    for written in [plays::write(position, found.steps), plays::write_by_die(position, found.steps)] {
        let moves = plays::parse(&written).unwrap_or_else(|error| panic!("{written}: {error}"));
        let again =
            plays::resolve(position, roll, &moves).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(again.result, found.result, "{position:?} {roll} {written}");
    }
}

/// A match text: whatever is read is legal, and is the same match when written in any format.
pub fn mat(data: &[u8]) {
    mats::read(data).iter().for_each(can_be_exchanged);
}

/// SGF: the same promise as for [`mat`].
pub fn sgf(data: &[u8]) {
    sgfs::read(data).iter().for_each(can_be_exchanged);
}

/// JSON: the same promise as for [`mat`].
pub fn json(data: &[u8]) {
    jsons::read(data).iter().for_each(can_be_exchanged);
}

/// Checks that what a format can express of a record is read back unchanged.
fn can_be_exchanged(record: &Record) {
    for format in [Format::Mat, Format::Sgf, Format::Json] {
        let Ok(written) = format.write(&legal(record)) else { continue };
        let again = format.read(written.as_bytes()).unwrap_or_else(|error| panic!("{error}:\n{written}"));
        let again = legal(&again);
        assert_eq!(again.score(), legal(record).score(), "{written}");
        assert_eq!(format.write(&again).unwrap_or_else(|error| panic!("{error}:\n{written}")), written);
    }
}

fn legal(record: &Record) -> Replay<'_> {
    replay(record).unwrap_or_else(|error| panic!("what is read is legal: {error}"))
}
