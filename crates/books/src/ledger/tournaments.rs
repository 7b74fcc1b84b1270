//! The transactions of a tournament.

use super::{CannotPost, PostingKind, PostingOrigin, Transaction, TransactionKind, Unit, post};
use owlbox_base::values::Currency;
use owlbox_play::tournament::money::Transfer;

/// A transaction of what a tournament moves between players, its pool and the house: for every transfer two
/// postings in `currency`. `kind` is [`Transfer`](TransactionKind::Transfer), or what else caused it: a
/// correction or a merge.
///
/// A stream posts at most once per version, so everything that one act transfers must go into one
/// transaction. The stake of `place` is ignored: the amounts are already money.
///
/// # Errors
/// [`CannotPost::Transfer`]: an amount is zero or negative, or a transfer goes the wrong way.
pub fn transfers(
    place: PostingOrigin,
    kind: TransactionKind,
    currency: Currency,
    transfers: &[Transfer],
) -> Result<Transaction, CannotPost> {
    let mut postings = Vec::with_capacity(2 * transfers.len());
    for transfer in transfers {
        transfer.check()?;
        let Transfer { from, to, amount, what } = *transfer;
        post(&mut postings, to, from, Unit::Money(currency), amount.0, PostingKind::Transfer(what));
    }
    Ok(Transaction::new(kind, place, None, postings)?)
}
