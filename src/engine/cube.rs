//! The doubling cube: its value, whose it is, and what may be done with it (C1 to C4, C10).
//!
//! The states follow each other by types: a [`Cube`] is offered, which makes an [`Offer`]; an offer is
//! taken, which makes a cube again, or dropped, which leaves the stake that the refuser loses. The
//! cube does not know who plays: the two sides are whatever type `S` the game above it uses.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::values::InvalidValue;

/// What a cube can stand at: a power of two from 1 to 1,048,576.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "u32", into = "u32")]
#[schema(value_type = u32, minimum = 1, maximum = 1_048_576, example = 2)]
pub struct CubeValue(u32);

impl CubeValue {
    /// C1: the stake a game begins with.
    pub const ONE: Self = Self(1);
    /// C10: no limit by the rules; this one keeps every score inside an `i64`.
    pub const MAX: Self = Self(1 << 20);

    /// The value as a number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Twice the value, or `None` at [`MAX`](Self::MAX).
    #[must_use]
    pub const fn doubled(self) -> Option<Self> {
        if self.0 < Self::MAX.0 { Some(Self(self.0 * 2)) } else { None }
    }
}

impl TryFrom<u32> for CubeValue {
    type Error = InvalidValue;
    fn try_from(value: u32) -> Result<Self, InvalidValue> {
        if value.is_power_of_two() && value <= Self::MAX.0 {
            Ok(Self(value))
        } else {
            Err(InvalidValue { what: "cube value", allowed: "a power of two from 1 to 1,048,576" })
        }
    }
}
impl From<CubeValue> for u32 {
    fn from(value: CubeValue) -> Self {
        value.0
    }
}
impl std::fmt::Display for CubeValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Whose cube it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner<S> {
    /// In the middle: either side may double (C1).
    Centred,
    /// It lies with the side that took it: only that side may double (C4).
    Owned(S),
}

/// A cube at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube<S> {
    /// The stake now.
    pub value: CubeValue,
    /// Who may raise it.
    pub owner: Owner<S>,
}

/// Why a cube cannot be offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotDouble {
    /// C4: it is the other side's.
    #[error("the cube is the other side's")]
    NotYours,
    /// C10: it is as high as it may go.
    #[error("the cube is at its limit")]
    AtLimit,
}

impl<S: Copy + Eq> Cube<S> {
    /// A cube in the middle at `value`.
    #[must_use]
    pub const fn centred(value: CubeValue) -> Self {
        Self { value, owner: Owner::Centred }
    }

    /// A cube at `value` with the side `owner`.
    #[must_use]
    pub const fn owned(value: CubeValue, owner: S) -> Self {
        Self { value, owner: Owner::Owned(owner) }
    }

    /// Whether `side` is one that may double next, its limit apart (C1, C4).
    #[must_use]
    pub fn may_double(&self, side: S) -> bool {
        match self.owner {
            Owner::Centred => true,
            Owner::Owned(owner) => owner == side,
        }
    }

    /// Offers the cube to the other side at twice its value, as long as that is no more than `limit`.
    ///
    /// # Errors
    /// [`CannotDouble::NotYours`] before [`CannotDouble::AtLimit`].
    pub fn offer(self, by: S, limit: CubeValue) -> Result<Offer<S>, CannotDouble> {
        if !self.may_double(by) {
            return Err(CannotDouble::NotYours);
        }
        match self.value.doubled() {
            Some(to) if to <= limit => Ok(Offer { before: self.value, to, by }),
            _ => Err(CannotDouble::AtLimit),
        }
    }
}

/// A cube that lies before the side that has to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer<S> {
    /// The stake before the offer: what the refuser loses (C3).
    pub before: CubeValue,
    /// The stake if it is taken.
    pub to: CubeValue,
    /// Who offers it.
    pub by: S,
}

impl<S: Copy + Eq> Offer<S> {
    /// C4: taken by `taker`, the stake is doubled and the cube is the taker's.
    #[must_use]
    pub const fn take(self, taker: S) -> Cube<S> {
        Cube::owned(self.to, taker)
    }

    /// C3: dropped, the stake as it was before the offer is lost; gammons do not count.
    #[must_use]
    pub const fn drop(self) -> CubeValue {
        self.before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Side {
        White,
        Black,
    }
    use Side::{Black, White};

    const NO_CAP: CubeValue = CubeValue::MAX;

    #[test]
    fn c1_a_centred_cube_begins_at_one_and_either_side_may_double_first() {
        let cube = Cube::centred(CubeValue::ONE);
        assert_eq!(cube.value.get(), 1);
        for side in [White, Black] {
            assert_eq!(cube.offer(side, NO_CAP).unwrap().to.get(), 2);
        }
    }

    #[test]
    fn c3_a_dropped_offer_costs_the_stake_before_it() {
        let at_two = Cube::owned(CubeValue(2), White);
        assert_eq!(at_two.offer(White, NO_CAP).unwrap().drop().get(), 2);
    }

    #[test]
    fn c4_the_taker_owns_the_cube_and_nobody_doubles_twice_running() {
        let taken = Cube::centred(CubeValue::ONE).offer(White, NO_CAP).unwrap().take(Black);
        assert_eq!(taken, Cube::owned(CubeValue(2), Black));
        assert_eq!(taken.offer(White, NO_CAP), Err(CannotDouble::NotYours));
        assert_eq!(taken.offer(Black, NO_CAP).unwrap().take(White), Cube::owned(CubeValue(4), White));
    }

    #[test]
    fn c10_a_cap_is_the_highest_value_reached_and_without_one_a_hard_limit_holds() {
        let cap = CubeValue(4);
        assert!(Cube::owned(CubeValue(2), White).offer(White, cap).is_ok());
        assert_eq!(Cube::owned(cap, White).offer(White, cap), Err(CannotDouble::AtLimit));
        assert_eq!(Cube::owned(CubeValue::MAX, White).offer(White, NO_CAP), Err(CannotDouble::AtLimit));
        assert_eq!(CubeValue::MAX.doubled(), None);
    }

    #[test]
    fn a_cube_value_is_a_power_of_two() {
        for good in [1, 2, 64, 1 << 20] {
            assert_eq!(serde_json::from_str::<CubeValue>(&good.to_string()).unwrap().get(), good);
        }
        for bad in ["0", "3", "2097152", "-2", "1.0", "\"2\""] {
            assert!(serde_json::from_str::<CubeValue>(bad).is_err(), "{bad}");
        }
    }
}
