//! A game refereed by the engine (G3, G4, G13, G18, C2, C5): what happens on its board. White is the box.
//!
//! The engine plays without a cube. Cubes belong to the chouette and may be offered while the board lets the
//! side on roll double.

use crate::bet::{Side, colour};
use crate::decide::{Act, Decision, finish, nothing_comes_first, nothing_is_offered, start};
use crate::event::Event;
use crate::refusal::Refusal;
use crate::state::Chouette;
use owlbox_base::journal::Inputs;
use owlbox_engine::Colour;
use owlbox_engine::game::{Action, Event as OnBoard};

pub(super) fn act(chouette: &Chouette, by: Side, action: &Action, inputs: &mut Inputs<'_>) -> Decision {
    let game = chouette.game().ok_or(Refusal::NoGame)?;
    let board = game.board.as_ref().ok_or(Refusal::NotRefereed)?;
    nothing_comes_first(game)?;
    nothing_is_offered(game)?;
    let happened =
        board.decide(colour(by), action, inputs.chance).map_err(|refusal| Refusal::Board { refusal })?;
    let mut act = Act::on(chouette, inputs.now);
    for event in happened {
        let tied = matches!(event, OnBoard::OpeningTied { .. });
        let outcome = if let OnBoard::Finished { outcome } = &event { Some(*outcome) } else { None };
        if ends_the_doubles(&event) {
            act.plays_on();
        }
        act.happens(Event::Board { of: event });
        if let Some(outcome) = outcome {
            finish_with(&mut act, outcome);
        }
        if tied {
            count_tie(&mut act);
            // A tie is an act of its own: the box may have a say, and everybody sees the dice.
            break;
        }
    }
    Ok(act.events)
}

/// Whether this ends the turn's doubles and whatever was asked after them: the dice are rolled, or the game
/// is finished.
const fn ends_the_doubles(event: &OnBoard) -> bool {
    matches!(
        event,
        OnBoard::Rolled { .. }
            | OnBoard::Opened { .. }
            | OnBoard::RolledEarly { .. }
            | OnBoard::Finished { .. }
    )
}

/// C6: a tie doubles the cubes, unless the box still has to say so.
fn count_tie(act: &mut Act<'_>) {
    let Some(game) = act.game() else { return };
    if !start::tie_is_choice(&act.now, game) {
        let tied = start::tied(&act.now, game, true);
        act.happens(tied);
    }
}

fn finish_with(act: &mut Act<'_>, outcome: owlbox_engine::Outcome) {
    let winner = match outcome.winner {
        Colour::White => Side::Box,
        Colour::Black => Side::Team,
    };
    let Some(win) = outcome.ended.win() else { return };
    if let Some(game) = act.game() {
        let finished = finish::played_out(&act.now, game, winner, win);
        act.happens(finished);
    }
}
