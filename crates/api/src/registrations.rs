//! People who register for a login themselves, and the admin who confirms them.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};
use uuid::Uuid;

use super::access::client;
use super::etag;
#[cfg(test)]
use owlbox_desk::access::accounts::AccountView;
use owlbox_desk::access::registrations::{Confirmation, NewRegistration, Registration};
use owlbox_http::ask::{Body, CommandRequest};
use owlbox_http::caller::Caller;
use owlbox_http::paging::Page;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl super::Routes) {
    config
        .service(register)
        .service(list_registrations)
        .service(confirm_registration)
        .service(decline_registration)
        .service(decline_registrations);
}

/// Registers for a login, if the club's `self_registration` allows it.
///
/// The answer is the same whether the login is free or not, and there is no account until an admin has
/// confirmed it. One address may register five times within a quarter of an hour. At most a hundred
/// registrations wait, for thirty days. Needs no sign-in.
#[cfg_attr(test, utoipa::path(
    security(()),
    request_body(
        content = NewRegistration,
        example = json!({"login": "maria", "name": "Maria Rossi", "password": "quattro oche sul lago"})
    ),
    responses(
        (status = 202, description = "Received: it waits for an admin"),
        (status = 422, body = Problem),
        (status = 429, body = Problem)
    )
))]
#[post("/registrations")]
async fn register(
    service: Service,
    Body(new): Body<NewRegistration>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    service.desk.register(new, client(&request)).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Lists registrations that await an admin, oldest first.
///
/// Needs `manage_accounts`. There are at most a hundred: `next` is always null.
#[cfg_attr(test, utoipa::path(responses((status = 200, body = Page<Registration>))))]
#[get("/registrations")]
async fn list_registrations(
    service: Service,
    caller: Caller,
) -> Result<web::Json<Page<Registration>>, Problem> {
    let items = service.desk.registrations(&caller.actor).await?;
    Ok(web::Json(Page { items, next: None, names: None }))
}

/// Confirms a registration, which creates an account with a player.
///
/// The account belongs to the `player` given - check who is asking, the name proves nothing - or else to a
/// new player of the registered name. Needs `manage_accounts`, and `manage_players` for a new player.
#[cfg_attr(test, utoipa::path(
    params(("id" = Uuid, Path, description = "The registration"), crate::schemas::ClubConditions),
    request_body(content = Confirmation, example = json!({"player": "0190a6f4-0000-7000-8000-000000000001"})),
    responses((status = 201, body = AccountView, headers(("ETag" = String), ("Location" = String))))
))]
#[post("/registrations/{id}/confirm")]
async fn confirm_registration(
    service: Service,
    id: web::Path<Uuid>,
    ask: CommandRequest<Confirmation>,
) -> Result<HttpResponse, Problem> {
    let (version, view) = service.desk.confirm_registration(ask.request, *id, ask.body).await?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/api/v1/accounts/{}", view.id)))
        .insert_header(etag(version))
        .json(view))
}

/// Declines a registration.
///
/// Needs `manage_accounts`.
#[cfg_attr(test, utoipa::path(
    params(("id" = Uuid, Path, description = "The registration")),
    responses((status = 204, description = "Declined"))
))]
#[delete("/registrations/{id}")]
async fn decline_registration(
    service: Service,
    caller: Caller,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    service.desk.decline_registration(caller.actor, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Declines all registrations.
///
/// Needs `manage_accounts`.
#[cfg_attr(test, utoipa::path(responses((status = 204, description = "Declined"))))]
#[delete("/registrations")]
async fn decline_registrations(service: Service, caller: Caller) -> Result<HttpResponse, Problem> {
    service.desk.decline_registrations(caller.actor).await?;
    Ok(HttpResponse::NoContent().finish())
}
