//! What one caller is shown of a match, for the page and the script alike: the state, what they may do and
//! what each command would bring, and around it names, what can be undone, the clock of its division. All of
//! it is read at one moment and belongs to one version.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::scope;
use crate::commands::acts::events_in;
use crate::commands::plan_context::ensure_opened;
use crate::commands::subject::HistorySteps;
use crate::subjects::sheets;
use crate::{Desk, Principal, Refused};
use owlbox_base::journal::shared::{Shared as _, ShownStream, Viewer};
use owlbox_base::journal::{HistoryKind, Stream};
use owlbox_base::values::{MatchId, PlayerId, Timestamp};
use owlbox_play::matches::clock::ClockSetting;
use owlbox_play::matches::{Asker, Event, EventKind, Legal, Offer, Sheet, Slot, View};
use owlbox_play::tournament::Tournament;
use owlbox_play::tournament::room::DivisionNo;
use owlbox_store::AnyConnection;

/// A match as one caller is shown it, at one version. What was not [asked](MatchScreenOptions) for is empty.
#[derive(Clone, Debug)]
pub struct MatchScreen {
    pub id: MatchId,
    pub stream: ShownStream<Sheet>,
    /// The caller at this match; `None` without a login.
    pub principal: Option<Principal>,
    /// The viewer for whom it is redacted.
    pub viewer: Viewer,
    /// When it was read.
    pub now: Timestamp,
    /// What the caller may do now.
    pub legal: Vec<Legal>,
    /// Those of the legal commands that were asked for, spelled out.
    pub offers: Vec<Offer>,
    /// What the caller may undo.
    pub undo: Option<Step>,
    /// What the caller may redo.
    pub redo: Option<Step>,
    /// The names of the two players.
    pub names: BTreeMap<PlayerId, String>,
    /// The setting of the clock in the division of its tournament.
    pub division_clock: Option<ClockSetting>,
}

/// Acts that the caller may undo or redo.
#[derive(Clone, Debug)]
pub struct Step {
    pub steps: HistorySteps<EventKind>,
    /// The events of the first of these acts.
    pub events: Vec<Event>,
}

/// What is wanted beside the state, what is legal, and the names.
#[derive(Clone, Copy, Debug)]
pub struct MatchScreenOptions {
    /// Which legal commands to spell out as offers.
    pub offers: fn(&Legal) -> bool,
    /// The game whose corrections to add to the offers, if the caller may correct it.
    pub correct: Option<u32>,
    /// Whether to add the events of what can be undone and redone.
    pub events: bool,
}

impl Default for MatchScreenOptions {
    fn default() -> Self {
        Self { offers: |_| false, correct: None, events: false }
    }
}

impl Desk {
    /// A match whose state is known already, with nothing else to be read than what is not in the cache.
    ///
    /// # Errors
    /// The store failed.
    pub async fn match_screen_of(
        &self,
        id: MatchId,
        stream: &Arc<Stream<Sheet>>,
        principal: Option<&Principal>,
    ) -> Result<MatchScreen, Refused> {
        let tournament = match stream.state.tournament_match() {
            Some(of) => Some(self.stream::<Tournament>(of.tournament.0).await?),
            None => None,
        };
        let names = self.names(players(&stream.state)).await?;
        Ok(MatchScreen { names, ..self.bare_match(id, stream, principal.copied(), tournament.as_deref()) })
    }

    /// A match as this caller is shown it. That they may see it is checked already.
    ///
    /// # Errors
    /// [`Refused::NotFound`], also after its opening was undone; or the store failed.
    pub async fn match_screen(
        &self,
        principal: Option<Principal>,
        id: MatchId,
        asked: MatchScreenOptions,
    ) -> Result<MatchScreen, Refused> {
        let desk = self.clone();
        self.read(move |connection| desk.read_match(connection, principal, id, asked)).await
    }

    fn read_match(
        &self,
        connection: &mut AnyConnection,
        principal: Option<Principal>,
        id: MatchId,
        asked: MatchScreenOptions,
    ) -> Result<MatchScreen, Refused> {
        let stream = ensure_opened(self.load::<Sheet>(connection, id.0)?)?;
        let of = stream.state.tournament_match();
        let tournament = of.map(|of| self.load::<Tournament>(connection, of.tournament.0)).transpose()?;
        let mut screen = self.bare_match(id, &stream, principal, tournament.as_deref());
        if let Some(principal) = principal {
            let tournament = tournament.as_ref().map(|stream| &stream.state);
            screen.offers = screen.offered(&stream.state, &principal, tournament, asked);
        }
        if asked.events {
            let viewer = screen.viewer;
            for step in [&mut screen.undo, &mut screen.redo].into_iter().flatten() {
                let events = events_in::<Sheet>(connection, id.0, step.steps.entry.id)?;
                step.events = events.iter().filter_map(|event| Sheet::shown_to(event, &viewer)).collect();
            }
        }
        screen.names = self.names_on(connection, &players(&screen.stream.state))?;
        Ok(screen)
    }

    /// What follows from the states and the caller alone.
    fn bare_match(
        &self,
        id: MatchId,
        stream: &Stream<Sheet>,
        principal: Option<Principal>,
        tournament: Option<&Stream<Tournament>>,
    ) -> MatchScreen {
        let step = |kind| {
            let entry = *stream.undo_entries(kind).newest()?;
            let acts = scope::steps(principal.as_ref()?, stream, tournament, kind);
            (acts > 0).then(|| Step { steps: HistorySteps { entry, acts }, events: Vec::new() })
        };
        let of = stream.state.tournament_match().zip(tournament);
        let division = of.and_then(|(of, tournament)| tournament.state.division(DivisionNo(of.division)));
        let viewer = scope::viewer(principal.as_ref(), tournament.map(|stream| &stream.state));
        MatchScreen {
            id,
            stream: ShownStream::to(&viewer, stream),
            principal,
            viewer,
            now: self.now(),
            legal: self.legal_at_match(stream, principal.as_ref()),
            offers: Vec::new(),
            undo: step(HistoryKind::Undo),
            redo: step(HistoryKind::Redo),
            names: BTreeMap::new(),
            division_clock: division.map(|division| division.settings.clock),
        }
    }
}

impl MatchScreen {
    /// The sheet as the caller may see it.
    #[must_use]
    pub fn view(&self) -> View {
        View::from(&self.stream.state).shown_to(&self.viewer)
    }

    /// The side that the caller plays, if they play in this match.
    #[must_use]
    pub fn viewers_slot(&self) -> Option<Slot> {
        self.stream.state.slot_of(self.principal?.player?)
    }

    /// The side that the caller plays. `None` while an act has been undone, or while their clock is not
    /// running: then nothing should happen on its own.
    #[must_use]
    pub fn plays(&self) -> Option<Slot> {
        let slot = self.viewers_slot()?;
        let has_time = self.stream.state.clock().is_none_or(|clock| clock.running() == Some(slot));
        (has_time && self.stream.redoable().is_empty()).then_some(slot)
    }

    /// The offers that were asked for, as this caller would give them.
    fn offered(
        &self,
        sheet: &Sheet,
        principal: &Principal,
        tournament: Option<&Tournament>,
        asked: MatchScreenOptions,
    ) -> Vec<Offer> {
        let asker = Asker {
            by: scope::who(principal, sheet),
            word: sheets::word(principal, sheet, tournament),
            division_clock: self.division_clock,
        };
        let mut offers = sheet.offers(self.legal.iter().filter(|legal| (asked.offers)(legal)), &asker);
        let correctable = |game: &u32| {
            self.legal.iter().any(|legal| matches!(legal, Legal::Correct { games } if game <= games))
        };
        if let Some(game) = asked.correct.filter(correctable) {
            offers.extend(sheet.corrections(game, &asker));
        }
        for brings in offers.iter_mut().filter_map(|offer| offer.brings.as_mut()) {
            brings.events =
                brings.events.iter().filter_map(|event| Sheet::shown_to(event, &self.viewer)).collect();
        }
        offers
    }
}

fn players(sheet: &Sheet) -> Vec<PlayerId> {
    sheet.players().map_or_else(Vec::new, Vec::from)
}
