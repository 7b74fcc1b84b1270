//! What one caller is shown of a table, for the page and the script alike: the state, what they may do and
//! what each command would bring, and around it names, the newest acts and who could sit down. All of it is
//! read at one moment and belongs to one version.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::scope;
use crate::access::principal::Rights;
use crate::commands::acts::{people_behind, redact};
use crate::commands::bounds::room_for_a_game;
use crate::commands::history::{HistoryCommand, Order, steps_for};
use crate::commands::pipeline::preview_beside;
use crate::commands::plan_context::{PreviewContext, ensure_opened};
use crate::commands::subject::{HistorySteps, Preview, Subject as _};
use crate::people::players::{ActivePlayer, active_players};
use crate::{Desk, Principal, Refused};
use owlbox_base::journal::shared::{Shared as _, ShownStream, Viewer};
use owlbox_base::journal::{Act, HistoryKind, Steps, Stream, Version};
use owlbox_base::permissions::scopes::Area;
use owlbox_base::permissions::{OrderKind, Permission, Scope};
use owlbox_base::values::{AccountId, ActId, ChouetteId, PlayerId};
use owlbox_chouette::{Chouette, CommandKind, Event, EventKind, Everybody, Legal, Offer, View};
use owlbox_store::{AnyConnection, StoreError, chouettes as stored, journal};

/// The approximate number of acts in the log.
const LOG: usize = 120;

/// A table as one caller is shown it, at one version. What was not [asked](TableScreenOptions) for is empty.
#[derive(Clone, Debug)]
pub struct TableScreen {
    pub id: ChouetteId,
    pub stream: ShownStream<Chouette>,
    pub viewer: Viewer,
    /// What the caller may do now.
    pub legal: Vec<Legal>,
    /// Those of the legal commands that were asked for, spelled out, as far as the caller may see them.
    pub offers: Vec<Offer>,
    /// Whether the stream has room for another game.
    pub has_room: bool,
    /// What the caller may have everybody do alike.
    pub everybody: Vec<Everybody>,
    /// The act the caller may undo, and how many they may undo at once.
    pub undo: Option<HistorySteps<EventKind>>,
    /// The act the caller may redo, and how many they may redo at once.
    pub redo: Option<HistorySteps<EventKind>>,
    /// The names of everybody who ever sat here, and of others whom the acts name.
    pub names: BTreeMap<PlayerId, String>,
    /// The newest acts, starting with the beginning of a game or of the night.
    pub acts: Vec<Act<Event>>,
    /// The names of the accounts behind these acts, as far as they may be shown.
    pub people: BTreeMap<AccountId, String>,
    /// Active players of the club without a seat at another table.
    pub free_players: Vec<ActivePlayer>,
}

/// What is wanted beside the state, what is legal, and the names.
#[derive(Clone, Copy, Debug)]
pub struct TableScreenOptions {
    /// Which legal commands to spell out as offers.
    pub offers: fn(&Legal) -> bool,
    /// Whether to add what everybody can do alike.
    pub everybody: bool,
    /// Whether to add the newest acts.
    pub log: bool,
    /// How many active players to consider for a seat, if the caller may seat somebody; `None` to list
    /// nobody.
    pub free_players: Option<i64>,
}

impl Default for TableScreenOptions {
    fn default() -> Self {
        Self { offers: |_| false, everybody: false, log: false, free_players: None }
    }
}

/// An undo of one or more acts, and where it would lead.
#[derive(Clone, Debug)]
pub struct TakingBack {
    /// With a log that has every act to be undone.
    pub screen: TableScreen,
    pub command: HistoryCommand,
    pub preview: Preview<Chouette>,
}

impl Desk {
    /// The legal commands that the caller may give, spelled out, as far as the caller may see what they would
    /// bring.
    ///
    /// # Errors
    /// The store failed.
    pub async fn offers(
        &self,
        stream: &Stream<Chouette>,
        principal: Option<&Principal>,
    ) -> Result<Vec<Offer>, Refused> {
        let viewer = self.viewer_at_table(principal).await?;
        Ok(shown(stream.state.offers(&self.legal(stream, principal)), &viewer))
    }

    /// A table whose state is known already, with nothing else to be read than names that are not in the
    /// cache.
    ///
    /// # Errors
    /// The store failed.
    pub async fn screen_of(
        &self,
        id: ChouetteId,
        stream: &Arc<Stream<Chouette>>,
        principal: Option<&Principal>,
    ) -> Result<TableScreen, Refused> {
        let rights = self.rights_of(principal.copied()).await?;
        let names = self.names(stream.state.known().collect()).await?;
        Ok(TableScreen { names, ..self.bare_screen(id, stream, &rights) })
    }

    /// A table as this caller is shown it. That they may see it is checked already.
    ///
    /// # Errors
    /// [`Refused::NotFound`], also after its opening was undone; or the store failed.
    pub async fn table_screen(
        &self,
        principal: Option<Principal>,
        id: ChouetteId,
        asked: TableScreenOptions,
    ) -> Result<TableScreen, Refused> {
        let (desk, rights) = (self.clone(), self.rights_of(principal).await?);
        self.read(move |connection| {
            let stream = ensure_opened(desk.load::<Chouette>(connection, id.0)?)?;
            desk.read_screen(connection, &rights, id, &stream, asked, None)
        })
        .await
    }

    /// The undo of everything back to the act `to`, or of the newest act alone, and where it would lead.
    /// `None` if the caller may not undo that far.
    ///
    /// # Errors
    /// [`Refused::NotFound`]; what would refuse the undo; or the store failed.
    pub async fn taking_back(
        &self,
        principal: Principal,
        id: ChouetteId,
        to: Option<ActId>,
    ) -> Result<Option<TakingBack>, Refused> {
        let (desk, rights) = (self.clone(), self.rights_of(Some(principal)).await?);
        self.read(move |connection| {
            let asked = TableScreenOptions { log: true, ..TableScreenOptions::default() };
            let stream = ensure_opened(desk.load::<Chouette>(connection, id.0)?)?;
            let screen = desk.read_screen(connection, &rights, id, &stream, asked, to)?;
            let Some(command) = screen.undo_back_to(to) else { return Ok(None) };
            let (now, dice) = (desk.now(), desk.dice());
            let mut beside = PreviewContext { desk: &desk, connection, now, dice };
            let plan = Chouette::plan(&mut beside, &principal, id, &stream, Order::History(command))?;
            let preview = preview_beside(&mut beside, &principal, plan)?;
            Ok(Some(TakingBack { screen, command, preview }))
        })
        .await
    }

    /// Reads a screen; its log has the act `named`, if any.
    fn read_screen(
        &self,
        connection: &mut AnyConnection,
        rights: &Rights,
        id: ChouetteId,
        stream: &Stream<Chouette>,
        asked: TableScreenOptions,
        named: Option<ActId>,
    ) -> Result<TableScreen, Refused> {
        let principal = rights.principal.as_ref();
        let mut screen = self.bare_screen(id, stream, rights);
        let (state, viewer) = (&stream.state, screen.viewer);
        let offers = state.offers(screen.legal.iter().filter(|legal| (asked.offers)(legal)));
        screen.offers = shown(offers, &viewer);
        if asked.everybody && principal.is_some_and(|one| one.at(Area::Table).allows(Permission::RunChouette))
        {
            screen.everybody = state.everybody();
        }
        if asked.log {
            let history = [screen.undo, screen.redo].into_iter().flatten().map(|steps| steps.entry.id);
            let named: Vec<ActId> = history.chain(named).collect();
            screen.acts = newest_acts(connection, id, screen.stream.version, &named)?;
            screen.acts.iter_mut().for_each(|act| redact::<Chouette>(act, &viewer));
            // A login is half of what is needed to sign in, so passers-by must not see it.
            screen.people = people_behind(connection, &screen.acts, principal.is_some())?;
        }
        if let Some(most) = asked.free_players.filter(|_| screen.legal.contains(&Legal::Join {})) {
            screen.free_players = free_players(connection, id, most)?;
        }
        let players = screen.stream.state.known().chain(gone(&screen.acts));
        screen.names = self.names_on(connection, &players.collect::<Vec<_>>())?;
        Ok(screen)
    }

    /// What follows from the state and the caller alone.
    fn bare_screen(&self, id: ChouetteId, stream: &Stream<Chouette>, rights: &Rights) -> TableScreen {
        let principal = rights.principal.as_ref();
        let steps = |kind| {
            let entry = *stream.undo_entries(kind).newest()?;
            let acts = steps_at(stream, principal?, kind);
            (acts > 0).then_some(HistorySteps { entry, acts })
        };
        let player = principal.and_then(|principal| principal.player);
        let viewer = Viewer { player, ..scope::viewer(rights) };
        TableScreen {
            id,
            stream: ShownStream::to(&viewer, stream),
            viewer,
            legal: self.legal(stream, principal),
            offers: Vec::new(),
            has_room: room_for_a_game(stream.version, self.inner.limits.stream_length),
            everybody: Vec::new(),
            undo: steps(HistoryKind::Undo),
            redo: steps(HistoryKind::Redo),
            names: BTreeMap::new(),
            acts: Vec::new(),
            people: BTreeMap::new(),
            free_players: Vec::new(),
        }
    }
}

impl TableScreen {
    /// The table as the caller may see it.
    #[must_use]
    pub fn view(&self) -> View {
        self.stream.state.view().shown_to(&self.viewer)
    }

    /// Whether the next game may start at once if an act leaves the table like this: nobody has to be asked
    /// first whether they want the box or a partner.
    #[must_use]
    pub fn may_go_on(&self, after: &Chouette) -> bool {
        let legal = after.legal();
        let starts = legal.iter().any(|one| matches!(one, Legal::StartGame { .. }));
        let asks = |one: &Legal| {
            matches!(
                one,
                Legal::DeclineBox { .. } | Legal::OfferPartnership { .. } | Legal::AcceptPartnership { .. }
            )
        };
        self.has_room && starts && !legal.iter().any(asks)
    }

    /// The undo of everything back to the act `to`, or of the newest act alone; `None` if the caller may not.
    fn undo_back_to(&self, to: Option<ActId>) -> Option<HistoryCommand> {
        let newest = self.undo?;
        let acts = match to {
            Some(to) => {
                let mut within = self.stream.undoable().newest_first().take(newest.acts);
                within.position(|entry| entry.id == to)? + 1
            }
            None => 1,
        };
        let acts = Steps::try_from(u16::try_from(acts).ok()?).ok()?;
        Some(HistoryCommand::Undo { act: Some(newest.entry.id), acts })
    }
}

/// How many of the newest acts the caller may undo or redo at once. Players may undo their own acts; an
/// account without a player has none.
pub(crate) fn steps_at(stream: &Stream<Chouette>, principal: &Principal, kind: HistoryKind) -> usize {
    let scope = match OrderKind::<CommandKind>::from(kind).scope(principal.at(Area::Table)) {
        Scope::Oneself if principal.player.is_none() => Scope::Nobody,
        scope @ (Scope::Nobody | Scope::Oneself | Scope::Anybody) => scope,
    };
    steps_for::<Chouette>(scope, stream.undo_entries(kind), principal)
}

/// The offers with as much of their events as the viewer may see.
fn shown(mut offers: Vec<Offer>, viewer: &Viewer) -> Vec<Offer> {
    for events in offers.iter_mut().filter_map(|offer| offer.events.as_mut()) {
        *events = events.iter().filter_map(|event| Chouette::shown_to(event, viewer)).collect();
    }
    offers
}

/// The newest acts, starting with the beginning of a game or of the night. Reads all acts if a named one is
/// older.
fn newest_acts(
    connection: &mut AnyConnection,
    id: ChouetteId,
    version: Version,
    named: &[ActId],
) -> Result<Vec<Act<Event>>, Refused> {
    let mut newest = journal::acts_before(connection, id.0, version + 1, LOG)?;
    newest.reverse();
    let mut entries = newest.concat();
    let mut in_part = None;
    if entries.first().is_some_and(|first| first.version > 1) {
        // The log's sentences name the box, and only the beginning of a game says who that is.
        let begin = entries.iter().position(|entry| entry.kind == <&str>::from(EventKind::GameStarted));
        // The act that began it may have ended the game before.
        in_part = entries.drain(..begin.unwrap_or(entries.len())).next_back().map(|before| before.act);
    }
    let missing = |act: &ActId| in_part == Some(*act) || !entries.iter().any(|entry| entry.act == *act);
    if entries.is_empty() || named.iter().any(missing) {
        return Ok(journal::acts::<Chouette>(connection, id.0, version)?);
    }
    Ok(journal::group::<Chouette>(&entries).map_err(StoreError::from)?)
}

/// The club's first `most` active players, without those who have a seat at another table.
fn free_players(
    connection: &mut AnyConnection,
    id: ChouetteId,
    most: i64,
) -> Result<Vec<ActivePlayer>, Refused> {
    let seated = stored::seated_beside(connection, id)?;
    let mut free = active_players(connection, most)?;
    free.retain(|player| !seated.contains(&player.id));
    Ok(free)
}

/// Players whom the log may name but the table no longer knows: their joining was undone, or they were merged
/// into another player.
fn gone(acts: &[Act<Event>]) -> impl Iterator<Item = PlayerId> {
    acts.iter().flat_map(Act::events).filter_map(|event| {
        let (Event::Joined { player, .. } | Event::PlayersMerged { duplicate: player, .. }) = event else {
            return None;
        };
        Some(*player)
    })
}
