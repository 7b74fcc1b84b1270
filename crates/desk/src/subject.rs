//! The recipients of commands: chouettes, matches and tournaments. [`Subject`] holds what differs between
//! them; the `pipeline` holds what they have in common.

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

/// A kind of stream that people give commands to.
pub trait Subject:
    Shared + Aggregate<Refusal: Into<Refused>, Command: Clone + Send + Sync, Event: fmt::Debug>
{
    /// Its name in "there is no such ...".
    const WHAT: &'static str;
    /// The kind of the command that opens a new stream.
    const OPEN: Self::CommandKind;

    type Id: Copy + Send + Sync + fmt::Debug + fmt::Display + From<Uuid> + Into<Uuid> + 'static;
    type CommandKind: permissions::CommandKind + for<'c> From<&'c Self::Command>;
    /// The data a new stream is opened with.
    type New: Clone + Send + Sync + 'static;

    /// The `kind` label of an order in the metrics.
    fn counted_as(kind: OrderKind<Self::CommandKind>) -> &'static str;

    /// The command that opens a new stream. Checks that the caller may open one.
    ///
    /// # Errors
    /// Refusals of the desk.
    fn opening(unit: &mut UnitOfWork<'_, '_>, id: Self::Id, new: Self::New)
    -> Result<Self::Command, Refused>;

    /// The other streams of the same kind that an order involves. They are locked in the same order
    /// everywhere, so that two orders cannot deadlock.
    ///
    /// # Errors
    /// Refusals of the desk.
    fn touches(
        _visit: &mut UnitOfWork<'_, '_>,
        _id: Self::Id,
        _order: &Order<Self::Command>,
    ) -> Result<BTreeSet<Uuid>, Refused> {
        Ok(BTreeSet::new())
    }

    /// The plan of an order. Checks that the caller may give it. The act and its preview share this code.
    ///
    /// # Errors
    /// Refusals of the rules or the desk.
    fn plan<S: Surroundings>(
        around: &mut S,
        principal: &Principal,
        id: Self::Id,
        before: &Arc<Stream<Self>>,
        order: Order<Self::Command>,
    ) -> Result<Plan<Self>, Refused>;

    /// The consequences of an act outside its journal: the read tables, the books, and acts in streams of
    /// another kind.
    ///
    /// # Errors
    /// Refusals there.
    fn follow(unit: &mut UnitOfWork<'_, '_>, changes: &[Change<Self>]) -> Result<(), Refused>;

    /// Refuses a preview where [`follow`](Self::follow) would refuse the act.
    ///
    /// # Errors
    /// Refusals there.
    fn would_follow(
        _beside: &mut Beside<'_>,
        _authority: &Principal,
        _preview: &Preview<Self>,
    ) -> Result<(), Refused> {
        Ok(())
    }

    /// The current state, for a caller who may see it, and the caller's principal there. Includes a stream
    /// whose opening was undone, as far as it can still be told who may see it.
    ///
    /// # Errors
    /// [`Refused::NotFound`], [`Refused::Unauthorised`], [`Refused::Forbidden`], or the store failed.
    fn visible(
        desk: &Desk,
        actor: Option<&Actor>,
        id: Self::Id,
    ) -> impl Future<Output = Result<Visible<Self>, Refused>> + Send;

    /// The viewer for whom this stream is redacted.
    fn viewer(&self, _authority: Option<&Principal>) -> Viewer {
        Viewer::default()
    }

    /// How many of the newest acts the caller may undo or redo at once.
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

/// A stream the caller may see, and the caller's principal there.
pub type Visible<A> = (Arc<Stream<A>>, Option<Principal>);

/// The effect of an order on every stream it involves.
pub struct Plan<A: Subject> {
    /// The part at the stream the order was given to.
    pub here: Part<A>,
    pub others: Vec<Part<A>>,
}

/// The effect of an order on one stream.
pub struct Part<A: Subject> {
    pub id: A::Id,
    pub before: Arc<Stream<A>>,
    pub kind: ActKind<A::Event>,
    /// The maximum version of the stream after it.
    pub limit: Version,
}

impl<A: Subject> From<Part<A>> for Plan<A> {
    fn from(here: Part<A>) -> Self {
        Self { here, others: Vec::new() }
    }
}

impl<A: Subject> Plan<A> {
    /// All parts; that of the stream the order was given to comes first.
    pub fn parts(self) -> impl Iterator<Item = Part<A>> {
        std::iter::once(self.here).chain(self.others)
    }

    /// Refuses if a stream would exceed its maximum length.
    pub(crate) fn fits(&self) -> Result<(), Refused> {
        std::iter::once(&self.here)
            .chain(&self.others)
            .try_for_each(|part| UnitOfWork::version_after(&part.before, &part.kind, part.limit).map(drop))
    }
}

/// The effect of an act on one stream.
pub struct Change<A: Subject> {
    pub id: A::Id,
    pub before: Arc<Stream<A>>,
    pub after: Arc<Stream<A>>,
    pub act: Act<A::Event>,
    /// The effects of the act, in order, with undo and redo resolved.
    pub effects: Vec<Effect<A::Event>>,
}

/// A stream after a command.
#[derive(Clone, Debug)]
pub struct Answer<A: Subject> {
    pub id: A::Id,
    pub stream: Arc<Stream<A>>,
    pub act: Act<A::Event>,
}

/// The preview of an order at one stream.
#[derive(Clone, Debug)]
pub struct StreamPreview<A: Subject> {
    pub before: Arc<Stream<A>>,
    /// The future state of the stream, and the act.
    pub after: Answer<A>,
    /// The acts to be undone, newest first, or redone, oldest first. Empty for other commands.
    pub named: Vec<Act<A::Event>>,
}

/// The preview of an order at the stream it was given to, and at others.
#[derive(Clone, Debug)]
pub struct Preview<A: Subject> {
    pub here: StreamPreview<A>,
    pub also: Vec<StreamPreview<A>>,
}

impl<A: Subject> Preview<A> {
    /// All streams; the one the order was given to comes first.
    pub fn all(&self) -> impl Iterator<Item = &StreamPreview<A>> {
        std::iter::once(&self.here).chain(&self.also)
    }
}

/// The acts the caller may undo or redo.
#[derive(Clone, Copy, Debug)]
pub struct HistorySteps<K> {
    /// The undo entry of the first of these acts.
    pub entry: UndoEntry<K>,
    /// How many acts can be undone or redone at once.
    pub acts: usize,
}
