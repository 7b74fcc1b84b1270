//! Access: the club's set-up, sessions, the caller's own account, API tokens, and links to claim.

mod api_tokens;
mod links;
mod own_account;
mod sessions;
mod set_up;

use std::net::{IpAddr, Ipv4Addr};

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};
use secrecy::ExposeSecret as _;
use serde::Serialize;

use super::Routes;
use owlbox_base::values::{AccountId, Timestamp};
use owlbox_desk::access::sessions::Tokens;
use owlbox_http::caller;

pub(super) fn configure(config: &mut impl Routes) {
    sessions::configure(config);
    own_account::configure(config);
    api_tokens::configure(config);
    links::configure(config);
    set_up::configure(config.about("club"));
}

/// The tokens of a session.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TokensBody {
    /// The account that is signed in.
    pub account: AccountId,
    /// Always `Bearer`.
    #[cfg_attr(test, schema(example = "Bearer"))]
    pub token_type: &'static str,
    /// For the header `Authorization: Bearer ...`.
    pub access_token: String,
    /// When the access token expires: refresh it before.
    pub access_expires_at: Timestamp,
    /// For `POST /refresh`, usable once.
    pub refresh_token: String,
    /// When the refresh token expires.
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

/// The answer with tokens, which nobody on the way may store.
fn answer(status: StatusCode, tokens: Tokens) -> HttpResponse {
    HttpResponse::build(status).insert_header(("cache-control", "no-store")).json(TokensBody::from(tokens))
}

/// The client's address. Only requests of tests lack one; they count as one client.
pub(crate) fn client(request: &HttpRequest) -> IpAddr {
    caller::address(request).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}
