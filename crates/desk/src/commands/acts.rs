//! Acts of a stream: previewed before they happen, read again for a retry, and listed for the log.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use uuid::Uuid;

use crate::commands::subject::{StreamAfter, StreamPlan, StreamPreview, Subject};
use crate::{Desk, Refused};
use owlbox_base::journal::shared::{Shared, Viewer};
use owlbox_base::journal::{Act, ActKind, Aggregate, Stream, Version, stands_aside};
use owlbox_base::values::{AccountId, ActId, Timestamp};
use owlbox_store::{AnyConnection, StoreError, accounts, journal, players};

/// The state of a stream after a part of a plan, as if this account carried it out at this moment.
pub(crate) fn previewed<A: Subject>(
    connection: &mut AnyConnection,
    StreamPlan { id, before, kind, .. }: StreamPlan<A>,
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
    Ok(StreamPreview { before, after: StreamAfter { id, stream: Arc::new(stream), act }, named })
}

/// The events of one act of a stream; none for an undo or a redo.
pub(crate) fn events_in<A: Aggregate>(
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
pub(crate) fn read_again<A: Subject>(
    connection: &mut AnyConnection,
    id: A::Id,
    now: &Arc<Stream<A>>,
    version: Version,
) -> Result<StreamAfter<A>, Refused> {
    let gone = || Refused::NotFound(A::KIND);
    if now.version == version {
        let last = journal::entries_before(connection, id.into(), version + 1, 1)?.pop().ok_or_else(gone)?;
        let entries = journal::entries_of(connection, id.into(), last.act)?;
        let act = journal::act::<A>(&entries).map_err(StoreError::from)?;
        return Ok(StreamAfter { id, stream: Arc::clone(now), act });
    }
    let mut acts = journal::acts::<A>(connection, id.into(), version)?;
    let stream = Arc::new(Stream::replay(&acts).map_err(StoreError::from)?);
    Ok(StreamAfter { id, stream, act: acts.pop().ok_or_else(gone)? })
}

/// A page of a stream's log.
pub struct LogPage<A: Aggregate> {
    /// Whole acts, never parts of one; newest first.
    pub acts: Vec<Act<A::Event>>,
    /// The version to pass as `before` for the next page; `None` on the last page.
    pub next: Option<Version>,
}

/// Leaves of an act's events what the viewer may see.
pub(crate) fn redact<A: Shared>(act: &mut Act<A::Event>, viewer: &Viewer) {
    if let ActKind::Events(events) = &mut act.kind {
        *events = events.iter().filter_map(|event| A::shown_to(event, viewer)).collect();
    }
}

/// The names of the accounts behind these acts: the player's, else the login if that may be shown.
pub(crate) fn people_behind<E>(
    connection: &mut AnyConnection,
    acts: &[Act<E>],
    logins: bool,
) -> Result<BTreeMap<AccountId, String>, Refused> {
    let ids: BTreeSet<AccountId> = acts.iter().map(|act| act.by).collect();
    let mut people = BTreeMap::new();
    for id in ids {
        let Some(account) = accounts::find(connection, id)? else { continue };
        let player = match account.player {
            Some(player) => players::find(connection, player.into())?,
            None => None,
        };
        let name = player.map(|player| player.display_name().to_owned()).or(account.login.filter(|_| logins));
        people.extend(name.map(|name| (id, name)));
    }
    Ok(people)
}

/// A page of a stream's log, with what it takes to say it in words.
pub struct ReadableLog<A: Aggregate> {
    pub page: LogPage<A>,
    /// The acts on the page that were undone and not redone since.
    pub undone: BTreeSet<ActId>,
    /// The events of the acts that an undo or a redo on the page names, where it names one alone.
    pub named: BTreeMap<ActId, Vec<A::Event>>,
    /// The names of those who did it, as far as they may be shown.
    pub people: BTreeMap<AccountId, String>,
}

/// The newest acts of a stream before a version, at most `limit`, for people to read: as far as the viewer
/// may see them. Accounts without a player are named by their login, so this is for nobody but those who are
/// signed in.
pub(crate) fn read_log<A: Subject>(
    connection: &mut AnyConnection,
    id: A::Id,
    stream: &Stream<A>,
    before: Version,
    limit: usize,
    viewer: &Viewer,
) -> Result<ReadableLog<A>, Refused> {
    // Not beyond the state that the page is worded with.
    let before = before.min(stream.version + 1);
    // The opening act, and what stands aside, cannot be taken back, and count all the same.
    let effective: BTreeSet<ActId> = stream.effective().newest_first().map(|entry| entry.id).collect();
    let mut page = log_page::<A>(connection, id.into(), before, limit)?;
    let taken_back = |act: &&Act<A::Event>| {
        matches!(act.kind, ActKind::Events(_))
            && !effective.contains(&act.id)
            && !stands_aside::<A>(&act.kind)
    };
    let undone = page.acts.iter().filter(taken_back).map(|act| act.id).collect();
    page.acts.iter_mut().for_each(|act| redact::<A>(act, viewer));
    let mut people = people_behind(connection, &page.acts, true)?;
    people.retain(|account, _| A::author_shown_to(*account, viewer));
    let mut named = BTreeMap::new();
    for act in &page.acts {
        match &act.kind {
            ActKind::Events(_) => {}
            ActKind::Undo(acts) | ActKind::Redo(acts) => {
                if let [one] = acts.as_slice() {
                    let events = events_in::<A>(connection, id.into(), *one)?;
                    let seen = events.iter().filter_map(|event| A::shown_to(event, viewer)).collect();
                    named.insert(*one, seen);
                }
            }
        }
    }
    Ok(ReadableLog { page, undone, named, people })
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
        self.read(move |connection| log_page(connection, stream, before, limit)).await
    }
}

/// The newest acts of a stream before a version, at most `limit`.
fn log_page<A: Aggregate>(
    connection: &mut AnyConnection,
    stream: Uuid,
    before: Version,
    limit: usize,
) -> Result<LogPage<A>, Refused> {
    let acts = journal::acts_before(connection, stream, before, limit)?;
    let first = acts.last().and_then(|act| act.first()).map_or(1, |entry| entry.version);
    let acts = acts.iter().map(|act| journal::act::<A>(act)).collect::<Result<_, _>>();
    Ok(LogPage { acts: acts.map_err(StoreError::from)?, next: (first > 1).then_some(first) })
}
