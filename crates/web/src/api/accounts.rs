//! Accounts: logins, roles, invitations.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get, patch, post, web};
use secrecy::ExposeSecret as _;
use serde::Serialize;
use utoipa::ToSchema;

use super::etag;
use crate::ask::Ask;
use crate::caller::{self, Caller};
use crate::paging::{Page, PageQuery, cursor, limit};
use crate::problem::Problem;
use crate::service::Service;
use owlbox_desk::access::accounts::{AccountChange, AccountView, NewAccount};
use owlbox_desk::access::links::{NewLink, Purpose};
use owlbox_domain::permissions::Roles;
use owlbox_domain::values::{AccountId, PlayerId, Timestamp};

pub(super) fn configure(config: &mut impl super::Routes) {
    config
        .service(list)
        .service(create)
        .service(show)
        .service(change)
        .service(invite_again)
        .service(reset_password);
}

/// An account.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountBody {
    /// Which.
    pub id: AccountId,
    /// What one signs in with; null until the invitation is claimed.
    #[schema(example = "maria")]
    pub login: Option<String>,
    /// Whose it is, if he plays.
    pub player: Option<PlayerId>,
    /// What that player is called.
    pub name: Option<String>,
    /// What he is in the club.
    pub roles: Roles,
    /// Whether one can sign in with it.
    pub active: bool,
}

impl From<AccountView> for AccountBody {
    fn from(AccountView { account, name }: AccountView) -> Self {
        Self {
            id: account.id,
            login: account.login,
            player: account.player.map(PlayerId::from),
            name,
            roles: account.roles,
            active: account.active,
        }
    }
}

/// A link just made. Its secret is shown this once.
#[derive(Serialize, ToSchema)]
pub struct NewLinkBody {
    /// For which account.
    pub account: AccountId,
    /// To choose login and password, or a new password.
    pub purpose: Purpose,
    /// What opens it, at `/api/v1/links/{secret}`.
    #[schema(example = "owll_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE")]
    pub secret: String,
    /// The page that opens it: to be given to that person, and nobody else.
    #[schema(example = "https://club.example/claim/owll_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE")]
    pub url: String,
    /// When it stops working.
    pub expires_at: Timestamp,
}

fn link_body(request: &HttpRequest, link: &NewLink) -> NewLinkBody {
    let base = caller::base_url(request);
    let secret = link.secret.expose_secret().to_owned();
    NewLinkBody {
        account: link.account,
        purpose: link.purpose,
        url: format!("{base}/claim/{secret}"),
        secret,
        expires_at: link.expires_at,
    }
}

/// Lists accounts, the oldest first.
///
/// Needs `manage_accounts`.
#[utoipa::path(
    operation_id = "list_accounts",
    tag = "accounts",
    params(PageQuery),
    responses(
        (status = 200, body = Page<AccountBody>),
        (status = 401, body = Problem),
        (status = 403, body = Problem)
    )
)]
#[get("/accounts")]
async fn list(
    service: web::Data<Service>,
    caller: Caller,
    query: web::Query<PageQuery>,
) -> Result<web::Json<Page<AccountBody>>, Problem> {
    let limit = limit(&service, query.limit)?;
    let after = cursor(query.after.as_deref())?;
    let accounts = service.desk.accounts(&caller.actor, after, limit + 1).await?;
    let items = accounts.into_iter().map(AccountBody::from).collect();
    Ok(web::Json(Page::cut(items, limit, |account: &AccountBody| account.id.to_string())))
}

/// Makes an account and the invitation by which its person chooses login and password.
///
/// A repeat under the same `Idempotency-Key` finds the account and makes a new link in the place of the
/// first. Needs `manage_accounts`.
#[utoipa::path(
    operation_id = "create_account",
    tag = "accounts",
    params(
        ("If-Match" = Option<String>, Header, description = "The version of the club you saw"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")
    ),
    request_body(
        content = NewAccount,
        example = json!({"player": "0190a6f4-0000-7000-8000-000000000001", "roles": ["player"]})
    ),
    responses(
        (status = 201, body = NewLinkBody, headers(("ETag" = String), ("Location" = String))),
        (status = 403, body = Problem),
        (status = 422, body = Problem)
    )
)]
#[post("/accounts")]
async fn create(
    service: web::Data<Service>,
    ask: Ask<NewAccount>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (link, version) = service.desk.create_account(ask.request, ask.body).await?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/api/v1/accounts/{}", link.account)))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(etag(version))
        .json(link_body(&request, &link)))
}

/// Shows an account.
///
/// Needs `manage_accounts`, but for one's own. The `ETag` is the version of the club.
#[utoipa::path(
    operation_id = "show_account",
    tag = "accounts",
    params(("id" = AccountId, Path, description = "The account")),
    responses(
        (status = 200, body = AccountBody, headers(("ETag" = String))),
        (status = 403, body = Problem),
        (status = 404, body = Problem)
    )
)]
#[get("/accounts/{id}")]
async fn show(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<AccountId>,
) -> Result<HttpResponse, Problem> {
    // The version before the account, so that what is shown is never older than what it says.
    let version = service.desk.club().await?.version;
    let view = service.desk.account(&caller.actor, *id).await?;
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(AccountBody::from(view)))
}

/// Changes an account: its roles, whether one can sign in with it, whose it is.
///
/// Deactivating it ends every session, link and API token. The last active admin stays one. Needs
/// `manage_accounts`.
#[utoipa::path(
    operation_id = "change_account",
    tag = "accounts",
    params(
        ("id" = AccountId, Path, description = "The account"),
        ("If-Match" = Option<String>, Header, description = "The version of the club you saw"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe")
    ),
    request_body(content = AccountChange, example = json!({"roles": ["player", "scorer"], "active": true})),
    responses(
        (status = 200, body = AccountBody, headers(("ETag" = String))),
        (status = 403, body = Problem),
        (status = 404, body = Problem),
        (status = 412, body = Problem),
        (status = 422, body = Problem)
    )
)]
#[patch("/accounts/{id}")]
async fn change(
    service: web::Data<Service>,
    id: web::Path<AccountId>,
    ask: Ask<AccountChange>,
) -> Result<HttpResponse, Problem> {
    let (version, view) = service.desk.change_account(ask.request, *id, ask.body).await?;
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(AccountBody::from(view)))
}

/// Makes a new invitation for an account that nobody has claimed yet.
///
/// The older link stops working. Needs `manage_accounts`.
#[utoipa::path(
    tag = "accounts",
    params(("id" = AccountId, Path, description = "The account")),
    responses(
        (status = 201, body = NewLinkBody),
        (status = 403, body = Problem),
        (status = 404, body = Problem),
        (status = 422, body = Problem)
    )
)]
#[post("/accounts/{id}/invite")]
async fn invite_again(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<AccountId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let link = service.desk.invite_again(caller.actor, *id).await?;
    Ok(new_link(&request, &link))
}

/// Makes a link for a new password.
///
/// The old password works until the link is claimed; an older link stops working. Needs `manage_accounts`.
#[utoipa::path(
    tag = "accounts",
    params(("id" = AccountId, Path, description = "The account")),
    responses(
        (status = 201, body = NewLinkBody),
        (status = 403, body = Problem),
        (status = 404, body = Problem),
        (status = 422, body = Problem)
    )
)]
#[post("/accounts/{id}/reset")]
async fn reset_password(
    service: web::Data<Service>,
    caller: Caller,
    id: web::Path<AccountId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let link = service.desk.reset_link(caller.actor, *id).await?;
    Ok(new_link(&request, &link))
}

fn new_link(request: &HttpRequest, link: &NewLink) -> HttpResponse {
    HttpResponse::Created().insert_header((header::CACHE_CONTROL, "no-store")).json(link_body(request, link))
}
