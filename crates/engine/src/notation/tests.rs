//! IDs checked against the reference data.

use proptest::prelude::*;
use serde::Deserialize;

use super::gnu::{self, InvalidMatchId};
use super::state::{MatchState, Seat, Stage};
use super::xgid::{InvalidXgid, Xgid};
use crate::cube::{Cube, CubeValue, Owner};
use crate::dice::{Die, Roll};
use crate::position::{InvalidPosition, Position};
use crate::result::Win;

#[derive(Deserialize)]
struct Ids {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    board: Vec<i8>,
    position_id: String,
    match_id: String,
    /// One of the states has a match ID only.
    xgid: Option<String>,
    state: State,
}

#[derive(Deserialize)]
struct State {
    turn: i8,
    #[serde(rename = "move")]
    on_roll: i8,
    dice: [u8; 2],
    cube: u32,
    owner: i8,
    score: [u16; 2],
    length: u16,
    crawford: u8,
    jacoby: u8,
    beavers: u8,
    #[serde(default)]
    doubled: u8,
}

impl State {
    fn read(&self) -> MatchState {
        let seat = |number| if number == 0 { Seat::Top } else { Seat::Bottom };
        let die = |pips| Die::try_from(pips).ok();
        MatchState {
            on_roll: seat(self.on_roll),
            turn: seat(self.turn),
            dice: die(self.dice[0]).zip(die(self.dice[1])).map(|(one, other)| Roll::new(one, other)),
            cube: Cube {
                value: CubeValue::try_from(self.cube).unwrap(),
                owner: if self.owner < 0 { Owner::Centred } else { Owner::Owned(seat(self.owner)) },
            },
            double_offered: self.doubled == 1,
            resigned: None,
            stage: Stage::Playing,
            length: self.length,
            score: self.score,
            crawford: self.crawford == 1,
            jacoby: self.jacoby == 1,
            beavers: self.beavers == 1,
        }
    }
}

fn vectors() -> Vec<Vector> {
    let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/ids.json"));
    let ids: Ids = serde_json::from_str(text).unwrap();
    assert_eq!(ids.vectors.len(), 13);
    ids.vectors
}

#[test]
fn every_reference_state_is_read_and_written_in_every_notation() {
    for vector in vectors() {
        let board: [i8; 26] = vector.board.try_into().unwrap();
        let position = Position::from_board(&board, 15).unwrap();
        let state = vector.state.read();
        assert_eq!(gnu::position_id(position), vector.position_id, "{}", vector.name);
        assert_eq!(gnu::from_position_id(&vector.position_id, 15), Ok(position), "{}", vector.name);
        assert_eq!(gnu::match_id(&state), Ok(vector.match_id.clone()), "{}", vector.name);
        let told = MatchState { beavers: false, ..state };
        assert_eq!(gnu::from_match_id(&vector.match_id), Ok(told), "{}", vector.name);
        let xgid = Xgid::new(position, state).unwrap();
        assert_eq!(Xgid::read(&xgid.to_string(), 15), Ok(xgid), "{}", vector.name);
        if let Some(text) = vector.xgid {
            assert_eq!(xgid.to_string(), text, "{}", vector.name);
        }
    }
}

#[test]
fn match_ids_of_the_documents_are_understood() {
    let nine = gnu::from_match_id("QYkqASAAIAAA").unwrap();
    assert_eq!((nine.length, nine.score, nine.on_roll), (9, [2, 4], Seat::Bottom));
    assert_eq!(nine.cube, Cube::owned(CubeValue::try_from(2).unwrap(), Seat::Top));
    assert_eq!(nine.dice.unwrap().to_string(), "5-2");
    let seven = gnu::from_match_id("cInpAAAAAAAA").unwrap();
    assert_eq!((seven.length, seven.score, seven.cube.owner), (7, [0, 0], Owner::Centred));
    assert_eq!(seven.dice.unwrap().to_string(), "3-2");
}

#[test]
fn broken_match_ids_say_what_is_wrong() {
    let bytes = |change: &dyn Fn(&mut u128)| {
        use base64::Engine as _;
        let engine = base64::engine::general_purpose::STANDARD_NO_PAD;
        let mut bytes = [0; 16];
        bytes[..9].copy_from_slice(&engine.decode("cAkAAAAAAAAE").unwrap());
        let mut bits = u128::from_le_bytes(bytes);
        change(&mut bits);
        engine.encode(&bits.to_le_bytes()[..9])
    };
    assert!(gnu::from_match_id(&bytes(&|_| ())).is_ok());
    for (id, field) in [
        (bytes(&|bits| *bits ^= 1 << 4), "owner of the cube"),
        (bytes(&|bits| *bits |= 7 << 8), "stage of the game"),
        (bytes(&|bits| *bits |= 7 << 15), "dice"),
        (bytes(&|bits| *bits |= 1 << 18), "dice"),
        (bytes(&|bits| *bits |= 1 << 67), "end"),
    ] {
        assert_eq!(gnu::from_match_id(&id), Err(InvalidMatchId::Field { field }), "{id}");
    }
    for id in ["", "cAkAAAAAAAA", "cAkAAAAAAAAE=", "cAkAAAAAAAAEE", "c kAAAAAAAAE", "ééééééééé"] {
        assert_eq!(gnu::from_match_id(id), Err(InvalidMatchId::Text), "{id}");
    }
}

#[test]
fn what_is_too_large_has_no_match_id() {
    let money = MatchState::money(Seat::Top);
    for state in [
        MatchState { length: 0x8000, ..money },
        MatchState { score: [0, 0x8000], ..money },
        MatchState { cube: Cube::centred(CubeValue::MAX), ..money },
    ] {
        assert_eq!(gnu::match_id(&state), Err(gnu::TooLarge));
    }
}

#[test]
fn broken_xgids_say_what_is_wrong() {
    let good = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    assert!(Xgid::read(good, 15).is_ok());
    // The prefix may be missing.
    assert!(Xgid::read(&good[5..], 15).is_ok());
    let field = |field, allowed| InvalidXgid::Field { field, allowed };
    for (from, to, wrong) in [
        (":10", "", InvalidXgid::Parts { parts: 9 }),
        (":10", ":10:1", InvalidXgid::Parts { parts: 11 }),
        ("=-b", "=b", InvalidXgid::Length { characters: 25 }),
        ("=-b", "=Ab", InvalidXgid::Checkers { column: 1 }),
        ("B-:", "Bb:", InvalidXgid::Checkers { column: 26 }),
        ("=-b", "=-é", InvalidXgid::Checkers { column: 2 }),
        ("=-b", "=-Q", InvalidXgid::Checkers { column: 2 }),
        ("=-b", "=-p", InvalidXgid::Position(InvalidPosition::TooMany { checkers: 29 })),
        ("1:00", "0:00", field("turn", "1 or -1")),
        ("1:00", "1:07", field("roll", "two dice, 00 or D")),
        ("1:00", "1:B", field("roll", "two dice, 00 or D")),
        ("-:0:0", "-:21:0", field("cube", "a power of two from 0 to 20")),
        ("-:0:0", "-:0:2", field("owner of the cube", "-1, 0 or 1")),
        ("00:0:0", "00:-1:0", field("score at the bottom", "a number from 0 to 32767")),
        ("00:0:0", "00:0:x", field("score at the top", "a number from 0 to 32767")),
        (":0:0:10", ":4:0:10", field("flag", "0 to 3 in a money game")),
        (":0:0:10", ":2:7:10", field("flag", "0 or 1 in a match")),
        (":0:10", ":99999999999999999999:10", field("length", "a number from 0 to 32767")),
        (":10", ":21", field("highest cube", "a power of two from 0 to 20")),
    ] {
        assert_eq!(Xgid::read(&good.replacen(from, to, 1), 15), Err(wrong), "{from} to {to}");
    }
}

fn states() -> impl Strategy<Value = MatchState> {
    let seat = || prop::sample::select(vec![Seat::Top, Seat::Bottom]);
    let win = prop::option::of(prop::sample::select(Win::ALL.to_vec()));
    let roll = prop::option::of(prop::sample::select(Roll::ALL.to_vec()));
    let cube = (0_u32..16, prop::option::of(seat())).prop_map(|(power, owner)| Cube {
        value: CubeValue::try_from(1 << power).unwrap(),
        owner: owner.map_or(Owner::Centred, Owner::Owned),
    });
    let stage = prop::sample::select(Stage::ALL.to_vec());
    let points = || 0_u16..0x8000;
    (seat(), seat(), roll, cube, win, stage, [points(), points(), points()], any::<[bool; 3]>()).prop_map(
        |(
            on_roll,
            turn,
            dice,
            cube,
            resigned,
            stage,
            [length, top, bottom],
            [double_offered, crawford, jacoby],
        )| {
            let score = [top, bottom];
            let beavers = false;
            MatchState {
                on_roll,
                turn,
                dice,
                cube,
                double_offered,
                resigned,
                stage,
                length,
                score,
                crawford,
                jacoby,
                beavers,
            }
        },
    )
}

proptest! {
    #[test]
    fn match_ids_go_out_and_come_back(state in states()) {
        prop_assert_eq!(gnu::from_match_id(&gnu::match_id(&state).unwrap()), Ok(state));
    }

    #[test]
    fn match_ids_come_in_and_go_back(bytes: [u8; 9]) {
        use base64::Engine as _;
        let id = base64::engine::general_purpose::STANDARD_NO_PAD.encode(bytes);
        if let Ok(state) = gnu::from_match_id(&id) {
            prop_assert_eq!(gnu::from_match_id(&gnu::match_id(&state).unwrap()), Ok(state));
        }
    }

    #[test]
    fn xgids_go_out_and_come_back(state in states()) {
        let position = gnu::from_position_id("4OvgATDgc+QBUA", 15).unwrap();
        let text = Xgid::new(position, state).unwrap().to_string();
        let read = Xgid::read(&text, 15).unwrap();
        prop_assert_eq!(read.position, position);
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn no_text_is_too_much_for_ids(
        text in ".{0,80}",
        id in "[A-Za-z0-9+/]{14}",
        xgid in "(XGID=)?[-a-pA-P]{26}:[0-9]{1,2}:-?[01]:-?1:[0-6D]{1,2}(:[0-9]){4}:10",
    ) {
        for text in [&text, &id, &xgid] {
            let _ = gnu::from_match_id(text);
            if let Ok(position) = gnu::from_position_id(text, 15) {
                prop_assert_eq!(&gnu::position_id(position), text);
            }
            if let Ok(read) = Xgid::read(text, 15) {
                prop_assert_eq!(Xgid::read(&read.to_string(), 15), Ok(read));
            }
        }
    }
}
