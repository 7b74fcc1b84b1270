//! Corrections of earlier games.

use super::score::{counts, counts_from};
use super::{Act, won_by};
use crate::matches::command::Entered;
use crate::matches::event::{DecidedBy, Event};
use crate::matches::game::{Entry, LineContent, SheetStanding};
use crate::matches::refusal::Refusal;
use crate::matches::score::CannotScore;
use crate::matches::terms::Terms;
use crate::matches::{Ending, Outcome};

/// Corrects the result of a game. The rest of the sheet stands, and must still be possible.
pub(super) fn correct(act: &mut Act, game: u32, entered: &Entered) -> Result<(), Refusal> {
    let terms = act.terms()?;
    let (line, entry) = line_of(act.now.entries(), game)
        .ok_or_else(|| Refusal::NoSuchGame { games: act.now.games_over() })?;
    let now = counts(terms, entered)?;
    if entry.what == LineContent::Won(now) {
        return Err(Refusal::NothingChanges);
    }
    let was = match entry.what {
        LineContent::Won(was) => Some(was),
        LineContent::Drawn | LineContent::Void | LineContent::Penalty { .. } => None,
    };
    let contested = entry.vouched.contested_by.is_some();
    counts_from(before(terms, act.now.entries(), line).phase, &now)?;
    let standings = standings(terms, act.now.entries(), line, LineContent::Won(now))?;
    act.happens(Event::Corrected { game, was, now, standings, contested, entered_by: None });
    decided_anew(act)?;
    act.board_stands()
}

/// The line of this game, with its index.
pub(super) fn line_of(entries: &[Entry], game: u32) -> Option<(usize, &Entry)> {
    let at = usize::try_from(game.checked_sub(1)?).ok()?;
    entries.iter().enumerate().filter(|(_, entry)| entry.what.is_game()).nth(at)
}

/// The score before line `line`.
fn before(terms: Terms, entries: &[Entry], line: usize) -> SheetStanding {
    let above = line.checked_sub(1).and_then(|above| entries.get(above));
    above.map_or_else(|| SheetStanding::before(terms), |entry| entry.standing)
}

/// The score after line `line`, with `now` in it, and after every line below.
pub(super) fn standings(
    terms: Terms,
    entries: &[Entry],
    line: usize,
    now: LineContent,
) -> Result<Vec<SheetStanding>, Refusal> {
    let (above, below) = entries.split_at(line);
    let mut at = before(terms, entries, line);
    let mut game = games(above) + 1;
    let mut standings = Vec::with_capacity(below.len());
    for (offset, entry) in below.iter().enumerate() {
        let what = if offset == 0 { now } else { entry.what };
        game += u32::from(offset > 0 && what.is_game());
        if let LineContent::Won(won) = &what {
            counts_from(at.phase, won).map_err(|_| Refusal::LaterGame { game, over: false })?;
        }
        at = what.after(at, terms).map_err(|reason| match reason {
            CannotScore::Over => Refusal::LaterGame { game, over: true },
            CannotScore::Crawford => Refusal::LaterGame { game, over: false },
        })?;
        standings.push(at);
    }
    Ok(standings)
}

fn games(entries: &[Entry]) -> u32 {
    (0..).zip(entries.iter().filter(|entry| entry.what.is_game())).last().map_or(0, |(at, _)| at + 1)
}

/// Updates the outcome for the corrected score. A ruling stands; a final score entered on its own must still
/// be possible.
pub(super) fn decided_anew(act: &mut Act) -> Result<(), Refusal> {
    let Some(tally) = act.now.tally() else { return Ok(()) };
    let Some((decided_by, outcome)) = act.now.decided_by().zip(act.now.outcome()) else {
        act.settles();
        return Ok(());
    };
    let by_score = tally.winner().map(|winner| won_by(winner, Ending::Played, Some(tally)));
    match decided_by {
        DecidedBy::Ruling {} => {}
        DecidedBy::Stated {} => {
            let stated = outcome.score.unwrap_or_default();
            if stated.iter().zip(tally.points()).any(|(stated, so_far)| *stated < so_far) {
                let length = tally.length().points();
                return Err(Refusal::BadScore { length, so_far: tally.points() });
            }
        }
        DecidedBy::Score {} => match by_score {
            Some(by_score) if outcome == by_score => {}
            Some(_) => act.settles(),
            None => act.happens(Event::Reopened {}),
        },
        DecidedBy::Concession { .. } | DecidedBy::Lateness { .. } | DecidedBy::Penalties { .. } => {
            match by_score {
                Some(by_score) if outcome == by_score => {}
                Some(_) => act.settles(),
                None if outcome.score == Some(tally.points()) => {}
                None => act.finishes(decided_by, Outcome { score: Some(tally.points()), ..outcome }),
            }
        }
    }
    Ok(())
}
