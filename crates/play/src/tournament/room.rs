//! The room: tables, calls, and the matches that wait.

use rpds::RedBlackTreeMapSync as Map;
use serde::{Deserialize, Serialize};

use super::about::Remark;
use crate::matches::MatchNo;
use owlbox_base::values::Timestamp;

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
    pub division: DivisionNo,
    /// Numbers are counted from 1 within the division.
    #[serde(rename = "match")]
    pub number: MatchNo,
}

/// The number of a table in the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct TableNo(pub u16);

/// Which matches a table takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TableUse {
    /// Any match that is called next.
    #[default]
    Open,
    /// Only matches sent there by hand.
    Reserved,
    /// No match, not even by hand.
    Closed,
}

/// A table of the room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Unique within the room: 1 to 2,000.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 2000))]
    pub table: TableNo,
    #[serde(default, rename = "for")]
    pub used_for: TableUse,
    /// A remark, such as where it stands or for whom it is reserved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Remark>,
}

/// The most tables a room may have.
pub const MOST_TABLES: usize = 2_000;

/// The call of a match to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Call {
    pub table: TableNo,
    pub called_at: Timestamp,
    /// Absent until the match has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub began_at: Option<Timestamp>,
}

/// The room at this moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room {
    pub tables: Map<TableNo, Table>,
    /// Matches called or under way.
    pub calls: Map<MatchRef, Call>,
    /// Matches whose call was put off, with the time until when; `None` means until they are resumed.
    pub postponed: Map<MatchRef, Option<Timestamp>>,
    /// Playable matches by how long they have waited, including those called. A map is used as an ordered
    /// set.
    pub queue: Map<(Timestamp, MatchRef), ()>,
    /// Since when each of them has been playable. The same entries as `queue`, by match.
    pub ready_since: Map<MatchRef, Timestamp>,
}

impl Room {
    /// The tables that are open to all and empty, lowest number first.
    pub fn free_tables(&self) -> impl Iterator<Item = TableNo> {
        let taken: std::collections::BTreeSet<TableNo> = self.calls.values().map(|call| call.table).collect();
        let free = move |table: &&Table| table.used_for == TableUse::Open && !taken.contains(&table.table);
        self.tables.values().filter(free).map(|table| table.table)
    }

    #[must_use]
    pub fn free_table(&self) -> Option<TableNo> {
        self.free_tables().next()
    }

    /// Sets since when a match has been playable; `None` if it is not.
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

    /// Forgets everything about a match except whether it is playable.
    pub fn clear(&mut self, at: MatchRef) {
        self.calls.remove_mut(&at);
        self.postponed.remove_mut(&at);
    }
}
