//! Periods the way sums are kept: of whole months, and of the days before and after them.

use std::ops::RangeInclusive;

use chrono::{Datelike as _, Months, NaiveDate};

/// A period split into whole months and the days beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WholeMonths {
    /// The first days of the first and of the last whole month; the first is later if there is none.
    pub months: RangeInclusive<NaiveDate>,
    /// The days before and after the whole months.
    pub days: Vec<RangeInclusive<NaiveDate>>,
}

impl WholeMonths {
    /// The period from one day until another, included.
    pub(super) fn new(from: NaiveDate, until: NaiveDate) -> Self {
        let begins = |day: NaiveDate| day.with_day(1).unwrap_or(day);
        let next = |day: NaiveDate| begins(day).checked_add_months(Months::new(1)).unwrap_or(NaiveDate::MAX);
        let before =
            |day: NaiveDate| begins(day).checked_sub_months(Months::new(1)).unwrap_or(NaiveDate::MIN);
        let ends_month = until.succ_opt().is_none_or(|next| next.day() == 1);
        let first = if from.day() == 1 { from } else { next(from) };
        let last = if ends_month { begins(until) } else { before(until) };
        let mut days = Vec::new();
        if first > last {
            days.push(from..=until);
        } else {
            days.extend(first.pred_opt().filter(|_| from.day() != 1).map(|end| from..=end));
            days.extend((!ends_month).then(|| begins(until)..=until));
        }
        Self { months: first..=last, days }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    /// Every day of the period is in exactly one part, and no other day in any.
    #[test]
    fn every_day_of_a_period_is_in_one_part() {
        let days: Vec<NaiveDate> = day("2026-01-01").iter_days().take(150).collect();
        for from in &days {
            for until in days.iter().filter(|until| *until >= from) {
                let parts = WholeMonths::new(*from, *until);
                for one in &days {
                    let month = one.with_day(1).unwrap();
                    let of_days = parts.days.iter().filter(|days| days.contains(one)).count();
                    let found = of_days + usize::from(parts.months.contains(&month));
                    assert_eq!(
                        found,
                        usize::from((from..=until).contains(&one)),
                        "{one} of {from} until {until}"
                    );
                }
            }
        }
    }

    #[test]
    fn whole_months_need_no_days_and_a_part_of_one_no_months() {
        let year = WholeMonths::new(day("2026-01-01"), day("2026-12-31"));
        assert_eq!(year, WholeMonths { months: day("2026-01-01")..=day("2026-12-01"), days: vec![] });
        let all = WholeMonths::new(NaiveDate::MIN, NaiveDate::MAX);
        assert_eq!(all.days, []);
        let week = WholeMonths::new(day("2026-02-02"), day("2026-02-08"));
        assert!(week.months.is_empty());
        assert_eq!(week.days, [day("2026-02-02")..=day("2026-02-08")]);
    }
}
