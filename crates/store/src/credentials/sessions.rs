//! Sessions, and the refresh tokens that renew them.
//!
//! A refresh token is good once: using it makes its successor. One used again later was stolen, which ends
//! its session; that is decided in the desk.

use diesel::prelude::*;
use uuid::Uuid;

use crate::StoreError;
use crate::connection::AnyConnection;
use crate::schema::{refresh_token, session};
use crate::types::{Key, Moment};
use owlbox_base::values::{AccountId, Timestamp};

/// A sign-in: a family of refresh tokens.
#[derive(Clone, Copy, Debug, Queryable)]
pub struct Session {
    pub id: Key,
    #[diesel(deserialize_as = Key)]
    pub account: AccountId,
    /// When it ends, however often it was renewed.
    #[diesel(deserialize_as = Moment)]
    pub ends_at: Timestamp,
    /// When it was signed out, or ended because a token was used twice.
    pub revoked_at: Option<Moment>,
}

/// A refresh token as stored.
#[derive(Clone, Debug, Queryable)]
pub struct RefreshToken {
    /// No longer valid from this moment on.
    #[diesel(deserialize_as = Moment)]
    pub expires_at: Timestamp,
    /// When its successor was made; `None` as long as it is unused.
    pub rotated_at: Option<Moment>,
    /// The salt its successor is derived with, so that a repeated request gets the same one.
    pub successor_salt: Vec<u8>,
}

/// Inserts a session.
///
/// # Errors
/// The query failed.
pub fn start_session(
    connection: &mut AnyConnection,
    id: Uuid,
    account: AccountId,
    at: Timestamp,
    ends_at: Timestamp,
) -> Result<(), StoreError> {
    diesel::insert_into(session::table)
        .values((
            session::id.eq(Key(id)),
            session::account.eq(Key::from(account)),
            session::started_at.eq(Moment(at)),
            session::ends_at.eq(Moment(ends_at)),
        ))
        .execute(connection)?;
    Ok(())
}

/// Inserts a refresh token.
///
/// # Errors
/// The query failed.
pub fn insert_refresh(
    connection: &mut AnyConnection,
    hash: &[u8],
    session: Uuid,
    expires_at: Timestamp,
    successor_salt: &[u8],
) -> Result<(), StoreError> {
    diesel::insert_into(refresh_token::table)
        .values((
            refresh_token::hash.eq(hash),
            refresh_token::session.eq(Key(session)),
            refresh_token::expires_at.eq(Moment(expires_at)),
            refresh_token::successor_salt.eq(successor_salt),
        ))
        .execute(connection)?;
    Ok(())
}

/// The refresh token with this hash, locked until the transaction ends, and its session. (SQLite's single
/// writer needs no lock.)
///
/// # Errors
/// The query failed.
pub fn lock_refresh(
    connection: &mut AnyConnection,
    hash: &[u8],
) -> Result<Option<(RefreshToken, Session)>, StoreError> {
    let token = refresh_token::table.find(hash).select((
        refresh_token::session,
        (refresh_token::expires_at, refresh_token::rotated_at, refresh_token::successor_salt),
    ));
    let found: Option<(Key, RefreshToken)> = match connection {
        AnyConnection::Sqlite(connection) => token.get_result(connection).optional()?,
        AnyConnection::Postgres(connection) => token.for_update().get_result(connection).optional()?,
    };
    let Some((id, token)) = found else { return Ok(None) };
    let session = session::table
        .find(id)
        .select((session::id, session::account, session::ends_at, session::revoked_at))
        .get_result(connection)?;
    Ok(Some((token, session)))
}

/// Whether a refresh token with this hash is stored, valid or not.
///
/// # Errors
/// The query failed.
pub fn refresh_is_known(connection: &mut AnyConnection, hash: &[u8]) -> Result<bool, StoreError> {
    let found = refresh_token::table.find(hash).select(refresh_token::session);
    let found: Option<Key> = found.get_result(connection).optional()?;
    Ok(found.is_some())
}

/// Marks a refresh token as used: its successor was made at `at`.
///
/// # Errors
/// The query failed.
pub fn rotate_refresh(connection: &mut AnyConnection, hash: &[u8], at: Timestamp) -> Result<(), StoreError> {
    diesel::update(refresh_token::table.find(hash))
        .set(refresh_token::rotated_at.eq(Moment(at)))
        .execute(connection)?;
    Ok(())
}

/// Deletes the used refresh tokens of a session: those used before `before`, and of the rest all but the
/// `most` newest.
///
/// # Errors
/// The query failed.
pub fn forget_replaced(
    connection: &mut AnyConnection,
    session: Uuid,
    before: Timestamp,
    most: i64,
) -> Result<(), StoreError> {
    let replaced = refresh_token::table
        .filter(refresh_token::session.eq(Key(session)))
        .filter(refresh_token::rotated_at.is_not_null());
    diesel::delete(replaced.filter(refresh_token::rotated_at.lt(Moment(before)))).execute(connection)?;
    let beyond: Vec<Vec<u8>> = replaced
        .order(refresh_token::rotated_at.desc())
        .offset(most)
        .limit(most)
        .select(refresh_token::hash)
        .load(connection)?;
    diesel::delete(refresh_token::table.filter(refresh_token::hash.eq_any(beyond))).execute(connection)?;
    Ok(())
}

/// Deletes an account's sessions beyond `most`, with their tokens, and returns their ids. Revoked ones go
/// first, then the oldest.
///
/// # Errors
/// The query failed.
pub fn delete_surplus_sessions(
    connection: &mut AnyConnection,
    account: AccountId,
    most: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let beyond: Vec<Key> = session::table
        .filter(session::account.eq(Key::from(account)))
        .order((session::revoked_at.is_null().desc(), session::id.desc()))
        .offset(most)
        .limit(most)
        .select(session::id)
        .load(connection)?;
    if !beyond.is_empty() {
        let tokens = refresh_token::table.filter(refresh_token::session.eq_any(&beyond));
        diesel::delete(tokens).execute(connection)?;
        diesel::delete(session::table.filter(session::id.eq_any(&beyond))).execute(connection)?;
    }
    Ok(beyond.into_iter().map(|id| id.0).collect())
}

/// The session, unless it is revoked or has ended at `at`.
///
/// # Errors
/// The query failed.
pub fn live_session(
    connection: &mut AnyConnection,
    id: Uuid,
    at: Timestamp,
) -> Result<Option<Session>, StoreError> {
    Ok(session::table
        .find(Key(id))
        .filter(session::revoked_at.is_null())
        .filter(session::ends_at.gt(Moment(at)))
        .select((session::id, session::account, session::ends_at, session::revoked_at))
        .get_result(connection)
        .optional()?)
}

/// When an account last signed in, as far as its sessions are kept.
///
/// # Errors
/// The query failed.
pub fn last_sign_in(
    connection: &mut AnyConnection,
    account: AccountId,
) -> Result<Option<Timestamp>, StoreError> {
    let last = session::table
        .filter(session::account.eq(Key::from(account)))
        .order(session::started_at.desc())
        .select(session::started_at);
    let last: Option<Moment> = last.first(connection).optional()?;
    Ok(last.map(Timestamp::from))
}

/// Revokes a session, unless it is revoked already.
///
/// # Errors
/// The query failed.
pub fn revoke_session(connection: &mut AnyConnection, id: Uuid, at: Timestamp) -> Result<(), StoreError> {
    diesel::update(session::table.find(Key(id)).filter(session::revoked_at.is_null()))
        .set(session::revoked_at.eq(Moment(at)))
        .execute(connection)?;
    Ok(())
}

/// Revokes every session of an account.
///
/// # Errors
/// The query failed.
pub fn revoke_sessions(
    connection: &mut AnyConnection,
    account: AccountId,
    at: Timestamp,
) -> Result<(), StoreError> {
    diesel::update(
        session::table.filter(session::account.eq(Key::from(account))).filter(session::revoked_at.is_null()),
    )
    .set(session::revoked_at.eq(Moment(at)))
    .execute(connection)?;
    Ok(())
}
