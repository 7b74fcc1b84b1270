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
pub mod club_events;
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
mod version;
pub mod webhooks;

use actix_web::dev::HttpServiceFactory;
use actix_web::http::header::{self, EntityTag};
use actix_web::web;

use owlbox_base::journal::Version;
use owlbox_http::methods::DOCUMENT;
use owlbox_http::release::Release;

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

/// Where routes are registered: with the server, or with the OpenAPI document.
pub trait Routes {
    fn service(&mut self, handler: impl Handler) -> &mut Self;

    /// What the document calls the subject of all that is registered from here on.
    fn about(&mut self, _subject: &'static str) -> &mut Self {
        self
    }
}

impl Routes for web::ServiceConfig {
    fn service(&mut self, handler: impl Handler) -> &mut Self {
        Self::service(self, handler)
    }
}

/// Registers the document and every route.
pub fn mount(config: &mut web::ServiceConfig, document: web::Data<Document>, release: Release) {
    config
        .app_data(document)
        .app_data(web::Data::new(release))
        // Before the scope, which would otherwise take its path for one of its own.
        .route(DOCUMENT, web::get().to(docs::show))
        .service(web::scope("/api/v1").configure(configure));
}

fn configure(config: &mut impl Routes) {
    chouettes::configure(config.about("chouettes"));
    matches::configure(config.about("matches"));
    settle_up::configure(config.about("chouettes"));
    tournaments::configure(config.about("tournaments"));
    ledger::configure(config.about("ledger"));
    dues::configure(config.about("ledger"));
    statements::configure(config.about("ledger"));
    daybook::configure(config.about("ledger"));
    texts::configure(config.about("ledger"));
    exports::configure(config.about("ledger"));
    players::configure(config.about("players"));
    privacy::configure(config.about("players"));
    ratings::configure(config.about("ratings"));
    statistics::configure(config.about("statistics"));
    club_nights::configure(config.about("statistics"));
    seasons::configure(config.about("statistics"));
    accounts::configure(config.about("accounts"));
    registrations::configure(config.about("accounts"));
    access::configure(config.about("access"));
    house_rules::configure(config.about("house rules"));
    club_events::configure(config.about("club"));
    webhooks::configure(config);
    settings::configure(config.about("club"));
    version::configure(config.about("club"));
    reference::configure(config.about("reference"));
}

fn etag(version: Version) -> header::ETag {
    header::ETag(EntityTag::new_strong(version.to_string()))
}
