//! The tables of the club's seasons, as JSON or CSV.

use std::fmt::Write as _;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;

use super::csv::{Format, Reader, quoted};
use owlbox_desk::nights::seasons::{SeasonPlayer, SeasonTable};
use owlbox_http::caller::Caller;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_locale::Language;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(season_table);
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct SeasonQuery {
    /// `json` (the default), or `csv`: `place,player,name,guest,hundredths,nights,counted,won,half_points`,
    /// one line per player.
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

fn csv(table: &SeasonTable) -> String {
    let mut lines = String::from("place,player,name,guest,hundredths,nights,counted,won,half_points\r\n");
    for one in &table.players {
        let SeasonPlayer { place, player, name, guest, hundredths, nights, counted, won, half_points } = one;
        let place = place.map(|place| place.to_string()).unwrap_or_default();
        let name = quoted(name);
        // Writing to a string cannot fail.
        let _ = write!(
            lines,
            "{place},{player},{name},{guest},{hundredths},{nights},{counted},{won},{half_points}\r\n"
        );
    }
    lines
}

/// Shows the table of a season, by the rule in the club's settings.
///
/// Each night gives points for coming, for the place by its score, for the score itself, or for several of
/// these. Points are hundredths. Players with the same points share a place. Only chouettes count, and the
/// seasons are in the club's settings. Needs `view_players` and `view_standings`.
#[cfg_attr(test, utoipa::path(
    params(
        ("name" = String, Path, description = "The season's name; capitals do not matter", example = "Winter 2026"),
        SeasonQuery
    ),
    responses((status = 200, content((SeasonTable = "application/json"), (String = "text/csv"))))
))]
#[get("/seasons/{name}")]
async fn season_table(
    service: Service,
    caller: Caller,
    name: web::Path<String>,
    query: web::Query<SeasonQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let table = service.desk.season(&caller.actor, &name).await?;
    let reader = Reader::locale(query.reader, query.language, &request).await?;
    Ok(query.format.answer(&table, "season.csv", reader, || csv(&table)))
}
