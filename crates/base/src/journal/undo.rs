//! What of a stream can be taken back: the two stacks of acts, and how an undo is named and refused.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::values::{AccountId, ActId, InvalidValue};

/// An act that undo or redo can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndoEntry<K> {
    pub id: ActId,
    pub by: AccountId,
    /// The kind of its first event: `doubled`, `game_finished`.
    pub kind: K,
}

/// How many acts are taken back, or put back, in one act: 1 to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "u16", into = "u16")]
#[cfg_attr(feature = "schema", schema(value_type = u16, minimum = 1, maximum = 1000, default = 1, example = 3))]
pub struct Steps(u16);

impl Steps {
    /// The newest act alone.
    pub const ONE: Self = Self(1);
    /// The most that one act takes back or puts back.
    pub const MOST: Self = Self(1000);

    /// As a number of acts.
    #[must_use]
    pub fn acts(self) -> usize {
        self.0.into()
    }
}

impl Default for Steps {
    fn default() -> Self {
        Self::ONE
    }
}

impl TryFrom<u16> for Steps {
    type Error = InvalidValue;
    fn try_from(acts: u16) -> Result<Self, InvalidValue> {
        if (Self::ONE.0..=Self::MOST.0).contains(&acts) {
            Ok(Self(acts))
        } else {
            Err(InvalidValue { what: "acts", allowed: "1 to 1000" })
        }
    }
}

impl From<Steps> for u16 {
    fn from(steps: Steps) -> Self {
        steps.0
    }
}

/// A stack of entries, the newest on top. A copy shares all but the newest few, so that what an act costs
/// does not grow with the acts before it.
#[derive(Clone, Debug)]
pub(super) struct Stack<K> {
    /// The newest, fewer than [`Self::SHARED`].
    newest: Vec<UndoEntry<K>>,
    below: Option<Arc<Below<K>>>,
}

/// So many entries that copies share, and those under them.
#[derive(Debug)]
struct Below<K> {
    entries: Vec<UndoEntry<K>>,
    below: Option<Arc<Self>>,
    /// How many there are from here down.
    len: usize,
}

impl<K> Default for Stack<K> {
    fn default() -> Self {
        Self { newest: Vec::new(), below: None }
    }
}

impl<K: Copy> Stack<K> {
    /// How many are shared at once.
    const SHARED: usize = 64;

    pub(super) fn len(&self) -> usize {
        self.newest.len() + self.below.as_ref().map_or(0, |below| below.len)
    }

    pub(super) fn push(&mut self, entry: UndoEntry<K>) {
        self.newest.push(entry);
        if self.newest.len() >= Self::SHARED {
            let len = self.len();
            let entries = std::mem::take(&mut self.newest);
            self.below = Some(Arc::new(Below { entries, below: self.below.take(), len }));
        }
    }

    pub(super) fn pop(&mut self) -> Option<UndoEntry<K>> {
        if self.newest.is_empty()
            && let Some(below) = self.below.take()
        {
            self.newest.clone_from(&below.entries);
            self.below.clone_from(&below.below);
        }
        self.newest.pop()
    }

    /// The last first.
    pub(super) fn newest_first(&self) -> impl Iterator<Item = &UndoEntry<K>> {
        let below = std::iter::successors(self.below.as_deref(), |below| below.below.as_deref());
        self.newest.iter().rev().chain(below.flat_map(|below| below.entries.iter().rev()))
    }
}

impl<K: Copy + Eq> PartialEq for Stack<K> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.newest_first().eq(other.newest_first())
    }
}
impl<K: Copy + Eq> Eq for Stack<K> {}

impl<K> Drop for Below<K> {
    /// One after the other: by itself each would drop the next within itself, and a long night has many.
    fn drop(&mut self) {
        let mut next = self.below.take();
        while let Some(mut below) = next.and_then(Arc::into_inner) {
            next = below.below.take();
        }
    }
}

/// Acts that can be taken back, or put back; which of them next, and how many there are.
#[derive(Clone, Copy, Debug)]
pub struct UndoEntries<'a, K> {
    pub(super) stack: &'a Stack<K>,
    pub(super) len: usize,
}

impl<'a, K: Copy> UndoEntries<'a, K> {
    #[must_use]
    pub const fn len(self) -> usize {
        self.len
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The one that comes first: the newest.
    #[must_use]
    pub fn newest(self) -> Option<&'a UndoEntry<K>> {
        self.newest_first().next()
    }

    /// All of them, the newest first.
    pub fn newest_first(self) -> impl Iterator<Item = &'a UndoEntry<K>> {
        self.stack.newest_first().take(self.len)
    }
}

/// Why an undo or redo was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotUndo {
    /// There is nothing left to take back, or to put back.
    #[error("there is nothing to undo or redo")]
    Nothing,
    /// The act named is not the newest: later ones depend on it.
    #[error("a later act depends on it: the act to name now is {0}")]
    NotTheLast(ActId),
    /// There are fewer acts to take back, or to put back, than asked for.
    #[error("there are only {0} such acts")]
    OnlySoMany(usize),
}

/// The acts that must be taken back, or put back, before one beneath them can be; the newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InTheWay(pub Vec<ActId>);

/// Undo or redo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HistoryKind {
    /// Takes acts back.
    Undo,
    /// Puts acts back.
    Redo,
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Kind;

    #[test]
    fn a_long_history_is_shared_by_its_copies_and_dropped_one_by_one() {
        let id = |number| ActId(Uuid::from_u128(number));
        let entry = |number| UndoEntry { id: id(number), by: AccountId(Uuid::nil()), kind: Kind };
        let mut stack = Stack::default();
        for number in 0..1_000_000 {
            stack.push(entry(number));
        }
        let mut copy = stack.clone();
        assert!(copy.newest.len() < Stack::<Kind>::SHARED);
        assert!(Arc::ptr_eq(copy.below.as_ref().unwrap(), stack.below.as_ref().unwrap()));
        for number in (500..1_000_000).rev() {
            assert_eq!(copy.pop(), Some(entry(number)));
        }
        assert_eq!((copy.len(), stack.len()), (500, 1_000_000));
        copy.push(entry(7));
        assert_eq!(copy.newest_first().nth(1), Some(&entry(499)));
        assert_eq!(stack.newest_first().next(), Some(&entry(999_999)));
        assert_ne!(copy, stack);
    }
}
