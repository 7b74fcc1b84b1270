//! One checker moved at a time, for notations: they see a play in orders that the generator does not show.

use crate::engine::play::Step;
use crate::engine::position::{BAR, OFF, Place, Position};

/// The mover's checkers above zero, the other side's below: 26 slots as [`Position::board`] has them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct OnBoard([i8; 26]);

impl OnBoard {
    pub(super) fn new(position: Position) -> Self {
        Self(position.board())
    }

    /// Whether a lone checker of the other side stands at `place`.
    pub(super) fn has_blot(&self, place: Place) -> bool {
        place != OFF && place != BAR && self.0.get(usize::from(place)) == Some(&-1)
    }

    /// How many of the other side's checkers are on the bar.
    pub(super) const fn others_on_bar(&self) -> u8 {
        self.0[0].unsigned_abs()
    }

    /// With a checker of the mover gone from `from` to `to`, which may be off; `None` if none is there or the
    /// point is not open (G5). Nothing else is asked.
    pub(super) fn moved(mut self, from: Place, to: Place) -> Option<Self> {
        let hits = self.has_blot(to);
        let leaving = self.0.get_mut(usize::from(from)).filter(|count| **count > 0)?;
        *leaving -= 1;
        if to != OFF {
            let arriving = self.0.get_mut(usize::from(to)).filter(|count| **count >= -1)?;
            *arriving = if hits { 1 } else { *arriving + 1 };
            self.0[0] -= i8::from(hits);
        }
        Some(self)
    }

    /// With `step` made, if it can be made now by itself (G5, G10, G11, G12).
    pub(super) fn stepped(self, step: Step) -> Option<Self> {
        let (from, to) = (step.from(), step.to());
        let stands_above = |place: Place| self.0[usize::from(place) + 1..].iter().any(|count| *count > 0);
        let waits_on_bar = self.0[usize::from(BAR)] > 0 && from != BAR;
        let may_not_leave = to == OFF && (stands_above(6) || (from < step.pips() && stands_above(from)));
        if waits_on_bar || may_not_leave { None } else { self.moved(from, to) }
    }
}
