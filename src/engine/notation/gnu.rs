//! GNU Backgammon's position ID: 80 bits in 14 characters.
//!
//! For each side, the one **not** on roll first, every place from its 1-point to its bar is a run of ones,
//! as many as it has checkers there, and a zero. The bits are packed from the lowest of the first byte on and
//! written as base64 without padding.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::engine::position::{BAR, Checkers, InvalidPosition, MOST_CHECKERS, OFF, Position};

/// Why a text is no position ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidId {
    /// Not so many characters of base64.
    #[error("a position ID has 14 characters of base64")]
    Text,
    /// The bits do not end where they should.
    #[error("the bits of the position ID do not make a position")]
    Bits,
    /// The checkers cannot stand so.
    #[error(transparent)]
    Position(#[from] InvalidPosition),
}

/// The position ID of `position`. How many checkers have been borne off, it does not say.
#[must_use]
pub fn position_id(position: Position) -> String {
    let mut bits = 0_u128;
    let mut at = 0;
    for side in [position.other(), position.mover()] {
        for place in 1..=BAR {
            let count = side.at(place);
            bits |= ((1 << count) - 1) << at;
            at += u32::from(count) + 1;
        }
    }
    STANDARD_NO_PAD.encode(&bits.to_le_bytes()[..10])
}

/// The position of which this is the ID, in a game with `checkers` a side: those it does not mention have been
/// borne off.
///
/// # Errors
/// [`InvalidId`].
pub fn from_position_id(id: &str, checkers: u8) -> Result<Position, InvalidId> {
    let bytes = STANDARD_NO_PAD.decode(id).ok().filter(|bytes| bytes.len() == 10).ok_or(InvalidId::Text)?;
    let mut padded = [0; 16];
    padded[..10].copy_from_slice(&bytes);
    let mut bits = u128::from_le_bytes(padded);
    let mut side = || {
        let mut counts = [0; 26];
        for count in &mut counts[1..=usize::from(BAR)] {
            let ones = bits.trailing_ones();
            *count = u8::try_from(ones).ok().filter(|ones| *ones <= MOST_CHECKERS).ok_or(InvalidId::Bits)?;
            bits >>= ones + 1;
        }
        let in_play: u8 = counts.iter().sum();
        counts[usize::from(OFF)] = checkers.checked_sub(in_play).ok_or(InvalidId::Bits)?;
        Ok::<_, InvalidId>(Checkers::new(counts)?)
    };
    let (other, mover) = (side()?, side()?);
    if bits != 0 {
        return Err(InvalidId::Bits);
    }
    Ok(Position::new(mover, other)?)
}
