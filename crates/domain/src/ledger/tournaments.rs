//! What a tournament posts.

use super::{CannotPost, Origin, PostingKind, Transaction, TransactionKind, Unit, post};
use crate::tournament::money::Transfer;
use crate::values::Currency;

/// What a tournament moves between players, its pool and the house: for every transfer two postings in `currency`.
/// `kind` is [`Transfer`](TransactionKind::Transfer), or what else made it so: a correction, a merge.
///
/// A stream posts once a version, so all that one act transfers belongs into one transaction. A stake at the place
/// does not matter: the amounts are what they are.
///
/// # Errors
/// [`CannotPost::Transfer`]: one of them is of nothing, or goes the wrong way.
pub fn transfers(
    place: Origin,
    kind: TransactionKind,
    currency: Currency,
    transfers: &[Transfer],
) -> Result<Transaction, CannotPost> {
    let mut postings = Vec::with_capacity(2 * transfers.len());
    for transfer in transfers {
        transfer.check()?;
        let Transfer { from, to, amount, what } = *transfer;
        post(&mut postings, (to, from), Unit::Money(currency), amount.0, PostingKind::Transfer(what));
    }
    Ok(Transaction::new(kind, place, None, postings)?)
}
