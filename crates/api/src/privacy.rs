//! A person's own: all data about them, who has read it, and their erasure.

use actix_web::{HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};

use super::etag;
use owlbox_base::values::{PlayerId, Timestamp};
use owlbox_books::club::players::PlayerName;
#[cfg(test)]
use owlbox_desk::people::privacy::erasure::ErasurePreview;
use owlbox_desk::people::privacy::person::PersonalData;
use owlbox_desk::people::privacy::readings::Reading;
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::Caller;
use owlbox_http::paging::{Page, PageQuery, limit, no_cursor};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(personal_data).service(ledger_readings).service(preview_erasure).service(erase_person);
}

/// Shows all data about a player, at one moment.
///
/// Details, login, every line of the ledger, tables, matches, tournaments, ratings, counted games, free texts
/// that name them, what their login did, and who has read their ledger. Needs `manage_own_account` for the
/// caller's own, `manage_personal_data` for others'; that somebody else took it is noted for the player.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player")),
    responses(
        (status = 200, body = PersonalData),
        (status = 503, body = Problem, description = "As many persons as the service hands out at a time are being handed out")
    )
))]
#[get("/players/{id}/personal-data")]
async fn personal_data(
    service: Service,
    caller: Caller,
    id: web::Path<PlayerId>,
) -> Result<web::Json<PersonalData>, Problem> {
    Ok(web::Json(service.desk.personal_data(&caller.actor, *id).await?))
}

/// Lists who of the staff has read a player's ledger, newest first.
///
/// One entry per reader and day, kept for three years. Exports of all books count as everybody's. What is
/// read at the service's own machine is not noted. Needs `manage_own_account` for the caller's own,
/// `manage_personal_data` for others'.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player"), PageQuery),
    responses((status = 200, body = Page<Reading>))
))]
#[get("/players/{id}/readings")]
async fn ledger_readings(
    service: Service,
    caller: Caller,
    id: web::Path<PlayerId>,
    query: web::Query<PageQuery>,
) -> Result<web::Json<Page<Reading>>, Problem> {
    let limit = limit(&service, query.limit)?;
    let place = |text: &str| {
        let (at, reader) = text.split_once('.')?;
        let at = chrono::DateTime::from_timestamp_micros(at.parse().ok()?)?;
        Some((Timestamp::from(at), reader.parse().ok()?))
    };
    let after = query.after.as_deref().map(|text| place(text).ok_or_else(no_cursor)).transpose()?;
    let readings = service.desk.readings(&caller.actor, *id, after, limit + 1).await?;
    let next = |last: &Reading| format!("{}.{}", last.at.utc().timestamp_micros(), last.reader);
    Ok(web::Json(Page::cut(readings, limit, next)))
}

/// How else free text calls a player.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ErasureBody {
    /// Spellings to look for beside the name and the nickname: at most 10.
    #[serde(default)]
    #[cfg_attr(test, schema(max_items = 10))]
    also: Vec<PlayerName>,
}

/// Shows what the erasure of a person would do. Records nothing.
///
/// The `ETag` is the version of the club. Needs `manage_personal_data`.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player")),
    request_body(content = ErasureBody, example = json!({"also": ["Mario"]})),
    responses((status = 200, body = ErasurePreview, headers(("ETag" = String))))
))]
#[post("/players/{id}/erase/preview")]
async fn preview_erasure(
    service: Service,
    id: web::Path<PlayerId>,
    ask: CommandRequest<ErasureBody>,
) -> Result<HttpResponse, Problem> {
    let preview = service.desk.preview_erasure(&ask.request.actor, *id, ask.body.also).await?;
    Ok(HttpResponse::Ok().insert_header(etag(preview.version)).json(preview))
}

/// What is left of an erased person.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ErasedBody {
    pub player: PlayerId,
    /// What they are called from now on.
    #[cfg_attr(test, schema(example = "N.N. 3f9c2a71"))]
    pub pseudonym: String,
}

/// Erases a person, for good.
///
/// Their name, details, login and sessions go, and the free texts of the preview change; what is left is a
/// pseudonym. Games and books stay as they are. Refused while they sit at a table (`player_at_table`), while
/// money is open (`money_open`), and of the last admin (`last_admin`). The `ETag` is the version of the club.
/// Needs `manage_personal_data`.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player"), crate::schemas::ClubConditions),
    request_body(content = ErasureBody, example = json!({"also": ["Mario"]})),
    responses((status = 200, body = ErasedBody, headers(("ETag" = String))))
))]
#[post("/players/{id}/erase")]
async fn erase_person(
    service: Service,
    id: web::Path<PlayerId>,
    ask: CommandRequest<ErasureBody>,
) -> Result<HttpResponse, Problem> {
    let version = service.desk.erase(ask.request, *id, ask.body.also).await?;
    let body = ErasedBody { player: *id, pseudonym: PlayerName::pseudonym(*id).to_string() };
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(body))
}
