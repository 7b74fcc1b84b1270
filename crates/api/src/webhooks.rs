//! Webhooks: who is sent the acts of the club's live stream, and how that goes.

mod delivering;

use actix_web::http::header;
use actix_web::{HttpResponse, delete, get, patch, post, web};
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Routes;
pub use delivering::deliver;
use owlbox_desk::club::webhooks::{Delivery, NewWebhook, Webhook};
use owlbox_http::ask::CommandRequest;
use owlbox_http::caller::Caller;
use owlbox_http::paging::Page;
use owlbox_http::problem::Problem;
use owlbox_http::service::Service;

pub(super) fn configure(config: &mut impl Routes) {
    config
        .service(list_webhooks)
        .service(create_webhook)
        .service(show_webhook)
        .service(switch_webhook)
        .service(delete_webhook)
        .service(list_deliveries)
        .service(ping_webhook);
}

/// A new webhook, with its secret.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct MadeWebhookBody {
    #[serde(flatten)]
    webhook: Webhook,
    /// What its messages are signed with. It is shown only this once.
    #[cfg_attr(test, schema(example = "whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="))]
    secret: String,
}

/// What to change of a webhook.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
struct SwitchWebhookBody {
    /// Whether it sends. `true` also has it try again at once what it could not deliver.
    active: bool,
}

/// Lists the club's webhooks, oldest first.
///
/// There are at most ten, all on one page. Needs `change_settings`.
#[cfg_attr(test, utoipa::path(responses((status = 200, body = Page<Webhook>))))]
#[get("/webhooks")]
async fn list_webhooks(service: Service, caller: Caller) -> Result<web::Json<Page<Webhook>>, Problem> {
    Ok(web::Json(Page { items: service.desk.webhooks(&caller.actor).await?, next: None, names: None }))
}

/// Makes a webhook: the acts of the club's live stream are sent to a URL from now on.
///
/// It sends what the caller may see, as long as they may change the club's settings. Needs `change_settings`
/// and a session: a webhook outlasts the token that it would be made with.
#[cfg_attr(test, utoipa::path(
    request_body(content = NewWebhook, example = json!({"url": "https://bot.example/owlbox", "kinds": ["chouette"]})),
    responses(
        (status = 201, body = MadeWebhookBody, headers(("Location" = String))),
        (status = 422, body = Problem)
    )
))]
#[post("/webhooks")]
async fn create_webhook(service: Service, ask: CommandRequest<NewWebhook>) -> Result<HttpResponse, Problem> {
    let made = service.desk.create_webhook(ask.request.actor, ask.body).await?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/api/v1/webhooks/{}", made.webhook.id)))
        .json(MadeWebhookBody { webhook: made.webhook, secret: made.secret.expose_secret().to_owned() }))
}

/// Shows a webhook.
///
/// Needs `change_settings`.
#[cfg_attr(test, utoipa::path(
    params(("id" = Uuid, Path, description = "The webhook")),
    responses((status = 200, body = Webhook))
))]
#[get("/webhooks/{id}")]
async fn show_webhook(
    service: Service,
    caller: Caller,
    id: web::Path<Uuid>,
) -> Result<web::Json<Webhook>, Problem> {
    Ok(web::Json(service.desk.webhook(&caller.actor, *id).await?))
}

/// Switches a webhook on or off.
///
/// It goes on after the last event that it delivered, if that is still among the newest 200,000. Needs
/// `change_settings`.
#[cfg_attr(test, utoipa::path(
    params(("id" = Uuid, Path, description = "The webhook")),
    request_body(content = SwitchWebhookBody, example = json!({"active": true})),
    responses((status = 200, body = Webhook))
))]
#[patch("/webhooks/{id}")]
async fn switch_webhook(
    service: Service,
    id: web::Path<Uuid>,
    ask: CommandRequest<SwitchWebhookBody>,
) -> Result<web::Json<Webhook>, Problem> {
    Ok(web::Json(service.desk.switch_webhook(ask.request.actor, *id, ask.body.active).await?))
}

/// Removes a webhook, with its log.
///
/// Needs `change_settings`.
#[cfg_attr(test, utoipa::path(
    params(("id" = Uuid, Path, description = "The webhook")),
    responses((status = 204))
))]
#[delete("/webhooks/{id}")]
async fn delete_webhook(
    service: Service,
    caller: Caller,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    service.desk.delete_webhook(caller.actor, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Lists what a webhook sent, newest first.
///
/// The newest hundred deliveries, all on one page. Needs `change_settings`.
#[cfg_attr(test, utoipa::path(
    params(("id" = Uuid, Path, description = "The webhook")),
    responses((status = 200, body = Page<Delivery>))
))]
#[get("/webhooks/{id}/deliveries")]
async fn list_deliveries(
    service: Service,
    caller: Caller,
    id: web::Path<Uuid>,
) -> Result<web::Json<Page<Delivery>>, Problem> {
    Ok(web::Json(Page { items: service.desk.deliveries(&caller.actor, *id).await?, next: None, names: None }))
}

/// Tries a webhook out: it sends `{"kind": "ping"}` once, and the answer says how that went.
///
/// It changes nothing about when events are sent. Needs `change_settings`.
#[cfg_attr(test, utoipa::path(
    params(("id" = Uuid, Path, description = "The webhook")),
    responses((status = 200, body = Delivery), (status = 503, body = Problem))
))]
#[post("/webhooks/{id}/ping")]
async fn ping_webhook(
    service: Service,
    caller: Caller,
    id: web::Path<Uuid>,
) -> Result<web::Json<Delivery>, Problem> {
    Ok(web::Json(owlbox_http::webhooks::ping(&service, &caller.actor, *id).await?))
}
