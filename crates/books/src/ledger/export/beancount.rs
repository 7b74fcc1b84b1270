//! A file of Beancount: accounts are opened on the day of their first transaction, and those that are done
//! with closed after their last; the transactions have their ids as links.
//!
//! <https://beancount.github.io/docs/beancount_language_syntax.html>

use std::fmt::Write as _;

use super::{Chart, Decimal, Entry, code, decimals, names};

/// Writing to a string cannot fail, here and below.
pub(super) fn begin(out: &mut String, chart: &Chart) {
    let _ = writeln!(out, "option \"title\" {}", quoted(&names::on_one_line(&chart.club)));
    for unit in chart.units() {
        if let Some(currency) = super::currency(unit) {
            let _ = writeln!(out, "option \"operating_currency\" \"{currency}\"");
        }
    }
    out.push('\n');
    for (account, used) in &chart.accounts {
        let name = account.hyphenated();
        let _ = writeln!(out, "{} open {name}", used.first);
        if let Some((owner, _)) = &account.owner {
            let _ = writeln!(out, "  name: {}", quoted(owner));
        }
        if used.closed {
            let _ = writeln!(out, "{} close {name}", used.last);
        }
    }
}

pub(super) fn entry(out: &mut String, entry: &Entry) {
    let _ = writeln!(out, "\n{} * {} ^{}", entry.on, quoted(&entry.what), entry.id);
    for line in &entry.lines {
        let amount = Decimal(line.debit(), decimals(line.unit));
        let _ = writeln!(out, "  {}  {amount} {}", line.account.hyphenated(), code(&line.unit));
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
