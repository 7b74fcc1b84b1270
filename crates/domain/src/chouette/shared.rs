//! Redaction of a table's events: every viewer of the table sees all of them, except for answers given in
//! secret.

use super::event::{EventKind, FinishedGame};
use super::{Chouette, Event};
use crate::journal::ActKind;
use crate::journal::erasure::FreeText;
use crate::journal::shared::{Shared, Viewer};
use crate::values::{AccountId, ChouetteId};

impl Shared for Chouette {
    type Id = ChouetteId;

    fn shown_to(event: &Event, _: &Viewer) -> Option<Event> {
        match event {
            // Who has answered, never what: that comes out in the takes, drops and beavers that follow.
            Event::Answered { player, answer: _ } => Some(Event::Answered { player: *player, answer: None }),
            Event::Opened { name: _, night: _, stake: _, rules: _, from: _ }
            | Event::RulesChanged { rules: _, seats: _ }
            | Event::Joined { player: _, seats: _ }
            | Event::Left { player: _, seats: _, proxy: _, may_decline: _, asked: _ }
            | Event::WentOnBreak { player: _, seats: _, proxy: _, may_decline: _, asked: _ }
            | Event::Returned { player: _, seats: _, may_decline: _ }
            | Event::ProxyNamed { player: _, proxy: _, asked: _ }
            | Event::PlayersMerged {
                duplicate: _,
                player: _,
                seats: _,
                bets: _,
                payments: _,
                may_decline: _,
            }
            | Event::StakeSet { player: _, units: _ }
            | Event::StartSet { player: _, value: _ }
            | Event::RollsEntered { rolls: _, seats: _ }
            | Event::OrderDrawn { rounds: _, seats: _ }
            | Event::OrderSet { seats: _ }
            | Event::PartnershipOffered { to: _ }
            | Event::PartnershipDeclined { player: _ }
            | Event::PartnershipMade { player: _, drawn: _, seats: _ }
            | Event::BoxDeclined { player: _, seats: _, stood_up: _ }
            | Event::GameStarted {
                game: _,
                box_player: _,
                captain: _,
                partners: _,
                bets: _,
                carried: _,
                refereed: _,
                on_board: _,
                seats: _,
            }
            | Event::OpeningTied { bets: _, automatic: _ }
            | Event::Doubled { player: _, bets: _ }
            | Event::Beavered { player: _, number: _, bets: _, captain: _ }
            | Event::Taken { player: _, bets: _, captain: _ }
            | Event::Dropped { player: _, bets: _, captain: _ }
            | Event::CaptainChanged { captain: _, members: _ }
            | Event::TakersMovedUp { members: _ }
            | Event::LoneTaker { player: _, then: _ }
            | Event::ExtraOffered { player: _ }
            | Event::ExtraPassed { player: _ }
            | Event::ExtrasGiven { taker: _, extras: _ }
            | Event::PlayedOn {}
            | Event::Settled { bets: _ }
            | Event::Board { of: _ }
            | Event::GameFinished(FinishedGame {
                game: _,
                winner: _,
                win: _,
                bets: _,
                line: _,
                partners: _,
                stood_up: _,
                may_decline: _,
            })
            | Event::GameCorrected { game: _, winner: _, win: _, before: _, after: _, cubes: _ }
            | Event::Paid { payer: _, payee: _, amount: _ }
            | Event::Split { table: _, players: _, seats: _, may_decline: _ }
            | Event::MergedInto { table: _ }
            | Event::Closed {} => Some(event.clone()),
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

impl FreeText for Chouette {
    fn text_keys(kind: EventKind) -> &'static [&'static str] {
        match kind {
            EventKind::Opened => &["name"],
            EventKind::RulesChanged
            | EventKind::Joined
            | EventKind::Left
            | EventKind::WentOnBreak
            | EventKind::Returned
            | EventKind::ProxyNamed
            | EventKind::PlayersMerged
            | EventKind::StakeSet
            | EventKind::StartSet
            | EventKind::RollsEntered
            | EventKind::OrderDrawn
            | EventKind::OrderSet
            | EventKind::PartnershipOffered
            | EventKind::PartnershipDeclined
            | EventKind::PartnershipMade
            | EventKind::BoxDeclined
            | EventKind::GameStarted
            | EventKind::OpeningTied
            | EventKind::Doubled
            | EventKind::Beavered
            | EventKind::Answered
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
            | EventKind::Board
            | EventKind::GameCorrected
            | EventKind::Paid
            | EventKind::Split
            | EventKind::MergedInto
            | EventKind::GameFinished
            | EventKind::Closed => &[],
        }
    }
}
