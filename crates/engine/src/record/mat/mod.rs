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
//! There is no published definition of the format. [`write`](write()) writes it as GNU Backgammon does, to
//! the last blank. [`read`](read()) also accepts the dialects of other programs:
//!
//! * Columns do not matter where the rules or the order in a line show who acts.
//! * `Beavers` and `Raccoons` are doubles, and the take of one may be missing.
//! * No moves after a roll, `Cannot Move` or `???`: the turn is lost if nothing is legal; if only one play is
//!   legal, it is made; otherwise the game breaks off there.
//! * `Cannot Move` without a roll is the turn of a side that is closed out (G17).
//! * A win line in mid-game is a resignation. Its points are checked against the game, and may be no more
//!   than the match needs (M2).
//! * Ratings and countries after names (`Ann,1650.2`, `Ann (JPN)`) are left out, on writing too.
//! * The Crawford game is not marked: it is the first in which exactly one side needs one point (M3).
//! * Jacoby is not marked: it was played if the score of the next game shows that an undoubled gammon counted
//!   one point (C9).
//!
//! Comments begin with `;`. Of the headers in them, `Site`, `Event`, `Round` and `EventDate` are kept, and so
//! are `Crawford` and `Jacoby`, `"On"` or `"Off"`, which are written only if the reader would guess
//! otherwise. `Variation` names the game that is played (V1 to V4), as in GNU Backgammon: `"NackGammon"`,
//! `"HyperGammon (3)"`, and backgammon without it; games that GNU Backgammon does not know are `"Misere"`,
//! `"Inverse"`, `"Plakoto"` and `"Fevga"`. Any other name is refused, because its plays would not fit.

mod line;
mod read;
mod write;

#[cfg(test)]
pub(super) use line::plain_name;
pub use read::{read, read_as, read_assuming};
pub use write::write;
