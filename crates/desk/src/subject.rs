//! What commands are given to: a chouette, a match, a tournament. What differs between them on the one road stands in
//! [`Subject`]; the road itself is the `pipeline`'s.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use uuid::Uuid;

use crate::history::Order;
use crate::surroundings::{Beside, Surroundings};
use crate::unit_of_work::{Effect, UnitOfWork};
use crate::{Actor, Desk, Principal, Refused};
use owlbox_domain::journal::shared::{Shared, Viewer};
use owlbox_domain::journal::{Act, ActKind, Aggregate, HistoryKind, Stream, UndoEntry, Version};
use owlbox_domain::permissions::{self, OrderKind};

/// A stream that people give commands to.
pub trait Subject:
    Shared + Aggregate<Refusal: Into<Refused>, Command: Clone + Send + Sync, Event: fmt::Debug>
{
    /// What it is called where there is none.
    const WHAT: &'static str;
    /// The command that opens one.
    const OPEN: Self::CommandKind;

    type Id: Copy + Send + Sync + fmt::Debug + fmt::Display + From<Uuid> + Into<Uuid> + 'static;
    type CommandKind: permissions::CommandKind + for<'c> From<&'c Self::Command>;
    /// What one is opened with.
    type New: Clone + Send + Sync + 'static;

    /// What an order counts as in the figures.
    fn counted_as(kind: OrderKind<Self::CommandKind>) -> &'static str;

    /// The command that opens one, for who may open one.
    ///
    /// # Errors
    /// What the desk refuses.
    fn opening(unit: &mut UnitOfWork<'_, '_>, id: Self::Id, new: Self::New)
    -> Result<Self::Command, Refused>;

    /// The other streams of the kind that an order touches. They are taken in one order everywhere, so that of two orders one
    /// waits for the other and never both.
    ///
    /// # Errors
    /// What the desk refuses.
    fn touches(
        _visit: &mut UnitOfWork<'_, '_>,
        _id: Self::Id,
        _order: &Order<Self::Command>,
    ) -> Result<BTreeSet<Uuid>, Refused> {
        Ok(BTreeSet::new())
    }

    /// What an order comes to, for who may give it: the same for the act itself and for its preview.
    ///
    /// # Errors
    /// What the rules or the desk refuse.
    fn plan<S: Surroundings>(
        around: &mut S,
        principal: &Principal,
        id: Self::Id,
        before: &Arc<Stream<Self>>,
        order: Order<Self::Command>,
    ) -> Result<Plan<Self>, Refused>;

    /// What follows of an act besides the journal: the read tables, the books, what happens at streams of another kind.
    ///
    /// # Errors
    /// What is refused there.
    fn follow(unit: &mut UnitOfWork<'_, '_>, changes: &[Change<Self>]) -> Result<(), Refused>;

    /// Refuses a preview of what [`follow`](Self::follow) would refuse.
    ///
    /// # Errors
    /// What is refused there.
    fn would_follow(
        _beside: &mut Beside<'_>,
        _authority: &Principal,
        _preview: &Preview<Self>,
    ) -> Result<(), Refused> {
        Ok(())
    }

    /// It, for somebody who may look at it, and the asker as they are there. Also one whose opening was taken back, as far as it
    /// can be told then who may.
    ///
    /// # Errors
    /// [`Refused::NotFound`], [`Refused::Unauthorised`], [`Refused::Forbidden`], or the store failed.
    fn visible(
        desk: &Desk,
        actor: Option<&Actor>,
        id: Self::Id,
    ) -> impl Future<Output = Result<Visible<Self>, Refused>> + Send;

    /// Somebody who looks at it.
    fn viewer(&self, _authority: Option<&Principal>) -> Viewer {
        Viewer::default()
    }

    /// How many of the newest acts the asker may take back at once, or put back.
    ///
    /// # Errors
    /// The store failed.
    fn steps(
        desk: &Desk,
        stream: &Stream<Self>,
        principal: &Principal,
        kind: HistoryKind,
    ) -> impl Future<Output = Result<usize, Refused>> + Send;
}

/// A stream that the asker may look at, and the asker as they are there.
pub type Visible<A> = (Arc<Stream<A>>, Option<Principal>);

/// What an order comes to, at every stream that it touches.
pub struct Plan<A: Subject> {
    /// Where it is given.
    pub here: Part<A>,
    pub others: Vec<Part<A>>,
}

/// What an order comes to at one stream.
pub struct Part<A: Subject> {
    pub id: A::Id,
    pub before: Arc<Stream<A>>,
    pub kind: ActKind<A::Event>,
    /// How long the stream may become.
    pub limit: Version,
}

impl<A: Subject> From<Part<A>> for Plan<A> {
    fn from(here: Part<A>) -> Self {
        Self { here, others: Vec::new() }
    }
}

impl<A: Subject> Plan<A> {
    /// Every part, the one where the order is given first.
    pub fn parts(self) -> impl Iterator<Item = Part<A>> {
        std::iter::once(self.here).chain(self.others)
    }

    /// Whether no stream is longer than it may be after this.
    pub(crate) fn fits(&self) -> Result<(), Refused> {
        std::iter::once(&self.here)
            .chain(&self.others)
            .try_for_each(|part| UnitOfWork::version_after(&part.before, &part.kind, part.limit).map(drop))
    }
}

/// What an act made of one stream.
pub struct Change<A: Subject> {
    pub id: A::Id,
    pub before: Arc<Stream<A>>,
    pub after: Arc<Stream<A>>,
    pub act: Act<A::Event>,
    /// What the act comes to, in order.
    pub effects: Vec<Effect<A::Event>>,
}

/// A stream after a command.
#[derive(Clone, Debug)]
pub struct Answer<A: Subject> {
    pub id: A::Id,
    pub stream: Arc<Stream<A>>,
    pub act: Act<A::Event>,
}

/// What an order would make of a stream.
#[derive(Clone, Debug)]
pub struct StreamPreview<A: Subject> {
    pub before: Arc<Stream<A>>,
    /// The stream as it would be, and the act.
    pub after: Answer<A>,
    /// The acts that would be taken back, newest first, or put back, oldest first. None of another command.
    pub named: Vec<Act<A::Event>>,
}

/// What an order would make of the stream to which it is given, and of others.
#[derive(Clone, Debug)]
pub struct Preview<A: Subject> {
    pub here: StreamPreview<A>,
    pub also: Vec<StreamPreview<A>>,
}

impl<A: Subject> Preview<A> {
    /// All streams, the one to which the order is given first.
    pub fn all(&self) -> impl Iterator<Item = &StreamPreview<A>> {
        std::iter::once(&self.here).chain(&self.also)
    }
}

/// The acts that the asker may take back, or put back.
#[derive(Clone, Copy, Debug)]
pub struct HistorySteps<K> {
    /// The first of them.
    pub entry: UndoEntry<K>,
    /// How many at once.
    pub acts: usize,
}
