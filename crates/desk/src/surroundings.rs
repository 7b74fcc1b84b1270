//! Where an order is worked out: in its transaction, or beside the writer, for a preview.

use std::sync::Arc;

use uuid::Uuid;

use super::pipeline::there;
use super::subject::Subject;
use super::{Desk, Dice, Refused, UnitOfWork};
use owlbox_domain::journal::{ActKind, Aggregate, Inputs, Stream, Version, decide_all};
use owlbox_domain::values::Timestamp;
use owlbox_store::AnyConnection;

/// Where an order is worked out.
pub trait Surroundings {
    /// Whether nothing is done: what nobody may know beforehand is refused.
    const PREVIEW: bool;

    fn connection(&mut self) -> &mut AnyConnection;
    /// A stream as it is, opened or not. `what` names it if it is not there.
    fn stream<A: Aggregate>(&mut self, id: Uuid, what: &'static str) -> Result<Arc<Stream<A>>, Refused>;
    /// What `commands`, one after the other, make happen to a state.
    fn decide<A: Aggregate<Refusal: Into<Refused>>>(
        &mut self,
        state: &A,
        commands: &[A::Command],
    ) -> Result<ActKind<A::Event>, Refused>;
    /// A stream as it is at this moment, without keeping others off it.
    fn look<A: Aggregate>(&mut self, id: Uuid, what: &'static str) -> Result<Arc<Stream<A>>, Refused>;
    /// One as it is, refused unless it is at the version that the caller saw.
    fn find<A: Subject>(&mut self, id: A::Id, expected: Option<Version>) -> Result<Arc<Stream<A>>, Refused> {
        let stream = there(self.stream(id.into(), A::WHAT)?)?;
        UnitOfWork::expect(&stream, expected)?;
        Ok(stream)
    }
    /// How long a stream may become.
    fn limit(&self) -> Version;
    /// The moment of what is done, or would be.
    fn now(&self) -> Timestamp;
}

impl Surroundings for UnitOfWork<'_, '_> {
    const PREVIEW: bool = false;

    fn connection(&mut self) -> &mut AnyConnection {
        self.transaction.connection
    }

    fn stream<A: Aggregate>(&mut self, id: Uuid, what: &'static str) -> Result<Arc<Stream<A>>, Refused> {
        self.load(id, what)
    }

    fn decide<A: Aggregate<Refusal: Into<Refused>>>(
        &mut self,
        state: &A,
        commands: &[A::Command],
    ) -> Result<ActKind<A::Event>, Refused> {
        self.decide_all(state, commands).map_err(Into::into)
    }

    fn look<A: Aggregate>(&mut self, id: Uuid, what: &'static str) -> Result<Arc<Stream<A>>, Refused> {
        UnitOfWork::look(self, id, what)
    }

    fn limit(&self) -> Version {
        self.desk().inner.limits.stream_length
    }

    fn now(&self) -> Timestamp {
        self.now
    }
}

/// Where a preview is worked out.
pub struct Beside<'a> {
    pub desk: &'a Desk,
    pub connection: &'a mut AnyConnection,
    pub now: Timestamp,
    pub dice: Dice,
}

impl Surroundings for Beside<'_> {
    const PREVIEW: bool = true;

    fn connection(&mut self) -> &mut AnyConnection {
        self.connection
    }

    fn stream<A: Aggregate>(&mut self, id: Uuid, what: &'static str) -> Result<Arc<Stream<A>>, Refused> {
        self.desk.look(self.connection, id, what)
    }

    fn decide<A: Aggregate<Refusal: Into<Refused>>>(
        &mut self,
        state: &A,
        commands: &[A::Command],
    ) -> Result<ActKind<A::Event>, Refused> {
        let mut inputs = Inputs { now: self.now, chance: &mut self.dice };
        decide_all(state, commands, &mut inputs).map(ActKind::Events).map_err(Into::into)
    }

    fn look<A: Aggregate>(&mut self, id: Uuid, what: &'static str) -> Result<Arc<Stream<A>>, Refused> {
        self.desk.look(self.connection, id, what)
    }

    fn limit(&self) -> Version {
        self.desk.inner.limits.stream_length
    }

    fn now(&self) -> Timestamp {
        self.now
    }
}
