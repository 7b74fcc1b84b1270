//! Changes that no program can detect, place by place: of plain records, which are not in the journal. All
//! that is in it, and all that follows from it, is held by hashes.
//!
//! `docs/operations.md` says the same in fewer words.

use super::places::Change;

/// Places, with the reason why their values cannot be known.
pub(super) struct Unknowable {
    /// Each in the form of [`Change::place`]. A `*` at the end stands for anything that follows.
    pub(super) places: &'static [&'static str],
    pub(super) why: &'static str,
}

pub(super) const ALL: &[Unknowable] = &[
    Unknowable {
        places: &[
            "player name",
            "player name_key",
            "player nickname",
            "player country",
            "player club",
            "player contact",
            "player notes",
            "player iban",
        ],
        why: "personal details are plain records, so that a person can be erased",
    },
    Unknowable {
        places: &["idempotency *"],
        why: "which command was sent with which key is a plain record, kept for two days",
    },
];

/// The place on the list that covers a change, if one does.
pub(super) fn listed(change: &Change) -> Option<&'static str> {
    let falls = |place: &&str| match place.strip_suffix('*') {
        Some(beginning) => change.place.starts_with(beginning),
        None => change.place == **place,
    };
    ALL.iter().flat_map(|one| one.places).copied().find(falls)
}
