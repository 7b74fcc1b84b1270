//! The pages, and the handlers that answer with them.
//!
//! A handler asks the desk, as the API does, and draws the answer: the page is a struct beside it. A form
//! that is carried out redirects to a page (303); one that is refused is shown again with the reason above
//! it. `around` does what is the same for all of them: the session, the set-up that comes first, problems as
//! pages.

// In a test, a wildcard arm may panic on variants that it does not expect.
#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm))]

mod account;
mod acting;
mod amounts;
mod around;
mod board;
mod books;
mod club_nights;
mod copies;
mod days;
mod directing;
mod docs;
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
mod naming;
mod night;
mod pages;
mod people;
mod playing;
mod previewed;
mod privacy;
mod ratings;
mod reference;
mod refused;
mod refused_part;
mod registering;
mod registrations;
mod say;
mod seasons;
mod sentences;
mod settings;
mod settle_night;
mod settle_up;
mod sheets;
mod sorted;
mod statistics;
mod table;
mod tournaments;
mod treasury;
mod unsent;
mod visitor;
mod webhooks;

use actix_web::middleware::from_fn;
use actix_web::web;
use owlbox_chouette::Chouette;
use owlbox_play::matches::Sheet;
use owlbox_play::tournament::Tournament;

pub use privacy::person_document;

/// Registers the pages, what programmers read, and further pages. They take every path from `/` on that
/// nothing before them has taken; what is not there is answered by the app's default, inside
/// [`around`](around::around).
pub fn mount(config: &mut web::ServiceConfig, further: fn(&mut web::ServiceConfig)) {
    let pages = web::scope("").wrap(from_fn(around::around)).configure(further).configure(configure);
    config.configure(docs::configure).service(pages);
}

/// Makes one table of the routes, for registering them and for tests.
///
/// Paths that begin alike stand below their beginning. It is looked at once, where each path with a parameter
/// costs every request that comes by a regular expression. What is below a beginning is nowhere else.
macro_rules! pages {
    (
        alone { $($method:ident $path:literal => $handler:path;)* }
        $(below $start:literal { $($method_below:ident $rest:literal => $handler_below:path;)* })*
    ) => {
        /// Every page and every form: method and path.
        pub const PAGES: &[(&str, &str)] = &[
            $((stringify!($method), $path),)*
            $($((stringify!($method_below), concat!($start, $rest)),)*)*
        ];

        fn configure(config: &mut web::ServiceConfig) {
            config$(.route($path, web::$method().to($handler)))*;
            $(config.service(web::scope($start)$(.route($rest, web::$method_below().to($handler_below)))*);)*
        }
    };
}

pages! {
    alone {
        get "/assets/{path:.*}" => files::asset;
        post "/texts" => files::text;
        get "/" => night::home;
        get "/set-up" => door::set_up;
        post "/set-up" => door::post_set_up;
        get "/sign-in" => door::sign_in;
        post "/sign-in" => door::post_sign_in;
        post "/forgotten-password" => door::forgot_password;
        post "/sign-out" => door::sign_out;
        post "/language" => door::language;
        post "/theme" => door::theme;
        post "/board-view" => door::choose_view;
        get "/register" => registering::show;
        post "/register" => registering::post;
        get "/claim/{secret}" => door::claim;
        post "/claim/{secret}" => door::post_claim;
        get "/e/{link}" => tournaments::by_link;
        post "/e/{link}" => tournaments::report;
    }

    below "/chouettes" {
        post "" => night::open;
        get "/{id}" => table::show;
        get "/{id}/finish" => table::finish::show;
        get "/{id}/settle-up" => settle_up::show;
        get "/{id}/everybody" => table::everybody::show;
        get "/{id}/undo" => table::take_back::show;
        post "/{id}/act" => table::act::act;
        post "/{id}/act/preview" => acting::preview::<Chouette>;
        get "/{id}/{sheet}" => sheets::show;
    }

    below "/nights" {
        get "" => night::past;
        get "/{date}/settle-up" => settle_night::show;
        post "/{date}/settle-up" => settle_night::settle;
    }

    below "/club" {
        get "/years/{year}" => club_nights::year;
        get "/years/{year}/{month}" => club_nights::month;
        get "/nights/{date}" => club_nights::night;
    }

    below "/seasons" {
        get "" => seasons::list;
        post "" => seasons::save;
        get "/{name}" => seasons::show;
        get "/{name}/edit" => seasons::edit;
        post "/{name}/remove" => seasons::remove;
    }

    below "/house-rules" {
        get "" => house_rules::list;
        post "" => house_rules::save;
        get "/{name}" => house_rules::show;
        get "/{name}/edit" => house_rules::edit;
        post "/{name}/remove" => house_rules::remove;
    }

    below "/ledger" {
        get "/house" => ledger::house;
        get "/tournaments" => income::show;
        get "/treasury" => treasury::show;
        get "/daybook" => treasury::daybook;
        post "/daybook" => treasury::record;
        get "/import" => importing::show;
        post "/import" => importing::record;
        post "/import/preview" => importing::preview;
        get "/accounts/{account}" => ledger::account;
        get "/exports" => exports::show;
        get "/pools/{tournament}" => ledger::pool;
        get "/{player}" => ledger::show;
        post "/{player}/remind" => ledger::remind;
    }

    below "/tournaments/{id}/desk" {
        get "" => directing::now::show;
        post "/act" => directing::now::act;
        post "/act/preview" => acting::preview::<Tournament>;
        get "/settings" => directing::about::show;
        post "/settings/act" => directing::about::act;
        get "/new-division" => directing::division::show_new;
        post "/new-division" => directing::division::add;
        get "/{division}/settings" => directing::division::show;
        post "/{division}/settings" => directing::division::change;
        get "/room" => directing::room::show;
        post "/room/act" => directing::room::act;
        get "/money" => directing::money::show;
        post "/money/act" => directing::money::act;
        get "/log" => directing::log::show;
        post "/log/act" => directing::log::act;
        get "/{division}/entries" => directing::entries::show;
        post "/{division}/entries/act" => directing::entries::act;
        post "/{division}/entries" => directing::entering::enter;
        post "/{division}/entries/seeds" => directing::entering::seed;
        get "/{division}/entries/{entry}" => directing::entry::show;
        post "/{division}/entries/{entry}/act" => directing::entry::act;
        get "/{division}/draw" => directing::draw::show;
        post "/{division}/draw/act" => directing::draw::act;
        get "/{division}/draw/by-hand" => directing::draw_by_hand::show;
        post "/{division}/draw/by-hand" => directing::draw_by_hand::draw_hand;
        get "/{division}/matches/{n}" => directing::one_match::show;
        post "/{division}/matches/{n}/act" => directing::one_match::act;
        get "/{division}/matches/{n}/correct" => directing::correction::show;
        post "/{division}/matches/{n}/correct/act" => directing::correction::act;
        post "/{page:.+}/act/preview" => acting::preview::<Tournament>;
    }

    below "/tournaments" {
        get "" => tournaments::list;
        get "/new" => directing::about::new;
        post "" => directing::about::open;
        get "/{id}/edit" => directing::about::edit;
        post "/{id}/edit" => directing::about::change;
        get "/{id}/enter" => directing::enter::show;
        post "/{id}/enter/act" => directing::enter::act;
        post "/{id}/enter/act/preview" => acting::preview::<Tournament>;
        post "/{id}/act" => directing::now::act;
        post "/{id}/act/preview" => acting::preview::<Tournament>;
        get "/{id}" => tournaments::overview;
        get "/{id}/screen" => tournaments::wall;
        get "/{id}/{division}" => tournaments::bracket;
        get "/{id}/players/{player}" => tournaments::entrant;
        post "/{id}/players/{player}" => tournaments::report_own;
        get "/{id}/{division}/draw" => tournaments::draw;
        get "/{id}/{division}/entries" => tournaments::entries;
        get "/{id}/{division}/places" => tournaments::places;
        get "/{id}/{division}/print" => tournaments::print;
        get "/{id}/{division}/slips" => tournaments::slips;
        get "/{id}/{division}/cards" => tournaments::cards;
        get "/{id}/{division}/embed" => tournaments::embed;
        get "/{id}/{division}/matches/{match}" => tournaments::one_match;
    }

    below "/matches" {
        get "" => matches::list;
        post "" => matches::open;
        get "/{id}" => matches::show;
        get "/{id}/clock" => matches::clock;
        post "/{id}/act" => matches::act::act;
        post "/{id}/act/preview" => acting::preview::<Sheet>;
    }

    below "/reference" {
        get "" => reference::show;
        get "/opening" => reference::opening;
        get "/shots" => reference::shots;
        get "/score" => reference::score::show;
    }

    below "/players" {
        get "" => people::list;
        post "" => people::add;
        get "/{id}" => people::show;
        post "/{id}" => people::change;
        get "/{id}/statistics" => statistics::of_player;
        get "/{id}/statistics/against/{other}" => statistics::of_pair;
        post "/{id}/remove" => people::remove;
        post "/{id}/invite" => people::invite;
        get "/{id}/data" => privacy::show;
        get "/{id}/erase" => privacy::erase;
        post "/{id}/erase" => privacy::post_erase;
    }

    below "/ratings" {
        get "" => ratings::show;
    }

    below "/statistics" {
        get "" => statistics::of_club;
        get "/head-to-head" => head_to_head::show;
    }

    below "/account" {
        get "" => account::show;
        post "/password" => account::password;
        post "/email" => account::email;
        post "/sign-out-everywhere" => account::sign_out_everywhere;
        post "/tokens" => account::new_token;
        post "/tokens/{id}/revoke" => account::revoke;
    }

    below "/settings" {
        get "" => settings::show;
        post "" => settings::change;
        post "/accounts/{id}" => settings::account;
        post "/accounts/{id}/reset" => settings::reset;
        post "/registrations/decline" => registrations::decline_all;
        post "/registrations/{id}/confirm" => registrations::confirm;
        post "/registrations/{id}/decline" => registrations::decline;
        get "/webhooks" => webhooks::show;
        post "/webhooks" => webhooks::make;
        post "/webhooks/{id}/switch" => webhooks::switch;
        post "/webhooks/{id}/ping" => webhooks::ping;
        post "/webhooks/{id}/remove" => webhooks::remove;
    }
}
