//! Plakoto (V4): the game of Tavli in which a lone checker is not hit but pinned where it stands.
//!
//! Rules as bkgm.com tells them ("Plakoto", "Tavli") and the Ludii portal ("Plakoto"); `docs/rules.md` says which, and what they
//! leave open. How checkers move: [`movement`](super::super::movement).

use super::{Definition, Movement, tavli};

pub(super) const DEFINITION: Definition = tavli::game(Movement::Plakoto);
