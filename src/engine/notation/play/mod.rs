//! Plays in standard notation: points 24 to 1 as the mover counts, the bar, off.
//!
//! * [`read`]: what others write, generously; a text becomes [`Moved`]s.

pub mod read;

pub use read::{ParsePlayError, parse};

use crate::engine::position::Place;

/// A checker moved as somebody wrote it: by one die or by several, over stops that are not named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moved {
    /// From where: a point or the bar.
    pub from: Place,
    /// To where: a lower point or off.
    pub to: Place,
    /// Whether a hit is written there. Whether there is one, the position says.
    pub hit: bool,
}
