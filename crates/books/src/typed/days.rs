//! Days.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::{DayOrder, InputError, InputFormat};
use owlbox_base::values::is_in_calendar;

/// A day. Its year has four digits, so that it is none of the other two.
///
/// # Errors
/// [`InputError`].
pub fn day(typed: &str, writing: InputFormat) -> Result<NaiveDate, InputError> {
    let typed = without_midnight(typed.trim(), writing);
    let mark = typed.chars().find(|c| !c.is_ascii_digit()).ok_or(InputError::Unreadable)?;
    let parts: Vec<&str> = typed.split(mark).map(str::trim).collect();
    let [first, second, third] = parts.as_slice() else { return Err(InputError::Unreadable) };
    if writing.is_plain() {
        return match mark {
            '.' => date(third, second, first),
            '-' if second.len() == 2 && third.len() == 2 => date(first, second, third),
            _ => Err(InputError::Unreadable),
        };
    }
    match mark {
        '-' | '/' | '.' if first.len() == 4 => date(first, second, third),
        '.' => date(third, second, first),
        '/' | '-' => with_slashes(first, second, third, writing),
        _ => Err(InputError::Unreadable),
    }
}

/// A day and a time of it.
///
/// # Errors
/// [`InputError`].
pub fn moment(typed: &str, writing: InputFormat) -> Result<NaiveDateTime, InputError> {
    let (typed_day, typed_time) = typed.trim().rsplit_once(['T', ' ']).ok_or(InputError::Unreadable)?;
    let time = time(typed_time)?;
    match day(typed_day.trim_end_matches(','), writing) {
        Ok(day) => Ok(day.and_time(time)),
        Err(InputError::Ambiguous(days)) => {
            Err(InputError::Ambiguous(days.map(|day| format!("{day} {}", time.format("%H:%M")))))
        }
        Err(InputError::Unreadable) => Err(InputError::Unreadable),
    }
}

/// A time of a day: `18:30`, `18.30`, `18h30`. Some browsers add seconds.
///
/// # Errors
/// [`InputError`].
pub fn time(typed: &str) -> Result<NaiveTime, InputError> {
    let ways = ["%H:%M", "%H:%M:%S%.f", "%H.%M", "%Hh%M"];
    let read = |way: &&str| NaiveTime::parse_from_str(typed.trim(), way).ok();
    ways.iter().find_map(read).ok_or(InputError::Unreadable)
}

/// A day whose year stands last: with more than twelve in one place there is one reading, else it is as was
/// said.
fn with_slashes(
    first: &str,
    second: &str,
    year: &str,
    writing: InputFormat,
) -> Result<NaiveDate, InputError> {
    let (day_first, month_first) = (date(year, second, first), date(year, first, second));
    match (day_first, month_first, writing.days) {
        (Ok(day), Ok(other), None) if day != other => {
            Err(InputError::Ambiguous([day.to_string(), other.to_string()]))
        }
        (_, Ok(day), Some(DayOrder::MonthFirst)) | (Ok(day), ..) | (Err(_), Ok(day), _) => Ok(day),
        (Err(unread), Err(_), _) => Err(unread),
    }
}

/// Spreadsheets write a time of midnight behind a day.
fn without_midnight(typed: &str, writing: InputFormat) -> &str {
    let midnights = [" 00:00:00", " 00:00", "T00:00:00", " 0:00"];
    let day = midnights.iter().find_map(|midnight| typed.strip_suffix(midnight));
    day.filter(|_| !writing.is_plain()).unwrap_or(typed)
}

fn date(year: &str, month: &str, day: &str) -> Result<NaiveDate, InputError> {
    let digits = |part: &str, least: usize, most: usize| {
        let fits = (least..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u32>().ok().filter(|_| fits)
    };
    let read = || {
        let year = i32::try_from(digits(year, 4, 4)?).ok()?;
        NaiveDate::from_ymd_opt(year, digits(month, 1, 2)?, digits(day, 1, 2)?)
    };
    read().filter(|day| is_in_calendar(*day)).ok_or(InputError::Unreadable)
}
