//! The room: tables, who is called where, and who waits.

use rpds::RedBlackTreeMapSync as Map;
use serde::{Deserialize, Serialize};

use super::about::Line;
use crate::matches::MatchNo;
use crate::values::Timestamp;

/// A division of a tournament, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct DivisionNo(pub u8);

impl Default for DivisionNo {
    fn default() -> Self {
        Self(1)
    }
}

/// A match of a tournament: its division and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MatchRef {
    /// The division.
    pub division: DivisionNo,
    /// The match.
    #[serde(rename = "match")]
    pub number: MatchNo,
}

/// A table of the room, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct TableNo(pub u16);

/// What a table is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TableUse {
    /// Whoever comes next.
    #[default]
    Open,
    /// Only matches that are sent there by hand.
    Reserved,
    /// Nobody.
    Closed,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Its number.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 2000))]
    pub table: TableNo,
    /// What it is for.
    #[serde(default, rename = "for")]
    pub used_for: TableUse,
    /// Where it stands, or for whom it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Line>,
}

/// The most tables of a room.
pub const MOST_TABLES: usize = 2_000;

/// A match that was called to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Call {
    /// Where.
    pub table: TableNo,
    /// When.
    pub called_at: Timestamp,
    /// When it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub began_at: Option<Timestamp>,
}

/// The room as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// The tables in order.
    pub tables: Map<TableNo, Table>,
    /// Matches called, and under way.
    pub calls: Map<MatchRef, Call>,
    /// Those who are to be called later: until when, if it was said.
    pub postponed: Map<MatchRef, Option<Timestamp>>,
    /// Matches that can be played, by the time since when.
    pub queue: Map<(Timestamp, MatchRef), ()>,
    /// Since when each of them can.
    pub ready_since: Map<MatchRef, Timestamp>,
}

impl Room {
    /// The tables that are open and empty, the lowest first.
    pub fn free_tables(&self) -> impl Iterator<Item = TableNo> {
        let taken: std::collections::BTreeSet<TableNo> = self.calls.values().map(|call| call.table).collect();
        let free = move |table: &&Table| table.used_for == TableUse::Open && !taken.contains(&table.table);
        self.tables.values().filter(free).map(|table| table.table)
    }

    /// The lowest table that is open and empty.
    #[must_use]
    pub fn free_table(&self) -> Option<TableNo> {
        self.free_tables().next()
    }

    /// A match can be played now, since then; or cannot any more.
    pub fn can_be_played(&mut self, at: MatchRef, since: Option<Timestamp>) {
        if let Some(before) = self.ready_since.get(&at).copied() {
            self.queue.remove_mut(&(before, at));
            self.ready_since.remove_mut(&at);
        }
        if let Some(since) = since {
            self.queue.insert_mut((since, at), ());
            self.ready_since.insert_mut(at, since);
        }
    }

    /// Nothing is kept of a match any more but that it can be played.
    pub fn clear(&mut self, at: MatchRef) {
        self.calls.remove_mut(&at);
        self.postponed.remove_mut(&at);
    }
}
