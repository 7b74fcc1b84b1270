//! Sheets of matches and money sessions between two players, each a stream of its own (M1 to M8, C0 to C10).
//!
//! A game is entered with its result, refereed on a board, or imported from a file. A match ends when its
//! score says so, or by a stated final score, a concession or a ruling. The result is its [`Outcome`].
//!
//! * [`terms`]: what is played for, and the match of a tournament that the sheet is for.
//! * [`game`]: the result of a game, and the score after it.
//! * [`command`], [`event`], [`refusal`]: the language of the stream.
//! * [`outcome`], [`score`], [`clock`]: how matches end, their points and their time. Brackets use them too.
//! * [`state`]: the state, and how each event changes it.
//! * `decide`, [`legal`]: the events a command leads to, and the commands allowed now.
//! * [`offers`]: the legal commands spelled out, with what each would bring.
//! * `board`: a game that the engine referees, and its record for a file.
//! * `mat`: export of match text. The import is in `decide`.
//! * [`statistics`]: how many games of each kind each side won (M8).
//! * [`view`]: the state as viewers see it.
//! * `aggregate`: the [`Aggregate`](owlbox_base::journal::Aggregate) made of all this.
//!
//! Each module imports only those before it in this order: [`outcome`], [`score`], [`clock`], [`terms`];
//! `board`, [`game`]; [`command`], [`event`], [`refusal`]; [`state`]; [`statistics`], `mat`; `decide`, then
//! [`legal`]; [`view`], [`offers`], `asked`, `shared`; `aggregate` last.
//!
//! The upper slot is White. Left to others: undo ([`owlbox_base::journal::Stream`]), permissions, whether the
//! players exist, the tournament, and the books.

mod aggregate;
mod asked;
mod aspects;
mod board;
pub mod clock;
pub mod command;
mod decide;
pub mod event;
pub mod game;
pub mod legal;
mod mat;
pub mod offers;
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

pub use aspects::{CommandAspect, OfferedTo};
pub use command::{Command, CommandKind, ContestRuling, Entered, InBracket};
pub use decide::MOST_BYTES;
pub use event::{DecidedBy, Event, EventKind};
pub use game::{EnteredBy, Entry, GameEnding, LineContent, SheetStanding, Vouched, Won};
pub use legal::Legal;
pub use offers::{Asker, Offer, OfferEffect, ResultAuthority};
pub use outcome::{Ending, MatchNo, Outcome, Slot};
pub use refusal::{Allowed, Refusal};
pub use state::{MOST_GAMES, Sheet, Status};
pub use statistics::Statistics;
pub use terms::{MatchOfTournament, Terms};
pub use view::View;
