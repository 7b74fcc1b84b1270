//! The games played on a backgammon board (G2, V1 to V4).
//!
//! In what a variant differs from the game of the rulebook is its [`Definition`]: where the checkers begin and how they
//! [move](Movement), who plays the numbers of the opening roll and of later ones, what bearing off everything is worth, which
//! kinds of win there are, and whether there can be a cube. Each variant is one file that states what is its own; adding one is
//! that file and its lines here. Everything else is common to all.

mod fevga;
mod hyper_backgammon;
mod inverse;
mod misere;
mod nackgammon;
mod plakoto;
mod standard;
mod tavli;

use super::colour::Colour;
use super::movement::Movement;
use super::position::{Checkers, Position};
use super::result::Win;

/// A game that can be played.
#[cfg_attr(
    doc,
    doc = r#"
```
use owlbox_engine::Variant;

assert_eq!(Variant::from_key("hyper_backgammon"), Some(Variant::HyperBackgammon));
assert_eq!(Variant::HyperBackgammon.checkers(), 3);
assert!(!Variant::Plakoto.has_cube());
```"#
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Variant {
    /// Backgammon (G1 to G20).
    #[default]
    Standard,
    /// V2: two more checkers stand far back.
    Nackgammon,
    /// V2: three checkers a side.
    HyperBackgammon,
    /// V3: the losing game.
    Misere,
    /// V1: each side plays the numbers the other rolls.
    Inverse,
    /// V4: a lone checker is pinned.
    Plakoto,
    /// V4: both run the same way round.
    Fevga,
}

impl Variant {
    /// Every variant.
    pub const ALL: [Self; 7] = [
        Self::Standard,
        Self::Nackgammon,
        Self::HyperBackgammon,
        Self::Misere,
        Self::Inverse,
        Self::Plakoto,
        Self::Fevga,
    ];

    /// The one of this key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.key() == key)
    }

    /// Its key, as it is written in commands.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Nackgammon => "nackgammon",
            Self::HyperBackgammon => "hyper_backgammon",
            Self::Misere => "misere",
            Self::Inverse => "inverse",
            Self::Plakoto => "plakoto",
            Self::Fevga => "fevga",
        }
    }

    /// What makes it what it is.
    #[must_use]
    pub const fn definition(self) -> &'static Definition {
        match self {
            Self::Standard => &standard::DEFINITION,
            Self::Nackgammon => &nackgammon::DEFINITION,
            Self::HyperBackgammon => &hyper_backgammon::DEFINITION,
            Self::Misere => &misere::DEFINITION,
            Self::Inverse => &inverse::DEFINITION,
            Self::Plakoto => &plakoto::DEFINITION,
            Self::Fevga => &fevga::DEFINITION,
        }
    }

    /// The position a game begins with; it looks the same from either side.
    #[must_use]
    pub const fn start(self) -> Position {
        let side = self.definition().start;
        Position::known(side, side)
    }

    /// How many checkers a side has.
    #[must_use]
    pub fn checkers(self) -> u8 {
        self.definition().start.total()
    }

    /// Who throws the dice that `player` plays after the opening (G4, V1).
    #[must_use]
    pub const fn thrower(self, player: Colour) -> Colour {
        match self.definition().numbers {
            Numbers::Own => player,
            Numbers::Others => player.other(),
        }
    }

    /// Whether it can be played with the cube (C0). Without one there is nothing to double: neither Jacoby (C9), beavers (C7),
    /// automatic doubles (C6), a cap (C10) nor a Crawford game (M3).
    #[must_use]
    pub const fn has_cube(self) -> bool {
        self.definition().has_cube
    }

    /// The kinds of win that there are (G14), the likeliest first.
    #[must_use]
    pub const fn wins(self) -> &'static [Win] {
        self.definition().wins
    }

    /// Whether a win can count threefold (G14).
    #[must_use]
    pub fn counts_backgammon(self) -> bool {
        self.wins().contains(&Win::Backgammon)
    }

    /// Who has won when the first to bear off everything is `first` (G13, V3).
    #[must_use]
    pub const fn winner(self, first: Colour) -> Colour {
        match self.definition().bearing_off {
            BearingOff::Wins => first,
            BearingOff::Loses => first.other(),
        }
    }
}

/// What makes a variant.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::variant::Definition;
///
/// // Nackgammon is backgammon with another start.
/// let definition = *Variant::Nackgammon.definition();
/// let start = Variant::Standard.start().mover();
/// assert_eq!(Definition { start, ..definition }, *Variant::Standard.definition());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Where each side's checkers stand at first, as that side counts, and how they move.
    pub start: Checkers,
    /// Who plays the numbers of the opening roll.
    pub opening: Opening,
    /// What it means to have borne off everything first.
    pub bearing_off: BearingOff,
    /// Whose numbers one plays.
    pub numbers: Numbers,
    /// Whether there can be a cube.
    pub has_cube: bool,
    /// The kinds of win that there are.
    pub wins: &'static [Win],
}

/// What becomes of the numbers of the opening roll.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::variant::Opening;
///
/// assert_eq!(Variant::Standard.definition().opening, Opening::Played);
/// assert_eq!(Variant::Fevga.definition().opening, Opening::RolledAnew);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// G3: whoever wins it plays them.
    Played,
    /// V4: whoever wins it throws both dice anew.
    RolledAnew,
}

/// What it means to have borne off everything first.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::variant::BearingOff;
///
/// assert_eq!(Variant::Standard.definition().bearing_off, BearingOff::Wins);
/// assert_eq!(Variant::Misere.definition().bearing_off, BearingOff::Loses);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BearingOff {
    /// G13: the game is won.
    Wins,
    /// V3: the game is lost.
    Loses,
}

/// Whose numbers one plays after the opening roll.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::variant::Numbers;
///
/// assert_eq!(Variant::Standard.definition().numbers, Numbers::Own);
/// assert_eq!(Variant::Inverse.definition().numbers, Numbers::Others);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// G4: those one rolled.
    Own,
    /// V1: those the other side rolled.
    Others,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::gnu::position_id;

    fn starts_with(variant: Variant, expected: &str, checkers: u8, pips: u16) {
        let start = variant.start();
        assert_eq!(format!("{:?}", start.mover()), expected, "{variant:?}");
        assert_eq!(start, start.turned());
        assert_eq!((variant.checkers(), start.mover().total()), (checkers, checkers));
        assert_eq!(start.mover().pips(), pips);
        // Nobody stands where the other does.
        assert_eq!(Position::new(start.mover(), start.other()), Ok(start));
    }

    #[test]
    fn g2_each_side_starts_with_fifteen_checkers_two_five_three_five() {
        for variant in [Variant::Standard, Variant::Misere, Variant::Inverse] {
            starts_with(variant, "6:5 8:3 13:5 24:2", 15, 167);
        }
        assert_eq!(position_id(Variant::Standard.start()), "4HPwATDgc/ABMA");
    }

    #[test]
    fn v2_nackgammon_and_hyper_backgammon_have_their_own_starts() {
        starts_with(Variant::Nackgammon, "6:4 8:3 13:4 23:2 24:2", 15, 194);
        starts_with(Variant::HyperBackgammon, "22:1 23:1 24:1", 3, 69);
    }

    #[test]
    fn v4_plakoto_and_fevga_begin_with_all_fifteen_on_the_furthest_point() {
        starts_with(Variant::Plakoto, "24:15", 15, 360);
        starts_with(Variant::Fevga, "24:15", 15, 360);
        let movements = Variant::ALL.map(|variant| variant.start().movement());
        assert_eq!(movements[5..], [Movement::Plakoto, Movement::Fevga]);
        assert_eq!(movements[..5], [Movement::Backgammon; 5]);
        // The corner where the other begins is one's own ace point, or half way round.
        let across = |variant: Variant| variant.start().across(24);
        assert_eq!((across(Variant::Plakoto), across(Variant::Fevga)), (1, 12));
    }

    #[test]
    fn v3_who_bears_off_everything_loses_the_losing_game_and_wins_every_other() {
        for variant in Variant::ALL {
            let winner = variant.winner(Colour::White);
            assert_eq!(winner == Colour::Black, variant == Variant::Misere, "{variant:?}");
        }
    }

    #[test]
    fn v1_only_in_the_inverse_game_the_other_side_throws() {
        for variant in Variant::ALL {
            let thrower = variant.thrower(Colour::White);
            assert_eq!(thrower == Colour::Black, variant == Variant::Inverse, "{variant:?}");
        }
    }

    #[test]
    fn c0_g14_every_variant_says_whether_it_knows_the_cube_and_which_wins() {
        for variant in Variant::ALL {
            let tavli = matches!(variant, Variant::Plakoto | Variant::Fevga);
            assert_eq!([variant.has_cube(), variant.counts_backgammon()], [!tavli; 2], "{variant:?}");
            let wins: &[Win] = if tavli { &[Win::Single, Win::Gammon] } else { &Win::ALL };
            assert_eq!(variant.wins(), wins, "{variant:?}");
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn variants_are_written_as_keys() {
        let keys: Vec<_> = Variant::ALL.map(|variant| serde_json::to_value(variant).unwrap()).into();
        assert_eq!(keys, Variant::ALL.map(|variant| serde_json::json!(variant.key())));
        assert_eq!(
            serde_json::Value::from(keys),
            serde_json::json!([
                "standard",
                "nackgammon",
                "hyper_backgammon",
                "misere",
                "inverse",
                "plakoto",
                "fevga"
            ])
        );
    }
}
