use std::collections::{HashSet, VecDeque};
use std::time::Instant;

use proptest::prelude::*;
use rstest::rstest;
use uuid::Uuid;

use super::*;

fn player(number: usize) -> PlayerId {
    PlayerId(Uuid::from_u128(number as u128))
}

/// Balances where player 1 has the first amount, player 2 the second and so on.
fn balances(amounts: &[i64]) -> Balances {
    amounts.iter().enumerate().map(|(place, amount)| (player(place + 1), *amount)).collect()
}

fn payment((payer, payee, amount): (usize, usize, i64)) -> Payment {
    Payment { payer: player(payer), payee: player(payee), amount }
}

/// The amounts, plus one more that makes the sum zero.
fn closed(mut amounts: Vec<i64>) -> Vec<i64> {
    amounts.push(-amounts.iter().sum::<i64>());
    amounts
}

/// Asserts that the payments are positive, go from players who owe to players who are owed, leave everybody
/// even, and are in order.
fn assert_settles(amounts: &[i64], settling: &SettlingUp) {
    let before = balances(amounts);
    let mut after: BTreeMap<PlayerId, i128> =
        before.iter().map(|(player, amount)| (*player, i128::from(*amount))).collect();
    for payment in &settling.payments {
        assert!(payment.amount > 0, "{payment:?}");
        assert!(before[&payment.payer] < 0 && before[&payment.payee] > 0, "{payment:?} of {amounts:?}");
        *after.get_mut(&payment.payer).unwrap() += i128::from(payment.amount);
        *after.get_mut(&payment.payee).unwrap() -= i128::from(payment.amount);
    }
    assert!(after.values().all(|amount| *amount == 0), "{amounts:?} leave {after:?}");
    assert!(settling.payments.is_sorted_by_key(|p| (Reverse(p.amount), p.payer, p.payee)));
    let open = amounts.iter().filter(|amount| **amount != 0).count();
    assert!(settling.payments.len() <= open.saturating_sub(1));
}

fn settle(amounts: &[i64]) -> SettlingUp {
    let settling = settle_up(&balances(amounts)).unwrap();
    assert_settles(amounts, &settling);
    settling
}

/// The most zero-sum groups over all partitions of the set: each player joins a group or starts one.
fn most_groups_of_all_partitions(amounts: &[i64], groups: &mut Vec<i128>) -> usize {
    let Some((amount, rest)) = amounts.split_first() else {
        return if groups.iter().all(|sum| *sum == 0) { groups.len() } else { 0 };
    };
    let amount = i128::from(*amount);
    groups.push(amount);
    let mut most = most_groups_of_all_partitions(rest, groups);
    groups.pop();
    for place in 0..groups.len() {
        groups[place] += amount;
        most = most.max(most_groups_of_all_partitions(rest, groups));
        groups[place] -= amount;
    }
    most
}

fn fewest_by_partitions(amounts: &[i64]) -> usize {
    let open: Vec<i64> = amounts.iter().copied().filter(|amount| *amount != 0).collect();
    open.len() - most_groups_of_all_partitions(&open, &mut Vec::new())
}

/// Computes `most_groups` naively, subset by subset with every sum at hand, for sets too large to try all
/// partitions.
fn fewest_by_subsets(amounts: &[i64]) -> usize {
    let amounts: Vec<i64> = amounts.iter().copied().filter(|amount| *amount != 0).collect();
    let mut most = vec![0; 1 << amounts.len()];
    for subset in 1..most.len() {
        let members = (0..amounts.len()).filter(|place| subset >> place & 1 == 1);
        let sum: i64 = members.clone().map(|place| amounts[place]).sum();
        most[subset] =
            members.map(|place| most[subset ^ (1 << place)]).max().unwrap() + usize::from(sum == 0);
    }
    amounts.len() - most[most.len() - 1]
}

/// The fewest payments of any kind, roundabout ones included, found by breadth-first search.
fn fewest_by_trying(amounts: &[i64]) -> usize {
    let most = amounts.iter().filter(|amount| **amount > 0).sum::<i64>();
    let mut seen = HashSet::from([amounts.to_vec()]);
    let mut queue = VecDeque::from([(amounts.to_vec(), 0)]);
    while let Some((state, payments)) = queue.pop_front() {
        if state.iter().all(|amount| *amount == 0) {
            return payments;
        }
        for payer in 0..state.len() {
            for payee in (0..state.len()).filter(|payee| *payee != payer) {
                for amount in 1..=most {
                    let mut next = state.clone();
                    next[payer] += amount;
                    next[payee] -= amount;
                    if seen.insert(next.clone()) {
                        queue.push_back((next, payments + 1));
                    }
                }
            }
        }
    }
    unreachable!("n - 1 payments always do")
}

/// Proves S3.
#[rstest]
#[case::nobody(&[], &[])]
#[case::all_even(&[0, 0, 0], &[])]
#[case::two(&[-5, 5], &[(1, 2, 5)])]
#[case::one_is_owed_by_all(&[12, -4, -4, -4], &[(2, 1, 4), (3, 1, 4), (4, 1, 4)])]
#[case::e17_at_the_end(&[0, 0, -6_000, -2_400, 8_400], &[(3, 5, 6_000), (4, 5, 2_400)])]
// A greedy algorithm has 6 pay 5 first, and then needs five payments.
#[case::two_threes(&[6, 5, -3, -3, -4, -1], &[(5, 2, 4), (3, 1, 3), (4, 1, 3), (6, 2, 1)])]
#[case::pairs_first(&[7, 3, -7, -3], &[(3, 1, 7), (4, 2, 3)])]
#[case::equal_ones_by_player(&[-2, 2, -2, 2], &[(1, 4, 2), (3, 2, 2)])]
fn settled_with_the_fewest_payments(#[case] amounts: &[i64], #[case] expected: &[(usize, usize, i64)]) {
    let settling = settle(amounts);
    assert_eq!(settling.payments, expected.iter().copied().map(payment).collect::<Vec<_>>());
    assert!(settling.exact);
}

/// Proves S4.
#[test]
fn balances_that_do_not_add_up_are_refused() {
    assert_eq!(settle_up(&balances(&[5, -4])), Err(NotZero { sum: 1 }));
    let wraps_in_64_bits = [i64::MAX, i64::MAX, 2];
    let sum = 2 * i128::from(i64::MAX) + 2;
    assert_eq!(settle_up(&balances(&wraps_in_64_bits)), Err(NotZero { sum }));
}

#[test]
fn amounts_at_the_ends_of_the_range_are_settled() {
    let (least, most) = (i64::MIN, i64::MAX);
    assert_eq!(settle(&[least, most, 1]).payments, [payment((1, 2, most)), payment((1, 3, 1))]);
    assert_eq!(settle(&[most, most, -most, -most]).payments.len(), 2);
    // In 64 bits the four largest would wrap to -4 and, together with the 4, cancel out.
    let amounts = [most, most, most, most, 4, least, least, least + 1, least + 1, -2];
    assert_eq!(settle(&amounts).payments.len(), fewest_by_partitions(&amounts));
}

/// Proves S1.
#[test]
fn the_fewest_groups_need_the_fewest_payments_of_any_kind() {
    // The order makes no difference, as `the_order_of_the_players` says.
    for first in -3_i64..=3 {
        for second in first..=3 {
            for third in second..=3 {
                let amounts = closed(vec![first, second, third]);
                assert_eq!(settle(&amounts).payments.len(), fewest_by_trying(&amounts), "{amounts:?}");
            }
        }
    }
}

proptest! {
    /// Proves S1.
    #[test]
    fn as_few_as_every_partition_allows(amounts in prop::collection::vec(-12_i64..=12, 0..9)) {
        let amounts = closed(amounts);
        let settling = settle(&amounts);
        prop_assert!(settling.exact);
        prop_assert_eq!(settling.payments.len(), fewest_by_partitions(&amounts));
    }

    /// Proves S1.
    #[test]
    fn as_few_as_every_subset_allows(amounts in prop::collection::vec(-9_i64..=30, 9..13)) {
        let amounts = closed(amounts);
        let settling = settle(&amounts);
        prop_assert!(settling.exact);
        prop_assert_eq!(settling.payments.len(), fewest_by_subsets(&amounts));
    }

    #[test]
    fn groups_hidden_in_large_amounts_are_found(
        groups in prop::collection::vec(prop::collection::vec(-1_000_000_i64..1_000_000, 1..4), 1..6),
    ) {
        let groups: Vec<Vec<i64>> = groups.into_iter().map(closed).collect();
        let at_most: usize = groups.iter().map(|group| group.len() - 1).sum();
        // Interleaved, so that no group sits together.
        let dealt: Vec<i64> =
            (0..4).flat_map(|place| groups.iter().filter_map(move |group| group.get(place))).copied().collect();
        let settling = settle(&dealt);
        prop_assert!(settling.exact);
        prop_assert!(settling.payments.len() <= at_most);
    }
}

proptest! {
    // Each takes a hundred times as long as one of the others.
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 8, ..ProptestConfig::default() })]

    /// Proves S2, S3.
    #[test]
    fn a_large_club_is_settled_too(amounts in prop::collection::vec(-2_000_i64..=2_000, 20..150)) {
        let amounts = closed(amounts);
        let settling = settle(&amounts);
        let mut open = Open::new(&balances(&amounts));
        open.pay_pairs();
        prop_assert!(settling.payments.len() >= open.fewest_possible());
        prop_assert!(!settling.exact || open.left.len() <= EXACT_UP_TO
            || settling.payments.len() == open.fewest_possible());
    }
}

proptest! {
    /// Proves S5.
    #[test]
    fn a_leaver_never_gets_or_gives_more_than_is_open(
        amounts in prop::collection::vec(-50_i64..=50, 2..8),
        leaver in 1_usize..=8,
        named in prop::collection::vec((1_usize..=9, prop::option::of(-1_i64..60)), 0..5),
    ) {
        let balances = balances(&closed(amounts));
        let named: Vec<Named> =
            named.into_iter().map(|(number, amount)| Named { player: player(number), amount }).collect();
        if let Ok(paid_off) = pay_off(&balances, player(leaver), &named) {
            let before = balances[&player(leaver)];
            let paid: i64 = paid_off.payments.iter().map(|payment| payment.amount).sum();
            prop_assert_eq!(paid + paid_off.left.abs(), before.abs());
            prop_assert!(paid_off.left == 0 || paid_off.left.signum() == before.signum());
            prop_assert!(paid_off.payments.iter().all(|payment| payment.amount > 0));
        }
    }
}

#[test]
fn the_order_of_the_players_makes_no_difference_to_how_many() {
    let amounts = [17, -5, -12, 40, -8, -32, 3, -1, -2, 9, -9];
    let fewest = settle(&amounts).payments.len();
    assert_eq!(fewest, 7);
    for turn in 0..amounts.len() {
        let mut turned = amounts;
        turned.rotate_left(turn);
        assert_eq!(settle(&turned).payments.len(), fewest);
    }
}

/// Twenty amounts, no two of which cancel out, in two groups kept apart by powers of two.
fn twenty() -> Vec<i64> {
    let group = |unit: i64| {
        let ups: Vec<i64> = (0..9).map(|place| unit << place).collect();
        closed(ups)
    };
    [group(1), group(1_000_003)].concat()
}

#[test]
fn twenty_players_are_settled_exactly_and_soon() {
    let amounts = twenty();
    let began = Instant::now();
    let settling = settle(&amounts);
    let took = began.elapsed();
    assert!(settling.exact);
    assert_eq!(settling.payments.len(), 18);
    // A hundred times what it takes, so that a busy machine does not fail the test.
    assert!(took.as_secs() < 5, "{took:?}");
}

/// Proves S2.
#[test]
fn beyond_twenty_an_answer_that_cannot_be_beaten_is_exact_still() {
    // Ten groups of three: each is found, and thirty players without pairs need at least twenty payments.
    let threes: Vec<i64> = (0..10)
        .flat_map(|place| {
            let unit = 7_i64.pow(place);
            [unit, 2 * unit, -3 * unit]
        })
        .collect();
    let settling = settle(&threes);
    assert_eq!((settling.payments.len(), settling.exact), (20, true));

    // One player owes everybody, so everybody has to be paid.
    let bank = closed((1..60).collect());
    let settling = settle(&bank);
    assert_eq!((settling.payments.len(), settling.exact), (59, true));

    // Pairs do not count towards the limit.
    let many = [twenty(), (1..50).flat_map(|amount| [10_000 + amount, -10_000 - amount]).collect()].concat();
    let settling = settle(&many);
    assert_eq!((settling.payments.len(), settling.exact), (18 + 49, true));

    let thirty =
        closed((1..30).map(|place| place * 7_919 % 1_009 * if place % 2 == 0 { 1 } else { -1 }).collect());
    assert!(!settle(&thirty).exact);
}

fn named(number: usize, amount: Option<i64>) -> Named {
    Named { player: player(number), amount }
}

#[test]
fn e17_one_leaves_paid_off_by_another() {
    // In cents at three dollars a point: A +6, B -6, C -20, D -8, E +28.
    let mut debts = balances(&[1_800, -1_800, -6_000, -2_400, 8_400]);
    let paid_off = pay_off(&debts, player(1), &[named(2, None)]).unwrap();
    assert_eq!(paid_off, PaidOff { payments: vec![payment((2, 1, 1_800))], left: 0 });

    for payment in &paid_off.payments {
        *debts.get_mut(&payment.payer).unwrap() += payment.amount;
        *debts.get_mut(&payment.payee).unwrap() -= payment.amount;
    }
    assert_eq!(debts, balances(&[0, 0, -6_000, -2_400, 8_400]));
    let at_the_end = settle_up(&debts).unwrap();
    assert_eq!(at_the_end.payments, [payment((3, 5, 6_000)), payment((4, 5, 2_400))]);
}

/// Proves S5.
#[rstest]
#[case::in_the_order_named(&[20, -6, -20, 6], 1, &[(3, None), (2, None)], &[(3, 1, 20)], 0)]
#[case::each_as_much_as_he_owes(&[20, -6, -20, 6], 1, &[(2, None), (3, None)], &[(2, 1, 6), (3, 1, 14)], 0)]
#[case::the_amount_chosen(&[20, -6, -20, 6], 1, &[(2, Some(2)), (3, Some(3))], &[(2, 1, 2), (3, 1, 3)], 15)]
#[case::one_who_is_owed_takes_over(&[20, -6, -20, 6], 1, &[(4, Some(20))], &[(4, 1, 20)], 0)]
#[case::but_not_by_themselves(&[20, -6, -20, 6], 1, &[(4, None)], &[], 20)]
#[case::a_leaver_who_owes_pays(&[-20, 6, 20, -6], 1, &[(2, None), (3, None)], &[(1, 2, 6), (1, 3, 14)], 0)]
#[case::the_lowest_number_of_all(&[i64::MIN, i64::MAX, 1], 1, &[(2, None), (3, None)],
    &[(1, 2, i64::MAX), (1, 3, 1)], 0)]
fn a_leaver_is_paid_off_by_those_named(
    #[case] amounts: &[i64],
    #[case] leaver: usize,
    #[case] others: &[(usize, Option<i64>)],
    #[case] payments: &[(usize, usize, i64)],
    #[case] left: i64,
) {
    let others: Vec<Named> = others.iter().map(|(number, amount)| named(*number, *amount)).collect();
    let payments = payments.iter().copied().map(payment).collect();
    assert_eq!(pay_off(&balances(amounts), player(leaver), &others), Ok(PaidOff { payments, left }));
}

#[rstest]
#[case(9, named(2, None), CannotPayOff::Unknown(player(9)))]
#[case(1, named(9, None), CannotPayOff::Unknown(player(9)))]
#[case(1, named(1, None), CannotPayOff::Themselves)]
#[case(3, named(1, None), CannotPayOff::Even)]
#[case(1, named(2, Some(0)), CannotPayOff::NotPositive { player: player(2), amount: 0 })]
#[case(1, named(2, Some(7)), CannotPayOff::TooMuch { player: player(2), amount: 7, open: 6 })]
fn a_leaver_is_not_paid_off_so(#[case] leaver: usize, #[case] other: Named, #[case] why: CannotPayOff) {
    assert_eq!(pay_off(&balances(&[6, -6, 0]), player(leaver), &[other]), Err(why));
}

#[test]
fn nobody_pays_a_leaver_twice_and_not_out_of_nothing() {
    let twice = [named(2, Some(1)), named(2, Some(1))];
    let refused = pay_off(&balances(&[6, -6]), player(1), &twice);
    assert_eq!(refused, Err(CannotPayOff::NamedTwice(player(2))));
    let refused = pay_off(&balances(&[6, -5]), player(1), &[named(2, None)]);
    assert_eq!(refused, Err(CannotPayOff::NotZero(NotZero { sum: 1 })));
}
