//! API tokens, with which scripts act for an account.

use diesel::prelude::*;
use uuid::Uuid;

use crate::StoreError;
use crate::connection::AnyConnection;
use crate::schema::api_token;
use crate::types::{Key, Moment};
use owlbox_base::permissions::scopes::TokenScopes;
use owlbox_base::values::{AccountId, InvalidValue, Timestamp};

/// An API token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = api_token)]
pub struct ApiToken {
    pub id: Key,
    #[diesel(deserialize_as = Key)]
    pub account: AccountId,
    pub name: String,
    #[diesel(deserialize_as = Moment)]
    pub created_at: Timestamp,
    /// No longer valid from this moment on; `None` if it does not expire.
    pub expires_at: Option<Moment>,
    pub revoked_at: Option<Moment>,
    #[diesel(deserialize_as = Option<String>)]
    pub scopes: StoredScopes,
    /// The hour in which it was used last; `None` if never, or not since this is noted.
    pub last_used_at: Option<Moment>,
}

/// What a token may be used for; `None` for everything that its login may do, as all tokens could once.
/// Stored as words: one that is not known fails the query that reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredScopes(pub Option<TokenScopes>);

impl TryFrom<Option<String>> for StoredScopes {
    type Error = InvalidValue;
    fn try_from(words: Option<String>) -> Result<Self, InvalidValue> {
        words.map(|words| words.parse()).transpose().map(Self)
    }
}

/// Inserts an API token with the hash of its secret.
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
            api_token::scopes.eq(token.scopes.0.map(|scopes| scopes.to_string())),
        ))
        .execute(connection)?;
    Ok(())
}

/// Deletes an account's revoked API tokens except the `most` newest. A deleted token is as invalid as a
/// revoked one.
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
        // More than can be revoked between two calls; a larger backlog shrinks with every call.
        .limit(1000)
        .select(api_token::id)
        .load(connection)?;
    if !beyond.is_empty() {
        diesel::delete(api_token::table.filter(api_token::id.eq_any(&beyond))).execute(connection)?;
    }
    Ok(())
}

/// The API token whose secret has this hash, valid or not.
///
/// # Errors
/// The query failed.
pub fn api_token(connection: &mut AnyConnection, hash: &[u8]) -> Result<Option<ApiToken>, StoreError> {
    Ok(api_token::table
        .filter(api_token::hash.eq(hash))
        .select(ApiToken::as_select())
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
        .select(ApiToken::as_select())
        .load(connection)?)
}

/// Notes that a token was used in this hour, unless that is noted already.
///
/// # Errors
/// The query failed.
pub fn note_use(connection: &mut AnyConnection, id: Key, hour: Timestamp) -> Result<(), StoreError> {
    diesel::update(api_token::table.find(id))
        .filter(api_token::last_used_at.is_null().or(api_token::last_used_at.lt(Moment(hour))))
        .set(api_token::last_used_at.eq(Moment(hour)))
        .execute(connection)?;
    Ok(())
}

/// Revokes one of an account's API tokens, or all if `only` is `None`. Returns how many were not revoked
/// before.
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
