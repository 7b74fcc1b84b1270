//! One game, from the opening roll to its result (G3, G4, G13 to G18, C1 to C10, I1 to I3).
//!
//! A [`Game`] is the sum of its [`Event`]s. A side asks for an [`Action`], [`Game::decide`] answers with
//! what it makes happen or with a [`Refusal`], and [`Game::apply`] takes note: the contract of an
//! aggregate, so that a match or a chouette can keep a game inside its own
//! stream and carry its events there. One file an idea:
//!
//! * [`rules`]: what was agreed before the first roll.
//! * [`action`], [`event`], [`refusal`]: what is asked, what happened, why not.
//! * [`position_id`]: how events write positions down.
//! * [`again`]: what was done, of what happened.
//! * [`state`]: what the events add up to. Applying one computes no rule.
//! * `permit`: what each side may do now. `decide`: what comes of it. Whether an action is legal is asked in
//!   one place, so [`Game::legal_actions`] and `decide` agree.
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
//! A side may also `resign` whenever no double waits for its answer, and whoever has thrown cocked dice says
//! so and throws again (I1). After `leave_board` - dice lifted over what is no legal play - the turn is the
//! other side's, which may `send_back` the play first (I2).
//!
//! Left to others: who plays which colour and may speak for it, what a game means for a match or a
//! chouette (M1 to M6), and undo.

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
