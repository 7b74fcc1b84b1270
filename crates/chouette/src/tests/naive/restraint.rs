//! What the box must treat alike when it doubles, takes or drops only some cubes.

use super::bets::Pair;
use super::cubes::{Answer, can_double};
use super::{Naive, worth};
use crate::bet::Side;
use crate::rules::BoxRestraint;
use owlbox_base::values::PlayerId;

/// A cube in question, and whether it was doubled, or taken.
#[derive(Clone, Copy)]
struct Asked<'a> {
    pair: &'a Pair,
    before: i64,
    to: i64,
    centred: bool,
    yes: bool,
}

fn alike<'a>(mut cubes: impl Iterator<Item = &'a Asked<'a>>) -> bool {
    let Some(first) = cubes.next().map(|cube| cube.yes) else { return true };
    cubes.all(|cube| cube.yes == first)
}

impl Naive {
    /// The acting captain at the beginning of the turn's answers.
    fn captain_of_the_turn(&self, side: Side) -> Option<PlayerId> {
        let game = self.game.as_ref()?;
        let turn = game.turn.as_ref().filter(|turn| turn.side == side || side == Side::Team);
        turn.and_then(|turn| turn.captain_then).unwrap_or(game.acting_before)
    }

    /// Whether the box may double these, together with those it has doubled this turn.
    pub(super) fn doubles_are_even(&self, new: &[usize]) -> bool {
        let Some(game) = &self.game else { return false };
        let turn = game.turn.as_ref().filter(|turn| turn.side == Side::Box);
        let mut cubes: Vec<Asked> = Vec::new();
        for (place, before, owner) in turn.iter().flat_map(|turn| &turn.doubled) {
            let pair = &game.pairs[*place];
            let centred = owner.is_none();
            cubes.push(Asked { pair, before: *before, to: before * 2, centred, yes: true });
        }
        for (place, pair) in game.pairs.iter().enumerate() {
            if pair.is_member() && can_double(pair, Side::Box, self.cap()) {
                let (before, centred) = (pair.value, pair.owner.is_none());
                cubes.push(Asked { pair, before, to: before * 2, centred, yes: new.contains(&place) });
            }
        }
        let first = match (game.first_double, turn) {
            (None, _) => true,
            (Some(number), Some(turn)) => number == turn.number,
            (Some(_), None) => false,
        };
        let captain = self.captain_of_the_turn(Side::Box);
        let doubled = cubes.iter().filter(|cube| cube.yes).count();
        let captains =
            || cubes.iter().filter(|cube| Some(cube.pair.team_side) == captain).all(|cube| cube.yes);
        match self.rules.box_restraint {
            BoxRestraint::None => true,
            BoxRestraint::SameValueSameAction => same_value(&cubes),
            BoxRestraint::FirstAllOrNone => !first || alike(cubes.iter().filter(|cube| cube.centred)),
            BoxRestraint::AtLeastHalf => doubled * 2 >= cubes.len(),
            BoxRestraint::BreakEvenWithCaptain | BoxRestraint::Captains => captains(),
        }
    }

    /// Whether the box may answer these like this: whether the rest can still be decided within the rule.
    pub(super) fn answers_are_even(&self, places: &[usize], answer: Answer) -> bool {
        let Some(game) = &self.game else { return false };
        let Some(turn) = &game.turn else { return true };
        let decided: Vec<Option<bool>> = turn
            .team_offers
            .iter()
            .map(|offer| {
                let now = places.contains(&offer.place).then_some(answer != Answer::Drop);
                // A cube that was beavered counts as taken, whatever becomes of a raccoon.
                offer.taken.or(now)
            })
            .collect();
        let open = decided.iter().filter(|decision| decision.is_none()).count();
        (0_u32..1 << open).any(|choice| {
            let mut left = choice;
            let mut cubes = Vec::new();
            for (offer, decision) in turn.team_offers.iter().zip(&decided) {
                let yes = decision.unwrap_or_else(|| {
                    let bit = left & 1 == 1;
                    left >>= 1;
                    bit
                });
                let pair = &game.pairs[offer.place];
                let (before, to, centred) = (offer.before, offer.to, offer.centred);
                cubes.push(Asked { pair, before, to, centred, yes });
            }
            self.answered_evenly(&cubes)
        })
    }

    fn answered_evenly(&self, cubes: &[Asked]) -> bool {
        let Some((game, turn)) = self.game.as_ref().and_then(|game| Some((game, game.turn.as_ref()?))) else {
            return true;
        };
        let first = game.first_answer.is_none_or(|number| number == turn.number);
        let captain = self.captain_of_the_turn(Side::Team);
        let captains =
            || cubes.iter().filter(|cube| Some(cube.pair.team_side) == captain).all(|cube| cube.yes);
        let taken = cubes.iter().filter(|cube| cube.yes).count();
        let sum = |yes: bool, of: fn(&Asked) -> i64| -> i64 {
            cubes.iter().filter(|cube| cube.yes == yes).map(of).sum()
        };
        match self.rules.box_restraint {
            BoxRestraint::None => true,
            BoxRestraint::SameValueSameAction => same_value(cubes),
            BoxRestraint::FirstAllOrNone => !first || alike(cubes.iter().filter(|cube| cube.centred)),
            BoxRestraint::AtLeastHalf => taken == 0 || taken * 2 >= cubes.len(),
            BoxRestraint::BreakEvenWithCaptain => {
                taken == 0
                    || taken == cubes.len()
                    || (captains()
                        && sum(true, |cube| worth(cube.pair, cube.to))
                            >= sum(false, |cube| worth(cube.pair, cube.before)))
            }
            BoxRestraint::Captains => taken == 0 || captains(),
        }
    }
}

/// Whether cubes of the same value are treated alike.
fn same_value(cubes: &[Asked]) -> bool {
    cubes.iter().all(|one| alike(cubes.iter().filter(|other| other.before == one.before)))
}
