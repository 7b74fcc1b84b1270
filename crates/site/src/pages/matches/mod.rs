//! Matches and money sessions: the sheet on which one is scored, and its clock.
//!
//! | page | address | posts to |
//! |---|---|---|
//! | [`SheetPage`] | `/matches/{id}?correct=` | `/matches/{id}/act` |
//! | [`ClockPage`] | `/matches/{id}/clock` | `/matches/{id}/act` |
//!
//! `/matches/{id}/act` takes `command` (the API's command object, as JSON), `version` (that of the rendered
//! page; empty skips the check), `key` (the idempotency key) and `then` (the page to go on to: `clock`, or
//! else the sheet). Choices made in a form go into the command before it is parsed. For a game these are
//! `pick` (who won, and how: `upper-gammon`, `lower-dropped`), `cube`, `how` and `began`; for other commands
//! `points`, `minutes`, `reserve_a_point`, `delay`, `upper` and `lower` (a score), `ruled` (who goes on, and
//! how) and `text`; on a board the same as at a table (`die-1`, `die-2`, `steps`, `moved`).
//!
//! A page is a [`MatchContext`] put into words. The desk says what is legal, and what a button would lead to; there are
//! no rules here.

mod acts;
mod board;
mod clock;
mod lines;
#[cfg(test)]
mod sample;
mod scoring;
mod sheet;
pub mod words;

use crate::pages::button::{Button, Target};

use crate::pages::BoardView;
use crate::sentences::matches as sentences;
use owlbox_base::journal::{Act, ActKind};
use owlbox_books::club::players::UNNAMED;
use owlbox_desk::commands::subject::{Preview, StreamPreview};
use owlbox_desk::matches::screen::{MatchScreen, Step};
use owlbox_locale::Locale;
use owlbox_play::matches::{Event, Sheet, Slot, View};

pub use acts::{has_buttons, is_of_clock};
pub use clock::ClockPage;
pub use lines::{SheetLine, StatisticsLine};
pub use scoring::Scoring;
pub use sheet::{SheetPage, minutes_and_seconds, sheet_stream};

/// Everything a page of a match is made from.
#[derive(Clone, Copy)]
pub struct MatchContext<'a> {
    pub t: &'a Locale,
    /// The match as the viewer is shown it.
    pub screen: &'a MatchScreen,
    /// The sheet that is put into words: the screen's, or the one that a previewed act leads to.
    pub sheet: &'a Sheet,
    /// The viewer's choice of names and direction.
    pub view: BoardView,
}

impl<'a> MatchContext<'a> {
    #[must_use]
    pub fn new(t: &'a Locale, screen: &'a MatchScreen, view: BoardView) -> Self {
        Self { t, screen, sheet: &screen.stream.state, view }
    }

    /// The names of the two players, upper slot first.
    #[must_use]
    pub fn names(&self) -> [&'a str; 2] {
        let players = self.screen.stream.state.players();
        let name = |player| self.screen.names.get(&player).map_or(UNNAMED, String::as_str);
        players.map_or([UNNAMED; 2], |players| players.map(name))
    }

    /// The name of the player in a slot.
    #[must_use]
    pub fn name(&self, slot: Slot) -> &'a str {
        let [upper, lower] = self.names();
        match slot {
            Slot::Upper => upper,
            Slot::Lower => lower,
        }
    }

    /// The title of the match's pages.
    #[must_use]
    pub fn title(&self) -> String {
        self.names().join(" – ")
    }

    /// The address of the sheet, or of a page below it.
    #[must_use]
    pub fn address(&self, below: &str) -> String {
        format!("/matches/{}{below}", self.screen.id)
    }

    /// Where the buttons of the sheet send their commands, on this page of it.
    #[must_use]
    pub fn target(&self, page: impl Into<String>) -> Target {
        Target::at_match(self.screen.id, Some(self.screen.stream.version), page)
    }
}

/// The buttons for undo and redo of the newest act.
fn steps(context: &MatchContext<'_>) -> (Option<Button>, Option<Button>) {
    let act = |step: &Step| sentences::act(context, &step.events);
    let undo = |step: &Step| Button::undo(context.t, act(step), step.steps.entry.id);
    let redo = |step: &Step| Button::redo(context.t, act(step), step.steps.entry.id);
    (context.screen.undo.as_ref().map(undo), context.screen.redo.as_ref().map(redo))
}

/// What an act would do now, in words: the act, and how the match would stand.
#[must_use]
pub fn preview_in_words(context: &MatchContext<'_>, preview: &Preview<Sheet>) -> String {
    let StreamPreview { after, named, .. } = &preview.here;
    let there = MatchContext { sheet: &after.stream.state, ..*context };
    let events = |acts: &[Act<Event>]| acts.iter().flat_map(Act::events).cloned().collect::<Vec<_>>();
    let what = match &after.act.kind {
        ActKind::Events(events) => sentences::act(&there, events),
        ActKind::Undo(_) => context.t.with("undo-what", "what", sentences::act(context, &events(named))),
        ActKind::Redo(_) => context.t.with("redo-what", "what", sentences::act(&there, &events(named))),
    };
    let [upper, lower] = &View::from(there.sheet).score.map(|points| points.to_string());
    let score = format!("{} {upper}–{lower} {}", there.name(Slot::Upper), there.name(Slot::Lower));
    [what, score, sheet::standing(&there)].join(". ")
}
