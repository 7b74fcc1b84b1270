//! Webhooks: addresses that are sent the acts of the club's live stream, in its order, each act until it has
//! arrived.
//!
//! A webhook sees what the login that made it may see; that is looked at again for each act. Here is what is
//! kept of it: how far it has got, when the next attempt is due, how the newest went. The task that sends
//! (`owlbox_http::webhooks`, and `owlbox_api::webhooks` in turn) takes a [`DueWebhook`], and
//! [notes](Desk::note_delivery) what came of it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::TimeDelta;
use hmac::{Hmac, KeyInit as _, Mac as _};
use http::Uri;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use strum::{Display, EnumString};
use tokio::sync::watch;
use uuid::Uuid;

use crate::access::session_of;
use crate::access::tokens::random;
use crate::club::stream::CLUB;
use crate::reading::whole_club::{ClubListener, Place, StreamKind};
use crate::{Actor, Allowed, Desk, Proof, Refused, Rule, UnitOfWork};
use owlbox_base::code::Code;
use owlbox_base::journal::{Aggregate as _, BrokenHistory};
use owlbox_base::permissions::Permission;
use owlbox_base::values::{AccountId, Timestamp};
use owlbox_books::club::Club;
use owlbox_store::types::{Key, Moment};
use owlbox_store::webhooks::{self, DeliveryRow, WebhookRow};
use owlbox_store::{AnyConnection, StoreError, notify};

/// The most webhooks of a club.
pub const MOST: usize = 10;
/// How many deliveries the log of a webhook keeps.
const LOGGED: i64 = 100;
/// The longest that an attempt may take. If it is not noted by then, it is made again.
const ATTEMPT: TimeDelta = TimeDelta::seconds(60);
/// A webhook that has failed for this long is switched off.
const PATIENCE: TimeDelta = TimeDelta::days(1);
/// Between two attempts: at first, and at most.
const PAUSE: TimeDelta = TimeDelta::seconds(1);
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(2);
const LONGEST_URL: usize = 1_000;

/// Why a webhook was switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum WebhookOff {
    /// An admin did it.
    ByHand,
    /// Nothing arrived for a day.
    Failing,
    /// The receiver answered 410.
    Gone,
    /// The login that made it is gone, had its password reset, or may no longer change the club's settings.
    Owner,
}

/// Why a delivery failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum DeliveryFailure {
    /// The answer was not 2xx. Redirects are not followed.
    Status,
    /// The name has no address.
    NoAddress,
    /// The address is inside the network of the service, where the configuration allows none.
    Inside,
    /// The URL is `http`, which is for addresses that the configuration allows.
    Unencrypted,
    /// There was no connection, or it broke, or the certificate was not accepted.
    Unreachable,
    /// There was no answer within ten seconds.
    TimedOut,
}

/// A webhook, without its secret.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = WebhookBody))]
pub struct Webhook {
    /// Names the webhook.
    pub id: Uuid,
    /// Where it sends to.
    #[cfg_attr(feature = "schema", schema(example = "https://bot.example/owlbox"))]
    pub url: String,
    /// The kinds of streams whose acts it sends.
    pub kinds: Vec<StreamKind>,
    /// The login that made it, with whose rights it sees.
    pub account: AccountId,
    pub created_at: Timestamp,
    /// Whether it sends.
    pub active: bool,
    /// When it was switched off; null if it sends.
    pub off_since: Option<Timestamp>,
    /// Why it was switched off; null if it sends.
    pub off_reason: Option<WebhookOff>,
    /// Since when no delivery has succeeded; null if the last one did.
    pub failing_since: Option<Timestamp>,
    /// When the event that could not be delivered is sent again; null if there is none, or it was switched
    /// off.
    pub next_attempt_at: Option<Timestamp>,
    /// The event after which it goes on: everything up to it has been delivered, or is not for it.
    #[cfg_attr(feature = "schema", schema(example = "1042.17.9f3a61c2"))]
    pub reached: String,
}

/// An attempt to deliver something.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = WebhookDeliveryBody))]
pub struct Delivery {
    /// Names the delivery. Ids sort by time.
    pub id: Uuid,
    /// The event in the club's live stream, or `ping`.
    #[cfg_attr(feature = "schema", schema(example = "1042.17.9f3a61c2"))]
    pub event: String,
    pub at: Timestamp,
    /// How long it took.
    pub milliseconds: i32,
    /// What the receiver answered; null without an answer.
    pub status: Option<i16>,
    /// Why it failed; null if it did not.
    pub failure: Option<DeliveryFailure>,
}

/// A webhook to make.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = NewWebhookBody))]
#[serde(deny_unknown_fields)]
pub struct NewWebhook {
    /// Where to send: `https://` and a host, with a port and a path if needed. `http://` is for addresses
    /// that the service's configuration allows.
    #[cfg_attr(feature = "schema", schema(max_length = 1000))]
    pub url: String,
    /// The kinds of streams whose acts to send; all of them without it.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 3))]
    pub kinds: Option<Vec<StreamKind>>,
}

/// A webhook that was just made.
#[derive(Debug)]
pub struct MadeWebhook {
    pub webhook: Webhook,
    /// What deliveries are signed with. This is the only time it is shown.
    pub secret: SecretString,
}

/// A webhook, for the task that sends.
#[derive(Clone, Debug)]
pub struct DueWebhook {
    row: WebhookRow,
    pub url: Uri,
    pub kinds: Vec<StreamKind>,
}

impl DueWebhook {
    #[must_use]
    pub const fn id(&self) -> Uuid {
        self.row.id.0
    }

    /// From when on the next attempt may be made.
    #[must_use]
    pub const fn due_at(&self) -> Timestamp {
        self.row.due_at.0
    }

    /// Whether there is an event that could not be delivered yet.
    #[must_use]
    pub const fn is_failing(&self) -> bool {
        self.row.failing_since.is_some()
    }

    /// The login with whose rights it sees.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor { account: self.row.account.into(), proof: Proof::ApiToken { scopes: None } }
    }

    /// The signature of a message, as Standard Webhooks has it.
    #[must_use]
    pub fn signature(&self, message: &str, seconds: i64, body: &[u8]) -> String {
        #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.row.secret).expect("a key");
        mac.update(format!("{message}.{seconds}.").as_bytes());
        mac.update(body);
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }

    /// The row after an attempt at what comes after `before` and ends at `after`.
    fn after_attempt(
        &self,
        (before, after): (Place, Place),
        delivery: &Delivery,
        now: Timestamp,
    ) -> WebhookRow {
        let mut row = self.row.clone();
        let Some(failure) = delivery.failure else {
            (row.place, row.due_at) = (after.to_string(), now.into());
            (row.attempts, row.failing_since) = (0, None);
            return row;
        };
        let since = row.failing_since.map_or(now, Timestamp::from);
        row.place = before.to_string();
        row.due_at = Timestamp::from(now.utc() + pause_after(row.attempts)).into();
        row.attempts += 1;
        row.failing_since = Some(since.into());
        if failure == DeliveryFailure::Status && delivery.status == Some(410) {
            switch_off(&mut row, WebhookOff::Gone, now);
        } else if now.utc() - since.utc() >= PATIENCE {
            switch_off(&mut row, WebhookOff::Failing, now);
        }
        row
    }
}

/// The pause after a failed attempt, by how many had failed before it: 1, 4, 16 seconds and so on, at most
/// two hours.
fn pause_after(attempts: i32) -> TimeDelta {
    let factor = u32::try_from(attempts).ok().and_then(|attempts| 4_i32.checked_pow(attempts));
    factor.and_then(|factor| PAUSE.checked_mul(factor)).unwrap_or(LONGEST_PAUSE).min(LONGEST_PAUSE)
}

fn switch_off(row: &mut WebhookRow, reason: WebhookOff, now: Timestamp) {
    (row.off_since, row.off_reason) = (Some(now.into()), Some(reason.to_string()));
    row.due_at = now.into();
}

impl TryFrom<WebhookRow> for DueWebhook {
    type Error = StoreError;
    fn try_from(row: WebhookRow) -> Result<Self, StoreError> {
        let url = row.url.parse().map_err(|_| broken(&row))?;
        let kinds = row.kinds.split_whitespace().map(str::parse).collect::<Result<_, _>>();
        Ok(Self { url, kinds: kinds.map_err(|_| broken(&row))?, row })
    }
}

impl TryFrom<WebhookRow> for Webhook {
    type Error = StoreError;
    fn try_from(row: WebhookRow) -> Result<Self, StoreError> {
        let off_reason = row.off_reason.as_deref().map(str::parse).transpose().map_err(|_| broken(&row))?;
        let DueWebhook { row, kinds, .. } = row.try_into()?;
        let active = row.off_since.is_none();
        let next_attempt_at = row.failing_since.filter(|_| active).map(|_| row.due_at.into());
        Ok(Self {
            id: row.id.0,
            url: row.url,
            kinds,
            account: row.account.into(),
            created_at: row.created_at.into(),
            active,
            off_since: row.off_since.map(Timestamp::from),
            off_reason,
            failing_since: row.failing_since.map(Timestamp::from),
            next_attempt_at,
            reached: row.place,
        })
    }
}

impl TryFrom<DeliveryRow> for Delivery {
    type Error = StoreError;
    fn try_from(row: DeliveryRow) -> Result<Self, StoreError> {
        let DeliveryRow { id, event, at, milliseconds, status, failure, .. } = row;
        let failure = failure.as_deref().map(str::parse).transpose();
        let failure =
            failure.map_err(|_| BrokenHistory(format!("the delivery {} has no such failure", id.0)))?;
        Ok(Self { id: id.0, event, at: at.into(), milliseconds, status, failure })
    }
}

fn broken(row: &WebhookRow) -> StoreError {
    BrokenHistory(format!("the webhook {} was not made by this program", row.id.0)).into()
}

/// Refuses what is no URL that a webhook may have. Its addresses are looked at when it is sent to.
fn check_url(url: &str) -> Result<(), Refused> {
    let is_plain =
        url.len() <= LONGEST_URL && url.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
    let usable = |uri: &Uri| {
        let Some(authority) = uri.authority() else { return false };
        let has_port = match authority.port_u16() {
            Some(port) => matches!(port, 80 | 443 | 1024..),
            // What stands behind the host and is no port is dropped by the library.
            None => authority.as_str() == authority.host(),
        };
        let has_host = !authority.as_str().contains('@') && !authority.host().is_empty();
        matches!(uri.scheme_str(), Some("http" | "https")) && has_host && has_port
    };
    if is_plain && url.parse().is_ok_and(|uri| usable(&uri)) {
        return Ok(());
    }
    let detail = "a webhook's URL is https:// (or http:// inside) and a host, with no login and no #; its port is 80, 443 or from 1024";
    Err(Refused::rule(Code::InvalidBody, Some("url"), detail))
}

impl Desk {
    /// Makes a webhook, which sends what happens from now on.
    ///
    /// # Errors
    /// `needs_session` unless `actor` signed in with a password, since it outlasts any token; they may not
    /// change the club's settings; `invalid_body`; `too_many`.
    pub async fn create_webhook(&self, actor: Actor, new: NewWebhook) -> Result<MadeWebhook, Refused> {
        session_of(&actor)?;
        self.principal(&actor).await?.require(Permission::ChangeSettings)?;
        check_url(&new.url)?;
        let mut kinds = StreamKind::ALL.to_vec();
        if let Some(chosen) = new.kinds {
            kinds.retain(|kind| chosen.contains(kind));
        }
        if kinds.is_empty() {
            let detail = "a webhook is for at least one of chouette, match and tournament";
            return Err(Refused::rule(Code::InvalidBody, Some("kinds"), detail));
        }
        let kinds: Vec<String> = kinds.iter().map(ToString::to_string).collect();
        let place = self.listen_to_club(Some(&actor), None).await?.place().to_string();
        let (url, kinds, secret) = (new.url, kinds.join(" "), random::<32>());
        self.on_webhooks(actor, move |unit| {
            // One admin at a time.
            unit.transaction.lock_head(CLUB, Club::KIND)?;
            let (account, now) = (Key::from(unit.principal.account), Moment(unit.now));
            let connection = unit.transaction.connection()?;
            if webhooks::all(connection)?.len() >= MOST {
                return Err(Refused::Rule(Rule {
                    code: Code::TooMany,
                    field: None,
                    allowed: Some(Allowed::Limit(MOST as u64)),
                    detail: format!("a club can have at most {MOST} webhooks"),
                }));
            }
            let row = WebhookRow {
                id: Key(Uuid::now_v7()),
                account,
                url: url.clone(),
                secret: secret.to_vec(),
                kinds: kinds.clone(),
                created_at: now,
                place: place.clone(),
                due_at: now,
                attempts: 0,
                failing_since: None,
                off_since: None,
                off_reason: None,
            };
            webhooks::insert(connection, row.clone())?;
            let secret = format!("whsec_{}", STANDARD.encode(secret)).into();
            Ok(MadeWebhook { webhook: row.try_into()?, secret })
        })
        .await
    }

    /// The club's webhooks, oldest first.
    ///
    /// # Errors
    /// The caller may not change the club's settings.
    pub async fn webhooks(&self, actor: &Actor) -> Result<Vec<Webhook>, Refused> {
        self.principal(actor).await?.require(Permission::ChangeSettings)?;
        let rows = self.inner.store.read(webhooks::all).await?;
        Ok(rows.into_iter().map(Webhook::try_from).collect::<Result<_, _>>()?)
    }

    /// # Errors
    /// There is no such webhook, or the caller may not change the club's settings.
    pub async fn webhook(&self, actor: &Actor, id: Uuid) -> Result<Webhook, Refused> {
        let DueWebhook { row, .. } = self.webhook_to_try(actor, id).await?;
        Ok(row.try_into()?)
    }

    /// What a webhook sent last, newest first.
    ///
    /// # Errors
    /// There is no such webhook, or the caller may not change the club's settings.
    pub async fn deliveries(&self, actor: &Actor, id: Uuid) -> Result<Vec<Delivery>, Refused> {
        self.webhook_to_try(actor, id).await?;
        let rows = self.inner.store.read(move |connection| webhooks::deliveries(connection, id)).await?;
        Ok(rows.into_iter().map(Delivery::try_from).collect::<Result<_, _>>()?)
    }

    /// A webhook that somebody tries out, whether it is on or not.
    ///
    /// # Errors
    /// There is no such webhook, or the caller may not change the club's settings.
    pub async fn webhook_to_try(&self, actor: &Actor, id: Uuid) -> Result<DueWebhook, Refused> {
        self.principal(actor).await?.require(Permission::ChangeSettings)?;
        let row = self.inner.store.read(move |connection| webhooks::find(connection, id)).await?;
        Ok(row.ok_or(Refused::NotFound("webhook"))?.try_into()?)
    }

    /// Switches a webhook on, which sends at once what it could not deliver, or off.
    ///
    /// # Errors
    /// There is no such webhook, or the caller may not change the club's settings.
    pub async fn switch_webhook(&self, actor: Actor, id: Uuid, on: bool) -> Result<Webhook, Refused> {
        self.on_webhooks(actor, move |unit| {
            let now = unit.now;
            let connection = unit.transaction.connection()?;
            let mut row = webhooks::find(connection, id)?.ok_or(Refused::NotFound("webhook"))?;
            let was_due_at = row.due_at;
            if on {
                (row.off_since, row.off_reason, row.failing_since) = (None, None, None);
                (row.attempts, row.due_at) = (0, now.into());
            } else if row.off_since.is_none() {
                switch_off(&mut row, WebhookOff::ByHand, now);
            }
            if !webhooks::replace(connection, row.clone(), was_due_at)? {
                return Err(StoreError::Overtaken.into());
            }
            Ok(row.try_into()?)
        })
        .await
    }

    /// # Errors
    /// There is no such webhook, or the caller may not change the club's settings.
    pub async fn delete_webhook(&self, actor: Actor, id: Uuid) -> Result<(), Refused> {
        self.on_webhooks(actor, move |unit| {
            let deleted = webhooks::delete(unit.transaction.connection()?, id)?;
            if deleted { Ok(()) } else { Err(Refused::NotFound("webhook")) }
        })
        .await
    }

    async fn on_webhooks<T, F>(&self, actor: Actor, work: F) -> Result<T, Refused>
    where
        F: Fn(&mut UnitOfWork<'_, '_>) -> Result<T, Refused> + Send + 'static,
        T: Send + 'static,
    {
        let desk = self.clone();
        let write = move |transaction: &mut owlbox_store::Transaction<'_>| {
            let mut unit = UnitOfWork::new(&desk, transaction, &actor)?;
            unit.principal.require(Permission::ChangeSettings)?;
            // With accounts, which change as seldom.
            notify::notify_access_changed(unit.transaction.connection()?)?;
            work(&mut unit)
        };
        let done = self.inner.store.write(write).await?;
        self.inner.webhooks.send_replace(());
        Ok(done)
    }

    /// Tells of every change of the webhooks that this instance makes or hears of.
    #[must_use]
    pub fn webhook_changes(&self) -> watch::Receiver<()> {
        self.inner.webhooks.subscribe()
    }

    /// The webhooks that are switched on.
    ///
    /// # Errors
    /// The store failed.
    pub async fn webhooks_on(&self) -> Result<Vec<Uuid>, Refused> {
        let rows = self.inner.store.read(webhooks::all).await?;
        Ok(rows.into_iter().filter(|row| row.off_since.is_none()).map(|row| row.id.0).collect())
    }

    /// A webhook as it stands; `None` if it is gone or switched off.
    ///
    /// # Errors
    /// The store failed.
    pub async fn due_webhook(&self, id: Uuid) -> Result<Option<DueWebhook>, Refused> {
        let row = self.inner.store.read(move |connection| webhooks::find(connection, id)).await?;
        Ok(row.filter(|row| row.off_since.is_none()).map(DueWebhook::try_from).transpose()?)
    }

    /// Listens for a webhook, after the last event that it delivered; or from now on, if that is in the order
    /// no more.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`] if its login is gone; the store failed.
    pub async fn listen_for_webhook(&self, webhook: &DueWebhook) -> Result<ClubListener, Refused> {
        let (actor, place) = (webhook.actor(), webhook.row.place.parse().ok());
        match self.listen_to_club(Some(&actor), place).await {
            Err(refused) if refused.code() == Code::EventGone => {
                tracing::warn!(webhook = %webhook.id(), "it goes on from now: what came before is too far back");
                self.listen_to_club(Some(&actor), None).await
            }
            listener => listener,
        }
    }

    /// Puts off when a webhook is due, so that no other instance sends what this one is about to send. `None`
    /// if another has been first, or somebody has changed it.
    ///
    /// # Errors
    /// [`Refused::Unauthorised`], [`Refused::Forbidden`] if its login may change the club's settings no more;
    /// the store failed.
    pub async fn claim_webhook(&self, webhook: DueWebhook) -> Result<Option<DueWebhook>, Refused> {
        self.principal(&webhook.actor()).await?.require(Permission::ChangeSettings)?;
        if self.inner.store.is_sole_writer() {
            return Ok(Some(webhook));
        }
        let row =
            WebhookRow { due_at: Timestamp::from(self.now().utc() + ATTEMPT).into(), ..webhook.row.clone() };
        self.replace_webhook(&webhook, row, None).await
    }

    /// Notes an attempt at the act between two places. The webhook as it is then; `None` if somebody has
    /// changed it meanwhile, or it is switched off.
    ///
    /// # Errors
    /// The store failed.
    pub async fn note_delivery(
        &self,
        webhook: &DueWebhook,
        places: (Place, Place),
        delivery: Delivery,
    ) -> Result<Option<DueWebhook>, Refused> {
        let row = webhook.after_attempt(places, &delivery, self.now());
        let logged = row_of(webhook, delivery);
        Ok(self.replace_webhook(webhook, row, Some(logged)).await?.filter(|row| row.row.off_since.is_none()))
    }

    /// Notes that somebody has tried a webhook out.
    ///
    /// # Errors
    /// The store failed, or the webhook is gone.
    pub async fn note_trial(&self, webhook: &DueWebhook, delivery: Delivery) -> Result<(), Refused> {
        let row = row_of(webhook, delivery);
        let log = move |transaction: &mut owlbox_store::Transaction<'_>| {
            let connection = transaction.connection()?;
            webhooks::find(connection, row.webhook.0)?.ok_or(Refused::NotFound("webhook"))?;
            Ok(webhooks::log(connection, row.clone(), LOGGED)?)
        };
        self.inner.store.write(log).await
    }

    /// Switches a webhook off whose login may change the club's settings no more.
    ///
    /// # Errors
    /// The store failed.
    pub async fn switch_off_orphan(&self, webhook: &DueWebhook) -> Result<(), Refused> {
        let mut row = webhook.row.clone();
        switch_off(&mut row, WebhookOff::Owner, self.now());
        self.replace_webhook(webhook, row, None).await.map(drop)
    }

    async fn replace_webhook(
        &self,
        before: &DueWebhook,
        row: WebhookRow,
        logged: Option<DeliveryRow>,
    ) -> Result<Option<DueWebhook>, Refused> {
        let (after, was_due_at) = (row.clone(), before.row.due_at);
        let replace = move |connection: &mut AnyConnection| {
            let replaced = webhooks::replace(connection, row.clone(), was_due_at)?;
            if let Some(logged) = logged.clone().filter(|_| replaced) {
                webhooks::log(connection, logged, LOGGED)?;
            }
            Ok::<_, Refused>(replaced)
        };
        let replaced = self.inner.store.write(move |transaction| replace(transaction.connection()?)).await?;
        if replaced && let Some(reason) = &after.off_reason {
            tracing::warn!(webhook = %before.id(), host = before.url.host(), %reason, "a webhook was switched off");
            self.inner.webhooks.send_replace(());
        }
        Ok(if replaced { Some(after.try_into()?) } else { None })
    }
}

fn row_of(webhook: &DueWebhook, delivery: Delivery) -> DeliveryRow {
    let Delivery { id, event, at, milliseconds, status, failure } = delivery;
    let failure = failure.map(|failure| failure.to_string());
    DeliveryRow { id: Key(id), webhook: webhook.row.id, event, at: at.into(), milliseconds, status, failure }
}

#[cfg(test)]
mod tests;
