//! What others ask of a kind of event, answered once for each, so that a new one is thought of here.

use super::event::EventKind;

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
