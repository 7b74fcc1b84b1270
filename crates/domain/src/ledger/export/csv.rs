//! A table for spreadsheets (RFC 4180) with a line for every posting, and fields that are safe in one.

use std::fmt::Write as _;

use chrono::SecondsFormat;

use super::{Decimal, Entry, code, decimals, words};

/// A text as a field. A spreadsheet would compute one that begins like a formula.
#[must_use]
pub fn quoted(text: &str) -> String {
    let shield = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("\"{shield}{}\"", text.replace('"', "\"\""))
}

pub(super) fn begin(out: &mut String) {
    out.push_str(
        "date,transaction,posted_at,kind,source,source_id,game,description,account,holder,holder_id,name,with,\
         purpose,unit,amount,debit,credit\r\n",
    );
}

/// `amount` has the sign of the club's statements; `debit` and `credit` are an accountant's.
pub(super) fn entry(out: &mut String, entry: &Entry) {
    let Entry { on, id, posted_at, kind, source, what, game, lines } = entry;
    let (what, game) = (quoted(what), game.map(|game| game.to_string()).unwrap_or_default());
    for line in lines {
        let digits = decimals(line.unit);
        let side =
            |amount: i128| if amount > 0 { Decimal(amount, digits).to_string() } else { String::new() };
        let (debit, credit) = (side(line.debit()), side(-line.debit()));
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "{on},{id},{},{kind},{},{},{game},{what},{},{},{},{},{},{},{},{},{debit},{credit}\r\n",
            posted_at.utc().to_rfc3339_opts(SecondsFormat::Secs, true),
            source.kind(),
            source.id(),
            quoted(&line.account.spaced()),
            line.holder.kind().name(),
            line.holder.id(),
            quoted(line.account.owner.as_ref().map_or("", |(name, _)| name)),
            quoted(&line.with),
            words(&line.purpose),
            code(&line.unit),
            Decimal(line.amount.into(), digits),
        );
    }
}
