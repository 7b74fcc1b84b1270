//! The three ways of naming points, side by side, and plays in each of them.

use super::play::{Moved, parse};
use super::{absolute, box_points};
use crate::Colour;
use crate::place::{Place, across};

/// A way of naming the points of a board.
///
/// ```
/// use owlbox_engine::Colour;
/// use owlbox_engine::notation::PointNames;
///
/// let play = |names: PointNames| names.play(Colour::White, "24/18*/16 8/5(2)");
/// assert_eq!(PointNames::ALL.map(play), ["24/18*/16 8/5(2)", "1A-7A-9A & 2×8-5", "1/7*/9 17/20(2)"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PointNames {
    /// 24 to 1 as the side on turn counts them, the usual way.
    #[default]
    Common,
    /// 1 to 12 and 1A to 12A, as the box rules print them (K1).
    Box,
    /// 1 to 24 for both sides, with White's home at 24 (K4).
    Absolute,
}

impl PointNames {
    /// All three, the usual one first.
    pub const ALL: [Self; 3] = [Self::Common, Self::Box, Self::Absolute];

    /// The stable word for it in commands, forms and cookies.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::Box => "box",
            Self::Absolute => "absolute",
        }
    }

    /// The way with this word; `None` if there is none.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|names| names.word() == word)
    }

    /// The name of the point that `colour` counts as `place`.
    #[must_use]
    pub fn name(self, colour: Colour, place: Place) -> String {
        match self {
            Self::Common => place.to_string(),
            Self::Box => box_points::name(colour, place),
            Self::Absolute => absolute::number(colour, place).unwrap_or(place).to_string(),
        }
    }

    /// The text that joins the places of one checker, and the text that joins the moves of a play.
    #[must_use]
    pub const fn joints(self) -> [&'static str; 2] {
        match self {
            Self::Common | Self::Absolute => ["/", " "],
            Self::Box => ["-", " & "],
        }
    }

    /// A play of `colour`, `written` in the usual notation, in these names. The box rules mark no hits.
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

    /// The moves of a play that `colour` has `written` in these names, as `colour` counts. `None` if it
    /// cannot be read.
    ///
    /// ```
    /// use owlbox_engine::Colour;
    /// use owlbox_engine::notation::PointNames;
    ///
    /// // White's 8/5 and 6/5, in numbers that are the same for both sides.
    /// let moves = PointNames::Absolute.read(Colour::White, "17/20 19/20").unwrap();
    /// assert_eq!(moves.iter().map(|moved| (moved.from, moved.to)).collect::<Vec<_>>(), [(8, 5), (6, 5)]);
    /// ```
    #[must_use]
    pub fn read(self, colour: Colour, written: &str) -> Option<Vec<Moved>> {
        match (self, colour) {
            (Self::Common, _) | (Self::Absolute, Colour::Black) => parse(written).ok(),
            // White's numbers are turned around first; then the common parser can read them.
            (Self::Absolute, Colour::White) => parse(&turned(written)).ok(),
            (Self::Box, _) => Some(box_points::parse(colour, written).ok()?.moves),
        }
    }
}

/// The same play with every point from 1 to 24 counted from the other end. Numbers in brackets say how often
/// a move is made, and stay as they are.
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

#[cfg(test)]
mod tests {
    use super::*;

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
