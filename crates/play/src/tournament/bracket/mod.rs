//! The bracket of a division: all matches of its flights, and how they feed one another.
//!
//! A match has two slots. The [`Source`] of a slot says where its player comes from: a drawn entry, the
//! winner or loser of another match, a bye, or nobody yet. It changes only when a slot is filled or swapped
//! after the draw. The [`Occupant`] is who sits there, and follows from the results. A bye (nobody will ever
//! come) is not an open slot (somebody is still to be named).
//!
//! * [`build`]: the matches of every format;
//! * [`crossing`]: how losers cross over into a progressive consolation;
//! * [`settle`]: what a result changes, and what a correction does;
//! * [`places`]: the places of a flight.

mod build;
mod crossing;
mod places;
mod settle;
#[cfg(test)]
pub(in crate::tournament) mod tests;

use rpds::VectorSync as Vector;
use serde::{Deserialize, Serialize};

pub(in crate::tournament) use build::check_line;
pub use build::{Consolation, Contradiction, Final, Format, MOST_SLOTS, Misdrawn};
pub use places::Place;
pub use settle::{Change, Later, Settling};

use crate::matches::score::Length;
use crate::matches::{Ending, MatchNo, Outcome, Slot};

/// The number of an entry in its division, from 1. A player who enters again has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct EntryNo(pub u32);

/// Where the occupant of a slot comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum Source {
    /// An entry that was drawn or seated there.
    Entry {
        /// The entry drawn or seated in this slot.
        entry: EntryNo,
    },
    /// The winner of another match.
    Winner {
        /// Always a match with a lower number.
        of: MatchNo,
    },
    /// The loser of another match.
    Loser {
        of: MatchNo,
        /// Only players who lose their first match come here. After a bye in that match, its winner comes
        /// here on losing the next one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        first_match: bool,
        /// So it is after a walkover there, whose loser does not come here.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        walkovers_are_byes: bool,
    },
    /// A bye: nobody will come, and the other player advances.
    Bye,
    /// An open slot: an entry is still to be seated by hand.
    Open,
}

impl Source {
    /// The loser of a match, whichever of their matches it is.
    pub(super) const fn loser(of: MatchNo) -> Self {
        Self::Loser { of, first_match: false, walkovers_are_byes: false }
    }
}

/// Who sits in a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Occupant {
    /// It depends on a match that is still undecided, or on a slot still open.
    #[default]
    Unknown,
    /// This entry sits in it.
    Entry(EntryNo),
    /// The slot is empty for good.
    Nobody,
}

impl Occupant {
    /// The entry in the slot, if there is one.
    #[must_use]
    pub const fn entry(self) -> Option<EntryNo> {
        match self {
            Self::Entry(entry) => Some(entry),
            Self::Unknown | Self::Nobody => None,
        }
    }
}

/// A match of the bracket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The flight, as an index into [`Bracket::flights`].
    pub flight: u8,
    /// The round within the flight, from 0.
    pub round: u8,
    /// Where its players come from, upper and lower slot.
    pub sources: [Source; 2],
    pub occupants: [Occupant; 2],
    /// The slot the winner advances to; `None` for a last match.
    pub winner_to: Option<(MatchNo, Slot)>,
    /// The slot the loser drops to; `None` if there is none.
    pub loser_to: Option<(MatchNo, Slot)>,
    /// Set for the second final of a double elimination: it is played only if the lower slot won this match.
    pub only_if_lower_wins: Option<MatchNo>,
    pub outcome: Option<Outcome>,
    /// The length it keeps because it had begun when the division was given other lengths.
    pub kept: Option<Length>,
}

impl Pairing {
    /// Who sits in this slot.
    #[must_use]
    pub const fn occupant(&self, slot: Slot) -> Occupant {
        self.occupants[slot.at()]
    }

    /// Where the occupant of this slot comes from.
    #[must_use]
    pub const fn source(&self, slot: Slot) -> Source {
        self.sources[slot.at()]
    }

    /// The entries in both slots, if both are known.
    #[must_use]
    pub fn players(&self) -> Option<[EntryNo; 2]> {
        Some([self.occupants[0].entry()?, self.occupants[1].entry()?])
    }

    /// The slot in which an entry sits.
    #[must_use]
    pub fn slot_of(&self, entry: EntryNo) -> Option<Slot> {
        Slot::BOTH.into_iter().find(|slot| self.occupant(*slot).entry() == Some(entry))
    }

    /// Whether it can be played now: both players are known, and there is no result.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.outcome.is_none() && self.players().is_some()
    }

    /// Whether it will be played, now or later: it has no result, and neither slot is empty for good.
    #[must_use]
    pub fn is_to_be_played(&self) -> bool {
        self.outcome.is_none() && !self.occupants.contains(&Occupant::Nobody)
    }

    #[must_use]
    pub fn winner(&self) -> Option<EntryNo> {
        self.occupant(self.outcome?.winner?).entry()
    }

    /// Its outcome, unless it was not needed.
    #[must_use]
    pub fn result(&self) -> Option<Outcome> {
        self.outcome.filter(|outcome| outcome.ending != Ending::NotNeeded)
    }

    /// Whether the entry in this slot won; `None` without a result, and where nobody sits.
    #[must_use]
    pub fn won(&self, slot: Slot) -> Option<bool> {
        let result = self.result().filter(|_| self.occupant(slot).entry().is_some());
        result.map(|result| result.winner == Some(slot))
    }

    /// The entry that lost it, to an opponent or by absence. `None` if nobody advanced, or if it was not
    /// needed.
    #[must_use]
    pub fn loser(&self) -> Option<EntryNo> {
        self.occupant(self.result()?.winner?.other()).entry()
    }
}

/// The part a flight has in its division.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FlightKind {
    /// The knock-out in which every entry begins.
    Main,
    /// For those who lose in the main flight.
    Consolation,
    /// The final of a double elimination, and its second match if there is one.
    GrandFinal,
    /// The match between the losing semi-finalists.
    ThirdPlace,
    /// The losing finalist against the winner of the consolation.
    SecondPlace,
    /// Drawn afresh among entries with nothing left to play.
    LastChance,
}

/// A round of a flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Round {
    /// The others have the numbers that follow.
    pub first: MatchNo,
    /// How many matches it has, byes included.
    pub matches: u32,
}

/// A flight of a bracket. Its matches are numbered consecutively.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Flight {
    pub kind: FlightKind,
    /// In the order of play.
    pub rounds: Vec<Round>,
}

impl Flight {
    /// How many matches it has, byes included.
    #[must_use]
    pub fn matches(&self) -> u32 {
        self.rounds.iter().map(|round| round.matches).sum()
    }

    /// The number of its last match.
    #[must_use]
    pub fn last(&self) -> Option<MatchNo> {
        let round = self.rounds.last()?;
        Some(MatchNo(round.first.0 + round.matches - 1))
    }
}

/// All matches of a division. A copy is cheap and shares everything that does not change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bracket {
    matches: Vector<Pairing>,
    flights: Vec<Flight>,
    /// By entry, the matches in which it was drawn or seated: at most one in each flight.
    starts: Vector<Vec<MatchNo>>,
}

impl Bracket {
    /// The flights, the main one first.
    #[must_use]
    pub fn flights(&self) -> &[Flight] {
        &self.flights
    }

    /// How many matches there are, byes included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.matches.len()
    }

    /// Whether nothing is drawn yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.matches.is_empty()
    }

    #[must_use]
    pub fn get(&self, number: MatchNo) -> Option<&Pairing> {
        self.matches.get(place(number.0)?)
    }

    /// All matches in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (MatchNo, &Pairing)> {
        (1..).map(MatchNo).zip(self.matches.iter())
    }

    /// The matches of this flight in the order of their numbers.
    pub fn of_flight(&self, flight: usize) -> impl Iterator<Item = (MatchNo, &Pairing)> {
        let rounds = self.flights.get(flight).map_or(&[][..], |flight| &flight.rounds);
        let numbers = rounds.iter().flat_map(|round| round.first.0..round.first.0 + round.matches);
        numbers.filter_map(|number| Some((MatchNo(number), self.get(MatchNo(number))?)))
    }

    /// The matches in which an entry sits or has sat, from first to last, for one flight in which it was
    /// drawn after another.
    pub fn path(&self, entry: EntryNo) -> impl Iterator<Item = (MatchNo, &Pairing)> {
        let starts = place(entry.0).and_then(|place| self.starts.get(place)).map_or(&[][..], Vec::as_slice);
        let from = move |&first: &MatchNo| {
            std::iter::successors(Some(first), move |&number| self.next_of(number, entry))
        };
        starts.iter().flat_map(from).filter_map(|number| Some((number, self.get(number)?)))
    }

    /// Fixes the length of a match; with `None`, its division's settings say the length again.
    pub(in crate::tournament) fn keep(&mut self, number: MatchNo, kept: Option<Length>) {
        if let Some(at) = place(number.0).and_then(|place| self.matches.get_mut(place)) {
            at.kept = kept;
        }
    }

    /// Notes where an entry was drawn or seated.
    fn begins(&mut self, entry: EntryNo, number: MatchNo) {
        let Some(place) = place(entry.0) else { return };
        while self.starts.len() <= place {
            self.starts.push_back_mut(Vec::new());
        }
        if let Some(starts) = self.starts.get_mut(place)
            && let Err(place) = starts.binary_search(&number)
        {
            starts.insert(place, number);
        }
    }

    /// Notes that an entry was not drawn or seated here after all.
    fn ends(&mut self, entry: EntryNo, number: MatchNo) {
        if let Some(starts) = place(entry.0).and_then(|place| self.starts.get_mut(place)) {
            starts.retain(|start| *start != number);
        }
    }

    /// The match in which an entry goes on from a decided one.
    fn next_of(&self, number: MatchNo, entry: EntryNo) -> Option<MatchNo> {
        let at = self.get(number)?;
        let outcome = at.outcome?;
        let sits = |to: Option<(MatchNo, Slot)>| {
            let (next, slot) = to?;
            (self.get(next)?.occupant(slot).entry() == Some(entry)).then_some(next)
        };
        if at.winner() == Some(entry) {
            return sits(at.winner_to);
        }
        if outcome.ending == Ending::NotNeeded {
            return None;
        }
        // A player who loses after a bye goes where the loser of that bye's match would have gone.
        let skipped = at.sources.iter().filter_map(|source| {
            let Source::Winner { of } = source else { return None };
            let (to, slot) = self.get(*of)?.loser_to?;
            let waits = self.get(to)?.sources[slot.at()];
            matches!(waits, Source::Loser { first_match: true, .. }).then_some((to, slot))
        });
        std::iter::once(at.loser_to).flatten().chain(skipped).find_map(|to| sits(Some(to)))
    }
}

/// The index of a number that counts from 1.
fn place(number: u32) -> Option<usize> {
    usize::try_from(number.checked_sub(1)?).ok()
}
