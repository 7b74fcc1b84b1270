//! Seeded randomness, for making up nights and for the table's own dice.

use owlbox_base::journal::Chance;

/// A SplitMix64 generator: small, and the same on every machine.
#[derive(Clone)]
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
    pub fn number(&mut self, below: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(below.max(1)).unwrap()).unwrap()
    }
    /// True one time in `many`.
    pub fn one_in(&mut self, many: usize) -> bool {
        self.number(many) == 0
    }
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.number(from.len())].clone()
    }
    /// One of the elements, if there are any.
    pub fn one_of<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| self.pick(from))
    }
    pub fn some_of<T: Clone>(&mut self, from: &[T]) -> Vec<T> {
        let mut some = from.to_vec();
        some.retain(|_| self.one_in(2));
        some
    }
    pub fn shuffled<T: Clone>(&mut self, from: &[T]) -> Vec<T> {
        let mut all = from.to_vec();
        for last in (1..all.len()).rev() {
            let other = self.number(last + 1);
            all.swap(last, other);
        }
        all
    }
}
impl Chance for Dice {
    fn below(&mut self, sides: u32) -> u32 {
        u32::try_from(self.next() % u64::from(sides)).unwrap()
    }
}
