//! What an action leads to. [`permit`](super::permit) says whether the side may ask for it at all; only the
//! action's own values are checked here.

use std::cmp::Ordering;

use super::action::{Action, OpeningDice};
use super::event::{DiceSource, Event};
use super::permit::{beaver, offer, permit};
use super::position_id::PositionId;
use super::refusal::Refusal;
use super::state::{Game, LeftBoard, Phase};
use crate::Chance;
use crate::colour::Colour;
use crate::cube::{CubeValue, Raise};
use crate::dice::{Die, Roll};
use crate::place::{BAR, OFF};
use crate::play::Steps;
use crate::position::{Mothers, Position};
use crate::result::{Ended, Outcome, Win};

/// The most ties drawn and recorded for one opening roll. After that many it must be asked for again.
const MOST_TIES: usize = 100;

type Decision = Result<Vec<Event>, Refusal>;

impl Game {
    /// The events that `action`, asked for by the side `by`, leads to. Chance is used only for dice that are
    /// not given.
    ///
    /// # Errors
    /// The [`Refusal`]; the game itself is never changed here.
    pub fn decide(
        &self,
        by: Colour,
        action: &Action,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Event>, Refusal> {
        permit(self, by, action.kind())?;
        match action {
            Action::RollOpening { dice: Some(dice) } => Ok(vec![opening(self, *dice, DiceSource::Entered)]),
            Action::RollOpening { dice: None } => Ok(draw_opening(self, chance)),
            Action::Roll { dice } => Ok(vec![roll(self, by, *dice, chance)]),
            Action::CockedDice {} => Ok(vec![cocked(self, by)]),
            Action::Play { steps } => play(self, by, *steps),
            Action::Pass {} => Ok(vec![pass(self, by)]),
            Action::LeaveBoard { position } => leave_board(self, by, position),
            Action::AcceptPlay {} => Ok(accept_play(self, by)),
            Action::SendBack {} => send_back(self, by),
            Action::Double {} => double(self, by),
            Action::Beaver {} => answer(self, |raise| beavered(self, by, raise)),
            Action::Take {} => answer(self, |raise| Ok(taken(by, raise))),
            Action::Drop {} => answer(self, |raise| Ok(dropped(by, raise))),
            Action::Resign { win } => resign(self, by, *win),
            Action::AcceptResignation {} => accept_resignation(self, by),
            Action::RejectResignation {} => Ok(vec![Event::ResignationRejected { side: by }]),
        }
    }
}

/// Draws opening rolls until one is no tie (G3).
fn draw_opening(game: &Game, chance: &mut dyn Chance) -> Vec<Event> {
    let mut at = game.clone();
    let mut events = Vec::new();
    while matches!(at.phase(), Phase::Opening { .. }) && events.len() < MOST_TIES {
        let (white, black) = (Die::rolled(chance), Die::rolled(chance));
        let event = opening(&at, OpeningDice { white, black }, DiceSource::Drawn);
        at.apply(&event);
        events.push(event);
    }
    events
}

/// One opening roll (G3): won by a side, or tied, perhaps with an automatic double (C6).
fn opening(game: &Game, OpeningDice { white, black }: OpeningDice, source: DiceSource) -> Event {
    let side = match white.cmp(&black) {
        Ordering::Greater => Colour::White,
        Ordering::Less => Colour::Black,
        Ordering::Equal => {
            let doubled_to = automatic_double(game);
            return Event::OpeningTied { die: white, source, doubled_to };
        }
    };
    Event::Opened { side, white, black, source }
}

/// The stake after an automatic double; `None` if a tie does not double (C6, C10).
fn automatic_double(game: &Game) -> Option<CubeValue> {
    let options = game.cube_options()?;
    let Phase::Opening { automatic_doubles } = game.phase() else { return None };
    if automatic_doubles >= options.automatic_doubles {
        return None;
    }
    game.cube()?.doubled_automatically(options.limit()).map(|cube| cube.value)
}

/// A roll: by the side on turn, or too early by the other (I3).
fn roll(game: &Game, by: Colour, entered: Option<Roll>, chance: &mut dyn Chance) -> Event {
    let (roll, source) = match entered {
        Some(roll) => (roll, DiceSource::Entered),
        None => (Roll::rolled(chance), DiceSource::Drawn),
    };
    if by == game.on_turn() {
        Event::Rolled { side: by, thrower: game.rules().variant.thrower(by), roll, source }
    } else {
        Event::RolledEarly { side: by, roll, source }
    }
}

fn cocked(game: &Game, by: Colour) -> Event {
    let side = match game.phase() {
        // In the opening each side throws its own die, whatever the variant.
        Phase::Opening { .. } => by,
        Phase::ToRoll | Phase::ToAnswer(_) | Phase::ToPlay { .. } | Phase::Over(_) => {
            game.rules().variant.thrower(by)
        }
    };
    Event::DiceCocked { side }
}

fn play(game: &Game, by: Colour, steps: Steps) -> Decision {
    let (Phase::ToPlay { roll, .. }, Some(legal)) = (game.phase(), game.legal_plays()) else {
        return Err(Refusal::NotRolled);
    };
    let play = legal.check(steps).map_err(Refusal::IllegalPlay)?;
    let position = play.result.into();
    let mut events = vec![Event::Played { side: by, roll, steps, position }];
    events.extend(ending(game, play.result, by));
    Ok(events)
}

fn pass(game: &Game, by: Colour) -> Event {
    let roll = match game.phase() {
        Phase::ToPlay { roll, .. } => Some(roll),
        Phase::Opening { .. } | Phase::ToRoll | Phase::ToAnswer(_) | Phase::Over(_) => None,
    };
    Event::Passed { side: by, roll, position: game.position().turned().into() }
}

/// The end of the game if `side`, which has just played, has borne off everything (G13, V3), or if the
/// mothers decide the game (V4). The other side cannot have finished on this turn. `position` is seen by the
/// other side.
fn ending(game: &Game, position: Position, side: Colour) -> Option<Event> {
    if let Some(win) = Win::in_position(position) {
        return Some(finished(game, game.rules().variant.winner(side), Ended::BorneOff { win }));
    }
    match Mothers::in_position(position) {
        Mothers::Safe => None,
        Mothers::MoverLost => Some(finished(game, side, Ended::MotherPinned {})),
        Mothers::OtherLost => Some(finished(game, side.other(), Ended::MotherPinned {})),
        Mothers::Tied => Some(Event::Tied {}),
    }
}

fn finished(game: &Game, winner: Colour, ended: Ended) -> Event {
    Event::Finished { outcome: Outcome::new(winner, ended, game.stake(), game.gammons_count()) }
}

fn leave_board(game: &Game, by: Colour, position: &PositionId) -> Decision {
    let (Phase::ToPlay { roll, .. }, Some(legal)) = (game.phase(), game.legal_plays()) else {
        return Err(Refusal::NotRolled);
    };
    let checkers = game.rules().variant.checkers();
    let left = position.position(checkers).map_err(|_| Refusal::ImpossibleBoard)?;
    if left.movement() != game.position().movement() || !could_be_left(game.position(), left) {
        return Err(Refusal::ImpossibleBoard);
    }
    if legal.results().iter().any(|play| play.result == left) {
        return Err(Refusal::BoardIsLegal);
    }
    Ok(vec![Event::BoardLeft { side: by, roll, position: position.clone() }])
}

/// Whether some play, however illegal, can lead from `before` to `left`. The mover's checkers may be
/// anywhere, except that those borne off stay off. The other side's are where they were, or on the bar if
/// there is one.
fn could_be_left(before: Position, left: Position) -> bool {
    let (mover, other) = (left.other(), left.mover());
    // A checker that leaves a point can only go to the bar. In a game without a bar, none may be missing.
    let stands = |place| other.at(place) <= before.other().at(place);
    mover.off() >= before.mover().off() && other.off() == before.other().off() && (OFF + 1..BAR).all(stands)
}

/// The board stands as it was left. If it was left won, the game is won (I2).
fn accept_play(game: &Game, by: Colour) -> Vec<Event> {
    let mut events = vec![Event::PlayAccepted { side: by }];
    events.extend(ending(game, game.position(), by.other()));
    events
}

fn send_back(game: &Game, by: Colour) -> Decision {
    let LeftBoard { before, .. } = game.left_board().ok_or(Refusal::NoPlayToAnswer)?;
    Ok(vec![Event::PlaySentBack { side: by, position: before.into() }])
}

fn double(game: &Game, by: Colour) -> Decision {
    let offer = offer(game, by)?;
    Ok(vec![Event::Doubled { side: by, before: offer.before, to: offer.to }])
}

/// Applies `answer` to the offer that waits for an answer.
fn answer(game: &Game, answer: impl FnOnce(Raise<Colour>) -> Decision) -> Decision {
    match game.phase() {
        Phase::ToAnswer(raise) => answer(raise),
        Phase::Opening { .. } | Phase::ToRoll | Phase::ToPlay { .. } | Phase::Over(_) => {
            Err(Refusal::NoOffer)
        }
    }
}

fn beavered(game: &Game, by: Colour, raise: Raise<Colour>) -> Decision {
    let beaver = beaver(game, raise)?;
    Ok(vec![Event::Beavered {
        side: by,
        number: beaver.number,
        before: beaver.before,
        to: beaver.to,
        owner: beaver.owner,
    }])
}

fn taken(by: Colour, raise: Raise<Colour>) -> Vec<Event> {
    vec![Event::Taken { side: by, value: raise.to(), owner: raise.owner(by) }]
}

/// C3, C7: the stake before the offer is lost, and the kind of win does not matter.
fn dropped(by: Colour, raise: Raise<Colour>) -> Vec<Event> {
    let outcome = Outcome::new(by.other(), Ended::Dropped {}, raise.drop(), true);
    vec![Event::Dropped { side: by }, Event::Finished { outcome }]
}

/// V4: only as a kind of win that exists in this variant.
fn resign(game: &Game, by: Colour, win: Win) -> Decision {
    let known = game.rules().variant.wins().contains(&win);
    if known { Ok(vec![Event::Resigned { side: by, win }]) } else { Err(Refusal::NoSuchWin) }
}

fn accept_resignation(game: &Game, by: Colour) -> Decision {
    let resignation = game.resignation().ok_or(Refusal::NoResignation)?;
    let ended = Ended::Resigned { win: resignation.win };
    Ok(vec![Event::ResignationAccepted { side: by }, finished(game, by, ended)])
}
