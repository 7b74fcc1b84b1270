//! Who came where: places of a flight, as far as they are decided.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Bracket, Ending, EntryNo, FlightKind, Pairing, Slot};

/// Where an entry came, or still can: a place, or a range of places shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Place {
    /// Who.
    pub entry: EntryNo,
    /// The best place it is, or can still be: from 1.
    pub best: u32,
    /// The worst.
    pub worst: u32,
    /// Whether it still plays for it.
    pub playing: bool,
}

/// Those who came out of a match as losers: both, if nobody advanced.
fn losers(at: &Pairing) -> Vec<EntryNo> {
    let Some(outcome) = at.outcome.filter(|outcome| outcome.ending != Ending::NotNeeded) else {
        return Vec::new();
    };
    let lost = |slot: &Slot| outcome.winner != Some(*slot);
    Slot::BOTH.iter().filter(|slot| lost(slot)).filter_map(|slot| at.occupant(*slot).entry()).collect()
}

/// Those who came to one place, or still play for it.
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
    /// The places of a flight, best first. Those of the main flight are of the whole event where second or third place, or the
    /// event itself, is played for elsewhere.
    #[must_use]
    pub fn places(&self, flight: usize) -> Vec<Place> {
        let mut seen = BTreeSet::new();
        let mut places = Vec::new();
        let mut better = 0;
        let groups = self.groups(flight);
        // The first place is for who has won, and stays empty if nobody has; all others are where they would be.
        let first = match groups.first() {
            Some(winner) if winner.entries.is_empty() && !winner.playing => 2,
            Some(_) | None => 1,
        };
        for Group { mut entries, playing } in groups {
            // Who is placed by a later match is not placed by an earlier one as well.
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

    /// Those of a flight in the order in which they came, or may.
    fn groups(&self, flight: usize) -> Vec<Group> {
        let other = |kind| self.flights.iter().position(|flight| flight.kind == kind).filter(|_| flight == 0);
        let by_round = self.out_by_round(flight);
        if let Some(last) = other(FlightKind::GrandFinal) {
            let consoled = other(FlightKind::Consolation).map(|flight| self.out_of_both(flight));
            let consoled = consoled.unwrap_or_default();
            let mut groups = self.decided_by(last, || self.still_in(flight, &consoled));
            // Who won the main flight, lost the first match of the final and has left, did not come to the second.
            groups.extend(self.out_by_round(last).into_iter().map(Group::new));
            groups.extend(consoled.into_iter().map(Group::new));
            // Last, whoever lost a main match and drops nowhere.
            groups.extend(by_round.into_iter().map(Group::new));
            return groups;
        }
        let mut groups = self.decided_by(flight, || self.still_in(flight, &by_round));
        if let Some(second) = other(FlightKind::SecondPlace) {
            // The loser of the final plays for second place, against whoever wins the consolation; if nobody won the
            // final, or its loser has left, those who lost it come after them.
            groups.truncate(1);
            groups.extend(self.decided_by(second, || {
                let consoled = other(FlightKind::Consolation);
                let still_in = consoled.map(|flight| self.still_in(flight, &self.out_by_round(flight)));
                by_round.first().cloned().into_iter().chain(still_in).flatten().collect()
            }));
            groups.extend(by_round.first().cloned().map(Group::new));
        }
        if let Some(third) = other(FlightKind::ThirdPlace) {
            // Who lost a semi-final in which nobody advanced plays for nothing any more, and comes after them.
            groups.extend(self.decided_by(third, || by_round.get(1).cloned().unwrap_or_default()));
        }
        groups.extend(by_round.into_iter().skip(1).map(Group::new));
        groups
    }

    /// The winner and the loser of a flight's last match; while that is open, those who can still win it.
    fn decided_by(&self, flight: usize, open: impl FnOnce() -> Vec<EntryNo>) -> Vec<Group> {
        let needed = |at: &&Pairing| at.outcome.is_none_or(|outcome| outcome.ending != Ending::NotNeeded);
        let last = self.of_flight(flight).map(|(_, at)| at).filter(needed).last();
        match last.filter(|at| at.outcome.is_some()) {
            Some(at) => vec![Group::new(at.winner().into_iter().collect()), Group::new(losers(at))],
            None => vec![Group { entries: open(), playing: true }],
        }
    }

    /// Those who came out of each round of a flight as losers, the last round first.
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

    /// Those who came out of each round of a double elimination's consolation as losers, the last round first: with those who lost
    /// a match of the main flight and would have dropped there, had they not left, or had either of the two come.
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

    /// Those of a flight who are not among these.
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
