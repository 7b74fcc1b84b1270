//! GNU Backgammon's position ID, 80 bits in 14 characters, and its match ID, 67 bits in 12.
//!
//! **Position.** For each side, the one **not** on roll first, every place from its 1-point to its bar is a
//! run of ones, one for each checker, and a zero. The bits are packed from the lowest bit of the first byte,
//! and written as base64 without padding.
//!
//! GNU Backgammon does not know Plakoto and Fevga (V4), and its ID cannot express them. Their positions have
//! an ID of our own, which cannot be mistaken for GNU's. For Fevga it is `fevga-` and 14 characters of the
//! same bits. For Plakoto it is `plakoto-` and 22 characters of 128 bits: the same 80, then 24 for the side
//! **not** on roll and 24 for the other, each set where that side's checker is pinned, from its 1-point.
//!
//! **Match.** From the lowest bit: the cube as a power of two (4 bits), its owner (2: the player's number, 3
//! in the middle), the player on roll (1), Crawford game (1), stage (3), the player to decide (1), double
//! offered (1), the resignation offered (2), two dice (3 each, 0 before the roll), length (15), the scores of
//! player 0 and player 1 (15 each), and whether Jacoby does **not** hold (1). The dice are read back with the
//! higher first.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::state::{MOST_POINTS, MatchState, Seat, Stage};
use crate::cube::{Cube, CubeValue, Owner};
use crate::dice::{Die, Roll};
use crate::movement::Movement;
use crate::place::{BAR, OFF};
use crate::position::{Checkers, InvalidPosition, MOST_CHECKERS, Position};
use crate::result::Win;

/// The reason why a text is not a position ID.
///
/// ```
/// use owlbox_engine::notation::gnu::{InvalidPositionId, from_position_id};
///
/// assert_eq!(from_position_id("owl", 15), Err(InvalidPositionId::Text));
/// // Three checkers a side are fewer than stand there.
/// assert_eq!(from_position_id("4HPwATDgc/ABMA", 3), Err(InvalidPositionId::Bits));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidPositionId {
    /// The text is not base64 of the right length.
    #[error("a position ID has 14 characters of base64, one of Plakoto 22 after its name")]
    Text,
    /// The bits do not make two sides of this many checkers.
    #[error("the bits of the position ID do not make a position")]
    Bits,
    /// The checkers make an impossible position.
    #[error(transparent)]
    Position(#[from] InvalidPosition),
}

/// A mask for the pin bits of one side.
const PINS: u128 = (1 << 24) - 1;
/// The prefix of an ID of Plakoto.
const PLAKOTO: &str = "plakoto-";
/// The prefix of an ID of Fevga.
const FEVGA: &str = "fevga-";

/// The position ID of `position`. It does not say how many checkers have been borne off.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::notation::gnu::position_id;
///
/// assert_eq!(position_id(Variant::Standard.start()), "4HPwATDgc/ABMA");
/// assert_eq!(position_id(Variant::Fevga.start()), "fevga-AACA/z8AAID/Pw");
/// ```
#[must_use]
pub fn position_id(position: Position) -> String {
    let bits = counts_in_bits(position);
    let text = |bytes: usize| STANDARD_NO_PAD.encode(&bits.to_le_bytes()[..bytes]);
    match position.movement() {
        Movement::Backgammon => text(10),
        Movement::Fevga => format!("{FEVGA}{}", text(10)),
        Movement::Plakoto => {
            let pins = |side: Checkers| side.pins().fold(0_u128, |pins, point| pins | 1 << (point - 1));
            let bits = bits | pins(position.other()) << 80 | pins(position.mover()) << 104;
            format!("{PLAKOTO}{}", STANDARD_NO_PAD.encode(bits.to_le_bytes()))
        }
    }
}

/// The counts of both sides, in 80 bits.
fn counts_in_bits(position: Position) -> u128 {
    let mut bits = 0_u128;
    let mut at = 0;
    for side in [position.other(), position.mover()] {
        for place in 1..=BAR {
            let count = side.at(place);
            bits |= ((1 << count) - 1) << at;
            at += u32::from(count) + 1;
        }
    }
    bits
}

/// The position with this ID, in a game with `checkers` a side. Checkers that it does not mention have been
/// borne off.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::notation::gnu::from_position_id;
///
/// assert_eq!(from_position_id("4HPwATDgc/ABMA", 15), Ok(Variant::Standard.start()));
/// assert_eq!(from_position_id("AACgAgAAKgAAAA", 3), Ok(Variant::HyperBackgammon.start()));
/// ```
///
/// # Errors
/// [`InvalidPositionId`] for the first fault found.
pub fn from_position_id(id: &str, checkers: u8) -> Result<Position, InvalidPositionId> {
    let (movement, text, length) = match (id.strip_prefix(PLAKOTO), id.strip_prefix(FEVGA)) {
        (Some(text), _) => (Movement::Plakoto, text, 16),
        (None, Some(text)) => (Movement::Fevga, text, 10),
        (None, None) => (Movement::Backgammon, id, 10),
    };
    let bytes = STANDARD_NO_PAD
        .decode(text)
        .ok()
        .filter(|bytes| bytes.len() == length)
        .ok_or(InvalidPositionId::Text)?;
    let mut padded = [0; 16];
    padded[..length].copy_from_slice(&bytes);
    let all = u128::from_le_bytes(padded);
    let mut bits = all & ((1 << 80) - 1);
    let mut side = || {
        let mut counts = [0; 26];
        for count in &mut counts[1..=usize::from(BAR)] {
            let ones = bits.trailing_ones();
            *count = u8::try_from(ones)
                .ok()
                .filter(|ones| *ones <= MOST_CHECKERS)
                .ok_or(InvalidPositionId::Bits)?;
            bits >>= ones + 1;
        }
        let in_play: u8 = counts.iter().sum();
        counts[usize::from(OFF)] = checkers.checked_sub(in_play).ok_or(InvalidPositionId::Bits)?;
        Ok::<_, InvalidPositionId>(Checkers::new(counts)?.moving(movement))
    };
    let (other, mover) = (side()?, side()?);
    if bits != 0 {
        return Err(InvalidPositionId::Bits);
    }
    let pinned = |side: Checkers, pins: u128| {
        let side = (1..BAR).filter(|point| pins >> (point - 1) & 1 == 1).fold(side, Checkers::pinned);
        // `pinned` ignores pins where no checker can be pinned, so the counts differ.
        if side.pins().count() == (pins & PINS).count_ones() as usize {
            Ok(side)
        } else {
            Err(InvalidPositionId::Bits)
        }
    };
    let (other, mover) = (pinned(other, all >> 80 & PINS)?, pinned(mover, all >> 104)?);
    Ok(Position::new(mover, other)?)
}

/// The reason why a text is not a match ID.
///
/// ```
/// use owlbox_engine::notation::gnu::{InvalidMatchId, from_match_id};
///
/// assert_eq!(from_match_id("owl"), Err(InvalidMatchId::Text));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidMatchId {
    /// The text is not 12 characters of base64.
    #[error("a match ID has 12 characters of base64")]
    Text,
    /// A number in it has no meaning.
    #[error("the match ID has no valid {field}")]
    Field {
        /// What the number stands for, in English.
        field: &'static str,
    },
}

/// The error for a state that has no match ID: it has 4 bits for the cube and 15 for points.
///
/// ```
/// use owlbox_engine::notation::gnu::{TooLarge, match_id};
/// use owlbox_engine::notation::state::{MatchState, Seat};
/// use owlbox_engine::{Cube, CubeValue};
///
/// let cube = Cube::centred(CubeValue::MAX);
/// let state = MatchState { cube, ..MatchState::money(Seat::Bottom) };
/// assert_eq!(match_id(&state), Err(TooLarge));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a match ID can hold a cube up to 32,768 and points up to {MOST_POINTS}")]
pub struct TooLarge;

/// The match ID of `state`, which holds everything except whether beavers are allowed.
///
/// ```
/// use owlbox_engine::notation::gnu::{from_match_id, match_id};
/// use owlbox_engine::notation::state::{MatchState, Seat};
///
/// let state = MatchState { length: 7, score: [2, 5], ..MatchState::money(Seat::Bottom) };
/// assert_eq!(from_match_id(&match_id(&state)?), Ok(state));
/// # Ok::<(), owlbox_engine::notation::gnu::TooLarge>(())
/// ```
///
/// # Errors
/// [`TooLarge`] for a cube above 32,768, or points above [`MOST_POINTS`].
pub fn match_id(state: &MatchState) -> Result<String, TooLarge> {
    let power = state.cube.value.get().ilog2();
    let points = [state.length, state.score[0], state.score[1]];
    if power > 15 || points.iter().any(|points| *points > MOST_POINTS) {
        return Err(TooLarge);
    }
    let owner = match state.cube.owner {
        Owner::Centred => 3,
        Owner::Owned(seat) => number(seat),
    };
    let dice = state.dice.map_or([0, 0], |roll| [roll.high().pips(), roll.low().pips()]);
    let resigned = state.resigned.map_or(0, Win::multiplier);
    let stage =
        Stage::ALL.into_iter().zip(0..).find_map(|(stage, number)| (stage == state.stage).then_some(number));
    let mut bits = 0_u128;
    let mut at = 0;
    for (value, width) in [
        (power, 4),
        (owner, 2),
        (number(state.on_roll), 1),
        (state.crawford.into(), 1),
        (stage.unwrap_or_default(), 3),
        (number(state.turn), 1),
        (state.double_offered.into(), 1),
        (resigned, 2),
        (dice[0].into(), 3),
        (dice[1].into(), 3),
        (points[0].into(), 15),
        (points[1].into(), 15),
        (points[2].into(), 15),
        ((!state.jacoby).into(), 1),
    ] {
        bits |= u128::from(value) << at;
        at += width;
    }
    Ok(STANDARD_NO_PAD.encode(&bits.to_le_bytes()[..9]))
}

/// The state with this match ID. Beavers count as not allowed.
///
/// ```
/// use owlbox_engine::notation::gnu::from_match_id;
///
/// let state = from_match_id("cIkFAAAAAAAA")?;
/// assert_eq!((state.length, state.dice), (0, "3-1".parse().ok()));
/// # Ok::<(), owlbox_engine::notation::gnu::InvalidMatchId>(())
/// ```
///
/// # Errors
/// [`InvalidMatchId`] for the first fault found.
pub fn from_match_id(id: &str) -> Result<MatchState, InvalidMatchId> {
    let bytes =
        STANDARD_NO_PAD.decode(id).ok().filter(|bytes| bytes.len() == 9).ok_or(InvalidMatchId::Text)?;
    let mut padded = [0; 16];
    padded[..9].copy_from_slice(&bytes);
    let mut bits = u128::from_le_bytes(padded);
    let mut take = |width: u32| {
        // No field has more than 15 bits, so the value fits.
        let value = u16::try_from(bits & ((1 << width) - 1)).unwrap_or_default();
        bits >>= width;
        value
    };
    let wrong = |field| InvalidMatchId::Field { field };
    let value = CubeValue::try_from(1_u32 << take(4)).map_err(|_| wrong("cube"))?;
    let owner = match take(2) {
        2 => return Err(wrong("owner of the cube")),
        3 => Owner::Centred,
        number => Owner::Owned(seat(number)),
    };
    let on_roll = seat(take(1));
    let crawford = take(1) == 1;
    let stage = *Stage::ALL.get(usize::from(take(3))).ok_or_else(|| wrong("stage of the game"))?;
    let turn = seat(take(1));
    let double_offered = take(1) == 1;
    let resigned = take(2);
    let resigned = Win::ALL.into_iter().find(|win| win.multiplier() == u32::from(resigned));
    let dice = dice([take(3), take(3)]).ok_or_else(|| wrong("dice"))?;
    let (length, score) = (take(15), [take(15), take(15)]);
    let jacoby = take(1) == 0;
    if bits != 0 {
        return Err(wrong("end"));
    }
    let cube = Cube { value, owner };
    Ok(MatchState {
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
        beavers: false,
    })
}

/// GNU's number for a player.
const fn number(seat: Seat) -> u32 {
    match seat {
        Seat::Top => 0,
        Seat::Bottom => 1,
    }
}

/// The player with this number, 0 or 1.
const fn seat(number: u16) -> Seat {
    if number == 0 { Seat::Top } else { Seat::Bottom }
}

/// Two dice; both 0 before the roll. `None` if the numbers are not dice.
fn dice(pips: [u16; 2]) -> Option<Option<Roll>> {
    if pips == [0, 0] {
        return Some(None);
    }
    let die = |pips: u16| Die::try_from(u8::try_from(pips).ok()?).ok();
    Some(Some(Roll::new(die(pips[0])?, die(pips[1])?)))
}
