//! The JSON API under `/api/v1`, a file for each subject.
//!
//! Lists go page by page with a cursor: `?limit=&after=`, where `after` is the `next` of the previous page.
//! The version of a stream is its `ETag`. `docs/api.md` has the conventions; the OpenAPI document is
//! generated from the handlers.

// In a test, a wildcard arm may panic on variants that it does not expect.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

pub mod access;
pub mod accounts;
pub mod acts;
pub mod chouettes;
pub mod club_nights;
mod csv;
pub mod daybook;
mod docs;
pub mod dues;
pub mod events;
pub mod exports;
pub mod house_rules;
pub mod ledger;
pub mod matches;
pub mod players;
mod privacy;
pub mod ratings;
pub mod reference;
pub mod registrations;
#[cfg(test)]
pub(crate) mod schemas;
pub mod seasons;
pub mod settings;
pub mod settle_up;
pub mod statements;
pub mod statistics;
pub mod streams;
pub mod texts;
pub mod tournaments;

use actix_web::dev::HttpServiceFactory;
use actix_web::http::header::{self, EntityTag};
use actix_web::web;

use owlbox_base::journal::Version;
use owlbox_http::methods::DOCUMENT;

pub use docs::{Document, document};

/// What is registered as a route of the API.
#[cfg(not(test))]
pub trait Handler: HttpServiceFactory + 'static {}
#[cfg(not(test))]
impl<T: HttpServiceFactory + 'static> Handler for T {}

/// What is registered as a route of the API: it declares itself for the document, too.
#[cfg(test)]
pub trait Handler: HttpServiceFactory + utoipa_actix_web::OpenApiFactory + 'static {}
#[cfg(test)]
impl<T: HttpServiceFactory + utoipa_actix_web::OpenApiFactory + 'static> Handler for T {}

/// Where routes are registered: with the server, with the OpenAPI document, or with a test that collects their
/// schemas.
pub trait Routes {
    fn service(&mut self, handler: impl Handler) -> &mut Self;
}

impl Routes for web::ServiceConfig {
    fn service(&mut self, handler: impl Handler) -> &mut Self {
        Self::service(self, handler)
    }
}

#[cfg(test)]
impl Routes for utoipa_actix_web::service_config::ServiceConfig<'_> {
    fn service(&mut self, handler: impl Handler) -> &mut Self {
        utoipa_actix_web::service_config::ServiceConfig::service(self, handler)
    }
}

/// Registers the document and every route.
pub fn mount(config: &mut web::ServiceConfig, document: web::Data<Document>) {
    config
        .app_data(document)
        // Before the scope, which would otherwise take its path for one of its own.
        .route(DOCUMENT, web::get().to(docs::show))
        .service(web::scope("/api/v1").configure(configure));
}

fn configure(config: &mut impl Routes) {
    chouettes::configure(config);
    matches::configure(config);
    settle_up::configure(config);
    tournaments::configure(config);
    ledger::configure(config);
    dues::configure(config);
    statements::configure(config);
    daybook::configure(config);
    texts::configure(config);
    exports::configure(config);
    players::configure(config);
    privacy::configure(config);
    ratings::configure(config);
    statistics::configure(config);
    club_nights::configure(config);
    seasons::configure(config);
    accounts::configure(config);
    registrations::configure(config);
    access::configure(config);
    house_rules::configure(config);
    settings::configure(config);
    reference::configure(config);
}

fn etag(version: Version) -> header::ETag {
    header::ETag(EntityTag::new_strong(version.to_string()))
}
