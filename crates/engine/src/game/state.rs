//! The state of a game, which its events add up to. Applying an event computes no rule.

use super::event::Event;
use super::position_id::PositionId;
use super::rules::{ClosedOut, CubeOptions, CubeRules, GameRules};
use crate::colour::Colour;
use crate::cube::{Beaver, Cube, CubeValue, Offer, Raise};
use crate::dice::Roll;
use crate::play::Play;
use crate::plays::LegalPlays;
use crate::position::Position;
use crate::result::{Outcome, Win};
use crate::variant::Opening;

/// The thing a game waits for.
///
/// ```
/// use owlbox_engine::game::{Game, GameRules, Phase};
///
/// let game = Game::new(GameRules::default());
/// assert_eq!(game.phase(), Phase::Opening { automatic_doubles: 0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The opening roll is to be made (G3).
    Opening {
        /// The number of ties that have doubled the stake (C6).
        automatic_doubles: u8,
    },
    /// The side on turn either doubles or rolls (C2, G18).
    ToRoll,
    /// The other side answers a double, or the side on turn answers a beaver, and so on (C3, C4, C7, C8).
    ToAnswer(Raise<Colour>),
    /// The side on turn plays its roll.
    ToPlay {
        /// The roll to be played.
        roll: Roll,
        /// The roll the other side has made too early and plays next (I3).
        early: Option<Roll>,
    },
    /// Nothing: the game has its result.
    Over(Outcome),
}

/// A resignation that waits for its answer.
///
/// ```
/// use owlbox_engine::game::{Event, Game, GameRules, Resignation};
/// use owlbox_engine::{Colour, Win};
///
/// let mut game = Game::new(GameRules::default());
/// game.apply(&Event::Resigned { side: Colour::White, win: Win::Gammon });
/// assert_eq!(game.resignation(), Some(Resignation { by: Colour::White, win: Win::Gammon }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resignation {
    /// The side that wants to resign.
    pub by: Colour,
    /// The kind of loss it offers.
    pub win: Win,
}

/// A play that was not legal and can still be sent back (I2).
///
/// ```
/// use owlbox_engine::game::{Action, Game, GameRules, OpeningDice};
/// use owlbox_engine::{Colour, Die};
///
/// let mut game = Game::new(GameRules::default());
/// let dice = Some(OpeningDice { white: Die::THREE, black: Die::ONE });
/// game.apply(&game.decide(Colour::White, &Action::RollOpening { dice }, &mut |_: u32| 0)?[0]);
/// // White lifts the dice without having moved anything.
/// let left = Action::LeaveBoard { position: game.position().turned().into() };
/// game.apply(&game.decide(Colour::White, &left, &mut |_: u32| 0)?[0]);
/// assert_eq!(game.left_board().map(|left| left.roll), "3-1".parse().ok());
/// # Ok::<(), owlbox_engine::game::Refusal>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftBoard {
    /// The board before the play, seen by the side that made it.
    pub before: Position,
    /// The roll of that side.
    pub roll: Roll,
    /// The roll the other side had made too early (I3).
    pub early: Option<Roll>,
}

/// One game, from the opening roll to its result.
///
/// ```
/// use owlbox_engine::game::{Action, Game, GameRules, OpeningDice, Phase};
/// use owlbox_engine::{Colour, Die, Step, Steps};
///
/// let dice = OpeningDice { white: Die::THREE, black: Die::ONE };
/// let steps = [(8, Die::THREE), (6, Die::ONE)].map(|(from, die)| Step::new(from, die).unwrap());
/// let opening = Action::RollOpening { dice: Some(dice) };
/// let play = Action::Play { steps: Steps::new(&steps).unwrap() };
///
/// let mut game = Game::new(GameRules::default());
/// for action in [opening, play] {
///     // The dice are given, so nothing is drawn from chance.
///     for event in game.decide(Colour::White, &action, &mut |_: u32| 0)? {
///         game.apply(&event);
///     }
/// }
/// assert_eq!((game.turn(), game.phase()), (Some(Colour::Black), Phase::ToRoll));
/// # Ok::<(), owlbox_engine::game::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    rules: GameRules,
    /// The board, seen by the side on turn.
    position: Position,
    /// The side on turn; meaningless before the opening roll.
    turn: Colour,
    cube: Cube<Colour>,
    phase: Phase,
    left: Option<LeftBoard>,
    resignation: Option<Resignation>,
    cocked: u32,
}

impl Game {
    /// A new game, before the opening roll.
    #[must_use]
    pub const fn new(rules: GameRules) -> Self {
        Self {
            position: rules.variant.start(),
            rules,
            turn: Colour::White,
            cube: Cube::centred(CubeValue::ONE),
            phase: Phase::Opening { automatic_doubles: 0 },
            left: None,
            resignation: None,
            cocked: 0,
        }
    }

    /// The rules of this game.
    #[must_use]
    pub const fn rules(&self) -> &GameRules {
        &self.rules
    }
    /// What the game waits for. A pending [`resignation`](Self::resignation) must be answered first.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }
    /// The side on turn, after the end the side that was; `None` before the opening roll.
    #[must_use]
    pub const fn turn(&self) -> Option<Colour> {
        match self.phase {
            Phase::Opening { .. } => None,
            Phase::ToRoll | Phase::ToAnswer(_) | Phase::ToPlay { .. } | Phase::Over(_) => Some(self.turn),
        }
    }
    /// The board, seen by the side on turn; after the end, by the side that would be on turn next.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.position
    }
    /// The board, seen by `side`.
    #[must_use]
    pub fn position_seen_by(&self, side: Colour) -> Position {
        if side == self.turn { self.position } else { self.position.turned() }
    }
    /// The cube; `None` if the game is played without one (C0, M3).
    #[must_use]
    pub fn cube(&self) -> Option<Cube<Colour>> {
        self.cube_options().map(|_| self.cube)
    }
    /// The stake: the value of the cube, or 1 without one (C1).
    #[must_use]
    pub const fn stake(&self) -> CubeValue {
        self.cube.value
    }
    /// The resignation that waits for an answer, if there is one.
    #[must_use]
    pub const fn resignation(&self) -> Option<Resignation> {
        self.resignation
    }
    /// The other side's last play, if it was not legal and can still be sent back (I2).
    #[must_use]
    pub const fn left_board(&self) -> Option<LeftBoard> {
        self.left
    }
    /// The number of times dice were cocked in this game (I1).
    #[must_use]
    pub const fn cocked_dice(&self) -> u32 {
        self.cocked
    }
    /// The result; `None` until the game is over.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over(outcome) => Some(outcome),
            Phase::Opening { .. } | Phase::ToRoll | Phase::ToAnswer(_) | Phase::ToPlay { .. } => None,
        }
    }

    /// The side that has to decide next. `None` before the opening roll, which either side may ask for, and
    /// after the end.
    #[must_use]
    pub fn decision(&self) -> Option<Colour> {
        match (self.phase, self.resignation) {
            (Phase::Opening { .. } | Phase::Over(_), _) => None,
            (_, Some(resignation)) => Some(resignation.by.other()),
            (Phase::ToAnswer(raise), None) => Some(raise.by().other()),
            (Phase::ToRoll | Phase::ToPlay { .. }, None) => Some(self.turn),
        }
    }

    /// The legal plays of the roll to be played; `None` if there is no such roll.
    #[must_use]
    pub fn legal_plays(&self) -> Option<LegalPlays> {
        let Phase::ToPlay { roll, .. } = self.phase else { return None };
        Some(LegalPlays::new(self.position, roll).strict_larger_die(self.rules.strict_larger_die))
    }

    /// Every distinct play of the roll to be played, with one way to make it. Empty if there is no such roll,
    /// or if nothing can be moved.
    #[must_use]
    pub fn plays(&self) -> Vec<Play> {
        let mut plays = self.legal_plays().map(LegalPlays::results).unwrap_or_default();
        plays.retain(|play| !play.steps.is_empty());
        plays
    }

    /// Applies an event made by [`decide`](Self::decide). An event that `decide` cannot have made is not
    /// detected and leaves a meaningless state.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::OpeningTied { doubled_to, .. } => self.tied(*doubled_to),
            Event::Opened { side, white, black, .. } => {
                self.turn = *side;
                self.phase = match self.rules.variant.definition().opening {
                    Opening::Played => Phase::ToPlay { roll: Roll::new(*white, *black), early: None },
                    Opening::RolledAnew => Phase::ToRoll,
                };
            }
            Event::DiceCocked { .. } => self.cocked = self.cocked.saturating_add(1),
            Event::Rolled { roll, .. } => self.go_on(Phase::ToPlay { roll: *roll, early: None }),
            Event::RolledEarly { roll, .. } => {
                if let Phase::ToPlay { early, .. } = &mut self.phase {
                    *early = Some(*roll);
                }
            }
            Event::Played { side, position, .. } | Event::Passed { side, position, .. } => {
                self.left = None;
                self.hand_over(*side, position);
            }
            Event::BoardLeft { side, roll, position } => {
                let before = self.position;
                let early = self.hand_over(*side, position);
                self.left = Some(LeftBoard { before, roll: *roll, early });
            }
            Event::PlayAccepted { .. } => self.left = None,
            Event::PlaySentBack { side, .. } => self.take_back(side.other()),
            Event::Doubled { side, before, to } => {
                let offer = Offer { before: *before, to: *to, by: *side };
                self.go_on(Phase::ToAnswer(Raise::Double(offer)));
            }
            Event::Beavered { side, number, before, to, owner } => {
                let beaver = Beaver { before: *before, to: *to, by: *side, owner: *owner, number: *number };
                self.phase = Phase::ToAnswer(Raise::Beaver(beaver));
            }
            Event::Taken { value, owner, .. } => {
                self.cube = Cube::owned(*value, *owner);
                self.phase = Phase::ToRoll;
            }
            Event::Resigned { side, win } => {
                self.resignation = Some(Resignation { by: *side, win: *win });
            }
            Event::ResignationAccepted { .. } | Event::ResignationRejected { .. } => self.resignation = None,
            // A `Finished` event follows in the same act.
            Event::Dropped { .. } => {}
            Event::Tied {} => *self = Self { cocked: self.cocked, ..Self::new(self.rules) },
            Event::Finished { outcome } => self.go_on(Phase::Over(*outcome)),
        }
    }

    /// The options of the cube; `None` if the game is played without one, by agreement (C0, M3) or because
    /// the variant has none (V4).
    pub(super) const fn cube_options(&self) -> Option<&CubeOptions> {
        match &self.rules.cube {
            CubeRules::With(options) if self.rules.variant.has_cube() => Some(options),
            CubeRules::With(_) | CubeRules::Without {} | CubeRules::Crawford {} => None,
        }
    }

    /// The side on turn; meaningless before the opening roll.
    pub(super) const fn on_turn(&self) -> Colour {
        self.turn
    }

    /// Whether gammons and backgammons count (C9).
    pub(super) fn gammons_count(&self) -> bool {
        self.cube_options().is_none_or(|options| self.cube.gammons_count(options.jacoby))
    }

    /// Whether the side on turn is closed out and therefore does not roll (G16, G17). It may double (C2), and
    /// passes.
    #[must_use]
    pub fn does_not_roll(&self) -> bool {
        self.rules.closed_out == ClosedOut::Passes && self.position.is_closed_out()
    }

    fn tied(&mut self, doubled_to: Option<CubeValue>) {
        if let (Some(value), Phase::Opening { automatic_doubles }) = (doubled_to, &mut self.phase) {
            *automatic_doubles = automatic_doubles.saturating_add(1);
            self.cube = Cube::centred(value);
        }
    }

    /// The side on turn has acted and thereby accepted the board the other side left (I2).
    fn go_on(&mut self, phase: Phase) {
        self.left = None;
        self.phase = phase;
    }

    /// `side` has ended its turn. Returns the roll the other side had made too early (I3).
    fn hand_over(&mut self, side: Colour, position: &PositionId) -> Option<Roll> {
        let early = match self.phase {
            Phase::ToPlay { early, .. } => early,
            Phase::Opening { .. } | Phase::ToRoll | Phase::ToAnswer(_) | Phase::Over(_) => None,
        };
        self.turn = side.other();
        // IDs made by this game are always valid.
        self.position = position.position(self.rules.variant.checkers()).unwrap_or(self.position.turned());
        self.phase = early.map_or(Phase::ToRoll, |roll| Phase::ToPlay { roll, early: None });
        early
    }

    /// The play of `side` was sent back.
    fn take_back(&mut self, side: Colour) {
        if let Some(left) = self.left.take() {
            self.turn = side;
            self.position = left.before;
            self.phase = Phase::ToPlay { roll: left.roll, early: left.early };
        }
    }
}
