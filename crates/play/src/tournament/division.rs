//! A division as it stands: its entries, draws, bracket and pools.

use std::collections::BTreeSet;
use std::sync::Arc;

use rpds::{RedBlackTreeMapSync as Map, VectorSync as Vector};

use super::about::Remark;
use super::bracket::{Bracket, Change, EntryNo, Pairing, Place};
use super::command::SlotOfMatch;
use super::entry::{Entry, EntryStanding};
use super::event::{Awarded, DrawnBy, DrawnSlot, GivenUp, SeatLot};
use super::settings::DivisionSettings;
use crate::matches::score::Length;
use crate::matches::{MatchNo, Outcome};
use owlbox_base::values::{MatchId, PlayerId, Timestamp};

/// A draw that was made. The last one of a list is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    pub drawn: DrawnBy,
    /// The slots of the first round in order.
    pub slots: Vec<DrawnSlot>,
    /// Why it was drawn again; `None` for a first draw.
    pub reason: Option<Remark>,
    pub at: Timestamp,
}

/// A lot that seated an entry after the draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lot {
    pub entry: EntryNo,
    pub place: SlotOfMatch,
    pub lot: SeatLot,
    pub at: Timestamp,
}

/// A division. A copy is cheap and shares everything that does not change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Division {
    pub settings: Arc<DivisionSettings>,
    entries: Vector<Entry>,
    /// The newest entry of each player. Fees and refunds go by it.
    newest: Map<PlayerId, EntryNo>,
    /// The seeding list, top seed first.
    seeding: Arc<[EntryNo]>,
    /// All draws of the main flight. The last one is in force.
    pub draws: Vec<Arc<Draw>>,
    /// The draws of last chances, in order.
    pub last_chances: Vec<Arc<Draw>>,
    /// The lots drawn for entries that waited for a slot after the draw in force, in order.
    pub lots: Vec<Arc<Lot>>,
    pub bracket: Bracket,
    /// What the players of undecided matches have reported, upper and lower slot.
    pub reports: Map<MatchNo, [Option<[u16; 2]>; 2]>,
    /// The last sheet opened for each match, with the entries it was opened for.
    sheets: Map<MatchNo, (MatchId, [EntryNo; 2])>,
    /// When matches were decided. A correction does not change it.
    pub finished_at: Map<MatchNo, Timestamp>,
    /// When matches began, as far as that was recorded.
    pub began_at: Map<MatchNo, Timestamp>,
    /// How many matches have no result yet.
    pub undecided: u32,
    /// The amount paid into the pool, in minor units. Awards do not reduce it.
    pub pool: u64,
    /// The part of the pool that comes from fees. The house may keep a share of it.
    pub fees: u64,
    /// The amount paid into each side pool, in minor units.
    pub side_pools: Vec<u64>,
    /// The award that was made; `None` if there is none yet.
    pub awards: Option<Arc<Awards>>,
}

/// How the pools were divided, in minor units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awards {
    pub kept: u64,
    pub awards: Vec<Awarded>,
}

impl Division {
    /// An empty division with these settings.
    #[must_use]
    pub fn new(settings: DivisionSettings) -> Self {
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

    /// How many entries there are, those that have left included.
    #[must_use]
    pub fn entered(&self) -> usize {
        self.entries.len()
    }

    /// How many entries play, have played, or may still get to play. Those that left before they had a slot
    /// are not counted.
    #[must_use]
    pub fn taking_part(&self) -> usize {
        let takes = |(number, entry): &(EntryNo, &Entry)| {
            !entry.standing.is_out() || self.bracket.path(*number).next().is_some()
        };
        self.entries().filter(takes).count()
    }

    /// The entries that are seeded, the top seed first.
    #[must_use]
    pub fn seeding_list(&self) -> Vec<EntryNo> {
        let mut seeded: Vec<(u32, EntryNo)> =
            self.entries().filter_map(|(number, entry)| Some((entry.seeded?, number))).collect();
        seeded.sort_unstable();
        seeded.into_iter().map(|(_, number)| number).collect()
    }

    /// The newest entry of a player.
    #[must_use]
    pub fn entry_of(&self, player: PlayerId) -> Option<EntryNo> {
        self.newest.get(&player).copied()
    }

    /// An entry and the earlier ones of its player, newest first.
    pub fn with_earlier(&self, entry: EntryNo) -> impl Iterator<Item = EntryNo> {
        std::iter::successors(Some(entry), |entry| self.entry(*entry)?.again)
    }

    /// Whether two entries belong to the same player.
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

    /// Whether an entry no longer plays in any flight.
    #[must_use]
    pub fn is_out(&self, entry: EntryNo) -> bool {
        self.entry(entry).is_some_and(|entry| entry.standing.is_out())
    }

    /// Whether an entry no longer plays in this flight: it is out, or has given up this last chance.
    #[must_use]
    pub fn is_out_of(&self, entry: EntryNo, flight: u8) -> bool {
        self.is_out(entry) || self.has_given_up(entry, flight)
    }

    /// Whether an entry has given up the last chance with this flight number.
    #[must_use]
    pub fn has_given_up(&self, entry: EntryNo, flight: u8) -> bool {
        self.entry(entry).is_some_and(|entry| entry.has_given_up(flight))
    }

    /// The length of a match in points. A match that has begun keeps the length it began with.
    #[must_use]
    pub fn length(&self, at: &Pairing) -> Length {
        at.kept.unwrap_or_else(|| self.settings.length(&self.bracket, at))
    }

    /// The places of a flight, best first. Every entry that ever had a slot has a place: if its slot was
    /// given to another entry, it comes after all that sit in the flight.
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

    /// The players of a match, if both are known.
    #[must_use]
    pub fn players(&self, at: &Pairing) -> Option<[PlayerId; 2]> {
        let [upper, lower] = at.players()?;
        Some([self.entry(upper)?.player, self.entry(lower)?.player])
    }

    /// The sheet on which a match is scored, if it was opened for the entries that sit there now.
    #[must_use]
    pub fn sheet(&self, number: MatchNo) -> Option<MatchId> {
        let (sheet, players) = self.sheets.get(&number)?;
        (self.bracket.get(number)?.players()? == *players).then_some(*sheet)
    }

    /// The last sheet opened for a match, no matter who sits there now.
    #[must_use]
    pub fn last_sheet(&self, number: MatchNo) -> Option<MatchId> {
        self.sheets.get(&number).map(|(sheet, _)| *sheet)
    }

    /// The last sheet opened for each match, no matter who sits there now.
    pub fn last_sheets(&self) -> impl Iterator<Item = (MatchNo, MatchId)> {
        self.sheets.iter().map(|(number, (sheet, _))| (*number, *sheet))
    }

    /// The undecided match in which an entry sits; the newest if there are several.
    #[must_use]
    pub fn current(&self, entry: EntryNo) -> Option<(MatchNo, &Pairing)> {
        let open = |(_, at): &(MatchNo, &Pairing)| at.outcome.is_none() && !self.is_out_of(entry, at.flight);
        self.bracket.path(entry).filter(open).last()
    }

    /// The entry under which a player has a match to play, the newest if there are several; without a match,
    /// their newest entry.
    #[must_use]
    pub fn plays_as(&self, player: PlayerId) -> Option<EntryNo> {
        let newest = self.entry_of(player)?;
        let playing =
            self.with_earlier(newest).find(|entry| self.current(*entry).is_some_and(|(_, at)| at.is_ready()));
        Some(playing.unwrap_or(newest))
    }

    /// Whether a match has a result that was stated or ruled, not one that follows from an empty slot or an
    /// entry that left.
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

    /// Makes an entry the one its player goes by.
    pub(super) fn set_current_entry(&mut self, number: EntryNo) {
        if let Some(player) = self.entry(number).map(|entry| entry.player) {
            self.newest.insert_mut(player, number);
        }
    }

    pub(super) fn set_standing(&mut self, number: EntryNo, standing: EntryStanding) {
        self.change_entry(number, |entry| entry.standing = standing);
    }

    /// An entry gives up a last chance.
    pub(super) fn give_up(&mut self, GivenUp { entry, flight }: GivenUp) {
        if let Some(bit) = 1_u16.checked_shl(flight.into()) {
            self.change_entry(entry, |entry| entry.given_up |= bit);
        }
    }

    /// The tournament is closed: the fees of entries that still wait stay in the pools.
    pub(super) fn keep_fees(&mut self) {
        let waits = |(number, entry): (EntryNo, &Entry)| self.waits_in_vain(entry).then_some(number);
        let waiting: Vec<EntryNo> = self.entries().filter_map(waits).collect();
        waiting.into_iter().for_each(|number| self.change_entry(number, |entry| entry.fees_kept = true));
    }

    /// The tournament is cancelled: what its entries were charged has gone back to them.
    pub(super) fn cancel(&mut self) {
        let back: Vec<(EntryNo, Entry)> =
            self.gets_back().map(|(number, entry)| (number, entry.clone())).collect();
        for (number, entry) in back {
            self.pool = self.pool.saturating_sub(entry.into_pool);
            self.fees = self.fees.saturating_sub(entry.into_pool);
            let has_stakes = !entry.refunded;
            let pools = (0..8).zip(self.side_pools.iter_mut().zip(&self.settings.side_pools));
            for (_, (sum, pool)) in pools.filter(|(side, _)| has_stakes && entry.is_in_pool(*side)) {
                *sum = sum.saturating_sub(pool.stake.minor_units());
            }
            self.change_entry(number, |entry| {
                (entry.into_pool, entry.registration, entry.refunded) = (0, 0, true);
            });
        }
        if self.awards.is_none() {
            (self.pool, self.fees) = (0, 0);
            self.side_pools.iter_mut().for_each(|sum| *sum = 0);
        }
    }

    /// Replaces the seeding list with this one, top seed first.
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

    /// Applies changes to the bracket at this moment. For each match, returns whether others sit there now or
    /// it has a result, so that what the room knew of it no longer holds.
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
            // A result that replaces another keeps the time of the first: ratings go by it.
            self.finished_at.remove_mut(&number);
        } else if !Self::is_played(&before) {
            self.finished_at.insert_mut(number, at);
        }
        if others_sit {
            self.began_at.remove_mut(&number);
            if !played {
                // Others play it from the start, to the length the settings give now.
                self.bracket.keep(number, None);
            }
        }
        if others_sit || change.outcome.is_some() {
            self.reports.remove_mut(&number);
        }
        others_sit || change.outcome.is_some()
    }

    /// The main flight is drawn, for the first time or again. Of an earlier draw only the fact that it was
    /// made remains.
    pub(super) fn redraw(&mut self, bracket: Bracket) {
        self.last_chances.clear();
        self.lots.clear();
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

/// The index of an entry number, which counts from 1.
fn place(entry: EntryNo) -> Option<usize> {
    usize::try_from(entry.0.checked_sub(1)?).ok()
}

fn number(place: usize) -> EntryNo {
    EntryNo(u32::try_from(place).map_or(u32::MAX, |place| place + 1))
}
