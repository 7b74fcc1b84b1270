//! Amounts, points and days as people and spreadsheets write them: in forms, and in the tables that they
//! bring.
//!
//! | written | read as |
//! |---|---|
//! | `12.50` `12,50` `1.240,00` `1,240.00` `1 240,50` `1'240.50` `5.–` | the sign before the decimals may be a point or a comma |
//! | `12,50 €` `CHF 1'240.50` `EUR 5` | an amount may name its currency, and no other |
//! | `-5` `−5` `+5` `5-` `(5)` | signs on either side |
//! | `2½` `½` `2 1/2` `2.5` `2,5` | points are halves |
//! | `2025-11-30` `30.11.2025` `30/11/2025` `11/30/2025` | days; with points the day comes first |
//! | `2025-11-30T18:30` `30.11.2025 18:30` `18.30` `18h30` | moments, and times of a day |
//!
//! What can mean two things is [`InputError::Ambiguous`], never a guess: `1.240` is 1240 or 1.24, unless the
//! currency or the [`InputFormat`] leaves one of them: `1.245` is no amount of euros, so it is 1245;
//! `03/04/2025` is in March or in April. What a page prints in a language, it reads in it.

mod days;
mod number;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use strum::EnumString;

use crate::club::Language;
use crate::unit::Unit;
use owlbox_base::values::{Currency, HalfPoints};

pub use days::{day, moment, time};

/// The sign before decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, EnumString)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DecimalMark {
    /// `1,240.50`
    Point,
    /// `1.240,50`
    Comma,
}

/// What comes first in a day with slashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, EnumString)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DayOrder {
    /// `30/11/2025`
    DayFirst,
    /// `11/30/2025`
    MonthFirst,
}

/// How somebody writes. Nothing said is what the API takes: plain numbers, and days as `2025-11-30` or
/// `30.11.2025`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputFormat {
    /// Their language: that of the page.
    pub language: Option<Language>,
    /// Where it was said which sign is which.
    pub numbers: Option<DecimalMark>,
    /// Where it was said what comes first.
    pub days: Option<DayOrder>,
}

/// Why something that was typed has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputError {
    /// It is no such value.
    Unreadable,
    /// It has two, each written so that it has only one.
    Ambiguous([String; 2]),
}

/// What stands between groups of three digits, and before decimals.
#[must_use]
pub const fn marks(language: Language) -> (char, char) {
    match language {
        Language::English => (',', '.'),
        Language::German | Language::Italian => ('.', ','),
        // A narrow no-break space.
        Language::French => ('\u{202f}', ','),
    }
}

impl InputFormat {
    /// As somebody who reads pages in this language writes.
    #[must_use]
    pub const fn of(language: Language) -> Self {
        Self { language: Some(language), numbers: None, days: None }
    }

    /// Whether nothing is said.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The sign before decimals, if it is known.
    fn mark(&self) -> Option<char> {
        let of_numbers = |mark| if mark == DecimalMark::Point { '.' } else { ',' };
        self.numbers.map(of_numbers).or(self.language.map(|language| marks(language).1))
    }
}

/// An amount with its sign, in units of its unit.
///
/// # Errors
/// [`InputError`].
pub fn amount(typed: &str, unit: Unit, writing: InputFormat) -> Result<i64, InputError> {
    let read = |digits: &str| {
        one_of_two(digits, |digits| match unit {
            Unit::HalfPoints => points(digits, writing),
            Unit::Money(currency) => number::decimal(digits, currency.decimals(), writing),
        })
    };
    match unit {
        _ if writing.is_plain() => number::plainly_signed(typed, read),
        Unit::HalfPoints => number::signed(typed, number::OF_POINTS, read),
        Unit::Money(currency) => {
            number::signed(typed, &[names_of(currency), &[currency.code()]].concat(), read)
        }
    }
}

/// Reads what can mean two things as the one of them that there is: euros have no third decimal, points no
/// quarters.
fn one_of_two(typed: &str, read: impl Fn(&str) -> Result<i64, InputError>) -> Result<i64, InputError> {
    match read(typed) {
        Err(InputError::Ambiguous([whole, part])) if read(&part) == Err(InputError::Unreadable) => {
            read(&whole)
        }
        read => read,
    }
}

/// A number with at most so many decimals, in units of the last, zero or above: a percentage, for instance.
///
/// # Errors
/// [`InputError`].
pub fn decimal(typed: &str, decimals: u32, writing: InputFormat) -> Result<i64, InputError> {
    one_of_two(typed.trim(), |typed| number::decimal(typed, decimals, writing))
}

/// Points, zero or above.
///
/// # Errors
/// [`InputError`].
pub fn half_points(typed: &str, writing: InputFormat) -> Result<HalfPoints, InputError> {
    let points = amount(typed, Unit::HalfPoints, writing)?;
    if points < 0 { Err(InputError::Unreadable) } else { Ok(HalfPoints(points)) }
}

/// Points without a sign, in half points.
fn points(digits: &str, writing: InputFormat) -> Result<i64, InputError> {
    let half = [" ½", "½", " 1/2"].iter().find_map(|half| digits.strip_suffix(half));
    if let Some(whole) = half.or((digits == "1/2").then_some("")) {
        let whole = if whole.is_empty() { 0 } else { number::decimal(whole, 0, writing)? };
        return whole.checked_mul(2).and_then(|whole| whole.checked_add(1)).ok_or(InputError::Unreadable);
    }
    match number::decimal(digits, 1, writing)? {
        tenths if tenths % 5 == 0 => Ok(tenths / 5),
        _ => Err(InputError::Unreadable),
    }
}

/// What an amount may call its currency, beside the code.
fn names_of(currency: Currency) -> &'static [&'static str] {
    match currency.code() {
        "EUR" => &["€", "Euros", "Euro"],
        "CHF" => &["SFr.", "SFr", "Fr.", "Fr"],
        "GBP" => &["£"],
        "USD" => &["US$", "$"],
        "CAD" => &["CA$", "$"],
        "AUD" => &["A$", "$"],
        "NZD" => &["NZ$", "$"],
        "JPY" => &["¥"],
        "PLN" => &["zł"],
        "CZK" => &["Kč"],
        "HUF" => &["Ft"],
        "SEK" => &["kr.", "kr"],
        "NOK" => &["kr.", "kr"],
        "DKK" => &["kr.", "kr"],
        _ => &[],
    }
}

/// The currency that a word or sign names, if it is one of these.
#[must_use]
pub fn currency(typed: &str, among: &[Currency]) -> Option<Currency> {
    let is = |currency: &&Currency| {
        let same = |name: &&str| name.to_lowercase() == typed.to_lowercase();
        currency.code().eq_ignore_ascii_case(typed) || names_of(**currency).iter().any(same)
    };
    let mut named = among.iter().filter(is);
    named.next().filter(|_| named.next().is_none()).copied()
}
