//! What others ask of events and commands: whose they are, whom they seat, what else they change. It is answered once for
//! each, so that a new one is thought of here.

use crate::bet::Side;
use crate::command::Command;
use crate::event::EventKind;
use owlbox_base::values::{ChouetteId, PlayerId};

/// A property of a kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EventProperty {
    /// It corrects an earlier entry.
    PuttingRight,
    /// Dice, lots and hidden answers: whoever could take one back could choose again, knowing it. An act that begins
    /// with it is nobody's own.
    Revealing,
    /// Under these keys of its payload there is text that somebody typed.
    Text(&'static [&'static str]),
}

impl EventKind {
    const fn properties(self) -> &'static [EventProperty] {
        use EventProperty::{PuttingRight, Revealing, Text};
        match self {
            Self::Opened => &[Text(&["name"])],
            Self::OrderDrawn | Self::PartnershipDeclined | Self::Answered | Self::Board => &[Revealing],
            Self::GameCorrected => &[PuttingRight],
            Self::RulesChanged
            | Self::Joined
            | Self::Left
            | Self::WentOnBreak
            | Self::Returned
            | Self::ProxyNamed
            | Self::PlayersMerged
            | Self::StakeSet
            | Self::StartSet
            | Self::RollsEntered
            | Self::OrderSet
            | Self::PartnershipOffered
            | Self::PartnershipMade
            | Self::BoxDeclined
            | Self::GameStarted
            | Self::OpeningTied
            | Self::Doubled
            | Self::Beavered
            | Self::Taken
            | Self::Dropped
            | Self::CaptainChanged
            | Self::TakersMovedUp
            | Self::LoneTaker
            | Self::ExtraOffered
            | Self::ExtraPassed
            | Self::ExtrasGiven
            | Self::PlayedOn
            | Self::Settled
            | Self::GameFinished
            | Self::Paid
            | Self::Split
            | Self::MergedInto
            | Self::Closed => &[],
        }
    }

    /// Whether events of this kind correct an earlier entry.
    #[must_use]
    pub fn puts_right(self) -> bool {
        self.properties().contains(&EventProperty::PuttingRight)
    }

    /// Whether an act that begins with such an event is its author's own to take back, or put back.
    pub(super) fn is_authors_own(self) -> bool {
        !self.properties().contains(&EventProperty::Revealing)
    }

    /// The keys of its payload under which there is text that somebody typed.
    pub(super) fn text_keys(self) -> &'static [&'static str] {
        let keys = self.properties().iter().find_map(|property| match property {
            EventProperty::Text(keys) => Some(*keys),
            EventProperty::PuttingRight | EventProperty::Revealing => None,
        });
        keys.unwrap_or_default()
    }
}

/// What others ask of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommandAspects<'c> {
    pub speaks: Speaks,
    pub seating: Seating,
    pub elsewhere: Elsewhere<'c>,
    /// Whether it may come after the night is over: then debts are still paid, and mistakes corrected.
    pub after_the_night: bool,
}

/// The party a command speaks for, by its own fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speaks {
    /// For the table: nobody may give it for themselves.
    #[default]
    ForTable,
    /// For this player: their cube or their seat.
    For(PlayerId),
    /// For one side of the board.
    ForSide(Side),
    /// For the box, who decides whether a tie in the opening roll doubles (C6).
    AboutTie,
}

/// Whom a command seats at its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seating {
    #[default]
    Nobody,
    Player(PlayerId),
    /// The player takes over the duplicate's seat, if they have one.
    InPlaceOf {
        duplicate: PlayerId,
        player: PlayerId,
    },
}

/// What a command changes besides its own table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Elsewhere<'c> {
    #[default]
    Nothing,
    /// It opens a table for these players, under an id that may still have to be given.
    Opens { players: &'c [PlayerId], table: Option<ChouetteId>, name: &'c str },
    /// It seats everybody at this table.
    Seats(ChouetteId),
}

impl Command {
    /// What others ask of it.
    #[must_use]
    pub fn aspects(&self) -> CommandAspects<'_> {
        let usual = CommandAspects::default();
        let speaks = |speaks| CommandAspects { speaks, ..usual };
        let seats = |seating| CommandAspects { seating, ..usual };
        let elsewhere = |elsewhere| CommandAspects { elsewhere, ..usual };
        match self {
            Self::Double { player, .. }
            | Self::Take { player, .. }
            | Self::Drop { player, .. }
            | Self::Beaver { player, .. }
            | Self::GiveExtra { player }
            | Self::PassExtra { player }
            | Self::AcceptPartnership { player }
            | Self::DeclinePartnership { player }
            | Self::DeclineBox { player } => speaks(Speaks::For(*player)),
            Self::Board { by, .. } => speaks(Speaks::ForSide(*by)),
            Self::OpeningTie { .. } => speaks(Speaks::AboutTie),
            Self::Join { player } => seats(Seating::Player(*player)),
            Self::MergePlayers { duplicate, player } => {
                seats(Seating::InPlaceOf { duplicate: *duplicate, player: *player })
            }
            Self::Split { players, table, name } => {
                elsewhere(Elsewhere::Opens { players, table: *table, name })
            }
            Self::MergeInto { table } => elsewhere(Elsewhere::Seats(*table)),
            Self::Pay { .. } | Self::Correct { .. } => CommandAspects { after_the_night: true, ..usual },
            Self::Open { .. } | Self::ChangeRules { .. } | Self::Close {} => usual,
            Self::Leave { .. } | Self::Break { .. } | Self::Return { .. } | Self::NameProxy { .. } => usual,
            Self::SetStake { .. } | Self::SetStart { .. } | Self::OfferPartnership {} => usual,
            Self::DrawOrder {} | Self::EnterRolls { .. } | Self::SetOrder { .. } => usual,
            Self::StartGame { .. } | Self::PlayOn {} | Self::Settle { .. } | Self::Finish { .. } => usual,
        }
    }
}
