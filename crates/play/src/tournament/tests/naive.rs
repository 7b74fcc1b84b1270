//! An independent model of a tournament, written from the text of the rules and as plainly as possible: after
//! every event it works out every match again, from first to last. It shares no code with the bracket it
//! checks. From the bracket it takes only how the matches of a format feed each other, from the draws who was
//! drawn where, and from the results what was stated.
//!
//! * An entry that leaves or is disqualified leaves every flight. It drops nowhere if it had left when it
//!   lost; where it had dropped before, it loses. It advances nowhere, not even past an empty slot, but keeps
//!   what it had before it left.
//! * A later result that stands does so for the entries that sit there now, except for a disqualification,
//!   which concerns one entry, and where players would meet themselves.
//! * A player with a match to play again gives up a last chance.
//! * A flight may have no winner. Then its first place stays empty, and what nobody won is shared by the best
//!   placed of those who stayed.

use std::collections::{BTreeMap, BTreeSet};

use crate::matches::{Ending, MatchNo, Outcome, Slot};
use crate::tournament::bracket::{Bracket, EntryNo, FlightKind, Later, Place, Source};
use crate::tournament::command::{self, Command};
use crate::tournament::division::Division;
use crate::tournament::event::{Event, GivenUp, Leaving};
use crate::tournament::payout::{Prize, shared};
use owlbox_base::values::PlayerId;

/// Who sits in a slot: not known yet, nobody for good, or an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sits {
    NotKnown,
    Nobody,
    One(EntryNo),
}

#[derive(Clone, Debug)]
struct Bout {
    flight: u8,
    round: u8,
    sources: [Source; 2],
    /// Set for a second final: it is played only if the lower slot won this one.
    second_after: Option<usize>,
    sit: [Sits; 2],
    outcome: Option<Outcome>,
}

impl Bout {
    fn entry(&self, slot: Slot) -> Option<EntryNo> {
        match self.sit[place(slot)] {
            Sits::One(entry) => Some(entry),
            Sits::NotKnown | Sits::Nobody => None,
        }
    }

    fn winner(&self) -> Option<EntryNo> {
        self.entry(self.outcome?.winner?)
    }

    /// The entries that went out here: both, if nobody advanced.
    fn went_out(&self) -> Vec<EntryNo> {
        let Some(outcome) = self.outcome.filter(|outcome| outcome.ending != Ending::NotNeeded) else {
            return Vec::new();
        };
        let lost = Slot::BOTH.into_iter().filter(|slot| outcome.winner != Some(*slot));
        lost.filter_map(|slot| self.entry(slot)).collect()
    }
}

fn place(slot: Slot) -> usize {
    match slot {
        Slot::Upper => 0,
        Slot::Lower => 1,
    }
}

fn index_of(number: MatchNo) -> usize {
    number.0 as usize - 1
}

fn by_itself(ending: Ending) -> bool {
    matches!(ending, Ending::Bye | Ending::Withdrawn | Ending::NotNeeded)
}

/// The model of one division.
#[derive(Clone, Debug, Default)]
pub(super) struct Naive {
    bouts: Vec<Bout>,
    kinds: Vec<FlightKind>,
    players: Vec<PlayerId>,
    gone: BTreeSet<EntryNo>,
    /// Last chances given up, by entry and flight.
    given_up: BTreeSet<(EntryNo, u8)>,
    /// Entries that were ever drawn or seated, unless a later draw left them out.
    seated: BTreeSet<EntryNo>,
}

impl Naive {
    /// Takes in the events of a command, and works everything out again after each.
    pub fn hears(&mut self, command: &Command, events: &[Event], now: &Bracket) {
        for event in events {
            let mut later = Later::Void;
            match event {
                Event::Entered { entries, .. } => self.players.extend(entries.iter().map(|new| new.player)),
                Event::Drawn { slots, waiting, .. } => {
                    (self.bouts, self.given_up) = (Vec::new(), BTreeSet::new());
                    self.hang_together(now);
                    self.seated.retain(|entry| !waiting.contains(entry));
                    self.seated
                        .extend(slots.iter().filter_map(|slot| slot.0).filter(|no| *no > 0).map(EntryNo));
                }
                Event::LastChanceDrawn { slots, .. } => {
                    self.hang_together(now);
                    self.seated
                        .extend(slots.iter().filter_map(|slot| slot.0).filter(|no| *no > 0).map(EntryNo));
                }
                Event::Seated { entry, number, slot, .. } => {
                    let bye = *entry == EntryNo(0);
                    let source = if bye { Source::Bye } else { Source::Entry { entry: *entry } };
                    self.bouts[index_of(*number)].sources[place(*slot)] = source;
                    self.seated.extend((!bye).then_some(*entry));
                }
                Event::Exchanged { .. } => self.exchange(command),
                Event::Withdrawn { entry, how, .. } => self.leaves(*entry, *how),
                Event::Reinstated { entry, .. } => self.comes_back(*entry),
                Event::Resulted { number, changes, left, .. } => {
                    let said = changes.iter().find(|change| change.number == *number).unwrap();
                    self.bouts[index_of(*number)].outcome = said.outcome;
                    self.gone.extend(left);
                }
                Event::Corrected { number, changes, given_up, left, .. } => {
                    if let Command::Correct { later: wanted, .. } = command {
                        later = *wanted;
                    }
                    let said = changes.iter().find(|change| change.number == *number).unwrap();
                    self.bouts[index_of(*number)].outcome = said.outcome;
                    self.gone.extend(left);
                    self.gives_up(given_up, later);
                }
                _ => continue,
            }
            self.tells(later);
        }
    }

    /// Adds the matches that are new in the bracket.
    fn hang_together(&mut self, now: &Bracket) {
        self.kinds = now.flights().iter().map(|flight| flight.kind).collect();
        for (_, at) in now.iter().skip(self.bouts.len()) {
            self.bouts.push(Bout {
                flight: at.flight,
                round: at.round,
                sources: at.sources,
                second_after: at.only_if_lower_wins.map(index_of),
                sit: [Sits::NotKnown; 2],
                outcome: None,
            });
        }
    }

    fn exchange(&mut self, command: &Command) {
        let Command::Exchange { one, other, .. } = command else { panic!("{command:?}") };
        let source = |at: &command::SlotOfMatch| self.bouts[index_of(at.number)].sources[place(at.slot)];
        let (here, there) = (source(one), source(other));
        self.bouts[index_of(one.number)].sources[place(one.slot)] = there;
        self.bouts[index_of(other.number)].sources[place(other.slot)] = here;
    }

    /// A disqualified entry loses the match it has to play.
    fn leaves(&mut self, entry: EntryNo, how: Leaving) {
        let sits = |bout: &Bout| bout.sit.contains(&Sits::One(entry)) && bout.outcome.is_none();
        let gave_up = |bout: &Bout| self.given_up.contains(&(entry, bout.flight));
        let on = self.bouts.iter().rposition(|bout| sits(bout) && !gave_up(bout));
        if let (Leaving::Disqualified, Some(on)) = (how, on)
            && self.bouts[on].sit.iter().all(|sits| matches!(sits, Sits::One(_)))
        {
            let winner = if self.bouts[on].sit[0] == Sits::One(entry) { Slot::Lower } else { Slot::Upper };
            let ending = Ending::Disqualified;
            self.bouts[on].outcome = Some(Outcome { winner: Some(winner), ending, score: None });
        }
        self.gone.insert(entry);
    }

    /// An entry that comes back plays again what it lost by disqualification.
    fn comes_back(&mut self, entry: EntryNo) {
        for bout in &mut self.bouts {
            let ruled = bout.outcome.is_some_and(|outcome| outcome.ending == Ending::Disqualified);
            if ruled && bout.went_out().contains(&entry) {
                bout.outcome = None;
            }
        }
        self.gone.remove(&entry);
    }

    /// Checks that exactly those entries give up a last chance that would otherwise have two matches to play.
    fn gives_up(&mut self, said: &[GivenUp], later: Later) {
        let mut without = self.clone();
        without.tells(later);
        let mut expected = BTreeSet::new();
        for entry in (1..=self.players.len()).map(|number| EntryNo(u32::try_from(number).unwrap())) {
            let has = |bout: &&Bout| bout.outcome.is_none() && bout.sit.contains(&Sits::One(entry));
            let flights = without.bouts.iter().filter(has).map(|bout| bout.flight);
            let flights: BTreeSet<u8> =
                flights.filter(|flight| !self.given_up.contains(&(entry, *flight))).collect();
            for flight in flights.iter().skip(1) {
                if self.kinds[usize::from(*flight)] == FlightKind::LastChance && !self.gone.contains(&entry) {
                    expected.insert((entry, *flight));
                }
            }
        }
        let said: BTreeSet<(EntryNo, u8)> = said.iter().map(|one| (one.entry, one.flight)).collect();
        assert_eq!(said, expected, "who has two matches to play gives up the last chance");
        self.given_up.extend(said);
    }

    /// Works out every match, from the first to the last.
    fn tells(&mut self, later: Later) {
        for at in 0..self.bouts.len() {
            let sit = Slot::BOTH.map(|slot| self.comes(at, slot));
            let outcome = self.comes_of(at, sit, later);
            (self.bouts[at].sit, self.bouts[at].outcome) = (sit, outcome);
        }
    }

    fn comes(&self, at: usize, slot: Slot) -> Sits {
        let before = self.bouts[at].sit[place(slot)];
        match self.bouts[at].sources[place(slot)] {
            Source::Entry { entry } => Sits::One(entry),
            Source::Bye => Sits::Nobody,
            Source::Open => Sits::NotKnown,
            Source::Winner { of: fed } => match &self.bouts[index_of(fed)] {
                bout if bout.outcome.is_none() => Sits::NotKnown,
                bout => bout.winner().map_or(Sits::Nobody, Sits::One),
            },
            Source::Loser { of: fed, first_match, walkovers_are_byes } => {
                match self.loses(index_of(fed), first_match, walkovers_are_byes) {
                    Sits::One(entry) if self.gone.contains(&entry) && before != Sits::One(entry) => {
                        Sits::Nobody
                    }
                    sits => sits,
                }
            }
        }
    }

    fn loses(&self, fed: usize, first_match: bool, walkovers_are_byes: bool) -> Sits {
        let bout = &self.bouts[fed];
        let Some(outcome) = bout.outcome else { return Sits::NotKnown };
        let loser = |bout: &Bout| match (bout.winner(), bout.went_out().as_slice()) {
            (Some(_), [loser]) => Sits::One(*loser),
            _ => Sits::Nobody,
        };
        let is_walkover = matches!(outcome.ending, Ending::Walkover | Ending::Withdrawn);
        if is_walkover && walkovers_are_byes && bout.winner().is_none() {
            return Sits::Nobody;
        }
        let is_bye = outcome.ending == Ending::Bye || is_walkover && walkovers_are_byes;
        let (true, true, Some(lucky)) = (is_bye, first_match, bout.winner()) else {
            return loser(bout);
        };
        // After a bye the first match is the next one.
        let fed = MatchNo(u32::try_from(fed + 1).unwrap());
        let next = self.bouts.iter().find(|next| next.sources.contains(&Source::Winner { of: fed }));
        match next.map(|next| (next, next.outcome)) {
            Some((_, None)) => Sits::NotKnown,
            Some((next, Some(_))) if loser(next) == Sits::One(lucky) => Sits::One(lucky),
            Some(_) | None => Sits::Nobody,
        }
    }

    fn comes_of(&self, at: usize, sit: [Sits; 2], later: Later) -> Option<Outcome> {
        let bout = &self.bouts[at];
        let found = |winner, ending| Some(Outcome { winner, ending, score: None });
        if let Some(first) = bout.second_after {
            let first = self.bouts[first].outcome?;
            if first.winner != Some(Slot::Lower) {
                return found((sit[0] != Sits::Nobody).then_some(Slot::Upper), Ending::NotNeeded);
            }
        }
        let out = |sits: Sits| match sits {
            Sits::One(entry) => self.gone.contains(&entry) || self.given_up.contains(&(entry, bout.flight)),
            Sits::NotKnown | Sits::Nobody => false,
        };
        let same = sit == bout.sit;
        let won_before =
            bout.outcome.filter(|outcome| same && by_itself(outcome.ending) && outcome.winner.is_some());
        match sit {
            [Sits::NotKnown, _] | [_, Sits::NotKnown] => None,
            [Sits::Nobody, Sits::Nobody] => found(None, Ending::Bye),
            [one, Sits::Nobody] | [Sits::Nobody, one] => {
                let alone = if sit[0] == one { Slot::Upper } else { Slot::Lower };
                if out(one) {
                    won_before.or(found(None, Ending::Withdrawn))
                } else {
                    found(Some(alone), Ending::Bye)
                }
            }
            [Sits::One(upper), Sits::One(lower)] => {
                let said = bout.outcome.filter(|outcome| !by_itself(outcome.ending));
                let stands = |outcome: &Outcome| {
                    let same_player =
                        self.players[upper.0 as usize - 1] == self.players[lower.0 as usize - 1];
                    let loser = outcome.winner.map(|winner| [lower, upper][place(winner)]);
                    let loser_is_out =
                        outcome.ending != Ending::Disqualified || bout.went_out() == Vec::from_iter(loser);
                    same || (later == Later::Stands && !same_player && loser_is_out)
                };
                match said.filter(stands) {
                    Some(said) => Some(said),
                    None => match sit.map(out) {
                        [false, false] => None,
                        [false, true] => found(Some(Slot::Upper), Ending::Withdrawn),
                        [true, false] => found(Some(Slot::Lower), Ending::Withdrawn),
                        [true, true] => won_before.or(found(None, Ending::Withdrawn)),
                    },
                }
            }
        }
    }

    /// Checks that the division agrees with the model.
    pub fn agrees(&self, division: &Division) {
        for (bout, (number, at)) in self.bouts.iter().zip(division.bracket.iter()) {
            let sit = at.occupants.map(|occupant| match (occupant.entry(), occupant) {
                (Some(entry), _) => Sits::One(entry),
                (None, crate::tournament::bracket::Occupant::Nobody) => Sits::Nobody,
                (None, _) => Sits::NotKnown,
            });
            assert_eq!((bout.sources, bout.sit, bout.outcome), (at.sources, sit, at.outcome), "{number:?}");
        }
        for (number, entry) in division.entries() {
            assert_eq!(self.gone.contains(&number), entry.standing.is_out(), "{number:?}");
        }
    }

    /// The flight of this kind, if there is one.
    fn flight(&self, kind: FlightKind) -> Option<u8> {
        self.kinds.iter().position(|found| *found == kind).map(|flight| u8::try_from(flight).unwrap())
    }

    fn last(&self, flight: u8) -> Option<&Bout> {
        let needed = |bout: &&Bout| bout.outcome.is_none_or(|outcome| outcome.ending != Ending::NotNeeded);
        self.bouts.iter().filter(|bout| bout.flight == flight).rfind(needed)
    }

    /// How well each entry of a finished flight has done: the higher the mark, the better.
    fn marks(&self, flight: u8) -> BTreeMap<EntryNo, i32> {
        let mut marks = BTreeMap::new();
        let mut mark = |entry: EntryNo, points: i32| {
            let has = marks.entry(entry).or_insert(points);
            *has = (*has).max(points);
        };
        if flight == 0 {
            // Entries whose slot went to another come after all that sit there.
            self.seated.iter().for_each(|entry| mark(*entry, -1));
        }
        let own = |kind| self.flight(kind).filter(|_| flight == 0);
        let (third, second, grand) =
            (own(FlightKind::ThirdPlace), own(FlightKind::SecondPlace), own(FlightKind::GrandFinal));
        let consolation = self.flight(FlightKind::Consolation);
        for bout in &self.bouts {
            let round = i32::from(bout.round);
            let lost = match bout.flight {
                own if own == flight => {
                    // In a double elimination a first loss is worth as much as the consolation match the
                    // loser would have dropped to.
                    let to = MatchNo(u32::try_from(self.number(bout) + 1).unwrap());
                    let drops = |next: &&Bout| next.sources.contains(&Source::loser(to));
                    match self.bouts.iter().find(drops).filter(|_| grand.is_some()) {
                        Some(next) if Some(next.flight) == consolation => 100 + 10 * i32::from(next.round),
                        Some(_) | None => 10 * round,
                    }
                }
                other if Some(other) == consolation && grand.is_some() => 100 + 10 * round,
                other if Some(other) == third => {
                    bout.winner().into_iter().for_each(|entry| mark(entry, 10 * self.semi() + 6));
                    10 * self.semi() + 3
                }
                other if Some(other) == second => {
                    bout.winner().into_iter().for_each(|entry| mark(entry, 9_000));
                    8_000
                }
                other if Some(other) == grand => 8_000 + round,
                _ => continue,
            };
            let dropped = |entry: &EntryNo| {
                let on =
                    |next: &&Bout| Some(next.flight) == consolation && next.sit.contains(&Sits::One(*entry));
                bout.flight == 0 && grand.is_some() && self.bouts.iter().any(|next| on(&next))
            };
            bout.went_out().into_iter().filter(|entry| !dropped(entry)).for_each(|entry| mark(entry, lost));
        }
        let last = self.last(grand.unwrap_or(flight)).and_then(Bout::winner);
        last.into_iter().for_each(|entry| mark(entry, 10_000));
        marks
    }

    fn number(&self, bout: &Bout) -> usize {
        self.bouts.iter().position(|other| std::ptr::eq(other, bout)).unwrap()
    }

    /// The round of the semi-finals in the main flight.
    fn semi(&self) -> i32 {
        let rounds = self.bouts.iter().filter(|bout| bout.flight == 0).map(|bout| i32::from(bout.round));
        rounds.max().unwrap() - 1
    }

    /// The places of a finished flight: for each entry the best and the worst place it shares.
    pub fn places(&self, flight: u8) -> BTreeMap<EntryNo, (u32, u32)> {
        let mut by_mark: BTreeMap<i32, Vec<EntryNo>> = BTreeMap::new();
        self.marks(flight).into_iter().for_each(|(entry, mark)| by_mark.entry(mark).or_default().push(entry));
        let nobody_won = !by_mark.contains_key(&10_000);
        let (mut places, mut taken) = (BTreeMap::new(), 0);
        for (_, sharing) in by_mark.into_iter().rev() {
            let (mut best, mut worst) = (taken + 1, taken + u32::try_from(sharing.len()).unwrap());
            if nobody_won {
                (best, worst) = (best.max(2), worst.max(2));
            }
            taken = worst;
            places.extend(sharing.into_iter().map(|entry| (entry, (best, worst))));
        }
        places
    }

    /// The same without entries that no longer sit in the flight, because another was given their slot: they
    /// win nothing.
    fn places_of_those_who_sit(&self, flight: u8) -> BTreeMap<EntryNo, (u32, u32)> {
        let sits = |entry: &EntryNo| {
            self.bouts.iter().any(|bout| bout.flight == flight && bout.sit.contains(&Sits::One(*entry)))
        };
        self.places(flight).into_iter().filter(|(entry, _)| sits(entry)).collect()
    }

    /// Checks that all places agree, once everything is over.
    pub fn agrees_on_places(&self, division: &Division) {
        for flight in 0..u8::try_from(self.kinds.len()).unwrap() {
            let told = division.places(usize::from(flight));
            let told: BTreeMap<EntryNo, (u32, u32)> =
                told.iter().map(|Place { entry, best, worst, .. }| (*entry, (*best, *worst))).collect();
            assert_eq!(self.places(flight), told, "{:?}", self.kinds[usize::from(flight)]);
        }
    }

    /// What each player is due from these prizes and side pools, by the places of this model. Among entries
    /// that share a place, the first in `listed` takes the remainder.
    pub fn prizes(
        &self,
        amounts: &[(Prize, u64)],
        side_pools: &[(u64, Vec<EntryNo>)],
        unit: u64,
        listed: &dyn Fn(u8) -> Vec<EntryNo>,
    ) -> BTreeMap<PlayerId, u64> {
        let mut due: BTreeMap<PlayerId, u64> = BTreeMap::new();
        let mut give = |sharing: &[EntryNo], sum: u64| {
            for (entry, part) in sharing.iter().zip(shared(sum, sharing.len(), unit)) {
                *due.entry(self.players[entry.0 as usize - 1]).or_default() += part;
            }
        };
        let sum = |of: Prize| -> Vec<u64> {
            amounts.iter().filter(|(prize, _)| *prize == of).map(|(_, amount)| *amount).collect()
        };
        // The amounts for the places of each flight.
        let one = |of: Prize| sum(of).iter().sum::<u64>();
        let mut semi = sum(Prize::SemiFinalist);
        while semi.len() > 2 {
            let more = semi.pop().unwrap();
            semi[1] += more;
        }
        semi.resize(2, 0);
        let mut flights = vec![(0, vec![one(Prize::Winner), one(Prize::Finalist), semi[0], semi[1]])];
        let mut left = 0;
        let consoled = vec![one(Prize::ConsolationWinner), one(Prize::ConsolationFinalist)];
        match self.flight(FlightKind::Consolation).filter(|_| self.flight(FlightKind::GrandFinal).is_none()) {
            Some(flight) => flights.push((flight, consoled)),
            None => left += consoled.iter().sum::<u64>(),
        }
        let chances: Vec<u8> = (0..u8::try_from(self.kinds.len()).unwrap())
            .filter(|flight| self.kinds[usize::from(*flight)] == FlightKind::LastChance)
            .collect();
        // One prize for each last chance in turn. If there are too few prizes, they are shared.
        let prizes = sum(Prize::LastChanceWinner);
        if prizes.len() < chances.len() {
            let parts = shared(prizes.iter().sum(), chances.len(), unit);
            flights.extend(chances.iter().copied().zip(parts.into_iter().map(|part| vec![part])));
        } else {
            for (number, flight) in chances.iter().enumerate() {
                let prize = prizes.iter().skip(number).step_by(chances.len()).sum();
                flights.push((*flight, vec![prize]));
            }
            left += if chances.is_empty() { prizes.iter().sum() } else { 0 };
        }
        for (flight, amounts) in flights {
            let mut by_place: BTreeMap<(u32, u32), Vec<EntryNo>> = BTreeMap::new();
            for (entry, place) in self.places_of_those_who_sit(flight) {
                by_place.entry(place).or_default().push(entry);
            }
            left += amounts.iter().sum::<u64>();
            for ((best, worst), sharing) in by_place {
                let won: u64 = (best..=worst).filter_map(|place| amounts.get(place as usize - 1)).sum();
                left -= won;
                give(&in_order(sharing, &listed(flight)), won);
            }
        }
        let main = self.places_of_those_who_sit(0);
        for (pool, joined) in side_pools {
            let best = joined.iter().filter_map(|entry| main.get(entry)).min();
            let sharing: Vec<EntryNo> = match best {
                Some(best) => joined.iter().copied().filter(|entry| main.get(entry) == Some(best)).collect(),
                None => joined.to_vec(),
            };
            left += if sharing.is_empty() { *pool } else { 0 };
            give(&if best.is_some() { in_order(sharing, &listed(0)) } else { sharing }, *pool);
        }
        let stayed = |entry: &&EntryNo| !self.gone.contains(entry);
        let first = main.iter().find(|(_, place)| place.0 == 1).map(|(entry, _)| *entry);
        let best_of = |among: &mut dyn Iterator<Item = &EntryNo>| among.map(|entry| main[entry]).min();
        let heirs: Vec<EntryNo> = match (first, best_of(&mut main.keys().filter(stayed))) {
            (Some(winner), _) => vec![winner],
            (None, Some(best)) => {
                main.keys().filter(stayed).copied().filter(|one| main[one] == best).collect()
            }
            (None, None) => {
                let best = best_of(&mut main.keys());
                main.keys().copied().filter(|one| Some(main[one]) == best).collect()
            }
        };
        give(&in_order(heirs, &listed(0)), left);
        due.retain(|_, amount| *amount > 0);
        due
    }
}

/// These entries in the order of `list`.
fn in_order(mut entries: Vec<EntryNo>, list: &[EntryNo]) -> Vec<EntryNo> {
    entries.sort_by_key(|entry| list.iter().position(|listed| listed == entry));
    entries
}
