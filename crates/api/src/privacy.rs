//! A person's own: all that is kept of them, who has read it, and their erasure.

use actix_web::{HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::etag;
use owlbox_base::code::Code;
use owlbox_base::values::{AccountId, PlayerId, Timestamp};
use owlbox_books::club::players::PlayerName;
use owlbox_desk::people::privacy::erasure::{ErasurePreview, NearMiss, Said};
use owlbox_desk::people::privacy::person::PersonalData;
use owlbox_desk::people::privacy::readings::{Read, Reading};
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::Caller;
use owlbox_http::paging::{Page, PageQuery, limit, no_cursor};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(personal_data).service(ledger_readings).service(preview_erasure).service(erase_person);
}

/// Shows all that is kept of a player, at one moment.
///
/// Details, login, every line of the ledger, tables, matches, tournaments, ratings, counted games, free texts that name
/// them, what their login did, and who has read their ledger. Needs `view_own_ledger` for the caller's own,
/// `manage_personal_data` for others'; that somebody else took it is noted for the player.
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

/// That somebody of the staff has read a ledger.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ReadingBody {
    /// The first time that day.
    pub at: Timestamp,
    /// The login that read it.
    pub account: AccountId,
    /// Whose it is: the player's name, or else the login; null if it has neither any more.
    pub name: Option<String>,
    pub what: Read,
}

impl From<Reading> for ReadingBody {
    fn from(Reading { at, reader, name, what }: Reading) -> Self {
        Self { at, account: reader, name, what }
    }
}

/// Lists who of the staff has read a player's ledger, newest first.
///
/// One entry per reader and day, kept for three years. Exports of all books count as everybody's. What is read at the
/// service's own machine is not noted. Needs `view_own_ledger` for the caller's own, `manage_personal_data` for others'.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player"), PageQuery),
    responses((status = 200, body = Page<ReadingBody>))
))]
#[get("/players/{id}/readings")]
async fn ledger_readings(
    service: Service,
    caller: Caller,
    id: web::Path<PlayerId>,
    query: web::Query<PageQuery>,
) -> Result<web::Json<Page<ReadingBody>>, Problem> {
    let limit = limit(&service, query.limit)?;
    let place = |text: &str| {
        let (at, reader) = text.split_once('.')?;
        let at = chrono::DateTime::from_timestamp_micros(at.parse().ok()?)?;
        Some((Timestamp::from(at), reader.parse().ok()?))
    };
    let after = query.after.as_deref().map(|text| place(text).ok_or_else(no_cursor)).transpose()?;
    let readings = service.desk.readings(&caller.actor, *id, after, limit + 1).await?;
    let items = readings.into_iter().map(ReadingBody::from).collect();
    let next = |last: &ReadingBody| format!("{}.{}", last.at.utc().timestamp_micros(), last.account);
    Ok(web::Json(Page::cut(items, limit, next)))
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

/// A free text that an erasure changes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SaidBody {
    /// The kind of stream it stands in, or `player` for what is noted of somebody else.
    pub of: &'static str,
    /// The stream, or the other player.
    pub stream: Uuid,
    /// The version of the stream it was said with; 0 for what is noted of somebody else.
    pub version: i64,
    pub text: String,
    /// What stands there afterwards.
    pub after: String,
}

impl From<Said> for SaidBody {
    fn from(Said { of, stream, version, text, after, about: _ }: Said) -> Self {
        Self { of, stream, version, text, after }
    }
}

/// A free text that may mean the person after an erasure too, unless its spelling is among `also`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct NearMissBody {
    /// The kind of stream it stands in; `player` for what is noted of somebody else, `api_token` for the name of one,
    /// `registration` for a name or a login in one that waits.
    pub of: &'static str,
    /// The stream, the other player, the token or the registration.
    pub stream: Uuid,
    /// As it stands there afterwards.
    pub text: String,
}

impl From<NearMiss> for NearMissBody {
    fn from(NearMiss { of, stream, text }: NearMiss) -> Self {
        Self { of, stream, text }
    }
}

/// What the erasure of a person would do.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ErasurePreviewBody {
    pub player: PlayerId,
    /// The name that goes.
    pub name: String,
    /// The name that comes in its place.
    pub pseudonym: String,
    /// The login that ends.
    pub login: Option<String>,
    /// Every free text that changes.
    pub texts: Vec<SaidBody>,
    /// Free texts that may mean them afterwards too, each once; 200 at most.
    pub near: Vec<NearMissBody>,
    /// Why it would be refused now; null if it would not.
    #[cfg_attr(test, schema(value_type = Option<String>))]
    pub refused: Option<Code>,
}

impl From<ErasurePreview> for ErasurePreviewBody {
    fn from(
        ErasurePreview { player, name, pseudonym, login, texts, near, refused, version: _ }: ErasurePreview,
    ) -> Self {
        Self {
            player,
            name,
            pseudonym,
            login,
            texts: texts.into_iter().map(SaidBody::from).collect(),
            near: near.into_iter().map(NearMissBody::from).collect(),
            refused: refused.map(|rule| rule.code),
        }
    }
}

/// Shows what the erasure of a person would do. Records nothing.
///
/// The `ETag` is the version of the club. Needs `manage_personal_data`.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player")),
    request_body(content = ErasureBody, example = json!({"also": ["Mario"]})),
    responses((status = 200, body = ErasurePreviewBody, headers(("ETag" = String))))
))]
#[post("/players/{id}/erase/preview")]
async fn preview_erasure(
    service: Service,
    id: web::Path<PlayerId>,
    ask: CommandRequest<ErasureBody>,
) -> Result<HttpResponse, Problem> {
    let preview = service.desk.preview_erasure(&ask.request.actor, *id, ask.body.also).await?;
    Ok(HttpResponse::Ok().insert_header(etag(preview.version)).json(ErasurePreviewBody::from(preview)))
}

/// Whoever is left of an erased person.
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
/// Their name, details, login and sessions go, and the free texts of the preview change; what is left is a pseudonym. Games
/// and books stay as they are. Refused while they sit at a table (`player_at_table`), while money is open (`money_open`),
/// and of the last admin (`last_admin`). The `ETag` is the version of the club. Needs `manage_personal_data`.
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
