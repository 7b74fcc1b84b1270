//! Links for claiming an account, or for choosing a new password.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::{answer, secret};
use crate::Routes;
use owlbox_base::values::Timestamp;
use owlbox_books::club::Login;
use owlbox_desk::access::links::{Claim, LinkView, Purpose};
use owlbox_http::ask::Body;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl Routes) {
    config.service(look_at_link).service(claim_link);
}

/// The data for claiming a link.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ClaimBody {
    /// The login to have from now on. For an invitation only.
    #[serde(default)]
    login: Option<Login>,
    /// The new password: 10 to 200 characters.
    #[serde(deserialize_with = "secret")]
    #[cfg_attr(test, schema(value_type = String, format = Password, min_length = 10, max_length = 200))]
    password: SecretString,
}

/// What a link is for, and for whom.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct LinkViewBody {
    /// Whether it is for choosing a login and a password, or a new password.
    pub purpose: Purpose,
    /// The person's name as a player; null if they do not play.
    #[cfg_attr(test, schema(example = "Mari"))]
    pub name: Option<String>,
    /// Their login, if they have one already.
    pub login: Option<String>,
    /// When the link expires.
    pub expires_at: Timestamp,
}

impl From<LinkView> for LinkViewBody {
    fn from(LinkView { purpose, name, login, expires_at }: LinkView) -> Self {
        Self { purpose, name, login, expires_at }
    }
}

/// Shows what a link is for, and for whom.
///
/// Needs no sign-in: the secret is enough.
#[cfg_attr(test, utoipa::path(
    security(()),
    params(("secret" = String, Path, description = "The secret of the link")),
    responses((status = 200, body = LinkViewBody), (status = 422, body = Problem))
))]
#[get("/links/{secret}")]
async fn look_at_link(service: Service, secret: web::Path<String>) -> Result<HttpResponse, Problem> {
    let view = service.desk.look_at_link(&secret).await?;
    Ok(HttpResponse::Ok().insert_header(("cache-control", "no-store")).json(LinkViewBody::from(view)))
}

/// Claims a link, once: with login and password for an invitation, with a password for a reset.
///
/// Also signs in. A reset ends all earlier sessions. Needs no sign-in: the secret is enough.
#[cfg_attr(test, utoipa::path(
    security(()),
    params(("secret" = String, Path, description = "The secret of the link")),
    request_body(content = ClaimBody, example = json!({"login": "maria", "password": "quattro oche sul lago"})),
    responses((status = 200, body = super::TokensBody), (status = 422, body = Problem))
))]
#[post("/links/{secret}")]
async fn claim_link(
    service: Service,
    secret: web::Path<String>,
    Body(body): Body<ClaimBody>,
) -> Result<HttpResponse, Problem> {
    let ClaimBody { login, password } = body;
    let tokens = service.desk.claim_link(&secret, Claim { login, password }).await?;
    Ok(answer(StatusCode::OK, tokens))
}
