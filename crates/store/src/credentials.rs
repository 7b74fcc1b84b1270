//! Credentials: logins, sessions, refresh tokens, API tokens, one-time links, failed attempts.
//! Plain records; whatever is secret is here only as a hash.

use diesel::prelude::*;
use uuid::Uuid;

use super::StoreError;
use super::connection::AnyConnection;
use super::schema::{api_token, credential, one_time_link, refresh_token, session, sign_in_attempt};
use super::types::{Key, Moment};
use owlbox_domain::values::{AccountId, Timestamp};

/// A login and what proves it.
#[derive(Clone, Queryable)]
pub struct Credential {
    #[diesel(deserialize_as = Key)]
    pub account: AccountId,
    /// As typed when it was chosen.
    pub login: String,
    /// An Argon2id hash.
    pub password_hash: String,
}

/// The credential of a login, by its folded form.
///
/// # Errors
/// The query failed.
pub fn by_login(connection: &mut AnyConnection, login_key: &str) -> Result<Option<Credential>, StoreError> {
    Ok(credential::table
        .filter(credential::login_key.eq(login_key))
        .select((credential::account, credential::login, credential::password_hash))
        .get_result(connection)
        .optional()?)
}

/// The credential of an account.
///
/// # Errors
/// The query failed.
pub fn of_account(connection: &mut AnyConnection, id: AccountId) -> Result<Option<Credential>, StoreError> {
    Ok(credential::table
        .find(Key::from(id))
        .select((credential::account, credential::login, credential::password_hash))
        .get_result(connection)
        .optional()?)
}

/// Gives an account its first login and password.
///
/// # Errors
/// The login is taken ([`StoreError::violates`] `login_key`).
pub fn insert(
    connection: &mut AnyConnection,
    id: AccountId,
    login: &str,
    login_key: &str,
    password_hash: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    diesel::insert_into(credential::table)
        .values((
            credential::account.eq(Key::from(id)),
            credential::login.eq(login),
            credential::login_key.eq(login_key),
            credential::password_hash.eq(password_hash),
            credential::changed_at.eq(Moment(at)),
        ))
        .execute(connection)?;
    Ok(())
}

/// Changes an account's password.
///
/// # Errors
/// The query failed.
pub fn set_password(
    connection: &mut AnyConnection,
    id: AccountId,
    password_hash: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    diesel::update(credential::table.find(Key::from(id)))
        .set((credential::password_hash.eq(password_hash), credential::changed_at.eq(Moment(at))))
        .execute(connection)?;
    Ok(())
}

/// A family of refresh tokens: one sign-in.
#[derive(Clone, Copy, Debug, Queryable)]
pub struct Session {
    pub id: Key,
    #[diesel(deserialize_as = Key)]
    pub account: AccountId,
    /// When it ends, refreshed or not.
    #[diesel(deserialize_as = Moment)]
    pub ends_at: Timestamp,
    /// Signed out, or found stolen.
    pub revoked_at: Option<Moment>,
}

/// A refresh token as stored.
#[derive(Clone, Debug, Queryable)]
pub struct RefreshToken {
    /// Not good from here on.
    #[diesel(deserialize_as = Moment)]
    pub expires_at: Timestamp,
    /// When its successor was made.
    pub rotated_at: Option<Moment>,
    /// What its successor is derived with.
    pub successor_salt: Vec<u8>,
}

/// Starts a session.
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

/// Keeps a refresh token.
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

/// The refresh token of that hash and its session, locked until the transaction ends.
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
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(connection) => token.for_update().get_result(connection).optional()?,
    };
    let Some((id, token)) = found else { return Ok(None) };
    let session = session::table
        .find(id)
        .select((session::id, session::account, session::ends_at, session::revoked_at))
        .get_result(connection)?;
    Ok(Some((token, session)))
}

/// Whether there is a refresh token of that hash, good or not.
///
/// # Errors
/// The query failed.
pub fn refresh_is_known(connection: &mut AnyConnection, hash: &[u8]) -> Result<bool, StoreError> {
    let found = refresh_token::table.find(hash).select(refresh_token::session);
    let found: Option<Key> = found.get_result(connection).optional()?;
    Ok(found.is_some())
}

/// Notes that a refresh token has a successor.
///
/// # Errors
/// The query failed.
pub fn rotate_refresh(connection: &mut AnyConnection, hash: &[u8], at: Timestamp) -> Result<(), StoreError> {
    diesel::update(refresh_token::table.find(hash))
        .set(refresh_token::rotated_at.eq(Moment(at)))
        .execute(connection)?;
    Ok(())
}

/// Forgets the tokens of a session that were replaced before this moment, and of the others all but so many of the newest.
///
/// # Errors
/// The query failed.
pub fn forget_replaced(
    connection: &mut AnyConnection,
    session: Uuid,
    (before, most): (Timestamp, i64),
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

/// Forgets the oldest sessions of an account beyond `most`, with their tokens: those that are over before those that live.
/// Answers which.
///
/// # Errors
/// The query failed.
pub fn keep_sessions(
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

/// A session that is not revoked and has not ended.
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

/// Ends one session.
///
/// # Errors
/// The query failed.
pub fn revoke_session(connection: &mut AnyConnection, id: Uuid, at: Timestamp) -> Result<(), StoreError> {
    diesel::update(session::table.find(Key(id)).filter(session::revoked_at.is_null()))
        .set(session::revoked_at.eq(Moment(at)))
        .execute(connection)?;
    Ok(())
}

/// Ends every session of an account.
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
pub fn api_tokens(connection: &mut AnyConnection, account: AccountId) -> Result<Vec<ApiToken>, StoreError> {
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

/// A link that works once.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Link {
    #[diesel(deserialize_as = Key)]
    pub account: AccountId,
    /// `invite` or `reset`.
    pub purpose: String,
    /// Not good from here on.
    #[diesel(deserialize_as = Moment)]
    pub expires_at: Timestamp,
    /// Used, or replaced by a newer one.
    pub used_at: Option<Moment>,
}

/// Keeps a link; earlier ones for the same account stop working.
///
/// # Errors
/// The query failed.
pub fn insert_link(
    connection: &mut AnyConnection,
    hash: &[u8],
    link: &Link,
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

/// The link of that hash.
///
/// # Errors
/// The query failed.
pub fn link(connection: &mut AnyConnection, hash: &[u8]) -> Result<Option<Link>, StoreError> {
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

/// Marks the link of that hash used; false if it was before.
///
/// # Errors
/// The query failed.
pub fn use_link(connection: &mut AnyConnection, hash: &[u8], at: Timestamp) -> Result<bool, StoreError> {
    let unused = one_time_link::table.find(hash).filter(one_time_link::used_at.is_null());
    Ok(diesel::update(unused).set(one_time_link::used_at.eq(Moment(at))).execute(connection)? == 1)
}

/// Marks every unused link of an account used; answers how many.
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

/// The failures counted under a key since `window_start`, or 0.
///
/// # Errors
/// The query failed.
pub fn failures(
    connection: &mut AnyConnection,
    key: &[u8],
    window_start: Timestamp,
) -> Result<u32, StoreError> {
    let count: Option<i32> = sign_in_attempt::table
        .find(key)
        .filter(sign_in_attempt::window_start.ge(Moment(window_start)))
        .select(sign_in_attempt::failures)
        .get_result(connection)
        .optional()?;
    Ok(count.and_then(|count| u32::try_from(count).ok()).unwrap_or(0))
}

/// Counts one more failure under a key; a window that began before `window_start` begins anew.
///
/// # Errors
/// The query failed.
pub fn count_failure(
    connection: &mut AnyConnection,
    key: &[u8],
    window_start: Timestamp,
    at: Timestamp,
) -> Result<(), StoreError> {
    let row = sign_in_attempt::table.find(key);
    let counted = diesel::update(row.filter(sign_in_attempt::window_start.ge(Moment(window_start))))
        .set(sign_in_attempt::failures.eq(sign_in_attempt::failures + 1))
        .execute(connection)?;
    if counted == 0 {
        // Only the window that is over: somebody else may have begun a new one since we looked.
        let over = row.filter(sign_in_attempt::window_start.lt(Moment(window_start)));
        diesel::delete(over).execute(connection)?;
        diesel::insert_into(sign_in_attempt::table)
            .values((
                sign_in_attempt::key.eq(key),
                sign_in_attempt::window_start.eq(Moment(at)),
                sign_in_attempt::failures.eq(1),
            ))
            .execute(connection)?;
    }
    Ok(())
}

/// Takes back one failure counted under a key.
///
/// # Errors
/// The query failed.
pub fn uncount_failure(connection: &mut AnyConnection, key: &[u8]) -> Result<(), StoreError> {
    diesel::update(sign_in_attempt::table.find(key).filter(sign_in_attempt::failures.gt(0)))
        .set(sign_in_attempt::failures.eq(sign_in_attempt::failures - 1))
        .execute(connection)?;
    Ok(())
}

/// Forgets the failures counted under a key.
///
/// # Errors
/// The query failed.
pub fn forgive(connection: &mut AnyConnection, key: &[u8]) -> Result<(), StoreError> {
    diesel::delete(sign_in_attempt::table.find(key)).execute(connection)?;
    Ok(())
}

/// Notes under a key that somebody has signed in well. The row stands among those of failures, with none:
/// it is looked for by when, and swept like them.
///
/// # Errors
/// The query failed.
pub fn note_sign_in(connection: &mut AnyConnection, key: &[u8], at: Timestamp) -> Result<(), StoreError> {
    let renewed = diesel::update(sign_in_attempt::table.find(key))
        .set(sign_in_attempt::window_start.eq(Moment(at)))
        .execute(connection)?;
    if renewed == 0 {
        diesel::insert_into(sign_in_attempt::table)
            .values((
                sign_in_attempt::key.eq(key),
                sign_in_attempt::window_start.eq(Moment(at)),
                sign_in_attempt::failures.eq(0),
            ))
            .execute(connection)?;
    }
    Ok(())
}

/// Whether a sign-in has been noted under a key since `since`.
///
/// # Errors
/// The query failed.
pub fn has_signed_in(
    connection: &mut AnyConnection,
    key: &[u8],
    since: Timestamp,
) -> Result<bool, StoreError> {
    let noted = sign_in_attempt::table.find(key).filter(sign_in_attempt::window_start.ge(Moment(since)));
    let noted: Option<i32> = noted.select(sign_in_attempt::failures).get_result(connection).optional()?;
    Ok(noted.is_some())
}

/// Deletes what has long been of no use: sessions that ended, links and tokens that expired,
/// windows of failures that closed, all before `before`; and at once the refresh tokens of sessions that are
/// over `now`, and those that were replaced before then, which nothing asks for any more.
///
/// # Errors
/// A query failed.
pub fn sweep(connection: &mut AnyConnection, before: Timestamp, now: Timestamp) -> Result<(), StoreError> {
    let (before, now) = (Moment(before), Moment(now));
    let ended = session::table.filter(session::ends_at.lt(now).or(session::revoked_at.is_not_null()));
    diesel::delete(refresh_token::table.filter(refresh_token::session.eq_any(ended.select(session::id))))
        .execute(connection)?;
    diesel::delete(refresh_token::table.filter(refresh_token::expires_at.lt(before))).execute(connection)?;
    diesel::delete(refresh_token::table.filter(refresh_token::rotated_at.lt(before))).execute(connection)?;
    diesel::delete(session::table.filter(session::ends_at.lt(before).or(session::revoked_at.lt(before))))
        .execute(connection)?;
    diesel::delete(one_time_link::table.filter(one_time_link::expires_at.lt(before))).execute(connection)?;
    diesel::delete(
        api_token::table.filter(api_token::expires_at.lt(before).or(api_token::revoked_at.lt(before))),
    )
    .execute(connection)?;
    diesel::delete(sign_in_attempt::table.filter(sign_in_attempt::window_start.lt(before)))
        .execute(connection)?;
    Ok(())
}
