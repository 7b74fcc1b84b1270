//! A card for each entry, eight to a page. Its QR code opens the page with the player's own matches.

use askama::Template;

use super::Frame;
use owlbox_locale::Locale;
use owlbox_play::tournament::bracket::EntryNo;

#[derive(Debug, Template)]
#[template(path = "entry_cards.html")]
pub struct EntryCards {
    pub t: Locale,
    pub frame: Frame,
    pub event: String,
    /// The address to go back to.
    pub home: String,
    pub cards: Vec<EntryCard>,
    /// The address of the next page of cards. `None` on the last.
    pub next: Option<String>,
}

impl EntryCards {
    /// How many cards one page holds at most.
    pub const MOST: usize = 48;
}

#[derive(Clone, Debug)]
pub struct EntryCard {
    /// The number of the entry in the draw.
    pub entry: EntryNo,
    pub name: String,
    /// The address in the code, to be sent to players without a card.
    pub link: String,
    /// The code: an `<svg>` element.
    pub picture: String,
}

impl EntryCard {
    /// A card whose code opens the page `link` of the service at `origin`.
    #[must_use]
    pub fn new(entry: EntryNo, name: String, origin: &str, link: String) -> Self {
        let picture = crate::pages::qr_code(&format!("{origin}{link}"));
        Self { entry, name, link, picture }
    }
}
