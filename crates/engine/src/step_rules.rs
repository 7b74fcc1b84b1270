//! One step: what it does to the position, and why it is refused (G5 to G12, V4).

use super::dice::Die;
use super::movement::{Movement, START};
use super::place::{BAR, OFF, OUTSIDE, Place, Places, across};
use super::play::Step;
use super::position::{Checkers, Position};

/// The reason why a play is not legal.
///
/// ```
/// use owlbox_engine::{Die, IllegalPlay, LegalPlays, Step, Steps, Variant};
///
/// let plays = LegalPlays::new(Variant::Standard.start(), "5-1".parse()?);
/// let steps = Steps::new(&[Step::new(24, Die::FIVE).unwrap()]).unwrap();
/// assert_eq!(plays.check(steps), Err(IllegalPlay::Blocked { to: 19 }));
/// assert_eq!(plays.check(Steps::NONE), Err(IllegalPlay::BothCanBePlayed));
/// # Ok::<(), owlbox_engine::InvalidValue>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPlay {
    /// G6, G7: the dice do not show this number, or not that many times.
    #[error("the dice have no {pips} left")]
    NoSuchDie {
        /// The number of pips of the step.
        pips: u8,
    },
    /// The mover has no checker there.
    #[error("no checker to move from {from}")]
    NoChecker {
        /// The place the step starts from, as the mover counts; 25 is the bar.
        from: Place,
    },
    /// G10: checkers on the bar enter first.
    #[error("a checker is on the bar")]
    OnTheBar,
    /// G5: two or more of the other side's checkers stand there.
    #[error("the point {to} is blocked")]
    Blocked {
        /// The blocked point, as the mover counts.
        to: Place,
    },
    /// G11, G12: a checker was to be borne off while another has not come home yet.
    #[error("not all checkers are home")]
    NotAllHome,
    /// G11: a number larger than the point bears off from the highest point only.
    #[error("a checker stands higher than {from}")]
    HigherChecker {
        /// The point from which the checker was to be borne off.
        from: Place,
    },
    /// V4, Plakoto: a checker of the other side pins this one.
    #[error("the checker on {from} is pinned")]
    Pinned {
        /// The point of the pinned checker, as the mover counts.
        from: Place,
    },
    /// V4, Fevga: the mover's first checker has not yet passed the other side's start.
    #[error("the first checker must pass the other side's start before another moves")]
    FirstChecker,
    /// V4, Fevga: a side may not hold all six points of its starting quarter.
    #[error("not all six points of one's own starting quarter may be held")]
    StartingQuarter,
    /// V4, Fevga: all of the other side's checkers stand behind a prime, and a play that opens it is
    /// possible.
    #[error("a point of the prime must be opened: all of the other side's checkers stand behind it")]
    MustLeaveWay,
    /// G8: both numbers can be played, so both must be.
    #[error("both numbers can be played")]
    BothCanBePlayed,
    /// G8: fewer numbers of a double were played than can be.
    #[error("{moves} of the four moves can be played")]
    MoreCanBePlayed {
        /// How many moves are possible, 1 to 4.
        moves: u32,
    },
    /// G8: only one of the two numbers can be played, and it must be the larger.
    #[error("the {die} must be played")]
    LargerMustBePlayed {
        /// The larger number of the roll.
        die: Die,
    },
    /// G15: a number can be played, so the turn cannot be passed.
    #[error("a number can be played")]
    OneCanBePlayed,
    /// G8a: the larger number cannot be played, and so neither may the smaller.
    #[error("without the larger number nothing may be played")]
    StrictLargerDie,
}

/// The six points from 19 to 24, among which a side begins.
const STARTING_QUARTER: Places = 0x01f8_0000;
/// Where the other side begins in Fevga, as the mover counts: 12.
const OTHERS_START: Place = Movement::Fevga.across(START);

impl Position {
    /// Moves one of the mover's checkers between two places, whether a roll allows it or not, and hits or
    /// pins a lone checker there. `None` if there is no checker to lift, it is pinned, or the point is
    /// blocked.
    #[must_use]
    pub fn with_moved(self, from: Place, to: Place) -> Option<Self> {
        moved(self, from, to).ok()
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

/// The position after one step, still seen by the same side.
///
/// ```
/// use owlbox_engine::step_rules::stepped;
/// use owlbox_engine::{Die, Step, Variant};
///
/// let start = Variant::Standard.start();
/// let after = stepped(start, Step::new(13, Die::TWO).unwrap())?;
/// assert_eq!((after.mover().at(13), after.mover().at(11)), (4, 1));
/// # Ok::<(), owlbox_engine::IllegalPlay>(())
/// ```
///
/// # Errors
/// The fault of the step itself. The duty to play both numbers (G8) is not considered.
pub fn stepped(position: Position, step: Step) -> Result<Position, IllegalPlay> {
    let mover = position.mover();
    let (from, to) = (step.from(), step.to());
    if mover.at(from) == 0 {
        return Err(IllegalPlay::NoChecker { from });
    }
    if mover.on_bar() > 0 && from != BAR {
        return Err(IllegalPlay::OnTheBar);
    }
    may_leave(position, from)?;
    let after = moved(position, from, to)?;
    if to > OFF {
        return may_stand(after, to).map(|()| after);
    }
    if mover.some() & OUTSIDE != 0 {
        return Err(IllegalPlay::NotAllHome);
    }
    if step.pips() > from && mover.highest() > from {
        return Err(IllegalPlay::HigherChecker { from });
    }
    Ok(after)
}
