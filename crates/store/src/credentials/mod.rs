//! Credentials: logins and their mail addresses, sessions, API tokens, one-time links and sign-in attempts.
//!
//! They are plain records, not events in the journal. Secrets are stored only as hashes; whether one is valid
//! is decided in the desk.

pub mod api_tokens;
pub mod attempts;
pub mod links;
pub mod mail_addresses;
pub mod passwords;
pub mod sessions;

use diesel::prelude::*;

use super::StoreError;
use super::connection::AnyConnection;
use super::schema::{api_token, one_time_link, refresh_token, session, sign_in_attempt};
use super::types::Moment;
use owlbox_base::values::Timestamp;

/// Deletes credentials that are no longer of use: sessions, links and API tokens that expired or were revoked
/// before `before`, windows of attempts begun before then, and refresh tokens used or expired before then.
/// The refresh tokens of sessions that are over at `now` go at once, because nothing reads them any more.
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
