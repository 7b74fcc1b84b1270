//! The chart of accounts: which account of a bookkeeping program a posting of the club belongs on.
//!
//! | account | what | for whom |
//! |---|---|---|
//! | `Assets:Cash` | money in the drawer: taken from players and handed to them | the house |
//! | `Liabilities:Players` | what the club owes each player; below zero, what they owe | a player |
//! | `Liabilities:Pools` | what is in a tournament's pool and not yet given | a tournament |
//! | `Equity:Scores` | points won and lost, which nobody owes | a player |
//! | `Income:Registration` | registration fees | the house |
//! | `Income:Kept` | the house's share of the pools, less what a correction gave back | the house |
//! | `Income:Refunds` | registration fees paid back | the house |
//! | `Expenses:Added` | what the house added to prizes, less what came back | the house |
//! | `Assets:Bank` | money on the club's account at a bank | the club |
//! | `Income:Membership`, `Income:TableMoney`, `Income:OtherFees` | fees of the club | the house |
//! | `Income:Contributions` | what the club got from outside | the house |
//! | `Income:Adjustments` | what the treasurer moved to or from the house | the house |
//! | `Expenses:Costs` | what the club paid to others outside | the house |
//! | `Expenses:Rounding` | what counting the drawer has left over | the club |
//! | `Liabilities:Outside` | bills until they are paid | the club |
//! | `Equity:Opening` | what was there before the club kept its books here | the club |
//!
//! An account that is somebody's own has their name and a [code](Account::code) made of their id, so that it
//! keeps its name when another of the same name comes, and two never become one.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use strum::{IntoStaticStr, VariantArray};
use uuid::Uuid;

use super::names;
use super::{Unit, currency};
use crate::daybook::MoveKind;
use owlbox_base::values::{Currency, Holder, HolderKind};
use owlbox_play::tournament::money::TransferKind;

/// The five kinds of accounts that every program knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Root {
    Assets,
    Liabilities,
    Equity,
    Income,
    Expenses,
}

impl Root {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assets => "Assets",
            Self::Liabilities => "Liabilities",
            Self::Equity => "Equity",
            Self::Income => "Income",
            Self::Expenses => "Expenses",
        }
    }
}

/// The classes of accounts, as in the table above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(const_into_str)]
pub enum Class {
    Cash,
    Players,
    Pools,
    Scores,
    Registration,
    Kept,
    Refunds,
    Added,
    Bank,
    Membership,
    TableMoney,
    OtherFees,
    Contributions,
    Adjustments,
    Costs,
    Rounding,
    Outside,
    Opening,
}

impl Class {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    #[must_use]
    pub const fn root(self) -> Root {
        match self {
            Self::Cash | Self::Bank => Root::Assets,
            Self::Players | Self::Pools | Self::Outside => Root::Liabilities,
            Self::Scores | Self::Opening => Root::Equity,
            Self::Registration
            | Self::Kept
            | Self::Refunds
            | Self::Membership
            | Self::TableMoney
            | Self::OtherFees
            | Self::Contributions
            | Self::Adjustments => Root::Income,
            Self::Added | Self::Costs | Self::Rounding => Root::Expenses,
        }
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// The class of a posting on an account of `holder` in `unit`; `counterparty` is the other side. `None`
    /// if the house makes no postings of this purpose.
    #[must_use]
    pub fn of(holder: HolderKind, counterparty: HolderKind, purpose: &str, unit: Unit) -> Option<Self> {
        match holder {
            HolderKind::Player => Some(currency(unit).map_or(Self::Scores, |_| Self::Players)),
            HolderKind::Pool => Some(Self::Pools),
            HolderKind::House => {
                match TransferKind::ALL.iter().copied().find(|kind| kind.name() == purpose) {
                    Some(moved) => Self::of_house(moved, counterparty),
                    None => MoveKind::ALL
                        .iter()
                        .copied()
                        .find(|kind| kind.name() == purpose)
                        .map(Self::of_daybook),
                }
            }
            HolderKind::Bank => Some(Self::Bank),
            HolderKind::Opening => Some(Self::Opening),
            HolderKind::Rounding => Some(Self::Rounding),
            HolderKind::Outside => Some(Self::Outside),
        }
    }

    /// [`of`](Self::of) the house, where the treasurer recorded it.
    const fn of_daybook(purpose: MoveKind) -> Self {
        match purpose {
            MoveKind::PaidIn
            | MoveKind::PaidOut
            | MoveKind::Outside
            | MoveKind::Deposit
            | MoveKind::Counted
            | MoveKind::Opening => Self::Cash,
            MoveKind::Membership => Self::Membership,
            MoveKind::TableMoney => Self::TableMoney,
            MoveKind::OtherFee => Self::OtherFees,
            MoveKind::Income => Self::Contributions,
            MoveKind::Expense => Self::Costs,
            // No payment and no game between two players is the house's.
            MoveKind::Adjustment | MoveKind::Payment | MoveKind::PastGame => Self::Adjustments,
        }
    }

    /// [`of`](Self::of) the house.
    const fn of_house(purpose: TransferKind, counterparty: HolderKind) -> Option<Self> {
        match purpose {
            TransferKind::PaidIn | TransferKind::PaidOut => Some(Self::Cash),
            TransferKind::Registration => Some(Self::Registration),
            TransferKind::Kept | TransferKind::Returned => Some(Self::Kept),
            TransferKind::Added => Some(Self::Added),
            // To a player it is a fee that comes back; from a pool it is what the house had added.
            TransferKind::Refund => Some(match counterparty {
                HolderKind::Pool => Self::Added,
                HolderKind::Player
                | HolderKind::House
                | HolderKind::Bank
                | HolderKind::Opening
                | HolderKind::Rounding
                | HolderKind::Outside => Self::Refunds,
            }),
            TransferKind::EntryFee | TransferKind::SidePool | TransferKind::ReEntry | TransferKind::Prize => {
                None
            }
        }
    }
}

impl MoveKind {
    /// Whether such a posting to the house is money in the drawer: it falls by what the house's account
    /// rises.
    #[must_use]
    pub const fn is_cash(self) -> bool {
        matches!(Class::of_daybook(self), Class::Cash)
    }
}

/// An account. The same in every unit, except in GnuCash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Account {
    pub class: Class,
    /// The name and id of the player or tournament whose own it is; `None` for the house's.
    pub owner: Option<(String, Uuid)>,
}

impl Account {
    /// The account of this class for `holder`, who is called `name`.
    #[must_use]
    pub fn new(class: Class, holder: Holder, name: &str) -> Self {
        let owner = match holder {
            Holder::Player(_) | Holder::Pool(_) => Some((names::on_one_line(name), holder.id())),
            Holder::House | Holder::Bank | Holder::Opening | Holder::Rounding | Holder::Outside => None,
        };
        Self { class, owner }
    }

    /// The name with spaces, as hledger has it: `Liabilities:Players:Ada Bianchi 8f3k2q7m`.
    pub(super) fn spaced(&self) -> String {
        let own = self.own_name().map(|own| format!(":{own}")).unwrap_or_default();
        format!("{}:{}{own}", self.class.root().name(), self.class.name())
    }

    /// The name as Beancount has it: `Liabilities:Players:Ada-Bianchi-8f3k2q7m`.
    pub(super) fn hyphenated(&self) -> String {
        let own =
            self.owner.as_ref().map(|(name, id)| format!(":{}{}", names::hyphenated(name), code_of(*id)));
        format!("{}:{}{}", self.class.root().name(), self.class.name(), own.unwrap_or_default())
    }

    /// The last part of the name, if the account is somebody's own: `Ada Bianchi 8f3k2q7m`.
    pub(super) fn own_name(&self) -> Option<String> {
        self.owner.as_ref().map(|(name, id)| format!("{}{}", names::spaced(name), code_of(*id)))
    }

    /// The code of whose own it is.
    pub(super) fn code(&self) -> Option<String> {
        self.owner.as_ref().map(|(_, id)| code_of(*id))
    }
}

/// Digits and letters that are not mistaken for each other.
const DIGITS: [u8; 32] = *b"0123456789abcdefghjkmnpqrstvwxyz";

/// Eight characters made of the last 40 bits of an id, which are random. They need to tell apart only those
/// of the same name.
pub(super) fn code_of(id: Uuid) -> String {
    let digit = |place: u32| {
        let at = usize::try_from((id.as_u128() >> (5 * place)) & 31).unwrap_or_default();
        char::from(DIGITS.get(at).copied().unwrap_or(b'0'))
    };
    (0..8).rev().map(digit).collect()
}

/// What a file's transactions do with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// The days of its first and last transaction.
    pub first: NaiveDate,
    pub last: NaiveDate,
    pub units: BTreeSet<Unit>,
    /// Nothing is on it any more and nothing is expected to come: the pool of a tournament that is over.
    pub closed: bool,
}

/// The accounts and units that occur in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// The club's name.
    pub club: String,
    /// The club's usual currency.
    pub usual: Option<Currency>,
    pub accounts: BTreeMap<Account, Used>,
}

impl Chart {
    /// Notes that an account has transactions in `unit` from one day to another.
    pub fn note(&mut self, account: Account, unit: Unit, (first, last): (NaiveDate, NaiveDate)) -> &mut Used {
        let fresh = || Used { first, last, units: BTreeSet::new(), closed: false };
        let used = self.accounts.entry(account).or_insert_with(fresh);
        used.first = used.first.min(first);
        used.last = used.last.max(last);
        used.units.insert(unit);
        used
    }

    /// The units that occur.
    pub(super) fn units(&self) -> BTreeSet<Unit> {
        self.accounts.values().flat_map(|used| used.units.iter().copied()).collect()
    }
}
