//! What is still owed to anybody when a tournament is about to close: the fees of entries that never got a
//! slot, and prizes not yet awarded. Closing refunds the fees; prizes are only a warning.

use serde::Serialize;

use super::Tournament;
use super::bracket::EntryNo;
use super::command::WaitingEntry;
use super::division::Division;
use super::entry::{Entry, EntryStanding};
use super::payout::kept;
use super::room::DivisionNo;
use owlbox_base::values::PlayerId;

/// What to point out to the director before closing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BeforeClosing {
    /// Entries that still wait for a slot and were charged. Closing refunds them, unless they are kept with a
    /// reason.
    pub waiting: Vec<WaitingFees>,
    /// Divisions whose pools were not awarded, or only in part. This is only a warning.
    pub prizes_not_given: Vec<PrizesNotGiven>,
}

/// What an entry was charged that is still waiting for a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WaitingFees {
    pub division: DivisionNo,
    pub entry: EntryNo,
    pub player: PlayerId,
    /// The entry or re-entry fee, the registration fee and the side-pool stakes together, in minor units.
    pub fees: u64,
}

impl WaitingFees {
    /// Whether these are the fees of this entry.
    #[must_use]
    pub fn is_of(&self, entry: WaitingEntry) -> bool {
        (self.division, self.entry) == (entry.division, entry.entry)
    }
}

/// The part of a division's pools that nobody was awarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PrizesNotGiven {
    pub division: DivisionNo,
    /// The amount in minor units, over all its pools and without what the house keeps. Negative if more was
    /// awarded than there is, for instance after a refund; awarding again puts it right.
    pub amount: i64,
}

impl Tournament {
    /// What to point out to the director if the tournament were closed now.
    #[must_use]
    pub fn before_closing(&self) -> BeforeClosing {
        let missing = |(division, of): (DivisionNo, &Division)| {
            let amount = of.not_given();
            (amount != 0).then_some(PrizesNotGiven { division, amount })
        };
        BeforeClosing {
            waiting: self.waiting_with_fees(),
            prizes_not_given: self.divisions().filter_map(missing).collect(),
        }
    }

    /// The entries that wait for a slot and were charged something.
    #[must_use]
    pub fn waiting_with_fees(&self) -> Vec<WaitingFees> {
        let of = |(division, of): (DivisionNo, &Division)| {
            let waiting = of.entries().filter(|(_, waits)| of.waits_in_vain(waits)).map(|(entry, waits)| {
                let fees = of.fees_of(waits);
                WaitingFees { division, entry, player: waits.player, fees }
            });
            waiting.filter(|waiting| waiting.fees > 0).collect::<Vec<_>>()
        };
        self.divisions().flat_map(of).collect()
    }
}

impl Division {
    /// What an entry was charged in all, less refunds, in minor units.
    fn fees_of(&self, entry: &Entry) -> u64 {
        entry.into_pool + entry.registration + self.stakes_of(entry)
    }

    /// What an entry has in the side pools, in minor units. An entry that was refunded has nothing there.
    pub(super) fn stakes_of(&self, entry: &Entry) -> u64 {
        let stakes = self.settings.numbered_pools().filter(|(side, _)| entry.is_in_pool(*side));
        let stakes: u64 = stakes.map(|(_, pool)| pool.stake.minor_units()).sum();
        if entry.refunded { 0 } else { stakes }
    }

    /// What is in the pool and the side pools, in minor units.
    pub(super) fn in_the_pools(&self) -> u64 {
        self.pool + self.side_pools.iter().sum::<u64>()
    }

    /// The entries that get back what they were charged if the tournament is cancelled: all of them, or,
    /// where the pools were awarded, those that never got a slot.
    pub(super) fn gets_back(&self) -> impl Iterator<Item = (EntryNo, &Entry)> {
        self.entries().filter(move |(_, entry)| self.awards.is_none() || self.waits_in_vain(entry))
    }

    /// Whether an entry waits for a slot, and its fees have not been kept. In a division that was never
    /// drawn, every entry that has not left waits.
    pub(super) fn waits_in_vain(&self, entry: &Entry) -> bool {
        let waits =
            entry.standing == EntryStanding::Waiting || (!self.is_drawn() && !entry.standing.is_out());
        waits && !entry.fees_kept
    }

    /// What is played for: the pools without the fees of entries that still wait, since those may be
    /// refunded. Before the draw nobody has a slot, so nothing is taken off.
    #[must_use]
    pub fn played_for(&self) -> PlayedFor {
        let mut money = PlayedFor { pool: self.pool, fees: self.fees, side_pools: self.side_pools.clone() };
        if !self.is_drawn() {
            return money;
        }
        for (_, waits) in self.entries().filter(|(_, entry)| self.waits_in_vain(entry)) {
            money.pool = money.pool.saturating_sub(waits.into_pool);
            money.fees = money.fees.saturating_sub(waits.into_pool);
            let pools = (0..8).zip(money.side_pools.iter_mut().zip(&self.settings.side_pools));
            for (_, (sum, pool)) in pools.filter(|(side, _)| waits.is_in_pool(*side)) {
                *sum = sum.saturating_sub(pool.stake.minor_units());
            }
        }
        money
    }

    /// What players are due but have not been awarded, in minor units; negative if too much was awarded.
    fn not_given(&self) -> i64 {
        let due = self.played_for().for_players(self.settings.kept);
        let given: u64 = self.awards.iter().flat_map(|awards| &awards.awards).map(|award| award.amount).sum();
        i64::try_from(due).unwrap_or(i64::MAX).saturating_sub(i64::try_from(given).unwrap_or(i64::MAX))
    }
}

/// What a division plays for, in minor units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedFor {
    pub pool: u64,
    /// The part of the pool that comes from fees. The house may keep a share of it, but not of added money.
    pub fees: u64,
    pub side_pools: Vec<u64>,
}

impl PlayedFor {
    /// What the house keeps of the fees. A basis point is a hundredth of a per cent.
    #[must_use]
    pub fn kept(&self, basis_points: u16) -> u64 {
        kept(self.fees, basis_points)
    }

    /// What the players win in all when the house keeps that share of the fees.
    #[must_use]
    pub fn for_players(&self, basis_points: u16) -> u64 {
        self.pool.saturating_sub(self.kept(basis_points)) + self.side_pools.iter().sum::<u64>()
    }
}
