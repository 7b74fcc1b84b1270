//! Where things lie in the drawing of a board.
//!
//! White moves anticlockwise; its home is at the lower right (G1), unless the viewer wants the board
//! mirrored. Points are numbered as the side on turn counts them, so that the notation under the board agrees
//! with the numbers on it. In Fevga (V4) both sides move the same way round, and Black's points are half a
//! lap from White's. A pinned checker lies at the rim, under those that pin it.

use super::view::BoardView;
use owlbox_engine::{BAR, Colour, Die, Movement, OFF, Owner, Place, Position, Roll};

/// At most this many checkers of a point are drawn. If there are more, the last one carries the number (G19).
pub(super) const DRAWN: u8 = 5;
/// The width of a column, in the units of the drawing.
pub(super) const COLUMN: i32 = 40;
/// The height of the drawing, in its units.
pub(super) const HEIGHT: i32 = 520;
/// The distance from the edge to the middle of a point's outermost checker.
pub(super) const RIM: i32 = 43;
/// The distance from one checker of a point to the next, middle to middle.
pub(super) const STACKED: i32 = 37;
/// The left edge of the bar's column.
const BAR_AT: i32 = 6 * COLUMN;
/// The left edge of the trays' column.
pub(super) const TRAY_AT: i32 = 13 * COLUMN + 4;
/// The width of a die.
const DIE: i32 = 62;
/// The other side's dice are drawn at about half the size.
const SMALL_DIE: i32 = DIE / 2 + 2;
/// How far from the middle of the bar an owned cube lies: well on its owner's side, and beside the checkers
/// that wait there.
const CUBE_MOVES: i32 = 92;

impl BoardView {
    /// The left edge of something this wide, on the mirrored board if the viewer wants it so.
    pub const fn at(self, left: i32, width: i32) -> i32 {
        // The tray's far edge comes to lie where the left edge of the board was.
        if self.mirrored { TRAY_AT + COLUMN - left - width } else { left }
    }
}

/// A column in which checkers are stacked, on a board that is not mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// Its left edge.
    pub left: i32,
    /// Whether it hangs from the upper rim.
    pub above: bool,
}

impl Column {
    /// The column of a point, as White counts it.
    pub const fn of(point: Place) -> Self {
        let number = point as i32;
        let (left, above) = match number {
            1..=6 => (7 * COLUMN + (6 - number) * COLUMN, false),
            7..=12 => ((12 - number) * COLUMN, false),
            13..=18 => ((number - 13) * COLUMN, true),
            _ => (7 * COLUMN + (number - 19) * COLUMN, true),
        };
        Self { left, above }
    }

    /// The middle of a checker of the stack, the first of which is number 0.
    pub fn checker(self, view: BoardView, number: u8) -> (i32, i32) {
        let from_rim = RIM + STACKED * i32::from(number);
        (view.at(self.left + COLUMN / 2, 0), if self.above { from_rim } else { HEIGHT - from_rim })
    }
}

/// A place of the board that can be tapped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// The number of the place as the side on turn counts it: 25 is the bar, 0 the tray.
    pub place: Place,
    pub x: i32,
    /// Whether it is in the upper half.
    pub above: bool,
    /// The shade of a point, `true` for one of the two. `None` for the bar and the tray.
    pub point: Option<bool>,
}

impl Spot {
    pub const fn y(&self) -> i32 {
        if self.above { 0 } else { HEIGHT / 2 }
    }

    pub const fn middle(&self) -> i32 {
        self.x + COLUMN / 2
    }

    /// The corners of the point's triangle, for `<polygon>`.
    pub fn triangle(&self) -> String {
        let (left, right) = (self.x + 1, self.x + COLUMN - 1);
        let (rim, tip) = if self.above { (24, 224) } else { (HEIGHT - 24, HEIGHT - 224) };
        format!("{left},{rim} {right},{rim} {},{tip}", self.middle())
    }

    /// The baseline of the point's number.
    pub const fn number_at(&self) -> i32 {
        if self.above { 17 } else { HEIGHT - 7 }
    }
}

/// Every place, as `colour` counts.
pub(super) fn spots(view: BoardView, colour: Colour, movement: Movement) -> Vec<Spot> {
    let is_white = colour == Colour::White;
    let spot = |place, Column { left, above }, point| Spot { place, x: view.at(left, COLUMN), above, point };
    let point = |point: Place| {
        let number = if is_white { point } else { movement.across(point) };
        spot(number, Column::of(point), Some(point.is_multiple_of(2)))
    };
    // White enters above and bears off below.
    let bar = spot(BAR, Column { left: BAR_AT, above: is_white }, None);
    let tray = spot(OFF, Column { left: TRAY_AT, above: !is_white }, None);
    (1..=24).map(point).chain([bar, tray]).collect()
}

/// A checker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disc {
    pub x: i32,
    pub y: i32,
    pub colour: Colour,
    /// The number of checkers it stands for, written on it. `None` for a single one.
    pub count: Option<u8>,
}

/// Every checker. `position` is as White sees it.
pub(super) fn discs(view: BoardView, position: Position) -> Vec<Disc> {
    let mut discs = Vec::new();
    for (colour, seen) in [(Colour::White, position), (Colour::Black, position.turned())] {
        let (checkers, is_white) = (seen.mover(), colour == Colour::White);
        // A stack of `count` checkers, above `under` of the other side's.
        let mut stack = |column: Column, under: u8, count: u8| {
            let shown = count.min(DRAWN - under);
            for number in under..under + shown {
                let is_last = number + 1 == under + shown && count > shown;
                let (x, y) = column.checker(view, number);
                discs.push(Disc { x, y, colour, count: is_last.then_some(count) });
            }
        };
        for place in 1..=24 {
            let across = seen.across(place);
            // Room at the rim for the checker that these pin (V4).
            let under = u8::from(seen.other().is_pinned(across));
            stack(Column::of(if is_white { place } else { across }), under, checkers.at(place));
        }
        stack(Column { left: BAR_AT, above: is_white }, 0, checkers.on_bar());
        stack(Column { left: TRAY_AT, above: !is_white }, 0, checkers.off());
    }
    discs
}

/// The dice to be played by a side, each with its left edge.
pub(super) fn dice(view: BoardView, of: Colour, roll: Roll) -> [(Colour, Die, i32); 2] {
    side_by_side(of, roll, [332, 408].map(|left| view.at(left, DIE)))
}

/// A side's last dice (G19).
pub(super) fn last_dice(view: BoardView, of: Colour, roll: Roll) -> [(Colour, Die, i32); 2] {
    side_by_side(of, roll, [80, 120].map(|left| view.at(left, SMALL_DIE)))
}

/// Two dice at these left edges. The higher one, which is played first, is on the left on a mirrored board as
/// well (G17).
fn side_by_side(of: Colour, roll: Roll, [one, other]: [i32; 2]) -> [(Colour, Die, i32); 2] {
    [(of, roll.high(), one.min(other)), (of, roll.low(), one.max(other))]
}

/// The positions of the pips of a die, in a square of side 6.
pub(super) const fn pips(die: Die) -> &'static [(u8, u8)] {
    match die.pips() {
        1 => &[(3, 3)],
        2 => &[(1, 5), (5, 1)],
        3 => &[(1, 5), (3, 3), (5, 1)],
        4 => &[(1, 1), (1, 5), (5, 1), (5, 5)],
        5 => &[(1, 1), (1, 5), (3, 3), (5, 1), (5, 5)],
        _ => &[(1, 1), (1, 3), (1, 5), (5, 1), (5, 3), (5, 5)],
    }
}

/// The middle of the cube. It lies on the bar, in the middle or on its owner's side; while it is offered, on
/// the board.
pub(super) const fn cube(view: BoardView, owner: Owner<Colour>, is_offered: bool) -> (i32, i32) {
    let x = if is_offered { 10 * COLUMN } else { BAR_AT + COLUMN / 2 };
    let moved = match owner {
        Owner::Owned(Colour::White) if !is_offered => CUBE_MOVES,
        Owner::Owned(Colour::Black) if !is_offered => -CUBE_MOVES,
        Owner::Centred | Owner::Owned(_) => 0,
    };
    (view.at(x, 0), HEIGHT / 2 + moved)
}
