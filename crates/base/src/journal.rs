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
//! An act may also [stand aside](Aggregate::stands_aside): what somebody says that decides nothing. It counts
//! whatever is taken back around it, is in nobody's way, ends no hope of redoing, and makes nothing stale
//! that was seen before it.
//!
//! The act that opened a stream cannot be undone by itself: without it there is no stream. But an act may be
//! one of several streams - a table that is split opens another - and is taken back in all of them or in
//! none: then the stream that it opened is as it was before, not open ([`Stream::undo_with`]).

pub mod again;
pub mod free_text;
pub mod shared;
mod stream;
mod undo;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use strum::VariantArray;

pub use owlbox_engine::Chance;

pub use self::stream::{Stream, stands_aside};
pub use self::undo::{CannotUndo, HistoryKind, InTheWay, Steps, UndoEntries, UndoEntry};

use crate::values::{AccountId, ActId, Timestamp};

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

/// Dice for what nobody carries out: they tell whether anybody wanted them.
#[derive(Default)]
pub struct Wanted(u32);

impl Wanted {
    /// Whether any die was drawn, so that the result cannot be known beforehand.
    pub const fn any(&self) -> bool {
        self.0 > 0
    }
}

impl Chance for Wanted {
    /// Never the same twice in a row, so that ties are soon broken.
    fn below(&mut self, sides: u32) -> u32 {
        if sides < 2 {
            return 0;
        }
        self.0 += 1;
        self.0 % sides
    }
}

/// The whole contract of a domain object: pure and synchronous.
///
/// `apply` computes no rule: events record outcomes, so a later change of a rule never rewrites
/// history.
pub trait Aggregate: Clone + Send + Sync + 'static {
    /// What can be asked of it.
    type Command;
    /// What can have happened to it.
    type Event: Clone + Send + Sync + 'static;
    /// What kind an event is; as text what it is stored under, the same as its serde tag.
    type Kind: EventKind + for<'e> From<&'e Self::Event>;
    /// Why a command was refused.
    type Refusal: std::error::Error;

    /// The kind of stream, as stored and as a refusal names it: `chouette`, `club`.
    const KIND: &'static str;
    /// The format in which this build writes events; older ones are [upcast](Self::decode). It is raised when
    /// events take another form, and when a command comes to something else than before: what was decided
    /// otherwise then is known by it, and not [decided again](again).
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

    /// Whether an act of such events alone stands aside of what can be taken back. Applied to a state in
    /// which other acts were taken back, such an event must do no harm.
    fn stands_aside(_event: &Self::Event) -> bool {
        false
    }

    /// Reads an event written in `format`, upcasting old ones. Without a default, as [`encode`](Self::encode)
    /// is: what reads dozens of types from JSON is then compiled here, and not in every crate that opens a
    /// stream.
    ///
    /// # Errors
    /// What is wrong with the payload.
    fn decode(format: i16, payload: &str) -> Result<Self::Event, BrokenHistory>;

    /// Writes an event in the format of this build: a JSON object tagged `"event"`.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    fn encode(event: &Self::Event) -> Result<Box<RawValue>, BrokenHistory>;
}

/// [`Aggregate::decode`] for a stream whose older formats have the form of today's.
///
/// # Errors
/// What is wrong with the payload.
pub fn decode<A: Aggregate<Event: DeserializeOwned>>(
    format: i16,
    payload: &str,
) -> Result<A::Event, BrokenHistory> {
    if !(A::SAME_FORM_SINCE..=A::FORMAT).contains(&format) {
        return Err(BrokenHistory(format!("{} events of format {format} are unknown", A::KIND)));
    }
    serde_json::from_str(payload).map_err(|error| BrokenHistory(format!("{} event: {error}", A::KIND)))
}

/// [`Aggregate::encode`] for an event that says itself how it is written.
///
/// # Errors
/// It cannot be written as JSON.
pub fn encode<A: Aggregate<Event: Serialize>>(event: &A::Event) -> Result<Box<RawValue>, BrokenHistory> {
    to_raw_value(event).map_err(|error| BrokenHistory(format!("{} event: {error}", A::KIND)))
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

impl<E> Act<E> {
    /// What happened. Nothing of its own for an undo or a redo, which name other acts.
    #[must_use]
    pub fn events(&self) -> &[E] {
        match &self.kind {
            ActKind::Events(events) => events,
            ActKind::Undo(_) | ActKind::Redo(_) => &[],
        }
    }
}

/// A history that cannot have been written by this program: damage, or a later version's work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("broken history: {0}")]
pub struct BrokenHistory(pub String);
