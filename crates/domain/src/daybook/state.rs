//! The state of the daybook.

use std::collections::BTreeSet;
use std::sync::Arc;

use rpds::VectorSync;
use serde_json::value::RawValue;

use super::closing::Closing;
use super::event::{Event, EventKind};
use super::record::{Memo, Recorded};
use super::{Command, Refusal};
use crate::journal::erasure::FreeText;
use crate::journal::{self, Aggregate, BrokenHistory, Inputs, Version};
use crate::values::{AccountId, PlayerId, Timestamp};

/// Where a record stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is in the books.
    Posted,
    /// It waits for a second person; this one proposed it.
    Proposed(AccountId),
    /// It was declined and never posted.
    Declined,
    /// It was in the books and was taken back.
    TakenBack,
}

/// A record and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub recorded: Arc<Recorded>,
    pub status: Status,
    /// When it was entered.
    pub at: Timestamp,
    /// The version of the stream whose transaction it is; `None` if it was never posted.
    pub posted: Option<Version>,
    /// The version of the stream at which it was entered.
    pub entered: Version,
    /// Why it was declined or taken back, and the version of the stream at which that was done.
    pub ended: Option<(Memo, Version)>,
}

/// The daybook: all records, and up to which month the books are closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Daybook {
    entries: VectorSync<Entry>,
    closing: Closing,
    version: Version,
    /// The record that each event was about, by version; 0 if about none.
    about: VectorSync<u32>,
    /// The records that wait for a second person.
    waiting: BTreeSet<u32>,
}

impl Daybook {
    /// How many records there are. They are numbered from 1.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The record with this number.
    #[must_use]
    pub fn entry(&self, entry: u32) -> Option<&Entry> {
        self.entries.get(usize::try_from(entry).ok()?.checked_sub(1)?)
    }

    /// The number of the record that the event of this version was about.
    #[must_use]
    pub fn record_at(&self, version: Version) -> Option<u32> {
        let place = usize::try_from(version).ok()?.checked_sub(1)?;
        self.about.get(place).copied().filter(|entry| *entry > 0)
    }

    /// The records that wait for a second person, oldest first.
    pub fn waiting(&self) -> impl Iterator<Item = (u32, &Entry)> {
        self.waiting.iter().filter_map(|number| Some((*number, self.entry(*number)?)))
    }

    /// All records with their numbers, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = (u32, &Entry)> {
        (1..=self.len()).rev().filter_map(|number| Some((number, self.entry(number)?)))
    }

    /// Up to which month the books are closed.
    #[must_use]
    pub const fn closing(&self) -> Closing {
        self.closing
    }

    fn push(&mut self, recorded: &Recorded, status: Status, at: Timestamp) {
        let posted = (status == Status::Posted).then_some(self.version);
        let recorded = Arc::new(recorded.clone());
        let entered = self.version;
        if matches!(status, Status::Proposed(_)) {
            self.waiting.insert(self.len() + 1);
        }
        self.entries.push_back_mut(Entry { recorded, status, at, posted, entered, ended: None });
    }

    fn set(&mut self, entry: u32, status: Status, why: Option<&Memo>) {
        self.waiting.remove(&entry);
        let place = usize::try_from(entry).ok().and_then(|entry| entry.checked_sub(1));
        if let Some((place, found)) = place.and_then(|place| Some((place, self.entries.get(place)?.clone())))
        {
            let posted = found.posted.or((status == Status::Posted).then_some(self.version));
            let ended = why.map(|why| (why.clone(), self.version));
            self.entries.set_mut(place, Entry { status, posted, ended, ..found });
        }
    }
}

impl Aggregate for Daybook {
    type Command = Command;
    type Event = Event;
    type Kind = EventKind;
    type Refusal = Refusal;

    const KIND: &'static str = "daybook";

    fn initial() -> Self {
        Self::default()
    }

    fn decide(&self, command: &Command, _: &mut Inputs<'_>) -> Result<Vec<Event>, Refusal> {
        super::decide::decide(self, command)
    }

    fn apply(&mut self, event: &Event, at: Timestamp) {
        self.version += 1;
        self.about.push_back_mut(event.entry().unwrap_or_default());
        match event {
            Event::Recorded { recorded, .. } => self.push(recorded, Status::Posted, at),
            Event::Proposed { recorded, by, .. } => self.push(recorded, Status::Proposed(*by), at),
            Event::Approved { entry, .. } => self.set(*entry, Status::Posted, None),
            Event::Declined { entry, reason, .. } => self.set(*entry, Status::Declined, Some(reason)),
            Event::TakenBack { entry, reason } => self.set(*entry, Status::TakenBack, Some(reason)),
            Event::MonthClosed { .. } | Event::MonthReopened { .. } => {
                self.closing = event.closing().unwrap_or(self.closing);
            }
        }
    }

    fn decode(format: i16, payload: &str) -> Result<Event, BrokenHistory> {
        journal::decode::<Self>(format, payload)
    }

    fn encode(event: &Event) -> Result<Box<RawValue>, BrokenHistory> {
        journal::encode::<Self>(event)
    }
}

impl FreeText for Daybook {
    fn text_keys(kind: EventKind) -> &'static [&'static str] {
        match kind {
            EventKind::Recorded | EventKind::Proposed => &["memo"],
            EventKind::Declined | EventKind::TakenBack | EventKind::MonthReopened => &["reason"],
            EventKind::Approved | EventKind::MonthClosed => &[],
        }
    }

    /// What is said of a record of theirs alone, or of theirs and one other's, is about them.
    fn is_about(&self, event: &Event, player: PlayerId) -> bool {
        let recorded = match event {
            Event::Recorded { recorded, .. } | Event::Proposed { recorded, .. } => Some(recorded),
            Event::Approved { entry, .. }
            | Event::Declined { entry, .. }
            | Event::TakenBack { entry, .. } => self.entry(*entry).map(|entry| &*entry.recorded),
            Event::MonthClosed { .. } | Event::MonthReopened { .. } => None,
        };
        recorded.is_some_and(|recorded| {
            let players = recorded.what.players();
            players.contains(&player) && players.len() <= 2
        })
    }
}
