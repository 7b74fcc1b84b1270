//! Smart Game Format for backgammon, GM\[6\]: one game tree per game.
//!
//! White is `W`. The letters `a` to `x` are White's points 1 to 24, no matter who moves; `y` is the bar, `z`
//! is off. `W[61mghg]` is a roll with its steps, `W[53]` a roll that cannot be played. `W[double]`, `B[take]`
//! and `B[drop]` are the cube's; a beaver is a second `double`. Dice that were not played are `PL[B]DI[54]`.
//!
//! [`read`](read()) follows the main line, which is the first variation everywhere, and ignores unknown
//! properties. It reads the cube's owner from `CO`, as published, and from `CP`, as GNU Backgammon writes it.
//! Set-ups must come before the first move. The game that is played (V1 to V3) is among the rules, as in GNU
//! Backgammon: `RU[Crawford:Nackgammon]`, `RU[Jacoby:Hypergammon3]`, and our own `Misere` and `Inverse`.
//! Plakoto and Fevga (V4) are neither read nor written: GM\[6\] cannot express pinned checkers, nor that both
//! sides run the same way.

mod read;
mod tree;
mod write;

pub use read::{read, read_as};
pub use write::write;

use crate::colour::Colour;
use crate::place::{BAR, OFF, Place, across};

/// The letters of all places, from White's 1-point; the bar and off are last.
const LETTERS: &[u8; 26] = b"abcdefghijklmnopqrstuvwxyz";

/// The letter of a place as `side` counts it.
fn letter(side: Colour, place: Place) -> char {
    let number = match (place, side) {
        (OFF, _) => 26,
        (BAR, _) => 25,
        (point, Colour::White) => point,
        (point, Colour::Black) => across(point),
    };
    char::from(LETTERS[usize::from(number - 1)])
}

/// The place of a letter as `side` counts it; `None` if no place has that letter.
fn place(side: Colour, letter: u8) -> Option<Place> {
    let number =
        LETTERS.iter().position(|known| *known == letter).and_then(|at| Place::try_from(at + 1).ok())?;
    Some(match (number, side) {
        (26, _) => OFF,
        (25, _) => BAR,
        (point, Colour::White) => point,
        (point, Colour::Black) => across(point),
    })
}
