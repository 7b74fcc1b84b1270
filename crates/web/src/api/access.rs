//! Signing in and out, the own account, its password and tokens; claiming links; setting the club up.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::ask::{Ask, Body};
use crate::caller::{self, Caller};
use crate::paging::Page;
use crate::problem::Problem;
use crate::service::Service;
use owlbox_desk::access::api_tokens::{ApiToken, NewApiToken};
use owlbox_desk::access::links::{Claim, LinkView, Purpose};
use owlbox_desk::access::sessions::Tokens;
use owlbox_desk::access::set_up::SetUp;
use owlbox_domain::club::{Login, Settings};
use owlbox_domain::permissions::{Permission, Roles, allows};
use owlbox_domain::values::{AccountId, PlayerId, Timestamp};

pub(super) fn configure(config: &mut impl super::Routes) {
    config
        .service(set_up)
        .service(sign_in)
        .service(refresh)
        .service(sign_out)
        .service(sign_out_everywhere)
        .service(me)
        .service(change_password)
        .service(list_tokens)
        .service(create_token)
        .service(revoke_token)
        .service(look_at_link)
        .service(claim_link);
}

/// Reads a secret out of a body, into what does not show when printed.
pub(super) fn secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SecretString, D::Error> {
    String::deserialize(deserializer).map(SecretString::from)
}

/// Login and password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignInBody {
    /// The login, in capitals or small letters.
    login: String,
    /// The password.
    #[serde(deserialize_with = "secret")]
    #[schema(value_type = String, format = Password)]
    password: SecretString,
}

/// A refresh token.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefreshBody {
    /// As it was handed out; used up by this.
    #[serde(deserialize_with = "secret")]
    #[schema(value_type = String, format = Password)]
    refresh_token: SecretString,
}

/// The old password and the new one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordBody {
    /// The password until now.
    #[serde(deserialize_with = "secret")]
    #[schema(value_type = String, format = Password)]
    old: SecretString,
    /// The password from now on: 10 to 200 characters.
    #[serde(deserialize_with = "secret")]
    #[schema(value_type = String, format = Password, min_length = 10, max_length = 200)]
    new: SecretString,
}

/// What a link is claimed with.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimBody {
    /// The login: of an invitation, and only there.
    #[serde(default)]
    login: Option<Login>,
    /// The password from now on: 10 to 200 characters.
    #[serde(deserialize_with = "secret")]
    #[schema(value_type = String, format = Password, min_length = 10, max_length = 200)]
    password: SecretString,
}

/// What the club is set up with.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetUpBody {
    /// The code that the console shows.
    #[schema(example = "F7K2-9QXM-4TRC")]
    code: String,
    /// The club's settings.
    #[serde(default)]
    settings: Settings,
    /// What the first admin signs in with.
    login: Login,
    /// His password: 10 to 200 characters.
    #[serde(deserialize_with = "secret")]
    #[schema(value_type = String, format = Password, min_length = 10, max_length = 200)]
    password: SecretString,
}

/// What proves a session.
#[derive(Serialize, ToSchema)]
pub struct TokensBody {
    /// Whose.
    pub account: AccountId,
    /// `Bearer`.
    #[schema(example = "Bearer")]
    pub token_type: &'static str,
    /// For the header `Authorization: Bearer ...`.
    pub access_token: String,
    /// When that ends: refresh it before.
    pub access_expires_at: Timestamp,
    /// For `POST /refresh`, once.
    pub refresh_token: String,
    /// When that ends.
    pub refresh_expires_at: Timestamp,
}

impl From<Tokens> for TokensBody {
    fn from(tokens: Tokens) -> Self {
        Self {
            account: tokens.account,
            token_type: "Bearer",
            access_token: tokens.access.expose_secret().to_owned(),
            access_expires_at: tokens.access_expires_at,
            refresh_token: tokens.refresh.expose_secret().to_owned(),
            refresh_expires_at: tokens.refresh_expires_at,
        }
    }
}

/// The answer that carries tokens; nobody on the way keeps it.
fn answer(status: StatusCode, tokens: Tokens) -> HttpResponse {
    HttpResponse::build(status).insert_header(("cache-control", "no-store")).json(TokensBody::from(tokens))
}

/// Where a request comes from. Without a peer's address, which only a test's request has not, all
/// count as one.
pub(super) fn client(request: &HttpRequest) -> IpAddr {
    caller::address(request).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}

/// Sets the club up and signs its first admin in.
///
/// Takes the code that the console shows as long as the club has no admin. Needs no sign-in.
#[utoipa::path(
    tag = "club",
    security(()),
    request_body(
        content = SetUpBody,
        example = json!({
            "code": "F7K2-9QXM-4TRC",
            "settings": {
                "name": "Circolo Backgammon Milano", "time_zone": "Europe/Rome", "currencies": ["EUR"],
                "public": {"tables": true, "standings": true}
            },
            "login": "maria",
            "password": "quattro oche sul lago"
        })
    ),
    responses((status = 201, body = TokensBody), (status = 422, body = Problem))
)]
#[post("/set-up")]
async fn set_up(service: web::Data<Service>, Body(body): Body<SetUpBody>) -> Result<HttpResponse, Problem> {
    let SetUpBody { code, settings, login, password } = body;
    let tokens = service.desk.set_up(SetUp { code, settings, login, password }).await?;
    Ok(answer(StatusCode::CREATED, tokens))
}

/// Signs in.
///
/// An unknown login and a wrong password get the same answer. Attempts are limited: ten failures for a
/// login from one address within a quarter of an hour, fifty for a login, a hundred from an address. Needs
/// no sign-in.
#[utoipa::path(
    tag = "access",
    security(()),
    request_body(content = SignInBody, example = json!({"login": "maria", "password": "quattro oche sul lago"})),
    responses(
        (status = 200, body = TokensBody),
        (status = 401, body = Problem),
        (status = 429, body = Problem),
        (status = 503, body = Problem)
    )
)]
#[post("/sign-in")]
async fn sign_in(
    service: web::Data<Service>,
    Body(body): Body<SignInBody>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let SignInBody { login, password } = body;
    let tokens = service.desk.sign_in(&login, password, client(&request)).await?;
    Ok(answer(StatusCode::OK, tokens))
}

/// Gives new tokens for a refresh token.
///
/// The refresh token is used up; shown again within thirty seconds it gives the same successor (two tabs, a
/// lost answer), later the whole session ends. Needs no access token.
#[utoipa::path(
    tag = "access",
    security(()),
    request_body(
        content = RefreshBody,
        example = json!({"refresh_token": "owlr_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"})
    ),
    responses((status = 200, body = TokensBody), (status = 401, body = Problem))
)]
#[post("/refresh")]
async fn refresh(
    service: web::Data<Service>,
    Body(body): Body<RefreshBody>,
) -> Result<HttpResponse, Problem> {
    let tokens = service.desk.refresh(body.refresh_token.expose_secret()).await?;
    Ok(answer(StatusCode::OK, tokens))
}

/// Ends this session.
///
/// Needs `manage_own_account` and a session: an API token is revoked instead.
#[utoipa::path(
    tag = "access",
    responses((status = 204), (status = 401, body = Problem), (status = 422, body = Problem))
)]
#[post("/sign-out")]
async fn sign_out(service: web::Data<Service>, caller: Caller) -> Result<HttpResponse, Problem> {
    service.desk.sign_out(caller.actor).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Ends every session of the own account, at once.
///
/// API tokens go on: revoke them one by one. Needs `manage_own_account`.
#[utoipa::path(tag = "access", responses((status = 204), (status = 401, body = Problem)))]
#[post("/sign-out-everywhere")]
async fn sign_out_everywhere(service: web::Data<Service>, caller: Caller) -> Result<HttpResponse, Problem> {
    service.desk.sign_out_everywhere(caller.actor).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Who is asking.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeBody {
    /// The account.
    pub account: AccountId,
    /// What one signs in with.
    #[schema(example = "maria")]
    pub login: Option<String>,
    /// Whose the account is, if he plays.
    pub player: Option<PlayerId>,
    /// What he is called.
    #[schema(example = "Mari")]
    pub name: Option<String>,
    /// What he is in the club.
    pub roles: Roles,
    /// What he may do.
    pub permissions: Vec<Permission>,
    /// When the token that was shown ends, if it does.
    pub expires_at: Option<Timestamp>,
}

/// Tells who the token's owner is and what he may do.
///
/// Needs any sign-in.
#[utoipa::path(operation_id = "show_me", tag = "access", responses((status = 200, body = MeBody), (status = 401, body = Problem)))]
#[get("/me")]
async fn me(service: web::Data<Service>, caller: Caller) -> Result<web::Json<MeBody>, Problem> {
    let principal = service.desk.principal(&caller.actor).await?;
    let view = service.desk.account(&caller.actor, principal.account).await?;
    let permissions =
        Permission::ALL.into_iter().filter(|permission| allows(principal.roles, *permission)).collect();
    Ok(web::Json(MeBody {
        account: principal.account,
        login: view.account.login,
        player: principal.player,
        name: view.name,
        roles: principal.roles,
        permissions,
        expires_at: caller.expires_at,
    }))
}

/// Changes the own password.
///
/// Every session ends and a new one begins, whose tokens are the answer. Attempts count like sign-ins.
/// Needs `manage_own_account` and the old password.
#[utoipa::path(
    tag = "access",
    request_body(
        content = PasswordBody,
        example = json!({"old": "quattro oche sul lago", "new": "sei cigni sul fiume"})
    ),
    responses(
        (status = 200, body = TokensBody),
        (status = 401, body = Problem),
        (status = 422, body = Problem),
        (status = 429, body = Problem)
    )
)]
#[post("/password")]
async fn change_password(
    service: web::Data<Service>,
    ask: Ask<PasswordBody>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let PasswordBody { old, new } = ask.body;
    let tokens = service.desk.change_password(ask.request.actor, old, new, client(&request)).await?;
    Ok(answer(StatusCode::OK, tokens))
}

/// An API token, without what makes it work.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApiTokenBody {
    /// Which.
    pub id: Uuid,
    /// What it is for.
    #[schema(example = "score board")]
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops working, if it does.
    pub expires_at: Option<Timestamp>,
}

impl From<ApiToken> for ApiTokenBody {
    fn from(token: ApiToken) -> Self {
        Self {
            id: token.id.0,
            name: token.name,
            created_at: token.created_at,
            expires_at: token.expires_at.map(Timestamp::from),
        }
    }
}

/// A new API token.
#[derive(Serialize, ToSchema)]
pub struct NewApiTokenBody {
    /// What is kept of it.
    #[serde(flatten)]
    pub kept: ApiTokenBody,
    /// The token itself, for `Authorization: Bearer ...`. It is shown this once.
    #[schema(example = "owlt_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE")]
    pub token: String,
}

/// A token to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateTokenBody {
    /// What it is for: 1 to 60 characters.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// When it stops working; without it, when it is revoked.
    #[serde(default)]
    expires_at: Option<Timestamp>,
}

/// Lists the own API tokens, newest first.
///
/// There are at most fifty, on one page. Needs `manage_own_account`.
#[utoipa::path(
    tag = "access",
    responses((status = 200, body = Page<ApiTokenBody>), (status = 401, body = Problem))
)]
#[get("/tokens")]
async fn list_tokens(
    service: web::Data<Service>,
    caller: Caller,
) -> Result<web::Json<Page<ApiTokenBody>>, Problem> {
    let tokens = service.desk.api_tokens(&caller.actor).await?;
    Ok(web::Json(Page { items: tokens.into_iter().map(ApiTokenBody::from).collect(), next: None }))
}

/// Makes an API token, which may do what its account may.
///
/// Needs `manage_own_account` and a session: a token cannot make another.
#[utoipa::path(
    tag = "access",
    request_body(
        content = CreateTokenBody,
        example = json!({"name": "score board", "expires_at": "2027-12-31T23:00:00Z"})
    ),
    responses((status = 201, body = NewApiTokenBody), (status = 401, body = Problem), (status = 422, body = Problem))
)]
#[post("/tokens")]
async fn create_token(
    service: web::Data<Service>,
    ask: Ask<CreateTokenBody>,
) -> Result<HttpResponse, Problem> {
    let CreateTokenBody { name, expires_at } = ask.body;
    let NewApiToken { token, secret } =
        service.desk.create_api_token(ask.request.actor, name, expires_at).await?;
    Ok(HttpResponse::Created()
        .insert_header(("cache-control", "no-store"))
        .json(NewApiTokenBody { kept: token.into(), token: secret.expose_secret().to_owned() }))
}

/// Revokes one of the own API tokens.
///
/// Needs `manage_own_account`.
#[utoipa::path(
    tag = "access",
    params(("id" = Uuid, Path, description = "The token")),
    responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem))
)]
#[delete("/tokens/{id}")]
async fn revoke_token(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    service.desk.revoke_api_token(caller.actor, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// What a link is for.
#[derive(Debug, Serialize, ToSchema)]
pub struct LinkViewBody {
    /// To choose login and password, or a new password.
    pub purpose: Purpose,
    /// What the person is called, if he plays.
    #[schema(example = "Mari")]
    pub name: Option<String>,
    /// His login, if he has chosen it before.
    pub login: Option<String>,
    /// When the link stops working.
    pub expires_at: Timestamp,
}

impl From<LinkView> for LinkViewBody {
    fn from(LinkView { purpose, name, login, expires_at }: LinkView) -> Self {
        Self { purpose, name, login, expires_at }
    }
}

/// Looks at a link: what it is for, and for whom.
///
/// Needs no sign-in: whoever has the secret may.
#[utoipa::path(
    tag = "access",
    security(()),
    params(("secret" = String, Path, description = "What opens the link")),
    responses((status = 200, body = LinkViewBody), (status = 404, body = Problem), (status = 422, body = Problem))
)]
#[get("/links/{secret}")]
async fn look_at_link(
    service: web::Data<Service>,
    secret: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let view = service.desk.look_at_link(&secret).await?;
    Ok(HttpResponse::Ok().insert_header(("cache-control", "no-store")).json(LinkViewBody::from(view)))
}

/// Claims a link, once: with login and password for an invitation, with a password for a reset.
///
/// Signs in, too; a reset ends every session before. Needs no sign-in: whoever has the secret may.
#[utoipa::path(
    tag = "access",
    security(()),
    params(("secret" = String, Path, description = "What opens the link")),
    request_body(content = ClaimBody, example = json!({"login": "maria", "password": "quattro oche sul lago"})),
    responses((status = 200, body = TokensBody), (status = 404, body = Problem), (status = 422, body = Problem))
)]
#[post("/links/{secret}")]
async fn claim_link(
    service: web::Data<Service>,
    secret: web::Path<String>,
    Body(body): Body<ClaimBody>,
) -> Result<HttpResponse, Problem> {
    let ClaimBody { login, password } = body;
    let tokens = service.desk.claim_link(&secret, Claim { login, password }).await?;
    Ok(answer(StatusCode::OK, tokens))
}
