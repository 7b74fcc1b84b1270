//! What a result changes: who sits in the matches after it, and which of their results stand when it is
//! corrected.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Bracket, Ending, EntryNo, MatchNo, Occupant, Outcome, Pairing, Slot, Source, place};

/// What happens to a later result when other players come to sit in its match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Later {
    /// It stands, for the entries that sit there now.
    Stands,
    /// It is void, and the match is played again.
    Void,
}

/// What happened to one match: its occupants and outcome from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Change {
    #[serde(rename = "match")]
    pub number: MatchNo,
    /// The sources of its slots, if they have changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub sources: Option<[Source; 2]>,
    /// Who sits in it now.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub occupants: [Occupant; 2],
    /// Its outcome now; `null` while it is undecided.
    pub outcome: Option<Outcome>,
}

/// Who sits in a slot with this source. `get` gives the matches as they stand.
fn seated<'a>(source: Source, get: impl Fn(MatchNo) -> Option<&'a Pairing>) -> Occupant {
    let decided = |of: MatchNo| get(of).and_then(|at| Some((at, at.outcome?)));
    match source {
        Source::Entry { entry } => Occupant::Entry(entry),
        Source::Bye => Occupant::Nobody,
        Source::Open => Occupant::Unknown,
        Source::Winner { of } => {
            decided(of).map_or(Occupant::Unknown, |(at, outcome)| occupant_of(at, outcome.winner))
        }
        Source::Loser { of, first_match, walkovers_are_byes } => {
            let Some((at, outcome)) = decided(of) else { return Occupant::Unknown };
            let is_walkover = matches!(outcome.ending, Ending::Walkover | Ending::Withdrawn);
            if outcome.ending != Ending::Bye && !(is_walkover && walkovers_are_byes) {
                return occupant_of(at, outcome.winner.map(Slot::other));
            }
            // The winner of a bye has not lost anything yet. If only losers of a first match come here, the
            // winner's next match is their first, and they come here on losing that.
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

/// The outcome a match with these occupants has by itself; `None` if it must be played or somebody is not
/// known yet.
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
        // An entry that has left advances nowhere, not even past an empty slot.
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

/// The occupants of a match without a stated result, and the outcome it has by itself.
pub(super) fn found<'a>(
    at: &Pairing,
    get: impl Fn(MatchNo) -> Option<&'a Pairing> + Copy,
    out: &dyn Fn(EntryNo) -> bool,
) -> ([Occupant; 2], Option<Outcome>) {
    let occupants = Slot::BOTH.map(|slot| comes(at, slot, get, out));
    (occupants, by_itself(at, occupants, get, out))
}

/// Who comes to this slot of a match. An entry that had left before it lost drops nowhere. One that left
/// after dropping keeps its slot, and with it its place.
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

/// A bracket being changed. Changes run on through the matches that depend on them.
pub struct Settling<'a> {
    bracket: Bracket,
    /// Whether an entry no longer plays in the flight with this number.
    out: &'a dyn Fn(EntryNo, u8) -> bool,
    later: Later,
    /// Whether two entries belong to one player. A result never stands between them.
    same_player: &'a dyn Fn([EntryNo; 2]) -> bool,
    /// Every match touched, as it was at first.
    before: BTreeMap<MatchNo, Pairing>,
    /// The matches still to be settled. A match is fed only by lower numbers, so the lowest comes first.
    due: BTreeSet<MatchNo>,
}

impl<'a> Settling<'a> {
    /// Begins to change a copy of `bracket`. `out` says which entries no longer play in which flight.
    #[must_use]
    pub fn new(bracket: &Bracket, later: Later, out: &'a dyn Fn(EntryNo, u8) -> bool) -> Self {
        let (before, due) = (BTreeMap::new(), BTreeSet::new());
        Self { bracket: bracket.clone(), out, later, same_player: &never, before, due }
    }

    /// Makes later results void between two entries of one player, even where results stand: nobody meets
    /// themselves.
    #[must_use]
    pub fn but_not_between(self, same_player: &'a dyn Fn([EntryNo; 2]) -> bool) -> Self {
        Self { same_player, ..self }
    }

    /// Sets the outcome of a match; with `None` it is open again, unless an outcome follows by itself.
    pub fn decide(&mut self, number: MatchNo, outcome: Option<Outcome>) {
        self.change(number, |at| at.outcome = outcome);
        if outcome.is_none() {
            self.due.insert(number);
        }
        self.depend_on(number);
    }

    /// Sets the source of a slot: a late entry, a slot filled by hand or swapped.
    pub fn source(&mut self, number: MatchNo, slot: Slot, source: Source) {
        self.change(number, |at| at.sources[slot.at()] = source);
        self.due.insert(number);
    }

    /// Settles a match again, because an entry in it has left or come back.
    pub fn look_at(&mut self, number: MatchNo) {
        self.due.insert(number);
    }

    /// Settles the matches fed by this one again, because its loser may be back.
    pub fn look_beyond(&mut self, number: MatchNo) {
        self.depend_on(number);
    }

    /// Settles everything that is due. Returns the bracket then, and the matches that changed.
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

    /// Seats the entries that come to a match now, and gives it the outcome that follows.
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
        // An entry that advanced past an empty slot, or because its opponent had left, keeps that although it
        // leaves later itself.
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

    /// Whether the outcome of a match stands for the entries that sit there now. A disqualification stands
    /// only for the entry that was disqualified: nobody else has lost by it.
    fn stands_for(&self, at: &Pairing, occupants: [Occupant; 2]) -> bool {
        let [Some(upper), Some(lower)] = occupants.map(Occupant::entry) else { return false };
        let Some(outcome) = at.outcome else { return false };
        let lost = outcome.winner.and_then(|winner| occupants[winner.other().at()].entry());
        let of_another = outcome.ending == Ending::Disqualified && lost != at.loser();
        self.later == Later::Stands && !of_another && !(self.same_player)([upper, lower])
    }

    /// Marks the matches that this one feeds as due.
    fn depend_on(&mut self, number: MatchNo) {
        let Some(at) = self.bracket.get(number) else { return };
        self.due.extend([at.winner_to, at.loser_to].into_iter().flatten().map(|(next, _)| next));
        // The second final depends on who won the first, even if its occupants do not change.
        if let Some((next, _)) = at.winner_to
            && self.bracket.get(next).is_some_and(|next| next.only_if_lower_wins == Some(number))
        {
            self.due.insert(next);
        }
        // A player who had a bye may drop elsewhere on losing here, to where the bye's loser would have gone.
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
    /// Applies changes recorded in an event.
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

    /// Notes the entries drawn or seated in this match.
    pub(super) fn begin_as_drawn(&mut self, number: MatchNo) {
        for source in self.get(number).map(|at| at.sources).into_iter().flatten() {
            if let Source::Entry { entry } = source {
                self.begins(entry, number);
            }
        }
    }
}
