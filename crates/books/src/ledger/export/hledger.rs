//! A journal of hledger: every account and unit is declared, as `hledger check --strict` asks, then the
//! transactions, with their ids as codes.
//!
//! <https://hledger.org/1.25/hledger.html#journal-format>

use std::fmt::Write as _;

use super::{Chart, Class, Decimal, Entry, code, decimals, names, words};

/// Writing to a string cannot fail, here and below.
pub(super) fn begin(out: &mut String, chart: &Chart) {
    let _ = writeln!(out, "; {}\ndecimal-mark .", names::on_one_line(&chart.club));
    for unit in chart.units() {
        // The sample shows the digits behind the point; without any it has the point all the same.
        let digits = "0".repeat(usize::try_from(decimals(unit)).unwrap_or_default());
        let _ = writeln!(out, "commodity 1000.{digits} {}", code(&unit));
    }
    for account in chart.accounts.keys() {
        // hledger has a type of account for what can be paid with.
        let kind = if account.class == Class::Cash { "  ; type:C" } else { "" };
        let _ = writeln!(out, "account {}{kind}", account.spaced());
    }
}

pub(super) fn entry(out: &mut String, entry: &Entry) {
    // A semicolon begins a comment, and a bar divides the payee from a note.
    let what = entry.what.replace(';', ",").replace('|', "/");
    let _ = writeln!(out, "\n{} ({}) {what}", entry.on, entry.id);
    for line in &entry.lines {
        let amount = Decimal(line.debit(), decimals(line.unit));
        let (account, unit, purpose) = (line.account.spaced(), code(&line.unit), words(&line.purpose));
        let _ = writeln!(out, "    {account}  {amount} {unit}  ; {purpose}");
    }
}
