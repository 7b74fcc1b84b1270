//! What others ask of events and commands: whose they are, whom they seat, what they post, what else they
//! change. It is answered once for each, so that a new one is thought of here.

use crate::bet::Side;
use crate::command::{Command, CommandKind};
use crate::event::EventKind;
use crate::legal::Legal;
use owlbox_base::values::{ChouetteId, PlayerId};

/// What others ask of a kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EventAspect {
    /// It corrects an earlier entry.
    PuttingRight,
    /// Dice, lots and hidden answers: anyone who could take one back could choose again, knowing it. An act
    /// that begins with it is nobody's own.
    Revealing,
    /// It records what follows from it besides what was asked for: [`complete`](crate::outcome::complete).
    Completed,
    /// It is posted to the books.
    Posted,
    /// Under these keys of its payload there is text that somebody typed.
    Text(&'static [&'static str]),
}

impl EventKind {
    const fn aspects(self) -> &'static [EventAspect] {
        use EventAspect::{Completed, Posted, PuttingRight, Revealing, Text};
        match self {
            Self::Opened => &[Text(&["name"])],
            Self::OrderDrawn | Self::PartnershipDeclined | Self::Answered | Self::Board => &[Revealing],
            Self::Left | Self::WentOnBreak | Self::Returned | Self::ProxyNamed | Self::Split => &[Completed],
            Self::Taken | Self::Dropped | Self::Beavered => &[Completed],
            Self::PlayersMerged => &[Completed, Posted],
            Self::GameFinished | Self::Paid => &[Posted],
            Self::GameCorrected => &[PuttingRight, Posted],
            Self::RulesChanged
            | Self::Joined
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
            | Self::CaptainChanged
            | Self::TakersMovedUp
            | Self::LoneTaker
            | Self::ExtraOffered
            | Self::ExtraPassed
            | Self::ExtrasGiven
            | Self::PlayedOn
            | Self::Settled
            | Self::MergedInto
            | Self::Closed => &[],
        }
    }

    /// Whether events of this kind correct an earlier entry.
    #[must_use]
    pub fn puts_right(self) -> bool {
        self.aspects().contains(&EventAspect::PuttingRight)
    }

    /// Whether events of this kind are posted to the books.
    #[must_use]
    pub fn is_posted(self) -> bool {
        self.aspects().contains(&EventAspect::Posted)
    }

    /// Whether such an event records what follows from it.
    pub(super) fn is_completed(self) -> bool {
        self.aspects().contains(&EventAspect::Completed)
    }

    /// Whether an act that begins with such an event is its author's own to take back, or put back.
    pub(super) fn is_authors_own(self) -> bool {
        !self.aspects().contains(&EventAspect::Revealing)
    }

    /// The keys of its payload under which there is text that somebody typed.
    pub(super) fn text_keys(self) -> &'static [&'static str] {
        let keys =
            |aspect: &EventAspect| if let EventAspect::Text(keys) = aspect { Some(*keys) } else { None };
        self.aspects().iter().find_map(keys).unwrap_or_default()
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

impl Legal {
    /// The kind of the command, and the party it speaks for.
    #[must_use]
    pub const fn aspects(&self) -> (CommandKind, Speaks) {
        use Speaks::{AboutTie, For, ForSide, ForTable};
        match self {
            Self::Open {} => (CommandKind::Open, ForTable),
            Self::ChangeRules {} => (CommandKind::ChangeRules, ForTable),
            Self::Close {} => (CommandKind::Close, ForTable),
            Self::Split { .. } => (CommandKind::Split, ForTable),
            Self::MergeInto {} => (CommandKind::MergeInto, ForTable),
            Self::Join {} => (CommandKind::Join, ForTable),
            Self::Leave { .. } => (CommandKind::Leave, ForTable),
            Self::Break { .. } => (CommandKind::Break, ForTable),
            Self::Return { .. } => (CommandKind::Return, ForTable),
            Self::NameProxy { .. } => (CommandKind::NameProxy, ForTable),
            Self::MergePlayers {} => (CommandKind::MergePlayers, ForTable),
            Self::SetStake { .. } => (CommandKind::SetStake, ForTable),
            Self::SetStart { .. } => (CommandKind::SetStart, ForTable),
            Self::DrawOrder {} => (CommandKind::DrawOrder, ForTable),
            Self::EnterRolls { .. } => (CommandKind::EnterRolls, ForTable),
            Self::SetOrder { .. } => (CommandKind::SetOrder, ForTable),
            Self::OfferPartnership {} => (CommandKind::OfferPartnership, ForTable),
            Self::AcceptPartnership { player } => (CommandKind::AcceptPartnership, For(*player)),
            Self::DeclinePartnership { player } => (CommandKind::DeclinePartnership, For(*player)),
            Self::DeclineBox { player } => (CommandKind::DeclineBox, For(*player)),
            Self::StartGame { .. } => (CommandKind::StartGame, ForTable),
            Self::OpeningTie { .. } => (CommandKind::OpeningTie, AboutTie),
            Self::Double { player, .. } => (CommandKind::Double, For(*player)),
            Self::Take { player, .. } => (CommandKind::Take, For(*player)),
            Self::Drop { player, .. } => (CommandKind::Drop, For(*player)),
            Self::Beaver { player, .. } => (CommandKind::Beaver, For(*player)),
            Self::GiveExtra { player } => (CommandKind::GiveExtra, For(*player)),
            Self::PassExtra { player } => (CommandKind::PassExtra, For(*player)),
            Self::PlayOn {} => (CommandKind::PlayOn, ForTable),
            Self::Settle { .. } => (CommandKind::Settle, ForTable),
            Self::Board { by, .. } => (CommandKind::Board, ForSide(*by)),
            Self::Finish { .. } => (CommandKind::Finish, ForTable),
            Self::Correct { .. } => (CommandKind::Correct, ForTable),
            Self::Pay {} => (CommandKind::Pay, ForTable),
        }
    }
}
