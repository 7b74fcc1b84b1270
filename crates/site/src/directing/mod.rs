//! The director's desk: its pages, for those who direct a tournament, and what their forms do.
//!
//! Every button posts to `/tournaments/{id}/act` ([`act`](super::acting::act)) and names the page to go on to ([`ReturnPage`]); a
//! script gets that page's live part as the answer. Only corrections, draws and the like carry the version
//! they were shown at, so that two helpers at one desk do not get in each other's way.
//!
//! Every page answers one question, and has the [`DeskFrame`] around its work, with the undo always in the same place. The tournament
//! says what is possible ([`Tournament::match_acts`]), and the screen what the viewer is permitted.
//!
//! | file | what it shows |
//! |---|---|
//! | `now` | the next thing to do: whom to call, who plays, whose result is missing |
//! | `one_match`, `correction` | a match: its result in one tap; the correction of it, with everything it touches shown first (`effect`) |
//! | `about`, `division` with `division_form` and `own_prizes` | the details of a tournament and its divisions |
//! | `entries`, `entry`, `entering`, `pasted`, `draw`, `draw_by_hand` | who plays, and who sits where; `enter`: players enter themselves |
//! | `room`, `money`, `log` | tables and time; debts and prizes; who did what |

mod about;
mod act;
mod correction;
mod division;
mod division_form;
mod draw;
mod draw_by_hand;
mod effect;
mod enter;
mod entering;
mod entries;
mod entry;
mod frame;
mod log;
mod money;
mod now;
mod one_match;
mod own_prizes;
mod pasted;
mod return_page;
mod room;
#[cfg(test)]
pub(crate) mod samples;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::de::DeserializeOwned;

pub(super) use about::{change, edit, new, open, show_settings};
pub(super) use correction::show as correct;
pub(super) use division::{
    add as add_division, change as change_division, show as division, show_new as new_division,
};
pub(super) use draw::show as draw;
pub(super) use draw_by_hand::{draw_hand, show as draw_by_hand};
pub(super) use enter::show as enter_oneself;
pub(super) use entering::{enter, seed};
#[cfg(test)]
pub(crate) use entries::ARRIVE;
pub(super) use entries::list as entries;
pub(super) use entry::show as entry;
pub(super) use log::show as log;
pub(super) use money::show as money;
pub(super) use one_match::show as one_match;
pub(super) use room::show as room;

use self::frame::DeskFrame;
use super::visitor::{self, Visitor};
use crate::pages::{Frame, Tab};
use crate::sentences::tournament::TournamentSentences;
use owlbox_base::journal::{Act, ActKind};
use owlbox_base::values::{Currency, MinorUnits, TournamentId};
use owlbox_desk::commands::subject::{Preview, StreamPreview};
use owlbox_desk::tournaments::{DirectorScreen, TournamentReader};
use owlbox_desk::{Allowed as DeskAllowed, Refused};
use owlbox_http::problem::{Allowed, Problem};
use owlbox_play::tournament::Allowed as TournamentAllowed;
use owlbox_play::tournament::{CommandKind, Event, Tournament};

/// The screen of a visitor who may give `needed` for others, with what `look` looks for.
///
/// # Errors
/// There is no such tournament; the visitor is not signed in, or lacks the permission; or what `look` refuses.
async fn screen<T: Send + 'static>(
    visitor: &Visitor,
    id: TournamentId,
    needed: CommandKind,
    look: impl FnOnce(&mut TournamentReader<'_>) -> Result<T, Refused> + Send + 'static,
) -> Result<(DirectorScreen, T), Problem> {
    let actor = visitor.actor()?;
    Ok(visitor.service.desk.director_screen(&actor, id, needed, look).await?)
}

/// The screen of a visitor who may give `needed` for others, where nothing else is looked for.
async fn bare_screen(
    visitor: &Visitor,
    id: TournamentId,
    needed: CommandKind,
) -> Result<DirectorScreen, Problem> {
    Ok(screen(visitor, id, needed, |_| Ok(())).await?.0)
}

/// What every page of the desk has: its sentences, the frame with this title, and what is around its work at `below`, with
/// what is wrong.
fn surroundings<'a>(
    visitor: &Visitor,
    screen: &'a DirectorScreen,
    title: &str,
    below: &str,
    problem: Option<&Problem>,
) -> (TournamentSentences<'a>, Frame, DeskFrame<'a>) {
    let t = TournamentSentences::new(visitor.say(&screen.names), screen.state());
    let notice = problem.map(|problem| problem_in_words(visitor, problem, screen.state().currency()));
    let desk = DeskFrame::new(t, screen, below, notice);
    (t, visitor.frame(&t.get(title), Some(Tab::Tournaments)), desk)
}

pub(super) async fn desk(
    visitor: Visitor,
    id: web::Path<TournamentId>,
    query: web::Query<entries::LookQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    now::answer(&visitor, *id, &query.looked().find, visitor::is_partial(&request), None).await
}

/// What a previewed act would do, in a few words.
async fn preview_in_words(visitor: &Visitor, preview: &Preview<Tournament>) -> Result<String, Problem> {
    let StreamPreview { before, after, named } = &preview.here;
    let (state, events, key) = match &after.act.kind {
        ActKind::Events(events) => (&after.stream.state, events.clone(), None),
        ActKind::Undo(_) => (&before.state, events_of(named), Some("undo-what")),
        ActKind::Redo(_) => (&after.stream.state, events_of(named), Some("redo-what")),
    };
    let players = events.iter().flat_map(|event| state.players_of(event)).collect();
    let names = visitor.service.desk.distinct_names(players).await?;
    let what = TournamentSentences::new(visitor.say(&names), state).act(&events);
    Ok(key.map_or(what.clone(), |key| visitor.t.with(key, "what", what)))
}

fn events_of(acts: &[Act<Event>]) -> Vec<Event> {
    acts.iter().flat_map(Act::events).cloned().collect()
}

/// What is wrong, in words: the field or line it is about, and the sum needed.
fn problem_in_words(visitor: &Visitor, problem: &Problem, currency: Option<Currency>) -> String {
    let t = &visitor.t;
    let text = visitor.notice(problem).text;
    let sum = match &problem.allowed {
        Some(Allowed::Desk(DeskAllowed::Tournament(TournamentAllowed::Pool(pool)))) => {
            i64::try_from(*pool).ok().zip(currency)
        }
        _ => None,
    };
    let line = match &problem.allowed {
        Some(Allowed::Line { line }) => Some(line),
        _ => None,
    };
    match (problem.field.and_then(label_of), line, sum) {
        (_, _, Some((sum, currency))) => {
            format!("{text} {}", t.with("desk-sum-is", "amount", t.how_much(MinorUnits(sum), currency)))
        }
        (_, Some(line), _) => format!("{line}: {text}"),
        (Some(label), ..) => format!("{}: {text}", t.get(label)),
        _ => text,
    }
}

/// The text key for the label of a form field, by the field's name.
fn label_of(field: &str) -> Option<&'static str> {
    Some(match field {
        "name" => "about-name",
        "date" => "about-date",
        "starts" => "about-starts",
        "place" => "about-place",
        "currency" => "about-currency",
        "entries_open" => "about-entries-open",
        "entries_close" => "about-entries-close",
        "format" => "division-format",
        "lengths" => "division-lengths",
        "consolation_lengths" => "division-consolation-lengths",
        "last_chance_lengths" => "division-last-chance-lengths",
        "reserve" => "division-reserve",
        "delay" => "division-delay",
        "re_entries" => "division-re-entries",
        "entry" => "division-entry-fee",
        "registration" => "division-registration",
        "re_entry" => "division-re-entry",
        "house_keeps" => "division-kept",
        "side_pools" => "division-side-pools",
        "prizes" => "division-payout",
        _ => return None,
    })
}

/// What the query of an address asks for; `None` if it cannot be read.
fn query_of<Q: DeserializeOwned>(address: &str) -> Option<Q> {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let query = query.split('#').next().unwrap_or_default();
    web::Query::from_query(query).ok().map(web::Query::into_inner)
}

/// The status of a page: the problem's, if it shows one.
fn status(problem: Option<&Problem>) -> StatusCode {
    problem.map_or(StatusCode::OK, visitor::status)
}
