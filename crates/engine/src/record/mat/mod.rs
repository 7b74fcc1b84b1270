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
//! the last blank. [`read`](read()) also reads what other programs and servers write. A file is this, with
//! `#` or `;` before comments, also at the end of a line:
//!
//! ```text
//! file     = { header } length { "Game" number players { row } }
//! header   = "; [" key " \"" value "\"]"
//! length   = number "point match" | "Match to" number "points" | "Money game"
//! players  = name ":" points name ":" points
//! row      = [ number ")" ] { cell } [ row ]
//! cell     = dice [ ":" ] ( moves | nothing | "????" ) [ lost ] | double | take | drop | won | lost
//! nothing  = "" | "Cannot Move" | "Can't Move" | "No Play" | "(none)" | ...
//! double   = ( "Doubles" | "Redoubles" | "Beavers" | "Raccoons" ) [ "=>" number ]
//! take     = "Takes" | "Accepts"
//! drop     = "Drops" | "Passes" | "Rejects"
//! won      = "Wins" ( number | "gammon" | "the match" ) ...
//! lost     = ( "Losses" | "Loses" | "Lost" | "Resigns" | "Concedes" | "Forfeits" | "Times out" | ... )
//!            [ number ] ...
//! ```
//!
//! Case does not matter, nor do blanks and tabs, nor where a line ends (also as old Macintoshes end it).
//! Verbs may also stand in other forms (`Double`, `Resigned`). Text is in UTF-8, UTF-16 or Windows-1252. The
//! rest is up to the rules:
//!
//! * **Who acts.** Of two cells in a row the first is White's. One alone is of the side whose turn it is; its
//!   column counts only if the rules leave it open.
//! * **No moves after a roll.** The turn is lost if nothing is legal; if only one play is legal, it is made;
//!   otherwise the game breaks off there. `Cannot Move` without a roll is the turn of a side that is closed
//!   out (G17). A play that is said to be illegal is refused.
//! * **A beaver** is a double, and its take may be missing.
//! * **The end of a game** is a check if the game is over, otherwise a resignation: time that ran out counts
//!   as one. Of what the file says, the score of the next game is believed first, then who won, then who
//!   lost. Without points it is a single win, or what decides the match if it says so. A player who gives up
//!   instead of answering a double drops it.
//! * **Points** are checked against the game. The last game of a match may state any points that decide it
//!   (M2).
//! * **Names** are those of the first game, however they are spelt later; but they may not change sides.
//!   Ratings and countries (`Ann,1650.2`, `Ann (JPN)`) are left out, on writing too.
//! * The Crawford game is not marked: it is the first in which exactly one side needs one point (M3).
//! * Jacoby is not marked: it was played if the score of the next game shows that an undoubled gammon counted
//!   one point (C9), or if that is stated of the only game of a text, which then is for money.
//!
//! Of the headers `Site`, `Event`, `Round` and `EventDate` (or `Date`) are kept, and so
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
