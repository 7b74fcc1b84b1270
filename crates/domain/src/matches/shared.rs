//! What viewers may see of a sheet: everybody who sees the match sees all of it.

use super::event::EventKind;
use super::{Event, Sheet};
use crate::journal::ActKind;
use crate::journal::shared::{Shared, Viewer};
use crate::values::{AccountId, MatchId};

impl Shared for Sheet {
    type Id = MatchId;

    fn shown_to(event: &Event, _: &Viewer) -> Option<Event> {
        match event {
            Event::Opened { .. }
            | Event::GameWon { .. }
            | Event::GameDrawn { .. }
            | Event::Penalised { .. }
            | Event::Corrected { .. }
            | Event::Contested { .. }
            | Event::ContestWithdrawn { .. }
            | Event::Upheld { .. }
            | Event::Voided { .. }
            | Event::Claimed { .. }
            | Event::Finished { .. }
            | Event::Reopened { .. }
            | Event::Detached { .. }
            | Event::Attached { .. }
            | Event::Adjourned { .. }
            | Event::Resumed { .. }
            | Event::Closed { .. }
            | Event::Paid { .. }
            | Event::BoardStarted { .. }
            | Event::Board { .. }
            | Event::BoardAbandoned { .. }
            | Event::Imported { .. }
            | Event::ClockSet { .. }
            | Event::ClockStarted { .. }
            | Event::ClockPaused { .. }
            | Event::ClockResumed { .. } => Some(event.clone()),
        }
    }

    fn author_shown_to(_: AccountId, _: &Viewer) -> bool {
        true
    }

    fn changes_who_sees(_: &ActKind<Event>) -> bool {
        false
    }

    fn is_authors_own(kind: EventKind) -> bool {
        match kind {
            EventKind::Board => false,
            EventKind::Opened
            | EventKind::GameWon
            | EventKind::GameDrawn
            | EventKind::Penalised
            | EventKind::Corrected
            | EventKind::Contested
            | EventKind::ContestWithdrawn
            | EventKind::Upheld
            | EventKind::Voided
            | EventKind::Claimed
            | EventKind::Finished
            | EventKind::Reopened
            | EventKind::Detached
            | EventKind::Attached
            | EventKind::Adjourned
            | EventKind::Resumed
            | EventKind::Closed
            | EventKind::Paid
            | EventKind::BoardStarted
            | EventKind::BoardAbandoned
            | EventKind::Imported
            | EventKind::ClockSet
            | EventKind::ClockStarted
            | EventKind::ClockPaused
            | EventKind::ClockResumed => true,
        }
    }
}
