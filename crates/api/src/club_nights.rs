//! The club's nights: a year, a month or one night, as JSON or CSV.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;

use super::csv::{Format, Reader, quoted};
use owlbox_base::values::{Currency, Day};
use owlbox_books::statistics::ClubSpan;
use owlbox_desk::Refused;
use owlbox_desk::nights::periods::{ClubPeriod, PlayerNights};
use owlbox_http::caller::Caller;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_locale::Language;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(club_year).service(club_month).service(club_night);
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct ClubQuery {
    /// `json` (the default), or `csv`: `player,name,guest,nights,ahead,behind,half_points`, one line per
    /// player, and a column in minor units for each currency if the caller may see everybody's ledger.
    #[serde(default)]
    #[cfg_attr(test, param(inline, value_type = Option<Format>))]
    format: Format,
    /// `spreadsheet`: as CSV for a person's spreadsheet, with a byte order mark, the separator and decimal
    /// mark of the language, headings in words, points and amounts; without ids.
    #[serde(rename = "for")]
    #[cfg_attr(test, param(inline))]
    reader: Option<Reader>,
    /// The language of that; by default the browser's, or the club's.
    #[cfg_attr(test, param(inline))]
    language: Option<Language>,
}

async fn answer(
    service: &Service,
    caller: Caller,
    span: Option<ClubSpan>,
    query: ClubQuery,
    request: &HttpRequest,
) -> Result<HttpResponse, Problem> {
    let span = span.ok_or(Refused::NotFound("period"))?;
    let period = service.desk.club_period(&caller.actor, span).await?.period;
    let reader = Reader::locale(query.reader, query.language, request).await?;
    Ok(query.format.answer(&period, "nights.csv", reader, || csv(&period)))
}

fn csv(period: &ClubPeriod) -> String {
    let money = period.players.iter().flat_map(|one| one.money.iter().flatten());
    let currencies: BTreeSet<Currency> = money.map(|won| won.currency).collect();
    let mut lines = String::from("player,name,guest,nights,ahead,behind,half_points");
    let columns: String = currencies.iter().map(|currency| format!(",{currency}")).collect();
    lines.push_str(&columns);
    lines.push_str("\r\n");
    for one in &period.players {
        let PlayerNights { player, name, guest, nights, ahead, behind, half_points, money } = one;
        let amount = |currency: &Currency| {
            let won = money.iter().flatten().find(|won| won.currency == *currency);
            format!(",{}", won.map_or(0, |won| won.amount))
        };
        let amounts: String = currencies.iter().map(amount).collect();
        let name = quoted(name);
        // Writing to a string cannot fail.
        let _ = write!(lines, "{player},{name},{guest},{nights},{ahead},{behind},{half_points}{amounts}\r\n");
    }
    lines
}

/// Shows the club's nights of a year: who came, who won and lost, how the games ended.
///
/// Only chouettes are counted. A player came to a night if they had a seat at a table with a finished game.
/// Needs `view_players` and `view_standings`; amounts of money need `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    params(("year" = i32, Path, description = "The year", example = 2026), ClubQuery),
    responses((status = 200, content((ClubPeriod = "application/json"), (String = "text/csv"))))
))]
#[get("/club/years/{year}")]
async fn club_year(
    service: Service,
    caller: Caller,
    year: web::Path<i32>,
    query: web::Query<ClubQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    answer(&service, caller, ClubSpan::year(*year), *query, &request).await
}

/// Shows the club's nights of a month, as those of a year.
///
/// Needs `view_players` and `view_standings`; amounts of money need `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    params(
        ("year" = i32, Path, description = "The year", example = 2026),
        ("month" = u32, Path, description = "The month, from 1 to 12", example = 11),
        ClubQuery
    ),
    responses((status = 200, content((ClubPeriod = "application/json"), (String = "text/csv"))))
))]
#[get("/club/years/{year}/{month}")]
async fn club_month(
    service: Service,
    caller: Caller,
    path: web::Path<(i32, u32)>,
    query: web::Query<ClubQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (year, month) = *path;
    answer(&service, caller, ClubSpan::month(year, month), *query, &request).await
}

/// Shows one night of the club, as those of a year.
///
/// Needs `view_players` and `view_standings`; amounts of money need `view_any_ledger`.
#[cfg_attr(test, utoipa::path(
    params(("date" = chrono::NaiveDate, Path, description = "The day on which the night began"), ClubQuery),
    responses((status = 200, content((ClubPeriod = "application/json"), (String = "text/csv"))))
))]
#[get("/club/nights/{date}")]
async fn club_night(
    service: Service,
    caller: Caller,
    date: web::Path<Day>,
    query: web::Query<ClubQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    answer(&service, caller, Some(ClubSpan::Night(date.date())), *query, &request).await
}
