//! What is conceded or ruled.

use super::score::winner_of;
use super::{Act, won_by};
use crate::tournament::bracket::{Ending, Outcome, Slot};
use crate::tournament::sheet::event::{DecidedBy, Event};
use crate::tournament::sheet::refusal::Refusal;

type Done = Result<(), Refusal>;

/// A side gives the match up.
pub(super) fn concede(act: &mut Act, by: Slot) -> Done {
    let tally = act.tally()?;
    act.finishes(DecidedBy::Concession { by }, won_by(by.other(), Ending::Conceded, Some(tally)));
    Ok(())
}

/// The director says what came of the match, or that it goes on.
pub(super) fn rule(act: &mut Act, outcome: Option<Outcome>) -> Done {
    let tally = act.tally()?;
    let Some(outcome) = outcome else { return goes_on(act) };
    if !is_possible(outcome, tally.length().points()) {
        return Err(Refusal::BadRuling);
    }
    if act.now.outcome() == Some(outcome) && act.now.decided_by() == Some(DecidedBy::Ruling {}) {
        return Err(Refusal::NothingChanges);
    }
    act.finishes(DecidedBy::Ruling {}, outcome);
    Ok(())
}

/// What was stated, conceded or ruled does not hold any more: the score says what does.
fn goes_on(act: &mut Act) -> Done {
    match (act.now.decided_by(), act.tally()?.winner()) {
        (None, _) => return Err(Refusal::NothingChanges),
        (Some(DecidedBy::Score {}), _) => return Err(Refusal::DecidedByScore),
        (Some(_), Some(_)) => act.settles(),
        (Some(_), None) => act.happens(Event::Reopened {}),
    }
    act.board_stands()
}

/// Whether a director can rule so. What a bracket finds by itself nobody rules.
fn is_possible(outcome: Outcome, length: u16) -> bool {
    let Outcome { winner, ending, score } = outcome;
    let in_range = score.is_none_or(|score| score.iter().all(|points| *points <= length));
    let one_wins = |winner: Slot| match (ending, score) {
        (Ending::Played, Some(score)) => winner_of(score, length) == Some(winner),
        (_, Some(score)) => score != [length, length],
        (_, None) => true,
    };
    match ending {
        Ending::Played | Ending::Conceded | Ending::Forfeit | Ending::Walkover | Ending::Disqualified => {
            in_range && winner.is_some_and(one_wins)
        }
        Ending::DoubleForfeit => in_range && winner.is_none(),
        Ending::Withdrawn | Ending::Bye | Ending::NotNeeded => false,
    }
}
