//! Chouettes: one night at one table, where the box plays alone against everybody else.
//!
//! A game is a set of pairwise bets, and who sits where next is decided by named results of those bets,
//! never by totals. One file an idea:
//!
//! * [`rules`]: the house rules, every dimension in which clubs differ (Q14).
//! * [`order`]: rolling for the order, the line, who comes and goes (Q1, Q5).
//! * [`bet`], [`game`]: bets and their cubes, and what they come to (C1 to C10, G14, Q7, Q11).
//! * [`partner`]: the box's partner (Q13).
//! * [`restraint`]: what the box must do alike.
//! * [`rotation`]: who sits where next (Q3, Q4, Q8, Q12).
//! * [`exposure`]: what each can still lose.
//! * [`finished`]: games that are over, and their correction.
//! * [`command`], [`event`], [`refusal`]: what is asked, what happened, why not.
//! * [`state`]: what the events add up to, and what each of them changes. `outcome`: what comes of an event besides.
//! * `decide`, [`legal`]: which commands may come now, and what they make happen. Both go by the same
//!   checks, so they agree.
//! * `asked`: what was asked for, of what happened: for whoever decides it again.
//! * [`view`]: the state as others see it.
//! * `aggregate`: what of all this makes the [`Aggregate`](crate::journal::Aggregate).
//!
//! Each imports only those before it: rules and values ([`rules`], [`bet`], [`order`], [`game`], [`partner`], [`restraint`],
//! [`rotation`], [`exposure`]); what is said ([`command`], [`event`], [`refusal`]); what there is ([`finished`], [`state`], `outcome`,
//! which applying an event asks about old ones); what may come (`decide`, then [`legal`]); who looks on ([`view`], `asked`, `shared`);
//! `aggregate` last.
//!
//! What is left to others: undo ([`crate::journal::Stream`]), money ([`crate::ledger`]), who may give
//! which command, and whether a player exists.

mod aggregate;
mod asked;
pub mod bet;
pub mod command;
mod decide;
pub mod event;
pub mod exposure;
pub mod finished;
pub mod game;
pub mod legal;
pub mod order;
mod outcome;
pub mod partner;
pub mod refusal;
pub mod restraint;
pub mod rotation;
pub mod rules;
mod shared;
pub mod state;
pub mod view;

#[cfg(test)]
mod tests;

pub use bet::{Bet, BetKind, BetStanding, CubeOwner, Settled, SettledBet, SettledBy, Side};
pub use command::{BetCorrection, BetEnded, Command, CommandKind, Settlement};
pub use decide::{LONGEST_NAME, MOST_PAID, MOST_UNITS, SEATS, TO_LEAVE};
pub use event::{
    DroppedBet, DroppedCube, Event, EventKind, FinishedGame, GameBet, OpenedBet, StillAsked, TurnedBet,
};
pub use finished::Finished;
pub use game::{Answer, Game, Proxy, settle};
pub use legal::Legal;
pub use order::{Line, Roll, Seats};
pub use refusal::{Allowed, Refusal};
pub use rules::HouseRules;
pub use state::{Chouette, Phase};
pub use view::{BetView, BoardView, GameView, Score, StandingView, View};
