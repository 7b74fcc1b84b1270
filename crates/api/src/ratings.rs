//! Ratings: the ranking, and how each rating came about.

use actix_web::{get, web};

use owlbox_base::values::PlayerId;
use owlbox_desk::people::ratings::{PlayerRating, RatedMatch};
use owlbox_http::caller::Caller;
use owlbox_http::paging::{Page, PageQuery, cursor, limit, no_cursor};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(list_ratings).service(list_rated_matches);
}

/// Lists ratings, best first.
///
/// Needs `view_players`. A player without a rated match has no rating; everybody starts at 1500.
#[cfg_attr(test, utoipa::path(
    params(PageQuery),
    responses((status = 200, body = Page<PlayerRating>))
))]
#[get("/ratings")]
async fn list_ratings(
    service: Service,
    caller: Caller,
    query: web::Query<PageQuery>,
) -> Result<web::Json<Page<PlayerRating>>, Problem> {
    let limit = limit(&service, query.limit)?;
    let after = query.after.as_deref().map(|after| {
        let (rating, player) = after.split_once('_')?;
        Some((rating.parse().ok()?, player.parse().ok()?))
    });
    let after = after.map(|read| read.ok_or_else(no_cursor)).transpose()?;
    let ratings = service.desk.ratings(&caller.actor, after, limit + 1).await?;
    let cursor = |one: &PlayerRating| format!("{}_{}", one.rating.0, one.player);
    Ok(web::Json(Page::cut(ratings, limit, cursor).named(&service, |one| [one.player]).await?))
}

/// Lists a player's rated matches, newest first.
///
/// Needs `view_players`. Correcting a match recalculates its ratings and those of all matches finished after
/// it.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player"), PageQuery),
    responses((status = 200, body = Page<RatedMatch>))
))]
#[get("/players/{id}/ratings")]
async fn list_rated_matches(
    service: Service,
    caller: Caller,
    id: web::Path<PlayerId>,
    query: web::Query<PageQuery>,
) -> Result<web::Json<Page<RatedMatch>>, Problem> {
    let limit = limit(&service, query.limit)?;
    let before = cursor(query.after.as_deref())?;
    let matches = service.desk.rated_matches(&caller.actor, *id, before, limit + 1).await?;
    let page = Page::cut(matches, limit, |one: &RatedMatch| one.place.to_string());
    Ok(web::Json(page.named(&service, |one| [one.opponent]).await?))
}
