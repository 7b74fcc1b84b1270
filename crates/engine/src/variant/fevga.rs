//! Fevga (V4): the game of Tavli in which both sides run the same way round, and one checker holds a point.
//!
//! The rules follow bkgm.com ("Fevga", "Tavli") and BrainKing ("Fevga"). Owlbox's `docs/rules.md` tells which
//! one is followed where, and what they leave open. The movement itself is in
//! [`movement`](super::super::movement).

use super::{Definition, Movement, tavli};

pub(super) const DEFINITION: Definition = tavli::game(Movement::Fevga);
