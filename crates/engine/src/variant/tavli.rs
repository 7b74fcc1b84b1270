//! What Plakoto and Fevga share (V4): all fifteen checkers begin on one point, the winner of the opening roll
//! throws both dice again, there is no cube, and a win counts once or twice.

use super::{Checkers, Definition, Movement, Opening, Win, standard};
use crate::movement::START;

/// The definition of the game with this movement.
pub(super) const fn game(movement: Movement) -> Definition {
    Definition {
        start: Checkers::standing(&[(START, 15)]).moving(movement),
        opening: Opening::RolledAnew,
        has_cube: false,
        wins: &[Win::Single, Win::Gammon],
        ..standard::DEFINITION
    }
}
