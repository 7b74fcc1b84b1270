//! Accounts: logins, roles, invitations.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get, patch, post, put, web};
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};

use super::etag;
use owlbox_base::values::{AccountId, Timestamp};
use owlbox_desk::access::accounts::{AccountChange, AccountView, NewAccount};
use owlbox_desk::access::links::{NewLink, Purpose};
use owlbox_desk::access::mail::MailAddress;
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::{self, Caller};
use owlbox_http::paging::{Page, PageQuery, cursor, limit};
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl super::Routes) {
    config
        .service(list_accounts)
        .service(create_account)
        .service(show_account)
        .service(change_account)
        .service(address_invitation)
        .service(invite_again)
        .service(reset_password);
}

/// Where an invitation is sent.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
struct InvitationAddress {
    email: MailAddress,
}

/// A new link. Its secret is shown only this once.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct NewLinkBody {
    /// The account that the link is for.
    pub account: AccountId,
    /// Whether it is for choosing a login and a password, or a new password.
    pub purpose: Purpose,
    /// The secret, for `/api/v1/links/{secret}`.
    #[cfg_attr(test, schema(example = "owll_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"))]
    pub secret: String,
    /// The page that claims the link. Give it to that person only.
    #[cfg_attr(
        test,
        schema(example = "https://club.example/claim/owll_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE")
    )]
    pub url: String,
    /// When the link expires.
    pub expires_at: Timestamp,
    /// Whether it is sent to the account's mail address, too.
    pub mailed: bool,
}

/// The link, which is sent to its account's mail address if there is one.
async fn link_body(service: &Service, request: &HttpRequest, link: &NewLink) -> NewLinkBody {
    let mailed = service.mail_link(link).await;
    let base = caller::base_url(request);
    let secret = link.secret.expose_secret().to_owned();
    NewLinkBody {
        account: link.account,
        purpose: link.purpose,
        url: format!("{base}/claim/{secret}"),
        secret,
        expires_at: link.expires_at,
        mailed,
    }
}

/// Lists accounts, oldest first.
///
/// Needs `manage_accounts`.
#[cfg_attr(test, utoipa::path(
    params(PageQuery),
    responses((status = 200, body = Page<AccountView>))
))]
#[get("/accounts")]
async fn list_accounts(
    service: Service,
    caller: Caller,
    query: web::Query<PageQuery>,
) -> Result<web::Json<Page<AccountView>>, Problem> {
    let limit = limit(&service, query.limit)?;
    let after = cursor(query.after.as_deref())?;
    let accounts = service.desk.accounts(&caller.actor, after, limit + 1).await?;
    Ok(web::Json(Page::cut(accounts, limit, |account: &AccountView| account.id.to_string())))
}

/// Creates an account, with an invitation for choosing a login and a password.
///
/// A retry under the same `Idempotency-Key` finds the account and replaces the first link with a new one.
/// Where the service sends mail, the invitation goes to `email` as well. Needs `manage_accounts`.
#[cfg_attr(test, utoipa::path(
    params(crate::schemas::ClubConditions),
    request_body(
        content = NewAccount,
        example = json!({"player": "0190a6f4-0000-7000-8000-000000000001", "roles": ["player"]})
    ),
    responses((status = 201, body = NewLinkBody, headers(("ETag" = String), ("Location" = String))))
))]
#[post("/accounts")]
async fn create_account(
    service: Service,
    ask: CommandRequest<NewAccount>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (link, version) = service.desk.create_account(ask.request, ask.body).await?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/api/v1/accounts/{}", link.account)))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(etag(version))
        .json(link_body(&service, &request, &link).await))
}

/// Shows an account.
///
/// Needs `manage_accounts`, except for the caller's own. The `ETag` is the version of the club.
#[cfg_attr(test, utoipa::path(
    params(("id" = AccountId, Path, description = "The account")),
    responses((status = 200, body = AccountView, headers(("ETag" = String))))
))]
#[get("/accounts/{id}")]
async fn show_account(
    service: Service,
    caller: Caller,
    id: web::Path<AccountId>,
) -> Result<HttpResponse, Problem> {
    // The version is read before the account, so that the account shown is never older than the version says.
    let version = service.desk.club().await?.version;
    let view = service.desk.account(&caller.actor, *id).await?;
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(view))
}

/// Changes an account: its roles, whether it can sign in, the player it belongs to.
///
/// Deactivating it ends all of its sessions, links and API tokens. The last active admin remains an admin.
/// Needs `manage_accounts`.
#[cfg_attr(test, utoipa::path(
    params(("id" = AccountId, Path, description = "The account"), crate::schemas::ClubConditions),
    request_body(content = AccountChange, example = json!({"roles": ["player", "scorer"], "active": true})),
    responses((status = 200, body = AccountView, headers(("ETag" = String))))
))]
#[patch("/accounts/{id}")]
async fn change_account(
    service: Service,
    id: web::Path<AccountId>,
    ask: CommandRequest<AccountChange>,
) -> Result<HttpResponse, Problem> {
    let (version, view) = service.desk.change_account(ask.request, *id, ask.body).await?;
    Ok(HttpResponse::Ok().insert_header(etag(version)).json(view))
}

/// Says where the invitation of an account is sent.
///
/// Only until the account is claimed: then its owner does. Make the invitation anew to send it. Needs
/// `manage_accounts`.
#[cfg_attr(test, utoipa::path(
    params(("id" = AccountId, Path, description = "The account")),
    request_body(content = InvitationAddress, example = json!({"email": "maria@club.example"})),
    responses((status = 204, description = "Done"), (status = 422, body = Problem))
))]
#[put("/accounts/{id}/email")]
async fn address_invitation(
    service: Service,
    id: web::Path<AccountId>,
    ask: CommandRequest<InvitationAddress>,
) -> Result<HttpResponse, Problem> {
    service.desk.address_invitation(ask.request.actor, *id, ask.body.email).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Makes a new invitation for an account that nobody has claimed yet.
///
/// The previous link stops working. Where the service sends mail, the link goes to the account's address as
/// well, if there is one. Needs `manage_accounts`.
#[cfg_attr(test, utoipa::path(
    params(("id" = AccountId, Path, description = "The account")),
    responses((status = 201, body = NewLinkBody), (status = 422, body = Problem))
))]
#[post("/accounts/{id}/invite")]
async fn invite_again(
    service: Service,
    caller: Caller,
    id: web::Path<AccountId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let link = service.desk.invite_again(caller.actor, *id).await?;
    Ok(new_link(&service, &request, &link).await)
}

/// Makes a link for choosing a new password.
///
/// The old password works until the link is claimed; a previous link stops working. Where the service sends
/// mail, the link goes to the account's address as well, if there is one. Needs `manage_accounts`.
#[cfg_attr(test, utoipa::path(
    params(("id" = AccountId, Path, description = "The account")),
    responses((status = 201, body = NewLinkBody), (status = 422, body = Problem))
))]
#[post("/accounts/{id}/reset")]
async fn reset_password(
    service: Service,
    caller: Caller,
    id: web::Path<AccountId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let link = service.desk.reset_link(caller.actor, *id).await?;
    Ok(new_link(&service, &request, &link).await)
}

async fn new_link(service: &Service, request: &HttpRequest, link: &NewLink) -> HttpResponse {
    let body = link_body(service, request, link).await;
    HttpResponse::Created().insert_header((header::CACHE_CONTROL, "no-store")).json(body)
}
