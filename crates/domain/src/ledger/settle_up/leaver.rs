//! One player leaves and is made even by named others, while everybody else plays on.
//!
//! The debts go over to those named: who pays a leaver takes over what the table owed the leaver, who
//! is paid takes over what the leaver owed. Scores stay as they are (`chouette.md` E17).

use crate::ledger::settle_up::{Balances, NotZero, check};
use crate::values::{Payment, PlayerId};

/// One who pays the leaver, or is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    pub player: PlayerId,
    /// How much; without it, as much as makes one of the two even.
    pub amount: Option<i64>,
}

/// What a leaver is paid, or pays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidOff {
    /// In the order the others were named; who has nothing to give or to get is not among them.
    pub payments: Vec<Payment>,
    /// How the leaver stands after them; it has the sign of before, or is zero.
    pub left: i64,
}

/// Why a leaver cannot be paid off so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotPayOff {
    /// The balances are no closed circle.
    #[error(transparent)]
    NotZero(#[from] NotZero),
    /// Somebody has no balance among those given.
    #[error("{0:?} has no balance here")]
    Unknown(PlayerId),
    #[error("who leaves cannot pay himself")]
    Himself,
    #[error("{0:?} is named twice")]
    NamedTwice(PlayerId),
    #[error("who leaves owes nothing and is owed nothing")]
    Even,
    /// An amount is not above zero.
    #[error("an amount has to be above zero, not {amount}")]
    NotPositive { player: PlayerId, amount: i64 },
    /// An amount is beyond what is still open.
    #[error("{amount} is more than the {open} that is still open")]
    TooMuch {
        player: PlayerId,
        amount: i64,
        /// What the leaver still owes or is owed after those named before.
        open: i64,
    },
}

/// The payments that make `leaver` even, by those named and in their order. Each gives or gets the amount
/// chosen; without one, as much as makes either of the two even, which is nothing if both are owed or
/// both owe. Never more than the leaver is owed, or owes.
///
/// # Errors
/// [`CannotPayOff`].
pub fn pay_off(balances: &Balances, leaver: PlayerId, named: &[Named]) -> Result<PaidOff, CannotPayOff> {
    check(balances)?;
    let mut left = balance(balances, leaver)?;
    if left == 0 {
        return Err(CannotPayOff::Even);
    }
    let is_owed = left > 0;
    let mut payments = Vec::new();
    for (place, other) in named.iter().enumerate() {
        let own = balance(balances, other.player)?;
        if other.player == leaver {
            return Err(CannotPayOff::Himself);
        }
        if named[..place].iter().any(|before| before.player == other.player) {
            return Err(CannotPayOff::NamedTwice(other.player));
        }
        let amount = amount_of(*other, left, own)?;
        if amount == 0 {
            continue;
        }
        let (payer, payee) = if is_owed { (other.player, leaver) } else { (leaver, other.player) };
        left = if is_owed { left - amount } else { left + amount };
        payments.push(Payment { payer, payee, amount });
    }
    Ok(PaidOff { payments, left })
}

fn balance(balances: &Balances, player: PlayerId) -> Result<i64, CannotPayOff> {
    balances.get(&player).copied().ok_or(CannotPayOff::Unknown(player))
}

/// What `named`, who stands at `own`, gives or gets while the leaver stands at `left`.
fn amount_of(named: Named, left: i64, own: i64) -> Result<i64, CannotPayOff> {
    // The lowest number has no counterpart: one less is owed then, which no single payment exceeds.
    let open = left.saturating_abs();
    let player = named.player;
    match named.amount {
        Some(amount) if amount <= 0 => Err(CannotPayOff::NotPositive { player, amount }),
        Some(amount) if amount > open => Err(CannotPayOff::TooMuch { player, amount, open }),
        Some(amount) => Ok(amount),
        None if (left > 0) == (own > 0) => Ok(0),
        None => Ok(open.min(own.saturating_abs())),
    }
}
