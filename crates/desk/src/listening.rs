//! Listeners on a stream: they get every act after a version, once and in order, for as long as they like.
//!
//! The messages of the hub are only hints ([`crate::live`]); the journal is the authority. On PostgreSQL the
//! acts of other instances arrive as notifications with nothing but the stream's id. A separate thread sends
//! them after the commit, merged. A slow poll backs them up, because a notification can be lost with its
//! connection.

use std::collections::{BTreeSet, VecDeque};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::broadcast::{self, error::RecvError};
use uuid::Uuid;

use super::{Desk, Refused};
use crate::clubs::CLUB;
use crate::live::{Frame, Hint, Hub};
use crate::memory::Memory;
use owlbox_domain::journal::Version;
use owlbox_store::notify::Heard;
use owlbox_store::{DatabaseUrl, Store, journal, notify};

/// A listener on one stream.
pub struct Listener {
    desk: Desk,
    stream: Uuid,
    /// The version after the last act returned.
    version: Version,
    hints: broadcast::Receiver<Hint>,
    /// Acts read from the journal but not returned yet.
    backlog: VecDeque<Frame>,
    /// Whether the journal may contain acts that were not read yet.
    look: bool,
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
            look: true,
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
            if self.look {
                self.read_on().await?;
                continue;
            }
            match self.hints.recv().await {
                Ok(Hint::Act(frame)) if frame.before == self.version => self.backlog.push_back(frame),
                Ok(Hint::Act(frame)) if frame.version() <= self.version => {}
                Ok(Hint::Act(_) | Hint::Look) | Err(RecvError::Lagged(_)) => self.look = true,
                // Cannot happen while the desk exists, since the hub lives as long; subscribe again all the
                // same.
                Err(RecvError::Closed) => {
                    self.hints = self.desk.inner.hub.listen(self.stream);
                    self.look = true;
                }
            }
        }
    }

    /// Reads the next page. A single act that fills the page makes it larger, because a frame holds a whole
    /// act.
    async fn read_on(&mut self) -> Result<(), Refused> {
        let (stream, after) = (self.stream, self.version);
        let mut page = PAGE;
        let (entries, is_whole_page) = loop {
            let read =
                move |connection: &mut _| journal::entries_after(connection, stream, after, Some(page));
            let entries = self.desk.inner.store.read(read).await?;
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
        for act in acts {
            let frame = Frame { before, entries: Arc::from(act) };
            before = frame.version();
            self.backlog.push_back(frame);
        }
        self.look = is_whole_page;
        Ok(())
    }
}

/// On PostgreSQL, notifies other instances of grown streams and receives their notifications. Dropping it
/// joins its threads, so that nobody uses the database any more once the desk is gone.
pub(super) struct Notifier {
    queue: Option<SyncSender<Uuid>>,
    alive: Option<Arc<()>>,
    threads: Vec<JoinHandle<()>>,
}

/// The maximum number of streams waiting to be notified; beyond it the slow poll has to do.
const QUEUE: usize = 4096;
/// How often listeners look into the journal without a notification.
const SLOW_POLL: Duration = Duration::from_secs(5);
/// The pause before reconnecting after the connection was lost.
const REST: Duration = Duration::from_secs(1);

impl Notifier {
    /// Starts the threads that send and receive notifications; `None` if there can be no other instances.
    pub(super) fn start(store: &Store, hub: &Hub, memory: &Arc<Memory>) -> Option<Self> {
        if store.is_sole_writer() {
            return None;
        }
        let (queue, streams) = sync_channel(QUEUE);
        let alive = Arc::new(());
        let (sending, url) = (store.clone(), store.url().clone());
        let (hub, memory, wanted) = (hub.clone(), Arc::clone(memory), Arc::downgrade(&alive));
        let threads = [
            std::thread::Builder::new().name("notify".into()).spawn(move || send(&sending, &streams)),
            std::thread::Builder::new()
                .name("listen".into())
                .spawn(move || receive(&url, &hub, &memory, &wanted)),
        ];
        let threads = threads
            .into_iter()
            .inspect(|thread| {
                if let Err(error) = thread {
                    tracing::error!(%error, "other instances cannot be told of acts");
                }
            })
            .filter_map(Result::ok)
            .collect();
        Some(Self { queue: Some(queue), alive: Some(alive), threads })
    }

    /// Queues a notification to other instances that `stream` has grown.
    pub(super) fn notify(&self, stream: Uuid) {
        if let Some(queue) = &self.queue {
            // If the queue is full, the slow poll makes up for it.
            let _ = queue.try_send(stream);
        }
    }
}

impl Drop for Notifier {
    fn drop(&mut self) {
        drop((self.queue.take(), self.alive.take()));
        for thread in self.threads.drain(..) {
            // A thread that panicked has been logged already.
            let _ = thread.join();
        }
    }
}

/// Sends queued notifications until the desk is dropped.
fn send(store: &Store, streams: &Receiver<Uuid>) {
    while let Ok(first) = streams.recv() {
        let merged: BTreeSet<Uuid> = std::iter::once(first).chain(streams.try_iter()).collect();
        if let Err(error) = store.read_blocking(|connection| notify::send(connection, &merged)) {
            tracing::warn!(%error, "other instances were not told of acts");
        }
    }
}

/// Passes notifications from other instances on to the hub and the memory for as long as `wanted` is alive.
fn receive(url: &DatabaseUrl, hub: &Hub, memory: &Memory, wanted: &Weak<()>) {
    let is_wanted = || wanted.strong_count() > 0;
    while is_wanted() {
        let listening = notify::receive(url, SLOW_POLL, &is_wanted, &mut |heard| match heard {
            Heard::Grown(stream) => {
                if stream == CLUB {
                    memory.tell(stream);
                }
                hub.tell(stream, Hint::Look);
            }
            Heard::Access => memory.forget_accounts(),
            Heard::Unknown => {
                memory.tell(CLUB);
                memory.forget_accounts();
                hub.tell_all();
            }
            Heard::Alive(asked) => memory.hear(asked),
        });
        if let Err(error) = listening {
            tracing::warn!(%error, "notifications are interrupted");
            std::thread::sleep(REST);
        }
    }
}
