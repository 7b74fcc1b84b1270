//! One player leaves and is settled up with by named others, while everybody else plays on.
//!
//! The debts pass to those named: those who pay the leaver take over what the table owed the leaver, and
//! those who are paid take over what the leaver owed. Scores stay as they are (`chouette.md` E17).

use crate::ledger::settle_up::{Balances, NotZero, check};
use owlbox_base::values::{Payment, PlayerId};

/// A player who pays the leaver, or whom the leaver pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    pub player: PlayerId,
    /// The amount; `None` for as much as makes either of the two even.
    pub amount: Option<i64>,
}

/// The payments to or from a leaver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidOff {
    /// In the order in which the others were named, without those who have nothing to give or get.
    pub payments: Vec<Payment>,
    /// The leaver's balance after them: zero, or of the same sign as before.
    pub left: i64,
}

/// Why a leaver cannot be paid off in this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotPayOff {
    /// The balances are not a closed circle.
    #[error(transparent)]
    NotZero(#[from] NotZero),
    /// A player has no balance among those given.
    #[error("the player {0} has no balance here")]
    Unknown(PlayerId),
    #[error("a player who leaves cannot pay themselves")]
    Themselves,
    #[error("the player {0} is named twice")]
    NamedTwice(PlayerId),
    #[error("the player who leaves owes nothing and is owed nothing")]
    Even,
    /// An amount is zero or negative.
    #[error("an amount has to be above zero, not {amount}")]
    NotPositive { player: PlayerId, amount: i64 },
    /// An amount exceeds what is still open.
    #[error("{amount} is more than the {open} that is still open")]
    TooMuch {
        player: PlayerId,
        amount: i64,
        /// What the leaver still owes or is owed, after the players named before.
        open: i64,
    },
}

/// The payments that make `leaver` even, by the named players in their order. Each gives or gets the chosen
/// amount; without one, as much as makes either of the two even, which is nothing if both are owed or both
/// owe. The total is never more than the leaver is owed, or owes.
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
            return Err(CannotPayOff::Themselves);
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

/// The amount that `named`, whose balance is `own`, gives or gets while the leaver's balance is `left`.
fn amount_of(named: Named, left: i64, own: i64) -> Result<i64, CannotPayOff> {
    // `i64::MIN` has no positive counterpart: it saturates to one less, which no single payment exceeds.
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
