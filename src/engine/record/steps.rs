//! Plays as files have them: in the order in which somebody wrote them down.
//!
//! The [generator](crate::engine::generate) shows every result once, with steps in an order of its own. A file
//! that is read and written again must not be shuffled, so here the order of the file is kept where it can
//! be played so.

use crate::engine::dice::{Die, Roll};
use crate::engine::generate::Generator;
use crate::engine::notation::play::{Moved, Unresolved, resolve};
use crate::engine::play::{Play, Step, Steps};
use crate::engine::position::{BAR, Checkers, OFF, Position, across};

/// The legal play of `roll` that `moves` mean, in their order if it can be played in that order.
///
/// # Errors
/// [`Unresolved`].
pub(super) fn as_written(position: Position, roll: Roll, moves: &[Moved]) -> Result<Play, Unresolved> {
    let play = resolve(position, roll, moves)?;
    let in_order = in_order(position, roll, moves).filter(|found| found.result == play.result);
    Ok(in_order.unwrap_or(play))
}

/// What `steps` make of `position`, if they are a legal play of `roll` in this order.
pub(super) fn result(position: Position, roll: Roll, steps: Steps) -> Option<Position> {
    let mut dice = dice(roll);
    let mut at = position;
    for step in steps.iter() {
        let die = dice.iter().position(|die| die.pips() == step.pips())?;
        dice.remove(die);
        at = after(at, step)?;
    }
    let result = at.turned();
    let mut legal = false;
    Generator::new(position).for_each(roll, |play| legal |= play.result == result);
    legal.then_some(result)
}

/// The only legal play of `roll`, if there is but one.
pub(super) fn only_play(position: Position, roll: Roll) -> Option<Play> {
    let (mut first, mut count) = (None, 0_u32);
    Generator::new(position).for_each(roll, |play| {
        first.get_or_insert(play);
        count += 1;
    });
    first.filter(|_| count == 1)
}

/// The moves made one die each, one after another.
fn in_order(position: Position, roll: Roll, moves: &[Moved]) -> Option<Play> {
    // Where both dice bear off either of two checkers, the higher is taken to be the first.
    let orders = match (roll.is_double(), roll.high(), roll.low()) {
        (true, die, _) => vec![vec![die; 4]],
        (false, high, low) => vec![vec![high, low], vec![low, high]],
    };
    orders.into_iter().find_map(|dice| {
        let (mut at, mut steps) = (position, Steps::NONE);
        for (index, moved) in moves.iter().enumerate() {
            let step = Step::new(moved.from, *dice.get(index)?).filter(|step| step.to() == moved.to)?;
            at = after(at, step)?;
            steps = steps.then(step);
        }
        Some(Play { steps, result: at.turned() })
    })
}

/// The dice one may use.
fn dice(roll: Roll) -> Vec<Die> {
    if roll.is_double() { vec![roll.high(); 4] } else { vec![roll.high(), roll.low()] }
}

/// The same side to move after one step, if it can be made now by itself (G5, G9 to G12).
fn after(position: Position, step: Step) -> Option<Position> {
    let (mover, other) = (position.mover(), position.other());
    let (from, to) = (step.from(), step.to());
    let waits_on_bar = mover.on_bar() > 0 && from != BAR;
    let highest = mover.highest();
    let may_not_leave = to == OFF && (highest > 6 || (from < step.pips() && from < highest));
    if mover.at(from) == 0 || waits_on_bar || may_not_leave {
        return None;
    }
    let other = match other.at(across(to)) {
        _ if to == OFF => other,
        0 => other,
        1 => other.plus(Checkers::one(BAR).wrapping_sub(Checkers::one(across(to)))),
        _ => return None,
    };
    Some(Position::known(mover.plus(Checkers::one(to).wrapping_sub(Checkers::one(from))), other))
}
