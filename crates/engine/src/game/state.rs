//! The state of a game: what its events add up to. Applying an event computes no rule.

use super::action::{Action, ActionKind};
use super::decide;
use super::event::Event;
use super::permit;
use super::position_id::PositionId;
use super::refusal::Refusal;
use super::rules::{ClosedOut, CubeOptions, CubeRules, GameRules};
use crate::Chance;
use crate::colour::Colour;
use crate::cube::{Beaver, Cube, CubeValue, Offer, Raise};
use crate::dice::Roll;
use crate::play::Play;
use crate::plays::LegalPlays;
use crate::position::Position;
use crate::result::{Outcome, Win};
use crate::variant::Opening;

/// What a game waits for.
///
/// ```
/// use owlbox_engine::game::{Game, GameRules, Phase};
///
/// let game = Game::new(GameRules::default());
/// assert_eq!(game.phase(), Phase::Opening { automatic_doubles: 0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The opening roll (G3).
    Opening {
        /// How many ties have doubled the stake (C6).
        automatic_doubles: u8,
    },
    /// The side on turn doubles, or rolls (C2, G18).
    ToRoll,
    /// The other side answers a double; or the side on turn a beaver, and so on (C3, C4, C7, C8).
    ToAnswer(Raise<Colour>),
    /// The side on turn plays its roll.
    ToPlay {
        /// The roll.
        roll: Roll,
        /// What the other side has rolled too early and will play next (I3).
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
    /// Who resigns.
    pub by: Colour,
    /// As what.
    pub win: Win,
}

/// A play that was no legal one, and can still be sent back (I2).
///
/// ```
/// use owlbox_engine::game::{Action, Game, GameRules, OpeningDice};
/// use owlbox_engine::{Colour, Die};
///
/// let mut game = Game::new(GameRules::default());
/// let dice = Some(OpeningDice { white: Die::THREE, black: Die::ONE });
/// game.apply(&game.decide(Colour::White, &Action::RollOpening { dice }, &mut |_: u32| 0)?[0]);
/// // White lifts the dice and has moved nothing.
/// let left = Action::LeaveBoard { position: game.position().turned().into() };
/// game.apply(&game.decide(Colour::White, &left, &mut |_: u32| 0)?[0]);
/// assert_eq!(game.left_board().map(|left| left.roll), "3-1".parse().ok());
/// # Ok::<(), owlbox_engine::game::Refusal>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftBoard {
    /// The board before it, seen by the side that made it.
    pub before: Position,
    /// What that side had rolled.
    pub roll: Roll,
    /// What the other side had rolled too early (I3).
    pub early: Option<Roll>,
}

/// One game.
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
///     // Chance is asked for no dice: they were entered.
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
    /// Seen by the side on turn.
    position: Position,
    /// Means nothing before the opening roll.
    turn: Colour,
    cube: Cube<Colour>,
    phase: Phase,
    left: Option<LeftBoard>,
    resignation: Option<Resignation>,
    cocked: u32,
}

impl Game {
    /// A game about to begin.
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

    /// The rules in force.
    #[must_use]
    pub const fn rules(&self) -> &GameRules {
        &self.rules
    }
    /// What the game waits for. A resignation that waits for its answer comes before it.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }
    /// The side whose turn it is, or at whose turn the game ended; `None` before the opening roll.
    #[must_use]
    pub const fn turn(&self) -> Option<Colour> {
        match self.phase {
            Phase::Opening { .. } => None,
            Phase::ToRoll | Phase::ToAnswer(_) | Phase::ToPlay { .. } | Phase::Over(_) => Some(self.turn),
        }
    }
    /// The board, seen by the side on turn; after the end, by the side that would be.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.position
    }
    /// The board, seen by `side`.
    #[must_use]
    pub fn position_seen_by(&self, side: Colour) -> Position {
        if side == self.turn { self.position } else { self.position.turned() }
    }
    /// The cube, unless the game is played without (C0, M3).
    #[must_use]
    pub fn cube(&self) -> Option<Cube<Colour>> {
        self.cube_options().map(|_| self.cube)
    }
    /// The stake: what the cube stands at, or 1 (C1).
    #[must_use]
    pub const fn stake(&self) -> CubeValue {
        self.cube.value
    }
    /// The resignation that waits for its answer.
    #[must_use]
    pub const fn resignation(&self) -> Option<Resignation> {
        self.resignation
    }
    /// The other side's last play, if it was no legal one and can still be sent back (I2).
    #[must_use]
    pub const fn left_board(&self) -> Option<LeftBoard> {
        self.left
    }
    /// How often dice were cocked in this game (I1).
    #[must_use]
    pub const fn cocked_dice(&self) -> u32 {
        self.cocked
    }
    /// The result, once there is one.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over(outcome) => Some(outcome),
            Phase::Opening { .. } | Phase::ToRoll | Phase::ToAnswer(_) | Phase::ToPlay { .. } => None,
        }
    }

    /// The side whose decision the game waits for; `None` before the opening roll, for which it waits for
    /// both, and after the end.
    #[must_use]
    pub fn decision(&self) -> Option<Colour> {
        match (self.phase, self.resignation) {
            (Phase::Opening { .. } | Phase::Over(_), _) => None,
            (_, Some(resignation)) => Some(resignation.by.other()),
            (Phase::ToAnswer(raise), None) => Some(raise.by().other()),
            (Phase::ToRoll | Phase::ToPlay { .. }, None) => Some(self.turn),
        }
    }

    /// The legal plays of the roll that waits to be played; `None` if none does.
    #[must_use]
    pub fn legal_plays(&self) -> Option<LegalPlays> {
        let Phase::ToPlay { roll, .. } = self.phase else { return None };
        Some(LegalPlays::new(self.position, roll).strict_larger_die(self.rules.strict_larger_die))
    }

    /// Every distinct play of the roll that waits to be played, with one way to make it; empty if there is
    /// no such roll, or nothing can be played.
    #[must_use]
    pub fn plays(&self) -> Vec<Play> {
        let mut plays = self.legal_plays().map(LegalPlays::results).unwrap_or_default();
        plays.retain(|play| !play.steps.is_empty());
        plays
    }

    /// The kinds of action that `side` can ask for now. [`Double`](ActionKind::Double) and its answers are
    /// about what [`phase`](Self::phase) and [`cube`](Self::cube) tell; [`plays`](Self::plays) lists what
    /// [`Play`](ActionKind::Play) can be.
    #[must_use]
    pub fn legal_actions(&self, side: Colour) -> Vec<ActionKind> {
        let legal = |kind: &ActionKind| permit::permit(self, side, *kind).is_ok();
        ActionKind::ALL.iter().copied().filter(legal).collect()
    }

    /// What comes of `action`, asked for by the side `by`, or why it may not be. Chance is asked only for
    /// dice that were not entered.
    ///
    /// # Errors
    /// The [`Refusal`]; the state is unchanged.
    pub fn decide(
        &self,
        by: Colour,
        action: &Action,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Event>, Refusal> {
        decide::decide(self, by, action, chance)
    }

    /// Takes note of an event that [`decide`](Self::decide) made. One that it cannot have made is not
    /// found out, and leaves a state that means nothing.
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
            // The end follows.
            Event::Dropped { .. } => {}
            Event::Tied {} => *self = Self { cocked: self.cocked, ..Self::new(self.rules) },
            Event::Finished { outcome } => self.go_on(Phase::Over(*outcome)),
        }
    }

    /// The options of the cube, unless the game is played without: as agreed (C0, M3), or because its variant knows none (V4).
    pub(super) const fn cube_options(&self) -> Option<&CubeOptions> {
        match &self.rules.cube {
            CubeRules::With(options) if self.rules.variant.has_cube() => Some(options),
            CubeRules::With(_) | CubeRules::Without {} | CubeRules::Crawford {} => None,
        }
    }

    /// The side on turn; before the opening roll it means nothing.
    pub(super) const fn on_turn(&self) -> Colour {
        self.turn
    }

    /// Whether gammons and backgammons count (C9).
    pub(super) fn gammons_count(&self) -> bool {
        self.cube_options().is_none_or(|options| self.cube.gammons_count(options.jacoby))
    }

    /// Whether the side on turn is closed out and therefore does not roll (G16, G17): it may double (C2), and passes.
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

    /// The side on turn has acted, and so accepted what the other side left (I2).
    fn go_on(&mut self, phase: Phase) {
        self.left = None;
        self.phase = phase;
    }

    /// `side` has ended its turn. Returns what the other side had rolled too early (I3).
    fn hand_over(&mut self, side: Colour, position: &PositionId) -> Option<Roll> {
        let early = match self.phase {
            Phase::ToPlay { early, .. } => early,
            Phase::Opening { .. } | Phase::ToRoll | Phase::ToAnswer(_) | Phase::Over(_) => None,
        };
        self.turn = side.other();
        // No ID of this game's own fails.
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
