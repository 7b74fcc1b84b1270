//! Redaction of a table's events: every viewer of the table sees all of them, except for answers given in
//! secret.

use super::event::EventKind;
use super::{Chouette, Event};
use crate::journal::ActKind;
use crate::journal::shared::{Shared, Viewer};
use crate::values::{AccountId, ChouetteId};

impl Shared for Chouette {
    type Id = ChouetteId;

    fn shown_to(event: &Event, _: &Viewer) -> Option<Event> {
        match event {
            // Who has answered, never what: that comes out in the takes, drops and beavers that follow.
            Event::Answered { player, answer: _ } => Some(Event::Answered { player: *player, answer: None }),
            Event::Opened { .. }
            | Event::RulesChanged { .. }
            | Event::Joined { .. }
            | Event::Left { .. }
            | Event::WentOnBreak { .. }
            | Event::Returned { .. }
            | Event::ProxyNamed { .. }
            | Event::PlayersMerged { .. }
            | Event::StakeSet { .. }
            | Event::StartSet { .. }
            | Event::RollsEntered { .. }
            | Event::OrderDrawn { .. }
            | Event::OrderSet { .. }
            | Event::PartnershipOffered { .. }
            | Event::PartnershipDeclined { .. }
            | Event::PartnershipMade { .. }
            | Event::BoxDeclined { .. }
            | Event::GameStarted { .. }
            | Event::OpeningTied { .. }
            | Event::Doubled { .. }
            | Event::Beavered { .. }
            | Event::Taken { .. }
            | Event::Dropped { .. }
            | Event::CaptainChanged { .. }
            | Event::TakersMovedUp { .. }
            | Event::LoneTaker { .. }
            | Event::ExtraOffered { .. }
            | Event::ExtraPassed { .. }
            | Event::ExtrasGiven { .. }
            | Event::PlayedOn { .. }
            | Event::Settled { .. }
            | Event::Board { .. }
            | Event::GameFinished(_)
            | Event::GameCorrected { .. }
            | Event::Paid { .. }
            | Event::Split { .. }
            | Event::MergedInto { .. }
            | Event::Closed { .. } => Some(event.clone()),
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
            // Dice, lots and hidden answers: whoever could take one back could choose again, knowing it.
            EventKind::Board
            | EventKind::Answered
            | EventKind::PartnershipDeclined
            | EventKind::OrderDrawn => false,
            EventKind::Opened
            | EventKind::RulesChanged
            | EventKind::Joined
            | EventKind::Left
            | EventKind::WentOnBreak
            | EventKind::Returned
            | EventKind::ProxyNamed
            | EventKind::PlayersMerged
            | EventKind::StakeSet
            | EventKind::StartSet
            | EventKind::RollsEntered
            | EventKind::OrderSet
            | EventKind::PartnershipOffered
            | EventKind::PartnershipMade
            | EventKind::BoxDeclined
            | EventKind::GameStarted
            | EventKind::OpeningTied
            | EventKind::Doubled
            | EventKind::Beavered
            | EventKind::Taken
            | EventKind::Dropped
            | EventKind::CaptainChanged
            | EventKind::TakersMovedUp
            | EventKind::LoneTaker
            | EventKind::ExtraOffered
            | EventKind::ExtraPassed
            | EventKind::ExtrasGiven
            | EventKind::PlayedOn
            | EventKind::Settled
            | EventKind::GameFinished
            | EventKind::GameCorrected
            | EventKind::Paid
            | EventKind::Split
            | EventKind::MergedInto
            | EventKind::Closed => true,
        }
    }
}
