//! The doubling cube: its value, its owner, and what may be done with it (C1 to C10).
//!
//! Each state has a type, and the types follow each other. A [`Cube`] is offered, which makes an [`Offer`].
//! An offer is taken, which makes a cube again, or dropped, which leaves the stake that the refuser loses.
//! Where beavers are played, an offer may be answered by a [`Beaver`], which is taken, dropped, or answered
//! by another one. The two sides are of any type `S`. When a side may double - before the dice, on its own
//! turn - is up to the game.

use crate::InvalidValue;

/// The value of a cube: a power of two from 1 to 1,048,576.
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::CubeValue;

assert_eq!(CubeValue::ONE.doubled(), CubeValue::try_from(2).ok());
assert!(CubeValue::try_from(3).is_err());
```"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "u32", into = "u32")
)]
#[cfg_attr(
    feature = "schema",
    derive(utoipa::ToSchema),
    schema(value_type = u32, minimum = 1, maximum = 1_048_576, example = 2)
)]
pub struct CubeValue(u32);

impl CubeValue {
    /// C1: the stake at the beginning of a game.
    pub const ONE: Self = Self(1);
    /// The highest face of a real doubling cube.
    pub const SIXTY_FOUR: Self = Self(64);
    /// The highest value there is. The rules set no limit (C10); this one keeps every score within an `i64`.
    pub const MAX: Self = Self(1 << 20);

    /// The value as a number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Whether a single win at this stake is enough for a side that is `away` points from winning its match.
    /// Such a side gains nothing by doubling (M2).
    ///
    /// ```
    /// use owlbox_engine::CubeValue;
    ///
    /// // At 3-away, a cube on 4 wins the match.
    /// assert!(CubeValue::try_from(4)?.suffices(3));
    /// assert!(!CubeValue::try_from(2)?.suffices(3));
    /// # Ok::<(), owlbox_engine::InvalidValue>(())
    /// ```
    #[must_use]
    pub const fn suffices(self, away: u32) -> bool {
        self.0 >= away
    }

    /// Half the value; `None` at [`ONE`](Self::ONE).
    #[must_use]
    pub const fn halved(self) -> Option<Self> {
        if self.0 > Self::ONE.0 { Some(Self(self.0 / 2)) } else { None }
    }

    /// Twice the value; `None` at [`MAX`](Self::MAX).
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

/// The owner of a cube.
///
/// ```
/// use owlbox_engine::{Colour, Cube, CubeValue, Owner};
///
/// let cube = Cube::owned(CubeValue::SIXTY_FOUR, Colour::Black);
/// assert_eq!(cube.owner, Owner::Owned(Colour::Black));
/// assert!(!cube.may_double(Colour::White));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner<S> {
    /// The cube is in the middle: either side may double (C1).
    Centred,
    /// The cube belongs to the side that took it: only that side may double (C4).
    Owned(S),
}

/// A cube that is not being offered.
///
/// ```
/// use owlbox_engine::{Colour, Cube, CubeValue};
///
/// let offer = Cube::centred(CubeValue::ONE).offer(Colour::White, CubeValue::MAX)?;
/// let taken = offer.take(Colour::Black);
/// assert_eq!(taken.value.get(), 2);
/// assert!(taken.may_double(Colour::Black) && !taken.may_double(Colour::White));
/// # Ok::<(), owlbox_engine::CannotDouble>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube<S> {
    /// The stake: the points a single win counts.
    pub value: CubeValue,
    /// The side that may double, or both.
    pub owner: Owner<S>,
}

/// The reason why a cube cannot be offered.
///
/// ```
/// use owlbox_engine::{CannotDouble, Colour, Cube, CubeValue};
///
/// let (cube, limit) = (Cube::owned(CubeValue::ONE, Colour::Black), CubeValue::ONE);
/// assert_eq!(cube.offer(Colour::White, limit), Err(CannotDouble::NotYours));
/// assert_eq!(cube.offer(Colour::Black, limit), Err(CannotDouble::AtLimit));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotDouble {
    /// C4: the cube is the other side's.
    #[error("the other side owns the cube")]
    NotYours,
    /// C10: the cube is as high as it may go.
    #[error("the cube is at its limit")]
    AtLimit,
}

impl<S: Copy + Eq> Cube<S> {
    /// A cube in the middle at `value`.
    #[must_use]
    pub const fn centred(value: CubeValue) -> Self {
        Self { value, owner: Owner::Centred }
    }

    /// A cube at `value`, owned by the side `owner`.
    #[must_use]
    pub const fn owned(value: CubeValue, owner: S) -> Self {
        Self { value, owner: Owner::Owned(owner) }
    }

    /// Whether the cube's position allows `side` to double (C1, C4). The limit is not considered.
    #[must_use]
    pub fn may_double(&self, side: S) -> bool {
        match self.owner {
            Owner::Centred => true,
            Owner::Owned(owner) => owner == side,
        }
    }

    /// Whether the cube was offered and taken (C4). An automatic double leaves it in the middle and does not
    /// count as a turn (C9).
    #[must_use]
    pub const fn is_turned(&self) -> bool {
        matches!(self.owner, Owner::Owned(_))
    }

    /// Whether gammons and backgammons count, with Jacoby or without (C9).
    #[must_use]
    pub const fn gammons_count(&self, jacoby: bool) -> bool {
        !jacoby || self.is_turned()
    }

    /// C6: the cube after a tie of the opening roll has doubled it; it stays in the middle. `None` if that
    /// would exceed `limit`, or if the cube is in the middle no more.
    #[must_use]
    pub fn doubled_automatically(self, limit: CubeValue) -> Option<Self> {
        let to = self.value.doubled().filter(|to| *to <= limit)?;
        (!self.is_turned()).then_some(Self::centred(to))
    }

    /// Whether, in a match, no side that may double gains anything by it (M2): a single win at the present
    /// stake wins the match for each of them. `away` returns the points a side still needs.
    ///
    /// Doubling with a dead cube is foolish - it only gives the other side a cube it can use - but no rule
    /// forbids it, so nothing here refuses it.
    ///
    /// ```
    /// use owlbox_engine::{Colour, Cube, CubeValue};
    ///
    /// // White, 2-away, owns a cube on 2.
    /// let cube = Cube::owned(CubeValue::try_from(2)?, Colour::White);
    /// assert!(cube.is_dead(Colour::ALL, |side| if side == Colour::White { 2 } else { 5 }));
    /// # Ok::<(), owlbox_engine::InvalidValue>(())
    /// ```
    #[must_use]
    pub fn is_dead(&self, sides: [S; 2], away: impl Fn(S) -> u32) -> bool {
        sides.into_iter().filter(|side| self.may_double(*side)).all(|side| self.value.suffices(away(side)))
    }

    /// Offers the cube to the other side at twice its value, which must not exceed `limit`.
    ///
    /// # Errors
    /// [`CannotDouble::NotYours`], checked before [`CannotDouble::AtLimit`].
    pub fn offer(self, by: S, limit: CubeValue) -> Result<Offer<S>, CannotDouble> {
        let (before, to) = raised(self.value, self.may_double(by), limit)?;
        Ok(Offer { before, to, by })
    }
}

/// A double that waits for the other side's answer.
///
/// ```
/// use owlbox_engine::{Colour, Cube, CubeValue};
///
/// let offer = Cube::centred(CubeValue::ONE).offer(Colour::White, CubeValue::MAX)?;
/// assert_eq!((offer.before.get(), offer.to.get()), (1, 2));
/// assert_eq!(offer.drop().get(), 1);
/// # Ok::<(), owlbox_engine::CannotDouble>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer<S> {
    /// The stake before the offer, which the refuser loses (C3).
    pub before: CubeValue,
    /// The stake if the offer is taken.
    pub to: CubeValue,
    /// The side that makes the offer.
    pub by: S,
}

impl<S: Copy + Eq> Offer<S> {
    /// C4: `taker` takes. The stake is doubled, and the cube is theirs.
    #[must_use]
    pub const fn take(self, taker: S) -> Cube<S> {
        Cube::owned(self.to, taker)
    }

    /// C3: the offer is dropped. The stake before it is lost; gammons do not count.
    #[must_use]
    pub const fn drop(self) -> CubeValue {
        self.before
    }

    /// C7: instead of taking, the side that was doubled redoubles at once and keeps the cube. The value must
    /// not exceed `limit`. Whether beavers are played at all is up to [`Animals`].
    ///
    /// # Errors
    /// [`CannotDouble::NotYours`] for the side that doubled, checked before [`CannotDouble::AtLimit`].
    pub fn beaver(self, by: S, limit: CubeValue) -> Result<Beaver<S>, CannotDouble> {
        let (before, to) = raised(self.to, by != self.by, limit)?;
        Ok(Beaver { before, to, by, owner: by, number: 1 })
    }
}

/// The stake before and after a double. It must be `allowed` and not exceed `limit`.
fn raised(value: CubeValue, allowed: bool, limit: CubeValue) -> Result<(CubeValue, CubeValue), CannotDouble> {
    if !allowed {
        return Err(CannotDouble::NotYours);
    }
    let to = value.doubled().filter(|to| *to <= limit).ok_or(CannotDouble::AtLimit)?;
    Ok((value, to))
}

/// A redouble in answer to a double (C7, C8), waiting for the other side's answer: a beaver, a raccoon on the
/// beaver, or an otter on that.
///
/// ```
/// use owlbox_engine::{Colour, Cube, CubeValue};
///
/// let offer = Cube::centred(CubeValue::ONE).offer(Colour::White, CubeValue::MAX)?;
/// let beaver = offer.beaver(Colour::Black, CubeValue::MAX)?;
/// assert_eq!((beaver.to.get(), beaver.number), (4, 1));
/// assert!(beaver.take().may_double(Colour::Black));
/// # Ok::<(), owlbox_engine::CannotDouble>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beaver<S> {
    /// The stake before this redouble, which the refuser loses.
    pub before: CubeValue,
    /// The stake if it is taken.
    pub to: CubeValue,
    /// The side that offers it.
    pub by: S,
    /// The side that will own the cube: the one that beavered, no matter who takes.
    pub owner: S,
    /// Its place in the row: 1 for a beaver, 2 for a raccoon, 3 for an otter.
    pub number: u8,
}

impl<S: Copy + Eq> Beaver<S> {
    /// C8: the side that was redoubled redoubles at once itself.
    ///
    /// # Errors
    /// [`CannotDouble::NotYours`] for the side that offers this one, checked before
    /// [`CannotDouble::AtLimit`].
    pub fn answered(self, by: S, limit: CubeValue) -> Result<Self, CannotDouble> {
        let (before, to) = raised(self.to, by != self.by, limit)?;
        // The cube reaches its limit long before this number could overflow.
        Ok(Self { before, to, by, owner: self.owner, number: self.number.saturating_add(1) })
    }

    /// C8: taken. The stake is doubled, and the cube stays with the side that beavered.
    #[must_use]
    pub const fn take(self) -> Cube<S> {
        Cube::owned(self.to, self.owner)
    }

    /// C7: dropped. The stake as the previous offer had raised it is lost.
    #[must_use]
    pub const fn drop(self) -> CubeValue {
        self.before
    }
}

/// A cube that waits for an answer: a double, or a redouble in answer to one.
///
/// ```
/// use owlbox_engine::{Colour, Cube, CubeValue, Raise};
///
/// let offer = Cube::centred(CubeValue::ONE).offer(Colour::White, CubeValue::MAX)?;
/// let double = Raise::Double(offer);
/// let beaver = Raise::Beaver(double.answered(Colour::Black, CubeValue::MAX)?);
/// assert_eq!((double.by(), beaver.by()), (Colour::White, Colour::Black));
/// assert_eq!((double.drop().get(), beaver.drop().get()), (1, 2));
/// # Ok::<(), owlbox_engine::CannotDouble>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raise<S> {
    /// A double that has not been redoubled (C2).
    Double(Offer<S>),
    /// A beaver, or a further redouble in answer to one (C7, C8).
    Beaver(Beaver<S>),
}

impl<S: Copy + Eq> Raise<S> {
    /// The side that makes the offer.
    #[must_use]
    pub const fn by(self) -> S {
        match self {
            Self::Double(offer) => offer.by,
            Self::Beaver(beaver) => beaver.by,
        }
    }

    /// The stake if it is taken.
    #[must_use]
    pub const fn to(self) -> CubeValue {
        match self {
            Self::Double(offer) => offer.to,
            Self::Beaver(beaver) => beaver.to,
        }
    }

    /// The redouble with which `by`, who has to answer, returns the offer at once (C7, C8).
    ///
    /// # Errors
    /// [`CannotDouble::NotYours`] for the side that offers, checked before [`CannotDouble::AtLimit`].
    pub fn answered(self, by: S, limit: CubeValue) -> Result<Beaver<S>, CannotDouble> {
        match self {
            Self::Double(offer) => offer.beaver(by, limit),
            Self::Beaver(beaver) => beaver.answered(by, limit),
        }
    }

    /// The owner of the cube once `taker` takes: `taker` after a double (C4), and always the side that
    /// beavered otherwise (C8).
    #[must_use]
    pub const fn owner(self, taker: S) -> S {
        match self {
            Self::Double(_) => taker,
            Self::Beaver(beaver) => beaver.owner,
        }
    }

    /// The cube once `taker` takes (C4, C8).
    #[must_use]
    pub const fn take(self, taker: S) -> Cube<S> {
        Cube::owned(self.to(), self.owner(taker))
    }

    /// The stake that a drop loses (C3, C7).
    #[must_use]
    pub const fn drop(self) -> CubeValue {
        match self {
            Self::Double(offer) => offer.drop(),
            Self::Beaver(beaver) => beaver.drop(),
        }
    }
}

/// How often a double may be redoubled at once (C7, C8).
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::Animals;

let raccoon = 2;
assert!(Animals::Raccoon.allow(raccoon) && !Animals::Beaver.allow(raccoon));
```"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Animals {
    /// A double can only be taken or dropped.
    #[default]
    None,
    /// A double may be beavered, and that is all.
    Beaver,
    /// A beaver may be answered by a raccoon.
    Raccoon,
    /// A raccoon may be answered by an otter.
    Otter,
    /// There is no end to it below the cube's limit.
    Any,
}

impl Animals {
    /// Whether a redouble with this [number](Beaver::number) is allowed.
    #[must_use]
    pub const fn allow(self, number: u8) -> bool {
        match self {
            Self::None => false,
            Self::Beaver => number <= 1,
            Self::Raccoon => number <= 2,
            Self::Otter => number <= 3,
            Self::Any => true,
        }
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
    fn c6_an_automatic_double_leaves_the_cube_centred_and_stops_at_the_limit() {
        let two = Cube::<Side>::centred(CubeValue::ONE).doubled_automatically(NO_CAP).unwrap();
        assert_eq!(two, Cube::centred(CubeValue(2)));
        assert!(two.may_double(White) && two.may_double(Black));
        assert_eq!(two.doubled_automatically(CubeValue(2)), None);
        assert_eq!(Cube::owned(CubeValue(2), White).doubled_automatically(NO_CAP), None);
    }

    #[test]
    fn c7_a_beaver_keeps_the_cube_and_its_refuser_loses_the_doubled_stake() {
        let beaver = Cube::centred(CubeValue::ONE).offer(White, NO_CAP).unwrap().beaver(Black, NO_CAP);
        let beaver = beaver.unwrap();
        assert_eq!((beaver.to.get(), beaver.number), (4, 1));
        assert_eq!(beaver.drop().get(), 2);
        assert_eq!(beaver.take(), Cube::owned(CubeValue(4), Black));
    }

    #[test]
    fn c8_two_four_eight_sixteen_and_the_cube_stays_with_the_side_that_beavered() {
        let offer = Cube::centred(CubeValue::ONE).offer(White, NO_CAP).unwrap();
        let raccoon = offer.beaver(Black, NO_CAP).unwrap().answered(White, NO_CAP).unwrap();
        assert_eq!((raccoon.before.get(), raccoon.to.get(), raccoon.number), (4, 8, 2));
        assert_eq!(raccoon.take(), Cube::owned(CubeValue(8), Black));
        let otter = raccoon.answered(Black, NO_CAP).unwrap();
        assert_eq!((otter.drop().get(), otter.to.get(), otter.number), (8, 16, 3));
        assert_eq!(otter.take(), Cube::owned(CubeValue(16), Black));
    }

    #[test]
    fn c8_nobody_redoubles_an_own_offer_or_above_the_limit() {
        let offer = Cube::centred(CubeValue::ONE).offer(White, NO_CAP).unwrap();
        assert_eq!(offer.beaver(White, NO_CAP), Err(CannotDouble::NotYours));
        assert_eq!(offer.beaver(Black, CubeValue(2)), Err(CannotDouble::AtLimit));
        let beaver = offer.beaver(Black, NO_CAP).unwrap();
        assert_eq!(beaver.answered(Black, CubeValue(4)), Err(CannotDouble::NotYours));
        assert_eq!(beaver.answered(White, CubeValue(4)), Err(CannotDouble::AtLimit));
    }

    #[test]
    fn c8_a_house_says_how_far_the_animals_go() {
        let allowed = |animals: Animals| (1..=4).filter(|number| animals.allow(*number)).count();
        let all = [Animals::None, Animals::Beaver, Animals::Raccoon, Animals::Otter, Animals::Any];
        assert_eq!(all.map(allowed), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn c9_only_an_offer_that_was_taken_turns_the_cube() {
        let centred = Cube::centred(CubeValue::ONE);
        assert!(!centred.is_turned());
        assert!(!centred.doubled_automatically(NO_CAP).unwrap().is_turned());
        assert!(centred.offer(White, NO_CAP).unwrap().take(Black).is_turned());
    }

    #[test]
    fn m2_a_cube_is_dead_once_nobody_who_may_double_needs_more() {
        let dead = |cube: Cube<Side>, white, black| {
            cube.is_dead([White, Black], |side| if side == White { white } else { black })
        };
        let centred = Cube::centred(CubeValue::ONE);
        assert!(!dead(centred, 1, 2), "Black can gain");
        assert!(dead(centred, 1, 1));
        assert!(dead(Cube::owned(CubeValue(2), White), 2, 9));
        assert!(!dead(Cube::owned(CubeValue(2), Black), 2, 9));
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
            assert_eq!(CubeValue::try_from(good).unwrap().get(), good);
        }
        for bad in [0, 3, 1 << 21, u32::MAX] {
            assert!(CubeValue::try_from(bad).is_err(), "{bad}");
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn only_a_power_of_two_is_read_as_a_cube_value() {
        for good in [1, 2, 64, 1 << 20] {
            assert_eq!(serde_json::from_str::<CubeValue>(&good.to_string()).unwrap().get(), good);
        }
        for bad in ["0", "3", "2097152", "-2", "1.0", "\"2\""] {
            assert!(serde_json::from_str::<CubeValue>(bad).is_err(), "{bad}");
        }
    }
}
