//! What is still owed to anybody when a tournament is to be closed: fees of entries that waited for a slot to the end, and prizes
//! that were not given. Closing gives the first back, and warns of the second.

use serde::Serialize;

use super::Tournament;
use super::bracket::EntryNo;
use super::command::WaitingEntry;
use super::division::Division;
use super::entry::{Entry, EntryStanding};
use super::payout::kept;
use super::room::DivisionNo;
use crate::values::PlayerId;

/// What closing leaves to be said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BeforeClosing {
    /// Who still waits for a slot and was charged for it: it is given back, unless it is kept with a reason.
    pub waiting: Vec<WaitingFees>,
    /// Divisions whose pools, or a part of them, nobody was given: only a warning.
    pub prizes_not_given: Vec<PrizesNotGiven>,
}

/// What an entry was charged that has waited for a slot to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WaitingFees {
    /// The division.
    pub division: DivisionNo,
    /// Which entry.
    pub entry: EntryNo,
    /// Who.
    pub player: PlayerId,
    /// The entry fee or re-entry, the registration and the stakes of side pools together, in minor units.
    pub fees: u64,
}

impl WaitingFees {
    /// Whether they are this entry's.
    #[must_use]
    pub fn is_of(&self, entry: WaitingEntry) -> bool {
        (self.division, self.entry) == (entry.division, entry.entry)
    }
}

/// What of a division's pools nobody was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PrizesNotGiven {
    /// The division.
    pub division: DivisionNo,
    /// How much, in minor units, of all its pools together and without what the house keeps. Below zero: more was given than there
    /// is, as after a fee was given back; `award` puts it right.
    pub amount: i64,
}

impl Tournament {
    /// What closing leaves to be said now.
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

    /// Who waits for a slot and was charged for it.
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
    /// What an entry was charged in all and has not been given back, in minor units.
    fn fees_of(&self, entry: &Entry) -> u64 {
        let stakes = (0..8).zip(&self.settings.side_pools).filter(|(side, _)| entry.is_in_pool(*side));
        let stakes: u64 = stakes.map(|(_, pool)| pool.stake.minor_units()).sum();
        entry.into_pool + entry.registration + stakes
    }

    /// Whether an entry has never had a slot, and nobody has said that what it was charged is kept.
    pub(super) fn waits_in_vain(&self, entry: &Entry) -> bool {
        let waits =
            entry.standing == EntryStanding::Waiting || (!self.is_drawn() && !entry.standing.is_out());
        waits && !entry.fees_kept
    }

    /// What is played for: the pools without what those were charged who still wait for a slot, and may have it back.
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

    /// What of the pools is due to players and was not given to any.
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
    /// What of it are fees, of which the house may keep a part.
    pub fees: u64,
    pub side_pools: Vec<u64>,
}

impl PlayedFor {
    /// What the house keeps at so many hundredths of a per cent of the fees.
    #[must_use]
    pub fn kept(&self, basis_points: u16) -> u64 {
        kept(self.fees, basis_points)
    }

    /// What players win, if the house keeps that much.
    #[must_use]
    pub fn for_players(&self, basis_points: u16) -> u64 {
        self.pool.saturating_sub(self.kept(basis_points)) + self.side_pools.iter().sum::<u64>()
    }
}
