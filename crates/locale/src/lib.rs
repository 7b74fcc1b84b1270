//! How words, numbers and dates look to one reader.
//!
//! Every page carries a [`Locale`]: the reader's language and the club's time zone. The files beside this one
//! add what it writes. Markup is left to the templates.

#[macro_use]
mod embedded;

mod amounts;
mod dates;
mod language;
mod messages;
mod own_words;
pub mod spreadsheet;
pub mod url;

use chrono_tz::Tz;

pub use amounts::Amount;
pub use language::{LANGUAGE_COOKIE, chosen_language};
pub use owlbox_books::club::Language;
pub use own_words::OwnWords;

/// A reader's language, and the club's time zone and words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locale {
    pub language: Language,
    /// The club's time zone.
    pub zone: Tz,
    /// The club's own words for the seats of a chouette.
    pub own: OwnWords,
}

impl Locale {
    #[must_use]
    pub fn new(language: Language, zone: Tz) -> Self {
        Self { language, zone, own: OwnWords::default() }
    }

    /// The same with the club's own words.
    #[must_use]
    pub fn with_words(self, own: OwnWords) -> Self {
        Self { own, ..self }
    }

    /// The language's tag, for the `lang` attribute.
    #[must_use]
    pub const fn tag(&self) -> &'static str {
        self.language.tag()
    }
}
