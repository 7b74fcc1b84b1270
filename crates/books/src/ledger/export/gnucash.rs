//! Two files for the importers of GnuCash: the accounts, and the transactions in the layout that its setting
//! "GnuCash Export Format" reads, up to the amount. What would follow differs between its versions 4 and 5,
//! and says nothing here.
//!
//! An account there has one currency, so those of the club exist once for each, under an account that shows
//! their sum: `Liabilities:Players EUR:Ada Bianchi 8f3k2q7m`. Points are left out, since GnuCash keeps money.
//! A transaction has one currency as well; one of the club in several becomes several.
//!
//! <https://www.gnucash.org/docs/v4/C/gnucash-help/trans-import.html>

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::chart::{Account, Chart, Class, Root, code_of};
use super::csv::quoted;
use super::{Decimal, Entry, Line, currency, words};
use owlbox_base::values::Currency;

/// Writing to a string cannot fail, here and below.
pub(super) fn begin(out: &mut String) {
    out.push_str(
        "Date,Transaction ID,Number,Description,Notes,Commodity/Currency,Void Reason,Action,Memo,\
         Full Account Name,Account Name,Amount With Sym,Amount Num.\r\n",
    );
}

pub(super) fn entry(out: &mut String, entry: &Entry) {
    let mut by_currency: BTreeMap<Currency, Vec<&Line>> = BTreeMap::new();
    for line in &entry.lines {
        if let Some(currency) = currency(line.unit) {
            by_currency.entry(currency).or_default().push(line);
        }
    }
    // Its reader of CSV takes a backslash for the beginning of an escape.
    let what = quoted(&entry.what.replace('\\', "/"));
    let (on, id, number) = (entry.on, entry.id, code_of(entry.id.0));
    for (currency, lines) in by_currency {
        for line in lines {
            let (full, last) = names(&line.account, currency);
            let (full, last) = (quoted(&full), quoted(&last));
            let amount = Decimal(line.debit(), currency.decimals());
            let purpose = words(&line.purpose);
            let _ = write!(
                out,
                "{on},{id}-{currency},{number},{what},{id},CURRENCY::{currency},,,{purpose},{full},{last},\
                 {amount} {currency},{amount}\r\n"
            );
        }
    }
}

/// The full and the last name of an account.
fn names(account: &Account, currency: Currency) -> (String, String) {
    let (class, root) = (account.class, account.class.root());
    let kept = format!("{} {currency}", class.name());
    match account.own_name() {
        Some(own) => (format!("{}:{kept}:{own}", root.name()), own),
        None => (format!("{}:{kept}", root.name()), kept),
    }
}

/// A line of the file of accounts.
struct AccountLine<'r> {
    kind: &'static str,
    full: &'r str,
    last: &'r str,
    code: &'r str,
    description: &'r str,
    currency: Currency,
    /// Whether the account only has accounts below it.
    above: bool,
}

impl AccountLine<'_> {
    fn write(&self, out: &mut String) {
        let Self { kind, full, last, code, description, currency, above } = *self;
        let (full, last, description) = (quoted(full), quoted(last), quoted(&description.replace('\\', "/")));
        let above = if above { "T" } else { "F" };
        let _ =
            write!(out, "{kind},{full},{last},{code},{description},,,{currency},CURRENCY,F,F,{above}\r\n");
    }
}

const fn kind_of(root: Root) -> &'static str {
    match root {
        Root::Assets => "ASSET",
        Root::Liabilities => "LIABILITY",
        Root::Equity => "EQUITY",
        Root::Income => "INCOME",
        Root::Expenses => "EXPENSE",
    }
}

/// Accounts come after those they are under, as the importer needs them.
pub(super) fn accounts(out: &mut String, chart: &Chart) {
    out.push_str(
        "Type,Full Account Name,Account Name,Account Code,Description,Account Color,Notes,Symbol,Namespace,\
         Hidden,Tax Info,Placeholder\r\n",
    );
    let mut above: BTreeSet<String> = BTreeSet::new();
    for (account, used) in &chart.accounts {
        for currency in used.units.iter().copied().filter_map(currency) {
            let (class, root) = (account.class, account.class.root());
            let kind = kind_of(root);
            if above.insert(root.name().to_owned()) {
                let usual = chart.usual.unwrap_or(currency);
                let (name, description) = (root.name(), "");
                AccountLine {
                    kind,
                    full: name,
                    last: name,
                    code: "",
                    description,
                    currency: usual,
                    above: true,
                }
                .write(out);
            }
            let (full, last) = names(account, currency);
            if let Some((parent, _)) = full.rsplit_once(':').filter(|_| account.owner.is_some())
                && above.insert(parent.to_owned())
            {
                let last = format!("{} {currency}", class.name());
                AccountLine {
                    kind,
                    full: parent,
                    last: &last,
                    code: "",
                    description: "",
                    currency,
                    above: true,
                }
                .write(out);
            }
            let kind = if class == Class::Cash { "CASH" } else { kind };
            let code = account.code().unwrap_or_default();
            let description = account.owner.as_ref().map_or("", |(name, _)| name);
            AccountLine { kind, full: &full, last: &last, code: &code, description, currency, above: false }
                .write(out);
        }
    }
}
