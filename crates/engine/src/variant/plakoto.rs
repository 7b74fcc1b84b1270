//! Plakoto (V4): the game of Tavli in which a lone checker is not hit but pinned where it stands.
//!
//! The rules follow bkgm.com ("Plakoto", "Tavli") and the Ludii portal ("Plakoto"). Owlbox's `docs/rules.md`
//! tells which one is followed where, and what they leave open. The movement itself is in
//! [`movement`](super::super::movement).

use super::{Definition, Movement, tavli};

pub(super) const DEFINITION: Definition = tavli::game(Movement::Plakoto);
