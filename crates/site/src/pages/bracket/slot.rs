//! The contents of a slot: a player, or what it waits for.

use super::BracketLookup;
use owlbox_locale::Locale;
use owlbox_play::matches::Slot;
use owlbox_play::tournament::bracket::{EntryNo, Occupant, Pairing, Source};

/// The contents of a slot. The six kinds look and read different from one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotContents {
    Player,
    /// The winner of an undecided match.
    Winner,
    Loser,
    Bye,
    /// The match that feeds this slot has nobody to send.
    Nobody,
    /// The director still has to seat somebody by hand.
    Open,
}

impl SlotContents {
    /// The CSS class of the slot.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Winner => "winner-of",
            Self::Loser => "loser-of",
            Self::Bye => "bye",
            Self::Nobody => "nobody",
            Self::Open => "open",
        }
    }
}

/// Who sits in a slot, or what it waits for, in words.
#[must_use]
pub fn slot_name(t: &Locale, known: &BracketLookup<'_>, at: &Pairing, slot: Slot) -> String {
    in_slot(t, known, at, slot).1
}

/// An entry's name on paper, with its seed.
pub(super) fn seeded_name(known: &BracketLookup<'_>, entry: EntryNo) -> String {
    let name = (known.name)(entry);
    (known.seed)(entry).map_or(name.clone(), |seed| format!("[{seed}] {name}"))
}

/// The contents of a slot: their kind, and the same in words.
pub(super) fn in_slot(
    t: &Locale,
    known: &BracketLookup<'_>,
    at: &Pairing,
    slot: Slot,
) -> (SlotContents, String) {
    match (at.occupant(slot), at.source(slot)) {
        (Occupant::Entry(entry), _) => (SlotContents::Player, (known.name)(entry)),
        (_, Source::Bye) => (SlotContents::Bye, t.get("slot-bye")),
        (Occupant::Nobody, Source::Winner { of } | Source::Loser { of, .. }) => {
            (SlotContents::Nobody, t.with("slot-nobody", "match", of.0))
        }
        (_, Source::Winner { of }) => (SlotContents::Winner, t.with("slot-winner", "match", of.0)),
        (_, Source::Loser { of, .. }) => (SlotContents::Loser, t.with("slot-loser", "match", of.0)),
        (_, Source::Open | Source::Entry { .. }) => (SlotContents::Open, t.get("slot-open")),
    }
}
