//! What somebody is shown of a tournament: its state, names, and whatever else a page
//! [looks](TournamentReader) for; a director also the acts that can be taken back. All of it is one answer
//! and belongs to one version.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Deref;
use std::sync::Arc;

use super::{Filter, Order, scope};
use crate::commands::acts::{ReadableLog, events_in, read_log};
use crate::commands::history::steps_for;
use crate::commands::pipeline::preview_beside;
use crate::commands::plan_context::{PreviewContext, ensure_opened};
use crate::commands::subject::{Preview, Subject as _};
use crate::people::players::{ActivePlayer, PlayerOrigin, active_players};
use crate::{Actor, Desk, Principal, Refused, Unauthorised};
use owlbox_base::journal::shared::{ShownStream, Viewer};
use owlbox_base::journal::{HistoryKind, Stream, Version};
use owlbox_base::permissions::{Permission, Scope};
use owlbox_base::values::{ActId, MatchId, PlayerId, Timestamp, TournamentId};
use owlbox_play::matches::Sheet;
use owlbox_play::tournament::about::About;
use owlbox_play::tournament::division::Division;
use owlbox_play::tournament::room::DivisionNo;
use owlbox_play::tournament::{Command, CommandKind, Event, Tournament};
use owlbox_store::tournaments as stored;
use owlbox_store::{AnyConnection, players};

/// A tournament as its director is shown it, at one version: what everybody is shown, and what can be taken
/// back.
#[derive(Clone, Debug)]
pub struct DirectorScreen {
    /// It names the players whom these acts are about as well.
    pub tournament: TournamentScreen,
    /// The act the director may undo next.
    pub undo: Option<UndoableAct>,
    /// The act the director may redo next.
    pub redo: Option<UndoableAct>,
}

impl Deref for DirectorScreen {
    type Target = TournamentScreen;

    fn deref(&self) -> &TournamentScreen {
        &self.tournament
    }
}

/// An act that can be undone or redone, with its events.
#[derive(Clone, Debug)]
pub struct UndoableAct {
    pub act: ActId,
    pub events: Vec<Event>,
}

/// A tournament as a page shows it to somebody, at one version.
#[derive(Clone, Debug)]
pub struct TournamentScreen {
    pub id: TournamentId,
    pub stream: ShownStream<Tournament>,
    /// The viewer; `None` without a login.
    pub principal: Option<Principal>,
    /// The names that were looked for. Two players of the same name are told apart.
    pub names: BTreeMap<PlayerId, String>,
    /// The moment for which it is shown.
    pub now: Timestamp,
}

/// Tournaments of a list, each as it stands, with the names that were looked for.
#[derive(Clone, Debug, Default)]
pub struct TournamentCards {
    pub tournaments: Vec<(TournamentId, ShownStream<Tournament>)>,
    pub names: BTreeMap<PlayerId, String>,
}

/// A screen that is being put together: what it lacks is looked for at its moment and its version.
pub struct TournamentReader<'a> {
    beside: PreviewContext<'a>,
    id: TournamentId,
    stream: Arc<Stream<Tournament>>,
    /// The same, as the viewer may see it.
    shown: ShownStream<Tournament>,
    principal: Option<Principal>,
    named: BTreeSet<PlayerId>,
}

impl Desk {
    /// The screen of a tournament that the caller may see, with what `look` looks for.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`], [`Refused::NotFound`], [`Refused::Forbidden`]; what `look` refuses; or the
    /// store failed.
    pub async fn tournament_screen<T: Send + 'static>(
        &self,
        actor: Option<&Actor>,
        id: TournamentId,
        look: impl FnOnce(&mut TournamentReader<'_>) -> Result<T, Refused> + Send + 'static,
    ) -> Result<(TournamentScreen, T), Refused> {
        let (stream, principal) = self.visible::<Tournament>(actor, id).await?;
        let desk = self.clone();
        self.read(move |connection| {
            let mut looking = TournamentReader::new(&desk, connection, id, stream, principal);
            let found = look(&mut looking)?;
            Ok((looking.screen()?, found))
        })
        .await
    }

    /// The screen of somebody who may give `needed` to this tournament for anybody, with what `look` looks
    /// for.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`], [`Refused::NotFound`], [`Refused::Forbidden`]; what `look` refuses; or the
    /// store failed.
    pub async fn director_screen<T: Send + 'static>(
        &self,
        actor: &Actor,
        id: TournamentId,
        needed: CommandKind,
        look: impl FnOnce(&mut TournamentReader<'_>) -> Result<T, Refused> + Send + 'static,
    ) -> Result<(DirectorScreen, T), Refused> {
        let (stream, principal) = self.visible::<Tournament>(Some(actor), id).await?;
        let principal = principal.ok_or(Refused::Unauthorised(Unauthorised::Missing))?;
        if scope::scope(&principal, &stream.state, needed) != Scope::Anybody {
            return Err(scope::refusal(&principal, &stream.state, needed));
        }
        let desk = self.clone();
        self.read(move |connection| {
            let mut looking = TournamentReader::new(&desk, connection, id, stream, Some(principal));
            let undo = looking.newest(&principal, HistoryKind::Undo)?;
            let redo = looking.newest(&principal, HistoryKind::Redo)?;
            let found = look(&mut looking)?;
            Ok((DirectorScreen { tournament: looking.screen()?, undo, redo }, found))
        })
        .await
    }

    /// A page of the tournaments that the caller may see, newest first, with the names of those whom `named`
    /// says: those that are over, or the others. `after` is the last one of the page before.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`]; or the store failed.
    pub async fn tournament_cards(
        &self,
        actor: Option<&Actor>,
        closed: bool,
        after: Option<TournamentId>,
        limit: i64,
        named: fn(&Tournament) -> Vec<PlayerId>,
    ) -> Result<TournamentCards, Refused> {
        let private = self.rights(actor).await?.may(Permission::ViewTournaments);
        let (desk, filter) = (self.clone(), Filter { closed: Some(closed), private, ..Filter::default() });
        self.read(move |connection| desk.cards_on(connection, filter, after, limit, named)).await
    }

    /// The same, for callers with a connection who know what may be seen.
    pub(crate) fn cards_on(
        &self,
        connection: &mut AnyConnection,
        filter: Filter,
        after: Option<TournamentId>,
        limit: i64,
        named: fn(&Tournament) -> Vec<PlayerId>,
    ) -> Result<TournamentCards, Refused> {
        let mut cards = TournamentCards::default();
        for row in stored::page(connection, filter.stored(), after, limit)? {
            let id = TournamentId::from(row.id);
            let stream = self.load::<Tournament>(connection, id.0)?;
            // A card is the same for everybody.
            cards.tournaments.push((id, ShownStream::to(&Viewer::default(), &stream)));
        }
        let players: BTreeSet<PlayerId> =
            cards.tournaments.iter().flat_map(|(_, stream)| named(&stream.state)).collect();
        cards.names = self.distinct_names_on(connection, &players.into_iter().collect::<Vec<_>>())?;
        Ok(cards)
    }
}

impl TournamentScreen {
    #[must_use]
    pub fn state(&self) -> &Tournament {
        &self.stream.state
    }

    /// What it is called and when it is played; every tournament that is shown has been opened.
    #[must_use]
    pub fn about(&self) -> Option<&About> {
        self.state().about()
    }

    /// The tournament's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.about().map_or("", |about| about.name.as_str())
    }

    /// A division.
    ///
    /// # Errors
    /// There is none of this number.
    pub fn division(&self, number: DivisionNo) -> Result<&Division, Refused> {
        self.state().division(number).ok_or(Refused::NotFound("division"))
    }

    /// Whether the viewer may give this command for anybody.
    #[must_use]
    pub fn may(&self, command: CommandKind) -> bool {
        let principal = self.principal.as_ref();
        principal.is_some_and(|viewer| scope::scope(viewer, self.state(), command) == Scope::Anybody)
    }

    /// Whether the viewer is this player and may report results.
    #[must_use]
    pub fn reports_as(&self, player: PlayerId) -> bool {
        let principal = self.principal.as_ref().filter(|viewer| viewer.player == Some(player));
        let reach = principal.map(|viewer| scope::scope(viewer, self.state(), CommandKind::Report));
        reach.is_some_and(|reach| reach != Scope::Nobody)
    }
}

impl<'a> TournamentReader<'a> {
    fn new(
        desk: &'a Desk,
        connection: &'a mut AnyConnection,
        id: TournamentId,
        stream: Arc<Stream<Tournament>>,
        principal: Option<Principal>,
    ) -> Self {
        let beside = PreviewContext { desk, connection, now: desk.now(), dice: desk.dice() };
        let shown = ShownStream::to(&scope::viewer(principal.as_ref(), &stream.state), &stream);
        Self { beside, id, stream, shown, principal, named: BTreeSet::new() }
    }

    #[must_use]
    pub const fn now(&self) -> Timestamp {
        self.beside.now
    }

    #[must_use]
    pub fn stream(&self) -> ShownStream<Tournament> {
        self.shown.clone()
    }

    /// Adds the names of these players to the screen.
    pub fn name(&mut self, players: impl IntoIterator<Item = PlayerId>) {
        self.named.extend(players);
    }

    /// The names of these players now, for who needs them to find what to show.
    ///
    /// # Errors
    /// The store failed.
    pub fn names(&mut self, players: &[PlayerId]) -> Result<BTreeMap<PlayerId, String>, Refused> {
        self.beside.desk.distinct_names_on(self.beside.connection, players)
    }

    /// What a command of the viewer would do, or why it is refused. The players of the matches that it
    /// changes are named.
    ///
    /// # Errors
    /// The store failed.
    pub fn preview_command(
        &mut self,
        command: Command,
    ) -> Result<Result<Preview<Tournament>, Refused>, Refused> {
        let Some(principal) = self.principal else {
            return Ok(Err(Refused::Unauthorised(Unauthorised::Missing)));
        };
        let stream = Arc::clone(&self.stream);
        let plan = Tournament::plan(&mut self.beside, &principal, self.id, &stream, Order::Command(command));
        match plan.and_then(|plan| preview_beside(&mut self.beside, &principal, plan)) {
            Ok(tried) => {
                let touched: Vec<_> = tried.touched().into_iter().collect();
                self.name(tried.here.before.state.players_in(&touched));
                self.name(tried.here.after.stream.state.players_in(&touched));
                Ok(Ok(tried))
            }
            Err(failed @ (Refused::Store(_) | Refused::Busy)) => Err(failed),
            Err(refused) => Ok(Err(refused)),
        }
    }

    /// Where these players come from.
    ///
    /// # Errors
    /// The store failed.
    pub fn origins(&mut self, players: &[PlayerId]) -> Result<HashMap<PlayerId, PlayerOrigin>, Refused> {
        Ok(players::origins(self.beside.connection, players)?)
    }

    /// The sheet of a match.
    ///
    /// # Errors
    /// There is none; or the store failed.
    pub fn sheet(&mut self, id: MatchId) -> Result<ShownStream<Sheet>, Refused> {
        let sheet = ensure_opened(self.beside.desk.load(self.beside.connection, id.0)?)?;
        Ok(ShownStream::to(&scope::viewer(self.principal.as_ref(), &self.stream.state), &sheet))
    }

    /// The acts before a version, newest first, as the viewer may see them. The players whom they are about
    /// are named.
    ///
    /// # Errors
    /// Nobody is signed in; or the store failed.
    pub fn log(&mut self, before: Version, limit: usize) -> Result<ReadableLog<Tournament>, Refused> {
        let stream = Arc::clone(&self.stream);
        let principal = self.principal.ok_or(Refused::Unauthorised(Unauthorised::Missing))?;
        let viewer = scope::viewer(Some(&principal), &stream.state);
        let log = read_log(self.beside.connection, self.id, &stream, before, limit, &viewer)?;
        let events = log.page.acts.iter().flat_map(owlbox_base::journal::Act::events);
        let events = events.chain(log.named.values().flatten());
        self.name(events.flat_map(|event| stream.state.players_of(event)));
        Ok(log)
    }

    /// The club's first `most` active players.
    ///
    /// # Errors
    /// The store failed.
    pub fn active_players(&mut self, most: i64) -> Result<Vec<ActivePlayer>, Refused> {
        active_players(self.beside.connection, most)
    }

    /// The act the director may undo or redo next.
    fn newest(&mut self, director: &Principal, kind: HistoryKind) -> Result<Option<UndoableAct>, Refused> {
        let stream = Arc::clone(&self.stream);
        let entries = stream.undo_entries(kind);
        let scope = scope::scope(director, &stream.state, kind);
        let Some(entry) = entries.newest().filter(|_| steps_for::<Tournament>(scope, entries, director) > 0)
        else {
            return Ok(None);
        };
        let act = entry.id;
        let events = events_in::<Tournament>(self.beside.connection, self.id.0, act)?;
        self.name(events.iter().take(1).flat_map(|event| stream.state.players_of(event)));
        Ok(Some(UndoableAct { act, events }))
    }

    /// The screen, with the names of all who were asked for.
    fn screen(self) -> Result<TournamentScreen, Refused> {
        let Self { beside, id, shown, principal, named, .. } = self;
        let players: Vec<PlayerId> = named.into_iter().collect();
        let names = beside.desk.distinct_names_on(beside.connection, &players)?;
        Ok(TournamentScreen { id, stream: shown, principal, names, now: beside.now })
    }
}
