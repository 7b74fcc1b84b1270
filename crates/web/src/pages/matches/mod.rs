//! Matches and money sessions: the list of them, the sheet on which one is scored, and its clock.
//!
//! | page | address | posts to |
//! |---|---|---|
//! | [`MatchesPage`] | `/matches?player=&after=` | `/matches`: `upper lower play length amount currency jacoby clock reserve delay` |
//! | [`SheetPage`] | `/matches/{id}?correct=` | `/matches/{id}/act` |
//! | [`ClockPage`] | `/matches/{id}/clock` | `/matches/{id}/act` |
//!
//! `/matches/{id}/act` takes `command` (the object the API takes, as JSON), `version` (the one the page was rendered from;
//! empty asks for no check), `key` (the idempotency key) and `then` (the page to go on to: `clock`, or the sheet). What a form
//! lets a hand choose goes into the command before it is read: of a game `pick` (who won, and how: `upper-gammon`,
//! `lower-dropped`), `cube`, `how` and `began`; of other commands `points`, `minutes`, `reserve_a_point` and `delay`, `upper` and `lower` (a score), `ruled`
//! (who goes on, and how) and `text`; on a board what a table's takes (`die-1`, `die-2`, `steps`, `moved`).
//!
//! What a page shows is a [`MatchContext`] put into words; what may be done comes from the sheet (`legal`), and what a button would
//! come to from the sheet as well: no rule stands here.

mod board;
mod clock;
mod lines;
mod list;
mod scoring;
mod sheet;
pub mod words;

use serde::Serialize;

use crate::locale::Locale;
use crate::pages::BoardView;
use owlbox_desk::history::HistoryCommand;
use owlbox_domain::journal::{Steps, Version};
use owlbox_domain::matches::Slot;
use owlbox_domain::matches::{Event, Legal, Sheet};
use owlbox_domain::values::{ActId, MatchId, Timestamp};

pub use clock::{ClockPage, Half};
pub use lines::{SheetLine, StatisticsLine};
pub use list::{MatchCard, MatchesPage, NewMatchForm};
pub use scoring::{Pick, Scoring, ScoringSide, picked};
pub use sheet::{Chance, Further, SheetPage, SheetSide, sheet_stream};

/// Everything that a page of a match is made from.
pub struct MatchContext<'a> {
    pub t: &'a Locale,
    pub id: MatchId,
    pub sheet: &'a Sheet,
    pub version: Version,
    /// What the two are called, upper and lower slot.
    pub names: &'a [String; 2],
    /// What the one who looks may do.
    pub legal: &'a [Legal],
    /// Which side he plays himself, unless he has just taken something back.
    pub plays: Option<Slot>,
    pub now: Timestamp,
    /// How whoever looks wants boards.
    pub view: BoardView,
}

impl MatchContext<'_> {
    /// What the player of a slot is called.
    #[must_use]
    pub const fn name(&self, slot: Slot) -> &str {
        let [upper, lower] = self.names;
        match slot {
            Slot::Upper => upper.as_str(),
            Slot::Lower => lower.as_str(),
        }
    }

    /// The address of the sheet, or of a page below it.
    #[must_use]
    pub fn address(&self, below: &str) -> String {
        format!("/matches/{}{below}", self.id)
    }
}

/// A button: what will be recorded, and the command as the API takes it.
#[derive(Clone, Debug)]
pub struct CommandButton {
    pub label: String,
    pub command: String,
    /// The idempotency key of this button.
    pub key: String,
    /// The class of the button.
    pub class: &'static str,
}

impl CommandButton {
    /// A button that gives `command`.
    #[must_use]
    pub fn new(label: impl Into<String>, command: &impl Serialize) -> Self {
        Self {
            label: label.into(),
            // Ids, numbers and texts: nothing in a command can fail to be written.
            command: serde_json::to_string(command).unwrap_or_default(),
            key: super::table::key(),
            class: "plain",
        }
    }

    /// Seldom used beside what goes on.
    #[must_use]
    pub fn quiet(self) -> Self {
        Self { class: "quiet", ..self }
    }

    /// The likeliest of its page.
    #[must_use]
    pub fn main(self) -> Self {
        Self { class: "main", ..self }
    }
}

/// An act that can be taken back or put back: which, and what it was.
#[derive(Clone, Debug)]
pub struct Taken {
    pub act: ActId,
    pub events: Vec<Event>,
}

/// The buttons that take the newest act back, and put it back.
#[must_use]
pub fn steps(
    context: &MatchContext<'_>,
    undo: Option<&Taken>,
    redo: Option<&Taken>,
) -> (Option<CommandButton>, Option<CommandButton>) {
    let button = |key: &str, taken: &Taken, command: HistoryCommand| {
        CommandButton::new(context.t.with(key, "what", words::act(context, &taken.events)), &command)
    };
    let undo = undo.map(|taken| {
        button("undo-what", taken, HistoryCommand::Undo { act: Some(taken.act), acts: Steps::ONE })
    });
    let redo = redo.map(|taken| {
        button("redo-what", taken, HistoryCommand::Redo { act: Some(taken.act), acts: Steps::ONE })
    });
    (undo, redo)
}
