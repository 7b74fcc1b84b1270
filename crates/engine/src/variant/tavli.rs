//! What Plakoto and Fevga have in common (V4): all fifteen begin on one point, whoever wins the opening roll throws both dice
//! anew, there is no cube, and a win counts once or twice.

use super::{Checkers, Definition, Movement, Opening, Win, standard};
use crate::movement::START;

/// The game in which checkers move so.
pub(super) const fn game(movement: Movement) -> Definition {
    Definition {
        start: Checkers::standing(&[(START, 15)]).moving(movement),
        opening: Opening::RolledAnew,
        has_cube: false,
        wins: &[Win::Single, Win::Gammon],
        ..standard::DEFINITION
    }
}
