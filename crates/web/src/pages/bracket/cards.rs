//! A card for every entry, with the code that shows the player's own matches: eight to a page.

use askama::Template;

use super::Frame;
use crate::locale::Locale;
use owlbox_domain::tournament::bracket::EntryNo;

#[derive(Debug, Template)]
#[template(path = "entry_cards.html")]
pub struct EntryCards {
    pub t: Locale,
    pub frame: Frame,
    pub event: String,
    /// The address to go back to.
    pub home: String,
    pub cards: Vec<EntryCard>,
    /// The address of the next page of them.
    pub next: Option<String>,
}

impl EntryCards {
    /// The most cards of one page.
    pub const MOST: usize = 56;
}

/// The card of an entry.
#[derive(Clone, Debug)]
pub struct EntryCard {
    /// Its number in the draw.
    pub entry: EntryNo,
    pub name: String,
    /// What it opens: to be sent to who has no card.
    pub link: String,
    /// The code: an `<svg>` element.
    pub picture: String,
}

impl EntryCard {
    /// The card whose code opens the page `link` of the service at `origin`.
    #[must_use]
    pub fn new(entry: EntryNo, name: String, origin: &str, link: String) -> Self {
        let picture = crate::pages::qr_code(&format!("{origin}{link}"));
        Self { entry, name, link, picture }
    }
}
