//! Dice and rolls (G3, G4).
//!
//! A roll is either drawn from a [`Chance`] or thrown on a table and entered; a [`Roll`] does not know which.
//! This module only draws. That a roll is drawn once and kept (G18) is up to the [game](super::game).

use std::fmt;
use std::str::FromStr;

use crate::Chance;
use crate::InvalidValue;

/// The number a die shows, 1 to 6.
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::Die;

assert_eq!(Die::try_from(6), Ok(Die::SIX));
assert_eq!(Die::SIX.pips(), 6);
```"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(into = "u8"))]
#[cfg_attr(
    feature = "schema",
    derive(utoipa::ToSchema),
    schema(value_type = u8, minimum = 1, maximum = 6, example = 4)
)]
pub struct Die(u8);

impl Die {
    /// A die that shows a one.
    pub const ONE: Self = Self(1);
    /// A die that shows a two.
    pub const TWO: Self = Self(2);
    /// A die that shows a three.
    pub const THREE: Self = Self(3);
    /// A die that shows a four.
    pub const FOUR: Self = Self(4);
    /// A die that shows a five.
    pub const FIVE: Self = Self(5);
    /// A die that shows a six.
    pub const SIX: Self = Self(6);

    /// All six numbers, from 1 to 6.
    pub const ALL: [Self; 6] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];

    /// Draws one die from `chance`. A number above 5, which a correct `Chance` never returns, counts as a
    /// six.
    #[must_use]
    pub fn rolled(chance: &mut dyn Chance) -> Self {
        match chance.below(6) {
            0 => Self(1),
            1 => Self(2),
            2 => Self(3),
            3 => Self(4),
            4 => Self(5),
            _ => Self(6),
        }
    }

    /// The number shown, 1 to 6.
    #[must_use]
    pub const fn pips(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Die {
    type Error = InvalidValue;
    fn try_from(pips: u8) -> Result<Self, InvalidValue> {
        if (1..=6).contains(&pips) {
            Ok(Self(pips))
        } else {
            Err(InvalidValue { what: "die", allowed: "1 to 6" })
        }
    }
}
/// A number that is no die is refused as serde refuses one of another type: with the number itself.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Die {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pips = u8::deserialize(deserializer)?;
        let refused = |InvalidValue { allowed, .. }| {
            serde::de::Error::invalid_value(serde::de::Unexpected::Unsigned(pips.into()), &allowed)
        };
        Self::try_from(pips).map_err(refused)
    }
}
impl From<Die> for u8 {
    fn from(die: Die) -> Self {
        die.0
    }
}
impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Two dice in no particular order: 3-1 and 1-3 are the same roll. Serialised as `[3, 1]`, the higher die
/// first.
///
/// ```
/// use owlbox_engine::{Die, Roll};
///
/// let roll: Roll = "1-3".parse()?;
/// assert_eq!(roll, Roll::new(Die::THREE, Die::ONE));
/// assert_eq!((roll.high(), roll.weight()), (Die::THREE, 2));
/// # Ok::<(), owlbox_engine::InvalidValue>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "[Die; 2]", into = "[Die; 2]")
)]
pub struct Roll {
    high: Die,
    low: Die,
}

impl Roll {
    /// The 21 distinct rolls, from 1-1 to 6-6.
    pub const ALL: [Self; 21] = {
        let mut all = [Self { high: Die(1), low: Die(1) }; 21];
        let (mut at, mut high) = (0, 1);
        while high <= 6 {
            let mut low = 1;
            while low <= high {
                all[at] = Self { high: Die(high), low: Die(low) };
                at += 1;
                low += 1;
            }
            high += 1;
        }
        all
    };

    /// The roll of two dice, given in either order.
    #[must_use]
    pub const fn new(one: Die, other: Die) -> Self {
        if one.0 >= other.0 { Self { high: one, low: other } } else { Self { high: other, low: one } }
    }

    /// Draws two dice from `chance` (G4).
    #[must_use]
    pub fn rolled(chance: &mut dyn Chance) -> Self {
        Self::new(Die::rolled(chance), Die::rolled(chance))
    }

    /// The higher die; of a double, either.
    #[must_use]
    pub const fn high(self) -> Die {
        self.high
    }

    /// The lower die; of a double, either.
    #[must_use]
    pub const fn low(self) -> Die {
        self.low
    }

    /// Whether the dice are equal, which makes four moves (G7).
    #[must_use]
    pub const fn is_double(self) -> bool {
        self.high.0 == self.low.0
    }

    /// How many of the 36 outcomes of two dice are this roll: 1 for a double, 2 for any other.
    #[must_use]
    pub const fn weight(self) -> u32 {
        if self.is_double() { 1 } else { 2 }
    }
}

impl From<[Die; 2]> for Roll {
    fn from([one, other]: [Die; 2]) -> Self {
        Self::new(one, other)
    }
}
impl From<Roll> for [Die; 2] {
    fn from(roll: Roll) -> Self {
        [roll.high, roll.low]
    }
}
impl fmt::Display for Roll {
    /// Writes `6-4`, the higher die first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.high, self.low)
    }
}
impl FromStr for Roll {
    type Err = InvalidValue;
    /// Reads `6-4` or `64`, in either order.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let ([one, other] | [one, b'-', other]) = text.as_bytes() else {
            return Err(InvalidValue { what: "roll", allowed: "two dice, as 6-4 or 64" });
        };
        let die = |digit: u8| Die::try_from(digit.wrapping_sub(b'0'));
        Ok(Self::new(die(*one)?, die(*other)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g4_twenty_one_rolls_weigh_thirty_six() {
        assert_eq!(Roll::ALL.iter().map(|roll| roll.weight()).sum::<u32>(), 36);
        let distinct: std::collections::BTreeSet<_> = Roll::ALL.into_iter().collect();
        assert_eq!(distinct.len(), 21);
    }

    /// Counts 0, 1, 2 and so on, modulo `sides`.
    struct Counting(u32);
    impl Chance for Counting {
        fn below(&mut self, sides: u32) -> u32 {
            let next = self.0 % sides;
            self.0 += 1;
            next
        }
    }

    #[test]
    fn g4_each_number_comes_of_one_outcome_in_six_and_a_roll_throws_two_dice() {
        let mut chance = Counting(0);
        assert_eq!([(); 6].map(|()| Die::rolled(&mut chance)), Die::ALL);
        assert_eq!(Die::ALL.map(Die::pips), [1, 2, 3, 4, 5, 6]);
        let rolls = [(); 3].map(|()| Roll::rolled(&mut chance).to_string());
        assert_eq!(rolls, ["2-1", "4-3", "6-5"]);
    }

    #[test]
    fn a_roll_is_read_as_text_in_either_order_and_nothing_else_is() {
        for roll in Roll::ALL {
            let (high, low) = (roll.high(), roll.low());
            for text in [roll.to_string(), format!("{low}-{high}"), format!("{low}{high}")] {
                assert_eq!(text.parse(), Ok(roll), "{text}");
            }
        }
        for bad in ["", "6", "6-", "6-7", "0-1", "6/4", "6-4-", "06", "６4", "\0\0", "6--4"] {
            assert!(bad.parse::<Roll>().is_err(), "{bad}");
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_roll_is_written_higher_first_and_read_either_way() {
        let roll: Roll = serde_json::from_str("[1,3]").unwrap();
        assert_eq!(serde_json::to_string(&roll).unwrap(), "[3,1]");
        assert!(
            serde_json::from_str::<Roll>("[0,3]").is_err() && serde_json::from_str::<Roll>("[7,3]").is_err()
        );
    }
}
