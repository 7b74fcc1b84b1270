//! A viewer's choice of how boards look: the names of the points (K1, K4), and the side to which they bear
//! off (G1).
//!
//! It is kept in a cookie, like the language, and nowhere else. It changes the picture and the names of the
//! places, never what is sent: commands always count from the side that moves.

use std::fmt;

use owlbox_engine::notation::PointNames;
use owlbox_engine::{BAR, Colour, OFF, Place};

/// The name of the cookie that keeps the choice.
pub const BOARD_COOKIE: &str = "owlbox_board";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardView {
    pub names: PointNames,
    /// Whether the sides bear off to the left instead of the right (G1).
    pub mirrored: bool,
}

impl BoardView {
    /// Reads the cookie. The default applies if there is none, or one that we did not write.
    #[must_use]
    pub fn of_cookie(cookie: Option<&str>) -> Self {
        let Some((names, side)) = cookie.and_then(|cookie| cookie.split_once('-')) else {
            return Self::default();
        };
        Self { names: PointNames::from_word(names).unwrap_or_default(), mirrored: side == "left" }
    }

    /// The side of the bear-off, as forms write it.
    #[must_use]
    pub const fn side(self) -> &'static str {
        if self.mirrored { "left" } else { "right" }
    }

    /// Every choice of names: the key of its words, its code in forms, and whether it is the present one.
    #[must_use]
    pub fn all_names(&self) -> [(&'static str, &'static str, bool); 3] {
        let key = |names| match names {
            PointNames::Common => "view-common",
            PointNames::Box => "view-box",
            PointNames::Absolute => "view-absolute",
        };
        PointNames::ALL.map(|names| (key(names), names.word(), names == self.names))
    }

    /// Both sides: the key of the words, the code in forms, and whether it is the present one.
    #[must_use]
    pub const fn sides(&self) -> [(&'static str, &'static str, bool); 2] {
        [("view-right", "right", !self.mirrored), ("view-left", "left", self.mirrored)]
    }
}

impl fmt::Display for BoardView {
    /// Writes the value of the cookie, such as `box-left`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.names.word(), self.side())
    }
}

/// The names of all places as `colour` counts them, indexed by number. `off` and `bar` are words of the
/// reader's language.
#[must_use]
pub fn places(names: PointNames, colour: Colour, [off, bar]: [String; 2]) -> Vec<String> {
    let name = |place: Place| match place {
        OFF => off.clone(),
        BAR => bar.clone(),
        point => names.name(colour, point),
    };
    (OFF..=BAR).map(name).collect()
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
