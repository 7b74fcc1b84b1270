//! Acts of a stream besides carrying them out: foreseen for a preview, read again for a retry.

use std::sync::Arc;

use uuid::Uuid;

use super::Refused;
use owlbox_domain::journal::{Act, Aggregate, Deed, Stream, Version};
use owlbox_domain::values::{AccountId, ActId, Timestamp};
use owlbox_store::{AnyConnection, StoreError, journal};

/// What an act would make of a stream.
pub(super) struct Foresight<A: Aggregate> {
    /// The stream as it would be.
    pub(super) stream: Arc<Stream<A>>,
    /// The act.
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
