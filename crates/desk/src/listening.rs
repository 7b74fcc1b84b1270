//! Listening to a stream: every act after a version, once and in order, for as long as one likes.
//!
//! What the hub says are hints ([`crate::live`]); the journal has the last word. On PostgreSQL other
//! instances' acts come as notifications that carry no more than the stream's id. They are sent
//! after the commit, merged, by a thread of their own; a slow poll stands behind them, because a
//! notification can be lost with its connection.

use std::collections::{BTreeSet, VecDeque};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::broadcast::{self, error::RecvError};
use uuid::Uuid;

use super::{Desk, Refused};
use crate::live::{Frame, Hint, Hub};
use owlbox_domain::journal::Version;
use owlbox_store::{DatabaseUrl, Store, journal, notify};

/// One listener to one stream.
pub struct Listener {
    desk: Desk,
    stream: Uuid,
    /// The version after the last act handed out.
    version: Version,
    hints: broadcast::Receiver<Hint>,
    /// Acts read from the journal, not handed out yet.
    backlog: VecDeque<Frame>,
    /// The journal may know more than was handed out.
    look: bool,
}

/// Entries read from the journal at a time.
const PAGE: i64 = 256;

impl Desk {
    /// Begins to listen to a stream after version `after`.
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
    /// The next act. Can be dropped while waiting without losing one.
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
                // The hub lives as long as the desk, and so as long as this.
                Err(RecvError::Closed) => {
                    self.hints = self.desk.inner.hub.listen(self.stream);
                    self.look = true;
                }
            }
        }
    }

    /// Reads on by a page. An act that fills it alone has the page grow: a frame is a whole act.
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
            // The last act of a full page may go on on the next.
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

/// Tells other instances, on PostgreSQL, which streams have grown, and hears from them. Dropping it ends
/// its threads: none may be at the database while the process ends and takes libpq down.
pub(super) struct Notifier {
    queue: Option<SyncSender<Uuid>>,
    alive: Option<Arc<()>>,
    threads: Vec<JoinHandle<()>>,
}

/// Streams that may wait to be told of; beyond that the slow poll must do.
const QUEUE: usize = 4096;
/// How often listeners look in the journal whether notified or not.
const SLOW_POLL: Duration = Duration::from_secs(5);
/// How long a lost connection rests before the next try.
const REST: Duration = Duration::from_secs(1);

impl Notifier {
    /// Starts the threads that send and receive notifications, where there can be other instances.
    pub(super) fn start(store: &Store, hub: &Hub) -> Option<Self> {
        if store.is_sole_writer() {
            return None;
        }
        let (queue, streams) = sync_channel(QUEUE);
        let alive = Arc::new(());
        let (sending, url) = (store.clone(), store.url().clone());
        let (hub, wanted) = (hub.clone(), Arc::downgrade(&alive));
        let threads = [
            std::thread::Builder::new().name("notify".into()).spawn(move || send(&sending, &streams)),
            std::thread::Builder::new().name("listen".into()).spawn(move || receive(&url, &hub, &wanted)),
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

    /// Tells other instances, soon, that `stream` has grown.
    pub(super) fn notify(&self, stream: Uuid) {
        if let Some(queue) = &self.queue {
            // A full queue is told of by the slow poll.
            let _ = queue.try_send(stream);
        }
    }
}

impl Drop for Notifier {
    fn drop(&mut self) {
        drop((self.queue.take(), self.alive.take()));
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}

/// Ends when the desk does.
fn send(store: &Store, streams: &Receiver<Uuid>) {
    while let Ok(first) = streams.recv() {
        let merged: BTreeSet<Uuid> = std::iter::once(first).chain(streams.try_iter()).collect();
        if let Err(error) = store.read_blocking(|connection| notify::send(connection, &merged)) {
            tracing::warn!(%error, "other instances were not told of acts");
        }
    }
}

/// Hands other instances' notifications to the hub for as long as it is `wanted`.
fn receive(url: &DatabaseUrl, hub: &Hub, wanted: &Weak<()>) {
    let is_wanted = || wanted.strong_count() > 0;
    while is_wanted() {
        let listening = notify::receive(url, SLOW_POLL, &is_wanted, &mut |heard| match heard {
            Some(stream) => hub.tell(stream, Hint::Look),
            None => hub.tell_all(),
        });
        if let Err(error) = listening {
            tracing::warn!(%error, "notifications are interrupted");
            std::thread::sleep(REST);
        }
    }
}
