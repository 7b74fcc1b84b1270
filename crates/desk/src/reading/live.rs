//! The hub: passes committed acts on to the listeners of a stream.
//!
//! A listener gets every act after its starting version, once and in order, whatever happens here, because
//! the messages on its channel are only *hints*. If an act does not follow the previous one, or the listener
//! was too slow for its channel, it reads on from the journal. So the hub need not store anything, other
//! instances can wake listeners with just a stream's version, and a restart loses no act.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::sync::{OnceCell, broadcast};
use uuid::Uuid;

use super::whole_club::ClubGrowth;
use owlbox_base::journal::shared::Viewer;
use owlbox_base::journal::{Act, Aggregate, BrokenHistory, Version};
use owlbox_base::values::ActId;
use owlbox_store::journal::{self, Entry};

/// One committed act, in the form of the journal. However many listen, it is decoded once, and rendered once
/// for each kind of viewer: the copies of a frame share that.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The stream's version before the act.
    pub before: Version,
    /// The entries of the act, in order; never empty.
    entries: Arc<[Entry]>,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// The act, decoded by the first who asked.
    act: OnceLock<Arc<dyn Any + Send + Sync>>,
    /// How the act is shown to each kind of viewer that asked first.
    shown: Mutex<Vec<(Viewer, Arc<[u8]>)>>,
}

/// For how many kinds of viewer a frame keeps how it is shown: all who have no login are one, and at a table
/// everybody is.
const KINDS: usize = 32;

impl Frame {
    pub(crate) fn new(before: Version, entries: impl Into<Arc<[Entry]>>) -> Self {
        Self { before, entries: entries.into(), shared: Arc::default() }
    }

    /// The stream's version after the act.
    #[must_use]
    pub fn version(&self) -> Version {
        self.entries.last().map_or(self.before, |entry| entry.version)
    }

    /// The id of the act.
    pub(super) fn id(&self) -> ActId {
        self.entries.last().map_or(ActId(Uuid::nil()), |entry| entry.act)
    }

    /// The act, decoded into the current form of its events.
    ///
    /// # Errors
    /// The entries belong to another kind of stream, or are damaged.
    pub fn act<A: Aggregate>(&self) -> Result<Arc<Act<A::Event>>, BrokenHistory> {
        if let Some(act) = self.shared.act.get().and_then(|act| Arc::clone(act).downcast().ok()) {
            return Ok(act);
        }
        let act = Arc::new(journal::act::<A>(&self.entries)?);
        // Somebody else may have been first, with the same.
        let _ = self.shared.act.set(Arc::<Act<A::Event>>::clone(&act));
        Ok(act)
    }

    /// How the act is shown to `viewer`: as `render` says, if nobody of their kind has asked before.
    ///
    /// # Errors
    /// What `render` returns.
    pub fn shown<E>(
        &self,
        viewer: Viewer,
        render: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Arc<[u8]>, E> {
        let mut shown = self.shared.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = shown.iter().find(|(kind, _)| *kind == viewer) {
            return Ok(Arc::clone(known));
        }
        let made: Arc<[u8]> = render()?.into();
        if shown.len() < KINDS {
            shown.push((viewer, Arc::clone(&made)));
        }
        Ok(made)
    }
}

/// A message to a listener.
#[derive(Clone, Debug)]
pub enum Hint {
    Act(Frame),
    /// Another instance has appended something, up to this version.
    Grown(Version),
    /// Something may have been appended: look into the journal. Numbered.
    Look(u64),
}

/// What a listener looks into the journal for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// What was appended before it began to listen.
    Past,
    /// Everything up to this version, which is there.
    Upto(Version),
    /// Everything that was there when this [hint](Hint::Look) was given.
    Doubt(u64),
}

/// A page of frames that several listeners need, read by the first of them.
pub(crate) type Page = Arc<OnceCell<(Vec<Frame>, bool)>>;

struct Channel {
    hints: broadcast::Sender<Hint>,
    /// The newest page that listeners share: after which version, and what for. A listener who needs it has
    /// been given the same hint, so it was read after that.
    page: Option<(Version, Need, Page)>,
}

/// How many acts a listener may lag behind before it has to read them from the journal.
const BACKLOG: usize = 64;

/// The channels of the streams that have listeners.
#[derive(Clone, Default)]
pub struct Hub {
    channels: Arc<Mutex<HashMap<Uuid, Channel>>>,
    doubts: Arc<AtomicU64>,
    /// For those who follow the whole club.
    pub(super) club: Arc<ClubGrowth>,
}

impl Hub {
    /// Starts listening. Anything committed before this call has to be read from the journal.
    #[must_use]
    pub fn listen(&self, stream: Uuid) -> broadcast::Receiver<Hint> {
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        channels.retain(|_, channel| channel.hints.receiver_count() > 0);
        let new = || Channel { hints: broadcast::channel(BACKLOG).0, page: None };
        channels.entry(stream).or_insert_with(new).hints.subscribe()
    }

    /// The page of a stream after a version that everybody shares who needs it for the same reason.
    pub(crate) fn page(&self, stream: Uuid, after: Version, need: Need) -> Page {
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        // `Past` does not say up to when: a page that another has read may be too old.
        let Some(channel) = channels.get_mut(&stream).filter(|_| need != Need::Past) else {
            return Page::default();
        };
        match &channel.page {
            Some((from, why, page)) if (*from, *why) == (after, need) => Arc::clone(page),
            Some(_) | None => {
                let page = Page::default();
                channel.page = Some((after, need, Arc::clone(&page)));
                page
            }
        }
    }

    pub fn tell(&self, stream: Uuid, hint: Hint) {
        self.club.tell(stream);
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(channel) = channels.get(&stream)
            && channel.hints.send(hint).is_err()
        {
            // The last listener has gone.
            channels.remove(&stream);
        }
    }

    /// Has every listener look into the journal: notifications may have been lost.
    pub fn tell_all(&self) {
        self.club.tell_all();
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        let doubt = self.doubts.fetch_add(1, Ordering::Relaxed);
        channels.retain(|_, channel| channel.hints.send(Hint::Look(doubt)).is_ok());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use owlbox_base::values::AccountId;
    use owlbox_books::club::Club;

    const STREAM: Uuid = Uuid::from_u128(1);

    #[test]
    fn who_needs_the_same_for_the_same_reason_shares_a_page_and_nobody_else() {
        let hub = Hub::default();
        let _listening = hub.listen(STREAM);
        let page = |after, need| hub.page(STREAM, after, need);
        let first = page(3, Need::Upto(5));
        assert!(Arc::ptr_eq(&first, &page(3, Need::Upto(5))));
        assert!(!Arc::ptr_eq(&first, &page(3, Need::Upto(6))), "it may have been read before there was more");
        assert!(!Arc::ptr_eq(&first, &page(4, Need::Upto(5))), "from elsewhere on");
        assert!(!Arc::ptr_eq(&page(3, Need::Past), &page(3, Need::Past)), "whoever comes reads for itself");
        assert!(!Arc::ptr_eq(&page(3, Need::Doubt(1)), &page(3, Need::Doubt(2))));
    }

    #[test]
    fn an_act_is_decoded_once_and_rendered_once_for_each_kind_of_viewer() {
        let entry = Entry {
            version: 1,
            act: ActId(Uuid::from_u128(2)),
            kind: journal::UNDONE.to_owned(),
            format: Club::FORMAT,
            payload: format!(r#"{{"event": "undone", "act": "{}"}}"#, Uuid::from_u128(3)),
            account: AccountId(Uuid::from_u128(4)),
            at: chrono::DateTime::UNIX_EPOCH.into(),
        };
        let frame = Frame::new(0, vec![entry]);
        let act = frame.act::<Club>().unwrap();
        assert!(Arc::ptr_eq(&act, &frame.clone().act::<Club>().unwrap()));
        let shown = |viewer, text: &str| {
            frame.clone().shown(viewer, || Ok::<_, BrokenHistory>(text.as_bytes().to_vec())).unwrap()
        };
        assert_eq!(*shown(Viewer::default(), "first"), *b"first");
        assert_eq!(*shown(Viewer::default(), "second"), *b"first", "of the same kind");
        let other = Viewer { sees_accounts: true, ..Viewer::default() };
        assert_eq!(*shown(other, "third"), *b"third", "and nobody sees what another kind does");
        let failed = frame.shown(Viewer { account: Some(AccountId(STREAM)), ..other }, || Err("no"));
        assert_eq!(failed.unwrap_err(), "no");
    }
}
