//! What a command needs, and for whom somebody may give it. Which commands there are, and what each of them needs, stands
//! beside the commands of each stream.

use std::fmt;

use strum::VariantArray;

use super::roles::Roles;
use super::{Permission, allows};
use crate::journal::HistoryKind;

/// What a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The permission to give it for anybody.
    pub anybody: Permission,
    /// The permission to give it for oneself, where that is less.
    pub oneself: Option<Permission>,
}

impl Needs {
    /// The same for whomever it is given.
    #[must_use]
    pub const fn only(anybody: Permission) -> Self {
        Self { anybody, oneself: None }
    }

    /// Less for oneself.
    #[must_use]
    pub const fn or_for_oneself(anybody: Permission, oneself: Permission) -> Self {
        Self { anybody, oneself: Some(oneself) }
    }

    /// For whom somebody with `roles` may give it.
    #[must_use]
    pub const fn scope(self, roles: Roles) -> Scope {
        match self {
            Self { anybody, .. } if allows(roles, anybody) => Scope::Anybody,
            Self { oneself: Some(oneself), .. } if allows(roles, oneself) => Scope::Oneself,
            Self { .. } => Scope::Nobody,
        }
    }
}

/// For whom somebody may give a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// For nobody.
    Nobody,
    /// For himself alone; of undo and redo: his own last acts.
    Oneself,
    /// For anybody at the table; of undo and redo: any acts.
    Anybody,
}

/// A kind of command: as text, its name in JSON.
pub trait CommandKind:
    Copy + Eq + Ord + fmt::Debug + Send + Sync + Into<&'static str> + VariantArray + 'static
{
    /// What undo and redo need in such a stream.
    const HISTORY: Needs;

    /// Those that nobody asks for: the service says them, in the name of whoever asked for something else.
    const OF_SERVICE: &'static [Self] = &[];

    /// What it needs.
    fn needs(self) -> Needs;
}

/// A kind of what can be asked of a stream: a command of its own, undo or redo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OrderKind<K> {
    /// A command of the stream's own.
    Command(K),
    /// Of its history.
    History(HistoryKind),
}

impl<K: CommandKind> From<K> for OrderKind<K> {
    fn from(kind: K) -> Self {
        Self::Command(kind)
    }
}

impl<K> From<HistoryKind> for OrderKind<K> {
    fn from(kind: HistoryKind) -> Self {
        Self::History(kind)
    }
}

impl<K: CommandKind> OrderKind<K> {
    /// All that people can ask for, in the order of the commands.
    pub fn all() -> impl Iterator<Item = Self> {
        let given = K::VARIANTS.iter().filter(|kind| !K::OF_SERVICE.contains(kind));
        given.copied().map(Self::Command).chain([HistoryKind::Undo, HistoryKind::Redo].map(Self::History))
    }

    /// The name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Command(kind) => kind.into(),
            Self::History(HistoryKind::Undo) => "undo",
            Self::History(HistoryKind::Redo) => "redo",
        }
    }

    /// What it needs.
    #[must_use]
    pub fn needs(self) -> Needs {
        match self {
            Self::Command(kind) => kind.needs(),
            Self::History(_) => K::HISTORY,
        }
    }

    /// For whom somebody with `roles` may give it.
    #[must_use]
    pub fn scope(self, roles: Roles) -> Scope {
        self.needs().scope(roles)
    }
}
