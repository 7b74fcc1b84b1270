//! What a command requires, and whom a caller may give it for. The commands of each stream, and what each
//! requires, are listed beside that stream's commands.

use std::fmt;

use strum::VariantArray;

use super::Permission;
use super::scopes::LocalPowers;
use crate::journal::HistoryKind;

/// The permissions that a command requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The permission to give it for anybody.
    pub anybody: Permission,
    /// The lesser permission to give it for oneself; `None` if there is no lesser one.
    pub oneself: Option<Permission>,
}

impl Needs {
    /// The same permission for whomever the command is given.
    #[must_use]
    pub const fn only(anybody: Permission) -> Self {
        Self { anybody, oneself: None }
    }

    /// A lesser permission for a caller who gives the command for themselves.
    #[must_use]
    pub const fn or_for_oneself(anybody: Permission, oneself: Permission) -> Self {
        Self { anybody, oneself: Some(oneself) }
    }

    /// Whom a caller with these powers may give the command for.
    #[must_use]
    pub fn scope(self, by: impl Into<LocalPowers>) -> Scope {
        let by = by.into();
        match self {
            Self { anybody, .. } if by.allows(anybody) => Scope::Anybody,
            Self { oneself: Some(oneself), .. } if by.allows(oneself) => Scope::Oneself,
            Self { .. } => Scope::Nobody,
        }
    }
}

/// Whom a caller may give a command for. Ordered from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The caller may not give it at all.
    Nobody,
    /// For themselves only; with undo and redo, their own last acts.
    Oneself,
    /// For anybody at the table; with undo and redo, any acts.
    Anybody,
}

/// A kind of command. Converted to text it is the command's name in JSON.
pub trait CommandKind:
    Copy + Eq + Ord + fmt::Debug + Send + Sync + Into<&'static str> + VariantArray + 'static
{
    /// What undo and redo require in this stream.
    const HISTORY: Needs;

    /// Commands that no caller may send: the service gives them, in the name of the caller who asked for
    /// something else.
    const OF_SERVICE: &'static [Self] = &[];

    fn needs(self) -> Needs;
}

/// A kind of order to a stream: one of its commands, undo or redo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OrderKind<K> {
    /// One of the stream's own commands.
    Command(K),
    /// Undo or redo of one of its acts.
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
    /// Every kind that a caller may send: the commands in their order, then undo and redo.
    pub fn all() -> impl Iterator<Item = Self> {
        let given = K::VARIANTS.iter().filter(|kind| !K::OF_SERVICE.contains(kind));
        given.copied().map(Self::Command).chain([HistoryKind::Undo, HistoryKind::Redo].map(Self::History))
    }

    /// The name as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Command(kind) => kind.into(),
            Self::History(HistoryKind::Undo) => "undo",
            Self::History(HistoryKind::Redo) => "redo",
        }
    }

    #[must_use]
    pub fn needs(self) -> Needs {
        match self {
            Self::Command(kind) => kind.needs(),
            Self::History(_) => K::HISTORY,
        }
    }

    /// Whom a caller with these powers may give it for.
    #[must_use]
    pub fn scope(self, by: impl Into<LocalPowers>) -> Scope {
        self.needs().scope(by)
    }
}
