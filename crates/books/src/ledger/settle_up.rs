//! Who pays whom: the fewest payments that settle everything, and paying off one player who leaves.
//!
//! Settling everybody is a question of groups. A group of `k` players whose balances add up to zero is
//! settled by `k - 1` payments: each leaves one of its two players even, and the last leaves both.
//! Conversely, the players whom a set of payments connects form such a group, and no fewer payments can
//! connect them. So the fewest payments for `n` open balances are `n` minus the most groups they can be split
//! into (`groups`). Finding that split is NP-hard (`n` = 20 takes a table of 2^19), so beyond [`EXACT_UP_TO`]
//! players a good answer stands in for the best, and says so.
//!
//! Two players who cancel out are a group of their own in some best answer: take them from their groups, and
//! the rest of the two groups adds up to zero as well. Such pairs are set aside first and do not count
//! towards the limit.
//!
//! Amounts are signed numbers of one unit, either minor units of one currency or half points; the caller
//! knows which. Nothing here overflows, whatever the amounts: sums are taken in 128 bits, and a payment is
//! never larger than either balance.

mod groups;
mod leaver;
mod tables;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use owlbox_base::values::{Payment, PlayerId};

pub use leaver::{CannotPayOff, Named, PaidOff, pay_off};
pub use tables::share_out;

/// Everybody's balance, in one unit: a player above zero is owed, a player below zero owes.
pub type Balances = BTreeMap<PlayerId, i64>;

/// Up to this many players, not counting those who are even or cancel out in pairs, are settled with provably
/// the fewest payments. Beyond it the answer may not be the best.
pub const EXACT_UP_TO: usize = 20;

/// The payments that settle everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettlingUp {
    /// Largest first; equal ones by payer, then payee.
    pub payments: Vec<Payment>,
    /// Whether it is proven that fewer payments would not do.
    pub exact: bool,
}

/// The balances are not those of a closed circle, in which what one is owed another owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the balances add up to {sum}, not to zero")]
pub struct NotZero {
    pub sum: i128,
}

/// The fewest payments that leave nobody owing anything, as far as they can be found ([`EXACT_UP_TO`]). Only
/// players who owe pay, and only players who are owed are paid. The result is deterministic.
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

/// Checks that the balances add up to zero.
fn check(balances: &Balances) -> Result<(), NotZero> {
    match balances.values().map(|amount| i128::from(*amount)).sum() {
        0 => Ok(()),
        sum => Err(NotZero { sum }),
    }
}

/// A player's balance. Ordered by amount: those who owe most come first, those who are owed most last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Balance {
    amount: i64,
    player: PlayerId,
}

/// The balances still to be settled, and the payments so far.
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

    /// A lower bound on the number of payments once all pairs are settled: each player who owes pays at least
    /// once, each who is owed is paid at least once, and no group has fewer than three players.
    fn fewest_possible(&self) -> usize {
        let owing = self.left.iter().filter(|balance| balance.amount < 0).count();
        let owed = self.left.len() - owing;
        self.payments.len() + owing.max(owed).max(self.left.len() - self.left.len() / 3)
    }

    /// Settles every two players who cancel out.
    fn pay_pairs(&mut self) {
        let (mut low, mut high) = (0, self.left.len());
        while low + 1 < high {
            let (owing, owed) = (self.left[low].amount, self.left[high - 1].amount);
            // Two balances of the same sign may add up beyond 64 bits.
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

    /// Settles every three players who add up to zero, as they are found.
    fn pay_triples(&mut self) {
        let mut first = 0;
        while first + 2 < self.left.len() {
            match self.triple_from(first) {
                Some(three) => self.settle(&three),
                None => first += 1,
            }
        }
    }

    /// Finds two more players after `first` with whom it adds up to zero.
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

    /// While more than `few` are left, has the player who owes most pay the one who is owed most, then
    /// settles any pairs that now cancel out.
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

    /// Settles everybody left, in as many groups as possible.
    fn pay_groups(&mut self) {
        let amounts: Vec<i64> = self.left.iter().map(|balance| balance.amount).collect();
        let left = std::mem::take(&mut self.left);
        for mut group in groups::most_groups(&amounts) {
            group.sort_unstable();
            self.pay_group(group.into_iter().map(|place| left[place]).collect());
        }
    }

    /// Settles the players at these places, in ascending order, whose balances add up to zero.
    fn settle(&mut self, places: &[usize]) {
        let group = places.iter().map(|place| self.left[*place]).collect();
        for place in places.iter().rev() {
            self.left.remove(*place);
        }
        self.pay_group(group);
    }

    /// The player who owes most pays the one who is owed most, until the whole group is even. Every payment
    /// leaves one of the two even, and the last both, so `k` players take `k - 1` payments.
    fn pay_group(&mut self, mut group: Vec<Balance>) {
        while let [owing, .., owed] = group.as_mut_slice() {
            self.pay(owing, owed);
            group.retain(|balance| balance.amount != 0);
            group.sort_unstable();
        }
    }

    /// Pays as much as the one owes and the other is owed.
    fn pay(&mut self, owing: &mut Balance, owed: &mut Balance) {
        // `i64::MIN` has no positive counterpart; no balance in `owed` exceeds `i64::MAX` anyway.
        let amount = owed.amount.min(owing.amount.saturating_neg());
        owing.amount += amount;
        owed.amount -= amount;
        self.payments.push(Payment { payer: owing.player, payee: owed.player, amount });
    }
}
