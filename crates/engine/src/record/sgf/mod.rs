//! Smart Game Format for backgammon, GM\[6\]: a game tree for each game.
//!
//! White is `W`. Points are the letters `a` to `x` for White's 1 to 24, whoever moves; `y` is the bar, `z`
//! off. `W[61mghg]` is a roll with its steps, `W[53]` one that cannot be played, `W[double]`, `B[take]` and
//! `B[drop]` tell of the cube; a beaver is a second `double`. Dice that nobody played are `PL[B]DI[54]`.
//!
//! [`read`](read()) follows the main line, which is the first of all variations, and passes over properties it does
//! not know. It reads the cube's owner from `CO`, as published, and from `CP`, as GNU Backgammon has it.
//! Set-ups stand before the first move. Which game is played (V1 to V3) stands among the rules, as GNU Backgammon has it:
//! `RU[Crawford:Nackgammon]`, `RU[Jacoby:Hypergammon3]`, and our own `Misere` and `Inverse`. Plakoto and Fevga (V4) are
//! neither read nor written: GM\[6\] has no letters for what is pinned, or for who runs which way.

mod read;
mod tree;
mod write;

pub use read::{read, read_as};
pub use write::write;

use crate::colour::Colour;
use crate::position::{BAR, OFF, Place, across};

/// The letters of all places, White's 1-point first, the bar and off last.
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

/// The place of a letter as `side` counts it.
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
