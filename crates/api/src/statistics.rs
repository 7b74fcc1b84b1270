//! Statistics: games won, lost and drawn by kind (M8), as JSON or CSV.

use std::fmt::Write as _;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;

use super::csv::{Format, Reader, quoted};
use owlbox_base::code::Code;
use owlbox_base::values::{Day, PlayerId};
use owlbox_books::statistics::{Began, Group, Kind, Month, Record, Summary};
#[cfg(test)]
use owlbox_desk::nights::statistics::PairStatistics;
use owlbox_desk::nights::statistics::{Filter, HeadToHead, PlayerSelection, Statistics};
use owlbox_engine::Variant;
use owlbox_http::caller::Caller;
use owlbox_http::paging;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_locale::Language;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(player_statistics).service(pair_statistics).service(head_to_head).service(club_statistics);
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct StatisticsQuery {
    /// Only games of this kind of play.
    #[cfg_attr(test, param(inline))]
    kind: Option<Kind>,
    /// Only games of this variant.
    variant: Option<Variant>,
    /// Only games from this day on.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    from: Option<Day>,
    /// Only games up to and including this day.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    until: Option<Day>,
    /// Only games that this side began, as seen from the player; for the club, as seen from the winner.
    #[cfg_attr(test, param(inline))]
    began: Option<Began>,
    /// `json` (the default), or `csv`: `by,value,games,won,lost,drawn,half_points`, one line per group,
    /// `total` first.
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

async fn answer(
    query: StatisticsQuery,
    found: &Statistics,
    request: &HttpRequest,
) -> Result<HttpResponse, Problem> {
    let reader = Reader::locale(query.reader, query.language, request).await?;
    Ok(query.format.answer(found, "statistics.csv", reader, || csv(&found.games)))
}

/// One line per group. No field needs quoting.
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
    let Record { games, won, lost, drawn, half_points, .. } = record;
    // Writing to a string cannot fail.
    let _ = write!(lines, "{by},{value},{games},{won},{lost},{drawn},{half_points}\r\n");
}

/// Counts a player's games: won, lost and drawn, in all and by group; and their matches, however they were
/// entered.
///
/// Groups are kind, variant, who began, role, ending, cube, month and opponent. A contested game counts once
/// a scorer has ruled. In a chouette, a player wins a game if they have more after it than before; its ending
/// and its cube are those of their largest bet with that outcome. Needs `view_own_ledger` for the caller's
/// own, `view_any_ledger` for others'.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player"), StatisticsQuery),
    responses((status = 200, content((Statistics = "application/json"), (String = "text/csv"))))
))]
#[get("/players/{id}/statistics")]
async fn player_statistics(
    service: Service,
    caller: Caller,
    id: web::Path<PlayerId>,
    query: web::Query<StatisticsQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let found = service.desk.statistics(&caller.actor, *id, query.filter()).await?;
    answer(*query, &found, &request).await
}

/// Counts a player's games against another: in a chouette, those in which the two had a bet.
///
/// Beside them: since when the two have played, their newest days, and who won the matches between them.
/// Needs `view_own_ledger` for the caller's own, `view_any_ledger` for others'.
#[cfg_attr(test, utoipa::path(
    params(
        ("id" = PlayerId, Path, description = "The player"),
        ("other" = PlayerId, Path, description = "The opponent"),
        StatisticsQuery
    ),
    responses((status = 200, content((PairStatistics = "application/json"), (String = "text/csv"))))
))]
#[get("/players/{id}/statistics/against/{other}")]
async fn pair_statistics(
    service: Service,
    caller: Caller,
    path: web::Path<(PlayerId, PlayerId)>,
    query: web::Query<StatisticsQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (player, other) = *path;
    let pair = service.desk.pair_statistics(&caller.actor, player, other, query.filter()).await?;
    let reader = Reader::locale(query.reader, query.language, &request).await?;
    Ok(query.format.answer(&pair, "statistics.csv", reader, || csv(&pair.games)))
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct HeadToHeadQuery {
    /// Only this player's games, and from their side.
    player: Option<PlayerId>,
    /// Only the games of these players against each other: ids, separated by commas.
    players: Option<String>,
    /// Only so many players, up to the configured maximum, and their pairs with everybody from their side;
    /// the others page by page.
    limit: Option<i64>,
    /// The `next` of the page before.
    after: Option<PlayerId>,
    /// Only games of this kind of play.
    #[cfg_attr(test, param(inline))]
    kind: Option<Kind>,
    /// Only games of this variant.
    variant: Option<Variant>,
    /// Only games from this day on. Periods of whole months are answered fastest.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    from: Option<Day>,
    /// Only games up to and including this day.
    #[cfg_attr(test, param(value_type = Option<chrono::NaiveDate>))]
    until: Option<Day>,
    /// `json` (the default), or `csv`: `player,name,opponent,opponent_name,games,won,lost,drawn,half_points`,
    /// one line per pair.
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

impl HeadToHeadQuery {
    /// The part that is asked for; `None` for everybody, or one player.
    fn part(&self, service: &Service) -> Result<Option<PlayerSelection>, Problem> {
        let Self { player, players, limit, after, format, .. } = self;
        let is_page = limit.is_some() || after.is_some();
        if (player.is_some() && players.is_some()) || (is_page && (player.is_some() || players.is_some())) {
            let detail = "player, players and limit each name a part of their own";
            return Err(Problem::new(Code::InvalidQuery, detail));
        }
        if let Some(players) = players {
            return Ok(Some(PlayerSelection::Among(super::dues::ids(players)?)));
        }
        if !is_page {
            return Ok(None);
        }
        if *format == Format::Csv {
            let detail = "as CSV all players come at once, or some by players";
            return Err(Problem::new(Code::InvalidQuery, detail).about("limit"));
        }
        let players = usize::try_from(paging::limit(service, *limit)?).unwrap_or(usize::MAX);
        Ok(Some(PlayerSelection::Page { players, after: *after }))
    }
}

/// Counts everybody's games and matches against everybody, or one player's against everybody.
///
/// In a chouette, two players are opponents in the games in which they had a bet. Every two come from both
/// sides; of one player, from theirs. A large club is read in parts: some players among each other, or so
/// many players a page. Needs `view_any_ledger`; for the caller's own games, with `player`,
/// `view_own_ledger`.
#[cfg_attr(test, utoipa::path(
    params(HeadToHeadQuery),
    responses(
        (status = 200, content((HeadToHead = "application/json"), (String = "text/csv"))),
        (status = 404, body = Problem)
    )
))]
#[get("/statistics/head-to-head")]
async fn head_to_head(
    service: Service,
    caller: Caller,
    query: web::Query<HeadToHeadQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let HeadToHeadQuery { kind, variant, from, until, format, reader, language, .. } = *query;
    let (from, until) = (from.map(Day::date), until.map(Day::date));
    let filter = Filter { kind, variant, from, until, began: None };
    let (desk, actor) = (&service.desk, &caller.actor);
    let met = match query.part(&service)? {
        None => desk.head_to_head(actor, query.player, filter).await?,
        Some(part) => desk.head_to_head_part(actor, part, filter).await?.met,
    };
    let reader = Reader::locale(reader, language, &request).await?;
    Ok(format.answer(&met, "head-to-head.csv", reader, || pairs_csv(&met)))
}

/// One line per pair, in the order of the players.
fn pairs_csv(met: &HeadToHead) -> String {
    let mut lines = String::from("player,name,opponent,opponent_name,games,won,lost,drawn,half_points\r\n");
    let record = |player: PlayerId, opponent: PlayerId| {
        let found = met.pairs.binary_search_by_key(&(player, opponent), |pair| (pair.player, pair.opponent));
        met.pairs.get(found.ok()?).map(|pair| pair.record).filter(|record| record.games > 0)
    };
    for one in &met.players {
        for other in &met.players {
            let Some(record) = record(one.player, other.player) else { continue };
            let Record { games, won, lost, drawn, half_points, .. } = record;
            let [player, opponent] = [one, other].map(|who| format!("{},{}", who.player, quoted(&who.name)));
            // Writing to a string cannot fail.
            let _ = write!(lines, "{player},{opponent},{games},{won},{lost},{drawn},{half_points}\r\n");
        }
    }
    lines
}

/// Counts the club's games, each once, from the winning side, and its matches.
///
/// So `by_role` tells how often the box and the team (`captain`) won, and `by_began` how often the side won
/// that began. Needs `view_players`.
#[cfg_attr(test, utoipa::path(
    params(StatisticsQuery),
    responses((status = 200, content((Statistics = "application/json"), (String = "text/csv"))))
))]
#[get("/statistics")]
async fn club_statistics(
    service: Service,
    caller: Caller,
    query: web::Query<StatisticsQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let found = service.desk.club_statistics(&caller.actor, query.filter()).await?;
    answer(*query, &found, &request).await
}
