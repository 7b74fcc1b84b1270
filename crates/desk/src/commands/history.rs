//! A command as callers give it: one of the stream's own, or undo or redo.

#[cfg(feature = "schema")]
use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::openapi::{RefOr, Schema};
#[cfg(feature = "schema")]
use utoipa::{PartialSchema, ToSchema};

use crate::Principal;
use owlbox_base::journal::shared::Shared;
use owlbox_base::journal::{ActKind, Aggregate, CannotUndo, HistoryKind, Steps, Stream, UndoEntries};
use owlbox_base::permissions::{CommandKind, OrderKind, Scope};
use owlbox_base::values::{AccountId, ActId};

/// A command of a stream, or undo or redo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Order<C> {
    /// Undoes or redoes one or more acts.
    History(HistoryCommand),
    Command(C),
}

/// Undo and redo, of one act or of several at once. Both are acts like any other, recorded and themselves
/// reversible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum HistoryCommand {
    /// Undoes the newest acts in effect: one, or as many as asked for.
    Undo {
        /// The newest act to undo; absent for whichever that is. Naming it guards against undoing an act you
        /// have not seen.
        #[serde(default)]
        act: Option<ActId>,
        /// The number of acts to undo, newest first: 1 to 1000, by default 1.
        #[serde(default)]
        acts: Steps,
    },
    /// Redoes what was undone last, as long as nothing else has happened since: one act, or as many as asked
    /// for.
    Redo {
        /// The act that was undone last; absent for whichever that is.
        #[serde(default)]
        act: Option<ActId>,
        /// The number of acts to redo, starting with the one undone last: 1 to 1000, by default 1.
        #[serde(default)]
        acts: Steps,
    },
}

impl<C> Order<C> {
    /// The kind of the order, as the permission table and the metrics know it.
    #[must_use]
    pub fn kind<K: CommandKind + for<'c> From<&'c C>>(&self) -> OrderKind<K> {
        match self {
            Self::History(history) => history.kind().into(),
            Self::Command(command) => OrderKind::Command(command.into()),
        }
    }
}

impl HistoryCommand {
    /// Whether it is undo or redo.
    #[must_use]
    pub const fn kind(self) -> HistoryKind {
        match self {
            Self::Undo { .. } => HistoryKind::Undo,
            Self::Redo { .. } => HistoryKind::Redo,
        }
    }

    /// The undo entries of the stream that it can reach, newest first, and how many of them it names.
    pub(crate) fn reach_into<A: Aggregate>(self, stream: &Stream<A>) -> (UndoEntries<'_, A::Kind>, Steps) {
        let (Self::Undo { acts, .. } | Self::Redo { acts, .. }) = self;
        (stream.undo_entries(self.kind()), acts)
    }

    /// Whether every act it would undo or redo is the account's own.
    pub(crate) fn is_of<A: Shared>(self, account: AccountId, stream: &Stream<A>) -> bool {
        let (entries, steps) = self.reach_into(stream);
        let mut named = entries.newest_first().take(steps.acts()).peekable();
        named.peek().is_some() && named.all(|entry| entry.is_own::<A>(account))
    }

    /// The act that results from it on this stream.
    pub(crate) fn act_kind<A: Aggregate>(self, stream: &Stream<A>) -> Result<ActKind<A::Event>, CannotUndo> {
        match self {
            Self::Undo { act, acts } => stream.undo_several(act, acts),
            Self::Redo { act, acts } => stream.redo_several(act, acts),
        }
    }
}

/// How many of `entries`, starting with the newest, the caller may undo or redo at once.
#[must_use]
pub fn steps_for<A: Shared>(scope: Scope, entries: UndoEntries<'_, A::Kind>, principal: &Principal) -> usize {
    let most = Steps::MOST.acts();
    match scope {
        Scope::Anybody => entries.len().min(most),
        Scope::Oneself => {
            let newest = entries.newest_first().take(most);
            newest.take_while(|entry| entry.is_own::<A>(principal.account)).count()
        }
        Scope::Nobody => 0,
    }
}

/// Written by hand because callers should see one flat list: the stream's own commands, and these two.
#[cfg(feature = "schema")]
impl<C: ToSchema> PartialSchema for Order<C> {
    fn schema() -> RefOr<Schema> {
        one_of_both(C::schema(), HistoryCommand::schema())
    }
}

#[cfg(feature = "schema")]
impl<C: ToSchema> ToSchema for Order<C> {
    fn name() -> Cow<'static, str> {
        C::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        C::schemas(schemas);
        HistoryCommand::schemas(schemas);
    }
}

/// One list of the variants of `own` followed by those of `common`, with the description of `own`.
#[cfg(feature = "schema")]
pub fn one_of_both(own: RefOr<Schema>, common: RefOr<Schema>) -> RefOr<Schema> {
    match (own, common) {
        (RefOr::T(Schema::OneOf(mut own)), RefOr::T(Schema::OneOf(common))) => {
            own.items.extend(common.items);
            RefOr::T(Schema::OneOf(own))
        }
        (own, _) => own,
    }
}

/// Written by hand because a derived untagged enum would answer every mistake with "did not match any
/// variant".
impl<'de, C: DeserializeOwned> Deserialize<'de> for Order<C> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let object = serde_json::Value::deserialize(deserializer)?;
        let is_history = matches!(object["command"].as_str(), Some("undo" | "redo"));
        if is_history {
            serde_json::from_value(object).map(Self::History).map_err(D::Error::custom)
        } else {
            serde_json::from_value(object).map(Self::Command).map_err(D::Error::custom)
        }
    }
}
