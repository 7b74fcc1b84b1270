//! Still pictures of positions.

use super::board::{self, COLUMN, Disc, HEIGHT, RIM, STACKED, Spot};
use super::view::{BoardView, places};
use owlbox_engine::{BAR, Colour, Movement, OFF, Place, Position, Variant};
use owlbox_locale::Locale;

/// A still picture of a position from White's side, with what has moved since the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Still {
    /// The viewer's choice of names and direction.
    view: BoardView,
    start: Position,
    position: Position,
}

impl Still {
    /// The position after a play of White's from the start.
    pub fn after(view: BoardView, position: Position) -> Self {
        Self { view, start: Variant::Standard.start(), position }
    }

    /// The start itself.
    pub fn start(view: &BoardView) -> Self {
        Self::after(*view, Variant::Standard.start())
    }

    /// The position in words, for readers who do not see the picture.
    pub fn said(&self, t: &Locale) -> String {
        let words = ["board-off", "board-bar"].map(|key| t.get(key));
        let names = (OFF..=BAR).zip(places(self.view.names, Colour::White, words));
        let standing = names.map(|(place, name)| (name, self.position.mover().at(place)));
        let points: Vec<String> = standing
            .rev()
            .filter(|(_, checkers)| *checkers > 0)
            .map(|(name, checkers)| t.labelled(name, checkers))
            .collect();
        t.with("reference-white-stands", "points", points.join(", "))
    }

    pub fn discs(&self) -> Vec<Disc> {
        let mut discs = board::discs(self.position);
        self.view.lay_places(&mut [], &mut discs);
        discs
    }

    /// The middles of the spots that a checker has left.
    pub fn left(&self) -> Vec<(i32, i32)> {
        self.only_in(self.start, self.position)
    }

    /// The middles of the checkers that have moved.
    pub fn moved(&self) -> Vec<(i32, i32)> {
        self.only_in(self.position, self.start)
    }

    /// The middles of White's checkers on points that hold fewer in another position.
    fn only_in(&self, position: Position, other: Position) -> Vec<(i32, i32)> {
        let on_point = |place: Place| {
            let checkers = other.mover().at(place)..position.mover().at(place);
            checkers.map(move |nth| middle(self.view, place, nth))
        };
        (1..BAR).flat_map(on_point).collect()
    }
}

/// The middle of White's checker number `nth` on a point, counted from the rim.
fn middle(view: BoardView, place: Place, nth: u8) -> (i32, i32) {
    let (left, above) = board::column(place);
    let from_rim = RIM + STACKED * i32::from(nth.min(4));
    (view.at(left + COLUMN / 2, 0), if above { from_rim } else { HEIGHT - from_rim })
}

/// The points of a board without checkers, which is drawn once for all pictures of a page.
pub(crate) fn spots(view: &BoardView) -> Vec<Spot> {
    let mut spots = board::spots(false, Movement::Backgammon);
    view.lay_places(&mut spots, &mut []);
    spots
}

/// The name of the point of a spot.
pub(crate) fn point_name(view: &BoardView, spot: &Spot) -> String {
    view.names.name(Colour::White, spot.place)
}
