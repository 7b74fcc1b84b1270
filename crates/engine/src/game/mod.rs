//! One game, from the opening roll to its result (G3, G4, G13 to G18, C1 to C10, I1 to I3).
//!
//! A [`Game`] is the sum of its [`Event`]s. A side asks for an [`Action`]; [`Game::decide`] answers with
//! events or with a [`Refusal`], and [`Game::apply`] applies events. This is the contract of an aggregate, so
//! a match or a chouette can embed a game and keep its events in its own stream.
//!
//! * [`rules`]: what was agreed before the first roll.
//! * [`action`], [`event`], [`refusal`]: what a side asks for, what happened, and why not.
//! * [`position_id`]: positions as actions and events write them.
//! * [`again`]: from events back to the actions that led to them.
//! * [`state`]: the state that the events add up to. Applying one computes no rule.
//! * `permit`: what each side may do now; `decide`: what it leads to. Only `permit` knows which actions are
//!   legal, so [`Game::legal_actions`] and `decide` agree.
//!
//! # A turn
//!
//! ```text
//!           roll_opening            double              take
//!  Opening ─────────────► ToPlay ◄─ roll ── ToRoll ──► ToAnswer ──► ToRoll
//!   ▲   │ tie               │                  ▲          │  ▲ │
//!   └───┘                   │ play, pass       │          │  └─┘ beaver
//!                           ▼                  │          ▼ drop
//!                 the other side's turn ───────┘         Over
//! ```
//!
//! A side may also `resign` whenever no double waits for an answer. A side that has thrown cocked dice
//! reports them and throws again (I1). After `leave_board`, when dice were lifted over a board that no legal
//! play leads to, it is the other side's turn, and that side may `send_back` the play first (I2).
//!
//! The module leaves to others who plays which colour and may speak for it, what a game means for a match or
//! a chouette (M1 to M6), and undo.

pub mod action;
pub mod again;
mod decide;
pub mod event;
mod permit;
pub mod position_id;
pub mod refusal;
pub mod rules;
pub mod state;
#[cfg(test)]
mod tests;

pub use action::{Action, ActionKind, OpeningDice};
pub use event::{DiceSource, Event};
pub use position_id::PositionId;
pub use refusal::Refusal;
pub use rules::{BoardRules, ClosedOut, CubeOptions, CubeRules, GameRules};
pub use state::{Game, LeftBoard, Phase, Resignation};
