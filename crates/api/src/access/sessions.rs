//! Sessions: signing in, renewing tokens, signing out.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, post};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use super::{answer, client};
use crate::Routes;
use owlbox_http::ask::Body;
use owlbox_http::caller::Caller;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl Routes) {
    config.service(sign_in).service(refresh).service(sign_out).service(sign_out_everywhere);
}

/// A login and its password.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SignInBody {
    /// The login, in upper or lower case.
    login: String,
    /// The password.
    #[cfg_attr(test, schema(value_type = String, format = Password))]
    password: SecretString,
}

/// The refresh token of a session.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RefreshBody {
    /// The token from the last answer. It is used up by this.
    #[cfg_attr(test, schema(value_type = String, format = Password))]
    refresh_token: SecretString,
}

/// Signs in.
///
/// An unknown login and a wrong password get the same answer. Failed attempts within a quarter of an hour are
/// limited: ten for a login from one address, fifty for a login, a hundred from an address. Needs no sign-in.
#[cfg_attr(test, utoipa::path(
    security(()),
    request_body(content = SignInBody, example = json!({"login": "maria", "password": "quattro oche sul lago"})),
    responses(
        (status = 200, body = super::TokensBody),
        (status = 401, body = Problem),
        (status = 429, body = Problem)
    )
))]
#[post("/sign-in")]
async fn sign_in(
    service: Service,
    Body(body): Body<SignInBody>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let SignInBody { login, password } = body;
    let tokens = service.desk.sign_in(&login, password, client(&request)).await?;
    Ok(answer(StatusCode::OK, tokens))
}

/// Exchanges a refresh token for new tokens.
///
/// The refresh token is used up. Sent again within thirty seconds - from two tabs, or after a lost answer -
/// it gives the same successor; later, it ends the whole session. Needs no access token.
#[cfg_attr(test, utoipa::path(
    security(()),
    request_body(
        content = RefreshBody,
        example = json!({"refresh_token": "owlr_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"})
    ),
    responses((status = 200, body = super::TokensBody), (status = 401, body = Problem))
))]
#[post("/refresh")]
async fn refresh(service: Service, Body(body): Body<RefreshBody>) -> Result<HttpResponse, Problem> {
    let tokens = service.desk.refresh(body.refresh_token.expose_secret()).await?;
    Ok(answer(StatusCode::OK, tokens))
}

/// Ends this session.
///
/// Needs `manage_own_account` and a session: an API token has to be revoked instead.
#[cfg_attr(test, utoipa::path(responses((status = 204), (status = 422, body = Problem))))]
#[post("/sign-out")]
async fn sign_out(service: Service, caller: Caller) -> Result<HttpResponse, Problem> {
    service.desk.sign_out(caller.actor).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Ends every session of the caller's account.
///
/// API tokens keep working: revoke them one by one. Needs `manage_own_account`.
#[cfg_attr(test, utoipa::path(responses((status = 204))))]
#[post("/sign-out-everywhere")]
async fn sign_out_everywhere(service: Service, caller: Caller) -> Result<HttpResponse, Problem> {
    service.desk.sign_out_everywhere(caller.actor).await?;
    Ok(HttpResponse::NoContent().finish())
}
