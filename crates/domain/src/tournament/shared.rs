//! What a viewer may see of a tournament's events. Whoever sees the tournament sees who plays, who won and
//! who left. Whose money moved, and which login did what, is for viewers with access to the accounts; other
//! players see their own money only.

use super::event::EventKind;
use super::money::Transfer;
use super::{Event, Tournament};
use crate::journal::ActKind;
use crate::journal::shared::{Shared, Viewer};
use crate::values::{AccountId, Holder, TournamentId};

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
            Event::Opened { .. }
            | Event::AboutChanged { .. }
            | Event::DivisionAdded { .. }
            | Event::DivisionChanged { .. }
            | Event::TablesSet { .. }
            | Event::Entered { .. }
            | Event::CheckedIn { .. }
            | Event::Seeded { .. }
            | Event::PoolsJoined { .. }
            | Event::Drawn { .. }
            | Event::LastChanceDrawn { .. }
            | Event::Seated { .. }
            | Event::Exchanged { .. }
            | Event::LeavesAfter { .. }
            | Event::Withdrawn { .. }
            | Event::Reinstated { .. }
            | Event::Reported { .. }
            | Event::Resulted { .. }
            | Event::Corrected { .. }
            | Event::Called { .. }
            | Event::Uncalled { .. }
            | Event::Began { .. }
            | Event::Postponed { .. }
            | Event::Resumed { .. }
            | Event::SheetOpened { .. }
            | Event::Closed { .. }
            | Event::Reopened { .. } => Some(event.clone()),
        }
    }

    fn author_shown_to(author: AccountId, viewer: &Viewer) -> bool {
        viewer.sees_accounts || viewer.account == Some(author)
    }

    fn changes_who_sees(kind: &ActKind<Event>) -> bool {
        match kind {
            ActKind::Events(events) => events.iter().any(changes_who_sees),
            ActKind::Undo(_) | ActKind::Redo(_) => true,
        }
    }

    fn is_authors_own(kind: EventKind) -> bool {
        match kind {
            EventKind::Drawn | EventKind::LastChanceDrawn | EventKind::Entered => false,
            EventKind::Opened
            | EventKind::AboutChanged
            | EventKind::DirectorsChanged
            | EventKind::DivisionAdded
            | EventKind::DivisionChanged
            | EventKind::TablesSet
            | EventKind::CheckedIn
            | EventKind::Seeded
            | EventKind::PoolsJoined
            | EventKind::Seated
            | EventKind::Exchanged
            | EventKind::LeavesAfter
            | EventKind::Withdrawn
            | EventKind::Reinstated
            | EventKind::Reported
            | EventKind::Resulted
            | EventKind::Corrected
            | EventKind::Called
            | EventKind::Uncalled
            | EventKind::Began
            | EventKind::Postponed
            | EventKind::Resumed
            | EventKind::SheetOpened
            | EventKind::Booked
            | EventKind::Awarded
            | EventKind::Closed
            | EventKind::Reopened => true,
        }
    }
}

fn changes_who_sees(event: &Event) -> bool {
    match event {
        Event::AboutChanged { .. } | Event::DirectorsChanged { .. } => true,
        Event::Opened { .. }
        | Event::DivisionAdded { .. }
        | Event::DivisionChanged { .. }
        | Event::TablesSet { .. }
        | Event::Entered { .. }
        | Event::CheckedIn { .. }
        | Event::Seeded { .. }
        | Event::PoolsJoined { .. }
        | Event::Drawn { .. }
        | Event::LastChanceDrawn { .. }
        | Event::Seated { .. }
        | Event::Exchanged { .. }
        | Event::LeavesAfter { .. }
        | Event::Withdrawn { .. }
        | Event::Reinstated { .. }
        | Event::Reported { .. }
        | Event::Resulted { .. }
        | Event::Corrected { .. }
        | Event::Called { .. }
        | Event::Uncalled { .. }
        | Event::Began { .. }
        | Event::Postponed { .. }
        | Event::Resumed { .. }
        | Event::SheetOpened { .. }
        | Event::Booked { .. }
        | Event::Awarded { .. }
        | Event::Closed { .. }
        | Event::Reopened { .. } => false,
    }
}

/// The transfers from or to the viewer.
fn own(transfers: &[Transfer], viewer: &Viewer) -> Vec<Transfer> {
    let Some(own) = viewer.player.map(Holder::Player) else { return Vec::new() };
    transfers.iter().filter(|transfer| transfer.from == own || transfer.to == own).cloned().collect()
}
