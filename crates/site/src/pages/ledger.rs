//! A ledger, of a player, of the house or of a tournament's pools: the balance, and how it came about.

use std::fmt::Write;

use askama::Template;
use chrono::NaiveDate;

use super::frame::Frame;
use owlbox_base::values::Timestamp;
use owlbox_locale::{Amount, Locale};

#[derive(Debug, Template)]
#[template(path = "ledger.html")]
pub struct Ledger {
    pub t: Locale,
    pub frame: Frame,
    /// The heading: `Your ledger`, `Ledger of Ada`.
    pub title: String,
    /// Links to the ledgers of the club, for its treasurer: label, address, and whether it is this page.
    pub books: Vec<(String, String, bool)>,
    pub balance: Amount,
    /// What the club has, in words, on the ledger of the house: its balance alone tells nobody anything.
    pub club: Option<ClubInWords>,
    /// The units to switch between.
    pub units: Vec<Unit>,
    /// Links to periods: label, address, and whether it is the one on show.
    pub periods: Vec<(String, String, bool)>,
    /// The first and the last day of the period, as typed.
    pub days: [String; 2],
    /// The unit on show, as an address names it.
    pub unit: String,
    /// What the period comes to. `None` if everything is shown.
    pub period: Option<PeriodSums>,
    /// What a player owes and is owed, by currency. Empty for anybody who is even, and for the club's accounts.
    pub dues: Vec<DueReminder>,
    /// Links that narrow the lines.
    pub filters: Vec<LedgerFilters>,
    /// Links to the same as files: label and address.
    pub downloads: Vec<(String, String)>,
    /// The course of the balance. `None` if it has fewer than two points.
    pub course: Option<Course>,
    /// The lines on this page, newest first.
    pub lines: Vec<LedgerLine>,
    /// The address of the next page. `None` on the last.
    pub next: Option<String>,
}

impl Ledger {
    /// Whether the lines are narrowed by more than days.
    fn is_narrowed(&self) -> bool {
        self.filters.iter().any(LedgerFilters::any)
    }

    /// The lines of each night, newest first.
    fn nights(&self) -> Vec<(NaiveDate, &[LedgerLine])> {
        let nights = self.lines.chunk_by(|one, other| one.night == other.night);
        nights.filter_map(|lines| Some((lines.first()?.night, lines))).collect()
    }
}

/// What the club has in the currency on show.
#[derive(Clone, Debug)]
pub struct ClubInWords {
    pub drawer: String,
    pub bank: String,
    /// What players owe in all, and what they are owed.
    pub owe: String,
    pub owed: String,
    /// What the club has earned in the period on show, or ever since.
    pub earned: Amount,
}

/// What a player owes or is owed in a currency.
#[derive(Clone, Debug)]
pub struct DueReminder {
    pub owes: bool,
    /// `You owe 20.00 EUR`.
    pub what: String,
    /// The payments that settle it.
    pub payments: Vec<DuePart>,
}

/// A payment of a player's.
#[derive(Clone, Debug)]
pub struct DuePart {
    /// `Ada pays the club`.
    pub what: String,
    pub how_much: String,
    /// How it is paid by bank, if that can be done.
    pub transfer: Option<Transfer>,
}

/// How something is paid by bank.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The account to pay to, as it is printed.
    pub iban: String,
    /// The QR code that fills it in, as markup; there is none but for euros.
    pub code: Option<String>,
    /// Whether there is none because the bank of the account needs a BIC.
    pub needs_bic: bool,
}

/// Links that narrow a ledger to one of several.
#[derive(Clone, Debug)]
pub struct LedgerFilters {
    pub heading: String,
    /// Label, address, and whether it is chosen; that of the chosen one takes the choice back.
    pub links: Vec<(String, String, bool)>,
}

impl LedgerFilters {
    /// Whether one of them is chosen.
    fn any(&self) -> bool {
        self.links.iter().any(|(_, _, chosen)| *chosen)
    }
}

/// What an account stood at before and after a period, and what came and went in it.
#[derive(Clone, Debug)]
pub struct PeriodSums {
    pub opening: Amount,
    pub closing: Amount,
    pub gained: Amount,
    pub lost: Amount,
}

#[derive(Clone, Debug)]
pub struct Unit {
    /// `points` in words, or the currency's code.
    pub label: String,
    /// The address of the ledger in this unit.
    pub link: String,
    /// Whether it is the unit on show.
    pub chosen: bool,
}

#[derive(Clone, Debug)]
pub struct LedgerLine {
    pub at: Timestamp,
    /// The night it belongs to.
    pub night: NaiveDate,
    /// Which day it counts for, in words, if that is another.
    pub counts_for: Option<String>,
    /// What it was booked for: `Friday table, game 14`.
    pub what: String,
    pub link: String,
    pub with: String,
    /// On the ledger of the house what was earned by it, and beside it what came into the drawer.
    pub amount: Amount,
    pub balance: Amount,
}

/// The course of a balance, drawn as a line in a box of 640 × 120.
#[derive(Clone, Debug)]
pub struct Course {
    /// `x,y x,y ...` for `<polyline>`.
    pub line: String,
    /// The closed outline of the area between the line and zero.
    pub area: String,
    /// The y of the zero line.
    pub zero: i64,
}

impl Course {
    const WIDTH: i64 = 640;
    const HEIGHT: i64 = 120;
    /// Room above and below, so that the ends of the line are not cut off.
    const MARGIN: i64 = 8;

    /// The course of `balances`, oldest first, in any whole unit. `None` for fewer than two.
    #[must_use]
    pub fn new(balances: &[i64]) -> Option<Self> {
        let last = i64::try_from(balances.len()).ok()?.checked_sub(1).filter(|last| *last > 0)?;
        let highest = balances.iter().copied().max()?.max(0);
        let lowest = balances.iter().copied().min()?.min(0);
        let range = i128::from(highest) - i128::from(lowest);
        let height = i128::from(Self::HEIGHT - 2 * Self::MARGIN);
        let y = |balance: i64| {
            let below_top = (i128::from(highest) - i128::from(balance)) * height / range.max(1);
            Self::MARGIN + i64::try_from(below_top).unwrap_or(0)
        };
        let mut line = String::new();
        let mut end = (0, 0);
        for (index, balance) in (0..).zip(balances) {
            end = (Self::MARGIN + index * (Self::WIDTH - 2 * Self::MARGIN) / last, y(*balance));
            // Writing to a string cannot fail.
            let _ = write!(line, "{}{},{}", if index == 0 { "" } else { " " }, end.0, end.1);
        }
        let zero = y(0);
        let area = format!("{},{zero} {line} {},{zero}", Self::MARGIN, end.0);
        Some(Self { line, area, zero })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_needs_two_balances_and_has_zero_in_its_range() {
        assert!(Course::new(&[]).is_none());
        assert!(Course::new(&[5]).is_none());
        let course = Course::new(&[0, 10, -10]).unwrap();
        assert_eq!(course.line, "8,60 320,8 632,112");
        assert_eq!((course.zero, course.area.as_str()), (60, "8,60 8,60 320,8 632,112 632,60"));
        assert_eq!(Course::new(&[0, 0]).unwrap().line, "8,8 632,8");
        assert!(Course::new(&[i64::MIN, i64::MAX]).is_some());
    }
}
