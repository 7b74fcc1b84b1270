//! Statistics: who won how many games of which kind (M8), as JSON or CSV.

use std::fmt::Write as _;

use actix_web::{HttpResponse, get, web};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::caller::Caller;
use crate::problem::Problem;
use crate::service::Service;
use owlbox_desk::statistics::Filter;
use owlbox_domain::statistics::{Began, Group, Kind, Month, Record, Summary};
use owlbox_domain::values::{Day, PlayerId};
use owlbox_engine::Variant;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(of_player).service(of_pair).service(of_club);
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = StatisticsFormat)]
enum Format {
    /// As JSON.
    #[default]
    Json,
    /// As a table for a spreadsheet: `by,value,games,won,lost,drawn,half_points`, a line each group, `total` first.
    Csv,
}

/// Which games are counted, and how they are answered.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct StatisticsQuery {
    /// At what they were played.
    #[param(inline)]
    kind: Option<Kind>,
    /// Which game it was.
    variant: Option<Variant>,
    /// From this day on.
    #[param(value_type = Option<chrono::NaiveDate>)]
    from: Option<Day>,
    /// Until this day, with it.
    #[param(value_type = Option<chrono::NaiveDate>)]
    until: Option<Day>,
    /// Which side began, seen from the player's; of the club, from the winner's.
    #[param(inline)]
    began: Option<Began>,
    /// `json`, or `csv`.
    #[serde(default)]
    #[param(inline, value_type = Option<Format>)]
    format: Format,
}

impl StatisticsQuery {
    fn filter(self) -> Filter {
        Filter {
            kind: self.kind,
            variant: self.variant,
            from: self.from.map(Day::date),
            until: self.until.map(Day::date),
            began: self.began,
        }
    }
}

fn answer(query: StatisticsQuery, summary: &Summary) -> HttpResponse {
    match query.format {
        Format::Json => HttpResponse::Ok().json(summary),
        Format::Csv => HttpResponse::Ok()
            .content_type("text/csv; charset=utf-8")
            .insert_header(("Content-Disposition", "attachment; filename=\"statistics.csv\""))
            .body(csv(summary)),
    }
}

/// A line each group, with no word that would need quotes.
fn csv(summary: &Summary) -> String {
    let mut lines = String::from("by,value,games,won,lost,drawn,half_points\r\n");
    line(&mut lines, "total", "", &summary.total);
    let mut all = |by: &str, groups: Vec<(String, Record)>| {
        groups.iter().for_each(|(value, record)| line(&mut lines, by, value, record));
    };
    all("kind", texts(&summary.by_kind, |kind| kind.to_string()));
    all("variant", texts(&summary.by_variant, |variant| variant.key().to_owned()));
    all("began", texts(&summary.by_began, |began| began.to_string()));
    all("role", texts(&summary.by_role, |role| role.to_string()));
    all("ending", texts(&summary.by_ending, |ending| ending.to_string()));
    all("cube", texts(&summary.by_cube, |cube| cube.to_string()));
    all("month", texts(&summary.by_month, Month::to_string));
    all("opponent", texts(&summary.by_opponent, |opponent| opponent.to_string()));
    lines
}

fn texts<T>(groups: &[Group<T>], text: impl Fn(&T) -> String) -> Vec<(String, Record)> {
    groups.iter().map(|group| (text(&group.value), group.record)).collect()
}

fn line(lines: &mut String, by: &str, value: &str, record: &Record) {
    let Record { games, won, lost, drawn, half_points } = record;
    // Writing to a string cannot fail.
    let _ = write!(lines, "{by},{value},{games},{won},{lost},{drawn},{half_points}\r\n");
}

/// Counts a player's games: won, lost and drawn, in all and by kind, variant, who began, role, ending, cube, month and opponent.
///
/// A game that is contested counts once a scorer has ruled. Of a chouette a game is won by whoever has more after it than before;
/// how it ended for him, and at which cube, is what his largest bet says that went so. Needs `view_own_ledger` for one's own,
/// `view_any_ledger` for others'.
#[utoipa::path(
    operation_id = "player_statistics",
    tag = "statistics",
    params(("id" = PlayerId, Path, description = "The player"), StatisticsQuery),
    responses(
        (status = 200, content((Summary = "application/json"), (String = "text/csv"))),
        (status = 403, body = Problem),
        (status = 404, body = Problem)
    )
)]
#[get("/players/{id}/statistics")]
async fn of_player(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<PlayerId>,
    query: web::Query<StatisticsQuery>,
) -> Result<HttpResponse, Problem> {
    let summary = service.desk.statistics(&caller.actor, *id, None, query.filter()).await?;
    Ok(answer(*query, &summary))
}

/// Counts the games of a player against another: at a chouette, those in which the two had a bet.
///
/// Needs `view_own_ledger` for one's own, `view_any_ledger` for others'.
#[utoipa::path(
    operation_id = "pair_statistics",
    tag = "statistics",
    params(
        ("id" = PlayerId, Path, description = "The player"),
        ("other" = PlayerId, Path, description = "Against whom"),
        StatisticsQuery
    ),
    responses(
        (status = 200, content((Summary = "application/json"), (String = "text/csv"))),
        (status = 403, body = Problem),
        (status = 404, body = Problem)
    )
)]
#[get("/players/{id}/statistics/against/{other}")]
async fn of_pair(
    service: web::Data<Service>,
    caller: Caller,
    path: web::Path<(PlayerId, PlayerId)>,
    query: web::Query<StatisticsQuery>,
) -> Result<HttpResponse, Problem> {
    let (player, other) = *path;
    let summary = service.desk.statistics(&caller.actor, player, Some(other), query.filter()).await?;
    Ok(answer(*query, &summary))
}

/// Counts the club's games, each once, from the side that won it.
///
/// So `by_role` tells how often the box won and how often the team (`captain`), and `by_began` how often who began. Needs
/// `view_players`.
#[utoipa::path(
    operation_id = "club_statistics",
    tag = "statistics",
    params(StatisticsQuery),
    responses(
        (status = 200, content((Summary = "application/json"), (String = "text/csv"))),
        (status = 403, body = Problem)
    )
)]
#[get("/statistics")]
async fn of_club(
    service: web::Data<Service>,
    caller: Caller,
    query: web::Query<StatisticsQuery>,
) -> Result<HttpResponse, Problem> {
    let summary = service.desk.club_statistics(&caller.actor, query.filter()).await?;
    Ok(answer(*query, &summary))
}
