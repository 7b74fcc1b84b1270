//! How checkers move: what tells Plakoto and Fevga (V4) from backgammon (G5 to G12).
//!
//! Which way the other side runs, what happens where a checker of it stands, and which checker may leave. Dice, the duty to
//! play both numbers (G8) and bearing off (G11) are the same in all three. A [`Position`] knows which of them it is of, so
//! nothing here can be asked of the wrong one.

use super::plays::IllegalPlay;
use super::position::{
    BAR, Checkers, InvalidPosition, OFF, POINTS, Place, Places, Position, across, all_across, bits, lowest,
};

/// How the checkers of a game move.
///
/// ```
/// use owlbox_engine::Movement;
///
/// // One's own ace point, as the other side counts it.
/// assert_eq!(Movement::Backgammon.across(1), 24);
/// assert_eq!(Movement::Fevga.across(1), 13);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Movement {
    /// Against each other; a lone checker is hit and goes to the bar (G5 to G12).
    #[default]
    Backgammon,
    /// V4: against each other; a lone checker is pinned where it stands, and nobody is ever on the bar.
    Plakoto,
    /// V4: both the same way round, from opposite corners; one checker holds a point, and nobody is hit.
    Fevga,
}

/// Where every side begins in Plakoto and Fevga: the last checker there is the mother (V4).
pub(super) const START: Place = 24;
/// The points of the quarter in which a side begins.
const STARTING_QUARTER: Places = 0x01f8_0000;
/// Where the other side of a game of Fevga begins.
const OTHERS_START: Place = Movement::Fevga.across(START);

impl Movement {
    /// Every movement.
    pub const ALL: [Self; 3] = [Self::Backgammon, Self::Plakoto, Self::Fevga];

    /// The point `place` as the other side counts it.
    #[must_use]
    pub const fn across(self, place: Place) -> Place {
        match self {
            Self::Backgammon | Self::Plakoto => across(place),
            // Half a lap on; there is no bar.
            Self::Fevga if place == OFF || place >= BAR => across(place),
            Self::Fevga if place > 12 => place - 12,
            Self::Fevga => place + 12,
        }
    }

    /// Whether a side's checkers can come to the bar.
    #[must_use]
    pub const fn has_bar(self) -> bool {
        match self {
            Self::Backgammon => true,
            Self::Plakoto | Self::Fevga => false,
        }
    }
}

/// Whether both sides' checkers can stand so.
pub(super) fn check(movement: Movement, mover: Checkers, other: Checkers) -> Result<(), InvalidPosition> {
    if mover.movement() != movement || other.movement() != movement {
        return Err(InvalidPosition::TwoGames);
    }
    if mover.all_off() && other.all_off() {
        return Err(InvalidPosition::BothOff);
    }
    if !movement.has_bar() && (mover.on_bar() > 0 || other.on_bar() > 0) {
        return Err(InvalidPosition::NoBar);
    }
    match movement {
        Movement::Backgammon => match mover.some() & all_across(other.some()) & POINTS {
            0 => Ok(()),
            shared => Err(InvalidPosition::Shared { point: lowest(shared) }),
        },
        Movement::Plakoto => bits(POINTS).try_for_each(|point| check_pins(mover, other, point)),
        Movement::Fevga => {
            let shared = bits(mover.some()).find(|point| other.at(movement.across(*point)) > 0);
            shared.map_or(Ok(()), |point| Err(InvalidPosition::Shared { point }))
        }
    }
}

/// V4, Plakoto: where both sides stand, one of them has a lone checker there, which is pinned; nowhere else is any.
fn check_pins(mover: Checkers, other: Checkers, point: Place) -> Result<(), InvalidPosition> {
    let (own, theirs) = (mover.at(point), other.at(across(point)));
    let pinned = [mover.is_pinned(point), other.is_pinned(across(point))];
    match (own, theirs, pinned) {
        (0, _, [false, false]) | (_, 0, [false, false]) => Ok(()),
        (1, 1.., [true, false]) | (1.., 1, [false, true]) => Ok(()),
        (0, _, _) | (_, 0, _) => Err(InvalidPosition::NothingPinned { point }),
        _ => Err(InvalidPosition::Shared { point }),
    }
}

/// With a checker of the mover gone from `from` to `to`, which may be off, and what that does to the other side. Asked is only
/// whether that checker can be lifted, and set down there.
///
/// # Errors
/// [`IllegalPlay::NoChecker`], [`IllegalPlay::Pinned`], [`IllegalPlay::Blocked`].
pub(super) fn moved(position: Position, from: Place, to: Place) -> Result<Position, IllegalPlay> {
    let (mover, other) = (position.mover(), position.other());
    if from > BAR || mover.at(from) == 0 {
        return Err(IllegalPlay::NoChecker { from });
    }
    if mover.is_pinned(from) {
        return Err(IllegalPlay::Pinned { from });
    }
    let after = mover.plus(Checkers::one(to).wrapping_sub(Checkers::one(from)));
    let movement = position.movement();
    let there = if to == OFF { 0 } else { other.at(movement.across(to)) };
    let other = match movement {
        Movement::Backgammon => match there {
            0 => other,
            1 => other.plus(Checkers::one(BAR).wrapping_sub(Checkers::one(across(to)))),
            _ => return Err(IllegalPlay::Blocked { to }),
        },
        Movement::Plakoto => {
            // One that stands over a lone checker of ours holds the point as two would. One's own start is for leaving: only a
            // play that is no legal one comes back to it, and pins nobody.
            if there > 1 || mover.is_pinned(to) || (there == 1 && to == START) {
                return Err(IllegalPlay::Blocked { to });
            }
            let freed = if after.at(from) == 0 { other.unpinned(across(from)) } else { other };
            if there == 1 { freed.pinned(across(to)) } else { freed }
        }
        Movement::Fevga if there > 0 => return Err(IllegalPlay::Blocked { to }),
        Movement::Fevga => other,
    };
    Ok(Position::known(after, other))
}

/// V4, Fevga: until one's first checker has passed the other's start, no other may move.
pub(super) fn may_leave(position: Position, from: Place) -> Result<(), IllegalPlay> {
    match position.movement() {
        Movement::Backgammon | Movement::Plakoto => Ok(()),
        Movement::Fevga => {
            let first = position.mover().lowest();
            if first < OTHERS_START || first == from { Ok(()) } else { Err(IllegalPlay::FirstChecker) }
        }
    }
}

/// V4, Fevga: at no moment are all six points of one's own starting quarter held. `position` is after a step to `to`.
pub(super) const fn may_stand(position: Position, to: Place) -> Result<(), IllegalPlay> {
    match position.movement() {
        Movement::Backgammon | Movement::Plakoto => Ok(()),
        Movement::Fevga => {
            let landed = STARTING_QUARTER >> to & 1 == 1;
            if landed && position.mover().some() & STARTING_QUARTER == STARTING_QUARTER {
                Err(IllegalPlay::StartingQuarter)
            } else {
                Ok(())
            }
        }
    }
}

/// V4, Fevga: whether the side that has just played, the mover of `position`, leaves the other a way. It does not where all of
/// the other's checkers stand on one point directly behind six points that it holds.
pub(super) fn leaves_way(position: Position) -> bool {
    let (mover, other) = (position.mover(), position.other());
    match position.movement() {
        Movement::Backgammon | Movement::Plakoto => true,
        Movement::Fevga => {
            let stand = other.lowest();
            let together = stand > 6 && other.some().count_ones() == 1;
            !together || (stand - 6..stand).any(|point| mover.at(Movement::Fevga.across(point)) == 0)
        }
    }
}

/// How the mothers of a game of Plakoto stand (V4).
///
/// ```
/// use owlbox_engine::{Checkers, Mothers, Movement, Position};
///
/// let side = |point: usize| {
///     let mut counts = [0; 26];
///     counts[point] = 1;
///     Checkers::new(counts).map(|side| side.moving(Movement::Plakoto))
/// };
/// // The other side's 1-point is the mover's 24: its checker there stands over the mover's mother.
/// let position = Position::new(side(24)?.pinned(24), side(1)?)?;
/// assert_eq!(Mothers::in_position(position), Mothers::MoverLost);
/// # Ok::<(), owlbox_engine::InvalidPosition>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mothers {
    /// Neither is lost.
    Safe,
    /// The mover's is pinned, and the other side has none any more that could be: the mover has lost.
    MoverLost,
    /// The other side's, likewise.
    OtherLost,
    /// Both are pinned: nobody wins.
    Tied,
}

impl Mothers {
    /// How they stand in `position`.
    #[must_use]
    pub const fn in_position(position: Position) -> Self {
        let (mover, other) = (position.mover(), position.other());
        match (mover.is_pinned(START), other.is_pinned(START)) {
            (false, false) => Self::Safe,
            (true, true) => Self::Tied,
            // It could still be pinned.
            (true, false) if other.at(START) > 0 => Self::Safe,
            (true, false) => Self::MoverLost,
            (false, true) if mover.at(START) > 0 => Self::Safe,
            (false, true) => Self::OtherLost,
        }
    }
}
