//! What a side may do now, apart from the values of dice, steps and boards. Reasons take precedence in the
//! order of [`Refusal`](super::refusal).

use super::action::ActionKind;
use super::refusal::Refusal;
use super::rules::CubeRules;
use super::state::{Game, Phase};
use crate::colour::Colour;
use crate::cube::{Beaver, CannotDouble, Cube, CubeValue, Offer, Raise};
use crate::dice::Roll;
use crate::plays::LegalPlays;
use crate::variant::RollPlayed;

/// The number of times dice can be cocked in one game (I1). By the rules there is no limit, but each time is
/// recorded, and nobody should fill a journal that way.
pub(super) const MOST_COCKED: u32 = 100;

type Permission = Result<(), Refusal>;

impl Game {
    /// The kinds of action `side` may ask for now. [`phase`](Self::phase) and [`cube`](Self::cube) describe
    /// what [`Double`](ActionKind::Double) and its answers are about; [`plays`](Self::plays) lists the
    /// choices of [`Play`](ActionKind::Play).
    ///
    /// ```
    /// use owlbox_engine::game::{Action, ActionKind, Game, GameRules, OpeningDice};
    /// use owlbox_engine::{Colour, Die};
    ///
    /// let mut game = Game::new(GameRules::default());
    /// let dice = Some(OpeningDice { white: Die::THREE, black: Die::ONE });
    /// for event in game.decide(Colour::White, &Action::RollOpening { dice }, &mut |_: u32| 0)? {
    ///     game.apply(&event);
    /// }
    /// // White has to play 3-1. Black waits, but may already roll: too early, and it stands (I3).
    /// assert!(game.legal_actions(Colour::White).contains(&ActionKind::Play));
    /// assert!(game.legal_actions(Colour::Black).contains(&ActionKind::Roll));
    /// # Ok::<(), owlbox_engine::game::Refusal>(())
    /// ```
    #[must_use]
    pub fn legal_actions(&self, side: Colour) -> Vec<ActionKind> {
        let legal = |kind: &ActionKind| permit(self, side, *kind).is_ok();
        ActionKind::ALL.iter().copied().filter(legal).collect()
    }
}

/// Whether `by` may ask for an action of this kind now.
pub(super) fn permit(game: &Game, by: Colour, kind: ActionKind) -> Permission {
    match game.phase() {
        Phase::Over(_) => Err(Refusal::GameOver),
        Phase::Opening { automatic_doubles: _ } => before_opening(game, kind),
        Phase::ToRoll | Phase::ToAnswer(_) | Phase::ToPlay { .. } => after_opening(game, by, kind),
    }
}

/// What either side may do before the opening roll (G3).
const fn before_opening(game: &Game, kind: ActionKind) -> Permission {
    use ActionKind as Kind;
    match kind {
        Kind::RollOpening => Ok(()),
        Kind::CockedDice => cocked(game),
        Kind::Roll
        | Kind::Play
        | Kind::Pass
        | Kind::LeaveBoard
        | Kind::AcceptPlay
        | Kind::SendBack
        | Kind::Double
        | Kind::Beaver
        | Kind::Take
        | Kind::Drop
        | Kind::Resign
        | Kind::AcceptResignation
        | Kind::RejectResignation => Err(Refusal::NotOpened),
    }
}

/// What `by` may do between the opening roll and the end. Every arm checks in the order of precedence.
fn after_opening(game: &Game, by: Colour, kind: ActionKind) -> Permission {
    use ActionKind as Kind;
    match kind {
        Kind::RollOpening => Err(Refusal::AlreadyOpened),
        Kind::AcceptResignation | Kind::RejectResignation => {
            let resignation = game.resignation().ok_or(Refusal::NoResignation)?;
            answering(by, resignation.by.other())
        }
        Kind::Take | Kind::Drop => raise_to_answer(game, by).map(|_| ()),
        Kind::Beaver => {
            let raise = raise_to_answer(game, by)?;
            beaver(game, raise).map(|_| ())
        }
        Kind::Resign => nothing_to_answer(game),
        Kind::Roll => to_roll(game, by),
        Kind::CockedDice => {
            to_roll(game, by)?;
            cocked(game)
        }
        Kind::Double => {
            on_turn(game, by)?;
            not_rolled(game)?;
            no_win_to_answer(game)?;
            offer(game, by).map(|_| ())
        }
        Kind::AcceptPlay | Kind::SendBack => {
            on_turn(game, by)?;
            game.left_board().map(|_| ()).ok_or(Refusal::NoPlayToAnswer)
        }
        Kind::Play => {
            rolled(game, by)?;
            no_win_to_answer(game)?;
            if can_move(game) { Ok(()) } else { Err(Refusal::NothingToPlay) }
        }
        Kind::LeaveBoard => {
            rolled(game, by)?;
            no_win_to_answer(game)
        }
        Kind::Pass if roll(game).is_none() && game.does_not_roll() => {
            on_turn(game, by)?;
            no_win_to_answer(game)
        }
        Kind::Pass => {
            rolled(game, by)?;
            no_win_to_answer(game)?;
            if can_move(game) { Err(Refusal::PlayPossible) } else { Ok(()) }
        }
    }
}

/// The double or beaver that `by` is to answer.
fn raise_to_answer(game: &Game, by: Colour) -> Result<Raise<Colour>, Refusal> {
    not_resigned(game)?;
    match game.phase() {
        Phase::ToAnswer(raise) => answering(by, raise.by().other()).map(|()| raise),
        Phase::Opening { .. } | Phase::ToRoll | Phase::ToPlay { .. } | Phase::Over(_) => {
            Err(Refusal::NoOffer)
        }
    }
}

/// Whether it is for `by` to give the answer.
fn answering(by: Colour, side: Colour) -> Permission {
    if by == side { Ok(()) } else { Err(Refusal::NotYourAnswer { side }) }
}

/// Whether no resignation waits for its answer.
const fn not_resigned(game: &Game) -> Permission {
    if game.resignation().is_none() { Ok(()) } else { Err(Refusal::ResignationPending) }
}

/// Whether neither a resignation nor a double waits for its answer.
fn nothing_to_answer(game: &Game) -> Permission {
    not_resigned(game)?;
    match game.phase() {
        Phase::ToAnswer(_) => Err(Refusal::OfferPending),
        Phase::Opening { .. } | Phase::ToRoll | Phase::ToPlay { .. } | Phase::Over(_) => Ok(()),
    }
}

/// Whether `by` is on turn, with nothing to answer first.
fn on_turn(game: &Game, by: Colour) -> Permission {
    nothing_to_answer(game)?;
    if by == game.on_turn() { Ok(()) } else { Err(Refusal::NotYourTurn { side: game.on_turn() }) }
}

/// The roll that the side on turn plays.
const fn roll(game: &Game) -> Option<Roll> {
    match game.phase() {
        Phase::ToPlay { roll, early: _ } => Some(roll),
        Phase::Opening { .. } | Phase::ToRoll | Phase::ToAnswer(_) | Phase::Over(_) => None,
    }
}

/// Whether `by` is on turn and has rolled.
fn rolled(game: &Game, by: Colour) -> Permission {
    on_turn(game, by)?;
    roll(game).map(|_| ()).ok_or(Refusal::NotRolled)
}

/// Whether the side on turn has not rolled yet.
const fn not_rolled(game: &Game) -> Permission {
    match roll(game) {
        Some(roll) => Err(Refusal::AlreadyRolled { roll }),
        None => Ok(()),
    }
}

/// Whether the other side has not just left the board as if it had won (I2). Until the game is over, only a
/// board left like this can look won.
fn no_win_to_answer(game: &Game) -> Permission {
    if game.position().is_over() { Err(Refusal::PlayUnanswered) } else { Ok(()) }
}

/// Whether `by` may throw the dice, on turn or too early.
fn to_roll(game: &Game, by: Colour) -> Permission {
    nothing_to_answer(game)?;
    if by != game.on_turn() {
        return to_roll_early(game);
    }
    not_rolled(game)?;
    no_win_to_answer(game)?;
    if game.does_not_roll() { Err(Refusal::ClosedOut) } else { Ok(()) }
}

/// Whether the side that waits may roll too early (I3). It may, once, and only where it plays its own dice.
/// It cannot while its own last play may still be sent back.
fn to_roll_early(game: &Game) -> Permission {
    let own = game.rules().variant.definition().numbers == RollPlayed::Own;
    match game.phase() {
        Phase::ToPlay { roll: _, early } if own && game.left_board().is_none() => match early {
            Some(roll) => Err(Refusal::AlreadyRolled { roll }),
            None => Ok(()),
        },
        Phase::Opening { .. }
        | Phase::ToRoll
        | Phase::ToAnswer(_)
        | Phase::ToPlay { .. }
        | Phase::Over(_) => Err(Refusal::NotYourTurn { side: game.on_turn() }),
    }
}

/// Whether anything can be played (G8, G15).
fn can_move(game: &Game) -> bool {
    game.legal_plays().is_some_and(LegalPlays::can_move)
}

/// Whether dice may be cocked once more (I1).
const fn cocked(game: &Game) -> Permission {
    if game.cocked_dice() < MOST_COCKED { Ok(()) } else { Err(Refusal::CockedTooOften { most: MOST_COCKED }) }
}

/// The double that `by` may offer (C0, C4, C10, M3).
pub(super) fn offer(game: &Game, by: Colour) -> Result<Offer<Colour>, Refusal> {
    let (cube, limit) = cube_and_limit(game)?;
    cube.offer(by, limit).map_err(|reason| refused(reason, limit))
}

/// The beaver, or further redouble, that answers `raise` (C7, C8, C10).
pub(super) fn beaver(game: &Game, raise: Raise<Colour>) -> Result<Beaver<Colour>, Refusal> {
    let (_, limit) = cube_and_limit(game)?;
    let number = match raise {
        Raise::Double(_) => 1,
        Raise::Beaver(beaver) => beaver.number.saturating_add(1),
    };
    if !game.cube_options().is_some_and(|options| options.beavers.allow(number)) {
        return Err(Refusal::NoBeavers);
    }
    raise.answered(raise.by().other(), limit).map_err(|reason| refused(reason, limit))
}

/// The cube and its limit, if the game is played with one.
fn cube_and_limit(game: &Game) -> Result<(Cube<Colour>, CubeValue), Refusal> {
    match &game.rules().cube {
        // A variant may have no cube, whatever the rules say of it (V4).
        CubeRules::With(options) => game.cube().map(|cube| (cube, options.limit())).ok_or(Refusal::NoCube),
        CubeRules::Without {} => Err(Refusal::NoCube),
        CubeRules::Crawford {} => Err(Refusal::CrawfordGame),
    }
}

const fn refused(reason: CannotDouble, limit: CubeValue) -> Refusal {
    match reason {
        CannotDouble::NotYours => Refusal::NotYourCube,
        CannotDouble::AtLimit => Refusal::CubeAtLimit { limit },
    }
}
