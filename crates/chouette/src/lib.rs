//! Chouettes: one night at one table, where the box plays alone against everybody else. Without I/O: no
//! clock, no randomness, no database, no HTTP.
//!
//! A game is a set of pairwise bets. The results of particular bets decide who sits where next, never totals.
//!
//! * [`rules`]: the house rules, with every point in which clubs differ (Q14).
//! * [`order`]: rolling for the order, the line, players who come and go (Q1, Q5).
//! * [`bet`], [`game`]: bets, their cubes and their results (C1 to C10, G14, Q7, Q11).
//! * [`partner`]: the box's partner (Q13).
//! * [`restraint`]: which of its cubes the box must treat alike.
//! * [`rotation`]: the seats for the next game (Q3, Q4, Q8, Q12).
//! * [`exposure`]: how much each player can still lose.
//! * [`finished`]: finished games and their correction.
//! * [`command`], [`event`], [`refusal`]: the language of the stream. `aspects`: what others
//!   ask of these.
//! * [`state`]: the state, and how each event changes it. `outcome`: further effects of an event.
//! * `decide`, [`legal`]: the events a command leads to, and the commands allowed now. They share their
//!   checks, so they agree.
//! * [`offers`]: the legal commands spelled out, with the events each would bring.
//! * `asked`: the command behind recorded events, so that verification can decide it again.
//! * [`roles`]: what everybody at the table is now.
//! * [`view`]: the state as viewers see it.
//! * `aggregate`: the [`Aggregate`](owlbox_base::journal::Aggregate) made of all this.
//!
//! Each module imports only those before it in this order: [`rules`], [`bet`], [`order`], [`game`],
//! [`partner`], [`restraint`], [`rotation`], [`exposure`]; then [`command`], [`event`], `aspects`,
//! [`refusal`]; [`finished`], [`state`], and `outcome`, which `state` uses to apply older events; `decide`,
//! then [`legal`], then [`offers`]; [`roles`], [`view`], `asked`, `shared`; `aggregate` last.
//!
//! Left to others: undo ([`owlbox_base::journal::Stream`]), money (`owlbox_books`), permissions, and whether
//! a player exists.

// In a test a wildcard arm is safe: the test panics on a variant it does not know.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

// Tests that the books share name this crate as they do.
#[cfg(test)]
extern crate self as owlbox_chouette;

mod aggregate;
mod asked;
mod aspects;
pub mod bet;
pub mod command;
mod decide;
pub mod event;
pub mod exposure;
pub mod finished;
pub mod game;
pub mod legal;
pub mod offers;
pub mod order;
mod outcome;
pub mod partner;
pub mod refusal;
pub mod restraint;
pub mod roles;
pub mod rotation;
pub mod rules;
mod shared;
pub mod state;
pub mod view;

#[cfg(test)]
mod tests;

pub use aspects::{CommandAspects, Elsewhere, Seating, Speaks};
pub use bet::{Bet, BetKind, BetStanding, CubeOwner, Settled, SettledBet, SettledBy, Side};
pub use command::{BetCorrection, BetEnded, Command, CommandKind, Settlement};
pub use decide::{LONGEST_NAME, MOST_PAID, MOST_UNITS, SEATS, TO_LEAVE};
pub use event::{
    DroppedBet, DroppedCube, Event, EventKind, FinishedGame, GameBet, OpenedBet, StillAsked, TurnedBet,
};
pub use finished::Finished;
pub use game::{Answer, Game, Proxy, settle};
pub use legal::Legal;
pub use offers::{Alike, Everybody, Offer, Whom};
pub use order::{Line, Roll, Seats};
pub use refusal::{Allowed, Refusal};
pub use roles::SeatRole;
pub use rules::HouseRules;
pub use state::{Chouette, Phase};
pub use view::{BetView, BoardView, GameView, Score, StandingView, View};
