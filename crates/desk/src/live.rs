//! Who listens to what: hands committed acts to the listeners of a stream.
//!
//! A listener gets every act after the version it starts from, once and in order, whatever happens
//! here: what comes through the channel is a *hint*. If an act does not follow the last one, or the
//! listener was too slow for the channel, it reads on from the journal. So nothing need be kept
//! here, other instances can wake listeners with no more than a stream's id, and a restart costs
//! nobody an act.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::broadcast;
use uuid::Uuid;

use owlbox_domain::journal::{Act, Aggregate, BrokenHistory, Version};
use owlbox_store::journal::{self, Entry};

/// One committed act, as the journal keeps it.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The stream's version before the act.
    pub before: Version,
    /// Its entries, in order; never empty.
    pub(crate) entries: Arc<[Entry]>,
}

impl Frame {
    /// The stream's version after the act.
    #[must_use]
    pub fn version(&self) -> Version {
        self.entries.last().map_or(self.before, |entry| entry.version)
    }

    /// The act, in today's form.
    ///
    /// # Errors
    /// It is none of such a stream, or damaged.
    pub fn act<A: Aggregate>(&self) -> Result<Act<A::Event>, BrokenHistory> {
        journal::act::<A>(&self.entries)
    }
}

/// What a listener is told.
#[derive(Clone, Debug)]
pub enum Hint {
    Act(Frame),
    /// Something was, by another instance.
    Look,
}

/// Acts a listener may lag behind before it has to read them from the journal.
const BACKLOG: usize = 64;

/// The channels of the streams that somebody listens to.
#[derive(Clone, Default)]
pub struct Hub {
    channels: Arc<Mutex<HashMap<Uuid, broadcast::Sender<Hint>>>>,
}

impl Hub {
    /// Begins to listen. What was committed before this call is in the journal.
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

    /// Tells everybody to look: word of some acts may have been lost.
    pub fn tell_all(&self) {
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        channels.retain(|_, channel| channel.send(Hint::Look).is_ok());
    }
}
