//! Players: who they are.

use actix_web::http::header;
use actix_web::{HttpResponse, get, patch, post, web};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::etag;
use crate::ask::Ask;
use crate::caller::Caller;
use crate::paging::{Page, cursor, limit};
use crate::problem::Problem;
use crate::service::Service;
use owlbox_desk::players::{Filter, PlayerChange, Row};
use owlbox_domain::club::players::{PlayerDetails, PlayerDetailsChange};
use owlbox_domain::values::PlayerId;

pub(super) fn configure(config: &mut impl super::Routes) {
    config.service(list).service(add).service(show).service(change).service(remove);
}

/// A player, as the caller may see him.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerBody {
    /// Which.
    pub id: PlayerId,
    /// The name, unique in the club.
    #[schema(example = "Mario Rossi")]
    pub name: String,
    /// What the others call him.
    pub nickname: Option<String>,
    /// The country he plays for.
    #[schema(example = "IT")]
    pub country: Option<String>,
    /// The club he comes from.
    pub club: Option<String>,
    /// How to reach him; null for those who may not see it.
    pub contact: Option<String>,
    /// What else to remember; null for those who may not see it.
    pub notes: Option<String>,
    /// Whether he is only a guest.
    pub guest: bool,
    /// Whether he still comes.
    pub active: bool,
}

impl From<Row> for PlayerBody {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            name: row.name,
            nickname: row.nickname,
            country: row.country,
            club: row.club,
            contact: row.contact,
            notes: row.notes,
            guest: row.guest,
            active: row.active,
        }
    }
}

/// A new player.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewPlayerBody {
    /// The details; only the name is required.
    #[serde(flatten)]
    details: PlayerDetails,
    /// Whether he is only a guest.
    #[schema(required = false)]
    guest: bool,
}

/// A change of a player: absent stays, `null` clears; the name cannot be cleared.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerChangeBody {
    /// The details.
    #[serde(flatten)]
    details: PlayerDetailsChange,
    /// False makes a member of a guest.
    #[schema(value_type = bool, required = false)]
    guest: Option<bool>,
    /// Whether he still comes.
    #[schema(value_type = bool, required = false)]
    active: Option<bool>,
}

/// Takes a field out of an object before the rest is read, which knows no fields but its own.
fn take<T: DeserializeOwned, E: serde::de::Error>(
    object: &mut serde_json::Map<String, serde_json::Value>,
    field: &str,
) -> Result<Option<T>, E> {
    let value = object.remove(field).map(serde_json::from_value).transpose();
    value.map_err(|error| E::custom(format!("{field}: {error}")))
}

impl<'de> Deserialize<'de> for NewPlayerBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut object = serde_json::Map::deserialize(deserializer)?;
        let guest = take(&mut object, "guest")?.unwrap_or(false);
        let details = serde_json::from_value(object.into()).map_err(D::Error::custom)?;
        Ok(Self { details, guest })
    }
}

impl<'de> Deserialize<'de> for PlayerChangeBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut object = serde_json::Map::deserialize(deserializer)?;
        let (guest, active) = (take(&mut object, "guest")?, take(&mut object, "active")?);
        let details = serde_json::from_value(object.into()).map_err(D::Error::custom)?;
        Ok(Self { details, guest, active })
    }
}

/// Which players.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct ListQuery {
    /// Only those whose name contains this, in capitals or small letters.
    search: Option<String>,
    /// Only those who still come, or only those who do not.
    active: Option<bool>,
    /// Entries a page.
    limit: Option<i64>,
    /// The `next` of the page before.
    after: Option<String>,
}

/// Lists players in order of name.
///
/// Needs `view_players`; contacts and notes need `view_contacts`.
#[utoipa::path(
    operation_id = "list_players",
    tag = "players",
    params(ListQuery),
    responses((status = 200, body = Page<PlayerBody>), (status = 401, body = Problem))
)]
#[get("/players")]
async fn list(
    service: web::Data<Service>,
    caller: Caller,
    query: web::Query<ListQuery>,
) -> Result<web::Json<Page<PlayerBody>>, Problem> {
    let limit = limit(&service, query.limit)?;
    let after = cursor(query.after.as_deref())?;
    let ListQuery { search, active, .. } = query.into_inner();
    let rows = service.desk.players(&caller.actor, Filter { search, active }, after, limit + 1).await?;
    let items = rows.into_iter().map(PlayerBody::from).collect();
    Ok(web::Json(Page::cut(items, limit, |player: &PlayerBody| player.id.to_string())))
}

/// Adds a player, or a guest.
///
/// A guest needs `add_guests`, a member `manage_players`. The `ETag` is the version of the club.
#[utoipa::path(
    operation_id = "add_player",
    tag = "players",
    params(
        ("If-Match" = Option<String>, Header, description = "The version of the club you saw"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")
    ),
    request_body(
        content = NewPlayerBody,
        example = json!({"name": "Mario Rossi", "nickname": "Mari", "country": "IT", "guest": false})
    ),
    responses(
        (status = 201, body = PlayerBody, headers(("ETag" = String), ("Location" = String))),
        (status = 403, body = Problem),
        (status = 422, body = Problem)
    )
)]
#[post("/players")]
async fn add(service: web::Data<Service>, ask: Ask<NewPlayerBody>) -> Result<HttpResponse, Problem> {
    let NewPlayerBody { details, guest } = ask.body;
    let actor = ask.request.actor;
    let (player, version) = service.desk.add_player(ask.request, details, guest).await?;
    let body = PlayerBody::from(service.desk.player(&actor, player).await?);
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/api/v1/players/{player}")))
        .insert_header(etag(version))
        .json(body))
}

/// Shows a player.
///
/// Needs `view_players`; contact and notes need `view_contacts`. The `ETag` is the version of the club.
#[utoipa::path(
    operation_id = "show_player",
    tag = "players",
    params(("id" = PlayerId, Path, description = "The player")),
    responses(
        (status = 200, body = PlayerBody, headers(("ETag" = String))),
        (status = 401, body = Problem),
        (status = 404, body = Problem)
    )
)]
#[get("/players/{id}")]
async fn show(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    // The version before the player, so that what is shown is never older than what it says.
    let version = service.desk.club().await?.version;
    let row = service.desk.player(&caller.actor, *id).await?;
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(PlayerBody::from(row)))
}

/// Changes a player: his details, that he is a member now, whether he still comes.
///
/// Needs `manage_players`. Nobody is deactivated who sits at a table.
#[utoipa::path(
    operation_id = "change_player",
    tag = "players",
    params(
        ("id" = PlayerId, Path, description = "The player"),
        ("If-Match" = Option<String>, Header, description = "The version of the club you saw"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")
    ),
    request_body(
        content = PlayerChangeBody,
        example = json!({"nickname": null, "contact": "+39 02 1234567", "guest": false, "active": true})
    ),
    responses(
        (status = 200, body = PlayerBody, headers(("ETag" = String))),
        (status = 403, body = Problem),
        (status = 404, body = Problem),
        (status = 412, body = Problem),
        (status = 422, body = Problem)
    )
)]
#[patch("/players/{id}")]
async fn change(
    service: web::Data<Service>,
    id: web::Path<PlayerId>,
    ask: Ask<PlayerChangeBody>,
) -> Result<HttpResponse, Problem> {
    let PlayerChangeBody { details, guest, active } = ask.body;
    let actor = ask.request.actor;
    let change = PlayerChange { details, guest, active };
    let version = service.desk.change_player(ask.request, *id, change).await?;
    let row = service.desk.player(&actor, *id).await?;
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(PlayerBody::from(row)))
}

/// What becomes of a player who is removed.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RemovalBody {
    /// The same person: what was known of the other alone - details, membership, a login - goes to this one. Nobody if absent.
    #[serde(default)]
    into: Option<PlayerId>,
}

/// Removes a player who has no history, or merges him into another.
///
/// Needs `manage_players`, and `manage_accounts` where a login goes over. For a name that was mistyped, or somebody who is there twice. Whoever has sat, entered or played
/// anywhere or stands in the books stays (`player_has_history`); so does one with a login, unless it goes to another who has none.
/// A player who is added again under that name is the same one. The `ETag` is the version of the club.
#[utoipa::path(
    operation_id = "remove_player",
    tag = "players",
    params(
        ("id" = PlayerId, Path, description = "The player"),
        ("If-Match" = Option<String>, Header, description = "The version of the club you saw"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")
    ),
    request_body(content = RemovalBody, example = json!({"into": null})),
    responses(
        (status = 204, description = "Removed"),
        (status = 403, body = Problem),
        (status = 404, body = Problem),
        (status = 412, body = Problem),
        (status = 422, body = Problem)
    )
)]
#[post("/players/{id}/remove")]
async fn remove(
    service: web::Data<Service>,
    id: web::Path<PlayerId>,
    ask: Ask<RemovalBody>,
) -> Result<HttpResponse, Problem> {
    let version = service.desk.remove_player(ask.request, *id, ask.body.into).await?;
    Ok(HttpResponse::NoContent().insert_header(etag(version)).finish())
}
