//! Settling up between twenty players, the largest number for which the fewest payments are proven, beside
//! two other searches, which take turns with it: the textbook's, and a single look at the sum of every
//! subset, which is a lower bound for any search through subsets.

use std::hint::black_box;

use owlbox_base::values::PlayerId;
use owlbox_books::ledger::settle_up::{Balances, settle_up};
use uuid::Uuid;

use super::{medians, times};

pub fn measure() {
    for (name, amounts) in [("two groups", two_groups()), ("groups everywhere", groups_everywhere())] {
        let balances = balances(&amounts);
        let fewest = settle_up(&balances).unwrap();
        assert!(fewest.exact);
        assert_eq!(fewest.payments.len(), amounts.len() - most_groups_by_the_book(&amounts));
        let [ours, book, limit] = medians([
            &mut || _ = black_box(settle_up(black_box(&balances))),
            &mut || _ = black_box(most_groups_by_the_book(black_box(&amounts))),
            &mut || _ = black_box(zero_sums(black_box(&amounts))),
        ]);
        println!(
            "20 players, {name}, {} payments: {ours:.2?}; by the book {book:.2?}: {:.1} times  (gate 10); \
             every sum once {limit:.2?}: {:.1} times  (gate 6)",
            fewest.payments.len(),
            times(book, ours),
            times(ours, limit),
        );
    }
}

fn balances(amounts: &[i64]) -> Balances {
    (1..).map(|number| PlayerId(Uuid::from_u128(number))).zip(amounts.iter().copied()).collect()
}

/// Two groups that only one choice of ten players makes.
fn two_groups() -> Vec<i64> {
    let group = |unit: i64| (0..9).map(move |place| unit << place).chain([-unit * 511]);
    group(1).chain(group(1_000_003)).collect()
}

/// Any two creditors and three debtors make a group.
fn groups_everywhere() -> Vec<i64> {
    [vec![3; 8], vec![-2; 12]].concat()
}

/// The most groups that add up to zero, by the textbook: for every subset the best of those with one player
/// fewer.
fn most_groups_by_the_book(amounts: &[i64]) -> usize {
    let subsets = 1_usize << amounts.len();
    let (mut sums, mut most) = (vec![0_i64; subsets], vec![0_u8; subsets]);
    for subset in 1..subsets {
        let first = subset.trailing_zeros() as usize;
        sums[subset] = sums[subset & (subset - 1)] + amounts[first];
        for (place, _) in amounts.iter().enumerate().filter(|(place, _)| subset & (1 << place) != 0) {
            most[subset] = most[subset].max(most[subset ^ (1 << place)]);
        }
        most[subset] += u8::from(sums[subset] == 0);
    }
    most[subsets - 1].into()
}

/// The number of subsets, of all but the last amount, that add up to zero.
fn zero_sums(amounts: &[i64]) -> usize {
    let mut steps: Vec<i64> = Vec::new();
    let mut below = 0;
    for amount in &amounts[..amounts.len() - 1] {
        steps.push(amount - below);
        below += amount;
    }
    let mut sum = 0;
    (1_usize..1 << steps.len())
        .filter(|subset| {
            sum += steps[subset.trailing_zeros() as usize];
            sum == 0
        })
        .count()
}
