//! The club's webhooks: who is sent what happens, how that goes, and a form for a new one.

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use secrecy::ExposeSecret as _;
use uuid::Uuid;

use super::form::Form;
use super::say::{NOBODY, Say};
use super::visitor::{Visitor, redirect};
use crate::pages::{Frame, Tab};
use owlbox_desk::club::webhooks::{Delivery, DeliveryFailure, NewWebhook, Webhook};
use owlbox_desk::reading::whole_club::StreamKind;
use owlbox_http::problem::Problem;

const HERE: &str = "/settings/webhooks";
/// How many deliveries of each the page shows.
const SHOWN: usize = 10;

/// `/settings/webhooks`
#[derive(Template)]
#[template(path = "webhooks.html")]
struct WebhooksPage<'a> {
    t: Say<'a>,
    frame: Frame,
    webhooks: Vec<(Webhook, Vec<Delivery>)>,
    /// The secret of the webhook that was just made. It is shown this once.
    secret: Option<&'a str>,
}

impl WebhooksPage<'_> {
    fn state(&self, webhook: &Webhook) -> String {
        match (webhook.off_reason, webhook.failing_since, webhook.next_attempt_at) {
            (Some(reason), ..) => {
                self.t.get(&format!("webhook-off-{}", reason.to_string().replace('_', "-")))
            }
            (None, Some(since), Some(next)) => {
                let (since, next) = (self.t.date_time(&since), self.t.date_time(&next));
                self.t.fill("webhook-waits", &[("since", &since), ("next", &next)])
            }
            (None, ..) => self.t.get("webhook-on"),
        }
    }

    fn kinds(&self, webhook: &Webhook) -> String {
        let words = webhook.kinds.iter().map(|kind| self.t.get(&format!("webhook-kind-{kind}")));
        words.collect::<Vec<_>>().join(", ")
    }

    fn outcome(&self, delivery: &Delivery) -> String {
        let status = delivery.status.unwrap_or_default();
        match delivery.failure {
            None => self.t.with("delivery-done", "status", status),
            Some(DeliveryFailure::Status) => self.t.with("delivery-status", "status", status),
            Some(failure) => self.t.get(&format!("delivery-{}", failure.to_string().replace('_', "-"))),
        }
    }
}

pub(super) async fn show(visitor: Visitor) -> Result<HttpResponse, Problem> {
    page(&visitor, None).await
}

async fn page(visitor: &Visitor, secret: Option<&str>) -> Result<HttpResponse, Problem> {
    let (actor, desk) = (visitor.actor()?, &visitor.service.desk);
    let mut webhooks = Vec::new();
    for webhook in desk.webhooks(&actor).await? {
        let mut deliveries = desk.deliveries(&actor, webhook.id).await?;
        deliveries.truncate(SHOWN);
        webhooks.push((webhook, deliveries));
    }
    let frame = visitor.frame(&visitor.t.get("webhooks"), Some(Tab::Settings));
    let frame = Frame { here: HERE.to_owned(), ..frame };
    visitor.answer(WebhooksPage { t: visitor.say(&NOBODY), frame, webhooks, secret }.render())
}

/// Makes a webhook. Its secret is shown only this once.
pub(super) async fn make(
    request: HttpRequest,
    visitor: Visitor,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let kinds = form.all("kinds").filter_map(|kind| kind.parse().ok()).collect();
    let new = NewWebhook { url: form.text("url").to_owned(), kinds: Some(kinds) };
    match visitor.service.desk.create_webhook(visitor.actor()?, new).await {
        Ok(made) => page(&visitor, Some(made.secret.expose_secret())).await,
        Err(refused) => page(&visitor.refused(request.path(), &form, &refused.into()), None).await,
    }
}

/// Switches a webhook on or off.
pub(super) async fn switch(
    visitor: Visitor,
    id: web::Path<Uuid>,
    form: Form,
) -> Result<HttpResponse, Problem> {
    let on = form.text("active") == "on";
    visitor.service.desk.switch_webhook(visitor.actor()?, *id, on).await?;
    Ok(redirect(HERE))
}

/// Has a webhook send a message that says nothing.
pub(super) async fn ping(
    visitor: Visitor,
    id: web::Path<Uuid>,
    _form: Form,
) -> Result<HttpResponse, Problem> {
    owlbox_http::webhooks::ping(&visitor.service, &visitor.actor()?, *id).await?;
    // A browser opens what it is led into.
    Ok(redirect(&format!("{HERE}#sent-{id}")))
}

pub(super) async fn remove(
    visitor: Visitor,
    id: web::Path<Uuid>,
    _form: Form,
) -> Result<HttpResponse, Problem> {
    visitor.service.desk.delete_webhook(visitor.actor()?, *id).await?;
    Ok(redirect(HERE))
}
