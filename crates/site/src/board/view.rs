//! A viewer's choice of how boards look: the names of the points (K1, K4), and the side to which they bear
//! off (G1).
//!
//! It is kept in a cookie, like the language, and nowhere else. It changes the picture and the names of the
//! places, never what is sent: commands always count from the side that moves.

use std::fmt;

use owlbox_engine::notation::PointNames;
use owlbox_engine::{BAR, Checkers, Colour, OFF, Place};
use owlbox_locale::Locale;

/// The name of the cookie that keeps the choice.
pub(crate) const BOARD_COOKIE: &str = "owlbox_board";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BoardView {
    pub names: PointNames,
    /// Whether the sides bear off to the left instead of the right (G1).
    pub mirrored: bool,
}

impl BoardView {
    /// Reads the cookie. The default applies if there is none, or one that we did not write.
    pub fn of_cookie(cookie: Option<&str>) -> Self {
        let Some((names, side)) = cookie.and_then(|cookie| cookie.split_once('-')) else {
            return Self::default();
        };
        Self { names: PointNames::from_word(names).unwrap_or_default(), mirrored: side == "left" }
    }

    /// The side of the bear-off, as forms write it.
    pub const fn side(self) -> &'static str {
        if self.mirrored { "left" } else { "right" }
    }

    /// Every choice of names: the key of its words, its code in forms, and whether it is the present one.
    pub fn all_names(&self) -> [(&'static str, &'static str, bool); 3] {
        let key = |names| match names {
            PointNames::Common => "view-common",
            PointNames::Box => "view-box",
            PointNames::Absolute => "view-absolute",
        };
        PointNames::ALL.map(|names| (key(names), names.word(), names == self.names))
    }

    /// Both sides: the key of the words, the code in forms, and whether it is the present one.
    pub const fn sides(&self) -> [(&'static str, &'static str, bool); 2] {
        [("view-right", "right", !self.mirrored), ("view-left", "left", self.mirrored)]
    }

    /// What `colour` calls a place.
    pub fn place(self, t: &Locale, colour: Colour, place: Place) -> String {
        match place {
            OFF => t.get("board-off"),
            BAR => t.get("board-bar"),
            point => self.names.name(colour, point),
        }
    }

    /// What `colour` calls all places, in the order of their numbers.
    pub fn places(self, t: &Locale, colour: Colour) -> impl Iterator<Item = String> {
        (OFF..=BAR).map(move |place| self.place(t, colour, place))
    }

    /// The checkers of `colour` in words, `24: 2, 13: 5`, from the back forwards.
    pub fn stands(self, t: &Locale, colour: Colour, checkers: Checkers) -> String {
        let places = (OFF..=BAR).rev().filter(|place| checkers.at(*place) > 0);
        let stands = places.map(|place| {
            let (name, count) = (self.place(t, colour, place), checkers.at(place));
            match checkers.is_pinned(place) {
                true => t.labelled(name, format!("{count}, {}", t.get("board-pinned"))),
                false => t.labelled(name, count),
            }
        });
        stands.collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for BoardView {
    /// Writes the value of the cookie, such as `box-left`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.names.word(), self.side())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_as_it_was_kept_and_nonsense_is_no_choice() {
        for names in PointNames::ALL {
            for mirrored in [false, true] {
                let view = BoardView { names, mirrored };
                assert_eq!(BoardView::of_cookie(Some(&view.to_string())), view);
            }
        }
        for nothing in [None, Some(""), Some("box"), Some("-"), Some("greek-upwards")] {
            assert_eq!(BoardView::of_cookie(nothing), BoardView::default(), "{nothing:?}");
        }
    }
}
