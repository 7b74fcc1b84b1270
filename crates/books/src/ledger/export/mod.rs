//! The books as files that other programs read: hledger, Beancount, GnuCash, spreadsheets.
//!
//! The writers are pure and know no rows and no streams: they are given the [`Chart`] of the accounts that
//! occur, then every transaction as an [`Entry`] with its names resolved, one after the other, and append
//! text. The caller passes the text on as it grows, so that no file is ever held as a whole.
//!
//! **Signs.** In the club's own books a holder above zero is owed that much. To an accountant that is a
//! credit of the club, so here every amount has the opposite sign ([`Line::debit`]): debits are above zero,
//! credits below. **Accounts** are those of [`chart`]. **Points** are no money: they are whole half points in
//! a unit of their own, [`HALF_POINTS`], on accounts of their own. **Importing twice** is found by the id of
//! the transaction, which every file has.

mod beancount;
pub mod chart;
mod csv;
mod gnucash;
mod hledger;
mod names;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use chrono::NaiveDate;
use serde::Deserialize;

pub use self::chart::{Account, Chart, Class, Used};
pub use self::csv::quoted;
use super::{Source, Unit};
use owlbox_base::values::{Currency, Holder, InvalidValue, Timestamp, TransactionId};

/// The unit of half points in all files. No currency has such a long code.
pub const HALF_POINTS: &str = "HALFPT";

/// The format of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ExportFormat))]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// A journal of hledger.
    Hledger,
    /// A file of Beancount.
    Beancount,
    /// Transactions for the importer of GnuCash; money only.
    Gnucash,
    /// The accounts that those transactions need, for the importer of GnuCash.
    GnucashAccounts,
    /// A table with a line for each posting, for spreadsheets.
    #[default]
    Csv,
}

impl Format {
    /// Accounts come before what is booked on them.
    pub const ALL: [Self; 5] =
        [Self::Hledger, Self::Beancount, Self::GnucashAccounts, Self::Gnucash, Self::Csv];

    /// The name, on the command line and in addresses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hledger => "hledger",
            Self::Beancount => "beancount",
            Self::Gnucash => "gnucash",
            Self::GnucashAccounts => "gnucash-accounts",
            Self::Csv => "csv",
        }
    }

    /// The name that a file is saved under.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::Hledger => "owlbox.journal",
            Self::Beancount => "owlbox.beancount",
            Self::Gnucash => "owlbox-gnucash.csv",
            Self::GnucashAccounts => "owlbox-gnucash-accounts.csv",
            Self::Csv => "owlbox-postings.csv",
        }
    }

    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Hledger | Self::Beancount => "text/plain; charset=utf-8",
            Self::Gnucash | Self::GnucashAccounts | Self::Csv => "text/csv; charset=utf-8",
        }
    }

    /// Whether the file has the transactions, and not only what comes before them.
    #[must_use]
    pub const fn has_entries(self) -> bool {
        match self {
            Self::Hledger | Self::Beancount | Self::Gnucash | Self::Csv => true,
            Self::GnucashAccounts => false,
        }
    }

    /// Writes what comes before the transactions: headings, units and accounts.
    pub fn begin(self, out: &mut String, chart: &Chart) {
        match self {
            Self::Hledger => hledger::begin(out, chart),
            Self::Beancount => beancount::begin(out, chart),
            Self::Gnucash => gnucash::begin(out),
            Self::GnucashAccounts => gnucash::accounts(out, chart),
            Self::Csv => csv::begin(out),
        }
    }

    /// Writes a transaction, if the format has [any](Self::has_entries).
    pub fn entry(self, out: &mut String, entry: &Entry) {
        match self {
            Self::Hledger => hledger::entry(out, entry),
            Self::Beancount => beancount::entry(out, entry),
            Self::Gnucash => gnucash::entry(out, entry),
            Self::GnucashAccounts => {}
            Self::Csv => csv::entry(out, entry),
        }
    }
}

impl FromStr for Format {
    type Err = InvalidValue;
    fn from_str(name: &str) -> Result<Self, InvalidValue> {
        let known = Self::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or(InvalidValue {
            what: "format",
            allowed: "hledger, beancount, gnucash, gnucash-accounts or csv",
        })
    }
}

/// A transaction of the books, ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub id: TransactionId,
    /// The day it counts for, on the club's clock.
    pub on: NaiveDate,
    pub posted_at: Timestamp,
    /// `game`, `correction`, ..., as the books name it.
    pub kind: String,
    pub source: Source,
    /// What it was: see [`described`].
    pub what: String,
    /// The number of the game, if it is about one.
    pub game: Option<u32>,
    /// They add up to zero in every unit.
    pub lines: Vec<Line>,
}

/// A posting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub account: Account,
    pub holder: Holder,
    /// The name of the other side: a player, a tournament, or nothing for the house.
    pub with: String,
    /// The kind of bet, `payment`, `entry_fee`, ..., as the books name it.
    pub purpose: String,
    pub unit: Unit,
    /// As the books have it: above zero if the holder is owed more. In half points or minor units.
    pub amount: i64,
}

impl Line {
    /// The amount from the club's side of the account: debits above zero, credits below.
    #[must_use]
    pub const fn debit(&self) -> i128 {
        // Widened first: the smallest number has no opposite of its own size.
        -(self.amount as i128)
    }
}

/// What a transaction was, on one line: `Friday table, game 14`; `Autumn Open, entry fee, registration`; with
/// `(undone)`, `(corrected)` and the like at the end.
#[must_use]
pub fn described<'p>(
    of: &str,
    kind: &str,
    game: Option<u32>,
    purposes: impl IntoIterator<Item = &'p str>,
) -> String {
    let of = names::on_one_line(of);
    let subject = match game {
        Some(game) => format!("game {game}"),
        None => {
            let purposes: BTreeSet<&str> = purposes.into_iter().collect();
            purposes.into_iter().map(words).collect::<Vec<_>>().join(", ")
        }
    };
    let note = match kind {
        "reversal" => " (undone)",
        "correction" => " (corrected)",
        "contest" => " (contested)",
        "upheld" => " (upheld)",
        "merge" => " (players merged)",
        _ => "",
    };
    format!("{of}, {subject}{note}")
}

/// A name of the books in words: `entry_fee` is `entry fee`.
fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// The code of a unit, in capital letters.
fn code(unit: &Unit) -> &str {
    match unit {
        Unit::HalfPoints => HALF_POINTS,
        Unit::Money(currency) => currency.code(),
    }
}

/// How many digits of an amount in this unit are behind the point.
fn decimals(unit: Unit) -> u32 {
    match unit {
        Unit::HalfPoints => 0,
        Unit::Money(currency) => currency.decimals(),
    }
}

/// The currency, if the unit is money.
const fn currency(unit: Unit) -> Option<Currency> {
    match unit {
        Unit::HalfPoints => None,
        Unit::Money(currency) => Some(currency),
    }
}

/// An amount with a decimal point and nothing else: `-12.50`, `3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal(
    /// In the smallest unit.
    pub i128,
    /// How many digits are behind the point.
    pub u32,
);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(amount, decimals) = *self;
        let sign = if amount < 0 { "-" } else { "" };
        let of_one = 10_u128.pow(decimals);
        let (whole, part) = (amount.unsigned_abs() / of_one, amount.unsigned_abs() % of_one);
        match usize::try_from(decimals) {
            Ok(width @ 1..) => write!(f, "{sign}{whole}.{part:0width$}"),
            Ok(0) | Err(_) => write!(f, "{sign}{whole}"),
        }
    }
}
