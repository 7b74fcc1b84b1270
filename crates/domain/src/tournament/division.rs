//! A division as it is: its entries, its draws, its bracket and its pools.

use std::collections::BTreeSet;
use std::sync::Arc;

use rpds::{RedBlackTreeMapSync as Map, VectorSync as Vector};

use super::about::Line;
use super::bracket::{Bracket, Change, EntryNo, Pairing, Place};
use super::entry::{Entry, EntryStanding};
use super::event::{Awarded, DrawnBy, DrawnSlot, GivenUp};
use super::settings::Settings;
use crate::matches::score::Length;
use crate::matches::{MatchNo, Outcome};
use crate::values::{MatchId, PlayerId, Timestamp};

/// A draw that was made. The last one counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    pub drawn: DrawnBy,
    /// The slots in order.
    pub slots: Vec<DrawnSlot>,
    /// Why it was drawn again.
    pub reason: Option<Line>,
    pub at: Timestamp,
}

/// A division. A copy shares what does not change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Division {
    pub settings: Arc<Settings>,
    entries: Vector<Entry>,
    /// The newest entry of each player.
    newest: Map<PlayerId, EntryNo>,
    /// The seeding list.
    seeding: Arc<[EntryNo]>,
    /// The draws of the main flight, the one that counts last.
    pub draws: Vec<Arc<Draw>>,
    /// The draws of last chances, in their order.
    pub last_chances: Vec<Arc<Draw>>,
    pub bracket: Bracket,
    /// What players have said of matches that have no result.
    pub reports: Map<MatchNo, [Option<[u16; 2]>; 2]>,
    /// The sheets on which matches are scored, and for whom they were opened.
    sheets: Map<MatchNo, (MatchId, [EntryNo; 2])>,
    /// When matches ended; a correction leaves it.
    pub finished_at: Map<MatchNo, Timestamp>,
    /// When matches began, as far as it was said.
    pub began_at: Map<MatchNo, Timestamp>,
    /// How many matches have no result yet.
    pub undecided: u32,
    /// What is in the pool, in minor units.
    pub pool: u64,
    /// What of it are fees, of which the house may keep a part.
    pub fees: u64,
    /// What is in the side pools.
    pub side_pools: Vec<u64>,
    /// What was given to whom.
    pub awards: Option<Arc<Awards>>,
}

/// What of the pools was given to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awards {
    pub kept: u64,
    pub awards: Vec<Awarded>,
}

impl Division {
    /// A division to be played so.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            side_pools: vec![0; settings.side_pools.len()],
            settings: Arc::new(settings),
            ..Self::default()
        }
    }

    #[must_use]
    pub fn entry(&self, entry: EntryNo) -> Option<&Entry> {
        self.entries.get(place(entry)?)
    }

    /// All entries in the order in which they came.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (EntryNo, &Entry)> {
        self.entries.iter().enumerate().map(|(place, entry)| (number(place), entry))
    }

    /// How many entries there are, whatever became of them.
    #[must_use]
    pub fn entered(&self) -> usize {
        self.entries.len()
    }

    /// How many of them play or have played, or can still come to play: not who left before.
    #[must_use]
    pub fn taking_part(&self) -> usize {
        let takes = |(number, entry): &(EntryNo, &Entry)| {
            !entry.standing.is_out() || self.bracket.path(*number).next().is_some()
        };
        self.entries().filter(takes).count()
    }

    /// The newest entry of a player.
    #[must_use]
    pub fn entry_of(&self, player: PlayerId) -> Option<EntryNo> {
        self.newest.get(&player).copied()
    }

    /// Whether two entries are of one player.
    #[must_use]
    pub fn are_one_player(&self, [one, other]: [EntryNo; 2]) -> bool {
        let player = |entry| self.entry(entry).map(|entry| entry.player);
        player(one).is_some() && player(one) == player(other)
    }

    /// Whether the main flight is drawn.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        !self.bracket.is_empty()
    }

    /// Whether an entry plays no more.
    #[must_use]
    pub fn is_out(&self, entry: EntryNo) -> bool {
        self.entry(entry).is_some_and(|entry| entry.standing.is_out())
    }

    /// Whether an entry plays no more in this flight: nowhere, or it has given up this last chance.
    #[must_use]
    pub fn is_out_of(&self, entry: EntryNo, flight: u8) -> bool {
        self.is_out(entry) || self.has_given_up(entry, flight)
    }

    /// Whether an entry has given up the last chance of this flight.
    #[must_use]
    pub fn has_given_up(&self, entry: EntryNo, flight: u8) -> bool {
        self.entry(entry).is_some_and(|entry| entry.has_given_up(flight))
    }

    /// To how many points a match is played: what has begun, to what was said then.
    #[must_use]
    pub fn length(&self, at: &Pairing) -> Length {
        at.kept.unwrap_or_else(|| self.settings.length(&self.bracket, at))
    }

    /// The places of a flight, best first. Whoever had a slot has a place: if it was given to another, after all who sit there.
    #[must_use]
    pub fn places(&self, flight: usize) -> Vec<Place> {
        let mut places = self.bracket.places(flight);
        let seated = || self.entries().filter(|(_, entry)| entry.seated);
        if flight == 0 && seated().count() > places.len() {
            let placed: BTreeSet<EntryNo> = places.iter().map(|place| place.entry).collect();
            let gone: Vec<EntryNo> =
                seated().map(|(number, _)| number).filter(|number| !placed.contains(number)).collect();
            let before = places.last().map_or(0, |place| place.worst);
            let worst = before.saturating_add(u32::try_from(gone.len()).unwrap_or(u32::MAX));
            let place = |entry| Place { entry, best: before + 1, worst, playing: false };
            places.extend(gone.into_iter().map(place));
        }
        places
    }

    /// The players of a match, if both are there.
    #[must_use]
    pub fn players(&self, at: &Pairing) -> Option<[PlayerId; 2]> {
        let [upper, lower] = at.players()?;
        Some([self.entry(upper)?.player, self.entry(lower)?.player])
    }

    /// The sheet on which a match is scored, if one was opened for those who sit in it.
    #[must_use]
    pub fn sheet(&self, number: MatchNo) -> Option<MatchId> {
        let (sheet, players) = self.sheets.get(&number)?;
        (self.bracket.get(number)?.players()? == *players).then_some(*sheet)
    }

    /// The sheet that was opened last for a match, whoever sits in it now.
    #[must_use]
    pub fn last_sheet(&self, number: MatchNo) -> Option<MatchId> {
        self.sheets.get(&number).map(|(sheet, _)| *sheet)
    }

    /// The sheets that were opened last, each with its match, whoever sits in that now.
    pub fn last_sheets(&self) -> impl Iterator<Item = (MatchNo, MatchId)> {
        self.sheets.iter().map(|(number, (sheet, _))| (*number, *sheet))
    }

    /// The match in which an entry sits that has no result yet, if there is one: its newest.
    #[must_use]
    pub fn current(&self, entry: EntryNo) -> Option<(MatchNo, &Pairing)> {
        let open = |(_, at): &(MatchNo, &Pairing)| at.outcome.is_none() && !self.is_out_of(entry, at.flight);
        self.bracket.path(entry).filter(open).last()
    }

    /// The entry of a player that has a match to play, the newest of them; without one, his newest.
    #[must_use]
    pub fn plays_as(&self, player: PlayerId) -> Option<EntryNo> {
        let newest = self.entry_of(player)?;
        let mut his = std::iter::successors(Some(newest), |entry| self.entry(*entry)?.again);
        let playing = his.find(|entry| self.current(*entry).is_some_and(|(_, at)| at.is_ready()));
        Some(playing.unwrap_or(newest))
    }

    /// Whether something that was said by somebody stands there: not only that a slot is empty or a player gone.
    #[must_use]
    pub fn is_played(at: &Pairing) -> bool {
        at.outcome.is_some_and(|outcome: Outcome| !outcome.ending.is_automatic())
    }

    pub(super) fn enter(&mut self, entry: Entry) -> EntryNo {
        let number = number(self.entries.len());
        self.newest.insert_mut(entry.player, number);
        self.entries.push_back_mut(entry);
        number
    }

    pub(super) fn change_entry(&mut self, number: EntryNo, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = place(number).and_then(|place| self.entries.get_mut(place)) {
            change(entry);
        }
    }

    /// An entry plays on, and no other of its player does.
    pub(super) fn comes_back(&mut self, number: EntryNo) {
        if let Some(player) = self.entry(number).map(|entry| entry.player) {
            self.newest.insert_mut(player, number);
        }
    }

    pub(super) fn stands(&mut self, number: EntryNo, standing: EntryStanding) {
        self.change_entry(number, |entry| entry.standing = standing);
    }

    /// An entry plays this last chance no more.
    pub(super) fn gives_up(&mut self, GivenUp { entry, flight }: GivenUp) {
        if let Some(bit) = 1_u16.checked_shl(flight.into()) {
            self.change_entry(entry, |entry| entry.given_up |= bit);
        }
    }

    /// It is closed: what those were charged who never had a slot stays in the pools.
    pub(super) fn keeps_fees(&mut self) {
        let waits = |(number, entry): (EntryNo, &Entry)| self.waits_in_vain(entry).then_some(number);
        let waiting: Vec<EntryNo> = self.entries().filter_map(waits).collect();
        waiting.into_iter().for_each(|number| self.change_entry(number, |entry| entry.fees_kept = true));
    }

    /// The seeding list is this from now on.
    pub(super) fn seed(&mut self, list: &[EntryNo]) {
        let before = std::mem::replace(&mut self.seeding, list.into());
        before.iter().for_each(|number| self.change_entry(*number, |entry| entry.seeded = None));
        for (place, number) in (1..).zip(list) {
            self.change_entry(*number, |entry| entry.seeded = Some(place));
        }
    }

    pub(super) fn open_sheet(&mut self, number: MatchNo, sheet: MatchId) {
        if let Some(players) = self.bracket.get(number).and_then(Pairing::players) {
            self.sheets.insert_mut(number, (sheet, players));
        }
    }

    /// Takes note of what moved in the bracket at this moment. Answers of each match touched whether others sit in it, or a
    /// result was found: what the room knew of it is past.
    pub(super) fn moved(&mut self, changes: &[Change], at: Timestamp) -> Vec<(MatchNo, bool)> {
        let before: Vec<Option<Pairing>> =
            changes.iter().map(|change| self.bracket.get(change.number).cloned()).collect();
        self.bracket.apply(changes);
        changes
            .iter()
            .zip(before)
            .map(|(change, before)| (change.number, self.noted(change, before, at)))
            .collect()
    }

    fn noted(&mut self, change: &Change, before: Option<Pairing>, at: Timestamp) -> bool {
        let number = change.number;
        let Some(before) = before else { return false };
        let others_sit = before.occupants != change.occupants;
        match (before.outcome.is_some(), change.outcome.is_some()) {
            (false, true) => self.undecided = self.undecided.saturating_sub(1),
            (true, false) => self.undecided += 1,
            _ => {}
        }
        let played = change.outcome.is_some_and(|outcome| !outcome.ending.is_automatic());
        if !played {
            self.finished_at.remove_mut(&number);
        } else if !Self::is_played(&before) {
            self.finished_at.insert_mut(number, at);
        }
        if others_sit {
            self.began_at.remove_mut(&number);
            if !played {
                self.bracket.keep(number, None);
            }
        }
        if others_sit || change.outcome.is_some() {
            self.reports.remove_mut(&number);
        }
        others_sit || change.outcome.is_some()
    }

    /// The main flight is drawn, for the first time or again: nothing is left of an earlier draw but that it was made.
    pub(super) fn drawn_anew(&mut self, bracket: Bracket) {
        self.last_chances.clear();
        let gave_up = |(number, entry): (EntryNo, &Entry)| (entry.given_up != 0).then_some(number);
        let gave_up: Vec<EntryNo> = self.entries().filter_map(gave_up).collect();
        gave_up.into_iter().for_each(|number| self.change_entry(number, |entry| entry.given_up = 0));
        (self.reports, self.sheets) = (Map::default(), Map::default());
        (self.finished_at, self.began_at) = (Map::default(), Map::default());
        self.drawn(bracket);
    }

    pub(super) fn drawn(&mut self, bracket: Bracket) {
        let undecided = bracket.iter().filter(|(_, at)| at.outcome.is_none()).count();
        self.undecided = u32::try_from(undecided).unwrap_or(u32::MAX);
        self.bracket = bracket;
    }
}

/// A number from 1 as a place in the list of entries.
fn place(entry: EntryNo) -> Option<usize> {
    usize::try_from(entry.0.checked_sub(1)?).ok()
}

fn number(place: usize) -> EntryNo {
    EntryNo(u32::try_from(place).map_or(u32::MAX, |place| place + 1))
}
