//! A play: what one does with a roll.

use std::fmt;
use std::num::NonZeroU8;

use super::dice::Die;
use super::position::{BAR, OFF, Place, Position};

/// One checker moved by one die.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step(NonZeroU8);

impl Step {
    /// The checker at `from` moved by `die`. `None` if `from` is no place a checker moves from.
    #[must_use]
    pub const fn new(from: Place, die: Die) -> Option<Self> {
        if from > OFF && from <= BAR { Some(Self::known(from, die.pips())) } else { None }
    }

    /// The checker at `from`, which is 1 to 25, moved by `pips`, which are 1 to 6.
    #[inline]
    pub(super) const fn known(from: Place, pips: u8) -> Self {
        match NonZeroU8::new(from << 3 | pips) {
            Some(step) => Self(step),
            None => panic!("a step has pips"),
        }
    }

    /// From where.
    #[must_use]
    pub const fn from(self) -> Place {
        self.0.get() >> 3
    }

    /// By which die.
    #[must_use]
    pub const fn pips(self) -> u8 {
        self.0.get() & 7
    }

    /// To where; `OFF` however large the die.
    #[must_use]
    pub const fn to(self) -> Place {
        self.from().saturating_sub(self.pips())
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.from(), self.to())
    }
}

/// The steps of a play in order, at most four: a byte each, the last one lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Steps(u32);

impl Steps {
    /// No step: the turn is lost.
    pub const NONE: Self = Self(0);

    /// The steps in order; `None` if there are more than four.
    #[must_use]
    pub fn new(steps: &[Step]) -> Option<Self> {
        (steps.len() <= 4).then(|| steps.iter().fold(Self::NONE, |all, step| all.then(*step)))
    }

    /// These, and then `step`. There are at most three.
    #[inline(always)]
    pub(super) const fn then(self, step: Step) -> Self {
        debug_assert!(self.0 >> 24 == 0, "a play has four steps at most");
        Self(self.0 << 8 | step.0.get() as u32)
    }

    /// The steps in order.
    pub fn iter(self) -> impl Iterator<Item = Step> {
        self.0.to_be_bytes().into_iter().filter_map(|byte| NonZeroU8::new(byte).map(Step))
    }

    /// How many.
    #[must_use]
    pub const fn len(self) -> u32 {
        4 - self.0.leading_zeros() / 8
    }

    /// Whether the turn is lost.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Debug for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A legal play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// What is done, in an order in which it can be done.
    pub steps: Steps,
    /// What comes of it, the other side being about to move.
    pub result: Position,
}
