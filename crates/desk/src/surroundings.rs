//! Where an order is worked out: in its transaction, or beside the writer, for a preview.

use std::sync::Arc;

use uuid::Uuid;

use super::{Desk, Dice, Refused, Visit};
use owlbox_domain::journal::{Aggregate, Deed, Given, Stream, Version, decide_all};
use owlbox_domain::values::Timestamp;
use owlbox_store::AnyConnection;

/// Where an order is worked out.
pub(super) trait Surroundings {
    fn connection(&mut self) -> &mut AnyConnection;
    /// A stream as it is, opened or not. `what` names it if it is not there.
    fn stream<A: Aggregate>(&mut self, id: Uuid, what: &'static str) -> Result<Arc<Stream<A>>, Refused>;
    /// What `commands`, one after the other, make happen to a state.
    fn decide<A: Aggregate>(&mut self, state: &A, commands: &[A::Command]) -> Result<Deed<A::Event>, Refused>
    where
        Refused: From<A::Refusal>;
    /// How long a stream may become.
    fn limit(&self) -> Version;
    /// The moment of what is done, or would be.
    fn now(&self) -> Timestamp;
}

impl Surroundings for Visit<'_, '_> {
    fn connection(&mut self) -> &mut AnyConnection {
        self.transaction.connection
    }

    fn stream<A: Aggregate>(&mut self, id: Uuid, what: &'static str) -> Result<Arc<Stream<A>>, Refused> {
        self.load(id, what)
    }

    fn decide<A: Aggregate>(&mut self, state: &A, commands: &[A::Command]) -> Result<Deed<A::Event>, Refused>
    where
        Refused: From<A::Refusal>,
    {
        Ok(self.decide_all(state, commands)?)
    }

    fn limit(&self) -> Version {
        self.desk().inner.limits.stream_length
    }

    fn now(&self) -> Timestamp {
        self.now
    }
}

/// Where a preview is worked out.
pub(super) struct Beside<'a> {
    pub desk: &'a Desk,
    pub connection: &'a mut AnyConnection,
    pub now: Timestamp,
    pub dice: Dice,
}

impl Surroundings for Beside<'_> {
    fn connection(&mut self) -> &mut AnyConnection {
        self.connection
    }

    fn stream<A: Aggregate>(&mut self, id: Uuid, what: &'static str) -> Result<Arc<Stream<A>>, Refused> {
        self.desk.look(self.connection, id, what)
    }

    fn decide<A: Aggregate>(&mut self, state: &A, commands: &[A::Command]) -> Result<Deed<A::Event>, Refused>
    where
        Refused: From<A::Refusal>,
    {
        let mut given = Given { now: self.now, chance: &mut self.dice };
        Ok(Deed::Events(decide_all(state, commands, &mut given)?))
    }

    fn limit(&self) -> Version {
        self.desk.inner.limits.stream_length
    }

    fn now(&self) -> Timestamp {
        self.now
    }
}
