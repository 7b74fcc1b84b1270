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
//! * `undo` takes the newest effective acts off, one or several, onto the stack of undone ones;
//! * `redo` puts the newest undone acts back, one or several.
//!
//! An act may also [stand aside](Aggregate::stands_aside): what somebody says that decides nothing. It counts whatever is
//! taken back around it, is in nobody's way, ends no hope of redoing, and makes nothing stale that was seen before it.
//!
//! The act that opened a stream cannot be undone by itself: without it there is no stream. But an act may be one of
//! several streams - a table that is split opens another - and is taken back in all of them or in none: then the
//! stream that it opened is as it was before, not open ([`Stream::undo_with`]).

pub mod again;
pub mod shared;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

pub use owlbox_engine::Chance;

use crate::values::{AccountId, ActId, InvalidValue, Timestamp};

/// The number of events in a stream so far; the first event makes it 1. It is the `ETag` of the
/// stream, the id of a live frame, and what `If-Match` names.
pub type Version = i64;

/// What a command gets from outside, because the domain reads no clock and draws no chance.
/// Whatever of it matters is recorded in the event.
pub struct Inputs<'a> {
    /// When the command is carried out.
    pub now: Timestamp,
    /// Where dice and lots come from.
    pub chance: &'a mut dyn Chance,
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
    /// What kind an event is; as text what it is stored under, the same as its serde tag.
    type Kind: EventKind + for<'e> From<&'e Self::Event>;
    /// Why a command was refused.
    type Refusal: std::error::Error;

    /// The kind of stream, as stored: `chouette`, `club`.
    const KIND: &'static str;
    /// The format in which this build writes events; older ones are [upcast](Self::decode). It is raised when events take another
    /// form, and when a command comes to something else than before: what was decided otherwise then is known by it, and not
    /// [decided again](again).
    const FORMAT: i16 = 1;
    /// The oldest format whose events have the form of today's.
    const SAME_FORM_SINCE: i16 = Self::FORMAT;

    /// The state before the first event.
    fn initial() -> Self;

    /// What `command` makes happen now, or why it may not be.
    ///
    /// # Errors
    /// The refusal, with a stable code; the state is unchanged.
    fn decide(
        &self,
        command: &Self::Command,
        inputs: &mut Inputs<'_>,
    ) -> Result<Vec<Self::Event>, Self::Refusal>;

    /// Takes note of `event`. `at` is when it happened.
    fn apply(&mut self, event: &Self::Event, at: Timestamp);

    /// Whether an act of such events alone stands aside of what can be taken back. Applied to a state in which other acts
    /// were taken back, such an event must do no harm.
    fn stands_aside(_event: &Self::Event) -> bool {
        false
    }

    /// Reads an event written in `format`, upcasting old ones.
    ///
    /// # Errors
    /// What is wrong with the payload.
    fn decode(format: i16, payload: &str) -> Result<Self::Event, BrokenHistory> {
        if !(Self::SAME_FORM_SINCE..=Self::FORMAT).contains(&format) {
            return Err(BrokenHistory(format!("{} events of format {format} are unknown", Self::KIND)));
        }
        serde_json::from_str(payload).map_err(|error| BrokenHistory(format!("{} event: {error}", Self::KIND)))
    }
}

/// What kind an event of some stream is.
pub trait EventKind: Copy + Eq + std::fmt::Debug + Send + Sync + Into<&'static str> + VariantArray {}
impl<K: Copy + Eq + std::fmt::Debug + Send + Sync + Into<&'static str> + VariantArray> EventKind for K {}

/// What an event is stored under.
#[must_use]
pub fn kind_of<A: Aggregate>(event: &A::Event) -> &'static str {
    A::Kind::from(event).into()
}

/// What the events of a stream are stored under: every kind there is.
pub fn kinds_of<A: Aggregate>() -> impl Iterator<Item = &'static str> {
    A::Kind::VARIANTS.iter().map(|kind| (*kind).into())
}

/// What `commands`, one after the other, make happen to `state`.
///
/// # Errors
/// The refusal of the first that is refused.
pub fn decide_all<A: Aggregate>(
    state: &A,
    commands: &[A::Command],
    inputs: &mut Inputs<'_>,
) -> Result<Vec<A::Event>, A::Refusal> {
    let (last, first) = match commands {
        [] => return Ok(Vec::new()),
        [only] => return state.decide(only, inputs),
        [first @ .., last] => (last, first),
    };
    let mut state = state.clone();
    let mut all = Vec::new();
    for command in first {
        let events = state.decide(command, inputs)?;
        events.iter().for_each(|event| state.apply(event, inputs.now));
        all.extend(events);
    }
    all.extend(state.decide(last, inputs)?);
    Ok(all)
}

/// What one act did to a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActKind<E> {
    /// It happened: at least one event.
    Events(Vec<E>),
    /// The named acts were taken back, the newest first: at least one. One version each.
    Undo(Vec<ActId>),
    /// The named acts, undone before, were put back, the oldest first: at least one. One version each.
    Redo(Vec<ActId>),
}

impl<E> ActKind<E> {
    /// How many versions the act takes.
    #[must_use]
    pub fn versions(&self) -> Version {
        let entries = match self {
            Self::Events(events) => events.len(),
            Self::Undo(acts) | Self::Redo(acts) => acts.len(),
        };
        Version::try_from(entries).unwrap_or(Version::MAX)
    }
}

/// One act on one stream, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act<E> {
    /// Its id, shared by whatever else the same command did elsewhere.
    pub id: ActId,
    /// The stream's version after it.
    pub version: Version,
    pub at: Timestamp,
    pub by: AccountId,
    pub kind: ActKind<E>,
}

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

/// A stack of marks, the newest on top. A copy shares all but the newest few, so that what an act costs does not grow
/// with the acts before it.
#[derive(Clone, Debug)]
struct Stack<K> {
    /// The newest, fewer than [`Self::SHARED`].
    newest: Vec<UndoEntry<K>>,
    below: Option<Arc<Below<K>>>,
}

/// So many marks that copies share, and those under them.
#[derive(Debug)]
struct Below<K> {
    marks: Vec<UndoEntry<K>>,
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

    fn len(&self) -> usize {
        self.newest.len() + self.below.as_ref().map_or(0, |below| below.len)
    }

    fn push(&mut self, mark: UndoEntry<K>) {
        self.newest.push(mark);
        if self.newest.len() >= Self::SHARED {
            let len = self.len();
            let marks = std::mem::take(&mut self.newest);
            self.below = Some(Arc::new(Below { marks, below: self.below.take(), len }));
        }
    }

    fn pop(&mut self) -> Option<UndoEntry<K>> {
        if self.newest.is_empty()
            && let Some(below) = self.below.take()
        {
            self.newest.clone_from(&below.marks);
            self.below.clone_from(&below.below);
        }
        self.newest.pop()
    }

    /// The last first.
    fn newest_first(&self) -> impl Iterator<Item = &UndoEntry<K>> {
        let below = std::iter::successors(self.below.as_deref(), |below| below.below.as_deref());
        self.newest.iter().rev().chain(below.flat_map(|below| below.marks.iter().rev()))
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
    stack: &'a Stack<K>,
    len: usize,
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
    /// There are fewer acts to take back, or to put back, than asked for.
    #[error("there are only {0} of them")]
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

/// An aggregate with its version and with what of its history can be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream<A: Aggregate> {
    /// The state that the effective acts add up to.
    pub state: A,
    /// The number of events in the stream, undone ones included.
    pub version: Version,
    /// The version after the last act that does not stand aside.
    decided: Version,
    effective: Stack<A::Kind>,
    undone: Stack<A::Kind>,
}

impl<A: Aggregate> Default for Stream<A> {
    fn default() -> Self {
        Self {
            state: A::initial(),
            version: 0,
            decided: 0,
            effective: Stack::default(),
            undone: Stack::default(),
        }
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
        stream.state = Self::state_after(acts, stream.effective());
        Ok(stream)
    }

    /// Takes note of an ordinary act that follows this history.
    ///
    /// # Errors
    /// As [`replay`](Self::replay); also for an undo or redo, whose state only a replay can tell.
    pub fn extend(&mut self, act: &Act<A::Event>) -> Result<(), BrokenHistory> {
        let ActKind::Events(events) = &act.kind else {
            return Err(BrokenHistory("an undo needs the whole history".into()));
        };
        self.record(act)?;
        for event in events {
            self.state.apply(event, act.at);
        }
        Ok(())
    }

    /// Whether who saw the stream at `version` saw all that has been decided since: only acts that stand aside came after.
    #[must_use]
    pub const fn is_as_at(&self, version: Version) -> bool {
        self.decided <= version && version <= self.version
    }

    /// The acts that `undo` can take back.
    #[must_use]
    pub fn undoable(&self) -> UndoEntries<'_, A::Kind> {
        // The opening act stays.
        UndoEntries { stack: &self.effective, len: self.effective.len().saturating_sub(1) }
    }

    /// The undone acts that `redo` can put back.
    #[must_use]
    pub fn redoable(&self) -> UndoEntries<'_, A::Kind> {
        UndoEntries { stack: &self.undone, len: self.undone.len() }
    }

    /// The acts that it can reach, beginning with the last.
    #[must_use]
    pub fn marks(&self, kind: HistoryKind) -> UndoEntries<'_, A::Kind> {
        match kind {
            HistoryKind::Undo => self.undoable(),
            HistoryKind::Redo => self.redoable(),
        }
    }

    #[must_use]
    pub fn effective(&self) -> UndoEntries<'_, A::Kind> {
        UndoEntries { stack: &self.effective, len: self.effective.len() }
    }

    /// The act that undoes `named`, or the newest act if none is named.
    ///
    /// # Errors
    /// [`CannotUndo`].
    pub fn undo(&self, named: Option<ActId>) -> Result<ActKind<A::Event>, CannotUndo> {
        self.undo_several(named, Steps::ONE)
    }

    /// The act that puts back `named`, or what was undone last if none is named.
    ///
    /// # Errors
    /// [`CannotUndo`].
    pub fn redo(&self, named: Option<ActId>) -> Result<ActKind<A::Event>, CannotUndo> {
        self.redo_several(named, Steps::ONE)
    }

    /// The act that undoes so many acts at once, of which `named`, if given, must be the newest.
    ///
    /// # Errors
    /// [`CannotUndo`].
    pub fn undo_several(&self, named: Option<ActId>, steps: Steps) -> Result<ActKind<A::Event>, CannotUndo> {
        Self::newest(self.undoable(), named, steps).map(ActKind::Undo)
    }

    /// The act that puts back so many acts at once, of which `named`, if given, must be the one undone
    /// last.
    ///
    /// # Errors
    /// [`CannotUndo`].
    pub fn redo_several(&self, named: Option<ActId>, steps: Steps) -> Result<ActKind<A::Event>, CannotUndo> {
        Self::newest(self.redoable(), named, steps).map(ActKind::Redo)
    }

    /// The acts that take back what of `acts`, which are taken back in another stream, counts in this one: perhaps
    /// nothing. Here the act that opened the stream can be among them.
    ///
    /// # Errors
    /// Later acts of this stream are [in the way](InTheWay).
    pub fn undo_with(&self, acts: &BTreeSet<ActId>) -> Result<Vec<ActId>, InTheWay> {
        Self::on_top(&self.effective, acts)
    }

    /// The acts that put back what of `acts`, which are put back in another stream, is undone in this one: perhaps
    /// nothing.
    ///
    /// # Errors
    /// What was undone later here is [in the way](InTheWay), or what has happened since, of which the newest is named.
    pub fn redo_with(&self, acts: &BTreeSet<ActId>) -> Result<Vec<ActId>, InTheWay> {
        let kept = self.effective.newest_first().chain(self.undone.newest_first());
        let kept = kept.filter(|mark| acts.contains(&mark.id)).count();
        if kept < acts.len() {
            return Err(InTheWay(self.effective().newest().map(|mark| mark.id).into_iter().collect()));
        }
        Self::on_top(&self.undone, acts)
    }

    /// Those of `acts` that are on a stack, the last first, if nothing else is on top of them.
    fn on_top(stack: &Stack<A::Kind>, acts: &BTreeSet<ActId>) -> Result<Vec<ActId>, InTheWay> {
        let marks: Vec<ActId> = stack.newest_first().map(|mark| mark.id).collect();
        let deepest = marks.iter().rposition(|act| acts.contains(act)).map_or(0, |at| at + 1);
        let (named, others): (Vec<ActId>, Vec<ActId>) =
            marks.into_iter().take(deepest).partition(|act| acts.contains(act));
        if others.is_empty() { Ok(named) } else { Err(InTheWay(others)) }
    }

    /// So many acts off the end of a stack, the last first.
    fn newest(
        stack: UndoEntries<'_, A::Kind>,
        named: Option<ActId>,
        steps: Steps,
    ) -> Result<Vec<ActId>, CannotUndo> {
        let newest = stack.newest().ok_or(CannotUndo::Nothing)?.id;
        if named.is_some_and(|named| named != newest) {
            return Err(CannotUndo::NotTheLast(newest));
        }
        if steps.acts() > stack.len() {
            return Err(CannotUndo::OnlySoMany(stack.len()));
        }
        Ok(stack.newest_first().take(steps.acts()).map(|mark| mark.id).collect())
    }

    /// Moves the marks and the version; leaves the state alone.
    fn record(&mut self, act: &Act<A::Event>) -> Result<(), BrokenHistory> {
        if act.version != self.version + act.kind.versions() || act.kind.versions() == 0 {
            return Err(BrokenHistory(format!(
                "act {} ends at version {} after version {}",
                act.id, act.version, self.version
            )));
        }
        match &act.kind {
            kind if stands_aside::<A>(kind) => {
                self.version = act.version;
                return Ok(());
            }
            ActKind::Events(events) => {
                if let Some(first) = events.first() {
                    self.effective.push(UndoEntry { id: act.id, by: act.by, kind: first.into() });
                }
                self.undone = Stack::default();
            }
            ActKind::Undo(acts) => {
                for named in acts {
                    expect_last(self.effective(), *named, act.id)?;
                    self.effective.pop().into_iter().for_each(|mark| self.undone.push(mark));
                }
            }
            ActKind::Redo(acts) => {
                for named in acts {
                    expect_last(self.redoable(), *named, act.id)?;
                    self.undone.pop().into_iter().for_each(|mark| self.effective.push(mark));
                }
            }
        }
        (self.version, self.decided) = (act.version, act.version);
        Ok(())
    }

    /// The fold of the effective acts, which come in order but with gaps among all `acts`, and of those that stand aside.
    fn state_after(acts: &[Act<A::Event>], effective: UndoEntries<'_, A::Kind>) -> A {
        let mut state = A::initial();
        let newest_first: Vec<&UndoEntry<A::Kind>> = effective.newest_first().collect();
        let mut wanted = newest_first.into_iter().rev().peekable();
        for act in acts {
            let counts = wanted.next_if(|mark| mark.id == act.id).is_some() || stands_aside::<A>(&act.kind);
            if counts && let ActKind::Events(events) = &act.kind {
                for event in events {
                    state.apply(event, act.at);
                }
            }
        }
        state
    }
}

/// Whether nothing is in what an act did that can be taken back.
fn stands_aside<A: Aggregate>(kind: &ActKind<A::Event>) -> bool {
    matches!(kind, ActKind::Events(events) if !events.is_empty() && events.iter().all(A::stands_aside))
}

/// Whether `named` is at the end of a stack, from where `by` moves it.
fn expect_last<K: Copy>(stack: UndoEntries<'_, K>, named: ActId, by: ActId) -> Result<(), BrokenHistory> {
    match stack.newest() {
        Some(mark) if mark.id == named => Ok(()),
        _ => Err(BrokenHistory(format!("act {by} takes back or puts back {named}, which it cannot"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use uuid::Uuid;

    /// A number that stands aside.
    const ASIDE: i64 = -7;

    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Sum(Vec<i64>);

    #[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, VariantArray)]
    enum Added {
        Number,
    }

    impl From<&i64> for Added {
        fn from(_: &i64) -> Self {
            Self::Number
        }
    }

    impl Aggregate for Sum {
        type Command = i64;
        type Event = i64;
        type Kind = Added;
        type Refusal = CannotUndo;
        const KIND: &'static str = "sum";
        fn initial() -> Self {
            Self(Vec::new())
        }
        fn decide(&self, command: &i64, _: &mut Inputs<'_>) -> Result<Vec<i64>, CannotUndo> {
            Ok(vec![*command])
        }
        fn apply(&mut self, event: &i64, _: Timestamp) {
            self.0.push(*event);
        }
        fn stands_aside(event: &i64) -> bool {
            *event == ASIDE
        }
    }

    fn act(number: u128, version: Version, kind: ActKind<i64>) -> Act<i64> {
        Act {
            id: ActId(Uuid::from_u128(number)),
            version,
            at: Timestamp::default_for_tests(),
            by: AccountId(Uuid::nil()),
            kind,
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
            act(1, 1, ActKind::Events(vec![1])),
            act(2, 3, ActKind::Events(vec![2, 3])),
            act(3, 4, ActKind::Events(vec![4])),
            act(4, 5, ActKind::Undo(vec![id(3)])),
            act(5, 6, ActKind::Undo(vec![id(2)])),
        ];
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.state, Sum(vec![1]));
        assert_eq!(stream.undo(None), Err(CannotUndo::Nothing), "the opening act stays");
        assert_eq!(stream.redo(Some(id(3))), Err(CannotUndo::NotTheLast(id(2))));

        acts.push(act(6, 7, stream.redo(None).unwrap()));
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.state, Sum(vec![1, 2, 3]));
        assert_eq!(stream.redoable().newest().map(|mark| mark.id), Some(id(3)));

        acts.push(act(7, 8, ActKind::Events(vec![9])));
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.state, Sum(vec![1, 2, 3, 9]));
        assert_eq!(stream.redo(None), Err(CannotUndo::Nothing));
        assert_eq!(stream.version, 8);
    }

    #[test]
    fn a_gap_in_the_versions_is_a_broken_history() {
        let acts = [act(1, 1, ActKind::Events(vec![1])), act(2, 3, ActKind::Events(vec![2]))];
        assert!(Stream::<Sum>::replay(&acts).is_err());
        assert!(Stream::<Sum>::replay(&[act(1, 0, ActKind::Events(vec![]))]).is_err());
    }

    #[test]
    fn one_act_takes_back_or_puts_back_several_and_each_has_a_version() {
        let id = |number| ActId(Uuid::from_u128(number));
        let mut acts = vec![
            act(1, 1, ActKind::Events(vec![1])),
            act(2, 3, ActKind::Events(vec![2, 3])),
            act(3, 4, ActKind::Events(vec![4])),
            act(4, 5, ActKind::Events(vec![5])),
        ];
        let steps = |acts| Steps::try_from(acts).unwrap();
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(
            stream.undo_several(None, steps(4)),
            Err(CannotUndo::OnlySoMany(3)),
            "the opening act stays"
        );
        assert_eq!(stream.undo_several(Some(id(3)), steps(2)), Err(CannotUndo::NotTheLast(id(4))));
        let undo = stream.undo_several(Some(id(4)), steps(3)).unwrap();
        assert_eq!(undo, ActKind::Undo(vec![id(4), id(3), id(2)]), "the newest first");
        assert_eq!(undo.versions(), 3);

        acts.push(act(5, 8, undo));
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!((&stream.state, stream.version), (&Sum(vec![1]), 8));
        let redo = stream.redo_several(None, steps(2)).unwrap();
        assert_eq!(redo, ActKind::Redo(vec![id(2), id(3)]), "the oldest first");
        acts.push(act(6, 10, redo));
        assert_eq!(Stream::<Sum>::replay(&acts).unwrap().state, Sum(vec![1, 2, 3, 4]));

        let out_of_order = ActKind::Undo(vec![id(2), id(3)]);
        acts.push(act(7, 12, out_of_order));
        assert!(Stream::<Sum>::replay(&acts).is_err());
    }

    #[test]
    fn a_long_history_is_shared_by_its_copies_and_dropped_one_by_one() {
        let id = |number| ActId(Uuid::from_u128(number));
        let mark = |number| UndoEntry { id: id(number), by: AccountId(Uuid::nil()), kind: Added::Number };
        let mut stack = Stack::default();
        for number in 0..1_000_000 {
            stack.push(mark(number));
        }
        let mut copy = stack.clone();
        assert!(copy.newest.len() < Stack::<Added>::SHARED);
        assert!(Arc::ptr_eq(copy.below.as_ref().unwrap(), stack.below.as_ref().unwrap()));
        for number in (500..1_000_000).rev() {
            assert_eq!(copy.pop(), Some(mark(number)));
        }
        assert_eq!((copy.len(), stack.len()), (500, 1_000_000));
        copy.push(mark(7));
        assert_eq!(copy.newest_first().nth(1), Some(&mark(499)));
        assert_eq!(stack.newest_first().next(), Some(&mark(999_999)));
        assert_ne!(copy, stack);
    }

    #[test]
    fn an_act_of_several_streams_is_on_top_in_each_or_stands_beneath_what_is_in_the_way() {
        let id = |number| ActId(Uuid::from_u128(number));
        let shared = |acts: &[u128]| acts.iter().map(|number| id(*number)).collect::<BTreeSet<_>>();
        let mut acts = vec![
            act(1, 1, ActKind::Events(vec![1])),
            act(2, 2, ActKind::Events(vec![2])),
            act(3, 3, ActKind::Events(vec![3])),
        ];
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.undo_with(&shared(&[3])), Ok(vec![id(3)]));
        assert_eq!(stream.undo_with(&shared(&[1])), Err(InTheWay(vec![id(3), id(2)])));
        assert_eq!(stream.undo_with(&shared(&[3, 1])), Err(InTheWay(vec![id(2)])));
        let all = stream.undo_with(&shared(&[1, 2, 3])).unwrap();
        assert_eq!(all, [id(3), id(2), id(1)], "the one that opened the stream is among them");

        acts.push(act(4, 6, ActKind::Undo(all)));
        let undone = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(undone.state, Sum(vec![]), "as before it was opened");
        assert_eq!(undone.undo_with(&shared(&[1, 2])), Ok(vec![]), "nothing is left to take back");
        assert_eq!(undone.redo_with(&shared(&[2])), Err(InTheWay(vec![id(1)])));
        assert_eq!(undone.redo_with(&shared(&[2, 1])), Ok(vec![id(1), id(2)]), "the oldest first");
        acts.push(act(5, 7, ActKind::Redo(vec![id(1)])));
        let again = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!((&again.state, again.redo_with(&shared(&[1, 2]))), (&Sum(vec![1]), Ok(vec![id(2)])));

        acts.push(act(6, 8, ActKind::Events(vec![6])));
        let gone_on = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(gone_on.redo_with(&shared(&[2])), Err(InTheWay(vec![id(6)])), "it is lost");
    }

    #[test]
    fn what_stands_aside_is_in_nobodys_way() {
        let id = |number| ActId(Uuid::from_u128(number));
        let mut acts = vec![
            act(1, 1, ActKind::Events(vec![1])),
            act(2, 2, ActKind::Events(vec![2])),
            act(3, 3, ActKind::Events(vec![ASIDE])),
        ];
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(
            stream.undo(Some(id(2))),
            Ok(ActKind::Undo(vec![id(2)])),
            "the newest that decided something"
        );
        let as_at: Vec<Version> = (0..5).filter(|version| stream.is_as_at(*version)).collect();
        assert_eq!(as_at, [2, 3]);
        let mut extended = Stream::<Sum>::replay(&acts[..2]).unwrap();
        extended.extend(&acts[2]).unwrap();
        assert_eq!(extended, stream);

        acts.push(act(4, 4, ActKind::Undo(vec![id(2)])));
        acts.push(act(5, 5, ActKind::Events(vec![ASIDE])));
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(stream.state, Sum(vec![1, ASIDE, ASIDE]), "it counts whatever was taken back");
        assert_eq!(stream.redo(None), Ok(ActKind::Redo(vec![id(2)])), "and ends no hope of redoing");
        acts.push(act(6, 6, ActKind::Redo(vec![id(2)])));
        assert_eq!(Stream::<Sum>::replay(&acts).unwrap().state, Sum(vec![1, 2, ASIDE, ASIDE]));

        acts.push(act(7, 8, ActKind::Events(vec![ASIDE, 3])));
        let stream = Stream::<Sum>::replay(&acts).unwrap();
        assert_eq!(
            stream.undo(None),
            Ok(ActKind::Undo(vec![id(7)])),
            "with something else it is an act like any"
        );
        assert!(!stream.is_as_at(6));
    }

    #[test]
    fn one_to_a_thousand_acts_at_once() {
        for (acts, good) in [(0, false), (1, true), (1000, true), (1001, false)] {
            assert_eq!(Steps::try_from(acts).is_ok(), good, "{acts}");
        }
    }

    /// What a step of a random history is: an act, or so many undone or put back.
    #[derive(Clone, Copy, Debug)]
    enum Step {
        Add(i64),
        Undo(u16),
        Redo(u16),
    }

    fn a_step() -> impl Strategy<Value = Step> {
        prop_oneof![
            3 => any::<i64>().prop_map(Step::Add),
            2 => (1_u16..6).prop_map(Step::Undo),
            2 => (1_u16..6).prop_map(Step::Redo),
        ]
    }

    /// Two lists of numbers: as naive as can be.
    #[derive(Default)]
    struct Model {
        done: Vec<i64>,
        undone: Vec<i64>,
    }

    impl Model {
        /// Takes the step if it can be taken.
        fn take(&mut self, step: Step) -> bool {
            let (from, to, acts) = match step {
                Step::Add(number) => {
                    self.done.push(number);
                    self.undone.clear();
                    return true;
                }
                Step::Undo(acts) => (&mut self.done, &mut self.undone, usize::from(acts)),
                Step::Redo(acts) => (&mut self.undone, &mut self.done, usize::from(acts)),
            };
            let possible = from.len() >= acts;
            for _ in 0..if possible { acts } else { 0 } {
                to.extend(from.pop());
            }
            possible
        }
    }

    proptest! {
        #[test]
        fn undoing_and_redoing_any_number_is_what_two_lists_do(steps in prop::collection::vec(a_step(), 0..60)) {
            let mut acts = vec![act(1, 1, ActKind::Events(vec![0]))];
            let mut model = Model::default();
            for (number, step) in (2..).zip(steps) {
                let stream = Stream::<Sum>::replay(&acts).unwrap();
                let kind = match step {
                    Step::Add(number) => Ok(ActKind::Events(vec![number])),
                    Step::Undo(acts) => stream.undo_several(None, Steps::try_from(acts).unwrap()),
                    Step::Redo(acts) => stream.redo_several(None, Steps::try_from(acts).unwrap()),
                };
                prop_assert_eq!(kind.is_ok(), model.take(step));
                if let Ok(kind) = kind {
                    acts.push(act(number, stream.version + kind.versions(), kind));
                }
                let stream = Stream::<Sum>::replay(&acts).unwrap();
                prop_assert_eq!(&stream.state.0[1..], &model.done[..]);
                prop_assert_eq!(stream.undoable().len(), model.done.len());
                prop_assert_eq!(stream.redoable().len(), model.undone.len());
            }
        }
    }
}
