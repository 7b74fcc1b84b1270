//! The entries of a division. A player who enters again has a new entry, linked to the one before.

use serde::{Deserialize, Serialize};

use super::bracket::EntryNo;
use owlbox_base::values::PlayerId;

/// The standing of an entry in its division.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum EntryStanding {
    /// It plays, or will play.
    #[default]
    In,
    /// It has no slot: it came after the draw, or was left out of it.
    Waiting,
    /// It leaves after its current match.
    Leaving,
    /// It withdrew from the division.
    Withdrawn,
    /// It was disqualified from the division.
    Disqualified,
    /// Its player entered again and plays on under another number.
    EnteredAgain,
}

impl EntryStanding {
    /// Whether it no longer plays.
    #[must_use]
    pub const fn is_out(self) -> bool {
        matches!(self, Self::Withdrawn | Self::Disqualified | Self::EnteredAgain)
    }
}

/// An entry of a division.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub player: PlayerId,
    pub standing: EntryStanding,
    /// Whether it has, or had, a slot in a draw.
    pub seated: bool,
    /// Whether it has been seen in the room.
    pub checked_in: bool,
    /// The place on the seeding list, from 1; `None` if not seeded.
    pub seeded: Option<u32>,
    /// The same player's previous entry; `None` for a first entry.
    pub again: Option<EntryNo>,
    /// The side pools it has joined: bit 0 is the first pool.
    pub side_pools: u8,
    /// What it was charged for the pool and not refunded, in minor units.
    pub into_pool: u64,
    /// What it was charged for the house and not refunded, in minor units.
    pub registration: u64,
    /// Whether it left before it had a slot and was refunded.
    pub refunded: bool,
    /// Whether it still waited when the tournament was closed, so that its fees stay in the pools.
    pub fees_kept: bool,
    /// The last chances it gave up when a correction put it back into another flight: one bit for each
    /// flight.
    pub given_up: u16,
}

impl Entry {
    /// Whether it has joined this side pool, counted from 0.
    #[must_use]
    pub const fn is_in_pool(&self, pool: u8) -> bool {
        pool < 8 && self.side_pools & (1 << pool) != 0
    }

    /// Whether it has given up the last chance with this flight number, counted from 0.
    #[must_use]
    pub const fn has_given_up(&self, flight: u8) -> bool {
        flight < 16 && self.given_up & (1 << flight) != 0
    }
}
