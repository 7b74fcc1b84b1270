//! What a side may do now, apart from the values of dice, steps and boards. Reasons take precedence in the
//! order of [`Refusal`](super::refusal).

use super::action::ActionKind;
use super::refusal::Refusal;
use super::rules::CubeRules;
use super::state::{Game, Phase};
use crate::colour::Colour;
use crate::cube::{Beaver, CannotDouble, Cube, CubeValue, Offer, Raise};
use crate::plays::LegalPlays;
use crate::variant::Numbers;

/// The number of times dice can be cocked in one game (I1). By the rules there is no limit, but each time is
/// recorded, and nobody should fill a journal that way.
pub(super) const MOST_COCKED: u32 = 100;

type Permission = Result<(), Refusal>;

/// Whether `by` may ask for an action of this kind now.
pub(super) fn permit(game: &Game, by: Colour, kind: ActionKind) -> Permission {
    use ActionKind as Kind;
    match (game.phase(), kind) {
        (Phase::Over(_), _) => return Err(Refusal::GameOver),
        (Phase::Opening { .. }, Kind::RollOpening) => return Ok(()),
        (Phase::Opening { .. }, Kind::CockedDice) => return cocked(game),
        (Phase::Opening { .. }, _) => return Err(Refusal::NotOpened),
        (_, Kind::RollOpening) => return Err(Refusal::AlreadyOpened),
        _ => {}
    }
    match (game.resignation(), kind) {
        (Some(resignation), Kind::AcceptResignation | Kind::RejectResignation) => {
            return answering(by, resignation.by.other());
        }
        (Some(_), _) => return Err(Refusal::ResignationPending),
        (None, Kind::AcceptResignation | Kind::RejectResignation) => return Err(Refusal::NoResignation),
        (None, _) => {}
    }
    match (game.phase(), kind) {
        (Phase::ToAnswer(raise), Kind::Take | Kind::Drop) => answering(by, raise.by().other()),
        (Phase::ToAnswer(raise), Kind::Beaver) => {
            answering(by, raise.by().other())?;
            beaver(game, raise).map(|_| ())
        }
        (Phase::ToAnswer(_), _) => Err(Refusal::OfferPending),
        (_, Kind::Take | Kind::Drop | Kind::Beaver) => Err(Refusal::NoOffer),
        (_, Kind::Resign) => Ok(()),
        _ if by == game.on_turn() => on_turn(game, by, kind),
        _ => waiting(game, kind),
    }
}

/// Whether it is for `by` to give the answer.
fn answering(by: Colour, side: Colour) -> Permission {
    if by == side { Ok(()) } else { Err(Refusal::NotYourAnswer { side }) }
}

/// What the side may do whose turn it is not. It may roll too early (I3), once, and only where it plays its
/// own dice. It cannot while its own last play may still be sent back.
fn waiting(game: &Game, kind: ActionKind) -> Permission {
    let own = game.rules().variant.definition().numbers == Numbers::Own;
    match (game.phase(), kind) {
        (Phase::ToPlay { early, .. }, ActionKind::Roll | ActionKind::CockedDice)
            if own && game.left_board().is_none() =>
        {
            match early {
                Some(roll) => Err(Refusal::AlreadyRolled { roll }),
                None if kind == ActionKind::CockedDice => cocked(game),
                None => Ok(()),
            }
        }
        _ => Err(Refusal::NotYourTurn { side: game.on_turn() }),
    }
}

/// What the side on turn may do.
fn on_turn(game: &Game, by: Colour, kind: ActionKind) -> Permission {
    use ActionKind as Kind;
    let rolled = match game.phase() {
        Phase::ToPlay { roll, .. } => Some(roll),
        Phase::Opening { .. } | Phase::ToRoll | Phase::ToAnswer(_) | Phase::Over(_) => None,
    };
    match (rolled, kind) {
        (Some(roll), Kind::Roll | Kind::CockedDice | Kind::Double) => {
            return Err(Refusal::AlreadyRolled { roll });
        }
        (None, Kind::Play | Kind::LeaveBoard) => return Err(Refusal::NotRolled),
        (None, Kind::Pass) if !game.does_not_roll() => return Err(Refusal::NotRolled),
        (_, Kind::AcceptPlay | Kind::SendBack) => {
            return game.left_board().map(|_| ()).ok_or(Refusal::NoPlayToAnswer);
        }
        _ => {}
    }
    // Until the game is over, only a board left like this can look won.
    if game.position().is_over() {
        return Err(Refusal::PlayUnanswered);
    }
    match (rolled, kind) {
        (None, Kind::Roll | Kind::CockedDice) if game.does_not_roll() => Err(Refusal::ClosedOut),
        (None, Kind::CockedDice) => cocked(game),
        (None, Kind::Double) => offer(game, by).map(|_| ()),
        (Some(_), Kind::Play) if !can_move(game) => Err(Refusal::NothingToPlay),
        (Some(_), Kind::Pass) if can_move(game) => Err(Refusal::PlayPossible),
        _ => Ok(()),
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
    match (game.cube(), &game.rules().cube) {
        (Some(cube), CubeRules::With(options)) => Ok((cube, options.limit())),
        (_, CubeRules::Crawford {}) => Err(Refusal::CrawfordGame),
        _ => Err(Refusal::NoCube),
    }
}

const fn refused(reason: CannotDouble, limit: CubeValue) -> Refusal {
    match reason {
        CannotDouble::NotYours => Refusal::NotYourCube,
        CannotDouble::AtLimit => Refusal::CubeAtLimit { limit },
    }
}
