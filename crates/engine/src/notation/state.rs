//! What GNU Backgammon's match ID and the XGID tell beside the position.

use crate::cube::{Cube, CubeValue};
use crate::dice::Roll;
use crate::result::Win;

/// The most points a match may have here, and the highest score: what a match ID can hold.
pub const MOST_POINTS: u16 = 0x7fff;

/// A player as those notations know them: by where they sit, whoever is on roll.
///
/// ```
/// use owlbox_engine::notation::state::Seat;
///
/// assert_eq!(Seat::Top.other(), Seat::Bottom);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// Player 0, drawn as O, the lower-case letters of an XGID.
    Top,
    /// Player 1, drawn as X, the upper-case letters of an XGID.
    Bottom,
}

impl Seat {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Top => Self::Bottom,
            Self::Bottom => Self::Top,
        }
    }
}

/// How far a game is.
///
/// ```
/// use owlbox_engine::notation::state::{MatchState, Seat, Stage};
///
/// assert_eq!(MatchState::money(Seat::Bottom).stage, Stage::Playing);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Not begun.
    NotStarted,
    /// Being played.
    Playing,
    /// Borne off to its end (G13).
    Over,
    /// Ended by a resignation.
    Resigned,
    /// Ended by a dropped double (C3).
    Dropped,
}

impl Stage {
    /// Every stage, by the number a match ID has for it.
    pub const ALL: [Self; 5] = [Self::NotStarted, Self::Playing, Self::Over, Self::Resigned, Self::Dropped];
}

/// A match or a money game at one moment, but for the checkers.
///
/// Neither notation tells all of it: a match ID has no beavers, an XGID neither resignation nor stage. What a
/// notation does not tell is read as in [`MatchState::money`].
///
/// ```
/// use owlbox_engine::notation::state::{MatchState, Seat};
///
/// let state = MatchState { length: 7, score: [2, 5], ..MatchState::money(Seat::Bottom) };
/// assert_eq!(state.score_of(Seat::Bottom), 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchState {
    /// Whose turn it is; the position is seen from there.
    pub on_roll: Seat,
    /// Who has to decide something: the other one while a double or a resignation awaits an answer.
    pub turn: Seat,
    /// What was rolled, if it was.
    pub dice: Option<Roll>,
    /// The cube, not yet turned while a double awaits an answer.
    pub cube: Cube<Seat>,
    /// Whether a double awaits an answer.
    pub double_offered: bool,
    /// What the player on roll offers to resign.
    pub resigned: Option<Win>,
    /// How far the game is.
    pub stage: Stage,
    /// The points to be played to; 0 in a money game.
    pub length: u16,
    /// The points won by the player at the top and by the one at the bottom.
    pub score: [u16; 2],
    /// M3: whether this is the Crawford game.
    pub crawford: bool,
    /// C9: whether gammons count only after the cube was turned; without meaning in a match.
    pub jacoby: bool,
    /// C7: whether beavers are allowed; without meaning in a match.
    pub beavers: bool,
}

impl MatchState {
    /// A money game without options, with `on_roll` about to roll or double.
    #[must_use]
    pub const fn money(on_roll: Seat) -> Self {
        Self {
            on_roll,
            turn: on_roll,
            dice: None,
            cube: Cube::centred(CubeValue::ONE),
            double_offered: false,
            resigned: None,
            stage: Stage::Playing,
            length: 0,
            score: [0, 0],
            crawford: false,
            jacoby: false,
            beavers: false,
        }
    }

    /// The points `seat` has won.
    #[must_use]
    pub const fn score_of(&self, seat: Seat) -> u16 {
        match seat {
            Seat::Top => self.score[0],
            Seat::Bottom => self.score[1],
        }
    }
}
