//! Where logins are sent mail: at most one address each.

use diesel::prelude::*;

use crate::StoreError;
use crate::connection::AnyConnection;
use crate::schema::{account, credential, mail_address};
use crate::types::Key;
use owlbox_base::values::AccountId;

/// Gives an account this address, found by `key`, in place of the one it has.
///
/// # Errors
/// The query failed.
pub fn put(
    connection: &mut AnyConnection,
    id: AccountId,
    address: &str,
    key: &str,
) -> Result<(), StoreError> {
    forget(connection, id)?;
    diesel::insert_into(mail_address::table)
        .values((
            mail_address::account.eq(Key::from(id)),
            mail_address::address.eq(address),
            mail_address::address_key.eq(key),
        ))
        .execute(connection)?;
    Ok(())
}

/// Deletes the address of an account.
///
/// # Errors
/// The query failed.
pub fn forget(connection: &mut AnyConnection, id: AccountId) -> Result<(), StoreError> {
    diesel::delete(mail_address::table.find(Key::from(id))).execute(connection)?;
    Ok(())
}

/// The address of an account, if it has one.
///
/// # Errors
/// The query failed.
pub fn of_account(connection: &mut AnyConnection, id: AccountId) -> Result<Option<String>, StoreError> {
    let address = mail_address::table.find(Key::from(id)).select(mail_address::address);
    Ok(address.get_result(connection).optional()?)
}

/// At most `limit` active accounts with an address and a login, if one of the two is this one, oldest first.
///
/// # Errors
/// The query failed.
pub fn known_as(
    connection: &mut AnyConnection,
    login_key: &str,
    address_key: &str,
    limit: i64,
) -> Result<Vec<AccountId>, StoreError> {
    let found: Vec<Key> = mail_address::table
        .inner_join(account::table.on(account::id.eq(mail_address::account)))
        .inner_join(credential::table.on(credential::account.eq(mail_address::account)))
        .filter(account::active.eq(true))
        .filter(credential::login_key.eq(login_key).or(mail_address::address_key.eq(address_key)))
        .order(account::id)
        .limit(limit)
        .select(account::id)
        .load(connection)?;
    Ok(found.into_iter().map(AccountId::from).collect())
}
