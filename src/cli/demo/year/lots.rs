//! Chance in the year, from its seed.

use owlbox_base::journal::Chance as _;
use owlbox_desk::Dice;

/// Lots that a seed decides.
pub(super) struct Lots(Dice);

impl Lots {
    /// The lots of one `part` of the year, so that a change in one leaves the others alone.
    pub(super) fn of(seed: u64, part: u64) -> Self {
        Self(Dice::seeded(seed.wrapping_mul(16).wrapping_add(part)))
    }

    /// A number from 0, below `many`, which is at least 1.
    pub(super) fn below(&mut self, many: usize) -> usize {
        let sides = u32::try_from(many).unwrap_or(u32::MAX).max(1);
        usize::try_from(self.0.below(sides)).unwrap_or(0)
    }

    /// True once in so many times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these; `None` of none.
    pub(super) fn one<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        let place = self.below(of.len());
        of.get(place).copied()
    }

    /// So many of these at most, each once. Who is listed early comes more often, as a club's regulars do.
    pub(super) fn some<T: Copy>(&mut self, of: &[T], many: usize) -> Vec<T> {
        let (mut rest, mut drawn) = (of.to_vec(), Vec::new());
        while drawn.len() < many && !rest.is_empty() {
            let place = self.below(rest.len()).min(self.below(rest.len()));
            drawn.push(rest.remove(place));
        }
        drawn
    }

    /// An amount of money in whole units of 100 minor units, from one to `most`.
    pub(super) fn amount(&mut self, most: usize) -> i64 {
        i64::try_from(100 * (1 + self.below(most))).unwrap_or(100)
    }
}
