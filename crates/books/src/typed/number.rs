//! Signs, currencies, groups of digits and decimals.

use super::{InputError, InputFormat};

/// What points may be called behind their number.
pub(super) const OF_POINTS: &[&str] =
    &["Punkte", "Punkt", "Pkt.", "Pkt", "points", "point", "punti", "punto", "pts", "pt"];

const MINUS: [char; 2] = ['-', '\u{2212}'];

/// A number with its sign, and with one of the `names` before or behind it; `read` reads the digits.
pub(super) fn signed(
    typed: &str,
    names: &[&str],
    read: impl Fn(&str) -> Result<i64, InputError>,
) -> Result<i64, InputError> {
    let mut rest = typed.trim();
    let (mut sign, mut is_named) = (None, false);
    if let Some(inside) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        (sign, rest) = (Some(-1), inside.trim());
    }
    // A sign and a name, each once, in whatever order they stand.
    loop {
        if let (None, Some((found, without))) = (sign, without_sign(rest)) {
            (sign, rest) = (Some(found), without.trim());
        } else if let (false, Some(without)) = (is_named, without_name(rest, names)) {
            (is_named, rest) = (true, without.trim());
        } else {
            break;
        }
    }
    let sign = sign.unwrap_or(1);
    match read(rest) {
        Ok(amount) => amount.checked_mul(sign).ok_or(InputError::Unreadable),
        Err(InputError::Ambiguous(readings)) if sign < 0 => {
            Err(InputError::Ambiguous(readings.map(|reading| format!("-{reading}"))))
        }
        Err(unread) => Err(unread),
    }
}

/// A number with a sign before it at most.
pub(super) fn plainly_signed(
    typed: &str,
    read: impl Fn(&str) -> Result<i64, InputError>,
) -> Result<i64, InputError> {
    match typed.strip_prefix(MINUS) {
        Some(digits) => read(digits).map(|amount| -amount),
        None => read(typed.strip_prefix('+').unwrap_or(typed)),
    }
}

fn without_sign(text: &str) -> Option<(i64, &str)> {
    if let Some(rest) = text.strip_prefix(MINUS) {
        return Some((-1, rest));
    }
    if let Some(rest) = text.strip_prefix('+') {
        return Some((1, rest));
    }
    // Behind the number, as bookkeeping programs write it; `5.-` is five without cents.
    let rest = text.strip_suffix(MINUS)?;
    rest.ends_with(|c: char| c.is_ascii_digit()).then_some((-1, rest))
}

/// The text without the name at its beginning or end.
fn without_name<'t>(text: &'t str, names: &[&str]) -> Option<&'t str> {
    let is =
        |part: Option<&str>, name: &str| part.is_some_and(|part| part.to_lowercase() == name.to_lowercase());
    names.iter().find_map(|name| {
        let end = text.len().checked_sub(name.len())?;
        if is(text.get(..name.len()), name) {
            text.get(name.len()..)
        } else if is(text.get(end..), name) {
            text.get(..end)
        } else {
            None
        }
    })
}

/// A number without a sign, with at most so many decimals, in units of the last. Zeros behind them say
/// nothing.
pub(super) fn decimal(typed: &str, decimals: u32, writing: InputFormat) -> Result<i64, InputError> {
    let (whole, part) = if writing.is_plain() {
        let (whole, part) = typed.split_once(['.', ',']).unwrap_or((typed, ""));
        (whole.to_owned(), part)
    } else {
        parts(typed, decimals, writing)?
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let width = usize::try_from(decimals).map_err(|_| InputError::Unreadable)?;
    let part = if writing.is_plain() || part.len() <= width {
        part
    } else {
        let (kept, zeros) = part.split_at_checked(width).ok_or(InputError::Unreadable)?;
        if zeros.bytes().any(|byte| byte != b'0') {
            return Err(InputError::Unreadable);
        }
        kept
    };
    if whole.is_empty() || part.len() > width || !digits(&whole) || !digits(part) {
        return Err(InputError::Unreadable);
    }
    format!("{whole}{part:0<width$}").parse().map_err(|_| InputError::Unreadable)
}

/// The digits before and behind the sign of the decimals.
fn parts(typed: &str, decimals: u32, writing: InputFormat) -> Result<(String, &str), InputError> {
    let many = |mark: char| typed.matches(mark).count();
    let last = typed.rfind(['.', ',']);
    let mark = last.and_then(|at| typed.get(at..)?.chars().next());
    let is_before_decimals = match (mark, many('.'), many(',')) {
        (None, ..) => false,
        (Some(mark), 1, 0) | (Some(mark), 0, 1) => is_before_decimals(typed, mark, decimals, writing)?,
        // Only one of the two comes several times, and never behind the other.
        (Some(mark), points, commas) => points > 0 && commas > 0 && many(mark) == 1,
    };
    let Some(at) = last.filter(|_| is_before_decimals) else { return Ok((without_groups(typed)?, "")) };
    let (whole, part) = typed.split_at(at);
    let part = part.get(1..).unwrap_or_default();
    // `5.–` and `5,--`: no cents.
    let is_dash = !part.is_empty() && part.chars().all(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}'));
    Ok((without_groups(whole)?, if is_dash { "" } else { part }))
}

/// Whether the only sign of a number stands before its decimals, and not between thousands.
fn is_before_decimals(
    typed: &str,
    mark: char,
    decimals: u32,
    writing: InputFormat,
) -> Result<bool, InputError> {
    let (whole, part) = typed.split_once(mark).unwrap_or((typed, ""));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let may_be_group =
        digits(whole) && whole.len() <= 3 && !whole.starts_with('0') && digits(part) && part.len() == 3;
    if !may_be_group {
        return Ok(true);
    }
    if writing.numbers.is_some() {
        return Ok(writing.mark() == Some(mark));
    }
    // As the page prints amounts in this currency.
    match writing.mark() {
        Some(own) if own == mark && decimals >= 3 => Ok(true),
        Some(own) if own != mark && decimals == 0 => Ok(false),
        own => {
            // Each so that it has one reading: three decimals could be thousands again, four could not.
            let is_printed_so = own.is_some() && decimals >= 3;
            let own = own.unwrap_or('.');
            let part = match part.trim_end_matches('0') {
                "" => whole.to_owned(),
                part if part.len() == 3 && !is_printed_so => format!("{whole}{own}{part}0"),
                part => format!("{whole}{own}{part}"),
            };
            Err(InputError::Ambiguous([typed.replace(mark, ""), part]))
        }
    }
}

/// The digits of a whole number, whose thousands may stand apart.
fn without_groups(whole: &str) -> Result<String, InputError> {
    let is_digit = |c: char| c.is_ascii_digit();
    let Some(mark) = whole.chars().find(|c| !is_digit(*c)) else { return Ok(whole.to_owned()) };
    let is_group_mark = matches!(mark, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}');
    let mut groups = whole.split(mark);
    let first = groups.next().unwrap_or_default();
    let is_first = (1..=3).contains(&first.len()) && first.chars().all(is_digit);
    let are_groups = groups.all(|group| group.len() == 3 && group.chars().all(is_digit));
    if is_group_mark && is_first && are_groups {
        Ok(whole.replace(mark, ""))
    } else {
        Err(InputError::Unreadable)
    }
}
