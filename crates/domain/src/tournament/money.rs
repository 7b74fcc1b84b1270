//! What a tournament moves from one account to another: entry fees, what the club adds and keeps, prizes, cash.
//!
//! A [`Transfer`] is an outcome that stands in an event. Every kind goes one way only ([`TransferKind::goes`]), so that
//! a prize cannot come out of somebody's pocket by a slip; [`Transfer::check`] says so before the books take one.
//!
//! | kind | from | to |
//! |---|---|---|
//! | `entry_fee`, `side_pool`, `re_entry` | player | pool |
//! | `registration` | player | house |
//! | `added` | house | pool |
//! | `kept` | pool | house |
//! | `prize` | pool | player |
//! | `paid_in` (cash that the house was handed) | house | player |
//! | `paid_out` (cash that it handed over) | player | house |
//! | `refund` (of a fee) | pool or house | player |
//! | `returned` (of a prize, or what was kept, after a correction) | player or house | pool |

use serde::{Deserialize, Serialize};

use crate::values::{Holder, HolderKind, MinorUnits};

/// What is moved between two accounts, in the currency of its tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Transfer {
    /// Whose account falls.
    pub from: Holder,
    /// Whose rises.
    pub to: Holder,
    /// By how much, above zero.
    pub amount: MinorUnits,
    /// What for.
    pub what: TransferKind,
}

impl Transfer {
    /// Whether it is of something, and goes the way of its kind.
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

/// The cash of a tournament, in minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cash {
    /// What players have handed in.
    pub taken_in: i64,
    /// What was handed to them.
    pub handed_out: i64,
}

impl Cash {
    /// What should be in the box.
    #[must_use]
    pub const fn in_the_box(self) -> i64 {
        self.taken_in.saturating_sub(self.handed_out)
    }
}

/// What a transfer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TransferKind {
    /// What it costs to play for the prizes.
    EntryFee,
    /// What the house asks for its trouble.
    Registration,
    /// What it costs to play for a side pool.
    SidePool,
    /// The entry fee of who enters once more.
    ReEntry,
    /// What the house adds to the prizes.
    Added,
    /// What the house keeps of what was paid in.
    Kept,
    /// What was won.
    Prize,
    /// Cash that a player handed to the house: he owes it no more.
    PaidIn,
    /// Cash that the house handed to a player: it is not owed to him any more.
    PaidOut,
    /// A fee given back.
    Refund,
    /// What was given or kept before a correction, given back.
    Returned,
}

impl TransferKind {
    pub const ALL: [Self; 11] = [
        Self::EntryFee,
        Self::Registration,
        Self::SidePool,
        Self::ReEntry,
        Self::Added,
        Self::Kept,
        Self::Prize,
        Self::PaidIn,
        Self::PaidOut,
        Self::Refund,
        Self::Returned,
    ];

    /// The name in JSON and in the books.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EntryFee => "entry_fee",
            Self::Registration => "registration",
            Self::SidePool => "side_pool",
            Self::ReEntry => "re_entry",
            Self::Added => "added",
            Self::Kept => "kept",
            Self::Prize => "prize",
            Self::PaidIn => "paid_in",
            Self::PaidOut => "paid_out",
            Self::Refund => "refund",
            Self::Returned => "returned",
        }
    }

    /// Whether such a transfer goes from the one to the other.
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
            Self::Refund => matches!((from, to), (Pool | House, Player)),
            Self::Returned => matches!((from, to), (Player | House, Pool)),
        }
    }
}

/// Why there is no such transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTransfer {
    /// It moves nothing, or less.
    #[error("{} of nothing", .0.name())]
    Nothing(TransferKind),
    /// Its kind does not go from the one to the other.
    #[error("{} does not go that way", .0.name())]
    WrongWay(TransferKind),
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::values::{PlayerId, TournamentId};

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
            ("returned", "player", "pool"),
            ("returned", "house", "pool"),
        ];
        for what in TransferKind::ALL {
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
        for what in TransferKind::ALL {
            assert_eq!(json!(what), json!(what.name()));
        }
    }
}
