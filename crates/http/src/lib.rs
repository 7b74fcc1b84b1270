//! HTTP: the server, and what the JSON API and the pages share.
//!
//! * [`server`]: starts everything and stops it gracefully.
//! * [`service`]: what every handler has at hand.
//! * [`caller`]: who makes a request, by token or cookie, and from which address.
//! * [`clubs`]: which club a request is for, where there are many.
//! * `cors`: which answers pages of other sites may read.
//! * `head`: `HEAD`, wherever `GET` answers.
//! * [`connection`]: one client's connection: its place, its deadlines, its bodies.
//! * [`ask`]: reads a command: body, `If-Match`, `Idempotency-Key`.
//! * [`paging`]: lists, page by page.
//! * `etag`: whether a client has an answer already.
//! * [`mistakes`]: every mistake of a request that cannot be read, by the OpenAPI document.
//! * [`problem`]: the one place where a refusal becomes a response.
//! * [`trace`]: what the log says about a request.
//! * [`session`]: the cookies of a page's session, and the check that a form is one of ours.
//! * [`copies`]: pages that are made once for all strangers.
//! * [`config`], [`telemetry`]: the settings of the service; its log and metrics.
//!
//! The handlers are in `owlbox-api` and `owlbox-site`, which do not know each other. Rules and permissions
//! are decided in the rooms below; a handler only translates.

// In a test, a wildcard arm may panic on variants that it does not expect.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod ask;
pub mod caller;
pub mod clubs;
pub mod config;
pub mod connection;
pub mod copies;
mod cors;
pub mod etag;
mod head;
mod health;
pub mod mail;
pub mod methods;
pub mod mistakes;
pub mod paging;
pub mod problem;
pub mod release;
pub mod server;
pub mod service;
pub mod session;
pub mod telemetry;
pub mod trace;
pub mod webhooks;
