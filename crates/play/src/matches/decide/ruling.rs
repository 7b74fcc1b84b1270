//! Concessions and rulings.

use super::{Act, won_by};
use crate::matches::command::InBracket;
use crate::matches::event::{DecidedBy, Event};
use crate::matches::refusal::Refusal;
use crate::matches::score::Length;
use crate::matches::{Ending, Outcome, Slot};

type Done = Result<(), Refusal>;

/// A side concedes the match.
pub(super) fn concede(act: &mut Act, by: Slot) -> Done {
    let tally = act.tally()?;
    act.finishes(DecidedBy::Concession { by }, won_by(by.other(), Ending::Conceded, Some(tally)));
    Ok(())
}

/// The director rules on the outcome, and who withdraws from the tournament with it; or that the match goes
/// on.
pub(super) fn rule(act: &mut Act, outcome: Option<Outcome>, withdraws: &[Slot]) -> Done {
    let tally = act.tally()?;
    may_withdraw(act, withdraws)?;
    let Some(outcome) = outcome else {
        // Nobody leaves a match that goes on.
        return if withdraws.is_empty() { goes_on(act) } else { Err(Refusal::BadRuling) };
    };
    if !is_possible(outcome, tally.length()) {
        return Err(Refusal::BadRuling);
    }
    if act.now.outcome() == Some(outcome) && act.now.decided_by() == Some(DecidedBy::Ruling {}) {
        return Err(Refusal::NothingChanges);
    }
    act.clock_stops();
    let by = DecidedBy::Ruling {};
    act.happens(Event::Finished { by, outcome, entered_by: None, withdraws: withdraws.to_vec() });
    Ok(())
}

/// Refuses to let players withdraw where there is no tournament, or one of them twice.
fn may_withdraw(act: &Act, withdraws: &[Slot]) -> Done {
    match withdraws {
        [] => Ok(()),
        _ if act.now.tournament_match().is_none() => Err(Refusal::NotOfTournament),
        [_] => Ok(()),
        [one, other] if one != other => Ok(()),
        _ => Err(Refusal::BadList),
    }
}

/// Revokes an entered, conceded or ruled outcome, so that the score decides again.
fn goes_on(act: &mut Act) -> Done {
    let winner = act.tally()?.winner();
    match act.now.decided_by() {
        None => return Err(Refusal::NothingChanges),
        Some(DecidedBy::Score {}) => return Err(Refusal::DecidedByScore),
        Some(
            DecidedBy::Stated {}
            | DecidedBy::Concession { .. }
            | DecidedBy::Lateness { .. }
            | DecidedBy::Penalties { .. }
            | DecidedBy::Ruling {},
        ) => match winner {
            Some(_) => act.settles(),
            None => act.happens(Event::Reopened {}),
        },
    }
    act.board_stands()
}

/// Makes the sheet agree with the bracket of its tournament, whatever is on it. If the score has reached the
/// length in a match that goes on, a game is wrong and will be corrected later.
pub(super) fn follow(act: &mut Act, bracket: InBracket) -> Done {
    let outcome = match bracket {
        InBracket::Others if act.now.is_detached() => return Ok(()),
        InBracket::Others => {
            act.clock_stops();
            act.happens(Event::Detached {});
            return Ok(());
        }
        InBracket::Theirs(outcome) => outcome,
    };
    if act.now.is_detached() {
        act.happens(Event::Attached {});
    }
    match outcome {
        _ if act.now.outcome() == outcome => {}
        Some(outcome) => {
            let tally = act.tally()?;
            let by_score = tally.winner().map(|winner| won_by(winner, Ending::Played, Some(tally)));
            let is_score = by_score == Some(outcome);
            act.finishes(if is_score { DecidedBy::Score {} } else { DecidedBy::Ruling {} }, outcome);
        }
        None => act.happens(Event::Reopened {}),
    }
    // The game on the board would be played by other rules than it began with, or not at all.
    let goes_on = act.board_stands().is_ok() && !act.now.score_is_open();
    if act.now.board().is_some() && !goes_on {
        act.happens(Event::BoardAbandoned {});
    }
    Ok(())
}

/// Whether a director can rule this outcome. Endings that a bracket sets automatically cannot be ruled.
fn is_possible(outcome: Outcome, length: Length) -> bool {
    let Outcome { winner, ending, score } = outcome;
    let in_range = score.is_none_or(|score| score.iter().all(|points| *points <= length.points()));
    let has_won = |winner: Slot| score.is_none_or(|score: [u16; 2]| length.winner(score) == Some(winner));
    let somebody_has_not_won = score.is_none_or(|score| score != [length.points(); 2]);
    match ending {
        Ending::Played => in_range && winner.is_some_and(has_won),
        Ending::Conceded | Ending::Forfeit | Ending::Walkover | Ending::Disqualified => {
            in_range && winner.is_some() && somebody_has_not_won
        }
        Ending::DoubleForfeit => in_range && winner.is_none(),
        Ending::Withdrawn | Ending::Bye | Ending::NotNeeded => false,
    }
}
