//! Sends the acts of the club's live stream to its webhooks, each by a task of its own: a slow receiver keeps
//! nobody waiting.

use std::collections::HashMap;
use std::time::Duration;

use actix_web::web::Bytes;
use chrono::TimeDelta;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::club_events::club_act_body;
use owlbox_desk::Refused;
use owlbox_desk::club::webhooks::DueWebhook;
use owlbox_desk::reading::whole_club::ClubListener;
use owlbox_http::service::Service;
use owlbox_http::webhooks::{Courier, Place, send};

/// How often it is looked which webhooks there are, and whether each has its task. Usually it is told.
const LOOK_EVERY: Duration = Duration::from_secs(600);
/// How often a webhook that waits is looked at again, and how long to wait if the store has failed.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// Sends to the webhooks of a club until it is closed, or the service stops.
pub fn deliver(service: &Service) {
    let courier = Courier::new(service);
    tokio::spawn(async move {
        let mut stopping = courier.service.stopping.clone();
        tokio::select! {
            () = async { drop(stopping.wait_for(|stopping| *stopping).await) } => {}
            () = to_all(&courier.service) => {}
        }
    });
}

/// Has a task for each webhook that is switched on.
async fn to_all(service: &Service) {
    let mut changes = service.desk.webhook_changes();
    // Dropping a set of tasks ends them.
    let mut tasks: HashMap<Uuid, JoinSet<()>> = HashMap::new();
    loop {
        changes.mark_unchanged();
        let mut look_again = LOOK_EVERY;
        match service.desk.webhooks_on().await {
            Ok(on) => {
                tasks.retain(|id, task| on.contains(id) && task.try_join_next().is_none());
                for id in on {
                    tasks
                        .entry(id)
                        .or_insert_with(|| JoinSet::from_iter([to_one(Courier::new(service), id)]));
                }
            }
            Err(error) => {
                tracing::warn!(%error, "the webhooks cannot be looked at");
                look_again = LOOK_AGAIN;
            }
        }
        tokio::select! {
            _ = changes.changed() => {}
            () = tokio::time::sleep(look_again) => {}
        }
    }
}

/// Sends to one webhook, until it is gone or switched off.
async fn to_one(mut courier: Courier, id: Uuid) {
    loop {
        match go_on(&mut courier, id).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::warn!(webhook = %id, %error, "a webhook waits");
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        }
    }
}

/// Waits until the webhook is due, and delivers for as long as that succeeds. `false` if it is gone or
/// switched off.
async fn go_on(courier: &mut Courier, id: Uuid) -> Result<bool, Refused> {
    let desk = courier.service.desk.clone();
    let Some(mut webhook) = desk.due_webhook(id).await? else { return Ok(false) };
    courier.load(webhook.is_failing());
    let early = webhook.due_at().utc() - desk.now().utc();
    if early > TimeDelta::zero() {
        tokio::time::sleep(early.to_std().map_or(LOOK_AGAIN, |early| early.min(LOOK_AGAIN))).await;
        return Ok(true);
    }
    let delivered = async {
        let mut listener = desk.listen_for_webhook(&webhook).await?;
        while let Some(after) = deliver_next(courier, &mut listener, webhook.clone()).await? {
            webhook = after;
        }
        Ok::<_, Refused>(true)
    };
    match delivered.await {
        Err(Refused::Unauthorised(_) | Refused::Forbidden(_)) => {
            desk.switch_off_orphan(&webhook).await?;
            Ok(true)
        }
        delivered => delivered,
    }
}

/// Delivers the next act. The webhook as it is then; `None` if it failed, or is to be looked at again.
async fn deliver_next(
    courier: &mut Courier,
    listener: &mut ClubListener,
    webhook: DueWebhook,
) -> Result<Option<DueWebhook>, Refused> {
    let seen = listener.next_seen_by(Some(&webhook.actor()), &webhook.kinds).await?;
    courier.load(true);
    let Some(place) = Place::free().await else { return Ok(None) };
    let desk = &courier.service.desk;
    let Some(webhook) = desk.claim_webhook(webhook).await? else { return Ok(None) };
    let event = seen.act.place.to_string();
    let body = serde_json::to_vec(&club_act_body(&seen)?).map(Bytes::from);
    let body = body.map_err(|error| owlbox_base::journal::BrokenHistory(error.to_string()))?;
    // Standard Webhooks wants no dot in it.
    let message = event.replace('.', "-");
    let delivery = send(&courier.service, &webhook, &place, &event, &message, body).await;
    let is_delivered = delivery.failure.is_none();
    let noted = desk.note_delivery(&webhook, (listener.before(), listener.place()), delivery).await?;
    courier.load(!is_delivered);
    Ok(noted.filter(|_| is_delivered))
}
