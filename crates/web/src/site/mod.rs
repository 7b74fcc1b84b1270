//! The handlers of the pages: requests in, what [`owlbox_pages`] show out.
//!
//! A handler asks the desk, as the API does, fills in a page's struct and renders it. A form that is carried
//! out redirects to a page (303); one that is refused is shown again with the reason above it. [`around`]
//! does what is the same for all of them: the session, the set-up that comes first, problems as pages.

mod account;
mod acting;
mod amounts;
mod around;
mod board;
mod club_nights;
mod copies;
mod directing;
mod door;
mod exports;
mod files;
mod form;
mod head_to_head;
mod house_rules;
mod importing;
mod income;
mod ledger;
mod matches;
mod night;
mod people;
mod previewed;
mod privacy;
mod reference;
mod refused_part;
mod registering;
mod registrations;
mod seasons;
mod settings;
mod settle_night;
mod settle_up;
mod sheets;
mod statistics;
mod table;
mod table_acts;
mod tournaments;
mod treasury;
mod visitor;

use actix_web::web;
use owlbox_domain::chouette::Chouette;
use owlbox_domain::matches::Sheet;
use owlbox_domain::tournament::Tournament;

pub use around::around;
pub use copies::{Copies, MOST_BYTES};
pub(crate) use visitor::no_club;

/// Makes one table of the routes, for registering them and for tests.
macro_rules! pages {
    ($($method:ident $path:literal => $handler:path;)*) => {
        /// Every page and every form: method and path.
        pub const PAGES: &[(&str, &str)] = &[$((stringify!($method), $path)),*];

        pub fn configure(config: &mut web::ServiceConfig) {
            config$(.route($path, route::$method().to($handler)))*;
        }
    };
}

/// What a route takes.
mod route {
    use actix_web::{Route, guard, web};

    pub use actix_web::web::post;

    /// GET; and HEAD, to which the server sends the head of the same answer.
    pub fn get() -> Route {
        web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
    }
}

pages! {
    get "/assets/{path:.*}" => files::asset;
    get "/" => night::home;
    post "/chouettes" => night::open;
    get "/chouettes/{id}" => table::show;
    get "/chouettes/{id}/finish" => table::finish;
    get "/chouettes/{id}/settle-up" => settle_up::show;
    get "/chouettes/{id}/everybody" => table::everybody;
    get "/chouettes/{id}/undo" => table::take_back;
    post "/chouettes/{id}/act" => acting::act::<Chouette>;
    post "/chouettes/{id}/act/preview" => acting::preview::<Chouette>;
    get "/nights" => night::past;
    get "/nights/{date}/settle-up" => settle_night::show;
    post "/nights/{date}/settle-up" => settle_night::settle;
    get "/club/years/{year}" => club_nights::year;
    get "/club/years/{year}/{month}" => club_nights::month;
    get "/club/nights/{date}" => club_nights::night;
    get "/seasons" => seasons::list;
    post "/seasons" => seasons::save;
    get "/seasons/{name}" => seasons::show;
    get "/seasons/{name}/edit" => seasons::edit;
    post "/seasons/{name}/remove" => seasons::remove;
    get "/house-rules" => house_rules::list;
    post "/house-rules" => house_rules::save;
    get "/house-rules/{name}" => house_rules::show;
    get "/house-rules/{name}/edit" => house_rules::edit;
    post "/house-rules/{name}/remove" => house_rules::remove;
    get "/chouettes/{id}/{sheet}" => sheets::show;
    get "/ledger/house" => ledger::house;
    get "/ledger/tournaments" => income::show;
    get "/ledger/treasury" => treasury::show;
    get "/ledger/daybook" => treasury::daybook;
    post "/ledger/daybook" => treasury::record;
    get "/ledger/import" => importing::show;
    post "/ledger/import" => importing::record;
    post "/ledger/import/preview" => importing::preview;
    get "/ledger/accounts/{account}" => ledger::account;
    get "/ledger/exports" => exports::show;
    get "/ledger/pools/{tournament}" => ledger::pool;
    get "/ledger/{player}" => ledger::show;
    get "/tournaments" => tournaments::list;
    get "/tournaments/new" => directing::new;
    post "/tournaments" => directing::open;
    get "/tournaments/{id}/edit" => directing::edit;
    post "/tournaments/{id}/edit" => directing::change;
    get "/tournaments/{id}/enter" => directing::enter_oneself;
    get "/tournaments/{id}/desk" => directing::desk;
    post "/tournaments/{id}/act" => acting::act::<Tournament>;
    post "/tournaments/{id}/act/preview" => acting::preview::<Tournament>;
    get "/tournaments/{id}/desk/settings" => directing::show_settings;
    get "/tournaments/{id}/desk/new-division" => directing::new_division;
    post "/tournaments/{id}/desk/new-division" => directing::add_division;
    get "/tournaments/{id}/desk/{division}/settings" => directing::division;
    post "/tournaments/{id}/desk/{division}/settings" => directing::change_division;
    get "/tournaments/{id}/desk/room" => directing::room;
    get "/tournaments/{id}/desk/money" => directing::money;
    get "/tournaments/{id}/desk/log" => directing::log;
    get "/tournaments/{id}/desk/{division}/entries" => directing::entries;
    post "/tournaments/{id}/desk/{division}/entries" => directing::enter;
    post "/tournaments/{id}/desk/{division}/entries/seeds" => directing::seed;
    get "/tournaments/{id}/desk/{division}/entries/{entry}" => directing::entry;
    get "/tournaments/{id}/desk/{division}/draw" => directing::draw;
    get "/tournaments/{id}/desk/{division}/draw/by-hand" => directing::draw_by_hand;
    post "/tournaments/{id}/desk/{division}/draw/by-hand" => directing::draw_hand;
    get "/tournaments/{id}/desk/{division}/matches/{n}" => directing::one_match;
    get "/tournaments/{id}/desk/{division}/matches/{n}/correct" => directing::correct;
    get "/tournaments/{id}" => tournaments::overview;
    get "/tournaments/{id}/screen" => tournaments::screen;
    get "/tournaments/{id}/players/{player}" => tournaments::entrant;
    post "/tournaments/{id}/players/{player}" => tournaments::report_own;
    get "/tournaments/{id}/{division}" => tournaments::bracket;
    get "/tournaments/{id}/{division}/draw" => tournaments::draw;
    get "/tournaments/{id}/{division}/entries" => tournaments::entries;
    get "/tournaments/{id}/{division}/places" => tournaments::places;
    get "/tournaments/{id}/{division}/print" => tournaments::print;
    get "/tournaments/{id}/{division}/slips" => tournaments::slips;
    get "/tournaments/{id}/{division}/cards" => tournaments::cards;
    get "/tournaments/{id}/{division}/embed" => tournaments::embed;
    get "/tournaments/{id}/{division}/matches/{match}" => tournaments::one_match;
    get "/e/{link}" => tournaments::by_link;
    post "/e/{link}" => tournaments::report;
    get "/matches" => matches::list;
    post "/matches" => matches::open;
    get "/matches/{id}" => matches::show;
    get "/matches/{id}/clock" => matches::clock;
    post "/matches/{id}/act" => acting::act::<Sheet>;
    post "/matches/{id}/act/preview" => acting::preview::<Sheet>;
    get "/reference" => reference::show;
    get "/reference/opening" => reference::opening;
    get "/reference/shots" => reference::shots;
    get "/reference/score" => reference::score;
    get "/players" => people::list;
    post "/players" => people::add;
    get "/players/{id}" => people::show;
    post "/players/{id}" => people::change;
    get "/players/{id}/statistics" => statistics::of_player;
    get "/players/{id}/statistics/against/{other}" => statistics::of_pair;
    get "/statistics" => statistics::of_club;
    get "/statistics/head-to-head" => head_to_head::show;
    post "/players/{id}/remove" => people::remove;
    post "/players/{id}/invite" => people::invite;
    get "/players/{id}/data" => privacy::show;
    get "/players/{id}/erase" => privacy::erase;
    post "/players/{id}/erase" => privacy::do_erase;
    get "/account" => account::show;
    post "/account/password" => account::password;
    post "/account/sign-out-everywhere" => account::sign_out_everywhere;
    post "/account/tokens" => account::new_token;
    post "/account/tokens/{id}/revoke" => account::revoke;
    get "/settings" => settings::show;
    post "/settings" => settings::change;
    post "/settings/accounts/{id}" => settings::account;
    post "/settings/accounts/{id}/reset" => settings::reset;
    post "/settings/registrations/decline" => registrations::decline_all;
    post "/settings/registrations/{id}/confirm" => registrations::confirm;
    post "/settings/registrations/{id}/decline" => registrations::decline;
    get "/register" => registering::show;
    post "/register" => registering::post;
    get "/set-up" => door::set_up;
    post "/set-up" => door::post_set_up;
    get "/sign-in" => door::sign_in;
    post "/sign-in" => door::post_sign_in;
    post "/sign-out" => door::sign_out;
    get "/claim/{secret}" => door::claim;
    post "/claim/{secret}" => door::post_claim;
    post "/language" => door::language;
    post "/board-view" => board::view;
}
