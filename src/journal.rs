//! What a stream is: versions, acts, the [`Aggregate`] trait, and undo.
//!
//! A *stream* is the ordered list of everything that happened to one thing: a chouette, the club.
//! What one command did to it is an *act*: one or more events under one [`ActId`], each event with
//! the next [`Version`]. An *aggregate* is the state those events add up to; it decides commands
//! and applies events and does nothing else. [`Stream`] is an aggregate together with its version
//! and what of its history can be taken back.
//!
//! Undo is a command like any other: it is recorded as an act of its own, and can itself be taken
//! back (redo). Nothing is ever deleted. What counts at any moment are the *effective* acts, and the
//! state is their replay:
//!
//! * an ordinary act goes onto the stack of effective acts and ends all hope of redoing;
//! * `undo` takes the newest effective act off, onto the stack of undone ones;
//! * `redo` puts the newest undone act back.
//!
//! The act that opened a stream cannot be undone: without it there is no stream.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::values::{AccountId, ActId, Timestamp};

/// The number of events in a stream so far; the first event makes it 1. It is the `ETag` of the
/// stream, the id of a live frame, and what `If-Match` names.
pub type Version = i64;

/// What a command gets from outside, because the domain reads no clock and draws no chance.
/// Whatever of it matters is recorded in the event.
pub struct Given<'a> {
    /// When the command is carried out.
    pub now: Timestamp,
    /// Where dice and lots come from.
    pub chance: &'a mut dyn Chance,
}

/// A source of uniformly distributed whole numbers: the service's generator, a seeded one, or a
/// test's script.
pub trait Chance {
    /// A number from 0 to `sides - 1`, each equally likely. `sides` is at least 1.
    fn below(&mut self, sides: u32) -> u32;
}

/// The whole contract of a domain object: pure and synchronous.
///
/// `apply` computes no rule: events record outcomes, so a later change of a rule never rewrites
/// history.
pub trait Aggregate: Clone + Send + Sync + 'static {
    /// What can be asked of it.
    type Command;
    /// What can have happened to it. Serialises as an object tagged `"event"`.
    type Event: Clone + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// Why a command was refused.
    type Refusal: std::error::Error;

    /// The kind of stream, as stored: `chouette`, `club`.
    const KIND: &'static str;
    /// The format in which this build writes events; older ones are [upcast](Self::decode).
    const FORMAT: i16 = 1;

    /// The state before the first event.
    fn initial() -> Self;

    /// What `command` makes happen now, or why it may not be.
    ///
    /// # Errors
    /// The refusal, with a stable code; the state is unchanged.
    fn decide(
        &self,
        command: &Self::Command,
        given: &mut Given<'_>,
    ) -> Result<Vec<Self::Event>, Self::Refusal>;

    /// Takes note of `event`. `at` is when it happened.
    fn apply(&mut self, event: &Self::Event, at: Timestamp);

    /// The stored name of an event's kind, the same as its serde tag.
    fn kind(event: &Self::Event) -> &'static str;

    /// Reads an event written in `format`, upcasting old ones.
    ///
    /// # Errors
    /// What is wrong with the payload.
    fn decode(format: i16, payload: &str) -> Result<Self::Event, BrokenHistory> {
        if format != Self::FORMAT {
            return Err(BrokenHistory(format!("{} events of format {format} are unknown", Self::KIND)));
        }
        serde_json::from_str(payload).map_err(|error| BrokenHistory(format!("{} event: {error}", Self::KIND)))
    }
}

/// What one act did to a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed<E> {
    /// It happened: at least one event.
    Events(Vec<E>),
    /// The named act was taken back. One version.
    Undo(ActId),
    /// The named act, undone before, was put back. One version.
    Redo(ActId),
}

impl<E> Deed<E> {
    /// How many versions the deed takes.
    #[must_use]
    pub fn versions(&self) -> Version {
        match self {
            Self::Events(events) => Version::try_from(events.len()).unwrap_or(Version::MAX),
            Self::Undo(_) | Self::Redo(_) => 1,
        }
    }
}

/// One act on one stream, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act<E> {
    /// Its id, shared by whatever else the same command did elsewhere.
    pub id: ActId,
    /// The stream's version after it.
    pub version: Version,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: AccountId,
    /// What.
    pub deed: Deed<E>,
}

/// An act that undo or redo can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The act.
    pub id: ActId,
    /// Who did it.
    pub by: AccountId,
    /// The kind of its first event: `doubled`, `game_finished`.
    pub kind: &'static str,
}

/// A history that cannot have been written by this program: damage, or a later version's work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("broken history: {0}")]
pub struct BrokenHistory(pub String);

/// Why an undo or redo was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotUndo {
    /// There is nothing left to take back, or to put back.
    #[error("there is nothing to take back")]
    Nothing,
    /// The act named is not the newest: later ones depend on it.
    #[error("a later act depends on it; the one that can be named now is {0}")]
    NotTheLast(ActId),
}

/// An aggregate with its version and with what of its history can be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream<A> {
    /// The state that the effective acts add up to.
    pub state: A,
    /// The number of events in the stream, undone ones included.
    pub version: Version,
    effective: Vec<Mark>,
    undone: Vec<Mark>,
}

impl<A: Aggregate> Default for Stream<A> {
    fn default() -> Self {
        Self { state: A::initial(), version: 0, effective: Vec::new(), undone: Vec::new() }
    }
}

impl<A: Aggregate> Stream<A> {
    /// The stream after `acts`, which must be its whole history in order.
    ///
    /// # Errors
    /// A gap in the versions, an empty act, or an undo of what could not be undone.
    pub fn replay(acts: &[Act<A::Event>]) -> Result<Self, BrokenHistory> {
        let mut stream = Self::default();
        for act in acts {
            stream.record(act)?;
        }
        stream.state = Self::state_after(acts, &stream.effective);
        Ok(stream)
    }

    /// Takes note of an ordinary act that follows this history.
    ///
    /// # Errors
    /// As [`replay`](Self::replay); also for an undo or redo, whose state only a replay can tell.
    pub fn extend(&mut self, act: &Act<A::Event>) -> Result<(), BrokenHistory> {
        let Deed::Events(events) = &act.deed else {
            return Err(BrokenHistory("an undo needs the whole history".into()));
        };
        self.record(act)?;
        for event in events {
            self.state.apply(event, act.at);
        }
        Ok(())
    }

    /// The newest act that `undo` takes back, if any.
    #[must_use]
    pub fn undoable(&self) -> Option<&Mark> {
        // The opening act stays.
        if self.effective.len() > 1 { self.effective.last() } else { None }
    }

    /// The newest undone act that `redo` puts back, if any.
    #[must_use]
    pub fn redoable(&self) -> Option<&Mark> {
        self.undone.last()
    }

    /// The acts that count, in order.
    #[must_use]
    pub fn effective(&self) -> &[Mark] {
        &self.effective
    }

    /// The deed that undoes `named`, or the newest act if none is named.
    ///
    /// # Errors
    /// [`CannotUndo`].
    pub fn undo(&self, named: Option<ActId>) -> Result<Deed<A::Event>, CannotUndo> {
        Self::expect_newest(self.undoable(), named).map(Deed::Undo)
    }

    /// The deed that puts back `named`, or what was undone last if none is named.
    ///
    /// # Errors
    /// [`CannotUndo`].
    pub fn redo(&self, named: Option<ActId>) -> Result<Deed<A::Event>, CannotUndo> {
        Self::expect_newest(self.redoable(), named).map(Deed::Redo)
    }

    fn expect_newest(newest: Option<&Mark>, named: Option<ActId>) -> Result<ActId, CannotUndo> {
        let newest = newest.ok_or(CannotUndo::Nothing)?.id;
        match named {
            Some(other) if other != newest => Err(CannotUndo::NotTheLast(newest)),
            _ => Ok(newest),
        }
    }

    /// Moves the marks and the version; leaves the state alone.
    fn record(&mut self, act: &Act<A::Event>) -> Result<(), BrokenHistory> {
        if act.version != self.version + act.deed.versions() || act.deed.versions() == 0 {
            return Err(BrokenHistory(format!(
                "act {} ends at version {} after version {}",
                act.id, act.version, self.version
            )));
        }
        match &act.deed {
            Deed::Events(events) => {
                let kind = events.first().map_or("", A::kind);
                self.effective.push(Mark { id: act.id, by: act.by, kind });
                self.undone.clear();
            }
            Deed::Undo(named) => match self.undoable() {
                Some(mark) if mark.id == *named => self.undone.extend(self.effective.pop()),
                _ => return Err(BrokenHistory(format!("act {} undoes {named}, which it cannot", act.id))),
            },
            Deed::Redo(named) => match self.redoable() {
                Some(mark) if mark.id == *named => self.effective.extend(self.undone.pop()),
                _ => return Err(BrokenHistory(format!("act {} redoes {named}, which it cannot", act.id))),
            },
        }
        self.version = act.version;
        Ok(())
    }

    /// The fold of the effective acts, which come in order but with gaps among all `acts`.
    fn state_after(acts: &[Act<A::Event>], effective: &[Mark]) -> A {
        let mut state = A::initial();
        let mut wanted = effective.iter().peekable();
        for act in acts {
            if wanted.next_if(|mark| mark.id == act.id).is_some()
                && let Deed::Events(events) = &act.deed
            {
                for event in events {
                    state.apply(event, act.at);
                }
            }
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    /// Adds numbers up.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Sum(Vec<i64>);

    impl Aggregate for Sum {
        type Command = i64;
        type Event = i64;
        type Refusal = CannotUndo;
        const KIND: &'static str = "sum";
        fn initial() -> Self {
            Self(Vec::new())
        }
        fn decide(&self, command: &i64, _: &mut Given<'_>) -> Result<Vec<i64>, CannotUndo> {
            Ok(vec![*command])
        }
        fn apply(&mut self, event: &i64, _: Timestamp) {
            self.0.push(*event);
        }
        fn kind(_: &i64) -> &'static str {
            "added"
        }
    }

    fn act(number: u128, version: Version, deed: Deed<i64>) -> Act<i64> {
        Act {
            id: ActId(Uuid::from_u128(number)),
            version,
            at: Timestamp::default_for_tests(),
            by: AccountId(Uuid::nil()),
            deed,
        }
    }

    impl Timestamp {
        fn default_for_tests() -> Self {
            chrono::DateTime::UNIX_EPOCH.into()
        }
    }

    #[test]
    fn undo_walks_back_redo_walks_forth_and_a_new_act_ends_redoing() {
        let id = |number| ActId(Uuid::from_u128(number));
        let mut acts = vec![
            act(1, 1, Deed::Events(vec![1])),
            act(2, 3, Deed::Events(vec![2, 3])),
            act(3, 4, Deed::Events(vec![4])),
            act(4, 5, Deed::Undo(id(3))),
            act(5, 6, Deed::Undo(id(2))),
        ];
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.state, Sum(vec![1]));
        assert_eq!(stream.undo(None), Err(CannotUndo::Nothing), "the opening act stays");
        assert_eq!(stream.redo(Some(id(3))), Err(CannotUndo::NotTheLast(id(2))));

        acts.push(act(6, 7, stream.redo(None).unwrap()));
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.state, Sum(vec![1, 2, 3]));
        assert_eq!(stream.redoable().map(|mark| mark.id), Some(id(3)));

        acts.push(act(7, 8, Deed::Events(vec![9])));
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.state, Sum(vec![1, 2, 3, 9]));
        assert_eq!(stream.redo(None), Err(CannotUndo::Nothing));
        assert_eq!(stream.version, 8);
    }

    #[test]
    fn a_gap_in_the_versions_is_a_broken_history() {
        let acts = [act(1, 1, Deed::Events(vec![1])), act(2, 3, Deed::Events(vec![2]))];
        assert!(Stream::<Sum>::replay(&acts).is_err());
        assert!(Stream::<Sum>::replay(&[act(1, 0, Deed::Events(vec![]))]).is_err());
    }
}
