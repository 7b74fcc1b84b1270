//! Logins and the hashes of their passwords, one per account.

use diesel::prelude::*;

use crate::StoreError;
use crate::connection::AnyConnection;
use crate::schema::credential;
use crate::types::{Key, Moment};
use owlbox_base::values::{AccountId, Timestamp};

/// An account's login and password.
#[derive(Clone, Queryable)]
pub struct Credential {
    #[diesel(deserialize_as = Key)]
    pub account: AccountId,
    /// As typed when it was chosen; look-ups go by its folded form.
    pub login: String,
    /// An Argon2id hash in PHC form.
    pub password_hash: String,
}

/// The credential with this folded login.
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

/// The credential of an account, or `None` before its invitation is claimed.
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

/// Inserts an account's first login and password; `login_key` is the folded login.
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

/// Updates the password of an account.
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
