//! Box restraint: which cubes the box must treat alike when it doubles or answers only some of them.

use crate::rules::BoxRestraint;
use owlbox_engine::CubeValue;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// A member's cube that the box may double or has to answer.
pub struct Cube {
    /// The value before the double in question.
    pub value: CubeValue,
    /// Whether it was centred before that double.
    pub centred: bool,
    /// Whether it is the (acting) captain's.
    pub captains: bool,
    /// How many of the table's stakes one point is worth.
    pub units: u16,
    /// Whether the box doubles or takes it; `None` while that is open.
    pub done: Option<bool>,
}

impl Cube {
    /// What it stands for before the double, in stakes of the table.
    fn stake(&self) -> u64 {
        u64::from(self.value.get()) * u64::from(self.units)
    }
}

/// Whether the box may double this way. `cubes` are all cubes in question, with `done` for whether each is
/// doubled. `first` means that the box has not doubled in an earlier turn.
#[must_use]
pub fn may_double(rule: BoxRestraint, first: bool, cubes: &[Cube]) -> bool {
    let doubled = |cube: &Cube| cube.done == Some(true);
    match rule {
        BoxRestraint::None => true,
        BoxRestraint::SameValueSameAction => alike(cubes, |a, b| a.value == b.value),
        BoxRestraint::FirstAllOrNone => !first || alike(cubes, |a, b| a.centred && b.centred),
        BoxRestraint::AtLeastHalf => {
            cubes.iter().filter(|cube| doubled(cube)).count() >= cubes.len().div_ceil(2)
        }
        BoxRestraint::BreakEvenWithCaptain | BoxRestraint::Captains => {
            cubes.iter().filter(|cube| cube.captains).all(doubled)
        }
    }
}

/// Whether the box may answer this way. `cubes` are all doubles of the turn, with `done` for taken, dropped
/// or not answered yet; answers still open must leave a way to satisfy the rule. `first` means that the box
/// has not answered in an earlier turn.
#[must_use]
pub fn may_answer(rule: BoxRestraint, first: bool, cubes: &[Cube]) -> bool {
    let taken = |cube: &Cube| cube.done == Some(true);
    let dropped = |cube: &Cube| cube.done == Some(false);
    let any_taken = cubes.iter().any(taken);
    // A cube not answered yet can still be taken.
    let can_be_taken = |cube: &Cube| cube.done != Some(false);
    let captain_can_be_taken = cubes.iter().filter(|cube| cube.captains).all(can_be_taken);
    match rule {
        BoxRestraint::None => true,
        BoxRestraint::SameValueSameAction => alike(cubes, |a, b| a.value == b.value),
        BoxRestraint::FirstAllOrNone => !first || alike(cubes, |a, b| a.centred && b.centred),
        BoxRestraint::AtLeastHalf => {
            !any_taken || cubes.iter().filter(|cube| can_be_taken(cube)).count() >= cubes.len().div_ceil(2)
        }
        BoxRestraint::BreakEvenWithCaptain => {
            let lost: u64 = cubes.iter().filter(|cube| dropped(cube)).map(Cube::stake).sum();
            let won: u64 = cubes.iter().filter(|cube| can_be_taken(cube)).map(|cube| 2 * cube.stake()).sum();
            !any_taken || lost == 0 || (won >= lost && captain_can_be_taken)
        }
        BoxRestraint::Captains => !any_taken || captain_can_be_taken,
    }
}

/// Whether no two cubes that belong together are treated differently. A cube still open matches any other.
fn alike(cubes: &[Cube], belong_together: impl Fn(&Cube, &Cube) -> bool) -> bool {
    cubes.iter().all(|one| {
        cubes.iter().all(|other| match (one.done, other.done) {
            (Some(one_done), Some(other_done)) => one_done == other_done || !belong_together(one, other),
            _ => true,
        })
    })
}
