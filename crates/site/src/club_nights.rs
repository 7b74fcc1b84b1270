//! A year, a month or a night of the club: who came, who won and lost, how the games ended.

mod bars;

use std::collections::BTreeSet;

use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::{Datelike as _, NaiveDate};

use self::bars::BarChart;
use super::say::{NOBODY, Say};
use super::statistics::tallies::{Table, tables};
use super::visitor::Visitor;
use crate::pages::{Frame, Tab};
use owlbox_base::values::{Currency, Day, MinorUnits};
use owlbox_books::statistics::{ClubSpan, Month};
use owlbox_desk::Refused;
use owlbox_desk::nights::periods::{ClubNight, ClubPeriodScreen, PlayerNights};
use owlbox_http::problem::Problem;
use owlbox_locale::spreadsheet;
use owlbox_locale::{Amount, Locale};

pub(super) async fn year(visitor: Visitor, year: web::Path<i32>) -> Result<HttpResponse, Problem> {
    page(&visitor, ClubSpan::year(*year)).await
}

pub(super) async fn month(visitor: Visitor, path: web::Path<(i32, u32)>) -> Result<HttpResponse, Problem> {
    let (year, month) = *path;
    page(&visitor, ClubSpan::month(year, month)).await
}

pub(super) async fn night(visitor: Visitor, date: web::Path<Day>) -> Result<HttpResponse, Problem> {
    page(&visitor, Some(ClubSpan::Night(date.date()))).await
}

async fn page(visitor: &Visitor, span: Option<ClubSpan>) -> Result<HttpResponse, Problem> {
    let span = span.ok_or(Refused::NotFound("period"))?;
    let screen = visitor.service.desk.club_period(&visitor.actor()?, span).await?;
    let frame = visitor.frame(&title(&visitor.t, span), Some(Tab::Night));
    let page = ClubNightsPage { t: visitor.say(&NOBODY), frame, span, screen: &screen };
    visitor.answer(page.render())
}

/// `/club/years/{year}`, `/club/years/{year}/{month}` and `/club/nights/{date}`.
#[derive(Template)]
#[template(path = "club_nights.html")]
pub(crate) struct ClubNightsPage<'a> {
    pub t: Say<'a>,
    pub frame: Frame,
    pub span: ClubSpan,
    pub screen: &'a ClubPeriodScreen,
}

/// How a span is called.
fn title(t: &Locale, span: ClubSpan) -> String {
    match span {
        ClubSpan::Year(year) => year.to_string(),
        ClubSpan::Month(month) => t.month(month),
        ClubSpan::Night(day) => t.day(day),
    }
}

/// The address of a span's page; that of the API has the same below its own.
fn address(span: ClubSpan) -> String {
    match span {
        ClubSpan::Year(year) => format!("/club/years/{year}"),
        ClubSpan::Month(Month { year, month }) => format!("/club/years/{year}/{month}"),
        ClubSpan::Night(day) => format!("/club/nights/{day}"),
    }
}

impl ClubNightsPage<'_> {
    fn title(&self, span: &ClubSpan) -> String {
        title(&self.t, *span)
    }

    fn month(&self, month: &Month) -> ClubSpan {
        ClubSpan::Month(*month)
    }

    fn night(&self, night: &NaiveDate) -> ClubSpan {
        ClubSpan::Night(*night)
    }

    fn address(&self, span: &ClubSpan) -> String {
        address(*span)
    }

    /// The longer spans that this one is part of.
    fn within(&self) -> Vec<ClubSpan> {
        let first = self.screen.period.from;
        match self.span {
            ClubSpan::Year(_) => Vec::new(),
            ClubSpan::Month(_) => vec![ClubSpan::Year(first.year())],
            ClubSpan::Night(_) => vec![ClubSpan::Year(first.year()), ClubSpan::Month(first.into())],
        }
    }

    fn csv(&self) -> String {
        format!("/api/v1{}?{}", address(self.span), spreadsheet::query(&self.t))
    }

    fn games(&self) -> i64 {
        self.screen.period.nights.iter().map(|night| night.games).sum()
    }

    /// What there is on average: label and number.
    fn averages(&self) -> Vec<(String, String)> {
        let (t, of) = (&self.t, self.screen.period.averages);
        let is_night = matches!(self.span, ClubSpan::Night(_));
        // Of a single night the games and players are counted above.
        let a_night = |number: Option<i64>| number.filter(|_| !is_night).map(|number| about(t, number));
        let length_label = if is_night { "club-length" } else { "club-length-average" };
        [
            ("club-games-a-night", a_night(of.games)),
            ("club-players-a-night", a_night(of.players)),
            // Hundredths of half points are two hundredths of a point each.
            ("club-points-a-game", of.half_points.map(|number| about(t, number / 2))),
            (length_label, of.minutes.map(|number| length((number + 50) / 100))),
        ]
        .into_iter()
        .filter_map(|(label, text)| Some((t.get(label), text?)))
        .collect()
    }

    /// Bars for the months of a year or the nights of a month.
    fn bars(&self) -> Option<BarChart> {
        let (t, period): (&Locale, _) = (&self.t, &self.screen.period);
        let bar = |label: String, whole: String, games: i64, players: usize| {
            let players = i64::try_from(players).unwrap_or(i64::MAX);
            let said = t.fill("club-bar", &[("games", &games), ("players", &players)]);
            (label, t.labelled(whole, said), games, players)
        };
        match self.span {
            ClubSpan::Year(year) => {
                let months = period.months();
                let of = |month: u32| {
                    let month = Month { year, month };
                    let of = months.get(&month).copied().unwrap_or_default();
                    bar(month.month.to_string(), t.month(month), of.games, of.players)
                };
                let bars: Vec<_> = (1..=12).filter(|_| !months.is_empty()).map(of).collect();
                BarChart::new(t.get("club-bars-months"), t.get("club-bars-months-lead"), &bars)
            }
            ClubSpan::Month(_) => {
                let of = |night: &ClubNight| {
                    let day = night.night.format("%-d").to_string();
                    bar(day, t.day(night.night), night.games, night.players)
                };
                let bars: Vec<_> = period.nights.iter().map(of).collect();
                BarChart::new(t.get("club-bars-nights"), t.get("club-bars-nights-lead"), &bars)
            }
            ClubSpan::Night(_) => None,
        }
    }

    /// How many games a table has finished, in words.
    fn games_at(&self, games: &i32) -> String {
        self.t.count("games-count", &usize::try_from(*games).unwrap_or_default())
    }

    fn length(&self, minutes: &i64) -> String {
        length(*minutes)
    }

    /// The currencies with a column.
    fn currencies(&self) -> BTreeSet<Currency> {
        let money = self.screen.period.players.iter().flat_map(|one| one.money.iter().flatten());
        money.map(|won| won.currency).collect()
    }

    fn won(&self, one: &PlayerNights, currency: &Currency) -> Amount {
        let won = one.money.iter().flatten().find(|won| won.currency == *currency);
        self.t.money_alone(MinorUnits(won.map_or(0, |won| won.amount)), *currency)
    }

    /// How the games ended, one table for each property.
    fn counted(&self) -> Vec<Table> {
        let counted = tables(&self.t, &self.screen.period.games, None);
        counted.into_iter().filter(|table| table.id != "kind").collect()
    }
}

/// Hundredths with at most one decimal.
fn about(t: &Locale, hundredths: i64) -> String {
    let tenths = (hundredths + 5) / 10;
    #[expect(clippy::cast_precision_loss, reason = "a few digits")]
    let number = tenths as f64 / 10.0;
    t.decimals(number, usize::from(tenths % 10 != 0))
}

fn length(minutes: i64) -> String {
    format!("{}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_have_one_decimal_unless_they_are_whole() {
        let t = Locale::new(owlbox_locale::Language::English, chrono_tz::UTC);
        let told = [700, 733, 745, 705, 4].map(|hundredths| about(&t, hundredths));
        assert_eq!(told, ["7", "7.3", "7.5", "7.1", "0"]);
        assert_eq!([0, 59, 245].map(length), ["0:00", "0:59", "4:05"]);
    }
}
