//! Boards for viewers whose sides bear off to the left. All are built bearing off to the right.

use super::{Board, COLUMN, DIE, DieShown, Disc, Spot, TRAY_AT};
use crate::pages::view::BoardView;

impl BoardView {
    /// Mirrors a board if the viewer wants it so.
    pub(crate) fn lay(self, board: &mut Board) {
        if !self.mirrored {
            return;
        }
        self.lay_places(&mut board.spots, &mut board.discs);
        if let Some(cube) = &mut board.cube {
            cube.x = mirrored(cube.x, 0);
        }
        mirror_dice(&mut board.dice, DIE);
        // The other side's dice are drawn at about half the size.
        mirror_dice(&mut board.last, DIE / 2 + 2);
    }

    /// Mirrors the parts that every board has: spots and checkers.
    pub(crate) fn lay_places(self, spots: &mut [Spot], discs: &mut [Disc]) {
        for spot in spots {
            spot.x = self.at(spot.x, COLUMN);
        }
        for disc in discs {
            disc.x = self.at(disc.x, 0);
        }
    }

    /// The left edge of something this wide, mirrored if the viewer wants it so.
    #[must_use]
    pub const fn at(self, left: i32, width: i32) -> i32 {
        if self.mirrored { mirrored(left, width) } else { left }
    }
}

/// The left edge, on the mirrored board, of something this wide. The tray's far edge comes to lie where the
/// left edge of the board was.
const fn mirrored(left: i32, width: i32) -> i32 {
    TRAY_AT + COLUMN - left - width
}

/// Mirrors the places of the dice but keeps their order: the left die, which is played first, stays on the
/// left (G17).
fn mirror_dice(dice: &mut [DieShown], width: i32) {
    let mut lefts: Vec<i32> = dice.iter().map(|die| mirrored(die.x, width)).collect();
    lefts.sort_unstable();
    for (die, left) in dice.iter_mut().zip(lefts) {
        die.x = left;
    }
}
