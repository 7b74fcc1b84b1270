//! One entry's way through all flights of a bracket.

use super::rounds::flight_name;
use super::slot::SlotContents;
use crate::say::Say;
use owlbox_play::matches::{Ending, MatchNo, Slot};
use owlbox_play::tournament::bracket::{Bracket, EntryNo, Pairing};
use owlbox_play::tournament::division::Division;

/// A match on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'a> {
    pub match_number: MatchNo,
    pub at: &'a Pairing,
    /// The entry's own slot.
    slot: Slot,
    /// Whether the match before was in another flight.
    begins_flight: bool,
}

/// The way of this entry through the bracket.
pub(super) fn steps(bracket: &Bracket, entry: EntryNo) -> Vec<Step<'_>> {
    let mut flight = None;
    let step = bracket.path(entry).filter_map(|(match_number, at)| {
        let begins_flight = flight.replace(at.flight) != Some(at.flight);
        Some(Step { match_number, at, slot: at.slot_of(entry)?, begins_flight })
    });
    step.collect()
}

impl Step<'_> {
    fn is_bye(&self) -> bool {
        self.at.outcome.is_some_and(|outcome| outcome.ending == Ending::Bye)
    }

    /// The flight, where it is not that of the match before.
    pub fn flight(&self, t: &Say<'_>, of: &Division) -> Option<String> {
        self.begins_flight.then(|| flight_name(t, &of.bracket, usize::from(self.at.flight)))
    }

    pub fn against(&self, t: &Say<'_>, of: &Division) -> String {
        let other = SlotContents::new(self.at, self.slot.other());
        t.in_slot(of, &if self.is_bye() { SlotContents::Bye } else { other })
    }

    /// The score, the entry's own points first: `9–4`.
    pub fn score(&self) -> Option<String> {
        let [own, other] = self.slot.first(self.at.result()?.score?);
        Some(format!("{own}–{other}"))
    }

    /// Whether the entry won against somebody. `None` for a bye, and while the match is undecided.
    pub fn won(&self) -> Option<bool> {
        let result = self.at.result().filter(|_| !self.is_bye())?;
        Some(result.winner? == self.slot)
    }

    /// Whether it was not played and will not be.
    pub fn is_idle(&self) -> bool {
        self.at.result().is_some_and(|result| result.winner.is_none())
    }
}
