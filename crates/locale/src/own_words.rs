//! A club's own words for box, captain and crew.
//!
//! A text that names a seat has a second form for them, an attribute beside it in the language's file: `.box`
//! where the word for the box is in it, `.captain`, `.crew`, and `.seats` where both box and captain are. The
//! words come as `$Box`, `$Captain` and `$Crew`, always in their plain form: a club's word has no article, no
//! plural and no case. A text whose sentence needs one of these puts the word in brackets, or has no such
//! form and keeps the language's own word.

use owlbox_books::club::settings::{SeatWord, SeatWords};

/// The attributes, and with which words each of them is used.
pub(super) const FORMS: [(&str, &[Seat]); 4] = [
    ("box", &[Seat::Box]),
    ("captain", &[Seat::Captain]),
    ("crew", &[Seat::Crew]),
    ("seats", &[Seat::Box, Seat::Captain]),
];

/// A seat that a club may have a word for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    Box,
    Captain,
    Crew,
}

impl Seat {
    pub(super) const ALL: [Self; 3] = [Self::Box, Self::Captain, Self::Crew];

    /// The name of the word in texts.
    pub(super) const fn value(self) -> &'static str {
        match self {
            Self::Box => "Box",
            Self::Captain => "Captain",
            Self::Crew => "Crew",
        }
    }

    /// The key of the language's own word.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Box => "role-box",
            Self::Captain => "role-captain",
            Self::Crew => "role-crew",
        }
    }
}

/// The club's words, in a form that is copied along with every page's language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnWords {
    seat_box: Option<Word>,
    captain: Option<Word>,
    crew: Option<Word>,
}

impl OwnWords {
    /// Whether the club has a word of its own.
    #[must_use]
    pub fn any(&self) -> bool {
        *self != Self::default()
    }

    pub(super) fn of(&self, seat: Seat) -> Option<&str> {
        let word = match seat {
            Seat::Box => &self.seat_box,
            Seat::Captain => &self.captain,
            Seat::Crew => &self.crew,
        };
        word.as_ref().map(Word::as_str)
    }
}

impl From<&SeatWords> for OwnWords {
    fn from(SeatWords { r#box, captain, crew }: &SeatWords) -> Self {
        let [seat_box, captain, crew] = [r#box, captain, crew].map(|word| word.as_ref().map(Word::new));
        Self { seat_box, captain, crew }
    }
}

/// The longest word, in bytes.
const LONGEST: usize = SeatWord::MAX * 4;

/// A short word that is copied instead of shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Word {
    fn new(word: &SeatWord) -> Self {
        let written = word.as_str().as_bytes();
        let mut bytes = [0; LONGEST];
        for (byte, from) in bytes.iter_mut().zip(written) {
            *byte = *from;
        }
        Self { bytes, length: written.len() }
    }

    fn as_str(&self) -> &str {
        let written = self.bytes.get(..self.length).unwrap_or_default();
        // The bytes are those of a text.
        std::str::from_utf8(written).unwrap_or_default()
    }
}
