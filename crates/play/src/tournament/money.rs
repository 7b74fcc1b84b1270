//! The money a tournament moves between accounts: entry fees, what the club adds and keeps, prizes, cash.
//!
//! A [`Transfer`] is an outcome recorded in an event. Every kind goes one way only ([`TransferKind::goes`]),
//! so that a mistake cannot take a prize out of a player's account. [`Transfer::check`] enforces this before
//! the books accept a transfer.
//!
//! | kind | from | to |
//! |---|---|---|
//! | `entry_fee`, `side_pool`, `re_entry` | player | pool |
//! | `registration` | player | house |
//! | `added` | house | pool |
//! | `kept` | pool | house |
//! | `prize` | pool | player |
//! | `paid_in` (cash taken from a player) | house | player |
//! | `paid_out` (cash handed to a player) | player | house |
//! | `refund` (of a fee) | pool or house | player |
//! | `refund` (of added money, when the tournament is cancelled) | pool | house |
//! | `returned` (a prize or the house's share, after a correction) | player or house | pool |

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use owlbox_base::values::{Holder, HolderKind, MinorUnits};

/// An amount moved between two accounts, in the currency of its tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Transfer {
    /// The account that is debited.
    pub from: Holder,
    /// The account that is credited.
    pub to: Holder,
    /// In minor units, above zero.
    pub amount: MinorUnits,
    pub what: TransferKind,
}

impl Transfer {
    /// Checks that the amount is positive and that the transfer goes the way of its kind.
    ///
    /// # Errors
    /// [`InvalidTransfer`].
    pub fn check(self) -> Result<(), InvalidTransfer> {
        if self.amount.0 <= 0 {
            return Err(InvalidTransfer::Nothing(self.what));
        }
        if !self.what.goes(self.from.kind(), self.to.kind()) {
            return Err(InvalidTransfer::WrongWay(self.what));
        }
        Ok(())
    }
}

/// The cash a tournament has taken and paid, in minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cash {
    /// Cash received from players in all.
    pub taken_in: i64,
    /// Cash paid out to players in all.
    pub handed_out: i64,
    /// Fees and stakes that players were charged in all, less those that were paid back.
    pub charged: i64,
}

impl Cash {
    /// What the cash box should hold, if it started empty.
    #[must_use]
    pub const fn in_the_box(self) -> i64 {
        self.taken_in.saturating_sub(self.handed_out)
    }
}

/// What a transfer is for.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum TransferKind {
    /// The fee to play for the prizes.
    EntryFee,
    /// The house's fee for running the tournament.
    Registration,
    /// The stake to play for a side pool.
    SidePool,
    /// The entry fee of a player who enters again.
    ReEntry,
    /// Money the house adds to the prizes.
    Added,
    /// What the house keeps of the fees.
    Kept,
    /// A prize, or a share of one.
    Prize,
    /// Cash received from a player. They owe that much less.
    PaidIn,
    /// Cash paid out to a player. The tournament owes them that much less.
    PaidOut,
    /// A fee or stake paid back, or added money given back to the house.
    Refund,
    /// A prize or the house's share, paid back after a correction.
    Returned,
}

impl TransferKind {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in JSON and in the books, which is the variant's. It cannot change.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Whether such a transfer may go from the one kind of holder to the other.
    #[must_use]
    pub const fn goes(self, from: HolderKind, to: HolderKind) -> bool {
        use HolderKind::{House, Player, Pool};
        match self {
            Self::EntryFee | Self::SidePool | Self::ReEntry => matches!((from, to), (Player, Pool)),
            Self::Registration | Self::PaidOut => matches!((from, to), (Player, House)),
            Self::Added => matches!((from, to), (House, Pool)),
            Self::Kept => matches!((from, to), (Pool, House)),
            Self::Prize => matches!((from, to), (Pool, Player)),
            Self::PaidIn => matches!((from, to), (House, Player)),
            Self::Refund => matches!((from, to), (Pool | House, Player) | (Pool, House)),
            Self::Returned => matches!((from, to), (Player | House, Pool)),
        }
    }
}

/// Why a transfer is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTransfer {
    /// The amount is zero or negative.
    #[error("{} needs an amount", .0.name())]
    Nothing(TransferKind),
    /// This kind of transfer does not go between these holders.
    #[error("{} cannot go in this direction", .0.name())]
    WrongWay(TransferKind),
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use owlbox_base::values::{PlayerId, TournamentId};

    const HOLDERS: [Holder; 3] =
        [Holder::Player(PlayerId(Uuid::nil())), Holder::Pool(TournamentId(Uuid::nil())), Holder::House];

    #[test]
    fn every_kind_goes_its_way_and_no_other() {
        let ways = [
            ("entry_fee", "player", "pool"),
            ("side_pool", "player", "pool"),
            ("re_entry", "player", "pool"),
            ("registration", "player", "house"),
            ("added", "house", "pool"),
            ("kept", "pool", "house"),
            ("prize", "pool", "player"),
            ("paid_in", "house", "player"),
            ("paid_out", "player", "house"),
            ("refund", "pool", "player"),
            ("refund", "house", "player"),
            ("refund", "pool", "house"),
            ("returned", "player", "pool"),
            ("returned", "house", "pool"),
        ];
        for what in TransferKind::ALL.iter().copied() {
            for from in HOLDERS {
                for to in HOLDERS {
                    let way = (what.name(), from.kind().name(), to.kind().name());
                    let transfer = Transfer { from, to, amount: MinorUnits(1), what };
                    assert_eq!(transfer.check().is_ok(), ways.contains(&way), "{transfer:?}");
                }
            }
        }
    }

    #[test]
    fn a_transfer_moves_something() {
        for amount in [0, -1, i64::MIN] {
            let (from, to) = (HOLDERS[0], HOLDERS[1]);
            let transfer = Transfer { from, to, amount: MinorUnits(amount), what: TransferKind::EntryFee };
            assert_eq!(transfer.check(), Err(InvalidTransfer::Nothing(TransferKind::EntryFee)));
        }
    }

    #[test]
    fn a_transfer_is_written_by_the_names_of_the_books() {
        let prize = Transfer {
            from: HOLDERS[1],
            to: HOLDERS[0],
            amount: MinorUnits(12_000),
            what: TransferKind::Prize,
        };
        let nil = Uuid::nil();
        let written =
            json!({"from": {"pool": nil}, "to": {"player": nil}, "amount": 12_000, "what": "prize"});
        assert_eq!(json!(prize), written);
        assert_eq!(json!(Holder::House), json!("house"));
        assert_eq!(serde_json::from_value::<Transfer>(written).unwrap(), prize);
        for what in TransferKind::ALL.iter().copied() {
            assert_eq!(json!(what), json!(what.name()));
        }
    }
}
