//! What the erasure of a person changes in place: payloads of the journal, and credentials.

use std::collections::BTreeMap;

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use uuid::Uuid;

use super::StoreError;
use super::connection::AnyConnection;
use super::journal::{Entry, entries_after, hash_at};
use super::schema::{
    api_token, credential, journal, mail_address, one_time_link, refresh_token, registration, session,
};
use super::types::{Json, Key};
use super::webhooks;
use owlbox_base::journal::Version;
use owlbox_base::values::AccountId;

/// How many entries of a stream are hashed anew at a time.
const PAGE: i64 = 1_000;

/// Puts other payloads in the place of those with these versions of a stream, and hashes it anew from the
/// first on. The guards of the journal have to be lifted.
///
/// # Errors
/// A query failed, or an entry is no JSON.
pub fn rewrite(
    connection: &mut AnyConnection,
    id: Uuid,
    payloads: &BTreeMap<Version, String>,
) -> Result<(), StoreError> {
    let Some(first) = payloads.keys().next() else { return Ok(()) };
    let mut before = first - 1;
    let mut hash = hash_at(connection, id, before)?;
    loop {
        let entries = entries_after(connection, id, before, Some(PAGE))?;
        if entries.is_empty() {
            return Ok(());
        }
        for entry in entries {
            let payload = payloads.get(&entry.version).cloned().unwrap_or(entry.payload);
            let entry = Entry { payload, ..entry };
            hash = entry.hash_after(&hash, id)?;
            before = entry.version;
            diesel::update(journal::table.find((Key(id), entry.version)))
                .set((journal::payload.eq(Json(entry.payload)), journal::hash.eq(hash.0.to_vec())))
                .execute(connection)?;
        }
    }
}

/// From here on SQLite overwrites what it deletes or replaces, instead of only forgetting where it was; or no
/// more.
///
/// # Errors
/// The query failed.
pub fn set_traceless(connection: &mut AnyConnection, traceless: bool) -> Result<(), StoreError> {
    match connection {
        AnyConnection::Sqlite(inner) => {
            let how = if traceless { "ON" } else { "OFF" };
            Ok(inner.batch_execute(&format!("PRAGMA secure_delete = {how}"))?)
        }
        // Its rows are versions, which vacuuming removes.
        AnyConnection::Postgres(_) => Ok(()),
    }
}

/// Deletes every credential of an account: login and password, mail address, sessions, API tokens, links; and
/// its webhooks.
///
/// # Errors
/// A query failed.
pub fn delete_credentials(connection: &mut AnyConnection, account: AccountId) -> Result<(), StoreError> {
    let key = Key::from(account);
    let sessions = session::table.filter(session::account.eq(key)).select(session::id);
    diesel::delete(refresh_token::table.filter(refresh_token::session.eq_any(sessions)))
        .execute(connection)?;
    diesel::delete(session::table.filter(session::account.eq(key))).execute(connection)?;
    diesel::delete(api_token::table.filter(api_token::account.eq(key))).execute(connection)?;
    diesel::delete(one_time_link::table.filter(one_time_link::account.eq(key))).execute(connection)?;
    diesel::delete(mail_address::table.find(key)).execute(connection)?;
    webhooks::delete_of(connection, account)?;
    diesel::delete(credential::table.find(key)).execute(connection)?;
    Ok(())
}

/// The ids and names of all API tokens.
///
/// # Errors
/// The query failed.
pub fn token_names(connection: &mut AnyConnection) -> Result<Vec<(Key, String)>, StoreError> {
    Ok(api_token::table.order(api_token::id).select((api_token::id, api_token::name)).load(connection)?)
}

/// Gives an API token another name.
///
/// # Errors
/// The query failed.
pub fn rename_token(connection: &mut AnyConnection, id: Key, name: &str) -> Result<(), StoreError> {
    diesel::update(api_token::table.find(id)).set(api_token::name.eq(name)).execute(connection)?;
    Ok(())
}

/// Deletes a request for a login.
///
/// # Errors
/// The query failed.
pub fn delete_registration(connection: &mut AnyConnection, id: Key) -> Result<(), StoreError> {
    diesel::delete(registration::table.find(id)).execute(connection)?;
    Ok(())
}
