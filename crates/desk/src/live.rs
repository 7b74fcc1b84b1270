//! The hub: passes committed acts on to the listeners of a stream.
//!
//! A listener gets every act after its starting version, once and in order, whatever happens here, because
//! the messages on its channel are only *hints*. If an act does not follow the previous one, or the listener
//! was too slow for its channel, it reads on from the journal. So the hub need not store anything, other
//! instances can wake listeners with just a stream's version, and a restart loses no act.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::broadcast;
use uuid::Uuid;

use owlbox_domain::journal::{Act, Aggregate, BrokenHistory, Version};
use owlbox_store::journal::{self, Entry};

/// One committed act, in the form of the journal.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The stream's version before the act.
    pub before: Version,
    /// The entries of the act, in order; never empty.
    pub(crate) entries: Arc<[Entry]>,
}

impl Frame {
    /// The stream's version after the act.
    #[must_use]
    pub fn version(&self) -> Version {
        self.entries.last().map_or(self.before, |entry| entry.version)
    }

    /// The act, decoded into the current form of its events.
    ///
    /// # Errors
    /// The entries belong to another kind of stream, or are damaged.
    pub fn act<A: Aggregate>(&self) -> Result<Act<A::Event>, BrokenHistory> {
        journal::act::<A>(&self.entries)
    }
}

/// A message to a listener.
#[derive(Clone, Debug)]
pub enum Hint {
    Act(Frame),
    /// Another instance has appended something, up to this version.
    Grown(Version),
    /// Something may have been appended: look into the journal.
    Look,
}

/// How many acts a listener may lag behind before it has to read them from the journal.
const BACKLOG: usize = 64;

/// The channels of the streams that have listeners.
#[derive(Clone, Default)]
pub struct Hub {
    channels: Arc<Mutex<HashMap<Uuid, broadcast::Sender<Hint>>>>,
}

impl Hub {
    /// Starts listening. Anything committed before this call has to be read from the journal.
    #[must_use]
    pub fn listen(&self, stream: Uuid) -> broadcast::Receiver<Hint> {
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        channels.retain(|_, channel| channel.receiver_count() > 0);
        channels.entry(stream).or_insert_with(|| broadcast::channel(BACKLOG).0).subscribe()
    }

    pub fn tell(&self, stream: Uuid, hint: Hint) {
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(channel) = channels.get(&stream)
            && channel.send(hint).is_err()
        {
            // The last listener has gone.
            channels.remove(&stream);
        }
    }

    /// Has every listener look into the journal: notifications may have been lost.
    pub fn tell_all(&self) {
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        channels.retain(|_, channel| channel.send(Hint::Look).is_ok());
    }
}
