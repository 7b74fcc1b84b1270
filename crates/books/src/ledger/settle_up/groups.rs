//! Splits balances into the largest number of groups that each add up to zero.
//!
//! Remove the players one after another: whenever the remaining ones add up to zero, a group is complete. The
//! best over all orders depends on subsets only: `most[subset]` is the best of `most[subset without one
//! player]`, plus one if the subset itself adds up to zero. That is 2^n steps of n look-ups each.
//!
//! The last player is never removed, because the last group adds up to zero anyway; that halves the table. It
//! has one byte per subset, half a megabyte for 20 players. Sums need no table: counting the subset index up
//! by one changes the sum by one of n numbers. Most look-ups are done for a whole block of subsets at once,
//! which the compiler turns into a few vector instructions.

/// Splits the places of `amounts` into the largest number of groups that each add up to zero. The amounts
/// must add up to zero themselves, and none may be zero.
pub(super) fn most_groups(amounts: &[i64]) -> Vec<Vec<usize>> {
    let Some((_, others)) = amounts.split_last() else { return Vec::new() };
    let most = most_groups_of_subsets(others);
    let mut subset = most.len() - 1;
    let mut sum: i128 = others.iter().copied().map(i128::from).sum();
    let (mut groups, mut group) = (Vec::new(), vec![others.len()]);
    while subset != 0 {
        let closes = u8::from(sum == 0);
        if closes == 1 {
            groups.push(std::mem::take(&mut group));
        }
        let best = most[subset] - closes;
        let Some(gone) = members(subset).find(|place| most[subset ^ (1 << place)] == best) else { break };
        subset ^= 1 << gone;
        sum -= i128::from(others[gone]);
        group.push(gone);
    }
    groups.push(group);
    groups
}

/// The number of players by whom the subsets of one block differ.
const IN_A_BLOCK: usize = 8;

/// For every subset, given by the bits of its index, the most times that the remaining players add up to zero
/// while they are removed one by one. The empty subset does not count.
fn most_groups_of_subsets(amounts: &[i64]) -> Vec<u8> {
    let steps = steps(amounts);
    let mut most = vec![0_u8; 1 << amounts.len()];
    let block_len = most.len().min(1 << IN_A_BLOCK);
    let mut sum = 0;
    for block in 0..most.len() / block_len {
        let (before, from_here) = most.split_at_mut(block * block_len);
        let here = &mut from_here[..block_len];
        for place in members(block) {
            take_better(here, &before[(block ^ (1 << place)) * block_len..]);
        }
        // So far no subset of the block is worse than one with fewer of the block's players, so until one
        // adds up to zero there is nothing to look up.
        let mut zero_found = false;
        for subset in 0..block_len {
            if zero_found {
                here[subset] =
                    members(subset).fold(here[subset], |best, place| best.max(here[subset ^ (1 << place)]));
            }
            let whole = block * block_len + subset;
            if whole != 0 {
                sum += steps[whole.trailing_zeros() as usize];
                here[subset] += u8::from(sum == 0);
                zero_found |= sum == 0;
            }
        }
    }
    most
}

/// Takes the better of the two, subset by subset.
fn take_better(here: &mut [u8], other: &[u8]) {
    for (best, other) in here.iter_mut().zip(other) {
        *best = (*best).max(*other);
    }
}

/// The change to a subset's sum when its index counts up by one, by the bit that becomes 1 (all lower bits
/// become 0).
fn steps(amounts: &[i64]) -> Vec<i128> {
    let mut below = 0;
    let mut steps = Vec::with_capacity(amounts.len());
    for amount in amounts.iter().copied().map(i128::from) {
        steps.push(amount - below);
        below += amount;
    }
    steps
}

/// The places whose bits are set, lowest first.
fn members(mut subset: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = subset.trailing_zeros() as usize;
        (subset != 0).then(|| {
            subset &= subset - 1;
            place
        })
    })
}
