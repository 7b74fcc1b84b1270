//! Tokens for scripts.

use diesel::prelude::*;
use uuid::Uuid;

use crate::StoreError;
use crate::connection::AnyConnection;
use crate::schema::api_token;
use crate::types::{Key, Moment};
use owlbox_domain::values::{AccountId, Timestamp};

/// A token for scripts, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct ApiToken {
    pub id: Key,
    #[diesel(deserialize_as = Key)]
    pub account: AccountId,
    pub name: String,
    #[diesel(deserialize_as = Moment)]
    pub created_at: Timestamp,
    /// Not good from here on.
    pub expires_at: Option<Moment>,
    pub revoked_at: Option<Moment>,
}

/// Keeps an API token.
///
/// # Errors
/// The query failed.
pub fn insert_api_token(
    connection: &mut AnyConnection,
    token: &ApiToken,
    hash: &[u8],
) -> Result<(), StoreError> {
    diesel::insert_into(api_token::table)
        .values((
            api_token::id.eq(token.id),
            api_token::account.eq(Key::from(token.account)),
            api_token::name.eq(&token.name),
            api_token::hash.eq(hash),
            api_token::created_at.eq(Moment(token.created_at)),
            api_token::expires_at.eq(token.expires_at),
        ))
        .execute(connection)?;
    Ok(())
}

/// Forgets the API tokens of an account that are revoked, all but so many of the newest. (One that is forgotten is no good
/// either.)
///
/// # Errors
/// The query failed.
pub fn forget_revoked_api_tokens(
    connection: &mut AnyConnection,
    account: AccountId,
    most: i64,
) -> Result<(), StoreError> {
    let beyond: Vec<Key> = api_token::table
        .filter(api_token::account.eq(Key::from(account)))
        .filter(api_token::revoked_at.is_not_null())
        .order(api_token::id.desc())
        .offset(most)
        // More than can be revoked between two calls: heaps of old get less each time.
        .limit(1000)
        .select(api_token::id)
        .load(connection)?;
    if !beyond.is_empty() {
        diesel::delete(api_token::table.filter(api_token::id.eq_any(&beyond))).execute(connection)?;
    }
    Ok(())
}

/// The API token of that hash.
///
/// # Errors
/// The query failed.
pub fn api_token(connection: &mut AnyConnection, hash: &[u8]) -> Result<Option<ApiToken>, StoreError> {
    Ok(api_token::table
        .filter(api_token::hash.eq(hash))
        .select((
            api_token::id,
            api_token::account,
            api_token::name,
            api_token::created_at,
            api_token::expires_at,
            api_token::revoked_at,
        ))
        .get_result(connection)
        .optional()?)
}

/// An account's API tokens that are not revoked, newest first.
///
/// # Errors
/// The query failed.
pub fn unrevoked_api_tokens(
    connection: &mut AnyConnection,
    account: AccountId,
) -> Result<Vec<ApiToken>, StoreError> {
    Ok(api_token::table
        .filter(api_token::account.eq(Key::from(account)))
        .filter(api_token::revoked_at.is_null())
        .order(api_token::id.desc())
        .select((
            api_token::id,
            api_token::account,
            api_token::name,
            api_token::created_at,
            api_token::expires_at,
            api_token::revoked_at,
        ))
        .load(connection)?)
}

/// Takes back one of an account's API tokens, or all of them; answers how many.
///
/// # Errors
/// The query failed.
pub fn revoke_api_tokens(
    connection: &mut AnyConnection,
    account: AccountId,
    only: Option<Uuid>,
    at: Timestamp,
) -> Result<usize, StoreError> {
    let live = api_token::table
        .filter(api_token::account.eq(Key::from(account)))
        .filter(api_token::revoked_at.is_null());
    let revoked = api_token::revoked_at.eq(Moment(at));
    Ok(match only {
        Some(id) => {
            diesel::update(live.filter(api_token::id.eq(Key(id)))).set(revoked).execute(connection)?
        }
        None => diesel::update(live).set(revoked).execute(connection)?,
    })
}
