//! Fevga (V4): the game of Tavli in which both sides run the same way round, and one checker holds a point.
//!
//! Rules as bkgm.com tells them ("Fevga", "Tavli") and BrainKing ("Fevga"); `docs/rules.md` says which, and what they leave
//! open. How checkers move: [`movement`](super::super::movement).

use super::{Definition, Movement, tavli};

pub(super) const DEFINITION: Definition = tavli::game(Movement::Fevga);
