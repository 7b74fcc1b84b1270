//! The bracket of one event: all matches of its flights, and how they hang together.
//!
//! A match has two slots. What a slot is for is its [`Source`], and never changes but by an entry that comes late: a
//! player, the winner of a match, the loser of one, a bye, or nobody yet. Who sits in it is its [`Occupant`], and
//! follows from the results. The two are different things, and so are a bye (nobody will ever come) and an open
//! slot (nobody is known yet).
//!
//! * [`build`]: the flights of every format as matches;
//! * [`crossing`]: how losers cross over into a progressive consolation;
//! * [`settle`]: what a result moves, and what a correction does;
//! * [`places`]: who came where.

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

/// One entry of an event: a player, or one who has entered again. From 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct EntryNo(pub u32);

/// What a slot is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum Source {
    /// This entry.
    Entry {
        /// Which.
        entry: EntryNo,
    },
    /// Whoever wins this match.
    Winner {
        /// Which.
        of: MatchNo,
    },
    /// Whoever loses this match.
    Loser {
        /// Which.
        of: MatchNo,
        /// Only losers of their first match come here: who had a bye there comes if he loses his next.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        first_match: bool,
    },
    /// Nobody, ever: the other advances.
    Bye,
    /// Nobody yet: somebody is to be seated by hand.
    Open,
}

/// Who sits in a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Occupant {
    /// It is not known yet.
    #[default]
    Unknown,
    /// This entry.
    Entry(EntryNo),
    /// Nobody, and nobody will.
    Nobody,
}

impl Occupant {
    /// The entry, if there is one.
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
    /// Its flight, an index into [`Bracket::flights`].
    pub flight: u8,
    /// Its round in the flight, from 0.
    pub round: u8,
    /// What its slots are for, upper and lower.
    pub sources: [Source; 2],
    pub occupants: [Occupant; 2],
    /// Where the winner goes; nowhere from a last match.
    pub winner_to: Option<(MatchNo, Slot)>,
    /// Where the loser goes, if there is somewhere.
    pub loser_to: Option<(MatchNo, Slot)>,
    /// It is played only if the lower slot of this match wins it: a second final.
    pub only_if_lower_wins: Option<MatchNo>,
    pub outcome: Option<Outcome>,
    /// To how many points it is played, if that was said before its division was given other lengths.
    pub kept: Option<Length>,
}

impl Pairing {
    /// Who sits in this slot.
    #[must_use]
    pub const fn occupant(&self, slot: Slot) -> Occupant {
        self.occupants[slot.at()]
    }

    /// What this slot is for.
    #[must_use]
    pub const fn source(&self, slot: Slot) -> Source {
        self.sources[slot.at()]
    }

    /// Both players, if both are known and there.
    #[must_use]
    pub fn players(&self) -> Option<[EntryNo; 2]> {
        Some([self.occupants[0].entry()?, self.occupants[1].entry()?])
    }

    /// Whether it can be played now: both are there, and nothing has come of it.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.outcome.is_none() && self.players().is_some()
    }

    /// Whether two will play in it: it has no result yet, and neither slot stays empty for ever.
    #[must_use]
    pub fn is_to_be_played(&self) -> bool {
        self.outcome.is_none() && !self.occupants.contains(&Occupant::Nobody)
    }

    #[must_use]
    pub fn winner(&self) -> Option<EntryNo> {
        self.occupant(self.outcome?.winner?).entry()
    }

    /// Who lost it to somebody, or by not being there.
    #[must_use]
    pub fn loser(&self) -> Option<EntryNo> {
        let outcome = self.outcome.filter(|outcome| outcome.ending != Ending::NotNeeded)?;
        self.occupant(outcome.winner?.other()).entry()
    }
}

/// What a flight is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FlightKind {
    /// The knock-out that everybody begins in.
    Main,
    /// Where losers of the main flight play on.
    Consolation,
    /// The final of a double elimination, and its second match.
    GrandFinal,
    /// Between the losers of the semi-finals.
    ThirdPlace,
    /// The losing finalist against the winner of the consolation.
    SecondPlace,
    /// Drawn afresh among those who have lost elsewhere.
    LastChance,
}

/// A round of a flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Round {
    /// Its first match.
    pub first: MatchNo,
    /// How many it has.
    pub matches: u32,
}

/// A flight: its matches follow one another in the bracket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Flight {
    /// What it is.
    pub kind: FlightKind,
    /// Its rounds.
    pub rounds: Vec<Round>,
}

impl Flight {
    /// How many matches it has.
    #[must_use]
    pub fn matches(&self) -> u32 {
        self.rounds.iter().map(|round| round.matches).sum()
    }

    /// Its last match.
    #[must_use]
    pub fn last(&self) -> Option<MatchNo> {
        let round = self.rounds.last()?;
        Some(MatchNo(round.first.0 + round.matches - 1))
    }
}

/// All matches of an event. A copy is cheap, and one that is changed shares what has not changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bracket {
    matches: Vector<Pairing>,
    flights: Vec<Flight>,
    /// Where each entry was drawn or seated, by number: once in a flight.
    starts: Vector<Vec<MatchNo>>,
}

impl Bracket {
    /// The flights, the main one first.
    #[must_use]
    pub fn flights(&self) -> &[Flight] {
        &self.flights
    }

    /// How many matches there are, byes among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.matches.len()
    }

    /// Whether nothing is drawn yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.matches.is_empty()
    }

    /// The match of this number.
    #[must_use]
    pub fn get(&self, number: MatchNo) -> Option<&Pairing> {
        self.matches.get(place(number.0)?)
    }

    /// All matches in order.
    pub fn iter(&self) -> impl Iterator<Item = (MatchNo, &Pairing)> {
        (1..).map(MatchNo).zip(self.matches.iter())
    }

    /// The matches of this flight in order.
    pub fn of_flight(&self, flight: usize) -> impl Iterator<Item = (MatchNo, &Pairing)> {
        let rounds = self.flights.get(flight).map_or(&[][..], |flight| &flight.rounds);
        let numbers = rounds.iter().flat_map(|round| round.first.0..round.first.0 + round.matches);
        numbers.filter_map(|number| Some((MatchNo(number), self.get(MatchNo(number))?)))
    }

    /// The matches in which this entry sits or has sat, first to last, flight by flight that it was drawn in.
    pub fn path(&self, entry: EntryNo) -> impl Iterator<Item = (MatchNo, &Pairing)> {
        let starts = place(entry.0).and_then(|place| self.starts.get(place)).map_or(&[][..], Vec::as_slice);
        let from = move |&first: &MatchNo| {
            std::iter::successors(Some(first), move |&number| self.next_of(number, entry))
        };
        starts.iter().flat_map(from).filter_map(|number| Some((number, self.get(number)?)))
    }

    /// A match is played to so many points, whatever its division says; or to what it says.
    pub(in crate::tournament) fn keep(&mut self, number: MatchNo, kept: Option<Length>) {
        if let Some(at) = place(number.0).and_then(|place| self.matches.get_mut(place)) {
            at.kept = kept;
        }
    }

    /// Takes note of where an entry is drawn or seated.
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

    /// Takes note that a slot is not for this entry any more.
    fn ends(&mut self, entry: EntryNo, number: MatchNo) {
        if let Some(starts) = place(entry.0).and_then(|place| self.starts.get_mut(place)) {
            starts.retain(|start| *start != number);
        }
    }

    /// Where this entry goes on from a match that is decided.
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
        // The loser of his first match after a bye goes where the loser of the bye's match would have gone.
        let skipped = at.sources.iter().filter_map(|source| {
            let Source::Winner { of } = source else { return None };
            let (to, slot) = self.get(*of)?.loser_to?;
            let waits = self.get(to)?.sources[slot.at()];
            matches!(waits, Source::Loser { first_match: true, .. }).then_some((to, slot))
        });
        std::iter::once(at.loser_to).flatten().chain(skipped).find_map(|to| sits(Some(to)))
    }
}

/// A number from 1 as a place in a list.
fn place(number: u32) -> Option<usize> {
    usize::try_from(number.checked_sub(1)?).ok()
}
