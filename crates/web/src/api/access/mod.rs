//! Access: setting the club up, sessions, the caller's own account, API tokens, and links to claim.

mod api_tokens;
mod links;
mod own_account;
mod sessions;
mod set_up;

use std::net::{IpAddr, Ipv4Addr};

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::Routes;
use crate::caller;
use owlbox_desk::access::sessions::Tokens;
use owlbox_domain::values::{AccountId, Timestamp};

pub(super) fn configure(config: &mut impl Routes) {
    set_up::configure(config);
    sessions::configure(config);
    own_account::configure(config);
    api_tokens::configure(config);
    links::configure(config);
}

/// Reads a secret out of a body, into what does not show when printed.
pub(in crate::api) fn secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SecretString, D::Error> {
    String::deserialize(deserializer).map(SecretString::from)
}

/// What proves a session.
#[derive(Serialize, ToSchema)]
pub struct TokensBody {
    /// Whose.
    pub account: AccountId,
    /// `Bearer`.
    #[schema(example = "Bearer")]
    pub token_type: &'static str,
    /// For the header `Authorization: Bearer ...`.
    pub access_token: String,
    /// When that ends: refresh it before.
    pub access_expires_at: Timestamp,
    /// For `POST /refresh`, once.
    pub refresh_token: String,
    /// When that ends.
    pub refresh_expires_at: Timestamp,
}

impl From<Tokens> for TokensBody {
    fn from(tokens: Tokens) -> Self {
        Self {
            account: tokens.account,
            token_type: "Bearer",
            access_token: tokens.access.expose_secret().to_owned(),
            access_expires_at: tokens.access_expires_at,
            refresh_token: tokens.refresh.expose_secret().to_owned(),
            refresh_expires_at: tokens.refresh_expires_at,
        }
    }
}

/// The answer that carries tokens; nobody on the way keeps it.
fn answer(status: StatusCode, tokens: Tokens) -> HttpResponse {
    HttpResponse::build(status).insert_header(("cache-control", "no-store")).json(TokensBody::from(tokens))
}

/// Where a request comes from. Without a peer's address, which only a test's request has not, all
/// count as one.
pub(in crate::api) fn client(request: &HttpRequest) -> IpAddr {
    caller::address(request).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}
