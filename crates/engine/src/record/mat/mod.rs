//! Match text, `.mat`: two columns, the left one White's.
//!
//! ```text
//! ; [EventDate "2026.11.20"]
//!
//!  7 point match
//!
//!  Game 1
//!  Ann : 0                        Bob : 0
//!   1)                             31: 8/5 6/5
//!   2) 52: 13/8 13/11               Doubles => 2
//!   3)  Takes                      42: 8/4 6/4
//! ```
//!
//! The format was never written down. [`write`](write()) writes it as GNU Backgammon does, to the last blank;
//! [`read`](read()) takes what other programs make of it too:
//!
//! * columns count for nothing where the rules or the order in a line tell who acts;
//! * `Beavers` and `Raccoons` are doubles, and their take may be missing;
//! * no moves after a roll, `Cannot Move` or `???`: the turn is lost if nothing is legal, the one legal play
//!   is made if there is one only, and otherwise the game breaks off there;
//! * `Cannot Move` without a roll is the turn of a side that is closed out (G17);
//! * a win line in mid-game is a resignation. The points in it are checked against what the game counts,
//!   and may be no more than the match needed (M2);
//! * ratings and countries after names (`Ann,1650.2`, `Ann (JPN)`) are left out, here and when writing;
//! * the Crawford game is not marked: it is the first in which exactly one side needs one point (M3);
//! * Jacoby is not marked: it was played if an undoubled gammon counted one point in the score of the next
//!   game (C9).
//!
//! Comments begin with `;`. Of headers in them `Site`, `Event`, `Round`, `EventDate` are kept, and `Crawford`
//! and `Jacoby`, `"On"` or `"Off"`, which are written only where the reader would guess otherwise. `Variation` says which
//! game is played (V1 to V4), as GNU Backgammon has it: `"NackGammon"`, `"HyperGammon (3)"`, and without it backgammon; what
//! it does not know is `"Misere"`, `"Inverse"`, `"Plakoto"`, `"Fevga"`. Another word is refused: its plays would not fit.

mod line;
mod read;
mod write;

#[cfg(test)]
pub(super) use line::plain_name;
pub use read::{read, read_as};
pub use write::write;
