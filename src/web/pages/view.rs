//! How whoever looks wants boards: what points are called on them (K1, K4), and to which side they bear off (G1).
//!
//! A choice of each viewer, kept like the language in a cookie and nowhere else. It changes what a board looks like and
//! what its places are called, never what is sent: commands count as the side that moves counts, whatever is written on the
//! board.

use std::fmt;

use super::board::{Board, COLUMN, DIE, DieShown, Disc, Spot, TRAY_AT};
use crate::engine::notation::play::{Moved, parse};
use crate::engine::notation::{absolute, box_points};
use crate::engine::position::across;
use crate::engine::{BAR, Colour, OFF, Place};

/// The cookie that keeps it.
pub const BOARD_COOKIE: &str = "owlbox_board";

/// What the points of a board are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PointNames {
    /// 24 to 1, as the side on turn counts them: the common way.
    #[default]
    Common,
    /// 1 to 12 and 1A to 12A, as the box rules print them (K1).
    Box,
    /// 1 to 24 for both sides, White's home at 24 (K4).
    Absolute,
}

impl PointNames {
    /// Each of them, in the order of the switch.
    pub const ALL: [Self; 3] = [Self::Common, Self::Box, Self::Absolute];

    /// As the cookie and forms write it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::Box => "box",
            Self::Absolute => "absolute",
        }
    }

    /// The key of its words.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Common => "view-common",
            Self::Box => "view-box",
            Self::Absolute => "view-absolute",
        }
    }

    /// What is called so in a form or a cookie.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|names| names.word() == word)
    }

    /// The name of a point that `colour` counts as `place`.
    #[must_use]
    pub fn name(self, colour: Colour, place: Place) -> String {
        match self {
            Self::Common => place.to_string(),
            Self::Box => box_points::name(colour, place),
            Self::Absolute => absolute::number(colour, place).unwrap_or(place).to_string(),
        }
    }

    /// What joins the places of one checker, and the moves of a play.
    #[must_use]
    pub const fn joints(self) -> [&'static str; 2] {
        match self {
            Self::Common | Self::Absolute => ["/", " "],
            Self::Box => ["-", " & "],
        }
    }

    /// A play of `colour` that was written in the common notation, in these names. The box rules mark no hits.
    #[must_use]
    pub fn play(self, colour: Colour, written: &str) -> String {
        let place = |word: &str| {
            let (bare, hit) = word.strip_suffix('*').map_or((word, ""), |bare| (bare, "*"));
            let name = bare.parse().map_or_else(|_| bare.to_owned(), |place| self.name(colour, place));
            name + if self == Self::Box { "" } else { hit }
        };
        let [stop, joint] = self.joints();
        let chain = |chain: &str| {
            let (places, times) = chain.split_once('(').unwrap_or((chain, ""));
            let places = places.split('/').map(place).collect::<Vec<_>>().join(stop);
            match (self, times.trim_end_matches(')')) {
                (_, "") => places,
                (Self::Box, times) => format!("{times}×{places}"),
                (Self::Common | Self::Absolute, times) => format!("{places}({times})"),
            }
        };
        written.split_whitespace().map(chain).collect::<Vec<_>>().join(joint)
    }

    /// The moves of a play that `colour` wrote in these names, as it counts. `None` if it is no play in them.
    #[must_use]
    pub fn read(self, colour: Colour, written: &str) -> Option<Vec<Moved>> {
        match (self, colour) {
            (Self::Common, _) | (Self::Absolute, Colour::Black) => parse(written).ok(),
            // White's numbers are turned around, and read as everybody's.
            (Self::Absolute, Colour::White) => parse(&turned(written)).ok(),
            (Self::Box, _) => Some(box_points::parse(colour, written).ok()?.moves),
        }
    }
}

/// The same play with every point from 1 to 24 counted from the other end; how often it is made stays.
fn turned(written: &str) -> String {
    let mut turned = String::new();
    let mut rest = written;
    while let Some(at) = rest.find(|next: char| next.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        let end = from.find(|next: char| !next.is_ascii_digit()).unwrap_or(from.len());
        let (digits, after) = from.split_at(end);
        let point = digits.parse::<Place>().ok().filter(|point| (1..=24).contains(point));
        let point = point.filter(|_| !before.ends_with('('));
        turned += before;
        turned += &point.map_or_else(|| digits.to_owned(), |point| across(point).to_string());
        rest = after;
    }
    turned + rest
}

/// How somebody wants boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardView {
    /// What points are called.
    pub names: PointNames,
    /// Whether the sides bear off to the left (G1), and not to the right.
    pub mirrored: bool,
}

impl BoardView {
    /// What the cookie says; how boards are by themselves if there is none, or another than we write.
    #[must_use]
    pub fn of_cookie(cookie: Option<&str>) -> Self {
        let Some((names, side)) = cookie.and_then(|cookie| cookie.split_once('-')) else {
            return Self::default();
        };
        Self { names: PointNames::from_word(names).unwrap_or_default(), mirrored: side == "left" }
    }

    /// The side to which is borne off, as forms write it.
    #[must_use]
    pub const fn side(self) -> &'static str {
        if self.mirrored { "left" } else { "right" }
    }

    /// Every choice of names, and whether it is this one.
    #[must_use]
    pub fn all_names(&self) -> [(PointNames, bool); 3] {
        PointNames::ALL.map(|names| (names, names == self.names))
    }

    /// Both sides: the key of the words, as forms write it, and whether it is this one.
    #[must_use]
    pub const fn sides(&self) -> [(&'static str, &'static str, bool); 2] {
        [("view-right", "right", !self.mirrored), ("view-left", "left", self.mirrored)]
    }

    /// Lays a board that bears off to the right and has the common names as it is wanted.
    pub(super) fn lay(self, board: &mut Board) {
        if !self.mirrored {
            return;
        }
        self.lay_places(&mut board.spots, &mut board.discs);
        if let Some(cube) = &mut board.cube {
            cube.x = mirrored(cube.x, 0);
        }
        mirror_dice(&mut board.dice, DIE);
        // The other side's are drawn at about half the size.
        mirror_dice(&mut board.last, DIE / 2 + 2);
    }

    /// The same of what every board has.
    pub(super) fn lay_places(self, spots: &mut [Spot], discs: &mut [Disc]) {
        for spot in spots {
            spot.x = self.at(spot.x, COLUMN);
        }
        for disc in discs {
            disc.x = self.at(disc.x, 0);
        }
    }

    /// Where the left edge of something so wide is drawn.
    #[must_use]
    pub const fn at(self, left: i32, width: i32) -> i32 {
        if self.mirrored { mirrored(left, width) } else { left }
    }
}

impl fmt::Display for BoardView {
    /// As the cookie has it: `box-left`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.names.word(), self.side())
    }
}

/// The left edge of what is so wide, on the mirrored board: the tray's far edge is where the left one was.
const fn mirrored(left: i32, width: i32) -> i32 {
    TRAY_AT + COLUMN - left - width
}

/// G17: the left die stays the left one.
fn mirror_dice(dice: &mut [DieShown], width: i32) {
    let mut lefts: Vec<i32> = dice.iter().map(|die| mirrored(die.x, width)).collect();
    lefts.sort_unstable();
    for (die, left) in dice.iter_mut().zip(lefts) {
        die.x = left;
    }
}

/// The names of all places as `colour` counts them, off and bar in words.
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

    #[test]
    fn k1_k4_plays_are_written_in_the_names_that_were_chosen_and_read_again() {
        use Colour::{Black, White};
        use PointNames::{Absolute, Box, Common};
        for (names, colour, written) in [
            (Common, White, "24/18*/16 8/5(2)"),
            (Box, White, "1A-7A-9A & 2×8-5"),
            (Box, Black, "1-7-9 & 2×8A-5A"),
            (Absolute, White, "1/7*/9 17/20(2)"),
            (Absolute, Black, "24/18*/16 8/5(2)"),
        ] {
            assert_eq!(names.play(colour, "24/18*/16 8/5(2)"), written);
            let bare = |moves: Vec<Moved>| moves.iter().map(|one| (one.from, one.to)).collect::<Vec<_>>();
            let read = names.read(colour, written).map(bare);
            assert_eq!(read, Some(vec![(24, 18), (18, 16), (8, 5), (8, 5)]), "{names:?} {written}");
        }
        assert_eq!(Box.play(White, "bar/22 6/off"), "bar-3A & 6-off");
        assert_eq!(Absolute.play(White, "bar/22 6/off"), "bar/3 19/off");
        assert_eq!(Box.read(White, "13/7"), None);
    }
}
