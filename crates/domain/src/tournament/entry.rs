//! Who plays in a division.

use serde::{Deserialize, Serialize};

use super::bracket::EntryNo;
use crate::values::PlayerId;

/// How an entry stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schema(as = EntryStanding))]
pub enum EntryStanding {
    /// It plays, or will.
    #[default]
    In,
    /// It came after the draw and waits for a slot.
    Waiting,
    /// It plays its match to the end and then leaves.
    Leaving,
    /// It left.
    Withdrawn,
    /// It was disqualified.
    Disqualified,
    /// Its player has entered again, and plays on under another number.
    EnteredAgain,
}

impl EntryStanding {
    /// Whether it plays no more.
    #[must_use]
    pub const fn is_out(self) -> bool {
        matches!(self, Self::Withdrawn | Self::Disqualified | Self::EnteredAgain)
    }
}

/// One entry of a division.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub player: PlayerId,
    pub standing: EntryStanding,
    /// Has, or had, a slot of the draw.
    pub seated: bool,
    /// Has been seen in the room.
    pub checked_in: bool,
    /// The place on the seeding list, from 1.
    pub seeded: Option<u32>,
    /// The entry of the same player that came before it.
    pub again: Option<EntryNo>,
    /// The side pools it has joined, a bit each.
    pub side_pools: u8,
    /// What it was charged for the pool, in minor units.
    pub into_pool: u64,
    /// What it was charged for the house.
    pub registration: u64,
    /// It left before it had a slot, and was given back what it was charged.
    pub refunded: bool,
    /// The tournament was closed while it waited: what it was charged stays in the pools.
    pub fees_kept: bool,
    /// The last chances that it gave up when a correction brought it back to another flight: a bit for each flight.
    pub given_up: u16,
}

impl Entry {
    /// Whether it has joined this side pool, counted from 0.
    #[must_use]
    pub const fn is_in_pool(&self, pool: u8) -> bool {
        pool < 8 && self.side_pools & (1 << pool) != 0
    }

    /// Whether it has given up the last chance that is this flight, counted from 0.
    #[must_use]
    pub const fn has_given_up(&self, flight: u8) -> bool {
        flight < 16 && self.given_up & (1 << flight) != 0
    }
}
