//! The places of a flight, as far as they are decided.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Bracket, Ending, EntryNo, FlightKind, Pairing, Slot};

/// The place of an entry, or the range of places it shares or can still reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Place {
    pub entry: EntryNo,
    /// The best place of the range, from 1.
    pub best: u32,
    /// The worst place of the range. Entries that share places have the same range.
    pub worst: u32,
    /// Whether the entry is still playing for its place.
    pub playing: bool,
}

/// The entries that lost a match: both, if nobody advanced.
fn losers(at: &Pairing) -> Vec<EntryNo> {
    let Some(outcome) = at.outcome.filter(|outcome| outcome.ending != Ending::NotNeeded) else {
        return Vec::new();
    };
    let lost = |slot: &Slot| outcome.winner != Some(*slot);
    Slot::BOTH.iter().filter(|slot| lost(slot)).filter_map(|slot| at.occupant(*slot).entry()).collect()
}

/// Entries that share a place, or still play for it.
struct Group {
    entries: Vec<EntryNo>,
    playing: bool,
}

impl Group {
    const fn new(entries: Vec<EntryNo>) -> Self {
        Self { entries, playing: false }
    }
}

impl Bracket {
    /// The places of a flight, best first. Where second place, third place or the event itself is decided in
    /// another flight, the places of the main flight take that into account.
    #[must_use]
    pub fn places(&self, flight: usize) -> Vec<Place> {
        let mut seen = BTreeSet::new();
        let mut places = Vec::new();
        let mut better = 0;
        let groups = self.groups(flight);
        // Without a winner the first place stays empty, and all others keep the places they would have had.
        let first = match groups.first() {
            Some(winner) if winner.entries.is_empty() && !winner.playing => 2,
            Some(_) | None => 1,
        };
        for Group { mut entries, playing } in groups {
            // Groups come best first, so an entry that appears again has its better place already.
            entries.retain(|entry| seen.insert(*entry));
            if entries.is_empty() {
                continue;
            }
            let best = (better + 1).max(first);
            let worst = (better + u32::try_from(entries.len()).unwrap_or(u32::MAX)).max(first);
            places.extend(entries.into_iter().map(|entry| Place { entry, best, worst, playing }));
            better = worst;
        }
        places
    }

    /// The entries of a flight, grouped by place, best first.
    fn groups(&self, flight: usize) -> Vec<Group> {
        let other = |kind| self.flights.iter().position(|flight| flight.kind == kind).filter(|_| flight == 0);
        let by_round = self.out_by_round(flight);
        if let Some(last) = other(FlightKind::GrandFinal) {
            let consoled = other(FlightKind::Consolation).map(|flight| self.out_of_both(flight));
            let consoled = consoled.unwrap_or_default();
            let mut groups = self.decided_by(last, || self.still_in(flight, &consoled));
            // A main-flight winner who lost the first match of the grand final and then left did not reach
            // the second.
            groups.extend(self.out_by_round(last).into_iter().map(Group::new));
            groups.extend(consoled.into_iter().map(Group::new));
            // Last come losers of a main match who have nowhere to drop to.
            groups.extend(by_round.into_iter().map(Group::new));
            return groups;
        }
        let mut groups = self.decided_by(flight, || self.still_in(flight, &by_round));
        if let Some(second) = other(FlightKind::SecondPlace) {
            // The losing finalist plays the winner of the consolation for second place. If nobody won the
            // final, or its loser has left, the losers of the final come after that match.
            groups.truncate(1);
            groups.extend(self.decided_by(second, || {
                let consoled = other(FlightKind::Consolation);
                let still_in = consoled.map(|flight| self.still_in(flight, &self.out_by_round(flight)));
                by_round.first().cloned().into_iter().chain(still_in).flatten().collect()
            }));
            groups.extend(by_round.first().cloned().map(Group::new));
        }
        if let Some(third) = other(FlightKind::ThirdPlace) {
            // Losers of a semi-final in which nobody advanced do not play for third place. They come after
            // those who do.
            groups.extend(self.decided_by(third, || by_round.get(1).cloned().unwrap_or_default()));
        }
        groups.extend(by_round.into_iter().skip(1).map(Group::new));
        groups
    }

    /// The winner and the loser of a flight's last match. While that is undecided, the entries that can still
    /// win it.
    fn decided_by(&self, flight: usize, open: impl FnOnce() -> Vec<EntryNo>) -> Vec<Group> {
        let needed = |at: &&Pairing| at.outcome.is_none_or(|outcome| outcome.ending != Ending::NotNeeded);
        let last = self.of_flight(flight).map(|(_, at)| at).filter(needed).last();
        match last.filter(|at| at.outcome.is_some()) {
            Some(at) => vec![Group::new(at.winner().into_iter().collect()), Group::new(losers(at))],
            None => vec![Group { entries: open(), playing: true }],
        }
    }

    /// The losers of each round of a flight, the last round first.
    fn out_by_round(&self, flight: usize) -> Vec<Vec<EntryNo>> {
        let mut rounds = vec![Vec::new(); self.flights.get(flight).map_or(0, |flight| flight.rounds.len())];
        for (_, at) in self.of_flight(flight) {
            if let Some(lost) = rounds.get_mut(usize::from(at.round)) {
                lost.extend(losers(at));
            }
        }
        rounds.reverse();
        rounds
    }

    /// The losers of each round of a double elimination's consolation, the last round first. An entry that
    /// lost in the main flight but did not drop, because it had left or neither player came, counts with the
    /// round it would have dropped to.
    fn out_of_both(&self, consolation: usize) -> Vec<Vec<EntryNo>> {
        let mut rounds = self.out_by_round(consolation);
        rounds.reverse();
        for (_, at) in self.of_flight(0) {
            let to = at.loser_to.and_then(|(to, _)| self.get(to));
            let lost = losers(at);
            let (Some(to), false) = (to, lost.is_empty()) else { continue };
            if let Some(round) = rounds.get_mut(usize::from(to.round)) {
                let sits = |entry: &EntryNo| to.occupants.iter().any(|there| there.entry() == Some(*entry));
                round.extend(lost.into_iter().filter(|entry| !sits(entry)));
            }
        }
        rounds.reverse();
        rounds
    }

    /// The entries of a flight that are not among these.
    fn still_in(&self, flight: usize, out: &[Vec<EntryNo>]) -> Vec<EntryNo> {
        let out: BTreeSet<EntryNo> = out.iter().flatten().copied().collect();
        let all: BTreeSet<EntryNo> = self
            .of_flight(flight)
            .flat_map(|(_, at)| at.occupants)
            .filter_map(|occupant| occupant.entry())
            .collect();
        all.difference(&out).copied().collect()
    }
}
