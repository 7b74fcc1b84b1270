//! Games, penalties and the final score.

use super::{Act, won_by};
use crate::matches::command::Entered;
use crate::matches::event::{DecidedBy, Event};
use crate::matches::game::{GameEnding, Won};
use crate::matches::refusal::Refusal;
use crate::matches::score::{self, CannotScore};
use crate::matches::state::MOST_GAMES;
use crate::matches::terms::Terms;
use crate::matches::{Ending, Outcome, Slot};
use owlbox_engine::tables::equity::MatchPhase;
use owlbox_engine::{CubeValue, Win};

type Done = Result<(), Refusal>;

/// Enters a game by its result.
pub(super) fn game(act: &mut Act, entered: &Entered) -> Done {
    not_refereed(act)?;
    let won = counts(act.terms()?, entered)?;
    won_game(act, won)
}

fn not_refereed(act: &Act) -> Done {
    if act.now.board().is_some() { Err(Refusal::Refereed) } else { Ok(()) }
}

/// The value of an entered game (M2, C3, C9, C10).
pub(super) fn counts(terms: Terms, entered: &Entered) -> Result<Won, Refusal> {
    let Entered { winner, win, cube, how, began, .. } = *entered;
    if how == GameEnding::Dropped && win != Win::Single {
        return Err(Refusal::DropIsSingle);
    }
    let wins = terms.game().variant.wins();
    if !wins.contains(&win) {
        return Err(Refusal::NoSuchWin { wins });
    }
    let options = terms.cube();
    if cube > options.limit() || how == GameEnding::Dropped && terms.without_cube() {
        return Err(Refusal::CubeAtLimit { limit: options.limit() });
    }
    let turned = entered.turned.unwrap_or(Terms::turned(cube));
    // Automatic doubles raise the cube without turning it (C6).
    let unturned_at_most = 1_u64 << options.automatic_doubles.min(20);
    if turned != Terms::turned(cube) && (turned || u64::from(cube.get()) > unturned_at_most) {
        return Err(Refusal::CannotBeTurned);
    }
    Ok(count(terms, Won { winner, win, cube, turned, how, began, points: 0 }))
}

/// The game with its points filled in (M2, C9).
pub(in crate::matches) fn count(terms: Terms, won: Won) -> Won {
    let jacoby = terms.length().is_none() && terms.cube().jacoby;
    let win = won.win.counted(!jacoby || won.turned);
    // At most 3 times 2^20, which fits.
    Won { points: won.cube.get() * win.multiplier(), ..won }
}

/// Checks that a game can be entered with this cube in this phase of the match (M3).
pub(super) fn counts_from(phase: Option<MatchPhase>, won: &Won) -> Done {
    let cubeless = won.how != GameEnding::Dropped && won.cube == CubeValue::ONE;
    if phase == Some(MatchPhase::Crawford) && !cubeless { Err(Refusal::CrawfordGame) } else { Ok(()) }
}

/// Records a won game, and the end of the match if that was it.
pub(super) fn won_game(act: &mut Act, won: Won) -> Done {
    let game = next_game(act)?;
    let terms = act.terms()?;
    let before = act.now.standing().ok_or(Refusal::NotOpen)?;
    counts_from(before.phase, &won)?;
    let standing = before.after(terms, &won).map_err(cannot_score)?;
    act.happens(Event::GameWon { game, won, standing, entered_by: None });
    act.settles();
    Ok(())
}

/// The number of the next game.
pub(super) fn next_game(act: &Act) -> Result<u32, Refusal> {
    let games = act.now.games_over();
    if games >= MOST_GAMES { Err(Refusal::TooManyGames { most: MOST_GAMES }) } else { Ok(games + 1) }
}

const fn cannot_score(reason: CannotScore) -> Refusal {
    match reason {
        CannotScore::Over => Refusal::MatchOver,
        CannotScore::Crawford => Refusal::CrawfordGame,
    }
}

/// Records a drawn game (M8). A game on the board cannot be drawn this way, or the player who is losing it
/// could make it vanish: somebody who runs the match has to abandon the board first.
pub(super) fn draw(act: &mut Act) -> Done {
    not_refereed(act)?;
    let game = next_game(act)?;
    let standing = act.now.standing().ok_or(Refusal::NotOpen)?;
    act.happens(Event::GameDrawn { game, standing, entered_by: None });
    Ok(())
}

/// Gives a side points for the other's penalty.
pub(super) fn penalty(act: &mut Act, gains: Slot, points: u16) -> Done {
    if !(1..=255).contains(&points) {
        return Err(Refusal::BadPenalty);
    }
    penalised(act, gains, points, None)
}

pub(super) fn late(act: &mut Act, by: Slot, minutes: u32) -> Done {
    let tally = act.tally()?;
    match score::late(tally.length(), minutes) {
        Some(0) => Err(Refusal::NothingChanges),
        Some(points) => penalised(act, by.other(), points, Some(minutes)),
        None => {
            let outcome = won_by(by.other(), Ending::Forfeit, Some(tally));
            act.finishes(DecidedBy::Lateness { by, minutes }, outcome);
            Ok(())
        }
    }
}

fn penalised(act: &mut Act, gains: Slot, points: u16, minutes: Option<u32>) -> Done {
    let terms = act.terms()?;
    let before = act.now.standing().ok_or(Refusal::NotOpen)?;
    let standing = before.penalised(terms, gains, points).map_err(cannot_score)?;
    act.happens(Event::Penalised { gains, points, minutes, standing });
    let tally = act.tally()?;
    // With more than half the length in penalty points the match is lost.
    if u64::from(tally.penalties()[gains.at()]) * 2 > tally.length().points().into() {
        let by = DecidedBy::Penalties { against: gains.other() };
        act.finishes(by, won_by(gains, Ending::Forfeit, Some(tally)));
    } else {
        act.settles();
    }
    act.board_stands()
}

pub(super) fn stated(act: &mut Act, score: [u16; 2]) -> Done {
    let tally = act.tally()?;
    let length = tally.length().points();
    let winner = tally.length().winner(score);
    let no_fewer = score.iter().zip(tally.points()).all(|(stated, so_far)| *stated >= so_far);
    let Some(winner) = winner.filter(|_| no_fewer) else {
        return Err(Refusal::BadScore { length, so_far: tally.points() });
    };
    let outcome = Outcome { winner: Some(winner), ending: Ending::Played, score: Some(score) };
    act.finishes(DecidedBy::Stated {}, outcome);
    Ok(())
}
