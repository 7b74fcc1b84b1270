//! The contents of a slot: a player, or what it waits for.

use crate::say::Say;
use owlbox_play::matches::{MatchNo, Slot};
use owlbox_play::tournament::bracket::{EntryNo, Occupant, Pairing, Source};
use owlbox_play::tournament::division::Division;

/// The contents of a slot. The six kinds look and read different from one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotContents {
    Player(EntryNo),
    /// The winner of an undecided match.
    Winner(MatchNo),
    Loser(MatchNo),
    Bye,
    /// The match that feeds this slot has nobody to send.
    Nobody(MatchNo),
    /// The director still has to seat somebody by hand.
    Open,
}

impl SlotContents {
    pub fn new(at: &Pairing, slot: Slot) -> Self {
        match (at.occupant(slot), at.source(slot)) {
            (Occupant::Entry(entry), _) => Self::Player(entry),
            (_, Source::Bye) => Self::Bye,
            (Occupant::Nobody, Source::Winner { of } | Source::Loser { of, .. }) => Self::Nobody(of),
            (_, Source::Winner { of }) => Self::Winner(of),
            (_, Source::Loser { of, .. }) => Self::Loser(of),
            (_, Source::Open | Source::Entry { .. }) => Self::Open,
        }
    }

    /// The CSS class of the slot.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Player(_) => "player",
            Self::Winner(_) => "winner-of",
            Self::Loser(_) => "loser-of",
            Self::Bye => "bye",
            Self::Nobody(_) => "nobody",
            Self::Open => "open",
        }
    }
}

impl Say<'_> {
    /// Who sits in a slot, or what it waits for.
    pub(crate) fn in_slot(&self, of: &Division, is: &SlotContents) -> String {
        match is {
            SlotContents::Player(entry) => self.entrant(of, entry),
            SlotContents::Winner(of) => self.with("slot-winner", "match", of.0),
            SlotContents::Loser(of) => self.with("slot-loser", "match", of.0),
            SlotContents::Bye => self.get("slot-bye"),
            SlotContents::Nobody(of) => self.with("slot-nobody", "match", of.0),
            SlotContents::Open => self.get("slot-open"),
        }
    }
}
