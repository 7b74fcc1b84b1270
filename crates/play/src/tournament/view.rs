//! A tournament as clients see it, in parts, because a whole one can be large. Views hold numbers and codes,
//! not names.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Tournament;
use super::about::{About, Remark};
use super::aspects::AboutWhom;
use super::bracket::{EntryNo, FlightKind, Occupant, Pairing, Source};
use super::division::{Division, Draw};
use super::entry::{Entry, EntryStanding};
use super::event::{Awarded, DrawnBy, Event};
use super::legal::{DivisionAct, EntryAct, FreeSeats, MatchAct, TournamentAct};
use super::payout::Prize;
use super::prizes;
use super::room::{Call, DivisionNo, MatchRef, Table};
use super::settings::DivisionSettings;
use crate::matches::score::Length;
use crate::matches::{Ending, MatchNo, Outcome, Slot};
use owlbox_base::values::{AccountId, MatchId, PlayerId, Timestamp};

/// A tournament at a glance: its details, divisions and room.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = TournamentOverview))]
pub struct Overview {
    #[serde(flatten)]
    pub about: About,
    /// Logins that direct it besides the club's directors. Empty for viewers who may not see its accounts.
    pub directors: Vec<AccountId>,
    /// In the order of their numbers.
    pub divisions: Vec<DivisionView>,
    /// All tables of the room.
    pub tables: Vec<Table>,
    /// How many playable matches have not been called, postponed ones included.
    pub waiting: usize,
    /// How many matches are called or under way.
    pub playing: usize,
    pub opened_at: Option<Timestamp>,
    /// `null` while the tournament is open.
    pub closed_at: Option<Timestamp>,
    /// Why it was cancelled; `null` if it was not.
    pub cancelled: Option<Remark>,
    /// What can be done with the tournament as a whole now.
    pub legal: Vec<TournamentAct>,
}

/// A division at a glance.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DivisionView {
    pub division: DivisionNo,
    pub settings: DivisionSettings,
    /// How many entries there are, those that have left included.
    pub entries: usize,
    /// The draw of the main flight in force; `null` before the draw.
    pub draw: Option<DrawView>,
    /// The flights with their rounds, the main flight first.
    pub flights: Vec<FlightView>,
    /// How many matches have no result yet.
    pub undecided: u32,
    /// What is played for, in minor units: the pool without the fees of entries that still wait for a slot.
    pub pool: u64,
    /// What is played for in each side pool, in minor units.
    pub side_pools: Vec<u64>,
    /// Whether its pools were awarded.
    pub awarded: bool,
    /// What can be done with it now, likeliest first.
    pub legal: Vec<DivisionAct>,
}

/// A draw of the main flight.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DrawView {
    pub drawn: DrawnBy,
    /// Why it was drawn again; `null` for a first draw.
    pub reason: Option<Remark>,
    pub at: Timestamp,
}

/// A flight of a bracket.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FlightView {
    /// Counted from 0: the main flight.
    pub flight: u8,
    pub kind: FlightKind,
    /// In the order of play.
    pub rounds: Vec<RoundView>,
}

/// A round of a flight.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RoundView {
    /// Counted from 0 within the flight.
    pub round: u8,
    /// Its first match. The others have the numbers that follow.
    pub first: MatchNo,
    /// How many matches it has.
    pub matches: u32,
    /// The length of its matches by the settings. A match that had begun under other settings may keep
    /// another.
    pub length: Length,
}

/// A slot of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SlotView {
    /// Where its occupant comes from.
    pub source: Source,
    pub occupant: Occupant,
    /// The player of the entry in it; `null` if there is none.
    pub player: Option<PlayerId>,
    /// The result its player has reported, until the match has a result.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub reported: Option<[u16; 2]>,
}

/// A match of a bracket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MatchView {
    pub division: DivisionNo,
    /// Counted from 1 within the division.
    #[serde(rename = "match")]
    pub number: MatchNo,
    /// The index of its flight, from 0.
    pub flight: u8,
    /// Its round within the flight, from 0.
    pub round: u8,
    /// The number of points it is played to.
    pub length: Length,
    /// The upper slot and the lower.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub slots: [SlotView; 2],
    /// The match the winner goes to; `null` after a last match.
    pub winner_to: Option<MatchNo>,
    /// The match the loser drops to; `null` if there is none. A player who loses after a first-round bye may
    /// still drop into the consolation, to where the losers of the first round go.
    pub loser_to: Option<MatchNo>,
    /// `null` until the match is decided.
    pub outcome: Option<Outcome>,
    /// When both players were known. Set only while the match can be played.
    pub ready_since: Option<Timestamp>,
    /// The table it was called to; `null` if it is not called.
    pub call: Option<Call>,
    /// Set if its call was put off.
    pub postponed: Option<Postponed>,
    /// The sheet on which these players' match is scored; `null` if there is none.
    pub sheet: Option<MatchId>,
    /// When its result came in. A correction does not change it; `null` if the result follows from an empty
    /// slot or an entry that left.
    pub finished_at: Option<Timestamp>,
    /// What can be done with it now, likeliest first.
    pub legal: Vec<MatchAct>,
}

/// How far a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchState {
    /// A player is not known yet.
    Waiting,
    Ready,
    Called,
    Playing,
    Done,
    /// There was nothing to play.
    Empty,
}

/// A match that is to be called later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Postponed {
    /// Until when; `null` means until it is resumed.
    pub until: Option<Timestamp>,
}

/// An entry of a division.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EntryView {
    pub entry: EntryNo,
    pub player: PlayerId,
    pub standing: EntryStanding,
    /// Whether it has been seen in the room.
    pub checked_in: bool,
    /// Its place on the seeding list, from 1; `null` if it is not seeded.
    pub seeded: Option<u32>,
    /// The same player's previous entry; `null` for a first entry.
    pub again: Option<EntryNo>,
    /// The side pools it is in, counted from 0.
    pub side_pools: Vec<u8>,
    /// The match it is playing or will play next; `null` if it has none.
    pub current: Option<MatchNo>,
    /// What can be done with it now.
    pub legal: Vec<EntryAct>,
}

/// A prize and its amount.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PrizeAmount {
    /// A prize with two winners is listed twice.
    pub prize: Prize,
    /// In minor units, for one of its winners.
    pub amount: u64,
}

/// The prizes of a division: what is due to whom, and what was awarded.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PrizesView {
    /// What is played for, in minor units: the pool without the fees of entries that still wait for a slot.
    pub pool: u64,
    /// What is played for in each side pool, in minor units.
    pub side_pools: Vec<u64>,
    /// What the house keeps, in minor units.
    pub kept: u64,
    /// The amount of each prize of the schedule, no matter who wins it. Side pools are not included.
    pub schedule: Vec<PrizeAmount>,
    /// What is due by the schedule, with the places as they are now.
    pub scheduled: Vec<Awarded>,
    /// A match still to be played for one of the prizes; `null` if all are decided.
    pub still_played: Option<MatchNo>,
    /// The award that was made; `null` if there is none yet.
    pub given: Option<Vec<Awarded>>,
}

impl Tournament {
    /// The tournament at a glance at this moment; `None` if it was never opened.
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
            cancelled: self.cancelled.clone(),
            legal: self.acts(now),
        })
    }

    #[must_use]
    pub fn match_view(&self, at: MatchRef) -> Option<MatchView> {
        let (division, found) = self.match_at(at)?;
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

    /// These entries of a division at this moment, in order. Stops at the first that does not exist.
    pub fn entry_views(
        &self,
        division: DivisionNo,
        entries: impl Iterator<Item = EntryNo>,
        now: Timestamp,
    ) -> impl Iterator<Item = EntryView> {
        let seats = FreeSeats::default();
        entries.map_while(move |number| self.entry_view(division, number, now, &seats))
    }

    fn entry_view(
        &self,
        division: DivisionNo,
        number: EntryNo,
        now: Timestamp,
        seats: &FreeSeats,
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
            legal: self.entry_acts(division, number, now, seats),
        })
    }

    /// The playable matches that have not been called, the longest wait first. Postponed matches are
    /// included.
    pub fn waiting(&self) -> impl Iterator<Item = MatchRef> {
        self.room.queue.keys().map(|(_, at)| *at).filter(|at| !self.room.calls.contains_key(at))
    }

    /// The matches called or under way, in the order of their calls.
    #[must_use]
    pub fn playing(&self) -> Vec<MatchRef> {
        let mut playing: Vec<(Timestamp, MatchRef)> =
            self.room.calls.iter().map(|(at, call)| (call.called_at, *at)).collect();
        playing.sort_unstable();
        playing.into_iter().map(|(_, at)| at).collect()
    }

    /// The matches whose results came in last, the newest first; at most `most`.
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

    /// The matches without a result of which one player or both have reported one. If both have, their
    /// reports differ.
    pub fn reported(&self) -> impl Iterator<Item = MatchRef> {
        self.divisions().flat_map(|(division, of)| {
            of.reports
                .iter()
                .filter(|(_, said)| said.iter().any(Option::is_some))
                .map(move |(number, _)| MatchRef { division, number: *number })
        })
    }

    /// The players who sit in these matches.
    #[must_use]
    pub fn players_in(&self, matches: &[MatchRef]) -> Vec<PlayerId> {
        let sits = |at: &MatchRef| {
            let (division, found) = self.match_at(*at)?;
            let players =
                found.occupants.into_iter().filter_map(|one| Some(division.entry(one.entry()?)?.player));
            Some(players.collect::<Vec<_>>())
        };
        matches.iter().filter_map(sits).flatten().collect()
    }

    /// The divisions that are over, each with the entry that has won it.
    #[must_use]
    pub fn won(&self) -> Vec<(&Division, EntryNo)> {
        self.divisions().filter_map(|(_, of)| Some((of, of.won_by()?))).collect()
    }

    /// The winners of the divisions that are over.
    #[must_use]
    pub fn winners(&self) -> Vec<PlayerId> {
        self.won().into_iter().filter_map(|(of, entry)| Some(of.entry(entry)?.player)).collect()
    }

    /// The name of a division; `None` if it is the only one and needs none.
    #[must_use]
    pub fn name_among<'a>(&self, of: &'a Division) -> Option<&'a str> {
        (self.divisions().len() > 1).then(|| of.settings.name.as_str())
    }

    /// Every entry of a player, in each division the newest first.
    #[must_use]
    pub fn entries_of(&self, player: PlayerId) -> Vec<(DivisionNo, EntryNo)> {
        let entries = |(number, of): (DivisionNo, &Division)| {
            let entries = of.entry_of(player).into_iter().flat_map(|newest| of.with_earlier(newest));
            entries.map(|entry| (number, entry)).collect::<Vec<_>>()
        };
        self.divisions().flat_map(entries).collect()
    }

    /// The entry with which a player can play now; of several, one whose match has been called.
    #[must_use]
    pub fn plays_as(&self, player: PlayerId) -> Option<(DivisionNo, EntryNo)> {
        let ready = |(division, entry): (DivisionNo, EntryNo)| {
            let (number, at) = self.division(division)?.current(entry)?;
            let called = self.room.calls.contains_key(&MatchRef { division, number });
            at.is_ready().then_some((!called, (division, entry)))
        };
        let plays = self.entries_of(player).into_iter().filter_map(ready).min_by_key(|(waits, _)| *waits);
        plays.map(|(_, plays)| plays)
    }

    /// Whether the players of a match are asked how it ended. Where matches are called to tables, nobody has
    /// played before the call; elsewhere a match may be put off.
    #[must_use]
    pub fn asks_for_result(&self, at: MatchRef, now: Timestamp) -> bool {
        let called = self.room.calls.contains_key(&at);
        let uncalled = || self.room.tables.is_empty() && self.may_be_called(at, now);
        self.cancelled.is_none() && (called || uncalled())
    }

    /// How far a match of the bracket is.
    #[must_use]
    pub fn match_state(&self, at: MatchRef, found: &Pairing) -> MatchState {
        match (found.outcome, self.room.calls.get(&at)) {
            (Some(outcome), _) if matches!(outcome.ending, Ending::Bye | Ending::NotNeeded) => {
                MatchState::Empty
            }
            (Some(_), _) => MatchState::Done,
            (None, _) if !found.is_ready() => MatchState::Waiting,
            (None, None) => MatchState::Ready,
            (None, Some(call)) if call.began_at.is_none() => MatchState::Called,
            (None, Some(_)) => MatchState::Playing,
        }
    }

    /// The players whom an event is about; of many, the first.
    #[must_use]
    pub fn players_of(&self, event: &Event) -> Vec<PlayerId> {
        let aspects = event.aspects();
        let division = aspects.division.and_then(|number| self.division(number));
        let entered = |entry: EntryNo| Some(division?.entry(entry)?.player);
        let sitting = |occupants: [Occupant; 2]| {
            occupants.iter().filter_map(|occupant| entered(occupant.entry()?)).collect()
        };
        match aspects.about {
            AboutWhom::Nobody => Vec::new(),
            AboutWhom::Player(player) => vec![player],
            AboutWhom::Entry(entry) => entered(entry).into_iter().collect(),
            AboutWhom::Match(number) => {
                let at = division.and_then(|of| of.bracket.get(number));
                at.map(|at| sitting(at.occupants)).unwrap_or_default()
            }
            AboutWhom::Occupants(occupants) => sitting(occupants),
        }
    }
}

impl Division {
    /// The entry that has won the main flight; `None` while it is undecided.
    #[must_use]
    pub fn won_by(&self) -> Option<EntryNo> {
        let last = self.bracket.flights().first()?.last()?;
        // Places are computed only once there may be a first one.
        self.bracket.get(last)?.outcome?;
        let places = self.places(0);
        places.first().filter(|place| !place.playing && place.worst == 1).map(|place| place.entry)
    }

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
        let money = self.played_for();
        DivisionView {
            division,
            settings: (*self.settings).clone(),
            entries: self.entered(),
            draw: self.draws.last().map(|draw| draw.view()),
            flights: flights.collect(),
            undecided: self.undecided,
            pool: money.pool,
            side_pools: money.side_pools,
            awarded: self.awards.is_some(),
            legal,
        }
    }

    fn slot(&self, at: &Pairing, slot: Slot, reported: Option<[u16; 2]>) -> SlotView {
        let occupant = at.occupant(slot);
        let player = occupant.entry().and_then(|entry| self.entry(entry)).map(|entry| entry.player);
        SlotView { source: at.source(slot), occupant, player, reported }
    }

    /// What is due to whom by the schedule, and what was awarded.
    #[must_use]
    pub fn prizes_view(&self) -> PrizesView {
        let (due, money) = (prizes::scheduled(self), self.played_for());
        PrizesView {
            pool: money.pool,
            side_pools: money.side_pools,
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
