//! A tournament as it is shown: in parts, because a whole one can be large. Numbers and codes, no names.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Tournament;
use super::about::{About, Line};
use super::bracket::{EntryNo, FlightKind, Occupant, Pairing, Source};
use super::division::{Division, Draw};
use super::entry::{Entry, EntryStanding};
use super::event::{Awarded, DrawnBy};
use super::legal::{DivisionAct, EntryAct, FreeSeats, MatchAct, TournamentAct};
use super::payout::Prize;
use super::prizes;
use super::room::{Call, DivisionNo, MatchRef, Table};
use super::settings::Settings;
use crate::matches::score::Length;
use crate::matches::{MatchNo, Outcome, Slot};
use crate::values::{AccountId, MatchId, PlayerId, Timestamp};

/// A tournament at a glance: what it is, its divisions, its room.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = TournamentOverview))]
pub struct Overview {
    /// What it is.
    #[serde(flatten)]
    pub about: About,
    /// Logins that direct it besides the club's directors; none for whoever does not see its accounts.
    pub directors: Vec<AccountId>,
    /// The divisions in order.
    pub divisions: Vec<DivisionView>,
    /// The tables of the room.
    pub tables: Vec<Table>,
    /// How many matches wait for a table.
    pub waiting: usize,
    /// How many are called, or under way.
    pub playing: usize,
    /// When it was opened.
    pub opened_at: Option<Timestamp>,
    /// When it was over.
    pub closed_at: Option<Timestamp>,
    /// What can be done with it as a whole now.
    pub legal: Vec<TournamentAct>,
}

/// A division at a glance.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DivisionView {
    /// Which.
    pub division: DivisionNo,
    /// How it is played.
    pub settings: Settings,
    /// How many entries there are, whatever became of them.
    pub entries: usize,
    /// The draw that counts.
    pub draw: Option<DrawView>,
    /// The flights with their rounds.
    pub flights: Vec<FlightView>,
    /// How many matches have no result yet.
    pub undecided: u32,
    /// What is in the pool, in minor units.
    pub pool: u64,
    /// What is in the side pools.
    pub side_pools: Vec<u64>,
    /// Whether the pools were given to those who won them.
    pub awarded: bool,
    /// What can be done with it now, likeliest first.
    pub legal: Vec<DivisionAct>,
}

/// A draw.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DrawView {
    /// How.
    pub drawn: DrawnBy,
    /// Why it was drawn again.
    pub reason: Option<Line>,
    /// When.
    pub at: Timestamp,
}

/// A flight.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FlightView {
    /// Its number, from 0.
    pub flight: u8,
    /// What it is.
    pub kind: FlightKind,
    /// Its rounds.
    pub rounds: Vec<RoundView>,
}

/// A round of a flight.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RoundView {
    /// Its number, from 0.
    pub round: u8,
    /// Its first match; the others follow it.
    pub first: MatchNo,
    /// How many matches it has.
    pub matches: u32,
    /// To how many points they are played.
    pub length: Length,
}

/// A slot of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SlotView {
    /// What it is for.
    pub source: Source,
    /// Who sits in it.
    pub occupant: Occupant,
    /// Whose entry that is.
    pub player: Option<PlayerId>,
    /// What he has said of the result, as long as there is none.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub reported: Option<[u16; 2]>,
}

/// A match of a bracket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MatchView {
    /// Its division.
    pub division: DivisionNo,
    /// Its number there.
    #[serde(rename = "match")]
    pub number: MatchNo,
    /// Its flight, from 0.
    pub flight: u8,
    /// Its round in the flight, from 0.
    pub round: u8,
    /// To how many points it is played.
    pub length: Length,
    /// The upper slot and the lower.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub slots: [SlotView; 2],
    /// Where the winner goes.
    pub winner_to: Option<MatchNo>,
    /// Where the loser goes.
    pub loser_to: Option<MatchNo>,
    /// What came of it.
    pub outcome: Option<Outcome>,
    /// Since when it can be played.
    pub ready_since: Option<Timestamp>,
    /// Where it was called to.
    pub call: Option<Call>,
    /// Whether it is to be called later, and until when if it was said.
    pub postponed: Option<Postponed>,
    /// The sheet on which it is scored.
    pub sheet: Option<MatchId>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// What can be done with it now, likeliest first.
    pub legal: Vec<MatchAct>,
}

/// A match that is to be called later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Postponed {
    /// Until when, if it was said.
    pub until: Option<Timestamp>,
}

/// An entry.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EntryView {
    /// Its number.
    pub entry: EntryNo,
    /// Who.
    pub player: PlayerId,
    /// How it stands.
    pub standing: EntryStanding,
    /// Whether it has been seen in the room.
    pub checked_in: bool,
    /// Its place on the seeding list.
    pub seeded: Option<u32>,
    /// The entry of the same player that came before it.
    pub again: Option<EntryNo>,
    /// The side pools that it is in, counted from 0.
    pub side_pools: Vec<u8>,
    /// The match that it plays, or waits for.
    pub current: Option<MatchNo>,
    /// What can be done with it now.
    pub legal: Vec<EntryAct>,
}

/// A prize and what it comes to.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PrizeAmount {
    /// What for; a prize of two is named twice.
    pub prize: Prize,
    /// How much, in minor units.
    pub amount: u64,
}

/// What is due to whom of a division's pools, and what was given.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PrizesView {
    /// What is in the pool, in minor units.
    pub pool: u64,
    /// What is in the side pools.
    pub side_pools: Vec<u64>,
    /// What the house keeps.
    pub kept: u64,
    /// What each prize of the schedule comes to, whoever wins it; side pools come besides.
    pub schedule: Vec<PrizeAmount>,
    /// What is due by the schedule, as the places are now.
    pub scheduled: Vec<Awarded>,
    /// A match that is still to be played for one of them.
    pub still_played: Option<MatchNo>,
    /// What was given.
    pub given: Option<Vec<Awarded>>,
}

impl Tournament {
    /// At a glance, at this moment.
    #[must_use]
    pub fn overview(&self, now: Timestamp) -> Option<Overview> {
        Some(Overview {
            about: self.about()?.clone(),
            directors: self.directors.clone(),
            divisions: self
                .divisions()
                .map(|(number, division)| division.view(number, self.division_acts(number)))
                .collect(),
            tables: self.room.tables.values().cloned().collect(),
            waiting: self.room.queue.size().saturating_sub(self.room.calls.size()),
            playing: self.room.calls.size(),
            opened_at: self.opened_at,
            closed_at: self.closed_at,
            legal: self.acts(now),
        })
    }

    #[must_use]
    pub fn match_view(&self, at: MatchRef) -> Option<MatchView> {
        let division = self.division(at.division)?;
        let found = division.bracket.get(at.number)?;
        let said = division.reports.get(&at.number).copied().unwrap_or_default();
        let slot = |slot: Slot| division.slot(found, slot, said[slot.at()]);
        Some(MatchView {
            division: at.division,
            number: at.number,
            flight: found.flight,
            round: found.round,
            length: division.length(found),
            slots: Slot::BOTH.map(slot),
            winner_to: found.winner_to.map(|(number, _)| number),
            loser_to: found.loser_to.map(|(number, _)| number),
            outcome: found.outcome,
            ready_since: self.room.ready_since.get(&at).copied(),
            call: self.room.calls.get(&at).copied(),
            postponed: self.room.postponed.get(&at).map(|until| Postponed { until: *until }),
            sheet: division.sheet(at.number),
            finished_at: division.finished_at.get(&at.number).copied(),
            legal: self.match_acts(at),
        })
    }

    /// These entries of a division in order, at this moment, up to the first that there is not.
    pub fn entry_views(
        &self,
        division: DivisionNo,
        entries: impl Iterator<Item = EntryNo>,
        now: Timestamp,
    ) -> impl Iterator<Item = EntryView> {
        let seats = FreeSeats::default();
        entries.map_while(move |number| self.entry_view(division, number, (now, &seats)))
    }

    fn entry_view(
        &self,
        division: DivisionNo,
        number: EntryNo,
        (now, seats): (Timestamp, &FreeSeats),
    ) -> Option<EntryView> {
        let of = self.division(division)?;
        let entry: &Entry = of.entry(number)?;
        Some(EntryView {
            entry: number,
            player: entry.player,
            standing: entry.standing,
            checked_in: entry.checked_in,
            seeded: entry.seeded,
            again: entry.again,
            side_pools: (0..8).filter(|pool| entry.is_in_pool(*pool)).collect(),
            current: of.current(number).map(|(number, _)| number),
            legal: self.entry_acts(division, number, (now, seats)),
        })
    }

    /// The matches that wait for a table, those that wait longest first.
    pub fn waiting(&self) -> impl Iterator<Item = MatchRef> {
        self.room.queue.keys().map(|(_, at)| *at).filter(|at| !self.room.calls.contains_key(at))
    }

    /// The matches called, or under way: those called first come first.
    #[must_use]
    pub fn playing(&self) -> Vec<MatchRef> {
        let mut playing: Vec<(Timestamp, MatchRef)> =
            self.room.calls.iter().map(|(at, call)| (call.called_at, *at)).collect();
        playing.sort_unstable();
        playing.into_iter().map(|(_, at)| at).collect()
    }

    /// The matches that ended last and have a result, the newest first.
    #[must_use]
    pub fn latest(&self, most: usize) -> Vec<MatchRef> {
        let mut latest: BTreeSet<(Timestamp, MatchRef)> = BTreeSet::new();
        for (division, of) in self.divisions() {
            let decided = |number: &MatchNo| of.bracket.get(*number).is_some_and(|at| at.outcome.is_some());
            for (number, ended) in of.finished_at.iter().filter(|(number, _)| decided(number)) {
                latest.insert((*ended, MatchRef { division, number: *number }));
                if latest.len() > most {
                    latest.pop_first();
                }
            }
        }
        latest.into_iter().rev().map(|(_, at)| at).collect()
    }

    /// Matches of which the players have said different things, or one alone.
    pub fn reported(&self) -> impl Iterator<Item = MatchRef> {
        self.divisions().flat_map(|(division, of)| {
            of.reports
                .iter()
                .filter(|(_, said)| said.iter().any(Option::is_some))
                .map(move |(number, _)| MatchRef { division, number: *number })
        })
    }
}

impl Division {
    /// At a glance, with what can be done with it.
    fn view(&self, division: DivisionNo, legal: Vec<DivisionAct>) -> DivisionView {
        let flights = self.bracket.flights().iter().enumerate().map(|(number, flight)| {
            let rounds = flight.rounds.iter().enumerate().map(|(at, round)| RoundView {
                round: u8::try_from(at).unwrap_or(u8::MAX),
                first: round.first,
                matches: round.matches,
                length: self.settings.length_of(flight.kind, flight.rounds.len().saturating_sub(at + 1)),
            });
            FlightView {
                flight: u8::try_from(number).unwrap_or(u8::MAX),
                kind: flight.kind,
                rounds: rounds.collect(),
            }
        });
        DivisionView {
            division,
            settings: (*self.settings).clone(),
            entries: self.entered(),
            draw: self.draws.last().map(|draw| draw.view()),
            flights: flights.collect(),
            undecided: self.undecided,
            pool: self.pool,
            side_pools: self.side_pools.clone(),
            awarded: self.awards.is_some(),
            legal,
        }
    }

    fn slot(&self, at: &Pairing, slot: Slot, reported: Option<[u16; 2]>) -> SlotView {
        let occupant = at.occupant(slot);
        let player = occupant.entry().and_then(|entry| self.entry(entry)).map(|entry| entry.player);
        SlotView { source: at.source(slot), occupant, player, reported }
    }

    /// What is due to whom, and what was given.
    #[must_use]
    pub fn prizes_view(&self) -> PrizesView {
        let due = prizes::scheduled(self);
        PrizesView {
            pool: self.pool,
            side_pools: self.side_pools.clone(),
            kept: due.kept,
            schedule: due.amounts.into_iter().map(|(prize, amount)| PrizeAmount { prize, amount }).collect(),
            scheduled: due.prizes.into_iter().map(|(player, amount)| Awarded { player, amount }).collect(),
            still_played: due.still_played,
            given: self.awards.as_ref().map(|awards| awards.awards.clone()),
        }
    }
}

impl Draw {
    #[must_use]
    pub fn view(&self) -> DrawView {
        DrawView { drawn: self.drawn.clone(), reason: self.reason.clone(), at: self.at }
    }
}
