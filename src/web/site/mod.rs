//! The pages, live: requests in, what [`pages`](super::pages) show out.
//!
//! A handler asks the desk, as the API does, fills a page's struct and renders it; a form that is posted
//! goes on to a page (303), and one that is refused is shown again with the reason above it. What holds
//! for all of them - the session, the set-up before anything else, problems as pages - is [`around`].

mod acting;
mod around;
mod door;
mod files;
mod form;
mod ledger;
mod night;
mod table;
mod visitor;

use actix_web::web;

pub use around::around;

/// Registers every page.
pub fn configure(config: &mut web::ServiceConfig) {
    config
        .route("/assets/{path:.*}", web::get().to(files::asset))
        .route("/", web::get().to(night::home))
        .route("/chouettes", web::post().to(night::open))
        .route("/chouettes/{id}", web::get().to(table::show))
        .route("/chouettes/{id}/finish", web::get().to(table::finish))
        .route("/chouettes/{id}/act", web::post().to(acting::act))
        .route("/ledger/{player}", web::get().to(ledger::show))
        .route("/language", web::post().to(door::language));
}
