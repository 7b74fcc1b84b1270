//! The caller's own account: who they are, what they may do, and their password.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, post, put, web};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::{answer, client};
use crate::Routes;
use owlbox_base::permissions::scopes::TokenScope;
use owlbox_base::permissions::{Permission, Roles};
use owlbox_base::values::{AccountId, PlayerId, Timestamp};
use owlbox_desk::access::mail::MailAddress;
use owlbox_http::ask::{Body, CommandRequest};
use owlbox_http::caller::Caller;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;
use owlbox_http::session::chosen_language;

pub(super) fn configure(config: &mut impl Routes) {
    config.service(show_me).service(change_password).service(change_email).service(forgot_password);
}

/// The old password and the new one.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PasswordBody {
    /// The current password.
    #[cfg_attr(test, schema(value_type = String, format = Password))]
    old: SecretString,
    /// The new password: 10 to 200 characters.
    #[cfg_attr(test, schema(value_type = String, format = Password, min_length = 10, max_length = 200))]
    new: SecretString,
}

/// A new mail address, and the password.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
struct EmailBody {
    /// Where to send mail; null for nowhere.
    email: Option<MailAddress>,
    /// The current password.
    #[cfg_attr(test, schema(value_type = String, format = Password))]
    password: SecretString,
}

/// A login whose password is forgotten.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
struct ForgottenBody {
    /// The login, or its mail address.
    #[cfg_attr(test, schema(max_length = 254, example = "maria"))]
    login: String,
}

/// The caller's account and permissions.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MeBody {
    pub account: AccountId,
    /// The login name.
    #[cfg_attr(test, schema(example = "maria"))]
    pub login: Option<String>,
    /// Where the caller is sent mail; null if that is not known.
    pub email: Option<MailAddress>,
    /// The player that the account belongs to; null for somebody who does not play.
    pub player: Option<PlayerId>,
    /// The player's name; null without a player.
    #[cfg_attr(test, schema(example = "Mari"))]
    pub name: Option<String>,
    pub roles: Roles,
    /// The permissions that the roles give; with a token that has scopes, those that are left of them
    /// somewhere.
    pub permissions: Vec<Permission>,
    /// The scopes of the token in use; null if it may do everything that the login may.
    pub scopes: Option<Vec<TokenScope>>,
    /// When the token in use expires; null if it never does.
    pub expires_at: Option<Timestamp>,
}

/// Shows who the caller is and what they may do.
///
/// Needs a sign-in only.
#[cfg_attr(test, utoipa::path(responses((status = 200, body = MeBody))))]
#[get("/me")]
async fn show_me(service: Service, caller: Caller) -> Result<web::Json<MeBody>, Problem> {
    let principal = service.desk.principal(&caller.actor).await?;
    let view = service.desk.account(&caller.actor, principal.account).await?;
    Ok(web::Json(MeBody {
        account: principal.account,
        login: view.login,
        email: service.desk.own_mail_address(&caller.actor).await?,
        player: principal.player,
        name: view.name,
        roles: principal.powers.roles(),
        permissions: principal.powers.permissions().collect(),
        scopes: principal.powers.scopes().map(Vec::from),
        expires_at: caller.expires_at,
    }))
}

/// Changes the caller's own password.
///
/// All sessions end and a new one begins, whose tokens are returned. Attempts are limited like sign-ins.
/// Needs `manage_own_account` and the old password.
#[cfg_attr(test, utoipa::path(
    request_body(
        content = PasswordBody,
        example = json!({"old": "quattro oche sul lago", "new": "sei cigni sul fiume"})
    ),
    responses(
        (status = 200, body = super::TokensBody),
        (status = 422, body = Problem),
        (status = 429, body = Problem)
    )
))]
#[post("/password")]
async fn change_password(
    service: Service,
    ask: CommandRequest<PasswordBody>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let PasswordBody { old, new } = ask.body;
    let tokens = service.desk.change_password(ask.request.actor, old, new, client(&request)).await?;
    Ok(answer(StatusCode::OK, tokens))
}

/// Changes where the caller is sent mail.
///
/// Attempts are limited like sign-ins. Needs `manage_own_account`, a session and the password, because a link
/// for another password is sent there.
#[cfg_attr(test, utoipa::path(
    request_body(
        content = EmailBody,
        example = json!({"email": "maria@club.example", "password": "quattro oche sul lago"})
    ),
    responses(
        (status = 204, description = "Changed"),
        (status = 422, body = Problem),
        (status = 429, body = Problem)
    )
))]
#[put("/me/email")]
async fn change_email(
    service: Service,
    ask: CommandRequest<EmailBody>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let EmailBody { email, password } = ask.body;
    let desk = &service.desk;
    desk.change_own_mail_address(ask.request.actor, email, password, client(&request)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Sends a link for a new password to a login's mail address, where the service sends mail.
///
/// The answer is the same whether there is such a login or not, and whether it has an address. The link works
/// once, within an hour. One address may ask five times within a quarter of an hour, and a login is sent
/// three links a day. Needs no sign-in.
#[cfg_attr(test, utoipa::path(
    security(()),
    request_body(content = ForgottenBody, example = json!({"login": "maria"})),
    responses(
        (status = 202, description = "Received"),
        (status = 422, body = Problem),
        (status = 429, body = Problem),
        (status = 503, body = Problem)
    )
))]
#[post("/forgotten-password")]
async fn forgot_password(
    service: Service,
    Body(forgotten): Body<ForgottenBody>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    service.mail_forgotten(forgotten.login, client(&request), chosen_language(&request)).await?;
    Ok(HttpResponse::Accepted().finish())
}
