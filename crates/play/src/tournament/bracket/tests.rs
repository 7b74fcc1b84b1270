//! What must hold for every format and size, whatever happens.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// Small pseudo-random numbers that never change: xorshift, so that a failing seed can be run again.
pub struct Lots(u64);

impl Lots {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % most.max(1)
    }
}

pub fn formats() -> Vec<Format> {
    let mut all = Vec::new();
    for third_place in [false, true] {
        for consolation in [
            Consolation::Nobody,
            Consolation::FirstLosers { walkovers_are_byes: false },
            Consolation::FirstLosers { walkovers_are_byes: true },
            Consolation::UpTo { round: 2 },
            Consolation::Progressive,
            Consolation::ProgressiveWithFinalist,
        ] {
            for last in [Final::None, Final::SecondPlace, Final::Single, Final::Double] {
                let format = Format { third_place, consolation, last };
                all.extend(format.check().is_ok().then_some(format));
            }
        }
    }
    all
}

/// The slots of a first round with this many entrants and at most one bye in a match.
pub fn line(entrants: u32) -> Vec<Source> {
    let slots = entrants.next_power_of_two().max(2);
    let mut byes = slots - entrants;
    let mut line = Vec::new();
    let mut next = 1;
    for _ in 0..slots / 2 {
        for lower in [false, true] {
            if lower && byes > 0 {
                byes -= 1;
                line.push(Source::Bye);
            } else {
                line.push(Source::Entry { entry: EntryNo(next) });
                next += 1;
            }
        }
    }
    line
}

fn drawn(format: Format, entrants: u32) -> Bracket {
    Bracket::drawn(format, &line(entrants), &|_| false).unwrap()
}

fn is_bye(outcome: Outcome, walkovers_are_byes: bool) -> bool {
    match outcome.ending {
        Ending::Bye => true,
        Ending::Walkover | Ending::Withdrawn => walkovers_are_byes,
        _ => false,
    }
}

/// Works out all occupants and outcomes from the stated results alone, in the plainest way: over and over
/// until nothing changes. Two things depend on the order of events and are taken from the bracket: whether an
/// entry had left before it lost, and whether it advanced before it left. `tournament/tests/naive.rs` checks
/// those.
fn told_again(bracket: &Bracket, gone: &BTreeSet<EntryNo>) -> Vec<([Occupant; 2], Option<Outcome>)> {
    let all: Vec<Pairing> = bracket.iter().map(|(_, at)| at.clone()).collect();
    let mut told: Vec<([Occupant; 2], Option<Outcome>)> = all
        .iter()
        .map(|at| ([Occupant::Unknown; 2], at.outcome.filter(|outcome| !outcome.ending.is_automatic())))
        .collect();
    loop {
        let before = told.clone();
        for (at, made) in all.iter().enumerate() {
            let sits = |source: Source| -> Occupant {
                let result = |of: MatchNo| before[of.0 as usize - 1];
                let on = |of: MatchNo, slot: Option<Slot>| match slot {
                    Some(Slot::Upper) => result(of).0[0],
                    Some(Slot::Lower) => result(of).0[1],
                    None => Occupant::Nobody,
                };
                match source {
                    Source::Entry { entry } => Occupant::Entry(entry),
                    Source::Bye => Occupant::Nobody,
                    Source::Open => Occupant::Unknown,
                    Source::Winner { of } => {
                        result(of).1.map_or(Occupant::Unknown, |outcome| on(of, outcome.winner))
                    }
                    Source::Loser { of, first_match, walkovers_are_byes } => match result(of).1 {
                        None => Occupant::Unknown,
                        Some(outcome) if !is_bye(outcome, walkovers_are_byes) => {
                            on(of, outcome.winner.map(Slot::other))
                        }
                        Some(outcome) if first_match && outcome.winner.is_some() => {
                            let lucky = on(of, outcome.winner);
                            let next =
                                all.iter().position(|next| next.sources.contains(&Source::Winner { of }));
                            let next = next.map(|next| MatchNo(u32::try_from(next).unwrap() + 1));
                            match next.map(|next| (next, result(next).1)) {
                                None => Occupant::Nobody,
                                Some((_, None)) => Occupant::Unknown,
                                Some((_, Some(outcome))) if outcome.ending == Ending::Bye => Occupant::Nobody,
                                Some((next, Some(outcome))) => {
                                    let lost = on(next, outcome.winner.map(Slot::other));
                                    if lost == lucky { lost } else { Occupant::Nobody }
                                }
                            }
                        }
                        Some(_) => Occupant::Nobody,
                    },
                }
            };
            let is_gone = |occupant: Occupant| occupant.entry().is_some_and(|entry| gone.contains(&entry));
            // The set of leavers does not say whether an entry had already left when it lost.
            let drops = |slot: Slot| match sits(made.source(slot)) {
                lost if is_gone(lost) && matches!(made.source(slot), Source::Loser { .. }) => {
                    if made.occupant(slot) == Occupant::Nobody { Occupant::Nobody } else { lost }
                }
                sits => sits,
            };
            let occupants = Slot::BOTH.map(drops);
            let automatic = |winner, ending| Some(Outcome { winner, ending, score: None });
            let first = made.only_if_lower_wins.map(|first| before[first.0 as usize - 1].1);
            let outcome = match (occupants, first) {
                (_, Some(None)) => None,
                ([upper, _], Some(Some(first))) if first.winner != Some(Slot::Lower) => {
                    automatic((upper != Occupant::Nobody).then_some(Slot::Upper), Ending::NotNeeded)
                }
                ([Occupant::Unknown, _] | [_, Occupant::Unknown], _) => None,
                ([Occupant::Nobody, Occupant::Nobody], _) => automatic(None, Ending::Bye),
                // Nor does it say whether the entry had advanced before it left.
                ([Occupant::Nobody, one] | [one, Occupant::Nobody], _) if is_gone(one) => made
                    .outcome
                    .filter(|outcome| made.occupants == occupants && outcome.ending == Ending::Bye)
                    .or(automatic(None, Ending::Withdrawn)),
                ([Occupant::Nobody, _], _) => automatic(Some(Slot::Lower), Ending::Bye),
                ([_, Occupant::Nobody], _) => automatic(Some(Slot::Upper), Ending::Bye),
                _ if made.outcome.is_some_and(|outcome| !outcome.ending.is_automatic()) => made.outcome,
                ([upper, lower], _) => match (is_gone(upper), is_gone(lower)) {
                    (false, false) => None,
                    // Nor does it say which of the two left first.
                    (true, true) => made
                        .outcome
                        .filter(|outcome| made.occupants == occupants && outcome.ending == Ending::Withdrawn)
                        .or(automatic(None, Ending::Withdrawn)),
                    (true, false) => automatic(Some(Slot::Lower), Ending::Withdrawn),
                    (false, true) => automatic(Some(Slot::Upper), Ending::Withdrawn),
                },
            };
            told[at] = (occupants, outcome);
        }
        if told == before {
            return told;
        }
    }
}

/// A bracket in which things happen.
struct Night {
    bracket: Bracket,
    gone: BTreeSet<EntryNo>,
    lots: Lots,
    entries: u32,
}

impl Night {
    fn new(format: Format, entrants: u32, seed: u64) -> Self {
        Self {
            bracket: drawn(format, entrants),
            gone: BTreeSet::new(),
            lots: Lots::new(seed),
            entries: entrants,
        }
    }

    fn ready(&self) -> Vec<MatchNo> {
        self.bracket.iter().filter(|(_, at)| at.is_ready()).map(|(number, _)| number).collect()
    }

    fn settle(&mut self, later: Later, what: impl FnOnce(&mut Settling<'_>)) {
        let gone = self.gone.clone();
        let out = |entry: EntryNo, _: u8| gone.contains(&entry);
        let mut settling = Settling::new(&self.bracket, later, &out);
        what(&mut settling);
        let (after, changes) = settling.settled();
        let mut applied = self.bracket.clone();
        applied.apply(&changes);
        assert_eq!(applied, after, "the changes are all that has changed");
        self.bracket = after;
    }

    fn agrees(&self) {
        let told = told_again(&self.bracket, &self.gone);
        for ((number, at), told) in self.bracket.iter().zip(told) {
            assert_eq!((at.occupants, at.outcome), told, "{number:?} {at:?}");
        }
    }

    fn result(&mut self) -> Outcome {
        let winner = Slot::BOTH[self.lots.below(2)];
        match self.lots.below(20) {
            0 => Outcome { winner: None, ending: Ending::DoubleForfeit, score: None },
            1 => Outcome { winner: Some(winner), ending: Ending::Forfeit, score: None },
            2 | 3 => Outcome { winner: Some(winner), ending: Ending::Walkover, score: None },
            _ => Outcome { winner: Some(winner), ending: Ending::Played, score: Some([7, 3]) },
        }
    }

    /// Makes one thing happen; `false` if nothing is left to happen.
    fn goes_on(&mut self) -> bool {
        let ready = self.ready();
        let decided: Vec<MatchNo> = self
            .bracket
            .iter()
            .filter(|(_, at)| at.outcome.is_some_and(|outcome| !outcome.ending.is_automatic()))
            .map(|(number, _)| number)
            .collect();
        match self.lots.below(30) {
            0 if !decided.is_empty() => {
                let number = decided[self.lots.below(decided.len())];
                let outcome = self.result();
                let later = if self.lots.below(2) == 0 { Later::Stands } else { Later::Void };
                self.settle(later, |settling| settling.decide(number, Some(outcome)));
            }
            1 => {
                let entry = EntryNo(1 + u32::try_from(self.lots.below(self.entries as usize)).unwrap());
                self.gone.insert(entry);
                let live: Vec<MatchNo> = self.bracket.path(entry).map(|(number, _)| number).collect();
                self.settle(Later::Void, |settling| live.into_iter().for_each(|at| settling.look_at(at)));
            }
            2 => self.late_entry(),
            _ if ready.is_empty() => return false,
            _ => {
                let number = ready[self.lots.below(ready.len())];
                let outcome = self.result();
                self.settle(Later::Void, |settling| settling.decide(number, Some(outcome)));
            }
        }
        true
    }

    /// Seats a late entry in a bye whose winner has not played on.
    fn late_entry(&mut self) {
        let free = self.bracket.iter().find_map(|(number, at)| {
            let slot = Slot::BOTH.into_iter().find(|slot| at.sources[slot.at()] == Source::Bye)?;
            let next = at.winner_to.and_then(|(next, _)| self.bracket.get(next));
            next.is_none_or(|next| next.outcome.is_none()).then_some((number, slot))
        });
        let Some((number, slot)) = free else { return };
        self.entries += 1;
        let source = Source::Entry { entry: EntryNo(self.entries) };
        self.settle(Later::Void, |settling| settling.source(number, slot, source));
    }

    /// Checks that places are given without a gap, and to everybody.
    fn everybody_has_a_place(&self, format: Format) {
        for (flight, what) in self.bracket.flights().iter().enumerate() {
            let places = self.bracket.places(flight);
            // Without a winner the first place stays empty.
            let won = places.first().is_none_or(|first| first.best == 1);
            let mut better = 0;
            for sharing in places.chunk_by(|one, other| one.best == other.best) {
                let best = (better + 1).max(if won { 1 } else { 2 });
                let worst = best.max(better + u32::try_from(sharing.len()).unwrap());
                let expected =
                    |place: &Place| (place.best, place.worst, place.playing) == (best, worst, false);
                assert!(sharing.iter().all(expected), "{what:?} {format:?} {places:?}");
                better = worst;
            }
            if flight == 0 {
                assert_eq!(places.len(), self.entries as usize, "{format:?} {places:?}");
            }
        }
    }

    fn holds(&self, format: Format) {
        for (flight, what) in self.bracket.flights().iter().enumerate() {
            let mut live = BTreeMap::new();
            for (number, at) in self.bracket.of_flight(flight) {
                for entry in at.occupants.iter().filter_map(|occupant| occupant.entry()) {
                    if at.outcome.is_none() {
                        assert_eq!(
                            live.insert(entry, number),
                            None,
                            "{entry:?} sits twice in {what:?}, {format:?}"
                        );
                    }
                }
                if let Some([upper, lower]) = at.players() {
                    assert_ne!(upper, lower, "nobody meets themselves: {number:?} {at:?} {format:?}");
                }
            }
        }
        for entry in (1..=self.entries).map(EntryNo) {
            let path: Vec<_> = self.bracket.path(entry).collect();
            let sits: Vec<MatchNo> = self
                .bracket
                .iter()
                .filter(|(_, at)| at.occupants.contains(&Occupant::Entry(entry)))
                .map(|(number, _)| number)
                .collect();
            let mut walked: Vec<MatchNo> = path.iter().map(|(number, _)| *number).collect();
            // A second final that is not needed holds both finalists, one of whom lost the first and does not
            // go on to it.
            walked.sort();
            let beyond: Vec<_> = sits.iter().filter(|number| !walked.contains(number)).collect();
            assert!(
                beyond.iter().all(|number| self.bracket.get(**number).unwrap().only_if_lower_wins.is_some()),
                "{entry:?} sits in {beyond:?} and never came there, {format:?}"
            );
        }
    }
}

/// Proves T1.
#[test]
fn every_format_and_size_comes_to_its_end_whatever_happens() {
    // A long run asks for more walks of whole tournaments as well.
    let seeds = if std::env::var_os("OWLBOX_WALKS").is_some() { 3 } else { 1 };
    for format in formats() {
        for entrants in (2..=34).chain([47, 63, 64, 65, 96, 127, 128, 129, 130]) {
            for seed in 0..seeds {
                let mut night = Night::new(format, entrants, seed * 1000 + u64::from(entrants));
                let mut happened = 0;
                while night.goes_on() {
                    happened += 1;
                    assert!(happened < 3_000, "{format:?} of {entrants} does not end");
                    if happened % 7 == 0 {
                        night.agrees();
                    }
                }
                night.agrees();
                night.holds(format);
                night.everybody_has_a_place(format);
                let undecided = night.bracket.iter().filter(|(_, at)| at.outcome.is_none()).count();
                assert_eq!(undecided, 0, "{format:?} of {entrants}");
            }
        }
    }
}

/// Proves T1.
#[test]
fn a_progressive_consolation_has_as_many_matches_as_the_page_says() {
    for k in 2..=10 {
        let matches = |consolation| {
            let format = Format { consolation, ..Format::default() };
            let bracket = drawn(format, 1 << k);
            assert_eq!(bracket.flights()[0].matches(), (1 << k) - 1);
            bracket.flights()[1].matches()
        };
        assert_eq!(matches(Consolation::ProgressiveWithFinalist), (1 << k) - 2);
        assert_eq!(matches(Consolation::Progressive), (1 << k) - 3);
    }
}

/// Proves T1.
#[test]
fn losing_the_first_match_after_a_bye_leads_to_the_consolation() {
    let consolation = Consolation::FirstLosers { walkovers_are_byes: false };
    let format = Format { consolation, ..Format::default() };
    // Six entrants: 1 and 2 have byes, 3 plays 4, and 5 plays 6.
    let mut night = Night::new(format, 6, 1);
    let upper = Outcome { winner: Some(Slot::Upper), ending: Ending::Played, score: None };
    let played = |night: &mut Night, one: u32, other: u32| {
        let at = night.ready().into_iter().find(|number| {
            night.bracket.get(*number).unwrap().players() == Some([EntryNo(one), EntryNo(other)])
        });
        night.settle(Later::Void, |settling| settling.decide(at.unwrap(), Some(upper)));
    };
    played(&mut night, 3, 4);
    played(&mut night, 5, 6);
    // 1 beats 2, who had a bye. Only 2 drops from there.
    played(&mut night, 1, 2);
    played(&mut night, 4, 6);
    played(&mut night, 2, 4);
    played(&mut night, 3, 5);
    played(&mut night, 1, 3);
    assert_eq!(night.bracket.iter().filter(|(_, at)| at.outcome.is_none()).count(), 0);
}

/// The places of a bracket of eight in which the lower number always wins. Play stops after `100 - skip`
/// matches.
fn places_of_eight(format: Format, skip: usize) -> String {
    let mut night = Night::new(format, 8, 1);
    let mut left = 100;
    while let Some(number) = night.ready().first().copied() {
        if left == skip {
            break;
        }
        left -= 1;
        let [upper, lower] = night.bracket.get(number).unwrap().players().unwrap();
        let winner = if upper < lower { Slot::Upper } else { Slot::Lower };
        let outcome = Outcome { winner: Some(winner), ending: Ending::Played, score: None };
        night.settle(Later::Void, |settling| settling.decide(number, Some(outcome)));
    }
    let shown = |place: &Place| {
        let open = if place.playing { "?" } else { "" };
        format!("{}:{}-{}{open}", place.entry.0, place.best, place.worst)
    };
    night.bracket.places(0).iter().map(shown).collect::<Vec<_>>().join(" ")
}

/// Proves T14.
#[test]
fn places_are_told_by_the_round_in_which_one_lost() {
    // 1 beats 2, 3 and 5; the lower number wins every match.
    assert_eq!(places_of_eight(Format::default(), 0), "1:1-1 5:2-2 3:3-4 7:3-4 2:5-8 4:5-8 6:5-8 8:5-8");
    let third = Format { third_place: true, ..Format::default() };
    assert_eq!(places_of_eight(third, 0), "1:1-1 5:2-2 3:3-3 7:4-4 2:5-8 4:5-8 6:5-8 8:5-8");
    let double = Format {
        consolation: Consolation::ProgressiveWithFinalist,
        last: Final::Double,
        ..Format::default()
    };
    // 2 loses to 1 in the first round, then wins the consolation and meets 1 again in the final.
    assert_eq!(places_of_eight(double, 0), "1:1-1 2:2-2 5:3-3 3:4-4 7:5-6 6:5-6 4:7-8 8:7-8");
    let second =
        Format { consolation: Consolation::Progressive, last: Final::SecondPlace, ..Format::default() };
    assert_eq!(places_of_eight(second, 0), "1:1-1 2:2-2 5:3-3 3:4-5 7:4-5 4:6-8 6:6-8 8:6-8");
}

/// Proves T14.
#[test]
fn who_still_plays_can_still_come_anywhere_before_those_who_are_out() {
    // Four matches have been played.
    assert_eq!(places_of_eight(Format::default(), 96), "1:1-4? 3:1-4? 5:1-4? 7:1-4? 2:5-8 4:5-8 6:5-8 8:5-8");
    // The final is over, the match for third place is not.
    let third = Format { third_place: true, ..Format::default() };
    assert_eq!(places_of_eight(third, 93), "1:1-1 5:2-2 3:3-4? 7:3-4? 2:5-8 4:5-8 6:5-8 8:5-8");
}
