//! XGID: a position and the state of a match in one line of text.
//!
//! An example is `XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10`. The first 26 characters are the bar
//! of the player at the top, the points 1 to 24 as the player at the bottom counts, and that player's bar.
//! `A` to `P` are one to sixteen checkers of the bottom, `a` to `p` of the top, `-` is none. This view does
//! not change with the turn. The other parts, after colons, are: the cube as a power of two; its owner (1
//! bottom, -1 top, 0 nobody); the player on roll (1 or -1); the dice, `00` before the roll, `D` if a double
//! waits for an answer; the scores of bottom and top; a flag, which is 1 for the Crawford game in a match,
//! and for money the sum of 1 for Jacoby and 2 for beavers; the length, 0 for money; and the power of two the
//! cube may reach.
//!
//! `B` and `R` instead of dice, for a pending beaver or raccoon, are refused: a [`MatchState`] has no place
//! for them.

use std::ops::RangeInclusive;

use super::state::{MOST_POINTS, MatchState, Seat};
use crate::cube::{Cube, CubeValue, Owner};
use crate::dice::{Die, Roll};
use crate::movement::Movement;
use crate::place::BAR;
use crate::position::{InvalidPosition, Position};

/// The prefix of every XGID. A reader may leave it out.
const PREFIX: &str = "XGID=";
/// The highest power of two a cube can have here.
const MOST_POWER: i64 = CubeValue::MAX.get().ilog2() as i64;
/// The power of the highest cube in XGIDs of other programs.
const USUAL_POWER: u8 = 10;

/// The contents of an XGID.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::notation::xgid::Xgid;
///
/// let text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10";
/// let xgid = Xgid::read(text, 15)?;
/// assert_eq!(xgid.position, Variant::Standard.start());
/// assert!(xgid.state.jacoby && xgid.state.beavers);
/// assert_eq!(xgid.to_string(), text);
/// # Ok::<(), owlbox_engine::notation::xgid::InvalidXgid>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Xgid {
    /// The checkers, seen by the player on roll.
    pub position: Position,
    /// The state of the match apart from the checkers.
    pub state: MatchState,
    /// The power of two the cube may reach, at most 20.
    pub highest_cube: u8,
}

/// The reason why a text is not an XGID.
///
/// ```
/// use owlbox_engine::notation::xgid::{InvalidXgid, Xgid};
///
/// assert_eq!(Xgid::read("XGID=", 15), Err(InvalidXgid::Parts { parts: 1 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidXgid {
    /// The number of parts is wrong.
    #[error("an XGID has 10 parts with colons between them, not {parts}")]
    Parts {
        /// The number of parts found.
        parts: usize,
    },
    /// The first part is too long or too short.
    #[error("the position has {characters} characters instead of 26")]
    Length {
        /// The number of characters it has.
        characters: usize,
    },
    /// A character does not stand for a possible number of checkers.
    #[error("character {column} of the position does not stand for checkers that can be there")]
    Checkers {
        /// The position of the character, from 1 to 26.
        column: usize,
    },
    /// A part has a meaningless value.
    #[error("the {field} is not {allowed}")]
    Field {
        /// The name of the part, in English.
        field: &'static str,
        /// The values that are allowed, in English.
        allowed: &'static str,
    },
    /// V4: an XGID can express neither pinned checkers nor sides that run the same way.
    #[error("an XGID can only describe positions of backgammon")]
    Movement,
    /// The checkers make an impossible position.
    #[error(transparent)]
    Position(#[from] InvalidPosition),
}

impl Xgid {
    /// An XGID with the cube limit that other programs write.
    ///
    /// # Errors
    /// [`InvalidXgid::Movement`] for a position of Plakoto or Fevga (V4), which an XGID cannot express.
    pub const fn new(position: Position, state: MatchState) -> Result<Self, InvalidXgid> {
        match position.movement() {
            Movement::Backgammon => Ok(Self { position, state, highest_cube: USUAL_POWER }),
            Movement::Plakoto | Movement::Fevga => Err(InvalidXgid::Movement),
        }
    }

    /// Reads an XGID of a game with `checkers` a side. Checkers that it does not mention have been borne off.
    ///
    /// # Errors
    /// [`InvalidXgid`] for the first fault found.
    pub fn read(text: &str, checkers: u8) -> Result<Self, InvalidXgid> {
        let text = text.trim();
        let parts: Vec<&str> = text.strip_prefix(PREFIX).unwrap_or(text).split(':').collect();
        let [board, power, owner, on_roll, dice, bottom, top, flag, length, highest] = parts[..] else {
            return Err(InvalidXgid::Parts { parts: parts.len() });
        };
        let on_roll =
            if number(on_roll, "turn", "1 or -1", &[-1, 1])? == 1 { Seat::Bottom } else { Seat::Top };
        let board = read_board(board)?;
        let mut state = MatchState::money(on_roll);
        state.cube = read_cube(power, owner)?;
        state.double_offered = dice == "D";
        state.turn = if state.double_offered { on_roll.other() } else { on_roll };
        state.dice = if state.double_offered { None } else { read_dice(dice)? };
        state.score = [points(top, "score at the top")?, points(bottom, "score at the bottom")?];
        state.length = points(length, "length")?;
        if state.length > 0 {
            state.crawford = number(flag, "flag", "0 or 1 in a match", &[0, 1])? == 1;
        } else {
            let flags = number(flag, "flag", "0 to 3 in a money game", &[0, 1, 2, 3])?;
            (state.jacoby, state.beavers) = (flags & 1 != 0, flags & 2 != 0);
        }
        let highest = in_range(highest, "highest cube", "a power of two from 0 to 20", 0..=MOST_POWER)?;
        let position = seen_by(on_roll, &board, checkers)?;
        Ok(Self { position, state, highest_cube: u8::try_from(highest).unwrap_or_default() })
    }
}

impl std::fmt::Display for Xgid {
    /// Writes the XGID, which leaves out a resignation and the stage.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = &self.state;
        f.write_str(PREFIX)?;
        for count in board_of_bottom(self.position, state.on_roll) {
            let first = if count > 0 { b'A' } else { b'a' };
            let letter = if count == 0 { b'-' } else { first + count.unsigned_abs() - 1 };
            write!(f, "{}", char::from(letter))?;
        }
        let owner = match state.cube.owner {
            Owner::Centred => 0,
            Owner::Owned(seat) => sign(seat),
        };
        write!(f, ":{}:{owner}:{}:", state.cube.value.get().ilog2(), sign(state.on_roll))?;
        match state.dice {
            _ if state.double_offered => f.write_str("D")?,
            Some(roll) => write!(f, "{}{}", roll.high(), roll.low())?,
            None => f.write_str("00")?,
        }
        let flag = match state.length {
            0 => u8::from(state.jacoby) + 2 * u8::from(state.beavers),
            _ => u8::from(state.crawford),
        };
        let [top, bottom] = state.score;
        write!(f, ":{bottom}:{top}:{flag}:{}:{}", state.length, self.highest_cube)
    }
}

/// The sign an XGID uses for a player.
const fn sign(seat: Seat) -> i8 {
    match seat {
        Seat::Top => -1,
        Seat::Bottom => 1,
    }
}

/// The board as the player at the bottom counts: that player's checkers positive, the other's negative.
fn board_of_bottom(position: Position, on_roll: Seat) -> [i8; 26] {
    match on_roll {
        Seat::Bottom => position.board(),
        Seat::Top => position.turned().board(),
    }
}

/// The position of that board, seen by the player on roll.
fn seen_by(on_roll: Seat, board: &[i8; 26], checkers: u8) -> Result<Position, InvalidPosition> {
    let bottom = Position::from_board(board, checkers)?;
    Ok(if on_roll == Seat::Bottom { bottom } else { bottom.turned() })
}

fn read_board(text: &str) -> Result<[i8; 26], InvalidXgid> {
    let characters = text.chars().count();
    if characters != 26 {
        return Err(InvalidXgid::Length { characters });
    }
    let mut board = [0; 26];
    for (place, (letter, slot)) in text.bytes().zip(&mut board).enumerate() {
        let count = |first: u8| i8::try_from(letter - first + 1).unwrap_or_default();
        *slot = match letter {
            b'-' => 0,
            b'A'..=b'P' if place > 0 => count(b'A'),
            b'a'..=b'p' if place < usize::from(BAR) => -count(b'a'),
            _ => return Err(InvalidXgid::Checkers { column: place + 1 }),
        };
    }
    Ok(board)
}

fn read_cube(power: &str, owner: &str) -> Result<Cube<Seat>, InvalidXgid> {
    let power = in_range(power, "cube", "a power of two from 0 to 20", 0..=MOST_POWER)?;
    // The range check above guarantees both conversions.
    let value = u32::try_from(power).ok().and_then(|power| CubeValue::try_from(1 << power).ok());
    let value = value.unwrap_or(CubeValue::MAX);
    let owner = match number(owner, "owner of the cube", "-1, 0 or 1", &[-1, 0, 1])? {
        0 => Owner::Centred,
        1 => Owner::Owned(Seat::Bottom),
        _ => Owner::Owned(Seat::Top),
    };
    Ok(Cube { value, owner })
}

fn read_dice(text: &str) -> Result<Option<Roll>, InvalidXgid> {
    let wrong = InvalidXgid::Field { field: "roll", allowed: "two dice, 00 or D" };
    let die = |letter: u8| Die::try_from(letter.wrapping_sub(b'0')).map_err(|_| wrong);
    match text.as_bytes() {
        b"00" => Ok(None),
        [one, other] => Ok(Some(Roll::new(die(*one)?, die(*other)?))),
        _ => Err(wrong),
    }
}

fn points(text: &str, field: &'static str) -> Result<u16, InvalidXgid> {
    let points = in_range(text, field, "a number from 0 to 32767", 0..=i64::from(MOST_POINTS))?;
    Ok(u16::try_from(points).unwrap_or_default())
}

/// Reads a number that must be in `list`.
fn number(text: &str, field: &'static str, allowed: &'static str, list: &[i64]) -> Result<i64, InvalidXgid> {
    let number = text.parse().ok().filter(|number| list.contains(number));
    number.ok_or(InvalidXgid::Field { field, allowed })
}

/// Reads a number that must be in `range`.
fn in_range(
    text: &str,
    field: &'static str,
    allowed: &'static str,
    range: RangeInclusive<i64>,
) -> Result<i64, InvalidXgid> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or(InvalidXgid::Field { field, allowed })
}
