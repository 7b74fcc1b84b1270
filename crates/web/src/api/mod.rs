//! The JSON API: one file a subject, all of it under `/api/v1`.
//!
//! Lists page by cursor: `?limit=&after=`, and the answer's `next` is the next `after`. A stream's
//! version is its `ETag`. Conventions are in `docs/api.md`; the OpenAPI document is made from the
//! handlers.

pub mod access;
pub mod accounts;
pub mod acts;
pub mod chouettes;
pub mod events;
pub mod house_rules;
pub mod ledger;
pub mod matches;
pub mod players;
pub mod ratings;
pub mod reference;
pub mod registrations;
pub mod settings;
pub mod settle_up;
pub mod statistics;
pub mod streams;
pub mod tournaments;

use actix_web::dev::HttpServiceFactory;
use actix_web::http::header::{self, EntityTag};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::OpenApiFactory;
use utoipa_actix_web::service_config::ServiceConfig;

use owlbox_domain::journal::Version;

use super::problem::Problem;
use super::service::Service;
use owlbox_domain::code::Code;

/// Where routes are registered: with the server, or with whoever wants to know what they say of themselves.
pub trait Routes {
    fn service(&mut self, handler: impl HttpServiceFactory + OpenApiFactory + 'static) -> &mut Self;
}

impl Routes for ServiceConfig<'_> {
    fn service(&mut self, handler: impl HttpServiceFactory + OpenApiFactory + 'static) -> &mut Self {
        ServiceConfig::service(self, handler)
    }
}

/// Registers every route of the API.
pub fn configure(config: &mut impl Routes) {
    chouettes::configure(config);
    matches::configure(config);
    settle_up::configure(config);
    tournaments::configure(config);
    ledger::configure(config);
    players::configure(config);
    ratings::configure(config);
    statistics::configure(config);
    accounts::configure(config);
    registrations::configure(config);
    access::configure(config);
    house_rules::configure(config);
    settings::configure(config);
    reference::configure(config);
}

/// A page of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Page<T> {
    /// The entries.
    pub items: Vec<T>,
    /// What `after` must be for the next page; null on the last one.
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// The first `limit` of `items`, of which one more was asked for than fits; `cursor` names the
    /// last one shown.
    pub fn cut(mut items: Vec<T>, limit: i64, cursor: impl Fn(&T) -> String) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let is_last = items.len() <= limit;
        items.truncate(limit);
        let next = if is_last { None } else { items.last().map(cursor) };
        Self { items, next }
    }
}

/// Which page of a list.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct PageQuery {
    /// Entries a page; as many as the configuration allows at most.
    pub limit: Option<i64>,
    /// The `next` of the page before.
    pub after: Option<String>,
}

/// How many entries a page has, if so many were asked for.
///
/// # Errors
/// Fewer than one, or more than the configuration allows.
pub fn limit(service: &Service, asked: Option<i64>) -> Result<i64, Problem> {
    let limits = &service.config.limits;
    match asked {
        None => Ok(limits.page_size),
        Some(limit) if (1..=limits.page_size_max).contains(&limit) => Ok(limit),
        Some(_) => {
            let detail = format!("limit is 1 to {}", limits.page_size_max);
            Err(Problem::new(Code::InvalidQuery, detail).about("limit"))
        }
    }
}

/// The cursor in `after`, as what it is.
///
/// # Errors
/// It is no cursor of this list.
pub fn cursor<T: std::str::FromStr>(after: Option<&str>) -> Result<Option<T>, Problem> {
    after.map(str::parse).transpose().map_err(|_| no_cursor())
}

fn no_cursor() -> Problem {
    Problem::new(Code::InvalidQuery, "after is the next of the page before").about("after")
}

/// The version as an `ETag` header.
pub(super) fn etag(version: Version) -> header::ETag {
    header::ETag(EntityTag::new_strong(version.to_string()))
}
