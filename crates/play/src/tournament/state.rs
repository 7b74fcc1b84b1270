//! The state of a tournament: what its events add up to. Applying an event decides nothing. The one thing it
//! works out is how the matches of a format hang together once the slots are drawn.

use std::sync::Arc;

use super::about::{About, Remark};
use super::bracket::{Bracket, Change, EntryNo, Pairing, Source};
use super::command::SlotOfMatch;
use super::division::{Awards, Division, Draw, Lot};
use super::entry::{Entry, EntryStanding};
use super::event::{DrawnBy, DrawnSlot, Entered, Event, GivenUp, Leaving};
use super::money::{Cash, Transfer, TransferKind};
use super::room::{Call, DivisionNo, MatchRef, Room};
use crate::matches::{MatchNo, Slot};
use owlbox_base::journal::shared::Viewer;
use owlbox_base::values::{AccountId, Currency, Holder, PlayerId, Timestamp, TournamentId};

/// A tournament. A copy is cheap and shares everything that does not change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tournament {
    /// The id under which the books keep its pool.
    pub id: TournamentId,
    /// `None` until the tournament is opened.
    about: Option<Arc<About>>,
    /// Logins that direct it besides the club's directors.
    pub directors: Vec<AccountId>,
    /// In the order of their numbers: division 1 comes first.
    divisions: Vec<Division>,
    pub room: Room,
    /// What each player is owed by the tournament, in minor units; negative if they owe it.
    accounts: rpds::RedBlackTreeMapSync<PlayerId, i64>,
    /// Cash taken in and paid out.
    pub cash: Cash,
    pub opened_at: Option<Timestamp>,
    /// Since when it is over: closed, or cancelled.
    pub closed_at: Option<Timestamp>,
    /// Why it was cancelled; `None` if it was not.
    pub cancelled: Option<Remark>,
}

impl Tournament {
    /// Takes out the accounts and the logins that are not the viewer's own, if they may not see these.
    pub(crate) fn redact(&mut self, viewer: &Viewer) {
        if viewer.sees_accounts {
            return;
        }
        let own = viewer.player.and_then(|player| Some((player, *self.accounts.get(&player)?)));
        self.accounts = own.into_iter().collect();
        self.cash = Cash::default();
        self.directors.retain(|login| Some(*login) == viewer.account);
    }

    /// Name, dates and other details; `None` until the tournament is opened.
    #[must_use]
    pub fn about(&self) -> Option<&About> {
        self.about.as_deref()
    }

    /// The currency of its fees and prizes; `None` if it has neither.
    #[must_use]
    pub fn currency(&self) -> Option<Currency> {
        self.about()?.currency
    }

    /// The divisions in the order of their numbers.
    pub fn divisions(&self) -> impl ExactSizeIterator<Item = (DivisionNo, &Division)> {
        let number = |at: usize| DivisionNo(u8::try_from(at + 1).unwrap_or(u8::MAX));
        self.divisions.iter().enumerate().map(move |(at, division)| (number(at), division))
    }

    #[must_use]
    pub fn division(&self, division: DivisionNo) -> Option<&Division> {
        self.divisions.get(usize::from(division.0.checked_sub(1)?))
    }

    /// A match in the bracket of its division.
    #[must_use]
    pub fn match_at(&self, at: MatchRef) -> Option<(&Division, &Pairing)> {
        let of = self.division(at.division)?;
        Some((of, of.bracket.get(at.number)?))
    }

    /// What the tournament owes a player, in minor units; negative if they owe it.
    #[must_use]
    pub fn account(&self, player: PlayerId) -> i64 {
        self.accounts.get(&player).copied().unwrap_or(0)
    }

    /// The players whose accounts are not even.
    pub fn accounts(&self) -> impl Iterator<Item = (PlayerId, i64)> {
        self.accounts.iter().map(|(player, amount)| (*player, *amount)).filter(|(_, amount)| *amount != 0)
    }

    /// Whether any money has moved. From then on the currency is fixed.
    #[must_use]
    pub fn has_booked(&self) -> bool {
        !self.accounts.is_empty() || self.divisions.iter().any(|division| division.pool > 0)
    }

    /// Another match to which a player is called, if there is one. `than` is left out of the search.
    #[must_use]
    pub fn plays_elsewhere(&self, player: PlayerId, than: MatchRef) -> Option<MatchRef> {
        let sits = |at: &MatchRef| {
            let (division, found) = self.match_at(*at)?;
            Some(division.players(found)?.contains(&player))
        };
        self.room.calls.keys().find(|at| **at != than && sits(at) == Some(true)).copied()
    }

    fn division_mut(&mut self, division: DivisionNo) -> Option<&mut Division> {
        self.divisions.get_mut(usize::from(division.0.checked_sub(1)?))
    }

    /// Applies an event. Every kind of event is handled here, with everything it changes.
    pub(super) fn take_note(&mut self, event: &Event, at: Timestamp) {
        match event {
            Event::Opened { tournament, about } => {
                self.id = *tournament;
                self.about = Some(Arc::new(about.clone()));
                self.opened_at = Some(at);
            }
            Event::AboutChanged { about } => self.about = Some(Arc::new(about.clone())),
            Event::DirectorsChanged { directors } => self.directors.clone_from(directors),
            Event::DivisionAdded { settings, .. } => self.divisions.push(Division::new((**settings).clone())),
            Event::TablesSet { tables } => {
                self.room.tables = tables.iter().map(|table| (table.table, table.clone())).collect();
            }
            Event::Closed { .. } => {
                self.closed_at = Some(at);
                self.divisions.iter_mut().for_each(Division::keep_fees);
            }
            Event::Reopened {} => self.closed_at = None,
            Event::Cancelled { reason, transfers, .. } => {
                (self.closed_at, self.cancelled) = (Some(at), Some(reason.clone()));
                self.book(transfers);
                self.divisions.iter_mut().for_each(Division::cancel);
                // Nobody is called any more, and nobody waits for a table.
                self.room = Room { tables: self.room.tables.clone(), ..Room::default() };
            }
            Event::DivisionChanged { division, settings, kept } => self.within(*division, |division| {
                kept.iter().for_each(|(number, length)| division.bracket.keep(*number, Some(*length)));
                division.side_pools.resize(settings.side_pools.len(), 0);
                division.settings = Arc::new((**settings).clone());
            }),

            Event::Entered { division, entries, waiting } => {
                self.within(*division, |division| enter(division, entries, *waiting));
            }
            Event::CheckedIn { division, entries, here } => self.within(*division, |division| {
                let checks_in =
                    |entry: &EntryNo| division.change_entry(*entry, |entry| entry.checked_in = *here);
                entries.iter().for_each(checks_in);
            }),
            Event::Seeded { division, entries } => self.within(*division, |division| division.seed(entries)),
            Event::PoolsJoined { division, entry, side_pools } => self.within(*division, |division| {
                division.change_entry(*entry, |entry| entry.side_pools = *side_pools);
            }),
            Event::LeavesAfter { division, entry, .. } => {
                self.within(*division, |division| division.set_standing(*entry, EntryStanding::Leaving));
            }

            Event::Drawn { division, drawn, slots, reason, waiting } => {
                let draw = draw(drawn, slots, reason.clone(), at);
                self.within(*division, |division| division.is_drawn_as(draw, slots, waiting));
                self.forget(*division);
                self.ready_from(*division, MatchNo(1), at);
            }
            Event::LastChanceDrawn { division: number, drawn, slots } => {
                let Some(division) = self.division_mut(*number) else { return };
                let first = MatchNo(u32::try_from(division.bracket.len() + 1).unwrap_or(u32::MAX));
                if division.has_last_chance(draw(drawn, slots, None, at), slots) {
                    self.ready_from(*number, first, at);
                }
            }
            Event::Seated { division, entry, number, slot, changes, lot } => {
                self.within(*division, |division| {
                    if let Some(lot) = lot {
                        let place = SlotOfMatch { number: *number, slot: *slot };
                        division.lots.push(Arc::new(Lot { entry: *entry, place, lot: lot.clone(), at }));
                    }
                    division.change_entry(*entry, |entry| {
                        (entry.standing, entry.seated) = (EntryStanding::In, true);
                    });
                });
                self.moved(*division, changes, at);
            }
            Event::Exchanged { division, changes, .. } => self.moved(*division, changes, at),
            Event::Withdrawn { division, entry, how, changes } => {
                self.within(*division, |division| division.set_standing(*entry, how.standing()));
                self.moved(*division, changes, at);
            }
            Event::Reinstated { division, entry, waiting, changes } => {
                self.within(*division, |division| {
                    let standing = if *waiting { EntryStanding::Waiting } else { EntryStanding::In };
                    division.set_standing(*entry, standing);
                    division.change_entry(*entry, |entry| {
                        (entry.refunded, entry.fees_kept) = (false, false);
                    });
                    division.set_current_entry(*entry);
                });
                self.moved(*division, changes, at);
            }
            Event::Reported { division, number, by, entry, score } => {
                self.within(*division, |division| division.is_reported(*number, *by, *entry, *score));
            }
            Event::Resulted { division, changes, left, .. } => {
                self.within(*division, |division| {
                    left.iter().for_each(|entry| division.set_standing(*entry, EntryStanding::Withdrawn));
                });
                self.moved(*division, changes, at);
            }
            Event::Corrected { division, changes, given_up, left, .. } => {
                self.within(*division, |division| {
                    given_up.iter().for_each(|gone| division.give_up(*gone));
                    left.iter().for_each(|entry| division.set_standing(*entry, EntryStanding::Withdrawn));
                });
                self.moved(*division, changes, at);
            }

            Event::Called { division, number, table } => {
                let match_ref = MatchRef { division: *division, number: *number };
                self.room.postponed.remove_mut(&match_ref);
                // A match that moves to another table while it is under way goes on there.
                let began_at = self.room.calls.get(&match_ref).and_then(|call| call.began_at);
                self.room.calls.insert_mut(match_ref, Call { table: *table, called_at: at, began_at });
            }
            Event::Uncalled { division, number } => {
                self.room.calls.remove_mut(&MatchRef { division: *division, number: *number });
                self.within(*division, |division| {
                    division.began_at.remove_mut(number);
                });
            }
            Event::Began { division, number } => {
                self.within(*division, |division| {
                    division.began_at.insert_mut(*number, at);
                });
                let match_ref = MatchRef { division: *division, number: *number };
                if let Some(call) = self.room.calls.get_mut(&match_ref) {
                    call.began_at = Some(at);
                }
            }
            Event::Postponed { division, number, until } => {
                self.room.postponed.insert_mut(MatchRef { division: *division, number: *number }, *until);
            }
            Event::Resumed { division, number } => {
                self.room.postponed.remove_mut(&MatchRef { division: *division, number: *number });
            }
            Event::SheetOpened { division, number, sheet } => {
                self.within(*division, |division| division.open_sheet(*number, *sheet));
            }

            Event::Booked { division, side_pool, transfers, .. } => {
                self.book(transfers);
                if let Some(division) = division {
                    self.within(*division, |division| charge(division, transfers, *side_pool));
                }
            }
            Event::Awarded { division, kept, awards, transfers, .. } => {
                self.book(transfers);
                self.within(*division, |division| {
                    division.awards = Some(Arc::new(Awards { kept: *kept, awards: awards.clone() }));
                });
            }
        }
    }

    /// Changes a division, if it exists.
    fn within(&mut self, number: DivisionNo, change: impl FnOnce(&mut Division)) {
        if let Some(division) = self.division_mut(number) {
            change(division);
        }
    }

    /// Clears what the room knows of a division's matches.
    fn forget(&mut self, number: DivisionNo) {
        let Room { ready_since, postponed, .. } = &self.room;
        let known = ready_since.keys().chain(postponed.keys()).filter(|at| at.division == number);
        for match_ref in known.copied().collect::<Vec<_>>() {
            self.room.clear(match_ref);
            self.room.can_be_played(match_ref, None);
        }
    }

    /// Queues the new matches, from `first` on, that can be played.
    fn ready_from(&mut self, number: DivisionNo, first: MatchNo, at: Timestamp) {
        let Some(division) = self.division(number) else { return };
        let new = division.bracket.iter().skip_while(|(match_number, _)| *match_number < first);
        let ready = new.filter(|(_, at)| at.is_ready()).map(|(match_number, _)| match_number);
        for match_number in ready.collect::<Vec<_>>() {
            self.room.can_be_played(MatchRef { division: number, number: match_number }, Some(at));
        }
    }

    fn moved(&mut self, number: DivisionNo, changes: &[Change], at: Timestamp) {
        let Some(division) = self.division_mut(number) else { return };
        let touched = division.moved(changes, at);
        let ready: Vec<bool> = touched
            .iter()
            .map(|(match_number, _)| {
                division.bracket.get(*match_number).is_some_and(super::bracket::Pairing::is_ready)
            })
            .collect();
        for ((match_number, is_past), is_ready) in touched.into_iter().zip(ready) {
            let match_ref = MatchRef { division: number, number: match_number };
            if is_past {
                self.room.clear(match_ref);
            }
            match (is_ready, self.room.ready_since.contains_key(&match_ref)) {
                // If other players sit there now, their waiting time starts now.
                (true, false) => self.room.can_be_played(match_ref, Some(at)),
                (true, true) if is_past => self.room.can_be_played(match_ref, Some(at)),
                (false, true) => self.room.can_be_played(match_ref, None),
                _ => {}
            }
        }
    }

    fn book(&mut self, transfers: &[Transfer]) {
        for Transfer { from, to, amount, what } in transfers {
            match what {
                TransferKind::PaidIn => self.cash.taken_in = self.cash.taken_in.saturating_add(amount.0),
                TransferKind::PaidOut => self.cash.handed_out = self.cash.handed_out.saturating_add(amount.0),
                TransferKind::EntryFee
                | TransferKind::Registration
                | TransferKind::SidePool
                | TransferKind::ReEntry => self.cash.charged = self.cash.charged.saturating_add(amount.0),
                // Added money that goes back to the house was charged to nobody.
                TransferKind::Refund if *to == Holder::House => {}
                TransferKind::Refund => self.cash.charged = self.cash.charged.saturating_sub(amount.0),
                TransferKind::Added | TransferKind::Kept | TransferKind::Prize | TransferKind::Returned => {}
            }
            for (holder, amount) in [(from, -amount.0), (to, amount.0)] {
                if let Holder::Player(player) = holder {
                    let stands = self.account(*player).saturating_add(amount);
                    self.accounts.insert_mut(*player, stands);
                }
            }
        }
    }
}

impl Division {
    /// The main flight is drawn, for the first time or again. Waiting entries are left out of the bracket.
    fn is_drawn_as(&mut self, draw: Arc<Draw>, slots: &[DrawnSlot], waiting: &[EntryNo]) {
        for entry in waiting {
            self.change_entry(*entry, |entry| {
                (entry.standing, entry.seated) = (EntryStanding::Waiting, false);
            });
        }
        have_slots(self, slots);
        let line: Vec<Source> = slots.iter().map(|slot| Source::from(*slot)).collect();
        let out = |entry| self.is_out(entry);
        let bracket = Bracket::drawn(self.settings.format, &line, &out).unwrap_or_default();
        self.draws.push(draw);
        self.redraw(bracket);
    }

    /// A last chance is drawn. Returns whether the bracket could take it.
    fn has_last_chance(&mut self, draw: Arc<Draw>, slots: &[DrawnSlot]) -> bool {
        let line: Vec<Source> = slots.iter().map(|slot| Source::from(*slot)).collect();
        let with = self.bracket.with_last_chance(&line, &|entry| self.is_out(entry));
        self.last_chances.push(draw);
        have_slots(self, slots);
        with.map(|bracket| self.drawn(bracket)).is_ok()
    }

    /// A player reports a result, or withdraws a report.
    fn is_reported(&mut self, number: MatchNo, by: Slot, entry: Option<EntryNo>, score: Option<[u16; 2]>) {
        let sits = self.bracket.get(number).filter(|at| at.outcome.is_none());
        let sits = sits.and_then(|at| at.occupant(by).entry());
        // Undo leaves reports out, so one may be replayed in a state where its player does not sit in the
        // match. It must do no harm there.
        if sits.is_none() || entry.is_some_and(|entry| sits != Some(entry)) {
            return;
        }
        let mut said = self.reports.get(&number).copied().unwrap_or_default();
        said[by.at()] = score;
        self.reports.insert_mut(number, said);
    }
}

fn draw(drawn: &DrawnBy, slots: &[DrawnSlot], reason: Option<Remark>, at: Timestamp) -> Arc<Draw> {
    Arc::new(Draw { drawn: drawn.clone(), slots: slots.to_vec(), reason, at })
}

fn enter(division: &mut Division, entries: &[Entered], waiting: bool) {
    for entered in entries {
        division.enter(Entry {
            player: entered.player,
            standing: if waiting { EntryStanding::Waiting } else { EntryStanding::In },
            seated: false,
            checked_in: false,
            seeded: None,
            again: entered.again,
            side_pools: entered.side_pools,
            into_pool: 0,
            registration: 0,
            refunded: false,
            fees_kept: false,
            given_up: 0,
        });
    }
}

/// Entries with a slot no longer wait.
fn have_slots(division: &mut Division, slots: &[DrawnSlot]) {
    for number in slots.iter().filter_map(|slot| slot.0).map(EntryNo) {
        division.change_entry(number, |entry| {
            entry.seated = true;
            if entry.standing == EntryStanding::Waiting {
                entry.standing = EntryStanding::In;
            }
        });
    }
}

/// Adds transfers to the pools, and to what entries were charged.
fn charge(division: &mut Division, transfers: &[Transfer], side_pool: Option<u8>) {
    for transfer in transfers {
        let amount = transfer.amount.0.unsigned_abs();
        let comes_in = matches!(transfer.to, Holder::Pool(_));
        if comes_in || matches!(transfer.from, Holder::Pool(_)) {
            let moved = |pool: &mut u64| {
                *pool = if comes_in { pool.saturating_add(amount) } else { pool.saturating_sub(amount) };
            };
            match side_pool.and_then(|pool| division.side_pools.get_mut(usize::from(pool))) {
                Some(pool) => moved(pool),
                None => {
                    moved(&mut division.pool);
                    if transfer.what != TransferKind::Added {
                        moved(&mut division.fees);
                    }
                }
            }
        }
        let ((Holder::Player(player), _) | (_, Holder::Player(player))) = (transfer.from, transfer.to) else {
            continue;
        };
        if let Some(entry) = division.entry_of(player) {
            division.change_entry(entry, |entry| {
                // A stake is refunded too when an entry only leaves a side pool, so the entry must be out as
                // well.
                entry.refunded |= transfer.what == TransferKind::Refund && entry.standing.is_out();
                if side_pool.is_none() {
                    charged(entry, transfer, amount);
                }
            });
        }
    }
}

fn charged(entry: &mut Entry, transfer: &Transfer, amount: u64) {
    match transfer.what {
        TransferKind::EntryFee | TransferKind::ReEntry => entry.into_pool += amount,
        TransferKind::Registration => entry.registration += amount,
        TransferKind::Refund => {
            let of_pool = matches!(transfer.from, Holder::Pool(_));
            let charge = if of_pool { &mut entry.into_pool } else { &mut entry.registration };
            *charge = charge.saturating_sub(amount);
        }
        TransferKind::SidePool
        | TransferKind::Added
        | TransferKind::Kept
        | TransferKind::Prize
        | TransferKind::PaidIn
        | TransferKind::PaidOut
        | TransferKind::Returned => {}
    }
}

impl Leaving {
    const fn standing(self) -> EntryStanding {
        match self {
            Self::Withdrew => EntryStanding::Withdrawn,
            Self::Disqualified => EntryStanding::Disqualified,
            Self::EnteredAgain => EntryStanding::EnteredAgain,
        }
    }
}

impl Event {
    /// The last chances given up because of it.
    #[must_use]
    pub fn given_up(&self) -> &[GivenUp] {
        if let Self::Corrected { given_up, .. } = self { given_up } else { &[] }
    }
}
