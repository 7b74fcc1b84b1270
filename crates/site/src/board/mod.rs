//! The board of a refereed game, at a table or in a match (G1, G17, G19, C11), and still pictures of
//! positions.
//!
//! A [`Board`] is the game itself, with what its two sides are to the stream that it is a game of; its
//! template asks it for what to draw. Here is what it says in words. [`drawing`] says where things lie,
//! [`acts`] has the buttons and the forms, and [`script`] what the page's script has to know.
//!
//! The buttons come from [`BoardSide::may`]; nothing here decides what is legal. The cube shown is the game's
//! own. At a table each bet has its own cube, and those are at the seats.

mod acts;
mod drawing;
mod left;
#[cfg(test)]
pub(crate) mod samples;
mod script;
pub(crate) mod still;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use left::put_left_board;
pub(crate) use view::{BOARD_COOKIE, BoardView};

use crate::pages::button::Target;
use crate::sentences;
use drawing::{Disc, Spot};
use owlbox_chouette::Side;
use owlbox_engine::game::{ActionKind, Game, Phase};
use owlbox_engine::notation::PointNames;
use owlbox_engine::{Checkers, Colour, Cube, CubeValue, Die, Movement, Owner, Place, Raise, Roll};
use owlbox_locale::Locale;
use owlbox_play::matches::Slot;

/// Professionals seldom turn a cube beyond this value (C10), so the page says so.
pub(crate) const SELDOM_BEYOND: u32 = 8;

/// The board of a refereed game as its viewer sees it.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub t: Locale,
    pub game: Game,
    /// White, who is below, and Black, who is above.
    pub sides: [BoardSide; 2],
    /// What has to be decided before the board goes on, in a sentence. It replaces the status.
    pub waits: Option<String>,
    /// Whether the side on turn may double before it rolls.
    pub may_double: bool,
    /// The sources the dice may come from.
    pub dice_from: DiceFrom,
    /// Where its forms are sent.
    pub target: Target,
    /// The viewer's choice of names and direction.
    pub view: BoardView,
}

/// What a side is to the stream whose game it is. Commands name it so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ActsAs {
    /// At a table.
    Table(Side),
    /// On the sheet of a match.
    Sheet(Slot),
}

impl ActsAs {
    /// The side in words: box, team, White, Black.
    pub fn called(self, t: &Locale) -> String {
        t.get(match self {
            Self::Table(Side::Box) => "board-box",
            Self::Table(Side::Team) => "board-team",
            Self::Sheet(Slot::Upper) => "board-white",
            Self::Sheet(Slot::Lower) => "board-black",
        })
    }
}

/// One side of a refereed game.
#[derive(Clone, Debug)]
pub(crate) struct BoardSide {
    /// The player who moves for it.
    pub name: String,
    pub acts_as: ActsAs,
    /// The actions the viewer may take for it.
    pub may: Vec<ActionKind>,
    /// Its last roll in this game, if any.
    pub last: Option<Roll>,
    /// Whether the viewer plays it.
    pub is_viewers: bool,
    /// Whether nothing stands in the way of an automatic roll: nothing was undone, and nobody has doubled
    /// this turn.
    pub may_roll_at_once: bool,
}

/// The sources the dice of a game may come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DiceFrom {
    pub service: bool,
    /// Whether the viewer may enter what was thrown.
    pub hand: bool,
}

/// What is drawn.
impl Board {
    /// Both sides as they are seen: Black above, White below.
    pub fn sides_from_above(&self) -> impl Iterator<Item = (Colour, &BoardSide)> {
        Colour::ALL.into_iter().zip(&self.sides).rev()
    }

    pub fn checkers(&self, colour: &Colour) -> Checkers {
        self.game.position_seen_by(*colour).mover()
    }

    /// The 24 points, the bar and the tray: the places that can be tapped.
    pub fn spots(&self) -> Vec<Spot> {
        drawing::spots(self.view, self.counts(), self.game.position().movement())
    }

    /// Every checker.
    pub fn discs(&self) -> Vec<Disc> {
        drawing::discs(self.view, self.game.position_seen_by(Colour::White))
    }

    /// The dice to be played, each with its side and its left edge. A double is two dice, like any roll.
    pub fn dice(&self) -> impl Iterator<Item = (Colour, Die, i32)> {
        let roll = self.game.turn().zip(self.roll());
        roll.map(|(turn, roll)| drawing::dice(self.view, turn, roll)).into_iter().flatten()
    }

    /// The other side's last dice, drawn small (G19).
    pub fn last_dice(&self) -> impl Iterator<Item = (Colour, Die, i32)> {
        let other = self.game.turn().map(Colour::other);
        let roll = other.and_then(|other| Some((other, self.side(other).last?)));
        roll.map(|(other, roll)| drawing::last_dice(self.view, other, roll)).into_iter().flatten()
    }

    /// The positions of the pips of a die, in a square of side 6.
    pub fn pips(&self, die: &Die) -> &'static [(u8, u8)] {
        drawing::pips(*die)
    }

    /// The value on the cube, or on offer.
    pub fn figure(&self, cube: &Cube<Colour>) -> CubeValue {
        self.raise().map_or(cube.value, Raise::to)
    }

    /// The value of the cube, if this side owns it and nothing is on offer.
    pub fn cube_of(&self, colour: &Colour) -> Option<CubeValue> {
        let cube = self.game.cube().filter(|cube| cube.owner == Owner::Owned(*colour))?;
        self.raise().is_none().then_some(cube.value)
    }

    /// The middle of the cube.
    pub fn cube_at(&self, cube: &Cube<Colour>) -> (i32, i32) {
        drawing::cube(self.view, cube.owner, self.raise().is_some())
    }
}

/// What is said.
impl Board {
    /// The name of a place, as the numbers on the board have it.
    pub fn place(&self, place: &Place) -> String {
        self.view().place(&self.t, self.counts(), *place)
    }

    /// A side's checkers in words, for readers who do not see the drawing.
    pub fn stands(&self, colour: &Colour) -> String {
        self.view().stands(&self.t, *colour, self.checkers(colour))
    }

    /// The value and the owner of the cube in words.
    pub fn cube_said(&self, cube: &Cube<Colour>) -> String {
        let (t, figure) = (&self.t, &self.figure(cube).get());
        match (self.raise(), cube.owner) {
            (Some(raise), _) => {
                t.fill("board-cube-offered", &[("name", &self.name(&raise.by())), ("to", figure)])
            }
            (None, Owner::Centred) => t.with("board-cube-centred", "cube", figure),
            (None, Owner::Owned(owner)) => {
                t.fill("board-cube-of", &[("cube", figure), ("name", &self.name(&owner))])
            }
        }
    }

    /// What the game waits for, in a sentence.
    pub fn status(&self) -> String {
        let t = &self.t;
        if let Some(waits) = &self.waits {
            return waits.clone();
        }
        if let Some(resigned) = self.game.resignation() {
            let kind = sentences::win(t, resigned.win);
            return t.fill("board-resigns", &[("name", &self.name(&resigned.by)), ("kind", &kind)]);
        }
        let Some(turn) = self.game.turn() else { return t.get("board-opening") };
        let (name, other) = (self.name(&turn), self.name(&turn.other()));
        match self.game.phase() {
            Phase::ToAnswer(raise) => {
                let (by, other) = (self.name(&raise.by()), self.name(&raise.by().other()));
                let to = raise.to().get();
                if self.side(raise.by().other()).is_viewers {
                    return t.fill("board-doubled-you", &[("name", &by), ("to", &to)]);
                }
                t.fill("board-doubled", &[("name", &by), ("other", &other), ("to", &to)])
            }
            _ if self.game.left_board().is_some() => {
                t.fill("board-left", &[("name", &other), ("other", &name)])
            }
            Phase::ToPlay { roll, .. } => {
                let key = if self.game.plays().is_empty() { "board-cannot-move" } else { "board-to-play" };
                t.fill(key, &[("name", &name), ("roll", &roll)])
            }
            _ if self.game.does_not_roll() => {
                let key = if self.may_double { "board-closed-out-may-double" } else { "board-closed-out" };
                t.with(key, "name", name)
            }
            _ if self.may_double => t.with("board-to-roll", "name", name),
            Phase::Opening { .. } | Phase::ToRoll | Phase::Over(_) => {
                t.with("board-only-rolls", "name", name)
            }
        }
    }

    /// Remarks beside the board, in sentences: closed out, a prime (G16, G20), a high cube (C10).
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for colour in Colour::ALL {
            let position = self.game.position_seen_by(colour);
            let say = |key: &str| self.t.with(key, "name", self.name(&colour));
            // A closed-out side on turn is already described as such in the status.
            let said = self.game.does_not_roll() && self.game.turn() == Some(colour);
            if position.is_closed_out() && !said {
                notes.push(say("board-is-closed-out"));
            }
            if position.has_prime() {
                notes.push(say("board-has-prime"));
            }
        }
        if self.next_cube().is_some_and(|cube| cube.get() > SELDOM_BEYOND) {
            notes.push(self.t.get("cube-seldom"));
        }
        notes
    }

    /// The value on offer, or the value of the double that may come next.
    fn next_cube(&self) -> Option<CubeValue> {
        let next =
            || self.game.stake().doubled().filter(|_| self.who_may(ActionKind::Double).next().is_some());
        self.raise().map(Raise::to).or_else(next)
    }
}

/// What the other parts of the board ask.
impl Board {
    const fn side(&self, colour: Colour) -> &BoardSide {
        let [white, black] = &self.sides;
        match colour {
            Colour::White => white,
            Colour::Black => black,
        }
    }

    /// The name of the player who moves for a side.
    pub fn name(&self, colour: &Colour) -> &str {
        &self.side(*colour).name
    }

    /// The sides for which the viewer may take an action of this kind.
    fn who_may(&self, kind: ActionKind) -> impl Iterator<Item = Colour> {
        Colour::ALL.into_iter().filter(move |by| self.side(*by).may.contains(&kind))
    }

    /// The side whose count the numbers on the board follow: the side on turn, or White before the opening.
    fn counts(&self) -> Colour {
        self.game.turn().unwrap_or(Colour::White)
    }

    /// The roll to be played, if there is one.
    const fn roll(&self) -> Option<Roll> {
        match self.game.phase() {
            Phase::ToPlay { roll, .. } => Some(roll),
            Phase::Opening { .. } | Phase::ToRoll | Phase::ToAnswer(_) | Phase::Over(_) => None,
        }
    }

    /// The double that waits for an answer, if any. The engine says what an answer costs or leads to.
    pub const fn raise(&self) -> Option<Raise<Colour>> {
        match self.game.phase() {
            Phase::ToAnswer(raise) => Some(raise),
            Phase::Opening { .. } | Phase::ToRoll | Phase::ToPlay { .. } | Phase::Over(_) => None,
        }
    }

    /// Whether both sides move the same way round. Points then have one set of names only.
    pub fn is_one_way(&self) -> bool {
        self.game.position().movement() == Movement::Fevga
    }

    /// The viewer's choice. In Fevga (V4) only the common names apply: the others give a point the same name
    /// for both sides, which is defined only for sides that move against each other.
    pub fn view(&self) -> BoardView {
        let names = if self.is_one_way() { PointNames::Common } else { self.view.names };
        BoardView { names, ..self.view }
    }
}
