//! What tournaments brought the club, for its treasurer: fees, pools, prizes, what is left to the house.

use askama::Template;

use super::frame::Frame;
use owlbox_base::values::{Currency, MinorUnits};
use owlbox_books::ledger::income::Income;
use owlbox_locale::Locale;

/// `/ledger/tournaments?from=&until=`
#[derive(Debug, Template)]
#[template(path = "income.html")]
pub struct IncomePage {
    pub t: Locale,
    pub frame: Frame,
    /// Links to the ledgers of the club: label, address, and whether it is this page.
    pub books: Vec<(String, String, bool)>,
    /// Links to periods: label, address, and whether it is the present one.
    pub periods: Vec<(String, String, bool)>,
    /// The first and the last day of the period, as typed.
    pub days: [String; 2],
    /// The address of the same figures as CSV.
    pub csv: String,
    /// The sums of all tournaments, one for each currency.
    pub totals: Vec<Sums>,
    pub tournaments: Vec<TournamentSums>,
}

/// The sums of one currency.
#[derive(Clone, Debug)]
pub struct Sums {
    /// What is left to the house.
    pub house: String,
    pub loses: bool,
    /// Label and amount of each sum.
    pub lines: Vec<(String, String)>,
}

/// A tournament's sums in one currency.
#[derive(Clone, Debug)]
pub struct TournamentSums {
    pub name: String,
    pub day: String,
    /// The ledger of its pools.
    pub link: String,
    pub sums: Sums,
}

impl Sums {
    #[must_use]
    pub fn new(t: &Locale, currency: Currency, income: &Income) -> Self {
        let Income {
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
        } = *income;
        let lines = [
            ("income-entry-fees", entry_fees),
            ("income-side-pools", side_pools),
            ("income-registration", registration),
            ("income-refunds", refunds),
            ("income-added", added),
            ("income-prize-pool", prize_pool),
            ("income-prizes", prizes),
            ("income-kept", kept),
            ("income-in-pools", in_pools),
            ("income-paid-in", paid_in),
            ("income-paid-out", paid_out),
        ];
        let amount =
            |amount: i64| t.money(MinorUnits(amount), currency).text.trim_start_matches('+').to_owned();
        Self {
            house: amount(house),
            loses: house < 0,
            lines: lines.into_iter().map(|(key, sum)| (t.get(key), amount(sum))).collect(),
        }
    }
}
