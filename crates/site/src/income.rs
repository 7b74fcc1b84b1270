//! What tournaments brought the club, over a period.

use actix_web::HttpResponse;
use askama::Template;
use chrono::{Datelike as _, NaiveDate};

use super::books::{INCOME, books};
use super::days::AskedDays;
use super::say::{NOBODY, Say};
use super::visitor::Visitor;
use crate::pages::{ChipLink, Frame, Tab};
use owlbox_desk::books::income::{IncomeReport, Period};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_locale::spreadsheet;
use owlbox_locale::url::address;

/// `/ledger/tournaments?from=&until=`
#[derive(Template)]
#[template(path = "income.html")]
pub(super) struct IncomePage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub books: Vec<ChipLink>,
    pub asked: AskedPeriod,
    /// The address of the same figures as CSV.
    pub csv: String,
    pub report: &'a IncomeReport,
}

/// The period of a page, and those that it offers.
pub(super) struct AskedPeriod {
    /// The address of the page.
    pub here: &'static str,
    pub period: Period,
    /// The club's day.
    pub today: NaiveDate,
}

impl AskedPeriod {
    pub fn of(visitor: &Visitor, days: &AskedDays, here: &'static str) -> Self {
        let today = visitor.settings().night_of(visitor.service.desk.now());
        Self { here, period: Period { from: days.from, until: days.until }, today }
    }

    /// The first and the last day, as typed.
    pub fn typed(&self) -> [(&'static str, String); 2] {
        typed(self.period)
    }

    /// Links to the periods.
    pub fn offered(&self, t: &Locale) -> Vec<ChipLink> {
        let link = |(label, period): (Option<String>, Period)| {
            let label = label.unwrap_or_else(|| t.get("income-ever"));
            ChipLink::new(label, address(self.here, &typed(period)), period == self.period)
        };
        offered(self.today).into_iter().map(link).collect()
    }

    pub fn is_limited(&self) -> bool {
        self.period != Period::default()
    }
}

pub(super) async fn show(visitor: Visitor) -> Result<HttpResponse, Problem> {
    let (days, visitor) = AskedDays::of(visitor);
    let asked = AskedPeriod::of(&visitor, &days, INCOME);
    let report = visitor.service.desk.tournament_income(&visitor.actor()?, asked.period).await?;
    let csv: Vec<_> = spreadsheet::asked(&visitor.t).into_iter().chain(asked.typed()).collect();
    let frame = visitor.frame(&visitor.t.get("income-title"), Some(Tab::Ledger));
    let page = IncomePage {
        t: visitor.say(&NOBODY),
        frame,
        books: books(&visitor, INCOME),
        asked,
        csv: address("/api/v1/ledger/tournaments", &csv),
        report: &report,
    };
    visitor.answer(page.render())
}

/// The fields of a period, as typed.
fn typed(period: Period) -> [(&'static str, String); 2] {
    let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
    [("from", day(period.from)), ("until", day(period.until))]
}

/// Everything, this year and the one before, and the months of this year up to now. Everything has no label.
pub(super) fn offered(today: NaiveDate) -> Vec<(Option<String>, Period)> {
    let first = |year: i32, month: u32| NaiveDate::from_ymd_opt(year, month, 1);
    let between = |from: Option<NaiveDate>, next: Option<NaiveDate>| Period {
        from,
        until: next.and_then(|next| next.pred_opt()),
    };
    let year = |year: i32| (Some(year.to_string()), between(first(year, 1), first(year + 1, 1)));
    let month = |month: u32| {
        let (of, next) = (today.year(), month % 12 + 1);
        let ends = first(if next == 1 { of + 1 } else { of }, next);
        (Some(format!("{of}-{month:02}")), between(first(of, month), ends))
    };
    let all = std::iter::once((None, Period::default()));
    let years = [today.year(), today.year() - 1].map(year);
    all.chain(years).chain((1..=today.month()).rev().take(3).map(month)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_periods_offered_are_everything_two_years_and_the_months_of_late() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let said = |today: &str| -> Vec<String> {
            let text = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
            offered(day(today))
                .into_iter()
                .map(|(label, Period { from, until })| {
                    format!("{} {}..{}", label.unwrap_or_default(), text(from), text(until)).trim().to_owned()
                })
                .collect()
        };
        assert_eq!(
            said("2026-12-05"),
            [
                "..",
                "2026 2026-01-01..2026-12-31",
                "2025 2025-01-01..2025-12-31",
                "2026-12 2026-12-01..2026-12-31",
                "2026-11 2026-11-01..2026-11-30",
                "2026-10 2026-10-01..2026-10-31",
            ]
        );
        assert_eq!(
            said("2026-02-28")[3..],
            ["2026-02 2026-02-01..2026-02-28", "2026-01 2026-01-01..2026-01-31"]
        );
    }
}
