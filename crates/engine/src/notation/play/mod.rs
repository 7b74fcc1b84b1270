//! Plays in standard notation: points 24 to 1 as the mover counts, the bar, and off.
//!
//! * [`read`]: reads what others write, generously, as [`Moved`]s.
//! * [`resolve`](mod@resolve): finds the legal play that they mean.
//! * [`write`](mod@write): writes plays, each in exactly one way.

mod on_board;
pub mod read;
pub mod resolve;
pub mod write;

#[cfg(test)]
mod tests;

pub use read::{ParsePlayError, parse};
pub use resolve::{Unresolved, resolve, resolve_by};
pub use write::{write, write_by_die};

use crate::place::Place;

/// A move as someone wrote it: by one die or by several, possibly over stops that are not named.
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
    /// Where the checker starts: a point or the bar.
    pub from: Place,
    /// Where it ends: a lower point or off.
    pub to: Place,
    /// Whether the text marks a hit. Whether there really is one depends on the position.
    pub hit: bool,
}
