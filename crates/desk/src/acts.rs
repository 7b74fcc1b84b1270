//! Acts of a stream besides carrying them out: foreseen for a preview, read again for a retry, listed for its log.

use std::sync::Arc;

use uuid::Uuid;

use super::{Desk, Refused};
use owlbox_domain::journal::{Act, Aggregate, Deed, Stream, Version};
use owlbox_domain::values::{AccountId, ActId, Timestamp};
use owlbox_store::{AnyConnection, StoreError, journal};

/// What an act would make of a stream.
pub(super) struct Foresight<A: Aggregate> {
    /// The stream as it would be.
    pub(super) stream: Arc<Stream<A>>,
    pub(super) act: Act<A::Event>,
    /// The acts that would be taken back, newest first, or put back, oldest first. None of another command.
    pub(super) named: Vec<Act<A::Event>>,
}

/// What `deed` would make of the stream that is at `before`.
pub(super) fn foresee<A: Aggregate>(
    connection: &mut AnyConnection,
    (id, before): (Uuid, &Stream<A>),
    deed: Deed<A::Event>,
    (by, at): (AccountId, Timestamp),
) -> Result<Foresight<A>, Refused> {
    let version = before.version + deed.versions();
    let act = Act { id: ActId(Uuid::nil()), version, at, by, deed };
    let (stream, named) = match &act.deed {
        Deed::Events(_) => {
            let mut stream = before.clone();
            stream.extend(&act).map_err(StoreError::from)?;
            (stream, Vec::new())
        }
        Deed::Undo(named) | Deed::Redo(named) => {
            let mut acts = journal::acts::<A>(connection, id, before.version)?;
            let found = named.iter().filter_map(|named| acts.iter().rfind(|act| act.id == *named).cloned());
            let found = found.collect();
            acts.push(act.clone());
            (Stream::replay(&acts).map_err(StoreError::from)?, found)
        }
    };
    Ok(Foresight { stream: Arc::new(stream), act, named })
}

/// The events of one act of a stream; none of an undo or a redo.
pub(super) fn events_in<A: Aggregate>(
    connection: &mut AnyConnection,
    id: Uuid,
    act: ActId,
) -> Result<Vec<A::Event>, Refused> {
    let entries = journal::entries_of(connection, id, act)?;
    let act = journal::group::<A>(&entries).map_err(StoreError::from)?.pop();
    Ok(match act.map(|act| act.deed) {
        Some(Deed::Events(events)) => events,
        Some(Deed::Undo(_) | Deed::Redo(_)) | None => Vec::new(),
    })
}

/// A stream at some version, and the act that brought it there.
pub(super) type Then<A> = (Arc<Stream<A>>, Act<<A as Aggregate>::Event>);

/// A stream as it was at this version, and the act that brought it there. `what` names it if it is not there.
pub(super) fn read_again<A: Aggregate>(
    connection: &mut AnyConnection,
    id: Uuid,
    version: Version,
    what: &'static str,
) -> Result<Then<A>, Refused> {
    let mut acts = journal::acts::<A>(connection, id, version)?;
    let stream = Arc::new(Stream::replay(&acts).map_err(StoreError::from)?);
    let act = acts.pop().ok_or(Refused::NotFound(what))?;
    Ok((stream, act))
}

/// A page of a stream's log.
pub struct LogPage<A: Aggregate> {
    /// Whole acts, the newest first.
    pub acts: Vec<Act<A::Event>>,
    /// The version before which the next page ends; `None` of the last.
    pub next: Option<Version>,
}

impl Desk {
    /// At most `limit` of the newest acts of a stream before a version.
    ///
    /// # Errors
    /// The store failed.
    pub async fn log<A: Aggregate>(
        &self,
        stream: Uuid,
        before: Version,
        limit: usize,
    ) -> Result<LogPage<A>, Refused> {
        self.read(move |connection| {
            let acts = journal::acts_before(connection, stream, before, limit)?;
            let first = acts.last().and_then(|act| act.first()).map_or(1, |entry| entry.version);
            let acts = acts.iter().map(|act| journal::act::<A>(act)).collect::<Result<_, _>>();
            Ok(LogPage { acts: acts.map_err(StoreError::from)?, next: (first > 1).then_some(first) })
        })
        .await
    }
}
