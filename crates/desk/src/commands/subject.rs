//! The recipients of commands: chouettes, matches and tournaments. [`Subject`] holds what differs between
//! them; the `pipeline` holds what they have in common.

use std::fmt;
use std::sync::Arc;

use uuid::Uuid;

use crate::commands::history::Order;
use crate::commands::metrics::Counted;
use crate::commands::plan_context::{PlanContext, PreviewContext};
use crate::commands::unit_of_work::{Effect, UnitOfWork};
use crate::{Actor, Desk, Principal, Refused};
use owlbox_base::journal::shared::{Shared, Viewer};
use owlbox_base::journal::{Act, ActKind, Aggregate, HistoryKind, Stream, UndoEntry, Version};

/// Streams that an order locks, with their kinds.
pub type ToLock = Vec<(Uuid, &'static str)>;

/// A kind of stream that people give commands to.
pub trait Subject:
    Shared + Aggregate<Refusal: Into<Refused>, Command: Clone + Send + Sync + Counted, Event: fmt::Debug>
{
    /// The data a new stream is opened with.
    type New: Clone + Send + Sync + 'static;

    /// The commands that open a new stream, as one act. Checks that the caller may open one.
    ///
    /// # Errors
    /// Refusals of the desk.
    fn opening(
        unit: &mut UnitOfWork<'_, '_>,
        id: Self::Id,
        new: Self::New,
    ) -> Result<Vec<Self::Command>, Refused>;

    /// Locks the streams of an order that involves others of its kind, always in the same order, so that two
    /// orders cannot deadlock.
    ///
    /// # Errors
    /// Refusals of the desk.
    fn lock(_: &mut UnitOfWork<'_, '_>, _: Self::Id, _: &Order<Self::Command>) -> Result<(), Refused> {
        Ok(())
    }

    /// What an order locks, as far as that is known beforehand: it is then carried out together with
    /// others. `None` if it takes long, or most of its kind ask for much else.
    fn foreseen(_: &Desk, _: Self::Id, _: &Order<Self::Command>) -> Option<ToLock> {
        None
    }

    /// The plan of an order to a stream that stands at the version the caller saw. Checks that the caller may
    /// give it. The act and its preview share this code.
    ///
    /// # Errors
    /// Refusals of the rules or the desk.
    fn plan<S: PlanContext>(
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
        beside: &mut PreviewContext<'_>,
        principal: &Principal,
        preview: &Preview<Self>,
    ) -> Result<(), Refused>;

    /// A stream as the caller may see it. Includes one whose opening was undone, as far as it can still be
    /// told who may see it.
    ///
    /// # Errors
    /// [`Refused::NotFound`], [`Refused::Unauthorised`], [`Refused::Forbidden`], or the store failed.
    fn visible(
        desk: &Desk,
        actor: Option<&Actor>,
        id: Self::Id,
    ) -> impl Future<Output = Result<Visible<Self>, Refused>> + Send;

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

/// A stream the caller may see.
pub struct Visible<A: Aggregate> {
    /// The current state.
    pub stream: Arc<Stream<A>>,
    /// The caller's principal there; `None` without a login.
    pub principal: Option<Principal>,
    /// The viewer for whom events are redacted.
    pub viewer: Viewer,
}

/// The effect of an order on every stream it involves.
pub struct Plan<A: Subject> {
    /// The part at the stream the order was given to.
    pub here: StreamPlan<A>,
    pub others: Vec<StreamPlan<A>>,
}

/// The effect of an order on one stream.
pub struct StreamPlan<A: Subject> {
    pub id: A::Id,
    pub before: Arc<Stream<A>>,
    pub kind: ActKind<A::Event>,
    /// The maximum version of the stream after it.
    pub limit: Version,
}

impl<A: Subject> From<StreamPlan<A>> for Plan<A> {
    fn from(here: StreamPlan<A>) -> Self {
        Self { here, others: Vec::new() }
    }
}

impl<A: Subject> Plan<A> {
    /// All parts; that of the stream the order was given to comes first.
    pub fn parts(self) -> impl Iterator<Item = StreamPlan<A>> {
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
pub struct StreamAfter<A: Subject> {
    pub id: A::Id,
    pub stream: Arc<Stream<A>>,
    pub act: Act<A::Event>,
}

/// The preview of an order at one stream.
#[derive(Clone, Debug)]
pub struct StreamPreview<A: Subject> {
    pub before: Arc<Stream<A>>,
    /// The future state of the stream, and the act.
    pub after: StreamAfter<A>,
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
