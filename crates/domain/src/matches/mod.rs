//! Matches and money sessions between two, each a stream of its own: the sheet that says what its two players won, game by game (M1 to M8, C0 to C10).
//!
//! Games
//! are told with one tap, refereed on a board, or taken from a file. The match is over when its score says so, or by
//! what was stated, conceded or ruled, and what it came to is its [`Outcome`]. One file an idea:
//!
//! * [`terms`]: what is played for, and which match of a tournament it is.
//! * [`game`]: a game that somebody won; the score after it.
//! * [`command`], [`event`], [`refusal`]: what is asked, what happened, why not.
//! * [`outcome`], [`score`], [`clock`]: how matches end, what their points come to, and the time they have; brackets use them too.
//! * [`state`]: what the events add up to, and what each of them changes.
//! * `decide`, [`legal`]: which commands may come now, and what they make happen.
//! * `board`: the game that the engine referees, and what of it a file can say.
//! * `mat`: match text, out; in is a decision.
//! * [`statistics`]: who won how many games of which kind (M8).
//! * [`view`]: the state as others see it.
//! * `aggregate`: what of all this makes the [`Aggregate`](crate::journal::Aggregate).
//!
//! Each imports only those before it: [`outcome`], [`score`], [`clock`], [`terms`]; `board`, [`game`]; [`command`], [`event`],
//! [`refusal`]; [`state`]; [`statistics`], `mat`; `decide`, then [`legal`]; [`view`], `asked`, `shared`; `aggregate` last.
//!
//! The upper slot is White. What is left to others: undo ([`crate::journal::Stream`]), who may give which command,
//! whether the players exist, the tournament, and the books.

mod aggregate;
mod asked;
mod board;
pub mod clock;
pub mod command;
mod decide;
pub mod event;
pub mod game;
pub mod legal;
mod mat;
pub mod outcome;
pub mod refusal;
pub mod score;
mod shared;
pub mod state;
pub mod statistics;
pub mod terms;
#[cfg(test)]
mod tests;
pub mod view;

pub use command::{Command, CommandKind, ContestRuling, Entered, InBracket};
pub use decide::{MOST_BYTES, MOST_GAMES};
pub use event::{DecidedBy, Event, EventKind};
pub use game::{EnteredBy, Entry, How, SheetStanding, Vouched, What, Won};
pub use legal::Legal;
pub use outcome::{Ending, MatchNo, Outcome, Slot};
pub use refusal::{Allowed, Refusal};
pub use state::{Sheet, Status};
pub use statistics::Statistics;
pub use terms::{MatchOfTournament, Terms};
pub use view::View;
