//! The caller's own account: who they are, what they may do, and their password.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::{answer, client};
use crate::Routes;
use owlbox_base::permissions::scopes::TokenScope;
use owlbox_base::permissions::{Permission, Roles};
use owlbox_base::values::{AccountId, PlayerId, Timestamp};
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::Caller;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl Routes) {
    config.service(show_me).service(change_password);
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

/// The caller's account and permissions.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MeBody {
    pub account: AccountId,
    /// The login name.
    #[cfg_attr(test, schema(example = "maria"))]
    pub login: Option<String>,
    /// The player that the account belongs to; null for somebody who does not play.
    pub player: Option<PlayerId>,
    /// The player's name; null without a player.
    #[cfg_attr(test, schema(example = "Mari"))]
    pub name: Option<String>,
    pub roles: Roles,
    /// The permissions that the roles give; with a token that has scopes, those that are left of them somewhere.
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
