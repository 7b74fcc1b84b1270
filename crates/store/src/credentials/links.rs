//! Links that work once: invitations and password resets.

use diesel::prelude::*;

use crate::StoreError;
use crate::connection::AnyConnection;
use crate::schema::one_time_link;
use crate::types::{Key, Moment};
use owlbox_base::values::{AccountId, Timestamp};

/// A one-time link, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct OneTimeLinkRow {
    #[diesel(deserialize_as = Key)]
    pub account: AccountId,
    /// One of `invite` and `reset`.
    pub purpose: String,
    /// No longer valid from this moment on.
    #[diesel(deserialize_as = Moment)]
    pub expires_at: Timestamp,
    /// When it was used, or replaced by a newer one.
    pub used_at: Option<Moment>,
}

/// Inserts a link and invalidates the account's earlier ones.
///
/// # Errors
/// The query failed.
pub fn insert_link(
    connection: &mut AnyConnection,
    hash: &[u8],
    link: &OneTimeLinkRow,
    at: Timestamp,
) -> Result<(), StoreError> {
    use_links(connection, link.account, at)?;
    diesel::insert_into(one_time_link::table)
        .values((
            one_time_link::hash.eq(hash),
            one_time_link::account.eq(Key::from(link.account)),
            one_time_link::purpose.eq(&link.purpose),
            one_time_link::expires_at.eq(Moment(link.expires_at)),
        ))
        .execute(connection)?;
    Ok(())
}

/// Whether an account has an unused link that expires later than `at`.
///
/// # Errors
/// The query failed.
pub fn is_open_after(
    connection: &mut AnyConnection,
    account: AccountId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let open = one_time_link::table
        .filter(one_time_link::account.eq(Key::from(account)))
        .filter(one_time_link::used_at.is_null().and(one_time_link::expires_at.gt(Moment(at))));
    Ok(open.count().get_result::<i64>(connection)? > 0)
}

/// The link with this hash, valid or not.
///
/// # Errors
/// The query failed.
pub fn link(connection: &mut AnyConnection, hash: &[u8]) -> Result<Option<OneTimeLinkRow>, StoreError> {
    Ok(one_time_link::table
        .find(hash)
        .select((
            one_time_link::account,
            one_time_link::purpose,
            one_time_link::expires_at,
            one_time_link::used_at,
        ))
        .get_result(connection)
        .optional()?)
}

/// Marks a link as used. False if it was used before, so of two requests only one succeeds.
///
/// # Errors
/// The query failed.
pub fn use_link(connection: &mut AnyConnection, hash: &[u8], at: Timestamp) -> Result<bool, StoreError> {
    let unused = one_time_link::table.find(hash).filter(one_time_link::used_at.is_null());
    Ok(diesel::update(unused).set(one_time_link::used_at.eq(Moment(at))).execute(connection)? == 1)
}

/// Marks every unused link of an account as used, and returns how many there were.
///
/// # Errors
/// The query failed.
pub fn use_links(
    connection: &mut AnyConnection,
    account: AccountId,
    at: Timestamp,
) -> Result<usize, StoreError> {
    Ok(diesel::update(
        one_time_link::table
            .filter(one_time_link::account.eq(Key::from(account)))
            .filter(one_time_link::used_at.is_null()),
    )
    .set(one_time_link::used_at.eq(Moment(at)))
    .execute(connection)?)
}
