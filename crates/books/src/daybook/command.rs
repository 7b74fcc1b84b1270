//! What can be asked of the daybook.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::closing::Month;
use super::record::{FeeKind, Means, Memo, OpeningBalance, PastGame, Record, Recorded, Sum, Way};
use crate::unit::Unit;
use owlbox_base::permissions::Permission;
use owlbox_base::values::{AccountId, Currency, Holder, PlayerId};

/// What a caller asks for. `on` is the day it belongs to; without one, today.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schema(as = DaybookCommand))]
#[strum_discriminants(
    name(CommandKind),
    derive(PartialOrd, Ord, IntoStaticStr, VariantArray),
    strum(serialize_all = "snake_case"),
    doc = "A kind of command; as text, its name in JSON."
)]
#[expect(missing_docs, reason = "the fields are those of the records")]
pub enum DaybookCommand {
    /// Records a payment between two players, or between a player and the house.
    Pay {
        payer: Holder,
        payee: Holder,
        currency: Currency,
        amount: Sum,
        #[serde(default)]
        means: Means,
        /// The day for which it counts; today without one.
        #[serde(default)]
        on: Option<NaiveDate>,
        #[serde(default)]
        memo: Option<Memo>,
    },
    /// Charges each of these players a fee.
    Charge {
        /// Who is charged.
        players: Vec<PlayerId>,
        fee: FeeKind,
        currency: Currency,
        amount: Sum,
        /// The day for which it counts; today without one.
        #[serde(default)]
        on: Option<NaiveDate>,
        #[serde(default)]
        memo: Option<Memo>,
    },
    /// Records balances from before.
    OpenBalances {
        /// The balances, each of one holder in one unit.
        balances: Vec<OpeningBalance>,
        /// The day for which it counts; today without one.
        #[serde(default)]
        on: Option<NaiveDate>,
        #[serde(default)]
        memo: Option<Memo>,
    },
    /// Records games from before, each for its own day. None of their months may be closed.
    RecordGames {
        /// The games.
        games: Vec<PastGame>,
        #[serde(default)]
        memo: Option<Memo>,
    },
    /// Moves an amount from one account to another. Above the club's limit it waits for a second person, as
    /// do payments of one's own, fees, and balances and games from before.
    Adjust {
        from: Holder,
        to: Holder,
        unit: Unit,
        amount: Sum,
        /// The day for which it counts; today without one.
        #[serde(default)]
        on: Option<NaiveDate>,
        /// Why.
        memo: Memo,
    },
    /// Records what the club paid somebody outside.
    Spend {
        currency: Currency,
        amount: Sum,
        #[serde(default)]
        means: Means,
        /// The day for which it counts; today without one.
        #[serde(default)]
        on: Option<NaiveDate>,
        /// For what.
        memo: Memo,
    },
    /// Records what the club got from outside.
    Receive {
        currency: Currency,
        amount: Sum,
        #[serde(default)]
        means: Means,
        /// The day for which it counts; today without one.
        #[serde(default)]
        on: Option<NaiveDate>,
        /// For what.
        memo: Memo,
    },
    /// Records money carried between drawer and bank.
    Deposit {
        currency: Currency,
        amount: Sum,
        way: Way,
        /// The day for which it counts; today without one.
        #[serde(default)]
        on: Option<NaiveDate>,
        #[serde(default)]
        memo: Option<Memo>,
    },
    /// Records what is in the drawer today.
    Count {
        currency: Currency,
        /// What is in the drawer, in minor units.
        counted: i64,
        #[serde(default)]
        memo: Option<Memo>,
    },
    /// Approves what is proposed - a record, or to take one back - as the second person.
    Approve {
        /// The number of the record in the daybook.
        entry: u32,
    },
    /// Declines what is proposed, or withdraws one's own proposal.
    Decline {
        /// The number of the record in the daybook.
        entry: u32,
        reason: Memo,
    },
    /// Takes a record back: its reversal is posted. What a second person approved, or is above the club's
    /// limit, waits for a second person.
    TakeBack {
        /// The number of the record in the daybook.
        entry: u32,
        reason: Memo,
    },
    /// Closes a month, and with it all months before.
    CloseMonth { month: Month },
    /// Opens a closed month again, and with it all months after.
    ReopenMonth { month: Month, reason: Memo },
}

impl CommandKind {
    /// The permission it requires.
    #[must_use]
    pub const fn needs(self) -> Permission {
        match self {
            Self::Pay
            | Self::Charge
            | Self::OpenBalances
            | Self::RecordGames
            | Self::Adjust
            | Self::Spend
            | Self::Receive
            | Self::Deposit
            | Self::Count
            | Self::Approve
            | Self::Decline
            | Self::TakeBack
            | Self::CloseMonth => Permission::KeepBooks,
            Self::ReopenMonth => Permission::ReopenBooks,
        }
    }
}

/// How the books stand at the end of a month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Stands {
    /// How many transactions had been posted when the month was closed: the number of the last.
    pub transactions: i64,
    /// SHA-256, in hexadecimal digits, over every account's balance at the end of the month.
    pub digest: String,
}

/// On whose word something is put into the books, or taken out of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// This login's alone. In format 1 no event says whose.
    Alone(Option<AccountId>),
    /// This login proposes it to a second person.
    Proposed(AccountId),
}

/// A [`DaybookCommand`] with everything known that it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the orders")]
pub enum Command {
    Record {
        recorded: Recorded,
        word: Authority,
    },
    Approve {
        entry: u32,
        by: AccountId,
    },
    Decline {
        entry: u32,
        by: AccountId,
        reason: Memo,
    },
    TakeBack {
        entry: u32,
        reason: Memo,
        word: Authority,
    },
    CloseMonth {
        month: Month,
        stands: Stands,
    },
    /// After so many transactions.
    ReopenMonth {
        month: Month,
        transactions: i64,
        reason: Memo,
    },
}

impl DaybookCommand {
    /// The record it asks for, on `today` if it names no day. `None` of orders about records and months. What
    /// the drawer should hold is not known here.
    #[must_use]
    pub fn recorded(self, today: NaiveDate, in_drawer: i64) -> Option<Recorded> {
        let recorded =
            |on: Option<NaiveDate>, memo, what| Some(Recorded { on: on.unwrap_or(today), memo, what });
        match self {
            Self::Pay { payer, payee, currency, amount, means, on, memo } => {
                recorded(on, memo, Record::Payment { payer, payee, currency, amount: amount.into(), means })
            }
            Self::Charge { players, fee, currency, amount, on, memo } => {
                recorded(on, memo, Record::Fee { players, fee, currency, amount: amount.into() })
            }
            Self::OpenBalances { balances, on, memo } => {
                recorded(on, memo, Record::OpeningBalances { balances })
            }
            Self::RecordGames { games, memo } => {
                let last = games.iter().map(|game| game.on).max();
                recorded(last, memo, Record::PastGames { games })
            }
            Self::Adjust { from, to, unit, amount, on, memo } => {
                recorded(on, Some(memo), Record::Adjustment { from, to, unit, amount: amount.into() })
            }
            Self::Spend { currency, amount, means, on, memo } => {
                recorded(on, Some(memo), Record::Expense { currency, amount: amount.into(), means })
            }
            Self::Receive { currency, amount, means, on, memo } => {
                recorded(on, Some(memo), Record::Income { currency, amount: amount.into(), means })
            }
            Self::Deposit { currency, amount, way, on, memo } => {
                recorded(on, memo, Record::Deposit { currency, amount: amount.into(), way })
            }
            Self::Count { currency, counted, memo } => {
                recorded(None, memo, Record::Count { currency, counted, expected: in_drawer })
            }
            Self::Approve { .. }
            | Self::Decline { .. }
            | Self::TakeBack { .. }
            | Self::CloseMonth { .. }
            | Self::ReopenMonth { .. } => None,
        }
    }
}
