//! How checkers move: what sets Plakoto and Fevga (V4) apart from backgammon (G5 to G12).
//!
//! The differences are the direction in which the other side runs, what happens on landing on one of its
//! checkers, and which checkers may leave their point. Dice, the duty to play both numbers (G8) and bearing
//! off (G11) are the same in all three. A [`Position`] carries its own movement, so nobody can apply the
//! wrong one.

use super::plays::IllegalPlay;
use super::position::{
    BAR, Checkers, InvalidPosition, OFF, POINTS, Place, Places, Position, across, all_across, bits, lowest,
};

/// The three ways in which checkers move.
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
    /// The sides run against each other; a lone checker is hit and goes to the bar (G5 to G12).
    #[default]
    Backgammon,
    /// V4: the sides run against each other; a lone checker is pinned where it stands, and nobody is ever on
    /// the bar.
    Plakoto,
    /// V4: both sides run the same way round, from opposite corners; one checker holds a point, and nobody is
    /// hit.
    Fevga,
}

/// The point on which every side begins in Plakoto and Fevga. The last checker left on it is the mother (V4).
pub(super) const START: Place = 24;
/// The six points from 19 to 24, among which a side begins.
const STARTING_QUARTER: Places = 0x01f8_0000;
/// Where the other side begins in Fevga, as the mover counts: 12.
const OTHERS_START: Place = Movement::Fevga.across(START);

impl Movement {
    /// All three, with backgammon's movement first.
    pub const ALL: [Self; 3] = [Self::Backgammon, Self::Plakoto, Self::Fevga];

    /// The point `place` as the other side counts it. The bar maps to [`OFF`] and back.
    #[must_use]
    pub const fn across(self, place: Place) -> Place {
        match self {
            Self::Backgammon | Self::Plakoto => across(place),
            // Half a lap on. The bar and off are no points of the lap.
            Self::Fevga if place == OFF || place >= BAR => across(place),
            Self::Fevga if place > 12 => place - 12,
            Self::Fevga => place + 12,
        }
    }

    /// Whether checkers can be on the bar at all.
    #[must_use]
    pub const fn has_bar(self) -> bool {
        match self {
            Self::Backgammon => true,
            Self::Plakoto | Self::Fevga => false,
        }
    }
}

/// Whether the two sides' checkers make a possible position.
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

/// V4, Plakoto: where both sides stand on a point, one of them has a lone checker there, and it is pinned. No
/// other checker is marked as pinned.
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

/// Moves one of the mover's checkers from `from` to `to`, which may be off, and applies what that does to the
/// other side. Checks only whether the checker may be lifted, and whether it may land.
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
            // A checker that pins one of the mover's holds its point as firmly as two would. Nothing moves
            // back to its own start in a legal play; a board left after an illegal one may do so (I2), and it
            // pins nobody there.
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

/// V4, Fevga: no other checker may move until the first one has passed the other side's start.
pub(super) fn may_leave(position: Position, from: Place) -> Result<(), IllegalPlay> {
    match position.movement() {
        Movement::Backgammon | Movement::Plakoto => Ok(()),
        Movement::Fevga => {
            let first = position.mover().lowest();
            if first < OTHERS_START || first == from { Ok(()) } else { Err(IllegalPlay::FirstChecker) }
        }
    }
}

/// V4, Fevga: a side never holds all six points of its starting quarter, not even between two steps.
/// `position` is the one after a step to `to`.
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

/// V4, Fevga: whether the side that has just played, the mover of `position`, leaves the other side a way
/// out. It does not if all of the other side's checkers stand on one point directly behind a prime of six.
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

/// The state of the two mothers in a game of Plakoto (V4).
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
    /// Nobody has lost by a pinned mother, at least not yet.
    Safe,
    /// The mover's mother is pinned, and the other side's has left and is safe: the mover has lost.
    MoverLost,
    /// The other side's mother is pinned, and the mover's is safe: the other side has lost.
    OtherLost,
    /// Both mothers are pinned: the game is a tie.
    Tied,
}

impl Mothers {
    /// The state of the mothers in `position`; [`Safe`](Self::Safe) in every game but Plakoto.
    #[must_use]
    pub const fn in_position(position: Position) -> Self {
        let (mover, other) = (position.mover(), position.other());
        match (mover.is_pinned(START), other.is_pinned(START)) {
            (false, false) => Self::Safe,
            (true, true) => Self::Tied,
            // The other side's mother has not left its start and could still be pinned: that would be a tie.
            (true, false) if other.at(START) > 0 => Self::Safe,
            (true, false) => Self::MoverLost,
            (false, true) if mover.at(START) > 0 => Self::Safe,
            (false, true) => Self::OtherLost,
        }
    }
}
