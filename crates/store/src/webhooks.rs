//! Webhooks, and the newest of what each was sent.

use diesel::prelude::*;
use uuid::Uuid;

use super::StoreError;
use super::connection::AnyConnection;
use super::schema::{webhook, webhook_delivery};
use super::types::{Key, Moment};
use owlbox_base::values::{AccountId, Timestamp};

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = webhook, treat_none_as_null = true)]
pub struct WebhookRow {
    pub id: Key,
    /// The login that made it.
    pub account: Key,
    pub url: String,
    pub secret: Vec<u8>,
    /// The kinds of streams, with a space between them.
    pub kinds: String,
    pub created_at: Moment,
    /// After which event it goes on.
    pub place: String,
    /// No attempt is made before this moment.
    pub due_at: Moment,
    /// How many attempts at the next event have failed.
    pub attempts: i32,
    pub failing_since: Option<Moment>,
    pub off_since: Option<Moment>,
    pub off_reason: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = webhook_delivery)]
pub struct DeliveryRow {
    /// A UUIDv7, so that ids sort by time.
    pub id: Key,
    pub webhook: Key,
    pub event: String,
    pub at: Moment,
    pub milliseconds: i32,
    /// What the receiver answered, if it did.
    pub status: Option<i16>,
    /// Why the delivery failed; `None` if it did not.
    pub failure: Option<String>,
}

/// # Errors
/// The query failed.
pub fn insert(connection: &mut AnyConnection, row: WebhookRow) -> Result<(), StoreError> {
    diesel::insert_into(webhook::table).values(row).execute(connection)?;
    Ok(())
}

/// All webhooks, oldest first.
///
/// # Errors
/// The query failed.
pub fn all(connection: &mut AnyConnection) -> Result<Vec<WebhookRow>, StoreError> {
    Ok(webhook::table.order(webhook::id).select(WebhookRow::as_select()).load(connection)?)
}

/// # Errors
/// The query failed.
pub fn find(connection: &mut AnyConnection, id: Uuid) -> Result<Option<WebhookRow>, StoreError> {
    Ok(webhook::table.find(Key(id)).select(WebhookRow::as_select()).get_result(connection).optional()?)
}

/// Puts `row` in the place of what it was made from. Returns whether it did: not if the webhook is gone, or
/// if another has changed when it is due.
///
/// # Errors
/// The query failed.
pub fn replace(
    connection: &mut AnyConnection,
    row: WebhookRow,
    was_due_at: Moment,
) -> Result<bool, StoreError> {
    let unchanged = webhook::table.find(row.id).filter(webhook::due_at.eq(was_due_at));
    Ok(diesel::update(unchanged).set(row).execute(connection)? == 1)
}

/// Deletes a webhook, with its log. Returns whether there was one.
///
/// # Errors
/// The query failed.
pub fn delete(connection: &mut AnyConnection, id: Uuid) -> Result<bool, StoreError> {
    Ok(diesel::delete(webhook::table.find(Key(id))).execute(connection)? == 1)
}

/// Deletes the webhooks of an account.
///
/// # Errors
/// The query failed.
pub fn delete_of(connection: &mut AnyConnection, account: AccountId) -> Result<(), StoreError> {
    diesel::delete(webhook::table.filter(webhook::account.eq(Key::from(account)))).execute(connection)?;
    Ok(())
}

/// Switches the webhooks of an account off. Who is sending for one does not keep that: it is due at another
/// moment now.
///
/// # Errors
/// The query failed.
pub fn switch_off_of(
    connection: &mut AnyConnection,
    account: AccountId,
    at: Timestamp,
    reason: &str,
) -> Result<(), StoreError> {
    let at = Moment::from(at);
    let on = webhook::table.filter(webhook::account.eq(Key::from(account)).and(webhook::off_since.is_null()));
    diesel::update(on)
        .set((webhook::off_since.eq(at), webhook::off_reason.eq(reason), webhook::due_at.eq(at)))
        .execute(connection)?;
    Ok(())
}

/// The URLs of an account's webhooks, and when each was made, oldest first.
///
/// # Errors
/// The query failed.
pub fn urls_of(
    connection: &mut AnyConnection,
    account: AccountId,
) -> Result<Vec<(String, Timestamp)>, StoreError> {
    let rows: Vec<(String, Moment)> = webhook::table
        .filter(webhook::account.eq(Key::from(account)))
        .order(webhook::id)
        .select((webhook::url, webhook::created_at))
        .load(connection)?;
    Ok(rows.into_iter().map(|(url, at)| (url, at.into())).collect())
}

/// Adds a delivery to the log of its webhook, which keeps the `most` newest.
///
/// # Errors
/// A query failed.
pub fn log(connection: &mut AnyConnection, row: DeliveryRow, most: i64) -> Result<(), StoreError> {
    let own = webhook_delivery::table.filter(webhook_delivery::webhook.eq(row.webhook));
    diesel::insert_into(webhook_delivery::table).values(row).execute(connection)?;
    let beyond: Option<Key> = own
        .order(webhook_delivery::id.desc())
        .offset(most)
        .select(webhook_delivery::id)
        .first(connection)
        .optional()?;
    if let Some(beyond) = beyond {
        diesel::delete(own.filter(webhook_delivery::id.le(beyond))).execute(connection)?;
    }
    Ok(())
}

/// What is in the log of a webhook, newest first.
///
/// # Errors
/// The query failed.
pub fn deliveries(connection: &mut AnyConnection, id: Uuid) -> Result<Vec<DeliveryRow>, StoreError> {
    Ok(webhook_delivery::table
        .filter(webhook_delivery::webhook.eq(Key(id)))
        .order(webhook_delivery::id.desc())
        .select(DeliveryRow::as_select())
        .load(connection)?)
}
