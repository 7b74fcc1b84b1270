//! How checkers move: what sets Plakoto and Fevga (V4) apart from backgammon (G5 to G12).
//!
//! The differences are the direction in which the other side runs, what happens on landing on one of its
//! checkers, and which checkers may leave their point. Dice, the duty to play both numbers (G8) and bearing
//! off (G11) are the same in all three. A [`Position`](super::Position) carries its own movement, so nobody
//! can apply the wrong one.

use super::place::{BAR, OFF, Place, across};

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
