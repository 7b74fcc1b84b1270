//! What a viewer may see of a tournament's events. Anyone who sees the tournament sees who plays, who won and
//! who left. Whose money moved, and which login did what, is for viewers with access to the accounts; other
//! players see their own money only.

use super::about::About;
use super::event::{Awarded, Entered, EventKind, SeatLot};
use super::money::Transfer;
use super::room::Table;
use super::{Event, Tournament};
use owlbox_base::journal::ActKind;
use owlbox_base::journal::free_text::FreeText;
use owlbox_base::journal::shared::{Shared, Viewer};
use owlbox_base::values::{AccountId, Holder, TournamentId};

/// All about a tournament is for anyone who sees it, and so is all that these lists of its events hold. Taken
/// apart once for every event that has them: a new field of one does not compile until somebody has asked who
/// may see it.
const _: fn(About, Table, Entered, Awarded, SeatLot) = |about, table, entered, awarded, lot| {
    let About {
        name: _,
        date: _,
        starts: _,
        place: _,
        entries_open: _,
        entries_close: _,
        currency: _,
        prizes: _,
        rules: _,
        public: _,
    } = about;
    let Table { table: _, used_for: _, note: _ } = table;
    let Entered { player: _, again: _, side_pools: _ } = entered;
    let Awarded { player: _, amount: _ } = awarded;
    let SeatLot { seed: _, among: _ } = lot;
};

impl Shared for Tournament {
    type Id = TournamentId;

    fn shown_to(event: &Event, viewer: &Viewer) -> Option<Event> {
        if viewer.sees_accounts {
            return Some(event.clone());
        }
        match event {
            Event::DirectorsChanged { .. } => None,
            Event::Booked { division, side_pool, currency, transfers } => {
                let (division, side_pool, currency) = (*division, *side_pool, *currency);
                let transfers = own(transfers, viewer);
                (!transfers.is_empty()).then_some(Event::Booked { division, side_pool, currency, transfers })
            }
            // Everybody may see what everybody has won, but not the transfers.
            Event::Awarded { division, kept, awards, currency, transfers } => Some(Event::Awarded {
                division: *division,
                kept: *kept,
                awards: awards.clone(),
                currency: *currency,
                transfers: own(transfers, viewer),
            }),
            Event::Cancelled { reason, currency, transfers } => Some(Event::Cancelled {
                reason: reason.clone(),
                currency: *currency,
                transfers: own(transfers, viewer),
            }),
            Event::Opened { tournament: _, about: _ }
            | Event::AboutChanged { about: _ }
            | Event::DivisionAdded { division: _, settings: _ }
            | Event::DivisionChanged { division: _, settings: _, kept: _ }
            | Event::TablesSet { tables: _ }
            | Event::Entered { division: _, entries: _, waiting: _ }
            | Event::CheckedIn { division: _, entries: _, here: _ }
            | Event::Seeded { division: _, entries: _ }
            | Event::PoolsJoined { division: _, entry: _, side_pools: _ }
            | Event::Drawn { division: _, drawn: _, waiting: _, slots: _, reason: _ }
            | Event::LastChanceDrawn { division: _, drawn: _, slots: _ }
            | Event::Seated { division: _, entry: _, number: _, slot: _, changes: _, lot: _ }
            | Event::Exchanged { division: _, changes: _ }
            | Event::LeavesAfter { division: _, entry: _, number: _ }
            | Event::Withdrawn { division: _, entry: _, how: _, changes: _ }
            | Event::Reinstated { division: _, entry: _, waiting: _, changes: _ }
            | Event::Reported { division: _, number: _, by: _, entry: _, score: _ }
            | Event::Resulted { division: _, number: _, changes: _, left: _ }
            | Event::Corrected { division: _, number: _, changes: _, given_up: _, left: _ }
            | Event::Called { division: _, number: _, table: _ }
            | Event::Uncalled { division: _, number: _ }
            | Event::Began { division: _, number: _ }
            | Event::Postponed { division: _, number: _, until: _ }
            | Event::Resumed { division: _, number: _ }
            | Event::SheetOpened { division: _, number: _, sheet: _ }
            | Event::Closed { reason: _ }
            | Event::Reopened {} => Some(event.clone()),
        }
    }

    fn hide_from(&mut self, viewer: &Viewer) {
        self.redact(viewer);
    }

    fn author_shown_to(author: AccountId, viewer: &Viewer) -> bool {
        viewer.sees_author(author)
    }

    fn changes_who_sees(kind: &ActKind<Event>) -> bool {
        match kind {
            ActKind::Events(events) => events.iter().any(|event| EventKind::from(event).changes_who_sees()),
            ActKind::Undo(_) | ActKind::Redo(_) => true,
        }
    }

    fn is_authors_own(kind: EventKind) -> bool {
        kind.is_authors_own()
    }
}

/// The transfers from or to the viewer.
fn own(transfers: &[Transfer], viewer: &Viewer) -> Vec<Transfer> {
    let Some(own) = viewer.player.map(Holder::Player) else { return Vec::new() };
    transfers.iter().filter(|transfer| transfer.from == own || transfer.to == own).cloned().collect()
}

impl FreeText for Tournament {
    fn text_keys(kind: EventKind) -> &'static [&'static str] {
        kind.text_keys()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::money::TransferKind;
    use owlbox_base::values::{Currency, MinorUnits, PlayerId};
    use uuid::Uuid;

    #[test]
    fn whose_money_moved_is_told_to_those_whose_it_was() {
        let players = [1, 2, 3].map(|number| PlayerId(Uuid::from_u128(number)));
        let pool = Holder::Pool(TournamentId::default());
        let transfer = |from, to, what| Transfer { from, to, amount: MinorUnits(500), what };
        let both_ways = |player: &PlayerId| {
            let player = Holder::Player(*player);
            [transfer(player, pool, TransferKind::EntryFee), transfer(pool, player, TransferKind::Prize)]
        };
        let currency: Currency = "EUR".parse().unwrap();
        let booked = |of: &[PlayerId]| {
            let transfers = of.iter().flat_map(both_ways).collect();
            Event::Booked { division: None, side_pool: None, currency, transfers }
        };
        let event = booked(&players[..2]);
        let shown = |player, sees_accounts| {
            Tournament::shown_to(&event, &Viewer { player, sees_accounts, ..Viewer::default() })
        };
        assert_eq!(shown(Some(players[0]), false), Some(booked(&players[..1])));
        assert_eq!(shown(Some(players[2]), false), None);
        assert_eq!(shown(None, false), None);
        assert_eq!(shown(None, true), Some(event.clone()));
    }
}
