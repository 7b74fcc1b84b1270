//! A table for spreadsheets (RFC 4180) with a line for every posting, and fields that are safe in one.

use std::fmt::Write as _;

use chrono::SecondsFormat;

use super::{Decimal, Entry, code, decimals, words};

/// What a formula begins with, also as it is written in full width.
const FORMULA: [char; 12] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'];
/// What a spreadsheet may take for the end of a cell. Which of them it does, depends on its language.
const ENDS_A_CELL: [char; 6] = [',', ';', '\t', '|', '\n', '\r'];

/// A text as a field in which no spreadsheet finds a formula, whatever it takes for the end of a cell: a
/// shield stands before what begins like one.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut field = String::with_capacity(text.len() + 2);
    field.push('"');
    let mut before = None;
    for (place, character) in text.char_indices() {
        if begins_a_formula(before, text.get(place..).unwrap_or_default()) {
            field.push('\'');
        }
        field.push(character);
        if character == '"' {
            field.push('"');
        }
        before = Some(character);
    }
    field.push('"');
    field
}

/// Whether a cell may begin at `rest`, after this character, and be taken for a formula. Quotation marks and
/// blanks before it are no part of a cell.
fn begins_a_formula(before: Option<char>, rest: &str) -> bool {
    if !before.is_none_or(|before| ENDS_A_CELL.contains(&before)) {
        return false;
    }
    let cell = rest.trim_start_matches(|one: char| one == '"' || one.is_whitespace());
    // A price is written so: 20,-
    let is_price = before == Some(',')
        && cell.strip_prefix('-').is_some_and(|rest| !rest.starts_with(|next: char| !next.is_whitespace()));
    cell.starts_with(FORMULA) && !is_price
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
