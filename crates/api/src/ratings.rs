//! Ratings: the ranking, and how each rating came about.

use actix_web::{get, web};
use serde::Serialize;

use owlbox_base::journal::BrokenHistory;
use owlbox_base::values::{MatchId, PlayerId, Timestamp, TournamentId};
use owlbox_books::ledger::Source;
use owlbox_desk::people::ratings::{RatingRow, Row};
use owlbox_http::caller::Caller;
use owlbox_http::paging::{Page, PageQuery, cursor, limit, no_cursor};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_play::tournament::rating::{RatedPlayer, Rating};

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(list_ratings).service(list_rated_matches);
}

/// The rating of a player.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct RatingBody {
    pub player: PlayerId,
    /// The rating in thousandths of a point.
    #[cfg_attr(test, schema(example = 1_523_460))]
    pub rating: Rating,
    /// The sum of the lengths of all rated matches, in points.
    pub experience: i64,
    /// The number of rated matches.
    pub matches: i64,
}

impl From<RatingRow> for RatingBody {
    fn from(row: RatingRow) -> Self {
        let rating = Rating(row.value);
        Self { player: row.player.into(), rating, experience: row.experience, matches: row.matches }
    }
}

/// A rated match of a player.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct RatedMatchBody {
    /// The tournament of the match; null for a friendly match.
    pub tournament: Option<TournamentId>,
    /// The sheet of a friendly match; null for a tournament's match.
    #[serde(rename = "match")]
    pub sheet: Option<MatchId>,
    /// The division of the tournament.
    pub division: u16,
    /// The number of the match in the division.
    pub number: u32,
    /// When the match was finished.
    pub finished_at: Timestamp,
    /// The length of the match in points.
    pub length: u16,
    pub opponent: PlayerId,
    /// Whether the player won.
    pub won: bool,
    /// The rating after the match, in thousandths of a point.
    pub rating: Rating,
    /// The change of the rating, in thousandths of a point.
    pub change: Rating,
    /// The sum of the lengths of all rated matches up to this one, in points.
    pub experience: u32,
    /// The position in the order of all rated matches, which is the cursor.
    #[serde(skip)]
    place: String,
}

/// The matches of a player, newest first. The next row, an older match, gives the rating that a match
/// changed.
fn bodies(player: PlayerId, rows: &[(Row, Source)]) -> Result<Vec<RatedMatchBody>, Problem> {
    let standing = |row: &Row| {
        row.standing(player)
            .ok_or_else(|| owlbox_desk::Refused::from(BrokenHistory(format!("a match without {player}"))))
    };
    let mut bodies = Vec::with_capacity(rows.len());
    for (at, (row, source)) in rows.iter().enumerate() {
        let before = rows.get(at + 1).map_or_else(|| Ok(RatedPlayer::default()), |(row, _)| standing(row))?;
        let after = standing(row)?;
        let one = row.rated().map_err(owlbox_desk::Refused::from)?;
        let (mut tournament, mut sheet) = (None, None);
        match source {
            Source::Tournament(id) => tournament = Some(*id),
            Source::Match(id) => sheet = Some(*id),
            Source::Chouette(_) | Source::Daybook => {}
        }
        bodies.push(RatedMatchBody {
            tournament,
            sheet,
            division: one.key.division,
            number: one.key.number,
            finished_at: one.finished_at,
            length: one.length.points(),
            opponent: if one.winner == player { one.loser } else { one.winner },
            won: one.winner == player,
            rating: after.rating,
            change: Rating(after.rating.0 - before.rating.0),
            experience: after.experience,
            place: one.place().to_string(),
        });
    }
    Ok(bodies)
}

/// Lists ratings, best first.
///
/// Needs `view_players`. A player without a rated match has no rating; everybody starts at 1500.
#[cfg_attr(test, utoipa::path(
    params(PageQuery),
    responses((status = 200, body = Page<RatingBody>))
))]
#[get("/ratings")]
async fn list_ratings(
    service: Service,
    caller: Caller,
    query: web::Query<PageQuery>,
) -> Result<web::Json<Page<RatingBody>>, Problem> {
    let limit = limit(&service, query.limit)?;
    let after = query.after.as_deref().map(|after| {
        let (rating, player) = after.split_once('_')?;
        Some((rating.parse().ok()?, player.parse().ok()?))
    });
    let after = after.map(|read| read.ok_or_else(no_cursor)).transpose()?;
    let rows = service.desk.ratings(&caller.actor, after, limit + 1).await?;
    let items = rows.into_iter().map(RatingBody::from).collect();
    Ok(web::Json(Page::cut(items, limit, |one: &RatingBody| format!("{}_{}", one.rating.0, one.player))))
}

/// Lists a player's rated matches, newest first.
///
/// Needs `view_players`. Correcting a match recalculates its ratings and those of all matches finished after
/// it.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player"), PageQuery),
    responses((status = 200, body = Page<RatedMatchBody>))
))]
#[get("/players/{id}/ratings")]
async fn list_rated_matches(
    service: Service,
    caller: Caller,
    id: web::Path<PlayerId>,
    query: web::Query<PageQuery>,
) -> Result<web::Json<Page<RatedMatchBody>>, Problem> {
    let limit = limit(&service, query.limit)?;
    let before = cursor(query.after.as_deref())?;
    let rows = service.desk.rated_matches(&caller.actor, *id, before, limit + 1).await?;
    let items = bodies(*id, &rows)?;
    Ok(web::Json(Page::cut(items, limit, |one: &RatedMatchBody| one.place.clone())))
}
