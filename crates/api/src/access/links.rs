//! Links for claiming an account, or for choosing a new password.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};

use super::answer;
use crate::Routes;
use owlbox_desk::access::links::Claim;
#[cfg(test)]
use owlbox_desk::access::links::LinkView;
use owlbox_http::ask::Body;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl Routes) {
    config.service(look_at_link).service(claim_link);
}

/// Shows what a link is for, and for whom.
///
/// Needs no sign-in: the secret is enough.
#[cfg_attr(test, utoipa::path(
    security(()),
    params(("secret" = String, Path, description = "The secret of the link")),
    responses((status = 200, body = LinkView), (status = 422, body = Problem))
))]
#[get("/links/{secret}")]
async fn look_at_link(service: Service, secret: web::Path<String>) -> Result<HttpResponse, Problem> {
    let view = service.desk.link_view(&secret).await?;
    Ok(HttpResponse::Ok().insert_header(("cache-control", "no-store")).json(view))
}

/// Claims a link, once: with login and password for an invitation, with a password for a reset.
///
/// Also signs in. A reset ends all earlier sessions. Needs no sign-in: the secret is enough.
#[cfg_attr(test, utoipa::path(
    security(()),
    params(("secret" = String, Path, description = "The secret of the link")),
    request_body(content = Claim, example = json!({"login": "maria", "password": "quattro oche sul lago"})),
    responses((status = 200, body = super::TokensBody), (status = 422, body = Problem))
))]
#[post("/links/{secret}")]
async fn claim_link(
    service: Service,
    secret: web::Path<String>,
    Body(claim): Body<Claim>,
) -> Result<HttpResponse, Problem> {
    let tokens = service.desk.claim_link(&secret, claim).await?;
    Ok(answer(StatusCode::OK, tokens))
}
