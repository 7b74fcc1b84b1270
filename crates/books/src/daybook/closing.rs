//! Months, and the day a transaction counts for.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike as _, Days, Months, NaiveDate};
use serde::{Deserialize, Serialize};

use owlbox_base::values::{InvalidValue, is_in_calendar};

/// A month of the calendar, as its first day. Written `2026-11`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^(19[0-9]{2}|2[01][0-9]{2}|2200)-(0[1-9]|1[0-2])$", example = "2026-11"))]
pub struct Month(NaiveDate);

impl Month {
    /// The month that `day` is in.
    #[must_use]
    pub fn of(day: NaiveDate) -> Self {
        Self(day.with_day(1).unwrap_or(day))
    }

    #[must_use]
    pub const fn first_day(self) -> NaiveDate {
        self.0
    }

    #[must_use]
    pub fn last_day(self) -> NaiveDate {
        self.next().0.checked_sub_days(Days::new(1)).unwrap_or(self.0)
    }

    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.checked_add_months(Months::new(1)).unwrap_or(self.0))
    }

    #[must_use]
    pub fn previous(self) -> Self {
        Self(self.0.checked_sub_months(Months::new(1)).unwrap_or(self.0))
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.0.year(), self.0.month())
    }
}
impl FromStr for Month {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let month = || {
            let (year, month) = text.split_once('-')?;
            let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
            let written_so = year.len() == 4 && month.len() == 2 && digits(year) && digits(month);
            let first = NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, 1)?;
            (written_so && is_in_calendar(first)).then_some(Self(first))
        };
        let allowed = "a month from 1900-01 to 2200-12, like 2026-11";
        month().ok_or(InvalidValue { what: "month", allowed })
    }
}
impl TryFrom<String> for Month {
    type Error = InvalidValue;
    fn try_from(text: String) -> Result<Self, InvalidValue> {
        text.parse()
    }
}
impl From<Month> for String {
    fn from(month: Month) -> Self {
        month.to_string()
    }
}

/// Up to which month the books are closed: that month and all before it. `None` if none is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closing(pub Option<Month>);

impl Closing {
    /// Whether `day` is in a closed month.
    #[must_use]
    pub fn covers(self, day: NaiveDate) -> bool {
        self.0.is_some_and(|closed| Month::of(day) <= closed)
    }

    /// The first month that is open; `None` if all are.
    #[must_use]
    fn first_open(self) -> Option<Month> {
        self.0.map(Month::next)
    }

    /// The months before that of `today` that are open, at most so many, newest first.
    #[must_use]
    pub fn open_months(self, today: NaiveDate, most: usize) -> Vec<Month> {
        let newest = Month::of(today).previous();
        let months = std::iter::successors(Some(newest), |month| Some(month.previous()));
        months.take(most).take_while(|month| !self.covers(month.first_day())).collect()
    }
}

/// The day that a transaction of `night`, posted on `today`, counts for: the night, or if its month is
/// closed, the day of posting; and if even that is closed, the first day that is open.
#[must_use]
pub fn counts_for(night: NaiveDate, today: NaiveDate, closing: Closing) -> NaiveDate {
    if !closing.covers(night) {
        return night;
    }
    let first_open = closing.first_open().map_or(today, Month::first_day);
    today.max(first_open)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn months_read_as_they_are_written_and_follow_each_other() {
        let december: Month = "2026-12".parse().unwrap();
        assert_eq!(december.to_string(), "2026-12");
        assert_eq!(december.next().to_string(), "2027-01");
        assert_eq!(december.next().previous(), december);
        assert_eq!(december.last_day(), day("2026-12-31"));
        assert_eq!("2024-02".parse::<Month>().unwrap().last_day(), day("2024-02-29"));
        for bad in ["2026", "2026-13", "2026-1", "26-01", "2026-00", "2201-01", "+026-01", "2026-+1", ""] {
            assert!(bad.parse::<Month>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_months_to_close_are_the_open_ones_before_this_one() {
        let months = |closed: Option<&str>, most| {
            let closing = Closing(closed.map(|month| month.parse().unwrap()));
            closing.open_months(day("2026-02-20"), most).iter().map(Month::to_string).collect::<Vec<_>>()
        };
        assert_eq!(months(None, 3), ["2026-01", "2025-12", "2025-11"]);
        assert_eq!(months(Some("2025-11"), 3), ["2026-01", "2025-12"]);
        assert_eq!(months(Some("2026-01"), 3), [""; 0]);
        assert_eq!(months(Some("2026-03"), 3), [""; 0], "a month ahead, after a clock was set back");
    }

    #[test]
    fn what_is_posted_for_a_closed_month_counts_for_the_day_of_posting() {
        let closed = Closing(Some("2026-10".parse().unwrap()));
        let today = day("2026-11-20");
        assert_eq!(counts_for(day("2026-11-03"), today, closed), day("2026-11-03"));
        assert_eq!(counts_for(day("2026-10-31"), today, closed), today);
        assert_eq!(counts_for(day("2025-01-01"), today, closed), today);
        assert_eq!(counts_for(day("2025-01-01"), today, Closing(None)), day("2025-01-01"));
        // A clock set back must not open the closed month again.
        assert_eq!(counts_for(day("2026-10-31"), day("2026-10-31"), closed), day("2026-11-01"));
    }
}
