//! Every legal play of a roll where checkers do not move as in backgammon (V4), each result once.
//!
//! The [fast generator](super::generate) counts on what only backgammon's movement keeps: that no step takes another away. In
//! Plakoto a checker that leaves frees one of the other side's, in Fevga the first checker opens the way for the rest. So here
//! the steps are simply made, die by die and in both orders; results that are the same at any stage are one.

use std::collections::BTreeMap;

use super::dice::{Die, Roll};
use super::movement::leaves_way;
use super::play::{Play, Step, Steps};
use super::plays::stepped;
use super::position::{BAR, Position};

/// Where the checkers can stand after so many steps, still seen by who makes them, with one way to each.
type Reached = BTreeMap<Position, Steps>;

/// Every legal play of `roll`; if nothing can be moved, one without steps.
pub(super) fn plays(position: Position, roll: Roll, strict_larger_die: bool) -> Vec<Play> {
    let (high, low) = (roll.high(), roll.low());
    let mut reached = if roll.is_double() {
        by_dice(position, &[high; 4]).1
    } else {
        let ((more, first), (less, second)) =
            (by_dice(position, &[high, low]), by_dice(position, &[low, high]));
        match (more, less) {
            // G8: the larger, if only one can be played; G8a: else none.
            (1, 0 | 1) => first,
            (0, 1) if strict_larger_die => nothing(position),
            (0, 1) => second,
            _ if more > less => first,
            _ if more < less => second,
            _ => first.into_iter().chain(second).collect(),
        }
    };
    // V4, Fevga: who can leave a way does.
    if reached.keys().any(|end| leaves_way(*end)) {
        reached.retain(|end, _| leaves_way(*end));
    }
    reached.into_iter().map(|(end, steps)| Play { steps, result: end.turned() }).collect()
}

/// Plays `dice` in that order as far as any checker can, and says how far.
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
