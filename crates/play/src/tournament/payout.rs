//! How a pool is divided into prizes.
//!
//! A schedule gives each prize its share of the pool, in whole parts. Amounts are whole minor units, rounded
//! down to the payout unit. The first prize takes the remainder, so the prizes add up to the pool exactly.
//! Entries that share a place share the prizes of the places they cover, and the odd unit goes to the one
//! named first.

use serde::{Deserialize, Serialize};

/// What a prize is awarded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Prize {
    /// Winning the event. In a double elimination that is the grand final.
    Winner,
    /// Second place in the event: as a rule the losing finalist.
    Finalist,
    /// Places 3 and 4 of the event: as a rule the losing semi-finalists. There are two such prizes.
    SemiFinalist,
    /// First place in the consolation.
    ConsolationWinner,
    /// Second place in the consolation.
    ConsolationFinalist,
    /// First place in a last chance.
    LastChanceWinner,
}

/// A prize and its share of the pool. The share is its parts out of all parts of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = PrizeShare))]
pub struct Share {
    pub prize: Prize,
    /// The number of parts. A prize with two winners is listed twice.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 1000))]
    pub parts: u16,
}

/// How a pool is paid out: 1 to 64 shares. The first takes what rounding leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "Vec<Share>", into = "Vec<Share>")]
pub struct Schedule(Vec<Share>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a payout schedule has 1 to 64 shares of 1 to 1000 parts")]
pub struct NoSchedule;

impl TryFrom<Vec<Share>> for Schedule {
    type Error = NoSchedule;
    fn try_from(shares: Vec<Share>) -> Result<Self, NoSchedule> {
        let in_parts = shares.iter().all(|share| (1..=1_000).contains(&share.parts));
        if (1..=64).contains(&shares.len()) && in_parts { Ok(Self(shares)) } else { Err(NoSchedule) }
    }
}

impl From<Schedule> for Vec<Share> {
    fn from(schedule: Schedule) -> Self {
        schedule.0
    }
}

impl Schedule {
    fn new(shares: &[(Prize, u16)]) -> Self {
        Self(shares.iter().map(|&(prize, parts)| Share { prize, parts }).collect())
    }

    /// The customary schedule: up to 16 entrants a half, a quarter and a quarter; above that, twelfths.
    #[must_use]
    pub fn usual(entrants: u32) -> Self {
        if entrants <= 16 { Self::small() } else { Self::twelfths() }
    }

    /// 50, 25 and 25 per cent: winner, finalist, consolation.
    #[must_use]
    pub fn small() -> Self {
        Self::new(&[(Prize::Winner, 50), (Prize::Finalist, 25), (Prize::ConsolationWinner, 25)])
    }

    #[must_use]
    pub fn winner_takes_all() -> Self {
        Self::new(&[(Prize::Winner, 1)])
    }

    /// Twelfths, 4 2 2 1 1 1 1: winner, finalist, consolation winner, two semi-finalists, consolation
    /// finalist, last chance.
    #[must_use]
    pub fn twelfths() -> Self {
        Self::new(&[
            (Prize::Winner, 4),
            (Prize::Finalist, 2),
            (Prize::ConsolationWinner, 2),
            (Prize::SemiFinalist, 1),
            (Prize::SemiFinalist, 1),
            (Prize::ConsolationFinalist, 1),
            (Prize::LastChanceWinner, 1),
        ])
    }

    /// 40, 25, 25 and 10 per cent: winner, finalist, consolation winner, consolation finalist.
    #[must_use]
    pub fn four() -> Self {
        Self::new(&[
            (Prize::Winner, 40),
            (Prize::Finalist, 25),
            (Prize::ConsolationWinner, 25),
            (Prize::ConsolationFinalist, 10),
        ])
    }

    /// 50, 25, 12.5 and 12.5 per cent, the last two to the losing semi-finalists.
    #[must_use]
    pub fn knock_out() -> Self {
        Self::new(&[
            (Prize::Winner, 4),
            (Prize::Finalist, 2),
            (Prize::SemiFinalist, 1),
            (Prize::SemiFinalist, 1),
        ])
    }

    #[must_use]
    pub fn shares(&self) -> &[Share] {
        &self.0
    }

    /// The total number of parts.
    #[must_use]
    pub fn parts(&self) -> u32 {
        self.0.iter().map(|share| u32::from(share.parts)).sum()
    }

    /// The amounts of the shares, in schedule order, for a pool in minor units. All but the first are
    /// multiples of `unit`; together they add up to the pool.
    #[must_use]
    pub fn amounts(&self, pool: u64, unit: u64) -> Vec<u64> {
        let unit = unit.max(1);
        let parts = u128::from(self.parts().max(1));
        let of = |share: &Share| {
            let exact = u128::from(pool) * u128::from(share.parts) / parts;
            u64::try_from(exact).unwrap_or(pool) / unit * unit
        };
        let mut amounts: Vec<u64> = self.0.iter().map(of).collect();
        let paid: u64 = amounts.iter().sum();
        if let Some(first) = amounts.first_mut() {
            *first += pool - paid;
        }
        amounts
    }
}

/// What each of `sharing` players gets of a sum, in multiples of `unit`. The first takes the remainder.
#[must_use]
pub fn shared(sum: u64, sharing: usize, unit: u64) -> Vec<u64> {
    let Some(among) = u64::try_from(sharing).ok().filter(|&among| among > 0) else { return Vec::new() };
    let each = sum / among / unit.max(1) * unit.max(1);
    let mut parts = vec![each; sharing];
    if let Some(first) = parts.first_mut() {
        *first += sum - each * among;
    }
    parts
}

/// What the house keeps of an amount, rounded down. A basis point is a hundredth of a per cent; more than
/// 10,000 count as 10,000.
#[must_use]
pub fn kept(of: u64, basis_points: u16) -> u64 {
    u64::try_from(u128::from(of) * u128::from(basis_points.min(10_000)) / 10_000).unwrap_or(of)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Proves T19.
    #[test]
    fn the_usual_schedules_pay_what_the_page_says() {
        assert_eq!(Schedule::usual(16).amounts(10_000, 100), [5_000, 2_500, 2_500]);
        assert_eq!(
            Schedule::usual(17).amounts(120_000, 100),
            [40_000, 20_000, 20_000, 10_000, 10_000, 10_000, 10_000]
        );
        assert_eq!(Schedule::four().amounts(100_000, 100), [40_000, 25_000, 25_000, 10_000]);
        assert_eq!(Schedule::knock_out().amounts(8_000, 100), [4_000, 2_000, 1_000, 1_000]);
        // In whole euros, with the remainder for the first.
        assert_eq!(Schedule::small().amounts(9_050, 100), [4_650, 2_200, 2_200]);
    }

    #[test]
    fn a_place_shared_is_shared_evenly_and_exactly() {
        assert_eq!(shared(300, 2, 1), [150, 150]);
        assert_eq!(shared(100, 3, 1), [34, 33, 33]);
        assert_eq!(shared(100, 0, 1), Vec::<u64>::new());
        assert_eq!(kept(999, 1_000), 99);
    }

    proptest! {
        /// Proves T19.
        #[test]
        fn prizes_sum_to_the_pool(pool in 0..=u64::MAX / 2, unit in 0..10_000_u64, parts in prop::collection::vec(1..=1_000_u16, 1..=64)) {
            let shares: Vec<Share> = parts.iter().map(|&parts| Share { prize: Prize::Winner, parts }).collect();
            let amounts = Schedule::try_from(shares).unwrap().amounts(pool, unit);
            prop_assert_eq!(amounts.iter().map(|&amount| u128::from(amount)).sum::<u128>(), u128::from(pool));
            prop_assert!(amounts[1..].iter().all(|amount| amount % unit.max(1) == 0));
        }

        #[test]
        fn who_share_get_all_of_it(sum in 0..1_000_000_000_u64, sharing in 1..100_usize, unit in 1..1_000_u64) {
            prop_assert_eq!(shared(sum, sharing, unit).iter().sum::<u64>(), sum);
        }
    }
}
