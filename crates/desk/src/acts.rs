//! Acts of a stream: previewed before they happen, read again for a retry, and listed for the log.

use std::sync::Arc;

use uuid::Uuid;

use super::subject::{Answer, Part, StreamPreview, Subject};
use super::{Desk, Refused};
use owlbox_domain::journal::{Act, ActKind, Aggregate, Stream, Version};
use owlbox_domain::values::{AccountId, ActId, Timestamp};
use owlbox_store::{AnyConnection, StoreError, journal};

/// The state of a stream after a part of a plan, as if this account carried it out at this moment.
pub(super) fn previewed<A: Subject>(
    connection: &mut AnyConnection,
    Part { id, before, kind, .. }: Part<A>,
    by: AccountId,
    at: Timestamp,
) -> Result<StreamPreview<A>, Refused> {
    let version = before.version + kind.versions();
    let act = Act { id: ActId(Uuid::nil()), version, at, by, kind };
    let (stream, named) = match &act.kind {
        ActKind::Events(_) => {
            let mut stream = Stream::clone(&before);
            stream.extend(&act).map_err(StoreError::from)?;
            (stream, Vec::new())
        }
        ActKind::Undo(named) | ActKind::Redo(named) => {
            let mut acts = journal::acts::<A>(connection, id.into(), before.version)?;
            let found = named.iter().filter_map(|named| acts.iter().rfind(|act| act.id == *named).cloned());
            let found = found.collect();
            acts.push(act.clone());
            (Stream::replay(&acts).map_err(StoreError::from)?, found)
        }
    };
    Ok(StreamPreview { before, after: Answer { id, stream: Arc::new(stream), act }, named })
}

/// The events of one act of a stream; none for an undo or a redo.
pub(super) fn events_in<A: Aggregate>(
    connection: &mut AnyConnection,
    id: Uuid,
    act: ActId,
) -> Result<Vec<A::Event>, Refused> {
    let entries = journal::entries_of(connection, id, act)?;
    let act = journal::group::<A>(&entries).map_err(StoreError::from)?.pop();
    Ok(match act.map(|act| act.kind) {
        Some(ActKind::Events(events)) => events,
        Some(ActKind::Undo(_) | ActKind::Redo(_)) | None => Vec::new(),
    })
}

/// A stream as it was at `version`, and the act that brought it there. `now` is its current state, so that
/// the usual case needs no replay.
pub(super) fn read_again<A: Subject>(
    connection: &mut AnyConnection,
    id: A::Id,
    now: &Arc<Stream<A>>,
    version: Version,
) -> Result<Answer<A>, Refused> {
    let gone = || Refused::NotFound(A::KIND);
    if now.version == version {
        let last = journal::entries_before(connection, id.into(), version + 1, 1)?.pop().ok_or_else(gone)?;
        let entries = journal::entries_of(connection, id.into(), last.act)?;
        let act = journal::act::<A>(&entries).map_err(StoreError::from)?;
        return Ok(Answer { id, stream: Arc::clone(now), act });
    }
    let mut acts = journal::acts::<A>(connection, id.into(), version)?;
    let stream = Arc::new(Stream::replay(&acts).map_err(StoreError::from)?);
    Ok(Answer { id, stream, act: acts.pop().ok_or_else(gone)? })
}

/// A page of a stream's log.
pub struct LogPage<A: Aggregate> {
    /// Whole acts, never parts of one; newest first.
    pub acts: Vec<Act<A::Event>>,
    /// The version to pass as `before` for the next page; `None` on the last page.
    pub next: Option<Version>,
}

impl Desk {
    /// The newest acts of a stream before a version, at most `limit`.
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
