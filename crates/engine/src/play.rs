//! Steps and plays: what a side does with a roll.

use std::fmt;
use std::num::NonZeroU8;

use super::dice::Die;
use super::place::{BAR, OFF, Place};
use super::position::Position;
use crate::InvalidValue;

/// One checker moved by one die. Written as `{"from": 24, "pips": 6}`.
#[cfg_attr(
    doc,
    doc = "
```
use owlbox_engine::{Die, Step};

let step = Step::new(24, Die::SIX).unwrap();
assert_eq!((step.from(), step.to()), (24, 18));
```"
)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "WrittenStep", into = "WrittenStep")
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = WrittenStep))]
pub struct Step(NonZeroU8);

/// The serialised form of a step.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
struct WrittenStep {
    /// Where the checker starts, as the mover counts: a point from 1 to 24, or 25 for the bar.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 25, example = 24))]
    from: u8,
    /// The die it moves by.
    pips: Die,
}

#[cfg(feature = "serde")]
impl TryFrom<WrittenStep> for Step {
    type Error = InvalidValue;
    fn try_from(written: WrittenStep) -> Result<Self, InvalidValue> {
        let step = Self::new(written.from, written.pips);
        step.ok_or(InvalidValue { what: "from", allowed: "a point from 1 to 24, or 25 for the bar" })
    }
}
#[cfg(feature = "serde")]
impl From<Step> for WrittenStep {
    fn from(step: Step) -> Self {
        Self { from: step.from(), pips: step.die() }
    }
}

impl Step {
    /// Moves the checker on `from` by `die`. `None` unless `from` is a point or the bar.
    #[must_use]
    pub const fn new(from: Place, die: Die) -> Option<Self> {
        if from > OFF && from <= BAR { Some(Self::known(from, die.pips())) } else { None }
    }

    /// Moves the checker on `from`, which is 1 to 25, by `pips`, which is 1 to 6.
    #[inline]
    pub(super) const fn known(from: Place, pips: u8) -> Self {
        match NonZeroU8::new(from << 3 | pips) {
            Some(step) => Self(step),
            None => panic!("a step has pips"),
        }
    }

    /// The point the checker leaves, or [`BAR`].
    #[must_use]
    pub const fn from(self) -> Place {
        self.0.get() >> 3
    }

    /// How many pips it moves: the number on its die, even if a smaller one would have borne it off.
    #[must_use]
    pub const fn pips(self) -> u8 {
        self.0.get() & 7
    }

    /// The die it moves by.
    #[must_use]
    pub const fn die(self) -> Die {
        Die::ALL[(self.pips() - 1) as usize]
    }

    /// The point the checker reaches. [`OFF`] if it is borne off, however large the die.
    #[must_use]
    pub const fn to(self) -> Place {
        self.from().saturating_sub(self.pips())
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.from(), self.to())
    }
}

/// The steps of a play in order, at most four. Written as a list.
#[cfg_attr(
    doc,
    doc = r#"
```
use owlbox_engine::{Die, Step, Steps};

let list = [(8, Die::THREE), (6, Die::ONE)].map(|(from, die)| Step::new(from, die).unwrap());
let steps = Steps::new(&list).unwrap();
assert_eq!(format!("{steps:?}"), "[8/5, 6/5]");
```"#
)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<Step>", into = "Vec<Step>")
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PlaySteps, value_type = Vec<Step>))]
// A byte for each step, the last one lowest: the place times 8, plus the pips. A zero byte is no step.
pub struct Steps(u32);

impl TryFrom<Vec<Step>> for Steps {
    type Error = InvalidValue;
    fn try_from(steps: Vec<Step>) -> Result<Self, InvalidValue> {
        Self::new(&steps).ok_or(InvalidValue { what: "steps", allowed: "at most four" })
    }
}
impl From<Steps> for Vec<Step> {
    fn from(steps: Steps) -> Self {
        steps.iter().collect()
    }
}

impl Steps {
    /// No steps: the turn is lost (G8).
    pub const NONE: Self = Self(0);

    /// The steps in order; `None` if there are more than four.
    #[must_use]
    pub fn new(steps: &[Step]) -> Option<Self> {
        (steps.len() <= 4).then(|| steps.iter().fold(Self::NONE, |all, step| all.then(*step)))
    }

    /// Appends `step`, which must not be the fifth.
    #[inline(always)]
    pub(super) const fn then(self, step: Step) -> Self {
        debug_assert!(self.0 >> 24 == 0, "a play has four steps at most");
        Self(self.0 << 8 | step.0.get() as u32)
    }

    /// The steps in the order in which they are made.
    pub fn iter(self) -> impl Iterator<Item = Step> {
        self.0.to_be_bytes().into_iter().filter_map(|byte| NonZeroU8::new(byte).map(Step))
    }

    /// The number of steps, 0 to 4.
    #[must_use]
    pub const fn len(self) -> u32 {
        4 - self.0.leading_zeros() / 8
    }

    /// Whether there is no step: the turn is lost.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Debug for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A legal play and the position it leads to.
///
/// ```
/// use owlbox_engine::{LegalPlays, Play, Variant};
///
/// let start = Variant::Standard.start();
/// for Play { steps, result } in LegalPlays::new(start, "3-1".parse()?).results() {
///     assert_eq!(steps.len(), 2);
///     // The side that has played is now the other one.
///     assert_eq!(result.other().pips(), start.mover().pips() - 4);
/// }
/// # Ok::<(), owlbox_engine::InvalidValue>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// The steps, in an order in which they can be made.
    pub steps: Steps,
    /// The position afterwards, the other side being about to move.
    pub result: Position,
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    #[test]
    fn steps_are_written_in_order_and_read_only_where_they_can_be() {
        let text = r#"[{"from":25,"pips":6},{"from":13,"pips":1}]"#;
        let steps: Steps = serde_json::from_str(text).unwrap();
        assert_eq!(format!("{steps:?}"), "[25/19, 13/12]");
        assert_eq!(serde_json::to_string(&steps).unwrap(), text);
        assert_eq!(serde_json::from_str::<Steps>("[]").unwrap(), Steps::NONE);
        let step = r#"{"from":6,"pips":1}"#;
        for bad in [
            r#"[{"from":0,"pips":6}]"#.to_owned(),
            r#"[{"from":26,"pips":6}]"#.to_owned(),
            r#"[{"from":6,"pips":0}]"#.to_owned(),
            r#"[{"from":6,"pips":1,"to":5}]"#.to_owned(),
            format!("[{}]", [step; 5].join(",")),
        ] {
            assert!(serde_json::from_str::<Steps>(&bad).is_err(), "{bad}");
        }
    }
}
