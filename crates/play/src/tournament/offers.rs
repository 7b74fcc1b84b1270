//! What an act would bring, where the name of the command does not say it. Draws decide much of a tournament,
//! so only what does not hang on a lot is told.

use std::collections::BTreeMap;

use super::about::Remark;
use super::bracket::{EntryNo, Later};
use super::command::MatchEnded;
use super::decide::{drawing, entries, results, whole};
use super::division::Division;
use super::event::Event;
use super::legal::{EntryAct, FreeSeats, TournamentAct};
use super::payout::Prize;
use super::prizes::scheduled;
use super::room::{DivisionNo, MatchRef};
use super::state::Tournament;
use crate::matches::Slot;
use owlbox_base::journal::{Inputs, Wanted};
use owlbox_base::values::Timestamp;

/// What cancelling a tournament with a currency would do with its money. Sums are in minor units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cancelling {
    /// The fees that were charged and would be given back.
    pub back: i64,
    /// What the players would be owed in all.
    pub owed: i64,
    /// The divisions whose prizes stay as they were awarded.
    pub awarded: Vec<DivisionNo>,
}

impl Tournament {
    /// What can be done with an entry at this moment, the likeliest first.
    #[must_use]
    pub fn acts_of_entry(&self, division: DivisionNo, entry: EntryNo, now: Timestamp) -> Vec<EntryAct> {
        self.entry_acts(division, entry, now, &FreeSeats::default())
    }

    /// Whether the player of an entry can enter again, but would have to wait for a slot, however the lot
    /// falls.
    #[must_use]
    pub fn would_wait_again(&self, division: DivisionNo, entry: EntryNo, now: Timestamp) -> bool {
        let events =
            entries::re_enter(self, division, entry, &mut Inputs { now, chance: &mut Wanted::default() });
        self.closed_at.is_none()
            && events.is_ok_and(|events| !events.iter().any(|event| matches!(event, Event::Seated { .. })))
    }

    /// Who would have another match to play, such as in the consolation, although they do not win this one,
    /// which ends so.
    #[must_use]
    pub fn goes_on_beaten(
        &self,
        MatchRef { division, number }: MatchRef,
        ended: &MatchEnded,
        now: Timestamp,
    ) -> Vec<Slot> {
        let at = (division, number);
        let resulted = results::result(self, at, (ended, &[]), None);
        // It has a result, which is corrected.
        let resulted =
            resulted.or_else(|_| results::correct(self, now, at, (Some(ended), Later::Void), &[])).ok();
        let after = resulted.map(|events| self.after(events.iter(), now));
        let Some(of) = after.as_ref().and_then(|after| after.division(division)) else { return Vec::new() };
        let Some(at) = of.bracket.get(number) else { return Vec::new() };
        let beaten =
            Slot::BOTH.into_iter().filter(|slot| at.outcome.and_then(|said| said.winner) != Some(*slot));
        beaten
            .filter(|slot| at.occupant(*slot).entry().is_some_and(|entry| of.current(entry).is_some()))
            .collect()
    }

    /// What cancelling would do with the money. `None` if it cannot be cancelled, or nothing is paid in it.
    #[must_use]
    pub fn cancelling(&self, now: Timestamp) -> Option<Cancelling> {
        self.currency()?;
        if !self.acts(now).contains(&TournamentAct::Cancel) {
            return None;
        }
        let reason = Remark::try_from("cancelled".to_owned()).ok()?;
        let after = self.after(whole::cancel(self, &reason).ok()?.iter(), now);
        Some(Cancelling {
            back: self.cash.charged.saturating_sub(after.cash.charged),
            owed: after.accounts().map(|(_, amount)| amount.max(0)).sum(),
            awarded: self
                .divisions()
                .filter(|(_, of)| of.awards.is_some())
                .map(|(number, _)| number)
                .collect(),
        })
    }

    /// The prizes of a division that would change by a last chance among these entries, as they are and as
    /// they would be, in minor units. It does not matter who of them plays whom.
    #[must_use]
    pub fn prizes_with_last_chance(
        &self,
        division: DivisionNo,
        entries: &[EntryNo],
        now: Timestamp,
    ) -> BTreeMap<Prize, [u64; 2]> {
        let drawn = drawing::last_chance(self, division, entries, &mut Wanted::default()).ok();
        let drawn = drawn.filter(|_| self.closed_at.is_none());
        let Some((before, events)) = self.division(division).zip(drawn) else { return BTreeMap::new() };
        let after = self.after(events.iter(), now);
        let mut prizes: BTreeMap<Prize, [u64; 2]> = BTreeMap::new();
        for (side, of) in [Some(before), after.division(division)].into_iter().enumerate() {
            for (prize, amount) in of.map(amounts).unwrap_or_default() {
                prizes.entry(prize).or_default()[side] = amount;
            }
        }
        prizes.retain(|_, [before, after]| before != after);
        prizes
    }

    /// The tournament after these events.
    fn after<'a>(&self, events: impl Iterator<Item = &'a Event>, now: Timestamp) -> Self {
        let mut after = self.clone();
        events.for_each(|event| after.take_note(event, now));
        after
    }
}

/// The amount of each prize. One that is given twice is the same amount twice, except for what rounding
/// leaves to the first.
fn amounts(of: &Division) -> BTreeMap<Prize, u64> {
    scheduled(of).amounts.into_iter().rev().collect()
}
