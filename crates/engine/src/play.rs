//! A play: what one does with a roll.

use std::fmt;
use std::num::NonZeroU8;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::dice::Die;
use super::position::{BAR, OFF, Place, Position};
use crate::InvalidValue;

/// One checker moved by one die. Written as `{"from": 24, "pips": 6}`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "WrittenStep", into = "WrittenStep")]
#[schema(value_type = WrittenStep)]
pub struct Step(NonZeroU8);

/// A step as it travels.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct WrittenStep {
    /// From where, as the mover counts: a point from 1 to 24, or 25 for the bar.
    #[schema(minimum = 1, maximum = 25, example = 24)]
    from: u8,
    /// By which die.
    pips: Die,
}

impl TryFrom<WrittenStep> for Step {
    type Error = InvalidValue;
    fn try_from(written: WrittenStep) -> Result<Self, InvalidValue> {
        let step = Self::new(written.from, written.pips);
        step.ok_or(InvalidValue { what: "from", allowed: "a point from 1 to 24, or 25 for the bar" })
    }
}
impl From<Step> for WrittenStep {
    fn from(step: Step) -> Self {
        Self { from: step.from(), pips: step.die() }
    }
}

impl Step {
    /// The checker at `from` moved by `die`. `None` if `from` is no place a checker moves from.
    #[must_use]
    pub const fn new(from: Place, die: Die) -> Option<Self> {
        if from > OFF && from <= BAR { Some(Self::known(from, die.pips())) } else { None }
    }

    /// The checker at `from`, which is 1 to 25, moved by `pips`, which are 1 to 6.
    #[inline]
    pub(super) const fn known(from: Place, pips: u8) -> Self {
        match NonZeroU8::new(from << 3 | pips) {
            Some(step) => Self(step),
            None => panic!("a step has pips"),
        }
    }

    /// From where.
    #[must_use]
    pub const fn from(self) -> Place {
        self.0.get() >> 3
    }

    /// By which die.
    #[must_use]
    pub const fn pips(self) -> u8 {
        self.0.get() & 7
    }

    /// The same as a die.
    const fn die(self) -> Die {
        Die::ALL[(self.pips() - 1) as usize]
    }

    /// To where; `OFF` however large the die.
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

/// The steps of a play in order, at most four: a byte each, the last one lowest. Written as a list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Vec<Step>", into = "Vec<Step>")]
#[schema(as = PlaySteps, value_type = Vec<Step>)]
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
    /// No step: the turn is lost.
    pub const NONE: Self = Self(0);

    /// The steps in order; `None` if there are more than four.
    #[must_use]
    pub fn new(steps: &[Step]) -> Option<Self> {
        (steps.len() <= 4).then(|| steps.iter().fold(Self::NONE, |all, step| all.then(*step)))
    }

    /// These, and then `step`. There are at most three.
    #[inline(always)]
    pub(super) const fn then(self, step: Step) -> Self {
        debug_assert!(self.0 >> 24 == 0, "a play has four steps at most");
        Self(self.0 << 8 | step.0.get() as u32)
    }

    /// The steps in order.
    pub fn iter(self) -> impl Iterator<Item = Step> {
        self.0.to_be_bytes().into_iter().filter_map(|byte| NonZeroU8::new(byte).map(Step))
    }

    /// How many.
    #[must_use]
    pub const fn len(self) -> u32 {
        4 - self.0.leading_zeros() / 8
    }

    /// Whether the turn is lost.
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

/// A legal play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// What is done, in an order in which it can be done.
    pub steps: Steps,
    /// What comes of it, the other side being about to move.
    pub result: Position,
}

#[cfg(test)]
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
