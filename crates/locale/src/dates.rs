//! Dates and times in the club's time zone.

use chrono::{DateTime, Datelike, NaiveDate, TimeDelta, Timelike};
use chrono_tz::Tz;

use super::Locale;
use owlbox_base::values::Timestamp;
use owlbox_books::statistics::Month;
use owlbox_play::tournament::about::TimeOfDay;

impl Locale {
    fn local(&self, moment: &Timestamp) -> DateTime<Tz> {
        moment.utc().with_timezone(&self.zone)
    }

    /// The time of day: `21:07`.
    #[must_use]
    pub fn time(&self, moment: &Timestamp) -> String {
        let local = self.local(moment);
        format!("{:02}:{:02}", local.hour(), local.minute())
    }

    /// The date: `Fri 20 Nov 2026`, in German `Fr 20. Nov 2026`.
    #[must_use]
    pub fn date(&self, moment: &Timestamp) -> String {
        self.day(self.local(moment).date_naive())
    }

    /// The day of the night that a moment belongs to: a night goes on until six in the morning.
    #[must_use]
    pub fn night(&self, moment: &Timestamp) -> NaiveDate {
        (self.local(moment).naive_local() - TimeDelta::hours(6)).date()
    }

    /// A calendar day, written like [`date`](Self::date).
    #[must_use]
    pub fn day(&self, day: NaiveDate) -> String {
        let nth = |key, index: u32| {
            self.get(key).split_whitespace().nth(index as usize).unwrap_or_default().to_owned()
        };
        let weekday = nth("weekdays", day.weekday().num_days_from_monday());
        let month = nth("months", day.month0());
        let (day, year) = (day.day(), day.year());
        self.fill("date", &[("weekday", &weekday), ("day", &day), ("month", &month), ("year", &year)])
    }

    /// A month of a year: `Nov 2026`.
    #[must_use]
    pub fn month(&self, month: Month) -> String {
        let index = usize::try_from(month.month).unwrap_or_default().saturating_sub(1);
        let names = self.get("months");
        format!("{} {}", names.split_whitespace().nth(index).unwrap_or_default(), month.year)
    }

    /// The month of a day: `Nov 2026`.
    #[must_use]
    pub fn month_of(&self, day: NaiveDate) -> String {
        self.month(Month { year: day.year(), month: day.month() })
    }

    /// A calendar day, with the time if there is one: `Fri 20 Nov 2026, 19:30`.
    #[must_use]
    pub fn day_at(&self, day: NaiveDate, time: Option<TimeOfDay>) -> String {
        let day = self.day(day);
        time.map_or_else(|| day.clone(), |time| format!("{day}, {time}"))
    }

    /// Date and time: `Fri 20 Nov 2026, 21:07`.
    #[must_use]
    pub fn date_time(&self, moment: &Timestamp) -> String {
        format!("{}, {}", self.date(moment), self.time(moment))
    }

    /// The moment in RFC 3339, for a `<time>` element.
    #[must_use]
    pub fn machine_time(&self, moment: &Timestamp) -> String {
        moment.utc().to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn a_night_goes_on_until_six_in_the_morning() {
        let t = Locale::new(Language::English, chrono_tz::Europe::Rome);
        for (moment, night) in [
            ("2026-11-20T20:07:00Z", "2026-11-20"),
            ("2026-11-21T04:59:59Z", "2026-11-20"),
            ("2026-11-21T05:00:00Z", "2026-11-21"),
        ] {
            let moment: DateTime<chrono::Utc> = moment.parse().unwrap();
            assert_eq!(t.night(&moment.into()).to_string(), night, "{moment}");
        }
    }

    #[test]
    fn times_are_those_of_the_clubs_clock() {
        let moment: DateTime<chrono::Utc> = "2026-11-20T23:07:00Z".parse().unwrap();
        let [en, de, it] = [Language::English, Language::German, Language::Italian]
            .map(|language| Locale::new(language, chrono_tz::Europe::Rome));
        assert_eq!(en.date_time(&moment.into()), "Sat 21 Nov 2026, 00:07");
        assert_eq!(de.date_time(&moment.into()), "Sa 21. Nov 2026, 00:07");
        assert_eq!(it.date_time(&moment.into()), "sab 21 nov 2026, 00:07");
        assert_eq!(en.machine_time(&moment.into()), "2026-11-20T23:07:00Z");
    }
}
