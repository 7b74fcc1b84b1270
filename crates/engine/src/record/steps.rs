//! Plays as files have them: in the order in which they were written down.
//!
//! The [generator](crate::generate) shows every result once, with steps in an order of its own. A file that
//! is read and written again should not be reordered, so the order of the file is kept wherever it can be
//! played.

use crate::dice::Roll;
use crate::notation::play::{Moved, Unresolved, resolve};
use crate::play::{Play, Step, Steps};
use crate::plays::LegalPlays;
use crate::position::Position;
use crate::step_rules::stepped;

/// The legal play of `roll` that `moves` mean, in their order if it can be played in that order.
///
/// # Errors
/// [`Unresolved`] if there is no such play, or more than one.
pub(super) fn as_written(position: Position, roll: Roll, moves: &[Moved]) -> Result<Play, Unresolved> {
    let play = resolve(position, roll, moves)?;
    // `4/off` with 4-1 is in order by the 4 alone, but the legal play takes both dice: 4/3/off.
    let same = |found: &Play| found.result == play.result && found.steps.len() == play.steps.len();
    Ok(in_order(position, roll, moves).filter(same).unwrap_or(play))
}

/// The only legal play of `roll`; `None` if there are several.
pub(super) fn only_play(position: Position, roll: Roll) -> Option<Play> {
    match LegalPlays::new(position, roll).results()[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The moves made in their order, one die each; `None` if that is impossible.
fn in_order(position: Position, roll: Roll, moves: &[Moved]) -> Option<Play> {
    let (high, low) = (roll.high(), roll.low());
    // If either die bears off either of two checkers, the higher die is taken to be the first.
    let orders =
        if roll.is_double() { [[high; 4]; 2] } else { [[high, low, low, low], [low, high, high, high]] };
    let most = if roll.is_double() { 4 } else { 2 };
    orders.into_iter().filter(|_| moves.len() <= most).find_map(|dice| {
        let (mut at, mut steps) = (position, Steps::NONE);
        for (moved, die) in moves.iter().zip(dice) {
            let step = Step::new(moved.from, die).filter(|step| step.to() == moved.to)?;
            at = stepped(at, step).ok()?;
            steps = steps.then(step);
        }
        Some(Play { steps, result: at.turned() })
    })
}
