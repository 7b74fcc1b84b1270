//! HTTP: the JSON API, the pages, the live stream, and what they share.
//!
//! * [`server`]: starts it all and stops it gracefully.
//! * [`service`]: what every handler has at hand.
//! * [`caller`]: who asks, from a token or a cookie, and from which address.
//! * [`ask`]: a command as it arrives: body, `If-Match`, `Idempotency-Key`.
//! * [`problem`]: the one place where a refusal becomes a response.
//! * [`api`]: the JSON API.
//!
//! Rules and permissions are decided in the rooms below; a handler only translates.

pub mod api;
pub mod ask;
pub mod caller;
mod docs;
mod health;
pub mod problem;
pub mod server;
pub mod service;

/// What a page may load: everything from here, nothing inline, nothing framed.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'";
