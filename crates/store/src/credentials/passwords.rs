//! Logins and the hashes of their passwords.

use diesel::prelude::*;

use crate::StoreError;
use crate::connection::AnyConnection;
use crate::schema::credential;
use crate::types::{Key, Moment};
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
