//! Listeners on a stream: they get every act after a version, once and in order, for as long as they like.
//!
//! The messages of the hub are only hints ([`crate::reading::live`]); the journal is the authority. On
//! PostgreSQL the acts of other instances arrive as notifications with the stream's version, sent right after
//! the commit. A slow poll backs them up, because a notification can be lost with its connection.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::watch;
use uuid::Uuid;

use crate::reading::live::{Frame, Hint, Hub, Need};
use crate::reading::memory::Memory;
use crate::{Desk, Refused};
use owlbox_base::journal::Version;
use owlbox_store::notify::{Notification, Subscription};
use owlbox_store::{AnyConnection, Store, StoreError, journal};

/// A listener on one stream.
pub struct Listener {
    desk: Desk,
    stream: Uuid,
    /// The version after the last act returned.
    version: Version,
    hints: broadcast::Receiver<Hint>,
    /// Acts read from the journal but not returned yet.
    backlog: VecDeque<Frame>,
    /// Why the journal may contain acts that were not read yet, if it may.
    look: Option<Need>,
}

/// The number of entries read from the journal at a time.
const PAGE: i64 = 256;

impl Desk {
    /// Starts listening to a stream after version `after`.
    #[must_use]
    pub fn listen(&self, stream: Uuid, after: Version) -> Listener {
        Listener {
            hints: self.inner.hub.listen(stream),
            desk: self.clone(),
            stream,
            version: after,
            backlog: VecDeque::new(),
            look: Some(Need::Past),
        }
    }
}

impl Listener {
    /// The next act. Cancel-safe: dropping the future loses no act.
    ///
    /// # Errors
    /// The store failed.
    pub async fn next(&mut self) -> Result<Frame, Refused> {
        loop {
            if let Some(frame) = self.backlog.pop_front() {
                self.version = frame.version();
                return Ok(frame);
            }
            if let Some(need) = self.look {
                self.read_on(need).await?;
                continue;
            }
            match self.hints.recv().await {
                Ok(Hint::Act(frame)) if frame.before == self.version => self.backlog.push_back(frame),
                Ok(Hint::Act(frame)) if frame.version() <= self.version => {}
                Ok(Hint::Grown(version)) if version <= self.version => {}
                Ok(Hint::Act(frame)) => self.look = Some(Need::Upto(frame.version())),
                Ok(Hint::Grown(version)) => self.look = Some(Need::Upto(version)),
                Ok(Hint::Look(doubt)) => self.look = Some(Need::Doubt(doubt)),
                Err(RecvError::Lagged(_)) => self.look = Some(Need::Past),
                // Cannot happen while the desk exists, since the hub lives as long; subscribe again all the
                // same.
                Err(RecvError::Closed) => {
                    self.hints = self.desk.inner.hub.listen(self.stream);
                    self.look = Some(Need::Past);
                }
            }
        }
    }

    /// Reads the next page, or takes it from another listener who needs the same.
    async fn read_on(&mut self, need: Need) -> Result<(), Refused> {
        let page = self.desk.inner.hub.page(self.stream, self.version, need);
        let (stream, version) = (self.stream, self.version);
        let read = move |connection: &mut _| page_of(connection, stream, version, Version::MAX);
        let (frames, goes_on) = page.get_or_try_init(|| self.desk.inner.store.read(read)).await?;
        self.backlog.extend(frames.iter().cloned());
        self.look = goes_on.then_some(need);
        Ok(())
    }
}

/// The acts after version `after`, up to and including `up_to`, where an act ends; and whether there may be
/// more. A single act that fills the page makes it larger, because a frame holds a whole act.
///
/// # Errors
/// The query failed.
pub(super) fn page_of(
    connection: &mut AnyConnection,
    stream: Uuid,
    after: Version,
    up_to: Version,
) -> Result<(Vec<Frame>, bool), StoreError> {
    let mut page = PAGE;
    let (entries, is_whole_page) = loop {
        let limit = page.min(up_to - after);
        let entries = journal::entries_after(connection, stream, after, Some(limit))?;
        let is_whole_page = i64::try_from(entries.len()).is_ok_and(|read| read == page);
        let is_one_act = entries.first().map(|entry| entry.act) == entries.last().map(|entry| entry.act);
        if !(is_whole_page && is_one_act) {
            break (entries, is_whole_page);
        }
        page *= 4;
    };
    let mut before = after;
    let mut acts: Vec<_> = entries.chunk_by(|one, next| one.act == next.act).collect();
    if is_whole_page {
        // The last act of a full page may continue on the next one.
        acts.pop();
    }
    let mut frames = Vec::new();
    for act in acts {
        let frame = Frame::new(before, act);
        before = frame.version();
        frames.push(frame);
    }
    Ok((frames, is_whole_page))
}

/// On PostgreSQL, has what the instances tell each other passed on to the hub and the memory.
pub(crate) fn subscribe(
    store: &Store,
    hub: &Hub,
    memory: &Arc<Memory>,
    webhooks: &watch::Sender<()>,
) -> Option<Subscription> {
    let (hub, memory, webhooks) = (hub.clone(), Arc::clone(memory), webhooks.clone());
    store.subscribe(move |heard| match heard {
        Notification::Grown { stream, version, own } => {
            memory.tell(stream, version);
            // Of its own acts the hub is told with the answer, and has them with it. (Where the commit's
            // answer was lost, the next poll tells.)
            if !own {
                hub.tell(stream, Hint::Grown(version));
            }
        }
        Notification::Access => {
            memory.forget_accounts();
            webhooks.send_replace(());
        }
        Notification::Names => memory.names.forget(),
        Notification::Unknown => {
            memory.revalidate_all();
            webhooks.send_replace(());
            hub.tell_all();
        }
        Notification::Alive(asked) => memory.note_heartbeat(asked),
    })
}
