//! Builds the matches of every format, and how they feed one another.

use serde::{Deserialize, Serialize};

use super::crossing::crossed;
use super::{Bracket, EntryNo, Flight, FlightKind, MatchNo, Occupant, Pairing, Round, Slot, Source, settle};
use owlbox_base::json::by_name;

/// Which losers of the main flight play on in a consolation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum Consolation {
    /// There is no consolation flight.
    #[default]
    Nobody,
    /// Players who lose their first match: in round 1, or in round 2 after a bye.
    FirstLosers {
        /// Whether a walkover counts like a bye. An entry may win in round 1 because the opponent did not
        /// come or had left. With this it plays on after losing in round 2, and that opponent does not.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        walkovers_are_byes: bool,
    },
    /// The losers of the first rounds of the main flight, but never of the final, nor of the semi-finals if
    /// there is a match for third place.
    UpTo {
        /// The last such round; with 0 there is no consolation.
        #[cfg_attr(feature = "schema", schema(minimum = 0))]
        round: u8,
    },
    /// The losers of every round but the final.
    Progressive,
    /// The losers of every round, the final included.
    ProgressiveWithFinalist,
}

/// What the winner of the consolation plays for next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Final {
    /// Nothing more: the consolation has its own prizes.
    #[default]
    None,
    /// Second place, against the loser of the main final.
    SecondPlace,
    /// The event, in one match against the winner of the main flight: double elimination.
    Single,
    /// The same, but if the winner of the main flight loses, that was their first loss, and a second match
    /// decides.
    Double,
}

/// Which flights a division has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Format {
    /// Whether the losing semi-finalists play for third place.
    pub third_place: bool,
    /// Which losers of the main flight play on.
    #[serde(deserialize_with = "by_name")]
    pub consolation: Consolation,
    /// What the winner of the consolation plays for next.
    #[serde(rename = "final")]
    pub last: Final,
}

/// Two parts of a format that exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Contradiction {
    /// The losing finalist plays for second place against the winner of the consolation. So there must be a
    /// consolation, and it must not take in the finalist.
    #[error("a match for second place needs a consolation, and one without the losing finalist")]
    SecondPlaceNeedsAConsolationWithoutTheFinalist,
    /// A double elimination puts a player out after two losses, so the losers of every round must play on.
    #[error("in a double elimination the losers of every round must play on, the finalist too")]
    FinalNeedsEveryLoser,
    /// The losing semi-finalists cannot both play for third place and drop into the consolation.
    #[error("the losing semi-finalists either play for third place or play on in the consolation")]
    ThirdPlaceOrProgressive,
}

impl Format {
    /// Checks that the parts of the format fit together.
    ///
    /// # Errors
    /// The first [`Contradiction`] found.
    pub const fn check(self) -> Result<(), Contradiction> {
        let progressive =
            matches!(self.consolation, Consolation::Progressive | Consolation::ProgressiveWithFinalist);
        let with_finalist = matches!(self.consolation, Consolation::ProgressiveWithFinalist);
        let nobody = matches!(self.consolation, Consolation::Nobody);
        match self.last {
            Final::SecondPlace if with_finalist || nobody => {
                Err(Contradiction::SecondPlaceNeedsAConsolationWithoutTheFinalist)
            }
            Final::Single | Final::Double if !with_finalist => Err(Contradiction::FinalNeedsEveryLoser),
            _ if self.third_place && progressive => Err(Contradiction::ThirdPlaceOrProgressive),
            Final::None | Final::SecondPlace | Final::Single | Final::Double => Ok(()),
        }
    }

    /// The last round of the main flight whose losers play on; 0 if none do. `rounds` is how many it has.
    fn drops_until(self, rounds: u32) -> u32 {
        let semi_finals_play_on = rounds.saturating_sub(if self.third_place { 2 } else { 1 });
        match self.consolation {
            Consolation::Nobody => 0,
            Consolation::FirstLosers { .. } => semi_finals_play_on.min(1),
            Consolation::UpTo { round } => semi_finals_play_on.min(round.into()),
            Consolation::Progressive => rounds - 1,
            Consolation::ProgressiveWithFinalist => rounds,
        }
    }

    /// Whether players who lose in round 2 after a bye join the losers of round 1. They do not if the losers
    /// of round 2 already play for second or third place.
    fn first_match_losers(self, rounds: u32) -> bool {
        let spoken_for = match (self.third_place, self.last) {
            (true, _) => rounds.saturating_sub(1),
            (false, Final::SecondPlace) => rounds,
            (false, Final::None | Final::Single | Final::Double) => rounds + 1,
        };
        matches!(self.consolation, Consolation::FirstLosers { .. }) && 2 < spoken_for
    }
}

/// Why slots are no valid first round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misdrawn {
    /// Their number is not 2, 4, 8 ... 65,536.
    Slots,
    EmptyMatch,
    Twice(EntryNo),
    /// A slot is fed by another match. Only entries, byes and open slots can be drawn.
    Source,
}

/// The most slots of a flight.
pub const MOST_SLOTS: usize = 65_536;

/// Checks that these are the slots of a first round.
pub(in crate::tournament) fn check_line(line: &[Source]) -> Result<(), Misdrawn> {
    if !(2..=MOST_SLOTS).contains(&line.len()) || !line.len().is_power_of_two() {
        return Err(Misdrawn::Slots);
    }
    let mut seated = Vec::with_capacity(line.len());
    for pair in line.chunks(2) {
        let empty = |source: &Source| matches!(source, Source::Bye);
        if pair.iter().all(empty) {
            return Err(Misdrawn::EmptyMatch);
        }
        for source in pair {
            match source {
                Source::Entry { entry } => seated.push(*entry),
                Source::Bye | Source::Open => {}
                Source::Winner { .. } | Source::Loser { .. } => return Err(Misdrawn::Source),
            }
        }
    }
    seated.sort_unstable();
    match seated.windows(2).find(|two| two[0] == two[1]) {
        Some(two) => Err(Misdrawn::Twice(two[0])),
        None => Ok(()),
    }
}

struct Builder {
    matches: Vec<Pairing>,
    flights: Vec<Flight>,
    /// The number of the first match built here. The builder of a last chance starts after the matches there
    /// are.
    first: u32,
}

impl Builder {
    fn flight(&mut self, kind: FlightKind) {
        self.flights.push(Flight { kind, rounds: Vec::new() });
    }

    /// Adds a round that pairs these sources in order. Returns the sources of its winners.
    fn round(&mut self, line: &[Source]) -> Vec<Source> {
        let number = |matches: usize| MatchNo(self.first + u32::try_from(matches).unwrap_or(u32::MAX));
        let first = number(self.matches.len());
        let flight = u8::try_from(self.flights.len() - 1).unwrap_or(u8::MAX);
        let rounds = self.flights.last_mut().map(|flight| &mut flight.rounds);
        let round = rounds.as_ref().map_or(0, |rounds| u8::try_from(rounds.len()).unwrap_or(u8::MAX));
        let matches = u32::try_from(line.len() / 2).unwrap_or(u32::MAX);
        if let Some(rounds) = rounds {
            rounds.push(Round { first, matches });
        }
        for pair in line.chunks_exact(2) {
            self.matches.push(Pairing {
                flight,
                round,
                sources: [pair[0], pair[1]],
                occupants: [Occupant::Unknown; 2],
                winner_to: None,
                loser_to: None,
                only_if_lower_wins: None,
                outcome: None,
                kept: None,
            });
        }
        (first.0..first.0 + matches).map(|of| Source::Winner { of: MatchNo(of) }).collect()
    }

    /// Adds rounds until one source is left. Returns the winners of each round.
    fn knock_out(&mut self, line: &[Source]) -> Vec<Vec<Source>> {
        let mut rounds = Vec::new();
        let mut left = line.to_vec();
        while left.len() > 1 {
            left = self.round(&left);
            rounds.push(left.clone());
        }
        rounds
    }

    /// Adds the consolation for the losers of `main` rounds 1 to `until`. Returns its winner.
    fn consolation(&mut self, main: &[Vec<Source>], until: u32, format: Format) -> Option<Source> {
        let k = u32::try_from(main.len()).ok()?;
        let first_match = format.first_match_losers(k);
        let walkovers_are_byes =
            first_match && format.consolation == Consolation::FirstLosers { walkovers_are_byes: true };
        let losers = |round: &[Source]| -> Vec<Source> {
            let loser = |source: &Source| match *source {
                Source::Winner { of } => Source::Loser { of, first_match, walkovers_are_byes },
                other @ (Source::Entry { .. } | Source::Loser { .. } | Source::Bye | Source::Open) => other,
            };
            round.iter().map(loser).collect()
        };
        self.flight(FlightKind::Consolation);
        let mut left = losers(main.first()?);
        if left.len() > 1 {
            left = self.round(&left);
        }
        // The losers of each further round meet the survivors, and the winners of that play each other before
        // the next merge.
        for (round, winners) in (1..=until).zip(main).skip(1) {
            let dropped = losers(winners);
            let slot = |place: u32| usize::try_from(crossed(k, round, place)).ok();
            let against = (0..)
                .zip(&left)
                .filter_map(|(place, survivor)| Some([*survivor, *dropped.get(slot(place)?)?]));
            left = self.round(&against.flatten().collect::<Vec<_>>());
            if left.len() > 1 {
                left = self.round(&left);
            }
        }
        while left.len() > 1 {
            left = self.round(&left);
        }
        // With two entrants there is one loser, who has nobody to play here.
        if self.flights.last().is_some_and(|flight| flight.rounds.is_empty()) {
            self.flights.pop();
        }
        left.first().copied()
    }

    /// Links every match to those it feeds, and seats the players known from the start.
    fn wired(mut self, out: &dyn Fn(EntryNo) -> bool) -> (Vec<Pairing>, Vec<Flight>) {
        for at in 0..self.matches.len() {
            let number = MatchNo(self.first + u32::try_from(at).unwrap_or(u32::MAX));
            for slot in Slot::BOTH {
                let (of, wins) = match self.matches[at].sources[slot.at()] {
                    Source::Winner { of } => (of, true),
                    Source::Loser { of, .. } => (of, false),
                    Source::Entry { .. } | Source::Bye | Source::Open => continue,
                };
                let feeder = usize::try_from(of.0 - self.first).ok().and_then(|at| self.matches.get_mut(at));
                if let Some(feeder) = feeder {
                    let to = if wins { &mut feeder.winner_to } else { &mut feeder.loser_to };
                    *to = Some((number, slot));
                }
            }
        }
        // A match is fed only by lower numbers, so one pass in order is enough.
        for at in 0..self.matches.len() {
            let get =
                |number: MatchNo| self.matches.get(usize::try_from(number.0.checked_sub(self.first)?).ok()?);
            let (occupants, outcome) = settle::found(&self.matches[at], get, out);
            (self.matches[at].occupants, self.matches[at].outcome) = (occupants, outcome);
        }
        (self.matches, self.flights)
    }
}

impl Bracket {
    /// Builds the bracket of a division from the slots of its main flight. `out` says which entries have
    /// left.
    ///
    /// # Errors
    /// [`Misdrawn`], if the slots are no valid first round.
    pub fn drawn(format: Format, line: &[Source], out: &dyn Fn(EntryNo) -> bool) -> Result<Self, Misdrawn> {
        check_line(line)?;
        let mut builder =
            Builder { matches: Vec::with_capacity(line.len() * 2), flights: Vec::new(), first: 1 };
        builder.flight(FlightKind::Main);
        let main = builder.knock_out(line);
        let rounds = u32::try_from(main.len()).unwrap_or(u32::MAX);
        if format.third_place && rounds > 1 {
            builder.flight(FlightKind::ThirdPlace);
            let losers = main[main.len() - 2].iter().map(|source| match *source {
                Source::Winner { of } => Source::loser(of),
                other @ (Source::Entry { .. } | Source::Loser { .. } | Source::Bye | Source::Open) => other,
            });
            builder.round(&losers.collect::<Vec<_>>());
        }
        let until = format.drops_until(rounds);
        let consoled = if until > 0 { builder.consolation(&main, until, format) } else { None };
        if let (Some(&[Source::Winner { of }]), Some(consoled)) = (main.last().map(Vec::as_slice), consoled) {
            match format.last {
                Final::None => {}
                Final::SecondPlace => {
                    builder.flight(FlightKind::SecondPlace);
                    builder.round(&[Source::loser(of), consoled]);
                }
                Final::Single | Final::Double => {
                    builder.flight(FlightKind::GrandFinal);
                    let first = builder.round(&[Source::Winner { of }, consoled]);
                    if let (Final::Double, &[Source::Winner { of }]) = (format.last, first.as_slice()) {
                        builder.round(&[Source::Winner { of }, Source::loser(of)]);
                        if let Some(again) = builder.matches.last_mut() {
                            again.only_if_lower_wins = Some(of);
                        }
                    }
                }
            }
        }
        let mut bracket = Self::default();
        let (matches, flights) = builder.wired(out);
        bracket.take_in(matches, flights);
        Ok(bracket)
    }

    /// This bracket with another flight: a last chance, with these slots.
    ///
    /// # Errors
    /// [`Misdrawn`], if the slots are no valid first round.
    pub fn with_last_chance(&self, line: &[Source], out: &dyn Fn(EntryNo) -> bool) -> Result<Self, Misdrawn> {
        check_line(line)?;
        let first = u32::try_from(self.len() + 1).unwrap_or(u32::MAX);
        let flights = self.flights.clone();
        let mut builder = Builder { matches: Vec::with_capacity(line.len()), flights, first };
        builder.flight(FlightKind::LastChance);
        builder.knock_out(line);
        let mut bracket = self.clone();
        let (matches, flights) = builder.wired(out);
        bracket.take_in(matches, flights);
        Ok(bracket)
    }

    fn take_in(&mut self, matches: Vec<Pairing>, flights: Vec<Flight>) {
        self.flights = flights;
        for made in matches {
            self.matches.push_back_mut(made);
            let number = MatchNo(u32::try_from(self.matches.len()).unwrap_or(u32::MAX));
            self.begin_as_drawn(number);
        }
    }
}
