//! The state of the daybook.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::closing::Closing;
use super::event::{Event, EventKind};
use super::record::{Memo, Recorded};
use owlbox_base::journal::Version;
use owlbox_base::journal::free_text::FreeText;
use owlbox_base::values::{AccountId, PlayerId, Timestamp};
use rpds::VectorSync;

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
    /// It is in the books; to take it back waits for a second person, and this one proposed it.
    TakingBack(AccountId),
}

impl Status {
    /// Who proposed what waits for a second person; `None` if nothing does.
    #[must_use]
    pub const fn proposed_by(self) -> Option<AccountId> {
        match self {
            Self::Proposed(by) | Self::TakingBack(by) => Some(by),
            Self::Posted | Self::Declined | Self::TakenBack => None,
        }
    }
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
    /// Why it was declined, taken back or is to be taken back, and the version of the stream at which that
    /// was said.
    pub ended: Option<(Memo, Version)>,
    /// Who put it into the books without a second person.
    pub alone: Option<AccountId>,
    /// Who took it back without a second person, when, and the version of the stream at which they did.
    pub taken_back_alone: Option<(AccountId, Timestamp, Version)>,
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

    /// Whether to take this record back waits for a second person.
    #[must_use]
    pub fn is_to_be_taken_back(&self, entry: u32) -> bool {
        self.entry(entry).is_some_and(|entry| matches!(entry.status, Status::TakingBack(_)))
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

    /// The records that the events were about, with the version of each event, newest first.
    pub(super) fn newest_events(&self) -> impl Iterator<Item = (Version, &Entry)> {
        (1..=self.version).rev().filter_map(|version| Some((version, self.entry(self.record_at(version)?)?)))
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

    fn push(&mut self, recorded: &Recorded, status: Status, alone: Option<AccountId>, at: Timestamp) {
        let posted = (status == Status::Posted).then_some(self.version);
        let recorded = Arc::new(recorded.clone());
        let entered = self.version;
        if matches!(status, Status::Proposed(_)) {
            self.waiting.insert(self.len() + 1);
        }
        let (ended, taken_back_alone) = (None, None);
        self.entries.push_back_mut(Entry {
            recorded,
            status,
            at,
            posted,
            entered,
            ended,
            alone,
            taken_back_alone,
        });
    }

    fn change(&mut self, entry: u32, change: impl FnOnce(&mut Entry, Version)) {
        let place = usize::try_from(entry).ok().and_then(|entry| entry.checked_sub(1));
        let found = place.and_then(|place| Some((place, self.entries.get(place)?.clone())));
        let Some((place, mut found)) = found else { return };
        change(&mut found, self.version);
        match found.status {
            Status::Proposed(_) | Status::TakingBack(_) => self.waiting.insert(entry),
            Status::Posted | Status::Declined | Status::TakenBack => self.waiting.remove(&entry),
        };
        self.entries.set_mut(place, found);
    }

    /// What was proposed happens.
    fn approve(&mut self, entry: u32) {
        self.change(entry, |entry, version| match entry.status {
            Status::TakingBack(_) => {
                entry.status = Status::TakenBack;
                entry.ended = entry.ended.take().map(|(reason, _)| (reason, version));
            }
            Status::Proposed(_) | Status::Posted | Status::Declined | Status::TakenBack => {
                entry.status = Status::Posted;
                entry.posted = entry.posted.or(Some(version));
            }
        });
    }

    /// What was proposed does not happen: a record that was to be taken back stays.
    fn decline(&mut self, entry: u32, reason: &Memo) {
        self.change(entry, |entry, version| match entry.status {
            Status::TakingBack(_) => (entry.status, entry.ended) = (Status::Posted, None),
            Status::Proposed(_) | Status::Posted | Status::Declined | Status::TakenBack => {
                (entry.status, entry.ended) = (Status::Declined, Some((reason.clone(), version)));
            }
        });
    }

    /// Applies an event.
    pub(super) fn take_note(&mut self, event: &Event, at: Timestamp) {
        self.version += 1;
        self.about.push_back_mut(event.entry().unwrap_or_default());
        match event {
            Event::Recorded { recorded, by, .. } => self.push(recorded, Status::Posted, *by, at),
            Event::Proposed { recorded, by, .. } => self.push(recorded, Status::Proposed(*by), None, at),
            Event::Approved { entry, .. } => self.approve(*entry),
            Event::Declined { entry, reason, .. } => self.decline(*entry, reason),
            Event::TakenBack { entry, reason, by } => self.change(*entry, |entry, version| {
                (entry.status, entry.ended) = (Status::TakenBack, Some((reason.clone(), version)));
                entry.taken_back_alone = by.map(|by| (by, at, version));
            }),
            Event::TakeBackProposed { entry, reason, by } => self.change(*entry, |entry, version| {
                (entry.status, entry.ended) = (Status::TakingBack(*by), Some((reason.clone(), version)));
            }),
            Event::MonthClosed { .. } | Event::MonthReopened { .. } => {
                self.closing = event.closing().unwrap_or(self.closing);
            }
        }
    }
}

impl FreeText for Daybook {
    fn text_keys(kind: EventKind) -> &'static [&'static str] {
        match kind {
            EventKind::Recorded | EventKind::Proposed => &["memo"],
            EventKind::Declined
            | EventKind::TakenBack
            | EventKind::TakeBackProposed
            | EventKind::MonthReopened => &["reason"],
            EventKind::Approved | EventKind::MonthClosed => &[],
        }
    }

    /// What is said of a record of theirs alone, or of theirs and one other's, is about them.
    fn is_about(&self, event: &Event, player: PlayerId) -> bool {
        let recorded = match event {
            Event::Recorded { recorded, .. } | Event::Proposed { recorded, .. } => Some(recorded),
            Event::Approved { entry, .. }
            | Event::Declined { entry, .. }
            | Event::TakenBack { entry, .. }
            | Event::TakeBackProposed { entry, .. } => self.entry(*entry).map(|entry| &*entry.recorded),
            Event::MonthClosed { .. } | Event::MonthReopened { .. } => None,
        };
        recorded.is_some_and(|recorded| {
            let players = recorded.what.players();
            players.contains(&player) && players.len() <= 2
        })
    }
}
