//! Who may see and take back what of a stream. Closed by default: a new event does not compile until somebody
//! has said what of it is for whose eyes, and whose it is. Nor does a new field of an event that is shown,
//! because implementations name every field instead of writing `..`; what fields hold is looked at where it
//! could be anybody's own.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use uuid::Uuid;

use super::{ActKind, Aggregate, Stream, UndoEntry};
use crate::values::{AccountId, PlayerId};

/// Somebody who looks at a stream; by default somebody without a login.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Viewer {
    pub account: Option<AccountId>,
    /// The player who they are.
    pub player: Option<PlayerId>,
    /// Whether they see whose money moved in this stream, and which logins have to do with it.
    pub sees_accounts: bool,
    /// Whether they see what people have won and lost at tables.
    pub sees_points: bool,
    /// Whether they see what players owe and pay each other for it. Nobody without a login does.
    pub sees_payments: bool,
}

impl Viewer {
    /// Whether they may know that `author` did something, where logins are not for everybody.
    #[must_use]
    pub fn sees_author(&self, author: AccountId) -> bool {
        self.sees_accounts || self.account == Some(author)
    }
}

/// A stream that many look at and act on.
pub trait Shared: Aggregate {
    /// The id of such a stream.
    type Id: Copy + Send + Sync + fmt::Debug + fmt::Display + From<Uuid> + Into<Uuid> + 'static;

    /// What of `event` the viewer may see: it, part of it, or nothing.
    fn shown_to(event: &Self::Event, viewer: &Viewer) -> Option<Self::Event>;

    /// Takes out of the state what the viewer may not see.
    fn hide_from(&mut self, viewer: &Viewer);

    /// Whether the viewer may see which login did an act.
    fn author_shown_to(author: AccountId, viewer: &Viewer) -> bool;

    /// Whether after such an act others may see the stream, or see more of it, than before.
    fn changes_who_sees(kind: &ActKind<Self::Event>) -> bool;

    /// Whether an act that begins with such an event is its author's own to take back, or put back. What drew
    /// dice or lots, or showed what others had answered in secret, is nobody's own: anyone who could take it
    /// back could choose knowing it.
    fn is_authors_own(kind: Self::Kind) -> bool;
}

/// A stream whose state is as one viewer may see it: what is not for their eyes is not in it.
#[derive(Clone, Debug)]
pub struct ShownStream<A: Aggregate>(Arc<Stream<A>>);

impl<A: Shared> ShownStream<A> {
    #[must_use]
    pub fn to(viewer: &Viewer, stream: &Stream<A>) -> Self {
        let mut shown = stream.clone();
        shown.state.hide_from(viewer);
        Self(Arc::new(shown))
    }
}

impl<A: Aggregate> Deref for ShownStream<A> {
    type Target = Stream<A>;

    fn deref(&self) -> &Stream<A> {
        &self.0
    }
}

impl<K: Copy> UndoEntry<K> {
    /// Whether the act is the account's own to take back, or put back.
    #[must_use]
    pub fn is_own<A: Shared<Kind = K>>(&self, account: AccountId) -> bool {
        self.by == account && A::is_authors_own(self.kind)
    }
}
