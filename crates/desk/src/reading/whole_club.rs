//! Listeners on the whole club: they get every act of every stream after a place in one order, once, each
//! stream's in the order of its versions.
//!
//! The order is written to the database while somebody listens ([`owlbox_store::journal::order`]), from what
//! is told of the streams' growth ([`ClubGrowth`]), and is the same for all listeners of all instances. The
//! listener who is woken first writes and reads for all ([`ClubGrowth::catch_up`]); one who is further behind
//! than what that has read goes through the database page by page. A club that nobody listens to pays one
//! comparison an act.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};
use tokio::sync::watch;
use uuid::Uuid;

use super::listening::page_of;
use super::live::Frame;
use crate::club::stream::CLUB;
use crate::commands::subject::Subject;
use crate::{Actor, Desk, Refused, Unauthorised, tournaments};
use owlbox_base::code::Code;
use owlbox_base::journal::shared::Viewer;
use owlbox_base::journal::{BrokenHistory, Version};
use owlbox_base::permissions::Permission;
use owlbox_base::values::ActId;
use owlbox_chouette::Chouette;
use owlbox_play::matches::Sheet;
use owlbox_play::tournament::Tournament;
use owlbox_store::journal::order::{self, OrderedGrowth, Position};
use owlbox_store::{AnyConnection, Store, StoreError, journal, tournaments as stored};

/// How many positions back a listener may begin. Older ones are [swept](Desk::sweep) out.
pub const KEPT: Position = 200_000;
/// How far strangers may look back: whatever they are told or not told costs the club a look at each act.
const KEPT_FOR_STRANGERS: Position = 1_000;
/// How many rows of the order a page goes through, and after how many acts it ends.
const ROWS: i64 = 64;
const ACTS: usize = 256;
/// How many of the newest acts are kept for those who listen.
const RECENT: usize = 256;
/// How many streams are written to the order in one transaction.
const AT_ONCE: usize = 256;
/// How long to wait before each further attempt to write and read the order.
const PAUSES: [Duration; 3] = [Duration::from_millis(50), Duration::from_millis(200), Duration::from_secs(1)];

/// The kinds of streams that listeners are told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum StreamKind {
    Chouette,
    Match,
    Tournament,
}

impl StreamKind {
    pub const ALL: [Self; 3] = [Self::Chouette, Self::Match, Self::Tournament];

    /// Decodes an act of such a stream, which its frame keeps.
    fn decode(self, frame: &Frame) -> Result<(), BrokenHistory> {
        match self {
            Self::Chouette => frame.act::<Chouette>().map(drop),
            Self::Match => frame.act::<Sheet>().map(drop),
            Self::Tournament => frame.act::<Tournament>().map(drop),
        }
    }
}

/// A place in the order: after an act. By default it is the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    position: Position,
    /// The version of that position's stream after the act.
    version: Version,
    /// Part of the act's id, by which a database is known that was restored and then went another way.
    act: u32,
}

/// The end of an act's id, which is random.
const fn mark(act: ActId) -> u32 {
    let [.., a, b, c, d] = *act.0.as_bytes();
    u32::from_be_bytes([a, b, c, d])
}

/// `0`, or as in `1042.17.9f3a61c2`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, version, act } = self;
        if *self == Self::default() { f.write_str("0") } else { write!(f, "{position}.{version}.{act:08x}") }
    }
}

/// The text is no place.
#[derive(Debug, PartialEq, Eq)]
pub struct NoPlace;

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let read = || {
            let (position, rest) = text.split_once('.')?;
            let (version, act) = rest.split_once('.')?;
            let (position, version) = (position.parse().ok()?, version.parse().ok()?);
            Some(Self { position, version, act: u32::from_str_radix(act, 16).ok()? })
        };
        let place = if text == "0" { Some(Self::default()) } else { read() };
        let is_written_so =
            |place: &Self| place.to_string() == text && place.position >= 0 && place.version >= 0;
        place.filter(is_written_so).ok_or(NoPlace)
    }
}

/// An act of a stream of the club.
#[derive(Clone, Debug)]
pub struct ClubAct {
    /// Where the order goes on after it.
    pub place: Place,
    /// `None` for the club itself and the daybook, which nobody is told of.
    kind: Option<StreamKind>,
    pub stream: Uuid,
    pub frame: Frame,
}

/// An act, for somebody who may see its stream.
#[derive(Clone, Debug)]
pub struct SeenAct {
    pub kind: StreamKind,
    pub act: ClubAct,
    pub viewer: Viewer,
}

/// What is told of the streams' growth, and what it has led to.
pub struct ClubGrowth {
    grown: Mutex<Grown>,
    /// How often something was told.
    told: watch::Sender<u64>,
    recent: tokio::sync::Mutex<Recent>,
}

/// What has grown since it was written to the order last.
struct Grown {
    streams: BTreeSet<Uuid>,
    /// Whether any other may have grown too.
    any: bool,
}

impl Default for ClubGrowth {
    fn default() -> Self {
        let grown = Grown { streams: BTreeSet::new(), any: true };
        Self { grown: Mutex::new(grown), told: watch::Sender::new(0), recent: tokio::sync::Mutex::default() }
    }
}

/// The newest acts, which listeners share.
#[derive(Default)]
struct Recent {
    /// Up to when everything that was told is in the order.
    told: u64,
    /// The place before the first of the acts; `None` before anything was read.
    begin: Option<Place>,
    acts: VecDeque<ClubAct>,
    /// The place after the last of them.
    end: Place,
}

impl Recent {
    fn start_at(&mut self, place: Place) {
        self.acts.clear();
        (self.begin, self.end) = (Some(place), place);
    }

    fn extend(&mut self, acts: Vec<ClubAct>) {
        for act in acts {
            self.end = act.place;
            self.acts.push_back(act);
            if self.acts.len() > RECENT {
                self.begin = self.acts.pop_front().map(|act| act.place);
            }
        }
    }

    /// The acts after a place, unless it is too far back.
    fn after(&self, place: Place) -> Option<impl Iterator<Item = &ClubAct>> {
        let first = self.acts.partition_point(|act| act.place <= place);
        (self.begin? <= place).then(|| self.acts.range(first..))
    }
}

/// A listener who catches up for all and does not come to the end leaves it to the next, who cannot know how
/// far it got.
struct CatchingUp<'a> {
    growth: &'a ClubGrowth,
    is_done: bool,
}

impl Drop for CatchingUp<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.growth.tell_all();
        }
    }
}

impl ClubGrowth {
    fn lock(&self) -> MutexGuard<'_, Grown> {
        self.grown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A stream has grown.
    pub(super) fn tell(&self, stream: Uuid) {
        self.note(|grown| {
            grown.streams.insert(stream);
        });
    }

    /// Any stream may have grown.
    pub(super) fn tell_all(&self) {
        self.note(|grown| grown.any = true);
    }

    fn note(&self, what: impl FnOnce(&mut Grown)) {
        let mut grown = self.lock();
        if self.told.receiver_count() == 0 {
            grown.any = true;
            return;
        }
        what(&mut grown);
        drop(grown);
        self.told.send_modify(|told| *told += 1);
    }

    /// Hears of everything that is told from now on, and of what was told while nobody listened.
    fn listen(&self) -> watch::Receiver<u64> {
        let grown = self.lock();
        let hints = self.told.subscribe();
        let is_behind = grown.any;
        drop(grown);
        if is_behind {
            self.told.send_modify(|told| *told += 1);
        }
        hints
    }

    /// Writes to the order what has grown, and reads what is new in it. It tries again before it fails, since
    /// all who listen would be cut off, and come back at once.
    async fn catch_up(&self, recent: &mut Recent, store: &Store) -> Result<(), Refused> {
        for pause in PAUSES {
            match self.try_to_catch_up(recent, store).await {
                Err(Refused::Store(error)) if !matches!(error, StoreError::Broken(_)) => {
                    tracing::warn!(%error, "the club's live stream waits, and tries again");
                    tokio::time::sleep(pause).await;
                }
                done => return done,
            }
        }
        self.try_to_catch_up(recent, store).await
    }

    async fn try_to_catch_up(&self, recent: &mut Recent, store: &Store) -> Result<(), Refused> {
        let (told, Grown { mut streams, any }) = {
            let mut grown = self.lock();
            let found = Grown { streams: BTreeSet::new(), any: false };
            (*self.told.borrow(), std::mem::replace(&mut *grown, found))
        };
        let mut catching_up = CatchingUp { growth: self, is_done: false };
        if any {
            streams.extend(store.read(order::unordered).await?);
        }
        for some in streams.into_iter().collect::<Vec<_>>().chunks(AT_ONCE) {
            let some = some.to_vec();
            let write = move |transaction: &mut owlbox_store::Transaction<'_>| {
                let connection = transaction.connection()?;
                some.iter().try_for_each(|stream| order::write(connection, *stream))
            };
            store.write(write).await?;
        }
        let end = recent.end;
        let read = move |connection: &mut _| page_after(connection, end);
        match recent.begin {
            Some(_) => match store.read(read).await {
                Ok((acts, false)) if !acts.iter().any(|act| act.stream == CLUB) => recent.extend(acts),
                // So much is for each listener to read; and what was read before may have been rewritten, if
                // somebody was erased.
                Ok(_) => recent.start_at(store.read(newest_place).await?),
                Err(refused) if refused.code() == Code::EventGone => {
                    recent.start_at(store.read(newest_place).await?);
                }
                Err(failed) => return Err(failed),
            },
            None => recent.start_at(store.read(newest_place).await?),
        }
        recent.told = told;
        catching_up.is_done = true;
        Ok(())
    }
}

/// A listener on the whole club.
pub struct ClubListener {
    desk: Desk,
    hints: watch::Receiver<u64>,
    /// The place after the last act that was returned or passed over.
    place: Place,
    /// The place before the last act that was returned.
    before: Place,
    /// Acts not returned yet.
    backlog: VecDeque<ClubAct>,
    /// Up to when it has looked at what was told.
    looked: Option<u64>,
    /// Whether it has to read from the database.
    is_behind: bool,
    /// The stream of the last act, if the caller may not see it: what follows of it in the backlog is not
    /// asked about again.
    hidden: Option<Uuid>,
}

impl Desk {
    /// Starts listening to the whole club after a place, or from now on.
    ///
    /// # Errors
    /// [`Unauthorised::Missing`] if the caller is a stranger and nothing of the club is public;
    /// [`Code::EventGone`] if the place is not in the order, or too far back; or the store failed.
    pub async fn listen_to_club(
        &self,
        actor: Option<&Actor>,
        after: Option<Place>,
    ) -> Result<ClubListener, Refused> {
        let look_back = match actor {
            Some(actor) => self.principal(actor).await.map(|_| KEPT)?,
            None if self.is_anything_public().await? => KEPT_FOR_STRANGERS,
            None => return Err(Unauthorised::Missing.into()),
        };
        let growth = &self.inner.hub.club;
        let mut listener = ClubListener {
            desk: self.clone(),
            hints: growth.listen(),
            place: Place::default(),
            before: Place::default(),
            backlog: VecDeque::new(),
            looked: None,
            is_behind: false,
            hidden: None,
        };
        if let Some(place) = after {
            let stands = move |connection: &mut _| is_in_order(connection, place, look_back);
            if !self.inner.store.read(stands).await? {
                return Err(gone());
            }
            listener.place = place;
        } else {
            let mut recent = growth.recent.lock().await;
            let told = *listener.hints.borrow_and_update();
            if recent.begin.is_none() || recent.told < told {
                growth.catch_up(&mut recent, &self.inner.store).await?;
            }
            (listener.place, listener.looked) = (recent.end, Some(recent.told));
        }
        Ok(listener)
    }

    /// Whether strangers may see a table or a tournament.
    async fn is_anything_public(&self) -> Result<bool, Refused> {
        if self.rights(None).await?.may(Permission::ViewTables) {
            return Ok(true);
        }
        let filter = tournaments::Filter::default().stored();
        let read = move |connection: &mut _| stored::page(connection, filter, None, 1);
        Ok(!self.inner.store.read(read).await?.is_empty())
    }

    /// As whom a caller sees an act of the club; `None` if they may not see its stream, or nobody can read
    /// it.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`] if the caller is signed in no more; the store failed.
    pub(crate) async fn viewer_of(
        &self,
        actor: Option<&Actor>,
        kind: StreamKind,
        stream: Uuid,
    ) -> Result<Option<Viewer>, Refused> {
        let looked = match kind {
            StreamKind::Chouette => {
                Chouette::visible(self, actor, stream.into()).await.map(|seen| seen.viewer)
            }
            StreamKind::Match => Sheet::visible(self, actor, stream.into()).await.map(|seen| seen.viewer),
            StreamKind::Tournament => {
                Tournament::visible(self, actor, stream.into()).await.map(|seen| seen.viewer)
            }
        };
        match looked {
            Ok(viewer) => Ok(Some(viewer)),
            Err(Refused::NotFound(_) | Refused::Forbidden(_)) => Ok(None),
            Err(Refused::Unauthorised(_)) if actor.is_none() => Ok(None),
            Err(Refused::Store(StoreError::Broken(error))) => {
                tracing::error!(%error, %stream, "nobody is told of this stream: it cannot be read");
                Ok(None)
            }
            Err(failed) => Err(failed),
        }
    }
}

impl ClubListener {
    /// The place after the last act that was returned or passed over.
    #[must_use]
    pub const fn place(&self) -> Place {
        self.place
    }

    /// The place before the last act that was returned.
    #[must_use]
    pub const fn before(&self) -> Place {
        self.before
    }

    /// The next act of a stream of these kinds that the caller may see. What they may see of it, the viewer
    /// says. What this program cannot read is passed over, since no listener would ever get beyond it;
    /// `verify` finds it. Cancel-safe: dropping the future loses no act.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`] if the caller is signed in no more; [`Code::EventGone`] if so much has
    /// happened meanwhile that the next act is not in the order any more; the store failed.
    pub async fn next_seen_by(
        &mut self,
        actor: Option<&Actor>,
        kinds: &[StreamKind],
    ) -> Result<SeenAct, Refused> {
        loop {
            self.fill().await?;
            let Some(act) = self.backlog.front() else { continue };
            let seen = match act.kind.filter(|kind| kinds.contains(kind)) {
                Some(kind) => {
                    let stream = act.stream;
                    let viewer = match self.hidden {
                        Some(hidden) if hidden == stream => None,
                        Some(_) | None => self.desk.viewer_of(actor, kind, stream).await?,
                    };
                    self.hidden = viewer.is_none().then_some(stream);
                    viewer.map(|viewer| (kind, viewer))
                }
                None => None,
            };
            let Some(act) = self.backlog.pop_front() else { continue };
            let before = std::mem::replace(&mut self.place, act.place);
            let Some((kind, viewer)) = seen else { continue };
            match kind.decode(&act.frame) {
                Ok(()) => {
                    self.before = before;
                    return Ok(SeenAct { kind, act, viewer });
                }
                Err(error) => {
                    tracing::error!(%error, stream = %act.stream, "nobody is told of an act: it cannot be read");
                }
            }
        }
    }

    /// Waits until there is an act in the backlog.
    async fn fill(&mut self) -> Result<(), Refused> {
        while self.backlog.is_empty() {
            self.hidden = None;
            if self.is_behind {
                let place = self.place;
                let read = move |connection: &mut _| page_after(connection, place);
                let (acts, goes_on) = self.desk.inner.store.read(read).await?;
                self.backlog.extend(acts);
                self.is_behind = goes_on;
                continue;
            }
            let told = *self.hints.borrow_and_update();
            if self.looked == Some(told) {
                // Cannot fail while the desk exists, to which the sender belongs.
                let _ = self.hints.changed().await;
                continue;
            }
            let growth = &self.desk.inner.hub.club;
            let mut recent = growth.recent.lock().await;
            if recent.begin.is_none() || recent.told < told {
                growth.catch_up(&mut recent, &self.desk.inner.store).await?;
            }
            match recent.after(self.place) {
                Some(acts) => self.backlog.extend(acts.cloned()),
                None => self.is_behind = true,
            }
            self.looked = Some(told);
        }
        Ok(())
    }
}

fn gone() -> Refused {
    Refused::rule(
        Code::EventGone,
        None,
        "this event is too far back, or of another database: begin without it",
    )
}

/// The place after the last act in the order.
fn newest_place(connection: &mut AnyConnection) -> Result<Place, Refused> {
    let Some(row) = order::newest(connection)? else { return Ok(Place::default()) };
    let last = journal::entries_after(connection, row.stream, row.version - 1, Some(1))?;
    let last = last.first().ok_or_else(|| lost(&row))?;
    Ok(Place { position: row.position, version: row.version, act: mark(last.act) })
}

/// Whether there is such a place, and it is not too far back.
fn is_in_order(connection: &mut AnyConnection, place: Place, look_back: Position) -> Result<bool, Refused> {
    let newest = order::newest(connection)?.map_or(0, |row| row.position);
    if place.position < newest - look_back {
        return Ok(false);
    }
    if place == Place::default() {
        return Ok(true);
    }
    let row = order::rows_from(connection, place.position, 1)?.into_iter().next();
    let Some(row) = row.filter(|row| row.position == place.position) else { return Ok(false) };
    if !(row.before < place.version && place.version <= row.version) {
        return Ok(false);
    }
    let around = journal::entries_after(connection, row.stream, place.version - 1, Some(2))?;
    let mut acts = around.iter().map(|entry| entry.act);
    let (last, next) = (acts.next(), acts.next());
    Ok(last.is_some_and(|act| mark(act) == place.act) && last != next)
}

/// The acts after a place, at most a page of them, and whether there may be more.
fn page_after(connection: &mut AnyConnection, place: Place) -> Result<(Vec<ClubAct>, bool), Refused> {
    let rows = order::rows_from(connection, place.position, ROWS)?;
    let is_whole_page = i64::try_from(rows.len()).is_ok_and(|read| read == ROWS);
    let mut acts = Vec::new();
    // The row of the place itself, which may go on, or the first of all.
    for (expected, row) in (place.position.max(1)..).zip(rows) {
        if row.position != expected {
            return Err(gone());
        }
        let mut after = if row.position == place.position { place.version } else { row.before };
        while after < row.version {
            let (frames, _) = page_of(connection, row.stream, after, row.version)?;
            after = frames.last().ok_or_else(|| lost(&row))?.version();
            let kind = row.kind.parse().ok();
            let act = |frame: Frame| {
                let place = Place { position: row.position, version: frame.version(), act: mark(frame.id()) };
                ClubAct { place, kind, stream: row.stream, frame }
            };
            acts.extend(frames.into_iter().map(act));
            if acts.len() >= ACTS {
                return Ok((acts, true));
            }
        }
    }
    Ok((acts, is_whole_page))
}

fn lost(row: &OrderedGrowth) -> StoreError {
    BrokenHistory(format!("stream {} has no version {}", row.stream, row.version)).into()
}

#[cfg(test)]
mod tests;
