//! A button that gives a command, at a table or on a board.

use uuid::Uuid;

use super::fields::Fields;

/// The size of an act's button.
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

#[derive(Clone, Debug)]
pub struct Act {
    /// The label: the sentence the log will record.
    pub label: String,
    pub fields: Fields,
    /// Idempotency key: a second tap on the button does nothing.
    pub key: String,
    pub weight: Weight,
}

impl Act {
    /// Whether the consequence is shown first, before the button itself.
    #[must_use]
    pub fn far_reaching(&self) -> bool {
        self.weight == Weight::Quiet
    }
}

/// A new idempotency key: a button pressed twice does its act once.
pub(crate) fn key() -> String {
    Uuid::now_v7().to_string()
}
