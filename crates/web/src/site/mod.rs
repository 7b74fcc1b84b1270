//! The pages, live: requests in, what [`pages`](super::pages) show out.
//!
//! A handler asks the desk, as the API does, fills a page's struct and renders it; a form that is posted
//! goes on to a page (303), and one that is refused is shown again with the reason above it. What holds
//! for all of them - the session, the set-up before anything else, problems as pages - is [`around`].

mod account;
mod acting;
mod around;
mod board;
mod directing;
mod door;
mod files;
mod form;
mod house_rules;
mod ledger;
mod matches;
mod night;
mod people;
mod reference;
mod registering;
mod settings;
mod settle_night;
mod settle_up;
mod sheets;
mod statistics;
mod table;
mod tournaments;
mod visitor;

use actix_web::web;

pub use around::around;
pub(crate) use visitor::encoded;

/// Registers every page.
pub fn configure(config: &mut web::ServiceConfig) {
    config
        .route("/assets/{path:.*}", web::get().to(files::asset))
        .route("/", web::get().to(night::home))
        .route("/chouettes", web::post().to(night::open))
        .route("/chouettes/{id}", web::get().to(table::show))
        .route("/chouettes/{id}/finish", web::get().to(table::finish))
        .route("/chouettes/{id}/settle-up", web::get().to(settle_up::show))
        .route("/chouettes/{id}/everybody", web::get().to(table::everybody))
        .route("/chouettes/{id}/undo", web::get().to(table::take_back))
        .route("/chouettes/{id}/act", web::post().to(acting::act))
        .route("/nights/{date}/settle-up", web::get().to(settle_night::show))
        .route("/nights/{date}/settle-up", web::post().to(settle_night::settle))
        .route("/house-rules", web::get().to(house_rules::list))
        .route("/house-rules", web::post().to(house_rules::save))
        .route("/house-rules/{name}", web::get().to(house_rules::show))
        .route("/house-rules/{name}/edit", web::get().to(house_rules::edit))
        .route("/house-rules/{name}/remove", web::post().to(house_rules::remove))
        .route("/chouettes/{id}/{sheet}", web::get().to(sheets::show))
        .route("/ledger/house", web::get().to(ledger::house))
        .route("/ledger/pools/{tournament}", web::get().to(ledger::pool))
        .route("/ledger/{player}", web::get().to(ledger::show))
        .route("/tournaments", web::get().to(tournaments::list))
        .route("/tournaments/new", web::get().to(directing::new))
        .route("/tournaments", web::post().to(directing::open))
        .route("/tournaments/{id}/edit", web::get().to(directing::edit))
        .route("/tournaments/{id}/edit", web::post().to(directing::change))
        .route("/tournaments/{id}/enter", web::get().to(directing::enter_oneself))
        .route("/tournaments/{id}/desk", web::get().to(directing::desk))
        .route("/tournaments/{id}/act", web::post().to(directing::act))
        .route("/tournaments/{id}/desk/settings", web::get().to(directing::show_settings))
        .route("/tournaments/{id}/desk/new-division", web::get().to(directing::new_division))
        .route("/tournaments/{id}/desk/new-division", web::post().to(directing::add_division))
        .route("/tournaments/{id}/desk/{division}/settings", web::get().to(directing::division))
        .route("/tournaments/{id}/desk/{division}/settings", web::post().to(directing::change_division))
        .route("/tournaments/{id}/desk/room", web::get().to(directing::room))
        .route("/tournaments/{id}/desk/money", web::get().to(directing::money))
        .route("/tournaments/{id}/desk/{division}/entries", web::get().to(directing::entries))
        .route("/tournaments/{id}/desk/{division}/entries", web::post().to(directing::enter))
        .route("/tournaments/{id}/desk/{division}/entries/seeds", web::post().to(directing::seed))
        .route("/tournaments/{id}/desk/{division}/entries/{entry}", web::get().to(directing::entry))
        .route("/tournaments/{id}/desk/{division}/draw", web::get().to(directing::draw))
        .route("/tournaments/{id}/desk/{division}/matches/{n}", web::get().to(directing::bout))
        .route("/tournaments/{id}/desk/{division}/matches/{n}/correct", web::get().to(directing::correct))
        .route("/tournaments/{id}", web::get().to(tournaments::overview))
        .route("/tournaments/{id}/screen", web::get().to(tournaments::screen))
        .route("/tournaments/{id}/players/{player}", web::get().to(tournaments::entrant))
        .route("/tournaments/{id}/players/{player}", web::post().to(tournaments::report_own))
        .route("/tournaments/{id}/{division}", web::get().to(tournaments::bracket))
        .route("/tournaments/{id}/{division}/draw", web::get().to(tournaments::draw))
        .route("/tournaments/{id}/{division}/entries", web::get().to(tournaments::entries))
        .route("/tournaments/{id}/{division}/places", web::get().to(tournaments::places))
        .route("/tournaments/{id}/{division}/print", web::get().to(tournaments::print))
        .route("/tournaments/{id}/{division}/slips", web::get().to(tournaments::slips))
        .route("/tournaments/{id}/{division}/cards", web::get().to(tournaments::cards))
        .route("/tournaments/{id}/{division}/embed", web::get().to(tournaments::embed))
        .route("/tournaments/{id}/{division}/matches/{match}", web::get().to(tournaments::one_match))
        .route("/e/{link}", web::get().to(tournaments::by_link))
        .route("/e/{link}", web::post().to(tournaments::report))
        .route("/matches", web::get().to(matches::list))
        .route("/matches", web::post().to(matches::open))
        .route("/matches/{id}", web::get().to(matches::show))
        .route("/matches/{id}/clock", web::get().to(matches::clock))
        .route("/matches/{id}/act", web::post().to(matches::act))
        .route("/reference", web::get().to(reference::show))
        .route("/reference/opening", web::get().to(reference::opening))
        .route("/reference/shots", web::get().to(reference::shots))
        .route("/reference/score", web::get().to(reference::score))
        .route("/players", web::get().to(people::list))
        .route("/players", web::post().to(people::add))
        .route("/players/{id}", web::get().to(people::show))
        .route("/players/{id}", web::post().to(people::change))
        .route("/players/{id}/statistics", web::get().to(statistics::of_player))
        .route("/players/{id}/statistics/against/{other}", web::get().to(statistics::of_pair))
        .route("/statistics", web::get().to(statistics::of_club))
        .route("/players/{id}/remove", web::post().to(people::remove))
        .route("/players/{id}/invite", web::post().to(people::invite))
        .route("/account", web::get().to(account::show))
        .route("/account/password", web::post().to(account::password))
        .route("/account/sign-out-everywhere", web::post().to(account::sign_out_everywhere))
        .route("/account/tokens", web::post().to(account::new_token))
        .route("/account/tokens/{id}/revoke", web::post().to(account::revoke))
        .route("/settings", web::get().to(settings::show))
        .route("/settings", web::post().to(settings::change))
        .route("/settings/accounts/{id}", web::post().to(settings::account))
        .route("/settings/accounts/{id}/reset", web::post().to(settings::reset))
        .route("/settings/registrations/decline", web::post().to(registering::decline_all))
        .route("/settings/registrations/{id}/confirm", web::post().to(registering::confirm))
        .route("/settings/registrations/{id}/decline", web::post().to(registering::decline))
        .route("/register", web::get().to(registering::show))
        .route("/register", web::post().to(registering::post))
        .route("/set-up", web::get().to(door::set_up))
        .route("/set-up", web::post().to(door::post_set_up))
        .route("/sign-in", web::get().to(door::sign_in))
        .route("/sign-in", web::post().to(door::post_sign_in))
        .route("/sign-out", web::post().to(door::sign_out))
        .route("/claim/{secret}", web::get().to(door::claim))
        .route("/claim/{secret}", web::post().to(door::post_claim))
        .route("/language", web::post().to(door::language))
        .route("/board-view", web::post().to(board::view));
}
