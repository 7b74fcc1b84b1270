//! Who hands what to whom: the fewest payments that settle everything, and one leaver paid off.
//!
//! Settling everybody is a question about groups. A group of `k` players whose balances add up to zero
//! is settled by `k - 1` payments, each of which leaves one of the two even and the last both; and the
//! players whom some set of payments connects are such a group, which no fewer can connect. So the
//! fewest payments for `n` open balances are `n` minus the most groups they can be parted into
//! (`groups`). Finding these is as hard as it gets (`n` = 20 takes a table of 2^19), so that beyond
//! [`EXACT_UP_TO`] players a good answer stands in for the best, and says so.
//!
//! Two who cancel out are always a group of their own in some best answer: swap the two with whomever
//! they were grouped, and the rest of the two groups adds up to zero as well. They are set aside first,
//! and do not count towards the limit.
//!
//! Amounts are signed numbers of one unit, minor units of one currency or half points; which, the
//! caller knows. Nothing here overflows, whatever the amounts: sums are taken in 128 bits, and a payment
//! is never larger than either balance.

mod groups;
mod leaver;
mod tables;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::values::{Payment, PlayerId};

pub use leaver::{CannotPayOff, Named, PaidOff, pay_off};
pub use tables::share_out;

/// How everybody stands, in one unit: above zero is owed, below zero owes.
pub type Balances = BTreeMap<PlayerId, i64>;

/// So many players whose balances are open and do not cancel out in pairs are settled with provably the
/// fewest payments; more perhaps not.
pub const EXACT_UP_TO: usize = 20;

/// The payments that settle everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettlingUp {
    /// Largest first; equal ones by payer, then payee.
    pub payments: Vec<Payment>,
    /// Whether it is proven that no fewer would do.
    pub exact: bool,
}

/// Balances that are not those of a closed circle: what one is owed, another owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the balances add up to {sum}, not to zero")]
pub struct NotZero {
    pub sum: i128,
}

/// The fewest payments that leave nobody owing anything, as far as that can be found ([`EXACT_UP_TO`]).
/// Only who owes pays, and only who is owed is paid. The same balances give the same answer always.
///
/// # Errors
/// [`NotZero`].
pub fn settle_up(balances: &Balances) -> Result<SettlingUp, NotZero> {
    check(balances)?;
    let mut open = Open::new(balances);
    open.pay_pairs();
    let fewest = open.fewest_possible();
    let exact = open.left.len() <= EXACT_UP_TO;
    if !exact {
        open.pay_triples();
        open.pay_largest_down_to(EXACT_UP_TO);
    }
    open.pay_groups();
    let mut payments = open.payments;
    let exact = exact || payments.len() <= fewest;
    payments.sort_unstable_by_key(|payment| (Reverse(payment.amount), payment.payer, payment.payee));
    Ok(SettlingUp { payments, exact })
}

/// That the balances add up to zero.
fn check(balances: &Balances) -> Result<(), NotZero> {
    match balances.values().map(|amount| i128::from(*amount)).sum() {
        0 => Ok(()),
        sum => Err(NotZero { sum }),
    }
}

/// A balance; the order is by amount: who owes most comes first, who is owed most last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Balance {
    amount: i64,
    player: PlayerId,
}

/// What is still to be settled, and the payments so far.
struct Open {
    /// Balances other than zero, in order.
    left: Vec<Balance>,
    payments: Vec<Payment>,
}

impl Open {
    fn new(balances: &Balances) -> Self {
        let mut left: Vec<Balance> = balances
            .iter()
            .filter(|(_, amount)| **amount != 0)
            .map(|(player, amount)| Balance { amount: *amount, player: *player })
            .collect();
        left.sort_unstable();
        Self { left, payments: Vec::new() }
    }

    /// No set of payments is smaller, once nobody cancels out with another: each who owes pays once at
    /// least, each who is owed is paid, and there are no groups of fewer than three.
    fn fewest_possible(&self) -> usize {
        let owing = self.left.iter().filter(|balance| balance.amount < 0).count();
        let owed = self.left.len() - owing;
        self.payments.len() + owing.max(owed).max(self.left.len() - self.left.len() / 3)
    }

    /// Settles whoever cancels out with another.
    fn pay_pairs(&mut self) {
        let (mut low, mut high) = (0, self.left.len());
        while low + 1 < high {
            let (owing, owed) = (self.left[low].amount, self.left[high - 1].amount);
            // Of one sign the two may add up beyond 64 bits.
            match i128::from(owing) + i128::from(owed) {
                0 => {
                    self.settle(&[low, high - 1]);
                    high -= 2;
                }
                ..0 => low += 1,
                _ => high -= 1,
            }
        }
    }

    /// Settles threes who add up to zero, as they are found.
    fn pay_triples(&mut self) {
        let mut first = 0;
        while first + 2 < self.left.len() {
            match self.triple_from(first) {
                Some(three) => self.settle(&three),
                None => first += 1,
            }
        }
    }

    /// Two more behind `first` with whom it adds up to zero.
    fn triple_from(&self, first: usize) -> Option<[usize; 3]> {
        let amount = |place: usize| i128::from(self.left[place].amount);
        let (mut low, mut high) = (first + 1, self.left.len() - 1);
        while low < high {
            match amount(first) + amount(low) + amount(high) {
                0 => return Some([first, low, high]),
                ..0 => low += 1,
                _ => high -= 1,
            }
        }
        None
    }

    /// Has who owes most pay who is owed most, and whoever then cancels out, until so few are left.
    fn pay_largest_down_to(&mut self, few: usize) {
        while self.left.len() > few
            && let Some(mut owed) = self.left.pop()
        {
            let mut owing = self.left.remove(0);
            self.pay(&mut owing, &mut owed);
            for rest in [owing, owed].into_iter().filter(|rest| rest.amount != 0) {
                let place = self.left.partition_point(|other| *other < rest);
                self.left.insert(place, rest);
            }
            self.pay_pairs();
        }
    }

    /// Settles all that is left, in as many groups as there can be.
    fn pay_groups(&mut self) {
        let amounts: Vec<i64> = self.left.iter().map(|balance| balance.amount).collect();
        let left = std::mem::take(&mut self.left);
        for mut group in groups::most_groups(&amounts) {
            group.sort_unstable();
            self.pay_group(group.into_iter().map(|place| left[place]).collect());
        }
    }

    /// Settles those at these places, in ascending order, who add up to zero.
    fn settle(&mut self, places: &[usize]) {
        let group = places.iter().map(|place| self.left[*place]).collect();
        for place in places.iter().rev() {
            self.left.remove(*place);
        }
        self.pay_group(group);
    }

    /// Who owes most pays who is owed most, until all of the group are even: after every payment one of
    /// the two is, after the last both, so that `k` players take `k - 1` payments.
    fn pay_group(&mut self, mut group: Vec<Balance>) {
        while let [owing, .., owed] = group.as_mut_slice() {
            self.pay(owing, owed);
            group.retain(|balance| balance.amount != 0);
            group.sort_unstable();
        }
    }

    /// As much as the one owes and the other is owed.
    fn pay(&mut self, owing: &mut Balance, owed: &mut Balance) {
        // The one debt that has no positive counterpart is beyond whatever can be owed anyway.
        let amount = owed.amount.min(owing.amount.saturating_neg());
        owing.amount += amount;
        owed.amount -= amount;
        self.payments.push(Payment { payer: owing.player, payee: owed.player, amount });
    }
}
