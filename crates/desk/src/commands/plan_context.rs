//! The surroundings in which an order is planned: its transaction, or a reader beside the writer for a
//! preview.

use std::sync::Arc;

use uuid::Uuid;

use crate::{Desk, Dice, Refused, UnitOfWork};
use owlbox_base::journal::shared::Shared;
use owlbox_base::journal::{ActKind, Aggregate, Inputs, Stream, Version, decide_all};
use owlbox_base::values::Timestamp;
use owlbox_store::AnyConnection;

/// The surroundings in which an order is planned.
pub trait PlanContext {
    /// Whether this is a preview, which must refuse to show results nobody may know beforehand.
    const PREVIEW: bool;

    /// The connection, for what is asked seldom: in a transaction it sets this order apart from others.
    fn connection(&mut self) -> Result<&mut AnyConnection, Refused>;
    /// The current state of a stream, opened or not; in a transaction it is locked.
    fn stream<A: Aggregate>(&mut self, id: Uuid) -> Result<Arc<Stream<A>>, Refused>;
    /// The events of `commands`, carried out one after the other on `state`.
    fn decide<A: Aggregate<Refusal: Into<Refused>>>(
        &mut self,
        state: &A,
        commands: &[A::Command],
    ) -> Result<ActKind<A::Event>, Refused>;
    /// The current state of a stream, without locking it.
    fn load_unlocked<A: Aggregate>(&mut self, id: Uuid) -> Result<Arc<Stream<A>>, Refused>;
    /// The current state of an opened stream, refused unless it is at the version the caller saw.
    fn find<A: Shared>(&mut self, id: A::Id, expected: Option<Version>) -> Result<Arc<Stream<A>>, Refused> {
        let stream = ensure_opened(self.stream(id.into())?)?;
        UnitOfWork::expect(&stream, expected)?;
        Ok(stream)
    }
    /// The maximum length of a stream.
    fn limit(&self) -> Version;
    /// The time of the act, or of the preview.
    fn now(&self) -> Timestamp;
}

impl PlanContext for UnitOfWork<'_, '_> {
    const PREVIEW: bool = false;

    fn connection(&mut self) -> Result<&mut AnyConnection, Refused> {
        Ok(self.transaction.connection()?)
    }

    fn stream<A: Aggregate>(&mut self, id: Uuid) -> Result<Arc<Stream<A>>, Refused> {
        self.load(id)
    }

    fn decide<A: Aggregate<Refusal: Into<Refused>>>(
        &mut self,
        state: &A,
        commands: &[A::Command],
    ) -> Result<ActKind<A::Event>, Refused> {
        self.decide_all(state, commands).map_err(Into::into)
    }

    fn load_unlocked<A: Aggregate>(&mut self, id: Uuid) -> Result<Arc<Stream<A>>, Refused> {
        UnitOfWork::load_unlocked(self, id)
    }

    fn limit(&self) -> Version {
        self.desk().inner.limits.stream_length
    }

    fn now(&self) -> Timestamp {
        self.now
    }
}

/// Refuses a stream whose opening was undone.
pub(crate) fn ensure_opened<A: Aggregate>(stream: Arc<Stream<A>>) -> Result<Arc<Stream<A>>, Refused> {
    if stream.effective().is_empty() { Err(Refused::NotFound(A::KIND)) } else { Ok(stream) }
}

/// The surroundings of a preview, on a reader's connection.
pub struct PreviewContext<'a> {
    pub desk: &'a Desk,
    pub connection: &'a mut AnyConnection,
    pub now: Timestamp,
    pub dice: Dice,
}

impl PlanContext for PreviewContext<'_> {
    const PREVIEW: bool = true;

    fn connection(&mut self) -> Result<&mut AnyConnection, Refused> {
        Ok(self.connection)
    }

    fn stream<A: Aggregate>(&mut self, id: Uuid) -> Result<Arc<Stream<A>>, Refused> {
        self.desk.load(self.connection, id)
    }

    fn decide<A: Aggregate<Refusal: Into<Refused>>>(
        &mut self,
        state: &A,
        commands: &[A::Command],
    ) -> Result<ActKind<A::Event>, Refused> {
        let mut inputs = Inputs { now: self.now, chance: &mut self.dice };
        decide_all(state, commands, &mut inputs).map(ActKind::Events).map_err(Into::into)
    }

    fn load_unlocked<A: Aggregate>(&mut self, id: Uuid) -> Result<Arc<Stream<A>>, Refused> {
        self.desk.load(self.connection, id)
    }

    fn limit(&self) -> Version {
        self.desk.inner.limits.stream_length
    }

    fn now(&self) -> Timestamp {
        self.now
    }
}
