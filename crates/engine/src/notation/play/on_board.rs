//! Moves one checker at a time, for notations, which need plays in orders that the generator leaves out.

use crate::movement::Movement;
use crate::place::{BAR, OFF, Place};
use crate::play::Step;
use crate::position::Position;
use crate::step_rules::{moved, stepped};

/// A position during a turn, seen by the side that moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct OnBoard(Position);

impl OnBoard {
    pub(super) const fn new(position: Position) -> Self {
        Self(position)
    }

    /// Whether the other side has a lone checker at `place` that can be hit or pinned.
    pub(super) fn has_blot(&self, place: Place) -> bool {
        let (mover, other) = (self.0.mover(), self.0.other());
        match self.0.movement() {
            _ if place == OFF || place >= BAR => false,
            Movement::Fevga => false,
            Movement::Backgammon | Movement::Plakoto => {
                other.at(self.0.across(place)) == 1 && mover.at(place) == 0
            }
        }
    }

    /// The number of the other side's checkers on the bar or pinned.
    pub(super) fn others_hit(&self) -> u8 {
        let other = self.0.other();
        other.on_bar() + other.pins().map(|_| 1).sum::<u8>()
    }

    /// Moves a checker from `from` to `to`, which may be off. `None` if there is no checker or the point is
    /// not open (G5). Nothing else is checked.
    pub(super) fn moved(self, from: Place, to: Place) -> Option<Self> {
        moved(self.0, from, to).ok().map(Self)
    }

    /// Makes `step`; `None` if it is not possible by itself (G5, G10, G11, G12).
    pub(super) fn stepped(self, step: Step) -> Option<Self> {
        stepped(self.0, step).ok().map(Self)
    }
}
