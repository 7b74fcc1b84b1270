//! What tournaments brought the club, over a period.

use actix_web::HttpResponse;
use askama::Template as _;
use chrono::{Datelike as _, NaiveDate};

use super::days::AskedDays;
use super::ledger::books;
use super::visitor::Visitor;
use crate::pages::sorted::address;
use crate::pages::{IncomePage, Sums, Tab, TournamentSums};
use owlbox_desk::books::income::{IncomeReport, Period};
use owlbox_http::problem::Problem;
use owlbox_locale::Locale;
use owlbox_locale::spreadsheet;

const HERE: &str = "/ledger/tournaments";

pub(super) async fn show(visitor: Visitor) -> Result<HttpResponse, Problem> {
    let days = AskedDays::of(&visitor);
    let period = Period { from: days.from, until: days.until };
    let desk = &visitor.service.desk;
    let IncomeReport { totals, items } = desk.tournament_income(&visitor.actor()?, period).await?;
    let t = visitor.t;
    let csv = spreadsheet::asked(&t).into_iter().chain(typed(period)).collect::<Vec<_>>();
    let [(_, from), (_, until)] = typed(period);
    let today = visitor.settings().night_of(desk.now());
    let page = IncomePage {
        t,
        frame: days.frame(&visitor, &t.get("income-title"), Tab::Ledger),
        books: books(&visitor, HERE),
        periods: periods(&t, today, period, HERE),
        days: [from, until],
        csv: address("/api/v1/ledger/tournaments", &csv),
        totals: totals.iter().map(|total| Sums::new(&t, total.currency, &total.income)).collect(),
        tournaments: items
            .iter()
            .map(|one| TournamentSums {
                name: one.name.clone(),
                day: t.day(one.date),
                link: format!("/ledger/pools/{}?unit={}", one.tournament, one.currency),
                sums: Sums::new(&t, one.currency, &one.income),
            })
            .collect(),
    };
    days.answer(&visitor, page.render())
}

/// The fields of a period, as typed.
pub(super) fn typed(period: Period) -> [(&'static str, String); 2] {
    let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
    [("from", day(period.from)), ("until", day(period.until))]
}

/// Links to the periods that a page `here` offers: label, address, and whether it is `chosen`.
pub(super) fn periods(
    t: &Locale,
    today: NaiveDate,
    chosen: Period,
    here: &str,
) -> Vec<(String, String, bool)> {
    let link = |(label, period): (Option<String>, Period)| {
        let label = label.unwrap_or_else(|| t.get("income-ever"));
        (label, address(here, &typed(period)), period == chosen)
    };
    offered(today).into_iter().map(link).collect()
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
