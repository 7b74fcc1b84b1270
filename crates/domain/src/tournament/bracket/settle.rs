//! What a result moves: who sits in the matches after it; and what of their results stands when one is corrected.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Bracket, Ending, EntryNo, MatchNo, Occupant, Outcome, Pairing, Slot, Source, place};

/// What becomes of later results when other players sit in their matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Later {
    /// They stand, for whoever sits there now.
    Stands,
    /// They are void.
    Void,
}

/// What happened to one match: the occupants and outcome it has now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Change {
    /// Which match.
    #[serde(rename = "match")]
    pub number: MatchNo,
    /// What its slots are for, if that has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub sources: Option<[Source; 2]>,
    /// Who sits in it now.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub occupants: [Occupant; 2],
    /// What came of it, as far as anything has.
    pub outcome: Option<Outcome>,
}

/// Who sits in a slot of this source, of matches that are as `get` says.
fn seated<'a>(source: Source, get: impl Fn(MatchNo) -> Option<&'a Pairing>) -> Occupant {
    let decided = |of: MatchNo| get(of).and_then(|at| Some((at, at.outcome?)));
    match source {
        Source::Entry { entry } => Occupant::Entry(entry),
        Source::Bye => Occupant::Nobody,
        Source::Open => Occupant::Unknown,
        Source::Winner { of } => {
            decided(of).map_or(Occupant::Unknown, |(at, outcome)| occupant_of(at, outcome.winner))
        }
        Source::Loser { of, first_match } => {
            let Some((at, outcome)) = decided(of) else { return Occupant::Unknown };
            if outcome.ending != Ending::Bye {
                return occupant_of(at, outcome.winner.map(Slot::other));
            }
            let (Some(winner), true) = (at.winner(), first_match) else { return Occupant::Nobody };
            let Some((next, _)) = at.winner_to else { return Occupant::Nobody };
            match decided(next) {
                None => Occupant::Unknown,
                Some((next, outcome)) if outcome.ending != Ending::Bye && next.loser() == Some(winner) => {
                    Occupant::Entry(winner)
                }
                Some(_) => Occupant::Nobody,
            }
        }
    }
}

fn occupant_of(at: &Pairing, slot: Option<Slot>) -> Occupant {
    slot.map_or(Occupant::Nobody, |slot| at.occupant(slot))
}

/// What comes of a match by itself, with these in it.
fn by_itself<'a>(
    at: &Pairing,
    occupants: [Occupant; 2],
    get: impl Fn(MatchNo) -> Option<&'a Pairing>,
    out: &dyn Fn(EntryNo) -> bool,
) -> Option<Outcome> {
    let found = |winner, ending| Some(Outcome { winner, ending, score: None });
    if let Some(first) = at.only_if_lower_wins
        && get(first)?.outcome?.winner != Some(Slot::Lower)
    {
        let winner = (occupants[0] != Occupant::Nobody).then_some(Slot::Upper);
        return found(winner, Ending::NotNeeded);
    }
    match occupants {
        [Occupant::Unknown, _] | [_, Occupant::Unknown] => None,
        [Occupant::Nobody, Occupant::Nobody] => found(None, Ending::Bye),
        // Who has left advances nowhere, not even past an empty slot.
        [Occupant::Entry(entry), Occupant::Nobody] | [Occupant::Nobody, Occupant::Entry(entry)]
            if out(entry) =>
        {
            found(None, Ending::Withdrawn)
        }
        [Occupant::Entry(_), Occupant::Nobody] => found(Some(Slot::Upper), Ending::Bye),
        [Occupant::Nobody, Occupant::Entry(_)] => found(Some(Slot::Lower), Ending::Bye),
        [Occupant::Entry(upper), Occupant::Entry(lower)] => match [out(upper), out(lower)] {
            [false, false] => None,
            [false, true] => found(Some(Slot::Upper), Ending::Withdrawn),
            [true, false] => found(Some(Slot::Lower), Ending::Withdrawn),
            [true, true] => found(None, Ending::Withdrawn),
        },
    }
}

/// Who sits in a match that was not played, and what comes of it by itself.
pub(super) fn found<'a>(
    at: &Pairing,
    get: impl Fn(MatchNo) -> Option<&'a Pairing> + Copy,
    out: &dyn Fn(EntryNo) -> bool,
) -> ([Occupant; 2], Option<Outcome>) {
    let occupants = Slot::BOTH.map(|slot| comes(at, slot, get, out));
    (occupants, by_itself(at, occupants, get, out))
}

/// Who comes to this slot of a match. Who had left when he lost drops nowhere; who left after he had dropped is placed where he
/// stood, and so stays.
fn comes<'a>(
    at: &Pairing,
    slot: Slot,
    get: impl Fn(MatchNo) -> Option<&'a Pairing>,
    out: &dyn Fn(EntryNo) -> bool,
) -> Occupant {
    let comes = seated(at.source(slot), get);
    let drops = matches!(at.source(slot), Source::Loser { .. }) && comes != at.occupant(slot);
    if drops && comes.entry().is_some_and(out) { Occupant::Nobody } else { comes }
}

const fn never(_: [EntryNo; 2]) -> bool {
    false
}

/// A bracket on which something is done, and what that changes.
pub struct Settling<'a> {
    bracket: Bracket,
    /// Whether an entry plays no more in the flight of this number.
    out: &'a dyn Fn(EntryNo, u8) -> bool,
    later: Later,
    /// Whether two entries are one player's, who has no result against himself.
    same_player: &'a dyn Fn([EntryNo; 2]) -> bool,
    before: BTreeMap<MatchNo, Pairing>,
    /// What is to be looked at, in order: who feeds a match has a lower number.
    due: BTreeSet<MatchNo>,
}

impl<'a> Settling<'a> {
    /// To change `bracket`, in which those of whom `out` is true play no more in the flight of that number.
    #[must_use]
    pub fn new(bracket: &Bracket, later: Later, out: &'a dyn Fn(EntryNo, u8) -> bool) -> Self {
        let (before, due) = (BTreeMap::new(), BTreeSet::new());
        Self { bracket: bracket.clone(), out, later, same_player: &never, before, due }
    }

    /// The same, but that no result of others stands between two entries of whom `same_player` is true, even if later results
    /// stand: nobody meets himself.
    #[must_use]
    pub fn but_not_between(self, same_player: &'a dyn Fn([EntryNo; 2]) -> bool) -> Self {
        Self { same_player, ..self }
    }

    /// Says what came of a match, or that nothing has.
    pub fn decide(&mut self, number: MatchNo, outcome: Option<Outcome>) {
        self.change(number, |at| at.outcome = outcome);
        if outcome.is_none() {
            self.due.insert(number);
        }
        self.depend_on(number);
    }

    /// Says what a slot is for: an entry that comes late, somebody seated by hand.
    pub fn source(&mut self, number: MatchNo, slot: Slot, source: Source) {
        self.change(number, |at| at.sources[slot.at()] = source);
        self.due.insert(number);
    }

    /// Looks at a match again: somebody in it has gone.
    pub fn look_at(&mut self, number: MatchNo) {
        self.due.insert(number);
    }

    /// Looks again at whoever comes from a match: who lost it may be back.
    pub fn look_beyond(&mut self, number: MatchNo) {
        self.depend_on(number);
    }

    /// Follows everything to its end: the bracket as it is then, and what has changed in it.
    #[must_use]
    pub fn settled(mut self) -> (Bracket, Vec<Change>) {
        while let Some(number) = self.due.pop_first() {
            self.follow(number);
        }
        let change = |number: MatchNo, before: &Pairing| {
            let now = self.bracket.get(number)?;
            let same = (now.sources, now.occupants, now.outcome)
                == (before.sources, before.occupants, before.outcome);
            let sources = (now.sources != before.sources).then_some(now.sources);
            (!same).then_some(Change { number, sources, occupants: now.occupants, outcome: now.outcome })
        };
        let changes = self.before.iter().filter_map(|(number, before)| change(*number, before)).collect();
        (self.bracket, changes)
    }

    /// Seats whoever comes to this match now, and finds what that makes of it.
    fn follow(&mut self, number: MatchNo) {
        let Some(at) = self.bracket.get(number) else { return };
        let get = |number| self.bracket.get(number);
        let (occupants, by_itself) = found(at, get, &|entry| (self.out)(entry, at.flight));
        let others_sit = occupants != at.occupants;
        let needed = by_itself.is_none_or(|outcome| outcome.ending != Ending::NotNeeded);
        let stands = at.outcome.filter(|outcome| {
            needed
                && !outcome.ending.is_automatic()
                && occupants.iter().all(|occupant| occupant.entry().is_some())
                && (!others_sit || self.stands_for(at, occupants))
        });
        // Who advanced because the slot beside him was empty, or the other had left, has advanced though he leaves later himself.
        let advanced_before = at.outcome.filter(|outcome| {
            let nobody_is_left =
                by_itself == Some(Outcome { winner: None, ending: Ending::Withdrawn, score: None });
            matches!(outcome.ending, Ending::Withdrawn | Ending::Bye) && !others_sit && nobody_is_left
        });
        let outcome = stands.or(advanced_before).or(by_itself);
        if !others_sit && outcome == at.outcome {
            return;
        }
        self.change(number, |at| (at.occupants, at.outcome) = (occupants, outcome));
        self.depend_on(number);
    }

    /// Whether what came of a match stands for these, who sit there now. A disqualification is of whom it was said, and no
    /// other has lost by it.
    fn stands_for(&self, at: &Pairing, occupants: [Occupant; 2]) -> bool {
        let [Some(upper), Some(lower)] = occupants.map(Occupant::entry) else { return false };
        let Some(outcome) = at.outcome else { return false };
        let lost = outcome.winner.and_then(|winner| occupants[winner.other().at()].entry());
        let of_another = outcome.ending == Ending::Disqualified && lost != at.loser();
        self.later == Later::Stands && !of_another && !(self.same_player)([upper, lower])
    }

    /// Those whose slots this match fills are looked at again.
    fn depend_on(&mut self, number: MatchNo) {
        let Some(at) = self.bracket.get(number) else { return };
        self.due.extend([at.winner_to, at.loser_to].into_iter().flatten().map(|(next, _)| next));
        // A second final asks who won the first.
        if let Some((next, _)) = at.winner_to
            && self.bracket.get(next).is_some_and(|next| next.only_if_lower_wins == Some(number))
        {
            self.due.insert(next);
        }
        // Who had a bye before plays on elsewhere if he loses here.
        for source in at.sources {
            let Source::Winner { of } = source else { continue };
            let Some((to, slot)) = self.bracket.get(of).and_then(|fed| fed.loser_to) else { continue };
            let waits = self.bracket.get(to).map(|at| at.sources[slot.at()]);
            if matches!(waits, Some(Source::Loser { first_match: true, .. })) {
                self.due.insert(to);
            }
        }
    }

    fn change(&mut self, number: MatchNo, change: impl FnOnce(&mut Pairing)) {
        let Some(at) = self.bracket.get(number) else { return };
        let mut changed = at.clone();
        self.before.entry(number).or_insert_with(|| at.clone());
        change(&mut changed);
        self.bracket.put(number, changed);
    }
}

impl Bracket {
    /// Takes note of what has changed.
    pub fn apply(&mut self, changes: &[Change]) {
        for change in changes {
            let Some(at) = self.get(change.number) else { continue };
            let sources = change.sources.unwrap_or(at.sources);
            let changed =
                Pairing { sources, occupants: change.occupants, outcome: change.outcome, ..at.clone() };
            self.put(change.number, changed);
        }
    }

    pub(super) fn put(&mut self, number: MatchNo, changed: Pairing) {
        let Some(place) = place(number.0) else { return };
        let before = self.matches.get(place).map(|at| at.sources);
        let now = changed.sources;
        self.matches.set_mut(place, changed);
        if before.is_some_and(|before| before != now) {
            for source in before.into_iter().flatten() {
                if let Source::Entry { entry } = source {
                    self.ends(entry, number);
                }
            }
            self.begin_as_drawn(number);
        }
    }

    /// Takes note of the entries for whom this match's slots are.
    pub(super) fn begin_as_drawn(&mut self, number: MatchNo) {
        for source in self.get(number).map(|at| at.sources).into_iter().flatten() {
            if let Source::Entry { entry } = source {
                self.begins(entry, number);
            }
        }
    }
}
