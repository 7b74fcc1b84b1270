//! The payments of a whole night, shared out to the books of its tables.
//!
//! The fewest payments of a night ignore tables: a winner at one table may be paid by somebody from another
//! whom they never met there. But the books are kept table by table, and every table must come out even. So a
//! payment goes into the books of the tables at which its payer owes and its payee is owed. Whatever is still
//! open at a table after that was passed on: A, who owes C at one table, hands it to B, whom C owes at
//! another. In the books it stands as it is owed, from A to C and from C to B. Over all tables everybody has
//! paid and been paid exactly what passed through their hands.

use std::collections::BTreeMap;

use super::{Balances, NotZero, settle_up};
use owlbox_base::values::{Payment, PlayerId};

/// Shares `payments`, which settle the sum of `tables`, out to the tables: for each, the payments that its
/// books record, so that it comes out even.
///
/// # Errors
/// The balances of a table do not add up to zero.
pub fn share_out(tables: &[Balances], payments: &[Payment]) -> Result<Vec<Vec<Payment>>, NotZero> {
    let mut left: Vec<Payment> = payments.to_vec();
    tables
        .iter()
        .map(|balances| {
            let mut open = balances.clone();
            let mut paid = handed_there(&mut open, &mut left);
            for rest in settle_up(&open)?.payments {
                *paid.entry((rest.payer, rest.payee)).or_default() += rest.amount;
            }
            let payment = |((payer, payee), amount)| Payment { payer, payee, amount };
            Ok(paid.into_iter().map(payment).collect())
        })
        .collect()
}

/// The part of the remaining payments that the payer owes and the payee is owed at this table. Taken off both
/// `open` and `left`.
fn handed_there(open: &mut Balances, left: &mut [Payment]) -> BTreeMap<(PlayerId, PlayerId), i64> {
    let mut paid = BTreeMap::new();
    for payment in left {
        let stands = |player: &PlayerId| open.get(player).copied().unwrap_or_default();
        let owes = stands(&payment.payer).saturating_neg();
        let amount = payment.amount.min(owes).min(stands(&payment.payee));
        if amount > 0 {
            *paid.entry((payment.payer, payment.payee)).or_default() += amount;
            *open.entry(payment.payer).or_default() += amount;
            *open.entry(payment.payee).or_default() -= amount;
            payment.amount -= amount;
        }
    }
    paid
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn player(number: u128) -> PlayerId {
        PlayerId(Uuid::from_u128(number))
    }

    fn balances(of: &[(u128, i64)]) -> Balances {
        of.iter().map(|(number, amount)| (player(*number), *amount)).collect()
    }

    fn payment(payer: u128, payee: u128, amount: i64) -> Payment {
        Payment { payer: player(payer), payee: player(payee), amount }
    }

    /// The balances of several tables, added up.
    fn sum(tables: &[Balances]) -> Balances {
        let mut all = Balances::new();
        for (player, amount) in tables.iter().flatten() {
            *all.entry(*player).or_default() += amount;
        }
        all
    }

    #[test]
    fn one_table_pays_what_its_sheet_says() {
        let table = balances(&[(1, -6_000), (2, -2_400), (3, 8_400)]);
        let fewest = settle_up(&table).unwrap().payments;
        assert_eq!(share_out(&[table], &fewest), Ok(vec![fewest]));
    }

    /// Proves S6.
    #[test]
    fn what_was_handed_on_stands_where_it_is_owed() {
        // 1 owes 3 at one table, and 3 owes 2 at the other: 1 hands it to 2.
        let tables = [balances(&[(1, -1_000), (3, 1_000)]), balances(&[(3, -1_000), (2, 1_000)])];
        let fewest = settle_up(&sum(&tables)).unwrap().payments;
        assert_eq!(fewest, [payment(1, 2, 1_000)]);
        let shares = share_out(&tables, &fewest).unwrap();
        assert_eq!(shares, [vec![payment(1, 3, 1_000)], vec![payment(3, 2, 1_000)]]);
    }

    /// Proves S6.
    #[test]
    fn a_payment_is_parted_among_the_tables_at_which_it_is_owed() {
        let tables = [balances(&[(1, -700), (2, 700)]), balances(&[(1, -300), (2, 300)])];
        let fewest = settle_up(&sum(&tables)).unwrap().payments;
        assert_eq!(fewest, [payment(1, 2, 1_000)]);
        let shares = share_out(&tables, &fewest).unwrap();
        assert_eq!(shares, [vec![payment(1, 2, 700)], vec![payment(1, 2, 300)]]);
        // A player who won as much at one table as they lost at the other hands over nothing, and both are
        // even.
        let there_and_back = [balances(&[(1, -700), (2, 700)]), balances(&[(1, 700), (2, -700)])];
        let shares = share_out(&there_and_back, &[]).unwrap();
        assert_eq!(shares, [vec![payment(1, 2, 700)], vec![payment(2, 1, 700)]]);
    }

    /// A table of some of nine players, with balances that add up to zero.
    fn a_table() -> impl Strategy<Value = Balances> {
        prop::collection::btree_map(0_u128..9, -50_i64..50, 1..7).prop_map(|debts| {
            let mut table: Balances = debts.into_iter().map(|(one, amount)| (player(one), amount)).collect();
            let over: i64 = table.values().sum();
            *table.entry(player(3)).or_default() -= over;
            table
        })
    }

    proptest! {
        /// Proves S6.
        #[test]
        fn every_table_comes_out_even_and_everybody_paid_what_went_through_their_hands(
            tables in prop::collection::vec(a_table(), 0..6)
        ) {
            let fewest = settle_up(&sum(&tables)).unwrap().payments;
            let shares = share_out(&tables, &fewest).unwrap();
            let mut through: Balances = Balances::new();
            for (table, share) in tables.iter().zip(&shares) {
                let mut open = table.clone();
                for paid in share {
                    prop_assert!(paid.amount > 0 && paid.payer != paid.payee);
                    prop_assert!(table.contains_key(&paid.payer) && table.contains_key(&paid.payee));
                    *open.entry(paid.payer).or_default() += paid.amount;
                    *open.entry(paid.payee).or_default() -= paid.amount;
                    *through.entry(paid.payer).or_default() -= paid.amount;
                    *through.entry(paid.payee).or_default() += paid.amount;
                }
                prop_assert!(open.values().all(|amount| *amount == 0), "{open:?}");
                let mut pairs: Vec<_> = share.iter().map(|paid| (paid.payer, paid.payee)).collect();
                pairs.dedup();
                prop_assert_eq!(pairs.len(), share.len());
            }
            for paid in &fewest {
                *through.entry(paid.payer).or_default() += paid.amount;
                *through.entry(paid.payee).or_default() -= paid.amount;
            }
            prop_assert!(through.values().all(|amount| *amount == 0), "{through:?}");
        }
    }
}
