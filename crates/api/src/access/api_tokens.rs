//! API tokens of the caller's own account, for scripts.

use actix_web::{HttpResponse, delete, get, post, web};
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Routes;
use owlbox_base::permissions::scopes::{TokenScope, TokenScopes};
use owlbox_base::values::Timestamp;
use owlbox_desk::access::api_tokens::{ApiToken, NewApiToken, TokenTerms};
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::Caller;
use owlbox_http::paging::Page;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl Routes) {
    config.service(list_tokens).service(create_token).service(revoke_token);
}

/// An API token, without its secret.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ApiTokenBody {
    /// The token, to revoke it by.
    pub id: Uuid,
    /// What the token is for.
    #[cfg_attr(test, schema(example = "score board"))]
    pub name: String,
    pub created_at: Timestamp,
    /// When the token expires; null if it never does.
    pub expires_at: Option<Timestamp>,
    /// What the token may be used for; null for everything that its login may do.
    pub scopes: Option<Vec<TokenScope>>,
    /// The hour in which the token was used last, by its beginning; null if it was not used yet.
    #[cfg_attr(test, schema(example = "2026-11-20T19:00:00Z"))]
    pub last_used_at: Option<Timestamp>,
}

impl From<ApiToken> for ApiTokenBody {
    fn from(token: ApiToken) -> Self {
        Self {
            id: token.id.0,
            name: token.name,
            created_at: token.created_at,
            expires_at: token.expires_at.map(Timestamp::from),
            scopes: token.scopes.0.map(Vec::from),
            last_used_at: token.last_used_at.map(Timestamp::from),
        }
    }
}

/// A new API token, with its secret.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct NewApiTokenBody {
    #[serde(flatten)]
    pub kept: ApiTokenBody,
    /// The token itself, for `Authorization: Bearer ...`. It is shown only this once.
    #[cfg_attr(test, schema(example = "owlt_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"))]
    pub token: String,
}

/// An API token to create.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CreateTokenBody {
    /// What the token is for: 1 to 60 characters.
    #[cfg_attr(test, schema(min_length = 1, max_length = 60))]
    name: String,
    /// When the token expires; without it, only revoking ends it.
    #[serde(default)]
    expires_at: Option<Timestamp>,
    /// What the token may be used for: at least one scope, and at most one tournament. Each of them may read
    /// what the login may read. Without it the token may do everything that the login may.
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = Option<Vec<TokenScope>>, min_items = 1, max_items = 10))]
    scopes: Option<TokenScopes>,
}

/// Lists the caller's API tokens, newest first.
///
/// There are at most fifty, all on one page. Needs `manage_own_account`.
#[cfg_attr(test, utoipa::path(responses((status = 200, body = Page<ApiTokenBody>))))]
#[get("/tokens")]
async fn list_tokens(service: Service, caller: Caller) -> Result<web::Json<Page<ApiTokenBody>>, Problem> {
    let tokens = service.desk.api_tokens(&caller.actor).await?;
    Ok(web::Json(Page {
        items: tokens.into_iter().map(ApiTokenBody::from).collect(),
        next: None,
        names: None,
    }))
}

/// Creates an API token with the permissions of its account, or with those of some scopes alone.
///
/// Needs `manage_own_account` and a session: a token cannot create another one.
#[cfg_attr(test, utoipa::path(
    request_body(
        content = CreateTokenBody,
        example = json!({"name": "score board", "scopes": ["read"], "expires_at": "2027-12-31T23:00:00Z"})
    ),
    responses(
        (status = 201, body = NewApiTokenBody),
        (status = 404, body = Problem),
        (status = 422, body = Problem)
    )
))]
#[post("/tokens")]
async fn create_token(
    service: Service,
    ask: CommandRequest<CreateTokenBody>,
) -> Result<HttpResponse, Problem> {
    let CreateTokenBody { name, expires_at, scopes } = ask.body;
    let terms = TokenTerms { name, scopes, expires_at };
    let NewApiToken { token, secret } = service.desk.create_api_token(ask.request.actor, terms).await?;
    Ok(HttpResponse::Created()
        .insert_header(("cache-control", "no-store"))
        .json(NewApiTokenBody { kept: token.into(), token: secret.expose_secret().to_owned() }))
}

/// Revokes one of the caller's API tokens.
///
/// Needs `manage_own_account`.
#[cfg_attr(test, utoipa::path(
    params(("id" = Uuid, Path, description = "The token")),
    responses((status = 204))
))]
#[delete("/tokens/{id}")]
async fn revoke_token(
    service: Service,
    caller: Caller,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    service.desk.revoke_api_token(caller.actor, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}
