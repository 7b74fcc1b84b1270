//! Legal plays in Plakoto and Fevga (V4), each result once.
//!
//! The [fast generator](super::generate) relies on a property of backgammon: no step takes another one away.
//! The other two games do not have it. In Plakoto a checker that leaves a point may free a pinned one; in
//! Fevga the first checker has to get past the other side's start before the rest may move. So this generator
//! simply makes the steps, die by die and in both orders, and merges equal positions after each die.

use std::collections::BTreeMap;

use super::dice::{Die, Roll};
use super::place::BAR;
use super::play::{Play, Step, Steps};
use super::position::Position;
use super::step_rules::{leaves_way, stepped};

/// Every position after a number of steps, still seen by the mover, with one way to reach it.
type Reached = BTreeMap<Position, Steps>;

/// Every legal play of `roll`. If nothing can be moved, the only play has no steps.
pub(super) fn plays(position: Position, roll: Roll, strict_larger_die: bool) -> Vec<Play> {
    let (high, low) = (roll.high(), roll.low());
    let mut reached = if roll.is_double() {
        by_dice(position, &[high; 4]).1
    } else {
        let ((more, first), (less, second)) =
            (by_dice(position, &[high, low]), by_dice(position, &[low, high]));
        match (more, less) {
            // G8: if only one number can be played, the larger one; under G8a, none.
            (1, 0 | 1) => first,
            (0, 1) if strict_larger_die => nothing(position),
            (0, 1) => second,
            _ if more > less => first,
            _ if more < less => second,
            _ => first.into_iter().chain(second).collect(),
        }
    };
    // V4, Fevga: a play that opens the prime is compulsory if there is one.
    if reached.keys().any(|end| leaves_way(*end)) {
        reached.retain(|end, _| leaves_way(*end));
    }
    reached.into_iter().map(|(end, steps)| Play { steps, result: end.turned() }).collect()
}

/// Plays `dice` in that order as far as any checker can, and returns how many dice were played.
fn by_dice(position: Position, dice: &[Die]) -> (usize, Reached) {
    let mut reached = nothing(position);
    for (made, die) in dice.iter().enumerate() {
        let mut next = Reached::new();
        for (at, steps) in &reached {
            for step in (1..BAR).rev().map(|from| Step::known(from, die.pips())) {
                if let Ok(after) = stepped(*at, step) {
                    next.entry(after).or_insert(steps.then(step));
                }
            }
        }
        if next.is_empty() {
            return (made, reached);
        }
        reached = next;
    }
    (dice.len(), reached)
}

fn nothing(position: Position) -> Reached {
    Reached::from([(position, Steps::NONE)])
}
