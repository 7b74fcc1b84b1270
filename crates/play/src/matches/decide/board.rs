//! The game that the engine referees (G3, G4, G13, G18, C2 to C9, M3 to M6).
//!
//! A side may double even where it gains nothing by it (M6); such a double is merely not offered.

use super::{Act, score};
use crate::matches::Slot;
use crate::matches::board::{MOST_EVENTS, colour, slot};
use crate::matches::event::Event;
use crate::matches::game::{Won, ending};
use crate::matches::refusal::Refusal;
use owlbox_base::journal::Chance;
use owlbox_engine::Outcome;
use owlbox_engine::game::{Action, DiceSource, Event as OnBoard};

type Done = Result<(), Refusal>;

/// Puts the next game on a board.
pub(super) fn start(act: &mut Act, dice: DiceSource) -> Done {
    if act.now.board().is_some() {
        return Err(Refusal::Refereed);
    }
    let game = score::next_game(act)?;
    let rules = act.now.game_rules().ok_or(Refusal::NotOpen)?;
    act.happens(Event::BoardStarted { game, dice, rules });
    Ok(())
}

/// Stops refereeing the game; its result will be entered.
pub(super) fn abandon(act: &mut Act) -> Done {
    act.now.board().ok_or(Refusal::NotRefereed)?;
    act.happens(Event::BoardAbandoned {});
    Ok(())
}

pub(super) fn act(act: &mut Act, by: Slot, action: &Action, chance: &mut dyn Chance) -> Done {
    let board = act.now.board().ok_or(Refusal::NotRefereed)?;
    dice_are(board.dice, action)?;
    if board.is_full() {
        return Err(Refusal::TooManyActions { most: MOST_EVENTS });
    }
    let happened =
        board.game.decide(colour(by), action, chance).map_err(|refusal| Refusal::Board { refusal })?;
    if matches!(action, Action::Double {}) && act.now.waits_by_holland(by) {
        return Err(Refusal::Holland);
    }
    for of in happened {
        let finished = if let OnBoard::Finished { outcome } = &of { Some(*outcome) } else { None };
        act.happens(Event::Board { of });
        if let Some(outcome) = finished {
            game_over(act, outcome)?;
        }
    }
    Ok(())
}

/// Checks that dice are given exactly when they are entered, not drawn.
const fn dice_are(source: DiceSource, action: &Action) -> Done {
    let entered = if let Action::RollOpening { dice } = action {
        dice.is_some()
    } else if let Action::Roll { dice } = action {
        dice.is_some()
    } else {
        return Ok(());
    };
    match source {
        DiceSource::Drawn if entered => Err(Refusal::DiceDrawn),
        DiceSource::Entered if !entered => Err(Refusal::DiceNeeded),
        DiceSource::Drawn | DiceSource::Entered => Ok(()),
    }
}

/// Records the result of the game on the board.
fn game_over(act: &mut Act, outcome: Outcome) -> Done {
    let (win, how) = ending(outcome.ended);
    let board = act.now.board();
    let won = Won {
        winner: slot(outcome.winner),
        win,
        cube: outcome.stake,
        turned: board.and_then(|board| board.game.cube()).is_some_and(|cube| cube.is_turned()),
        how,
        began: board.and_then(|board| board.transcript.began()),
        points: outcome.points,
    };
    score::won_game(act, won)
}
