//! The games played on a backgammon board (G2, V1 to V4).
//!
//! A variant's [`Definition`] holds every difference from the rulebook's game: where the checkers begin and
//! how they [move](Movement), who plays the numbers of the opening roll and of later ones, what bearing off
//! everything means, the kinds of win, and whether there may be a cube. Each variant is one file that states
//! only what is its own. To add one, write such a file and the lines here.

mod fevga;
mod hyper_backgammon;
mod inverse;
mod misere;
mod nackgammon;
mod plakoto;
mod standard;
mod tavli;

use std::fmt;

use super::colour::Colour;
use super::movement::Movement;
use super::position::{Checkers, Position};
use super::result::Win;

/// A game of the backgammon family.
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
    /// Backgammon, the rulebook's game (G1 to G20).
    #[default]
    Standard,
    /// V2: four checkers far back instead of two.
    Nackgammon,
    /// V2: three checkers a side.
    HyperBackgammon,
    /// V3: the losing game, in which bearing off everything loses.
    Misere,
    /// V1: each side plays the numbers the other rolls.
    Inverse,
    /// V4: a lone checker is pinned, not hit.
    Plakoto,
    /// V4: both sides run the same way round.
    Fevga,
}

impl Variant {
    /// Every variant, in the order of this enum.
    pub const ALL: [Self; 7] = [
        Self::Standard,
        Self::Nackgammon,
        Self::HyperBackgammon,
        Self::Misere,
        Self::Inverse,
        Self::Plakoto,
        Self::Fevga,
    ];

    /// The variant with this key; `None` if there is none.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.key() == key)
    }

    /// The stable key, as commands and files write it.
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

    /// The properties in which it differs from others.
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

    /// The position at the beginning of a game. It looks the same to both sides.
    #[must_use]
    pub const fn start(self) -> Position {
        let side = self.definition().start;
        Position::known(side, side)
    }

    /// The number of checkers a side has.
    #[must_use]
    pub fn checkers(self) -> u8 {
        self.definition().start.total()
    }

    /// The side that throws the dice `player` plays, after the opening (G4, V1).
    #[must_use]
    pub const fn thrower(self, player: Colour) -> Colour {
        match self.definition().numbers {
            RollPlayed::Own => player,
            RollPlayed::Others => player.other(),
        }
    }

    /// Whether the variant can be played with a cube (C0). Without one, there is no doubling, hence no Jacoby
    /// (C9), no beavers (C7), no automatic doubles (C6), no cap (C10) and no Crawford game (M3).
    #[must_use]
    pub const fn has_cube(self) -> bool {
        self.definition().has_cube
    }

    /// The kinds of win in this variant (G14), the likeliest first.
    #[must_use]
    pub const fn wins(self) -> &'static [Win] {
        self.definition().wins
    }

    /// Whether a win can count three times the stake (G14).
    #[must_use]
    pub fn counts_backgammon(self) -> bool {
        self.wins().contains(&Win::Backgammon)
    }

    /// The winner, if `first` is the first to bear off everything (G13, V3).
    #[must_use]
    pub const fn winner(self, first: Colour) -> Colour {
        match self.definition().bearing_off {
            BearingOff::Wins => first,
            BearingOff::Loses => first.other(),
        }
    }
}

impl fmt::Display for Variant {
    /// Writes the [`key`](Variant::key).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// The properties of a variant.
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
    /// Each side's checkers at the start, as that side counts, and how they move.
    pub start: Checkers,
    /// What happens to the numbers of the opening roll.
    pub opening: Opening,
    /// What it means to bear off everything first.
    pub bearing_off: BearingOff,
    /// Whose roll a side plays.
    pub numbers: RollPlayed,
    /// Whether there may be a cube (C0).
    pub has_cube: bool,
    /// The kinds of win in this variant (G14), the likeliest first.
    pub wins: &'static [Win],
}

/// What happens to the numbers of the opening roll.
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
    /// G3: the side that wins the opening roll plays both numbers.
    Played,
    /// V4: the side that wins the opening roll throws both dice again.
    RolledAnew,
}

/// What it means to bear off everything first.
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
    /// G13: that side has won.
    Wins,
    /// V3: that side has lost.
    Loses,
}

/// Whose roll a side plays after the opening roll.
///
/// ```
/// use owlbox_engine::Variant;
/// use owlbox_engine::variant::RollPlayed;
///
/// assert_eq!(Variant::Standard.definition().numbers, RollPlayed::Own);
/// assert_eq!(Variant::Inverse.definition().numbers, RollPlayed::Others);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollPlayed {
    /// G4: the numbers it rolled itself.
    Own,
    /// V1: the numbers the other side rolled.
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
        // The sides share no point.
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
        // The point where the other side begins: one's own ace point, or half a lap away.
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
