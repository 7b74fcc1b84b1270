//! A button that gives a command.

use serde::Serialize;
use uuid::Uuid;

use super::fields::Fields;
use owlbox_base::journal::{Steps, Version};
use owlbox_base::values::{ActId, ChouetteId, MatchId};
use owlbox_desk::commands::history::HistoryCommand;
use owlbox_desk::fingerprint;
use owlbox_locale::Locale;

/// The size of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Main,
    Plain,
    /// An alternative that stands beside a likelier act.
    Faint,
    Quiet,
}

impl Weight {
    /// The CSS class of the button.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Plain => "plain",
            Self::Faint | Self::Quiet => "quiet",
        }
    }
}

/// A button that gives a command, sent to a [`Target`]. The macros of `buttons.html` draw it.
#[derive(Clone, Debug)]
pub struct Button {
    /// The label: what will be recorded, in words.
    pub label: String,
    pub fields: Fields,
    /// Idempotency key: a second tap on the button does nothing.
    pub key: String,
    pub weight: Weight,
    /// The version on show, if the stream must not have changed since, though its target does not ask.
    pub version: Option<Version>,
    /// The fingerprint of what the form replaces, if that must not have changed since.
    pub seen: Option<String>,
    /// The page to go on to, if not that of its target.
    pub then: Option<String>,
}

impl Button {
    /// A button of normal size that gives `command`.
    #[must_use]
    pub fn new(label: impl Into<String>, command: &impl Serialize) -> Self {
        Self::of_form(label, Fields::of(command))
    }

    /// A button of a form that gives what these fields lack.
    #[must_use]
    pub fn of_form(label: impl Into<String>, fields: Fields) -> Self {
        let (weight, version, seen, then) = (Weight::Plain, None, None, None);
        Self { label: label.into(), fields, key: key(), weight, version, seen, then }
    }

    /// A button that undoes an act, in words.
    #[must_use]
    pub fn undo(t: &Locale, what: String, act: ActId) -> Self {
        let command = HistoryCommand::Undo { act: Some(act), acts: Steps::ONE };
        Self::new(t.with("undo-what", "what", what), &command)
    }

    /// A button that redoes an act, in words.
    #[must_use]
    pub fn redo(t: &Locale, what: String, act: ActId) -> Self {
        let command = HistoryCommand::Redo { act: Some(act), acts: Steps::ONE };
        Self::new(t.with("redo-what", "what", what), &command)
    }

    #[must_use]
    pub fn weighing(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    /// The same button made prominent, for the likeliest act of the page.
    #[must_use]
    pub fn main(self) -> Self {
        self.weighing(Weight::Main)
    }

    /// The same button made smaller, for acts that are seldom wanted.
    #[must_use]
    pub fn quiet(self) -> Self {
        self.weighing(Weight::Quiet)
    }

    /// The same button, which goes on to another page.
    #[must_use]
    pub fn then(self, page: impl Into<String>) -> Self {
        Self { then: Some(page.into()), ..self }
    }

    /// The same button, refused if the stream has changed since this version.
    #[must_use]
    pub fn at(self, version: Version) -> Self {
        Self { version: Some(version), ..self }
    }

    /// The same button, refused if what its form replaces is no longer this.
    #[must_use]
    pub fn in_place_of(self, what: &impl Serialize) -> Self {
        Self { seen: Some(fingerprint(what)), ..self }
    }

    /// Whether its consequence is shown first, before the button itself. At a table that is so of the quiet
    /// ones.
    #[must_use]
    pub fn far_reaching(&self) -> bool {
        self.weight == Weight::Quiet
    }

    /// The version that its form sends.
    #[must_use]
    pub fn version(&self, target: &Target) -> Option<Version> {
        self.version.or(target.version)
    }

    /// The page that its form goes on to.
    #[must_use]
    pub fn next<'a>(&'a self, target: &'a Target) -> Option<&'a str> {
        self.then.as_deref().or(target.then.as_deref())
    }
}

/// Where the buttons of a page send their commands.
#[derive(Clone, Debug)]
pub struct Target {
    /// The address that takes their commands.
    pub act: String,
    /// The version on show. `None` if a button does what it says whatever others have done since.
    pub version: Option<Version>,
    /// The page to go on to, if not the one that the address goes on to by itself.
    pub then: Option<String>,
}

impl Target {
    /// At a table, as it is shown at this version.
    #[must_use]
    pub fn at_table(id: ChouetteId, version: Version) -> Self {
        Self { act: format!("/chouettes/{id}/act"), version: Some(version), then: None }
    }

    /// At a match, as it is shown at this version, on this page.
    #[must_use]
    pub fn at_match(id: MatchId, version: Option<Version>, page: impl Into<String>) -> Self {
        Self { act: format!("/matches/{id}/act"), version, then: Some(page.into()) }
    }

    /// At a tournament, at this address. Most buttons there do what they say whatever others have done.
    #[must_use]
    pub fn at_tournament(act: String) -> Self {
        Self { act, version: None, then: None }
    }
}

/// A new idempotency key: a button pressed twice does its act once.
pub(crate) fn key() -> String {
    Uuid::now_v7().to_string()
}
