//! Why a game refuses an action. Codes are stable; the wording is up to the locales of the pages.
//!
//! If several reasons apply, the first in this order is given:
//!
//! 1. the game: `game_over`, `already_opened`, `not_opened`;
//! 2. what waits for an answer: `resignation_pending`, `no_resignation`, `offer_pending`, `no_offer`,
//!    each before `not_your_answer`;
//! 3. the turn: `not_your_turn`;
//! 4. the dice: `already_rolled`, `not_rolled`;
//! 5. the other side's play: `play_unanswered`, `no_play_to_answer`;
//! 6. the roll: `closed_out`, `cocked_too_often`, `nothing_to_play`, `play_possible`;
//! 7. the cube: `no_cube`, `crawford_game`, `no_beavers`, `not_your_cube`, `cube_at_limit`;
//! 8. the action's own values: `illegal_play`, `impossible_board`, `board_is_legal`, `no_such_win`.

use crate::colour::Colour;
use crate::cube::CubeValue;
use crate::dice::Roll;
use crate::step_rules::IllegalPlay;

/// The reason why an action was refused. The game is unchanged.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::game::{Action, Game, GameRules, Refusal};
///
/// let game = Game::new(GameRules::default());
/// let refused = game.decide(Colour::White, &Action::Double {}, &mut |_: u32| 0);
/// assert_eq!(refused, Err(Refusal::NotOpened));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum Refusal {
    /// The game has its result.
    #[error("the game is over")]
    GameOver,
    /// The opening roll is made only once (G3).
    #[error("the opening roll has been made")]
    AlreadyOpened,
    /// The opening roll comes first (G3).
    #[error("the opening roll comes first")]
    NotOpened,
    /// A resignation waits for its answer.
    #[error("a resignation is waiting for an answer")]
    ResignationPending,
    /// No resignation waits for an answer.
    #[error("there is no resignation to answer")]
    NoResignation,
    /// A double waits for its answer.
    #[error("a double is waiting for an answer")]
    OfferPending,
    /// No double waits for an answer.
    #[error("there is no double to answer")]
    NoOffer,
    /// The other side has to answer.
    #[error("{side} has to answer")]
    NotYourAnswer {
        /// The side that has to answer.
        side: Colour,
    },
    /// The other side is on turn.
    #[error("{side} is on turn")]
    NotYourTurn {
        /// The side that is on turn.
        side: Colour,
    },
    /// The dice have been rolled: they stay as they are (G15, G18), and it is too late to double (C2, C5).
    #[error("{roll} has been rolled")]
    AlreadyRolled {
        /// The roll that has been made.
        roll: Roll,
    },
    /// The dice have not been rolled yet.
    #[error("the dice have not been rolled yet")]
    NotRolled,
    /// I2: the other side left the board as if it had won; that must be accepted or sent back first.
    #[error("the other side's last play must be accepted or sent back")]
    PlayUnanswered,
    /// I2: the other side's last play was legal, or has been accepted.
    #[error("there is no play to accept or send back")]
    NoPlayToAnswer,
    /// G16: a side that is closed out does not roll; it passes.
    #[error("a side that is closed out does not roll")]
    ClosedOut,
    /// I1: dice were cocked too often in this game.
    #[error("dice were cocked {most} times in this game: enter a roll")]
    CockedTooOften {
        /// The most a game allows.
        most: u32,
    },
    /// G17: no number can be played, so the turn is passed.
    #[error("nothing can be played")]
    NothingToPlay,
    /// G15: the turn cannot be passed while a legal move exists.
    #[error("a number can be played")]
    PlayPossible,
    /// C0: there is no cube in this game.
    #[error("the game is played without the cube")]
    NoCube,
    /// M3: there is no cube in the Crawford game.
    #[error("the Crawford game is played without the cube")]
    CrawfordGame,
    /// C7, C8: the house allows no beavers, or not as many redoubles in a row.
    #[error("no further redouble is allowed here")]
    NoBeavers,
    /// C4: the cube is the other side's.
    #[error("the other side owns the cube")]
    NotYourCube,
    /// C10: the cube is as high as it may go.
    #[error("the cube may not go above {limit}")]
    CubeAtLimit {
        /// The highest value it may reach.
        limit: CubeValue,
    },
    /// The steps are not a legal play of the roll.
    #[error("the play is not legal: {0}")]
    IllegalPlay(IllegalPlay),
    /// I2: a play moves one's own checkers and sends blots to the bar; it cannot have led to this board.
    #[error("no play leads to this board")]
    ImpossibleBoard,
    /// I2: a legal play leads to this board, so it must be entered as that play, or the turn be passed.
    #[error("a legal play leads to this board: enter it as that play")]
    BoardIsLegal,
    /// V4: this variant has no such kind of win, so nobody can resign it.
    #[error("this game has no such win")]
    NoSuchWin,
}

impl Refusal {
    /// Every code, in the order of the variants: the order of precedence, as far as there is one.
    pub const CODES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    /// The stable code, in snake case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.into()
    }
}
