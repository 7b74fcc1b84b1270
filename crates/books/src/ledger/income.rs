//! What a tournament brought the house and paid its players, added up by purpose from the postings of its
//! transfers.

use serde::Serialize;

use owlbox_base::values::HolderKind;
use owlbox_play::tournament::money::TransferKind;

/// The sums of one kind of posting of a tournament in one currency, from one account to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The kind of account they were posted to.
    pub holder: HolderKind,
    pub counterparty: HolderKind,
    pub kind: TransferKind,
    /// Signed, in minor units: above zero if the account gained. What was undone is in it with both signs.
    pub amount: i64,
}

/// What a tournament took and gave in one currency, in minor units. What was undone does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = TournamentSums))]
pub struct Income {
    /// Entry fees charged, those of players who entered again included.
    pub entry_fees: i64,
    /// Stakes charged for side pools.
    pub side_pools: i64,
    /// Registration fees charged, which are the house's.
    pub registration: i64,
    /// Fees and stakes paid back.
    pub refunds: i64,
    /// What the house added to the prizes.
    pub added: i64,
    /// What there is to win: entry fees, side pools and what was added, less what the pools paid back.
    pub prize_pool: i64,
    /// Prizes given.
    pub prizes: i64,
    /// The house's share of the pools.
    pub kept: i64,
    /// What is left to the house: registration fees and its share, less what it added and paid back.
    pub house: i64,
    /// What is still in the pools.
    pub in_pools: i64,
    /// Cash taken from players.
    pub paid_in: i64,
    /// Cash handed to players.
    pub paid_out: i64,
}

impl Income {
    /// Counts postings. Those to players are the other side of what is counted already.
    pub const fn count(&mut self, moved: Moved) {
        let Moved { holder, counterparty, kind, amount } = moved;
        match holder {
            HolderKind::Player
            | HolderKind::Bank
            | HolderKind::Opening
            | HolderKind::Rounding
            | HolderKind::Outside => {}
            HolderKind::Pool => self.count_in_pool(counterparty, kind, amount),
            HolderKind::House => self.count_at_house(kind, amount),
        }
    }

    const fn count_in_pool(&mut self, counterparty: HolderKind, kind: TransferKind, amount: i64) {
        self.in_pools += amount;
        match kind {
            TransferKind::EntryFee | TransferKind::ReEntry => self.entry_fees += amount,
            TransferKind::SidePool => self.side_pools += amount,
            TransferKind::Added => self.added += amount,
            TransferKind::Refund => self.refunds -= amount,
            TransferKind::Prize => self.prizes -= amount,
            TransferKind::Kept => self.kept -= amount,
            // A correction gives back what was given before.
            TransferKind::Returned => match counterparty {
                HolderKind::House => self.kept -= amount,
                HolderKind::Player
                | HolderKind::Pool
                | HolderKind::Bank
                | HolderKind::Opening
                | HolderKind::Rounding
                | HolderKind::Outside => self.prizes -= amount,
            },
            TransferKind::Registration | TransferKind::PaidIn | TransferKind::PaidOut => {}
        }
        self.prize_pool = self.in_pools + self.prizes + self.kept;
    }

    const fn count_at_house(&mut self, kind: TransferKind, amount: i64) {
        match kind {
            TransferKind::Registration => {
                self.registration += amount;
                self.house += amount;
            }
            TransferKind::Refund => {
                self.refunds -= amount;
                self.house += amount;
            }
            TransferKind::Added | TransferKind::Kept | TransferKind::Returned => self.house += amount,
            // Cash only settles what was charged and won.
            TransferKind::PaidIn => self.paid_in -= amount,
            TransferKind::PaidOut => self.paid_out += amount,
            TransferKind::EntryFee | TransferKind::ReEntry | TransferKind::SidePool | TransferKind::Prize => {
            }
        }
    }

    /// Adds the sums of another tournament in the same currency.
    pub const fn add(&mut self, other: &Self) {
        let Self {
            entry_fees,
            side_pools,
            registration,
            refunds,
            added,
            prize_pool,
            prizes,
            kept,
            house,
            in_pools,
            paid_in,
            paid_out,
        } = other;
        self.entry_fees += *entry_fees;
        self.side_pools += *side_pools;
        self.registration += *registration;
        self.refunds += *refunds;
        self.added += *added;
        self.prize_pool += *prize_pool;
        self.prizes += *prizes;
        self.kept += *kept;
        self.house += *house;
        self.in_pools += *in_pools;
        self.paid_in += *paid_in;
        self.paid_out += *paid_out;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use HolderKind::{House, Player, Pool};

    /// Both postings of each transfer: from, to, purpose, amount; a negative amount is an undone transfer.
    fn income(transfers: &[(HolderKind, HolderKind, TransferKind, i64)]) -> Income {
        let mut income = Income::default();
        for &(from, to, kind, amount) in transfers {
            income.count(Moved { holder: from, counterparty: to, kind, amount: -amount });
            income.count(Moved { holder: to, counterparty: from, kind, amount });
        }
        income
    }

    #[test]
    fn every_purpose_is_counted_once() {
        let whole = income(&[
            (Player, Pool, TransferKind::EntryFee, 8000),
            (Player, Pool, TransferKind::ReEntry, 1000),
            (Player, Pool, TransferKind::SidePool, 2000),
            (Player, House, TransferKind::Registration, 900),
            (House, Pool, TransferKind::Added, 500),
            (Pool, Player, TransferKind::Refund, 1000),
            (House, Player, TransferKind::Refund, 100),
            (Pool, House, TransferKind::Kept, 700),
            (Pool, Player, TransferKind::Prize, 9000),
            (Player, Pool, TransferKind::Returned, 400),
            (House, Pool, TransferKind::Returned, 50),
            (House, Player, TransferKind::PaidIn, 10_000),
            (Player, House, TransferKind::PaidOut, 8000),
        ]);
        assert_eq!(
            whole,
            Income {
                entry_fees: 9000,
                side_pools: 2000,
                registration: 900,
                refunds: 1100,
                added: 500,
                prize_pool: 10_500,
                prizes: 8600,
                kept: 650,
                house: 900 - 100 + 650 - 500,
                in_pools: 10_500 - 8600 - 650,
                paid_in: 10_000,
                paid_out: 8000,
            }
        );
    }

    #[test]
    fn what_was_undone_does_not_count() {
        for kind in TransferKind::ALL.iter().copied() {
            for (from, to) in
                [(Player, Pool), (Player, House), (Pool, House), (Pool, Player), (House, Player)]
            {
                let undone = income(&[(from, to, kind, 300), (from, to, kind, -300)]);
                assert_eq!(undone, Income::default(), "{kind:?}");
            }
        }
    }

    #[test]
    fn sums_of_tournaments_add_up() {
        let one =
            income(&[(Player, Pool, TransferKind::EntryFee, 300), (Pool, House, TransferKind::Kept, 30)]);
        let mut both = one;
        both.add(&one);
        assert_eq!((both.entry_fees, both.house, both.in_pools), (600, 60, 540));
    }
}
