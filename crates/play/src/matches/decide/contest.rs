//! Contests: one side contests what the other has entered, a game or the final score. A scorer rules that it
//! stands, that it was never played, or corrects it (`correct`).
//!
//! Only in friendly matches and money sessions: a tournament match is decided once both sides have reported
//! the same.

use super::Act;
use super::correct::{decided_anew, line_of, standings};
use crate::matches::Slot;
use crate::matches::command::ContestRuling;
use crate::matches::event::Event;
use crate::matches::game::{LineContent, Vouched, Won};
use crate::matches::refusal::Refusal;

type Done = Result<(), Refusal>;

/// A side contests what the other has entered.
pub(super) fn contest(act: &mut Act, by: Slot, game: Option<u32>) -> Done {
    if act.now.tournament_match().is_some() {
        return Err(Refusal::NotContestable);
    }
    if !vouched(act, game)?.is_contestable_by(by) {
        return Err(Refusal::NotContestable);
    }
    let won = booked(act, game);
    act.happens(Event::Contested { by, game, won });
    Ok(())
}

/// A side withdraws its contest.
pub(super) fn withdraw(act: &mut Act, by: Slot, game: Option<u32>) -> Done {
    if vouched(act, game)?.contested_by != Some(by) {
        return Err(Refusal::NotContested);
    }
    let won = booked(act, game);
    act.happens(Event::ContestWithdrawn { by, game, won });
    Ok(())
}

pub(super) fn rule(act: &mut Act, game: Option<u32>, ruling: ContestRuling) -> Done {
    vouched(act, game)?.contested_by.ok_or(Refusal::NotContested)?;
    match (ruling, game) {
        (ContestRuling::Stands, game) => {
            let won = booked(act, game);
            act.happens(Event::Upheld { game, won });
            Ok(())
        }
        (ContestRuling::Void, Some(game)) => void(act, game),
        (ContestRuling::Void, None) => {
            act.happens(Event::Reopened {});
            act.board_stands()
        }
    }
}

/// Rules that the game was never played. The rest of the sheet stands, and must still be possible.
fn void(act: &mut Act, game: u32) -> Done {
    let terms = act.terms()?;
    let (line, _) = line_of(act.now.entries(), game).ok_or_else(|| no_such_game(act))?;
    let standings = standings(terms, act.now.entries(), line, LineContent::Void)?;
    act.happens(Event::Voided { game, standings });
    decided_anew(act)?;
    act.board_stands()
}

fn vouched(act: &Act, game: Option<u32>) -> Result<Vouched, Refusal> {
    act.now.vouched(game).ok_or_else(|| match game {
        Some(_) => no_such_game(act),
        None => Refusal::NotContestable,
    })
}

fn no_such_game(act: &Act) -> Refusal {
    Refusal::NoSuchGame { games: act.now.games_over() }
}

/// The result of the game that a session has in the books.
fn booked(act: &Act, game: Option<u32>) -> Option<Won> {
    let (_, entry) = line_of(act.now.entries(), game?)?;
    match entry.what {
        LineContent::Won(won) => Some(won),
        LineContent::Drawn | LineContent::Void | LineContent::Penalty { .. } => None,
    }
}
