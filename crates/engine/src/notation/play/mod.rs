//! Plays in standard notation: points 24 to 1 as the mover counts, the bar, off.
//!
//! * [`read`]: what others write, generously; a text becomes [`Moved`]s.
//! * [`resolve`](mod@resolve): the legal play that those mean.
//! * [`write`](mod@write): what we write, in one way only.

mod on_board;
pub mod read;
pub mod resolve;
pub mod write;

#[cfg(test)]
mod tests;

pub use read::{ParsePlayError, parse};
pub use resolve::{Unresolved, resolve, resolve_by};
pub use write::{write, write_by_die};

use crate::position::Place;

/// A checker moved as somebody wrote it: by one die or by several, over stops that are not named.
///
/// ```
/// use owlbox_engine::BAR;
/// use owlbox_engine::notation::play::{Moved, parse};
///
/// assert_eq!(parse("bar/20*")?, [Moved { from: BAR, to: 20, hit: true }]);
/// # Ok::<(), owlbox_engine::notation::play::ParsePlayError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moved {
    /// From where: a point or the bar.
    pub from: Place,
    /// To where: a lower point or off.
    pub to: Place,
    /// Whether a hit is written there. Whether there is one, the position says.
    pub hit: bool,
}
