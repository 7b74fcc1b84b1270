//! Still pictures of positions.

use super::drawing::{self, Column, DRAWN, Disc, Spot};
use super::view::BoardView;
use owlbox_engine::{BAR, Colour, Movement, Place, Position, Variant};
use owlbox_locale::Locale;

/// Where White's plays of the opening begin.
const START: Position = Variant::Standard.start();

/// A still picture of a position from White's side, with what has moved since the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Still {
    /// The viewer's choice of names and direction.
    view: BoardView,
    position: Position,
}

impl Still {
    /// The position after a play of White's from the start.
    pub fn after(view: BoardView, position: Position) -> Self {
        Self { view, position }
    }

    /// The start itself.
    pub fn start(view: &BoardView) -> Self {
        Self::after(*view, START)
    }

    /// The position in words, for readers who do not see the picture.
    pub fn said(&self, t: &Locale) -> String {
        let points = self.view.stands(t, Colour::White, self.position.mover());
        t.with("reference-white-stands", "points", points)
    }

    pub fn discs(&self) -> Vec<Disc> {
        drawing::discs(self.view, self.position)
    }

    /// The middles of the spots that a checker has left.
    pub fn left(&self) -> Vec<(i32, i32)> {
        self.only_in(START, self.position)
    }

    /// The middles of the checkers that have moved.
    pub fn moved(&self) -> Vec<(i32, i32)> {
        self.only_in(self.position, START)
    }

    /// The middles of White's checkers on points that hold fewer in another position.
    fn only_in(&self, position: Position, other: Position) -> Vec<(i32, i32)> {
        let on_point = |place: Place| {
            let checkers = other.mover().at(place)..position.mover().at(place);
            checkers.map(move |number| Column::of(place).checker(self.view, number.min(DRAWN - 1)))
        };
        (1..BAR).flat_map(on_point).collect()
    }
}

/// The points of a board without checkers, which is drawn once for all pictures of a page.
pub(crate) fn spots(view: &BoardView) -> Vec<Spot> {
    drawing::spots(*view, Colour::White, Movement::Backgammon)
}

/// The name of the point of a spot.
pub(crate) fn point_name(view: &BoardView, spot: &Spot) -> String {
    view.names.name(Colour::White, spot.place)
}
