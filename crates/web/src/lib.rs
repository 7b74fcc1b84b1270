//! HTTP: the JSON API, the pages, the live stream, and what they share.
//!
//! * [`server`]: starts it all and stops it gracefully.
//! * [`service`]: what every handler has at hand.
//! * [`caller`]: who asks, from a token or a cookie, and from which address.
//! * [`connection`]: one connection of a client: its place, its time, its manners.
//! * [`ask`]: a command as it arrives: body, `If-Match`, `Idempotency-Key`.
//! * [`paging`]: lists, page by page.
//! * [`url`]: free text in addresses.
//! * [`match_score`]: what the score of a match means for the cube.
//! * [`problem`]: the one place where a refusal becomes a response.
//! * [`trace`]: what the log says of a request.
//! * [`api`]: the JSON API.
//! * [`pages`]: what each page shows; the templates in `templates/` say how.
//! * [`site`]: the pages, live: requests in, pages out.
//! * [`session`]: the cookies of a page's session, and what makes a form one of our own.
//! * [`locale`]: the language of a reader: texts by key, numbers, dates.
//! * [`assets`]: what the browser loads, embedded in the binary.
//!
//! * [`config`], [`telemetry`]: the settings of the service, and what it tells of itself: log and figures.
//!
//! Rules and permissions are decided in the rooms below; a handler only translates.

// A test that meets what it does not know fails by itself.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod api;
pub mod ask;
pub mod assets;
pub mod caller;
pub mod config;
pub mod connection;
mod docs;
mod health;
pub mod locale;
pub mod match_score;
mod methods;
pub mod pages;
pub mod paging;
pub mod problem;
pub mod server;
pub mod service;
pub mod session;
pub mod site;
pub mod telemetry;
pub mod trace;
pub mod url;

#[cfg(test)]
mod contrast_tests;
