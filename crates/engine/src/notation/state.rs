//! The state of a match that GNU Backgammon's match ID and the XGID hold besides the position.

use crate::cube::{Cube, CubeValue};
use crate::dice::Roll;
use crate::result::Win;

/// The longest match and the highest score there can be here: the most a match ID can hold.
pub const MOST_POINTS: u16 = 0x7fff;

/// A player by their seat, as these notations know them, no matter who is on roll.
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
    /// The seat of the opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Top => Self::Bottom,
            Self::Bottom => Self::Top,
        }
    }
}

/// The stage a game has reached.
///
/// ```
/// use owlbox_engine::notation::state::{MatchState, Seat, Stage};
///
/// assert_eq!(MatchState::money(Seat::Bottom).stage, Stage::Playing);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The game has not begun.
    NotStarted,
    /// The game is being played.
    Playing,
    /// A side has borne off everything (G13).
    Over,
    /// The game ended by a resignation.
    Resigned,
    /// A side has dropped a double (C3).
    Dropped,
}

impl Stage {
    /// Every stage, in the order of its number in a match ID.
    pub const ALL: [Self; 5] = [Self::NotStarted, Self::Playing, Self::Over, Self::Resigned, Self::Dropped];
}

/// The state of a match or a money game at one moment, without the checkers.
///
/// Neither notation holds all of it: a match ID has no beavers, an XGID has no resignation and no stage.
/// Whatever is missing is read as in [`MatchState::money`].
///
/// ```
/// use owlbox_engine::notation::state::{MatchState, Seat};
///
/// let state = MatchState { length: 7, score: [2, 5], ..MatchState::money(Seat::Bottom) };
/// assert_eq!(state.score_of(Seat::Bottom), 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchState {
    /// The player on turn. The position is seen from there.
    pub on_roll: Seat,
    /// The player who has to decide: the opponent, while a double or a resignation waits for an answer.
    pub turn: Seat,
    /// The roll; `None` before it is made.
    pub dice: Option<Roll>,
    /// The cube, which an offered double has not turned yet.
    pub cube: Cube<Seat>,
    /// Whether a double waits for an answer.
    pub double_offered: bool,
    /// The kind of loss the player on roll offers to resign; `None` without an offer.
    pub resigned: Option<Win>,
    /// The stage the game has reached.
    pub stage: Stage,
    /// The points played to; 0 in a money game.
    pub length: u16,
    /// The points won by the player at the top, then by the one at the bottom.
    pub score: [u16; 2],
    /// Whether this is the Crawford game (M3).
    pub crawford: bool,
    /// Whether gammons count only after the cube was turned (C9); meaningless in a match.
    pub jacoby: bool,
    /// Whether beavers are allowed (C7); meaningless in a match.
    pub beavers: bool,
}

impl MatchState {
    /// A money game without options, `on_roll` being about to roll or double.
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

    /// The points `seat` has won in this match.
    #[must_use]
    pub const fn score_of(&self, seat: Seat) -> u16 {
        match seat {
            Seat::Top => self.score[0],
            Seat::Bottom => self.score[1],
        }
    }
}
