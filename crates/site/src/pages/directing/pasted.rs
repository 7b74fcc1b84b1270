//! A list of entrants as it was read: column by column, with who is new and who may be meant. Nobody is entered before it is
//! sent from here.

use super::Heading;
use crate::pages::button::Button;
use crate::pages::{Choice, Fields, Frame};
use owlbox_locale::Locale;

#[derive(Debug)]
pub struct PastedPage {
    pub t: Locale,
    pub frame: Frame,
    pub desk: Heading,
    /// Where both forms go.
    pub address: String,
    pub button: Button,
    /// The list as it was pasted.
    pub text: String,
    pub columns: Vec<PastedColumn>,
    pub lines: Vec<PastedLine>,
    /// Whether the list has a club, a country or a rating, of which it is said what becomes of them.
    pub keeps_details: bool,
}

/// A column of the list.
#[derive(Clone, Debug)]
pub struct PastedColumn {
    /// What it holds, in words.
    pub holds: String,
    /// What it may hold.
    pub choices: Vec<Choice>,
}

/// A line of the list.
#[derive(Clone, Debug)]
pub struct PastedLine {
    pub number: usize,
    /// What stands in each column.
    pub cells: Vec<String>,
    pub who: Who,
}

/// Who is meant by a line.
#[derive(Clone, Debug)]
pub enum Who {
    /// Nobody who could be entered: why, in words.
    LeftOut(String),
    /// Somebody, in words, with the field that says so.
    Said { words: String, field: String, value: String, is_new: bool },
    /// Whoever is chosen.
    Asked { field: String, choices: Vec<Choice> },
}

impl PastedPage {
    /// The page without a list.
    #[must_use]
    pub fn new(t: Locale, frame: Frame, mut desk: Heading) -> Self {
        // A live update would disturb whoever chooses.
        desk.live = false;
        let button = Button::of_form(t.get("desk-enter"), Fields::default()).then("");
        let (address, text) = (String::new(), String::new());
        let (columns, lines) = (Vec::new(), Vec::new());
        Self { t, frame, desk, address, button, text, columns, lines, keeps_details: false }
    }
}
