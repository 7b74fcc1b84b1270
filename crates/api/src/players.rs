//! Players: the people of the club.

use actix_web::http::header;
use actix_web::{HttpResponse, get, patch, post, web};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};

use super::etag;
use owlbox_base::values::PlayerId;
use owlbox_books::club::players::{PlayerDetails, PlayerDetailsChange};
use owlbox_desk::people::players::{Filter, PlayerChange, ShownPlayer};
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::Caller;
use owlbox_http::paging::{Page, cursor, limit};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl super::Routes) {
    config
        .service(list_players)
        .service(add_player)
        .service(show_player)
        .service(change_player)
        .service(remove_player);
}

/// A new player.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct NewPlayerBody {
    /// Only the name is required.
    #[serde(flatten)]
    details: PlayerDetails,
    /// Whether the player is a guest rather than a member.
    #[cfg_attr(test, schema(required = false))]
    guest: bool,
}

/// A change of a player. Absent fields stay as they are, `null` clears a field; the name cannot be cleared.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct PlayerChangeBody {
    #[serde(flatten)]
    details: PlayerDetailsChange,
    /// False makes a guest a member.
    #[cfg_attr(test, schema(value_type = bool, required = false))]
    guest: Option<bool>,
    /// Whether the player still comes to the club.
    #[cfg_attr(test, schema(value_type = bool, required = false))]
    active: Option<bool>,
}

/// Takes a field out of an object whose remaining fields are then read by a type that refuses unknown ones.
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

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
struct ListQuery {
    /// Only players whose name contains this text, ignoring case.
    search: Option<String>,
    /// Only active players, or only inactive ones.
    active: Option<bool>,
    /// Entries per page.
    limit: Option<i64>,
    /// The `next` of the previous page.
    after: Option<String>,
}

/// Lists players by name.
///
/// Needs `view_players`; contacts and notes need `view_contacts`.
#[cfg_attr(test, utoipa::path(
    params(ListQuery),
    responses((status = 200, body = Page<ShownPlayer>))
))]
#[get("/players")]
async fn list_players(
    service: Service,
    caller: Caller,
    query: web::Query<ListQuery>,
) -> Result<web::Json<Page<ShownPlayer>>, Problem> {
    let limit = limit(&service, query.limit)?;
    let after = cursor(query.after.as_deref())?;
    let ListQuery { search, active, .. } = query.into_inner();
    let players = service.desk.players(&caller.actor, Filter { search, active }, after, limit + 1).await?;
    Ok(web::Json(Page::cut(players, limit, |player: &ShownPlayer| player.id.to_string())))
}

/// Adds a player or a guest.
///
/// A guest needs `add_guests`, a member `manage_players`. The `ETag` is the version of the club.
#[cfg_attr(test, utoipa::path(
    params(crate::schemas::ClubConditions),
    request_body(
        content = NewPlayerBody,
        example = json!({"name": "Mario Rossi", "nickname": "Mari", "country": "IT", "guest": false})
    ),
    responses((status = 201, body = ShownPlayer, headers(("ETag" = String), ("Location" = String))))
))]
#[post("/players")]
async fn add_player(service: Service, ask: CommandRequest<NewPlayerBody>) -> Result<HttpResponse, Problem> {
    let NewPlayerBody { details, guest } = ask.body;
    let actor = ask.request.actor;
    let (player, version) = service.desk.add_player(ask.request, details, guest).await?;
    let body = service.desk.player(&actor, player).await?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/api/v1/players/{player}")))
        .insert_header(etag(version))
        .json(body))
}

/// Shows a player.
///
/// Needs `view_players`; contact and notes need `view_contacts`. The `ETag` is the version of the club.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player")),
    responses((status = 200, body = ShownPlayer, headers(("ETag" = String))))
))]
#[get("/players/{id}")]
async fn show_player(
    service: Service,
    caller: Caller,
    id: web::Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    // The version is read before the player, so that the player shown is never older than the version says.
    let version = service.desk.club().await?.version;
    let player = service.desk.player(&caller.actor, *id).await?;
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(player))
}

/// Changes a player: the details, membership, whether they still come.
///
/// Needs `manage_players`; `manage_own_account` for your own nickname, country, club, contact and IBAN. A
/// player who sits at a table cannot be deactivated.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player"), crate::schemas::ClubConditions),
    request_body(
        content = PlayerChangeBody,
        example = json!({"nickname": null, "contact": "+39 02 1234567", "guest": false, "active": true})
    ),
    responses(
        (status = 200, body = ShownPlayer, headers(("ETag" = String))),
        (status = 429, body = Problem)
    )
))]
#[patch("/players/{id}")]
async fn change_player(
    service: Service,
    id: web::Path<PlayerId>,
    ask: CommandRequest<PlayerChangeBody>,
) -> Result<HttpResponse, Problem> {
    let PlayerChangeBody { details, guest, active } = ask.body;
    let actor = ask.request.actor;
    let change = PlayerChange { details, guest, active };
    let version = service.desk.change_player(ask.request, *id, change).await?;
    let player = service.desk.player(&actor, *id).await?;
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(player))
}

/// What happens to the data of a player who is removed.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RemovalBody {
    /// The same person under another entry, who takes over whatever only the removed one had: details,
    /// membership, a login. Without it, the player is only removed.
    #[serde(default)]
    into: Option<PlayerId>,
}

/// Removes a player who has no history, or merges them into another.
///
/// For a mistyped name, or a person entered twice. A player who has sat, entered or played anywhere, or who
/// is in the books, cannot be removed (`player_has_history`); nor can one with a login, unless it passes to
/// another player without one. If a player is added again under the removed name, it is the same player. The
/// `ETag` is the version of the club. Needs `manage_players`, and `manage_accounts` if a login passes to
/// another player.
#[cfg_attr(test, utoipa::path(
    params(("id" = PlayerId, Path, description = "The player"), crate::schemas::ClubConditions),
    request_body(content = RemovalBody, example = json!({"into": null})),
    responses((status = 204, description = "Removed"))
))]
#[post("/players/{id}/remove")]
async fn remove_player(
    service: Service,
    id: web::Path<PlayerId>,
    ask: CommandRequest<RemovalBody>,
) -> Result<HttpResponse, Problem> {
    let version = service.desk.remove_player(ask.request, *id, ask.body.into).await?;
    Ok(HttpResponse::NoContent().insert_header(etag(version)).finish())
}
